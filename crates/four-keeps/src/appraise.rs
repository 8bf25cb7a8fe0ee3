//! How good a position looks, for the bots: keeps, men, and the way to keeps that are not one's own. It is at rest
//! when a turn begins; what an old hand does until then is habit.

use table::rooms::*;
use table::{Lots, Options, Seat};

use crate::FourKeeps;
use crate::action::Action;
use crate::position::{Position, Stance, Step, side};

impl Minded for FourKeeps {
    fn appraise(&self, p: &Position, seat: Seat) -> f32 {
        if let Some(outcome) = self.outcome(p) {
            return outcome.worth(seat);
        }
        let (own, other) = (side(seat), 1 - side(seat));
        let ahead = |of: &dyn Fn(u8) -> u8| f32::from(of(own)) - f32::from(of(other));
        let keeps = ahead(&|alliance| self.keeps_of(&p.open, alliance));
        let men = ahead(&|alliance| self.men_of(&p.open, alliance));
        let way = |alliance: u8| -> f32 {
            let captains = p.open.fighting().iter().filter(|s| side(*s) == alliance);
            captains.map(|s| self.way_to_keep(p, s)).sum()
        };
        let lead = f32::from(self.lead(&p.open, seat));
        let sum = keeps * 0.09 + men * 0.02 - (way(own) - way(other)) * 0.012 + lead * 0.004;
        (0.5 + sum).clamp(0.02, 0.98)
    }

    fn habit(&self, p: &Position, seat: Seat, room: &mut Options<Action>, lots: &mut Lots) -> Option<Action> {
        match p.open.step {
            Step::March { .. } => {
                room.clear();
                self.options(p, seat, room);
                Some(self.usual_march(p, seat, room))
            }
            Step::Battles if p.open.battle_of(seat).is_some_and(|battle| battle.asked.is_some()) => {
                Some(if p.hidden.wards[seat.index()] > 0 { Action::Ward } else { Action::Pass })
            }
            Step::Battles => Some(Action::Fight([Stance::Press, Stance::Guard][lots.below(2) as usize])),
            Step::Bids | Step::Over => None,
        }
    }
}

impl FourKeeps {
    /// Towards the next keep to be taken, past nobody who is stronger.
    fn usual_march(&self, p: &Position, seat: Seat, room: &Options<Action>) -> Action {
        let Some(at) = p.open.captain(seat).at else { return Action::Halt };
        let men = p.open.captain(seat).men;
        let wanted = |hex| {
            let open = self.components.keeps.iter().filter(|(keep, (_, there))| {
                p.open.held[*keep] != Some(side(seat))
                    && !p.open.on(*there).iter().any(|s| s != seat && side(s) == side(seat))
            });
            open.map(|(_, (_, there))| there.distance(hex)).min().unwrap_or(0)
        };
        let nearer = room.offers().iter().filter_map(|offer| match offer.action {
            Action::Go(direction) => {
                let to = at.neighbour(direction);
                let weaker = p.open.on(to).iter().all(|enemy| p.open.captain(enemy).men <= men);
                (weaker && wanted(to) < wanted(at)).then_some((wanted(to), offer.action))
            }
            _ => None,
        });
        nearer.min_by_key(|(way, _)| *way).map_or(Action::Halt, |(_, action)| action)
    }

    /// How far a captain is from the next keep that is not his side's; a keep he stands on counts as taken.
    fn way_to_keep(&self, p: &Position, seat: Seat) -> f32 {
        let Some(at) = p.open.captain(seat).at else { return 4.0 };
        let open = self.components.keeps.iter().filter(|(keep, _)| p.open.held[*keep] != Some(side(seat)));
        open.map(|(_, (_, hex))| hex.distance(at)).min().unwrap_or(0) as f32
    }
}

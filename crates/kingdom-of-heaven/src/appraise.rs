//! How good a position looks, for the bots: victory points against what the scenario asks, armies, sieges, cards.

use table::rooms::*;
use table::{Lots, Options, Seat};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::scenarios::Victory;
use crate::ids::{CHRISTIAN, MUSLIM};
use crate::position::{Open, Place, Position, Step};

impl Minded for KingdomOfHeaven {
    fn appraise(&self, p: &Position, seat: Seat) -> f32 {
        if let Some(outcome) = self.outcome(p) {
            return outcome.worth(seat);
        }
        let o = &p.open;
        let lead = match self.plot(o).victory {
            Victory::Space(space) => {
                if self.friendly(o, space, CHRISTIAN) {
                    0.2
                } else {
                    -0.2
                }
            }
            Victory::Points { .. } => {
                let (mine, theirs) = (self.points(o, CHRISTIAN).into(), self.points(o, MUSLIM).into());
                let (short, lack) = self.shortfalls(o, mine, theirs);
                f32::from(lack - short) * 0.02
            }
        };
        let might = |seat: Seat| self.might(o, seat);
        let siege: f32 = self.components.all_spaces().map(|s| self.pressure(o, s)).sum();
        let cards = f32::from(o.held[CHRISTIAN]) - f32::from(o.held[MUSLIM]);
        let marker = o.marker.map_or(0.0, |s| if s == CHRISTIAN { 0.01 } else { -0.01 });
        let sum = lead + (might(CHRISTIAN) - might(MUSLIM)) * 0.004 + siege + cards * 0.006 + marker;
        let sum = if seat == CHRISTIAN { sum } else { -sum };
        (0.5 + sum).clamp(0.02, 0.98)
    }

    /// Armies are taken as the rules propose them, and marches go step by step.
    fn considered(&self, p: &Position, _: Seat, action: Action) -> bool {
        match p.open.agenda.now() {
            Some(Step::Command) => {
                matches!(action, Action::Go | Action::Sail(_) | Action::Sally | Action::Halt)
            }
            Some(Step::Casualties | Step::Losses { .. }) => action == Action::Usual,
            Some(Step::Shelter { .. }) => matches!(action, Action::AllInside | Action::Done),
            Some(Step::March) => !matches!(action, Action::Drop(_) | Action::DropLeader(_)),
            _ => true,
        }
    }

    fn habit(&self, p: &Position, seat: Seat, room: &mut Options<Action>, lots: &mut Lots) -> Option<Action> {
        let wanted = match p.open.agenda.now()? {
            Step::Casualties | Step::Losses { .. } => Action::Usual,
            Step::Window { .. } | Step::Answer { .. } | Step::Battle => Action::Decline,
            Step::Command => Action::Go,
            Step::Overture { .. } => Action::Keep,
            Step::March => Action::Halt,
            Step::Round { .. } => return None,
            _ => Action::Done,
        };
        room.clear();
        self.options(p, seat, room);
        let offers = room.offers();
        if offers.iter().any(|offer| offer.action == wanted) {
            return Some(wanted);
        }
        let n = lots.below(offers.len() as u32) as usize;
        offers.get(n).map(|offer| offer.action)
    }
}

impl KingdomOfHeaven {
    /// The steps of a side that are on the map or can come back to it.
    fn might(&self, o: &Open, seat: Seat) -> f32 {
        let roster = &self.plot(o).roster;
        let mut sum = 0.0;
        for unit in self.army(o, seat) {
            let strength = f32::from(roster.strength[unit][usize::from(o.reduced.has(unit))]);
            sum += match o.at[unit] {
                Place::At(_) => strength,
                Place::Pool => strength * 0.7,
                Place::Dead => strength * 0.15,
                _ => 0.0,
            };
        }
        for leader in self.plot(o).all_leaders {
            if self.leads_for(o, leader) == Some(seat) {
                let worth =
                    f32::from(self.components.leader(leader).battle + self.components.leader(leader).command)
                        * 0.4;
                sum += match o.led[leader] {
                    Place::At(_) | Place::Pool => worth,
                    Place::Prison(_) => worth * 0.4,
                    _ => 0.0,
                };
            }
        }
        sum
    }

    /// What a siege promises the Christians.
    fn pressure(&self, o: &Open, space: crate::ids::Space) -> f32 {
        let Some(besieger) = self.besieger(o, space) else { return 0.0 };
        let worth = f32::from(self.plot(o).vp[space]).max(0.3);
        let rf = f32::from(o.marks[space].rf.unwrap_or(8).min(8));
        let hope = worth * (8.0 - rf) * 0.0025;
        if besieger == CHRISTIAN { hope } else { -hope }
    }
}

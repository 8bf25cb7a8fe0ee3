//! How good a position looks, for the bots: victory points against what the scenario asks, armies, sieges, cards.

use table::rooms::*;
use table::{Id as _, Lots, Options, Seat};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::scenarios::Victory;
use crate::ids::{CHRISTIAN, MUSLIM, Space};
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
        let both = |of: &dyn Fn(Seat) -> f32| of(CHRISTIAN) - of(MUSLIM);
        let might = both(&|seat| self.might(o, seat));
        let drive = both(&|seat| self.drive(o, seat));
        let guard = both(&|seat| self.guard(o, seat));
        let siege: f32 = self.components.all_spaces().map(|s| self.pressure(o, s)).sum();
        let cards = f32::from(o.held[CHRISTIAN]) - f32::from(o.held[MUSLIM]);
        let marker = o.marker.map_or(0.0, |s| if s == CHRISTIAN { 0.01 } else { -0.01 });
        let sum = lead + might * 0.004 + drive * 0.006 + guard * 0.003 + siege + cards * 0.004 + marker;
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

    /// What a space is worth to whoever wants it.
    fn prize(&self, o: &Open, space: Space) -> f32 {
        match self.plot(o).victory {
            Victory::Space(goal) if goal == space => 8.0,
            _ => f32::from(self.plot(o).vp[space]),
        }
    }

    /// How near a side's armies are to what they want: for each army its best target, by worth, strength and distance.
    fn drive(&self, o: &Open, seat: Seat) -> f32 {
        let enemy = seat.other();
        let mut sum = 0.0;
        for space in self.stands_in(o, seat) {
            let (units, leaders) = self.outside(o, space, seat);
            if leaders.is_empty() || units.is_empty() {
                continue;
            }
            let strength = f32::from(self.strength(o, units, leaders).min(36));
            let mut best = 0.0_f32;
            for target in self.components.all_spaces() {
                let prize = self.prize(o, target);
                if prize == 0.0 || !self.holds(o, target, enemy) {
                    continue;
                }
                let (inside, led) = (self.units(o, target, enemy), self.leaders(o, target, enemy));
                let needed = 10.0 + f32::from(self.strength(o, inside, led));
                let far = f32::from(self.components.far[space.number()][target.number()].min(40));
                best = best.max(prize * (strength / needed).min(1.5) / (3.0 + far));
            }
            sum += best;
        }
        sum
    }

    /// How well a side's cities are held.
    fn guard(&self, o: &Open, seat: Seat) -> f32 {
        let worth = |s: Space| {
            let prize = self.prize(o, s);
            if prize == 0.0 || !self.holds(o, s, seat) {
                return 0.0;
            }
            prize * self.steps(o, self.units(o, s, seat)).min(4) as f32 / 4.0
        };
        self.components.all_spaces().map(worth).sum()
    }

    /// What a siege promises the Christians.
    fn pressure(&self, o: &Open, space: Space) -> f32 {
        let Some(besieger) = self.besieger(o, space) else { return 0.0 };
        let worth = self.prize(o, space).max(0.5);
        let rf = f32::from(o.marks[space].rf.unwrap_or(8).min(8));
        let (units, leaders) = self.outside(o, space, besieger);
        let (inside, led) = self.within(o, space, besieger.other());
        let odds =
            f32::from(self.strength(o, units, leaders)) / (4.0 + f32::from(self.strength(o, inside, led)));
        let hope = worth * (9.0 - rf) * 0.0012 * odds.clamp(0.2, 2.0);
        if besieger == CHRISTIAN { hope } else { -hope }
    }
}

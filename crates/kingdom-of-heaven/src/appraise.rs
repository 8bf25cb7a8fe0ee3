//! How good a position looks, for the bots: victory points against what the scenario asks, armies, sieges, cards.
//!
//! All signs are measured for the Christian; for the Muslim they have the other sign. What they count for is in
//! `data/appraise.toml`, one table for each scenario, found by `outremer tune`. A position that is not at rest is
//! played on by habit first, so that whoever looks one step ahead sees what becomes of a march.

use table::rooms::*;
use table::weights::{Sign, chance};
use table::{Lots, Options, Seat, Silent};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::scenarios::Victory;
use crate::ids::{CHRISTIAN, MUSLIM, Space};
use crate::position::{Ending, Open, Place, Position};

/// What is measured. Those that end in `late` count the more the nearer the end is, what ends in `last` hardly before.
pub(crate) const SIGNS: [Sign; 16] = [
    Sign::either("side"),
    Sign::either("side_late"),
    Sign::good("points"),
    Sign::good("points_late"),
    Sign::good("winning_late"),
    Sign::good("winning_last"),
    Sign::good("sieges"),
    Sign::good("sieges_late"),
    Sign::good("might"),
    Sign::good("pool"),
    Sign::good("leaders"),
    Sign::good("drive"),
    Sign::good("drive_late"),
    Sign::good("guard"),
    Sign::either("cards"),
    Sign::good("marker"),
];

/// The tables of weights, by scenario.
pub(crate) const TABLES: [&str; 11] = ["D", "A", "B", "C", "E", "F", "G", "H", "J", "first-march", "acre"];

/// Habits play so many moves at most before a position is appraised.
const MOST: usize = 120;

impl Minded for KingdomOfHeaven {
    fn appraise(&self, p: &Position, seat: Seat) -> f32 {
        if let Some(outcome) = self.outcome(p) {
            return outcome.worth(seat);
        }
        let christian = if self.at_rest(p) {
            self.judge_by_signs(p)
        } else {
            let mut rested = p.clone();
            self.bring_to_rest(&mut rested);
            match self.outcome(&rested) {
                Some(outcome) => outcome.worth(CHRISTIAN),
                None => self.judge_by_signs(&rested),
            }
        };
        if seat == CHRISTIAN { christian } else { 1.0 - christian }
    }

    fn considered(&self, p: &Position, seat: Seat, action: Action) -> bool {
        self.counsels(p, seat, action)
    }

    fn habit(&self, p: &Position, seat: Seat, room: &mut Options<Action>, lots: &mut Lots) -> Option<Action> {
        self.usual(p, seat, room, lots)
    }

    fn signs(&self) -> &'static [Sign] {
        &SIGNS
    }

    fn measure(&self, p: &Position, seat: Seat) -> Vec<f32> {
        let sign = if seat == CHRISTIAN { 1.0 } else { -1.0 };
        self.christian_signs(&p.open).map(|s| s * sign).to_vec()
    }
}

impl KingdomOfHeaven {
    fn at_rest(&self, p: &Position) -> bool {
        matches!(p.open.agenda.now(), None | Some(crate::position::Step::Round { .. }))
    }

    fn bring_to_rest(&self, p: &mut Position) {
        let (mut room, mut lots, mut dice) = (Options::new(), Lots::new(1), Silent::new(1));
        for _ in 0..MOST {
            let Some(seat) = self.deciding(p).lowest() else { return };
            let Some(action) = self.usual(p, seat, &mut room, &mut lots) else { return };
            self.apply(p, seat, action, &mut dice);
        }
    }

    fn judge_by_signs(&self, p: &Position) -> f32 {
        chance(&self.christian_signs(&p.open), self.weights.of(self.weighing[usize::from(p.open.plot)]))
    }

    fn christian_signs(&self, o: &Open) -> [f32; SIGNS.len()] {
        let plot = self.plot(o);
        let both = |of: &dyn Fn(Seat) -> f32| of(CHRISTIAN) - of(MUSLIM);
        let points = match plot.victory {
            Victory::Space(space) => {
                if self.friendly(o, space, CHRISTIAN) {
                    1.0
                } else {
                    -1.0
                }
            }
            Victory::Points { .. } => {
                let (mine, theirs) = (self.points(o, CHRISTIAN).into(), self.points(o, MUSLIM).into());
                let (short, lack) = self.shortfalls(o, mine, theirs);
                f32::from(lack - short) / 10.0
            }
        };
        let winning = match self.judge(o) {
            Ending::Won(CHRISTIAN) | Ending::NoCrusade => 1.0,
            Ending::Won(_) => -1.0,
            Ending::Marginal(CHRISTIAN) => 0.5,
            Ending::Marginal(_) => -0.5,
            Ending::Draw => 0.0,
        };
        // How much of the war is over, the cards of this turn counted in.
        let left = f32::from(o.held[CHRISTIAN] + o.held[MUSLIM]) / f32::from(2 * plot.hand.max(1));
        let late = ((f32::from(o.turn) - left.min(1.0)) / f32::from(plot.turns)).clamp(0.0, 1.0);
        let last = late * late * late * late;
        let sieges: f32 = self.components.all_spaces().map(|s| self.pressure(o, s)).sum();
        let (might, pool) = (both(&|seat| self.might(o, seat).0), both(&|seat| self.might(o, seat).1));
        let drive = both(&|seat| self.drive(o, seat));
        let cards = (f32::from(o.held[CHRISTIAN]) - f32::from(o.held[MUSLIM])) / 7.0;
        let marker = o.marker.map_or(0.0, |s| if s == CHRISTIAN { 1.0 } else { -1.0 });
        [
            1.0,
            late,
            points,
            points * late,
            winning * late,
            winning * last,
            sieges,
            sieges * late,
            might / 30.0,
            pool / 30.0,
            both(&|seat| self.captains(o, seat)) / 10.0,
            drive,
            drive * late,
            both(&|seat| self.guard(o, seat)) / 10.0,
            cards,
            marker,
        ]
    }

    /// The strength of a side's units on the map, and of those that can come back to it.
    fn might(&self, o: &Open, seat: Seat) -> (f32, f32) {
        let roster = &self.plot(o).roster;
        let (mut here, mut there) = (0.0, 0.0);
        for unit in self.army(o, seat) {
            let strength = f32::from(roster.strength[unit][usize::from(o.reduced.has(unit))]);
            match o.at[unit] {
                Place::At(_) => here += strength,
                Place::Pool => there += strength,
                Place::Dead => there += strength * 0.15,
                _ => {}
            }
        }
        (here, there)
    }

    /// What a side's leaders are good for.
    fn captains(&self, o: &Open, seat: Seat) -> f32 {
        let worth = |leader: crate::ids::Leader| {
            let data = self.components.leader(leader);
            let share = match o.led[leader] {
                Place::At(_) | Place::Pool => 1.0,
                Place::Prison(_) => 0.4,
                Place::Dead => 0.1,
                _ => 0.0,
            };
            share * f32::from(data.battle + data.command) * 0.5
        };
        let mine = |l: &crate::ids::Leader| self.leads_for(o, *l) == Some(seat);
        self.plot(o).all_leaders.iter().filter(mine).map(worth).sum()
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
            let strength = f32::from(self.strength(o, units, leaders).min(40));
            let mut best = 0.0_f32;
            for target in self.plot(o).prizes {
                if !self.holds(o, target, enemy) {
                    continue;
                }
                let (inside, led) = (self.units(o, target, enemy), self.leaders(o, target, enemy));
                let needed = 10.0 + f32::from(self.strength(o, inside, led));
                let far = f32::from(
                    self.components.far[table::Id::number(space)][table::Id::number(target)].min(40),
                );
                best = best.max(self.prize(o, target) * (strength / needed).min(1.5) / (4.0 + far));
            }
            sum += best;
        }
        sum
    }

    /// How well a side's prizes are held.
    fn guard(&self, o: &Open, seat: Seat) -> f32 {
        let worth = |s: Space| {
            if !self.holds(o, s, seat) {
                return 0.0;
            }
            self.prize(o, s) * self.steps(o, self.units(o, s, seat)).min(6) as f32 / 6.0
        };
        self.plot(o).prizes.iter().map(worth).sum()
    }

    /// What a siege promises the Christian.
    fn pressure(&self, o: &Open, space: Space) -> f32 {
        let Some(besieger) = self.besieger(o, space) else { return 0.0 };
        let worth = self.prize(o, space).max(0.5);
        let rf = f32::from(o.marks[space].rf.unwrap_or(8).min(8));
        let (units, leaders) = self.outside(o, space, besieger);
        let (inside, led) = self.within(o, space, besieger.other());
        let odds = f32::from(self.strength(o, units, leaders))
            / (6.0 + 1.5 * f32::from(self.strength(o, inside, led)));
        let hope = worth * (9.0 - rf) / 8.0 * odds.clamp(0.1, 2.0) / 5.0;
        if besieger == CHRISTIAN { hope } else { -hope }
    }
}

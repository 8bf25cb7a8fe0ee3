//! How good a position looks, for the bots: victory points against what the scenario asks, armies, sieges, cards.
//!
//! All signs are measured for the Christian; for the Muslim they have the other sign. What they count for is in
//! `data/appraise.toml`, one table for each scenario, found by `outremer tune`. A position that is not at rest is
//! played on by habit first, so that whoever looks one step ahead sees what becomes of a march.

use arrayvec::ArrayVec;
use table::rooms::*;
use table::weights::{Sign, chance};
use table::{Id as _, Lots, Options, Seat, Set, Silent};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::scenarios::Victory;
use crate::ids::{CHRISTIAN, MUSLIM, Space};
use crate::position::{Ending, Open, Place, Position, Step};

/// What is measured. Those that end in `late` count the more the nearer the end is, what ends in `last` hardly before.
pub(crate) const SIGNS: [Sign; 18] = [
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
    Sign::good("crusade"),
    Sign::good("crusade_near"),
];

/// The tables of weights, by scenario.
pub(crate) const TABLES: [&str; 11] = ["D", "A", "B", "C", "E", "F", "G", "H", "J", "first-march", "acre"];

/// Habits play so many moves at most before a position is appraised.
const MOST: usize = 120;

/// Whether a step belongs to the end of a year or to the beginning of the next.
const fn between_years(step: &Step) -> bool {
    matches!(
        step,
        Step::Winter { .. }
            | Step::Replace { .. }
            | Step::MusterLeaders { .. }
            | Step::MusterUnits { .. }
            | Step::Ransom { .. }
            | Step::Deal { .. }
    )
}

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
    /// Whether a position tells what it is worth as it stands: between rounds, and while both put their houses in
    /// order between two years, which takes a hundred clicks and changes little that they could not see.
    fn at_rest(&self, p: &Position) -> bool {
        p.open.agenda.now().is_none_or(|step| matches!(step, Step::Round { .. }) || between_years(step))
    }

    fn bring_to_rest(&self, p: &mut Position) {
        let (mut room, mut lots, mut dice) = (Options::new(), Lots::new(1), Silent::new(1));
        for _ in 0..MOST {
            if self.at_rest(p) {
                return;
            }
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
        let held = f32::from(o.held[CHRISTIAN] + o.held[MUSLIM]) / f32::from(2 * plot.hand.max(1));
        let begins = o.agenda.now().is_some_and(|s| between_years(s) && !matches!(s, Step::Winter { .. }));
        let left = if begins { 1.0 } else { held };
        let past = f32::from(o.turn) - left.min(1.0);
        let late = (past / f32::from(plot.turns)).clamp(0.0, 1.0);
        // What the Muslim lacks for a crusade to be preached at all [19.2], and how soon it is asked.
        let crusade = plot.crusade.as_ref().filter(|(when, ..)| o.turn < *when);
        let (crusade, near) = crusade.map_or((0.0, 0.0), |(when, least, _)| {
            let lacks = f32::from(least.saturating_sub(self.points(o, MUSLIM))) / 10.0;
            (lacks, (past / f32::from(*when - 1)).clamp(0.0, 1.0))
        });
        let refused = if crusade > 0.0 { near * near } else { 0.0 };
        let last = late * late * late * late;
        let sieges: f32 = self.components.all_spaces().map(|s| self.pressure(o, s)).sum();
        let (ours, theirs) = (self.might(o, CHRISTIAN), self.might(o, MUSLIM));
        let (might, pool) = (ours.0 - theirs.0, ours.1 - theirs.1);
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
            crusade,
            (crusade + 1.0) * refused,
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
        let mut targets: ArrayVec<(Space, f32, f32), 128> = ArrayVec::new();
        let led = self.led(o, enemy);
        for target in self.plot(o).prizes {
            if self.holds(o, target, enemy) {
                let units = f32::from(self.strength(o, self.units(o, target, enemy), Set::NONE));
                let needed = 10.0 + units + f32::from(led.all[target.number()]);
                targets.push((target, self.prize(o, target), needed));
            }
        }
        for space in self.stands_in(o, seat) {
            let (units, leaders) = self.outside(o, space, seat);
            if leaders.is_empty() || units.is_empty() {
                continue;
            }
            let strength = f32::from(self.strength(o, units, leaders).min(40));
            let mut best = 0.0_f32;
            let far = &self.components.far[space.number()];
            for (target, prize, needed) in &targets {
                let far = f32::from(far[target.number()].min(40));
                best = best.max(prize * (strength / needed).min(1.5) / (4.0 + far));
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

//! How good a position looks, for the bots: victory cities held, besieged, bare and threatened, who is stronger
//! near them, might on the map, crusaders to come, blocks to be drawn, cards in hand, mouths that winter will
//! not feed.
//!
//! All signs are measured for the Franks; for the Saracens they have the other sign. What they count for is
//! in `data/appraise.toml`, one table for each scenario, found by `outremer tune`.

use table::Seat;
use table::weights::{Sign, chance};

use crate::CrusaderRex;
use crate::data::{FRANK, MOVES, SARACEN, Set, TOWNS, each, one};
use crate::position::{DEAD, HAND, POOL, Position, STAGING};

/// What is measured. Those that end in `late` count the more the nearer the end is, and what ends in
/// `last` hardly before it.
pub(crate) const SIGNS: [Sign; 21] = [
    Sign::either("side"),
    Sign::either("side_late"),
    Sign::good("cities"),
    Sign::good("cities_late"),
    Sign::good("sieges"),
    Sign::good("sieges_late"),
    Sign::good("sway"),
    Sign::good("sway_late"),
    Sign::good("bare"),
    Sign::good("guards"),
    Sign::good("guards_late"),
    Sign::good("might"),
    Sign::good("ahead_last"),
    Sign::good("coming"),
    Sign::either("pool"),
    Sign::good("cards"),
    Sign::good("shields"),
    Sign::good("shields_late"),
    Sign::good("hungry"),
    Sign::good("threat"),
    Sign::good("threat_late"),
];

/// The tables of weights, by scenario.
pub(crate) const TABLES: [&str; 3] = ["campaign", "1187", "hattin"];

/// A guard of more might than this is an army.
const GUARD: f32 = 12.0;

/// Near a city this much might is little.
const FEW: f32 = 6.0;

/// What the victory cities tell, each sign summed up over them.
#[derive(Default)]
struct Cities {
    held: f32,
    /// How strong besiegers are beside those within, who count double.
    sieges: f32,
    bare: f32,
    guards: f32,
    /// Who is stronger in and near them.
    sway: f32,
    /// The same where that is not the one who holds the city.
    threat: f32,
}

impl CrusaderRex {
    pub(crate) fn judge(&self, p: &Position, seat: Seat) -> f32 {
        if let Some((winner, _)) = p.result {
            return f32::from(u8::from(winner == seat));
        }
        let scenario = match (p.table.goal < TOWNS as u8, p.table.shields > 0) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        };
        let frank = chance(&self.frank_signs(p), self.weights.of(scenario));
        if seat == FRANK { frank } else { 1.0 - frank }
    }

    /// The signs for a seat.
    pub(crate) fn signs_for(&self, p: &Position, seat: Seat) -> Vec<f32> {
        let sign = if seat == FRANK { 1.0 } else { -1.0 };
        self.frank_signs(p).map(|s| s * sign).to_vec()
    }

    fn frank_signs(&self, p: &Position) -> [f32; SIGNS.len()] {
        let mut might = [[0.0f32; TOWNS]; 2];
        let mut sums = [0.0f32; 2];
        let mut coming = 0.0;
        for (side, seat) in [FRANK, SARACEN].into_iter().enumerate() {
            for b in each(self.of(seat)) {
                let b = usize::from(b);
                let town = p.town[b];
                if town < POOL {
                    // Steps weighted by firepower.
                    let steps =
                        f32::from(p.strength[b]) * (0.6 + 0.4 * f32::from(self.components.blocks[b].fire));
                    might[side][usize::from(town)] += steps;
                    sums[side] += steps;
                } else if side == 0 && matches!(town, STAGING | HAND) {
                    coming += 1.0;
                }
            }
        }
        let Cities { held, sieges, bare, guards, sway, threat } = self.judge_cities(p, &might);
        let pool = |seat: Seat| {
            each(self.of(seat)).filter(|b| matches!(p.town[usize::from(*b)], POOL | DEAD)).count() as f32
        };
        let hand = |i: usize| -> f32 {
            p.hands[i].iter().zip(MOVES).map(|(n, m)| f32::from(*n) * f32::from(m.max(2))).sum()
        };
        let shields = if p.table.shields > 0 {
            f32::from(p.table.shields) - 0.5 - f32::from(self.shields_taken(p))
        } else {
            0.0
        };
        let late = f32::from(p.year * 6 + p.turn) / f32::from(p.table.years * 6);
        let last = late * late * late * late;
        let ahead = if self.saracens_lead(p) { -1.0 } else { 1.0 };
        [
            1.0,
            late,
            held,
            held * late,
            sieges,
            sieges * late,
            sway,
            sway * late,
            bare,
            guards,
            guards * late,
            (sums[0] - sums[1]) / 10.0,
            ahead * last,
            coming / 10.0,
            (pool(FRANK) - pool(SARACEN)) / 10.0,
            (hand(0) - hand(1)) / 10.0,
            shields,
            shields * late,
            self.hungry(p, SARACEN) - self.hungry(p, FRANK),
            threat,
            threat * late,
        ]
    }

    fn judge_cities(&self, p: &Position, might: &[[f32; TOWNS]; 2]) -> Cities {
        let mut cities = Cities::default();
        let watched = if p.table.goal < TOWNS as u8 { one(p.table.goal) } else { self.components.prizes };
        for t in each(watched) {
            let frank = self.control(p, t) == Some(FRANK);
            let sign = if frank { 1.0 } else { -1.0 };
            let (own, foe) = (usize::from(!frank), usize::from(frank));
            let (inside, outside) = (might[own][usize::from(t)], might[foe][usize::from(t)]);
            let [by_frank, by_saracen] = [0, 1].map(|side: usize| self.components.near(t, &might[side]));
            let tilt = (by_frank - by_saracen) / (by_frank + by_saracen + FEW);
            cities.held += sign;
            cities.sieges -= sign * outside / (outside + 2.0 * inside + 2.0);
            cities.bare -= if inside == 0.0 { sign } else { 0.0 };
            cities.guards += sign * inside.min(GUARD) / GUARD;
            cities.sway += tilt;
            cities.threat += sign * (tilt * sign).min(0.0);
        }
        cities
    }

    /// The share of a side's blocks that its towns would not feed if winter came now [8.3], as far as the
    /// year has gone.
    fn hungry(&self, p: &Position, seat: Seat) -> f32 {
        let own = self.of(seat);
        let mut mouths = 0;
        for (here, town) in p.here.iter().zip(&self.components.towns) {
            let blocks: Set = here & own;
            if blocks.count_ones() > u32::from(town.rating.max(1)) {
                mouths += blocks.count_ones() - u32::from(town.rating.max(1));
            }
        }
        mouths as f32 * f32::from(p.turn) / 60.0
    }
}

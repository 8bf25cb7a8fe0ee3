//! How good a position looks, for the bots: victory cities held, besieged, bare and threatened, who is stronger
//! near them, might on the map, crusaders to come, blocks to be drawn, cards in hand, mouths that winter will
//! not feed.
//!
//! All signs are measured for the Franks; for the Saracens they have the other sign. What they count for is
//! in `data/appraise.toml`, one table for each scenario, found by `outremer tune`.

use table::habits::Figure;
use table::weights::{Sign, chance};
use table::{Id, Lots, Map, Minded, Options, Seat};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{BOTH, FRANK, Place, SARACEN, Sides, Town};
use crate::position::Position;

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

/// The might of each side in each town.
type Might = Sides<Map<Town, f32>>;

impl Minded for CrusaderRex {
    fn appraise(&self, p: &Position, seat: Seat) -> f32 {
        if let Some((winner, _)) = p.open.result {
            return f32::from(u8::from(winner == seat));
        }
        let scenario = match (p.open.table.goal, p.open.table.shields) {
            (Some(_), _) => 2,
            (None, Some(_)) => 1,
            (None, None) => 0,
        };
        let frank = chance(&self.frank_signs(p), self.weights.of(scenario));
        if seat == FRANK { frank } else { 1.0 - frank }
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

    fn figures(&self) -> Vec<(Figure, f32)> {
        self.habits.figures()
    }

    fn measure(&self, p: &Position, seat: Seat) -> Vec<f32> {
        let sign = if seat == FRANK { 1.0 } else { -1.0 };
        self.frank_signs(p).map(|s| s * sign).to_vec()
    }
}

impl CrusaderRex {
    fn frank_signs(&self, p: &Position) -> [f32; SIGNS.len()] {
        let mut might: Might = Sides::both(Map::filled(0.0));
        let mut sums = Sides::both(0.0f32);
        let mut coming = 0.0;
        for seat in BOTH {
            for b in self.of(seat) {
                match p.place[b] {
                    Place::Town(town) => {
                        // Steps weighted by firepower.
                        let fire = self.components.blocks[b].fire;
                        let steps = f32::from(p.strength[b]) * (0.6 + 0.4 * f32::from(fire));
                        might[seat][town] += steps;
                        sums[seat] += steps;
                    }
                    Place::Staging | Place::Hand if seat == FRANK => coming += 1.0,
                    _ => {}
                }
            }
        }
        let Cities { held, sieges, bare, guards, sway, threat } = self.judge_cities(p, &might);
        let lies = |place: Place| matches!(place, Place::Pool | Place::Dead);
        let pool = |seat: Seat| self.of(seat).iter().filter(|b| lies(p.place[*b])).count() as f32;
        let hand = |seat: Seat| -> f32 {
            let hand = &p.secret[seat].hand;
            hand.iter().map(|(card, n)| f32::from(*n) * f32::from(card.moves().max(2))).sum()
        };
        let shields = p
            .open
            .table
            .shields
            .map_or(0.0, |needed| f32::from(needed) - 0.5 - f32::from(self.shields_taken(p)));
        let late = f32::from(p.open.year * 6 + p.open.turn) / f32::from(p.open.table.years * 6);
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
            (sums[FRANK] - sums[SARACEN]) / 10.0,
            ahead * last,
            coming / 10.0,
            (pool(FRANK) - pool(SARACEN)) / 10.0,
            (hand(FRANK) - hand(SARACEN)) / 10.0,
            shields,
            shields * late,
            self.hungry(p, SARACEN) - self.hungry(p, FRANK),
            threat,
            threat * late,
        ]
    }

    fn judge_cities(&self, p: &Position, might: &Might) -> Cities {
        let mut cities = Cities::default();
        let watched = p.open.table.goal.map_or(self.components.prizes, Into::into);
        for t in watched {
            let frank = self.control(p, t) == Some(FRANK);
            let sign = if frank { 1.0 } else { -1.0 };
            let (own, foe) = if frank { (FRANK, SARACEN) } else { (SARACEN, FRANK) };
            let (inside, outside) = (might[own][t], might[foe][t]);
            let [by_frank, by_saracen] = BOTH.map(|side| self.components.near(t, &might[side]));
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
        for t in Town::all() {
            mouths += (p.here[t] & own).len().saturating_sub(self.supply(t));
        }
        mouths as f32 * f32::from(p.open.turn) / 60.0
    }
}

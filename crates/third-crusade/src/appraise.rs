//! How good a position looks, for the bots: Glory now and what Upkeep would bring, regions, might, the tracks, orders
//! that can and cannot be executed, and what makes one first of his alliance.
//!
//! All signs are measured for a seat: those of its alliance against the enemy's, and its own against its partner's. What
//! they count for is in `data/appraise.toml`.

use table::weights::{Sign, chance};
use table::{Lots, Map, Minded, Options, Seat};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::data::Effect;
use crate::ids::{Army, ICONS, Icon, Owner, SIDES, Side, Sides};
use crate::position::{Open, Position};

/// What is measured.
pub(crate) const SIGNS: [Sign; 15] = [
    Sign::good("glory"),
    Sign::good("glory_late"),
    Sign::good("coming"),
    Sign::good("regions"),
    Sign::good("cities"),
    Sign::good("might"),
    Sign::good("command"),
    Sign::good("tracks"),
    Sign::good("gold"),
    Sign::good("ready"),
    Sign::good("failing"),
    Sign::good("lone_faith"),
    Sign::good("first"),
    Sign::good("objectives"),
    Sign::good("jerusalem"),
];

/// The tables of weights.
pub(crate) const TABLES: [&str; 1] = ["campaign"];

/// What is counted in one walk over the map.
struct Survey {
    /// Icons of each army, its leaders' among them.
    tracks: Map<Army, [u8; 5]>,
    regions: Sides<i16>,
    cities: Sides<i16>,
    might: Sides<f32>,
    /// Regions that count for the mission, by alliance.
    quest: Sides<i8>,
    markets: Map<Army, i8>,
}

impl Minded for ThirdCrusade {
    fn appraise(&self, p: &Position, seat: Seat) -> f32 {
        if let Some(outcome) = table::Rules::outcome(self, p) {
            return outcome.worth(seat);
        }
        chance(&self.signs_of(p, Army::of(seat)), self.weights.of(0))
    }

    fn considered(&self, p: &Position, seat: Seat, action: Action) -> bool {
        self.counsels(p, Army::of(seat), action)
    }

    fn habit(&self, p: &Position, seat: Seat, room: &mut Options<Action>, lots: &mut Lots) -> Option<Action> {
        self.usual(p, seat, room, lots)
    }

    fn signs(&self) -> &'static [Sign] {
        &SIGNS
    }

    fn measure(&self, p: &Position, seat: Seat) -> Vec<f32> {
        self.signs_of(p, Army::of(seat)).to_vec()
    }
}

impl ThirdCrusade {
    fn survey(&self, open: &Open) -> Survey {
        let mut survey = Survey {
            tracks: Map::filled([0; 5]),
            regions: Sides([0; 2]),
            cities: Sides([0; 2]),
            might: Sides([0.0; 2]),
            quest: Sides([0; 2]),
            markets: Map::filled(0),
        };
        let quest = open.mission.map(|mission| self.components.missions[mission].glory);
        for region in open.table.ground {
            let force = &open.lands[region];
            for leader in force.leaders {
                if let Some(army) = self.leader_owner(leader).army() {
                    for (sum, n) in survey.tracks[army].iter_mut().zip(self.face(open, leader).icons) {
                        *sum += n;
                    }
                }
            }
            let Some(hold) = self.hold(open, region) else { continue };
            let side = hold.side();
            survey.regions[side] += 1;
            survey.cities[side] += i16::from(self.components.cities.has(region));
            survey.might[side] += f32::from(self.power(open, force, region));
            if quest.is_some_and(|quest| self.counts_for(open, region, quest)) {
                survey.quest[side] += 1;
            }
            let Some(army) = self.control(open, region) else { continue };
            let icons = self.icons(open, region);
            let white = force.leaders & self.components.leaders_of[Owner::neutral()];
            for (icon, n) in ICONS.iter().zip(icons) {
                let more: u8 = white.iter().map(|l| self.face(open, l).icons[*icon as usize]).sum();
                survey.tracks[army][*icon as usize] += n + more;
            }
            survey.markets[army] += i8::from(self.components.mercantile.has(region));
        }
        survey
    }

    /// What Upkeep would bring the Crusaders as things stand, orders aside.
    fn coming(&self, open: &Open, survey: &Survey) -> i8 {
        let (_, supply, _) = self.components.figures.penalties;
        let mut glory =
            survey.quest[Side::Crusader] - survey.quest[Side::Muslim] + self.jerusalem_glory(open);
        for army in open.table.party {
            let tracks = &survey.tracks[army];
            let short = self.need(open, army).saturating_sub(tracks[Icon::Supply as usize]) as i8;
            glory += (tracks[Icon::Glory as usize] as i8 + supply * short) * army.side().sign();
        }
        glory
    }

    /// Orders of an alliance that could be executed and paid for, and those that could not.
    fn orders_of_side(&self, p: &Position, side: Side) -> (f32, f32) {
        let (mut ready, mut failing) = (0.0, 0.0);
        let mut points: Map<Army, u8> = p.open.command;
        for (region, placed) in p.open.orders[side].iter() {
            let (Some(placed), Some(order)) = (placed, p.hidden.orders[side][region]) else { continue };
            let sheet = &self.components.orders[order];
            let army = placed.army;
            let blank = sheet.parts.iter().any(|part| part.effect == Effect::Blank);
            let met =
                self.meets(&p.open, region, army, sheet.presence) && self.is(&p.open, region, sheet.sort);
            if blank || !met || sheet.cost > points[army] {
                failing += 1.0;
            } else {
                points[army] -= sheet.cost;
                ready += if sheet.reaction { 0.3 } else { 1.0 };
            }
        }
        // An order in hand is as good as the best region for it.
        for army in p.open.armies(side) {
            let Some(order) = p.hidden.ready[army] else { continue };
            let sheet = &self.components.orders[order];
            let blank = sheet.parts.iter().any(|part| part.effect == Effect::Blank);
            let mut free = self.free_sections(&p.open, army).iter();
            let met = free.any(|region| {
                self.meets(&p.open, region, army, sheet.presence) && self.is(&p.open, region, sheet.sort)
            });
            if blank || !met || sheet.cost > points[army] {
                failing += 1.0;
            } else {
                ready += if sheet.reaction { 0.3 } else { 1.0 };
            }
        }
        (ready, failing)
    }

    fn signs_of(&self, p: &Position, army: Army) -> [f32; SIGNS.len()] {
        let open = &p.open;
        let (side, sign) = (army.side(), f32::from(army.side().sign()));
        let survey = self.survey(open);
        let glory = f32::from(open.glory) * sign;
        let late = f32::from(open.period + 1) / f32::from(open.table.last + 1);
        let sum = |of: &dyn Fn(Army) -> f32, side: Side| -> f32 { open.armies(side).iter().map(of).sum() };
        let lead = |of: &dyn Fn(Army) -> f32| sum(of, side) - sum(of, side.other());
        let orders = SIDES.map(|s| self.orders_of_side(p, s));
        let (own, foe) = (orders[side as usize], orders[side.other() as usize]);
        let cards = lead(&|a| self.cards_of(open, a).len() as f32);
        let (first, objectives) = self.own_lead(p, army, &survey);
        let faith_bonus = |s: Side| f32::from(u8::from(self.has_faith_bonus(open, s)));
        [
            glory / 5.0,
            glory * late / 5.0,
            f32::from(self.coming(open, &survey)) * sign / 5.0,
            f32::from(survey.regions[side] - survey.regions[side.other()]) / 5.0,
            f32::from(survey.cities[side] - survey.cities[side.other()]) / 5.0,
            (survey.might[side] - survey.might[side.other()]) / 10.0,
            lead(&|a| f32::from(open.command[a])) / 10.0,
            lead(&|a| {
                let tracks = &survey.tracks[a];
                f32::from(tracks[Icon::Command as usize] + open.bonus[a] + tracks[Icon::Crown as usize])
                    + 0.5 * f32::from(tracks[Icon::Gold as usize])
            }) / 5.0,
            lead(&|a| f32::from(open.gold[a])) / 10.0,
            (own.0 - foe.0 + cards) / 5.0,
            (foe.1 - own.1) / 5.0,
            faith_bonus(side) - faith_bonus(side.other()),
            first,
            objectives,
            f32::from(self.jerusalem_glory(open)) * sign / 2.0,
        ]
    }

    /// How an army stands against its partner, and what its objectives would bring.
    fn own_lead(&self, p: &Position, army: Army, survey: &Survey) -> (f32, f32) {
        let open = &p.open;
        let best = |a: Army| {
            let glory = p.hidden.objectives[a].iter().map(|o| self.objective_glory(open, a, o)).max();
            f32::from(glory.unwrap_or(0))
        };
        let enemy: f32 = open.armies(army.side().other()).iter().map(best).sum();
        let own: f32 = open.armies(army.side()).iter().map(best).sum();
        let objectives = (own - enemy) / 5.0 * f32::from(open.period + 1) / 4.0;
        let Some(partner) = open.partner(army) else { return (0.0, objectives) };
        let faith = open.faith[army.side()] * if army == army.side().armies()[0] { 1 } else { -1 };
        let markets = survey.markets[army] - survey.markets[partner];
        (0.5 * f32::from(faith.signum()) + 0.5 * f32::from(markets.signum()), objectives)
    }
}

//! How good a position looks, for the bots: Glory now and what Upkeep would bring, regions, might, the tracks, orders
//! that can and cannot be executed, and what makes one first of his alliance.
//!
//! All signs are measured for a seat: those of its alliance against the enemy's, and its own against its partner's. What
//! they count for is in `data/appraise.toml`.

use table::weights::{Sign, chance};
use table::{Lots, Map, Minded, Options, Seat};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::data::{Effect, Quest};
use crate::flow::ground::Hold;
use crate::ids::{Army, ICONS, Icon, Owner, Region, SIDES, Side, Sides};
use crate::position::{Force, Open, Position, Stage, Step};
use crate::worth::{GLORY, effect_worth};

/// What is measured.
pub(crate) const SIGNS: [Sign; 17] = [
    Sign::either("side"),
    Sign::good("glory"),
    Sign::good("glory_late"),
    Sign::good("coming"),
    Sign::good("regions"),
    Sign::good("cities"),
    Sign::good("might"),
    Sign::good("command"),
    Sign::good("tracks"),
    Sign::good("gold"),
    Sign::good("promise"),
    Sign::good("cards"),
    Sign::good("failing"),
    Sign::good("lone_faith"),
    Sign::good("first"),
    Sign::good("objectives"),
    Sign::good("jerusalem"),
];

/// The tables of weights.
pub(crate) const TABLES: [&str; 1] = ["campaign"];

/// An order, or a deed under way, promises no more than this: what it brings is seen when it is done.
const MOST_PROMISED: i16 = 4 * GLORY;
/// A Reaction Order promises this if nothing better can be said of it.
const REACTION: f32 = 1.0;

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
    /// Glory of a battle that is as good as decided, for the Crusaders.
    battle: i8,
}

/// What the orders of an alliance are good for.
#[derive(Clone, Copy, Default)]
struct Prospects {
    /// What those that can be executed and paid for promise, in small coin.
    promise: f32,
    /// How many cannot.
    failing: f32,
    /// Command points, while nobody has placed an order.
    free: f32,
}

impl Minded for ThirdCrusade {
    fn appraise(&self, p: &Position, seat: Seat) -> f32 {
        if let Some(outcome) = table::Rules::outcome(self, p) {
            return outcome.worth(seat);
        }
        chance(&self.signs_of(p, Army::of(seat)), self.weights.of(0))
    }

    fn considered(&self, p: &Position, seat: Seat, action: Action) -> bool {
        self.counsels(p, seat, action)
    }

    fn habit(&self, p: &Position, seat: Seat, room: &mut Options<Action>, lots: &mut Lots) -> Option<Action> {
        self.usual(p, seat, room, lots)
    }

    fn routine(&self, p: &Position, _: Seat) -> bool {
        !matches!(p.open.agenda.now(), Some(Step::Lay | Step::Plan { .. } | Step::Command { .. }))
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
            battle: 0,
        };
        let quest = open.mission.map(|mission| self.components.missions[mission].glory);
        let taken = self.survey_battle(open, &mut survey);
        for region in open.table.ground {
            let force = &open.lands[region];
            if force.is_empty() && taken.is_none() {
                continue;
            }
            for leader in force.leaders {
                if let Some(army) = self.leader_owner(leader).army() {
                    for (sum, n) in survey.tracks[army].iter_mut().zip(self.face(open, leader).icons) {
                        *sum += n;
                    }
                }
            }
            let fallen = taken.filter(|(at, _)| *at == region).map(|(_, army)| army);
            let Some(hold) = fallen.map(Hold::Army).or_else(|| self.hold(open, region)) else { continue };
            let side = hold.side();
            survey.regions[side] += 1;
            survey.cities[side] += i16::from(self.components.cities.has(region));
            if fallen.is_none() {
                survey.might[side] += f32::from(self.power(open, force, region));
            }
            let icons = self.icons(open, region);
            if quest.is_some_and(|quest| match quest {
                Quest::Icon(icon) => icons[icon as usize] > 0,
                Quest::Sort(sort) => self.is(open, region, sort),
            }) {
                survey.quest[side] += 1;
            }
            let Hold::Army(army) = hold else { continue };
            let white = force.leaders & self.components.leaders_of[Owner::neutral()];
            for (icon, n) in ICONS.iter().zip(icons) {
                let more: u8 = white.iter().map(|l| self.face(open, l).icons[*icon as usize]).sum();
                survey.tracks[army][*icon as usize] += n + more;
            }
            survey.markets[army] += i8::from(self.components.mercantile.has(region));
        }
        for column in &open.columns {
            survey.might[column.army.side()] += f32::from(self.power(open, &column.force, column.to));
        }
        if let Some(retreat) = &open.retreat {
            let mut all = retreat.group;
            all.add(&retreat.rest);
            survey.might[retreat.army.side()] += f32::from(self.power(open, &all, retreat.from));
        }
        survey
    }

    /// A battle that is being fought, as if nobody reacted any more: who will have the region, what is left of both
    /// sides, and the Glory.
    fn survey_battle(&self, open: &Open, survey: &mut Survey) -> Option<(Region, Army)> {
        let battle = open.battle.as_ref()?;
        let attackers = battle.attacker.side();
        let power = |force: &Force| f32::from(self.power(open, force, battle.region));
        let there = power(&open.lands[battle.region]);
        if battle.stage > Stage::LoserLoses {
            // What was beaten is on its way; Glory comes last.
            survey.might[attackers] += power(&battle.force);
            let winner = battle.winner?;
            if !battle.quiet {
                let city = winner == attackers && self.components.cities.has(battle.region);
                let glory = [city, battle.led[0], battle.led[1], battle.killed].map(i8::from);
                survey.battle = glory.iter().sum::<i8>() * winner.sign();
            }
            return None;
        }
        let [attack, defence] =
            [attackers, attackers.other()].map(|side| f32::from(self.might(open, battle, side).sum()));
        let winner = if attack > defence { attackers } else { attackers.other() };
        let margin = (attack - defence).abs().max(1.0);
        let left = |side, force: f32| (force - if side == winner { 1.0 } else { margin }).max(0.0);
        survey.might[attackers] += left(attackers, power(&battle.force));
        let city = winner == attackers && self.components.cities.has(battle.region);
        let glory = [city, battle.led[0], battle.led[1]].map(i8::from);
        survey.battle = glory.iter().sum::<i8>() * winner.sign();
        if winner == attackers {
            survey.might[winner.other()] += left(winner.other(), there);
            return Some((battle.region, battle.attacker));
        }
        None
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

    /// What the orders of an alliance promise: those on the map, one in hand, and what is being carried out.
    fn prospects(&self, p: &Position, side: Side, survey: &Survey) -> Prospects {
        let open = &p.open;
        let mut found = Prospects::default();
        let mut points: Map<Army, u8> = open.command;
        // Nothing is executed any more once the Command Phase is over.
        let (planning, commanding) = match open.agenda.steps().first() {
            Some(Step::Plan { .. }) => (true, false),
            Some(Step::Command { .. }) => (false, true),
            _ => (false, false),
        };
        let spare = Map::new(|army: Army| {
            if !open.table.party.has(army) {
                return 0;
            }
            i16::from(survey.tracks[army][Icon::Supply as usize]) - i16::from(self.need(open, army))
        });
        let promised = |worth: i16| f32::from(worth.clamp(0, MOST_PROMISED));
        for (region, placed) in open.orders[side].iter() {
            let (Some(placed), Some(order)) = (placed, p.hidden.orders[side][region]) else { continue };
            let sheet = &self.components.orders[order];
            let army = placed.army;
            let late = !planning && !(commanding && (sheet.reaction || !open.passed.has(army)));
            let blank = sheet.parts.iter().any(|part| part.effect == Effect::Blank);
            if blank || late || !self.is_in_place(p, army, order, region) || sheet.cost > points[army] {
                found.failing += 1.0;
                continue;
            }
            points[army] -= sheet.cost;
            let worth = promised(self.order_worth(open, army, order, region, spare[army]));
            if sheet.reaction {
                found.promise += worth.max(REACTION);
                found.failing += 0.5;
            } else {
                found.promise += worth;
            }
        }
        // An order in hand is as good as the best region for it.
        for army in open.armies(side) {
            let Some(order) = p.hidden.ready[army] else { continue };
            let sheet = &self.components.orders[order];
            let free = self.free_sections(open, army).iter();
            let best = free
                .filter(|region| self.is_in_place(p, army, order, *region))
                .map(|region| self.order_worth(open, army, order, region, spare[army]))
                .max();
            match best.filter(|worth| *worth > 0 && sheet.cost <= points[army]) {
                Some(worth) => found.promise += promised(worth),
                None => found.failing += 1.0,
            }
        }
        found.promise += promised(self.under_way(open, side));
        // Points count until the first order is placed: then what is placed shows what they are good for.
        let early = match open.agenda.steps().first() {
            Some(Step::Lay | Step::Market { .. }) => true,
            Some(Step::Plan { .. }) => {
                let ready = p.hidden.ready.values().iter().any(Option::is_some);
                let placed = SIDES.iter().any(|s| open.orders[*s].values().iter().any(Option::is_some));
                open.passed.is_empty() && !ready && !placed
            }
            _ => false,
        };
        if early {
            found.free = open.armies(side).iter().map(|army| f32::from(points[army])).sum();
        }
        found
    }

    /// What is being carried out by an alliance still promises.
    fn under_way(&self, open: &Open, side: Side) -> i16 {
        let march = open.march.as_ref().filter(|march| march.army.side() == side);
        if let (Some(march), Some(Step::March)) = (march, open.agenda.now()) {
            let goals = self.goals(open, march.kind, march.from).iter();
            let worth =
                |to| self.march_worth(open, march.army, (march.from, to), &march.group, march.strength);
            return goals.filter(|to| march.first != Some(*to)).map(worth).max().unwrap_or(0);
        }
        let Some(Step::Deed(deed)) = open.agenda.now() else { return 0 };
        if deed.army.side() != side {
            return 0;
        }
        let parts = self.parts(deed.source).iter().enumerate();
        let left =
            parts.filter(|(number, part)| deed.done >> number & 1 == 0 && !part.crown && part.branch < 2);
        // A little less than what it will bring, so that it is worth doing.
        left.map(|(_, part)| effect_worth(&part.effect)).sum::<i16>() / 2
    }

    fn signs_of(&self, p: &Position, army: Army) -> [f32; SIGNS.len()] {
        let open = &p.open;
        let (side, sign) = (army.side(), f32::from(army.side().sign()));
        let survey = self.survey(open);
        let glory = f32::from(open.glory + survey.battle) * sign;
        let late = f32::from(open.period + 1) / f32::from(open.table.last + 1);
        // What pays only in rounds to come.
        let rounds = f32::from(open.table.last - open.period) / 3.0;
        let sum = |of: &dyn Fn(Army) -> f32, side: Side| -> f32 { open.armies(side).iter().map(of).sum() };
        let lead = |of: &dyn Fn(Army) -> f32| sum(of, side) - sum(of, side.other());
        let [crusader, muslim] = SIDES.map(|s| self.prospects(p, s, &survey));
        let (own, foe) = if side == Side::Crusader { (crusader, muslim) } else { (muslim, crusader) };
        let cards = lead(&|a| self.cards_of(open, a).len() as f32);
        let (first, objectives) = self.own_lead(p, army, &survey);
        let faith_bonus = |s: Side| f32::from(u8::from(self.has_faith_bonus(open, s)));
        [
            sign,
            glory / 5.0,
            glory * late / 5.0,
            f32::from(self.coming(open, &survey)) * sign / 5.0,
            f32::from(survey.regions[side] - survey.regions[side.other()]) / 5.0,
            f32::from(survey.cities[side] - survey.cities[side.other()]) / 5.0,
            (survey.might[side] - survey.might[side.other()]) / 10.0,
            (own.free - foe.free) / 10.0,
            rounds
                * lead(&|a| {
                    let tracks = &survey.tracks[a];
                    f32::from(tracks[Icon::Command as usize] + open.bonus[a] + tracks[Icon::Crown as usize])
                        + 0.5 * f32::from(tracks[Icon::Gold as usize])
                })
                / 5.0,
            lead(&|a| f32::from(open.gold[a])) / 10.0,
            (own.promise - foe.promise) / f32::from(5 * GLORY),
            cards / 5.0,
            (foe.failing - own.failing) / 5.0,
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

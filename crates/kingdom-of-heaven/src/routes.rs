//! Reach and route: where an army can go, what it costs and what waits there, and the clicks that bring it there.
//!
//! A leader who is picked before a card is played shows where the cheapest card that moves him would bring him. While
//! the army is formed the way is laid out at once and followed by itself; on the march it is walked space by space.

use table::rooms::*;
use table::{Id as _, Lots, Options, Reach, Seat, Silent};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::ids::{Leader, Space};
use crate::position::{March, Open, Position, Step};
use crate::scene::space_id;
use crate::view::View;
use crate::words::counted;

/// A picked army where it could set out.
struct Picked {
    seat: Seat,
    /// The position, as its player imagines it.
    p: Position,
    march: March,
    /// The clicks that bring it there.
    before: Vec<Action>,
}

/// A space in reach, with its cost and the way to it.
struct Journey {
    to: Space,
    cost: u8,
    way: Vec<Space>,
}

impl KingdomOfHeaven {
    /// The army that its own player moves, or could by a card, if the picked pieces belong to it.
    fn picked_army(&self, view: &View, picked: &[&str]) -> Option<Picked> {
        let seat = view.viewer.seat().filter(|seat| view.deciding.contains(*seat))?;
        let mut p = self.imagine(view, &mut Lots::new(0));
        let mut before = Vec::new();
        if matches!(view.step(), Some(Step::Round { .. })) {
            let leader = picked.iter().find_map(|id| self.leader_by_id(id))?;
            let call = self.cheapest_call(&p, seat, leader)?;
            self.apply(&mut p, seat, call, &mut Silent::new(0));
            before.push(call);
        }
        let moving = matches!(p.open.agenda.now(), Some(Step::Command | Step::March));
        let march = p.open.march.clone().filter(|march| moving && march.seat == seat && !march.over)?;
        let ours = |id: &&str| match self.leader_by_id(id) {
            Some(leader) => march.leaders.has(leader),
            None => self.unit_ids(&p.open, &march).any(|unit| unit == **id),
        };
        (!picked.is_empty() && picked.iter().all(ours)).then_some(Picked { seat, p, march, before })
    }

    fn leader_by_id(&self, id: &str) -> Option<Leader> {
        self.components.leader_of(id.strip_prefix("leader-")?)
    }

    /// The ids on the scene of an army's units.
    fn unit_ids(&self, o: &Open, march: &March) -> impl Iterator<Item = String> {
        let inside = march.units.meets(o.inside);
        let place = self.stand_id(march.at, inside);
        self.army_sorts(o, march.units).into_iter().map(move |(sort, _)| self.unit_id(&place, sort))
    }

    /// How a leader is activated for the card that would be missed least.
    fn cheapest_call(&self, p: &Position, seat: Seat, leader: Leader) -> Option<Action> {
        let mut options = Options::new();
        self.options(p, seat, &mut options);
        let cards = options.offers().iter().filter_map(|offer| match offer.action {
            Action::Activate(card, who) if who == leader => Some(card),
            _ => None,
        });
        cards.min_by_key(|card| self.dearness(*card)).map(|card| Action::Activate(card, leader))
    }

    /// Each space that the army can set out for now: what the options offer decides.
    fn journeys(&self, army: &Picked) -> Vec<Journey> {
        let Picked { seat, p, march, .. } = army;
        let mut options = Options::new();
        self.options(p, *seat, &mut options);
        let offered = |action: Action| options.offers().iter().any(|offer| offer.action == action);
        let (from, spent) = self.plan_end(p, march);
        let left = self.points_left(&p.open, march).saturating_sub(spent);
        let (cost, before) = self.reachable(&p.open, march, from, left);
        let mut found = Vec::new();
        for to in self.components.all_spaces() {
            let cost = cost[to.number()];
            if cost == 0 || cost > left {
                continue;
            }
            let (mut way, mut at) = (vec![to], to);
            while let Some(previous) = before[at.number()].filter(|s| *s != from) {
                way.push(previous);
                at = previous;
            }
            way.reverse();
            let open = match p.open.agenda.now() {
                Some(Step::Command) => offered(Action::To(to)) && offered(Action::Go),
                _ => offered(Action::March(way[0])),
            };
            if open {
                found.push(Journey { to, cost, way });
            }
        }
        found
    }

    pub(crate) fn reach_of(&self, view: &View, picked: &[&str]) -> Vec<Reach> {
        let Some(army) = self.picked_army(view, picked) else { return Vec::new() };
        let left = self.points_left(&army.p.open, &army.march);
        let reach = |journey: &Journey| Reach {
            space: space_id(&self.components, journey.to),
            cost: counted(usize::from(journey.cost), "point", "points"),
            danger: self.dangers(&army, journey).join("; "),
            ends: journey.cost >= left,
        };
        self.journeys(&army).iter().map(reach).collect()
    }

    pub(crate) fn route_of(&self, view: &View, picked: &[&str], to: &str) -> Vec<Action> {
        let Some(army) = self.picked_army(view, picked) else { return Vec::new() };
        let journeys = self.journeys(&army);
        let Some(journey) = journeys.iter().find(|j| space_id(&self.components, j.to) == to) else {
            return Vec::new();
        };
        let mut clicks = army.before;
        match army.p.open.agenda.now() {
            Some(Step::Command) => clicks.extend([Action::To(journey.to), Action::Go]),
            _ => clicks.extend(journey.way.iter().map(|space| Action::March(*space))),
        }
        clicks
    }

    /// What waits on a way: whom it would turn, who stands there or could intercept and how likely, what the army
    /// would forage with, and whether gates might open.
    fn dangers(&self, army: &Picked, journey: &Journey) -> Vec<String> {
        let (o, seat) = (&army.p.open, army.seat);
        let enemy = seat.other();
        let mut march = army.march.clone();
        let (from, _) = self.plan_end(&army.p, &march);
        march.at = from;
        let mut dangers = Vec::new();
        for space in &journey.way {
            let name = self.space_name(*space);
            if let Some(way) = self.components.way(march.at, *space).filter(|way| way.pass) {
                march.trail.cross(way.line);
            }
            (march.from, march.at) = (Some(march.at), *space);
            march.begun = true;
            let mut trail = march.trail;
            self.note_space(o, &march, *space, &mut trail);
            march.trail = trail;
            if let Some(power) = self.neutral_at(o, *space).filter(|w| !self.passes(o, seat, *w)) {
                dangers.push(format!("{} would turn against you", self.power_name(power)));
            }
            let (units, leaders) = self.outside(o, *space, enemy);
            if units.any() || leaders.any() {
                let strength = self.strength(o, units, leaders);
                dangers.push(format!("an enemy army of strength {strength} in {name}"));
            }
            if let Some((from, leader, faces)) = self.likeliest_interceptor(o, &march, enemy) {
                let who = match leader {
                    Some(leader) => self.leader_name(leader).to_string(),
                    None => format!("cavalry of {}", self.space_name(from)),
                };
                dangers.push(format!("{who} could intercept in {name}, {faces} in 6"));
            }
        }
        let (value, must) = self.forage_value(o, &march, march.units);
        if must && march.units.any() {
            dangers.push(format!("it forages with an attrition value of {value}"));
        }
        if self.holds(o, march.at, enemy) {
            let name = self.space_name(march.at);
            let call = self.call_in_words(o, &march);
            dangers.push(format!("the enemy holds {name}: {call}"));
        }
        dangers.dedup();
        dangers
    }
}

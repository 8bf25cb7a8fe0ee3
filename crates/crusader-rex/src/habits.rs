//! What an old hand does without thinking, for the bots: how a position comes to rest before it is appraised.
//!
//! A position is at rest when both are about to choose a card. From anywhere else the turn is played to its
//! end: cities in danger are reinforced, armies march where they are stronger, the weaker side goes into the
//! castle or leaves, all others fire. None of this is a rule: every habit is one of the options. The figures
//! were found by letting the habits play whole games against themselves, one figure changed at a time.

use table::{Lots, Offer, Options, Seat};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{NONE, Set, TOWNS, each, one};
use crate::position::{Going, Position, Step, Walk};

/// An army marches against a town if it has more than this share of the force there.
const BOLD: f32 = 0.9;
/// No more blocks march once they are so much stronger.
const ENOUGH: f32 = 2.0;
/// How much stronger those who sally should be.
const TO_SALLY: f32 = 1.3;
/// How much stronger those who storm should be: castles count double [6.54].
const TO_STORM: f32 = 1.4;
/// Who has less than this share of the enemy's force leaves.
const HOPELESS: f32 = 0.4;
/// So many blocks stay in a victory city.
const GUARD: u8 = 2;
/// The most blocks that are counted on to arrive together.
const COLUMN: f32 = 4.0;
/// What an army aims at: a victory city, each shield of another town, a city of its own in danger. It
/// marches only for more than [`WORTHWHILE`].
const PRIZE: f32 = 10.0;
const SHIELD: f32 = 2.0;
const RESCUE: f32 = 5.0;
const WORTHWHILE: f32 = 2.0;
/// A city is in danger when the enemy near it has more than this share of the force that holds it.
const DANGER: f32 = 0.7;

/// What stands in each town, by side.
struct Forces {
    /// Those who may still march.
    free: [[f32; TOWNS]; 2],
    /// How many they are.
    count: [[u8; TOWNS]; 2],
    all: [[f32; TOWNS]; 2],
}

impl CrusaderRex {
    pub(crate) fn act_by_habit(
        &self,
        p: &Position,
        seat: Seat,
        room: &mut Options<Action>,
        lots: &mut Lots,
    ) -> Option<Action> {
        let step = *p.agenda.now()?;
        match step {
            Step::Turn(_) | Step::Fight(_) | Step::Cards { .. } => return None,
            Step::Moves { left: 0, going: Going::Idle, .. } => return Some(Action::Done),
            Step::Round => {
                if let Some(fire) = self.fire_by_habit(p) {
                    return Some(fire);
                }
            }
            _ => {}
        }
        self.list(p, seat, room);
        let offers = room.offers();
        let first = |wanted: &dyn Fn(Action) -> bool| actions(offers).find(|a| wanted(*a));
        let done = first(&|a| a == Action::Done);
        let habit = match step {
            Step::Deploy { .. } | Step::Exchange | Step::Regroup { .. } | Step::LeaveSiege { .. } => done,
            Step::Manna { .. } => first(&|a| matches!(a, Action::Bless(_))),
            Step::Moves { left, going, .. } => self.march_by_habit(p, seat, left, going, offers, lots),
            Step::MainRoad { town, .. } => actions(offers).max_by_key(|a| self.came_by(p, seat, town, *a)),
            Step::Shelter { .. } => {
                let t = p.battle.town;
                let own = self.force(p, self.active(p, t, seat));
                let foe = self.force(p, self.field(p, t, seat.other()));
                let strongest = |a: &Action| match *a {
                    Action::Pick(b) => p.strength[usize::from(b)] + 1,
                    _ => 0,
                };
                if own < foe { actions(offers).max_by_key(strongest) } else { first(&|a| a == Action::Begin) }
            }
            Step::Storm { .. } => self.storm_by_habit(p, seat, offers),
            Step::Sally { .. } => {
                let t = p.battle.town;
                let (own, foe) = self.odds(p, seat, self.garrison(p, t) | self.active(p, t, seat));
                let out = first(&|a| matches!(a, Action::Pick(_)));
                let goes = p.battle.picked != 0 || own > TO_SALLY * foe;
                if goes { out.or_else(|| first(&|a| a == Action::Begin)) } else { done }
            }
            Step::Round => first(&|a| matches!(a, Action::Withdraw(_)))
                .or_else(|| first(&|a| matches!(a, Action::Retreat(..))))
                .or_else(|| first(&|a| matches!(a, Action::Fire(_)))),
            Step::Hits { .. } => actions(offers).min_by_key(|a| match *a {
                Action::Take(b) => self.components.blocks[usize::from(b)].fire,
                _ => 0,
            }),
            Step::Place { block, .. } => actions(offers).max_by_key(|a| match *a {
                Action::Place(t) => {
                    let prize = u8::from(self.components.prizes & one(t) != 0);
                    let near = 200.0 * self.components.nearness[usize::from(t)];
                    100 * u32::from(self.entry_strength(p, seat, block, t) + prize) + near as u32
                }
                _ => 0,
            }),
            Step::Winter => first(&|a| a == Action::Fill).or(done),
            _ => None,
        };
        habit.or_else(|| lots.pick(offers).map(|offer| offer.action))
    }

    /// Steps weighted by firepower.
    #[inline]
    fn force(&self, p: &Position, blocks: Set) -> f32 {
        each(blocks).map(|b| self.power(p, b)).sum()
    }

    #[inline]
    fn power(&self, p: &Position, b: u8) -> f32 {
        let i = usize::from(b);
        f32::from(p.strength[i]) * (1.0 + f32::from(self.components.blocks[i].fire))
    }

    /// The force of these blocks, and of the enemies who have come to the field of the battle.
    fn odds(&self, p: &Position, seat: Seat, own: Set) -> (f32, f32) {
        (self.force(p, own), self.force(p, self.active(p, p.battle.town, seat.other())))
    }

    /// How many of a side's blocks came to a town by the road that an action would make the main road.
    fn came_by(&self, p: &Position, seat: Seat, town: u8, action: Action) -> usize {
        let Action::Main(_, from) = action else { return 0 };
        let road = self.components.road(town, from);
        each(self.field(p, town, seat)).filter(|b| Some(p.via[usize::from(*b)]) == road).count()
    }

    /// Who has his turn fires, unless there is no hope.
    fn fire_by_habit(&self, p: &Position) -> Option<Action> {
        let (seat, blocks) = self.acting(p)?;
        let fire = Action::Fire(blocks.trailing_zeros() as u8);
        if p.battle.storm {
            return Some(fire);
        }
        let (own, foe) = self.odds(p, seat, self.active(p, p.battle.town, seat));
        (own >= HOPELESS * foe).then_some(fire)
    }

    /// Besiegers storm where they are strong enough, with as many as there is room for.
    fn storm_by_habit(&self, p: &Position, seat: Seat, offers: &[Offer<Action>]) -> Option<Action> {
        let t = p.battle.town;
        let outside = self.active(p, t, seat);
        let share = (self.rating(t) as f32 / outside.count_ones().max(1) as f32).min(1.0);
        let storms = p.battle.picked | p.battle.stormers != 0
            || self.force(p, outside) * share > TO_STORM * self.force(p, self.garrison(p, t));
        actions(offers).max_by_key(|a| match *a {
            Action::Pick(b) if storms => 3 + p.strength[usize::from(b)],
            Action::Begin if storms => 2,
            Action::Done | Action::Begin => 1,
            _ => 0,
        })
    }

    /// Crusaders land; then armies march, the one with the best aim first.
    fn march_by_habit(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        going: Going,
        offers: &[Offer<Action>],
        lots: &mut Lots,
    ) -> Option<Action> {
        match going {
            Going::Sail { .. } => return actions(offers).max_by_key(|a| self.haven(p, seat, *a)),
            Going::Muster { town: NONE, .. } => return None,
            _ => {}
        }
        let forces = self.forces(p);
        if let Going::Group { town, walk } = going
            && let Some(go) = self.follow_by_habit(p, seat, town, walk, &forces, offers)
        {
            return Some(go);
        }
        if left > 0 {
            let comes = actions(offers).find(|a| match *a {
                Action::Sail(b) => usize::from(p.town[usize::from(b)]) >= TOWNS,
                Action::Enter(..) => true,
                _ => false,
            });
            if comes.is_some() {
                return comes;
            }
            let groups = || {
                actions(offers).filter_map(|a| match a {
                    Action::Group(t) => Some(t),
                    _ => None,
                })
            };
            let aims = groups().filter_map(|t| Some((self.aim(p, seat, t, &forces)?.0, t)));
            let mut best = aims.max_by(|a, b| a.0.total_cmp(&b.0));
            if best.is_none() && lots.below(2) == 0 {
                let near = |t: u8| {
                    let (roads, _) = self.front(p, seat, t)?;
                    Some((forces.free[seat.index()][usize::from(t)] / f32::from(roads), t))
                };
                best = groups().filter_map(near).max_by(|a, b| a.0.total_cmp(&b.0));
            }
            if let Some((_, t)) = best {
                return Some(Action::Group(t));
            }
        }
        // Who is on his way to a muster must go on.
        actions(offers).find(|a| *a == Action::Done).or_else(|| actions(offers).next())
    }

    /// How welcome a port is.
    fn haven(&self, p: &Position, seat: Seat, action: Action) -> u32 {
        let Action::Land(t) = action else { return 0 };
        let near = 1000.0 * self.components.nearness[usize::from(t)];
        let besieged = self.besieged(p, t) == Some(seat);
        near as u32
            + if besieged { 2000 } else { 0 }
            + if self.components.prizes & one(t) != 0 { 500 } else { 0 }
    }

    fn forces(&self, p: &Position) -> Forces {
        let mut forces = Forces { free: [[0.0; TOWNS]; 2], count: [[0; TOWNS]; 2], all: [[0.0; TOWNS]; 2] };
        for (t, here) in p.here.iter().enumerate() {
            for b in each(*here) {
                let side = self.owner(b).index();
                let power = self.power(p, b);
                forces.all[side][t] += power;
                if (p.inside | p.moved) & one(b) == 0 {
                    forces.free[side][t] += power;
                    forces.count[side][t] += 1;
                }
            }
        }
        forces
    }

    /// Where an army should march, and what that promises: within two roads, a town of the enemy where it
    /// would be stronger, or a city of its own that is in danger.
    fn aim(&self, p: &Position, seat: Seat, from: u8, forces: &Forces) -> Option<(f32, u8)> {
        let own = seat.index();
        let count = forces.count[own][usize::from(from)];
        let stay = if self.components.prizes & one(from) != 0 { GUARD } else { 0 };
        let leave = f32::from(count.saturating_sub(stay)).min(COLUMN);
        let force = forces.free[own][usize::from(from)] * leave / f32::from(count.max(1));
        if force == 0.0 {
            return None;
        }
        let mut best: Option<(f32, u8)> = None;
        let mut weigh = |t: u8| {
            let worth = if t == from { 0.0 } else { self.promise(p, seat, t, force, forces) };
            if worth > WORTHWHILE && best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, t));
            }
        };
        for (to, _) in &self.components.towns[usize::from(from)].roads {
            weigh(*to);
            if self.field(p, *to, seat.other()) == 0 {
                for (further, _) in &self.components.towns[usize::from(*to)].roads {
                    weigh(*further);
                }
            }
        }
        best
    }

    /// What it promises to march to a town with a force.
    fn promise(&self, p: &Position, seat: Seat, t: u8, force: f32, forces: &Forces) -> f32 {
        let (own, foe) = (seat.index(), seat.other().index());
        let (mine, theirs) = (forces.all[own][usize::from(t)], forces.all[foe][usize::from(t)]);
        let prize = self.components.prizes & one(t) != 0;
        if theirs == 0.0 && self.control(p, t) == Some(seat) {
            let in_danger = prize && self.components.near(t, &forces.all[foe]) > DANGER * mine;
            return if in_danger { RESCUE } else { 0.0 };
        }
        let enough = theirs > 0.0 && mine > ENOUGH * theirs;
        if enough || mine + force <= BOLD * theirs {
            return 0.0;
        }
        SHIELD * f32::from(self.components.towns[usize::from(t)].rating) + if prize { PRIZE } else { 0.0 }
    }

    /// Where an army goes that has nothing to do: up to two roads on the way to the nearest victory city that
    /// is not safely its own; and how far that one is.
    fn front(&self, p: &Position, seat: Seat, from: u8) -> Option<(u8, u8)> {
        let between = &self.components.roads_between;
        let foes = self.of(seat.other());
        let wanted = each(self.components.prizes)
            .filter(|t| self.control(p, *t) != Some(seat) || p.here[usize::from(*t)] & foes != 0);
        let (roads, city) = wanted.map(|t| (between[usize::from(from)][usize::from(t)], t)).min()?;
        let on_the_way = |t: u8, far: u8| {
            let mut next = self.components.towns[usize::from(t)].roads.iter().map(|(to, _)| *to);
            next.find(|to| {
                between[usize::from(*to)][usize::from(city)] < far && p.here[usize::from(*to)] & foes == 0
            })
        };
        if roads < 2 {
            return None;
        }
        let first = on_the_way(from, roads)?;
        let goal = if roads > 2 { on_the_way(first, roads - 1).unwrap_or(first) } else { first };
        Some((roads, goal))
    }

    /// The first of a group goes where the army aims at; the others go where he went.
    fn follow_by_habit(
        &self,
        p: &Position,
        seat: Seat,
        town: u8,
        walk: Walk,
        forces: &Forces,
        offers: &[Offer<Action>],
    ) -> Option<Action> {
        let borders = |t: u8, goal: u8| self.components.road(t, goal).is_some();
        let aim =
            self.aim(p, seat, town, forces).or_else(|| self.front(p, seat, town).map(|(_, t)| (0.0, t)));
        let at = p.town.get(usize::from(walk.block)).copied();
        let goal = match (aim, at) {
            // The first has met an enemy: the others go there too.
            (_, None) if walk.roads > 0 => self.met(p, seat, town)?,
            (Some((_, aim)), Some(at)) if at == aim || borders(at, aim) => aim,
            (_, Some(at)) => at,
            (aim, None) => aim?.1,
        };
        let foe = forces.all[seat.other().index()][usize::from(goal)];
        let enough = foe > 0.0 && forces.all[seat.index()][usize::from(goal)] > ENOUGH * foe;
        let guarded =
            self.components.prizes & one(town) == 0 || forces.count[seat.index()][usize::from(town)] > GUARD;
        let rank = |action: &Action| {
            let Action::Go(b, to) = *action else { return 0 };
            if b == walk.block {
                // Who is under way goes on to the aim.
                return if at != Some(goal) && to == goal { u8::MAX } else { 0 };
            }
            let on_the_way = borders(to, goal) && self.field(p, to, seat.other()) == 0;
            match (guarded && !enough, to == goal) {
                (true, true) => 10 + p.strength[usize::from(b)],
                (true, false) if on_the_way && !borders(town, goal) => 1 + p.strength[usize::from(b)],
                _ => 0,
            }
        };
        actions(offers).max_by_key(rank).filter(|action| rank(action) > 0)
    }

    /// The town nearest to a group's own where a block of its side has met an enemy in this phase.
    fn met(&self, p: &Position, seat: Seat, town: u8) -> Option<u8> {
        let between = &self.components.roads_between[usize::from(town)];
        let near = each(p.pending & p.attacked[seat.index()]).filter(|t| between[usize::from(*t)] <= 2);
        near.min_by_key(|t| between[usize::from(*t)])
    }
}

fn actions(offers: &[Offer<Action>]) -> impl Iterator<Item = Action> + '_ {
    offers.iter().map(|offer| offer.action)
}

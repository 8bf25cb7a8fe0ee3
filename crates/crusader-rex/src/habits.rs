//! What an old hand does without thinking, for the bots: how a position comes to rest before it is appraised.
//!
//! A position is at rest when both are about to choose a card. From anywhere else the turn is played to its
//! end: cities in danger are reinforced, armies march where they are stronger, the weaker side goes into the
//! castle or leaves, all others fire. None of this is a rule: every habit is one of the options. Its figures are
//! data; `outremer tune crusader-rex --habits` moves them, one at a time.

use table::habits::Figure;
use table::{DataError, Lots, Map, Offer, Options, Rules, Seat, Set};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{Block, Place, Sides, Town, Way, Whence};
use crate::position::{Going, Position, Step};

/// The figures in their order, with their bounds and steps: they stand in `data/habits.toml`.
pub(crate) const FIGURES: [Figure; 12] = [
    Figure::new("bold", 0.3, 2.0, 0.15),
    Figure::new("enough", 1.0, 4.0, 0.5),
    Figure::new("to_sally", 0.7, 2.5, 0.2),
    Figure::new("to_storm", 0.6, 2.6, 0.2),
    Figure::new("hopeless", 0.0, 1.0, 0.1),
    Figure::new("guard", 0.0, 5.0, 1.0),
    Figure::new("column", 1.0, 8.0, 1.0),
    Figure::new("prize", 2.0, 20.0, 2.0),
    Figure::new("shield", 0.0, 6.0, 1.0),
    Figure::new("rescue", 0.0, 12.0, 2.0),
    Figure::new("worthwhile", 0.0, 8.0, 1.0),
    Figure::new("danger", 0.1, 1.9, 0.2),
];

/// What the figures are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habits {
    /// An army marches against a town if it has more than this share of the force there.
    bold: f32,
    /// No more blocks march once they are so much stronger.
    enough: f32,
    /// How much stronger those who sally should be.
    to_sally: f32,
    /// How much stronger those who storm should be: castles count double [6.54].
    to_storm: f32,
    /// Who has less than this share of the enemy's force leaves.
    hopeless: f32,
    /// So many blocks stay in a victory city.
    guard: u8,
    /// The most blocks that are counted on to arrive together.
    column: f32,
    /// What an army aims at: a victory city,
    prize: f32,
    /// each shield of another town,
    shield: f32,
    /// a city of its own in danger.
    rescue: f32,
    /// It marches only for more than this.
    worthwhile: f32,
    /// A city is in danger when the enemy near it has more than this share of the force that holds it.
    danger: f32,
}

impl Habits {
    pub(crate) fn read(text: &str) -> Result<Self, DataError> {
        let [
            bold,
            enough,
            to_sally,
            to_storm,
            hopeless,
            guard,
            column,
            prize,
            shield,
            rescue,
            worthwhile,
            danger,
        ] = table::habits::read(text, &FIGURES)?;
        let guard = guard as u8;
        Ok(Self {
            bold,
            enough,
            to_sally,
            to_storm,
            hopeless,
            guard,
            column,
            prize,
            shield,
            rescue,
            worthwhile,
            danger,
        })
    }

    /// The figures with what they are, for the tuner.
    pub(crate) fn figures(&self) -> Vec<(Figure, f32)> {
        let values = [
            self.bold,
            self.enough,
            self.to_sally,
            self.to_storm,
            self.hopeless,
            self.guard.into(),
            self.column,
            self.prize,
            self.shield,
            self.rescue,
            self.worthwhile,
            self.danger,
        ];
        FIGURES.into_iter().zip(values).collect()
    }
}

/// What stands in each town, by side.
struct Forces {
    /// Those who may still march.
    free: Sides<Map<Town, f32>>,
    /// How many they are.
    count: Sides<Map<Town, u8>>,
    all: Sides<Map<Town, f32>>,
}

impl CrusaderRex {
    pub(crate) fn usual(
        &self,
        p: &Position,
        seat: Seat,
        room: &mut Options<Action>,
        lots: &mut Lots,
    ) -> Option<Action> {
        let step = *p.open.agenda.now()?;
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
        self.options(p, seat, room);
        let offers = room.offers();
        let first = |wanted: &dyn Fn(Action) -> bool| actions(offers).find(|a| wanted(*a));
        let done = first(&|a| a == Action::Done);
        let habit = match step {
            Step::Deploy { .. }
            | Step::Exchange
            | Step::FaceUp { .. }
            | Step::Regroup { .. }
            | Step::LeaveSiege { .. } => done,
            Step::Manna { .. } => first(&|a| matches!(a, Action::Bless(_))),
            Step::Moves { left, going, .. } => self.march_by_habit(p, seat, left, going, offers, lots),
            Step::MainRoad { town, .. } => actions(offers).max_by_key(|a| self.came_by(p, seat, town, *a)),
            Step::Shelter { .. } => {
                let t = p.open.battle().town;
                let own = self.force(p, self.active(p, t, seat));
                let foe = self.force(p, self.field(p, t, seat.other()));
                let strongest = |a: &Action| match *a {
                    Action::Pick(b) => p.strength[b] + 1,
                    _ => 0,
                };
                if own < foe { actions(offers).max_by_key(strongest) } else { first(&|a| a == Action::Begin) }
            }
            Step::Storm { .. } => self.storm_by_habit(p, seat, offers),
            Step::Sally { .. } => {
                let t = p.open.battle().town;
                let (own, foe) = self.odds(p, seat, self.garrison(p, t) | self.active(p, t, seat));
                let out = first(&|a| matches!(a, Action::Pick(_)));
                let goes = p.secret[seat].picked.any() || own > self.habits.to_sally * foe;
                if goes { out.or_else(|| first(&|a| a == Action::Begin)) } else { done }
            }
            Step::Round => first(&|a| matches!(a, Action::Withdraw(_)))
                .or_else(|| first(&|a| matches!(a, Action::Retreat(..))))
                .or_else(|| first(&|a| matches!(a, Action::Fire(_)))),
            Step::Hits { .. } => actions(offers).min_by_key(|a| match *a {
                Action::Take(b) => self.components.blocks[b].fire,
                _ => 0,
            }),
            Step::Place { .. } => actions(offers).max_by_key(|a| match *a {
                Action::Place(t) => {
                    let prize = u8::from(self.components.prizes.has(t));
                    let drawn = p.secret[seat].drawn;
                    let strength = drawn.map_or(0, |b| self.entry_strength(p, seat, b, t));
                    let near = 200.0 * self.components.nearness[t];
                    100 * u32::from(strength + prize) + near as u32
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
    fn force(&self, p: &Position, blocks: Set<Block>) -> f32 {
        blocks.iter().map(|b| self.power(p, b)).sum()
    }

    #[inline]
    fn power(&self, p: &Position, b: Block) -> f32 {
        f32::from(p.strength[b]) * (1.0 + f32::from(self.components.blocks[b].fire))
    }

    /// The force of these blocks, and of the enemies who have come to the field of the battle.
    fn odds(&self, p: &Position, seat: Seat, own: Set<Block>) -> (f32, f32) {
        (self.force(p, own), self.force(p, self.active(p, p.open.battle().town, seat.other())))
    }

    /// How many of a side's blocks came to a town by the road that an action would make the main road.
    fn came_by(&self, p: &Position, seat: Seat, town: Town, action: Action) -> usize {
        let Action::Main(_, Whence::Town(from)) = action else { return 0 };
        let road = self.components.road(town, from).map(Way::Road);
        self.field(p, town, seat).iter().filter(|b| p.via[*b].is_some() && p.via[*b] == road).count()
    }

    /// Who has his turn fires, unless there is no hope.
    fn fire_by_habit(&self, p: &Position) -> Option<Action> {
        let (seat, blocks) = self.acting(p)?;
        let fire = Action::Fire(blocks.first()?);
        if p.open.battle().storm {
            return Some(fire);
        }
        let (own, foe) = self.odds(p, seat, self.active(p, p.open.battle().town, seat));
        (own >= self.habits.hopeless * foe).then_some(fire)
    }

    /// Besiegers storm where they are strong enough, with as many as there is room for.
    fn storm_by_habit(&self, p: &Position, seat: Seat, offers: &[Offer<Action>]) -> Option<Action> {
        let t = p.open.battle().town;
        let outside = self.active(p, t, seat);
        let share = (self.rating(t) as f32 / outside.len().max(1) as f32).min(1.0);
        let storms = (p.secret[seat].picked | p.open.battle().stormers).any()
            || self.force(p, outside) * share > self.habits.to_storm * self.force(p, self.garrison(p, t));
        actions(offers).max_by_key(|a| match *a {
            Action::Pick(b) if storms => 3 + p.strength[b],
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
        if p.secret[seat].sailing.is_some() {
            return actions(offers).max_by_key(|a| self.haven(p, seat, *a));
        }
        if going == Going::Call {
            return None;
        }
        let forces = self.forces(p);
        if let Going::Group { town, begun } = going
            && let Some(go) = self.follow_by_habit(p, seat, town, begun, &forces, offers)
        {
            return Some(go);
        }
        if left > 0 {
            let comes = actions(offers).find(|a| match *a {
                Action::Sail(b) => p.place[b] == Place::Staging,
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
                let near = |t: Town| {
                    let (roads, _) = self.front(p, seat, t)?;
                    Some((forces.free[seat][t] / f32::from(roads), t))
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
        let near = 1000.0 * self.components.nearness[t];
        let besieged = self.besieged(p, t) == Some(seat);
        near as u32 + if besieged { 2000 } else { 0 } + if self.components.prizes.has(t) { 500 } else { 0 }
    }

    fn forces(&self, p: &Position) -> Forces {
        let mut forces = Forces {
            free: Sides::both(Map::filled(0.0)),
            count: Sides::both(Map::filled(0)),
            all: Sides::both(Map::filled(0.0)),
        };
        for (t, here) in p.here.iter() {
            for b in *here {
                let side = self.owner(b);
                let power = self.power(p, b);
                forces.all[side][t] += power;
                if !(p.inside | p.moved).has(b) {
                    forces.free[side][t] += power;
                    forces.count[side][t] += 1;
                }
            }
        }
        forces
    }

    /// Where an army should march, and what that promises: within two roads, a town of the enemy where it
    /// would be stronger, or a city of its own that is in danger.
    fn aim(&self, p: &Position, seat: Seat, from: Town, forces: &Forces) -> Option<(f32, Town)> {
        let count = forces.count[seat][from];
        let stay = if self.components.prizes.has(from) { self.habits.guard } else { 0 };
        let leave = f32::from(count.saturating_sub(stay)).min(self.habits.column);
        let force = forces.free[seat][from] * leave / f32::from(count.max(1));
        if force == 0.0 {
            return None;
        }
        let mut best: Option<(f32, Town)> = None;
        let mut weigh = |t: Town| {
            let worth = if t == from { 0.0 } else { self.promise(p, seat, t, force, forces) };
            if worth > self.habits.worthwhile && best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, t));
            }
        };
        for (to, _) in &self.components.towns[from].roads {
            weigh(*to);
            if self.field(p, *to, seat.other()).is_empty() {
                for (further, _) in &self.components.towns[*to].roads {
                    weigh(*further);
                }
            }
        }
        best
    }

    /// What it promises to march to a town with a force.
    fn promise(&self, p: &Position, seat: Seat, t: Town, force: f32, forces: &Forces) -> f32 {
        let foe = seat.other();
        let (mine, theirs) = (forces.all[seat][t], forces.all[foe][t]);
        let prize = self.components.prizes.has(t);
        if theirs == 0.0 && self.control(p, t) == Some(seat) {
            let in_danger = prize && self.components.near(t, &forces.all[foe]) > self.habits.danger * mine;
            return if in_danger { self.habits.rescue } else { 0.0 };
        }
        let enough = theirs > 0.0 && mine > self.habits.enough * theirs;
        if enough || mine + force <= self.habits.bold * theirs {
            return 0.0;
        }
        self.habits.shield * f32::from(self.components.towns[t].rating)
            + if prize { self.habits.prize } else { 0.0 }
    }

    /// Where an army goes that has nothing to do: up to two roads on the way to the nearest victory city that
    /// is not safely its own; and how far that one is.
    fn front(&self, p: &Position, seat: Seat, from: Town) -> Option<(u8, Town)> {
        let between = &self.components.roads_between;
        let foes = self.of(seat.other());
        let wanted = |t: &Town| self.control(p, *t) != Some(seat) || p.here[*t].meets(foes);
        let wanted = self.components.prizes.iter().filter(wanted);
        let (roads, city) = wanted.filter_map(|t| Some((between[from][t]?, t))).min()?;
        let on_the_way = |t: Town, far: u8| {
            let mut next = self.components.towns[t].roads.iter().map(|(to, _)| *to);
            next.find(|to| between[*to][city].is_some_and(|near| near < far) && !p.here[*to].meets(foes))
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
        town: Town,
        begun: bool,
        forces: &Forces,
        offers: &[Offer<Action>],
    ) -> Option<Action> {
        let borders = |t: Town, goal: Town| self.components.road(t, goal).is_some();
        let aim =
            self.aim(p, seat, town, forces).or_else(|| self.front(p, seat, town).map(|(_, t)| (0.0, t)));
        let aimed = aim.map(|(_, t)| t);
        let mut under_way = p.march.under_way.iter().filter_map(|b| p.town(b));
        let at = under_way.clone().find(|t| Some(*t) != aimed).or_else(|| under_way.next());
        let goal = match (aim, at) {
            // The first has met an enemy: the others go there too.
            (_, None) if begun => self.met(p, seat, town)?,
            (Some((_, aim)), Some(at)) if at == aim || borders(at, aim) => aim,
            (_, Some(at)) => at,
            (aim, None) => aim?.1,
        };
        let foe = forces.all[seat.other()][goal];
        let enough = foe > 0.0 && forces.all[seat][goal] > self.habits.enough * foe;
        let guarded = !self.components.prizes.has(town) || forces.count[seat][town] > self.habits.guard;
        let rank = |action: &Action| {
            let Action::Go(b, to) = *action else { return 0 };
            if p.march.under_way.has(b) {
                // Who is under way goes on to the aim.
                return if p.town(b) != Some(goal) && to == goal { u8::MAX } else { 0 };
            }
            let on_the_way = borders(to, goal) && self.field(p, to, seat.other()).is_empty();
            match (guarded && !enough, to == goal) {
                (true, true) => 10 + p.strength[b],
                (true, false) if on_the_way && !borders(town, goal) => 1 + p.strength[b],
                _ => 0,
            }
        };
        actions(offers).max_by_key(rank).filter(|action| rank(action) > 0)
    }

    /// The town nearest to a group's own where a block of its side has met an enemy in this phase.
    fn met(&self, p: &Position, seat: Seat, town: Town) -> Option<Town> {
        let between = &self.components.roads_between[town];
        let met = (p.open.pending & p.open.attacked[seat]).iter();
        let near = met.filter_map(|t| Some((between[t].filter(|roads| *roads <= 2)?, t)));
        near.min_by_key(|(roads, _)| *roads).map(|(_, t)| t)
    }
}

fn actions(offers: &[Offer<Action>]) -> impl Iterator<Item = Action> + '_ {
    offers.iter().map(|offer| offer.action)
}

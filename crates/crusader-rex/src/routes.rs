//! Reach and route: where picked blocks can go together, what waits there, and the clicks that bring them there.
//!
//! All of it is found by trying: the options of a position imagined from the view are played there, so that nothing
//! is offered that the rules refuse, and nothing is known that the view does not tell. Forced marches, which are
//! rolled for later, are left to single clicks.

use std::collections::VecDeque;

use table::{Id, Lots, Options, Reach, Rules, Scribe, Seat, Secrets, Set, is_allowed};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{Block, Place, Road, Town};
use crate::position::{Going, Position, Step};
use crate::view::View;
use crate::words::{counted, listed};

/// A way for picked blocks to a place.
pub(crate) struct Journey {
    to: Town,
    /// The id of the space where they stand at its end.
    space: String,
    pub(crate) actions: Vec<Action>,
    /// Moves that it costs.
    moves: usize,
    /// The most roads that one of them goes.
    roads: usize,
    /// The position at its end.
    end: Position,
}

impl CrusaderRex {
    /// The best way to each space that picked pieces can reach together, or to one of them. Nothing if a piece is
    /// unknown or not the viewer's own.
    pub(crate) fn journeys(&self, view: &View, picked: &[&str], to: Option<&str>) -> Vec<Journey> {
        let goal = to.map(|id| self.town_of_space(id));
        let (Some(seat), Some(step)) = (view.viewer.seat(), view.step()) else { return Vec::new() };
        let Some(blocks) = self.picked_blocks(seat, picked) else { return Vec::new() };
        if !view.deciding.contains(seat) || goal == Some(None) {
            return Vec::new();
        }
        let p = self.imagine(view, &mut Lots::new(0));
        let trip = Trip { game: self, seat, goal: goal.flatten(), p: &p };
        let mut found = match step {
            Step::Moves { .. } => trip.marches(&blocks),
            Step::Deploy { .. } => trip.steps(&blocks, Action::Seat),
            Step::Regroup { .. } => trip.steps(&blocks, Action::Regroup),
            Step::Round | Step::Harried { .. } | Step::MustRetreat { .. } | Step::LeaveSiege { .. } => {
                trip.steps(&blocks, Action::Retreat)
            }
            Step::Place { .. } if view.drawn() == blocks.single() => {
                trip.steps(&blocks, |_, town| Action::Place(town))
            }
            _ => Vec::new(),
        };
        found.retain(|journey| to.is_none_or(|to| journey.space == to));
        // Of several ways to a place the one that costs least.
        found.sort_by(|a, b| {
            let cost = |j: &Journey| (j.moves, j.roads, j.actions.len());
            a.space.cmp(&b.space).then_with(|| cost(a).cmp(&cost(b)))
        });
        found.dedup_by(|later, first| later.space == first.space);
        found
    }

    /// A journey as the page shows it.
    pub(crate) fn reach_of(&self, view: &View, picked: &[&str], journey: &Journey) -> Reach {
        let mut cost = Vec::new();
        if journey.moves > 0 {
            cost.push(counted(journey.moves, "move", "moves"));
        }
        if journey.roads > 0 {
            cost.push(counted(journey.roads, "road", "roads"));
        }
        Reach {
            space: journey.space.clone(),
            cost: cost.join(", "),
            danger: self.dangers(view, picked, journey).join("; "),
            ends: journey.end.march.under_way.is_empty(),
        }
    }

    /// The town of a space of the map.
    fn town_of_space(&self, id: &str) -> Option<Town> {
        let name = id.strip_prefix("town-").or_else(|| id.strip_prefix("castle-"))?;
        self.components.town(name)
    }

    /// The blocks of picked pieces, all of them the seat's own.
    fn picked_blocks(&self, seat: Seat, picked: &[&str]) -> Option<Set<Block>> {
        let block = |id: &&str| {
            let id = id.strip_prefix("battle-").unwrap_or(id);
            let b = self.components.block(id.strip_prefix("block-")?)?;
            self.of(seat).has(b).then_some(b)
        };
        picked.iter().map(block).collect::<Option<Set<Block>>>().filter(|blocks| blocks.any())
    }

    /// What waits at the end of a journey, and what is given up for it, as far as the viewer may know.
    fn dangers(&self, view: &View, picked: &[&str], journey: &Journey) -> Vec<String> {
        let (Some(seat), Some(step)) = (view.viewer.seat(), view.step()) else { return Vec::new() };
        let Some(blocks) = self.picked_blocks(seat, picked) else { return Vec::new() };
        let before = self.imagine(view, &mut Lots::new(0));
        let (to, end) = (journey.to, &journey.end);
        let mut dangers = Vec::new();
        match step {
            Step::Moves { .. } => dangers.push(self.march_hint(view, to)),
            Step::Place { .. } => dangers.push(self.place_hint(view, to)),
            _ => {}
        }
        let here = view.suspects.iter().filter(|(b, slot)| {
            slot.place == Place::Town(to) && self.owner(*b) != seat && !matches!(step, Step::Place { .. })
        });
        let known: Vec<_> = here.map(|(b, _)| self.components.block_name(*b).to_string()).collect();
        if !known.is_empty() {
            let verb = if known.len() == 1 { "is" } else { "are" };
            dangers.push(format!("{} {verb} known to be there", listed(&known)));
        }
        for from in blocks.iter().filter_map(|b| before.town(b)).collect::<Set<Town>>() {
            let name = self.components.town_name(from);
            let left = self.field(end, from, seat).is_empty() && end.here[from] & self.of(seat) == Set::NONE;
            if left && self.components.prizes.has(from) && self.control(&before, from) == Some(seat) {
                dangers.push(format!("leaves {name}, a victory city, empty"));
            }
            let besieged = |p: &Position| self.besieged(p, from) == Some(seat.other());
            if besieged(&before) && !besieged(end) && end.open.battle.is_none() {
                dangers.push(format!("lifts the siege of {name}"));
            }
        }
        if end.open.pending.has(to) && end.open.attacked[seat].has(to) {
            let way_back = self.components.towns[to].roads.iter().any(|(from, road)| {
                self.entered_by(end, seat, *road, to)
                    && (self.vacant(end, *from) || self.friendly(end, *from, seat))
            });
            if !way_back {
                dangers.push("no way back".into());
            }
        }
        let there = (end.here[to] & self.of(seat)).len();
        if view.open.is_winter() && self.besieged(end, to).is_none() && there > self.supply(to) {
            let fed = counted(self.supply(to), "block", "blocks");
            dangers.push(format!("feeds {fed} in winter, and {there} would be there"));
        }
        dangers.retain(|danger| !danger.is_empty());
        dangers
    }
}

/// What is tried for a seat in an imagined position.
struct Trip<'a> {
    game: &'a CrusaderRex,
    seat: Seat,
    /// The only town of interest, if there is one.
    goal: Option<Town>,
    p: &'a Position,
}

impl Trip<'_> {
    /// Plays an action if it is allowed; whether it was, and brought no dice.
    fn play(&self, p: &mut Position, action: Action) -> bool {
        if !self.game.deciding(p).contains(self.seat) || !is_allowed(self.game, p, self.seat, action) {
            return false;
        }
        let mut scribe = Scribe::new(Lots::new(0));
        self.game.apply(p, self.seat, action, &mut scribe);
        true
    }

    /// Towns that may be the end.
    fn goals(&self) -> impl Iterator<Item = Town> + use<'_> {
        Town::all().filter(|t| self.goal.is_none_or(|goal| goal == *t))
    }

    /// What a way comes to, if all the blocks are together at its end and may stay.
    fn journey(&self, blocks: &Set<Block>, actions: Vec<Action>, end: Position) -> Option<Journey> {
        let place = |b: Block| (end.place[b], end.inside.has(b));
        let first = place(blocks.first()?);
        let Place::Town(to) = first.0 else { return None };
        let moving = matches!(end.open.agenda.now(), Some(Step::Moves { .. }));
        let stays = !moving || is_allowed(self.game, &end, self.seat, Action::Done);
        if actions.is_empty() || !stays || blocks.iter().any(|b| place(b) != first || end.marched.has(b)) {
            return None;
        }
        let name = self.game.components.town_name(to);
        let roads = |b: Block| actions.iter().filter(|a| matches!(a, Action::Go(x, _) if *x == b)).count();
        let spends = |action: &&Action| {
            matches!(
                action,
                Action::Group(_)
                    | Action::MusterAt(_)
                    | Action::Land(_)
                    | Action::Assault(_)
                    | Action::Enter(..)
            )
        };
        Some(Journey {
            to,
            space: format!("{}-{name}", if first.1 { "castle" } else { "town" }),
            moves: actions.iter().filter(spends).count(),
            roads: blocks.iter().map(roads).max().unwrap_or(0),
            actions,
            end,
        })
    }

    /// One action for each block, to the same town.
    fn steps(&self, blocks: &Set<Block>, action: impl Fn(Block, Town) -> Action) -> Vec<Journey> {
        let step = |t: Town| {
            let mut end = self.p.clone();
            let actions: Vec<_> = blocks.iter().map(|b| action(b, t)).collect();
            let (last, others) = actions.split_last()?;
            for action in others {
                // What comes after dice nobody can tell beforehand.
                let mut scribe = Scribe::new(Lots::new(0));
                if !is_allowed(self.game, &end, self.seat, *action) {
                    return None;
                }
                self.game.apply(&mut end, self.seat, *action, &mut scribe);
                if scribe.protocol.is_final() || !self.game.deciding(&end).contains(self.seat) {
                    return None;
                }
            }
            if !self.play(&mut end, *last) {
                return None;
            }
            self.arrived(blocks, t, actions, end)
        };
        self.goals().filter_map(step).collect()
    }

    /// What single steps come to: what follows by itself may have changed where the blocks are.
    fn arrived(&self, blocks: &Set<Block>, to: Town, actions: Vec<Action>, end: Position) -> Option<Journey> {
        let inside = blocks.first().is_some_and(|b| end.inside.has(b));
        let name = self.game.components.town_name(to);
        Some(Journey {
            to,
            space: format!("{}-{name}", if inside { "castle" } else { "town" }),
            moves: 0,
            roads: 0,
            actions,
            end,
        })
    }

    /// Marches, musters, sea moves and the ways in from the north.
    fn marches(&self, blocks: &Set<Block>) -> Vec<Journey> {
        let mut found = self.by_sea(blocks);
        let towns: Option<Set<Town>> = blocks.iter().map(|b| self.p.town(b)).collect();
        if let Some(towns) = towns.filter(|_| self.p.secret[self.seat].sailing.is_none()) {
            found.extend(self.by_road(blocks));
            if towns.len() > 1 || self.going() == Some(Going::Call) {
                found.extend(self.goals().filter_map(|t| self.by_muster(blocks, t)));
            }
        }
        found
    }

    fn going(&self) -> Option<Going> {
        match self.p.open.agenda.now() {
            Some(Step::Moves { going, .. }) => Some(*going),
            _ => None,
        }
    }

    /// Each block sails, or enters from the north, for a move of its own.
    fn by_sea(&self, blocks: &Set<Block>) -> Vec<Journey> {
        let sailing = self.p.secret[self.seat].sailing;
        let journey = |(t, passage): (Town, Passage)| {
            let (mut end, mut actions) = (self.p.clone(), Vec::new());
            for b in *blocks {
                let clicks = match passage {
                    Passage::Land => vec![Action::Sail(b), Action::Land(t)],
                    Passage::Assault => vec![Action::Sail(b), Action::Assault(t)],
                    Passage::North => vec![Action::Enter(b, t)],
                };
                let begun = |action: &Action| *action == Action::Sail(b) && sailing == Some(b);
                for action in clicks.into_iter().filter(|action| !begun(action)) {
                    if !self.play(&mut end, action) {
                        return None;
                    }
                    actions.push(action);
                }
            }
            self.journey(blocks, actions, end)
        };
        let passages = [Passage::Land, Passage::Assault, Passage::North];
        self.goals().flat_map(|t| passages.map(|passage| (t, passage))).filter_map(journey).collect()
    }

    /// The blocks march, those from one town as a group: the first by its shortest way, the others after it where
    /// there is room, else by their own.
    fn by_road(&self, blocks: &Set<Block>) -> Vec<Journey> {
        let moves = |b: &Block| self.game.components.blocks[*b].moves;
        let mut order: Vec<Block> = blocks.iter().collect();
        order.sort_by_key(|b| (self.p.town(*b), moves(b), *b));
        let Some(first) = order.first() else { return Vec::new() };
        let mut ends: Vec<Town> = self.ways(self.p, *first, None).into_iter().map(|way| way.to).collect();
        ends.extend(self.p.town(*first));
        let journey = |to: Town| {
            let (mut end, mut actions) = (self.p.clone(), Vec::new());
            let mut column: Vec<Action> = Vec::new();
            for b in &order {
                if end.town(*b) == Some(to) {
                    continue;
                }
                let follow: Vec<_> = column
                    .iter()
                    .filter_map(|action| match action {
                        Action::Go(_, t) => Some(Action::Go(*b, *t)),
                        _ => None,
                    })
                    .collect();
                let mut next = end.clone();
                if !follow.is_empty() && follow.iter().all(|action| self.play(&mut next, *action)) {
                    (end, column) = (next, follow);
                } else {
                    let way = self.ways(&end, *b, Some(to)).into_iter().find(|way| way.to == to)?;
                    (end, column) = (way.end, way.actions);
                }
                actions.extend(&column);
            }
            self.journey(blocks, actions, end)
        };
        ends.sort_unstable();
        ends.dedup();
        ends.into_iter().filter(|to| self.goal.is_none_or(|goal| goal == *to)).filter_map(journey).collect()
    }

    /// The shortest way of a block to each town that it can march to, or to one.
    fn ways(&self, p: &Position, b: Block, to: Option<Town>) -> Vec<Way> {
        let Some(from) = p.town(b) else { return Vec::new() };
        let mut found: Vec<Way> = Vec::new();
        let mut room = Options::new();
        // As things are, or as a group that is begun for it.
        for group in [None, Some(Action::Group(from))] {
            let mut start = p.clone();
            if p.march.under_way.has(b) && group.is_some()
                || group.is_some_and(|group| !self.play(&mut start, group))
            {
                continue;
            }
            let mut seen: Vec<(Town, Option<Road>)> = Vec::new();
            let mut open =
                VecDeque::from([Way { to: from, actions: group.into_iter().collect(), end: start }]);
            while let Some(way) = open.pop_front() {
                room.clear();
                self.game.options(&way.end, self.seat, &mut room);
                for offer in room.offers() {
                    let Action::Go(_, next) = offer.action else { continue };
                    if !matches!(offer.action, Action::Go(x, _) if x == b) {
                        continue;
                    }
                    let mut end = way.end.clone();
                    if !self.play(&mut end, offer.action) || end.marched.has(b) {
                        continue;
                    }
                    let state = (next, end.march.came[b]);
                    if seen.contains(&state) {
                        continue;
                    }
                    seen.push(state);
                    let actions = way.actions.iter().copied().chain([offer.action]).collect();
                    let way = Way { to: next, actions, end };
                    let known = found.iter().any(|other| other.to == next);
                    if !known && self.may_stay(&way.end) {
                        found.push(way.clone());
                        if to == Some(next) {
                            return found;
                        }
                    }
                    if way.end.march.under_way.has(b) {
                        open.push_back(way);
                    }
                }
            }
        }
        found
    }

    /// Whether a march may end as it is.
    fn may_stay(&self, p: &Position) -> bool {
        is_allowed(self.game, p, self.seat, Action::Done)
    }

    /// All go to a muster.
    fn by_muster(&self, blocks: &Set<Block>, to: Town) -> Option<Journey> {
        let (mut end, mut actions) = (self.p.clone(), Vec::new());
        let call = (self.going() != Some(Going::Call)).then_some(Action::Muster);
        for action in call.into_iter().chain([Action::MusterAt(to)]) {
            if !self.play(&mut end, action) {
                return None;
            }
            actions.push(action);
        }
        let far = &self.game.components.roads_between[to];
        let mut room = Options::new();
        for b in *blocks {
            while end.town(b) != Some(to) {
                room.clear();
                self.game.options(&end, self.seat, &mut room);
                let steps = room.offers().iter().filter_map(|offer| match offer.action {
                    Action::Go(x, next) if x == b => Some((far[next]?, next)),
                    _ => None,
                });
                let (_, next) = steps.min()?;
                if !self.play(&mut end, Action::Go(b, next)) || end.marched.has(b) {
                    return None;
                }
                actions.push(Action::Go(b, next));
            }
        }
        self.journey(blocks, actions, end)
    }
}

/// How blocks come that do not march.
#[derive(Clone, Copy)]
enum Passage {
    /// By sea, to a friendly port.
    Land,
    /// By sea, against a port.
    Assault,
    /// From the north.
    North,
}

/// A way of one block to a town.
#[derive(Clone)]
struct Way {
    to: Town,
    actions: Vec<Action>,
    end: Position,
}

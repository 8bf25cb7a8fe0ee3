//! Musters [5.3]: blocks from anywhere go to one friendly town.

use table::{Ballot, Id, Map, Seat, Set, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{Block, Road, Town};
use crate::position::Position;

/// How far each town is from the muster, where it can be reached from there.
type Distances = Map<Town, Option<u8>>;

/// No block goes more roads in a move.
const MOST_ROADS: usize = 5;

/// The roads out of a town that lead to the muster, a bit each.
#[derive(Clone, Copy)]
struct Ways {
    /// As the roads are.
    all: u8,
    /// When those who are on their way have used what they need.
    spare: u8,
}

/// What the roads would be like after a step of a muster.
struct Roads {
    used: Map<Road, u8>,
    /// The town whose siege would be lifted.
    lifted: Option<Town>,
}

impl CrusaderRex {
    /// Towns where a side may muster: its field is friendly; in winter no enemy at all [5.3, 8.1].
    fn musters(&self, p: &Position, t: Town, seat: Seat) -> bool {
        self.friendly(p, t, seat) && !(p.open.is_winter() && p.here[t].meets(self.of(seat.other())))
    }

    pub(super) fn list_muster_towns(
        &self,
        p: &Position,
        seat: Seat,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let mut any = false;
        for t in Town::all() {
            if self.musters(p, t, seat) {
                any = true;
                ballot.allow(Action::MusterAt(t));
            } else if ballot.explains() {
                let (rule, why) = match self.components.towns[t].home {
                    None => (rule!("1.12"), "it is nobody's"),
                    Some(_) if p.open.is_winter() && self.friendly(p, t, seat) => {
                        (rule!("8.1"), "its field is not friendly")
                    }
                    Some(_) => (rule!("5.3"), "its field is not friendly"),
                };
                ballot.refuse(Action::MusterAt(t), rule, format_args!("{why}"));
            }
        }
        if !any {
            // Nowhere to go: the move is spent on nothing.
            ballot.allow(Action::Done);
        }
    }

    /// How far each town is from the muster, over open roads and through fields without enemies.
    fn muster_distances(&self, p: &Position, seat: Seat, town: Town) -> Distances {
        let mut distance = Map::filled(None);
        distance[town] = Some(0);
        let most = 3 + u8::from(p.open.table.forced_marches);
        let mut frontier = Set::one(town);
        let mut found = frontier;
        for far in 1..=most {
            let mut next = Set::NONE;
            for t in frontier {
                if far > 1 && self.field(p, t, seat.other()).any() {
                    continue;
                }
                for (from, road) in &self.components.towns[t].roads {
                    if !found.has(*from) && self.open_road(p, seat, *from, *road) {
                        next.insert(*from);
                        distance[*from] = Some(far);
                    }
                }
            }
            found |= next;
            frontier = next;
        }
        distance
    }

    /// The steps of a muster: of those on their way to it, and of those who may still set out.
    pub(super) fn list_muster(
        &self,
        p: &Position,
        seat: Seat,
        town: Town,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let distance = &self.muster_distances(p, seat, town);
        // The ways of those who are on theirs, put down as used.
        let mut roads = Roads { used: p.open.used, lifted: None };
        let under_way = p.march.under_way;
        for b in under_way {
            let (came, left) = (p.march.came[b], self.reach(p, b).saturating_sub(p.march.gone[b]));
            let found =
                p.town(b).is_some_and(|at| self.find_way(p, seat, at, came, left, distance, &mut roads));
            debug_assert!(found, "who is on his way to the muster can reach it");
        }
        for b in under_way {
            let Some(t) = p.town(b) else { continue };
            let left = self.reach(p, b).saturating_sub(p.march.gone[b]);
            let all = self.ways_to_muster(p, seat, t, p.march.came[b], left, distance, &p.open.used, 0);
            self.list_muster_steps(p, seat, town, b, Ways { all, spare: 0 }, distance, ballot);
        }
        for t in Town::all() {
            let free = self.free(p, t, seat);
            if free.is_empty() || t == town {
                continue;
            }
            let leaves = self.may_leave(p, t, seat);
            // Blocks that go as far from here have the same ways.
            let mut found: [Option<Ways>; MOST_ROADS + 1] = [None; MOST_ROADS + 1];
            for b in free {
                let reach = self.reach(p, b);
                let near = distance[t].is_some_and(|far| far <= reach);
                if near && leaves {
                    let ways = *found[usize::from(reach)].get_or_insert_with(|| {
                        let ways =
                            |used, known| self.ways_to_muster(p, seat, t, None, reach, distance, used, known);
                        let spare = ways(&roads.used, 0);
                        Ways { all: if under_way.any() { ways(&p.open.used, spare) } else { spare }, spare }
                    });
                    self.list_muster_steps(p, seat, town, b, ways, distance, ballot);
                } else if ballot.explains() {
                    for (to, _) in &self.components.towns[t].roads {
                        let (rule, why) = if !near {
                            (rule!("5.3"), "it cannot reach the muster town")
                        } else {
                            (rule!("5.5"), "it is pinned")
                        };
                        ballot.refuse(Action::Go(b, *to), rule, format_args!("{why}"));
                    }
                }
            }
        }
    }

    /// The next steps of a block on its way to the muster: any way will do that it can go to the end, and that
    /// leaves a way to all others who are on theirs.
    #[allow(clippy::too_many_arguments)]
    fn list_muster_steps(
        &self,
        p: &Position,
        seat: Seat,
        town: Town,
        b: Block,
        ways: Ways,
        distance: &Distances,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let Some(t) = p.town(b) else { return };
        let alone = p.march.under_way.without(b).is_empty();
        // Who takes nothing that others need disturbs nobody. Ways are found in the order of the blocks: it must
        // come last, or be there at once.
        let last = p.march.under_way.within(Set::first_n(b.number()));
        for (i, next) in self.components.towns[t].roads.iter().enumerate() {
            let go = Action::Go(b, next.0);
            let is = |ways: u8| ways >> i & 1 == 1;
            if !is(ways.all) {
                ballot.refuse(go, rule!("5.3"), format_args!("that way it does not reach the muster"));
                continue;
            }
            // Who lifts a siege may bar the way to himself: he could have come back through it.
            let undisturbed = || {
                (alone || is(ways.spare) && (last || distance[next.0] == Some(0)))
                    && self.lifts(p, seat, b).is_none()
            };
            if undisturbed() || self.all_arrive(p, seat, town, b, *next, distance) {
                ballot.allow(go);
            } else {
                let why = "then another on his way would not reach the muster";
                ballot.refuse(go, rule!("5.3"), format_args!("{why}"));
            }
        }
    }

    /// The roads out of a town by which a block reaches the muster that has `left` roads to go, a bit each; some
    /// may be known already.
    #[allow(clippy::too_many_arguments)]
    fn ways_to_muster(
        &self,
        p: &Position,
        seat: Seat,
        from: Town,
        came: Option<Road>,
        left: u8,
        distance: &Distances,
        used: &Map<Road, u8>,
        known: u8,
    ) -> u8 {
        let mut ways = known;
        for (i, next) in self.components.towns[from].roads.iter().enumerate() {
            let leads =
                known >> i & 1 == 0 && self.leads_to_muster(p, seat, from, *next, came, left, distance, used);
            ways |= u8::from(leads) << i;
        }
        ways
    }

    /// The siege that a block would lift by leaving it.
    fn lifts(&self, p: &Position, seat: Seat, b: Block) -> Option<Town> {
        p.town(b).filter(|from| {
            self.besieged(p, *from) == Some(seat.other()) && self.field(p, *from, seat).single() == Some(b)
        })
    }

    /// Whether all who are on their way would still reach the muster after a step of one of them: each takes in
    /// turn the first way that is open to it, and what it would use is counted against the others. A siege that
    /// the step would lift can be passed no more.
    fn all_arrive(
        &self,
        p: &Position,
        seat: Seat,
        town: Town,
        b: Block,
        (to, road): (Town, Road),
        distance: &Distances,
    ) -> bool {
        let mut roads = Roads { used: p.open.used, lifted: self.lifts(p, seat, b) };
        roads.used[road] += 1;
        p.march.under_way.with(b).iter().all(|other| {
            let (at, came, gone) = match p.town(other) {
                Some(at) if other != b => (at, p.march.came[other], p.march.gone[other]),
                _ => (to, Some(road), p.march.gone[b] + 1),
            };
            let left = self.reach(p, other).saturating_sub(gone);
            at == town || self.find_way(p, seat, at, came, left, distance, &mut roads)
        })
    }

    /// The first way to the muster that is open, put down as used.
    #[allow(clippy::too_many_arguments)]
    fn find_way(
        &self,
        p: &Position,
        seat: Seat,
        from: Town,
        came: Option<Road>,
        left: u8,
        distance: &Distances,
        roads: &mut Roads,
    ) -> bool {
        for (to, road) in &self.components.towns[from].roads {
            let open = Some(*road) != came
                && roads.used[*road] < self.road_limit(p, seat, *road)
                && !self.entered_by(p, seat.other(), *road, from)
                && roads.lifted != Some(*to)
                && self.field(p, *to, seat.other()).is_empty();
            let Some(far) = distance[*to].filter(|far| open && *far < left) else { continue };
            roads.used[*road] += 1;
            if far == 0 || self.find_way(p, seat, *to, Some(*road), left - 1, distance, roads) {
                return true;
            }
            roads.used[*road] -= 1;
        }
        false
    }

    /// Whether a road is a way to the muster for a block that has `left` roads to go, where so many blocks have
    /// used the roads.
    #[allow(clippy::too_many_arguments)]
    fn leads_to_muster(
        &self,
        p: &Position,
        seat: Seat,
        from: Town,
        (to, road): (Town, Road),
        came: Option<Road>,
        left: u8,
        distance: &Distances,
        used: &Map<Road, u8>,
    ) -> bool {
        distance[to].is_some_and(|far| {
            far < left
                && Some(road) != came
                && used[road] < self.road_limit(p, seat, road)
                && !self.entered_by(p, seat.other(), road, from)
                && self.field(p, to, seat.other()).is_empty()
                && (far == 0
                    || self.components.towns[to].roads.iter().any(|next| {
                        self.leads_to_muster(p, seat, to, *next, Some(road), left - 1, distance, used)
                    }))
        })
    }

    /// Whether a step of a mustering block brings it nearer, as the shortest ways do.
    pub(crate) fn is_nearer(&self, p: &Position, seat: Seat, town: Town, b: Block, to: Town) -> bool {
        let distance = self.muster_distances(p, seat, town);
        let far = |t: Town| distance[t].unwrap_or(u8::MAX);
        p.town(b).is_some_and(|at| far(to) < far(at))
    }
}

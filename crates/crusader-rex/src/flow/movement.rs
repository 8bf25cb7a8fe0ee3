//! Movement [5.0]: groups, musters, sea moves, road limits, pinning, and what attacks are made of.

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{FRANK, NONE, Port, ROADS, SEA, Set, TOWNS, each, kind, one};
use crate::position::{Going, POOL, Position, STAGING, Step, Walk};

use super::IDLE;

/// The nations, as indices.
const ENGLISH: usize = 0;
const FRENCH: usize = 1;
const GERMAN: usize = 2;
/// The first way in for the Germans.
const ENTRY: usize = ROADS - 3;

impl CrusaderRex {
    /// A side's blocks in a town that may still move by road: not besieged, not moved [5.0, 6.62].
    #[inline]
    fn free(&self, p: &Position, t: u8, seat: Seat) -> Set {
        self.field(p, t, seat) & !p.moved
    }

    /// How many defenders the attackers of a town pin: as many as come by the main road [5.5].
    #[inline]
    pub(crate) fn pinners(&self, p: &Position, t: u8, seat: Seat) -> u32 {
        if p.attacked[seat.other().index()] & one(t) == 0 {
            return 0;
        }
        self.active(p, t, seat.other()).count_ones()
    }

    /// Whether one more block may leave a town [5.5].
    #[inline]
    fn may_leave(&self, p: &Position, t: u8, seat: Seat) -> bool {
        let free = self.free(p, t, seat).count_ones();
        free > 0 && free > self.pinners(p, t, seat)
    }

    /// Whether a road out of a town is open: room on it [5.1] and no attacker came by it [5.5].
    #[inline]
    fn open_road(&self, p: &Position, seat: Seat, from: u8, road: u8) -> bool {
        self.has_room(p, seat, road) && !self.entered_by(p, seat.other(), road, from)
    }

    /// Whether a block may step into a town. In winter nobody goes where an enemy stands, and one's own
    /// siege can only be passed through [8.1].
    fn may_step(&self, p: &Position, seat: Seat, to: u8, road: u8, goes_on: bool) -> bool {
        if !self.is_winter(p) {
            return true;
        }
        if p.here[usize::from(to)] & self.of(seat.other()) == 0 {
            return true;
        }
        goes_on && self.field(p, to, seat.other()) == 0 && {
            let onward = &self.components.towns[usize::from(to)].roads;
            onward.iter().any(|(next, r)| {
                *r != road
                    && self.open_road(p, seat, to, *r)
                    && p.here[usize::from(*next)] & self.of(seat.other()) == 0
            })
        }
    }

    /// How many roads a block may go.
    #[inline]
    fn reach(&self, p: &Position, b: u8) -> u8 {
        self.components.blocks[usize::from(b)].moves + u8::from(p.table.forced_marches)
    }

    pub(super) fn list_moves(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        group_only: bool,
        going: Going,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        match going {
            Going::Idle if left == 0 => {
                // Cards and moves are open: all know that there is nothing left to do.
                ballot.force(Action::Done);
                self.refuse_more(p, seat, ballot);
            }
            Going::Idle => self.list_begin(p, seat, left, group_only, NONE, ballot),
            Going::Group { town, walk } => {
                if self.list_walk(p, seat, walk, ballot) {
                    self.list_group(p, seat, town, ballot);
                    if walk.roads > 0 {
                        self.list_begin(p, seat, left, group_only, town, ballot);
                    }
                }
            }
            Going::Muster { town: NONE, .. } => self.list_muster_towns(p, seat, ballot),
            Going::Muster { town, walk } => {
                let distance = self.muster_distances(p, seat, town);
                if walk.block == NONE {
                    self.list_muster(p, seat, town, &distance, ballot);
                    self.list_begin(p, seat, left, group_only, NONE, ballot);
                } else {
                    self.list_muster_steps(p, seat, walk.block, walk.road, &distance, ballot);
                }
            }
            Going::Sail { block } => self.list_ports(p, seat, block, ballot),
        }
    }

    /// What a side may begin, or end.
    fn list_begin(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        group_only: bool,
        open_group: u8,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        self.list_beginnings(p, seat, left, group_only, open_group, ballot);
        ballot.allow(Action::Done);
    }

    fn list_beginnings(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        group_only: bool,
        open_group: u8,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        if left == 0 {
            self.refuse_more(p, seat, ballot);
            return;
        }
        let mine = self.of(seat);
        for t in 0..TOWNS as u8 {
            if p.here[usize::from(t)] & mine == 0 || t == open_group {
                continue;
            }
            if self.free(p, t, seat) == 0 {
                if ballot.explains() {
                    let (rule, why) = if self.field(p, t, seat) == 0 {
                        (rule!("6.62"), "the blocks there are besieged")
                    } else {
                        (rule!("5.0"), "all blocks there have moved")
                    };
                    ballot.refuse(Action::Group(t), rule, format_args!("{why}"));
                }
            } else if !self.may_leave(p, t, seat) {
                ballot.refuse(
                    Action::Group(t),
                    rule!("5.5"),
                    format_args!("the attackers pin all blocks there"),
                );
            } else if self.components.towns[usize::from(t)].roads.iter().any(|(to, road)| {
                self.open_road(p, seat, t, *road) && self.may_step(p, seat, *to, *road, true)
            }) {
                ballot.allow(Action::Group(t));
            } else {
                ballot.refuse(Action::Group(t), rule!("5.1"), format_args!("no road out of there is open"));
            }
        }
        if group_only {
            ballot.refuse(
                Action::Muster,
                rule!("4.2b"),
                format_args!("this event moves one group by road, nothing else"),
            );
            return;
        }
        ballot.allow(Action::Muster);
        self.list_sails(p, seat, ballot);
        if seat == FRANK {
            self.list_germans(p, ballot);
        }
        if self.is_winter(p) && p.cards[seat.index()] == kind::WINTER && left == 1 {
            for t in 0..TOWNS as u8 {
                if self.besieged(p, t) == Some(seat.other()) && open_group == NONE {
                    ballot.allow(Action::Campaign(t));
                } else if ballot.explains() && p.here[usize::from(t)] & mine != 0 {
                    ballot.refuse(
                        Action::Campaign(t),
                        rule!("8.2"),
                        format_args!("you besiege nobody there"),
                    );
                }
            }
        }
    }

    fn refuse_more(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        if !ballot.explains() {
            return;
        }
        ballot.refuse(Action::Muster, rule!("5.0"), format_args!("no moves are left"));
        for t in 0..TOWNS as u8 {
            if self.field(p, t, seat) != 0 {
                ballot.refuse(Action::Group(t), rule!("5.0"), format_args!("no moves are left"));
            }
        }
    }

    /// How the block under way may go on; false if it must.
    fn list_walk(
        &self,
        p: &Position,
        seat: Seat,
        walk: Walk,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) -> bool {
        if walk.block == NONE {
            return true;
        }
        let t = p.town[usize::from(walk.block)];
        let left = self.reach(p, walk.block).saturating_sub(walk.roads);
        // In winter nobody stays where an enemy is [8.1].
        let must = self.is_winter(p) && p.here[usize::from(t)] & self.of(seat.other()) != 0;
        for (to, road) in &self.components.towns[usize::from(t)].roads {
            let go = Action::Go(walk.block, *to);
            if *road == walk.road {
                ballot.refuse(go, rule!("5.0"), format_args!("it has just come that way"));
            } else if left == 0 {
                ballot.refuse(go, rule!("2.1.3"), format_args!("it has gone as far as it can"));
            } else {
                self.list_step(p, seat, walk.block, t, *to, *road, left > 1 && !must, ballot);
            }
        }
        !must
    }

    #[allow(clippy::too_many_arguments)]
    fn list_step(
        &self,
        p: &Position,
        seat: Seat,
        b: u8,
        from: u8,
        to: u8,
        road: u8,
        goes_on: bool,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let go = Action::Go(b, to);
        if !self.has_room(p, seat, road) {
            let bridge = self.components.roads[usize::from(road)].bridge && p.table.iron_bridge;
            ballot.refuse(
                go,
                if bridge { rule!("opt.iron-bridge") } else { rule!("5.1") },
                format_args!("{} blocks have used that road", p.used[usize::from(road)]),
            );
        } else if self.entered_by(p, seat.other(), road, from) {
            ballot.refuse(go, rule!("5.5"), format_args!("the attackers came by that road"));
        } else if !self.may_step(p, seat, to, road, goes_on) {
            ballot.refuse(go, rule!("8.1"), format_args!("in winter nobody stays where an enemy stands"));
        } else {
            ballot.allow(go);
        }
    }

    /// First steps of the blocks of a group [5.2].
    fn list_group(&self, p: &Position, seat: Seat, t: u8, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let roads = &self.components.towns[usize::from(t)].roads;
        if !self.may_leave(p, t, seat) {
            if ballot.explains() {
                for b in each(self.free(p, t, seat)) {
                    for (to, _) in roads {
                        ballot.refuse(Action::Go(b, *to), rule!("5.5"), format_args!("the rest is pinned"));
                    }
                }
            }
            return;
        }
        for b in each(self.free(p, t, seat)) {
            for (to, road) in roads {
                self.list_step(p, seat, b, t, *to, *road, true, ballot);
            }
        }
    }

    /// Towns where a side may muster: its field is friendly; in winter no enemy at all [5.3, 8.1].
    fn musters(&self, p: &Position, t: u8, seat: Seat) -> bool {
        self.friendly(p, t, seat)
            && !(self.is_winter(p) && p.here[usize::from(t)] & self.of(seat.other()) != 0)
    }

    fn list_muster_towns(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let mut any = false;
        for t in 0..TOWNS as u8 {
            if self.musters(p, t, seat) {
                any = true;
                ballot.allow(Action::MusterAt(t));
            } else if ballot.explains() && self.components.towns[usize::from(t)].home.is_some() {
                let rule =
                    if self.is_winter(p) && self.friendly(p, t, seat) { rule!("8.1") } else { rule!("5.3") };
                ballot.refuse(Action::MusterAt(t), rule, format_args!("its field is not friendly"));
            }
        }
        if !any {
            // Nowhere to go: the move is spent on nothing.
            ballot.allow(Action::Done);
        }
    }

    /// How far each town is from the muster, over open roads and through fields without enemies.
    fn muster_distances(&self, p: &Position, seat: Seat, town: u8) -> [u8; TOWNS] {
        let mut distance = [NONE; TOWNS];
        distance[usize::from(town)] = 0;
        let most = 3 + u8::from(p.table.forced_marches);
        let mut frontier = one(town);
        let mut found = frontier;
        for far in 1..=most {
            let mut next = 0;
            for t in each(frontier) {
                if far > 1 && self.field(p, t, seat.other()) != 0 {
                    continue;
                }
                for (from, road) in &self.components.towns[usize::from(t)].roads {
                    if found & one(*from) == 0 && self.open_road(p, seat, *from, *road) {
                        next |= one(*from);
                        distance[usize::from(*from)] = far;
                    }
                }
            }
            found |= next;
            frontier = next;
        }
        distance
    }

    fn list_muster(
        &self,
        p: &Position,
        seat: Seat,
        town: u8,
        distance: &[u8; TOWNS],
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        for t in 0..TOWNS as u8 {
            let free = self.free(p, t, seat);
            if free == 0 || t == town {
                continue;
            }
            let far = distance[usize::from(t)];
            for b in each(free) {
                if far <= self.reach(p, b) && self.may_leave(p, t, seat) {
                    self.list_muster_steps(p, seat, b, NONE, distance, ballot);
                } else if ballot.explains() {
                    for (to, _) in &self.components.towns[usize::from(t)].roads {
                        let (rule, why) = if far > self.reach(p, b) {
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

    /// The next steps of a block towards the muster: each brings it nearer.
    fn list_muster_steps(
        &self,
        p: &Position,
        seat: Seat,
        b: u8,
        came: u8,
        distance: &[u8; TOWNS],
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let t = p.town[usize::from(b)];
        let far = distance[usize::from(t)];
        for (to, road) in &self.components.towns[usize::from(t)].roads {
            let nearer = distance[usize::from(*to)] < far
                && *road != came
                && self.open_road(p, seat, t, *road)
                && self.field(p, *to, seat.other()) == 0;
            if nearer {
                ballot.allow(Action::Go(b, *to));
            } else {
                ballot.refuse(
                    Action::Go(b, *to),
                    rule!("5.3"),
                    format_args!("that is not the way to the muster"),
                );
            }
        }
    }

    /// Whether a side may use a port [5.4, 6.51]: a plain one with its field, a besieged Tripoli or Tyre
    /// only from the castle.
    fn harbours(&self, p: &Position, t: u8, seat: Seat) -> bool {
        match (self.components.towns[usize::from(t)].port, self.besieged(p, t)) {
            (Port::No, _) => false,
            (Port::Fortified, Some(besieged)) => besieged == seat,
            _ => self.friendly(p, t, seat),
        }
    }

    /// Whether a block of a side may land in a port.
    fn may_land(&self, p: &Position, t: u8, seat: Seat) -> bool {
        if !self.harbours(p, t, seat) {
            return false;
        }
        if p.here[usize::from(t)] & self.of(seat.other()) == 0 {
            return true;
        }
        // A siege: not in winter [8.1]; into a castle only while it has room [6.52].
        !self.is_winter(p)
            && (self.besieged(p, t) != Some(seat)
                || self.garrison(p, t).count_ones() < u32::from(self.components.towns[usize::from(t)].rating))
    }

    /// Ports that the English may attack [7.22].
    fn may_assault(&self, p: &Position, t: u8) -> bool {
        let saracen = FRANK.other();
        if self.is_winter(p) || self.components.towns[usize::from(t)].port == Port::No {
            return false;
        }
        if self.vacant(p, t) {
            return self.components.homes[saracen.index()] & one(t) != 0;
        }
        self.field(p, t, saracen) != 0 && p.attacked[saracen.index()] & one(t) == 0
    }

    /// Whether all three blocks of a nation have been drawn [7.21].
    #[inline]
    pub(crate) fn released(&self, p: &Position, nation: usize) -> bool {
        each(self.components.nations[nation]).all(|b| p.town[usize::from(b)] != POOL)
    }

    /// The crusaders of a nation that wait off the map and may come.
    fn waiting(&self, p: &Position, nation: usize) -> Set {
        if !self.released(p, nation) {
            return 0;
        }
        each(self.components.nations[nation])
            .filter(|b| p.town[usize::from(*b)] == STAGING)
            .fold(0, |set, b| set | one(b))
    }

    fn list_sails(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let ports = self.components.ports;
        let mut landings = 0;
        let mut targets = 0;
        for t in each(ports) {
            if self.may_land(p, t, seat) {
                landings |= one(t);
            }
            if seat == FRANK && self.may_assault(p, t) {
                targets |= one(t);
            }
        }
        let english = self.components.nations[ENGLISH];
        let offer = |blocks: Set, from: Set, ballot: &mut dyn FnMut(u8)| {
            for b in each(blocks) {
                let attacks = if one(b) & english != 0 { targets } else { 0 };
                if (landings | attacks) & !from != 0 {
                    ballot(b);
                }
            }
        };
        for t in each(ports) {
            let mine = p.here[usize::from(t)] & self.of(seat) & !p.moved;
            if mine != 0 && self.harbours(p, t, seat) {
                let besieged = self.besieged(p, t) == Some(seat);
                let sailors = if besieged { mine & p.inside } else { mine & !p.inside };
                offer(sailors, one(t), &mut |b| ballot.allow(Action::Sail(b)));
            } else if ballot.explains() {
                for b in each(mine) {
                    let fortified = self.components.towns[usize::from(t)].port == Port::Fortified;
                    ballot.refuse(
                        Action::Sail(b),
                        if fortified && self.besieged(p, t).is_some() { rule!("6.51") } else { rule!("5.4") },
                        format_args!("the port is not friendly"),
                    );
                }
            }
        }
        if seat == FRANK {
            for nation in [ENGLISH, FRENCH] {
                offer(self.waiting(p, nation), 0, &mut |b| ballot.allow(Action::Sail(b)));
                if ballot.explains() && !self.released(p, nation) {
                    for b in
                        each(self.components.nations[nation]).filter(|b| p.town[usize::from(*b)] == STAGING)
                    {
                        ballot.refuse(
                            Action::Sail(b),
                            rule!("7.21"),
                            format_args!("its countrymen have not all been drawn"),
                        );
                    }
                }
            }
        }
    }

    fn list_ports(&self, p: &Position, seat: Seat, b: u8, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let from = p.town[usize::from(b)];
        let english = one(b) & self.components.nations[ENGLISH] != 0;
        for t in each(self.components.ports).filter(|t| *t != from) {
            if self.may_land(p, t, seat) {
                ballot.allow(Action::Land(t));
            } else if ballot.explains() {
                let besieged = self.besieged(p, t);
                let (rule, why) = if !self.harbours(p, t, seat) {
                    let fortified = self.components.towns[usize::from(t)].port == Port::Fortified;
                    let rule = if fortified && besieged.is_some() { rule!("6.51") } else { rule!("5.4") };
                    (rule, "the port is not friendly")
                } else if self.is_winter(p) {
                    (rule!("8.1"), "nobody joins a siege in winter")
                } else {
                    (rule!("6.52"), "the castle is full")
                };
                ballot.refuse(Action::Land(t), rule, format_args!("{why}"));
            }
            if english && self.may_assault(p, t) {
                ballot.allow(Action::Assault(t));
            } else {
                ballot.refuse(
                    Action::Assault(t),
                    if english && self.is_winter(p) { rule!("8.1") } else { rule!("7.22") },
                    format_args!("only the English attack by sea, and only an enemy port"),
                );
            }
        }
    }

    fn list_germans(&self, p: &Position, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let staged = each(self.components.nations[GERMAN]).filter(|b| p.town[usize::from(*b)] == STAGING);
        let released = self.released(p, GERMAN);
        for b in staged {
            for (i, road) in self.components.roads[ENTRY..].iter().enumerate() {
                let enter = Action::Enter(b, road.b);
                if !released {
                    ballot.refuse(
                        enter,
                        rule!("7.21"),
                        format_args!("its countrymen have not all been drawn"),
                    );
                } else if !self.has_room(p, FRANK, (ENTRY + i) as u8) {
                    ballot.refuse(enter, rule!("5.1"), format_args!("that road is full"));
                } else if self.is_winter(p) && p.here[usize::from(road.b)] & self.of(FRANK.other()) != 0 {
                    ballot.refuse(
                        enter,
                        rule!("8.1"),
                        format_args!("in winter nobody goes where an enemy stands"),
                    );
                } else {
                    ballot.allow(enter);
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn act_moves(
        &self,
        p: &mut Position,
        seat: Seat,
        mut left: u8,
        group_only: bool,
        going: Going,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let walk = match going {
            Going::Group { walk, .. } | Going::Muster { walk, .. } => walk,
            _ => Walk::NOBODY,
        };
        // Whoever was under way stays where he is, unless he is the one who goes on.
        if walk.block != NONE && !matches!(action, Action::Go(b, _) if b == walk.block) {
            self.arrive(p, walk.block);
        }
        let going = match action {
            Action::Group(town) => {
                left -= 1;
                umpire.cite(rule!("5.2"));
                Going::Group { town, walk: Walk::NOBODY }
            }
            Action::Muster => Going::Muster { town: NONE, walk: Walk::NOBODY },
            Action::MusterAt(town) => {
                left -= 1;
                umpire.note(
                    Readers::ALL,
                    rule!("5.3"),
                    format_args!("a muster at {}", self.components.town_name(town)),
                );
                Going::Muster { town, walk: Walk::NOBODY }
            }
            Action::Go(b, to) => {
                let walk = self.walk(p, seat, b, to, walk, going, umpire);
                match going {
                    Going::Muster { town, .. } => Going::Muster { town, walk },
                    Going::Group { town, .. } => Going::Group { town, walk },
                    other => other,
                }
            }
            Action::Sail(block) => Going::Sail { block },
            Action::Land(to) | Action::Assault(to) => {
                left -= 1;
                if let Going::Sail { block } = going {
                    self.sail(p, seat, block, to, matches!(action, Action::Assault(_)), umpire);
                }
                IDLE
            }
            Action::Enter(b, to) => {
                left -= 1;
                self.enter_from_north(p, b, to, umpire);
                IDLE
            }
            Action::Campaign(t) => {
                p.campaign = t;
                left = 0;
                umpire.note(
                    Readers::ALL,
                    rule!("8.2"),
                    format_args!("the siege of {} goes on over the winter", self.components.town_name(t)),
                );
                IDLE
            }
            _ if matches!(going, Going::Muster { town: NONE, .. }) => {
                left -= 1;
                IDLE
            }
            _ => {
                p.agenda.pop();
                return;
            }
        };
        p.agenda.replace(Step::Moves { seat, left, group_only, going });
    }

    /// A block goes along one road.
    #[allow(clippy::too_many_arguments)]
    fn walk(
        &self,
        p: &mut Position,
        seat: Seat,
        b: u8,
        to: u8,
        walk: Walk,
        going: Going,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> Walk {
        let i = usize::from(b);
        let from = p.town[i];
        let Some(road) = self.components.road(from, to) else { return walk };
        let roads = if walk.block == b { walk.roads } else { 0 };
        if roads == 0 {
            self.depart(p, b);
            p.moved |= one(b);
        } else {
            p.here[usize::from(from)] &= !one(b);
        }
        p.town[i] = to;
        p.used[usize::from(road)] += 1;
        if umpire.writes() && !self.has_room(p, seat, road) {
            umpire.cite(rule!("5.1"));
        }
        if roads + 1 > self.components.blocks[i].moves {
            p.marched |= one(b);
            umpire.cite(rule!("opt.forced-marches"));
        }
        umpire.cite(rule!("5.0"));
        if self.vacant(p, to) {
            umpire.cite(rule!("1.12"));
        }
        p.here[usize::from(to)] |= one(b);
        if roads == 0 {
            self.lift_siege(p, from);
        }
        let stops = self.meet(p, seat, b, to, road);
        let mustered = matches!(going, Going::Muster { town, .. } if town == to);
        if stops || mustered {
            self.arrive(p, b);
            return Walk { block: NONE, road: NONE, roads: 1 };
        }
        Walk { block: b, road, roads: roads + 1 }
    }

    /// A block has come to a town by a road. If enemies hold the field it must stop and fight [5.0].
    fn meet(&self, p: &mut Position, seat: Seat, b: u8, to: u8, road: u8) -> bool {
        let enemies = p.here[usize::from(to)] & self.of(seat.other());
        if enemies == 0 {
            return false;
        }
        if usize::from(road) < ROADS {
            self.mark_entry(p, seat, road, to);
        }
        if enemies & !p.inside == 0 {
            return false;
        }
        p.via[usize::from(b)] = road;
        p.pending |= one(to);
        if p.attacked[seat.other().index()] & one(to) == 0 {
            p.attacked[seat.index()] |= one(to);
        }
        true
    }

    fn sail(
        &self,
        p: &mut Position,
        seat: Seat,
        b: u8,
        to: u8,
        attack: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let from = p.town[usize::from(b)];
        if umpire.writes() {
            let from = if from == STAGING { "over the sea" } else { self.components.town_name(from) };
            let to = self.components.town_name(to);
            let rule = if attack { rule!("7.22") } else { rule!("5.4") };
            umpire.note(Readers::ALL, rule, format_args!("a block sails {from} > {to}"));
        }
        umpire.cite(rule!("1.14"));
        if from == STAGING {
            umpire.cite(rule!("7.22"));
            self.leave_staging(p, b);
        } else {
            self.depart(p, b);
            self.lift_siege(p, from);
        }
        p.moved |= one(b);
        p.town[usize::from(b)] = to;
        p.here[usize::from(to)] |= one(b);
        if attack {
            self.meet(p, seat, b, to, SEA);
        } else if self.besieged(p, to) == Some(seat) {
            p.inside |= one(b);
            umpire.cite(rule!("6.52"));
        }
        self.arrive(p, b);
    }

    /// A crusader leaves the staging area: everybody sees which.
    fn leave_staging(&self, p: &mut Position, b: u8) {
        p.known |= one(b);
        p.board |= one(b);
        p.seen[usize::from(b)] = p.strength[usize::from(b)];
    }

    fn enter_from_north(&self, p: &mut Position, b: u8, to: u8, umpire: &mut (impl Umpire + ?Sized)) {
        let entry = self.components.roads[ENTRY..].iter().position(|r| r.b == to).unwrap_or(0) + ENTRY;
        self.leave_staging(p, b);
        p.moved |= one(b);
        p.town[usize::from(b)] = to;
        p.here[usize::from(to)] |= one(b);
        p.used[entry] += 1;
        self.meet(p, FRANK, b, to, entry as u8);
        self.arrive(p, b);
        if umpire.writes() {
            let (b, to) = (self.components.block_name(b), self.components.town_name(to));
            umpire.note(Readers::ALL, rule!("7.23"), format_args!("{b} enters {to}"));
        }
    }

    /// The ways by which a side's blocks came into a town in this phase.
    fn ways(&self, p: &Position, seat: Seat, t: u8) -> arrayvec::ArrayVec<u8, 8> {
        let mut ways = arrayvec::ArrayVec::new();
        for b in each(self.field(p, t, seat)) {
            let via = p.via[usize::from(b)];
            if via != NONE && !ways.contains(&via) && !ways.is_full() {
                ways.push(via);
            }
        }
        ways.sort_unstable();
        ways
    }

    /// What the notation calls a way: the town it comes from.
    fn way_from(&self, via: u8, t: u8) -> u8 {
        match via {
            SEA => SEA,
            _ => {
                let road = self.components.roads[usize::from(via)];
                if road.b == t { road.a } else { road.b }
            }
        }
    }

    pub(super) fn list_main_roads(
        &self,
        p: &Position,
        seat: Seat,
        t: u8,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        for via in self.ways(p, seat, t) {
            ballot.allow(Action::Main(t, self.way_from(via, t)));
        }
    }

    pub(super) fn act_main_road(
        &self,
        p: &mut Position,
        seat: Seat,
        t: u8,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.agenda.pop();
        let Action::Main(_, from) = action else { return };
        let main = self.ways(p, seat, t).into_iter().find(|via| self.way_from(*via, t) == from);
        if let Some(main) = main {
            self.assign_roads(p, seat, t, main, umpire);
        }
    }

    /// Whether the marches and roads of a side are settled; if not, it is asked for a main road.
    pub(super) fn settle_moves(
        &self,
        p: &mut Position,
        seat: Seat,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        if p.marched != 0 {
            self.roll_marches(p, umpire);
        }
        if umpire.writes() && p.pending == 0 && p.agenda.steps().len() == 1 {
            let n = (p.moved & self.of(seat)).count_ones();
            let who = self.title_of(seat);
            umpire.note(Readers::ALL, rule!("5.0"), format_args!("the {who} have moved {n} blocks"));
        }
        while p.pending != 0 {
            let t = p.pending.trailing_zeros() as u8;
            let ways = self.ways(p, seat, t);
            match ways.as_slice() {
                [] => p.pending &= !one(t),
                [only] => self.assign_roads(p, seat, t, *only, umpire),
                // What comes by sea must be the main attack [7.22].
                [.., SEA] => self.assign_roads(p, seat, t, SEA, umpire),
                _ => {
                    p.agenda.push(Step::MainRoad { seat, town: t });
                    return false;
                }
            }
        }
        true
    }

    /// Who arrives when [6.41, 6.42, 6.56].
    fn assign_roads(
        &self,
        p: &mut Position,
        seat: Seat,
        t: u8,
        main: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.pending &= !one(t);
        let reinforces = p.attacked[seat.other().index()] & one(t) != 0;
        let relieves = self.besieged(p, t) == Some(seat);
        let late = reinforces || (relieves && seat != p.first);
        let rule = match (reinforces, relieves) {
            (true, _) => rule!("6.42"),
            (false, true) => rule!("6.56"),
            (false, false) => rule!("6.41"),
        };
        umpire.cite(rule!("6.4"));
        let (mut in_time, mut later) = (0, 0);
        for b in each(self.field(p, t, seat)) {
            let via = std::mem::replace(&mut p.via[usize::from(b)], NONE);
            if via == NONE {
                continue;
            }
            match u8::from(late) + u8::from(via != main) {
                0 => in_time += 1,
                1 => {
                    p.second |= one(b);
                    later += 1;
                }
                _ => {
                    p.third |= one(b);
                    later += 1;
                }
            }
        }
        if umpire.writes() {
            let (who, town) = (self.title_of(seat), self.components.town_name(t));
            umpire.note(
                Readers::ALL,
                rule,
                format_args!("the {who} at {town}: {in_time} at once, {later} in a later round"),
            );
        }
    }

    /// After all movement a die is rolled for every block on a forced march.
    fn roll_marches(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let marched = std::mem::take(&mut p.marched);
        for t in 0..TOWNS as u8 {
            for b in each(p.here[usize::from(t)] & marched) {
                let die = umpire.roll(6);
                umpire.note(
                    Readers::ALL,
                    rule!("opt.forced-marches"),
                    format_args!("a forced march to {}: {die}", self.components.town_name(t)),
                );
                if die <= 3 && self.lose_step(p, b, umpire) {
                    self.forget_attack(p, t);
                }
            }
        }
    }

    /// A battle whose only attackers died on the march never was.
    fn forget_attack(&self, p: &mut Position, t: u8) {
        for seat in [FRANK, FRANK.other()] {
            if self.field(p, t, seat) == 0 {
                p.attacked[seat.index()] &= !one(t);
            }
        }
    }
}

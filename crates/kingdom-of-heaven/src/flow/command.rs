//! Who commands whom [10.2 to 10.4]: rank, and the largest army that a leader can take along.
//!
//! An army is a tree: each subordinate under one superior whom he does not outrank, each unit under one leader, each
//! leader with no more than his command rating under him, and of each other Power one unit only. Whether some units
//! fit is a question of flow: classes of alike things are poured into leaders, and what was poured may be moved on.

use table::{Id as _, Seat, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::data::Religion;
use crate::ids::{Leader, Leaders, Power, Space, Units};
use crate::position::{Forbidden, Open};

/// The most leaders in one army.
const LEADERS: usize = 12;
/// Powers and subordinates: what is poured into leaders.
const CLASSES: usize = 24 + LEADERS;

/// Where an army is commanded: subordinates take no room at sea [10.8].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    Land,
    Sea,
}

/// A leader in the tree of command.
pub(crate) struct Rank {
    pub(crate) leader: Leader,
    pub(crate) superior: Option<Leader>,
    pub(crate) units: Vec<(Power, u8)>,
    /// How many more could be under him.
    pub(crate) room: u8,
}

/// An army being put together.
struct Tree {
    leaders: [Option<Leader>; LEADERS],
    count: usize,
    room: [i8; LEADERS],
    /// How much of each class is under each leader.
    under: [[u8; LEADERS]; CLASSES],
    /// How much of each class may be under each leader.
    most: [[u8; LEADERS]; CLASSES],
}

impl Default for Tree {
    #[inline]
    fn default() -> Self {
        Self {
            leaders: [None; LEADERS],
            count: 0,
            room: [0; LEADERS],
            under: [[0; LEADERS]; CLASSES],
            most: [[0; LEADERS]; CLASSES],
        }
    }
}

impl Tree {
    /// Finds room for one more of a class, moving others on if need be.
    fn pour(&mut self, class: usize) -> bool {
        let mut seen = [false; LEADERS];
        let mut came: [(usize, usize); LEADERS] = [(CLASSES, LEADERS); LEADERS];
        let mut queue = [0_usize; LEADERS];
        let (mut head, mut tail) = (0, 0);
        for l in 0..self.count {
            if self.under[class][l] < self.most[class][l] {
                seen[l] = true;
                came[l] = (class, LEADERS);
                queue[tail] = l;
                tail += 1;
            }
        }
        while head < tail {
            let l = queue[head];
            head += 1;
            if self.room[l] > 0 {
                self.room[l] -= 1;
                let mut at = l;
                loop {
                    let (moved, from) = came[at];
                    self.under[moved][at] += 1;
                    if from == LEADERS {
                        return true;
                    }
                    self.under[moved][from] -= 1;
                    at = from;
                }
            }
            for other in 0..CLASSES {
                if self.under[other][l] == 0 {
                    continue;
                }
                for next in 0..self.count {
                    if !seen[next] && self.under[other][next] < self.most[other][next] {
                        seen[next] = true;
                        came[next] = (other, l);
                        queue[tail] = next;
                        tail += 1;
                    }
                }
            }
        }
        false
    }
}

impl KingdomOfHeaven {
    /// Whether one leader outranks another [10.3].
    pub(crate) fn outranks(&self, one: Leader, two: Leader) -> bool {
        let c = &self.components;
        let (a, b) = (c.leader(one), c.leader(two));
        let catholic = |power: Power| c.power(power).religion == Religion::Catholic;
        let (crusader, kingdom) = (|p: Power| c.crusaders.has(p), |p: Power| c.kingdom.has(p));
        if catholic(a.power) && catholic(b.power) {
            if crusader(a.power) != crusader(b.power) {
                return crusader(a.power);
            }
            if kingdom(a.power) != kingdom(b.power) {
                return kingdom(a.power);
            }
        }
        a.command > b.command
    }

    /// Those whom nobody among them outranks; all, where rank runs in a circle.
    pub(crate) fn highest(&self, leaders: Leaders) -> Leaders {
        let top = |l: &Leader| !leaders.iter().any(|other| self.outranks(other, *l));
        let found: Leaders = leaders.iter().filter(top).collect();
        if found.any() {
            return found;
        }
        // Those of the circle are equal: whoever is outranked by them and outranks none of them is below it.
        let below = |l: Leader| self.subordinates(l, leaders).with(l);
        leaders.iter().filter(|l| leaders.iter().all(|m| !below(m).has(*l) || below(*l).has(m))).collect()
    }

    /// The ranking leader; of equals the better fighter, where no lot is asked for.
    pub(crate) fn ranking(&self, leaders: Leaders) -> Option<Leader> {
        self.highest(leaders)
            .iter()
            .max_by_key(|l| (self.components.leader(*l).battle, std::cmp::Reverse(l.number())))
    }

    /// The ranking leader for a battle; of equals one by lot.
    pub(crate) fn first_by_lot(
        &self,
        leaders: Leaders,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> Option<Leader> {
        let top = self.highest(leaders);
        match top.len() {
            0 | 1 => top.first(),
            n => {
                umpire.cite(rule!("10.3"));
                let name =
                    |i: u16| top.nth(i.into()).map_or(String::new(), |l| self.leader_name(l).to_string());
                let drawn = umpire.draw(table::Readers::ALL, n as u16, &name);
                top.nth(drawn.into())
            }
        }
    }

    /// The leaders in an army who can come along under a leader.
    pub(crate) fn subordinates(&self, top: Leader, leaders: Leaders) -> Leaders {
        let mut tree = Set::one(top);
        loop {
            let more: Leaders =
                leaders.iter().filter(|l| tree.iter().any(|t| self.outranks(t, *l))).collect();
            if more.within(tree) {
                return tree.without(top);
            }
            tree |= more;
        }
    }

    /// Of these units, as many as fit under a leader and his subordinates, the strongest first; nothing if not even
    /// the subordinates fit.
    pub(crate) fn commanded(
        &self,
        o: &Open,
        seat: Seat,
        top: Leader,
        subs: Leaders,
        units: Units,
        element: Element,
    ) -> Option<Units> {
        self.commanded_first(o, seat, top, subs, units, Set::NONE, element)
    }

    /// The same, with others who are commanded as far as these leave room.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn commanded_first(
        &self,
        o: &Open,
        seat: Seat,
        top: Leader,
        subs: Leaders,
        first: Units,
        others: Units,
        element: Element,
    ) -> Option<Units> {
        let mut tree = Tree::default();
        self.grow(&mut tree, o, seat, top, subs, first, others, element)
    }

    /// Who is under whom in an army: each leader with his superior, the units under him by Power, and how many more
    /// could be.
    pub(crate) fn chain_of_command(
        &self,
        o: &Open,
        seat: Seat,
        top: Leader,
        leaders: Leaders,
        units: Units,
        element: Element,
    ) -> Vec<Rank> {
        let mut tree = Tree::default();
        if self.grow(&mut tree, o, seat, top, leaders.without(top), units, Set::NONE, element).is_none() {
            return Vec::new();
        }
        let rank = |l: usize| {
            let superior = (0..tree.count).find(|above| tree.under[24 + l][*above] > 0);
            let units = self.plot(o).present.iter().map(|power| (power, tree.under[power.number()][l]));
            Some(Rank {
                leader: tree.leaders[l]?,
                superior: superior.and_then(|above| tree.leaders[above]),
                units: units.filter(|(_, count)| *count > 0).collect(),
                room: tree.room[l].max(0) as u8,
            })
        };
        (0..tree.count).filter_map(rank).collect()
    }

    /// Pours subordinates and units into the leaders of an army.
    #[allow(clippy::too_many_arguments)]
    fn grow(
        &self,
        tree: &mut Tree,
        o: &Open,
        seat: Seat,
        top: Leader,
        subs: Leaders,
        first: Units,
        others: Units,
        element: Element,
    ) -> Option<Units> {
        let units = first | others;
        let c = &self.components;
        let alone = self.banned(o, seat, Forbidden::OtherPowers);
        for leader in [top].into_iter().chain(subs.without(top)).take(LEADERS) {
            tree.leaders[tree.count] = Some(leader);
            tree.room[tree.count] = c.leader(leader).command as i8;
            tree.count += 1;
        }
        let plot = self.plot(o);
        let mut powers: Set<Power> = Set::NONE;
        for power in plot.present {
            if !plot.roster.of_power[power].meets(units) {
                continue;
            }
            powers.insert(power);
            let religion = c.power(power).religion;
            for l in 0..tree.count {
                let Some(leader) = tree.leaders[l] else { continue };
                let own = c.leader(leader).power;
                tree.most[power.number()][l] = if own == power {
                    u8::MAX
                } else if alone || c.power(own).religion != religion {
                    0
                } else {
                    1
                };
            }
        }
        for sub in 1..tree.count {
            let Some(leader) = tree.leaders[sub] else { continue };
            for l in 0..tree.count {
                let own = |other: Leader| !alone || c.leader(other).power == c.leader(leader).power;
                let above = l != sub
                    && tree.leaders[l].is_some_and(|other| self.outranks(other, leader) && own(other));
                tree.most[24 + sub][l] = u8::from(above);
            }
            let carried = match element {
                Element::Land => tree.pour(24 + sub),
                Element::Sea => tree.most[24 + sub].contains(&1),
            };
            if !carried {
                return None;
            }
        }
        let mut fit = Set::NONE;
        // Strength, full before reduced, from the best down.
        for group in [first, others] {
            for want in (1..=4_u8).rev() {
                for power in powers {
                    let these = plot.roster.of_power[power] & group;
                    for unit in these {
                        if plot.roster.strength[unit][usize::from(o.reduced.has(unit))] == want
                            && tree.pour(power.number())
                        {
                            fit.insert(unit);
                        }
                    }
                }
            }
            if others.is_empty() {
                break;
            }
        }
        Some(fit)
    }

    /// Whether an army can be commanded as it is.
    pub(crate) fn can_command(
        &self,
        o: &Open,
        seat: Seat,
        top: Leader,
        leaders: Leaders,
        units: Units,
        element: Element,
    ) -> bool {
        leaders.without(top).within(self.subordinates(top, leaders))
            && self.commanded(o, seat, top, leaders.without(top), units, element) == Some(units)
    }

    /// The largest army that a leader can lead from among these.
    pub(crate) fn largest(
        &self,
        o: &Open,
        seat: Seat,
        top: Leader,
        leaders: Leaders,
        units: Units,
        element: Element,
    ) -> (Leaders, Units) {
        let mut subs = self.subordinates(top, leaders);
        loop {
            if let Some(fit) = self.commanded(o, seat, top, subs, units, element) {
                return (subs.with(top), fit);
            }
            // Rank and rating do not leave room for all: the least goes.
            match subs.iter().min_by_key(|l| self.components.leader(*l).command) {
                Some(least) => subs.remove(least),
                None => return (Set::one(top), Set::NONE),
            }
        }
    }

    /// The greatest strength that one leader in a space could bring, for the menace to a call [17.5].
    pub(crate) fn menace(&self, o: &Open, space: Space, seat: Seat) -> (i16, u8) {
        let (units, leaders) = self.outside(o, space, seat);
        let mut best = (0, 0);
        for top in self.highest(leaders) {
            let (led, army) = self.largest(o, seat, top, leaders, units, Element::Land);
            let strength = self.strength(o, army, led);
            if strength > best.0 {
                best = (strength, self.pace(o, army, led));
            }
        }
        best
    }

    /// The movement allowance of an army: that of its slowest.
    pub(crate) fn pace(&self, o: &Open, units: Units, leaders: Leaders) -> u8 {
        let slow = (units - self.plot(o).roster.cavalry).any()
            || leaders.iter().any(|l| self.components.leader(l).ma < 6);
        if slow { 4 } else { 6 }
    }
}

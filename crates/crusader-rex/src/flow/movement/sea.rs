//! Sea moves [5.4], and how the crusaders come [7.22, 7.23].

use table::scene::Manner;
use table::{Ballot, Readers, Seat, Set, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{Block, FRANK, Nation, Place, Port, Town, Way};
use crate::position::Position;

impl CrusaderRex {
    /// Whether a side may use a port [5.4, 6.51]: a plain one with its field, a besieged Tripoli or Tyre
    /// only from the castle.
    fn harbours(&self, p: &Position, t: Town, seat: Seat) -> bool {
        match (self.components.towns[t].port, self.besieged(p, t)) {
            (Port::No, _) => false,
            (Port::Fortified, Some(besieged)) => besieged == seat,
            _ => self.friendly(p, t, seat),
        }
    }

    /// The rules by which the harbours of besieged ports are open, where there are such [5.4, 6.51, 6.52].
    pub(in crate::flow) fn cite_harbours(
        &self,
        p: &Position,
        seat: Seat,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if !umpire.writes() {
            return;
        }
        for t in self.components.ports {
            let Some(besieged) = self.besieged(p, t) else { continue };
            umpire.cite(rule!("6.51"));
            if besieged == seat && self.components.towns[t].port == Port::Fortified {
                umpire.cite(rule!("5.4"));
                umpire.cite(rule!("6.52"));
            }
        }
    }

    /// Whether a block of a side may land in a port.
    fn may_land(&self, p: &Position, t: Town, seat: Seat) -> bool {
        if !self.harbours(p, t, seat) {
            return false;
        }
        if !p.here[t].meets(self.of(seat.other())) {
            return true;
        }
        // A siege: not in winter [8.1]; into a castle only while it has room [6.52].
        !p.open.is_winter()
            && (self.besieged(p, t) != Some(seat) || self.garrison(p, t).len() < self.rating(t))
    }

    /// Who may sail out of a port: from one that is friendly everybody, and from one that is attacked those
    /// who are not pinned [5.4, 5.5].
    fn sailors(&self, p: &Position, t: Town, seat: Seat) -> Set<Block> {
        let mine = (p.here[t] & self.of(seat)) - p.moved;
        if mine.is_empty() {
            return mine;
        }
        if self.harbours(p, t, seat) {
            let besieged = self.besieged(p, t) == Some(seat);
            return if besieged { mine & p.inside } else { mine - p.inside };
        }
        let fortified = self.components.towns[t].port == Port::Fortified;
        let held = p.open.attacked[seat.other()].has(t);
        let theirs = fortified && self.besieged(p, t).is_some();
        if held && !theirs && self.may_leave(p, t, seat) { mine - p.inside } else { Set::NONE }
    }

    /// Ports that the English may attack [7.22]: those that the Saracens control [6.51]. In winter only an
    /// empty one can be taken [8.1].
    fn may_assault(&self, p: &Position, t: Town) -> bool {
        let saracen = FRANK.other();
        if self.vacant(p, t) {
            return self.components.homes[saracen].has(t);
        }
        if p.open.is_winter() || p.open.attacked[saracen].has(t) {
            return false;
        }
        match (self.components.towns[t].port, self.besieged(p, t)) {
            (Port::Fortified, Some(besieged)) => besieged == saracen,
            _ => self.field(p, t, saracen).any(),
        }
    }

    /// Whether all three blocks of a nation have been drawn [7.21].
    #[inline]
    pub(crate) fn released(&self, p: &Position, nation: Nation) -> bool {
        self.components.nations[nation].iter().all(|b| p.place[b] != Place::Pool)
    }

    /// The crusaders of a nation that wait off the map and may come.
    fn waiting(&self, p: &Position, nation: Nation) -> Set<Block> {
        if !self.released(p, nation) {
            return Set::NONE;
        }
        self.staged(p, nation)
    }

    /// The crusaders of a nation that wait off the map.
    fn staged(&self, p: &Position, nation: Nation) -> Set<Block> {
        self.components.nations[nation].iter().filter(|b| p.place[*b] == Place::Staging).collect()
    }

    pub(super) fn list_sails(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let ports = self.components.ports;
        let mut landings = Set::NONE;
        let mut targets = Set::NONE;
        for t in ports {
            if self.may_land(p, t, seat) {
                landings.insert(t);
            }
            if seat == FRANK && self.may_assault(p, t) {
                targets.insert(t);
            }
        }
        let english = self.components.nations[Nation::English];
        let offer = |blocks: Set<Block>, from: Set<Town>, ballot: &mut dyn FnMut(Block)| {
            for b in blocks {
                let attacks = if english.has(b) { targets } else { Set::NONE };
                if !(landings | attacks).within(from) {
                    ballot(b);
                }
            }
        };
        for t in ports {
            let sailors = self.sailors(p, t, seat);
            if sailors.any() {
                offer(sailors, t.into(), &mut |b| ballot.allow(Action::Sail(b)));
            } else if ballot.explains() {
                let fortified = self.components.towns[t].port == Port::Fortified;
                let pinned = p.open.attacked[seat.other()].has(t);
                let (rule, why) = match self.besieged(p, t) {
                    Some(_) if fortified => (rule!("6.51"), "the port is not friendly"),
                    _ if pinned => (rule!("5.5"), "the attackers pin all blocks there"),
                    _ => (rule!("5.4"), "the port is not friendly"),
                };
                for b in (p.here[t] & self.of(seat)) - p.moved {
                    ballot.refuse(Action::Sail(b), rule, format_args!("{why}"));
                }
            }
        }
        if seat == FRANK {
            for nation in [Nation::English, Nation::French] {
                offer(self.waiting(p, nation), Set::NONE, &mut |b| ballot.allow(Action::Sail(b)));
                if ballot.explains() && !self.released(p, nation) {
                    for b in self.staged(p, nation) {
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

    pub(super) fn list_ports(
        &self,
        p: &Position,
        seat: Seat,
        b: Block,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let from = p.town(b);
        let english = self.components.nations[Nation::English].has(b);
        for t in self.components.ports.iter().filter(|t| Some(*t) != from) {
            if self.may_land(p, t, seat) {
                ballot.allow(Action::Land(t));
            } else if ballot.explains() {
                let besieged = self.besieged(p, t);
                let (rule, why) = if !self.harbours(p, t, seat) {
                    let fortified = self.components.towns[t].port == Port::Fortified;
                    let rule = if fortified && besieged.is_some() { rule!("6.51") } else { rule!("5.4") };
                    (rule, "the port is not friendly")
                } else if p.open.is_winter() {
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
                    if english && p.open.is_winter() { rule!("8.1") } else { rule!("7.22") },
                    format_args!("only the English attack by sea, and only an enemy port"),
                );
            }
        }
    }

    pub(super) fn list_germans(&self, p: &Position, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let released = self.released(p, Nation::German);
        for b in self.staged(p, Nation::German) {
            for (road, to) in self.components.entries() {
                let enter = Action::Enter(b, to);
                if !released {
                    ballot.refuse(
                        enter,
                        rule!("7.21"),
                        format_args!("its countrymen have not all been drawn"),
                    );
                } else if !self.has_room(p, FRANK, road) {
                    ballot.refuse(enter, rule!("5.1"), format_args!("that road is full"));
                } else if p.open.is_winter() && p.here[to].meets(self.of(FRANK.other())) {
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

    pub(super) fn sail(
        &self,
        p: &mut Position,
        seat: Seat,
        b: Block,
        to: Town,
        attack: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let from = p.town(b);
        if umpire.writes() {
            let port = to;
            let to = self.components.town_name(to);
            let (rule, verb) = if attack { (rule!("7.22"), "attacks") } else { (rule!("5.4"), "sails to") };
            match from {
                None => {
                    let name = self.components.block_name(b);
                    umpire.note(Readers::ALL, rule, format_args!("{name} {verb} {to} from over the sea"));
                }
                Some(from) => {
                    let name = self.components.town_name(from);
                    umpire.tell(
                        Readers::ALL,
                        rule,
                        format_args!("A block {verb} {to} by sea from {name}"),
                        &|| vec![self.trace(seat, 1, from, port, Manner::Sea)],
                    );
                }
            }
        }
        umpire.cite(rule!("1.14"));
        match from {
            None => {
                umpire.cite(rule!("7.22"));
                self.leave_staging(p, b);
            }
            Some(from) => {
                self.depart(p, b);
                self.lift_siege(p, from, umpire);
            }
        }
        p.moved.insert(b);
        p.put(b, to);
        if attack {
            // Only the English attack by sea [7.22].
            let english = self.among(p, b) & self.components.nations[Nation::English];
            self.know_among(p, b, english);
            self.meet(p, seat, b, to, Way::Sea);
            if p.here[to].meets(self.of(seat.other())) {
                p.landed.insert(b);
            }
        } else if self.besieged(p, to) == Some(seat) {
            p.inside.insert(b);
            umpire.cite(rule!("6.52"));
        }
        self.arrive(p, b);
        self.cite_control(p, from.unwrap_or(to), to, umpire);
    }

    /// A crusader leaves the staging area: everybody sees which.
    fn leave_staging(&self, p: &mut Position, b: Block) {
        p.open.known.insert(b);
        p.open.board.insert(b);
        p.open.seen[b] = Some(p.strength[b]);
    }

    pub(super) fn enter_from_north(
        &self,
        p: &mut Position,
        b: Block,
        to: Town,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some((entry, _)) = self.components.entries().find(|(_, town)| *town == to) else { return };
        self.leave_staging(p, b);
        p.moved.insert(b);
        p.put(b, to);
        p.open.used[entry] += 1;
        self.meet(p, FRANK, b, to, Way::Road(entry));
        self.arrive(p, b);
        if umpire.writes() {
            let (b, to) = (self.components.block_name(b), self.components.town_name(to));
            umpire.note(Readers::ALL, rule!("7.23"), format_args!("{b} enters {to}"));
        }
    }
}

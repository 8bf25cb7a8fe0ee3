//! Movement [17.0 to 22.0] and fleets [25.0]: forming a force, the dice, the way, attrition, arrival.

use table::{Ballot, Readers, Seat, Umpire, rule};

use super::{ARMENIAN, CRUSADER, Refused};
use crate::FirstCrusade;
use crate::action::{Action, Use};
use crate::data::{Contingent, NONE, SPACES};
use crate::position::{Cause, Close, March, Position, Step};
use crate::set::Set;

/// How far each space is from the marching force, and which ways lead through desert.
pub(crate) struct Reach {
    /// Movement points to each space; [`NONE`] where it cannot come.
    pub(crate) far: [u8; SPACES],
    /// Spaces whose nearest way leads through desert, or that are desert.
    pub(crate) dry: Set,
    /// Spaces in the order of their distance, the present one first.
    pub(crate) order: arrayvec::ArrayVec<u8, SPACES>,
}

impl FirstCrusade {
    /// The land units that march together when a contingent marches from a space.
    pub(crate) fn host(&self, p: &Position, s: u8, family: u8) -> Set {
        self.muster(p, s, family) - self.components.fleets
    }

    /// The fleets that sail together, with what they carry at sea, whoever that is [25.2, 32.3].
    fn squadron(&self, p: &Position, s: u8, family: u8) -> Set {
        let fleets = self.muster(p, s, family) & self.components.fleets;
        if self.components.seas.has(s) { fleets | self.carried(p, fleets) } else { fleets }
    }

    /// A contingent in a space; mercenaries go with the Crusaders if there are any [10.1].
    fn muster(&self, p: &Position, s: u8, family: u8) -> Set {
        let here = self.christians(p, s);
        let own = here & self.family(family);
        let mercenaries = here & self.of(Contingent::Mercenary);
        if mercenaries.is_empty() {
            return own;
        }
        let crusaders = (here & self.family(CRUSADER)).any();
        let others = (here - self.family(CRUSADER) - mercenaries).any();
        match family {
            CRUSADER if crusaders || !others => own | mercenaries,
            CRUSADER => own,
            _ if own.any() && !crusaders => own | mercenaries,
            _ => own,
        }
    }

    /// Who can be part of a contingent's force [10.1, 32.3].
    fn companions(&self, family: u8) -> Set {
        let all = self.family(family) | self.of(Contingent::Mercenary);
        if family == CRUSADER { all | Set::one(self.components.takitios) } else { all }
    }

    /// What a fleet of these units carries.
    fn carried(&self, p: &Position, fleets: Set) -> Set {
        let numbers = (fleets & self.components.fleets).each();
        numbers
            .map(|u| p.cargo[usize::from(self.components.fleet_number[usize::from(u)])])
            .filter(|u| *u != NONE)
            .collect()
    }

    /// Whether a supplied march can begin or end here [22.0].
    pub(crate) fn is_haven(&self, p: &Position, s: u8) -> bool {
        let fort = self.is_fort(p, s) && !p.massacres.has(s) && !p.sieges.has(s);
        self.controlled(p, s) && fort || (p.camps.has(s) && self.christians(p, s).any())
    }

    pub(super) fn list_moves<B: Ballot<Action> + ?Sized>(
        &self,
        p: &Position,
        s: u8,
        f: u8,
        tell: &mut impl FnMut(Action, Result<(), Refused>, &mut B),
        ballot: &mut B,
    ) {
        let c = &self.components;
        let sea = c.seas.has(s);
        let host = if sea { Set::NONE } else { self.host(p, s, f) };
        if host.any() {
            let may = self.may_act(p, f, host);
            tell(Action::March(s, f), may, ballot);
            if host.len() > 1 && s != c.capital && (c.fortresses.has(s) || p.castles.has(s)) {
                tell(Action::Advance(s, f), may, ballot);
            }
            let supplied = may.and_then(|()| {
                if self.is_haven(p, s) {
                    Ok(())
                } else {
                    Err((rule!("22.0"), "a supplied march begins in a fortress or a camp"))
                }
            });
            tell(Action::SuppliedMarch(s, f), supplied, ballot);
            if host.len() > 1 || (self.christians(p, s) & (self.companions(f) - c.fleets)).len() > 1 {
                tell(Action::Form(s, f), may, ballot);
            }
        }
        let fleets = self.squadron(p, s, f) & c.fleets;
        if fleets.any() {
            tell(Action::Fleet(s, f), self.may_act(p, f, fleets), ballot);
        } else if host.any() && c.ports.has(s) {
            tell(Action::Fleet(s, f), Err((rule!("25.1"), "only fleets go to sea")), ballot);
        }
        if p.table.sieges && p.sieges.has(s) && host.any() {
            let may = self.may_act(p, f, host);
            tell(Action::AttackFrom(s, f), may, ballot);
            tell(Action::SiegeAttack(s, f), may, ballot);
        }
    }

    /// A force is formed, or all march at once.
    pub(super) fn set_out<U: Umpire + ?Sized>(&self, p: &mut Position, action: Action, umpire: &mut U) {
        let (s, f, sea) = match action {
            Action::March(s, f)
            | Action::Advance(s, f)
            | Action::SuppliedMarch(s, f)
            | Action::Form(s, f) => (s, f, false),
            Action::Fleet(s, f) => (s, f, true),
            _ => return,
        };
        let force = if sea { self.squadron(p, s, f) } else { self.host(p, s, f) };
        p.march = March { force, start: s, at: s, family: f, sea, ..March::NONE };
        if let Action::Advance(..) = action
            && let Some(u) = self.keeper(p, force)
        {
            p.march.force.remove(u);
        }
        match action {
            Action::March(..) | Action::Advance(..) => self.roll_march(p, false, umpire),
            Action::SuppliedMarch(..) => self.roll_march(p, true, umpire),
            _ => p.agenda.push(Step::Force),
        }
    }

    /// Who holds a place while the others march: no leader, and the weakest.
    pub(crate) fn keeper(&self, p: &Position, force: Set) -> Option<u8> {
        force.each().min_by_key(|u| {
            let unit = &self.components.units[usize::from(*u)];
            let leads = self.components.leaders.has(*u);
            (leads, unit.combat[usize::from(p.reduced.has(*u))], *u)
        })
    }

    pub(super) fn list_force<B: Ballot<Action> + ?Sized>(&self, p: &Position, ballot: &mut B) {
        let m = &p.march;
        let c = &self.components;
        let all = if m.sea { self.squadron(p, m.start, m.family) } else { self.host(p, m.start, m.family) };
        let at_sea = c.seas.has(m.start);
        let here = self.christians(p, m.start) & self.companions(m.family);
        let counted = if m.sea { c.fleets } else { c.christians - c.fleets };
        ballot.allow(Action::Roll);
        if self.is_haven(p, m.start) {
            ballot.allow(Action::RollSupplied);
        } else if ballot.explains() {
            ballot.refuse(
                Action::RollSupplied,
                rule!("22.0"),
                format_args!("a supplied march begins in a fortress or a camp"),
            );
        }
        let members = m.force & counted;
        if !m.picking && members.len() > 1 {
            let laden = if m.sea && !at_sea { self.carrying(p, members) } else { Set::NONE };
            for u in (self.one_of_each(p, members & (all - laden))).each() {
                ballot.allow(Action::Leave(u));
            }
        } else if !m.picking && ballot.explains() {
            for u in members.each() {
                ballot.refuse(Action::Leave(u), rule!("10.0"), format_args!("a force has at least one unit"));
            }
        }
        if m.force == all && !m.picking && members.len() > 1 {
            for u in self.one_of_each(p, members).each() {
                ballot.allow(Action::Only(u));
            }
        }
        let more = (here & counted) - m.force;
        let more = if m.picking { more } else { more - all };
        for u in self.one_of_each(p, more).each() {
            ballot.allow(Action::Take(u));
        }
        if m.sea && !at_sea {
            let ashore = here - c.fleets - m.force;
            let room = (self.carried(p, members)).len() < members.len();
            for u in self.one_of_each(p, ashore).each() {
                if room {
                    ballot.allow(Action::Embark(u));
                } else if ballot.explains() {
                    let why = format_args!("each fleet carries one unit");
                    ballot.refuse(Action::Embark(u), rule!("25.3"), why);
                }
            }
        }
        if ballot.explains() {
            let strangers = self.christians(p, m.start) & (counted - self.companions(m.family));
            for u in strangers.each() {
                let armenian = m.family == ARMENIAN || self.family_of(u) == ARMENIAN;
                let rule = if armenian { rule!("30.2") } else { rule!("12.5") };
                ballot.refuse(Action::Take(u), rule, format_args!("a force is of one contingent"));
            }
        }
    }

    /// The fleets among these that carry something.
    fn carrying(&self, p: &Position, fleets: Set) -> Set {
        let laden = |u: &u8| p.cargo[usize::from(self.components.fleet_number[usize::from(*u)])] != NONE;
        (fleets & self.components.fleets).each().filter(laden).collect()
    }

    pub(super) fn form<U: Umpire + ?Sized>(&self, p: &mut Position, action: Action, umpire: &mut U) {
        let at_sea = self.components.seas.has(p.march.start);
        match action {
            Action::Leave(u) => {
                p.march.force.remove(u);
                if at_sea {
                    let cargo = self.carried(p, Set::one(u));
                    p.march.force -= cargo;
                }
            }
            Action::Only(u) => {
                p.march.force = Set::one(u);
                p.march.picking = true;
                if at_sea {
                    let cargo = self.carried(p, Set::one(u));
                    p.march.force |= cargo;
                }
            }
            Action::Take(u) => {
                p.march.force.insert(u);
                if at_sea {
                    let cargo = self.carried(p, Set::one(u));
                    p.march.force |= cargo;
                }
            }
            Action::Embark(u) => {
                let fleets = p.march.force & self.components.fleets;
                // The soundest ships are laden first.
                let free = fleets - self.carrying(p, fleets);
                let best = free.each().max_by_key(|f| {
                    (self.components.two_steps.has(*f) && !p.reduced.has(*f), std::cmp::Reverse(*f))
                });
                if let Some(fleet) = best {
                    p.cargo[usize::from(self.components.fleet_number[usize::from(fleet)])] = u;
                    p.march.force.insert(u);
                }
            }
            Action::Roll | Action::RollSupplied => {
                p.agenda.pop();
                self.roll_march(p, action == Action::RollSupplied, umpire);
            }
            _ => {}
        }
    }

    /// The dice of a move [18.1, 19.1, 20.1, 21.0].
    fn roll_march<U: Umpire + ?Sized>(&self, p: &mut Position, supplied: bool, umpire: &mut U) {
        p.agenda.pop();
        self.pay(p, 1);
        umpire.cite(rule!("17.3"));
        umpire.cite(rule!("12.6"));
        if (p.camps | p.castles | p.monasteries).has(p.march.start) {
            umpire.cite(rule!("33.4"));
        }
        let led = (p.march.force & self.components.leaders).any();
        let dice = if led { 2 } else { 1 };
        let mut roll = 0;
        for _ in 0..dice {
            roll += umpire.roll(6);
        }
        let mut havens = Set::NONE;
        if supplied {
            for s in 0..self.components.spaces.len() as u8 {
                if self.is_haven(p, s) {
                    havens.insert(s);
                }
            }
        }
        let m = &mut p.march;
        m.joined = m.force;
        m.dice = dice;
        m.roll = roll;
        m.left = roll;
        m.supplied = supplied;
        m.havens = havens;
        let spurred = self.spurred(p);
        p.march.left += spurred;
        if umpire.writes() {
            let rule = match (p.march.sea, led) {
                (false, false) => rule!("18.1"),
                (false, true) => rule!("19.1"),
                (true, false) => rule!("20.1"),
                (true, true) => rule!("21.0"),
            };
            let more = if spurred > 0 { format!(", and {spurred} for the horses") } else { String::new() };
            umpire.note(
                Readers::ALL,
                rule,
                format_args!(
                    "{} {} in {} set out with {} units: {roll} movement points{more}",
                    if p.march.sea { "ships of the" } else { "the" },
                    Contingent::FORCES[usize::from(p.march.family)].name(),
                    self.components.space_name(p.march.start),
                    p.march.force.len(),
                ),
            );
            if supplied {
                umpire.cite(rule!("22.0"));
            }
            if spurred > 0 {
                umpire.cite(rule!("opt-35.1"));
            }
        }
        p.agenda.push(Step::March);
    }

    /// The points that a force of fresh cavalry has more [opt-35.1].
    fn spurred(&self, p: &Position) -> u8 {
        let riders = self.components.horse | self.components.archers;
        let m = &p.march;
        if p.table.cavalry && !m.sea && m.force.within(riders) && (m.force & p.reduced).is_empty() {
            m.dice
        } else {
            0
        }
    }

    /// Where titled leaders and Armenians may go; `None` where everywhere.
    fn bounds(&self, p: &Position) -> Option<(Set, Refused)> {
        if p.march.family == ARMENIAN {
            let why = "Armenians go no further than two spaces from Armenia";
            return Some((self.components.armenian_range, (rule!("30.2"), why)));
        }
        self.realm_of(p, p.march.force)
            .map(|realm| (realm, (rule!("opt-36.4"), "a king stays in his capital or beside it")))
    }

    /// Whether the force must stop where it enters.
    fn must_stop(&self, p: &Position, s: u8) -> bool {
        let c = &self.components;
        s == c.capital || s == c.jerusalem || self.muslims(p, s).any() || (p.march.sea && c.ports.has(s))
    }

    /// Whether the force may enter a space, ways and points apart.
    fn may_enter(&self, p: &Position, s: u8, bounds: Option<(Set, Refused)>) -> Result<(), Refused> {
        if let Some((bounds, why)) = bounds
            && !p.march.sea
            && !bounds.has(s)
        {
            return Err(why);
        }
        if s == self.components.jerusalem && self.muslims(p, s).any() && self.actions_left(p) == 0 {
            return Err((rule!("29.3"), "to enter and attack Jerusalem takes two actions"));
        }
        Ok(())
    }

    /// All spaces that the force can come to with the points it has left.
    pub(crate) fn reach(&self, p: &Position) -> Reach {
        let m = &p.march;
        let mut reach = Reach { far: [NONE; SPACES], dry: Set::NONE, order: arrayvec::ArrayVec::new() };
        let bounds = self.bounds(p);
        reach.far[usize::from(m.at)] = 0;
        reach.order.push(m.at);
        let mut next = 0;
        while next < reach.order.len() {
            let s = reach.order[next];
            next += 1;
            let distance = reach.far[usize::from(s)];
            if distance >= m.left || (s != m.at && self.must_stop(p, s)) {
                continue;
            }
            let space = &self.components.spaces[usize::from(s)];
            let ways = if m.sea { &space.sea } else { &space.roads };
            for to in ways.iter().copied() {
                let parched = reach.dry.has(s) || self.components.deserts.has(to);
                let known = &mut reach.far[usize::from(to)];
                if *known == NONE {
                    if self.may_enter(p, to, bounds).is_ok() {
                        *known = distance + 1;
                        reach.order.push(to);
                        if parched {
                            reach.dry.insert(to);
                        }
                    }
                } else if *known == distance + 1 && !parched && !self.components.deserts.has(to) {
                    // As near, and not through the desert.
                    reach.dry.remove(to);
                }
            }
        }
        reach
    }

    /// Whether ending the move in a space would break the stacking rules.
    fn crowds(&self, p: &Position, s: u8) -> bool {
        self.crowded(p, s, self.christians(p, s) | p.march.force)
    }

    pub(super) fn list_march<B: Ballot<Action> + ?Sized>(&self, p: &Position, seat: Seat, ballot: &mut B) {
        let m = &p.march;
        let c = &self.components;
        if m.engaged {
            self.list_boons(p, seat, ballot);
            ballot.allow(Action::Stop);
            return;
        }
        let explains = ballot.explains();
        let reach = self.reach(p);
        let mut onward = false;
        for s in reach.order.iter().skip(1).copied() {
            let ends = reach.far[usize::from(s)] >= m.left || self.must_stop(p, s);
            if ends && self.crowds(p, s) {
                if explains {
                    let why = format_args!("it would have to end among another contingent");
                    ballot.refuse(Action::Go(s), rule!("10.1"), why);
                }
            } else {
                onward = true;
                ballot.allow(Action::Go(s));
            }
        }
        let bounds = self.bounds(p);
        if !m.sea {
            for s in c.spaces[usize::from(m.at)].passes.iter().copied() {
                let verdict = if m.moved {
                    Err((rule!("17.5"), "a pass takes the whole move, from where it begins"))
                } else if (m.force & c.leaders).is_empty() {
                    Err((rule!("17.5"), "only a force with a leader crosses a pass"))
                } else if self.crowds(p, s) {
                    Err((rule!("10.1"), "it would have to end among another contingent"))
                } else {
                    self.may_enter(p, s, bounds)
                };
                match verdict {
                    Ok(()) => {
                        onward = true;
                        ballot.allow(Action::Cross(s));
                    }
                    Err((rule, why)) if explains => {
                        ballot.refuse(Action::Cross(s), rule, format_args!("{why}"));
                    }
                    Err(_) => {}
                }
            }
        }
        if onward && self.crowds(p, m.at) {
            if explains {
                let why = format_args!("contingents may not end an action together here");
                ballot.refuse(Action::Stop, rule!("10.1"), why);
            }
        } else {
            ballot.allow(Action::Stop);
        }
        let counted = if m.sea { c.fleets } else { c.christians };
        let members = m.force & counted;
        if members.len() > 1 && m.moved {
            for u in self.one_of_each(p, members).each() {
                ballot.allow(Action::Leave(u));
            }
        }
        if m.moved {
            let more = self.christians(p, m.at) & (self.companions(m.family) - m.joined);
            let more = if m.sea { more & c.fleets } else { more - c.fleets };
            for u in self.one_of_each(p, more).each() {
                ballot.allow(Action::Take(u));
            }
        }
        if explains {
            self.explain_march(p, &reach, bounds, ballot);
        }
    }

    /// Why the force cannot go to the spaces next to those it can reach.
    fn explain_march<B: Ballot<Action> + ?Sized>(
        &self,
        p: &Position,
        reach: &Reach,
        bounds: Option<(Set, Refused)>,
        ballot: &mut B,
    ) {
        let m = &p.march;
        let c = &self.components;
        let mut told = Set::NONE;
        for s in reach.order.iter().copied() {
            let space = &c.spaces[usize::from(s)];
            let ways = if m.sea { &space.sea } else { &space.roads };
            for to in ways.iter().copied() {
                if reach.far[usize::from(to)] != NONE || told.has(to) {
                    continue;
                }
                told.insert(to);
                let action = Action::Go(to);
                if let Err((rule, why)) = self.may_enter(p, to, bounds) {
                    ballot.refuse(action, rule, format_args!("{why}"));
                } else if s != m.at && self.must_stop(p, s) {
                    let (rule, why) = if s == c.capital {
                        (rule!("29.1"), "the move ends in Constantinople")
                    } else if s == c.jerusalem {
                        (rule!("29.3"), "the move ends in Jerusalem")
                    } else if m.sea {
                        (rule!("20.2"), "a fleet that enters a port stops there")
                    } else {
                        (rule!("10.4"), "Muslims on the way stop the force")
                    };
                    ballot.refuse(action, rule, format_args!("{why}"));
                } else {
                    let rule = if m.sea { rule!("20.1") } else { rule!("17.4") };
                    ballot.refuse(action, rule, format_args!("{} movement points are left", m.left));
                }
            }
        }
        let here = &c.spaces[usize::from(m.at)];
        let (others, why) = if m.sea {
            (&here.roads, "a force at sea makes no land move in the same action")
        } else {
            (&here.sea, "land units cross the sea only aboard fleets")
        };
        for to in others.iter().copied().filter(|to| reach.far[usize::from(*to)] == NONE && !told.has(*to)) {
            let rule = if m.sea { rule!("20.3") } else { rule!("25.1") };
            ballot.refuse(Action::Go(to), rule, format_args!("{why}"));
        }
    }

    pub(super) fn on_the_march<U: Umpire + ?Sized>(&self, p: &mut Position, action: Action, umpire: &mut U) {
        match action {
            Action::Go(s) => {
                let reach = self.reach(p);
                let distance = reach.far[usize::from(s)];
                umpire.cite(rule!("17.2"));
                if self.crowds(p, s) {
                    umpire.cite(rule!("10.2"));
                }
                p.march.left -= distance;
                p.march.desert |= reach.dry.has(s);
                self.enter(p, s, umpire);
            }
            Action::Cross(s) => {
                p.march.left = 0;
                p.march.desert |= self.components.deserts.has(s);
                umpire.note(
                    Readers::ALL,
                    rule!("17.5"),
                    format_args!("the force crosses the pass to {}", self.components.space_name(s)),
                );
                self.enter(p, s, umpire);
            }
            Action::Leave(u) => {
                p.march.force.remove(u);
                if p.march.sea {
                    let cargo = self.carried(p, Set::one(u));
                    p.march.force -= cargo;
                }
                umpire.cite(rule!("17.4"));
            }
            Action::Take(u) => {
                let with = if p.march.sea { self.carried(p, Set::one(u)) } else { Set::NONE };
                p.march.force |= with | Set::one(u);
                p.march.joined |= with | Set::one(u);
                umpire.cite(rule!("17.4"));
            }
            _ => p.agenda.replace(Step::Close(Close::Attrition)),
        }
    }

    /// The force enters a space.
    fn enter<U: Umpire + ?Sized>(&self, p: &mut Position, s: u8, umpire: &mut U) {
        for u in p.march.force.each() {
            p.put(u, s);
        }
        p.march.at = s;
        p.march.moved = true;
        let muslims = self.muslims(p, s);
        if muslims.any() {
            if s == self.components.jerusalem {
                self.pay(p, 1);
                umpire.note(
                    Readers::ALL,
                    rule!("29.3"),
                    format_args!("a second action is spent before Jerusalem"),
                );
            }
            self.reveal(p, s, umpire);
            p.march.engaged = true;
            umpire.cite(rule!("17.6"));
        }
        let stops = self.must_stop(p, s) || p.march.left == 0;
        let slips = p.march.engaged && self.asks_passage(p);
        if umpire.writes() && stops {
            let rule = match s {
                _ if s == self.components.capital => rule!("29.1"),
                _ if s == self.components.jerusalem => rule!("29.3"),
                _ if p.march.sea && self.components.ports.has(s) => rule!("20.2"),
                _ => rule!("17.1"),
            };
            umpire.note(
                Readers::ALL,
                rule,
                format_args!("the force comes to {}", self.components.space_name(s)),
            );
        }
        if stops && !slips {
            p.agenda.replace(Step::Close(Close::Attrition));
        }
    }

    /// Whether the force, stopped by Muslims, could slip by [boon.treachery].
    fn asks_passage(&self, p: &Position) -> bool {
        let seat = self.seat_of(p, p.march.family);
        p.march.left > 0
            && p.march.at != self.components.jerusalem
            && p.boons[seat.index()] & self.boons_for(Use::Passage) != 0
    }

    /// Whether the roll of a move calls for an attrition check [18.1, 19.1, 20.1, 21.0].
    fn wears(&self, m: &March) -> bool {
        match (m.sea, m.dice, m.roll) {
            (_, 1, 6) | (_, 2, 7) | (true, 2, 8) => true,
            (false, 1, 5) | (false, 2, 8) => m.desert,
            _ => false,
        }
    }

    pub(super) fn close_march<U: Umpire + ?Sized>(&self, p: &mut Position, close: Close, umpire: &mut U) {
        match close {
            Close::Attrition => {
                p.agenda.replace(Step::Close(Close::Contact));
                let m = p.march;
                let together = m.joined == m.force;
                p.march.supplied = m.supplied && m.moved && together && m.at != m.start && m.havens.has(m.at);
                if m.supplied && !p.march.supplied {
                    let why = "the march did not end in another haven, so it was not supplied";
                    umpire.note(Readers::ALL, rule!("22.0"), format_args!("{why}"));
                }
                if p.march.supplied && self.wears(&m) {
                    umpire.note(
                        Readers::ALL,
                        rule!("22.0"),
                        format_args!("the march was supplied: no attrition"),
                    );
                } else if self.wears(&m) {
                    self.attrition(p, umpire);
                }
            }
            Close::Contact => {
                p.agenda.replace(Step::Close(Close::Camp));
                self.contact(p, umpire);
            }
            Close::Camp => {
                let m = p.march;
                let camp = |s: u8| p.camps.has(s) && !self.is_fort(p, s);
                match (m.supplied, camp(m.start), camp(m.at)) {
                    (true, true, true) => p.agenda.replace(Step::Camps),
                    (true, true, false) => {
                        self.spend_camp(p, m.start, umpire);
                        p.agenda.pop();
                        self.end_march(p);
                    }
                    (true, false, true) => {
                        self.spend_camp(p, m.at, umpire);
                        p.agenda.pop();
                        self.end_march(p);
                    }
                    _ => {
                        p.agenda.pop();
                        self.end_march(p);
                    }
                }
            }
        }
    }

    pub(super) fn end_march(&self, p: &mut Position) {
        p.march = March::NONE;
    }

    pub(super) fn spend_camp<U: Umpire + ?Sized>(&self, p: &mut Position, s: u8, umpire: &mut U) {
        p.camps.remove(s);
        umpire.note(
            Readers::ALL,
            rule!("22.1"),
            format_args!("the camp in {} is used up", self.components.space_name(s)),
        );
    }

    /// One die: so many units are spared [18.2].
    fn attrition<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let joined: Set = p.march.joined.each().filter(|u| p.on_map(*u)).collect();
        // Cargo suffers only with its ship [25.3].
        let pool = if p.march.sea { joined & self.components.fleets } else { joined };
        let die = umpire.roll(6);
        let left = pool.len().saturating_sub(die);
        let dry = if p.march.desert { " in the desert" } else { "" };
        umpire.note(
            Readers::ALL,
            rule!("18.2"),
            format_args!("attrition{dry}: {die} of {} units are spared, {left} lose a step", pool.len()),
        );
        if left > 0 {
            p.pool = pool;
            p.agenda.push(Step::Losses { left, cause: Cause::March });
        }
    }

    /// Cargo goes ashore in port, and enemies are met [20.2, 25.4].
    fn contact<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let (at, sea) = (p.march.at, p.march.sea);
        if sea && self.components.ports.has(at) {
            for u in (p.march.force & self.components.fleets).each() {
                p.cargo[usize::from(self.components.fleet_number[usize::from(u)])] = NONE;
            }
            umpire.cite(rule!("25.2"));
        }
        let force: Set = p.march.force & p.here[usize::from(at)];
        if p.march.moved && self.controlled(p, at) {
            umpire.cite(rule!("10.5"));
            if self.components.fortresses.has(at) {
                umpire.cite(rule!("26.6"));
            }
            if (p.camps | p.castles | p.monasteries).has(at) {
                umpire.cite(rule!("10.3"));
            }
            if p.march.force.has(self.components.takitios) && p.march.family == CRUSADER {
                umpire.cite(rule!("32.3"));
            }
        }
        // A force that never left a siege need not attack [17.6].
        if self.muslims(p, at).is_empty() || force.is_empty() || !p.march.moved {
            return;
        }
        if sea {
            umpire.cite(rule!("25.4"));
        }
        if self.opens_gate(p, at, force) {
            p.agenda.push(Step::Gate);
        } else {
            self.fight(p, at, force, p.march.family, umpire);
        }
    }
}

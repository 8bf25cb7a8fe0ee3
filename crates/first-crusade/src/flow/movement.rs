//! Movement [17.0 to 22.0] and fleets [25.0]: forming a force, the dice, the way, attrition, arrival.

use arrayvec::ArrayVec;
use table::scene::Manner;
use table::{Ballot, Id, Map, Readers, Set, Umpire, rule};

use super::Refused;
use crate::FirstCrusade;
use crate::action::{Action, Use};
use crate::data::{Contingent, Family, Space, Unit};
use crate::position::{Cause, Close, March, Position, Step};
use crate::words::{Host, count, units};

/// How far each space is from the marching force, and which ways lead through desert.
pub(crate) struct Ways {
    /// Movement points to each space that it can come to.
    pub(crate) far: Map<Space, Option<u8>>,
    /// Spaces whose nearest way leads through desert, or that are desert.
    pub(crate) dry: Set<Space>,
    /// Spaces in the order of their distance, the present one first.
    pub(crate) order: ArrayVec<Space, { Space::COUNT }>,
}

/// Where a force may be, and why nowhere else.
type Bounds = Option<(Set<Space>, Refused)>;

impl FirstCrusade {
    /// The land units that march together when a contingent marches from a space.
    pub(crate) fn host(&self, p: &Position, s: Space, family: Family) -> Set<Unit> {
        self.muster(p, s, family) - self.components.fleets
    }

    /// The fleets that sail together, with what they carry at sea, whoever that is [25.2, 32.3].
    fn squadron(&self, p: &Position, s: Space, family: Family) -> Set<Unit> {
        let fleets = self.muster(p, s, family) & self.components.fleets;
        if self.components.seas.has(s) { fleets | self.carried(p, fleets) } else { fleets }
    }

    /// A contingent in a space; mercenaries go with the Crusaders if there are any [10.1], or if the others there
    /// take no actions [30.1, 32.2].
    pub(crate) fn muster(&self, p: &Position, s: Space, family: Family) -> Set<Unit> {
        let here = self.christians(p, s);
        let own = here & self.family(family);
        let mercenaries = here & self.of(Contingent::Mercenary);
        if mercenaries.is_empty() {
            return own;
        }
        let crusaders = (here & self.family(Family::Crusader)).any();
        let active = |f: Family| (here & self.family(f)).any() && self.may_act(p, f, here).is_ok();
        let others = active(Family::Byzantine) || active(Family::Armenian);
        match family {
            Family::Crusader if crusaders || !others => own | mercenaries,
            Family::Crusader => own,
            _ if own.any() && !crusaders => own | mercenaries,
            _ => own,
        }
    }

    /// Who can be part of a contingent's force [10.1, 32.3]: Takitios while Byzantines may act at all.
    fn companions(&self, p: &Position, family: Family) -> Set<Unit> {
        let all = self.family(family) | self.of(Contingent::Mercenary);
        let takitios = family == Family::Crusader && self.may_act(p, Family::Byzantine, Set::NONE).is_ok();
        if takitios { all | Set::one(self.components.takitios) } else { all }
    }

    /// Why a unit of another contingent cannot be part of a force.
    fn why_a_stranger(&self, p: &Position, family: Family, u: Unit) -> Refused {
        let byzantine = self.may_act(p, Family::Byzantine, Set::NONE);
        match byzantine {
            Err(why) if family == Family::Crusader && u == self.components.takitios => why,
            _ if family == Family::Armenian || self.family_of(u) == Family::Armenian => {
                (rule!("30.2"), "a force is of one contingent")
            }
            _ => (rule!("12.5"), "a force is of one contingent"),
        }
    }

    /// What a fleet of these units carries.
    pub(crate) fn carried(&self, p: &Position, fleets: Set<Unit>) -> Set<Unit> {
        (fleets & self.components.fleets).iter().filter_map(|u| self.cargo(p, u)).collect()
    }

    /// Whether a supplied march can begin or end here [22.0].
    pub(crate) fn is_haven(&self, p: &Position, s: Space) -> bool {
        let fort = self.is_fort(p, s) && !p.massacres.has(s) && !p.sieges.has(s);
        self.controlled(p, s) && fort || (p.camps.has(s) && self.christians(p, s).any())
    }

    pub(super) fn list_moves<B: Ballot<Action> + ?Sized>(
        &self,
        p: &Position,
        s: Space,
        f: Family,
        tell: &mut impl FnMut(Action, Result<(), Refused>, &mut B),
        ballot: &mut B,
    ) {
        let c = &self.components;
        let sea = c.seas.has(s);
        let host = if sea { Set::NONE } else { self.host(p, s, f) };
        let may = self.may_act(p, f, self.christians(p, s));
        if host.any() {
            tell(Action::March(s, f), may, ballot);
            if host.len() > 1 && s != c.capital && (c.fortresses.has(s) || p.castles.has(s)) {
                tell(Action::Advance(s, f), may, ballot);
            }
            let supplied = may.and_then(|()| match self.is_haven(p, s) {
                true => Ok(()),
                false if p.massacres.has(s) => Err((rule!("opt-34.6b"), "a plundered fortress feeds nobody")),
                false => Err((rule!("22.0"), "a supplied march begins in a fortress or a camp")),
            });
            tell(Action::SuppliedMarch(s, f), supplied, ballot);
            if host.len() > 1 || (self.christians(p, s) & (self.companions(p, f) - c.fleets)).len() > 1 {
                tell(Action::Form(s, f), may, ballot);
            }
        }
        let fleets = self.squadron(p, s, f) & c.fleets;
        if fleets.any() {
            tell(Action::Fleet(s, f), may, ballot);
        } else if host.any() && c.ports.has(s) {
            let hired = self.christians(p, s).meets(self.of(Contingent::Mercenary) & c.fleets);
            let why = match hired {
                true => (rule!("10.1"), "hired ships go with the Crusaders here"),
                false => (rule!("25.1"), "only fleets go to sea"),
            };
            tell(Action::Fleet(s, f), Err(why), ballot);
        } else if f == Family::Crusader
            && host.is_empty()
            && self.christians(p, s).meets(self.of(Contingent::Mercenary) - c.fleets)
            && !sea
        {
            let why = "mercenaries go with those who stand with them";
            tell(Action::March(s, f), Err((rule!("10.1"), why)), ballot);
        }
        if p.table.sieges && p.sieges.has(s) && (host.any() || fleets.any()) {
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
        let mut force = if sea { self.squadron(p, s, f) } else { self.host(p, s, f) };
        if let Action::Advance(..) = action
            && let Some(u) = self.keeper(p, force)
        {
            umpire.cite(rule!("17.4"));
            force.remove(u);
        }
        p.march = Some(March::forming(force, s, f, sea));
        match action {
            Action::March(..) | Action::Advance(..) => self.roll_march(p, false, umpire),
            Action::SuppliedMarch(..) => self.roll_march(p, true, umpire),
            _ => p.agenda.push(Step::Force),
        }
    }

    /// Who holds a place while the others march: no leader, and the weakest.
    pub(crate) fn keeper(&self, p: &Position, force: Set<Unit>) -> Option<Unit> {
        force.iter().min_by_key(|u| {
            let unit = &self.components.units[*u];
            let leads = self.components.leaders.has(*u);
            (leads, unit.factor(p.reduced.has(*u)), *u)
        })
    }

    pub(super) fn list_force<B: Ballot<Action> + ?Sized>(&self, p: &Position, ballot: &mut B) {
        let Some(m) = &p.march else { return };
        let c = &self.components;
        let all = if m.sea { self.squadron(p, m.start, m.family) } else { self.host(p, m.start, m.family) };
        let at_sea = c.seas.has(m.start);
        let here = self.christians(p, m.start) & self.companions(p, m.family);
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
            for u in (self.one_of_each(p, members & (all - laden))).iter() {
                ballot.allow(Action::Leave(u));
            }
        } else if !m.picking && ballot.explains() {
            for u in members.iter() {
                ballot.refuse(Action::Leave(u), rule!("10.0"), format_args!("a force has at least one unit"));
            }
        }
        if m.force == all && !m.picking && members.len() > 1 {
            for u in self.one_of_each(p, members).iter() {
                ballot.allow(Action::Only(u));
            }
        }
        let more = (here & counted) - m.force;
        let more = if m.picking { more } else { more - all };
        for u in self.one_of_each(p, more).iter() {
            ballot.allow(Action::Take(u));
        }
        if m.sea && !at_sea {
            let ashore = here - c.fleets - m.force;
            let room = (self.carried(p, members)).len() < members.len();
            for u in self.one_of_each(p, ashore).iter() {
                if room {
                    ballot.allow(Action::Embark(u));
                } else if ballot.explains() {
                    let why = format_args!("each fleet carries one unit");
                    ballot.refuse(Action::Embark(u), rule!("25.3"), why);
                }
            }
        }
        if ballot.explains() {
            let strangers = self.christians(p, m.start) - self.companions(p, m.family);
            for u in strangers.iter() {
                let (rule, why) = self.why_a_stranger(p, m.family, u);
                if counted.has(u) {
                    ballot.refuse(Action::Take(u), rule, format_args!("{why}"));
                } else if m.sea && !at_sea {
                    ballot.refuse(Action::Embark(u), rule, format_args!("{why}"));
                }
            }
        }
    }

    /// The fleets among these that carry something.
    pub(super) fn carrying(&self, p: &Position, fleets: Set<Unit>) -> Set<Unit> {
        (fleets & self.components.fleets).iter().filter(|u| self.cargo(p, *u).is_some()).collect()
    }

    pub(super) fn form<U: Umpire + ?Sized>(&self, p: &mut Position, action: Action, umpire: &mut U) {
        let Some(mut m) = p.march else { return };
        // At sea a ship and what it carries go together.
        let at_sea = self.components.seas.has(m.start);
        let laden = |p: &Position, u: Unit| {
            if at_sea { self.carried(p, Set::one(u)).with(u) } else { Set::one(u) }
        };
        if let Action::Leave(_) | Action::Only(_) | Action::Take(_) = action {
            umpire.cite(rule!("10.0"));
        }
        match action {
            Action::Leave(u) => m.force -= laden(p, u),
            Action::Only(u) => {
                m.force = laden(p, u);
                m.picking = true;
            }
            Action::Take(u) => {
                umpire.cite(rule!("17.4"));
                m.force |= laden(p, u);
            }
            Action::Embark(u) => {
                umpire.cite(rule!("25.2"));
                umpire.cite(rule!("25.3"));
                let fleets = m.force & self.components.fleets;
                // The soundest ships are laden first.
                let free = fleets - self.carrying(p, fleets);
                let best = free.iter().max_by_key(|f| {
                    (self.components.two_steps.has(*f) && !p.reduced.has(*f), std::cmp::Reverse(*f))
                });
                if let Some(fleet) = best.and_then(|f| self.components.fleet_number[f]) {
                    p.cargo[fleet] = Some(u);
                    m.force.insert(u);
                }
            }
            Action::Roll | Action::RollSupplied => {
                p.agenda.pop();
                self.roll_march(p, action == Action::RollSupplied, umpire);
                return;
            }
            _ => {}
        }
        p.march = Some(m);
    }

    /// The dice of a move [18.1, 19.1, 20.1, 21.0].
    fn roll_march<U: Umpire + ?Sized>(&self, p: &mut Position, supplied: bool, umpire: &mut U) {
        let Some(mut m) = p.march else { return };
        p.agenda.pop();
        self.pay(p, 1);
        umpire.cite(rule!("17.3"));
        umpire.cite(rule!("12.6"));
        if (p.camps | p.castles | p.monasteries).has(m.start) {
            umpire.cite(rule!("33.4"));
        }
        if umpire.writes() {
            self.cite_force(p, &m, umpire);
        }
        let led = self.is_led(m.force);
        m.dice = if led { 2 } else { 1 };
        for _ in 0..m.dice {
            m.roll += umpire.roll(6);
        }
        if supplied {
            m.havens = self.components.spaces.ids().filter(|s| self.is_haven(p, *s)).collect();
        }
        m.joined = m.force;
        m.supplied = supplied;
        m.spurred = self.spurred(p, &m);
        m.left = m.roll + m.spurred;
        p.march = Some(m);
        if umpire.writes() {
            let rule = match (m.sea, led) {
                (false, false) => rule!("18.1"),
                (false, true) => rule!("19.1"),
                (true, false) => rule!("20.1"),
                (true, true) => rule!("21.0"),
            };
            let more = match m.spurred {
                0 => String::new(),
                more => format!(", and {more} for the horses"),
            };
            umpire.note(
                Readers::ALL,
                rule,
                format_args!(
                    "{} set out from {}: {}, with {}{more}",
                    self.marchers(&m),
                    self.components.space_name(m.start),
                    Host(&self.components, m.force),
                    movement_points(m.roll),
                ),
            );
            if supplied {
                umpire.cite(rule!("22.0"));
            }
            if m.spurred > 0 {
                umpire.cite(rule!("opt-35.1"));
            }
        }
        p.agenda.push(Step::March);
    }

    /// Cites what a force is made of, and of whom it is not.
    fn cite_force<U: Umpire + ?Sized>(&self, p: &Position, m: &March, umpire: &mut U) {
        let c = &self.components;
        let here = self.christians(p, m.start);
        if m.family == Family::Armenian {
            umpire.cite(rule!("30.2"));
        }
        if m.force.meets(self.of(Contingent::Mercenary)) {
            self.cite_hired(m.force, umpire);
            umpire.cite(rule!("10.1"));
            // Whom they would go with, if he could go at all.
            for family in [Family::Byzantine, Family::Armenian] {
                if let Err((rule, _)) = self.may_act(p, family, here)
                    && here.meets(self.family(family))
                {
                    umpire.cite(rule);
                }
            }
        }
        if self.muslims(p, m.start).any() {
            umpire.cite(rule!("17.6"));
        }
        if m.sea {
            umpire.cite(rule!("25.1"));
            if (m.force & c.fleets).meets(c.leaders) {
                umpire.cite(rule!("32.1"));
            }
        } else if p.table.cavalry && m.force.meets(c.horse | c.archers) {
            umpire.cite(rule!("opt-35.1"));
        }
    }

    /// Whether a force has a leader: two dice, and over passes [17.5, 19.0].
    #[inline]
    pub(crate) fn is_led(&self, force: Set<Unit>) -> bool {
        force.meets(self.components.leaders)
    }

    /// A force on its way, as the journal calls it.
    fn marchers(&self, m: &March) -> String {
        match m.sea {
            true => format!("Ships of the {}", m.family.name()),
            false => format!("The {}", m.family.name()),
        }
    }

    /// The points that a force of fresh cavalry has more [opt-35.1].
    pub(crate) fn spurred(&self, p: &Position, m: &March) -> u8 {
        let riders = self.components.horse | self.components.archers;
        if p.table.cavalry && !m.sea && m.force.within(riders) && (m.force & p.reduced).is_empty() {
            m.dice
        } else {
            0
        }
    }

    /// Where titled leaders and Armenians may be, by land or sea; `None` where everywhere.
    pub(super) fn bounds(&self, p: &Position, units: Set<Unit>) -> Bounds {
        if (units & self.family(Family::Armenian)).any() {
            let why = "Armenians go no further than two spaces from Armenia";
            return Some((self.components.armenian_range, (rule!("30.2"), why)));
        }
        self.realm_of(p, units)
            .map(|realm| (realm, (rule!("opt-36.4"), "a king stays in his capital or beside it")))
    }

    /// Whether the force must stop where it enters.
    pub(crate) fn must_stop(&self, p: &Position, m: &March, s: Space) -> bool {
        let c = &self.components;
        s == c.capital || s == c.jerusalem || self.muslims(p, s).any() || (m.sea && c.ports.has(s))
    }

    /// Whether the force may enter a space, ways and points apart.
    fn may_enter(&self, p: &Position, s: Space, bounds: Bounds) -> Result<(), Refused> {
        if let Some((bounds, why)) = bounds
            && !bounds.has(s)
        {
            return Err(why);
        }
        if self.costs_another(p, s) && self.actions_left(p) == 0 {
            return Err((rule!("29.3"), "to enter and attack Jerusalem takes two actions"));
        }
        Ok(())
    }

    /// Whether to enter a space takes a second action: Jerusalem, to attack or besiege it [29.3, opt-34.1]. To
    /// join a siege is neither.
    pub(crate) fn costs_another(&self, p: &Position, s: Space) -> bool {
        s == self.components.jerusalem && self.muslims(p, s).any() && !p.sieges.has(s)
    }

    /// All spaces that the force can come to with the points it has left.
    pub(crate) fn ways(&self, p: &Position, m: &March) -> Ways {
        self.ways_within(p, m, self.bounds(p, m.force))
    }

    fn ways_within(&self, p: &Position, m: &March, bounds: Bounds) -> Ways {
        let mut ways = Ways { far: Map::filled(None), dry: Set::NONE, order: ArrayVec::new() };
        ways.far[m.at] = Some(0);
        ways.order.push(m.at);
        let mut next = 0;
        let mut distance = 0;
        while next < ways.order.len() {
            let s = ways.order[next];
            next += 1;
            distance = ways.far[s].unwrap_or(distance);
            if distance >= m.left || (s != m.at && self.must_stop(p, m, s)) {
                continue;
            }
            let site = &self.components.spaces[s];
            let paths = if m.sea { &site.sea } else { &site.roads };
            for to in paths.iter().copied() {
                let parched = ways.dry.has(s) || self.components.deserts.has(to);
                match ways.far[to] {
                    None if self.may_enter(p, to, bounds).is_ok() => {
                        ways.far[to] = Some(distance + 1);
                        ways.order.push(to);
                        if parched {
                            ways.dry.insert(to);
                        }
                    }
                    // As near, and not through the desert.
                    Some(far) if far == distance + 1 && !parched && !self.components.deserts.has(to) => {
                        ways.dry.remove(to);
                    }
                    _ => {}
                }
            }
        }
        ways
    }

    /// Whether ending the move in a space would break the stacking rules.
    pub(crate) fn crowds(&self, p: &Position, m: &March, s: Space) -> bool {
        self.crowded(p, s, self.christians(p, s) | m.force)
    }

    /// Whether the force may cross a pass to a space [17.5].
    pub(crate) fn may_cross(&self, p: &Position, m: &March, s: Space) -> Result<(), Refused> {
        if m.moved {
            Err((rule!("17.5"), "a pass takes the whole move, from where it begins"))
        } else if !self.is_led(m.force) {
            Err((rule!("17.5"), "only a force with a leader crosses a pass"))
        } else if self.crowds(p, m, s) {
            Err((rule!("10.1"), "it would have to end among another contingent"))
        } else {
            self.may_enter(p, s, self.bounds(p, m.force))
        }
    }

    pub(super) fn list_march<B: Ballot<Action> + ?Sized>(&self, p: &Position, ballot: &mut B) {
        let Some(m) = &p.march else { return };
        let c = &self.components;
        if m.engaged {
            ballot.allow(Action::Stop);
            return;
        }
        let explains = ballot.explains();
        let bounds = self.bounds(p, m.force);
        let ways = self.ways_within(p, m, bounds);
        let mut onward = false;
        for s in ways.order.iter().skip(1).copied() {
            let ends = ways.far[s] >= Some(m.left) || self.must_stop(p, m, s);
            if ends && self.crowds(p, m, s) {
                if explains {
                    let why = format_args!("it would have to end among another contingent");
                    ballot.refuse(Action::Go(s), rule!("10.1"), why);
                }
            } else {
                onward = true;
                ballot.allow(Action::Go(s));
            }
        }
        if !m.sea {
            for s in c.spaces[m.at].passes.iter().copied() {
                match self.may_cross(p, m, s) {
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
        if onward && self.crowds(p, m, m.at) {
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
            // Who slips by Muslims leaves nobody among them.
            let among_enemies = self.muslims(p, m.at).any();
            for u in self.one_of_each(p, members).iter() {
                if !among_enemies {
                    ballot.allow(Action::Leave(u));
                } else if explains {
                    let why = format_args!("nobody stays among Muslims without a fight");
                    ballot.refuse(Action::Leave(u), rule!("10.4"), why);
                }
            }
        }
        if m.moved {
            let here = self.christians(p, m.at) - m.joined;
            let here = if m.sea { here & c.fleets } else { here - c.fleets };
            let companions = self.companions(p, m.family);
            for u in self.one_of_each(p, here & companions).iter() {
                ballot.allow(Action::Take(u));
            }
            if explains {
                for u in (here - companions).iter() {
                    let (rule, why) = self.why_a_stranger(p, m.family, u);
                    ballot.refuse(Action::Take(u), rule, format_args!("{why}"));
                }
            }
        }
        if explains {
            self.explain_march(p, m, &ways, bounds, ballot);
        }
    }

    /// Why the force cannot go to the spaces next to those it can reach.
    fn explain_march<B: Ballot<Action> + ?Sized>(
        &self,
        p: &Position,
        m: &March,
        ways: &Ways,
        bounds: Bounds,
        ballot: &mut B,
    ) {
        let c = &self.components;
        let mut told = Set::NONE;
        if let Some((bounds, (rule, why))) = bounds {
            for to in self.ways_within(p, m, None).order.into_iter().filter(|to| !bounds.has(*to)) {
                told.insert(to);
                ballot.refuse(Action::Go(to), rule, format_args!("{why}"));
            }
        }
        for s in ways.order.iter().copied() {
            let site = &c.spaces[s];
            let paths = if m.sea { &site.sea } else { &site.roads };
            for to in paths.iter().copied() {
                if ways.far[to].is_some() || told.has(to) {
                    continue;
                }
                told.insert(to);
                let action = Action::Go(to);
                if let Err((rule, why)) = self.may_enter(p, to, bounds) {
                    ballot.refuse(action, rule, format_args!("{why}"));
                } else if s != m.at && self.must_stop(p, m, s) {
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
                    let left = movement_points(m.left);
                    ballot.refuse(action, rule, format_args!("only {left} left"));
                }
            }
        }
        let here = &c.spaces[m.at];
        let (others, why) = if m.sea {
            (&here.roads, "a force at sea makes no land move in the same action")
        } else {
            (&here.sea, "land units cross the sea only aboard fleets")
        };
        for to in others.iter().copied().filter(|to| ways.far[*to].is_none() && !told.has(*to)) {
            let rule = if m.sea { rule!("20.3") } else { rule!("25.1") };
            ballot.refuse(Action::Go(to), rule, format_args!("{why}"));
        }
    }

    pub(super) fn on_the_march<U: Umpire + ?Sized>(&self, p: &mut Position, action: Action, umpire: &mut U) {
        let Some(mut m) = p.march else { return };
        let carried =
            |p: &Position, u: Unit| if m.sea { self.carried(p, Set::one(u)).with(u) } else { Set::one(u) };
        match action {
            Action::Go(s) => {
                let ways = self.ways(p, &m);
                umpire.cite(rule!("17.2"));
                umpire.cite(rule!("3.1"));
                if self.crowds(p, &m, s) {
                    umpire.cite(rule!("10.2"));
                    self.cite_company(self.christians(p, s) | m.force, umpire);
                }
                m.left -= ways.far[s].unwrap_or(m.left);
                m.desert |= ways.dry.has(s);
                self.enter(p, m, s, false, umpire);
            }
            Action::Cross(s) => {
                m.left = 0;
                m.desert |= self.components.deserts.has(s);
                self.enter(p, m, s, true, umpire);
            }
            Action::Leave(u) => {
                let with = carried(p, u);
                m.force -= with;
                p.march = Some(m);
                self.tell_of(m.at, with, "left", umpire);
            }
            Action::Take(u) => {
                let with = carried(p, u);
                m.force |= with;
                m.joined |= with;
                self.tell_of(m.at, with, "picked up", umpire);
                self.rein_in(p, &mut m, umpire);
                p.march = Some(m);
            }
            _ => {
                if !m.moved && umpire.writes() {
                    umpire.note(
                        Readers::ALL,
                        rule!("17.4"),
                        format_args!("{} stay in {}", self.marchers(&m), self.components.space_name(m.at)),
                    );
                }
                p.agenda.replace(Step::Close(Close::Attrition));
            }
        }
    }

    /// Who was left or picked up on the way.
    fn tell_of<U: Umpire + ?Sized>(&self, at: Space, who: Set<Unit>, what: &str, umpire: &mut U) {
        let place = self.components.space_name(at);
        umpire.note(
            Readers::ALL,
            rule!("17.4"),
            format_args!(
                "{} {} {what} in {place}",
                Host(&self.components, who),
                if who.len() == 1 { "is" } else { "are" }
            ),
        );
    }

    /// Riders whom slower men have joined lose the points of their horses [opt-35.1].
    fn rein_in<U: Umpire + ?Sized>(&self, p: &Position, m: &mut March, umpire: &mut U) {
        if m.spurred > 0 && self.spurred(p, m) == 0 {
            m.left = m.left.saturating_sub(m.spurred);
            m.spurred = 0;
            umpire.note(
                Readers::ALL,
                rule!("opt-35.1"),
                format_args!("The riders wait for slower men, which leaves {}", movement_points(m.left)),
            );
        }
    }

    /// The force enters a space.
    fn enter<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        mut m: March,
        s: Space,
        pass: bool,
        umpire: &mut U,
    ) {
        let from = m.at;
        for u in m.force {
            p.put(u, s);
        }
        m.at = s;
        m.moved = true;
        let stops = self.must_stop(p, &m, s) || m.left == 0;
        if umpire.writes() {
            let rule = match s {
                _ if pass => rule!("17.5"),
                _ if s == self.components.capital => rule!("29.1"),
                _ if s == self.components.jerusalem => rule!("29.3"),
                _ if m.sea && self.components.ports.has(s) => rule!("20.2"),
                _ => rule!("17.1"),
            };
            let how = match (pass, m.sea) {
                (true, _) => "cross the pass",
                (false, true) => "sail",
                (false, false) => "march",
            };
            let name = |s: Space| self.components.space_name(s);
            let (who, many) = (self.marchers(&m), units(m.force.len()));
            let manner = if m.sea { Manner::Sea } else { Manner::March };
            umpire.tell(
                Readers::ALL,
                rule,
                format_args!("{who} {how} from {} to {} with {many}", name(from), name(s)),
                &|| vec![self.trace(m.force, from, s, manner)],
            );
        }
        if m.sea && !m.force.within(self.components.fleets) {
            umpire.cite(rule!("25.2"));
        }
        if pass && s == self.components.masyaf {
            umpire.cite(rule!("31.1"));
        }
        if self.muslims(p, s).any() {
            if self.costs_another(p, s) {
                self.pay_for_jerusalem(p, umpire);
            }
            self.reveal(p, s, umpire);
            m.engaged = true;
            umpire.cite(rule!("17.6"));
        }
        p.march = Some(m);
        let slips = m.engaged && self.asks_passage(p, &m);
        if stops && !slips {
            p.agenda.replace(Step::Close(Close::Attrition));
        }
    }

    /// The second action that an attack on Jerusalem takes [29.3].
    pub(super) fn pay_for_jerusalem<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        self.pay(p, 1);
        umpire.note(Readers::ALL, rule!("29.3"), format_args!("A second action is spent before Jerusalem"));
    }

    /// Whether the force, stopped by Muslims, could slip by [boon.treachery]. A fleet stops in every port [20.2].
    fn asks_passage(&self, p: &Position, m: &March) -> bool {
        let seat = self.seat_of(p, m.family);
        m.left > 0
            && !m.sea
            && m.at != self.components.jerusalem
            && p.boons[seat.index()].meets(self.boons_for(Use::Passage))
    }

    /// Whether the roll of a move calls for an attrition check [18.1, 19.1, 20.1, 21.0].
    pub(crate) fn wears(&self, m: &March) -> bool {
        match (m.sea, m.dice, m.roll) {
            (_, 1, 6) | (_, 2, 7) | (true, 2, 8) => true,
            (false, 1, 5) | (false, 2, 8) => m.desert,
            _ => false,
        }
    }

    pub(super) fn close_march<U: Umpire + ?Sized>(&self, p: &mut Position, close: Close, umpire: &mut U) {
        let Some(m) = p.march else { return self.end_march(p) };
        match close {
            Close::Attrition => {
                p.agenda.replace(Step::Close(Close::Contact));
                let together = m.joined == m.force;
                let supplied = m.supplied && m.moved && together && m.at != m.start && m.havens.has(m.at);
                p.march = Some(March { supplied, ..m });
                if m.supplied && !supplied {
                    let why = "The march did not end in another haven, so it was not supplied";
                    umpire.note(Readers::ALL, rule!("22.0"), format_args!("{why}"));
                }
                if supplied && self.wears(&m) {
                    umpire.note(
                        Readers::ALL,
                        rule!("22.0"),
                        format_args!("The march was supplied: no attrition"),
                    );
                } else if self.wears(&m) {
                    self.attrition(p, &m, umpire);
                }
            }
            Close::Contact => {
                p.agenda.replace(Step::Close(Close::Camp));
                self.contact(p, &m, umpire);
            }
            Close::Camp => {
                // In a fortress there is a camp only before its walls, and the walls feed nobody there.
                let camp = |s: Space| p.camps.has(s);
                match (m.supplied, camp(m.start), camp(m.at)) {
                    (true, true, true) => p.agenda.replace(Step::Camps),
                    (true, true, false) => {
                        self.spend_camp(p, m.start, umpire);
                        self.end_march(p);
                    }
                    (true, false, true) => {
                        self.spend_camp(p, m.at, umpire);
                        self.end_march(p);
                    }
                    _ => self.end_march(p),
                }
            }
        }
    }

    pub(super) fn end_march(&self, p: &mut Position) {
        p.agenda.pop();
        p.march = None;
    }

    pub(super) fn spend_camp<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, umpire: &mut U) {
        p.camps.remove(s);
        self.cite_camp(p, s, umpire);
        umpire.note(
            Readers::ALL,
            rule!("22.1"),
            format_args!("The camp in {} is used up", self.components.space_name(s)),
        );
    }

    /// One die: so many units are spared [18.2].
    fn attrition<U: Umpire + ?Sized>(&self, p: &mut Position, m: &March, umpire: &mut U) {
        let joined: Set<Unit> = m.joined.iter().filter(|u| p.on_map(*u)).collect();
        // Cargo suffers only with its ship [25.3].
        let pool = if m.sea { joined & self.components.fleets } else { joined };
        let die = umpire.roll(6);
        let left = pool.len().saturating_sub(usize::from(die));
        let dry = if m.desert { " in the desert" } else { "" };
        umpire.note(
            Readers::ALL,
            rule!("18.2"),
            format_args!(
                "Attrition{dry}: a die of {die} spares {} of {}",
                pool.len() - left,
                units(pool.len())
            ),
        );
        if left > 0 {
            p.pool = pool;
            p.agenda.push(Step::Losses { left: left as u8, cause: Cause::March });
        }
    }

    /// Cargo goes ashore in port, and enemies are met [20.2, 25.4].
    fn contact<U: Umpire + ?Sized>(&self, p: &mut Position, m: &March, umpire: &mut U) {
        let (at, sea) = (m.at, m.sea);
        if sea && self.components.ports.has(at) {
            for u in m.force & self.components.fleets {
                self.unload(p, u);
            }
            umpire.cite(rule!("25.2"));
        }
        let force = m.force & p.here[at];
        if m.moved && self.controlled(p, at) {
            umpire.cite(rule!("10.5"));
            if self.components.fortresses.has(at) {
                umpire.cite(rule!("26.6"));
            }
            if (p.camps | p.castles | p.monasteries).has(at) {
                umpire.cite(rule!("10.3"));
            }
            if m.force.has(self.components.takitios) && m.family == Family::Crusader {
                umpire.cite(rule!("32.3"));
            }
        }
        if m.moved {
            self.cite_company(self.christians(p, at), umpire);
        }
        // A force that never left a siege need not attack [17.6].
        if self.muslims(p, at).is_empty() || force.is_empty() || !m.moved {
            return;
        }
        if sea {
            umpire.cite(rule!("25.4"));
        }
        if p.table.sieges && self.components.fortresses.has(at) {
            umpire.cite(if p.sieges.has(at) { rule!("opt-34.3") } else { rule!("opt-34.1") });
        }
        if self.opens_gate(p, at, force) {
            p.agenda.push(Step::Gate);
        } else {
            self.fight(p, at, force, m.family, umpire);
        }
    }
}

/// So many movement points.
pub(crate) fn movement_points(n: u8) -> crate::words::Counted {
    count(n, "movement point", "movement points")
}

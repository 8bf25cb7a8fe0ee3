//! Movement \[10\]: who may move, how far, what waits in each space, and vassals.

use table::scene::Manner;
use table::{Ballot, Id as _, Readers, Rule, Seat, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::Way;
use crate::data::cards::{Licence, Trigger};
use crate::ids::{CHRISTIAN, Card, Leader, Leaders, Sort, Space, Spaces, Unit, Units};
use crate::position::{Forbidden, March, Open, Place, Planned, Position, Step, Trail, Trial};
use crate::words::counted;

use super::cards::GREAT;
use super::command::Element;

/// Units in a stack of cavalry without leader [10.1.1, 11.1].
pub(super) const STACK: usize = 3;
/// Units that sail with a card of three [10.8].
const SHIPS: u8 = 5;

impl KingdomOfHeaven {
    /// A march that has not begun.
    pub(crate) fn new_march(
        &self,
        seat: Seat,
        leader: Option<Leader>,
        at: Space,
        ov: u8,
        licence: Licence,
    ) -> March {
        March {
            seat,
            leader,
            leaders: leader.map_or(Set::NONE, Set::one),
            units: Set::NONE,
            at,
            start: at,
            from: None,
            spent: 0,
            more: licence.mp,
            licence,
            ov,
            ships: None,
            red_sea: false,
            fleet: false,
            lands: false,
            vassal: false,
            begun: false,
            landed: false,
            arrived: false,
            over: false,
            hold: 0,
            late: Default::default(),
            late_led: Default::default(),
            trail: Default::default(),
            dropped: Set::NONE,
            shadowed: Set::NONE,
            was_shadowed: false,
        }
    }

    /// A leader is activated: the largest army that he can take is proposed [10.1].
    pub(super) fn activate(&self, p: &mut Position, seat: Seat, leader: Leader, ov: u8, licence: Licence) {
        let Some(at) = p.open.leader_at(leader) else { return };
        let mut march = self.new_march(seat, Some(leader), at, ov, licence);
        if ov >= GREAT && self.may_sail(&p.open, seat, false) {
            march.ships = Some(SHIPS);
        }
        p.open.march = Some(march);
        self.propose(p);
        p.open.agenda.push(Step::March);
        p.open.agenda.push(Step::Command);
    }

    /// The largest army that the active leader can take along.
    pub(super) fn propose(&self, p: &mut Position) {
        let Some(march) = &p.open.march else { return };
        let (seat, at) = (march.seat, march.at);
        let sails = self.components.space(at).by_sea || march.fleet;
        let element = if sails { Element::Sea } else { Element::Land };
        let (units, leaders) = self.mustered(&p.open, seat, at, march.leader);
        let (units, leaders) = (units - p.open.kept, leaders - p.open.kept_led);
        let (led, mut army) = match march.leader {
            Some(top) => self.largest(&p.open, seat, top, leaders, units, element),
            None => (Set::NONE, units),
        };
        // Whoever sails must fit into the ships; a stack without leader is three.
        let aboard = |army: Units| match march.leader {
            None if !march.vassal && !march.fleet => army.len() <= STACK,
            Some(_) if !sails => true,
            _ => self.fits_aboard(&p.open, march, army),
        };
        let riders = army & self.plot(&p.open).roster.cavalry;
        if march.vassal && riders.len() > usize::from(march.ships.unwrap_or(0)) {
            army = riders;
        }
        while !aboard(army) {
            if let Some(last) = army.iter().last() {
                army.remove(last);
            }
        }
        if let Some(march) = &mut p.open.march {
            march.leaders = led;
            march.units = army;
        }
    }

    /// Who could come along from a space: those with the leader, inside or outside, who have not moved.
    pub(super) fn mustered(
        &self,
        o: &Open,
        seat: Seat,
        at: Space,
        leader: Option<Leader>,
    ) -> (Units, Leaders) {
        let inside =
            leader.map_or_else(|| self.besieged(o, at) && self.holds(o, at, seat), |l| o.inside_led.has(l));
        let (units, leaders) = if inside { self.within(o, at, seat) } else { self.outside(o, at, seat) };
        let cavalry = leader.is_none() && !o.march.as_ref().is_some_and(|m| m.vassal || m.fleet);
        let units = if cavalry { units & self.plot(o).roster.cavalry } else { units };
        (units - o.moved, leaders - o.moved_led)
    }

    /// Whether the active army sits inside a besieged stronghold.
    pub(super) fn shut_in(&self, o: &Open, march: &March) -> bool {
        let inside = march.units.meets(o.inside) || march.leaders.meets(o.inside_led);
        inside && o.marks[march.at].besieged
    }

    pub(super) fn list_command(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let o = &p.open;
        let Some(march) = &o.march else { return };
        let (units, leaders) = self.mustered(o, seat, march.at, march.leader);
        // Out of the sea's own box, and by an event of the sea, one sails or stays.
        let boxed = self.components.space(march.at).by_sea || march.fleet;
        let planned = !p.hidden.plan.is_empty();
        let enough = march.leader.is_some() || march.units.any();
        if !planned {
            self.sorts(o, march.units, |sort| ballot.allow(Action::Leave(sort)));
            for leader in march.leaders {
                if Some(leader) != march.leader
                    && self.fits(o, march, march.leaders.without(leader), march.units)
                {
                    ballot.allow(Action::Dismiss(leader));
                }
            }
            let spare = units - march.units - o.kept;
            self.sorts(o, spare, |sort| {
                let Some(unit) = self.one_of(o, spare, sort) else { return };
                if self.fits(o, march, march.leaders, march.units.with(unit)) {
                    ballot.allow(Action::Take(sort));
                } else {
                    ballot.refuse(
                        Action::Take(sort),
                        rule!("10.2.1"),
                        format_args!("nobody in this army can command it besides the others"),
                    );
                }
            });
            for leader in leaders - march.leaders - o.kept_led {
                if self.fits(o, march, march.leaders.with(leader), march.units) {
                    ballot.allow(Action::Bring(leader));
                } else if ballot.explains() {
                    ballot.refuse(
                        Action::Bring(leader),
                        rule!("10.3"),
                        format_args!("nobody in this army outranks him, or there is no room"),
                    );
                }
            }
        }
        let held = (units - march.units).len() < usize::from(march.hold) && march.units.any();
        if !enough || held {
            ballot.refuse(Action::Go, rule!("10.1"), format_args!("more must stay behind, or nobody goes"));
            if held {
                return;
            }
        }
        if self.shut_in(o, march) {
            if self.banned(o, seat, Forbidden::Hostile) {
                ballot.refuse(Action::Sally, rule!("8.4.1"), format_args!("a truce forbids it"));
                ballot.allow(Action::Halt);
            } else if march.units.any() || march.leaders.any() {
                ballot.allow(Action::Sally);
            }
            ballot.refuse(Action::Go, rule!("17.2"), format_args!("the besieged come out only to fight"));
        } else if march.vassal && march.ships.is_some() {
            ballot.refuse(Action::Go, rule!("8.4"), format_args!("vassals sail as one group, or stay"));
        } else if !boxed && enough {
            if self.marches(o, march) {
                ballot.allow(Action::Go);
                self.list_plan(p, march, ballot);
            } else {
                ballot.refuse(
                    Action::Go,
                    rule!("10.2"),
                    format_args!("so many leaders can sail together, but not march"),
                );
            }
        }
        if enough && march.ships.is_some() {
            self.list_ports(o, march, ballot);
        } else if ballot.explains() && self.components.space(march.at).port {
            let why = "only the Christian sails, with a card of three or by an event";
            self.refuse_ports(march, why, ballot);
        }
        let barred = self.shut_in(o, march) && self.banned(o, seat, Forbidden::Hostile);
        if (boxed || !enough || march.vassal) && !barred {
            // Whoever cannot go at all stays.
            ballot.allow(Action::Halt);
        }
    }

    /// Whether the army, put together for the sea perhaps, can march.
    fn marches(&self, o: &Open, march: &March) -> bool {
        match march.leader {
            Some(top) if march.leaders.len() > 1 && self.embarks(o, march, march.units) => {
                self.can_command(o, march.seat, top, march.leaders, march.units, Element::Land)
            }
            _ => true,
        }
    }

    /// Whether so many fit into the ships; of vassals one more, if all of them ride [8.4].
    pub(super) fn fits_aboard(&self, o: &Open, march: &March, units: Units) -> bool {
        let most = usize::from(march.ships.unwrap_or(1));
        let more = march.vassal && march.ships.is_some() && units.within(self.plot(o).roster.cavalry);
        units.len() <= most + usize::from(more)
    }

    /// Whether these could sail from where the army stands [10.8].
    fn embarks(&self, o: &Open, march: &March, units: Units) -> bool {
        march.ships.is_some_and(|ships| units.len() <= usize::from(ships))
            && !march.begun
            && !o.sailed
            && self.harbour(o, march.seat, march.at, march.red_sea)
    }

    /// Whether an army can be commanded, or is a stack of cavalry, or fits into ships.
    fn fits(&self, o: &Open, march: &March, leaders: Leaders, units: Units) -> bool {
        let commanded = |top, element| self.can_command(o, march.seat, top, leaders, units, element);
        match march.leader {
            Some(top) if self.embarks(o, march, units) => commanded(top, Element::Sea),
            Some(top) => commanded(top, Element::Land),
            None if march.vassal || march.fleet => self.fits_aboard(o, march, units),
            None => units.len() <= STACK,
        }
    }

    pub(super) fn act_command(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(march) = p.open.march.clone() else { return };
        let (units, _) = self.mustered(&p.open, seat, march.at, march.leader);
        match action {
            Action::Leave(sort) => {
                if let Some(unit) = self.one_of(&p.open, march.units, sort) {
                    p.open.kept.insert(unit);
                    self.change(p, |m| m.units.remove(unit));
                }
            }
            Action::Take(sort) => {
                if let Some(unit) = self.one_of(&p.open, units - march.units - p.open.kept, sort) {
                    self.change(p, |m| m.units.insert(unit));
                }
            }
            Action::Dismiss(leader) => {
                p.open.kept_led.insert(leader);
                self.change(p, |m| m.leaders.remove(leader));
            }
            Action::Bring(leader) => self.change(p, |m| m.leaders.insert(leader)),
            Action::To(space) => {
                if let Some(way) = self.cheapest(p, &march, space) {
                    let mut plan = std::mem::take(&mut p.hidden.plan);
                    for step in way {
                        // The next space is last: what comes later stands before it.
                        if plan.try_insert(0, Planned::To(step)).is_err() {
                            break;
                        }
                    }
                    p.hidden.plan = plan;
                }
            }
            Action::Rest => {
                let _ = p.hidden.plan.try_insert(0, Planned::Wait);
            }
            Action::Halt => {
                p.open.agenda.pop();
                self.change(p, |m| {
                    m.over = true;
                    m.units = Set::NONE;
                });
                self.formed(p);
            }
            Action::Sail(to) => {
                p.open.agenda.pop();
                self.formed(p);
                p.open.agenda.push(Step::Sail { to });
                self.announce(p, umpire);
                p.open.cancelled = false;
                self.ask(p, seat.other(), Trigger::Naval);
                if !march.vassal {
                    self.ask(p, seat.other(), Trigger::Activation);
                }
            }
            Action::Go | Action::Sally => {
                p.open.agenda.pop();
                self.formed(p);
                self.announce(p, umpire);
                if action == Action::Sally {
                    self.sally(p, umpire);
                }
                if !march.vassal {
                    self.ask(p, seat.other(), Trigger::Activation);
                }
            }
            _ => {}
        }
    }

    fn change(&self, p: &mut Position, what: impl FnOnce(&mut March)) {
        if let Some(march) = &mut p.open.march {
            what(march);
        }
    }

    /// The army is formed, and nobody in it moves again this round.
    fn formed(&self, p: &mut Position) {
        p.open.kept = Set::NONE;
        p.open.kept_led = Set::NONE;
    }

    fn announce(&self, p: &Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(march) = &p.open.march else { return };
        umpire.cite(rule!("10"));
        umpire.cite(rule!("10.2"));
        if march.leaders.len() > 1 {
            umpire.cite(rule!("10.4"));
        }
        if !umpire.writes() {
            return;
        }
        let (count, place) = (counted(march.units.len(), "unit", "units"), self.space_name(march.at));
        match march.leader {
            Some(leader) => {
                let name = self.leader_start(leader);
                umpire.note(
                    Readers::ALL,
                    rule!("10.1"),
                    format_args!("{name} sets out from {place} with {count}"),
                );
            }
            None => umpire.note(Readers::ALL, rule!("10.1"), format_args!("{count} set out from {place}")),
        }
    }

    /// The movement points that an army has left: those of its slowest member.
    pub(crate) fn points_left(&self, o: &Open, march: &March) -> u8 {
        let cavalry = self.plot(o).roster.cavalry;
        let spent = |joined: Option<u8>| march.spent - joined.unwrap_or(0);
        let unit = |u: Unit| {
            let ma = if cavalry.has(u) { 6 } else { 4 };
            ma + march.more - spent(march.late.iter().find(|(late, _)| *late == u).map(|(_, s)| *s)) as i8
        };
        let leader = |l: Leader| {
            let ma = self.components.leader(l).ma as i8;
            ma + march.more - spent(march.late_led.iter().find(|(late, _)| *late == l).map(|(_, s)| *s)) as i8
        };
        let least = march.units.iter().map(unit).chain(march.leaders.iter().map(leader)).min();
        least.unwrap_or(0).max(0) as u8
    }

    /// Whether a truce keeps a player out of a space: an enemy's, or one where enemies stand in the field.
    pub(super) fn trucebound(&self, o: &Open, seat: Seat, to: Space) -> bool {
        self.banned(o, seat, Forbidden::Hostile)
            && (self.controller(o, to) == Some(seat.other()) || self.is_outside(o, to, seat.other()))
    }

    /// Whether an army may take a way, and why not.
    pub(crate) fn may_take(
        &self,
        o: &Open,
        march: &March,
        from: Space,
        way: &Way,
        left: u8,
    ) -> Result<(), (Rule, &'static str)> {
        let seat = march.seat;
        let (to, c) = (way.to, &self.components);
        if way.mp > left {
            return Err((rule!("10.2"), "too few movement points are left"));
        }
        if way.desert && !march.licence.desert && march.ov < GREAT {
            return Err((rule!("10.6"), "this way through the desert needs a card of three"));
        }
        if self.closed(o, seat, from) || self.closed(o, seat, to) {
            return Err((rule!("8.4.1"), "an event bars the way"));
        }
        if !self.may_be_in(o, march.units, march.leaders, to) {
            return Err((rule!("4.4"), "the scenario keeps some of them where they are"));
        }
        if self.trucebound(o, seat, to) {
            return Err((rule!("8.4.1"), "a truce forbids to enter enemy spaces and to attack"));
        }
        if !self.may_trespass(o, seat, to) {
            return Err((rule!("9.1"), "this neutral Power could never join your enemy"));
        }
        if march.vassal && !c.space(to).is_box {
            let (units, _) = self.outside(o, to, seat.other());
            let coming = if self.holds(o, to, seat.other()) { Set::NONE } else { units };
            if coming.any() {
                return Err((rule!("8.4"), "vassals do not attack"));
            }
        }
        Ok(())
    }

    pub(super) fn list_march(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let o = &p.open;
        let Some(march) = &o.march else { return };
        let left = self.points_left(o, march);
        ballot.allow(Action::Halt);
        for way in &self.components.space(march.at).ways {
            match self.may_take(o, march, march.at, way, left) {
                Ok(()) => {
                    ballot.allow(Action::March(way.to));
                    if self.sells_passage(o, seat, way.to) {
                        ballot.allow(Action::Passage(way.to));
                    }
                }
                Err((rule, why)) => {
                    if rule == rule!("9.1") && self.sells_passage(o, seat, way.to) {
                        ballot.allow(Action::Passage(way.to));
                    }
                    ballot.refuse(Action::March(way.to), rule, format_args!("{why}"));
                }
            }
        }
        if self.holds(o, march.at, seat) && left > 0 && !self.components.space(march.at).is_box {
            ballot.allow(Action::Wait);
        } else {
            ballot.refuse(
                Action::Wait,
                rule!("15.2"),
                format_args!("one waits in a friendly stronghold, with movement points left"),
            );
        }
        if march.begun && !march.landed {
            self.list_exchange(o, march, seat, ballot);
        }
        self.list_gate(o, march, ballot);
        if ballot.explains() {
            self.refuse_ports(march, "a voyage takes all movement points, and is chosen at once", ballot);
        }
    }

    /// Who may be left here or taken along from here [10.2.1].
    fn list_exchange(
        &self,
        o: &Open,
        march: &March,
        seat: Seat,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        if self.components.space(march.at).is_box || march.vassal {
            return;
        }
        if march.units.len() + march.leaders.len() > 1 && (march.leader.is_some() || march.units.len() > 1) {
            self.sorts(o, march.units, |sort| ballot.allow(Action::Drop(sort)));
            for leader in march.leaders {
                if march.leader.is_some_and(|top| leader != top)
                    && self.fits(o, march, march.leaders.without(leader), march.units)
                {
                    ballot.allow(Action::DropLeader(leader));
                }
            }
        }
        if march.leader.is_none() {
            return;
        }
        let (units, leaders) = self.outside(o, march.at, seat);
        let spare = units - march.units - o.moved;
        if !march.late.is_full() {
            self.sorts(o, spare, |sort| {
                let Some(unit) = self.one_of(o, spare, sort) else { return };
                if self.fits(o, march, march.leaders, march.units.with(unit)) {
                    ballot.allow(Action::Take(sort));
                } else {
                    ballot.refuse(
                        Action::Take(sort),
                        rule!("10.2.1"),
                        format_args!("nobody in this army can command it besides the others"),
                    );
                }
            });
        }
        if !march.late_led.is_full() {
            for leader in leaders - march.leaders - o.moved_led {
                if self.fits(o, march, march.leaders.with(leader), march.units) {
                    ballot.allow(Action::Bring(leader));
                }
            }
        }
    }

    pub(super) fn act_march(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(march) = p.open.march.clone() else { return };
        match action {
            Action::March(to) => {
                self.follow_plan(p, Planned::To(to));
                self.step_to(p, to, umpire);
                self.forage_dropped(p, &march, umpire);
            }
            Action::Passage(to) => {
                self.buy_passage(p, seat, to, umpire);
                self.step_to(p, to, umpire);
                self.forage_dropped(p, &march, umpire);
            }
            Action::Wait => {
                self.follow_plan(p, Planned::Wait);
                self.change(p, |m| {
                    m.spent += 1;
                    m.trail.friendly += 1;
                    m.begun = true;
                });
                let place = self.space_name(march.at);
                umpire.note(
                    Readers::ALL,
                    rule!("15.2"),
                    format_args!("The army gathers supplies in {place}"),
                );
            }
            Action::Drop(sort) => {
                let Some(unit) = self.one_of(&p.open, march.units, sort) else { return };
                p.open.moved.insert(unit);
                if march.licence.no_demob {
                    p.open.winter.insert(unit);
                }
                self.change(p, |m| {
                    m.units.remove(unit);
                    m.dropped.insert(unit);
                });
                umpire.cite(rule!("10.2.1"));
            }
            Action::DropLeader(leader) => {
                p.open.moved_led.insert(leader);
                self.change(p, |m| m.leaders.remove(leader));
            }
            Action::Take(sort) => {
                let (units, _) = self.outside(&p.open, march.at, seat);
                let Some(unit) = self.one_of(&p.open, units - march.units - p.open.moved, sort) else {
                    return;
                };
                self.change(p, |m| {
                    m.units.insert(unit);
                    m.late.push((unit, m.spent));
                });
                umpire.cite(rule!("10.2.1"));
            }
            Action::Bring(leader) => self.change(p, |m| {
                m.leaders.insert(leader);
                m.late_led.push((leader, m.spent));
            }),
            Action::Call => self.call(p, umpire),
            Action::Besiege => self.besiege(p, umpire),
            _ => {
                p.hidden.plan.clear();
                self.change(p, |m| m.over = true);
            }
        }
    }

    /// What was laid out is followed, or forgotten.
    fn follow_plan(&self, p: &mut Position, step: Planned) {
        if p.hidden.plan.last() == Some(&step) {
            p.hidden.plan.pop();
        } else {
            p.hidden.plan.clear();
        }
    }

    /// The army goes to a neighbouring space.
    fn step_to(&self, p: &mut Position, to: Space, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(march) = p.open.march.clone() else { return };
        let Some(way) = self.components.way(march.at, to).copied() else { return };
        let from = march.at;
        for unit in march.units {
            p.open.put(unit, Place::At(to));
        }
        for leader in march.leaders {
            p.open.put_leader(leader, Place::At(to));
        }
        p.open.moved |= march.units;
        p.open.moved_led |= march.leaders;
        self.change(p, |m| {
            m.at = to;
            m.from = Some(from);
            m.spent += way.mp;
            m.begun = true;
            m.arrived = false;
            if way.pass {
                m.trail.cross(way.line);
            }
        });
        if umpire.writes() {
            let who = march.leader.map_or(crate::words::Begins("The army"), |l| self.leader_start(l));
            let count = march.units.len() + march.leaders.len();
            umpire.tell(
                Readers::ALL,
                rule!("10.2"),
                format_args!("{who} marches to {}", self.space_name(to)),
                &|| vec![self.trace(march.seat, count, from, to, Manner::March)],
            );
        }
        if way.pass || way.desert || self.components.space(from).is_box {
            umpire.cite(rule!("10.6"));
        }
        if march.vassal {
            umpire.cite(rule!("8.4"));
        }
        p.open.agenda.push(Step::Entered { stage: 0 });
    }

    /// What a space is to an army that forages.
    pub(super) fn note_trail(&self, p: &mut Position, space: Space) {
        let Some(march) = &p.open.march else { return };
        let mut trail = march.trail;
        self.note_space(&p.open, march, space, &mut trail);
        self.change(p, |m| m.trail = trail);
    }

    /// The same for a way that has not been taken.
    pub(crate) fn note_space(&self, o: &Open, march: &March, space: Space, trail: &mut Trail) {
        let seat = march.seat;
        let passage = self.neutral_at(o, space).is_some()
            || march.licence.passage.is_some_and(|w| self.landlord(o, space) == Some(w));
        if self.holds(o, space, seat) {
            trail.friendly += 1;
        } else if !passage {
            if self.holds(o, space, seat.other()) {
                trail.enemy.insert(space);
            }
            if self.components.space(space).harsh {
                trail.harsh.insert(space);
            }
        }
    }

    /// The army has come into a space: what happens there, one thing after the other.
    pub(super) fn entered(&self, p: &mut Position, stage: u8, umpire: &mut (impl Umpire + ?Sized)) {
        if stage == 0 {
            self.part_from_sheltered(p);
        }
        let Some(march) = p.open.march.clone() else {
            p.open.agenda.pop();
            return;
        };
        let (seat, at) = (march.seat, march.at);
        p.open.agenda.replace(Step::Entered { stage: stage + 1 });
        if march.units.is_empty() && march.leaders.is_empty() {
            p.open.agenda.pop();
            self.change(p, |m| m.over = true);
            return;
        }
        match stage {
            0 => {
                umpire.cite(rule!("10.9"));
                if !march.landed && march.from.is_some_and(|from| self.components.space(from).asia_minor) {
                    self.cross_asia_minor(p, umpire);
                }
            }
            1 => {
                self.trespass(p, seat, at, umpire);
                self.note_trail(p, at);
                self.tidy_from(p, march.from, umpire);
            }
            2 => {
                if let Some(from) = march.from.filter(|from| !march.landed && *from == march.start) {
                    self.offer_lift(p, seat, from);
                }
            }
            3 => self.ask(p, seat.other(), Trigger::Move),
            4 => {
                for which in (0..p.open.foragers.len()).rev() {
                    if p.open.foragers[which].shadows {
                        p.open
                            .agenda
                            .push(Step::Follow { seat: p.open.foragers[which].seat, which: which as u8 });
                    }
                }
            }
            5 => {
                p.open.tries.clear();
                p.open.agenda.push(Step::Designate { seat: seat.other() });
            }
            6 => {
                let enemy = seat.other();
                let came = self.came(&p.open);
                let (units, leaders) = self.outside(&p.open, at, enemy);
                let resting = (units - came.0).any() || (leaders - came.1).any();
                if self.holds(&p.open, at, enemy) && !p.open.marks[at].besieged && resting {
                    p.open.agenda.push(Step::Shelter { seat: enemy, at, then_fight: false });
                }
            }
            7 => self.meet(p, umpire),
            _ => {
                p.open.agenda.pop();
                p.open.tries.clear();
                self.change(p, |m| m.arrived = true);
            }
        }
    }

    /// A siege that the army has left altogether is over.
    fn tidy_from(&self, p: &mut Position, from: Option<Space>, umpire: &mut (impl Umpire + ?Sized)) {
        if from.is_some_and(|s| {
            p.open.marks[s].besieged || p.open.marks[s].rf.is_some() || p.open.here[s].meets(p.open.inside)
        }) {
            self.tidy(p, umpire);
        }
    }

    /// Those who intercepted with success.
    pub(super) fn came(&self, o: &Open) -> (Units, Leaders) {
        let mut came = (Set::NONE, Set::NONE);
        for t in &o.tries {
            if t.what == Trial::Intercept && t.result == Some(true) {
                came.0 |= t.units;
                came.1 |= t.leaders;
            }
        }
        let at = o.march.as_ref().map(|m| m.at);
        let here = |u: &Unit| o.unit_at(*u) == at;
        (came.0.iter().filter(here).collect(), came.1.iter().filter(|l| o.leader_at(*l) == at).collect())
    }

    /// The march is over: all who must forage do so, then the next thing of the card.
    pub(super) fn end_march(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        p.hidden.plan.clear();
        if let Some(march) = &p.open.march {
            let (units, leaders, exempt) = (march.units, march.leaders, march.licence.no_demob);
            p.open.moved |= units;
            p.open.moved_led |= leaders;
            if exempt {
                p.open.winter |= units;
            }
        }
        umpire.cite(rule!("10.5"));
        umpire.cite(rule!("10.5.1"));
        p.open.agenda.replace(Step::Forage { which: 0 });
        if let Some(march) = p.open.march.clone() {
            self.forage_dropped(p, &march, umpire);
        }
    }

    // ---- A way laid out in advance.

    /// Where the plan leads so far, and how many points it costs.
    pub(crate) fn plan_end(&self, p: &Position, march: &March) -> (Space, u8) {
        let (mut at, mut cost) = (march.at, 0);
        for step in p.hidden.plan.iter().rev() {
            match step {
                Planned::Wait => cost += 1,
                Planned::To(to) => {
                    cost += self.components.way(at, *to).map_or(0, |way| way.mp);
                    at = *to;
                }
            }
        }
        (at, cost)
    }

    /// What can be reached from the end of the plan: for each space the space before it on the cheapest way.
    pub(crate) fn reachable(
        &self,
        o: &Open,
        march: &March,
        from: Space,
        left: u8,
    ) -> ([u8; 128], [Option<Space>; 128]) {
        let mut cost = [u8::MAX; 128];
        let mut before = [None; 128];
        let mut edge: [Spaces; 16] = [Set::NONE; 16];
        cost[from.number()] = 0;
        edge[0].insert(from);
        for reached in 0..left.min(12) {
            for s in edge[usize::from(reached)] {
                if cost[s.number()] != reached {
                    continue;
                }
                for way in &self.components.space(s).ways {
                    let next = reached + way.mp;
                    let to = way.to.number();
                    if next < cost[to]
                        && next <= left
                        && self.may_take(o, march, s, way, left - reached).is_ok()
                    {
                        cost[to] = next;
                        before[to] = Some(s);
                        edge[usize::from(next).min(15)].insert(way.to);
                    }
                }
            }
        }
        (cost, before)
    }

    fn cheapest(&self, p: &Position, march: &March, to: Space) -> Option<arrayvec::ArrayVec<Space, 12>> {
        let (from, cost) = self.plan_end(p, march);
        let left = self.points_left(&p.open, march).checked_sub(cost)?;
        let (_, before) = self.reachable(&p.open, march, from, left);
        let mut way = arrayvec::ArrayVec::new();
        let mut at = to;
        while at != from {
            way.try_push(at).ok()?;
            at = before[at.number()]?;
        }
        way.reverse();
        Some(way)
    }

    fn list_plan(&self, p: &Position, march: &March, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let (from, cost) = self.plan_end(p, march);
        let Some(left) = self.points_left(&p.open, march).checked_sub(cost).filter(|left| *left > 0) else {
            return;
        };
        if p.hidden.plan.remaining_capacity() < usize::from(left) {
            return;
        }
        let (costs, _) = self.reachable(&p.open, march, from, left);
        for (i, cost) in costs.iter().enumerate().take(self.components.spaces.len()) {
            if *cost > 0 && *cost <= left {
                ballot.allow(Action::To(Space::at(i)));
            }
        }
        if self.holds(&p.open, from, march.seat) && !self.components.space(from).is_box {
            ballot.allow(Action::Rest);
        }
    }

    // ---- Vassals [8.4].

    /// Whether any unit could make a vassal move.
    pub(super) fn any_vassal(&self, o: &Open, seat: Seat) -> bool {
        self.vassal_spaces(o, seat).any()
    }

    /// The spaces from which units can move by themselves.
    fn vassal_spaces(&self, o: &Open, seat: Seat) -> Spaces {
        let army = self.army(o, seat) - o.moved;
        self.components
            .all_spaces()
            .filter(|s| {
                let free = (o.here[*s] & army) - if o.marks[*s].besieged { o.inside } else { Set::NONE };
                free.any() && !self.components.space(*s).by_sea
            })
            .collect()
    }

    pub(super) fn list_vassals(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        extra: bool,
        card: Option<Card>,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let o = &p.open;
        ballot.allow(Action::Done);
        let cavalry = self.plot(o).roster.cavalry;
        if left == 0 && !extra {
            return;
        }
        let army = self.army(o, seat) - o.moved;
        for space in self.vassal_spaces(o, seat) {
            let free = (o.here[space] & army) - if o.marks[space].besieged { o.inside } else { Set::NONE };
            let free = if left == 0 { free & cavalry } else { free };
            self.sorts(o, free, |sort| ballot.allow(Action::Vassal(space, sort)));
        }
        // A card of three lets them sail as one group.
        let great =
            card.is_some_and(|c| self.components.card(c).ov >= GREAT && self.components.card(c).ov == left);
        if great && extra && self.may_sail(o, seat, false) && !o.sailed {
            for space in self.components.all_spaces() {
                let data = self.components.space(space);
                let harbour =
                    data.by_sea || data.port && self.friendly(o, space, seat) && !o.marks[space].blockaded;
                if harbour && (o.here[space] & army).any() {
                    ballot.allow(Action::Embark(space));
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn act_vassals(
        &self,
        p: &mut Position,
        seat: Seat,
        left: u8,
        extra: bool,
        card: Option<Card>,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let ov = card.map_or(0, |c| self.components.card(c).ov);
        match action {
            Action::Vassal(space, sort) => {
                let free = p.open.here[space] & (self.army(&p.open, seat) - p.open.moved);
                let free = free - if p.open.marks[space].besieged { p.open.inside } else { Set::NONE };
                let Some(unit) = self.one_of(&p.open, free, sort) else { return };
                let rides = self.plot(&p.open).roster.cavalry.has(unit);
                // One more may move if all are cavalry: the bonus is spent last.
                let (left, extra) = if left > 0 { (left - 1, extra && rides) } else { (0, false) };
                p.open.agenda.replace(Step::Vassals { seat, left, extra, card });
                let mut march = self.new_march(seat, None, space, ov, super::no_licence());
                march.units = Set::one(unit);
                march.vassal = true;
                p.open.march = Some(march);
                p.open.inside.remove(unit);
                p.open.agenda.push(Step::March);
                umpire.cite(rule!("8.4"));
            }
            Action::Embark(space) => {
                p.open.agenda.replace(Step::Vassals { seat, left: 0, extra: false, card });
                let mut march = self.new_march(seat, None, space, ov, super::no_licence());
                march.vassal = true;
                march.ships = Some(left);
                p.open.march = Some(march);
                self.propose(p);
                p.open.agenda.push(Step::March);
                p.open.agenda.push(Step::Command);
            }
            _ => {
                p.open.agenda.pop();
            }
        }
    }

    /// Whether a player may sail on the Mediterranean without an event [10.8].
    pub(super) fn may_sail(&self, o: &Open, seat: Seat, event: bool) -> bool {
        (event || seat == CHRISTIAN) && !o.sailed && !self.banned(o, seat, Forbidden::Naval)
    }

    /// The sorts of the army, for people.
    pub(crate) fn army_sorts(&self, o: &Open, units: Units) -> Vec<(Sort, usize)> {
        let mut sorts = Vec::new();
        self.sorts(o, units, |sort| {
            let alike = self.plot(o).roster.of_kind[sort.kind] & units;
            let count = if sort.reduced { (alike & o.reduced).len() } else { (alike - o.reduced).len() };
            sorts.push((sort, count));
        });
        sorts
    }
}

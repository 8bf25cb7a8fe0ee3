//! Actions [12.0]: what may be chosen, and recruiting [14.0], rallying [15.0] and diplomacy [16.0].

use arrayvec::ArrayVec;
use table::{Ballot, Readers, Seat, Set, Umpire, rule};

use super::Refused;
use super::pilgrimage::Picked;
use crate::FirstCrusade;
use crate::action::Action;
use crate::data::{Contingent, Family, Space, Unit};
use crate::position::{Place, Position, Step};
use crate::words::count;

/// Actions that a castle and a monastery cost [33.2, 33.3].
pub(crate) const CASTLE_COST: u8 = 3;
pub(crate) const MONASTERY_COST: u8 = 2;

impl FirstCrusade {
    /// Whether a contingent may be used at all now.
    pub(crate) fn may_act(&self, p: &Position, family: Family, units: Set<Unit>) -> Result<(), Refused> {
        match family {
            Family::Armenian if !p.armenia => Err((rule!("30.1"), "Armenia is not activated")),
            Family::Byzantine if p.place[self.components.emperor] == Place::Dead => {
                Err((rule!("32.2"), "Alexios is dead: the Byzantines take no actions"))
            }
            Family::Byzantine | Family::Armenian if p.infighting => {
                Err((rule!("35.christian-infighting"), "only Crusaders take actions this turn"))
            }
            Family::Crusader if p.infighting && (units & self.of(Contingent::Crusader)).is_empty() => {
                Err((rule!("35.christian-infighting"), "mercenaries act only with Crusaders this turn"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn list_actions<B: Ballot<Action> + ?Sized>(&self, p: &Position, seat: Seat, ballot: &mut B) {
        let explains = ballot.explains();
        let c = &self.components;
        let mut tell = |action: Action, verdict: Result<(), Refused>, ballot: &mut B| match verdict {
            Ok(()) => ballot.allow(action),
            Err((rule, why)) if explains => ballot.refuse(action, rule, format_args!("{why}")),
            Err(_) => {}
        };
        for (s, here) in p.here.iter() {
            let here = *here & c.christians;
            if here.is_empty() {
                continue;
            }
            for f in Family::ALL {
                if self.seat_of(p, f) == seat {
                    self.list_moves(p, s, f, &mut tell, ballot);
                }
            }
            let leaders = here & c.leaders;
            // Leaders of one contingent and kind are as good as each other here.
            let mut listed = ArrayVec::<(Family, u8), 6>::new();
            for u in leaders.iter() {
                let f = self.family_of(u);
                if self.seat_of(p, f) != seat {
                    continue;
                }
                let group = (f, self.picks(p, u));
                if !listed.contains(&group) {
                    listed.push(group);
                    tell(Action::Recruit(u), self.may_recruit(p, s, f), ballot);
                    if f == Family::Crusader {
                        tell(Action::Pilgrimage(u), self.may_pilgrimage(p, s), ballot);
                        tell(Action::Diplomacy(u), self.may_negotiate(p, s, u), ballot);
                    }
                }
                if f == Family::Crusader && p.table.kingdoms && (c.holy.has(s) || explains) {
                    tell(Action::Crown(u), self.may_crown(p, s, u), ballot);
                }
            }
            if leaders.any() {
                let own = |f: Family| self.seat_of(p, f) == seat && (leaders & self.all_of(f)).any();
                let ours = Family::ALL.into_iter().find(|f| own(*f));
                if ours.is_some() {
                    tell(Action::Rally(s), self.may_rally(p, s, seat), ballot);
                    tell(Action::Camp(s), self.may_camp(p, s, seat), ballot);
                }
                if own(Family::Crusader) {
                    tell(Action::Castle(s), self.may_castle(p, s), ballot);
                    tell(Action::Monastery(s), self.may_monastery(p, s), ballot);
                }
            }
        }
        for other in p.table.party.without(seat).iter() {
            for m in p.boons[seat.index()] {
                ballot.allow(Action::Give(m, other));
            }
            if p.asked.contains(other) {
                tell(
                    Action::Hand(other),
                    Err((rule!("opt-37.0"), "that player has had the word for this action")),
                    ballot,
                );
            } else {
                ballot.allow(Action::Hand(other));
            }
        }
        ballot.allow(Action::Pass);
    }

    /// A contingent and whoever counts with it: mercenaries are Crusaders [32.5].
    #[inline]
    pub(crate) fn all_of(&self, family: Family) -> Set<Unit> {
        if family == Family::Crusader {
            self.family(Family::Crusader) | self.of(Contingent::Mercenary)
        } else {
            self.family(family)
        }
    }

    pub(super) fn take_action<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut U,
    ) {
        umpire.cite(if p.standard > 0 { rule!("12.1") } else { rule!("12.2") });
        umpire.cite(rule!("34.0"));
        self.cite_team(p, umpire);
        match action {
            Action::March(..)
            | Action::Advance(..)
            | Action::SuppliedMarch(..)
            | Action::Form(..)
            | Action::Fleet(..) => {
                self.set_out(p, action, umpire);
            }
            Action::AttackFrom(s, f) | Action::SiegeAttack(s, f) => {
                p.agenda.pop();
                self.pay(p, 1);
                self.attack_from_the_lines(p, s, f, matches!(action, Action::SiegeAttack(..)), umpire);
            }
            Action::Recruit(u) => {
                self.spend(p, 1);
                self.recruit(p, u, umpire);
            }
            Action::Rally(s) => {
                self.spend(p, 1);
                self.rally(p, s, umpire);
            }
            Action::Diplomacy(u) => {
                self.spend(p, 1);
                self.negotiate(p, u, umpire);
            }
            Action::Pilgrimage(u) => {
                self.spend(p, 1);
                self.go_on_pilgrimage(p, u, umpire);
            }
            Action::Camp(s) => {
                self.spend(p, 1);
                self.build_camp(p, s, umpire);
            }
            Action::Castle(s) => {
                self.spend(p, CASTLE_COST);
                self.build(p, s, true, umpire);
            }
            Action::Monastery(s) => {
                self.spend(p, MONASTERY_COST);
                self.build(p, s, false, umpire);
            }
            Action::Crown(u) => {
                self.spend(p, 1);
                self.crown(p, u, umpire);
            }
            Action::Give(m, to) => {
                p.boons[seat.index()].remove(m);
                p.boons[to.index()].insert(m);
                umpire.note(
                    Readers::ALL,
                    rule!("opt-37.0"),
                    format_args!(
                        "The {} give {} to the {}",
                        self.title.seat_name(seat),
                        self.components.marker_name(m),
                        self.title.seat_name(to)
                    ),
                );
            }
            Action::Hand(to) => {
                p.word = to;
                p.asked = p.asked.with(to);
                umpire.note(
                    Readers::ALL,
                    rule!("opt-37.0"),
                    format_args!("The {} may take this action", self.title.seat_name(to)),
                );
            }
            Action::Pass => {
                self.spend(p, 1);
                umpire.note(Readers::ALL, rule!("12.1"), format_args!("An action is forgone"));
            }
            _ => {}
        }
    }

    /// The choice is made and paid for.
    fn spend(&self, p: &mut Position, actions: u8) {
        p.agenda.pop();
        self.pay(p, actions);
    }

    /// How many counters a leader picks: a diplomat, or a king [opt-36.6], two.
    pub(crate) fn picks(&self, p: &Position, leader: Unit) -> u8 {
        if self.components.diplomats.has(leader) || p.is_titled(leader) { 2 } else { 1 }
    }

    /// The bin that a leader recruits from.
    pub(crate) fn bin_of(&self, p: &Position, family: Family) -> Set<Unit> {
        self.family(family).iter().filter(|u| p.in_bin(*u)).collect()
    }

    fn bin_is_empty(&self, p: &Position, family: Family) -> bool {
        !self.family(family).iter().any(|u| p.in_bin(u))
    }

    /// Whether a leader of a contingent recruits in a space.
    fn may_recruit(&self, p: &Position, s: Space, f: Family) -> Result<(), Refused> {
        let c = &self.components;
        self.may_act(p, f, self.christians(p, s))?;
        let fits = c.ports.has(s) || c.holy.has(s) || c.armenia.has(s);
        if !fits {
            return Err((
                rule!("14.1"),
                "a leader recruits in a port, in an Armenian fortress or in one holy to Crusaders",
            ));
        }
        if c.objectives.has(s) {
            return Err((rule!("14.1"), "nobody recruits in a Byzantine fortress, port or not"));
        }
        if self.contested(p, s) {
            return Err((rule!("opt-34.6"), "besiegers have no use of the fortress"));
        }
        if self.bin_is_empty(p, f) {
            return Err((rule!("14.4"), "nobody is left in the bin"));
        }
        Ok(())
    }

    fn recruit<U: Umpire + ?Sized>(&self, p: &mut Position, leader: Unit, umpire: &mut U) {
        let (Some(s), f) = (p.at(leader), self.family_of(leader)) else { return };
        self.cite_leader(p, leader, umpire);
        if self.components.fleets.has(leader) {
            umpire.cite(rule!("32.1"));
        }
        // Whom a bin holds: the eliminated, but no eliminated leaders.
        umpire.cite(rule!("14.5"));
        for _ in 0..self.picks(p, leader) {
            let bin = self.bin_of(p, f);
            let Some(u) = self.draw(bin, Readers::ALL, umpire) else {
                umpire.cite(rule!("14.4"));
                break;
            };
            let at = self.berth(u, s);
            p.put(u, at);
            umpire.cite(rule!("14.3"));
            if self.components.fleets.has(u) {
                umpire.cite(rule!("14.2"));
            }
            umpire.note(
                Readers::ALL,
                if at == s { rule!("14.1") } else { rule!("14.2") },
                format_args!(
                    "{} recruits {}, placed in {}",
                    self.components.unit_name(leader),
                    self.components.unit_name(u),
                    self.components.space_name(at)
                ),
            );
        }
    }

    /// Cites what makes a leader more, or less, than others of his kind: a title [opt-36.6], his hire [32.5].
    pub(super) fn cite_leader<U: Umpire + ?Sized>(&self, p: &Position, leader: Unit, umpire: &mut U) {
        if p.is_titled(leader) {
            umpire.cite(rule!("opt-36.6"));
        }
        self.cite_hired(Set::one(leader), umpire);
    }

    /// Where a unit that joins in a space is placed: fleets need a port [14.2].
    pub(crate) fn berth(&self, u: Unit, s: Space) -> Space {
        let fleet = self.components.fleets.has(u);
        if fleet && !self.components.ports.has(s) { self.components.capital } else { s }
    }

    /// Draws a unit from a set.
    pub(crate) fn draw<U: Umpire + ?Sized>(
        &self,
        from: Set<Unit>,
        to: Readers,
        umpire: &mut U,
    ) -> Option<Unit> {
        if from.is_empty() {
            return None;
        }
        let nth = |i: u16| from.nth(usize::from(i));
        let name = |i: u16| nth(i).map_or(String::new(), |u| self.components.unit_name(u).to_string());
        nth(umpire.draw(to, from.len() as u16, &name))
    }

    /// Reduced Christian units in a space that can be rallied: those of contingents that may act at all.
    pub(crate) fn wounded(&self, p: &Position, s: Space) -> Set<Unit> {
        let here = self.christians(p, s);
        let reduced = here & p.reduced;
        reduced.iter().filter(|u| self.may_act(p, self.family_of(*u), here).is_ok()).collect()
    }

    fn may_rally(&self, p: &Position, s: Space, seat: Seat) -> Result<(), Refused> {
        let c = &self.components;
        self.anybody_may_act(p, s, seat)?;
        if self.wounded(p, s).is_empty() {
            let here = self.christians(p, s);
            let idle = (here & p.reduced).first().map(|u| self.may_act(p, self.family_of(u), here));
            return idle.unwrap_or(Ok(())).and(Err((rule!("15.1"), "nobody here is reduced")));
        }
        if !(self.is_fort(p, s) || c.ports.has(s)) {
            return Err((rule!("15.1"), "units rally in Constantinople, a port or a fortress"));
        }
        if self.contested(p, s) {
            return Err((rule!("opt-34.6"), "besiegers have no use of the fortress"));
        }
        Ok(())
    }

    /// Whether any leader of this player in a space may take an action.
    pub(crate) fn anybody_may_act(&self, p: &Position, s: Space, seat: Seat) -> Result<(), Refused> {
        let here = self.christians(p, s);
        let mut verdict = Err((rule!("12.4"), "an action needs a leader there"));
        for f in Family::ALL {
            if self.seat_of(p, f) == seat && (here & self.components.leaders & self.all_of(f)).any() {
                let allowed = self.may_act(p, f, here);
                if allowed.is_ok() {
                    return Ok(());
                }
                verdict = allowed;
            }
        }
        verdict
    }

    /// Leaders in a space who count for a rally.
    fn rallying(&self, p: &Position, s: Space) -> usize {
        let here = self.christians(p, s);
        let leaders = (here & self.components.leaders).iter();
        leaders.filter(|u| self.may_act(p, self.family_of(*u), here).is_ok()).count()
    }

    fn rally<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, umpire: &mut U) {
        let (wounded, leaders) = (self.wounded(p, s), self.rallying(p, s));
        umpire.cite(rule!("15.3"));
        if umpire.writes() {
            let here = self.christians(p, s);
            self.cite_hired(here & self.components.leaders, umpire);
            for u in here & self.components.leaders {
                if let Err((rule, _)) = self.may_act(p, self.family_of(u), here) {
                    umpire.cite(rule);
                }
            }
            if p.castles.has(s) {
                umpire.cite(rule!("33.7"));
            }
        }
        umpire.note(
            Readers::ALL,
            rule!("15.1"),
            format_args!(
                "{} {} the ranks in {}",
                count(leaders, "leader", "leaders"),
                if leaders == 1 { "rallies" } else { "rally" },
                self.components.space_name(s)
            ),
        );
        if wounded.len() <= leaders {
            for u in wounded.iter() {
                self.recover(p, u, umpire);
            }
        } else {
            p.agenda.push(Step::Rally { space: s, left: leaders as u8 });
        }
    }

    pub(super) fn list_rally<B: Ballot<Action> + ?Sized>(&self, p: &Position, space: Space, ballot: &mut B) {
        for u in self.one_of_each(p, self.wounded(p, space)).iter() {
            ballot.allow(Action::Restore(u));
        }
        ballot.allow(Action::Done);
    }

    pub(super) fn restore<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        u: Unit,
        space: Space,
        left: u8,
        umpire: &mut U,
    ) {
        self.recover(p, u, umpire);
        p.agenda.replace(Step::Rally { space, left: left - 1 });
    }

    fn recover<U: Umpire + ?Sized>(&self, p: &mut Position, u: Unit, umpire: &mut U) {
        p.reduced.remove(u);
        umpire.note(
            Readers::ALL,
            if self.components.leaders.has(u) { rule!("15.2") } else { rule!("15.1") },
            format_args!("{} is at full strength again", self.components.unit_name(u)),
        );
    }

    /// Of interchangeable units, one each. A laden ship is like no other.
    pub(crate) fn one_of_each(&self, p: &Position, units: Set<Unit>) -> Set<Unit> {
        let (mut full, mut reduced) = (Set::NONE, Set::NONE);
        let mut chosen = self.carrying(p, units);
        for u in (units - chosen).iter() {
            let class = self.components.units[u].class;
            let seen = if p.reduced.has(u) { &mut reduced } else { &mut full };
            if !seen.has(class) {
                seen.insert(class);
                chosen.insert(u);
            }
        }
        chosen
    }

    fn may_negotiate(&self, p: &Position, s: Space, leader: Unit) -> Result<(), Refused> {
        self.may_act(p, Family::Crusader, self.christians(p, s))?;
        if !self.components.diplomats.has(leader) {
            return Err((rule!("16.1"), "only a diplomatic leader negotiates"));
        }
        if s != self.components.sis || !self.controlled(p, s) {
            return Err((rule!("16.1"), "diplomacy is done in Sis"));
        }
        Ok(())
    }

    fn negotiate<U: Umpire + ?Sized>(&self, p: &mut Position, leader: Unit, umpire: &mut U) {
        let name = self.components.unit_name(leader);
        if p.armenia {
            umpire.note(
                Readers::ALL,
                rule!("16.1"),
                format_args!("{name} treats with the Armenians and picks a marker"),
            );
            let seat = self.seat_of(p, Family::Crusader);
            if let Picked::Mercenary(u) = self.pick(p, seat, Set::NONE, umpire) {
                self.mercenary_joins(p, u, self.components.sis, umpire);
            }
        } else {
            umpire.note(
                Readers::ALL,
                rule!("16.1"),
                format_args!("{name} wins the Armenians for the crusade"),
            );
            self.activate_armenia(p, umpire);
        }
    }

    /// Armenia joins the crusade [30.1].
    pub(crate) fn activate_armenia<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        if !p.armenia {
            p.armenia = true;
            umpire.note(Readers::ALL, rule!("30.1"), format_args!("Armenia is activated"));
        }
    }
}

//! Actions [12.0]: what may be chosen, and recruiting [14.0], rallying [15.0] and diplomacy [16.0].

use table::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

use super::{ARMENIAN, BYZANTINE, CRUSADER, Refused};
use crate::FirstCrusade;
use crate::action::Action;
use crate::data::Contingent;
use crate::position::{BIN, BOX, Position, Step};
use crate::set::Set;

/// Actions that a castle and a monastery cost [33.2, 33.3].
pub(crate) const CASTLE_COST: u8 = 3;
pub(crate) const MONASTERY_COST: u8 = 2;

impl FirstCrusade {
    /// Whether a contingent may be used at all now.
    pub(crate) fn may_act(&self, p: &Position, family: u8, units: Set) -> Result<(), Refused> {
        match family {
            ARMENIAN if !p.armenia => Err((rule!("30.1"), "Armenia is not activated")),
            BYZANTINE if p.place[usize::from(self.components.emperor)] == BOX => {
                Err((rule!("32.2"), "Alexios is dead: the Byzantines take no actions"))
            }
            BYZANTINE | ARMENIAN if p.infighting => {
                Err((rule!("35.christian-infighting"), "only Crusaders take actions this turn"))
            }
            CRUSADER if p.infighting && (units & self.of(Contingent::Crusader)).is_empty() => {
                Err((rule!("35.christian-infighting"), "mercenaries act only with Crusaders this turn"))
            }
            _ => Ok(()),
        }
    }

    /// The units that a leader acts with: those of his contingent where he stands.
    fn company(&self, p: &Position, leader: u8) -> Set {
        self.christians(p, p.place[usize::from(leader)])
    }

    pub(super) fn list_actions<B: Ballot<Action> + ?Sized>(&self, p: &Position, seat: Seat, ballot: &mut B) {
        let explains = ballot.explains();
        let c = &self.components;
        let mut tell = |action: Action, verdict: Result<(), Refused>, ballot: &mut B| match verdict {
            Ok(()) => ballot.allow(action),
            Err((rule, why)) if explains => ballot.refuse(action, rule, format_args!("{why}")),
            Err(_) => {}
        };
        for s in 0..c.spaces.len() as u8 {
            let here = self.christians(p, s);
            if here.is_empty() {
                continue;
            }
            for f in [CRUSADER, BYZANTINE, ARMENIAN] {
                if self.seat_of(p, f) == seat {
                    self.list_moves(p, s, f, &mut tell, ballot);
                }
            }
            let leaders = here & c.leaders;
            // Leaders of one contingent and kind are as good as each other here.
            let mut listed: [Set; 2] = [Set::NONE; 2];
            for u in leaders.each() {
                let f = self.family_of(u);
                if self.seat_of(p, f) != seat {
                    continue;
                }
                let kind = self.picks(p, u);
                let group = Set::one(f * 4 + kind);
                if !(listed[0] & group).any() {
                    listed[0] |= group;
                    tell(Action::Recruit(u), self.may_recruit(p, u), ballot);
                }
                if f == CRUSADER {
                    if !(listed[1] & group).any() {
                        listed[1] |= group;
                        tell(Action::Pilgrimage(u), self.may_pilgrimage(p, u), ballot);
                        tell(Action::Diplomacy(u), self.may_negotiate(p, u), ballot);
                    }
                    if p.table.kingdoms && c.of[0].has(u) && (c.holy.has(s) || explains) {
                        tell(Action::Crown(u), self.may_crown(p, u), ballot);
                    }
                }
            }
            if leaders.any() {
                let own = |f: u8| self.seat_of(p, f) == seat && (leaders & self.all_of(f)).any();
                let ours = [CRUSADER, BYZANTINE, ARMENIAN].into_iter().find(|f| own(*f));
                if ours.is_some() {
                    tell(Action::Rally(s), self.may_rally(p, s, seat), ballot);
                    tell(Action::Camp(s), self.may_camp(p, s, seat), ballot);
                }
                if own(CRUSADER) {
                    tell(Action::Castle(s), self.may_castle(p, s), ballot);
                    tell(Action::Monastery(s), self.may_monastery(p, s), ballot);
                }
            }
        }
        self.list_boons(p, seat, ballot);
        if p.table.seats > 1 {
            for other in SeatSet::first(usize::from(p.table.seats)).without(seat).iter() {
                for m in bits(p.boons[seat.index()]) {
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
        }
        ballot.allow(Action::Pass);
    }

    /// A contingent and whoever counts with it: mercenaries are Crusaders [32.5].
    #[inline]
    pub(crate) fn all_of(&self, family: u8) -> Set {
        if family == CRUSADER {
            self.family(CRUSADER) | self.of(Contingent::Mercenary)
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
                p.boons[seat.index()] &= !(1 << m);
                p.boons[to.index()] |= 1 << m;
                umpire.note(
                    Readers::ALL,
                    rule!("opt-37.0"),
                    format_args!(
                        "{} changes hands, to the {}",
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
                    format_args!("the {} may take this action", self.title.seat_name(to)),
                );
            }
            Action::Pass => {
                self.spend(p, 1);
                umpire.note(Readers::ALL, rule!("12.1"), format_args!("an action is forgone"));
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
    pub(crate) fn picks(&self, p: &Position, leader: u8) -> u8 {
        if self.components.diplomats.has(leader) || p.titles.contains(&leader) { 2 } else { 1 }
    }

    /// The bin that a leader recruits from.
    pub(crate) fn bin_of(&self, p: &Position, family: u8) -> Set {
        self.family(family).each().filter(|u| p.place[usize::from(*u)] == BIN).collect()
    }

    fn bin_is_empty(&self, p: &Position, family: u8) -> bool {
        self.family(family).each().all(|u| p.place[usize::from(u)] != BIN)
    }

    fn may_recruit(&self, p: &Position, leader: u8) -> Result<(), Refused> {
        let c = &self.components;
        let (s, f) = (p.place[usize::from(leader)], self.family_of(leader));
        self.may_act(p, f, self.company(p, leader))?;
        let fits = s == c.capital || c.ports.has(s) || c.holy.has(s) || c.armenia.has(s);
        if !fits {
            return Err((
                rule!("14.1"),
                "a leader recruits in a port, in an Armenian fortress or in one holy to Crusaders",
            ));
        }
        if c.seas.has(s) {
            return Err((rule!("14.1"), "nobody recruits at sea"));
        }
        if self.contested(p, s) {
            return Err((rule!("opt-34.6"), "besiegers have no use of the fortress"));
        }
        if self.bin_is_empty(p, f) {
            return Err((rule!("14.4"), "nobody is left in the bin"));
        }
        Ok(())
    }

    fn recruit<U: Umpire + ?Sized>(&self, p: &mut Position, leader: u8, umpire: &mut U) {
        let (s, f) = (p.place[usize::from(leader)], self.family_of(leader));
        if p.titles.contains(&leader) {
            umpire.cite(rule!("opt-36.6"));
        }
        for _ in 0..self.picks(p, leader) {
            let bin = self.bin_of(p, f);
            let Some(u) = self.draw(bin, Readers::ALL, umpire) else { break };
            let at = self.berth(u, s);
            p.put(u, at);
            umpire.cite(rule!("14.3"));
            umpire.note(
                Readers::ALL,
                if at == s { rule!("14.1") } else { rule!("14.2") },
                format_args!(
                    "{} recruits: {} joins in {}",
                    self.components.unit_name(leader),
                    self.components.unit_name(u),
                    self.components.space_name(at)
                ),
            );
        }
    }

    /// Where a unit that joins in a space is placed: fleets need a port [14.2].
    pub(crate) fn berth(&self, u: u8, s: u8) -> u8 {
        let fleet = self.components.fleets.has(u);
        if fleet && !self.components.ports.has(s) { self.components.capital } else { s }
    }

    /// Draws a unit from a set.
    pub(crate) fn draw<U: Umpire + ?Sized>(&self, from: Set, to: Readers, umpire: &mut U) -> Option<u8> {
        if from.is_empty() {
            return None;
        }
        let name = |i: u16| from.nth(i).map_or(String::new(), |u| self.components.unit_name(u).to_string());
        let index = umpire.draw(to, u16::from(from.len()), &name);
        from.nth(index)
    }

    /// Reduced Christian units in a space.
    pub(crate) fn wounded(&self, p: &Position, s: u8) -> Set {
        self.christians(p, s) & p.reduced
    }

    fn may_rally(&self, p: &Position, s: u8, seat: Seat) -> Result<(), Refused> {
        let c = &self.components;
        self.anybody_may_act(p, s, seat)?;
        if self.wounded(p, s).is_empty() {
            return Err((rule!("15.1"), "nobody here is reduced"));
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
    pub(crate) fn anybody_may_act(&self, p: &Position, s: u8, seat: Seat) -> Result<(), Refused> {
        let here = self.christians(p, s);
        let mut verdict = Err((rule!("12.4"), "an action needs a leader there"));
        for f in [CRUSADER, BYZANTINE, ARMENIAN] {
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
    fn rallying(&self, p: &Position, s: u8) -> u8 {
        let here = self.christians(p, s) & self.components.leaders;
        here.each().filter(|u| self.may_act(p, self.family_of(*u), self.christians(p, s)).is_ok()).count()
            as u8
    }

    fn rally<U: Umpire + ?Sized>(&self, p: &mut Position, s: u8, umpire: &mut U) {
        let (wounded, leaders) = (self.wounded(p, s), self.rallying(p, s));
        umpire.cite(rule!("15.3"));
        umpire.note(
            Readers::ALL,
            rule!("15.1"),
            format_args!("{leaders} leaders rally the ranks in {}", self.components.space_name(s)),
        );
        if wounded.len() <= leaders {
            p.reduced -= wounded;
        } else {
            p.agenda.push(Step::Rally { space: s, left: leaders });
        }
    }

    pub(super) fn list_rally<B: Ballot<Action> + ?Sized>(&self, p: &Position, space: u8, ballot: &mut B) {
        for u in self.one_of_each(p, self.wounded(p, space)).each() {
            ballot.allow(Action::Restore(u));
        }
        ballot.allow(Action::Done);
    }

    pub(super) fn restore<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        u: u8,
        space: u8,
        left: u8,
        umpire: &mut U,
    ) {
        p.reduced.remove(u);
        umpire.note(
            Readers::ALL,
            if self.components.leaders.has(u) { rule!("15.2") } else { rule!("15.1") },
            format_args!("{} is at full strength again", self.components.unit_name(u)),
        );
        p.agenda.replace(Step::Rally { space, left: left - 1 });
    }

    /// Of interchangeable units, one each.
    pub(crate) fn one_of_each(&self, p: &Position, units: Set) -> Set {
        let (mut full, mut reduced, mut chosen) = (Set::NONE, Set::NONE, Set::NONE);
        for u in units.each() {
            let class = Set::one(self.components.units[usize::from(u)].class);
            let seen = if p.reduced.has(u) { &mut reduced } else { &mut full };
            if !(*seen & class).any() {
                *seen |= class;
                chosen.insert(u);
            }
        }
        chosen
    }

    fn may_negotiate(&self, p: &Position, leader: u8) -> Result<(), Refused> {
        self.may_act(p, CRUSADER, self.company(p, leader))?;
        if !self.components.diplomats.has(leader) {
            return Err((rule!("16.1"), "only a diplomatic leader negotiates"));
        }
        let s = p.place[usize::from(leader)];
        if s != self.components.sis || !self.controlled(p, s) {
            return Err((rule!("16.1"), "diplomacy is done in Sis"));
        }
        Ok(())
    }

    fn negotiate<U: Umpire + ?Sized>(&self, p: &mut Position, leader: u8, umpire: &mut U) {
        let name = self.components.unit_name(leader);
        if p.armenia {
            umpire.note(
                Readers::ALL,
                rule!("16.1"),
                format_args!("{name} treats with the Armenians and picks a marker"),
            );
            let at = p.place[usize::from(leader)];
            self.pick_for(p, self.seat_of(p, CRUSADER), at, umpire);
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

/// The numbers of the bits that are set.
pub(crate) fn bits(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(bit)
    })
}

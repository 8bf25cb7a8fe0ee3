//! Where picked pieces can go and which clicks bring them there: marches before and after the dice,
//! withdrawals, arrivals. Everything is asked of a position imagined from the view.

use std::collections::BTreeMap;

use table::rooms::{Rules, Secrets};
use table::{Lots, Options, Reach, Seat, Set, Silent};

use crate::FirstCrusade;
use crate::action::Action;
use crate::data::{Family, Space, Unit};
use crate::flow::movement_points;
use crate::position::{March, Position, Step};
use crate::scene::chance_of;
use crate::view::View;
use crate::words::{Host, count};

/// A place that picked pieces can go to, and the clicks that bring them there.
pub(crate) struct Errand {
    pub(crate) reach: Reach,
    /// Movement points to it.
    pub(crate) points: u8,
    pub(crate) route: Vec<Action>,
}

/// What makes units interchangeable; a laden ship is like no other.
type Likeness = (Unit, bool);

impl FirstCrusade {
    /// All places that picked pieces of a scene can go to, together. Nothing, where any of them is unknown or
    /// no piece of the seat that decides.
    pub(crate) fn errands(&self, view: &View, picked: &[&str]) -> Vec<Errand> {
        let Some(seat) = view.viewer.seat().filter(|seat| view.deciding.contains(*seat)) else {
            return Vec::new();
        };
        let mut units = Set::NONE;
        for id in picked {
            match self.units_of_piece(view, id) {
                Some(more) => units |= more,
                None => return Vec::new(),
            }
        }
        if units.is_empty() {
            return Vec::new();
        }
        let p = self.imagine(view, &mut Lots::new(0));
        match p.agenda.now() {
            Some(Step::Choose) => self.before_the_choice(&p, seat, units),
            Some(Step::Force) => self.form_of(p, seat, units).map_or(Vec::new(), |(q, mut clicks)| {
                clicks.push(Action::Roll);
                self.before_the_dice(&q, &clicks)
            }),
            Some(Step::March) => self.after_the_dice(&p, seat, units),
            Some(Step::Withdraw) => self.withdrawals(&p, seat, units),
            Some(Step::Landing(_)) if self.waiting(&p).map(Set::one) == Some(units) => {
                let place = |action: &Action| match action {
                    Action::Place(s) => {
                        Some(self.errand(*s, 0, String::new(), String::new(), true, vec![*action]))
                    }
                    _ => None,
                };
                self.open_to(&p, seat).iter().filter_map(place).collect()
            }
            _ => Vec::new(),
        }
    }

    fn errand(
        &self,
        s: Space,
        points: u8,
        cost: String,
        danger: String,
        ends: bool,
        route: Vec<Action>,
    ) -> Errand {
        Errand { reach: Reach { space: self.space_id(s), cost, danger, ends }, points, route }
    }

    /// What a seat may do in an imagined position.
    fn open_to(&self, p: &Position, seat: Seat) -> Vec<Action> {
        let mut options = Options::new();
        self.options(p, seat, &mut options);
        options.offers().iter().map(|offer| offer.action).collect()
    }

    /// A contingent sets out: all of it, all but one, or those that were picked.
    fn before_the_choice(&self, p: &Position, seat: Seat, units: Set<Unit>) -> Vec<Errand> {
        let Some(s) = units.first().and_then(|u| p.at(u)).filter(|s| units.within(p.here[*s])) else {
            return Vec::new();
        };
        let open = self.open_to(p, seat);
        let sea = units.meets(self.components.fleets);
        for family in Family::ALL.into_iter().filter(|f| self.seat_of(p, *f) == seat) {
            let host = self.host(p, s, family);
            let rest = self.keeper(p, host).map_or(host, |keeper| host.without(keeper));
            let all = [(Action::March(s, family), host), (Action::Advance(s, family), rest)];
            for (action, force) in all {
                if open.contains(&action) && self.are_alike(p, force, units) {
                    let mut q = p.clone();
                    q.march = Some(March::forming(force, s, family, false));
                    return self.before_the_dice(&q, &[action]);
                }
            }
            let form = if sea { Action::Fleet(s, family) } else { Action::Form(s, family) };
            if open.contains(&form) {
                let mut q = p.clone();
                self.apply(&mut q, seat, form, &mut Silent::new(0));
                if let Some((q, clicks)) = self.form_of(q, seat, units) {
                    let route: Vec<_> = [form].into_iter().chain(clicks).chain([Action::Roll]).collect();
                    return self.before_the_dice(&q, &route);
                }
            }
        }
        Vec::new()
    }

    /// The clicks that make the force that is being formed one of these units, and what comes of them; `None`
    /// where it cannot be done.
    fn form_of(&self, mut p: Position, seat: Seat, units: Set<Unit>) -> Option<(Position, Vec<Action>)> {
        let c = &self.components;
        let m = p.march?;
        let (ships, men) = (units & c.fleets, units - c.fleets);
        let at_sea = c.seas.has(m.start);
        let fits = match (m.sea, at_sea) {
            (false, _) => ships.is_empty(),
            (true, true) => men.within(self.carried(&p, ships)),
            (true, false) => men.len() <= ships.len(),
        };
        if !fits || !units.within(p.here[m.start]) {
            return None;
        }
        let (counted, kind) = if m.sea { (ships, c.fleets) } else { (men, c.christians) };
        let mut clicks = Vec::new();
        // One by one from the first, or all but those who stay: whichever takes fewer clicks.
        let (has, wants) = (self.likenesses(&p, m.force & kind), self.likenesses(&p, counted));
        if counted.len() < lacking(&has, &wants) + lacking(&wants, &has) {
            let begins = |action: &Action| match action {
                Action::Only(u) => wants.contains_key(&self.likeness(&p, *u)),
                _ => false,
            };
            clicks.extend(self.open_to(&p, seat).into_iter().find(begins));
        }
        for action in &clicks {
            self.apply(&mut p, seat, *action, &mut Silent::new(0));
        }
        let mut click = |p: &mut Position, wanted: &dyn Fn(&Position, Action) -> bool| {
            let next = self.open_to(p, seat).into_iter().find(|action| wanted(p, *action));
            if let Some(action) = next {
                self.apply(p, seat, action, &mut Silent::new(0));
                clicks.push(action);
            }
            next.is_some()
        };
        let changes = |p: &Position, action: Action| {
            let has = self.likenesses(p, p.march.map_or(Set::NONE, |m| m.force & kind));
            let (few, many) = match action {
                Action::Leave(u) => (wants.get(&self.likeness(p, u)), has.get(&self.likeness(p, u))),
                Action::Take(u) => (has.get(&self.likeness(p, u)), wants.get(&self.likeness(p, u))),
                _ => return false,
            };
            few.unwrap_or(&0) < many.unwrap_or(&0)
        };
        while click(&mut p, &changes) {}
        let passengers = self.likenesses(&p, men);
        let boards = |p: &Position, action: Action| {
            let Action::Embark(u) = action else { return false };
            let aboard = self.likenesses(p, p.march.map_or(Set::NONE, |m| m.force - c.fleets));
            let key = self.likeness(p, u);
            aboard.get(&key).unwrap_or(&0) < passengers.get(&key).unwrap_or(&0)
        };
        while m.sea && !at_sea && click(&mut p, &boards) {}
        let force = p.march?.force;
        let wanted = if m.sea && at_sea { ships | self.carried(&p, ships) } else { units };
        self.are_alike(&p, force, wanted).then_some((p, clicks))
    }

    fn likeness(&self, p: &Position, u: Unit) -> Likeness {
        let laden = self.cargo(p, u).is_some();
        (if laden { u } else { self.components.units[u].class }, p.reduced.has(u))
    }

    fn likenesses(&self, p: &Position, units: Set<Unit>) -> BTreeMap<Likeness, usize> {
        let mut counted = BTreeMap::new();
        for u in units {
            *counted.entry(self.likeness(p, u)).or_default() += 1;
        }
        counted
    }

    /// Whether units are the same but for which of several interchangeable ones they are.
    fn are_alike(&self, p: &Position, some: Set<Unit>, others: Set<Unit>) -> bool {
        let plain = |units: Set<Unit>| {
            let mut kinds: Vec<_> =
                units.iter().map(|u| (self.components.units[u].class, p.reduced.has(u))).collect();
            kinds.sort_unstable();
            kinds
        };
        plain(some) == plain(others)
    }

    /// Where a force that is formed may come to, with the chance that its dice bring it there. The clicks lead
    /// up to the dice.
    pub(crate) fn before_the_dice(&self, p: &Position, clicks: &[Action]) -> Vec<Errand> {
        let mut p = p.clone();
        let Some(mut m) = p.march else { return Vec::new() };
        self.pay(&mut p, 1);
        m.dice = if self.is_led(m.force) { 2 } else { 1 };
        m.spurred = self.spurred(&p, &m);
        m.left = m.dice * 6 + m.spurred;
        let route = |last: Action| clicks.iter().copied().chain([last]).collect();
        let mut errands = Vec::new();
        for s in self.passes(&p, &m) {
            let danger = self.dangers_at(&p, &m, s, None);
            errands.push(self.errand(s, m.left, "100 %".into(), danger, true, route(Action::Cross(s))));
        }
        let ways = self.ways(&p, &m);
        for s in ways.order.iter().copied().skip(1).filter(|s| !self.passes(&p, &m).has(*s)) {
            let (ends, crowds) = (self.must_stop(&p, &m, s), self.crowds(&p, &m, s));
            let Some(far) = ways.far[s].filter(|_| !(ends && crowds)) else { continue };
            // Where nobody may stay there must be a point left to go on.
            let need = far + u8::from(crowds);
            if need > m.left {
                continue;
            }
            let chance = chance_of(m.dice, need.saturating_sub(m.spurred));
            let dry = ways.dry.has(s).then_some(m.dice);
            let danger = self.dangers_at(&p, &m, s, dry);
            errands.push(self.errand(s, far, format!("{chance} %"), danger, ends, route(Action::Go(s))));
        }
        errands
    }

    /// The spaces that a force may cross a pass to.
    fn passes(&self, p: &Position, m: &March) -> Set<Space> {
        let passes = self.components.spaces[m.at].passes.iter().copied();
        passes.filter(|s| !m.sea && self.may_cross(p, m, *s).is_ok()).collect()
    }

    /// What waits in a space: enemies, the desert on the way (for so many dice), contingents among whom nobody
    /// may stay.
    fn dangers_at(&self, p: &Position, m: &March, s: Space, dry: Option<u8>) -> String {
        let mut dangers = Vec::new();
        let enemies = self.muslims(p, s).len();
        if enemies > 0 {
            let walls = if self.components.fortresses.has(s) { " behind walls" } else { "" };
            dangers.push(format!("{}{walls}", count(enemies, "Muslim unit", "Muslim units")));
        }
        if self.costs_another(p, s) {
            dangers.push("a second action".into());
        }
        match dry {
            Some(2) => dangers.push("desert: attrition on 7 or 8".into()),
            Some(_) => dangers.push("desert: attrition on 5 or 6".into()),
            None => {}
        }
        if self.crowds(p, m, s) {
            dangers.push("another contingent: no staying there".into());
        }
        dangers.join("; ")
    }

    /// Where a force on its way can go, and what it costs. Whoever of it is picked, all go.
    pub(crate) fn after_the_dice(&self, p: &Position, seat: Seat, units: Set<Unit>) -> Vec<Errand> {
        let Some(m) = p.march.filter(|m| units.within(m.force)) else { return Vec::new() };
        let ways = self.ways(p, &m);
        let mut errands: Vec<Errand> = Vec::new();
        for action in self.open_to(p, seat) {
            let (s, pass) = match action {
                Action::Go(s) => (s, false),
                Action::Cross(s) => (s, true),
                _ => continue,
            };
            let desert = m.desert || if pass { self.components.deserts.has(s) } else { ways.dry.has(s) };
            let supplied = m.supplied && m.joined == m.force && s != m.start && m.havens.has(s);
            let mut dangers = self.dangers_at(p, &m, s, None);
            if self.wears(&March { desert, ..m }) && !supplied {
                dangers =
                    if dangers.is_empty() { "attrition".into() } else { format!("{dangers}; attrition") };
            }
            let far = ways.far[s].filter(|_| !pass).unwrap_or(m.left);
            let cost = if pass { "the whole move".into() } else { movement_points(far).to_string() };
            let ends = pass || far >= m.left || self.must_stop(p, &m, s);
            let errand = self.errand(s, far, cost, dangers, ends, vec![action]);
            if !errands.iter().any(|other| other.reach.space == errand.reach.space) {
                errands.push(errand);
            }
        }
        errands
    }

    /// Where those can withdraw who have failed, all together.
    fn withdrawals(&self, p: &Position, seat: Seat, units: Set<Unit>) -> Vec<Errand> {
        let Some(b) = p.battle.filter(|b| units.within(b.christians)) else { return Vec::new() };
        let ashore = self.withdrawing(p, &b).ashore;
        let withdrawal = |action: &Action| match action {
            Action::Withdraw(s) => {
                let lost = self.lost_in_withdrawal(p, ashore, *s);
                let danger = match lost.is_empty() {
                    true => String::new(),
                    false => format!("lost: {}", Host(&self.components, lost)),
                };
                Some(self.errand(*s, 0, String::new(), danger, true, vec![*action]))
            }
            _ => None,
        };
        self.open_to(p, seat).iter().filter_map(withdrawal).collect()
    }

    /// Who would be lost if those ashore withdrew to a space.
    pub(crate) fn lost_in_withdrawal(&self, p: &Position, ashore: Set<Unit>, s: Space) -> Set<Unit> {
        let by_sea = self.components.seas.has(s);
        ashore.iter().filter(|u| by_sea || !self.may_be(p, *u, s)).collect()
    }
}

/// How many of what is wanted are lacking.
fn lacking(has: &BTreeMap<Likeness, usize>, wants: &BTreeMap<Likeness, usize>) -> usize {
    wants.iter().map(|(key, n)| n.saturating_sub(*has.get(key).unwrap_or(&0))).sum()
}

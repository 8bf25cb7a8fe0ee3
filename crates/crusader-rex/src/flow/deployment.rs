//! Deployment [3.0]: the Franks choose among their seats, nomads are drawn, Saladin may change places.

use table::{Ballot, Readers, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{Class, FRANK, NONE, SARACEN, Set, each, one};
use crate::position::{POOL, Position, Step};

/// So many shifts are heard; a player who needs more takes some back.
const MOST_SHIFTS: u8 = 24;
/// Nomads drawn at the start [3.2].
const NOMADS: u8 = 4;

impl CrusaderRex {
    /// Everyone at his home seat at full strength, the others in the pool [3.0].
    pub(crate) fn deploy_at_home(&self, p: &mut Position) {
        for (b, label) in self.components.blocks.iter().enumerate() {
            if label.side.is_some() && !label.pool {
                p.stand(b as u8, label.home, label.steps);
            }
        }
    }

    /// Frank blocks that begin on the map and have a choice of seats.
    fn movable(&self, p: &Position) -> impl Iterator<Item = u8> + use<'_> {
        let town = p.town;
        each(self.of(FRANK)).filter(move |b| {
            town[usize::from(*b)] < POOL && self.components.blocks[usize::from(*b)].seats.count_ones() > 1
        })
    }

    /// Towns with more Franks than their castle takes [3.1].
    fn overfull(&self, p: &Position) -> Set {
        let mut towns = 0;
        for (t, town) in self.components.towns.iter().enumerate() {
            if (p.here[t] & self.of(FRANK)).count_ones() > u32::from(town.rating) {
                towns |= 1 << t;
            }
        }
        towns
    }

    pub(super) fn list_seats(&self, p: &Position, shifts: u8, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let overfull = self.overfull(p);
        if overfull == 0 {
            ballot.allow(Action::Done);
        } else {
            ballot.refuse(
                Action::Done,
                rule!("3.1"),
                format_args!(
                    "more blocks than the castle limit in {}",
                    self.components.town_name(overfull.trailing_zeros() as u8)
                ),
            );
            ballot.allow(Action::Homes);
        }
        for b in self.movable(p) {
            let label = &self.components.blocks[usize::from(b)];
            for t in each(label.seats & !one(p.town[usize::from(b)])) {
                if shifts < MOST_SHIFTS {
                    ballot.allow(Action::Seat(b, t));
                } else {
                    ballot.refuse(
                        Action::Seat(b, t),
                        rule!("3.1"),
                        format_args!("enough shifting to and fro"),
                    );
                }
            }
        }
        if ballot.explains() {
            for b in each(self.of(FRANK)).filter(|b| p.town[usize::from(*b)] < POOL) {
                let label = &self.components.blocks[usize::from(b)];
                for t in each(self.components.homes[0] & !label.seats) {
                    ballot.refuse(Action::Seat(b, t), rule!("1.13"), format_args!("it has no seat there"));
                }
            }
        }
    }

    pub(super) fn act_seats(
        &self,
        p: &mut Position,
        shifts: u8,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match action {
            Action::Seat(b, t) => {
                self.depart(p, b);
                p.stand(b, t, p.strength[usize::from(b)]);
                self.arrive(p, b);
                p.agenda.replace(Step::Deploy { shifts: shifts + 1 });
            }
            Action::Homes => {
                for b in each(self.of(FRANK)) {
                    if p.town[usize::from(b)] >= POOL {
                        continue;
                    }
                    self.depart(p, b);
                    let label = &self.components.blocks[usize::from(b)];
                    p.stand(b, label.home, label.steps);
                    self.arrive(p, b);
                }
                p.agenda.replace(Step::Deploy { shifts: shifts.saturating_add(1).min(MOST_SHIFTS) });
            }
            _ => {
                umpire.note(Readers::ALL, rule!("3.1"), format_args!("the Franks are deployed"));
                umpire.cite(rule!("1.13"));
                p.agenda.pop();
            }
        }
    }

    /// Nomads are drawn and stand at their seats. Where one stands tells its tribe, so the tribe is drawn
    /// openly and which block of it in secret.
    pub(super) fn draw_nomads(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for _ in 0..NOMADS.saturating_sub(p.table.handicap) {
            let pool: Set = each(self.of(SARACEN))
                .filter(|b| p.town[usize::from(*b)] == POOL)
                .fold(0, |set, b| set | one(b));
            let home = |b: u8| self.components.blocks[usize::from(b)].home;
            // The pool in the order of seats.
            let mut order = arrayvec::ArrayVec::<u8, 31>::new();
            order.extend(each(pool));
            order.sort_unstable_by_key(|b| home(*b));
            if order.is_empty() {
                return;
            }
            let tribe = |i: u16| self.components.town_name(home(order[usize::from(i)])).to_string();
            let drawn = umpire.draw(Readers::ALL, order.len() as u16, &tribe);
            let seat = home(order[usize::from(drawn)]);
            let first = order.iter().position(|b| home(*b) == seat).unwrap_or(0);
            let many = order.iter().filter(|b| home(**b) == seat).count();
            let name = |i: u16| self.components.block_name(order[first + usize::from(i)]).to_string();
            let which = umpire.draw(Readers::only(SARACEN.into()), many as u16, &name);
            let b = order[first + usize::from(which)];
            self.come_from_pool(p, b);
            p.stand(b, seat, self.components.blocks[usize::from(b)].steps);
            p.board &= !one(b);
            self.arrive(p, b);
            if umpire.writes() {
                let town = self.components.town_name(seat);
                umpire.note(Readers::ALL, rule!("3.2"), format_args!("a nomad comes to {town}"));
                umpire.cite(rule!("2.3.2"));
            }
        }
        umpire.cite(rule!("3.0"));
    }

    /// A hidden block leaves the pool: it might be any of those that could lie there.
    pub(crate) fn come_from_pool(&self, p: &mut Position, b: u8) {
        let side = self.of(self.owner(b));
        let mut mortal = side & !self.components.permanent;
        if p.year == 0 && self.owner(b) == SARACEN {
            // At the start everybody knows that only nomads lie there.
            mortal &= each(side)
                .filter(|b| self.components.blocks[usize::from(*b)].class == Class::Nomad)
                .fold(0, |set, b| set | one(b));
        }
        p.pooled &= !mortal;
    }

    /// Those of Saladin's family with whom he may change places: they begin in another town [3.2].
    fn family_elsewhere(&self, p: &Position) -> Set {
        let saladin = p.town[usize::from(self.components.saladin)];
        each(self.components.family)
            .filter(|b| p.town[usize::from(*b)] != saladin && p.town[usize::from(*b)] < POOL)
            .fold(0, |set, b| set | one(b))
    }

    pub(super) fn list_exchange(&self, p: &Position, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        ballot.allow(Action::Done);
        for b in each(self.family_elsewhere(p)) {
            ballot.allow(Action::Exchange(b));
        }
        if ballot.explains() {
            for b in each(self.of(SARACEN) & !self.components.family) {
                ballot.refuse(
                    Action::Exchange(b),
                    rule!("3.2"),
                    format_args!("it is not of Saladin's family"),
                );
            }
        }
    }

    pub(super) fn act_exchange(&self, p: &mut Position, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        p.agenda.pop();
        if let Action::Exchange(b) = action {
            let saladin = self.components.saladin;
            let (here, there) = (p.town[usize::from(saladin)], p.town[usize::from(b)]);
            for (block, from, to) in [(saladin, here, there), (b, there, here)] {
                p.here[usize::from(from)] &= !one(block);
                p.here[usize::from(to)] |= one(block);
                p.town[usize::from(block)] = to;
            }
            // Nothing tells that anybody moved: the marks stay with the places.
            p.token.swap(usize::from(saladin), usize::from(b));
            debug_assert!(p.via[usize::from(b)] == NONE);
        }
        umpire.note(Readers::ALL, rule!("3.2"), format_args!("the Saracens are deployed"));
    }
}

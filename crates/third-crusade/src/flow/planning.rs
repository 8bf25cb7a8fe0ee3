//! The Planning Phase \[2\]: orders are placed face down, one for each alliance and region.
//!
//! Taking an order from the box is a draft of its owner's: nobody else sees that anything happened until it is placed.

use table::{Ballot, Readers, Set, Umpire, rule};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::ids::{Army, Order, Region};
use crate::position::{Open, Placed, Position, Step};

impl ThirdCrusade {
    /// How many orders of a kind an army owns: all basic ones, and Advanced Orders that it has.
    #[inline]
    pub(crate) fn owned(&self, open: &Open, order: Order) -> u8 {
        let sheet = &self.components.orders[order];
        if sheet.advanced && !open.bought.has(order) { 0 } else { sheet.count }
    }

    /// How many orders an army has in its box: everybody can count them.
    pub(crate) fn in_box(&self, open: &Open, army: Army) -> u8 {
        let orders = self.components.orders_of[army];
        let all: u8 = orders.iter().map(|o| self.owned(open, o) - open.aside[o]).sum();
        all - open.on_map(army)
    }

    /// How many orders of each kind lie in the box of an army: what only it knows.
    pub(crate) fn boxed(&self, p: &Position, army: Army) -> [(Option<Order>, u8); 24] {
        let mut kinds = [(None, 0); 24];
        for (kind, order) in kinds.iter_mut().zip(self.components.orders_of[army]) {
            *kind = (Some(order), self.owned(&p.open, order) - p.open.aside[order]);
        }
        let side = army.side();
        for region in p.open.table.ground {
            let Some(placed) = p.open.orders[side][region].filter(|placed| placed.army == army) else {
                continue;
            };
            let order = placed.face.or(p.hidden.orders[side][region]);
            if let Some(kind) = kinds.iter_mut().find(|kind| kind.0.is_some() && kind.0 == order) {
                kind.1 -= 1;
            }
        }
        kinds
    }

    /// The regions in which an alliance may still place an order.
    #[inline]
    pub(crate) fn free_sections(&self, open: &Open, army: Army) -> Set<Region> {
        let orders = &open.orders[army.side()];
        open.table.ground.iter().filter(|r| orders[*r].is_none()).collect()
    }

    pub(super) fn list_plans(&self, p: &Position, army: Army, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let orders = &p.open.orders[army.side()];
        if p.hidden.ready[army].is_some() {
            for region in p.open.table.ground {
                match orders[region] {
                    None => ballot.allow(Action::Set(region)),
                    Some(_) => ballot.refuse(
                        Action::Set(region),
                        rule!("2.2"),
                        format_args!("an order of this alliance lies there"),
                    ),
                }
            }
            return;
        }
        for (order, left) in self.boxed(p, army) {
            let Some(order) = order else { continue };
            if left > 0 {
                ballot.allow(Action::Take(order));
            } else if self.components.orders[order].advanced && !p.open.bought.has(order) {
                ballot.refuse(
                    Action::Take(order),
                    rule!("glossary.advanced-order"),
                    format_args!("this Advanced Order has not been bought"),
                );
            } else {
                ballot.refuse(
                    Action::Take(order),
                    rule!("2.1"),
                    format_args!("none of these is left in the box"),
                );
            }
        }
        ballot.allow(Action::Pass);
        if ballot.explains() {
            for region in Region::all_with(orders) {
                ballot.refuse(
                    Action::Set(region),
                    rule!("2.2"),
                    format_args!("an order of this alliance lies there"),
                );
            }
        }
    }

    pub(super) fn set_order(
        &self,
        p: &mut Position,
        army: Army,
        region: Region,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let side = army.side();
        p.hidden.orders[side][region] = p.hidden.ready[army].take();
        p.open.orders[side][region] = Some(Placed { army, face: None });
        let (who, place) = (self.components.army(army), self.components.place(region));
        umpire.note(Readers::ALL, rule!("2.1"), format_args!("{who} places an order at {place}"));
        umpire.cite(rule!("2.3"));
        self.next_plan(p);
    }

    fn next_plan(&self, p: &mut Position) {
        if let Some(Step::Plan { turn }) = p.open.agenda.now().copied() {
            let turn = p.open.after(turn);
            p.open.agenda.replace(Step::Plan { turn });
        }
    }

    pub(super) fn pass(&self, p: &mut Position, army: Army, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.passed.insert(army);
        let who = self.components.army(army);
        match p.open.agenda.now().copied() {
            Some(Step::Plan { .. }) => {
                umpire.note(Readers::ALL, rule!("2.4"), format_args!("{who} places no more orders"));
                self.next_plan(p);
            }
            Some(Step::Command { turn }) => {
                umpire.note(Readers::ALL, rule!("3.10"), format_args!("{who} passes"));
                let turn = p.open.after(turn);
                p.open.agenda.replace(Step::Command { turn });
            }
            _ => {}
        }
    }

    pub(super) fn planning(&self, p: &mut Position, turn: u8, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let open = &mut p.open;
        if open.passed == open.table.party {
            open.passed = Set::NONE;
            open.agenda.replace(Step::Command { turn: 0 });
            return false;
        }
        let army = open.at_turn(turn);
        if !open.passed.has(army) {
            if self.in_box(open, army) > 0 && self.free_sections(open, army).any() {
                return true;
            }
            // Everybody can see that nothing is left to place.
            umpire.cite(rule!("2.1"));
            open.passed.insert(army);
        }
        let turn = open.after(turn);
        open.agenda.replace(Step::Plan { turn });
        false
    }
}

impl Region {
    /// The regions in which an order lies.
    fn all_with(orders: &table::Map<Self, Option<Placed>>) -> impl Iterator<Item = Self> + '_ {
        orders.iter().filter(|(_, placed)| placed.is_some()).map(|(region, _)| region)
    }
}

//! What a seat has said in advance: its standing orders, and plans that the position itself holds.

use super::Match;
use crate::game::{Game, OrderOffer, OrderState};
use crate::seat::{Seat, Viewer};

impl<G: Game> Match<G> {
    /// What a seat's standing orders, or a plan that the position holds, do in a position, if anything.
    pub(super) fn obeyed(&self, seat: Seat, position: &G::Position) -> Option<G::Action> {
        if !self.game.deciding(position).contains(seat) {
            return None;
        }
        let view = self.game.view(position, Viewer::Seat(seat));
        // An order that cannot be carried out stops, and what stands beside it goes on.
        let stands = |order: &&G::Order| self.game.stands(&view, order) == OrderState::Stands;
        let orders: Vec<_> = self.orders[seat.index()].iter().filter(stands).cloned().collect();
        let action = self.game.obey(&view, &orders)?;
        self.check(position, seat, action).ok().map(|()| action)
    }

    /// Forgets the orders that have done their work.
    pub(super) fn drop_expired(&mut self) {
        for seat in self.party.iter() {
            if self.orders[seat.index()].is_empty() {
                continue;
            }
            let view = self.game.view(self.before(seat), Viewer::Seat(seat));
            let mut orders = std::mem::take(&mut self.orders[seat.index()]);
            orders.retain(|order| self.game.stands(&view, order) != OrderState::Expired);
            self.orders[seat.index()] = orders;
        }
    }

    /// Leaves standing orders for a seat, in the place of those it had. They act at once if they apply.
    pub fn give_orders(&mut self, seat: Seat, orders: Vec<G::Order>) {
        self.orders[seat.index()] = orders;
        self.settle();
        self.count_changes(self.party);
    }

    /// The standing orders of a seat.
    pub fn orders(&self, seat: Seat) -> &[G::Order] {
        &self.orders[seat.index()]
    }

    /// The orders that make sense for a seat now, also when it is not its turn.
    pub fn offered_orders(&self, seat: Seat) -> Vec<OrderOffer<G::Order>> {
        self.game.orders(&self.view(Viewer::Seat(seat)))
    }

    /// What has become of a seat's orders, in their order.
    pub fn order_states(&self, seat: Seat) -> Vec<OrderState> {
        let view = self.view(Viewer::Seat(seat));
        self.orders[seat.index()].iter().map(|order| self.game.stands(&view, order)).collect()
    }
}

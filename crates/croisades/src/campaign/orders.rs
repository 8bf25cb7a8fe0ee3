//! Standing orders: those of a battle, for whichever field the viewer commands in.

use table::rooms::*;
use table::{Notation, OrderOffer, OrderState, ReadError};

use super::Campaign;
use super::action::Action;
use super::view::View;
use crate::skirmish::StandingOrder;
use crate::skirmish::action::Action as Skirmishing;

impl Ordered for Campaign {
    type Order = StandingOrder;

    fn obey(&self, view: &View, orders: &[StandingOrder]) -> Option<Action> {
        match self.skirmish.obey(&self.field_view(view)?, orders)? {
            Skirmishing::Field(deed) => Some(Action::Battle(deed)),
            _ => None,
        }
    }

    fn orders(&self, view: &View) -> Vec<OrderOffer<StandingOrder>> {
        self.field_view(view).map_or_else(Vec::new, |field| self.skirmish.orders(&field))
    }

    fn stands(&self, view: &View, order: &StandingOrder) -> OrderState {
        match self.field_view(view) {
            Some(field) => self.skirmish.stands(&field, order),
            // Orders for battles are kept for the next one.
            None => OrderState::Stands,
        }
    }

    fn write_order(&self, order: &StandingOrder) -> Notation {
        self.skirmish.write_order(order)
    }

    fn read_order(&self, text: &str) -> Result<StandingOrder, ReadError> {
        self.skirmish.read_order(text)
    }
}

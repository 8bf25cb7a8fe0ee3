//! Standing orders: offered where they make sense, and drawn on their owner's board [7].

use table::rooms::*;
use table::scene::{Plan, PlanStep, Scene};
use table::{Notation, OrderOffer, OrderState, ReadError};

use crate::FourKeeps;
use crate::action::{Action, Order};
use crate::position::Step;
use crate::scene::hex_id;
use crate::view::View;

/// The orders and their notation.
const ORDERS: [(Order, &str); 2] = [(Order::Stand, "stand"), (Order::KeepWards, "keep wards")];

impl Ordered for FourKeeps {
    type Order = Order;

    fn obey(&self, view: &View, orders: &[Order]) -> Option<Action> {
        let seat = view.viewer.seat()?;
        match &view.open.step {
            Step::March { order, .. } if order.first() == Some(&seat) && orders.contains(&Order::Stand) => {
                Some(Action::Halt)
            }
            // Whatever he holds: how soon a window is answered must tell nothing.
            Step::Battles if orders.contains(&Order::KeepWards) => {
                let battle = view.open.battle_of(seat)?;
                battle.asked.is_some_and(|(loser, _)| loser == seat).then_some(Action::Pass)
            }
            _ => None,
        }
    }

    fn orders(&self, view: &View) -> Vec<OrderOffer<Order>> {
        let Some(captain) = view.viewer.seat().map(|seat| view.open.captain(seat)) else { return Vec::new() };
        let mut offers = Vec::new();
        if captain.men > 0 {
            let (label, hint) = ("Stand where I am", "You halt whenever it is your turn to march");
            offers.push(OrderOffer { order: Order::Stand, label: label.into(), hint: hint.into() });
        }
        if captain.men > 0 && captain.cards > 0 {
            let (label, hint) = ("Keep my wards", "You show nothing when you lose a battle");
            offers.push(OrderOffer { order: Order::KeepWards, label: label.into(), hint: hint.into() });
        }
        offers
    }

    fn stands(&self, view: &View, order: &Order) -> OrderState {
        let Some(captain) = view.viewer.seat().map(|seat| view.open.captain(seat)) else {
            return OrderState::Expired;
        };
        match order {
            _ if captain.men == 0 => OrderState::Expired,
            Order::KeepWards if captain.cards == 0 => OrderState::Expired,
            Order::Stand if captain.at.is_none() => {
                OrderState::Stopped(table::rule!("4.5"), "you are not on the ground yet".into())
            }
            _ => OrderState::Stands,
        }
    }

    fn show_orders(&self, view: &View, orders: &[Order], scene: &mut Scene) {
        let at = view.viewer.seat().and_then(|seat| view.open.captain(seat).at);
        if let (Some(at), true, Some(board)) = (at, orders.contains(&Order::Stand), scene.boards.first_mut())
        {
            let step = PlanStep { from: hex_id(at), to: hex_id(at), cost: String::new(), danger: false };
            board.plans.push(Plan { owner: view.viewer.seat(), steps: vec![step] });
        }
    }

    fn write_order(&self, order: &Order) -> Notation {
        Notation::new(ORDERS.iter().find(|(o, _)| o == order).map_or("", |(_, text)| text))
    }

    fn read_order(&self, text: &str) -> Result<Order, ReadError> {
        let known = ORDERS.iter().find(|(_, t)| *t == text.trim()).map(|(order, _)| *order);
        known.ok_or_else(|| ReadError::new(format!("`{text}`"), "`stand` or `keep wards`"))
    }
}

//! Standing orders: what a player lets the table do in his name.
//!
//! No prompt of this game is a window: a boon is asked for only where a player holds one that fits, and boons lie
//! open. So nobody learns anything from how fast an order answers.

use serde::{Deserialize, Serialize};
use table::rooms::Ordered;
use table::{Notation, OrderOffer, OrderState, ReadError};

use crate::FirstCrusade;
use crate::action::{Action, Use};
use crate::flow::season;
use crate::position::{Cause, Stage, Step};
use crate::view::View;

/// A standing order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Losses fall where the table would let them fall.
    AllotLosses,
    /// Of equally weak Muslims the table chooses who is hit.
    AllotHits,
    /// No marker is played in this turn.
    KeepMarkers {
        /// The turn.
        turn: u8,
    },
}

const EXPECTED: &str = "`allot losses`, `allot hits` or `keep markers TURN`";

impl Ordered for FirstCrusade {
    type Order = Order;

    fn obey(&self, view: &View, orders: &[Order]) -> Option<Action> {
        let seat = view.viewer.seat()?;
        let held = view.boons[seat.index()];
        let ordered = |order: Order| orders.contains(&order);
        match *view.agenda.now()? {
            // Supplies could spare the force: that is for the player to say.
            Step::Losses { cause: Cause::March, .. } if held.meets(self.boons_for(Use::Supplies)) => None,
            Step::Losses { left, .. } if ordered(Order::AllotLosses) => match view.pool.single() {
                Some(u) if left == 1 => Some(Action::Lose(u)),
                _ => Some(Action::Allot),
            },
            Step::Strikes { .. } if ordered(Order::AllotHits) => Some(Action::Allot),
            Step::Shields | Step::Council | Step::Battle(Stage::Eve | Stage::Dawn)
                if ordered(Order::KeepMarkers { turn: view.turn }) =>
            {
                Some(Action::Done)
            }
            Step::Hunger { .. } if ordered(Order::KeepMarkers { turn: view.turn }) => Some(Action::Endure),
            _ => None,
        }
    }

    fn orders(&self, view: &View) -> Vec<OrderOffer<Order>> {
        let seat = view.viewer.seat().filter(|seat| view.table.party.contains(*seat));
        let Some(seat) = seat.filter(|_| view.result.is_none()) else { return Vec::new() };
        let offer = |order: Order, label: &str, hint: &str| OrderOffer {
            order,
            label: label.into(),
            hint: hint.into(),
        };
        let mut offers = vec![
            offer(
                Order::AllotLosses,
                "Losses as the table allots them",
                "Whenever units of yours lose steps, those lose them whose loss weighs least. \
                 Where a marker with supplies could spare a march, you are asked all the same.",
            ),
            offer(
                Order::AllotHits,
                "Hits as the table allots them",
                "Among equally weak Muslims the table chooses who falls.",
            ),
        ];
        if view.boons[seat.index()].any() {
            offers.push(offer(
                Order::KeepMarkers { turn: view.turn },
                "Keep the markers this turn",
                &format!(
                    "Until {} is over you are not asked for markers: not before battles, not before the Muslims \
                     react, not in winter.",
                    season(view.turn)
                ),
            ));
        }
        offers
    }

    fn stands(&self, view: &View, order: &Order) -> OrderState {
        let past = match order {
            Order::KeepMarkers { turn } => *turn < view.turn,
            Order::AllotLosses | Order::AllotHits => false,
        };
        if past || view.result.is_some() { OrderState::Expired } else { OrderState::Stands }
    }

    fn write_order(&self, order: &Order) -> Notation {
        Notation::new(match order {
            Order::AllotLosses => "allot losses".to_string(),
            Order::AllotHits => "allot hits".to_string(),
            Order::KeepMarkers { turn } => format!("keep markers {turn}"),
        })
    }

    fn read_order(&self, text: &str) -> Result<Order, ReadError> {
        let wrong = || ReadError::new(format!("`{text}`"), EXPECTED);
        match text {
            "allot losses" => Ok(Order::AllotLosses),
            "allot hits" => Ok(Order::AllotHits),
            _ => {
                let turn = text.strip_prefix("keep markers ").and_then(|turn| turn.parse().ok());
                turn.filter(|turn| (1..=9).contains(turn))
                    .map(|turn| Order::KeepMarkers { turn })
                    .ok_or_else(wrong)
            }
        }
    }
}

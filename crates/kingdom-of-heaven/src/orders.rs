//! Standing orders, and the way that a march has laid out.
//!
//! A plan is no order: it lies in the position, and the table takes its next step as the player's own entry.

use table::rooms::*;
use table::scene::{Plan, PlanStep, Scene};
use table::{Id as _, Lots, Notation, Options, OrderOffer, OrderState, ReadError};

use crate::KingdomOfHeaven;
use crate::action::{Action, Order};
use crate::position::{Planned, Step};
use crate::scene::space_id;
use crate::view::View;

/// The orders without a name in them, and their notation.
const ORDERS: [(Order, &str); 4] = [
    (Order::NoResponses, "no responses"),
    (Order::NoBattleCards, "no battle events"),
    (Order::StandFast, "stand fast"),
    (Order::UsualLosses, "losses as usual"),
];

impl Ordered for KingdomOfHeaven {
    type Order = Order;

    fn obey(&self, view: &View, orders: &[Order]) -> Option<Action> {
        let seat = view.viewer.seat().filter(|seat| view.deciding.contains(*seat))?;
        let has = |order: Order| orders.contains(&order);
        let wanted = match *view.step()? {
            Step::March => match view.plan.last()? {
                Planned::To(space) => Action::March(*space),
                Planned::Wait => Action::Wait,
            },
            // Whatever he holds: how soon a window is answered must tell nothing.
            Step::Window { .. } | Step::Answer { .. } if has(Order::NoResponses) => Action::Decline,
            Step::Battle if has(Order::NoBattleCards) => Action::Decline,
            Step::Designate { .. } if has(Order::StandFast) => Action::Done,
            Step::Designate { .. } => {
                // He is asked, unless all who could do anything are told never to.
                let p = self.imagine(view, &mut Lots::new(0));
                let mut options = Options::new();
                self.options(&p, seat, &mut options);
                let idle = |action: Action| match action {
                    Action::Done => true,
                    Action::Intercept(_, Some(leader)) => has(Order::NeverIntercepts(leader)),
                    _ => false,
                };
                let told = orders.iter().any(|order| matches!(order, Order::NeverIntercepts(_)));
                if !told || !options.offers().iter().all(|offer| idle(offer.action)) {
                    return None;
                }
                Action::Done
            }
            Step::Casualties | Step::Losses { .. } if has(Order::UsualLosses) => Action::Usual,
            _ => return None,
        };
        let p = self.imagine(view, &mut Lots::new(0));
        let mut options = Options::new();
        self.options(&p, seat, &mut options);
        options.offers().iter().any(|offer| offer.action == wanted).then_some(wanted)
    }

    fn orders(&self, view: &View) -> Vec<OrderOffer<Order>> {
        let Some(seat) = view.viewer.seat().filter(|_| view.open.ending.is_none()) else { return Vec::new() };
        let mut offers: Vec<_> = ORDERS.iter().map(|(order, _)| self.offer(*order)).collect();
        for leader in self.plot(&view.open).all_leaders {
            if view.open.leader_at(leader).is_some() && self.leads_for(&view.open, leader) == Some(seat) {
                offers.push(self.offer(Order::NeverIntercepts(leader)));
            }
        }
        offers
    }

    fn stands(&self, view: &View, order: &Order) -> OrderState {
        let Some(seat) = view.viewer.seat().filter(|_| view.open.ending.is_none()) else {
            return OrderState::Expired;
        };
        match order {
            // For this round only: it is over when one's own round comes.
            Order::NoResponses if matches!(view.step(), Some(Step::Round { seat: mover }) if *mover == seat) => {
                OrderState::Expired
            }
            Order::NeverIntercepts(leader) if self.leads_for(&view.open, *leader) != Some(seat) => {
                OrderState::Expired
            }
            _ => OrderState::Stands,
        }
    }

    /// The way laid out, with what it costs so far.
    fn show_orders(&self, view: &View, _: &[Order], scene: &mut Scene) {
        let (Some(march), Some(board)) = (&view.open.march, scene.boards.first_mut()) else { return };
        if view.plan.is_empty() || view.viewer.seat() != Some(march.seat) {
            return;
        }
        let (mut at, mut cost) = (march.at, 0_u32);
        let mut steps = Vec::new();
        for planned in view.plan.iter().rev() {
            let to = match planned {
                Planned::Wait => {
                    cost += 1;
                    at
                }
                Planned::To(to) => {
                    cost += self.components.way(at, *to).map_or(0, |way| u32::from(way.mp));
                    *to
                }
            };
            let danger = self.is_outside(&view.open, to, march.seat.other());
            steps.push(PlanStep {
                from: space_id(&self.components, at),
                to: space_id(&self.components, to),
                cost: cost.to_string(),
                danger,
            });
            at = to;
        }
        board.plans.push(Plan { owner: Some(march.seat), steps });
    }

    fn write_order(&self, order: &Order) -> Notation {
        if let Order::NeverIntercepts(leader) = order {
            return Notation::new(format!("never intercept {}", self.leader_name(*leader)));
        }
        Notation::new(ORDERS.iter().find(|(known, _)| known == order).map_or("", |(_, text)| text))
    }

    fn read_order(&self, text: &str) -> Result<Order, ReadError> {
        let text = text.trim();
        if let Some(name) = text.strip_prefix("never intercept ") {
            let leader =
                self.components.leader_of(name).filter(|l| l.number() < self.components.leaders.len());
            return leader.map(Order::NeverIntercepts).ok_or_else(|| {
                ReadError::new(format!("`{text}`"), "`never intercept` and the name of a leader")
            });
        }
        let known = ORDERS.iter().find(|(_, name)| *name == text).map(|(order, _)| *order);
        known.ok_or_else(|| {
            let all: Vec<_> = ORDERS.iter().map(|(_, name)| format!("`{name}`")).collect();
            ReadError::new(
                format!("`{text}`"),
                format!("one of {}, or `never intercept LEADER`", all.join(", ")),
            )
        })
    }
}

impl KingdomOfHeaven {
    /// An order with what its switch says.
    fn offer(&self, order: Order) -> OrderOffer<Order> {
        let (label, hint) = match order {
            Order::NoResponses => (
                "No responses before my round".to_string(),
                "Whenever you are asked whether you answer, you do not, until your own round comes.",
            ),
            Order::NoBattleCards => ("No battle events".to_string(), "You play no cards in battles."),
            Order::StandFast => {
                ("Everybody stands fast".to_string(), "Nobody of yours intercepts, avoids battle or shadows.")
            }
            Order::UsualLosses => {
                ("Losses as usual".to_string(), "Your losses are taken in the usual order.")
            }
            Order::NeverIntercepts(leader) => (
                format!("{} never intercepts", self.leader_start(leader)),
                "You are not asked where he alone could try.",
            ),
        };
        OrderOffer { order, label, hint: hint.into() }
    }
}

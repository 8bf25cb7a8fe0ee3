//! Plans: orders to place and to execute, said in advance, and windows that are declined whatever one holds.
//!
//! A plan is a list that is worked off from its top whenever it is its giver's turn. What has become impossible stops
//! and says why; what has been done expires.

use serde::{Deserialize, Serialize};
use table::scene::{Plan as Drawn, PlanStep, Scene};
use table::{
    Lots, Notation, Options, OrderOffer, OrderState, Ordered, ReadError, Rules as _, Secrets as _,
    Written as _, rule,
};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::data::Effect;
use crate::ids::{Army, Order, Region};
use crate::position::Step;
use crate::view::View;

/// Something said in advance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Plan {
    /// Select the card that brings most command points.
    SelectDearest,
    /// Place this order in this region.
    Place(Order, Region),
    /// Pass in the Planning Phase once nothing of the plan is left to place.
    PassWhenPlaced,
    /// Execute the order in this region.
    Execute(Region),
    /// Pass in the Command Phase once nothing of the plan is left to execute.
    PassWhenExecuted,
    /// Execute no Reaction Orders.
    NeverReact,
}

/// Plans of one word, and their notation.
const WORDS: [(Plan, &str); 4] = [
    (Plan::SelectDearest, "select the dearest"),
    (Plan::PassWhenPlaced, "pass when placed"),
    (Plan::PassWhenExecuted, "pass when executed"),
    (Plan::NeverReact, "never react"),
];

impl Ordered for ThirdCrusade {
    type Order = Plan;

    fn obey(&self, view: &View, orders: &[Plan]) -> Option<Action> {
        let army = view.army().filter(|army| view.deciding.contains(army.seat()))?;
        if orders.is_empty() {
            return None;
        }
        let action = match view.open.agenda.now()? {
            // Whatever he holds: how soon a window is answered must tell nothing.
            Step::Battle => return orders.contains(&Plan::NeverReact).then_some(Action::Decline),
            Step::Market { .. } if orders.contains(&Plan::SelectDearest) => self.dearest(view, army)?,
            Step::Plan { .. } => self.place_by_plan(view, army, orders)?,
            Step::Command { .. } => self.execute_by_plan(view, army, orders)?,
            _ => return None,
        };
        let p = self.imagine(view, &mut Lots::new(0));
        let mut options = Options::new();
        self.options(&p, army.seat(), &mut options);
        options.offers().iter().any(|offer| offer.action == action).then_some(action)
    }

    fn orders(&self, view: &View) -> Vec<OrderOffer<Plan>> {
        let Some(army) = view.army().filter(|_| view.open.result.is_none()) else { return Vec::new() };
        let mut offers = Vec::new();
        let mut offer =
            |order: Plan, label: String, hint: String| offers.push(OrderOffer { order, label, hint });
        match view.open.agenda.steps().first() {
            Some(Step::Lay | Step::Market { .. }) => offer(
                Plan::SelectDearest,
                "Select the dearest card".into(),
                "Whatever card it is, you take what brings most command points".into(),
            ),
            Some(Step::Plan { .. }) if !view.open.passed.has(army) => {
                let p = self.imagine(view, &mut Lots::new(0));
                for (order, left) in self.boxed(&p, army) {
                    let Some(order) = order.filter(|_| left > 0) else { continue };
                    let sheet = &self.components.orders[order];
                    if sheet.parts.iter().any(|part| part.effect == Effect::Blank) {
                        continue;
                    }
                    for region in self.free_sections(&view.open, army) {
                        let fits = self.meets(&view.open, region, army, sheet.presence)
                            && self.is(&view.open, region, sheet.sort)
                            && self.side_presence(&view.open, region, army.side());
                        if fits {
                            let tithe = if sheet.tithe { " with tithe" } else { "" };
                            let place = self.components.place(region);
                            offer(
                                Plan::Place(order, region),
                                format!("Place {}{tithe} in {place}", sheet.title),
                                self.order_words(order),
                            );
                        }
                    }
                }
                offer(
                    Plan::PassWhenPlaced,
                    "Then pass".into(),
                    "You place no more orders once the plan is placed".into(),
                );
            }
            Some(Step::Command { .. }) => {
                for (region, placed) in view.open.orders[army.side()].iter() {
                    let order = placed
                        .filter(|placed| placed.army == army)
                        .and_then(|_| view.known.orders[army.side()][region]);
                    let Some(order) = order.filter(|o| !self.components.orders[*o].reaction) else {
                        continue;
                    };
                    let (title, place) =
                        (&self.components.orders[order].title, self.components.place(region));
                    offer(
                        Plan::Execute(region),
                        format!("Execute {title} in {place}"),
                        "As soon as it is your turn and it can be executed".into(),
                    );
                }
                offer(
                    Plan::PassWhenExecuted,
                    "Then pass".into(),
                    "You execute nothing more once the plan is executed".into(),
                );
                offer(
                    Plan::NeverReact,
                    "Never react".into(),
                    "Every window of a battle is declined for you, whatever lies there".into(),
                );
            }
            _ => {}
        }
        offers
    }

    fn stands(&self, view: &View, order: &Plan) -> OrderState {
        let Some(army) = view.army() else { return OrderState::Expired };
        let phase = view.open.agenda.steps().first();
        let planning = matches!(phase, Some(Step::Plan { .. }));
        let commanding = matches!(phase, Some(Step::Command { .. }));
        match *order {
            Plan::Place(order, region) => {
                let known = view.known.orders[army.side()][region];
                match view.open.orders[army.side()][region] {
                    _ if !planning => OrderState::Expired,
                    Some(placed) if placed.army == army && known == Some(order) => OrderState::Expired,
                    Some(_) => {
                        OrderState::Stopped(rule!("2.2"), "an order of your alliance lies there now".into())
                    }
                    None if view.open.passed.has(army) => {
                        OrderState::Stopped(rule!("2.4"), "you have passed".into())
                    }
                    None => OrderState::Stands,
                }
            }
            Plan::SelectDearest if matches!(phase, Some(Step::Lay | Step::Market { .. })) => {
                OrderState::Stands
            }
            Plan::PassWhenPlaced if planning && !view.open.passed.has(army) => OrderState::Stands,
            Plan::Execute(region) if commanding => match view.open.orders[army.side()][region] {
                Some(placed) if placed.army == army => {
                    let order = view.known.orders[army.side()][region];
                    match order.and_then(|order| self.unmet(&view.open, army, order, region)) {
                        Some((rule, why)) if view.open.passed.has(army) => {
                            OrderState::Stopped(rule, why.to_string())
                        }
                        _ => OrderState::Stands,
                    }
                }
                _ => OrderState::Expired,
            },
            Plan::PassWhenExecuted if commanding && !view.open.passed.has(army) => OrderState::Stands,
            Plan::NeverReact if commanding => OrderState::Stands,
            _ => OrderState::Expired,
        }
    }

    fn show_orders(&self, view: &View, orders: &[Plan], scene: &mut Scene) {
        let Some(army) = view.army() else { return };
        let Some(board) = scene.boards.iter_mut().find(|board| board.id == "map") else { return };
        let mut cost = self.placed_cost(&self.imagine(view, &mut Lots::new(0)), army);
        for plan in orders {
            let Plan::Place(order, region) = *plan else { continue };
            cost += self.components.orders[order].cost;
            let id = self.region_id(region);
            board.plans.push(Drawn {
                owner: view.viewer.seat(),
                steps: vec![PlanStep {
                    from: id.clone(),
                    to: id,
                    cost: cost.to_string(),
                    danger: cost > view.open.command[army],
                }],
            });
        }
    }

    fn write_order(&self, order: &Plan) -> Notation {
        Notation::new(match *order {
            Plan::Place(order, region) => {
                format!("place {} at {}", self.order_name(order), self.components.place(region))
            }
            Plan::Execute(region) => format!("execute {}", self.components.place(region)),
            _ => WORDS.iter().find(|(plan, _)| plan == order).map_or("", |(_, word)| word).to_string(),
        })
    }

    fn read_order(&self, text: &str) -> Result<Plan, ReadError> {
        let text = text.trim();
        let wrong = || {
            ReadError::new(
                format!("`{text}`"),
                "`select the dearest`, `place Angevin March at Acre`, `execute Acre`, `pass when placed`, `pass when executed` or `never react`",
            )
        };
        if let Some((plan, _)) = WORDS.iter().find(|(_, word)| *word == text) {
            return Ok(*plan);
        }
        if let Some(rest) = text.strip_prefix("execute ") {
            return match self.read(&format!("set {rest}")) {
                Ok(Action::Set(region)) => Ok(Plan::Execute(region)),
                _ => Err(wrong()),
            };
        }
        let (order, region) =
            text.strip_prefix("place ").and_then(|rest| rest.split_once(" at ")).ok_or_else(wrong)?;
        match (self.read(&format!("take {order}")), self.read(&format!("set {region}"))) {
            (Ok(Action::Take(order)), Ok(Action::Set(region))) => Ok(Plan::Place(order, region)),
            _ => Err(wrong()),
        }
    }
}

impl ThirdCrusade {
    /// The card that brings most command points, of an army whose row is still open.
    fn dearest(&self, view: &View, army: Army) -> Option<Action> {
        let p = self.imagine(view, &mut Lots::new(0));
        let mut options = Options::new();
        self.options(&p, army.seat(), &mut options);
        let value = |action: Action| {
            let Action::Pick(event) = action else { return 0 };
            let row = &view.open.rows[self.components.events[event].army];
            let slot = row.iter().position(|e| *e == Some(event)).unwrap_or(0);
            1 + self.worth(&view.open, army, slot)
        };
        options.offers().iter().map(|offer| offer.action).max_by_key(|action| value(*action))
    }

    fn place_by_plan(&self, view: &View, army: Army, orders: &[Plan]) -> Option<Action> {
        let open = orders.iter().filter(|plan| self.stands(view, plan) == OrderState::Stands);
        for plan in open {
            let Plan::Place(order, region) = *plan else { continue };
            return match view.known.ready[army] {
                None => Some(Action::Take(order)),
                Some(ready) if ready == order => Some(Action::Set(region)),
                Some(_) => None,
            };
        }
        let pass = view.known.ready[army].is_none() && orders.contains(&Plan::PassWhenPlaced);
        pass.then_some(Action::Pass)
    }

    fn execute_by_plan(&self, view: &View, army: Army, orders: &[Plan]) -> Option<Action> {
        let mut waits = false;
        for plan in orders {
            let Plan::Execute(region) = *plan else { continue };
            let placed = view.open.orders[army.side()][region].filter(|placed| placed.army == army);
            let Some(order) = placed.and_then(|_| view.known.orders[army.side()][region]) else { continue };
            if self.unmet(&view.open, army, order, region).is_none() {
                return Some(Action::Execute(region));
            }
            waits = true;
        }
        (!waits && orders.contains(&Plan::PassWhenExecuted)).then_some(Action::Pass)
    }
}

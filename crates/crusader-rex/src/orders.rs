//! Standing orders: what a seat has said in advance, turned into actions when the moment comes.
//!
//! Battles hand over between the players at every block's turn; with a few orders left in advance they play
//! themselves until something needs a decision.

use serde::{Deserialize, Serialize};
use table::{
    Lots, Notation, Offer, Options, OrderOffer, OrderState, Ordered, ReadError, Rules, Secrets, Set,
};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::Town;
use crate::position::{Position, Step};
use crate::view::View;

/// A standing order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Every block fires on its turn.
    Fire,
    /// Knights charge on their turn, the others fire.
    Charge,
    /// A block of this strength or less retreats on its turn if it can.
    RetreatAt(u8),
    /// Tied hits go to the block that matters least.
    TakeWeak,
    /// Tied hits go to the block that matters most.
    TakeStrong,
    /// Never storm.
    NeverStorm,
    /// Never sally.
    NeverSally,
    /// Never regroup.
    NeverRegroup,
    /// Besiegers stay after three rounds.
    StayOnSiege,
    /// Everybody fights in the field.
    FieldOnly,
    /// In winter fill up as the table would.
    FillUp,
}

/// The orders and their notation.
const ORDERS: [(Order, &str); 14] = [
    (Order::Fire, "fire always"),
    (Order::Charge, "charge always"),
    (Order::RetreatAt(1), "retreat at strength 1"),
    (Order::RetreatAt(2), "retreat at strength 2"),
    (Order::RetreatAt(3), "retreat at strength 3"),
    (Order::RetreatAt(4), "retreat at strength 4"),
    (Order::TakeWeak, "tied hits on the weaker block"),
    (Order::TakeStrong, "tied hits on the better block"),
    (Order::NeverStorm, "never storm"),
    (Order::NeverSally, "never sally"),
    (Order::NeverRegroup, "never regroup"),
    (Order::StayOnSiege, "stay on siege"),
    (Order::FieldOnly, "deploy in the field"),
    (Order::FillUp, "fill up in winter"),
];

impl Ordered for CrusaderRex {
    type Order = Order;

    fn obey(&self, view: &View, orders: &[Order]) -> Option<Action> {
        let seat = view.viewer.seat()?;
        if !view.deciding.contains(seat) || orders.is_empty() {
            return None;
        }
        // Any position that the seat cannot tell from the true one gives the same options.
        let p = self.imagine(view, &mut Lots::new(0));
        let mut options = Options::new();
        self.options(&p, seat, &mut options);
        let offers = options.offers();
        let has = |order: Order| orders.contains(&order);
        let if_offered = |action: Action| offers.iter().any(|o| o.action == action).then_some(action);
        match *view.step()? {
            Step::Round => self.follow_in_round(&p, orders, offers),
            Step::Hits { .. } if has(Order::TakeWeak) || has(Order::TakeStrong) => {
                let value = |offer: &&Offer<Action>| match offer.action {
                    Action::Take(b) => {
                        let label = &self.components.blocks[b];
                        Some((label.fire, std::cmp::Reverse(label.letter), b))
                    }
                    _ => None,
                };
                let chosen = if has(Order::TakeWeak) {
                    offers.iter().min_by_key(value)
                } else {
                    offers.iter().max_by_key(value)
                };
                chosen.map(|offer| offer.action)
            }
            Step::Storm { .. } if has(Order::NeverStorm) => {
                if_offered(Action::Done).or_else(|| if_offered(Action::Begin))
            }
            // What was begun by hand is finished: the order answers whatever its giver has picked.
            Step::Sally { .. } if has(Order::NeverSally) => {
                if_offered(Action::Done).or_else(|| if_offered(Action::Begin))
            }
            Step::Regroup { .. } if has(Order::NeverRegroup) => if_offered(Action::Done),
            Step::LeaveSiege { .. } if has(Order::StayOnSiege) => if_offered(Action::Done),
            Step::Shelter { .. } if has(Order::FieldOnly) => if_offered(Action::Begin),
            Step::Winter if has(Order::FillUp) => {
                if_offered(Action::Fill).or_else(|| if_offered(Action::Done))
            }
            _ => None,
        }
    }

    /// Orders for the battles and sieges that stand on the table, and for the winter that comes.
    fn orders(&self, view: &View) -> Vec<OrderOffer<Order>> {
        let Some(seat) = view.viewer.seat().filter(|_| view.open.result.is_none()) else { return Vec::new() };
        let p = self.imagine(view, &mut Lots::new(0));
        let fights = self.contested(&p);
        let own = |t: Town| p.here[t] & self.of(seat);
        let castle = |t: &Town| self.rating(*t) > 0;
        let attacks = |t: &Town| view.open.attacked[seat].has(*t);
        let besieges = |t: &Town| self.besieged(&p, *t) == Some(seat.other());
        let sheltered = |t: &Town| self.besieged(&p, *t) == Some(seat);
        // A battle for a town with a castle may become a siege.
        let outside = fights.iter().any(|t| besieges(&t) || castle(&t) && attacks(&t));
        let inside = fights.iter().any(|t| sheltered(&t) || castle(&t) && !attacks(&t) && !besieges(&t));
        let deploys =
            view.open.to_fight | view.open.battle.iter().map(|battle| battle.town).collect::<Set<Town>>();
        let deploys = (fights | deploys)
            .iter()
            .any(|t| castle(&t) && view.open.attacked[seat.other()].has(t) && self.besieged(&p, t).is_none());
        let knights = fights.iter().any(|t| own(t).meets(self.components.knights));
        let winter = self.winters_to_come(view) && view.open.is_winter() && !view.open.done[seat];
        let any = fights.any();
        let sensible = |order: Order| match order {
            Order::Fire | Order::RetreatAt(1 | 2) | Order::TakeWeak | Order::TakeStrong => any,
            Order::NeverRegroup => any,
            Order::RetreatAt(_) => false,
            Order::Charge => knights,
            Order::NeverStorm | Order::StayOnSiege => outside,
            Order::NeverSally => inside,
            Order::FieldOnly => deploys,
            Order::FillUp => winter,
        };
        let offered = ORDERS.iter().map(|(order, _)| *order).filter(|order| sensible(*order));
        offered.map(offer).collect()
    }

    /// An order stands until its owner takes it back, the game is over, or no winter will come any more.
    fn stands(&self, view: &View, order: &Order) -> OrderState {
        let over = view.open.result.is_some();
        let too_late = *order == Order::FillUp && !self.winters_to_come(view);
        if over || too_late { OrderState::Expired } else { OrderState::Stands }
    }

    fn write_order(&self, order: &Order) -> Notation {
        let known = ORDERS.iter().find(|(o, _)| o == order);
        Notation::new(known.map_or("fire always", |(_, text)| *text))
    }

    fn read_order(&self, text: &str) -> Result<Order, ReadError> {
        let known = ORDERS.iter().find(|(_, t)| *t == text.trim());
        known.map(|(order, _)| *order).ok_or_else(|| {
            let all: Vec<_> = ORDERS.iter().map(|(_, t)| format!("`{t}`")).collect();
            ReadError::new(format!("`{text}`"), format!("one of {}", all.join(", ")))
        })
    }
}

/// An order with what its switch says.
fn offer(order: Order) -> OrderOffer<Order> {
    let (label, hint) = match order {
        Order::Fire => ("Fire", "Every block of yours fires when its turn comes in a battle."),
        Order::Charge => (
            "Charge",
            "Your knights charge when their turn comes, unless they have only one step; the others fire.",
        ),
        Order::RetreatAt(n) => {
            let (label, hint) = match n {
                1 => (
                    "Retreat with one step",
                    "A block with one step retreats on its turn, or withdraws into the castle, if it can.",
                ),
                2 => (
                    "Retreat with two steps",
                    "A block with two steps or one retreats on its turn, or withdraws into the castle, if it can.",
                ),
                3 => (
                    "Retreat with three steps",
                    "A block with three steps or fewer retreats on its turn, if it can.",
                ),
                _ => ("Retreat at once", "Every block retreats on its turn, if it can."),
            };
            (label, hint)
        }
        Order::TakeWeak => (
            "Ties hit the weaker block",
            "Where blocks are equally strong, the one that fires worse takes the hit.",
        ),
        Order::TakeStrong => (
            "Ties hit the better block",
            "Where blocks are equally strong, the one that fires better takes the hit.",
        ),
        Order::NeverStorm => ("Do not storm", "You never begin a storm; one that is under way goes on."),
        Order::NeverSally => ("Do not sally", "Your blocks stay inside their castles."),
        Order::NeverRegroup => ("Do not regroup", "After a battle your blocks stay where they are."),
        Order::StayOnSiege => ("Stay on siege", "Your besiegers stay when the third round is over."),
        Order::FieldOnly => ("Deploy in the field", "When you are attacked nobody goes into the castle."),
        Order::FillUp => (
            "Fill up in winter",
            "The table gives up whom your towns cannot feed and spends your replacement points.",
        ),
    };
    OrderOffer { order, label: label.into(), hint: hint.into() }
}

impl CrusaderRex {
    /// Whether supply and replacements come this year or later: not in the last winter, and not after a single
    /// battle.
    fn winters_to_come(&self, view: &View) -> bool {
        view.open.table.goal.is_none() && view.open.year + 1 < view.open.table.years
    }

    /// The first block whose turn it is retreats, charges or fires as ordered.
    fn follow_in_round(&self, p: &Position, orders: &[Order], offers: &[Offer<Action>]) -> Option<Action> {
        let (_, blocks) = self.acting(p)?;
        let b = blocks.first()?;
        let offered = |action: Action| offers.iter().any(|o| o.action == action);
        let weak = orders.iter().any(|o| matches!(o, Order::RetreatAt(n) if p.strength[b] <= *n));
        if weak {
            let away =
                offers.iter().map(|o| o.action).find(|a| matches!(a, Action::Retreat(x, _) if *x == b));
            let away = away.or_else(|| offered(Action::Withdraw(b)).then_some(Action::Withdraw(b)));
            if away.is_some() {
                return away;
            }
        }
        if orders.contains(&Order::Charge) && offered(Action::Charge(b)) && p.strength[b] > 1 {
            return Some(Action::Charge(b));
        }
        let fires = orders.contains(&Order::Fire) || orders.contains(&Order::Charge);
        (fires && offered(Action::Fire(b))).then_some(Action::Fire(b))
    }
}

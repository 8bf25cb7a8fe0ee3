//! Standing orders: what a seat has said in advance, turned into actions when the moment comes.
//!
//! Battles hand over between the players at every block's turn; with a few orders left in advance they play
//! themselves until something needs a decision.

use table::{Lots, Offer, Options};

use crate::CrusaderRex;
use crate::action::{Action, Order};
use crate::data::each;
use crate::position::{Position, Step};
use crate::view::View;

impl CrusaderRex {
    pub(crate) fn follow(&self, view: &View, orders: &[Order]) -> Option<Action> {
        let seat = view.viewer.seat()?;
        if !view.deciding.contains(seat) || orders.is_empty() {
            return None;
        }
        // Any position that the seat cannot tell from the true one gives the same options.
        let p = self.dream(view, &mut Lots::new(0));
        let mut options = Options::new();
        self.list(&p, seat, &mut options);
        let offers = options.offers();
        let has = |order: Order| orders.contains(&order);
        let if_offered = |action: Action| offers.iter().any(|o| o.action == action).then_some(action);
        match *view.steps.last()? {
            Step::Round => self.follow_in_round(&p, orders, offers),
            Step::Hits { .. } if has(Order::TakeWeak) || has(Order::TakeStrong) => {
                let value = |offer: &&Offer<Action>| match offer.action {
                    Action::Take(b) => {
                        let label = &self.components.blocks[usize::from(b)];
                        (label.fire, 3 - label.letter, b)
                    }
                    _ => (0, 0, 0),
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
            Step::Sally { .. } if has(Order::NeverSally) => if_offered(Action::Done),
            Step::Regroup { .. } if has(Order::NeverRegroup) => if_offered(Action::Done),
            Step::LeaveSiege { .. } if has(Order::StayOnSiege) => if_offered(Action::Done),
            Step::Shelter { .. } if has(Order::FieldOnly) && view.battle.picked == 0 => {
                if_offered(Action::Begin)
            }
            Step::Winter if has(Order::FillUp) => {
                if_offered(Action::Fill).or_else(|| if_offered(Action::Done))
            }
            _ => None,
        }
    }

    /// The first block whose turn it is retreats, charges or fires as ordered.
    fn follow_in_round(&self, p: &Position, orders: &[Order], offers: &[Offer<Action>]) -> Option<Action> {
        let (_, blocks) = self.acting(p)?;
        let b = each(blocks).next()?;
        let offered = |action: Action| offers.iter().any(|o| o.action == action);
        let weak =
            orders.iter().any(|o| matches!(o, Order::RetreatAt(n) if p.strength[usize::from(b)] <= *n));
        if weak {
            let away =
                offers.iter().map(|o| o.action).find(|a| matches!(a, Action::Retreat(x, _) if *x == b));
            let away = away.or_else(|| offered(Action::Withdraw(b)).then_some(Action::Withdraw(b)));
            if away.is_some() {
                return away;
            }
        }
        if orders.contains(&Order::Charge) && offered(Action::Charge(b)) && p.strength[usize::from(b)] > 1 {
            return Some(Action::Charge(b));
        }
        let fires = orders.contains(&Order::Fire) || orders.contains(&Order::Charge);
        (fires && offered(Action::Fire(b))).then_some(Action::Fire(b))
    }
}

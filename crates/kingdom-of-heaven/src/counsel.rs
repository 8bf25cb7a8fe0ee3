//! What is worth a thought, for the bots: of uses that come to the same, one. Nothing here is a rule.

use table::Seat;

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::ids::{Card, Cards};
use crate::position::{Position, Step};

impl KingdomOfHeaven {
    /// Whether a player should think of an option at all.
    pub(crate) fn counsels(&self, p: &Position, seat: Seat, action: Action) -> bool {
        let o = &p.open;
        let planned = !p.hidden.plan.is_empty();
        match (o.agenda.now(), action) {
            (Some(Step::Round { .. }), action) => self.counsels_use(p, seat, action),
            // An army is taken as the rules propose it, and goes somewhere that matters.
            (Some(Step::Command), Action::To(space)) => {
                let prize = o.holds[space].is_some() || self.is_outside(o, space, seat.other());
                !planned && prize && self.neutral_at(o, space).is_none()
            }
            (Some(Step::Command), _) => {
                matches!(action, Action::Go | Action::Sally | Action::Halt)
                    || !planned && matches!(action, Action::Sail(_))
            }
            (Some(Step::Casualties | Step::Losses { .. }), _) => action == Action::Usual,
            (Some(Step::Shelter { .. }), _) => matches!(action, Action::AllInside | Action::Done),
            (Some(Step::March), Action::Drop(_) | Action::DropLeader(_) | Action::Take(_)) => false,
            (Some(Step::March), Action::March(_) | Action::Wait) => !planned || self.follows_plan(p, action),
            (Some(Step::March), _) => !planned,
            (Some(Step::Designate { .. }), Action::Leave(_)) => false,
            (Some(Step::MusterUnits { .. }), Action::Drain(..) | Action::DrainMore(..)) => false,
            _ => true,
        }
    }

    fn follows_plan(&self, p: &Position, action: Action) -> bool {
        use crate::position::Planned;
        match (p.hidden.plan.last(), action) {
            (Some(Planned::To(to)), Action::March(space)) => *to == space,
            (Some(Planned::Wait), Action::Wait) => true,
            _ => false,
        }
    }

    /// Of the cards that serve a purpose alike, the one that would be missed least.
    fn counsels_use(&self, p: &Position, seat: Seat, action: Action) -> bool {
        let ov = |card: Card| self.components.card(card).ov;
        let hand = self.usable(p, seat);
        match action {
            Action::Activate(card, leader) => {
                let need = self.components.leader(leader).strategy;
                let by_sea = p.open.leader_at(leader).is_some_and(|s| {
                    let data = self.components.space(s);
                    seat == crate::ids::CHRISTIAN && (data.port || data.by_sea)
                });
                self.is_least(hand, card, need) || by_sea && self.is_least(hand, card, 3)
            }
            Action::Influence(card, _) | Action::Woo(card) => {
                let modifier = |c: Card| self.components.card(c).diplomacy;
                let better = |c: Card| match (modifier(c), modifier(card)) {
                    (Some(a), Some(b)) => (a, ov(c), c) < (b, ov(card), card),
                    _ => false,
                };
                !hand.iter().any(better)
            }
            Action::Starve(card, _) => !hand.iter().any(|c| (ov(c), c) > (ov(card), card)),
            Action::Fortune(card, _) | Action::Storm(card, _) | Action::Discard(card) => {
                self.is_least(hand, card, 0)
            }
            Action::Vassals(_) | Action::FreeVassal | Action::Combine(_) => false,
            _ => true,
        }
    }

    /// Whether a card has the least value of those that have enough.
    fn is_least(&self, hand: Cards, card: Card, need: u8) -> bool {
        let data = |c: Card| self.components.card(c);
        let cheaper = |c: Card| self.dearness(c) < self.dearness(card);
        data(card).ov >= need && !hand.iter().any(|c| !data(c).must && data(c).ov >= need && cheaper(c))
    }

    /// How much a card would be missed.
    pub(crate) fn dearness(&self, card: Card) -> (u8, bool, Card) {
        let data = self.components.card(card);
        (data.ov, data.siege.is_some(), card)
    }
}

//! What is worth a thought, for the bots. Nothing here is a rule.

use table::Seat;

use crate::ThirdCrusade;
use crate::action::Action;
use crate::data::{Effect, Whose};
use crate::ids::{Army, Order, Piece, Unit};
use crate::position::{Position, Source, Step};

impl ThirdCrusade {
    /// Whether a player should think of an option at all.
    pub(crate) fn counsels(&self, p: &Position, seat: Seat, action: Action) -> bool {
        let army = Army::of(seat);
        match action {
            // An order is thought of where it can be paid for and has something to do.
            Action::Take(order) => {
                let cost = self.components.orders[order].cost;
                let spare = self.spare_supply(&p.open, army);
                self.placed_cost(p, army) + cost <= p.open.command[army]
                    && self.free_sections(&p.open, army).iter().any(|region| {
                        self.is_in_place(p, army, order, region)
                            && self.order_worth(&p.open, army, order, region, spare) > 0
                    })
            }
            Action::Set(region) => {
                let Some(order) = p.hidden.ready[army] else { return true };
                self.is_in_place(p, army, order, region)
                    && self.order_worth(&p.open, army, order, region, self.spare_supply(&p.open, army)) > 0
            }
            // Whoever passes leaves orders that could be executed, and pays for each.
            Action::Pass if matches!(p.open.agenda.now(), Some(Step::Command { .. })) => {
                let side = army.side();
                let waits = |order: Order, region| {
                    !self.components.orders[order].reaction
                        && self.unmet(&p.open, army, order, region).is_none()
                };
                let own =
                    p.open.orders[side].iter().filter(|(_, placed)| placed.is_some_and(|x| x.army == army));
                self.cards_of(&p.open, army).is_empty()
                    && !own
                        .filter_map(|(region, _)| Some((p.hidden.orders[side][region]?, region)))
                        .any(|(order, region)| waits(order, region))
            }
            Action::Place(n, region, k) => {
                let Some(Step::Deed(deed)) = p.open.agenda.now() else { return true };
                match self.parts(deed.source)[usize::from(n)].effect {
                    Effect::Muster { unit, n: all, whose, .. } => {
                        let pool =
                            if whose == Whose::Own { self.in_pool(&p.open, army, unit) } else { u8::MAX };
                        k >= all.min(self.room(&p.open, region, unit.shape())).min(pool)
                            || matches!(deed.source, Source::Space(_))
                    }
                    _ => true,
                }
            }
            Action::Leave(piece) => {
                // A garrison, and no more.
                let Some(march) = &p.open.march else { return true };
                let stays = p.open.lands[march.from].size() - march.group.size();
                stays == 0 && matches!(piece, Piece::Unit(_, Unit::Infantry))
            }
            Action::Replace(..) => false,
            _ => true,
        }
    }

    /// Whether the presence and the sort of region that an order asks for are there now.
    pub(crate) fn is_in_place(
        &self,
        p: &Position,
        army: Army,
        order: Order,
        region: crate::ids::Region,
    ) -> bool {
        let sheet = &self.components.orders[order];
        self.meets(&p.open, region, army, sheet.presence) && self.is(&p.open, region, sheet.sort)
    }

    /// What the orders of an army on the map cost.
    pub(crate) fn placed_cost(&self, p: &Position, army: Army) -> u8 {
        let side = army.side();
        let own = p.open.orders[side].iter().filter(|(_, placed)| placed.is_some_and(|x| x.army == army));
        own.filter_map(|(region, _)| p.hidden.orders[side][region])
            .map(|order| self.components.orders[order].cost)
            .sum()
    }
}

//! What a seat may know, and the positions it cannot tell from the true one.
//!
//! Open to all: everything on the map, cards once they are open, which orders lie where and whose they are, what was
//! executed. A player's own: his hand, objectives, bids and choices not yet opened, the order that he has taken.
//! Open to partners besides: the faces of each other's placed orders, and nothing else.

use serde::Serialize;
use table::{Lots, Notation, Rules as _, SeatSet, Secrets, Set, Viewer, Written as _};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::data::Effect;
use crate::ids::{Army, Event, Objective, Order, Region, SIDES};
use crate::position::{Chore, Hidden, Open, Position, Step};
use crate::setup::VARIABLE_OBJECTIVES;

/// All that one viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// For whom.
    pub(crate) viewer: Viewer,
    /// Whether nothing is hidden from this viewer.
    pub(crate) sees_all: bool,
    /// All that everybody may know.
    pub(crate) open: Open,
    /// Who must decide.
    pub(crate) deciding: SeatSet,
    /// What is hidden from others and not from him; the rest is left out.
    pub(crate) known: Hidden,
}

impl View {
    /// The army of the one who looks, if he plays one.
    pub fn army(&self) -> Option<Army> {
        self.viewer.seat().map(Army::of).filter(|army| self.open.table.party.has(*army))
    }

    /// Whether the viewer knows what only this army knows.
    pub fn is_own(&self, army: Army) -> bool {
        self.sees_all || self.army() == Some(army)
    }

    /// Whether the viewer knows the faces of this army's orders.
    pub fn sees_orders(&self, army: Army) -> bool {
        self.sees_all || self.army().is_some_and(|own| own.side() == army.side())
    }
}

impl Secrets for ThirdCrusade {
    type View = View;

    fn view(&self, p: &Position, viewer: Viewer) -> View {
        let sees_all = viewer == Viewer::Umpire || p.open.result.is_some();
        let own = |army: Army| sees_all || viewer == Viewer::Seat(army.seat());
        let ally = |side| sees_all || viewer.seat().is_some_and(|seat| Army::of(seat).side() == side);
        let mut known = Hidden::none();
        for army in p.open.table.party.iter().filter(|army| own(*army)) {
            known.hands[army] = p.hidden.hands[army];
            known.laid[army] = p.hidden.laid[army];
            known.ready[army] = p.hidden.ready[army];
            known.objectives[army] = p.hidden.objectives[army];
            known.discards[army] = p.hidden.discards[army];
            known.bids[army] = p.hidden.bids[army];
            known.tithes[army] = p.hidden.tithes[army];
            known.buys[army] = p.hidden.buys[army];
        }
        for side in SIDES.into_iter().filter(|side| ally(*side)) {
            known.orders[side] = p.hidden.orders[side];
        }
        View { viewer, sees_all, open: p.open.clone(), deciding: self.deciding(p), known }
    }

    fn seen(&self, p: &Position, seat: table::Seat, action: Action, viewer: Viewer) -> Option<Notation> {
        // Who chooses last opens what all have chosen.
        let last = self.deciding(p).len() == 1;
        let secret = match action {
            Action::Take(_) | Action::Tithe(_) | Action::Buy(_) => true,
            Action::Bid(_) | Action::Discard(_) => !last,
            Action::Lay(_) => !last || p.hidden.hands[Army::of(seat)].len() > 2,
            _ => false,
        };
        (!secret || viewer.shares(seat)).then(|| self.write(action))
    }

    fn imagine(&self, view: &View, lots: &mut Lots) -> Position {
        let mut p = Position { open: view.open.clone(), hidden: view.known.clone() };
        if view.sees_all {
            return p;
        }
        self.imagine_orders(view, &mut p, lots);
        self.imagine_objectives(view, &mut p, lots);
        for army in view.open.table.party.iter().filter(|army| !view.is_own(*army)) {
            let chosen = view.open.chosen.has(army);
            match view.open.agenda.now() {
                Some(Step::Lay) => self.imagine_hand(&mut p, army, chosen, lots),
                Some(Step::Bids) if chosen => {
                    p.hidden.bids[army] = Some(lots.below(u32::from(p.open.gold[army]) + 1) as u8);
                }
                Some(Step::Upkeep(Chore::Tithe)) if chosen => self.imagine_tithes(&mut p, army, lots),
                Some(Step::Upkeep(Chore::Buy)) if chosen => self.imagine_purchases(&mut p, army, lots),
                _ => {}
            }
        }
        p
    }
}

/// One of so many orders face down is taken for anything, a bluff among them; of the others one believes that they can be
/// executed where they lie.
const DOUBT: u32 = 8;

impl ThirdCrusade {
    /// Whether an order is no bluff and could be executed in a region now.
    fn fits_in(&self, open: &Open, army: Army, order: Order, region: Region) -> bool {
        let sheet = &self.components.orders[order];
        sheet.parts.iter().all(|part| part.effect != Effect::Blank)
            && self.meets(open, region, army, sheet.presence)
            && self.is(open, region, sheet.sort)
    }

    /// Orders face down are dealt anew from what their owner could have placed.
    fn imagine_orders(&self, view: &View, p: &mut Position, lots: &mut Lots) {
        // Once tithes are turned, what still lies face down has none.
        let turned = matches!(view.open.agenda.now(), Some(Step::Upkeep(Chore::Tithe)));
        for army in view.open.table.party.iter().filter(|army| !view.sees_orders(*army)) {
            let side = army.side();
            let mut pool: Vec<Order> = Vec::with_capacity(24);
            for order in self.components.orders_of[army] {
                let left = self.owned(&view.open, order) - view.open.aside[order];
                pool.extend(std::iter::repeat_n(order, left.into()));
            }
            for (region, placed) in view.open.orders[side].iter() {
                let Some(face) = placed.filter(|placed| placed.army == army).and_then(|placed| placed.face)
                else {
                    continue;
                };
                p.hidden.orders[side][region] = Some(face);
                if let Some(at) = pool.iter().position(|order| *order == face) {
                    pool.swap_remove(at);
                }
            }
            if turned {
                pool.retain(|order| !self.components.orders[*order].tithe);
            }
            lots.shuffle(&mut pool);
            for (region, placed) in view.open.orders[side].iter() {
                if placed.is_some_and(|placed| placed.army == army && placed.face.is_none()) {
                    // Nobody places much that cannot be executed.
                    if lots.below(DOUBT) > 0
                        && let Some(at) =
                            pool.iter().rposition(|order| self.fits_in(&p.open, army, *order, region))
                    {
                        let last = pool.len() - 1;
                        pool.swap(at, last);
                    }
                    p.hidden.orders[side][region] = pool.pop();
                }
            }
        }
    }

    /// Objectives of others are dealt anew from those that the viewer does not hold.
    fn imagine_objectives(&self, view: &View, p: &mut Position, lots: &mut Lots) {
        let open = &view.open;
        let (each, dealt, variable) = match open.agenda.now() {
            Some(Step::Deal { count, dealt }) => (*count, *dealt, *count == VARIABLE_OBJECTIVES),
            Some(Step::Keep) => (VARIABLE_OBJECTIVES, open.table.party, true),
            Some(Step::Deploy { .. }) => (0, Set::NONE, false),
            _ => (open.table.objectives, open.table.party, false),
        };
        for army in open.table.party.iter().filter(|army| !view.is_own(*army) && dealt.has(*army)) {
            let deck = self.objective_deck(open, variable.then_some(army.side()));
            let held = p.hidden.objectives.values().iter().fold(Set::NONE, |all, own| all | *own);
            let shown = open.shown.values().iter().fold(Set::NONE, |all, own| all | *own);
            let mut left: Vec<Objective> = (deck - held - shown).iter().collect();
            lots.shuffle(&mut left);
            let count = usize::from(each).saturating_sub(open.shown[army].len());
            p.hidden.objectives[army] = left.into_iter().take(count).collect();
            if matches!(open.agenda.now(), Some(Step::Keep)) && open.chosen.has(army) {
                let all: Vec<_> = p.hidden.objectives[army].iter().collect();
                p.hidden.discards[army] = lots.pick(&all);
            }
        }
    }

    fn imagine_hand(&self, p: &mut Position, army: Army, chosen: bool, lots: &mut Lots) {
        let deck = self.components.deck(army, p.open.period, p.open.table.party);
        let mut cards: Vec<Event> = deck.iter().collect();
        lots.shuffle(&mut cards);
        cards.truncate(self.components.figures.hand.0.into());
        if chosen {
            p.hidden.laid[army] = std::array::from_fn(|i| cards.get(i).copied());
        } else {
            p.hidden.hands[army] = cards.into_iter().collect();
        }
    }

    fn imagine_tithes(&self, p: &mut Position, army: Army, lots: &mut Lots) {
        loop {
            let left = self.points_left(p, army);
            let can = self.tithable(&p.open, army, left) - p.hidden.tithes[army];
            let Some(region) = can.nth(lots.below(can.len() as u32 + 1) as usize) else { return };
            p.hidden.tithes[army].insert(region);
        }
    }

    fn imagine_purchases(&self, p: &mut Position, army: Army, lots: &mut Lots) {
        let price = self.components.figures.prices.1;
        let most = self.spare(&p.open, army) / price;
        for _ in 0..most {
            let can = self.unowned(&p.open, army) - p.hidden.buys[army];
            let Some(order) = can.nth(lots.below(can.len() as u32 + 1) as usize) else { return };
            p.hidden.buys[army].insert(order);
        }
    }
}

//! What a seat may know, and the positions it cannot tell from the true one.
//!
//! Open to all: every piece, the discards, how many cards each holds and how many of them were drawn this round.
//! Hidden: the two hands, what is left of the deck, and the way that a marching player has laid out. A card that one
//! player has seen in the other's hand, by a ransom or by spies, is known to both of them, and to nobody else, until it
//! leaves that hand.

use arrayvec::ArrayVec;
use serde::Serialize;
use table::rooms::*;
use table::{Lots, Notation, Seat, SeatSet, Set, Viewer};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::ids::{BOTH, Card, Cards, Sides};
use crate::position::{Hidden, Open, Planned, Position, Step};

/// All that one viewer may know.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    pub(crate) viewer: Viewer,
    /// Whether nothing is hidden from this viewer.
    pub(crate) sees_all: bool,
    /// What everybody may know.
    pub(crate) open: Open,
    /// The hands that the viewer may see.
    pub(crate) hands: Sides<Option<Cards>>,
    /// Of those hands, what cannot be used before this round ends.
    pub(crate) fresh: Sides<Option<Cards>>,
    /// Of each hand, what the other player has seen; nothing for those who look on.
    pub(crate) known: Sides<Cards>,
    /// The way laid out for the active army, for its own player.
    pub(crate) plan: ArrayVec<Planned, 12>,
    pub(crate) deciding: SeatSet,
}

impl View {
    /// What is to be decided.
    pub(crate) fn step(&self) -> Option<&Step> {
        self.open.agenda.now()
    }
}

impl Secrets for KingdomOfHeaven {
    type View = View;

    fn view(&self, p: &Position, viewer: Viewer) -> View {
        let sees_all = p.open.ending.is_some() || viewer == Viewer::Umpire;
        let sees = |seat: Seat| sees_all || viewer.shares(seat);
        let plays = sees_all || viewer.seat().is_some();
        let marches = p.open.march.as_ref().is_some_and(|march| sees(march.seat));
        View {
            viewer,
            sees_all,
            open: p.open.clone(),
            hands: Sides(BOTH.map(|seat| sees(seat).then_some(p.hidden.hands[seat]))),
            fresh: Sides(BOTH.map(|seat| sees(seat).then_some(p.hidden.fresh[seat]))),
            known: Sides(BOTH.map(|seat| if plays { p.hidden.known[seat] } else { Set::NONE })),
            plan: if marches { p.hidden.plan.clone() } else { ArrayVec::new() },
            deciding: self.deciding(p),
        }
    }

    fn seen(&self, _: &Position, seat: Seat, action: Action, viewer: Viewer) -> Option<Notation> {
        let secret = matches!(action, Action::To(_) | Action::Rest | Action::Forget);
        (!secret || viewer.shares(seat)).then(|| self.write(action))
    }

    /// Deals the cards that the viewer cannot place: what he knows stays where he knows it.
    fn imagine(&self, view: &View, lots: &mut Lots) -> Position {
        let mut hidden = Hidden { plan: view.plan.clone(), known: view.known, ..Hidden::default() };
        let placed = view.open.discards | view.open.removed;
        let mut left = self.plot(&view.open).deck - placed;
        for seat in BOTH {
            left -= view.hands[seat].unwrap_or(view.known[seat]);
        }
        let mut left: Vec<Card> = left.iter().collect();
        lots.shuffle(&mut left);
        for seat in BOTH {
            let Some(hand) = view.hands[seat] else {
                let mut hand = view.known[seat];
                let mut dealt: Vec<Card> = Vec::new();
                while hand.len() < usize::from(view.open.held[seat]) {
                    let Some(card) = left.pop() else { break };
                    hand.insert(card);
                    dealt.push(card);
                }
                // What was drawn this round is taken from what nobody has seen, as long as that lasts.
                let drawn = usize::from(view.open.drawn[seat]);
                hidden.fresh[seat] = dealt.iter().copied().chain(view.known[seat]).take(drawn).collect();
                hidden.hands[seat] = hand;
                continue;
            };
            hidden.hands[seat] = hand;
            hidden.fresh[seat] = view.fresh[seat].unwrap_or(Set::NONE);
        }
        Position { open: view.open.clone(), hidden }
    }
}

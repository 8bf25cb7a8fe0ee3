//! What a seat may know, and the positions it cannot tell from the true one.

use serde::Serialize;
use table::rooms::*;
use table::{Lots, MOST_SEATS, Notation, Seat, SeatSet, Viewer};

use crate::FourKeeps;
use crate::action::Action;
use crate::position::{Hidden, Open, Position, Stance, Step};

/// All that one viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// For whom.
    pub viewer: Viewer,
    /// All that everybody may know.
    pub open: Open,
    /// Who must decide.
    pub deciding: SeatSet,
    /// How many wards each captain holds, where the viewer may know.
    pub wards: [Option<u8>; MOST_SEATS],
    /// The viewer's own bid; all, for one who knows everything.
    pub bids: [Option<u8>; MOST_SEATS],
    /// The viewer's own stance; all, for one who knows everything.
    pub stances: [Option<Stance>; MOST_SEATS],
}

impl Secrets for FourKeeps {
    type View = View;

    fn view(&self, p: &Position, viewer: Viewer) -> View {
        let over = p.open.step == Step::Over;
        let knows = |i: usize| over || viewer.shares(Seat::new(i as u8));
        View {
            viewer,
            open: p.open.clone(),
            deciding: self.deciding(p),
            wards: std::array::from_fn(|i| knows(i).then_some(p.hidden.wards[i])),
            bids: std::array::from_fn(|i| p.hidden.bids[i].filter(|_| knows(i))),
            stances: std::array::from_fn(|i| p.hidden.stances[i].filter(|_| knows(i))),
        }
    }

    fn seen(&self, p: &Position, seat: Seat, action: Action, viewer: Viewer) -> Option<Notation> {
        let secret = match action {
            Action::Bid(_) => self.deciding(p).len() > 1,
            Action::Fight(_) => self.together(p, seat).both(self.deciding(p)).len() > 1,
            Action::Go(_) | Action::Halt | Action::Ward | Action::Pass => false,
        };
        (!secret || viewer.shares(seat)).then(|| self.write(action))
    }

    fn imagine(&self, view: &View, lots: &mut Lots) -> Position {
        let mut hidden = Hidden { wards: [0; MOST_SEATS], bids: view.bids, stances: view.stances };
        for seat in view.open.party.iter() {
            let (i, captain) = (seat.index(), view.open.captain(seat));
            hidden.wards[i] =
                view.wards[i].unwrap_or_else(|| (0..captain.cards).map(|_| lots.below(2) as u8).sum());
            let chosen = captain.men > 0 && !view.deciding.contains(seat);
            if view.open.step == Step::Bids && chosen && hidden.bids[i].is_none() {
                hidden.bids[i] = Some(lots.below(u32::from(captain.gold) + 1) as u8);
            }
            let fights = view.open.battle_of(seat).is_some_and(|battle| battle.asked.is_none());
            if view.open.step == Step::Battles && chosen && fights && hidden.stances[i].is_none() {
                hidden.stances[i] = Some(if lots.below(2) == 0 { Stance::Press } else { Stance::Guard });
            }
        }
        Position { open: view.open.clone(), hidden }
    }
}

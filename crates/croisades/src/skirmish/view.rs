//! What a seat may know: everything of a battle, and of the musters before it only its own.

use arrayvec::ArrayVec;
use serde::Serialize;
use table::rooms::*;
use table::{Lots, Notation, Seat, SeatSet, Viewer};

use super::Skirmish;
use super::action::Action;
use super::position::{Hidden, MUSTERED, Open, Position, Prelude};
use crate::data::NCO;
use crate::ids::{Counter, Side, Who};

/// All that one viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// For whom.
    pub viewer: Viewer,
    /// All that everybody may know.
    pub open: Open,
    /// Who must decide.
    pub deciding: SeatSet,
    /// The viewer's own muster; all, for one who knows everything.
    pub musters: [ArrayVec<Who, MUSTERED>; 2],
    /// The viewer's own answer to a quick battle.
    pub quick: [Option<bool>; 2],
}

impl Secrets for Skirmish {
    type View = View;

    fn view(&self, p: &Position, viewer: Viewer) -> View {
        let knows = |i: usize| viewer.shares(Seat::new(i as u8));
        let own = |i: usize| if knows(i) { p.hidden.musters[i].clone() } else { ArrayVec::new() };
        View {
            viewer,
            open: p.open.clone(),
            deciding: self.deciding(p),
            musters: [own(0), own(1)],
            quick: [0, 1].map(|i| p.hidden.quick[i].filter(|_| knows(i))),
        }
    }

    fn seen(&self, p: &Position, seat: Seat, action: Action, viewer: Viewer) -> Option<Notation> {
        if viewer.shares(seat) {
            return Some(self.write(action));
        }
        match (action, p.open.prelude) {
            // What is bought is not seen at all, and that somebody has sealed is.
            (Action::Buy(_) | Action::BuyOnFoot(_), _) => None,
            (Action::Quick | Action::Fight, Prelude::Quick) => {
                (self.deciding(p).len() == 1).then(|| self.write(action))
            }
            _ => Some(self.write(action)),
        }
    }

    fn imagine(&self, view: &View, lots: &mut Lots) -> Position {
        let mut p = Position {
            open: view.open.clone(),
            hidden: Hidden { musters: view.musters.clone(), quick: view.quick },
        };
        let unknown = |side: Side| !view.viewer.shares(super::seat_of(side));
        for side in Side::BOTH.into_iter().filter(|side| unknown(*side)) {
            match view.open.prelude {
                Prelude::Quick if !view.deciding.contains(super::seat_of(side)) => {
                    p.hidden.quick[side.index()] = Some(lots.below(2) == 0);
                }
                Prelude::Muster(sealed) => {
                    let men = self.guess_muster(view.open.sum, side, sealed[side.index()], lots);
                    p.hidden.musters[side.index()] = men;
                }
                _ => {}
            }
        }
        p
    }
}

impl Skirmish {
    /// A muster that a side may have made: one that could be sealed, or some of it.
    fn guess_muster(&self, sum: u16, side: Side, sealed: bool, lots: &mut Lots) -> ArrayVec<Who, MUSTERED> {
        let data = &self.tactics.data;
        let mut all: Vec<Counter> =
            (0..data.counters.len()).map(Counter::at).filter(|c| data.for_sale(*c, side)).collect();
        lots.shuffle(&mut all);
        let mut men: ArrayVec<Who, MUSTERED> = ArrayVec::new();
        let leader = all.iter().position(|c| data.kind(*c).class <= NCO && data.card(*c).cost <= sum);
        if let Some(leader) = leader {
            all.swap(0, leader);
        }
        let stop = if sealed { usize::MAX } else { lots.below(12) as usize };
        for counter in all {
            let left = sum - self.spent(&men);
            if men.len() >= stop || men.is_full() || lots.below(12) == 0 && !men.is_empty() {
                break;
            }
            if data.card(counter).cost <= left {
                men.push(Who::first(counter));
            }
        }
        men
    }
}

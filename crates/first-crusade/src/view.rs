//! What a seat may know, and the positions it cannot tell from the true one.
//!
//! Christians act in the open and players of a team hide nothing from each other. Hidden are only the
//! concealed Muslim counters [11.0]: which units they are, and so which units are in the bins. Everybody may
//! remember what a concealed counter can be: one of the force that stayed behind after a battle, or any unit
//! that nobody saw when it was picked.

use std::ops::Deref;

use serde::Serialize;
use table::rooms::{Rules, Secrets, Written};
use table::{Lots, Notation, Seat, SeatSet, Set, Viewer};

use crate::FirstCrusade;
use crate::action::Action;
use crate::data::{Contingent, Space, Unit};
use crate::position::{Open, Place, Position};

/// All that one viewer may know. It reads like what is open of it: `view.turn` is `view.open.turn`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    pub(crate) viewer: Viewer,
    /// What everybody may know.
    pub(crate) open: Open,
    /// Units whose place is known.
    pub(crate) places: Vec<(Unit, Place)>,
    /// Concealed counters.
    pub(crate) concealed: Vec<Concealed>,
    pub(crate) deciding: SeatSet,
}

/// Concealed counters of a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Concealed {
    pub(crate) space: Space,
    /// How many.
    pub(crate) count: u8,
    /// Whether they are Fatimid; else they are Seljuk.
    pub(crate) fatimid: bool,
}

impl Deref for View {
    type Target = Open;
    fn deref(&self) -> &Open {
        &self.open
    }
}

impl Secrets for FirstCrusade {
    type View = View;

    fn view(&self, p: &Position, viewer: Viewer) -> View {
        let sees_all = viewer == Viewer::Umpire || p.result.is_some();
        let c = &self.components;
        let mut places = Vec::new();
        let mut concealed: Vec<Concealed> = Vec::new();
        for u in c.units.ids() {
            let place = p.place[u];
            // What lies in a Muslim bin is known only by what is seen elsewhere.
            let hidden = match place {
                Place::Bin => c.muslims.has(u),
                Place::Map(_) => c.muslims.has(u) && !p.shown.has(u),
                Place::Dead | Place::Out | Place::Waiting => false,
            };
            if !hidden || sees_all {
                places.push((u, place));
            } else if let Place::Map(space) = place {
                match concealed.iter_mut().find(|stack| stack.space == space) {
                    Some(stack) => stack.count += 1,
                    None => {
                        let fatimid = self.of(Contingent::Fatimid).has(u);
                        concealed.push(Concealed { space, count: 1, fatimid });
                    }
                }
            }
        }
        concealed.sort_unstable_by_key(|stack| stack.space);
        View { viewer, open: p.open.clone(), places, concealed, deciding: self.deciding(p) }
    }

    fn seen(&self, _: &Position, _: Seat, action: Action, _: Viewer) -> Option<Notation> {
        // Christians act in the open.
        Some(self.write(action))
    }

    fn imagine(&self, view: &View, lots: &mut Lots) -> Position {
        let c = &self.components;
        let mut p = Position { open: view.open.clone(), ..Position::empty(c, view.table) };
        let mut known = Set::NONE;
        for (u, place) in &view.places {
            known.insert(*u);
            match place {
                Place::Map(s) => p.put(*u, *s),
                aside => p.place[*u] = *aside,
            }
        }
        self.deal_concealed(&mut p, view, c.muslims - known, lots);
        p
    }
}

impl FirstCrusade {
    /// Finds a unit for every concealed counter, each among those that it may be.
    fn deal_concealed(&self, p: &mut Position, view: &View, free: Set<Unit>, lots: &mut Lots) {
        let mut slots: Vec<(Space, Set<Unit>)> = Vec::new();
        for Concealed { space, count, fatimid } in view.concealed.iter().copied() {
            let side = self.of(if fatimid { Contingent::Fatimid } else { Contingent::Seljuk });
            slots.extend((0..count).map(|_| (space, p.rumour[space] & side & free)));
        }
        lots.shuffle(&mut slots);
        let mut dealt: Vec<Option<Unit>> = vec![None; slots.len()];
        for slot in 0..slots.len() {
            self.deal_one(&slots, &mut dealt, slot, &mut Set::default(), lots);
        }
        for ((s, _), u) in slots.into_iter().zip(dealt) {
            if let Some(u) = u {
                p.put(u, s);
            }
        }
    }

    /// Gives a slot one of its candidates, moving others on where it must.
    fn deal_one(
        &self,
        slots: &[(Space, Set<Unit>)],
        dealt: &mut [Option<Unit>],
        slot: usize,
        tried: &mut Set<Unit>,
        lots: &mut Lots,
    ) -> bool {
        let mut candidates: Vec<Unit> = slots[slot].1.iter().collect();
        lots.shuffle(&mut candidates);
        candidates.sort_by_key(|u| dealt.contains(&Some(*u)));
        for u in candidates {
            if tried.has(u) {
                continue;
            }
            tried.insert(u);
            let holder = dealt.iter().position(|d| *d == Some(u));
            if holder.is_none_or(|other| {
                dealt[other] = None;
                let moved = self.deal_one(slots, dealt, other, tried, lots);
                if !moved {
                    dealt[other] = Some(u);
                }
                moved
            }) {
                dealt[slot] = Some(u);
                return true;
            }
        }
        false
    }
}

//! What a seat may know, and the positions it cannot tell from the true one.
//!
//! Christians act in the open and players of a team hide nothing from each other. Hidden are only the
//! concealed Muslim counters [11.0]: which units they are, and so which units are in the bins. Everybody may
//! remember what a concealed counter can be: one of the force that stayed behind after a battle, or any unit
//! that nobody saw when it was picked.

use serde::Serialize;
use table::{Lots, Seat, SeatSet, Viewer};

use crate::FirstCrusade;
use crate::data::{Contingent, FLEETS};
use crate::position::{BIN, Battle, Ending, March, Position, Step, TableRules};
use crate::set::Set;

/// All that one viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    pub(crate) viewer: Viewer,
    /// Units whose place is known: unit, place.
    pub(crate) places: Vec<(u8, u8)>,
    /// Concealed counters: space, how many, whether Fatimid.
    pub(crate) concealed: Vec<(u8, u8, bool)>,
    /// Who they may be.
    pub(crate) rumour: Vec<(u8, Set)>,
    pub(crate) reduced: Set,
    pub(crate) shown: Set,
    pub(crate) cargo: [u8; FLEETS],
    pub(crate) boons: [u32; 3],
    pub(crate) turn: u8,
    pub(crate) standard: u8,
    pub(crate) spent: u8,
    pub(crate) special: u8,
    pub(crate) reaction: u8,
    pub(crate) armenia: bool,
    pub(crate) fatimids: bool,
    pub(crate) infighting: bool,
    pub(crate) camps: Set,
    pub(crate) castles: Set,
    pub(crate) monasteries: Set,
    pub(crate) sieges: Set,
    pub(crate) massacres: Set,
    pub(crate) titles: [u8; 5],
    pub(crate) word: Seat,
    pub(crate) asked: SeatSet,
    pub(crate) march: March,
    pub(crate) battle: Battle,
    pub(crate) pool: Set,
    pub(crate) table: TableRules,
    pub(crate) result: Option<Ending>,
    pub(crate) steps: Vec<Step>,
    pub(crate) deciding: SeatSet,
}

impl FirstCrusade {
    pub(crate) fn look(&self, p: &Position, viewer: Viewer) -> View {
        let open = viewer == Viewer::Umpire || p.result.is_some();
        let c = &self.components;
        let mut places = Vec::new();
        let mut concealed: Vec<(u8, u8, bool)> = Vec::new();
        let mut rumour = Vec::new();
        for u in 0..c.units.len() as u8 {
            let place = p.place[usize::from(u)];
            // What lies in a Muslim bin is known only by what is seen elsewhere.
            let hidden = c.muslims.has(u) && (place == BIN || (p.on_map(u) && !p.shown.has(u)));
            if !hidden || open {
                places.push((u, place));
            } else if place != BIN {
                let fatimid = self.of(Contingent::Fatimid).has(u);
                match concealed.iter_mut().find(|(s, ..)| *s == place) {
                    Some((_, n, _)) => *n += 1,
                    None => concealed.push((place, 1, fatimid)),
                }
            }
        }
        concealed.sort_unstable();
        for (s, ..) in &concealed {
            rumour.push((*s, p.rumour[usize::from(*s)]));
        }
        if open {
            for s in 0..c.spaces.len() as u8 {
                if p.rumour[usize::from(s)].any() {
                    rumour.push((s, p.rumour[usize::from(s)]));
                }
            }
        }
        View {
            viewer,
            places,
            concealed,
            rumour,
            reduced: p.reduced,
            shown: p.shown,
            cargo: p.cargo,
            boons: p.boons,
            turn: p.turn,
            standard: p.standard,
            spent: p.spent,
            special: p.special,
            reaction: p.reaction,
            armenia: p.armenia,
            fatimids: p.fatimids,
            infighting: p.infighting,
            camps: p.camps,
            castles: p.castles,
            monasteries: p.monasteries,
            sieges: p.sieges,
            massacres: p.massacres,
            titles: p.titles,
            word: p.word,
            asked: p.asked,
            march: p.march,
            battle: p.battle,
            pool: p.pool,
            table: p.table,
            result: p.result,
            steps: p.agenda.steps().to_vec(),
            deciding: self.who_decides(p),
        }
    }

    /// Deals anew what the view does not fix.
    pub(crate) fn dream(&self, view: &View, lots: &mut Lots) -> Position {
        let c = &self.components;
        let mut p = Position::empty(c, view.table);
        p.reduced = view.reduced;
        p.cargo = view.cargo;
        p.boons = view.boons;
        p.turn = view.turn;
        p.standard = view.standard;
        p.spent = view.spent;
        p.special = view.special;
        p.reaction = view.reaction;
        p.armenia = view.armenia;
        p.fatimids = view.fatimids;
        p.infighting = view.infighting;
        p.camps = view.camps;
        p.castles = view.castles;
        p.monasteries = view.monasteries;
        p.sieges = view.sieges;
        p.massacres = view.massacres;
        p.titles = view.titles;
        p.word = view.word;
        p.asked = view.asked;
        p.march = view.march;
        p.battle = view.battle;
        p.pool = view.pool;
        p.result = view.result;
        let mut known = Set::NONE;
        for (u, place) in &view.places {
            known.insert(*u);
            if usize::from(*place) < c.spaces.len() {
                p.put(*u, *place);
            } else {
                p.place[usize::from(*u)] = *place;
            }
        }
        p.shown = view.shown;
        for (s, rumour) in &view.rumour {
            p.rumour[usize::from(*s)] = *rumour;
        }
        self.deal_concealed(&mut p, view, c.muslims - known, lots);
        for step in &view.steps {
            p.agenda.push(*step);
        }
        p
    }

    /// Finds a unit for every concealed counter, each among those that it may be.
    fn deal_concealed(&self, p: &mut Position, view: &View, free: Set, lots: &mut Lots) {
        let mut slots: Vec<(u8, Set)> = Vec::new();
        for (s, n, fatimid) in &view.concealed {
            let side = self.of(if *fatimid { Contingent::Fatimid } else { Contingent::Seljuk });
            slots.extend(std::iter::repeat_n((*s, p.rumour[usize::from(*s)] & side & free), usize::from(*n)));
        }
        lots.shuffle(&mut slots);
        let mut dealt: Vec<u8> = vec![crate::data::NONE; slots.len()];
        for slot in 0..slots.len() {
            self.deal_one(&slots, &mut dealt, slot, &mut Set::default(), lots);
        }
        for ((s, _), u) in slots.iter().zip(dealt) {
            if u != crate::data::NONE {
                p.put(u, *s);
            }
        }
    }

    /// Gives a slot one of its candidates, moving others on where it must.
    fn deal_one(
        &self,
        slots: &[(u8, Set)],
        dealt: &mut [u8],
        slot: usize,
        tried: &mut Set,
        lots: &mut Lots,
    ) -> bool {
        let mut candidates: Vec<u8> = slots[slot].1.each().collect();
        lots.shuffle(&mut candidates);
        candidates.sort_by_key(|u| dealt.contains(u));
        for u in candidates {
            if tried.has(u) {
                continue;
            }
            tried.insert(u);
            let holder = dealt.iter().position(|d| *d == u);
            if holder.is_none_or(|other| {
                dealt[other] = crate::data::NONE;
                let moved = self.deal_one(slots, dealt, other, tried, lots);
                if !moved {
                    dealt[other] = u;
                }
                moved
            }) {
                dealt[slot] = u;
                return true;
            }
        }
        false
    }
}

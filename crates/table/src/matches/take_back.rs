//! Taking back what is part of the record, with consent.

use super::{Match, SeenBy, TAKE_BACKS, TakeBackRequest};
use crate::error::TableError;
use crate::game::Game;
use crate::journal::{Note, Tone};
use crate::record::{By, Deed};
use crate::seat::{Readers, Seat, SeatSet};

impl<G: Game> Match<G> {
    /// The last entry that would stand if a seat's latest own decision were taken back.
    pub fn before_last_decision(&self, seat: Seat) -> Option<u32> {
        let standing = self.standing();
        let last = standing.iter().rev().find(|i| {
            matches!(&self.entries[**i as usize - 1], Deed::Act { seat: s, by: By::Hand, .. } if *s == seat)
        })?;
        Some(standing.iter().copied().filter(|n| n < last).max().unwrap_or(0))
    }

    /// A seat asks to take back what came after entry `to`. It happens as soon as all agree whose entries it would
    /// undo, and their opponents.
    pub fn ask_take_back(&mut self, seat: Seat, to: u32) -> Result<(), TableError> {
        if self.setup.option(TAKE_BACKS) == "no" {
            let why = "this table was opened without take-backs";
            return Err(TableError::NothingToUndo { why: why.into() });
        }
        if to >= self.last_entry() || (to != 0 && !self.standing().contains(&to)) {
            let why = format!("there is no entry {to} that stands and comes before the last");
            return Err(TableError::NothingToUndo { why });
        }
        if self.key.is_none() {
            let why = "this record has no seed, so play cannot go on from there; branch from it";
            return Err(TableError::NothingToUndo { why: why.into() });
        }
        let arrived = |deed: &super::Entry<G>| matches!(deed, Deed::Arrive { .. });
        if self.entries.iter().skip(to as usize).any(arrived) {
            let why = "somebody has joined the game since";
            return Err(TableError::NothingToUndo { why: why.into() });
        }
        let needed = self.whose_consent(to).without(seat);
        self.asked = Some(TakeBackRequest { by: seat, to, agreed: seat.into(), needed });
        self.grant_take_back();
        Ok(())
    }

    /// Whose consent a take-back to this entry needs: all whose entries it would undo, and their opponents, as far
    /// as they are still in the game.
    fn whose_consent(&self, to: u32) -> SeatSet {
        let title = self.game.title();
        let undone: SeatSet = self
            .standing()
            .into_iter()
            .filter(|number| *number > to)
            .filter_map(|number| match &self.entries[number as usize - 1] {
                Deed::Act { seat, .. } => Some(*seat),
                Deed::Arrive { .. } | Deed::TakeBack { .. } => None,
            })
            .collect();
        let opposes = |seat: &Seat| undone.iter().any(|other| !title.allies(other).contains(*seat));
        let opponents: SeatSet = self.party.iter().filter(opposes).collect();
        undone.union(opponents).both(self.game.still_in(&self.position, self.party))
    }

    /// The time for an answer has passed: who has not said no agrees.
    pub fn lapse_take_back(&mut self) {
        if let Some(asked) = &mut self.asked {
            asked.agreed = asked.agreed.union(asked.needed);
            self.grant_take_back();
        }
    }

    /// How often something was taken back.
    pub fn take_backs(&self) -> u32 {
        self.take_backs
    }

    /// The result says so if anything was taken back on the way.
    pub(super) fn tell_take_backs(&mut self) {
        let (times, over) = (self.take_backs, self.outcome().is_some());
        if over && times > 0 {
            let times = if times == 1 { "once".to_string() } else { format!("{times} times") };
            self.journal.extend([Note {
                readers: Readers::ALL,
                tone: Tone::Table,
                rule: None,
                text: format!("On the way to this result moves were taken back {times}"),
                shown: Vec::new(),
            }]);
        }
    }

    /// What somebody asked to take back.
    pub fn take_back_asked(&self) -> Option<TakeBackRequest> {
        self.asked
    }

    /// Another seat agrees to a take-back, or does not.
    pub fn answer_take_back(&mut self, seat: Seat, agrees: bool) -> Result<(), TableError> {
        let Some(asked) = &mut self.asked else {
            return Err(TableError::NothingToUndo { why: "nobody asks to take anything back".into() });
        };
        if agrees {
            asked.agreed = asked.agreed.with(seat);
            self.grant_take_back();
        } else {
            self.asked = None;
        }
        Ok(())
    }

    fn grant_take_back(&mut self) {
        let Some(asked) = self.asked.filter(|a| a.needed.minus(a.agreed).is_empty()) else { return };
        self.asked = None;
        self.drafts = Default::default();
        self.chosen = SeatSet::NONE;
        self.take_back(asked.by, asked.to);
        // Standing orders would only do again what was taken back: they are for their owner to renew.
        self.orders = Default::default();
        self.numbers.clicks.iter_mut().for_each(|clicks| *clicks += 1);
        self.count_changes(self.party);
    }

    pub(super) fn take_back(&mut self, seat: Seat, to: u32) {
        self.entries.push(Deed::TakeBack { seat, to });
        self.take_backs += 1;
        let seen = SeenBy { seats: self.party, observers: true };
        self.mark(seen, true);
        self.position = self.walk(|_, _, _| {});
        self.journal.extend([Note {
            readers: Readers::ALL,
            tone: Tone::Table,
            rule: None,
            text: format!(
                "{} took moves back with the consent of all; the dice from here on are new",
                self.game.title().seat_name(seat)
            ),
            shown: Vec::new(),
        }]);
    }
}

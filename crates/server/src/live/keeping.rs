//! What the store is told of a change, and what becomes of the table when it was told, or could not be.
//!
//! An addition holds what has changed since the store last heard of the table, all or nothing. When the store
//! fails, or another server was first, the match in memory is thrown away and loaded anew.

use std::sync::Arc;

use table::SeatSet;

use super::{Live, Table, Tables};
use crate::clock::Clocks;
use crate::fault::Fault;
use crate::secret;
use crate::store::{Addition, Chosen, SeatRow, StoreError, TableStage};

impl Live {
    /// What has changed since the store last heard of it.
    pub(super) fn addition(&self) -> Addition {
        if self.frozen.is_some() {
            // What stands in the store is worth more than what could be made of it.
            return Addition { version: self.row.version, waiting: self.row.waiting, ..Addition::default() };
        }
        let mut addition =
            Addition { version: self.row.version, waiting: self.waiting(), ..Addition::default() };
        if let Some(sitting) = &self.sitting {
            let new = sitting.entries_since(self.kept);
            addition.entries = new.iter().map(|e| (e.number, e.to_string())).collect();
            if !new.is_empty() {
                // A draft or a secret choice leaves no trace, not even the time of day.
                addition.at = Some(secret::now());
            }
            let asked = sitting.take_back_asked();
            addition.asked = (asked != self.row.asked).then_some(asked);
            let chosen = Chosen { after: sitting.last_entry(), seats: self.chosen() };
            let chosen = Some(chosen).filter(|c| !c.seats.is_empty());
            addition.chosen = (chosen != self.row.chosen).then_some(chosen);
            for seat in SeatSet::first(self.seats.len()).iter() {
                let number = self.number(seat);
                if self.numbers.get(&seat.into()) != Some(&number) {
                    addition.numbers.push((seat.into(), number));
                }
            }
            if let Some(outcome) = sitting.outcome() {
                addition.stage = Some(TableStage::Over);
                addition.headline = Some(outcome.headline.to_string());
            } else if !matches!(self.row.stage, TableStage::Frozen | TableStage::Over) {
                addition.stage = Some(TableStage::Running);
            }
        }
        let drafts = self.present_drafts();
        for seat in 0..self.seats.len() as u8 {
            let (old, new) = (self.drafts.get(&seat), drafts.get(&seat));
            if old != new {
                addition.drafts.push((seat, new.cloned().unwrap_or_default()));
            }
        }
        let glasses = self.clocks.as_ref().map_or(&[][..], Clocks::glasses);
        for (seat, glass) in (0..).zip(glasses) {
            if self.glasses.get(&seat) != Some(glass) {
                addition.clocks.push((seat, glass.clone()));
            }
        }
        addition
    }

    /// A change of one seat.
    pub(super) fn seat_addition(&self, seat: usize, row: SeatRow) -> Addition {
        Addition { seats: vec![(seat as u8, row)], at: Some(secret::now()), ..self.addition() }
    }

    /// The store has it.
    pub(super) fn kept(&mut self, addition: &Addition) {
        self.kept += addition.entries.len() as u32;
        if self.frozen.is_none() {
            self.drafts = self.present_drafts();
        }
        self.row.version += 1;
        self.row.touched = addition.at.unwrap_or(self.row.touched);
        self.row.waiting = addition.waiting;
        for (seat, row) in &addition.seats {
            if let Some(own) = self.seats.get_mut(usize::from(*seat)) {
                own.clone_from(row);
            }
        }
        self.glasses.extend(addition.clocks.iter().cloned());
        self.numbers.extend(addition.numbers.iter().copied());
        if let Some(asked) = addition.asked {
            self.row.asked = asked;
        }
        if let Some(chosen) = addition.chosen {
            self.row.chosen = chosen;
        }
        if let Some(stage) = addition.stage {
            self.row.stage = stage;
        }
        if let Some(headline) = &addition.headline {
            self.row.headline.clone_from(headline);
        }
        if let Some(head) = &addition.head {
            self.row.head = Some(head.clone());
        }
    }
}

impl Tables {
    /// Makes an addition durable, or throws away what is in memory and loads the table anew.
    pub(super) async fn keep(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        addition: Addition,
    ) -> Result<(), Fault> {
        let (waiting, stage) = (live.row.waiting, live.row.stage);
        match self.0.store.append(live.row.id.clone(), addition.clone()).await {
            Ok(()) => {
                live.kept(&addition);
                self.mind_pace(live);
                self.0.desk.changed(table, live, waiting, stage);
                Ok(())
            }
            Err(StoreError::Conflict(why)) => {
                tracing::debug!(table = %live.row.id, %why, "the table had moved on");
                self.reload(live).await?;
                table.publish(live);
                Err(Fault::Raced)
            }
            Err(error) => {
                tracing::error!(table = %live.row.id, %error, "an action could not be saved and is undone");
                self.reload(live).await?;
                table.publish(live);
                Err(Fault::Store(error))
            }
        }
    }
}

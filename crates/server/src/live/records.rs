//! Who may read the record of a game. It holds everybody's secrets, so it is nobody's as long as the game is not
//! over, whatever has become of the table meanwhile. A seat at a table that has stopped may read what it has
//! seen itself.

use std::fmt::Write as _;

use table::{AnyMatch, Record, Viewer};

use super::looking::{looking_back, place_to_look_back};
use super::{Live, Tables, careful};
use crate::fault::Fault;
use crate::ids::{PersonId, TableId};

impl Live {
    /// The match of a game that is over, or why there is nothing to see.
    pub(crate) fn finished(&self) -> Result<&dyn AnyMatch, Fault> {
        let why = "the record holds everybody's secrets: it can be read when the game is over";
        let sitting = self.sitting.as_deref().filter(|_| self.over());
        sitting.ok_or_else(|| Fault::Stage(why.into()))
    }
}

impl Tables {
    /// The record of a game that is over, with its seed.
    pub(crate) async fn finished_record(&self, id: &TableId) -> Result<String, Fault> {
        let table = self.find(id).await?;
        let live = table.live.lock().await;
        let sitting = live.finished()?;
        if live.frozen.is_none() {
            return Ok(sitting.record(true).to_string());
        }
        // What cannot be replayed any more can still be read.
        let entries = self.0.store.table(id.clone()).await?.map_or(Vec::new(), |w| w.entries);
        let head = live.row.head.clone().unwrap_or_default();
        Ok(format!("{}\n\n{}\n", head.trim_end(), entries.join("\n")))
    }

    /// What a person may read of a table's record: all of it when the game is over; of one that has stopped, what
    /// his seat has seen.
    pub async fn record(
        &self,
        id: &TableId,
        person: Option<&PersonId>,
        seat: Option<u8>,
    ) -> Result<String, Fault> {
        {
            let table = self.find(id).await?;
            let live = table.live.lock().await;
            let viewer = live.viewer(person, seat);
            let own = viewer.seat().is_some_and(|s| live.held_by(person).contains(s));
            if live.frozen.is_some() && !live.over() && own {
                return careful(|| seen(&live, viewer)).unwrap_or_else(|panic| {
                    tracing::error!(table = %id, %panic, "what a seat has seen could not be told");
                    Err(Fault::Server(super::RULE_FAILED.into()))
                });
            }
        }
        self.finished_record(id).await
    }

    /// Plays a finished game again from its seed and compares every die.
    pub(crate) async fn verify(&self, id: &TableId) -> Result<usize, Fault> {
        let place = place_to_look_back().await?;
        let text = self.finished_record(id).await?;
        let table = self.find(id).await?;
        let game = table.live.lock().await.game.clone();
        let record = Record::read(id.as_str(), &text).map_err(|e| Fault::Server(e.to_string()))?;
        if record.seed.is_none() {
            return Err(Fault::Stage("the seed is not shown yet".into()));
        }
        looking_back(id, place, move || {
            game.replay(&record, None).map_err(|e| Fault::Stage(e.to_string()))?;
            let chance = |entry: &table::RecordEntry| match &entry.deed {
                table::Deed::Act { chance, .. } | table::Deed::Arrive { chance, .. } => chance.len(),
                table::Deed::TakeBack { .. } => 0,
            };
            Ok(record.setup.len() + record.entries.iter().map(chance).sum::<usize>())
        })
        .await
    }
}

/// What a seat has seen of a game that has stopped: the actions that it may know, and its journal. Entries are
/// not numbered, since their numbers count what it has not seen.
fn seen(live: &Live, viewer: Viewer) -> Result<String, Fault> {
    let Some(sitting) = &live.sitting else {
        return Err(Fault::Stage("nothing of this game can be shown".into()));
    };
    let title = live.title();
    let name = viewer.seat().map_or("an observer", |s| title.seat_name(s));
    let mut text =
        format!("# {}, as {name} has seen it; this is no record that could be replayed\n\n", title.name);
    for (_, seat, notation) in sitting.history(viewer) {
        let _ = writeln!(text, "{}: {notation}", title.seat_name(seat));
    }
    text.push_str("\n# The journal\n");
    for line in sitting.journal(viewer) {
        let _ = writeln!(text, "# {}", line.text);
    }
    Ok(text)
}

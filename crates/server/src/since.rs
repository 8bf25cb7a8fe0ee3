//! What happened since a player last looked: how far each seat has seen its own game.
//!
//! Moments are counted as the seat saw them, so the count tells it nothing else. How far it has seen is kept
//! beside the player's notes, under a name that no person has.

use table::Viewer;

use crate::fault::Fault;
use crate::live::Tables;

/// Where a seat's look is kept, among the notes of a table.
fn place(person: &str, seat: u8) -> String {
    format!("{person}/seen/{seat}")
}

/// What has happened at a table since a seat last looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Since {
    /// How many moments it had seen.
    pub(crate) seen: usize,
    /// How many there are.
    pub(crate) moments: usize,
}

impl Tables {
    /// What has happened since a person last looked from this seat; nothing when he never did, or does not
    /// hold it.
    pub(crate) async fn since(&self, id: &str, person: &str, seat: u8) -> Result<Option<Since>, Fault> {
        let Some(moments) = self.moments(id, person, seat).await? else { return Ok(None) };
        let kept = self.store().notes(id.to_string(), place(person, seat)).await?;
        Ok(kept.parse().ok().map(|seen: usize| Since { seen: seen.min(moments), moments }))
    }

    /// A person has seen everything that there is to see from this seat.
    pub(crate) async fn has_seen(&self, id: &str, person: &str, seat: u8) -> Result<(), Fault> {
        let Some(moments) = self.moments(id, person, seat).await? else { return Ok(()) };
        let place = place(person, seat);
        if self.store().notes(id.to_string(), place.clone()).await? != moments.to_string() {
            self.store().set_notes(id.to_string(), place, moments.to_string()).await?;
        }
        Ok(())
    }

    /// How many moments there are for a seat that this person holds.
    async fn moments(&self, id: &str, person: &str, seat: u8) -> Result<Option<usize>, Fault> {
        let table = self.find(id).await?;
        let live = table.live.lock().await;
        let viewer = live.viewer(Some(person), Some(seat));
        let held = viewer.seat().filter(|s| live.held_by(Some(person)).contains(*s));
        let Some((seat, sitting)) = held.zip(live.sitting.as_ref()) else { return Ok(None) };
        Ok(Some(sitting.history(Viewer::Seat(seat)).len()))
    }
}

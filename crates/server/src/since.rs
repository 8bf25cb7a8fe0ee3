//! What happened since a player last looked: how far each seat has seen its own game.
//!
//! Moments are counted as the seat saw them, so the count tells it nothing else.

use table::{AnyGame, AnyMatch, Notation, ReplayError, Seat, Tone, Viewer};

use crate::fault::Fault;
use crate::ids::{PersonId, TableId};
use crate::live::Tables;

/// What has happened at a table since a seat last looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Since {
    /// How many moments it had seen.
    pub(crate) seen: usize,
    /// How many there are.
    pub(crate) moments: usize,
}

/// So many lines of the journal tell of one entry; a battle may have more.
const LINES: usize = 3;

/// A game as it stood after so many entries of its record.
pub(crate) fn until(
    game: &dyn AnyGame,
    sitting: &dyn AnyMatch,
    entry: u32,
) -> Result<Box<dyn AnyMatch>, ReplayError> {
    let mut record = sitting.record(false);
    record.entries.truncate(entry as usize);
    game.replay(&record, None)
}

/// What one entry of a game's record did, in the words in which its viewer's journal told of it. Where the
/// journal is silent the viewer is told of his own choice what its button said, of another's only that it was
/// made. The match stands just after the entry.
pub(crate) fn told(
    game: &dyn AnyGame,
    after: &dyn AnyMatch,
    viewer: Viewer,
    (entry, seat, notation): (u32, Seat, &Notation),
) -> Result<String, ReplayError> {
    let before = until(game, after, entry - 1)?;
    let lines = after.journal(viewer);
    let old = before.journal(viewer).len();
    let new: Vec<_> = lines.iter().skip(old).filter(|l| l.tone != Tone::Heading).collect();
    if !new.is_empty() {
        let more = if new.len() > LINES { " …" } else { "" };
        let lines: Vec<_> = new.iter().take(LINES).map(|line| line.text.as_str()).collect();
        return Ok(format!("{}{more}", lines.join(" · ")));
    }
    let name = after.title().seat_name(seat);
    let own = if viewer == Viewer::Seat(seat) { before.offered(seat) } else { Vec::new() };
    Ok(match own.into_iter().find(|offer| offer.notation == *notation) {
        Some(offer) => format!("{name}: {}", offer.choice.label),
        None => format!("{name} has decided"),
    })
}

impl Tables {
    /// What has happened since a person last looked from this seat; nothing when he never did, or does not
    /// hold it.
    pub(crate) async fn since(
        &self,
        id: &TableId,
        person: &PersonId,
        seat: u8,
    ) -> Result<Option<Since>, Fault> {
        let Some(moments) = self.moments(id, person, seat).await? else { return Ok(None) };
        let seen = self.store().seen(id.clone(), person.clone(), seat).await?;
        Ok(seen.map(|seen| Since { seen: (seen as usize).min(moments), moments }))
    }

    /// A person has seen everything that there is to see from this seat.
    pub(crate) async fn has_seen(&self, id: &TableId, person: &PersonId, seat: u8) -> Result<(), Fault> {
        let Some(moments) = self.moments(id, person, seat).await? else { return Ok(()) };
        let moments = u32::try_from(moments).unwrap_or(u32::MAX);
        if self.store().seen(id.clone(), person.clone(), seat).await? != Some(moments) {
            self.store().set_seen(id.clone(), person.clone(), seat, moments).await?;
        }
        Ok(())
    }

    /// How many moments there are for a seat that this person holds.
    async fn moments(&self, id: &TableId, person: &PersonId, seat: u8) -> Result<Option<usize>, Fault> {
        let table = self.find(id).await?;
        let live = table.live.lock().await;
        let viewer = live.viewer(Some(person), Some(seat));
        let held = viewer.seat().filter(|s| live.held_by(Some(person)).contains(*s));
        let Some((seat, sitting)) = held.zip(live.sitting.as_ref()) else { return Ok(None) };
        Ok(Some(sitting.moments(Viewer::Seat(seat))))
    }
}

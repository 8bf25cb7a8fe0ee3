//! Looking at a table: now, through the eyes that a person has there, and back at the moments that they saw.

use std::sync::Arc;
use std::time::Duration;

use table::{AnyMatch, JournalPage, SeatSet};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{DOES_NOT_REPLAY, RULE_FAILED, Tables, careful};
use crate::easel::{Easel, Prospect};
use crate::fault::Fault;
use crate::ids::{PersonId, TableId};

/// How many look back at games at once, each of which is played again for it, and how long others wait for that.
static LOOKING_BACK: (Semaphore, Duration) = (Semaphore::const_new(2), Duration::from_secs(10));

/// The actions of a route, each with the things that it is about.
pub(crate) type Way = Vec<(table::Notation, Vec<String>)>;

/// A moment of a game as one viewer lived it.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// How many moments there are.
    pub(crate) moments: usize,
    /// Which one this is; 0 is the start.
    pub(crate) at: usize,
    /// The number of its entry, for the table itself.
    pub(crate) entry: u32,
    /// Who did what to bring it about.
    pub(crate) deed: String,
    /// How many lines the viewer's journal has now that it did not have then.
    pub(crate) later: usize,
    /// The table then.
    pub(crate) scene: table::Scene,
}

impl Tables {
    /// Where picked pieces of a person's own seat could go, and the way to one place.
    pub(crate) async fn reach(
        &self,
        id: &TableId,
        person: &PersonId,
        seat: u8,
        picked: &[&str],
        to: Option<&str>,
    ) -> Result<(Vec<table::Reach>, Way), Fault> {
        let table = self.find(id).await?;
        let live = table.live.lock().await;
        let seat = table::Seat::try_from(seat).ok().filter(|s| live.held_by(Some(person)).contains(*s));
        let seat = seat.ok_or_else(|| Fault::NotYours("this seat is not yours".into()))?;
        let Some(sitting) = live.sitting.as_ref().filter(|_| live.frozen.is_none()) else {
            return Err(Fault::Stage("the game does not go on".into()));
        };
        let both = || {
            let route = to.map_or_else(Vec::new, |to| sitting.way(seat, picked, to));
            (sitting.reach(seat, picked), route)
        };
        careful(both).map_err(|panic| {
            tracing::error!(table = %id, %panic, "a reach could not be found");
            Fault::Server(RULE_FAILED.into())
        })
    }

    /// The page of the journal that ends before a group, as a person may read it.
    pub(crate) async fn journal_page(
        &self,
        id: &TableId,
        person: Option<&PersonId>,
        seat: Option<u8>,
        below: Option<usize>,
    ) -> Result<JournalPage, Fault> {
        let table = self.find(id).await?;
        let live = table.live.lock().await;
        let viewer = live.viewer(person, seat);
        Ok(live.sitting.as_ref().map_or_else(JournalPage::default, |s| s.journal_page(viewer, below)))
    }

    /// What a person is shown of a table now: made now, or for somebody with the same eyes before.
    pub(crate) async fn look(
        &self,
        id: &TableId,
        person: Option<&PersonId>,
        seat: Option<u8>,
    ) -> Result<Arc<Prospect>, Fault> {
        let table = self.find(id).await?;
        let live = table.live.lock().await;
        let eyes = live.eyes(person, seat, self.now());
        let revision = table.bells.revision(eyes.seats());
        let kept = table.prospects.get(eyes);
        let prospect = match kept {
            Some(kept) if kept.revision == revision => return Ok(kept),
            // People came or went, and nothing else.
            Some(kept) if kept.revision.0 == revision.0 => {
                let mut sight = kept.sight.clone();
                sight.meet(&table, &live);
                kept.with_people(revision.1, sight)
            }
            _ => {
                let see = || crate::sight::Sight::of(&table, &live, eyes);
                let sight = careful(see).map_err(|panic| {
                    tracing::error!(table = %id, %panic, "a scene could not be made");
                    // What a rule says when it fails may hold secrets.
                    Fault::Server(RULE_FAILED.into())
                })?;
                self.0.metrics.looks.add(1);
                Prospect::new(eyes, revision, sight)
            }
        };
        let prospect = Arc::new(prospect);
        table.prospects.put(&prospect);
        Ok(prospect)
    }

    /// The seats whose secrets a person sees who looks at a table like this.
    pub(crate) async fn seats_seen(
        &self,
        id: &TableId,
        person: Option<&PersonId>,
        seat: Option<u8>,
    ) -> Result<SeatSet, Fault> {
        Ok(self.find(id).await?.live.lock().await.eyes(person, seat, self.now()).seats())
    }

    /// Where pictures are drawn.
    pub(crate) fn easel(&self) -> &Arc<Easel> {
        &self.0.easel
    }

    /// A moment that has passed, as a viewer saw it: counted by what he has seen, so that the count tells
    /// him nothing else. Without a number, the last.
    pub(crate) async fn moment(
        &self,
        id: &TableId,
        person: Option<&PersonId>,
        seat: Option<u8>,
        at: Option<usize>,
    ) -> Result<Moment, Fault> {
        let table = self.find(id).await?;
        let place = place_to_look_back().await?;
        // The table goes on while somebody looks back at it.
        let (viewer, sitting, game) = {
            let live = table.live.lock().await;
            let Some(sitting) = &live.sitting else {
                return Err(Fault::Stage("the game has not begun".into()));
            };
            (live.viewer(person, seat), sitting.boxed_clone(), live.game.clone())
        };
        let past = move || {
            let seen = sitting.history(viewer);
            let at = at.unwrap_or(seen.len()).min(seen.len());
            let wrong = |_| Fault::Server(DOES_NOT_REPLAY.into());
            let last = at.checked_sub(1).and_then(|i| seen.get(i));
            let entry = last.map_or(0, |(entry, ..)| *entry);
            let then = crate::since::until(&*game, &*sitting, entry).map_err(wrong)?;
            let deed = match last {
                Some((_, seat, notation)) => {
                    crate::since::told(&*game, &*then, viewer, (entry, *seat, notation)).map_err(wrong)?
                }
                None => "The start".to_string(),
            };
            let (scene, later) = if at == seen.len() {
                (sitting.scene(viewer), 0)
            } else {
                let lines = |of: &dyn AnyMatch| of.journal(viewer).len();
                (then.scene(viewer), lines(&*sitting).saturating_sub(lines(&*then)))
            };
            Ok(Moment { moments: seen.len(), at, entry, deed, later, scene })
        };
        looking_back(id, place, past).await
    }
}

/// Waits until somebody else who looks back is done.
pub(super) async fn place_to_look_back() -> Result<SemaphorePermit<'static>, Fault> {
    let places = tokio::time::timeout(LOOKING_BACK.1, LOOKING_BACK.0.acquire()).await;
    places.map_err(|_| Fault::TooMany)?.map_err(|e| Fault::Server(e.to_string()))
}

/// Plays a record again, which may take a while: off the workers that answer others.
pub(super) async fn looking_back<T: Send + 'static>(
    id: &TableId,
    place: SemaphorePermit<'static>,
    look: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let looked = tokio::task::spawn_blocking(move || {
        let looked = careful(look);
        drop(place);
        looked
    });
    looked.await.map_err(|e| Fault::Server(e.to_string()))?.unwrap_or_else(|panic| {
        tracing::error!(table = %id, %panic, "a game could not be looked back at");
        Err(Fault::Server(RULE_FAILED.into()))
    })
}

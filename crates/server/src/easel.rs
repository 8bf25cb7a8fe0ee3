//! Drawing once: what several people see alike is made once and shared, off the async workers, bounded.
//!
//! A **prospect** is what a pair of eyes sees of a table at a moment: its [`Sight`], and drawn from it, by day
//! or by night, the fragments and boards of its page. It is kept until the bells of those eyes ring. What a
//! page lacks is found by comparing two drawings, which two hundred onlookers have in common as well.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::ws::Message;
use picture::Press;
use table::{SeatSet, Viewer};
use tokio::sync::{OnceCell, Semaphore};

use crate::fault::Fault;
use crate::page::Theme;
use crate::page::table::{Drawn, Fragment, draw, people_again};
use crate::sight::Sight;

/// Through whose eyes a table is seen, and what else makes a difference to a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Eyes {
    /// Whose view it is.
    pub(crate) viewer: Viewer,
    /// The seats of the person who looks.
    pub(crate) own: SeatSet,
    /// Whether he opened the table.
    pub(crate) host: bool,
    /// Whether nobody but he and bots sit there.
    pub(crate) alone: bool,
    /// Whether time has run out for all whom he knows to be awaited.
    pub(crate) out_of_time: bool,
}

impl Eyes {
    /// The seats whose secrets these eyes see.
    pub(crate) fn seats(&self) -> SeatSet {
        self.viewer.seat().map_or(self.own, |seat| self.own.with(seat))
    }
}

/// What a pair of eyes sees at a moment.
pub(crate) struct Prospect {
    /// Through whose eyes.
    pub(crate) eyes: Eyes,
    /// How often the bells had rung: for these eyes, and for people who came or went.
    pub(crate) revision: (u64, u64),
    /// What is seen.
    pub(crate) sight: Sight,
    /// Drawn by day and by night.
    drawn: [OnceCell<Arc<Drawing>>; 2],
}

impl Prospect {
    pub(crate) fn new(eyes: Eyes, revision: (u64, u64), sight: Sight) -> Self {
        Self { eyes, revision, sight, drawn: Default::default() }
    }

    /// The same after people came or went: only their list is drawn anew.
    pub(crate) fn with_people(&self, presence: u64, sight: Sight) -> Self {
        let drawn = [Theme::Light, Theme::Dark].map(|theme| {
            let old = self.drawn[theme as usize].get();
            OnceCell::new_with(old.map(|old| {
                let fragments = people_again(&old.fragments, &sight);
                Arc::new(Drawing::new(fragments, old.boards.clone()))
            }))
        });
        Self { eyes: self.eyes, revision: (self.revision.0, presence), sight, drawn }
    }
}

/// The prospects of one table that are worth keeping.
#[derive(Default)]
pub(crate) struct Prospects(Mutex<Vec<Arc<Prospect>>>);

/// So many pairs of eyes are kept at a table: every seat's, the host's and onlookers'.
const MOST_EYES: usize = 24;

impl Prospects {
    pub(crate) fn get(&self, eyes: Eyes) -> Option<Arc<Prospect>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|p| p.eyes == eyes).cloned()
    }

    pub(crate) fn put(&self, prospect: &Arc<Prospect>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|p| p.eyes != prospect.eyes);
        if kept.len() >= MOST_EYES {
            kept.remove(0);
        }
        kept.push(prospect.clone());
    }

    pub(crate) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// A page, drawn: its fragments and its boards.
pub(crate) struct Drawing {
    number: u64,
    pub(crate) fragments: Vec<Arc<Fragment>>,
    pub(crate) boards: Arc<Vec<Drawn>>,
    /// What a page lacks that has another drawing, packed or not, once somebody has asked.
    lacks: Mutex<Vec<(u64, bool, Option<Message>)>>,
}

/// So many comparisons of one drawing with others are kept.
const MOST_COMPARED: usize = 16;

impl Drawing {
    pub(crate) fn new(fragments: Vec<Arc<Fragment>>, boards: Arc<Vec<Drawn>>) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Self { number, fragments, boards, lacks: Mutex::default() }
    }

    /// What a page with another drawing lacks of this one: made by `compare` once for all that have the two.
    pub(crate) fn lacking(
        &self,
        had: &Self,
        packed: bool,
        compare: impl FnOnce() -> Option<Message>,
    ) -> Option<Message> {
        if had.number == self.number {
            return None;
        }
        let mut lacks = self.lacks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, _, known)) = lacks.iter().find(|(n, p, _)| (*n, *p) == (had.number, packed)) {
            return known.clone();
        }
        let message = compare();
        if lacks.len() >= MOST_COMPARED {
            lacks.remove(0);
        }
        lacks.push((had.number, packed, message.clone()));
        message
    }
}

/// Where pictures are drawn: by a few threads that answer no requests.
pub(crate) struct Easel {
    places: Semaphore,
    press: Press,
}

impl Default for Easel {
    /// As many places as there are processors, but one, which is kept for answering.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { places: Semaphore::new((processors - 1).max(1)), press: Press::default() }
    }
}

impl Easel {
    /// Draws something, when there is a place.
    pub(crate) async fn draw<T: Send + 'static>(
        self: &Arc<Self>,
        what: impl FnOnce(&Press) -> T + Send + 'static,
    ) -> Result<T, Fault> {
        let _place = self.places.acquire().await.map_err(|e| Fault::Server(e.to_string()))?;
        let easel = self.clone();
        let drawn = tokio::task::spawn_blocking(move || what(&easel.press)).await;
        drawn.map_err(|broken| Fault::Server(broken.to_string()))
    }

    /// The page of a prospect: drawn now, or by somebody before.
    pub(crate) async fn page(
        self: &Arc<Self>,
        prospect: &Arc<Prospect>,
        theme: Theme,
    ) -> Result<Arc<Drawing>, Fault> {
        let cell = &prospect.drawn[theme as usize];
        let drawing = cell.get_or_try_init(|| {
            let prospect = prospect.clone();
            self.draw(move |press| {
                let (fragments, boards) = draw(&prospect.sight, theme, press);
                Arc::new(Drawing::new(fragments.into_iter().map(Arc::new).collect(), Arc::new(boards)))
            })
        });
        drawing.await.cloned()
    }
}

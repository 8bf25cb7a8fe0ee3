//! Who is woken when something happens at a table: those for whom it may have changed, and nobody else.
//!
//! There is a bell for what everybody may know, one for each seat, and one for who looks on. After every
//! change the table compares what it is now with what it was when the bells last rang: a click in a draft, an
//! order, a word to an ally ring the bells of the seats they concern. So nobody can time another's clicks, and
//! a table with many onlookers costs them nothing while its players think.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::select_all;
use table::{MOST_SEATS, Seat, SeatSet, TakeBackRequest};
use tokio::sync::watch;

use crate::clock::Shown;
use crate::live::Live;
use crate::store::{DraftRow, SeatRow, TableStage};

/// People who come and go are told of together, after this time: else those who come at once would wake each
/// other as often as the square of their number.
const COMING_AND_GOING: Duration = Duration::from_millis(400);

/// What everybody may know of a table, as far as it can change.
#[derive(Clone, PartialEq, Debug, Default)]
struct Public {
    begun: bool,
    last_entry: u32,
    deciding: SeatSet,
    chosen: SeatSet,
    asked: Option<TakeBackRequest>,
    stage: Option<TableStage>,
    frozen: Option<String>,
    seats: Vec<SeatRow>,
    clocks: Vec<Shown>,
    events: usize,
    said: usize,
}

/// What a seat knows besides.
#[derive(Clone, PartialEq, Debug, Default)]
struct Private {
    draft: DraftRow,
    number: u64,
    awaited: bool,
    heard: usize,
}

#[derive(Default)]
struct Told {
    public: Public,
    seats: [Private; MOST_SEATS],
}

impl Told {
    fn of(live: &Live) -> Self {
        let sitting = live.sitting.as_deref();
        let heard =
            |may: &dyn Fn(Option<SeatSet>) -> bool| live.chat.iter().filter(|r| may(r.readers)).count();
        let private = |i: usize| {
            let seat = Seat::new(i as u8);
            Private {
                draft: live.draft_of(seat),
                number: live.number(seat),
                awaited: live.waiting().contains(seat),
                heard: heard(&|readers| readers.is_some_and(|r| r.contains(seat))),
            }
        };
        Self {
            public: Public {
                begun: sitting.is_some(),
                last_entry: sitting.map_or(0, |s| s.last_entry()),
                deciding: live.deciding(),
                chosen: live.chosen(),
                asked: sitting.and_then(|s| s.take_back_asked()),
                stage: Some(live.row.stage),
                frozen: live.frozen.clone(),
                seats: live.seats.clone(),
                clocks: live.shown_clocks(SeatSet::NONE),
                events: live.events.len(),
                said: heard(&|readers| readers.is_none()),
            },
            seats: std::array::from_fn(
                |i| if i < live.seats.len() { private(i) } else { Private::default() },
            ),
        }
    }
}

/// The bells of a table.
pub(crate) struct Bells {
    public: watch::Sender<u64>,
    seats: [watch::Sender<u64>; MOST_SEATS],
    presence: watch::Sender<u64>,
    told: Mutex<Told>,
    /// Whether somebody came or went of whom nobody has been told yet.
    to_tell: Mutex<bool>,
}

impl Bells {
    pub(crate) fn new(live: &Live) -> Self {
        Self {
            public: watch::Sender::new(0),
            seats: std::array::from_fn(|_| watch::Sender::new(0)),
            presence: watch::Sender::new(0),
            told: Mutex::new(Told::of(live)),
            to_tell: Mutex::new(false),
        }
    }

    /// Rings for those who may see something new.
    pub(crate) fn ring(&self, live: &Live) {
        let now = Told::of(live);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        for (i, bell) in self.seats.iter().enumerate() {
            if told.seats[i] != now.seats[i] {
                bell.send_modify(|n| *n += 1);
            }
        }
        if told.public != now.public {
            self.ring_for_all();
        }
        *told = now;
    }

    /// Rings for everybody: something changed that only time could change.
    pub(crate) fn ring_for_all(&self) {
        self.public.send_modify(|n| *n += 1);
    }

    /// Somebody came or went. All are told a little later, of all who did.
    pub(crate) fn somebody_came_or_went(self: &Arc<Self>) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let mut to_tell = self.to_tell.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut *to_tell, true) {
            let bells = self.clone();
            runtime.spawn(async move {
                tokio::time::sleep(COMING_AND_GOING).await;
                *bells.to_tell.lock().unwrap_or_else(PoisonError::into_inner) = false;
                bells.presence.send_modify(|n| *n += 1);
            });
        }
    }

    /// Listens to what these seats may know. What happens from now on is heard.
    pub(crate) fn listen(&self, seats: SeatSet) -> Listening {
        let own = seats.iter().map(|s| &self.seats[s.index()]);
        let bells = [&self.public, &self.presence].into_iter().chain(own);
        Listening(bells.map(watch::Sender::subscribe).collect())
    }

    /// How often the bells of these seats have rung, and how often people came or went.
    pub(crate) fn revision(&self, seats: SeatSet) -> (u64, u64) {
        let rung = seats.iter().map(|s| *self.seats[s.index()].borrow()).sum::<u64>();
        (*self.public.borrow() + rung, *self.presence.borrow())
    }

    /// Whether anybody listens.
    pub(crate) fn anybody(&self) -> bool {
        self.public.receiver_count() > 0
    }
}

/// Somebody who waits for news of a table.
pub struct Listening(Vec<watch::Receiver<u64>>);

impl Listening {
    /// Waits until there may be something new.
    pub async fn changed(&mut self) -> Option<()> {
        let bells = self.0.iter_mut().map(|bell| Box::pin(bell.changed()));
        select_all(bells).await.0.ok()
    }

    /// Whether there may be something new already.
    pub fn has_changed(&self) -> bool {
        self.0.iter().any(|bell| bell.has_changed().unwrap_or(true))
    }
}

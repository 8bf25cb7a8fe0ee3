//! Bots at work: they think beside the table, a few at a time, on a copy of the match, and act as any seat does.

use std::sync::atomic::Ordering;

use table::{Lots, Seat, TableError};

use super::{Ask, Live, Tables, careful};
use crate::bots;
use crate::fault::Fault;
use crate::ids::TableId;
use crate::secret;
use crate::store::{Kind, Listing, SeatRow};

impl Tables {
    /// Lets bots act that the table waits for.
    pub(super) fn wake_bots(&self, live: &Live) {
        if live.waiting().iter().any(|s| live.bot_at(s).is_some()) {
            let (tables, id) = (self.clone(), live.row.id.clone());
            let pause = live.row.allowance.tempo.pause(self.0.conduct.bot_pause);
            tokio::spawn(async move {
                tokio::time::sleep(pause).await;
                tables.run_bots(&id).await;
            });
        }
    }

    async fn run_bots(&self, id: &TableId) {
        let Ok(table) = self.find(id).await else { return };
        match self.0.store.plays_bots(id.clone()).await {
            Ok(true) => {}
            Ok(false) => return tracing::debug!(table = %id, "another server plays the bots"),
            Err(error) => return tracing::error!(table = %id, %error, "a bot waits for the database"),
        }
        // One at a time, and one who waits: he looks at the table as it is when his turn comes.
        if table.bots_called.swap(true, Ordering::SeqCst) {
            return;
        }
        let _turn = table.bots.lock().await;
        table.bots_called.store(false, Ordering::SeqCst);
        let next = |live: &Live| live.waiting().iter().find_map(|seat| Some((seat, live.bot_at(seat)?)));
        let Some((_, first)) = next(&*table.live.lock().await) else { return };
        let Ok(place) = self.0.places[usize::from(first.strong)].acquire().await else { return };
        // The copy is made under the lock; the choice is not.
        let (seat, level, number, copy) = {
            let live = table.live.lock().await;
            let (Some((seat, level)), Some(sitting)) = (next(&live), &live.sitting) else { return };
            if level.strong != first.strong {
                // Another has come in his place, and thinks elsewhere.
                return self.wake_bots(&live);
            }
            (seat, level, live.number(seat), sitting.boxed_clone())
        };
        let chosen = tokio::task::spawn_blocking(move || {
            let mut copy = copy;
            let mut lots = Lots::new(secret::number());
            careful(|| bots::choose(level, &mut *copy, seat, &mut lots))
        });
        // The table goes on while a bot thinks: the lock is taken when he is done.
        self.0.metrics.thinking.add(1);
        let chosen = chosen.await;
        self.0.metrics.thinking.sub(1);
        drop(place);
        let mut live = table.live.lock().await;
        match chosen {
            // Its player came back meanwhile.
            Ok(Ok(Ok(_))) if live.bot_at(seat) != Some(level) => {}
            Ok(Ok(Ok(notation))) => {
                let ask = Ask::Act { actions: vec![notation.to_string()], number: Some(number) };
                match self.ask_as(&table, &mut live, seat, &ask, None).await {
                    // A stale choice is made again; what else goes wrong would go wrong for ever.
                    Err(Fault::Table(TableError::Stale { .. }) | Fault::Raced) => {
                        self.wake_bots(&live);
                    }
                    Err(fault) => tracing::error!(table = %id, %fault, "a bot's choice was not carried out"),
                    Ok(_) => {}
                }
            }
            Ok(Ok(Err(error))) => tracing::debug!(table = %id, %error, "a bot had nothing to choose"),
            Ok(Err(panic)) => {
                if let Err(fault) = self.freeze(&table, &mut live, panic).await {
                    tracing::error!(table = %id, %fault, "a table could not be frozen");
                }
            }
            Err(error) => tracing::error!(table = %id, %error, "a bot was lost"),
        }
    }

    /// Looks for tables whose bots nobody plays, because the server that did has stopped.
    pub async fn wake_orphans(&self) {
        let Ok(running) = self.0.store.list(Listing::Unfinished, 100_000).await else { return };
        for (row, seats) in running {
            let bot = |(i, s): (usize, &SeatRow)| {
                row.waiting.contains(Seat::new(i as u8)) && (s.kind == Kind::Bot || s.stand_in.is_some())
            };
            if seats.iter().enumerate().any(bot)
                && let Ok(table) = self.find(&row.id).await
            {
                let mut live = table.live.lock().await;
                if self.catch_up(&table, &mut live).await.is_ok() {
                    self.wake_bots(&live);
                }
            }
        }
    }
}

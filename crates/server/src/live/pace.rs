//! The even pace of a table: windows are opened so long after they were asked, whoever has answered and how soon;
//! and a wish to take back is granted when nobody has said no within the time that the table states.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::{Live, Table, Tables, careful};
use crate::fault::Fault;
use crate::ids::TableId;
use crate::store::{Kind, SeatRow};

/// What a table waits for by the clock on the wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// Windows that were asked after this entry.
    Windows(u32),
    /// A wish to take back: by whom, and to which entry.
    TakeBack(u8, u32),
}

/// Whether one person sits at all seats: then nobody could learn anything from how long an answer takes.
pub(super) fn on_one_screen(seats: &[SeatRow]) -> bool {
    let played = || seats.iter().filter(|row| row.kind != Kind::Nobody);
    let people: BTreeSet<_> = played().map(|row| row.person.as_ref()).collect();
    people.len() <= 1 && played().all(|row| row.kind == Kind::Person)
}

impl Live {
    /// What the table waits for by the clock, with how long.
    fn due_by_the_clock(&self, pace: Duration, patience: Duration) -> Vec<(Due, Duration)> {
        let Some(sitting) = self.going_on() else { return Vec::new() };
        let windows = (!sitting.windows().is_empty()).then(|| (Due::Windows(sitting.last_entry()), pace));
        let asked = sitting.take_back_asked().map(|a| (Due::TakeBack(a.by.into(), a.to), patience));
        windows.into_iter().chain(asked).collect()
    }
}

impl Tables {
    /// Winds the clock for what has begun to wait, and forgets what no longer does.
    pub(super) fn mind_pace(&self, live: &mut Live) {
        let due = live.due_by_the_clock(self.0.conduct.window_pace, self.0.conduct.take_back_patience);
        for (what, time) in &due {
            if !live.wound.contains(what) {
                let (tables, id, what, time) = (self.clone(), live.row.id.clone(), *what, *time);
                tokio::spawn(async move {
                    tokio::time::sleep(time).await;
                    if let Err(fault) = tables.time_has_come(&id, what).await {
                        tracing::warn!(table = %id, %fault, "what was due could not be done");
                    }
                });
            }
        }
        live.wound = due.into_iter().map(|(what, _)| what).collect();
    }

    /// Does what is due, if the table still waits for it.
    async fn time_has_come(&self, id: &TableId, what: Due) -> Result<(), Fault> {
        let Some(table) = self.in_memory_as(id) else { return Ok(()) };
        let mut live = table.live.lock().await;
        self.catch_up(&table, &mut live).await?;
        if !live.due_by_the_clock(Duration::ZERO, Duration::ZERO).iter().any(|(due, _)| *due == what) {
            return Ok(());
        }
        self.do_what_is_due(&table, &mut live, what).await
    }

    async fn do_what_is_due(&self, table: &Arc<Table>, live: &mut Live, what: Due) -> Result<(), Fault> {
        let held = live.deciding().minus(live.waiting());
        let Some(sitting) = live.sitting.as_mut() else { return Ok(()) };
        let done = careful(|| match what {
            Due::Windows(_) => sitting.ripen(),
            Due::TakeBack(..) => sitting.lapse_take_back(),
        });
        if let Err(panic) = done {
            tracing::error!(table = %live.row.id, %panic, "a rule failed: the table is frozen");
            return self.freeze(table, live, panic).await;
        }
        let opened = live.opened(held);
        live.advance_clocks(self.now(), opened);
        let addition = live.addition();
        match self.keep(table, live, addition).await {
            // Another server was first.
            Err(Fault::Raced) => return Ok(()),
            kept => kept?,
        }
        table.publish(live);
        self.wake_bots(live);
        Ok(())
    }
}

//! Bots that sit in for somebody: by his own wish at once; else by the clocks' rule, if the table has clocks, or
//! after it was announced to him and to the table and the time has passed that the table states.
//!
//! Whoever comes back has his seat back by acting or by saying so. What the bot did he may take back without
//! asking anybody while it has taught nobody anything: nothing was rolled, drawn or shown since, and no other
//! seat has decided since.

use std::sync::Arc;

use table::{Deed, Seat};

use super::hourglass::Remedied;
use super::{Event, Live, Table, Tables, careful};
use crate::bots;
use crate::fault::Fault;
use crate::ids::{PersonId, TableId};
use crate::store::{Kind, Listing, PersonRow, SeatRow, TableStage};
use crate::tidings::News;

/// How long somebody may be away at a table without clocks, if nobody says otherwise: a day, in seconds.
pub(crate) const USUAL_ABSENCE: u32 = 86_400;

/// An absence that a table may state: an hour at least, thirty days at most.
pub(crate) fn checked_absence(seconds: Option<u32>) -> Result<u32, Fault> {
    let seconds = seconds.unwrap_or(USUAL_ABSENCE);
    if (3600..=30 * 86_400).contains(&seconds) {
        return Ok(seconds);
    }
    let why = "a bot may sit in for somebody who was away for between 3600 seconds, an hour, and 30 days";
    Err(Fault::Wrong(format!("{why}, not {seconds} seconds")))
}

impl Live {
    /// From when on a bot may sit in for somebody who is away, if that was announced.
    pub(crate) fn due(&self, seat: Seat) -> Option<i64> {
        let called = self.seats.get(seat.index())?.called_at?;
        Some(called + i64::from(self.row.absence) * 1000)
    }

    /// The entry to which a seat may take back, by itself, what a bot did in its place.
    pub(crate) fn bot_undo(&self, seat: Seat) -> Option<u32> {
        let row = self.seats.get(seat.index())?;
        let (since, sitting) = (row.bot_since?, self.sitting.as_ref()?);
        if self.frozen.is_some() || self.over() {
            return None;
        }
        let own = self.title().seat_name(seat);
        let done = sitting.entries_since(since);
        let alone = done.iter().all(|entry| match &entry.deed {
            Deed::Act { seat, .. } => seat == own,
            Deed::Arrive { .. } | Deed::TakeBack { .. } => false,
        });
        (alone && !done.is_empty() && !sitting.taught_since(since)).then_some(since)
    }
}

impl Tables {
    /// A bot sits in: for oneself at once; for another who is away it is announced first.
    pub(super) async fn sit_in(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        person: &PersonRow,
        seat: Seat,
        level: &str,
    ) -> Result<Remedied, Fault> {
        let row = live.seats[seat.index()].clone();
        let own = live.held_by(Some(&person.id));
        let by = own.lowest().map(u8::from);
        if row.kind != Kind::Person {
            return Err(Fault::Stage("nobody plays this seat whose place a bot could keep".into()));
        }
        if own.contains(seat) || row.stand_in.is_some() {
            if !own.contains(seat) && row.stand_in.as_deref() != Some(level) {
                return Err(Fault::NotYours(
                    "a bot sits in already, and only its player sends it away".into(),
                ));
            }
            return self.put_in(table, live, person, seat, by, level).await.map(|()| Remedied::Done);
        }
        if own.is_empty() && live.row.host.as_ref() != Some(&person.id) {
            return Err(Fault::NotYours("only who plays at this table can ask for a bot".into()));
        }
        if live.clocks.is_some() {
            let why = "this table has clocks: a bot takes over when time has run out, and not before";
            return Err(Fault::NotYours(why.into()));
        }
        // The table does not throw anybody out who is there, or who need not do anything.
        let holder = row.person.as_ref();
        if holder.is_some_and(|h| table.is_present(h)) || !live.seen_waiting(own).contains(seat) {
            let why = "a bot can sit in only for somebody who is away and must decide";
            return Err(Fault::NotYours(why.into()));
        }
        let now = self.now();
        match live.due(seat) {
            Some(due) if due <= now => {
                self.put_in(table, live, person, seat, by, level).await.map(|()| Remedied::Done)
            }
            Some(due) => Ok(Remedied::Announced(due)),
            None => {
                let seconds = live.row.absence;
                let event = Event::Called { seat: seat.into(), by, seconds };
                let row = SeatRow { called_at: Some(now), ..row };
                self.change_seat(table, live, seat, row, event).await?;
                self.0.desk.tell(live, seat, News::Away(seconds));
                Ok(Remedied::Announced(now + i64::from(seconds) * 1000))
            }
        }
    }

    /// Puts a bot on a seat, until its player is back.
    pub(super) async fn put_in(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        person: &PersonRow,
        seat: Seat,
        by: Option<u8>,
        level: &str,
    ) -> Result<(), Fault> {
        let level =
            bots::level(level).ok_or_else(|| Fault::Wrong(format!("there is no bot of level `{level}`")))?;
        let row = live.seats[seat.index()].clone();
        if row.kind != Kind::Person {
            return Err(Fault::Stage("nobody plays this seat whose place a bot could keep".into()));
        }
        if row.stand_in.as_deref() == Some(level.id) {
            return Ok(());
        }
        if level.strong {
            self.room_for_strong(&person.id, Some(&live.row.id)).await?;
        }
        let own = row.person.as_ref() == Some(&person.id);
        let last = live.sitting.as_ref().map_or(0, |s| s.last_entry());
        let event = Event::SatIn { seat: seat.into(), by, level: level.id.into() };
        let row = SeatRow {
            stand_in: Some(level.id.into()),
            bot_since: Some(row.bot_since.unwrap_or(last)),
            called_at: None,
            ..row
        };
        self.change_seat(table, live, seat, row, event).await?;
        if !own {
            self.0.desk.tell(live, seat, News::Bot);
        }
        Ok(())
    }

    /// A player takes his seat back from the bot that kept it, or says that he is there.
    pub(super) async fn come_back(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        seat: Seat,
    ) -> Result<(), Fault> {
        let row = live.seats[seat.index()].clone();
        if row.stand_in.is_none() && row.called_at.is_none() {
            return Ok(());
        }
        let row = SeatRow { stand_in: None, called_at: None, ..row };
        self.change_seat(table, live, seat, row, Event::CameBack { seat: seat.into() }).await
    }

    /// A player has opened the table: what was announced about his absence holds no more.
    pub(crate) async fn seen_again(&self, id: &TableId, person: &PersonId) -> Result<(), Fault> {
        let table = self.find(id).await?;
        let mut live = table.live.lock().await;
        let called = |live: &Live| {
            let own = live.held_by(Some(person));
            own.iter().find(|s| live.seats[s.index()].called_at.is_some())
        };
        for _ in 0..super::ATTEMPTS {
            let Some(seat) = called(&live) else { return Ok(()) };
            let row = SeatRow { called_at: None, ..live.seats[seat.index()].clone() };
            let event = Event::CameBack { seat: seat.into() };
            match self.change_seat(&table, &mut live, seat, row, event).await {
                Err(Fault::Raced) => {}
                done => done?,
            }
        }
        Ok(())
    }

    /// A player takes back what the bot did in his place.
    pub(super) async fn take_back_bot(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        seat: Seat,
    ) -> Result<(), Fault> {
        self.come_back(table, live, seat).await?;
        let to = live.bot_undo(seat).ok_or_else(|| {
            let why = "what the bot did cannot be taken back by yourself: something was rolled, drawn or shown \
                       since, or another has decided; ask the others";
            Fault::Stage(why.into())
        })?;
        let others = live.party().without(seat);
        let Some(sitting) = live.sitting.as_mut() else {
            return Err(Fault::Stage("the game has not begun".into()));
        };
        let taken = careful(|| {
            sitting.ask_take_back(seat, to)?;
            for other in others.iter() {
                if sitting.take_back_asked().is_some() {
                    sitting.answer_take_back(other, true)?;
                }
            }
            Ok::<_, table::TableError>(())
        });
        match taken {
            Ok(done) => done?,
            Err(panic) => {
                self.freeze(table, live, panic).await?;
                return Err(Fault::Frozen(super::RULE_FAILED.into()));
            }
        }
        let row = SeatRow { bot_since: None, ..live.seats[seat.index()].clone() };
        self.change_seat(table, live, seat, row, Event::TookBotBack { seat: seat.into() }).await
    }

    /// Whether a person may have one more table with bots that think hard.
    pub(super) async fn room_for_strong(
        &self,
        person: &PersonId,
        but: Option<&TableId>,
    ) -> Result<(), Fault> {
        let strong = |row: &SeatRow| {
            let level = row.stand_in.as_deref().or((row.kind == Kind::Bot).then_some(row.name.as_str()));
            level.and_then(bots::level).is_some_and(|l| l.strong)
        };
        let most = self.0.conduct.strong_tables;
        let found = self.0.store.list(Listing::Going(person.clone()), 1000).await?;
        let running = found.iter().filter(|(row, seats)| {
            matches!(row.stage, TableStage::Gathering | TableStage::Running)
                && but != Some(&row.id)
                && seats.iter().any(strong)
        });
        if running.count() < most {
            return Ok(());
        }
        let why =
            format!("you have {most} tables with bots that think hard: finish one, or choose a lighter bot");
        Err(Fault::Stage(why))
    }
}

//! Opening a table: who shall sit where, the numbers that seats add to the dice, the beginning of the game; and a
//! table of analysis that goes on from a moment of a finished one.

use std::sync::Arc;

use table::{Nonces, Seat, SeatSet, Seed, Wishes};

use super::pace::on_one_screen;
use super::{ATTEMPTS, Live, Table, Tables, USUAL_ABSENCE, careful, seats_of, stand_in};
use crate::bots;
use crate::clock::{Clocks, Pace};
use crate::fault::Fault;
use crate::ids::TableId;
use crate::secret;
use crate::store::{Allowance, Kind, PersonRow, SeatRow, TableRow, TableStage};

/// A wish for a new table.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The game's id.
    pub game: String,
    /// Scenario, seats, options.
    pub wishes: Wishes,
    /// Seat by seat: who shall sit there.
    pub seats: Vec<Sitter>,
    /// Whether the lobby lists it.
    pub listed: bool,
    /// The pace of its clocks, if it shall have any.
    pub pace: Option<Pace>,
    /// What it allows beside the rules.
    pub allowance: Allowance,
    /// How long somebody must have been away before a bot may sit in for him, in seconds, at a table without
    /// clocks; a day, if it is not said.
    pub absence: Option<u32>,
}

/// Who shall sit on a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sitter {
    /// Who opens the table.
    Me,
    /// Anybody.
    Open,
    /// Whoever has the link.
    Invited,
    /// A bot of this level.
    Bot(String),
    /// Nobody plays it.
    Nobody,
}

impl Tables {
    /// Opens a table.
    pub async fn open(&self, host: &PersonRow, opening: Opening) -> Result<TableId, Fault> {
        let game = self.game(&opening.game)?;
        let wishes = Wishes { seats: Some(seats_of(game.title(), &opening.seats)?), ..opening.wishes };
        let setup = game.title().set_up(&wishes).map_err(|e| Fault::Wrong(e.to_string()))?;
        let absence = stand_in::checked_absence(opening.absence)?;
        let strong = |s: &Sitter| matches!(s, Sitter::Bot(l) if bots::level(l).is_some_and(|l| l.strong));
        if opening.seats.iter().any(strong) {
            self.room_for_strong(&host.id, None).await?;
        }
        let mut seats = Vec::new();
        // Rows of seats that nobody plays are kept where a later one is played, or where somebody may come.
        let last = opening.seats.iter().rposition(|s| *s != Sitter::Nobody).map_or(0, |i| i + 1);
        let rows = if game.lets_join() { game.title().seats.len() } else { last };
        for sitter in opening.seats.iter().chain(std::iter::repeat(&Sitter::Nobody)).take(rows) {
            let empty = SeatRow::vacant(Kind::Open);
            seats.push(match sitter {
                Sitter::Me => SeatRow {
                    kind: Kind::Person,
                    person: Some(host.id.clone()),
                    name: host.name.clone(),
                    ..empty
                },
                Sitter::Open => empty,
                Sitter::Invited => SeatRow { kind: Kind::Invited, ..empty },
                Sitter::Nobody => SeatRow { kind: Kind::Nobody, ..empty },
                Sitter::Bot(level) => {
                    let level = bots::level(level)
                        .ok_or_else(|| Fault::Wrong(format!("there is no bot of level `{level}`")))?;
                    SeatRow { kind: Kind::Bot, name: level.id.into(), ..empty }
                }
            });
        }
        let now = secret::now();
        let pace = opening.pace.map(Pace::checked).transpose().map_err(Fault::Wrong)?;
        let row = TableRow {
            id: TableId::fresh(),
            game: opening.game,
            scenario: setup.scenario().into(),
            seats: rows as u8,
            options: setup.options().clone(),
            allowance: opening.allowance,
            seed: Seed::new(secret::bytes()).to_hex(),
            head: None,
            stage: TableStage::Gathering,
            host: Some(host.id.clone()),
            listed: opening.listed,
            created: now,
            touched: now,
            waiting: SeatSet::NONE,
            headline: String::new(),
            version: 0,
            pace,
            asked: None,
            chosen: None,
            absence,
        };
        let id = row.id.clone();
        self.0.store.add_table(row, seats, Vec::new()).await?;
        self.0.metrics.tables_opened.add(1);
        // A table of bots alone begins at once.
        let table = self.find(&id).await?;
        let mut live = table.live.lock().await;
        self.begin_if_ready(&table, &mut live).await?;
        Ok(id)
    }

    /// A seat has seen the commitment and adds its own number to the dice. When all have, the game begins.
    pub async fn ready(&self, id: &TableId, person: &PersonRow, seat: u8, nonce: u64) -> Result<(), Fault> {
        let table = self.find(id).await?;
        let mut live = table.live.lock().await;
        for _ in 0..ATTEMPTS {
            let holder = live.seats.get(usize::from(seat)).and_then(|r| r.person.clone());
            if holder.as_ref() != Some(&person.id) {
                return Err(Fault::NotYours("this seat is not yours".into()));
            }
            let mut row = live.seats[usize::from(seat)].clone();
            if live.sitting.is_some() {
                return Ok(());
            }
            if row.nonce.is_none() {
                row.nonce = Some(format!("{nonce:016x}"));
                let addition = live.seat_addition(usize::from(seat), row);
                match self.keep(&table, &mut live, addition).await {
                    Err(Fault::Raced) => continue,
                    kept => kept?,
                }
            }
            match self.begin_if_ready(&table, &mut live).await {
                Err(Fault::Raced) => {}
                begun => {
                    table.publish(&live);
                    return begun;
                }
            }
        }
        Err(Fault::Raced)
    }

    pub(super) async fn begin_if_ready(&self, table: &Arc<Table>, live: &mut Live) -> Result<(), Fault> {
        if live.sitting.is_some() || live.row.stage != TableStage::Gathering || !live.lacking().is_empty() {
            return Ok(());
        }
        let title = live.title();
        let wishes = Wishes {
            scenario: Some(live.row.scenario.clone()),
            seats: Some(live.seats_played()),
            options: live.row.options.clone(),
        };
        let setup = title.set_up(&wishes).map_err(|e| Fault::Wrong(e.to_string()))?;
        let seed = Seed::from_hex(&live.row.seed).map_err(|e| Fault::Server(e.to_string()))?;
        let mut nonces = Nonces::default();
        for (i, row) in live.seats.iter().enumerate() {
            let nonce = row.nonce.as_deref().and_then(|n| u64::from_str_radix(n, 16).ok());
            nonces.set(Seat::new(i as u8), nonce.unwrap_or(0));
        }
        let game = live.game.clone();
        let opened = careful(|| game.open(setup, seed, nonces)).map_err(Fault::Server)?;
        let mut sitting = opened.map_err(|e| Fault::Wrong(e.to_string()))?;
        if !self.0.conduct.window_pace.is_zero() && !on_one_screen(&live.seats) {
            sitting.keep_pace();
        }
        let mut head = sitting.record(true);
        head.entries.clear();
        live.sitting = Some(sitting);
        live.clocks = live.row.pace.map(|pace| Clocks::new(pace, live.seats.len()));
        live.advance_clocks(self.now(), SeatSet::NONE);
        let mut addition = live.addition();
        addition.head = Some(head.to_string());
        addition.at = Some(secret::now());
        self.keep(table, live, addition).await?;
        table.publish(live);
        self.wake_bots(live);
        Ok(())
    }

    /// Opens a table of analysis that goes on from a moment of a finished game: with all seats played by
    /// this person, or with one of them against bots.
    pub async fn branch(
        &self,
        id: &TableId,
        person: &PersonRow,
        entry: u32,
        against_bots: Option<u8>,
    ) -> Result<TableId, Fault> {
        let table = self.find(id).await?;
        let live = table.live.lock().await;
        if against_bots.is_some_and(|own| usize::from(own) >= live.seats.len()) {
            return Err(Fault::Wrong("there is no such seat at this table".into()));
        }
        let strong = |s: &SeatRow| s.kind == Kind::Bot && bots::level(&s.name).is_some_and(|l| l.strong);
        if against_bots.is_some() && live.seats.iter().any(strong) {
            self.room_for_strong(&person.id, None).await?;
        }
        let Some(sitting) = live.sitting.as_ref().filter(|_| live.over()) else {
            return Err(Fault::Stage("a game can be continued from a moment once it is over".into()));
        };
        let seed = Seed::new(secret::bytes());
        let branch = careful(|| sitting.branch(entry, seed.clone()))
            .map_err(Fault::Server)?
            .map_err(|e| Fault::Wrong(e.to_string()))?;
        let record = branch.record(true);
        let entries: Vec<_> = record.entries.iter().map(ToString::to_string).collect();
        let mut head = record;
        head.entries.clear();
        let now = secret::now();
        let row = TableRow {
            id: TableId::fresh(),
            seed: seed.to_hex(),
            head: Some(head.to_string()),
            stage: if branch.outcome().is_some() { TableStage::Over } else { TableStage::Running },
            host: Some(person.id.clone()),
            listed: false,
            created: now,
            touched: now,
            waiting: branch.waiting_for(),
            headline: String::new(),
            version: 0,
            pace: None,
            asked: None,
            chosen: None,
            allowance: Allowance { hints: true, analysis: true, tempo: live.row.allowance.tempo },
            absence: USUAL_ABSENCE,
            ..live.row.clone()
        };
        let seats = live.seats.iter().enumerate().map(|(i, old)| {
            if old.kind == Kind::Nobody {
                return SeatRow::vacant(Kind::Nobody);
            }
            let bot = against_bots.is_some_and(|own| usize::from(own) != i);
            // A bot stays who it was; in the place of a person sits the first of them.
            let level = bots::level(&old.name).filter(|_| old.kind == Kind::Bot).unwrap_or(&bots::LEVELS[0]);
            SeatRow {
                kind: if bot { Kind::Bot } else { Kind::Person },
                person: (!bot).then(|| person.id.clone()),
                name: if bot { level.id.into() } else { person.name.clone() },
                ..SeatRow::vacant(Kind::Open)
            }
        });
        let new = row.id.clone();
        self.0.store.add_table(row, seats.collect(), entries).await?;
        drop(live);
        let opened = self.find(&new).await?;
        self.wake_bots(&*opened.live.lock().await);
        Ok(new)
    }
}

//! Tables in the embedded store.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, params};
use table::{Seat, SeatSet, TakeBackRequest};

use super::{Sqlite, execute, failed, json, one, rows, seat_set};
use crate::clock::{Glass, Pace, Stay};
use crate::ids::{PersonId, TableId};
use crate::store::tables::{CHAT, CLOCK, SEAT, TABLE};
use crate::store::{
    Addition, Allowance, Answer, ChatRow, Chosen, DraftRow, EventRow, KeepsTables, Listing, SeatRow,
    StoreError, TableRow, TableStage, Whole, bits, unreadable,
};

fn table_row(row: &Row<'_>) -> rusqlite::Result<TableRow> {
    let pace = (row.get::<_, Option<u32>>("pace_bank")?, row.get::<_, Option<u32>>("pace_each")?);
    Ok(TableRow {
        id: row.get("id")?,
        game: row.get("game")?,
        scenario: row.get("scenario")?,
        seats: row.get("seats")?,
        options: json(row, "options")?,
        allowance: Allowance {
            hints: row.get("hints")?,
            analysis: row.get("analysis")?,
            tempo: row.get("tempo")?,
        },
        seed: row.get("seed")?,
        head: row.get("head")?,
        stage: row.get("stage")?,
        host: row.get("host")?,
        listed: row.get("listed")?,
        created: row.get("created")?,
        touched: row.get("touched")?,
        waiting: seat_set(row, "waiting")?.unwrap_or_default(),
        headline: row.get("headline")?,
        version: row.get("version")?,
        pace: pace.0.zip(pace.1).map(|(bank, each)| Pace { bank, each }),
        asked: asked(row)?,
        chosen: chosen(row)?,
        absence: row.get("absence")?,
    })
}

fn asked(row: &Row<'_>) -> rusqlite::Result<Option<TakeBackRequest>> {
    let by: Option<u8> = row.get("asked_by")?;
    let Some(by) = by.and_then(|by| Seat::try_from(by).ok()) else { return Ok(None) };
    let agreed = seat_set(row, "asked_agreed")?.unwrap_or_default();
    Ok(Some(TakeBackRequest { by, to: row.get("asked_to")?, agreed, needed: SeatSet::NONE }))
}

fn chosen(row: &Row<'_>) -> rusqlite::Result<Option<Chosen>> {
    let Some(seats) = seat_set(row, "chosen_by")? else { return Ok(None) };
    Ok(Some(Chosen { after: row.get("chosen_after")?, seats }))
}

fn seats_of(connection: &Connection, table: &TableId) -> Result<Vec<SeatRow>, StoreError> {
    rows(connection, &format!("{SEAT} WHERE tab = ?1 ORDER BY seat"), [table], |row| {
        Ok(SeatRow {
            kind: row.get("kind")?,
            person: row.get("person")?,
            name: row.get("name")?,
            link: row.get("link")?,
            nonce: row.get("nonce")?,
            stand_in: row.get("stand_in")?,
            bot_since: row.get("bot_since")?,
            called_at: row.get("called_at")?,
        })
    })
}

fn put_seat(connection: &Connection, table: &TableId, seat: u8, row: &SeatRow) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO seats (tab, seat, kind, person, name, link, nonce, stand_in, \
               bot_since, called_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let SeatRow { kind, person, name, link, nonce, stand_in, bot_since, called_at } = row;
    let values = params![table, seat, kind.word(), person, name, link, nonce, stand_in, bot_since, called_at];
    execute(connection, sql, values).map(drop)
}

fn put_entry(connection: &Connection, table: &TableId, number: u32, text: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO entries (tab, number, text) VALUES (?1, ?2, ?3)";
    execute(connection, sql, params![table, number, text]).map(drop)
}

fn put_draft(connection: &Connection, table: &TableId, seat: u8, draft: &DraftRow) -> Result<(), StoreError> {
    if *draft == DraftRow::default() {
        let sql = "DELETE FROM drafts WHERE tab = ?1 AND seat = ?2";
        return execute(connection, sql, params![table, seat]).map(drop);
    }
    let text = serde_json::to_string(draft).map_err(unreadable)?;
    let sql = "INSERT OR REPLACE INTO drafts (tab, seat, text) VALUES (?1, ?2, ?3)";
    execute(connection, sql, params![table, seat, text]).map(drop)
}

fn put_clock(connection: &Connection, table: &TableId, seat: u8, glass: &Glass) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO clocks (tab, seat, bank, thought, runs, chose, again) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let stay = glass.stay.as_ref();
    let (thought, runs) = (stay.map(|s| s.thought), stay.and_then(|s| s.runs));
    let (chose, again) = (stay.and_then(|s| s.chose), stay.and_then(|s| s.again));
    execute(connection, sql, params![table, seat, glass.left, thought, runs, chose, again]).map(drop)
}

fn clocks_of(connection: &Connection, table: &TableId) -> Result<BTreeMap<u8, Glass>, StoreError> {
    let clocks = rows(connection, &format!("{CLOCK} WHERE tab = ?1"), [table], |row| {
        let thought: Option<i64> = row.get("thought")?;
        let stay = match thought {
            Some(thought) => Some(Stay {
                thought,
                runs: row.get("runs")?,
                chose: row.get("chose")?,
                again: row.get("again")?,
            }),
            None => None,
        };
        Ok((row.get("seat")?, Glass { left: row.get("bank")?, stay }))
    });
    Ok(clocks?.into_iter().collect())
}

fn chat_row(row: &Row<'_>) -> rusqlite::Result<ChatRow> {
    Ok(ChatRow {
        at: row.get("at")?,
        name: row.get("name")?,
        person: row.get("person")?,
        seat: row.get("seat")?,
        readers: seat_set(row, "readers")?,
        text: row.get("text")?,
    })
}

fn put_asked(
    connection: &Connection,
    table: &TableId,
    asked: Option<TakeBackRequest>,
) -> Result<(), StoreError> {
    let sql = "UPDATE tables SET asked_by = ?2, asked_to = ?3, asked_agreed = ?4 WHERE id = ?1";
    let (by, to) = (asked.map(|a| u8::from(a.by)), asked.map(|a| a.to));
    execute(connection, sql, params![table, by, to, asked.map(|a| bits(a.agreed))]).map(drop)
}

fn put_chosen(connection: &Connection, table: &TableId, chosen: Option<Chosen>) -> Result<(), StoreError> {
    let sql = "UPDATE tables SET chosen_after = ?2, chosen_by = ?3 WHERE id = ?1";
    let (after, by) = (chosen.map(|c| c.after), chosen.map(|c| bits(c.seats)));
    execute(connection, sql, params![table, after, by]).map(drop)
}

impl KeepsTables for Sqlite {
    fn add_table(&self, row: TableRow, seats: Vec<SeatRow>, entries: Vec<String>) -> Answer<()> {
        self.write(move |c| {
            let sql = "INSERT INTO tables (id, game, scenario, seats, options, hints, analysis, seed, head, stage, \
                       host, listed, created, touched, waiting, headline, version, pace_bank, pace_each, absence, \
                       tempo) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, \
                       ?19, ?20, ?21)";
            let options = serde_json::to_string(&row.options).map_err(unreadable)?;
            let values = params![
                row.id,
                row.game,
                row.scenario,
                row.seats,
                options,
                row.allowance.hints,
                row.allowance.analysis,
                row.seed,
                row.head,
                row.stage.word(),
                row.host,
                row.listed,
                row.created,
                row.touched,
                bits(row.waiting),
                row.headline,
                row.version,
                row.pace.map(|p| p.bank),
                row.pace.map(|p| p.each),
                row.absence,
                row.allowance.tempo.word()
            ];
            execute(c, sql, values)?;
            put_asked(c, &row.id, row.asked)?;
            put_chosen(c, &row.id, row.chosen)?;
            for (seat, seat_row) in seats.iter().enumerate() {
                put_seat(c, &row.id, seat as u8, seat_row)?;
            }
            for (i, text) in entries.iter().enumerate() {
                put_entry(c, &row.id, i as u32 + 1, text)?;
            }
            Ok(())
        })
    }

    fn table(&self, id: TableId) -> Answer<Option<Whole>> {
        self.read(move |c| {
            let Some(row) = one(c, &format!("{TABLE} WHERE id = ?1"), [&id], table_row)? else {
                return Ok(None);
            };
            let entries = "SELECT text FROM entries WHERE tab = ?1 ORDER BY number";
            let drafts = "SELECT seat, text FROM drafts WHERE tab = ?1";
            let events = "SELECT at, what FROM events WHERE tab = ?1 ORDER BY number";
            let numbers = "SELECT seat, number FROM numbers WHERE tab = ?1";
            let chat = format!("{CHAT} WHERE tab = ?1 ORDER BY number");
            let draft = |r: &Row<'_>| Ok((r.get("seat")?, json(r, "text")?));
            let event = |r: &Row<'_>| Ok(EventRow { at: r.get("at")?, event: json(r, "what")? });
            Ok(Some(Whole {
                row,
                seats: seats_of(c, &id)?,
                numbers: rows(c, numbers, [&id], |r| Ok((r.get(0)?, r.get::<_, i64>(1)?.cast_unsigned())))?
                    .into_iter()
                    .collect(),
                clocks: clocks_of(c, &id)?,
                entries: rows(c, entries, [&id], |r| r.get(0))?,
                drafts: rows(c, drafts, [&id], draft)?.into_iter().collect(),
                chat: rows(c, &chat, [&id], chat_row)?,
                events: rows(c, events, [&id], event)?,
            }))
        })
    }

    fn list(&self, listing: Listing, most: u32) -> Answer<Vec<(TableRow, Vec<SeatRow>)>> {
        self.read(move |c| {
            let (condition, person) = match &listing {
                Listing::Open => (
                    "stage = 'gathering' AND listed AND ?1 = '' AND \
                     EXISTS (SELECT 1 FROM seats WHERE tab = id AND kind = 'open')",
                    "",
                ),
                Listing::Of(person) => ("id IN (SELECT tab FROM seats WHERE person = ?1)", person.as_str()),
                Listing::Going(person) => (
                    "stage <> 'over' AND (host = ?1 OR id IN (SELECT tab FROM seats WHERE person = ?1))",
                    person.as_str(),
                ),
                Listing::Running => ("stage = 'running' AND listed AND ?1 = ''", ""),
                Listing::Unfinished => ("stage = 'running' AND ?1 = ''", ""),
            };
            let sql = format!("{TABLE} WHERE {condition} ORDER BY touched DESC LIMIT ?2");
            // A row that cannot be read does not keep the others from being listed.
            let found = rows(c, &sql, params![person, most], |row| Ok(table_row(row)))?;
            let mut tables = Vec::new();
            for row in found {
                match row.map_err(failed).and_then(|row| Ok((seats_of(c, &row.id)?, row))) {
                    Ok((seats, row)) => tables.push((row, seats)),
                    Err(error) => tracing::error!(%error, "a table cannot be read and is left out"),
                }
            }
            Ok(tables)
        })
    }

    fn append(&self, table: TableId, addition: Addition) -> Answer<()> {
        self.write(move |c| {
            let sql = "UPDATE tables SET touched = coalesce(?3, touched), waiting = ?4, \
                       stage = coalesce(?5, stage), head = coalesce(?6, head), \
                       headline = coalesce(?7, headline), version = version + 1 WHERE id = ?1 AND version = ?2";
            let stage = addition.stage.map(TableStage::word);
            let Addition { version, at, head, headline, .. } = &addition;
            let values = params![table, version, at, bits(addition.waiting), stage, head, headline];
            if execute(c, sql, values)? == 0 {
                return Err(StoreError::Conflict(format!("the table is past version {version}")));
            }
            if let Some(asked) = addition.asked {
                put_asked(c, &table, asked)?;
            }
            if let Some(chosen) = addition.chosen {
                put_chosen(c, &table, chosen)?;
            }
            for (number, text) in &addition.entries {
                put_entry(c, &table, *number, text)?;
            }
            for (number, row) in &addition.events {
                let sql = "INSERT INTO events (tab, number, at, what) VALUES (?1, ?2, ?3, ?4)";
                let what = serde_json::to_string(&row.event).map_err(unreadable)?;
                execute(c, sql, params![table, number, row.at, what])?;
            }
            for (seat, row) in &addition.seats {
                put_seat(c, &table, *seat, row)?;
            }
            for (seat, number) in &addition.numbers {
                let sql = "INSERT OR REPLACE INTO numbers (tab, seat, number) VALUES (?1, ?2, ?3)";
                execute(c, sql, params![table, seat, number.cast_signed()])?;
            }
            for (seat, glass) in &addition.clocks {
                put_clock(c, &table, *seat, glass)?;
            }
            for (seat, draft) in &addition.drafts {
                put_draft(c, &table, *seat, draft)?;
            }
            if let Some((seat, key)) = &addition.key {
                let sql = "INSERT INTO done (tab, seat, key) VALUES (?1, ?2, ?3)";
                execute(c, sql, params![table, seat, key])?;
            }
            Ok(())
        })
    }

    fn version(&self, table: TableId) -> Answer<Option<i64>> {
        self.read(move |c| one(c, "SELECT version FROM tables WHERE id = ?1", [table], |r| r.get(0)))
    }

    fn was_done(&self, table: TableId, seat: u8, key: String) -> Answer<bool> {
        self.read(move |c| {
            let sql = "SELECT 1 FROM done WHERE tab = ?1 AND seat = ?2 AND key = ?3";
            Ok(one(c, sql, params![table, seat, key], |_| Ok(()))?.is_some())
        })
    }

    fn say(&self, table: TableId, row: ChatRow) -> Answer<()> {
        self.write(move |c| {
            let sql = "INSERT INTO chat (tab, at, name, seat, readers, text, person) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let readers = row.readers.map(bits);
            execute(c, sql, params![table, row.at, row.name, row.seat, readers, row.text, row.person])
                .map(drop)
        })
    }

    fn said_by(&self, person: PersonId) -> Answer<Vec<(TableId, ChatRow)>> {
        self.read(move |c| {
            let sql = format!("{CHAT} WHERE person = ?1 ORDER BY number");
            rows(c, &sql, [person], |r| Ok((r.get("tab")?, chat_row(r)?)))
        })
    }

    fn notes(&self, table: TableId, person: PersonId) -> Answer<String> {
        self.read(move |c| {
            let sql = "SELECT text FROM notes WHERE tab = ?1 AND person = ?2";
            Ok(one(c, sql, params![table, person], |r| r.get(0))?.unwrap_or_default())
        })
    }

    fn set_notes(&self, table: TableId, person: PersonId, text: String) -> Answer<()> {
        self.write(move |c| {
            let sql = "INSERT OR REPLACE INTO notes (tab, person, text) VALUES (?1, ?2, ?3)";
            execute(c, sql, params![table, person, text]).map(drop)
        })
    }

    fn notes_of(&self, person: PersonId) -> Answer<Vec<(TableId, String)>> {
        self.read(move |c| {
            let sql = "SELECT tab, text FROM notes WHERE person = ?1 ORDER BY tab";
            rows(c, sql, [person], |r| Ok((r.get(0)?, r.get(1)?)))
        })
    }

    fn seen(&self, table: TableId, person: PersonId, seat: u8) -> Answer<Option<u32>> {
        self.read(move |c| {
            let sql = "SELECT moments FROM seen WHERE tab = ?1 AND person = ?2 AND seat = ?3";
            one(c, sql, params![table, person, seat], |r| r.get(0))
        })
    }

    fn set_seen(&self, table: TableId, person: PersonId, seat: u8, moments: u32) -> Answer<()> {
        self.write(move |c| {
            let sql = "INSERT OR REPLACE INTO seen (tab, person, seat, moments) VALUES (?1, ?2, ?3, ?4)";
            execute(c, sql, params![table, person, seat, moments]).map(drop)
        })
    }
}

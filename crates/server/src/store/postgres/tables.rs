//! Tables in the shared store.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use table::{Seat, SeatSet, TakeBackRequest};
use tokio_postgres::{IsolationLevel, Row};

use super::news::TELL;
use super::{
    Postgres, Value, byte, client, count, execute, failed, get, json, limited, part, rows, seat_set,
};
use crate::clock::{Glass, Pace, Stay};
use crate::ids::{PersonId, TableId};
use crate::store::tables::{CHAT, CLOCK, SEAT, TABLE};
use crate::store::{
    Addition, Allowance, Answer, ChatRow, Chosen, DraftRow, EventRow, KeepsTables, Kind, Listing, SeatRow,
    StoreError, TableRow, TableStage, Tempo, Whole, bits, misplaced, unreadable,
};

fn table_row(row: &Row) -> Result<TableRow, StoreError> {
    let (stage, tempo): (&str, &str) = (get(row, "stage")?, get(row, "tempo")?);
    let pace = count(row, "pace_bank")?.zip(count(row, "pace_each")?);
    Ok(TableRow {
        id: get(row, "id")?,
        game: get(row, "game")?,
        scenario: get(row, "scenario")?,
        seats: byte(row, "seats")?.unwrap_or_default(),
        options: json(row, "options")?,
        allowance: Allowance {
            hints: get(row, "hints")?,
            analysis: get(row, "analysis")?,
            tempo: Tempo::of(tempo).ok_or_else(|| misplaced(&tempo, "the tempo of bots"))?,
        },
        seed: get(row, "seed")?,
        head: get(row, "head")?,
        stage: TableStage::of(stage).ok_or_else(|| misplaced(&stage, "the stage of a table"))?,
        host: get(row, "host")?,
        listed: get(row, "listed")?,
        created: get(row, "created")?,
        touched: get(row, "touched")?,
        waiting: seat_set(row, "waiting")?.unwrap_or_default(),
        headline: get(row, "headline")?,
        version: get(row, "version")?,
        pace: pace.map(|(bank, each)| Pace { bank, each }),
        asked: asked(row)?,
        chosen: chosen(row)?,
        absence: count(row, "absence")?.unwrap_or_default(),
    })
}

fn asked(row: &Row) -> Result<Option<TakeBackRequest>, StoreError> {
    let by = byte(row, "asked_by")?.and_then(|by| Seat::try_from(by).ok());
    let agreed = seat_set(row, "asked_agreed")?.unwrap_or_default();
    Ok(by.zip(count(row, "asked_to")?).map(|(by, to)| TakeBackRequest {
        by,
        to,
        agreed,
        needed: SeatSet::NONE,
    }))
}

fn chosen(row: &Row) -> Result<Option<Chosen>, StoreError> {
    let chosen = count(row, "chosen_after")?.zip(seat_set(row, "chosen_by")?);
    Ok(chosen.map(|(after, seats)| Chosen { after, seats }))
}

fn seat_row(row: &Row) -> Result<SeatRow, StoreError> {
    let kind: &str = get(row, "kind")?;
    Ok(SeatRow {
        kind: Kind::of(kind).ok_or_else(|| misplaced(&kind, "the kind of a seat"))?,
        person: get(row, "person")?,
        name: get(row, "name")?,
        link: get(row, "link")?,
        nonce: get(row, "nonce")?,
        stand_in: get(row, "stand_in")?,
        bot_since: count(row, "bot_since")?,
        called_at: get(row, "called_at")?,
    })
}

fn chat_row(row: &Row) -> Result<ChatRow, StoreError> {
    Ok(ChatRow {
        at: get(row, "at")?,
        name: get(row, "name")?,
        person: get(row, "person")?,
        seat: byte(row, "seat")?,
        readers: seat_set(row, "readers")?,
        text: get(row, "text")?,
    })
}

fn clock_row(row: &Row) -> Result<(u8, Glass), StoreError> {
    let thought: Option<i64> = get(row, "thought")?;
    let stay = match thought {
        Some(thought) => Some(Stay {
            thought,
            runs: get(row, "runs")?,
            chose: get(row, "chose")?,
            again: get(row, "again")?,
        }),
        None => None,
    };
    Ok((byte(row, "seat")?.unwrap_or_default(), Glass { left: get(row, "bank")?, stay }))
}

/// A count as the database has it.
fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

async fn put_seat(
    work: &Transaction<'_>,
    table: &TableId,
    seat: u8,
    row: &SeatRow,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO seats (tab, seat, kind, person, name, link, nonce, stand_in, bot_since, called_at) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (tab, seat) DO UPDATE SET \
               kind = excluded.kind, person = excluded.person, name = excluded.name, link = excluded.link, \
               nonce = excluded.nonce, stand_in = excluded.stand_in, bot_since = excluded.bot_since, \
               called_at = excluded.called_at";
    let SeatRow { kind, person, name, link, nonce, stand_in, bot_since, called_at } = row;
    let (seat, kind, since) = (i16::from(seat), kind.word(), bot_since.map(signed));
    let values: [Value<'_>; 10] =
        [table, &seat, &kind, person, name, link, nonce, stand_in, &since, called_at];
    part(work, sql, &values).await.map(drop)
}

async fn put_entry(
    work: &Transaction<'_>,
    table: &TableId,
    number: u32,
    text: &String,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO entries (tab, number, text) VALUES ($1, $2, $3)";
    part(work, sql, &[table, &signed(number), text]).await.map(drop)
}

async fn put_draft(
    work: &Transaction<'_>,
    table: &TableId,
    seat: u8,
    draft: &DraftRow,
) -> Result<(), StoreError> {
    let seat = i16::from(seat);
    if *draft == DraftRow::default() {
        let sql = "DELETE FROM drafts WHERE tab = $1 AND seat = $2";
        return part(work, sql, &[table, &seat]).await.map(drop);
    }
    let text = serde_json::to_string(draft).map_err(unreadable)?;
    let sql = "INSERT INTO drafts (tab, seat, text) VALUES ($1, $2, $3) \
               ON CONFLICT (tab, seat) DO UPDATE SET text = excluded.text";
    part(work, sql, &[table, &seat, &text]).await.map(drop)
}

async fn put_clock(
    work: &Transaction<'_>,
    table: &TableId,
    seat: u8,
    glass: &Glass,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO clocks (tab, seat, bank, thought, runs, chose, again) \
               VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (tab, seat) DO UPDATE SET \
               bank = excluded.bank, thought = excluded.thought, runs = excluded.runs, \
               chose = excluded.chose, again = excluded.again";
    let stay = glass.stay.as_ref();
    let (thought, runs) = (stay.map(|s| s.thought), stay.and_then(|s| s.runs));
    let (chose, again) = (stay.and_then(|s| s.chose), stay.and_then(|s| s.again));
    let values: [Value<'_>; 7] = [table, &i16::from(seat), &glass.left, &thought, &runs, &chose, &again];
    part(work, sql, &values).await.map(drop)
}

async fn put_asked(
    work: &Transaction<'_>,
    table: &TableId,
    asked: Option<TakeBackRequest>,
) -> Result<(), StoreError> {
    let sql = "UPDATE tables SET asked_by = $2, asked_to = $3, asked_agreed = $4 WHERE id = $1";
    let (by, to) = (asked.map(|a| i16::from(u8::from(a.by))), asked.map(|a| signed(a.to)));
    let agreed = asked.map(|a| i16::from(bits(a.agreed)));
    part(work, sql, &[table, &by, &to, &agreed]).await.map(drop)
}

async fn put_chosen(
    work: &Transaction<'_>,
    table: &TableId,
    chosen: Option<Chosen>,
) -> Result<(), StoreError> {
    let sql = "UPDATE tables SET chosen_after = $2, chosen_by = $3 WHERE id = $1";
    let (after, by) = (chosen.map(|c| signed(c.after)), chosen.map(|c| i16::from(bits(c.seats))));
    part(work, sql, &[table, &after, &by]).await.map(drop)
}

impl KeepsTables for Postgres {
    fn add_table(&self, row: TableRow, seats: Vec<SeatRow>, entries: Vec<String>) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            let mut client = client(&pool).await?;
            let work = client.transaction().await.map_err(failed)?;
            let sql = "INSERT INTO tables (id, game, scenario, seats, options, hints, analysis, seed, head, stage, \
                       host, listed, created, touched, waiting, headline, version, pace_bank, pace_each, absence, \
                       tempo) \
                       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, \
                       $19, $20, $21)";
            let options = serde_json::to_string(&row.options).map_err(unreadable)?;
            let pace = (row.pace.map(|p| signed(p.bank)), row.pace.map(|p| signed(p.each)));
            let values: [Value<'_>; 21] = [
                &row.id,
                &row.game,
                &row.scenario,
                &i16::from(row.seats),
                &options,
                &row.allowance.hints,
                &row.allowance.analysis,
                &row.seed,
                &row.head,
                &row.stage.word(),
                &row.host,
                &row.listed,
                &row.created,
                &row.touched,
                &i16::from(bits(row.waiting)),
                &row.headline,
                &row.version,
                &pace.0,
                &pace.1,
                &signed(row.absence),
                &row.allowance.tempo.word(),
            ];
            part(&work, sql, &values).await?;
            put_asked(&work, &row.id, row.asked).await?;
            put_chosen(&work, &row.id, row.chosen).await?;
            for (seat, seat_row) in seats.iter().enumerate() {
                put_seat(&work, &row.id, seat as u8, seat_row).await?;
            }
            for (i, text) in entries.iter().enumerate() {
                put_entry(&work, &row.id, i as u32 + 1, text).await?;
            }
            work.commit().await.map_err(failed)
        })
    }

    fn table(&self, id: TableId) -> Answer<Option<Whole>> {
        let pool = self.pool.clone();
        limited(async move {
            let mut client = client(&pool).await?;
            // All of it as it was at one moment.
            let reading = client.build_transaction().read_only(true);
            let reading = reading.isolation_level(IsolationLevel::RepeatableRead);
            let work = reading.start().await.map_err(failed)?;
            let ask = async |sql: &str, values: &[Value<'_>]| {
                let statement = work.prepare_cached(sql).await.map_err(failed)?;
                work.query(&statement, values).await.map_err(failed)
            };
            let found = ask(&format!("{TABLE} WHERE id = $1"), &[&id]).await?;
            let Some(row) = found.first() else { return Ok(None) };
            let row = table_row(row)?;
            let seats = ask(&format!("{SEAT} WHERE tab = $1 ORDER BY seat"), &[&id]).await?;
            let numbers = ask("SELECT seat, number FROM numbers WHERE tab = $1", &[&id]).await?;
            let clocks = ask(&format!("{CLOCK} WHERE tab = $1"), &[&id]).await?;
            let entries = ask("SELECT text FROM entries WHERE tab = $1 ORDER BY number", &[&id]).await?;
            let drafts = ask("SELECT seat, text FROM drafts WHERE tab = $1", &[&id]).await?;
            let chat = ask(&format!("{CHAT} WHERE tab = $1 ORDER BY number"), &[&id]).await?;
            let events = ask("SELECT at, what FROM events WHERE tab = $1 ORDER BY number", &[&id]).await?;
            let seat = |r: &Row| Ok::<u8, StoreError>(byte(r, "seat")?.unwrap_or_default());
            let number = |r: &Row| Ok((seat(r)?, get::<i64>(r, "number")?.cast_unsigned()));
            let draft = |r: &Row| Ok((seat(r)?, json(r, "text")?));
            let event = |r: &Row| Ok(EventRow { at: get(r, "at")?, event: json(r, "what")? });
            Ok(Some(Whole {
                row,
                seats: seats.iter().map(seat_row).collect::<Result<_, _>>()?,
                numbers: numbers.iter().map(number).collect::<Result<_, StoreError>>()?,
                clocks: clocks.iter().map(clock_row).collect::<Result<_, _>>()?,
                entries: entries.iter().map(|r| get(r, "text")).collect::<Result<_, _>>()?,
                drafts: drafts.iter().map(draft).collect::<Result<_, StoreError>>()?,
                chat: chat.iter().map(chat_row).collect::<Result<_, _>>()?,
                events: events.iter().map(event).collect::<Result<_, StoreError>>()?,
            }))
        })
    }

    fn list(&self, listing: Listing, most: u32) -> Answer<Vec<(TableRow, Vec<SeatRow>)>> {
        let pool = self.pool.clone();
        limited(async move {
            let most = i64::from(most);
            let condition = match &listing {
                Listing::Open => {
                    "stage = 'gathering' AND listed AND \
                     EXISTS (SELECT 1 FROM seats WHERE tab = id AND kind = 'open')"
                }
                Listing::Of(_) => "id IN (SELECT tab FROM seats WHERE person = $2)",
                Listing::Going(_) => {
                    "stage <> 'over' AND (host = $2 OR id IN (SELECT tab FROM seats WHERE person = $2))"
                }
                Listing::Running => "stage = 'running' AND listed",
                Listing::Unfinished => "stage = 'running'",
            };
            let sql = format!("{TABLE} WHERE {condition} ORDER BY touched DESC LIMIT $1");
            let found = match &listing {
                Listing::Of(person) | Listing::Going(person) => rows(&pool, &sql, &[&most, person]).await?,
                _ => rows(&pool, &sql, &[&most]).await?,
            };
            // A row that cannot be read does not keep the others from being listed.
            let read = |row: &Row| {
                let row = table_row(row);
                row.map_err(|error| tracing::error!(%error, "a table cannot be read and is left out")).ok()
            };
            let tables: Vec<_> = found.iter().filter_map(read).collect();
            let ids: Vec<_> = tables.iter().map(|t| t.id.as_str()).collect();
            let mut seats = BTreeMap::<TableId, Vec<SeatRow>>::new();
            let sql = format!("{SEAT} WHERE tab = ANY($1) ORDER BY tab, seat");
            for row in rows(&pool, &sql, &[&ids]).await? {
                seats.entry(get(&row, "tab")?).or_default().push(seat_row(&row)?);
            }
            Ok(tables
                .into_iter()
                .map(|table| {
                    let own = seats.remove(&table.id).unwrap_or_default();
                    (table, own)
                })
                .collect())
        })
    }

    fn append(&self, table: TableId, addition: Addition) -> Answer<()> {
        let (pool, told) = (self.pool.clone(), self.told(&table));
        limited(async move {
            let mut client = client(&pool).await?;
            let work = client.transaction().await.map_err(failed)?;
            // The row of the table first: two servers stand in line here, and the second sees the version.
            let sql = "UPDATE tables SET touched = coalesce($3, touched), waiting = $4, \
                       stage = coalesce($5, stage), head = coalesce($6, head), \
                       headline = coalesce($7, headline), version = version + 1 WHERE id = $1 AND version = $2";
            let (waiting, stage) = (i16::from(bits(addition.waiting)), addition.stage.map(TableStage::word));
            let Addition { version, at, head, headline, .. } = &addition;
            let values: [Value<'_>; 7] = [&table, version, at, &waiting, &stage, head, headline];
            if part(&work, sql, &values).await? == 0 {
                return Err(StoreError::Conflict(format!("the table is past version {version}")));
            }
            if let Some(asked) = addition.asked {
                put_asked(&work, &table, asked).await?;
            }
            if let Some(chosen) = addition.chosen {
                put_chosen(&work, &table, chosen).await?;
            }
            for (number, text) in &addition.entries {
                put_entry(&work, &table, *number, text).await?;
            }
            for (number, row) in &addition.events {
                let sql = "INSERT INTO events (tab, number, at, what) VALUES ($1, $2, $3, $4)";
                let what = serde_json::to_string(&row.event).map_err(unreadable)?;
                part(&work, sql, &[&table, &signed(*number), &row.at, &what]).await?;
            }
            for (seat, row) in &addition.seats {
                put_seat(&work, &table, *seat, row).await?;
            }
            for (seat, number) in &addition.numbers {
                let sql = "INSERT INTO numbers (tab, seat, number) VALUES ($1, $2, $3) \
                           ON CONFLICT (tab, seat) DO UPDATE SET number = excluded.number";
                part(&work, sql, &[&table, &i16::from(*seat), &number.cast_signed()]).await?;
            }
            for (seat, glass) in &addition.clocks {
                put_clock(&work, &table, *seat, glass).await?;
            }
            for (seat, draft) in &addition.drafts {
                put_draft(&work, &table, *seat, draft).await?;
            }
            if let Some((seat, key)) = &addition.key {
                let sql = "INSERT INTO done (tab, seat, key) VALUES ($1, $2, $3)";
                part(&work, sql, &[&table, &i16::from(*seat), key]).await?;
            }
            part(&work, TELL, &[&told]).await?;
            work.commit().await.map_err(failed)
        })
    }

    fn version(&self, table: TableId) -> Answer<Option<i64>> {
        let pool = self.pool.clone();
        limited(async move {
            let found = rows(&pool, "SELECT version FROM tables WHERE id = $1", &[&table]).await?;
            found.first().map(|r| get(r, "version")).transpose()
        })
    }

    fn was_done(&self, table: TableId, seat: u8, key: String) -> Answer<bool> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "SELECT 1 FROM done WHERE tab = $1 AND seat = $2 AND key = $3";
            Ok(!rows(&pool, sql, &[&table, &i16::from(seat), &key]).await?.is_empty())
        })
    }

    fn say(&self, table: TableId, row: ChatRow) -> Answer<()> {
        let (pool, told) = (self.pool.clone(), self.told(&table));
        limited(async move {
            let mut client = client(&pool).await?;
            let work = client.transaction().await.map_err(failed)?;
            let sql = "INSERT INTO chat (tab, at, name, seat, readers, text, person) \
                       VALUES ($1, $2, $3, $4, $5, $6, $7)";
            let (seat, readers) = (row.seat.map(i16::from), row.readers.map(|r| i16::from(bits(r))));
            part(&work, sql, &[&table, &row.at, &row.name, &seat, &readers, &row.text, &row.person]).await?;
            part(&work, TELL, &[&told]).await?;
            work.commit().await.map_err(failed)
        })
    }

    fn said_by(&self, person: PersonId) -> Answer<Vec<(TableId, ChatRow)>> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = format!("{CHAT} WHERE person = $1 ORDER BY number");
            let said = rows(&pool, &sql, &[&person]).await?;
            said.iter().map(|r| Ok((get(r, "tab")?, chat_row(r)?))).collect()
        })
    }

    fn notes(&self, table: TableId, person: PersonId) -> Answer<String> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "SELECT text FROM notes WHERE tab = $1 AND person = $2";
            let found = rows(&pool, sql, &[&table, &person]).await?;
            Ok(found.first().map(|r| get(r, "text")).transpose()?.unwrap_or_default())
        })
    }

    fn set_notes(&self, table: TableId, person: PersonId, text: String) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "INSERT INTO notes (tab, person, text) VALUES ($1, $2, $3) \
                       ON CONFLICT (tab, person) DO UPDATE SET text = excluded.text";
            execute(&pool, sql, &[&table, &person, &text]).await.map(drop)
        })
    }

    fn notes_of(&self, person: PersonId) -> Answer<Vec<(TableId, String)>> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "SELECT tab, text FROM notes WHERE person = $1 ORDER BY tab";
            let notes = rows(&pool, sql, &[&person]).await?;
            notes.iter().map(|r| Ok((get(r, "tab")?, get(r, "text")?))).collect()
        })
    }

    fn seen(&self, table: TableId, person: PersonId, seat: u8) -> Answer<Option<u32>> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "SELECT moments FROM seen WHERE tab = $1 AND person = $2 AND seat = $3";
            let found = rows(&pool, sql, &[&table, &person, &i16::from(seat)]).await?;
            Ok(found.first().map(|r| count(r, "moments")).transpose()?.flatten())
        })
    }

    fn set_seen(&self, table: TableId, person: PersonId, seat: u8, moments: u32) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "INSERT INTO seen (tab, person, seat, moments) VALUES ($1, $2, $3, $4) \
                       ON CONFLICT (tab, person, seat) DO UPDATE SET moments = excluded.moments";
            execute(&pool, sql, &[&table, &person, &i16::from(seat), &signed(moments)]).await.map(drop)
        })
    }
}

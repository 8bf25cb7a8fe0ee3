//! The embedded store: SQLite, written by one thread that commits many requests at once.
//!
//! Every request is a piece of work on the thread's connection. The thread takes all that are waiting, does
//! them in one transaction, commits (which waits for the disk), and only then answers them: one wait for the
//! disk serves everybody who asked meanwhile.

use std::path::Path;
use std::sync::mpsc;

use rusqlite::{Connection, OptionalExtension, Row, params};
use rusqlite_migration::{M, Migrations};
use tokio::sync::oneshot;

use super::{
    Addition, Answer, ChatRow, DraftRow, EventRow, Kind, Listing, PersonRow, SeatRow, Stage, Store,
    StoreError, TableRow, Whole,
};

/// How many requests share one transaction at most.
const MOST_AT_ONCE: usize = 1024;

const SCHEMA: &[&str] = &[
    "
    CREATE TABLE people (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, password TEXT, account TEXT UNIQUE
    ) WITHOUT ROWID;
    CREATE TABLE sessions (hash TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people(id)) WITHOUT ROWID;
    CREATE TABLE tables (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, scenario TEXT NOT NULL, seats INTEGER NOT NULL,
        options TEXT NOT NULL, seed TEXT NOT NULL, head TEXT, stage TEXT NOT NULL, host TEXT NOT NULL,
        listed INTEGER NOT NULL, created INTEGER NOT NULL, touched INTEGER NOT NULL,
        waiting INTEGER NOT NULL, headline TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tables_by_stage ON tables (stage, touched);
    CREATE TABLE seats (
        tab TEXT NOT NULL REFERENCES tables(id), seat INTEGER NOT NULL, kind TEXT NOT NULL, person TEXT,
        name TEXT NOT NULL, link TEXT, nonce TEXT, PRIMARY KEY (tab, seat)
    ) WITHOUT ROWID;
    CREATE INDEX seats_by_person ON seats (person) WHERE person IS NOT NULL;
    CREATE TABLE entries (
        tab TEXT NOT NULL REFERENCES tables(id), number INTEGER NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, number)
    ) WITHOUT ROWID;
    CREATE TABLE drafts (
        tab TEXT NOT NULL REFERENCES tables(id), seat INTEGER NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, seat)
    ) WITHOUT ROWID;
    CREATE TABLE done (
        tab TEXT NOT NULL REFERENCES tables(id), seat INTEGER NOT NULL, key TEXT NOT NULL,
        PRIMARY KEY (tab, seat, key)
    ) WITHOUT ROWID;
    CREATE TABLE chat (
        number INTEGER PRIMARY KEY, tab TEXT NOT NULL REFERENCES tables(id), at INTEGER NOT NULL,
        name TEXT NOT NULL, seat INTEGER, readers INTEGER NOT NULL, text TEXT NOT NULL
    );
    CREATE INDEX chat_by_table ON chat (tab, number);
    CREATE TABLE notes (
        tab TEXT NOT NULL REFERENCES tables(id), person TEXT NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, person)
    ) WITHOUT ROWID;
",
    "
    ALTER TABLE tables ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN pace TEXT NOT NULL DEFAULT '';
    ALTER TABLE tables ADD COLUMN clocks TEXT;
    ALTER TABLE tables ADD COLUMN asked TEXT NOT NULL DEFAULT '';
    ALTER TABLE tables ADD COLUMN numbers TEXT NOT NULL DEFAULT '';
    ALTER TABLE seats ADD COLUMN stand_in TEXT;
    CREATE TABLE events (
        tab TEXT NOT NULL REFERENCES tables(id), number INTEGER NOT NULL, at INTEGER NOT NULL,
        what TEXT NOT NULL, PRIMARY KEY (tab, number)
    ) WITHOUT ROWID;
    CREATE TABLE wishes (person TEXT PRIMARY KEY REFERENCES people(id), text TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE house (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
",
    "ALTER TABLE tables ADD COLUMN chosen TEXT NOT NULL DEFAULT '';",
];

/// Answers a request, once it is known whether the transaction was committed.
type Reply = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// A request.
type Work = Box<dyn FnOnce(&Connection) -> Reply + Send>;

/// The embedded store.
#[derive(Clone, Debug)]
pub struct Sqlite {
    writes: mpsc::Sender<Work>,
    reads: mpsc::Sender<Work>,
}

impl Sqlite {
    /// Opens the database in a file, and makes it if there is none.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let wrong = |why: String| StoreError::Open { address: format!("sqlite://{}", path.display()), why };
        let open = || Connection::open(path).and_then(|c| tuned(&c).map(|()| c));
        let mut writer = open().map_err(|e| wrong(e.to_string()))?;
        migrate(&mut writer).map_err(wrong)?;
        let reader = open().map_err(|e| wrong(e.to_string()))?;
        Ok(Self { writes: start(writer, "store-writer", true), reads: start(reader, "store-reader", false) })
    }

    /// A database in memory, forgotten at the end: for tests.
    pub fn in_memory() -> Result<Self, StoreError> {
        let wrong = |why: String| StoreError::Open { address: "in memory".into(), why };
        let mut connection = Connection::open_in_memory().map_err(|e| wrong(e.to_string()))?;
        migrate(&mut connection).map_err(wrong)?;
        let queue = start(connection, "store", true);
        Ok(Self { writes: queue.clone(), reads: queue })
    }

    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<T> {
        ask(&self.writes, work)
    }

    fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<T> {
        ask(&self.reads, work)
    }
}

/// Full durability: a commit has reached the disk when it returns.
fn tuned(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    connection.busy_timeout(std::time::Duration::from_secs(10))
}

fn migrate(connection: &mut Connection) -> Result<(), String> {
    let steps = SCHEMA.iter().map(|step| M::up(step)).collect();
    Migrations::new(steps).to_latest(connection).map_err(|e| e.to_string())
}

fn ask<T: Send + 'static>(
    queue: &mpsc::Sender<Work>,
    work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
) -> Answer<T> {
    let (tell, told) = oneshot::channel();
    let work: Work = Box::new(move |connection| {
        let result = guarded(connection, work);
        Box::new(move |committed| {
            // Whoever asked may have gone away meanwhile.
            let _ = tell.send(committed.and(result));
        })
    });
    let sent = queue.send(work);
    Box::pin(async move {
        sent.map_err(|_| StoreError::Closed)?;
        told.await.unwrap_or(Err(StoreError::Closed))
    })
}

/// Does one request of several: when it fails, only its own changes are taken back.
fn guarded<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.execute_batch("SAVEPOINT request").map_err(failed)?;
    let result = work(connection);
    let end = if result.is_ok() { "RELEASE request" } else { "ROLLBACK TO request; RELEASE request" };
    connection.execute_batch(end).map_err(failed)?;
    result
}

/// A thread that does what is asked of it. A writer commits all that is waiting at once; a reader does one
/// request after the other, each over what is committed by then: within one long transaction it would not
/// see what somebody was told a moment ago.
fn start(connection: Connection, name: &str, writes: bool) -> mpsc::Sender<Work> {
    let (queue, requests) = mpsc::channel::<Work>();
    let thread = std::thread::Builder::new().name(name.into());
    let spawned = thread.spawn(move || {
        connection.set_prepared_statement_cache_capacity(64);
        while let Ok(first) = requests.recv() {
            if !writes {
                first(&connection)(Ok(()));
                continue;
            }
            let begun = connection.execute_batch("BEGIN");
            let mut replies = vec![first(&connection)];
            while replies.len() < MOST_AT_ONCE {
                let Ok(next) = requests.try_recv() else { break };
                replies.push(next(&connection));
            }
            let committed = begun.and_then(|()| connection.execute_batch("COMMIT")).map_err(failed);
            if committed.is_err() {
                // Nothing of it has happened; those who asked are told so.
                let _ = connection.execute_batch("ROLLBACK");
            }
            replies.into_iter().for_each(|reply| reply(committed.clone()));
        }
    });
    // Without its thread the queue is closed, and every request says so.
    drop(spawned);
    queue
}

fn failed(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::ConstraintViolation) => StoreError::Conflict(error.to_string()),
        _ => StoreError::Failed(error.to_string()),
    }
}

fn unreadable(error: serde_json::Error) -> StoreError {
    StoreError::Failed(format!("what is stored cannot be read: {error}"))
}

/// One statement with its values.
fn execute(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<usize, StoreError> {
    connection.prepare_cached(sql).and_then(|mut s| s.execute(values)).map_err(failed)
}

fn rows<T>(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let rows = statement.query_map(values, read).map_err(failed)?;
    rows.collect::<Result<_, _>>().map_err(failed)
}

fn one<T>(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    connection.prepare_cached(sql).and_then(|mut s| s.query_row(values, read).optional()).map_err(failed)
}

const TABLE: &str = "SELECT id, game, scenario, seats, options, seed, head, stage, host, listed, created, \
                     touched, waiting, headline, version, pace, clocks, asked, numbers, chosen FROM tables";

fn table_row(row: &Row<'_>) -> rusqlite::Result<TableRow> {
    Ok(TableRow {
        id: row.get(0)?,
        game: row.get(1)?,
        scenario: row.get(2)?,
        seats: row.get(3)?,
        options: serde_json::from_str(&row.get::<_, String>(4)?).unwrap_or_default(),
        seed: row.get(5)?,
        head: row.get(6)?,
        stage: Stage::of(&row.get::<_, String>(7)?),
        host: row.get(8)?,
        listed: row.get(9)?,
        created: row.get(10)?,
        touched: row.get(11)?,
        waiting: row.get(12)?,
        headline: row.get(13)?,
        version: row.get(14)?,
        pace: row.get(15)?,
        clocks: row.get(16)?,
        asked: row.get(17)?,
        numbers: row.get(18)?,
        chosen: row.get(19)?,
    })
}

fn seats_of(connection: &Connection, table: &str) -> Result<Vec<SeatRow>, StoreError> {
    let sql = "SELECT kind, person, name, link, nonce, stand_in FROM seats WHERE tab = ?1 ORDER BY seat";
    rows(connection, sql, [table], |row| {
        Ok(SeatRow {
            kind: Kind::of(&row.get::<_, String>(0)?),
            person: row.get(1)?,
            name: row.get(2)?,
            link: row.get(3)?,
            nonce: row.get(4)?,
            stand_in: row.get(5)?,
        })
    })
}

fn put_seat(connection: &Connection, table: &str, seat: u8, row: &SeatRow) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO seats (tab, seat, kind, person, name, link, nonce, stand_in) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let values =
        params![table, seat, row.kind.word(), row.person, row.name, row.link, row.nonce, row.stand_in];
    execute(connection, sql, values).map(drop)
}

fn put_entry(connection: &Connection, table: &str, number: u32, text: &str) -> Result<(), StoreError> {
    execute(
        connection,
        "INSERT INTO entries (tab, number, text) VALUES (?1, ?2, ?3)",
        params![table, number, text],
    )
    .map(drop)
}

fn person_row(row: &Row<'_>) -> rusqlite::Result<PersonRow> {
    Ok(PersonRow { id: row.get(0)?, name: row.get(1)?, password: row.get(2)? })
}

fn put_session(connection: &Connection, person: &str, session: &str) -> Result<(), StoreError> {
    execute(connection, "INSERT INTO sessions (hash, person) VALUES (?1, ?2)", params![session, person])
        .map(drop)
}

impl Store for Sqlite {
    fn add_person(&self, person: PersonRow, session: String) -> Answer<()> {
        self.write(move |c| {
            execute(
                c,
                "INSERT INTO people (id, name, password) VALUES (?1, ?2, ?3)",
                params![person.id, person.name, person.password],
            )?;
            put_session(c, &person.id, &session)
        })
    }

    fn make_account(&self, person: PersonRow) -> Answer<()> {
        self.write(move |c| {
            let sql = "UPDATE people SET name = ?2, password = ?3, account = ?4 WHERE id = ?1";
            let account = person.name.to_lowercase();
            execute(c, sql, params![person.id, person.name, person.password, account])?;
            execute(c, "UPDATE seats SET name = ?2 WHERE person = ?1", params![person.id, person.name])
                .map(drop)
        })
    }

    fn account(&self, name: String) -> Answer<Option<PersonRow>> {
        self.read(move |c| {
            let sql = "SELECT id, name, password FROM people WHERE account = ?1";
            one(c, sql, [name.to_lowercase()], person_row)
        })
    }

    fn add_session(&self, person: String, session: String) -> Answer<()> {
        self.write(move |c| put_session(c, &person, &session))
    }

    fn end_session(&self, session: String) -> Answer<()> {
        self.write(move |c| execute(c, "DELETE FROM sessions WHERE hash = ?1", [session]).map(drop))
    }

    fn person(&self, session: String) -> Answer<Option<PersonRow>> {
        self.read(move |c| {
            let sql = "SELECT p.id, p.name, p.password FROM sessions s JOIN people p ON p.id = s.person \
                       WHERE s.hash = ?1";
            one(c, sql, [session], person_row)
        })
    }

    fn add_table(&self, row: TableRow, seats: Vec<SeatRow>, entries: Vec<String>) -> Answer<()> {
        self.write(move |c| {
            let sql = "INSERT INTO tables (id, game, scenario, seats, options, seed, head, stage, host, \
                       listed, created, touched, waiting, headline, version, pace, clocks, asked, numbers, \
                       chosen) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, \
                       ?17, ?18, ?19, ?20)";
            let options = serde_json::to_string(&row.options).map_err(unreadable)?;
            let values = params![
                row.id,
                row.game,
                row.scenario,
                row.seats,
                options,
                row.seed,
                row.head,
                row.stage.word(),
                row.host,
                row.listed,
                row.created,
                row.touched,
                row.waiting,
                row.headline,
                row.version,
                row.pace,
                row.clocks,
                row.asked,
                row.numbers,
                row.chosen
            ];
            execute(c, sql, values)?;
            for (seat, seat_row) in seats.iter().enumerate() {
                put_seat(c, &row.id, seat as u8, seat_row)?;
            }
            for (i, text) in entries.iter().enumerate() {
                put_entry(c, &row.id, i as u32 + 1, text)?;
            }
            Ok(())
        })
    }

    fn table(&self, id: String) -> Answer<Option<Whole>> {
        self.read(move |c| {
            let Some(row) = one(c, &format!("{TABLE} WHERE id = ?1"), [&id], table_row)? else {
                return Ok(None);
            };
            let entries = "SELECT text FROM entries WHERE tab = ?1 ORDER BY number";
            let drafts = "SELECT seat, text FROM drafts WHERE tab = ?1";
            let events = "SELECT at, what FROM events WHERE tab = ?1 ORDER BY number";
            let chat = "SELECT at, name, seat, readers, text FROM chat WHERE tab = ?1 ORDER BY number";
            Ok(Some(Whole {
                row,
                seats: seats_of(c, &id)?,
                entries: rows(c, entries, [&id], |r| r.get(0))?,
                drafts: rows(c, drafts, [&id], |r| Ok((r.get::<_, u8>(0)?, r.get::<_, String>(1)?)))?
                    .into_iter()
                    .map(|(seat, text)| Ok((seat, serde_json::from_str(&text).map_err(unreadable)?)))
                    .collect::<Result<_, StoreError>>()?,
                chat: rows(c, chat, [&id], |r| {
                    Ok(ChatRow {
                        at: r.get(0)?,
                        name: r.get(1)?,
                        seat: r.get(2)?,
                        readers: r.get(3)?,
                        text: r.get(4)?,
                    })
                })?,
                events: rows(c, events, [&id], |r| Ok(EventRow { at: r.get(0)?, what: r.get(1)? }))?,
            }))
        })
    }

    fn list(&self, listing: Listing, most: u32) -> Answer<Vec<(TableRow, Vec<SeatRow>)>> {
        self.read(move |c| {
            let (condition, value) = match &listing {
                Listing::Open => (
                    "stage = 'gathering' AND listed AND ?1 = '' AND \
                     EXISTS (SELECT 1 FROM seats WHERE tab = id AND kind = 'open')",
                    "",
                ),
                Listing::Of(person) => ("id IN (SELECT tab FROM seats WHERE person = ?1)", person.as_str()),
                Listing::Running => ("stage = 'running' AND listed AND ?1 = ''", ""),
                Listing::Unfinished => ("stage = 'running' AND ?1 = ''", ""),
            };
            let sql = format!("{TABLE} WHERE {condition} ORDER BY touched DESC LIMIT ?2");
            let found = rows(c, &sql, params![value, most], table_row)?;
            found
                .into_iter()
                .map(|row| Ok((seats_of(c, &row.id)?, row)))
                .map(|r| r.map(|(s, t)| (t, s)))
                .collect()
        })
    }

    fn append(&self, table: String, addition: Addition) -> Answer<()> {
        self.write(move |c| {
            for (number, text) in &addition.entries {
                put_entry(c, &table, *number, text)?;
            }
            for (number, event) in &addition.events {
                let sql = "INSERT INTO events (tab, number, at, what) VALUES (?1, ?2, ?3, ?4)";
                execute(c, sql, params![table, number, event.at, event.what])?;
            }
            for (seat, row) in &addition.seats {
                put_seat(c, &table, *seat, row)?;
            }
            for (seat, draft) in &addition.drafts {
                if *draft == DraftRow::default() {
                    execute(c, "DELETE FROM drafts WHERE tab = ?1 AND seat = ?2", params![table, seat])?;
                } else {
                    let text = serde_json::to_string(draft).map_err(unreadable)?;
                    let sql = "INSERT OR REPLACE INTO drafts (tab, seat, text) VALUES (?1, ?2, ?3)";
                    execute(c, sql, params![table, seat, text])?;
                }
            }
            if let Some((seat, key)) = &addition.key {
                let sql = "INSERT INTO done (tab, seat, key) VALUES (?1, ?2, ?3)";
                execute(c, sql, params![table, seat, key])?;
            }
            let sql = "UPDATE tables SET touched = coalesce(?2, touched), waiting = ?3, stage = coalesce(?4, stage), \
                       head = coalesce(?5, head), headline = coalesce(?6, headline), \
                       clocks = coalesce(?7, clocks), asked = coalesce(?8, asked), \
                       numbers = coalesce(?9, numbers), chosen = coalesce(?11, chosen), version = version + 1 \
                       WHERE id = ?1 AND version = ?10";
            let stage = addition.stage.map(Stage::word);
            let values = params![
                table,
                addition.at,
                addition.waiting,
                stage,
                addition.head,
                addition.headline,
                addition.clocks,
                addition.asked,
                addition.numbers,
                addition.version,
                addition.chosen
            ];
            match execute(c, sql, values)? {
                0 => Err(StoreError::Conflict(format!("the table is past version {}", addition.version))),
                _ => Ok(()),
            }
        })
    }

    fn version(&self, table: String) -> Answer<Option<i64>> {
        self.read(move |c| one(c, "SELECT version FROM tables WHERE id = ?1", [table], |r| r.get(0)))
    }

    fn was_done(&self, table: String, seat: u8, key: String) -> Answer<bool> {
        self.read(move |c| {
            let sql = "SELECT 1 FROM done WHERE tab = ?1 AND seat = ?2 AND key = ?3";
            Ok(one(c, sql, params![table, seat, key], |_| Ok(()))?.is_some())
        })
    }

    fn say(&self, table: String, row: ChatRow) -> Answer<()> {
        self.write(move |c| {
            let sql = "INSERT INTO chat (tab, at, name, seat, readers, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            execute(c, sql, params![table, row.at, row.name, row.seat, row.readers, row.text]).map(drop)
        })
    }

    fn notes(&self, table: String, person: String) -> Answer<String> {
        self.read(move |c| {
            let sql = "SELECT text FROM notes WHERE tab = ?1 AND person = ?2";
            Ok(one(c, sql, params![table, person], |r| r.get(0))?.unwrap_or_default())
        })
    }

    fn set_notes(&self, table: String, person: String, text: String) -> Answer<()> {
        self.write(move |c| {
            let sql = "INSERT OR REPLACE INTO notes (tab, person, text) VALUES (?1, ?2, ?3)";
            execute(c, sql, params![table, person, text]).map(drop)
        })
    }

    fn wishes(&self, person: String) -> Answer<Option<String>> {
        self.read(move |c| one(c, "SELECT text FROM wishes WHERE person = ?1", [person], |r| r.get(0)))
    }

    fn set_wishes(&self, person: String, text: String) -> Answer<()> {
        self.write(move |c| {
            let sql = "INSERT OR REPLACE INTO wishes (person, text) VALUES (?1, ?2)";
            execute(c, sql, params![person, text]).map(drop)
        })
    }

    fn house(&self, name: String, first: String) -> Answer<String> {
        self.write(move |c| {
            execute(c, "INSERT OR IGNORE INTO house (name, value) VALUES (?1, ?2)", params![name, first])?;
            let kept = one(c, "SELECT value FROM house WHERE name = ?1", [name], |r| r.get(0))?;
            kept.ok_or_else(|| StoreError::Failed("what the house keeps is gone".into()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many people write and at once read what they wrote.
    #[tokio::test(flavor = "multi_thread")]
    async fn everybody_reads_what_was_acknowledged() {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&folder.path().join("people.db")).unwrap();
        let one = |i: u32| {
            let store = store.clone();
            tokio::spawn(async move {
                for j in 0..20 {
                    let id = format!("{i}-{j}");
                    let person = PersonRow { id: id.clone(), name: "P".into(), password: None };
                    store.add_person(person.clone(), id.clone()).await.unwrap();
                    assert_eq!(store.person(id).await.unwrap(), Some(person));
                }
            })
        };
        let all: Vec<_> = (0..32).map(one).collect();
        for task in all {
            task.await.unwrap();
        }
    }

    /// A request that fails takes nothing with it, and a number of an entry is never used twice.
    #[tokio::test]
    async fn an_entry_number_is_used_once() {
        let store = Sqlite::in_memory().unwrap();
        let row = TableRow {
            id: "t".into(),
            game: "g".into(),
            scenario: String::new(),
            seats: 2,
            options: Default::default(),
            seed: String::new(),
            head: None,
            stage: Stage::Gathering,
            host: "h".into(),
            listed: false,
            created: 0,
            touched: 0,
            waiting: 0,
            headline: String::new(),
            version: 0,
            pace: String::new(),
            clocks: None,
            asked: String::new(),
            numbers: String::new(),
            chosen: String::new(),
        };
        store.add_table(row, Vec::new(), Vec::new()).await.unwrap();
        let entries = |version: i64, entries: &[(u32, &str)]| Addition {
            version,
            entries: entries.iter().map(|(n, t)| (*n, t.to_string())).collect(),
            ..Addition::default()
        };
        store.append("t".into(), entries(0, &[(1, "a")])).await.unwrap();
        for again in [entries(1, &[(2, "b"), (1, "c")]), entries(0, &[(2, "b")]), entries(0, &[])] {
            let again = store.append("t".into(), again).await;
            assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
        }
        assert_eq!(store.table("t".into()).await.unwrap().unwrap().entries, ["a"]);
    }
}

//! The embedded store: SQLite, written by one thread that commits many requests at once.
//!
//! Every request is a piece of work on the thread's connection. The thread takes all that are waiting, does
//! them in one transaction, commits (which waits for the disk), and only then answers them: one wait for the
//! disk serves everybody who asked meanwhile.

use std::path::Path;
use std::sync::mpsc;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, Type, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params};
use table::SeatSet;
use tokio::sync::oneshot;

use super::{Answer, Kind, Store, StoreError, TableStage, Tempo, misplaced, seats_of};
use crate::ids::Id;

mod people;
mod schema;
mod tables;

/// How many requests share one transaction at most.
const MOST_AT_ONCE: usize = 1024;

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
        for_its_owner_only(path).map_err(|e| wrong(e.to_string()))?;
        let mut writer = open().map_err(|e| wrong(e.to_string()))?;
        schema::migrate(&mut writer).map_err(wrong)?;
        let reader = open().map_err(|e| wrong(e.to_string()))?;
        Ok(Self { writes: start(writer, "store-writer", true), reads: start(reader, "store-reader", false) })
    }

    /// A database in memory, forgotten at the end: for tests.
    pub fn in_memory() -> Result<Self, StoreError> {
        let wrong = |why: String| StoreError::Open { address: "in memory".into(), why };
        let mut connection = Connection::open_in_memory().map_err(|e| wrong(e.to_string()))?;
        schema::migrate(&mut connection).map_err(wrong)?;
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

/// The file holds sessions, secrets of games and addresses: nobody but its owner reads it. What SQLite keeps
/// beside it has the rights that the file has when it is made.
fn for_its_owner_only(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        std::fs::OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
        for ending in ["", "-wal", "-shm"] {
            let mut file = path.as_os_str().to_os_string();
            file.push(ending);
            if let Ok(there) = std::fs::metadata(&file)
                && there.permissions().mode() & 0o077 != 0
            {
                std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600))?;
            }
        }
    }
    Ok(())
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

impl<Of> ToSql for Id<Of> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

impl<Of> FromSql for Id<Of> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map_err(FromSqlError::other)
    }
}

impl FromSql for TableStage {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        Self::of(word).ok_or_else(|| FromSqlError::other(misplaced(&word, "the stage of a table")))
    }
}

impl FromSql for Tempo {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        Self::of(word).ok_or_else(|| FromSqlError::other(misplaced(&word, "the tempo of bots")))
    }
}

impl FromSql for Kind {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        Self::of(word).ok_or_else(|| FromSqlError::other(misplaced(&word, "the kind of a seat")))
    }
}

/// A set of seats, if there is one.
fn seat_set(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<SeatSet>> {
    Ok(row.get::<_, Option<u8>>(column)?.map(seats_of))
}

/// What is kept as JSON.
fn json<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    let wrong = |e| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(e));
    serde_json::from_str(&text).map_err(wrong)
}

impl Store for Sqlite {
    fn try_to_write(&self) -> Answer<()> {
        self.write(move |c| {
            let sql = "INSERT OR REPLACE INTO keepsakes (name, value) VALUES ('last check', ?1)";
            execute(c, sql, [crate::secret::now().to_string()]).map(drop)
        })
    }

    fn keepsake(&self, name: String, first: String) -> Answer<String> {
        self.write(move |c| {
            let sql = "INSERT OR IGNORE INTO keepsakes (name, value) VALUES (?1, ?2)";
            execute(c, sql, params![name, first])?;
            let kept = one(c, "SELECT value FROM keepsakes WHERE name = ?1", [name], |r| r.get(0))?;
            kept.ok_or_else(|| StoreError::Failed("a keepsake is gone".into()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Addition, Allowance, KeepsPeople, KeepsTables, PersonRow, SessionRow, TableRow};

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
                    let person = PersonRow { id: id.parse().unwrap(), name: "P".into(), password: None };
                    let session = SessionRow {
                        hash: id.clone(),
                        id: id.clone(),
                        person: id.parse().unwrap(),
                        created: 0,
                        used: 0,
                        agent: String::new(),
                    };
                    store.add_person(person.clone(), session.clone()).await.unwrap();
                    assert_eq!(store.session(id).await.unwrap(), Some((person, session)));
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
            id: "t".parse().unwrap(),
            game: "g".into(),
            scenario: String::new(),
            seats: 2,
            options: Default::default(),
            allowance: Allowance::default(),
            seed: String::new(),
            head: None,
            stage: TableStage::Gathering,
            host: Some("h".parse().unwrap()),
            listed: false,
            created: 0,
            touched: 0,
            waiting: SeatSet::NONE,
            headline: String::new(),
            version: 0,
            pace: None,
            asked: None,
            chosen: None,
            absence: 86_400,
        };
        store.add_table(row, Vec::new(), Vec::new()).await.unwrap();
        let entries = |version: i64, entries: &[(u32, &str)]| Addition {
            version,
            entries: entries.iter().map(|(n, t)| (*n, t.to_string())).collect(),
            ..Addition::default()
        };
        store.append("t".parse().unwrap(), entries(0, &[(1, "a")])).await.unwrap();
        for again in [entries(1, &[(2, "b"), (1, "c")]), entries(0, &[(2, "b")]), entries(0, &[])] {
            let again = store.append("t".parse().unwrap(), again).await;
            assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
        }
        assert_eq!(store.table("t".parse().unwrap()).await.unwrap().unwrap().entries, ["a"]);
    }
}

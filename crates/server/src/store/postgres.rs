//! The shared store: PostgreSQL, for several servers over the same tables.
//!
//! Every change of a table names the version that it was made on and takes the next; the entries have
//! (table, number) as their key besides. Of two servers that act at once the second is told of a conflict.
//! A change is told to the other servers by `NOTIFY` when it is committed, and never before. Which server
//! plays a table's bots is settled by a lease in the database, by the database's own clock.

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use table::SeatSet;
use tokio::sync::broadcast;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Row, Transaction};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{Answer, Changed, LEASE, Store, StoreError, misplaced, seats_of, unreadable};
use crate::ids::{Id, TableId};
use crate::secret;

mod address;
mod news;
mod people;
mod schema;
mod tables;

/// Connections to the database, besides the one that listens.
const CONNECTIONS: usize = 8;
/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);
/// How long somebody waits for a connection that others use.
const POOL_WAIT: Duration = Duration::from_secs(5);
/// How long the database itself may take for a statement or wait for a lock, in its own notation.
const STATEMENT: &str =
    "-c statement_timeout=12s -c lock_timeout=8s -c idle_in_transaction_session_timeout=30s";
/// How long a request may take in all: a database that hangs cannot keep its own limits.
const PATIENCE: Duration = Duration::from_secs(15);

/// The shared store.
#[derive(Clone)]
pub struct Postgres {
    pool: Pool,
    server: Arc<str>,
    news: broadcast::Sender<Changed>,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The address of the database may hold a password.
        f.debug_struct("Postgres").field("server", &self.server).finish_non_exhaustive()
    }
}

impl Postgres {
    /// Opens the database at `postgres://USER:PASSWORD@HOST/NAME` and brings its tables up to date. Must be
    /// called within a runtime: one connection listens as long as the store lives.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        let wrong = |why: String| StoreError::Open { address: address::shown(address), why };
        let (mut config, tls) = address::read(address).map_err(wrong)?;
        config.application_name("outremer").connect_timeout(CONNECT).tcp_user_timeout(PATIENCE * 2);
        let own = config.get_options().map_or_else(String::new, |own| format!(" {own}"));
        config.options(format!("{STATEMENT}{own}"));
        let tls = MakeRustlsConnect::new(tls);
        let manager_config = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_config(config.clone(), tls.clone(), manager_config);
        let pool = Pool::builder(manager)
            .max_size(CONNECTIONS)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(POOL_WAIT))
            .create_timeout(Some(CONNECT))
            .recycle_timeout(Some(POOL_WAIT))
            .build()
            .map_err(|e| wrong(e.to_string()))?;
        let store = Self { pool, server: secret::word::<16>().into(), news: broadcast::Sender::new(1024) };
        schema::migrate(&store.pool).await.map_err(|e| wrong(e.to_string()))?;
        // Whoever opens the store hears of everything from now on.
        let (ready, listening) = tokio::sync::oneshot::channel();
        tokio::spawn(news::listen(config, tls, store.news.downgrade(), store.server.clone(), ready));
        listening.await.map_err(|_| wrong("the connection that listens was lost".into()))?;
        Ok(store)
    }

    /// What the others are told: who tells it, and of which table.
    fn told(&self, table: &TableId) -> String {
        format!("{} {table}", self.server)
    }
}

/// An error with all that it says: the database's own words are one level down.
fn in_full(error: &tokio_postgres::Error) -> String {
    use std::error::Error as _;
    error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}"))
}

#[allow(clippy::needless_pass_by_value)]
fn failed(error: tokio_postgres::Error) -> StoreError {
    match error.code() {
        Some(&SqlState::UNIQUE_VIOLATION | &SqlState::T_R_DEADLOCK_DETECTED) => {
            StoreError::Conflict(in_full(&error))
        }
        _ => StoreError::Failed(in_full(&error)),
    }
}

async fn client(pool: &Pool) -> Result<Object, StoreError> {
    pool.get().await.map_err(|error| match error {
        deadpool_postgres::PoolError::Backend(error) => failed(error),
        other => StoreError::Failed(other.to_string()),
    })
}

type Value<'a> = &'a (dyn ToSql + Sync);

async fn rows(pool: &Pool, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
    let client = client(pool).await?;
    let statement = client.prepare_cached(sql).await.map_err(failed)?;
    client.query(&statement, values).await.map_err(failed)
}

async fn execute(pool: &Pool, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
    let client = client(pool).await?;
    let statement = client.prepare_cached(sql).await.map_err(failed)?;
    client.execute(&statement, values).await.map_err(failed)
}

/// One statement of several that happen together.
async fn part(
    work: &deadpool_postgres::Transaction<'_>,
    sql: &str,
    values: &[Value<'_>],
) -> Result<u64, StoreError> {
    let statement = work.prepare_cached(sql).await.map_err(failed)?;
    Transaction::execute(work, &statement, values).await.map_err(failed)
}

fn get<'a, T: FromSql<'a>>(row: &'a Row, column: &str) -> Result<T, StoreError> {
    row.try_get(column).map_err(failed)
}

/// A number that is never below nothing, if there is one.
fn count(row: &Row, column: &str) -> Result<Option<u32>, StoreError> {
    let number: Option<i32> = get(row, column)?;
    number.map(|n| u32::try_from(n).map_err(|_| misplaced(&n, "a count"))).transpose()
}

/// A number that was written as a byte, if there is one.
fn byte(row: &Row, column: &str) -> Result<Option<u8>, StoreError> {
    let number: Option<i16> = get(row, column)?;
    number.map(|n| u8::try_from(n).map_err(|_| misplaced(&n, "a number from 0 to 255"))).transpose()
}

/// A set of seats, if there is one.
fn seat_set(row: &Row, column: &str) -> Result<Option<SeatSet>, StoreError> {
    Ok(byte(row, column)?.map(seats_of))
}

/// What is kept as JSON.
fn json<T: serde::de::DeserializeOwned>(row: &Row, column: &str) -> Result<T, StoreError> {
    serde_json::from_str(get(row, column)?).map_err(unreadable)
}

impl<Of> ToSql for Id<Of> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        self.as_str().to_sql(kind, out)
    }

    fn accepts(kind: &Type) -> bool {
        <&str as ToSql>::accepts(kind)
    }

    to_sql_checked!();
}

impl<'a, Of> FromSql<'a> for Id<Of> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(<&str as FromSql>::from_sql(kind, raw)?.parse()?)
    }

    fn accepts(kind: &Type) -> bool {
        <&str as FromSql>::accepts(kind)
    }
}

/// What is asked of a database, which may not answer.
fn limited<T: Send + 'static>(
    work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Answer<T> {
    Box::pin(async move {
        let late =
            |_| StoreError::Failed(format!("it does not answer within {} seconds", PATIENCE.as_secs()));
        tokio::time::timeout(PATIENCE, work).await.map_err(late)?
    })
}

impl Store for Postgres {
    fn try_to_write(&self) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "INSERT INTO keepsakes (name, value) VALUES ('last check', $1) \
                       ON CONFLICT (name) DO UPDATE SET value = excluded.value";
            execute(&pool, sql, &[&secret::now().to_string()]).await.map(drop)
        })
    }

    fn keepsake(&self, name: String, first: String) -> Answer<String> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "INSERT INTO keepsakes (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
            execute(&pool, sql, &[&name, &first]).await?;
            let found = rows(&pool, "SELECT value FROM keepsakes WHERE name = $1", &[&name]).await?;
            let kept = found.first().map(|r| get(r, "value")).transpose()?;
            kept.ok_or_else(|| StoreError::Failed("a keepsake is gone".into()))
        })
    }

    fn shared(&self) -> bool {
        true
    }

    fn news(&self) -> Option<broadcast::Receiver<Changed>> {
        Some(self.news.subscribe())
    }

    fn plays_bots(&self, table: TableId) -> Answer<bool> {
        let (pool, server) = (self.pool.clone(), self.server.to_string());
        limited(async move {
            let sql = "INSERT INTO leases (tab, server, until) \
                       VALUES ($1, $2, now() + make_interval(secs => $3)) \
                       ON CONFLICT (tab) DO UPDATE SET server = excluded.server, until = excluded.until \
                       WHERE leases.server = excluded.server OR leases.until < now()";
            Ok(execute(&pool, sql, &[&table, &server, &LEASE.as_secs_f64()]).await? == 1)
        })
    }

    fn close(&self) -> Answer<()> {
        let (pool, server) = (self.pool.clone(), self.server.to_string());
        limited(
            async move { execute(&pool, "DELETE FROM leases WHERE server = $1", &[&server]).await.map(drop) },
        )
    }
}

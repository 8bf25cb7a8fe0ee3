//! The shared store: PostgreSQL, for several servers over the same tables.
//!
//! Every change of a table names the version that it was made on and takes the next; the entries have
//! (table, number) as their key besides. Of two servers that act at once the second is told of a conflict.
//! A change is told to the other servers by `NOTIFY` when it is committed, and never before. Which server
//! plays a table's bots is settled by a lease in the database, by the database's own clock.

use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod};
use futures_util::{StreamExt, stream};
use tokio::sync::broadcast;
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::{AsyncMessage, Config, Row, Transaction};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::ClientConfig;

use super::{
    Addition, Answer, ChatRow, DraftRow, EventRow, Kind, LEASE, Listing, PersonRow, SeatRow, Stage, Store,
    StoreError, TableRow, Whole,
};
use crate::secret;

/// The migrations, in order; a step that was ever released is not changed any more.
const SCHEMA: &[&str] = &[
    "
    CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL, password TEXT, account TEXT UNIQUE);
    CREATE TABLE sessions (hash TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people(id));
    CREATE TABLE tables (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, scenario TEXT NOT NULL, seats SMALLINT NOT NULL,
        options TEXT NOT NULL, seed TEXT NOT NULL, head TEXT, stage TEXT NOT NULL, host TEXT NOT NULL,
        listed BOOLEAN NOT NULL, created BIGINT NOT NULL, touched BIGINT NOT NULL,
        waiting SMALLINT NOT NULL, headline TEXT NOT NULL, version BIGINT NOT NULL,
        pace TEXT NOT NULL, clocks TEXT, asked TEXT NOT NULL, numbers TEXT NOT NULL
    );
    CREATE INDEX tables_by_stage ON tables (stage, touched);
    CREATE TABLE seats (
        tab TEXT NOT NULL REFERENCES tables(id), seat SMALLINT NOT NULL, kind TEXT NOT NULL, person TEXT,
        name TEXT NOT NULL, link TEXT, nonce TEXT, stand_in TEXT, PRIMARY KEY (tab, seat)
    );
    CREATE INDEX seats_by_person ON seats (person) WHERE person IS NOT NULL;
    CREATE TABLE entries (
        tab TEXT NOT NULL REFERENCES tables(id), number INTEGER NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, number)
    );
    CREATE TABLE events (
        tab TEXT NOT NULL REFERENCES tables(id), number INTEGER NOT NULL, at BIGINT NOT NULL,
        what TEXT NOT NULL, PRIMARY KEY (tab, number)
    );
    CREATE TABLE drafts (
        tab TEXT NOT NULL REFERENCES tables(id), seat SMALLINT NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, seat)
    );
    CREATE TABLE done (
        tab TEXT NOT NULL REFERENCES tables(id), seat SMALLINT NOT NULL, key TEXT NOT NULL,
        PRIMARY KEY (tab, seat, key)
    );
    CREATE TABLE chat (
        number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tab TEXT NOT NULL REFERENCES tables(id),
        at BIGINT NOT NULL, name TEXT NOT NULL, seat SMALLINT, readers SMALLINT NOT NULL, text TEXT NOT NULL
    );
    CREATE INDEX chat_by_table ON chat (tab, number);
    CREATE TABLE notes (
        tab TEXT NOT NULL REFERENCES tables(id), person TEXT NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, person)
    );
    CREATE TABLE wishes (person TEXT PRIMARY KEY REFERENCES people(id), text TEXT NOT NULL);
    CREATE TABLE house (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE leases (
        tab TEXT PRIMARY KEY REFERENCES tables(id), server TEXT NOT NULL, until TIMESTAMPTZ NOT NULL
    );
",
    "ALTER TABLE tables ADD COLUMN chosen TEXT NOT NULL DEFAULT '';",
];

/// Servers that migrate at the same time wait for each other under this number.
const MIGRATION_LOCK: i64 = 0x4f75_7472_656d_6572;
/// Where changes are told.
const CHANNEL: &str = "outremer";
/// Connections to the database, besides the one that listens.
const CONNECTIONS: usize = 8;
/// What is told when any table may have changed.
pub(crate) const ANY_TABLE: &str = "*";

/// The shared store.
#[derive(Clone)]
pub struct Postgres {
    pool: Pool,
    server: Arc<str>,
    news: broadcast::Sender<String>,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The address of the database may hold a password.
        f.debug_struct("Postgres").field("server", &self.server).finish_non_exhaustive()
    }
}

/// An address without its password, for messages.
fn shown(address: &str) -> String {
    match url::Url::parse(address) {
        Ok(mut url) => {
            // Setting a password fails only where an address cannot have one.
            let _ = url.password().is_some().then(|| url.set_password(Some("…")));
            url.set_query(None);
            url.to_string()
        }
        Err(_) => "postgres://…".into(),
    }
}

/// What an address says about the connection, as PostgreSQL's own programs understand it: `sslmode=disable`,
/// `prefer` (the usual) or `require`, which do not ask who answers, and `verify-full`, which does; with
/// `sslrootcert=FILE` only certificates of that file are believed, and always asked for.
fn read(address: &str) -> Result<(Config, ClientConfig), String> {
    let (place, query) = address.split_once('?').unwrap_or((address, ""));
    let (mut mode, mut file, mut rest) = (None, None, Vec::new());
    for pair in query.split('&').filter(|p| !p.is_empty()) {
        let value = || url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, v)| v.into_owned());
        match pair.split_once('=').map_or(pair, |(key, _)| key) {
            "sslmode" => mode = value(),
            "sslrootcert" => file = value(),
            _ => rest.push(pair),
        }
    }
    let place = if rest.is_empty() { place.to_string() } else { format!("{place}?{}", rest.join("&")) };
    let mut config: Config = place.parse().map_err(|e: tokio_postgres::Error| in_full(&e))?;
    let asks = match (mode.as_deref(), &file) {
        (Some("disable"), _) => {
            config.ssl_mode(SslMode::Disable);
            false
        }
        (None | Some("prefer"), None) => false,
        (Some("require"), None) => {
            config.ssl_mode(SslMode::Require);
            false
        }
        (None | Some("prefer" | "require" | "verify-full"), _) => {
            config.ssl_mode(SslMode::Require);
            true
        }
        (Some(other), _) => {
            return Err(format!("sslmode is disable, prefer, require or verify-full, not `{other}`"));
        }
    };
    let tls = match file {
        Some(file) if asks => crate::tls::trusting(Path::new(&file))?,
        None if asks => crate::tls::config()?,
        _ => crate::tls::unchecked()?,
    };
    Ok((config, tls))
}

impl Postgres {
    /// Opens the database at `postgres://USER:PASSWORD@HOST/NAME` and brings its tables up to date. Must be
    /// called within a runtime: one connection listens as long as the store lives.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        let wrong = |why: String| StoreError::Open { address: shown(address), why };
        let (mut config, tls) = read(address).map_err(wrong)?;
        config.application_name("outremer").connect_timeout(Duration::from_secs(10));
        let tls = MakeRustlsConnect::new(tls);
        let manager_config = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_config(config.clone(), tls.clone(), manager_config);
        let pool = Pool::builder(manager).max_size(CONNECTIONS).build().map_err(|e| wrong(e.to_string()))?;
        let store = Self { pool, server: secret::word::<16>().into(), news: broadcast::Sender::new(1024) };
        store.migrate().await.map_err(|e| wrong(e.to_string()))?;
        // Whoever opens the store hears of everything from now on.
        let (ready, listening) = tokio::sync::oneshot::channel();
        tokio::spawn(listen(config, tls, store.news.downgrade(), store.server.clone(), ready));
        listening.await.map_err(|_| wrong("the connection that listens was lost".into()))?;
        Ok(store)
    }

    async fn migrate(&self) -> Result<(), StoreError> {
        let mut client = client(&self.pool).await?;
        let work = client.transaction().await.map_err(failed)?;
        work.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK]).await.map_err(failed)?;
        work.batch_execute("CREATE TABLE IF NOT EXISTS schema_steps (step INTEGER PRIMARY KEY)")
            .await
            .map_err(failed)?;
        let done = work.query_one("SELECT count(*) FROM schema_steps", &[]).await.map_err(failed)?;
        let done = done.get::<_, i64>(0) as usize;
        if done > SCHEMA.len() {
            let why = format!("the database is at step {done}, this program knows {}", SCHEMA.len());
            return Err(StoreError::Failed(format!("{why}: use a newer version of the program")));
        }
        for (i, step) in SCHEMA.iter().enumerate().skip(done) {
            work.batch_execute(step).await.map_err(failed)?;
            let number = i as i32 + 1;
            work.execute("INSERT INTO schema_steps (step) VALUES ($1)", &[&number]).await.map_err(failed)?;
        }
        work.commit().await.map_err(failed)
    }

    /// What the others are told: who tells it, and of which table.
    fn told(&self, table: &str) -> String {
        format!("{} {table}", self.server)
    }
}

/// Listens to what other servers tell, and connects again when the connection is lost.
async fn listen(
    config: Config,
    tls: MakeRustlsConnect,
    news: broadcast::WeakSender<String>,
    server: Arc<str>,
    ready: tokio::sync::oneshot::Sender<()>,
) {
    let mut ready = Some(ready);
    loop {
        if let Err(error) = hear(&config, &tls, &news, &server, &mut ready).await {
            tracing::error!(error = %in_full(&error), "the connection that listens was lost");
        }
        if news.upgrade().is_none() {
            return;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn hear(
    config: &Config,
    tls: &MakeRustlsConnect,
    news: &broadcast::WeakSender<String>,
    server: &str,
    ready: &mut Option<tokio::sync::oneshot::Sender<()>>,
) -> Result<(), tokio_postgres::Error> {
    let (client, mut connection) = config.connect(tls.clone()).await?;
    let mut messages = pin!(stream::poll_fn(move |context| connection.poll_message(context)));
    let command = format!("LISTEN {CHANNEL}");
    let mut asked = pin!(client.batch_execute(&command));
    let mut listening = false;
    // A connection that nobody uses any more is given up when the store is.
    let mut each = tokio::time::interval(Duration::from_secs(5));
    loop {
        tokio::select! {
            answer = &mut asked, if !listening => {
                answer?;
                listening = true;
                if let Some(ready) = ready.take() {
                    // Whoever opened the store may have gone away.
                    let _ = ready.send(());
                }
                // What was told before this moment was not heard.
                tell(news, ANY_TABLE);
            }
            message = messages.next() => match message {
                Some(Ok(AsyncMessage::Notification(note))) => {
                    if let Some((by, table)) = note.payload().split_once(' ')
                        && by != server
                    {
                        tell(news, table);
                    }
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
                None => return Ok(()),
            },
            _ = each.tick() => {
                if news.upgrade().is_none() {
                    return Ok(());
                }
            }
        }
    }
}

fn tell(news: &broadcast::WeakSender<String>, table: &str) {
    if let Some(news) = news.upgrade() {
        // Nobody may be following yet.
        let _ = news.send(table.to_string());
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

fn unreadable(error: serde_json::Error) -> StoreError {
    StoreError::Failed(format!("what is stored cannot be read: {error}"))
}

async fn client(pool: &Pool) -> Result<Object, StoreError> {
    pool.get().await.map_err(|error| match error {
        deadpool_postgres::PoolError::Backend(error) => failed(error),
        other => StoreError::Failed(other.to_string()),
    })
}

type Value<'a> = &'a (dyn tokio_postgres::types::ToSql + Sync);

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

/// A number that was written as a byte.
fn byte(row: &Row, column: usize) -> Result<u8, StoreError> {
    let number: i16 = get(row, column)?;
    u8::try_from(number).map_err(|_| StoreError::Failed(format!("{number} is stored where 0 to 255 belongs")))
}

fn get<'a, T: tokio_postgres::types::FromSql<'a>>(row: &'a Row, column: usize) -> Result<T, StoreError> {
    row.try_get(column).map_err(failed)
}

const TABLE: &str = "SELECT id, game, scenario, seats, options, seed, head, stage, host, listed, created, \
                     touched, waiting, headline, version, pace, clocks, asked, numbers, chosen FROM tables";

fn table_row(row: &Row) -> Result<TableRow, StoreError> {
    Ok(TableRow {
        id: get(row, 0)?,
        game: get(row, 1)?,
        scenario: get(row, 2)?,
        seats: byte(row, 3)?,
        options: serde_json::from_str(get(row, 4)?).map_err(unreadable)?,
        seed: get(row, 5)?,
        head: get(row, 6)?,
        stage: Stage::of(get(row, 7)?),
        host: get(row, 8)?,
        listed: get(row, 9)?,
        created: get(row, 10)?,
        touched: get(row, 11)?,
        waiting: byte(row, 12)?,
        headline: get(row, 13)?,
        version: get(row, 14)?,
        pace: get(row, 15)?,
        clocks: get(row, 16)?,
        asked: get(row, 17)?,
        numbers: get(row, 18)?,
        chosen: get(row, 19)?,
    })
}

const SEATS: &str = "SELECT tab, kind, person, name, link, nonce, stand_in FROM seats \
                     WHERE tab = ANY($1) ORDER BY tab, seat";

fn seat_row(row: &Row) -> Result<SeatRow, StoreError> {
    Ok(SeatRow {
        kind: Kind::of(get(row, 1)?),
        person: get(row, 2)?,
        name: get(row, 3)?,
        link: get(row, 4)?,
        nonce: get(row, 5)?,
        stand_in: get(row, 6)?,
    })
}

async fn put_seat(
    work: &deadpool_postgres::Transaction<'_>,
    table: &str,
    seat: u8,
    row: &SeatRow,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO seats (tab, seat, kind, person, name, link, nonce, stand_in) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (tab, seat) DO UPDATE SET \
               kind = excluded.kind, person = excluded.person, name = excluded.name, link = excluded.link, \
               nonce = excluded.nonce, stand_in = excluded.stand_in";
    let (seat, kind) = (i16::from(seat), row.kind.word());
    part(work, sql, &[&table, &seat, &kind, &row.person, &row.name, &row.link, &row.nonce, &row.stand_in])
        .await
        .map(drop)
}

const PUT_ENTRY: &str = "INSERT INTO entries (tab, number, text) VALUES ($1, $2, $3)";
const TELL: &str = "SELECT pg_notify('outremer', $1)";
const PUT_SESSION: &str = "INSERT INTO sessions (hash, person) VALUES ($1, $2)";

fn person_row(row: &Row) -> Result<PersonRow, StoreError> {
    Ok(PersonRow { id: get(row, 0)?, name: get(row, 1)?, password: get(row, 2)? })
}

impl Store for Postgres {
    fn add_person(&self, person: PersonRow, session: String) -> Answer<()> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let mut client = client(&pool).await?;
            let work = client.transaction().await.map_err(failed)?;
            let sql = "INSERT INTO people (id, name, password) VALUES ($1, $2, $3)";
            part(&work, sql, &[&person.id, &person.name, &person.password]).await?;
            part(&work, PUT_SESSION, &[&session, &person.id]).await?;
            work.commit().await.map_err(failed)
        })
    }

    fn make_account(&self, person: PersonRow) -> Answer<()> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let mut client = client(&pool).await?;
            let work = client.transaction().await.map_err(failed)?;
            let account = person.name.to_lowercase();
            let sql = "UPDATE people SET name = $2, password = $3, account = $4 WHERE id = $1";
            part(&work, sql, &[&person.id, &person.name, &person.password, &account]).await?;
            part(&work, "UPDATE seats SET name = $2 WHERE person = $1", &[&person.id, &person.name]).await?;
            work.commit().await.map_err(failed)
        })
    }

    fn account(&self, name: String) -> Answer<Option<PersonRow>> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let sql = "SELECT id, name, password FROM people WHERE account = $1";
            rows(&pool, sql, &[&name.to_lowercase()]).await?.first().map(person_row).transpose()
        })
    }

    fn add_session(&self, person: String, session: String) -> Answer<()> {
        let pool = self.pool.clone();
        Box::pin(async move { execute(&pool, PUT_SESSION, &[&session, &person]).await.map(drop) })
    }

    fn end_session(&self, session: String) -> Answer<()> {
        let pool = self.pool.clone();
        Box::pin(async move {
            execute(&pool, "DELETE FROM sessions WHERE hash = $1", &[&session]).await.map(drop)
        })
    }

    fn person(&self, session: String) -> Answer<Option<PersonRow>> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let sql = "SELECT p.id, p.name, p.password FROM sessions s JOIN people p ON p.id = s.person \
                       WHERE s.hash = $1";
            rows(&pool, sql, &[&session]).await?.first().map(person_row).transpose()
        })
    }

    fn add_table(&self, row: TableRow, seats: Vec<SeatRow>, entries: Vec<String>) -> Answer<()> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let mut client = client(&pool).await?;
            let work = client.transaction().await.map_err(failed)?;
            let sql = "INSERT INTO tables (id, game, scenario, seats, options, seed, head, stage, host, \
                       listed, created, touched, waiting, headline, version, pace, clocks, asked, numbers, chosen) VALUES \
                       ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)";
            let options = serde_json::to_string(&row.options).map_err(unreadable)?;
            let (count, waiting, stage) = (i16::from(row.seats), i16::from(row.waiting), row.stage.word());
            let values: [Value<'_>; 20] = [
                &row.id,
                &row.game,
                &row.scenario,
                &count,
                &options,
                &row.seed,
                &row.head,
                &stage,
                &row.host,
                &row.listed,
                &row.created,
                &row.touched,
                &waiting,
                &row.headline,
                &row.version,
                &row.pace,
                &row.clocks,
                &row.asked,
                &row.numbers,
                &row.chosen,
            ];
            part(&work, sql, &values).await?;
            for (seat, seat_row) in seats.iter().enumerate() {
                put_seat(&work, &row.id, seat as u8, seat_row).await?;
            }
            for (i, text) in entries.iter().enumerate() {
                part(&work, PUT_ENTRY, &[&row.id, &(i as i32 + 1), text]).await?;
            }
            work.commit().await.map_err(failed)
        })
    }

    fn table(&self, id: String) -> Answer<Option<Whole>> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let mut client = client(&pool).await?;
            // All of it as it was at one moment.
            let reading = client.build_transaction().read_only(true);
            let work = reading
                .isolation_level(tokio_postgres::IsolationLevel::RepeatableRead)
                .start()
                .await
                .map_err(failed)?;
            let ask = async |sql: &str, values: &[Value<'_>]| {
                let statement = work.prepare_cached(sql).await.map_err(failed)?;
                work.query(&statement, values).await.map_err(failed)
            };
            let found = ask(&format!("{TABLE} WHERE id = $1"), &[&id]).await?;
            let Some(row) = found.first() else { return Ok(None) };
            let row = table_row(row)?;
            let seats = ask(SEATS, &[&vec![&id]]).await?;
            let entries = ask("SELECT text FROM entries WHERE tab = $1 ORDER BY number", &[&id]).await?;
            let drafts = ask("SELECT seat, text FROM drafts WHERE tab = $1", &[&id]).await?;
            let chat = "SELECT at, name, seat, readers, text FROM chat WHERE tab = $1 ORDER BY number";
            let chat = ask(chat, &[&id]).await?;
            let events = ask("SELECT at, what FROM events WHERE tab = $1 ORDER BY number", &[&id]).await?;
            let draft = |r: &Row| -> Result<(u8, DraftRow), StoreError> {
                Ok((byte(r, 0)?, serde_json::from_str(get(r, 1)?).map_err(unreadable)?))
            };
            let word = |r: &Row| -> Result<ChatRow, StoreError> {
                let seat: Option<i16> = get(r, 2)?;
                Ok(ChatRow {
                    at: get(r, 0)?,
                    name: get(r, 1)?,
                    seat: seat.and_then(|s| u8::try_from(s).ok()),
                    readers: byte(r, 3)?,
                    text: get(r, 4)?,
                })
            };
            Ok(Some(Whole {
                row,
                seats: seats.iter().map(seat_row).collect::<Result<_, _>>()?,
                entries: entries.iter().map(|r| get(r, 0)).collect::<Result<_, _>>()?,
                drafts: drafts.iter().map(draft).collect::<Result<_, _>>()?,
                chat: chat.iter().map(word).collect::<Result<_, _>>()?,
                events: events
                    .iter()
                    .map(|r| Ok(EventRow { at: get(r, 0)?, what: get(r, 1)? }))
                    .collect::<Result<_, StoreError>>()?,
            }))
        })
    }

    fn list(&self, listing: Listing, most: u32) -> Answer<Vec<(TableRow, Vec<SeatRow>)>> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let most = i64::from(most);
            let condition = match &listing {
                Listing::Open => {
                    "stage = 'gathering' AND listed AND \
                     EXISTS (SELECT 1 FROM seats WHERE tab = id AND kind = 'open')"
                }
                Listing::Of(_) => "id IN (SELECT tab FROM seats WHERE person = $2)",
                Listing::Running => "stage = 'running' AND listed",
                Listing::Unfinished => "stage = 'running'",
            };
            let sql = format!("{TABLE} WHERE {condition} ORDER BY touched DESC LIMIT $1");
            let found = match &listing {
                Listing::Of(person) => rows(&pool, &sql, &[&most, person]).await?,
                _ => rows(&pool, &sql, &[&most]).await?,
            };
            let tables = found.iter().map(table_row).collect::<Result<Vec<_>, _>>()?;
            let ids: Vec<_> = tables.iter().map(|t| t.id.as_str()).collect();
            let mut seats = std::collections::BTreeMap::<String, Vec<SeatRow>>::new();
            for row in rows(&pool, SEATS, &[&ids]).await? {
                seats.entry(get(&row, 0)?).or_default().push(seat_row(&row)?);
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

    fn append(&self, table: String, addition: Addition) -> Answer<()> {
        let (pool, told) = (self.pool.clone(), self.told(&table));
        Box::pin(async move {
            let mut client = client(&pool).await?;
            let work = client.transaction().await.map_err(failed)?;
            // The row of the table first: two servers stand in line here, and the second sees the version.
            let sql = "UPDATE tables SET touched = coalesce($2, touched), waiting = $3, \
                       stage = coalesce($4, stage), head = coalesce($5, head), \
                       headline = coalesce($6, headline), clocks = coalesce($7, clocks), \
                       asked = coalesce($8, asked), numbers = coalesce($10, numbers), chosen = coalesce($11, chosen), \
                       version = version + 1 WHERE id = $1 AND version = $9";
            let (waiting, stage) = (i16::from(addition.waiting), addition.stage.map(Stage::word));
            let values: [Value<'_>; 11] = [
                &table,
                &addition.at,
                &waiting,
                &stage,
                &addition.head,
                &addition.headline,
                &addition.clocks,
                &addition.asked,
                &addition.version,
                &addition.numbers,
                &addition.chosen,
            ];
            if part(&work, sql, &values).await? == 0 {
                return Err(StoreError::Conflict(format!("the table is past version {}", addition.version)));
            }
            for (number, text) in &addition.entries {
                part(&work, PUT_ENTRY, &[&table, &(*number as i32), text]).await?;
            }
            for (number, event) in &addition.events {
                let sql = "INSERT INTO events (tab, number, at, what) VALUES ($1, $2, $3, $4)";
                part(&work, sql, &[&table, &(*number as i32), &event.at, &event.what]).await?;
            }
            for (seat, row) in &addition.seats {
                put_seat(&work, &table, *seat, row).await?;
            }
            for (seat, draft) in &addition.drafts {
                let seat = i16::from(*seat);
                if *draft == DraftRow::default() {
                    let sql = "DELETE FROM drafts WHERE tab = $1 AND seat = $2";
                    part(&work, sql, &[&table, &seat]).await?;
                } else {
                    let text = serde_json::to_string(draft).map_err(unreadable)?;
                    let sql = "INSERT INTO drafts (tab, seat, text) VALUES ($1, $2, $3) \
                               ON CONFLICT (tab, seat) DO UPDATE SET text = excluded.text";
                    part(&work, sql, &[&table, &seat, &text]).await?;
                }
            }
            if let Some((seat, key)) = &addition.key {
                let sql = "INSERT INTO done (tab, seat, key) VALUES ($1, $2, $3)";
                part(&work, sql, &[&table, &i16::from(*seat), key]).await?;
            }
            part(&work, TELL, &[&told]).await?;
            work.commit().await.map_err(failed)
        })
    }

    fn version(&self, table: String) -> Answer<Option<i64>> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let found = rows(&pool, "SELECT version FROM tables WHERE id = $1", &[&table]).await?;
            found.first().map(|r| get(r, 0)).transpose()
        })
    }

    fn was_done(&self, table: String, seat: u8, key: String) -> Answer<bool> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let sql = "SELECT 1 FROM done WHERE tab = $1 AND seat = $2 AND key = $3";
            Ok(!rows(&pool, sql, &[&table, &i16::from(seat), &key]).await?.is_empty())
        })
    }

    fn say(&self, table: String, row: ChatRow) -> Answer<()> {
        let (pool, told) = (self.pool.clone(), self.told(&table));
        Box::pin(async move {
            let mut client = client(&pool).await?;
            let work = client.transaction().await.map_err(failed)?;
            let sql = "INSERT INTO chat (tab, at, name, seat, readers, text) VALUES ($1, $2, $3, $4, $5, $6)";
            let (seat, readers) = (row.seat.map(i16::from), i16::from(row.readers));
            part(&work, sql, &[&table, &row.at, &row.name, &seat, &readers, &row.text]).await?;
            part(&work, TELL, &[&told]).await?;
            work.commit().await.map_err(failed)
        })
    }

    fn notes(&self, table: String, person: String) -> Answer<String> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let sql = "SELECT text FROM notes WHERE tab = $1 AND person = $2";
            let found = rows(&pool, sql, &[&table, &person]).await?;
            Ok(found.first().map(|r| get(r, 0)).transpose()?.unwrap_or_default())
        })
    }

    fn set_notes(&self, table: String, person: String, text: String) -> Answer<()> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let sql = "INSERT INTO notes (tab, person, text) VALUES ($1, $2, $3) \
                       ON CONFLICT (tab, person) DO UPDATE SET text = excluded.text";
            execute(&pool, sql, &[&table, &person, &text]).await.map(drop)
        })
    }

    fn wishes(&self, person: String) -> Answer<Option<String>> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let found = rows(&pool, "SELECT text FROM wishes WHERE person = $1", &[&person]).await?;
            found.first().map(|r| get(r, 0)).transpose()
        })
    }

    fn set_wishes(&self, person: String, text: String) -> Answer<()> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let sql = "INSERT INTO wishes (person, text) VALUES ($1, $2) \
                       ON CONFLICT (person) DO UPDATE SET text = excluded.text";
            execute(&pool, sql, &[&person, &text]).await.map(drop)
        })
    }

    fn house(&self, name: String, first: String) -> Answer<String> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let sql = "INSERT INTO house (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
            execute(&pool, sql, &[&name, &first]).await?;
            let found = rows(&pool, "SELECT value FROM house WHERE name = $1", &[&name]).await?;
            let kept = found.first().map(|r| get(r, 0)).transpose()?;
            kept.ok_or_else(|| StoreError::Failed("what the house keeps is gone".into()))
        })
    }

    fn shared(&self) -> bool {
        true
    }

    fn news(&self) -> Option<broadcast::Receiver<String>> {
        Some(self.news.subscribe())
    }

    fn plays_bots(&self, table: String) -> Answer<bool> {
        let (pool, server) = (self.pool.clone(), self.server.to_string());
        Box::pin(async move {
            let sql = "INSERT INTO leases (tab, server, until) \
                       VALUES ($1, $2, now() + make_interval(secs => $3)) \
                       ON CONFLICT (tab) DO UPDATE SET server = excluded.server, until = excluded.until \
                       WHERE leases.server = excluded.server OR leases.until < now()";
            Ok(execute(&pool, sql, &[&table, &server, &LEASE.as_secs_f64()]).await? == 1)
        })
    }

    fn close(&self) -> Answer<()> {
        let (pool, server) = (self.pool.clone(), self.server.to_string());
        Box::pin(
            async move { execute(&pool, "DELETE FROM leases WHERE server = $1", &[&server]).await.map(drop) },
        )
    }
}

//! The database goes away and comes back, and nobody learns from it what he may not know.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{Caller, house, two_at};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use server::store::{
    Addition, Answer, ChatRow, KeepsPeople, KeepsTables, Listing, PersonRow, SeatRow, SessionRow, TableRow,
    Whole,
};
use server::{PersonId, Sqlite, Store, StoreError, TableId};

/// A store that fails when the test says so.
struct Shaky {
    inner: Sqlite,
    /// Nothing is written.
    down: AtomicBool,
    /// How long writing to a table takes, in milliseconds.
    slow: AtomicU64,
    /// How the next readings of a table go: after how long, and whether they succeed.
    readings: Mutex<VecDeque<(u64, bool)>>,
}

/// What a caller and the test share.
struct Handle(Arc<Shaky>);

fn gone<T>() -> Result<T, StoreError> {
    Err(StoreError::Failed("the database is away".into()))
}

macro_rules! pass_on {
    ($(fn $name:ident($($arg:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&self, $($arg: $kind),*) -> Answer<$answer> { self.0.inner.$name($($arg),*) })*
    };
}

impl KeepsPeople for Handle {
    pass_on! {
        fn add_person(person: PersonRow, session: SessionRow) -> ();
        fn make_account(person: PersonRow) -> ();
        fn account(name: String) -> Option<PersonRow>;
        fn name_taken(name: String) -> bool;
        fn add_session(session: SessionRow) -> ();
        fn session(hash: String) -> Option<(PersonRow, SessionRow)>;
        fn use_session(hash: String, now: i64) -> ();
        fn sessions(person: PersonId) -> Vec<SessionRow>;
        fn end_sessions(person: PersonId, id: Option<String>, except: Option<String>) -> ();
        fn sweep_sessions(created_before: i64, used_before: i64, now: i64) -> ();
        fn add_reset(person: PersonId, hash: String, until: i64) -> ();
        fn use_reset(hash: String, now: i64, password: String) -> Option<PersonId>;
        fn erase_person(person: PersonId, instead: String) -> ();
        fn ways(person: PersonId) -> Option<String>;
        fn set_ways(person: PersonId, text: String) -> ();
    }
}

impl Store for Handle {
    pass_on! {
        fn try_to_write() -> ();
        fn keepsake(name: String, first: String) -> String;
    }
}

impl KeepsTables for Handle {
    pass_on! {
        fn add_table(row: TableRow, seats: Vec<SeatRow>, entries: Vec<String>) -> ();
        fn list(listing: Listing, most: u32) -> Vec<(TableRow, Vec<SeatRow>)>;
        fn version(table: TableId) -> Option<i64>;
        fn was_done(table: TableId, seat: u8, key: String) -> bool;
        fn say(table: TableId, row: ChatRow) -> ();
        fn said_by(person: PersonId) -> Vec<(TableId, ChatRow)>;
        fn notes(table: TableId, person: PersonId) -> String;
        fn set_notes(table: TableId, person: PersonId, text: String) -> ();
        fn notes_of(person: PersonId) -> Vec<(TableId, String)>;
        fn seen(table: TableId, person: PersonId, seat: u8) -> Option<u32>;
        fn set_seen(table: TableId, person: PersonId, seat: u8, moments: u32) -> ();
    }

    fn table(&self, id: TableId) -> Answer<Option<Whole>> {
        let reading = self.0.readings.lock().unwrap().pop_front();
        let found = self.0.inner.table(id);
        Box::pin(async move {
            let Some((wait, good)) = reading else { return found.await };
            tokio::time::sleep(Duration::from_millis(wait)).await;
            if good { found.await } else { gone() }
        })
    }

    fn append(&self, table: TableId, addition: Addition) -> Answer<()> {
        if self.0.down.load(Ordering::SeqCst) {
            return Box::pin(async { gone() });
        }
        let (slow, done) = (self.0.slow.load(Ordering::SeqCst), self.0.inner.append(table, addition));
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(slow)).await;
            done.await
        })
    }
}

fn shaky() -> Arc<Shaky> {
    Arc::new(Shaky {
        inner: Sqlite::in_memory().unwrap(),
        down: AtomicBool::new(false),
        slow: AtomicU64::new(0),
        readings: Mutex::default(),
    })
}

/// A program that asks for the stream of a table and then does not read it keeps nobody from the table.
#[tokio::test(flavor = "multi_thread")]
async fn who_stops_reading_stops_nobody() {
    use futures_util::StreamExt;
    use tower::ServiceExt;
    let store = shaky();
    let app = house(Arc::new(Handle(store.clone())));
    let (one, _, table) = two_at(&app, "connect-four").await;
    let eve = Caller::new(&app, "Eve").await;
    let view = one.view(&table, 0).await;
    let request = Request::get(format!("/api/tables/{table}/stream"))
        .header("authorization", format!("Bearer {}", eve.token))
        .body(Body::empty())
        .unwrap();
    let mut stream = app.clone().oneshot(request).await.unwrap().into_body().into_data_stream();
    // An action takes a while; the stream is asked for its first line meanwhile, and then never again.
    store.slow.store(500, Ordering::SeqCst);
    let acting = {
        let (one, table) = (one.clone(), table.clone());
        tokio::spawn(async move { one.act(&table, 0, &view, 0).await.0 })
    };
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert!(tokio::time::timeout(Duration::from_millis(50), stream.next()).await.is_err());
    assert_eq!(acting.await.unwrap(), StatusCode::OK);
    let view = tokio::time::timeout(Duration::from_secs(20), one.view(&table, 0)).await;
    assert!(view.is_ok(), "the table answers nobody any more");
}

/// A table that was lost in an outage is not over: a stranger who asks while it is being looked for again gets no
/// record.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_table_is_not_an_open_book() {
    let store = shaky();
    let app = house(Arc::new(Handle(store.clone())));
    let (one, two, table) = two_at(&app, "phantom-tic-tac-toe").await;
    let eve = Caller::new(&app, "Eve").await;
    let view = one.view(&table, 0).await;
    assert_eq!(one.act(&table, 0, &view, 4).await.0, StatusCode::OK);
    // The database goes away in the middle of an action, and the table is lost.
    let view = two.view(&table, 1).await;
    store.down.store(true, Ordering::SeqCst);
    store.readings.lock().unwrap().push_back((0, false));
    assert_eq!(two.act(&table, 1, &view, 0).await.0, StatusCode::SERVICE_UNAVAILABLE);
    // It comes back while one request still fails; another slips in behind that one.
    store.down.store(false, Ordering::SeqCst);
    store.readings.lock().unwrap().push_back((400, false));
    let path = format!("/api/tables/{table}?seat=0");
    let first = {
        let (one, path) = (one.clone(), path.clone());
        tokio::spawn(async move { one.text(&path).await.0 })
    };
    tokio::time::sleep(Duration::from_millis(150)).await;
    for path in ["record", "replay", "moment?as=0"] {
        let (status, text) = eve.text(&format!("/t/{table}/{path}")).await;
        assert!(path != "record" || status != StatusCode::OK, "{text}");
        let told = text.lines().any(|line| line.starts_with("seed ")) || text.contains("<dt>The seed</dt>");
        assert!(!told, "{text}");
    }
    assert_eq!(first.await.unwrap(), StatusCode::SERVICE_UNAVAILABLE);
    // All is as it was.
    let view = two.view(&table, 1).await;
    assert!(view["frozen"].is_null() && view["seed"].is_null());
    assert_eq!(two.act(&table, 1, &view, 0).await.0, StatusCode::OK);
    assert_eq!(eve.text(&format!("/t/{table}/record")).await.0, StatusCode::CONFLICT);
}

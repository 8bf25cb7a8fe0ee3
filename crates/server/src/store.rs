//! What is kept: people, sessions, tables, seats, entries, drafts, chat and notes, behind one small trait.
//!
//! | module | what it holds |
//! |---|---|
//! | [`people`](KeepsPeople) | people, their sessions and passwords, how they are told |
//! | [`tables`](KeepsTables) | tables and all that happens there; notes about them |
//! | [`Sqlite`] | an embedded file |
//! | [`Postgres`] | a database that several servers share |
//!
//! Entries of a table are only ever added, under the key (table, number): a number is never used twice, and
//! when two servers share a store that key decides which of them was first. Whatever
//! [`KeepsTables::append`] answers to is durable.
//!
//! A column holds one thing. A set of seats is a number, seat 0 its lowest bit. What only the program reads and
//! no question asks for (the options of a game, an event, a draft, the ways in which somebody is told) is JSON.

use std::future::Future;
use std::pin::Pin;

use table::{MOST_SEATS, SeatSet};
use tokio::sync::broadcast;

use crate::ids::TableId;

mod people;
mod postgres;
mod sqlite;
mod tables;

pub use people::{KeepsPeople, PersonRow, SessionRow};
pub use postgres::Postgres;
pub use sqlite::Sqlite;
pub use tables::{
    Addition, Allowance, ChatRow, Chosen, DraftRow, EventRow, KeepsTables, Kind, Listing, SeatRow, TableRow,
    TableStage, Tempo, Whole, held_by,
};

/// What a store answers, some time later.
pub type Answer<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// Why the store did not do it. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Something with this key is there already.
    #[error("it is there already: {0}")]
    Conflict(String),
    /// The store cannot be opened.
    #[error("cannot open the database {address}: {why}")]
    Open {
        /// Its address.
        address: String,
        /// Why not.
        why: String,
    },
    /// The database failed.
    #[error("the database failed: {0}")]
    Failed(String),
    /// The store has been closed.
    #[error("the database is closed")]
    Closed,
}

/// What another server has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// This table.
    Table(TableId),
    /// Any table, perhaps: some news were not heard.
    Any,
}

/// Where everything is kept.
pub trait Store: KeepsPeople + KeepsTables {
    /// Writes something, to find out whether the store can.
    fn try_to_write(&self) -> Answer<()>;
    /// A keepsake of the server itself, such as a key: what was kept first under this name.
    fn keepsake(&self, name: String, first: String) -> Answer<String>;

    /// Whether other servers may use the same store.
    fn shared(&self) -> bool {
        false
    }
    /// Tells what other servers have changed.
    fn news(&self) -> Option<broadcast::Receiver<Changed>> {
        None
    }
    /// Whether this server is the one that plays a table's bots, for the next [`LEASE`].
    fn plays_bots(&self, _table: TableId) -> Answer<bool> {
        Box::pin(async { Ok(true) })
    }
    /// The server stops: what it kept from the others is theirs.
    fn close(&self) -> Answer<()> {
        Box::pin(async { Ok(()) })
    }
}

/// How long a server plays a table's bots before another may.
pub const LEASE: std::time::Duration = std::time::Duration::from_secs(20);

/// A set of seats as it is kept.
pub(crate) fn bits(seats: SeatSet) -> u8 {
    seats.iter().fold(0, |bits, seat| bits | 1 << seat.index())
}

/// A set of seats that was kept.
fn seats_of(bits: u8) -> SeatSet {
    SeatSet::first(MOST_SEATS).iter().filter(|s| bits >> s.index() & 1 == 1).collect()
}

/// What was found where something else belongs.
fn misplaced(found: &dyn std::fmt::Display, belongs: &str) -> StoreError {
    StoreError::Failed(format!("`{found}` is stored where {belongs} belongs"))
}

#[allow(clippy::needless_pass_by_value)]
fn unreadable(error: serde_json::Error) -> StoreError {
    StoreError::Failed(format!("what is stored cannot be read: {error}"))
}

//! What is kept: people, sessions, tables, seats, entries, drafts, chat and notes, behind one small trait.
//!
//! Entries of a table are only ever added, under the key (table, number): a number is never used twice, and
//! when two servers share a store that key decides which of them was first. Whatever [`Store::append`]
//! answers to is durable.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

mod postgres;
mod sqlite;

pub(crate) use postgres::ANY_TABLE;
pub use postgres::Postgres;
pub use sqlite::Sqlite;

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

/// Somebody who plays: a guest, or with a password an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonRow {
    /// A random id.
    pub id: String,
    /// The name that others see.
    pub name: String,
    /// The argon2id hash of the password; `None` for a guest.
    pub password: Option<String>,
}

/// How far a table has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Seats are being filled.
    Gathering,
    /// The game is being played.
    Running,
    /// The game is over.
    Over,
    /// A rule failed or the record no longer replays: the table stands at its last good entry.
    Frozen,
}

impl Stage {
    /// Its name in the store.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Gathering => "gathering",
            Self::Running => "running",
            Self::Over => "over",
            Self::Frozen => "frozen",
        }
    }

    /// The stage of a name.
    pub fn of(word: &str) -> Self {
        match word {
            "running" => Self::Running,
            "over" => Self::Over,
            "frozen" => Self::Frozen,
            _ => Self::Gathering,
        }
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// A random id that nobody guesses.
    pub id: String,
    /// The game's id.
    pub game: String,
    /// The scenario.
    pub scenario: String,
    /// How many seats.
    pub seats: u8,
    /// The options of the set-up.
    pub options: BTreeMap<String, String>,
    /// The seed of the dice, as hexadecimal digits: secret until the game is over.
    pub seed: String,
    /// The head of the record, once the game has begun: everything before its first entry.
    pub head: Option<String>,
    /// How far it has come.
    pub stage: Stage,
    /// Who opened it.
    pub host: String,
    /// Whether strangers may join its open seats from the lobby.
    pub listed: bool,
    /// When it was opened, in seconds since 1970.
    pub created: i64,
    /// When something last happened.
    pub touched: i64,
    /// The seats that it waits for, as bits.
    pub waiting: u8,
    /// How it ended, or why it is frozen.
    pub headline: String,
    /// How often the table has changed: whoever changes it says which version he knew.
    pub version: i64,
    /// The pace of its clocks, as a word; empty for none.
    pub pace: String,
    /// Its clocks, as JSON, once the game has begun.
    pub clocks: Option<String>,
    /// A take-back that somebody asks for; empty for none.
    pub asked: String,
    /// The numbers of the seats' present decisions, so that every server and every life of a server counts on
    /// from the same; empty before the game begins.
    pub numbers: String,
    /// Who has made a secret choice, as all may know, and after which entry; empty for nobody.
    pub chosen: String,
}

/// Who sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A person.
    Person,
    /// Nobody yet; anybody may sit down.
    Open,
    /// Nobody yet; whoever has the secret link may sit down.
    Invited,
    /// A bot.
    Bot,
}

impl Kind {
    /// Its name in the store.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Open => "open",
            Self::Invited => "invited",
            Self::Bot => "bot",
        }
    }

    /// The kind of a name.
    pub fn of(word: &str) -> Self {
        match word {
            "person" => Self::Person,
            "bot" => Self::Bot,
            "invited" => Self::Invited,
            _ => Self::Open,
        }
    }
}

/// A seat of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRow {
    /// Who sits there.
    pub kind: Kind,
    /// The person.
    pub person: Option<String>,
    /// The name to show: the person's, or the bot's level.
    pub name: String,
    /// The hash of the seat's secret link, if it has one.
    pub link: Option<String>,
    /// What the seat added to the seed, as hexadecimal digits.
    pub nonce: Option<String>,
    /// The level of the bot that sits in for the person.
    pub stand_in: Option<String>,
}

/// Something that happened at a table outside the game: a claim, time granted, a bot that sits in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRow {
    /// When, in seconds since 1970.
    pub at: i64,
    /// What, as JSON.
    pub what: String,
}

/// A seat's clicks that are not yet in the record, and its standing orders.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftRow {
    /// The clicks.
    pub actions: Vec<String>,
    /// The standing orders.
    pub orders: Vec<String>,
}

/// A word said at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChatRow {
    /// When, in seconds since 1970.
    pub at: i64,
    /// Who.
    pub name: String,
    /// From which seat, if from one.
    pub seat: Option<u8>,
    /// The seats that may read it, as bits; 0 for everybody.
    pub readers: u8,
    /// What.
    pub text: String,
}

/// What one action adds to a table, all or nothing.
#[derive(Clone, Debug, Default)]
pub struct Addition {
    /// The version of the table that this changes; at any other, it is a conflict.
    pub version: i64,
    /// New entries: number and text.
    pub entries: Vec<(u32, String)>,
    /// New events, with their numbers.
    pub events: Vec<(u32, EventRow)>,
    /// Seats that changed.
    pub seats: Vec<(u8, SeatRow)>,
    /// The clocks, if they changed.
    pub clocks: Option<String>,
    /// The take-back that is asked for, if that changed; empty for none.
    pub asked: Option<String>,
    /// The numbers of the seats' present decisions, if they changed.
    pub numbers: Option<String>,
    /// Who has made a secret choice, if that changed; empty for nobody.
    pub chosen: Option<String>,
    /// Drafts and orders that changed.
    pub drafts: Vec<(u8, DraftRow)>,
    /// The key of the request, so that a repetition changes nothing.
    pub key: Option<(u8, String)>,
    /// How the table stands afterwards.
    pub stage: Option<Stage>,
    /// The head of the record, when the game begins.
    pub head: Option<String>,
    /// The seats that it waits for.
    pub waiting: u8,
    /// How it ended, or why it is frozen.
    pub headline: Option<String>,
    /// When, if it is anything that others may notice.
    pub at: Option<i64>,
}

/// All there is of a table.
#[derive(Clone, Debug)]
pub struct Whole {
    /// The table.
    pub row: TableRow,
    /// Its seats.
    pub seats: Vec<SeatRow>,
    /// Its entries, in order.
    pub entries: Vec<String>,
    /// Drafts and orders by seat.
    pub drafts: BTreeMap<u8, DraftRow>,
    /// What was said.
    pub chat: Vec<ChatRow>,
    /// What happened outside the game.
    pub events: Vec<EventRow>,
}

/// Which tables to list.
#[derive(Clone, Debug)]
pub enum Listing {
    /// Tables with an open seat that anybody may take.
    Open,
    /// Tables where this person sits.
    Of(String),
    /// Tables being played, to watch.
    Running,
    /// All that are being played, whoever plays: for the server when it starts.
    Unfinished,
}

/// Where everything is kept.
pub trait Store: Send + Sync + 'static {
    /// Adds a person with a first session.
    fn add_person(&self, person: PersonRow, session: String) -> Answer<()>;
    /// Gives a person a name and a password. An account's name is nobody else's.
    fn make_account(&self, person: PersonRow) -> Answer<()>;
    /// The account with this name.
    fn account(&self, name: String) -> Answer<Option<PersonRow>>;
    /// Adds a session, by the hash of its token.
    fn add_session(&self, person: String, session: String) -> Answer<()>;
    /// Ends a session.
    fn end_session(&self, session: String) -> Answer<()>;
    /// Whose session this is.
    fn person(&self, session: String) -> Answer<Option<PersonRow>>;

    /// Adds a table; with entries, if it continues another.
    fn add_table(&self, row: TableRow, seats: Vec<SeatRow>, entries: Vec<String>) -> Answer<()>;
    /// All there is of a table.
    fn table(&self, id: String) -> Answer<Option<Whole>>;
    /// Tables, those where something happened last first.
    fn list(&self, listing: Listing, most: u32) -> Answer<Vec<(TableRow, Vec<SeatRow>)>>;
    /// Adds to a table what an action did, durably. A conflict if an entry with this number is there
    /// already, or if the table has changed since the version that the addition names.
    fn append(&self, table: String, addition: Addition) -> Answer<()>;
    /// The version of a table.
    fn version(&self, table: String) -> Answer<Option<i64>>;
    /// Whether a request with this key was carried out before.
    fn was_done(&self, table: String, seat: u8, key: String) -> Answer<bool>;
    /// Adds a word to the chat.
    fn say(&self, table: String, row: ChatRow) -> Answer<()>;
    /// A person's private notes about a table.
    fn notes(&self, table: String, person: String) -> Answer<String>;
    /// Changes them.
    fn set_notes(&self, table: String, person: String, text: String) -> Answer<()>;
    /// How a person wants to be told, as JSON; `None` if never said.
    fn wishes(&self, person: String) -> Answer<Option<String>>;
    /// Changes it.
    fn set_wishes(&self, person: String, text: String) -> Answer<()>;
    /// Something that the house keeps for itself, such as a key: what was kept first under this name.
    fn house(&self, name: String, first: String) -> Answer<String>;

    /// Whether other servers may use the same store.
    fn shared(&self) -> bool {
        false
    }
    /// Tells the ids of tables that another server has changed.
    fn news(&self) -> Option<broadcast::Receiver<String>> {
        None
    }
    /// Whether this server is the one that plays a table's bots, for the next [`LEASE`].
    fn plays_bots(&self, _table: String) -> Answer<bool> {
        Box::pin(async { Ok(true) })
    }
    /// The server stops: what it kept from the others is theirs.
    fn close(&self) -> Answer<()> {
        Box::pin(async { Ok(()) })
    }
}

/// How long a server plays a table's bots before another may.
pub const LEASE: std::time::Duration = std::time::Duration::from_secs(20);

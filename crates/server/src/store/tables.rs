//! Tables as they are kept: their seats, entries, drafts, clocks, words and events, and what people note about
//! them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use table::{Seat, SeatSet, TakeBackRequest};

use super::{Answer, bits};
use crate::clock::{Glass, Pace};
use crate::ids::{PersonId, TableId};
use crate::live::Event;

/// How far a table has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableStage {
    /// Seats are being filled.
    Gathering,
    /// The game is being played.
    Running,
    /// The game is over.
    Over,
    /// A rule failed or the record no longer replays: the table stands at its last good entry.
    Frozen,
}

impl TableStage {
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
    pub fn of(word: &str) -> Option<Self> {
        [Self::Gathering, Self::Running, Self::Over, Self::Frozen].into_iter().find(|s| s.word() == word)
    }
}

/// What a table allows beside the rules of its game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Whether players may ask for a hint. Everybody at the table sees that they may.
    pub hints: bool,
    /// Whether it goes on from a moment of a finished game: values are shown, and no curtain falls.
    pub analysis: bool,
    /// How quickly its bots play.
    pub tempo: Tempo,
}

/// How quickly bots play: what they do is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tempo {
    /// As soon as they have thought.
    AtOnce,
    /// With the pause that the server makes.
    #[default]
    Steady,
    /// So that one can follow every move.
    Leisurely,
}

impl Tempo {
    /// All of them, the quickest first.
    pub const ALL: [Self; 3] = [Self::AtOnce, Self::Steady, Self::Leisurely];

    /// Its name in the store and in forms.
    pub const fn word(self) -> &'static str {
        match self {
            Self::AtOnce => "at-once",
            Self::Steady => "steady",
            Self::Leisurely => "leisurely",
        }
    }

    /// The tempo of a name.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.word() == word)
    }

    /// How long a bot waits before it thinks, where the server's pause is this.
    pub fn pause(self, usual: std::time::Duration) -> std::time::Duration {
        usual * [0, 1, 5][self as usize]
    }
}

/// Who has made a secret choice, as all may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// After which entry: it ends with the entry that opens the choices.
    pub after: u32,
    /// Who; never nobody.
    pub seats: SeatSet,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// A random id that nobody guesses.
    pub id: TableId,
    /// The game's id.
    pub game: String,
    /// The scenario.
    pub scenario: String,
    /// How many seats.
    pub seats: u8,
    /// The options of the set-up.
    pub options: BTreeMap<String, String>,
    /// What it allows beside the rules.
    pub allowance: Allowance,
    /// The seed of the dice, as hexadecimal digits: secret until the game is over.
    pub seed: String,
    /// The head of the record, once the game has begun: everything before its first entry.
    pub head: Option<String>,
    /// How far it has come.
    pub stage: TableStage,
    /// Who opened it, if he has not left for good.
    pub host: Option<PersonId>,
    /// Whether strangers may join its open seats from the lobby.
    pub listed: bool,
    /// When it was opened, in seconds since 1970.
    pub created: i64,
    /// When something last happened.
    pub touched: i64,
    /// The seats that it waits for.
    pub waiting: SeatSet,
    /// How it ended, or why it is frozen.
    pub headline: String,
    /// How often the table has changed: whoever changes it says which version he knew.
    pub version: i64,
    /// The pace of its clocks, if it has any.
    pub pace: Option<Pace>,
    /// A take-back that somebody asks for.
    pub asked: Option<TakeBackRequest>,
    /// Who has made a secret choice.
    pub chosen: Option<Chosen>,
    /// How long somebody must have been away, after it was announced, before a bot may sit in for him at a
    /// table without clocks; in seconds.
    pub absence: u32,
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
    /// Nobody plays it.
    Nobody,
}

impl Kind {
    /// Its name in the store.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Open => "open",
            Self::Invited => "invited",
            Self::Bot => "bot",
            Self::Nobody => "nobody",
        }
    }

    /// The kind of a name.
    pub fn of(word: &str) -> Option<Self> {
        [Self::Person, Self::Open, Self::Invited, Self::Bot, Self::Nobody]
            .into_iter()
            .find(|k| k.word() == word)
    }
}

/// A seat of a table. Everybody at the table may know that it has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRow {
    /// Who sits there.
    pub kind: Kind,
    /// The person.
    pub person: Option<PersonId>,
    /// The name to show: the person's, or the bot's level.
    pub name: String,
    /// The hash of the seat's secret link, if it has one.
    pub link: Option<String>,
    /// What the seat added to the seed, as hexadecimal digits.
    pub nonce: Option<String>,
    /// The level of the bot that sits in for the person.
    pub stand_in: Option<String>,
    /// The last entry before a bot sat in, until the person has acted again himself.
    pub bot_since: Option<u32>,
    /// When it was announced that a bot may sit in, in milliseconds since 1970, if he has not been seen since.
    pub called_at: Option<i64>,
}

impl SeatRow {
    /// A seat that nobody has taken.
    pub fn vacant(kind: Kind) -> Self {
        Self {
            kind,
            person: None,
            name: String::new(),
            link: None,
            nonce: None,
            stand_in: None,
            bot_since: None,
            called_at: None,
        }
    }
}

/// The seats that a person holds; nobody holds none.
pub fn held_by(seats: &[SeatRow], person: Option<&PersonId>) -> SeatSet {
    let mine = |row: &SeatRow| person.is_some() && row.person.as_ref() == person;
    seats.iter().enumerate().filter(|(_, row)| mine(row)).map(|(i, _)| Seat::new(i as u8)).collect()
}

/// Something that happened at a table outside the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRow {
    /// When, in seconds since 1970.
    pub at: i64,
    /// What.
    pub event: Event,
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
    /// The person, for himself to have it and to erase his name; nobody is told.
    #[serde(skip)]
    pub person: Option<PersonId>,
    /// From which seat, if from one.
    pub seat: Option<u8>,
    /// The seats that may read it; `None` for everybody.
    #[serde(serialize_with = "as_bits")]
    pub readers: Option<SeatSet>,
    /// What.
    pub text: String,
}

/// Programs read a set of seats as bits; everybody is 0.
fn as_bits<S: Serializer>(readers: &Option<SeatSet>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(readers.map_or(0, bits))
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
    /// Clocks that changed.
    pub clocks: Vec<(u8, Glass)>,
    /// The take-back that is asked for, if that changed: another, or none.
    pub asked: Option<Option<TakeBackRequest>>,
    /// Numbers of seats' present decisions that changed.
    pub numbers: Vec<(u8, u64)>,
    /// Who has made a secret choice, if that changed.
    pub chosen: Option<Option<Chosen>>,
    /// Drafts and orders that changed.
    pub drafts: Vec<(u8, DraftRow)>,
    /// The key of the request, so that a repetition changes nothing.
    pub key: Option<(u8, String)>,
    /// How the table stands afterwards.
    pub stage: Option<TableStage>,
    /// The head of the record, when the game begins.
    pub head: Option<String>,
    /// The seats that it waits for.
    pub waiting: SeatSet,
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
    /// The numbers of the seats' present decisions, so that every server and every life of a server counts on
    /// from the same; empty before the game begins.
    pub numbers: BTreeMap<u8, u64>,
    /// The clocks of its seats, if it has any and the game has begun.
    pub clocks: BTreeMap<u8, Glass>,
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
    Of(PersonId),
    /// Tables that are not over and that this person opened or sits at.
    Going(PersonId),
    /// Tables being played, to watch.
    Running,
    /// All that are being played, whoever plays: for the server when it starts.
    Unfinished,
}

/// The columns of [`TableRow`], for both stores.
pub(super) const TABLE: &str = "SELECT id, game, scenario, seats, options, hints, analysis, seed, head, stage, host, \
                                listed, created, touched, waiting, headline, version, pace_bank, pace_each, \
                                asked_by, asked_to, asked_agreed, chosen_after, chosen_by, absence, tempo FROM tables";
/// The columns of [`SeatRow`].
pub(super) const SEAT: &str =
    "SELECT tab, kind, person, name, link, nonce, stand_in, bot_since, called_at FROM seats";
/// The columns of [`ChatRow`].
pub(super) const CHAT: &str = "SELECT tab, at, name, person, seat, readers, text FROM chat";
/// The columns of [`Glass`].
pub(super) const CLOCK: &str = "SELECT seat, bank, thought, runs, chose, again FROM clocks";

/// Where tables are kept.
pub trait KeepsTables: Send + Sync + 'static {
    /// Adds a table; with entries, if it continues another.
    fn add_table(&self, row: TableRow, seats: Vec<SeatRow>, entries: Vec<String>) -> Answer<()>;
    /// All there is of a table.
    fn table(&self, id: TableId) -> Answer<Option<Whole>>;
    /// Tables, those where something happened last first.
    fn list(&self, listing: Listing, most: u32) -> Answer<Vec<(TableRow, Vec<SeatRow>)>>;
    /// Adds to a table what an action did, durably. A conflict if an entry with this number is there
    /// already, or if the table has changed since the version that the addition names.
    fn append(&self, table: TableId, addition: Addition) -> Answer<()>;
    /// The version of a table.
    fn version(&self, table: TableId) -> Answer<Option<i64>>;
    /// Whether a request with this key was carried out before.
    fn was_done(&self, table: TableId, seat: u8, key: String) -> Answer<bool>;
    /// Adds a word to the chat.
    fn say(&self, table: TableId, row: ChatRow) -> Answer<()>;
    /// What a person has said, by table.
    fn said_by(&self, person: PersonId) -> Answer<Vec<(TableId, ChatRow)>>;
    /// A person's private notes about a table.
    fn notes(&self, table: TableId, person: PersonId) -> Answer<String>;
    /// Changes them.
    fn set_notes(&self, table: TableId, person: PersonId, text: String) -> Answer<()>;
    /// What a person has noted, by table.
    fn notes_of(&self, person: PersonId) -> Answer<Vec<(TableId, String)>>;
    /// How many moments of its game a person has seen from a seat; `None` if he never looked.
    fn seen(&self, table: TableId, person: PersonId, seat: u8) -> Answer<Option<u32>>;
    /// Changes it.
    fn set_seen(&self, table: TableId, person: PersonId, seat: u8, moments: u32) -> Answer<()>;
}

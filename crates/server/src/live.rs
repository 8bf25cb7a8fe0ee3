//! Live tables: matches in memory, one lock each, loaded by replaying their record from the store.
//!
//! What an action goes through, in this order: is the table known, does the seat belong to who asks, is the
//! game running, was the request done before; then the match asks whether the number is the seat's present
//! one, whether the seat is to decide and whether the rules allow it, and applies it; then the store keeps
//! it; and only when it is durable are watchers told that they should look again. Each of them is then shown
//! what its own viewer may see, and nothing is sent where nothing changed for that viewer.
//!
//! When the store fails, the match in memory is thrown away and loaded anew: memory never runs ahead of the
//! disk. When a rule panics, the table is frozen at its last good entry; all others play on.
//!
//! Several servers may share a store. Every change names the version of the table that it was made on; who
//! comes second is told of a conflict, loads the table anew and asks the match again. The numbers of
//! decisions are kept with the table, so that all servers count alike, a page outlives a restart, and nobody
//! can tell from them what others click elsewhere.
//!
//! | module | its subject |
//! |---|---|
//! | `opening` | a new table, the numbers that seats add to its dice, the beginning of the game |
//! | `asking` | the path of an action |
//! | `keeping` | what the store is told, and what becomes of the table then |
//! | `loading` | playing a stored table again; freezing one that fails |
//! | `memory` | the tables in memory, and what other servers do at them |
//! | `knowledge` | what a table knows of itself, and what of it anybody may know |
//! | `looking` | what somebody is shown, now and looking back |
//! | `presence` | who looks, and who is woken |
//! | `bots_at_work` | bots that think and act |
//! | `seats`, `stand_in` | who sits where; bots that sit in for somebody |
//! | `hourglass`, `events` | clocks, claims and time granted; what happens outside the game |
//! | `ending` | ends that are no matter of the rules: resigning, a draw, putting a game away |
//! | `talk` | what is said |
//! | `records` | who may read the record of a game |

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI64};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use table::{AnyGame, AnyMatch, MOST_SEATS};
use tokio::sync::{OnceCell, Semaphore};

use crate::bells::Bells;
use crate::clock::{Clock, Clocks, Glass};
use crate::easel::{Easel, Prospects};
use crate::fault::Fault;
use crate::ids::{PersonId, TableId};
use crate::metrics::Metrics;
use crate::store::{ChatRow, DraftRow, EventRow, SeatRow, Store, TableRow};
use crate::tidings::Desk;

mod asking;
mod bots_at_work;
mod ending;
mod events;
mod hourglass;
mod keeping;
mod knowledge;
mod loading;
mod looking;
mod memory;
mod opening;
mod pace;
mod presence;
mod records;
mod seats;
mod stand_in;
mod talk;

pub use asking::{Ask, Done};
pub use events::Event;
pub(crate) use events::in_words;
pub use hourglass::{Remedied, Remedy};
pub use opening::{Opening, Sitter};
pub(crate) use seats::{seat_of_link, seats_of};
pub(crate) use stand_in::USUAL_ABSENCE;

/// Why a table has stopped, as everybody may know it: what the rules or the record say about it may hold
/// secrets, and stands in the log.
const RULE_FAILED: &str = "a rule of the game failed";
const DOES_NOT_REPLAY: &str = "its record no longer fits the rules";
const STORE_AWAY: &str = "the database cannot be reached";

/// How often a change is tried again when another server was first.
const ATTEMPTS: usize = 8;

/// A table in memory.
pub struct Table {
    /// Its state. Whoever holds the lock decides alone.
    pub(crate) live: tokio::sync::Mutex<Live>,
    bells: Arc<Bells>,
    prospects: Prospects,
    present: Mutex<BTreeMap<PersonId, u32>>,
    used: AtomicI64,
    /// Held while a bot of the table is at work.
    bots: tokio::sync::Mutex<()>,
    /// Whether another is about to be.
    bots_called: AtomicBool,
}

/// The state of a table.
pub(crate) struct Live {
    pub(crate) row: TableRow,
    pub(crate) seats: Vec<SeatRow>,
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) sitting: Option<Box<dyn AnyMatch>>,
    pub(crate) chat: Vec<ChatRow>,
    /// Why the table is frozen.
    pub(crate) frozen: Option<String>,
    /// The store could not be reached when the table had to be loaded anew: nothing here is to be believed.
    lost: bool,
    /// What the table waits for by the clock on the wall, for which the clock is wound.
    wound: Vec<pace::Due>,
    /// The clocks, if the table has any and the game has begun.
    pub(crate) clocks: Option<Clocks>,
    /// What happened outside the game.
    pub(crate) events: Vec<EventRow>,
    /// Where the match's own numbers of each seat's decisions begin: so that after a loading they go on
    /// from what the store has, and none is met again.
    bases: [u64; MOST_SEATS],
    /// How many entries the store has.
    kept: u32,
    /// The drafts, the numbers of decisions and the clocks that it has.
    drafts: BTreeMap<u8, DraftRow>,
    numbers: BTreeMap<u8, u64>,
    glasses: BTreeMap<u8, Glass>,
}

/// How the tables behave.
#[derive(Clone, Debug)]
pub struct Conduct {
    /// How long a bot waits before it acts, so that people can follow.
    pub bot_pause: Duration,
    /// How long a table that nobody looks at stays in memory.
    pub keep: Duration,
    /// At how many tables at once one person may have bots that think hard.
    pub strong_tables: usize,
    /// How long after it was asked a window is opened, answered or not; nothing, to open it when it is answered.
    pub window_pace: Duration,
    /// How long a wish to take back waits for an answer: silence is consent then.
    pub take_back_patience: Duration,
    /// What time it is.
    pub clock: Clock,
}

impl Default for Conduct {
    fn default() -> Self {
        Self {
            bot_pause: Duration::from_millis(350),
            keep: Duration::from_secs(600),
            strong_tables: 4,
            window_pace: Duration::from_secs(2),
            take_back_patience: Duration::from_secs(24 * 3600),
            clock: Clock::default(),
        }
    }
}

/// All tables.
#[derive(Clone)]
pub struct Tables(Arc<Hall>);

struct Hall {
    games: Vec<Arc<dyn AnyGame>>,
    store: Arc<dyn Store>,
    tables: Mutex<HashMap<TableId, Arc<OnceCell<Arc<Table>>>>>,
    metrics: Metrics,
    conduct: Conduct,
    /// When the clocks were last looked at.
    ticked: AtomicI64,
    /// Where news for absent players are handed in.
    desk: Desk,
    /// Where pictures are drawn.
    easel: Arc<Easel>,
    /// Where bots think: those that are quickly done, and those that think hard.
    places: [Semaphore; 2],
}

impl Tables {
    /// Tables of these games, kept in this store.
    pub fn new(
        games: Vec<Arc<dyn AnyGame>>,
        store: Arc<dyn Store>,
        metrics: Metrics,
        conduct: Conduct,
    ) -> Self {
        let ticked = AtomicI64::new(conduct.clock.now());
        let desk = Desk::default();
        // However many tables there are: what all bots together take, nobody else has.
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let places = [processors, (processors - 1).max(1)].map(Semaphore::new);
        Self(Arc::new(Hall {
            places,
            games,
            store,
            tables: Mutex::default(),
            metrics,
            conduct,
            ticked,
            desk,
            easel: Arc::default(),
        }))
    }

    /// The games.
    pub fn games(&self) -> &[Arc<dyn AnyGame>] {
        &self.0.games
    }

    /// A game by its id.
    pub fn game(&self, id: &str) -> Result<&Arc<dyn AnyGame>, Fault> {
        let found = self.0.games.iter().find(|g| g.title().id == id);
        found.ok_or_else(|| Fault::Missing(format!("game called `{id}`")))
    }

    /// The store.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.store
    }

    /// Where news for absent players are handed in.
    pub(crate) fn desk(&self) -> &Desk {
        &self.0.desk
    }

    /// What is counted.
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Now, in milliseconds.
    pub(crate) fn now(&self) -> i64 {
        self.0.conduct.clock.now()
    }
}

/// Runs what may panic; a panic is told as text.
fn careful<T>(what: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(what)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".into())
    })
}

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

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use table::{
    Acted, AnyGame, AnyMatch, Lots, MOST_SEATS, Nonces, Record, Seat, SeatSet, Seed, Viewer, Wishes,
};
use tokio::sync::{OnceCell, watch};

use crate::bots;
use crate::clock::{Clock, Clocks, Pace};
use crate::fault::Fault;
use crate::house::{House, game_options};
use crate::metrics::Metrics;
use crate::secret;
use crate::store::{
    ANY_TABLE, Addition, ChatRow, DraftRow, Kind, Listing, PersonRow, SeatRow, Stage, Store, StoreError,
    TableRow, Whole,
};
use crate::tidings::Desk;

mod hourglass;

pub use hourglass::{Event, Remedy};

/// How often a change is tried again when another server was first.
const ATTEMPTS: usize = 8;

/// A table in memory.
pub struct Table {
    /// Its state. Whoever holds the lock decides alone.
    pub(crate) live: tokio::sync::Mutex<Live>,
    changed: watch::Sender<u64>,
    present: Mutex<BTreeMap<String, u32>>,
    used: AtomicI64,
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
    /// The clocks, if the table has any and the game has begun.
    pub(crate) clocks: Option<Clocks>,
    /// What happened outside the game, and when.
    pub(crate) events: Vec<(i64, Event)>,
    /// Where the match's own numbers of each seat's decisions begin: so that after a loading they go on
    /// from what the store has, and none is met again.
    bases: [u64; MOST_SEATS],
    /// How many entries the store has.
    kept: u32,
    drafts: BTreeMap<u8, DraftRow>,
}

/// What a seat asks of a table.
#[derive(Clone, Debug)]
pub enum Ask {
    /// Do these actions, all or none.
    Act {
        /// The actions.
        actions: Vec<String>,
        /// The number of the decision that they answer.
        number: Option<u64>,
    },
    /// Undo the last click of the draft.
    Undo,
    /// Make the draft final.
    Commit,
    /// Ask the others to let the last decision be taken back.
    AskTakeBack,
    /// Let another take back, or do not.
    AnswerTakeBack(bool),
    /// Leave standing orders.
    Orders(Vec<String>),
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// What became of the action: `drafted`, `held`, `committed`, `done` or `repeated`.
    pub what: &'static str,
    /// The seat's number afterwards.
    pub number: u64,
    /// How many actions of a batch were left unplayed.
    pub unplayed: usize,
}

/// A wish for a new table.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The game's id.
    pub game: String,
    /// Scenario, seats, options.
    pub wishes: Wishes,
    /// Seat by seat: who shall sit there.
    pub seats: Vec<Sitter>,
    /// Whether the lobby lists it.
    pub listed: bool,
    /// The pace of its clocks, if it shall have any.
    pub pace: Option<Pace>,
    /// What the house allows there.
    pub house: House,
}

/// Who shall sit on a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sitter {
    /// Who opens the table.
    Me,
    /// Anybody.
    Open,
    /// Whoever has the link.
    Invited,
    /// A bot of this level.
    Bot(String),
}

/// How the tables behave.
#[derive(Clone, Debug)]
pub struct Habits {
    /// How long a bot waits before it acts, so that people can follow.
    pub bot_pause: Duration,
    /// How long a table that nobody looks at stays in memory.
    pub keep: Duration,
    /// What time it is.
    pub clock: Clock,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            bot_pause: Duration::from_millis(350),
            keep: Duration::from_secs(600),
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
    tables: Mutex<HashMap<String, Arc<OnceCell<Arc<Table>>>>>,
    metrics: Metrics,
    habits: Habits,
    /// When the clocks were last looked at.
    ticked: AtomicI64,
    /// Where news for absent players are handed in.
    desk: Desk,
}

impl Live {
    /// The title of the game.
    pub(crate) fn title(&self) -> &table::Title {
        self.game.title()
    }

    /// The number of a seat's present decision.
    pub(crate) fn number(&self, seat: Seat) -> u64 {
        self.sitting.as_ref().map_or(0, |s| self.bases[seat.index()] + s.number(seat))
    }

    /// Whether the game is over, by its rules or because somebody claimed it.
    pub(crate) fn over(&self) -> bool {
        self.sitting.as_ref().is_some_and(|s| s.outcome().is_some()) || self.claimed().is_some()
    }

    /// The seats that a person holds.
    pub(crate) fn held_by(&self, person: Option<&str>) -> SeatSet {
        let mine = |row: &SeatRow| person.is_some() && row.person.as_deref() == person;
        self.seats.iter().enumerate().filter(|(_, r)| mine(r)).map(|(i, _)| Seat::new(i as u8)).collect()
    }

    /// Through whose eyes a person looks: a seat of his own; when the game is over, any; else an observer's.
    pub(crate) fn viewer(&self, person: Option<&str>, wished: Option<u8>) -> Viewer {
        let own = self.held_by(person);
        let wished = wished.and_then(|s| Seat::try_from(s).ok()).filter(|s| s.index() < self.seats.len());
        match wished {
            Some(seat) if own.contains(seat) || self.over() => Viewer::Seat(seat),
            Some(_) => Viewer::Observer,
            None => {
                let waiting = self.sitting.as_ref().map_or(SeatSet::NONE, |s| s.waiting_for());
                let seat = own.both(waiting).lowest().or(own.lowest());
                seat.map_or(Viewer::Observer, Viewer::Seat)
            }
        }
    }

    /// The match, as long as it goes on.
    fn going_on(&self) -> Option<&dyn AnyMatch> {
        self.sitting.as_deref().filter(|_| self.frozen.is_none() && self.claimed().is_none())
    }

    /// The seats that the table waits for.
    pub(crate) fn waiting(&self) -> SeatSet {
        self.going_on().map_or(SeatSet::NONE, AnyMatch::waiting_for)
    }

    /// The seats that must decide, as all may know: a secret choice changes nothing here.
    pub(crate) fn deciding(&self) -> SeatSet {
        self.going_on().map_or(SeatSet::NONE, AnyMatch::deciding)
    }

    /// The seats that have chosen in secret, as all may know: also those that have taken it back meanwhile.
    pub(crate) fn chosen(&self) -> SeatSet {
        self.going_on().map_or(SeatSet::NONE, AnyMatch::chosen)
    }

    /// The seats that a viewer may know to be awaited. Of his own he knows whether they have chosen; another
    /// that has chosen once counts as having chosen, whatever it does now. When all have and nothing is opened,
    /// anybody can tell that somebody thinks again, but not who: then all others seem to be awaited.
    pub(crate) fn seen_waiting(&self, own: SeatSet) -> SeatSet {
        let (deciding, others) = (self.deciding(), self.deciding().minus(own));
        let awaited = others.minus(self.chosen()).union(own.both(self.waiting()).both(deciding));
        if awaited.is_empty() { others } else { awaited }
    }

    /// The bot that plays a seat, whether it is its own or it sits in for somebody.
    pub(crate) fn bot_at(&self, seat: Seat) -> Option<&'static bots::Level> {
        let row = self.seats.get(seat.index())?;
        match (&row.stand_in, row.kind) {
            (Some(level), Kind::Person) => bots::level(level),
            (None, Kind::Bot) => bots::level(&row.name),
            _ => None,
        }
    }

    /// Seats that still lack somebody, or his nonce.
    pub(crate) fn lacking(&self) -> Vec<usize> {
        let lacks = |row: &SeatRow| match row.kind {
            Kind::Bot => false,
            Kind::Person => row.nonce.is_none(),
            Kind::Open | Kind::Invited => true,
        };
        (0..self.seats.len()).filter(|i| lacks(&self.seats[*i])).collect()
    }

    /// What was said that this viewer may read.
    pub(crate) fn heard(&self, viewer: Viewer) -> impl Iterator<Item = &ChatRow> {
        self.chat.iter().filter(move |row| {
            row.readers == 0 || viewer.seat().is_some_and(|s| row.readers >> s.index() & 1 == 1)
        })
    }

    fn present_drafts(&self) -> BTreeMap<u8, DraftRow> {
        let Some(sitting) = &self.sitting else { return BTreeMap::new() };
        let texts = |list: Vec<table::Notation>| list.iter().map(ToString::to_string).collect();
        (0..self.seats.len() as u8)
            .map(|i| {
                let seat = Seat::new(i);
                (i, DraftRow { actions: texts(sitting.draft(seat)), orders: texts(sitting.orders(seat)) })
            })
            .filter(|(_, draft)| *draft != DraftRow::default())
            .collect()
    }

    /// What has changed since the store last heard of it.
    fn addition(&self) -> Addition {
        let mut addition =
            Addition { version: self.row.version, waiting: bits(self.waiting()), ..Addition::default() };
        if let Some(sitting) = &self.sitting {
            let new = sitting.entries_since(self.kept);
            addition.entries = new.iter().map(|e| (e.number, e.to_string())).collect();
            if !new.is_empty() {
                // A draft or a secret choice leaves no trace, not even the time of day.
                addition.at = Some(secret::now());
            }
            let asked = asked_in_words(sitting.take_back_asked());
            addition.asked = (asked != self.row.asked).then_some(asked);
            let chosen = chosen_in_words(sitting.last_entry(), self.chosen());
            addition.chosen = (chosen != self.row.chosen).then_some(chosen);
            let seats = SeatSet::first(self.seats.len());
            let numbers: Vec<_> = seats.iter().map(|s| self.number(s).to_string()).collect();
            addition.numbers = Some(numbers.join(" ")).filter(|n| *n != self.row.numbers);
            if let Some(outcome) = sitting.outcome() {
                addition.stage = Some(Stage::Over);
                addition.headline = Some(outcome.headline.to_string());
            } else if !matches!(self.row.stage, Stage::Frozen | Stage::Over) {
                addition.stage = Some(Stage::Running);
            }
        }
        let drafts = self.present_drafts();
        for seat in 0..self.seats.len() as u8 {
            let (old, new) = (self.drafts.get(&seat), drafts.get(&seat));
            if old != new {
                addition.drafts.push((seat, new.cloned().unwrap_or_default()));
            }
        }
        addition.clocks = self.clocks_in_words().filter(|c| Some(c) != self.row.clocks.as_ref());
        addition
    }

    /// A change of one seat.
    fn seat_addition(&self, seat: usize, row: SeatRow) -> Addition {
        Addition { seats: vec![(seat as u8, row)], at: Some(secret::now()), ..self.addition() }
    }

    /// The store has it.
    fn kept(&mut self, addition: &Addition) {
        self.kept += addition.entries.len() as u32;
        self.drafts = self.present_drafts();
        self.row.version += 1;
        self.row.touched = addition.at.unwrap_or(self.row.touched);
        self.row.waiting = addition.waiting;
        for (seat, row) in &addition.seats {
            if let Some(own) = self.seats.get_mut(usize::from(*seat)) {
                own.clone_from(row);
            }
        }
        if let Some(clocks) = &addition.clocks {
            self.row.clocks = Some(clocks.clone());
        }
        if let Some(numbers) = &addition.numbers {
            self.row.numbers.clone_from(numbers);
        }
        if let Some(asked) = &addition.asked {
            self.row.asked.clone_from(asked);
        }
        if let Some(chosen) = &addition.chosen {
            self.row.chosen.clone_from(chosen);
        }
        if let Some(stage) = addition.stage {
            self.row.stage = stage;
        }
        if let Some(headline) = &addition.headline {
            self.row.headline.clone_from(headline);
        }
        if let Some(head) = &addition.head {
            self.row.head = Some(head.clone());
        }
    }
}

/// A take-back that is asked for, as the store keeps it: who, to which entry, and who has agreed.
fn asked_in_words(asked: Option<table::TakeBackRequest>) -> String {
    asked.map_or_else(String::new, |a| format!("{} {} {}", u8::from(a.by), a.to, bits(a.agreed)))
}

/// Asks again for a take-back that the store has kept.
fn ask_again(sitting: &mut dyn AnyMatch, asked: &str) -> Option<()> {
    let mut words = asked.split(' ');
    let by = Seat::try_from(words.next()?.parse::<u8>().ok()?).ok()?;
    let to = words.next()?.parse().ok()?;
    let agreed: u8 = words.next()?.parse().ok()?;
    sitting.ask_take_back(by, to).ok()?;
    for seat in SeatSet::first(MOST_SEATS).iter().filter(|s| agreed >> s.index() & 1 == 1 && *s != by) {
        sitting.answer_take_back(seat, true).ok()?;
    }
    Some(())
}

fn bits(seats: SeatSet) -> u8 {
    seats.iter().fold(0, |bits, seat| bits | 1 << seat.index())
}

/// Who has chosen in secret, as the store keeps it: after which entry, and who. So it ends with the entry that
/// opens the choices.
fn chosen_in_words(entry: u32, chosen: SeatSet) -> String {
    if chosen.is_empty() { String::new() } else { format!("{entry} {}", bits(chosen)) }
}

/// Reads what [`chosen_in_words`] writes, if it was written after this entry.
fn chosen_after(entry: u32, words: &str) -> SeatSet {
    let kept = words.split_once(' ').filter(|(after, _)| after.parse() == Ok(entry));
    let kept: u8 = kept.and_then(|(_, seats)| seats.parse().ok()).unwrap_or(0);
    SeatSet::first(MOST_SEATS).iter().filter(|s| kept >> s.index() & 1 == 1).collect()
}

/// Runs what may panic; a panic is told as text.
fn careful<T>(what: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(what)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".into())
    })
}

impl Table {
    /// Tells when something may have changed.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    fn publish(&self) {
        self.changed.send_modify(|n| *n += 1);
    }

    /// Somebody looks at the table, until the answer is dropped.
    pub(crate) fn enter(self: &Arc<Self>, person: &str) -> Presence {
        *self.present.lock().unwrap_or_else(PoisonError::into_inner).entry(person.into()).or_default() += 1;
        self.publish();
        Presence { table: self.clone(), person: person.into() }
    }

    /// Whether a person looks at the table now.
    pub(crate) fn is_present(&self, person: &str) -> bool {
        self.present.lock().unwrap_or_else(PoisonError::into_inner).contains_key(person)
    }

    /// How many look at it who do not sit there.
    pub(crate) fn onlookers(&self, seats: &[SeatRow]) -> usize {
        let present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        present.keys().filter(|p| !seats.iter().any(|s| s.person.as_ref() == Some(p))).count()
    }

    fn anybody(&self) -> bool {
        !self.present.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

/// Somebody looking at a table.
pub(crate) struct Presence {
    table: Arc<Table>,
    person: String,
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut present = self.table.present.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = present.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                present.remove(&self.person);
            }
        }
        drop(present);
        self.table.publish();
    }
}

impl Tables {
    /// Tables of these games, kept in this store.
    pub fn new(
        games: Vec<Arc<dyn AnyGame>>,
        store: Arc<dyn Store>,
        metrics: Metrics,
        habits: Habits,
    ) -> Self {
        let ticked = AtomicI64::new(habits.clock.now());
        let desk = Desk::default();
        Self(Arc::new(Hall { games, store, tables: Mutex::default(), metrics, habits, ticked, desk }))
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

    /// How many tables are in memory.
    pub fn in_memory(&self) -> usize {
        self.0.tables.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Opens a table.
    pub async fn open(&self, host: &PersonRow, opening: Opening) -> Result<String, Fault> {
        let game = self.game(&opening.game)?;
        let wishes = Wishes { seats: Some(opening.seats.len() as u8), ..opening.wishes };
        let setup = game.title().set_up(&wishes).map_err(|e| Fault::Wrong(e.to_string()))?;
        let mut seats = Vec::new();
        for sitter in &opening.seats {
            let empty = SeatRow {
                kind: Kind::Open,
                person: None,
                name: String::new(),
                link: None,
                nonce: None,
                stand_in: None,
            };
            seats.push(match sitter {
                Sitter::Me => SeatRow {
                    kind: Kind::Person,
                    person: Some(host.id.clone()),
                    name: host.name.clone(),
                    ..empty
                },
                Sitter::Open => empty,
                Sitter::Invited => SeatRow { kind: Kind::Invited, ..empty },
                Sitter::Bot(level) => {
                    let level = bots::level(level)
                        .ok_or_else(|| Fault::Wrong(format!("there is no bot of level `{level}`")))?;
                    SeatRow { kind: Kind::Bot, name: level.id.into(), ..empty }
                }
            });
        }
        let now = secret::now();
        let pace = opening.pace.map(Pace::checked).transpose().map_err(Fault::Wrong)?;
        let row = TableRow {
            id: secret::word::<12>(),
            game: opening.game,
            scenario: setup.scenario().into(),
            seats: seats.len() as u8,
            options: opening.house.among(setup.options()),
            seed: Seed::new(secret::bytes()).to_hex(),
            head: None,
            stage: Stage::Gathering,
            host: host.id.clone(),
            listed: opening.listed,
            created: now,
            touched: now,
            waiting: 0,
            headline: String::new(),
            version: 0,
            pace: pace.map_or_else(String::new, Pace::word),
            clocks: None,
            asked: String::new(),
            numbers: String::new(),
            chosen: String::new(),
        };
        let id = row.id.clone();
        self.0.store.add_table(row, seats, Vec::new()).await?;
        self.0.metrics.tables_opened.add(1);
        // A table of bots alone begins at once.
        let table = self.find(&id).await?;
        let mut live = table.live.lock().await;
        self.begin_if_ready(&table, &mut live).await?;
        Ok(id)
    }

    /// The table with this id, from memory or from the store.
    pub async fn find(&self, id: &str) -> Result<Arc<Table>, Fault> {
        if id.len() > 40 {
            return Err(Fault::Missing("such table".into()));
        }
        let cell = {
            let mut tables = self.0.tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.entry(id.to_string()).or_default().clone()
        };
        let mut fresh = false;
        let loaded = cell
            .get_or_try_init(|| async {
                fresh = true;
                let whole = self.0.store.table(id.to_string()).await?;
                let whole = whole.ok_or_else(|| Fault::Missing("such table".into()))?;
                let game = self.game(&whole.row.game)?.clone();
                let live = load(game, whole);
                let table = Arc::new(Table {
                    live: tokio::sync::Mutex::new(live),
                    changed: watch::Sender::new(0),
                    present: Mutex::default(),
                    used: AtomicI64::new(0),
                });
                Ok::<_, Fault>(table)
            })
            .await;
        match loaded {
            Ok(table) => {
                table.used.store(secret::now(), Ordering::Relaxed);
                if fresh && self.0.store.shared() {
                    // What another server did while the table was being read was told to nobody here.
                    let mut live = table.live.lock().await;
                    self.catch_up(table, &mut live).await?;
                }
                if let Ok(mut live) = table.live.try_lock()
                    && live.lost
                {
                    self.reload(&mut live).await?;
                    table.publish();
                    self.wake_bots(&live);
                }
                Ok(table.clone())
            }
            Err(fault) => {
                let mut tables = self.0.tables.lock().unwrap_or_else(PoisonError::into_inner);
                if tables.get(id).is_some_and(|c| c.get().is_none()) {
                    tables.remove(id);
                }
                Err(fault)
            }
        }
    }

    /// Somebody sits down: on a seat that is open, or with a seat's secret link.
    pub async fn sit(
        &self,
        id: &str,
        person: &PersonRow,
        seat: Option<u8>,
        link: Option<&str>,
    ) -> Result<u8, Fault> {
        let table = self.find(id).await?;
        let mut live = table.live.lock().await;
        for _ in 0..ATTEMPTS {
            let at = free_seat(&live, seat, link)?;
            let mut row = live.seats[at].clone();
            row.kind = Kind::Person;
            row.person = Some(person.id.clone());
            row.name.clone_from(&person.name);
            row.stand_in = None;
            let addition = live.seat_addition(at, row);
            match self.keep(&table, &mut live, addition).await {
                Err(Fault::Raced) => {}
                kept => {
                    kept?;
                    table.publish();
                    return Ok(at as u8);
                }
            }
        }
        Err(Fault::Raced)
    }

    /// A new secret link for a seat; an older one stops working. Only for the host or the seat's holder.
    pub async fn invite(&self, id: &str, person: &PersonRow, seat: u8) -> Result<String, Fault> {
        let table = self.find(id).await?;
        let mut live = table.live.lock().await;
        for _ in 0..ATTEMPTS {
            let Some(mut row) = live.seats.get(usize::from(seat)).cloned() else {
                return Err(Fault::Missing(format!("seat {seat}")));
            };
            let vacant = matches!(row.kind, Kind::Open | Kind::Invited);
            if !(row.person.as_ref() == Some(&person.id) || vacant && live.row.host == person.id) {
                return Err(Fault::NotYours(
                    "only its holder can make a link for a seat, or the host for an empty one".into(),
                ));
            }
            let link = secret::word::<26>();
            row.link = Some(secret::hashed(&link));
            let addition = live.seat_addition(usize::from(seat), row);
            match self.keep(&table, &mut live, addition).await {
                Err(Fault::Raced) => {}
                kept => return kept.map(|()| link),
            }
        }
        Err(Fault::Raced)
    }

    /// A seat has seen the commitment and adds its own number to the dice. When all have, the game begins.
    pub async fn ready(&self, id: &str, person: &PersonRow, seat: u8, nonce: u64) -> Result<(), Fault> {
        let table = self.find(id).await?;
        let mut live = table.live.lock().await;
        for _ in 0..ATTEMPTS {
            let holder = live.seats.get(usize::from(seat)).and_then(|r| r.person.clone());
            if holder.as_ref() != Some(&person.id) {
                return Err(Fault::NotYours("this seat is not yours".into()));
            }
            let mut row = live.seats[usize::from(seat)].clone();
            if live.sitting.is_some() {
                return Ok(());
            }
            if row.nonce.is_none() {
                row.nonce = Some(format!("{nonce:016x}"));
                let addition = live.seat_addition(usize::from(seat), row);
                match self.keep(&table, &mut live, addition).await {
                    Err(Fault::Raced) => continue,
                    kept => kept?,
                }
            }
            match self.begin_if_ready(&table, &mut live).await {
                Err(Fault::Raced) => {}
                begun => {
                    table.publish();
                    return begun;
                }
            }
        }
        Err(Fault::Raced)
    }

    async fn begin_if_ready(&self, table: &Arc<Table>, live: &mut Live) -> Result<(), Fault> {
        if live.sitting.is_some() || live.row.stage != Stage::Gathering || !live.lacking().is_empty() {
            return Ok(());
        }
        let title = live.title();
        let wishes = Wishes {
            scenario: Some(live.row.scenario.clone()),
            seats: Some(live.row.seats),
            options: game_options(&live.row.options),
        };
        let setup = title.set_up(&wishes).map_err(|e| Fault::Wrong(e.to_string()))?;
        let seed = Seed::from_hex(&live.row.seed).map_err(|e| Fault::Server(e.to_string()))?;
        let mut nonces = Nonces::default();
        for (i, row) in live.seats.iter().enumerate() {
            let nonce = row.nonce.as_deref().and_then(|n| u64::from_str_radix(n, 16).ok());
            nonces.set(Seat::new(i as u8), nonce.unwrap_or(0));
        }
        let game = live.game.clone();
        let opened = careful(|| game.open(setup, seed, nonces)).map_err(Fault::Server)?;
        let sitting = opened.map_err(|e| Fault::Wrong(e.to_string()))?;
        let mut head = sitting.record(true);
        head.entries.clear();
        live.sitting = Some(sitting);
        live.clocks = live.pace().map(|pace| Clocks::new(pace, live.seats.len()));
        live.advance_clocks(self.now(), SeatSet::NONE);
        let mut addition = live.addition();
        addition.head = Some(head.to_string());
        addition.at = Some(secret::now());
        self.keep(table, live, addition).await?;
        table.publish();
        self.wake_bots(live);
        Ok(())
    }

    /// Carries out what a seat asks.
    pub async fn ask(
        &self,
        id: &str,
        person: &PersonRow,
        seat: u8,
        ask: Ask,
        key: Option<String>,
    ) -> Result<Done, Fault> {
        let table = self.find(id).await?;
        let mut live = table.live.lock().await;
        let mut looked = false;
        for _ in 0..ATTEMPTS {
            let own = Seat::try_from(seat).ok().filter(|s| live.held_by(Some(&person.id)).contains(*s));
            if let Some(seat) = own
                && live.seats[seat.index()].stand_in.is_some()
            {
                // Whoever acts is back.
                match self.come_back(&table, &mut live, seat).await {
                    Err(Fault::Raced) => continue,
                    back => back?,
                }
            }
            let done = match own {
                Some(seat) => self.ask_as(&table, &mut live, seat, &ask, key.as_deref()).await,
                None => Err(Fault::NotYours("this seat is not yours".into())),
            };
            match done {
                Err(Fault::Raced) => {}
                // What cannot be done may only seem so here: another server may know better.
                Err(Fault::Table(_) | Fault::Stage(_) | Fault::NotYours(_))
                    if !looked && self.catch_up(&table, &mut live).await? =>
                {
                    looked = true;
                }
                done => return done,
            }
        }
        Err(Fault::Raced)
    }

    async fn ask_as(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        seat: Seat,
        ask: &Ask,
        key: Option<&str>,
    ) -> Result<Done, Fault> {
        let (base, id) = (live.bases[seat.index()], live.row.id.clone());
        if let Some(why) = &live.frozen {
            return Err(Fault::Frozen(why.clone()));
        }
        if live.sitting.is_none() {
            return Err(Fault::Stage("the game has not begun: seats are still being filled".into()));
        }
        if live.claimed().is_some() {
            return Err(Fault::Table(table::TableError::Over));
        }
        if let Some(key) = key {
            if key.is_empty() || key.len() > 64 || key.chars().any(char::is_control) {
                return Err(Fault::Wrong("the key of a request has 1 to 64 letters".into()));
            }
            if self.0.store.was_done(id.clone(), u8::from(seat), key.to_string()).await? {
                return Ok(Done { what: "repeated", number: live.number(seat), unplayed: 0 });
            }
        }
        let held = live.deciding().minus(live.waiting());
        let Some(sitting) = live.sitting.as_mut() else {
            return Err(Fault::Stage("the game has not begun".into()));
        };
        let bots: SeatSet = (0..live.seats.len())
            .filter(|i| live.seats[*i].kind == Kind::Bot)
            .map(|i| Seat::new(i as u8))
            .collect();
        let result = careful(|| perform(&mut **sitting, seat, ask, base, bots));
        let acted = match result {
            Ok(Ok(acted)) => acted,
            Ok(Err(error)) => {
                self.0.metrics.refused.add(1);
                return Err(Fault::Table(raised(error, base)));
            }
            Err(panic) => {
                tracing::error!(table = %id, %panic, "a rule failed: the table is frozen");
                self.freeze(table, live, panic.clone()).await?;
                return Err(Fault::Frozen(panic));
            }
        };
        let opened = live.opened(held);
        live.advance_clocks(self.now(), opened);
        let mut addition = live.addition();
        addition.key = key.map(|key| (u8::from(seat), key.to_string()));
        self.keep(table, live, addition).await?;
        self.0.metrics.actions.add(1);
        table.publish();
        self.wake_bots(live);
        let (what, unplayed) = match acted {
            Some(Acted::Drafted) => ("drafted", 0),
            Some(Acted::Held) => ("held", 0),
            Some(Acted::Committed { unplayed }) => ("committed", unplayed),
            None => ("done", 0),
        };
        Ok(Done { what, number: live.number(seat), unplayed })
    }

    /// Makes an addition durable, or throws away what is in memory and loads the table anew.
    async fn keep(&self, table: &Arc<Table>, live: &mut Live, addition: Addition) -> Result<(), Fault> {
        let (waiting, stage) = (live.row.waiting, live.row.stage);
        match self.0.store.append(live.row.id.clone(), addition.clone()).await {
            Ok(()) => {
                live.kept(&addition);
                self.0.desk.changed(table, live, waiting, stage);
                Ok(())
            }
            Err(StoreError::Conflict(why)) => {
                tracing::debug!(table = %live.row.id, %why, "the table had moved on");
                self.reload(live).await?;
                table.publish();
                Err(Fault::Raced)
            }
            Err(error) => {
                tracing::error!(table = %live.row.id, %error, "an action could not be saved and is undone");
                self.reload(live).await?;
                table.publish();
                Err(Fault::Store(error))
            }
        }
    }

    /// Loads a table anew.
    async fn reload(&self, live: &mut Live) -> Result<(), Fault> {
        match self.0.store.table(live.row.id.clone()).await {
            Ok(Some(whole)) => {
                *live = load(live.game.clone(), whole);
                Ok(())
            }
            other => {
                // Nothing better than a standstill, until somebody asks again and the store is back.
                live.frozen = Some("the database cannot be reached".into());
                live.sitting = None;
                live.lost = true;
                Err(Fault::Store(other.err().unwrap_or(StoreError::Closed)))
            }
        }
    }

    /// Takes over what another server has done at a table; whether there was anything.
    async fn catch_up(&self, table: &Arc<Table>, live: &mut Live) -> Result<bool, Fault> {
        if !self.0.store.shared() {
            return Ok(false);
        }
        let version = self.0.store.version(live.row.id.clone()).await?;
        if version.is_none_or(|v| v == live.row.version) {
            return Ok(false);
        }
        self.reload(live).await?;
        table.publish();
        Ok(true)
    }

    /// Follows what other servers do, for tables that are in memory here, until the store is closed.
    pub async fn follow(&self) {
        use tokio::sync::broadcast::error::RecvError;
        let Some(mut news) = self.0.store.news() else { return };
        loop {
            let ids = match news.recv().await {
                Ok(id) if id != ANY_TABLE => vec![id],
                // Some news were lost: any table may have changed.
                Ok(_) | Err(RecvError::Lagged(_)) => self.ids_in_memory(),
                Err(RecvError::Closed) => return,
            };
            for id in ids {
                let Some(table) = self.in_memory_as(&id) else { continue };
                let mut live = table.live.lock().await;
                match self.catch_up(&table, &mut live).await {
                    Ok(true) => self.wake_bots(&live),
                    // What is said at a table does not change its version.
                    Ok(false) => {
                        if let Err(fault) = self.hear(&table, &mut live).await {
                            tracing::warn!(table = %id, %fault, "words of another server were not heard");
                        }
                    }
                    Err(fault) => tracing::error!(table = %id, %fault, "another server's news were lost"),
                }
            }
        }
    }

    /// Takes over what was said through another server.
    async fn hear(&self, table: &Arc<Table>, live: &mut Live) -> Result<(), Fault> {
        if let Some(whole) = self.0.store.table(live.row.id.clone()).await?
            && whole.chat.len() > live.chat.len()
        {
            live.chat = whole.chat;
            table.publish();
        }
        Ok(())
    }

    fn ids_in_memory(&self) -> Vec<String> {
        self.0.tables.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    fn in_memory_as(&self, id: &str) -> Option<Arc<Table>> {
        let tables = self.0.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.get(id).and_then(|cell| cell.get()).cloned()
    }

    /// Now, in milliseconds.
    pub(crate) fn now(&self) -> i64 {
        self.0.habits.clock.now()
    }

    async fn freeze(&self, table: &Arc<Table>, live: &mut Live, why: String) -> Result<(), Fault> {
        let addition = Addition {
            version: live.row.version,
            stage: Some(Stage::Frozen),
            headline: Some(why),
            at: Some(secret::now()),
            ..Addition::default()
        };
        match self.0.store.append(live.row.id.clone(), addition).await {
            // Another server has moved on, or has frozen the table itself.
            Err(StoreError::Conflict(_)) if self.0.store.shared() => {}
            frozen => {
                frozen?;
                self.0.metrics.frozen.add(1);
            }
        }
        self.reload(live).await?;
        table.publish();
        Ok(())
    }

    /// Lets bots act that the table waits for.
    fn wake_bots(&self, live: &Live) {
        if live.waiting().iter().any(|s| live.bot_at(s).is_some()) {
            let (tables, id) = (self.clone(), live.row.id.clone());
            tokio::spawn(async move { tables.run_bots(&id).await });
        }
    }

    async fn run_bots(&self, id: &str) {
        if !self.0.habits.bot_pause.is_zero() {
            tokio::time::sleep(self.0.habits.bot_pause).await;
        }
        let Ok(table) = self.find(id).await else { return };
        match self.0.store.plays_bots(id.to_string()).await {
            Ok(true) => {}
            Ok(false) => return tracing::debug!(table = %id, "another server plays the bots"),
            Err(error) => return tracing::error!(table = %id, %error, "a bot waits for the database"),
        }
        // The copy is made under the lock; the choice is not.
        let (seat, level, number, copy) = {
            let live = table.live.lock().await;
            let next = live.waiting().iter().find_map(|seat| Some((seat, live.bot_at(seat)?)));
            let (Some((seat, level)), Some(sitting)) = (next, &live.sitting) else { return };
            (seat, level, live.number(seat), sitting.boxed_clone())
        };
        let chosen = tokio::task::spawn_blocking(move || {
            let mut copy = copy;
            let mut lots = Lots::new(secret::number());
            careful(|| bots::choose(level, &mut *copy, seat, &mut lots))
        });
        // The table goes on while a bot thinks: the lock is taken when he is done.
        let chosen = chosen.await;
        let mut live = table.live.lock().await;
        match chosen {
            // Its player came back meanwhile.
            Ok(Ok(Ok(_))) if live.bot_at(seat) != Some(level) => {}
            Ok(Ok(Ok(notation))) => {
                let ask = Ask::Act { actions: vec![notation.to_string()], number: Some(number) };
                match self.ask_as(&table, &mut live, seat, &ask, None).await {
                    // A stale choice is made again; what else goes wrong would go wrong for ever.
                    Err(Fault::Table(table::TableError::Stale { .. }) | Fault::Raced) => {
                        self.wake_bots(&live);
                    }
                    Err(fault) => tracing::error!(table = %id, %fault, "a bot's choice was not carried out"),
                    Ok(_) => {}
                }
            }
            Ok(Ok(Err(error))) => tracing::debug!(table = %id, %error, "a bot had nothing to choose"),
            Ok(Err(panic)) => {
                if let Err(fault) = self.freeze(&table, &mut live, panic).await {
                    tracing::error!(table = %id, %fault, "a table could not be frozen");
                }
            }
            Err(error) => tracing::error!(table = %id, %error, "a bot was lost"),
        }
    }

    /// Says something at a table.
    pub async fn say(
        &self,
        id: &str,
        person: &PersonRow,
        seat: Option<u8>,
        allies_only: bool,
        text: &str,
    ) -> Result<(), Fault> {
        let text: String = secret::without_nul(text).trim().chars().take(1000).collect();
        if text.is_empty() {
            return Err(Fault::Wrong("there is nothing to say".into()));
        }
        let table = self.find(id).await?;
        let mut live = table.live.lock().await;
        let own = live.held_by(Some(&person.id));
        let seat = seat.and_then(|s| Seat::try_from(s).ok()).filter(|s| own.contains(*s)).or(own.lowest());
        let readers = match seat {
            Some(seat) if allies_only => bits(live.title().allies(seat)),
            _ if allies_only => return Err(Fault::NotYours("only players have allies".into())),
            _ => 0,
        };
        let row =
            ChatRow { at: secret::now(), name: person.name.clone(), seat: seat.map(u8::from), readers, text };
        self.0.store.say(id.to_string(), row.clone()).await?;
        live.chat.push(row);
        table.publish();
        Ok(())
    }

    /// The record of a table: whole once the game is over or frozen; before that it is nobody's to read.
    pub async fn record(&self, id: &str) -> Result<String, Fault> {
        let table = self.find(id).await?;
        let live = table.live.lock().await;
        match (&live.sitting, &live.frozen) {
            (_, Some(_)) => {
                // What cannot be replayed can still be read; the seed stays with the table.
                let entries = self.0.store.table(id.to_string()).await?.map_or(Vec::new(), |w| w.entries);
                let head = live.row.head.clone().unwrap_or_default();
                let head: Vec<_> = head.lines().filter(|l| !l.starts_with("seed ")).collect();
                Ok(format!("{}\n\n{}\n", head.join("\n"), entries.join("\n")))
            }
            (Some(sitting), None) if live.over() => Ok(sitting.record(true).to_string()),
            _ => Err(Fault::Stage(
                "the record holds everybody's secrets: it can be read when the game is over".into(),
            )),
        }
    }

    /// Opens a table of analysis that goes on from a moment of a finished game: with all seats played by
    /// this person, or with one of them against bots.
    pub async fn branch(
        &self,
        id: &str,
        person: &PersonRow,
        entry: u32,
        against_bots: Option<u8>,
    ) -> Result<String, Fault> {
        let table = self.find(id).await?;
        let live = table.live.lock().await;
        if against_bots.is_some_and(|own| usize::from(own) >= live.seats.len()) {
            return Err(Fault::Wrong("there is no such seat at this table".into()));
        }
        let Some(sitting) = live.sitting.as_ref().filter(|_| live.over()) else {
            return Err(Fault::Stage("a game can be continued from a moment once it is over".into()));
        };
        let seed = Seed::new(secret::bytes());
        let branch = careful(|| sitting.branch(entry, seed.clone()))
            .map_err(Fault::Server)?
            .map_err(|e| Fault::Wrong(e.to_string()))?;
        let record = branch.record(true);
        let entries: Vec<_> = record.entries.iter().map(ToString::to_string).collect();
        let mut head = record;
        head.entries.clear();
        let now = secret::now();
        let row = TableRow {
            id: secret::word::<12>(),
            seed: seed.to_hex(),
            head: Some(head.to_string()),
            stage: if branch.outcome().is_some() { Stage::Over } else { Stage::Running },
            host: person.id.clone(),
            listed: false,
            created: now,
            touched: now,
            waiting: bits(branch.waiting_for()),
            headline: String::new(),
            version: 0,
            pace: String::new(),
            clocks: None,
            asked: String::new(),
            numbers: String::new(),
            chosen: String::new(),
            options: House { hints: true, analysis: true }.among(&live.row.options),
            ..live.row.clone()
        };
        let seats = live.seats.iter().enumerate().map(|(i, old)| {
            let bot = against_bots.is_some_and(|own| usize::from(own) != i);
            // A bot stays who it was; in the place of a person sits the first of them.
            let level = bots::level(&old.name).filter(|_| old.kind == Kind::Bot).unwrap_or(&bots::LEVELS[0]);
            SeatRow {
                kind: if bot { Kind::Bot } else { Kind::Person },
                person: (!bot).then(|| person.id.clone()),
                name: if bot { level.id.into() } else { person.name.clone() },
                link: None,
                nonce: None,
                stand_in: None,
            }
        });
        let new = row.id.clone();
        self.0.store.add_table(row, seats.collect(), entries).await?;
        drop(live);
        let opened = self.find(&new).await?;
        self.wake_bots(&*opened.live.lock().await);
        Ok(new)
    }

    /// Loads every table that is being played, so that bots go on where they stopped and a table whose
    /// record no longer replays is found at once. How many there were, and how many are frozen.
    pub async fn resume(&self) -> Result<(usize, usize), Fault> {
        let running = self.0.store.list(Listing::Unfinished, 100_000).await?;
        let mut frozen = 0;
        for (row, seats) in &running {
            if !seats.iter().any(|s| s.kind == Kind::Bot || s.stand_in.is_some()) {
                continue;
            }
            let table = self.find(&row.id).await?;
            let live = table.live.lock().await;
            if live.frozen.is_some() {
                frozen += 1;
            } else {
                self.wake_bots(&live);
            }
        }
        Ok((running.len(), frozen))
    }

    /// Looks for tables whose bots nobody plays, because the server that did has stopped.
    pub async fn wake_orphans(&self) {
        let Ok(running) = self.0.store.list(Listing::Unfinished, 100_000).await else { return };
        for (row, seats) in running {
            let bot = |(i, s): (usize, &SeatRow)| {
                row.waiting >> i & 1 == 1 && (s.kind == Kind::Bot || s.stand_in.is_some())
            };
            if seats.iter().enumerate().any(bot)
                && let Ok(table) = self.find(&row.id).await
            {
                let mut live = table.live.lock().await;
                if self.catch_up(&table, &mut live).await.is_ok() {
                    self.wake_bots(&live);
                }
            }
        }
    }

    /// Forgets tables that nobody looks at; the store has them.
    pub fn tidy(&self) {
        let keep = self.0.habits.keep.as_secs() as i64;
        let oldest = secret::now() - keep;
        let mut tables = self.0.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.retain(|_, cell| {
            let Some(table) = cell.get() else { return true };
            // Whoever else holds it, or is about to, is at work.
            let busy = Arc::strong_count(cell) > 1 || Arc::strong_count(table) > 1 || table.anybody();
            busy || table.used.load(Ordering::Relaxed) > oldest
        });
    }
}

fn perform(
    sitting: &mut dyn AnyMatch,
    seat: Seat,
    ask: &Ask,
    base: u64,
    bots: SeatSet,
) -> Result<Option<Acted>, table::TableError> {
    match ask {
        Ask::Act { actions, number } => {
            let texts: Vec<_> = actions.iter().map(String::as_str).collect();
            // A number from before the last loading is never a present one.
            let number = number.map(|n| n.checked_sub(base).unwrap_or(u64::MAX));
            sitting.act(seat, number, &texts).map(Some)
        }
        Ask::Undo => sitting.undo(seat).map(|()| None),
        Ask::Commit => sitting.commit(seat).map(|()| None),
        Ask::AskTakeBack => {
            let to = sitting.before_last_decision(seat).ok_or_else(|| {
                let why = "you have decided nothing yet".to_string();
                table::TableError::NothingToUndo { why }
            })?;
            sitting.ask_take_back(seat, to)?;
            // Bots do not mind.
            for bot in bots.iter().filter(|b| *b != seat) {
                if sitting.take_back_asked().is_some() {
                    sitting.answer_take_back(bot, true)?;
                }
            }
            Ok(None)
        }
        Ask::AnswerTakeBack(agrees) => sitting.answer_take_back(seat, *agrees).map(|()| None),
        Ask::Orders(orders) => {
            let texts: Vec<_> = orders.iter().map(String::as_str).collect();
            sitting.give_orders(seat, &texts).map(|()| None)
        }
    }
}

/// An error with the numbers that the outside knows.
fn raised(error: table::TableError, base: u64) -> table::TableError {
    match error {
        table::TableError::Stale { sent, present } => {
            table::TableError::Stale { sent: sent.saturating_add(base), present: present + base }
        }
        other => other,
    }
}

/// Plays a stored table again. What does not replay is frozen before the entry that fails.
fn load(game: Arc<dyn AnyGame>, whole: Whole) -> Live {
    let kept = whole.entries.len() as u32;
    let (mut sitting, mut frozen) = (None, None);
    if whole.row.stage == Stage::Frozen {
        frozen = Some(whole.row.headline.clone());
    }
    if let Some(head) = &whole.row.head {
        let text = format!("{head}\n{}\n", whole.entries.join("\n"));
        match replayed(&*game, &whole.row.id, &text, None) {
            Ok(played) => sitting = Some(played),
            Err((at, why)) => {
                tracing::error!(table = %whole.row.id, entry = at, %why, "a record no longer replays");
                frozen = Some(why);
                sitting =
                    at.checked_sub(1).and_then(|to| replayed(&*game, &whole.row.id, &text, Some(to)).ok());
            }
        }
    }
    if let (Some(played), None) = (&mut sitting, &frozen) {
        for (seat, draft) in &whole.drafts {
            let Ok(seat) = Seat::try_from(*seat) else { continue };
            let texts: Vec<_> = draft.actions.iter().map(String::as_str).collect();
            let orders: Vec<_> = draft.orders.iter().map(String::as_str).collect();
            let restored = careful(|| {
                if !texts.is_empty() {
                    played.act(seat, None, &texts)?;
                }
                if orders.is_empty() { Ok(()) } else { played.give_orders(seat, &orders) }
            });
            if !matches!(restored, Ok(Ok(()))) {
                tracing::warn!(table = %whole.row.id, "a draft could not be restored");
            }
        }
        played.remember_chosen(chosen_after(kept, &whole.row.chosen));
    }
    if let (Some(played), None) = (&mut sitting, &frozen)
        && !whole.row.asked.is_empty()
        && !matches!(careful(|| ask_again(&mut **played, &whole.row.asked)), Ok(Some(())))
    {
        tracing::warn!(table = %whole.row.id, "a wish to take back could not be restored");
    }
    let bases = bases(sitting.as_deref(), &whole.row.numbers);
    Live {
        clocks: whole.row.clocks.as_deref().and_then(|text| serde_json::from_str(text).ok()),
        events: whole
            .events
            .iter()
            .filter_map(|e| Some((e.at, serde_json::from_str(&e.what).ok()?)))
            .collect(),
        row: whole.row,
        seats: whole.seats,
        game,
        sitting,
        chat: whole.chat,
        frozen,
        lost: false,
        bases,
        kept,
        drafts: whole.drafts,
    }
}

/// Where the numbers of a match begin, so that they go on from those that the store has.
fn bases(sitting: Option<&dyn AnyMatch>, numbers: &str) -> [u64; MOST_SEATS] {
    // Below 2^48, so that a script can count with it, and never so low that counting on from it fails.
    let mut bases = [(secret::number() >> 33 | 1) << 16; MOST_SEATS];
    let numbers = numbers.split_whitespace().map_while(|n| n.parse::<u64>().ok());
    for (seat, number) in SeatSet::first(MOST_SEATS).iter().zip(numbers) {
        bases[seat.index()] = number.saturating_sub(sitting.map_or(0, |s| s.number(seat)));
    }
    bases
}

/// A seat for somebody who comes: one that is open, or the one of his link.
fn free_seat(live: &Live, seat: Option<u8>, link: Option<&str>) -> Result<usize, Fault> {
    if let Some(link) = link {
        let fits = |row: &SeatRow| row.link.as_deref().is_some_and(|l| secret::fits(link, l));
        let found = live.seats.iter().position(fits);
        return found.ok_or_else(|| Fault::NotYours("this link opens no seat any more".into()));
    }
    let free = |i: &usize| live.seats[*i].kind == Kind::Open;
    let wished = |i: &usize| seat.is_none_or(|s| usize::from(s) == *i);
    (0..live.seats.len())
        .filter(free)
        .find(wished)
        .ok_or_else(|| Fault::NotYours("that seat is not free: choose another, or ask for its link".into()))
}

/// A replay, or the entry that fails and why.
fn replayed(
    game: &dyn AnyGame,
    id: &str,
    text: &str,
    to: Option<u32>,
) -> Result<Box<dyn AnyMatch>, (u32, String)> {
    let record = Record::read(id, text).map_err(|e| (0, e.to_string()))?;
    match careful(|| game.replay(&record, to)) {
        Ok(Ok(played)) => Ok(played),
        Ok(Err(error)) => Err((error.entry, error.to_string())),
        // Which entry it was that panicked is found by trying.
        Err(panic) => {
            let last = record.entries.len() as u32;
            let good =
                (0..last).rev().find(|n| matches!(careful(|| game.replay(&record, Some(*n))), Ok(Ok(_))));
            Err((good.map_or(0, |n| n + 1), panic))
        }
    }
}

/// A moment of a game as one viewer lived it.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// How many moments there are.
    pub(crate) moments: usize,
    /// Which one this is; 0 is the start.
    pub(crate) at: usize,
    /// The number of its entry, for the table itself.
    pub(crate) entry: u32,
    /// Who did what to bring it about.
    pub(crate) deed: String,
    /// The table then.
    pub(crate) scene: table::Scene,
}

impl Tables {
    /// What a person is shown of a table now.
    pub(crate) async fn look(
        &self,
        id: &str,
        person: Option<&str>,
        seat: Option<u8>,
    ) -> Result<crate::sight::Sight, Fault> {
        let table = self.find(id).await?;
        let live = table.live.lock().await;
        let viewer = live.viewer(person, seat);
        careful(|| crate::sight::Sight::of(&table, &live, viewer, person, self.now())).map_err(|panic| {
            tracing::error!(table = %id, %panic, "a scene could not be made");
            Fault::Server(panic)
        })
    }

    /// A moment that has passed, as a viewer saw it: counted by what he has seen, so that the count tells
    /// him nothing else. Without a number, the last.
    pub(crate) async fn moment(
        &self,
        id: &str,
        person: Option<&str>,
        seat: Option<u8>,
        at: Option<usize>,
    ) -> Result<Moment, Fault> {
        let table = self.find(id).await?;
        let live = table.live.lock().await;
        let viewer = live.viewer(person, seat);
        let title = live.title();
        let Some(sitting) = &live.sitting else {
            return Err(Fault::Stage("the game has not begun".into()));
        };
        let game = live.game.clone();
        let past = || {
            let seen = sitting.history(viewer);
            let at = at.unwrap_or(seen.len()).min(seen.len());
            let (entry, deed) = match at.checked_sub(1).and_then(|i| seen.get(i)) {
                Some((entry, seat, notation)) => (*entry, format!("{}: {notation}", title.seat_name(*seat))),
                None => (0, "the start".to_string()),
            };
            let scene = if at == seen.len() {
                sitting.scene(viewer)
            } else {
                let mut record = sitting.record(false);
                record.entries.truncate(entry as usize);
                game.replay(&record, None).map_err(|e| Fault::Server(e.to_string()))?.scene(viewer)
            };
            Ok(Moment { moments: seen.len(), at, entry, deed, scene })
        };
        careful(past).map_err(Fault::Server)?
    }

    /// Plays a finished game again from its seed and compares every die.
    pub(crate) async fn verify(&self, id: &str) -> Result<usize, Fault> {
        let text = self.record(id).await?;
        let table = self.find(id).await?;
        let game = table.live.lock().await.game.clone();
        let record = Record::read(id, &text).map_err(|e| Fault::Server(e.to_string()))?;
        if record.seed.is_none() {
            return Err(Fault::Stage("the seed is not shown yet".into()));
        }
        careful(|| game.replay(&record, None).map(drop))
            .map_err(Fault::Server)?
            .map_err(|e| Fault::Server(e.to_string()))?;
        let chance = |entry: &table::RecordEntry| match &entry.deed {
            table::Deed::Act { chance, .. } => chance.len(),
            table::Deed::TakeBack { .. } => 0,
        };
        Ok(record.setup.len() + record.entries.iter().map(chance).sum::<usize>())
    }
}

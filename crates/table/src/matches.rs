//! A match: one game being played, with everything checked.
//!
//! A match holds the committed position and, for each seat, perhaps a draft: clicks that the seat can still
//! undo and nobody else can notice. A draft is committed
//! - when dice, a draw or a reveal taught anybody something ([`Protocol::is_final`]),
//! - when the seat has nothing more to decide and somebody else must go on,
//! - or when the seat says so ([`Match::commit`]).
//!
//! A choice that nobody else may see, made while others still choose, is *held* instead: it can be changed
//! until the last of them has chosen, and then all are committed at once in the order of the seats. Everybody
//! may know that a seat *has chosen* ([`Match::chosen`]): it counts from the first time that its choice was held
//! until the choices are opened, whether or not it is taken back meanwhile, so that nobody can tell who changes
//! his mind.
//!
//! A window's answer is held too, where the table keeps an even pace ([`Match::keep_pace`]): until
//! [`Match::ripen`] nobody else can tell it from an unanswered one.
//!
//! The record is the truth: the position is always what replaying the entries gives.
//!
//! Here are the match itself and what can be seen of it; `act` has what becomes of clicks, `orders` what was said in
//! advance, `happenings` what is shown of what others did, `take_back` what is undone with consent, `replay` how a record becomes a match again.

use std::sync::Arc;

use crate::ballot::{Ballot, Explained, Offer, Options};
use crate::dice::{Commitment, DiceKey, Nonces, Seed};
use crate::error::TableError;
use crate::game::{Game, Notation, Observed, Outcome, Rules};
use crate::journal::{Journal, JournalPage, Line, Note, Tone};
use crate::record::{By, Deed, Record, RecordEntry};
use crate::scene::{Choice, Reach, Scene};
use crate::seat::{MOST_SEATS, Seat, SeatSet, Viewer};
use crate::title::{Setup, SetupError};
use crate::umpire::{Chance, Protocol, Retold, Scribe};

mod act;
mod happenings;
mod orders;
mod replay;
mod take_back;

/// The id of the set-up option by which a table says whether anything may be taken back. Where a game has it
/// and it is `no`, only drafts can be undone.
pub const TAKE_BACKS: &str = "take-backs";

/// One game being played.
#[derive(Debug)]
pub struct Match<G: Game> {
    game: Arc<G>,
    setup: Setup,
    commitment: Commitment,
    nonces: Nonces,
    seed: Option<Seed>,
    key: Option<DiceKey>,
    branched_at: Option<u32>,
    opening: Vec<Chance>,
    // A position may be large: what is looked at rarely is kept apart.
    start: Box<G::Position>,
    position: G::Position,
    /// Who plays: the party of the set-up, and who came later.
    party: SeatSet,
    entries: Vec<Entry<G>>,
    /// For each entry, who saw anything of it and whether it taught anybody something.
    marks: Vec<Mark>,
    take_backs: u32,
    journal: Journal,
    drafts: [Option<Box<Draft<G>>>; MOST_SEATS],
    chosen: SeatSet,
    pace: Pace,
    orders: [Vec<G::Order>; MOST_SEATS],
    asked: Option<TakeBackRequest>,
    plays_forced: bool,
    numbers: Numbers,
}

type Entry<G> = Deed<Seat, <G as Rules>::Action>;

/// How the windows of a table are opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pace {
    /// As soon as they are answered.
    AtOnce,
    /// Not before the table says that the time has come.
    Even,
    /// The time has come for what is asked now.
    Ripe,
}

/// What is remembered of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Mark {
    seen: SeenBy,
    taught: bool,
    /// How long the journal was before it.
    told: usize,
}

/// Who saw anything of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SeenBy {
    seats: SeatSet,
    observers: bool,
}

impl SeenBy {
    /// Whether this viewer saw it.
    fn includes(self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Seat(seat) => self.seats.contains(seat),
            Viewer::Observer => self.observers,
            Viewer::Umpire => true,
        }
    }
}

/// Clicks of one seat that nobody else can notice yet.
#[derive(Debug)]
struct Draft<G: Game> {
    steps: Vec<Step<G::Action>>,
    position: G::Position,
    held: bool,
}

/// One click of a draft.
#[derive(Clone, Debug)]
struct Step<A> {
    action: A,
    by: By,
    protocol: Protocol,
    seen: SeenBy,
}

// Derived clones would ask that the rules themselves can be cloned.
impl<G: Game> Clone for Draft<G> {
    fn clone(&self) -> Self {
        Self { steps: self.steps.clone(), position: self.position.clone(), held: self.held }
    }
}

impl<G: Game> Clone for Match<G> {
    fn clone(&self) -> Self {
        Self {
            game: self.game.clone(),
            setup: self.setup.clone(),
            commitment: self.commitment,
            nonces: self.nonces,
            seed: self.seed.clone(),
            key: self.key.clone(),
            branched_at: self.branched_at,
            opening: self.opening.clone(),
            start: self.start.clone(),
            position: self.position.clone(),
            party: self.party,
            entries: self.entries.clone(),
            marks: self.marks.clone(),
            take_backs: self.take_backs,
            journal: self.journal.clone(),
            drafts: self.drafts.clone(),
            chosen: self.chosen,
            pace: self.pace,
            orders: self.orders.clone(),
            asked: self.asked,
            plays_forced: self.plays_forced,
            numbers: self.numbers.clone(),
        }
    }
}

/// Per seat, how often what it has to decide has changed.
#[derive(Clone, Debug, Default)]
struct Numbers {
    count: [u64; MOST_SEATS],
    clicks: [u64; MOST_SEATS],
    print: [[u8; 32]; MOST_SEATS],
}

/// What became of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acted {
    /// It is in the draft and can be undone.
    Drafted,
    /// It is a secret choice, held until the others have chosen, or the answer to a window, held until the
    /// window is opened.
    Held {
        /// How many actions of a batch were not played, because the decision passed on before them.
        unplayed: usize,
    },
    /// It is in the record.
    Committed {
        /// How many actions of a batch were not played, because chance, a reveal or a handover came before them.
        unplayed: usize,
    },
}

/// Somebody would like to take entries back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TakeBackRequest {
    /// Who asks.
    pub by: Seat,
    /// The last entry that would stand.
    pub to: u32,
    /// Who has agreed so far.
    pub agreed: SeatSet,
    /// Whose consent it needs: all whose entries would be undone, and their opponents.
    pub needed: SeatSet,
}

/// Something that a seat may do, ready to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choosable<A> {
    /// The action, with the least amount where it is a range.
    pub offer: Offer<A>,
    /// Its notation.
    pub notation: Notation,
    /// How it shows itself.
    pub choice: Choice,
}

/// Why a record does not replay.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: entry {entry}: {what}")]
pub struct ReplayError {
    /// The record's file.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The entry; 0 is the set-up.
    pub entry: u32,
    /// What does not fit.
    pub what: String,
}

impl<G: Game> Match<G> {
    /// Opens a match. The seats have seen the seed's commitment before they gave their nonces.
    pub fn open(game: Arc<G>, setup: Setup, seed: Seed, nonces: Nonces) -> Result<Self, SetupError> {
        let key = DiceKey::new(&seed, &nonces);
        let mut scribe = Scribe::new(key.stream(0, 0));
        let start = game.setup(&setup, &mut scribe)?;
        let mut this =
            Self::assemble(game, setup, seed.commitment(), nonces, Some(seed), start, scribe.protocol);
        this.settle();
        this.count_changes(this.party);
        Ok(this)
    }

    fn assemble(
        game: Arc<G>,
        setup: Setup,
        commitment: Commitment,
        nonces: Nonces,
        seed: Option<Seed>,
        start: G::Position,
        opening: Protocol,
    ) -> Self {
        let mut journal = Journal::default();
        journal.extend(opening.notes);
        Self {
            key: seed.as_ref().map(|seed| DiceKey::new(seed, &nonces)),
            game,
            commitment,
            nonces,
            seed,
            branched_at: None,
            opening: opening.chance,
            party: setup.party(),
            setup,
            position: start.clone(),
            start: Box::new(start),
            entries: Vec::new(),
            marks: Vec::new(),
            take_backs: 0,
            journal,
            drafts: Default::default(),
            chosen: SeatSet::NONE,
            pace: Pace::AtOnce,
            orders: Default::default(),
            asked: None,
            plays_forced: true,
            numbers: Numbers::default(),
        }
    }

    /// The rules.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// The set-up.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The seats that are played: the party of the set-up, and who came later.
    pub fn party(&self) -> SeatSet {
        self.party
    }

    /// The commitment to the seed, for all to see from the start.
    pub fn commitment(&self) -> Commitment {
        self.commitment
    }

    /// Whether choices that are forced, and known to be, are made by the table. They are unless told
    /// otherwise; either way they are entries of the record.
    pub fn play_forced(&mut self, plays: bool) {
        self.plays_forced = plays;
    }

    /// How it ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(&self.position)
    }

    /// Why it ended so, once it has.
    pub fn reason(&self) -> String {
        self.game.reason(&self.position)
    }

    /// The committed position: the whole truth, for the table itself and for tests.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// The number of the last entry.
    pub fn last_entry(&self) -> u32 {
        self.entries.len() as u32
    }

    /// Who must decide, whether or not a secret choice of theirs is held: what everybody may know.
    pub fn deciding(&self) -> SeatSet {
        self.game.deciding(&self.position)
    }

    /// Whom the table waits for: those who must decide and have not made a secret choice. Only the table
    /// itself and each seat about itself may know; others know [`Match::chosen`].
    pub fn waiting_for(&self) -> SeatSet {
        let held = |seat: &Seat| self.drafts[seat.index()].as_ref().is_some_and(|d| d.held);
        self.game.deciding(&self.position).iter().filter(|s| !held(s)).collect()
    }

    /// Who has made a secret choice at least once since the last choices were opened: what everybody may know.
    /// A seat that takes its choice back stays among them.
    pub fn chosen(&self) -> SeatSet {
        self.chosen
    }

    /// These seats have chosen, as a store remembers that kept it beside the record: a choice that was taken
    /// back has left no other trace.
    pub fn remember_chosen(&mut self, chosen: SeatSet) {
        self.chosen = self.chosen.union(chosen).both(self.deciding());
    }

    /// The position as a seat has it before it: its own draft, or what is committed.
    fn before(&self, seat: Seat) -> &G::Position {
        self.drafts[seat.index()].as_ref().map_or(&self.position, |d| &d.position)
    }

    /// All that a viewer may know now. The umpire's view is for finished games: before the end he sees
    /// what an observer sees.
    pub fn view(&self, viewer: Viewer) -> G::View {
        match viewer {
            Viewer::Seat(seat) => self.game.view(self.before(seat), viewer),
            Viewer::Umpire if self.outcome().is_none() => self.game.view(&self.position, Viewer::Observer),
            Viewer::Observer | Viewer::Umpire => self.game.view(&self.position, viewer),
        }
    }

    /// The table as a viewer sees it, his own standing orders drawn on it.
    pub fn scene(&self, viewer: Viewer) -> Scene {
        let view = self.view(viewer);
        let mut scene = self.game.scene(&view);
        if let Some(seat) = viewer.seat().filter(|seat| !self.orders[seat.index()].is_empty()) {
            self.game.show_orders(&view, &self.orders[seat.index()], &mut scene);
        }
        self.show_happenings(viewer, &mut scene);
        scene
    }

    /// Remembers an entry that is about to be entered.
    fn mark(&mut self, seen: SeenBy, taught: bool) {
        self.marks.push(Mark { seen, taught, told: self.journal.notes().len() });
    }

    /// Where picked pieces of a seat's scene can go, while it decides.
    pub fn reach(&self, seat: Seat, picked: &[&str]) -> Vec<Reach> {
        if !self.game.deciding(self.before(seat)).contains(seat) {
            return Vec::new();
        }
        self.game.reach(&self.view(Viewer::Seat(seat)), picked)
    }

    /// The actions that bring picked pieces of a seat's scene to a place: a batch for [`act`](Self::act).
    pub fn route(&self, seat: Seat, picked: &[&str], to: &str) -> Vec<G::Action> {
        if !self.game.deciding(self.before(seat)).contains(seat) {
            return Vec::new();
        }
        self.game.route(&self.view(Viewer::Seat(seat)), picked, to)
    }

    /// Somebody takes a seat that nobody played, in the middle of the game.
    pub fn arrive(&mut self, seat: Seat) -> Result<(), TableError> {
        if self.outcome().is_some() {
            return Err(TableError::Over);
        }
        let Some(key) = &self.key else {
            return Err(TableError::NothingToUndo { why: "this record has no seed: branch from it".into() });
        };
        if self.party.contains(seat) || !self.game.latecomers(&self.position).contains(seat) {
            return Err(TableError::NoRoom { seat: self.game.title().seat_name(seat).to_string() });
        }
        let mut scribe = Scribe::new(key.stream(self.take_backs, self.last_entry() + 1));
        self.game.arrive(&mut self.position, seat, &mut scribe);
        self.note_arrival(seat, scribe.protocol);
        // What would be taken back lies before he came, and nobody is sent away again.
        self.asked = None;
        self.rebase_drafts();
        self.settle();
        self.count_changes(self.party);
        Ok(())
    }

    fn note_arrival(&mut self, seat: Seat, protocol: Protocol) {
        self.party = self.party.with(seat);
        let seen = SeenBy { seats: self.party, observers: true };
        self.mark(seen, true);
        self.journal.extend(protocol.notes);
        self.entries.push(Deed::Arrive { seat, chance: protocol.chance });
    }

    /// The journal as a viewer may read it, his own draft at the end.
    pub fn journal(&self, viewer: Viewer) -> Vec<Line> {
        self.notes(viewer).map(Line::from).collect()
    }

    /// The end of the journal as a viewer may read it, or the page that ends before a group.
    pub fn journal_page(&self, viewer: Viewer, below: Option<usize>) -> JournalPage {
        JournalPage::of(self.notes(viewer), below)
    }

    fn notes(&self, viewer: Viewer) -> impl Iterator<Item = &Note> {
        let viewer =
            if self.outcome().is_none() && viewer == Viewer::Umpire { Viewer::Observer } else { viewer };
        let draft = viewer.seat().and_then(|s| self.drafts[s.index()].as_deref());
        let own = draft.into_iter().flat_map(|draft| &draft.steps).flat_map(|step| &step.protocol.notes);
        self.journal.read(viewer).chain(own.filter(move |note| note.readers.include(viewer)))
    }

    /// The number of a seat's present decision: it changes with the seat's own clicks and when its options
    /// change, and with nothing else. It detects stale and repeated actions and tells nothing; choices made
    /// by others at the same time do not touch it.
    pub fn number(&self, seat: Seat) -> u64 {
        self.numbers.count[seat.index()]
    }

    /// What a bot in this seat is given: a view and its options.
    pub fn observed(&self, seat: Seat) -> Option<Observed<G>> {
        let position = self.before(seat);
        if !self.game.deciding(position).contains(seat) {
            return None;
        }
        let mut options = Options::new();
        self.game.options(position, seat, &mut options);
        Some(Observed {
            seat,
            view: self.game.view(position, Viewer::Seat(seat)),
            offers: options.offers().to_vec(),
        })
    }

    /// What a seat may do now, ready to be shown.
    pub fn choices(&self, seat: Seat) -> Vec<Choosable<G::Action>> {
        let Some(Observed { view, offers, .. }) = self.observed(seat) else { return Vec::new() };
        offers
            .into_iter()
            .map(|offer| Choosable {
                offer,
                notation: self.game.write(offer.action),
                choice: self.game.choice(&view, offer.action),
            })
            .collect()
    }

    /// What a seat may not do now that it might try, and why.
    pub fn explained(&self, seat: Seat) -> Explained<G::Action> {
        let mut ballot = Explained::default();
        let position = self.before(seat);
        if self.game.deciding(position).contains(seat) {
            self.game.options(position, seat, &mut ballot);
        }
        ballot
    }

    /// Reads an action from text.
    pub fn read(&self, text: &str) -> Result<G::Action, TableError> {
        self.game
            .read(text.trim())
            .map_err(|e| TableError::Unreadable { text: shortened(text), reason: e.to_string() })
    }

    /// Whether a seat may do this now, and if not, why not.
    pub fn why_not(&self, seat: Seat, action: G::Action) -> Result<(), TableError> {
        if self.outcome().is_some() {
            return Err(TableError::Over);
        }
        self.check(self.before(seat), seat, action)
    }

    fn check(&self, position: &G::Position, seat: Seat, action: G::Action) -> Result<(), TableError> {
        let game = &*self.game;
        let title = game.title();
        if !game.deciding(position).contains(seat) {
            let waiting = self.deciding().iter().map(|s| title.seat_name(s).to_string()).collect();
            return Err(TableError::NotYours { seat: title.seat_name(seat).to_string(), waiting });
        }
        if is_allowed(game, position, seat, action) {
            return Ok(());
        }
        let mut ballot = Explained::default();
        game.options(position, seat, &mut ballot);
        let text = game.write(action).to_string();
        if let Some(refusal) = ballot.refusals.into_iter().find(|r| r.action == action) {
            return Err(TableError::Refused { action: text, why: refusal.why, rule: refusal.rule });
        }
        let prompt = game.scene(&game.view(position, Viewer::Seat(seat))).prompt;
        let (prompt, rule) = prompt.map_or_else(
            || ("something else is to be decided".to_string(), crate::rule!("table")),
            |p| (p.text, p.rule),
        );
        Err(TableError::NotNow { action: text, prompt, rule })
    }

    /// The numbers of the entries that stand: all actions that no take-back has undone.
    pub fn standing(&self) -> Vec<u32> {
        let mut standing = Vec::new();
        for (i, entry) in self.entries.iter().enumerate() {
            match entry {
                Deed::Act { .. } | Deed::Arrive { .. } => standing.push(i as u32 + 1),
                Deed::TakeBack { to, .. } => standing.retain(|n| n <= to),
            }
        }
        standing
    }

    /// Whether entries that stand and come after this one have rolled, drawn or shown anything to anybody.
    pub fn taught_since(&self, entry: u32) -> bool {
        self.standing().into_iter().any(|number| number > entry && self.marks[number as usize - 1].taught)
    }

    /// How many of the entries that stand a viewer saw anything of: the length of his history.
    pub fn moments(&self, viewer: Viewer) -> usize {
        let seen = |number: &u32| self.marks[*number as usize - 1].seen.includes(viewer);
        self.standing().iter().filter(|number| seen(number)).count()
    }

    /// The moments of a viewer's history at which his journal begins something new with a heading: a turn, a phase,
    /// a battle. Counted as `moments` counts them.
    pub fn turns(&self, viewer: Viewer) -> Vec<usize> {
        let notes = self.journal.notes();
        let mut read = self.marks.first().map_or(notes.len(), |first| first.told);
        let (mut at, mut turns) = (0, Vec::new());
        for number in self.standing() {
            let mark = self.marks[number as usize - 1];
            if !mark.seen.includes(viewer) {
                continue;
            }
            at += 1;
            // What was told by entries that he saw nothing of comes with the next that he saw.
            let end = self.marks.get(number as usize).map_or(notes.len(), |next| next.told);
            let new = notes.get(read..end).unwrap_or_default();
            read = end;
            if new.iter().any(|note| note.tone == Tone::Heading && note.readers.include(viewer)) {
                turns.push(at);
            }
        }
        turns
    }

    /// Plays all entries that stand again from the start, each shown with the position before it; the position at
    /// the end.
    fn walk(&self, mut look: impl FnMut(u32, &G::Position, &Entry<G>)) -> G::Position {
        let mut position = (*self.start).clone();
        for number in self.standing() {
            let deed = &self.entries[number as usize - 1];
            look(number, &position, deed);
            match deed {
                Deed::Act { seat, action, chance, .. } => {
                    self.game.apply(&mut position, *seat, *action, &mut Scribe::new(Retold::new(chance)));
                }
                Deed::Arrive { seat, chance } => {
                    self.game.arrive(&mut position, *seat, &mut Scribe::new(Retold::new(chance)));
                }
                Deed::TakeBack { .. } => {}
            }
        }
        position
    }

    /// What a viewer has seen of the actions that stand, in order, each with its entry's number. Entry
    /// numbers are not for a seat's eyes while the game runs: they count what it may not see.
    pub fn history(&self, viewer: Viewer) -> Vec<(u32, Seat, Notation)> {
        let mut told = Vec::new();
        self.walk(|number, position, deed| match deed {
            Deed::Act { seat, action, .. } => {
                if let Some(notation) = self.game.seen(position, *seat, *action, viewer) {
                    told.push((number, *seat, notation));
                }
            }
            Deed::Arrive { seat, .. } => told.push((number, *seat, Notation::new("arrives"))),
            Deed::TakeBack { .. } => {}
        });
        told
    }

    /// The record so far. With the seed only for the table's own store, or once the game is over.
    pub fn record(&self, with_seed: bool) -> Record {
        let title = self.game.title();
        Record {
            file: String::new(),
            game: title.id.to_string(),
            rules: title.version.to_string(),
            data: title.data_hash.clone(),
            scenario: self.setup.scenario().to_string(),
            seats: title.wish_for(self.setup.scenario(), self.setup.party()),
            options: self.setup.options().clone(),
            commitment: self.commitment,
            nonces: self.nonces,
            seed: self.seed.clone().filter(|_| with_seed),
            branched_at: self.branched_at,
            setup: self.opening.clone(),
            entries: self.entries_since(0),
        }
    }

    /// The entries of the record after entry `last`: what a store that has so many does not have yet.
    pub fn entries_since(&self, last: u32) -> Vec<RecordEntry> {
        let title = self.game.title();
        let name = |seat: &Seat| title.seat_name(*seat).to_string();
        let entry = |(i, deed): (usize, &Entry<G>)| RecordEntry {
            number: i as u32 + 1,
            line: 0,
            deed: match deed {
                Deed::Act { seat, by, action, chance } => Deed::Act {
                    seat: name(seat),
                    by: *by,
                    action: self.game.write(*action).to_string(),
                    chance: chance.clone(),
                },
                Deed::Arrive { seat, chance } => Deed::Arrive { seat: name(seat), chance: chance.clone() },
                Deed::TakeBack { seat, to } => Deed::TakeBack { seat: name(seat), to: *to },
            },
        };
        self.entries.iter().enumerate().skip(last as usize).map(entry).collect()
    }

    /// A seat's draft, as text: what a store keeps beside the record so that a restart loses no click.
    pub fn draft(&self, seat: Seat) -> Vec<Notation> {
        let steps = self.drafts[seat.index()].iter().flat_map(|d| &d.steps);
        steps.map(|step| self.game.write(step.action)).collect()
    }

    /// Counts, for each of these seats, whether what it has to decide has changed.
    fn count_changes(&mut self, seats: SeatSet) {
        for seat in seats.iter() {
            let mut options = Options::new();
            if self.game.deciding(self.before(seat)).contains(seat) {
                self.game.options(self.before(seat), seat, &mut options);
            }
            let offers: Vec<_> = options.offers().iter().map(|o| (o.action, o.range)).collect();
            let mut hasher = blake3::Hasher::new();
            hasher.update(&self.numbers.clicks[seat.index()].to_le_bytes());
            // Writing to a hasher cannot fail.
            let _ = serde_json::to_writer(&mut hasher, &offers);
            let print = *hasher.finalize().as_bytes();
            if self.numbers.print[seat.index()] != print {
                self.numbers.print[seat.index()] = print;
                self.numbers.count[seat.index()] += 1;
            }
        }
    }
}

/// Whether `options` allows exactly this action.
pub fn is_allowed<G: Game>(game: &G, position: &G::Position, seat: Seat, action: G::Action) -> bool {
    let mut verdict = Verdict { game, action, allowed: false };
    game.options(position, seat, &mut verdict);
    verdict.allowed
}

/// A ballot that looks for one action.
struct Verdict<'a, G: Game> {
    game: &'a G,
    action: G::Action,
    allowed: bool,
}

impl<G: Game> Ballot<G::Action> for Verdict<'_, G> {
    fn allow(&mut self, action: G::Action) {
        self.allowed |= action == self.action;
    }
    fn allow_range(&mut self, action: G::Action, least: u32, most: u32) {
        if let Some(amount) = self.game.amount(self.action) {
            self.allowed |=
                (least..=most).contains(&amount) && self.game.with_amount(action, amount) == self.action;
        }
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 80 { text.to_string() } else { text.chars().take(79).chain(['…']).collect() }
}

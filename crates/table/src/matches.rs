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
//! The record is the truth: the position is always what replaying the entries gives.

use std::sync::Arc;

use crate::ballot::{Ballot, Explained, Offer, Options};
use crate::dice::{Commitment, DiceKey, Lots, Nonces, Seed};
use crate::error::TableError;
use crate::game::{Game, Notation, Observed, Outcome};
use crate::journal::{Journal, Line, Note, Tone};
use crate::record::{By, Deed, Record, RecordEntry};
use crate::scene::{Choice, Scene};
use crate::seat::{MOST_SEATS, Readers, Seat, SeatSet, Viewer};
use crate::title::{Setup, SetupError};
use crate::umpire::{Chance, Protocol, Retold, Scribe};

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
    start: G::Position,
    position: G::Position,
    entries: Vec<Entry<G>>,
    take_backs: u32,
    journal: Journal,
    drafts: [Option<Draft<G>>; MOST_SEATS],
    chosen: SeatSet,
    orders: [Vec<G::Order>; MOST_SEATS],
    asked: Option<TakeBackRequest>,
    plays_forced: bool,
    numbers: Numbers,
}

type Entry<G> = Deed<Seat, <G as Game>::Action>;

/// Clicks of one seat that nobody else can notice yet.
#[derive(Debug)]
struct Draft<G: Game> {
    steps: Vec<(G::Action, By, Protocol)>,
    position: G::Position,
    held: bool,
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
            entries: self.entries.clone(),
            take_backs: self.take_backs,
            journal: self.journal.clone(),
            drafts: self.drafts.clone(),
            chosen: self.chosen,
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
    /// It is a secret choice, held until the others have chosen.
    Held,
    /// It is in the record.
    Committed {
        /// How many actions of a batch were not played, because chance or a reveal came before them.
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
        this.count_changes();
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
            setup,
            commitment,
            nonces,
            seed,
            branched_at: None,
            opening: opening.chance,
            position: start.clone(),
            start,
            entries: Vec::new(),
            take_backs: 0,
            journal,
            drafts: Default::default(),
            chosen: SeatSet::NONE,
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

    /// The table as a viewer sees it.
    pub fn scene(&self, viewer: Viewer) -> Scene {
        self.game.scene(&self.view(viewer))
    }

    /// The journal as a viewer may read it, his own draft at the end.
    pub fn journal(&self, viewer: Viewer) -> Vec<Line> {
        let viewer =
            if self.outcome().is_none() && viewer == Viewer::Umpire { Viewer::Observer } else { viewer };
        let mut journal: Vec<_> = self.journal.read(viewer).collect();
        if let Some(draft) = viewer.seat().and_then(|s| self.drafts[s.index()].as_ref()) {
            let mut own = Journal::default();
            own.extend(draft.steps.iter().flat_map(|(_, _, protocol)| protocol.notes.iter().cloned()));
            journal.extend(own.read(viewer));
        }
        journal
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

    /// A seat acts. With a number, only if nothing that it sees has changed since. Several actions are a
    /// batch: all are done or none, up to the first that rolls, draws or reveals; what comes after that one
    /// is left unplayed, for nobody shall try a batch to learn the dice.
    pub fn act(
        &mut self,
        seat: Seat,
        number: Option<u64>,
        actions: &[G::Action],
    ) -> Result<Acted, TableError> {
        if self.outcome().is_some() {
            return Err(TableError::Over);
        }
        let present = self.number(seat);
        if let Some(sent) = number.filter(|n| *n != present) {
            return Err(TableError::Stale { sent, present });
        }
        let chosen = self.chosen;
        let acted = self.perform(seat, actions, By::Hand)?;
        self.numbers.clicks[seat.index()] += 1;
        if matches!(acted, Acted::Committed { .. } | Acted::Held) {
            // Who chooses anew after a change of mind does nothing that others could notice.
            if acted != Acted::Held || self.chosen != chosen {
                self.asked = None;
            }
            self.settle();
        }
        self.count_changes();
        Ok(acted)
    }

    fn perform(&mut self, seat: Seat, actions: &[G::Action], by: By) -> Result<Acted, TableError> {
        // A held choice is changed by choosing again.
        let old = self.drafts[seat.index()].take();
        let result = self.perform_over(seat, actions, by, old.as_ref().filter(|d| !d.held));
        if result.is_err() {
            self.drafts[seat.index()] = old;
        }
        result
    }

    fn perform_over(
        &mut self,
        seat: Seat,
        actions: &[G::Action],
        by: By,
        old: Option<&Draft<G>>,
    ) -> Result<Acted, TableError> {
        let mut draft = old.cloned().unwrap_or_else(|| Draft {
            steps: Vec::new(),
            position: self.position.clone(),
            held: false,
        });
        for (i, action) in actions.iter().enumerate() {
            self.check(&draft.position, seat, *action)?;
            if self.step(seat, *action, by, &mut draft)? {
                self.enter(seat, draft);
                return Ok(Acted::Committed { unplayed: actions.len() - i - 1 });
            }
        }
        // The seat's own click may lead to what its standing orders answer.
        while let Some(action) = self.obeyed(seat, &draft.position) {
            if self.step(seat, action, By::Order, &mut draft)? {
                self.enter(seat, draft);
                return Ok(Acted::Committed { unplayed: 0 });
            }
        }
        let before = self.game.deciding(&self.position);
        let after = self.game.deciding(&draft.position);
        let handed_over = after.is_empty() || !after.minus(before).is_empty();
        if !handed_over && after.contains(seat) {
            self.drafts[seat.index()] = Some(draft);
            return Ok(Acted::Drafted);
        }
        if !handed_over && self.is_secret(seat, &draft) {
            draft.held = true;
            self.drafts[seat.index()] = Some(draft);
            self.chosen = self.chosen.with(seat);
            return Ok(Acted::Held);
        }
        self.enter(seat, draft);
        Ok(Acted::Committed { unplayed: 0 })
    }

    /// Adds an action to a draft; whether it taught anybody anything, so that the draft is final.
    fn step(&self, seat: Seat, action: G::Action, by: By, draft: &mut Draft<G>) -> Result<bool, TableError> {
        let Some(key) = &self.key else {
            let reason = "this record has no seed, so no dice can be rolled: look at it, or branch from it";
            return Err(TableError::Unreadable {
                text: self.game.write(action).to_string(),
                reason: reason.into(),
            });
        };
        let entry = self.last_entry() + draft.steps.len() as u32 + 1;
        let mut scribe = Scribe::new(key.stream(self.take_backs, entry));
        self.game.apply(&mut draft.position, seat, action, &mut scribe);
        let is_final = scribe.protocol.is_final();
        draft.steps.push((action, by, scribe.protocol));
        Ok(is_final)
    }

    /// Whether nobody else sees anything of a draft's actions.
    fn is_secret(&self, seat: Seat, draft: &Draft<G>) -> bool {
        let mut position = self.position.clone();
        draft.steps.iter().all(|(action, _, _)| {
            let secret = Viewer::all(self.setup.seats())
                .filter(|v| *v != Viewer::Seat(seat))
                .all(|v| self.game.seen(&position, seat, *action, v).is_none());
            self.game.apply(&mut position, seat, *action, &mut Scribe::new(Lots::new(0)));
            secret
        })
    }

    /// Puts a draft into the record, and the drafts of the others on top of it.
    fn enter(&mut self, seat: Seat, draft: Draft<G>) {
        self.drafts[seat.index()] = None;
        self.position = draft.position;
        self.chosen = self.chosen.both(self.deciding());
        for (action, by, protocol) in draft.steps {
            self.journal.extend(protocol.notes);
            self.entries.push(Deed::Act { seat, by, action, chance: protocol.chance });
        }
        self.tell_take_backs();
        for other in SeatSet::first(MOST_SEATS).iter() {
            if let Some(draft) = self.drafts[other.index()].take() {
                self.drafts[other.index()] = self.rebase(other, draft);
            }
        }
    }

    /// A draft over a new position: as much of it as is still possible and still teaches nothing.
    fn rebase(&self, seat: Seat, old: Draft<G>) -> Option<Draft<G>> {
        let mut draft: Draft<G> =
            Draft { steps: Vec::new(), position: self.position.clone(), held: old.held };
        for (action, by, _) in old.steps {
            if self.check(&draft.position, seat, action).is_err() {
                break;
            }
            let mut next = draft.position.clone();
            let mut scribe = Scribe::new(Lots::new(0));
            self.game.apply(&mut next, seat, action, &mut scribe);
            if scribe.protocol.is_final() && !old.held {
                break;
            }
            draft.steps.push((action, by, scribe.protocol));
            draft.position = next;
        }
        if draft.steps.is_empty() { None } else { Some(draft) }
    }

    /// Does what follows by itself: held choices once all have chosen, forced choices, standing orders.
    fn settle(&mut self) {
        for _ in 0..=self.game.title().longest {
            let deciding = self.game.deciding(&self.position);
            let held = |seat: Seat| self.drafts[seat.index()].as_ref().is_some_and(|d| d.held);
            if deciding.is_empty() {
                self.drafts = Default::default();
                return;
            }
            if deciding.iter().all(held) {
                self.chosen = SeatSet::NONE;
                self.asked = None;
                for seat in deciding.iter() {
                    let Some(draft) = self.drafts[seat.index()].take() else { continue };
                    self.enter_held(seat, draft);
                }
                continue;
            }
            let free = deciding.iter().filter(|s| self.drafts[s.index()].is_none());
            let Some((seat, action, by)) = free.filter_map(|s| self.by_itself(s)).next() else { return };
            if self.perform(seat, &[action], by).is_err() {
                return;
            }
        }
    }

    /// Commits a held choice on what the choices before it have made of the position.
    fn enter_held(&mut self, seat: Seat, held: Draft<G>) {
        let mut draft: Draft<G> = Draft { steps: Vec::new(), position: self.position.clone(), held: false };
        for (action, by, _) in held.steps {
            if self.check(&draft.position, seat, action).is_err()
                || self.step(seat, action, by, &mut draft).is_err()
            {
                break;
            }
        }
        self.enter(seat, draft);
    }

    /// What happens in a seat's name without a click, if anything.
    fn by_itself(&self, seat: Seat) -> Option<(Seat, G::Action, By)> {
        self.key.as_ref()?;
        if self.plays_forced {
            let mut options = Options::new();
            self.game.options(&self.position, seat, &mut options);
            if let [Offer { action, forced: true, .. }] = options.offers() {
                return Some((seat, *action, By::Forced));
            }
        }
        self.obeyed(seat, &self.position).map(|action| (seat, action, By::Order))
    }

    /// What a seat's standing orders do in a position, if anything.
    fn obeyed(&self, seat: Seat, position: &G::Position) -> Option<G::Action> {
        let orders = &self.orders[seat.index()];
        if orders.is_empty() || !self.game.deciding(position).contains(seat) {
            return None;
        }
        let action = self.game.obey(&self.game.view(position, Viewer::Seat(seat)), orders)?;
        self.check(position, seat, action).ok().map(|()| action)
    }

    /// Leaves standing orders for a seat, in the place of those it had. They act at once if they apply.
    pub fn give_orders(&mut self, seat: Seat, orders: Vec<G::Order>) {
        self.orders[seat.index()] = orders;
        self.settle();
        self.count_changes();
    }

    /// The standing orders of a seat.
    pub fn orders(&self, seat: Seat) -> &[G::Order] {
        &self.orders[seat.index()]
    }

    /// Makes a seat's draft final, though it could still be undone.
    pub fn commit(&mut self, seat: Seat) -> Result<(), TableError> {
        match self.drafts[seat.index()].take() {
            Some(draft) if !draft.held => {
                self.enter(seat, draft);
                self.numbers.clicks[seat.index()] += 1;
                self.asked = None;
                self.settle();
                self.count_changes();
                Ok(())
            }
            other => {
                self.drafts[seat.index()] = other;
                Err(TableError::NothingToUndo { why: "there is no draft to make final".into() })
            }
        }
    }

    /// How many clicks a seat can undo.
    pub fn undoable(&self, seat: Seat) -> usize {
        self.drafts[seat.index()].as_ref().map_or(0, |d| d.steps.len())
    }

    /// Undoes the last click of a seat's draft, or opens its held choice again.
    pub fn undo(&mut self, seat: Seat) -> Result<(), TableError> {
        let Some(mut draft) = self.drafts[seat.index()].take() else {
            let why = "your last action is part of the record; the others may agree to take it back";
            return Err(TableError::NothingToUndo { why: why.into() });
        };
        // What standing orders added goes with the click that led to it.
        while draft.steps.pop().is_some_and(|(_, by, _)| by == By::Order) {}
        draft.held = false;
        self.numbers.clicks[seat.index()] += 1;
        self.drafts[seat.index()] = self.rebase(seat, draft);
        self.count_changes();
        Ok(())
    }

    /// The last entry that would stand if a seat's latest own decision were taken back.
    pub fn before_last_decision(&self, seat: Seat) -> Option<u32> {
        let standing = self.standing();
        let last = standing.iter().rev().find(|i| {
            matches!(&self.entries[**i as usize - 1], Deed::Act { seat: s, by: By::Hand, .. } if *s == seat)
        })?;
        Some(standing.iter().copied().filter(|n| n < last).max().unwrap_or(0))
    }

    /// A seat asks to take back what came after entry `to`. It happens as soon as all others agree.
    pub fn ask_take_back(&mut self, seat: Seat, to: u32) -> Result<(), TableError> {
        if self.setup.option(TAKE_BACKS) == "no" {
            let why = "this table was opened without take-backs";
            return Err(TableError::NothingToUndo { why: why.into() });
        }
        if to >= self.last_entry() || (to != 0 && !self.standing().contains(&to)) {
            let why = format!("there is no entry {to} that stands and comes before the last");
            return Err(TableError::NothingToUndo { why });
        }
        if self.key.is_none() {
            let why = "this record has no seed, so play cannot go on from there; branch from it";
            return Err(TableError::NothingToUndo { why: why.into() });
        }
        self.asked = Some(TakeBackRequest { by: seat, to, agreed: seat.into() });
        self.grant_take_back();
        Ok(())
    }

    /// How often something was taken back.
    pub fn take_backs(&self) -> u32 {
        self.take_backs
    }

    /// The result says so if anything was taken back on the way.
    fn tell_take_backs(&mut self) {
        let (times, over) = (self.take_backs, self.outcome().is_some());
        if over && times > 0 {
            let times = if times == 1 { "once".to_string() } else { format!("{times} times") };
            self.journal.extend([Note {
                readers: Readers::ALL,
                tone: Tone::Table,
                rule: None,
                text: format!("on the way to this result moves were taken back {times}"),
            }]);
        }
    }

    /// What somebody asked to take back.
    pub fn take_back_asked(&self) -> Option<TakeBackRequest> {
        self.asked
    }

    /// Another seat agrees to a take-back, or does not.
    pub fn answer_take_back(&mut self, seat: Seat, agrees: bool) -> Result<(), TableError> {
        let Some(asked) = &mut self.asked else {
            return Err(TableError::NothingToUndo { why: "nobody asks to take anything back".into() });
        };
        if agrees {
            asked.agreed = asked.agreed.with(seat);
            self.grant_take_back();
        } else {
            self.asked = None;
        }
        Ok(())
    }

    fn grant_take_back(&mut self) {
        let all = SeatSet::first(self.setup.seats());
        let Some(asked) = self.asked.filter(|a| all.minus(a.agreed).is_empty()) else { return };
        self.asked = None;
        self.drafts = Default::default();
        self.chosen = SeatSet::NONE;
        self.take_back(asked.by, asked.to);
        // Standing orders would only do again what was taken back: they are for their owner to renew.
        self.orders = Default::default();
        self.numbers.clicks.iter_mut().for_each(|clicks| *clicks += 1);
        self.count_changes();
    }

    fn take_back(&mut self, seat: Seat, to: u32) {
        self.entries.push(Deed::TakeBack { seat, to });
        self.take_backs += 1;
        let mut position = self.start.clone();
        for number in self.standing() {
            if let Deed::Act { seat, action, chance, .. } = &self.entries[number as usize - 1] {
                self.game.apply(&mut position, *seat, *action, &mut Scribe::new(Retold::new(chance)));
            }
        }
        self.position = position;
        self.journal.extend([Note {
            readers: Readers::ALL,
            tone: Tone::Table,
            rule: None,
            text: format!(
                "{} took moves back with the consent of all; the dice from here on are new",
                self.game.title().seat_name(seat)
            ),
        }]);
    }

    /// The numbers of the entries that stand: all actions that no take-back has undone.
    pub fn standing(&self) -> Vec<u32> {
        let mut standing = Vec::new();
        for (i, entry) in self.entries.iter().enumerate() {
            match entry {
                Deed::Act { .. } => standing.push(i as u32 + 1),
                Deed::TakeBack { to, .. } => standing.retain(|n| n <= to),
            }
        }
        standing
    }

    /// What a viewer has seen of the actions that stand, in order, each with its entry's number. Entry
    /// numbers are not for a seat's eyes while the game runs: they count what it may not see.
    pub fn history(&self, viewer: Viewer) -> Vec<(u32, Seat, Notation)> {
        let mut position = self.start.clone();
        let mut told = Vec::new();
        for number in self.standing() {
            if let Deed::Act { seat, action, chance, .. } = &self.entries[number as usize - 1] {
                if let Some(notation) = self.game.seen(&position, *seat, *action, viewer) {
                    told.push((number, *seat, notation));
                }
                self.game.apply(&mut position, *seat, *action, &mut Scribe::new(Retold::new(chance)));
            }
        }
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
            seats: self.setup.seats() as u8,
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
                Deed::TakeBack { seat, to } => Deed::TakeBack { seat: name(seat), to: *to },
            },
        };
        self.entries.iter().enumerate().skip(last as usize).map(entry).collect()
    }

    /// A seat's draft, as text: what a store keeps beside the record so that a restart loses no click.
    pub fn draft(&self, seat: Seat) -> Vec<Notation> {
        let steps = self.drafts[seat.index()].iter().flat_map(|d| &d.steps);
        steps.map(|(action, _, _)| self.game.write(*action)).collect()
    }

    /// Plays a record again, all of it or up to an entry. Every action is checked; where the record has its
    /// seed, so is every die.
    pub fn replay(game: Arc<G>, record: &Record, to: Option<u32>) -> Result<Self, ReplayError> {
        let at = |line: usize, entry: u32, what: String| ReplayError {
            file: record.file.clone(),
            line: line.max(1),
            entry,
            what,
        };
        let title = game.title();
        if record.game != title.id {
            let what = format!("the record is of `{}`, expected `{}`", record.game, title.id);
            return Err(at(1, 0, what));
        }
        if let Some(seed) = &record.seed
            && seed.commitment() != record.commitment
        {
            return Err(at(1, 0, "the seed is not the one that was committed to".into()));
        }
        let setup = record.set_up(title).map_err(|e| at(1, 0, e.to_string()))?;
        let mut scribe = Scribe::new(Retold::new(&record.setup));
        let start = game.setup(&setup, &mut scribe).map_err(|e| at(1, 0, e.to_string()))?;
        scribe.fate.finish().map_err(|what| at(1, 0, what))?;
        let mut this = Self::assemble(
            game.clone(),
            setup,
            record.commitment,
            record.nonces,
            record.seed.clone(),
            start,
            scribe.protocol,
        );
        this.branched_at = record.branched_at;
        this.check_dice(0, &record.setup, |fate| {
            game.setup(&this.setup, fate).map(drop).map_err(|e| e.to_string())
        })
        .map_err(|what| at(1, 0, what))?;
        for entry in &record.entries {
            if to.is_some_and(|to| entry.number > to) {
                break;
            }
            this.replay_entry(entry).map_err(|what| at(entry.line, entry.number, what))?;
        }
        this.count_changes();
        Ok(this)
    }

    fn replay_entry(&mut self, entry: &RecordEntry) -> Result<(), String> {
        let game = self.game.clone();
        let seat_named = |name: &str| {
            let known = || game.title().seat_names().join(", ");
            let seat = game.title().seat_named(name).filter(|s| s.index() < self.setup.seats());
            seat.ok_or_else(|| format!("no seat is called `{name}`; the seats are {}", known()))
        };
        match &entry.deed {
            Deed::TakeBack { seat, to } => {
                let seat = seat_named(seat)?;
                if *to != 0 && !self.standing().contains(to) {
                    return Err(format!("entry {to} does not stand, so nothing can be taken back to it"));
                }
                self.take_back(seat, *to);
            }
            Deed::Act { seat, by, action: text, chance } => {
                let seat = seat_named(seat)?;
                if self.outcome().is_some() {
                    return Err("the game is already over".into());
                }
                let action =
                    game.read(text).map_err(|e| format!("cannot read `{}`: {e}", shortened(text)))?;
                self.check(&self.position, seat, action).map_err(|e| e.to_string())?;
                let mut scribe = Scribe::new(Retold::new(chance));
                let mut position = self.position.clone();
                game.apply(&mut position, seat, action, &mut scribe);
                scribe.fate.finish()?;
                self.check_dice(entry.number, chance, |scribe| {
                    let mut again = self.position.clone();
                    game.apply(&mut again, seat, action, scribe);
                    Ok(())
                })?;
                self.position = position;
                self.journal.extend(scribe.protocol.notes);
                self.entries.push(Deed::Act { seat, by: *by, action, chance: scribe.protocol.chance });
                self.tell_take_backs();
            }
        }
        Ok(())
    }

    /// Rolls the dice of an entry again from the seed, if it is known, and compares.
    fn check_dice(
        &self,
        entry: u32,
        chance: &[Chance],
        play: impl FnOnce(&mut Scribe<crate::dice::DiceStream>) -> Result<(), String>,
    ) -> Result<(), String> {
        let Some(key) = &self.key else { return Ok(()) };
        if chance.is_empty() || self.branched_at.is_some_and(|at| entry <= at) {
            return Ok(());
        }
        let mut scribe = Scribe::new(key.stream(self.take_backs, entry));
        play(&mut scribe)?;
        let show = |chance: &[Chance]| chance.iter().map(Chance::to_string).collect::<Vec<_>>().join(" ");
        let (noted, honest) = (show(chance), show(&scribe.protocol.chance));
        if noted == honest {
            Ok(())
        } else {
            Err(format!("the record says `{noted}`, the seed says `{honest}`"))
        }
    }

    /// A new match that begins where entry `to` of this one ended, with dice of its own.
    pub fn branch(&self, to: u32, seed: Seed) -> Result<Self, ReplayError> {
        let mut record = self.record(false);
        record.entries.truncate(to as usize);
        let mut branch = Self::replay(self.game.clone(), &record, None)?;
        branch.commitment = seed.commitment();
        branch.nonces = Nonces::default();
        branch.key = Some(DiceKey::new(&seed, &branch.nonces));
        branch.seed = Some(seed);
        branch.branched_at = Some(to);
        branch.settle();
        branch.count_changes();
        Ok(branch)
    }

    /// Counts, for each seat, whether what it has to decide has changed.
    fn count_changes(&mut self) {
        for seat in SeatSet::first(self.setup.seats()).iter() {
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

//! Any game and any match behind one type, so that a server or a command line can hold them all.
//!
//! Everything here speaks in text, scenes and numbers; it adds no rule of its own.

use std::sync::Arc;

use serde::Serialize;

use crate::conformance::{Examination, Findings};
use crate::dice::{Commitment, Lots, Nonces, Seed};
use crate::error::{ReadError, TableError};
use crate::game::{Game, Notation, OrderOffer, OrderState, Outcome};
use crate::habits::Figure;
use crate::journal::{JournalPage, Line};
use crate::matches::{Acted, Match, ReplayError, TakeBackRequest};
use crate::record::{Record, RecordEntry};
use crate::rule::Rule;
use crate::scene::{Choice, Reach, Scene};
use crate::seat::{Seat, SeatSet, Viewer};
use crate::sheet::DataError;
use crate::simulate::{Pick, Plan, Stuck, Tally, choose, simulate};
use crate::thought::{Mind, Thought};
use crate::title::{DataFiles, Setup, SetupError, Title};
use crate::tune::{Moments, Tuning};
use crate::vignette::{Played, Vignette};

/// A game that can be opened: its id, its data files, and how to open it with them.
///
/// A game's own entry is a `static`, so that its matches are compiled once, in its crate; a `const` is compiled again
/// in every program and test that names it.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// Its id.
    pub id: &'static str,
    /// Its own data files: name and text.
    pub files: &'static [(&'static str, &'static str)],
    /// Opens it.
    pub open: fn(&DataFiles) -> Result<Box<dyn AnyGame>, DataError>,
}

/// Any game.
pub trait AnyGame: Send + Sync {
    /// The title page.
    fn title(&self) -> &Title;
    /// Opens a match.
    fn open(&self, setup: Setup, seed: Seed, nonces: Nonces) -> Result<Box<dyn AnyMatch>, SetupError>;
    /// Plays a record again, all of it or up to an entry.
    fn replay(&self, record: &Record, to: Option<u32>) -> Result<Box<dyn AnyMatch>, ReplayError>;
    /// Plays a record again and shows the match after its set-up and after every entry.
    fn retrace(
        &self,
        record: &Record,
        look: &mut dyn FnMut(&dyn AnyMatch),
    ) -> Result<Box<dyn AnyMatch>, ReplayError>;
    /// Plays a vignette.
    fn play_vignette(&self, vignette: &Vignette) -> Result<Played, DataError>;
    /// Runs the conformance suite.
    fn examine(&self, examination: &Examination, progress: &mut dyn FnMut(&Findings)) -> Findings;
    /// Simulates.
    fn simulate(&self, plan: &Plan, progress: &mut dyn FnMut(&Tally)) -> Result<Tally, Stuck>;
    /// Plays games and notes moments of them, to tune the appraisal by.
    fn note_moments(&self, tuning: &Tuning, progress: &mut dyn FnMut(u64)) -> Result<Moments, SetupError>;
    /// Notes moments of a game that was played, one of so many that are at rest.
    fn note_record(&self, record: &Record, every: u32, seed: u64) -> Result<Moments, ReplayError>;
    /// The numbers by which its habits judge, and what they are now.
    fn figures(&self) -> Vec<(Figure, f32)>;
    /// An action's notation as the game itself would write it.
    fn normal_form(&self, text: &str) -> Result<Notation, ReadError>;
    /// The notation of an action of a range with another amount.
    fn with_amount(&self, text: &str, amount: u32) -> Result<Notation, ReadError>;
    /// Whether seats that nobody plays at first may be taken later.
    fn lets_join(&self) -> bool;
    /// How many bytes a position takes, not counting what it may point to.
    fn position_bytes(&self) -> usize;
    /// Plays so many actions into a game and then clones the position so many times.
    fn clone_positions(&self, actions: u32, times: u32) -> Result<(), Stuck>;
}

/// Something that a seat may do, as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Offered {
    /// The notation; for a range, with its least amount.
    pub notation: Notation,
    /// How it shows itself.
    pub choice: Choice,
    /// For an amount, from what to what.
    pub range: Option<(u32, u32)>,
}

/// An order that makes sense now, as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OfferedOrder {
    /// Its notation.
    pub notation: Notation,
    /// A short line for a switch.
    pub label: String,
    /// What it will do, and when.
    pub hint: String,
}

/// Something that a seat might try and may not do, as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RefusedOption {
    /// The notation.
    pub notation: Notation,
    /// What it would be called if it were a choice.
    pub label: String,
    /// The rule that forbids it.
    pub rule: Rule,
    /// Why.
    pub why: String,
    /// Where on the scene it would be clicked.
    pub targets: Vec<String>,
}

/// Any match. Each method does what the one of the same name of [`Match`] does.
#[allow(missing_docs)]
pub trait AnyMatch: Send {
    fn title(&self) -> &Title;
    fn setup(&self) -> &Setup;
    fn party(&self) -> SeatSet;
    fn commitment(&self) -> Commitment;
    fn outcome(&self) -> Option<Outcome>;
    fn reason(&self) -> String;
    fn deciding(&self) -> SeatSet;
    fn waiting_for(&self) -> SeatSet;
    fn chosen(&self) -> SeatSet;
    fn remember_chosen(&mut self, chosen: SeatSet);
    fn scene(&self, viewer: Viewer) -> Scene;
    fn view_json(&self, viewer: Viewer) -> serde_json::Value;
    fn journal(&self, viewer: Viewer) -> Vec<Line>;
    fn journal_page(&self, viewer: Viewer, below: Option<usize>) -> JournalPage;
    fn history(&self, viewer: Viewer) -> Vec<(u32, Seat, Notation)>;
    fn moments(&self, viewer: Viewer) -> usize;
    fn turns(&self, viewer: Viewer) -> Vec<usize>;
    fn number(&self, seat: Seat) -> u64;
    fn offered(&self, seat: Seat) -> Vec<Offered>;
    fn refused(&self, seat: Seat) -> Vec<RefusedOption>;
    fn why_not(&self, seat: Seat, text: &str) -> Result<(), TableError>;
    fn act(&mut self, seat: Seat, number: Option<u64>, texts: &[&str]) -> Result<Acted, TableError>;
    /// What a bot in this seat is given, if the seat must decide: what it knows, and how to think about it.
    fn thought(&self, seat: Seat) -> Option<Box<dyn Thought>>;
    /// Lets a simple player decide for a seat; what it chose.
    fn pick(&mut self, seat: Seat, pick: Pick, lots: &mut Lots) -> Result<Notation, TableError>;
    fn undoable(&self, seat: Seat) -> usize;
    fn undo(&mut self, seat: Seat) -> Result<(), TableError>;
    fn commit(&mut self, seat: Seat) -> Result<(), TableError>;
    fn draft(&self, seat: Seat) -> Vec<Notation>;
    fn before_last_decision(&self, seat: Seat) -> Option<u32>;
    fn ask_take_back(&mut self, seat: Seat, to: u32) -> Result<(), TableError>;
    fn answer_take_back(&mut self, seat: Seat, agrees: bool) -> Result<(), TableError>;
    fn take_back_asked(&self) -> Option<TakeBackRequest>;
    fn take_backs(&self) -> u32;
    fn taught_since(&self, entry: u32) -> bool;
    fn lapse_take_back(&mut self);
    fn give_orders(&mut self, seat: Seat, texts: &[&str]) -> Result<(), TableError>;
    fn orders(&self, seat: Seat) -> Vec<Notation>;
    /// The orders that make sense for a seat now: notation, label, hint.
    fn offered_orders(&self, seat: Seat) -> Vec<OfferedOrder>;
    fn order_states(&self, seat: Seat) -> Vec<OrderState>;
    fn keep_pace(&mut self);
    fn ripen(&mut self);
    fn windows(&self) -> SeatSet;
    fn holds(&self, seat: Seat) -> bool;
    fn arrive(&mut self, seat: Seat) -> Result<(), TableError>;
    /// Seats that nobody plays and that somebody may take now.
    fn latecomers(&self) -> SeatSet;
    fn reach(&self, seat: Seat, picked: &[&str]) -> Vec<Reach>;
    /// The batch that brings picked pieces to a place, as notation.
    fn route(&self, seat: Seat, picked: &[&str], to: &str) -> Vec<Notation>;
    /// The same with the things that each action is about, so that it can be drawn.
    fn way(&self, seat: Seat, picked: &[&str], to: &str) -> Vec<(Notation, Vec<String>)>;
    /// What a seat has chosen and nobody else has seen yet.
    fn drafted(&self, seat: Seat) -> Vec<Choice>;
    fn last_entry(&self) -> u32;
    fn record(&self, with_seed: bool) -> Record;
    fn entries_since(&self, last: u32) -> Vec<RecordEntry>;
    fn branch(&self, to: u32, seed: Seed) -> Result<Box<dyn AnyMatch>, ReplayError>;
    fn boxed_clone(&self) -> Box<dyn AnyMatch>;
}

/// A game behind [`AnyGame`].
struct Handle<G: Game>(Arc<G>);

impl dyn AnyGame {
    /// Puts a game behind the object-safe trait.
    pub fn new<G: Game>(game: G) -> Box<Self> {
        Box::new(Handle(Arc::new(game)))
    }
}

impl<G: Game> AnyGame for Handle<G> {
    fn title(&self) -> &Title {
        self.0.title()
    }
    fn open(&self, setup: Setup, seed: Seed, nonces: Nonces) -> Result<Box<dyn AnyMatch>, SetupError> {
        Ok(Box::new(Match::open(self.0.clone(), setup, seed, nonces)?))
    }
    fn replay(&self, record: &Record, to: Option<u32>) -> Result<Box<dyn AnyMatch>, ReplayError> {
        Ok(Box::new(Match::replay(self.0.clone(), record, to)?))
    }
    fn retrace(
        &self,
        record: &Record,
        look: &mut dyn FnMut(&dyn AnyMatch),
    ) -> Result<Box<dyn AnyMatch>, ReplayError> {
        Ok(Box::new(Match::retrace(self.0.clone(), record, None, &mut |sitting| look(sitting))?))
    }
    fn play_vignette(&self, vignette: &Vignette) -> Result<Played, DataError> {
        vignette.play(&*self.0)
    }
    fn examine(&self, examination: &Examination, progress: &mut dyn FnMut(&Findings)) -> Findings {
        crate::conformance::examine(&self.0, examination, progress)
    }
    fn simulate(&self, plan: &Plan, progress: &mut dyn FnMut(&Tally)) -> Result<Tally, Stuck> {
        simulate(&*self.0, plan, progress)
    }
    fn note_moments(&self, tuning: &Tuning, progress: &mut dyn FnMut(u64)) -> Result<Moments, SetupError> {
        crate::tune::note_moments(&*self.0, tuning, progress)
    }
    fn note_record(&self, record: &Record, every: u32, seed: u64) -> Result<Moments, ReplayError> {
        crate::tune::note_record(&self.0, record, every, seed)
    }
    fn figures(&self) -> Vec<(Figure, f32)> {
        self.0.figures()
    }
    fn normal_form(&self, text: &str) -> Result<Notation, ReadError> {
        self.0.read(text).map(|action| self.0.write(action))
    }
    fn with_amount(&self, text: &str, amount: u32) -> Result<Notation, ReadError> {
        self.0.read(text).map(|action| self.0.write(self.0.with_amount(action, amount)))
    }
    fn lets_join(&self) -> bool {
        self.0.lets_join()
    }
    fn position_bytes(&self) -> usize {
        size_of::<G::Position>()
    }
    fn clone_positions(&self, actions: u32, times: u32) -> Result<(), Stuck> {
        let game = &*self.0;
        let mut umpire = crate::umpire::Silent::new(1);
        let mut position = game.setup(&game.title().usual_set_up(), &mut umpire)?;
        let mut options = crate::ballot::Options::new();
        for _ in 0..actions {
            let Some(seat) = game.deciding(&position).lowest() else { break };
            options.clear();
            game.options(&position, seat, &mut options);
            let Some(offer) = umpire.lots.pick(options.offers()) else { break };
            game.apply(&mut position, seat, offer.action, &mut umpire);
        }
        for _ in 0..times {
            std::hint::black_box(std::hint::black_box(&position).clone());
        }
        Ok(())
    }
}

impl<G: Game> AnyMatch for Match<G> {
    fn title(&self) -> &Title {
        self.game().title()
    }
    fn setup(&self) -> &Setup {
        Match::setup(self)
    }
    fn party(&self) -> SeatSet {
        Match::party(self)
    }
    fn commitment(&self) -> Commitment {
        Match::commitment(self)
    }
    fn outcome(&self) -> Option<Outcome> {
        Match::outcome(self)
    }
    fn reason(&self) -> String {
        Match::reason(self)
    }
    fn deciding(&self) -> SeatSet {
        Match::deciding(self)
    }
    fn waiting_for(&self) -> SeatSet {
        Match::waiting_for(self)
    }
    fn chosen(&self) -> SeatSet {
        Match::chosen(self)
    }
    fn remember_chosen(&mut self, chosen: SeatSet) {
        Match::remember_chosen(self, chosen);
    }
    fn scene(&self, viewer: Viewer) -> Scene {
        Match::scene(self, viewer)
    }
    fn view_json(&self, viewer: Viewer) -> serde_json::Value {
        serde_json::to_value(self.view(viewer)).unwrap_or_default()
    }
    fn journal(&self, viewer: Viewer) -> Vec<Line> {
        Match::journal(self, viewer)
    }
    fn journal_page(&self, viewer: Viewer, below: Option<usize>) -> JournalPage {
        Match::journal_page(self, viewer, below)
    }
    fn history(&self, viewer: Viewer) -> Vec<(u32, Seat, Notation)> {
        Match::history(self, viewer)
    }
    fn moments(&self, viewer: Viewer) -> usize {
        Match::moments(self, viewer)
    }
    fn turns(&self, viewer: Viewer) -> Vec<usize> {
        Match::turns(self, viewer)
    }
    fn number(&self, seat: Seat) -> u64 {
        Match::number(self, seat)
    }
    fn offered(&self, seat: Seat) -> Vec<Offered> {
        let offered = |c: crate::matches::Choosable<G::Action>| Offered {
            notation: c.notation,
            choice: c.choice,
            range: c.offer.range,
        };
        self.choices(seat).into_iter().map(offered).collect()
    }
    fn refused(&self, seat: Seat) -> Vec<RefusedOption> {
        let view = self.view(Viewer::Seat(seat));
        let refused = |r: crate::ballot::Refusal<G::Action>| {
            let choice = self.game().choice(&view, r.action);
            RefusedOption {
                notation: self.game().write(r.action),
                label: choice.label,
                rule: r.rule,
                why: r.why,
                targets: choice.targets,
            }
        };
        self.explained(seat).refusals.into_iter().map(refused).collect()
    }
    fn why_not(&self, seat: Seat, text: &str) -> Result<(), TableError> {
        Match::why_not(self, seat, self.read(text)?)
    }
    fn act(&mut self, seat: Seat, number: Option<u64>, texts: &[&str]) -> Result<Acted, TableError> {
        let actions = texts.iter().map(|text| self.read(text)).collect::<Result<Vec<_>, _>>()?;
        Match::act(self, seat, number, &actions)
    }
    fn thought(&self, seat: Seat) -> Option<Box<dyn Thought>> {
        let observed = self.observed(seat).filter(|o| !o.offers.is_empty())?;
        Some(Box::new(Mind::new(self.game().clone(), observed)))
    }
    fn pick(&mut self, seat: Seat, pick: Pick, lots: &mut Lots) -> Result<Notation, TableError> {
        let observed = self.observed(seat).filter(|o| !o.offers.is_empty());
        let observed = observed.ok_or_else(|| TableError::NotYours {
            seat: self.game().title().seat_name(seat).to_string(),
            waiting: Vec::new(),
        })?;
        let action = choose(&**self.game(), &observed, pick, lots);
        Match::act(self, seat, None, &[action])?;
        Ok(self.game().write(action))
    }
    fn undoable(&self, seat: Seat) -> usize {
        Match::undoable(self, seat)
    }
    fn undo(&mut self, seat: Seat) -> Result<(), TableError> {
        Match::undo(self, seat)
    }
    fn commit(&mut self, seat: Seat) -> Result<(), TableError> {
        Match::commit(self, seat)
    }
    fn draft(&self, seat: Seat) -> Vec<Notation> {
        Match::draft(self, seat)
    }
    fn before_last_decision(&self, seat: Seat) -> Option<u32> {
        Match::before_last_decision(self, seat)
    }
    fn ask_take_back(&mut self, seat: Seat, to: u32) -> Result<(), TableError> {
        Match::ask_take_back(self, seat, to)
    }
    fn answer_take_back(&mut self, seat: Seat, agrees: bool) -> Result<(), TableError> {
        Match::answer_take_back(self, seat, agrees)
    }
    fn take_back_asked(&self) -> Option<TakeBackRequest> {
        Match::take_back_asked(self)
    }
    fn take_backs(&self) -> u32 {
        Match::take_backs(self)
    }
    fn taught_since(&self, entry: u32) -> bool {
        Match::taught_since(self, entry)
    }
    fn give_orders(&mut self, seat: Seat, texts: &[&str]) -> Result<(), TableError> {
        let read = |text: &&str| {
            let error =
                |e: ReadError| TableError::Unreadable { text: text.to_string(), reason: e.to_string() };
            self.game().read_order(text).map_err(error)
        };
        let orders = texts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Match::give_orders(self, seat, orders);
        Ok(())
    }
    fn orders(&self, seat: Seat) -> Vec<Notation> {
        Match::orders(self, seat).iter().map(|order| self.game().write_order(order)).collect()
    }
    fn lapse_take_back(&mut self) {
        Match::lapse_take_back(self);
    }
    fn offered_orders(&self, seat: Seat) -> Vec<OfferedOrder> {
        let offered = |offer: OrderOffer<G::Order>| OfferedOrder {
            notation: self.game().write_order(&offer.order),
            label: offer.label,
            hint: offer.hint,
        };
        Match::offered_orders(self, seat).into_iter().map(offered).collect()
    }
    fn order_states(&self, seat: Seat) -> Vec<OrderState> {
        Match::order_states(self, seat)
    }
    fn keep_pace(&mut self) {
        Match::keep_pace(self);
    }
    fn ripen(&mut self) {
        Match::ripen(self);
    }
    fn windows(&self) -> SeatSet {
        Match::windows(self)
    }
    fn holds(&self, seat: Seat) -> bool {
        Match::holds(self, seat)
    }
    fn arrive(&mut self, seat: Seat) -> Result<(), TableError> {
        Match::arrive(self, seat)
    }
    fn latecomers(&self) -> SeatSet {
        self.game().latecomers(self.position()).minus(Match::party(self))
    }
    fn reach(&self, seat: Seat, picked: &[&str]) -> Vec<Reach> {
        Match::reach(self, seat, picked)
    }
    fn route(&self, seat: Seat, picked: &[&str], to: &str) -> Vec<Notation> {
        Match::route(self, seat, picked, to).into_iter().map(|action| self.game().write(action)).collect()
    }
    fn way(&self, seat: Seat, picked: &[&str], to: &str) -> Vec<(Notation, Vec<String>)> {
        let view = self.view(Viewer::Seat(seat));
        let about = |action| (self.game().write(action), self.game().choice(&view, action).targets);
        Match::route(self, seat, picked, to).into_iter().map(about).collect()
    }
    fn drafted(&self, seat: Seat) -> Vec<Choice> {
        let view = self.view(Viewer::Seat(seat));
        let actions =
            AnyMatch::draft(self, seat).into_iter().filter_map(|n| self.game().read(n.as_str()).ok());
        actions.map(|action| self.game().choice(&view, action)).collect()
    }
    fn last_entry(&self) -> u32 {
        Match::last_entry(self)
    }
    fn record(&self, with_seed: bool) -> Record {
        Match::record(self, with_seed)
    }
    fn entries_since(&self, last: u32) -> Vec<RecordEntry> {
        Match::entries_since(self, last)
    }
    fn branch(&self, to: u32, seed: Seed) -> Result<Box<dyn AnyMatch>, ReplayError> {
        Ok(Box::new(Match::branch(self, to, seed)?))
    }
    fn boxed_clone(&self) -> Box<dyn AnyMatch> {
        Box::new(self.clone())
    }
}

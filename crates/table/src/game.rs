//! The trait that every game implements, and the few types it speaks in.

use std::fmt::{self, Debug};
use std::hash::Hash;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ballot::{Ballot, Options};
use crate::dice::Lots;
use crate::error::ReadError;
use crate::habits::Figure;
use crate::rule::Rule;
use crate::scene::{Choice, Reach, Scene};
use crate::seat::{MOST_SEATS, Seat, SeatSet, Viewer};
use crate::sheet::{DataError, Node};
use crate::title::{Setup, SetupError, Title};
use crate::umpire::Umpire;
use crate::weights::Sign;

/// A game: the rules and everything around them. Whoever has all the rooms is a game.
///
/// The rules are a value: they hold the game's components, so that a table can be opened with other
/// figures. A position is plain data. What a seat may know is a type of its own, [`View`](Secrets::View),
/// built as an allow-list: scene, journal, refusals and bots are made from views, never from a position
/// with fields blanked.
pub trait Game: Shown + Minded + Staged + Ordered {}

impl<T: Shown + Minded + Staged + Ordered> Game for T {}

/// The rules themselves: who decides, what may be done, what becomes of it.
///
/// `deciding`, `options` and `apply` are called millions of times a second: they allocate nothing, read no
/// clock and no other source of chance than the umpire.
pub trait Rules: Send + Sync + 'static {
    /// The whole truth at one moment. Plain, small, cheap to clone.
    type Position: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync;
    /// One decision. Small; amounts by [`with_amount`](Rules::with_amount).
    type Action: Copy + Eq + Hash + Debug + Serialize + DeserializeOwned + Send + Sync;

    /// Name, seats, scenarios, options, ledger.
    fn title(&self) -> &Title;

    /// The position at the start. The set-up fits the title: see [`Title::set_up`].
    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized))
    -> Result<Self::Position, SetupError>;

    /// Who must decide: several at once in a simultaneous choice, nobody when the game is over.
    fn deciding(&self, position: &Self::Position) -> SeatSet;

    /// What a deciding seat may do, and why it may not do what it might try. The one source of legality.
    fn options(
        &self,
        position: &Self::Position,
        seat: Seat,
        ballot: &mut (impl Ballot<Self::Action> + ?Sized),
    );

    /// Carries out an action that `options` allowed.
    fn apply(
        &self,
        position: &mut Self::Position,
        seat: Seat,
        action: Self::Action,
        umpire: &mut (impl Umpire + ?Sized),
    );

    /// How it ended, once it has.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Why it ended so, in a sentence that all may read, once it has. What the ledger says of the rule by which
    /// it ended, unless the game can say more.
    fn reason(&self, position: &Self::Position) -> String {
        let rule = self.outcome(position).and_then(|outcome| self.title().ledger.find(outcome.rule.number()));
        rule.map_or_else(String::new, |entry| entry.gist.clone())
    }

    /// Who chooses together with a deciding seat, itself included: secret choices are opened when these have
    /// chosen. All who decide, unless several things go on side by side.
    fn together(&self, position: &Self::Position, seat: Seat) -> SeatSet {
        let _ = seat;
        self.deciding(position)
    }

    /// Whether a deciding seat is asked in a window: by public knowledge, whatever it holds. How long it takes to
    /// answer must tell nothing, so that the table keeps an even pace.
    fn window(&self, position: &Self::Position, seat: Seat) -> bool {
        let _ = (position, seat);
        false
    }

    /// Which of these seats are still in the game: who is out of it is asked for nothing.
    fn still_in(&self, position: &Self::Position, party: SeatSet) -> SeatSet {
        let _ = position;
        party
    }

    /// Whether seats that nobody plays at first may be taken later.
    fn lets_join(&self) -> bool {
        false
    }

    /// Seats that nobody plays and that somebody may take from now on.
    fn latecomers(&self, position: &Self::Position) -> SeatSet {
        let _ = position;
        SeatSet::NONE
    }

    /// Somebody has taken one of the [`latecomers`](Self::latecomers)' seats.
    fn arrive(&self, position: &mut Self::Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let _ = (position, seat, umpire);
    }

    /// An action of an allowed range with its amount.
    fn with_amount(&self, action: Self::Action, amount: u32) -> Self::Action {
        let _ = amount;
        action
    }

    /// The amount of an action that has one.
    fn amount(&self, action: Self::Action) -> Option<u32> {
        let _ = action;
        None
    }
}

/// Notation: an action as a short line of text, both ways.
pub trait Written: Rules {
    /// An action as a short line of text.
    fn write(&self, action: Self::Action) -> Notation;

    /// The action that a line of text stands for, whether it is possible now or not.
    fn read(&self, text: &str) -> Result<Self::Action, ReadError>;
}

/// Secrets: what a viewer may know, and what he cannot tell apart.
pub trait Secrets: Written {
    /// All that one viewer may know. It says for whom it was made.
    type View: Clone + PartialEq + Debug + Serialize + Send + Sync;

    /// All that this viewer may know.
    fn view(&self, position: &Self::Position, viewer: Viewer) -> Self::View;

    /// What a viewer sees of an action when it is done: all of it, something like `move a block Acre >
    /// Tyre`, or nothing. Actions that look alike here must leave that viewer with the same view.
    fn seen(
        &self,
        position: &Self::Position,
        seat: Seat,
        action: Self::Action,
        viewer: Viewer,
    ) -> Option<Notation>;

    /// A position that the viewer cannot tell from the true one: what the view does not fix is dealt anew.
    fn imagine(&self, view: &Self::View, lots: &mut Lots) -> Self::Position;
}

/// What is shown: a view as a picture of the table, and what can be clicked on it.
pub trait Shown: Secrets {
    /// A view as a picture of the table.
    fn scene(&self, view: &Self::View) -> Scene;

    /// How an option shows itself on the scene. The notation on a button, unless the game knows better.
    fn choice(&self, view: &Self::View, action: Self::Action) -> Choice {
        let _ = view;
        Choice::button(self.write(action).to_string())
    }

    /// Where picked pieces of the scene can go, together: each place with what it costs and what waits there.
    /// Nothing, where the game moves no pieces so.
    fn reach(&self, view: &Self::View, picked: &[&str]) -> Vec<Reach> {
        let _ = (view, picked);
        Vec::new()
    }

    /// The actions that bring picked pieces to a place, to be played as one batch; nothing, where they cannot
    /// get there.
    fn route(&self, view: &Self::View, picked: &[&str], to: &str) -> Vec<Self::Action> {
        let _ = (view, picked, to);
        Vec::new()
    }
}

/// Standing orders: what a seat has said in advance.
pub trait Ordered: Shown {
    /// A standing order; [`NoOrder`] for games without.
    type Order: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync;

    /// What a seat's standing orders, or a plan that the position itself holds, would do now, if they say.
    fn obey(&self, view: &Self::View, orders: &[Self::Order]) -> Option<Self::Action> {
        let _ = (view, orders);
        None
    }

    /// The orders that make sense now, also when it is not the seat's turn.
    fn orders(&self, view: &Self::View) -> Vec<OrderOffer<Self::Order>> {
        let _ = view;
        Vec::new()
    }

    /// Whether an order that was given still stands.
    fn stands(&self, view: &Self::View, order: &Self::Order) -> OrderState {
        let _ = (view, order);
        OrderState::Stands
    }

    /// Draws a seat's orders on its own table: numbered arrows, costs.
    fn show_orders(&self, view: &Self::View, orders: &[Self::Order], scene: &mut Scene) {
        let _ = (view, orders, scene);
    }

    /// A standing order as a short line of text.
    fn write_order(&self, order: &Self::Order) -> Notation {
        let _ = order;
        Notation::new("")
    }

    /// The standing order that a line of text stands for.
    fn read_order(&self, text: &str) -> Result<Self::Order, ReadError> {
        Err(ReadError::new(format!("`{text}`"), "nothing: this game has no standing orders"))
    }
}

/// For the bots: how good a position looks, what is worth a thought, what is done without one.
pub trait Minded: Rules {
    /// The expected result for a seat, from 0 (lost) to 1 (won): what the bots steer by.
    fn appraise(&self, position: &Self::Position, seat: Seat) -> f32;

    /// Whether a player who searches should spend a thought on something that he may do. A game says no to
    /// clicks that a good player makes in another way, such as putting a host together man by man where all
    /// could march; where it would leave nothing, everything is considered.
    fn considered(&self, position: &Self::Position, seat: Seat, action: Self::Action) -> bool {
        let _ = (position, seat, action);
        true
    }

    /// What an old hand would do here without thinking: how a player who searches brings a position to rest
    /// before it is appraised, battles fought out and the turn at its end. `None` where it is at rest. It is
    /// always something that [`options`](Rules::options) allows; `room` is there to list them in.
    fn habit(
        &self,
        position: &Self::Position,
        seat: Seat,
        room: &mut Options<Self::Action>,
        lots: &mut Lots,
    ) -> Option<Self::Action> {
        let _ = (position, seat, room, lots);
        None
    }

    /// Whether this is a decision of the kind that players make quickly, in the middle of something greater, and that is
    /// worth no more than a share of their time. Usually where there is a [`habit`](Self::habit); a game whose habits
    /// play whole turns says where they begin to matter.
    fn routine(&self, position: &Self::Position, seat: Seat) -> bool {
        self.habit(position, seat, &mut Options::new(), &mut Lots::new(0)).is_some()
    }

    /// What the appraisal adds up, where its weights can be tuned.
    fn signs(&self) -> &'static [Sign] {
        &[]
    }

    /// The numbers by which its habits judge and what they are now, where they can be tuned.
    fn figures(&self) -> Vec<(Figure, f32)> {
        Vec::new()
    }

    /// The measure of each sign in a position, for a seat.
    fn measure(&self, position: &Self::Position, seat: Seat) -> Vec<f32> {
        let _ = (position, seat);
        Vec::new()
    }
}

/// For vignettes and tests: positions set up by hand, what can be asked of them, and whether they can exist.
pub trait Staged: Rules {
    /// Whether the position can exist: pieces conserved, limits kept. Asked at every step of the tests.
    fn sound(&self, position: &Self::Position) -> Result<(), String>;

    /// The position of a vignette, from its `[position]` table.
    fn stage(&self, sheet: &Node) -> Result<Self::Position, DataError>;

    /// Something that a vignette's `[expect]` may ask about, before and after its actions; `None` if the
    /// game knows no such fact.
    fn fact(&self, before: &Self::Position, after: &Self::Position, key: &str) -> Option<Fact>;

    /// The keys that [`fact`](Staged::fact) knows, for the error that lists them.
    fn facts(&self) -> &'static str;
}

/// An order that makes sense now.
#[derive(Clone, PartialEq, Debug)]
pub struct OrderOffer<O> {
    /// The order.
    pub order: O,
    /// A short line for a switch.
    pub label: String,
    /// What it will do, and when.
    pub hint: String,
}

/// What has become of an order that was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OrderState {
    /// It stands.
    Stands,
    /// It has done its work, or its time is past.
    Expired,
    /// It can no longer be carried out: the rule, and why.
    Stopped(Rule, String),
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Outcome {
    /// Who won; nobody in a draw, or when the system won.
    pub winners: SeatSet,
    /// Who is first among the winners, where an alliance wins and one of it is.
    pub first: Option<Seat>,
    /// The result in a few words: `Frank wins`, `A draw`.
    pub headline: &'static str,
    /// The rule by which it ended.
    pub rule: Rule,
    /// Points of each seat, where the game counts them.
    pub scores: [i32; MOST_SEATS],
}

impl Outcome {
    /// What it is worth to a seat, from 0 to 1: the victory of its side, and a little for being first of it.
    pub fn worth(&self, seat: Seat) -> f32 {
        const LED: f32 = 0.95;
        match self.first {
            _ if self.winners.is_empty() => 0.5,
            _ if !self.winners.contains(seat) => 0.0,
            Some(first) if first != seat => LED,
            _ => 1.0,
        }
    }
}

/// An action as a short line of text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Notation(String);

impl Notation {
    /// A line of notation.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Whether it can stand in a record: one trimmed line without `~`, which sets off chance.
    pub fn is_well_formed(&self) -> bool {
        !self.0.is_empty()
            && self.0.trim() == self.0
            && !self.0.contains(|c: char| c == '~' || c.is_control())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The order type of games without standing orders: there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum NoOrder {}

/// Something that a vignette asks about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// Several of these.
    List(Vec<Fact>),
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::List(list) => {
                f.write_str("[")?;
                for (i, fact) in list.iter().enumerate() {
                    write!(f, "{}{fact}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
        }
    }
}

impl From<i64> for Fact {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Fact {
    fn from(text: &str) -> Self {
        Self::Text(text.to_string())
    }
}

impl From<bool> for Fact {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

/// All that a player knows when he must decide: a view and his options. Bots hold this and no position.
#[derive(Clone, Debug)]
pub struct Observed<G: Game> {
    /// Whose decision it is.
    pub seat: Seat,
    /// What the seat may know.
    pub view: G::View,
    /// What it may do.
    pub offers: Vec<crate::ballot::Offer<G::Action>>,
}

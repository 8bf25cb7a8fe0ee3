//! The trait that every game implements, and the few types it speaks in.

use std::fmt::{self, Debug};
use std::hash::Hash;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ballot::{Ballot, Options};
use crate::dice::Lots;
use crate::error::ReadError;
use crate::rule::Rule;
use crate::scene::{Choice, Scene};
use crate::seat::{MOST_SEATS, Seat, SeatSet, Viewer};
use crate::sheet::{DataError, Node};
use crate::title::{Setup, SetupError, Title};
use crate::umpire::Umpire;
use crate::weights::Sign;

/// The rules of a game.
///
/// The rules are a value: they hold the game's components, so that a table can be opened with other
/// figures. A position is plain data. What a seat may know is a type of its own, [`View`](Game::View),
/// built as an allow-list: scene, journal, refusals and bots are made from views, never from a position
/// with fields blanked.
///
/// Methods that rules are made of (`deciding`, `options`, `apply`) are called millions of times a second:
/// they allocate nothing, read no clock and no other source of chance than the umpire.
pub trait Game: Send + Sync + 'static {
    /// The whole truth at one moment. Plain, small, cheap to clone.
    type Position: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync;
    /// One decision. Small; amounts by [`with_amount`](Game::with_amount).
    type Action: Copy + Eq + Hash + Debug + Serialize + DeserializeOwned + Send + Sync;
    /// All that one viewer may know. It says for whom it was made.
    type View: Clone + PartialEq + Debug + Serialize + Send + Sync;
    /// A standing order; [`NoOrder`] for games without.
    type Order: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync;

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

    /// A view as a picture of the table.
    fn scene(&self, view: &Self::View) -> Scene;

    /// How an option shows itself on the scene. The notation on a button, unless the game knows better.
    fn choice(&self, view: &Self::View, action: Self::Action) -> Choice {
        let _ = view;
        Choice::button(self.write(action).to_string())
    }

    /// A position that the viewer cannot tell from the true one: what the view does not fix is dealt anew.
    fn imagine(&self, view: &Self::View, lots: &mut Lots) -> Self::Position;

    /// What a seat's standing orders would do now, if they say.
    fn obey(&self, view: &Self::View, orders: &[Self::Order]) -> Option<Self::Action> {
        let _ = (view, orders);
        None
    }

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
    /// always something that [`options`](Self::options) allows; `room` is there to list them in.
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

    /// What the appraisal adds up, where its weights can be tuned.
    fn signs(&self) -> &'static [Sign] {
        &[]
    }

    /// The measure of each sign in a position, for a seat.
    fn measure(&self, position: &Self::Position, seat: Seat) -> Vec<f32> {
        let _ = (position, seat);
        Vec::new()
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

    /// An action as a short line of text.
    fn write(&self, action: Self::Action) -> Notation;

    /// The action that a line of text stands for, whether it is possible now or not.
    fn read(&self, text: &str) -> Result<Self::Action, ReadError>;

    /// A standing order as a short line of text.
    fn write_order(&self, order: &Self::Order) -> Notation {
        let _ = order;
        Notation::new("")
    }

    /// The standing order that a line of text stands for.
    fn read_order(&self, text: &str) -> Result<Self::Order, ReadError> {
        Err(ReadError::new(format!("`{text}`"), "nothing: this game has no standing orders"))
    }

    /// Whether the position can exist: pieces conserved, limits kept. Asked at every step of the tests.
    fn sound(&self, position: &Self::Position) -> Result<(), String>;

    /// The position of a vignette, from its `[position]` table.
    fn stage(&self, sheet: &Node) -> Result<Self::Position, DataError>;

    /// Something that a vignette's `[expect]` may ask about, before and after its actions; `None` if the
    /// game knows no such fact.
    fn fact(&self, before: &Self::Position, after: &Self::Position, key: &str) -> Option<Fact>;

    /// The keys that [`fact`](Game::fact) knows, for the error that lists them.
    fn facts(&self) -> &'static str;
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Outcome {
    /// Who won; nobody in a draw, or when the system won.
    pub winners: SeatSet,
    /// The result in a few words: `Frank wins`, `draw`.
    pub headline: &'static str,
    /// The rule by which it ended.
    pub rule: Rule,
    /// Points of each seat, where the game counts them.
    pub scores: [i32; MOST_SEATS],
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

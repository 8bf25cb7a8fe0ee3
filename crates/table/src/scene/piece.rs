//! Pieces: their form, and what is seen of them. What is hidden has no front, so it cannot tell of it.

use serde::Serialize;

use crate::arms::Arms;
use crate::seat::Seat;

/// Something that stands on a space or lies in a tray.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Piece {
    /// Its id, unique in the scene. Two pieces that a viewer cannot tell apart must not be told apart by
    /// their ids over time either: number hidden pieces by their place.
    pub id: String,
    /// The space it stands on; empty in a tray.
    pub space: String,
    /// A second space that it covers: a rider over two hexes.
    pub covers: Option<String>,
    /// Where it looks, on hexes: 0 to 5, clockwise from the right upper side (pointy) or from the top (flat).
    pub facing: Option<u8>,
    /// Whose it is.
    pub owner: Option<Seat>,
    /// What it is made of.
    pub form: Form,
    /// How many more, just like it, lie under it.
    pub more: u16,
    /// What is seen of it.
    pub face: Face,
    /// The whole of it in words, for the screen reader and on demand.
    pub text: String,
}

/// What a piece is made of. The material tells the kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub enum Form {
    /// Whatever suits its face and its place: a block on a board, a card in a tray, a sign in a cell.
    #[default]
    Usual,
    /// Wood: thick, with a bevel; its back hides it.
    Block,
    /// Cardboard: flat and square, a unit.
    Counter,
    /// A leader's arched stand.
    Stand,
    /// Paper.
    Card,
    /// A small round marker.
    Token,
}

/// What is seen of a piece.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub enum Face {
    /// Its back: a piece and nothing more.
    #[default]
    Hidden,
    /// Its back, and what the viewer knows of it: a name, and no strength.
    Suspected {
        /// Who it should be.
        name: String,
        /// His arms.
        arms: Option<Arms>,
    },
    /// Its front.
    Shown(Front),
    /// The front of a card.
    Card(Card),
}

/// The front of a piece.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Front {
    /// A short name.
    pub name: String,
    /// A second line: its home.
    pub home: String,
    /// The arms it bears.
    pub arms: Option<Arms>,
    /// The kind of troops.
    pub sign: Option<Sign>,
    /// Left corner: a combat rating.
    pub left: String,
    /// Right corner: a move rating.
    pub right: String,
    /// Strength now and at its most, drawn as pips; (0, 0) for none.
    pub pips: (u8, u8),
    /// How many of the lost pips were lost just now.
    pub hit: u8,
    /// Whether it stands out: acting now, selected.
    pub lit: bool,
    /// Whether it is spent: has moved, has fired.
    pub spent: bool,
    /// Whether it is wounded, or has lost its first step.
    pub wounded: bool,
    /// Whether its owner alone sees this front.
    pub unseen: bool,
}

/// Signs of troops, and of what cards are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub enum Sign {
    /// Knights.
    HeavyHorse,
    /// Horse archers.
    LightHorse,
    /// Spears and shields.
    Foot,
    /// Bows.
    Archer,
    /// Peasants in arms.
    Militia,
    /// Pilgrims.
    Pilgrim,
    /// A siege engine.
    Engine,
    /// A ship.
    Ship,
    /// A dagger.
    Dagger,
    /// A lantern.
    Lantern,
    /// A key.
    Key,
    /// Bread.
    Bread,
    /// A scroll.
    Scroll,
    /// A road.
    Road,
}

impl Sign {
    /// What it is called.
    pub const fn word(self) -> &'static str {
        match self {
            Self::HeavyHorse => "heavy horse",
            Self::LightHorse => "light horse",
            Self::Foot => "foot",
            Self::Archer => "archers",
            Self::Militia => "militia",
            Self::Pilgrim => "pilgrims",
            Self::Engine => "engine",
            Self::Ship => "ship",
            Self::Dagger => "dagger",
            Self::Lantern => "lantern",
            Self::Key => "key",
            Self::Bread => "bread",
            Self::Scroll => "scroll",
            Self::Road => "road",
        }
    }
}

/// The front of a card. Its back is made from its owner alone.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Card {
    /// Its value, drawn large.
    pub value: String,
    /// A few signs for its corner: what can be read in a fan.
    pub corner: String,
    /// Its title.
    pub title: String,
    /// What it does.
    pub text: String,
    /// A line at the foot: another use, printed on every card of the kind.
    pub foot: String,
    /// What kind of card it is.
    pub tone: CardTone,
    /// A picture.
    pub sign: Option<Sign>,
    /// What it can be played as.
    pub uses: Vec<Use>,
    /// Whether it stands out: chosen, just played.
    pub lit: bool,
    /// Whether it is spent or cannot be played now.
    pub spent: bool,
}

/// What kind of card it is: each has its colour, its word and its sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub enum CardTone {
    /// Its owner's colour.
    #[default]
    Plain,
    /// An event.
    Event,
    /// Played in a battle.
    Battle,
    /// Played into somebody else's turn.
    Response,
}

impl CardTone {
    /// What it is called; nothing for plain cards.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Event => "event",
            Self::Battle => "battle",
            Self::Response => "response",
        }
    }
}

/// Something that a card can be played as.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Use {
    /// As what.
    pub name: String,
    /// What that does, or why it cannot be now.
    pub note: String,
    /// Whether it can be played so now.
    pub open: bool,
}

impl Face {
    /// A front with only a name.
    pub fn named(name: impl Into<String>) -> Self {
        Self::Shown(Front { name: name.into(), ..Front::default() })
    }

    /// The front, if it is one and no card's.
    pub fn front(&self) -> Option<&Front> {
        match self {
            Self::Shown(front) => Some(front),
            Self::Hidden | Self::Suspected { .. } | Self::Card(_) => None,
        }
    }

    /// The front, to be changed.
    pub fn front_mut(&mut self) -> Option<&mut Front> {
        match self {
            Self::Shown(front) => Some(front),
            Self::Hidden | Self::Suspected { .. } | Self::Card(_) => None,
        }
    }

    /// Whether it shows its back.
    pub const fn is_back(&self) -> bool {
        matches!(self, Self::Hidden | Self::Suspected { .. })
    }

    /// Whether it stands out.
    pub fn lit(&self) -> bool {
        match self {
            Self::Hidden | Self::Suspected { .. } => false,
            Self::Shown(front) => front.lit,
            Self::Card(card) => card.lit,
        }
    }

    /// The name that it shows, without its home.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Hidden => None,
            Self::Suspected { name, .. } => Some(name),
            Self::Shown(front) => Some(&front.name),
            Self::Card(card) => Some(&card.title),
        }
    }

    /// The name that it shows, with its home.
    pub fn full_name(&self) -> Option<String> {
        match self {
            Self::Shown(front) => Some(front.full_name()),
            other => other.name().map(String::from),
        }
    }
}

impl Front {
    /// Its name, with its home.
    pub fn full_name(&self) -> String {
        if self.home.is_empty() { self.name.clone() } else { format!("{} {}", self.name, self.home) }
    }
}

impl From<Front> for Face {
    fn from(front: Front) -> Self {
        Self::Shown(front)
    }
}

impl From<Card> for Face {
    fn from(card: Card) -> Self {
        Self::Card(card)
    }
}

impl Card {
    /// A card with a title and a text.
    pub fn titled(title: impl Into<String>, text: impl Into<String>) -> Self {
        Self { title: title.into(), text: text.into(), ..Self::default() }
    }
}

impl Use {
    /// A use that is open now.
    pub fn open(name: impl Into<String>, note: impl Into<String>) -> Self {
        Self { name: name.into(), note: note.into(), open: true }
    }

    /// A use that is not open now, and why.
    pub fn closed(name: impl Into<String>, why: impl Into<String>) -> Self {
        Self { name: name.into(), note: why.into(), open: false }
    }
}

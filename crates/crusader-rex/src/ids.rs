//! The numbered things of the game as types, and the small kinds that others are sorted by: a town cannot stand
//! where a block belongs, and what is absent is `None`.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use table::{Id, Map, Seat};

/// The Franks.
pub const FRANK: Seat = Seat::new(0);
/// The Saracens.
pub const SARACEN: Seat = Seat::new(1);
/// Both sides.
pub const BOTH: [Seat; 2] = [FRANK, SARACEN];
/// Both sides by name.
pub const SIDES: [(&str, Seat); 2] = [("Frank", FRANK), ("Saracen", SARACEN)];

table::ids! {
    /// A town of the map, Masyaf included.
    pub struct Town: 53 in u64;
    /// A wooden block.
    pub struct Block: 63 in u64;
    /// A road between towns, or one of the ways in for the Germans, which come last.
    pub struct Road: 90 in u128;
    /// The mark by which a lone hidden block is followed: a side has 31 blocks.
    pub struct Mark: 31 in u64;
    /// A set of blocks of which hidden ones are known to be: one of these two, or one of those who march so far.
    pub struct Guess: 16 in u64;
}

/// Makes an enum a kind that can index a [`table::Map`] and stand in a [`table::Set`].
macro_rules! kinds {
    ($($name:ident: $count:literal;)+) => {$(
        impl Id for $name {
            const COUNT: usize = $count;
            type Row<T> = [T; $count];
            type Bits = u64;

            #[inline]
            fn at(number: usize) -> Self {
                Self::ALL[number]
            }
            #[inline]
            fn try_at(number: usize) -> Option<Self> {
                Self::ALL.get(number).copied()
            }
            #[inline]
            fn number(self) -> usize {
                self as usize
            }
            #[inline]
            fn row<T>(value: impl FnMut(Self) -> T) -> [T; $count] {
                Self::ALL.map(value)
            }
        }
    )+};
}
kinds! {
    Card: 9;
    Nation: 3;
    Letter: 3;
}

/// A card [4.0].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Card {
    /// Three moves.
    Move3,
    /// Two moves.
    Move2,
    /// One move.
    Move1,
    /// One move, or a siege kept over the winter.
    WinterCampaign,
    /// The assassins strike.
    Assassins,
    /// One group with double road limits.
    Guide,
    /// The opponent's last card again.
    Intrigue,
    /// One group, and attackers first in one battle.
    Jihad,
    /// Three steps.
    Manna,
}

impl Card {
    /// All kinds of cards.
    pub const ALL: [Self; 9] = [
        Self::Move3,
        Self::Move2,
        Self::Move1,
        Self::WinterCampaign,
        Self::Assassins,
        Self::Guide,
        Self::Intrigue,
        Self::Jihad,
        Self::Manna,
    ];

    /// What stands on it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Move3 => "Move 3",
            Self::Move2 => "Move 2",
            Self::Move1 => "Move 1",
            Self::WinterCampaign => "Winter Campaign",
            Self::Assassins => "Assassins",
            Self::Guide => "Guide",
            Self::Intrigue => "Intrigue",
            Self::Jihad => "Jihad",
            Self::Manna => "Manna",
        }
    }

    /// The moves that it gives.
    #[inline]
    pub const fn moves(self) -> u8 {
        match self {
            Self::Move3 => 3,
            Self::Move2 => 2,
            Self::Move1 | Self::WinterCampaign | Self::Guide | Self::Jihad => 1,
            Self::Assassins | Self::Intrigue | Self::Manna => 0,
        }
    }

    /// Whether it is an event card [4.2].
    #[inline]
    pub const fn is_event(self) -> bool {
        matches!(self, Self::Assassins | Self::Guide | Self::Intrigue | Self::Jihad | Self::Manna)
    }
}

/// So many cards of each kind: a hand, a deck.
pub type Cards = Map<Card, u8>;

/// A nation of the Third Crusade [2.2.4].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Nation {
    /// Richard's.
    English,
    /// Philip's.
    French,
    /// Barbarossa's.
    German,
}

impl Nation {
    /// All three.
    pub const ALL: [Self; 3] = [Self::English, Self::French, Self::German];

    /// What its crusaders are called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::French => "French",
            Self::German => "German",
        }
    }
}

/// When a block acts in a battle [2.1.2].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Letter {
    /// First.
    A,
    /// Second.
    B,
    /// Last.
    C,
}

impl Letter {
    /// All three, in the order in which they act.
    pub const ALL: [Self; 3] = [Self::A, Self::B, Self::C];
}

/// How a block came into a town.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Way {
    /// By a road, or by a way in from the north.
    Road(Road),
    /// By sea [7.22].
    Sea,
}

/// Where an attack comes from, as the notation calls it [6.41].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Whence {
    /// By the road from this town.
    Town(Town),
    /// By sea.
    Sea,
    /// By a way in from the north.
    North,
}

/// Where a block is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Place {
    /// In a town.
    Town(Town),
    /// Face-down in the draw pool [7.1].
    Pool,
    /// Face-up in the draw pool: cannot be drawn this year [6.34].
    Dead,
    /// Eliminated for good [6.34].
    Gone,
    /// In the staging area of its nation [7.21].
    Staging,
    /// Drawn, and about to be placed.
    Hand,
}

impl Place {
    /// The town, if it is one.
    #[inline]
    pub const fn town(self) -> Option<Town> {
        match self {
            Self::Town(town) => Some(town),
            _ => None,
        }
    }

    /// Whether it is on the map.
    #[inline]
    pub const fn is_town(self) -> bool {
        matches!(self, Self::Town(_))
    }
}

/// A value for each of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sides<T>(pub [T; 2]);

impl<T> Sides<T> {
    /// The value that a function gives for each side.
    #[inline]
    pub fn new(value: impl FnMut(Seat) -> T) -> Self {
        Self(BOTH.map(value))
    }

    /// The same value for both.
    #[inline]
    pub const fn both(value: T) -> Self
    where
        T: Copy,
    {
        Self([value; 2])
    }

    /// Both sides with their values.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        BOTH.into_iter().zip(&self.0)
    }
}

impl<T> Index<Seat> for Sides<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for Sides<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

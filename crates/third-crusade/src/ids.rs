//! What there is to name: armies and sides, regions and roads, pieces, orders, cards, spaces.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use table::{Id as _, Seat, SeatSet, Set};

table::ids! {
    /// An army, in the order of the seats.
    pub struct Army: 4 in u64;
    /// Whose a piece is: an army, or nobody for the white ones.
    pub struct Owner: 5 in u64;
    /// A region of the map.
    pub struct Region: 25 in u64;
    /// A road between two regions.
    pub struct Road: 48 in u64;
    /// A leader.
    pub struct Leader: 30 in u64;
    /// An order; of several alike only the first is ever named.
    pub struct Order: 96 in u128;
    /// An event card.
    pub struct Event: 128 in u128;
    /// A mission card.
    pub struct Mission: 7 in u64;
    /// A diplomacy card.
    pub struct Treaty: 7 in u64;
    /// A space of the diplomacy board.
    pub struct Space: 22 in u64;
    /// An objective card.
    pub struct Objective: 18 in u64;
    /// A Slot of a region: six squares, two hexagons, a trapezoid.
    pub struct Slot: 9 in u64;
}

/// The two alliances.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Side {
    /// Angevin and Holy Roman Empire.
    Crusader,
    /// Ayyubid and Turkoman.
    Muslim,
}

/// Both alliances.
pub const SIDES: [Side; 2] = [Side::Crusader, Side::Muslim];

impl Side {
    /// The enemy.
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::Crusader => Self::Muslim,
            Self::Muslim => Self::Crusader,
        }
    }

    /// What Glory counts for it on the common track: the Crusaders' end is above nought.
    #[inline]
    pub const fn sign(self) -> i8 {
        match self {
            Self::Crusader => 1,
            Self::Muslim => -1,
        }
    }

    /// Its name, with an article.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crusader => "the Crusader Alliance",
            Self::Muslim => "the Muslim Alliance",
        }
    }

    /// Its armies, the one first in the order of seats first.
    #[inline]
    pub fn armies(self) -> [Army; 2] {
        [Army::at(self as usize), Army::at(self as usize + 2)]
    }
}

/// Something that each alliance has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Sides<T>(pub [T; 2]);

impl<T> Index<Side> for Sides<T> {
    type Output = T;
    #[inline]
    fn index(&self, side: Side) -> &T {
        &self.0[side as usize]
    }
}

impl<T> IndexMut<Side> for Sides<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side as usize]
    }
}

impl Army {
    /// The alliance it belongs to.
    #[inline]
    pub fn side(self) -> Side {
        if self.number().is_multiple_of(2) { Side::Crusader } else { Side::Muslim }
    }

    /// The other army of its alliance, whether it plays or not.
    #[inline]
    pub fn partner(self) -> Self {
        Self::at(self.number() ^ 2)
    }

    /// Its seat.
    #[inline]
    pub fn seat(self) -> Seat {
        Seat::new(self.number() as u8)
    }

    /// The army of a seat.
    #[inline]
    pub fn of(seat: Seat) -> Self {
        Self::at(seat.index() & 3)
    }

    /// Its pieces' owner.
    #[inline]
    pub fn owner(self) -> Owner {
        Owner::at(self.number())
    }
}

/// The seats of these armies.
#[inline]
pub fn seats(armies: Set<Army>) -> SeatSet {
    armies.iter().map(Army::seat).collect()
}

/// The armies of these seats.
#[inline]
pub fn armies(seats: SeatSet) -> Set<Army> {
    seats.iter().map(Army::of).collect()
}

impl Owner {
    /// The owner of the white pieces.
    #[inline]
    pub fn neutral() -> Self {
        Self::at(4)
    }

    /// The army, if it is one.
    #[inline]
    pub fn army(self) -> Option<Army> {
        Army::try_at(self.number())
    }
}

/// A kind of Unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Unit {
    /// Infantry.
    Infantry,
    /// Cavalry.
    Cavalry,
    /// A Siege Engine.
    Siege,
}

/// All kinds of Units.
pub const UNITS: [Unit; 3] = [Unit::Infantry, Unit::Cavalry, Unit::Siege];

impl Unit {
    /// The shape that it stands on.
    #[inline]
    pub const fn shape(self) -> Shape {
        match self {
            Self::Infantry => Shape::Square,
            Self::Cavalry => Shape::Hex,
            Self::Siege => Shape::Trapezoid,
        }
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Infantry => "Infantry",
            Self::Cavalry => "Cavalry",
            Self::Siege => "Siege Engine",
        }
    }

    /// What several are called.
    pub const fn many(self) -> &'static str {
        match self {
            Self::Infantry => "Infantry",
            Self::Cavalry => "Cavalry",
            Self::Siege => "Siege Engines",
        }
    }
}

/// The shape of a Slot and of what stands on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Shape {
    /// For Infantry.
    Square,
    /// For Cavalry.
    Hex,
    /// For a Siege Engine.
    Trapezoid,
}

/// All shapes.
pub const SHAPES: [Shape; 3] = [Shape::Square, Shape::Hex, Shape::Trapezoid];
/// How many Slots of each shape a region has.
pub const SLOTS: [u8; 3] = [6, 2, 1];
/// What the Slots are called, in their order.
pub const SLOT_NAMES: [&str; 9] = ["sq1", "sq2", "sq3", "sq4", "sq5", "sq6", "hx1", "hx2", "tz1"];

impl Shape {
    /// The bits of its Slots in a region.
    #[inline]
    pub const fn slots(self) -> u16 {
        match self {
            Self::Square => 0b0_0011_1111,
            Self::Hex => 0b0_1100_0000,
            Self::Trapezoid => 0b1_0000_0000,
        }
    }

    /// The shape of a Slot.
    #[inline]
    pub fn of(slot: Slot) -> Self {
        match slot.number() {
            0..6 => Self::Square,
            6..8 => Self::Hex,
            _ => Self::Trapezoid,
        }
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Square => "square",
            Self::Hex => "hexagonal",
            Self::Trapezoid => "trapezoid",
        }
    }
}

/// What an icon or token pays, in the order in which pieces cover them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Icon {
    /// Supply.
    Supply,
    /// Gold.
    Gold,
    /// Base command.
    Command,
    /// A crown.
    Crown,
    /// Glory.
    Glory,
}

/// All icons.
pub const ICONS: [Icon; 5] = [Icon::Supply, Icon::Gold, Icon::Command, Icon::Crown, Icon::Glory];

impl Icon {
    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Supply => "supply",
            Self::Gold => "gold",
            Self::Command => "command",
            Self::Crown => "crown",
            Self::Glory => "Glory",
        }
    }
}

/// A piece: a Unit of somebody's, or a leader.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Piece {
    /// A Unit.
    Unit(Owner, Unit),
    /// A leader.
    Leader(Leader),
}

/// What kind of region it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Land {
    /// A city.
    City,
    /// A desert.
    Desert,
    /// Jerusalem, a city in all but name.
    Jerusalem,
}

//! Numbered things as types: counters, men of a field, engines, hexes. None of them is a bare number, and absence
//! is an `Option` that takes no more room.
//!
//! A field may hold 200 men and a crate 250 counters, more than the table's sets have bits for, so these ids are
//! made here; sets of men are marks on the men themselves.

use std::fmt;
use std::num::{NonZeroU8, NonZeroU16};

use serde::{Deserialize, Serialize};
use table::hex::{Direction, Hex, Lie, Shoved};

macro_rules! numbered {
    ($($(#[$doc:meta])* $name:ident below $count:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        // One more than its number, so that an absent one takes no room.
        pub struct $name(NonZeroU8);

        impl $name {
            /// How many there can be.
            pub const COUNT: usize = $count;

            /// The one with this number, if there can be one.
            #[inline]
            pub fn try_at(number: usize) -> Option<Self> {
                if number >= Self::COUNT {
                    return None;
                }
                NonZeroU8::new(number as u8 + 1).map(Self)
            }

            /// The one with this number.
            ///
            /// # Panics
            /// When there can be none.
            #[inline]
            pub fn at(number: usize) -> Self {
                match Self::try_at(number) {
                    Some(this) => this,
                    None => panic!(concat!("there is no ", stringify!($name), " {}"), number),
                }
            }

            /// Its number, from 0.
            #[inline]
            pub fn number(self) -> usize {
                usize::from(self.0.get() - 1)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.number())
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u8(self.number() as u8)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let number = u8::deserialize(deserializer)?;
                Self::try_at(number.into()).ok_or_else(|| {
                    serde::de::Error::custom(format_args!(
                        concat!("there is no ", stringify!($name), " {}: expected a number below ", $count),
                        number
                    ))
                })
            }
        }
    )+};
}

numbered! {
    /// A counter of the box: a man with a name.
    Counter below 250;
    /// A man on a field, by his place in its list.
    Man below 200;
    /// An engine on a field, by its place in its list.
    EngineId below 32;
}

/// A man as people name him: his counter, and which of several with that counter he is [3.66].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Who {
    /// His counter.
    pub counter: Counter,
    /// 0 for the first of them, 1 for the second.
    pub double: u8,
}

impl Who {
    /// The first man with a counter.
    pub const fn first(counter: Counter) -> Self {
        Self { counter, double: 0 }
    }
}

/// One of the two sides of a battle. Whose it is, is not the field's business.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Side {
    /// The first: in a skirmish, the Crusaders.
    First,
    /// The second: in a skirmish, the Saracens.
    Second,
}

impl Side {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The other one.
    #[inline]
    pub const fn foe(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 or 1.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The most columns of a field: three maps side by side.
pub const COLUMNS: usize = 72;
/// The most rows of a field: two maps one below the other.
pub const ROWS: usize = 32;
/// Hexes of the largest field.
pub const CELLS: usize = COLUMNS * ROWS;

/// A hex of a field: row from the north, column from the west \[T1\].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(NonZeroU16);

impl Place {
    /// The hex in a row and a column, counted from 0, if the largest field has it.
    #[inline]
    pub fn new(row: usize, column: usize) -> Option<Self> {
        if row >= ROWS || column >= COLUMNS {
            return None;
        }
        NonZeroU16::new((row * COLUMNS + column) as u16 + 1).map(Self)
    }

    /// Its number among all hexes of the largest field.
    #[inline]
    pub fn number(self) -> usize {
        usize::from(self.0.get() - 1)
    }

    /// Its row, from 0 in the north.
    #[inline]
    pub fn row(self) -> usize {
        self.number() / COLUMNS
    }

    /// Its column, from 0 in the west.
    #[inline]
    pub fn column(self) -> usize {
        self.number() % COLUMNS
    }

    /// The same as a hex of the plane.
    #[inline]
    pub fn hex(self) -> Hex {
        Hex::from_offset((self.column() as i16, self.row() as i16), Lie::Pointy, Shoved::Odd)
    }

    /// The place of a hex of the plane.
    #[inline]
    pub fn of(hex: Hex) -> Option<Self> {
        let (column, row) = hex.to_offset(Lie::Pointy, Shoved::Odd);
        Self::new(usize::try_from(row).ok()?, usize::try_from(column).ok()?)
    }

    /// How many steps it is to another.
    #[inline]
    pub fn distance(self, other: Self) -> u32 {
        self.hex().distance(other.hex())
    }

    /// The direction of a hex next to it.
    #[inline]
    pub fn direction_to(self, other: Self) -> Option<Direction> {
        self.hex().direction_to(other.hex())
    }

    /// The hex next to it, if the largest field has it.
    #[inline]
    pub fn neighbour(self, direction: Direction) -> Option<Self> {
        let (row, column) = (self.row() as i32, self.column() as i32);
        // Rows with odd numbers are shoved to the right by half a hex.
        let odd = row & 1;
        let (row, column) = match direction {
            Direction::First => (row, column + 1),
            Direction::Second => (row + 1, column + odd),
            Direction::Third => (row + 1, column + odd - 1),
            Direction::Fourth => (row, column - 1),
            Direction::Fifth => (row - 1, column + odd - 1),
            Direction::Sixth => (row - 1, column + odd),
        };
        if row < 0 || column < 0 {
            return None;
        }
        Self::new(row as usize, column as usize)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}.{:02}", self.row() + 1, self.column() + 1)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::str::FromStr for Place {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        let (row, column) = text.split_once('.').ok_or(())?;
        let number = |digits: &str| -> Result<usize, ()> {
            if digits.len() != 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(());
            }
            digits.parse::<usize>().map_err(|_| ())?.checked_sub(1).ok_or(())
        };
        Self::new(number(row)?, number(column)?).ok_or(())
    }
}

impl Serialize for Place {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.number() as u16)
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = usize::from(u16::deserialize(deserializer)?);
        let place = Self::new(number / COLUMNS, number % COLUMNS);
        place.ok_or_else(|| serde::de::Error::custom(format_args!("there is no hex {number}")))
    }
}

/// A value for each hex of the largest field; bytes, since a field is copied often. Written as runs of equal values.
#[derive(Clone, PartialEq, Eq)]
pub struct Grid([u8; CELLS]);

impl Grid {
    /// Nought everywhere.
    pub const EMPTY: Self = Self([0; CELLS]);

    /// The value of a hex.
    #[inline]
    pub fn get(&self, place: Place) -> u8 {
        self.0[place.number()]
    }

    /// Gives a hex its value.
    #[inline]
    pub fn set(&mut self, place: Place, value: u8) {
        self.0[place.number()] = value;
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.runs())
    }
}

impl Grid {
    fn runs(&self) -> Vec<(u16, u8)> {
        let mut runs: Vec<(u16, u8)> = Vec::new();
        for value in self.0 {
            match runs.last_mut() {
                Some((count, last)) if *last == value => *count += 1,
                _ => runs.push((1, value)),
            }
        }
        runs
    }
}

impl Serialize for Grid {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.runs())
    }
}

impl<'de> Deserialize<'de> for Grid {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let runs = Vec::<(u16, u8)>::deserialize(deserializer)?;
        let wrong = || serde::de::Error::custom(format_args!("expected {CELLS} values in runs"));
        let (mut grid, mut at) = (Self::EMPTY, 0usize);
        for (count, value) in runs {
            let end = at + usize::from(count);
            grid.0.get_mut(at..end).ok_or_else(wrong)?.fill(value);
            at = end;
        }
        if at == CELLS { Ok(grid) } else { Err(wrong()) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Hexes of the field [T1].
    #[test]
    fn neighbours_are_those_of_the_plane() {
        for number in 0..CELLS {
            let place = Place::new(number / COLUMNS, number % COLUMNS).unwrap();
            assert_eq!(Place::of(place.hex()), Some(place));
            for direction in Direction::ALL {
                assert_eq!(place.neighbour(direction), Place::of(place.hex().neighbour(direction)));
            }
        }
    }

    /// And their numbers [T1].
    #[test]
    fn places_are_written_by_row_and_column() {
        let place = Place::new(6, 11).unwrap();
        assert_eq!(place.to_string(), "07.12");
        assert_eq!("07.12".parse(), Ok(place));
        for wrong in ["7.12", "07.", "00.01", "33.01", "01.73", "0712", "x7.12"] {
            assert_eq!(wrong.parse::<Place>(), Err(()), "{wrong}");
        }
    }
}

//! Who sits at the table: seats, sets of seats, and those who look on.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The most seats a table can have.
pub const MOST_SEATS: usize = 8;

/// One place at the table, numbered from 0 in the order of the game's [`Title`](crate::Title).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(u8);

impl Seat {
    /// The seat with this number.
    ///
    /// # Panics
    /// When `number` is not below [`MOST_SEATS`]; use `Seat::try_from` for numbers from outside.
    #[inline]
    pub const fn new(number: u8) -> Self {
        assert!((number as usize) < MOST_SEATS, "a table has at most eight seats");
        Self(number)
    }

    /// The number of this seat, as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// In a game for two, the other one.
    #[inline]
    pub const fn other(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A seat number that no table has.
#[derive(Debug, thiserror::Error)]
#[error("there is no seat {0}: seats are numbered from 0 to 7")]
pub struct NoSuchSeat(u8);

impl TryFrom<u8> for Seat {
    type Error = NoSuchSeat;
    fn try_from(number: u8) -> Result<Self, NoSuchSeat> {
        if usize::from(number) < MOST_SEATS { Ok(Self(number)) } else { Err(NoSuchSeat(number)) }
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> u8 {
        seat.0
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatSet(u8);

impl SeatSet {
    /// Nobody.
    pub const NONE: Self = Self(0);

    /// The first `n` seats.
    #[inline]
    pub const fn first(n: usize) -> Self {
        if n >= 8 { Self(255) } else { Self((1 << n) - 1) }
    }

    /// Only this seat.
    #[inline]
    pub const fn only(seat: Seat) -> Self {
        Self(1 << seat.0)
    }

    /// Whether the seat is among them.
    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// Whether nobody is among them.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many they are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// These and one more.
    #[inline]
    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | 1 << seat.0)
    }

    /// These without one.
    #[inline]
    #[must_use]
    pub const fn without(self, seat: Seat) -> Self {
        Self(self.0 & !(1 << seat.0))
    }

    /// Those in either set.
    #[inline]
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those in both sets.
    #[inline]
    #[must_use]
    pub const fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those of this set that are not in the other.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The lowest seat among them.
    #[inline]
    pub const fn lowest(self) -> Option<Seat> {
        if self.0 == 0 { None } else { Some(Seat(self.0.trailing_zeros() as u8)) }
    }

    /// The seats in their order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Seat> + Clone {
        let mut rest = self;
        std::iter::from_fn(move || {
            let seat = rest.lowest()?;
            rest = rest.without(seat);
            Some(seat)
        })
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::NONE, Self::with)
    }
}

impl From<Seat> for SeatSet {
    fn from(seat: Seat) -> Self {
        Self::only(seat)
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Seat::index)).finish()
    }
}

/// For whom a view is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Viewer {
    /// A player, who knows what is public and what his seat may know.
    Seat(Seat),
    /// Somebody who looks on and knows only what is public.
    Observer,
    /// One who knows everything. A [`Match`](crate::Match) shows this only when the game is over; it is
    /// for finished games, vignettes and tests.
    Umpire,
}

impl Viewer {
    /// The seat that looks, if it is one.
    #[inline]
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Observer | Self::Umpire => None,
        }
    }

    /// Whether this viewer sees what only `owner` may know.
    #[inline]
    pub fn shares(self, owner: Seat) -> bool {
        self == Self::Umpire || self == Self::Seat(owner)
    }

    /// Every viewer of a table with this party who does not know everything.
    pub fn all(party: SeatSet) -> impl Iterator<Item = Self> + Clone {
        party.iter().map(Self::Seat).chain(std::iter::once(Self::Observer))
    }
}

/// Who may read a line of the journal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Readers {
    seats: SeatSet,
    observers: bool,
}

impl Readers {
    /// Everybody, observers included.
    pub const ALL: Self = Self { seats: SeatSet(255), observers: true };

    /// Only these seats.
    #[inline]
    pub const fn only(seats: SeatSet) -> Self {
        Self { seats, observers: false }
    }

    /// Everybody but these seats.
    #[inline]
    pub const fn all_but(seats: SeatSet) -> Self {
        Self { seats: SeatSet(!seats.0), observers: true }
    }

    /// Whether this viewer may read it.
    #[inline]
    pub fn include(self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Seat(seat) => self.seats.contains(seat),
            Viewer::Observer => self.observers,
            Viewer::Umpire => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_lists_its_seats_in_order() {
        let set = SeatSet::only(Seat::new(5)).with(Seat::new(1)).with(Seat::new(7)).without(Seat::new(5));
        assert_eq!(set.iter().map(Seat::index).collect::<Vec<_>>(), [1, 7]);
        assert_eq!(set.len(), 2);
        assert_eq!(SeatSet::first(8).len(), 8);
    }

    #[test]
    fn readers_keep_secrets_from_observers() {
        let frank = Seat::new(0);
        let own = Readers::only(frank.into());
        let rest = Readers::all_but(frank.into());
        for viewer in Viewer::all(SeatSet::first(3)) {
            assert_ne!(own.include(viewer), rest.include(viewer), "{viewer:?} reads exactly one of the two");
        }
        assert!(!own.include(Viewer::Observer));
    }

    #[test]
    fn seat_numbers_from_outside_are_checked() {
        assert!(Seat::try_from(7).is_ok());
        assert_eq!(
            Seat::try_from(8).unwrap_err().to_string(),
            "there is no seat 8: seats are numbered from 0 to 7"
        );
    }
}

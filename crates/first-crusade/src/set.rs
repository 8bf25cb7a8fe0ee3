//! A set of units or of spaces: one bit each. Saved and shown as a list of numbers, since not every reader of
//! JSON keeps 128 bits.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A set of numbers below 128.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Set(u128);

impl Set {
    /// Nothing.
    pub const NONE: Self = Self(0);

    /// One member.
    #[inline]
    pub const fn one(member: u8) -> Self {
        Self(1 << member)
    }

    /// The first `n` numbers.
    pub const fn first_n(n: usize) -> Self {
        if n >= 128 { Self(u128::MAX) } else { Self((1 << n) - 1) }
    }

    /// Whether it is a member.
    #[inline]
    pub const fn has(self, member: u8) -> bool {
        member < 128 && self.0 >> member & 1 == 1
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is any.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// How many.
    #[inline]
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// The lowest member.
    #[inline]
    pub const fn first(self) -> Option<u8> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as u8) }
    }

    /// The member with so many before it.
    #[inline]
    pub fn nth(self, n: u16) -> Option<u8> {
        self.each().nth(usize::from(n))
    }

    /// Whether all members are in the other set too.
    #[inline]
    pub const fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Adds a member.
    #[inline]
    pub const fn insert(&mut self, member: u8) {
        self.0 |= 1 << member;
    }

    /// Takes a member out.
    #[inline]
    pub const fn remove(&mut self, member: u8) {
        self.0 &= !(1 << member);
    }

    /// The members in their order.
    #[inline]
    pub fn each(self) -> Each {
        Each(self.0)
    }
}

/// The members of a set, one by one.
#[derive(Clone, Debug)]
pub struct Each(u128);

impl Iterator for Each {
    type Item = u8;
    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let member = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(member)
    }
}

impl BitOr for Set {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Set {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for Set {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOrAssign for Set {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl SubAssign for Set {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

impl FromIterator<u8> for Set {
    fn from_iter<I: IntoIterator<Item = u8>>(members: I) -> Self {
        members.into_iter().fold(Self::NONE, |set, member| set | Self::one(member))
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.each()).finish()
    }
}

impl Serialize for Set {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.each())
    }
}

impl<'de> Deserialize<'de> for Set {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = Vec::<u8>::deserialize(deserializer)?;
        if members.iter().any(|m| *m >= 128) {
            return Err(serde::de::Error::custom("expected numbers below 128"));
        }
        Ok(members.into_iter().collect())
    }
}

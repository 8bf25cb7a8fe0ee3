//! A set of things of one kind, a bit each. Written by serde as a list of numbers, since not every reader of JSON
//! keeps 128 bits.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub, SubAssign};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Id;

/// Whole numbers that hold a set: `u64` and `u128`.
pub trait Bits:
    Copy
    + Eq
    + std::hash::Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
{
    /// No bit.
    const EMPTY: Self;
    /// The first `n` bits.
    fn first(n: usize) -> Self;
    /// Only this bit.
    fn only(bit: usize) -> Self;
    /// Whether this bit is set.
    fn has(self, bit: usize) -> bool;
    /// How many bits are set.
    fn count(self) -> usize;
    /// The lowest bit that is set; the width if none is.
    fn lowest(self) -> usize;
    /// All bits but the lowest that is set.
    fn rest(self) -> Self;
}

macro_rules! bits {
    ($($kind:ty),*) => {$(
        impl Bits for $kind {
            const EMPTY: Self = 0;
            #[inline]
            fn first(n: usize) -> Self {
                if n >= Self::BITS as usize { Self::MAX } else { (1 << n) - 1 }
            }
            #[inline]
            fn only(bit: usize) -> Self {
                1 << bit
            }
            #[inline]
            fn has(self, bit: usize) -> bool {
                self >> bit & 1 == 1
            }
            #[inline]
            fn count(self) -> usize {
                self.count_ones() as usize
            }
            #[inline]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline]
            fn rest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )*};
}
bits!(u64, u128);

/// A set of things of one kind.
pub struct Set<K: Id>(K::Bits);

impl<K: Id> Set<K> {
    /// Nothing.
    pub const NONE: Self = Self(<K::Bits as Bits>::EMPTY);

    /// All that there can be.
    #[inline]
    pub fn all() -> Self {
        Self(K::Bits::first(K::COUNT))
    }

    /// Only this one.
    #[inline]
    pub fn one(member: K) -> Self {
        Self(K::Bits::only(member.number()))
    }

    /// The first `n`.
    #[inline]
    pub fn first_n(n: usize) -> Self {
        Self(K::Bits::first(n.min(K::COUNT)))
    }

    /// Whether it is a member.
    #[inline]
    pub fn has(self, member: K) -> bool {
        self.0.has(member.number())
    }

    /// Whether there is any member.
    #[inline]
    pub fn any(self) -> bool {
        self.0 != K::Bits::EMPTY
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == K::Bits::EMPTY
    }

    /// How many members.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count()
    }

    /// The lowest member.
    #[inline]
    pub fn first(self) -> Option<K> {
        K::try_at(self.0.lowest())
    }

    /// The only member, if there is exactly one.
    #[inline]
    pub fn single(self) -> Option<K> {
        if self.0.rest() == K::Bits::EMPTY { self.first() } else { None }
    }

    /// The member with so many before it.
    #[inline]
    pub fn nth(self, n: usize) -> Option<K> {
        self.iter().nth(n)
    }

    /// Whether all members are in the other set too.
    #[inline]
    pub fn within(self, other: Self) -> bool {
        (self - other).is_empty()
    }

    /// Whether the sets share a member.
    #[inline]
    pub fn meets(self, other: Self) -> bool {
        (self & other).any()
    }

    /// Adds a member.
    #[inline]
    pub fn insert(&mut self, member: K) {
        self.0 = self.0 | K::Bits::only(member.number());
    }

    /// Takes a member out.
    #[inline]
    pub fn remove(&mut self, member: K) {
        self.0 = self.0 & !K::Bits::only(member.number());
    }

    /// These and one more.
    #[inline]
    #[must_use]
    pub fn with(self, member: K) -> Self {
        self | Self::one(member)
    }

    /// These without one.
    #[inline]
    #[must_use]
    pub fn without(self, member: K) -> Self {
        self - Self::one(member)
    }

    /// The members in their order.
    #[inline]
    pub fn iter(self) -> Members<K> {
        Members(self.0)
    }
}

/// The members of a [`Set`], one by one.
pub struct Members<K: Id>(K::Bits);

impl<K: Id> Iterator for Members<K> {
    type Item = K;
    #[inline]
    fn next(&mut self) -> Option<K> {
        let member = K::try_at(self.0.lowest())?;
        self.0 = self.0.rest();
        Some(member)
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.count(), Some(self.0.count()))
    }
}
impl<K: Id> ExactSizeIterator for Members<K> {}
impl<K: Id> Clone for Members<K> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0)
    }
}
impl<K: Id> fmt::Debug for Members<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<K: Id> IntoIterator for Set<K> {
    type Item = K;
    type IntoIter = Members<K>;
    #[inline]
    fn into_iter(self) -> Members<K> {
        self.iter()
    }
}

impl<K: Id> FromIterator<K> for Set<K> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = K>>(members: I) -> Self {
        members.into_iter().fold(Self::NONE, Self::with)
    }
}

impl<K: Id> From<K> for Set<K> {
    #[inline]
    fn from(member: K) -> Self {
        Self::one(member)
    }
}

impl<K: Id> BitOr for Set<K> {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
impl<K: Id> BitAnd for Set<K> {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}
impl<K: Id> Sub for Set<K> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}
impl<K: Id> BitOrAssign for Set<K> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}
impl<K: Id> BitAndAssign for Set<K> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}
impl<K: Id> SubAssign for Set<K> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

// Derived, these would ask the ids for what only their bits need.
impl<K: Id> Clone for Set<K> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<K: Id> Copy for Set<K> {}
impl<K: Id> PartialEq for Set<K> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<K: Id> Eq for Set<K> {}
impl<K: Id> std::hash::Hash for Set<K> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<K: Id> Default for Set<K> {
    fn default() -> Self {
        Self::NONE
    }
}
impl<K: Id> fmt::Debug for Set<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<K: Id> Serialize for Set<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Id::number))
    }
}

impl<'de, K: Id> Deserialize<'de> for Set<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = Vec::<usize>::deserialize(deserializer)?;
        let member = |number: usize| {
            K::try_at(number).ok_or_else(|| {
                serde::de::Error::custom(format_args!("expected numbers below {}, found {number}", K::COUNT))
            })
        };
        numbers.into_iter().map(member).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::ids! {
        struct Town: 53 in u64;
        struct Unit: 128 in u128;
    }

    #[test]
    fn a_set_knows_its_members() {
        let some: Set<Town> = [4, 52, 9].into_iter().map(Town::at).collect();
        assert_eq!(some.iter().map(Id::number).collect::<Vec<_>>(), [4, 9, 52]);
        assert_eq!((some.len(), some.first(), some.nth(1)), (3, Some(Town::at(4)), Some(Town::at(9))));
        assert!(some.has(Town::at(9)) && !some.has(Town::at(10)) && some.without(Town::at(9)).within(some));
        assert_eq!(some.single(), None);
        assert_eq!(Set::one(Town::at(52)).single(), Some(Town::at(52)));
        assert_eq!(Set::<Town>::NONE.first(), None);
        assert_eq!(Set::<Town>::NONE.single(), None);
        assert_eq!(Set::<Town>::all().len(), 53);
        assert_eq!(Set::<Unit>::all().len(), 128);
        assert_eq!((Set::<Unit>::all() - Set::first_n(127)).single(), Some(Unit::at(127)));
        assert!(some.meets(Town::at(4).into()));
    }

    #[test]
    fn a_set_is_a_list_outside_and_its_numbers_are_checked() {
        let some: Set<Unit> = [3, 127].into_iter().map(Unit::at).collect();
        assert_eq!(serde_json::to_string(&some).unwrap(), "[3,127]");
        assert_eq!(serde_json::from_str::<Set<Unit>>("[127,3]").unwrap(), some);
        let wrong = serde_json::from_str::<Set<Town>>("[53]").unwrap_err().to_string();
        assert!(wrong.starts_with("expected numbers below 53, found 53"), "{wrong}");
    }
}

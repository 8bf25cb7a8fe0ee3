//! The ids of people and of tables: two kinds of words that are never taken for each other.
//!
//! An id is made by chance, or read once where it comes in: from the address of a request, from the store.
//! Nobody guesses one, and each stands in addresses as it is.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::secret;

/// The id of a person.
pub type PersonId = Id<OfPerson>;
/// The id of a table.
pub type TableId = Id<OfTable>;

/// Marks the ids of people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OfPerson {}
/// Marks the ids of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OfTable {}

/// How long an id is at most.
const LONGEST: usize = 40;

/// An id of something.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id<Of>(Arc<str>, PhantomData<fn() -> Of>);

/// A word that is no id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an id has 1 to {LONGEST} letters and digits")]
pub struct NoId;

impl PersonId {
    /// Somebody new.
    pub(crate) fn fresh() -> Self {
        Self(secret::word::<16>().into(), PhantomData)
    }
}

impl TableId {
    /// A new table.
    pub(crate) fn fresh() -> Self {
        Self(secret::word::<12>().into(), PhantomData)
    }
}

impl<Of> Id<Of> {
    /// The id as a word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<Of> FromStr for Id<Of> {
    type Err = NoId;
    fn from_str(word: &str) -> Result<Self, NoId> {
        let letter = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        let good = (1..=LONGEST).contains(&word.len()) && word.bytes().all(letter);
        if good { Ok(Self(word.into(), PhantomData)) } else { Err(NoId) }
    }
}

impl<Of> fmt::Display for Id<Of> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<Of> fmt::Debug for Id<Of> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<Of> Serialize for Id<Of> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_words() {
        assert_eq!(TableId::fresh().as_str().len(), 12);
        assert_ne!(PersonId::fresh(), PersonId::fresh());
        let own = PersonId::fresh();
        assert_eq!(own.as_str().parse(), Ok(own));
        for wrong in ["", "a b", "a/b", "é", "%", &"a".repeat(41)] {
            assert_eq!(wrong.parse::<TableId>(), Err(NoId), "{wrong}");
        }
    }
}

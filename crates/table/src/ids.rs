//! Numbered things as types: a town is a `Town`, never a bare number.
//!
//! [`ids!`](crate::ids!) makes such types, [`Map`] is an array that only its own kind of id indexes, [`Set`] a set
//! of them as bits. A swapped argument does not compile, and absence is an [`Option`], which takes no more room
//! than the id itself.
//!
//! ```
//! table::ids! {
//!     /// A town of the map.
//!     pub struct Town: 53 in u64;
//!     /// A wooden block.
//!     pub struct Block: 63 in u64;
//! }
//! use table::{Id, Map, Set};
//!
//! let acre = Town::at(4);
//! let mut here: Map<Town, Set<Block>> = Map::filled(Set::NONE);
//! here[acre].insert(Block::at(7));
//! assert_eq!(here[acre].iter().map(Block::number).collect::<Vec<_>>(), [7]);
//! assert_eq!(size_of::<Option<Town>>(), 1);
//! ```
//!
//! A town cannot index the blocks:
//! ```compile_fail,E0277
//! # table::ids! { pub struct Town: 53 in u64; pub struct Block: 63 in u64; }
//! # use table::{Id, Map};
//! let strength: Map<Block, u8> = Map::filled(4);
//! let acre = Town::at(4);
//! let _ = strength[acre];
//! ```
//! nor stand in a set of blocks:
//! ```compile_fail,E0308
//! # table::ids! { pub struct Town: 53 in u64; pub struct Block: 63 in u64; }
//! # use table::{Id, Set};
//! let mut army: Set<Block> = Set::NONE;
//! army.insert(Town::at(4));
//! ```

use std::fmt;
use std::hash::Hash;

mod map;
mod set;

pub use map::Map;
pub use set::{Bits, Members, Set};

/// A numbered thing of which there are so many. Made by [`ids!`](crate::ids!).
pub trait Id: Copy + Eq + Ord + Hash + fmt::Debug + Send + Sync + 'static {
    /// How many there can be.
    const COUNT: usize;
    /// One value for each of them.
    type Row<T>: AsRef<[T]> + AsMut<[T]>;
    /// A bit for each of them.
    type Bits: Bits;

    /// The thing with this number.
    ///
    /// # Panics
    /// When there is none; use [`try_at`](Self::try_at) for numbers from outside.
    fn at(number: usize) -> Self;
    /// The thing with this number, if there is one.
    fn try_at(number: usize) -> Option<Self>;
    /// Its number, from 0.
    fn number(self) -> usize;
    /// A row with a value for each of them.
    fn row<T>(value: impl FnMut(Self) -> T) -> Self::Row<T>;

    /// All that there can be, in their order.
    #[inline]
    fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..Self::COUNT).map(Self::at)
    }
}

/// Makes types for numbered things: `ids! { /// A town. pub struct Town: 53 in u64; }` for at most 53 towns whose
/// sets fit into 64 bits (`u64` or `u128`). They are written by serde as their numbers, and checked when read.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $vis:vis struct $name:ident: $count:literal in $bits:ty;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        // One more than its number, so that an absent one takes no room.
        $vis struct $name(::std::num::NonZeroU8);

        impl $crate::Id for $name {
            const COUNT: usize = $count;
            type Row<T> = [T; $count];
            type Bits = $bits;

            #[inline]
            fn at(number: usize) -> Self {
                match <Self as $crate::Id>::try_at(number) {
                    Some(this) => this,
                    None => panic!(concat!("there is no ", stringify!($name), " {}"), number),
                }
            }
            #[inline]
            fn try_at(number: usize) -> Option<Self> {
                const _: () = assert!($count < 256 && $count <= <$bits>::BITS as usize);
                if number >= $count {
                    return None;
                }
                ::std::num::NonZeroU8::new(number as u8 + 1).map(Self)
            }
            #[inline]
            fn number(self) -> usize {
                usize::from(self.0.get() - 1)
            }
            #[inline]
            fn row<T>(mut value: impl FnMut(Self) -> T) -> [T; $count] {
                ::std::array::from_fn(|number| value(<Self as $crate::Id>::at(number)))
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), $crate::Id::number(*self))
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u8($crate::Id::number(*self) as u8)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let number = <u8 as ::serde::Deserialize>::deserialize(deserializer)?;
                <Self as $crate::Id>::try_at(number.into()).ok_or_else(|| {
                    ::serde::de::Error::custom(format_args!(
                        concat!("there is no ", stringify!($name), " {}: expected a number below ", $count),
                        number
                    ))
                })
            }
        }
    )+};
}

#[cfg(test)]
mod tests {
    use super::*;

    ids! {
        struct Town: 53 in u64;
        struct Unit: 128 in u128;
    }

    #[test]
    fn ids_are_numbers_outside_and_types_inside() {
        let town = Town::at(52);
        assert_eq!(serde_json::to_string(&[Some(town), None]).unwrap(), "[52,null]");
        assert_eq!(serde_json::from_str::<Option<Town>>("0").unwrap(), Some(Town::at(0)));
        let wrong = serde_json::from_str::<Town>("53").unwrap_err().to_string();
        assert!(wrong.starts_with("there is no Town 53: expected a number below 53"), "{wrong}");
        assert_eq!(Town::try_at(53), None);
        assert_eq!(format!("{town:?}"), "Town(52)");
        assert_eq!(size_of::<Option<Unit>>(), 1);
        assert_eq!(Unit::all().count(), 128);
    }

    #[test]
    #[should_panic(expected = "there is no Town 53")]
    fn a_number_beyond_the_last_is_no_id() {
        Town::at(53);
    }
}

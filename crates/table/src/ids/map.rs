//! A value for each thing of a kind, indexed by its own kind of id and no other.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Id;

/// A value for each thing of a kind. Written by serde as the list of its values.
pub struct Map<K: Id, T> {
    row: K::Row<T>,
    of: PhantomData<K>,
}

impl<K: Id, T> Map<K, T> {
    /// The value that a function gives for each of them.
    #[inline]
    pub fn new(value: impl FnMut(K) -> T) -> Self {
        Self { row: K::row(value), of: PhantomData }
    }

    /// The same value for all of them.
    #[inline]
    pub fn filled(value: T) -> Self
    where
        T: Clone,
    {
        Self::new(|_| value.clone())
    }

    /// The values in the order of the ids.
    #[inline]
    pub fn values(&self) -> &[T] {
        self.row.as_ref()
    }

    /// The values in the order of the ids, to be changed.
    #[inline]
    pub fn values_mut(&mut self) -> &mut [T] {
        self.row.as_mut()
    }

    /// Every id with its value.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &T)> + ExactSizeIterator + Clone {
        K::all().zip(self.values())
    }

    /// Gives all of them the same value.
    #[inline]
    pub fn fill(&mut self, value: T)
    where
        T: Clone,
    {
        self.values_mut().fill(value);
    }
}

impl<K: Id, T> Index<K> for Map<K, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: K) -> &T {
        &self.row.as_ref()[id.number()]
    }
}

impl<K: Id, T> IndexMut<K> for Map<K, T> {
    #[inline]
    fn index_mut(&mut self, id: K) -> &mut T {
        &mut self.row.as_mut()[id.number()]
    }
}

// Derived, these would ask the ids for what only the values need.
impl<K: Id, T> Clone for Map<K, T>
where
    K::Row<T>: Clone,
{
    #[inline]
    fn clone(&self) -> Self {
        Self { row: self.row.clone(), of: PhantomData }
    }
}
impl<K: Id, T> Copy for Map<K, T> where K::Row<T>: Copy {}
impl<K: Id, T: PartialEq> PartialEq for Map<K, T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.values() == other.values()
    }
}
impl<K: Id, T: Eq> Eq for Map<K, T> {}
impl<K: Id, T: Default> Default for Map<K, T> {
    #[inline]
    fn default() -> Self {
        Self::new(|_| T::default())
    }
}
impl<K: Id, T: fmt::Debug> fmt::Debug for Map<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Id, T: Serialize> Serialize for Map<K, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.values())
    }
}

impl<'de, K: Id, T: Deserialize<'de>> Deserialize<'de> for Map<K, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::<T>::deserialize(deserializer)?;
        if list.len() != K::COUNT {
            return Err(D::Error::invalid_length(list.len(), &format!("{} values", K::COUNT).as_str()));
        }
        let mut list = list.into_iter();
        Ok(Self::new(|_| list.next().unwrap_or_else(|| unreachable!("counted above"))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::ids! { struct Road: 3 in u64; }

    #[test]
    fn a_map_is_a_list_outside() {
        let map: Map<Road, u8> = Map::new(|road: Road| road.number() as u8 * 2);
        assert_eq!(map[Road::at(2)], 4);
        assert_eq!(serde_json::to_string(&map).unwrap(), "[0,2,4]");
        assert_eq!(serde_json::from_str::<Map<Road, u8>>("[0,2,4]").unwrap(), map);
        let wrong = serde_json::from_str::<Map<Road, u8>>("[0,2]").unwrap_err().to_string();
        assert!(wrong.contains("invalid length 2, expected 3 values"), "{wrong}");
        assert!(serde_json::from_str::<Map<Road, u8>>("[0,2,300]").is_err());
    }
}

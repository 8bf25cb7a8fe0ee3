//! As many things of a kind as the data have: a list that only its own kind of id indexes.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use table::Id;

/// A list of at most [`Id::COUNT`] things, each with its id.
#[derive(Clone, Debug)]
pub struct Register<K: Id, T> {
    list: Vec<T>,
    of: PhantomData<K>,
}

impl<K: Id, T> Register<K, T> {
    /// An empty list.
    pub const fn new() -> Self {
        Self { list: Vec::new(), of: PhantomData }
    }

    /// The id that the next thing will have, if there is room for it.
    pub fn next(&self) -> Option<K> {
        K::try_at(self.list.len())
    }

    /// Adds a thing, if there is room for it; its id.
    pub fn push(&mut self, thing: T) -> Option<K> {
        let id = self.next()?;
        self.list.push(thing);
        Some(id)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The ids of those that there are.
    #[inline]
    pub fn ids(&self) -> impl Iterator<Item = K> + Clone + use<K, T> {
        (0..self.list.len()).map(K::at)
    }

    /// The things in the order of their ids.
    pub fn values(&self) -> &[T] {
        &self.list
    }

    /// Every id with its thing.
    pub fn iter(&self) -> impl Iterator<Item = (K, &T)> + Clone {
        self.ids().zip(&self.list)
    }

    /// The thing with this id, if the data have it.
    pub fn get(&self, id: K) -> Option<&T> {
        self.list.get(id.number())
    }

    /// The first for which something is true.
    pub fn find(&self, is: impl Fn(&T) -> bool) -> Option<K> {
        self.iter().find(|(_, thing)| is(thing)).map(|(id, _)| id)
    }
}

impl<K: Id, T> Default for Register<K, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id, T> Index<K> for Register<K, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: K) -> &T {
        &self.list[id.number()]
    }
}

impl<K: Id, T> IndexMut<K> for Register<K, T> {
    #[inline]
    fn index_mut(&mut self, id: K) -> &mut T {
        &mut self.list[id.number()]
    }
}

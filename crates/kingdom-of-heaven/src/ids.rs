//! What is numbered: spaces, Powers, leaders, counters, cards. Counters are numbered anew in each scenario, by the
//! Powers that take part in it; all else is numbered as the data files list it.

use serde::{Deserialize, Serialize};
use table::{Id as _, Map, Seat, Set};

table::ids! {
    /// A space of the map, or one of the boxes beside it.
    pub struct Space: 120 in u128;
    /// A province.
    pub struct Province: 12 in u64;
    /// A Power.
    pub struct Power: 24 in u64;
    /// A leader.
    pub struct Leader: 96 in u128;
    /// A kind of unit: a Power's counters of the same values.
    pub struct Kind: 40 in u64;
    /// A unit's counter, of those that a scenario uses.
    pub struct Unit: 128 in u128;
    /// A card.
    pub struct Card: 128 in u128;
    /// A siege event, which several cards may bear.
    pub struct SiegeEvent: 48 in u64;
}

/// Spaces.
pub type Spaces = Set<Space>;
/// Units.
pub type Units = Set<Unit>;
/// Leaders.
pub type Leaders = Set<Leader>;
/// Powers.
pub type Powers = Set<Power>;
/// Cards.
pub type Cards = Set<Card>;

/// The Christian player.
pub const CHRISTIAN: Seat = Seat::new(0);
/// The Muslim player.
pub const MUSLIM: Seat = Seat::new(1);
/// Both, the Christian first.
pub const BOTH: [Seat; 2] = [CHRISTIAN, MUSLIM];

/// A value for each of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Sides<T>(pub [T; 2]);

impl<T> std::ops::Index<Seat> for Sides<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index() & 1]
    }
}
impl<T> std::ops::IndexMut<Seat> for Sides<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index() & 1]
    }
}

/// Units that nobody needs to tell apart: of a kind, and full or reduced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Sort {
    /// Their kind.
    pub kind: Kind,
    /// Whether they are reduced.
    pub reduced: bool,
}

/// The most that any of these ids can be, for tables that the data fill.
pub(crate) fn fill<K: table::Id, T: Clone>(values: &[T], rest: T) -> Map<K, T> {
    Map::new(|id: K| values.get(id.number()).cloned().unwrap_or_else(|| rest.clone()))
}

/// Whether a seat is the Christian's.
#[inline]
pub fn is_christian(seat: Seat) -> bool {
    seat == CHRISTIAN
}

const _: () = assert!(Kind::COUNT <= 64);

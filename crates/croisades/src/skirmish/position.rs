//! The position: a field that all see, and the musters and answers that are secret before the battle.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use table::SeatSet;

use crate::field::Field;
use crate::ids::Who;

/// The most men of one side's muster: what fits on a field and what the cheapest cost.
pub const MUSTERED: usize = 64;

/// The whole truth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Position {
    /// All that everybody may know.
    pub open: Open,
    /// What only its owner knows.
    pub hidden: Hidden,
}

/// All that everybody may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Open {
    /// Who plays; the house plays the others.
    pub party: SeatSet,
    /// Which scenario, by its number.
    pub scenario: u8,
    /// The map, by its number.
    pub map: u8,
    /// Points of each side's muster.
    pub sum: u16,
    /// Breaches before the assault.
    pub breaches: u8,
    /// What goes on before the battle.
    pub prelude: Prelude,
    /// The battle.
    pub field: Field,
}

/// What goes on before the battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Prelude {
    /// Both say whether the battle shall be played out by itself \[S41\].
    Quick,
    /// Both buy men in secret; who has sealed [3.14].
    Muster([bool; 2]),
    /// Nothing: the battle has begun.
    Past,
}

/// What only its owner knows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Hidden {
    /// What each side has bought, until the musters are opened.
    pub musters: [ArrayVec<Who, MUSTERED>; 2],
    /// What each side has said to a quick battle.
    pub quick: [Option<bool>; 2],
}

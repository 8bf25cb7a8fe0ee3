//! The position: plain data. `Open` is all that everybody may know, `Hidden` the rest.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use table::hex::Hex;
use table::{MOST_SEATS, Map, Seat, SeatSet};

use crate::data::Keep;

/// Men of each captain at the start [1.1].
pub const MEN: u8 = 4;
/// Cards of each captain at the start [1.1].
pub const CARDS: u8 = 2;
/// Hexes of a march [3.1].
pub const MARCH: u8 = 2;
/// From this turn on nobody joins any more [1.3].
pub const LATEST: u8 = 3;
/// The most battles at once: every pair of captains.
pub const BATTLES: usize = MOST_SEATS / 2;

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
    /// Who plays.
    pub party: SeatSet,
    /// The turn, from 1.
    pub turn: u8,
    /// The last turn.
    pub last: u8,
    /// The captains, by seat.
    pub captains: [Captain; MOST_SEATS],
    /// Which alliance holds each keep.
    pub held: Map<Keep, Option<u8>>,
    /// What is going on.
    pub step: Step,
    /// The battles of this turn, side by side.
    pub battles: ArrayVec<Battle, BATTLES>,
}

/// What only its owner knows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hidden {
    /// How many of each captain's cards are wards.
    pub wards: [u8; MOST_SEATS],
    /// The bids of this turn, until all have bid.
    pub bids: [Option<u8>; MOST_SEATS],
    /// The stances chosen in battles, until both have chosen.
    pub stances: [Option<Stance>; MOST_SEATS],
}

/// A captain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Captain {
    /// Where he stands, if he is on the ground.
    pub at: Option<Hex>,
    /// His men; without any he is out of the game.
    pub men: u8,
    /// His gold.
    pub gold: u8,
    /// His fame.
    pub fame: u8,
    /// How many cards he holds.
    pub cards: u8,
}

/// What is going on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// All bid in secret [2.1].
    Bids,
    /// The first of these marches [3.1].
    March {
        /// Those who have still to march, in their order.
        order: ArrayVec<Seat, MOST_SEATS>,
        /// How many hexes the first of them may still go.
        left: u8,
    },
    /// Battles are fought side by side [4.1].
    Battles,
    /// It is over.
    Over,
}

/// A battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Battle {
    /// Where.
    pub at: Hex,
    /// Who came, and who was there.
    pub sides: [Seat; 2],
    /// Who has lost and is asked for a ward, and how many men are at stake [4.4].
    pub asked: Option<(Seat, u8)>,
}

/// How a captain fights [4.1].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Stance {
    /// Two more against a guard, but two men lost.
    Press,
    /// A man lost at the most.
    Guard,
}

impl Open {
    /// A captain.
    #[inline]
    pub fn captain(&self, seat: Seat) -> &Captain {
        &self.captains[seat.index()]
    }

    /// The captains of this party who have men left.
    #[inline]
    pub fn fighting(&self) -> SeatSet {
        self.party.iter().filter(|seat| self.captain(*seat).men > 0).collect()
    }

    /// Who stands on a hex.
    #[inline]
    pub fn on(&self, hex: Hex) -> SeatSet {
        self.party.iter().filter(|seat| self.captain(*seat).at == Some(hex)).collect()
    }

    /// The battle of a captain.
    #[inline]
    pub fn battle_of(&self, seat: Seat) -> Option<&Battle> {
        self.battles.iter().find(|battle| battle.sides.contains(&seat))
    }
}

/// The alliance of a seat [1.2].
#[inline]
pub const fn side(seat: Seat) -> u8 {
    seat.index() as u8 % 2
}

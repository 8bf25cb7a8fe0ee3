//! The position of Ten Towns: plain data, copied in a few nanoseconds.

use serde::{Deserialize, Serialize};

use super::data::{BLOCKS, Components, ROADS, TOWNS};
use crate::{Agenda, Seat};

/// The number of turns.
pub const TURNS: u8 = 6;

/// The whole truth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Position {
    pub(super) blocks: [Block; BLOCKS],
    /// Who holds each town; he defends it.
    pub(super) holder: [Option<Seat>; TOWNS],
    /// How many cards of value 1, 2 and 3 each side has left.
    pub(super) hands: [[u8; 3]; 2],
    pub(super) gold: [u8; 2],
    /// The secret token of each side, and whether it is spent.
    pub(super) tokens: [Token; 2],
    pub(super) spent: [bool; 2],
    pub(super) turn: u8,
    pub(super) agenda: Agenda<Step, 4>,
}

/// Where a block is and how it is doing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Block {
    /// `None` when it is eliminated.
    pub(super) town: Option<u8>,
    pub(super) strength: u8,
    /// It has moved in this turn.
    pub(super) moved: bool,
    /// It has fired in this round.
    pub(super) fired: bool,
    /// It lies face up.
    pub(super) shown: bool,
}

/// A side's secret token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Token {
    /// Can be played when one is attacked.
    Ambush,
    /// Does nothing but look like the other.
    Feint,
}

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// Both choose a card in secret.
    Cards {
        /// The card of each side: 0, 1 or 2 for its value less one.
        chosen: [Option<u8>; 2],
    },
    /// Equal cards: both bid gold in secret for the first move.
    Bids {
        /// The bid of each side.
        bids: [Option<u8>; 2],
        /// The card that both played.
        card: u8,
    },
    /// A side moves.
    Moves {
        /// Who.
        seat: Seat,
        /// Whether the other has moved already.
        second: bool,
        /// Group moves left to each side.
        left: [u8; 2],
        /// The town whose group is moving.
        group: Option<u8>,
        /// Blocks of this side that have used each road.
        roads: [u8; ROADS],
    },
    /// The defender may play a token before a battle.
    Window {
        /// Where.
        town: u8,
    },
    /// A battle.
    Battle {
        /// Where.
        town: u8,
        /// 1 or 2; 3 when the attacker must leave.
        round: u8,
    },
    /// Hits that their victim must still take.
    Hits {
        /// Whose blocks.
        seat: Seat,
        /// Where.
        town: u8,
        /// How many.
        hits: u8,
    },
}

impl Position {
    /// The start of the game, before the tokens are drawn.
    pub(super) fn start(components: &Components) -> Self {
        let mut holder = [None; TOWNS];
        for (i, town) in components.towns.iter().enumerate() {
            holder[i] = town.home;
        }
        let mut blocks =
            [Block { town: None, strength: 0, moved: false, fired: false, shown: false }; BLOCKS];
        for (block, label) in blocks.iter_mut().zip(&components.blocks) {
            block.town = Some(label.start);
            block.strength = label.steps;
            holder[usize::from(label.start)] = Some(label.side);
        }
        Self {
            blocks,
            holder,
            hands: [[2; 3]; 2],
            gold: [5; 2],
            tokens: [Token::Feint; 2],
            spent: [false; 2],
            turn: 1,
            agenda: Agenda::starting(Step::Cards { chosen: [None; 2] }),
        }
    }
}

//! The scene: a view as a picture of the table, as data.
//!
//! A game describes its table once (boards with spaces, links and pieces; trays with hands and pools;
//! tracks, sums and a register; the prompt) and everything that shows it works from that: the page, the
//! picture file, the terminal, the screen reader. A scene is made from a view, so it cannot tell what the view
//! does not know. Lengths are whole board units and ids are chosen by the game; ids must tell no more than the
//! view does.
//!
//! | module | what it holds |
//! |---|---|
//! | `board` | boards, their ground, regions and terrain |
//! | `mat` | battle mats: rows of pieces, dice between them, a wall |
//! | `space` | where pieces stand, and what is built there |
//! | `piece` | pieces by form, what is seen of them, cards |
//! | `ways` | links, traces of what moved, plans, reach |
//! | `figures` | trays, tracks, registers, sums, dice, aids |
//! | `prompt` | who must decide what, warnings, choices |
//! | `faults` | what cannot be |
//! | `text` | the text twin |
//! | `gallery` | a scene that shows every element |
//!
//! Every part is plain data with a `Default`: a game writes what it has and leaves out the rest.

use serde::Serialize;

mod board;
mod faults;
mod figures;
pub mod gallery;
mod mat;
mod piece;
mod prompt;
mod space;
mod text;
mod ways;

pub use board::{
    Board, Ground, Head, HeadCount, HeadStep, Region, Room, Terrain, TerrainSign, Tint, Turn, TurnState,
};
pub use figures::{Aid, AidRow, Cell, Die, Marker, Register, RegisterRow, Sum, SumLine, Throw, Track, Tray};
pub use mat::{Mat, MatRow};
pub use piece::{Card, CardTone, Face, Form, Front, Piece, Sign, Use};
pub use prompt::{Choice, Part, Prompt, Warning};
pub use space::{Harbour, Keep, Shape, Space};
pub use ways::{Fall, InReach, Link, LinkStyle, Manner, Plan, PlanStep, Reach, Ring, Trace};

/// Everything a viewer sees.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Scene {
    /// When and where we are: the turn, the phase.
    pub title: String,
    /// The boards, the one where things happen last: a campaign map, then the battle inside it.
    pub boards: Vec<Board>,
    /// Hands, pools and displays beside the boards.
    pub trays: Vec<Tray>,
    /// Tracks: turns, points, reaction levels. One of them may be foremost.
    pub tracks: Vec<Track>,
    /// Who has what: a row for each seat, a column for each number.
    pub register: Option<Register>,
    /// Figures that unfold into lines: strength, odds, supply.
    pub sums: Vec<Sum>,
    /// The dice that were thrown last.
    pub throws: Vec<Throw>,
    /// The game's own tables, to be opened beside the board.
    pub aids: Vec<Aid>,
    /// Who must decide what.
    pub prompt: Option<Prompt>,
    /// What a careful player would not leave as it is, before the phase ends.
    pub warnings: Vec<Warning>,
}

//! What lies beside the boards: trays and tracks, a register, sums, dice, and a game's own tables.

use serde::Serialize;

use super::{Piece, Room};
use crate::arms::Arms;
use crate::rule::Rule;
use crate::seat::Seat;

/// A place beside the boards: a hand, a pool, a display.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tray {
    /// Its id, unique in the scene.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub owner: Option<Seat>,
    /// How much room it wants.
    pub room: Room,
    /// Whether its cards are spread so that each can be read.
    pub spread: bool,
    /// What lies in it, as far as the viewer may know.
    pub pieces: Vec<Piece>,
    /// A line under it.
    pub note: String,
}

/// A track with markers.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Track {
    /// Its id, unique in the scene.
    pub id: String,
    /// Its name.
    pub name: String,
    /// A line beside the name: what it decides.
    pub note: String,
    /// Whether it is the one to look at first. At most one is.
    pub foremost: bool,
    /// Whose end each end is: the first box and the last.
    pub ends: Option<(Seat, Seat)>,
    /// The boxes, in order.
    pub boxes: Vec<String>,
    /// Boxes in which the game is decided, by number.
    pub goals: Vec<usize>,
    /// Markers: name, whose, and the number of the box.
    pub markers: Vec<Marker>,
}

/// A marker on a track.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Marker {
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub owner: Option<Seat>,
    /// In which box it stands, counted from 0.
    pub at: usize,
}

/// Who has what: a row for each seat, a column for each number.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Register {
    /// Its id, unique in the scene.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<RegisterRow>,
}

/// What a seat has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RegisterRow {
    /// The seat.
    pub seat: Seat,
    /// Its arms.
    pub arms: Option<Arms>,
    /// A line under its name.
    pub note: String,
    /// A cell for each column.
    pub cells: Vec<Cell>,
}

/// A cell of a register.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// Whether it is the best of its column.
    pub best: bool,
    /// Whether something is wrong with it.
    pub warned: bool,
}

impl RegisterRow {
    /// A row of figures.
    pub fn new<T: Into<String>>(seat: Seat, cells: impl IntoIterator<Item = T>) -> Self {
        let cells = cells.into_iter().map(|text| Cell { text: text.into(), ..Cell::default() }).collect();
        Self { seat, arms: None, note: String::new(), cells }
    }
}

impl Register {
    /// The same with the highest number of each column marked, where they are numbers and differ.
    #[must_use]
    pub fn with_best(mut self) -> Self {
        for column in 0..self.columns.len() {
            let figure = |row: &RegisterRow| row.cells.get(column)?.text.parse::<i64>().ok();
            let figures: Option<Vec<i64>> = self.rows.iter().map(figure).collect();
            let Some(figures) = figures else { continue };
            let (most, least) = (figures.iter().max().copied(), figures.iter().min().copied());
            for (row, figure) in self.rows.iter_mut().zip(figures) {
                if let Some(cell) = row.cells.get_mut(column) {
                    cell.best = Some(figure) == most && most != least;
                }
            }
        }
        self
    }
}

/// A figure that unfolds into lines.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Sum {
    /// Its id, unique in the scene.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The figure: `12`, `2 : 1`, `6 of 8`.
    pub total: String,
    /// What it means: what it takes, how likely that is.
    pub note: String,
    /// What it is made of.
    pub lines: Vec<SumLine>,
    /// The shares of the sides, drawn as a bar.
    pub shares: Vec<(Option<Seat>, u32)>,
    /// The space or piece that it is about.
    pub target: Option<String>,
}

/// A line of a sum.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SumLine {
    /// What.
    pub text: String,
    /// How much: `+3`, `-2`.
    pub amount: String,
    /// Under which rule.
    pub rule: Option<Rule>,
    /// Whether it is a sum of those above it.
    pub total: bool,
}

impl SumLine {
    /// A line under a rule.
    pub fn new(text: impl Into<String>, amount: impl Into<String>, rule: Rule) -> Self {
        Self { text: text.into(), amount: amount.into(), rule: Some(rule), total: false }
    }
}

/// Dice that were thrown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Throw {
    /// Who throws for what: a short line.
    pub name: String,
    /// Whose dice.
    pub owner: Option<Seat>,
    /// The dice.
    pub dice: Vec<Die>,
    /// What came of it: `2 hits`.
    pub result: String,
    /// A line beside it: what was to be expected.
    pub note: String,
    /// The space of a board on which they lie; beside the boards if there is none.
    pub space: Option<String>,
}

/// A die that was thrown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Die {
    /// How many sides it has.
    pub sides: u8,
    /// What it shows.
    pub result: u8,
    /// Whether that is a hit, where it can be one.
    pub hit: Option<bool>,
}

impl Die {
    /// Dice of six sides that hit at so much or less.
    pub fn hitting_at(most: u8, results: &[u8]) -> Vec<Self> {
        results.iter().map(|r| Self { sides: 6, result: *r, hit: Some(*r <= most) }).collect()
    }
}

/// A table of the game, to be opened beside the board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Aid {
    /// Its id, unique in the scene.
    pub id: String,
    /// Its name.
    pub name: String,
    /// A line under the name.
    pub note: String,
    /// The rule it belongs to.
    pub rule: Option<Rule>,
    /// The heads of its columns.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<AidRow>,
}

/// A row of an aid.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct AidRow {
    /// A cell for each column.
    pub cells: Vec<String>,
    /// Whether it is the one that counts now.
    pub lit: bool,
}

impl AidRow {
    /// A row of cells.
    pub fn new<T: Into<String>>(cells: impl IntoIterator<Item = T>) -> Self {
        Self { cells: cells.into_iter().map(Into::into).collect(), lit: false }
    }

    /// The same, lit if it counts now.
    #[must_use]
    pub const fn lit(mut self, lit: bool) -> Self {
        self.lit = lit;
        self
    }
}

//! Four small games behind the same trait: the documentation's examples, the ground truth for the core, and
//! the place where changes of the core are tried first.
//!
//! | game | what it shows |
//! |---|---|
//! | [`tic_tac_toe`] | the least that a game needs |
//! | [`connect_four`] | a position of two bit sets |
//! | [`phantom`] | hidden information: a view, an imagined twin, a reveal |
//! | [`ten_towns`] | everything else: secret simultaneous choices, an amount, drafts, dice, an interrupt, standing orders, data files, a ledger with vignettes |

use crate::DataFiles;
use crate::handle::{AnyGame, GameEntry};
use crate::scene::{Board, Face, Ground, Piece, Shape, Space};
use crate::seat::{Seat, SeatSet};
use crate::title::{Scenario, SeatTitle};

pub mod connect_four;
pub mod phantom;
pub mod ten_towns;
pub mod tic_tac_toe;

/// The small games, ready to be opened.
pub static ALL: [GameEntry; 4] = [
    GameEntry {
        id: "tic-tac-toe",
        files: &[],
        open: |_| Ok(<dyn AnyGame>::new(tic_tac_toe::TicTacToe::new())),
    },
    GameEntry {
        id: "connect-four",
        files: &[],
        open: |_| Ok(<dyn AnyGame>::new(connect_four::ConnectFour::new())),
    },
    GameEntry {
        id: "phantom-tic-tac-toe",
        files: &[],
        open: |_| Ok(<dyn AnyGame>::new(phantom::Phantom::new())),
    },
    GameEntry {
        id: "ten-towns",
        files: ten_towns::FILES,
        open: |files: &DataFiles| Ok(<dyn AnyGame>::new(ten_towns::TenTowns::open(files)?)),
    },
];

/// The eight lines of three on a board of nine cells.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Whether a line of three is among these cells.
#[inline]
fn has_line(cells: u16) -> bool {
    LINES.iter().any(|line| cells & line == *line)
}

/// The seats of the games with noughts and crosses.
fn cross_and_nought() -> Vec<SeatTitle> {
    ["Cross", "Nought"]
        .iter()
        .enumerate()
        .map(|(i, name)| SeatTitle { name: (*name).into(), alliance: i as u8 })
        .collect()
}

/// The one scenario of a game that has no others.
fn standard(minutes: u16) -> Vec<Scenario> {
    vec![Scenario {
        id: "standard".into(),
        name: "Standard".into(),
        gist: "The usual game.".into(),
        minutes,
        parties: vec![SeatSet::first(2)],
    }]
}

/// How a game for two stands: whose turn it is, or how it ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum Standing {
    /// This seat must decide.
    Turn(Seat),
    /// This seat has won.
    Won(Seat),
    /// Nobody has won, and nothing is left to do.
    Drawn,
}

impl Standing {
    /// Who must decide.
    #[inline]
    fn deciding(self) -> SeatSet {
        match self {
            Self::Turn(seat) => SeatSet::only(seat),
            Self::Won(_) | Self::Drawn => SeatSet::NONE,
        }
    }

    /// From 0 (lost) to 1 (won).
    fn worth(self, seat: Seat) -> f32 {
        match self {
            Self::Won(winner) if winner == seat => 1.0,
            Self::Won(_) => 0.0,
            Self::Turn(_) | Self::Drawn => 0.5,
        }
    }
}

/// A board of square cells with a sign in some of them.
fn grid(
    columns: u8,
    rows: u8,
    name: impl Fn(u8, u8) -> String,
    sign: impl Fn(u8, u8) -> Option<(Seat, &'static str)>,
) -> Board {
    let mut board = Board {
        id: "board".into(),
        name: String::new(),
        width: i32::from(columns) * 100,
        height: i32::from(rows) * 100,
        ground: Ground::Cells { columns, rows },
        ..Board::default()
    };
    for row in 0..rows {
        for column in 0..columns {
            let cell = name(column, row);
            let id = format!("cell-{cell}");
            if let Some((owner, sign)) = sign(column, row) {
                board.pieces.push(Piece {
                    id: format!("sign-{cell}"),
                    space: id.clone(),
                    owner: Some(owner),
                    face: Face::named(sign),
                    text: format!("{sign} on {cell}"),
                    ..Piece::default()
                });
            }
            let at = (i32::from(column) * 100 + 50, i32::from(row) * 100 + 50);
            board.spaces.push(Space::new(id, cell, at, Shape::Rect { w: 96, h: 96 }));
        }
    }
    board
}

/// The name of a cell on a board of nine: a1 at the lower left, c3 at the upper right.
fn cell_name(cell: u8) -> String {
    format!("{}{}", (b'a' + cell % 3) as char, 3 - cell / 3)
}

/// Reads the name of a cell on a board of nine.
fn read_cell(text: &str) -> Option<u8> {
    (0..9).find(|cell| cell_name(*cell) == text)
}

/// Reads the nine cells of a drawn board: three rows of `x`, `o` and `.`.
fn read_board(node: &crate::sheet::Node) -> Result<[u16; 2], crate::DataError> {
    let rows = node.texts()?;
    let mut boards = [0; 2];
    if rows.len() != 3 || rows.iter().any(|r| r.len() != 3) {
        return Err(node.expected("three texts of three signs each"));
    }
    for (cell, sign) in rows.concat().bytes().enumerate() {
        match sign {
            b'x' => boards[0] |= 1 << cell,
            b'o' => boards[1] |= 1 << cell,
            b'.' => {}
            _ => return Err(node.expected("rows of `x`, `o` and `.`")),
        }
    }
    Ok(boards)
}

//! Battle mats: rows of pieces one above the other, the dice between them, a wall where there is one.
//!
//! A mat is as wide as six pieces and their rings, so that a phone of 390 pixels shows them at 44 and a desk at 64 or more.
//! Where so many fight that a desk would have to show them smaller, more stand abreast, and a phone shows a part of it.
//! Only rows that hold something are there; what is on its way has a row of its own.

use super::{Board, Form, Ground, Piece, Room, Shape, Space};
use crate::seat::Seat;

/// How wide a mat is, and by how much wider for each further piece abreast.
const WIDTH: i32 = 700;
const WIDER: i32 = 92;
/// The side of a piece on it.
const PIECE: i32 = 80;
/// How many stand in a line: usually, and at most.
const ABREAST: i32 = 6;
const MOST_ABREAST: i32 = 12;
/// How high a mat may be before a desk shows pieces below 64 of its pixels: it has 780.
const HIGHEST: i32 = 780 * PIECE / 64;
/// The height of a line of pieces, and of one with leaders' stands.
const LINE: [i32; 2] = [97, 111];
/// The band with the heading.
const HEAD: i32 = 66;
/// Where rows begin: the order of who acts stands left of them.
const LEFT: i32 = 56;
/// What a row has besides its lines: its name, its edges.
const NAME: i32 = 46;
/// Dice between the sides.
const DICE: i32 = 116;
/// A wall with its towers.
const WALL: i32 = 104;

/// A row of a battle mat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatRow {
    /// The id of its space.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whose it is, for its colour.
    pub holder: Option<Seat>,
    /// Whether it is behind the wall: such rows come first.
    pub within: bool,
    /// Whether the dice lie above it: between the sides.
    pub dice_above: bool,
}

/// A battle mat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mat {
    /// Its id.
    pub id: String,
    /// Its name: who attacks where, and the round.
    pub name: String,
    /// Its rows, from the top.
    pub rows: Vec<MatRow>,
    /// What stands in them.
    pub pieces: Vec<Piece>,
}

impl Mat {
    /// The mat as a board. Dice lie on the space whose id is that of the mat with `-dice`.
    pub fn board(self) -> Board {
        let boards = (ABREAST..=MOST_ABREAST).map(|abreast| self.clone().laid(abreast));
        let mut last = Board::default();
        for board in boards {
            if board.height <= HIGHEST {
                return board;
            }
            last = board;
        }
        last
    }

    /// The mat with so many abreast.
    fn laid(self, abreast: i32) -> Board {
        let Self { id, name, rows, pieces } = self;
        let width = WIDTH + (abreast - ABREAST) * WIDER;
        let held = |row: &MatRow| pieces.iter().filter(|p| p.space == row.id).count() as i32;
        let rows: Vec<(i32, MatRow)> =
            rows.into_iter().map(|row| (held(&row), row)).filter(|(n, _)| *n > 0).collect();
        let walled = rows.iter().any(|(_, row)| row.within);
        let middle = (LEFT + width - 12) / 2;
        let mut spaces = Vec::new();
        let mut top = HEAD + 6;
        let mut foot = None;
        let mut dice = None;
        for (i, (n, row)) in rows.iter().enumerate() {
            if walled && foot.is_none() && !row.within {
                top += WALL;
                foot = Some(top - 12);
            }
            if dice.is_none() && (row.dice_above || (foot.is_some() && !row.within)) && i > 0 {
                dice = Some(top + DICE / 2);
                top += DICE;
            }
            let stands = pieces.iter().any(|p| p.space == row.id && p.form == Form::Stand);
            let high = (n + abreast - 1) / abreast * LINE[usize::from(stands)] + NAME;
            spaces.push(Space {
                holder: row.holder,
                ..Space::new(
                    row.id.clone(),
                    row.name.clone(),
                    (middle, top + high / 2),
                    Shape::Rect { w: width - LEFT - 12, h: high - 8 },
                )
            });
            top += high;
        }
        if walled && foot.is_none() {
            top += WALL;
            foot = Some(top - 12);
        }
        let at = dice.unwrap_or_else(|| {
            top += DICE;
            top - DICE / 2
        });
        spaces.push(Space {
            annex: true,
            ..Space::new(
                format!("{id}-dice"),
                "",
                (middle, at),
                Shape::Rect { w: width - LEFT - 40, h: DICE - 10 },
            )
        });
        Board {
            id,
            name,
            width,
            height: top + 14,
            room: Room::Large,
            piece: PIECE,
            ground: foot.map_or(Ground::Field, |foot| Ground::Walls { foot }),
            spaces,
            pieces,
            ..Board::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mat(within: i32, before: i32) -> Board {
        let row = |id: &str, within| MatRow { id: id.into(), within, ..MatRow::default() };
        let piece = |i: i32, space: &str| Piece {
            id: format!("{space}-{i}"),
            space: space.into(),
            form: Form::Stand,
            ..Piece::default()
        };
        let pieces = (0..within).map(|i| piece(i, "in")).chain((0..before).map(|i| piece(i, "out")));
        Mat { rows: vec![row("in", true), row("out", false)], pieces: pieces.collect(), ..Mat::default() }
            .board()
    }

    #[test]
    fn many_stand_abreast_before_they_become_small() {
        assert_eq!(mat(4, 6).width, WIDTH, "a phone shows it whole");
        for (within, before) in [(13, 13), (6, 24), (24, 24)] {
            let board = mat(within, before);
            let desk = (1008.0 / f64::from(board.width)).min(780.0 / f64::from(board.height));
            assert!(f64::from(PIECE) * desk >= 64.0, "{within} and {before}: {board:?}");
        }
    }
}

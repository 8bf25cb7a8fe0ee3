//! Pieces of one space in rows: how many abreast, which owner where, when they overlap.

use table::scene::{Board, Face};

/// The pieces of each owner together, owners in the order of their first piece.
pub(crate) fn by_owner(board: &Board, pieces: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for piece in pieces {
        let owner = board.pieces[*piece].owner;
        match groups.iter_mut().find(|g| board.pieces[g[0]].owner == owner) {
            Some(group) => group.push(*piece),
            None => groups.push(vec![*piece]),
        }
    }
    groups
}

pub(crate) fn columns_for(count: usize) -> usize {
    match count {
        0..=3 => count.max(1),
        4 => 2,
        5 | 6 | 9 => 3,
        7 | 8 | 10..=12 => 4,
        13..=20 => 5,
        _ => 6,
    }
}

pub(crate) fn columns_in(room: f64, side: f64) -> usize {
    let gap = side * 0.1;
    (((room + gap) / (side + gap)) as usize).max(1)
}

/// Pieces in rows, each given by its centre.
pub(crate) struct Heap {
    pub(crate) places: Vec<(usize, f64, f64)>,
    pub(crate) w: f64,
    pub(crate) h: f64,
    pub(crate) side: f64,
    pub(crate) overlapping: bool,
}

/// Lays groups of pieces in rows, a new row for every owner. Backs tell nothing, so many of them are fanned.
pub(crate) fn heap(board: &Board, groups: &[Vec<usize>], side: f64, columns: usize, fan: bool) -> Heap {
    let gap = side * 0.1;
    let mut rows: Vec<(Vec<usize>, f64, f64)> = Vec::new();
    let mut overlapping = false;
    for (i, group) in groups.iter().enumerate() {
        let hidden = group.iter().all(|p| board.pieces[*p].face == Face::Hidden);
        let fanned = fan && hidden && group.len() > 3;
        let columns = if fan { columns_for(group.len()).max(columns - 1).min(columns) } else { columns };
        let (columns, step) =
            if fanned { ((columns + 2).max(4), side * 0.62) } else { (columns, side + gap) };
        let drop = match fan && group.len() > 12 {
            true => side * 0.66,
            false => side + gap,
        };
        overlapping |= fanned || drop < side;
        // No piece alone in the last row: the rows are as even as they can be.
        let columns = group.len().div_ceil(group.len().div_ceil(columns));
        for (j, row) in group.chunks(columns).enumerate() {
            let down = match (i, j) {
                (0, 0) => 0.0,
                (_, 0) => side + gap * 1.6,
                _ => drop,
            };
            rows.push((row.to_vec(), step, down));
        }
    }
    let length = |row: &(Vec<usize>, f64, f64)| side + row.1 * (row.0.len() as f64 - 1.0);
    let w = rows.iter().map(length).fold(side, f64::max);
    let mut places = Vec::new();
    let mut y = side / 2.0;
    for row in &rows {
        y += row.2;
        let left = (w - length(row)) / 2.0 + side / 2.0;
        places.extend(row.0.iter().enumerate().map(|(i, piece)| (*piece, left + row.1 * i as f64, y)));
    }
    Heap { places, w, h: y + side / 2.0, side, overlapping }
}

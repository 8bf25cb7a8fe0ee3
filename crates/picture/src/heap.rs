//! Pieces of one space in rows: how many abreast, which owner where, when they overlap.

use table::Seat;
use table::scene::{Board, Face, Form};

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

pub(crate) fn columns_in(room: f64, side: f64, gap: f64) -> usize {
    let gap = side * gap;
    (((room + gap) / (side + gap)) as usize).max(1)
}

/// Pieces in rows and piles, each given by its centre.
pub(crate) struct Heap {
    pub(crate) places: Vec<(usize, f64, f64)>,
    pub(crate) w: f64,
    pub(crate) h: f64,
    pub(crate) side: f64,
    pub(crate) piles: Vec<Pile>,
}

/// Pieces of a side that lie over each other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pile {
    /// Its right lower corner, where its number stands.
    pub(crate) at: (f64, f64),
    /// How many pieces.
    pub(crate) count: usize,
    /// Whose.
    pub(crate) owner: Option<Seat>,
}

/// How high a piece is for its width: leaders' stands are higher than blocks and counters.
fn tallness(board: &Board, group: &[usize]) -> f64 {
    if group.iter().any(|p| board.pieces[*p].form == Form::Stand) { 1.17 } else { 1.0 }
}

/// Lays groups of pieces in rows, a new row for every owner.
pub(crate) fn heap(board: &Board, groups: &[Vec<usize>], side: f64, columns: usize, gap: f64) -> Heap {
    lay(board, groups, (side, gap), columns, usize::MAX)
}

/// The same beside a space: more than so many of an owner lie in a pile.
pub(crate) fn heap_beside(
    board: &Board,
    groups: &[Vec<usize>],
    side: f64,
    columns: usize,
    flat: usize,
) -> Heap {
    lay(board, groups, (side, 0.1), columns, flat)
}

/// Larger groups where there is room: leaders in a row above their men, each with his arms to be seen.
pub(crate) fn heap_fanned(board: &Board, groups: &[Vec<usize>], side: f64) -> Heap {
    let is_leader = |p: &usize| board.pieces[*p].form == Form::Stand;
    let mut rows = Vec::new();
    for group in groups {
        let (leaders, men): (Vec<usize>, Vec<usize>) = group.iter().partition(|p| is_leader(p));
        rows.extend([leaders, men].into_iter().filter(|row| !row.is_empty()));
    }
    let mut heap = lay(board, &rows, (side, 0.1), 3, 2);
    // One number a side.
    let mut piles: Vec<Pile> = Vec::new();
    for pile in heap.piles.drain(..).rev() {
        match piles.iter_mut().find(|p| p.owner == pile.owner) {
            Some(below) => below.count += pile.count,
            None => piles.push(pile),
        }
    }
    for pile in &mut piles {
        let own = groups.iter().flatten().filter(|p| board.pieces[**p].owner == pile.owner);
        pile.count = own.map(|p| 1 + usize::from(board.pieces[*p].more)).sum();
    }
    heap.piles = piles;
    heap
}

/// How far a piece of a fan looks out under the next: so that its arms can be told.
const FANNED: f64 = 0.5;

/// How far a piece of a pile looks out under the next, in parts of its side.
fn step(count: usize) -> f64 {
    match count {
        0..=6 => 0.24,
        7..=8 => 0.2,
        9..=10 => 0.17,
        11..=16 => 0.12,
        17..=24 => 0.08,
        _ => 0.05,
    }
}

/// Those on top of a pile come last: backs below, then spent ones, then others, who is lit on top; a leader over
/// his men.
fn height(board: &Board, piece: usize) -> (u8, u8) {
    let piece = &board.pieces[piece];
    let state = match &piece.face {
        Face::Hidden => 0,
        Face::Suspected { .. } => 1,
        Face::Shown(front) if front.lit => 4,
        Face::Shown(front) if front.spent => 2,
        Face::Shown(_) | Face::Card(_) => 3,
    };
    (state, u8::from(piece.form == Form::Stand))
}

fn lay(board: &Board, groups: &[Vec<usize>], (side, gap): (f64, f64), columns: usize, flat: usize) -> Heap {
    let gap = side * gap;
    let mut rows: Vec<(Vec<usize>, f64, f64)> = Vec::new();
    let mut piled: Vec<(usize, usize, Option<Seat>)> = Vec::new();
    for (i, group) in groups.iter().enumerate() {
        let tall = tallness(board, group);
        let between = if i == 0 { 0.0 } else { side * tall + gap * 1.6 };
        if group.len() > flat {
            let mut pile = group.clone();
            pile.sort_by_key(|p| height(board, *p));
            let count = pile.iter().map(|p| 1 + usize::from(board.pieces[*p].more)).sum();
            piled.push((rows.len(), count, board.pieces[group[0]].owner));
            let step = if flat == 2 { FANNED } else { step(group.len()) };
            rows.push((pile, side * step, between));
            continue;
        }
        let columns = if flat == usize::MAX { columns } else { columns.min(columns_for(group.len())) };
        // No piece alone in the last row: the rows are as even as they can be.
        let columns = group.len().div_ceil(group.len().div_ceil(columns));
        for (j, row) in group.chunks(columns).enumerate() {
            let down = if j == 0 { between } else { side * tall + gap };
            rows.push((row.to_vec(), side + gap, down));
        }
    }
    let length = |row: &(Vec<usize>, f64, f64)| side + row.1 * (row.0.len() as f64 - 1.0);
    let w = rows.iter().map(length).fold(side, f64::max);
    let first = groups.first().map_or(1.0, |group| tallness(board, group));
    let last = groups.last().map_or(1.0, |group| tallness(board, group));
    let mut places = Vec::new();
    let mut piles = Vec::new();
    let mut y = side * first / 2.0;
    for (i, row) in rows.iter().enumerate() {
        y += row.2;
        let left = (w - length(row)) / 2.0 + side / 2.0;
        places.extend(row.0.iter().enumerate().map(|(i, piece)| (*piece, left + row.1 * i as f64, y)));
        if let Some((_, count, owner)) = piled.iter().find(|(at, _, _)| *at == i) {
            let right = left + length(row) - side / 2.0;
            piles.push(Pile { at: (right, y + side / 2.0), count: *count, owner: *owner });
        }
    }
    Heap { places, w, h: y + side * last / 2.0, side, piles }
}

//! Where everything on a board goes: names beside their spaces, pieces in rows near them.
//!
//! Names are placed first and look only at spaces and links, so that they stay where they are all game
//! long, as if they were printed ([`Print`]); pieces then find room that leaves the names to be read.
//! Everything is tried in a fixed order and the cheapest place wins, so the same board is always laid out the
//! same way.

use std::sync::Arc;

use table::scene::{Board, Ground, Shape, Space};

use crate::area::Area;
use crate::block::{Cut, cut_in_cell, cut_on_board};
use crate::heap::{Heap, Pile, by_owner, columns_for, columns_in, heap, heap_beside, heap_fanned};
use crate::print::Print;
use crate::road::{centre, footprint, reach};

/// Where everything goes.
pub(crate) struct Layout {
    /// What is printed on the board.
    pub(crate) print: Arc<Print>,
    /// The side of a block.
    pub(crate) block: f64,
    /// The pieces, in their order.
    pub(crate) pieces: Vec<Option<PiecePlace>>,
    /// In which order pieces are drawn: those of a pile as they lie, after all others.
    pub(crate) order: Vec<usize>,
    /// The stacks, one for each space with pieces.
    pub(crate) stacks: Vec<Stack>,
}

/// The place of a space's name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NamePlace {
    pub(crate) area: Area,
    pub(crate) name: String,
    pub(crate) size: f64,
    /// Whether the name lies inside its space.
    pub(crate) inside: bool,
}

/// The place of a piece.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PiecePlace {
    pub(crate) at: (f64, f64),
    pub(crate) side: f64,
    pub(crate) cut: Cut,
}

/// The pieces of one space.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Stack {
    pub(crate) space: usize,
    pub(crate) area: Area,
    /// The piles: where their numbers go, and what they are.
    pub(crate) piles: Vec<Pile>,
}

impl Layout {
    pub(crate) fn new(board: &Board, print: Arc<Print>) -> Self {
        let pieces = vec![None; board.pieces.len()];
        let mut layout = Self { block: print.block, print, pieces, order: Vec::new(), stacks: Vec::new() };
        layout.place_pieces(board);
        let mut piled = vec![false; board.pieces.len()];
        layout.order.iter().for_each(|p| piled[*p] = true);
        let piles = std::mem::take(&mut layout.order);
        layout.order = (0..board.pieces.len()).filter(|p| !piled[*p]).chain(piles).collect();
        layout
    }

    fn place_pieces(&mut self, board: &Board) {
        let mut waiting: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut here: std::collections::BTreeMap<&str, Vec<usize>> = std::collections::BTreeMap::new();
        for (i, piece) in board.pieces.iter().enumerate() {
            here.entry(&piece.space).or_default().push(i);
        }
        for (space, place) in board.spaces.iter().enumerate() {
            if let Some(pieces) = here.remove(place.id.as_str()) {
                waiting.push((space, pieces));
            }
        }
        // The largest stacks choose first: they have the fewest places to go.
        waiting.sort_by_key(|(space, pieces)| (std::cmp::Reverse(pieces.len()), *space));
        for (space, pieces) in waiting {
            let stack = match board.ground {
                Ground::Cells { .. } => self.in_cell(board, space, &pieces, 1.56),
                _ if is_ground_hex(&board.spaces[space]) => self.in_cell(board, space, &pieces, 1.3),
                _ if roomy(&board.spaces[space], self.block, self.print.letters) => {
                    self.inside(board, space, &pieces)
                }
                _ => self.beside(board, space, &pieces),
            };
            self.stacks.push(stack);
        }
    }

    fn in_cell(&mut self, board: &Board, space: usize, pieces: &[usize], share: f64) -> Stack {
        let (rx, ry) = reach(&board.spaces[space]);
        let room = Area::around(centre(&board.spaces[space]), rx * share, ry * share);
        if let [only] = pieces {
            let cut = cut_in_cell(&board.pieces[*only]);
            self.pieces[*only] = Some(PiecePlace { at: room.centre(), side: room.w.min(room.h), cut });
            return Stack { space, area: room, piles: Vec::new() };
        }
        self.fill(board, space, pieces, room, room.w.min(room.h))
    }

    fn inside(&mut self, board: &Board, space: usize, pieces: &[usize]) -> Stack {
        let place = &board.spaces[space];
        let (rx, ry) = reach(place);
        let share = if matches!(place.shape, Shape::Rect { .. }) { 1.0 } else { 0.76 };
        let mut room =
            Area::around(centre(place), rx * 2.0 * share, ry * 2.0 * share).grown(-self.block * 0.14);
        if let Some(name) = self.print.name(space).filter(|n| n.inside) {
            // Rings around pieces keep off the name.
            let rings = if board.piece > 0 { self.block * 0.1 } else { 0.0 };
            let top = (name.area.bottom() + rings).max(room.y);
            room = Area { y: top, h: room.bottom() - top, ..room };
        }
        self.fill(board, space, pieces, room, self.block)
    }

    /// Fills an area with pieces, as large as it allows.
    fn fill(&mut self, board: &Board, space: usize, pieces: &[usize], room: Area, largest: f64) -> Stack {
        let groups = by_owner(board, pieces);
        let mut side = largest;
        // On a mat there is room for the rings of those that can be chosen.
        let gap = if board.piece > 0 { 0.21 } else { 0.1 };
        let mut filled = heap(board, &groups, side, columns_in(room.w, side, gap), gap);
        while (filled.w > room.w || filled.h > room.h) && side > largest * 0.4 {
            side *= 0.94;
            filled = heap(board, &groups, side, columns_in(room.w, side, gap), gap);
        }
        let mut heap = filled;
        if heap.h > room.h {
            let squeeze = ((room.h - side) / (heap.h - side).max(1.0)).clamp(0.0, 1.0);
            for (_, _, y) in &mut heap.places {
                *y = side / 2.0 + (*y - side / 2.0) * squeeze;
            }
            heap.h = side + (heap.h - side) * squeeze;
            let count = pieces.iter().map(|p| 1 + usize::from(board.pieces[*p].more)).sum();
            heap.piles = vec![Pile { at: (heap.w, heap.h), count, owner: None }];
        }
        let area = Area::around(room.centre(), heap.w, heap.h);
        self.put(board, space, &heap, area)
    }

    /// Stands the pieces of a space that cannot hold them beside it: up to four of a side in rows, up to six
    /// where there is room, else in a pile.
    fn beside(&mut self, board: &Board, space: usize, pieces: &[usize]) -> Stack {
        let groups = by_owner(board, pieces);
        let usual = self.block;
        let most = groups.iter().map(Vec::len).max().unwrap_or(1);
        let widest = columns_for(most.min(6));
        let near = self.near(board, space, usual * (most.min(6) as f64 + 4.0));
        let mut best: Option<(f64, Heap, Area)> = None;
        // How many of a side lie in rows at most, and how much a pile is disliked where rows would do.
        let ways: &[(usize, f64)] = match most {
            0 | 1 => &[(6, 0.0)],
            2..=4 => &[(6, 0.0), (1, 1.4)],
            5..=6 => &[(6, 0.0), (4, 1.6)],
            _ => &[(4, 0.0)],
        };
        for (flat, piled) in ways.iter().copied() {
            for (columns, dislike) in [(widest, 0.0), (widest.saturating_sub(1), 0.25), (widest + 1, 0.35)] {
                if columns == 0 || columns > pieces.len() {
                    continue;
                }
                let heap = heap_beside(board, &groups, usual, columns, flat);
                let (cost, area) = self.cheapest(board, space, &heap, &near);
                let cost = cost + (piled + dislike) * usual * usual;
                if best.as_ref().is_none_or(|(least, _, _)| cost < least - 0.01) {
                    best = Some((cost, heap, area));
                }
            }
        }
        if most > 6 {
            let heap = heap_fanned(board, &groups, usual * 0.92);
            let (cost, area) = self.cheapest(board, space, &heap, &near);
            // Worth some way, but no name and no neighbour.
            let cost = cost - 6.0 * usual * usual;
            if best.as_ref().is_none_or(|(least, _, _)| cost < least - 0.01) {
                best = Some((cost, heap, area));
            }
        }
        let (heap, area) = best.map_or_else(
            || {
                let heap = heap_beside(board, &groups, usual, widest, 4);
                let area = Area::around(centre(&board.spaces[space]), heap.w, heap.h);
                (heap, area)
            },
            |(_, heap, area)| (heap, area),
        );
        self.put(board, space, &heap, area)
    }

    /// What a heap at a space could cover: areas, and how bad it would be. Names are not covered where that can
    /// be avoided at all.
    fn near(&self, board: &Board, space: usize, far: f64) -> Vec<(Area, f64)> {
        let around = footprint(&board.spaces[space]).grown(far);
        let mut near: Vec<(Area, f64)> = Vec::new();
        near.extend(self.print.names.iter().flatten().map(|n| (n.area, 60.0)));
        near.extend(self.print.head.map(|head| (head, 20.0)));
        for (i, other) in board.spaces.iter().enumerate() {
            let place = footprint(other);
            match (i == space, other.keep.is_some()) {
                (true, true) => near.push((place.grown(-place.h * 0.12), 9.0)),
                (true, false) => {}
                (false, true) => near.push((place, 5.0)),
                (false, false) => {
                    near.push((Area::around(place.centre(), place.w * 0.85, place.h * 0.85), 2.0))
                }
            }
        }
        near.extend(self.stacks.iter().map(|s| (s.area, 12.0)));
        near.retain(|(area, _)| area.shared(&around) > 0.0);
        near
    }

    /// The best place for a heap, and what it costs: names and others' spaces covered, and distance. Each place
    /// has a side to which its pieces grow, as long as nothing is in the way.
    fn cheapest(&self, board: &Board, space: usize, heap: &Heap, near: &[(Area, f64)]) -> (f64, Area) {
        let own = footprint(&board.spaces[space]);
        let (at, rx, ry) = (own.centre(), own.w / 2.0, own.h / 2.0);
        // Pieces stand at a town, not on it.
        let built = board.spaces[space].keep.is_some();
        let home = if built { own.grown(heap.side * 0.3) } else { Area::around(at, rx * 1.4, ry * 1.4) };
        let whole = whole(board);
        let gap = heap.side * 0.08;
        let lean = self.print.lean.get(space).copied().unwrap_or((0.0, 1.0));
        let offsets = |extent: f64, reach: f64| {
            let edge = (extent / 2.0 - reach).max(0.0);
            let out = reach + extent / 2.0 + gap;
            let (near, far) = (out + heap.side * 0.8, out + heap.side * 2.2);
            [0.0, -edge, edge, -out, out, -out * 0.6, out * 0.6, -near, near, -far, far]
        };
        let square = heap.side * heap.side;
        let others: Vec<(f64, f64)> = board
            .spaces
            .iter()
            .enumerate()
            .filter(|(i, s)| *i != space && !s.annex && !s.is_bare())
            .map(|(_, s)| centre(s))
            .filter(|c| crate::road::distance(*c, at) < heap.w + heap.h + rx * 4.0)
            .collect();
        // What a place costs by itself; only the cheapest are asked what they cover.
        let mut places: Vec<(f64, Area)> = Vec::with_capacity(121);
        for dy in offsets(heap.h, ry) {
            for dx in offsets(heap.w, rx) {
                let area = Area::around(at, heap.w, heap.h).moved(dx, dy).within(&whole.grown(-gap));
                let middle = area.centre();
                let moved = crate::road::distance(middle, at);
                let mut cost = moved * heap.side * 0.4 + area.outside(&whole) * 20.0;
                if area.shared(&home) == 0.0 {
                    cost += square * 1.2;
                }
                let far = crate::road::distance((dx, dy), (0.0, 0.0)).max(1.0);
                cost += (1.0 - (dx * lean.0 + dy * lean.1) / far) * square * 0.35;
                // Nobody should think that they stand at another place.
                let astray = others.iter().any(|c| crate::road::distance(*c, middle) < moved);
                cost += if astray { square * 2.5 } else { 0.0 };
                places.push((cost, area));
            }
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut best = (f64::MAX, Area::around(at, heap.w, heap.h));
        for (cost, area) in places {
            if cost >= best.0 {
                break;
            }
            let wide = area.grown(heap.side * 0.06);
            let cost = cost + near.iter().map(|(other, weight)| wide.shared(other) * weight).sum::<f64>();
            if cost < best.0 - 0.01 {
                best = (cost, area);
            }
        }
        best
    }

    fn put(&mut self, board: &Board, space: usize, heap: &Heap, area: Area) -> Stack {
        for (piece, x, y) in &heap.places {
            let at = (area.x + x, area.y + y);
            let cut = cut_on_board(&board.pieces[*piece]);
            self.pieces[*piece] = Some(PiecePlace { at, side: heap.side, cut });
        }
        if !heap.piles.is_empty() {
            self.order.extend(heap.places.iter().map(|(piece, _, _)| *piece));
        }
        let moved = |pile: &Pile| Pile { at: (area.x + pile.at.0, area.y + pile.at.1), ..*pile };
        Stack { space, area, piles: heap.piles.iter().map(moved).collect() }
    }
}

/// The whole board.
pub(crate) fn whole(board: &Board) -> Area {
    Area { x: 0.0, y: 0.0, w: f64::from(board.width.max(1)), h: f64::from(board.height.max(1)) }
}

/// The side of a block: in proportion to the spaces, within what can be read and what looks well.
pub(crate) fn block_side(board: &Board) -> f64 {
    if board.piece > 0 {
        return f64::from(board.piece);
    }
    let whole = whole(board);
    let measure = (whole.w * whole.h).sqrt();
    let mut sides: Vec<f64> = board
        .spaces
        .iter()
        .filter(|space| !space.annex)
        .map(|space| {
            let (rx, ry) = reach(space);
            match space.shape {
                Shape::Rect { .. } => rx.min(ry) * 0.9,
                _ => rx.min(ry) * 1.14,
            }
        })
        .collect();
    sides.sort_by(f64::total_cmp);
    let usual = sides.get(sides.len() / 2).copied().unwrap_or(measure * 0.05);
    if board.spaces.iter().any(is_ground_hex) {
        return usual;
    }
    let readable = (measure * 0.025).min(between(board) * 0.5).max(measure * 0.015);
    usual.clamp(readable, measure * 0.1)
}

/// How far a space usually is from its nearest neighbour.
fn between(board: &Board) -> f64 {
    let nearest = |i: usize| {
        let others = board.spaces.iter().enumerate().filter(|(j, s)| *j != i && !s.annex);
        let away = others.map(|(_, s)| crate::road::distance(centre(s), centre(&board.spaces[i])));
        away.fold(f64::MAX, f64::min)
    };
    let lasting = (0..board.spaces.len()).filter(|i| !board.spaces[*i].annex);
    let mut distances: Vec<f64> = lasting.map(nearest).collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(f64::MAX)
}

/// Whether a space can hold its name and pieces inside.
pub(crate) fn roomy(space: &Space, block: f64, letters: f64) -> bool {
    let (rx, ry) = reach(space);
    match space.shape {
        Shape::Rect { .. } => rx * 2.0 >= block * 2.0 && ry * 2.0 >= block * 1.2 + letters * 1.5,
        _ => rx.min(ry) >= block * 1.6,
    }
}

/// Whether a space is a hexagon of the ground, in which pieces stand as in a cell.
pub(crate) fn is_ground_hex(space: &Space) -> bool {
    space.shape.is_hex() && space.terrain.is_some()
}

//! Where everything on a board goes: names beside their spaces, pieces in rows near them.
//!
//! Names are placed first and look only at spaces and links, so that they stay where they are all game
//! long, as if they were printed; pieces then find room that leaves the names to be read. Everything is
//! tried in a fixed order and the cheapest place wins, so the same board is always laid out the same way.

use table::scene::{Board, Ground, Shape, Space};

use crate::area::Area;
use crate::block::{Cut, cut_in_cell};
use crate::heap::{Heap, by_owner, columns_for, columns_in, heap};
use crate::names::{cell_names, names};
use crate::road::{Road, centre, reach, roads};

/// Where everything goes.
pub(crate) struct Layout {
    /// The side of a block.
    pub(crate) block: f64,
    /// The size of the letters of names.
    pub(crate) letters: f64,
    /// The ways of the links.
    pub(crate) roads: Vec<Option<Road>>,
    /// The names of the spaces.
    pub(crate) names: Vec<Option<NamePlace>>,
    /// The pieces, in their order.
    pub(crate) pieces: Vec<Option<PiecePlace>>,
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
    pub(crate) count: usize,
    pub(crate) area: Area,
    /// Whether some pieces lie over others, or there are too many to count at a glance.
    pub(crate) crowded: bool,
}

impl Layout {
    pub(crate) fn new(board: &Board) -> Self {
        let whole = whole(board);
        let measure = (whole.w * whole.h).sqrt();
        let block = block_side(board);
        let letters = (block * 0.38).clamp(measure * 0.0105, measure * 0.024);
        let roads = roads(board);
        let names = match board.ground {
            Ground::Cells { .. } => cell_names(board),
            Ground::Plain | Ground::Levant { .. } => names(board, block, letters, &roads),
        };
        let mut layout =
            Self { block, letters, roads, names, pieces: vec![None; board.pieces.len()], stacks: Vec::new() };
        layout.place_pieces(board);
        layout
    }

    fn place_pieces(&mut self, board: &Board) {
        let mut waiting: Vec<(usize, Vec<usize>)> = Vec::new();
        for (space, _) in board.spaces.iter().enumerate() {
            let here = |p: &usize| board.pieces[*p].space == board.spaces[space].id;
            let pieces: Vec<usize> = (0..board.pieces.len()).filter(here).collect();
            if !pieces.is_empty() {
                waiting.push((space, pieces));
            }
        }
        // The largest stacks choose first: they have the fewest places to go.
        waiting.sort_by_key(|(space, pieces)| (std::cmp::Reverse(pieces.len()), *space));
        for (space, pieces) in waiting {
            let stack = match board.ground {
                Ground::Cells { .. } => self.in_cell(board, space, &pieces),
                _ if roomy(&board.spaces[space], self.block, self.letters) => {
                    self.inside(board, space, &pieces)
                }
                _ => self.beside(board, space, &pieces),
            };
            self.stacks.push(stack);
        }
    }

    fn in_cell(&mut self, board: &Board, space: usize, pieces: &[usize]) -> Stack {
        let (rx, ry) = reach(&board.spaces[space]);
        let room = Area::around(centre(&board.spaces[space]), rx * 1.56, ry * 1.56);
        if let [only] = pieces {
            let cut = cut_in_cell(&board.pieces[*only]);
            self.pieces[*only] = Some(PiecePlace { at: room.centre(), side: room.w.min(room.h), cut });
            return Stack { space, count: 1, area: room, crowded: false };
        }
        self.fill(board, space, pieces, room, room.w.min(room.h))
    }

    fn inside(&mut self, board: &Board, space: usize, pieces: &[usize]) -> Stack {
        let place = &board.spaces[space];
        let (rx, ry) = reach(place);
        let share = if matches!(place.shape, Shape::Rect { .. }) { 1.0 } else { 0.76 };
        let mut room =
            Area::around(centre(place), rx * 2.0 * share, ry * 2.0 * share).grown(-self.block * 0.14);
        if let Some(name) = self.names[space].as_ref().filter(|n| n.inside) {
            let top = name.area.bottom().max(room.y);
            room = Area { y: top, h: room.bottom() - top, ..room };
        }
        self.fill(board, space, pieces, room, self.block)
    }

    /// Fills an area with pieces, as large as it allows.
    fn fill(&mut self, board: &Board, space: usize, pieces: &[usize], room: Area, largest: f64) -> Stack {
        let groups = by_owner(board, pieces);
        let mut side = largest;
        let mut heap = heap(board, &groups, side, columns_in(room.w, side), false);
        while (heap.w > room.w || heap.h > room.h) && side > largest * 0.4 {
            side *= 0.94;
            heap = crate::heap::heap(board, &groups, side, columns_in(room.w, side), false);
        }
        if heap.h > room.h {
            let squeeze = ((room.h - side) / (heap.h - side).max(1.0)).clamp(0.0, 1.0);
            for (_, _, y) in &mut heap.places {
                *y = side / 2.0 + (*y - side / 2.0) * squeeze;
            }
            heap.h = side + (heap.h - side) * squeeze;
            heap.overlapping = true;
        }
        let area = Area::around(room.centre(), heap.w, heap.h);
        self.put(space, &heap, area)
    }

    /// Stands a heap of pieces at a space that cannot hold it: over it, or leaning to where there is room,
    /// smaller or in other rows if that helps.
    fn beside(&mut self, board: &Board, space: usize, pieces: &[usize]) -> Stack {
        let groups = by_owner(board, pieces);
        let usual = self.block
            * match pieces.len() {
                0..=6 => 1.0,
                7..=12 => 0.9,
                _ => 0.8,
            };
        let widest = groups.iter().map(|g| columns_for(g.len())).max().unwrap_or(1);
        let mut best: Option<(f64, Heap, Area)> = None;
        for shrunk in [0.0, 0.12, 0.24] {
            for (columns, dislike) in [(widest, 0.0), (widest - 1, 0.25), (widest + 1, 0.35)] {
                if columns == 0 || columns > pieces.len() {
                    continue;
                }
                let side = usual * (1.0 - shrunk);
                let heap = heap(board, &groups, side, columns, true);
                let (cost, area) = self.cheapest(board, space, &heap);
                let cost = cost + (shrunk * 5.0 + dislike) * usual * usual;
                if best.as_ref().is_none_or(|(least, _, _)| cost < least - 0.01) {
                    best = Some((cost, heap, area));
                }
            }
        }
        let (heap, area) = best.map_or_else(
            || {
                let heap = heap(board, &groups, usual, widest, true);
                let area = Area::around(centre(&board.spaces[space]), heap.w, heap.h);
                (heap, area)
            },
            |(_, heap, area)| (heap, area),
        );
        self.put(space, &heap, area)
    }

    /// The best place for a heap, and what it costs: names and others' spaces covered, and distance.
    fn cheapest(&self, board: &Board, space: usize, heap: &Heap) -> (f64, Area) {
        let (rx, ry) = reach(&board.spaces[space]);
        let at = centre(&board.spaces[space]);
        let home = Area::around(at, rx * 1.4, ry * 1.4);
        let whole = whole(board);
        let gap = heap.side * 0.08;
        let lean = |extent: f64, reach: f64| {
            let edge = (extent / 2.0 - reach).max(0.0);
            let out = reach + extent / 2.0 + gap;
            [0.0, -edge, edge, -out, out]
        };
        let mut best = (f64::MAX, Area::around(at, heap.w, heap.h));
        for dy in lean(heap.h, ry) {
            for dx in lean(heap.w, rx) {
                let area = Area::around(at, heap.w, heap.h).moved(dx, dy).within(&whole.grown(-gap));
                let moved = crate::road::distance(area.centre(), at);
                let mut cost = moved * heap.side * 0.4 + area.outside(&whole) * 20.0;
                if area.shared(&home) == 0.0 {
                    cost += heap.side * heap.side * 1.2;
                }
                let wide = area.grown(heap.side * 0.06);
                for (i, name) in self.names.iter().enumerate() {
                    let weight = if i == space { 6.0 } else { 3.5 };
                    cost += name.as_ref().map_or(0.0, |n| wide.shared(&n.area) * weight);
                }
                for (_, other) in board.spaces.iter().enumerate().filter(|(i, _)| *i != space) {
                    let (rx, ry) = reach(other);
                    cost += wide.shared(&Area::around(centre(other), rx * 1.7, ry * 1.7)) * 2.0;
                }
                cost += self.stacks.iter().map(|s| wide.shared(&s.area) * 4.0).sum::<f64>();
                if cost < best.0 - 0.01 {
                    best = (cost, area);
                }
            }
        }
        best
    }

    fn put(&mut self, space: usize, heap: &Heap, area: Area) -> Stack {
        for (piece, x, y) in &heap.places {
            let at = (area.x + x, area.y + y);
            self.pieces[*piece] = Some(PiecePlace { at, side: heap.side, cut: Cut::Block });
        }
        let count = heap.places.len();
        Stack { space, count, area, crowded: heap.overlapping || count > 6 }
    }
}

/// The whole board.
pub(crate) fn whole(board: &Board) -> Area {
    Area { x: 0.0, y: 0.0, w: f64::from(board.width.max(1)), h: f64::from(board.height.max(1)) }
}

/// The side of a block: in proportion to the spaces, within what can be read and what looks well.
pub(crate) fn block_side(board: &Board) -> f64 {
    let whole = whole(board);
    let measure = (whole.w * whole.h).sqrt();
    let mut sides: Vec<f64> = board
        .spaces
        .iter()
        .map(|space| {
            let (rx, ry) = reach(space);
            match space.shape {
                Shape::Circle { .. } | Shape::Hex { .. } => rx.min(ry) * 1.14,
                Shape::Rect { .. } => rx.min(ry) * 0.9,
            }
        })
        .collect();
    sides.sort_by(f64::total_cmp);
    let usual = sides.get(sides.len() / 2).copied().unwrap_or(measure * 0.05);
    let readable = (measure * 0.025).min(between(board) * 0.5).max(measure * 0.015);
    usual.clamp(readable, measure * 0.1)
}

/// How far a space usually is from its nearest neighbour.
fn between(board: &Board) -> f64 {
    let nearest = |i: usize| {
        let others = board.spaces.iter().enumerate().filter(|(j, _)| *j != i);
        let away = others.map(|(_, s)| crate::road::distance(centre(s), centre(&board.spaces[i])));
        away.fold(f64::MAX, f64::min)
    };
    let mut distances: Vec<f64> = (0..board.spaces.len()).map(nearest).collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(f64::MAX)
}

/// Whether a space can hold its name and pieces inside.
pub(crate) fn roomy(space: &Space, block: f64, letters: f64) -> bool {
    let (rx, ry) = reach(space);
    match space.shape {
        Shape::Rect { .. } => rx * 2.0 >= block * 2.0 && ry * 2.0 >= block * 1.2 + letters * 1.5,
        Shape::Circle { .. } | Shape::Hex { .. } => rx.min(ry) >= block * 1.6,
    }
}

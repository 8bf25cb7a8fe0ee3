//! Where everything on a board goes: names beside their spaces, pieces in rows near them.
//!
//! Names are placed first and look only at spaces and links, so that they stay where they are all game
//! long, as if they were printed; pieces then find room that leaves the names to be read. Everything is
//! tried in a fixed order and the cheapest place wins, so the same board is always laid out the same way.

use table::scene::{Board, Face, Ground, Shape, Space};

use crate::area::Area;
use crate::block::{Cut, cut_in_cell};
use crate::lettering;
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
                Ground::Cells { .. } => self.into_cell(board, space, &pieces),
                _ if roomy(&board.spaces[space], self.block, self.letters) => {
                    self.inside(board, space, &pieces)
                }
                _ => self.beside(board, space, &pieces),
            };
            self.stacks.push(stack);
        }
    }

    fn into_cell(&mut self, board: &Board, space: usize, pieces: &[usize]) -> Stack {
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
            heap = self::heap(board, &groups, side, columns_in(room.w, side), false);
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

    /// Stands a heap of pieces at a space that cannot hold it: over it, or leaning to where there is room.
    fn beside(&mut self, board: &Board, space: usize, pieces: &[usize]) -> Stack {
        let groups = by_owner(board, pieces);
        let side = self.block
            * match pieces.len() {
                0..=6 => 1.0,
                7..=12 => 0.9,
                _ => 0.8,
            };
        let widest = groups.iter().map(|g| columns_for(g.len())).max().unwrap_or(1);
        let heap = heap(board, &groups, side, widest, true);
        let (rx, ry) = reach(&board.spaces[space]);
        let at = centre(&board.spaces[space]);
        let whole = whole(board);
        let gap = side * 0.08;
        let lean = |extent: f64, reach: f64| {
            let edge = (extent / 2.0 - reach).max(0.0);
            let out = reach + extent / 2.0 + gap;
            [0.0, -edge, edge, -out, out]
        };
        let mut best: Option<(f64, Area)> = None;
        for dy in lean(heap.h, ry) {
            for dx in lean(heap.w, rx) {
                let area = Area::around(at, heap.w, heap.h).moved(dx, dy);
                let area = area.within(&whole.grown(-gap));
                let moved = crate::road::distance(area.centre(), at);
                let mut cost = moved * side * 0.3 + area.outside(&whole) * 20.0;
                let wide = area.grown(side * 0.06);
                for (i, name) in self.names.iter().enumerate() {
                    let weight = if i == space { 6.0 } else { 4.0 };
                    cost += name.as_ref().map_or(0.0, |n| wide.shared(&n.area) * weight);
                }
                for (_, other) in board.spaces.iter().enumerate().filter(|(i, _)| *i != space) {
                    let (rx, ry) = reach(other);
                    cost += wide.shared(&Area::around(centre(other), rx * 1.8, ry * 1.8)) * 1.5;
                }
                cost += self.stacks.iter().map(|s| wide.shared(&s.area) * 4.0).sum::<f64>();
                if best.is_none_or(|(least, _)| cost < least - 0.01) {
                    best = Some((cost, area));
                }
            }
        }
        let area = best.map_or(Area::around(at, heap.w, heap.h), |(_, area)| area);
        self.put(space, &heap, area)
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
    usual.clamp(measure * 0.025, measure * 0.1)
}

/// Whether a space can hold its name and pieces inside.
pub(crate) fn roomy(space: &Space, block: f64, letters: f64) -> bool {
    let (rx, ry) = reach(space);
    match space.shape {
        Shape::Rect { .. } => rx * 2.0 >= block * 2.0 && ry * 2.0 >= block * 1.2 + letters * 1.5,
        Shape::Circle { .. } | Shape::Hex { .. } => rx.min(ry) >= block * 1.6,
    }
}

/// The pieces of each owner together, owners in the order of their first piece.
fn by_owner(board: &Board, pieces: &[usize]) -> Vec<Vec<usize>> {
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

fn columns_for(count: usize) -> usize {
    match count {
        0..=3 => count.max(1),
        4 => 2,
        5 | 6 | 9 => 3,
        7 | 8 | 10..=12 => 4,
        13..=20 => 5,
        _ => 6,
    }
}

fn columns_in(room: f64, side: f64) -> usize {
    let gap = side * 0.1;
    (((room + gap) / (side + gap)) as usize).max(1)
}

/// Pieces in rows, each given by its centre.
struct Heap {
    places: Vec<(usize, f64, f64)>,
    w: f64,
    h: f64,
    side: f64,
    overlapping: bool,
}

/// Lays groups of pieces in rows, a new row for every owner. Backs tell nothing, so many of them are fanned.
fn heap(board: &Board, groups: &[Vec<usize>], side: f64, columns: usize, fan: bool) -> Heap {
    let gap = side * 0.1;
    let mut rows: Vec<(Vec<usize>, f64, f64)> = Vec::new();
    let mut overlapping = false;
    for (i, group) in groups.iter().enumerate() {
        let hidden = group.iter().all(|p| board.pieces[*p].face == Face::Hidden);
        let fanned = fan && hidden && group.len() > 3;
        let columns = if fan { columns_for(group.len()).min(columns) } else { columns };
        let (columns, step) = if fanned { (columns.max(4) + 1, side * 0.62) } else { (columns, side + gap) };
        let drop = match fan && group.len() > 12 {
            true => side * 0.66,
            false => side + gap,
        };
        overlapping |= fanned || drop < side;
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

/// How much room the signs beside a name take, in letters: the shield before, the star and the badge after.
pub(crate) fn room_before(board: &Board) -> f64 {
    if board.spaces.iter().any(|s| s.holder.is_some()) { 0.95 } else { 0.0 }
}

pub(crate) const STAR_ROOM: f64 = 0.95;

pub(crate) fn badge_room(badge: &str) -> f64 {
    if badge.is_empty() { 0.0 } else { lettering::width(badge) * 0.82 + 0.75 }
}

fn cell_names(board: &Board) -> Vec<Option<NamePlace>> {
    board
        .spaces
        .iter()
        .map(|space| {
            let (rx, ry) = reach(space);
            let size = rx.min(ry) * 0.2;
            let name = lettering::shortened(&space.name, rx * 1.7 / size);
            let (x, y) = centre(space);
            let w = lettering::width(&name) * size;
            let area = Area { x: x - rx * 0.86, y: y + ry * 0.86 - size, w, h: size };
            Some(NamePlace { area, name, size, inside: true })
        })
        .collect()
}

fn names(board: &Board, block: f64, letters: f64, roads: &[Option<Road>]) -> Vec<Option<NamePlace>> {
    let whole = whole(board).grown(-letters * 0.25);
    let mut placed: Vec<Option<NamePlace>> = vec![None; board.spaces.len()];
    // The second round sees the names that the first had not yet placed.
    for _ in 0..3 {
        for (i, space) in board.spaces.iter().enumerate() {
            if !space.name.is_empty() || !space.badge.is_empty() {
                let others: Vec<Area> = placed
                    .iter()
                    .enumerate()
                    .filter(|(j, _)| *j != i)
                    .filter_map(|(_, n)| Some(n.as_ref()?.area))
                    .collect();
                placed[i] = Some(place_name(board, space, i, (block, letters), roads, &others, &whole));
            }
        }
    }
    placed
}

fn place_name(
    board: &Board,
    space: &Space,
    index: usize,
    (block, letters): (f64, f64),
    roads: &[Option<Road>],
    others: &[Area],
    whole: &Area,
) -> NamePlace {
    let (rx, ry) = reach(space);
    let at = centre(space);
    let inside = roomy(space, block, letters);
    let star = if space.prize { STAR_ROOM } else { 0.0 };
    let signs = room_before(board) + star + badge_room(&space.badge);
    let room = if inside { rx * 1.8 } else { whole.w * 0.4 };
    let name = lettering::shortened(&space.name, (room / letters - signs).max(2.0));
    let (w, h) = ((lettering::width(&name) + signs) * letters, letters * 1.12);
    let place = |area: Area| NamePlace { area, name: name.clone(), size: letters, inside };
    if inside {
        let top = at.1 - ry * if matches!(space.shape, Shape::Rect { .. }) { 1.0 } else { 0.8 };
        return place(Area::around((at.0, top + letters * 0.9), w, h).within(whole));
    }
    let gap = letters * 0.22 + if space.prize { block * 0.11 } else { 0.0 };
    let (out_x, out_y) = (rx + gap + w / 2.0, ry + gap + h / 2.0);
    let slant = (rx * 0.72 + w / 2.0 + gap * 0.5, ry * 0.72 + h / 2.0);
    let candidates = [
        (0.0, out_y, 0.0),
        (0.0, -out_y, 0.12),
        (out_x, 0.0, 0.16),
        (-out_x, 0.0, 0.2),
        (slant.0, slant.1, 0.24),
        (slant.0, -slant.1, 0.24),
        (-slant.0, slant.1, 0.28),
        (-slant.0, -slant.1, 0.28),
        (w * 0.28, out_y, 0.2),
        (-w * 0.28, out_y, 0.2),
        (w * 0.28, -out_y, 0.3),
        (-w * 0.28, -out_y, 0.3),
    ];
    let mut best: Option<(f64, Area)> = None;
    for (dx, dy, liking) in candidates {
        let wanted = Area::around(at, w, h).moved(dx, dy);
        let area = wanted.within(whole);
        let slid = (area.x - wanted.x).abs() + (area.y - wanted.y).abs();
        let mut cost = liking * w * h + slid * h;
        for (i, other) in board.spaces.iter().enumerate() {
            let (rx, ry) = reach(other);
            // Others keep room for a block; its own space only needs to stay visible.
            let keep = if i == index { 1.0 } else { (block * 0.5 / rx.min(ry).max(1.0)).max(1.08) };
            cost += area.shared(&Area::around(centre(other), rx * 2.0 * keep, ry * 2.0 * keep)) * 5.0;
        }
        cost += others.iter().map(|o| area.grown(letters * 0.12).shared(o) * 6.0).sum::<f64>();
        for road in roads.iter().flatten() {
            let steps = (road.length() / (letters * 0.5)).ceil().clamp(4.0, 200.0) as u32;
            let over = road.steps(steps).filter(|p| area.holds(*p)).count();
            cost += over as f64 * letters * letters * 0.5;
        }
        if best.is_none_or(|(least, _)| cost < least - 0.01) {
            best = Some((cost, area));
        }
    }
    place(best.map_or(Area::around(at, w, h), |(_, area)| area))
}

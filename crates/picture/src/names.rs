//! Where the names of spaces go: inside if there is room, else beside, clear of spaces, links and each other.

use table::scene::{Board, Harbour, Shape, Space};

use crate::area::Area;
use crate::layout::{NamePlace, roomy, whole};
use crate::lettering;
use crate::road::{Road, centre, footprint, reach};

/// How much room the shield before a name takes, in letters; a town's banner says who holds it. Where anything is held
/// the room is kept for every plain space, so that no name moves when the first of them is taken.
pub(crate) fn room_before(board: &Board) -> f64 {
    let plain = |s: &Space| s.keep.is_none() && !s.annex && !s.name.is_empty();
    let held = |s: &Space| s.holder.is_some() && !s.annex;
    if board.spaces.iter().any(plain) && board.spaces.iter().any(held) { 0.95 } else { 0.0 }
}

/// How much room a sign after a name takes, in letters: a star, an anchor, a rating, points.
pub(crate) const SIGN_ROOM: f64 = 1.12;

/// The signs after a name that do not change: how many.
fn signs_after(space: &Space) -> f64 {
    let signs = [space.prize, space.harbour != Harbour::No, space.rating > 0, space.points > 0]
        .into_iter()
        .filter(|s| *s);
    signs.count() as f64 * SIGN_ROOM
}

pub(crate) fn badge_room(badge: &str) -> f64 {
    if badge.is_empty() { 0.0 } else { lettering::width(badge) * 0.96 + 0.75 }
}

pub(crate) fn cell_names(board: &Board) -> Vec<Option<NamePlace>> {
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

pub(crate) fn names(
    board: &Board,
    block: f64,
    letters: f64,
    roads: &[Option<Road>],
) -> Vec<Option<NamePlace>> {
    let whole = whole(board).grown(-letters * 0.25);
    let mut placed: Vec<Option<NamePlace>> = vec![None; board.spaces.len()];
    let before = room_before(board);
    let places: Vec<Area> = board.spaces.iter().map(footprint).collect();
    // The second round sees the names that the first had not yet placed.
    for _ in 0..3 {
        for (i, space) in board.spaces.iter().enumerate() {
            if !space.name.is_empty() && !space.annex {
                let others: Vec<Area> = placed
                    .iter()
                    .enumerate()
                    .filter(|(j, _)| *j != i)
                    .filter_map(|(_, n)| Some(n.as_ref()?.area))
                    .collect();
                placed[i] = Some(place_name(
                    board,
                    (space, i),
                    (block, letters, before),
                    roads,
                    (&others, &places),
                    &whole,
                ));
            }
        }
    }
    placed
}

fn place_name(
    board: &Board,
    (space, index): (&Space, usize),
    (block, letters, before): (f64, f64, f64),
    roads: &[Option<Road>],
    (others, places): (&[Area], &[Area]),
    whole: &Area,
) -> NamePlace {
    let (rx, ry) = reach(space);
    let inside = roomy(space, block, letters);
    let signs = before + signs_after(space);
    let room = if inside { rx * 1.8 } else { whole.w * 0.4 };
    let room = (room / letters - signs).max(2.0);
    // A long name in a box stands in two lines, if there is nothing else beside it.
    let lines = if inside && signs_after(space) == 0.0 && ry > letters * 1.9 { 2 } else { 1 };
    let mut lines = lettering::wrap(&space.name, room, lines);
    for line in &mut lines {
        *line = lettering::shortened(line, room);
    }
    let wide = lines.iter().map(|line| lettering::width(line)).fold(0.0, f64::max);
    let (w, h) = ((wide + signs) * letters, letters * 1.12 * lines.len() as f64);
    let name = lines.join("\n");
    let place = |area: Area| NamePlace { area, name: name.clone(), size: letters, inside };
    if inside {
        let at = centre(space);
        let top = at.1 - ry * if matches!(space.shape, Shape::Rect { .. }) { 1.0 } else { 0.8 };
        return place(Area::around((at.0, top + letters * 0.34 + h / 2.0), w, h).within(whole));
    }
    let own = places[index];
    let (at, rx, ry) = (own.centre(), own.w / 2.0, own.h / 2.0);
    let laurel = space.prize && space.keep.is_none();
    let gap = letters * 0.22 + if laurel { block * 0.11 } else { 0.0 };
    let (out_x, out_y) = (rx + gap + w / 2.0, ry + gap + h / 2.0);
    let slant = (rx * 0.72 + w / 2.0 + gap * 0.5, ry * 0.72 + h / 2.0);
    let candidates = [
        (0.0, out_y, 0.0),
        (0.0, -out_y, 0.12),
        (out_x, 0.0, 0.27),
        (-out_x, 0.0, 0.29),
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
        for (i, other) in board.spaces.iter().enumerate().filter(|(_, s)| !s.is_bare() && !s.annex) {
            let place = places[i];
            // Others keep room for a block; its own space only needs to stay visible.
            let keep = match i == index || other.keep.is_some() {
                true => 1.0,
                false => (block / place.w.min(place.h).max(1.0)).max(1.08),
            };
            cost += area.shared(&Area::around(place.centre(), place.w * keep, place.h * keep)) * 5.0;
        }
        cost += others.iter().map(|o| area.grown(letters * 0.12).shared(o) * 6.0).sum::<f64>();
        for road in roads.iter().flatten() {
            let steps = (road.length() / (letters * 0.5)).ceil().clamp(4.0, 200.0) as u32;
            let over = road.steps(steps).filter(|p| area.holds(*p)).count();
            cost += over as f64 * letters * letters * 0.62;
        }
        if best.is_none_or(|(least, _)| cost < least - 0.01) {
            best = Some((cost, area));
        }
    }
    place(best.map_or(Area::around(at, w, h), |(_, area)| area))
}

/// How much larger names may be lettered than they are, where a board is seen from afar: steps that a page
/// chooses from, so that no name is smaller than can be read.
pub(crate) const STEPS: [f64; 7] = [1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0];

/// The point of a name that stays where it is when the name grows: the one nearest its space.
pub(crate) fn anchor(space: &Space, name: &NamePlace) -> (f64, f64) {
    let (x, y) = centre(space);
    (x.clamp(name.area.x, name.area.right()), y.clamp(name.area.y, name.area.bottom()))
}

/// A name, grown so many times.
fn grown(space: &Space, name: &NamePlace, by: f64) -> Area {
    from_point(name.area, anchor(space, name), by)
}

/// An area, grown so many times from a point that stays.
fn from_point(area: Area, (x, y): (f64, f64), by: f64) -> Area {
    Area { x: x - (x - area.x) * by, y: y - (y - area.y) * by, w: area.w * by, h: area.h * by }
}

/// The last of [`STEPS`] at which something beside a name, or on a road, runs into no name that is shown there; it grows
/// from a point. What is too much from afar vanishes before any name does.
pub(crate) fn clear_upto(
    board: &Board,
    (names, upto): (&[Option<NamePlace>], &[u8]),
    (area, from): (Area, (f64, f64)),
    own: Option<usize>,
) -> u8 {
    let clear = |step: &usize| {
        let by = STEPS[*step];
        let area = from_point(area, from, by);
        let hit = |(i, name): (usize, &Option<NamePlace>)| {
            let shown = Some(i) != own && usize::from(upto.get(i).copied().unwrap_or(0)) >= *step;
            name.as_ref().is_some_and(|n| shown && grown(&board.spaces[i], n, by).shared(&area) > 0.0)
        };
        !names.iter().enumerate().any(hit)
    };
    (1..STEPS.len()).take_while(clear).last().unwrap_or(0) as u8
}

/// What counts among names: prizes, walls, points, harbours, towns before fields.
fn rank(space: &Space) -> u32 {
    u32::from(space.prize) * 100
        + u32::from(space.points) * 4
        + u32::from(space.rating) * 10
        + u32::from(space.harbour != Harbour::No) * 5
        + u32::from(space.keep.is_some()) * 3
}

/// For each name the last of [`STEPS`] at which it does not run into one that counts more.
pub(crate) fn upto(board: &Board, names: &[Option<NamePlace>]) -> Vec<u8> {
    let mut order: Vec<usize> =
        (0..board.spaces.len()).filter(|i| names.get(*i).is_some_and(Option::is_some)).collect();
    order.sort_by_key(|i| (std::cmp::Reverse(rank(&board.spaces[*i])), *i));
    let mut upto = vec![0; board.spaces.len()];
    let mut alive = order;
    for (step, by) in STEPS.iter().enumerate() {
        let mut taken: Vec<Area> = Vec::new();
        alive.retain(|i| {
            let Some(Some(name)) = names.get(*i) else { return false };
            let area = grown(&board.spaces[*i], name, *by);
            if step > 0 && taken.iter().any(|t| t.shared(&area) > 0.0) {
                return false;
            }
            taken.push(area);
            upto[*i] = step as u8;
            true
        });
    }
    upto
}

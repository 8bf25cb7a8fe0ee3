//! The way a link takes from one space to another.
//!
//! A link runs straight from edge to edge, and bends only where it would otherwise run through a space that
//! it does not lead to, or over another link between the same two.

use table::scene::{Board, LinkStyle, Shape, Space};

use crate::area::Area;

/// A line from edge to edge, perhaps bent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Road {
    pub(crate) from: (f64, f64),
    pub(crate) bend: (f64, f64),
    pub(crate) to: (f64, f64),
    pub(crate) straight: bool,
}

impl Road {
    /// The place at a share of the way.
    pub(crate) fn at(&self, share: f64) -> (f64, f64) {
        let (a, b, c) = ((1.0 - share).powi(2), 2.0 * share * (1.0 - share), share.powi(2));
        let mix = |p: f64, q: f64, r: f64| a * p + b * q + c * r;
        (mix(self.from.0, self.bend.0, self.to.0), mix(self.from.1, self.bend.1, self.to.1))
    }

    /// Places all along the way.
    pub(crate) fn steps(&self, count: u32) -> impl Iterator<Item = (f64, f64)> + '_ {
        (0..=count).map(move |i| self.at(f64::from(i) / f64::from(count)))
    }

    pub(crate) fn length(&self) -> f64 {
        distance(self.from, self.to)
    }
}

pub(crate) fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    ((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt()
}

/// Half the width and half the height of a space.
pub(crate) fn reach(space: &Space) -> (f64, f64) {
    match space.shape {
        Shape::Circle { r } => (f64::from(r), f64::from(r)),
        Shape::Rect { w, h } => (f64::from(w) / 2.0, f64::from(h) / 2.0),
        Shape::Hex { r } => (f64::from(r) * 0.866, f64::from(r)),
        Shape::FlatHex { r } => (f64::from(r), f64::from(r) * 0.866),
        Shape::Corners(corners) => {
            let most = |of: &dyn Fn(&(i16, i16)) -> i16| corners.iter().map(|c| of(c).unsigned_abs()).max();
            (f64::from(most(&|c| c.0).unwrap_or(1)), f64::from(most(&|c| c.1).unwrap_or(1)))
        }
    }
}

/// The corners of a hexagon.
pub(crate) fn corners(space: &Space) -> [(f64, f64); 6] {
    let (x, y) = centre(space);
    let (rx, ry) = reach(space);
    let around = match space.shape {
        Shape::Corners(own) => return own.map(|(dx, dy)| (x + f64::from(dx), y + f64::from(dy))),
        Shape::FlatHex { .. } => {
            [(-0.5, -1.0), (0.5, -1.0), (1.0, 0.0), (0.5, 1.0), (-0.5, 1.0), (-1.0, 0.0)]
        }
        _ => [(0.0, -1.0), (1.0, -0.5), (1.0, 0.5), (0.0, 1.0), (-1.0, 0.5), (-1.0, -0.5)],
    };
    around.map(|(dx, dy)| (x + dx * rx, y + dy * ry))
}

/// What a space covers of the board: its shape, or the building on it with its banner.
pub(crate) fn footprint(space: &Space) -> Area {
    let (x, y) = centre(space);
    let (rx, ry) = reach(space);
    match space.keep {
        None => Area::around((x, y), rx * 2.0, ry * 2.0),
        Some(_) => {
            let s = crate::keep::scale(space);
            Area { x: x - 31.0 * s, y: y - 24.0 * s, w: 62.0 * s, h: 43.0 * s }
        }
    }
}

pub(crate) fn centre(space: &Space) -> (f64, f64) {
    (f64::from(space.x), f64::from(space.y))
}

/// The roads of a board, in the order of its links; nothing for a link that leads nowhere.
pub(crate) fn roads(board: &Board) -> Vec<Option<Road>> {
    let find = |id: &str| board.spaces.iter().position(|s| s.id == id);
    let ends: Vec<_> = board.links.iter().map(|l| Some((find(&l.from)?, find(&l.to)?))).collect();
    let same = |a: (usize, usize), b: (usize, usize)| a == b || a == (b.1, b.0);
    ends.iter()
        .enumerate()
        .map(|(i, pair)| {
            let pair = (*pair)?;
            if pair.0 == pair.1 {
                return None;
            }
            let twins = ends[..i].iter().flatten().filter(|other| same(**other, pair)).count();
            let first = match board.links[i].style {
                LinkStyle::Sea => 0.09,
                _ if twins > 0 => 0.14 * twins as f64,
                _ => 0.0,
            };
            let bends = [first, 0.1, -0.1, 0.18, -0.18, 0.28, -0.28, 0.4, -0.4];
            let ways = bends.map(|bend| way(&board.spaces[pair.0], &board.spaces[pair.1], bend));
            let clear = |road: &&Road| {
                !road.steps(24).any(|at| {
                    board.spaces.iter().enumerate().filter(|(_, space)| !space.is_bare() && !space.annex).any(
                        |(s, space)| {
                            let (rx, ry) = reach(space);
                            let (x, y) = centre(space);
                            let (dx, dy) = ((at.0 - x) / (rx + 4.0), (at.1 - y) / (ry + 4.0));
                            s != pair.0 && s != pair.1 && dx * dx + dy * dy < 1.0
                        },
                    )
                })
            };
            Some(*ways.iter().find(clear).unwrap_or(&ways[0]))
        })
        .collect()
}

fn way(from: &Space, to: &Space, bend: f64) -> Road {
    let (a, b) = (centre(from), centre(to));
    let middle = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let bend_at = (middle.0 - (b.1 - a.1) * bend, middle.1 + (b.0 - a.0) * bend);
    Road { from: edge(from, bend_at), bend: bend_at, to: edge(to, bend_at), straight: bend == 0.0 }
}

/// Where the line from a space's centre towards a place leaves the space.
fn edge(space: &Space, towards: (f64, f64)) -> (f64, f64) {
    let (x, y) = centre(space);
    let (rx, ry) = reach(space);
    let (dx, dy) = (towards.0 - x, towards.1 - y);
    let far = distance((x, y), towards);
    if far < 0.5 {
        return (x, y);
    }
    let share = match space.shape {
        Shape::Circle { .. } => rx / far,
        Shape::Rect { .. } | Shape::Hex { .. } | Shape::FlatHex { .. } | Shape::Corners(_) => {
            let across = if dx.abs() > 0.01 { rx / dx.abs() } else { f64::MAX };
            let along = if dy.abs() > 0.01 { ry / dy.abs() } else { f64::MAX };
            across.min(along)
        }
    };
    // A road goes on under the oval of a town.
    let under = if space.keep.is_some() { 0.5 } else { 1.0 };
    let share = (share * under).min(1.0);
    (x + dx * share, y + dy * share)
}

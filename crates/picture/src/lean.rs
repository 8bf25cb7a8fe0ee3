//! To which side of a space its pieces grow, and which part of a board is played on: both follow from what is
//! printed, so they stay the same all game long.

use table::scene::{Board, Ground};

use crate::area::Area;
use crate::hexes::legend_height;
use crate::layout::{NamePlace, whole};
use crate::road::{Road, centre, footprint};

/// The sides, the best liked first: before a town, beside it, behind it, then aslant.
const SIDES: [(f64, f64); 8] =
    [(0.0, 1.0), (1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.8, 0.8), (-0.8, 0.8), (0.8, -0.8), (-0.8, -0.8)];

/// For each space the side on which two blocks by two cover least of names, roads and neighbours.
pub(crate) fn lean(
    board: &Board,
    block: f64,
    names: &[Option<NamePlace>],
    roads: &[Option<Road>],
    head: Option<&Area>,
) -> Vec<(f64, f64)> {
    if !matches!(board.ground, Ground::Plain | Ground::Levant { .. }) {
        return vec![SIDES[0]; board.spaces.len()];
    }
    let places: Vec<Area> = board.spaces.iter().map(footprint).collect();
    let ways: Vec<(f64, f64)> = roads.iter().flatten().flat_map(|r| r.steps(16)).collect();
    let whole = whole(board);
    let side = block * 2.1;
    let best = |i: usize| {
        let own = places[i];
        let cost = |(dx, dy): (f64, f64)| {
            let off = (dx * (own.w + side) / 2.0, dy * (own.h + side) / 2.0);
            let area = Area::around(own.centre(), side, side).moved(off.0, off.1);
            let mut cost = area.outside(&whole) * 6.0;
            cost += names.iter().flatten().map(|n| n.area.shared(&area) * 8.0).sum::<f64>();
            cost += places
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .map(|(_, p)| p.shared(&area) * 3.0)
                .sum::<f64>();
            cost += head.map_or(0.0, |h| h.shared(&area) * 8.0);
            cost + ways.iter().filter(|p| area.holds(**p)).count() as f64 * block * block * 0.06
        };
        let mut chosen = (f64::MAX, SIDES[0]);
        for (rank, dir) in SIDES.into_iter().enumerate() {
            let cost = cost(dir) + rank as f64 * block * block * 0.04;
            if cost < chosen.0 - 0.01 {
                chosen = (cost, dir);
            }
        }
        chosen.1
    };
    (0..places.len()).map(best).collect()
}

/// What is played on: all spaces and names, with room for pieces around them.
pub(crate) fn play(board: &Board, block: f64, names: &[Option<NamePlace>]) -> Area {
    let whole = whole(board);
    if !matches!(board.ground, Ground::Levant { .. }) || board.spaces.is_empty() {
        // What the colours and signs of hexagons mean belongs to them.
        return Area { h: whole.h + legend_height(board), ..whole };
    }
    let spaces = board.spaces.iter().filter(|s| !s.annex).map(|s| {
        let (x, y) = centre(s);
        let own = footprint(s);
        Area::around((x, y), own.w + block * 2.6, own.h + block * 2.6)
    });
    let names = names.iter().flatten().map(|n| n.area.grown(block * 0.4));
    let regions =
        board.regions.iter().map(|r| Area::around((f64::from(r.x), f64::from(r.y)), block * 4.0, block));
    let all = spaces.chain(names).chain(regions);
    let (mut left, mut top, mut right, mut bottom) = (f64::MAX, f64::MAX, f64::MIN, f64::MIN);
    for area in all {
        (left, top) = (left.min(area.x), top.min(area.y));
        (right, bottom) = (right.max(area.right()), bottom.max(area.bottom()));
    }
    let (left, top) = (left.max(0.0), top.max(0.0));
    Area { x: left, y: top, w: right.min(whole.w) - left, h: bottom.min(whole.h) - top }
}

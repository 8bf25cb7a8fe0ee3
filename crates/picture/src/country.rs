//! Regions as maps have them: all land in the tint of the space that is nearest to it, as far as there is one near,
//! with a soft border between one region and the next. What belongs where the spaces say; outlines are found here.

use std::collections::BTreeMap;

use table::scene::{Board, Ground, Tint};

use crate::ground::{rounded, token};
use crate::look::Look;
use crate::svg::Svg;

/// Tints that lie side by side, by day and by night.
const DAY: [&str; 6] = ["#b5654a", "#6f8f4a", "#c9973a", "#7d6a94", "#4f8f8a", "#a3824f"];
const NIGHT: [&str; 6] = ["#c77a5f", "#86a85e", "#d3a44c", "#9583b0", "#64a8a2", "#b3935f"];

/// The smallest region that is tinted.
const FEWEST: usize = 2;

/// A place on the grid of points at which it is asked which region is nearest.
type Point = (i32, i32);
/// A line around a part of a region, on the board.
type Outline = Vec<(i32, i32)>;

/// The regions that are tinted, by their names, each with the outlines of its parts.
fn outlines(board: &Board) -> Vec<(String, Vec<Outline>)> {
    let spaces: Vec<_> = board.spaces.iter().filter(|s| !s.annex && !s.region.is_empty()).collect();
    let mut names: Vec<&str> = Vec::new();
    for space in &spaces {
        if !names.contains(&space.region.as_str()) {
            names.push(&space.region);
        }
    }
    let told = |name: &str| board.regions.iter().any(|r| r.name == name && r.tint != Tint::Bare);
    names.retain(|name| !told(name) && spaces.iter().filter(|s| s.region == *name).count() >= FEWEST);
    if names.len() < 2 {
        return Vec::new();
    }
    let (w, h) = (f64::from(board.width), f64::from(board.height));
    let step = (w * h).sqrt() / 64.0;
    let far = (w * h / spaces.len() as f64).sqrt() * 0.9;
    let (columns, rows) = ((w / step).ceil() as i32, (h / step).ceil() as i32);
    let near = |column: i32, row: i32| -> Option<usize> {
        let (x, y) = ((f64::from(column) + 0.5) * step, (f64::from(row) + 0.5) * step);
        let away = |s: &&&table::scene::Space| (f64::from(s.x) - x).hypot(f64::from(s.y) - y);
        let found = spaces.iter().min_by(|a, b| away(a).total_cmp(&away(b)))?;
        if away(&found) > far {
            return None;
        }
        names.iter().position(|name| *name == found.region)
    };
    let cells: Vec<Option<usize>> = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (column, row)))
        .map(|(c, r)| near(c, r))
        .collect();
    let at = |column: i32, row: i32| {
        let inside = (0..columns).contains(&column) && (0..rows).contains(&row);
        inside.then(|| cells[(row * columns + column) as usize]).flatten()
    };
    let board_at = |points: &[Point]| -> Outline {
        smoothed(points).into_iter().map(|(x, y)| ((x * step) as i32, (y * step) as i32)).collect()
    };
    names
        .iter()
        .enumerate()
        .map(|(i, name)| {
            // The sides of its cells beyond which something else lies, each from its beginning to its end, the
            // region to the right of it.
            let mut sides: BTreeMap<Point, Vec<Point>> = BTreeMap::new();
            for (column, row) in (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))) {
                if at(column, row) != Some(i) {
                    continue;
                }
                let [nw, ne] = [(column, row), (column + 1, row)];
                let [sw, se] = [(column, row + 1), (column + 1, row + 1)];
                for (other, from, to) in [
                    (at(column, row - 1), nw, ne),
                    (at(column + 1, row), ne, se),
                    (at(column, row + 1), se, sw),
                    (at(column - 1, row), sw, nw),
                ] {
                    if other != Some(i) {
                        sides.entry(from).or_default().push(to);
                    }
                }
            }
            let mut loops = Vec::new();
            while let Some((&begin, _)) = sides.iter().next() {
                let (mut ring, mut here) = (vec![begin], begin);
                while let Some(next) = sides.get_mut(&here).and_then(Vec::pop) {
                    if sides.get(&here).is_some_and(Vec::is_empty) {
                        sides.remove(&here);
                    }
                    if next == begin {
                        break;
                    }
                    ring.push(next);
                    here = next;
                }
                // Single cells are no country.
                if ring.len() > 8 {
                    loops.push(board_at(&ring));
                }
            }
            ((*name).to_string(), loops)
        })
        .collect()
}

/// A ring of steps as a soft line: every second point, each in the midst of its neighbours.
fn smoothed(ring: &[Point]) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = ring.iter().map(|(x, y)| (f64::from(*x), f64::from(*y))).collect();
    for _ in 0..3 {
        let n = points.len();
        points = (0..n)
            .map(|i| {
                let (a, b, c) = (points[(i + n - 1) % n], points[i], points[(i + 1) % n]);
                ((a.0 + b.0 * 2.0 + c.0) / 4.0, (a.1 + b.1 * 2.0 + c.1) / 4.0)
            })
            .collect();
    }
    points.into_iter().step_by(2).collect()
}

/// Draws the tints of a map's regions, which end at the coast. Boxes on a bare sheet are no country.
pub(crate) fn tint(svg: &mut Svg, look: &Look<'_>, board: &Board) {
    if !matches!(board.ground, Ground::Levant { .. }) {
        return;
    }
    let outlines = outlines(board);
    if outlines.is_empty() {
        return;
    }
    let colours = if look.theme == levant::Theme::Night { NIGHT } else { DAY };
    let land = format!("url(#ground-{}-land)", token(&board.id));
    svg.tag("g").put("class", "country").put("clip-path", land).open();
    for (i, (_, loops)) in outlines.iter().enumerate() {
        let colour = colours[i % colours.len()];
        let d: String = loops.iter().map(|ring| rounded(ring)).collect();
        svg.tag("path")
            .put("d", d)
            .put("fill", colour)
            .put("fill-opacity", "0.13")
            .put("stroke", colour)
            .put("stroke-opacity", "0.55")
            .num("stroke-width", f64::from(board.width) * 0.0016)
            .put("stroke-dasharray", format!("{0} {0}", f64::from(board.width / 180)))
            .end();
    }
    svg.close("g");
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::scene::Space;

    fn space(id: &str, region: &str, x: i32, y: i32) -> Space {
        Space { id: id.into(), region: region.into(), x, y, ..Space::default() }
    }

    #[test]
    fn land_belongs_to_the_nearest_space() {
        let spaces = vec![
            space("a", "West", 200, 300),
            space("b", "West", 200, 700),
            space("c", "East", 800, 300),
            space("d", "East", 800, 700),
            space("e", "Alone", 500, 10),
        ];
        let board = Board { width: 1000, height: 1000, spaces, ..Board::default() };
        let found = outlines(&board);
        assert_eq!(found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["West", "East"]);
        for (name, rings) in &found {
            assert_eq!(rings.len(), 1, "{name} is one country");
            for (x, _) in &rings[0] {
                let inside = if name == "West" { (-20..=520).contains(x) } else { (480..=1020).contains(x) };
                assert!(inside, "{name} keeps to its side, not {x}");
            }
        }
        // What has no regions has no tints.
        let bare = Board { spaces: vec![space("a", "", 1, 1)], ..board };
        assert!(outlines(&bare).is_empty());
    }
}

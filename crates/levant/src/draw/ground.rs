//! What is land, coast and lake inside a frame, in board units: the base for every other layer.

use super::Canvas;
use super::path::{PathData, num};
use crate::frame::{MapFrame, Window};
use crate::geography::{LatLon, Levant};
use crate::shape::{
    Point, Rect, clip_line, clip_ring, from_segment, inside, simplify, simplify_ring, smooth_ring,
};

/// The widest stroke that follows the coast, as a distance from it in pen widths. The coast is kept this
/// far outside the window, so that wave lines do not break off at its sides.
pub(super) const REACH: f64 = 24.0;

/// A lake in board units.
pub(super) struct Lake {
    pub(super) name: String,
    pub(super) ring: Vec<Point>,
}

/// The ground of one frame.
pub(super) struct Ground {
    pub(super) rect: Rect,
    pub(super) pen: f64,
    /// How far a line may stray from its true course.
    pub(super) tolerance: f64,
    /// Land, cut to the frame.
    pub(super) land: Vec<Vec<Point>>,
    /// Coastlines, cut to a little more than the frame.
    pub(super) coast: Vec<Vec<Point>>,
    pub(super) lakes: Vec<Lake>,
}

impl Ground {
    pub(super) fn new(levant: &Levant, frame: &MapFrame) -> Ground {
        let rect =
            Rect { left: 0.0, top: 0.0, right: f64::from(frame.width()), bottom: f64::from(frame.height()) };
        let pen = super::pen(frame);
        let tolerance = 0.4 * pen;
        let wide = rect.grown(REACH * pen);
        let (mut land, mut coast) = (Vec::new(), Vec::new());
        for outline in &levant.land {
            let outline = rounded(outline);
            let ring: Vec<Point> = outline.iter().map(|p| at(frame, *p)).collect();
            let cut = simplify_ring(&clip_ring(&ring, rect), tolerance);
            if cut.len() >= 3 {
                land.push(cut);
            }
            for line in coastlines(&outline) {
                let line: Vec<Point> = line.iter().map(|p| at(frame, *p)).collect();
                for piece in clip_line(&line, wide) {
                    // A closed line is thinned in two halves: its ends coincide.
                    let middle = piece.len() / 2;
                    let mut thin = simplify(&piece[..=middle], tolerance);
                    thin.pop();
                    thin.extend(simplify(&piece[middle..], tolerance));
                    coast.push(thin);
                }
            }
        }
        let lakes = levant
            .lakes
            .iter()
            .filter_map(|lake| {
                let ring: Vec<Point> = lake.outline.iter().map(|p| at(frame, *p)).collect();
                let ring =
                    simplify_ring(&clip_ring(&smooth_ring(&ring, 6), rect.grown(2.0 * pen)), tolerance);
                (ring.len() >= 3).then(|| Lake { name: lake.name.clone(), ring })
            })
            .collect();
        Ground { rect, pen, tolerance, land, coast, lakes }
    }

    pub(super) fn has_land(&self) -> bool {
        !self.land.is_empty()
    }

    pub(super) fn on_land(&self, point: Point) -> bool {
        self.land.iter().any(|ring| inside(ring, point))
    }

    pub(super) fn in_lake(&self, point: Point) -> bool {
        self.lakes.iter().any(|lake| inside(&lake.ring, point))
    }

    /// How far a point lies from the nearest coast.
    pub(super) fn coast_distance(&self, point: Point) -> f64 {
        self.coast
            .iter()
            .flat_map(|line| line.windows(2))
            .map(|pair| from_segment(point, pair[0], pair[1]))
            .fold(f64::MAX, f64::min)
    }
}

/// A place in board units.
pub(super) fn at(frame: &MapFrame, place: LatLon) -> Point {
    let (x, y) = frame.place_exactly(place.lat, place.lon);
    [x, y]
}

/// Whether a point lies on a side of the charted ground, where the land is cut and not washed.
fn on_edge(p: LatLon) -> bool {
    let all = Window::CHARTED;
    p.lon == all.west() || p.lon == all.east() || p.lat == all.south() || p.lat == all.north()
}

fn on_same_edge(a: LatLon, b: LatLon) -> bool {
    on_edge(a) && on_edge(b) && (a.lon == b.lon || a.lat == b.lat)
}

/// Rounds the corners of a coast twice (Chaikin), leaving the sides of the charted ground as they are.
fn rounded(outline: &[LatLon]) -> Vec<LatLon> {
    let between = |a: LatLon, b: LatLon, t: f64| LatLon {
        lat: a.lat + (b.lat - a.lat) * t,
        lon: a.lon + (b.lon - a.lon) * t,
    };
    let mut ring = outline.to_vec();
    for _ in 0..2 {
        let mut next: Vec<LatLon> = Vec::with_capacity(ring.len() * 2);
        for (i, &a) in ring.iter().enumerate() {
            let b = ring[(i + 1) % ring.len()];
            for p in [
                if on_edge(a) { a } else { between(a, b, 0.25) },
                if on_edge(b) { b } else { between(a, b, 0.75) },
            ] {
                if next.last() != Some(&p) {
                    next.push(p);
                }
            }
        }
        if next.first() == next.last() {
            next.pop();
        }
        ring = next;
    }
    ring
}

/// The parts of an outline that are shore. Where the shore runs off the charted ground it is drawn on a
/// little, straight out, so that wave lines run out of the picture too.
fn coastlines(ring: &[LatLon]) -> Vec<Vec<LatLon>> {
    let n = ring.len();
    let Some(cut) = (0..n).find(|&i| on_same_edge(ring[i], ring[(i + 1) % n])) else {
        let mut closed = ring.to_vec();
        closed.extend(ring.first());
        return vec![closed];
    };
    let mut lines: Vec<Vec<LatLon>> = Vec::new();
    let mut line: Vec<LatLon> = Vec::new();
    for step in 1..=n {
        let (a, b) = (ring[(cut + step) % n], ring[(cut + step + 1) % n]);
        if on_same_edge(a, b) {
            if !line.is_empty() {
                line.push(beyond(a));
                lines.push(std::mem::take(&mut line));
            }
        } else {
            if line.is_empty() {
                line.extend([beyond(a), a]);
            }
            line.push(b);
        }
    }
    lines
}

/// A point a degree outside the charted ground, straight out from a point on its side.
fn beyond(p: LatLon) -> LatLon {
    let all = Window::CHARTED;
    let out = |v: f64, low: f64, high: f64| {
        if v == low {
            v - 1.0
        } else if v == high {
            v + 1.0
        } else {
            v
        }
    };
    LatLon { lat: out(p.lat, all.south(), all.north()), lon: out(p.lon, all.west(), all.east()) }
}

/// The shapes that other layers refer to by id: the window, the land and the coast.
pub(super) fn define(canvas: &mut Canvas<'_>, ground: &Ground) {
    let id = canvas.id;
    let (width, height) = (num(ground.rect.right), num(ground.rect.bottom));
    let (mut land, mut coast) = (PathData::default(), PathData::default());
    for ring in &ground.land {
        land.ring(ring);
    }
    for line in &ground.coast {
        match line.split_last() {
            Some((last, ring)) if line.len() > 3 && line.first() == Some(last) => coast.ring(ring),
            _ => coast.line(line),
        }
    }
    canvas.put(format_args!(
        r#"<defs><clipPath id="{id}-window"><rect width="{width}" height="{height}"/></clipPath>"#
    ));
    if ground.has_land() {
        let land = land.into_text();
        canvas.put(format_args!(r#"<path id="{id}-ground" d="{land}"/>"#));
        canvas.put(format_args!(r##"<clipPath id="{id}-land"><use href="#{id}-ground"/></clipPath>"##));
    }
    let coast = coast.into_text();
    canvas.put(format_args!(r#"<path id="{id}-coast" d="{coast}"/></defs>"#));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::area;
    use proptest::prelude::*;

    fn ground(west: f64, south: f64, east: f64, north: f64) -> Ground {
        let frame = MapFrame::new(Window::new(west, south, east, north).unwrap(), 1000).unwrap();
        Ground::new(Levant::built_in(), &frame)
    }

    #[test]
    fn a_window_in_the_open_sea_has_no_land() {
        let ground = ground(29.0, 32.5, 31.0, 34.0);
        assert!(!ground.has_land() && ground.coast.is_empty() && ground.lakes.is_empty());
    }

    #[test]
    fn a_window_inland_is_land_from_corner_to_corner() {
        let ground = ground(38.0, 31.0, 41.0, 33.0);
        let [ring] = ground.land.as_slice() else { panic!("{} pieces of land", ground.land.len()) };
        assert_eq!(area(ring).abs(), ground.rect.right * ground.rect.bottom);
        assert!(ground.coast.is_empty());
    }

    #[test]
    fn towns_stand_on_land_and_ships_on_water() {
        let frame = MapFrame::new(Window::CHARTED, 3000).unwrap();
        let ground = Ground::new(Levant::built_in(), &frame);
        for city in &Levant::built_in().cities {
            let here = at(&frame, city.place);
            // Harbours may stand a step into the sea: the coast is simplified.
            assert!(ground.on_land(here) || ground.coast_distance(here) < 12.0, "{} is at sea", city.name);
        }
        for (lat, lon) in [(33.5, 33.0), (27.3, 34.6), (42.2, 33.0), (38.5, 25.6)] {
            assert!(!ground.on_land(at(&frame, LatLon { lat, lon })), "{lat} N, {lon} E is land");
        }
        assert!(ground.in_lake(at(&frame, LatLon { lat: 31.5, lon: 35.48 })), "the Dead Sea is dry");
    }

    #[test]
    fn the_sides_of_the_charted_ground_are_no_coast() {
        let frame = MapFrame::new(Window::CHARTED, 1000).unwrap();
        let ground = Ground::new(Levant::built_in(), &frame);
        let rect = ground.rect;
        for pair in ground.coast.iter().flat_map(|line| line.windows(2)) {
            for (axis, side) in [(0, rect.left), (0, rect.right), (1, rect.top), (1, rect.bottom)] {
                let on = |p: Point| (p[axis] - side).abs() < 0.01;
                assert!(!(on(pair[0]) && on(pair[1])), "{pair:?} runs along a side");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn no_land_lies_outside_the_window(west in 25.0..42.0f64, south in 26.5..41.0f64, wide in 1.0..10.0f64, high in 1.0..10.0f64) {
            let ground = ground(west, south, (west + wide).min(44.0), (south + high).min(42.5));
            let whole = ground.rect.right * ground.rect.bottom;
            let mut sum = 0.0;
            for ring in &ground.land {
                prop_assert!(ring.iter().all(|&p| ground.rect.contains(p)));
                sum += area(ring).abs();
            }
            prop_assert!(sum <= whole * 1.0001, "{sum} of {whole}");
            for line in &ground.coast {
                prop_assert!(line.iter().all(|&p| ground.rect.grown(REACH * ground.pen + 0.001).contains(p)));
            }
        }
    }
}

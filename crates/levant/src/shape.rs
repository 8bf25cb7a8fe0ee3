//! Plane geometry for the drawing: cutting to a rectangle, thinning, rounding, measuring along lines.
//!
//! Plain functions over points. All of them use `+ - * /` and square roots only.

use crate::geography::LatLon;

/// A point in board units, `[x, y]`.
pub(crate) type Point = [f64; 2];

/// An upright rectangle in board units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Rect {
    /// The rectangle with `by` more on every side (or less, where `by` is negative).
    pub(crate) fn grown(self, by: f64) -> Rect {
        Rect { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    pub(crate) fn contains(self, [x, y]: Point) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }
}

pub(crate) fn mix(a: Point, b: Point, t: f64) -> Point {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

pub(crate) fn distance(a: Point, b: Point) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    (dx * dx + dy * dy).sqrt()
}

/// Cuts a closed ring to a rectangle (Sutherland and Hodgman): one side after the other. What is left may
/// run back and forth along a side, which fills correctly.
pub(crate) fn clip_ring(ring: &[Point], rect: Rect) -> Vec<Point> {
    // A side is an axis, a bound, and whether the inside is above it.
    let sides = [(0, rect.left, true), (0, rect.right, false), (1, rect.top, true), (1, rect.bottom, false)];
    let mut ring = ring.to_vec();
    for (axis, bound, above) in sides {
        let inside = |p: Point| if above { p[axis] >= bound } else { p[axis] <= bound };
        let mut cut = Vec::with_capacity(ring.len());
        for (i, &to) in ring.iter().enumerate() {
            let from = ring[(i + ring.len() - 1) % ring.len()];
            if inside(from) != inside(to) {
                let mut at = mix(from, to, (bound - from[axis]) / (to[axis] - from[axis]));
                at[axis] = bound;
                cut.push(at);
            }
            if inside(to) {
                cut.push(to);
            }
        }
        ring = cut;
    }
    ring.dedup();
    if ring.len() < 3 || area(&ring).abs() < 1e-9 { Vec::new() } else { ring }
}

/// Cuts an open line to a rectangle: the pieces that lie inside, in order.
pub(crate) fn clip_line(line: &[Point], rect: Rect) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    for pair in line.windows(2) {
        let Some((from, to)) = clip_segment(pair[0], pair[1], rect) else {
            open = false;
            continue;
        };
        match pieces.last_mut() {
            Some(piece) if open && piece.last() == Some(&from) => piece.push(to),
            _ => pieces.push(vec![from, to]),
        }
        open = to == pair[1];
    }
    pieces
}

/// Cuts a segment to a rectangle (Liang and Barsky).
pub(crate) fn clip_segment(from: Point, to: Point, rect: Rect) -> Option<(Point, Point)> {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    let d = [to[0] - from[0], to[1] - from[1]];
    for (step, room) in [
        (-d[0], from[0] - rect.left),
        (d[0], rect.right - from[0]),
        (-d[1], from[1] - rect.top),
        (d[1], rect.bottom - from[1]),
    ] {
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            enter = enter.max(room / step);
        } else {
            leave = leave.min(room / step);
        }
    }
    (enter < leave).then(|| {
        let start = if enter == 0.0 { from } else { mix(from, to, enter) };
        let end = if leave == 1.0 { to } else { mix(from, to, leave) };
        (start, end)
    })
}

/// Leaves out points that no eye would miss (Douglas and Peucker).
pub(crate) fn simplify(line: &[Point], tolerance: f64) -> Vec<Point> {
    if line.len() < 3 {
        return line.to_vec();
    }
    let mut keep = vec![false; line.len()];
    keep[0] = true;
    keep[line.len() - 1] = true;
    let mut spans = vec![(0, line.len() - 1)];
    while let Some((first, last)) = spans.pop() {
        let far = (first + 1..last)
            .map(|i| (i, from_segment(line[i], line[first], line[last])))
            .fold((first, tolerance), |far, (i, d)| if d > far.1 { (i, d) } else { far });
        if far.0 != first {
            keep[far.0] = true;
            spans.push((first, far.0));
            spans.push((far.0, last));
        }
    }
    line.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(p, _)| *p).collect()
}

/// [`simplify`] for a closed ring: split at the point farthest from the first.
pub(crate) fn simplify_ring(ring: &[Point], tolerance: f64) -> Vec<Point> {
    if ring.len() < 5 {
        return ring.to_vec();
    }
    let far = (0..ring.len())
        .fold(0, |best, i| if distance(ring[i], ring[0]) > distance(ring[best], ring[0]) { i } else { best });
    let mut thin = simplify(&ring[..=far], tolerance);
    thin.pop();
    let mut back = ring[far..].to_vec();
    back.push(ring[0]);
    thin.extend(simplify(&back, tolerance));
    thin.pop();
    thin
}

/// How far a point lies from a segment.
pub(crate) fn from_segment(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let square = dx * dx + dy * dy;
    if square == 0.0 {
        return distance(p, a);
    }
    let t = (((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square).clamp(0.0, 1.0);
    distance(p, [a[0] + dx * t, a[1] + dy * t])
}

/// The signed area of a ring.
pub(crate) fn area(ring: &[Point]) -> f64 {
    (0..ring.len())
        .map(|i| {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            a[0] * b[1] - b[0] * a[1]
        })
        .sum::<f64>()
        / 2.0
}

/// Whether a point lies inside a ring.
pub(crate) fn inside(ring: &[Point], [x, y]: Point) -> bool {
    let mut inside = false;
    for i in 0..ring.len() {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        if (a[1] > y) != (b[1] > y) && x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) {
            inside = !inside;
        }
    }
    inside
}

/// A smooth line through all the points of a line (Catmull and Rom), `steps` to each span.
pub(crate) fn smooth_line(line: &[Point], steps: u32) -> Vec<Point> {
    let mut smooth = Vec::with_capacity(line.len() * steps as usize);
    for i in 0..line.len().saturating_sub(1) {
        let before = if i == 0 { line[0] } else { line[i - 1] };
        let after = if i + 2 < line.len() { line[i + 2] } else { line[i + 1] };
        for step in 0..steps {
            smooth.push(spline(before, line[i], line[i + 1], after, f64::from(step) / f64::from(steps)));
        }
    }
    smooth.extend(line.last());
    smooth
}

/// [`smooth_line`] for a closed ring.
pub(crate) fn smooth_ring(ring: &[Point], steps: u32) -> Vec<Point> {
    let n = ring.len();
    let mut smooth = Vec::with_capacity(n * steps as usize);
    for i in 0..n {
        let [a, b, c, d] = [ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n], ring[(i + 2) % n]];
        for step in 0..steps {
            smooth.push(spline(a, b, c, d, f64::from(step) / f64::from(steps)));
        }
    }
    smooth
}

fn spline(a: Point, b: Point, c: Point, d: Point, t: f64) -> Point {
    let at = |k: usize| {
        let (t2, t3) = (t * t, t * t * t);
        0.5 * (2.0 * b[k]
            + (c[k] - a[k]) * t
            + (2.0 * a[k] - 5.0 * b[k] + 4.0 * c[k] - d[k]) * t2
            + (3.0 * b[k] - a[k] - 3.0 * c[k] + d[k]) * t3)
    };
    [at(0), at(1)]
}

/// Gives a coarse line the windings of a river: midpoints are shifted aside, by a hash of where they lie,
/// until the spans are short. In degrees, so the windings are the same in every frame.
pub(crate) fn winding(line: &[LatLon]) -> Vec<LatLon> {
    let mut wound = line.to_vec();
    for depth in 0..4u32 {
        let mut next = Vec::with_capacity(wound.len() * 2);
        for pair in wound.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let (dlat, dlon) = (b.lat - a.lat, (b.lon - a.lon) * 0.84);
            let length = (dlat * dlat + dlon * dlon).sqrt();
            next.push(a);
            if length > 0.05 {
                let seed = (a.lat * 1000.0) as i32 ^ ((b.lon * 1000.0) as i32).rotate_left(11);
                let aside = (hash(seed as u32, depth) - 0.5) * 0.3;
                next.push(LatLon {
                    lat: (a.lat + b.lat) / 2.0 + dlon * aside,
                    lon: (a.lon + b.lon) / 2.0 - dlat * aside / 0.84,
                });
            }
        }
        next.extend(wound.last());
        wound = next;
    }
    wound
}

/// The length of a line.
pub(crate) fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

/// The point at a distance along a line, with the direction of the line there (of length one).
pub(crate) fn along(line: &[Point], mut at: f64) -> (Point, Point) {
    let mut last = ([0.0, 0.0], [1.0, 0.0]);
    for pair in line.windows(2) {
        let span = distance(pair[0], pair[1]);
        if span == 0.0 {
            continue;
        }
        let direction = [(pair[1][0] - pair[0][0]) / span, (pair[1][1] - pair[0][1]) / span];
        if at <= span {
            return (mix(pair[0], pair[1], at / span), direction);
        }
        at -= span;
        last = (pair[1], direction);
    }
    last
}

/// A number from 0 up to 1 that looks random and never changes.
pub(crate) fn hash(a: u32, b: u32) -> f64 {
    let mut h = a.wrapping_mul(0x9E37_79B1) ^ b.wrapping_mul(0x85EB_CA77).rotate_left(15);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    h ^= h >> 15;
    f64::from(h >> 8) / f64::from(1u32 << 24)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RECT: Rect = Rect { left: 0.0, top: 0.0, right: 100.0, bottom: 60.0 };

    #[test]
    fn a_ring_around_the_rectangle_becomes_the_rectangle() {
        let ring = [[-50.0, -50.0], [300.0, -40.0], [200.0, 200.0], [-60.0, 150.0]];
        let cut = clip_ring(&ring, RECT);
        assert_eq!(area(&cut).abs(), 6000.0);
    }

    #[test]
    fn a_ring_beside_the_rectangle_becomes_nothing() {
        assert!(clip_ring(&[[110.0, 0.0], [150.0, 0.0], [150.0, 60.0]], RECT).is_empty());
        // Round a corner: it crosses two sides' lines but never the rectangle.
        assert!(clip_ring(&[[90.0, -50.0], [160.0, 10.0], [160.0, -50.0]], RECT).is_empty());
    }

    #[test]
    fn a_line_in_and_out_becomes_pieces() {
        let pieces =
            clip_line(&[[-10.0, 30.0], [50.0, 30.0], [50.0, 90.0], [80.0, 90.0], [80.0, 10.0]], RECT);
        assert_eq!(pieces, [vec![[0.0, 30.0], [50.0, 30.0], [50.0, 60.0]], vec![[80.0, 60.0], [80.0, 10.0]]]);
    }

    #[test]
    fn simplifying_keeps_corners_and_drops_the_straight() {
        let line = [[0.0, 0.0], [10.0, 0.1], [20.0, 0.0], [20.0, 10.0], [20.1, 20.0]];
        assert_eq!(simplify(&line, 0.5), [[0.0, 0.0], [20.0, 0.0], [20.1, 20.0]]);
    }

    proptest! {
        #[test]
        fn nothing_is_left_outside(ring in proptest::collection::vec((-200.0..300.0f64, -200.0..300.0f64), 3..30)) {
            let ring: Vec<Point> = ring.into_iter().map(|(x, y)| [x, y]).collect();
            let cut = clip_ring(&ring, RECT);
            prop_assert!(cut.iter().all(|&p| RECT.contains(p)), "{cut:?}");
            prop_assert!(area(&cut).abs() <= 6000.0 * (1.0 + ring.len() as f64));
            for piece in clip_line(&ring, RECT) {
                prop_assert!(piece.iter().all(|&p| RECT.grown(1e-6).contains(p)), "{piece:?}");
            }
        }

        #[test]
        fn what_is_inside_stays_inside(x in 1.0..99.0f64, y in 1.0..59.0f64) {
            let ring = [[-50.0, -50.0], [70.0, -40.0], [200.0, 200.0], [20.0, 20.0], [-60.0, 150.0]];
            let cut = clip_ring(&ring, RECT);
            prop_assert_eq!(inside(&ring, [x, y]), inside(&cut, [x, y]));
        }

        #[test]
        fn simplified_lines_stay_near(line in proptest::collection::vec((0.0..100.0f64, 0.0..60.0f64), 2..40), tolerance in 0.1..5.0f64) {
            let line: Vec<Point> = line.into_iter().map(|(x, y)| [x, y]).collect();
            let thin = simplify(&line, tolerance);
            for &p in &line {
                let near = thin.windows(2).map(|s| from_segment(p, s[0], s[1])).fold(f64::MAX, f64::min);
                prop_assert!(near <= tolerance + 1e-9);
            }
        }
    }
}

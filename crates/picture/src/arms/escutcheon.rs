//! The shields: their outlines, and how wide they are at each height.

use std::fmt::Write;
use std::sync::OnceLock;

use super::paint::{Box4, short};

/// The shape of a shield, which tells whose men bear it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Escutcheon {
    /// Latins.
    Heater,
    /// Saracens.
    Roundel,
    /// Greeks and Armenians.
    Kite,
    /// Nobody's men.
    Lozenge,
}

enum Edge {
    Line(f64, f64),
    Curve([f64; 6]),
}

use Edge::{Curve, Line};

/// The right half of an outline, from the top to the foot.
struct Half {
    start: (f64, f64),
    edges: &'static [Edge],
}

const HEATER: Half = Half {
    start: (0.0, -48.0),
    edges: &[Line(43.0, -48.0), Line(43.0, -8.0), Curve([43.0, 22.0, 23.0, 40.0, 0.0, 51.0])],
};
const ROUNDEL: Half = Half {
    start: (0.0, -49.0),
    edges: &[Curve([27.0, -49.0, 49.0, -27.0, 49.0, 0.0]), Curve([49.0, 27.0, 27.0, 49.0, 0.0, 49.0])],
};
const KITE: Half = Half {
    start: (0.0, -50.0),
    edges: &[Curve([26.0, -50.0, 39.0, -36.0, 39.0, -17.0]), Curve([39.0, 13.0, 17.0, 38.0, 0.0, 51.0])],
};
const LOZENGE: Half = Half { start: (0.0, -52.0), edges: &[Line(48.0, 0.0), Line(0.0, 52.0)] };

/// The lowest and the highest line whose width is kept.
const LINES: i32 = 52;

impl Escutcheon {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Heater, Self::Roundel, Self::Kite, Self::Lozenge];

    fn half(self) -> &'static Half {
        match self {
            Self::Heater => &HEATER,
            Self::Roundel => &ROUNDEL,
            Self::Kite => &KITE,
            Self::Lozenge => &LOZENGE,
        }
    }

    /// The smallest box around it.
    pub(super) fn area(self) -> Box4 {
        match self {
            Self::Heater => [-43.0, -48.0, 43.0, 51.0],
            Self::Roundel => [-49.0, -49.0, 49.0, 49.0],
            Self::Kite => [-39.0, -50.0, 39.0, 51.0],
            Self::Lozenge => [-48.0, -52.0, 48.0, 52.0],
        }
    }

    /// Where the eye finds its middle.
    pub(super) fn centre(self) -> (f64, f64) {
        match self {
            Self::Heater => (0.0, -5.0),
            Self::Roundel | Self::Lozenge => (0.0, 0.0),
            Self::Kite => (0.0, -9.0),
        }
    }

    /// Its outline, shrunk towards its middle.
    pub(super) fn path(self, scale: f64) -> String {
        let (half, (_, y)) = (self.half(), self.centre());
        let point = |(px, py): (f64, f64)| (short(px * scale), short(y + (py - y) * scale));
        let mut ends = vec![half.start];
        ends.extend(half.edges.iter().map(|edge| match edge {
            Line(x, y) | Curve([.., x, y]) => (*x, *y),
        }));
        let mut last = point(half.start);
        let mut path = format!("M{} {}", last.0, last.1);
        let mut draw = |controls: Option<[(f64, f64); 2]>, end: (f64, f64)| {
            let end = point(end);
            let _ = match controls.map(|[a, b]| (point(a), point(b))) {
                Some((a, b)) => write!(path, "C{} {} {} {} {} {}", a.0, a.1, b.0, b.1, end.0, end.1),
                None if end.1 == last.1 => write!(path, "H{}", end.0),
                None if end.0 == last.0 => write!(path, "V{}", end.1),
                None => write!(path, "L{} {}", end.0, end.1),
            };
            last = end;
        };
        for (edge, end) in half.edges.iter().zip(&ends[1..]) {
            match *edge {
                Line(..) => draw(None, *end),
                Curve([a, b, c, d, ..]) => draw(Some([(a, b), (c, d)]), *end),
            }
        }
        // And up again on the other side.
        for (edge, (x, y)) in half.edges.iter().zip(&ends).rev() {
            match *edge {
                Line(..) => draw(None, (-x, *y)),
                Curve([a, b, c, d, ..]) => draw(Some([(-c, d), (-a, b)]), (-x, *y)),
            }
        }
        path.replace(" -", "-") + "Z"
    }

    /// Half its width at a height; nothing above and below it.
    pub(super) fn reach(self, y: f64) -> f64 {
        static REACHES: [OnceLock<Vec<f64>>; 4] = [const { OnceLock::new() }; 4];
        let reaches = REACHES[self as usize].get_or_init(|| {
            let line = polyline(self.half());
            (-LINES..=LINES).map(|y| width(&line, f64::from(y))).collect()
        });
        let at = (y + f64::from(LINES)).clamp(0.0, f64::from(2 * LINES) - 0.001);
        let (index, part) = (at as usize, at - at.floor());
        reaches[index] * (1.0 - part) + reaches[index + 1] * part
    }
}

fn polyline(half: &Half) -> Vec<(f64, f64)> {
    let mut line = vec![half.start];
    for edge in half.edges {
        let (x0, y0) = line[line.len() - 1];
        match *edge {
            Line(x, y) => line.push((x, y)),
            Curve([a, b, c, d, x, y]) => line.extend((1..=32).map(|i| {
                let t = f64::from(i) / 32.0;
                let u = 1.0 - t;
                let mix = |p: f64, q: f64, r: f64, s: f64| {
                    u * u * u * p + 3.0 * u * u * t * q + 3.0 * u * t * t * r + t * t * t * s
                };
                (mix(x0, a, c, x), mix(y0, b, d, y))
            })),
        }
    }
    line
}

fn width(line: &[(f64, f64)], y: f64) -> f64 {
    let crossing = |pair: &[(f64, f64)]| {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        if y < y0.min(y1) || y > y0.max(y1) {
            return 0.0;
        }
        if y1 == y0 { x0.max(x1) } else { x0 + (x1 - x0) * (y - y0) / (y1 - y0) }
    };
    line.windows(2).map(crossing).fold(0.0, f64::max)
}

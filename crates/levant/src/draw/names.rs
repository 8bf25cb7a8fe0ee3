//! Lettering: names set along gentle curves, the large ones first, none over another, none cut off.
//!
//! A name is chosen only if its whole length fits into the window, on the right side of the shore, clear
//! of every name before it. What does not fit is left out: a calm map is worth more than a complete one.

use super::ground::{Ground, at};
use super::path::num;
use super::{BaseMap, Canvas, water};
use crate::frame::MapFrame;
use crate::geography::{Levant, NameKind};
use crate::shape::{Point, along, clip_line, distance, from_segment, length, mix, smooth_line};

/// The fonts, best first: free ones, then what a machine is likely to have.
pub(super) const FONTS: &str =
    "'EB Garamond','Libertinus Serif','Cormorant Garamond','DejaVu Serif',Georgia,serif";

/// How a name is lettered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hand {
    Sea,
    Land,
    Island,
    /// Along a river.
    River,
    /// Beside a lake.
    Shore,
    /// On a lake's own water.
    Lake,
    Range,
    City,
}

/// A name that has found its place.
pub(super) struct Label {
    text: String,
    hand: Hand,
    size: f64,
    spacing: f64,
    /// Beginning, middle and end of the line that the letters stand on.
    line: [Point; 3],
    /// Where a city stands.
    dot: Option<Point>,
}

impl Label {
    /// Circles that cover the letters.
    fn footprint(&self) -> Vec<(Point, f64)> {
        let [a, m, b] = self.line;
        let line = [a, mix(a, m, 0.5), m, mix(m, b, 0.5), b];
        let whole = length(&line);
        let count = (whole / (self.size * 0.5)) as u32 + 1;
        let mut circles: Vec<_> = (0..=count)
            .map(|i| {
                let (p, d) = along(&line, whole * f64::from(i) / f64::from(count));
                // The letters stand on the line: their middle is a third of their size above it.
                ([p[0] + d[1] * self.size * 0.32, p[1] - d[0] * self.size * 0.32], self.size * 0.5)
            })
            .collect();
        circles.extend(self.dot.map(|dot| (dot, self.size * 0.3)));
        circles
    }
}

/// Circles that cover all the letters of all the labels.
pub(super) fn footprints(labels: &[Label]) -> Vec<(Point, f64)> {
    labels.iter().flat_map(Label::footprint).collect()
}

/// About how wide a text is set in letters of size one, in a broad font: a narrow one leaves room.
fn width(text: &str) -> f64 {
    text.chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | '.' | '\'' | ' ' => 0.34,
            'f' | 'r' | 't' | '-' => 0.45,
            'm' | 'w' => 0.92,
            'M' | 'W' => 1.0,
            c if c.is_uppercase() => 0.74,
            _ => 0.6,
        })
        .sum()
}

struct Composer<'a> {
    frame: &'a MapFrame,
    ground: &'a Ground,
    labels: Vec<Label>,
    taken: Vec<(Point, f64)>,
    /// Rivers that are drawn, for names that should keep off them.
    rivers: Vec<Vec<Point>>,
}

/// Chooses the names of a map and their places.
pub(super) fn choose(map: &BaseMap, levant: &Levant, frame: &MapFrame, ground: &Ground) -> Vec<Label> {
    let mut composer = Composer { frame, ground, labels: Vec::new(), taken: Vec::new(), rivers: Vec::new() };
    if map.rivers {
        composer.rivers = levant.rivers.iter().map(|r| water::course(r, levant, frame)).collect();
    }
    if map.cities {
        composer.cities(levant);
    }
    if map.names {
        composer.names(levant);
    }
    if map.small_names {
        composer.lakes();
        if map.rivers {
            composer.rivers(levant);
        }
        if map.ranges {
            composer.ranges(levant);
        }
    }
    composer.labels
}

impl Composer<'_> {
    /// Keeps a label if it is inside the window, on its own element and clear of the others.
    fn offer(&mut self, label: Label) -> bool {
        let circles = label.footprint();
        let room = self.ground.rect.grown(-0.35 * label.size - 6.0 * self.ground.pen);
        let fits = circles.iter().all(|&(p, r)| {
            let element = match label.hand {
                Hand::Sea => !self.ground.on_land(p) && self.ground.coast_distance(p) > r,
                Hand::Land => self.ground.on_land(p) && !self.ground.in_lake(p),
                Hand::River | Hand::Shore | Hand::Range => {
                    self.ground.on_land(p)
                        && !self.ground.in_lake(p)
                        && self.ground.coast_distance(p) > 0.8 * r
                        && (label.hand == Hand::River || self.river_distance(p) > 0.8 * r)
                }
                Hand::Lake => self.ground.in_lake(p),
                Hand::Island => self.ground.coast_distance(p) > 0.6 * r,
                Hand::City => label.dot == Some(p) || !self.ground.in_lake(p),
            };
            element
                && room.contains(p)
                && self.taken.iter().all(|&(q, s)| distance(p, q) > r + s + 3.0 * self.ground.pen)
        });
        if fits {
            self.taken.extend(circles);
            self.labels.push(label);
        }
        fits
    }

    fn river_distance(&self, p: Point) -> f64 {
        let spans = self.rivers.iter().flat_map(|river| river.windows(2));
        spans.map(|pair| from_segment(p, pair[0], pair[1])).fold(f64::MAX, f64::min)
    }

    /// Sets a text on the middle of a line, spaced out up to `spread` of its size, and shrunk if it must be.
    fn set(&self, text: &str, hand: Hand, size: f64, spread: f64, line: &[Point]) -> Option<Label> {
        let whole = length(line);
        let letters = text.chars().count() as f64;
        let natural = width(text);
        let size = size.min(whole / (natural + 0.04 * letters));
        let spacing = ((whole / size - natural) / letters).clamp(0.02, spread) * size;
        let used = (natural * size + spacing * letters).min(whole);
        let point = |share: f64| along(line, (whole - used) / 2.0 + used * share).0;
        let line = [point(0.0), point(0.5), point(1.0)];
        (whole > 0.0).then(|| Label { text: text.to_owned(), hand, size, spacing, line, dot: None })
    }

    fn names(&mut self, levant: &Levant) {
        for kind in [NameKind::Sea, NameKind::Island, NameKind::Land] {
            for rank in 1..=4u8 {
                for name in levant.names.iter().filter(|n| n.kind == kind && n.rank == rank) {
                    if self.labels.iter().any(|l| l.text == name.name) {
                        continue;
                    }
                    let (hand, sizes, spread) = match kind {
                        NameKind::Sea => (Hand::Sea, [27.0, 20.0, 14.0, 11.0], 0.75),
                        NameKind::Land => (Hand::Land, [19.0, 15.0, 12.0, 10.0], 0.8),
                        NameKind::Island => (Hand::Island, [17.0, 15.0, 12.0, 10.0], 0.45),
                    };
                    let size = sizes[usize::from(rank - 1)] * self.ground.pen;
                    // Regions within regions are named only where there is room to look into them.
                    let close = self.frame.units_per_km(33.0) / self.ground.pen;
                    if kind == NameKind::Land && rank >= 3 && close < 1.0 {
                        continue;
                    }
                    let line = smooth_line(&name.line.map(|p| at(self.frame, p)), 8);
                    let room = self.ground.rect.grown(-0.5 * size - 8.0 * self.ground.pen);
                    let pieces = clip_line(&line, room);
                    let Some(piece) = pieces.iter().max_by(|a, b| length(a).total_cmp(&length(b))) else {
                        continue;
                    };
                    let least = if kind == NameKind::Island { 0.55 } else { 0.62 };
                    let text =
                        if kind == NameKind::Land { name.name.to_uppercase() } else { name.name.clone() };
                    if self.labels.iter().any(|l| l.text == text) {
                        continue;
                    }
                    if let Some(label) = self.set(&text, hand, size, spread, piece)
                        && label.size >= least * size
                    {
                        self.offer(label);
                    }
                }
            }
        }
    }

    fn lakes(&mut self) {
        let size = 10.0 * self.ground.pen;
        let ground = self.ground;
        for lake in &ground.lakes {
            let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
            for p in &lake.ring {
                for k in 0..2 {
                    low[k] = low[k].min(p[k]);
                    high[k] = high[k].max(p[k]);
                }
            }
            // A puddle needs no name.
            if high[0] - low[0] + high[1] - low[1] < 14.0 * ground.pen {
                continue;
            }
            let wide = width(&lake.name) * size + size * 0.5;
            let middle = mix(low, high, 0.5);
            let gap = 4.0 * ground.pen;
            let y = middle[1] + 0.35 * size;
            // On the water itself, level or upright, if the lake is large enough.
            let (x, half) = (middle[0] + 0.35 * size, wide / 2.0);
            let inside = [
                [[middle[0] - half, y], [middle[0] + half, y]],
                [[x, middle[1] + half], [x, middle[1] - half]],
                [[x, low[1] + size + wide], [x, low[1] + size]],
                [[x, low[1] + 3.0 * size + wide], [x, low[1] + 3.0 * size]],
            ];
            let set = |line: &[Point; 2]| self.set(&lake.name, Hand::Lake, size, 0.04, line);
            let labels: Vec<Label> = inside.iter().filter_map(set).collect();
            if labels.into_iter().any(|label| self.offer(label)) {
                continue;
            }
            for [x, y] in [
                [high[0] + gap, y],
                [low[0] - gap - wide, y],
                [middle[0] - wide / 2.0, high[1] + gap + 0.8 * size],
                [middle[0] - wide / 2.0, low[1] - gap],
            ] {
                let label = self.set(&lake.name, Hand::Shore, size, 0.04, &[[x, y], [x + wide, y]]);
                if label.is_some_and(|label| self.offer(label)) {
                    break;
                }
            }
        }
    }

    fn rivers(&mut self, levant: &Levant) {
        let size = 11.0 * self.ground.pen;
        for river in levant.rivers.iter().filter(|r| !r.name.contains('(')) {
            let course = water::course(river, levant, self.frame);
            self.beside(&river.name, Hand::River, size, 0.12, &course, 0.42);
        }
    }

    fn ranges(&mut self, levant: &Levant) {
        let size = 10.5 * self.ground.pen;
        for range in &levant.ranges {
            // A region may already have the name.
            if self.labels.iter().any(|l| l.text.eq_ignore_ascii_case(&range.name)) {
                continue;
            }
            // Nor do small hills need one from afar.
            if range.breadth_km < 10.0 && self.frame.units_per_km(33.0) < 2.5 * self.ground.pen {
                continue;
            }
            let crest: Vec<Point> = range.crest.iter().map(|p| at(self.frame, *p)).collect();
            let middle = range.crest[range.crest.len() / 2];
            let breadth = range.breadth_km * self.frame.units_per_km(middle.lat);
            // In the midst of the mountains, or beside them where they are few.
            let lift = if breadth > 4.5 * size { -0.34 } else { breadth / 2.0 / size + 0.1 };
            self.beside(&range.name, Hand::Range, size, 0.35, &smooth_line(&crest, 6), lift);
        }
    }

    /// Sets a name along the straightest stretch of a line that has room: on it if `lift` is negative, else
    /// `lift` of its size clear of it, above or below.
    fn beside(&mut self, text: &str, hand: Hand, size: f64, spread: f64, line: &[Point], lift: f64) {
        let room = self.ground.rect.grown(-size);
        let natural = width(text) * size;
        let mut places: Vec<(f64, Vec<Point>)> = Vec::new();
        for piece in clip_line(line, room) {
            let whole = length(&piece);
            let wanted = (natural + spread * size * text.chars().count() as f64).min(whole);
            if wanted < natural * 1.03 {
                continue;
            }
            let steps = ((whole - wanted) / size) as u32 + 1;
            for i in 0..=steps {
                let start = (whole - wanted) * f64::from(i) / f64::from(steps);
                let mut stretch: Vec<Point> =
                    (0..=8).map(|k| along(&piece, start + wanted * f64::from(k) / 8.0).0).collect();
                if stretch[8][0] < stretch[0][0] {
                    stretch.reverse();
                }
                let chord = distance(stretch[0], stretch[8]);
                if chord < 0.9 * wanted || chord < natural {
                    continue;
                }
                // Lean towards the level, the straight and the middle.
                let slope = (stretch[8][1] - stretch[0][1]).abs() / chord;
                let middle = ((start + wanted / 2.0) / whole - 0.5).abs();
                let cost = (wanted / chord - 1.0) * 8.0 + slope * 0.5 + middle * 0.6;
                let d = [(stretch[8][0] - stretch[0][0]) / chord, (stretch[8][1] - stretch[0][1]) / chord];
                // Flatten the curve: letters on a sharp bend fall over each other.
                let m = mix(mix(stretch[3], stretch[5], 0.5), stretch[4], 0.34);
                let m = mix(mix(stretch[0], stretch[8], 0.5), m, 0.6);
                let curve = smooth_line(&[stretch[0], m, stretch[8]], 6);
                // How far the line itself strays above and below the curve.
                let (mut above, mut below) = (0.0f64, 0.0f64);
                for k in 0..=24 {
                    let share = f64::from(k) / 24.0;
                    let p = along(&piece, start + wanted * share).0;
                    let nearest = curve
                        .iter()
                        .fold(curve[0], |n, &c| if distance(c, p) < distance(n, p) { c } else { n });
                    let height = (p[0] - nearest[0]) * d[1] - (p[1] - nearest[1]) * d[0];
                    above = above.max(height);
                    below = below.min(height);
                }
                // Above the line the letters' feet must be clear of it; below, their heads.
                let lifts = if lift < 0.0 {
                    vec![(0.0, lift * size)]
                } else {
                    vec![
                        (above / size, above + lift * size),
                        (0.15 - below / size, below - (lift + 0.75) * size),
                    ]
                };
                for (more, by) in lifts {
                    let curve = curve.iter().map(|p| [p[0] + d[1] * by, p[1] - d[0] * by]).collect();
                    places.push((cost + more, curve));
                }
            }
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, curve) in places {
            if self.set(text, hand, size, spread, &curve).is_some_and(|label| self.offer(label)) {
                return;
            }
        }
    }

    fn cities(&mut self, levant: &Levant) {
        let size = 11.0 * self.ground.pen;
        for city in &levant.cities {
            if !self.frame.contains(city.place.lat, city.place.lon) {
                continue;
            }
            let [x, y] = at(self.frame, city.place);
            let (wide, gap) = (width(&city.name) * size + size * 0.4, 6.0 * self.ground.pen);
            for (left, base) in [
                (x + gap, y + 0.35 * size),
                (x - gap - wide, y + 0.35 * size),
                (x - wide / 2.0, y + gap + 0.75 * size),
                (x - wide / 2.0, y - gap),
            ] {
                let label =
                    self.set(&city.name, Hand::City, size, 0.02, &[[left, base], [left + wide, base]]);
                let label = label.map(|label| Label { dot: Some([x, y]), ..label });
                if label.is_some_and(|label| self.offer(label)) {
                    break;
                }
            }
        }
    }
}

/// Draws the labels, hand by hand.
pub(super) fn letter(canvas: &mut Canvas<'_>, labels: &[Label]) {
    if labels.is_empty() {
        return;
    }
    let (p, id) = (canvas.palette, canvas.id);
    canvas.put(format_args!("<defs>"));
    for (i, label) in labels.iter().enumerate() {
        canvas.put(format_args!(r#"<path id="{id}-n{i}" d="{}"/>"#, curve(label.line)));
    }
    canvas.put(format_args!(
        r#"</defs><g class="levant-names" font-family="{FONTS}" text-anchor="middle" paint-order="stroke" stroke-opacity=".55" stroke-width="{}">"#,
        canvas.width(2.6)
    ));
    for hand in
        [Hand::Sea, Hand::Lake, Hand::Land, Hand::Island, Hand::Shore, Hand::River, Hand::Range, Hand::City]
    {
        let (class, colour, italic) = match hand {
            Hand::Sea => ("sea", p.sea_name, true),
            Hand::Lake => ("lake", p.sea_name, true),
            Hand::Shore => ("shore", p.sea_name, true),
            Hand::Land => ("land", p.land_name, false),
            Hand::Island => ("island", p.land_name, true),
            Hand::River => ("river", p.sea_name, true),
            Hand::Range => ("range", p.peak, true),
            Hand::City => ("city", p.ink, false),
        };
        let style = if italic { "italic" } else { "normal" };
        // A breath of the ground around the letters, where lines may run beneath them.
        let halo = match hand {
            Hand::Sea | Hand::Lake => "none".to_owned(),
            _ => p.land.to_string(),
        };
        let mut opened = false;
        for (i, label) in labels.iter().enumerate().filter(|(_, label)| label.hand == hand) {
            if !opened {
                canvas.put(format_args!(
                    r#"<g class="levant-name levant-name-{class}" fill="{colour}" stroke="{halo}" font-style="{style}">"#
                ));
                opened = true;
            }
            if let Some([x, y]) = label.dot.map(|dot| dot.map(num)) {
                let (r, width) = (canvas.width(2.3), canvas.width(1.1));
                canvas.put(format_args!(
                    r#"<circle class="levant-city" cx="{x}" cy="{y}" r="{r}" fill="{}" stroke="{colour}" stroke-width="{width}" stroke-opacity="1"/>"#,
                    p.paper
                ));
            }
            let (size, spacing, text) = (num(label.size), num(label.spacing), escaped(&label.text));
            canvas.put(format_args!(
                r##"<text font-size="{size}" letter-spacing="{spacing}"><textPath href="#{id}-n{i}" startOffset="50%">{text}</textPath></text>"##
            ));
        }
        if opened {
            canvas.put(format_args!("</g>"));
        }
    }
    canvas.put(format_args!("</g>"));
}

/// A curve through three points, drawn on a little at both ends for fonts that run wider.
fn curve([a, m, b]: [Point; 3]) -> String {
    let bend = [2.0 * m[0] - (a[0] + b[0]) / 2.0, 2.0 * m[1] - (a[1] + b[1]) / 2.0];
    let on = |t: f64| mix(mix(a, bend, t), mix(bend, b, t), t);
    let (start, middle, end) = (on(-0.12), on(0.5), on(1.12));
    let bend = [2.0 * middle[0] - (start[0] + end[0]) / 2.0, 2.0 * middle[1] - (start[1] + end[1]) / 2.0];
    let [sx, sy, cx, cy, ex, ey] = [start[0], start[1], bend[0], bend[1], end[0], end[1]].map(num);
    format!("M{sx} {sy}Q{cx} {cy} {ex} {ey}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

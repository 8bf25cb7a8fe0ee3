//! What mapmakers put around the land: graticule, compass rose, scale bar and a border with degrees.

use super::Canvas;
use super::ground::Ground;
use super::names::FONTS;
use super::path::{PathData, num};
use crate::frame::MapFrame;
use crate::shape::{Point, Rect, clip_segment, distance};

/// How far the border reaches out of the frame, in pen widths.
pub(super) const MARGIN: f64 = 27.0;

/// Sines of the points of the compass, from 0° to 90° in steps of 11¼°.
const SINES: [f64; 9] = [
    0.0,
    0.195_090_322_016_128_27,
    0.382_683_432_365_089_8,
    0.555_570_233_019_602_2,
    std::f64::consts::FRAC_1_SQRT_2,
    0.831_469_612_302_545_2,
    0.923_879_532_511_286_7,
    0.980_785_280_403_230_4,
    1.0,
];

/// The direction of one of the 32 points of the compass, clockwise from north.
fn compass(point: usize) -> Point {
    let sine = |k: usize| match k % 32 {
        k @ 0..=8 => SINES[k],
        k @ 9..=16 => SINES[16 - k],
        k @ 17..=24 => -SINES[k - 16],
        k => -SINES[32 - k],
    };
    [sine(point), -sine(point + 8)]
}

/// A compass rose that has found room on the sea.
pub(super) struct Rose {
    centre: Point,
    radius: f64,
}

/// How far a point on the sea is from land, the window's sides and everything that is already there.
fn clearance(ground: &Ground, taken: &[(Point, f64)], p: Point) -> f64 {
    if ground.on_land(p) || !ground.rect.contains(p) {
        return 0.0;
    }
    let r = ground.rect;
    let side = (p[0] - r.left).min(r.right - p[0]).min(p[1] - r.top).min(r.bottom - p[1]);
    let other = taken.iter().map(|&(q, s)| distance(p, q) - s).fold(f64::MAX, f64::min);
    ground.coast_distance(p).min(side).min(other)
}

/// Looks over the sea, point by point, for the place that `worth` likes best.
fn best_place(rect: Rect, worth: impl Fn(Point) -> f64) -> Option<Point> {
    const STEPS: u32 = 36;
    let mut best: Option<(f64, Point)> = None;
    for row in 1..STEPS {
        for column in 1..STEPS {
            let share = |k: u32, size: f64| size * f64::from(k) / f64::from(STEPS);
            let p = [share(column, rect.right), share(row, rect.bottom)];
            let value = worth(p);
            if value > 0.0 && best.is_none_or(|(most, _)| value > most) {
                best = Some((value, p));
            }
        }
    }
    best.map(|(_, p)| p)
}

pub(super) fn place_rose(ground: &Ground, taken: &mut Vec<(Point, f64)>) -> Option<Rose> {
    for radius in [44.0, 32.0, 24.0].map(|r| r * ground.pen) {
        let room = 1.5 * radius;
        // Any place with room enough will do: the farther south and west, the better.
        let place = best_place(ground.rect, |p| {
            let clear = clearance(ground, taken, p);
            if clear < room {
                return 0.0;
            }
            1.0 + clear.min(2.2 * radius) / radius + p[1] / ground.rect.bottom
                - 0.5 * p[0] / ground.rect.right
        });
        if let Some(centre) = place {
            taken.push((centre, 1.3 * radius));
            return Some(Rose { centre, radius });
        }
    }
    None
}

/// The rhumb lines that run from the rose across the sea.
pub(super) fn rhumbs(canvas: &mut Canvas<'_>, ground: &Ground, rose: &Rose) {
    let mut path = PathData::default();
    let far = ground.rect.right + ground.rect.bottom;
    let reach = |k: usize, by: f64| {
        let d = compass(k);
        [rose.centre[0] + d[0] * by, rose.centre[1] + d[1] * by]
    };
    for k in (0..32).step_by(2) {
        if let Some((from, to)) = clip_segment(reach(k, rose.radius * 1.12), reach(k, far), ground.rect) {
            path.line(&[from, to]);
        }
    }
    let (path, colour, width) = (path.into_text(), canvas.palette.wave, canvas.width(0.6));
    canvas.put(format_args!(
        r#"<path class="levant-rhumb" d="{path}" fill="none" stroke="{colour}" stroke-opacity=".45" stroke-width="{width}"/>"#
    ));
}

pub(super) fn rose(canvas: &mut Canvas<'_>, rose: &Rose) {
    let p = canvas.palette;
    let (ink, light) = (p.ink, p.sea.mixed(p.paper, 60));
    let (x, y) = (num(rose.centre[0]), num(rose.centre[1]));
    let r = rose.radius;
    let (hair, thin) = (canvas.width(0.5), canvas.width(0.8));
    canvas.put(format_args!(
        r#"<g class="levant-rose" transform="translate({x} {y})" stroke="{ink}" stroke-width="{hair}" opacity=".8">"#
    ));
    canvas.put(format_args!(
        r#"<g fill="none"><circle r="{}" stroke-width="{thin}"/><circle r="{}"/><circle r="{}"/></g>"#,
        num(r * 0.72),
        num(r * 0.67),
        num(r * 0.3)
    ));
    // Short rays beneath long ones; each ray has a dark and a light half.
    let at = |k: usize, by: f64| compass(k).map(|v| v * by * r);
    for (first, step, long, waist) in [(2, 4, 0.62, 0.2), (4, 8, 0.82, 0.2), (0, 8, 1.0, 0.2)] {
        let (mut dark, mut bright) = (PathData::default(), PathData::default());
        let half = step / 2;
        for k in (first..32).step_by(step) {
            bright.ring(&[[0.0, 0.0], at(k + 32 - half, waist), at(k, long)]);
            dark.ring(&[[0.0, 0.0], at(k + half, waist), at(k, long)]);
        }
        let (dark, bright) = (dark.into_text(), bright.into_text());
        canvas.put(format_args!(r#"<path d="{bright}" fill="{light}"/><path d="{dark}" fill="{ink}"/>"#));
    }
    // North: a small lily.
    let lily = format!(
        r#"<path transform="translate(0 {}) scale({})" d="M0-13Q3.4-8 0-3.4Q-3.4-8 0-13M1-3.6Q5.6-9 7-5.4Q7-3 4.6-3.2M-1-3.6Q-5.6-9-7-5.4Q-7-3-4.6-3.2M-2.6-2.4h5.2M0-3.4v4" fill="{ink}" stroke-width="1"/>"#,
        num(-r * 1.03),
        (r / 44.0 * 1000.0).round() / 1000.0
    );
    canvas.put(format_args!("{lily}</g>"));
}

/// A scale bar that has found room on the sea.
pub(super) struct Scale {
    start: Point,
    km: i32,
    length: f64,
}

pub(super) fn place_scale(frame: &MapFrame, ground: &Ground, taken: &mut Vec<(Point, f64)>) -> Option<Scale> {
    let km = [10, 20, 50, 100, 200, 500]
        .into_iter()
        .rfind(|km| f64::from(*km) * frame.units_per_km(33.0) <= 0.2 * ground.rect.right)?;
    let reach = |y: f64| f64::from(km) * frame.units_per_km(frame.locate(0.0, y).0);
    let room = 20.0 * ground.pen;
    let points = |p: Point| {
        let half = reach(p[1]) / 2.0;
        [-1.0, -0.5, 0.0, 0.5, 1.0].map(|share| [p[0] + half * share, p[1] - 3.0 * ground.pen])
    };
    let middle = best_place(ground.rect, |p| {
        if points(p).into_iter().any(|q| clearance(ground, taken, q) < room) {
            return 0.0;
        }
        1.0 + p[1] / ground.rect.bottom - 0.3 * p[0] / ground.rect.right
    })?;
    taken.extend(points(middle).map(|p| (p, room)));
    let length = reach(middle[1]);
    Some(Scale { start: [middle[0] - length / 2.0, middle[1]], km, length })
}

pub(super) fn scale(canvas: &mut Canvas<'_>, scale: &Scale) {
    let ink = canvas.palette.ink;
    let light = canvas.palette.sea.mixed(canvas.palette.paper, 60);
    let pen = canvas.pen;
    let (x, y) = (num(scale.start[0]), num(scale.start[1]));
    let (quarter, high) = (scale.length / 4.0, 4.0 * pen);
    canvas.put(format_args!(
        r#"<g class="levant-scale" transform="translate({x} {y})" opacity=".8"><rect width="{}" height="{}" fill="{light}" stroke="{ink}" stroke-width="{}"/>"#,
        num(scale.length),
        num(high),
        canvas.width(0.7)
    ));
    let (quarter_width, third) = (num(quarter), num(quarter * 2.0));
    canvas.put(format_args!(
        r#"<path d="M0 0h{quarter_width}v{h}H0zM{third} 0h{quarter_width}v{h}h-{quarter_width}z" fill="{ink}"/>"#,
        h = num(high)
    ));
    canvas.put(format_args!(
        r#"<g font-family="{FONTS}" font-size="{}" fill="{ink}" text-anchor="middle">"#,
        num(9.5 * pen)
    ));
    let (whole, lift) = (num(scale.length), num(-4.5 * pen));
    canvas.put(format_args!(
        r#"<text y="{lift}">0</text><text x="{}" y="{lift}">{}</text><text x="{whole}" y="{lift}">{} km</text></g></g>"#,
        num(scale.length / 2.0),
        scale.km / 2,
        scale.km
    ));
}

/// Degrees between two lines of the graticule: so that there are a handful of them.
fn degrees(frame: &MapFrame) -> f64 {
    let span =
        (frame.window().east() - frame.window().west()).max(frame.window().north() - frame.window().south());
    [0.1, 0.25, 0.5, 1.0, 2.0].into_iter().find(|step| span / step <= 12.0).unwrap_or(2.0)
}

/// The multiples of a step strictly between two bounds.
fn multiples(step: f64, low: f64, high: f64) -> impl Iterator<Item = f64> {
    let first = (low / step).floor() as i32 + 1;
    let last = (high / step).ceil() as i32 - 1;
    (first..=last).map(move |k| f64::from(k) * step)
}

pub(super) fn graticule(canvas: &mut Canvas<'_>, frame: &MapFrame) {
    let (w, step) = (frame.window(), degrees(frame));
    let (right, bottom) = (f64::from(frame.width()), f64::from(frame.height()));
    let mut path = PathData::default();
    for lon in multiples(step, w.west(), w.east()) {
        let x = frame.place_exactly(w.north(), lon).0;
        path.line(&[[x, 0.0], [x, bottom]]);
    }
    for lat in multiples(step, w.south(), w.north()) {
        let y = frame.place_exactly(lat, w.west()).1;
        path.line(&[[0.0, y], [right, y]]);
    }
    let (path, ink, width) = (path.into_text(), canvas.palette.ink, canvas.width(0.5));
    canvas.put(format_args!(
        r#"<path class="levant-graticule" d="{path}" fill="none" stroke="{ink}" stroke-opacity=".13" stroke-width="{width}"/>"#
    ));
}

/// The border: a neat line, a band of degrees in black and white, the figures, and a strong outer line.
pub(super) fn border(canvas: &mut Canvas<'_>, frame: &MapFrame) {
    let p = canvas.palette;
    let pen = canvas.pen;
    let (right, bottom) = (f64::from(frame.width()), f64::from(frame.height()));
    let edge = (MARGIN * pen).ceil();
    let (band_in, band_out) = (2.5 * pen, 7.5 * pen);
    let ring =
        |out: f64| [[-out, -out], [right + out, -out], [right + out, bottom + out], [-out, bottom + out]];

    let (mut paper, mut neat, mut outer, mut black) =
        (PathData::default(), PathData::default(), PathData::default(), PathData::default());
    paper.ring(&ring(edge));
    paper.ring(&ring(0.0));
    for out in [0.0, band_in, band_out] {
        neat.ring(&ring(out));
    }
    outer.ring(&ring(edge - 3.5 * pen));
    let (w, step) = (frame.window(), degrees(frame));
    let across = |lon: f64| frame.place_exactly(w.north(), lon.clamp(w.west(), w.east())).0;
    let down = |lat: f64| frame.place_exactly(lat.clamp(w.south(), w.north()), w.west()).1;
    let half = step / 2.0;
    for lon in multiples(step, w.west() - half, w.east()) {
        let (a, b) = (across(lon), across(lon + half));
        if a < b {
            black.ring(&[[a, -band_in], [b, -band_in], [b, -band_out], [a, -band_out]]);
            let y = bottom + band_in;
            black.ring(&[[a, y], [b, y], [b, bottom + band_out], [a, bottom + band_out]]);
        }
    }
    for lat in multiples(step, w.south() - half, w.north()) {
        let (a, b) = (down(lat), down(lat + half));
        if b < a {
            black.ring(&[[-band_in, a], [-band_in, b], [-band_out, b], [-band_out, a]]);
            let x = right + band_in;
            black.ring(&[[x, a], [x, b], [right + band_out, b], [right + band_out, a]]);
        }
    }
    let ink = p.ink.mixed(p.paper, 15);
    let [paper, neat, outer, black] = [paper, neat, outer, black].map(PathData::into_text);
    canvas.put(format_args!(
        r#"<g class="levant-border" fill="none" stroke="{ink}" stroke-linejoin="miter"><path d="{paper}" fill="{}" fill-rule="evenodd" stroke="none"/><path d="{neat}" stroke-width="{}"/><path d="{outer}" stroke-width="{}"/><path d="{black}" fill="{ink}" stroke="none"/></g>"#,
        p.paper,
        canvas.width(0.8),
        canvas.width(2.2)
    ));

    let size = 9.5 * pen;
    canvas.put(format_args!(
        r#"<g class="levant-degrees" font-family="{FONTS}" font-size="{}" fill="{ink}" text-anchor="middle">"#,
        num(size)
    ));
    let keep = 14.0 * pen;
    let (middle, lower) = (band_out + 7.8 * pen, 0.36 * size);
    for lon in multiples(step, w.west(), w.east()) {
        let x = across(lon);
        if x > keep && x < right - keep {
            let (x, above, below) = (num(x), num(lower - middle), num(bottom + middle + lower));
            canvas.put(format_args!(
                r#"<text x="{x}" y="{above}">{lon}°</text><text x="{x}" y="{below}">{lon}°</text>"#
            ));
        }
    }
    for lat in multiples(step, w.south(), w.north()) {
        let y = down(lat);
        if y > keep && y < bottom - keep {
            let (y, west, east) = (num(y), num(lower - middle), num(right + middle - lower));
            canvas.put(format_args!(
                r#"<text transform="translate({west} {y}) rotate(-90)">{lat}°</text><text transform="translate({east} {y}) rotate(90)">{lat}°</text>"#
            ));
        }
    }
    canvas.put(format_args!("</g>"));
}

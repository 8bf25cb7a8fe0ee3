//! Sea, shore, lakes and rivers.
//!
//! The wave lines are the coast itself, stroked wide to narrow under the land: each ring a line and, a
//! hair narrower, the tint inside it. The land then covers the inner half of the strokes.

use super::Canvas;
use super::ground::{Ground, REACH, at};
use super::path::{PathData, num};
use crate::frame::{MapFrame, Window};
use crate::geography::{LatLon, Levant, River};
use crate::shape::{Point, clip_ring, distance, length, simplify, smooth_line, winding};

pub(super) fn sea(canvas: &mut Canvas<'_>, ground: &Ground, waves: bool) {
    let p = canvas.palette;
    let (width, height) = (num(ground.rect.right), num(ground.rect.bottom));
    canvas.put(format_args!(
        r#"<rect class="levant-sea" width="{width}" height="{height}" fill="{}"/>"#,
        p.sea
    ));
    if !waves || ground.coast.is_empty() {
        return;
    }
    canvas.put(format_args!(r#"<g class="levant-waves" fill="none">"#));
    let id = canvas.id;
    // Distance from the coast in pen widths; how much of the shallows and of the line shows, in per cent.
    for (reach, tint, line) in [(REACH - 1.0, 14, 14), (16.5, 32, 24), (10.5, 54, 38), (5.5, 78, 54)] {
        let tint = p.sea.mixed(p.shallows, tint);
        let line = tint.mixed(p.wave, line);
        let (outer, inner) = (canvas.width(2.0 * reach + 1.2), canvas.width(2.0 * reach));
        canvas.put(format_args!(
            r##"<use href="#{id}-coast" stroke="{line}" stroke-width="{outer}"/><use href="#{id}-coast" stroke="{tint}" stroke-width="{inner}"/>"##
        ));
    }
    canvas.put(format_args!("</g>"));
}

pub(super) fn land(canvas: &mut Canvas<'_>) {
    let (id, fill) = (canvas.id, canvas.palette.land);
    canvas.put(format_args!(r##"<use class="levant-land" href="#{id}-ground" fill="{fill}"/>"##));
}

/// The wash along the inside of the coast; drawn under a clip to the land.
pub(super) fn shore(canvas: &mut Canvas<'_>) {
    let (id, shore) = (canvas.id, canvas.palette.shore);
    let (broad, narrow) = (canvas.width(13.0), canvas.width(6.0));
    canvas.put(format_args!(
        r##"<g class="levant-shore" fill="none" stroke="{shore}" stroke-opacity=".2"><use href="#{id}-coast" stroke-width="{broad}"/><use href="#{id}-coast" stroke-width="{narrow}"/></g>"##
    ));
}

pub(super) fn coast(canvas: &mut Canvas<'_>) {
    let (id, coast, width) = (canvas.id, canvas.palette.coast, canvas.width(1.1));
    canvas.put(format_args!(
        r##"<use class="levant-coast" href="#{id}-coast" fill="none" stroke="{coast}" stroke-width="{width}"/>"##
    ));
}

pub(super) fn lakes(canvas: &mut Canvas<'_>, ground: &Ground) {
    let mut path = PathData::default();
    for lake in &ground.lakes {
        path.ring(&lake.ring);
    }
    if !path.is_empty() {
        let p = canvas.palette;
        let fill = p.sea.mixed(p.shallows, 55);
        let line = p.coast.mixed(p.river, 60);
        let (path, width) = (path.into_text(), canvas.width(0.9));
        canvas.put(format_args!(
            r#"<path class="levant-lake" d="{path}" fill="{fill}" stroke="{line}" stroke-width="{width}"/>"#
        ));
    }
}

/// Every river as a shape that widens from source to mouth; drawn under a clip to the land.
pub(super) fn rivers(canvas: &mut Canvas<'_>, levant: &Levant, frame: &MapFrame, ground: &Ground) {
    let mut path = PathData::default();
    let bounds = ground.rect.grown(4.0 * ground.pen);
    for river in &levant.rivers {
        let course = course(river, levant, frame);
        let course = simplify(&smooth_line(&course, 4), ground.tolerance);
        let (source, mouth) = widths(river, levant, frame);
        let ring = clip_ring(&ribbon(&course, source * ground.pen / 2.0, mouth * ground.pen / 2.0), bounds);
        path.ring(&ring);
    }
    if !path.is_empty() {
        let (path, fill) = (path.into_text(), canvas.palette.river);
        canvas.put(format_args!(r#"<path class="levant-river" d="{path}" fill="{fill}"/>"#));
    }
}

/// The course of a river on the board, with its windings, led into the sea where it ends near one.
pub(super) fn course(river: &River, levant: &Levant, frame: &MapFrame) -> Vec<Point> {
    let mut course = river.course.clone();
    if let Some(&mouth) = course.last()
        && let Some(sea) = nearest_coast(levant, mouth)
    {
        // A little beyond the shore, for the clip to cut off.
        let past =
            LatLon { lat: sea.lat + (sea.lat - mouth.lat) * 0.4, lon: sea.lon + (sea.lon - mouth.lon) * 0.4 };
        if past != mouth {
            course.push(past);
        }
    }
    winding(&course).into_iter().map(|p| at(frame, p)).collect()
}

/// The nearest point of a coast, if one is within a fifth of a degree.
fn nearest_coast(levant: &Levant, from: LatLon) -> Option<LatLon> {
    let far = |p: &LatLon| distance([from.lon * 0.84, from.lat], [p.lon * 0.84, p.lat]);
    levant
        .land
        .iter()
        .flatten()
        .copied()
        .map(|p| (far(&p), p))
        .filter(|(d, _)| *d < 0.2)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, p)| p)
}

/// Widths at the source and at the mouth, in pen widths. The longer the river, the wider; one that comes
/// from off the map or branches from another starts wide.
fn widths(river: &River, levant: &Levant, frame: &MapFrame) -> (f64, f64) {
    let line: Vec<Point> = river.course.iter().map(|p| at(frame, *p)).collect();
    let km = length(&line) / frame.units_per_km(35.0);
    let from_afar = river.course.first().is_some_and(|p| {
        let all = Window::CHARTED;
        p.lat == all.south()
            || p.lon == all.east()
            || levant.rivers.iter().any(|r| r.course.last() == Some(p))
    });
    if from_afar { (2.3, 2.8) } else { (0.5, (1.3 + km / 420.0).min(3.0)) }
}

/// A line given a width that grows from half of `start` to half of `end` on either side.
fn ribbon(line: &[Point], start: f64, end: f64) -> Vec<Point> {
    let whole = length(line);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let mut walked = 0.0;
    for (i, &p) in line.iter().enumerate() {
        let before = line[i.saturating_sub(1)];
        let after = line[(i + 1).min(line.len() - 1)];
        walked += distance(before, p);
        let span = distance(before, after);
        if span == 0.0 {
            continue;
        }
        let half = start + (end - start) * (walked / whole);
        let aside = [(after[1] - before[1]) / span * half, -(after[0] - before[0]) / span * half];
        left.push([p[0] + aside[0], p[1] + aside[1]]);
        right.push([p[0] - aside[0], p[1] - aside[1]]);
    }
    left.extend(right.into_iter().rev());
    left
}

//! Deserts, vales, hills and mountains.
//!
//! Washes have soft edges: the same shape is filled and then stroked ever wider, each time faintly. The
//! mountains are small drawings in the manner of old maps, a handful of them used again and again, set
//! along the crest by a hash of their number, so that they look strewn and never move.

use super::Canvas;
use super::ground::{Ground, at};
use super::path::{PathData, num};
use crate::frame::MapFrame;
use crate::geography::{Area, Levant, Range, Relief};
use crate::shape::{
    Point, along, clip_line, clip_ring, distance, hash, inside, length, simplify, simplify_ring, smooth_line,
    smooth_ring, winding,
};

fn areas(areas: &[Area], frame: &MapFrame, ground: &Ground, beyond: f64) -> Vec<Vec<Point>> {
    areas
        .iter()
        .filter_map(|area| {
            let ring: Vec<Point> = area.outline.iter().map(|p| at(frame, *p)).collect();
            let ring = clip_ring(&smooth_ring(&ring, 4), ground.rect.grown(beyond * ground.pen));
            let ring = simplify_ring(&ring, 2.0 * ground.tolerance);
            (ring.len() >= 3).then_some(ring)
        })
        .collect()
}

/// The washes of desert and watered ground; drawn under a clip to the land.
pub(super) fn tints(canvas: &mut Canvas<'_>, levant: &Levant, frame: &MapFrame, ground: &Ground) {
    let p = canvas.palette;
    // Soft over so many pen widths, or over so many kilometres close up.
    let soft = |pens: f64, km: f64| (pens * ground.pen).max(km * frame.units_per_km(33.0));
    for (class, list, colour, soft, depth) in [
        ("desert", &levant.deserts, p.desert, soft(60.0, 30.0), 0.16),
        ("vale", &levant.vales, p.vale, soft(24.0, 14.0), 0.11),
    ] {
        let mut path = PathData::default();
        for ring in areas(list, frame, ground, 60.0) {
            path.ring(&ring);
        }
        if path.is_empty() {
            continue;
        }
        let (id, path) = (canvas.id, path.into_text());
        canvas.put(format_args!(r#"<defs><path id="{id}-{class}" d="{path}"/></defs>"#));
        canvas.put(format_args!(r#"<g class="levant-{class}" fill="{colour}" stroke="{colour}">"#));
        // Fill and stroke of one layer count as one, so the wash only ever deepens towards the middle.
        for share in [1.0, 0.8, 0.6, 0.4, 0.2] {
            let width = num(soft * share);
            canvas.put(format_args!(
                r##"<use href="#{id}-{class}" stroke-width="{width}" opacity="{depth}"/>"##
            ));
        }
        canvas.put(format_args!("</g>"));
    }
}

/// Dots on the sand, thinner towards its edge.
pub(super) fn stipple(
    canvas: &mut Canvas<'_>,
    levant: &Levant,
    frame: &MapFrame,
    ground: &Ground,
    taken: &[(Point, f64)],
) {
    let step = 15.0 * ground.pen;
    let (columns, rows) = ((ground.rect.right / step) as u32 + 1, (ground.rect.bottom / step) as u32 + 1);
    let sand = areas(&levant.deserts, frame, ground, 60.0);
    let mut path = PathData::default();
    for row in 0..rows {
        for column in 0..columns {
            let seed = row * 4099 + column;
            let dot = [(f64::from(column) + hash(seed, 1)) * step, (f64::from(row) + hash(seed, 2)) * step];
            let free = |&(p, r): &(Point, f64)| distance(p, dot) > r * 0.8;
            let deep = |r: f64| {
                let near = [[r, 0.0], [-r, 0.0], [0.0, r], [0.0, -r]];
                near.iter().all(|d| sand.iter().any(|ring| inside(ring, [dot[0] + d[0], dot[1] + d[1]])))
            };
            // The nearer the edge, the fewer dots.
            if hash(seed, 3) < 0.62
                && deep(hash(seed, 4) * 55.0 * ground.pen)
                && ground.on_land(dot)
                && taken.iter().all(free)
            {
                path.dot(dot);
            }
        }
    }
    if !path.is_empty() {
        let (path, colour, width) = (path.into_text(), canvas.palette.stipple, canvas.width(1.5));
        canvas.put(format_args!(
            r#"<path class="levant-stipple" d="{path}" fill="none" stroke="{colour}" stroke-opacity=".75" stroke-width="{width}"/>"#
        ));
    }
}

fn crest(range: &Range, frame: &MapFrame) -> Vec<Point> {
    // Mountains wind as rivers do.
    let crest: Vec<Point> = winding(&range.crest).into_iter().map(|p| at(frame, p)).collect();
    smooth_line(&crest, 3)
}

fn breadth(range: &Range, frame: &MapFrame) -> f64 {
    let middle = range.crest[range.crest.len() / 2];
    range.breadth_km * frame.units_per_km(middle.lat)
}

/// The wash under the ranges; drawn under a clip to the land.
pub(super) fn relief(canvas: &mut Canvas<'_>, levant: &Levant, frame: &MapFrame, ground: &Ground) {
    let (id, colour) = (canvas.id, canvas.palette.relief);
    // Ranges of about the same breadth share a path: where they meet, the wash does not darken.
    const BREADTHS: [f64; 6] = [12.0, 18.0, 24.0, 36.0, 48.0, 200.0];
    for (i, most) in BREADTHS.into_iter().enumerate() {
        let least = if i == 0 { 0.0 } else { BREADTHS[i - 1] };
        let mut path = PathData::default();
        let mut broad = 10.0 * ground.pen;
        for range in levant.ranges.iter().filter(|r| r.breadth_km > least && r.breadth_km <= most) {
            let own = breadth(range, frame);
            broad = broad.max(own);
            for piece in clip_line(&crest(range, frame), ground.rect.grown(own)) {
                path.line(&simplify(&piece, 2.0 * ground.tolerance));
            }
        }
        if path.is_empty() {
            continue;
        }
        let path = path.into_text();
        canvas.put(format_args!(
            r##"<defs><path id="{id}-range{i}" d="{path}"/></defs><g class="levant-relief" fill="none" stroke="{colour}" stroke-opacity=".05">"##
        ));
        for share in [1.6, 1.4, 1.2, 1.0, 0.8, 0.6, 0.4, 0.2] {
            let width = num(broad * share);
            canvas.put(format_args!(r##"<use href="#{id}-range{i}" stroke-width="{width}"/>"##));
        }
        canvas.put(format_args!("</g>"));
    }
}

/// The drawings: outline first, then the strokes on the shaded side. Base line at y = 0, about 14 wide.
const PEAKS: [&str; 4] = [
    "M-7 0Q-4-2.6-2.6-5.4T.4-10Q1.8-8.6 2.8-6T7.4 0M.4-10Q.9-7.8.1-5.8T.9-2.6M1.7-6.9l1.5 4.4M3.1-5.2l2 4.2",
    "M-6.4 0Q-4.4-1.6-3.2-4.2T-.4-8.4Q.8-7.4 1.6-5.4T6.6 0M-.4-8.4Q.2-6.4-.5-4.6M.7-6.2l1.5 4M2-4.4l1.9 3.4",
    "M-8 0Q-5.6-2.2-4.4-5Q-3.6-7.2-2.4-7.4T-.4-6.2Q.8-9 1.8-9.2T3.6-6.6Q5-2.6 8.2 0M1.8-9.2Q2.2-7 1.3-5M3-6.3l1.4 4.2M4.3-4.4l1.7 3.2M-2.2-5.4l.8 2.6",
    "M-5.4 0Q-3.4-2-2.4-4.4T.2-8Q1.4-6.4 2.2-4.4T5.8 0M.2-8Q.6-6.2 0-4.4M1.2-5.4l1.3 3.6M2.4-3.6l1.4 2.6",
];
const HILLS: [&str; 3] = [
    "M-6 0Q-4.4-3.4-.8-4.2Q3.4-4.6 6.4 0M1.4-3.6Q3-2.6 3.6-1.2M3.4-2.8Q4.6-1.8 5-.8",
    "M-5 0Q-3.4-3-.4-3.5Q3-3.6 5.4 0M1.2-3Q2.5-2.2 3-1",
    "M-6.6 0Q-4.6-2.8-2-3Q-.6-3-.2-2.2Q1-4 2.8-3.8Q5-3.2 7 0M3.2-3.2Q4.4-2.4 4.9-1.1",
];

/// Hills and mountains along the ranges, the northern ones behind the southern ones.
pub(super) fn peaks(
    canvas: &mut Canvas<'_>,
    levant: &Levant,
    frame: &MapFrame,
    ground: &Ground,
    taken: &[(Point, f64)],
) {
    // Close up the drawings grow, but slower than the ground does.
    let size = ground.pen * (frame.units_per_km(33.0) / ground.pen).sqrt().clamp(0.8, 1.9);
    let mut set: Vec<(Point, char, usize)> = Vec::new();
    for (number, range) in levant.ranges.iter().enumerate() {
        let crest = crest(range, frame);
        let (whole, breadth) = (length(&crest), breadth(range, frame));
        // Along a range that runs north the drawings stand behind each other and can be closer.
        let (first, last) = (crest[0], crest[crest.len() - 1]);
        let level = (last[0] - first[0]).abs() / distance(first, last);
        let (step, row_step) = ((8.0 + 5.0 * level) * size, (13.0 - 4.0 * level) * size);
        let rows = ((breadth * 0.8 / row_step) as i32 / 2).min(6);
        for row in -rows..=rows {
            let outer = f64::from(row.abs()) / f64::from(rows + 1);
            let count = ((whole * (1.0 - 0.3 * outer)) / step) as u32 + 1;
            for i in 0..count {
                let seed = number as u32 * 7919 + (row + 20) as u32 * 389 + i;
                let shift = (hash(seed, 1) - 0.5) * 0.6 + f64::from(row.rem_euclid(2)) * 0.5;
                let walked = (f64::from(i) + 0.5 + shift) * step + whole * 0.15 * outer;
                if walked > whole {
                    continue;
                }
                let (p, direction) = along(&crest, walked);
                let aside = f64::from(row) * row_step + (hash(seed, 2) - 0.5) * 5.0 * size;
                let p = [p[0] - direction[1] * aside, p[1] + direction[0] * aside + 3.0 * size];
                let near = |q: Point| (q[0] - p[0]).abs() < 9.5 * size && (q[1] - p[1]).abs() < 5.2 * size;
                let tip = [p[0], p[1] - 4.0 * size];
                let clear = |&(q, r): &(Point, f64)| distance(q, tip) > r + 6.5 * size;
                let corners = [[-7.0, 0.0], [7.0, 0.0], [0.0, 0.0], [0.0, -7.0]];
                let ashore = |c: [f64; 2]| {
                    let q = [p[0] + c[0] * size, p[1] + c[1] * size];
                    (ground.on_land(q) || !ground.rect.contains(q)) && !ground.in_lake(q)
                };
                if ground.rect.grown(6.0 * size).contains(p)
                    && !set.iter().any(|(q, _, _)| near(*q))
                    && taken.iter().all(clear)
                    && corners.into_iter().all(ashore)
                {
                    let pick = hash(seed, 3);
                    set.push(match range.relief {
                        Relief::Hills => (p, 'h', (pick * HILLS.len() as f64) as usize),
                        // The smaller peaks stand at the edges of a range.
                        Relief::Mountains if outer > 0.6 => (p, 'm', [1, 3][(pick * 2.0) as usize]),
                        Relief::Mountains => (p, 'm', (pick * PEAKS.len() as f64) as usize),
                    });
                }
            }
        }
    }
    if set.is_empty() {
        return;
    }
    set.sort_by(|a, b| a.0[1].total_cmp(&b.0[1]).then(a.0[0].total_cmp(&b.0[0])));
    let id = canvas.id;
    let p = canvas.palette;
    let fill = p.land.mixed(p.relief, 22);
    // Drawn in their own small units and scaled as one, so the drawings stay the same in every frame.
    let scale = (size * 1000.0).round() / 1000.0;
    canvas.put(format_args!("<defs>"));
    for (kind, drawings) in [("m", &PEAKS[..]), ("h", &HILLS[..])] {
        for (i, drawing) in drawings.iter().enumerate() {
            canvas.put(format_args!(r#"<path id="{id}-{kind}{i}" d="{drawing}"/>"#));
        }
    }
    canvas.put(format_args!(
        r#"</defs><g class="levant-peak" transform="scale({scale})" fill="{fill}" stroke="{}" stroke-width=".75" stroke-opacity=".85">"#,
        p.peak
    ));
    for (at, kind, drawing) in set {
        let (x, y) = ((at[0] / scale).round(), (at[1] / scale).round());
        canvas.put(format_args!(r##"<use href="#{id}-{kind}{drawing}" x="{x}" y="{y}"/>"##));
    }
    canvas.put(format_args!("</g>"));
}

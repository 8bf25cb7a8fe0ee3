//! What moved, what is planned, what can be reached and what fell: arrows that taper, rings and pills.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use levant::Colour;
use table::scene::{Board, Fall, Manner, Plan, Reach, Ring, Space, Trace};

use crate::area::Area;
use crate::layout::Layout;
use crate::lettering;
use crate::look::{Look, emblem};
use crate::road::{Road, centre, corners, distance, footprint, reach};
use crate::signs::ANCHOR;
use crate::svg::{Svg, num};

/// The way of an arrow from space to space, bent a little, clear of both.
fn way(from: &Space, to: &Space, bend: f64) -> Road {
    let (a, b) = (footprint(from).centre(), footprint(to).centre());
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let long = distance(a, b).max(1.0);
    let near = |space: &Space| footprint(space).w.min(footprint(space).h) * 0.62;
    let (off, short) = (near(from).min(long * 0.3) / long, near(to).min(long * 0.3) / long);
    let start = (a.0 + dx * off, a.1 + dy * off);
    let end = (b.0 - dx * short, b.1 - dy * short);
    let middle = ((start.0 + end.0) / 2.0, (start.1 + end.1) / 2.0);
    Road { from: start, bend: (middle.0 - dy * bend, middle.1 + dx * bend), to: end, straight: false }
}

/// A line that grows from a point to its head.
fn tapering(road: &Road, from: f64, to: f64, head: f64) -> String {
    const STEPS: u32 = 12;
    let points: Vec<_> = road.steps(STEPS).collect();
    let far = road.length().max(1.0);
    let neck = (1.0 - head * 1.5 / far).clamp(0.3, 0.95);
    let side = |sign: f64| -> Vec<(f64, f64)> {
        let mut edge = Vec::new();
        for (i, at) in points.iter().enumerate() {
            let share = i as f64 / f64::from(STEPS);
            if share > neck {
                break;
            }
            edge.push(beside(road, share, *at, sign * (from + (to - from) * share)));
        }
        edge.push(beside(road, neck, road.at(neck), sign * to));
        edge.push(beside(road, neck, road.at(neck), sign * head));
        edge
    };
    let mut all = side(1.0);
    all.push(road.to);
    all.extend(side(-1.0).into_iter().rev());
    let text: Vec<_> = all.iter().map(|(x, y)| format!("{} {}", num(*x), num(*y))).collect();
    format!("M{}Z", text.join("L"))
}

/// A place so far beside the way.
fn beside(road: &Road, share: f64, (x, y): (f64, f64), off: f64) -> (f64, f64) {
    let (a, b) = (road.at((share - 0.02).max(0.0)), road.at((share + 0.02).min(1.0)));
    let long = distance(a, b).max(0.01);
    (x - (b.1 - a.1) / long * off, y + (b.0 - a.0) / long * off)
}

fn dashes(svg: &mut Svg, road: &Road, class: &'static str, colour: Colour, width: f64, pattern: &str) {
    let points = [road.from.0, road.from.1, road.bend.0, road.bend.1, road.to.0, road.to.1].map(num);
    let [a, b, c, d, e, f] = points;
    svg.tag("path")
        .put("class", class)
        .put("d", format!("M{a} {b}Q{c} {d} {e} {f}"))
        .put("fill", "none")
        .put("stroke", colour)
        .num("stroke-width", width)
        .put("stroke-linecap", "round")
        .put("stroke-dasharray", pattern)
        .end();
}

/// The head of an arrow, filled or hollow.
fn head(svg: &mut Svg, road: &Road, size: f64, fill: Option<Colour>, line: Colour) {
    let (near, far) = (road.at(0.9), road.to);
    let long = distance(near, far).max(0.01);
    let (ux, uy) = ((far.0 - near.0) / long, (far.1 - near.1) / long);
    let base = (far.0 - ux * size * 1.6, far.1 - uy * size * 1.6);
    let corner = |sign: f64| format!("{} {}", num(base.0 - uy * size * sign), num(base.1 + ux * size * sign));
    let tag = svg
        .tag("path")
        .put("class", "head")
        .put("d", format!("M{} {}L{}L{}Z", num(far.0), num(far.1), corner(1.0), corner(-1.0)));
    let tag = match fill {
        Some(fill) => tag.put("fill", fill),
        None => tag.put("fill", "none"),
    };
    tag.put("stroke", line).num("stroke-width", size * 0.25).end();
}

/// A figure on a disc or a pill; with a cross where it is dangerous.
#[derive(Clone, Copy)]
struct Pill<'a> {
    text: &'a str,
    fill: Colour,
    ink: Colour,
    cross: bool,
    anchor: bool,
}

fn pill(svg: &mut Svg, (x, y): (f64, f64), size: f64, what: Pill<'_>) {
    let Pill { text, fill, ink, cross, anchor } = what;
    let more = if cross || anchor { 0.95 } else { 0.0 };
    let w = ((lettering::width(text) + 0.75 + more) * size).max(size * 1.5);
    let h = size * 1.5;
    crate::board::grown_from_afar(svg, (x, y));
    svg.tag("rect")
        .put("class", "pill")
        .nums([("x", x - w / 2.0), ("y", y - h / 2.0), ("width", w), ("height", h), ("rx", h / 2.0)])
        .put("fill", fill)
        .put("stroke", ink)
        .num("stroke-width", size * 0.11)
        .end();
    let left = if cross { -more / 2.0 } else { more / 2.0 };
    svg.tag("text")
        .nums([("x", x + left * size), ("y", y + size * 0.34), ("font-size", size)])
        .put("text-anchor", "middle")
        .put("font-weight", "bold")
        .put("fill", ink)
        .text(text);
    if cross {
        let (cx, r) = (x + (w / 2.0 - size * 0.72), size * 0.26);
        let r2 = num(r * 2.0);
        svg.tag("path")
            .put("class", "cross")
            .put("d", format!("M{} {}l{r2} {r2}m0-{r2}l-{r2} {r2}", num(cx - r), num(y - r)))
            .put("fill", "none")
            .put("stroke", ink)
            .num("stroke-width", size * 0.17)
            .put("stroke-linecap", "round")
            .end();
    }
    if anchor {
        svg.tag("path")
            .put(
                "transform",
                format!(
                    "translate({} {}) scale({})",
                    num(x - w / 2.0 + size * 0.8),
                    num(y),
                    num(size * 0.009)
                ),
            )
            .put("d", ANCHOR)
            .put("fill", ink)
            .put("fill-rule", "evenodd")
            .end();
    }
    svg.close("g");
}

/// A size of letters, but no less than that of names, with which it grows.
fn legible(layout: &Layout, size: f64) -> f64 {
    size.max(layout.print.letters * 0.96)
}

/// Opens the group of a mark.
fn open(svg: &mut Svg, class: &str, id: &str, said: &str) {
    svg.tag("g").put("class", class).put("data-mark", id).put("role", "img").put("aria-label", said).open();
    svg.title(said);
}

fn ends<'a>(board: &'a Board, from: &str, to: &str) -> Option<(&'a Space, &'a Space)> {
    Some((board.space(from)?, board.space(to)?))
}

fn named(space: &Space) -> &str {
    if space.name.is_empty() { &space.id } else { &space.name }
}

/// What moved: an arrow in its owner's colour with a number, and ghosts where it came from.
pub(crate) fn trace(svg: &mut Svg, look: &Look<'_>, board: &Board, layout: &Layout, id: &str, trace: &Trace) {
    let Some((from, to)) = ends(board, &trace.from, &trace.to) else { return };
    let pen = layout.block / 44.0;
    let owner = trace.owner.map_or("", |owner| look.seat_name(owner));
    let said = format!("moved: {} {owner} {} to {}", trace.count, named(from), named(to));
    open(svg, "trace", id, &said);
    let field = look.tincture(trace.owner).field;
    let colour = match trace.manner {
        Manner::Retreat => field.mixed(look.ground().land, 52),
        Manner::March | Manner::Sea => look.stroke(trace.owner),
    };
    ghosts(svg, layout, from, trace, colour);
    let road = way(from, to, 0.13);
    let wide = (6.5 + f64::from(trace.count.min(6)) * 0.9) * pen;
    let edge = look.inside;
    if trace.manner == Manner::Sea {
        let (dot, gap) = (pen * 5.5, format!("0.01 {}", num(pen * 11.0)));
        dashes(svg, &road, "way", edge, dot * 1.5, &gap);
        dashes(svg, &road, "way", colour, dot, &gap);
        head(svg, &road, 9.0 * pen, Some(colour), edge);
    } else {
        svg.tag("path")
            .put("class", "way")
            .put("d", tapering(&road, pen * 0.9, wide * 0.6, wide * 1.5))
            .put("fill", colour)
            .put("stroke", edge)
            .num("stroke-width", pen * 1.4)
            .put("stroke-linejoin", "round")
            .end();
    }
    let text = trace.count.to_string();
    let what = Pill {
        text: &text,
        fill: field,
        ink: look.tincture(trace.owner).text,
        cross: false,
        anchor: trace.manner == Manner::Sea,
    };
    // The number stands near the middle of the way, where neither a name nor a piece hides it.
    let hidden = |at: (f64, f64)| {
        let own = Area::around(at, 30.0 * pen, 21.0 * pen);
        let names = layout.print.names.iter().flatten().map(|n| n.area);
        names.chain(layout.stacks.iter().map(|s| s.area)).any(|area| area.shared(&own) > 0.0)
    };
    let shares = [0.48, 0.38, 0.58, 0.28, 0.68];
    let at = shares.into_iter().map(|share| road.at(share)).find(|at| !hidden(*at));
    pill(svg, at.unwrap_or(road.at(0.48)), legible(layout, 18.0 * pen), what);
    svg.close("g");
}

/// Dashed outlines of pieces that are gone.
fn ghosts(svg: &mut Svg, layout: &Layout, from: &Space, trace: &Trace, colour: Colour) {
    let side = layout.block * 0.62;
    let count = f64::from(trace.count.min(4));
    let place = footprint(from);
    let (x, y) = (place.centre().0 - side * 0.55 * (count - 1.0), place.bottom() + side * 0.4);
    for i in 0..trace.count.min(4) {
        let at = Area::around((x + side * 1.1 * f64::from(i), y), side, side);
        svg.tag("rect")
            .put("class", "ghost")
            .nums([("x", at.x), ("y", at.y), ("width", at.w), ("height", at.h), ("rx", side * 0.1)])
            .put("fill", colour)
            .put("fill-opacity", "0.12")
            .put("stroke", colour)
            .put("stroke-dasharray", format!("{} {}", num(side * 0.12), num(side * 0.09)))
            .num("stroke-width", side * 0.05)
            .end();
    }
}

/// What the viewer intends: hollow arrows with numbers and costs.
pub(crate) fn plan(svg: &mut Svg, look: &Look<'_>, board: &Board, layout: &Layout, id: &str, plan: &Plan) {
    let pen = layout.block / 44.0;
    let steps: Vec<_> = plan.steps.iter().filter_map(|s| Some((s, ends(board, &s.from, &s.to)?))).collect();
    let mut said = "planned".to_string();
    for (_, (from, to)) in &steps {
        said.push_str(&format!(", {} to {}", named(from), named(to)));
    }
    open(svg, "plan", id, &said);
    let tincture = look.tincture(plan.owner);
    let colour = look.stroke(plan.owner);
    for (i, (step, (from, to))) in steps.iter().enumerate() {
        let road = way(from, to, -0.13);
        dashes(svg, &road, "way", look.inside, 6.5 * pen, "none");
        dashes(svg, &road, "way", colour, 3.2 * pen, &format!("{} {}", num(7.0 * pen), num(6.0 * pen)));
        head(svg, &road, 9.0 * pen, Some(look.inside), colour);
        let number = (i + 1).to_string();
        let disc = Pill { text: &number, fill: look.inside, ink: colour, cross: false, anchor: false };
        pill(svg, road.at(0.42), legible(layout, 16.0 * pen), disc);
        if !step.cost.is_empty() {
            let fill = if step.danger { look.warning } else { tincture.field };
            let ink = if step.danger { look.inside } else { tincture.text };
            let cost = Pill { text: &step.cost, fill, ink, cross: step.danger, anchor: false };
            pill(svg, road.at(0.72), legible(layout, 16.0 * pen), cost);
        }
    }
    svg.close("g");
}

/// A side of a hexagon.
type Edge = [(f64, f64); 2];

/// How far somebody reaches: the outline of the spaces within, in his colour.
pub(crate) fn ring(svg: &mut Svg, look: &Look<'_>, board: &Board, layout: &Layout, id: &str, ring: &Ring) {
    // Neighbours share their corners, so an edge that two spaces have lies within.
    let key = |(x, y): (f64, f64)| ((x * 2.0).round() as i64, (y * 2.0).round() as i64);
    let mut edges: BTreeMap<[(i64, i64); 2], Option<Edge>> = BTreeMap::new();
    for space in ring.spaces.iter().filter_map(|id| board.space(id)) {
        let corners = corners(space);
        for i in 0..6 {
            let (from, to) = (corners[i], corners[(i + 1) % 6]);
            let mut ends = [key(from), key(to)];
            ends.sort_unstable();
            edges.entry(ends).and_modify(|edge| *edge = None).or_insert(Some([from, to]));
        }
    }
    open(svg, "range", id, &ring.name);
    let mut outline = String::new();
    for [from, to] in edges.into_values().flatten() {
        outline.push_str(&format!("M{} {}L{} {}", num(from.0), num(from.1), num(to.0), num(to.1)));
    }
    let pen = layout.block / 44.0;
    for (colour, width) in [(look.inside, 5.0), (look.stroke(ring.owner), 2.4)] {
        svg.tag("path")
            .put("class", "outline")
            .put("d", &outline)
            .put("fill", "none")
            .put("stroke", colour)
            .put("stroke-opacity", "0.75")
            .put("stroke-linecap", "round")
            .num("stroke-width", width * pen)
            .end();
    }
    svg.close("g");
}

/// Where pieces could go: a ring and a pill with the cost; danger is brown and has a cross.
pub(crate) fn reached(
    svg: &mut Svg,
    look: &Look<'_>,
    board: &Board,
    layout: &Layout,
    id: &str,
    reached: &Reach,
) {
    let Some(space) = board.space(&reached.space) else { return };
    let danger = reached.is_danger();
    let mut said = format!("{}: {}", named(space), reached.cost);
    if danger {
        let _ = write!(said, ", danger: {}", reached.danger);
    }
    said.push_str(if reached.ends { ", the march ends there" } else { "" });
    svg.tag("g")
        .put("class", if danger { "reach danger" } else { "reach" })
        .put("data-mark", id)
        .put("data-space", &reached.space)
        .put("data-cost", &reached.cost)
        .put("data-end", reached.ends)
        .put("role", "img")
        .put("aria-label", &said)
        .open();
    svg.title(&said);
    let colour = if danger { look.warning } else { look.open };
    let pen = layout.block / 44.0;
    let (x, y) = centre(space);
    let size = 13.5 * pen;
    let ink = if look.theme == levant::Theme::Night { Colour(0x14, 0x11, 0x0e) } else { look.inside };
    let what = Pill { text: &reached.cost, fill: colour, ink, cross: danger, anchor: false };
    if crate::layout::is_ground_hex(space) {
        let points: Vec<_> = corners(space)
            .iter()
            .map(|(cx, cy)| format!("{},{}", num(x + (cx - x) * 0.93), num(y + (cy - y) * 0.93)))
            .collect();
        svg.tag("polygon")
            .put("class", "ring")
            .put("points", points.join(" "))
            .put("fill", colour)
            .put("fill-opacity", "0.24")
            .put("stroke", colour)
            .num("stroke-width", 3.0 * pen)
            .end();
        pill(svg, (x, y + reach(space).1 * 0.66), legible(layout, size * 0.86), what);
    } else {
        let place = footprint(space);
        let (rx, ry) = match space.keep {
            Some(_) => (place.w * 0.58, place.h * 0.43),
            None => (reach(space).0 + 7.0 * pen, reach(space).1 + 7.0 * pen),
        };
        let drop = if space.keep.is_some() { crate::keep::scale(space) * 5.0 } else { 0.0 };
        let mut tag = svg
            .tag("ellipse")
            .put("class", "ring")
            .nums([("cx", x), ("cy", y + drop), ("rx", rx), ("ry", ry)])
            .put("fill", "none")
            .put("stroke", colour)
            .num("stroke-width", 3.4 * pen);
        if reached.ends {
            tag = tag.put("stroke-dasharray", format!("{} {}", num(9.0 * pen), num(5.0 * pen)));
        }
        tag.end();
        let free =
            [(rx * 0.9, -ry * 1.25), (-rx * 0.9, -ry * 1.25), (rx * 0.9, ry * 1.3), (-rx * 0.9, ry * 1.3)];
        let covered = |(dx, dy): &(f64, f64)| {
            let place = Area::around((x + dx, y + drop + dy), size * 2.4, size * 1.6);
            let names = layout.print.names.iter().flatten().map(|n| n.area);
            names.chain(layout.stacks.iter().map(|s| s.area)).map(|a| a.shared(&place)).sum::<f64>()
        };
        let mut best = free[0];
        for at in &free[1..] {
            if covered(at) < covered(&best) - 0.01 {
                best = *at;
            }
        }
        pill(svg, (x + best.0, y + drop + best.1), legible(layout, size), what);
    }
    svg.close("g");
}

/// Something fell: a broken ring in its owner's colour.
pub(crate) fn fall(svg: &mut Svg, look: &Look<'_>, board: &Board, layout: &Layout, id: &str, fall: &Fall) {
    let Some(space) = board.space(&fall.space) else { return };
    let owner = fall.owner.map_or("", |owner| look.seat_name(owner));
    let said = format!("fell at {}: {} {owner}", named(space), fall.count);
    open(svg, "fall", id, said.trim());
    let pen = layout.block / 44.0;
    let place = footprint(space);
    let (x, y) = (place.right() - 2.0 * pen, place.y + 10.0 * pen);
    let r = 11.0 * pen;
    let colour = look.stroke(fall.owner);
    svg.tag("circle")
        .put("class", "ring")
        .nums([("cx", x), ("cy", y), ("r", r)])
        .put("fill", look.inside)
        .put("stroke", colour)
        .put("stroke-dasharray", format!("{} {}", num(r * 0.5), num(r * 0.26)))
        .num("stroke-width", 2.6 * pen)
        .end();
    if let Some(owner) = fall.owner {
        emblem(svg, owner, (x, y), r * 0.5, colour, 0.6);
    }
    let d = r * 0.62;
    svg.tag("path")
        .put("class", "cross")
        .put(
            "d",
            format!(
                "M{} {}L{} {}M{} {}L{} {}",
                num(x - d),
                num(y - d),
                num(x + d),
                num(y + d),
                num(x + d),
                num(y - d),
                num(x - d),
                num(y + d)
            ),
        )
        .put("stroke", look.warning)
        .num("stroke-width", 2.6 * pen)
        .put("stroke-linecap", "round")
        .end();
    if fall.count > 1 {
        let text = fall.count.to_string();
        let what = Pill { text: &text, fill: look.warning, ink: look.inside, cross: false, anchor: false };
        pill(svg, (x + r * 1.3, y + r * 0.9), legible(layout, 16.0 * pen), what);
    }
    svg.close("g");
}

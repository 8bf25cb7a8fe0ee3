//! Headings: on a map a cartouche where it covers nothing, on a battle mat a band at its top; and the strip that
//! says in which order those on a mat act.

use levant::{Levant, OpenSea};
use table::scene::{Board, Ground, Head, HeadCount, HeadStep, TurnState};

use crate::area::Area;
use crate::block::write;
use crate::layout::{NamePlace, whole};
use crate::lettering;
use crate::look::{Look, emblem};
use crate::road::{Road, footprint};
use crate::svg::{Svg, num};
use crate::{ground, keep};

/// A cartouche is drawn in a space of this width and height.
const CARTOUCHE: (f64, f64) = (244.0, 176.0);
/// How wide it may be, in parts of the board's shorter side.
const SHARES: [f64; 4] = [0.34, 0.3, 0.26, 0.22];
/// How high the band at the top of a mat is.
const BAND: f64 = 66.0;

/// Where a cartouche goes: on open sea if there is room, else where nothing else is; nowhere if it would
/// cover something.
pub(crate) fn place(
    board: &Board,
    block: f64,
    names: &[Option<NamePlace>],
    roads: &[Option<Road>],
    play: &Area,
) -> Option<Area> {
    let Ground::Levant { .. } = board.ground else { return None };
    board.head.as_ref()?;
    let frame = ground::frame(board)?;
    let sea = OpenSea::new(Levant::built_in(), &frame);
    let letters = ground::region_letters(board);
    let mut kept: Vec<Area> =
        board.spaces.iter().filter(|s| !s.annex).map(|s| footprint(s).grown(block * 1.3)).collect();
    kept.extend(names.iter().flatten().map(|n| n.area.grown(block * 0.2)));
    kept.extend(board.regions.iter().map(|r| {
        let size = if r.letters > 0 { f64::from(r.letters) } else { letters };
        let w = (lettering::width(&r.name.to_uppercase()) + 0.33 * r.name.chars().count() as f64) * size;
        Area::around((f64::from(r.x), f64::from(r.y) - size * 0.35), w * 1.1, size * 1.6)
    }));
    let ways: Vec<(f64, f64)> = roads.iter().flatten().flat_map(|r| r.steps(24)).collect();
    let all = whole(board);
    let mut dry = None;
    for share in SHARES {
        let w = all.w.min(all.h) * share;
        let h = w * CARTOUCHE.1 / CARTOUCHE.0;
        let mut best: Option<(f64, Area)> = None;
        const STEPS: u32 = 24;
        for i in 0..=STEPS {
            for j in 0..=STEPS {
                let at = |from: f64, room: f64, step: u32| from + room * f64::from(step) / f64::from(STEPS);
                let inner = play.grown(-block * 0.3);
                let area = Area {
                    x: at(inner.x, (inner.w - w).max(0.0), i),
                    y: at(inner.y, (inner.h - h).max(0.0), j),
                    w,
                    h,
                };
                if kept.iter().any(|k| k.shared(&area) > 0.0) || ways.iter().any(|p| area.holds(*p)) {
                    continue;
                }
                // The farther from everything the better; then the higher and the farther west.
                let away = kept.iter().map(|k| gap(k, &area)).fold(w, f64::min);
                let score = away - area.y * 0.12 - area.x * 0.06;
                if best.is_none_or(|(most, _)| score > most + 0.01) {
                    let wet = spots(&area).into_iter().all(|p| sea.is_at(p));
                    if wet {
                        best = Some((score, area));
                    } else if dry.is_none() {
                        dry = Some(area);
                    }
                }
            }
        }
        if let Some((_, area)) = best {
            return Some(area);
        }
    }
    dry
}

/// How far two areas are apart.
fn gap(a: &Area, b: &Area) -> f64 {
    let dx = (a.x - b.right()).max(b.x - a.right()).max(0.0);
    let dy = (a.y - b.bottom()).max(b.y - a.bottom()).max(0.0);
    (dx * dx + dy * dy).sqrt()
}

/// Places all over an area.
fn spots(area: &Area) -> Vec<(f64, f64)> {
    let shares = [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0];
    let area = area.grown(area.h * 0.03);
    shares.iter().flat_map(|i| shares.map(|j| (area.x + area.w * i, area.y + area.h * j))).collect()
}

fn rect(svg: &mut Svg, class: &str, area: &Area, round: f64, paint: [Option<levant::Colour>; 2], width: f64) {
    let [fill, stroke] = paint;
    let mut tag = svg.tag("rect").put("class", class).nums([
        ("x", area.x),
        ("y", area.y),
        ("width", area.w),
        ("height", area.h),
        ("rx", round),
    ]);
    tag = match fill {
        Some(fill) => tag.put("fill", fill),
        None => tag.put("fill", "none"),
    };
    if let Some(stroke) = stroke {
        tag = tag.put("stroke", stroke).num("stroke-width", width);
    }
    tag.end();
}

/// Words for who cannot see it.
fn said(head: &Head) -> String {
    let mut words: Vec<String> = Vec::new();
    words.extend([&head.title, &head.figure].into_iter().filter(|t| !t.is_empty()).cloned());
    words.extend(
        head.steps.iter().find(|s| s.now).map(|s| format!("step {} of {}", s.label, head.steps.len())),
    );
    words.extend(Some(head.note.clone()).filter(|t| !t.is_empty()));
    words.extend(head.counts.iter().map(|c| c.text.clone()));
    words.extend(head.ribbon.iter().map(|(_, text)| text.clone()));
    words.join(", ")
}

/// Opens the group of a heading or a strip.
fn open(svg: &mut Svg, class: &str, id: &str, said: &str) {
    svg.tag("g").put("class", class).put("data-mark", id).put("role", "img").put("aria-label", said).open();
    svg.title(said);
}

/// Draws the heading of a board, if there is room for it.
pub(crate) fn draw(svg: &mut Svg, look: &Look<'_>, board: &Board, place: Option<Area>, id: &str) {
    let Some(head) = &board.head else { return };
    match (board.ground, place) {
        (Ground::Field | Ground::Walls { .. }, _) => band(svg, look, board, head, id),
        (_, Some(place)) => cartouche(svg, look, head, &place, id),
        (_, None) => {}
    }
}

fn cartouche(svg: &mut Svg, look: &Look<'_>, head: &Head, place: &Area, id: &str) {
    open(svg, "cartouche", id, &said(head));
    let (w, h) = CARTOUCHE;
    let scale = place.w / w;
    svg.tag("g")
        .put("transform", format!("translate({} {}) scale({})", num(place.x), num(place.y), num(scale)))
        .open();
    // Corners cut round inwards, two lines of gold and ink.
    let frame = |inset: f64, bite: f64| {
        let (l, t, r, b) = (inset, inset, w - inset, h - inset);
        format!(
            "M{0} {1}H{2}A{4} {4} 0 0 0 {3} {5}V{6}A{4} {4} 0 0 0 {2} {7}H{0}A{4} {4} 0 0 0 {8} {6}V{5}A{4} {4} 0 0 0 {0} {1}Z",
            num(l + bite),
            num(t),
            num(r - bite),
            num(r),
            num(bite),
            num(t + bite),
            num(b - bite),
            num(b),
            num(l)
        )
    };
    svg.tag("path")
        .put("d", frame(0.0, 14.0))
        .put("transform", "translate(2 4)")
        .put("fill", "#1a1006")
        .put("fill-opacity", "0.22")
        .end();
    svg.tag("path")
        .put("class", "panel")
        .put("d", frame(0.0, 14.0))
        .put("fill", look.panel)
        .put("stroke", look.staff)
        .num("stroke-width", 1.8)
        .end();
    svg.tag("path")
        .put("d", frame(5.0, 13.0))
        .put("fill", "none")
        .put("stroke", look.gold)
        .num("stroke-width", 1.2)
        .end();
    let middle = w / 2.0;
    let set = lettering::fit(&head.title, w - 44.0, 1, 23.0, 15.0);
    for line in &set.lines {
        write(svg, line, (middle, 36.0), set.size, "middle", look.ink);
    }
    svg.tag("path")
        .put("d", format!("M42 46H{}", num(w - 42.0)))
        .put("stroke", look.gold)
        .num("stroke-width", 1.1)
        .end();
    write(svg, &head.figure, (middle, 84.0), 38.0, "middle", look.ink);
    steps(svg, look, &head.steps, (middle, 106.0), w - 36.0);
    let set = lettering::fit(&head.note, w - 30.0, 1, 16.0, 15.0);
    for line in &set.lines {
        svg.tag("text")
            .nums([("x", middle), ("y", 137.0), ("font-size", set.size)])
            .put("text-anchor", "middle")
            .put("font-style", "italic")
            .put("fill", look.faint)
            .text(line);
    }
    counts(svg, look, &head.counts, (middle, 157.0), w - 30.0);
    svg.close("g");
    svg.close("g");
}

/// Steps as discs, or as words where they are long; the present one filled.
fn steps(svg: &mut Svg, look: &Look<'_>, steps: &[HeadStep], (middle, y): (f64, f64), room: f64) {
    let wide = |step: &HeadStep| (lettering::width(&step.label) * 15.5 + 11.0).max(23.0);
    let all: f64 = steps.iter().map(|s| wide(s) + 6.0).sum::<f64>() - 6.0;
    let squeeze = (room / all.max(1.0)).min(1.0);
    let mut x = middle - all * squeeze / 2.0;
    for step in steps {
        let w = wide(step) * squeeze;
        let (fill, ink) = if step.now { (look.ink, look.panel) } else { (look.panel, look.ink) };
        let area = Area { x, y: y - 11.0, w, h: 22.0 };
        rect(svg, if step.now { "step now" } else { "step" }, &area, 11.0, [Some(fill), Some(look.ink)], 1.2);
        write(svg, &step.label, (x + w / 2.0, y + 5.2), 15.5 * squeeze.max(0.97), "middle", ink);
        x += w + 6.0 * squeeze;
    }
}

/// Who has what, in a row.
fn counts(svg: &mut Svg, look: &Look<'_>, counts: &[HeadCount], (middle, y): (f64, f64), room: f64) {
    if counts.is_empty() {
        return;
    }
    // Words that all have in common stand once, after the last.
    let long = |count: &HeadCount| lettering::width(&count.text) * 15.5 + 26.0;
    let all: f64 = counts.iter().map(long).sum();
    let shortened = all > room;
    let text = |i: usize, count: &HeadCount| match count.text.split_once(' ') {
        Some((first, _)) if shortened && i + 1 < counts.len() => first.to_string(),
        _ => count.text.clone(),
    };
    let wide: Vec<f64> =
        counts.iter().enumerate().map(|(i, c)| lettering::width(&text(i, c)) * 15.5 + 28.0).collect();
    let mut x = middle - wide.iter().sum::<f64>() / 2.0 + 6.0;
    for (i, count) in counts.iter().enumerate() {
        if let Some(owner) = count.owner {
            emblem(svg, owner, (x + 6.0, y - 5.0), 6.0, look.stroke(Some(owner)), 1.0);
        }
        svg.tag("text")
            .nums([("x", x + 17.0), ("y", y), ("font-size", 15.5)])
            .put("fill", look.ink)
            .text(&text(i, count));
        x += wide[i];
    }
}

/// The band at the top of a mat: where, who attacks, the round, and who acts on a ribbon.
fn band(svg: &mut Svg, look: &Look<'_>, board: &Board, head: &Head, id: &str) {
    open(svg, "band", id, &said(head));
    let w = f64::from(board.width);
    let area = Area { x: 9.0, y: 9.0, w: w - 18.0, h: BAND - 12.0 };
    rect(svg, "panel", &area, 0.0, [Some(look.panel), None], 0.0);
    svg.tag("path")
        .put("d", format!("M9 {}H{}", num(area.bottom()), num(w - 9.0)))
        .put("stroke", look.staff)
        .num("stroke-width", 1.4)
        .end();
    if board.width > 0 {
        let sign = if matches!(board.ground, Ground::Walls { .. }) { 3 } else { 0 };
        keep::sign(svg, look, sign, (42.0, 38.0), 0.8);
    }
    let set = lettering::fit(&head.title, w * 0.32, 1, 23.0, 16.0);
    for line in &set.lines {
        write(svg, line, (74.0, 34.0), set.size, "start", look.ink);
    }
    let note = lettering::fit(&head.note, w * 0.34, 1, 16.0, 15.0);
    for line in &note.lines {
        svg.tag("text")
            .nums([("x", 74.0), ("y", 53.0), ("font-size", note.size)])
            .put("fill", look.faint)
            .text(line);
    }
    if !head.steps.is_empty() {
        svg.tag("text")
            .nums([("x", w * 0.545), ("y", 25.0), ("font-size", 15.0)])
            .put("text-anchor", "middle")
            .put("font-style", "italic")
            .put("fill", look.faint)
            .text("round");
        steps(svg, look, &head.steps, (w * 0.545, 43.0), w * 0.17);
    }
    if let Some((seat, text)) = &head.ribbon {
        let tincture = look.tincture(Some(*seat));
        let (x, y, long, high) = (w * 0.655, 20.0, w * 0.31, 34.0);
        let line = look.outline(tincture.field);
        for (at, turn) in [(x, -1.0), (x + long, 1.0)] {
            let d = format!(
                "M{} {}h{}l{} {}l{} {}h{}Z",
                num(at - turn * 4.0),
                num(y + 6.0),
                num(turn * 16.0),
                num(turn * -6.0),
                num(high / 2.0),
                num(turn * 6.0),
                num(high / 2.0),
                num(turn * -16.0)
            );
            svg.tag("path")
                .put("d", d)
                .put("fill", tincture.field.mixed(levant::Colour(0x14, 0x0a, 0x04), 40))
                .put("stroke", line)
                .num("stroke-width", 0.8)
                .end();
        }
        let ribbon = Area { x, y, w: long, h: high };
        rect(svg, "ribbon", &ribbon, 1.0, [Some(tincture.field), Some(line)], 1.2);
        emblem(svg, *seat, (x + 18.0, y + high / 2.0), 8.0, tincture.text, 1.0);
        let set = lettering::fit(text, long - 40.0, 1, 17.0, 15.0);
        for line in &set.lines {
            write(
                svg,
                line,
                (x + long / 2.0 + 10.0, y + high / 2.0 + 5.8),
                set.size,
                "middle",
                tincture.text,
            );
        }
    }
    svg.close("g");
}

/// The order in which those on a board act, down its left side: the present turn lit, what is over struck out.
pub(crate) fn order(svg: &mut Svg, look: &Look<'_>, board: &Board, id: &str) {
    let words = board.order.iter().map(|turn| {
        let owner = turn.owner.map_or("", |owner| look.seat_name(owner));
        let state = match turn.state {
            TurnState::ToCome => "",
            TurnState::Now => ", now",
            TurnState::Done => ", over",
        };
        format!("{} {owner}{state}", turn.label)
    });
    let said = format!("order: {}", words.collect::<Vec<_>>().join("; "));
    open(svg, "order", id, &said);
    let room = f64::from(board.height) - BAND - 26.0;
    let step = (room / board.order.len().max(1) as f64).min(38.0);
    let size = (step * 0.8).min(30.0);
    let x = 31.0;
    let mut y = BAND + 12.0;
    let long = step * board.order.len() as f64 + 8.0;
    let plate = Area { x: x - 21.0, y, w: 42.0, h: long };
    rect(svg, "plate", &plate, 8.0, [Some(look.panel), Some(look.faint)], 0.8);
    y += 4.0 + step / 2.0;
    for turn in &board.order {
        let tincture = look.tincture(turn.owner);
        let (now, done) = (turn.state == TurnState::Now, turn.state == TurnState::Done);
        if now {
            let d = format!(
                "M{} {}h{}l8 {}l-8 {}h-{}Z",
                num(x - 20.0),
                num(y - step * 0.48),
                num(42.0),
                num(step * 0.48),
                num(step * 0.48),
                num(42.0)
            );
            svg.tag("path")
                .put("class", "now")
                .put("d", d)
                .put("fill", look.lit)
                .put("stroke", look.outline(look.lit))
                .num("stroke-width", 1.0)
                .end();
        }
        let field = if done { tincture.field.mixed(look.panel, 70) } else { tincture.field };
        let ink = if done { look.ink } else { tincture.text };
        let area = Area::around((x, y), 34.0, size);
        rect(svg, "turn", &area, 4.0, [Some(field), Some(look.outline(field))], 0.9);
        write(svg, &turn.label, (x - 8.0, y + size * 0.2), size * 0.6, "middle", ink);
        if let Some(owner) = turn.owner {
            emblem(svg, owner, (x + 8.0, y), size * 0.22, ink, 1.0);
        }
        if done {
            svg.tag("path")
                .put("class", "over")
                .put("d", format!("M{} {}l34-{}", num(x - 17.0), num(y + size * 0.42), num(size * 0.84)))
                .put("stroke", look.ink)
                .num("stroke-width", 1.6)
                .end();
        }
        y += step;
    }
    svg.close("g");
}

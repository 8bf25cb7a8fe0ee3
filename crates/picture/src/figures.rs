//! Figures beside the boards: the register, sums, the foremost track, dice and the game's own tables.

use table::scene::{Aid, Register, Sum, Throw, Track};

use crate::area::Area;
use crate::dice;
use crate::lettering::{self, width, wrap};
use crate::look::{Look, emblem, shield};
use crate::sheet::{PAD, panel, write};
use crate::svg::{Svg, num};

fn heading(svg: &mut Svg, look: &Look<'_>, name: &str, note: &str, place: &Area) {
    let set = lettering::fit(name, place.w - 2.0 * PAD, 1, 18.0, 11.0);
    for line in &set.lines {
        write(svg, "name", line, (place.x + PAD, place.y + PAD + 13.0), set.size, look.ink, true);
        let x = place.x + PAD + width(line) * set.size + 10.0;
        let note = lettering::shortened(note, (place.right() - PAD - x).max(0.0) / 13.0);
        if place.right() - PAD - x > 40.0 {
            write(svg, "note", &note, (x, place.y + PAD + 13.0), 13.0, look.faint, false);
        }
    }
}

fn group(svg: &mut Svg, class: &str, id: &str, name: &str) {
    svg.tag("g")
        .put("id", id)
        .put("data-id", id)
        .put("class", class)
        .put("role", "group")
        .put("aria-label", name)
        .open();
}

// ---- the register

const ROW: f64 = 36.0;

pub(crate) fn register_height(register: &Register) -> f64 {
    PAD * 2.0 + 26.0 + ROW * register.rows.len() as f64
}

pub(crate) fn register(svg: &mut Svg, look: &Look<'_>, register: &Register, place: Area) {
    group(svg, "register", &register.id, &register.name);
    panel(svg, look, &place);
    let names = (place.w * 0.36).min(190.0);
    let step = (place.w - 2.0 * PAD - names) / register.columns.len().max(1) as f64;
    let column = |i: usize| place.x + PAD + names + step * (i as f64 + 0.5);
    let set = lettering::fit(&register.name, names, 1, 17.0, 11.0);
    for line in &set.lines {
        write(svg, "name", line, (place.x + PAD, place.y + PAD + 13.0), set.size, look.ink, true);
    }
    for (i, name) in register.columns.iter().enumerate() {
        let set = lettering::fit(name, step - 4.0, 1, 13.0, 8.0);
        for line in &set.lines {
            svg.tag("text")
                .nums([("x", column(i)), ("y", place.y + PAD + 13.0), ("font-size", set.size)])
                .put("text-anchor", "middle")
                .put("font-style", "italic")
                .put("fill", look.faint)
                .text(line);
        }
    }
    for (i, row) in register.rows.iter().enumerate() {
        let y = place.y + PAD + 24.0 + ROW * i as f64;
        if i % 2 == 0 {
            svg.tag("rect")
                .nums([
                    ("x", place.x + 7.0),
                    ("y", y),
                    ("width", place.w - 14.0),
                    ("height", ROW - 2.0),
                    ("rx", 6.0),
                ])
                .put("fill", look.panel.mixed(look.table, 35))
                .end();
        }
        let x = place.x + PAD + 12.0;
        shield(svg, look, row.seat, (x, y + 16.0), 10.0);
        if let Some(arms) = &row.arms {
            look.arms(svg, arms, Some(row.seat), (x + 26.0, y + 17.0), 24.0);
        }
        let left = x + if row.arms.is_some() { 46.0 } else { 20.0 };
        let room = place.x + PAD + names - left;
        let name = lettering::fit(look.seat_name(row.seat), room, 1, 15.0, 9.0);
        let down = if row.note.is_empty() { 22.0 } else { 16.0 };
        for line in &name.lines {
            write(svg, "name", line, (left, y + down), name.size, look.ink, true);
        }
        write(
            svg,
            "note",
            &lettering::shortened(&row.note, room / 11.0),
            (left, y + 29.0),
            11.0,
            look.faint,
            false,
        );
        for (c, cell) in row.cells.iter().enumerate() {
            let colour = if cell.warned { look.warning } else { look.ink };
            let set = lettering::fit(&cell.text, step - 6.0, 1, 17.0, 10.0);
            for line in &set.lines {
                let w = width(line) * set.size;
                write(svg, "cell", line, (column(c) - w / 2.0, y + 23.0), set.size, colour, true);
                if cell.warned {
                    crate::board::alarm(svg, look, (column(c) - w / 2.0 - 10.0, y + 18.0), 7.0);
                }
            }
            if cell.best {
                let d = format!("M{} {}h18", num(column(c) - 9.0), num(y + 28.5));
                svg.tag("path")
                    .put("class", "best")
                    .put("d", d)
                    .put("stroke", look.gold)
                    .num("stroke-width", 2.4)
                    .end();
            }
        }
    }
    svg.close("g");
}

// ---- sums

fn note_lines(text: &str, w: f64) -> Vec<String> {
    wrap(text, (w - 2.0 * PAD) / 12.5, 3)
}

pub(crate) fn sum_height(sum: &Sum, w: f64) -> f64 {
    let bar = if sum.shares.is_empty() { 0.0 } else { 22.0 };
    PAD * 2.0 + 26.0 + note_lines(&sum.note, w).len() as f64 * 16.0 + sum.lines.len() as f64 * 20.0 + bar
}

pub(crate) fn sum(svg: &mut Svg, look: &Look<'_>, sum: &Sum, place: Area) {
    group(svg, "sum", &sum.id, &sum.name);
    panel(svg, look, &place);
    let total = width(&sum.total) * 22.0;
    let set = lettering::fit(&sum.name, place.w - 2.0 * PAD - total - 10.0, 1, 18.0, 11.0);
    for line in &set.lines {
        write(svg, "name", line, (place.x + PAD, place.y + PAD + 14.0), set.size, look.ink, true);
    }
    let right = place.right() - PAD;
    write(svg, "total", &sum.total, (right - total, place.y + PAD + 15.0), 22.0, look.ink, true);
    let mut y = place.y + PAD + 24.0;
    for line in note_lines(&sum.note, place.w) {
        y += 16.0;
        write(svg, "note", &line, (place.x + PAD, y - 4.0), 12.5, look.faint, false);
    }
    for line in &sum.lines {
        y += 20.0;
        if line.total {
            let d = format!("M{} {}H{}", num(place.x + PAD), num(y - 15.5), num(right));
            svg.tag("path").put("d", d).put("stroke", look.faint).put("stroke-opacity", "0.5").end();
        }
        let indent = if line.total { 0.0 } else { 12.0 };
        let rule = line.rule.map_or(String::new(), |r| r.to_string());
        let room = place.w - 2.0 * PAD - indent - 96.0;
        let text = lettering::shortened(&line.text, room / 14.0);
        write(svg, "line", &text, (place.x + PAD + indent, y), 14.0, look.ink, line.total);
        if !rule.is_empty() {
            let w = width(&rule) * 10.5 + 12.0;
            let x = right - 52.0 - w;
            svg.tag("rect")
                .put("class", "rule")
                .nums([("x", x), ("y", y - 11.5), ("width", w), ("height", 15.0), ("rx", 4.0)])
                .put("fill", "none")
                .put("stroke", look.faint)
                .put("stroke-opacity", "0.6")
                .end();
            write(svg, "rule", &rule, (x + 6.0, y), 10.5, look.faint, false);
        }
        let lost = line.amount.starts_with(['-', '−']);
        let colour = if lost { look.warning } else { look.ink };
        let amount = lettering::shortened(&line.amount, 46.0 / 14.0);
        write(svg, "amount", &amount, (right - width(&amount) * 14.0, y), 14.0, colour, true);
    }
    let whole: u32 = sum.shares.iter().map(|(_, share)| *share).sum();
    let mut x = place.x + PAD;
    for (seat, share) in &sum.shares {
        let w = (place.w - 2.0 * PAD) * f64::from(*share) / f64::from(whole.max(1));
        svg.tag("rect")
            .put("class", "share")
            .nums([("x", x), ("y", y + 10.0), ("width", (w - 2.0).max(0.0)), ("height", 10.0), ("rx", 4.0)])
            .put("fill", look.tincture(*seat).field)
            .end();
        x += w;
    }
    svg.close("g");
}

// ---- the foremost track

pub(crate) fn foremost_height() -> f64 {
    PAD * 2.0 + 84.0
}

/// The track to look at first: hexagons, tinted towards whose end they are, the marker standing out.
pub(crate) fn foremost(svg: &mut Svg, look: &Look<'_>, track: &Track, place: Area) {
    group(svg, "track foremost", &track.id, &track.name);
    panel(svg, look, &place);
    heading(svg, look, &track.name, &track.note, &place);
    let count = track.boxes.len().max(1);
    let edge = if track.ends.is_some() { 26.0 } else { 0.0 };
    let step = (place.w - 2.0 * PAD - 2.0 * edge) / count as f64;
    let middle = place.y + PAD + 60.0;
    if let Some((first, last)) = track.ends {
        for (seat, x) in [(first, place.x + PAD + 9.0), (last, place.right() - PAD - 9.0)] {
            emblem(svg, seat, (x, middle), 9.0, look.stroke(Some(seat)), 1.0);
        }
    }
    for (i, label) in track.boxes.iter().enumerate() {
        let x = place.x + PAD + edge + step * (i as f64 + 0.5);
        let here = track.markers.iter().find(|m| m.at == i);
        let goal = track.goals.contains(&i);
        let (half, high) = if here.is_some() { (step * 0.54, 31.0) } else { (step * 0.46, 23.0) };
        let half = half.min(if label.chars().count() > 3 { step * 0.5 } else { 22.0 });
        let tint = track.ends.map(|(first, last)| {
            let lean = (i as f64 + 0.5) / count as f64 - 0.5;
            let seat = if lean < 0.0 { first } else { last };
            (look.tincture(Some(seat)).field, (lean.abs() * 80.0) as u8)
        });
        let fill = match (here.and_then(|m| m.owner), here, tint) {
            (Some(owner), _, _) => look.tincture(Some(owner)).field,
            (None, Some(_), _) => look.ink,
            (None, None, Some((colour, share))) => look.panel.mixed(colour, share),
            (None, None, None) => look.panel.mixed(look.table, 40),
        };
        let ink = match (here.and_then(|m| m.owner), here) {
            (Some(owner), _) => look.tincture(Some(owner)).text,
            (None, Some(_)) => look.panel,
            (None, None) => look.ink,
        };
        let shoulder = high * 0.55;
        let points: Vec<_> = [
            (0.0, -high),
            (half, -shoulder),
            (half, shoulder),
            (0.0, high),
            (-half, shoulder),
            (-half, -shoulder),
        ]
        .iter()
        .map(|(dx, dy)| format!("{},{}", num(x + dx), num(middle + dy)))
        .collect();
        svg.tag("polygon")
            .put("class", if here.is_some() { "box here" } else { "box" })
            .put("points", points.join(" "))
            .put("fill", fill)
            .put("stroke", if goal || here.is_some() { look.gold } else { look.faint })
            .put("stroke-opacity", if goal || here.is_some() { "1" } else { "0.35" })
            .num("stroke-width", if goal || here.is_some() { 2.4 } else { 1.0 })
            .end();
        let set = lettering::fit(label, half * 1.8, 2, 15.0, 8.0);
        let lower = if here.is_some_and(|m| m.owner.is_some()) { 9.0 } else { 0.0 };
        crate::block::column(svg, &set, (x, middle + lower), ink);
        if let Some(owner) = here.and_then(|m| m.owner) {
            emblem(svg, owner, (x, middle - 12.0), 6.5, ink, 1.0);
        }
    }
    svg.close("g");
}

// ---- dice beside the boards

pub(crate) const THROW: f64 = 104.0;

pub(crate) fn throw(svg: &mut Svg, look: &Look<'_>, throw: &Throw, place: Area) {
    svg.tag("g").put("class", "throw").put("role", "img").put("aria-label", &throw.name).open();
    dice::cloth(svg, look, throw, &place.grown(-4.0));
    svg.close("g");
}

// ---- aids

pub(crate) fn aid_height(aid: &Aid, w: f64) -> f64 {
    PAD * 2.0 + 26.0 + note_lines(&aid.note, w).len() as f64 * 16.0 + (aid.rows.len() + 1) as f64 * 22.0
}

pub(crate) fn aid(svg: &mut Svg, look: &Look<'_>, aid: &Aid, place: Area) {
    group(svg, "aid", &aid.id, &aid.name);
    panel(svg, look, &place);
    let rule = aid.rule.map_or(String::new(), |r| r.to_string());
    heading(svg, look, &aid.name, &rule, &place);
    let mut y = place.y + PAD + 24.0;
    for line in note_lines(&aid.note, place.w) {
        y += 16.0;
        write(svg, "note", &line, (place.x + PAD, y - 4.0), 12.5, look.faint, false);
    }
    let columns = aid.columns.len().max(1);
    let texts = std::iter::once(&aid.columns).chain(aid.rows.iter().map(|r| &r.cells));
    let mut wide: Vec<f64> = vec![1.0; columns];
    for cells in texts {
        for (i, cell) in cells.iter().enumerate().take(columns) {
            wide[i] = wide[i].max(width(cell) + 0.9);
        }
    }
    let all: f64 = wide.iter().sum();
    let unit = (place.w - 2.0 * PAD) / all;
    let mut line = |y: f64, cells: &[String], head: bool, lit: bool| {
        if lit {
            svg.tag("rect")
                .put("class", "lit")
                .nums([
                    ("x", place.x + 7.0),
                    ("y", y - 15.5),
                    ("width", place.w - 14.0),
                    ("height", 21.0),
                    ("rx", 5.0),
                ])
                .put("fill", look.lit)
                .put("fill-opacity", "0.45")
                .put("stroke", look.gold)
                .end();
        }
        let mut x = place.x + PAD;
        for (i, cell) in cells.iter().enumerate().take(columns) {
            let set = lettering::fit(cell, wide[i] * unit - 6.0, 1, 13.5, 8.0);
            for text in &set.lines {
                let colour = if head { look.faint } else { look.ink };
                write(svg, "cell", text, (x, y), set.size, colour, i == 0 || head);
            }
            x += wide[i] * unit;
        }
    };
    y += 18.0;
    line(y, &aid.columns, true, false);
    for row in &aid.rows {
        y += 22.0;
        line(y, &row.cells, false, row.lit);
    }
    svg.close("g");
}

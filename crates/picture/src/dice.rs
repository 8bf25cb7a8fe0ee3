//! Dice, alike in all games: a hit is red and upright on a gold burst, a miss pale and tilted.

use levant::{Colour, Theme};
use table::Seat;
use table::scene::{Die, Throw};

use crate::area::Area;
use crate::block::write;
use crate::lettering;
use crate::look::{Look, emblem};
use crate::svg::{Svg, num};

/// Draws a die with its middle at a place.
pub(crate) fn die(svg: &mut Svg, look: &Look<'_>, die: &Die, index: usize, (x, y): (f64, f64), side: f64) {
    let hit = die.hit == Some(true);
    let missed = die.hit == Some(false);
    let night = look.theme == Theme::Night;
    let (fill, spots, line) = match (hit, missed && night) {
        (true, _) => (Colour(0xb3, 0x26, 0x1e), Colour(0xff, 0xf9, 0xea), Colour(0x4a, 0x10, 0x0a)),
        (false, true) => (Colour(0x4b, 0x48, 0x42), Colour(0xb8, 0xae, 0x9a), Colour(0x1b, 0x18, 0x16)),
        (false, false) => (Colour(0xfd, 0xf9, 0xee), Colour(0x35, 0x29, 0x1a), Colour(0x5a, 0x4a, 0x30)),
    };
    let tilt = if missed { [9.0, -7.0, 5.0][index % 3] } else { 0.0 };
    svg.tag("g")
        .put("class", if hit { "die hit" } else { "die" })
        .put(
            "transform",
            format!("translate({} {}) rotate({}) scale({})", num(x), num(y), num(tilt), num(side / 40.0)),
        )
        .open();
    if hit {
        let points: Vec<_> = (0..24)
            .map(|i| {
                let r = if i % 2 == 0 { 33.0 } else { 25.0 };
                let angle = f64::from(i) * std::f64::consts::PI / 12.0;
                format!("{},{}", num(r * angle.cos()), num(r * angle.sin()))
            })
            .collect();
        svg.tag("polygon")
            .put("class", "burst")
            .put("points", points.join(" "))
            .put("fill", look.lit)
            .put("stroke", look.gold)
            .end();
    }
    svg.tag("rect")
        .nums([("x", -20.0), ("y", -20.0), ("width", 40.0), ("height", 40.0), ("rx", 8.0)])
        .put("fill", fill)
        .put("stroke", line)
        .num("stroke-width", 2.0)
        .end();
    let d = match die.result {
        result @ 1..=6 if die.sides == 6 => dots(result),
        _ => String::new(),
    };
    if d.is_empty() {
        write(svg, &die.result.to_string(), (0.0, 9.0), 26.0, "middle", spots);
    } else {
        svg.tag("path")
            .put("d", d)
            .put("stroke", spots)
            .num("stroke-width", 7.4)
            .put("stroke-linecap", "round")
            .end();
    }
    svg.close("g");
}

fn dots(result: u8) -> String {
    let places: &[(i8, i8)] = match result {
        1 => &[(0, 0)],
        2 => &[(-1, 1), (1, -1)],
        3 => &[(-1, 1), (0, 0), (1, -1)],
        4 => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5 => &[(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        _ => &[(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    };
    places.iter().map(|(x, y)| format!("M{} {}h.01", i32::from(*x) * 10, i32::from(*y) * 10)).collect()
}

/// Dice on green cloth, with who threw them and what came of it.
pub(crate) fn cloth(svg: &mut Svg, look: &Look<'_>, throw: &Throw, place: &Area) {
    let night = look.theme == Theme::Night;
    let (green, wood) = match night {
        true => (Colour(0x24, 0x36, 0x2c), Colour(0x3a, 0x26, 0x16)),
        false => (Colour(0x43, 0x60, 0x4c), Colour(0x5c, 0x3f, 0x24)),
    };
    let high = place.h.min(place.w * 0.45);
    let unit = high / 130.0;
    let count = throw.dice.len().max(1);
    let rows = if count > 10 { 2 } else { 1 };
    let across = count.div_ceil(rows) as f64;
    let told = [(&throw.result, 30.0), (&throw.note, 19.0)];
    let words = told.iter().map(|(text, size)| lettering::width(text) * size).fold(0.0, f64::max);
    let needed = (across * 62.0 + words + 96.0).max(lettering::width(&throw.name) * 20.0 + 96.0) * unit;
    let place = Area::around(place.centre(), place.w.min(needed), high);
    svg.tag("rect")
        .put("class", "cloth")
        .nums([("x", place.x), ("y", place.y), ("width", place.w), ("height", place.h), ("rx", 18.0 * unit)])
        .put("fill", green)
        .put("stroke", wood)
        .num("stroke-width", 8.0 * unit)
        .end();
    let pale = Colour(0xf6, 0xee, 0xda);
    let left = place.x + 24.0 * unit;
    let head = lettering::fit(&throw.name, place.w - 60.0 * unit, 1, 20.0 * unit, 19.0 * unit);
    let mut x = left;
    if let Some(owner) = throw.owner {
        seat_mark(svg, look, owner, (left + 8.0 * unit, place.y + 25.0 * unit), 8.0 * unit);
        x += 24.0 * unit;
    }
    for line in &head.lines {
        write(svg, line, (x, place.y + 31.0 * unit), head.size, "start", pale);
    }
    let told = !throw.result.is_empty() || !throw.note.is_empty();
    let room = place.w - 48.0 * unit - if told { (words + 30.0) * unit } else { 0.0 };
    let step = (62.0 * unit).min(room / across);
    let side = (step * 0.62).min(40.0 * unit) / if rows > 1 { 1.35 } else { 1.0 };
    for (i, one) in throw.dice.iter().enumerate() {
        let (row, column) = (i / across as usize, i % across as usize);
        let x = left + step * (column as f64 + 0.5);
        let down = if rows > 1 { 64.0 + 38.0 * row as f64 } else { 80.0 };
        die(svg, look, one, i, (x, place.y + down * unit), side);
    }
    let x = left + step * across + 22.0 * unit;
    let space = place.right() - x - 14.0 * unit;
    let set = lettering::fit(&throw.result, space, 1, 30.0 * unit, 20.0 * unit);
    for line in &set.lines {
        write(svg, line, (x, place.y + 84.0 * unit), set.size, "start", look.lit);
    }
    let set = lettering::fit(&throw.note, space, 1, 19.0 * unit, 19.0 * unit);
    for (i, line) in set.lines.iter().enumerate() {
        svg.tag("text")
            .nums([("x", x), ("y", place.y + (108.0 + 14.0 * i as f64) * unit), ("font-size", set.size)])
            .put("fill", pale)
            .text(line);
    }
}

/// The emblem of a seat on a disc of its colour.
fn seat_mark(svg: &mut Svg, look: &Look<'_>, seat: Seat, (x, y): (f64, f64), r: f64) {
    let tincture = look.tincture(Some(seat));
    svg.tag("circle")
        .nums([("cx", x), ("cy", y), ("r", r * 1.25)])
        .put("fill", tincture.field)
        .put("stroke", look.outline(tincture.field))
        .end();
    emblem(svg, seat, (x, y), r * 0.8, tincture.text, 1.0);
}

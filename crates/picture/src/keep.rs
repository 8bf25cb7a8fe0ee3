//! What stands on a space, as buildings: village, town, castles, cities with as many towers as walls, a pass;
//! with the banner of who holds it, and the tents of who besieges it.
//!
//! A town is drawn in a space from -30 to 30 on an oval in its holder's tint. The buildings are symbols of the
//! board's stock, so that a town costs a line.

use levant::{Colour, Theme};
use table::Seat;
use table::scene::{Harbour, Keep, Space};

use crate::look::{Look, emblem};
use crate::road::centre;
use crate::svg::{Svg, num};

const VILLAGE: &str = r#"<rect x="-13.5" y="0" width="9" height="6" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-14.5 0L-9 -4.5L-3.5 0Z" fill="$r" stroke="$l" stroke-width="0.9"/><path d="M-10 6v-3.4h2v3.4Z" fill="$l"/><rect x="4" y="2" width="8" height="5" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M4 2h8" stroke="$l" stroke-width="1.4"/><path d="M7 7v-3.4h2v3.4Z" fill="$l"/><rect x="-5" y="3" width="10" height="7" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-6 3L0 -2L6 3Z" fill="$r" stroke="$l" stroke-width="0.9"/><path d="M-1 10v-3.4h2v3.4Z" fill="$l"/>"#;
const TOWN: &str = r#"<rect x="-18.5" y="-3" width="9" height="7" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-19.5 -3L-14 -7.5L-8.5 -3Z" fill="$r" stroke="$l" stroke-width="0.9"/><path d="M-15 4v-3.4h2v3.4Z" fill="$l"/><rect x="8.5" y="-3" width="9" height="7" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M8.5 -3h9" stroke="$l" stroke-width="1.4"/><path d="M12 4v-3.4h2v3.4Z" fill="$l"/><rect x="-3.5" y="-9" width="9" height="12" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-2.78 -9A3.78 3.78 0 0 1 4.78 -9Z" fill="$d" stroke="$l" stroke-width="0.9"/><path d="M1 -12.78L1 -15.78" fill="none" stroke="$l" stroke-width="1"/><path d="M0 3v-3.4h2v3.4Z" fill="$l"/><rect x="-11" y="2" width="10" height="7" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-11 2h10" stroke="$l" stroke-width="1.4"/><path d="M-7 9v-3.4h2v3.4Z" fill="$l"/><rect x="3" y="3" width="10" height="7" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M2 3L8 -2L14 3Z" fill="$r" stroke="$l" stroke-width="0.9"/><path d="M7 10v-3.4h2v3.4Z" fill="$l"/>"#;
const LOW_CASTLE: &str = r#"<path d="M-20 12C-14 2-9 0-4 0H8C14 1 18 6 21 12Z" fill="$m" stroke="$l" stroke-width="0.9"/><path d="M-12 7V-3.6H-9.22V-1H-6.44V-3.6H-3.67V-1H-0.89V-3.6H1.89V-1H4.67V-3.6H7.44V-1H10.22V-3.6H13V7Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M-4.5 7V-10.4H-1.5V-8H1.5V-10.4H4.5V7Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M1.08 7V-7H4.1V7Z" fill="$h"/><path d="M-1.44 -3.5v3.2" stroke="$l" stroke-width="1.1" fill="none"/>"#;
const FULL_CASTLE: &str = r#"<path d="M-20 12C-14 2-9 0-4 0H8C14 1 18 6 21 12Z" fill="$m" stroke="$l" stroke-width="0.9"/><path d="M-5 3V-22.4H-1V-20H3V-22.4H7V3Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M2.44 3V-19H6.6V3Z" fill="$h"/><path d="M-0.92 -15.5v3.2" stroke="$l" stroke-width="1.1" fill="none"/><path d="M-15 8V-11.4H-12.33V-9H-9.67V-11.4H-7V8Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M-10.04 8V-8H-7.4V8Z" fill="$h"/><path d="M-12.28 -4.5v3.2" stroke="$l" stroke-width="1.1" fill="none"/><path d="M9 8V-11.4H11.67V-9H14.33V-11.4H17V8Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M13.96 8V-8H16.6V8Z" fill="$h"/><path d="M11.72 -4.5v3.2" stroke="$l" stroke-width="1.1" fill="none"/><path d="M-8 9V-2.6H-5.43V0H-2.86V-2.6H-0.29V0H2.29V-2.6H4.86V0H7.43V-2.6H10V9Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M-1.5 9V5.5A2.5 2.5 0 0 1 3.5 5.5V9Z" fill="$l"/>"#;
const CITY_1: &str = r#"<rect x="-16" y="-4" width="8" height="6" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-17 -4L-12 -8L-7 -4Z" fill="$r" stroke="$l" stroke-width="0.9"/><path d="M-13 2v-3.4h2v3.4Z" fill="$l"/><rect x="8" y="-4" width="8" height="6" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M8 -4h8" stroke="$l" stroke-width="1.4"/><path d="M11 2v-3.4h2v3.4Z" fill="$l"/><rect x="-3.5" y="-5" width="9" height="7" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-2.78 -5A3.78 3.78 0 0 1 4.78 -5Z" fill="$d" stroke="$l" stroke-width="0.9"/><path d="M1 -8.78L1 -11.78" fill="none" stroke="$l" stroke-width="1"/><path d="M0 2v-3.4h2v3.4Z" fill="$l"/><path d="M-23 12V0.8H-19.93V3H-16.87V0.8H-13.8V3H-10.73V0.8H-7.67V3H-4.6V0.8H-1.53V3H1.53V0.8H4.6V3H7.67V0.8H10.73V3H13.8V0.8H16.87V3H19.93V0.8H23V12Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M7.2 12V8.6A2.8 2.8 0 0 1 12.8 8.6V12Z" fill="$l"/><path d="M-4.3 13V-10.9H-1.43V-8.5H1.43V-10.9H4.3V13Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M1.03 13V-7.5H3.9V13Z" fill="$h"/><path d="M-1.38 -4v3.2" stroke="$l" stroke-width="1.1" fill="none"/>"#;
const CITY_2: &str = r#"<rect x="-16" y="-4" width="8" height="6" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-17 -4L-12 -8L-7 -4Z" fill="$r" stroke="$l" stroke-width="0.9"/><path d="M-13 2v-3.4h2v3.4Z" fill="$l"/><rect x="8" y="-4" width="8" height="6" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M8 -4h8" stroke="$l" stroke-width="1.4"/><path d="M11 2v-3.4h2v3.4Z" fill="$l"/><rect x="-3.5" y="-5" width="9" height="7" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-2.78 -5A3.78 3.78 0 0 1 4.78 -5Z" fill="$d" stroke="$l" stroke-width="0.9"/><path d="M1 -8.78L1 -11.78" fill="none" stroke="$l" stroke-width="1"/><path d="M0 2v-3.4h2v3.4Z" fill="$l"/><path d="M-23 12V0.8H-19.93V3H-16.87V0.8H-13.8V3H-10.73V0.8H-7.67V3H-4.6V0.8H-1.53V3H1.53V0.8H4.6V3H7.67V0.8H10.73V3H13.8V0.8H16.87V3H19.93V0.8H23V12Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M-2.8 12V8.6A2.8 2.8 0 0 1 2.8 8.6V12Z" fill="$l"/><path d="M-25.3 13V-10.9H-22.43V-8.5H-19.57V-10.9H-16.7V13Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M-19.97 13V-7.5H-17.1V13Z" fill="$h"/><path d="M-22.38 -4v3.2" stroke="$l" stroke-width="1.1" fill="none"/><path d="M16.7 13V-10.9H19.57V-8.5H22.43V-10.9H25.3V13Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M22.03 13V-7.5H24.9V13Z" fill="$h"/><path d="M19.62 -4v3.2" stroke="$l" stroke-width="1.1" fill="none"/>"#;
const CITY_3: &str = r#"<rect x="-16" y="-4" width="8" height="6" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-17 -4L-12 -8L-7 -4Z" fill="$r" stroke="$l" stroke-width="0.9"/><path d="M-13 2v-3.4h2v3.4Z" fill="$l"/><rect x="8" y="-4" width="8" height="6" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M8 -4h8" stroke="$l" stroke-width="1.4"/><path d="M11 2v-3.4h2v3.4Z" fill="$l"/><rect x="3" y="-7" width="12" height="9" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M3.96 -7A5.04 5.04 0 0 1 14.04 -7Z" fill="$d" stroke="$l" stroke-width="0.9"/><path d="M9 -12.04L9 -15.04" fill="none" stroke="$l" stroke-width="1"/><path d="M8 2v-3.4h2v3.4Z" fill="$l"/><rect x="-9.5" y="-7" width="7" height="9" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-9.5 -7h7" stroke="$l" stroke-width="1.4"/><path d="M-7 2v-3.4h2v3.4Z" fill="$l"/><path d="M-23 12V0.8H-19.93V3H-16.87V0.8H-13.8V3H-10.73V0.8H-7.67V3H-4.6V0.8H-1.53V3H1.53V0.8H4.6V3H7.67V0.8H10.73V3H13.8V0.8H16.87V3H19.93V0.8H23V12Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M8.7 12V8.6A2.8 2.8 0 0 1 14.3 8.6V12Z" fill="$l"/><path d="M-27.3 13V-10.9H-24.43V-8.5H-21.57V-10.9H-18.7V13Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M-21.97 13V-7.5H-19.1V13Z" fill="$h"/><path d="M-24.38 -4v3.2" stroke="$l" stroke-width="1.1" fill="none"/><path d="M-4.3 13V-10.9H-1.43V-8.5H1.43V-10.9H4.3V13Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M1.03 13V-7.5H3.9V13Z" fill="$h"/><path d="M-1.38 -4v3.2" stroke="$l" stroke-width="1.1" fill="none"/><path d="M18.7 13V-10.9H21.57V-8.5H24.43V-10.9H27.3V13Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M24.03 13V-7.5H26.9V13Z" fill="$h"/><path d="M21.62 -4v3.2" stroke="$l" stroke-width="1.1" fill="none"/>"#;
const CITY_4: &str = r#"<rect x="-16" y="-4" width="8" height="6" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-17 -4L-12 -8L-7 -4Z" fill="$r" stroke="$l" stroke-width="0.9"/><path d="M-13 2v-3.4h2v3.4Z" fill="$l"/><rect x="8" y="-4" width="8" height="6" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M8 -4h8" stroke="$l" stroke-width="1.4"/><path d="M11 2v-3.4h2v3.4Z" fill="$l"/><rect x="-5" y="-7" width="12" height="9" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-4.04 -7A5.04 5.04 0 0 1 6.04 -7Z" fill="$d" stroke="$l" stroke-width="0.9"/><path d="M1 -12.04L1 -15.04" fill="none" stroke="$l" stroke-width="1"/><path d="M0 2v-3.4h2v3.4Z" fill="$l"/><rect x="-9.5" y="-7" width="7" height="9" fill="$s" stroke="$l" stroke-width="0.9"/><path d="M-9.5 -7h7" stroke="$l" stroke-width="1.4"/><path d="M-7 2v-3.4h2v3.4Z" fill="$l"/><path d="M-23 12V0.8H-19.93V3H-16.87V0.8H-13.8V3H-10.73V0.8H-7.67V3H-4.6V0.8H-1.53V3H1.53V0.8H4.6V3H7.67V0.8H10.73V3H13.8V0.8H16.87V3H19.93V0.8H23V12Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M-2.8 12V8.6A2.8 2.8 0 0 1 2.8 8.6V12Z" fill="$l"/><path d="M-28.3 13V-10.9H-25.43V-8.5H-22.57V-10.9H-19.7V13Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M-22.97 13V-7.5H-20.1V13Z" fill="$h"/><path d="M-25.38 -4v3.2" stroke="$l" stroke-width="1.1" fill="none"/><path d="M-12.3 13V-10.9H-9.43V-8.5H-6.57V-10.9H-3.7V13Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M-6.97 13V-7.5H-4.1V13Z" fill="$h"/><path d="M-9.38 -4v3.2" stroke="$l" stroke-width="1.1" fill="none"/><path d="M3.7 13V-10.9H6.57V-8.5H9.43V-10.9H12.3V13Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M9.03 13V-7.5H11.9V13Z" fill="$h"/><path d="M6.62 -4v3.2" stroke="$l" stroke-width="1.1" fill="none"/><path d="M19.7 13V-10.9H22.57V-8.5H25.43V-10.9H28.3V13Z" fill="$s" stroke="$l" stroke-width="1"/><path d="M25.03 13V-7.5H27.9V13Z" fill="$h"/><path d="M22.62 -4v3.2" stroke="$l" stroke-width="1.1" fill="none"/>"#;
const PASS: &str = r#"<path d="M-27 12L-13-9L-7-1L-2 5L4 12Z" fill="$m" stroke="$l"/><path d="M-4 12L8-14L15-3L26 12Z" fill="$m" stroke="$l"/><path d="M8-14L11-9L8-6L5-8Z" fill="$s"/><path d="M-13-9L-10.5-5L-13-3L-15.5-5Z" fill="$s"/><path d="M-6 12C2 9-4 5 1 2" fill="none" stroke="$l" stroke-width="1.2" stroke-dasharray="2 1.4"/>"#;

/// The letters that stand for colours in the drawings, and the colours by day and by night.
const COLOURS: [(&str, &str, &str); 6] = [
    ("$s", "#efe2c4", "#7b6e58"),
    ("$h", "#d5c096", "#5c5140"),
    ("$r", "#a8674a", "#8a5238"),
    ("$d", "#7fa3a0", "#4f7374"),
    ("$l", "#4a3a26", "#cdbb94"),
    ("$m", "#c4a26d", "#4d4433"),
];

/// Where the staff of a banner stands.
fn roof(keep: Keep) -> (f64, f64) {
    match keep {
        Keep::Village => (0.0, 0.0),
        Keep::Town => (1.0, -12.0),
        Keep::LowCastle | Keep::City(1 | 3) => (0.0, -10.0),
        Keep::FullCastle => (1.0, -22.0),
        Keep::City(4..) => (1.0, -11.0),
        Keep::City(_) => (1.0, -8.0),
        Keep::Pass => (8.0, -12.0),
    }
}

/// The oval under a town: half its width and half its height.
fn oval(keep: Keep) -> (f64, f64) {
    match keep {
        Keep::Village | Keep::Pass => (21.0, 9.5),
        _ => (30.0, 12.5),
    }
}

fn drawing(keep: Keep) -> (&'static str, &'static str) {
    match keep {
        Keep::Village => ("village", VILLAGE),
        Keep::Town => ("town", TOWN),
        Keep::LowCastle => ("low-castle", LOW_CASTLE),
        Keep::FullCastle => ("castle", FULL_CASTLE),
        Keep::City(0 | 1) => ("city-1", CITY_1),
        Keep::City(2) => ("city-2", CITY_2),
        Keep::City(3) => ("city-3", CITY_3),
        Keep::City(_) => ("city-4", CITY_4),
        Keep::Pass => ("pass", PASS),
    }
}

/// A building as a symbol of the stock; its id.
fn symbol(look: &Look<'_>, keep: Keep) -> String {
    let (name, drawing) = drawing(keep);
    look.symbol(&format!("keep-{name}"), 32.0, || {
        let mut text = drawing.to_string();
        for (letter, day, night) in COLOURS {
            text = text.replace(letter, if look.theme == Theme::Night { night } else { day });
        }
        format!("<g stroke-linejoin=\"round\">{text}</g>")
    })
}

/// A building as a sign by itself: open houses, or a city with so many towers.
pub(crate) fn sign(svg: &mut Svg, look: &Look<'_>, towers: u8, at: (f64, f64), scale: f64) {
    let keep = if towers == 0 { Keep::Town } else { Keep::City(towers) };
    look.place(svg, &symbol(look, keep), at, 64.0 * scale);
}

/// How large a town is drawn: its space is its oval.
pub(crate) fn scale(space: &Space) -> f64 {
    let (rx, ry) = crate::road::reach(space);
    rx.min(ry).max(1.0) * 1.12 / 30.0
}

/// Draws what stands on a space, with its banner, its besiegers and the rings of what it is.
pub(crate) fn draw(svg: &mut Svg, look: &Look<'_>, space: &Space, keep: Keep, open: bool) {
    let (x, y) = centre(space);
    let (rx, ry) = oval(keep);
    svg.tag("g")
        .put("class", "keep")
        .put("transform", format!("translate({} {}) scale({})", num(x), num(y), num(scale(space))))
        .open();
    let mut ring = |class: &str, grow: f64, fill: Option<(Colour, f64)>, stroke: Option<(Colour, f64)>| {
        let mut tag =
            svg.tag("ellipse").put("class", class).nums([("cy", 5.0), ("rx", rx + grow), ("ry", ry + grow)]);
        tag = match fill {
            Some((fill, opacity)) if opacity < 1.0 => tag.put("fill", fill).num("fill-opacity", opacity),
            Some((fill, _)) => tag.put("fill", fill),
            None => tag.put("fill", "none"),
        };
        if let Some((colour, width)) = stroke {
            tag = tag.put("stroke", colour).num("stroke-width", width);
        }
        tag.end();
    };
    if space.lit {
        ring("glow", 6.5, Some((look.lit, 0.6)), None);
    }
    if open {
        ring("halo", 6.0, None, Some((look.open, 3.0)));
    }
    let land = look.ground().land;
    let (fill, line) = match space.holder {
        Some(holder) => {
            let field = look.tincture(Some(holder)).field;
            (land.mixed(field, 34), look.stroke(Some(holder)))
        }
        None => (land.mixed(look.road, 18), look.road),
    };
    ring("shape", 0.0, Some((fill, 1.0)), Some((line, 1.8)));
    if space.harbour != Harbour::No {
        svg.tag("path")
            .put("class", "waves")
            .put("d", "M-27 14q4 3.2 8 0t8 0t8 0t8 0")
            .put("fill", "none")
            .put("stroke", look.lane)
            .num("stroke-width", 1.2)
            .end();
    }
    look.place(svg, &symbol(look, keep), (0.0, 0.0), 64.0);
    if let Some(holder) = space.holder {
        banner(svg, look, holder, roof(keep));
    }
    if let Some(siege) = space.siege {
        tents(svg, look, siege, rx, ry);
    }
    svg.close("g");
}

/// The banner of a seat: swallow-tailed or a pennon, by its number, as its shield is.
fn banner(svg: &mut Svg, look: &Look<'_>, seat: Seat, (x, y): (f64, f64)) {
    let tincture = look.tincture(Some(seat));
    svg.tag("path")
        .put("d", format!("M{} {}v-19", num(x), num(y)))
        .put("stroke", look.staff)
        .num("stroke-width", 1.2)
        .end();
    let cloth = if seat.index().is_multiple_of(2) { "h13l-3.4 4.2l3.4 4.2h-13Z" } else { "l14 4.4l-14 4.4Z" };
    svg.tag("path")
        .put("class", "banner")
        .put("d", format!("M{} {}{cloth}", num(x), num(y - 17.0)))
        .put("fill", tincture.field)
        .put("stroke", look.outline(tincture.field))
        .num("stroke-width", 0.8)
        .end();
    emblem(svg, seat, (x + 4.4, y - 12.7), 2.5, tincture.text, 1.0);
}

/// Tents in a half circle before the town.
fn tents(svg: &mut Svg, look: &Look<'_>, seat: Seat, rx: f64, ry: f64) {
    let field = look.tincture(Some(seat)).field;
    let (a, b) = (rx + 7.0, ry + 8.0);
    svg.tag("path")
        .put("class", "siege")
        .put("d", format!("M{} 3A{} {} 0 0 0 {} 3", num(-a), num(a), num(b), num(a)))
        .put("fill", "none")
        .put("stroke", field)
        .num("stroke-width", 2.6)
        .put("stroke-dasharray", "2.2 2.4")
        .end();
    let mut cloth = String::new();
    let mut doors = String::new();
    for (u, v) in [(-0.906, 0.57), (-0.423, 1.05), (0.423, 1.05), (0.906, 0.57)] {
        let (x, y) = (a * u, b * v);
        cloth.push_str(&format!("M{} {}l6-9.5l6 9.5Z", num(x - 6.0), num(y + 3.0)));
        doors.push_str(&format!("M{} {}l1.4-5l1.4 5Z", num(x - 1.4), num(y + 3.0)));
    }
    svg.tag("path")
        .put("class", "tents")
        .put("d", cloth)
        .put("fill", field.mixed(look.inside, 15))
        .put("stroke", look.outline(field))
        .num("stroke-width", 0.9)
        .end();
    svg.tag("path").put("d", doors).put("fill", look.staff).end();
}

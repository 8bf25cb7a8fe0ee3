//! What lies under the spaces: parchment, the wood of a grid, or the map of the Levant.

use levant::{BaseMap, Levant, MapFrame, Window};
use table::scene::{Board, Ground, Region, Tint};

use crate::area::Area;
use crate::hexes;
use crate::look::Look;
use crate::svg::{Svg, num};

/// How far the ground reaches beyond the board on every side.
pub(crate) fn margin(board: &Board, look: &Look<'_>) -> f64 {
    match board.ground {
        Ground::Plain | Ground::Field | Ground::Walls { .. } => 0.0,
        Ground::Cells { columns, rows } => f64::from(cell(board, columns, rows)) * 0.16,
        Ground::Levant { .. } => map(board, look).map_or(0.0, |(map, frame)| f64::from(map.margin(&frame))),
    }
}

fn cell(board: &Board, columns: u8, rows: u8) -> i32 {
    (board.width / i32::from(columns.max(1))).min(board.height / i32::from(rows.max(1)))
}

/// The part of the world that a board shows.
pub(crate) fn frame(board: &Board) -> Option<MapFrame> {
    let Ground::Levant { west, south, east, north } = board.ground else { return None };
    let degrees = |hundredths: i32| f64::from(hundredths) / 100.0;
    let window = Window::new(degrees(west), degrees(south), degrees(east), degrees(north)).ok()?;
    MapFrame::new(window, board.width).ok()
}

/// The usual size of the lettering of regions.
pub(crate) fn region_letters(board: &Board) -> f64 {
    (f64::from(board.width) * f64::from(board.height)).sqrt() * 0.024
}

/// The map under a board, if its window can be drawn.
fn map(board: &Board, look: &Look<'_>) -> Option<(BaseMap, MapFrame)> {
    let frame = frame(board)?;
    let id = format!("ground-{}", token(&board.id));
    Some((BaseMap { rose: true, border: true, id, ..BaseMap::bare(look.theme) }, frame))
}

/// A text as one word of letters, digits and hyphens.
pub(crate) fn token(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Draws the ground of a board.
pub(crate) fn draw(svg: &mut Svg, look: &Look<'_>, board: &Board, head: Option<&Area>) {
    svg.tag("g").put("class", "ground").put("aria-hidden", "true").open();
    match (board.ground, map(board, look)) {
        (Ground::Cells { columns, rows }, _) => grid(svg, look, board, columns, rows),
        (_, Some((mut map, frame))) => {
            map.avoid = head.into_iter().flat_map(discs).collect();
            svg.add(&map.fragment(Levant::built_in(), &frame));
        }
        (Ground::Field, _) => mat(svg, look, board, None),
        (Ground::Walls { foot }, _) => mat(svg, look, board, Some(f64::from(foot))),
        (Ground::Plain | Ground::Levant { .. }, None) => parchment(svg, look, board),
    }
    regions(svg, look, board);
    hexes::print(svg, look, board);
    svg.close("g");
}

/// Discs that cover an area, for the rose to keep off.
fn discs(area: &Area) -> [(i32, i32, i32); 2] {
    let r = (area.h / 2.0) as i32;
    let y = area.centre().1 as i32;
    [(area.x as i32 + r, y, r), (area.right() as i32 - r, y, r)]
}

/// The tints of regions and their names, spaced wide.
fn regions(svg: &mut Svg, look: &Look<'_>, board: &Board) {
    crate::country::tint(svg, look, board);
    let ground = look.ground();
    for region in board.regions.iter().filter(|r| r.outline.len() > 2) {
        let colour = match region.tint {
            Tint::Bare => continue,
            Tint::Fertile => ground.vale,
            Tint::Hills => ground.relief,
            Tint::Desert => ground.desert,
            Tint::Sea => ground.sea,
            Tint::Of(seat) => look.tincture(Some(seat)).field,
        };
        svg.tag("path")
            .put("class", "tint")
            .put("d", rounded(&region.outline))
            .put("fill", colour)
            .put("fill-opacity", "0.26")
            .put("stroke", colour)
            .put("stroke-opacity", "0.5")
            .num("stroke-width", f64::from(board.width) * 0.002)
            .end();
    }
    let usual = region_letters(board);
    for region in &board.regions {
        let size = if region.letters > 0 { f64::from(region.letters) } else { fitting(board, region, usual) };
        let (x, y) = (f64::from(region.x), f64::from(region.y));
        svg.tag("text")
            .put("class", "region")
            .nums([("x", x), ("y", y), ("font-size", size), ("letter-spacing", size * 0.33)])
            .put("text-anchor", "middle")
            .put("fill", look.land_name)
            .put("fill-opacity", "0.7")
            .put("transform", format!("rotate({} {} {})", region.turned, num(x), num(y)))
            .text(&region.name.to_uppercase());
    }
}

/// The size at which the spaced letters of a region's name keep to it: as wide as its spaces lie apart, and somewhat
/// beyond; never less than half of the usual.
fn fitting(board: &Board, region: &Region, usual: f64) -> f64 {
    let spaces = board.spaces.iter().filter(|s| s.region == region.name && !s.annex).map(|s| f64::from(s.x));
    let (west, east) = spaces.fold((f64::MAX, f64::MIN), |(w, e), x| (w.min(x), e.max(x)));
    if east < west {
        return usual;
    }
    let letters = region.name.chars().count().max(1) as f64;
    ((east - west) * 1.15 / letters).clamp(usual * 0.5, usual)
}

/// An outline with soft corners: through the middles of its sides.
pub(crate) fn rounded(corners: &[(i32, i32)]) -> String {
    let at = |i: usize| {
        let (x, y) = corners[i % corners.len()];
        (f64::from(x), f64::from(y))
    };
    let middle = |i: usize| ((at(i).0 + at(i + 1).0) / 2.0, (at(i).1 + at(i + 1).1) / 2.0);
    let first = middle(0);
    let mut d = format!("M{} {}", num(first.0), num(first.1));
    for i in 1..=corners.len() {
        let (corner, next) = (at(i), middle(i));
        d.push_str(&format!("Q{} {} {} {}", num(corner.0), num(corner.1), num(next.0), num(next.1)));
    }
    d + "Z"
}

/// A battle mat: open country with a river and hills, or the ground before a wall.
fn mat(svg: &mut Svg, look: &Look<'_>, board: &Board, wall: Option<f64>) {
    let (w, h) = (f64::from(board.width), f64::from(board.height));
    let ground = look.ground();
    // Hills, valleys and rivers end at the frame.
    let frame = 3.0;
    svg.tag("svg")
        .nums([("x", frame), ("y", frame), ("width", w - 2.0 * frame), ("height", h - 2.0 * frame)])
        .put("viewBox", [frame, frame, w - 2.0 * frame, h - 2.0 * frame].map(num).join(" "))
        .open();
    svg.tag("rect").nums([("width", w), ("height", h)]).put("fill", ground.land).end();
    for (cx, cy, rx, ry, colour) in [
        (0.5, 0.5, 0.42, 0.3, ground.vale),
        (0.12, 0.16, 0.2, 0.22, ground.relief),
        (0.9, 0.85, 0.24, 0.24, ground.relief),
    ] {
        for (grow, opacity) in [(1.0, 0.1), (0.72, 0.1), (0.45, 0.1)] {
            svg.tag("ellipse")
                .nums([("cx", w * cx), ("cy", h * cy), ("rx", w * rx * grow), ("ry", h * ry * grow)])
                .put("fill", colour)
                .num("fill-opacity", opacity)
                .end();
        }
    }
    let hill = |x: f64, y: f64, s: f64| {
        format!("M{} {}q{} -{} {} 0", num(x), num(y), num(s), num(s * 1.1), num(s * 2.0))
    };
    let hills = [
        (0.04, 0.1, 14.0),
        (0.09, 0.13, 10.0),
        (0.92, 0.14, 14.0),
        (0.955, 0.18, 9.0),
        (0.94, 0.8, 12.0),
        (0.03, 0.72, 10.0),
    ];
    let d: String = hills.iter().map(|(x, y, s)| hill(w * x, h * y, *s)).collect();
    svg.tag("path")
        .put("class", "hills")
        .put("d", d)
        .put("fill", "none")
        .put("stroke", ground.peak)
        .num("stroke-width", 1.6)
        .end();
    if let Some(foot) = wall {
        curtain_wall(svg, look, w, foot);
    } else {
        svg.tag("path")
            .put("class", "river")
            .put(
                "d",
                format!(
                    "M0 {}C{} {} {} {} {} {}S{} {} {} {}",
                    num(h * 0.54),
                    num(w * 0.2),
                    num(h * 0.48),
                    num(w * 0.3),
                    num(h * 0.62),
                    num(w * 0.52),
                    num(h * 0.55),
                    num(w * 0.85),
                    num(h * 0.44),
                    num(w),
                    num(h * 0.5)
                ),
            )
            .put("fill", "none")
            .put("stroke", ground.river)
            .put("stroke-opacity", "0.45")
            .num("stroke-width", h.min(w) * 0.02)
            .end();
    }
    svg.close("svg");
    // A ruler along the edge, as maps have it.
    for (inset, width) in [(frame, 2.2), (9.0, 0.9)] {
        svg.tag("rect")
            .nums([("x", inset), ("y", inset), ("width", w - 2.0 * inset), ("height", h - 2.0 * inset)])
            .put("fill", "none")
            .put("stroke", ground.coast)
            .num("stroke-width", width)
            .end();
    }
}

/// A wall with towers and a gate, its foot at a height; a moat before it.
fn curtain_wall(svg: &mut Svg, look: &Look<'_>, w: f64, foot: f64) {
    let (stone, shade, line) = match look.theme {
        levant::Theme::Parchment => ("#efe2c4", "#d5c096", "#4a3a26"),
        levant::Theme::Night => ("#7b6e58", "#5c5140", "#cdbb94"),
    };
    let (high, tower) = (62.0, 92.0);
    let top = foot - high;
    svg.tag("rect")
        .put("class", "moat")
        .nums([("x", 10.0), ("y", foot + 4.0), ("width", w - 20.0), ("height", 9.0)])
        .put("fill", look.ground().river)
        .put("fill-opacity", "0.45")
        .end();
    let mut d = format!("M10 {}V{}", num(foot), num(top));
    let merlons = 36;
    let step = (w - 20.0) / f64::from(merlons * 2 - 1);
    for i in 0..merlons {
        let x = 10.0 + step * f64::from(2 * i);
        d.push_str(&format!("H{}V{}", num(x + step), num(top + 9.0)));
        if i + 1 < merlons {
            d.push_str(&format!("H{}V{}", num(x + 2.0 * step), num(top)));
        }
    }
    d.push_str(&format!("V{}Z", num(foot)));
    svg.tag("path")
        .put("class", "wall")
        .put("d", d)
        .put("fill", stone)
        .put("stroke", line)
        .num("stroke-width", 1.6)
        .end();
    let mut bricks = String::new();
    for row in 0..3 {
        let y = top + 20.0 + 15.0 * f64::from(row);
        bricks.push_str(&format!("M12 {}H{}", num(y), num(w - 12.0)));
        for i in 0..24 {
            let x = 30.0 + (w - 60.0) / 23.0 * f64::from(i) + if row % 2 == 0 { 0.0 } else { 18.0 };
            if x < w - 14.0 {
                bricks.push_str(&format!("M{} {}v15", num(x), num(y)));
            }
        }
    }
    svg.tag("path")
        .put("d", bricks)
        .put("fill", "none")
        .put("stroke", line)
        .put("stroke-opacity", "0.22")
        .end();
    for share in [0.06, 0.34, 0.66, 0.94] {
        let (x, half) = (w * share, 34.0);
        let t = foot - tower;
        let crown = (0..7).map(|i| {
            if i % 2 == 0 {
                format!("h{}v10", num(half * 2.0 / 7.0))
            } else {
                format!("h{}v-10", num(half * 2.0 / 7.0))
            }
        });
        let d = format!(
            "M{} {}V{}{}V{}Z",
            num(x - half),
            num(foot + 4.0),
            num(t),
            crown.collect::<String>(),
            num(foot + 4.0)
        );
        svg.tag("path")
            .put("class", "tower")
            .put("d", d)
            .put("fill", stone)
            .put("stroke", line)
            .num("stroke-width", 1.6)
            .end();
        svg.tag("rect")
            .nums([("x", x + half * 0.35), ("y", t + 12.0), ("width", half * 0.6), ("height", tower - 10.0)])
            .put("fill", shade)
            .end();
        let d = format!("M{} {}v14m0 14v14", num(x - 6.0), num(t + 26.0));
        svg.tag("path").put("d", d).put("stroke", line).num("stroke-width", 3.0).end();
    }
    let (x, half) = (w * 0.5, 26.0);
    svg.tag("path")
        .put("class", "gate")
        .put(
            "d",
            format!(
                "M{} {}V{}A{r} {r} 0 0 1 {} {}V{}Z",
                num(x - half),
                num(foot),
                num(foot - 22.0),
                num(x + half),
                num(foot - 22.0),
                num(foot),
                r = num(half)
            ),
        )
        .put("fill", look.staff.mixed(look.table, if look.theme == levant::Theme::Night { 80 } else { 0 }))
        .put("stroke", line)
        .num("stroke-width", 3.0)
        .end();
}

fn parchment(svg: &mut Svg, look: &Look<'_>, board: &Board) {
    let (w, h) = (f64::from(board.width), f64::from(board.height));
    let land = look.ground().land;
    let id = format!("vellum-{}", token(&board.id));
    svg.tag("radialGradient").put("id", &id).put("cx", "0.5").put("cy", "0.46").put("r", "0.78").open();
    for (offset, colour) in
        [("0.35", land.mixed(look.inside, 35)), ("1", land.mixed(look.ground().desert, 85))]
    {
        svg.tag("stop").put("offset", offset).put("stop-color", colour).end();
    }
    svg.close("radialGradient");
    let round = w.min(h) * 0.012;
    svg.tag("rect")
        .nums([("width", w), ("height", h), ("rx", round)])
        .put("fill", format!("url(#{id})"))
        .end();
    for (inset, width) in [(0.006, 0.003), (0.014, 0.0012)] {
        let inset = inset * w.min(h);
        svg.tag("rect")
            .nums([("x", inset), ("y", inset), ("width", w - 2.0 * inset), ("height", h - 2.0 * inset)])
            .num("rx", (round - inset * 0.5).max(0.0))
            .put("fill", "none")
            .put("stroke", look.ground().coast)
            .put("stroke-opacity", "0.55")
            .num("stroke-width", width * w.min(h))
            .end();
    }
}

/// A frame of dark wood with a paler field for every cell; the fields themselves are the spaces.
fn grid(svg: &mut Svg, look: &Look<'_>, board: &Board, columns: u8, rows: u8) {
    let margin = margin(board, look);
    let (w, h) = (f64::from(board.width), f64::from(board.height));
    let wood = look.road.mixed(look.table, if look.theme == levant::Theme::Night { 62 } else { 12 });
    let cell = f64::from(cell(board, columns, rows));
    for (inset, fill, stroke) in [
        (-margin, wood.mixed(look.ink, 18), look.ink.mixed(wood, 30)),
        (-margin * 0.42, wood, wood.mixed(look.ink, 35)),
    ] {
        svg.tag("rect")
            .nums([("x", inset), ("y", inset), ("width", w - 2.0 * inset), ("height", h - 2.0 * inset)])
            .num("rx", cell * 0.1 - inset * 0.5)
            .put("fill", fill)
            .put("stroke", stroke)
            .num("stroke-width", cell * 0.015)
            .end();
    }
}

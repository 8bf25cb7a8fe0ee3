//! Hexes of the ground: terrain with its signs, printed with the board, and the legend that explains them.
//!
//! A hexagon with nothing of its own is no part of the drawing: it is printed once, and carries its id in
//! `data-hex`, so that a page knows where somebody clicked.

use levant::Colour;
use table::scene::{Board, Space, TerrainSign};

use crate::layout::is_ground_hex;
use crate::lettering;
use crate::look::Look;
use crate::road::{centre, corners, reach};
use crate::svg::{Svg, num};

/// Whether a board has any.
pub(crate) fn any(board: &Board) -> bool {
    board.spaces.iter().any(is_ground_hex)
}

/// How high the legend under a board is.
pub(crate) fn legend_height(board: &Board) -> f64 {
    if board.terrains.is_empty() || !any(board) { 0.0 } else { letters(board) * 3.6 * legend_rows(board) }
}

/// How many kinds of terrain stand side by side in the legend.
const IN_A_ROW: usize = 6;

fn legend_rows(board: &Board) -> f64 {
    board.terrains.len().div_ceil(IN_A_ROW) as f64
}

fn letters(board: &Board) -> f64 {
    f64::from(board.width.max(1)) * 0.0145
}

fn fill(look: &Look<'_>, sign: TerrainSign) -> Colour {
    let ground = look.ground();
    let land = ground.land;
    match sign {
        TerrainSign::Clear => land,
        TerrainSign::Hill => land.mixed(ground.relief, 35),
        TerrainSign::Crest => land.mixed(ground.relief, 62),
        TerrainSign::Wood | TerrainSign::Marsh => land.mixed(ground.vale, 70),
        TerrainSign::Water | TerrainSign::Sea => ground.sea,
        TerrainSign::Desert => ground.desert,
        TerrainSign::Wall => land.mixed(look.inside, 40).mixed(ground.relief, 14),
        TerrainSign::Gate => land.mixed(ground.relief, 55),
        TerrainSign::Court | TerrainSign::Town => land.mixed(look.inside, 30).mixed(ground.relief, 10),
    }
}

/// The sign of a terrain in a square from -50 to 50: strokes, and whether they are filled.
const fn drawing(sign: TerrainSign) -> (&'static str, bool) {
    match sign {
        TerrainSign::Clear => ("M-22-18h.1M18-6h.1M-8 22h.1M26 26h.1", false),
        TerrainSign::Hill => ("M-32 22C-24-4-14-16-2-16C12-16 22-2 30 20M-10 22C-8 6-4-2 2-6", false),
        TerrainSign::Crest => ("M-36 28L-4-30L32 28ZM-4-30L4-6L-6 2L2 14", false),
        TerrainSign::Wood => (
            "M-22-2C-36-2-36-22-22-22C-18-34 0-30-2-18C8-14 4 0-6-2ZM-15-2V12M8 20C-4 20-4 2 8 4C10-8 28-6 28 6C38 8 36 22 26 20ZM18 20V34M14-18C4-18 6-34 16-32C22-40 34-34 32-24C38-18 32-14 28-16ZM22-17V-6",
            false,
        ),
        TerrainSign::Water | TerrainSign::Sea => (
            "M-36-16Q-24-26-12-16T12-16T36-16M-36 4Q-24-6-12 4T12 4T36 4M-36 24Q-24 14-12 24T12 24T36 24",
            false,
        ),
        TerrainSign::Desert => {
            ("M-34 18C-22 2-10 2 0 14M-6 22C6 4 22 4 34 20M-20-16h.1M8-20h.1M24-8h.1", false)
        }
        TerrainSign::Marsh => {
            ("M-24 18V-8M-16 18V-16M-8 18V-6M12 24V-2M20 24V-12M28 24V0M-34 20H0M4 26H36", false)
        }
        TerrainSign::Wall => (
            "M-44-24H44M-48 0H48M-44 24H44M-24-46V-24M20-46V-24M-40-24V0M0-24V0M38-24V0M-22 0V24M22 0V24M-6 24V44M28 24V44",
            false,
        ),
        TerrainSign::Gate => ("M-30 34V-10C-30-30 30-30 30-10V34Z", true),
        TerrainSign::Court => ("M-30-22H-10M6-22H28M-20 0H4M18 0H34M-32 22H-14M0 22H24", false),
        TerrainSign::Town => ("M-34 24V0L-18-14L-2 0V24ZM4 24V4H32V24ZM4 4L18-8L32 4", false),
    }
}

fn outline(space: &Space) -> String {
    let points = corners(space).map(|(x, y)| format!("{} {}", num(x), num(y)));
    format!("M{}Z", points.join("L"))
}

/// Prints the hexes of a board: each with its id, in the colour of its terrain; then all signs of a terrain as
/// one stroke.
pub(crate) fn print(svg: &mut Svg, look: &Look<'_>, board: &Board) {
    let sign_of = |space: &Space| {
        space.terrain.and_then(|t| board.terrains.get(usize::from(t))).map_or(TerrainSign::Clear, |t| t.sign)
    };
    let hexes: Vec<&Space> = board.spaces.iter().filter(|s| is_ground_hex(s)).collect();
    let Some(first) = hexes.first() else { return };
    let pen = reach(first).0.min(reach(first).1) / 40.0;
    let mut signs: Vec<TerrainSign> = hexes.iter().map(|s| sign_of(s)).collect();
    signs.sort_unstable();
    signs.dedup();
    let line = look.ground().land.mixed(look.road, 38);
    for sign in signs {
        svg.tag("g")
            .put("class", "hexes")
            .put("fill", fill(look, sign))
            .put("stroke", line)
            .num("stroke-width", pen)
            .open();
        for space in hexes.iter().filter(|s| sign_of(s) == sign) {
            svg.tag("path").put("data-hex", &space.id).put("d", outline(space)).end();
        }
        svg.close("g");
        let id = look.symbol(&format!("hex-{sign:?}").to_lowercase(), 50.0, || stamp(look, sign));
        for space in hexes.iter().filter(|s| sign_of(s) == sign) {
            let (rx, ry) = reach(space);
            look.place(svg, &id, centre(space), rx.min(ry) * 1.5);
        }
    }
    // The ground has its own symbols with it, since it is kept.
    svg.tag("defs").open();
    for (_, symbol) in look.stock.taken().iter().filter(|(id, _)| id.starts_with("hex-")) {
        svg.add(symbol);
    }
    svg.close("defs");
    legend(svg, look, board);
}

/// The sign of a terrain.
fn stamp(look: &Look<'_>, sign: TerrainSign) -> String {
    let (d, filled) = drawing(sign);
    let ground = look.ground();
    let stroke = match sign {
        TerrainSign::Water | TerrainSign::Sea => ground.wave,
        TerrainSign::Wood => ground.vale.mixed(look.ink, 45),
        TerrainSign::Clear | TerrainSign::Court | TerrainSign::Desert => ground.land.mixed(look.road, 45),
        _ => look.road,
    };
    let mut svg = Svg::default();
    let mut tag = svg.tag("path").put("d", d);
    tag = match (filled, sign) {
        (true, _) => tag.put("fill", look.staff.mixed(look.road, 30)),
        (false, TerrainSign::Wood) => tag.put("fill", ground.vale.mixed(look.ink, 18)),
        (false, TerrainSign::Crest) => tag.put("fill", ground.land.mixed(ground.relief, 80)),
        (false, TerrainSign::Town) => tag.put("fill", look.inside),
        (false, _) => tag.put("fill", "none"),
    };
    tag.put("stroke", stroke).num("stroke-width", 3.0).put("stroke-linecap", "round").end();
    svg.finish()
}

/// The legend under the board.
fn legend(svg: &mut Svg, look: &Look<'_>, board: &Board) {
    let size = letters(board);
    if legend_height(board) == 0.0 {
        return;
    }
    let columns = board.terrains.len().div_ceil(legend_rows(board) as usize);
    let step = f64::from(board.width) / columns as f64;
    svg.group("legend");
    svg.tag("rect")
        .nums([
            ("y", f64::from(board.height)),
            ("width", f64::from(board.width)),
            ("height", legend_height(board)),
        ])
        .put("fill", look.panel)
        .end();
    for (i, terrain) in board.terrains.iter().enumerate() {
        let x = step * (i % columns) as f64 + size * 1.6;
        let y = f64::from(board.height) + size * (1.7 + 3.6 * (i / columns) as f64);
        let r = size * 1.25;
        let points: Vec<_> =
            [(-0.5, -0.866), (0.5, -0.866), (1.0, 0.0), (0.5, 0.866), (-0.5, 0.866), (-1.0, 0.0)]
                .iter()
                .map(|(dx, dy)| format!("{},{}", num(x + dx * r), num(y + dy * r)))
                .collect();
        svg.tag("polygon")
            .put("points", points.join(" "))
            .put("fill", fill(look, terrain.sign))
            .put("stroke", look.road)
            .num("stroke-width", size * 0.06)
            .end();
        let id = look
            .symbol(&format!("hex-{:?}", terrain.sign).to_lowercase(), 50.0, || stamp(look, terrain.sign));
        look.place(svg, &id, (x, y), r * 1.4);
        let room = step - size * 3.4;
        // What a terrain does may take two lines.
        for (text, dy, most, bold, colour) in
            [(&terrain.name, -0.35, 1, true, look.ink), (&terrain.note, 0.5, 2, false, look.faint)]
        {
            let largest = if bold { size } else { size * 0.75 };
            let set = lettering::fit(text, room, most, largest, size * 0.7);
            for (i, line) in set.lines.iter().enumerate() {
                let down = size * dy + set.size * 1.1 * i as f64;
                let tag = svg
                    .tag("text")
                    .nums([("x", x + size * 1.7), ("y", y + down), ("font-size", set.size)])
                    .put("fill", colour);
                if bold { tag.put("font-weight", "bold").text(line) } else { tag.text(line) }
            }
        }
    }
    svg.close("g");
}

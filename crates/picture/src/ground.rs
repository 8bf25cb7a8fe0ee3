//! What lies under the spaces: parchment, the wood of a grid, or the map of the Levant.

use levant::{BaseMap, Levant, MapFrame, Window};
use table::scene::{Board, Ground};

use crate::look::Look;
use crate::svg::Svg;

/// How far the ground reaches beyond the board on every side.
pub(crate) fn margin(board: &Board, look: &Look<'_>) -> f64 {
    match board.ground {
        Ground::Plain => 0.0,
        Ground::Cells { columns, rows } => f64::from(cell(board, columns, rows)) * 0.16,
        Ground::Levant { .. } => map(board, look).map_or(0.0, |(map, frame)| f64::from(map.margin(&frame))),
    }
}

fn cell(board: &Board, columns: u8, rows: u8) -> i32 {
    (board.width / i32::from(columns.max(1))).min(board.height / i32::from(rows.max(1)))
}

/// The map under a board, if its window can be drawn.
fn map(board: &Board, look: &Look<'_>) -> Option<(BaseMap, MapFrame)> {
    let Ground::Levant { west, south, east, north } = board.ground else { return None };
    let degrees = |hundredths: i32| f64::from(hundredths) / 100.0;
    let window = Window::new(degrees(west), degrees(south), degrees(east), degrees(north)).ok()?;
    let frame = MapFrame::new(window, board.width).ok()?;
    let id = format!("ground-{}", token(&board.id));
    Some((BaseMap { rose: true, border: true, id, ..BaseMap::bare(look.theme) }, frame))
}

/// A text as one word of letters, digits and hyphens.
pub(crate) fn token(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Draws the ground of a board.
pub(crate) fn draw(svg: &mut Svg, look: &Look<'_>, board: &Board) {
    svg.tag("g").put("class", "ground").put("aria-hidden", "true").open();
    match (board.ground, map(board, look)) {
        (Ground::Cells { columns, rows }, _) => grid(svg, look, board, columns, rows),
        (_, Some((map, frame))) => svg.add(&map.fragment(Levant::built_in(), &frame)),
        (Ground::Plain | Ground::Levant { .. }, None) => parchment(svg, look, board),
    }
    svg.close("g");
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

//! Pieces as things on the table: wooden blocks, cards, and the signs of a game on a grid.
//!
//! A piece is drawn around its own centre and moved to its place, so that a page can slide it. The back of
//! a block is made from its owner and nothing else.

use levant::Theme;
use table::Seat;
use table::scene::{Face, Piece};

use crate::lettering;
use crate::look::{Look, emblem};
use crate::svg::{Svg, num};

/// How a piece is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Cut {
    /// A wooden block.
    Block,
    /// A card, higher than it is wide.
    Card,
    /// A sign that fills a cell.
    Sign,
}

/// How high a card is for its width.
pub(crate) const CARD: f64 = 1.4;

/// How a piece that lies in a tray is drawn: what has no ratings and no strength is a card.
pub(crate) fn cut_in_tray(piece: &Piece) -> Cut {
    match &piece.face {
        Face::Shown { left, right, pips: (_, 0), .. } if left.is_empty() && right.is_empty() => Cut::Card,
        _ => Cut::Block,
    }
}

/// How a piece that stands in a cell is drawn.
pub(crate) fn cut_in_cell(piece: &Piece) -> Cut {
    match &piece.face {
        Face::Shown { name, .. } if name.chars().count() == 1 => Cut::Sign,
        _ => Cut::Block,
    }
}

/// What a screen reader says of a piece.
fn words(piece: &Piece, look: &Look<'_>) -> String {
    match (&piece.face, piece.owner) {
        // The back of a piece says whose it is, whatever else its text may hold.
        (Face::Hidden, Some(owner)) => format!("{} hidden", look.seat_name(owner)).trim().to_string(),
        (Face::Hidden, None) => "hidden".to_string(),
        (Face::Shown { name, .. }, _) if piece.text.is_empty() => name.clone(),
        _ => piece.text.clone(),
    }
}

/// Where a piece lies and how it is shown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pose {
    pub(crate) cut: Cut,
    /// Its centre.
    pub(crate) at: (f64, f64),
    /// Its width.
    pub(crate) side: f64,
    /// Whether it can be chosen.
    pub(crate) open: bool,
    /// Whether a warning is about it.
    pub(crate) warned: bool,
}

/// Draws a piece.
pub(crate) fn draw(svg: &mut Svg, look: &Look<'_>, piece: &Piece, pose: Pose) {
    let Pose { cut, at: (x, y), side, open, warned } = pose;
    let said = words(piece, look);
    let (lit, spent) = match piece.face {
        Face::Shown { lit, spent, .. } => (lit, spent),
        Face::Hidden => (false, false),
    };
    let mut class = "piece".to_string();
    for (is, word) in [
        (piece.face == Face::Hidden, " hidden"),
        (lit, " lit"),
        (spent, " spent"),
        (open, " open"),
        (warned, " warned"),
    ] {
        if is {
            class.push_str(word);
        }
    }
    if let Some(owner) = piece.owner {
        class.push_str(&format!(" seat-{}", owner.index()));
    }
    let mut tag = svg.tag("g").put("id", &piece.id).put("data-id", &piece.id);
    if let Face::Shown { name, .. } = &piece.face {
        tag = tag.put("data-name", name);
    }
    tag.put("class", class)
        .put("transform", format!("translate({} {})", num(x), num(y)))
        .put("role", "img")
        .put("aria-label", &said)
        .open();
    svg.title(&said);
    match &piece.face {
        Face::Hidden => back(svg, look, piece.owner, side, open),
        Face::Shown { name, .. } if cut == Cut::Sign => sign(svg, look, piece.owner, name, side, lit, open),
        Face::Shown { name, left, right, pips, .. } => {
            let front = Front { name, left, right, pips: *pips, lit, spent };
            let draw = if cut == Cut::Card { card } else { block };
            draw(svg, look, piece.owner, &front, side, open);
        }
    }
    if warned {
        crate::board::alarm(svg, look, (side * 0.42, side * -0.42), side * 0.17);
    }
    svg.close("g");
}

struct Front<'a> {
    name: &'a str,
    left: &'a str,
    right: &'a str,
    pips: (u8, u8),
    lit: bool,
    spent: bool,
}

/// A body with rounded corners, its shadow and, if it stands out, its glow.
#[derive(Clone, Copy)]
struct Body {
    w: f64,
    h: f64,
    round: f64,
    fill: levant::Colour,
    line: levant::Colour,
    lit: bool,
    open: bool,
}

fn body(svg: &mut Svg, look: &Look<'_>, body: Body) {
    let Body { w, h, round, fill, line, lit, open } = body;
    let side = w.min(h);
    let mut rect = |class: &str, grow: f64, drop: f64, paint: &[(&str, String)]| {
        let mut tag = svg.tag("rect").put("class", class).nums([
            ("x", -w / 2.0 - grow),
            ("y", -h / 2.0 - grow + drop),
            ("width", w + 2.0 * grow),
            ("height", h + 2.0 * grow),
            ("rx", (round + grow).max(0.0)),
        ]);
        for (name, value) in paint {
            tag = tag.put(name, value);
        }
        tag.end();
    };
    let shade = if look.theme == Theme::Night { "0.55" } else { "0.28" };
    rect("shadow", side * 0.015, side * 0.055, &[("fill", "#1a1006".into()), ("fill-opacity", shade.into())]);
    if open {
        let halo = [
            ("fill", "none".to_string()),
            ("stroke", look.open.to_string()),
            ("stroke-width", num(side * 0.085)),
            ("stroke-opacity", "0.9".to_string()),
        ];
        rect("halo", side * 0.085, 0.0, &halo);
    }
    if lit {
        let rim = [("fill", look.outline(look.lit).to_string()), ("fill-opacity", "0.85".to_string())];
        rect("glow", side * 0.125, 0.0, &rim);
        rect("glow", side * 0.1, 0.0, &[("fill", look.lit.to_string())]);
    }
    rect(
        "body",
        0.0,
        0.0,
        &[("fill", fill.to_string()), ("stroke", line.to_string()), ("stroke-width", num(side * 0.03))],
    );
    // The edge of the wood catches the light.
    let edge = [
        ("fill", "none".to_string()),
        ("stroke", "#fffaf0".to_string()),
        ("stroke-opacity", "0.28".to_string()),
        ("stroke-width", num(side * 0.025)),
    ];
    rect("edge", -side * 0.04, 0.0, &edge);
}

fn back(svg: &mut Svg, look: &Look<'_>, owner: Option<Seat>, side: f64, open: bool) {
    let tincture = look.tincture(owner);
    let line = look.outline(tincture.field);
    body(
        svg,
        look,
        Body { w: side, h: side, round: side * 0.14, fill: tincture.field, line, lit: false, open },
    );
    match owner {
        Some(owner) => emblem(svg, owner, (0.0, 0.0), side * 0.29, tincture.text, 0.92),
        None => svg
            .tag("circle")
            .num("r", side * 0.2)
            .put("fill", "none")
            .put("stroke", tincture.text)
            .num("stroke-width", side * 0.05)
            .end(),
    }
}

fn block(svg: &mut Svg, look: &Look<'_>, owner: Option<Seat>, front: &Front<'_>, side: f64, open: bool) {
    let tincture = look.tincture(owner);
    let worn =
        |colour: levant::Colour| if front.spent { colour.mixed(look.ground().land, 48) } else { colour };
    let (fill, text) = (worn(tincture.field), tincture.text);
    let text = if front.spent { look.ink.mixed(fill, 12) } else { text };
    let line = worn(look.outline(tincture.field));
    body(svg, look, Body { w: side, h: side, round: side * 0.14, fill, line, lit: front.lit, open });

    let corners = !front.left.is_empty() || !front.right.is_empty();
    let pips = front.pips.1 > 0;
    if let Some(owner) = owner {
        emblem(svg, owner, (0.0, side * 0.04), side * 0.34, text, 0.17);
    }
    for (corner, x, anchor) in [(front.left, -0.41, "start"), (front.right, 0.41, "end")] {
        let set = lettering::fit(corner, side * 0.4, 1, side * 0.24, side * 0.13);
        for line in &set.lines {
            write(svg, line, (side * x, side * -0.24), set.size, anchor, text);
        }
    }
    // A turned corner, because a paler colour alone could be missed.
    if front.spent {
        svg.tag("path")
            .put("class", "turned")
            .put("d", format!("M{0} {1}V{0}H{1}Z", num(side * 0.45), num(side * 0.27)))
            .put("fill", text)
            .num("fill-opacity", 0.7)
            .end();
    }
    let (largest, lines) = match (corners, pips) {
        (true, _) => (0.27, 2),
        (false, true) => (0.3, 2),
        (false, false) if front.name.chars().count() <= 2 => (0.55, 1),
        (false, false) => (0.29, 3),
    };
    let set = lettering::fit(front.name, side * 0.88, lines, side * largest, side * 0.145);
    let top = if corners { -0.2 } else { -0.42 };
    let bottom = if pips { 0.29 } else { 0.42 };
    column(svg, &set, (0.0, side * (top + bottom) / 2.0), text);
    if pips {
        strength(svg, front.pips, side, text);
    }
}

/// Pips along the lower edge: as many filled as the piece has strength.
fn strength(svg: &mut Svg, (now, most): (u8, u8), side: f64, text: levant::Colour) {
    let most = most.max(now);
    if most > 12 {
        return write(svg, &format!("{now}/{most}"), (0.0, side * 0.44), side * 0.2, "middle", text);
    }
    let step = (side * 0.78 / f64::from(most)).min(side * 0.165);
    let r = (step * 0.36).min(side * 0.058);
    for pip in 0..most {
        let x = (f64::from(pip) - f64::from(most - 1) / 2.0) * step;
        let filled = pip < now;
        svg.tag("circle")
            .put("class", if filled { "pip" } else { "pip lost" })
            .nums([("cx", x), ("cy", side * 0.365), ("r", if filled { r } else { r * 0.86 })])
            .put("fill", if filled { text.to_string() } else { "none".to_string() })
            .put("stroke", text)
            .put("stroke-opacity", if filled { "1" } else { "0.6" })
            .num("stroke-width", side * 0.02)
            .end();
    }
}

fn card(svg: &mut Svg, look: &Look<'_>, owner: Option<Seat>, front: &Front<'_>, side: f64, open: bool) {
    let Front { name, lit, spent, .. } = *front;
    let tincture = look.tincture(owner);
    let paper = levant::Colour(0xfa, 0xf4, 0xe3);
    let fill = if spent { paper.mixed(look.ground().land, 60) } else { paper };
    let text = levant::Colour(0x35, 0x29, 0x1a);
    let line = look.outline(tincture.field);
    let h = side * CARD;
    body(svg, look, Body { w: side, h, round: side * 0.09, fill, line, lit, open });
    svg.tag("rect")
        .put("class", "band")
        .nums([
            ("x", -side / 2.0),
            ("y", -h / 2.0),
            ("width", side),
            ("height", side * 0.3),
            ("rx", side * 0.09),
        ])
        .put("fill", tincture.field)
        .put("stroke", line)
        .num("stroke-width", side * 0.03)
        .end();
    if let Some(owner) = owner {
        emblem(svg, owner, (0.0, -h / 2.0 + side * 0.15), side * 0.09, tincture.text, 1.0);
    }
    let set = if name.chars().count() <= 2 {
        lettering::fit(name, side * 0.84, 1, side * 0.62, side * 0.2)
    } else {
        lettering::fit(name, side * 0.86, 4, side * 0.26, side * 0.135)
    };
    column(svg, &set, (0.0, side * 0.15), if spent { text.mixed(fill, 40) } else { text });
}

/// A sign that fills its cell. Crosses and noughts are strokes; any other letter stands on a disc.
fn sign(svg: &mut Svg, look: &Look<'_>, owner: Option<Seat>, name: &str, side: f64, lit: bool, open: bool) {
    let tincture = look.tincture(owner);
    let colour = look.stroke(owner);
    let r = side * 0.5;
    if lit || open {
        svg.tag("circle")
            .put("class", if lit { "glow" } else { "halo" })
            .num("r", r * 1.12)
            .put("fill", if lit { look.lit } else { look.open })
            .num("fill-opacity", 0.35)
            .end();
    }
    match name {
        "X" | "x" => {
            let reach = num(r * 0.66);
            svg.tag("path")
                .put("class", "stroke")
                .put("d", format!("M-{reach}-{reach}L{reach} {reach}M{reach}-{reach}L-{reach} {reach}"))
                .put("fill", "none")
                .put("stroke", colour)
                .num("stroke-width", side * 0.14)
                .put("stroke-linecap", "round")
                .end();
        }
        "O" | "o" => svg
            .tag("circle")
            .put("class", "stroke")
            .num("r", r * 0.72)
            .put("fill", "none")
            .put("stroke", colour)
            .num("stroke-width", side * 0.14)
            .end(),
        _ => {
            let line = look.outline(tincture.field);
            svg.tag("circle")
                .put("class", "shadow")
                .nums([("cy", side * 0.035), ("r", r)])
                .put("fill", "#1a1006")
                .num("fill-opacity", 0.3)
                .end();
            for (grow, fill, opacity) in
                [(1.0, tincture.field, 0.0), (0.74, tincture.field.mixed(line, 12), 0.45)]
            {
                svg.tag("circle")
                    .put("class", "body")
                    .num("r", r * grow)
                    .put("fill", fill)
                    .put("stroke", line)
                    .num("stroke-opacity", 1.0 - opacity)
                    .num("stroke-width", side * 0.025)
                    .end();
            }
            match owner {
                Some(owner) => emblem(svg, owner, (0.0, 0.0), r * 0.42, tincture.text, 0.9),
                None => write(svg, name, (0.0, side * 0.17), side * 0.5, "middle", tincture.text),
            }
        }
    }
}

/// Lines of text, centred on a place.
fn column(svg: &mut Svg, set: &lettering::Set, (x, y): (f64, f64), colour: levant::Colour) {
    let step = set.size * 1.02;
    let first = y - step * (set.lines.len() as f64 - 1.0) / 2.0 + set.size * 0.33;
    for (i, line) in set.lines.iter().enumerate() {
        write(svg, line, (x, first + step * i as f64), set.size, "middle", colour);
    }
}

fn write(svg: &mut Svg, text: &str, (x, y): (f64, f64), size: f64, anchor: &str, colour: levant::Colour) {
    if text.is_empty() {
        return;
    }
    svg.tag("text")
        .nums([("x", x), ("y", y), ("font-size", size)])
        .put("text-anchor", anchor)
        .put("font-weight", "bold")
        .put("fill", colour)
        .text(text);
}

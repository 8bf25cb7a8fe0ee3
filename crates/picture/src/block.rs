//! Pieces as things on the table, by what they are made of: wooden blocks, cardboard counters, leaders' stands,
//! tokens, cards, and the signs of a game on a grid.
//!
//! A piece is drawn around its own centre in a square of 96 and moved to its place, so that a page can slide
//! it. A back is made from form and owner and nothing else.

use levant::{Colour, Theme};
use table::Seat;
use table::scene::{Face, Form, Front, Piece};

use crate::look::{FAINT_ON_PAPER, Look, ON_PAPER, emblem};
use crate::svg::{Svg, num};
use crate::{card, counter, lettering, signs};

/// How a piece is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cut {
    /// A wooden block.
    Block,
    /// A cardboard counter.
    Counter,
    /// A leader's stand.
    Stand,
    /// A round token.
    Token,
    /// A card, higher than it is wide.
    Card,
    /// A sign that fills a cell.
    Sign,
}

/// How much of a piece can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    /// All of it.
    Full,
    /// Arms, ratings, strength.
    Middle,
    /// Arms and strength.
    Small,
    /// The middle, and the small hidden beside it: a page shows the one or the other as it zooms.
    Either,
    /// All of it, and the middle hidden beside it.
    Large,
}

impl Detail {
    /// Whether all of a piece is written on it.
    pub(crate) fn is_full(self) -> bool {
        matches!(self, Self::Full | Self::Large)
    }
}

/// What is seen from near and what from far: a page shows the one or the other.
fn both(svg: &mut Svg, near: impl FnOnce(&mut Svg), far: impl FnOnce(&mut Svg)) {
    svg.group("near");
    near(svg);
    svg.close("g");
    svg.tag("g").put("class", "far").put("display", "none").open();
    far(svg);
    svg.close("g");
}

/// How high a card is for its width.
pub(crate) const CARD: f64 = 1.4;

fn made(piece: &Piece) -> Option<Cut> {
    match (piece.form, &piece.face) {
        (Form::Card, _) | (_, Face::Card(_)) => Some(Cut::Card),
        (Form::Block, _) => Some(Cut::Block),
        (Form::Counter, _) => Some(Cut::Counter),
        (Form::Stand, _) => Some(Cut::Stand),
        (Form::Token, _) => Some(Cut::Token),
        (Form::Usual, _) => None,
    }
}

/// How a piece that stands on a board is drawn.
pub(crate) fn cut_on_board(piece: &Piece) -> Cut {
    made(piece).unwrap_or(Cut::Block)
}

/// How a piece that lies in a tray is drawn: what has no ratings and no strength is a card.
pub(crate) fn cut_in_tray(piece: &Piece) -> Cut {
    let bare = |front: &Front| front.left.is_empty() && front.right.is_empty() && front.pips.1 == 0;
    made(piece).unwrap_or(match &piece.face {
        Face::Shown(front) if bare(front) => Cut::Card,
        _ => Cut::Block,
    })
}

/// How a piece that stands in a cell is drawn.
pub(crate) fn cut_in_cell(piece: &Piece) -> Cut {
    made(piece).unwrap_or(match piece.face.name() {
        Some(name) if name.chars().count() == 1 => Cut::Sign,
        _ => Cut::Block,
    })
}

/// What a screen reader says of a piece.
fn words(piece: &Piece, look: &Look<'_>) -> String {
    let owner = piece.owner.map_or("", |owner| look.seat_name(owner));
    let mut text = match &piece.face {
        // The back of a piece says whose it is, whatever else its text may hold.
        Face::Hidden => format!("{owner} hidden").trim().to_string(),
        Face::Suspected { name, .. } => format!("{owner} hidden, perhaps {name}").trim().to_string(),
        face if piece.text.is_empty() => face.full_name().unwrap_or_default(),
        _ => piece.text.clone(),
    };
    if piece.more > 0 {
        text = format!("{} × {text}", piece.more + 1);
    }
    text
}

/// Where a piece lies and how it is shown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pose {
    pub(crate) cut: Cut,
    pub(crate) detail: Detail,
    /// Its centre.
    pub(crate) at: (f64, f64),
    /// Its width.
    pub(crate) side: f64,
    /// From its centre to the second space that it covers, in parts of its side.
    pub(crate) second: Option<(f64, f64)>,
    /// How far it is turned, in degrees, clockwise from upright; where it looks.
    pub(crate) turned: Option<f64>,
    /// Whether it can be chosen.
    pub(crate) open: bool,
    /// Whether a key can go to it.
    pub(crate) tabbed: bool,
    /// Whether a warning is about it.
    pub(crate) warned: bool,
}

/// Draws a piece.
pub(crate) fn draw(svg: &mut Svg, look: &Look<'_>, piece: &Piece, pose: Pose) {
    let Pose { cut, at: (x, y), side, open, warned, .. } = pose;
    let said = words(piece, look);
    let (lit, spent) = match &piece.face {
        Face::Shown(front) => (front.lit, front.spent),
        Face::Card(card) => (card.lit, card.spent),
        Face::Hidden | Face::Suspected { .. } => (false, false),
    };
    let mut class = "piece".to_string();
    for (is, word) in [
        (piece.face.is_back(), " hidden"),
        (lit, " lit"),
        (spent, " spent"),
        (open, " open"),
        (warned, " warned"),
    ] {
        if is {
            class.push_str(word);
        }
    }
    class.push_str(match cut {
        Cut::Block => " block",
        Cut::Counter => " counter",
        Cut::Stand => " stand",
        Cut::Token => " token",
        Cut::Card => " card",
        Cut::Sign => " sign",
    });
    if let Some(owner) = piece.owner {
        class.push_str(&format!(" seat-{}", owner.index()));
    }
    let mut tag = svg.tag("g").put("id", &piece.id).put("data-id", &piece.id);
    if let Some(name) = piece.face.full_name().filter(|name| !name.is_empty()) {
        tag = tag.put("data-name", name);
    }
    if pose.tabbed {
        tag = tag.put("tabindex", "0");
    }
    if piece.more > 0 {
        tag = tag.put("data-more", piece.more);
    }
    tag.put("class", class)
        .put("transform", format!("translate({} {})", num(x), num(y)))
        .put("role", "img")
        .put("aria-label", &said)
        .open();
    svg.title(&said);
    if cut == Cut::Sign {
        let name = piece.face.name().unwrap_or("");
        sign(svg, look, piece.owner, name, side, lit, open);
    } else {
        let unit = if cut == Cut::Card { card::WIDTH } else { 96.0 };
        svg.tag("g").put("transform", format!("scale({})", thousandths(side / unit))).open();
        match cut {
            Cut::Block => block(svg, look, piece, pose),
            Cut::Counter => counter::counter(svg, look, piece, pose),
            Cut::Stand => counter::stand(svg, look, piece, pose),
            Cut::Token => counter::token(svg, look, piece, pose),
            Cut::Card => card::draw(svg, look, piece, pose),
            Cut::Sign => {}
        }
        svg.close("g");
    }
    if warned {
        crate::board::alarm(svg, look, (side * 0.46, side * -0.46), side * 0.16);
    }
    svg.close("g");
}

/// A scale needs a third decimal; a picture's numbers have two otherwise.
fn thousandths(value: f64) -> String {
    let all = if value.is_finite() { (value * 1000.0).round() as i64 } else { 1000 };
    let text = format!("{}.{:03}", all / 1000, all % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// A rectangle with rounded corners around the origin.
pub(crate) fn rect(
    svg: &mut Svg,
    class: &str,
    (x, y, w, h): (f64, f64, f64, f64),
    round: f64,
    fill: Option<Colour>,
    opacity: f64,
    stroke: Option<(Colour, f64)>,
) {
    let mut tag = svg.tag("rect").put("class", class).nums([
        ("x", x),
        ("y", y),
        ("width", w),
        ("height", h),
        ("rx", round),
    ]);
    tag = match fill {
        Some(fill) => tag.put("fill", fill),
        None => tag.put("fill", "none"),
    };
    if opacity < 1.0 {
        tag = tag.num("fill-opacity", opacity);
    }
    if let Some((colour, width)) = stroke {
        tag = tag.put("stroke", colour).num("stroke-width", width);
    }
    tag.end();
}

/// The ring of what can be chosen and the glow of what is lit, around a body.
pub(crate) fn rings(svg: &mut Svg, look: &Look<'_>, (w, h): (f64, f64), lit: bool, open: bool) {
    let around = |grow: f64| (-w / 2.0 - grow, -h / 2.0 - grow, w + 2.0 * grow, h + 2.0 * grow);
    if lit {
        let edge = look.outline(look.lit);
        rect(svg, "glow", around(8.0), 15.0, Some(look.lit), 0.6, Some((edge, 2.6)));
    }
    if open {
        let grow = if lit { 11.5 } else { 7.5 };
        rect(svg, "halo", around(grow), 15.0, None, 1.0, Some((look.open, 4.4)));
    }
}

/// Colours of an owner's piece: its field, its dark side, its line, what is written on it.
pub(crate) struct Body {
    pub(crate) field: Colour,
    pub(crate) deep: Colour,
    pub(crate) line: Colour,
    pub(crate) text: Colour,
}

pub(crate) fn body_of(look: &Look<'_>, owner: Option<Seat>, spent: bool) -> Body {
    let tincture = look.tincture(owner);
    let worn = |colour: Colour| if spent { colour.mixed(look.ground().land, 45) } else { colour };
    let dark = Colour(0x14, 0x0a, 0x04);
    Body {
        field: worn(tincture.field),
        deep: worn(tincture.field.mixed(dark, 45)),
        line: worn(look.outline(tincture.field)),
        text: if spent { look.ink } else { tincture.text },
    }
}

/// The name of an owner's symbol.
pub(crate) fn mark_of(owner: Option<Seat>) -> String {
    owner.map_or("nobody".to_string(), |owner| owner.index().to_string())
}

/// Bare wood, as a symbol of the stock.
fn wood(look: &Look<'_>, owner: Option<Seat>, spent: bool) -> String {
    let name = format!("wood-{}{}", mark_of(owner), if spent { "-spent" } else { "" });
    look.symbol(&name, 58.0, || {
        let body = body_of(look, owner, spent);
        let night = look.theme == Theme::Night;
        let mut svg = Svg::default();
        let shade = if night { 0.3 } else { 0.16 };
        let black = Colour(0x1a, 0x10, 0x06);
        if !spent {
            rect(&mut svg, "shadow", (-49.0, -39.8, 98.0, 96.0), 8.2, Some(black), shade, None);
            rect(&mut svg, "shadow", (-47.0, -41.3, 94.0, 96.0), 8.2, Some(black), shade, None);
            rect(&mut svg, "thick", (-48.0, -42.7, 96.0, 96.0), 8.2, Some(body.deep), 1.0, None);
        }
        rect(&mut svg, "body", (-48.0, -48.0, 96.0, 96.0), 8.2, Some(body.field), 1.0, None);
        if !spent {
            for (d, colour, opacity) in [
                (
                    "M-46.7 39.8V-39.8A6.8 6.8 0 0 1-39.8-46.7H39.8",
                    "#fff6e0",
                    if night { 0.34 } else { 0.45 },
                ),
                ("M46.7-39.8V39.8A6.8 6.8 0 0 1 39.8 46.7H-39.8", "#120a02", 0.3),
            ] {
                svg.tag("path")
                    .put("d", d)
                    .put("fill", "none")
                    .put("stroke", colour)
                    .num("stroke-opacity", opacity)
                    .num("stroke-width", 2.7)
                    .put("stroke-linecap", "round")
                    .end();
            }
        }
        let high = if spent { 96.0 } else { 101.3 };
        rect(&mut svg, "edge", (-48.0, -48.0, 96.0, high), 8.2, None, 1.0, Some((body.line, 1.3)));
        svg.finish()
    })
}

/// The back of a block, as a symbol of the stock.
fn back(look: &Look<'_>, owner: Option<Seat>, framed: bool) -> String {
    let name = format!("back-{}{}", mark_of(owner), if framed { "-framed" } else { "" });
    look.symbol(&name, 50.0, || {
        let body = body_of(look, owner, false);
        let mut svg = Svg::default();
        svg.tag("path")
            .put("d", "M-41.3-28.8C-14.4-24 14.4-32.6 41.3-28.8M-41.3-15.4C-14.4-20.2 14.4-10.6 41.3-15.4M-41.3 15.4C-14.4 21.1 14.4 12.5 41.3 15.4M-41.3 30.7C-14.4 27.8 14.4 35.5 41.3 30.7")
            .put("fill", "none")
            .put("stroke", body.text)
            .num("stroke-opacity", 0.16)
            .num("stroke-width", 1.3)
            .end();
        if framed {
            svg.tag("rect")
                .nums([("x", -36.0), ("y", -32.0), ("width", 72.0), ("height", 70.0), ("rx", 5.0)])
                .put("fill", "none")
                .put("stroke", body.text)
                .put("stroke-dasharray", "6 4")
                .num("stroke-width", 2.0)
                .end();
            if let Some(owner) = owner {
                emblem(&mut svg, owner, (0.0, -40.5), 4.6, body.text, 1.0);
            }
            return svg.finish();
        }
        match owner {
            Some(owner) => {
                emblem(&mut svg, owner, (1.2, 1.6), 24.0, Colour(0, 0, 0), 0.28);
                emblem(&mut svg, owner, (0.0, 0.0), 24.0, body.text, 0.95);
            }
            None => svg
                .tag("circle")
                .num("r", 19.0)
                .put("fill", "none")
                .put("stroke", body.text)
                .num("stroke-width", 5.0)
                .end(),
        }
        svg.finish()
    })
}

fn block(svg: &mut Svg, look: &Look<'_>, piece: &Piece, pose: Pose) {
    let owner = piece.owner;
    let (lit, spent) = piece.face.front().map_or((false, false), |f| (f.lit, f.spent));
    rings(svg, look, (96.0, 101.0), lit, pose.open);
    look.place(svg, &wood(look, owner, spent), (0.0, 0.0), 116.0);
    match &piece.face {
        Face::Hidden | Face::Card(_) => look.place(svg, &back(look, owner, false), (0.0, 0.0), 100.0),
        Face::Suspected { name, arms } => {
            look.place(svg, &back(look, owner, true), (0.0, 0.0), 100.0);
            let body = body_of(look, owner, false);
            if let Some(arms) = arms {
                look.arms(svg, arms, owner, (0.0, -5.0), if pose.detail.is_full() { 36.0 } else { 52.0 });
            }
            if pose.detail.is_full() {
                let set = lettering::fit(&format!("{name}?"), 66.0, 1, 13.5, 9.0);
                for line in &set.lines {
                    slanted(svg, line, (0.0, 30.0), set.size, body.text);
                }
            }
        }
        Face::Shown(front) => {
            let body = body_of(look, owner, spent);
            match pose.detail {
                Detail::Full => full(svg, look, owner, front, &body),
                Detail::Middle => middle(svg, look, owner, front, &body),
                Detail::Small => small(svg, look, owner, front, &body),
                Detail::Either => both(
                    svg,
                    |svg| middle(svg, look, owner, front, &body),
                    |svg| small(svg, look, owner, front, &body),
                ),
                Detail::Large => both(
                    svg,
                    |svg| full(svg, look, owner, front, &body),
                    |svg| middle(svg, look, owner, front, &body),
                ),
            }
            if spent {
                turned(svg, &body, look);
            }
            if front.unseen {
                eye(svg);
            }
        }
    }
    many(svg, look, piece.more, (34.0, 40.0));
}

/// How many alike lie here.
pub(crate) fn many(svg: &mut Svg, look: &Look<'_>, more: u16, (x, y): (f64, f64)) {
    if more == 0 {
        return;
    }
    let text = format!("×{}", more + 1);
    let w = (lettering::width(&text) * 23.0 + 14.0).max(36.0);
    let at = (x - w / 2.0 + 8.0, y - 14.5, w, 29.0);
    rect(svg, "count", at, 14.5, Some(ON_PAPER), 1.0, Some((look.label[0], 2.0)));
    write(svg, &text, (x + 8.0, y + 7.6), 23.0, "middle", look.label[0]);
}

/// A turned corner, because a paler colour alone could be missed.
fn turned(svg: &mut Svg, body: &Body, look: &Look<'_>) {
    svg.tag("path")
        .put("class", "turned")
        .put("d", "M48 32V40A8 8 0 0 1 40 48H32Z")
        .put("fill", body.deep)
        .end();
    svg.tag("path").put("d", "M48 32L32 48L34.5 34.5Z").put("fill", look.label[0]).end();
}

/// A struck-out eye: nobody but the owner sees this front.
fn eye(svg: &mut Svg) {
    svg.tag("circle")
        .nums([("cx", 44.0), ("cy", -45.0), ("r", 10.0)])
        .put("fill", "#fbf4e2")
        .put("stroke", ON_PAPER)
        .num("stroke-width", 1.4)
        .end();
    svg.tag("path")
        .put("class", "unseen")
        .put("d", "M37-45C40-50 48-50 51-45C48-40 40-40 37-45ZM44-47.5A2.5 2.5 0 1 0 44-42.5A2.5 2.5 0 1 0 44-47.5M38-39L50-51")
        .put("fill", "none")
        .put("stroke", ON_PAPER)
        .num("stroke-width", 1.6)
        .end();
}

/// A paper label, worn if the piece is spent.
fn label(svg: &mut Svg, look: &Look<'_>, front: &Front, body: &Body, high: f64) {
    let fill = look.label[usize::from(front.spent)];
    rect(svg, "label", (-41.8, -32.2, 83.6, high), 4.3, Some(fill), 1.0, Some((body.line, 1.0)));
}

fn full(svg: &mut Svg, look: &Look<'_>, owner: Option<Seat>, front: &Front, body: &Body) {
    pips(svg, front, body, (-39.6, 3.6, 10.8));
    label(svg, look, front, body, if front.pips.1 > 12 { 62.0 } else { 74.0 });
    let rated = !front.left.is_empty() || !front.right.is_empty();
    if !rated && front.arms.is_none() && front.sign.is_none() {
        let set = lettering::fit(&front.name, 76.0, 3, 26.0, 12.0);
        return column(svg, &set, (0.0, 5.0), ON_PAPER);
    }
    match (&front.arms, front.sign) {
        (Some(arms), _) => look.arms(svg, arms, owner, (0.0, -8.6), 38.0),
        (None, Some(sign)) => signs::draw(svg, sign, (0.0, -9.0), 38.0, ON_PAPER),
        (None, None) => {
            if let Some(owner) = owner {
                emblem(svg, owner, (0.0, -8.0), 15.0, look.tincture(Some(owner)).field, 0.8);
            }
        }
    }
    for (text, x, anchor) in [(&front.left, -38.4, "start"), (&front.right, 37.8, "end")] {
        let set = lettering::fit(text, 26.0, 1, 15.6, 9.0);
        for line in &set.lines {
            write(svg, line, (x, -12.0), set.size, anchor, ON_PAPER);
        }
    }
    let mut signs = String::new();
    if !front.left.is_empty() {
        signs.push_str("M-31.4-6.7l5.2 5.2m0-5.2l-5.2 5.2");
    }
    if !front.right.is_empty() {
        signs.push_str("M28.8-4h7.2m-3.2-2.7l3.2 2.7l-3.2 2.7");
    }
    if !signs.is_empty() {
        svg.tag("path")
            .put("d", signs)
            .put("fill", "none")
            .put("stroke", FAINT_ON_PAPER)
            .num("stroke-width", 1.7)
            .put("stroke-linecap", "round")
            .end();
    }
    let (size, y) = if front.home.is_empty() { (15.8, 30.7) } else { (14.0, 25.4) };
    let set = lettering::fit(&front.name, 78.0, if front.home.is_empty() { 2 } else { 1 }, size, 10.5);
    column(svg, &set, (0.0, y - size * 0.33 - if set.lines.len() > 1 { 3.0 } else { 0.0 }), ON_PAPER);
    if !front.home.is_empty() {
        let set = lettering::fit(&front.home, 78.0, 1, 11.0, 8.0);
        for line in &set.lines {
            slanted(svg, line, (0.0, 37.0), set.size, FAINT_ON_PAPER);
        }
    }
    if front.pips.1 > 12 {
        strength_in_figures(svg, front, body);
    }
}

fn strength_in_figures(svg: &mut Svg, front: &Front, body: &Body) {
    let text = format!("{}/{}", front.pips.0, front.pips.1);
    write(svg, &text, (0.0, 44.0), 15.0, "middle", body.text);
}

fn middle(svg: &mut Svg, look: &Look<'_>, owner: Option<Seat>, front: &Front, body: &Body) {
    let bare = front.left.is_empty() && front.right.is_empty();
    if front.arms.is_none() && front.sign.is_none() {
        return without_arms(svg, look, front, body);
    }
    pips(svg, front, body, (-39.4, 4.9, 14.0));
    label(svg, look, front, body, 74.0);
    let (at, size) = if bare { ((0.0, 5.0), 60.0) } else { ((-16.0, 5.0), 50.0) };
    match (&front.arms, front.sign) {
        (Some(arms), _) => look.arms(svg, arms, owner, at, size),
        (None, Some(sign)) => signs::draw(svg, sign, at, size, ON_PAPER),
        (None, None) => {}
    }
    for (text, y, size) in [(&front.left, 3.0, 27.0), (&front.right, 31.0, 24.0)] {
        let set = lettering::fit(text, 34.0, 1, size, 12.0);
        for line in &set.lines {
            write(svg, line, (24.5, y), set.size, "middle", ON_PAPER);
        }
    }
    if front.pips.1 > 12 {
        strength_in_figures(svg, front, body);
    }
}

/// A block of a game without arms: its name is what tells it.
fn without_arms(svg: &mut Svg, look: &Look<'_>, front: &Front, body: &Body) {
    pips(svg, front, body, (-39.4, 4.9, 14.0));
    label(svg, look, front, body, 74.0);
    let corners = !front.left.is_empty() || !front.right.is_empty();
    for (text, x, anchor) in [(&front.left, -37.0, "start"), (&front.right, 37.0, "end")] {
        let set = lettering::fit(text, 34.0, 1, 24.0, 12.0);
        for line in &set.lines {
            write(svg, line, (x, -10.0), set.size, anchor, ON_PAPER);
        }
    }
    let set = lettering::fit(&front.name, 78.0, if corners { 2 } else { 3 }, 28.0, 14.0);
    column(svg, &set, (0.0, if corners { 16.0 } else { 5.0 }), ON_PAPER);
    if front.pips.1 > 12 {
        strength_in_figures(svg, front, body);
    }
}

fn small(svg: &mut Svg, look: &Look<'_>, owner: Option<Seat>, front: &Front, body: &Body) {
    let y = if front.pips.1 > 0 { -8.0 } else { 0.0 };
    match (&front.arms, front.sign, owner) {
        (Some(arms), _, _) => look.arms(svg, arms, owner, (0.0, y), 66.0),
        (None, Some(sign), _) => signs::draw(svg, sign, (0.0, y), 62.0, body.text),
        (None, None, Some(owner)) => emblem(svg, owner, (0.0, y), 26.0, body.text, 0.9),
        (None, None, None) => {}
    }
    pips(svg, front, body, (37.0, 5.6, 15.5));
}

/// Strength as pips in a row: as many pale as there are steps, a cross for what was just lost, a dark hole for
/// what was lost before.
pub(crate) fn pips(svg: &mut Svg, front: &Front, body: &Body, (y, r, step): (f64, f64, f64)) {
    let (now, most) = (front.pips.0, front.pips.1.max(front.pips.0));
    if most == 0 || most > 12 {
        return;
    }
    let step = step.min(86.0 / f64::from(most));
    let r = r.min(step * 0.44);
    let x = |i: u8| (f64::from(i) - f64::from(most - 1) / 2.0) * step;
    let dots =
        |from: u8, to: u8| (from..to).map(|i| format!("M{} {}h.01", num(x(i)), num(y))).collect::<String>();
    let hit = front.hit.min(most - now);
    for (class, d, colour, width) in
        [("pip", dots(0, now), body.text, r * 2.0), ("pip lost", dots(now + hit, most), body.deep, r * 1.84)]
    {
        if !d.is_empty() {
            svg.tag("path")
                .put("class", class)
                .put("d", d)
                .put("stroke", colour)
                .num("stroke-width", width)
                .put("stroke-linecap", "round")
                .end();
        }
    }
    for i in now..now + hit {
        let (x, r2) = (x(i), num(r * 2.0));
        svg.tag("path")
            .put("class", "pip hit")
            .put("d", format!("M{} {}l{r2} {r2}m0-{r2}l-{r2} {r2}", num(x - r), num(y - r)))
            .put("fill", "none")
            .put("stroke", "#ffd24a")
            .num("stroke-width", r * 0.72)
            .put("stroke-linecap", "round")
            .end();
    }
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
pub(crate) fn column(svg: &mut Svg, set: &lettering::Set, (x, y): (f64, f64), colour: Colour) {
    let step = set.size * 1.02;
    let first = y - step * (set.lines.len() as f64 - 1.0) / 2.0 + set.size * 0.33;
    for (i, line) in set.lines.iter().enumerate() {
        write(svg, line, (x, first + step * i as f64), set.size, "middle", colour);
    }
}

/// A line of text, bold.
pub(crate) fn write(svg: &mut Svg, text: &str, (x, y): (f64, f64), size: f64, anchor: &str, colour: Colour) {
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

/// A line of text in italics, centred.
pub(crate) fn slanted(svg: &mut Svg, text: &str, (x, y): (f64, f64), size: f64, colour: Colour) {
    svg.tag("text")
        .nums([("x", x), ("y", y), ("font-size", size)])
        .put("text-anchor", "middle")
        .put("font-style", "italic")
        .put("fill", colour)
        .text(text);
}

//! Cards: faces by their tone, backs by their owner alone. Small ones show a sign or a number only.

use levant::Colour;
use table::Seat;
use table::scene::{Card, CardTone, Face, Piece};

use crate::block::{Pose, body_of, column, mark_of, rect, rings, slanted, write};
use crate::lettering::{self, wrap};
use crate::look::{FAINT_ON_PAPER, Look, ON_PAPER, emblem};
use crate::signs;
use crate::svg::{Svg, num};

/// The width of a card in the units that it is drawn in; it is 1.4 times as high.
pub(crate) const WIDTH: f64 = 100.0;
const HIGH: f64 = 140.0;

pub(crate) fn draw(svg: &mut Svg, look: &Look<'_>, piece: &Piece, pose: Pose) {
    let (lit, name) = (piece.face.lit(), piece.face.name().unwrap_or(""));
    rings(svg, look, (WIDTH, HIGH), lit, pose.open);
    match &piece.face {
        Face::Hidden | Face::Suspected { .. } => look.place(svg, &back(look, piece.owner), (0.0, 0.0), 150.0),
        Face::Card(card) if pose.side < 80.0 => compact(svg, look, piece.owner, card),
        Face::Card(card) if card.tone == CardTone::Plain => plain(svg, look, piece.owner, card),
        Face::Card(card) => toned(svg, look, piece.owner, card),
        Face::Shown(front) => {
            let card = Card { title: name.into(), lit, spent: front.spent, ..Card::default() };
            compact(svg, look, piece.owner, &card);
        }
    }
    crate::block::many(svg, look, piece.more, (36.0, 58.0));
}

fn sheet(svg: &mut Svg, look: &Look<'_>, line: Colour, spent: bool) {
    let black = Colour(0x1a, 0x10, 0x06);
    let shade = if look.theme == levant::Theme::Night { 0.5 } else { 0.24 };
    rect(svg, "shadow", (-50.5, -67.0, 101.0, HIGH), 5.0, Some(black), shade, None);
    let fill = if spent { look.paper.mixed(look.ground().land, 45) } else { look.paper };
    rect(svg, "body", (-50.0, -70.0, WIDTH, HIGH), 5.0, Some(fill), 1.0, Some((line, 1.0)));
}

/// The back of an owner's cards, as a symbol of the stock.
fn back(look: &Look<'_>, owner: Option<Seat>) -> String {
    look.symbol(&format!("paper-{}", mark_of(owner)), 75.0, || {
        let body = body_of(look, owner, false);
        let mut svg = Svg::default();
        sheet(&mut svg, look, body.line, false);
        rect(
            &mut svg,
            "body",
            (-50.0, -70.0, WIDTH, HIGH),
            5.0,
            Some(body.field),
            1.0,
            Some((body.line, 1.0)),
        );
        let mut lattice = String::new();
        for i in 0..6 {
            let y = -64.0 + 24.0 * f64::from(i);
            let (up, down) = (num(y.max(-64.0)), num((y + 24.0).min(64.0)));
            lattice.push_str(&format!("M-44 {up}L-22 {down}L0 {up}L22 {down}L44 {up}"));
            lattice.push_str(&format!("M-44 {down}L-22 {up}L0 {down}L22 {up}L44 {down}"));
        }
        svg.tag("path")
            .put("d", lattice)
            .put("fill", "none")
            .put("stroke", body.text)
            .num("stroke-opacity", 0.22)
            .num("stroke-width", 1.0)
            .end();
        rect(&mut svg, "frame", (-44.0, -64.0, 88.0, 128.0), 4.0, None, 1.0, Some((body.text, 1.4)));
        svg.tag("circle")
            .num("r", 27.0)
            .put("fill", body.field)
            .put("stroke", body.text)
            .num("stroke-width", 1.8)
            .end();
        if let Some(owner) = owner {
            emblem(&mut svg, owner, (0.0, 0.0), 16.0, body.text, 1.0);
        }
        svg.finish()
    })
}

/// The colour of a card: that of its tone, or of its owner.
fn hue(look: &Look<'_>, owner: Option<Seat>, tone: CardTone) -> Colour {
    match tone {
        CardTone::Plain => look.tincture(owner).field,
        CardTone::Event => ON_PAPER,
        CardTone::Battle => Colour(0x1d, 0x4f, 0x8a),
        CardTone::Response => Colour(0xa0, 0x28, 0x1a),
    }
}

/// The least letters of a card that is read: at the size in which a hand is spread they can be.
const LEAST: f64 = 10.0;
/// The least of one that is only told from others.
const LEAST_SMALL: f64 = 16.0;

/// A sign or a number under a band with the title.
fn compact(svg: &mut Svg, look: &Look<'_>, owner: Option<Seat>, card: &Card) {
    let body = body_of(look, owner, false);
    let hue = hue(look, owner, card.tone);
    sheet(svg, look, body.line, card.spent);
    rect(svg, "band", (-46.0, -66.0, 92.0, 26.0), 3.0, Some(hue), 1.0, None);
    let on_band = if card.tone == CardTone::Plain { look.tincture(owner).text } else { look.paper };
    if let Some(owner) = owner {
        emblem(svg, owner, (0.0, -53.0), 9.0, on_band, 1.0);
    }
    if let Some(sign) = card.sign {
        signs::draw(svg, sign, (0.0, -8.0), 52.0, ON_PAPER);
        let set = lettering::fit(&card.title, 92.0, 2, 19.0, LEAST_SMALL);
        return column(svg, &set, (0.0, 46.0), ON_PAPER);
    }
    if card.value.is_empty() {
        let set = lettering::fit(&card.title, 92.0, 4, 24.0, LEAST_SMALL);
        return column(svg, &set, (0.0, 12.0), ON_PAPER);
    }
    write(svg, &card.value, (0.0, 26.0), 62.0, "middle", hue);
    let set = lettering::fit(&card.title, 92.0, 2, 18.0, LEAST_SMALL);
    column(svg, &set, (0.0, 49.0), ON_PAPER);
}

fn paragraph(
    svg: &mut Svg,
    text: &str,
    (x, y): (f64, f64),
    room: f64,
    size: f64,
    most: usize,
    middle: bool,
) -> f64 {
    let lines = wrap(text, room / (size * 0.94), most);
    for (i, line) in lines.iter().enumerate() {
        svg.tag("text")
            .nums([("x", x), ("y", y + size * 1.22 * i as f64), ("font-size", size)])
            .put("text-anchor", if middle { "middle" } else { "start" })
            .put("fill", ON_PAPER)
            .text(&lettering::shortened(line, room / (size * 0.9)));
    }
    y + size * 1.22 * lines.len() as f64
}

fn plain(svg: &mut Svg, look: &Look<'_>, owner: Option<Seat>, card: &Card) {
    let hue = hue(look, owner, card.tone);
    let text = look.tincture(owner).text;
    sheet(svg, look, hue, card.spent);
    for (inset, width) in [(3.5, 1.2), (6.0, 0.5)] {
        let at = (-50.0 + inset, -70.0 + inset, WIDTH - 2.0 * inset, HIGH - 2.0 * inset);
        rect(svg, "frame", at, 3.0, None, 1.0, Some((hue, width)));
    }
    if card.value.is_empty() {
        rect(svg, "band", (-41.0, -61.0, 82.0, 18.0), 2.0, Some(hue), 1.0, None);
        let set = lettering::fit(&card.title, 80.0, 1, 13.5, LEAST);
        column(svg, &set, (0.0, -52.0), text);
        let top = match card.sign {
            Some(sign) => {
                svg.tag("ellipse")
                    .nums([("cy", -14.0), ("rx", 33.0), ("ry", 24.0)])
                    .put("fill", look.paper.mixed(look.gold, 14))
                    .put("stroke", look.gold)
                    .num("stroke-width", 0.8)
                    .end();
                signs::draw(svg, sign, (0.0, -14.0), 40.0, ON_PAPER);
                22.0
            }
            None => -26.0,
        };
        paragraph(svg, &card.text, (0.0, top), 84.0, LEAST, if top > 0.0 { 4 } else { 8 }, true);
        return;
    }
    svg.tag("path")
        .put("class", "road")
        .put("d", "M-38 26C-24 8-34-2-12-8C12-14-4-28 34-40")
        .put("fill", "none")
        .put("stroke", look.gold.mixed(look.paper, 45))
        .num("stroke-width", 5.5)
        .put("stroke-dasharray", "9 1.5")
        .end();
    write(svg, &card.corner, (-41.0, -49.0), 15.0, "start", hue);
    if let Some(owner) = owner {
        emblem(svg, owner, (37.0, -53.5), 6.5, hue, 1.0);
    }
    write(svg, &card.value, (0.0, 16.0), 58.0, "middle", hue);
    rect(svg, "band", (-41.0, 26.0, 82.0, 17.0), 2.0, Some(hue), 1.0, None);
    let set = lettering::fit(&card.title, 80.0, 1, 13.0, LEAST);
    column(svg, &set, (0.0, 34.5), text);
    let set = lettering::fit(&card.text, 86.0, 2, LEAST, LEAST);
    for (i, line) in set.lines.iter().enumerate() {
        slanted(svg, line, (0.0, 52.0 + set.size * 1.02 * i as f64), set.size, FAINT_ON_PAPER);
    }
}

fn toned(svg: &mut Svg, look: &Look<'_>, owner: Option<Seat>, card: &Card) {
    let hue = hue(look, owner, card.tone);
    sheet(svg, look, look.outline(hue), card.spent);
    svg.tag("path")
        .put("class", "band")
        .put("d", "M-50-42V-65A5 5 0 0 1-45-70H45A5 5 0 0 1 50-65V-42Z")
        .put("fill", hue)
        .end();
    svg.tag("text")
        .nums([("x", 44.0), ("y", -52.5), ("font-size", LEAST)])
        .put("text-anchor", "end")
        .put("font-style", "italic")
        .put("fill", look.paper)
        .text(card.tone.word());
    if !card.value.is_empty() {
        svg.tag("path")
            .put("class", "shield")
            .put("d", "M-44-65H-20V-48C-20-40-26-36-32-32C-38-36-44-40-44-48Z")
            .put("fill", look.paper)
            .put("stroke", look.outline(hue))
            .end();
        write(svg, &card.value, (-32.0, -44.0), 20.0, "middle", ON_PAPER);
    }
    if !card.corner.is_empty() {
        svg.tag("circle")
            .nums([("cx", -11.0), ("cy", -60.0), ("r", 8.0)])
            .put("fill", look.gold)
            .put("stroke", look.paper)
            .end();
        let set = lettering::fit(&card.corner, 13.0, 1, 10.5, LEAST);
        column(svg, &set, (-11.0, -60.0), ON_PAPER);
    }
    let set = lettering::fit(&card.title, 86.0, 2, 13.0, LEAST);
    column(svg, &set, (4.0, -24.0), if card.tone == CardTone::Event { ON_PAPER } else { hue });
    let top = -8.0 + 7.0 * (set.lines.len() as f64 - 1.0);
    let most = if card.foot.is_empty() { 6 } else { 3 };
    paragraph(svg, &card.text, (-44.0, top), 89.0, LEAST, most, false);
    if !card.foot.is_empty() {
        let wall = look.paper.mixed(look.gold, 22).mixed(look.ground().relief, 12);
        svg.tag("path")
            .put("class", "wall")
            .put("d", "M-50 65V34H-44V38H-34V34H-24V38H-14V34H-4V38H6V34H16V38H26V34H36V38H44V34H50V65A5 5 0 0 1 45 70H-45A5 5 0 0 1-50 65Z")
            .put("fill", wall)
            .put("stroke", look.outline(wall))
            .num("stroke-width", 0.7)
            .end();
        paragraph(svg, &card.foot, (-44.0, 49.0), 89.0, LEAST, 2, false);
    }
}

//! Cardboard: counters of units, leaders' stands, tokens that look somewhere and riders over two spaces.

use levant::Colour;
use table::Seat;
use table::scene::{Face, Front, Piece};

use crate::block::{Pose, body_of, column, many, mark_of, pips, rect, rings, slanted, write};
use crate::lettering;
use crate::look::{Look, ON_PAPER, emblem};
use crate::signs;
use crate::svg::{Svg, num};

fn shade(look: &Look<'_>) -> f64 {
    if look.theme == levant::Theme::Night { 0.5 } else { 0.26 }
}

const BLACK: Colour = Colour(0x1a, 0x10, 0x06);

/// A flat square of cardboard, with two edges behind it where more lie under it, as symbols of the stock.
fn square(look: &Look<'_>, owner: Option<Seat>, spent: bool, pile: bool) -> String {
    let name = format!(
        "card-{}{}{}",
        mark_of(owner),
        if spent { "-spent" } else { "" },
        if pile { "-pile" } else { "" }
    );
    look.symbol(&name, 60.0, || {
        let body = body_of(look, owner, spent);
        let mut svg = Svg::default();
        if pile {
            for (off, mix) in [(10.6, 50), (5.3, 25)] {
                let fill = body.field.mixed(body.deep, mix);
                let at = (-48.0 + off, -48.0 - off, 96.0, 96.0);
                rect(&mut svg, "under", at, 6.7, Some(fill), 1.0, Some((body.line, 1.2)));
            }
        }
        rect(&mut svg, "shadow", (-48.0, -43.6, 96.0, 96.0), 6.7, Some(BLACK), shade(look), None);
        rect(&mut svg, "edge", (-48.0, -45.1, 96.0, 96.0), 6.7, Some(Colour(0xd8, 0xcb, 0xa8)), 1.0, None);
        rect(
            &mut svg,
            "body",
            (-48.0, -48.0, 96.0, 96.0),
            6.7,
            Some(body.field),
            1.0,
            Some((body.line, 1.4)),
        );
        svg.finish()
    })
}

pub(crate) fn counter(svg: &mut Svg, look: &Look<'_>, piece: &Piece, pose: Pose) {
    let owner = piece.owner;
    let front = piece.face.front();
    let (lit, spent) = front.map_or((false, false), |f| (f.lit, f.spent));
    rings(svg, look, (96.0, 96.0), lit, pose.open);
    look.place(svg, &square(look, owner, spent, piece.more > 0), (0.0, 0.0), 120.0);
    let body = body_of(look, owner, spent);
    match (&piece.face, front) {
        (Face::Suspected { name, arms }, _) => {
            svg.tag("rect")
                .nums([("x", -38.0), ("y", -38.0), ("width", 76.0), ("height", 76.0), ("rx", 4.0)])
                .put("fill", "none")
                .put("stroke", body.text)
                .put("stroke-dasharray", "6 4")
                .num("stroke-width", 2.0)
                .end();
            if let Some(arms) = arms {
                look.arms(svg, arms, owner, (0.0, -8.0), 40.0);
            }
            let set = lettering::fit(&format!("{name}?"), 72.0, 1, 14.0, 9.0);
            for line in &set.lines {
                slanted(svg, line, (0.0, 30.0), set.size, body.text);
            }
        }
        (_, Some(front)) => face(svg, look, owner, front, body.text),
        _ => {
            svg.tag("circle")
                .num("r", 33.0)
                .put("fill", "none")
                .put("stroke", body.text)
                .num("stroke-opacity", 0.5)
                .num("stroke-width", 2.0)
                .end();
            if let Some(owner) = owner {
                emblem(svg, owner, (0.0, 0.0), 21.0, body.text, 0.95);
            }
        }
    }
    many(svg, look, piece.more, (34.0, 38.0));
}

fn face(svg: &mut Svg, look: &Look<'_>, owner: Option<Seat>, front: &Front, text: Colour) {
    if front.wounded {
        svg.tag("path")
            .put("class", "band")
            .put("d", "M-48 10L10-48H42L-48 42Z")
            .put("fill", look.label[0])
            .put("fill-opacity", "0.28")
            .end();
    }
    match front.sign {
        Some(sign) => signs::draw(svg, sign, (7.0, -11.5), 50.0, text),
        None => {
            let set = lettering::fit(&front.name, 84.0, 2, 22.0, 12.0);
            column(svg, &set, (0.0, -8.0), text);
        }
    }
    if let Some(arms) = front.arms.as_ref().filter(|_| front.sign.is_some()) {
        look.arms(svg, arms, owner, (-29.0, -25.0), 28.0);
    }
    let figure = match (front.left.as_str(), front.right.as_str()) {
        (left, right) if !right.is_empty() && right.chars().all(|c| c.is_ascii_digit()) => {
            format!("{left}-{right}")
        }
        (left, _) => left.to_string(),
    };
    if !figure.is_empty() {
        let fill = look.label[usize::from(front.spent)];
        rect(svg, "strip", (-42.2, 18.2, 84.4, 24.0), 3.8, Some(fill), 1.0, None);
        let set = lettering::fit(&figure, 70.0, 1, 23.0, 13.0);
        for line in &set.lines {
            write(svg, line, (0.0, 37.6), set.size, "middle", ON_PAPER);
        }
    }
}

/// A leader's arched stand, a little higher than a counter.
pub(crate) fn stand(svg: &mut Svg, look: &Look<'_>, piece: &Piece, pose: Pose) {
    let owner = piece.owner;
    let front = piece.face.front();
    let (lit, spent) = front.map_or((false, false), |f| (f.lit, f.spent));
    let body = body_of(look, owner, spent);
    let arch = |grow: f64| {
        let (w, top, foot) = (43.0 + grow, -56.0 - grow, 54.0 + grow);
        format!(
            "M-{0} {1}V-28C-{0} -48-26 {2} 0 {2}C26 {2} {0} -48 {0} -28V{1}Z",
            num(w),
            num(foot),
            num(top)
        )
    };
    let mut shape = |class: &str,
                     grow: f64,
                     fill: Option<Colour>,
                     opacity: f64,
                     stroke: Option<(Colour, f64)>,
                     drop: f64| {
        let mut tag = svg.tag("path").put("class", class).put("d", arch(grow));
        tag = match fill {
            Some(fill) => tag.put("fill", fill).num("fill-opacity", opacity),
            None => tag.put("fill", "none"),
        };
        if let Some((colour, width)) = stroke {
            tag = tag.put("stroke", colour).num("stroke-width", width);
        }
        if drop > 0.0 {
            tag = tag.put("transform", format!("translate(0 {})", num(drop)));
        }
        tag.end();
    };
    if lit {
        shape("glow", 7.0, Some(look.lit), 0.6, Some((look.outline(look.lit), 2.4)), 0.0);
    }
    if pose.open {
        shape("halo", if lit { 11.0 } else { 7.0 }, None, 1.0, Some((look.open, 4.4)), 0.0);
    }
    shape("shadow", 1.0, Some(BLACK), shade(look), None, 4.0);
    shape("body", 0.0, Some(body.field), 1.0, Some((body.line, 1.6)), 0.0);
    let Some(front) = front else {
        if let Some(owner) = owner {
            emblem(svg, owner, (0.0, 2.0), 24.0, body.text, 0.95);
        }
        return;
    };
    let figures: Vec<&str> = front.left.split_whitespace().collect();
    shape("label", -6.0, Some(look.label[usize::from(front.spent)]), 1.0, None, 0.0);
    let full = pose.detail.is_full();
    let name = lettering::fit(&front.name, 75.0, 2, 16.0, 11.5);
    let two = name.lines.len() > 1;
    match (&front.arms, owner) {
        (Some(arms), _) if full && two => look.arms(svg, arms, owner, (0.0, -25.0), 36.0),
        (Some(arms), _) if full => look.arms(svg, arms, owner, (0.0, -20.0), 44.0),
        (Some(arms), _) => look.arms(svg, arms, owner, (0.0, -10.0), 56.0),
        (None, Some(owner)) => emblem(svg, owner, (0.0, -18.0), 19.0, look.tincture(Some(owner)).field, 0.9),
        (None, None) => {}
    }
    if full || front.arms.is_none() {
        let top = if two { 7.6 } else { 19.5 };
        for (i, line) in name.lines.iter().enumerate() {
            write(svg, line, (0.0, top + 12.4 * i as f64), name.size, "middle", ON_PAPER);
        }
    }
    if !figures.is_empty() {
        rect(svg, "strip", (-37.0, 24.5, 74.0, 23.5), 0.0, Some(body.field), 1.0, None);
        let step = 74.0 / figures.len() as f64;
        for (i, figure) in figures.iter().enumerate() {
            let x = -37.0 + step * (i as f64 + 0.5);
            let set = lettering::fit(figure, step - 4.0, 1, 20.0, 11.0);
            for line in &set.lines {
                write(svg, line, (x, 43.2), set.size, "middle", body.text);
            }
            if i > 0 {
                let d = format!("M{} 27.5v17.5", num(x - step / 2.0));
                svg.tag("path").put("d", d).put("stroke", body.text).put("stroke-opacity", "0.5").end();
            }
        }
    }
    if front.wounded {
        svg.tag("path")
            .put("class", "band")
            .put("d", "M-43 20L30-50L40-40L-43 40Z")
            .put("fill", look.warning)
            .put("fill-opacity", "0.3")
            .end();
    }
}

/// A round token; with a beak where it looks, and drawn out over a second space that it covers.
pub(crate) fn token(svg: &mut Svg, look: &Look<'_>, piece: &Piece, pose: Pose) {
    let owner = piece.owner;
    let front = piece.face.front();
    let (lit, spent) = front.map_or((false, false), |f| (f.lit, f.spent));
    let body = body_of(look, owner, spent);
    if let Some(second) = pose.second {
        return rider(svg, look, piece, pose, second);
    }
    let mut disc =
        |class: &str, r: f64, fill: Option<Colour>, opacity: f64, stroke: Option<(Colour, f64)>| {
            let mut tag = svg.tag("circle").put("class", class).num("r", r);
            tag = match fill {
                Some(fill) => tag.put("fill", fill).num("fill-opacity", opacity),
                None => tag.put("fill", "none"),
            };
            if let Some((colour, width)) = stroke {
                tag = tag.put("stroke", colour).num("stroke-width", width);
            }
            if class == "shadow" {
                tag = tag.num("cy", 4.0);
            }
            tag.end();
        };
    if lit {
        disc("glow", 52.0, Some(look.lit), 0.6, Some((look.outline(look.lit), 2.4)));
    }
    if pose.open {
        disc("halo", if lit { 57.0 } else { 52.0 }, None, 1.0, Some((look.open, 4.4)));
    }
    disc("shadow", 43.0, Some(BLACK), shade(look), None);
    disc("body", 42.0, Some(body.field), 1.0, Some((body.line, 2.0)));
    if let Some(turned) = pose.turned {
        svg.tag("path")
            .put("class", "beak")
            .put("d", "M-15-38L0-58L15-38Z")
            .put("transform", format!("rotate({})", num(turned)))
            .put("fill", body.field)
            .put("stroke", body.line)
            .num("stroke-width", 1.6)
            .end();
    }
    let Some(front) = front else {
        if let Some(owner) = owner {
            emblem(svg, owner, (0.0, 0.0), 22.0, body.text, 0.95);
        }
        return;
    };
    let y = if front.pips.1 > 0 { -8.0 } else { 0.0 };
    match &front.arms {
        Some(arms) => {
            svg.tag("circle").nums([("cy", y), ("r", 27.0)]).put("fill", look.label[0]).end();
            look.arms(svg, arms, owner, (0.0, y + 1.0), 38.0);
        }
        None => {
            svg.tag("circle").nums([("cy", y), ("r", 33.0)]).put("fill", look.label[0]).end();
            match front.sign {
                Some(sign) => signs::draw(svg, sign, (0.0, y), 44.0, ON_PAPER),
                None => column(svg, &lettering::fit(&front.name, 58.0, 2, 20.0, 11.0), (0.0, y), ON_PAPER),
            }
        }
    }
    pips(svg, front, &body, (31.0, 4.6, 11.5));
    if front.wounded {
        wound(svg, y);
    }
    many(svg, look, piece.more, (34.0, 34.0));
}

/// Crossed strokes over somebody who is wounded.
fn wound(svg: &mut Svg, y: f64) {
    let d = format!("M-18 {0}L18 {1}M18 {0}L-18 {1}", num(y - 18.0), num(y + 18.0));
    for (colour, width) in [("#fbf4e2", 9.0), ("#35291a", 5.0)] {
        svg.tag("path")
            .put("class", "wound")
            .put("d", &d)
            .put("stroke", colour)
            .num("stroke-width", width)
            .put("stroke-linecap", "round")
            .end();
    }
}

/// A rider from the space he covers with his horse's tail to that where its head is: the one he stands on.
fn rider(svg: &mut Svg, look: &Look<'_>, piece: &Piece, pose: Pose, (dx, dy): (f64, f64)) {
    let owner = piece.owner;
    let front = piece.face.front();
    let (lit, spent) = front.map_or((false, false), |f| (f.lit, f.spent));
    let body = body_of(look, owner, spent);
    let (dx, dy) = (dx * 96.0, dy * 96.0);
    let long = (dx * dx + dy * dy).sqrt().max(1.0);
    let angle = (-dy).atan2(-dx).to_degrees();
    svg.tag("g").put("transform", format!("rotate({})", num(angle))).open();
    let shape = |grow: f64| {
        let (tail, head, half) = (-long - 36.0 - grow, 50.0 + grow, 32.0 + grow);
        format!(
            "M{} -{}H26L{} 0L26 {}H{}Q{} {} {} 0Q{} -{} {} -{}Z",
            num(tail + 10.0),
            num(half),
            num(head),
            num(half),
            num(tail + 10.0),
            num(tail),
            num(half),
            num(tail),
            num(tail),
            num(half),
            num(tail + 10.0),
            num(half)
        )
    };
    let mut path =
        |class: &str, grow: f64, fill: Option<Colour>, opacity: f64, stroke: Option<(Colour, f64)>| {
            let mut tag = svg.tag("path").put("class", class).put("d", shape(grow));
            tag = match fill {
                Some(fill) => tag.put("fill", fill).num("fill-opacity", opacity),
                None => tag.put("fill", "none"),
            };
            if let Some((colour, width)) = stroke {
                tag = tag.put("stroke", colour).num("stroke-width", width);
            }
            tag.end();
        };
    if lit {
        path("glow", 9.0, Some(look.lit), 0.7, Some((look.outline(look.lit), 2.4)));
    }
    if pose.open {
        path("halo", if lit { 13.0 } else { 9.0 }, None, 1.0, Some((look.open, 4.4)));
    }
    path("shadow", 2.0, Some(BLACK), shade(look), None);
    path("body", 0.0, Some(body.field), 1.0, Some((body.line, 2.0)));
    svg.close("g");
    // Arms and sign stay upright.
    let at = |share: f64| (dx * share, dy * share);
    let Some(front) = front else {
        if let Some(owner) = owner {
            emblem(svg, owner, at(0.5), 20.0, body.text, 0.95);
        }
        return;
    };
    if let Some(arms) = &front.arms {
        let (x, y) = at(1.0);
        svg.tag("circle").nums([("cx", x), ("cy", y), ("r", 27.0)]).put("fill", look.label[0]).end();
        look.arms(svg, arms, owner, (x, y + 1.0), 38.0);
    }
    if let Some(sign) = front.sign {
        signs::draw(svg, sign, at(0.04), 42.0, body.text);
    }
    let (now, most) = front.pips;
    let (ux, uy) = (dx / long, dy / long);
    for i in 0..most.min(8) {
        let (along, aside) =
            (f64::from(i / 2) - (f64::from(most.div_ceil(2)) - 1.0) / 2.0, f64::from(i % 2) - 0.5);
        let (mx, my) = at(0.52);
        let (x, y) = (mx + ux * along * 12.0 - uy * aside * 14.0, my + uy * along * 12.0 + ux * aside * 14.0);
        svg.tag("circle")
            .put("class", if i < now { "pip" } else { "pip lost" })
            .nums([("cx", x), ("cy", y), ("r", 4.6)])
            .put("fill", if i < now { body.text } else { body.deep })
            .end();
    }
}

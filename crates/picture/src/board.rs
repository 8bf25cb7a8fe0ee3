//! One board: ground, links, spaces, pieces and counts, each thing a group with the scene's own id.
//!
//! A board is made of parts that stand alone, so that whoever shows it can compare two drawings and send
//! only what changed.

use std::sync::Arc;

use table::scene::{Board, Ground, Harbour, Piece, Room, Shape, Space};

use crate::area::Area;
use crate::block::{self, Detail, Pose};
use crate::layout::{Layout, NamePlace, PiecePlace, Stack, is_ground_hex, whole};
use crate::lettering::{self, FONTS};
use crate::look::{Look, ON_PAPER, emblem, shield, star};
use crate::names::{SIGN_ROOM, STEPS, anchor, badge_room, clear_upto, room_before};
use crate::print::Print;
use crate::road::{centre, corners, footprint, reach};
use crate::signs::ANCHOR;
use crate::svg::{Svg, num};
use crate::{Highlights, dice, head, hexes, keep, links, ways};

/// So many pixels a piece must have before a page shows its nearer face: on a board, and on a mat.
const LEGIBLE: (u8, u8) = (40, 70);

/// The layers of a board, from the lowest up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Layer {
    /// Symbols that the others use: arms, buildings, wood.
    Stock,
    /// Roads and the like.
    Links,
    /// What moved, and what is planned.
    Traces,
    /// Spaces with their names.
    Spaces,
    /// Pieces.
    Pieces,
    /// How many pieces stand in a large stack, warnings about a space, what can be reached, dice.
    Marks,
}

impl Layer {
    /// All of them, the lowest first.
    pub const ALL: [Self; 6] =
        [Self::Stock, Self::Links, Self::Traces, Self::Spaces, Self::Pieces, Self::Marks];

    /// Its CSS class.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Stock => "stock",
            Self::Links => "links",
            Self::Traces => "traces",
            Self::Spaces => "spaces",
            Self::Pieces => "pieces",
            Self::Marks => "marks",
        }
    }
}

/// A part of a board that can be drawn again by itself: one `<g>` element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The layer it lies in. Within a layer, later parts lie over earlier ones.
    pub layer: Layer,
    /// The scene's id of the link, space or piece; for a mark, of the space it belongs to.
    pub id: String,
    /// The element.
    pub svg: String,
}

/// What can be chosen is called by what is written on it as well: words that its label lacks are added to it.
fn spoken(svg: String) -> String {
    const LABEL: &str = "aria-label=\"";
    let words = |text: &str| {
        let letters = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        letters.map(str::to_lowercase).collect::<Vec<_>>()
    };
    let written = svg.split("<text").skip(1).filter_map(|rest| {
        let (_, text) = rest.split_once('>')?;
        Some(text.split_once("</text>")?.0)
    });
    let written = written.collect::<Vec<_>>().join(" ");
    let Some(begin) = svg.find(LABEL).map(|at| at + LABEL.len()) else { return svg };
    let Some(end) = svg[begin..].find('"').map(|at| begin + at) else { return svg };
    let (said, read) = (words(&svg[begin..end]), words(&written));
    if read.is_empty() || said.windows(read.len()).any(|some| some == read) {
        return svg;
    }
    format!("{}: {written}{}", &svg[..end], &svg[end..])
}

pub(crate) fn parts(
    board: &Board,
    look: &Look<'_>,
    highlights: &Highlights,
    print: Arc<Print>,
    detail: Detail,
) -> Vec<Part> {
    let layout = Layout::new(board, print);
    let mut parts = Vec::new();
    let mut part = |layer: Layer, id: &str, draw: &mut dyn FnMut(&mut Svg)| {
        let mut svg = Svg::default();
        draw(&mut svg);
        let svg = svg.finish();
        if !svg.is_empty() {
            let svg = if highlights.is_open(id) { spoken(svg) } else { svg };
            parts.push(Part { layer, id: id.to_string(), svg });
        }
    };
    let mut stacks: Vec<Option<&Stack>> = vec![None; board.spaces.len()];
    for stack in &layout.stacks {
        stacks[stack.space] = Some(stack);
    }
    for (link, road) in board.links.iter().zip(&layout.print.roads) {
        let open = highlights.is_open(&link.id);
        part(Layer::Links, &link.id, &mut |svg| {
            links::draw(svg, look, board, &layout, link, road.as_ref(), open)
        });
    }
    for (i, trace) in board.traces.iter().enumerate() {
        let id = format!("trace-{i}");
        part(Layer::Traces, &id, &mut |svg| ways::trace(svg, look, board, &layout, &id, trace));
    }
    for (i, ring) in board.rings.iter().enumerate() {
        let id = format!("ring-{i}");
        part(Layer::Traces, &id, &mut |svg| ways::ring(svg, look, board, &layout, &id, ring));
    }
    for (i, plan) in board.plans.iter().enumerate() {
        let id = format!("plan-{i}");
        part(Layer::Traces, &id, &mut |svg| ways::plan(svg, look, board, &layout, &id, plan));
    }
    for (i, space) in board.spaces.iter().enumerate() {
        // A place for dice is nothing by itself.
        if space.annex && space.name.is_empty() {
            continue;
        }
        // A bare hexagon is printed; it becomes a part when something is to be said of it.
        let said = highlights.is_open(&space.id) || highlights.is_warned(&space.id);
        if !is_ground_hex(space) || !space.is_bare() || said {
            part(Layer::Spaces, &space.id, &mut |svg| {
                draw_space(svg, look, board, &layout, (i, stacks[i]), highlights)
            });
        }
    }
    for index in &layout.order {
        let piece = &board.pieces[*index];
        if let Some(place) = &layout.pieces[*index] {
            let pose = pose(board, piece, place, highlights, detail);
            part(Layer::Pieces, &piece.id, &mut |svg| block::draw(svg, look, piece, pose));
        }
    }
    for (i, space) in board.spaces.iter().enumerate() {
        let stack = stacks[i];
        let crowd = stack.filter(|s| !s.piles.is_empty());
        let warned = highlights.is_warned(&space.id);
        if crowd.is_some() || warned {
            part(Layer::Marks, &space.id, &mut |svg| {
                svg.tag("g")
                    .put("class", "mark")
                    .put("data-mark", &space.id)
                    .put("aria-hidden", "true")
                    .open();
                if let Some(crowd) = crowd {
                    draw_count(svg, look, board, &layout, crowd);
                }
                if warned {
                    draw_alarm(svg, look, &layout, space, stack);
                }
                svg.close("g");
            });
        }
    }
    if board.head.is_some() {
        let id = format!("head-{}", board.id);
        part(Layer::Marks, &id, &mut |svg| head::draw(svg, look, board, layout.print.head, &id));
    }
    if !board.order.is_empty() {
        let id = format!("order-{}", board.id);
        part(Layer::Marks, &id, &mut |svg| head::order(svg, look, board, &id));
    }
    for (i, fall) in board.falls.iter().enumerate() {
        let id = format!("fall-{i}");
        part(Layer::Marks, &id, &mut |svg| ways::fall(svg, look, board, &layout, &id, fall));
    }
    for reached in board.reach.iter().filter(|r| r.shown).flat_map(|r| &r.spaces) {
        let id = format!("reach-{}", reached.space);
        part(Layer::Marks, &id, &mut |svg| ways::reached(svg, look, board, &layout, &id, reached));
    }
    for (i, throw) in highlights.throws().iter().enumerate() {
        let Some(space) = throw.space.as_ref().and_then(|id| board.space(id)) else { continue };
        let id = format!("throw-{i}");
        part(Layer::Marks, &id, &mut |svg| {
            svg.tag("g")
                .put("class", "throw")
                .put("data-mark", &id)
                .put("role", "img")
                .put("aria-label", &throw.name)
                .open();
            dice::cloth(svg, look, throw, &footprint(space));
            svg.close("g");
        });
    }
    let stock = look.stock.taken().into_iter().map(|(id, svg)| Part { layer: Layer::Stock, id, svg });
    parts.splice(0..0, stock.filter(|part| !part.id.starts_with("hex-")));
    parts
}

/// Where a piece stands, where it looks, what it covers.
fn pose(board: &Board, piece: &Piece, place: &PiecePlace, highlights: &Highlights, detail: Detail) -> Pose {
    let space = board.space(&piece.space);
    let second = piece.covers.as_ref().and_then(|id| board.space(id)).zip(space).map(|(covered, own)| {
        let (a, b) = (centre(own), centre(covered));
        ((b.0 - a.0) / place.side, (b.1 - a.1) / place.side)
    });
    let first = match space.map(|s| s.shape) {
        Some(Shape::Hex { .. }) => 30.0,
        _ => 0.0,
    };
    Pose {
        cut: place.cut,
        detail: match (board.room, detail) {
            (Room::Large, Detail::Either) => Detail::Large,
            (_, detail) => detail,
        },
        at: place.at,
        side: place.side,
        second,
        turned: piece.facing.map(|f| first + 60.0 * f64::from(f)),
        open: highlights.is_open(&piece.id),
        tabbed: false,
        warned: highlights.is_warned(&piece.id),
    }
}

/// Begins the `<svg>` element of a board; in a larger picture, with a place and a size.
pub(crate) fn begin(
    svg: &mut Svg,
    board: &Board,
    look: &Look<'_>,
    print: &Print,
    at: Option<crate::area::Area>,
) {
    let mut view = whole(board).grown(print.margin);
    view.h += hexes::legend_height(board);
    let mut tag = svg.tag("svg").put("xmlns", "http://www.w3.org/2000/svg");
    if let Some(at) = at {
        tag = tag.nums([("x", at.x), ("y", at.y), ("width", at.w), ("height", at.h)]);
    }
    tag.put("viewBox", format!("{} {} {} {}", num(view.x), num(view.y), num(view.w), num(view.h)))
        .put("id", &board.id)
        .put("data-id", &board.id)
        .put("data-block", num(print.block))
        .put("data-letters", num(print.letters))
        .put("data-legible", if board.room == Room::Large { LEGIBLE.1 } else { LEGIBLE.0 })
        .put("data-play", [print.play.x, print.play.y, print.play.w, print.play.h].map(num).join(" "))
        .put(
            "data-room",
            match board.room {
                Room::Small => "small",
                Room::Usual => "usual",
                Room::Large => "large",
            },
        )
        .put("class", format!("board {}", look.theme.name()))
        .put("role", "group")
        .put("aria-label", if board.name.is_empty() { "board" } else { &board.name })
        .put("font-family", FONTS)
        .put("stroke-linejoin", "round")
        .open();
    svg.add(&print.ground);
}

/// Puts the parts of a board on it and ends its element.
pub(crate) fn finish(svg: &mut Svg, parts: &[Part]) {
    for layer in Layer::ALL {
        svg.group(layer.class());
        for part in parts.iter().filter(|p| p.layer == layer) {
            svg.add(&part.svg);
        }
        svg.close("g");
    }
    svg.close("svg");
}

fn draw_space(
    svg: &mut Svg,
    look: &Look<'_>,
    board: &Board,
    layout: &Layout,
    (index, stack): (usize, Option<&Stack>),
    highlights: &Highlights,
) {
    let space = &board.spaces[index];
    let open = highlights.is_open(&space.id);
    let mut said = if space.name.is_empty() { space.id.clone() } else { space.name.clone() };
    for note in space.notes() {
        said.push_str(&format!(", {note}"));
    }
    if space.prize {
        said.push_str(", a prize");
    }
    if let Some(holder) = space.holder {
        said.push_str(&format!(", held by {}", look.seat_name(holder)));
    }
    if let Some(siege) = space.siege {
        said.push_str(&format!(", besieged by {}", look.seat_name(siege)));
    }
    let mut class = "space".to_string();
    for (is, word) in [(open, " open"), (space.prize, " prize"), (highlights.is_warned(&space.id), " warned")]
    {
        if is {
            class.push_str(word);
        }
    }
    if let Some(holder) = space.holder {
        class.push_str(&format!(" seat-{}", holder.index()));
    }
    svg.tag("g")
        .put("id", &space.id)
        .put("data-id", &space.id)
        .put("data-name", &space.name)
        .put("class", class)
        .put("role", "img")
        .put("aria-label", &said)
        .open();
    svg.title(&said);
    let cells = matches!(board.ground, Ground::Cells { .. });
    let pen = (layout.block / 44.0).max(reach(space).0.min(reach(space).1) / 60.0);
    if let Some(stack) = stack.filter(|_| !cells) {
        leader(svg, look, space, stack, pen);
    }
    if let Some(keep) = space.keep {
        keep::draw(svg, look, space, keep, open);
        if let Some(arms) = &space.arms {
            let s = keep::scale(space);
            let (x, y) = centre(space);
            look.arms(svg, arms, space.holder, (x - 25.0 * s, y - 13.0 * s), 17.0 * s);
        }
        if let Some(name) = layout.print.name(index) {
            draw_name(svg, look, (board, layout), (space, index), name, false);
        }
        svg.close("g");
        return;
    }
    if is_ground_hex(space) {
        draw_hex(svg, look, space, open);
        svg.close("g");
        return;
    }
    if space.lit {
        outline(svg, "glow", space, pen * 6.0, &|tag| tag.put("fill", look.lit).put("fill-opacity", "0.6"));
    }
    if open && !cells {
        outline(svg, "halo", space, pen * 8.5, &|tag| {
            tag.put("fill", look.open)
                .put("fill-opacity", "0.32")
                .put("stroke", look.open)
                .num("stroke-width", pen * 3.0)
        });
    }
    if space.prize {
        outline(svg, "laurel", space, pen * 4.2, &|tag| {
            tag.put("fill", look.inside).put("stroke", look.gold).num("stroke-width", pen * 2.4)
        });
    }
    let roomy = crate::layout::roomy(space, layout.block, layout.print.letters);
    let holder = space.holder.map(|holder| (look.tincture(Some(holder)).field, look.stroke(Some(holder))));
    let line = holder.map_or(if cells { look.road } else { look.faint }, |(_, stroke)| stroke);
    let fill = match holder {
        Some((field, _)) if roomy => look.ground().land.mixed(field, 12),
        Some((field, _)) => look.inside.mixed(field, 22),
        None if cells => look.ground().land.mixed(look.inside, 45),
        None => look.inside.mixed(look.ground().land, 35),
    };
    let weight = match (holder, cells || roomy) {
        (Some(_), true) if roomy => 1.6,
        (Some(_), _) => 4.0,
        (None, true) => 1.2,
        (None, false) => 2.0,
    };
    outline(svg, "shape", space, 0.0, &|tag| {
        let tag = tag.put("fill", fill).put("stroke", line).num("stroke-width", pen * weight);
        let mat = matches!(board.ground, Ground::Field | Ground::Walls { .. });
        let tag = if roomy { tag.put("fill-opacity", "0.55") } else { tag };
        let tag = if roomy && mat { tag.put("stroke-opacity", "0.45") } else { tag };
        if cells { tag.put("stroke-opacity", "0.35") } else { tag }
    });
    if open && cells {
        outline(svg, "halo", space, pen * -3.0, &|tag| {
            tag.put("fill", look.open)
                .put("fill-opacity", "0.14")
                .put("stroke", look.open)
                .num("stroke-width", pen * 2.2)
        });
    }
    if !cells && !roomy {
        // A thin ring within an empty town, a thin rim around a held one.
        let (grow, colour) = if holder.is_some() { (2.0, look.outline(line)) } else { (-4.0, look.faint) };
        outline(svg, "rim", space, pen * grow, &|tag| {
            tag.put("fill", "none").put("stroke", colour).num("stroke-width", pen * 0.8)
        });
    }
    let name = layout.print.name(index);
    let inside = name.is_some_and(|n| n.inside);
    if let (Some(holder), None, false) = (space.holder, stack, inside) {
        let (rx, ry) = reach(space);
        emblem(svg, holder, centre(space), rx.min(ry) * 0.5, look.stroke(Some(holder)), 0.75);
    }
    if let Some(name) = name {
        if cells {
            cell_name(svg, look, name);
        } else {
            draw_name(svg, look, (board, layout), (space, index), name, stack.is_some() || inside);
        }
    }
    svg.close("g");
}

/// A hexagon of the ground of which something is to be said.
fn draw_hex(svg: &mut Svg, look: &Look<'_>, space: &Space, open: bool) {
    let (x, y) = centre(space);
    // Drawn around its middle all are alike, and a hundred of them weigh little more than one.
    svg.tag("g").put("transform", format!("translate({} {})", num(x), num(y))).open();
    let ring = |share: f64| {
        let points =
            corners(space).map(|(cx, cy)| format!("{},{}", num((cx - x) * share), num((cy - y) * share)));
        points.join(" ")
    };
    let pen = reach(space).0.min(reach(space).1) / 20.0;
    let mut tag = svg.tag("polygon").put("class", "shape").put("points", ring(0.96));
    tag = match space.holder {
        Some(holder) => tag
            .put("fill", look.tincture(Some(holder)).field)
            .put("fill-opacity", "0.25")
            .put("stroke", look.stroke(Some(holder)))
            .num("stroke-width", pen),
        None => tag.put("fill", look.inside).put("fill-opacity", "0.01"),
    };
    tag.end();
    if open || space.lit {
        svg.tag("polygon")
            .put("class", if open { "halo" } else { "glow" })
            .put("points", ring(0.88))
            .put("fill", if open { look.open } else { look.lit })
            .put("fill-opacity", "0.2")
            .put("stroke", if open { look.open } else { look.lit })
            .num("stroke-width", pen * 1.2)
            .end();
    }
    if !space.name.is_empty() {
        let size = reach(space).0 * 0.32;
        svg.tag("text")
            .put("class", "name")
            .nums([("x", 0.0), ("y", -reach(space).1 * 0.55), ("font-size", size)])
            .put("text-anchor", "middle")
            .put("font-weight", "bold")
            .put("fill", look.ink)
            .text(&lettering::shortened(&space.name, reach(space).0 * 1.7 / size));
    }
    svg.close("g");
}

/// The shape of a space, grown by so much.
fn outline(
    svg: &mut Svg,
    class: &'static str,
    space: &Space,
    grow: f64,
    paint: &dyn for<'a> Fn(crate::svg::Tag<'a>) -> crate::svg::Tag<'a>,
) {
    let (x, y) = centre(space);
    let (rx, ry) = reach(space);
    let (rx, ry) = ((rx + grow).max(0.0), (ry + grow).max(0.0));
    let tag = match space.shape {
        Shape::Circle { .. } => svg.tag("circle").nums([("cx", x), ("cy", y), ("r", rx)]),
        Shape::Rect { .. } => svg.tag("rect").nums([
            ("x", x - rx),
            ("y", y - ry),
            ("width", rx * 2.0),
            ("height", ry * 2.0),
            ("rx", rx.min(ry) * 0.12),
        ]),
        Shape::Hex { .. } | Shape::FlatHex { .. } | Shape::Corners(_) => {
            let share = rx / reach(space).0.max(0.01);
            let points = corners(space)
                .map(|(cx, cy)| format!("{},{}", num(x + (cx - x) * share), num(y + (cy - y) * share)));
            svg.tag("polygon").put("points", points.join(" "))
        }
    };
    paint(tag.put("class", class)).end();
}

/// A thin line from a space to pieces that had to stand off it.
fn leader(svg: &mut Svg, look: &Look<'_>, space: &Space, stack: &Stack, pen: f64) {
    let (at, to) = (centre(space), stack.area.centre());
    let (rx, ry) = reach(space);
    if stack.area.shared(&crate::area::Area::around(at, rx * 1.2, ry * 1.2)) > 0.0 {
        return;
    }
    svg.tag("path")
        .put("class", "leader")
        .put("d", format!("M{} {}L{} {}", num(at.0), num(at.1), num(to.0), num(to.1)))
        .put("stroke", look.ink)
        .put("stroke-opacity", "0.6")
        .num("stroke-width", pen * 1.4)
        .end();
}

fn cell_name(svg: &mut Svg, look: &Look<'_>, name: &NamePlace) {
    svg.tag("text")
        .put("class", "name")
        .nums([("x", name.area.x), ("y", name.area.bottom()), ("font-size", name.size)])
        .put("fill", look.faint)
        .put("fill-opacity", "0.75")
        .text(&name.name);
}

fn draw_name(
    svg: &mut Svg,
    look: &Look<'_>,
    (board, layout): (&Board, &Layout),
    (space, index): (&Space, usize),
    name: &NamePlace,
    with_shield: bool,
) {
    let size = name.size;
    let upto = layout.print.upto.get(index).copied().unwrap_or(0);
    let (_, middle) = name.area.centre();
    let mut x = name.area.x;
    if !name.inside {
        let (ax, ay) = anchor(space, name);
        svg.tag("g")
            .put("class", format!("lettering upto-{upto}"))
            .put("transform-origin", format!("{} {}", num(ax), num(ay)))
            .open();
    }
    if let Some(holder) = space.holder.filter(|_| with_shield) {
        shield(svg, look, holder, (x + size * 0.38, middle - size * 0.02), size * 0.4);
    }
    x += match space.holder.is_some() && with_shield {
        true => room_before(board) * size,
        // Without a shield the name moves into its room, towards the space.
        false => {
            let off = (name.area.centre().0 - centre(space).0) / (name.area.w / 2.0 + reach(space).0);
            room_before(board) * size * (0.5 - off * 0.5).clamp(0.0, 1.0)
        }
    };
    let lines = name.name.split('\n').count() as f64;
    for (i, line) in name.name.split('\n').enumerate() {
        let down = (i as f64 - (lines - 1.0) / 2.0) * size * 1.12;
        // One line stands where it was laid; several lie under one another, each in the middle.
        let at = if lines > 1.0 { name.area.centre().0 } else { x };
        let mut tag = svg
            .tag("text")
            .put("class", "name")
            .nums([("x", at), ("y", middle + down + size * 0.33), ("font-size", size)])
            .put("font-weight", "bold")
            .put("fill", look.ink);
        if lines > 1.0 {
            tag = tag.put("text-anchor", "middle");
        }
        if !name.inside {
            tag = tag
                .put("stroke", look.ground().land)
                .put("stroke-opacity", "0.85")
                .num("stroke-width", size * 0.24)
                .put("paint-order", "stroke");
        }
        tag.text(line);
        x += if lines > 1.0 { 0.0 } else { lettering::width(line) * size };
    }
    for sign in 0..4 {
        let at = (x + size * (SIGN_ROOM - 0.5), middle);
        let there = match sign {
            0 if space.prize => {
                star(svg, look, at, size * 0.46);
                true
            }
            1 if space.harbour != Harbour::No => {
                harbour(svg, look, at, size, space.harbour);
                true
            }
            2 if space.rating > 0 => {
                battlement(svg, look, at, size, space.rating);
                true
            }
            3 if space.points > 0 => {
                coin(svg, look, at, size, space.points);
                true
            }
            _ => false,
        };
        if there {
            x += SIGN_ROOM * size;
        }
    }
    if !space.badge.is_empty() {
        let w = badge_room(&space.badge) * size;
        let small = size * 0.96;
        // What does not fit beside the name stands below it.
        let beyond = x + w > f64::from(board.width);
        let (x, middle) = if beyond { (name.area.x, middle + size * 1.1) } else { (x, middle) };
        if !name.inside {
            let area = Area { x, y: middle - size * 0.5, w, h: size };
            let names = (layout.print.names.as_slice(), layout.print.upto.as_slice());
            let clear = clear_upto(board, names, (area, anchor(space, name)), Some(index));
            svg.tag("g").put("class", format!("upto-{clear}")).open();
        }
        svg.tag("rect")
            .put("class", "badge")
            .nums([
                ("x", x + size * 0.2),
                ("y", middle - size * 0.5),
                ("width", w - size * 0.2),
                ("height", size),
            ])
            .num("rx", size * 0.28)
            .put("fill", look.inside)
            .put("stroke", look.faint)
            .num("stroke-width", size * 0.06)
            .end();
        svg.tag("text")
            .nums([("x", x + size * 0.1 + w / 2.0), ("y", middle + small * 0.34), ("font-size", small)])
            .put("text-anchor", "middle")
            .put("fill", look.ink)
            .text(&space.badge);
        if !name.inside {
            svg.close("g");
        }
    }
    if !name.inside {
        svg.close("g");
    }
}

/// An anchor on a disc; a broken ring around it where the port is fortified.
fn harbour(svg: &mut Svg, look: &Look<'_>, (x, y): (f64, f64), size: f64, harbour: Harbour) {
    let r = size * if harbour == Harbour::Fortified { 0.44 } else { 0.5 };
    svg.tag("circle")
        .put("class", "port")
        .nums([("cx", x), ("cy", y), ("r", r)])
        .put("fill", look.lane)
        .put("stroke", look.ground().land)
        .num("stroke-width", size * 0.06)
        .end();
    svg.tag("path")
        .put("transform", format!("translate({} {}) scale({})", num(x), num(y), num(r * 0.0145)))
        .put("d", ANCHOR)
        .put("fill", "#fff9ea")
        .put("fill-rule", "evenodd")
        .end();
    if harbour == Harbour::Fortified {
        svg.tag("circle")
            .nums([("cx", x), ("cy", y), ("r", size * 0.56)])
            .put("fill", "none")
            .put("stroke", look.staff)
            .put("stroke-dasharray", format!("{} {}", num(size * 0.15), num(size * 0.1)))
            .num("stroke-width", size * 0.08)
            .end();
    }
}

/// A rating on a battlement.
fn battlement(svg: &mut Svg, look: &Look<'_>, (x, y): (f64, f64), size: f64, rating: u8) {
    let (half, tooth) = (size * 0.46, size * 0.92 / 5.0);
    let crown: String = (0..5)
        .map(|i| {
            format!(
                "h{}{}",
                num(tooth),
                if i == 4 {
                    String::new()
                } else {
                    format!("v{}", num(if i % 2 == 0 { size * 0.16 } else { size * -0.16 }))
                }
            )
        })
        .collect();
    svg.tag("path")
        .put("class", "rating")
        .put(
            "d",
            format!(
                "M{} {}V{}{crown}V{}Z",
                num(x - half),
                num(y + size * 0.52),
                num(y - size * 0.52),
                num(y + size * 0.52)
            ),
        )
        .put("fill", look.inside)
        .put("stroke", look.staff)
        .num("stroke-width", size * 0.065)
        .end();
    figure(svg, (x, y + size * 0.1), size * 0.96, rating, look.ink);
}

/// What a place is worth, on a coin.
fn coin(svg: &mut Svg, look: &Look<'_>, (x, y): (f64, f64), size: f64, points: u8) {
    // Two figures need a wider coin.
    let wide = if points > 9 { size * 0.66 } else { size * 0.52 };
    svg.tag("ellipse")
        .put("class", "points")
        .nums([("cx", x), ("cy", y), ("rx", wide), ("ry", size * 0.52)])
        .put("fill", look.gold)
        .put("stroke", look.gold.mixed(look.ink, 45))
        .num("stroke-width", size * 0.07)
        .end();
    figure(svg, (x, y), size * 0.96, points, ON_PAPER);
}

fn figure(svg: &mut Svg, (x, y): (f64, f64), size: f64, figure: u8, colour: levant::Colour) {
    svg.tag("text")
        .nums([("x", x), ("y", y + size * 0.34), ("font-size", size)])
        .put("text-anchor", "middle")
        .put("font-weight", "bold")
        .put("fill", colour)
        .text(&figure.to_string());
}

/// A triangle with an exclamation mark.
pub(crate) fn alarm(svg: &mut Svg, look: &Look<'_>, (x, y): (f64, f64), size: f64) {
    svg.tag("path")
        .put("class", "alarm")
        .put("transform", format!("translate({} {}) scale({})", num(x), num(y), num(size)))
        .put("d", "M0-1L1.05.85H-1.05ZM-.12-.42L-.07.28H.07L.12-.42ZM-.12.43V.66H.12V.43Z")
        .put("fill", look.warning)
        .put("fill-rule", "evenodd")
        .put("stroke", look.inside)
        .put("stroke-width", "0.12")
        .end();
}

/// How many lie in a pile, at its right lower corner.
fn draw_count(svg: &mut Svg, look: &Look<'_>, board: &Board, layout: &Layout, stack: &Stack) {
    let r = (layout.block * 0.36).max(layout.print.letters * 0.86);
    let board_area = whole(board).grown(-r);
    for pile in &stack.piles {
        let x = (pile.at.0 + r * 0.3).min(board_area.right());
        let y = (pile.at.1 + r * 0.1).min(board_area.bottom());
        grown_from_afar(svg, (x, y));
        svg.tag("circle")
            .put("class", "count")
            .nums([("cx", x), ("cy", y), ("r", r)])
            .put("fill", look.ink)
            .put("stroke", look.inside)
            .num("stroke-width", r * 0.16)
            .end();
        svg.tag("text")
            .nums([("x", x), ("y", y + r * 0.4), ("font-size", r * 1.15)])
            .put("text-anchor", "middle")
            .put("font-weight", "bold")
            .put("fill", look.panel)
            .text(&pile.count.to_string());
        svg.close("g");
    }
}

/// Opens a group that a page lets grow as it does names, where the board is seen from afar.
pub(crate) fn grown_from_afar(svg: &mut Svg, at: (f64, f64)) {
    grown_upto(svg, at, STEPS.len() as u8 - 1);
}

/// The same, up to the step at which it vanishes.
pub(crate) fn grown_upto(svg: &mut Svg, (x, y): (f64, f64), upto: u8) {
    let class = if usize::from(upto) + 1 < STEPS.len() {
        format!("lettering upto-{upto}")
    } else {
        "lettering".into()
    };
    svg.tag("g").put("class", class).put("transform-origin", format!("{} {}", num(x), num(y))).open();
}

/// A warning at the left upper corner of what stands on a space, or of the space itself.
fn draw_alarm(svg: &mut Svg, look: &Look<'_>, layout: &Layout, space: &Space, stack: Option<&Stack>) {
    let (rx, ry) = reach(space);
    let (x, y) = centre(space);
    let at = stack.map_or((x - rx * 0.75, y - ry * 0.75), |s| (s.area.x, s.area.y));
    alarm(svg, look, at, layout.print.letters * 0.62);
}

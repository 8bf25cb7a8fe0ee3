//! One board: ground, links, spaces, pieces and counts, each thing a group with the scene's own id.
//!
//! A board is made of parts that stand alone, so that whoever shows it can compare two drawings and send
//! only what changed.

use table::scene::{Board, Ground, Link, LinkStyle, Shape, Space};

use crate::Highlights;
use crate::block::{self, Pose};
use crate::ground;
use crate::layout::{Layout, NamePlace, STAR_ROOM, Stack, badge_room, room_before, whole};
use crate::lettering::{self, FONTS};
use crate::look::{Look, emblem, shield, star};
use crate::road::{Road, centre, reach};
use crate::svg::{Svg, num};

/// The layers of a board, from the lowest up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Layer {
    /// Roads and the like.
    Links,
    /// Spaces with their names.
    Spaces,
    /// Pieces.
    Pieces,
    /// How many pieces stand in a large stack.
    Counts,
}

impl Layer {
    /// All of them, the lowest first.
    pub const ALL: [Self; 4] = [Self::Links, Self::Spaces, Self::Pieces, Self::Counts];

    /// Its CSS class.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Links => "links",
            Self::Spaces => "spaces",
            Self::Pieces => "pieces",
            Self::Counts => "counts",
        }
    }
}

/// A part of a board that can be drawn again by itself: one `<g>` element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The layer it lies in. Within a layer, later parts lie over earlier ones.
    pub layer: Layer,
    /// The scene's id of the link, space or piece; for a count, of the space.
    pub id: String,
    /// The element.
    pub svg: String,
}

pub(crate) fn parts(board: &Board, look: &Look<'_>, highlights: &Highlights) -> Vec<Part> {
    let layout = Layout::new(board);
    let mut parts = Vec::new();
    let mut part = |layer: Layer, id: &str, draw: &mut dyn FnMut(&mut Svg)| {
        let mut svg = Svg::default();
        draw(&mut svg);
        parts.push(Part { layer, id: id.to_string(), svg: svg.finish() });
    };
    for (link, road) in board.links.iter().zip(&layout.roads) {
        let open = highlights.is_open(&link.id);
        part(Layer::Links, &link.id, &mut |svg| {
            draw_link(svg, look, board, &layout, link, road.as_ref(), open)
        });
    }
    for (i, space) in board.spaces.iter().enumerate() {
        part(Layer::Spaces, &space.id, &mut |svg| draw_space(svg, look, board, &layout, i, highlights));
    }
    for (piece, place) in board.pieces.iter().zip(&layout.pieces) {
        if let Some(place) = place {
            let pose = Pose {
                cut: place.cut,
                at: place.at,
                side: place.side,
                open: highlights.is_open(&piece.id),
                warned: highlights.is_warned(&piece.id),
            };
            part(Layer::Pieces, &piece.id, &mut |svg| block::draw(svg, look, piece, pose));
        }
    }
    for stack in layout.stacks.iter().filter(|s| s.crowded) {
        let id = &board.spaces[stack.space].id;
        part(Layer::Counts, id, &mut |svg| draw_count(svg, look, board, &layout, stack));
    }
    parts
}

/// The board as an `<svg>` element; in a larger picture, with a place and a size.
pub(crate) fn draw(
    svg: &mut Svg,
    board: &Board,
    look: &Look<'_>,
    highlights: &Highlights,
    at: Option<crate::area::Area>,
) {
    let view = whole(board).grown(ground::margin(board, look));
    let mut tag = svg.tag("svg").put("xmlns", "http://www.w3.org/2000/svg");
    if let Some(at) = at {
        tag = tag.nums([("x", at.x), ("y", at.y), ("width", at.w), ("height", at.h)]);
    }
    tag.put("viewBox", format!("{} {} {} {}", num(view.x), num(view.y), num(view.w), num(view.h)))
        .put("id", &board.id)
        .put("data-id", &board.id)
        .put("class", format!("board {}", look.theme.name()))
        .put("role", "group")
        .put("aria-label", if board.name.is_empty() { "board" } else { &board.name })
        .put("font-family", FONTS)
        .put("stroke-linejoin", "round")
        .open();
    ground::draw(svg, look, board);
    let parts = parts(board, look, highlights);
    for layer in Layer::ALL {
        svg.group(layer.class());
        for part in parts.iter().filter(|p| p.layer == layer) {
            svg.add(&part.svg);
        }
        svg.close("g");
    }
    svg.close("svg");
}

fn draw_link(
    svg: &mut Svg,
    look: &Look<'_>,
    board: &Board,
    layout: &Layout,
    link: &Link,
    road: Option<&Road>,
    open: bool,
) {
    let name = |id: &str| board.spaces.iter().find(|s| s.id == id).map_or(String::new(), |s| s.name.clone());
    let (style, kind) = match link.style {
        LinkStyle::Major => ("major", "major road"),
        LinkStyle::Minor => ("minor", "minor road"),
        LinkStyle::Sea => ("sea", "sea lane"),
        LinkStyle::Arrow => ("arrow", "arrow"),
    };
    let joint = if link.style == LinkStyle::Arrow { "to" } else { "–" };
    let mut said = format!("{} {joint} {}, {kind}", name(&link.from), name(&link.to));
    if !link.note.is_empty() {
        said.push_str(&format!(", {}", link.note));
    }
    svg.tag("g")
        .put("id", &link.id)
        .put("data-id", &link.id)
        .put("class", format!("link {style}{}", if open { " open" } else { "" }))
        .put("role", "img")
        .put("aria-label", &said)
        .open();
    svg.title(&said);
    if let Some(road) = road {
        let pen = layout.block / 44.0;
        let d = path(road, if link.style == LinkStyle::Arrow { pen * 9.0 } else { 0.0 });
        let mut line = |class: &str, colour: levant::Colour, width: f64, dashes: &str, opacity: f64| {
            let mut tag = svg
                .tag("path")
                .put("class", class)
                .put("d", &d)
                .put("fill", "none")
                .put("stroke", colour)
                .num("stroke-width", width * pen)
                .put("stroke-linecap", if dashes == "dash" { "butt" } else { "round" });
            tag = match dashes {
                "dash" => tag.put("stroke-dasharray", format!("{} {}", num(8.0 * pen), num(5.0 * pen))),
                "dot" => tag.put("stroke-dasharray", format!("0.01 {}", num(8.5 * pen))),
                _ => tag,
            };
            if opacity < 1.0 {
                tag = tag.num("stroke-opacity", opacity);
            }
            tag.end();
        };
        if open {
            line("halo", look.open, 13.0, "", 0.45);
        }
        let paper = look.ground().land.mixed(look.inside, 50);
        match link.style {
            LinkStyle::Major => {
                line("case", look.road, 6.4, "", 1.0);
                line("bed", paper, 3.4, "", 1.0);
            }
            LinkStyle::Minor => {
                line("case", paper, 4.6, "", 0.7);
                line("bed", look.road, 2.4, "dash", 1.0);
            }
            LinkStyle::Sea => line("bed", look.lane, 3.6, "dot", 1.0),
            LinkStyle::Arrow => {
                line("case", look.inside, 8.0, "", 0.8);
                line("bed", look.warning, 4.4, "", 1.0);
                head(svg, look, road, pen);
            }
        }
        note(svg, look, layout, link, road);
    }
    svg.close("g");
}

/// Path data of a road that stops a little short of its end.
fn path(road: &Road, short: f64) -> String {
    let from = road.from;
    let near = if road.straight { road.from } else { road.bend };
    let far = crate::road::distance(near, road.to).max(1.0);
    let share = (1.0 - short / far).max(0.0);
    let to = (near.0 + (road.to.0 - near.0) * share, near.1 + (road.to.1 - near.1) * share);
    if road.straight {
        format!("M{} {}L{} {}", num(from.0), num(from.1), num(to.0), num(to.1))
    } else {
        let bend = road.bend;
        let points = [from.0, from.1, bend.0, bend.1, to.0, to.1].map(num);
        format!("M{} {}Q{} {} {} {}", points[0], points[1], points[2], points[3], points[4], points[5])
    }
}

fn head(svg: &mut Svg, look: &Look<'_>, road: &Road, pen: f64) {
    let near = if road.straight { road.from } else { road.bend };
    let far = crate::road::distance(near, road.to).max(1.0);
    let (ux, uy) = ((road.to.0 - near.0) / far, (road.to.1 - near.1) / far);
    let back = 15.0 * pen;
    let wide = 7.5 * pen;
    let base = (road.to.0 - ux * back, road.to.1 - uy * back);
    let points =
        [road.to, (base.0 - uy * wide, base.1 + ux * wide), (base.0 + uy * wide, base.1 - ux * wide)]
            .map(|(x, y)| format!("{} {}", num(x), num(y)));
    svg.tag("path")
        .put("class", "head")
        .put("d", format!("M{}Z", points.join("L")))
        .put("fill", look.warning)
        .put("stroke", look.inside)
        .num("stroke-width", pen)
        .end();
}

fn note(svg: &mut Svg, look: &Look<'_>, layout: &Layout, link: &Link, road: &Road) {
    if link.note.is_empty() {
        return;
    }
    let size = layout.letters * 0.82;
    let text = lettering::shortened(&link.note, 12.0);
    let (w, h) = ((lettering::width(&text) + 0.8) * size, size * 1.4);
    let free = |share: &&f64| {
        let place = crate::area::Area::around(road.at(**share), w, h);
        let names = layout.names.iter().flatten().map(|n| &n.area);
        !layout.stacks.iter().map(|s| &s.area).chain(names).any(|a| a.shared(&place) > 0.0)
    };
    let share = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74].iter().find(free).copied().unwrap_or(0.5);
    let (x, y) = road.at(share);
    svg.tag("rect")
        .put("class", "note")
        .nums([("x", x - w / 2.0), ("y", y - h / 2.0), ("width", w), ("height", h), ("rx", h / 2.0)])
        .put("fill", look.inside)
        .put("stroke", look.road)
        .num("stroke-width", size * 0.09)
        .end();
    svg.tag("text")
        .nums([("x", x), ("y", y + size * 0.33), ("font-size", size)])
        .put("text-anchor", "middle")
        .put("font-weight", "bold")
        .put("fill", look.ink)
        .text(&text);
}

fn draw_space(
    svg: &mut Svg,
    look: &Look<'_>,
    board: &Board,
    layout: &Layout,
    index: usize,
    highlights: &Highlights,
) {
    let space = &board.spaces[index];
    let open = highlights.is_open(&space.id);
    let mut said = if space.name.is_empty() { space.id.clone() } else { space.name.clone() };
    if !space.badge.is_empty() {
        said.push_str(&format!(", {}", space.badge));
    }
    if space.prize {
        said.push_str(", a prize");
    }
    if let Some(holder) = space.holder {
        said.push_str(&format!(", held by {}", look.seat_name(holder)));
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
        .put("class", class)
        .put("role", "img")
        .put("aria-label", &said)
        .open();
    svg.title(&said);
    let cells = matches!(board.ground, Ground::Cells { .. });
    let stack = layout.stacks.iter().find(|s| s.space == index);
    let pen = (layout.block / 44.0).max(reach(space).0.min(reach(space).1) / 60.0);
    if let Some(stack) = stack.filter(|_| !cells) {
        leader(svg, look, space, stack, pen);
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
    let roomy = crate::layout::roomy(space, layout.block, layout.letters);
    let holder = space.holder.map(|holder| (look.tincture(Some(holder)).field, look.stroke(Some(holder))));
    let line = holder.map_or(if cells { look.road } else { look.faint }, |(_, stroke)| stroke);
    let fill = match holder {
        Some((field, _)) => look.inside.mixed(field, 22),
        None if cells => look.ground().land.mixed(look.inside, 45),
        None => look.inside.mixed(look.ground().land, 35),
    };
    let weight = match (holder, cells || roomy) {
        (Some(_), _) => 4.0,
        (None, true) => 1.2,
        (None, false) => 2.0,
    };
    outline(svg, "shape", space, 0.0, &|tag| {
        let tag = tag.put("fill", fill).put("stroke", line).num("stroke-width", pen * weight);
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
    let name = layout.names[index].as_ref();
    let inside = name.is_some_and(|n| n.inside);
    if let (Some(holder), None, false) = (space.holder, stack, inside) {
        let (rx, ry) = reach(space);
        emblem(svg, holder, centre(space), rx.min(ry) * 0.5, look.stroke(Some(holder)), 0.75);
    }
    if let Some(name) = name {
        if cells {
            cell_name(svg, look, name);
        } else {
            draw_name(svg, look, board, space, name, stack.is_some() || inside);
        }
    }
    if highlights.is_warned(&space.id) {
        let (rx, ry) = reach(space);
        let (x, y) = centre(space);
        alarm(svg, look, (x + rx * 0.72, y - ry * 0.72), layout.letters * 0.6);
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
        Shape::Hex { .. } => {
            let corners = [(0.0, -1.0), (1.0, -0.5), (1.0, 0.5), (0.0, 1.0), (-1.0, 0.5), (-1.0, -0.5)];
            let corners = corners.map(|(cx, cy)| format!("{},{}", num(x + cx * rx), num(y + cy * ry)));
            svg.tag("polygon").put("points", corners.join(" "))
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
    board: &Board,
    space: &Space,
    name: &NamePlace,
    with_shield: bool,
) {
    let size = name.size;
    let (_, middle) = name.area.centre();
    let mut x = name.area.x;
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
    let mut tag = svg
        .tag("text")
        .put("class", "name")
        .nums([("x", x), ("y", middle + size * 0.33), ("font-size", size)])
        .put("font-weight", "bold")
        .put("fill", look.ink);
    if !name.inside {
        tag = tag
            .put("stroke", look.ground().land)
            .put("stroke-opacity", "0.85")
            .num("stroke-width", size * 0.24)
            .put("paint-order", "stroke");
    }
    tag.text(&name.name);
    x += lettering::width(&name.name) * size;
    if space.prize {
        star(svg, look, (x + size * 0.5, middle), size * 0.38);
        x += STAR_ROOM * size;
    }
    if !space.badge.is_empty() {
        let w = badge_room(&space.badge) * size;
        let small = size * 0.82;
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
    }
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

fn draw_count(svg: &mut Svg, look: &Look<'_>, board: &Board, layout: &Layout, stack: &Stack) {
    let r = layout.block * 0.26;
    let board_area = whole(board).grown(-r);
    let x = (stack.area.right() + r * 0.6).min(board_area.right());
    let y = (stack.area.y - r * 0.6).max(board_area.y);
    let space = &board.spaces[stack.space];
    svg.tag("g").put("class", "count").put("data-count", &space.id).put("aria-hidden", "true").open();
    svg.tag("circle")
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
        .text(&stack.count.to_string());
    svg.close("g");
}

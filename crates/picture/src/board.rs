//! One board: ground, links, spaces, pieces and counts, each thing a group with the scene's own id.
//!
//! A board is made of parts that stand alone, so that whoever shows it can compare two drawings and send
//! only what changed.

use table::scene::{Board, Ground, Shape, Space};

use crate::Highlights;
use crate::block::{self, Pose};
use crate::ground;
use crate::layout::{Layout, NamePlace, Stack, whole};
use crate::lettering::{self, FONTS};
use crate::links;
use crate::look::{Look, emblem, shield, star};
use crate::names::{STAR_ROOM, badge_room, room_before};
use crate::road::{centre, reach};
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
    /// How many pieces stand in a large stack, and warnings about a space.
    Marks,
}

impl Layer {
    /// All of them, the lowest first.
    pub const ALL: [Self; 4] = [Self::Links, Self::Spaces, Self::Pieces, Self::Marks];

    /// Its CSS class.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Links => "links",
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
            links::draw(svg, look, board, &layout, link, road.as_ref(), open)
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
    for (i, space) in board.spaces.iter().enumerate() {
        let stack = layout.stacks.iter().find(|s| s.space == i);
        let crowd = stack.filter(|s| s.crowded);
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
        .put("data-name", &space.name)
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
}

/// A warning at the left upper corner of what stands on a space, or of the space itself.
fn draw_alarm(svg: &mut Svg, look: &Look<'_>, layout: &Layout, space: &Space, stack: Option<&Stack>) {
    let (rx, ry) = reach(space);
    let (x, y) = centre(space);
    let at = stack.map_or((x - rx * 0.75, y - ry * 0.75), |s| (s.area.x, s.area.y));
    alarm(svg, look, at, layout.letters * 0.62);
}

//! Links as roads, lanes and arrows, with their notes.

use table::scene::{Board, Link, LinkStyle};

use crate::area::Area;
use crate::layout::Layout;
use crate::lettering;
use crate::look::Look;
use crate::road::{Road, distance};
use crate::svg::{Svg, num};

/// Draws a link along its way; one that leads nowhere has none, and is only named.
pub(crate) fn draw(
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
        note(svg, look, (board, layout), link, road);
    }
    svg.close("g");
}

/// Path data of a road that stops a little short of its end.
fn path(road: &Road, short: f64) -> String {
    let from = road.from;
    let near = if road.straight { road.from } else { road.bend };
    let far = distance(near, road.to).max(1.0);
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
    let far = distance(near, road.to).max(1.0);
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

fn note(svg: &mut Svg, look: &Look<'_>, (board, layout): (&Board, &Layout), link: &Link, road: &Road) {
    if link.note.is_empty() {
        return;
    }
    let size = layout.print.letters * 0.96;
    let text = lettering::shortened(&link.note, 12.0);
    let (w, h) = ((lettering::width(&text) + 0.8) * size, size * 1.4);
    let free = |share: &&f64| {
        let place = Area::around(road.at(**share), w, h);
        let names = layout.print.names.iter().flatten().map(|n| &n.area);
        !layout.stacks.iter().map(|s| &s.area).chain(names).any(|a| a.shared(&place) > 0.0)
    };
    let share = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74].iter().find(free).copied().unwrap_or(0.5);
    let (x, y) = road.at(share);
    let (area, names) =
        (Area::around((x, y), w, h), (layout.print.names.as_slice(), layout.print.upto.as_slice()));
    let upto = crate::names::clear_upto(board, names, (area, (x, y)), None);
    crate::board::grown_upto(svg, (x, y), upto);
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
    svg.close("g");
}

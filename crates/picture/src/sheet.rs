//! The whole table on one sheet: title, prompt, warnings, boards, tracks and trays.
//!
//! The board with most on it is drawn large. Beside it, when it is tall or when there are other boards,
//! stands a column with those, the tracks and the trays; otherwise tracks and trays lie under it.

use table::scene::{Aid, Board, Face, Ground, Register, Room, Scene, Sum, Throw, Track, Tray};

use crate::Highlights;
use crate::area::Area;
use crate::block::{self, CARD, Cut, Detail, Pose, cut_in_tray};
use crate::board::{self, alarm};
use crate::figures;
use crate::ground;
use crate::layout::{block_side, whole};
use crate::lettering::{self, FONTS, width, wrap};
use crate::look::{Look, shield};
use crate::print::Print;
use crate::svg::{Svg, num};

const EDGE: f64 = 28.0;
const GAP: f64 = 18.0;
pub(crate) const PAD: f64 = 14.0;
/// The most that the main board may take, across and down.
const MOST: (f64, f64) = (1400.0, 1800.0);
/// How large a block should be.
const BLOCK: f64 = 50.0;
/// How large the cell of a grid should be.
const CELL: f64 = 128.0;
/// How wide the column beside a board is; with a board in it, it is wider.
const COLUMN: f64 = 400.0;
const LEAST_WIDTH: f64 = 560.0;
const CAPTION: f64 = 30.0;

/// Draws a scene as a document of its own.
pub(crate) fn draw(scene: &Scene, look: &Look<'_>, highlights: &Highlights) -> String {
    let sizes: Vec<(f64, f64)> = scene.boards.iter().map(|b| size(b, look)).collect();
    let surface = |i: usize| sizes[i].0 * sizes[i].1;
    // A board that wants most of the room gets it; else the largest.
    let wanted = |i: usize| (scene.boards[i].room, surface(i));
    let main = (0..sizes.len()).reduce(|best, i| if wanted(i) > wanted(best) { i } else { best });
    let (w, h) = main.map_or((0.0, 0.0), |i| sizes[i]);
    let others: Vec<usize> = (0..sizes.len()).filter(|i| Some(*i) != main).collect();
    let beside = !items(scene).is_empty();
    // Under a wide board there is room for the others; beside a tall one there is.
    let under = w > h * 1.2;
    let column = (!others.is_empty() && (!under || beside)) || (beside && main.is_some() && w < h * 1.25);
    let left_width = w.max(if column { 0.0 } else { LEAST_WIDTH });
    let column_width = if others.is_empty() || under { COLUMN * 1.15 } else { COLUMN * 1.4 };
    let inner = left_width + if column { GAP + column_width } else { 0.0 };

    let mut sheet = Svg::default();
    let top = headline(&mut sheet, look, scene, inner, EDGE);
    let head = if others.is_empty() { 0.0 } else { CAPTION };
    let mut bottom = top;
    if let Some(main) = main {
        let place = Area { x: EDGE + (left_width - w) / 2.0, y: top + head, w, h };
        lay(&mut sheet, look, &scene.boards[main], highlights, place, head > 0.0);
        bottom = place.bottom();
    }
    for i in others.iter().filter(|_| under) {
        let (own, high) = sizes[*i];
        let wide = own.min(left_width);
        let place = Area { x: EDGE, y: bottom + GAP + CAPTION, w: wide, h: high * wide / own };
        lay(&mut sheet, look, &scene.boards[*i], highlights, place, true);
        bottom = place.bottom();
    }
    let end = if column {
        let x = EDGE + left_width + GAP;
        let mut y = top;
        for i in others.into_iter().filter(|_| !under) {
            let (w, h) = sizes[i];
            let place = Area { x, y: y + CAPTION, w: column_width, h: h * column_width / w };
            lay(&mut sheet, look, &scene.boards[i], highlights, place, true);
            y = place.bottom() + GAP;
        }
        panels(&mut sheet, look, scene, highlights, Area { x, y, w: column_width, h: 0.0 }, 1).max(bottom)
    } else if beside {
        let columns = if inner >= 900.0 { 2 } else { 1 };
        let y = if main.is_some() { bottom + GAP } else { top };
        panels(&mut sheet, look, scene, highlights, Area { x: EDGE, y, w: inner, h: 0.0 }, columns)
    } else {
        bottom
    };
    let (w, h) = ((inner + 2.0 * EDGE).ceil(), (end + EDGE).ceil());

    let mut svg = Svg::default();
    svg.tag("svg")
        .put("xmlns", "http://www.w3.org/2000/svg")
        .nums([("width", w), ("height", h)])
        .put("viewBox", format!("0 0 {} {}", num(w), num(h)))
        .put("class", format!("picture {}", look.theme.name()))
        .put("font-family", FONTS)
        .open();
    svg.title(&scene.title);
    svg.tag("rect").put("class", "table").nums([("width", w), ("height", h)]).put("fill", look.table).end();
    svg.add(&sheet.finish());
    let symbols = look.stock.taken();
    if !symbols.is_empty() {
        svg.tag("defs").open();
        for (_, symbol) in &symbols {
            svg.add(symbol);
        }
        svg.close("defs");
    }
    svg.close("svg");
    svg.finish()
}

/// How large a board is best drawn: so that its pieces can be read, within what a sheet can hold.
fn size(board: &Board, look: &Look<'_>) -> (f64, f64) {
    let mut view = whole(board).grown(ground::margin(board, look));
    view.h += crate::hexes::legend_height(board);
    let large = if board.room == Room::Large { 1.7 } else { 1.0 };
    let scale = match board.ground {
        Ground::Cells { columns, rows } => {
            let across = f64::from(board.width.max(1)) / f64::from(columns.max(1));
            let down = f64::from(board.height.max(1)) / f64::from(rows.max(1));
            CELL / across.max(down)
        }
        _ => BLOCK * large / block_side(board),
    };
    let scale = scale.min(MOST.0 / view.w).min(MOST.1 / view.h);
    (view.w * scale, view.h * scale)
}

/// Lays a board on the sheet.
fn lay(svg: &mut Svg, look: &Look<'_>, board: &Board, highlights: &Highlights, place: Area, captioned: bool) {
    if captioned {
        caption(svg, look, board, &place);
    }
    let round = if matches!(board.ground, Ground::Cells { .. }) { CELL * 0.17 } else { 4.0 };
    shadow(svg, look, &place, round);
    // A board has a stock of its own, so that it stands alone.
    let look = &Look::new(look.theme, look.seats);
    let print = std::sync::Arc::new(Print::new(board, look));
    let side = print.block * place.w / (whole(board).w + 2.0 * print.margin);
    let detail = match side {
        ..36.0 => Detail::Small,
        36.0..70.0 => Detail::Middle,
        _ => Detail::Full,
    };
    board::begin(svg, board, look, &print, Some(place));
    board::finish(svg, &board::parts(board, look, highlights, print, detail));
}

pub(crate) fn write(
    svg: &mut Svg,
    class: &str,
    text: &str,
    (x, y): (f64, f64),
    size: f64,
    colour: levant::Colour,
    bold: bool,
) {
    let mut tag = svg
        .tag("text")
        .put("class", class)
        .nums([("x", x), ("y", y), ("font-size", size)])
        .put("fill", colour);
    if bold {
        tag = tag.put("font-weight", "bold");
    }
    tag.text(text);
}

fn shadow(svg: &mut Svg, look: &Look<'_>, place: &Area, round: f64) {
    let opacity = if look.theme == levant::Theme::Night { 0.5 } else { 0.16 };
    for grow in [1.5, 4.0] {
        let place = place.grown(grow).moved(0.0, 3.0);
        svg.tag("rect")
            .put("class", "shadow")
            .nums([
                ("x", place.x),
                ("y", place.y),
                ("width", place.w),
                ("height", place.h),
                ("rx", round + grow),
            ])
            .put("fill", "#1a1006")
            .num("fill-opacity", opacity / 1.6)
            .end();
    }
}

fn caption(svg: &mut Svg, look: &Look<'_>, board: &Board, place: &Area) {
    let set = lettering::fit(&board.name, place.w, 1, 19.0, 12.0);
    for line in &set.lines {
        write(svg, "caption", line, (place.x + 2.0, place.y - 9.0), set.size, look.faint, true);
    }
}

/// Title, prompt and warnings; where the next thing may begin.
fn headline(svg: &mut Svg, look: &Look<'_>, scene: &Scene, inner: f64, mut y: f64) -> f64 {
    if !scene.title.is_empty() {
        let set = lettering::fit(&scene.title, inner, 2, 36.0, 20.0);
        for line in &set.lines {
            y += set.size;
            write(svg, "title", line, (EDGE, y - set.size * 0.14), set.size, look.ink, true);
        }
        y += 8.0;
        for (drop, weight) in [(0.0, 1.6), (3.4, 0.7)] {
            svg.tag("path")
                .put("class", "rule")
                .put("d", format!("M{} {}H{}", num(EDGE), num(y + drop), num(EDGE + inner)))
                .put("stroke", look.gold)
                .num("stroke-width", weight)
                .end();
        }
        y += 20.0;
    }
    if let Some(prompt) = &scene.prompt {
        let seats: Vec<_> = prompt.seats.iter().collect();
        let indent = seats.len() as f64 * 28.0 + if seats.is_empty() { 0.0 } else { 4.0 };
        y = lines(
            svg,
            look,
            ("prompt", &prompt.text, prompt.rule.number()),
            (EDGE + indent, y),
            inner - indent,
            21.0,
            look.ink,
        );
        for (i, seat) in seats.iter().enumerate() {
            let first = y - lines_height(&prompt.text, prompt.rule.number(), inner - indent, 21.0);
            shield(svg, look, *seat, (EDGE + 11.0 + 28.0 * i as f64, first + 12.0), 10.5);
        }
        if !prompt.advice.is_empty() {
            for line in wrap(&prompt.advice, (inner - indent) / 16.0, 3) {
                write(svg, "advice", &line, (EDGE + indent, y + 13.0), 16.0, look.faint, false);
                y += 20.0;
            }
        }
        y += 6.0;
    }
    for warning in &scene.warnings {
        alarm(svg, look, (EDGE + 9.0, y + 10.0), 8.0);
        y = lines(
            svg,
            look,
            ("warning", &warning.text, warning.rule.number()),
            (EDGE + 26.0, y),
            inner - 26.0,
            17.0,
            look.warning,
        );
        y += 2.0;
    }
    y + 12.0
}

fn lines_height(text: &str, rule: &str, room: f64, size: f64) -> f64 {
    wrap(&format!("{text} [{rule}]"), room / size, 8).len().max(1) as f64 * size * 1.3
}

/// A sentence and the rule it rests on, in as many lines as it needs.
fn lines(
    svg: &mut Svg,
    look: &Look<'_>,
    (class, text, rule): (&str, &str, &str),
    (x, mut y): (f64, f64),
    room: f64,
    size: f64,
    colour: levant::Colour,
) -> f64 {
    let rule = format!("[{rule}]");
    let mut set = wrap(&format!("{text} {rule}"), room / size, 8);
    if let Some(last) = set.last_mut() {
        last.truncate(last.len().saturating_sub(rule.len()));
    }
    let last = set.len().saturating_sub(1);
    for (i, line) in set.iter().enumerate() {
        let base = y + size * 0.92;
        let tag = svg
            .tag("text")
            .put("class", class)
            .nums([("x", x), ("y", base), ("font-size", size)])
            .put("fill", colour);
        if i < last {
            tag.text(line);
        } else {
            tag.open();
            svg.add(&crate::svg::escape(line));
            svg.tag("tspan")
                .put("class", "rule")
                .num("font-size", size * 0.76)
                .put("fill", look.faint)
                .text(&rule);
            svg.close("text");
        }
        y += size * 1.3;
    }
    y
}

pub(crate) fn panel(svg: &mut Svg, look: &Look<'_>, place: &Area) {
    shadow(svg, look, &place.grown(-1.0), 6.0);
    svg.tag("rect")
        .put("class", "panel")
        .nums([("x", place.x), ("y", place.y), ("width", place.w), ("height", place.h), ("rx", 7.0)])
        .put("fill", look.panel)
        .put("stroke", look.faint)
        .put("stroke-opacity", "0.45")
        .end();
}

/// Something that lies beside the boards.
#[derive(Clone, Copy)]
enum Item<'a> {
    Track(&'a Track),
    Register(&'a Register),
    Sum(&'a Sum),
    Throw(&'a Throw),
    Tray(&'a Tray),
    Aid(&'a Aid),
}

/// All that lies beside the boards, the most important first.
fn items(scene: &Scene) -> Vec<Item<'_>> {
    let mut items: Vec<Item<'_>> = scene.tracks.iter().filter(|t| t.foremost).map(Item::Track).collect();
    items.extend(scene.register.iter().map(Item::Register));
    items.extend(scene.tracks.iter().filter(|t| !t.foremost).map(Item::Track));
    items.extend(scene.throws.iter().filter(|t| t.space.is_none()).map(Item::Throw));
    items.extend(scene.sums.iter().map(Item::Sum));
    items.extend(scene.trays.iter().map(Item::Tray));
    items.extend(scene.aids.iter().filter(|a| a.rows.iter().any(|r| r.lit)).map(Item::Aid));
    items
}

impl Item<'_> {
    /// Whether it wants the whole width.
    fn is_wide(self) -> bool {
        match self {
            Item::Track(track) => track.foremost,
            Item::Tray(tray) => tray.spread && tray.pieces.len() > 2,
            Item::Register(_) => true,
            _ => false,
        }
    }

    fn height(self, w: f64) -> f64 {
        match self {
            Item::Track(track) if track.foremost => figures::foremost_height(),
            Item::Track(track) => track_height(track, w),
            Item::Register(register) => figures::register_height(register),
            Item::Sum(sum) => figures::sum_height(sum, w),
            Item::Throw(_) => figures::THROW,
            Item::Tray(tray) => tray_height(tray, w),
            Item::Aid(aid) => figures::aid_height(aid, w),
        }
    }

    fn draw(self, svg: &mut Svg, look: &Look<'_>, highlights: &Highlights, place: Area) {
        match self {
            Item::Track(track) if track.foremost => figures::foremost(svg, look, track, place),
            Item::Track(track) => draw_track(svg, look, track, place),
            Item::Register(register) => figures::register(svg, look, register, place),
            Item::Sum(sum) => figures::sum(svg, look, sum, place),
            Item::Throw(throw) => figures::throw(svg, look, throw, place),
            Item::Tray(tray) => draw_tray(svg, look, tray, highlights, place),
            Item::Aid(aid) => figures::aid(svg, look, aid, place),
        }
    }
}

/// What lies beside the boards, in columns; where it ends.
fn panels(
    svg: &mut Svg,
    look: &Look<'_>,
    scene: &Scene,
    highlights: &Highlights,
    at: Area,
    columns: usize,
) -> f64 {
    let gap = GAP * 0.7;
    let w = (at.w - GAP * (columns as f64 - 1.0)) / columns as f64;
    let mut ends = vec![at.y; columns];
    for item in items(scene) {
        if item.is_wide() {
            let y = ends.iter().copied().fold(at.y, f64::max);
            let h = item.height(at.w);
            item.draw(svg, look, highlights, Area { x: at.x, y, w: at.w, h });
            ends.fill(y + h + gap);
            continue;
        }
        let column =
            (0..columns).reduce(|best, i| if ends[i] < ends[best] - 0.5 { i } else { best }).unwrap_or(0);
        let (x, y, h) = (at.x + (w + GAP) * column as f64, ends[column], item.height(w));
        item.draw(svg, look, highlights, Area { x, y, w, h });
        ends[column] = y + h + gap;
    }
    ends.into_iter().fold(at.y, f64::max) - gap
}

fn piece_side(tray: &Tray) -> f64 {
    let read = tray.spread && tray.pieces.iter().any(|p| matches!(p.face, Face::Card(_)));
    match tray.pieces.len() {
        _ if read => 128.0,
        25.. => 46.0,
        _ if tray.room == Room::Large => 88.0,
        _ => 62.0,
    }
}

/// The pieces of a tray in rows, by their centres, and how high they are together.
fn tray_rows(tray: &Tray, w: f64) -> (Vec<(f64, f64)>, f64) {
    if tray.pieces.is_empty() {
        return (Vec::new(), 0.0);
    }
    let side = piece_side(tray);
    let has = |cut: Cut| tray.pieces.iter().any(|p| cut_in_tray(p) == cut);
    let high = match (has(Cut::Card), has(Cut::Stand)) {
        (true, _) => side * CARD,
        (false, true) => side * 1.24,
        (false, false) => side,
    };
    let step = side * 1.18;
    let columns = (((w - 2.0 * PAD + side * 0.18) / step) as usize).max(1);
    let rows = tray.pieces.len().div_ceil(columns);
    let places = (0..tray.pieces.len())
        .map(|i| {
            let (column, row) = ((i % columns) as f64, (i / columns) as f64);
            (column * step + side / 2.0, row * high * 1.12 + high / 2.0)
        })
        .collect();
    (places, rows as f64 * high * 1.12)
}

fn note_lines(tray: &Tray, w: f64) -> Vec<String> {
    wrap(&tray.note, (w - 2.0 * PAD) / 15.0, 6)
}

fn tray_height(tray: &Tray, w: f64) -> f64 {
    PAD * 2.0 + 30.0 + tray_rows(tray, w).1 + note_lines(tray, w).len() as f64 * 20.0
}

fn draw_tray(svg: &mut Svg, look: &Look<'_>, tray: &Tray, highlights: &Highlights, place: Area) {
    svg.tag("g")
        .put("id", &tray.id)
        .put("data-id", &tray.id)
        .put("class", if highlights.is_open(&tray.id) { "tray open" } else { "tray" })
        .put("role", "group")
        .put("aria-label", &tray.name)
        .open();
    panel(svg, look, &place);
    let mut x = place.x + PAD;
    if let Some(owner) = tray.owner {
        shield(svg, look, owner, (x + 9.0, place.y + PAD + 7.0), 8.5);
        x += 26.0;
    }
    let set = lettering::fit(&tray.name, place.right() - PAD - x, 1, 18.0, 11.0);
    for line in &set.lines {
        write(svg, "name", line, (x, place.y + PAD + 13.0), set.size, look.ink, true);
    }
    let top = place.y + PAD + 34.0;
    let (places, high) = tray_rows(tray, place.w);
    for (piece, (px, py)) in tray.pieces.iter().zip(places) {
        let pose = Pose {
            cut: cut_in_tray(piece),
            detail: if piece_side(tray) > 70.0 { Detail::Full } else { Detail::Middle },
            second: None,
            turned: None,
            at: (place.x + PAD + px, top + py),
            side: piece_side(tray),
            open: highlights.is_open(&piece.id),
            tabbed: false,
            warned: highlights.is_warned(&piece.id),
        };
        block::draw(svg, look, piece, pose);
    }
    for (i, line) in note_lines(tray, place.w).iter().enumerate() {
        write(
            svg,
            "note",
            line,
            (place.x + PAD, top + high + 14.0 + 20.0 * i as f64),
            15.0,
            look.faint,
            false,
        );
    }
    svg.close("g");
}

/// The boxes of a track in rows: where each lies under the heading, and how high they are together.
fn track_boxes(track: &Track, w: f64) -> (Vec<Area>, f64) {
    let room = w - 2.0 * PAD;
    let here = |i: usize| track.markers.iter().filter(move |m| m.at == i);
    let wide = |i: usize| {
        let label = width(&track.boxes[i]) * 15.0 + 14.0;
        let markers = here(i).map(|m| width(&m.name) * 13.0 + 34.0).fold(0.0, f64::max);
        label.max(markers).max(32.0).min(room)
    };
    let mut boxes: Vec<Area> = Vec::new();
    let (mut x, mut y, mut row) = (0.0, 0.0, 0);
    for i in 0..track.boxes.len() {
        let w = wide(i);
        if x + w > room && x > 0.0 {
            y += level(track, row..i, &mut boxes) + 4.0;
            (x, row) = (0.0, i);
        }
        boxes.push(Area { x, y, w, h: 0.0 });
        x += w + 4.0;
    }
    let last = level(track, row..track.boxes.len(), &mut boxes);
    (boxes, y + last)
}

/// Gives the boxes of a row the same height: that of the fullest.
fn level(track: &Track, row: std::ops::Range<usize>, boxes: &mut [Area]) -> f64 {
    let fullest = row.clone().map(|i| track.markers.iter().filter(|m| m.at == i).count()).max().unwrap_or(0);
    let h = 26.0 + 21.0 * fullest as f64 + if fullest > 0 { 3.0 } else { 0.0 };
    for place in &mut boxes[row] {
        place.h = h;
    }
    h
}

fn track_height(track: &Track, w: f64) -> f64 {
    PAD * 2.0 + 22.0 + track_boxes(track, w).1
}

fn draw_track(svg: &mut Svg, look: &Look<'_>, track: &Track, place: Area) {
    let (boxes, _) = track_boxes(track, place.w);
    svg.tag("g")
        .put("id", &track.id)
        .put("data-id", &track.id)
        .put("class", "track")
        .put("role", "group")
        .put("aria-label", &track.name)
        .open();
    panel(svg, look, &place);
    let set = lettering::fit(&track.name, place.w - 2.0 * PAD, 1, 18.0, 11.0);
    for line in &set.lines {
        write(svg, "name", line, (place.x + PAD, place.y + PAD + 13.0), set.size, look.ink, true);
    }
    for (i, (label, cell)) in track.boxes.iter().zip(boxes).enumerate() {
        let cell = cell.moved(place.x + PAD, place.y + PAD + 24.0);
        let here: Vec<_> = track.markers.iter().filter(|m| m.at == i).collect();
        let fill =
            if here.is_empty() { look.panel.mixed(look.table, 45) } else { look.inside.mixed(look.gold, 16) };
        svg.tag("rect")
            .put("class", "box")
            .nums([("x", cell.x), ("y", cell.y), ("width", cell.w), ("height", cell.h), ("rx", 4.0)])
            .put("fill", fill)
            .put("stroke", if here.is_empty() { look.faint } else { look.gold })
            .num("stroke-opacity", if here.is_empty() { 0.4 } else { 1.0 })
            .end();
        let set = lettering::fit(label, cell.w - 8.0, 1, 15.0, 9.0);
        for line in &set.lines {
            let x = cell.x + (cell.w - width(line) * set.size) / 2.0;
            write(svg, "label", line, (x, cell.y + 18.0), set.size, look.ink, !here.is_empty());
        }
        for (j, marker) in here.iter().enumerate() {
            let y = cell.y + 36.0 + 21.0 * j as f64;
            match marker.owner {
                Some(owner) => shield(svg, look, owner, (cell.x + 14.0, y - 1.0), 7.5),
                None => crate::look::star(svg, look, (cell.x + 14.0, y - 1.0), 7.0),
            }
            let name = lettering::shortened(&marker.name, (cell.w - 30.0) / 13.0);
            write(svg, "marker", &name, (cell.x + 26.0, y + 4.0), 13.0, look.ink, false);
        }
    }
    svg.close("g");
}

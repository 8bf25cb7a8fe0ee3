//! The text twin of a scene: for the terminal, the log, the tests.

use std::fmt::Write as _;

use super::{
    Aid, Board, Card, Face, Front, Ground, Manner, Piece, Register, Scene, Space, Sum, Throw, Track, Tray,
    TurnState,
};
use crate::seat::Seat;

fn seat_name(seats: &[String], seat: Option<Seat>) -> &str {
    seat.and_then(|s| seats.get(s.index())).map_or("", String::as_str)
}

impl Scene {
    /// The scene in words and signs. `seats` are the names of the seats.
    pub fn to_text(&self, seats: &[String]) -> String {
        let mut out = String::new();
        if !self.title.is_empty() {
            let _ = writeln!(out, "== {} ==", self.title);
        }
        for board in &self.boards {
            board.write_text(seats, &mut out);
        }
        for track in self.tracks.iter().filter(|t| t.foremost) {
            track.write_text(&mut out);
        }
        if let Some(register) = &self.register {
            register.write_text(seats, &mut out);
        }
        for track in self.tracks.iter().filter(|t| !t.foremost) {
            track.write_text(&mut out);
        }
        for tray in &self.trays {
            tray.write_text(seats, &mut out);
        }
        for sum in &self.sums {
            sum.write_text(&mut out);
        }
        for throw in &self.throws {
            throw.write_text(&mut out);
        }
        for warning in &self.warnings {
            let _ = writeln!(out, "! {} [{}]", warning.text, warning.rule);
        }
        if let Some(prompt) = &self.prompt {
            let window = if prompt.window { "(asked of everybody) " } else { "" };
            let _ = writeln!(out, "> {window}{} [{}]", prompt.text, prompt.rule);
            if !prompt.advice.is_empty() {
                let _ = writeln!(out, "  {}", prompt.advice);
            }
        }
        out
    }

    /// The game's own tables in words, for whoever asks for them.
    pub fn aids_to_text(&self) -> String {
        let mut out = String::new();
        for aid in &self.aids {
            aid.write_text(&mut out);
        }
        out
    }
}

impl Board {
    fn write_text(&self, seats: &[String], out: &mut String) {
        if !self.name.is_empty() {
            let _ = writeln!(out, "-- {} --", self.name);
        }
        if let Ground::Cells { columns, rows } = self.ground {
            self.write_grid(columns, rows, out);
        } else {
            self.write_spaces(seats, out);
        }
        if !self.terrains.is_empty() {
            let kinds = self.terrains.iter().map(|t| match t.note.as_str() {
                "" => t.name.clone(),
                note => format!("{} ({note})", t.name),
            });
            let _ = writeln!(out, "terrain: {}", kinds.collect::<Vec<_>>().join(", "));
        }
        if !self.order.is_empty() {
            let turns = self.order.iter().map(|turn| {
                let said = format!("{} {}", turn.label, seat_name(seats, turn.owner)).trim().to_string();
                match turn.state {
                    TurnState::ToCome => said,
                    TurnState::Now => format!("»{said}"),
                    TurnState::Done => format!("({said})"),
                }
            });
            let _ = writeln!(out, "order: {}", turns.collect::<Vec<_>>().join(", "));
        }
        self.write_ways(seats, out);
    }

    fn write_spaces(&self, seats: &[String], out: &mut String) {
        let mut here: std::collections::BTreeMap<&str, Vec<&Piece>> = std::collections::BTreeMap::new();
        for piece in &self.pieces {
            here.entry(&piece.space).or_default().push(piece);
        }
        // A bare hexagon is worth a line only if something stands there.
        let told: Vec<&Space> =
            self.spaces.iter().filter(|s| !s.is_bare() || here.contains_key(s.id.as_str())).collect();
        let mut regions: Vec<&str> = Vec::new();
        for space in &told {
            if !regions.contains(&space.region.as_str()) {
                regions.push(&space.region);
            }
        }
        let width = told
            .iter()
            .filter(|s| here.contains_key(s.id.as_str()))
            .map(|s| self.heading(s, seats).chars().count())
            .max()
            .unwrap_or(0);
        for region in regions {
            if !region.is_empty() {
                let _ = writeln!(out, "{region}");
            }
            let mut empty = Vec::new();
            for space in told.iter().filter(|s| s.region == region) {
                let heading = self.heading(space, seats);
                match here.get(space.id.as_str()) {
                    None if space.name.is_empty() => {}
                    None => empty.push(heading),
                    Some(pieces) => {
                        let pieces = gather(pieces.iter().copied(), seats, Some(self));
                        let _ = writeln!(out, "  {heading:width$}  {}", pieces.join(", "));
                    }
                }
            }
            if !empty.is_empty() {
                let _ = writeln!(out, "  empty: {}", empty.join(", "));
            }
        }
    }

    fn name_of<'a>(&'a self, id: &'a str) -> &'a str {
        self.space(id).map(|s| s.name.as_str()).filter(|n| !n.is_empty()).unwrap_or(id)
    }

    fn heading(&self, space: &Space, seats: &[String]) -> String {
        let mut text = self.name_of(&space.id).to_string();
        if space.prize {
            text.push('*');
        }
        if space.lit {
            text.insert(0, '»');
        }
        let mut notes = space.notes();
        if let Some(terrain) = space.terrain.and_then(|t| self.terrains.get(usize::from(t))) {
            notes.push(terrain.name.clone());
        }
        notes.push(seat_name(seats, space.holder).to_string());
        if let Some(siege) = space.siege {
            notes.push(format!("besieged by {}", seat_name(seats, Some(siege))).trim().to_string());
        }
        notes.retain(|note| !note.is_empty());
        if !notes.is_empty() {
            let _ = write!(text, " ({})", notes.join(", "));
        }
        text
    }

    fn write_ways(&self, seats: &[String], out: &mut String) {
        let moved = self.traces.iter().map(|t| {
            let manner = match t.manner {
                Manner::March => "",
                Manner::Sea => " by sea",
                Manner::Retreat => " in retreat",
            };
            let owner = seat_name(seats, t.owner);
            let (from, to) = (self.name_of(&t.from), self.name_of(&t.to));
            let who = format!("{} {owner}", t.count);
            format!("{} {from} to {to}{manner}", who.trim())
        });
        let fell = self.falls.iter().map(|f| {
            let who = format!("{} {}", f.count, seat_name(seats, f.owner));
            format!("{} at {}", who.trim(), self.name_of(&f.space))
        });
        for (what, list) in [("moved", moved.collect::<Vec<_>>()), ("fell", fell.collect())] {
            if !list.is_empty() {
                let _ = writeln!(out, "{what}: {}", list.join(", "));
            }
        }
        for ring in &self.rings {
            let owner = seat_name(seats, ring.owner);
            let _ = writeln!(out, "ring: {owner}{}{}", if owner.is_empty() { "" } else { ", " }, ring.name);
        }
        for plan in &self.plans {
            let steps = plan.steps.iter().enumerate().map(|(i, step)| {
                let mut text =
                    format!("{} {} to {}", i + 1, self.name_of(&step.from), self.name_of(&step.to));
                if !step.cost.is_empty() {
                    let _ = write!(text, " ({})", step.cost);
                }
                text + if step.danger { " ×" } else { "" }
            });
            let _ = writeln!(out, "planned: {}", steps.collect::<Vec<_>>().join(", "));
        }
        for reach in self.reach.iter().filter(|r| r.shown) {
            let name = |id: &String| {
                let piece = self.pieces.iter().find(|p| p.id == *id);
                piece.and_then(|p| p.face.full_name()).unwrap_or_else(|| id.clone())
            };
            let pieces: Vec<_> = reach.pieces.iter().map(name).collect();
            let places = reach.spaces.iter().map(|r| {
                let danger = if r.is_danger() { " ×" } else { "" };
                let end = if r.ends { " (the end)" } else { "" };
                format!("{} {}{danger}{end}", self.name_of(&r.space), r.cost)
            });
            let places: Vec<_> = places.collect();
            let _ = writeln!(out, "reach of {}: {}", pieces.join(", "), places.join(", "));
        }
    }

    fn write_grid(&self, columns: u8, rows: u8, out: &mut String) {
        let cell = |column: u8, row: u8| {
            self.spaces.iter().find(|s| {
                s.x * i32::from(columns) / self.width.max(1) == i32::from(column)
                    && s.y * i32::from(rows) / self.height.max(1) == i32::from(row)
            })
        };
        let label = |column, row| {
            cell(column, row).map_or(String::new(), |s| match self.on(&s.id).next() {
                Some(piece) => short(piece, None),
                None => s.name.clone(),
            })
        };
        let width = (0..rows)
            .flat_map(|r| (0..columns).map(move |c| (c, r)))
            .map(|(c, r)| label(c, r).chars().count())
            .max()
            .unwrap_or(1)
            .max(1);
        for row in 0..rows {
            let cells: Vec<_> = (0..columns).map(|c| format!(" {:^width$} ", label(c, row))).collect();
            let _ = writeln!(out, "  {}", cells.join("|").trim_end());
            if row + 1 < rows {
                let _ = writeln!(out, "  {}", vec!["-".repeat(width + 2); columns.into()].join("+"));
            }
        }
    }
}

/// Pieces as words; hidden ones of one owner are counted, since nothing tells them apart.
fn gather<'a>(
    pieces: impl Iterator<Item = &'a Piece>,
    seats: &[String],
    board: Option<&Board>,
) -> Vec<String> {
    let mut words: Vec<(String, u32, bool)> = Vec::new();
    for piece in pieces {
        let hidden = piece.face == Face::Hidden && piece.facing.is_none();
        let word = if piece.face == Face::Hidden {
            let owner = seat_name(seats, piece.owner);
            format!("{owner} hidden{}", stance(piece, board)).trim().to_string()
        } else {
            short(piece, board)
        };
        let count = 1 + u32::from(piece.more);
        match words.iter_mut().find(|(w, _, h)| *w == word && *h == hidden) {
            Some((_, all, true)) => *all += count,
            _ => words.push((word, count, hidden)),
        }
    }
    words.into_iter().map(|(word, n, _)| if n == 1 { word } else { format!("{n} {word}") }).collect()
}

/// Where a piece looks, and what it covers.
fn stance(piece: &Piece, board: Option<&Board>) -> String {
    let mut text = String::new();
    if let Some(covered) = &piece.covers {
        let name = board.map_or(covered.as_str(), |b| b.name_of(covered));
        let _ = write!(text, " over {name}");
    }
    if let Some(facing) = piece.facing {
        let _ = write!(text, " facing {facing}");
    }
    text
}

fn short(piece: &Piece, board: Option<&Board>) -> String {
    match &piece.face {
        Face::Hidden => "?".to_string(),
        Face::Suspected { name, .. } => format!("{name}?{}", stance(piece, board)),
        Face::Card(card) => card.short(),
        Face::Shown(front) => front.short(&stance(piece, board)),
    }
}

impl Front {
    fn short(&self, stance: &str) -> String {
        let mut text = self.full_name();
        for extra in [&self.left, &self.right] {
            if !extra.is_empty() {
                text.push(' ');
                text.push_str(extra);
            }
        }
        if self.pips.1 > 0 {
            let _ = write!(text, " {}/{}", self.pips.0, self.pips.1);
        }
        if self.hit > 0 {
            let _ = write!(text, " (-{})", self.hit);
        }
        if self.wounded {
            text.push_str(" wounded");
        }
        text.push_str(stance);
        if self.lit {
            text.insert(0, '»');
        }
        if self.spent {
            text.push('·');
        }
        text
    }
}

impl Card {
    fn short(&self) -> String {
        let mut text = match (self.title.as_str(), self.value.as_str()) {
            ("", value) => value.to_string(),
            (title, "") => title.to_string(),
            (title, value) if title.contains(value) => title.to_string(),
            (title, value) => format!("{title} {value}"),
        };
        if self.lit {
            text.insert(0, '»');
        }
        if self.spent {
            text.push('·');
        }
        text
    }

    /// All that stands on it, after its title.
    fn whole(&self) -> String {
        let mut text = self.short();
        let tone = self.tone.word();
        let corner = if self.corner == self.value { "" } else { self.corner.as_str() };
        let notes: Vec<_> = [tone, corner].into_iter().filter(|t| !t.is_empty()).collect();
        if !notes.is_empty() {
            let _ = write!(text, " ({})", notes.join(", "));
        }
        for (mark, part) in [(": ", &self.text), (" / ", &self.foot)] {
            if !part.is_empty() {
                let _ = write!(text, "{mark}{part}");
            }
        }
        for used in &self.uses {
            let sign = if used.open { '+' } else { '-' };
            let note = if used.note.is_empty() { String::new() } else { format!(": {}", used.note) };
            let _ = write!(text, "\n      {sign} {}{note}", used.name);
        }
        text
    }
}

impl Tray {
    fn write_text(&self, seats: &[String], out: &mut String) {
        if self.spread && self.pieces.iter().any(|p| matches!(p.face, Face::Card(_))) {
            return self.write_spread(seats, out);
        }
        let pieces = gather(self.pieces.iter(), seats, None).join(", ");
        let _ = match (pieces.as_str(), self.note.as_str()) {
            ("", "") => writeln!(out, "{}: nothing", self.name),
            ("", note) => writeln!(out, "{}: {note}", self.name),
            (pieces, "") => writeln!(out, "{}: {pieces}", self.name),
            (pieces, note) => writeln!(out, "{}: {pieces} ({note})", self.name),
        };
    }

    /// Cards one below the other, alike ones together.
    fn write_spread(&self, seats: &[String], out: &mut String) {
        let note = if self.note.is_empty() { String::new() } else { format!(" ({})", self.note) };
        let _ = writeln!(out, "{}:{note}", self.name);
        let mut lines: Vec<(String, u32)> = Vec::new();
        for piece in &self.pieces {
            let line = match &piece.face {
                Face::Card(card) => card.whole(),
                _ => gather(std::iter::once(piece), seats, None).join(""),
            };
            match lines.iter_mut().find(|(l, _)| *l == line) {
                Some((_, count)) => *count += 1 + u32::from(piece.more),
                None => lines.push((line, 1 + u32::from(piece.more))),
            }
        }
        for (line, count) in lines {
            let count = if count == 1 { String::new() } else { format!("{count} × ") };
            let _ = writeln!(out, "    {count}{line}");
        }
    }
}

impl Track {
    fn write_text(&self, out: &mut String) {
        let note = if self.note.is_empty() { String::new() } else { format!(" ({})", self.note) };
        let _ = write!(out, "{}{note}:", self.name);
        for (at, name) in self.boxes.iter().enumerate() {
            let goal = if self.goals.contains(&at) { "*" } else { "" };
            let here: Vec<_> = self.markers.iter().filter(|m| m.at == at).map(|m| m.name.as_str()).collect();
            if here.is_empty() {
                let _ = write!(out, " {name}{goal}");
            } else {
                let _ = write!(out, " [{name}{goal}: {}]", here.join(", "));
            }
        }
        out.push('\n');
    }
}

/// Rows of cells below each other, each column as wide as its widest; the first to the left, others right.
fn write_table(rows: &[Vec<String>], out: &mut String) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..columns).map(wide).collect();
    for row in rows {
        let mut line = String::from(" ");
        for (i, cell) in row.iter().enumerate() {
            let width = widths[i];
            let _ = if i == 0 { write!(line, " {cell:<width$}") } else { write!(line, "  {cell:>width$}") };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

impl Register {
    fn write_text(&self, seats: &[String], out: &mut String) {
        let mut rows = vec![std::iter::once(self.name.clone()).chain(self.columns.clone()).collect()];
        for row in &self.rows {
            let mut name = seat_name(seats, Some(row.seat)).to_string();
            if !row.note.is_empty() {
                let _ = write!(name, " ({})", row.note);
            }
            let cells = row.cells.iter().map(|cell| match (cell.best, cell.warned) {
                (_, true) => format!("! {}", cell.text),
                (true, false) => format!("{}*", cell.text),
                (false, false) => cell.text.clone(),
            });
            rows.push(std::iter::once(name).chain(cells).collect());
        }
        write_table(&rows, out);
    }
}

impl Sum {
    fn write_text(&self, out: &mut String) {
        let note = if self.note.is_empty() { String::new() } else { format!(" ({})", self.note) };
        let _ = writeln!(out, "{}: {}{note}", self.name, self.total);
        let width = self.lines.iter().map(|l| l.amount.chars().count()).max().unwrap_or(0);
        for line in &self.lines {
            let rule = line.rule.map_or(String::new(), |r| format!(" [{r}]"));
            let sign = if line.total { "= " } else { "" };
            let _ = writeln!(out, "    {:>width$}  {sign}{}{rule}", line.amount, line.text);
        }
    }
}

impl Throw {
    fn write_text(&self, out: &mut String) {
        let dice = self.dice.iter().map(|die| match die.hit {
            Some(true) => format!("[{}]", die.result),
            _ => die.result.to_string(),
        });
        let mut text = format!("{}: {}", self.name, dice.collect::<Vec<_>>().join(" "));
        if !self.result.is_empty() {
            let _ = write!(text, ", {}", self.result);
        }
        if !self.note.is_empty() {
            let _ = write!(text, " ({})", self.note);
        }
        let _ = writeln!(out, "{text}");
    }
}

impl Aid {
    fn write_text(&self, out: &mut String) {
        let rule = self.rule.map_or(String::new(), |r| format!(" [{r}]"));
        let _ = writeln!(out, "-- {}{rule} --", self.name);
        if !self.note.is_empty() {
            let _ = writeln!(out, "{}", self.note);
        }
        let mut rows = vec![self.columns.clone()];
        for row in &self.rows {
            let mut cells = row.cells.clone();
            if let Some(first) = cells.first_mut().filter(|_| row.lit) {
                first.insert(0, '»');
            }
            rows.push(cells);
        }
        write_table(&rows, out);
    }
}

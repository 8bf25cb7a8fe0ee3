//! The text twin of a scene: for the terminal, the log, the tests.

use std::fmt::Write as _;

use super::{Board, Face, Ground, Piece, Scene, Tray};

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
        for track in &self.tracks {
            let _ = write!(out, "{}:", track.name);
            for (at, name) in track.boxes.iter().enumerate() {
                let here: Vec<_> =
                    track.markers.iter().filter(|m| m.at == at).map(|m| m.name.as_str()).collect();
                if here.is_empty() {
                    let _ = write!(out, " {name}");
                } else {
                    let _ = write!(out, " [{name}: {}]", here.join(", "));
                }
            }
            out.push('\n');
        }
        for tray in &self.trays {
            tray.write_text(seats, &mut out);
        }
        for warning in &self.warnings {
            let _ = writeln!(out, "! {} [{}]", warning.text, warning.rule);
        }
        if let Some(prompt) = &self.prompt {
            let _ = writeln!(out, "> {} [{}]", prompt.text, prompt.rule);
        }
        out
    }
}

impl Board {
    fn on<'a>(&'a self, space: &'a str) -> impl Iterator<Item = &'a Piece> {
        self.pieces.iter().filter(move |p| p.space == space)
    }

    fn write_text(&self, seats: &[String], out: &mut String) {
        if !self.name.is_empty() {
            let _ = writeln!(out, "-- {} --", self.name);
        }
        if let Ground::Cells { columns, rows } = self.ground {
            return self.write_grid(columns, rows, out);
        }
        let mut regions: Vec<&str> = Vec::new();
        for space in &self.spaces {
            if !regions.contains(&space.region.as_str()) {
                regions.push(&space.region);
            }
        }
        let width = self
            .spaces
            .iter()
            .filter(|s| self.on(&s.id).next().is_some())
            .map(|s| heading(s, seats).chars().count())
            .max()
            .unwrap_or(0);
        for region in regions {
            if !region.is_empty() {
                let _ = writeln!(out, "{region}");
            }
            let mut empty = Vec::new();
            for space in self.spaces.iter().filter(|s| s.region == region) {
                let pieces = gather(self.on(&space.id), seats);
                if pieces.is_empty() {
                    empty.push(heading(space, seats));
                } else {
                    let _ = writeln!(out, "  {:width$}  {}", heading(space, seats), pieces.join(", "));
                }
            }
            if !empty.is_empty() {
                let _ = writeln!(out, "  empty: {}", empty.join(", "));
            }
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
                Some(piece) => short(piece),
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

fn heading(space: &super::Space, seats: &[String]) -> String {
    let mut text = space.name.clone();
    if space.prize {
        text.push('*');
    }
    let holder = space.holder.and_then(|s| seats.get(s.index())).map_or("", String::as_str);
    let notes: Vec<_> = [space.badge.as_str(), holder].into_iter().filter(|t| !t.is_empty()).collect();
    if !notes.is_empty() {
        let _ = write!(text, " ({})", notes.join(", "));
    }
    text
}

/// Pieces as words; hidden ones of one owner are counted, since nothing tells them apart.
fn gather<'a>(pieces: impl Iterator<Item = &'a Piece>, seats: &[String]) -> Vec<String> {
    let mut words: Vec<(String, usize)> = Vec::new();
    for piece in pieces {
        let word = match &piece.face {
            Face::Hidden => {
                let owner = piece.owner.and_then(|s| seats.get(s.index())).map_or("", String::as_str);
                format!("{owner} hidden").trim().to_string()
            }
            Face::Shown { .. } => short(piece),
        };
        match words.iter_mut().find(|(w, _)| *w == word) {
            Some((_, count)) if piece.face == Face::Hidden => *count += 1,
            _ => words.push((word, 1)),
        }
    }
    words.into_iter().map(|(word, n)| if n == 1 { word } else { format!("{n} {word}") }).collect()
}

fn short(piece: &Piece) -> String {
    match &piece.face {
        Face::Hidden => "?".to_string(),
        Face::Shown { name, left, right, pips, lit, spent } => {
            let mut text = name.clone();
            for extra in [left, right] {
                if !extra.is_empty() {
                    text.push(' ');
                    text.push_str(extra);
                }
            }
            if pips.1 > 0 {
                let _ = write!(text, " {}/{}", pips.0, pips.1);
            }
            if *lit {
                text.insert(0, '»');
            }
            if *spent {
                text.push('·');
            }
            text
        }
    }
}

impl Tray {
    fn write_text(&self, seats: &[String], out: &mut String) {
        let pieces = gather(self.pieces.iter(), seats).join(", ");
        let _ = match (pieces.as_str(), self.note.as_str()) {
            ("", "") => writeln!(out, "{}: nothing", self.name),
            ("", note) => writeln!(out, "{}: {note}", self.name),
            (pieces, "") => writeln!(out, "{}: {pieces}", self.name),
            (pieces, note) => writeln!(out, "{}: {pieces} ({note})", self.name),
        };
    }
}

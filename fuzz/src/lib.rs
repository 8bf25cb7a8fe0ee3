//! What the fuzz targets share: every game, and texts that are right but for one place. Arbitrary bytes alone
//! hardly ever get past the first line of a reader.

use std::sync::LazyLock;

use table::{AnyGame, DataFiles, GameEntry, small};

/// Every game, with its own data.
pub static ENTRIES: LazyLock<Vec<GameEntry>> = LazyLock::new(|| {
    let large = [
        crusader_rex::ENTRY,
        first_crusade::ENTRY,
        kingdom_of_heaven::ENTRY,
        third_crusade::ENTRY,
        croisades::skirmish::ENTRY,
        four_keeps::ENTRY,
    ];
    large.into_iter().chain(small::ALL).collect()
});

/// Every game, opened once.
pub static GAMES: LazyLock<Vec<Box<dyn AnyGame>>> = LazyLock::new(|| {
    let open = |e: &GameEntry| (e.open)(&DataFiles::built_in(e.files)).expect("the game's own data");
    ENTRIES.iter().map(open).collect()
});

/// One of several things.
pub fn one_of<T>(all: &[T], which: impl Into<usize>) -> &T {
    &all[which.into() % all.len()]
}

/// A text with one of its lines replaced.
pub fn with_line(text: &str, which: u16, line: &str) -> String {
    let mut lines: Vec<_> = text.lines().collect();
    if lines.is_empty() {
        return line.to_string();
    }
    let which = usize::from(which) % lines.len();
    lines[which] = line;
    lines.join("\n") + "\n"
}

/// A text with one of its numbers replaced.
pub fn with_number(text: &str, which: u16, number: i64) -> String {
    let digit = |c: char| c.is_ascii_digit();
    let starts: Vec<_> =
        text.char_indices().filter(|(i, c)| digit(*c) && !text[..*i].ends_with(digit)).map(|(i, _)| i).collect();
    if starts.is_empty() {
        return text.to_string();
    }
    let start = starts[usize::from(which) % starts.len()];
    let end = text[start..].find(|c| !digit(c)).map_or(text.len(), |n| start + n);
    format!("{}{number}{}", &text[..start], &text[end..])
}

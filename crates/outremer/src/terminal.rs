//! How things look in the terminal: bold words, paragraphs, numbers, progress.

use std::fmt::Arguments;
use std::io::{ErrorKind, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use table::{Line, Outcome, Tone};

/// The code of a program that ended because nobody read what it printed, as the system itself gives it.
pub(crate) const BROKEN_PIPE: u8 = 141;

/// Prints. When nobody reads any more, the program has nothing left to do.
pub(crate) fn put(words: Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    match out.write_fmt(words) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(BROKEN_PIPE.into()),
        Err(error) => {
            // A full disk behind a redirection, perhaps: what is printed is lost, and its reader must know.
            let _ = writeln!(std::io::stderr(), "error: cannot print: {error}");
            std::process::exit(1);
        }
        Ok(()) => {}
    }
}

/// Whether an error only says that nobody reads what is printed.
pub(crate) fn nobody_reads(error: &anyhow::Error) -> bool {
    let broken = |e: &std::io::Error| e.kind() == ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(broken))
}

/// Whether colours and bold letters are wanted.
fn fancy() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Sets letters in a style, where the terminal knows it.
fn styled(code: &str, text: &str) -> String {
    if fancy() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
}

/// Bold letters.
pub(crate) fn bold(text: &str) -> String {
    styled("1", text)
}

/// Faint letters.
pub(crate) fn faint(text: &str) -> String {
    styled("2", text)
}

/// How many columns there are.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size().map_or(100, |(w, _)| usize::from(w.0)).clamp(40, 160)
}

/// Forgets what is on the screen, where there is one.
pub(crate) fn clear() {
    if fancy() {
        print!("\u{1b}[2J\u{1b}[3J\u{1b}[H");
    }
}

/// Prints a text behind a lead, broken between words, with the following lines under the first word.
pub(crate) fn paragraph(lead: &str, text: &str) {
    let indent = lead.chars().count() + 1;
    let room = width().saturating_sub(indent).max(20);
    let mut line = String::new();
    let mut lead = lead.to_string();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > room {
            println!("{lead} {line}");
            lead = " ".repeat(indent - 1);
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    println!("{lead} {line}");
}

/// A line broken to this width; what follows hangs under the second column of a table, or a little further in
/// than the line begins. Lists are broken between their members, if they can be.
fn folded(line: &str, width: usize) -> String {
    let signs: Vec<char> = line.chars().collect();
    let lead = signs.iter().take_while(|c| **c == ' ').count();
    let column = signs[lead..].windows(3).position(|w| w[0] != ' ' && w[1] == ' ' && w[2] == ' ');
    let column =
        column.map(|at| lead + at + 1 + signs[lead + at + 1..].iter().take_while(|c| **c == ' ').count());
    let hang = column.filter(|at| *at * 2 < width).unwrap_or(lead + 4);
    let (mut out, mut rest) = (String::new(), signs.as_slice());
    let mut room = width;
    while rest.len() > room {
        let spaces = || (1..=room).rev().filter(|at| rest[*at] == ' ' && (*at > lead || !out.is_empty()));
        let within = |at: usize| {
            let count = |sign| rest[..at].iter().filter(|c| **c == sign).count();
            count('(') > count(')')
        };
        let list = spaces().find(|at| matches!(rest[at - 1], ',' | ';') && !within(*at));
        let list = list.filter(|at| *at * 3 > room * 2);
        let Some(at) = list.or_else(|| spaces().next()).filter(|at| *at > 0) else { break };
        out.extend(&rest[..at]);
        out.push('\n');
        out.push_str(&" ".repeat(hang));
        rest = &rest[at + 1..];
        room = width.saturating_sub(hang).max(20);
    }
    out.extend(rest);
    out
}

/// Prints a text of many lines, each set in by so much and none broader than the terminal.
pub(crate) fn show(text: &str, indent: usize) {
    let lead = " ".repeat(indent);
    for line in text.lines() {
        println!("{}", folded(&format!("{lead}{line}"), width()).trim_end());
    }
}

/// Prints a sentence, with a capital.
pub(crate) fn say(text: impl std::fmt::Display) {
    println!("{}", folded(&sentence(&text.to_string()), width()));
}

/// A text with a capital.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// `1 click`, `2 clicks`.
pub(crate) fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(n as f64), if n == 1 { "" } else { "s" })
}

/// `1 entry`, `2 entries`.
pub(crate) fn entries(n: u32) -> String {
    if n == 1 { "1 entry".into() } else { format!("{n} entries") }
}

/// A line of the journal.
pub(crate) fn journal_line(line: &Line) {
    match (line.tone, line.rule) {
        (Tone::Heading, _) => println!("{}", bold(&sentence(&line.text))),
        (_, rule) => {
            let rule = rule.map(|r| format!(" [{r}]")).unwrap_or_default();
            let text = folded(&format!("  {}{rule}", sentence(&line.text)), width());
            // The rule is set in faint letters, wherever its line was broken.
            let text = text.strip_suffix(&rule).map(|t| format!("{t}{}", faint(&rule))).unwrap_or(text);
            println!("{text}");
        }
    }
}

/// How a game ended: who won, by which rule, and why.
pub(crate) fn ending(outcome: &Outcome, reason: &str) {
    println!("{} [{}]", bold(&sentence(outcome.headline)), outcome.rule);
    if !reason.is_empty() {
        say(reason);
    }
}

/// A number with its thousands set apart.
pub(crate) fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A progress bar on standard error, where somebody is looking.
pub(crate) fn progress(length: u64, wanted: bool) -> ProgressBar {
    let target = if wanted && std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    match ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {per_sec}, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::{counted, folded};

    #[test]
    fn long_lines_are_folded_under_their_column() {
        let row = "  Acre (port)  King Guy, strong 4/4, Raymond of Tripoli 3/4, Jerusalem Templars 3/3";
        let folded_row = folded(row, 48);
        let lines: Vec<_> = folded_row.lines().collect();
        assert_eq!(lines[0], "  Acre (port)  King Guy, strong 4/4,");
        assert_eq!(lines[1], "               Raymond of Tripoli 3/4,");
        let towns = folded("  empty: Amman (1, Frank), Jerusalem (3, Frank), Kerak", 36);
        assert_eq!(towns, "  empty: Amman (1, Frank),\n      Jerusalem (3, Frank), Kerak");
        assert!(folded_row.lines().all(|line| line.chars().count() <= 48), "{folded_row}");
        assert_eq!(folded("> Red moves a group", 40), "> Red moves a group");
        let endless = "x".repeat(90);
        assert_eq!(folded(&endless, 40), endless, "a word is not broken");
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!([counted(1, "click"), counted(2000, "click")], ["1 click", "2,000 clicks"]);
    }
}

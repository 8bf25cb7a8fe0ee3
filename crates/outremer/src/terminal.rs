//! How things look in the terminal: bold words, paragraphs, numbers, progress.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use table::{Line, Tone};

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

/// A text with every line set in.
pub(crate) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// A line of the journal.
pub(crate) fn journal_line(line: &Line) {
    match (line.tone, line.rule) {
        (Tone::Heading, _) => println!("{}", bold(&line.text)),
        (_, Some(rule)) => println!("  {} {}", line.text, faint(&format!("[{rule}]"))),
        (_, None) => println!("  {}", line.text),
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

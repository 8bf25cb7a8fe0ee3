//! The rules of a game, each with its gist, how doubtful places are read, and vignettes that show it.

use maud::{Markup, PreEscaped, html};
use picture::{Highlights, Press};
use table::{AnyGame, Title, Vignette};

use super::Theme;
use crate::fault::Fault;
use crate::sources::Sources;
use crate::store::PersonRow;

/// The vignettes of a game: their numbers, rules and titles.
fn vignettes(title: &Title) -> Vec<(usize, Vec<String>, String)> {
    let read = |(i, (file, text)): (usize, &(String, String))| {
        let vignette = Vignette::read(file, text).ok()?;
        Some((i, vignette.rules().map(String::from).collect(), vignette.title))
    };
    title.vignettes.iter().enumerate().filter_map(read).collect()
}

/// The list of rules, without a page around it.
pub(crate) fn list(title: &Title, sources: &[Sources]) -> Markup {
    let vignettes = vignettes(title);
    let entries = title.ledger.entries();
    let chapter = |i: usize| title.ledger.chapter(&entries[i].number);
    html! {
        @for (i, entry) in entries.iter().enumerate() {
            @if i == 0 || chapter(i) != chapter(i - 1) { h2.chapter { (chapter(i).unwrap_or("")) } }
            article.rule-entry tabindex="-1" id=(format!("r-{}", entry.number)) data-rule-entry=(entry.number)
                aria-label=(format!("{} {}", entry.number, entry.title)) {
                h3 { span.number { (entry.number) } " " (entry.title) }
                p { (entry.gist) }
                @for ruling in &entry.rulings { p.ruling { b { "How we read it: " } (ruling) } }
                @for (i, rules, what) in &vignettes {
                    @if rules.contains(&entry.number) {
                        p { button.quiet data-vignette=(i) { "Show me: " (what) } }
                    }
                }
            }
        }
        @if entries.is_empty() { p { "This game has no rules written down." } }
        @if !sources.is_empty() { (origins(sources)) }
    }
}

/// How many records are named before the rest is only counted.
const NAMED: usize = 6;

/// Where the figures come from, file by file.
fn origins(sources: &[Sources]) -> Markup {
    html! {
        h2.chapter { "Where the figures come from" }
        @for file in sources {
            details.sources {
                summary { code { (file.file) } }
                @for origin in &file.origins {
                    p {
                        @if !origin.kind.is_empty() { b { (origin.records) " " (origin.kind) } ": " }
                        (origin.source)
                        @if origin.reconstructed { " " em.warned { "reconstructed" } }
                        @if !origin.names.is_empty() && !origin.kind.is_empty() {
                            br; small {
                                (origin.names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", "))
                                @if origin.names.len() > NAMED { " and " (origin.names.len() - NAMED) " more" }
                            }
                        }
                    }
                }
            }
        }
        p.small { "A table can be opened with other figures: " code { "--data FOLDER" } "." }
    }
}

/// The rules as a page.
pub(crate) fn page(title: &Title, sources: &[Sources], person: Option<&PersonRow>) -> Markup {
    let body = html! {
        main #ui-main .narrow.rules data-game=(title.id) {
            p { a href="/rules" { "← All games" } }
            h1 { (title.name) ", the rules" }
            p.small { "In our own words, by the numbers of the rulebook. Rules version " (title.version) ", components " code { (title.data_hash) } "." }
            input #ui-rule-search type="search" placeholder="Search the rules" aria-label="Search the rules";
            div #ui-rules { (list(title, sources)) }
            dialog #ui-show { div.frames {} form method="dialog" { button { "Close" } } }
        }
    };
    super::whole(&format!("{} rules · Outremer", title.name), "plain", "rules.js", person, &body)
}

/// All games with rules.
pub(crate) fn games(titles: &[&Title], person: Option<&PersonRow>) -> Markup {
    let body = html! {
        main #ui-main .narrow {
            h1 { "Rules" }
            ul.tables { @for title in titles { li { a href=(format!("/rules/{}", title.id)) { b { (title.name) } span { (title.pitch) } small { (title.ledger.entries().len()) " rules" } } } } }
        }
    };
    super::whole("Rules · Outremer", "plain", "lobby.js", person, &body)
}

/// A vignette as pictures, one after each action.
pub(crate) fn vignette(
    game: &dyn AnyGame,
    number: usize,
    theme: Theme,
    press: &Press,
) -> Result<Markup, Fault> {
    let title = game.title();
    let (file, text) =
        title.vignettes.get(number).ok_or_else(|| Fault::Missing(format!("vignette {number}")))?;
    let vignette = Vignette::read(file, text).map_err(|e| Fault::Server(e.to_string()))?;
    let played = game.play_vignette(&vignette).map_err(|e| Fault::Server(e.to_string()))?;
    let names = title.seat_names();
    let last = played.frames.len();
    Ok(html! {
        h2 { (vignette.title) " " span.number { (vignette.rule) } }
        @for (i, (deed, scene)) in played.frames.iter().enumerate() {
            figure data-frame=(i) hidden[i > 0] {
                figcaption { (i + 1) " of " (last) ": " b { (deed) } @if let Some(prompt) = &scene.prompt { br; small { (prompt.text) } } }
                @if let Some(board) = scene.boards.last() {
                    (PreEscaped(press.draw(board, &names, &Highlights::default(), &theme.style()).svg()))
                }
            }
        }
        p.steps hidden[last < 2] { button data-frame-step="-1" { "◀ Back" } " " button data-frame-step="1" { "Next ▶" } }
        @if !played.journal.is_empty() { ul.small { @for line in &played.journal { li { (line) } } } }
    })
}

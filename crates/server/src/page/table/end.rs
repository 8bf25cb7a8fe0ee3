//! The end: by how much, how the dice fell, how the chances went, and what to do next. Who won and why stands in the
//! action bar.

use maud::{Markup, html};

use super::bar::ending;
use crate::sight::{Luck, Sight};

/// Everything about a game that is over.
pub(super) fn end(sight: &Sight) -> Markup {
    let Some((headline, why)) = ending(sight) else { return html! {} };
    let eyes = sight.seat.map_or(String::new(), |s| format!("as={s}"));
    let name = |seat: u8| sight.seats.get(usize::from(seat)).map_or("", |s| s.name.as_str());
    let scores = sight.outcome.as_ref().map(|o| o.scores);
    let counted = |seat: u8| scores.and_then(|s| s.get(usize::from(seat)).copied()).unwrap_or(0);
    html! {
        h2 { (headline) }
        p { (why) }
        @if scores.is_some_and(|s| s.iter().any(|n| *n != 0)) {
            p.scores { @for s in &sight.seats { span { (s.name) " " b { (counted(s.seat)) } } " " }
                @if let Some(by) = sight.margin.filter(|by| *by > 0) { "won by " (by) } }
        }
        @if sight.outcome.is_some() {
            div #ui-turnings data-filled data-now=[sight.plays().then_some("yes")] {
                button.quiet data-turnings { "How the chances went" }
            }
        }
        @if !sight.luck.is_empty() {
            h3 { "The dice" }
            table.luck {
                thead { tr { td {} th scope="col" { "dice" } th scope="col" { "average" } th scope="col" { "expected" } } }
                tbody { @for luck in &sight.luck { tr { th scope="row" { (name(luck.seat)) } td { (luck.dice) } td { (mean(luck.sum as f32, luck)) } td { (mean(luck.expected, luck)) } } } }
            }
        }
        p.after {
            a.button href=(format!("/t/{}/replay?{eyes}", sight.table)) { "Look back" } " "
            a.button href=(format!("/t/{}/record", sight.table)) { "Record" } " "
            a.button href="/next" { "Next table" }
        }
    }
}

fn mean(sum: f32, luck: &Luck) -> String {
    format!("{:.2}", sum / luck.dice.max(1) as f32)
}

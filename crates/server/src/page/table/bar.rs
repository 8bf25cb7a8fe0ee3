//! The action bar: what is to be decided, undo at its left and the one thing to do next at its right. Its height
//! is fixed, whatever it says. Choices on the board are not repeated in it; a list beside the board has them for
//! whoever prefers one.

use maud::{Markup, html};
use table::Offered;
use table::scene::{Part, Room};

use super::rule_link;
use crate::page::sentence;
use crate::sight::{Seated, Sight};
use crate::store::{Kind, TableStage};

/// Who does not play is told so.
pub(super) fn watching(sight: &Sight) -> Markup {
    if sight.plays() {
        return html! {};
    }
    let free = sight.stage == TableStage::Gathering && sight.seats.iter().any(|s| s.kind == Kind::Open);
    html! {
        p { b { "You are watching." } " "
            @if free { "A seat is free: sit down to play." }
            @else if sight.stage == TableStage::Over { "The game is over, and everything is open." }
            @else { "You see what all may see." }
        }
    }
}

/// How the game ended: the headline, why, and by which rule. One that ended otherwise has an event for it.
pub(super) fn ending(sight: &Sight) -> Option<(String, Markup)> {
    if let Some(outcome) = &sight.outcome {
        let why = sight.reason.as_deref().unwrap_or("So the rules say.");
        return Some((
            sentence(outcome.headline),
            html! { (why) " " (rule_link(&sight.game, outcome.rule)) },
        ));
    }
    let end =
        sight.events.iter().rev().find(|e| e.event.ends()).filter(|_| sight.stage == TableStage::Over)?;
    let name = |seat: &u8| sight.seats.get(usize::from(*seat)).map_or("", |s| s.name.as_str());
    let winners: Vec<_> = sight.claimed_by.iter().map(name).collect();
    let headline = match winners.as_slice() {
        [] => "Nobody wins".to_string(),
        [one] => format!("{one} wins"),
        all => format!("{} win", all.join(" and ")),
    };
    Some((headline, html! { (end.text) }))
}

/// What is asked, or how it ended.
pub(super) fn prompt(sight: &Sight) -> Markup {
    if let Some(why) = &sight.frozen {
        return html! {
            p.alarm { b { "This table has stopped" } ": " (why) ". It stands at its last good entry. "
                @if let Some(seat) = sight.seat.filter(|_| sight.plays()) {
                    a href=(format!("/t/{}/record?as={seat}", sight.table)) { "Download what you have seen" }
                } }
        };
    }
    if let Some((headline, why)) = ending(sight) {
        return html! { p.over tabindex="-1" { b { (headline) } } p.why { (why) } };
    }
    let Some(prompt) = sight.scene.prompt.as_ref().filter(|_| sight.stage != TableStage::Over) else {
        return html! {};
    };
    let yours = sight.to_decide();
    html! {
        p.yours[yours].window[prompt.window] tabindex="-1" title=(prompt.text) {
            (prompt.text) " " (rule_link(&sight.game, prompt.rule))
        }
        // Advice speaks to the seat that decides, and is for nobody else.
        @if yours && !prompt.advice.is_empty() { p.advice title=(prompt.advice) { (prompt.advice) } }
        @if prompt.window { p.asks { "Asked of everybody who could answer, whatever they hold" } }
        // What was chosen in secret stays in its owner's sight, and in nobody else's.
        @if let Some(choice) = sight.drafted.last().filter(|_| sight.held) {
            p.held { "You have chosen: " b { (choice.label) } }
        }
    }
}

/// Who has chosen in secret and who has not, while not all have.
pub(super) fn who_has_chosen(sight: &Sight) -> Markup {
    let names = |seats: Vec<&Seated>| {
        let me = |s: &Seated| sight.seat == Some(s.seat) && s.own;
        let names = seats.iter().map(|s| if me(s) { "you" } else { s.name.as_str() });
        let names: Vec<_> = names.collect();
        match names.split_last() {
            Some((last, [])) => Some(((*last).to_string(), *last != "you")),
            Some((last, rest)) => Some((format!("{} and {last}", rest.join(", ")), false)),
            None => None,
        }
    };
    let chosen = names(sight.seats.iter().filter(|s| s.chosen).collect());
    let awaited = names(sight.seats.iter().filter(|s| s.waiting).collect());
    let (Some((chosen, one)), Some((awaited, _))) = (chosen, awaited) else { return html! {} };
    let mut first = chosen.chars();
    let chosen: String = first.next().into_iter().flat_map(char::to_uppercase).chain(first).collect();
    html! { p.small role="status" { (chosen) (if one { " has" } else { " have" }) " chosen; waiting for " (awaited) "." } }
}

pub(super) fn asked(sight: &Sight) -> Markup {
    if sight.draw_offered.as_ref().is_some_and(|d| d.answer) {
        return crate::page::clock::draw_offer(sight);
    }
    match &sight.asked_back {
        Some(asked) if asked.answer => html! {
            p { b { (asked.name) } " asks to take the last decision back. The dice from there on would be new. "
                button data-answer="yes" { "Agree" } " " button.quiet data-answer="no" { "Play on" } }
        },
        Some(asked) => html! { p { (asked.name) " has asked to take the last decision back." } },
        None => html! {},
    }
}

/// More choices on the board than this are not listed beside it unless somebody asks.
const LONGEST_LIST: usize = 8;

/// So few of one kind are listed all the same.
const SHORTEST_FOLD: usize = 3;

/// One choice: a button, or for an amount a number with one.
fn choice(offer: &Offered, class: &str) -> Markup {
    let choice = &offer.choice;
    // Ids may hold spaces, but no line breaks.
    let about = choice.targets.join("\n");
    match offer.range {
        Some((least, most)) => html! {
            span.amount data-act=(offer.notation) data-targets=(about) data-confirm=[&choice.confirm] data-range=(format!("{least} {most}")) {
                label { (choice.label.strip_suffix(&format!(" {least}")).unwrap_or(&choice.label)) " (" (least) " to " (most) ") "
                    input type="number" min=(least) max=(most) value=(least) inputmode="numeric"; }
                button.quiet type="button" { "Choose" }
            }
        },
        None => html! {
            button class=(class) name="action" value=(offer.notation) data-act=(offer.notation)
                data-targets=(about) data-confirm=[&choice.confirm] title=[Some(&choice.hint).filter(|h| !h.is_empty())] {
                span { (choice.label) }
                @if !choice.hint.is_empty() { small { " " (choice.hint) } }
            }
        },
    }
}

/// What all these choices have in common, in words: how their labels begin.
fn in_common(offers: &[&Offered]) -> Option<String> {
    let mut labels = offers.iter().map(|offer| offer.choice.label.split(' ').collect::<Vec<_>>());
    let mut common = labels.next()?;
    for label in labels {
        let same = common.iter().zip(&label).take_while(|(a, b)| a == b).count();
        common.truncate(same);
    }
    (!common.is_empty()).then(|| sentence(&common.join(" ")))
}

/// Choices on the board by what is done there: the first word of their notation.
fn by_deed<'a>(offers: &[&'a Offered]) -> Vec<(&'a str, Vec<&'a Offered>)> {
    let mut deeds: Vec<(&str, Vec<&Offered>)> = Vec::new();
    for offer in offers {
        let deed = deed(offer);
        match deeds.iter_mut().find(|(known, _)| *known == deed) {
            Some((_, same)) => same.push(offer),
            None => deeds.push((deed, vec![offer])),
        }
    }
    deeds
}

/// Whether an offer is what one piece does that stands out as acting, in a battle that is being fought.
fn acts(sight: &Sight, offer: &Offered) -> bool {
    let [id] = offer.choice.targets.as_slice() else { return false };
    let mut pieces = sight.scene.boards.iter().filter(|b| b.room == Room::Large).flat_map(|b| &b.pieces);
    offer.range.is_none() && pieces.any(|p| p.id == *id && p.face.lit())
}

/// The first word of a notation: what is done.
fn deed(offer: &Offered) -> &str {
    offer.notation.as_str().split(' ').next().unwrap_or_default()
}

/// Where several pieces act, what the main button does for one of them can be done for all: the deed, and how many.
fn all_alike<'a>(sight: &Sight, main: Option<&'a Offered>) -> Option<(&'a str, usize)> {
    let main = main.filter(|m| acts(sight, m))?;
    let alike = |o: &&Offered| deed(o) == deed(main) && acts(sight, o) && o.choice.confirm.is_none();
    Some((deed(main), sight.offered.iter().filter(alike).count())).filter(|(_, count)| *count > 1)
}

/// The one thing to do next: what the game says; else the first thing that is no mere refusal and gives nothing up;
/// else what the only piece that can act, or the first that stands out as acting, usually does.
fn foremost(sight: &Sight) -> Option<&Offered> {
    let offered = sight.offered.as_slice();
    let plain = |o: &&Offered| o.choice.targets.is_empty() && o.range.is_none();
    let goes_on = |o: &&Offered| o.choice.part != Part::Refusal && o.choice.confirm.is_none();
    let marked = offered.iter().find(|o| o.choice.part == Part::Main);
    let first = || offered.iter().filter(plain).find(goes_on);
    let only = || match offered {
        [one] if one.range.is_none() => Some(one),
        [first, rest @ ..] => {
            let piece = first.choice.targets.first().filter(|_| first.range.is_none())?;
            rest.iter().all(|o| o.choice.targets.contains(piece)).then_some(first)
        }
        [] => None,
    };
    let acting = || offered.iter().find(|o| acts(sight, o));
    marked.or_else(first).or_else(only).or_else(acting)
}

/// Where forms without a script go.
fn form(sight: &Sight, inner: &Markup) -> Markup {
    html! {
        form.list method="post" action=(format!("/t/{}/act?seat={}", sight.table, sight.seat.unwrap_or(0))) {
            input type="hidden" name="number" value=(sight.number);
            (inner)
        }
    }
}

/// Whether there is anything to choose.
fn chooses(sight: &Sight) -> bool {
    sight.frozen.is_none() && sight.stage != TableStage::Over && !sight.offered.is_empty()
}

/// What is not on the board, the main button last; after the game, what comes next.
pub(super) fn choices(sight: &Sight) -> Markup {
    if sight.stage == TableStage::Over && sight.plays() {
        return afterwards(sight);
    }
    if !chooses(sight) {
        return html! {};
    }
    let main = foremost(sight);
    let is_main = |o: &Offered| main.is_some_and(|m| m.notation == o.notation);
    // Where one piece acts, the bar has all that it can do.
    let acts = main.is_some_and(|m| !m.choice.targets.is_empty()) && sight.offered.len() <= LONGEST_LIST;
    let plain = sight.offered.iter().filter(|o| (acts || o.choice.targets.is_empty()) && !is_main(o));
    form(
        sight,
        &html! {
            span.some {
                @if sight.hints {
                    button.quiet type="button" data-hint title="What a captain would do, knowing what you know (H)" { @if sight.analysis { "Best choices" } @else { "Hint" } }
                }
                @if let Some((deed, count)) = all_alike(sight, main) {
                    button.other type="button" data-all=(deed) data-count=(count) title="The same for all of them, one after the other, until something else is asked" { span { "All alike (" (count) ")" } }
                }
                @for offer in plain { (choice(offer, if offer.choice.part == Part::Refusal { "refuse" } else { "other" })) }
            }
            @if let Some(main) = main { (choice(main, "main")) }
        },
    )
}

/// What to do when the game is over.
fn afterwards(sight: &Sight) -> Markup {
    let alone = sight.seats.iter().filter(|s| s.kind != Kind::Nobody).count() == 1;
    let again = if alone { "Play again" } else { "Rematch, sides swapped" };
    html! {
        @if let Some((id, name, minutes)) = &sight.next {
            button.quiet data-rematch { (again) }
            form.list method="post" action="/learn" {
                input type="hidden" name="game" value=(sight.game);
                input type="hidden" name="scenario" value=(id);
                input type="hidden" name="seat" value=(sight.seat.unwrap_or(0));
                button.main title=(format!("About {minutes} minutes, hints allowed")) { "Go on: " (name) }
            }
        } @else {
            a.button.quiet href="/next" { "Next table" }
            button.main data-rematch { (again) }
        }
    }
}

/// The choices on the board once more, for whoever prefers a list.
pub(super) fn list(sight: &Sight) -> Markup {
    if !chooses(sight) {
        return html! {};
    }
    let on_board: Vec<_> = sight.offered.iter().filter(|o| !o.choice.targets.is_empty()).collect();
    if on_board.is_empty() {
        return html! {};
    }
    let deeds = by_deed(&on_board);
    let folds = on_board.len() > LONGEST_LIST;
    let inner = html! {
        @for (deed, offers) in &deeds {
            @if folds && offers.len() > SHORTEST_FOLD {
                details.more data-key=(format!("deed-{deed}")) {
                    summary { b { (in_common(offers).unwrap_or_else(|| sentence(deed))) "…" } " " (offers.len()) " choices" }
                    div.list { @for offer in offers { (choice(offer, "on-board")) } }
                }
            } @else {
                @for offer in offers { (choice(offer, "on-board")) }
            }
        }
    };
    html! {
        details.all data-key="all-choices" {
            summary { "Choose from a list " small { "(" (on_board.len()) ")" } }
            (form(sight, &inner))
        }
    }
}

/// Undo, always in its place: where it cannot be, it says why.
pub(super) fn back(sight: &Sight) -> Markup {
    if sight.frozen.is_some() || sight.stage != TableStage::Running || !sight.plays() {
        return html! {};
    }
    // Everything that others wait for ends a draft by itself; one that nothing else ends can be ended here.
    let stuck = sight.undoable > 0 && !sight.held && sight.offered.is_empty();
    let can_ask = sight.can_ask_back && sight.asked_back.is_none();
    let why = match (sight.asked_back.is_some(), sight.to_decide()) {
        (true, _) => "A take-back has been asked for already.",
        (_, true) => "You have done nothing yet that could be undone.",
        _ => "There is nothing of yours to undo now: it is not your turn.",
    };
    html! {
        @if sight.undoable > 0 {
            button.undo data-ask="undo" title="Undo the last click (U)" { @if sight.held { "Change my choice" } @else { "Undo" } }
        } @else if can_ask && sight.alone {
            button.undo data-ask="take-back" title="Takes your last decision back; bots always agree, and dice from there on are new (U)" { "Take back" }
        } @else if can_ask {
            button.undo data-ask="take-back" title="Your last decision was seen, or dice were rolled for it: the others must agree (U)" { "Ask to take back" }
        } @else {
            button.undo aria-disabled="true" data-undo-why=(why) title=(why) { "Undo" }
        }
        @if stuck { button.quiet data-ask="commit" title="Make it final, so that the others see it" { "Make final" } }
    }
}

pub(super) fn warnings(sight: &Sight) -> Markup {
    html! {
        @if !sight.scene.warnings.is_empty() && sight.to_decide() {
            details open[true] {
                summary { "Before you end (" (sight.scene.warnings.len()) ")" }
                ul {
                    @for warning in &sight.scene.warnings {
                        li data-show=[&warning.target] { (warning.text) " " (rule_link(&sight.game, warning.rule)) }
                    }
                }
            }
        }
    }
}

//! The table as a page, in fragments: each has an id and a tag (the hash of its text), so that a page that
//! has one already is sent only what changed.

use std::sync::Arc;

use maud::{Markup, PreEscaped, html};
use picture::{Highlights, Layer, Loose, Press};
use table::scene::{Board, Face, Piece, Room, Sum, Throw, Track, Tray};
use table::{JournalPage, Line, Seat, Tone};

use super::Theme;
use crate::easel::Drawing;
use crate::sight::{Seated, Sight};
use crate::since::Since;
use crate::store::{Kind, PersonRow, TableStage};

/// A piece of a page.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    /// The id of its element.
    pub(crate) id: String,
    /// The id of the element that it is added to when the page does not have it.
    pub(crate) parent: &'static str,
    /// The hash of its text.
    pub(crate) tag: String,
    /// The element.
    pub(crate) html: String,
}

/// A board of a page.
pub(crate) struct Drawn {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The hash of the whole.
    pub(crate) tag: String,
    /// The hash of what does not move: when it changes, the board is drawn anew.
    pub(crate) ground: String,
    pub(crate) drawing: picture::Drawing,
    /// Symbols that it uses, by their ids, until the page has them.
    stock: Vec<(String, String)>,
    /// The hashes of its parts.
    pub(crate) hashes: Vec<blake3::Hash>,
}

fn tag_of(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..12].to_string()
}

fn fragment(id: impl Into<String>, parent: &'static str, class: &str, inner: &Markup) -> Fragment {
    let id = id.into();
    let tag = tag_of(&inner.0);
    let html = html! { div id=(id) class=(class) data-tag=(tag) { (inner) } };
    Fragment { id, parent, tag, html: html.into_string() }
}

/// A sight as fragments and boards. Symbols that several of them use are fragments of their own, each sent
/// once.
pub(crate) fn draw(sight: &Sight, theme: Theme, press: &Press) -> (Vec<Fragment>, Vec<Drawn>) {
    let mut boards = boards(sight, theme, press);
    let names = sight.seat_names();
    let loose = press.loose(&names, &theme.style());
    let mut fragments = fragments(sight, theme, &loose);
    let mut stock: std::collections::BTreeMap<String, String> = loose.symbols().into_iter().collect();
    for board in &mut boards {
        stock.extend(std::mem::take(&mut board.stock));
    }
    fragments.extend(stock.into_iter().map(|(id, symbol)| {
        let inner = html! { svg width="0" height="0" aria-hidden="true" { defs { (PreEscaped(symbol)) } } };
        fragment(format!("f-{id}"), "ui-stock", "stock", &inner)
    }));
    (fragments, boards)
}

/// All boards of a sight.
fn boards(sight: &Sight, theme: Theme, press: &Press) -> Vec<Drawn> {
    let seats = sight.seat_names();
    let highlights = Highlights::of(sight.offered.iter().map(|o| &o.choice))
        .warning(&sight.scene.warnings)
        .thrown(&sight.scene.throws);
    let draw = |board: &Board| {
        let mut drawing = press.draw(board, &seats, &highlights, &theme.style());
        let stock = drawing.parts.extract_if(.., |part| part.layer == Layer::Stock);
        let stock = stock.map(|part| (part.id, part.svg)).collect();
        let ground = tag_of(&drawing.head);
        let hashes: Vec<_> = drawing.parts.iter().map(|p| blake3::hash(p.svg.as_bytes())).collect();
        let mut whole = blake3::Hasher::new();
        whole.update(ground.as_bytes());
        for hash in &hashes {
            whole.update(hash.as_bytes());
        }
        let tag = whole.finalize().to_hex()[..12].to_string();
        Drawn { id: board.id.clone(), name: board.name.clone(), tag, ground, drawing, stock, hashes }
    };
    sight.scene.boards.iter().map(draw).collect()
}

/// The name of a layer's group.
pub(crate) const fn layer_name(layer: Layer) -> &'static str {
    layer.class()
}

/// All fragments of a sight, in the order of the page.
fn fragments(sight: &Sight, theme: Theme, loose: &Loose<'_>) -> Vec<Fragment> {
    let mut all = vec![
        fragment("f-title", "ui-head", "title", &title(sight)),
        people_fragment(sight, theme),
        fragment("f-room", "ui-room", "room", &room(sight)),
        fragment("f-watching", "ui-prompt", "watching", &watching(sight)),
        fragment("f-prompt", "ui-prompt", "prompt", &prompt(sight)),
        fragment("f-chosen", "ui-prompt", "chosen", &who_has_chosen(sight)),
        fragment("f-clock", "ui-prompt", "clock", &super::clock::clocks(sight)),
        fragment("f-asked", "ui-prompt", "asked", &asked(sight)),
        fragment("f-choices", "ui-prompt", "choices", &choices(sight)),
        fragment("f-back", "ui-prompt", "takeback", &back(sight)),
        fragment("f-warnings", "ui-prompt", "warnings", &warnings(sight)),
        fragment("f-throws", "ui-trays", "throws", &throws(sight, loose)),
        fragment("f-tracks", "ui-trays", "tracks", &tracks(sight)),
        fragment("f-register", "ui-trays", "registers", &register(sight, loose)),
        fragment("f-sums", "ui-trays", "sums", &sums(sight, loose)),
        fragment("f-trays", "ui-trays", "trays", &trays(sight, loose)),
        fragment("f-aids", "ui-aids", "aids", &aids(sight)),
        fragment("f-reach", "ui-hidden", "reaches", &reaches(sight)),
        fragment("f-refused", "ui-hidden", "refused", &refused(sight)),
        fragment("f-state", "ui-hidden", "state", &state(sight)),
        fragment("f-trust", "ui-trust", "trust", &trust(sight)),
    ];
    if sight.seats.iter().any(|s| s.own) {
        all.push(fragment("f-away", "ui-away", "absence", &super::clock::absence(sight)));
    }
    all.extend(journal(&sight.game, &sight.journal));
    all.extend(chat(sight));
    all
}

fn people_fragment(sight: &Sight, theme: Theme) -> Fragment {
    fragment("f-people", "ui-head", "people", &people(sight, theme))
}

/// The same fragments after people came or went.
pub(crate) fn people_again(old: &[Arc<Fragment>], sight: &Sight, theme: Theme) -> Vec<Arc<Fragment>> {
    let people = Arc::new(people_fragment(sight, theme));
    old.iter().map(|f| if f.id == people.id { people.clone() } else { f.clone() }).collect()
}

fn rule_link(game: &str, rule: impl std::fmt::Display) -> Markup {
    let rule = rule.to_string();
    html! { a.rule href=(format!("/rules/{game}#r-{rule}")) data-rule=(rule) { (rule) } }
}

fn title(sight: &Sight) -> Markup {
    html! {
        a.home href="/" aria-label="Lobby" { (super::emblem()) }
        h1 { (sight.game_name) }
        p.when {
            @match sight.stage {
                TableStage::Gathering => { "The table is being filled" }
                _ => { (sight.scene.title) }
            }
        }
    }
}

/// The back of a seat's block, as its sign. It brings its own symbols, since people come and go.
fn seat_sign(seats: &[String], seat: Seat, theme: Theme) -> Markup {
    let press = Press::default();
    let loose = press.loose(seats, &theme.style());
    let piece = Piece { id: format!("sign-{}", seat.index()), owner: Some(seat), ..Piece::default() };
    let svg = loose.piece(&piece, false, 40.0);
    html! { span.sign { (PreEscaped(loose.stock())) (PreEscaped(svg)) } }
}

fn people(sight: &Sight, theme: Theme) -> Markup {
    let names = sight.seat_names();
    html! {
        ul {
            @for s in &sight.seats {
                li.waiting[s.waiting].own[s.own].viewing[sight.seat == Some(s.seat)] {
                    (seat_sign(&names, Seat::new(s.seat), theme))
                    span {
                        b { (s.name) }
                        " "
                        @match s.kind {
                            Kind::Open => { i { "free" } }
                            Kind::Invited => { i { "invited" } }
                            Kind::Nobody => { i { "nobody" } }
                            Kind::Bot => { (s.player) " (bot)" }
                            Kind::Person => {
                                span.presence.here[s.present] title=(if s.present { "is looking at the table" } else { "is away" }) {}
                                (s.player)
                                @if let Some(bot) = &s.stand_in { ", " (bot) " sits in" }
                            }
                        }
                    }
                    @if s.waiting { em { "to decide" } }
                    @else if s.chosen { em.chosen { "has chosen" } }
                    @if s.own && sight.seat != Some(s.seat) {
                        a href=(format!("?as={}", s.seat)) data-switch=(s.seat) { "look" }
                    }
                }
            }
            @if sight.analysis { li.onlookers { "analysis" } }
            @else if sight.hints { li.onlookers title="Players here may ask for a hint" { "hints allowed" } }
            @if sight.onlookers > 0 { li.onlookers { (sight.onlookers) " looking on" } }
        }
    }
}

/// While seats are being filled: who is missing, and what to do about it.
fn room(sight: &Sight) -> Markup {
    if sight.stage != TableStage::Gathering {
        return html! {};
    }
    let mine: Vec<_> = sight.seats.iter().filter(|s| s.own && s.nonce.is_none()).map(|s| s.seat).collect();
    html! {
        h2 { "Before the game" }
        p { (sight.scenario) }
        ul {
            @for s in &sight.seats {
                li {
                    b { (s.name) } ": "
                    @match s.kind {
                        Kind::Bot => { (s.player) " (bot)" }
                        Kind::Person if s.nonce.is_some() => { (s.player) ", ready" }
                        Kind::Person => { (s.player) }
                        Kind::Nobody => { i { "nobody" } }
                        Kind::Open | Kind::Invited => {
                            @if s.kind == Kind::Open && !sight.host {
                                (sit(sight, s.seat, "", "Sit down here"))
                            } @else {
                                "waiting for somebody "
                                @if sight.host { button data-invite=(s.seat) { "Make an invitation link" } }
                                @if s.kind == Kind::Open { " " (sit(sight, s.seat, "quiet", "Sit here myself")) }
                            }
                        }
                    }
                }
            }
        }
        p.links id="ui-links" data-filled {}
        @if !mine.is_empty() {
            p #ui-ready data-ready=(mine.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")) {
                "Your browser adds a number of its own to the dice…"
            }
        }
        p.small {
            "The game begins when every seat is taken. The dice are already fixed by a secret seed; its "
            "fingerprint is " code { (sight.commitment) } ", and each player adds a number that the server "
            "could not know before."
        }
    }
}

/// A form of one button, so that somebody without a script, or without a name, can sit down as well.
fn sit(sight: &Sight, seat: u8, class: &str, text: &str) -> Markup {
    html! {
        form.inline method="post" action=(format!("/t/{}/sit", sight.table)) {
            input type="hidden" name="seat" value=(seat);
            button class=[(!class.is_empty()).then_some(class)] data-sit=(seat) { (text) }
        }
    }
}

/// Who does not play is told so.
fn watching(sight: &Sight) -> Markup {
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

/// How the game ended: who won, and why. One that was claimed has no outcome by its rules.
fn ending(sight: &Sight) -> Option<Markup> {
    if let Some(outcome) = &sight.outcome {
        return Some(html! {
            p.over tabindex="-1" { b { (super::sentence(outcome.headline)) } }
            p.why { (sight.reason.as_deref().unwrap_or("So the rules say.")) " " (rule_link(&sight.game, outcome.rule)) }
        });
    }
    let why = sight.events.last().filter(|_| sight.stage == TableStage::Over)?;
    let name = |seat: &u8| sight.seats.get(usize::from(*seat)).map_or("", |s| s.name.as_str());
    let winners: Vec<_> = sight.claimed_by.iter().map(name).collect();
    let headline = match winners.as_slice() {
        [] => "Nobody wins".to_string(),
        [one] => format!("{one} wins"),
        all => format!("{} win", all.join(" and ")),
    };
    Some(html! { p.over tabindex="-1" { b { (headline) } } p.why { (why.text) } })
}

fn prompt(sight: &Sight) -> Markup {
    if let Some(why) = &sight.frozen {
        return html! {
            p.alarm { b { "This table has stopped" } ": " (why) ". It stands at its last good entry. "
                @if let Some(seat) = sight.seat.filter(|_| sight.seats.iter().any(|s| s.own)) {
                    a href=(format!("/t/{}/record?as={seat}", sight.table)) { "Download what you have seen" }
                } }
        };
    }
    let plays = sight.plays();
    let eyes = sight.seat.map_or(String::new(), |s| format!("as={s}"));
    if let Some(ending) = ending(sight) {
        return html! {
            (ending)
            @if let Some((id, name, minutes)) = sight.next.as_ref().filter(|_| plays) {
                form.after method="post" action="/learn" {
                    input type="hidden" name="game" value=(sight.game);
                    input type="hidden" name="scenario" value=(id);
                    input type="hidden" name="seat" value=(sight.seat.unwrap_or(0));
                    button { "Go on: " (name) } " " small { "about " (minutes) " minutes, hints allowed" }
                }
            }
            p.after {
                @if plays { button.quiet[sight.next.is_some()] data-rematch { "Rematch, sides swapped" } " " }
                a.button href=(format!("/t/{}/replay?{eyes}", sight.table)) { "Look back" } " "
                a.button href=(format!("/t/{}/record", sight.table)) { "Record" } " "
                a.button href="/next" { "Next table" }
            }
            @if sight.outcome.is_some() {
                div #ui-turnings data-filled data-now=[(plays && sight.hints).then_some("yes")] {
                    button.quiet data-turnings { "Three turning points" }
                }
            }
        };
    }
    let Some(prompt) = sight.scene.prompt.as_ref().filter(|_| sight.stage != TableStage::Over) else {
        return html! {};
    };
    let yours = sight.to_decide();
    html! {
        p.yours[yours].window[prompt.window] tabindex="-1" {
            (prompt.text) " " (rule_link(&sight.game, prompt.rule))
            // Advice speaks to the seat that decides, and is for nobody else.
            @if yours && !prompt.advice.is_empty() { span.advice { (prompt.advice) } }
            @if prompt.window { small.asks { "Asked of everybody who could answer, whatever they hold" } }
        }
    }
}

/// Who has chosen in secret and who has not, while not all have.
fn who_has_chosen(sight: &Sight) -> Markup {
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

fn asked(sight: &Sight) -> Markup {
    match &sight.asked_back {
        Some(asked) if asked.answer => html! {
            p { b { (asked.name) } " asks to take the last decision back. The dice from there on would be new." }
            p { button data-answer="yes" { "Agree" } " " button data-answer="no" { "Play on" } }
        },
        Some(asked) => html! { p { (asked.name) " has asked to take the last decision back." } },
        None => html! {},
    }
}

/// More choices on the board than this are not listed beside it unless somebody asks.
const LONGEST_LIST: usize = 8;
/// So few of one kind are listed all the same.
const SHORTEST_FOLD: usize = 3;
/// A tray with more pieces than this, none of which can be chosen, is folded.
const FULLEST_TRAY: usize = 7;

/// One choice: a button, or for an amount a number with one.
fn choice(offer: &table::Offered) -> Markup {
    let choice = &offer.choice;
    // Ids may hold spaces, but no line breaks.
    let about = choice.targets.join("\n");
    match offer.range {
        Some((least, most)) => html! {
            span.amount data-act=(offer.notation) data-targets=(about) data-confirm=[&choice.confirm] data-range=(format!("{least} {most}")) {
                label { (choice.label.strip_suffix(&format!(" {least}")).unwrap_or(&choice.label)) " (" (least) " to " (most) ") "
                    input type="number" min=(least) max=(most) value=(least) inputmode="numeric"; }
                button type="button" { "Choose" }
            }
        },
        None => html! {
            button.on-board[!choice.targets.is_empty()] name="action" value=(offer.notation) data-act=(offer.notation)
                data-targets=(about) data-confirm=[&choice.confirm] {
                (choice.label)
                @if !choice.hint.is_empty() { small { " " (choice.hint) } }
            }
        },
    }
}

/// What all these choices have in common, in words: how their labels begin.
fn in_common(offers: &[&table::Offered]) -> Option<String> {
    let mut labels = offers.iter().map(|offer| offer.choice.label.split(' ').collect::<Vec<_>>());
    let mut common = labels.next()?;
    for label in labels {
        let same = common.iter().zip(&label).take_while(|(a, b)| a == b).count();
        common.truncate(same);
    }
    (!common.is_empty()).then(|| super::sentence(&common.join(" ")))
}

/// Choices on the board by what is done there: the first word of their notation.
fn by_deed<'a>(offers: &[&'a table::Offered]) -> Vec<(&'a str, Vec<&'a table::Offered>)> {
    let mut deeds: Vec<(&str, Vec<&table::Offered>)> = Vec::new();
    for offer in offers {
        let deed = offer.notation.as_str().split(' ').next().unwrap_or_default();
        match deeds.iter_mut().find(|(known, _)| *known == deed) {
            Some((_, same)) => same.push(offer),
            None => deeds.push((deed, vec![offer])),
        }
    }
    deeds
}

fn choices(sight: &Sight) -> Markup {
    if sight.frozen.is_some() || sight.stage == TableStage::Over || sight.offered.is_empty() {
        return html! {};
    }
    let (on_board, plain): (Vec<_>, Vec<_>) =
        sight.offered.iter().partition(|o| !o.choice.targets.is_empty());
    let deeds = by_deed(&on_board);
    let folds = on_board.len() > LONGEST_LIST;
    html! {
        form.list method="post" action=(format!("/t/{}/act?seat={}", sight.table, sight.seat.unwrap_or(0))) {
            input type="hidden" name="number" value=(sight.number);
            @if folds { p.small.where { "Choose on the board what is ringed in green, or from a list:" } }
            @for (deed, offers) in &deeds {
                @if folds && offers.len() > SHORTEST_FOLD {
                    details.more data-key=(format!("deed-{deed}")) {
                        summary { b { (in_common(offers).unwrap_or_else(|| super::sentence(deed))) "…" } " " (offers.len()) " choices" }
                        div.list { @for offer in offers { (choice(offer)) } }
                    }
                } @else {
                    @for offer in offers { (choice(offer)) }
                }
            }
            @for offer in plain { (choice(offer)) }
        }
    }
}

/// Undo, take-backs and hints.
fn back(sight: &Sight) -> Markup {
    if sight.frozen.is_some() || sight.stage == TableStage::Over {
        return html! {};
    }
    // Everything that others wait for ends a draft by itself; one that nothing else ends can be ended here.
    let stuck = sight.undoable > 0 && !sight.held && sight.offered.is_empty();
    let can_ask = sight.undoable == 0 && sight.can_ask_back && sight.asked_back.is_none();
    html! {
        @if sight.undoable > 0 {
            button data-ask="undo" title="Key: U" { @if sight.held { "Change my choice" } @else { "Undo" } }
        }
        @if stuck { button data-ask="commit" title="Make it final, so that the others see it" { "Make final" } }
        @if can_ask && sight.alone {
            button.quiet data-ask="take-back" title="Takes your last decision back; bots always agree, and dice from there on are new" { "Take back" }
        } @else if can_ask {
            button.quiet data-ask="take-back" title="Needs the consent of the others" { "Ask to take back" }
        }
        @if sight.hints && sight.to_decide() {
            button.quiet data-hint title="What a captain would do, knowing what you know" { @if sight.analysis { "Best choices" } @else { "Hint" } }
        }
    }
}

fn warnings(sight: &Sight) -> Markup {
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

fn tracks(sight: &Sight) -> Markup {
    let (first, rest): (Vec<_>, Vec<_>) = sight.scene.tracks.iter().partition(|t| t.foremost);
    html! { @for one in first.into_iter().chain(rest) { (track(one)) } }
}

fn track(track: &Track) -> Markup {
    html! {
        div.track.foremost[track.foremost] data-id=(track.id) {
            span.label { (track.name) @if !track.note.is_empty() { small { " " (track.note) } } }
            ol {
                @for (i, name) in track.boxes.iter().enumerate() {
                    @let here: Vec<_> = track.markers.iter().filter(|m| m.at == i).collect();
                    li.here[!here.is_empty()].goal[track.goals.contains(&i)] title=[(!here.is_empty()).then(|| here.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(", "))] {
                        (name)
                        @for marker in here.iter().filter(|m| m.owner.is_some()) {
                            span class=(format!("marker seat-{}", marker.owner.map_or(0, Seat::index))) {
                                (marker.name.chars().take(2).collect::<String>())
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Who has what.
fn register(sight: &Sight, loose: &Loose<'_>) -> Markup {
    let Some(register) = &sight.scene.register else { return html! {} };
    let name = |seat: Seat| sight.seats.get(seat.index()).map_or("", |s| s.name.as_str());
    html! {
        table.register data-id=(register.id) {
            caption { (register.name) }
            thead { tr { th {} @for column in &register.columns { th scope="col" { (column) } } } }
            tbody {
                @for row in &register.rows {
                    tr class=(format!("seat-{}", row.seat.index())) {
                        th scope="row" {
                            @if let Some(arms) = &row.arms { (PreEscaped(loose.coat(arms, Some(row.seat)))) }
                            (name(row.seat)) @if !row.note.is_empty() { small { " " (row.note) } }
                        }
                        @for cell in &row.cells { td.best[cell.best].warned[cell.warned] { (cell.text) } }
                    }
                }
            }
        }
    }
}

/// Figures that unfold.
fn sums(sight: &Sight, loose: &Loose<'_>) -> Markup {
    html! { @for one in &sight.scene.sums { (sum(sight, loose, one)) } }
}

fn sum(sight: &Sight, loose: &Loose<'_>, sum: &Sum) -> Markup {
    let whole: u32 = sum.shares.iter().map(|(_, share)| *share).sum();
    html! {
        details.sum data-key=(sum.id) data-show=[&sum.target] {
            summary { span { (sum.name) } b { (sum.total) } }
            @if !sum.note.is_empty() { p.small { (sum.note) } }
            ul {
                @for line in &sum.lines {
                    li.total[line.total] {
                        span { (line.text) @if let Some(rule) = line.rule { " " (rule_link(&sight.game, rule)) } }
                        b { (line.amount) }
                    }
                }
            }
            @if whole > 0 {
                div.shares aria-hidden="true" {
                    @for (seat, share) in &sum.shares {
                        i style=(format!("flex:{share};background:{}", loose.colour(*seat))) {}
                    }
                }
            }
        }
    }
}

/// Dice that lie beside the boards.
fn throws(sight: &Sight, loose: &Loose<'_>) -> Markup {
    let beside = |throw: &&Throw| throw.space.is_none();
    html! {
        @for throw in sight.scene.throws.iter().filter(beside) {
            div.throw {
                p { (throw.name) }
                div { @for die in &throw.dice { (PreEscaped(loose.die(die))) } b { (throw.result) } }
                @if !throw.note.is_empty() { p.small { (throw.note) } }
            }
        }
    }
}

/// The game's own tables, the row that counts now lit.
fn aids(sight: &Sight) -> Markup {
    html! {
        @for aid in &sight.scene.aids {
            details data-key=(aid.id) open[aid.rows.iter().any(|r| r.lit)] {
                summary { (aid.name) @if let Some(rule) = aid.rule { " " (rule_link(&sight.game, rule)) } }
                @if !aid.note.is_empty() { p.small { (aid.note) } }
                div.wide {
                    table.aid data-id=(aid.id) {
                        thead { tr { @for column in &aid.columns { th scope="col" { (column) } } } }
                        tbody {
                            @for row in &aid.rows {
                                tr.lit[row.lit] {
                                    @for (i, cell) in row.cells.iter().enumerate() {
                                        @if i == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Where pieces could go, as data for the script: for each set of pieces the spaces with cost, danger, end
/// and label.
fn reaches(sight: &Sight) -> Markup {
    html! {
        @for board in &sight.scene.boards {
            @for reach in &board.reach {
                i data-reach=(reach.pieces.join("\n")) data-on=(board.id) data-shown[reach.shown] {
                    @for place in &reach.spaces {
                        i data-space=(place.space) data-cost=(place.cost) data-danger[place.danger] data-end[place.end]
                            data-label=[(!place.label.is_empty()).then_some(&place.label)] {}
                    }
                }
            }
        }
    }
}

fn trays(sight: &Sight, loose: &Loose<'_>) -> Markup {
    let open: std::collections::BTreeSet<&str> =
        sight.offered.iter().flat_map(|o| &o.choice.targets).map(String::as_str).collect();
    let own = |tray: &&Tray| tray.owner.is_some_and(|o| sight.seat == Some(o.into()));
    let (mine, rest): (Vec<_>, Vec<_>) = sight.scene.trays.iter().partition(own);
    html! {
        @for tray in mine.into_iter().chain(rest).filter(|t| !t.pieces.is_empty() || !t.note.is_empty()) {
            @let chosen = tray.pieces.iter().any(|p| open.contains(p.id.as_str()));
            @let read = tray.spread && tray.pieces.iter().any(|p| matches!(p.face, Face::Card(_)));
            @let size = if read || tray.room == Room::Large { 96.0 } else { 56.0 };
            @let pieces = html! {
                div.pieces.spread[read] {
                    @for piece in &tray.pieces { (PreEscaped(loose.piece(piece, open.contains(piece.id.as_str()), size))) }
                }
            };
            section.tray data-id=(tray.id) {
                @if tray.pieces.len() > FULLEST_TRAY && !chosen {
                    details data-key=(tray.id) { summary { h2 { (tray.name) } " · " (tray.pieces.len()) } (pieces) }
                } @else {
                    h2 { (tray.name) }
                    (pieces)
                }
                @if !tray.note.is_empty() { p.small { (tray.note) } }
            }
        }
    }
}

/// Why not: one line for each target that may not be chosen.
fn refused(sight: &Sight) -> Markup {
    let mut lines: Vec<(&str, String, String)> = Vec::new();
    for refusal in &sight.refused {
        for target in &refusal.targets {
            let line = (target.as_str(), super::sentence(&refusal.why), refusal.rule.to_string());
            if !lines.contains(&line) && lines.iter().filter(|(t, _, _)| t == target).count() < 3 {
                lines.push(line);
            }
        }
    }
    html! {
        @for (target, why, rule) in lines { i data-target=(target) data-why=(why) data-rule=(rule) {} }
    }
}

fn state(sight: &Sight) -> Markup {
    html! {
        i #ui-state data-number=(sight.number) data-decide=(sight.to_decide()) data-stage=(sight.stage.word())
            data-hand=[sight.hand_over.map(|(seat, _)| seat)] data-curtain=[sight.hand_over.map(|(_, c)| c)]
            data-hand-name=[sight.hand_over.and_then(|(seat, _)| sight.seats.get(usize::from(seat))).map(|s| &s.name)]
            data-title=(if sight.to_decide() { format!("● Your turn: {}", sight.game_name) } else { sight.game_name.clone() }) {}
    }
}

fn trust(sight: &Sight) -> Markup {
    html! {
        dl {
            dt { "Fingerprint of the seed" } dd { code { (sight.commitment) } }
            @for s in &sight.seats {
                @if let Some(nonce) = &s.nonce { dt { "Number of " (s.name) } dd { code { (nonce) } } }
            }
            @if let Some(seed) = &sight.seed { dt { "The seed" } dd { code { (seed) } } }
        }
        @if sight.seed.is_some() {
            p { button data-verify { "Verify all dice" } span #ui-verified data-filled role="status" {} }
            p.small { "The fingerprint was shown before anybody gave a number. The record with its seed rolls every die again: "
                code { "outremer replay --check" } "." }
        } @else {
            p.small { "The seed is shown when the game is over; then anybody can check every die." }
        }
    }
}

/// A page of the journal, a fragment for each group of lines.
pub(crate) fn journal(game: &str, page: &JournalPage) -> Vec<Fragment> {
    let draw = |(i, group): (usize, &Vec<Line>)| {
        let inner = html! {
            @for line in group {
                @match line.tone {
                    Tone::Heading => { h3 { (line.text) } }
                    tone => {
                        p.table[tone == Tone::Table] { (line.text) @if let Some(rule) = line.rule { " " (rule_link(game, rule)) } }
                    }
                }
            }
        };
        fragment(format!("f-journal-{}", page.first + i), "ui-journal", "group", &inner)
    };
    page.groups.iter().enumerate().map(draw).collect()
}

fn chat(sight: &Sight) -> Vec<Fragment> {
    let draw = |(i, rows): (usize, &[crate::store::ChatRow])| {
        let inner = html! {
            @for row in rows {
                p.private[row.readers.is_some()] {
                    b { (row.name) @if let Some(s) = row.seat.and_then(|s| sight.seats.get(usize::from(s))) { " (" (s.name) ")" } }
                    @if row.readers.is_some() { " to allies" } ": " (row.text)
                }
            }
        };
        fragment(format!("f-chat-{i}"), "ui-chat", "group", &inner)
    };
    sight.chat.chunks(30).enumerate().map(draw).collect()
}

/// The table as a whole page.
pub(crate) fn page(
    sight: &Sight,
    drawing: &Drawing,
    theme: Theme,
    person: Option<&PersonRow>,
    notes: &str,
    since: Option<Since>,
) -> Markup {
    let all = &drawing.fragments;
    let of = |parent: &str| {
        PreEscaped(all.iter().filter(|f| f.parent == parent).map(|f| f.html.as_str()).collect::<String>())
    };
    let drawn = &drawing.boards;
    let allied = sight.seats.len() > 2;
    let eyes = sight.seat.map_or(String::new(), |s| format!("as={s}"));
    let since = since.filter(|s| s.seen < s.moments && sight.outcome.is_none());
    let word = if theme == Theme::Dark { "dark" } else { "light" };
    let body = html! {
        main #ui-main data-table=(sight.table) data-game=(sight.game) data-seat=[sight.seat] data-theme=(word)
            data-seen=[since.map(|s| s.seen)] data-moments=[since.map(|s| s.moments)] data-plays[sight.plays()] data-person[person.is_some()] {
            section #ui-stage aria-label="The board" {
                div #ui-head { (of("ui-head")) }
                div #ui-tabs role="tablist" aria-label="Boards" {
                    @if drawn.len() > 1 { @for board in drawn.iter() { button role="tab" data-board=(board.id) { (board.name) } } }
                }
                div #ui-boards tabindex="0" role="group" aria-label="Board: arrow keys move it, plus and minus zoom, 0 fits it" {
                    @for (i, board) in drawn.iter().enumerate() {
                        div.pane.shown[i + 1 == drawn.len()] data-pane=(board.id) data-tag=(board.tag) { (PreEscaped(board.drawing.svg())) }
                    }
                    div #ui-dice aria-hidden="true" hidden[true] {}
                }
                div.zoom { button data-zoom="in" title="Closer (+)" aria-label="Closer" { "+" } button data-zoom="out" title="Farther (-)" aria-label="Farther" { "−" } button data-zoom="fit" title="Whole board (0)" aria-label="Whole board" { "⤢" } button data-zoom="open" title="To what I can choose (C)" aria-label="To what I can choose" { "◎" } }
                div #ui-since role="region" aria-label="Since you last looked" hidden[true] {
                    p { b { "Since you last looked" } span #ui-since-deed {} }
                    div { button.quiet data-since="pause" { "Pause" } button data-since="skip" { "Skip to now" } }
                }
                div #ui-why hidden[true] {}
                div #ui-menu role="menu" hidden[true] {}
            }
            div #ui-desk {
                aside #ui-side aria-label="Your seat" {
                    div #ui-room { (of("ui-room")) }
                    div #ui-prompt tabindex="-1" role="group" aria-label="What is to be decided" { (of("ui-prompt")) div #ui-hints hidden[true] {} }
                    div #ui-trays { (of("ui-trays")) }
                    div #ui-hidden hidden[true] { (of("ui-hidden")) }
                }
                section #ui-log aria-label="Journal, chat, rules" {
                    div.tabs role="tablist" aria-label="Beside the board" {
                        @for (word, name) in [("journal", "Journal"), ("chat", "Chat"), ("rules", "Rules"), ("aids", "Tables"), ("more", "More")] {
                            button data-tab=(word) id=(format!("ui-tab-{word}")) aria-selected=(if word == "journal" { "true" } else { "false" }) aria-controls=(format!("ui-body-{word}")) role="tab" { (name) }
                        }
                    }
                    div.tab.shown #ui-body-journal data-tab-body="journal" role="tabpanel" aria-labelledby="ui-tab-journal" { button.quiet #ui-earlier hidden[sight.journal.first == 0] { "Earlier" } div #ui-journal role="log" aria-live="off" { (of("ui-journal")) } }
                    div.tab #ui-body-chat data-tab-body="chat" role="tabpanel" aria-labelledby="ui-tab-chat" {
                        div #ui-chat role="log" aria-live="polite" { (of("ui-chat")) }
                        form #ui-say { input name="text" maxlength="1000" autocomplete="off" aria-label="Say something" placeholder="Say something";
                            @if allied && sight.seat.is_some() { label { input type="checkbox" name="allies"; " allies only" } }
                            button { "Say" } }
                    }
                    div.tab #ui-body-rules data-tab-body="rules" role="tabpanel" aria-labelledby="ui-tab-rules" {
                        input #ui-rule-search type="search" placeholder="Search the rules" aria-label="Search the rules";
                        div #ui-rules {}
                    }
                    div.tab #ui-body-aids data-tab-body="aids" role="tabpanel" aria-labelledby="ui-tab-aids" { div #ui-aids { (of("ui-aids")) } }
                    div.tab #ui-body-more data-tab-body="more" role="tabpanel" aria-labelledby="ui-tab-more" {
                        p { a.button href=(format!("/t/{}/replay?{eyes}", sight.table)) { "Look back" } " "
                            a.button href=(format!("/t/{}/picture.svg?{eyes}", sight.table)) download=(format!("{}.svg", sight.game)) { "Picture" } " "
                            a.button href="/next" { "Next table waiting for me" } }
                        @if person.is_some() {
                            h2 { "My notes" }
                            textarea #ui-notes rows="5" maxlength="20000" aria-label="Private notes" { (notes) }
                            p.small #ui-notes-state { "Only you can read them." }
                        }
                        @if sight.seats.iter().any(|s| s.own) {
                            h2 { "My seat" }
                            p { button.quiet data-invite=(sight.seat.unwrap_or(0)) { "Make a link to this seat" } }
                            p.links #ui-seat-link {}
                            p.small { "Whoever sits down with the link has your seat, and you have it no more: use it to hand the seat over, or to go on with another device. It is good once, and the table is told. With an account you can simply log in there." }
                            div #ui-away { (of("ui-away")) }
                            h2 { "Standing orders" }
                            form #ui-orders { textarea name="orders" rows="2" aria-label="Standing orders, one a line" placeholder="One a line; they act for you until you change them" { (sight.orders.join("\n")) } button.quiet { "Give these orders" } }
                        }
                        h2 { "Honest dice" }
                        div #ui-trust { (of("ui-trust")) }
                        h2 { "Keys" }
                        p.small { kbd { "Tab" } " goes from choice to choice, " kbd { "Enter" } " takes one; " kbd { "U" } " undoes; "
                            kbd { "+" } " " kbd { "−" } " " kbd { "0" } " zoom, " kbd { "C" } " goes to what can be chosen, arrows move the board; " kbd { "Esc" } " lets go." }
                    }
                }
            }
            div #ui-stock aria-hidden="true" { (of("ui-stock")) }
            p #ui-said .unseen role="status" aria-live="polite" {}
            div #ui-curtain hidden[true] role="dialog" aria-modal="true" aria-labelledby="ui-curtain-text" {
                p #ui-curtain-text { "Hand the screen to " b #ui-curtain-name {} "." }
                button { "I am ready" }
            }
            dialog #ui-confirm aria-label="Are you sure?" { form method="dialog" { p {} menu { button value="yes" { "Do it" } button value="no" autofocus[true] { "Do not" } } } }
            dialog #ui-show aria-label="The rule, shown" { div.frames {} form method="dialog" { button { "Close" } } }
        }
    };
    super::whole(&format!("{} · Outremer", sight.game_name), "at-table", "table.js", person, &body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::scene::gallery;

    /// The gallery as somebody at its first seat would see it.
    fn sight() -> Sight {
        let sitting = |(i, name): (usize, &str)| Seated {
            seat: i as u8,
            name: name.into(),
            kind: Kind::Person,
            player: ["Anna", "Bela", "Carl", "Dora"][i].into(),
            waiting: i == 0,
            chosen: false,
            stand_in: None,
            due: None,
            own: i == 0,
            present: true,
            nonce: None,
        };
        Sight {
            table: crate::ids::TableId::fresh(),
            game: "gallery".into(),
            game_name: "Gallery".into(),
            scenario: String::new(),
            stage: TableStage::Running,
            frozen: None,
            seats: gallery::SEATS.into_iter().enumerate().map(sitting).collect(),
            seat: Some(0),
            number: 1,
            scene: gallery::scene(),
            journal: JournalPage::default(),
            offered: ["acre", "king-guy", "card-feint", "archer"]
                .map(|id| table::Offered {
                    notation: table::Notation::new(id),
                    choice: table::scene::Choice::button(format!("Choose {id}")).at(id),
                    range: None,
                })
                .to_vec(),
            refused: Vec::new(),
            undoable: 0,
            held: false,
            can_ask_back: false,
            asked_back: None,
            orders: Vec::new(),
            outcome: None,
            reason: None,
            pace: None,
            clocks: Vec::new(),
            out_of_time: false,
            events: Vec::new(),
            claimed_by: Vec::new(),
            absence: 0,
            bot_undo: false,
            commitment: String::new(),
            seed: None,
            chat: Vec::new(),
            onlookers: 0,
            host: false,
            hints: false,
            analysis: false,
            alone: false,
            next: None,
            hand_over: None,
        }
    }

    /// The whole page; with `GALLERY` in the environment it is also written there, to be looked at.
    #[test]
    fn the_gallery_is_a_page() {
        let (sight, press) = (sight(), Press::default());
        for (theme, word) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
            let (fragments, boards) = draw(&sight, theme, &press);
            let drawing = Drawing::new(fragments.into_iter().map(Arc::new).collect(), Arc::new(boards));
            let html = page(&sight, &drawing, theme, None, "", None).into_string();
            for part in [
                "class=\"register\"",
                "class=\"sum\"",
                "class=\"throw\"",
                "class=\"track foremost\"",
                "class=\"aid\"",
                "<tr class=\"lit\"",
                "class=\"advice\"",
                "data-reach=\"templars\"",
                "data-space=\"tiberias\" data-cost=\"2\" data-danger",
                "data-label=\"83 %\"",
                "class=\"pieces spread\"",
                "data-room=\"large\"",
                "data-hex=\"hex-0-0\"",
            ] {
                assert!(html.contains(part), "the page lacks {part}");
            }
            // Symbols that are used are there.
            for used in html.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap_or("")) {
                assert!(used == "ui-main" || html.contains(&format!("id=\"{used}\"")), "{used} is not there");
            }
            if let Ok(folder) = std::env::var("GALLERY") {
                std::fs::write(format!("{folder}/{word}.html"), html).unwrap();
            }
        }
    }

    #[test]
    fn a_window_says_so_and_advice_is_for_whom_it_is() {
        let mut sight = sight();
        if let Some(prompt) = &mut sight.scene.prompt {
            prompt.window = true;
        }
        let html = prompt(&sight).into_string();
        assert!(html.contains("window") && html.contains("Raymond is besieged"), "{html}");
        sight.offered.clear();
        let html = prompt(&sight).into_string();
        assert!(!html.contains("Raymond is besieged"), "{html}");
    }
}

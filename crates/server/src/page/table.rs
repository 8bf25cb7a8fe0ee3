//! The table as a page, in fragments: each has an id and a tag (the hash of its text), so that a page that
//! has one already is sent only what changed.

use maud::{Markup, PreEscaped, html};
use picture::{Highlights, Layer, Part, board_parts, board_svg};
use table::scene::{Board, Face, Ground, Piece, Shape, Space, Tray};
use table::{Seat, Tone};

use super::Theme;
use crate::sight::{Sight, Sitting};
use crate::since::Since;
use crate::store::{Kind, PersonRow, Stage};

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
    pub(crate) tag: String,
    /// The hash of what does not move: when it changes, the board is drawn anew.
    pub(crate) ground: String,
    pub(crate) parts: Vec<Part>,
    pub(crate) svg: String,
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

/// All boards of a sight.
pub(crate) fn boards(sight: &Sight, theme: Theme) -> Vec<Drawn> {
    let seats = sight.seat_names();
    let highlights = Highlights::of(sight.offered.iter().map(|o| &o.choice)).warning(&sight.scene.warnings);
    let draw = |board: &Board| {
        let svg = board_svg(board, &seats, &highlights, &theme.style());
        let bare = Board { pieces: Vec::new(), spaces: Vec::new(), links: Vec::new(), ..board.clone() };
        let ground = format!("{bare:?} {theme:?}");
        Drawn {
            id: board.id.clone(),
            name: board.name.clone(),
            tag: tag_of(&svg),
            ground: tag_of(&ground),
            parts: board_parts(board, &seats, &highlights, &theme.style()),
            svg,
        }
    };
    sight.scene.boards.iter().map(draw).collect()
}

/// The name of a layer's group.
pub(crate) const fn layer_name(layer: Layer) -> &'static str {
    layer.class()
}

/// All fragments of a sight, in the order of the page.
pub(crate) fn fragments(sight: &Sight, theme: Theme) -> Vec<Fragment> {
    let mut all = vec![
        fragment("f-title", "ui-head", "title", &title(sight)),
        fragment("f-people", "ui-head", "people", &people(sight, theme)),
        fragment("f-room", "ui-room", "room", &room(sight)),
        fragment("f-prompt", "ui-prompt", "prompt", &prompt(sight)),
        fragment("f-chosen", "ui-prompt", "chosen", &who_has_chosen(sight)),
        fragment("f-clock", "ui-prompt", "clock", &super::clock::clocks(sight)),
        fragment("f-asked", "ui-prompt", "asked", &asked(sight)),
        fragment("f-choices", "ui-prompt", "choices", &choices(sight)),
        fragment("f-back", "ui-prompt", "takeback", &back(sight)),
        fragment("f-warnings", "ui-prompt", "warnings", &warnings(sight)),
        fragment("f-tracks", "ui-trays", "tracks", &tracks(sight)),
        fragment("f-trays", "ui-trays", "trays", &trays(sight, theme)),
        fragment("f-refused", "ui-hidden", "refused", &refused(sight)),
        fragment("f-state", "ui-hidden", "state", &state(sight)),
        fragment("f-trust", "ui-trust", "trust", &trust(sight)),
    ];
    if sight.seats.iter().any(|s| s.own) {
        all.push(fragment("f-away", "ui-away", "absence", &super::clock::absence(sight)));
    }
    all.extend(journal(sight));
    all.extend(chat(sight));
    all
}

fn rule_link(sight: &Sight, rule: impl std::fmt::Display) -> Markup {
    let rule = rule.to_string();
    html! { a.rule href=(format!("/rules/{}#r-{rule}", sight.game)) data-rule=(rule) { (rule) } }
}

fn title(sight: &Sight) -> Markup {
    html! {
        a.home href="/" aria-label="Lobby" { (super::emblem()) }
        h1 { (sight.game_name) }
        p.when {
            @match sight.stage {
                Stage::Gathering => { "The table is being filled" }
                _ => { (sight.scene.title) }
            }
        }
    }
}

/// The back of a seat's block, as its sign.
fn seat_sign(seats: &[String], seat: Seat, theme: Theme) -> Markup {
    let piece = Piece {
        id: "sign".into(),
        space: "at".into(),
        owner: Some(seat),
        face: Face::Hidden,
        text: String::new(),
    };
    block_svg(piece, seats, theme, false)
}

/// A single piece as a picture of its own.
fn block_svg(piece: Piece, seats: &[String], theme: Theme, open: bool) -> Markup {
    let id = piece.id.clone();
    let board = Board {
        id: "one".into(),
        name: String::new(),
        width: 200,
        height: 200,
        ground: Ground::Plain,
        spaces: vec![Space {
            id: "at".into(),
            name: String::new(),
            x: 100,
            y: 100,
            shape: Shape::Circle { r: 40 },
            holder: None,
            badge: String::new(),
            region: String::new(),
            prize: false,
        }],
        links: Vec::new(),
        pieces: vec![Piece { space: "at".into(), ..piece }],
    };
    let highlights = if open { Highlights::on([id]) } else { Highlights::default() };
    let parts = board_parts(&board, seats, &highlights, &theme.style());
    let svg = parts.iter().find(|p| p.layer == Layer::Pieces).map_or("", |p| p.svg.as_str());
    html! { svg.block viewBox="87 87 26 26" font-family=(picture::FONTS) { (PreEscaped(svg)) } }
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
    if sight.stage != Stage::Gathering {
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
                        Kind::Open | Kind::Invited => {
                            @if s.kind == Kind::Open && !sight.host {
                                button data-sit=(s.seat) { "Sit down here" }
                            } @else {
                                "waiting for somebody "
                                @if sight.host { button data-invite=(s.seat) { "Make an invitation link" } }
                                @if s.kind == Kind::Open { " " button.quiet data-sit=(s.seat) { "Sit here myself" } }
                            }
                        }
                    }
                }
            }
        }
        p.links id="ui-links" {}
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

fn prompt(sight: &Sight) -> Markup {
    if let Some(why) = &sight.frozen {
        return html! {
            p.alarm { b { "This table has stopped." } " A rule of the game failed, so it stands at its last good entry. "
                a href=(format!("/t/{}/record", sight.table)) { "Download the record" } }
            p.small { (why) }
        };
    }
    let plays = sight.seats.iter().any(|s| s.own);
    let eyes = sight.seat.map_or(String::new(), |s| format!("as={s}"));
    if let Some(outcome) = &sight.outcome {
        return html! {
            p.over { b { (outcome.headline) } " " (rule_link(sight, outcome.rule)) }
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
            div #ui-turnings data-now=[(plays && sight.hints).then_some("yes")] {
                button.quiet data-turnings { "Three turning points" }
            }
        };
    }
    let Some(prompt) = sight.scene.prompt.as_ref().filter(|_| sight.stage != Stage::Over) else {
        return html! {};
    };
    let yours = sight.to_decide();
    // In a guided scenario a sentence of advice follows what is to be decided.
    let (what, advice) = match prompt.text.split_once(". ") {
        Some((what, advice)) if sight.next.is_some() => (what, advice),
        _ => (prompt.text.as_str(), ""),
    };
    html! {
        p.yours[yours] tabindex="-1" {
            (what) " " (rule_link(sight, prompt.rule))
            @if !advice.is_empty() { span.advice { (advice) } }
        }
    }
}

/// Who has chosen in secret and who has not, while not all have.
fn who_has_chosen(sight: &Sight) -> Markup {
    let names = |seats: Vec<&Sitting>| {
        let me = |s: &Sitting| sight.seat == Some(s.seat) && s.own;
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
    if sight.frozen.is_some() || sight.stage == Stage::Over || sight.offered.is_empty() {
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
                        summary { b { (deed) } " · " (offers.len()) }
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
    if sight.frozen.is_some() || sight.stage == Stage::Over {
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
                        li data-show=[&warning.target] { (warning.text) " " (rule_link(sight, warning.rule)) }
                    }
                }
            }
        }
    }
}

fn tracks(sight: &Sight) -> Markup {
    html! {
        @for track in &sight.scene.tracks {
            div.track data-id=(track.id) {
                span.label { (track.name) }
                ol {
                    @for (i, name) in track.boxes.iter().enumerate() {
                        @let here: Vec<_> = track.markers.iter().filter(|m| m.at == i).collect();
                        li.here[!here.is_empty()] title=[(!here.is_empty()).then(|| here.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(", "))] {
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
}

fn trays(sight: &Sight, theme: Theme) -> Markup {
    let open: std::collections::BTreeSet<&str> =
        sight.offered.iter().flat_map(|o| &o.choice.targets).map(String::as_str).collect();
    let names = sight.seat_names();
    let own = |tray: &&Tray| tray.owner.is_some_and(|o| sight.seat == Some(o.into()));
    let (mine, rest): (Vec<_>, Vec<_>) = sight.scene.trays.iter().partition(own);
    html! {
        @for tray in mine.into_iter().chain(rest).filter(|t| !t.pieces.is_empty() || !t.note.is_empty()) {
            @let chosen = tray.pieces.iter().any(|p| open.contains(p.id.as_str()));
            @let pieces = html! {
                div.pieces {
                    @for piece in &tray.pieces { (in_tray(piece, &names, theme, open.contains(piece.id.as_str()))) }
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

fn in_tray(piece: &Piece, names: &[String], theme: Theme, open: bool) -> Markup {
    match &piece.face {
        Face::Shown { name, left, right, pips: (_, 0), lit, spent }
            if left.is_empty() && right.is_empty() =>
        {
            let mut class = format!("card seat-{}", piece.owner.map_or(8, Seat::index));
            for (is, word) in [(open, " open"), (*lit, " lit"), (*spent, " spent")] {
                class.push_str(if is { word } else { "" });
            }
            html! {
                span class=(class) data-id=(piece.id) data-name=(name) tabindex=(if open { "0" } else { "-1" }) role="img"
                    aria-label=(piece.text) title=(piece.text) {
                    (name)
                }
            }
        }
        _ => block_svg(piece.clone(), names, theme, open),
    }
}

/// Why not: one line for each target that may not be chosen.
fn refused(sight: &Sight) -> Markup {
    let mut lines: Vec<(&str, &str, String)> = Vec::new();
    for refusal in &sight.refused {
        for target in &refusal.targets {
            let line = (target.as_str(), refusal.why.as_str(), refusal.rule.to_string());
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
            p { button data-verify { "Verify all dice" } span #ui-verified role="status" {} }
            p.small { "The fingerprint was shown before anybody gave a number. The record with its seed rolls every die again: "
                code { "outremer replay --check" } "." }
        } @else {
            p.small { "The seed is shown when the game is over; then anybody can check every die." }
        }
    }
}

/// The journal in groups, one for each heading, long ones cut.
fn journal(sight: &Sight) -> Vec<Fragment> {
    const LONGEST: usize = 40;
    let mut groups: Vec<Vec<&table::Line>> = Vec::new();
    for line in &sight.journal {
        match groups.last_mut() {
            Some(group) if line.tone != Tone::Heading && group.len() < LONGEST => group.push(line),
            _ => groups.push(vec![line]),
        }
    }
    let draw = |(i, group): (usize, Vec<&table::Line>)| {
        let inner = html! {
            @for line in group {
                @match line.tone {
                    Tone::Heading => { h3 { (line.text) } }
                    tone => {
                        p.table[tone == Tone::Table] { (line.text) @if let Some(rule) = line.rule { " " (rule_link(sight, rule)) } }
                    }
                }
            }
        };
        fragment(format!("f-journal-{i}"), "ui-journal", "group", &inner)
    };
    groups.into_iter().enumerate().map(draw).collect()
}

fn chat(sight: &Sight) -> Vec<Fragment> {
    let draw = |(i, rows): (usize, &[crate::store::ChatRow])| {
        let inner = html! {
            @for row in rows {
                p.private[row.readers != 0] {
                    b { (row.name) @if let Some(s) = row.seat.and_then(|s| sight.seats.get(usize::from(s))) { " (" (s.name) ")" } }
                    @if row.readers != 0 { " to allies" } ": " (row.text)
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
    theme: Theme,
    person: Option<&PersonRow>,
    notes: &str,
    since: Option<Since>,
) -> Markup {
    let all = fragments(sight, theme);
    let of = |parent: &str| {
        PreEscaped(all.iter().filter(|f| f.parent == parent).map(|f| f.html.as_str()).collect::<String>())
    };
    let drawn = boards(sight, theme);
    let allied = sight.seats.len() > 2;
    let eyes = sight.seat.map_or(String::new(), |s| format!("as={s}"));
    let since = since.filter(|s| s.seen < s.moments && sight.outcome.is_none());
    let word = if theme == Theme::Dark { "dark" } else { "light" };
    let body = html! {
        main #ui-main data-table=(sight.table) data-game=(sight.game) data-seat=[sight.seat] data-theme=(word)
            data-seen=[since.map(|s| s.seen)] data-moments=[since.map(|s| s.moments)] data-plays[sight.seats.iter().any(|s| s.own)] {
            section #ui-stage aria-label="The board" {
                div #ui-head { (of("ui-head")) }
                div #ui-tabs role="tablist" aria-label="Boards" {
                    @if drawn.len() > 1 { @for board in &drawn { button role="tab" data-board=(board.id) { (board.name) } } }
                }
                div #ui-boards tabindex="0" role="group" aria-label="Board: arrow keys move it, plus and minus zoom, 0 fits it" {
                    @for (i, board) in drawn.iter().enumerate() {
                        div.pane.shown[i + 1 == drawn.len()] data-pane=(board.id) data-tag=(board.tag) { (PreEscaped(&board.svg)) }
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
                    div #ui-prompt { (of("ui-prompt")) div #ui-hints hidden[true] {} }
                    div #ui-trays { (of("ui-trays")) }
                    div #ui-hidden hidden[true] { (of("ui-hidden")) }
                }
                section #ui-log aria-label="Journal, chat, rules" {
                    div.tabs role="tablist" aria-label="Beside the board" {
                        @for (word, name) in [("journal", "Journal"), ("chat", "Chat"), ("rules", "Rules"), ("more", "More")] {
                            button data-tab=(word) id=(format!("ui-tab-{word}")) aria-selected=(if word == "journal" { "true" } else { "false" }) aria-controls=(format!("ui-body-{word}")) role="tab" { (name) }
                        }
                    }
                    div.tab.shown #ui-body-journal data-tab-body="journal" role="tabpanel" aria-labelledby="ui-tab-journal" { div #ui-journal role="log" aria-live="off" { (of("ui-journal")) } }
                    div.tab #ui-body-chat data-tab-body="chat" role="tabpanel" aria-labelledby="ui-tab-chat" {
                        div #ui-chat role="log" aria-live="polite" { (of("ui-chat")) }
                        @if person.is_some() {
                            form #ui-say { input name="text" maxlength="1000" autocomplete="off" aria-label="Say something" placeholder="Say something";
                                @if allied && sight.seat.is_some() { label { input type="checkbox" name="allies"; " allies only" } }
                                button { "Say" } }
                        }
                    }
                    div.tab #ui-body-rules data-tab-body="rules" role="tabpanel" aria-labelledby="ui-tab-rules" {
                        input #ui-rule-search type="search" placeholder="Search the rules" aria-label="Search the rules";
                        div #ui-rules {}
                    }
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
                            p.small { "Whoever has the link can play your seat: use it to go on with another device." }
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

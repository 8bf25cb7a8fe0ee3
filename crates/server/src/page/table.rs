//! The table as a page, in fragments: each has an id and a tag (the hash of its text), so that a page that
//! has one already is sent only what changed.

use std::sync::Arc;

use maud::{Markup, PreEscaped, html};
use picture::{Highlights, Layer, Loose, Press};
use table::scene::{Board, Piece, Room};
use table::{JournalPage, Line, Seat, Tone};

use super::Theme;
use crate::easel::Drawing;
use crate::sight::{CHAT_GROUP, Sight};
use crate::since::Since;
use crate::store::{Kind, PersonRow, TableStage};

mod bar;
mod end;
mod figures;
mod marks;
mod orders;
mod room;

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
    let mut fragments = fragments(sight, &loose);
    fragments.extend(sight.seats.iter().map(|s| {
        let sign = seat_sign(&names, Seat::new(s.seat), theme);
        fragment(format!("f-sign-{}", s.seat), "ui-stock", "stock", &sign)
    }));
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
fn fragments(sight: &Sight, loose: &Loose<'_>) -> Vec<Fragment> {
    let mut all = vec![
        fragment("f-title", "ui-head", "title", &title(sight)),
        people_fragment(sight),
        fragment("f-room", "ui-room", "room", &room::room(sight)),
        fragment("f-back", "ui-undo", "takeback", &bar::back(sight)),
        fragment("f-watching", "ui-ask", "watching", &bar::watching(sight)),
        fragment("f-prompt", "ui-ask", "prompt", &bar::prompt(sight)),
        fragment("f-chosen", "ui-ask", "chosen", &bar::who_has_chosen(sight)),
        fragment("f-asked", "ui-ask", "asked", &bar::asked(sight)),
        fragment("f-choices", "ui-actions", "choices offers", &bar::choices(sight)),
        fragment("f-end", "ui-first", "end", &end::end(sight)),
        fragment("f-clock", "ui-first", "clock", &super::clock::clocks(sight)),
        fragment("f-warnings", "ui-first", "warnings", &bar::warnings(sight)),
        fragment("f-list", "ui-first", "choices offers", &bar::list(sight)),
        fragment("f-throws", "ui-trays", "throws", &figures::throws(sight, loose)),
        fragment("f-tracks", "ui-trays", "tracks", &figures::tracks(sight)),
        fragment("f-trays", "ui-trays", "trays", &figures::trays(sight, loose)),
        fragment("f-orders", "ui-orders-given", "orders", &orders::orders(sight)),
        fragment("f-register", "ui-figures", "registers", &figures::register(sight, loose)),
        fragment("f-sums", "ui-figures", "sums", &figures::sums(sight, loose)),
        fragment("f-aids", "ui-aids", "aids", &figures::aids(sight)),
        fragment("f-refused", "ui-hidden", "refused", &marks::refused(sight)),
        fragment("f-state", "ui-hidden", "state", &marks::state(sight)),
        fragment("f-trust", "ui-trust", "trust", &trust(sight)),
    ];
    if sight.seats.iter().any(|s| s.own) {
        all.push(fragment("f-away", "ui-away", "absence", &super::clock::absence(sight)));
    }
    all.extend(marks::stacks(sight).iter().map(|(id, stack)| fragment(id, "ui-stacks", "stack", stack)));
    all.extend(journal(&sight.game, &sight.journal));
    all.extend(chat(sight, sight.chat_from, &sight.chat));
    all
}

fn people_fragment(sight: &Sight) -> Fragment {
    fragment("f-people", "ui-head", "people", &people(sight))
}

/// The same fragments after people came or went.
pub(crate) fn people_again(old: &[Arc<Fragment>], sight: &Sight) -> Vec<Arc<Fragment>> {
    let people = Arc::new(people_fragment(sight));
    old.iter().map(|f| if f.id == people.id { people.clone() } else { f.clone() }).collect()
}

fn rule_link(game: &str, rule: impl std::fmt::Display) -> Markup {
    let rule = rule.to_string();
    html! { a.rule href=(format!("/rules/{game}#r-{rule}")) data-rule=(rule) { (rule) } }
}

fn title(sight: &Sight) -> Markup {
    html! {
        a.home href="/" aria-label="Lobby" { (super::emblem()) }
        p.game { (sight.game_name) }
        p.when {
            @match sight.stage {
                TableStage::Gathering => { "The table is being filled" }
                _ => { (sight.scene.title) }
            }
        }
    }
}

/// The back of a seat's block, as its sign: drawn once, and used wherever its people are listed.
fn seat_sign(seats: &[String], seat: Seat, theme: Theme) -> Markup {
    let press = Press::default();
    let loose = press.loose(seats, &theme.style());
    let piece = Piece { id: format!("sign-of-{}", seat.index()), owner: Some(seat), ..Piece::default() };
    let svg = loose.piece(&piece, false, 40.0);
    html! {
        (PreEscaped(loose.stock()))
        svg width="0" height="0" { defs { g id=(format!("sign-{}", seat.index())) { (PreEscaped(svg)) } } }
    }
}

fn people(sight: &Sight) -> Markup {
    html! {
        ul {
            @for s in &sight.seats {
                li.waiting[s.waiting].own[s.own].viewing[sight.seat == Some(s.seat)] {
                    span.sign { svg.single aria-hidden="true" { use href=(format!("#sign-{}", s.seat)) {} } }
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

/// The dice that a line tells of, each with `+` for a hit and `-` for a miss.
fn dice(line: &Line) -> Option<String> {
    let die = |die: table::scene::Die| match die.hit {
        Some(true) => format!("{}+", die.result),
        Some(false) => format!("{}-", die.result),
        None => die.result.to_string(),
    };
    let all: Vec<_> = line.dice().map(die).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// A page of the journal, a fragment for each group of lines.
pub(crate) fn journal(game: &str, page: &JournalPage) -> Vec<Fragment> {
    let draw = |(i, group): (usize, &Vec<Line>)| {
        let inner = html! {
            @for line in group {
                @match line.tone {
                    Tone::Heading => { h3 { (line.text) } }
                    tone => {
                        p.table[tone == Tone::Table] data-dice=[dice(line)] { (line.text) @if let Some(rule) = line.rule { " " (rule_link(game, rule)) } }
                    }
                }
            }
        };
        fragment(format!("f-journal-{}", page.first + i), "ui-journal", "group", &inner)
    };
    page.groups.iter().enumerate().map(draw).collect()
}

/// Who besides the speaker may read a word.
fn heard_by(sight: &Sight, readers: table::SeatSet, by: Option<u8>) -> String {
    let name = |s: Seat| sight.seats.get(s.index()).map(|s| s.name.as_str());
    let names: Vec<_> = readers.iter().filter(|s| Some(u8::from(*s)) != by).filter_map(name).collect();
    if names.is_empty() { "nobody".into() } else { names.join(", ") }
}

/// What was said, a fragment for each group, the first of which comes after so much.
pub(crate) fn chat(sight: &Sight, from: usize, rows: &[crate::store::ChatRow]) -> Vec<Fragment> {
    let draw = |(i, rows): (usize, &[crate::store::ChatRow])| {
        let inner = html! {
            @for row in rows {
                p.private[row.readers.is_some()] {
                    b { (row.name) @if let Some(s) = row.seat.and_then(|s| sight.seats.get(usize::from(s))) { " (" (s.name) ")" } }
                    @if let Some(readers) = row.readers { " to " (heard_by(sight, readers, row.seat)) } ": " (row.text)
                }
            }
        };
        fragment(format!("f-chat-{}", from / CHAT_GROUP + i), "ui-chat", "group", &inner)
    };
    rows.chunks(CHAT_GROUP).enumerate().map(draw).collect()
}

/// Who shall hear what is said: everybody, unless somebody is chosen.
fn hearers(sight: &Sight) -> Markup {
    let me = sight.seat.filter(|s| sight.seats.get(usize::from(*s)).is_some_and(|s| s.own));
    let others: Vec<_> =
        sight.seats.iter().filter(|s| Some(s.seat) != me && s.kind == Kind::Person).collect();
    if me.is_none() || sight.seats.iter().filter(|s| s.kind != Kind::Nobody).count() < 3 || others.is_empty()
    {
        return html! {};
    }
    html! {
        details.hearers {
            summary { "To " b { "all" } }
            label { input type="checkbox" name="allies"; " allies" }
            @for s in others { label { input type="checkbox" name="to" value=(s.seat) data-called=(s.name); " " (s.name) small { " " (s.player) } } }
        }
    }
}

/// All keys of the table: what they do, and where they are said to do it.
const KEYS: [(&str, &[(&str, &str)]); 4] = [
    (
        "Pieces",
        &[
            ("click, tap", "take a piece into the hand, or out of it"),
            ("double click", "all alike; where none is, the whole stack"),
            ("A", "the whole stack"),
            ("Shift click", "all pieces of a place"),
            ("Tab", "from one thing that can be chosen to the next"),
            ("Enter", "choose it"),
            ("N", "the next thing that can be chosen, in the middle"),
            ("Esc", "let go"),
        ],
    ),
    (
        "Deciding",
        &[
            ("Space", "the main button"),
            ("1 to 9", "a button of the action bar, from the left"),
            ("U, Ctrl Z", "undo"),
            ("H", "a hint, where they are allowed"),
        ],
    ),
    (
        "Board",
        &[
            ("+ −", "closer, farther"),
            ("0", "fit: all, width, what matters now"),
            ("C", "to what can be chosen"),
            ("arrows", "move the board, when it has the focus"),
            ("T", "arrows of what moved"),
            ("B", "the next board"),
            ("P", "fold the panels"),
        ],
    ),
    (
        "Beside it",
        &[
            ("L", "journal"),
            ("R", "rules"),
            ("S", "say something"),
            ("O", "standing orders"),
            ("Left Right", "one step, when looking back; Up and Down a turn, < and > the speed"),
            ("?", "this page"),
        ],
    ),
];

/// The page that lists the keys.
fn keys() -> Markup {
    html! {
        dialog #ui-keys aria-labelledby="ui-keys-title" {
            h2 #ui-keys-title { "Keys" }
            div { @for (heading, keys) in KEYS {
                section { h3 { (heading) } dl { @for (key, what) in keys { dt { kbd { (key) } } dd { (what) } } } }
            } }
            form method="dialog" { button { "Close" } }
        }
    }
}

/// What a page has besides what everybody with the same eyes sees.
#[derive(Clone, Copy, Default)]
pub(crate) struct Manner<'a> {
    /// The reader's own notes.
    pub(crate) notes: &'a str,
    /// What happened since he last looked.
    pub(crate) since: Option<Since>,
    /// If it begins by looking back.
    pub(crate) back: Option<&'a Back>,
}

/// Looking back at a game.
pub(crate) struct Back {
    /// How many moments there are.
    pub(crate) moments: usize,
    /// Through whose eyes it can be seen.
    pub(crate) eyes: Vec<(u8, String)>,
    /// Whether the reader may play on from a moment.
    pub(crate) branches: bool,
}

/// Which of several boards lies on top: the last of those that want most room, so a battle before its map, and what
/// can be folded only where there is nothing else.
pub(crate) fn foremost(boards: &[Board]) -> Option<usize> {
    let room = |board: &Board| match board.room {
        Room::Small => 0,
        Room::Usual => 1,
        Room::Large => 2,
    };
    (0..boards.len()).max_by_key(|i| room(&boards[*i]))
}

/// The table as a whole page.
pub(crate) fn page(
    sight: &Sight,
    drawing: &Drawing,
    theme: Theme,
    person: Option<&PersonRow>,
    manner: &Manner<'_>,
) -> Markup {
    let Manner { notes, since, back } = *manner;
    let all = &drawing.fragments;
    let of = |parent: &str| {
        PreEscaped(all.iter().filter(|f| f.parent == parent).map(|f| f.html.as_str()).collect::<String>())
    };
    let drawn = &drawing.boards;
    let front = foremost(&sight.scene.boards);
    let eyes = sight.seat.map_or(String::new(), |s| format!("as={s}"));
    let since = since.filter(|s| s.seen < s.moments && sight.outcome.is_none());
    let word = if theme == Theme::Dark { "dark" } else { "light" };
    let body = html! {
        main #ui-main data-table=(sight.table) data-game=(sight.game) data-seat=[sight.seat] data-theme=(word)
            data-seen=[since.map(|s| s.seen)] data-moments=[since.map(|s| s.moments)] data-replay=[back.map(|b| b.moments)] data-plays[sight.plays()] data-person[person.is_some()] {
            h1.unseen { (sight.game_name) }
            section #ui-prompt tabindex="-1" aria-label="What is to be decided" {
                div #ui-undo { (of("ui-undo")) }
                div #ui-ask { (of("ui-ask")) }
                div #ui-why role="status" hidden[true] {}
                div #ui-menu role="group" aria-label="What do you mean?" hidden[true] {}
                div #ui-actions { (of("ui-actions")) }
            }
            section #ui-stage aria-label="The board" {
                div #ui-tabs role="tablist" aria-label="Boards" {
                    @if drawn.len() > 1 { @for board in drawn.iter() { button role="tab" data-board=(board.id) { (board.name) } } }
                }
                div #ui-boards tabindex="0" role="group" aria-label="Board: arrow keys move it, plus and minus zoom, 0 fits it" {
                    @for (i, board) in drawn.iter().enumerate() {
                        div.pane.shown[Some(i) == front] data-pane=(board.id) data-tag=(board.tag) { (PreEscaped(board.drawing.svg())) }
                    }
                    @if drawn.is_empty() { img.backdrop src=(format!("/g/{}/cover.svg?theme={word}", sight.game)) alt=""; }
                    div #ui-dice aria-hidden="true" hidden[true] {}
                }
                div.zoom {
                    button data-zoom="in" title="Closer (+)" aria-label="Closer" { "+" }
                    button data-zoom="out" title="Farther (-)" aria-label="Farther" { "−" }
                    button data-zoom="fit" title="Fit: all, width, what matters now (0)" aria-label="Fit the board" { "⤢" }
                    button data-zoom="open" title="To what I can choose (C)" aria-label="To what I can choose" { "◎" }
                    button data-traces aria-pressed="true" title="Arrows of what moved (T)" aria-label="Arrows of what moved" { "↝" }
                }
                div #ui-look role="region" aria-label="Looking back" hidden[true] {
                    button.quiet data-look="-1" title="One step back (Left)" aria-label="One step back" { "◀" }
                    button.quiet data-look="run" title="Play (Space)" aria-pressed="false" { "Play" }
                    button.quiet data-look="1" title="One step on (Right)" aria-label="One step on" { "▶" }
                    input #ui-look-at type="range" min="0" max="0" value="0" aria-label="Moment";
                    output #ui-look-moment {}
                    button.quiet data-look="slower" title="Slower (<)" aria-label="Slower" { "−" }
                    output #ui-look-speed { "1×" }
                    button.quiet data-look="faster" title="Faster (>)" aria-label="Faster" { "+" }
                    @if let Some(back) = back.filter(|b| b.eyes.len() > 1) {
                        label #ui-look-eyes { span.unseen { "Through the eyes of" }
                            select { @for (seat, name) in &back.eyes { option value=(seat) selected[sight.seat == Some(*seat)] { (name) } } } }
                    }
                    @if back.is_some_and(|b| b.branches) {
                        form.inline method="post" action=(format!("/t/{}/branch", sight.table)) {
                            input data-branch="at" type="hidden" name="at" value="";
                            input data-branch="as" type="hidden" name="as" value="";
                            button.quiet name="others" value="me" title="All seats are mine" { "Play on from here" }
                            @if sight.seats.len() > 1 { " " button.quiet name="others" value="bots" { "…against bots" } }
                        }
                    }
                    button data-look="now" { "Back to now" }
                }
            }
            div #ui-desk {
                button #ui-fold aria-expanded="true" aria-controls="ui-side ui-log" title="Fold the panels away (P)" aria-label="Fold the panels away" { span aria-hidden="true" {} }
                aside #ui-side aria-label="Your seat" {
                    div #ui-head { (of("ui-head")) div.who { @match person { Some(person) => { a href="/you" title="Your name and account" { (person.name) } } None => { a href="/you" { "Who are you?" } } } } }
                    div #ui-room { (of("ui-room")) }
                    div #ui-hints hidden[true] {}
                    div #ui-first { (of("ui-first")) }
                    div #ui-trays { (of("ui-trays")) }
                    details #ui-orders-box data-key="orders-box" { summary { "Standing orders" } div #ui-orders-given { (of("ui-orders-given")) }
                        @if sight.seats.iter().any(|s| s.own) {
                            details { summary.small { "Write them" }
                                form #ui-orders { textarea name="orders" rows="2" aria-label="Standing orders, one a line" placeholder="One a line; they act for you until you change them" { (sight.orders.join("\n")) } button.quiet { "Give these orders" } } }
                        }
                    }
                    div #ui-figures { (of("ui-figures")) }
                    div #ui-hidden hidden[true] { (of("ui-hidden")) div #ui-stacks { (of("ui-stacks")) } }
                }
                section #ui-tray aria-label="The stack" hidden[true] {}
                section #ui-log aria-label="Journal, chat, rules" {
                    h2.unseen { "Beside the board" }
                    div.tabs role="tablist" aria-label="Beside the board" {
                        @for (word, name) in [("journal", "Journal"), ("chat", "Chat"), ("rules", "Rules"), ("aids", "Tables"), ("more", "More")] {
                            button data-tab=(word) id=(format!("ui-tab-{word}")) aria-selected=(if word == "journal" { "true" } else { "false" }) aria-controls=(format!("ui-body-{word}")) role="tab" { (name) }
                        }
                    }
                    div.tab.shown #ui-body-journal data-tab-body="journal" role="tabpanel" aria-labelledby="ui-tab-journal" { button.quiet #ui-earlier hidden[sight.journal.first == 0] { "Earlier" } div #ui-journal role="log" aria-live="off" { (of("ui-journal")) } }
                    div.tab #ui-body-chat data-tab-body="chat" role="tabpanel" aria-labelledby="ui-tab-chat" {
                        button.quiet #ui-said-before hidden[sight.chat_from == 0] { "Earlier" }
                        div #ui-chat role="log" aria-live="polite" { (of("ui-chat")) }
                        form #ui-say { input name="text" maxlength="1000" autocomplete="off" aria-label="Say something" placeholder="Say something";
                            (hearers(sight))
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
                            a.button href="/next" { "Next table waiting for me" } " "
                            button.quiet data-keys { "Keys" } }
                        p { label { input #ui-sound type="checkbox"; " Sounds" } }
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
                        }
                        h2 { "Honest dice" }
                        div #ui-trust { (of("ui-trust")) }
                    }
                }
            }
            div #ui-stock aria-hidden="true" { (of("ui-stock")) }
            p #ui-said .unseen role="status" aria-live="polite" {}
            div #ui-curtain hidden[true] role="dialog" aria-modal="true" aria-labelledby="ui-curtain-text" {
                p #ui-curtain-text { "Hand the screen to " b #ui-curtain-name {} "." }
                button { "I am ready" }
            }
            (keys())
            dialog #ui-show aria-label="The rule, shown" { div.frames {} form method="dialog" { button { "Close" } } }
        }
    };
    super::whole(&format!("{} · Outremer", sight.game_name), "at-table", "table.js", person, &body)
}

#[cfg(test)]
mod tests {
    use super::bar::prompt;
    use super::*;
    use crate::sight::Seated;
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
            standing: Vec::new(),
            offered_orders: Vec::new(),
            drafted: Vec::new(),
            draw_offered: None,
            luck: Vec::new(),
            margin: None,
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
            chat_from: 0,
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
            let html = page(&sight, &drawing, theme, None, &Manner::default()).into_string();
            for part in [
                "class=\"register\"",
                "class=\"sum\"",
                "class=\"throw\"",
                "class=\"track foremost\"",
                "class=\"aid\"",
                "<tr class=\"lit\"",
                "class=\"advice\"",
                "data-space=\"tiberias\" data-cost=\"2\" data-end=\"true\"",
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

    #[test]
    fn a_stopped_order_says_why_and_given_ones_can_be_sorted() {
        let mut sight = sight();
        let order = |notation: &str, stopped| crate::sight::Standing {
            notation: notation.into(),
            label: crate::page::sentence(notation),
            hint: "What it does".into(),
            stopped,
        };
        sight.standing = vec![
            order("march to Acre", Some(("5.1".into(), "the road is full".into()))),
            order("fire always", None),
        ];
        let html = orders::orders(&sight).into_string();
        assert!(html.contains("Stopped: the road is full") && html.contains("data-rule=\"5.1\""), "{html}");
        assert_eq!(html.matches("data-order-move").count(), 4, "{html}");
        assert_eq!(html.matches("data-given").count(), 2, "{html}");
        // Whoever does not play has none.
        sight.seats[0].own = false;
        assert_eq!(orders::orders(&sight).into_string(), "");
    }

    #[test]
    fn the_main_button_is_what_the_game_says_and_else_gives_nothing_up() {
        use table::scene::Choice;
        let offer = |notation: &str, choice: Choice| table::Offered {
            notation: table::Notation::new(notation),
            choice,
            range: None,
        };
        let mut sight = sight();
        let main = |sight: &Sight| {
            let html = bar::choices(sight).into_string();
            let at = html.find("class=\"main\"")?;
            html[at..].split("data-act=\"").nth(1)?.split('"').next().map(String::from)
        };
        let (go, stay) =
            (offer("storm", Choice::button("Storm")), offer("stay", Choice::button("Stay").refusal()));
        sight.offered = vec![stay.clone(), go.clone()];
        assert_eq!(main(&sight).as_deref(), Some("storm"), "refusing is never the main button");
        sight.offered = vec![stay.clone()];
        assert_eq!(main(&sight).as_deref(), Some("stay"), "unless there is nothing else");
        let risky = offer("charge", Choice::button("Charge").confirm("Sure?"));
        sight.offered = vec![risky, go.clone(), offer("end", Choice::button("End").main())];
        assert_eq!(main(&sight).as_deref(), Some("end"), "the game knows best");
        sight.offered.pop();
        assert_eq!(main(&sight).as_deref(), Some("storm"), "what gives something up is not pressed by habit");
    }

    #[test]
    fn the_end_tells_margin_and_dice() {
        let mut sight = sight();
        sight.stage = TableStage::Over;
        sight.outcome = Some(table::Outcome {
            winners: table::SeatSet::only(Seat::new(0)),
            first: None,
            headline: "Frank wins",
            rule: table::rule!("1.2"),
            scores: [7, 3, 0, 0, 0, 0, 0, 0],
        });
        sight.margin = Some(4);
        sight.luck = vec![crate::sight::Luck { seat: 1, dice: 4, sum: 10, expected: 14.0 }];
        let html = end::end(&sight).into_string();
        for part in ["Frank wins", "won by 4", "2.50", "3.50", "data-turnings"] {
            assert!(html.contains(part), "no {part} in {html}");
        }
    }
}

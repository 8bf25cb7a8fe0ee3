//! The lobby: the games, a new table, open tables, my tables.

use maud::{Markup, html};
use table::Title;

use crate::accounts::ShownSession;
use crate::bots::LEVELS;
use crate::store::{Kind, PersonRow, SeatRow, TableRow, TableStage, held_by};

/// What the lobby shows.
pub(crate) struct Lobby<'a> {
    pub(crate) games: Vec<&'a Title>,
    pub(crate) person: Option<&'a PersonRow>,
    pub(crate) mine: &'a [(TableRow, Vec<SeatRow>)],
    pub(crate) open: &'a [(TableRow, Vec<SeatRow>)],
    pub(crate) running: &'a [(TableRow, Vec<SeatRow>)],
}

/// Minutes in words.
fn length(minutes: u16) -> String {
    match minutes {
        0..90 => format!("{minutes} min"),
        _ => format!("{} h", (minutes + 30) / 60),
    }
}

/// How long the longest scenario of a game takes.
fn longest(title: &Title) -> u16 {
    title.scenarios.iter().map(|s| s.minutes).max().unwrap_or(0)
}

/// Whether a game is there to try the table with: it is over within half an hour, and has a page of rules.
fn is_toy(title: &Title) -> bool {
    longest(title) <= 30 && title.ledger.entries().len() < 60
}

/// How hard a game is to learn, by how many rules it has.
fn difficulty(title: &Title) -> &'static str {
    match title.ledger.entries().len() {
        0..25 => "easy to learn",
        25..110 => "an evening to learn",
        _ => "rich in rules",
    }
}

fn seats_in_words(title: &Title) -> String {
    let most = title.seats.len();
    match (title.fewest(), most) {
        (1, 1) => "Solitaire".into(),
        (least, most) if least == most => format!("{most} players"),
        (least, most) => format!("{least} to {most} players"),
    }
}

impl Lobby<'_> {
    /// The page.
    pub(crate) fn page(&self) -> Markup {
        let awaits = |row: &TableRow, seats: &[SeatRow]| {
            let me = self.person.map(|p| &p.id);
            row.stage == TableStage::Running && !row.waiting.both(held_by(seats, me)).is_empty()
        };
        let unfinished = |row: &TableRow| matches!(row.stage, TableStage::Gathering | TableStage::Running);
        let mut mine: Vec<_> = self.mine.iter().filter(|(row, _)| unfinished(row)).collect();
        mine.sort_by_key(|(row, seats)| !awaits(row, seats));
        let finished: Vec<_> = self.mine.iter().filter(|(row, _)| !unfinished(row)).collect();
        let me = self.person.map(|p| &p.id);
        let joinable: Vec<_> = self.open.iter().filter(|(_, seats)| held_by(seats, me).is_empty()).collect();
        let mut games = self.games.clone();
        games.sort_by_key(|title| (longest(title), title.ledger.entries().len()));
        let (toys, large): (Vec<_>, Vec<_>) = games.into_iter().partition(|title| is_toy(title));
        let body = html! {
            main #ui-main .lobby {
                @if !self.mine.is_empty() { h1.unseen { "The lobby" } }
                @if self.mine.is_empty() {
                    section.welcome {
                        div {
                            h1 { "Board wargames of the Crusades" }
                            p { "Every rule is enforced and explained. Play at once, against a bot or each other: no account, nothing to install." }
                        }
                        @if let Some((title, first)) = self.games.iter().find_map(|t| Some((t, t.guided()?))) {
                            form.first method="post" action="/learn" {
                                input type="hidden" name="game" value=(title.id);
                                button { "Play a first battle" }
                                small { (title.name) ", " (first.name) ": " (length(first.minutes)) ", guided step by step. You need no rulebook." }
                            }
                        }
                    }
                }
                @if !mine.is_empty() {
                    section {
                        h2 { "My tables" }
                        ul.tables { @for (row, seats) in &mine { (self.line(row, seats, awaits(row, seats))) } }
                    }
                }
                @if !joinable.is_empty() {
                    section {
                        h2 { "Tables to join" }
                        ul.tables.joins { @for (row, seats) in &joinable { (self.join(row, seats)) } }
                    }
                }
                @if self.mine.is_empty() {
                    section.shows aria-label="What it looks like" { @for (name, says) in SHOWS { (show(name, says)) } }
                }
                section {
                    h2 { "Games" }
                    div.games { @for title in &large { (card(title)) } }
                }
                @if !toys.is_empty() {
                    section {
                        h2 { "Small games to try the table with" }
                        div.games.toys { @for title in &toys { (card(title)) } }
                    }
                }
                @if !self.running.is_empty() {
                    section {
                        h2 { "Look on" }
                        ul.tables { @for (row, seats) in self.running { (self.line(row, seats, false)) } }
                    }
                }
                @if !finished.is_empty() {
                    section {
                        h2 { "Finished" }
                        ul.tables { @for (row, seats) in &finished { (self.line(row, seats, false)) } }
                    }
                }
            }
        };
        super::whole("Outremer", "in-lobby", "lobby.js", self.person, &body)
    }

    /// A table with a free seat: what is played there, how, and the way to sit down.
    fn join(&self, row: &TableRow, seats: &[SeatRow]) -> Markup {
        let title = self.games.iter().find(|t| t.id == row.game);
        let scenario = title.and_then(|t| t.scenarios.iter().find(|s| s.id == row.scenario));
        let name = |i: usize| title.and_then(|t| t.seats.get(i)).map_or("a seat", |s| s.name.as_str());
        let free: Vec<_> = (0..seats.len()).filter(|i| seats[*i].kind == Kind::Open).collect();
        let here = seats.iter().enumerate().filter(|(_, s)| s.kind == Kind::Person);
        let here: Vec<_> = here.map(|(i, s)| format!("{} plays {}", s.name, name(i))).collect();
        html! {
            li {
                div {
                    a href=(format!("/t/{}", row.id)) { b { (title.map_or(row.game.as_str(), |t| t.name.as_str())) } }
                    @if let Some(scenario) = scenario { span { (scenario.name) ", " (length(scenario.minutes)) } }
                    span { (row.pace.map_or_else(|| "no clocks".to_string(), super::clock::pace_in_words)) }
                    span { (if here.is_empty() { "nobody sits there yet".to_string() } else { here.join(", ") }) }
                    small { (super::ago(row.touched)) }
                }
                div.free {
                    @for i in &free {
                        form method="post" action=(format!("/t/{}/sit", row.id)) {
                            input type="hidden" name="seat" value=(i);
                            button data-join=(i) { "Join as " (name(*i)) }
                        }
                    }
                }
            }
        }
    }

    fn line(&self, row: &TableRow, seats: &[SeatRow], awaits: bool) -> Markup {
        let title = self.games.iter().find(|t| t.id == row.game);
        let who = seats.iter().enumerate().map(|(i, s)| {
            let seat = title.and_then(|t| t.seats.get(i)).map_or("", |s| s.name.as_str());
            match s.kind {
                Kind::Person => format!("{} ({seat})", s.name),
                Kind::Bot => format!("bot ({seat})"),
                Kind::Open | Kind::Invited => format!("free ({seat})"),
                Kind::Nobody => format!("nobody ({seat})"),
            }
        });
        let who: Vec<_> = who.collect();
        html! {
            li.awaits[awaits] {
                a href=(format!("/t/{}", row.id)) {
                    b { (title.map_or(row.game.as_str(), |t| t.name.as_str())) }
                    span { (who.join(" · ")) }
                    small {
                        @if awaits { em { "Your turn" } } @else {
                            @match row.stage {
                                TableStage::Gathering => { "Being filled" }
                                TableStage::Running => { "Being played" }
                                TableStage::Over => { (super::sentence(&row.headline)) }
                                TableStage::Frozen => { "Stopped" }
                            }
                        }
                        " · " (super::ago(row.touched))
                    }
                }
            }
        }
    }
}

/// What somebody new is shown of the tables: pictures by their names, and what they show.
const SHOWS: [(&str, &str); 3] = [
    ("march", "Take a stack in hand: where it can go, what that costs, what waits there."),
    ("battle", "Battles have the stage, with dice that fall for all to see."),
    ("map", "Maps of the land as it was, from the first siege to the last crusade."),
];

/// One of those pictures.
fn show(name: &str, says: &str) -> Markup {
    let file = |theme: &str| crate::assets::address(&format!("show-{name}-{theme}.webp"));
    html! {
        figure {
            picture {
                source srcset=(file("night")) media="(prefers-color-scheme: dark)";
                img src=(file("day")) alt="" width="720" height="450" loading="lazy";
            }
            figcaption { (says) }
        }
    }
}

fn card(title: &Title) -> Markup {
    let minutes: Vec<_> = title.scenarios.iter().map(|s| s.minutes).collect();
    let (least, most) =
        (minutes.iter().min().copied().unwrap_or(0), minutes.iter().max().copied().unwrap_or(0));
    html! {
        article.game {
            a.cover href=(format!("/g/{}", title.id)) tabindex="-1" aria-hidden="true" {
                picture {
                    source srcset=(format!("/g/{}/cover.svg?theme=dark", title.id)) media="(prefers-color-scheme: dark)";
                    img src=(format!("/g/{}/cover.svg", title.id)) alt="" loading="lazy";
                }
            }
            h3 { a href=(format!("/g/{}", title.id)) { (title.name) } }
            p { (title.pitch) }
            p.small { (seats_in_words(title)) " · "
                @if least == most { (length(least)) } @else { (length(least)) " to " (length(most)) } " · " (difficulty(title)) }
            div.actions {
                form method="post" action="/play" {
                    input type="hidden" name="game" value=(title.id);
                    @if let Some(s) = title.introductory() { input type="hidden" name="scenario" value=(s.id); }
                    button title=[title.introductory().map(|s| format!("{}, {}", s.name, length(s.minutes)))] { @if title.seats.len() == 1 { "Play" } @else { "Play against a bot" } }
                }
                @if title.guided().is_some() {
                    form method="post" action="/learn" {
                        input type="hidden" name="game" value=(title.id);
                        button.quiet title=[title.guided().map(|s| format!("{}, {}", s.name, length(s.minutes)))] { "First battle" }
                    }
                }
                a.button.quiet href=(format!("/g/{}", title.id)) { "New table…" }
            }
        }
    }
}

/// The page of one game: a new table.
pub(crate) fn game(title: &Title, person: Option<&PersonRow>) -> Markup {
    let most = title.seats.len();
    let least = title.fewest();
    let body = html! {
        main #ui-main .narrow {
            p { a href="/" { "← Lobby" } }
            h1 { (title.name) }
            p { (title.pitch) }
            form.new method="post" action="/new" {
                input type="hidden" name="game" value=(title.id);
                fieldset {
                    legend { "Scenario" }
                    @for (i, s) in title.scenarios.iter().enumerate() {
                        label.row { input type="radio" name="scenario" value=(s.id) checked[i == 0]; span { b { (s.name) } " · " (length(s.minutes)) br; small { (s.gist) } } }
                    }
                }
                @if !title.options.is_empty() {
                    fieldset {
                        legend { "Options" }
                        @for o in &title.options {
                            label.option { span { (o.gist) }
                                select name=(format!("option-{}", o.id)) { @for value in &o.values { option { (value) } } } }
                        }
                    }
                }
                fieldset {
                    legend { "Seats" }
                    @for (i, seat) in title.seats.iter().enumerate() {
                        label.option { span { (seat.name) }
                            select name=(format!("seat-{i}")) {
                                option value="me" selected[i == 0] { "Me" }
                                @for level in LEVELS { option value=(format!("bot:{}", level.id)) selected[i > 0 && i < least && level.id == LEVELS[0].id] { "Bot: " (level.name) ", " (level.gist) } }
                                option value="open" { "Open to anybody" }
                                option value="invite" { "By invitation link" }
                                @if i >= least { option value="none" selected[true] { "Nobody" } }
                            }
                        }
                    }
                    @if most > 1 { p.small { "“Me” on several seats: you play them on one screen, with a curtain between." } }
                }
                @if most > 1 { (super::clock::field()) (super::clock::absence_field()) (super::clock::tempo_field()) }
                label.row { input type="checkbox" name="listed" value="yes" checked[true]; span { "Show the table in the lobby, so that others can join or look on" } }
                label.row { input type="checkbox" name="hints" value="yes"; span { "Players may ask for hints; everybody at the table sees that they may" } }
                @if person.is_none() { (name_field(false)) }
                p { button { "Open the table" } " " a.button.quiet href=(format!("/rules/{}", title.id)) { "Read the rules" } }
            }
        }
    };
    super::whole(&format!("{} · Outremer", title.name), "plain", "lobby.js", person, &body)
}

/// The field for the name of somebody who has none yet.
fn name_field(required: bool) -> Markup {
    html! {
        label.option { span { "Your name" }
            input name="name" maxlength="32" placeholder=(if required { "" } else { "Guest" }) required[required] autocomplete="nickname"; }
    }
}

/// Who you are. `then` is where to go once that is said.
pub(crate) fn you(
    person: Option<&PersonRow>,
    trouble: Option<&str>,
    mail: bool,
    tidings: &Markup,
    then: &str,
) -> Markup {
    let then = html! { @if then != "/" { input type="hidden" name="then" value=(then); } };
    let body = html! {
        main #ui-main .narrow {
            p { a href="/" { "← Lobby" } }
            h1 { "You" }
            @if let Some(trouble) = trouble { p.alarm role="alert" { (super::sentence(trouble)) } }
            @match person {
                Some(person) => {
                    p { "You are " b { (person.name) } @if person.password.is_none() { ", a guest of this browser." } @else { "." } }
                    @if person.password.is_none() {
                        form.new method="post" action="/account" {
                            h2 { "Keep your seats" }
                            p { "With a name and a password you can go on with your tables from any device." }
                            label.option { span { "Name" } input name="name" value=(person.name) maxlength="32" required[true] autocomplete="username"; }
                            label.option { span { "Password" } input name="password" type="password" minlength="8" required[true] autocomplete="new-password"; }
                            button { "Make an account" }
                        }
                    } @else {
                        form method="post" action="/logout" { button.quiet { "Log out" } }
                    }
                }
                None => {
                    form.new method="post" action="/guest" {
                        (then)
                        h2 { "Play as a guest" }
                        label.option { span { "Name" } input name="name" maxlength="32" required[true] autocomplete="nickname"; }
                        button { "That is me" }
                    }
                }
            }
            (tidings)
            @if person.is_none_or(|p| p.password.is_none()) {
                form.new method="post" action="/login" {
                    (then)
                    h2 { "I have an account" }
                    label.option { span { "Name" } input name="name" maxlength="32" required[true] autocomplete="username"; }
                    label.option { span { "Password" } input name="password" type="password" required[true] autocomplete="current-password"; }
                    button { "Log in" }
                }
                @if mail {
                    form.new method="post" action="/forgot" {
                        h2 { "I have forgotten my password" }
                        label.option { span { "Name" } input name="name" maxlength="32" required[true] autocomplete="username"; }
                        button.quiet { "Send me a letter" }
                    }
                }
            }
        }
    };
    super::whole("You · Outremer", "plain", "lobby.js", person, &body)
}

/// What is somebody's own: his account, his sessions, what is kept about him.
pub(crate) fn own(person: &PersonRow, sessions: &[ShownSession]) -> Markup {
    let account = person.password.is_some();
    html! {
        @if account {
            form.new method="post" action="/account" {
                h2 { "Name and password" }
                label.option { span { "Name" } input name="name" value=(person.name) maxlength="32" required[true] autocomplete="username"; }
                label.option { span { "Present password" } input name="old" type="password" required[true] autocomplete="current-password"; }
                label.option { span { "New password" } input name="password" type="password" minlength="8" autocomplete="new-password" placeholder="as before"; }
                button { "Change" }
            }
        }
        section {
            h2 { "Where you are logged in" }
            ul.tables {
                @for session in sessions {
                    li {
                        b { (if session.agent.is_empty() { "a program" } else { session.agent.as_str() }) }
                        " " small { "since " (super::ago(session.created)) ", last used " (super::ago(session.used)) }
                        @if session.present { " " em { "this one" } } @else {
                            form.inline method="post" action="/you/sessions" {
                                input type="hidden" name="session" value=(session.id);
                                button.quiet { "Log out there" }
                            }
                        }
                    }
                }
            }
            @if sessions.len() > 1 {
                form.inline method="post" action="/you/sessions" { button.quiet { "Log out everywhere else" } }
            }
        }
        section {
            h2 { "What is kept about you" }
            p { a.button href="/you/export" download="outremer.json" { "Take it along" } }
            form.new method="post" action="/you/delete" {
                p { "You can go for good. Your name is erased; in games that are not over a bot plays your seats to their end." }
                @if account { label.option { span { "Password" } input name="password" type="password" required[true] autocomplete="current-password"; } }
                label.row { input type="checkbox" name="sure" value="yes" required[true]; span { "I am sure" } }
                button.quiet { "Delete me" }
            }
        }
    }
}

/// Whether or not there is such an account.
pub(crate) fn letter_sent() -> Markup {
    let body = html! {
        main #ui-main .narrow {
            h1 { "A letter is on its way" }
            p { "If there is an account of this name with an e-mail address that its owner has confirmed, a letter goes there. Its link is good for an hour, once." }
            p { a.button href="/" { "Back to the lobby" } }
        }
    };
    super::whole("Outremer", "plain", "lobby.js", None, &body)
}

/// Behind the link of a letter about a forgotten password.
pub(crate) fn reset(token: &str, trouble: Option<&str>) -> Markup {
    let body = html! {
        main #ui-main .narrow {
            h1 { "A new password" }
            @if let Some(trouble) = trouble { p.alarm role="alert" { (trouble) } }
            form.new method="post" action=(format!("/reset/{token}")) {
                label.option { span { "New password" } input name="password" type="password" minlength="8" required[true] autocomplete="new-password"; }
                button { "Set it" }
            }
            p.small { "All devices are logged out; then log in with the new one." }
        }
    };
    super::whole("Outremer", "plain", "lobby.js", None, &body)
}

/// Somebody came with the secret link of a seat.
pub(crate) fn invitation(
    title: &Title,
    table: &str,
    link: &str,
    seat: usize,
    taken: bool,
    person: Option<&PersonRow>,
) -> Markup {
    let name = title.seats.get(seat).map_or("a seat", |s| s.name.as_str());
    let body = html! {
        main #ui-main .narrow {
            h1 { (title.name) }
            @if taken {
                p { "The player of " b { (name) } " hands this seat over to you: you will play it, and he will not any more. The others at the table are told." }
            } @else {
                p { "You are invited to play " b { (name) } "." }
            }
            p.small { "The link is good once." }
            p { (title.pitch) }
            form.new method="post" action=(format!("/t/{table}/seat/{link}")) {
                @if person.is_none() { (name_field(false)) }
                button { "Sit down" }
            }
        }
    };
    super::whole(&format!("{} · Outremer", title.name), "plain", "lobby.js", person, &body)
}

/// Somebody without a name wants to sit down, and has no script that could ask for one beside the board.
pub(crate) fn name_first(title: &Title, table: &str, seat: Option<u8>) -> Markup {
    let name = seat.and_then(|s| title.seats.get(usize::from(s))).map_or("a seat", |s| s.name.as_str());
    let body = html! {
        main #ui-main .narrow {
            h1 { (title.name) }
            p { "You are about to play " b { (name) } ". What shall the others call you?" }
            form.new method="post" action=(format!("/t/{table}/sit")) {
                @if let Some(seat) = seat { input type="hidden" name="seat" value=(seat); }
                (name_field(true))
                p { button { "Sit down" } " " a.button.quiet href=(format!("/t/{table}")) { "Back to the table" } }
            }
        }
    };
    super::whole(&format!("{} · Outremer", title.name), "plain", "lobby.js", None, &body)
}

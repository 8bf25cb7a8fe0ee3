//! Pages: HTML made on the server with maud, which escapes whatever people wrote.

use maud::{DOCTYPE, Markup, html};

use crate::store::PersonRow;

pub(crate) mod clock;
pub(crate) mod lobby;
pub(crate) mod rules;
pub(crate) mod table;
pub(crate) mod tidings;

/// By day or by night.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Theme {
    /// On parchment.
    #[default]
    Light,
    /// In a dark room.
    Dark,
}

impl Theme {
    /// The theme of a word.
    pub(crate) fn of(word: Option<&str>) -> Self {
        if word == Some("dark") { Self::Dark } else { Self::Light }
    }

    /// How pictures are drawn.
    pub(crate) const fn style(self) -> picture::Style {
        match self {
            Self::Light => picture::Style::LIGHT,
            Self::Dark => picture::Style::DARK,
        }
    }
}

/// What a page's script needs, so that the browser asks for all of it at once.
fn modules(script: &str) -> &'static [&'static str] {
    match script {
        "table.js" => &[
            "common.js",
            "keep.js",
            "board.js",
            "bar.js",
            "hand.js",
            "tray.js",
            "journal.js",
            "dice.js",
            "look.js",
            "advice.js",
        ],
        _ => &["common.js"],
    }
}

/// A whole page around its body.
pub(crate) fn whole(
    title: &str,
    class: &str,
    script: &str,
    person: Option<&PersonRow>,
    body: &Markup,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="icon" href="/static/icon.svg" type="image/svg+xml";
                meta name="description" content="Board wargames of the Crusades in the browser, every rule enforced.";
                link rel="preload" href=(crate::assets::address("libertinus.woff2")) as="font" type="font/woff2" crossorigin="anonymous";
                link rel="stylesheet" href=(crate::assets::address("style.css"));
                @for name in modules(script) { link rel="modulepreload" href=(crate::assets::address(name)); }
                script type="module" src=(crate::assets::address(script)) {}
            }
            body class=(class) {
                a.skip href="#ui-main" { "Skip to the table" }
                @if class != "at-table" { header.bar {
                    a.brand href="/" { (emblem()) span { "Outremer" } }
                    nav { a href="/rules" { "Rules" } " " a href="/api" { "For programs" } }
                    div.who {
                        @if let Some(person) = person {
                            a href="/you" title="Your name and account" { (person.name) }
                        } @else {
                            a href="/you" { "Who are you?" }
                        }
                    }
                } }
                (body)
                div #ui-toast role="status" aria-live="polite" {}
            }
        }
    }
}

/// The sign of the house.
pub(crate) fn emblem() -> Markup {
    html! {
        svg.emblem viewBox="-1.1 -1.1 2.2 2.2" aria-hidden="true" {
            path d="M-.34-1H.34L.17-.17L1-.34V.34L.17.17L.34 1H-.34L-.17.17L-1 .34V-.34L-.17-.17Z" fill="currentColor" {}
        }
    }
}

/// A page that says what went wrong.
pub(crate) fn trouble(status: u16, message: &str) -> Markup {
    let body = html! {
        main #ui-main .narrow {
            h1 { @if status == 404 { "Not here" } @else { "That did not work" } }
            p { (sentence(message)) }
            p { a.button href="/" { "Back to the lobby" } }
        }
    };
    whole("Outremer", "plain", "lobby.js", None, &body)
}

/// How long ago, in words.
pub(crate) fn ago(then: i64) -> String {
    let seconds = (crate::secret::now() - then).max(0);
    match seconds {
        0..60 => "just now".into(),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        86_400..172_800 => "a day ago".into(),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

/// A text as a line of its own: with a capital.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

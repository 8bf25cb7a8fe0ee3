//! Being told: when a table waits for somebody who is not looking, or a game is over, its player hears of it
//! by webhook, e-mail or web push. All of it is off until a player asks for it.
//!
//! A message says at which table, and nothing of the game. Several tables make one message: news wait a
//! while, those that are out of date by then are dropped, and nobody is told more often than every so often.
//!
//! | module | what it holds |
//! |---|---|
//! | `ways` | in which ways a player wants to be told |
//! | `message` | what he is told |
//! | `telling` | when, and what not any more |
//! | `call`, `mail`, `push` | webhooks, e-mail, web push |

use std::time::Duration;

use table::{Seat, SeatSet};
use tokio::sync::mpsc;

use crate::ids::{PersonId, TableId};
use crate::live::{Live, Table};
use crate::store::{Kind, TableStage};

pub(crate) mod call;
pub(crate) mod mail;
mod message;
pub(crate) mod push;
mod telling;
mod ways;

use mail::Post;
pub(crate) use message::Message;
pub(crate) use telling::run;
pub(crate) use ways::Ways;

/// How players are told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address under which players reach this server, for links.
    pub link: String,
    /// How mail is sent: `smtps://USER:PASSWORD@HOST` or another address of that kind. Without it, none is.
    pub smtp: Option<String>,
    /// From whom mail comes.
    pub from: String,
    /// Whether webhooks and push services may have private addresses: only where all players are trusted.
    pub private: bool,
    /// How long news wait for more.
    pub wait: Duration,
    /// How long nothing is told after something was.
    pub pause: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            link: "http://127.0.0.1:8117".into(),
            smtp: None,
            from: "Outremer <outremer@localhost>".into(),
            private: false,
            wait: Duration::from_secs(60),
            pause: Duration::from_secs(300),
        }
    }
}

/// What is new at a table for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// It waits for him.
    Turn,
    /// The game is over.
    Over,
    /// Somebody says that he is away: so many seconds later a bot may sit in for him.
    Away(u32),
    /// A bot sits in for him.
    Bot,
}

impl News {
    /// A word for programs.
    const fn word(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Over => "over",
            Self::Away(_) => "away",
            Self::Bot => "bot",
        }
    }

    /// What is said of a table behind its name.
    fn in_words(self) -> String {
        match self {
            Self::Turn => String::new(),
            Self::Over => ", over".into(),
            Self::Away(seconds) => {
                format!(": unless you come, a bot may sit in for you in {}", crate::live::in_words(seconds))
            }
            Self::Bot => ": a bot sits in for you until you are back".into(),
        }
    }
}

/// News for a player.
#[derive(Clone, Debug)]
pub(crate) struct Tiding {
    person: PersonId,
    table: TableId,
    /// The table's name for people.
    name: String,
    news: News,
}

/// Where news are handed in.
#[derive(Debug)]
pub(crate) struct Desk {
    sender: mpsc::Sender<Tiding>,
    receiver: std::sync::Mutex<Option<mpsc::Receiver<Tiding>>>,
}

impl Default for Desk {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(10_000);
        Self { sender, receiver: std::sync::Mutex::new(Some(receiver)) }
    }
}

impl Desk {
    /// Hands in what a change of a table means to its players. `before` are the seats that it waited for
    /// before, and `stage` is how far it had come.
    pub(crate) fn changed(&self, table: &Table, live: &Live, before: SeatSet, stage: TableStage) {
        let over = live.row.stage == TableStage::Over && stage != TableStage::Over;
        let newly = live.row.waiting.minus(before);
        if newly.is_empty() && !over {
            return;
        }
        for (i, row) in live.seats.iter().enumerate() {
            let Some(person) = row.person.as_ref().filter(|_| row.kind == Kind::Person) else { continue };
            let awaited = newly.contains(Seat::new(i as u8)) && row.stand_in.is_none();
            if (awaited || over) && !table.is_present(person) {
                let tiding = Tiding {
                    person: person.clone(),
                    table: live.row.id.clone(),
                    name: name_of(live, person),
                    news: if over { News::Over } else { News::Turn },
                };
                self.hand_in(tiding);
            }
        }
    }

    fn hand_in(&self, tiding: Tiding) {
        // A desk that is full loses news; the lobby has them all the same.
        if self.sender.try_send(tiding).is_err() {
            tracing::debug!("news for a player were not taken");
        }
    }

    /// Hands in news for the player of a seat.
    pub(crate) fn tell(&self, live: &Live, seat: Seat, news: News) {
        let person = live.seats.get(seat.index()).and_then(|row| row.person.clone());
        if let Some(person) = person {
            let name = name_of(live, &person);
            self.hand_in(Tiding { person, table: live.row.id.clone(), name, news });
        }
    }

    fn take(&self) -> Option<mpsc::Receiver<Tiding>> {
        self.receiver.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
    }
}

/// What a table is called in a message: its game, and with whom.
fn name_of(live: &Live, person: &PersonId) -> String {
    let others = live.seats.iter().filter(|s| s.person.as_ref() != Some(person));
    let names: Vec<_> =
        others.filter(|s| s.kind == Kind::Person).map(|s| s.name.as_str()).collect::<Vec<_>>();
    let game = &live.title().name;
    if names.is_empty() { game.clone() } else { format!("{game} with {}", names.join(", ")) }
}

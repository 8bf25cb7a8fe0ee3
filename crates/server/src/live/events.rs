//! What happens at a table outside its game: seats that are taken, handed over and left, time that is granted,
//! bots that sit in. Everybody at the table may know all of it, so an event names seats and no persons, and
//! nothing of the game.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use table::{Seat, Title};

use super::{Live, Table, Tables};
use crate::bots;
use crate::fault::Fault;
use crate::secret;
use crate::store::{Addition, EventRow};

/// Something that happened outside the game. Everybody may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// A seat claimed the game, because time had run out for others.
    Claimed {
        /// Who.
        by: u8,
        /// Those who were out of time.
        out: Vec<u8>,
        /// Who wins by it.
        winners: Vec<u8>,
    },
    /// A seat gave the game up; with it its side, which has nobody else to play on.
    Resigned {
        /// Who.
        by: u8,
        /// Who wins by it.
        winners: Vec<u8>,
    },
    /// A seat offers a draw.
    DrawOffered {
        /// Who.
        by: u8,
    },
    /// A seat answers the offer of a draw, and the game goes on as yet.
    DrawAnswered {
        /// Who.
        by: u8,
        /// Whether it agrees.
        agrees: bool,
    },
    /// All have agreed to a draw.
    Drawn,
    /// Who played alone has put the game away.
    Abandoned {
        /// Who.
        by: u8,
    },
    /// A seat gave another more time.
    Granted {
        /// Who.
        by: u8,
        /// To whom.
        to: u8,
        /// How much.
        seconds: u32,
    },
    /// Somebody sat down on a seat that was free.
    SatDown {
        /// Where.
        seat: u8,
    },
    /// A secret link to a seat was made; an older one is worth nothing any more.
    LinkMade {
        /// To which.
        seat: u8,
        /// Whether somebody sits there, who would hand it over.
        held: bool,
    },
    /// The link to a seat was taken back.
    LinkUndone {
        /// To which.
        seat: u8,
    },
    /// Somebody sat down with the link that a seat's holder had made: it is his now.
    HandedOver {
        /// Which.
        seat: u8,
    },
    /// A seat's holder left it: for a bot, if the game is on.
    GaveUp {
        /// Which.
        seat: u8,
        /// The level of the bot that plays it from now on.
        level: Option<String>,
    },
    /// Somebody wants a bot to sit in for a player who is away.
    Called {
        /// On which seat.
        seat: u8,
        /// Who; none if the host did who has no seat.
        by: Option<u8>,
        /// How long he has to come, in seconds.
        seconds: u32,
    },
    /// A bot sits in for a player.
    SatIn {
        /// On which seat.
        seat: u8,
        /// Who asked for it; none if the host did who has no seat.
        by: Option<u8>,
        /// The bot's level.
        level: String,
    },
    /// The player is back.
    CameBack {
        /// On which seat.
        seat: u8,
    },
    /// The player took back what the bot had done.
    TookBotBack {
        /// On which seat.
        seat: u8,
    },
}

impl Event {
    /// Whether the game is over by it.
    pub const fn ends(&self) -> bool {
        matches!(self, Self::Claimed { .. } | Self::Resigned { .. } | Self::Drawn | Self::Abandoned { .. })
    }

    /// The seats that win by it.
    pub fn winners(&self) -> &[u8] {
        match self {
            Self::Claimed { winners, .. } | Self::Resigned { winners, .. } => winners,
            _ => &[],
        }
    }

    /// The event as a sentence.
    pub fn in_words(&self, title: &Title) -> String {
        let name = |seat: &u8| Seat::try_from(*seat).map_or("somebody", |s| title.seat_name(s)).to_string();
        let names = |seats: &[u8]| seats.iter().map(name).collect::<Vec<_>>().join(" and ");
        let bot = |level: &str| bots::level(level).map_or("bot", |l| l.name);
        match self {
            Self::Claimed { by, out, .. } => {
                format!("Time ran out for {}: {} claimed the game", names(out), name(by))
            }
            Self::Resigned { by, .. } => format!("{} resigned", name(by)),
            Self::DrawOffered { by } => format!("{} offers a draw", name(by)),
            Self::DrawAnswered { by, agrees: true } => format!("{} would agree to a draw", name(by)),
            Self::DrawAnswered { by, agrees: false } => format!("{} declines the draw", name(by)),
            Self::Drawn => "All agreed to a draw".into(),
            Self::Abandoned { by } => format!("{} put the game away unfinished", name(by)),
            Self::Granted { by, to, seconds } => {
                format!("{} gave {} {} more", name(by), name(to), in_words(*seconds))
            }
            Self::SatDown { seat } => format!("Somebody sat down as {}", name(seat)),
            Self::LinkMade { seat, held: false } => format!("A link was made for {}", name(seat)),
            Self::LinkMade { seat, held: true } => {
                format!("{} made a link to hand the seat over", name(seat))
            }
            Self::LinkUndone { seat } => format!("The link for {} is worth nothing any more", name(seat)),
            Self::HandedOver { seat } => {
                format!("{} was handed over: somebody else plays it now", name(seat))
            }
            Self::GaveUp { seat, level: None } => format!("{} is free again", name(seat)),
            Self::GaveUp { seat, level: Some(level) } => {
                format!("The player of {} left for good: a bot ({}) plays on", name(seat), bot(level))
            }
            Self::Called { seat, seconds, .. } => {
                format!("{} is away: in {} a bot may sit in", name(seat), in_words(*seconds))
            }
            Self::SatIn { seat, level, .. } => format!("A bot ({}) sits in for {}", bot(level), name(seat)),
            Self::CameBack { seat } => format!("{} is back", name(seat)),
            Self::TookBotBack { seat } => format!("{} took back what the bot did", name(seat)),
        }
    }
}

/// A length of time for people.
pub(crate) fn in_words(seconds: u32) -> String {
    match seconds {
        0..120 => format!("{seconds} seconds"),
        120..7200 => format!("{} minutes", seconds / 60),
        7200..172_800 => format!("{} hours", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

impl Live {
    /// An event, with what else it changes.
    pub(super) fn event_addition(&self, event: &Event) -> Addition {
        let (number, at) = (self.events.len() as u32 + 1, secret::now());
        let mut addition = self.addition();
        addition.events.push((number, EventRow { at, event: event.clone() }));
        addition.at = Some(at);
        addition
    }
}

impl Tables {
    /// Makes an event durable, and then lets everybody know.
    pub(super) async fn happen(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        event: Event,
        addition: Addition,
    ) -> Result<(), Fault> {
        let at = addition.at.unwrap_or_default();
        self.keep(table, live, addition).await?;
        live.events.push(EventRow { at, event });
        table.publish(live);
        self.wake_bots(live);
        Ok(())
    }
}

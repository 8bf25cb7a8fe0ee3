//! Who plays the seats of the machine: the one place where players are plugged in.

use bots::{Limits, Turn, seat_player};
use table::{AnyMatch, Lots, Notation, Pick, Seat, TableError};

/// A bot that can be given a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// A word for addresses and records, and the player's name among the bots.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub gist: &'static str,
    /// Whether it thinks so long that nobody may have many of them at once.
    pub strong: bool,
}

/// The bots, the one that a newcomer should meet first.
pub const LEVELS: &[Level] = &[
    Level {
        id: "squire",
        name: "Squire",
        gist: "content with any sound move: for a first game",
        strong: false,
    },
    Level { id: "knight", name: "Knight", gist: "weighs every move: for who knows the rules", strong: false },
    Level {
        id: "captain",
        name: "Captain",
        gist: "plans his turn, about a second a move: for who wants to be tested",
        strong: true,
    },
    Level {
        id: "marshal",
        name: "Marshal",
        gist: "a captain who thinks four times as long: for who wants to lose well",
        strong: true,
    },
    Level {
        id: "greedy",
        name: "Sergeant",
        gist: "takes what looks best now, and plans nothing",
        strong: false,
    },
    Level { id: "random", name: "Pilgrim", gist: "does anything the rules allow", strong: false },
];

/// The bot with this id.
pub fn level(id: &str) -> Option<&'static Level> {
    LEVELS.iter().find(|l| l.id == id)
}

/// What a bot would do for a seat. It is given what the seat may know and may do, and nothing else, so it
/// may take its time. A player that finds no answer leaves the choice to one who always does.
pub fn choose(
    level: &Level,
    copy: &mut dyn AnyMatch,
    seat: Seat,
    lots: &mut Lots,
) -> Result<Notation, TableError> {
    let player = seat_player(level.id, lots.bits(), Limits::default());
    if let (Ok(mut player), Some(turn)) = (player, Turn::new(copy, seat))
        && let Ok(answer) = player.decide(&turn)
    {
        return Ok(answer);
    }
    copy.pick(seat, Pick::Greedy, lots)
}

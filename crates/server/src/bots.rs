//! Who plays the seats of the machine: the one place where stronger players are plugged in.

use table::{AnyMatch, Lots, Notation, Pick, Seat, TableError};

/// A bot that can be given a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// A word for addresses and records.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub gist: &'static str,
    pick: Pick,
}

/// The bots, the one that a newcomer should meet first.
pub const LEVELS: &[Level] = &[
    Level {
        id: "greedy",
        name: "Sergeant",
        gist: "takes what looks best one step ahead",
        pick: Pick::Greedy,
    },
    Level { id: "random", name: "Pilgrim", gist: "does anything the rules allow", pick: Pick::Random },
];

/// The bot with this id.
pub fn level(id: &str) -> Option<&'static Level> {
    LEVELS.iter().find(|l| l.id == id)
}

/// What a bot would do for a seat. It is given a copy of the match, so it may take its time and cannot
/// change anything; it knows only what the seat may know.
pub fn choose(
    level: &Level,
    copy: &mut dyn AnyMatch,
    seat: Seat,
    lots: &mut Lots,
) -> Result<Notation, TableError> {
    copy.pick(seat, level.pick, lots)
}

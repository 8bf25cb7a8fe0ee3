//! The errors of the table: few, and named.

use crate::rule::Rule;

/// Why the table did not do what it was asked. Nothing has changed then.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// The text is no action of this game.
    #[error("cannot read `{text}`: {reason}")]
    Unreadable {
        /// What was sent.
        text: String,
        /// What is wrong with it, and what would be right.
        reason: String,
    },
    /// It is not this seat's decision.
    #[error("it is not for {seat} to decide now{}", who(.waiting))]
    NotYours {
        /// The seat that asked.
        seat: String,
        /// Those who are to decide.
        waiting: Vec<String>,
    },
    /// The seat had not seen the latest state.
    #[error("this answers number {sent}, but the table is at number {present} for this seat: look again")]
    Stale {
        /// The number that was sent.
        sent: u64,
        /// The present number of the seat.
        present: u64,
    },
    /// It may be an action of the game, but nothing at this step.
    #[error("`{action}` is not possible now; {prompt} [{rule}]")]
    NotNow {
        /// What was asked.
        action: String,
        /// What is to be decided.
        prompt: String,
        /// The rule of the step that is waiting.
        rule: Rule,
    },
    /// A rule forbids it.
    #[error("`{action}` is not allowed: {why} [{rule}]")]
    Refused {
        /// What was asked.
        action: String,
        /// Why it is forbidden.
        why: String,
        /// The rule that forbids it.
        rule: Rule,
    },
    /// Nobody can join the game there now.
    #[error("nobody can join the game as {seat} now")]
    NoRoom {
        /// The seat.
        seat: String,
    },
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// There is nothing that could be undone or taken back.
    #[error("nothing to undo: {why}")]
    NothingToUndo {
        /// Why not, and what would be possible.
        why: String,
    },
}

fn who(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(": the table waits for {}", names.join(" and ")) }
}

/// A text that cannot be read: no action of a game, no blazon.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("found {found}, expected {expected}")]
pub struct ReadError {
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

impl ReadError {
    /// Found this, expected that.
    pub fn new(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { found: found.into(), expected: expected.into() }
    }
}

//! The door through which a player is asked to decide.

use std::time::Duration;

use table::{AnyMatch, Notation, Offered, Outcome, Seat, Setup, Thought, Title};

/// Somebody who decides for a seat.
pub trait Player: Send {
    /// What the player is called.
    fn name(&self) -> &str;

    /// A game begins. A player from outside is started and greeted here.
    fn begin(&mut self, title: &Title, setup: &Setup, seat: Seat) -> Result<(), Fault> {
        let _ = (title, setup, seat);
        Ok(())
    }

    /// Decides: the notation of something that the turn offers.
    fn decide(&mut self, turn: &Turn) -> Result<Notation, Fault>;

    /// A game is over.
    fn end(&mut self, outcome: Option<&Outcome>) {
        let _ = outcome;
    }
}

/// Why a player loses by forfeit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// It cannot be started.
    #[error("{player} cannot be started: {why}")]
    Start {
        /// Who.
        player: String,
        /// Why.
        why: String,
    },
    /// It did not answer in time.
    #[error("{player} did not answer within {seconds:.1} s", seconds = .limit.as_secs_f32())]
    Late {
        /// Who.
        player: String,
        /// How long it had.
        limit: Duration,
    },
    /// It has ended in the middle of a game.
    #[error("{player} has gone: {how}")]
    Gone {
        /// Who.
        player: String,
        /// How it ended.
        how: String,
    },
    /// It said something that is no answer.
    #[error("{player} said `{said}`: {why}")]
    Nonsense {
        /// Who.
        player: String,
        /// What it said.
        said: String,
        /// What was expected.
        why: String,
    },
}

/// A decision of one seat: what it may know and what it may do. There is no match behind it, so it can be
/// thought about on another thread while the table is free for others.
pub struct Turn(Box<dyn Thought>);

impl Turn {
    /// The decision of a seat, if it has one.
    pub fn new(sitting: &dyn AnyMatch, seat: Seat) -> Option<Self> {
        sitting.thought(seat).map(Self)
    }

    /// Whose decision it is.
    pub fn seat(&self) -> Seat {
        self.0.seat()
    }

    /// The title page of the game.
    pub fn title(&self) -> &Title {
        self.0.title()
    }

    /// The seat's thought: for players that imagine.
    pub fn thought(&self) -> &dyn Thought {
        &*self.0
    }

    /// What the seat may do.
    pub fn offered(&self) -> Vec<Offered> {
        self.0.offered()
    }

    /// The table as the seat sees it, as text.
    pub fn scene(&self) -> String {
        self.0.scene().to_text(&self.title().seat_names())
    }

    /// What the seat may know, as JSON.
    pub fn view(&self) -> serde_json::Value {
        self.0.view_json()
    }
}

/// How long a table should wait before it plays a bot's answer, so that the time tells nothing of what the
/// bot holds: drawn from the number of the decision, never from how long the bot thought. `least` and
/// `most` should be longer than the bot ever thinks.
pub fn delay(seed: u64, decision: u64, least: Duration, most: Duration) -> Duration {
    let mut lots = table::Lots::new(seed ^ decision.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let room = most.saturating_sub(least).as_millis().min(u128::from(u32::MAX - 1)) as u32;
    least + Duration::from_millis(lots.below(room + 1).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_stay_within_their_bounds_and_differ() {
        let (least, most) = (Duration::from_millis(400), Duration::from_millis(900));
        let delays: Vec<_> = (0..100).map(|i| delay(7, i, least, most)).collect();
        assert!(delays.iter().all(|d| (least..=most).contains(d)));
        assert!(delays.iter().any(|d| *d < Duration::from_millis(550)));
        assert!(delays.iter().any(|d| *d > Duration::from_millis(750)));
        assert_eq!(delay(7, 3, least, most), delays[3]);
        assert_eq!(delay(7, 3, most, least), most, "no room: the longer bound");
    }
}

#![doc = include_str!("../README.md")]

mod agenda;
pub mod arms;
mod ballot;
pub mod conformance;
mod dice;
mod error;
mod game;
pub mod habits;
mod handle;
pub mod hex;
mod ids;
mod journal;
mod ledger;
mod matches;
mod record;
mod rule;
pub mod scene;
mod seat;
pub mod sheet;
mod simulate;
pub mod small;
mod thought;
mod title;
mod tune;
mod umpire;
mod vignette;
pub mod weights;
pub mod wide;

pub use agenda::Agenda;
pub use ballot::{Ballot, Explained, Offer, Options, Refusal};
pub use dice::{Commitment, DiceKey, DiceStream, Lots, Nonces, NotHex, Seed};
pub use error::{ReadError, TableError};
pub use game::{
    Fact, Game, Minded, NoOrder, Notation, Observed, OrderOffer, OrderState, Ordered, Outcome, Rules,
    Secrets, Shown, Staged, Written,
};
pub use handle::{AnyGame, AnyMatch, GameEntry, Offered, OfferedOrder, RefusedOption};
pub use ids::{Bits, Id, Map, Members, Set};
pub use journal::{Happening, Journal, JournalPage, Line, Note, Tone};
pub use ledger::{Ledger, LedgerEntry, read_rule_numbers};
pub use matches::{Acted, Choosable, Match, ReplayError, TAKE_BACKS, TakeBackRequest, is_allowed};
pub use record::{By, Deed, Record, RecordEntry};
pub use rule::Rule;
pub use scene::{Reach, Scene};
pub use seat::{MOST_SEATS, NoSuchSeat, Readers, Seat, SeatSet, Viewer};
pub use sheet::DataError;
pub use simulate::{Pick, Plan, Stuck, Tally, choose, simulate};
pub use thought::{AMOUNTS, Mind, Thought};
pub use title::{
    DataFiles, Scenario, SeatTitle, Seats, Setup, SetupError, SetupOption, Title, Wishes, embedded,
};
pub use tune::{Moments, Tuned, Tuning, note_moments, note_record};
pub use umpire::{Chance, Fate, Protocol, Retold, Scribe, Scripted, Silent, Umpire};
pub use vignette::{Played, Vignette};
pub use weights::Weights;

/// The rooms of a game, for whoever calls their methods: `use table::rooms::*`.
pub mod rooms {
    pub use crate::game::{Game, Minded, Ordered, Rules, Secrets, Shown, Staged, Written};
}

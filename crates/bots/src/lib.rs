//! Players for every game of Outremer, and the arena that ranks them.
//!
//! A player is given a [`Turn`]: what its seat may know and what it may do, and nothing else. The players
//! of this crate think in a [`table::Thought`], which is made from a view: they imagine positions that fit
//! it, try moves there and judge what comes of them. They are written once and play every game; no line
//! here knows a rule.
//!
//! | module | what is in it |
//! |---|---|
//! | [`level`] | the levels as a person understands them: random, greedy, squire, knight, captain, marshal |
//! | [`search`] | information-set tree search: what squire, knight, captain and marshal think with |
//! | [`player`] | the door through which a player, of this crate or from outside, is asked to decide |
//! | [`outside`] | players that are programs of their own, over standard input and output (`PROTOCOL.md`) |
//! | [`arena`] | paired games, Elo with intervals, sequential tests, results as JSON, CSV and charts |
//! | [`measure`] | iterations a second |
//! | [`tune`] | weights from games of searching players, and the climb that finds the figures of habits |
//! | [`analyse`] | the chance to win over the course of a game, and its turning points |
//!
//! # A bot at a table
//! ```
//! use bots::{Limits, Turn, seat_player};
//! use table::{Nonces, Seat, Seed, small};
//!
//! let game = (small::ALL[0].open)(&table::DataFiles::built_in(small::ALL[0].files))?;
//! let mut sitting = game.open(game.title().usual_set_up(), Seed::numbered(1), Nonces::default())?;
//! let mut captain = seat_player("captain:20000", 1, Limits::default())?;
//! while sitting.outcome().is_none() {
//!     let seat = sitting.waiting_for().lowest().unwrap();
//!     let answer = captain.decide(&Turn::new(&*sitting, seat).unwrap())?;
//!     sitting.act(seat, None, &[answer.as_str()])?;
//! }
//! assert_eq!(sitting.outcome().unwrap().headline, "A draw");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Invariants
//! - No player can reach a position, a record or another seat's view: the types do not let it.
//! - A player of this crate gives the same answer for the same view, seed and number of iterations and
//!   threads. Where the budget is in seconds, the answer depends on the clock.

pub mod analyse;
pub mod arena;
mod clock;
pub mod level;
pub mod measure;
pub mod outside;
pub mod player;
pub mod search;
pub mod tune;

pub use level::{Level, Limits, UnknownPlayer, seat_player};
pub use player::{Fault, Player, Turn, delay};

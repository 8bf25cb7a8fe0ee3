//! Real servers under load are killed, stopped, cut off and starved, while their clients write down what they
//! were told; at the end everything that was said is compared with what the databases hold.
//!
//! | module | what it holds |
//! |---|---|
//! | [`servers`] | the programs: `outremer serve`, a PostgreSQL of our own, a small disk; how they are killed and stopped |
//! | [`ford`] | what lies between clients and a server: connections pass, or are delayed and cut |
//! | [`clients`] | players who repeat a request until they know its fate, and onlookers at every door |
//! | [`history`] | what was sent, answered and shown, with times |
//! | [`schedule`] | the kinds of fault, and which comes when |
//! | [`truth`] | what the record of a table lets each viewer see after each entry |
//! | [`checker`] | pure functions from a history and the truth to violations |
//!
//! Three promises are checked. What was acknowledged is in the record, once and in its place. Whatever
//! anybody was shown is what the one record of the table lets that viewer see after some entry, never going
//! back. And nothing was shown before it was opened: no held choice, no click of a draft, no hidden name, no
//! record of a game that is being played.
// Times are what is measured here; no rule of a game is decided.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

pub mod checker;
pub mod clients;
pub mod ford;
pub mod history;
pub mod schedule;
pub mod servers;
pub mod truth;

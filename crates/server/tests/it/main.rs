//! The web table, tested in one binary, mostly without a socket.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod accounts;
mod advice;
mod arbitrary;
mod attack;
mod clocks;
mod common;
mod doors;
mod durability;
mod manners;
mod many;
mod outage;
mod secrecy;
mod servers;
mod socket;
mod table;
mod tidings;
mod upgrade;
mod weight;

//! The web table: a lobby, live tables and their store. The only crate that knows about HTTP and SQL.
//!
//! [`app`] makes the whole application as a router that tests can call without a socket; [`serve`] puts it
//! behind one. Games come in as [`table::AnyGame`], so that nothing here knows any of them.
//!
//! | module | what it holds |
//! |---|---|
//! | `application`, `routes`, `serving` | what every request can reach; where each address leads; from start to end |
//! | [`store`] | what is kept: one small trait, and SQLite or PostgreSQL behind it |
//! | [`live`] | matches in memory; the road of an action from request to disk to watchers |
//! | [`clock`] | time to think, and what is shown of it |
//! | [`bells`] | who is woken when something happens |
//! | [`sight`] | what one viewer is shown: the only door through which anything leaves a table |
//! | `easel` | drawing once what several see alike, off the async workers |
//! | `page`, `web` | pages for people, made on the server |
//! | `socket` | what changed, for a page that is open |
//! | `api` | the same for programs |
//! | [`tidings`] | webhooks, mail and push for players who are not looking |
//! | `cover` | the covers of the games |
//! | `ids` | the ids of people and tables |
//! | `advice` | hints, and the turning points of a finished game |
//! | `since` | what happened since a player last looked |
//! | `sources` | where the figures of a game come from |
//! | `people`, `passwords`, `accounts`, `names`, `limits` | who asks, what is his own, what he is called, and how much |
//! | `gate` | connections, and how long they may take |
//! | [`load`], [`weight`] | how much a server bears, and how much it sends |
//!
//! Invariants: an action is durable before anybody sees its effect; nothing leaves a table but a [`sight`];
//! a rule that panics stops its own table only; no secret is written to a log.
// Servers look up sessions by hash and measure rates by the clock; no rule of a game is decided here.
#![allow(clippy::disallowed_types)]

mod accounts;
mod advice;
mod api;
mod application;
mod assets;
pub mod bells;
pub mod bots;
pub mod clock;
mod cover;
mod easel;
mod fault;
mod gate;
mod ids;
mod limits;
pub mod live;
pub mod load;
pub mod metrics;
mod names;
mod page;
mod passwords;
mod people;
mod routes;
mod secret;
mod serving;
pub mod sight;
mod since;
mod socket;
mod sources;
pub mod store;
pub mod tidings;
mod tls;
mod web;
pub mod weight;

pub use application::App;
pub use clock::{Clock, Pace};
pub use fault::{Fault, Trouble};
pub use ids::{Id, NoId, PersonId, TableId};
pub use limits::Limits;
pub use live::{Conduct, Tables};
pub use routes::app;
pub use serving::serve;
pub use store::{Postgres, Sqlite, Store, StoreError};

use tidings::mail::Post;

/// How a server is set up.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How much is allowed.
    pub limits: Limits,
    /// How tables behave.
    pub conduct: Conduct,
    /// How absent players are told.
    pub tidings: tidings::Settings,
}

/// Reads bytes as everything that can come from outside, and keeps nothing; how many things they could be.
/// For those who throw arbitrary bytes at the decoders.
pub fn decode(bytes: &[u8]) -> usize {
    let mut readings = api::readings(bytes) + usize::from(socket::reads(bytes));
    if let Ok(text) = std::str::from_utf8(bytes) {
        readings += usize::from(matches!(Pace::of(text), Ok(Some(_))));
        readings += usize::from(tidings::call::checked(text, false).is_ok());
        readings += usize::from(Post::checked(text).is_ok());
        readings += usize::from(live::Remedy::named(text, Some(1), None, String::new()).is_ok());
        readings += usize::from(names::clean(text).is_ok());
    }
    readings
}

/// Sends the log to standard error, as lines for people or as JSON.
pub fn log_to_stderr(filter: &str, json: bool) {
    let filter = tracing_subscriber::EnvFilter::try_new(filter).unwrap_or_else(|_| "info".into());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A log that is there already stays.
    let _ = if json { log.json().try_init() } else { log.try_init() };
}

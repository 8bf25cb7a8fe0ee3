//! Crusader Rex, tested in one binary.

mod conformance;
mod habits;
mod happenings;
mod knowledge;
mod march;
mod orders;
mod play;
mod routes;
mod rules;
mod wording;

//! Third Crusade, tested in one binary.

mod conformance;
mod play;
mod rules;

//! Third Crusade, tested in one binary.

mod conformance;
mod planted;
mod play;
mod rules;

//! Third Crusade, tested in one binary.

mod conformance;
mod handovers;
mod planted;
mod play;
mod rules;

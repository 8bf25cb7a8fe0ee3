//! Third Crusade, tested in one binary.

mod bots;
mod conformance;
mod golden;
mod handovers;
mod planted;
mod play;
mod rules;

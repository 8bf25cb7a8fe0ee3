//! Kingdom of Heaven, tested in one binary.

mod conformance;
mod data;
mod definitions;
mod golden;
mod handovers;
mod orders;
mod play;
mod rules;
mod told;

//! Kingdom of Heaven, tested in one binary.

mod conformance;
mod definitions;
mod data;
mod play;
mod rules;

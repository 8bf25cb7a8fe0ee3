//! Kingdom of Heaven, tested in one binary.

mod conformance;
mod data;
mod definitions;
mod play;
mod rules;

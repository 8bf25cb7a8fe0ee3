//! Kingdom of Heaven, tested in one binary.

mod conformance;
mod data;
mod play;
mod rules;

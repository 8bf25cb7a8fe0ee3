//! Kingdom of Heaven, tested in one binary.

mod conformance;
mod play;
mod rules;

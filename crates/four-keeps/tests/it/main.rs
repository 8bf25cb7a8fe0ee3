//! Four Keeps, tested in one binary.

mod play;
mod rules;

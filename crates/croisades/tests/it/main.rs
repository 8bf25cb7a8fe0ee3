//! Croisades, tested in one binary.

mod play;
mod rules;
mod table;

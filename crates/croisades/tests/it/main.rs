//! Croisades, tested in one binary.

mod campaign;
mod planted;
mod play;
mod records;
mod rules;
mod table;

//! Croisades, tested in one binary.

mod campaign;
mod play;
mod records;
mod rules;
mod table;

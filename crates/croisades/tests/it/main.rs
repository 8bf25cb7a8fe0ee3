//! Croisades, tested in one binary.

mod campaign;
mod page;
mod play;
mod records;
mod rules;
mod table;

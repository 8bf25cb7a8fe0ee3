//! Croisades, tested in one binary.

mod campaign;
mod full;
mod page;
mod planted;
mod play;
mod records;
mod rules;
mod table;

//! The core, tested in one binary.

mod at_the_table;
mod demands;
mod planted_leaks;
mod small_games;

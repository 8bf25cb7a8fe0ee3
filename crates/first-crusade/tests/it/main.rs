//! The First Crusade, tested in one binary.

mod conformance;
mod errands;
mod orders;
mod planted;
mod play;
mod rules;
mod tuning;
mod wording;

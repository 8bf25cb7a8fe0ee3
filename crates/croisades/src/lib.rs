//! Croisades: battles and assaults man by man, and what a campaign stands on.
//!
//! | file | what it holds |
//! |---|---|
//! | `data` | components read from TOML and checked once |
//! | `ids` | counters, men, engines and hexes as types |
//! | `field` | [`field::Field`]: all that a battle is, plain data |
//! | `deed` | the decisions of a battle and their notation |
//! | `tactics` | the rules of a battle, a file for each chapter |
//! | `house` | what an old hand does without thinking: for bots, formations and sides that nobody plays |
//! | `skirmish` | the title `croisades-skirmish`: a field between two seats |
//! | `realm` | [`realm::Realm`]: all that a campaign is, plain data |
//! | `campaign` | the title `croisades`: lords on the strategic map |

pub mod campaign;
pub mod data;
pub mod deed;
pub mod field;
mod house;
pub mod ids;
pub mod realm;
pub mod skirmish;
pub mod tactics;

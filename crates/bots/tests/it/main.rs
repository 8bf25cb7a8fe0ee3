//! The bots and the arena, tested in one binary.

mod analysis;
mod arena;
mod outside;
mod players;
mod secrecy;

//! `outremer`: the command line. It opens games, plays, simulates, checks and draws them; the rules live in
//! the game crates and the table in `table`.
//!
//! This crate measures time and talks to people; no rule does.
#![allow(clippy::disallowed_types)]

use std::process::ExitCode;

use clap::Parser;

mod args;
mod commands;
mod games;
mod shares;
mod terminal;

fn main() -> ExitCode {
    let command = args::Outremer::parse().command();
    match commands::run(command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

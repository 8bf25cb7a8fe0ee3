//! `outremer`: the command line. It opens games, plays, simulates, checks and draws them; the rules live in
//! the game crates and the table in `table`.
//!
//! This crate measures time and talks to people; no rule does.
#![allow(clippy::disallowed_types)]

use std::process::ExitCode;

use clap::Parser;

/// Prints as the system's own does, but ends the program quietly when nobody reads any more: `outremer list | head`.
macro_rules! print {
    ($($word:tt)*) => { $crate::terminal::put(format_args!($($word)*)) };
}
macro_rules! println {
    () => { print!("\n") };
    ($($word:tt)*) => { print!("{}\n", format_args!($($word)*)) };
}

mod args;
mod commands;
mod games;
mod shares;
mod terminal;

fn main() -> ExitCode {
    let command = args::Outremer::parse().command();
    match commands::run(command) {
        Ok(code) => code,
        Err(error) if terminal::nobody_reads(&error) => ExitCode::from(terminal::BROKEN_PIPE),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

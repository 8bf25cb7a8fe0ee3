//! One module for each command.

use std::process::ExitCode;

use anyhow::Result;

use crate::args::Command;

mod analyse;
pub(crate) mod arena;
mod bench;
mod check;
mod draw;
mod list;
mod play;
mod replay;
mod rules;
mod serve;
mod simulate;
mod tune;
mod vignette;

/// Does what was asked. The code says whether what was checked held.
pub(crate) fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::List => list::run().map(|()| ExitCode::SUCCESS),
        Command::Serve(args) => serve::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Play(args) => play::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Simulate(args) => simulate::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Check(args) => check::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Vignette(args) => vignette::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Draw(args) => draw::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Bench(args) => bench::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Arena(args) => arena::run(&args),
        Command::Tune(args) => tune::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Analyse(args) => analyse::run(&args).map(|()| ExitCode::SUCCESS),
    }
}

/// Whether what was checked held.
fn verdict(holds: bool) -> ExitCode {
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

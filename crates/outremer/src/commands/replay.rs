//! `outremer replay`: where a record leads, or whether it still replays.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use table::{AnyMatch, Record, Viewer};

use crate::args::{Data, Replay};
use crate::{games, terminal};

pub(super) fn run(args: &Replay) -> Result<ExitCode> {
    let mut holds = true;
    for path in games::gather(&args.records, "txt")? {
        if args.check {
            match replayed(&path, args.to, &args.data) {
                Ok(played) => {
                    println!("ok      {} ({})", path.display(), terminal::entries(played.last_entry()))
                }
                Err(error) => {
                    holds = false;
                    println!("FAILED  {error:#}");
                }
            }
        } else {
            show(&*replayed(&path, args.to, &args.data)?, args.seat.as_deref())?;
        }
    }
    Ok(super::verdict(holds))
}

/// Reads a record and plays it again.
pub(super) fn replayed(path: &Path, to: Option<u32>, data: &Data) -> Result<Box<dyn AnyMatch>> {
    let record = Record::read(&path.display().to_string(), &games::read_text(path)?)?;
    let game = games::open(&record.game, data)?;
    let title = game.title();
    if record.data != title.data_hash {
        eprintln!("note: {} was played with other data files ({})", path.display(), record.data);
    }
    if record.rules != title.version {
        eprintln!(
            "note: {} was played under version {} of the rules, this is version {}",
            path.display(),
            record.rules,
            title.version
        );
    }
    Ok(game.replay(&record, to)?)
}

fn show(played: &dyn AnyMatch, seat: Option<&str>) -> Result<()> {
    let title = played.title();
    let viewer = games::viewer(title, seat, played.setup().party())?;
    for line in played.journal(viewer) {
        terminal::journal_line(&line);
    }
    println!();
    terminal::show(&played.scene(viewer).to_text(&title.seat_names()), 0);
    match played.outcome() {
        Some(outcome) => terminal::ending(&outcome, &played.reason()),
        None if viewer == Viewer::Umpire => println!("(As an observer sees it: the game is not over.)"),
        None => {}
    }
    Ok(())
}

//! `outremer analyse`: the chance to win over the course of a game, and its turning points.

use anyhow::{Context, Result, anyhow};
use bots::analyse::{self, Depth};
use table::Record;

use crate::args::Analyse;
use crate::{games, terminal};

pub(super) fn run(args: &Analyse) -> Result<()> {
    let path = &args.record;
    let record = Record::read(&path.display().to_string(), &games::read_text(path)?)?;
    let game = games::open(&record.game, &args.data)?;
    let depth = Depth {
        iterations: args.iterations.max(1),
        points: args.points,
        seed: args.seed,
        ..Depth::default()
    };
    let bar = terminal::progress(0, true);
    let analysis = analyse::analyse(&*game, &record, &depth, &mut |done, all| {
        bar.set_length(all.into());
        bar.set_position(done.into());
    })?;
    bar.finish_and_clear();
    println!("{}: chance of {} to win, by entry of the record\n", game.title().name, analysis.seat);
    // Some thirty lines are enough for a screen; the chart has them all.
    let every = analysis.points.len().div_ceil(32).max(1);
    let last = analysis.points.len().saturating_sub(1);
    for (i, point) in analysis.points.iter().enumerate().filter(|(i, _)| i % every == 0 || *i == last) {
        let _ = i;
        let bars = (point.chance * 40.0).round() as usize;
        println!("{:>6} {:>4.0} %  {}", point.entry, point.chance * 100.0, "█".repeat(bars));
    }
    println!();
    if analysis.turnings.is_empty() {
        println!("No turning points: nothing changed the chances much at once.");
    }
    let mut turnings = analysis.turnings.clone();
    turnings.sort_by_key(|t| t.from);
    for turning in turnings {
        let entries = if turning.from == turning.to {
            format!("Entry {}", turning.to)
        } else {
            format!("Entries {} to {}", turning.from, turning.to)
        };
        let lead = format!("{entries}, {:.0} % → {:.0} %:", turning.before * 100.0, turning.after * 100.0);
        terminal::paragraph(&lead, &turning.told.join("; "));
    }
    if let Some(result) = analysis.result {
        println!("{}", terminal::bold(&terminal::sentence(result)));
    }
    if let Some(file) = &args.chart {
        let svg = analysis.chart(&game.title().name).map_err(|e| anyhow!("cannot draw the chart: {e}"))?;
        std::fs::write(file, svg).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

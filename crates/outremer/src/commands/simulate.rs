//! `outremer simulate`: many games by bots, counted.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Result, bail};
use table::{AnyGame, Pick, Plan, Setup, Stuck, Tally};

use crate::args::Simulate;
use crate::{games, terminal};

pub(super) fn run(args: &Simulate) -> Result<()> {
    let game = games::open_named(&args.opened)?;
    let setup = games::set_up(game.title(), &args.set_up)?;
    let mut picks: Vec<Pick> = args.bots.iter().map(|b| games::bot(b)).collect::<Result<_>>()?;
    if picks.len() > setup.seats() {
        bail!("{} bots are named for {} seats", picks.len(), setup.seats());
    }
    if let Some(last) = picks.last().copied() {
        picks.resize(setup.seats(), last);
    }
    if args.games == 0 || args.threads == 0 {
        bail!("expected at least one game and one thread");
    }
    let start = Instant::now();
    let tally = in_parallel(&*game, &setup, &picks, args)?;
    let seconds = start.elapsed().as_secs_f64();
    let report = Report { args, setup: &setup, tally: &tally, seconds, game: game.title().id };
    if args.json {
        println!("{}", report.json());
    } else {
        report.print();
    }
    Ok(())
}

/// Shares the games among threads. Every game follows from its number, so the sharing changes nothing.
fn in_parallel(game: &dyn AnyGame, setup: &Setup, picks: &[Pick], args: &Simulate) -> Result<Tally, Stuck> {
    let bar = terminal::progress(args.games, !args.json);
    let done = AtomicU64::new(0);
    let threads = u64::from(args.threads).min(args.games);
    let share = |thread: u64| {
        let first = args.games * thread / threads;
        let plan = Plan {
            setup: setup.clone(),
            games: args.games * (thread + 1) / threads - first,
            seed: args.seed,
            first,
            picks: picks.to_vec(),
        };
        game.simulate(&plan, &mut |tally| {
            if tally.games % 64 == 0 {
                bar.set_position(done.fetch_add(64, Ordering::Relaxed) + 64);
            }
        })
    };
    let share = &share;
    let results: Vec<Result<Tally, Stuck>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(move || share(thread))).collect();
        workers
            .into_iter()
            .map(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    bar.finish_and_clear();
    let mut sum = Tally::default();
    for result in results {
        sum.add(&result?);
    }
    Ok(sum)
}

struct Report<'a> {
    args: &'a Simulate,
    setup: &'a Setup,
    tally: &'a Tally,
    seconds: f64,
    game: &'a str,
}

impl Report<'_> {
    fn json(&self) -> serde_json::Value {
        let tally = self.tally;
        serde_json::json!({
            "game": self.game,
            "scenario": self.setup.scenario(),
            "options": self.setup.options(),
            "seats": self.setup.seats(),
            "bots": self.args.bots,
            "seed": self.args.seed,
            "threads": self.args.threads,
            "games": tally.games,
            "actions": tally.actions,
            "decisions": tally.decisions,
            "seconds": self.seconds,
            "actions_per_second": tally.actions as f64 / self.seconds,
            "games_per_second": tally.games as f64 / self.seconds,
            "mean_actions": tally.actions as f64 / tally.games as f64,
            "longest": tally.longest,
            "outcomes": tally.outcomes,
        })
    }

    fn print(&self) {
        let tally = self.tally;
        println!("{}, {}: {} games", self.game, self.setup.scenario(), tally.games);
        println!(
            "{} actions ({:.1} a game, at most {}), {:.0} % of them chosen among several",
            tally.actions,
            tally.actions as f64 / tally.games as f64,
            tally.longest,
            100.0 * tally.decisions as f64 / tally.actions.max(1) as f64,
        );
        for (result, count) in &tally.outcomes {
            println!("{:>7.2} %  {result}", 100.0 * *count as f64 / tally.games as f64);
        }
        println!(
            "{:.2} s, {} actions a second, {} games a second",
            self.seconds,
            terminal::thousands(tally.actions as f64 / self.seconds),
            terminal::thousands(tally.games as f64 / self.seconds),
        );
    }
}

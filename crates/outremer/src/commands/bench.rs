//! `outremer bench`: how fast the rules are, on one core.

use std::time::Instant;

use anyhow::Result;
use table::{AnyGame, Plan};

use crate::args::{Bench, Data};
use crate::{games, terminal};

/// One game's figures.
struct Figures {
    game: &'static str,
    actions_per_second: f64,
    games_per_second: f64,
    mean_actions: f64,
    position_bytes: usize,
    clone_ns: f64,
}

pub(super) fn run(args: &Bench) -> Result<()> {
    if args.games == ["server"] {
        return super::serve::bench(args);
    }
    let ids: Vec<String> = if args.games.is_empty() {
        games::all().iter().map(|g| g.id.to_string()).collect()
    } else {
        args.games.clone()
    };
    let mut all = Vec::new();
    for id in &ids {
        let game = games::open(id, &Data::default())?;
        all.push(measure(&*game, args.seconds.max(1))?);
    }
    if args.json {
        let rows: Vec<_> = all.iter().map(Figures::json).collect();
        println!(
            "{}",
            serde_json::json!({ "threads": 1, "seconds_each": args.seconds.max(1), "games": rows })
        );
        return Ok(());
    }
    println!("Random play on one core: list the options, choose, apply.\n");
    println!(
        "| {:<20} | {:>12} | {:>12} | {:>12} | {:>14} | {:>10} |",
        "game", "actions/s", "games/s", "actions/game", "position bytes", "clone ns"
    );
    println!("|{:-<22}|{:->14}|{:->14}|{:->14}|{:->16}|{:->12}|", "", ":", ":", ":", ":", ":");
    for row in &all {
        println!(
            "| {:<20} | {:>12} | {:>12} | {:>12.1} | {:>14} | {:>10.1} |",
            row.game,
            terminal::thousands(row.actions_per_second),
            terminal::thousands(row.games_per_second),
            row.mean_actions,
            row.position_bytes,
            row.clone_ns,
        );
    }
    Ok(())
}

fn measure(game: &dyn AnyGame, seconds: u32) -> Result<Figures> {
    let setup = game.title().usual_set_up();
    // Batches, growing until one lasts long enough to be timed.
    let (mut games, mut played, mut actions, mut spent) = (16, 0, 0, 0.0);
    while spent < f64::from(seconds) {
        let plan = Plan { setup: setup.clone(), games, seed: 1, first: played, picks: Vec::new() };
        let start = Instant::now();
        let tally = game.simulate(&plan, &mut |_| {})?;
        let took = start.elapsed().as_secs_f64();
        played += tally.games;
        actions += tally.actions;
        spent += took;
        if took < 0.1 {
            games *= 2;
        }
    }
    const CLONES: u32 = 1_000_000;
    let mean_actions = actions as f64 / played as f64;
    let start = Instant::now();
    game.clone_positions(mean_actions as u32 / 2, CLONES)?;
    let clone_ns = start.elapsed().as_secs_f64() * 1e9 / f64::from(CLONES);
    Ok(Figures {
        game: game.title().id,
        actions_per_second: actions as f64 / spent,
        games_per_second: played as f64 / spent,
        mean_actions,
        position_bytes: game.position_bytes(),
        clone_ns,
    })
}

impl Figures {
    fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "game": self.game,
            "actions_per_second": self.actions_per_second,
            "games_per_second": self.games_per_second,
            "mean_actions": self.mean_actions,
            "position_bytes": self.position_bytes,
            "clone_ns": self.clone_ns,
        })
    }
}

//! `outremer bench`: how fast the rules are, on one core. Processor time is counted, so that a busy machine
//! makes it take longer and not look slower.

use anyhow::Result;
use cpu_time::ThreadTime;
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
    let bots = args.games.first().is_some_and(|word| word == "bots");
    let named = &args.games[usize::from(bots)..];
    let ids: Vec<String> = if named.is_empty() {
        games::all().iter().map(|g| g.id.to_string()).collect()
    } else {
        named.to_vec()
    };
    if bots {
        return run_bots(&ids, args);
    }
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
    println!("Random play on one core, by processor time: list the options, choose, apply.\n");
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

/// How many iterations a bot makes for each decision that is measured.
const ITERATIONS: u32 = 2000;

/// `outremer bench bots`: how fast bots think, on one core.
fn run_bots(ids: &[String], args: &Bench) -> Result<()> {
    let mut rows = Vec::new();
    for id in ids {
        let game = games::open(id, &Data::default())?;
        let time = std::time::Duration::from_secs(args.seconds.max(1).into());
        rows.push((game.title().id, bots::measure::speed(&*game, ITERATIONS, time)?));
    }
    if args.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|(id, speed)| {
                serde_json::json!({
                    "game": id,
                    "iterations_per_second": speed.per_second(),
                    "decisions": speed.decisions,
                    "mean_choices": speed.choices as f64 / speed.decisions.max(1) as f64,
                })
            })
            .collect();
        println!(
            "{}",
            serde_json::json!({ "threads": 1, "seconds_each": args.seconds.max(1), "bots": rows })
        );
        return Ok(());
    }
    println!("Tree search on one core, at most {ITERATIONS} iterations for each decision of greedy games.\n");
    println!(
        "| {:<20} | {:>12} | {:>10} | {:>17} |",
        "game", "iterations/s", "decisions", "choices/decision"
    );
    println!("|{:-<22}|{:->14}|{:->12}|{:->19}|", "", ":", ":", ":");
    for (id, speed) in &rows {
        println!(
            "| {id:<20} | {:>12} | {:>10} | {:>17.1} |",
            terminal::thousands(speed.per_second()),
            speed.decisions,
            speed.choices as f64 / speed.decisions.max(1) as f64,
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
        let start = ThreadTime::now();
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
    let start = ThreadTime::now();
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

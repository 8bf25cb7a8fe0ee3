//! Figures about Kingdom of Heaven, for `BALANCE.md` and `BENCHMARKS.md`.
//!
//! ```text
//! war speed SCENARIO GAMES
//! war arena SCENARIO PAIRS SEED PLAYER PLAYER
//! war balance SCENARIO GAMES PLAYER
//! war vignette FILES
//! ```
#![allow(clippy::unwrap_used, clippy::disallowed_types)]

use std::time::Instant;

use bots::Limits;
use bots::arena::{Draw, Plan as Bout, Share, run};
use kingdom_of_heaven::{ENTRY, FILES};
use table::{AnyGame, DataFiles, Plan, Setup, Vignette, Wishes};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    match args[..] {
        ["speed", scenario, games] => speed(&*game, &set_up(&*game, scenario), games.parse().unwrap()),
        ["arena", scenario, pairs, seed, one, two] => {
            arena(&*game, scenario, pairs.parse().unwrap(), seed.parse().unwrap(), [one, two]);
        }
        ["balance", scenario, games, player] => {
            arena(&*game, scenario, games.parse::<u32>().unwrap() / 2, 1, [player, player]);
        }
        ["vignette", ref files @ ..] => files.iter().for_each(|file| vignette(&*game, file)),
        _ => panic!(
            "speed SCENARIO GAMES, arena SCENARIO PAIRS SEED PLAYER PLAYER, balance SCENARIO GAMES PLAYER, \
             or vignette FILES"
        ),
    }
}

fn set_up(game: &dyn AnyGame, scenario: &str) -> Setup {
    game.title().set_up(&Wishes { scenario: Some(scenario.into()), ..Wishes::default() }).unwrap()
}

/// Whether a vignette holds as it stands in its file, without building anything anew.
fn vignette(game: &dyn AnyGame, file: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    let played = Vignette::read(file, &text)
        .and_then(|v| game.play_vignette(&v).map(|played| v.unproved(&played).map(String::from).collect()));
    match played {
        Ok(unproved) => {
            let unproved: Vec<String> = unproved;
            println!(
                "{file}: holds{}",
                if unproved.is_empty() { "" } else { ", but not at work: " }.to_owned()
                    + &unproved.join(", ")
            );
        }
        Err(wrong) => println!("{wrong}"),
    }
}

/// Actions a second of random players, on one core.
fn speed(game: &dyn AnyGame, setup: &Setup, games: u64) {
    let plan = Plan { setup: setup.clone(), games, seed: 1, first: 0, picks: Vec::new() };
    let start = Instant::now();
    let tally = game.simulate(&plan, &mut |_| {}).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let rate = tally.actions as f64 / seconds;
    println!("{games} games, {} actions, {seconds:.1} s: {rate:.0} actions a second", tally.actions);
    println!("{:?}", tally.outcomes);
}

/// Two players, sides swapped, with 95 % intervals.
fn arena(game: &dyn AnyGame, scenario: &str, pairs: u32, seed: u64, players: [&str; 2]) {
    let plan = Bout {
        players: players.map(String::from).to_vec(),
        draw: Draw::All,
        share: Share::WHOLE,
        pairs,
        seed,
        threads: 1,
        limits: Limits::default(),
        sprt: None,
    };
    let results = run(game, &set_up(game, scenario), &plan, &|_| {}).unwrap();
    let summary = results.summary().unwrap();
    for meeting in &summary.meetings {
        let [won, drawn, lost] = meeting.games;
        println!("{scenario}: {} over {}: {won} won, {drawn} drawn, {lost} lost", players[0], players[1]);
        println!("  {:?}", meeting.elo);
    }
    println!("  {} (first side): {:?}", results.sides[0], summary.first_side);
    println!("  actions of a game {:.0}, at most {}", summary.actions.0, summary.actions.1);
    for (name, (count, mean, most)) in players.iter().zip(&summary.thinking) {
        println!("  {name}: {count} decisions, {mean:?} on average, {most:?} at most");
    }
    for fault in &summary.faults {
        println!("  fault: {fault}");
    }
}

//! How fast random play is, how large a position, and what comes of it: one line each.
#![allow(clippy::disallowed_types, clippy::unwrap_used, missing_docs)]
use table::{DataFiles, Plan, Wishes};

fn main() {
    let game = (first_crusade::ENTRY.open)(&DataFiles::built_in(first_crusade::FILES)).unwrap();
    println!("position: {} bytes", game.position_bytes());
    for scenario in ["crusade", "antioch", "nicaea"] {
        let wishes = Wishes { scenario: Some(scenario.into()), ..Wishes::default() };
        let setup = game.title().set_up(&wishes).unwrap();
        let plan = Plan { setup, games: 2000, seed: 1, first: 0, picks: vec![] };
        let start = std::time::Instant::now();
        let tally = game.simulate(&plan, &mut |_| {}).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{scenario}: {:.2} M actions/s, {:.0} games/s, {:.0} actions a game, longest {}, {:?}",
            tally.actions as f64 / seconds / 1e6,
            tally.games as f64 / seconds,
            tally.actions as f64 / tally.games as f64,
            tally.longest,
            tally.outcomes
        );
    }
    let start = std::time::Instant::now();
    game.clone_positions(100, 1_000_000).unwrap();
    println!("clone: {:.0} ns", start.elapsed().as_secs_f64() * 1e3);
}

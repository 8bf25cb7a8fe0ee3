//! How fast random play is, how large a position, how quick a copy.
//!
//! `cargo run --release -p croisades --example speed [GAMES]`

// This measures time, which no rule does.
#![allow(clippy::disallowed_types)]

use std::time::Instant;

use croisades::skirmish::Skirmish;
use croisades::skirmish::position::Position;
use table::rooms::*;
use table::{Lots, Options, Silent, Wishes};

fn main() {
    let games: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100);
    let game = Skirmish::built_in();
    println!("a position has {} bytes", size_of::<Position>());
    for scenario in game.title().scenarios.clone() {
        let wishes = Wishes { scenario: Some(scenario.id.clone()), ..Wishes::default() };
        let Ok(setup) = game.title().set_up(&wishes) else { continue };
        let (mut actions, mut longest, mut turns) = (0u64, 0u64, 0u64);
        let mut room = Options::new();
        let mut copied = None;
        let begin = Instant::now();
        for seed in 0..games {
            let mut umpire = Silent::new(seed);
            let Ok(mut p) = game.setup(&setup, &mut umpire) else { continue };
            let mut lots = Lots::new(seed);
            let mut played = 0;
            while let Some(seat) = game.deciding(&p).lowest() {
                room.clear();
                game.options(&p, seat, &mut room);
                let Some(offer) = lots.pick(room.offers()) else { break };
                game.apply(&mut p, seat, offer.action, &mut umpire);
                played += 1;
                if played == 200 {
                    copied = Some(p.clone());
                }
            }
            actions += played;
            longest = longest.max(played);
            turns += u64::from(p.open.field.turn);
        }
        let took = begin.elapsed();
        println!(
            "{}: {:.0} actions a second, {} actions a game, {longest} at the most, {:.1} turns",
            scenario.id,
            actions as f64 / took.as_secs_f64(),
            actions / games.max(1),
            turns as f64 / games.max(1) as f64
        );
        if let Some(p) = copied {
            let begin = Instant::now();
            for _ in 0..100_000 {
                std::hint::black_box(p.clone());
            }
            println!("  a copy takes {:.0} ns", begin.elapsed().as_secs_f64() * 1e9 / 1e5);
        }
    }
}

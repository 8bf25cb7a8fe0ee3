//! How many shields of Outremer (ratings added up) the Saracens hold at the end of a scenario when equal players meet.
//!
//! `cargo run --release -p crusader-rex --example balance -- 1187 greedy 200`
#![allow(clippy::unwrap_used, missing_docs)]
use crusader_rex::CrusaderRex;
use table::rooms::*;
use table::{Lots, Observed, Options, Pick, Silent, Viewer, Wishes, choose};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |i: usize, usual: &str| words.get(i).cloned().unwrap_or_else(|| usual.into());
    let pick = if word(1, "greedy") == "random" { Pick::Random } else { Pick::Greedy };
    let games: u64 = word(2, "100").parse().unwrap();
    let game = CrusaderRex::built_in();
    let setup =
        game.title().set_up(&Wishes { scenario: Some(word(0, "1187")), ..Wishes::default() }).unwrap();
    let mut shields = [0u32; 24];
    let mut won = [0u32; 2];
    let mut options = Options::new();
    for seed in 0..games {
        let mut umpire = Silent::new(seed);
        let mut lots = Lots::new(seed + 1_000_000);
        let mut p = game.setup(&setup, &mut umpire).unwrap();
        while let Some(seat) = lots.pick(&game.deciding(&p).iter().collect::<Vec<_>>()) {
            options.clear();
            game.options(&p, seat, &mut options);
            let view = game.view(&p, Viewer::Seat(seat));
            let observed = Observed::<CrusaderRex> { seat, view, offers: options.offers().to_vec() };
            let action = choose(&game, &observed, pick, &mut lots);
            game.apply(&mut p, seat, action, &mut umpire);
        }
        let outcome = game.outcome(&p).unwrap();
        if let Some(table::Fact::Number(n)) = game.fact(&p, &p, "shields") {
            shields[n as usize] += 1;
        }
        won[usize::from(outcome.winners.contains(table::Seat::new(1)))] += 1;
    }
    println!("Frank {} Saracen {} wins; games by shields taken: {shields:?}", won[0], won[1]);
}

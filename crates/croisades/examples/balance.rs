//! Quick battles by habit, in numbers: who wins, what is lost, how long it takes. Writes a table for the documents.
//!
//! `cargo run --release -p croisades --example croisades-balance [GAMES [SKIRMISH [FIRST [FOLDER [MAP]]]]]`: one
//! skirmish or `all`; the number of the first battle, so that figures are chosen on other battles than those that are
//! reported; data of another folder can be tried without building anew; a muster can be fought on another map.

use croisades::field::Fate;
use croisades::ids::Side;
use croisades::skirmish::{FILES, Skirmish};
use table::rooms::*;
use table::{DataFiles, Lots, Options, Silent, Wishes};

fn main() {
    let games: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(400);
    let mut files = DataFiles::built_in(FILES);
    let only = std::env::args().nth(2).filter(|id| id != "all");
    let first: u64 = std::env::args().nth(3).and_then(|n| n.parse().ok()).unwrap_or(0);
    if let Some(folder) = std::env::args().nth(4).filter(|folder| folder != "-") {
        for (name, _) in FILES {
            if let Ok(text) = std::fs::read_to_string(format!("{folder}/{name}")) {
                files.replace(name, text).unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
    let game = Skirmish::open(&files).unwrap_or_else(|e| panic!("{e}"));
    println!("| skirmish | Crusaders win | Saracens win | draws | lost Crusaders | lost Saracens | turns |");
    println!("|---|---|---|---|---|---|---|");
    let wanted = |id: &str| only.as_ref().is_none_or(|only| only == id);
    for scenario in game.title().scenarios.clone().into_iter().filter(|s| wanted(&s.id)) {
        let map = std::env::args().nth(5).map(|map| ("map".to_string(), map));
        let options = map.into_iter().collect();
        let wishes = Wishes { scenario: Some(scenario.id.clone()), options, ..Wishes::default() };
        let Ok(setup) = game.title().set_up(&wishes) else { continue };
        let (mut wins, mut lost, mut turns) = ([0u64; 3], [0u64; 2], 0u64);
        for seed in first..first + games {
            let mut umpire = Silent::new(seed * 7919 + 1);
            let Ok(mut p) = game.setup(&setup, &mut umpire) else { continue };
            let (mut lots, mut room) = (Lots::new(seed), Options::new());
            while let Some(seat) = game.deciding(&p).lowest() {
                let Some(action) = game.routine(&p, seat, &mut room, &mut lots) else { break };
                game.apply(&mut p, seat, action, &mut umpire);
            }
            let winner = game.outcome(&p).and_then(|o| o.winners.lowest()).map_or(2, |seat| seat.index());
            wins[winner] += 1;
            turns += u64::from(p.open.field.turn);
            for side in Side::BOTH {
                let gone = p.open.field.men.iter().filter(|m| m.side == side && m.fate != Fate::Fights);
                lost[side.index()] += gone.count() as u64;
            }
        }
        // The 95 % interval of a share, by the normal approximation, in tenths of a per cent.
        let share = |count: u64| {
            let p = count as f64 / games as f64;
            let half = 1.96 * (p * (1.0 - p) / games as f64).sqrt();
            format!("{:.1} % ± {:.1}", p * 100.0, half * 100.0)
        };
        let mean = |sum: u64| format!("{:.1}", sum as f64 / games as f64);
        println!(
            "| {} | {} | {} | {} | {} | {} | {} |",
            scenario.name,
            share(wins[0]),
            share(wins[1]),
            share(wins[2]),
            mean(lost[0]),
            mean(lost[1]),
            mean(turns)
        );
    }
}

//! Battles between two searching players, in numbers: who wins, what is lost, how long it takes. Between different
//! players every battle is played twice with their sides swapped, until the minutes are over or enough were played.
//!
//! `cargo run --release -p croisades --example croisades-captains SKIRMISH [MINUTES [GAMES [FIRST [PLAYER PLAYER
//! [FOLDER]]]]]`: players by their names, or `habit` for the house; the number of the first pair, so that figures are chosen on other battles than those that are
//! reported; data of another folder can be tried without building anew.

// This measures time, which no rule does.
#![allow(clippy::disallowed_types, clippy::expect_used)]

use std::time::Instant;

use std::sync::Arc;

use bots::{Limits, Turn, seat_player};
use croisades::skirmish::{FILES, Skirmish};
use table::rooms::*;
use table::{DataFiles, Lots, Match, Nonces, Options, Seed, Viewer, Wishes};

fn main() {
    let argument = |n: usize, usual: &str| std::env::args().nth(n).unwrap_or_else(|| usual.to_string());
    let scenario = argument(1, "first-blood");
    let minutes: f64 = argument(2, "10").parse().expect("a number of minutes");
    let games: u64 = argument(3, "60").parse().expect("a number of games");
    let first: u64 = argument(4, "0").parse().expect("the number of the first pair");
    let players = [argument(5, "captain:100"), argument(6, "captain:100")];
    let mut files = DataFiles::built_in(FILES);
    if let Some(folder) = std::env::args().nth(7) {
        for (name, _) in FILES {
            if let Ok(text) = std::fs::read_to_string(format!("{folder}/{name}")) {
                files.replace(name, text).unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
    let game = Arc::new(Skirmish::open(&files).unwrap_or_else(|e| panic!("{e}")));
    let wishes = Wishes { scenario: Some(scenario.clone()), ..Wishes::default() };
    let setup = game.title().set_up(&wishes).unwrap_or_else(|e| panic!("{e}"));
    let begin = Instant::now();
    // By sides, and by players; the last of each are draws.
    let (mut sides, mut names, mut lost, mut turns) = ([0u64; 3], [0u64; 3], [0u64; 2], 0u64);
    let mut played = 0;
    'all: for pair in first..first + games.div_ceil(2) {
        for swapped in [0usize, 1] {
            // Between two alike, the same battle again would be the same game.
            let battle = if players[0] == players[1] { pair * 2 + swapped as u64 } else { pair };
            let mut sitting =
                Match::open(game.clone(), setup.clone(), Seed::numbered(battle), Nonces::default())
                    .unwrap_or_else(|e| panic!("{e}"));
            // Nobody is seated for the house, which plays by habit.
            let mut seated = [0usize, 1].map(|side| {
                let name = &players[side ^ swapped];
                let seed = battle * 4 + side as u64;
                let seat = || seat_player(name, seed, Limits::default()).unwrap_or_else(|e| panic!("{e}"));
                (name != "habit").then(seat)
            });
            let (mut lots, mut room) = (Lots::new(pair), Options::new());
            while let Some(seat) = sitting.waiting_for().lowest() {
                if begin.elapsed().as_secs_f64() > minutes * 60.0 {
                    break 'all;
                }
                let action = match &mut seated[seat.index()] {
                    Some(player) => {
                        let turn = Turn::new(&sitting, seat).expect("he must decide");
                        let answer = player.decide(&turn).unwrap_or_else(|e| panic!("{e}"));
                        sitting.read(answer.as_str()).unwrap_or_else(|e| panic!("{e}"))
                    }
                    None => {
                        let position = game.imagine(&sitting.view(Viewer::Seat(seat)), &mut lots);
                        game.routine(&position, seat, &mut room, &mut lots).expect("he must decide")
                    }
                };
                sitting.act(seat, None, &[action]).unwrap_or_else(|e| panic!("{e}"));
            }
            let winner = sitting.outcome().and_then(|o| o.winners.lowest()).map_or(2, |seat| seat.index());
            sides[winner] += 1;
            names[if winner == 2 { 2 } else { winner ^ swapped }] += 1;
            played += 1;
            let scene = sitting.scene(Viewer::Observer);
            for (side, row) in scene.register.iter().flat_map(|r| r.rows.iter().enumerate()) {
                // Dead, captive and fled stand behind those who are up.
                let gone = row.cells[1..4].iter().filter_map(|cell| cell.text.parse::<u64>().ok());
                lost[side] += gone.sum::<u64>();
            }
            turns += scene.tracks.first().and_then(|t| t.markers.first()).map_or(0, |m| m.at as u64 + 1);
        }
    }
    let share = |count: u64| {
        let p = count as f64 / (played as f64).max(1.0);
        let half = 1.96 * (p * (1.0 - p) / (played as f64).max(1.0)).sqrt();
        format!("{:.1} % ± {:.1}", p * 100.0, half * 100.0)
    };
    let mean = |sum: u64| format!("{:.1}", sum as f64 / (played as f64).max(1.0));
    println!(
        "| skirmish | games | Crusaders win | Saracens win | draws | lost Crusaders | lost Saracens | turns |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    println!(
        "| {scenario} | {played} | {} | {} | {} | {} | {} | {} |",
        share(sides[0]),
        share(sides[1]),
        share(sides[2]),
        mean(lost[0]),
        mean(lost[1]),
        mean(turns)
    );
    if players[0] != players[1] {
        // The usual interval of a mean score, as Elo.
        let n = (played as f64).max(1.0);
        let score = (names[0] as f64 + names[2] as f64 / 2.0) / n;
        let spread = (names[0] as f64 * (1.0 - score).powi(2)
            + names[2] as f64 * (0.5 - score).powi(2)
            + names[1] as f64 * score.powi(2))
            / n;
        let half = 1.96 * (spread / n).sqrt();
        let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
        println!(
            "{} over {}: {} won, {} lost, {} drawn of {played}; Elo {:+.0} ({:+.0} to {:+.0})",
            players[0],
            players[1],
            names[0],
            names[1],
            names[2],
            elo(score),
            elo(score - half),
            elo(score + half)
        );
    }
    println!("{:.0} s", begin.elapsed().as_secs_f64());
}

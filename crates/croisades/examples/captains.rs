//! Battles between two searching players, in numbers: who wins, what is lost, how long it takes. Every battle is
//! played twice with the players' sides swapped, until the minutes are over or enough were played.
//!
//! `cargo run --release -p croisades --example croisades-captains SKIRMISH [MINUTES [GAMES [PLAYER PLAYER]]]`

// This measures time, which no rule does.
#![allow(clippy::disallowed_types, clippy::expect_used)]

use std::time::Instant;

use bots::{Limits, Turn, seat_player};
use croisades::skirmish::{ENTRY, FILES};
use table::{DataFiles, Nonces, Seed, Viewer, Wishes};

fn main() {
    let argument = |n: usize, usual: &str| std::env::args().nth(n).unwrap_or_else(|| usual.to_string());
    let scenario = argument(1, "first-blood");
    let minutes: f64 = argument(2, "10").parse().expect("a number of minutes");
    let games: u64 = argument(3, "60").parse().expect("a number of games");
    let players = [argument(4, "captain:100"), argument(5, "captain:100")];
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).expect("the game's own data are tested");
    let wishes = Wishes { scenario: Some(scenario.clone()), ..Wishes::default() };
    let setup = game.title().set_up(&wishes).unwrap_or_else(|e| panic!("{e}"));
    let begin = Instant::now();
    // By sides, and by players; the last of each are draws.
    let (mut sides, mut names, mut lost, mut turns) = ([0u64; 3], [0u64; 3], [0u64; 2], 0u64);
    let mut played = 0;
    'all: for pair in 0..games.div_ceil(2) {
        for swapped in [0usize, 1] {
            let mut sitting = game
                .open(setup.clone(), Seed::numbered(pair), Nonces::default())
                .unwrap_or_else(|e| panic!("{e}"));
            let mut seated = [0usize, 1].map(|side| {
                let name = &players[side ^ swapped];
                let seed = pair * 4 + side as u64;
                seat_player(name, seed, Limits::default()).unwrap_or_else(|e| panic!("{e}"))
            });
            while let Some(seat) = sitting.waiting_for().lowest() {
                if begin.elapsed().as_secs_f64() > minutes * 60.0 {
                    break 'all;
                }
                let turn = Turn::new(&*sitting, seat).expect("he must decide");
                let answer = seated[seat.index()].decide(&turn).unwrap_or_else(|e| panic!("{e}"));
                sitting.act(seat, None, &[answer.as_str()]).unwrap_or_else(|e| panic!("{e}"));
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

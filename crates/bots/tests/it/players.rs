//! The players of this crate: strength against known truths, determinism.
#![allow(clippy::unwrap_used)]

use bots::search::{Budget, Search, Settings};
use bots::{Limits, Player, Turn, seat_player};
use table::rooms::*;
use table::small::connect_four::ConnectFour;
use table::small::phantom::Phantom;
use table::small::ten_towns::TenTowns;
use table::small::tic_tac_toe::TicTacToe;
use table::{AnyGame, AnyMatch, Nonces, Seat, Seed, Viewer};

fn open<G: Game>(game: G, seed: u64) -> Box<dyn AnyMatch> {
    let game = <dyn AnyGame>::new(game);
    game.open(game.title().usual_set_up(), Seed::numbered(seed), Nonces::default()).unwrap()
}

fn player(name: &str, seed: u64) -> Box<dyn Player> {
    seat_player(name, seed, Limits::default()).unwrap()
}

/// Plays to the end; the points of the first seat.
fn play(mut sitting: Box<dyn AnyMatch>, mut players: [Box<dyn Player>; 2]) -> f32 {
    while sitting.outcome().is_none() {
        let seat = sitting.waiting_for().lowest().unwrap();
        let answer = players[seat.index()].decide(&Turn::new(&*sitting, seat).unwrap()).unwrap();
        sitting.act(seat, None, &[answer.as_str()]).unwrap();
    }
    let winners = sitting.outcome().unwrap().winners;
    if winners.is_empty() { 0.5 } else { f32::from(u8::from(winners.contains(Seat::new(0)))) }
}

/// The share of points of a player against another over some games on both sides.
fn score<G: Game + Clone>(game: &G, own: &str, other: &str, games: u64) -> f32 {
    let points = (0..games).map(|seed| {
        let (a, b) = (player(own, seed), player(other, seed + 1000));
        if seed % 2 == 0 {
            play(open(game.clone(), seed), [a, b])
        } else {
            1.0 - play(open(game.clone(), seed), [b, a])
        }
    });
    points.sum::<f32>() / games as f32
}

#[test]
fn a_captain_never_loses_tic_tac_toe() {
    for seed in 0..60 {
        for other in ["random", "greedy"] {
            let first =
                play(open(TicTacToe::new(), seed), [player("captain:400", seed), player(other, seed)]);
            let second =
                play(open(TicTacToe::new(), seed), [player(other, seed), player("captain:400", seed)]);
            assert!(first >= 0.5 && second <= 0.5, "lost to {other} with seed {seed}");
        }
    }
    let even = play(open(TicTacToe::new(), 1), [player("captain:6000", 1), player("captain:6000", 2)]);
    assert_eq!(even, 0.5, "perfect players draw");
}

/// What a player drops after these drops.
fn next_drop(name: &str, drops: &str) -> String {
    let mut sitting = open(ConnectFour::new(), 1);
    for column in drops.chars() {
        let seat = sitting.waiting_for().lowest().unwrap();
        sitting.act(seat, None, &[&column.to_string()]).unwrap();
    }
    let seat = sitting.waiting_for().lowest().unwrap();
    player(name, 5).decide(&Turn::new(&*sitting, seat).unwrap()).unwrap().to_string()
}

#[test]
fn a_captain_sees_wins_blocks_and_double_threats_in_connect_four() {
    assert_eq!(next_drop("captain:1000", "agagag"), "a", "four upwards wins at once");
    assert_eq!(next_drop("captain:1000", "agaga"), "a", "three upwards must be stopped");
    let win = next_drop("captain:5000", "daea");
    assert!(["c", "f"].contains(&win.as_str()), "three with both ends free win, not {win}");
    let block = next_drop("captain:20000", "dae");
    assert!(["c", "f"].contains(&block.as_str()), "two with both ends free must be stopped, not by {block}");
}

#[test]
fn even_a_squire_wins_at_once_where_he_can_and_stops_what_must_be_stopped() {
    assert_eq!(next_drop("squire", "agagag"), "a");
    assert_eq!(next_drop("squire", "agaga"), "a");
}

#[test]
fn levels_are_worth_their_names() {
    let towns = TenTowns::built_in();
    let captain = score(&towns, "captain:200", "greedy", 40);
    assert!(captain > 0.9, "captain against greedy: {captain}");
    let squire = score(&towns, "squire", "random", 30);
    assert!(squire > 0.8, "squire against random: {squire}");
    let captain = score(&Phantom::new(), "captain:400", "random", 100);
    assert!(captain > 0.75, "captain against random at phantom tic-tac-toe: {captain}");
}

#[test]
fn a_larger_budget_plays_better() {
    let deep = score(&ConnectFour::new(), "captain:600", "captain:40", 40);
    assert!(deep > 0.7, "fifteen times the budget: {deep}");
}

// Determinism.

#[test]
fn the_same_seed_iterations_and_threads_give_the_same_advice() {
    let sitting = open(TenTowns::built_in(), 3);
    let thought = sitting.thought(Seat::new(0)).unwrap();
    for threads in [1, 2, 3] {
        let think = |seed| {
            let settings = Settings { threads, ..Settings::default() };
            Search::new(settings).think(&*thought, Budget::Iterations(500), seed)
        };
        assert_eq!(think(4), think(4), "with {threads} threads");
        assert_ne!(think(4), think(5), "the seed matters");
    }
}

#[test]
fn a_game_by_iterations_can_be_repeated() {
    let record = |seed: u64| {
        let mut sitting = open(TenTowns::built_in(), seed);
        let mut players = [player("captain:60", 1), player("knight:60", 2)];
        while let Some(seat) = sitting.waiting_for().lowest() {
            let answer = players[seat.index()].decide(&Turn::new(&*sitting, seat).unwrap()).unwrap();
            sitting.act(seat, None, &[answer.as_str()]).unwrap();
        }
        sitting.record(true).to_string()
    };
    assert_eq!(record(6), record(6));
}

/// A second decision of the same seat finds its place in the tree of the first.
#[test]
fn the_tree_is_used_again() {
    let mut sitting = open(TenTowns::built_in(), 2);
    for (seat, card) in [(0, "card 3"), (1, "card 1")] {
        sitting.act(Seat::new(seat), None, &[card]).unwrap();
    }
    let mut search = Search::new(Settings::default());
    let think = |search: &mut Search, sitting: &dyn AnyMatch| {
        search.think(&*sitting.thought(Seat::new(0)).unwrap(), Budget::Iterations(2000), 1)
    };
    let advice = think(&mut search, &*sitting);
    assert!(advice.choices[0].notation.as_str().starts_with("group"), "{advice:?}");
    sitting.act(Seat::new(0), None, &[advice.choices[0].notation.as_str()]).unwrap();
    let next = think(&mut search, &*sitting);
    let visits: u32 = next.choices.iter().map(|c| c.visits).sum();
    assert!(
        visits > next.iterations + advice.choices[0].visits / 2,
        "{visits} visits, {} new",
        next.iterations
    );
}

/// A turn can be thought about elsewhere, after the table is gone, and shows what the table shows the seat.
#[test]
fn a_turn_needs_no_table() {
    let sitting = open(TenTowns::built_in(), 3);
    let seat = Seat::new(1);
    let here = player("captain:200", 8).decide(&Turn::new(&*sitting, seat).unwrap()).unwrap();
    let turn = Turn::new(&*sitting, seat).unwrap();
    assert_eq!(turn.offered(), sitting.offered(seat));
    assert_eq!(turn.view(), sitting.view_json(Viewer::Seat(seat)));
    assert_eq!(turn.scene(), sitting.scene(Viewer::Seat(seat)).to_text(&sitting.title().seat_names()));
    drop(sitting);
    let there = std::thread::scope(|scope| {
        let worker = scope.spawn(move || player("captain:200", 8).decide(&turn).unwrap());
        worker.join().unwrap()
    });
    assert_eq!(here, there);
}

//! Players from outside: the example plays, and every way to fail loses by forfeit without stopping the arena.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use bots::Limits;
use bots::arena::{self, Draw, Plan, Results, Share};
use table::{DataFiles, small};

fn arena(game: usize, players: &[&str], pairs: u32) -> Results {
    let entry = small::ALL[game];
    let game = (entry.open)(&DataFiles::built_in(entry.files)).unwrap();
    let plan = Plan {
        players: players.iter().map(|p| (*p).to_string()).collect(),
        draw: Draw::All,
        share: Share::WHOLE,
        pairs,
        seed: 1,
        threads: 2,
        limits: Limits { outside: Duration::from_millis(800), ..Limits::default() },
        sprt: None,
    };
    arena::run(&*game, &game.title().usual_set_up(), &plan, &|_| {}).unwrap()
}

const TIC_TAC_TOE: usize = 0;
const TEN_TOWNS: usize = 3;

fn faulty(name: &str) -> String {
    format!("{}/tests/faulty/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A faulty player loses every game, with this message, and all games are played.
fn forfeits(name: &str, message: &str) {
    let path = faulty(name);
    let results = arena(TIC_TAC_TOE, &[&path, "random"], 2);
    let summary = results.summary().unwrap();
    assert_eq!(summary.meetings[0].games, [0, 0, 4], "{:?}", summary.faults);
    assert_eq!(summary.faults.len(), 4);
    for fault in &summary.faults {
        assert!(fault.contains(message), "{fault}");
        assert!(fault.contains(&path), "{fault}");
    }
}

#[test]
fn a_late_player_forfeits() {
    forfeits("late.sh", "did not answer within 0.8 s");
}

#[test]
fn a_crashing_player_forfeits() {
    forfeits("crashing.sh", "has gone: exit status: 3");
}

#[test]
fn a_player_who_talks_nonsense_forfeits() {
    forfeits("nonsense.sh", "said `maybe`: expected `choose` and an option");
}

#[test]
fn a_rude_player_forfeits() {
    forfeits("rude.sh", "said `whatever`: expected `ready` after `hello`");
}

#[test]
fn a_player_that_is_not_there_forfeits() {
    forfeits("nobody.sh", "cannot be started");
}

#[test]
fn a_flood_is_cut_and_is_nonsense() {
    forfeits("flooding.sh", "said `xxxxxxxx");
}

#[test]
fn a_forbidden_choice_forfeits_with_the_rule() {
    let results = arena(TIC_TAC_TOE, &[&faulty("forbidden.sh"), "random"], 2);
    let summary = results.summary().unwrap();
    assert_eq!(summary.meetings[0].games[0], 0);
    assert!(
        summary.faults.iter().any(|f| f.contains("said `a1`: `a1` is not allowed") && f.contains("[1]")),
        "{:?}",
        summary.faults
    );
}

#[test]
fn the_example_plays_to_the_end() {
    let path = format!("{}/examples/mybot.py", env!("CARGO_MANIFEST_DIR"));
    for game in [TIC_TAC_TOE, TEN_TOWNS] {
        let results = arena(game, &[&path, "random"], 2);
        assert_eq!(results.summary().unwrap().faults, Vec::<String>::new());
        assert!(results.pairs.iter().all(|p| p.games.iter().all(|g| g.actions >= 5)));
    }
    let lines = std::fs::read_to_string(&path).unwrap().lines().count();
    assert!(lines < 100, "{lines} lines");
}

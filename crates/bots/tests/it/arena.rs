//! The arena: what it counts, that it can be repeated, and that it stops when a question is answered.
#![allow(clippy::unwrap_used)]

use bots::Limits;
use bots::arena::{self, ArenaError, Plan, Results, Sprt, Verdict};
use table::{DataFiles, small};

fn plan(players: &[&str], pairs: u32) -> Plan {
    Plan {
        players: players.iter().map(|p| (*p).to_string()).collect(),
        pairs,
        seed: 1,
        threads: 2,
        limits: Limits { iterations: Some(60), ..Limits::default() },
        sprt: None,
    }
}

fn run(game: usize, plan: &Plan) -> Result<Results, ArenaError> {
    let entry = small::ALL[game];
    let game = (entry.open)(&DataFiles::built_in(entry.files)).unwrap();
    arena::run(&*game, &game.title().usual_set_up(), plan, &|_| {})
}

#[test]
fn everybody_meets_everybody_on_both_sides() {
    let results = run(0, &plan(&["random", "greedy", "captain"], 5)).unwrap();
    assert_eq!(results.pairs.len(), 15);
    let summary = results.summary().unwrap();
    assert_eq!(summary.standings[0].player, 2, "the captain leads");
    assert!(summary.standings.iter().all(|s| s.games == 20));
    assert_eq!(summary.meetings.iter().map(|m| m.games.iter().sum::<u64>()).collect::<Vec<_>>(), [10; 3]);
    let csv = results.csv();
    assert_eq!(csv.lines().count(), 31);
    let firsts = csv.lines().filter(|l| l.split(',').nth(2) == Some("captain")).count();
    assert_eq!(firsts, 10, "half of the captain's twenty games on the first side");
    let json = results.json();
    assert_eq!(json["games"].as_array().unwrap().len(), 30);
    assert_eq!(json["standings"][0]["player"], "captain");
    let chart = results.chart().unwrap();
    assert!(chart.starts_with("<svg") && ["random", "greedy", "captain"].iter().all(|p| chart.contains(p)));
}

#[test]
fn threads_change_nothing() {
    let results = |threads| {
        let plan = Plan { threads, ..plan(&["captain", "knight:30"], 3) };
        let games = run(3, &plan).unwrap().pairs;
        games.iter().flat_map(|p| p.games.iter().map(|g| (g.ended.clone(), g.actions))).collect::<Vec<_>>()
    };
    assert_eq!(results(1), results(2));
}

#[test]
fn a_sequential_test_stops_when_it_is_answered() {
    let test = |players: &[&str], elo0, elo1| {
        let plan = Plan { sprt: Some(Sprt { elo0, elo1 }), ..plan(players, 200) };
        let results = run(0, &plan).unwrap();
        (results.pairs.len(), results.summary().unwrap().sprt.unwrap().1)
    };
    let (pairs, verdict) = test(&["captain", "random"], 0.0, 100.0);
    assert_eq!(verdict, Verdict::Proved);
    assert!(pairs < 60, "{pairs} pairs");
    assert_eq!(test(&["random", "captain"], 0.0, 100.0).1, Verdict::Refuted);
    assert_eq!(test(&["captain", "random"], 0.0, 100.0), (pairs, verdict), "and at the same pair again");
}

#[test]
fn what_cannot_be_played_is_said_before_anybody_is_seated() {
    assert_eq!(
        run(0, &plan(&["random"], 1)).unwrap_err().to_string(),
        "an arena needs at least two players, found 1"
    );
    assert!(
        run(0, &plan(&["random", "king"], 1)).unwrap_err().to_string().contains("no player is called `king`")
    );
    let three =
        Plan { sprt: Some(Sprt { elo0: 0.0, elo1: 5.0 }), ..plan(&["random", "greedy", "squire"], 1) };
    assert_eq!(run(0, &three).unwrap_err(), ArenaError::TooMany(3));
}

//! The arena: what it counts, that it can be repeated, and that it stops when a question is answered.
#![allow(clippy::unwrap_used)]

use bots::Limits;
use bots::arena::{self, ArenaError, Draw, MergeError, Plan, Results, Share, Sprt, Verdict};
use table::{DataFiles, small};

fn plan(players: &[&str], pairs: u32) -> Plan {
    Plan {
        players: players.iter().map(|p| (*p).to_string()).collect(),
        draw: Draw::All,
        share: Share::WHOLE,
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
        (results.pairs.len(), results.summary().unwrap().sprt[0].1)
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

#[test]
fn on_a_ladder_each_meets_the_one_below_until_it_is_answered() {
    let plan = Plan {
        draw: Draw::Ladder,
        sprt: Some(Sprt { elo0: 0.0, elo1: 100.0 }),
        ..plan(&["random", "greedy", "captain"], 60)
    };
    let results = run(0, &plan).unwrap();
    let summary = results.summary().unwrap();
    let met: Vec<_> = summary.meetings.iter().map(|m| m.players).collect();
    assert_eq!(met, [[1, 0], [2, 1]], "the upper of each rung is named first");
    assert_eq!(summary.sprt.len(), 2);
    assert_eq!(summary.sprt[0].1, Verdict::Proved, "greedy beats random: {:?}", summary.meetings[0]);
    let rung = |players| results.pairs.iter().filter(|p| p.players == players).count();
    assert!(rung([1, 0]) < 60, "a rung that is answered is left");
}

/// Shares put together are the whole, whoever played them; what does not belong together is not.
#[test]
fn shares_are_put_together() {
    let whole = plan(&["captain", "greedy"], 7);
    let share = |number, of| {
        let played = run(3, &Plan { share: Share { number, of }, threads: 1, ..whole.clone() }).unwrap();
        // As a file brings it.
        let text = serde_json::to_string(&played).unwrap();
        serde_json::from_str::<Results>(&text).unwrap()
    };
    let at_once = run(3, &whole).unwrap();
    let parts = || vec![share(3, 3), share(1, 3), share(2, 3)];
    let (together, missing) = Results::merged(parts()).unwrap();
    assert_eq!(missing, []);
    let told = |r: &Results| {
        let pairs =
            r.pairs.iter().map(|p| (p.number, p.players, p.games.clone().map(|g| (g.ended, g.actions))));
        pairs.collect::<Vec<_>>()
    };
    assert_eq!(told(&together), told(&at_once));
    assert_eq!(together.summary().unwrap().meetings, at_once.summary().unwrap().meetings);

    let (_, missing) = Results::merged(vec![share(1, 3)]).unwrap();
    assert_eq!(missing, [Share { number: 2, of: 3 }, Share { number: 3, of: 3 }]);
    let problem = |parts| Results::merged(parts).unwrap_err().to_string();
    assert_eq!(problem(vec![share(1, 3), share(1, 3)]), "share 1/3 is there twice");
    assert!(problem(vec![share(1, 3), share(2, 2)]).contains("number of shares"));
    let mut other = share(2, 3);
    other.plan.seed = 9;
    assert!(problem(vec![share(1, 3), other]).contains("seed"));
    let mut foreign = share(2, 3);
    foreign.pairs[0].number = 0;
    assert!(problem(vec![foreign]).contains("not of that share"));
    assert_eq!(Results::merged(Vec::new()).unwrap_err(), MergeError::Nothing);
    assert!(
        "0/3".parse::<Share>().is_err() && "4/3".parse::<Share>().is_err() && "3".parse::<Share>().is_err()
    );
    assert_eq!("3/8".parse::<Share>().unwrap().to_string(), "3/8");
}

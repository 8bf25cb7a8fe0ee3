//! The small games hold what they promise: conformance, vignettes, ledgers, speed without allocation.

#![allow(clippy::unwrap_used)]

use table::conformance::{Examination, assert_game, assert_records};
use table::{AnyGame, DataFiles, Plan, small};

fn games() -> Vec<Box<dyn AnyGame>> {
    small::ALL.iter().map(|entry| (entry.open)(&DataFiles::built_in(entry.files)).unwrap()).collect()
}

#[test]
fn every_game_conforms() {
    for game in games() {
        let findings =
            game.examine(&Examination { games: 120, wording: true, ..Examination::default() }, &mut |_| {});
        let id = game.title().id;
        if let Some(failure) = findings.failures.first() {
            panic!("{id}: {failure}\n{}", failure.record);
        }
        let unmet: Vec<_> =
            findings.never_met(&game.title().ledger).iter().map(|entry| entry.number.as_str()).collect();
        assert_eq!(unmet, Vec::<&str>::new(), "{id}: rules that 120 games never met");
        if id.starts_with("phantom") || id == "ten-towns" {
            assert!(findings.twins.1 * 3 > findings.twins.0, "{id}: {:?} twins differ", findings.twins);
        }
    }
}

#[test]
fn every_rule_is_in_the_ledger_and_shown_by_a_vignette_that_holds() {
    for game in games() {
        assert_game(&*game);
    }
}

/// A hundred games of each that were kept, under `tests/records`.
#[test]
fn kept_games_still_replay() {
    for game in games() {
        let folder = format!("{}/tests/records/{}", env!("CARGO_MANIFEST_DIR"), game.title().id);
        let read = |file: std::io::Result<std::fs::DirEntry>| {
            let path = file.unwrap().path();
            (path.display().to_string(), std::fs::read_to_string(&path).unwrap())
        };
        let records: Vec<_> = std::fs::read_dir(folder).unwrap().map(read).collect();
        assert_eq!(records.len(), 100);
        assert_records(&*game, records);
    }
}

#[test]
fn random_play_allocates_nothing() {
    for game in games() {
        let plan =
            |games| Plan { setup: game.title().usual_set_up(), games, seed: 1, first: 0, picks: Vec::new() };
        // What is allocated once (the room for options, the tally) does not grow with the games.
        let once = allocation_counter::measure(|| drop(game.simulate(&plan(20), &mut |_| {}).unwrap()));
        let many = allocation_counter::measure(|| drop(game.simulate(&plan(2_000), &mut |_| {}).unwrap()));
        assert_eq!(once.count_total, many.count_total, "{}", game.title().id);
    }
}

#[test]
fn simulation_is_reproducible_and_can_be_split() {
    for game in games() {
        let plan = |games, first| Plan {
            setup: game.title().usual_set_up(),
            games,
            seed: 7,
            first,
            picks: Vec::new(),
        };
        let whole = game.simulate(&plan(50, 0), &mut |_| {}).unwrap();
        let mut parts = game.simulate(&plan(20, 0), &mut |_| {}).unwrap();
        parts.add(&game.simulate(&plan(30, 20), &mut |_| {}).unwrap());
        assert_eq!(whole, parts, "{}", game.title().id);
        assert_eq!(whole.outcomes.values().sum::<u64>(), 50);
    }
}

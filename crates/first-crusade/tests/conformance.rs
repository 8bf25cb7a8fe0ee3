//! The First Crusade passes the examination that every game must pass.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::Arc;

use first_crusade::FirstCrusade;
use table::Game;
use table::conformance::{Examination, examine};

/// Examines a hundred games; the rules that none of them met.
fn examine_hundred(game: &Arc<FirstCrusade>, seed: u64) -> BTreeSet<String> {
    let examination = Examination { games: 100, seed, twins: 1, every: 12, failures: 5 };
    let findings = examine(game, &examination, &mut |_| {});
    for failure in &findings.failures {
        let record: Vec<_> = failure.record.lines().collect();
        println!("{failure}\n{}\n", record[record.len().saturating_sub(12)..].join("\n"));
    }
    assert!(findings.failures.is_empty(), "the examination found something");
    assert!(findings.twins.1 * 10 > findings.twins.0, "twins differ: {:?}", findings.twins);
    println!("{} games, {} actions, longest {}", findings.games, findings.actions, findings.longest);
    let unmet = findings.never_met(&game.title().ledger).into_iter();
    unmet.filter(|entry| entry.unreachable.is_none()).map(|entry| entry.number.clone()).collect()
}

#[test]
fn two_hundred_games_conform_and_meet_every_rule() {
    let game = Arc::new(FirstCrusade::built_in());
    let (one, other) = std::thread::scope(|scope| {
        let one = scope.spawn(|| examine_hundred(&game, 1));
        (examine_hundred(&game, 1001), one.join().unwrap())
    });
    let unmet: Vec<_> = one.intersection(&other).collect();
    assert_eq!(unmet, Vec::<&String>::new(), "rules that no game met");
}

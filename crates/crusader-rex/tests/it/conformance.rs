//! Crusader Rex passes the examination that every game must pass.

use std::sync::Arc;

use crusader_rex::CrusaderRex;
use table::conformance::{Examination, examine};
use table::rooms::*;

/// Examines a hundred games; the rules that none of them met.
fn examine_hundred(seed: u64) -> Vec<String> {
    let game = Arc::new(CrusaderRex::built_in());
    let examination = Examination {
        games: 100,
        seed,
        twins: 1,
        every: 40,
        failures: 5,
        wording: true,
        ..Examination::default()
    };
    let findings = examine(&game, &examination, &mut |_| {});
    for failure in &findings.failures {
        let record: Vec<_> = failure.record.lines().collect();
        println!("{failure}\n{}\n", record[record.len().saturating_sub(12)..].join("\n"));
    }
    assert!(findings.failures.is_empty(), "the examination found something");
    assert!(findings.twins.1 * 2 > findings.twins.0, "twins differ: {:?}", findings.twins);
    let rare: Vec<_> = findings.rules.iter().filter(|(_, n)| **n < 6).collect();
    println!("rarely met: {rare:?}");
    println!("{} games, {} actions, longest {}", findings.games, findings.actions, findings.longest);
    let unmet = findings.never_met(&game.title().ledger).into_iter();
    unmet.filter(|entry| entry.unreachable.is_none()).map(|entry| entry.number.clone()).collect()
}

#[test]
fn a_hundred_games_conform() {
    let unmet = examine_hundred(1);
    assert_eq!(unmet, Vec::<String>::new(), "rules that no game met");
}

#[test]
fn a_hundred_other_games_conform() {
    examine_hundred(1001);
}

//! Kingdom of Heaven passes the examination that every game must pass.

use std::sync::Arc;

use kingdom_of_heaven::KingdomOfHeaven;
use table::conformance::{Examination, examine};
use table::rooms::*;

#[test]
fn two_games_of_every_scenario_conform() {
    let game = Arc::new(KingdomOfHeaven::built_in());
    let examination = Examination {
        games: 22,
        seed: 1,
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
    println!("{} games, {} actions, longest {}", findings.games, findings.actions, findings.longest);
    let unmet: Vec<_> =
        findings.never_met(&game.title().ledger).into_iter().map(|entry| entry.number.clone()).collect();
    println!("rules that no game met: {unmet:?}");
}

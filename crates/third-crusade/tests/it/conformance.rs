//! Third Crusade passes the examination that every game must pass, in all castings and scenarios.

use std::sync::Arc;

use table::conformance::{Examination, examine};
use third_crusade::ThirdCrusade;

/// Examines games; what goes wrong is printed with the end of its record.
fn examine_some(games: u32, seed: u64, every: u32, wording: bool) {
    let game = Arc::new(ThirdCrusade::built_in());
    let examination =
        Examination { games, seed, twins: 1, every, failures: 3, wording, ..Examination::default() };
    let findings = examine(&game, &examination, &mut |_| {});
    for failure in &findings.failures {
        let record: Vec<_> = failure.record.lines().collect();
        println!("{failure}\n{}\n", record[record.len().saturating_sub(14)..].join("\n"));
    }
    assert!(findings.failures.is_empty(), "the examination found something");
    assert!(findings.twins.1 * 2 > findings.twins.0, "twins differ: {:?}", findings.twins);
    println!("{} games, {} actions, longest {}", findings.games, findings.actions, findings.longest);
}

#[test]
fn games_of_all_castings_conform() {
    examine_some(60, 1, 30, true);
}

#[test]
fn every_step_of_a_few_games_conforms() {
    examine_some(6, 501, 2, false);
}

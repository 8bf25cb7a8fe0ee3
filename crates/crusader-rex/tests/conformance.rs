//! Crusader Rex passes the examination that every game must pass.

use std::sync::Arc;

use crusader_rex::CrusaderRex;
use table::conformance::{Examination, examine};
use table::Game;

#[test]
fn two_hundred_games_conform() {
    let game = Arc::new(CrusaderRex::built_in());
    let examination = Examination { games: 200, seed: 1, twins: 1, every: 40, failures: 1 };
    let findings = examine(&game, &examination, &mut |_| {});
    for failure in &findings.failures {
        let record: Vec<_> = failure.record.lines().collect();
        let tail = record[record.len().saturating_sub(25)..].join("\n");
        panic!("{failure}\n{tail}");
    }
    println!("{} games, {} actions, longest {}, twins {:?}", findings.games, findings.actions, findings.longest, findings.twins);
    let unmet: Vec<_> = findings
        .never_met(&game.title().ledger)
        .iter()
        .filter(|entry| entry.unreachable.is_none())
        .map(|entry| entry.number.clone())
        .collect();
    assert_eq!(unmet, Vec::<String>::new(), "rules that no game met");
}

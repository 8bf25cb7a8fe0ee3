//! The ledger is complete, every vignette holds and shows what it claims, and the game passes the examination.
#![allow(clippy::unwrap_used)]

use four_keeps::{ENTRY, FILES};
use table::conformance::{Examination, assert_game};
use table::{AnyGame, DataFiles};

fn game() -> Box<dyn AnyGame> {
    (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap()
}

#[test]
fn every_vignette_holds_and_every_rule_is_shown() {
    assert_game(&*game());
}

#[test]
fn a_hundred_games_conform() {
    let game = game();
    let examination = Examination { games: 100, every: 4, wording: true, ..Examination::default() };
    let findings = game.examine(&examination, &mut |_| {});
    if let Some(failure) = findings.failures.first() {
        panic!("{failure}\n{}", failure.record);
    }
    let unmet = findings.never_met(&game.title().ledger).into_iter();
    let unmet: Vec<_> = unmet.filter(|e| e.unreachable.is_none()).map(|e| e.number.as_str()).collect();
    assert_eq!(unmet, Vec::<&str>::new(), "rules that no game met");
    assert!(findings.twins.1 * 3 > findings.twins.0, "twins differ: {:?}", findings.twins);
}

//! The ledger is complete, every vignette holds and shows what it claims, and the game passes the examination.
#![allow(clippy::unwrap_used)]

use croisades::skirmish::{ENTRY, FILES};
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
fn games_of_all_scenarios_conform() {
    let game = game();
    let examination =
        Examination { games: 15, every: 120, actions: Some(1200), wording: true, ..Examination::default() };
    let findings = game.examine(&examination, &mut |_| {});
    if let Some(failure) = findings.failures.first() {
        panic!("{failure}\n{}", failure.record);
    }
}

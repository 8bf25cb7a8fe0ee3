//! The ledger is complete, and every vignette holds and shows what it claims.
#![allow(clippy::unwrap_used)]

use kingdom_of_heaven::{ENTRY, FILES};
use table::DataFiles;
use table::conformance::assert_game;

#[test]
fn every_vignette_holds_and_every_rule_is_shown() {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    assert_game(&*game);
}

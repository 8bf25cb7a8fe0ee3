//! The ledger is complete, every vignette holds and shows what it claims.
#![allow(clippy::unwrap_used)]

use table::DataFiles;
use table::conformance::assert_game;
use third_crusade::{ENTRY, FILES};

#[test]
fn every_vignette_holds_and_every_rule_is_shown() {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    assert_game(&*game);
}

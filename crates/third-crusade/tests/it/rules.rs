//! The ledger is complete, every vignette holds and shows what it claims, and kept games replay.
#![allow(clippy::unwrap_used)]

use table::DataFiles;
use table::conformance::{assert_game, assert_records};
use third_crusade::{ENTRY, FILES};

/// Games of all castings that were kept, under `tests/records`; the example `third-crusade-balance` with
/// `5 greedy random record=DIR` wrote them.
fn records() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/records");
    let read = |file: std::io::Result<std::fs::DirEntry>| {
        let path = file.unwrap().path();
        (path.display().to_string(), std::fs::read_to_string(&path).unwrap())
    };
    std::fs::read_dir(folder).unwrap().map(read).collect()
}

#[test]
fn every_vignette_holds_and_every_rule_is_shown() {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    assert_game(&*game);
}

#[test]
fn kept_games_still_replay() {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    assert_eq!(records().len(), 45);
    assert_records(&*game, records());
}

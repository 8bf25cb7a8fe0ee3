//! The ledger is complete, every vignette holds and shows what it claims, and kept games replay.
#![allow(clippy::unwrap_used)]

use crusader_rex::{ENTRY, FILES};
use table::DataFiles;
use table::conformance::{assert_game, assert_records};

/// A hundred games that were kept, under `tests/records`.
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
    assert_eq!(records().len(), 100);
    assert_records(&*game, records());
}

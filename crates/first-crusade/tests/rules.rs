//! The ledger is complete and every vignette holds.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use first_crusade::FirstCrusade;
use table::{Game, Vignette};

#[test]
fn every_vignette_holds_and_every_rule_is_shown() {
    let game = FirstCrusade::built_in();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/vignettes");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    let mut shown = BTreeSet::new();
    let mut failures = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
        let vignette = Vignette::read(file, &text).unwrap();
        shown.extend(vignette.rules().map(str::to_string));
        if let Err(failure) = vignette.play(&game) {
            failures.push(failure.to_string());
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} vignettes fail:\n{}",
        failures.len(),
        files.len(),
        failures.join("\n")
    );
    let title = game.title();
    assert_eq!(title.ledger.gaps(&title.rule_numbers, &shown), Vec::<String>::new());
    let embedded: Vec<_> = title.vignettes.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(embedded, files, "src/vignettes.rs lists the folder");
}

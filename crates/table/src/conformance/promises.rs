//! What every game promises of its rules and its records, as assertions that its tests call.

use std::collections::BTreeSet;

use crate::handle::AnyGame;
use crate::record::Record;
use crate::vignette::Vignette;

/// The ledger is complete, every vignette holds, and every rule that a vignette claims to show was at work in it.
///
/// # Panics
/// When any of it is not so; all that is wrong is told at once.
pub fn assert_game(game: &dyn AnyGame) {
    let wrong = broken_promises(game);
    assert!(wrong.is_empty(), "{}, {} things are wrong:\n{}", game.title().id, wrong.len(), wrong.join("\n"));
}

/// What [`assert_game`] would complain of.
pub fn broken_promises(game: &dyn AnyGame) -> Vec<String> {
    let title = game.title();
    let (mut wrong, mut shown) = (Vec::new(), BTreeSet::new());
    for (file, text) in &title.vignettes {
        let vignette = match Vignette::read(file, text) {
            Ok(vignette) => vignette,
            Err(error) => {
                wrong.push(error.to_string());
                continue;
            }
        };
        shown.extend(vignette.rules().map(str::to_string));
        match game.play_vignette(&vignette) {
            Ok(played) => wrong.extend(
                vignette
                    .unproved(&played)
                    .map(|rule| format!("{file}: claims to show {rule}, which was not at work")),
            ),
            Err(failure) => wrong.push(failure.to_string()),
        }
    }
    wrong.extend(title.ledger.gaps(&title.rule_numbers, &shown));
    wrong
}

/// Kept records, name and text, still replay, dice and all, to games that are over.
///
/// # Panics
/// When one does not.
pub fn assert_records(game: &dyn AnyGame, records: impl IntoIterator<Item = (String, String)>) {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, text) in records {
        count += 1;
        let replayed = Record::read(&name, &text)
            .map_err(|e| e.to_string())
            .and_then(|record| game.replay(&record, None).map_err(|e| e.to_string()));
        match replayed {
            Ok(sitting) if sitting.outcome().is_some() => {}
            Ok(_) => wrong.push(format!("{name}: the game is not over at its end")),
            Err(error) => wrong.push(error),
        }
    }
    assert!(count > 0, "there are no records of {}", game.title().id);
    assert!(wrong.is_empty(), "{} of {count} records fail:\n{}", wrong.len(), wrong.join("\n"));
}

//! The ledger is complete, every vignette holds and shows what it claims, and kept games replay.
#![allow(clippy::unwrap_used)]

use first_crusade::{ENTRY, FILES, FirstCrusade};
use table::conformance::{assert_game, assert_records};
use table::rooms::*;
use table::sheet::Node;
use table::{DataFiles, Explained, Scribe, Scripted, Vignette};

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

/// The tables, scenarios and markers that the kept games were played with: figures that are reconstructed may change, rules
/// must not.
fn kept_data() -> DataFiles {
    let mut files = DataFiles::built_in(FILES);
    files.replace("tables.toml", include_str!("../kept-data/tables.toml").into()).unwrap();
    files.replace("scenarios.toml", include_str!("../kept-data/scenarios.toml").into()).unwrap();
    files.replace("units.toml", include_str!("../kept-data/units.toml").into()).unwrap();
    files
}

#[test]
fn kept_games_still_replay() {
    let game = (ENTRY.open)(&kept_data()).unwrap();
    assert_eq!(records().len(), 100);
    assert_records(&*game, records());
}

/// The dice, draws and actions that a vignette plays.
fn script(file: &str, text: &str) -> (Scripted, Vec<String>) {
    let root = table::sheet::parse(file, text).unwrap();
    let mut script = Scripted::default();
    let mut actions = Vec::new();
    if let Some(play) = root.fields().unwrap().optional("play") {
        let mut fields = play.fields().unwrap();
        let texts = |node: Option<&Node>| node.map_or(Vec::new(), |node| node.texts().unwrap());
        let dice = fields.optional("dice").map_or(&[][..], |node| node.list().unwrap());
        script.dice = dice.iter().map(|die| die.number().unwrap() as u8).collect();
        script.draws = texts(fields.optional("draws")).into();
        actions = texts(fields.optional("actions"));
    }
    (script, actions)
}

/// What the journal says of every vignette, the rules that were at work, and what may be done in the end. Any
/// change of these shows up here.
#[test]
fn every_vignette_is_told_in_these_words() {
    let game = FirstCrusade::built_in();
    let title = game.title();
    let mut told = String::new();
    for (file, text) in &title.vignettes {
        let vignette = Vignette::read(file, text).unwrap();
        let mut position = vignette.stage(&game).unwrap();
        let (script, actions) = script(file, text);
        let mut umpire = Scribe::new(script);
        for action in actions {
            let (seat, action) = action.split_once(": ").unwrap();
            let seat = title.seat_named(seat).unwrap();
            game.apply(&mut position, seat, game.read(action).unwrap(), &mut umpire);
        }
        told += &format!("{}\n", vignette.title);
        for note in &umpire.protocol.notes {
            let rule = note.rule.map(|rule| format!(" [{rule}]")).unwrap_or_default();
            told += &format!("  {}{rule}\n", note.text);
        }
        let cited: Vec<_> = umpire.protocol.cited.iter().map(ToString::to_string).collect();
        told += &format!("  rules: {}\n", cited.join(", "));
        for seat in game.deciding(&position).iter() {
            let mut ballot = Explained::default();
            game.options(&position, seat, &mut ballot);
            let (offers, refusals) = (&ballot.offers, &ballot.refusals);
            told += &format!("  {} choices, {} refusals", offers.len(), refusals.len());
            if offers.len() <= 12 {
                let words: Vec<_> = offers.iter().map(|offer| game.write(offer.action).to_string()).collect();
                told += &format!(": {}", words.join("; "));
            }
            told += "\n";
        }
    }
    insta::assert_snapshot!(told);
}

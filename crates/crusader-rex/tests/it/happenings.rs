//! What a seat is shown of what the other did: arrows, rings and dice, from lines of the journal that it may
//! read.
#![allow(clippy::unwrap_used)]

use table::{AnyGame, DataFiles, Record, Seat, Viewer};

fn game() -> Box<dyn AnyGame> {
    let entry = crusader_rex::ENTRY;
    (entry.open)(&DataFiles::built_in(entry.files)).unwrap()
}

fn record() -> Record {
    Record::read("0", include_str!("../records/crusader-rex-1-0.txt")).unwrap()
}

#[test]
fn arrows_show_what_the_other_did_and_no_more_than_the_journal() {
    let (game, record) = (game(), record());
    let (mut arrows, mut dice) = (0, 0);
    for to in (1..=record.entries.len() as u32).step_by(9) {
        let played = game.replay(&record, Some(to)).unwrap();
        for seat in [Seat::new(0), Seat::new(1)] {
            let scene = played.scene(Viewer::Seat(seat));
            assert_eq!(scene.faults(), Vec::<String>::new(), "entry {to}");
            let journal = played.journal(Viewer::Seat(seat));
            let told = |words: &[&str]| journal.iter().any(|l| words.iter().all(|w| l.text.contains(w)));
            for trace in &scene.boards[0].traces {
                assert_ne!(trace.owner, Some(seat), "entry {to}: his own march from {}", trace.from);
                let [from, to_town] = [&trace.from, &trace.to].map(|id| id.trim_start_matches("town-"));
                assert!(told(&[from, to_town]), "entry {to}: no line tells of {from} to {to_town}");
                arrows += 1;
            }
            for throw in &scene.throws {
                let name = throw.name.split(" hits at").next().unwrap();
                assert!(told(&[name]), "entry {to}: no line tells of the dice of {name}");
                dice += 1;
            }
        }
    }
    assert!(arrows > 20 && dice > 5, "{arrows} arrows and {dice} throws are too few to tell");
}

#[test]
fn arrows_go_when_one_has_decided() {
    let (game, record) = (game(), record());
    // The Saracens are about to move, and see what the Franks did; then they have.
    let before = game.replay(&record, Some(71)).unwrap();
    let saracen = Viewer::Seat(Seat::new(1));
    assert!(!before.scene(saracen).boards[0].traces.is_empty());
    let decided = (72..90).map(|to| game.replay(&record, Some(to)).unwrap()).find(|played| {
        let last = played.history(saracen).last().map(|(_, seat, _)| *seat);
        last == Some(Seat::new(1)) && played.scene(saracen).boards[0].traces.is_empty()
    });
    assert!(decided.is_some());
}

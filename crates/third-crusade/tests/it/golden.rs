//! Golden games for two, three and four: records of greedy players, with the table as text whenever orders are about to
//! be placed, and at the end. Any change of behaviour shows up here. The example `third-crusade-balance` with
//! `1 greedy only=4 seed=9 record=DIR` wrote them, one for each number of players.
#![allow(clippy::unwrap_used)]

use table::{DataFiles, Record, Viewer};
use third_crusade::{ENTRY, FILES};

/// Plays a golden game again, and writes down what the table looks like.
fn pages(name: &str, text: &str) -> String {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    let names = game.title().seat_names();
    let record = Record::read(name, text).unwrap();
    let (mut pages, mut title) = (Vec::new(), String::new());
    for to in 0..=record.entries.len() as u32 {
        let sitting = game.replay(&record, Some(to)).unwrap();
        let scene = sitting.scene(Viewer::Umpire);
        if scene.title != title && scene.title.ends_with("Planning Phase") {
            pages.push(scene.to_text(&names));
        }
        title = scene.title;
    }
    let sitting = game.replay(&record, None).unwrap();
    pages.push(sitting.scene(Viewer::Observer).to_text(&names));
    pages.push(sitting.outcome().unwrap().headline.to_string());
    pages.push(sitting.reason());
    pages.join("\n")
}

#[test]
fn a_golden_game_for_two() {
    insta::assert_snapshot!(pages("golden-2.txt", include_str!("golden-2.txt")));
}

#[test]
fn a_golden_game_for_three() {
    insta::assert_snapshot!(pages("golden-3.txt", include_str!("golden-3.txt")));
}

#[test]
fn a_golden_game_for_four() {
    insta::assert_snapshot!(pages("golden-4.txt", include_str!("golden-4.txt")));
}

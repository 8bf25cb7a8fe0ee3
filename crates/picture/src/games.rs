//! What the boards of the wargames must keep to, measured in both opening positions and in kept records: no
//! piece over a name, texts large enough and in colours that can be told from their ground.

use std::sync::Arc;

use table::scene::{Board, Form, Scene};
use table::{AnyMatch, DataFiles, GameEntry, Nonces, Record, Seed, Viewer};

use crate::area::Area;
use crate::layout::Layout;
use crate::print::Print;

const GAMES: [GameEntry; 2] = [crusader_rex::ENTRY, first_crusade::ENTRY];

/// The figures that a game's kept records were played with: its own, but for those that have changed since.
fn kept_data(entry: &GameEntry) -> DataFiles {
    let mut files = DataFiles::built_in(entry.files);
    let folder = format!("{}/../{}/tests/kept-data", env!("CARGO_MANIFEST_DIR"), entry.id);
    for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(file.path()).expect("a file of data");
        files.replace(&file.file_name().to_string_lossy(), text).expect("a file of the game");
    }
    files
}

/// Scenes of a game: its opening, and moments of kept records, as everybody at the table sees them.
fn scenes(entry: &GameEntry) -> Vec<(String, Scene)> {
    let game = (entry.open)(&DataFiles::built_in(entry.files)).expect("the game opens");
    let mut scenes = Vec::new();
    let mut look = |what: String, played: &dyn AnyMatch| {
        let viewers = played.party().iter().map(Viewer::Seat).chain([Viewer::Observer]);
        scenes.extend(viewers.map(|viewer| (what.clone(), played.scene(viewer))));
    };
    let opening =
        game.open(game.title().usual_set_up(), Seed::numbered(1), Nonces::default()).expect("it opens");
    look("the opening".into(), opening.as_ref());
    let game = (entry.open)(&kept_data(entry)).expect("the game opens");
    for number in [0, 7, 23] {
        let file = format!("{}-1-{number}.txt", entry.id);
        let path = format!("{}/../{}/tests/records/{file}", env!("CARGO_MANIFEST_DIR"), entry.id);
        let record =
            Record::read(&file, &std::fs::read_to_string(path).expect("a kept record")).expect("a record");
        for to in (20..=record.entries.len() as u32).step_by(61) {
            let played = game.replay(&record, Some(to)).expect("it replays");
            look(format!("{file}, entry {to}"), played.as_ref());
        }
    }
    scenes
}

/// Names that pieces cover, and how much of them.
fn covered(board: &Board) -> Vec<(String, String, f64)> {
    let layout = Layout::new(board, Arc::new(Print::bare(board)));
    let mut found = Vec::new();
    for (piece, place) in board.pieces.iter().zip(&layout.pieces) {
        let Some(place) = place else { continue };
        let high = place.side * if piece.form == Form::Stand { 1.15 } else { 1.0 };
        let body = Area::around(place.at, place.side, high);
        for name in layout.print.names.iter().flatten() {
            let share = body.shared(&name.area) / (name.area.w * name.area.h);
            if share > 0.0 {
                found.push((piece.id.clone(), name.name.clone(), share));
            }
        }
    }
    found
}

#[test]
fn no_piece_covers_a_name() {
    for entry in &GAMES {
        for (what, scene) in scenes(entry) {
            for board in &scene.boards {
                let covered = covered(board);
                assert!(covered.is_empty(), "{}, {what}, {}: {covered:?}", entry.id, board.name);
            }
        }
    }
}

/// A text of a drawing: what it says, how high its letters are in board units, and the classes around it.
struct Text {
    says: String,
    size: f64,
    classes: Vec<String>,
}

/// The texts of a drawing, sizes with all that scales them.
fn texts(svg: &str) -> Vec<Text> {
    let attribute = |tag: &str, name: &str| {
        let rest = tag.split(&format!(" {name}=\"")).nth(1)?;
        rest.split('"').next().map(String::from)
    };
    let number = |text: Option<String>| text.and_then(|t| t.parse::<f64>().ok());
    let mut around: Vec<(f64, String)> = Vec::new();
    let mut found = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, after) = piece.split_once('>').unwrap_or((piece, ""));
        if tag.starts_with("/g") || tag.starts_with("/symbol") {
            around.pop();
        } else if tag.starts_with("g ") || tag == "g" || tag.starts_with("symbol") {
            let scale = attribute(tag, "transform").and_then(|t| {
                t.split("scale(").nth(1).and_then(|rest| rest.split(')').next()).and_then(|n| n.parse().ok())
            });
            around.push((scale.unwrap_or(1.0), attribute(tag, "class").unwrap_or_default()));
        } else if tag.starts_with("text ") {
            let size = number(attribute(tag, "font-size")).unwrap_or(0.0);
            found.push(Text {
                says: after.to_string(),
                size: around.iter().fold(size, |size, (scale, _)| size * scale),
                classes: around.iter().map(|(_, class)| class.clone()).collect(),
            });
        }
    }
    found
}

/// Where boards are looked at: the stage of a desk of 1440 by 900, of which a battle gets 70 in a hundred.
const STAGE: (f64, f64) = (1100.0, 836.0);
const MAT: (f64, f64) = (1008.0, 780.0);

#[test]
fn no_text_of_a_board_is_smaller_than_eleven_pixels() {
    let seats = ["Frank".to_string(), "Saracen".to_string()];
    for entry in &GAMES {
        for (what, scene) in scenes(entry).into_iter().step_by(5) {
            let marks = crate::Highlights::default().thrown(&scene.throws);
            for board in &scene.boards {
                let print = Print::bare(board);
                let svg = crate::board_svg(board, &seats, &marks, &crate::Style::LIGHT);
                let large = board.room == table::scene::Room::Large;
                let (area, stage) = match large {
                    true => (crate::layout::whole(board), MAT),
                    false => (print.play, STAGE),
                };
                let pixels = (stage.0 / area.w).min(stage.1 / area.h);
                // As a page does it: names grow by the first step that makes them large enough.
                let wanted = 11.0 / (print.letters * 0.95 * pixels);
                let grown = crate::names::STEPS.into_iter().find(|step| *step >= wanted).unwrap_or(4.0);
                for text in texts(&svg) {
                    let is = |class: &str| text.classes.iter().any(|c| c.split(' ').any(|c| c == class));
                    // Degrees at the edge lie outside of what is played on; pieces have faces for every size.
                    if is("ground") || is("piece") {
                        continue;
                    }
                    let size = text.size * pixels * if is("lettering") && !large { grown } else { 1.0 };
                    assert!(
                        size >= 10.95,
                        "{}, {what}, {}: `{}` has {size:.1} pixels ({:?})",
                        entry.id,
                        board.name,
                        text.says,
                        text.classes
                    );
                }
            }
        }
    }
}

#[test]
fn a_name_that_stays_runs_into_no_other() {
    for entry in &GAMES {
        let (_, scene) = scenes(entry).swap_remove(0);
        let board = &scene.boards[0];
        let print = Print::bare(board);
        let last = print.upto.iter().filter(|u| **u as usize + 1 == crate::names::STEPS.len()).count();
        assert!(last >= 5, "{}: {last} names are left from afar", entry.id);
        let prizes = board.spaces.iter().zip(&print.upto).filter(|(space, _)| space.prize);
        for (space, upto) in prizes {
            assert!(*upto >= 3, "{}: {} vanishes at {upto}", entry.id, space.name);
        }
    }
}

#[test]
fn a_mat_shows_pieces_large_enough_on_a_desk_and_on_a_phone() {
    let mut mats = 0;
    for entry in &GAMES {
        for (what, scene) in scenes(entry) {
            for board in scene.boards.iter().filter(|b| b.room == table::scene::Room::Large) {
                mats += 1;
                let layout = Layout::new(board, Arc::new(Print::bare(board)));
                let (w, h) = (f64::from(board.width), f64::from(board.height));
                for place in layout.pieces.iter().flatten() {
                    let desk = place.side * (MAT.0 / w).min(MAT.1 / h);
                    assert!(desk >= 64.0, "{}, {what}: {desk:.1} pixels on a desk", entry.id);
                    // Where many fight a phone shows a part of the mat, at 44 pixels a piece.
                    let phone = place.side * 390.0 / w.min(700.0);
                    assert!(phone >= 44.0, "{}, {what}: {phone:.1} pixels on a phone", entry.id);
                }
            }
        }
    }
    assert!(mats > 2, "only {mats} battles were looked at");
}

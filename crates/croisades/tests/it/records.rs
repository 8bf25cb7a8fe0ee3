//! Games that were kept under `tests/records` still replay: three of each skirmish by habit with a stray decision now
//! and then, and a quick battle. A change of behaviour that breaks them raises the game's version and writes them anew:
//! `KEEP=1 cargo test -p croisades --test it kept_games`.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use croisades::skirmish::{ENTRY, FILES, Skirmish};
use table::conformance::assert_records;
use table::rooms::*;
use table::{DataFiles, Lots, Match, Nonces, Options, Seed, Viewer, Wishes};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/records");
/// One decision of so many is left to the lot.
const STRAY: u32 = 25;

/// A whole game, as its record.
fn played(game: &Arc<Skirmish>, scenario: &str, number: u64) -> String {
    let quick = number == 3;
    let mut wishes = Wishes { scenario: Some(scenario.into()), ..Wishes::default() };
    if quick {
        wishes.options.insert("quick".into(), "yes".into());
    }
    let setup = game.title().set_up(&wishes).unwrap();
    let mut sitting = Match::open(game.clone(), setup, Seed::numbered(number), Nonces::default()).unwrap();
    let (mut lots, mut room) = (Lots::new(number), Options::new());
    while let Some(seat) = sitting.waiting_for().lowest() {
        let p = game.imagine(&sitting.view(Viewer::Seat(seat)), &mut lots);
        let habit = game.routine(&p, seat, &mut room, &mut lots).unwrap();
        room.clear();
        game.options(&p, seat, &mut room);
        let stray = lots.pick(room.offers()).map(|offer| offer.action);
        let stray = stray.filter(|action| lots.below(STRAY) == 0 && game.considered(&p, seat, *action));
        let action = if quick { sitting.read("quick").unwrap_or(habit) } else { stray.unwrap_or(habit) };
        let action = if table::is_allowed(&**game, &p, seat, action) { action } else { habit };
        sitting.act(seat, None, &[action]).unwrap();
    }
    sitting.record(true).to_string()
}

#[test]
fn kept_games_still_replay() {
    let game = Arc::new(Skirmish::built_in());
    if std::env::var_os("KEEP").is_some() {
        std::fs::create_dir_all(FOLDER).unwrap();
        for scenario in &game.title().scenarios {
            for number in 0..4 {
                let path = format!("{FOLDER}/{}-{number}.txt", scenario.id);
                std::fs::write(path, played(&game, &scenario.id, number)).unwrap();
            }
        }
    }
    let read = |file: std::io::Result<std::fs::DirEntry>| {
        let path = file.unwrap().path();
        (path.display().to_string(), std::fs::read_to_string(&path).unwrap())
    };
    let records: Vec<_> = std::fs::read_dir(FOLDER).unwrap().map(read).collect();
    assert_eq!(records.len(), 4 * game.title().scenarios.len());
    let any = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    assert_records(&*any, records);
}

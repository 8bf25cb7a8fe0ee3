//! Any text as a data file opens a game that can be played, or is refused: the text itself, or the game's own
//! file with a line or a number of it replaced.
#![no_main]
use libfuzzer_sys::fuzz_target;
use outremer_fuzz::{ENTRIES, one_of, with_line, with_number};
use table::{DataFiles, Plan};

fuzz_target!(|input: (u8, u8, u16, i64, &str)| {
    let (game, file, at, number, text) = input;
    let entry = one_of(&ENTRIES, game);
    if entry.files.is_empty() {
        return;
    }
    let (name, own) = *one_of(entry.files, file);
    for text in [text.to_string(), with_line(own, at, text), with_number(own, at, number)] {
        let mut files = DataFiles::built_in(entry.files);
        files.replace(name, text).expect("the game has this file");
        if let Ok(game) = (entry.open)(&files) {
            let setup = game.title().usual_set_up();
            let plan = Plan { setup, games: 1, seed: 1, first: 0, picks: Vec::new() };
            game.simulate(&plan, &mut |_| {}).expect("a game that opens can be played");
        }
    }
});

//! Any text as a data file opens a game that can be played, or is refused.
#![no_main]
use libfuzzer_sys::fuzz_target;
use table::small::ten_towns::{FILES, TenTowns};
use table::{AnyGame, DataFiles, Plan};

fuzz_target!(|input: (bool, &str)| {
    let (towns, text) = input;
    let (name, own) = if towns { FILES[0] } else { FILES[1] };
    // The text itself, and the game's own file with the text in the middle.
    let cut = (0..=own.len() / 2).rev().find(|i| own.is_char_boundary(*i)).unwrap_or(0);
    for text in [text.to_string(), format!("{}{text}{}", &own[..cut], &own[cut..])] {
        let mut files = DataFiles::built_in(FILES);
        files.replace(name, text).expect("the game has this file");
        if let Ok(game) = TenTowns::open(&files) {
            let game = <dyn AnyGame>::new(game);
            let setup = game.title().usual_set_up();
            let plan = Plan { setup, games: 1, seed: 1, first: 0, picks: Vec::new() };
            game.simulate(&plan, &mut |_| {}).expect("a game that opens can be played");
        }
    }
});

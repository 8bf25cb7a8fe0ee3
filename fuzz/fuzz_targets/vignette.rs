//! Any text is read as a vignette or refused; what is read plays or fails with an error, never a panic. Most
//! inputs are a game's own vignette with a line or a number of it replaced.
#![no_main]
use libfuzzer_sys::fuzz_target;
use outremer_fuzz::{GAMES, one_of, with_line, with_number};
use table::Vignette;

fuzz_target!(|input: (u8, u16, u16, i64, &str)| {
    let (game, which, at, number, text) = input;
    let game = one_of(&GAMES, game);
    let mut texts = vec![text.to_string()];
    if !game.title().vignettes.is_empty() {
        let (_, own) = one_of(&game.title().vignettes, which);
        texts.extend([with_line(own, at, text), with_number(own, at, number)]);
    }
    for text in texts {
        let Ok(vignette) = Vignette::read("fuzz", &text) else { continue };
        let _ = game.play_vignette(&vignette);
    }
});

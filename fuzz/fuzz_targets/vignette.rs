//! Any text is read as a vignette or refused; what is read plays or fails with an error, never a panic.
#![no_main]
use libfuzzer_sys::fuzz_target;
use table::Vignette;
use table::small::{connect_four::ConnectFour, phantom::Phantom, ten_towns::TenTowns, tic_tac_toe::TicTacToe};

fuzz_target!(|text: &str| {
    let heads = ["", "game = \"ten-towns\"\nrule = \"4.1\"\ntitle = \"x\"\n[position]\n"];
    for head in heads {
        let Ok(vignette) = Vignette::read("fuzz", &format!("{head}{text}")) else { continue };
        let _ = vignette.play(&TicTacToe::new());
        let _ = vignette.play(&ConnectFour::new());
        let _ = vignette.play(&Phantom::new());
        let _ = vignette.play(&TenTowns::built_in());
    }
});

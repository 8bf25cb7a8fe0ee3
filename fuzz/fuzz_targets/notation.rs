//! Any text is read as an action, an order or a seat, or refused; what is read is written the same way.
#![no_main]
use std::sync::LazyLock;

use crusader_rex::CrusaderRex;
use libfuzzer_sys::fuzz_target;
use outremer_fuzz::GAMES;
use table::Game;
use table::small::ten_towns::TenTowns;

static TOWNS: LazyLock<TenTowns> = LazyLock::new(TenTowns::built_in);
static REX: LazyLock<CrusaderRex> = LazyLock::new(CrusaderRex::built_in);

fn order<G: Game>(game: &G, text: &str) {
    if let Ok(order) = game.read_order(text) {
        let written = game.write_order(&order);
        let again = game.read_order(written.as_str()).expect("what was written can be read");
        assert_eq!(game.write_order(&again), written);
    }
}

fuzz_target!(|text: &str| {
    for game in GAMES.iter() {
        if let Ok(notation) = game.normal_form(text) {
            let again = game.normal_form(notation.as_str()).expect("what was written can be read");
            assert_eq!(again, notation);
        }
        let _ = game.with_amount(text, text.len() as u32);
        let _ = game.title().seat_named(text);
    }
    order(&*TOWNS, text);
    order(&*REX, text);
});

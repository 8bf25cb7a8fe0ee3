//! Any text is read as an action, an order or a seat, or refused; what is read is written the same way.
#![no_main]
use libfuzzer_sys::fuzz_target;
use table::{DataFiles, Game, small};

fuzz_target!(|text: &str| {
    for entry in small::ALL {
        let game = (entry.open)(&DataFiles::built_in(entry.files)).expect("the game's own data");
        if let Ok(notation) = game.normal_form(text) {
            let again = game.normal_form(notation.as_str()).expect("what was written can be read");
            assert_eq!(again, notation);
        }
        let _ = game.title().seat_named(text);
    }
    let towns = small::ten_towns::TenTowns::built_in();
    if let Ok(order) = towns.read_order(text) {
        assert_eq!(towns.write_order(&order).as_str(), text);
    }
});

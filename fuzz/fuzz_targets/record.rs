//! Any text is read as a record or refused; what is read survives the round trip, and replays or is refused.
#![no_main]
use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use table::small::{phantom::Phantom, ten_towns::TenTowns, tic_tac_toe::TicTacToe};
use table::{Match, Record};

fuzz_target!(|text: &str| {
    // Most bytes should reach the entries, so half of the inputs get a head that is well formed.
    let head = "outremer record 1\ngame tic-tac-toe\nrules 1\ndata none\nscenario standard\nseats 2\ncommitment \
                af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262\nsetup\n";
    for text in [text.to_string(), format!("{head}{text}")] {
        let Ok(record) = Record::read("fuzz", &text) else { continue };
        let again = Record::read("again", &record.to_string()).expect("what was written can be read");
        assert_eq!(again.to_string(), record.to_string());
        let _ = Match::replay(Arc::new(TicTacToe::new()), &record, None);
        let _ = Match::replay(Arc::new(Phantom::new()), &record, None);
        let _ = Match::replay(Arc::new(TenTowns::built_in()), &record, None);
    }
});

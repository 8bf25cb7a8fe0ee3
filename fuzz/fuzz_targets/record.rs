//! Any text is read as a record or refused; what is read survives the round trip, and replays or is refused.
//! Most inputs are a game that was played, with a line of its record replaced.
#![no_main]
use libfuzzer_sys::fuzz_target;
use outremer_fuzz::{GAMES, one_of, with_line};
use table::{Nonces, Record, Seed};

fuzz_target!(|input: (u8, &[u8], u16, &str)| {
    let (game, picks, at, text) = input;
    let game = one_of(&GAMES, game);
    let opened = game.open(game.title().usual_set_up(), Seed::numbered(1), Nonces::default());
    let mut sitting = opened.expect("the usual set-up");
    for pick in picks.iter().take(48) {
        let Some(seat) = sitting.waiting_for().lowest() else { break };
        let offered = sitting.offered(seat);
        let notation = one_of(&offered, *pick).notation.clone();
        sitting.act(seat, None, &[notation.as_str()]).expect("what is offered is allowed");
    }
    let own = sitting.record(true).to_string();
    let record = Record::read("own", &own).expect("what was written can be read");
    assert_eq!(game.replay(&record, None).expect("what was played replays").record(true).to_string(), own);
    for text in [text.to_string(), with_line(&own, at, text), format!("{own}{text}\n")] {
        let Ok(record) = Record::read("fuzz", &text) else { continue };
        let again = Record::read("again", &record.to_string()).expect("what was written can be read");
        assert_eq!(again.to_string(), record.to_string());
        for game in GAMES.iter() {
            let _ = game.replay(&record, None);
        }
    }
});

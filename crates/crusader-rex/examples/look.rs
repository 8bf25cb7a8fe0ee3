//! The table in text after so many random actions: `look SCENARIO SEED ACTIONS`.
#![allow(clippy::unwrap_used, missing_docs)]
use crusader_rex::CrusaderRex;
use table::rooms::*;
use table::{Lots, Options, Silent, Viewer, Wishes};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |i: usize, usual: &str| words.get(i).cloned().unwrap_or_else(|| usual.into());
    let (seed, actions): (u64, u32) = (word(1, "1").parse().unwrap(), word(2, "50").parse().unwrap());
    let game = CrusaderRex::built_in();
    let setup =
        game.title().set_up(&Wishes { scenario: Some(word(0, "campaign")), ..Wishes::default() }).unwrap();
    let (mut umpire, mut lots, mut options) = (Silent::new(seed), Lots::new(seed), Options::new());
    let mut p = game.setup(&setup, &mut umpire).unwrap();
    for _ in 0..actions {
        let Some(seat) = game.deciding(&p).lowest() else { break };
        options.clear();
        game.options(&p, seat, &mut options);
        let action = options.offers()[lots.below(options.len() as u32) as usize].action;
        game.apply(&mut p, seat, action, &mut umpire);
    }
    let Some(seat) = game.deciding(&p).lowest() else { return };
    let view = game.view(&p, Viewer::Seat(seat));
    println!("{}", game.scene(&view).to_text(&game.title().seat_names()));
    options.clear();
    game.options(&p, seat, &mut options);
    for offer in options.offers() {
        let choice = game.choice(&view, offer.action);
        println!("  {:40} {:36} {}", game.write(offer.action).as_str(), choice.label, choice.hint);
    }
}

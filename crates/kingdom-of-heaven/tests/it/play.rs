//! Random games come to an end, in every scenario.
#![allow(clippy::unwrap_used)]

use kingdom_of_heaven::{ENTRY, FILES};
use table::{DataFiles, Plan, Wishes};

#[test]
fn random_games_end() {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    for scenario in game.title().scenarios.clone() {
        let setup = game
            .title()
            .set_up(&Wishes { scenario: Some(scenario.id.clone()), ..Wishes::default() })
            .unwrap();
        let plan = Plan { setup, games: 20, seed: 1, first: 0, picks: Vec::new() };
        let tally = game.simulate(&plan, &mut |_| {}).unwrap();
        eprintln!("{} {tally:?}", scenario.id);
    }
}

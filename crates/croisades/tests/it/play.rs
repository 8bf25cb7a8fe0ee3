//! Whole games: how fast, how large, how long, and that they allocate nothing.
#![allow(clippy::unwrap_used)]

use croisades::skirmish::position::Position;
use croisades::skirmish::{ENTRY, FILES};
use table::{DataFiles, Plan, Wishes};

#[test]
fn a_position_is_small() {
    assert!(size_of::<Position>() <= 12 * 1024, "{}", size_of::<Position>());
}

#[test]
fn random_play_allocates_nothing() {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    for scenario in ["first-blood", "assault", "muster"] {
        let wishes = Wishes { scenario: Some(scenario.into()), ..Wishes::default() };
        let setup = game.title().set_up(&wishes).unwrap();
        let plan = |games| Plan { setup: setup.clone(), games, seed: 1, first: 0, picks: Vec::new() };
        // Once for whatever grows to its size.
        drop(game.simulate(&plan(12), &mut |_| {}).unwrap());
        let few = allocation_counter::measure(|| drop(game.simulate(&plan(4), &mut |_| {}).unwrap()));
        let many = allocation_counter::measure(|| drop(game.simulate(&plan(12), &mut |_| {}).unwrap()));
        let grown = many.count_total.abs_diff(few.count_total);
        assert!(grown <= 16, "{scenario}: {} and {}", few.count_total, many.count_total);
    }
}

//! Random games come to an end, in every scenario, quickly and without asking for memory.
#![allow(clippy::unwrap_used)]

use kingdom_of_heaven::position::Position;
use kingdom_of_heaven::{ENTRY, FILES};
use table::{AnyGame, DataFiles, Plan, Wishes};

fn game() -> Box<dyn AnyGame> {
    (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap()
}

#[test]
fn random_games_end_in_every_scenario() {
    let game = game();
    for scenario in game.title().scenarios.clone() {
        let wishes = Wishes { scenario: Some(scenario.id.clone()), ..Wishes::default() };
        let setup = game.title().set_up(&wishes).unwrap();
        let plan = Plan { setup, games: 10, seed: 1, first: 0, picks: Vec::new() };
        let tally = game.simulate(&plan, &mut |_| {}).unwrap();
        println!(
            "{:12} {:6} actions, longest {:5}, {:?}",
            scenario.id, tally.actions, tally.longest, tally.outcomes
        );
        assert_eq!(tally.games, 10);
    }
}

#[test]
fn random_play_allocates_nothing() {
    let game = game();
    let setup = game.title().usual_set_up();
    let plan = |games| Plan { setup: setup.clone(), games, seed: 1, first: 0, picks: Vec::new() };
    let few = allocation_counter::measure(|| drop(game.simulate(&plan(4), &mut |_| {}).unwrap()));
    let many = allocation_counter::measure(|| drop(game.simulate(&plan(16), &mut |_| {}).unwrap()));
    println!("{} against {}", few.count_total, many.count_total);
    assert!(many.count_total <= few.count_total + 4, "{} against {}", few.count_total, many.count_total);
}

#[test]
fn a_position_is_small() {
    println!("{} bytes", size_of::<Position>());
    assert!(size_of::<Position>() <= 8 * 1024);
}

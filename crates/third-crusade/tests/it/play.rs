//! What playing is like: speed without allocation, size, castings.
#![allow(clippy::unwrap_used)]

use table::rooms::*;
use table::{DataFiles, Lots, Options, Plan, Seats, Setup, Silent, Wishes};
use third_crusade::position::Position;
use third_crusade::{ENTRY, FILES, ThirdCrusade};

fn set_up(game: &ThirdCrusade, scenario: &str, seats: &str) -> Setup {
    let seats: Seats = seats.parse().unwrap();
    let wishes = Wishes { scenario: Some(scenario.into()), seats: Some(seats), ..Wishes::default() };
    game.title().set_up(&wishes).unwrap()
}

/// Plays a random game; how many actions it took, and its end.
fn play_at_random(game: &ThirdCrusade, setup: &Setup, seed: u64) -> (u32, Position) {
    let mut umpire = Silent::new(seed);
    let mut lots = Lots::new(seed ^ 77);
    let mut p = game.setup(setup, &mut umpire).unwrap();
    let (mut options, mut actions) = (Options::new(), 0);
    while let Some(seat) = lots.pick(&game.deciding(&p).iter().collect::<Vec<_>>()) {
        options.clear();
        game.options(&p, seat, &mut options);
        let offer = options.offers()[lots.below(options.len() as u32) as usize];
        let action = match offer.range {
            None => offer.action,
            Some((least, most)) => game.with_amount(offer.action, least + lots.below(most - least + 1)),
        };
        let text = format!("{:?}: {}", seat, game.write(action));
        game.apply(&mut p, seat, action, &mut umpire);
        game.sound(&p).unwrap_or_else(|e| panic!("seed {seed}, after {text}: {e}"));
        actions += 1;
        assert!(actions < game.title().longest);
    }
    (actions, p)
}

#[test]
fn all_castings_play_to_the_end() {
    let game = ThirdCrusade::built_in();
    for scenario in &game.title().scenarios {
        for party in &scenario.parties {
            let names = game.title().party_names(*party);
            let setup = set_up(&game, &scenario.id, &names);
            let mut sum = 0;
            for seed in 0..20 {
                let (actions, p) = play_at_random(&game, &setup, seed);
                assert!(game.outcome(&p).is_some());
                sum += actions;
            }
            println!("{} with {names}: {} actions", scenario.id, sum / 20);
        }
    }
}

#[test]
fn random_play_allocates_nothing() {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    let plan =
        |games| Plan { setup: game.title().usual_set_up(), games, seed: 1, first: 0, picks: Vec::new() };
    // What is allocated once (the room for options, the tally) does not grow with the games.
    let few = allocation_counter::measure(|| drop(game.simulate(&plan(150), &mut |_| {}).unwrap()));
    let many = allocation_counter::measure(|| drop(game.simulate(&plan(450), &mut |_| {}).unwrap()));
    assert_eq!(few.count_total, many.count_total);
}

#[test]
fn a_position_is_small() {
    let bytes = size_of::<Position>();
    println!("{bytes} bytes");
    assert!(bytes <= 3072, "{bytes} bytes");
}

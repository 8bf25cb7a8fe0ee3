//! Whole games: that they end, how large a position is, and that random play allocates nothing.
#![allow(clippy::unwrap_used)]

use croisades::skirmish::position::Position;
use croisades::skirmish::{ENTRY, FILES, Skirmish};
use table::rooms::*;
use table::{DataFiles, Lots, Options, Plan, Silent, Wishes};

const SCENARIOS: [&str; 5] = ["first-blood", "watering-hole", "caravanserai", "assault", "muster"];

fn begin(game: &Skirmish, scenario: &str, seed: u64) -> Position {
    let wishes = Wishes { scenario: Some(scenario.into()), ..Wishes::default() };
    let setup = game.title().set_up(&wishes).unwrap();
    game.setup(&setup, &mut Silent::new(seed)).unwrap()
}

#[test]
fn random_games_end_and_stay_sound() {
    let game = Skirmish::built_in();
    for scenario in SCENARIOS {
        for seed in 0..6 {
            let mut p = begin(&game, scenario, seed);
            let (mut lots, mut umpire) = (Lots::new(seed + 1), Silent::new(seed));
            let (mut room, mut actions) = (Options::new(), 0);
            while let Some(seat) = game.deciding(&p).lowest() {
                room.clear();
                game.options(&p, seat, &mut room);
                let offers: Vec<_> = room.offers().iter().map(|o| o.action).collect();
                let step = p.open.field.step();
                let action = lots
                    .pick(&offers)
                    .unwrap_or_else(|| panic!("{scenario} {seed}: {step:?} {:?}", p.open.field.march));
                game.apply(&mut p, seat, action, &mut umpire);
                game.sound(&p)
                    .unwrap_or_else(|e| panic!("{scenario} {seed}: after `{}`: {e}", game.write(action)));
                actions += 1;
                assert!(actions < 60_000, "{scenario} {seed} does not end");
            }
            assert!(game.outcome(&p).is_some() && p.open.field.turn <= 30);
        }
    }
}

/// What an old hand does is always allowed, and leads to the end.
#[test]
fn habits_are_lawful() {
    let game = Skirmish::built_in();
    for scenario in SCENARIOS {
        for seed in 0..3 {
            let mut p = begin(&game, scenario, seed);
            let (mut lots, mut umpire, mut room) = (Lots::new(seed), Silent::new(seed), Options::new());
            let mut actions = 0;
            while let Some(seat) = game.deciding(&p).lowest() {
                let action = game.routine(&p, seat, &mut room, &mut lots).unwrap();
                let step = p.open.field.step();
                let text = game.write(action);
                assert!(
                    table::is_allowed(&game, &p, seat, action),
                    "{scenario} {seed}: `{text}` at {step:?}: {:?}",
                    p.open.field.march
                );
                game.apply(&mut p, seat, action, &mut umpire);
                game.sound(&p)
                    .unwrap_or_else(|e| panic!("{scenario} {seed}: after `{text}` at {step:?}: {e}"));
                actions += 1;
                assert!(actions < 60_000, "{scenario} {seed} does not end");
            }
        }
    }
}

#[test]
fn games_by_habit_end() {
    let game = Skirmish::built_in();
    for scenario in SCENARIOS {
        let setup = game.title().set_up(&Wishes {
            scenario: Some(scenario.into()),
            options: [("quick".to_string(), "yes".to_string())].into(),
            ..Wishes::default()
        });
        let setup = setup.unwrap();
        for seed in 0..4 {
            let mut p = game.setup(&setup, &mut Silent::new(seed)).unwrap();
            for seat in game.deciding(&p).iter() {
                game.apply(&mut p, seat, croisades::skirmish::action::Action::Quick, &mut Silent::new(seed));
            }
            assert!(game.outcome(&p).is_some(), "{scenario} {seed}: {:?}", p.open.field.step());
            assert!(game.reason(&p).ends_with('.'), "{scenario} {seed}: {}", game.reason(&p));
            game.sound(&p).unwrap_or_else(|e| panic!("{scenario} {seed}: {e}"));
        }
    }
}

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
        let few = allocation_counter::measure(|| drop(game.simulate(&plan(4), &mut |_| {}).unwrap()));
        let many = allocation_counter::measure(|| drop(game.simulate(&plan(12), &mut |_| {}).unwrap()));
        // A list of options may grow once more; nothing is allocated for each game or action.
        let grown = many.count_total.abs_diff(few.count_total);
        assert!(grown <= 8, "{scenario}: {} and {}", few.count_total, many.count_total);
    }
}

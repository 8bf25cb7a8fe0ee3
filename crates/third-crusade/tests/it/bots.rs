//! What bots steer by: orders are better executed than left, battles under way are seen to their end.
#![allow(clippy::unwrap_used)]

use table::rooms::*;
use table::{Lots, Options, Seat, Silent, Wishes};
use third_crusade::ThirdCrusade;
use third_crusade::position::Position;

const ANGEVIN: Seat = Seat::new(0);

fn staged(game: &ThirdCrusade, text: &str) -> Position {
    game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap()
}

/// The worth to the Angevin of a position after these actions of his.
fn worth_after(game: &ThirdCrusade, p: &Position, actions: &[&str]) -> f32 {
    let mut p = p.clone();
    for action in actions {
        game.apply(&mut p, ANGEVIN, game.read(action).unwrap(), &mut Silent::new(0));
    }
    game.appraise(&p, ANGEVIN)
}

#[test]
fn an_order_is_better_executed_than_left() {
    let game = ThirdCrusade::built_in();
    let p = staged(
        &game,
        "seats = [\"Angevin\", \"Ayyubid\"]\nturn = \"Angevin\"\ncommand = { Angevin = 5, Ayyubid = 5 }\n\
         orders = { Tyre = [\"Angevin March\"], Sidon = [\"Angevin Levy with tithe\"] }\n\
         pieces = { Tyre = [\"4 Angevin Infantry\"], Sidon = [\"2 Angevin Infantry\"], Acre = [\"1 Ayyubid Infantry\"] }",
    );
    for order in ["execute Tyre", "execute Sidon"] {
        assert!(worth_after(&game, &p, &[order]) > worth_after(&game, &p, &["pass"]), "{order}");
    }
    let attack = worth_after(&game, &p, &["execute Tyre", "go Acre"]);
    assert!(attack > worth_after(&game, &p, &["execute Tyre", "halt"]), "a city is there for the taking");
}

#[test]
fn attacks_on_the_stronger_are_no_good() {
    let game = ThirdCrusade::built_in();
    let p = staged(
        &game,
        "seats = [\"Angevin\", \"Ayyubid\"]\nturn = \"Angevin\"\ncommand = { Angevin = 5, Ayyubid = 5 }\n\
         orders = { Tyre = [\"Angevin March\"] }\n\
         pieces = { Tyre = [\"2 Angevin Infantry\"], Acre = [\"6 Ayyubid Infantry\"] }",
    );
    let attack = worth_after(&game, &p, &["execute Tyre", "go Acre"]);
    assert!(attack < worth_after(&game, &p, &["execute Tyre", "halt"]));
    let mut options = Options::new();
    let mut p = p.clone();
    game.apply(&mut p, ANGEVIN, game.read("execute Tyre").unwrap(), &mut Silent::new(0));
    let habit = game.habit(&p, ANGEVIN, &mut options, &mut Lots::new(1)).unwrap();
    assert_ne!(game.write(habit).as_str(), "go Acre");
}

#[test]
fn a_march_by_habit_leaves_a_garrison() {
    let game = ThirdCrusade::built_in();
    let mut p = staged(
        &game,
        "seats = [\"Angevin\", \"Ayyubid\"]\nturn = \"Angevin\"\ncommand = { Angevin = 5, Ayyubid = 5 }\n\
         orders = { Tyre = [\"Angevin March\"] }\n\
         pieces = { Tyre = [\"6 Angevin Infantry\"], Acre = [\"1 Ayyubid Infantry\"] }",
    );
    let (mut options, mut umpire) = (Options::new(), Silent::new(0));
    game.apply(&mut p, ANGEVIN, game.read("execute Tyre").unwrap(), &mut umpire);
    while let Some(habit) = game.habit(&p, ANGEVIN, &mut options, &mut Lots::new(1)) {
        if !game.deciding(&p).contains(ANGEVIN) {
            break;
        }
        assert!(table::is_allowed(&game, &p, ANGEVIN, habit));
        game.apply(&mut p, ANGEVIN, habit, &mut umpire);
        options.clear();
    }
    assert_eq!(game.fact(&p, &p, "Tyre"), Some("1 Angevin Infantry".into()));
    assert_eq!(game.fact(&p, &p, "control Acre"), Some("Angevin".into()));
}

/// Greedy players beat random ones: a lead that luck does not explain in so many games.
#[test]
fn greed_beats_chance() {
    let game = ThirdCrusade::built_in();
    let setup = game.title().set_up(&Wishes { seats: "2".parse().ok(), ..Wishes::default() }).unwrap();
    let mut won = 0;
    for number in 0..20 {
        let greedy = Seat::new(number % 2);
        let (mut umpire, mut lots) = (Silent::new(number.into()), Lots::new(u64::from(number) + 100));
        let mut p = game.setup(&setup, &mut umpire).unwrap();
        let mut options = Options::new();
        while let Some(seat) = game.deciding(&p).lowest() {
            options.clear();
            game.options(&p, seat, &mut options);
            let view = game.view(&p, table::Viewer::Seat(seat));
            let observed = table::Observed::<ThirdCrusade> { seat, view, offers: options.offers().to_vec() };
            let pick = if seat == greedy { table::Pick::Greedy } else { table::Pick::Random };
            let action = table::choose(&game, &observed, pick, &mut lots);
            game.apply(&mut p, seat, action, &mut umpire);
        }
        won += u32::from(game.outcome(&p).unwrap().winners.contains(greedy));
    }
    assert!(won >= 15, "{won} of 20");
}

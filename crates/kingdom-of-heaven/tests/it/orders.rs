//! Standing orders, and the way that a march has laid out: what they do, and that they tell nothing.
#![allow(clippy::unwrap_used)]

use kingdom_of_heaven::KingdomOfHeaven;
use kingdom_of_heaven::action::{Action, Order};
use kingdom_of_heaven::position::Position;
use table::rooms::*;
use table::{Seat, Silent, Viewer};

const CHRISTIAN: Seat = Seat::new(0);
const MUSLIM: Seat = Seat::new(1);

fn staged(game: &KingdomOfHeaven, text: &str, actions: &[(Seat, &str)]) -> Position {
    let mut p = game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap();
    for (seat, text) in actions {
        let action = game.read(text).unwrap();
        assert!(table::is_allowed(game, &p, *seat, action), "{text}");
        game.apply(&mut p, *seat, action, &mut Silent::new(1));
    }
    p
}

fn obey(game: &KingdomOfHeaven, p: &Position, seat: Seat, orders: &[Order]) -> Option<Action> {
    game.obey(&game.view(p, Viewer::Seat(seat)), orders)
}

#[test]
fn a_window_is_declined_whatever_is_held() {
    let game = KingdomOfHeaven::built_in();
    for held in ["2", "43"] {
        let text = format!(
            "moves = \"Christian\"\nchristian = [\"54\", \"57\"]\nmuslim = [\"{held}\"]\nforces = [\"Acre: Guy, 2 Jerusalem 2-4\"]"
        );
        let p = staged(&game, &text, &[(CHRISTIAN, "activate 54 > Guy"), (CHRISTIAN, "go")]);
        assert!(game.deciding(&p).contains(MUSLIM));
        assert_eq!(obey(&game, &p, MUSLIM, &[Order::NoResponses]), Some(Action::Decline));
        assert_eq!(obey(&game, &p, MUSLIM, &[]), None);
    }
}

#[test]
fn a_way_laid_out_is_followed_and_seen_by_nobody_else() {
    let game = KingdomOfHeaven::built_in();
    let text =
        "moves = \"Christian\"\nchristian = [\"54\", \"57\"]\nforces = [\"Acre: Guy, 2 Jerusalem 2-4\"]";
    let far = |to: &str| {
        staged(&game, text, &[(CHRISTIAN, "activate 54 > Guy"), (CHRISTIAN, to), (CHRISTIAN, "go")])
    };
    let (one, two) = (far("via Sidon"), far("via Beirut"));
    let first = game.read("march Tyre").unwrap();
    assert_eq!(obey(&game, &one, CHRISTIAN, &[]), Some(first));
    assert_eq!(obey(&game, &two, CHRISTIAN, &[]), Some(first));
    for viewer in [Viewer::Seat(MUSLIM), Viewer::Observer] {
        assert_eq!(game.view(&one, viewer), game.view(&two, viewer));
    }
    assert_ne!(game.view(&one, Viewer::Seat(CHRISTIAN)), game.view(&two, Viewer::Seat(CHRISTIAN)));
    // Step by step it leads to its end.
    let mut p = two;
    for to in ["Tyre", "Sidon", "Beirut"] {
        let step = obey(&game, &p, CHRISTIAN, &[]).unwrap();
        assert_eq!(step, game.read(&format!("march {to}")).unwrap());
        game.apply(&mut p, CHRISTIAN, step, &mut Silent::new(1));
    }
    assert_eq!(obey(&game, &p, CHRISTIAN, &[]), None);
}

#[test]
fn losses_are_taken_as_usual_and_leaders_told_never_to_intercept_do_not() {
    let game = KingdomOfHeaven::built_in();
    let text = "moves = \"Christian\"\nchristian = [\"54\", \"57\"]\nstrongholds = [\"Jerusalem ayyubids\"]\n\
        forces = [\"Acre: Guy, 4 Jerusalem 2-4\", \"Jerusalem: al-Adil, 1 Ayyubid 2-6\"]";
    let p = staged(
        &game,
        text,
        &[(CHRISTIAN, "activate 54 > Guy"), (CHRISTIAN, "go"), (CHRISTIAN, "march Jaffa")],
    );
    assert!(game.deciding(&p).contains(MUSLIM));
    let al_adil = game.components().leader_of("al-Adil").unwrap();
    // The cavalry beside him could still intercept alone, so he is asked; with everybody standing fast he is not.
    assert_eq!(obey(&game, &p, MUSLIM, &[Order::NeverIntercepts(al_adil)]), None);
    assert_eq!(obey(&game, &p, MUSLIM, &[Order::StandFast]), Some(Action::Done));
}

#[test]
fn orders_are_written_and_read() {
    let game = KingdomOfHeaven::built_in();
    let saladin = game.components().leader_of("Saladin").unwrap();
    for order in [
        Order::NoResponses,
        Order::NoBattleCards,
        Order::StandFast,
        Order::UsualLosses,
        Order::NeverIntercepts(saladin),
    ] {
        assert_eq!(game.read_order(&game.write_order(&order).to_string()).unwrap(), order);
    }
    assert!(game.read_order("attack at dawn").is_err());
}

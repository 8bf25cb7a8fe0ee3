//! Orders that are offered, and windows.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use crusader_rex::CrusaderRex;
use crusader_rex::orders::Order;
use crusader_rex::position::Position;
use table::rooms::*;
use table::{Acted, Lots, Match, Nonces, Options, OrderState, Seat, SeatSet, Seed, Silent, Viewer, Wishes};

const FRANK: Seat = Seat::new(0);
const SARACEN: Seat = Seat::new(1);

fn staged(game: &CrusaderRex, text: &str) -> Position {
    game.stage(&table::sheet::parse("orders", text).unwrap()).unwrap()
}

fn offered(game: &CrusaderRex, p: &Position, seat: Seat) -> Vec<Order> {
    game.orders(&game.view(p, Viewer::Seat(seat))).into_iter().map(|offer| offer.order).collect()
}

#[test]
fn orders_are_offered_where_they_make_sense() {
    let game = CrusaderRex::built_in();
    let quiet = staged(&game, "moves = \"Frank\"\nblocks = [\"King Guy Acre 4\", \"Saladin Damascus 4\"]");
    for seat in [FRANK, SARACEN] {
        assert_eq!(offered(&game, &quiet, seat), [], "nobody fights");
    }
    let siege = "moves = \"Frank\"\nblocks = [\"Raymond of Tiberias Tiberias 3\", \"Saladin Tiberias 4\", \"King Guy Acre 4\"]\n\
                 castle = [\"Raymond of Tiberias\"]";
    let p = staged(&game, siege);
    let (frank, saracen) = (offered(&game, &p, FRANK), offered(&game, &p, SARACEN));
    assert!(frank.contains(&Order::NeverSally) && !frank.contains(&Order::NeverStorm), "{frank:?}");
    assert!(saracen.contains(&Order::NeverStorm) && saracen.contains(&Order::StayOnSiege), "{saracen:?}");
    assert!(!saracen.contains(&Order::NeverSally), "{saracen:?}");
    assert!(frank.contains(&Order::Charge) && !saracen.contains(&Order::Charge), "only Franks have knights");
    assert!(!frank.contains(&Order::FillUp), "it is summer");
    let field = "battle = { town = \"Acre\", attacker = \"Saracen\" }\nblocks = [\"King Guy Acre 4\", \"Saladin Acre 4\"]";
    let p = staged(&game, field);
    assert!(offered(&game, &p, FRANK).contains(&Order::FieldOnly));
    assert!(!offered(&game, &p, SARACEN).contains(&Order::FieldOnly));
    let winter = "winter = true\nblocks = [\"King Guy Acre 1\", \"Saladin Damascus 2\"]";
    let p = staged(&game, winter);
    assert_eq!(offered(&game, &p, FRANK), [Order::FillUp]);
    let last =
        "turn = 6\nyear = 1192\nmoves = \"Frank\"\nblocks = [\"King Guy Acre 1\", \"Saladin Damascus 2\"]";
    let p = staged(&game, last);
    let view = game.view(&p, Viewer::Seat(FRANK));
    assert_eq!(game.stands(&view, &Order::FillUp), OrderState::Expired, "no winter comes any more");
    assert_eq!(game.stands(&view, &Order::Fire), OrderState::Stands);
    assert_eq!(game.orders(&game.view(&p, Viewer::Observer)), []);
}

#[test]
fn offered_orders_are_written_and_obeyed() {
    let game = CrusaderRex::built_in();
    let setup = game.title().set_up(&Wishes { scenario: Some("1187".into()), ..Wishes::default() }).unwrap();
    let (mut answered, mut room) = (0, Options::new());
    for seed in 0..30 {
        let (mut umpire, mut lots) = (Silent::new(seed), Lots::new(seed));
        let mut p = game.setup(&setup, &mut umpire).unwrap();
        while let Some(seat) = game.deciding(&p).lowest() {
            let view = game.view(&p, Viewer::Seat(seat));
            room.clear();
            game.options(&p, seat, &mut room);
            for offer in game.orders(&view) {
                let text = game.write_order(&offer.order);
                assert_eq!(game.read_order(text.as_str()).unwrap(), offer.order);
                assert!(
                    offer.label.starts_with(char::is_uppercase) && offer.hint.ends_with('.'),
                    "{offer:?}"
                );
                if let Some(action) = game.obey(&view, &[offer.order]) {
                    answered += 1;
                    assert!(room.offers().iter().any(|o| o.action == action), "{text}");
                }
            }
            game.apply(&mut p, seat, lots.pick(room.offers()).unwrap().action, &mut umpire);
        }
    }
    assert!(answered > 500, "{answered}");
}

#[test]
fn a_window_keeps_its_answer_until_its_time() {
    let game = Arc::new(CrusaderRex::built_in());
    let setup =
        game.title().set_up(&Wishes { scenario: Some("hattin".into()), ..Wishes::default() }).unwrap();
    let mut sitting = Match::open(game.clone(), setup, Seed::numbered(1), Nonces::default()).unwrap();
    sitting.keep_pace();
    // Nobody moves, Saladin does not storm, and the castle is asked whether it sallies.
    let done = game.read("done").unwrap();
    assert_eq!(sitting.windows(), SeatSet::NONE, "moves are no window");
    sitting.act(FRANK, None, &[done]).unwrap();
    sitting.act(SARACEN, None, &[done, done]).unwrap();
    assert_eq!(sitting.windows(), FRANK.into());
    let (before, last) = (sitting.view(Viewer::Seat(SARACEN)), sitting.last_entry());
    assert_eq!(sitting.act(FRANK, None, &[done]).unwrap(), Acted::Held { unplayed: 0 });
    assert_eq!(
        (sitting.view(Viewer::Seat(SARACEN)), sitting.last_entry()),
        (before, last),
        "nobody can tell"
    );
    sitting.ripen();
    assert!(sitting.last_entry() > last, "its time has come");
}

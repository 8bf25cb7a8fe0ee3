//! Groups and musters whose blocks go on in any order: what it comes to, and what it tells, does not hang on the
//! order of the clicks.
#![allow(clippy::unwrap_used)]

use crusader_rex::CrusaderRex;
use crusader_rex::action::Action;
use crusader_rex::position::Position;
use proptest::prelude::*;
use table::rooms::*;
use table::{Lots, Nonces, Options, Seat, Seed, Silent, Viewer, Wishes};

const FRANK: Seat = Seat::new(0);
const SARACEN: Seat = Seat::new(1);

fn staged(game: &CrusaderRex, text: &str) -> Position {
    game.stage(&table::sheet::parse("march", text).unwrap()).unwrap()
}

fn played(game: &CrusaderRex, p: &Position, seat: Seat, lines: &[&str]) -> Position {
    let (mut p, mut umpire) = (p.clone(), Silent::new(1));
    for line in lines {
        let action = game.read(line).unwrap();
        assert!(table::is_allowed(game, &p, seat, action), "{line}");
        game.apply(&mut p, seat, action, &mut umpire);
    }
    p
}

const ARMY: &str = "moves = \"Saracen\"\nfirst = \"Saracen\"\nblocks = [\"Saladin Damascus 4\", \"Keukburi Damascus 3\", \
    \"Zangi Damascus 3\", \"Tuman Homs 3\", \"King Guy Jaffa 4\"]\nknown = [\"Tuman\"]";

#[test]
fn the_order_of_clicks_leaves_no_trace() {
    let game = CrusaderRex::built_in();
    let p = staged(&game, ARMY);
    let one_by_one = [
        "group Damascus",
        "go Saladin > Banyas",
        "go Saladin > Tiberias",
        "go Keukburi > Ashtera",
        "go Keukburi > Ajlun",
        "go Zangi > Banyas",
        "done",
    ];
    let in_turns = [
        "group Damascus",
        "go Zangi > Banyas",
        "go Keukburi > Ashtera",
        "go Saladin > Banyas",
        "go Keukburi > Ajlun",
        "go Saladin > Tiberias",
        "done",
    ];
    let [first, second] = [&one_by_one, &in_turns].map(|lines| played(&game, &p, SARACEN, lines.as_slice()));
    assert_eq!(first, second, "the same march");
    for viewer in [Viewer::Seat(FRANK), Viewer::Observer] {
        assert_eq!(game.scene(&game.view(&first, viewer)), game.scene(&game.view(&second, viewer)));
    }
    // Two groups in either order: marks are given by place.
    let groups = [["group Damascus", "go Saladin > Banyas"], ["group Homs", "go Tuman > Hama"]];
    let there: Vec<_> = groups.concat().into_iter().chain(["done"]).collect();
    let back: Vec<_> = [groups[1], groups[0]].concat().into_iter().chain(["done"]).collect();
    let [first, second] = [&there, &back].map(|lines| played(&game, &p, SARACEN, lines));
    assert_eq!(game.view(&first, Viewer::Seat(FRANK)), game.view(&second, Viewer::Seat(FRANK)));
}

#[test]
fn others_see_nothing_of_a_march_that_is_not_over() {
    let game = std::sync::Arc::new(CrusaderRex::built_in());
    let setup =
        game.title().set_up(&Wishes { scenario: Some("hattin".into()), ..Wishes::default() }).unwrap();
    let mut sitting = table::Match::open(game.clone(), setup, Seed::numbered(1), Nonces::default()).unwrap();
    let before = sitting.view(Viewer::Seat(SARACEN));
    for line in ["group Acre", "go King Guy > Legio", "go Jerusalem Templars > Legio", "go King Guy > Baisan"]
    {
        let action = game.read(line).unwrap();
        assert_eq!(sitting.act(FRANK, None, &[action]).unwrap(), table::Acted::Drafted, "{line}");
        assert_eq!(sitting.view(Viewer::Seat(SARACEN)), before, "{line}");
    }
    // Even a march that is made final half-way tells no more than where blocks stand.
    sitting.commit(FRANK).unwrap();
    let told = format!("{:?}", sitting.view(Viewer::Seat(SARACEN)));
    assert!(told.contains("under_way: {}"), "{told}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// However blocks march, somebody can always go on, and who is on his way to a muster reaches it.
    #[test]
    fn nobody_is_stuck_on_his_way(seed in 0..100_000u64, forced in any::<bool>()) {
        let game = CrusaderRex::built_in();
        let mut wishes = Wishes { scenario: Some("1187".into()), ..Wishes::default() };
        if forced {
            wishes.options.insert("forced-marches".into(), "yes".into());
        }
        let setup = game.title().set_up(&wishes).unwrap();
        let (mut umpire, mut lots, mut options) = (Silent::new(seed), Lots::new(seed ^ 9), Options::new());
        let mut p = game.setup(&setup, &mut umpire).unwrap();
        while let Some(seat) = game.deciding(&p).lowest() {
            options.clear();
            game.options(&p, seat, &mut options);
            prop_assert!(!options.is_empty(), "nobody can do anything");
            // Musters and marches as often as possible.
            let marches = |o: &&table::Offer<Action>| {
                matches!(o.action, Action::Go(..) | Action::Muster | Action::MusterAt(_) | Action::Group(_))
            };
            let wanted: Vec<_> = options.offers().iter().filter(marches).copied().collect();
            let offers = if lots.below(8) > 0 && !wanted.is_empty() { &wanted[..] } else { options.offers() };
            game.apply(&mut p, seat, lots.pick(offers).unwrap().action, &mut umpire);
            prop_assert_eq!(game.sound(&p), Ok(()));
        }
    }
}

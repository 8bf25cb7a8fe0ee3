//! How often the word changes hands in a contested march, and that every route that is shown can be taken.
#![allow(clippy::unwrap_used)]

use kingdom_of_heaven::KingdomOfHeaven;
use kingdom_of_heaven::action::{Action, Order};
use kingdom_of_heaven::position::{Position, Step};
use table::rooms::*;
use table::{Id as _, Lots, Options, Seat, Silent, Viewer, Wishes};

const CHRISTIAN: Seat = Seat::new(0);

/// Guy marches from Acre past Saladin's men to relieve Jaffa, where al-Adil stands; both hold cards, so that every
/// window opens.
const CONTESTED: &str = "moves = \"Christian\"\nchristian = [\"54\", \"57\", \"43\"]\nmuslim = [\"48\", \"14\", \"32\"]\n\
    strongholds = [\"Jerusalem ayyubids\"]\n\
    forces = [\"Acre: Guy, 5 Jerusalem 2-4\", \"Jaffa: al-Adil, 4 Ayyubid 2-6\", \"Jerusalem: Saladin, 3 Ayyubid 2-6\"]";

/// What a scripted player says where he is asked: he fights, and takes whatever way is offered first.
fn script(game: &KingdomOfHeaven, p: &Position, seat: Seat) -> Action {
    let mut options = Options::new();
    game.options(p, seat, &mut options);
    let offers: Vec<Action> = options.offers().iter().map(|offer| offer.action).collect();
    let wanted = match p.open.agenda.now().unwrap() {
        Step::Command => Action::Go,
        Step::March => game.read("march Jaffa").unwrap(),
        Step::Casualties | Step::Losses { .. } => Action::Usual,
        Step::Window { .. } | Step::Battle | Step::Answer { .. } => Action::Decline,
        _ => Action::Done,
    };
    let halt = Action::Halt;
    *offers
        .iter()
        .find(|a| **a == wanted)
        .or_else(|| offers.iter().find(|a| **a == halt))
        .unwrap_or(&offers[0])
}

/// Plays Guy's round to its end; how often the word goes to the other, where orders and plans say nothing.
fn handovers(game: &KingdomOfHeaven, orders: &[Order], seed: u64) -> u32 {
    let mut p = game.stage(&table::sheet::parse("stage", CONTESTED).unwrap()).unwrap();
    let mut dice = Silent::new(seed);
    let (mut last, mut count) = (CHRISTIAN, 0);
    game.apply(&mut p, CHRISTIAN, game.read("activate 54 > Guy").unwrap(), &mut dice);
    // His own next round ends it.
    while !matches!(p.open.agenda.now(), Some(Step::Round { .. }) | None) {
        let asked = game.deciding(&p);
        let told = asked.iter().find_map(|seat| {
            let view = game.view(&p, Viewer::Seat(seat));
            game.obey(&view, orders).map(|action| (seat, action))
        });
        let (seat, action) = told.unwrap_or_else(|| {
            // Who decides together clicks in any order: whoever has the word goes first.
            let seat = if asked.contains(last) { last } else { asked.lowest().unwrap() };
            count += u32::from(seat != last);
            last = seat;
            (seat, script(game, &p, seat))
        });
        assert!(table::is_allowed(game, &p, seat, action));
        game.apply(&mut p, seat, action, &mut dice);
    }
    // The word goes to whoever has the next round.
    count + 1
}

#[test]
fn orders_bring_a_contested_march_down_to_three_to_five_handovers() {
    let game = KingdomOfHeaven::built_in();
    let orders = [Order::NoResponses, Order::NoBattleCards, Order::UsualLosses];
    let count = |orders: &[Order]| -> Vec<u32> { (0..40).map(|i| handovers(&game, orders, i)).collect() };
    let (without, with) = (count(&[]), count(&orders));
    let mean = |counts: &[u32]| f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    println!("handovers of a contested march: {:.1} by hand, {:.1} with orders", mean(&without), mean(&with));
    println!("by hand {without:?}\nwith orders {with:?}");
    assert!(mean(&without) > mean(&with) + 1.0, "orders save nothing");
    assert!(with.iter().all(|n| *n <= 5), "{with:?}");
    assert!(with.iter().any(|n| *n >= 3), "nothing was contested: {with:?}");
}

#[test]
fn every_route_that_is_shown_can_be_taken() {
    let game = KingdomOfHeaven::built_in();
    let mut routes = 0;
    for scenario in ["D", "A", "acre", "G"] {
        let wishes = Wishes { scenario: Some(scenario.into()), ..Wishes::default() };
        let setup = game.title().set_up(&wishes).unwrap();
        let (mut dice, mut lots, mut options) = (Silent::new(7), Lots::new(7), Options::new());
        let mut p = game.setup(&setup, &mut dice).unwrap();
        for _ in 0..6000 {
            let Some(seat) = game.deciding(&p).lowest() else { break };
            if matches!(p.open.agenda.now(), Some(Step::Command | Step::March)) {
                let view = game.view(&p, Viewer::Seat(seat));
                let leaders = game.components().leaders.len();
                let led = p.open.march.as_ref().map(|march| march.leaders).unwrap_or_default();
                let led = (0..leaders).map(kingdom_of_heaven::ids::Leader::at).find(|l| led.has(*l));
                let id =
                    led.map_or("unit-x".into(), |l| format!("leader-{}", game.components().leader(l).id));
                for reach in game.reach(&view, &[&id]) {
                    let way = game.route(&view, &[&id], &reach.space);
                    assert!(!way.is_empty(), "{} is in reach, and there is no route", reach.space);
                    let mut on = p.clone();
                    for action in &way {
                        // It goes on as long as nothing happens on the way.
                        let same = game.deciding(&on).contains(seat)
                            && matches!(on.open.agenda.now(), Some(Step::Command | Step::March));
                        if !same {
                            break;
                        }
                        assert!(
                            table::is_allowed(&game, &on, seat, *action),
                            "{scenario}: `{}` on the way to {}",
                            game.write(*action),
                            reach.space
                        );
                        game.apply(&mut on, seat, *action, &mut Silent::new(3));
                    }
                    routes += 1;
                }
            }
            options.clear();
            game.options(&p, seat, &mut options);
            let n = lots.below(options.offers().len() as u32) as usize;
            game.apply(&mut p, seat, options.offers()[n].action, &mut dice);
        }
    }
    println!("{routes} routes");
    assert!(routes > 1000, "only {routes} routes");
}

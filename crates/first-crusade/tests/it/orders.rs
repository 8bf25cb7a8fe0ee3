//! Standing orders: what is offered, what is obeyed, when it ends.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use first_crusade::FirstCrusade;
use first_crusade::orders::Order;
use table::rooms::*;
use table::{Lots, Match, Nonces, OrderState, Seat, Seats, Seed, SetupError, Viewer, Wishes};

const CRUSADERS: Seat = Seat::new(0);

fn open(game: &Arc<FirstCrusade>, seats: u8, seed: u64) -> Match<FirstCrusade> {
    let wishes = Wishes { seats: Some(Seats::Count(seats)), ..Wishes::default() };
    let setup = game.title().set_up(&wishes).unwrap();
    Match::open(game.clone(), setup, Seed::numbered(seed), Nonces::default()).unwrap()
}

/// What a seat is asked for, its own draft considered.
fn step(game: &FirstCrusade, table: &Match<FirstCrusade>, seat: Seat) -> String {
    let now = game.imagine(&table.view(Viewer::Seat(seat)), &mut Lots::new(0));
    game.fact(&now, &now, "step").unwrap().to_string()
}

/// Plays to the end at random; how often each of these steps was asked for.
fn asked(game: &Arc<FirstCrusade>, orders: &[Order], steps: [&str; 4]) -> [u32; 4] {
    let mut asked = [0; 4];
    for seed in 0..12 {
        let mut table = open(game, 2, seed);
        let mut lots = Lots::new(seed);
        let party = table.party();
        for seat in party.iter() {
            table.give_orders(seat, orders.to_vec());
        }
        while let Some(seat) = table.deciding().lowest() {
            let now = step(game, &table, seat);
            for (n, step) in asked.iter_mut().zip(steps) {
                *n += u32::from(now == format!("\"{step}\""));
            }
            let offers = table.observed(seat).unwrap().offers;
            let action = offers[lots.below(offers.len() as u32) as usize].action;
            table.act(seat, None, &[action]).unwrap();
        }
    }
    asked
}

#[test]
fn orders_answer_what_they_are_for_and_nothing_else() {
    let game = Arc::new(FirstCrusade::built_in());
    let steps = ["losses", "strikes", "shields", "hunger"];
    let free = asked(&game, &[], steps);
    assert!(free.iter().all(|n| *n > 0), "{free:?}");
    let markers: Vec<Order> = (1..=9).map(|turn| Order::KeepMarkers { turn }).collect();
    let all: Vec<Order> = markers.iter().copied().chain([Order::AllotLosses, Order::AllotHits]).collect();
    let kept = asked(&game, &all, steps);
    assert_eq!(kept[1..], [0, 0, 0], "hits and markers: {kept:?}");
    assert!(kept[0] < free[0] / 4, "losses only where supplies could spare them: {kept:?} of {free:?}");
    assert!(asked(&game, &[Order::AllotHits], steps)[0] > 0, "losses are another matter");
}

#[test]
fn offers_are_read_as_they_are_written_and_end_with_their_turn() {
    let game = Arc::new(FirstCrusade::built_in());
    let mut table = open(&game, 1, 8);
    let mut lots = Lots::new(8);
    let mut most = 0;
    while let Some(seat) = table.deciding().lowest() {
        let view = table.view(Viewer::Seat(seat));
        let offers = table.offered_orders(seat);
        most = most.max(offers.len());
        for offer in &offers {
            let text = game.write_order(&offer.order);
            assert_eq!(game.read_order(text.as_str()).unwrap(), offer.order);
            assert_eq!(game.stands(&view, &offer.order), OrderState::Stands);
            assert!(!offer.label.is_empty() && offer.hint.ends_with('.'));
        }
        let offers = table.observed(seat).unwrap().offers;
        let action = offers[lots.below(offers.len() as u32) as usize].action;
        table.act(seat, None, &[action]).unwrap();
    }
    assert_eq!(most, 3, "markers were held at some time");
    let end = table.view(Viewer::Seat(CRUSADERS));
    assert_eq!(game.orders(&end), []);
    assert_eq!(game.orders(&table.view(Viewer::Observer)), []);
    assert_eq!(game.stands(&end, &Order::AllotHits), OrderState::Expired);
    for text in ["keep markers 10", "keep markers", "allot", ""] {
        assert!(game.read_order(text).is_err(), "`{text}`");
    }
    let start = open(&game, 1, 8).view(Viewer::Seat(CRUSADERS));
    assert_eq!(game.stands(&start, &Order::KeepMarkers { turn: 1 }), OrderState::Stands);
    assert_eq!(game.stands(&end, &Order::KeepMarkers { turn: 1 }), OrderState::Expired);
}

/// Parties of one, two and three; any other is refused with those that there are.
#[test]
fn a_team_is_the_first_one_two_or_three() {
    let game = FirstCrusade::built_in();
    let wish = |names: &[&str]| {
        let seats = Some(Seats::Named(names.iter().map(|name| (*name).to_string()).collect()));
        game.title().set_up(&Wishes { seats, ..Wishes::default() })
    };
    for (names, n) in [(&["Crusaders"][..], 1), (&["Crusaders", "Byzantines"], 2)] {
        assert_eq!(wish(names).unwrap().party().len(), n);
    }
    for names in
        [&["Crusaders", "Armenians"][..], &["Byzantines"], &["Armenians", "Byzantines"], &["Seljuks"]]
    {
        let refused: SetupError = wish(names).unwrap_err();
        assert!(!refused.to_string().is_empty(), "{names:?}");
    }
}

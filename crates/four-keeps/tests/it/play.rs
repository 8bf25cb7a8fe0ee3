//! What playing is like: parties, windows, battles side by side, reach and route, latecomers, orders.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use four_keeps::action::{Action, Order};
use four_keeps::position::{Stance, Step};
use four_keeps::{ENTRY, FILES, FourKeeps};
use table::rooms::*;
use table::{
    Acted, DataFiles, Lots, Match, Nonces, Pick, Plan, Record, Seat, SeatSet, Seats, Seed, TableError,
    Viewer, Wishes,
};

const ALARD: Seat = Seat::new(0);
const BILAL: Seat = Seat::new(1);

fn sit_down(seats: Seats) -> Match<FourKeeps> {
    let game = Arc::new(FourKeeps::built_in());
    let setup = game.title().set_up(&Wishes { seats: Some(seats), ..Wishes::default() }).unwrap();
    Match::open(game, setup, Seed::numbered(1), Nonces::default()).unwrap()
}

/// Plays at random until a condition holds.
fn until(sitting: &mut Match<FourKeeps>, lots: &mut Lots, mut holds: impl FnMut(&Match<FourKeeps>) -> bool) {
    while !holds(sitting) {
        let seat = lots.pick(&sitting.waiting_for().iter().collect::<Vec<_>>()).expect("the game goes on");
        let observed = sitting.observed(seat).unwrap();
        let action = table::choose(&**sitting.game(), &observed, Pick::Random, lots);
        sitting.act(seat, None, &[action]).unwrap();
    }
}

/// A table at which two battles are fought at once.
fn two_battles(seed: u64) -> Match<FourKeeps> {
    for seed in seed.. {
        let mut lots = Lots::new(seed);
        let mut sitting = sit_down(Seats::Count(4));
        until(&mut sitting, &mut lots, |s| s.outcome().is_some() || s.position().open.battles.len() == 2);
        if sitting.outcome().is_none() && sitting.waiting_for().len() == 4 {
            return sitting;
        }
    }
    unreachable!("some game has two battles")
}

#[test]
fn random_play_allocates_nothing() {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    let setup = game.title().set_up(&Wishes { seats: Some(Seats::Count(8)), ..Wishes::default() }).unwrap();
    let plan = |games| Plan { setup: setup.clone(), games, seed: 1, first: 0, picks: Vec::new() };
    let few = allocation_counter::measure(|| drop(game.simulate(&plan(40), &mut |_| {}).unwrap()));
    let many = allocation_counter::measure(|| drop(game.simulate(&plan(400), &mut |_| {}).unwrap()));
    assert_eq!(few.count_total, many.count_total);
}

#[test]
fn a_party_need_not_begin_with_the_first_seat() {
    let sitting = sit_down(Seats::Named(vec!["conan".into(), "Daud".into()]));
    let pair = SeatSet::only(Seat::new(2)).with(Seat::new(3));
    assert_eq!((sitting.party(), sitting.waiting_for()), (pair, pair));
    let record = sitting.record(true).to_string();
    assert!(record.contains("\nseats Conan, Daud\n"), "{record}");
    let again = Match::replay(sitting.game().clone(), &Record::read("pair", &record).unwrap(), None).unwrap();
    assert_eq!(again.position(), sitting.position());
    let title = sitting.game().title().clone();
    let complaint =
        |seats| title.set_up(&Wishes { seats: Some(seats), ..Wishes::default() }).unwrap_err().to_string();
    let named = complaint(Seats::Named(vec!["Alard".into(), "Hasan".into()]));
    assert!(
        named.starts_with(
            "four-keeps cannot be played with `Alard, Hasan` as its seats; it can with: `Alard, Bilal`"
        ),
        "{named}"
    );
    assert!(complaint(Seats::Count(9)).contains("cannot be played with `9`"));
}

#[test]
fn choices_of_one_battle_are_opened_without_the_other() {
    let mut sitting = two_battles(1);
    let [first, second] = [0, 1].map(|i| sitting.position().open.battles[i]);
    let last = sitting.last_entry();
    let press = Action::Fight(Stance::Press);
    assert_eq!(sitting.act(first.sides[0], None, &[press]), Ok(Acted::Held { unplayed: 0 }));
    assert_eq!(sitting.act(second.sides[0], None, &[press]), Ok(Acted::Held { unplayed: 0 }));
    assert_eq!(sitting.last_entry(), last, "both wait for their own enemy");
    sitting.act(first.sides[1], None, &[press]).unwrap();
    assert_eq!(sitting.last_entry(), last + 2, "the first battle is fought");
    assert!(sitting.chosen().contains(second.sides[0]), "the second still waits");
}

#[test]
fn a_window_is_opened_at_an_even_pace_whoever_answers() {
    let mut sitting = two_battles(1);
    sitting.keep_pace();
    let battle = sitting.position().open.battles[0];
    for side in battle.sides {
        sitting.act(side, None, &[Action::Fight(Stance::Guard)]).unwrap();
    }
    let asked = sitting.position().open.battles[0].asked.unwrap().0;
    assert_eq!(sitting.windows(), asked.into());
    let others = |s: &Match<FourKeeps>| {
        let seen = |v| (s.view(v), s.journal(v), s.moments(v));
        let viewers: Vec<_> = Viewer::all(s.party().without(asked)).map(seen).collect();
        (viewers, s.chosen(), s.last_entry(), s.deciding())
    };
    let before = others(&sitting);
    assert_eq!(sitting.act(asked, None, &[Action::Pass]), Ok(Acted::Held { unplayed: 0 }));
    assert!(sitting.holds(asked));
    assert_eq!(others(&sitting), before, "nobody can tell that it was answered");
    sitting.undo(asked).unwrap();
    assert!(!sitting.holds(asked), "and it can be thought over");
    sitting.act(asked, None, &[Action::Pass]).unwrap();
    sitting.ripen();
    assert_ne!(others(&sitting), before, "now it is told");
    // Ripe before it is answered: the answer counts at once.
    let battle = sitting.position().open.battles[0];
    for side in battle.sides {
        sitting.act(side, None, &[Action::Fight(Stance::Guard)]).unwrap();
    }
    let asked = sitting.position().open.battles.first().and_then(|b| b.asked).unwrap().0;
    sitting.ripen();
    assert!(matches!(sitting.act(asked, None, &[Action::Pass]), Ok(Acted::Committed { .. })));
}

#[test]
fn every_reach_has_a_route_that_leads_there() {
    let mut lots = Lots::new(3);
    let mut tried = 0;
    for seed in 0..12 {
        let mut sitting = sit_down(Seats::Count(4));
        until(&mut sitting, &mut Lots::new(seed), |s| matches!(s.position().open.step, Step::March { .. }));
        for _ in 0..4 {
            let Step::March { order, .. } = &sitting.position().open.step else { break };
            let seat = order[0];
            let piece = format!("captain-{}", seat.index());
            let reach = sitting.reach(seat, &[&piece]);
            assert!(!reach.is_empty());
            for place in &reach {
                let route = sitting.route(seat, &[&piece], &place.space);
                let mut trial = sitting.clone();
                assert!(
                    matches!(trial.act(seat, None, &route), Ok(Acted::Committed { unplayed: 0 })),
                    "{place:?}"
                );
                let at = trial.position().open.captain(seat).at;
                assert!(at.is_none_or(|at| place.space == format!("hex-{}-{}", at.q, at.r)), "{place:?}");
                tried += 1;
            }
            let stranger = format!("captain-{}", (seat.index() + 1) % 4);
            assert!(
                sitting.reach(seat, &[&stranger]).is_empty()
                    && sitting.route(seat, &[&piece], "hex-9-9").is_empty()
            );
            assert!(sitting.reach(seat, &["nonsense"]).is_empty());
            let place = &reach[lots.below(reach.len() as u32) as usize];
            let route = sitting.route(seat, &[&piece], &place.space);
            sitting.act(seat, None, &route).unwrap();
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn a_batch_stops_where_the_decision_passes_on() {
    let mut sitting = sit_down(Seats::Count(2));
    for seat in [ALARD, BILAL] {
        sitting.act(seat, None, &[Action::Bid(0)]).unwrap();
    }
    let last = sitting.last_entry();
    // Alard halts, and what he would do after that is not Bilal's.
    assert_eq!(sitting.act(ALARD, None, &[Action::Halt, Action::Halt]), Ok(Acted::Committed { unplayed: 1 }));
    assert_eq!(sitting.last_entry(), last + 1);
}

/// Latecomers [1.3].
#[test]
fn somebody_may_join_late() {
    let mut sitting = sit_down(Seats::Count(2));
    let conan = Seat::new(2);
    assert!(matches!(sitting.arrive(ALARD), Err(TableError::NoRoom { .. })), "his seat is taken");
    sitting.act(ALARD, None, &[Action::Bid(1)]).unwrap();
    sitting.arrive(conan).unwrap();
    assert!(sitting.party().contains(conan) && sitting.waiting_for().contains(conan));
    assert!(sitting.journal(Viewer::Observer).iter().any(|l| l.text == "Conan joins the game"));
    assert!(sitting.ask_take_back(ALARD, 0).is_err(), "nobody is sent away again");
    let record = Record::read("late", &sitting.record(true).to_string()).unwrap();
    assert!(record.to_string().contains("1 Conan arrives ~ ("));
    let again = Match::replay(sitting.game().clone(), &record, None).unwrap();
    assert_eq!((again.position(), again.party()), (sitting.position(), sitting.party()));
    let mut lots = Lots::new(1);
    until(&mut sitting, &mut lots, |s| s.position().open.turn == 3 || s.outcome().is_some());
    assert!(sitting.arrive(Seat::new(3)).is_err(), "from the third turn on nobody comes");
}

#[test]
fn take_backs_ask_those_whom_they_concern() {
    let mut sitting = sit_down(Seats::Count(4));
    for seat in sitting.party().iter() {
        sitting.act(seat, None, &[Action::Bid(0)]).unwrap();
    }
    let to = sitting.last_entry();
    sitting.act(ALARD, None, &[Action::Halt]).unwrap();
    sitting.ask_take_back(ALARD, to).unwrap();
    let asked = sitting.take_back_asked().unwrap();
    assert_eq!(asked.needed, SeatSet::only(BILAL).with(Seat::new(3)), "his enemies, and not his friend");
    sitting.answer_take_back(BILAL, true).unwrap();
    sitting.lapse_take_back();
    assert_eq!((sitting.take_back_asked(), sitting.take_backs()), (None, 1), "who says nothing agrees");
}

/// Standing orders [7.1].
#[test]
fn orders_are_offered_obeyed_and_forgotten() {
    let mut sitting = sit_down(Seats::Count(2));
    let offered: Vec<_> = sitting.offered_orders(BILAL).into_iter().map(|offer| offer.order).collect();
    assert_eq!(offered, [Order::Stand, Order::KeepWards], "also before it is his turn");
    sitting.give_orders(BILAL, vec![Order::Stand]);
    assert_eq!(sitting.scene(Viewer::Seat(BILAL)).boards[0].plans.len(), 1, "drawn on his own board");
    assert!(sitting.scene(Viewer::Seat(ALARD)).boards[0].plans.is_empty(), "and on no other");
    for seat in [ALARD, BILAL] {
        sitting.act(seat, None, &[Action::Bid(0)]).unwrap();
    }
    sitting.act(ALARD, None, &[Action::Halt]).unwrap();
    assert_eq!(sitting.position().open.turn, 2, "Bilal stood, and the turn was over");
}

#[test]
fn an_alliance_wins_and_one_of_it_is_first() {
    let (game, mut alone, mut led) = (FourKeeps::built_in(), 0, 0);
    for seed in 0..40 {
        let mut sitting = sit_down(Seats::Count(6));
        until(&mut sitting, &mut Lots::new(seed), |s| s.outcome().is_some());
        let outcome = sitting.outcome().unwrap();
        let Some(first) = outcome.first else { continue };
        assert!(outcome.winners.contains(first) && outcome.worth(first) == 1.0);
        for other in outcome.winners.without(first).iter() {
            assert!(
                outcome.worth(other) < 1.0 && outcome.worth(other) > 0.9,
                "to be first is worth a little"
            );
            led += 1;
        }
        assert_eq!(game.title().allies(first).both(sitting.party()), outcome.winners);
        alone += 1;
    }
    assert!(alone > 10 && led > 10);
}

//! A match from the point of view of those who sit at it, with Ten Towns on the table.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use table::rooms::*;
use table::small::ten_towns::TenTowns;
use table::small::ten_towns::action::{Action, Order};
use table::{Acted, Deed, Match, Nonces, Record, Seat, SeatSet, Seats, Seed, TableError, Viewer, Wishes};

const RED: Seat = Seat::new(0);
const BLUE: Seat = Seat::new(1);

fn sit_down(seed: u64) -> Match<TenTowns> {
    let game = Arc::new(TenTowns::built_in());
    let setup = game.title().usual_set_up();
    Match::open(game, setup, Seed::numbered(seed), Nonces::default()).unwrap()
}

fn act(sitting: &mut Match<TenTowns>, seat: Seat, text: &str) -> Result<Acted, TableError> {
    let action = sitting.read(text)?;
    sitting.act(seat, None, &[action])
}

/// Both have played: Red 3, Blue 1. Red moves.
fn red_moves(seed: u64) -> Match<TenTowns> {
    let mut sitting = sit_down(seed);
    act(&mut sitting, RED, "card 3").unwrap();
    act(&mut sitting, BLUE, "card 1").unwrap();
    sitting
}

/// Everything that another viewer can get, as text.
fn all_that_gets(sitting: &Match<TenTowns>, viewer: Viewer) -> String {
    let json = |v: &dyn erased::Json| v.json();
    format!(
        "{}\n{}\n{}\n{:?}\n{:?}",
        json(&sitting.view(viewer)),
        json(&sitting.scene(viewer)),
        json(&sitting.journal(viewer)),
        sitting.history(viewer),
        viewer.seat().map(|s| sitting.number(s)),
    )
}

mod erased {
    pub(super) trait Json {
        fn json(&self) -> String;
    }
    impl<T: serde::Serialize> Json for T {
        fn json(&self) -> String {
            serde_json::to_string(self).unwrap()
        }
    }
}

#[test]
fn a_secret_card_is_held_and_can_be_changed() {
    let mut sitting = sit_down(1);
    let unaware = all_that_gets(&sitting, Viewer::Seat(BLUE));
    assert_eq!(act(&mut sitting, RED, "card 1"), Ok(Acted::Held { unplayed: 0 }));
    assert_eq!(sitting.waiting_for(), BLUE.into(), "the table knows who has not chosen");
    assert_eq!(all_that_gets(&sitting, Viewer::Seat(BLUE)), unaware);
    assert_eq!(sitting.last_entry(), 0, "nothing is in the record yet");
    // Red thinks better of it, twice.
    assert_eq!(act(&mut sitting, RED, "card 2"), Ok(Acted::Held { unplayed: 0 }));
    sitting.undo(RED).unwrap();
    assert_eq!(sitting.waiting_for(), SeatSet::first(2));
    assert_eq!(act(&mut sitting, RED, "card 3"), Ok(Acted::Held { unplayed: 0 }));
    assert_eq!(all_that_gets(&sitting, Viewer::Seat(BLUE)), unaware);
    act(&mut sitting, BLUE, "card 1").unwrap();
    let entries: Vec<_> = sitting.record(true).entries.iter().map(ToString::to_string).collect();
    assert_eq!(
        entries,
        ["1 Red: card 3", "2 Blue: card 1"],
        "only the last choice counts, in the order of seats"
    );
}

#[test]
fn the_order_of_arrival_is_not_told() {
    let records = [[RED, BLUE], [BLUE, RED]].map(|order| {
        let mut sitting = sit_down(1);
        for seat in order {
            act(&mut sitting, seat, if seat == RED { "card 3" } else { "card 1" }).unwrap();
        }
        sitting.record(true).to_string()
    });
    assert_eq!(records[0], records[1]);
}

#[test]
fn a_draft_leaves_no_trace_with_others() {
    let mut sitting = red_moves(1);
    let unaware = [Viewer::Seat(BLUE), Viewer::Observer].map(|v| all_that_gets(&sitting, v));
    for text in ["group Brill", "go Ram > Dunster", "go Rook > Ewelme"] {
        assert_eq!(act(&mut sitting, RED, text), Ok(Acted::Drafted));
    }
    assert_eq!(sitting.undoable(RED), 3);
    assert!(sitting.journal(Viewer::Seat(RED)).iter().any(|l| l.text == "Ram goes from Brill to Dunster"));
    sitting.undo(RED).unwrap();
    sitting.undo(RED).unwrap();
    act(&mut sitting, RED, "go Ram > Ewelme").unwrap();
    assert_eq!([Viewer::Seat(BLUE), Viewer::Observer].map(|v| all_that_gets(&sitting, v)), unaware);
    // When it is final, the others see what they may: a block, not which.
    sitting.commit(RED).unwrap();
    let told: Vec<_> =
        sitting.history(Viewer::Seat(BLUE)).into_iter().map(|(_, _, n)| n.to_string()).collect();
    // Red's card was shown by the rules, not seen as an action when Red chose it.
    assert_eq!(told, ["card 1", "group Brill", "a block goes Brill > Ewelme"]);
    assert!(
        !all_that_gets(&sitting, Viewer::Seat(BLUE)).contains("Ram"),
        "the roster has numbers, not names"
    );
}

#[test]
fn a_batch_is_all_or_nothing() {
    let mut sitting = red_moves(1);
    let read = |text: &str| sitting.read(text).unwrap();
    let good = [read("group Brill"), read("go Ram > Dunster"), read("go Rook > Dunster")];
    let third = read("go Rust > Dunster");
    let before = sitting.number(RED);
    let error = sitting.act(RED, None, &[good[0], good[1], good[2], third]).unwrap_err();
    assert_eq!(error.to_string(), "`go Rust > Dunster` is not allowed: two blocks have used that road [4.2]");
    assert_eq!((sitting.undoable(RED), sitting.number(RED)), (0, before));
    assert_eq!(sitting.act(RED, None, &good), Ok(Acted::Drafted));
    assert_eq!(sitting.undoable(RED), 3);
}

#[test]
fn a_batch_stops_at_the_dice() {
    let mut sitting = sit_down(1);
    act(&mut sitting, RED, "card 2").unwrap();
    act(&mut sitting, BLUE, "card 2").unwrap();
    act(&mut sitting, RED, "bid 1").unwrap();
    // Equal bids roll: what the winner would do next cannot be part of the same batch.
    let batch = ["bid 1", "end"].map(|t| sitting.read(t).unwrap());
    let acted = sitting.act(BLUE, None, &batch[..1]).unwrap();
    assert_eq!(acted, Acted::Held { unplayed: 0 }, "the bids are held and then committed together");
    let record = sitting.record(true);
    assert!(matches!(&record.entries[3].deed, Deed::Act { chance, .. } if chance.len() == 1));
}

#[test]
fn stale_and_repeated_actions_do_nothing() {
    let mut sitting = red_moves(1);
    let number = sitting.number(RED);
    let action = sitting.read("group Brill").unwrap();
    sitting.act(RED, Some(number), &[action]).unwrap();
    let error = sitting.act(RED, Some(number), &[action]).unwrap_err();
    assert_eq!(error, TableError::Stale { sent: number, present: number + 1 });
    assert_eq!(sitting.undoable(RED), 1);
}

#[test]
fn errors_are_named() {
    let mut sitting = red_moves(1);
    let complaint =
        |sitting: &mut Match<TenTowns>, seat, text| act(sitting, seat, text).unwrap_err().to_string();
    assert_eq!(
        complaint(&mut sitting, BLUE, "end"),
        "it is not for Blue to decide now: the table waits for Red"
    );
    assert_eq!(
        complaint(&mut sitting, RED, "fire Ram"),
        "`fire Ram` is not possible now; Red moves a group (3 left) or ends [4.1]"
    );
    assert_eq!(
        complaint(&mut sitting, RED, "go Ram Dunster"),
        "cannot read `go Ram Dunster`: found `go Ram Dunster`, expected BLOCK > TOWN"
    );
    assert_eq!(
        sitting.undo(RED).unwrap_err().to_string(),
        "nothing to undo: your last action is part of the record; the others may agree to take it back"
    );
}

/// Plays on at random until the predicate holds.
fn play_until(
    sitting: &mut Match<TenTowns>,
    lots: &mut table::Lots,
    stop: impl Fn(&Match<TenTowns>) -> bool,
) {
    while !stop(sitting) {
        let Some(seat) = sitting.waiting_for().lowest() else { return };
        let observed = sitting.observed(seat).unwrap();
        let action = table::choose(&**sitting.game(), &observed, table::Pick::Random, lots);
        sitting.act(seat, None, &[action]).unwrap();
    }
}

/// A game in which at least so many dice have been rolled, the last entry among them.
fn fought(rolls: usize) -> Match<TenTowns> {
    let games = (0..100).map(|seed| {
        let mut sitting = sit_down(seed);
        play_until(&mut sitting, &mut table::Lots::new(seed), |s| dice(&s.record(true)) >= rolls);
        sitting
    });
    games.into_iter().find(|s| s.outcome().is_none()).unwrap()
}

fn dice(record: &Record) -> usize {
    record.entries.iter().map(|e| if let Deed::Act { chance, .. } = &e.deed { chance.len() } else { 0 }).sum()
}

#[test]
fn a_take_back_needs_consent_is_an_entry_and_brings_new_dice() {
    let mut sitting = fought(6);
    let last = sitting.last_entry();
    let rolled = sitting.record(true).entries[last as usize - 1].clone();
    let Deed::Act { seat, action, chance, .. } = &rolled.deed else { panic!() };
    let seat = sitting.game().title().seat_named(seat).unwrap();
    sitting.ask_take_back(seat, last - 1).unwrap();
    assert_eq!(sitting.last_entry(), last, "nothing happens without consent");
    sitting.answer_take_back(seat.other(), false).unwrap();
    assert!(sitting.take_back_asked().is_none());
    sitting.ask_take_back(seat, last - 1).unwrap();
    sitting.answer_take_back(seat.other(), true).unwrap();
    assert_eq!(sitting.last_entry(), last + 1);
    assert_eq!(
        sitting.record(true).entries.last().unwrap().to_string(),
        format!("{} take-back to {} for {}", last + 1, last - 1, sitting.game().title().seat_name(seat))
    );
    // The same again is rolled with other dice; and the whole record, take-back included, replays.
    let action = sitting.read(action).unwrap();
    sitting.act(seat, None, &[action]).unwrap();
    let again = sitting.record(true);
    let Deed::Act { chance: second, .. } = &again.entries[last as usize + 1].deed else { panic!() };
    assert_ne!(chance, second, "new dice (with this seed)");
    let record = Record::read("r", &again.to_string()).unwrap();
    let replayed = Match::replay(sitting.game().clone(), &record, None).unwrap();
    assert_eq!(replayed.position(), sitting.position());
    assert!(sitting.journal(Viewer::Observer).iter().any(|l| l.text.contains("took moves back")));
}

#[test]
fn a_changed_die_is_noticed() {
    let sitting = fought(3);
    let honest = sitting.record(true);
    let entry = honest
        .entries
        .iter()
        .find(|e| matches!(&e.deed, Deed::Act { chance, .. } if !chance.is_empty()))
        .unwrap();
    let line = entry.to_string();
    let (text, die) = line.rsplit_once(' ').unwrap();
    let other = if die == "6" { "5" } else { "6" };
    let forged = honest.to_string().replacen(&line, &format!("{text} {other}"), 1);
    let record = Record::read("forged.txt", &forged).unwrap();
    let error = Match::replay(sitting.game().clone(), &record, None).unwrap_err();
    assert_eq!(error.entry, entry.number);
    assert!(error.what.contains("the seed says"), "{error}");
    // Without the seed nobody can tell, but the dice must still fit the rules.
    let mut unsealed = record.clone();
    unsealed.seed = None;
    if let Deed::Act { chance, .. } = &mut unsealed.entries[entry.number as usize - 1].deed {
        chance.clear();
    }
    let error = Match::replay(sitting.game().clone(), &unsealed, None).unwrap_err();
    assert!(error.what.contains("no result for it"), "{error}");
    // And a seed that was not committed to is no seed.
    let mut other_seed = honest.clone();
    other_seed.seed = Some(Seed::numbered(99));
    let error = Match::replay(sitting.game().clone(), &other_seed, None).unwrap_err();
    assert!(error.what.contains("not the one that was committed to"), "{error}");
}

#[test]
fn a_record_without_its_seed_can_be_looked_at_and_branched() {
    let mut sitting = sit_down(3);
    play_until(&mut sitting, &mut table::Lots::new(5), |s| s.last_entry() >= 20);
    let record = Record::read("r", &sitting.record(false).to_string()).unwrap();
    assert!(!record.to_string().contains("\nseed "));
    let mut copy = Match::replay(sitting.game().clone(), &record, Some(12)).unwrap();
    assert_eq!(copy.last_entry(), 12);
    let seat = copy.waiting_for().lowest().unwrap();
    let first = copy.choices(seat)[0].offer.action;
    assert!(copy.act(seat, None, &[first]).unwrap_err().to_string().contains("has no seed"));
    let mut branch = sitting.branch(12, Seed::numbered(8)).unwrap();
    play_until(&mut branch, &mut table::Lots::new(6), |s| s.outcome().is_some());
    let record = Record::read("branch", &branch.record(true).to_string()).unwrap();
    assert_eq!(Match::replay(branch.game().clone(), &record, None).unwrap().position(), branch.position());
}

#[test]
fn standing_orders_act_and_are_ordinary_entries() {
    let play = |seed: u64, orders: bool| {
        let mut sitting = sit_down(seed);
        let mut lots = table::Lots::new(seed);
        if orders {
            for seat in [RED, BLUE] {
                sitting.give_orders(seat, vec![Order::Fire, Order::Pass]);
            }
        }
        let mut clicks = 0;
        while sitting.outcome().is_none() {
            let seat = sitting.waiting_for().lowest().unwrap();
            let observed = sitting.observed(seat).unwrap();
            let action = table::choose(&**sitting.game(), &observed, table::Pick::Random, &mut lots);
            if orders {
                assert!(
                    !matches!(action, Action::Fire(_) | Action::Pass),
                    "an order would have done {action:?}"
                );
            }
            sitting.act(seat, None, &[action]).unwrap();
            clicks += 1;
        }
        (clicks, sitting.record(true).to_string())
    };
    let (mut with, mut without) = (0, 0);
    for seed in 0..20 {
        let ((clicks, plain), (fewer, ordered)) = (play(seed, false), play(seed, true));
        (without, with) = (without + clicks, with + fewer);
        assert!(!plain.contains("(order)"));
        assert_eq!(ordered.contains("(order): fire"), ordered.contains("fire "));
    }
    assert!(with < without, "{with} clicks with orders, {without} without");
}

#[test]
fn forced_choices_are_made_and_recorded() {
    let mut sitting = red_moves(1);
    for town in ["Brill", "Arden", "Corfe"] {
        act(&mut sitting, RED, &format!("group {town}")).unwrap();
        act(&mut sitting, RED, "halt").unwrap();
    }
    // The card gives three group moves: ending is all that is left, and everybody knows it. But it is still
    // a draft, and the player may undo it.
    assert_eq!(sitting.choices(RED).len(), 1);
    sitting.commit(RED).unwrap();
    assert_eq!(sitting.record(true).entries.last().unwrap().to_string(), "9 Red (forced): end");
    assert_eq!(sitting.waiting_for(), BLUE.into());
}

#[test]
fn the_umpire_sees_nothing_more_until_the_end() {
    let mut sitting = red_moves(4);
    assert_eq!(sitting.view(Viewer::Umpire), sitting.view(Viewer::Observer));
    play_until(&mut sitting, &mut table::Lots::new(1), |s| s.outcome().is_some());
    assert_eq!(act(&mut sitting, RED, "end"), Err(TableError::Over));
}

#[test]
fn a_vignette_of_several_acts_is_checked_after_each() {
    let game = TenTowns::built_in();
    let text = |expected: &str| {
        format!(
            "game = \"ten-towns\"\nrule = \"4.2\"\ntitle = \"Two acts\"\n[position]\nmoves = {{ seat = \"Red\", left = 1 }}\n\
             [[act]]\nactions = [\"Red: group Brill\"]\n[act.expect]\nRam = \"{expected}\"\n\
             [[act]]\nactions = [\"Red: go Ram > Dunster\"]\n[act.expect]\nRam = \"Dunster 4\"\n"
        )
    };
    let play = |text: &str| table::Vignette::read("acts.toml", text).and_then(|v| v.play(&game));
    let played = play(&text("Brill 4")).unwrap();
    assert_eq!(played.frames.len(), 3);
    let wrong = play(&text("Brill 3")).unwrap_err().to_string();
    assert_eq!(wrong, "acts.toml:9: `Ram`: expected \"Brill 3\", found \"Brill 4\"");
    let empty = text("Brill 4").replace("[act.expect]\nRam = \"Brill 4\"\n", "");
    assert!(play(&empty).unwrap_err().to_string().contains("expects nothing"));
}

#[test]
fn wishes_are_checked() {
    let title = TenTowns::built_in().title().clone();
    let complaint = |wishes: Wishes| title.set_up(&wishes).unwrap_err().to_string();
    let option =
        |k: &str, v: &str| Wishes { options: [(k.to_string(), v.to_string())].into(), ..Wishes::default() };
    assert_eq!(
        complaint(Wishes { scenario: Some("1190".into()), ..Wishes::default() }),
        "ten-towns has no scenario `1190`; it has: standard, last-turn"
    );
    assert_eq!(
        complaint(Wishes { seats: Some(Seats::Count(3)), ..Wishes::default() }),
        "ten-towns cannot be played with `3` as its seats; it can with: 2"
    );
    assert_eq!(complaint(option("gild", "5")), "ten-towns has no option `gild`; it has: open-tokens, gold");
    assert_eq!(complaint(option("gold", "6")), "option `gold` cannot be `6`; it can be: 5, 0, 10");
}

#[test]
fn a_store_is_given_what_it_does_not_have() {
    let mut sitting = sit_down(1);
    assert_eq!(sitting.entries_since(0), []);
    act(&mut sitting, RED, "card 3").unwrap();
    assert_eq!(sitting.entries_since(0), [], "what is held is no entry");
    act(&mut sitting, BLUE, "card 1").unwrap();
    let all = sitting.record(false).entries;
    assert!(all.len() >= 2);
    for last in 0..=all.len() {
        assert_eq!(sitting.entries_since(last as u32), all[last..]);
    }
    assert_eq!(sitting.entries_since(u32::MAX), []);
}

/// Who must decide and who has chosen once is for all to know; who thinks again is not.
#[test]
fn who_has_chosen_once_has_chosen_until_all_is_opened() {
    let mut sitting = sit_down(1);
    let both = SeatSet::from(RED).with(BLUE);
    let seen = |s: &Match<TenTowns>| (s.deciding(), s.chosen());
    assert_eq!((seen(&sitting), sitting.waiting_for()), ((both, SeatSet::NONE), both));
    act(&mut sitting, RED, "card 3").unwrap();
    assert_eq!((seen(&sitting), sitting.waiting_for()), ((both, RED.into()), BLUE.into()));
    sitting.undo(RED).unwrap();
    assert_eq!((seen(&sitting), sitting.waiting_for()), ((both, RED.into()), both));
    // The other has chosen as well; still nothing is opened.
    act(&mut sitting, BLUE, "card 1").unwrap();
    assert_eq!((seen(&sitting), sitting.waiting_for()), ((both, both), RED.into()));
    act(&mut sitting, RED, "card 2").unwrap();
    assert_eq!((seen(&sitting), sitting.waiting_for()), ((RED.into(), SeatSet::NONE), RED.into()));
}

/// A wish to take back falls when a seat chooses, which all may know, but not when it chooses again.
#[test]
fn choosing_again_touches_nothing_that_others_see() {
    let mut sitting = sit_down(1);
    for card in ["card 3", "card 1"] {
        let seat = if card == "card 3" { RED } else { BLUE };
        act(&mut sitting, seat, card).unwrap();
    }
    while sitting.waiting_for() != SeatSet::first(2) {
        let seat = sitting.waiting_for().lowest().unwrap();
        let choices = sitting.choices(seat);
        let end = choices.iter().find(|c| ["end", "halt"].contains(&c.notation.as_str()));
        let action = end.or(choices.last()).unwrap().offer.action;
        sitting.act(seat, None, &[action]).unwrap();
    }
    let card = |sitting: &Match<TenTowns>, n: usize| sitting.choices(RED)[n].offer.action;
    let (first, second) = (card(&sitting, 0), card(&sitting, 1));
    sitting.act(RED, None, &[first]).unwrap();
    let to = sitting.before_last_decision(BLUE).unwrap();
    sitting.ask_take_back(BLUE, to).unwrap();
    sitting.undo(RED).unwrap();
    assert_eq!(sitting.act(RED, None, &[second]), Ok(Acted::Held { unplayed: 0 }));
    assert!(sitting.take_back_asked().is_some(), "Blue would learn that Red changed his mind");
}

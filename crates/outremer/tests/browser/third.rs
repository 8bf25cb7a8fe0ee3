//! Third Crusade by the page alone: the guided round from its first click to its end, and a round of four people who
//! each look through a browser of their own.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::games::{asks, plays_its_guided_scenario, who_decides};
use crate::house::{Browser, House};
use crate::staged::found;
use crate::{is_as_fresh, take};

#[tokio::test(flavor = "multi_thread")]
async fn the_guided_round_of_third_crusade() {
    plays_its_guided_scenario("third-crusade", 200).await;
}

/// Takes the first choice of the first of these kinds that the page offers, or whatever it offers first.
async fn take_one_of(browser: &Browser, kinds: &[&str]) -> String {
    let all =
        "return [...document.querySelectorAll('.offers [data-act]')].map((choice) => choice.dataset.act);";
    let all: Vec<String> = serde_json::from_value(browser.run(all).await).unwrap();
    let of_kind = |kind: &&str| all.iter().find(|act| act.starts_with(kind));
    let act = kinds.iter().find_map(of_kind).or(all.first()).unwrap_or_else(|| panic!("nothing is offered"));
    take(browser, act).await;
    act.clone()
}

/// The table as it is sent to somebody.
async fn in_eyes_of(browser: &Browser, table: &str, seat: usize) -> Value {
    serde_json::from_str(&browser.fetched(&format!("/api/tables/{table}?seat={seat}")).await).unwrap()
}

/// The cards in the hand of a seat, by their ids.
fn hand(view: &Value, seat: usize) -> Vec<String> {
    let of_hand = |tray: &&Value| {
        tray["owner"] == json!(seat) && tray["id"].as_str().is_some_and(|id| id.starts_with("hand-"))
    };
    let trays = view["scene"]["trays"].as_array().unwrap().iter().filter(of_hand);
    let cards = trays.flat_map(|tray| tray["pieces"].as_array().unwrap());
    cards.map(|card| card["id"].as_str().unwrap().to_string()).collect()
}

/// The orders on the map by their ids: whose each is, and what it is as far as the view tells.
fn orders(view: &Value) -> BTreeMap<String, (usize, Option<String>)> {
    let boards = view["scene"]["boards"].as_array().unwrap().iter();
    let pieces = boards.flat_map(|board| board["pieces"].as_array().unwrap());
    let laid = pieces.filter(|piece| piece["id"].as_str().unwrap().starts_with("order-"));
    laid.map(|piece| {
        // `Angevin March at Acre`, before what it does.
        let name = || piece["text"].as_str().unwrap().split(':').next().unwrap().to_string();
        let told = (piece["face"] != json!("Hidden")).then(name);
        (piece["id"].as_str().unwrap().to_string(), (piece["owner"].as_u64().unwrap() as usize, told))
    })
    .collect()
}

/// What is asked of somebody, by its rule.
async fn asked(browser: &Browser) -> String {
    browser.text("#f-prompt .rule").await
}

/// Each of the four lays his cards. Until the last has done so nobody is sent a card of another's; then all are open.
async fn lay_in_secret(browsers: &[Browser], table: &str) {
    let mut hands = Vec::new();
    for (seat, browser) in browsers.iter().enumerate() {
        hands.push(hand(&in_eyes_of(browser, table, seat).await, seat));
        assert_eq!(hands[seat].len(), 4, "a hand to lay: {:?}", hands[seat]);
    }
    for (seat, browser) in browsers.iter().enumerate() {
        // The fourth card lays itself.
        for _ in 0..3 {
            assert_eq!(asked(browser).await, "1.1");
            take_one_of(browser, &["lay "]).await;
        }
        if seat == 2 {
            for (looking, other) in browsers.iter().enumerate() {
                let theirs: Vec<String> =
                    (0..4).filter(|s| *s != looking).flat_map(|s| hands[s].clone()).collect();
                let paths: Vec<String> = (0..4).map(|s| format!("/api/tables/{table}?seat={s}")).collect();
                let told = other.spoken_of(&theirs, &paths).await;
                assert_eq!(told, Vec::<String>::new(), "seat {looking} is told of cards");
                let known = other.spoken_of(&hands[looking], &paths[looking..=looking]).await;
                assert!(known.len() >= 4, "the same search finds his own cards: {known:?}");
            }
        }
    }
    for browser in browsers {
        browser.until("document.querySelector('#f-prompt .rule')?.innerText === '1.2'").await;
        let open = browser.spoken_of(&hands.concat(), &[]).await;
        assert!(hands.iter().flatten().all(|card| open.contains(&format!("{card} in page"))), "{open:?}");
    }
}

/// Whoever has orders on the map knows them and his partner does; to the enemy they are backs.
async fn orders_lie_in_secret(browsers: &[Browser], table: &str) {
    let mut views = Vec::new();
    for (seat, browser) in browsers.iter().enumerate() {
        views.push(orders(&in_eyes_of(browser, table, seat).await));
    }
    let names: Vec<(usize, String)> = (views.iter().enumerate())
        .flat_map(|(seat, view)| view.values().filter(move |(owner, _)| *owner == seat))
        .map(|(owner, told)| (*owner, told.clone().unwrap_or_else(|| panic!("{owner} knows his orders"))))
        .collect();
    for seat in 0..4 {
        assert!(names.iter().any(|(owner, _)| *owner == seat), "each has an order on the map: {names:?}");
    }
    for (seat, browser) in browsers.iter().enumerate() {
        assert_eq!(views[seat].len(), names.len(), "everybody sees that orders lie there");
        for (id, (owner, told)) in &views[seat] {
            assert_eq!(
                told.is_some(),
                owner % 2 == seat % 2,
                "{id} of seat {owner} to seat {seat}: {told:?}"
            );
        }
        let of = |side: usize| -> Vec<String> {
            names.iter().filter(|(owner, _)| owner % 2 == side % 2).map(|(_, name)| name.clone()).collect()
        };
        let (ours, theirs) = (of(seat), of(seat + 1));
        let paths: Vec<String> = (0..4)
            .flat_map(|s| [format!("/api/tables/{table}?seat={s}"), format!("/t/{table}?as={s}")])
            .collect();
        let told = browser.spoken_of(&theirs, &paths).await;
        assert_eq!(told, Vec::<String>::new(), "seat {seat} is told of orders that lie face down");
        let known = browser.spoken_of(&ours, &[]).await;
        let in_page = |order: &String| known.contains(&format!("{order} in page"));
        assert!(
            ours.iter().all(in_page),
            "the same search finds what his alliance placed: {ours:?} {known:?}"
        );
    }
}

/// A round of four people, from the laying of cards to the next: each has his say in every phase, and nobody is sent
/// what lies face down.
#[tokio::test(flavor = "multi_thread")]
async fn a_round_of_third_crusade_for_four_people() {
    let house = House::open();
    let begun = found(("third-crusade", "campaign", ""), &|m| m.waiting_for().len() == 4 && asks(m, "1.1"));
    let guests = ["Ada", "Bo", "Cleo", "Dov"].map(|name| house.guest(name));
    let table = house.lay(&*begun, &guests.each_ref()).await;
    let browsers: [Browser; 4] = tokio::join!(
        Browser::open(1440, 900),
        Browser::open(1280, 860),
        Browser::open(1280, 860),
        Browser::open(1100, 800)
    )
    .into();
    for (browser, guest) in browsers.iter().zip(&guests) {
        browser.come_as(guest, &house).await;
        browser.go(&house.address(&format!("/t/{table}"))).await;
        browser.until("document.querySelector('.pane.shown > svg')").await;
    }
    lay_in_secret(&browsers, &table).await;
    // Who has had his say, by the rule of the question.
    let mut said: BTreeMap<String, [u32; 4]> = BTreeMap::new();
    for step in 0.. {
        assert!(step < 120, "a round of four who are in a hurry ends: {said:?}");
        let who = who_decides(&browsers).await.unwrap_or_else(|| panic!("the game goes on after a round"));
        let rule = asked(&browsers[who]).await;
        // An order each, and a second turn to pass.
        let placed = said.get("2.2").map_or(0, |by| by[who]);
        match rule.as_str() {
            "1.1" => break,
            "2.1" if placed == 0 => drop(take_one_of(&browsers[who], &["take "]).await),
            "3.1" if !said.contains_key("3.1") => {
                orders_lie_in_secret(&browsers, &table).await;
                browsers[who].picture("round-of-four-planned").await;
                take_one_of(&browsers[who], &["pass"]).await;
            }
            _ => {
                let hurry = ["pass", "done", "decline", "halt", "assent", "bid 0"];
                take_one_of(&browsers[who], &hurry).await;
            }
        }
        said.entry(rule).or_default()[who] += 1;
    }
    for (rule, what) in [
        ("1.2", "selects a card"),
        ("2.1", "takes an order"),
        ("2.2", "places it"),
        ("3.1", "passes"),
        ("4.1", "bids"),
    ] {
        let by = said.get(rule).copied().unwrap_or_default();
        assert!(by.iter().all(|times| *times > 0), "each of the four {what}: {said:?}");
    }
    for (seat, browser) in browsers.iter().enumerate() {
        let theirs = in_eyes_of(browser, &table, (seat + 1) % 4).await;
        assert_ne!(theirs["seat"], json!((seat + 1) % 4), "nobody looks through another's eyes");
        is_as_fresh(browser).await;
        browser.picture(&format!("round-of-four-{seat}")).await;
        browser.is_sound().await;
    }
}

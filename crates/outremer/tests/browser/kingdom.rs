//! Kingdom of Heaven by the page alone: the guided march from its first click to its end, and a siege with its duel
//! between two people who each look through a browser of their own.

use serde_json::{Value, json};
use table::{AnyMatch, Lots};

use crate::games::{go_on, plays_its_guided_scenario, two_at, who_decides};
use crate::house::Browser;
use crate::house::House;
use crate::staged::found;
use crate::{is_as_fresh, take};

#[tokio::test(flavor = "multi_thread")]
async fn the_guided_march_of_kingdom_of_heaven() {
    plays_its_guided_scenario("kingdom-of-heaven", 160).await;
}

/// The table as somebody is sent it.
async fn in_eyes_of(browser: &Browser, table: &str, seat: usize) -> Value {
    serde_json::from_str(&browser.fetched(&format!("/api/tables/{table}?seat={seat}")).await).unwrap()
}

/// The cards in somebody's own hand, by their ids.
fn hand(view: &Value, seat: usize) -> Vec<String> {
    let trays = view["scene"]["trays"].as_array().unwrap().iter();
    let own = trays.filter(|tray| tray["owner"] == json!(seat) && tray["spread"] == json!(true));
    let cards = own.flat_map(|tray| tray["pieces"].as_array().unwrap());
    cards.map(|card| card["id"].as_str().unwrap().to_string()).collect()
}

/// The first of the choices on the page that begins so.
async fn offered(browser: &Browser, begins: &str) -> Option<String> {
    let all =
        "return [...document.querySelectorAll('.offers [data-act]')].map((choice) => choice.dataset.act);";
    let all: Vec<String> = serde_json::from_value(browser.run(all).await).unwrap();
    all.into_iter().find(|act| act.starts_with(begins))
}

/// Whether whoever must decide has an event for a siege, and the other a hand to answer with.
fn can_begin(sitting: &dyn AnyMatch) -> bool {
    sitting.waiting_for().iter().any(|seat| {
        let events = sitting.offered(seat);
        events.iter().any(|offer| offer.notation.as_str().starts_with("siege "))
    })
}

/// A siege between two people: an event is played, the other is asked whether he answers it, both see the stage with
/// its walls and neither the other's hand.
#[tokio::test(flavor = "multi_thread")]
async fn a_siege_with_a_duel_between_two_people() {
    let house = House::open();
    let siege = found(("kingdom-of-heaven", "acre", ""), &can_begin);
    let (browsers, table) = two_at(&house, &*siege, [(1440, 900), (1100, 800)]).await;
    let mut hands = Vec::new();
    for (seat, browser) in browsers.iter().enumerate() {
        hands.push(hand(&in_eyes_of(browser, &table, seat).await, seat));
    }
    assert!(!hands.concat().is_empty(), "somebody holds cards");

    let first = who_decides(&browsers).await.unwrap();
    let event = offered(&browsers[first], "siege ").await.unwrap();
    take(&browsers[first], &event).await;
    // Words of the duel are for both: who is asked answers, and it goes on until the stage is left.
    let (mut asked, mut staged, mut lots) = ([0, 0], false, Lots::new(2));
    for _ in 0..24 {
        let Some(who) = who_decides(&browsers).await else { break };
        let rule = browsers[who].text("#f-prompt .rule").await;
        if rule == "8.4" {
            break;
        }
        asked[who] += 1;
        if !staged && browsers[who].count(".board [data-id='stage-walls']").await > 0 {
            staged = true;
            for (seat, browser) in browsers.iter().enumerate() {
                browser.until("document.querySelector(\".board [data-id='stage-walls']\")").await;
                browser.picture(&format!("duel-{seat}")).await;
            }
        }
        match offered(&browsers[who], "respond ").await {
            Some(answer) => take(&browsers[who], &answer).await,
            None => drop(go_on(&browsers[who], &mut lots).await),
        }
    }
    assert!(staged, "the siege has a stage");
    assert!(asked.iter().sum::<i32>() > 0, "the duel asks for something: {asked:?}");

    for (seat, browser) in browsers.iter().enumerate() {
        let mine = in_eyes_of(browser, &table, seat).await;
        let theirs = in_eyes_of(browser, &table, 1 - seat).await;
        assert_ne!(theirs["seat"], json!(1 - seat), "nobody looks through the other’s eyes");
        let own = hand(&mine, seat);
        let others = hand(&in_eyes_of(&browsers[1 - seat], &table, 1 - seat).await, 1 - seat);
        let paths: Vec<String> = (0..2).map(|s| format!("/api/tables/{table}?seat={s}")).collect();
        let told = browser.spoken_of(&others, &paths).await;
        assert_eq!(told, Vec::<String>::new(), "seat {seat} is told of the other’s cards");
        let known = browser.spoken_of(&own, &[]).await;
        assert!(own.iter().all(|card| known.contains(&format!("{card} in page"))), "{own:?} {known:?}");
        is_as_fresh(browser).await;
        browser.is_sound().await;
    }
}

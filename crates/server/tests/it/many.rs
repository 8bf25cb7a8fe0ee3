//! Many at a table: parties, seats that nobody plays, who joins late, windows at an even pace, take-backs.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use serde_json::{Value, json};
use server::{App, Conduct, Settings, Sqlite};

use crate::common::{Caller, fresh, games, settings};

/// A house whose windows and take-backs wait for so long.
fn paced(pace: Duration) -> Router {
    let conduct = Conduct { window_pace: pace, take_back_patience: pace, ..settings().conduct };
    let store = Arc::new(Sqlite::in_memory().unwrap());
    server::app(App::new(games(), store, Settings { conduct, ..settings() }))
}

/// Opens a table of Four Keeps with these seats and makes everybody ready.
async fn table_of(host: &Caller, seats: Value) -> String {
    let wish = json!({ "game": "four-keeps", "seats": seats });
    host.done("/api/tables", wish).await["id"].as_str().unwrap().to_string()
}

async fn act(who: &Caller, table: &str, seat: u8, actions: &[&str]) -> Value {
    who.done(&format!("/api/tables/{table}/act"), json!({ "seat": seat, "actions": actions })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_that_nobody_plays_keeps_its_number() {
    let app = fresh();
    let host = Caller::new(&app, "Ann").await;
    let table = table_of(&host, json!(["nobody", "nobody", "me", "bot:random"])).await;
    host.ready(&table, 2).await;
    let view = host.view(&table, 2).await;
    let kinds: Vec<_> = view["seats"].as_array().unwrap().iter().map(|s| s["kind"].clone()).collect();
    assert_eq!(kinds[..4], [json!("nobody"), json!("nobody"), json!("person"), json!("bot")]);
    act(&host, &table, 2, &["bid 1"]).await;
    let wish = json!({ "game": "four-keeps", "seats": ["me", "nobody", "nobody", "bot:random"] });
    let (status, answer) = host.post("/api/tables", wish).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "no party has the first and the fourth: {answer}");
    assert!(answer["message"].as_str().unwrap().contains("`Alard, Daud`"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_joins_a_game_under_way() {
    let app = fresh();
    let (host, late) = (Caller::new(&app, "Ann").await, Caller::new(&app, "Bea").await);
    let table = table_of(&host, json!(["me", "me"])).await;
    host.ready(&table, 0).await;
    host.ready(&table, 1).await;
    let join = format!("/api/tables/{table}/join");
    let (status, _) = late.post(&join, json!({ "seat": 0 })).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "a taken seat cannot be taken");
    late.done(&join, json!({ "seat": 2 })).await;
    let view = late.view(&table, 2).await;
    assert_eq!(view["seats"][2]["own"], true);
    assert!(view["journal"].to_string().contains("Conan joins the game"), "{}", view["journal"]);
    act(&late, &table, 2, &["bid 2"]).await;
}

/// Plays until somebody is asked in a window: who, and whose seat it is.
async fn window(people: &[&Caller; 2], table: &str) -> usize {
    for _ in 0..400 {
        for (seat, who) in people.iter().enumerate() {
            let view = who.view(table, seat as u8).await;
            let Some(offer) = view["offered"].as_array().and_then(|o| o.last()) else { continue };
            let words: Vec<_> =
                view["offered"].as_array().unwrap().iter().map(|o| o["notation"].as_str().unwrap()).collect();
            if words.contains(&"pass") {
                return seat;
            }
            // Both march to the middle until they meet.
            let towards = if seat == 0 { ["go SE", "go SW"] } else { ["go NW", "go NE"] };
            let wish = towards
                .into_iter()
                .find(|w| words.contains(w))
                .or(words.contains(&"guard").then_some("guard"));
            let action = wish.unwrap_or(offer["notation"].as_str().unwrap()).to_string();
            act(who, table, seat as u8, &[&action]).await;
        }
    }
    panic!("nobody was asked for a ward: {}", people[0].view(table, 0).await["journal"])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_is_opened_when_its_time_has_come_and_not_before() {
    let pace = Duration::from_millis(700);
    let app = paced(pace);
    let (ann, bea) = (Caller::new(&app, "Ann").await, Caller::new(&app, "Bea").await);
    let table = table_of(&ann, json!(["me", "open"])).await;
    bea.done(&format!("/api/tables/{table}/join"), json!({ "seat": 1 })).await;
    ann.ready(&table, 0).await;
    bea.ready(&table, 1).await;
    let people = [&ann, &bea];
    let asked = window(&people, &table).await;
    let (who, other) = (people[asked], people[1 - asked]);
    let before = other.view(&table, 1 - asked as u8).await;
    let done = act(who, &table, asked as u8, &["pass"]).await;
    assert_eq!(done["what"], "held");
    assert_eq!(
        other.view(&table, 1 - asked as u8).await,
        before,
        "the other cannot tell that it was answered"
    );
    tokio::time::sleep(pace + Duration::from_millis(500)).await;
    let after = other.view(&table, 1 - asked as u8).await;
    assert!(after["journal"].to_string().contains("shows no ward"), "now it is told");
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_is_consent_to_a_take_back() {
    let app = paced(Duration::from_millis(300));
    let (ann, bea) = (Caller::new(&app, "Ann").await, Caller::new(&app, "Bea").await);
    let table = table_of(&ann, json!(["me", "open"])).await;
    bea.done(&format!("/api/tables/{table}/join"), json!({ "seat": 1 })).await;
    ann.ready(&table, 0).await;
    bea.ready(&table, 1).await;
    act(&ann, &table, 0, &["bid 5"]).await;
    act(&bea, &table, 1, &["bid 0"]).await;
    act(&ann, &table, 0, &["halt"]).await;
    ann.done(&format!("/api/tables/{table}/ask"), json!({ "seat": 0, "ask": "take-back" })).await;
    assert_eq!(bea.view(&table, 1).await["asked_back"]["answer"], true);
    tokio::time::sleep(Duration::from_millis(900)).await;
    let view = ann.view(&table, 0).await;
    assert!(view["asked_back"].is_null() && view["offered"].to_string().contains("halt"), "{view}");
}

#[tokio::test(flavor = "multi_thread")]
async fn reach_is_told_to_whoever_holds_the_seat() {
    let app = fresh();
    let (ann, eve) = (Caller::new(&app, "Ann").await, Caller::new(&app, "Eve").await);
    let table = table_of(&ann, json!(["me", "me"])).await;
    ann.ready(&table, 0).await;
    ann.ready(&table, 1).await;
    act(&ann, &table, 0, &["bid 5"]).await;
    act(&ann, &table, 1, &["bid 0"]).await;
    let address = format!("/api/tables/{table}/reach");
    let wish = json!({ "seat": 0, "picked": ["captain-0"], "to": "hex-0--1" });
    let answer = ann.done(&address, wish.clone()).await;
    assert!(answer["reach"].as_array().unwrap().len() > 5, "{answer}");
    let route: Vec<_> = answer["route"].as_array().unwrap().iter().map(|a| a.as_str().unwrap()).collect();
    assert_eq!(route.len(), 3, "two hexes and a halt: {route:?}");
    let done = act(&ann, &table, 0, &route).await;
    assert_eq!((done["what"].clone(), done["unplayed"].clone()), (json!("committed"), json!(0)));
    let (status, _) = eve.post(&address, wish).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (status, _) = ann.post(&address, json!({ "seat": 1, "picked": [] })).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let nothing = ann.done(&address, json!({ "seat": 1, "picked": ["nonsense"] })).await;
    assert_eq!(nothing["reach"], json!([]));
}

/// Ann and Bea, enemies, at a table of Four Keeps that others may still join.
async fn enemies(app: &Router) -> (Caller, Caller, String) {
    let (ann, bea) = (Caller::new(app, "Ann").await, Caller::new(app, "Bea").await);
    let table = table_of(&ann, json!(["me", "open"])).await;
    bea.done(&format!("/api/tables/{table}/join"), json!({ "seat": 1 })).await;
    ann.ready(&table, 0).await;
    bea.ready(&table, 1).await;
    (ann, bea, table)
}

#[tokio::test(flavor = "multi_thread")]
async fn words_to_allies_are_not_for_who_sits_down_later() {
    let app = fresh();
    let (ann, bea, table) = enemies(&app).await;
    let say = format!("/api/tables/{table}/say");
    ann.done(&say, json!({ "seat": 0, "allies": true, "text": "we strike at dawn" })).await;
    let join = format!("/api/tables/{table}/join");
    let (status, answer) = bea.post(&join, json!({ "seat": 2 })).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "an enemy does not become an ally too: {answer}");
    let eve = Caller::new(&app, "Eve").await;
    eve.done(&join, json!({ "seat": 2 })).await;
    assert!(!eve.view(&table, 2).await["chat"].to_string().contains("dawn"), "it was said before she came");
    ann.done(&say, json!({ "seat": 0, "allies": true, "text": "and at dusk" })).await;
    assert!(eve.view(&table, 2).await["chat"].to_string().contains("dusk"), "now she is an ally");
    assert!(!bea.view(&table, 1).await["chat"].to_string().contains("dusk"));
    let (status, _) = bea.post(&say, json!({ "seat": 0, "allies": true, "text": "I am Ann" })).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "nobody speaks from another's seat");
    // Before a game seats change hands: nothing can be said in private.
    let gathering = table_of(&ann, json!(["me", "open", "open", "open"])).await;
    let (status, _) =
        ann.post(&format!("/api/tables/{gathering}/say"), json!({ "allies": true, "text": "psst" })).await;
    assert_eq!(status, StatusCode::CONFLICT);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offered_draw_ends_with_the_others_move() {
    let app = fresh();
    let (ann, bea, table) = enemies(&app).await;
    let time = format!("/api/tables/{table}/time");
    act(&ann, &table, 0, &["bid 5"]).await;
    act(&bea, &table, 1, &["bid 0"]).await;
    ann.done(&time, json!({ "seat": 0, "ask": "offer-draw" })).await;
    act(&ann, &table, 0, &["halt"]).await;
    act(&bea, &table, 1, &["halt"]).await;
    let (status, answer) = bea.post(&time, json!({ "seat": 1, "ask": "agree-draw" })).await;
    assert_eq!(status, StatusCode::CONFLICT, "she has played on: {answer}");
    ann.done(&time, json!({ "seat": 0, "ask": "offer-draw" })).await;
    bea.done(&time, json!({ "seat": 1, "ask": "agree-draw" })).await;
    assert_eq!(bea.view(&table, 1).await["stage"], "over");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_takes_his_orders_along() {
    let app = fresh();
    let (ann, bea, table) = enemies(&app).await;
    let eve = Caller::new(&app, "Eve").await;
    eve.done(&format!("/api/tables/{table}/join"), json!({ "seat": 2 })).await;
    let orders = json!({ "seat": 0, "ask": "orders", "orders": ["stand"] });
    ann.done(&format!("/api/tables/{table}/ask"), orders).await;
    let many = json!({ "seat": 0, "ask": "orders", "orders": vec!["stand"; 101] });
    let (status, _) = ann.post(&format!("/api/tables/{table}/ask"), many).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    ann.done(&format!("/api/tables/{table}/time"), json!({ "seat": 0, "ask": "resign" })).await;
    let view = eve.view(&table, 2).await;
    assert_eq!(view["seats"][0]["kind"], "bot", "her partner plays on beside a bot");
    act(&bea, &table, 1, &["bid 0"]).await;
    act(&eve, &table, 2, &["bid 0"]).await;
    // Of equal bids the first seat's counts more: the bot marches first.
    for _ in 0..100 {
        let seats = eve.view(&table, 2).await["seats"].clone();
        if seats[1]["waiting"] == true || seats[2]["waiting"] == true {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bea.done(&format!("/api/tables/{table}/time"), json!({ "seat": 1, "ask": "resign" })).await;
    let (status, record) = eve.text(&format!("/t/{table}/record")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(record.contains("Alard: "), "the bot has marched: {record}");
    assert!(!record.contains("Alard (order)"), "and has no orders: {record}");
}

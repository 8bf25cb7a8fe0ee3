//! Hints are given where the table allows them, to who holds the seat and must decide; turning points when
//! all is over.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::sync::Arc;
use std::time::Duration;

use crate::common::{Caller, fresh, games, settings, two_at};
use axum::http::StatusCode;
use serde_json::{Value, json};
use server::{App, Conduct, Settings, Sqlite};

#[tokio::test(flavor = "multi_thread")]
async fn hints_only_where_they_are_allowed() {
    let app = fresh();
    let (one, two, table) = two_at(&app, "tic-tac-toe").await;
    let (status, answer) = one.post(&format!("/api/tables/{table}/hint"), json!({ "seat": 0 })).await;
    assert_eq!(status, StatusCode::CONFLICT, "two people play without hints: {answer}");

    let wish = json!({ "game": "tic-tac-toe", "seats": ["me", "bot:random"], "hints": true });
    let table = one.done("/api/tables", wish).await["id"].as_str().unwrap().to_string();
    one.ready(&table, 0).await;
    let address = format!("/api/tables/{table}/hint");
    let view = one.view(&table, 0).await;
    assert_eq!(view["hints"], true, "everybody sees that hints are allowed");
    let hint = one.done(&address, json!({ "seat": 0 })).await;
    assert_eq!(hint["number"], view["number"]);
    let offered: Vec<_> = view["offered"].as_array().unwrap().iter().map(|o| &o["notation"]).collect();
    let choices = hint["choices"].as_array().unwrap();
    assert!(!choices.is_empty() && choices.iter().all(|c| offered.contains(&&c["notation"])), "{hint}");
    for (who, seat) in [(&one, 1), (&two, 0)] {
        let (status, _) = who.post(&address, json!({ "seat": seat })).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "a hint is for who holds the seat");
    }
    let stranger = Caller::new(&app, "Eve").await;
    let (status, _) = stranger.text(&format!("/api/tables/{table}/turnings?seat=0")).await;
    assert_eq!(status, StatusCode::CONFLICT, "turning points are told when the game is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_play_at_the_tempo_of_their_table() {
    // Who waits for the server's pause here waits for ever.
    let conduct = Conduct { bot_pause: Duration::from_secs(600), ..settings().conduct };
    let store = Arc::new(Sqlite::in_memory().unwrap());
    let app = server::app(App::new(games(), store, Settings { conduct, ..settings() }));
    let one = Caller::new(&app, "Anna").await;
    let wish = |tempo: &str| json!({ "game": "tic-tac-toe", "seats": ["bot:random", "me"], "tempo": tempo });
    let (status, answer) = one.post("/api/tables", wish("hasty")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(answer.to_string().contains("at-once"), "says what there is: {answer}");
    for (tempo, plays) in [("at-once", true), ("steady", false), ("leisurely", false)] {
        let table = one.done("/api/tables", wish(tempo)).await["id"].as_str().unwrap().to_string();
        one.ready(&table, 1).await;
        let mut moved = false;
        for _ in 0..if plays { 200 } else { 5 } {
            moved = !one.view(&table, 1).await["offered"].as_array().unwrap().is_empty();
            if moved {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(moved, plays, "{tempo}");
    }
}

/// What is told of the turning points of a game against a bot that does anything.
async fn told_after_a_game(one: &Caller) -> Value {
    let wish = json!({ "game": "connect-four", "seats": ["me", "bot:random"] });
    let table = one.done("/api/tables", wish).await["id"].as_str().unwrap().to_string();
    one.ready(&table, 0).await;
    for _ in 0..2000 {
        let view = one.view(&table, 0).await;
        if view["stage"] == "over" {
            break;
        }
        match view["offered"].as_array().and_then(|offers| offers.first()) {
            Some(offer) => {
                let act = json!({ "seat": 0, "actions": [offer["notation"]] });
                one.done(&format!("/api/tables/{table}/act"), act).await;
            }
            None => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
    one.get(&format!("/api/tables/{table}/turnings?seat=0")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_tell_afterwards_what_they_thought() {
    let app = fresh();
    let one = Caller::new(&app, "Anna").await;
    // The bot plays by lot: not in every game is a choice of its own at a turning point.
    for _ in 0..20 {
        let told = told_after_a_game(&one).await;
        let turnings = told["turnings"].as_array().unwrap();
        let thoughts: Vec<_> = turnings.iter().flat_map(|t| t["thoughts"].as_array().unwrap()).collect();
        for thought in &thoughts {
            let text = thought.as_str().unwrap();
            assert!(text.starts_with("Yellow gave itself "), "only the bot tells: {text}");
            assert!(text.contains("“Drop into column "), "{text}");
        }
        if !thoughts.is_empty() {
            return;
        }
    }
    panic!("the bot had nothing to tell after twenty games");
}

//! Hints are given where the table allows them, to who holds the seat and must decide; turning points when
//! all is over.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::common::{Caller, fresh, two_at};
use axum::http::StatusCode;
use serde_json::json;

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

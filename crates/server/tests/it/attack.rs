//! What was tried against the server and once succeeded: machines kept busy, tables held up, sessions that outlive
//! a password, words without end.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::{Caller, fresh, settings, two_at};
use axum::Router;
use axum::http::StatusCode;
use serde_json::json;
use server::{App, Limits, Settings, Sqlite};

fn limited(limits: Limits) -> (App, Router) {
    let settings = Settings { limits, ..settings() };
    let app = App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), settings);
    (app.clone(), server::app(app))
}

/// How many bots think at once at most, within so many hundredths of a second.
async fn most_thinking(app: &App, hundredths: u32) -> u64 {
    let mut most = 0;
    for _ in 0..hundredths {
        most = most.max(app.tables().metrics().thinking.get());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    most
}

/// Guests cost nothing, so many of them have many bots that think hard.
#[tokio::test(flavor = "multi_thread")]
async fn bots_think_a_few_at_a_time() {
    let (app, router) = limited(settings().limits);
    for i in 0..6 {
        let one = Caller::new(&router, &format!("Guest {i}")).await;
        for _ in 0..4 {
            one.open("connect-four", &["bot:captain", "bot:captain"]).await;
        }
    }
    let most = most_thinking(&app, 60).await;
    let places = std::thread::available_parallelism().unwrap().get() as u64;
    assert!((1..=places).contains(&most), "{most} bots think at once on {places} processors");
}

/// Whatever else happens at a table, its bot thinks once about a decision.
#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_thinks_is_not_woken_again() {
    let (app, router) = limited(settings().limits);
    let one = Caller::new(&router, "Ada").await;
    let table = one.open("connect-four", &["bot:captain", "me"]).await;
    one.ready(&table, 1).await;
    for _ in 0..12 {
        assert_eq!(one.post(&format!("/api/tables/{table}/invite/1"), json!({})).await.0, StatusCode::OK);
    }
    assert_eq!(most_thinking(&app, 30).await, 1);
}

/// An onlooker who looks back again and again keeps nobody from playing.
#[tokio::test(flavor = "multi_thread")]
async fn looking_back_holds_nobody_up() {
    let (_, router) = limited(settings().limits);
    let (one, _, table) = two_at(&router, "connect-four").await;
    let offered = one.view(&table, 0).await["offered"][0]["notation"].as_str().unwrap().to_string();
    one.done(&format!("/api/tables/{table}/act"), json!({ "seat": 0, "actions": [offered] })).await;
    let looked = Arc::new(AtomicUsize::new(0));
    let all = 400;
    let looks: Vec<_> = (0..all)
        .map(|_| {
            let (who, path) =
                (Caller { app: router.clone(), token: String::new() }, format!("/t/{table}/moment"));
            let looked = looked.clone();
            tokio::spawn(async move {
                who.text(&path).await;
                looked.fetch_add(1, Ordering::SeqCst);
            })
        })
        .collect();
    while looked.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    one.view(&table, 0).await;
    let before = looked.load(Ordering::SeqCst);
    assert!(before < all / 2, "{before} of {all} looks back came before the player");
    for look in looks {
        look.await.unwrap();
    }
}

/// Comparing passwords takes long, also where they are asked for by the way, and also if they are right.
#[tokio::test]
async fn right_passwords_keep_nobody_from_logging_in() {
    let (_, router) = limited(Limits { rate: 40, ..settings().limits });
    let one = Caller::new(&router, "Ada").await;
    let account = json!({ "name": "Ada", "password": "hospitaller" });
    assert_eq!(one.send("PUT", "/api/me/account", account).await.0, StatusCode::OK);
    let mut answers = Vec::new();
    for i in 0..20 {
        let wish = json!({ "mail": format!("a{i}@example.org"), "password": "hospitaller" });
        answers.push(one.send("PUT", "/api/me/tidings", wish).await.0);
    }
    let asked = answers.iter().filter(|s| **s != StatusCode::TOO_MANY_REQUESTS).count();
    assert!(asked <= 11, "{asked} passwords were compared: {answers:?}");
}

/// Whoever changes his password because somebody else is in is rid of him.
#[tokio::test]
async fn a_new_password_ends_all_other_sessions() {
    let router = fresh();
    let one = Caller::new(&router, "Ada").await;
    let account = |body| one.send("PUT", "/api/me/account", body);
    assert_eq!(account(json!({ "name": "Ada", "password": "hospitaller" })).await.0, StatusCode::OK);
    let login = json!({ "name": "Ada", "password": "hospitaller" });
    let token = one.done("/api/login", login).await["token"].as_str().unwrap().to_string();
    let thief = Caller { app: router.clone(), token };
    assert_eq!(account(json!({ "name": "Adela", "old": "hospitaller" })).await.0, StatusCode::OK);
    assert_eq!(thief.text("/api/me").await.0, StatusCode::OK, "a name is no password");
    let change = json!({ "name": "Ada", "old": "hospitaller", "password": "templar-templar" });
    assert_eq!(account(change).await.0, StatusCode::OK);
    assert_eq!(thief.text("/api/me").await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(one.text("/api/me").await.0, StatusCode::OK);
}

/// A new guest has a new tongue, and still not one without end.
#[tokio::test]
async fn a_crowd_of_guests_does_not_talk_a_table_to_death() {
    let (_, router) = limited(Limits { words: 8, ..settings().limits });
    let table = Caller::new(&router, "Ada").await.open("tic-tac-toe", &["me", "open"]).await;
    let mut said = 0;
    for i in 0..20 {
        let one = Caller::new(&router, &format!("Guest {i}")).await;
        for _ in 0..4 {
            let (status, _) =
                one.post(&format!("/api/tables/{table}/say"), json!({ "text": "Deus vult" })).await;
            said += u32::from(status == StatusCode::OK);
        }
    }
    assert!((4..=17).contains(&said), "{said} words of 80");
}

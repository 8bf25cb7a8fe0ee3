//! Whatever is thrown at the doors, the server answers with an error that says what is wrong, or does what was
//! asked; it never breaks, and never answers with a failure of its own.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::sync::Arc;
use std::time::Duration;

use crate::common::{fresh, raw, two_at};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::{SinkExt, StreamExt};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use server::{App, Sqlite};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Bytes, Message};

/// The doors that take JSON; `T` stands for a table.
const DOORS: &[(&str, &str)] = &[
    ("POST", "/api/guests"),
    ("POST", "/api/tables"),
    ("POST", "/api/tables/T/join"),
    ("POST", "/api/tables/T/ready"),
    ("POST", "/api/tables/T/act"),
    ("POST", "/api/tables/T/ask"),
    ("POST", "/api/tables/T/time"),
    ("POST", "/api/tables/T/say"),
    ("PUT", "/api/tables/T/notes"),
    ("PUT", "/api/me/tidings"),
    ("POST", "/api/me/push"),
    ("DELETE", "/api/me/push"),
];

/// Fields that some door knows, so that what is thrown gets past the first check now and then.
const FIELDS: &[&str] = &[
    "name", "game", "scenario", "options", "seats", "listed", "clock", "seat", "link", "nonce", "number",
    "actions", "amount", "key", "ask", "orders", "to", "seconds", "level", "text", "allies", "webhook",
    "mail", "endpoint", "p256dh", "auth", "bank", "each",
];
const WORDS: &[&str] = &[
    "me",
    "open",
    "invite",
    "bot:random",
    "connect-four",
    "ten-towns",
    "undo",
    "commit",
    "take-back",
    "agree",
    "orders",
    "claim",
    "grant",
    "sit-in",
    "return",
    "card 1",
    "random",
    "ff",
    "http://127.0.0.1/",
    "",
];

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0i64..10).prop_map(Value::from),
        any::<f64>().prop_map(|f| json!(f)),
        any::<String>().prop_map(Value::from),
        prop::sample::select(WORDS).prop_map(Value::from),
    ]
}

fn anything() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(FIELDS), inner, 0..6)
                .prop_map(|m| Value::Object(m.into_iter().map(|(k, v)| (k.to_string(), v)).collect())),
        ]
    })
}

fn bodies() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..200),
        4 => anything().prop_map(|v| v.to_string().into_bytes()),
    ]
}

async fn knock(app: &Router, token: &str, method: &str, path: &str, body: Vec<u8>) -> (StatusCode, String) {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .body(Body::from(body))
        .unwrap();
    raw(app, request).await
}

#[test]
fn doors_take_anything() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (app, one, table) = runtime.block_on(async {
        let app = fresh();
        let (one, _two, table) = two_at(&app, "ten-towns").await;
        (app, one, table)
    });
    let mut runner = TestRunner::new(Config { cases: 1500, failure_persistence: None, ..Config::default() });
    let mut met = std::collections::BTreeSet::new();
    let seen = std::cell::RefCell::new(&mut met);
    runner
        .run(&(prop::sample::select(DOORS), bodies()), |((method, path), body)| {
            let path = path.replace('T', &table);
            let (status, text) = runtime.block_on(knock(&app, &one.token, method, &path, body));
            seen.borrow_mut().insert(status.as_u16());
            prop_assert!(!status.is_server_error(), "{path}: {status} {text}");
            if !status.is_success() {
                let trouble: Value = serde_json::from_str(&text).map_err(|e| {
                    TestCaseError::fail(format!("{path}: an error that is no JSON: {text} ({e})"))
                })?;
                prop_assert!(trouble["message"].as_str().is_some_and(|m| !m.is_empty()), "{trouble}");
            }
            Ok(())
        })
        .unwrap();
    assert!(met.contains(&200) && met.contains(&400), "both kinds of answers were met: {met:?}");
    // The table stands, and play goes on.
    runtime.block_on(async {
        let view = one.view(&table, 0).await;
        assert!(view["frozen"].is_null(), "{view}");
        assert_ne!(view["offered"], json!([]));
    });
}

/// Paths, queries and cookies are taken apart too.
#[test]
fn addresses_take_anything() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (app, table) = runtime.block_on(async {
        let app = fresh();
        let (_, _, table) = two_at(&app, "ten-towns").await;
        (app, table)
    });
    let piece = prop_oneof![Just(table.clone()), "[a-z0-9%._~-]{0,20}", Just("%00".to_string())];
    let paths = (
        prop::sample::select(vec!["/t/", "/api/tables/", "/g/", "/rules/", "/static/", "/you/mail/"]),
        prop::collection::vec(piece, 1..4),
        "[a-z0-9=&%+-]{0,30}",
        "[ -~]{0,40}",
    );
    let mut runner = TestRunner::new(Config { cases: 800, failure_persistence: None, ..Config::default() });
    runner
        .run(&paths, |(start, pieces, query, cookie)| {
            let path = format!("{start}{}?{query}", pieces.join("/"));
            let Ok(request) = Request::get(&path).header("cookie", cookie).body(Body::empty()) else {
                return Ok(());
            };
            // A stream has no end; it is enough that it begins.
            if path.contains("/stream") {
                return Ok(());
            }
            let (status, text) = runtime.block_on(raw(&app, request));
            prop_assert!(!status.is_server_error(), "{path}: {status} {text}");
            Ok(())
        })
        .unwrap();
}

/// A socket that is sent rubbish closes or goes on; others at the table notice nothing.
#[tokio::test(flavor = "multi_thread")]
async fn sockets_take_anything() {
    let app =
        App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), crate::common::settings());
    let router = server::app(app.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(server::serve(listener, app, std::future::pending()));
    let (one, _two, table) = two_at(&router, "ten-towns").await;
    let connect = async || {
        let mut request = format!("ws://{address}/t/{table}/socket").into_client_request().unwrap();
        request.headers_mut().insert("authorization", format!("Bearer {}", one.token).parse().unwrap());
        connect_async(request).await.unwrap().0
    };
    let mut good = connect().await;
    good.send(Message::text("{\"seat\":0}")).await.unwrap();
    assert!(good.next().await.unwrap().unwrap().is_text());
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let messages = prop::collection::vec(
        prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300).prop_map(|b| Message::Binary(Bytes::from(b))),
            any::<String>().prop_map(Message::text),
            anything().prop_map(|v| Message::text(v.to_string())),
            Just(Message::text("{\"seat\":7,\"theme\":\"dark\",\"tags\":{\"f-title\":\"x\"}}")),
            Just(Message::text("{\"seat\":300}")),
            Just(Message::Ping(Bytes::new())),
            Just(Message::text("x".repeat(100_000))),
        ],
        1..4,
    );
    for _ in 0..60 {
        let list = messages.new_tree(&mut runner).unwrap().current();
        let mut socket = connect().await;
        for message in list {
            // The other side may have hung up already.
            if socket.send(message).await.is_err() {
                break;
            }
        }
        let _ = tokio::time::timeout(Duration::from_millis(5), socket.next()).await;
    }
    // The table and its socket are as they were.
    assert_eq!(one.view(&table, 0).await["frozen"], Value::Null);
    one.done(&format!("/api/tables/{table}/act"), json!({ "seat": 0, "actions": ["card 3"] })).await;
    let news = tokio::time::timeout(Duration::from_secs(5), good.next()).await.unwrap().unwrap().unwrap();
    assert!(news.is_text());
}

//! The web socket: what changed and nothing else, no trace of a draft, and resumption after a drop.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::sync::Arc;
use std::time::Duration;

use crate::common::{Caller, two_at};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use server::{App, Sqlite};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn connect(address: &str, who: &Caller, table: &str, seat: u8, hello: Value) -> Socket {
    let mut request = format!("ws://{address}/t/{table}/socket").into_client_request().unwrap();
    let token = format!("Bearer {}", who.token).parse().unwrap();
    request.headers_mut().insert("authorization", token);
    let (mut socket, _) = connect_async(request).await.unwrap();
    let mut hello = hello;
    hello["seat"] = seat.into();
    socket.send(Message::text(hello.to_string())).await.unwrap();
    socket
}

/// The next news, if there is any within a while.
async fn news(socket: &mut Socket, wait: u64) -> Option<Value> {
    loop {
        let message = tokio::time::timeout(Duration::from_millis(wait), socket.next()).await.ok()??.ok()?;
        if let Message::Text(text) = message {
            let value: Value = serde_json::from_str(&text).unwrap();
            if value.get("beat").is_none() {
                return Some(value);
            }
        }
    }
}

/// All news until there is silence.
async fn all_news(socket: &mut Socket) -> Vec<Value> {
    let mut all = Vec::new();
    while let Some(value) = news(socket, 400).await {
        all.push(value);
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_leaves_no_trace_and_a_drop_is_mended() {
    let app =
        App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), crate::common::settings());
    let router = server::app(app.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let served = tokio::spawn(server::serve(listener, app, async { drop(stopped.await) }));

    let (one, two, table) = two_at(&router, "ten-towns").await;
    let people = [&one, &two];
    // Both play a card of 3 and 1, so that Red moves first.
    for (seat, card) in [(0u8, "card 3"), (1, "card 1")] {
        let act = json!({ "seat": seat, "actions": [card] });
        people[usize::from(seat)].done(&format!("/api/tables/{table}/act"), act).await;
    }
    let mut red = connect(&address, &one, &table, 0, json!({})).await;
    let mut blue = connect(&address, &two, &table, 1, json!({})).await;
    let whole = all_news(&mut blue).await;
    assert!(whole[0]["boards"][0]["svg"].as_str().unwrap().contains("<svg"), "first the whole");
    all_news(&mut red).await;

    for word in ["group", "go"] {
        let view = one.view(&table, 0).await;
        let offered = view["offered"].as_array().unwrap();
        let option = offered.iter().position(|o| o["notation"].as_str().unwrap().starts_with(word)).unwrap();
        let (_, done) = one.act(&table, 0, &view, option).await;
        assert_eq!(done["what"], "drafted", "{done}");
    }
    assert!(!all_news(&mut red).await.is_empty(), "Red sees the own draft");
    assert_eq!(all_news(&mut blue).await, Vec::<Value>::new(), "Blue sees nothing of it");

    // Red goes on to the end of the moves; then Blue hears of it, in little.
    for _ in 0..20 {
        let view = one.view(&table, 0).await;
        let offered = view["offered"].as_array().unwrap();
        let end = offered.iter().position(|o| ["end", "halt"].contains(&o["notation"].as_str().unwrap()));
        let (_, done) = one.act(&table, 0, &view, end.unwrap_or(0)).await;
        if done["what"] == "committed" {
            break;
        }
    }
    let after = all_news(&mut blue).await;
    assert!(!after.is_empty());
    let bytes: usize = after.iter().map(|n| n.to_string().len()).sum();
    assert!(bytes < 15 << 10, "an update of {bytes} bytes");
    assert!(after.iter().flat_map(|n| n["boards"].as_array().unwrap()).all(|b| b.get("svg").is_none()));

    // Blue's line drops; with the tags of the page it gets nothing that it has.
    drop(blue);
    let (_, page) = two.text(&format!("/t/{table}?as=1")).await;
    let mut tags = serde_json::Map::new();
    for piece in page.split("<div id=\"f-").skip(1) {
        let id = piece.split('"').next().unwrap();
        let tag = piece.split("data-tag=\"").nth(1).unwrap().split('"').next().unwrap();
        tags.insert(format!("f-{id}"), tag.into());
    }
    let pane = page.split("data-pane=\"").nth(1).unwrap();
    let board = pane.split('"').next().unwrap();
    let tag = pane.split("data-tag=\"").nth(1).unwrap().split('"').next().unwrap();
    let hello = json!({ "tags": tags, "boards": { board: tag } });
    let mut blue = connect(&address, &two, &table, 1, hello).await;
    let mended = all_news(&mut blue).await;
    let sent: Vec<_> =
        mended.iter().flat_map(|n| n["set"].as_array().unwrap()).map(|s| s[0].clone()).collect();
    assert!(sent.iter().all(|id| id == "f-people"), "only that Blue is back: {sent:?}");
    assert!(mended.iter().all(|n| n["boards"].as_array().unwrap().is_empty()));

    // A server that stops says so and does not wait for open sockets.
    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(10), served).await.unwrap().unwrap().unwrap();
}

/// Others are sent one update when a seat has chosen in secret, and not a byte when it thinks again.
#[tokio::test(flavor = "multi_thread")]
async fn second_thoughts_leave_no_trace() {
    let app =
        App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), crate::common::settings());
    let router = server::app(app.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(server::serve(listener, app, std::future::pending()));
    let (one, two, table) = two_at(&router, "ten-towns").await;
    let eve = Caller::new(&router, "Eve").await;
    let mut red = connect(&address, &one, &table, 0, json!({})).await;
    let mut blue = connect(&address, &two, &table, 1, json!({})).await;
    let mut onlooker = connect(&address, &eve, &table, 9, json!({})).await;
    let mut program = stream(&router, &two, &table, 1).await;
    for socket in [&mut red, &mut blue, &mut onlooker] {
        all_news(socket).await;
    }
    lines(&mut program).await;
    let card = |card: &str| json!({ "seat": 0, "actions": [card] });
    let (act, ask) = (format!("/api/tables/{table}/act"), format!("/api/tables/{table}/ask"));
    one.done(&act, card("card 1")).await;
    assert!(!all_news(&mut red).await.is_empty());
    for socket in [&mut blue, &mut onlooker] {
        let news = all_news(socket).await;
        let text = Value::Array(news.clone()).to_string();
        assert!(news.len() == 1 && text.contains("Red has chosen; waiting for"), "{text}");
    }
    assert_eq!(lines(&mut program).await.len(), 1);
    for again in [None, Some("card 2"), Some("card 3"), None, Some("card 1")] {
        match again {
            Some(again) => one.done(&act, card(again)).await,
            None => one.done(&ask, json!({ "seat": 0, "ask": "undo" })).await,
        };
        for socket in [&mut blue, &mut onlooker] {
            assert_eq!(all_news(socket).await, Vec::<Value>::new(), "{again:?}");
        }
        assert_eq!(lines(&mut program).await, Vec::<Value>::new(), "{again:?}");
    }
    assert!(!all_news(&mut red).await.is_empty(), "Red sees what he does");
}

type Lines = axum::body::BodyDataStream;

/// The stream of a table for a program.
async fn stream(router: &axum::Router, who: &Caller, table: &str, seat: u8) -> Lines {
    use tower::ServiceExt;
    let request = axum::http::Request::get(format!("/api/tables/{table}/stream?seat={seat}"))
        .header("authorization", format!("Bearer {}", who.token))
        .body(axum::body::Body::empty())
        .unwrap();
    router.clone().oneshot(request).await.unwrap().into_body().into_data_stream()
}

/// All lines of a stream until there is silence.
async fn lines(stream: &mut Lines) -> Vec<Value> {
    let mut all = Vec::new();
    while let Ok(Some(line)) = tokio::time::timeout(Duration::from_millis(300), stream.next()).await {
        all.push(serde_json::from_slice(&line.unwrap()).unwrap());
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_follows_the_stream() {
    let app =
        App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), crate::common::settings());
    let router = server::app(app);
    let (one, two, table) = two_at(&router, "tic-tac-toe").await;
    let mut lines = stream(&router, &two, &table, 1).await;
    let whole: Value = serde_json::from_slice(&lines.next().await.unwrap().unwrap()).unwrap();
    assert_eq!(whole["type"], "whole");
    let view = one.view(&table, 0).await;
    one.act(&table, 0, &view, 4).await;
    let change: Value = serde_json::from_slice(&lines.next().await.unwrap().unwrap()).unwrap();
    assert_eq!(change["type"], "change");
    assert!(!change["changed"]["offered"].as_array().unwrap().is_empty(), "{change}");
}

/// Whether somebody hears something within a moment.
async fn hears(news: &mut server::bells::Listening) -> bool {
    tokio::time::timeout(Duration::from_millis(150), news.changed()).await.is_ok()
}

/// A draft, an undo, orders: their own seat is woken, and nobody else; no look is made for anybody else.
#[tokio::test(flavor = "multi_thread")]
async fn a_draft_wakes_its_own_seat_and_nobody_else() {
    let app =
        App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), crate::common::settings());
    let router = server::app(app.clone());
    let (one, two, table) = two_at(&router, "ten-towns").await;
    for (seat, card, who) in [(0u8, "card 3", &one), (1, "card 1", &two)] {
        who.done(&format!("/api/tables/{table}/act"), json!({ "seat": seat, "actions": [card] })).await;
    }
    let at = app.tables().find(&table.parse().unwrap()).await.unwrap();
    let seats = |list: &[u8]| list.iter().map(|s| table::Seat::new(*s)).collect::<table::SeatSet>();
    let mut red = at.listen(seats(&[0]));
    let mut blue = at.listen(seats(&[1]));
    let mut onlooker = at.listen(seats(&[]));
    let view = one.view(&table, 0).await;
    let group = view["offered"]
        .as_array()
        .unwrap()
        .iter()
        .position(|o| o["notation"].as_str().unwrap().starts_with("group"));
    assert_eq!(one.act(&table, 0, &view, group.unwrap()).await.1["what"], "drafted");
    assert!(hears(&mut red).await, "Red's own page shows the draft");
    assert!(!blue.has_changed() && !onlooker.has_changed(), "a draft woke somebody else");
    let undo = json!({ "seat": 0, "ask": "undo" });
    one.done(&format!("/api/tables/{table}/ask"), undo).await;
    assert!(hears(&mut red).await);
    assert!(!blue.has_changed() && !onlooker.has_changed(), "an undo woke somebody else");
    // What is said to all wakes all.
    one.done(&format!("/api/tables/{table}/say"), json!({ "text": "Well met" })).await;
    assert!(hears(&mut blue).await && hears(&mut onlooker).await);
}

/// Second thoughts about a secret choice wake nobody, the first choice everybody.
#[tokio::test(flavor = "multi_thread")]
async fn second_thoughts_wake_nobody_else() {
    let app =
        App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), crate::common::settings());
    let router = server::app(app.clone());
    let (one, _two, table) = two_at(&router, "ten-towns").await;
    let at = app.tables().find(&table.parse().unwrap()).await.unwrap();
    let none = table::SeatSet::NONE;
    let mut onlooker = at.listen(none);
    let act = format!("/api/tables/{table}/act");
    one.done(&act, json!({ "seat": 0, "actions": ["card 3"] })).await;
    assert!(hears(&mut onlooker).await, "all may know that Red has chosen");
    let mut onlooker = at.listen(none);
    one.done(&format!("/api/tables/{table}/ask"), json!({ "seat": 0, "ask": "undo" })).await;
    one.done(&act, json!({ "seat": 0, "actions": ["card 2"] })).await;
    assert!(!hears(&mut onlooker).await, "nobody may know that Red thinks again");
}

/// Onlookers with the same eyes share one look and one drawing.
#[tokio::test(flavor = "multi_thread")]
async fn what_many_see_alike_is_made_once() {
    let app =
        App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), crate::common::settings());
    let router = server::app(app.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let served = tokio::spawn(server::serve(listener, app.clone(), std::future::pending()));
    let (one, _two, table) = two_at(&router, "ten-towns").await;
    let mut sockets = Vec::new();
    for _ in 0..30 {
        let (mut socket, _) = connect_async(format!("ws://{address}/t/{table}/socket")).await.unwrap();
        socket.send(Message::text("{}")).await.unwrap();
        sockets.push(socket);
    }
    for socket in &mut sockets {
        assert!(news(socket, 3000).await.is_some());
    }
    let before = app.tables().metrics().looks.get();
    one.done(&format!("/api/tables/{table}/act"), json!({ "seat": 0, "actions": ["card 3"] })).await;
    for socket in &mut sockets {
        assert!(news(socket, 3000).await.is_some(), "everybody hears that Red has chosen");
    }
    let made = app.tables().metrics().looks.get() - before;
    assert!(made <= 3, "30 onlookers cost {made} looks");
    served.abort();
}

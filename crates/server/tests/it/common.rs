//! What the tests share: an application without a socket, and people who call it.
#![allow(dead_code)]

pub(crate) mod old;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use server::{App, Conduct, Limits, Settings, Sqlite, Store};
use table::{AnyGame, DataFiles, small};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tower::ServiceExt;

pub(crate) fn games() -> Vec<Arc<dyn AnyGame>> {
    let games = small::ALL.into_iter().chain([four_keeps::ENTRY]);
    games.map(|g| Arc::from((g.open)(&DataFiles::built_in(g.files)).unwrap())).collect()
}

pub(crate) fn settings() -> Settings {
    Settings {
        limits: Limits { rate: 1_000_000, reads: 1_000_000, words: 1_000_000, ..Limits::default() },
        conduct: Conduct { bot_pause: Duration::ZERO, window_pace: Duration::ZERO, ..Conduct::default() },
        ..Settings::default()
    }
}

/// An application over a store.
pub(crate) fn house(store: Arc<dyn Store>) -> Router {
    server::app(App::new(games(), store, settings()))
}

pub(crate) fn fresh() -> Router {
    house(Arc::new(Sqlite::in_memory().unwrap()))
}

/// Somebody with a token.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) app: Router,
    pub(crate) token: String,
}

pub(crate) async fn raw(app: &Router, request: Request<Body>) -> (StatusCode, String) {
    let response = app.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = axum::body::to_bytes(response.into_body(), 16 << 20).await.unwrap();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

impl Caller {
    pub(crate) async fn new(app: &Router, name: &str) -> Self {
        let request = Request::post("/api/guests")
            .header("content-type", "application/json")
            .body(Body::from(json!({ "name": name }).to_string()))
            .unwrap();
        let (status, text) = raw(app, request).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let answer: Value = serde_json::from_str(&text).unwrap();
        Self { app: app.clone(), token: answer["token"].as_str().unwrap().to_string() }
    }

    fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json")
    }

    pub(crate) async fn text(&self, path: &str) -> (StatusCode, String) {
        raw(&self.app, self.request("GET", path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, text) = self.text(path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        let request = self.request("POST", path).body(Body::from(body.to_string())).unwrap();
        let (status, text) = raw(&self.app, request).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// A request of any method with a body in JSON.
    pub(crate) async fn send(&self, method: &str, path: &str, body: Value) -> (StatusCode, Value) {
        let request = self.request(method, path).body(Body::from(body.to_string())).unwrap();
        let (status, text) = raw(&self.app, request).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    pub(crate) async fn done(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.post(path, body).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    pub(crate) async fn open(&self, game: &str, seats: &[&str]) -> String {
        let answer = self.done("/api/tables", json!({ "game": game, "seats": seats, "listed": true })).await;
        answer["id"].as_str().unwrap().to_string()
    }

    pub(crate) async fn ready(&self, table: &str, seat: u8) {
        self.done(&format!("/api/tables/{table}/ready"), json!({ "seat": seat, "nonce": "2a" })).await;
    }

    pub(crate) async fn view(&self, table: &str, seat: u8) -> Value {
        self.get(&format!("/api/tables/{table}?seat={seat}")).await
    }

    /// Does the option with this number, as the view offers it.
    pub(crate) async fn act(
        &self,
        table: &str,
        seat: u8,
        view: &Value,
        option: usize,
    ) -> (StatusCode, Value) {
        let body = json!({
            "seat": seat,
            "number": view["number"],
            "actions": [view["offered"][option]["notation"]],
        });
        self.post(&format!("/api/tables/{table}/act"), body).await
    }
}

/// Two people at a table of two, the game begun.
pub(crate) async fn two_at(app: &Router, game: &str) -> (Caller, Caller, String) {
    let (one, two) = (Caller::new(app, "Ada").await, Caller::new(app, "Bo").await);
    let table = one.open(game, &["me", "open"]).await;
    let joined = two.done(&format!("/api/tables/{table}/join"), json!({})).await;
    assert_eq!(joined["seat"], 1);
    one.ready(&table, 0).await;
    two.ready(&table, 1).await;
    (one, two, table)
}

/// A mail server that takes every letter.
pub(crate) async fn post_office() -> (String, mpsc::UnboundedReceiver<(String, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("smtp://{}", listener.local_addr().unwrap());
    let (tell, told) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let tell = tell.clone();
            tokio::spawn(async move {
                let mut stream = BufReader::new(stream);
                stream.get_mut().write_all(b"220 here\r\n").await.unwrap();
                let (mut to, mut letter, mut inside) = (String::new(), String::new(), false);
                let mut line = String::new();
                while stream.read_line(&mut line).await.is_ok_and(|n| n > 0) {
                    let answer: &[u8] = if inside && line == ".\r\n" {
                        inside = false;
                        let _ = tell.send((std::mem::take(&mut to), std::mem::take(&mut letter)));
                        b"250 taken\r\n"
                    } else if inside {
                        letter += &line;
                        b""
                    } else if line.starts_with("DATA") {
                        inside = true;
                        b"354 go on\r\n"
                    } else {
                        if line.starts_with("RCPT") {
                            to = line.trim().to_string();
                        }
                        b"250 yes\r\n"
                    };
                    stream.get_mut().write_all(answer).await.unwrap();
                    line.clear();
                }
            });
        }
    });
    (address, told)
}

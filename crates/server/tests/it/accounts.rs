//! Accounts and sessions: who guesses is stopped, who owns an account is asked before it changes, sessions end,
//! forgotten passwords are set anew, and whoever goes takes his name along.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::common::{Caller, fresh, post_office, raw, settings, two_at};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use server::{App, Limits, Settings, Sqlite, tidings};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// A request without a token, through a proxy that names this address.
async fn from(app: &Router, address: &str, path: &str, body: Value) -> (StatusCode, Value) {
    let request = Request::post(path)
        .header("content-type", "application/json")
        .header("x-forwarded-for", format!("203.0.113.9, {address}"))
        .header("user-agent", "Test/1")
        .body(Body::from(body.to_string()))
        .unwrap();
    let (status, text) = raw(app, request).await;
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

fn behind_proxy() -> Router {
    let limits = Limits { proxy: true, ..settings().limits };
    let store = Arc::new(Sqlite::in_memory().unwrap());
    server::app(App::new(crate::common::games(), store, Settings { limits, ..settings() }))
}

/// Somebody with an account.
async fn owner(app: &Router, name: &str) -> Caller {
    let one = Caller::new(app, name).await;
    let account = json!({ "name": name, "password": "hospitaller" });
    assert_eq!(one.send("PUT", "/api/me/account", account).await.0, StatusCode::OK);
    one
}

async fn log_in(app: &Router, name: &str, password: &str) -> (StatusCode, Value) {
    from(app, "192.0.2.1", "/api/login", json!({ "name": name, "password": password })).await
}

#[tokio::test]
async fn who_guesses_is_stopped_wherever_he_comes_from() {
    let app = behind_proxy();
    owner(&app, "Ada").await;
    // Guesses until he is told to stop; how many there were. A slow machine gives a few more.
    let guesses = async |guess: &dyn Fn(usize) -> (String, Value)| {
        for i in 0..90 {
            let (address, login) = guess(i);
            match from(&app, &address, "/api/login", login).await {
                (StatusCode::FORBIDDEN, _) => {}
                (StatusCode::TOO_MANY_REQUESTS, answer) => {
                    assert_eq!(answer["error"], "too-many");
                    return i;
                }
                other => panic!("{other:?}"),
            }
        }
        90
    };
    let login = |name: String| json!({ "name": name, "password": "templar-templar" });
    // One account, from ever other addresses; now not even the right word is looked at.
    let count = guesses(&|i| (format!("198.51.{i}.7"), login("Ada".into()))).await;
    assert!((10..20).contains(&count), "{count}");
    let right = json!({ "name": "Ada", "password": "hospitaller" });
    assert_eq!(from(&app, "198.51.100.7", "/api/login", right).await.0, StatusCode::TOO_MANY_REQUESTS);
    // One block of addresses, against ever other accounts: neighbours count together, others do not.
    let count = guesses(&|i| (format!("192.0.2.{i}"), login(format!("Nobody {i}")))).await;
    assert!((30..60).contains(&count), "{count}");
    assert_eq!(from(&app, "192.0.3.77", "/api/login", login("Nobody".into())).await.0, StatusCode::FORBIDDEN);
    let count = guesses(&|i| (format!("2001:db8:0:1:{i:x}::1"), login(format!("Other {i}")))).await;
    assert!((30..60).contains(&count), "{count}");
    let other = from(&app, "2001:db8:0:2::1", "/api/login", login("Nobody".into())).await;
    assert_eq!(other.0, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_right_password_is_not_counted() {
    let app = behind_proxy();
    owner(&app, "Ada").await;
    for _ in 0..15 {
        let (status, answer) = log_in(&app, "ada", "hospitaller").await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
}

#[tokio::test]
async fn only_its_owner_changes_an_account() {
    let app = fresh();
    let one = owner(&app, "Ada").await;
    let change = async |body: Value| one.send("PUT", "/api/me/account", body).await.0;
    // Whoever finds an open browser changes nothing.
    assert_eq!(change(json!({ "name": "Ada", "password": "templar-templar" })).await, StatusCode::FORBIDDEN);
    assert_eq!(change(json!({ "name": "Eve" })).await, StatusCode::FORBIDDEN);
    let wrong = json!({ "name": "Ada", "password": "templar-templar", "old": "teutonic-teutonic" });
    assert_eq!(change(wrong).await, StatusCode::FORBIDDEN);
    let form = Request::post("/account")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("sec-fetch-site", "same-origin")
        .header("cookie", format!("outremer={}", one.token))
        .body(Body::from("name=Ada&password=templar-templar"))
        .unwrap();
    assert_eq!(raw(&app, form).await.0, StatusCode::FORBIDDEN);
    assert_eq!(log_in(&app, "Ada", "hospitaller").await.0, StatusCode::OK, "nothing has changed");
    let right = json!({ "name": "Adela", "password": "templar-templar", "old": "hospitaller" });
    assert_eq!(change(right).await, StatusCode::OK);
    assert_eq!(log_in(&app, "Ada", "hospitaller").await.0, StatusCode::FORBIDDEN);
    assert_eq!(log_in(&app, "Adela", "templar-templar").await.0, StatusCode::OK);
    assert_eq!(
        change(json!({ "name": "Ada", "old": "templar-templar" })).await,
        StatusCode::OK,
        "the name alone"
    );
    assert_eq!(log_in(&app, "Ada", "templar-templar").await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_and_end_with_their_sockets() {
    let app = App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), settings());
    let router = server::app(app.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(server::serve(listener, app, std::future::pending()));
    let one = owner(&router, "Ada").await;
    let table = one.open("tic-tac-toe", &["me", "open"]).await;
    let token = log_in(&router, "Ada", "hospitaller").await.1["token"].as_str().unwrap().to_string();
    let there = Caller { app: router.clone(), token };
    let list = one.get("/api/me/sessions").await;
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 2, "{list:?}");
    let other = list.iter().find(|s| s["present"] == false).unwrap();
    assert_eq!(other["agent"], "Test/1");
    assert!(!serde_json::to_string(list).unwrap().contains(&there.token));
    assert!(one.text("/you").await.1.contains("Where you are logged in"));
    // A socket and a stream with the other session.
    let mut request = format!("ws://{address}/t/{table}/socket").into_client_request().unwrap();
    request.headers_mut().insert("authorization", format!("Bearer {}", there.token).parse().unwrap());
    let (mut socket, _) = connect_async(request).await.unwrap();
    socket.send(Message::text(json!({ "seat": 0 }).to_string())).await.unwrap();
    assert!(socket.next().await.unwrap().is_ok());
    use tower::ServiceExt;
    let request = Request::get(format!("/api/tables/{table}/stream"))
        .header("authorization", format!("Bearer {}", there.token))
        .body(Body::empty())
        .unwrap();
    let mut stream = router.clone().oneshot(request).await.unwrap().into_body().into_data_stream();
    assert!(stream.next().await.unwrap().is_ok());
    // A stranger ends nobody's.
    let eve = Caller::new(&router, "Eve").await;
    let path = format!("/api/me/sessions/{}", other["id"].as_str().unwrap());
    eve.send("DELETE", &path, json!({})).await;
    assert_eq!(there.text("/api/me").await.0, StatusCode::OK);
    assert_eq!(one.send("DELETE", &path, json!({})).await.0, StatusCode::OK);
    assert_eq!(there.text("/api/me").await.0, StatusCode::UNAUTHORIZED);
    let ended = async {
        while let Some(Ok(message)) = socket.next().await {
            if matches!(message, Message::Close(_)) {
                break;
            }
        }
        while let Some(Ok(_)) = stream.next().await {}
    };
    assert!(tokio::time::timeout(Duration::from_secs(5), ended).await.is_ok(), "they outlive their session");
    assert_eq!(one.text("/api/me").await.0, StatusCode::OK);
    // And all others at once.
    for _ in 0..3 {
        log_in(&router, "Ada", "hospitaller").await;
    }
    assert_eq!(one.send("DELETE", "/api/me/sessions", json!({})).await.0, StatusCode::OK);
    assert_eq!(one.get("/api/me/sessions").await.as_array().unwrap().len(), 1);
    assert_eq!(one.post("/api/logout", json!({})).await.0, StatusCode::OK);
    assert_eq!(one.text("/api/me").await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn sessions_end_by_themselves() {
    let second = Duration::from_secs(1);
    let day = Duration::from_secs(86_400);
    for (idle, longest) in [(second, day), (day, second)] {
        let limits = Limits { session_idle: idle, session_longest: longest, ..settings().limits };
        let store = Arc::new(Sqlite::in_memory().unwrap());
        let app = server::app(App::new(crate::common::games(), store, Settings { limits, ..settings() }));
        let one = Caller::new(&app, "Ada").await;
        assert_eq!(one.text("/api/me").await.0, StatusCode::OK);
        tokio::time::sleep(Duration::from_millis(2500)).await;
        assert_eq!(one.text("/api/me").await.0, StatusCode::UNAUTHORIZED, "{idle:?} {longest:?}");
    }
}

async fn with_mail(file: &Path) -> (Router, tokio::sync::mpsc::UnboundedReceiver<(String, String)>) {
    let (office, letters) = post_office().await;
    let told = tidings::Settings {
        smtp: Some(office),
        link: "https://table.example".into(),
        ..tidings::Settings::default()
    };
    let store = Arc::new(Sqlite::open(file).unwrap());
    (server::app(App::new(crate::common::games(), store, Settings { tidings: told, ..settings() })), letters)
}

/// The link of a letter.
fn link(letter: &str) -> String {
    let letter = letter.replace("=\r\n", "");
    letter.lines().find_map(|l| l.strip_prefix("https://table.example")).unwrap().trim().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_password_is_set_anew_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let (app, mut letters) = with_mail(&file).await;
    let mut soon = async || {
        tokio::time::timeout(Duration::from_secs(5), letters.recv()).await.ok().flatten().map(|(_, l)| l)
    };
    let one = owner(&app, "Ada").await;
    // The address, too, is changed by the owner alone: the letter goes there.
    let mail = json!({ "mail": "ada@example.com" });
    assert_eq!(one.send("PUT", "/api/me/tidings", mail).await.0, StatusCode::FORBIDDEN);
    let mail = json!({ "mail": "ada@example.com", "password": "hospitaller" });
    assert_eq!(one.send("PUT", "/api/me/tidings", mail).await.0, StatusCode::OK);
    let confirm = link(&soon().await.unwrap());
    let post =
        |path: &str| Request::post(path).header("sec-fetch-site", "same-origin").body(Body::empty()).unwrap();
    assert_eq!(raw(&app, post(&confirm)).await.0, StatusCode::OK);
    // The same answer, whether or not there is such an account.
    let answers = [
        from(&app, "192.0.2.1", "/api/forgot", json!({ "name": "Nobody" })).await,
        from(&app, "192.0.2.1", "/api/forgot", json!({ "name": "\u{200b}" })).await,
        from(&app, "192.0.2.1", "/api/forgot", json!({ "name": "ada" })).await,
    ];
    assert!(answers.iter().all(|a| *a == (StatusCode::OK, json!({}))), "{answers:?}");
    let letter = soon().await.unwrap();
    let path = link(&letter);
    let token = path.strip_prefix("/reset/").unwrap().to_string();
    let database = rusqlite::Connection::open(&file).unwrap();
    let kept: String = database.query_row("SELECT hash FROM resets", [], |r| r.get(0)).unwrap();
    assert_ne!(kept, token, "the store knows its hash alone");
    assert!(raw(&app, Request::get(&path).body(Body::empty()).unwrap()).await.1.contains("A new password"));
    let reset = |token: &str, word: &str| json!({ "token": token, "password": word });
    let set = async |body: Value| from(&app, "192.0.2.1", "/api/reset", body).await.0;
    assert_eq!(set(reset("guess", "templar-templar")).await, StatusCode::FORBIDDEN);
    assert_eq!(set(reset(&token, "short")).await, StatusCode::BAD_REQUEST, "and the link is still good");
    assert_eq!(set(reset(&token, "templar-templar")).await, StatusCode::OK);
    assert_eq!(set(reset(&token, "teutonic-teutonic")).await, StatusCode::FORBIDDEN, "once");
    assert_eq!(one.text("/api/me").await.0, StatusCode::UNAUTHORIZED, "all sessions have ended");
    assert_eq!(log_in(&app, "Ada", "hospitaller").await.0, StatusCode::FORBIDDEN);
    assert_eq!(log_in(&app, "Ada", "templar-templar").await.0, StatusCode::OK);
    // An hour later it is good no more.
    from(&app, "192.0.2.1", "/api/forgot", json!({ "name": "Ada" })).await;
    let token = link(&soon().await.unwrap()).strip_prefix("/reset/").unwrap().to_string();
    database.execute("UPDATE resets SET until = until - 3700", []).unwrap();
    assert_eq!(set(reset(&token, "teutonic-teutonic")).await, StatusCode::FORBIDDEN);
}

/// Everything that a database holds, as one text.
fn everything(file: &Path) -> String {
    let database = rusqlite::Connection::open(file).unwrap();
    let names: Vec<String> = database
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
        .unwrap()
        .query_map([], |r| r.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let mut text = String::new();
    for name in names {
        let mut statement = database.prepare(&format!("SELECT * FROM {name}")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for i in 0..columns {
                text += &format!("{name}: {:?}\n", row.get_ref(i).unwrap());
                if let Ok(word) = row.get_ref(i).unwrap().as_str() {
                    text += word;
                    text.push('\n');
                }
            }
        }
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn who_goes_takes_his_name_along() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let app = crate::common::house(Arc::new(Sqlite::open(&file).unwrap()));
    let one = owner(&app, "Adalbert").await;
    let two = Caller::new(&app, "Bo").await;
    let table = one.open("connect-four", &["me", "open"]).await;
    let gathering = one.open("connect-four", &["open", "me"]).await;
    two.done(&format!("/api/tables/{table}/join"), json!({})).await;
    one.ready(&table, 0).await;
    two.ready(&table, 1).await;
    one.done(&format!("/api/tables/{table}/say"), json!({ "text": "Deus vult" })).await;
    let note = json!({ "text": "watch the middle" });
    assert_eq!(one.send("PUT", &format!("/api/tables/{table}/notes"), note).await.0, StatusCode::OK);
    one.send("PUT", &format!("/api/tables/{table}/seen"), json!({ "seat": 0 })).await;
    let all = one.get("/api/me/export").await;
    assert_eq!((&all["name"], &all["account"]), (&json!("Adalbert"), &json!(true)));
    assert_eq!(
        (&all["notes"][0]["text"], &all["said"][0]["text"]),
        (&json!("watch the middle"), &json!("Deus vult"))
    );
    assert_eq!(all["tables"].as_array().unwrap().len(), 2);
    assert!(!all.to_string().contains("argon2") && !all.to_string().contains(&one.token));
    let id = all["id"].as_str().unwrap().to_string();
    assert!(everything(&file).contains("Adalbert") && everything(&file).contains(&id));
    for password in [json!({}), json!({ "password": "templar-templar" })] {
        assert_eq!(one.send("DELETE", "/api/me", password).await.0, StatusCode::FORBIDDEN);
    }
    assert_eq!(one.send("DELETE", "/api/me", json!({ "password": "hospitaller" })).await.0, StatusCode::OK);
    assert_eq!(one.text("/api/me").await.0, StatusCode::UNAUTHORIZED);
    let kept = everything(&file);
    for gone in ["Adalbert", "adalbert", &id, "watch the middle", "argon2"] {
        assert!(!kept.contains(gone), "{gone} is still there");
    }
    // The game goes on with a bot, and the other is told.
    let mut view = two.view(&table, 1).await;
    for _ in 0..200 {
        if view["seats"][1]["waiting"] == true {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        view = two.view(&table, 1).await;
    }
    assert_eq!((&view["seats"][0]["kind"], &view["seats"][1]["waiting"]), (&json!("bot"), &json!(true)));
    assert!(view["events"].to_string().contains("left for good"), "{}", view["events"]);
    assert_eq!(view["chat"][0]["name"], "somebody who left");
    assert!(!two.text(&format!("/t/{table}")).await.1.contains("Adalbert"));
    assert_eq!(two.view(&gathering, 0).await["seats"][1]["kind"], "open");
    assert_eq!(log_in(&app, "Adalbert", "hospitaller").await.0, StatusCode::FORBIDDEN);
    owner(&app, "Adalbert").await;
}

/// A guest goes without a password.
#[tokio::test]
async fn a_guest_goes_too() {
    let app = fresh();
    let (one, two, table) = two_at(&app, "tic-tac-toe").await;
    assert_eq!(one.send("DELETE", "/api/me", json!({})).await.0, StatusCode::OK);
    assert_eq!(two.view(&table, 1).await["seats"][0]["kind"], "bot");
}

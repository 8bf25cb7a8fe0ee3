//! Who comes in and who does not: links that are spent, records that are secret, requests that are forged, slow,
//! many or too large, names that are another's.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use crate::common::{Caller, fresh, house, raw, settings, two_at};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use server::{App, Conduct, Limits, Settings, Sqlite};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tower::ServiceExt;

/// What happened at a table, by kind.
fn kinds(view: &Value) -> Vec<&str> {
    view["events"].as_array().unwrap().iter().map(|e| e["kind"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_link_is_spent_when_somebody_sits() {
    let app = fresh();
    let (one, two) = (Caller::new(&app, "Ada").await, Caller::new(&app, "Bo").await);
    let eve = Caller::new(&app, "Eve").await;
    let table = one.open("ten-towns", &["me", "invite"]).await;
    let (invite, join) = (format!("/api/tables/{table}/invite/1"), format!("/api/tables/{table}/join"));
    let link = one.done(&invite, json!({})).await;
    let sit = json!({ "link": link["link"] });
    assert_eq!(two.done(&join, sit.clone()).await["seat"], 1);
    // Neither a stranger nor the host who made it comes in with it, before the game or in it.
    for begun in [false, true] {
        if begun {
            one.ready(&table, 0).await;
            two.ready(&table, 1).await;
        }
        for who in [&one, &eve] {
            assert_eq!(who.post(&join, sit.clone()).await.0, StatusCode::FORBIDDEN);
            assert_eq!(who.text(link["path"].as_str().unwrap()).await.0, StatusCode::FORBIDDEN);
            assert_eq!(who.post(&invite, json!({})).await.0, StatusCode::FORBIDDEN, "nor makes another");
        }
        assert_eq!(two.view(&table, 1).await["seats"][1]["own"], true);
    }
    let view = eve.view(&table, 1).await;
    assert_eq!((&view["seats"][1]["own"], &view["seat"]), (&json!(false), &Value::Null));
    assert_eq!(kinds(&view), ["link-made", "sat-down"], "everybody sees it");
    // Its holder may hand the seat over; then he has it no more, all are told, and the link is spent.
    let sit = json!({ "link": two.done(&invite, json!({})).await["link"] });
    assert_eq!(two.done(&join, sit.clone()).await["seat"], 1, "who tries his own link keeps his seat");
    assert_eq!(eve.done(&join, sit.clone()).await["seat"], 1);
    assert_eq!(eve.view(&table, 1).await["seats"][1]["own"], true);
    assert_eq!(two.view(&table, 1).await["seat"], Value::Null, "the old holder looks on");
    for who in [&one, &two] {
        assert_eq!(who.post(&join, sit.clone()).await.0, StatusCode::FORBIDDEN);
    }
    assert_eq!(kinds(&one.view(&table, 0).await), ["link-made", "sat-down", "link-made", "handed-over"]);
    // A link can be taken back.
    let sit = json!({ "link": eve.done(&invite, json!({})).await["link"] });
    assert_eq!(one.send("DELETE", &invite, json!({})).await.0, StatusCode::FORBIDDEN);
    assert_eq!(eve.send("DELETE", &invite, json!({})).await.0, StatusCode::OK);
    assert_eq!(two.post(&join, sit).await.0, StatusCode::FORBIDDEN);
}

/// A link to an open seat is worth nothing once somebody sat down there without it.
#[tokio::test]
async fn a_seat_that_is_taken_has_no_link() {
    let app = fresh();
    let (one, two, table) = {
        let (one, two) = (Caller::new(&app, "Ada").await, Caller::new(&app, "Bo").await);
        let table = one.open("tic-tac-toe", &["me", "open"]).await;
        (one, two, table)
    };
    let link = one.done(&format!("/api/tables/{table}/invite/1"), json!({})).await["link"].clone();
    let join = format!("/api/tables/{table}/join");
    two.done(&join, json!({})).await;
    assert_eq!(one.post(&join, json!({ "link": link })).await.0, StatusCode::FORBIDDEN);
    assert_eq!(two.view(&table, 1).await["seats"][1]["own"], true);
}

/// Nothing that leads to a game's secrets answers as long as the game is not over, though its table has stopped.
#[tokio::test]
async fn a_table_that_stopped_keeps_its_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let first = house(Arc::new(Sqlite::open(&file).unwrap()));
    let (mut one, mut two, table) = two_at(&first, "phantom-tic-tac-toe").await;
    // Each sees its own marks and not the other's.
    for turn in 0..4 {
        let who = [&one, &two][turn % 2];
        let mut view = who.view(&table, (turn % 2) as u8).await;
        while view["seats"][turn % 2]["waiting"] == true {
            assert_eq!(who.act(&table, (turn % 2) as u8, &view, turn).await.0, StatusCode::OK);
            view = who.view(&table, (turn % 2) as u8).await;
        }
    }
    drop(first);
    let database = rusqlite::Connection::open(&file).unwrap();
    let deeds: Vec<String> = database
        .prepare("SELECT text FROM entries WHERE tab = ?1 ORDER BY number")
        .unwrap()
        .query_map([&table], |r| r.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let last = deeds.len();
    // As if new rules did not know the last move any more.
    let sql = "UPDATE entries SET text = ?3 WHERE tab = ?1 AND number = ?2";
    let broken = deeds[last - 1].split(": ").next().unwrap().to_string() + ": a secret that nobody reads";
    database.execute(sql, rusqlite::params![table, last as u32, broken]).unwrap();
    drop(database);
    let second = house(Arc::new(Sqlite::open(&file).unwrap()));
    let mut eve = Caller::new(&second, "Eve").await;
    (one.app, two.app, eve.app) = (second.clone(), second.clone(), second);
    let seen = two.view(&table, 1).await;
    assert!(seen["frozen"].is_string() && seen["seed"].is_null(), "{seen}");
    let secret = |text: &str| text.contains("nobody reads");
    for who in [&one, &two, &eve] {
        for path in ["record", "replay", "moment?as=0", "moment?as=1", "picture.svg?as=0", "picture.svg?as=1"]
        {
            assert!(!secret(&who.text(&format!("/t/{table}/{path}")).await.1), "{path}");
        }
        let (status, _) = who.text(&format!("/api/tables/{table}/verify")).await;
        assert_eq!(status, StatusCode::CONFLICT);
        assert_eq!(who.text(&format!("/api/tables/{table}/turnings")).await.0, StatusCode::CONFLICT);
        let branch = Request::post(format!("/t/{table}/branch"))
            .header("authorization", format!("Bearer {}", who.token))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from("at=1&as=0"))
            .unwrap();
        assert_eq!(raw(&who.app, branch).await.0, StatusCode::CONFLICT);
    }
    for path in [format!("/t/{table}/record"), format!("/api/tables/{table}/record")] {
        assert_eq!(eve.text(&path).await.0, StatusCode::CONFLICT, "a stranger reads nothing");
    }
    // Each seat reads what it saw, and not the marks of the other.
    let own = |name: &str, text: &str| text.lines().filter(|l| l.starts_with(name)).count();
    let (_, ones) = one.text(&format!("/t/{table}/record")).await;
    let (_, twos) = two.text(&format!("/t/{table}/record?as=1")).await;
    let names = [seen["seats"][0]["name"].as_str().unwrap(), seen["seats"][1]["name"].as_str().unwrap()];
    assert!(own(names[0], &ones) > 0 && own(names[1], &twos) > 0, "{ones}\n{twos}");
    let marks = |seat: usize| {
        let deeds = deeds[..last - 1].iter().filter_map(|d| d.split_once(": "));
        let of = deeds.filter(move |(who, _)| who.contains(names[seat]));
        of.map(|(_, what)| what.split(" ~").next().unwrap().to_string()).collect::<Vec<_>>()
    };
    for (seat, text) in [(1, &ones), (0, &twos)] {
        for mark in marks(seat) {
            assert!(!text.contains(&format!("{}: {mark}", names[seat])), "{mark} in {text}");
        }
    }
    // Whoever asks for the other's seat gets his own eyes or an onlooker's.
    assert!(!two.text(&format!("/t/{table}/record?as=0")).await.1.contains(&format!("{}: ", names[0])));
}

#[tokio::test]
async fn a_header_that_says_nothing_opens_nothing() {
    let app = fresh();
    let one = Caller::new(&app, "Ada").await;
    let from = |authorization: &str| {
        Request::post("/play")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("cookie", format!("outremer={}", one.token))
            .header("sec-fetch-site", "cross-site")
            .header("authorization", authorization)
            .body(Body::from("game=tic-tac-toe"))
            .unwrap()
    };
    for nothing in ["Basic eDp5", "Bearer guess", "Bearer ", "x"] {
        assert_eq!(raw(&app, from(nothing)).await.0, StatusCode::FORBIDDEN, "{nothing}");
    }
    let token = format!("Bearer {}", one.token);
    assert_eq!(
        raw(&app, from(&token)).await.0,
        StatusCode::SEE_OTHER,
        "a program holds its token in its hand"
    );
}

#[tokio::test]
async fn a_table_has_as_many_seats_as_its_game() {
    let app = fresh();
    let one = Caller::new(&app, "Ada").await;
    for count in [0, 1, 3, 9, 256, 257, 258, 514] {
        let seats = vec!["open"; count];
        let (status, answer) =
            one.post("/api/tables", json!({ "game": "tic-tac-toe", "seats": seats })).await;
        assert_eq!(
            (status, answer["error"].as_str()),
            (StatusCode::BAD_REQUEST, Some("wrong")),
            "{count}: {answer}"
        );
    }
    assert_eq!(one.get("/api/tables").await["mine"], json!([]));
}

#[tokio::test]
async fn every_answer_is_dressed() {
    let secure = Settings { limits: Limits { secure: true, ..settings().limits }, ..settings() };
    let apps = [
        fresh(),
        server::app(App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), secure)),
    ];
    for (app, hsts) in apps.iter().zip([false, true]) {
        for path in ["/", "/nowhere", "/api/games", "/static/style.css"] {
            let request = Request::get(path).body(Body::empty()).unwrap();
            let answer = app.clone().oneshot(request).await.unwrap();
            let header = |name: &str| answer.headers().get(name).map(|v| v.to_str().unwrap().to_string());
            assert_eq!(header("cross-origin-opener-policy").as_deref(), Some("same-origin"));
            assert_eq!(header("cross-origin-resource-policy").as_deref(), Some("same-origin"));
            assert!(header("permissions-policy").unwrap().contains("camera=()"));
            assert_eq!(header("strict-transport-security").is_some(), hsts, "{path}");
        }
    }
}

fn limited(limits: Limits, conduct: Conduct) -> (App, Router) {
    let settings = Settings { limits, conduct, ..settings() };
    let app = App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), settings);
    (app.clone(), server::app(app))
}

/// Events that a whole table reads are words too, through whatever door they come.
#[tokio::test]
async fn events_have_a_rate_without_a_script_too() {
    let limits = Limits { words: 4, ..settings().limits };
    let (_, app) = limited(limits, settings().conduct);
    let one = Caller::new(&app, "Ada").await;
    let table = one.open("tic-tac-toe", &["me", "me"]).await;
    one.ready(&table, 0).await;
    one.ready(&table, 1).await;
    let mut answers = Vec::new();
    for _ in 0..6 {
        let form = Request::post(format!("/t/{table}/time"))
            .header("content-type", "application/x-www-form-urlencoded")
            .header("cookie", format!("outremer={}", one.token))
            .header("sec-fetch-site", "same-origin")
            .body(Body::from("seat=0&ask=offer-draw"))
            .unwrap();
        answers.push(raw(&app, form).await.0);
    }
    let refused = answers.iter().filter(|s| **s == StatusCode::TOO_MANY_REQUESTS).count();
    assert_eq!(refused, 4, "{answers:?}");
}

#[tokio::test]
async fn looks_and_words_have_a_rate() {
    let limits = Limits { reads: 1, words: 4, ..settings().limits };
    let (_, app) = limited(limits, settings().conduct);
    let one = Caller::new(&app, "Ada").await;
    let table = one.open("tic-tac-toe", &["me", "open"]).await;
    let mut answers = Vec::new();
    for _ in 0..6 {
        answers.push(one.post(&format!("/api/tables/{table}/say"), json!({ "text": "Deus vult" })).await.0);
    }
    assert_eq!(answers.iter().filter(|s| **s == StatusCode::OK).count(), 2, "{answers:?}");
    assert_eq!(answers[5], StatusCode::TOO_MANY_REQUESTS);
    let looks = futures_util::future::join_all((0..40).map(|_| one.text("/api/me"))).await;
    let good = looks.iter().filter(|(status, _)| *status == StatusCode::OK).count();
    assert!((4..20).contains(&good), "{good} of 40 looks at once");
    assert!(looks.iter().any(|(status, _)| *status == StatusCode::TOO_MANY_REQUESTS));
    assert_eq!(one.text("/static/style.css").await.0, StatusCode::OK, "files cost nothing");
}

#[tokio::test]
async fn strong_bots_are_few() {
    let conduct = Conduct { strong_tables: 2, bot_pause: Duration::from_secs(600), ..settings().conduct };
    let (_, app) = limited(settings().limits, conduct);
    let one = Caller::new(&app, "Ada").await;
    let open = async |level: &str| {
        let wish = json!({ "game": "connect-four", "seats": ["me", format!("bot:{level}")] });
        one.post("/api/tables", wish).await
    };
    for _ in 0..2 {
        assert_eq!(open("marshal").await.0, StatusCode::OK);
    }
    let (status, answer) = open("captain").await;
    assert_eq!((status, answer["error"].as_str()), (StatusCode::CONFLICT, Some("stage")), "{answer}");
    // Not by sitting in either.
    let table = open("greedy").await.1["id"].as_str().unwrap().to_string();
    one.ready(&table, 0).await;
    let sit_in = json!({ "seat": 0, "ask": "sit-in", "level": "marshal" });
    assert_eq!(one.post(&format!("/api/tables/{table}/time"), sit_in).await.0, StatusCode::CONFLICT);
    let two = Caller::new(&app, "Bo").await;
    let wish = json!({ "game": "connect-four", "seats": ["me", "bot:marshal"] });
    assert_eq!(two.post("/api/tables", wish).await.0, StatusCode::OK, "each person has his own");
}

/// A server around an application, and where it listens.
async fn served(app: App) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(server::serve(listener, app, std::future::pending()));
    address
}

/// Whoever sends his request letter by letter is shown the door.
#[tokio::test(flavor = "multi_thread")]
async fn slow_callers_are_not_waited_for() {
    let limits = Limits { patience: Duration::from_millis(500), ..settings().limits };
    let (app, _) = limited(limits, settings().conduct);
    let address = served(app).await;
    // The head does not end.
    let mut head = TcpStream::connect(&address).await.unwrap();
    head.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n").await.unwrap();
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(10), head.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "the connection is still open");
    // Nor does the body.
    let mut body = TcpStream::connect(&address).await.unwrap();
    let start = "POST /api/guests HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{";
    body.write_all(start.as_bytes()).await.unwrap();
    let mut rest = vec![0; 400];
    let count = tokio::time::timeout(Duration::from_secs(10), body.read(&mut rest)).await.unwrap().unwrap();
    let answer = String::from_utf8_lossy(&rest[..count]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    // Others are answered meanwhile.
    let mut quick = TcpStream::connect(&address).await.unwrap();
    quick.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
    let mut text = String::new();
    quick.read_to_string(&mut text).await.unwrap();
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_so_many_sockets() {
    let limits = Limits { sockets_each: 3, ..settings().limits };
    let (app, router) = limited(limits, settings().conduct);
    let (one, _, table) = two_at(&router, "tic-tac-toe").await;
    let address = served(app).await;
    let connect = async || {
        let mut request = format!("ws://{address}/t/{table}/socket").into_client_request().unwrap();
        request.headers_mut().insert("authorization", format!("Bearer {}", one.token).parse().unwrap());
        connect_async(request).await
    };
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(connect().await.unwrap());
    }
    let refused = connect().await.err().unwrap().to_string();
    assert!(refused.contains("429"), "{refused}");
    open.pop();
    let mut again = connect().await;
    for _ in 0..50 {
        if again.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        again = connect().await;
    }
    assert!(again.is_ok(), "who leaves makes room");
}

#[tokio::test]
async fn nobody_takes_anothers_name() {
    let app = fresh();
    let guest = async |name: &str| {
        let body = Body::from(json!({ "name": name }).to_string());
        let request =
            Request::post("/api/guests").header("content-type", "application/json").body(body).unwrap();
        raw(&app, request).await.0
    };
    for unseen in ["\u{200b}", "Ad\u{200d}a", "\u{202e}ada", "\u{3164}", "Аda", "a\u{0}b", "…"] {
        assert_eq!(guest(unseen).await, StatusCode::BAD_REQUEST, "{unseen:?}");
    }
    assert_eq!(guest("Richard").await, StatusCode::OK);
    let one = Caller::new(&app, "Alice").await;
    let account = json!({ "name": "Alice", "password": "hospitaller" });
    assert_eq!(one.send("PUT", "/api/me/account", account).await.0, StatusCode::OK);
    for alike in ["Alice", "ALICE", "AIice", "A1ice", "Al ice", "Alicе"] {
        assert_eq!(guest(alike).await, StatusCode::BAD_REQUEST, "{alike}");
    }
    let two = Caller::new(&app, "Bo").await;
    for alike in ["alice", "AIice", "Guest"] {
        let account = json!({ "name": alike, "password": "hospitaller" });
        assert_eq!(two.send("PUT", "/api/me/account", account).await.0, StatusCode::BAD_REQUEST, "{alike}");
    }
}

#[tokio::test]
async fn the_database_is_its_owners() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    // One from before, that anybody could read.
    drop(rusqlite::Connection::open(&file).unwrap().execute("CREATE TABLE x (y)", []));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    for name in ["tables.db", "new.db"] {
        let file = folder.path().join(name);
        let app = house(Arc::new(Sqlite::open(&file).unwrap()));
        Caller::new(&app, "Ada").await;
        for entry in std::fs::read_dir(folder.path()).unwrap().flatten() {
            let mode = entry.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{}", entry.path().display());
        }
        assert!(folder.path().join(format!("{name}-wal")).exists());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn health_tells_whether_the_store_writes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let app = house(Arc::new(Sqlite::open(&file).unwrap()));
    let health = async || raw(&app, Request::get("/health").body(Body::empty()).unwrap()).await;
    assert_eq!(health().await, (StatusCode::OK, "ok\n".into()));
    // Another program writes and does not end.
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut last = (StatusCode::OK, String::new());
    for _ in 0..30 {
        last = health().await;
        if last.0 != StatusCode::OK {
            break;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(last.0, StatusCode::SERVICE_UNAVAILABLE);
    assert!(last.1.contains("store"), "{}", last.1);
}

/// A table that this program cannot read keeps no other from going on.
#[tokio::test(flavor = "multi_thread")]
async fn one_unreadable_table_stops_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let slow = Settings {
        conduct: Conduct { bot_pause: Duration::from_secs(600), ..settings().conduct },
        ..settings()
    };
    let first = server::app(App::new(crate::common::games(), Arc::new(Sqlite::open(&file).unwrap()), slow));
    let mut one = Caller::new(&first, "Ada").await;
    let mut tables = Vec::new();
    for _ in 0..5 {
        let table = one.open("connect-four", &["me", "bot:random"]).await;
        one.ready(&table, 0).await;
        assert_eq!(one.act(&table, 0, &one.view(&table, 0).await, 0).await.0, StatusCode::OK);
        tables.push(table);
    }
    drop(first);
    let database = rusqlite::Connection::open(&file).unwrap();
    database.execute("UPDATE tables SET game = 'forgotten' WHERE id = ?1", [&tables[2]]).unwrap();
    database.execute("UPDATE tables SET seats = 'many' WHERE id = ?1", [&tables[3]]).unwrap();
    drop(database);
    let app = App::new(crate::common::games(), Arc::new(Sqlite::open(&file).unwrap()), settings());
    one.app = server::app(app.clone());
    let (_, unread) = app.tables().resume().await.unwrap();
    assert_eq!(unread, 1, "the other is not even listed");
    for table in [&tables[0], &tables[1], &tables[4]] {
        let mut view = one.view(table, 0).await;
        for _ in 0..200 {
            if view["seats"][0]["waiting"] == true {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            view = one.view(table, 0).await;
        }
        assert_eq!(view["seats"][0]["waiting"], true, "its bot has not moved");
    }
}

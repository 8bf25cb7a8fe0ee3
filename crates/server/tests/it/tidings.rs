//! Absent players are told by webhook, mail and push, once and in time, and nobody else is. The receivers are
//! small ones of the test's own.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::sync::Arc;
use std::time::Duration;

use crate::common::{Caller, post_office, raw};
use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Key, Nonce};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hkdf::Hkdf;
use p256::SecretKey;
use serde_json::{Value, json};
use server::{App, Settings, Sqlite, tidings};
use sha2::Sha256;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

/// What a receiver got: path, headers in lower case, body.
struct Got {
    path: String,
    head: String,
    body: Vec<u8>,
}

/// A web server that takes whatever it is sent and answers with a status.
async fn receiver(status: u16) -> (String, mpsc::UnboundedReceiver<Got>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (tell, told) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let tell = tell.clone();
            tokio::spawn(async move {
                let mut stream = BufReader::new(stream);
                let (mut head, mut length) = (String::new(), 0);
                loop {
                    let mut line = String::new();
                    stream.read_line(&mut line).await.unwrap();
                    if line.trim().is_empty() {
                        break;
                    }
                    let line = line.to_lowercase();
                    if let Some(n) = line.strip_prefix("content-length:") {
                        length = n.trim().parse().unwrap();
                    }
                    head += &line;
                }
                let mut body = vec![0; length];
                stream.read_exact(&mut body).await.unwrap();
                // A redirect leads inside; nobody may follow it.
                let answer =
                    format!("HTTP/1.1 {status} X\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n");
                stream.get_mut().write_all(answer.as_bytes()).await.unwrap();
                let path = head.split(' ').nth(1).unwrap_or("").to_string();
                let _ = tell.send(Got { path, head, body });
            });
        }
    });
    (address, told)
}

/// A house that tells soon, and a server around it so that its chores are done.
async fn house(smtp: Option<String>, private: bool, pause: u64) -> Router {
    let told = tidings::Settings {
        smtp,
        private,
        wait: Duration::from_millis(100),
        pause: Duration::from_millis(pause),
        ..tidings::Settings::default()
    };
    let (router, stop, _) = house_that_stops(told).await;
    // It goes on for as long as the test.
    std::mem::forget(stop);
    router
}

type Served = tokio::task::JoinHandle<std::io::Result<()>>;

/// A house with a server around it that can be stopped in good order.
async fn house_that_stops(told: tidings::Settings) -> (Router, oneshot::Sender<()>, Served) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let told = tidings::Settings { link: "https://table.example".into(), ..told };
    let settings = Settings { tidings: told, ..crate::common::settings() };
    App::check(&settings).unwrap();
    let app = App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), settings);
    let (stop, stopped) = oneshot::channel();
    let served = tokio::spawn(server::serve(listener, app.clone(), async { drop(stopped.await) }));
    (server::app(app), stop, served)
}

async fn set(who: &Caller, body: Value) -> (StatusCode, Value) {
    let request = Request::put("/api/me/tidings")
        .header("authorization", format!("Bearer {}", who.token))
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
        .unwrap();
    let (status, text) = raw(&who.app, request).await;
    (status, serde_json::from_str(&text).unwrap())
}

/// What comes within a while.
async fn soon<T>(told: &mut mpsc::UnboundedReceiver<T>, wait: u64) -> Option<T> {
    tokio::time::timeout(Duration::from_millis(wait), told.recv()).await.ok().flatten()
}

async fn play(who: &Caller, table: &str, seat: u8) {
    let view = who.view(table, seat).await;
    assert_eq!(who.act(table, seat, &view, 0).await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_called_once_for_several_tables() {
    let (hook, mut told) = receiver(200).await;
    let app = house(None, true, 600).await;
    let (one, two, first) = crate::common::two_at(&app, "connect-four").await;
    // Off until it is asked for.
    play(&one, &first, 0).await;
    assert!(soon(&mut told, 400).await.is_none());
    assert_eq!(set(&two, json!({ "webhook": format!("{hook}/hook") })).await.0, StatusCode::OK);
    play(&two, &first, 1).await;
    let second = one.open("connect-four", &["me", "open"]).await;
    two.done(&format!("/api/tables/{second}/join"), json!({})).await;
    one.ready(&second, 0).await;
    two.ready(&second, 1).await;
    play(&one, &first, 0).await;
    play(&one, &second, 0).await;
    let got = soon(&mut told, 3000).await.unwrap();
    assert_eq!(got.path, "/hook");
    let body: Value = serde_json::from_slice(&got.body).unwrap();
    let mut links: Vec<_> = body["tables"].as_array().unwrap().iter().map(|t| t["link"].clone()).collect();
    links.sort_by_key(ToString::to_string);
    let mut expected = [&first, &second].map(|t| json!(format!("https://table.example/t/{t}")));
    expected.sort_by_key(ToString::to_string);
    assert_eq!(links, expected);
    assert_eq!(body["tables"][0]["name"], "Connect Four with Ada");
    assert!(body["text"].as_str().unwrap().starts_with("Your turn at 2 tables"), "{body}");
    // What has been answered meanwhile is not told, and not more often than every so often.
    play(&two, &first, 1).await;
    play(&one, &first, 0).await;
    play(&two, &first, 1).await;
    assert!(soon(&mut told, 300).await.is_none());
    play(&one, &first, 0).await;
    assert!(soon(&mut told, 3000).await.is_some());
    // No longer.
    set(&two, json!({ "webhook": "" })).await;
    play(&two, &first, 1).await;
    play(&one, &first, 0).await;
    assert!(soon(&mut told, 1200).await.is_none());
}

/// What waits to be told goes out before a server stops, and a receiver that never answers does not keep it.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_says_what_it_has_to_say() {
    let patient = || tidings::Settings { private: true, ..tidings::Settings::default() };
    assert!(patient().wait >= Duration::from_secs(30), "nothing is told by itself within this test");
    let (hook, mut told) = receiver(200).await;
    let (app, stop, served) = house_that_stops(patient()).await;
    let (one, two, table) = crate::common::two_at(&app, "connect-four").await;
    set(&two, json!({ "webhook": hook })).await;
    play(&one, &table, 0).await;
    assert!(soon(&mut told, 300).await.is_none());
    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(10), served).await.unwrap().unwrap().unwrap();
    let body: Value = serde_json::from_slice(&soon(&mut told, 100).await.unwrap().body).unwrap();
    assert!(body["text"].as_str().unwrap().starts_with("Your turn: Connect Four with Ada"), "{body}");

    let deaf = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (app, stop, served) = house_that_stops(patient()).await;
    let (one, two, table) = crate::common::two_at(&app, "connect-four").await;
    set(&two, json!({ "webhook": format!("http://{}/", deaf.local_addr().unwrap()) })).await;
    play(&one, &table, 0).await;
    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(8), served).await.unwrap().unwrap().unwrap();
}

/// Whoever waits for another is told nothing of his second thoughts.
#[tokio::test(flavor = "multi_thread")]
async fn second_thoughts_are_no_news() {
    let (hook, mut told) = receiver(200).await;
    let app = house(None, true, 0).await;
    let (one, two, table) = crate::common::two_at(&app, "ten-towns").await;
    set(&two, json!({ "webhook": hook })).await;
    // That the game begins is news.
    while soon(&mut told, 600).await.is_some() {}
    let (act, ask) = (format!("/api/tables/{table}/act"), format!("/api/tables/{table}/ask"));
    for _ in 0..2 {
        one.done(&act, json!({ "seat": 0, "actions": ["card 1"] })).await;
        assert!(soon(&mut told, 400).await.is_none());
        one.done(&ask, json!({ "seat": 0, "ask": "undo" })).await;
        assert!(soon(&mut told, 400).await.is_none());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_leads_nowhere_inside() {
    let (hook, mut told) = receiver(200).await;
    let app = house(None, false, 0).await;
    let (one, two, table) = crate::common::two_at(&app, "connect-four").await;
    for inside in [
        hook.as_str(),
        "http://localhost/",
        "http://169.254.169.254/latest",
        "http://[::1]:80/",
        "file:///etc/passwd",
    ] {
        let (status, answer) = set(&two, json!({ "webhook": inside })).await;
        assert_eq!((status, answer["error"].as_str()), (StatusCode::BAD_REQUEST, Some("wrong")), "{inside}");
    }
    assert_eq!(set(&two, json!({ "mail": "bo@example.com" })).await.0, StatusCode::CONFLICT, "no mail here");
    play(&one, &table, 0).await;
    assert!(soon(&mut told, 400).await.is_none());
    // Where private addresses are allowed, a redirect is still not followed.
    let (hook, mut told) = receiver(302).await;
    let app = house(None, true, 0).await;
    let (one, two, table) = crate::common::two_at(&app, "connect-four").await;
    set(&two, json!({ "webhook": format!("{hook}/first") })).await;
    play(&one, &table, 0).await;
    assert_eq!(soon(&mut told, 3000).await.unwrap().path, "/first");
    assert!(soon(&mut told, 400).await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_that_cannot_be_sent_changes_nothing() {
    let app = house(Some("smtp://127.0.0.1:1".into()), false, 0).await;
    let one = Caller::new(&app, "Ada").await;
    let (status, answer) = set(&one, json!({ "mail": "ada@example.com" })).await;
    assert_eq!((status, answer["error"].as_str()), (StatusCode::BAD_REQUEST, Some("wrong")), "{answer}");
    assert_eq!(one.get("/api/me/tidings").await["mail"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_goes_to_addresses_that_are_confirmed() {
    let (office, mut letters) = post_office().await;
    let app = house(Some(office), false, 0).await;
    let (one, two, table) = crate::common::two_at(&app, "connect-four").await;
    for wrong in ["bo", "bo@example.com\r\nBcc: all@example.com"] {
        assert_eq!(set(&two, json!({ "mail": wrong })).await.0, StatusCode::BAD_REQUEST);
    }
    let (status, answer) = set(&two, json!({ "mail": "bo@example.com" })).await;
    assert_eq!((status, &answer["mail_confirmed"]), (StatusCode::OK, &json!(false)));
    let (to, letter) = soon(&mut letters, 3000).await.unwrap();
    assert!(to.contains("bo@example.com"));
    // Nobody floods a stranger through us: three letters to one address, whoever asks for them.
    let mut answers = Vec::new();
    for i in 0..4 {
        let who = Caller::new(&app, &format!("Eve {i}")).await;
        answers.push(set(&who, json!({ "mail": "victim@example.com" })).await.0);
    }
    assert_eq!(answers.iter().filter(|s| **s == StatusCode::OK).count(), 3, "{answers:?}");
    assert_eq!(answers[3], StatusCode::TOO_MANY_REQUESTS);
    for _ in 0..3 {
        assert!(soon(&mut letters, 3000).await.unwrap().0.contains("victim"));
    }
    play(&one, &table, 0).await;
    assert!(soon(&mut letters, 500).await.is_none(), "nothing goes to an address that nobody confirmed");
    // The link may be broken over lines, as mail does.
    let letter = letter.replace("=\r\n", "");
    let link =
        letter.lines().find_map(|l| l.strip_prefix("https://table.example")).unwrap().trim().to_string();
    let get = |path: &str| Request::get(path).body(Body::empty()).unwrap();
    let post =
        |path: &str| Request::post(path).header("sec-fetch-site", "same-origin").body(Body::empty()).unwrap();
    assert_eq!(raw(&app, get(&link)).await.0, StatusCode::OK);
    let (_, answer) = set(&two, json!({})).await;
    assert_eq!(answer["mail_confirmed"], false, "looking is not confirming");
    let other = if link.ends_with('x') { 'y' } else { 'x' };
    let wrong = format!("{}{other}", &link[..link.len() - 1]);
    assert_eq!(raw(&app, post(&wrong)).await.0, StatusCode::FORBIDDEN);
    assert_eq!(raw(&app, post(&link)).await.0, StatusCode::OK);
    play(&two, &table, 1).await;
    play(&one, &table, 0).await;
    let (to, letter) = soon(&mut letters, 3000).await.unwrap();
    assert!(to.contains("bo@example.com"));
    assert!(letter.contains("Subject: Your turn: Connect Four with Ada"), "{letter}");
    assert!(letter.replace("=\r\n", "").contains(&format!("https://table.example/t/{table}")), "{letter}");
}

/// What a browser would read.
fn opened(own: &SecretKey, auth: &[u8], body: &[u8]) -> Value {
    let (salt, rest) = body.split_at(16);
    assert_eq!(rest[..4], 4096u32.to_be_bytes());
    let (theirs, closed) = rest[5..].split_at(usize::from(rest[4]));
    let public = p256::PublicKey::from_sec1_bytes(theirs).unwrap();
    let shared = own.diffie_hellman(&public);
    let info = [b"WebPush: info\0", &own.public_key().to_sec1_bytes()[..], theirs].concat();
    let mut material = [0; 32];
    Hkdf::<Sha256>::new(Some(auth), shared.raw_secret_bytes()).expand(&info, &mut material).unwrap();
    let keys = Hkdf::<Sha256>::new(Some(salt), &material);
    let (mut key, mut nonce) = ([0; 16], [0; 12]);
    keys.expand(b"Content-Encoding: aes128gcm\0", &mut key).unwrap();
    keys.expand(b"Content-Encoding: nonce\0", &mut nonce).unwrap();
    let plain = Aes128Gcm::new(&Key::<Aes128Gcm>::from(key)).decrypt(&Nonce::from(nonce), closed).unwrap();
    let (end, text) = plain.split_last().unwrap();
    assert_eq!(*end, 2);
    serde_json::from_slice(text).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_is_told_and_forgotten_when_it_is_gone() {
    let (service, mut told) = receiver(201).await;
    let (gone, mut told_gone) = receiver(410).await;
    let app = house(None, true, 0).await;
    let (one, two, table) = crate::common::two_at(&app, "connect-four").await;
    let (own, auth) = (SecretKey::from_slice(&[3; 32]).unwrap(), [7; 16]);
    let browser = |endpoint: String| json!({ "endpoint": endpoint, "p256dh": BASE64.encode(own.public_key().to_sec1_bytes()), "auth": BASE64.encode(auth) });
    let (status, _) = two.post("/api/me/push", json!({ "endpoint": "x", "p256dh": "x", "auth": "x" })).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    two.done("/api/me/push", browser(format!("{service}/b"))).await;
    two.done("/api/me/push", browser(format!("{gone}/b"))).await;
    play(&one, &table, 0).await;
    let got = soon(&mut told, 3000).await.unwrap();
    for holds in ["authorization: vapid t=", "content-encoding: aes128gcm", "ttl: 86400"] {
        assert!(got.head.contains(holds), "{}", got.head);
    }
    let message = opened(&own, &auth, &got.body);
    assert_eq!(message["title"], "Your turn: Connect Four with Ada");
    assert_eq!(message["link"], format!("https://table.example/t/{table}"));
    assert!(soon(&mut told_gone, 3000).await.is_some());
    tokio::time::sleep(Duration::from_millis(200)).await;
    let browsers = two.get("/api/me/tidings").await["browsers"].clone();
    assert_eq!(browsers, json!([format!("{service}/b")]), "who answers 410 is forgotten");
    let (_, page) = two.text("/you").await;
    assert!(page.contains("When it is your turn") && page.contains("data-key=\"B"), "{page}");
    let (status, worker) = two.text("/worker.js").await;
    assert!(status == StatusCode::OK && worker.contains("showNotification"));
}

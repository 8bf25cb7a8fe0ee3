//! The process is killed under load, and no action that it acknowledged is lost.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use server::{App, Sqlite};

/// Run by the other test in a process of its own; by itself it does nothing.
#[test]
fn child() {
    let Ok(file) = std::env::var("OUTREMER_TEST_DB") else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = Arc::new(Sqlite::open(file.as_ref()).unwrap());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("listening {}", listener.local_addr().unwrap());
        std::io::stdout().flush().unwrap();
        let app = App::new(crate::common::games(), store, crate::common::settings());
        server::serve(listener, app, std::future::pending()).await.unwrap();
    });
}

fn start(file: &std::path::Path) -> (Child, String) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "durability::child", "--nocapture", "--test-threads=1"])
        .env("OUTREMER_TEST_DB", file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = lines
        .map_while(Result::ok)
        .find_map(|l| l.split_once("listening ").map(|(_, a)| a.trim().to_string()))
        .expect("the child says where it listens");
    (child, address)
}

/// One request over a new connection; `None` if the server has gone.
fn call(address: &str, token: &str, method: &str, path: &str, body: &Value) -> Option<Value> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    let body = body.to_string();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
    .ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    head.starts_with("HTTP/1.1 200").then(|| serde_json::from_str(body).ok())?
}

#[test]
fn killed_under_load_it_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let (mut child, address) = start(&file);
    let acknowledged = Arc::new(AtomicUsize::new(0));
    let players: Vec<_> = (0..4)
        .map(|i| {
            let (address, total) = (address.clone(), acknowledged.clone());
            std::thread::spawn(move || {
                let name = json!({ "name": format!("P{i}") });
                let guest = call(&address, "", "POST", "/api/guests", &name).unwrap();
                let token = guest["token"].as_str().unwrap().to_string();
                let mut tables: Vec<(String, Vec<String>)> = Vec::new();
                // Games of Connect Four, both seats, until the server is gone.
                loop {
                    let wish = json!({ "game": "connect-four", "seats": ["me", "me"] });
                    let Some(opened) = call(&address, &token, "POST", "/api/tables", &wish) else { break };
                    let id = opened["id"].as_str().unwrap().to_string();
                    tables.push((id.clone(), Vec::new()));
                    for seat in 0..2 {
                        let ready = json!({ "seat": seat, "nonce": "1" });
                        call(&address, &token, "POST", &format!("/api/tables/{id}/ready"), &ready);
                    }
                    for turn in 0..30 {
                        let seat = turn % 2;
                        let path = format!("/api/tables/{id}?seat={seat}");
                        let Some(view) = call(&address, &token, "GET", &path, &json!({})) else { break };
                        let offered = view["offered"].as_array().unwrap();
                        let Some(offer) = offered.get(turn * 3 % offered.len().max(1)) else { break };
                        let action = offer["notation"].as_str().unwrap().to_string();
                        let act = json!({ "seat": seat, "actions": [action] });
                        match call(&address, &token, "POST", &format!("/api/tables/{id}/act"), &act) {
                            Some(_) => {
                                tables.last_mut().unwrap().1.push(action);
                                total.fetch_add(1, Ordering::SeqCst);
                            }
                            None => break,
                        }
                    }
                }
                (token, tables)
            })
        })
        .collect();
    let mut waited = 0;
    while acknowledged.load(Ordering::SeqCst) < 150 && waited < 600 {
        std::thread::sleep(Duration::from_millis(50));
        waited += 1;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let played: Vec<_> = players.into_iter().map(|p| p.join().unwrap()).collect();
    let total = acknowledged.load(Ordering::SeqCst);
    assert!(total >= 100, "only {total} actions were acknowledged before the end");

    // Another process finds them all, each in its place, and plays on.
    let (mut child, address) = start(&file);
    let mut found = 0;
    for (token, tables) in &played {
        for (id, actions) in tables {
            let path = format!("/api/tables/{id}?seat=0");
            let Some(view) = call(&address, token, "GET", &path, &json!({})) else {
                assert!(actions.is_empty(), "table {id} is lost");
                continue;
            };
            let pieces = view["scene"]["boards"][0]["pieces"].as_array().map_or(0, Vec::len);
            assert!(pieces >= actions.len(), "table {id}: {} acknowledged, {pieces} found", actions.len());
            assert!(pieces <= actions.len() + 1, "table {id} has what nobody played");
            assert!(view["frozen"].is_null(), "{view}");
            found += actions.len();
        }
    }
    assert_eq!(found, total);
    child.kill().unwrap();
    child.wait().unwrap();
}

//! Databases as an older version of the program has left them, with all that their people saw at that moment:
//! one table in a secret draft with standing orders and a clock that runs, one where a secret choice is thought
//! over again, one where a take-back is asked for, one that waits for players, one that is over, and a table of
//! analysis.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use serde_json::{Value, json};
use server::{App, Clock, Conduct, Limits, Settings, Store};

use super::{Caller, games, settings};

/// A file of the kept databases.
pub(crate) fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// What people saw when a database was left.
pub(crate) fn left(name: &str) -> Value {
    serde_json::from_str(&file(name)).unwrap()
}

/// A server for which no session is too old, some hours after the databases were left.
fn patient(store: Arc<dyn Store>) -> Router {
    let clock = Clock::by_hand();
    clock.pass(Duration::from_secs(3 * 3600));
    let conduct = Conduct { clock, ..settings().conduct };
    let long = Duration::from_secs(1000 * 365 * 86_400);
    let limits = Limits { session_idle: long, session_longest: long, ..settings().limits };
    server::app(App::new(games(), store, Settings { limits, conduct, ..settings() }))
}

/// What somebody sees of a table is what he saw.
async fn as_it_was(who: &Caller, table: &str, seat: u8, was: &Value, but: &[&str]) {
    let mut now = who.view(table, seat).await;
    let offered = now["offered"].as_array().unwrap();
    now["offered"] = offered.iter().map(|o| o["notation"].clone()).collect();
    for (key, value) in was.as_object().unwrap().iter().filter(|(key, _)| !but.contains(&key.as_str())) {
        assert_eq!(&now[key], value, "{key} of seat {seat} at {}", now["game"]);
    }
}

/// Lists of tables by id: all of them were touched within a second.
fn in_order(lists: &Value) -> Vec<(String, Vec<Value>)> {
    let sorted = |list: &Value| {
        let mut tables = list.as_array().unwrap().clone();
        tables.sort_by_key(|t| t["id"].to_string());
        tables
    };
    lists.as_object().unwrap().iter().map(|(name, list)| (name.clone(), sorted(list))).collect()
}

/// Everything is as it was, and whoever sat at a table plays on.
pub(crate) async fn goes_on(left: &Value, open: impl AsyncFn() -> Arc<dyn Store>) {
    let app = patient(open().await);
    let somebody = |i: usize| Caller { app: app.clone(), token: left["tokens"][i].as_str().unwrap().into() };
    let (one, two) = (somebody(0), somebody(1));
    for (name, table) in left["tables"].as_object().unwrap() {
        // A branch at which nobody has acted yet begins to count anew whenever it is loaded.
        let but: &[&str] = if name == "branch" { &["number"] } else { &[] };
        for (seat, who) in [(0, &one), (1, &two)] {
            as_it_was(who, table["id"].as_str().unwrap(), seat, &table["seen"][usize::from(seat)], but).await;
        }
    }
    for (i, who) in [&one, &two].into_iter().enumerate() {
        assert_eq!(in_order(&who.get("/api/tables").await), in_order(&left["lists"][i]));
    }
    let id = |name: &str| left["tables"][name]["id"].as_str().unwrap();
    let path = |name: &str, what: &str| format!("/api/tables/{}/{what}", id(name));
    let was = |name: &str, seat: usize| &left["tables"][name]["seen"][seat];

    // What people noted, said and asked for.
    let kept = one.get("/api/me/export").await;
    assert_eq!(kept["notes"], json!([{ "table": id("secret"), "text": "Hold Dunster" }]));
    let said: Vec<_> = kept["said"].as_array().unwrap().iter().map(|s| &s["to_allies"]).collect();
    assert_eq!(said, [false, true]);
    assert_eq!(kept["tidings"]["webhook"], "https://example.com/hook");
    let (_, page) = one.text(&format!("/t/{}", id("secret"))).await;
    assert!(page.contains("Hold Dunster"));

    // A draft under the number that its page has.
    let undone = one.post(&path("secret", "ask"), json!({ "seat": 0, "ask": "undo" })).await;
    assert_eq!(undone.0, StatusCode::OK, "{}", undone.1);
    let stale = json!({ "seat": 0, "number": was("secret", 0)["number"], "actions": ["group Arden"] });
    assert_eq!(one.post(&path("secret", "act"), stale).await.1["error"], "stale");
    // What was done is not done again; a choice that was thought over is made, and both are opened.
    let choice = |card: &str, key: &str| json!({ "seat": 1, "actions": [card], "key": key });
    assert_eq!(two.done(&path("again", "act"), choice("card 2", "k1")).await["what"], "repeated");
    let number = was("again", 1)["number"].clone();
    let again = json!({ "seat": 1, "number": number, "actions": ["card 1"] });
    two.done(&path("again", "act"), again).await;
    let view = one.view(id("again"), 0).await;
    assert_eq!((&view["held"], &view["seats"][1]["chosen"]), (&json!(false), &json!(false)));
    assert!(view["clocks"][1]["left"].as_i64() < was("again", 1)["clocks"][1]["left"].as_i64());
    // A take-back is granted.
    two.done(&path("back", "ask"), json!({ "seat": 1, "ask": "agree" })).await;
    assert_eq!(one.view(id("back"), 0).await["seats"][0]["waiting"], true);
    // A link leads to a seat, and the clocks begin.
    let eve = Caller::new(&app, "Eve").await;
    assert_eq!(eve.done(&path("gathering", "join"), json!({ "link": left["link"] })).await["seat"], 1);
    two.ready(id("gathering"), 0).await;
    eve.ready(id("gathering"), 1).await;
    let view = eve.view(id("gathering"), 1).await;
    assert_eq!((&view["stage"], &view["clocks"][0]["left"]), (&json!("running"), &json!(1_800_000)));
    // A game that is over can be read and rolled again; its branch goes on.
    assert_eq!(two.get(&path("over", "verify")).await["holds"], true);
    let view = one.view(id("branch"), 1).await;
    assert_eq!((&view["hints"], &view["analysis"]), (&json!(true), &json!(true)));
    assert_eq!(one.act(id("branch"), 1, &view, 0).await.0, StatusCode::OK);

    // And all of it is kept.
    let mut then = Vec::new();
    let tables = ["secret", "again", "back", "gathering", "over", "branch"];
    for (i, who) in [&one, &two].into_iter().enumerate() {
        for table in tables {
            then.push(who.view(id(table), i as u8).await);
        }
    }
    drop((one, two, eve, app));
    let app = patient(open().await);
    let somebody = |i: usize| Caller { app: app.clone(), token: left["tokens"][i].as_str().unwrap().into() };
    let mut then = then.into_iter();
    for i in 0..2 {
        for table in tables {
            assert_eq!(somebody(i).view(id(table), i as u8).await, then.next().unwrap(), "{table}");
        }
    }
}

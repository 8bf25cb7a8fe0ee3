//! Clocks: what they show, what they hide, what people may do when time has run out, and bots that keep a
//! seat warm. Time is moved by hand.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::common::{Caller, settings};
use axum::Router;
use axum::http::StatusCode;
use serde_json::{Value, json};
use server::{App, Clock, Conduct, Settings, Sqlite, Store};

fn house(store: Arc<dyn Store>, clock: &Clock) -> (App, Router) {
    let conduct = Conduct { clock: clock.clone(), ..settings().conduct };
    let app = App::new(crate::common::games(), store, Settings { conduct, ..settings() });
    (app.clone(), server::app(app))
}

fn fresh(clock: &Clock) -> Router {
    house(Arc::new(Sqlite::in_memory().unwrap()), clock).1
}

fn on_disk(file: &Path, clock: &Clock) -> Router {
    house(Arc::new(Sqlite::open(file).unwrap()), clock).1
}

/// Two people at a table with a minute in the bank and ten seconds for each decision.
async fn two_timed(app: &Router, game: &str) -> (Caller, Caller, String) {
    let (one, two) = (Caller::new(app, "Ada").await, Caller::new(app, "Bo").await);
    let wish = json!({ "game": game, "seats": ["me", "open"], "clock": { "bank": 60, "each": 10 } });
    let table = one.done("/api/tables", wish).await["id"].as_str().unwrap().to_string();
    two.done(&format!("/api/tables/{table}/join"), json!({})).await;
    one.ready(&table, 0).await;
    two.ready(&table, 1).await;
    (one, two, table)
}

async fn time(who: &Caller, table: &str, body: Value) -> (StatusCode, Value) {
    who.post(&format!("/api/tables/{table}/time"), body).await
}

fn last_event(view: &Value) -> &Value {
    view["events"].as_array().unwrap().last().unwrap()
}

fn left(view: &Value, seat: usize) -> i64 {
    view["clocks"][seat]["left"].as_i64().unwrap()
}

const fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

#[tokio::test]
async fn a_clock_runs_for_who_must_decide_and_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let (file, clock) = (folder.path().join("t.db"), Clock::by_hand());
    let first = on_disk(&file, &clock);
    let (mut one, mut two, table) = two_timed(&first, "tic-tac-toe").await;
    let view = two.view(&table, 1).await;
    assert_eq!((left(&view, 0), left(&view, 1)), (60_000, 60_000));
    assert!(view["clocks"][0]["since"].is_i64() && view["clocks"][1]["since"].is_null(), "{view}");
    assert_eq!(view["pace"], json!({ "bank": 60, "each": 10 }));
    clock.pass(seconds(25));
    let act = format!("/api/tables/{table}/act");
    one.done(&act, json!({ "seat": 0, "actions": ["b2"] })).await;
    let before = two.view(&table, 1).await;
    assert_eq!((left(&before, 0), left(&before, 1)), (45_000, 60_000), "ten seconds were free");
    clock.pass(seconds(5));
    drop(first);
    let second = on_disk(&file, &clock);
    (one.app, two.app) = (second.clone(), second);
    let after = two.view(&table, 1).await;
    assert_eq!(before["clocks"], after["clocks"]);
    clock.pass(seconds(64));
    assert_eq!(one.view(&table, 0).await["out_of_time"], false);
    clock.pass(seconds(1));
    assert_eq!(one.view(&table, 0).await["out_of_time"], true);
    // Better late than never: as long as nobody claims, the seat may still decide.
    two.done(&act, json!({ "seat": 1, "actions": ["a1"] })).await;
    let view = one.view(&table, 0).await;
    assert_eq!((left(&view, 1), &view["out_of_time"]), (0, &json!(false)));
}

#[tokio::test]
async fn a_claim_ends_the_game_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let (file, clock) = (folder.path().join("t.db"), Clock::by_hand());
    let first = on_disk(&file, &clock);
    let (mut one, mut two, table) = two_timed(&first, "tic-tac-toe").await;
    let eve = Caller::new(&first, "Eve").await;
    let claim = |seat: u8| json!({ "seat": seat, "ask": "claim" });
    let (status, answer) = time(&two, &table, claim(1)).await;
    assert_eq!((status, answer["error"].as_str()), (StatusCode::CONFLICT, Some("stage")), "{answer}");
    clock.pass(seconds(70));
    assert_eq!(time(&one, &table, claim(0)).await.0, StatusCode::FORBIDDEN, "his own time has run out");
    assert_eq!(time(&eve, &table, claim(1)).await.0, StatusCode::FORBIDDEN);
    assert_eq!(time(&two, &table, claim(9)).await.0, StatusCode::NOT_FOUND);
    assert_eq!(time(&two, &table, claim(1)).await.0, StatusCode::OK);
    for restarted in [false, true] {
        if restarted {
            let again = on_disk(&file, &clock);
            (one.app, two.app) = (again.clone(), again);
        }
        let view = one.view(&table, 0).await;
        assert_eq!((&view["stage"], &view["claimed_by"]), (&json!("over"), &json!([1])), "{view}");
        assert_eq!(view["offered"], json!([]));
        assert_eq!(last_event(&view)["text"], "Time ran out for Cross: Nought claimed the game");
        assert!(view["seed"].is_string(), "everything is open now");
        let act = json!({ "seat": 0, "actions": ["b2"] });
        let (status, answer) = one.post(&format!("/api/tables/{table}/act"), act).await;
        assert_eq!((status, answer["error"].as_str()), (StatusCode::CONFLICT, Some("over")));
        assert_eq!(time(&two, &table, claim(1)).await.0, StatusCode::CONFLICT);
        assert_eq!(one.text(&format!("/t/{table}/record")).await.0, StatusCode::OK);
        let (_, page) = one.text(&format!("/t/{table}")).await;
        assert!(page.contains("<b>Nought wins</b>"), "who won");
        assert!(page.contains("<p class=\"why\">Time ran out for Cross: Nought claimed the game"), "and why");
    }
    assert!(one.done(&format!("/api/tables/{table}/rematch"), json!({})).await["id"].is_string());
}

#[tokio::test]
async fn an_opponent_grants_time() {
    let clock = Clock::by_hand();
    let (one, two, table) = two_timed(&fresh(&clock), "tic-tac-toe").await;
    clock.pass(seconds(100));
    let grant = |seat: u8, to: u8, n: u32| json!({ "seat": seat, "ask": "grant", "to": to, "seconds": n });
    assert_eq!(time(&one, &table, grant(0, 0, 60)).await.0, StatusCode::FORBIDDEN);
    assert_eq!(time(&two, &table, grant(1, 0, 0)).await.0, StatusCode::BAD_REQUEST);
    assert_eq!(time(&two, &table, grant(1, 0, u32::MAX)).await.0, StatusCode::BAD_REQUEST);
    assert_eq!(two.view(&table, 1).await["out_of_time"], true);
    assert_eq!(time(&two, &table, grant(1, 0, 60)).await.0, StatusCode::OK);
    assert_eq!(two.view(&table, 1).await["out_of_time"], false);
    clock.pass(seconds(59));
    assert_eq!(two.view(&table, 1).await["out_of_time"], false);
    clock.pass(seconds(1));
    assert_eq!(two.view(&table, 1).await["out_of_time"], true);
    assert_eq!(last_event(&two.view(&table, 1).await)["text"], "Nought gave Cross 60 seconds more");
}

/// Waits until a view is as it should be.
async fn until(who: &Caller, table: &str, seat: u8, is: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..500 {
        let view = who.view(table, seat).await;
        if is(&view) {
            return view;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never came to that: {}", who.view(table, seat).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_takes_over_until_its_player_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let (file, clock) = (folder.path().join("t.db"), Clock::by_hand());
    let app = on_disk(&file, &clock);
    let (mut one, mut two, table) = two_timed(&app, "connect-four").await;
    let replace = json!({ "seat": 1, "ask": "replace", "level": "random" });
    assert_eq!(time(&two, &table, replace.clone()).await.0, StatusCode::CONFLICT);
    clock.pass(seconds(70));
    assert_eq!(time(&two, &table, replace).await.0, StatusCode::OK);
    let view = until(&two, &table, 1, |v| v["seats"][1]["waiting"] == true).await;
    assert_eq!(view["seats"][0]["stand_in"], "Pilgrim");
    assert!(view["clocks"][0]["since"].is_null(), "a bot has no clock");
    // The bot goes on after a restart, and the player comes back by acting.
    let app = on_disk(&file, &clock);
    (one.app, two.app) = (app.clone(), app);
    two.act(&table, 1, &two.view(&table, 1).await, 0).await;
    until(&two, &table, 1, |v| v["seats"][1]["waiting"] == true).await;
    assert_eq!(time(&one, &table, json!({ "seat": 0, "ask": "return" })).await.0, StatusCode::OK);
    two.act(&table, 1, &two.view(&table, 1).await, 0).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let view = one.view(&table, 0).await;
    assert_eq!((&view["seats"][0]["waiting"], &view["seats"][0]["stand_in"]), (&json!(true), &Value::Null));
    let texts: Vec<_> = view["events"].as_array().unwrap().iter().map(|e| e["text"].clone()).collect();
    let told = ["Somebody sat down as Yellow", "A bot (Pilgrim) sits in for Red", "Red is back"];
    assert_eq!(texts, told);
    // He asks for it himself, without any clock having run out, and comes back by acting.
    let sit_in = |seat: u8| json!({ "seat": seat, "ask": "sit-in", "level": "random" });
    assert_eq!(time(&one, &table, sit_in(0)).await.0, StatusCode::OK);
    // With three discs nobody has won by chance.
    until(&two, &table, 1, |v| v["seats"][1]["waiting"] == true).await;
    let (status, answer) =
        one.post(&format!("/api/tables/{table}/ask"), json!({ "seat": 0, "ask": "undo" })).await;
    assert_eq!((status, answer["error"].as_str()), (StatusCode::CONFLICT, Some("nothing-to-undo")));
    assert_eq!(one.view(&table, 0).await["seats"][0]["stand_in"], Value::Null);
    // Where there are clocks nobody puts a bot in another's place before they say so, not even the host.
    assert_eq!(time(&two, &table, sit_in(0)).await.0, StatusCode::FORBIDDEN);
    assert_eq!(time(&one, &table, sit_in(1)).await.0, StatusCode::FORBIDDEN);
}

/// Without clocks, a bot sits in for somebody who is away after it was announced and the time has passed that the
/// table states; who is seen meanwhile keeps his seat.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_replaced_by_one_click() {
    let clock = Clock::by_hand();
    let app = fresh(&clock);
    let (one, two) = (Caller::new(&app, "Ada").await, Caller::new(&app, "Bo").await);
    let wish = |absence: u32| json!({ "game": "connect-four", "seats": ["open", "me"], "absence": absence });
    for wrong in [0, 3599, 31 * 86_400] {
        assert_eq!(two.post("/api/tables", wish(wrong)).await.0, StatusCode::BAD_REQUEST, "{wrong}");
    }
    let table = two.done("/api/tables", wish(7200)).await["id"].as_str().unwrap().to_string();
    one.done(&format!("/api/tables/{table}/join"), json!({})).await;
    one.ready(&table, 0).await;
    two.ready(&table, 1).await;
    // Bo is the host, and Ada must decide and does not look.
    let sit_in = json!({ "seat": 0, "ask": "sit-in", "level": "random" });
    let stand_in = async || two.view(&table, 1).await["seats"][0]["stand_in"].clone();
    let (status, answer) = time(&two, &table, sit_in.clone()).await;
    assert_eq!((status, &answer["what"]), (StatusCode::OK, &json!("announced")), "{answer}");
    assert_eq!(stand_in().await, Value::Null, "not by one click");
    let view = two.view(&table, 1).await;
    assert_eq!(last_event(&view)["text"], "Red is away: in 2 hours a bot may sit in");
    assert_eq!((&view["absence"], &view["seats"][0]["due"]), (&json!(7200), &answer["due"]));
    clock.pass(seconds(7199));
    assert_eq!(time(&two, &table, sit_in.clone()).await.1["what"], "announced");
    // She opens the table, and all begins anew.
    assert_eq!(one.view(&table, 0).await["seats"][0]["due"], Value::Null);
    clock.pass(seconds(10));
    assert_eq!(time(&two, &table, sit_in.clone()).await.1["what"], "announced");
    assert_eq!(stand_in().await, Value::Null);
    // A stranger has no say in it.
    let eve = Caller::new(&app, "Eve").await;
    assert_eq!(time(&eve, &table, sit_in.clone()).await.0, StatusCode::FORBIDDEN);
    clock.pass(seconds(7200));
    assert_eq!(time(&eve, &table, sit_in.clone()).await.0, StatusCode::FORBIDDEN);
    assert_eq!(time(&two, &table, sit_in.clone()).await.1["what"], "done");
    let pieces = |view: &Value| view["scene"]["boards"][0]["pieces"].as_array().unwrap().len();
    until(&two, &table, 1, |v| pieces(v) == 1).await;
    // She comes back and takes back what the bot did; nobody has learned anything.
    assert_eq!(one.view(&table, 0).await["bot_undo"], true);
    assert!(one.text(&format!("/t/{table}")).await.1.contains("Take it back"));
    let back = json!({ "seat": 0, "ask": "take-back" });
    assert_eq!(time(&two, &table, json!({ "seat": 1, "ask": "take-back" })).await.0, StatusCode::CONFLICT);
    assert_eq!(time(&one, &table, back.clone()).await.0, StatusCode::OK);
    let view = two.view(&table, 1).await;
    assert_eq!((pieces(&view), &view["seats"][0]["stand_in"]), (0, &Value::Null));
    assert_eq!(last_event(&view)["text"], "Red took back what the bot did");
    assert_eq!(time(&one, &table, back.clone()).await.0, StatusCode::CONFLICT, "once");
    // When another has decided since, the others are to be asked.
    assert_eq!(time(&one, &table, sit_in).await.1["what"], "done", "by her own wish at once");
    until(&two, &table, 1, |v| v["seats"][1]["waiting"] == true).await;
    two.act(&table, 1, &two.view(&table, 1).await, 0).await;
    let (status, answer) = time(&one, &table, back).await;
    assert_eq!((status, answer["error"].as_str()), (StatusCode::CONFLICT, Some("stage")), "{answer}");
    let view = one.view(&table, 0).await;
    assert_eq!((pieces(&view) >= 2, &view["bot_undo"]), (true, &json!(false)));
}

/// Dice that a bot has rolled stay rolled.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_drawn_for_somebody_stays_drawn() {
    let app = fresh(&Clock::by_hand());
    let one = Caller::new(&app, "Ada").await;
    let table = one.open("ten-towns", &["me", "me"]).await;
    for seat in 0..2 {
        one.ready(&table, seat).await;
    }
    // Both choices are opened by the second, which the bot makes.
    play(&one, &table, 0, "card 3").await;
    let sit_in = json!({ "seat": 1, "ask": "sit-in", "level": "random" });
    assert_eq!(time(&one, &table, sit_in).await.0, StatusCode::OK);
    until(&one, &table, 0, |v| !v["journal"].to_string().contains("nothing") && v["held"] == false).await;
    let (status, _) = time(&one, &table, json!({ "seat": 1, "ask": "take-back" })).await;
    assert_eq!(status, StatusCode::CONFLICT);
}

/// A seat is left for good: before the game it is free, in the game a bot plays on.
#[tokio::test(flavor = "multi_thread")]
async fn a_seat_is_given_up() {
    let app = fresh(&Clock::by_hand());
    let (one, two) = (Caller::new(&app, "Ada").await, Caller::new(&app, "Bo").await);
    let table = one.open("connect-four", &["me", "open"]).await;
    two.done(&format!("/api/tables/{table}/join"), json!({})).await;
    let leave = json!({ "seat": 1, "ask": "give-up" });
    assert_eq!(time(&one, &table, leave.clone()).await.0, StatusCode::FORBIDDEN);
    assert_eq!(time(&two, &table, leave.clone()).await.0, StatusCode::OK);
    assert_eq!(one.view(&table, 0).await["seats"][1]["kind"], "open");
    two.done(&format!("/api/tables/{table}/join"), json!({})).await;
    one.ready(&table, 0).await;
    two.ready(&table, 1).await;
    assert_eq!(time(&two, &table, leave).await.0, StatusCode::OK);
    let view = one.view(&table, 0).await;
    assert_eq!((&view["seats"][1]["kind"], &view["seats"][1]["player"]), (&json!("bot"), &json!("Squire")));
    assert_eq!(two.view(&table, 1).await["seats"][1]["own"], false);
    assert_eq!(two.post(&format!("/api/tables/{table}/join"), json!({})).await.0, StatusCode::FORBIDDEN);
    let invite = format!("/api/tables/{table}/invite/1");
    assert_eq!(one.post(&invite, json!({})).await.0, StatusCode::FORBIDDEN, "nor has the host a link to it");
    one.act(&table, 0, &one.view(&table, 0).await, 0).await;
    until(&one, &table, 0, |v| v["seats"][0]["waiting"] == true).await;
}

/// Everything that others can be sent while one of two chooses in secret.
async fn sent_to_others(two: &Caller, eve: &Caller, table: &str) -> Vec<Value> {
    let mut all = vec![two.view(table, 1).await, eve.view(table, 0).await];
    for who in [two, eve] {
        all.push(who.text(&format!("/t/{table}")).await.1.into());
        all.push(who.get("/api/tables").await);
        all.push(who.text("/").await.1.into());
    }
    let (status, claim) = time(two, table, json!({ "seat": 1, "ask": "claim" })).await;
    all.push(json!([status.as_u16(), claim]));
    let (status, answer) =
        eve.post(&format!("/api/tables/{table}/act"), json!({ "seat": 0, "actions": ["card 1"] })).await;
    all.push(json!([status.as_u16(), answer]));
    all
}

/// Seats that the table waits for, and seats that have chosen, as somebody is shown them.
fn awaited(view: &Value) -> Value {
    let of = |key: &str| {
        let seats = view["seats"].as_array().unwrap().iter();
        seats.filter(|s| s[key] == true).map(|s| s["seat"].clone()).collect::<Vec<_>>()
    };
    json!([of("waiting"), of("chosen")])
}

async fn undo(who: &Caller, table: &str, seat: u8) {
    who.done(&format!("/api/tables/{table}/ask"), json!({ "seat": seat, "ask": "undo" })).await;
}

async fn play(who: &Caller, table: &str, seat: u8, card: &str) -> Value {
    who.done(&format!("/api/tables/{table}/act"), json!({ "seat": seat, "actions": [card] })).await
}

/// Others learn that a seat has chosen, once; whether it changes its mind they learn neither now nor from the
/// clocks afterwards, nor from a server that was started anew.
#[tokio::test]
async fn who_has_chosen_is_known_and_who_thinks_again_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let (file, clock) = (folder.path().join("t.db"), Clock::by_hand());
    let app = on_disk(&file, &clock);
    let (mut one, mut two, table) = two_timed(&app, "ten-towns").await;
    let mut eve = Caller::new(&app, "Eve").await;
    let unaware = sent_to_others(&two, &eve, &table).await;
    assert_eq!(awaited(&unaware[0]), json!([[0, 1], []]));
    clock.pass(seconds(20));
    assert_eq!(play(&one, &table, 0, "card 3").await["what"], "held");
    let told = sent_to_others(&two, &eve, &table).await;
    for view in &told[..2] {
        assert_eq!(awaited(view), json!([[1], [0]]));
        assert_eq!(left(view, 0), 50_000, "twenty seconds, ten of them free");
        assert!(view["clocks"][0]["since"].is_null(), "the clock stands: {view}");
    }
    assert!(told[2].as_str().unwrap().contains("Red has chosen; waiting for you."), "{}", told[2]);
    assert!(two.text(&format!("/t/{table}")).await.1.contains("Red has chosen; waiting for you."));
    assert!(eve.text(&format!("/t/{table}")).await.1.contains("Red has chosen; waiting for Blue."));
    assert!(one.text(&format!("/t/{table}")).await.1.contains("You have chosen; waiting for Blue."));
    assert_eq!(awaited(&one.view(&table, 0).await), json!([[1], [0]]));
    // He changes his mind twice, by taking back and by choosing anew; nothing tells.
    undo(&one, &table, 0).await;
    assert_eq!(awaited(&one.view(&table, 0).await), json!([[0, 1], []]), "he knows it himself");
    assert_eq!(sent_to_others(&two, &eve, &table).await, told, "taken back");
    clock.pass(seconds(5));
    // A new server, and one that still thinks again.
    let again = on_disk(&file, &clock);
    (one.app, two.app, eve.app) = (again.clone(), again.clone(), again);
    assert_eq!(sent_to_others(&two, &eve, &table).await, told, "after a restart");
    for card in ["card 2", "card 1"] {
        assert_eq!(play(&one, &table, 0, card).await["what"], "held");
        assert_eq!(sent_to_others(&two, &eve, &table).await, told, "chosen anew");
    }
    // Blue is late, and only Blue; Red, thinking again, may not claim before he has chosen.
    undo(&one, &table, 0).await;
    clock.pass(seconds(45));
    assert_eq!(two.view(&table, 1).await["out_of_time"], true);
    assert_eq!(time(&two, &table, json!({ "seat": 1, "ask": "claim" })).await.0, StatusCode::FORBIDDEN);
    assert_ne!(time(&one, &table, json!({ "seat": 0, "ask": "claim" })).await.0, StatusCode::OK);
    play(&one, &table, 0, "card 2").await;
    clock.pass(seconds(10));
    play(&two, &table, 1, "card 1").await;
    let view = two.view(&table, 1).await;
    assert_eq!((left(&view, 0), left(&view, 1)), (50_000, 0), "no bank tells of the second thoughts");
    assert_eq!(awaited(&view), json!([[0], []]), "a new decision, and nobody has chosen");
}

/// When all have chosen once and one thinks again, the others wait for him: they know it, his clock runs, and
/// the game can be claimed when it has run out.
#[tokio::test]
async fn who_keeps_all_others_waiting_is_awaited() {
    let clock = Clock::by_hand();
    let app = fresh(&clock);
    let (one, two, table) = two_timed(&app, "ten-towns").await;
    let eve = Caller::new(&app, "Eve").await;
    play(&one, &table, 0, "card 3").await;
    undo(&one, &table, 0).await;
    clock.pass(seconds(30));
    assert_eq!(play(&two, &table, 1, "card 1").await["what"], "held");
    assert_eq!(awaited(&two.view(&table, 1).await), json!([[0], [1]]));
    assert_eq!(awaited(&one.view(&table, 0).await), json!([[0], [1]]));
    let seen = eve.view(&table, 0).await;
    assert_eq!(awaited(&seen), json!([[0, 1], []]), "one of the two, an onlooker cannot tell which");
    // The onlooker is told nothing of who it is.
    undo(&two, &table, 1).await;
    assert_eq!(eve.view(&table, 0).await, seen);
    play(&two, &table, 1, "card 2").await;
    assert_eq!(eve.view(&table, 0).await, seen);
    let claim = json!({ "seat": 1, "ask": "claim" });
    clock.pass(seconds(69));
    assert_eq!(time(&two, &table, claim.clone()).await.0, StatusCode::CONFLICT);
    clock.pass(seconds(1));
    assert_eq!(time(&two, &table, claim).await.0, StatusCode::OK);
    let view = two.view(&table, 1).await;
    assert_eq!((&view["claimed_by"], &last_event(&view)["out"]), (&json!([1]), &json!([0])));
}

#[tokio::test]
async fn a_clock_must_make_sense() {
    let app = fresh(&Clock::by_hand());
    let one = Caller::new(&app, "Ada").await;
    for clock in [json!({ "bank": 0 }), json!({ "bank": 99_999_999 }), json!({ "bank": -1 }), json!("fast")] {
        let wish = json!({ "game": "tic-tac-toe", "seats": ["me", "open"], "clock": clock });
        let (status, answer) = one.post("/api/tables", wish).await;
        assert_eq!((status, answer["error"].as_str()), (StatusCode::BAD_REQUEST, Some("wrong")), "{clock}");
    }
    assert_eq!(one.text("/g/tic-tac-toe").await.1.matches("name=\"clock\"").count(), 1);
}

/// Those who look at the table are told when time runs out, without asking.
#[tokio::test]
async fn a_clock_that_runs_out_is_news() {
    let clock = Clock::by_hand();
    let (app, router) = house(Arc::new(Sqlite::in_memory().unwrap()), &clock);
    let (_, _, table) = two_timed(&router, "tic-tac-toe").await;
    let news = app.tables().find(&table.parse().unwrap()).await.unwrap().listen(table::SeatSet::NONE);
    app.tables().tick().await;
    assert!(!news.has_changed());
    clock.pass(seconds(70));
    app.tables().tick().await;
    assert!(news.has_changed());
}

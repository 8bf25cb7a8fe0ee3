//! What a table does with actions that are stale, repeated, forbidden or not one's own, and with a rule that
//! fails; what survives a restart; what the door keeps out.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::sync::Arc;

use crate::common::{Caller, fresh, house, raw, settings, two_at};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use server::{App, Limits, Settings, Sqlite};

#[tokio::test]
async fn stale_and_repeated_actions_change_nothing() {
    let app = fresh();
    let (one, two, table) = two_at(&app, "tic-tac-toe").await;
    let path = format!("/api/tables/{table}/act");
    let view = one.view(&table, 0).await;
    let body = json!({ "seat": 0, "number": view["number"], "actions": ["b2"], "key": "first" });
    assert_eq!(one.done(&path, body.clone()).await["what"], "committed");
    let after = one.view(&table, 0).await;
    // The same request again is done once.
    assert_eq!(one.done(&path, body).await["what"], "repeated");
    assert_eq!(one.view(&table, 0).await, after);
    two.done(&path, json!({ "seat": 1, "actions": ["a1"] })).await;
    // An old number gets the present state.
    let (status, answer) =
        one.post(&path, json!({ "seat": 0, "number": view["number"], "actions": ["c3"] })).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert_eq!(answer["error"], "stale");
    assert_eq!(answer["view"], one.view(&table, 0).await);
    // A number of another life of the table is stale too.
    let (status, _) = one.post(&path, json!({ "seat": 0, "number": 1, "actions": ["c3"] })).await;
    assert_eq!(status, StatusCode::CONFLICT);
}

/// A browser leaves while its request is under way, at any moment of it: what was written is seen by all, and
/// asking again neither fails nor does it twice.
#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_leaves_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&folder.path().join("tables.db")).unwrap();
    let app = house(Arc::new(store));
    for wait in [1, 30, 100, 200, 400, 800, 1600, 3200] {
        let (one, two, table) = two_at(&app, "tic-tac-toe").await;
        let path = format!("/api/tables/{table}/act");
        let body = json!({ "seat": 0, "actions": ["b2"], "key": "left" });
        let patience = std::time::Duration::from_micros(wait);
        let _ = tokio::time::timeout(patience, one.post(&path, body.clone())).await;
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        let (status, answer) = one.post(&path, body).await;
        assert_eq!(status, StatusCode::OK, "left after {wait} µs: {answer}");
        let pieces = |view: &Value| view["scene"]["boards"][0]["pieces"].as_array().map_or(0, Vec::len);
        assert_eq!(pieces(&two.view(&table, 1).await), 1, "left after {wait} µs");
        two.done(&path, json!({ "seat": 1, "actions": ["a1"] })).await;
    }
}

#[tokio::test]
async fn strangers_and_the_wrong_seat_are_turned_away() {
    let app = fresh();
    let (one, two, table) = two_at(&app, "tic-tac-toe").await;
    let eve = Caller::new(&app, "Eve").await;
    let path = format!("/api/tables/{table}/act");
    for (who, seat) in [(&eve, 0), (&two, 0), (&one, 1), (&eve, 7), (&eve, 200)] {
        let (status, answer) = who.post(&path, json!({ "seat": seat, "actions": ["b2"] })).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{answer}");
        assert_eq!(answer["error"], "not-yours");
    }
    let nobody = Caller { app: app.clone(), token: "guess".into() };
    let (status, _) = nobody.post(&path, json!({ "seat": 0, "actions": ["b2"] })).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    // It is not this seat's turn; and what is read must be readable.
    let (status, _) = two.post(&path, json!({ "seat": 1, "actions": ["b2"] })).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (status, answer) = one.post(&path, json!({ "seat": 0, "actions": ["z9"] })).await;
    assert_eq!((status, answer["error"].as_str()), (StatusCode::BAD_REQUEST, Some("unreadable")));
    // A refusal cites its rule.
    one.done(&path, json!({ "seat": 0, "actions": ["b2"] })).await;
    let (status, answer) = two.post(&path, json!({ "seat": 1, "actions": ["b2"] })).await;
    assert_eq!((status, answer["error"].as_str()), (StatusCode::CONFLICT, Some("refused")));
    assert!(answer["rule"].is_string());
    // Only the holder makes a link for a seat; the link opens it, an older one does not.
    let (status, _) = eve.post(&format!("/api/tables/{table}/invite/0"), json!({})).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let old = one.done(&format!("/api/tables/{table}/invite/0"), json!({})).await;
    let new = one.done(&format!("/api/tables/{table}/invite/0"), json!({})).await;
    let join = format!("/api/tables/{table}/join");
    assert_eq!(eve.post(&join, json!({ "link": old["link"] })).await.0, StatusCode::FORBIDDEN);
    assert_eq!(eve.done(&join, json!({ "link": new["link"] })).await["seat"], 0);
}

#[tokio::test]
async fn a_restart_loses_no_entry_no_draft_and_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let first = house(Arc::new(Sqlite::open(&file).unwrap()));
    let (mut one, mut two, table) = two_at(&first, "ten-towns").await;
    let path = format!("/api/tables/{table}/act");
    // Red's card is held in secret; Blue has not chosen.
    let view = one.view(&table, 0).await;
    let body = json!({ "seat": 0, "actions": [view["offered"][0]["notation"]], "key": "k" });
    assert_eq!(one.done(&path, body.clone()).await["what"], "held");
    one.done(&format!("/api/tables/{table}/say"), json!({ "text": "<b>deus vult</b>" })).await;
    let before = [one.view(&table, 0).await, two.view(&table, 1).await];
    drop(first);
    let second = house(Arc::new(Sqlite::open(&file).unwrap()));
    (one.app, two.app) = (second.clone(), second);
    let after = [one.view(&table, 0).await, two.view(&table, 1).await];
    // Even the numbers of decisions, so that a page that was open goes on.
    assert_eq!(before, after);
    assert_eq!(one.done(&path, body).await["what"], "repeated");
    assert_eq!(one.view(&table, 0).await["held"], true);
    let view = two.view(&table, 1).await;
    assert_eq!(two.act(&table, 1, &view, 0).await.0, StatusCode::OK);
    assert_eq!(one.view(&table, 0).await["held"], false, "both have chosen, so both choices are entered");
    // What people write is escaped.
    let (_, page) = two.text(&format!("/t/{table}")).await;
    assert!(page.contains("&lt;b&gt;deus vult") && !page.contains("<b>deus vult"));
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_play_to_the_end_and_agree_to_take_backs() {
    let app = fresh();
    let one = Caller::new(&app, "Ada").await;
    let table = one.open("ten-towns", &["bot:greedy", "bot:random"]).await;
    for _ in 0..2000 {
        if one.view(&table, 0).await["stage"] == "over" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(one.view(&table, 0).await["stage"], "over");
    let table = one.open("connect-four", &["me", "bot:random"]).await;
    one.ready(&table, 0).await;
    let view = one.view(&table, 0).await;
    assert_eq!(one.act(&table, 0, &view, 0).await.0, StatusCode::OK);
    one.done(&format!("/api/tables/{table}/ask"), json!({ "seat": 0, "ask": "take-back" })).await;
    let view = one.view(&table, 0).await;
    assert_eq!(view["seats"][0]["waiting"], true);
    assert!(view["journal"].to_string().contains("took moves back"));
}

#[tokio::test]
async fn pages_show_a_game_from_lobby_to_replay() {
    let app = fresh();
    let (one, _two, table) = two_at(&app, "ten-towns").await;
    for (path, holds) in [
        ("/".to_string(), "Play against a bot"),
        ("/g/ten-towns".to_string(), "By invitation link"),
        ("/g/ten-towns/cover.svg".to_string(), "<svg"),
        ("/rules/ten-towns".to_string(), "Show me"),
        ("/g/ten-towns/vignette/0".to_string(), "<figure"),
        (format!("/t/{table}"), "choose a card in secret"),
        (format!("/t/{table}/replay"), "looking back"),
        (format!("/t/{table}/moment?at=0"), "boards"),
        ("/you".to_string(), "You are"),
        ("/api".to_string(), "/api/tables/{id}/act"),
        ("/api/openapi.json".to_string(), "openapi"),
        ("/health".to_string(), "ok"),
        ("/metrics".to_string(), "outremer_actions_total"),
        ("/static/style.css".to_string(), "--paper"),
    ] {
        let (status, text) = one.text(&path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {text}");
        assert!(text.contains(holds), "{path} lacks `{holds}`");
        assert!(
            !text.contains("<script>") && !text.contains("style=\""),
            "{path} holds inline script or style"
        );
    }
    assert_eq!(one.text("/t/nowhere").await.0, StatusCode::NOT_FOUND);
    assert_eq!(one.text("/elsewhere").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn accounts_keep_seats_across_devices() {
    let app = fresh();
    let form = |path: &str, cookie: &str, body: &str| {
        Request::post(path)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin")
            .header("cookie", format!("outremer={cookie}"))
            .body(Body::from(body.to_string()))
            .unwrap()
    };
    let one = Caller::new(&app, "Ada").await;
    let table = one.open("tic-tac-toe", &["me", "open"]).await;
    let register = form("/account", &one.token, "name=Ada&password=hospitaller");
    assert_eq!(raw(&app, register).await.0, StatusCode::SEE_OTHER);
    use tower::ServiceExt;
    let answer = app.clone().oneshot(form("/login", "", "name=ada&password=hospitaller")).await.unwrap();
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_string();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let token = cookie.split(['=', ';']).nth(1).unwrap().to_string();
    let elsewhere = Caller { app: app.clone(), token };
    assert_eq!(elsewhere.view(&table, 0).await["seats"][0]["own"], true);
    let (status, _) = raw(&app, form("/login", "", "name=Ada&password=templar-templar")).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    // The name is taken now, and a short password is none.
    let two = Caller::new(&app, "Bo").await;
    let (status, page) = raw(&app, form("/account", &two.token, "name=ADA&password=hospitaller")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(page.contains("choose another"), "{page}");
    assert_eq!(
        raw(&app, form("/account", &two.token, "name=Bo&password=short")).await.0,
        StatusCode::BAD_REQUEST
    );
}

#[tokio::test]
async fn the_door_keeps_out_other_sites_floods_and_giants() {
    let app = fresh();
    let one = Caller::new(&app, "Ada").await;
    let from = |site: &str| {
        Request::post("/play")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("cookie", format!("outremer={}", one.token))
            .header("sec-fetch-site", site)
            .body(Body::from("game=tic-tac-toe"))
            .unwrap()
    };
    assert_eq!(raw(&app, from("cross-site")).await.0, StatusCode::FORBIDDEN);
    assert_eq!(raw(&app, from("same-origin")).await.0, StatusCode::SEE_OTHER);
    let giant = json!({ "name": "x".repeat(100_000) });
    assert!(one.post("/api/guests", giant).await.0.is_client_error());
    let (status, answer) = one.post("/api/guests", json!({ "nom": "x" })).await;
    assert_eq!((status, answer["error"].as_str()), (StatusCode::BAD_REQUEST, Some("wrong")));
    let strict = Settings { limits: Limits { rate: 2, ..Limits::default() }, ..settings() };
    let app = server::app(App::new(crate::common::games(), Arc::new(Sqlite::in_memory().unwrap()), strict));
    let one = Caller::new(&app, "Ada").await;
    let mut answers = Vec::new();
    for _ in 0..20 {
        answers.push(one.post("/api/guests", json!({ "name": "x" })).await.0);
    }
    assert!(answers.contains(&StatusCode::TOO_MANY_REQUESTS));
    // Every answer has its headers.
    use tower::ServiceExt;
    let answer = app.oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();
    let policy = answer.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe-inline"), "{policy}");
}

/// A game whose rules fail at one action.
mod fragile {
    use table::*;

    pub(crate) struct Fragile(pub(crate) Box<dyn AnyGame>);
    struct FragileMatch(Box<dyn AnyMatch>);

    impl AnyGame for Fragile {
        fn title(&self) -> &Title {
            self.0.title()
        }
        fn open(&self, setup: Setup, seed: Seed, nonces: Nonces) -> Result<Box<dyn AnyMatch>, SetupError> {
            Ok(Box::new(FragileMatch(self.0.open(setup, seed, nonces)?)))
        }
        fn replay(&self, record: &Record, to: Option<u32>) -> Result<Box<dyn AnyMatch>, ReplayError> {
            Ok(Box::new(FragileMatch(self.0.replay(record, to)?)))
        }
        fn play_vignette(&self, vignette: &Vignette) -> Result<Played, DataError> {
            self.0.play_vignette(vignette)
        }
        fn examine(
            &self,
            examination: &conformance::Examination,
            progress: &mut dyn FnMut(&conformance::Findings),
        ) -> conformance::Findings {
            self.0.examine(examination, progress)
        }
        fn simulate(&self, plan: &Plan, progress: &mut dyn FnMut(&Tally)) -> Result<Tally, Stuck> {
            self.0.simulate(plan, progress)
        }
        fn note_moments(
            &self,
            tuning: &Tuning,
            progress: &mut dyn FnMut(u64),
        ) -> Result<Moments, SetupError> {
            self.0.note_moments(tuning, progress)
        }
        fn retrace(
            &self,
            record: &Record,
            look: &mut dyn FnMut(&dyn AnyMatch),
        ) -> Result<Box<dyn AnyMatch>, ReplayError> {
            self.0.retrace(record, look)
        }
        fn note_record(&self, record: &Record, every: u32, seed: u64) -> Result<Moments, ReplayError> {
            self.0.note_record(record, every, seed)
        }
        fn figures(&self) -> Vec<(habits::Figure, f32)> {
            self.0.figures()
        }
        fn normal_form(&self, text: &str) -> Result<Notation, ReadError> {
            self.0.normal_form(text)
        }
        fn with_amount(&self, text: &str, amount: u32) -> Result<Notation, ReadError> {
            self.0.with_amount(text, amount)
        }
        fn lets_join(&self) -> bool {
            self.0.lets_join()
        }
        fn position_bytes(&self) -> usize {
            self.0.position_bytes()
        }
        fn clone_positions(&self, actions: u32, times: u32) -> Result<(), Stuck> {
            self.0.clone_positions(actions, times)
        }
    }

    macro_rules! pass_on {
        ($(fn $name:ident(&self $(, $arg:ident: $kind:ty)*) -> $answer:ty;)*) => {
            $(fn $name(&self $(, $arg: $kind)*) -> $answer { self.0.$name($($arg),*) })*
        };
    }
    macro_rules! pass_on_mut {
        ($(fn $name:ident(&mut self $(, $arg:ident: $kind:ty)*) -> $answer:ty;)*) => {
            $(fn $name(&mut self $(, $arg: $kind)*) -> $answer { self.0.$name($($arg),*) })*
        };
    }

    impl AnyMatch for FragileMatch {
        fn thought(&self, seat: Seat) -> Option<Box<dyn table::Thought>> {
            self.0.thought(seat)
        }
        pass_on! {
            fn title(&self) -> &Title;
            fn setup(&self) -> &Setup;
            fn party(&self) -> SeatSet;
            fn moments(&self, viewer: Viewer) -> usize;
            fn turns(&self, viewer: Viewer) -> Vec<usize>;
            fn offered_orders(&self, seat: Seat) -> Vec<OfferedOrder>;
            fn order_states(&self, seat: Seat) -> Vec<OrderState>;
            fn windows(&self) -> SeatSet;
            fn holds(&self, seat: Seat) -> bool;
            fn latecomers(&self) -> SeatSet;
            fn reach(&self, seat: Seat, picked: &[&str]) -> Vec<Reach>;
            fn route(&self, seat: Seat, picked: &[&str], to: &str) -> Vec<Notation>;
            fn way(&self, seat: Seat, picked: &[&str], to: &str) -> Vec<(Notation, Vec<String>)>;
            fn drafted(&self, seat: Seat) -> Vec<table::scene::Choice>;
            fn commitment(&self) -> Commitment;
            fn outcome(&self) -> Option<Outcome>;
            fn reason(&self) -> String;
            fn deciding(&self) -> SeatSet;
            fn take_backs(&self) -> u32;
            fn taught_since(&self, entry: u32) -> bool;
            fn waiting_for(&self) -> SeatSet;
            fn chosen(&self) -> SeatSet;
            fn scene(&self, viewer: Viewer) -> Scene;
            fn view_json(&self, viewer: Viewer) -> serde_json::Value;
            fn journal(&self, viewer: Viewer) -> Vec<Line>;
            fn journal_page(&self, viewer: Viewer, below: Option<usize>) -> JournalPage;
            fn history(&self, viewer: Viewer) -> Vec<(u32, Seat, Notation)>;
            fn number(&self, seat: Seat) -> u64;
            fn offered(&self, seat: Seat) -> Vec<Offered>;
            fn refused(&self, seat: Seat) -> Vec<RefusedOption>;
            fn why_not(&self, seat: Seat, text: &str) -> Result<(), TableError>;
            fn undoable(&self, seat: Seat) -> usize;
            fn draft(&self, seat: Seat) -> Vec<Notation>;
            fn before_last_decision(&self, seat: Seat) -> Option<u32>;
            fn take_back_asked(&self) -> Option<TakeBackRequest>;
            fn orders(&self, seat: Seat) -> Vec<Notation>;
            fn last_entry(&self) -> u32;
            fn record(&self, with_seed: bool) -> Record;
            fn entries_since(&self, last: u32) -> Vec<RecordEntry>;
            fn branch(&self, to: u32, seed: Seed) -> Result<Box<dyn AnyMatch>, ReplayError>;
        }
        pass_on_mut! {
            fn lapse_take_back(&mut self) -> ();
            fn keep_pace(&mut self) -> ();
            fn ripen(&mut self) -> ();
            fn arrive(&mut self, seat: Seat) -> Result<(), TableError>;
            fn pick(&mut self, seat: Seat, pick: Pick, lots: &mut Lots) -> Result<Notation, TableError>;
            fn undo(&mut self, seat: Seat) -> Result<(), TableError>;
            fn commit(&mut self, seat: Seat) -> Result<(), TableError>;
            fn ask_take_back(&mut self, seat: Seat, to: u32) -> Result<(), TableError>;
            fn answer_take_back(&mut self, seat: Seat, agrees: bool) -> Result<(), TableError>;
            fn give_orders(&mut self, seat: Seat, texts: &[&str]) -> Result<(), TableError>;
        }
        fn act(&mut self, seat: Seat, number: Option<u64>, texts: &[&str]) -> Result<Acted, TableError> {
            let acted = self.0.act(seat, number, texts);
            assert!(!texts.contains(&"c3"), "the corner is cursed");
            acted
        }
        fn remember_chosen(&mut self, chosen: SeatSet) {
            self.0.remember_chosen(chosen);
        }
        fn boxed_clone(&self) -> Box<dyn AnyMatch> {
            Box::new(Self(self.0.boxed_clone()))
        }
    }
}

#[tokio::test]
async fn a_rule_that_panics_stops_one_table_only() {
    let open = |id: &str| {
        let entry = table::small::ALL.into_iter().find(|g| g.id == id).unwrap();
        (entry.open)(&table::DataFiles::built_in(entry.files)).unwrap()
    };
    let games: Vec<Arc<dyn table::AnyGame>> = vec![Arc::new(fragile::Fragile(open("tic-tac-toe")))];
    let app = server::app(App::new(games, Arc::new(Sqlite::in_memory().unwrap()), settings()));
    let (one, two, cursed) = two_at(&app, "tic-tac-toe").await;
    let (ann, _, sound) = two_at(&app, "tic-tac-toe").await;
    let act = |table: &str| format!("/api/tables/{table}/act");
    one.done(&act(&cursed), json!({ "seat": 0, "actions": ["b2"] })).await;
    let (status, answer) = two.post(&act(&cursed), json!({ "seat": 1, "actions": ["c3"] })).await;
    assert_eq!((status, answer["error"].as_str()), (StatusCode::CONFLICT, Some("frozen")));
    // What the rules say about it may hold secrets: it stands in the log.
    assert!(!answer["message"].as_str().unwrap().contains("cursed"), "{answer}");
    let view = two.view(&cursed, 1).await;
    assert_eq!(view["stage"], "frozen");
    assert_eq!(view["scene"]["boards"][0]["pieces"].as_array().unwrap().len(), 1, "the last good entry");
    let (status, record) = one.text(&format!("/t/{cursed}/record")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(record.contains("Cross: b2") && !record.contains(": c3") && !record.contains("seed "));
    assert_eq!(
        ann.text(&format!("/t/{cursed}/record")).await.0,
        StatusCode::CONFLICT,
        "nobody else's to read"
    );
    let mine = ann.get("/api/tables").await;
    assert!(!mine.to_string().contains("cursed"));
    let (status, _) = two.post(&act(&cursed), json!({ "seat": 1, "actions": ["a1"] })).await;
    assert_eq!(status, StatusCode::CONFLICT);
    ann.done(&act(&sound), json!({ "seat": 0, "actions": ["b2"] })).await;
}

#[tokio::test]
async fn a_wish_to_take_back_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let first = house(Arc::new(Sqlite::open(&file).unwrap()));
    let (mut one, mut two, table) = two_at(&first, "connect-four").await;
    let view = one.view(&table, 0).await;
    one.act(&table, 0, &view, 0).await;
    let ask = format!("/api/tables/{table}/ask");
    one.done(&ask, json!({ "seat": 0, "ask": "take-back" })).await;
    let before = two.view(&table, 1).await["asked_back"].clone();
    assert_eq!(before["answer"], true);
    drop(first);
    let second = house(Arc::new(Sqlite::open(&file).unwrap()));
    (one.app, two.app) = (second.clone(), second);
    assert_eq!(two.view(&table, 1).await["asked_back"], before);
    two.done(&ask, json!({ "seat": 1, "ask": "agree" })).await;
    let view = one.view(&table, 0).await;
    assert_eq!((&view["asked_back"], &view["seats"][0]["waiting"]), (&Value::Null, &json!(true)));
    // Granted, it is not asked again.
    let third = house(Arc::new(Sqlite::open(&file).unwrap()));
    one.app = third;
    assert_eq!(one.view(&table, 0).await["asked_back"], Value::Null);
}

#[tokio::test]
async fn a_record_that_no_longer_replays_is_frozen_at_its_last_good_entry() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let first = house(Arc::new(Sqlite::open(&file).unwrap()));
    let (mut one, mut two, table) = two_at(&first, "tic-tac-toe").await;
    let act = format!("/api/tables/{table}/act");
    one.done(&act, json!({ "seat": 0, "actions": ["b2"] })).await;
    two.done(&act, json!({ "seat": 1, "actions": ["a1"] })).await;
    one.done(&act, json!({ "seat": 0, "actions": ["c3"] })).await;
    drop(first);
    // As if a new version of the rules forbade the second move.
    let database = rusqlite::Connection::open(&file).unwrap();
    let sql = "UPDATE entries SET text = '2 Nought: b2' WHERE tab = ?1 AND number = 2";
    assert_eq!(database.execute(sql, [&table]).unwrap(), 1);
    drop(database);
    let second = house(Arc::new(Sqlite::open(&file).unwrap()));
    (one.app, two.app) = (second.clone(), second.clone());
    let view = two.view(&table, 1).await;
    assert_eq!(view["frozen"], "its record no longer fits the rules");
    assert_eq!(view["scene"]["boards"][0]["pieces"].as_array().unwrap().len(), 1, "the last good entry");
    assert_eq!(view["offered"], json!([]));
    let (status, answer) = two.post(&act, json!({ "seat": 1, "actions": ["a1"] })).await;
    assert_eq!((status, answer["error"].as_str()), (StatusCode::CONFLICT, Some("frozen")));
    // Nothing is lost; but the game is not over, and each seat reads what it has seen up to there.
    let (status, record) = one.text(&format!("/t/{table}/record")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(
        record.contains("Cross: b2") && !record.contains("Nought: b2") && !record.contains("c3"),
        "{record}"
    );
    assert!(!record.contains("\nseed "));
    let (_, page) = two.text(&format!("/t/{table}")).await;
    assert!(page.contains("This table has stopped"));
    // Other tables play on.
    let (ann, _, sound) = two_at(&second, "tic-tac-toe").await;
    ann.done(&format!("/api/tables/{sound}/act"), json!({ "seat": 0, "actions": ["b2"] })).await;
}

/// Whoever lost the answer to the act that ended the game asks again with the same key, and learns that it counted.
#[tokio::test]
async fn the_last_act_is_known_when_it_is_repeated() {
    let app = crate::common::fresh();
    let (one, two, table) = crate::common::two_at(&app, "tic-tac-toe").await;
    let people = [&one, &two];
    let act = |seat: u8, cell: &str, key: &str| json!({ "seat": seat, "actions": [cell], "key": key });
    let path = format!("/api/tables/{table}/act");
    for (i, cell) in ["a1", "b1", "a2", "b2"].into_iter().enumerate() {
        people[i % 2].done(&path, act(i as u8 % 2, cell, cell)).await;
    }
    one.done(&path, act(0, "a3", "last")).await;
    assert_eq!(one.view(&table, 0).await["stage"], "over");
    assert_eq!(one.done(&path, act(0, "a3", "last")).await["what"], "repeated");
    let (status, answer) = one.post(&path, act(0, "c3", "another")).await;
    assert_eq!((status.as_u16(), answer["error"].as_str()), (409, Some("over")), "{answer}");
}

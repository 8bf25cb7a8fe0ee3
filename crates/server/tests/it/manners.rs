//! What people read and are asked: a name for newcomers, who watches, why a game ended, deeds in words.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::common::{Caller, fresh, raw, two_at};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::json;
use table::conformance::wording::{Place, fault};
use tower::ServiceExt;

/// Sends a form without a session: the status, where it leads, the cookie, and the page.
async fn form(app: &Router, path: &str, fields: &str) -> (StatusCode, String, String, String) {
    let request = Request::post(path)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(fields.to_string()))
        .unwrap();
    let response = app.clone().oneshot(request).await.unwrap();
    let head = |name| response.headers().get(name).map_or("", |v| v.to_str().unwrap()).to_string();
    let (status, to, cookie) = (response.status(), head(header::LOCATION), head(header::SET_COOKIE));
    let bytes = axum::body::to_bytes(response.into_body(), 16 << 20).await.unwrap();
    (status, to, cookie, String::from_utf8(bytes.to_vec()).unwrap())
}

async fn page(app: &Router, path: &str) -> String {
    let (status, text) = raw(app, Request::get(path).body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::OK, "{path}");
    text
}

#[tokio::test]
async fn a_newcomer_takes_a_name_where_he_is() {
    let app = fresh();
    let one = Caller::new(&app, "Ada").await;
    let table = one.open("tic-tac-toe", &["me", "open"]).await;
    // The page's own script: a name becomes a session that the browser keeps.
    let wish = |name: &str| {
        Request::post("/api/guests")
            .header("content-type", "application/json")
            .body(Body::from(json!({ "name": name, "cookie": true }).to_string()))
            .unwrap()
    };
    let response = app.clone().oneshot(wish("Bo")).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap().to_string();
    assert!(cookie.contains("HttpOnly"), "{cookie}");
    let body = axum::body::to_bytes(response.into_body(), 1 << 16).await.unwrap();
    let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["token"], "", "a script is not given what it needs not hold");
    let join = Request::post(format!("/api/tables/{table}/join"))
        .header("content-type", "application/json")
        .header(header::COOKIE, cookie.split(';').next().unwrap())
        .header("sec-fetch-site", "same-origin")
        .body(Body::from("{}"))
        .unwrap();
    let (status, text) = raw(&app, join).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let (status, _) = raw(&app, wish(" ")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "nobody is called nothing");
    // Without a script the same is asked by a page.
    let table = one.open("tic-tac-toe", &["me", "open"]).await;
    let path = format!("/t/{table}/sit");
    assert!(page(&app, &format!("/t/{table}")).await.contains(&format!("action=\"{path}\"")));
    let (status, _, cookie, asks) = form(&app, &path, "seat=1").await;
    assert_eq!((status, cookie.as_str()), (StatusCode::OK, ""));
    assert!(asks.contains("name=\"name\"") && asks.contains("name=\"seat\" value=\"1\""), "{asks}");
    let (status, to, cookie, _) = form(&app, &path, "seat=1&name=Eve").await;
    assert_eq!((status, to.as_str()), (StatusCode::SEE_OTHER, format!("/t/{table}?as=1").as_str()));
    assert!(cookie.starts_with("outremer="), "{cookie}");
    assert!(page(&app, &format!("/t/{table}")).await.contains("Eve"));
}

#[tokio::test]
async fn who_is_asked_for_a_name_goes_on_to_where_he_wanted() {
    let app = fresh();
    let next = Request::get("/next").body(Body::empty()).unwrap();
    let response = app.clone().oneshot(next).await.unwrap();
    assert_eq!(response.headers()[header::LOCATION], "/you?then=/next");
    // A form that only players are shown leads there too, and not to a line of JSON.
    assert_eq!(form(&app, "/you/tidings", "mail=").await.1, "/you");
    assert!(page(&app, "/you?then=/next").await.contains("name=\"then\" value=\"/next\""));
    assert_eq!(form(&app, "/guest", "name=Bo&then=%2Fnext").await.1, "/next");
    for elsewhere in ["%2F%2Fevil.example", "https%3A%2F%2Fevil.example", "%2F%5Cevil.example"] {
        assert_eq!(form(&app, "/guest", &format!("name=Bo&then={elsewhere}")).await.1, "/", "{elsewhere}");
    }
}

#[tokio::test]
async fn who_watches_is_told_so_and_the_end_says_why() {
    let app = fresh();
    let (one, two, table) = two_at(&app, "tic-tac-toe").await;
    let path = format!("/t/{table}");
    assert!(page(&app, &path).await.contains("You are watching"));
    assert!(!one.text(&path).await.1.contains("You are watching"));
    let act = format!("/api/tables/{table}/act");
    for (seat, cell) in [(0, "a1"), (1, "b1"), (0, "a2"), (1, "b2"), (0, "a3")] {
        let who = if seat == 0 { &one } else { &two };
        who.done(&act, json!({ "seat": seat, "actions": [cell] })).await;
    }
    for text in [page(&app, &path).await, one.text(&path).await.1, two.text(&path).await.1] {
        assert!(text.contains("<b>Cross wins</b>"), "the headline");
        assert!(text.contains("<p class=\"why\">Cross has three in a row"), "and the reason");
    }
    assert_eq!(one.view(&table, 0).await["reason"], "Cross has three in a row");
}

#[tokio::test]
async fn looking_back_tells_deeds_in_words() {
    let app = fresh();
    let (one, two, table) = two_at(&app, "ten-towns").await;
    let act = format!("/api/tables/{table}/act");
    one.done(&act, json!({ "seat": 0, "actions": ["card 3"] })).await;
    two.done(&act, json!({ "seat": 1, "actions": ["card 1"] })).await;
    one.done(&act, json!({ "seat": 0, "actions": ["group Brill", "go Ram > Dunster", "halt", "end"] })).await;
    for (who, seat) in [(&one, 0), (&two, 1)] {
        let last = who.get(&format!("/t/{table}/moment?as={seat}")).await["moments"].as_u64().unwrap();
        let mut told = Vec::new();
        for at in 0..=last {
            let moment = who.get(&format!("/t/{table}/moment?as={seat}&at={at}")).await;
            let deed = moment["deed"].as_str().unwrap().to_string();
            assert_eq!(fault(&deed, Place::Line), None, "seat {seat}, moment {at}: {deed}");
            told.push(deed);
        }
        let all = told.join("\n");
        let names = all.contains("Ram");
        assert_eq!(names, seat == 0, "only its owner reads which block went: {all}");
        assert!(all.contains("from Brill to Dunster"), "{all}");
    }
}

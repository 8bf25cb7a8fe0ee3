//! Two people play whole games of Ten Towns, and neither is ever sent what only the other may know.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::collections::BTreeSet;

use crate::common::{Caller, fresh, two_at};
use axum::http::StatusCode;
use serde_json::Value;
use table::small::ten_towns;

/// The names of all blocks, with the side they belong to, from the game's own data.
fn blocks() -> Vec<(String, usize)> {
    let text = ten_towns::FILES.iter().find(|(name, _)| *name == "blocks.toml").unwrap().1;
    let value = |line: &str| line.split('"').nth(1).map(String::from);
    let of = |key: &'static str| {
        text.lines().filter(move |l| l.trim_start().starts_with(key) && l.contains('=')).filter_map(value)
    };
    let sides = of("side").map(|s| usize::from(s == "Blue"));
    let all: Vec<_> = of("name").zip(sides).collect();
    assert_eq!(all.len(), 12, "{all:?}");
    all
}

/// Names of blocks whose fronts a view shows.
fn shown(view: &Value) -> BTreeSet<String> {
    let pieces = view["scene"]["boards"][0]["pieces"].as_array().unwrap();
    pieces.iter().filter_map(|p| p["face"]["Shown"]["name"].as_str().map(String::from)).collect()
}

fn count_hidden(view: &Value) -> usize {
    let pieces = view["scene"]["boards"][0]["pieces"].as_array().unwrap();
    pieces.iter().filter(|p| p["face"] == "Hidden").count()
}

/// Everything that a person can be sent of a table.
async fn everything(who: &Caller, table: &str, seat: u8) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for (what, path) in [
        ("view", format!("/api/tables/{table}?seat={seat}")),
        ("page", format!("/t/{table}?as={seat}")),
        ("picture", format!("/t/{table}/picture.svg?as={seat}")),
        ("moment", format!("/t/{table}/moment?as={seat}")),
        ("other view", format!("/api/tables/{table}?seat={}", 1 - seat)),
        ("other page", format!("/t/{table}?as={}", 1 - seat)),
        ("journal page", format!("/t/{table}/journal?as={seat}")),
        ("other journal page", format!("/t/{table}/journal?as={}", 1 - seat)),
        ("programs’ journal page", format!("/api/tables/{table}/journal?seat={}", 1 - seat)),
        ("other moment", format!("/t/{table}/moment?as={}", 1 - seat)),
    ] {
        let (status, text) = who.text(&path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {text}");
        all.push((what, text));
    }
    let (status, _) = who.text(&format!("/t/{table}/record")).await;
    assert_eq!(status, StatusCode::CONFLICT, "the record is secret while the game runs");
    all
}

/// The whole journal of a seat, page by page.
async fn journal(who: &Caller, table: &str, seat: usize) -> Vec<String> {
    let (mut lines, mut below) = (Vec::new(), String::new());
    loop {
        let page = who.get(&format!("/api/tables/{table}/journal?seat={seat}{below}")).await;
        let texts =
            page["journal"].as_array().unwrap().iter().map(|l| l["text"].as_str().unwrap().to_string());
        lines.splice(0..0, texts);
        match page["journal_from"].as_u64().unwrap() {
            0 => return lines,
            from => below = format!("&below={from}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_sent_what_only_the_other_may_know() {
    let app = fresh();
    let blocks = blocks();
    for round in 0..2u64 {
        let (one, two, table) = two_at(&app, "ten-towns").await;
        let stranger = Caller::new(&app, "Eve").await;
        let people = [&one, &two];
        let mut lots = table::Lots::new(round + 7);
        // Names that each side has ever been shown: the journal may speak of them later.
        let mut ever: [BTreeSet<String>; 2] = Default::default();
        let (mut steps, mut hidden, mut private) = (0, 0, 0);
        loop {
            let views = [one.view(&table, 0).await, two.view(&table, 1).await];
            if views[0]["stage"] == "over" {
                break;
            }
            for seat in 0..2 {
                let now = shown(&views[seat]);
                ever[seat].extend(now.clone());
                hidden += count_hidden(&views[seat]);
                if steps % 4 > 0 {
                    continue;
                }
                let secret: Vec<_> = blocks
                    .iter()
                    .filter(|(n, side)| *side != seat && !now.contains(n))
                    .map(|(n, _)| n)
                    .collect();
                for (what, text) in everything(people[seat], &table, seat as u8).await {
                    let text = match what {
                        "view" | "other view" => {
                            let mut view: Value = serde_json::from_str(&text).unwrap();
                            view["journal"].take();
                            view.to_string()
                        }
                        _ => text,
                    };
                    for name in &secret {
                        // The journal on the page and the last deed may speak of what was shown before.
                        let known = ever[seat].contains(*name);
                        let past = what.ends_with("page") || what.ends_with("moment");
                        assert!(
                            (known && past) || !mentions(&text, name),
                            "{what} for seat {seat} speaks of {name}"
                        );
                    }
                }
                let journal = journal(people[seat], &table, seat).await;
                for text in &journal {
                    for (name, side) in &blocks {
                        assert!(
                            *side == seat || ever[seat].contains(name) || !mentions(text, name),
                            "{text}"
                        );
                    }
                }
                let own = journal.iter().filter(|text| text.contains("our token")).count();
                private += own;
                assert_eq!(own, 1, "one's own token, and no other");
            }
            let seat = (0..2)
                .find(|s| {
                    views[*s]["seats"][*s]["waiting"] == true
                        && !views[*s]["offered"].as_array().unwrap().is_empty()
                })
                .expect("somebody can act");
            let options = views[seat]["offered"].as_array().unwrap().len();
            let choice = lots.below(options as u32) as usize;
            let other = 1 - seat;
            let before = everything(people[other], &table, other as u8).await;
            let watched = everything(&stranger, &table, 0).await;
            let (status, done) = people[seat].act(&table, seat as u8, &views[seat], choice).await;
            assert_eq!(status, StatusCode::OK, "{done}");
            if done["what"] == "drafted" {
                // A draft leaves no trace in anything that anybody else is sent.
                assert_eq!(everything(people[other], &table, other as u8).await, before);
                assert_eq!(everything(&stranger, &table, 0).await, watched);
            }
            steps += 1;
            assert!(steps < 3000);
        }
        assert!(steps > 20 && hidden > 0 && private > 0, "the game was played and had secrets");
        // When it is over, everything is open and the dice can be checked.
        let (status, record) = one.text(&format!("/t/{table}/record")).await;
        assert_eq!(status, StatusCode::OK);
        assert!(record.contains("\nseed "));
        let verified = stranger.get(&format!("/api/tables/{table}/verify")).await;
        assert_eq!(verified["holds"], true);
        assert!(verified["results"].as_u64().unwrap() > 0);
    }
}

/// Whether a text holds a name as a word of its own.
fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !letter(text[..at].chars().next_back()) && !letter(text[at + name.len()..].chars().next())
    })
}

#[tokio::test]
async fn the_seed_is_secret_until_the_end() {
    let app = fresh();
    let (one, two, table) = two_at(&app, "tic-tac-toe").await;
    let people = [&one, &two];
    let mut turn = 0;
    for option in [0, 0, 0, 0, 0, 0, 0, 0, 0] {
        let view = people[turn].view(&table, turn as u8).await;
        if view["stage"] == "over" {
            break;
        }
        assert!(view["seed"].is_null());
        assert_eq!(view["commitment"].as_str().unwrap().len(), 64);
        people[turn].act(&table, turn as u8, &view, option).await;
        turn = 1 - turn;
    }
    let view = one.view(&table, 0).await;
    assert_eq!(view["stage"], "over");
    let seed = table::Seed::from_hex(view["seed"].as_str().unwrap()).unwrap();
    assert_eq!(seed.commitment().to_hex(), view["commitment"].as_str().unwrap());
}

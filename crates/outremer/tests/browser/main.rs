//! The web table in a real browser: Debian's Chromium, driven by clicks and keys as a person would use them.
//!
//! Pictures of what was seen are left in `target/screenshots`. `cargo xtask test` installs Chromium and its
//! driver where they are missing.
// The helpers of tests fail loudly, as tests do, and wait by the clock.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::disallowed_types, clippy::panic)]

mod after;
mod eyes;
mod games;
mod hands;
mod house;
mod kingdom;
mod manners;
mod reader;
mod staged;
mod swift;
mod third;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use house::{Browser, House, PATIENCE};
use serde_json::Value;
use table::Lots;

const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
/// On a screen for two: the one looks, or the other is called.
const CURTAIN_OR_TURN: &str = "document.querySelector('#ui-curtain:not([hidden])') || document.querySelector('#ui-state')?.dataset.decide === 'true'";
const ESCAPE: &str = "\u{e00c}";

/// A guest of the house under this name. It waits for the answer: whoever walks on before it is nobody yet, and is
/// called back by it.
async fn named(browser: &Browser, house: &House, name: &str) {
    browser.go(&house.address("/you")).await;
    let field = browser.client.find(fantoccini::Locator::Css("form[action='/guest'] input")).await.unwrap();
    field.send_keys(name).await.unwrap();
    browser.click("form[action='/guest'] button").await;
    let known = "document.readyState === 'complete' && !document.querySelector(`form[action='/guest']`)";
    browser.until(&format!("{known} && document.body.innerText.includes('{name}')")).await;
}

/// Opens a table by the form of a game's page.
async fn open_table(browser: &Browser, house: &House, game: &str, scenario: &str, seats: &[&str]) {
    browser.go(&house.address(&format!("/g/{game}"))).await;
    if !scenario.is_empty() {
        browser.click(&format!("input[value='{scenario}']")).await;
    }
    for (i, who) in seats.iter().enumerate() {
        let chosen = format!("return document.querySelector(`select[name='seat-{i}']`)?.value === '{who}';");
        // A click on a list that is not laid out yet chooses nothing.
        let begun = Instant::now();
        while browser.run(&chosen).await != true {
            assert!(begun.elapsed() < PATIENCE, "seat {i} of {game} takes no {who}");
            browser.click(&format!("select[name='seat-{i}'] option[value='{who}']")).await;
        }
    }
    browser.click("form.new button").await;
    browser.until("document.querySelector('#ui-state')").await;
}

/// Takes a choice by its notation: in the action bar, or else from the list beside the board. What cannot be taken
/// back asks once more on its own button.
async fn take(browser: &Browser, action: &str) {
    let number = browser.state("number").await;
    let in_bar = format!("#f-choices [data-act=\"{action}\"]");
    let place = if browser.count(&in_bar).await > 0 { "#f-choices" } else { "#f-list" };
    // An amount has a button of its own beside its number.
    let button = format!("{place} button[data-act=\"{action}\"], {place} [data-act=\"{action}\"] button");
    if place == "#f-list" {
        if browser.run("return document.body.classList.contains('folded');").await == true {
            browser.click("#ui-fold").await;
        }
        browser.until(&format!("document.querySelector(`#f-list [data-act=\"{action}\"]`)")).await;
        let unfold = format!(
            "for (let e = document.querySelector(`#f-list [data-act=\"{action}\"]`); e; e = e.parentElement) if (e.localName === 'details') e.open = true;"
        );
        browser.run(&unfold).await;
    }
    let covered = "return innerWidth <= 820 && !document.body.classList.contains('folded');";
    if place == "#f-choices" && browser.run(covered).await == true {
        browser.click("#ui-fold").await;
    }
    browser.click(&button).await;
    let told = "document.querySelector('.asking') || !document.querySelector('#ui-why').hidden || ";
    let moved_on = format!(
        "document.querySelector('#ui-state').dataset.number !== '{number}' || document.querySelector('#ui-state').dataset.stage === 'over'"
    );
    browser.until(&format!("{told}{moved_on}")).await;
    // It asks for three seconds only, and a busy machine is slow.
    let again = format!("document.querySelector('.asking')?.click() || {moved_on}");
    browser.until(&again).await;
}

/// One of the choices that the page shows, taken by a click. What it said.
async fn choose(browser: &Browser, lots: &mut Lots) -> Option<String> {
    if !browser.my_turn().await {
        return None;
    }
    let acts = "const all = (within, some = () => true) => [...new Set([...document.querySelectorAll(within)].filter(some).map((b) => b.dataset.act))];";
    let all = browser.run(&format!("{acts} return all('.offers [data-act]');")).await;
    let all: Vec<String> = serde_json::from_value(all).unwrap();
    let plain =
        browser.run(&format!("{acts} return all('#f-choices [data-act]', (b) => !b.dataset.targets);")).await;
    let plain: Vec<String> = serde_json::from_value(plain).unwrap();
    // Half of the time whatever ends the step, so that a game does not take for ever.
    let from = if !plain.is_empty() && lots.below(2) == 0 { &plain } else { &all };
    let action = from[lots.below(from.len() as u32) as usize].clone();
    let number = browser.state("number").await;
    take(browser, &action).await;
    let over = browser.state("stage").await == "over";
    assert!(over || browser.state("number").await != number, "what the page offers is allowed: {action}");
    assert_eq!(browser.text("#ui-toast").await, "", "what the page offers is allowed");
    Some(action)
}

/// What the page has become by its updates is what it would be if it were loaded now.
async fn is_as_fresh(browser: &Browser) {
    let path = browser.path().await;
    let query = browser.run("return location.search;").await;
    let script = r#"
        const [path, done] = arguments;
        const look = (page) => ({
            prompt: [...page.querySelectorAll('#f-prompt > p')].map((p) => p.textContent).join(),
            choices: [...page.querySelectorAll('.offers [data-act]')].map((c) => c.dataset.act),
            parts: [...page.querySelectorAll('.board g[data-id], .board g[data-mark]')].map((e) => [
                e.dataset.id ?? 'mark ' + e.dataset.mark, e.getAttribute('transform'), e.getAttribute('aria-label'),
                [...e.classList].filter((c) => !['picked', 'flash', 'shaken', 'named'].includes(c)).join(' '),
            ].join('|')).sort(),
            trays: [...page.querySelectorAll('#f-trays [data-id]')].map((e) => e.dataset.id),
            journal: [...page.querySelectorAll('#ui-journal p')].map((p) => { const words = p.cloneNode(true); words.querySelectorAll('svg').forEach((die) => die.remove()); return words.textContent.replace(/[:\s]+/g, ' '); }),
        });
        fetch(path).then((a) => a.text()).then((text) => {
            const fresh = new DOMParser().parseFromString(text, 'text/html');
            const [mine, now] = [look(document), look(fresh)];
            // What has become old in a long journal stays in the page, and a fresh one leaves it out.
            mine.journal = mine.journal.slice(-now.journal.length || mine.journal.length);
            // The table may have gone on meanwhile.
            if (fresh.querySelector('#ui-state').dataset.number !== document.querySelector('#ui-state').dataset.number) return done([]);
            const wrong = Object.keys(mine).filter((k) => JSON.stringify(mine[k]) !== JSON.stringify(now[k]));
            done(wrong.map((k) => `${k}: ${JSON.stringify(mine[k])} is not ${JSON.stringify(now[k])}`));
        });"#;
    let address = format!("{path}{}", query.as_str().unwrap());
    for attempt in 0.. {
        let wrong = browser.client.execute_async(script, vec![address.clone().into()]).await.unwrap();
        if wrong.as_array().is_some_and(Vec::is_empty) {
            return;
        }
        // An update may be on its way.
        assert!(attempt < 8, "the page has drifted from the table: {wrong}");
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
}

/// A newcomer goes to the lobby and plays a first year of Crusader Rex against a bot.
#[tokio::test(flavor = "multi_thread")]
async fn a_newcomer_plays_a_first_year() {
    let (house, browser) = (House::open(), Browser::open(1440, 900).await);
    browser.go(&house.address("/")).await;
    browser.until("[...document.querySelectorAll('.cover img')].slice(0, 3).every((i) => i.complete && i.naturalWidth)").await;
    browser.picture("lobby").await;
    assert!(browser.text("main").await.contains("Crusader Rex"));
    browser.click("form[action='/play']:has([value='crusader-rex']) button").await;
    browser.until("document.querySelector('#ui-boards .piece')").await;
    let mut lots = Lots::new(11);
    let mut steps = 0;
    while choose(&browser, &mut lots).await.is_some() {
        steps += 1;
        if steps % 6 == 1 {
            is_as_fresh(&browser).await;
            browser.picture(&format!("year-{steps:03}")).await;
        }
        assert!(steps < 400, "a year ends");
    }
    let outcome = browser.text("#f-prompt .over").await;
    assert!(outcome.contains("wins"), "{outcome}");
    assert!(steps > 8, "the year was played, in {steps} steps");
    is_as_fresh(&browser).await;
    browser.until("document.querySelector('#ui-turnings .fortunes')").await;
    browser.click("[data-tab=more]").await;
    browser.click("[data-verify]").await;
    browser.until("document.querySelector('#ui-verified').textContent.includes('as the seed says')").await;
    browser.picture("year-over").await;
    browser.is_sound().await;
    // A rematch swaps the sides.
    browser.click("[data-rematch]").await;
    browser
        .until(
            "document.querySelector('#ui-main')?.dataset.seat === '1' && document.querySelector('.people')",
        )
        .await;
}

/// The guided scenario of each large game begins with one click and can be played by the page alone.
#[tokio::test(flavor = "multi_thread")]
async fn every_game_can_be_begun() {
    let (house, browser) = (House::open(), Browser::open(1440, 900).await);
    for game in ["kingdom-of-heaven", "third-crusade", "croisades-skirmish"] {
        browser.go(&house.address("/")).await;
        browser.click(&format!("article form[action='/learn']:has([value='{game}']) button")).await;
        // Men may have to be set up first: a board can be empty.
        browser.until("document.querySelector('#ui-state')?.dataset.stage === 'running'").await;
        let mut lots = Lots::new(5);
        for step in 0..10 {
            if choose(&browser, &mut lots).await.is_none() {
                break;
            }
            if step % 4 == 0 {
                is_as_fresh(&browser).await;
            }
        }
        is_as_fresh(&browser).await;
        assert!(browser.count("#ui-journal p").await > 0, "{game}: something has happened");
        browser.picture(&format!("begun-{game}")).await;
        browser.is_sound().await;
    }
}

/// Whether a text holds a name as a word of its own.
fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !letter(text[..at].chars().next_back()) && !letter(text[at + name.len()..].chars().next())
    })
}

/// What a view shows the face of, by words that stand for nothing else: the names of blocks, and the ids of
/// cards, since both sides hold cards of the same kinds.
fn faces(view: &Value, owner: Option<u64>) -> BTreeSet<String> {
    let boards =
        view["scene"]["boards"].as_array().unwrap().iter().flat_map(|b| b["pieces"].as_array().unwrap());
    let trays =
        view["scene"]["trays"].as_array().unwrap().iter().flat_map(|t| t["pieces"].as_array().unwrap());
    boards
        .chain(trays)
        .filter(|p| owner.is_none() || p["owner"].as_u64() == owner)
        .filter_map(|p| {
            let (front, card) = (&p["face"]["Shown"], &p["face"]["Card"]);
            let id = || p["id"].as_str().map(String::from);
            match front["name"].as_str() {
                Some(name) if front["pips"][1] != 0 => Some(name.to_string()),
                Some(_) => id(),
                None => card.as_object().and_then(|_| id()),
            }
        })
        .collect()
}

/// A table as each of its two players is sent it: what he sees of it, and what he has read.
async fn in_all_eyes(browsers: &[&Browser; 2], table: &str) -> Vec<Value> {
    let mut views = Vec::new();
    for (seat, browser) in browsers.iter().enumerate() {
        let text = browser.fetched(&format!("/api/tables/{table}?seat={seat}")).await;
        views.push(serde_json::from_str::<Value>(&text).unwrap());
    }
    views
}

/// Two people in two browsers: neither is ever sent what only the other may know.
#[tokio::test(flavor = "multi_thread")]
async fn two_browsers_keep_their_secrets() {
    let house = House::open();
    let (one, two) = (Browser::open(1440, 900).await, Browser::open(1100, 800).await);
    open_table(&one, &house, "crusader-rex", "1187", &["me", "invite"]).await;
    let table = one.path().await.trim_start_matches("/t/").to_string();
    one.click("[data-invite='1']").await;
    one.until("document.querySelector('#ui-links code')").await;
    let link = one.text("#ui-links code").await;
    two.go(&link).await;
    two.client
        .find(fantoccini::Locator::Css("input[name=name]"))
        .await
        .unwrap()
        .send_keys("Bo")
        .await
        .unwrap();
    two.click("form.new button").await;
    for browser in [&one, &two] {
        browser.until("document.querySelector('#ui-boards .piece')").await;
    }
    let browsers = [&one, &two];
    let mut lots = Lots::new(3);
    // Names that everybody could read at some time.
    let mut known: [BTreeSet<String>; 2] = Default::default();
    let (mut checked, mut control) = (0, 0);
    for step in 0..36 {
        let views = in_all_eyes(&browsers, &table).await;
        if views[0]["stage"] == "over" {
            break;
        }
        let public = stranger_is_sent(&house.address(&format!("/api/tables/{table}")));
        let mut told = Vec::new();
        for seat in 0..2 {
            let all = faces(&views[seat], None);
            known[seat].extend(all);
            let theirs = faces(&views[1 - seat], Some(1 - seat as u64));
            known[seat].extend(theirs.iter().filter(|name| mentions(&public, name)).cloned());
            let secrets: Vec<_> = theirs.difference(&known[seat]).cloned().collect();
            let other = 1 - seat;
            let paths = vec![format!("/api/tables/{table}?seat={other}"), format!("/t/{table}?as={other}")];
            let heard = browsers[seat].spoken_of(&secrets, &paths).await;
            told.extend(heard.into_iter().map(|name| format!("seat {seat} is told: {name}")));
            checked += secrets.len();
            // The same search finds the same names where they belong.
            control += browsers[other].spoken_of(&secrets, &[]).await.len().min(secrets.len());
        }
        let seen = |views: &[Value]| -> Vec<Value> {
            views.iter().flat_map(|view| [view["scene"].clone(), view["journal"].clone()]).collect()
        };
        if !told.is_empty() && seen(&in_all_eyes(&browsers, &table).await) != seen(&views) {
            // The table went on by itself while it was looked at (a window was opened, dice were rolled), and
            // may have shown what was a secret before: the next look knows.
            continue;
        }
        assert_eq!(told, Vec::<String>::new(), "step {step}: secrets are told");
        let Some(seat) = (0..2).find(|s| views[*s]["seats"][*s]["waiting"] == true) else { continue };
        let quiet = browsers[1 - seat].run("return window.updates;").await;
        let action = choose(browsers[seat], &mut lots).await;
        let undoable = browsers[seat].count("[data-ask=undo]").await > 0;
        if action.is_some() && undoable && browsers[seat].state("decide").await == "true" {
            // A draft: the other browser is told nothing at all.
            tokio::time::sleep(Duration::from_millis(120)).await;
            let now = browsers[1 - seat].run("return window.updates;").await;
            assert_eq!(quiet, now, "step {step}: a draft of seat {seat} was told to the other");
        }
    }
    assert!(
        checked > 200 && control > checked / 2,
        "{checked} names were looked for, {control} were found at home"
    );
    one.picture("secrets-one").await;
    two.picture("secrets-two").await;
    for browser in browsers {
        is_as_fresh(browser).await;
        browser.is_sound().await;
    }
}

/// What a stranger is sent, without a browser.
fn stranger_is_sent(address: &str) -> String {
    use std::io::{Read, Write};
    let rest = address.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    text
}

/// Undo, why not, the rules beside the board with "show me", looking back, and what was missed.
#[tokio::test(flavor = "multi_thread")]
async fn undo_why_not_rules_and_looking_back() {
    let (house, browser) = (House::open(), Browser::open(1440, 900).await);
    open_table(&browser, &house, "crusader-rex", "hattin", &["me", "me"]).await;
    browser.until("document.querySelector('.offers [data-act]')").await;
    // A click on the board picks a group; undo gives it back.
    let before = browser.text("#f-prompt").await;
    take(&browser, "group Acre").await;
    browser.until("document.querySelector('[data-ask=undo]')").await;
    assert_ne!(browser.text("#f-prompt").await, before);
    browser.click("[data-ask=undo]").await;
    browser.until("!document.querySelector('[data-ask=undo]')").await;
    assert_eq!(browser.text("#f-prompt").await, before);
    assert_eq!(browser.count("[data-ask=commit]").await, 0, "nothing needs to be made final");
    // Something that cannot be chosen says why not, with the rule.
    let point = r#"
        const refused = [...document.querySelectorAll('#f-refused [data-target]')].map((e) => e.dataset.target);
        const thing = [...document.querySelectorAll('.pane.shown .space[data-id]:not(.open)')].find((e) => refused.includes(e.dataset.id));
        const shape = thing.querySelector('.shape').getBoundingClientRect();
        const at = { clientX: shape.x + shape.width / 2, clientY: shape.y + 2, bubbles: true };
        thing.querySelector('.shape').dispatchEvent(new MouseEvent('click', at));"#;
    browser.click("[data-zoom=fit]").await;
    browser.run(point).await;
    browser.until("!document.querySelector('#ui-why').hidden").await;
    let reason = browser.text("#ui-why").await;
    assert!(reason.chars().any(|c| c.is_ascii_digit()) && reason.len() > 10, "{reason}");
    assert_eq!(browser.text("#ui-said").await, reason, "it is read aloud");
    browser.picture("why-not").await;
    // The rule beside the prompt opens the rules there, and a vignette shows it.
    let number = browser.text("#f-prompt .rule").await;
    browser.click("#f-prompt .rule").await;
    browser.until("document.querySelector('.rule-entry.found')").await;
    assert!(browser.text(".rule-entry.found .number").await.contains(&number));
    let search = browser.client.find(fantoccini::Locator::Css("#ui-rule-search")).await.unwrap();
    search.send_keys("charge").await.unwrap();
    browser.until("[...document.querySelectorAll('.rule-entry')].filter((e) => !e.hidden).length < 40").await;
    assert!(browser.run("return [...document.querySelectorAll('.rule-entry:not([hidden])')].every((e) => /charge/i.test(e.textContent));").await == true);
    browser.click(".rule-entry:not([hidden]) [data-vignette]").await;
    browser.until("document.querySelector('#ui-show[open] figure:not([hidden]) svg .piece')").await;
    browser.picture("show-me").await;
    let first = browser.text("#ui-show figure:not([hidden]) figcaption").await;
    browser.click("#ui-show [data-frame-step='1']").await;
    assert_ne!(browser.text("#ui-show figure:not([hidden]) figcaption").await, first);
    browser.click("#ui-show form button").await;
    browser.until("!document.querySelector('#ui-show[open]')").await;
    let origins = browser.run("return document.querySelector('#ui-rules').textContent;").await;
    assert!(origins.as_str().unwrap().contains("Where the figures come from"), "data have their sources");
    // Some decisions later, looking back shows the table as it was.
    let mut lots = Lots::new(5);
    for _ in 0..40 {
        browser.until(CURTAIN_OR_TURN).await;
        if browser.count("#ui-curtain:not([hidden])").await > 0 {
            break;
        }
        choose(&browser, &mut lots).await;
    }
    assert_eq!(browser.count("#ui-curtain:not([hidden])").await, 1, "it is the other's turn");
    let table = browser.path().await;
    browser.go(&house.address(&format!("{table}/replay?as=0"))).await;
    browser.until("document.querySelector('.still svg') && document.querySelector('#ui-why p')").await;
    let last = browser.text("#ui-why").await;
    browser.click("[data-look='-1']").await;
    let changed = format!("document.querySelector('#ui-why').innerText !== {}", Value::String(last));
    browser.until(&changed).await;
    assert!(
        browser.run("return location.search;").await.as_str().unwrap().contains("at="),
        "a link to the moment"
    );
    browser.picture("looking-back").await;
    browser.is_sound().await;
}

/// Two people on one screen: a curtain falls between them.
#[tokio::test(flavor = "multi_thread")]
async fn a_curtain_between_two_on_one_screen() {
    let (house, browser) = (House::open(), Browser::open(1200, 800).await);
    open_table(&browser, &house, "ten-towns", "", &["me", "me"]).await;
    let mut lots = Lots::new(2);
    let mut curtains = 0;
    for _ in 0..60 {
        browser.until(CURTAIN_OR_TURN).await;
        if browser.count("#ui-curtain:not([hidden])").await == 0 {
            choose(&browser, &mut lots).await;
            continue;
        }
        let seat = browser.run("return document.querySelector('#ui-main').dataset.seat;").await;
        let covered = browser
            .run("const b = document.querySelector('#ui-boards').getBoundingClientRect(); return !!document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2).closest('#ui-curtain');")
            .await;
        assert_eq!(covered, true, "nothing of the board is seen");
        if curtains == 0 {
            browser.picture("curtain").await;
        }
        browser.click("#ui-curtain button").await;
        let other = format!(
            "document.querySelector('#ui-main')?.dataset.seat && document.querySelector('#ui-main').dataset.seat !== {seat} && document.querySelector('#ui-state')"
        );
        browser.until(&other).await;
        curtains += 1;
        if curtains == 3 {
            break;
        }
    }
    assert_eq!(curtains, 3, "the screen went to and fro");
    browser.is_sound().await;
}

/// The server dies and comes back: the page goes on where it was, and a draft is still there.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_outlives_its_server() {
    let (mut house, browser) = (House::open(), Browser::open(1200, 800).await);
    open_table(&browser, &house, "crusader-rex", "hattin", &["me", "bot:random"]).await;
    take(&browser, "group Acre").await;
    browser.until("document.querySelector('[data-ask=undo]')").await;
    let draft = browser.text("#f-prompt").await;
    browser.run("window.unreloaded = true;").await;
    house.kill();
    browser.until("document.body.classList.contains('offline')").await;
    browser.picture("offline").await;
    house.start();
    browser.until("!document.body.classList.contains('offline')").await;
    assert_eq!(browser.text("#f-prompt").await, draft);
    let mut lots = Lots::new(4);
    for _ in 0..3 {
        choose(&browser, &mut lots).await;
    }
    assert_eq!(browser.run("return window.unreloaded;").await, true, "the page was never loaded again");
    is_as_fresh(&browser).await;
    browser.is_sound().await;
}

/// On a phone everything is within reach and nothing hangs over the edge.
#[tokio::test(flavor = "multi_thread")]
async fn a_phone_in_the_hand() {
    let (house, browser) = (House::open(), Browser::open(390, 844).await);
    let no_overhang = "document.documentElement.scrollWidth <= 390";
    browser.go(&house.address("/")).await;
    browser.until(no_overhang).await;
    browser.picture("phone-lobby").await;
    browser.go(&house.address("/g/crusader-rex")).await;
    browser.until(no_overhang).await;
    browser.picture("phone-new").await;
    open_table(&browser, &house, "crusader-rex", "1187", &["me", "bot:random"]).await;
    let mut lots = Lots::new(8);
    for step in 0..8 {
        assert!(browser.my_turn().await);
        if browser.run("return !document.body.classList.contains('folded');").await == true {
            browser.click("#ui-fold").await;
        }
        browser.until(no_overhang).await;
        // Board and prompt are seen at once, without scrolling.
        let seen = browser
            .run("const at = (e) => document.querySelector(e).getBoundingClientRect(); return [at('#ui-boards').height, at('#f-prompt').top, at('#f-prompt').bottom, innerHeight];")
            .await;
        let seen: Vec<f64> = serde_json::from_value(seen).unwrap();
        assert!(seen[0] > 250.0 && seen[1] >= 0.0 && seen[2] <= seen[3], "step {step}: {seen:?}");
        // A finger is broad.
        let narrow = browser
            .run("return [...document.querySelectorAll('#ui-prompt button, .tabs button, .zoom button')].filter((b) => b.offsetParent).map((b) => [b.textContent, b.offsetHeight]).filter(([, h]) => h < 32);")
            .await;
        assert_eq!(narrow, serde_json::json!([]), "step {step}");
        if step < 4 {
            browser.picture(&format!("phone-table-{step}")).await;
        }
        choose(&browser, &mut lots).await;
    }
    if browser.run("return document.body.classList.contains('folded');").await == true {
        browser.click("#ui-fold").await;
    }
    browser.click("[data-tab=rules]").await;
    browser.until("document.querySelectorAll('.rule-entry').length > 50").await;
    browser.until(no_overhang).await;
    browser.picture("phone-rules").await;
    browser.is_sound().await;
}

/// From the lobby into a game without a mouse.
#[tokio::test(flavor = "multi_thread")]
async fn keys_alone() {
    let (house, browser) = (House::open(), Browser::open(1300, 850).await);
    browser.go(&house.address("/")).await;
    let focus = "return [document.activeElement?.textContent?.trim() ?? '', document.activeElement?.dataset?.act ?? '', document.activeElement?.closest('#ui-boards')?.id ?? ''];";
    let tab_to = async |wanted: &dyn Fn(&Value) -> bool, what: &str| {
        for _ in 0..250 {
            browser.keys(TAB).await;
            let now = browser.run(focus).await;
            if wanted(&now) {
                return;
            }
        }
        browser.picture("failed").await;
        panic!("no key leads to {what}");
    };
    tab_to(&|now| now[0] == "Play a first battle", "the first battle").await;
    browser.keys(ENTER).await;
    browser.until("document.querySelector('.offers [data-act]')").await;
    // The choices are buttons in a list; after one is taken the focus is on what comes next.
    tab_to(&|now| now[0].as_str().is_some_and(|t| t.starts_with("Choose from a list")), "the list").await;
    browser.keys(ENTER).await;
    tab_to(&|now| now[1] == "group Acre", "the group in Acre").await;
    browser.picture("keys-choice").await;
    browser.keys(ENTER).await;
    browser.until("document.querySelector('[data-ask=undo]')").await;
    browser.until("document.activeElement.closest('#ui-prompt, #f-list')").await;
    let said = browser.text("#ui-said").await;
    assert!(said.contains("road by road"), "the screen reader is told: {said}");
    browser.keys("u").await;
    browser.until("!document.querySelector('[data-ask=undo]')").await;
    // The same on the board itself: what can be chosen can be reached and says what it is.
    browser.run("document.querySelector('#ui-boards').focus();").await;
    tab_to(
        &|now| now[2] == "ui-boards" && now[0].as_str().is_some_and(|t| t.contains("Acre")),
        "Acre on the board",
    )
    .await;
    let label = browser.run("return document.activeElement.getAttribute('aria-label');").await;
    assert!(label.as_str().unwrap().contains("Acre"), "{label}");
    browser.keys(ENTER).await;
    browser
        .until("document.querySelector('[data-ask=undo]') || document.querySelector('#ui-tray .picked')")
        .await;
    browser.keys(ESCAPE).await;
    // Every choice and every piece has a text.
    let dumb = browser
        .run("return [...document.querySelectorAll('.offers [data-act], .pane .piece, .pane .space, .pane .link, button, input:not([type=hidden]), textarea, select')].filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).map((e) => e.outerHTML.slice(0, 120));")
        .await;
    assert_eq!(dumb, serde_json::json!([]));
    browser.is_sound().await;
}

/// One button for who has never played: a guided battle with hints, what decided it, and on to the next.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_ten_minutes() {
    let (house, browser) = (House::open(), Browser::open(1440, 900).await);
    browser.go(&house.address("/")).await;
    browser.click(".first button").await;
    browser.until("document.querySelector('#f-prompt .advice')").await;
    // A hint can be asked for and taken.
    browser.click("[data-hint]").await;
    browser.until("document.querySelector('#ui-hints button')").await;
    browser.picture("first-hint").await;
    let number = browser.state("number").await;
    browser.click("#ui-hints button").await;
    browser.until(&format!("document.querySelector('#ui-state').dataset.number !== '{number}'")).await;
    // What the guide says: King Guy marches to Tiberias.
    browser.click("[data-ask=undo]").await;
    browser.until("document.querySelector('.offers [data-act=\"group Acre\"]')").await;
    for action in [
        "group Acre",
        "go King Guy > Tiberias",
        "go Jerusalem Templars > Tiberias",
        "go Acre Hospitallers > Tiberias",
        "go Raymond of Tripoli > Tiberias",
        "done",
    ] {
        take(&browser, action).await;
    }
    let mut lots = Lots::new(21);
    let mut took_back = false;
    for step in 0..200 {
        let prompt = browser.text("#f-prompt").await;
        // Bots let everything be taken back.
        if !took_back && browser.my_turn().await && browser.count("[data-ask=take-back]").await > 0 {
            browser.click("[data-ask=take-back]").await;
            browser.until("document.querySelector('#ui-journal').textContent.includes('back')").await;
            took_back = true;
        }
        if choose(&browser, &mut lots).await.is_none() {
            break;
        }
        assert!(step < 199, "the battle ends; last: {prompt}");
    }
    assert!(took_back, "something was taken back");
    browser.until("document.querySelector('#ui-turnings .fortunes')").await;
    browser.picture("first-over").await;
    let table = browser.path().await;
    if browser.count("#ui-turnings form").await > 0 {
        browser.click("#ui-turnings form button").await;
        browser
            .until(&format!("location.pathname !== '{table}' && document.querySelector('#ui-state')"))
            .await;
        assert!(browser.text(".people").await.contains("analysis"));
        if browser.my_turn().await {
            browser.click("[data-hint]").await;
            browser.until("document.querySelector('#ui-hints button')").await;
            browser.picture("first-again").await;
        }
        browser.go(&house.address(&table)).await;
    }
    browser.click("form[action='/learn'] button").await;
    browser
        .until(&format!("location.pathname !== '{table}' && document.querySelector('.offers [data-act]')"))
        .await;
    assert!(browser.text(".title").await.contains("1187"));
    browser.is_sound().await;
}

/// Who comes back to a table is first shown what happened meanwhile, and may skip it.
#[tokio::test(flavor = "multi_thread")]
async fn what_happened_meanwhile() {
    let house = House::open();
    let (one, two) = (Browser::open(1200, 800).await, Browser::open(1200, 800).await);
    open_table(&one, &house, "ten-towns", "", &["me", "open"]).await;
    let table = one.path().await;
    named(&two, &house, "Bo").await;
    two.go(&house.address(&table)).await;
    two.click("[data-sit]").await;
    let mut lots = Lots::new(9);
    // Both play until the second has something to do alone.
    for _ in 0..40 {
        for browser in [&one, &two] {
            browser.until("document.querySelector('#ui-state')?.dataset.stage === 'running'").await;
        }
        let first = one.state("decide").await == "true";
        let second = two.state("decide").await == "true";
        if second && !first {
            break;
        }
        if first {
            choose(&one, &mut lots).await;
        }
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    // The first has seen everything, and leaves.
    tokio::time::sleep(Duration::from_millis(1800)).await;
    one.go(&house.address("/")).await;
    for _ in 0..60 {
        if two.state("decide").await != "true" {
            break;
        }
        choose(&two, &mut lots).await;
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    // The lobby's word on it, and the way there.
    one.go(&house.address("/next")).await;
    one.until("document.querySelector('#ui-look:not([hidden])')").await;
    assert_eq!(one.path().await, table);
    one.until("document.querySelector('.still svg')").await;
    one.picture("meanwhile").await;
    one.click("[data-look=now]").await;
    one.until("document.querySelector('#ui-look').hidden && !document.querySelector('.still')").await;
    tokio::time::sleep(Duration::from_millis(1800)).await;
    one.go(&house.address(&table)).await;
    one.until("document.querySelector('#ui-state')").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(one.count("#ui-look:not([hidden])").await, 0, "what was seen is not told again");
    one.is_sound().await;
}

//! Around the game: the lobby that leads to a table, looking back on the real board, the end and what it tells, ends
//! that are no matter of the rules, and words to chosen seats.

use std::time::Duration;

use serde_json::{Value, json};
use table::Lots;

use crate::hands::Opponent;
use crate::house::{Browser, House};
use crate::staged::found;
use crate::{choose, named, open_table, take};

/// Tables to join stand first, with scenario, clock and free seats; games come by length, toys last; one click sits
/// down.
#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_leads_to_a_table() {
    let (house, browser) = (House::open(), Browser::open(1440, 900).await);
    let ada = house.guest("Ada");
    let made = ada.ask(
        "/api/tables",
        &json!({ "game": "crusader-rex", "scenario": "1187", "seats": ["me", "open"], "listed": true }),
    );
    named(&browser, &house, "Bo").await;
    browser.go(&house.address("/")).await;
    let headings =
        browser.run("return [...document.querySelectorAll('main h2')].map((h) => h.textContent);").await;
    assert_eq!(headings[0], "Tables to join");
    assert_eq!(headings[1], "Games");
    let line = browser.text(".joins li").await;
    for word in ["Crusader Rex", "1187", "no clocks", "Ada plays Frank", "Join as Saracen"] {
        assert!(line.contains(word), "no {word} in {line}");
    }
    let games = browser.run("return [...document.querySelectorAll('.games:not(.toys) h3, .toys h3')].map((h) => h.textContent);").await;
    let games: Vec<String> = serde_json::from_value(games).unwrap();
    let at = |name: &str| games.iter().position(|g| g == name).unwrap();
    assert!(at("Crusader Rex") < at("Tic-tac-toe"), "toys last: {games:?}");
    // A cover is lettered in the font of the house, which it brings along.
    let cover = browser.fetched("/g/crusader-rex/cover.svg").await;
    assert!(cover.contains("@font-face") && cover.contains("Libertinus Serif"));
    // Who has no table yet is shown what tables look like, below those that wait for somebody.
    browser.run("document.querySelector('.shows').scrollIntoView();").await;
    browser.until("document.querySelectorAll('.shows img').length === 3 && [...document.querySelectorAll('.shows img')].every((i) => i.complete && i.naturalWidth === 720)").await;
    let below = browser.run("return document.querySelector('.shows').getBoundingClientRect().top > document.querySelector('.joins').getBoundingClientRect().bottom;").await;
    assert_eq!(below, true, "tables to join come first");
    browser.picture("lobby-join").await;
    browser.click("[data-join='1']").await;
    browser.until("document.querySelector('#ui-main')?.dataset.seat === '1'").await;
    assert_eq!(browser.path().await, format!("/t/{}", made["id"].as_str().unwrap()));
    browser.is_sound().await;
}

/// A finished game on the real board: step by step by key and slider, with its journal, zoom and a link to the
/// moment.
#[tokio::test(flavor = "multi_thread")]
async fn looking_back_on_the_real_board() {
    let (house, browser) = (House::open(), Browser::open(1440, 900).await);
    open_table(&browser, &house, "crusader-rex", "hattin", &["me", "open"]).await;
    let _bo = Opponent::sits_down(&house, browser.path().await.trim_start_matches("/t/"));
    browser.until("document.querySelector('.offers [data-act]')").await;
    for action in ["group Acre", "go King Guy > Tiberias", "go Raymond of Tripoli > Tiberias", "done"] {
        take(&browser, action).await;
    }
    let mut lots = Lots::new(12);
    for _ in 0..200 {
        if choose(&browser, &mut lots).await.is_none() {
            break;
        }
    }
    // The end: who won, by what rule, how the chances went, how the dice fell, what comes next.
    let bar = browser.text("#ui-prompt").await;
    assert!(bar.contains("wins") && browser.count("#f-prompt .rule").await > 0, "{bar}");
    browser.until("document.querySelector('#ui-turnings .fortunes polyline')").await;
    let end = browser.text("#f-end").await;
    for word in ["The fortunes of war", "The dice", "expected", "Look back"] {
        assert!(end.contains(word), "no {word} in {end}");
    }
    assert!(browser.run("return document.querySelector('.fortunes polyline').getAttribute('points').split(' ').length;").await.as_u64().unwrap() > 3);
    assert!(browser.count("#f-choices .main").await == 1, "what comes next is the main button");
    browser.picture("end").await;
    let dice: Value = serde_json::from_str(
        &browser.fetched(&format!("/api/tables/{}", browser.path().await.trim_start_matches("/t/"))).await,
    )
    .unwrap();
    assert!(dice["luck"].as_array().unwrap().iter().all(|l| l["dice"].as_u64().unwrap() > 0));
    browser.click("#f-end p.after a[href*=replay]").await;
    browser.until("document.querySelector('.still svg .piece') && document.querySelector('#ui-why p')").await;
    let at = "return [document.querySelector('#ui-look-at').value, document.querySelector('#ui-look-at').max, new URLSearchParams(location.search).get('at')];";
    let last = browser.run(at).await;
    assert_eq!(last[0], last[1], "it begins at the end");
    browser.run("document.querySelector('#ui-boards').focus();").await;
    browser.keys("\u{e011}").await; // Home
    browser.until("document.querySelector('#ui-look-at').value === '0' && new URLSearchParams(location.search).get('at') === '0'").await;
    let lines =
        "return [...document.querySelectorAll('#ui-journal p')].filter((p) => p.checkVisibility()).length;";
    let few = browser.run(lines).await.as_u64().unwrap();
    let view = "return document.querySelector('.still svg').getAttribute('viewBox');";
    let before = browser.run(view).await;
    browser.keys("+").await;
    let near = browser.run(view).await;
    assert_ne!(before, near, "it can be looked at from near");
    for step in 1..4 {
        browser.keys("\u{e014}").await; // Right
        browser.until(&format!("new URLSearchParams(location.search).get('at') === '{step}'")).await;
    }
    assert_eq!(browser.run(view).await, near, "and stays near");
    // Down and Up go from one thing that the journal begins to the next.
    let told = browser
        .fetched(&format!("{}/moment?as=0&at=3", browser.path().await.trim_end_matches("/replay")))
        .await;
    let turns: Vec<u64> =
        serde_json::from_value(serde_json::from_str::<Value>(&told).unwrap()["turns"].clone()).unwrap();
    let next = *turns.iter().find(|turn| **turn > 3).unwrap();
    browser.keys("\u{e015}").await;
    browser.until(&format!("new URLSearchParams(location.search).get('at') === '{next}'")).await;
    let before = turns.iter().rfind(|turn| **turn < next).copied().unwrap_or(0);
    browser.keys("\u{e013}").await;
    browser.until(&format!("new URLSearchParams(location.search).get('at') === '{before}'")).await;
    for at in (before + 1)..=3 {
        browser.keys("\u{e014}").await;
        browser.until(&format!("new URLSearchParams(location.search).get('at') === '{at}'")).await;
    }
    let told = browser.text("#ui-why").await;
    assert!(told.len() > 12 && !told.contains('>'), "in plain words: {told}");
    browser.picture("replay").await;
    browser.keys(">").await;
    assert_eq!(browser.text("#ui-look-speed").await, "2×");
    browser.keys(" ").await;
    browser.until("+document.querySelector('#ui-look-at').value > 5").await;
    assert!(browser.run(lines).await.as_u64().unwrap() > few, "the journal grows with it");
    browser.keys(" ").await;
    browser.click("[data-look=now]").await;
    browser.until("!location.pathname.endsWith('replay') && document.querySelector('#f-end')").await;
    browser.is_sound().await;
}

/// A long chat comes in pages: the last of it with the table, what was said before when somebody asks for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_chat_comes_in_pages() {
    let (house, browser) = (House::open(), Browser::open(1200, 800).await);
    let ada = house.guest("Ada");
    let table = house.lay(&*found(("crusader-rex", "hattin", ""), &|_| true), &[&ada]).await;
    house.has_said(&table, &ada, 200).await;
    browser.come_as(&ada, &house).await;
    browser.go(&house.address(&format!("/t/{table}"))).await;
    browser.click("[data-tab=chat]").await;
    let said =
        "return [...document.querySelectorAll('#ui-chat p')].map((p) => +p.textContent.split(' ').at(-1));";
    let last: Vec<u32> = serde_json::from_value(browser.run(said).await).unwrap();
    assert!(last.len() < 100 && last.last() == Some(&199), "the last of it: {last:?}");
    for _ in 0..4 {
        if browser.count("#ui-said-before:not([hidden])").await == 0 {
            break;
        }
        let before = browser.count("#ui-chat p").await;
        browser.click("#ui-said-before").await;
        browser.until(&format!("document.querySelectorAll('#ui-chat p').length > {before}")).await;
    }
    let all: Vec<u32> = serde_json::from_value(browser.run(said).await).unwrap();
    assert_eq!(all, (0..200).collect::<Vec<_>>(), "all of it, in its order");
    browser.is_sound().await;
}

/// What ends a game asks once more on its button.
async fn asked_once_more(browser: &Browser) {
    browser.until("document.querySelector('.asking')").await;
    // The second press of a double click would not count.
    tokio::time::sleep(Duration::from_millis(450)).await;
    assert_eq!(browser.state("stage").await, "running");
    browser.run("document.querySelector('.asking').click();").await;
}

/// A draw needs both; whoever resigns loses; alone one puts a game away.
#[tokio::test(flavor = "multi_thread")]
async fn ends_that_are_no_matter_of_the_rules() {
    let house = House::open();
    let (one, two) = (Browser::open(1200, 800).await, Browser::open(1200, 800).await);
    for browser in [&one, &two] {
        named(browser, &house, if std::ptr::eq(browser, &one) { "Ada" } else { "Bo" }).await;
    }
    let sit = async || {
        open_table(&one, &house, "ten-towns", "", &["me", "open"]).await;
        two.go(&house.address(&one.path().await)).await;
        two.click("[data-sit]").await;
        for browser in [&one, &two] {
            browser.until("document.querySelector('#ui-state')?.dataset.stage === 'running'").await;
        }
    };
    sit().await;
    one.click("[data-tab=more]").await;
    one.click("form:has([value='offer-draw']) button").await;
    two.until("document.querySelector('#f-asked')?.textContent.includes('offers a draw')").await;
    two.picture("draw-offered").await;
    two.click("#f-asked form:has([value='decline-draw']) button").await;
    one.until("document.querySelector('form [value=\"offer-draw\"]')").await;
    one.click("[data-tab=more]").await;
    one.click("form:has([value='offer-draw']) button").await;
    two.until("document.querySelector('#f-asked')?.textContent.includes('offers a draw')").await;
    two.click("#f-asked form:has([value='agree-draw']) button").await;
    asked_once_more(&two).await;
    for browser in [&one, &two] {
        browser.until("document.querySelector('#ui-state')?.dataset.stage === 'over'").await;
        assert!(browser.text("#f-prompt").await.contains("Nobody wins"));
    }
    sit().await;
    two.click("[data-tab=more]").await;
    two.click("form:has([value='resign']) button").await;
    asked_once_more(&two).await;
    one.until("document.querySelector('#ui-state')?.dataset.stage === 'over'").await;
    let told = one.text("#f-prompt").await;
    assert!(told.contains("Red wins") && told.contains("resigned"), "{told}");
    open_table(&one, &house, "tic-tac-toe", "", &["me", "bot:random"]).await;
    one.click("[data-tab=more]").await;
    one.click("form:has([value='abandon']) button").await;
    asked_once_more(&one).await;
    one.until("document.querySelector('#ui-state')?.dataset.stage === 'over'").await;
    one.is_sound().await;
}

/// With partners, whoever resigns leaves his seat to a bot, and the game goes on; words go to chosen seats alone.
#[tokio::test(flavor = "multi_thread")]
async fn partners_and_words_to_chosen_seats() {
    let (house, browser) = (House::open(), Browser::open(1300, 850).await);
    named(&browser, &house, "Ada").await;
    let guests = ["Bo", "Cy", "Di"].map(|name| house.guest(name));
    browser.go(&house.address("/g/four-keeps")).await;
    let seats = browser
        .run("return [...document.querySelectorAll('select[name^=seat-]')].length;")
        .await
        .as_u64()
        .unwrap();
    let mut who = vec!["me", "open", "open", "open"];
    who.resize(seats as usize, "none");
    open_table(&browser, &house, "four-keeps", "", &who).await;
    let table = browser.path().await.trim_start_matches("/t/").to_string();
    for (i, guest) in guests.iter().enumerate() {
        guest.ask(&format!("/api/tables/{table}/join"), &json!({ "seat": i + 1 }));
        guest.ask(&format!("/api/tables/{table}/ready"), &json!({ "seat": i + 1, "nonce": "2a" }));
    }
    browser.until("document.querySelector('#ui-state')?.dataset.stage === 'running'").await;
    browser.go(&house.address(&format!("/t/{table}"))).await;
    browser.click("[data-tab=chat]").await;
    browser.click(".hearers summary").await;
    browser.click(".hearers input[value='2']").await;
    let field = browser.client.find(fantoccini::Locator::Css("#ui-say input[name=text]")).await.unwrap();
    field.send_keys("Between us").await.unwrap();
    browser.click("#ui-say > button").await;
    browser.until("document.querySelector('#ui-chat').textContent.includes('Between us')").await;
    browser.picture("chat-chosen").await;
    let heard = |guest: usize| {
        let seen = guests[guest].read(&format!("/api/tables/{table}?seat={}", guest + 1));
        seen["chat"].to_string().contains("Between us")
    };
    assert_eq!([heard(0), heard(1), heard(2)], [false, true, false]);
    // Whoever resigns while a partner plays on leaves his seat to a bot; the game goes on, and he looks on.
    browser.click("[data-tab=more]").await;
    browser.click("form:has([value='resign']) button").await;
    browser.until("document.querySelector('.asking') && document.querySelector('#ui-why').textContent.includes('a bot takes your seat')").await;
    asked_once_more(&browser).await;
    browser.until("document.querySelector('#f-watching')?.textContent.includes('You are watching')").await;
    browser.picture("partner-resigned").await;
    let seen = guests[1].read(&format!("/api/tables/{table}?seat=2"));
    assert_eq!(seen["stage"], "running", "the partner plays on");
    assert_eq!(seen["seats"][0]["kind"], "bot");
    let told = seen["events"].as_array().unwrap().last().unwrap()["text"].to_string();
    assert!(
        told.contains("bot") || told.contains("gave up") || told.contains("leaves"),
        "the table is told: {told}"
    );
    browser.is_sound().await;
}

/// Whoever wants to go leaves his seat to a friend by a link: the friend has it from then on, he himself looks on, the
/// table is told, and nothing of the game is lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_seat_is_left_to_a_friend() {
    let house = House::open();
    let (one, two) = (Browser::open(1200, 800).await, Browser::open(1100, 800).await);
    named(&one, &house, "Ada").await;
    open_table(&one, &house, "ten-towns", "", &["me", "open"]).await;
    let table = one.path().await.trim_start_matches("/t/").to_string();
    let bo = house.guest("Bo");
    bo.ask(&format!("/api/tables/{table}/join"), &json!({ "seat": 1 }));
    bo.ask(&format!("/api/tables/{table}/ready"), &json!({ "seat": 1, "nonce": "2a" }));
    one.until("document.querySelector('.offers [data-act=\"card 2\"]')").await;
    one.click("[data-tab=more]").await;
    one.click("[data-tab-body=more] [data-invite]").await;
    one.until("document.querySelector('#ui-seat-link code')").await;
    named(&two, &house, "Cy").await;
    two.go(&one.text("#ui-seat-link code").await).await;
    assert!(two.text("main").await.contains("hands this seat over to you"));
    two.click("form.new button").await;
    two.until("document.querySelector('.offers [data-act=\"card 2\"]')").await;
    one.until("document.querySelector('#f-watching')?.textContent.includes('You are watching')").await;
    assert_eq!(one.count(".offers [data-act]").await, 0, "who has left decides nothing");
    take(&two, "card 2").await;
    two.until("document.querySelector('#f-prompt .held')").await;
    let seen = bo.read(&format!("/api/tables/{table}?seat=1"));
    assert_eq!((&seen["stage"], &seen["seats"][0]["player"]), (&json!("running"), &json!("Cy")));
    assert!(seen["events"].to_string().contains("over"), "the table is told: {}", seen["events"]);
    for browser in [&one, &two] {
        browser.is_sound().await;
    }
}

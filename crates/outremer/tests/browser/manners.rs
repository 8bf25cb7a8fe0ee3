//! Table manners: who is new is asked for a name where he is, keys never lose their place, everybody is told
//! what concerns him and nobody what does not, and the end says why.

use std::time::Duration;

use serde_json::{Value, json};

use crate::house::{Browser, House};
use crate::{ENTER, ESCAPE, open_table, stranger_is_sent, take};

/// What has the focus: its tag, what it does, and the part of the page that it is in.
const FOCUS: &str = "const e = document.activeElement; return [e?.localName ?? '', e?.dataset?.act ?? e?.textContent?.trim().slice(0, 60) ?? '', e?.closest('[id^=ui-]')?.id ?? ''];";

async fn type_into(browser: &Browser, selector: &str, text: &str) {
    let field = browser.client.find(fantoccini::Locator::Css(selector)).await.unwrap();
    field.send_keys(text).await.unwrap();
}

/// A newcomer presses "Sit down here": he is asked for a name there and then, and sits.
#[tokio::test(flavor = "multi_thread")]
async fn a_newcomer_is_asked_for_a_name_and_seated() {
    let house = House::open();
    let (one, two) = (Browser::open(1440, 900).await, Browser::open(390, 844).await);
    open_table(&one, &house, "ten-towns", "", &["me", "open"]).await;
    let table = one.path().await;
    two.go(&house.address(&table)).await;
    two.until("document.querySelector('[data-sit]')").await;
    assert!(two.text("#f-watching").await.contains("You are watching"), "who watches is told so");
    assert_eq!(one.text("#f-watching").await, "", "who plays is not");
    two.run("window.unreloaded = true; document.querySelector('[data-sit]').focus();").await;
    two.keys(ENTER).await;
    two.until("document.querySelector('dialog#ui-name[open]')").await;
    two.picture("newcomer-name").await;
    let label = "return [document.activeElement.name, document.activeElement.labels[0].textContent.trim(), !!document.querySelector('#ui-name').getAttribute('aria-labelledby')];";
    assert_eq!(two.run(label).await, json!(["name", "Your name", true]), "keys and reader are in the field");
    // Whoever thinks better of it is where he was.
    two.keys(ESCAPE).await;
    two.until("!document.querySelector('#ui-name')").await;
    assert_eq!(two.run("return window.unreloaded && 'sit' in document.activeElement.dataset;").await, true);
    assert_eq!(two.text("#ui-toast").await, "", "that is nothing to complain about");
    two.keys(ENTER).await;
    two.until("document.querySelector('dialog#ui-name[open]')").await;
    type_into(&two, "#ui-name input", "Bo").await;
    two.keys(ENTER).await;
    two.until("document.querySelector('#ui-main')?.dataset.seat === '1' && document.querySelector('#ui-state')?.dataset.stage === 'running'").await;
    assert!(two.text(".people").await.contains("Bo"));
    one.until("document.querySelector('.people').textContent.includes('Bo')").await;
    two.is_sound().await;
    one.is_sound().await;
}

/// Somebody who looks on says something, and is asked for a name before it is said; nothing is lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_says_something() {
    let house = House::open();
    let (one, two) = (Browser::open(1200, 800).await, Browser::open(1200, 800).await);
    open_table(&one, &house, "tic-tac-toe", "", &["me", "bot:random"]).await;
    two.go(&house.address(&one.path().await)).await;
    two.click("[data-tab=chat]").await;
    two.run("window.unreloaded = true;").await;
    type_into(&two, "#ui-say input[name=text]", "Well played").await;
    two.keys(ENTER).await;
    two.until("document.querySelector('dialog#ui-name[open]')").await;
    two.click("#ui-name [value=no]").await;
    two.until("!document.querySelector('#ui-name')").await;
    let kept = "return document.querySelector('#ui-say').text.value;";
    assert_eq!(two.run(kept).await, "Well played", "what was written is still there");
    two.keys(ENTER).await;
    two.until("document.querySelector('dialog#ui-name[open]')").await;
    type_into(&two, "#ui-name input", "Eve").await;
    two.click("#ui-name [value=yes]").await;
    one.until("document.querySelector('#ui-chat').textContent.includes('Eve: Well played')").await;
    two.until("document.querySelector('#ui-chat').textContent.includes('Eve: Well played')").await;
    assert_eq!(two.run(kept).await, "");
    assert_eq!(two.run("return window.unreloaded;").await, true, "the page was never loaded again");
    assert_eq!(two.text(".who").await, "Eve");
    two.is_sound().await;
}

/// A game by keys alone: after every choice the focus is on something sensible, and at the end the page says
/// who won and why.
#[tokio::test(flavor = "multi_thread")]
async fn keys_never_lose_their_place() {
    let (house, browser) = (House::open(), Browser::open(1300, 850).await);
    open_table(&browser, &house, "tic-tac-toe", "", &["me", "bot:random"]).await;
    browser.until("document.querySelector('.offers [data-act]')").await;
    browser.run("document.querySelector('#f-list details').open = true; document.querySelector('.offers [data-act]').focus();").await;
    for step in 0..9 {
        if !browser.my_turn().await {
            break;
        }
        browser.until("document.activeElement.closest('.offers')").await;
        let number = browser.state("number").await;
        browser.keys(ENTER).await;
        browser
            .until(&format!("document.querySelector('#ui-state').dataset.number !== '{number}' || document.querySelector('#ui-state').dataset.stage === 'over'"))
            .await;
        let focus = browser.run(FOCUS).await;
        assert!(
            focus[2] == "ui-first" || focus[2] == "ui-ask" || focus[2] == "ui-actions",
            "step {step}: {focus}"
        );
    }
    assert_eq!(browser.state("stage").await, "over");
    let focus = browser.run(FOCUS).await;
    assert!(focus[2] == "ui-ask" || focus[2] == "ui-actions", "{focus}");
    let (headline, why) = (browser.text("#f-prompt .over").await, browser.text("#f-prompt .why").await);
    assert!(["Cross wins", "Nought wins", "A draw"].contains(&headline.as_str()), "{headline}");
    assert!(why.contains("three in a row"), "{why}");
    browser.picture("why-over").await;
    browser.is_sound().await;
}

/// From the board: the menu that a piece opens gives the focus back, and what comes next has it.
#[tokio::test(flavor = "multi_thread")]
async fn keys_on_the_board_keep_their_place() {
    let (house, browser) = (House::open(), Browser::open(1300, 850).await);
    open_table(&browser, &house, "crusader-rex", "hattin", &["me", "bot:random"]).await;
    browser.until("document.querySelector('.pane.shown .space.open[data-name=Acre]')").await;
    browser.run("document.querySelector('.pane.shown .space.open[data-name=Acre]').focus();").await;
    let number = browser.state("number").await;
    browser.keys(ENTER).await;
    let on = format!(
        "document.querySelector('#ui-state').dataset.number !== '{number}' || !document.querySelector('#ui-menu').hidden"
    );
    browser.until(&on).await;
    if browser.count("#ui-menu:not([hidden])").await > 0 {
        browser.keys(ENTER).await;
    }
    browser.until(&format!("document.querySelector('#ui-state').dataset.number !== '{number}'")).await;
    let focus = browser.run(FOCUS).await;
    assert!(
        ["ui-boards", "ui-ask", "ui-actions", "ui-first"].contains(&focus[2].as_str().unwrap()),
        "{focus}"
    );
    // A hint that is taken goes on to the next choice.
    browser.is_sound().await;
}

/// What others do does not disturb who reads: the focus, a closed fold and the place scrolled to stay.
#[tokio::test(flavor = "multi_thread")]
async fn updates_disturb_nobody() {
    let (house, browser) = (House::open(), Browser::open(1000, 620).await);
    open_table(&browser, &house, "ten-towns", "", &["me", "open"]).await;
    let table = browser.path().await.trim_start_matches("/t/").to_string();
    let bo = house.guest("Bo");
    let ask = |what: &str, body: Value| bo.ask(&format!("/api/tables/{table}/{what}"), &body);
    ask("join", json!({}));
    ask("ready", json!({ "seat": 1, "nonce": "2a" }));
    // Blue plays 3 and moves first; Red plays 1.
    browser.until("document.querySelector('.offers [data-act=\"card 1\"]')").await;
    ask("act", json!({ "seat": 1, "actions": ["card 3"] }));
    take(&browser, "card 1").await;
    browser.until("document.querySelector('#ui-journal').textContent.includes('Blue plays 3')").await;
    ask("act", json!({ "seat": 1, "actions": ["end"] }));
    browser.until("document.querySelector('.offers [data-act=\"group Brill\"]')").await;
    // A fold that was closed stays closed when something else on the page changes.
    browser.until("document.querySelector('#f-warnings details[open]')").await;
    browser.run("document.querySelector('#f-warnings details').open = false;").await;
    ask("say", json!({ "text": "Well" }));
    browser.until("document.querySelector('#ui-chat').textContent.includes('Well')").await;
    assert_eq!(browser.count("#f-warnings details").await, 1);
    assert_eq!(browser.count("#f-warnings details[open]").await, 0, "the fold stays closed");
    // The same person acts from elsewhere; this page only reads.
    let act = async |actions: &[&str]| {
        let body = json!({ "seat": 0, "actions": actions });
        let script = "const [path, body, done] = arguments; fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((a) => a.json()).then(done);";
        browser
            .client
            .execute_async(script, vec![format!("/api/tables/{table}/act").into(), body])
            .await
            .unwrap()
    };
    act(&["group Brill", "go Ram > Dunster"]).await;
    browser.until("document.querySelector('#ui-journal button.name')").await;
    act(&["halt"]).await;
    browser.until("document.querySelector('.offers [data-act=end]')").await;
    browser.run("document.querySelector('#ui-side').scrollTop = 90;").await;
    let name = browser.run("const name = document.querySelector('#ui-journal button.name'); name.focus({ preventScroll: true }); window.held = name; return name.textContent;").await;
    act(&["end"]).await;
    browser.until("document.querySelector('.offers [data-act^=card], .offers [data-act^=pass]') || document.querySelector('#ui-state').dataset.decide === 'false'").await;
    ask("say", json!({ "text": "Hm" }));
    browser.until("document.querySelector('#ui-chat').textContent.includes('Hm')").await;
    let now = browser
        .run("return [document.activeElement === window.held, document.activeElement.textContent];")
        .await;
    assert_eq!(now, json!([true, name]), "the focus stays on the name in the journal");
    let scrolled = browser.run("return document.querySelector('#ui-side').scrollTop;").await;
    assert!(scrolled.as_f64().unwrap() > 20.0, "who has scrolled down stays there: {scrolled}");
    browser.is_sound().await;
}

/// In a guided scenario advice is for the seat that decides: neither the other nor an onlooker reads it.
#[tokio::test(flavor = "multi_thread")]
async fn a_guide_speaks_to_its_own_seat() {
    let house = House::open();
    let (one, two) = (Browser::open(1440, 900).await, Browser::open(1440, 900).await);
    open_table(&one, &house, "crusader-rex", "hattin", &["me", "invite"]).await;
    one.click("[data-invite='1']").await;
    one.until("document.querySelector('#ui-links code')").await;
    two.go(&one.text("#ui-links code").await).await;
    two.click("form.new button").await;
    one.until("document.querySelector('#f-prompt .advice')").await;
    two.until("document.querySelector('#f-prompt p')").await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let advice = one.text("#f-prompt .advice").await;
    assert!(advice.len() > 20, "{advice}");
    let theirs = two.run("return document.querySelector('#f-prompt').textContent;").await;
    let words: String = advice.chars().take(20).collect();
    assert!(!theirs.as_str().unwrap().contains(&words), "{theirs}");
    assert_eq!(two.count("#f-prompt .advice").await, 0);
    let page = stranger_is_sent(&house.address(&one.path().await));
    assert!(page.contains("You are watching"));
    assert!(!page.contains("class=\"advice\"") && !page.contains(&words), "an onlooker reads no advice");
}

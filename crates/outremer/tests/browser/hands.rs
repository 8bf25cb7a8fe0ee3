//! Hands at the table: pieces that are picked and moved by clicks and drags, the action bar, the tray, orders,
//! answers to what cannot be, battles, keys; counted where a number was promised.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use table::Lots;

use crate::house::{Browser, House};
use crate::{ESCAPE, choose, open_table, take};

/// Where on the page a thing of the shown board is.
async fn place(browser: &Browser, id: &str) -> (f64, f64) {
    let script = "const e = [...document.querySelectorAll('.pane.shown [data-id]')].find((e) => e.dataset.id === arguments[0]); const r = (e.querySelector('.shape') ?? e).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2];";
    let at = browser.client.execute(script, vec![id.into()]).await.unwrap();
    (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
}

async fn mouse(browser: &Browser, what: &str, (x, y): (f64, f64), shift: bool) {
    let button = if what == "mouseMoved" { "none" } else { "left" };
    let modifiers = if shift { 8 } else { 0 };
    let event =
        json!({ "type": what, "x": x, "y": y, "button": button, "clickCount": 1, "modifiers": modifiers });
    browser.tell("Input.dispatchMouseEvent", event).await;
}

/// A click of a real mouse on a thing of the board.
async fn click_at(browser: &Browser, id: &str, shift: bool) {
    let at = place(browser, id).await;
    for what in ["mouseMoved", "mousePressed", "mouseReleased"] {
        mouse(browser, what, at, shift).await;
    }
}

/// A tap of a finger on a thing of the board.
async fn tap(browser: &Browser, id: &str) {
    let (x, y) = place(browser, id).await;
    let touch = |what: &str, points: Value| json!({ "type": what, "touchPoints": points });
    browser.tell("Input.dispatchTouchEvent", touch("touchStart", json!([{ "x": x, "y": y }]))).await;
    browser.tell("Input.dispatchTouchEvent", touch("touchEnd", json!([]))).await;
}

/// Counts what a person does with a mouse from now on: clicks on anything.
async fn count_clicks(browser: &Browser) {
    browser.run("window.clicks = 0; addEventListener('pointerup', (e) => { if (e.isTrusted) window.clicks += 1; }, true);").await;
}
async fn clicks(browser: &Browser) -> u64 {
    browser.run("return window.clicks;").await.as_u64().unwrap()
}

const IN_HAND: &str = "[...document.querySelectorAll('.pane.shown .piece.picked')].map((e) => e.dataset.id)";
async fn in_hand(browser: &Browser) -> usize {
    browser.run(&format!("return {IN_HAND}.length;")).await.as_u64().unwrap() as usize
}
async fn until_in_hand(browser: &Browser, n: usize) {
    browser.until(&format!("{IN_HAND}.length === {n}")).await;
}

/// Somebody who plays the second seat without a browser, and stands his ground: he moves nobody and fires with
/// everybody.
pub(crate) struct Opponent(Arc<AtomicBool>, Option<JoinHandle<()>>);

impl Opponent {
    pub(crate) fn sits_down(house: &House, table: &str) -> Self {
        let (guest, over, table) = (house.guest("Bo"), Arc::new(AtomicBool::new(false)), table.to_string());
        guest.ask(&format!("/api/tables/{table}/join"), &json!({ "seat": 1 }));
        guest.ask(&format!("/api/tables/{table}/ready"), &json!({ "seat": 1, "nonce": "2a" }));
        let stop = over.clone();
        let plays = move || {
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(60));
                let view = guest.read(&format!("/api/tables/{table}?seat=1"));
                let offered = view["offered"].as_array().cloned().unwrap_or_default();
                let acts: Vec<&str> = offered.iter().filter_map(|o| o["notation"].as_str()).collect();
                if view["seats"][1]["waiting"] == true && !acts.is_empty() {
                    let likes = |word: &str| acts.iter().find(|act| act.starts_with(word)).copied();
                    let act = likes("done").or_else(|| likes("fire")).unwrap_or(acts[0]);
                    guest.ask(&format!("/api/tables/{table}/act"), &json!({ "seat": 1, "actions": [act] }));
                }
            }
        };
        Self(over, Some(std::thread::spawn(plays)))
    }
}

impl Drop for Opponent {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        let _ = self.1.take().map(JoinHandle::join);
    }
}

/// The guided battle, with the Franks to move, against somebody who stands his ground.
async fn hattin(width: u32, height: u32) -> (House, Browser, Opponent) {
    let (house, browser) = (House::open(), Browser::open(width, height).await);
    open_table(&browser, &house, "crusader-rex", "hattin", &["me", "open"]).await;
    let opponent = Opponent::sits_down(&house, browser.path().await.trim_start_matches("/t/"));
    browser.until("document.querySelector('.pane.shown .open[data-id=\"town-Acre\"]')").await;
    (house, browser, opponent)
}

/// Six blocks from two towns to a third: a click for each town, one for the place, one to end.
#[tokio::test(flavor = "multi_thread")]
async fn six_blocks_move_in_four_clicks() {
    let (_house, browser, _bo) = hattin(1440, 900).await;
    count_clicks(&browser).await;
    click_at(&browser, "town-Acre", true).await;
    until_in_hand(&browser, 4).await;
    click_at(&browser, "town-Legio", true).await;
    until_in_hand(&browser, 6).await;
    // Where they can go is lit, with cost and danger.
    let marks = browser.run("return [...document.querySelectorAll('.hand-marks [data-reached]')].map((e) => [e.dataset.reached, e.textContent]);").await;
    let marks = marks.as_array().unwrap();
    assert!(
        marks.iter().any(|m| m[0] == "town-Nablus" && m[1].as_str().unwrap().contains("road")),
        "{marks:?}"
    );
    // Hovering draws the way and says what it costs.
    mouse(&browser, "mouseMoved", place(&browser, "town-Nablus").await, false).await;
    browser.until("document.querySelectorAll('.hand-route line').length >= 2 && document.querySelector('#ui-why').textContent.includes('Nablus')").await;
    browser.picture("hand-six").await;
    // Clicks with shift take pieces, never the letters of the map.
    assert_eq!(browser.run("return getSelection().toString();").await, "");
    click_at(&browser, "town-Nablus", false).await;
    let there =
        "document.querySelectorAll('#ui-stacks [data-stack=\"town-Nablus\"] [data-mine]').length === 6";
    browser.until(there).await;
    until_in_hand(&browser, 0).await;
    browser.click("#f-choices .main").await;
    browser.until("document.querySelector('#ui-journal').textContent.includes('Nablus')").await;
    assert_eq!(clicks(&browser).await, 4);
    browser.is_sound().await;
}

/// The guided battle from its first click to its end.
#[tokio::test(flavor = "multi_thread")]
async fn the_guided_battle_takes_25_clicks() {
    let (house, browser) = (House::open(), Browser::open(1440, 900).await);
    browser.go(&house.address("/")).await;
    browser.click(".first button").await;
    browser.until("document.querySelector('.pane.shown .open[data-id=\"town-Acre\"]')").await;
    count_clicks(&browser).await;
    click_at(&browser, "town-Acre", true).await;
    until_in_hand(&browser, 4).await;
    click_at(&browser, "town-Tiberias", false).await;
    browser.until("document.querySelector('[data-ask=undo]')").await;
    let number = browser.state("number").await;
    browser.click("#f-choices .main").await;
    browser.until(&format!("document.querySelector('#ui-state').dataset.number !== '{number}'")).await;
    for step in 0..60 {
        if !browser.my_turn().await {
            break;
        }
        assert!(step < 40, "the battle ends");
        let number = browser.state("number").await;
        // What a block does is done by a click on it, or by the main button; whatever may be let be is.
        if browser.count("#f-choices [data-all]").await > 0 {
            browser.click("#f-choices [data-all]").await;
            browser.until("!document.body.classList.contains('in-turn')").await;
        } else if browser.count("#f-choices .main").await > 0 {
            browser.click("#f-choices .main").await;
        } else if browser.count("#f-choices .refuse").await > 0 {
            browser.click("#f-choices .refuse").await;
        } else {
            let id =
                browser.run("return (document.querySelector('.pane.shown .piece.open') ?? document.querySelector('.pane.shown .open[data-id]'))?.dataset.id ?? '';").await;
            let id = id.as_str().unwrap_or_default();
            assert!(!id.is_empty(), "nothing on the board can be chosen: {}", browser.run("return document.querySelector('#f-prompt').innerText + [...document.querySelectorAll('.offers [data-act]')].map((e) => e.dataset.act) + document.querySelector('.pane.shown').dataset.pane;").await);
            click_at(&browser, id, false).await;
            let or_menu = format!(
                "!document.querySelector('#ui-menu').hidden || document.querySelector('#ui-state').dataset.number !== '{number}'"
            );
            browser.until(&or_menu).await;
            if browser.count("#ui-menu:not([hidden])").await > 0 {
                let over = browser.run("const m = document.querySelector('#ui-menu').getBoundingClientRect(), b = document.querySelector('#ui-boards').getBoundingClientRect(); return m.bottom > b.top + 1 && m.top < b.bottom && m.right > b.left && m.left < b.right;").await;
                assert_eq!(over, false, "a menu never lies over the board");
                browser.click("#ui-menu button").await;
            }
        }
        if browser.count(".asking").await > 0 {
            tokio::time::sleep(Duration::from_millis(450)).await;
            browser.click(".asking").await;
        }
        browser
            .until(&format!("document.querySelector('#ui-state').dataset.number !== '{number}' || document.querySelector('#ui-state').dataset.stage === 'over'"))
            .await;
    }
    let clicks = clicks(&browser).await;
    println!("the guided battle took {clicks} clicks");
    assert!(clicks <= 25, "{clicks} clicks");
    browser.is_sound().await;
}

/// Adding, removing, all alike, the stack, letting go; and dragging, with a drop at home that empties the hand.
#[tokio::test(flavor = "multi_thread")]
async fn a_hand_is_filled_and_emptied() {
    let (_house, browser, _bo) = hattin(1440, 900).await;
    click_at(&browser, "block-King Guy", false).await;
    until_in_hand(&browser, 1).await;
    tokio::time::sleep(Duration::from_millis(450)).await;
    click_at(&browser, "block-Raymond of Tripoli", false).await;
    until_in_hand(&browser, 2).await;
    tokio::time::sleep(Duration::from_millis(450)).await;
    click_at(&browser, "block-King Guy", false).await;
    until_in_hand(&browser, 1).await;
    browser.keys("a").await;
    until_in_hand(&browser, 4).await;
    browser.keys(ESCAPE).await;
    until_in_hand(&browser, 0).await;
    // Twice on the same: all alike, or the stack.
    let at = place(&browser, "block-King Guy").await;
    for (what, times) in
        [("mousePressed", 1), ("mouseReleased", 1), ("mousePressed", 2), ("mouseReleased", 2)]
    {
        let event = json!({ "type": what, "x": at.0, "y": at.1, "button": "left", "clickCount": times });
        browser.tell("Input.dispatchMouseEvent", event).await;
    }
    until_in_hand(&browser, 4).await;
    // A drag dropped at home lets go.
    let home = place(&browser, "block-King Guy").await;
    let away = (home.0 + 90.0, home.1 + 30.0);
    mouse(&browser, "mousePressed", home, false).await;
    for at in [away, (home.0 + 12.0, home.1 + 4.0), home] {
        let moved = json!({ "type": "mouseMoved", "x": at.0, "y": at.1, "button": "left", "buttons": 1 });
        browser.tell("Input.dispatchMouseEvent", moved).await;
    }
    browser.until("document.querySelector('.ghost')").await;
    mouse(&browser, "mouseReleased", home, false).await;
    until_in_hand(&browser, 0).await;
    assert_eq!(browser.count(".ghost").await, 0);
    assert_eq!(browser.count("[data-ask=undo]").await, 0, "nothing was done");
    // And one dropped on a place that can be reached goes there.
    let home = place(&browser, "block-King Guy").await;
    let to = place(&browser, "town-Legio").await;
    mouse(&browser, "mousePressed", home, false).await;
    for at in [away, ((home.0 + to.0) / 2.0, (home.1 + to.1) / 2.0), to] {
        let moved = json!({ "type": "mouseMoved", "x": at.0, "y": at.1, "button": "left", "buttons": 1 });
        browser.tell("Input.dispatchMouseEvent", moved).await;
    }
    browser.until("document.querySelector('.hand-route line')").await;
    browser.picture("hand-drag").await;
    mouse(&browser, "mouseReleased", to, false).await;
    browser
        .until(
            "document.querySelector('#ui-stacks [data-stack=\"town-Legio\"] [data-piece=\"block-King Guy\"]')",
        )
        .await;
    browser.is_sound().await;
}

/// A click on what cannot be chosen is answered in the bar, read aloud, and leaves the hand as it was; the bar
/// keeps its height whatever it says.
#[tokio::test(flavor = "multi_thread")]
async fn why_not_is_always_answered() {
    let (_house, browser, _bo) = hattin(1440, 900).await;
    let heights = "return ['#ui-prompt', '#ui-boards'].map((e) => document.querySelector(e).getBoundingClientRect().height);";
    let before = browser.run(heights).await;
    assert_eq!(before[0], 64.0);
    browser.click("[data-zoom=fit]").await;
    click_at(&browser, "block-King Guy", false).await;
    until_in_hand(&browser, 1).await;
    for thing in ["town-Damascus", "hidden-Saracen-town-Ashtera-0", "town-Amman", "town-Ajlun"] {
        browser.run("document.querySelector('#ui-said').textContent = ''; document.querySelector('#ui-why').hidden = true;").await;
        click_at(&browser, thing, false).await;
        browser.until("!document.querySelector('#ui-why').hidden && document.querySelector('#ui-said').textContent.length > 10").await;
        assert_eq!(in_hand(&browser).await, 1, "{thing}: the hand is as it was");
        assert_eq!(browser.run(heights).await, before, "{thing}: nothing changes its height");
    }
    browser.picture("why-not-hand").await;
    // With nothing in hand the step that is waited for is named.
    browser.keys(ESCAPE).await;
    click_at(&browser, "hidden-Saracen-town-Ashtera-0", false).await;
    browser.until("!document.querySelector('#ui-why').hidden").await;
    assert!(browser.text("#ui-why").await.len() > 10);
    // Undo that cannot be says why.
    browser.click("#ui-undo [aria-disabled=true]").await;
    browser.until("document.querySelector('#ui-why').textContent.includes('nothing yet')").await;
    assert_eq!(browser.run(heights).await, before);
    browser.is_sound().await;
}

/// A stack opens beside the board when the pointer rests on it: full size, names, strengths, sum; picking works
/// there. On a phone a tap opens it.
#[tokio::test(flavor = "multi_thread")]
async fn a_stack_opens_in_the_tray() {
    let (_house, browser, _bo) = hattin(1440, 900).await;
    mouse(&browser, "mouseMoved", place(&browser, "block-King Guy").await, false).await;
    browser.until("!document.querySelector('#ui-tray').hidden").await;
    let tray = browser.text("#ui-tray").await;
    for word in ["Acre", "King Guy", "Jerusalem Templars", "strength 4", "4 pieces, strength 13"] {
        assert!(tray.contains(word), "no {word} in {tray}");
    }
    let sizes = browser.run("const b = document.querySelector('#ui-boards').getBoundingClientRect(); return [[...document.querySelectorAll('#ui-tray .slot svg')].map((s) => s.getBoundingClientRect().width), document.querySelector('#ui-tray').getBoundingClientRect().left >= b.right - 1];").await;
    assert_eq!(sizes, json!([[64, 64, 64, 64], true]), "pieces of 64 px, beside the board");
    browser.click("#ui-tray .slot[data-id='block-King Guy']").await;
    until_in_hand(&browser, 1).await;
    assert!(browser.text("#ui-tray").await.contains("In hand: 1 piece, strength 4"));
    browser.picture("tray").await;
    browser.click("#ui-tray [data-whole]").await;
    until_in_hand(&browser, 4).await;
    browser.is_sound().await;
    let (_house, phone, _bo) = hattin(390, 844).await;
    tap(&phone, "block-King Guy").await;
    phone.until("!document.querySelector('#ui-tray').hidden").await;
    let size =
        phone.run("return document.querySelector('#ui-tray .slot svg').getBoundingClientRect().width;").await;
    assert_eq!(size, 44.0);
    phone.picture("tray-phone").await;
    phone.is_sound().await;
}

/// What cannot be taken back asks once more on its own button, for three seconds, and no dialog opens. The main
/// button is filled and rightmost, refusing is outlined, undo stands at the left.
#[tokio::test(flavor = "multi_thread")]
async fn one_main_button_and_a_second_thought() {
    let (house, browser) = (House::open(), Browser::open(1440, 900).await);
    open_table(&browser, &house, "first-crusade", "", &["me"]).await;
    let mut lots = Lots::new(3);
    for _ in 0..60 {
        browser.until("document.querySelector('.offers [data-act]')").await;
        if browser.count("#f-choices [data-confirm]").await > 0 {
            break;
        }
        choose(&browser, &mut lots).await;
    }
    let number = browser.state("number").await;
    let button = "#f-choices button[data-confirm]";
    let label = browser.text(button).await;
    browser.click(button).await;
    browser.until("document.querySelector('#f-choices .asking')").await;
    assert!(browser.text("#f-choices .asking").await.starts_with("Really?"));
    assert_eq!(browser.count("dialog[open]").await, 0);
    browser.picture("second-thought").await;
    tokio::time::sleep(Duration::from_millis(3300)).await;
    assert_eq!(browser.count(".asking").await, 0, "it asks for three seconds");
    assert_eq!(browser.text(button).await, label);
    assert_eq!(browser.state("number").await, number, "nothing was done");
    browser.is_sound().await;
    let (_house, browser, _bo) = hattin(1440, 900).await;
    let looks = browser.run("const bar = document.querySelector('#ui-prompt').getBoundingClientRect(), all = [...document.querySelectorAll('#ui-prompt button')].filter((b) => b.offsetParent), at = (b) => b.getBoundingClientRect(), main = document.querySelector('#ui-prompt .main'); const filled = (b) => getComputedStyle(b).backgroundColor !== 'rgba(0, 0, 0, 0)'; return [all.filter(filled).length, filled(main), all.every((b) => at(b).right <= at(main).right), all.every((b) => at(b).left >= at(document.querySelector('#ui-undo button')).left), at(main).right <= bar.right];").await;
    assert_eq!(looks, json!([1, true, true, true, true]), "one filled button at the right, undo at the left");
    browser.is_sound().await;
}

/// What was chosen in secret stays in its owner's sight and in nobody else's; it can be changed until the others have
/// chosen.
#[tokio::test(flavor = "multi_thread")]
async fn a_secret_choice_stays_in_sight() {
    let (house, browser) = (House::open(), Browser::open(1440, 900).await);
    open_table(&browser, &house, "ten-towns", "", &["me", "open"]).await;
    let table = browser.path().await.trim_start_matches("/t/").to_string();
    let bo = house.guest("Bo");
    bo.ask(&format!("/api/tables/{table}/join"), &json!({ "seat": 1 }));
    bo.ask(&format!("/api/tables/{table}/ready"), &json!({ "seat": 1, "nonce": "2a" }));
    browser.until("document.querySelector('.offers [data-act=\"card 2\"]')").await;
    take(&browser, "card 2").await;
    browser.until("document.querySelector('#f-prompt .held')").await;
    let held = browser.text("#f-prompt .held").await;
    assert!(held.contains('2'), "{held}");
    assert!(browser.text("#ui-undo").await.contains("Change my choice"));
    browser.picture("secret-choice").await;
    let seen = bo.read(&format!("/api/tables/{table}?seat=1"));
    assert_eq!(seen["drafted"], json!([]), "nobody else is told");
    browser.is_sound().await;
}

/// Standing orders are switches; their order can be changed, and a text box is there for whoever wants it.
#[tokio::test(flavor = "multi_thread")]
async fn orders_are_switches() {
    let (_house, browser, _bo) = hattin(1440, 900).await;
    for action in ["group Acre", "go King Guy > Tiberias", "go Raymond of Tripoli > Tiberias"] {
        take(&browser, action).await;
    }
    browser.keys("o").await;
    browser.until("document.querySelector('#f-orders [data-order=\"fire always\"]')").await;
    let all = ["fire always", "tied hits on the weaker block", "never sally", "never regroup"];
    for order in all {
        browser.click(&format!("#f-orders [data-order='{order}']")).await;
        browser
            .until(&format!("document.querySelector('#f-orders [data-given][data-order=\"{order}\"]')"))
            .await;
    }
    let given =
        "return [...document.querySelectorAll('#f-orders [data-given]')].map((e) => e.dataset.order);";
    assert_eq!(browser.run(given).await, json!(all));
    browser.picture("orders").await;
    browser.click("#f-orders [data-order-of='tied hits on the weaker block'][data-order-move='-1']").await;
    browser.until("document.querySelector('#f-orders [data-given]').dataset.order === 'tied hits on the weaker block'").await;
    browser.click("#f-orders [data-given][data-order='never regroup']").await;
    browser.until("document.querySelectorAll('#f-orders [data-given]').length === 3").await;
    assert_eq!(
        browser.run(given).await,
        json!(["tied hits on the weaker block", "fire always", "never sally"])
    );
    // They are obeyed: whoever would fire does so by himself.
    browser.click("#f-choices .main").await;
    browser.until("/King Guy fires|Raymond of Tripoli fires/.test(document.querySelector('#ui-journal').textContent) || document.querySelector('#ui-state').dataset.stage === 'over'").await;
    browser.is_sound().await;
}

/// A battle is chosen by itself and has the stage; dice are dice and tumble, unless motion is unwelcome; sounds
/// are off until somebody asks for them.
#[tokio::test(flavor = "multi_thread")]
async fn a_battle_has_the_stage() {
    for (width, height, least) in [(1440, 900, 64.0), (390, 844, 44.0)] {
        let (_house, browser, _bo) = hattin(width, height).await;
        if width < 500 {
            let calm = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
            browser.tell("Emulation.setEmulatedMedia", calm).await;
        }
        browser.run("window.tumbled = 0; new MutationObserver((all) => { for (const m of all) if (m.target.classList?.contains('rolling')) window.tumbled += 1; }).observe(document.querySelector('#ui-dice'), { attributes: true, subtree: true });").await;
        for action in ["group Acre", "go King Guy > Tiberias", "go Raymond of Tripoli > Tiberias", "done"] {
            take(&browser, action).await;
        }
        if width < 500 && browser.run("return !document.body.classList.contains('folded');").await == true {
            browser.click("#ui-fold").await;
        }
        browser.until("document.querySelector('.pane.shown > svg[data-room=large]')").await;
        let room = browser.run("const area = (e) => { const r = document.querySelector(e).getBoundingClientRect(); return r.width * r.height; }; return area('.pane.shown > svg') / area('#ui-stage');").await;
        assert!(room.as_f64().unwrap() >= 0.7, "{room} of the stage");
        let sizes = browser.run("return [...document.querySelectorAll('.pane.shown .piece')].map((e) => e.getBoundingClientRect().width);").await;
        let sizes: Vec<f64> = serde_json::from_value(sizes).unwrap();
        assert!(!sizes.is_empty() && sizes.iter().all(|s| *s >= least), "{width}: {sizes:?}");
        let mut lots = Lots::new(4);
        for _ in 0..12 {
            if browser.count("#ui-journal .die svg circle").await > 0 {
                break;
            }
            choose(&browser, &mut lots).await;
        }
        browser.until("document.querySelector('#ui-journal .die svg circle')").await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        let tumbled = browser.run("return window.tumbled > 0;").await;
        assert_eq!(tumbled, width > 500, "dice tumble where motion is welcome");
        assert_eq!(browser.run("return document.body.dataset.sounded ?? '';").await, "", "no sound");
        browser.picture(&format!("battle-{width}")).await;
        browser.is_sound().await;
    }
    // Asked for, there is one.
    let (_house, browser, _bo) = hattin(1440, 900).await;
    browser.click("[data-tab=more]").await;
    browser.click("#ui-sound").await;
    browser.until("document.body.dataset.sounded === 'turn'").await;
}

/// The board has the window: at least 1,100 px of 1,440, nearly all of it with the panels folded; `0` goes round;
/// a page lists the keys; arrows of what moved can be switched off.
#[tokio::test(flavor = "multi_thread")]
async fn the_board_has_the_window() {
    let (_house, browser, _bo) = hattin(1440, 900).await;
    let wide = "return document.querySelector('#ui-boards').getBoundingClientRect().width;";
    assert!(browser.run(wide).await.as_f64().unwrap() >= 1100.0);
    browser.run("document.querySelector('#ui-boards').focus();").await;
    browser.keys("p").await;
    assert!(browser.run(wide).await.as_f64().unwrap() >= 1390.0);
    let view = "return document.querySelector('.pane.shown > svg').getAttribute('viewBox');";
    let mut views = Vec::new();
    for _ in 0..4 {
        browser.keys("0").await;
        views.push(browser.run(view).await);
    }
    assert!(views[0] != views[1] && views[1] != views[2] && views[0] == views[3], "{views:?}");
    browser.keys("t").await;
    assert_eq!(
        browser.run("return document.querySelector('[data-traces]').getAttribute('aria-pressed');").await,
        "false"
    );
    browser.keys("?").await;
    browser.until("document.querySelector('#ui-keys[open]')").await;
    let keys = browser.text("#ui-keys").await;
    for word in ["main button", "whole stack", "undo", "journal", "arrows of what moved"] {
        assert!(keys.contains(word), "{word} is not among the keys");
    }
    browser.picture("keys").await;
    browser.keys(ESCAPE).await;
    browser.until("!document.querySelector('#ui-keys[open]')").await;
    // The main button by key, and the list of the journal.
    browser.keys("l").await;
    browser
        .until(
            "!document.body.classList.contains('folded') && document.activeElement.dataset.tab === 'journal'",
        )
        .await;
    browser.run("document.activeElement.blur();").await;
    browser.keys(" ").await;
    browser.until("document.querySelector('#ui-journal').textContent.includes('Franks move no blocks') || document.querySelector('#ui-state').dataset.decide === 'false' || document.querySelector('[data-ask=take-back]')").await;
    browser.is_sound().await;
}

/// Two windows on one seat: what was done in one the other shows, and what came too late is told and loses nothing.
#[tokio::test(flavor = "multi_thread")]
async fn two_windows_on_one_seat() {
    let (_house, browser, _bo) = hattin(1440, 900).await;
    let table = browser.path().await.trim_start_matches("/t/").to_string();
    // The other window acts, and this page has not heard of it yet: its number is old.
    let number = browser.state("number").await;
    let script = "const [path, done] = arguments; fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ seat: 0, actions: ['group Acre'] }) }).then((a) => a.json()).then(done);";
    browser.client.execute_async(script, vec![format!("/api/tables/{table}/act").into()]).await.unwrap();
    browser.until(&format!("document.querySelector('#ui-state').dataset.number !== '{number}'")).await;
    let now = browser.state("number").await;
    browser.run(&format!("document.querySelector('#ui-state').dataset.number = '{number}'; document.querySelector('.offers [data-act]').click();")).await;
    browser.until("document.querySelector('#ui-why').textContent.includes('nothing was done')").await;
    let seen: Value =
        serde_json::from_str(&browser.fetched(&format!("/api/tables/{table}?seat=0")).await).unwrap();
    assert_eq!(seen["number"].to_string(), now, "nothing was lost");
    browser.is_sound().await;
}

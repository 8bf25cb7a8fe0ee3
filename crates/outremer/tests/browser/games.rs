//! The wargames between people: a guided scenario from its first click to its end, a siege with its duel, an assault on
//! a desk and on a phone.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use table::{AnyMatch, Lots, Viewer};

use crate::house::{Browser, House, PATIENCE};
use crate::staged::found;
use crate::{choose, is_as_fresh, take};

/// What somebody does who wants to get on: mostly the main button, else whatever is offered. Whether it was his turn.
async fn go_on(browser: &Browser, lots: &mut Lots) -> bool {
    if !browser.my_turn().await {
        return false;
    }
    let main = "return document.querySelector('#f-choices .main[data-act]')?.dataset.act ?? '';";
    match browser.run(main).await.as_str().filter(|act| !act.is_empty()) {
        Some(act) if lots.below(4) > 0 => take(browser, act).await,
        _ => drop(choose(browser, lots).await),
    }
    true
}

/// Begins the guided scenario of a game from the lobby.
async fn guided(house: &House, game: &str) -> Browser {
    let browser = Browser::open(1440, 900).await;
    browser.go(&house.address("/")).await;
    browser.click(&format!("article form[action='/learn']:has([value='{game}']) button")).await;
    browser.until("document.querySelector('#ui-state')?.dataset.stage === 'running'").await;
    browser
}

/// A guided scenario from its first click to its end, with advice on the way, by the page alone.
pub(crate) async fn plays_its_guided_scenario(game: &str, most: u32) {
    let house = House::open();
    let browser = guided(&house, game).await;
    let (mut lots, mut advised) = (Lots::new(7), false);
    for step in 0.. {
        assert!(step < most, "{game}: the guided scenario ends within {most} choices");
        advised |= browser.count("#f-prompt .advice").await > 0;
        if step % 16 == 3 {
            is_as_fresh(&browser).await;
        }
        if !go_on(&browser, &mut lots).await {
            break;
        }
    }
    assert!(advised, "{game}: somebody new is advised");
    browser.until("document.querySelector('#f-end h2, #f-end h3')").await;
    assert!(browser.count("#f-prompt .over").await == 1 && browser.count("#f-choices .main").await == 1);
    browser.picture(&format!("guided-{game}")).await;
    is_as_fresh(&browser).await;
    browser.is_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guided_march_of_kingdom_of_heaven() {
    plays_its_guided_scenario("kingdom-of-heaven", 160).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guided_skirmish_of_croisades() {
    plays_its_guided_scenario("croisades-skirmish", 400).await;
}

/// Two people at a table that was laid for them, each in a browser of his own.
async fn two_at(house: &House, sitting: &dyn AnyMatch, sizes: [(u32, u32); 2]) -> ([Browser; 2], String) {
    let guests = [house.guest("Ada"), house.guest("Bo")];
    let table = house.lay(sitting, &[&guests[0], &guests[1]]).await;
    let [one, two] = sizes;
    let browsers = [Browser::open(one.0, one.1).await, Browser::open(two.0, two.1).await];
    for (browser, guest) in browsers.iter().zip(&guests) {
        browser.come_as(guest, house).await;
        browser.go(&house.address(&format!("/t/{table}"))).await;
        browser.until("document.querySelector('.pane.shown > svg')").await;
    }
    (browsers, table)
}

/// Whoever of these must decide, waited for; none when the game is over.
pub(crate) async fn who_decides(browsers: &[Browser]) -> Option<usize> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        for (i, browser) in browsers.iter().enumerate() {
            if browser.state("decide").await == "true" {
                return Some(i);
            }
            if browser.state("stage").await == "over" {
                return None;
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("nobody is asked anything");
}

/// The step that a scene waits in, by the rule of its prompt.
pub(crate) fn asks(sitting: &dyn AnyMatch, rule: &str) -> bool {
    let prompt = |seat| sitting.scene(Viewer::Seat(seat)).prompt.map(|p| p.rule.to_string());
    sitting.waiting_for().iter().any(|seat| prompt(seat).as_deref() == Some(rule))
}

/// A siege between two people: events are played and answered, each sees what was played and neither the other's
/// hand, until the siege goes on without them.
#[tokio::test(flavor = "multi_thread")]
async fn a_siege_with_a_duel_between_two_people() {
    let house = House::open();
    let duel = found(("kingdom-of-heaven", "acre", ""), &|m| asks(m, "17.6.6"));
    let (browsers, table) = two_at(&house, &*duel, [(1440, 900), (1100, 800)]).await;
    let mut lots = Lots::new(2);
    let (mut exchanges, mut acted) = (0, [0, 0]);
    for _ in 0..24 {
        let Some(who) = who_decides(&browsers).await else { break };
        let rule = browsers[who].text("#f-prompt .rule").await;
        if rule == "17.6.6" {
            exchanges += 1;
        } else if exchanges > 0 && acted.iter().all(|n| *n > 0) {
            break;
        }
        go_on(&browsers[who], &mut lots).await;
        acted[who] += 1;
    }
    assert!(exchanges > 0, "somebody was asked for an event of the siege");
    let other = |seat: usize| format!("/api/tables/{table}?seat={seat}");
    for (seat, browser) in browsers.iter().enumerate() {
        let mine: Value = serde_json::from_str(&browser.fetched(&other(seat)).await).unwrap();
        let theirs: Value = serde_json::from_str(&browser.fetched(&other(1 - seat)).await).unwrap();
        assert_ne!(theirs["seat"], json!(1 - seat), "nobody looks through the other's eyes");
        assert_eq!(mine["seat"], json!(seat));
        is_as_fresh(browser).await;
        browser.picture(&format!("duel-{seat}")).await;
        browser.is_sound().await;
    }
}

/// An assault on a castle, one at a desk and the other with a phone.
#[tokio::test(flavor = "multi_thread")]
async fn an_assault_on_a_desk_and_a_phone() {
    let house = House::open();
    let fought = found(("croisades-skirmish", "assault", ""), &|m| m.last_entry() > 120);
    let (browsers, _) = two_at(&house, &*fought, [(1440, 900), (390, 844)]).await;
    let (mut lots, mut acted) = (Lots::new(6), [0, 0]);
    for _ in 0..60 {
        let Some(who) = who_decides(&browsers).await else { break };
        if browsers[who].run("return innerWidth <= 820 && !document.body.classList.contains('folded');").await
            == true
        {
            browsers[who].click("#ui-fold").await;
        }
        go_on(&browsers[who], &mut lots).await;
        acted[who] += 1;
        if acted.iter().all(|n| *n >= 6) {
            break;
        }
    }
    assert!(acted.iter().all(|n| *n > 0), "both had something to decide: {acted:?}");
    for (i, browser) in browsers.iter().enumerate() {
        is_as_fresh(browser).await;
        browser.picture(&format!("assault-{i}")).await;
        browser.is_sound().await;
    }
}

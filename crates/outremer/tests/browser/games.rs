//! The wargames between people: a guided scenario from its first click to its end, an assault on a desk and on a phone,
//! and a window that is open as long as it is for people.

use std::time::{Duration, Instant};

use table::{AnyMatch, Lots, Notation, Seat, Viewer};

use crate::house::{Browser, House, PATIENCE};
use crate::staged::{Beginning, found, opened, played};
use crate::{choose, is_as_fresh, take};

/// What somebody does who wants to get on: mostly the main button, else whatever is offered. Whether it was his turn.
pub(crate) async fn go_on(browser: &Browser, lots: &mut Lots) -> bool {
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
async fn the_guided_skirmish_of_croisades() {
    plays_its_guided_scenario("croisades-skirmish", 400).await;
}

/// Two people at a table that was laid for them, each in a browser of his own.
pub(crate) async fn two_at(
    house: &House,
    sitting: &dyn AnyMatch,
    sizes: [(u32, u32); 2],
) -> ([Browser; 2], String) {
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

/// Whom a scene asks by public knowledge alone.
fn asked_in_a_window(sitting: &dyn AnyMatch) -> Option<Seat> {
    let window = |seat: &Seat| sitting.scene(Viewer::Seat(*seat)).prompt.is_some_and(|prompt| prompt.window);
    sitting.waiting_for().iter().find(window)
}

/// A siege a click before a window: who acts, how, and who is asked then.
fn before_a_window() -> (Box<dyn AnyMatch>, Seat, Notation, Seat) {
    let game = opened("kingdom-of-heaven");
    let found = (1..60).find_map(|number| {
        let beginning = Beginning { game: "kingdom-of-heaven", scenario: "acre", seats: "", number };
        let sitting = played(beginning, &|m| m.last_entry() > 4 && asked_in_a_window(m).is_some())?;
        let asked = asked_in_a_window(&*sitting)?;
        let (entry, seat, act) = sitting.history(Viewer::Umpire).pop()?;
        let before = game.replay(&sitting.record(true), Some(entry - 1)).ok()?;
        let chosen =
            before.waiting_for().contains(seat) && before.offered(seat).iter().any(|o| o.notation == act);
        let fresh = asked_in_a_window(&*before).is_none() && seat != asked;
        (chosen && fresh).then_some((before, seat, act, asked))
    });
    found.unwrap_or_else(|| panic!("no click leads to a window"))
}

/// At the pace that people have: whoever answers a window at once is told that his answer is kept, nobody else notices
/// that he has answered, and it is opened two seconds after it was asked.
#[tokio::test(flavor = "multi_thread")]
async fn a_window_is_open_for_two_seconds() {
    let house = House::open_at_its_own_pace();
    let (sitting, acts, act, asked) = before_a_window();
    let (browsers, _) = two_at(&house, &*sitting, [(1200, 800), (1200, 800)]).await;
    let (one, two) = (&browsers[acts.index()], &browsers[asked.index()]);
    let journal = "return document.querySelector('#ui-journal').textContent;";
    let begun = Instant::now();
    take(one, act.as_str()).await;
    two.until("document.querySelector('#f-prompt .window') && document.querySelector('#ui-state').dataset.decide === 'true'").await;
    let (read, before) = (one.run(journal).await, two.state("number").await);
    two.run("(document.querySelector('#f-choices .main[data-act]') ?? document.querySelector('.offers [data-act]')).click();").await;
    two.until(&format!("document.querySelector('#ui-state').dataset.number !== '{before}'")).await;
    if two.count("#f-prompt .held").await > 0 {
        // On a machine that is very busy the two seconds may be over by now.
        let kept = one.run(journal).await == read || begun.elapsed() > WINDOW;
        assert!(kept, "who waits is told nothing of the answer");
        two.picture("window-held").await;
    }
    two.until("!document.querySelector('#f-prompt .held')").await;
    let taken = begun.elapsed();
    assert!(taken >= WINDOW, "it was opened after {taken:?}");
    for browser in &browsers {
        is_as_fresh(browser).await;
        browser.is_sound().await;
    }
}

/// How long a window is open, where nobody says otherwise.
const WINDOW: Duration = Duration::from_secs(2);

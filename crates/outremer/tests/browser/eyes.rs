//! Eyes at the table: what moved, stacks that can be read, letters at every zoom, night, dice that look alike in every
//! game, lists that show that they scroll, menus beside the board, large battles in a small hand.

use serde_json::{Value, json};
use table::scene::{Board, Ground, Room};
use table::{AnyMatch, Seat, Viewer};

use crate::house::{Browser, Guest, House};
use crate::staged::{WARGAMES, found};
use crate::{open_table, take};

/// A table that was laid for somebody, in a window of a size, seen by him.
async fn laid(house: &House, ada: &Guest, sitting: &dyn AnyMatch, (width, height): (u32, u32)) -> Browser {
    let table = house.lay(sitting, &[ada]).await;
    let browser = Browser::open(width, height).await;
    browser.come_as(ada, house).await;
    browser.go(&house.address(&format!("/t/{table}"))).await;
    browser
        .until("document.querySelector('.pane.shown > svg') && !document.body.classList.contains('offline')")
        .await;
    browser
}

/// What the first seat is shown, if it must decide and nothing of it is a draft.
fn asked(sitting: &dyn AnyMatch) -> Option<table::scene::Scene> {
    let seat = Seat::new(0);
    let asked = sitting.waiting_for().contains(seat) && sitting.draft(seat).is_empty();
    asked.then(|| sitting.scene(Viewer::Seat(seat)))
}

/// What the other did is drawn on the board and told with from, to and how many; it stays while one decides, and can
/// be put away.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_other_did_stays_on_the_board() {
    let house = House::open();
    let ada = house.guest("Ada");
    let moved = found(("crusader-rex", "1187", ""), &|m| {
        let traced = asked(m).is_some_and(|scene| scene.boards.iter().any(|b| !b.traces.is_empty()));
        traced && m.offered(Seat::new(0)).iter().any(|o| o.notation.as_str().starts_with("group "))
    });
    let browser = laid(&house, &ada, &*moved, (1440, 900)).await;
    let arrows = "return [...document.querySelectorAll('.pane.shown g.traces [data-mark]')].filter((e) => e.getBoundingClientRect().width > 0).map((e) => e.getAttribute('aria-label'));";
    let before: Vec<String> = serde_json::from_value(browser.run(arrows).await).unwrap();
    assert!(before.iter().any(|said| said.contains(" to ")), "an arrow says from where to where: {before:?}");
    let told = browser.text("#ui-journal").await;
    let counted = |line: &str| line.contains(" block") && line.contains(" from ") && line.contains(" to ");
    assert!(told.lines().any(counted), "from, to and how many: {told}");
    browser.picture("traces").await;
    let group =
        "return [...document.querySelectorAll('.offers [data-act^=group]')].map((e) => e.dataset.act)[0];";
    let group = browser.run(group).await;
    take(&browser, group.as_str().unwrap()).await;
    browser.until("document.querySelector('[data-ask=undo]')").await;
    let now: Vec<String> = serde_json::from_value(browser.run(arrows).await).unwrap();
    assert_eq!(now, before, "they stay while one decides");
    browser.click("[data-traces]").await;
    browser.until("document.querySelector('#ui-boards.no-traces')").await;
    assert_eq!(browser.run(arrows).await, json!([]), "who does not want them puts them away");
    browser.is_sound().await;
}

/// Thirty units in one town: alike ones lie as one with a number, the town's name stays free, and beside the board
/// each is shown at its full size with its name.
#[tokio::test(flavor = "multi_thread")]
async fn thirty_units_can_be_read() {
    let (house, browser) = (House::open(), Browser::open(1440, 900).await);
    open_table(&browser, &house, "first-crusade", "", &["me"]).await;
    browser.until("document.querySelector('.pane.shown [data-name=Constantinople]')").await;
    let stack = browser.run("const all = [...document.querySelectorAll('#ui-stacks [data-stack]')].sort((a, b) => b.children.length - a.children.length)[0]; return [all.dataset.called, all.querySelectorAll('[data-piece]').length, all.dataset.stack];").await;
    let pieces = stack[1].as_u64().unwrap();
    assert!(stack[0] == "Constantinople" && pieces >= 20, "{stack}");
    let shown = browser.run("return [...document.querySelectorAll('.pane.shown .count')].length + document.querySelectorAll('.pane.shown .piece').length;").await;
    assert!(shown.as_u64().unwrap() > 0);
    let piece = "const id = [...document.querySelectorAll('#ui-stacks [data-stack]')].find((s) => s.dataset.called === 'Constantinople').querySelector('[data-piece]').dataset.piece; const e = [...document.querySelectorAll('.pane.shown .piece')].find((p) => p.dataset.id === id); e.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse' }));";
    browser.run(piece).await;
    browser.until("!document.querySelector('#ui-tray').hidden").await;
    let slots = browser.run("return [...document.querySelectorAll('#ui-tray .slot')].map((s) => [s.querySelector('svg').getBoundingClientRect().width, s.textContent.trim()]);").await;
    let slots: Vec<(f64, String)> = serde_json::from_value(slots).unwrap();
    assert!(slots.iter().all(|(wide, name)| *wide >= 64.0 && name.len() > 2), "{slots:?}");
    let told = browser.text("#ui-tray").await;
    assert!(told.contains("Constantinople") && told.contains("pieces"), "{told}");
    browser.picture("thirty-units").await;
    browser.is_sound().await;
}

/// Whatever the zoom, names of places have eleven pixels, and no name of a region runs through one; blocks that are
/// too small for figures show arms and strength. Towns are drawn by what they are, regions are tinted and lettered,
/// and a cartouche tells the year.
#[tokio::test(flavor = "multi_thread")]
async fn letters_at_every_zoom() {
    let house = House::open();
    let ada = house.guest("Ada");
    for game in ["crusader-rex", "kingdom-of-heaven"] {
        let scenario = if game == "crusader-rex" { "1187" } else { "acre" };
        let begun = found((game, scenario, ""), &|m| asked(m).is_some());
        let browser = laid(&house, &ada, &*begun, (1440, 900)).await;
        browser.click("[data-zoom=fit]").await;
        let (mut far, mut near) = (false, false);
        for step in 0..5 {
            let seen = browser.run(LETTERS).await;
            assert_eq!(seen["small"], json!([]), "{game}, zoom {step}: names that are too small");
            assert_eq!(seen["crossed"], json!([]), "{game}, zoom {step}: regions that run through names");
            assert!(seen["names"].as_u64().unwrap() > 5, "{game}, zoom {step}: {seen}");
            far |= seen["far"] == true;
            near |= seen["far"] == false;
            browser.run("document.querySelector('#ui-boards').focus();").await;
            browser.keys("++").await;
        }
        assert!(far && near, "{game}: figures vanish where they cannot be read");
        let drawn = browser.run("const count = (what) => document.querySelectorAll(`.pane.shown ${what}`).length; return [count('.keep'), count('.country path'), count('.ground .region'), count('.waves, .anchor, .harbour') >= 0, new Set([...document.querySelectorAll('.pane.shown .keep')].map((e) => e.innerHTML.length)).size > 1];").await;
        assert!(
            drawn[0].as_u64().unwrap() > 10 && drawn[4] == true,
            "{game}: towns by what they are: {drawn}"
        );
        assert!(drawn[2].as_u64().unwrap() > 1, "{game}: regions are lettered: {drawn}");
        browser.is_sound().await;
    }
}

/// Names on the board: how many are seen, which are too small, and which regions run through one.
const LETTERS: &str = r#"
    const board = document.querySelector('.pane.shown > svg'), view = document.querySelector('#ui-boards').getBoundingClientRect();
    const seen = (e) => e.checkVisibility() && ((r) => r.width && r.right > view.left && r.left < view.right && r.bottom > view.top && r.top < view.bottom)(e.getBoundingClientRect());
    const names = [...board.querySelectorAll('.lettering')].filter(seen), texts = names.flatMap((e) => [...e.querySelectorAll('text')].slice(0, 1));
    const size = (t) => parseFloat(getComputedStyle(t).fontSize) * Math.hypot(t.getScreenCTM().b, t.getScreenCTM().d);
    const small = texts.filter((t) => size(t) < 10.9).map((t) => [t.textContent, size(t)]);
    const boxes = names.map((e) => [e.textContent, e.getBoundingClientRect()]);
    const regions = [...board.querySelectorAll('.ground .region')].filter(seen);
    const crossed = regions.flatMap((e) => { const r = e.getBoundingClientRect(), trim = r.height * 0.2; return boxes.filter(([, b]) => b.right > r.left && b.left < r.right && b.bottom > r.top + trim && b.top < r.bottom - trim).map(([name]) => `${e.textContent} through ${name}`); });
    return { names: names.length, small, crossed, far: board.classList.contains('far') };
"#;

/// By night nothing shines: every surface of the page is dark, and so is the board to its edge.
#[tokio::test(flavor = "multi_thread")]
async fn night_has_no_seams() {
    let house = House::open();
    let ada = house.guest("Ada");
    let begun = found(("crusader-rex", "1187", ""), &|m| asked(m).is_some());
    let browser = laid(&house, &ada, &*begun, (1440, 900)).await;
    let night = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
    browser.tell("Emulation.setEmulatedMedia", night).await;
    browser.until("document.querySelector('.pane.shown > svg.night')").await;
    let bright = browser
        .run(
            r"
        const light = (colour) => { const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number); return a < 0.5 ? 0 : (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255; };
        const large = (e) => { const r = e.getBoundingClientRect(); return r.width * r.height > 900; };
        const page = [...document.querySelectorAll('body, body *:not(svg *)')].filter((e) => e.checkVisibility() && large(e) && light(getComputedStyle(e).backgroundColor) > 0.35 && !e.matches('.track li.here, button, .die')).map((e) => `${e.localName}#${e.id}.${e.className}`);
        const board = [...document.querySelectorAll('.pane.shown .ground rect')].filter((e) => large(e) && e.getAttribute('fill')?.startsWith('#') && light(getComputedStyle(e).fill) > 0.5 && !(parseFloat(getComputedStyle(e).fillOpacity) < 0.5)).map((e) => e.outerHTML.slice(0, 90));
        return [...page, ...board];",
        )
        .await;
    assert_eq!(bright, json!([]), "what shines by night");
    browser.picture("night").await;
    browser.is_sound().await;
}

/// Dice are drawn alike in the journal of every game that has some: as dice of one size, their number read out.
#[tokio::test(flavor = "multi_thread")]
async fn dice_look_alike_in_every_game() {
    let house = House::open();
    let ada = house.guest("Ada");
    let mut looks: Vec<(String, Value)> = Vec::new();
    // In one of them nothing is rolled.
    for entry in WARGAMES.iter().filter(|entry| entry.id != "third-crusade") {
        let rolled = |m: &dyn AnyMatch| {
            let lines = m.journal(Viewer::Seat(Seat::new(0)));
            lines.len() > 3 && lines.iter().rev().take(6).any(|line| line.dice().next().is_some())
        };
        let sitting = found((entry.id, "", ""), &rolled);
        let browser = laid(&house, &ada, &*sitting, (1200, 800)).await;
        browser.until("document.querySelector('#ui-journal .die svg')").await;
        let look = "const die = document.querySelector('#ui-journal .die'), r = die.getBoundingClientRect(), own = getComputedStyle(die); return [die.offsetWidth, die.offsetHeight, own.borderRadius, !!die.querySelector('svg circle, svg text')];";
        looks.push((entry.id.into(), browser.run(look).await));
        browser.is_sound().await;
    }
    let first = looks[0].1.clone();
    assert!(looks.iter().all(|(_, look)| *look == first && look[3] == true), "{looks:?}");
}

/// What does not fit shows that it scrolls.
#[tokio::test(flavor = "multi_thread")]
async fn long_lists_show_that_they_scroll() {
    let house = House::open();
    let ada = house.guest("Ada");
    let many = found(("kingdom-of-heaven", "acre", ""), &|m| {
        asked(m).is_some() && m.offered(Seat::new(0)).len() > 12
    });
    let browser = laid(&house, &ada, &*many, (1200, 700)).await;
    let lists = "return [...document.querySelectorAll('#ui-side, #f-choices .some, #f-list .list, .tab.shown')].filter((e) => e.checkVisibility() && (e.scrollHeight > e.clientHeight + 4 && getComputedStyle(e).overflowY === 'auto' || e.scrollWidth > e.clientWidth + 4 && getComputedStyle(e).overflowX === 'auto')).map((e) => [e.id || e.className, e.className.includes('more-')]);";
    browser
        .until(&format!(
            "(() => {{ {lists} }})().length && (() => {{ {lists} }})().every(([, shows]) => shows)"
        ))
        .await;
    browser.picture("long-lists").await;
    browser.is_sound().await;
}

/// Where one place means several things they are listed in the bar, and the board stays free.
#[tokio::test(flavor = "multi_thread")]
async fn a_menu_stays_beside_the_board() {
    let house = House::open();
    let ada = house.guest("Ada");
    let twice = |m: &dyn AnyMatch| {
        let Some(scene) = asked(m) else { return false };
        let offered = m.offered(Seat::new(0));
        let on_map = |id: &String| scene.boards[0].spaces.iter().any(|s| s.id == *id);
        let sole: Vec<_> = offered.iter().filter(|o| o.choice.targets.len() == 1).collect();
        sole.iter().any(|o| {
            on_map(&o.choice.targets[0])
                && sole.iter().filter(|other| other.choice.targets == o.choice.targets).count() > 1
        })
    };
    let sitting = found(("kingdom-of-heaven", "acre", ""), &twice);
    let browser = laid(&house, &ada, &*sitting, (1440, 900)).await;
    let place = browser.run("const all = [...document.querySelectorAll('.offers [data-targets]')].map((e) => e.dataset.targets).filter((t) => t && !t.includes('\\n')); const twice = all.filter((t, i) => all.indexOf(t) !== i); const thing = [...document.querySelectorAll('.pane.shown .space[data-id]')].find((e) => twice.includes(e.dataset.id)); const r = (thing.querySelector('.shape, .keep') ?? thing).getBoundingClientRect(); thing.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: r.x + r.width / 2, clientY: r.y + r.height / 2 })); return thing.dataset.name;").await;
    browser.until("!document.querySelector('#ui-menu').hidden && document.querySelectorAll('#ui-menu button').length > 2").await;
    let over = browser.run("const m = document.querySelector('#ui-menu').getBoundingClientRect(), b = document.querySelector('#ui-boards').getBoundingClientRect(); return m.bottom > b.top + 1 && m.top < b.bottom && m.right > b.left && m.left < b.right;").await;
    assert_eq!(over, false, "the menu of {place} lies over the board");
    browser.picture("menu").await;
    browser.is_sound().await;
}

/// A battle with long rows has pieces of 64 pixels on a desk and 44 on a phone, and hexagons that a finger can meet;
/// what can be chosen is in sight. Whoever attacked is named so, and no row is empty.
#[tokio::test(flavor = "multi_thread")]
async fn large_battles_in_a_small_hand() {
    let house = House::open();
    let ada = house.guest("Ada");
    let fought = |b: &Board, pieces: usize| {
        b.room == Room::Large && !matches!(b.ground, Ground::Levant { .. }) && b.pieces.len() >= pieces
    };
    for (game, scenario, pieces) in [("first-crusade", "", 18), ("croisades-skirmish", "assault", 20)] {
        let large = found((game, scenario, ""), &|m| {
            asked(m).is_some_and(|scene| scene.boards.iter().any(|b| fought(b, pieces)))
        });
        for (width, height, least) in [(390, 844, 44.0), (1440, 900, 64.0)] {
            let browser = laid(&house, &ada, &*large, (width, height)).await;
            browser.until("document.querySelector('.pane.shown > svg[data-room=large]')").await;
            let seen = browser.run("const view = document.querySelector('#ui-boards').getBoundingClientRect(), board = document.querySelector('.pane.shown > svg'), inside = (r) => r.right > view.left && r.left < view.right && r.bottom > view.top && r.top < view.bottom, all = (what) => [...board.querySelectorAll(what)].map((e) => e.getBoundingClientRect()); return { hex: Math.max(0, ...all('[data-hex] .shape, [data-hex]').map((r) => r.width)), pieces: all('.piece').map((r) => r.width), open: all('.open[data-id]').filter(inside).length, choices: all('.open[data-id]').length, side: +board.dataset.block * board.getScreenCTM().a };").await;
            browser.picture(&format!("large-{game}-{width}")).await;
            let open = seen["choices"] == 0 || seen["open"].as_u64().unwrap() > 0;
            assert!(open, "{game} at {width}: what can be chosen is in sight: {seen}");
            let side = seen["side"].as_f64().unwrap();
            match game {
                "croisades-skirmish" if width < 500 => assert!(side >= 29.0, "{game} at {width}: {seen}"),
                "croisades-skirmish" => {}
                _ => assert!(side >= least - 1.0, "{game} at {width}: {seen}"),
            }
            if game == "first-crusade" {
                let title = browser.text("#ui-tabs [aria-selected=true]").await;
                assert!(
                    title.contains("attack") || title.contains("storm"),
                    "who attacked is named: {title}"
                );
            }
            browser.is_sound().await;
        }
    }
}

/// On a phone the cards that can be played lie above the folded sheet, broad enough for a finger, and one is played
/// from there; the answers in the bar are not cut.
#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_played_with_a_thumb() {
    let house = House::open();
    let ada = house.guest("Ada");
    for (game, scenario) in [("third-crusade", "campaign"), ("kingdom-of-heaven", "acre")] {
        let held = |m: &dyn AnyMatch| {
            let Some(scene) = asked(m) else { return false };
            let card = |id: &String| scene.trays.iter().flat_map(|t| &t.pieces).any(|p| p.id == *id);
            m.offered(Seat::new(0)).iter().any(|o| o.choice.targets.first().is_some_and(card))
        };
        let sitting = found((game, scenario, ""), &held);
        let browser = laid(&house, &ada, &*sitting, (390, 844)).await;
        browser
            .until("document.body.classList.contains('folded') && document.querySelector('#f-trays .open')")
            .await;
        let number = browser.state("number").await;
        let card = "const card = document.querySelector('#f-trays .open'), r = card.getBoundingClientRect(), at = [r.x + r.width / 2, r.y + r.height / 2], top = document.elementFromPoint(...at); return [...at, r.width, r.height, !!top?.closest('#f-trays'), document.documentElement.scrollWidth];";
        let card: Vec<Value> = serde_json::from_value(browser.run(card).await).unwrap();
        browser.picture(&format!("thumb-{game}")).await;
        let [x, y, wide, high] = [0, 1, 2, 3].map(|i| card[i].as_f64().unwrap());
        assert!(wide >= 44.0 && high >= 44.0 && card[4] == true, "{game}: a card for a finger: {card:?}");
        assert!(card[5].as_u64().unwrap() <= 390, "{game}: nothing hangs over the edge");
        let touch = |what: &str, points: Value| json!({ "type": what, "touchPoints": points });
        browser.tell("Input.dispatchTouchEvent", touch("touchStart", json!([{ "x": x, "y": y }]))).await;
        browser.tell("Input.dispatchTouchEvent", touch("touchEnd", json!([]))).await;
        let went_on = format!("document.querySelector('#ui-state').dataset.number !== '{number}'");
        browser.until(&format!("!document.querySelector('#ui-menu').hidden || {went_on}")).await;
        if browser.count("#ui-menu:not([hidden]) button").await > 0 {
            browser.click("#ui-menu button").await;
            browser.until(&format!("document.querySelector('.asking')?.click() || {went_on}")).await;
        }
        let cut = browser.run("return [...document.querySelectorAll('#f-choices button')].filter((b) => b.checkVisibility() && (b.getBoundingClientRect().right > innerWidth + 1 || b.getBoundingClientRect().left < 0)).map((b) => b.textContent);").await;
        assert_eq!(cut, json!([]), "{game}: no answer is cut");
        browser.is_sound().await;
    }
}

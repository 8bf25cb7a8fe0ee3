//! Every kind of page in a real browser, at the size of a desk and of a phone, by day and by night: photographed,
//! to be looked at, and gone over by checks that no test of one page makes. `cargo xtask tidy` and `cargo xtask
//! pictures` run it; it is no test of every day.
//!
//! `pages FOLDER [AXE]`: pictures go into the folder; with the script of axe-core every page is examined by it. With
//! `BEST=FOLDER` only the best are made, small ones for the lobby; `PAGES=WORD,WORD` makes those whose names have them.
// Helpers of tests fail loudly, as tests do, and wait by the clock.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::disallowed_types, clippy::panic)]

#[path = "../browser/house.rs"]
#[allow(dead_code)]
mod house;
#[path = "../browser/staged.rs"]
#[allow(dead_code)]
mod staged;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fantoccini::wd::TimeoutConfiguration;
use house::{Browser, Guest, House};
use serde_json::json;
use staged::{WARGAMES, found};
use table::scene::{Board, Ground, Room};
use table::{AnyMatch, Seat, Viewer};

const SIZES: [(&str, u32, u32); 2] = [("desk", 1440, 900), ("phone", 390, 844)];
const THEMES: [(&str, &str); 2] = [("day", "light"), ("night", "dark")];

/// A page to be seen: its name, where it is, who looks (nobody, or one of the guests), and what is done there first.
struct Sheet {
    name: String,
    path: String,
    who: Option<usize>,
    /// Without scripts, as old browsers and careful people have it.
    bare: bool,
    /// Done in the page before it is looked at.
    does: String,
    /// What must be true then.
    until: String,
}

fn sheet(name: impl Into<String>, path: impl Into<String>, who: Option<usize>) -> Sheet {
    let (name, path) = (name.into(), path.into());
    Sheet { name, path, who, bare: false, does: String::new(), until: "true".into() }
}

impl Sheet {
    fn after(self, does: &str, until: &str) -> Self {
        Self { does: does.into(), until: until.into(), ..self }
    }

    fn without_script(self) -> Self {
        Self { bare: true, ..self }
    }
}

/// The best, which stand in the lobby: pages, and the names of their pictures there.
const BEST: [(&str, &str); 3] =
    [("hand", "march"), ("battle-first-crusade", "battle"), ("map-kingdom-of-heaven", "map")];

/// The board is drawn, and its table may be played.
const BOARD: &str =
    "document.querySelector('.pane.shown > svg') && !document.body.classList.contains('offline')";

/// All kinds of pages, with the tables that they need.
async fn sheets(house: &House, ada: &Guest, bo: &Guest) -> Vec<Sheet> {
    let mut all = vec![
        sheet("lobby-stranger", "/", None),
        sheet("rules", "/rules", None),
        sheet("you-stranger", "/you", None),
        sheet("you-guest", "/you", Some(0)),
        sheet("lost", "/nowhere", None),
        sheet("programs", "/api", None),
        sheet("lobby-bare", "/", None).without_script(),
    ];
    for entry in &WARGAMES {
        all.push(sheet(format!("game-{}", entry.id), format!("/g/{}", entry.id), Some(0)));
        all.push(sheet(format!("rules-{}", entry.id), format!("/rules/{}", entry.id), None));
    }
    // A table that waits for somebody.
    let wish = json!({ "game": "crusader-rex", "scenario": "1187", "seats": ["me", "open"], "listed": true });
    let open = ada.ask("/api/tables", &wish)["id"].as_str().unwrap().to_string();
    all.push(sheet("gathering", format!("/t/{open}"), Some(0)));
    all.push(sheet("gathering-stranger", format!("/t/{open}"), None));
    let wish = json!({ "game": "third-crusade", "seats": ["me", "invite"] });
    let invited = ada.ask("/api/tables", &wish)["id"].as_str().unwrap().to_string();
    let link = ada.ask(&format!("/api/tables/{invited}/invite/1"), &json!({}))["path"].clone();
    all.push(sheet("invitation", link.as_str().unwrap(), None));
    all.push(sheet("lobby", "/", Some(1)));
    // Each game: the map before anything has happened, a battle, somebody who looks on, and the end.
    for (game, scenario, battle) in [
        ("crusader-rex", "1187", 6),
        ("first-crusade", "", 6),
        ("kingdom-of-heaven", "first-march", 4),
        ("third-crusade", "", 1),
        ("croisades-skirmish", "assault", 20),
    ] {
        let decides = |m: &dyn AnyMatch| m.waiting_for().contains(Seat::new(0));
        let map = house
            .lay(&*found((game, scenario, ""), &|m| m.last_entry() >= 12 && decides(m)), &[ada, bo])
            .await;
        all.push(sheet(format!("map-{game}"), format!("/t/{map}"), Some(0)).after("", BOARD));
        let fought = found((game, scenario, ""), &|m| in_battle(m, 0, battle) && m.last_entry() > 20);
        let battle = house.lay(&*fought, &[ada, bo]).await;
        all.push(sheet(format!("battle-{game}"), format!("/t/{battle}"), Some(0)).after("", BOARD));
        all.push(sheet(format!("watch-{game}"), format!("/t/{battle}"), None).after("", BOARD));
        let over = house.lay(&*found((game, scenario, ""), &|m| m.outcome().is_some()), &[ada, bo]).await;
        // A skirmish is thought over for minutes in a program that is not optimised: it is not waited for.
        let told = match game {
            "croisades-skirmish" => {
                "document.querySelector('#f-end h2') && document.querySelector('#ui-turnings > *')"
            }
            _ => "document.querySelector('#f-end h2') && document.querySelector('#ui-turnings .fortunes')",
        };
        all.push(sheet(format!("end-{game}"), format!("/t/{over}"), Some(0)).after("", told));
        let shown = "document.querySelector('.still svg .piece') && document.querySelector('#ui-why p')";
        all.push(
            sheet(format!("replay-{game}"), format!("/t/{over}/replay?as=0&at=30"), Some(0)).after("", shown),
        );
        if game == "crusader-rex" {
            all.push(sheet("table-bare", format!("/t/{map}"), Some(0)).without_script());
            let rest = "document.querySelector('.pane.shown .piece[class*=seat-0]').dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse' }));";
            let tray = "!document.querySelector('#ui-tray').hidden";
            all.push(sheet("tray", format!("/t/{map}"), Some(0)).after(rest, tray));
            for (tab, until) in [
                ("chat", "true"),
                ("rules", "document.querySelectorAll('.rule-entry').length > 50"),
                ("more", "true"),
            ] {
                let open = format!(
                    "if (document.body.classList.contains('folded')) document.querySelector('#ui-fold').click(); document.querySelector('[data-tab={tab}]').click();"
                );
                all.push(sheet(format!("tab-{tab}"), format!("/t/{map}"), Some(0)).after(&open, until));
            }
            let begun = house.lay(&*found((game, "hattin", ""), &decides), &[ada, bo]).await;
            let takes = "document.querySelector('.pane.shown [data-id=\"town-Acre\"]').dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }));";
            let taken = "document.querySelectorAll('.hand-marks [data-reached]').length > 3";
            all.push(sheet("hand", format!("/t/{begun}"), Some(0)).after(takes, taken));
            let keys = "document.querySelector('[data-keys]').click();";
            all.push(
                sheet("keys", format!("/t/{map}"), Some(0))
                    .after(keys, "document.querySelector('#ui-keys[open]')"),
            );
        }
    }
    all
}

/// Whether a seat decides in a battle: its scene has a mat beside the map, or ground to fight on, with so many pieces.
/// What is a draft yet is not in the record.
fn in_battle(sitting: &dyn AnyMatch, seat: u8, pieces: usize) -> bool {
    let seat = Seat::new(seat);
    let fought = |b: &Board| {
        b.room == Room::Large && !matches!(b.ground, Ground::Levant { .. }) && b.pieces.len() >= pieces
    };
    sitting.waiting_for().contains(seat)
        && sitting.draft(seat).is_empty()
        && sitting.scene(Viewer::Seat(seat)).boards.iter().any(fought)
}

/// What is wrong with a page that has nothing to do with what it says.
const CHECKS: &str = r#"
    const wrong = [];
    if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push(`hangs over the edge: ${document.documentElement.scrollWidth} of ${innerWidth} pixels`);
    for (const text of window.wrongs ?? []) wrong.push(`a script failed: ${text}`);
    const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && e.getClientRects().length > 0;
    const own = (e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
    const small = new Map();
    for (const e of document.querySelectorAll('body *')) {
        if (!own(e) || !shown(e) || e.closest('.unseen, .skip, .ground, defs, symbol')) continue;
        const svg = e.closest('svg'), area = e.getBoundingClientRect();
        if (area.right < 0 || area.left > innerWidth || (svg && area.width === 0)) continue;
        const scale = svg && e.getScreenCTM ? Math.hypot(e.getScreenCTM().b, e.getScreenCTM().d) : 1;
        const size = parseFloat(getComputedStyle(e).fontSize) * scale;
        if (size < (svg && !e.closest('.lettering') ? 10.3 : 10.9)) small.set(`${e.localName}.${e.closest('[class]')?.getAttribute('class')}`, [e.textContent.trim().slice(0, 30), Math.round(size * 10) / 10]);
    }
    for (const [what, [says, size]] of small) wrong.push(`letters of ${size} px: "${says}" (${what})`);
    return wrong;
"#;

const AXE: &str = r#"
    const done = arguments[arguments.length - 1];
    axe.run(document, { resultTypes: ['violations'] }).then((found) => done(found.violations.flatMap((v) => v.nodes.slice(0, 4).map((n) => `${v.id} (${v.impact}): ${n.target.join(' ')} | ${n.html.slice(0, 160)} | ${(n.any[0] ?? n.all[0] ?? n.none[0])?.message ?? v.help}${v.nodes.length > 4 ? ` (${v.nodes.length} in all)` : ''}`))), (error) => done([`axe failed: ${error}`]));
"#;

/// A picture of the page for the lobby: half its size, and compressed.
async fn half_as_large(browser: &Browser, width: u32, height: u32) -> Vec<u8> {
    let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": 0.5 });
    let wish = json!({ "format": "webp", "quality": 74, "clip": clip });
    let picture = browser.asked("Page.captureScreenshot", wish).await;
    STANDARD.decode(picture["data"].as_str().unwrap()).unwrap()
}

/// Goes over all pages in one size. What was found wrong.
async fn look(
    house: &House,
    sheets: &[Sheet],
    guests: &[&Guest],
    (size, width, height): (&str, u32, u32),
    folder: &Path,
    axe: Option<&str>,
) -> Vec<String> {
    let browser = Browser::open(width, height).await;
    let patience =
        TimeoutConfiguration::new(Some(Duration::from_secs(120)), Some(Duration::from_secs(120)), None);
    browser.client.update_timeouts(patience).await.unwrap();
    let mut wrong = Vec::new();
    for (theme, scheme) in THEMES {
        let media = json!({ "features": [
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ] });
        browser.tell("Emulation.setEmulatedMedia", media).await;
        for sheet in sheets {
            browser.tell("Network.clearBrowserCookies", json!({})).await;
            let cookie = json!({ "name": "theme", "value": scheme, "url": house.address("/") });
            browser.tell("Network.setCookie", cookie).await;
            if let Some(who) = sheet.who {
                browser.come_as(guests[who], house).await;
            }
            let blocked: &[&str] = if sheet.bare { &["*/static/*.js"] } else { &[] };
            browser.tell("Network.setBlockedURLs", json!({ "urls": blocked })).await;
            browser.go(&house.address(&sheet.path)).await;
            browser.until("document.readyState === 'complete' && document.fonts.status === 'loaded'").await;
            if !sheet.does.is_empty() {
                browser.until(BOARD).await;
                browser.run(&sheet.does).await;
            }
            // A long game takes a while to be thought over, the more so in a program that is not optimised.
            browser.until_within(Duration::from_secs(300), &sheet.until).await;
            browser.until("[...document.images].every((i) => i.complete || i.loading === 'lazy')").await;
            let name = format!("{}-{size}-{theme}", sheet.name);
            let best = BEST.iter().find(|(page, _)| *page == sheet.name && size == "desk");
            if let (Some((_, as_shown)), Ok(to)) = (best, std::env::var("BEST")) {
                let png = half_as_large(&browser, width, height).await;
                std::fs::write(Path::new(&to).join(format!("show-{as_shown}-{theme}.webp")), png).unwrap();
            }
            if let Ok(png) = browser.client.screenshot().await {
                std::fs::write(folder.join(format!("page-{name}.png")), png).unwrap();
            }
            let mut found: Vec<String> = serde_json::from_value(browser.run(CHECKS).await).unwrap();
            if let Some(axe) = axe {
                browser.client.execute(axe, vec![]).await.unwrap();
                let told = browser.client.execute_async(AXE, vec![]).await.unwrap();
                found.extend(serde_json::from_value::<Vec<String>>(told).unwrap());
            }
            println!(
                "{name}: {}",
                if found.is_empty() { "in order".into() } else { format!("{} findings", found.len()) }
            );
            for what in found {
                println!("  {name}: {what}");
                wrong.push(what);
            }
        }
    }
    wrong
}

#[tokio::main]
async fn main() -> ExitCode {
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let Some(folder) = words.next().map(PathBuf::from) else {
        println!("pages FOLDER [AXE]: `cargo xtask tidy` and `cargo xtask pictures` know how to call it");
        return ExitCode::FAILURE;
    };
    let axe = words.next().map(|file| std::fs::read_to_string(file).unwrap());
    let only = std::env::var("PAGES").unwrap_or_default();
    std::fs::create_dir_all(&folder).unwrap();
    let house = House::open();
    let (ada, bo) = (house.guest("Ada"), house.guest("Bo"));
    let mut all = sheets(&house, &ada, &bo).await;
    // A few can be asked for by their names.
    all.retain(|sheet| only.is_empty() || only.split(',').any(|word| sheet.name.contains(word)));
    if std::env::var("BEST").is_ok() {
        all.retain(|sheet| BEST.iter().any(|(page, _)| *page == sheet.name));
    }
    let guests = [&ada, &bo];
    let axe = axe.as_deref();
    let (desk, phone) = tokio::join!(
        look(&house, &all, &guests, SIZES[0], &folder, axe),
        look(&house, &all, &guests, SIZES[1], &folder, axe),
    );
    let wrong = desk.len() + phone.len();
    println!("{} pages in {} sizes and {} themes: {wrong} findings", all.len(), SIZES.len(), THEMES.len());
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! The pages as a screen reader has them: Chromium's accessibility tree, not the markup it was made from.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use table::Lots;

use super::house::{Browser, House, PATIENCE};
use super::{choose, open_table};

/// What a person can do something with.
const INTERACTIVE: [&str; 16] = [
    "button",
    "checkbox",
    "combobox",
    "DisclosureTriangle",
    "link",
    "listbox",
    "menuitem",
    "option",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
    "treeitem",
];

/// A node of the tree that a screen reader stops at.
#[derive(Debug)]
struct Node {
    role: String,
    name: String,
    live: bool,
    focusable: bool,
    /// The element, for questions to the browser.
    element: Value,
}

async fn tree(browser: &Browser) -> Vec<Node> {
    let tree = browser.asked("Accessibility.getFullAXTree", json!({})).await;
    let nodes = tree["nodes"].as_array().unwrap().iter().filter(|n| n["ignored"] != true);
    let node = |n: &Value| {
        let has = |key: &str| {
            let mut all = n["properties"].as_array().into_iter().flatten();
            all.find(|p| p["name"] == key).map_or(Value::Null, |p| p["value"]["value"].clone())
        };
        Node {
            role: n["role"]["value"].as_str().unwrap_or_default().into(),
            name: n["name"]["value"].as_str().unwrap_or_default().trim().into(),
            live: has("live") == "polite" || has("live") == "assertive",
            focusable: has("focusable") == true,
            element: n["backendDOMNodeId"].clone(),
        }
    };
    nodes.map(node).collect()
}

/// The markup of a node, for messages.
async fn markup(browser: &Browser, node: &Node) -> String {
    let found = browser.asked("DOM.getOuterHTML", json!({ "backendNodeId": node.element })).await;
    found["outerHTML"].as_str().unwrap_or_default().chars().take(160).collect()
}

/// Counts what can be seen and used on the page.
const VISIBLE: &str = "return [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')].filter((e) => e.checkVisibility() && !e.closest('[aria-hidden=true], [inert]')).length;";

/// Everything that can be used has a name, and so has everything that can have the focus but plain text, which
/// is read out itself.
async fn all_has_names(browser: &Browser, what: &str) {
    let usable = |n: &&Node| {
        INTERACTIVE.contains(&n.role.as_str())
            || n.focusable && !["RootWebArea", "paragraph"].contains(&n.role.as_str())
    };
    // The browser makes its tree when it is first asked, and not all at once.
    let start = std::time::Instant::now();
    let nodes = loop {
        let (nodes, visible) = (tree(browser).await, browser.run(VISIBLE).await.as_u64().unwrap() as usize);
        let found = nodes.iter().filter(usable).count();
        if visible > 0 && found >= visible {
            break nodes;
        }
        assert!(start.elapsed() < PATIENCE, "{what}: {found} of {visible} things are in the tree");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let mut dumb = BTreeSet::new();
    for node in nodes.iter().filter(usable).filter(|n| n.name.is_empty()) {
        dumb.insert(format!("{}: {}", node.role, markup(browser, node).await));
    }
    assert!(dumb.is_empty(), "{what}: no name for {dumb:#?}");
}

/// Whether an element is a live region in the tree, and what it says.
async fn live(browser: &Browser, selector: &str) -> (bool, String) {
    let script = format!("document.querySelector({})", Value::String(selector.into()));
    let object = browser.asked("Runtime.evaluate", json!({ "expression": script })).await;
    let object = json!({ "objectId": object["result"]["objectId"] });
    let element = browser.asked("DOM.describeNode", object).await["node"]["backendNodeId"].clone();
    let is_live = tree(browser).await.iter().any(|n| n.element == element && n.live);
    (is_live, browser.run(&format!("return {script}.textContent;")).await.as_str().unwrap().to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_reader_names_everything() {
    let (house, browser) = (House::open(), Browser::open(1280, 900).await);
    for path in ["/", "/g/crusader-rex", "/g/first-crusade", "/you", "/rules/crusader-rex"] {
        browser.go(&house.address(path)).await;
        all_has_names(&browser, path).await;
    }
    for (game, scenario, seats) in
        [("crusader-rex", "1187", ["me", "bot:random"].as_slice()), ("first-crusade", "", &["me"])]
    {
        open_table(&browser, &house, game, scenario, seats).await;
        browser.until("document.querySelector('.offers [data-act]')").await;
        for tab in ["journal", "chat", "rules", "more"] {
            browser.click(&format!("[data-tab={tab}]")).await;
            all_has_names(&browser, &format!("{game}, {tab}")).await;
        }
        browser.click("[data-tab=journal]").await;
        let nodes = tree(&browser).await;
        let named: BTreeSet<_> = nodes.iter().map(|n| n.name.as_str()).collect();
        // Every piece and every place of the board that is shown says what it is, and every choice is a button.
        let said = browser
            .run("return [...document.querySelectorAll('.pane.shown .piece, .pane.shown .space')].map((e) => e.getAttribute('aria-label') ?? '');")
            .await;
        let said: Vec<String> = serde_json::from_value(said).unwrap();
        assert!(said.len() > 20, "{game}: a board with {} things", said.len());
        let unheard: Vec<_> = said.iter().filter(|s| s.is_empty() || !named.contains(s.trim())).collect();
        assert!(unheard.is_empty(), "{game}: a screen reader does not find {unheard:?}");
        let choices = browser
            .run("return [...document.querySelectorAll('.offers details')].forEach((d) => d.open = true) ?? [...document.querySelectorAll('.offers button[data-act]')].map((b) => b.textContent.replace(/\\s+/g, ' ').trim());")
            .await;
        let choices: Vec<String> = serde_json::from_value(choices).unwrap();
        assert!(!choices.is_empty(), "{game}: there is something to choose");
        // The page writes the first letter large.
        let start = std::time::Instant::now();
        loop {
            let nodes = tree(&browser).await;
            let buttons = nodes.iter().filter(|n| n.role == "button").map(|n| n.name.to_lowercase());
            let buttons: BTreeSet<_> = buttons.collect();
            let unheard: Vec<_> = choices.iter().filter(|c| !buttons.contains(&c.to_lowercase())).collect();
            if unheard.is_empty() {
                break;
            }
            assert!(start.elapsed() < PATIENCE, "{game}: no button for {unheard:?} among {buttons:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // What happens is read out: the new lines of the journal and then the prompt, through one live region.
        let mut lots = Lots::new(6);
        let mut heard = false;
        for _ in 0..12 {
            let before = browser.run("return document.querySelectorAll('#ui-journal p').length;").await;
            choose(&browser, &mut lots).await;
            let (is_live, text) = live(&browser, "#ui-said").await;
            assert!(is_live, "{game}: what is said is a live region");
            let line = browser
                .run("const all = document.querySelectorAll('#ui-journal p'); return [all.length, all[all.length - 1]?.textContent ?? '', document.querySelector('#f-prompt p').textContent];")
                .await;
            let plain = |v: &Value| v.as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
            if line[0] != before {
                let (text, line, prompt) = (plain(&text.into()), plain(&line[1]), plain(&line[2]));
                assert!(text.contains(&line), "{game}: `{line}` is not read out in `{text}`");
                heard |= text.contains(&prompt);
            }
            if heard {
                break;
            }
        }
        assert!(heard, "{game}: a line of the journal and the prompt were read out");
        browser.is_sound().await;
    }
}

//! What the browser tests stand on: the program itself with a database of its own, and browsers that look at it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use tempfile::TempDir;

/// How long anything may take; the machine may be busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);

/// A port that nobody listens on, another one each time. It lies below those that the system gives to callers:
/// with one of those, waiting for a server could end in a call that has reached itself.
fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = std::process::id().wrapping_mul(64).wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let port = 20_000 + (number % 12_000) as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Waits until somebody listens.
fn await_port(port: u16, who: &str) {
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < PATIENCE, "{who} does not answer on port {port}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A process that ends with its owner.
struct Servant(Child);

impl Drop for Servant {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Tests run side by side, but for those that measure time.
static ROOM: RwLock<()> = RwLock::new(());

/// How a test has the machine. What it holds matters, not what it says.
enum Room {
    Shared { _until_dropped: RwLockReadGuard<'static, ()> },
    Alone { _until_dropped: RwLockWriteGuard<'static, ()> },
}

impl Room {
    fn shared() -> Self {
        Self::Shared { _until_dropped: ROOM.read().unwrap_or_else(PoisonError::into_inner) }
    }
}

/// How long most tests let windows be open, in milliseconds: nobody looks on.
const QUICK: u32 = 150;

/// The program, serving.
pub(crate) struct House {
    port: u16,
    folder: TempDir,
    /// How long a window stays open, in milliseconds; by itself the program knows.
    window: Option<u32>,
    server: Option<Servant>,
    _room: Room,
}

impl House {
    pub(crate) fn open() -> Self {
        Self::in_room(Room::shared(), Some(QUICK))
    }

    /// Opens with windows as people have them, at the pace that is usual.
    pub(crate) fn open_at_its_own_pace() -> Self {
        Self::in_room(Room::shared(), None)
    }

    /// Opens when no other test of the browser runs, and lets none begin.
    pub(crate) fn open_alone() -> Self {
        let alone = Room::Alone { _until_dropped: ROOM.write().unwrap_or_else(PoisonError::into_inner) };
        Self::in_room(alone, Some(QUICK))
    }

    fn in_room(room: Room, window: Option<u32>) -> Self {
        let folder = TempDir::new().unwrap();
        let mut house = Self { port: free_port(), folder, window, server: None, _room: room };
        house.start();
        house
    }

    pub(crate) fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Where its tables are kept.
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.path().join("tables.db")
    }

    /// Ends the server as a failure of power would.
    pub(crate) fn kill(&mut self) {
        self.server = None;
    }

    pub(crate) fn start(&mut self) {
        let db = format!("sqlite://{}", self.database().display());
        let listen = format!("127.0.0.1:{}", self.port);
        // Another program can be tried in the place of the one that was just built, such as the one for release.
        let program = std::env::var("OUTREMER").unwrap_or_else(|_| env!("CARGO_BIN_EXE_outremer").into());
        let server = Command::new(program)
            .args(["serve", "--listen", &listen, "--db", &db, "--bot-pause", "40", "--rate", "1000"])
            .args(["--log", "error"])
            .args(self.window.iter().flat_map(|pace| ["--window-pace".into(), pace.to_string()]))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        self.server = Some(Servant(server));
        await_port(self.port, "the server");
    }

    /// Somebody new who calls without a browser.
    pub(crate) fn guest(&self, name: &str) -> Guest {
        let mut guest = Guest { port: self.port, token: String::new(), name: name.into() };
        guest.token = guest.ask("/api/guests", &json!({ "name": name }))["token"].as_str().unwrap().into();
        guest
    }
}

/// Somebody who calls without a browser.
pub(crate) struct Guest {
    port: u16,
    pub(crate) token: String,
    pub(crate) name: String,
}

impl Guest {
    /// What the house answers.
    pub(crate) fn ask(&self, path: &str, body: &Value) -> Value {
        self.call("POST", path, &body.to_string())
    }

    /// Who this is, as the house knows him.
    pub(crate) fn person(&self) -> String {
        self.read("/api/me")["id"].as_str().unwrap().to_string()
    }

    /// What the house shows.
    pub(crate) fn read(&self, path: &str) -> Value {
        self.call("GET", path, "")
    }

    fn call(&self, method: &str, path: &str, body: &str) -> Value {
        let port = self.port;
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.token,
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.1 200"), "{path}: {text}");
        serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

/// A command of Chromium's own, beside those of the standard.
#[derive(Debug)]
struct DevTools(&'static str, Value);

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }
    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "cmd": self.0, "params": self.1 }).to_string()))
    }
}

/// A browser: Chromium without a window, with a profile of its own.
pub(crate) struct Browser {
    pub(crate) client: Client,
    _driver: Servant,
    profile: TempDir,
}

/// A driver that is killed leaves its browser behind, which would go on for ever: the browser ends first. Its
/// profile says which process it is, as `HOST-NUMBER`.
impl Drop for Browser {
    fn drop(&mut self) {
        let lock = std::fs::read_link(self.profile.path().join("SingletonLock")).unwrap_or_default();
        if let Some((_, number)) = lock.to_string_lossy().rsplit_once('-') {
            let _ = Command::new("kill").args(["-KILL", number]).status();
        }
    }
}

/// Keeps everything that the page is sent after it was loaded: messages of the socket, unpacked, and answers;
/// and counts the updates among them.
const LISTENER: &str = "(() => {
    const kept = (window.traffic = []), parse = JSON.parse, fetched = window.fetch;
    window.updates = 0;
    JSON.parse = function (text, ...rest) {
        kept.push(String(text));
        if (String(text).includes('\"present\":')) window.updates += 1;
        return parse.call(this, text, ...rest);
    };
    window.fetch = async (...what) => {
        const answer = await fetched(...what);
        answer.clone().text().then((text) => kept.push(text)).catch(() => {});
        return answer;
    };
    window.wrongs = [];
    addEventListener('error', (event) => window.wrongs.push(String(event.message)));
    addEventListener('unhandledrejection', (event) => window.wrongs.push(String(event.reason)));
})();";

impl Browser {
    /// A browser with a window of this size.
    pub(crate) async fn open(width: u32, height: u32) -> Self {
        let profile = TempDir::new().unwrap();
        let port = free_port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("chromedriver cannot be started ({error}): `cargo xtask test` installs it, or install the packages chromium and chromium-driver")
            });
        let driver = Servant(driver);
        await_port(port, "chromedriver");
        let data = format!("--user-data-dir={}", profile.path().display());
        let size = format!("--window-size={width},{height}");
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-default-apps",
            "--disable-extensions",
            "--disable-sync",
            "--no-first-run",
            &data,
            &size,
        ];
        let capabilities = json!({ "goog:chromeOptions": { "args": args } });
        let Value::Object(capabilities) = capabilities else { unreachable!("an object") };
        let connector = hyper_util::client::legacy::connect::HttpConnector::new();
        let address = format!("http://127.0.0.1:{port}");
        let client =
            Client::with_capabilities_and_connector(&address, &capabilities, connector).await.unwrap();
        let browser = Self { client, _driver: driver, profile };
        browser.tell("Page.addScriptToEvaluateOnNewDocument", json!({ "source": LISTENER })).await;
        // A window has a frame; the page shall have exactly this size.
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        browser.tell("Emulation.setDeviceMetricsOverride", metrics).await;
        if width < 500 {
            browser.tell("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await;
        }
        browser
    }

    /// A command to the browser itself.
    pub(crate) async fn tell(&self, command: &'static str, parameters: Value) {
        self.asked(command, parameters).await;
    }

    /// What the browser itself answers to a command.
    pub(crate) async fn asked(&self, command: &'static str, parameters: Value) -> Value {
        self.client.issue_cmd(DevTools(command, parameters)).await.unwrap()
    }

    pub(crate) async fn go(&self, address: &str) {
        self.client.goto(address).await.unwrap();
    }

    /// What a script in the page gives.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.client.execute(script, vec![]).await.unwrap()
    }

    /// What a script in the page gives, some time later.
    pub(crate) async fn fetched(&self, path: &str) -> String {
        let script = "const [path, done] = arguments; fetch(path).then((a) => a.text()).then(done);";
        let answer = self.client.execute_async(script, vec![path.into()]).await.unwrap();
        answer.as_str().unwrap().to_string()
    }

    /// Which of these names the page holds, or was sent, or is sent when it asks for these paths.
    pub(crate) async fn spoken_of(&self, names: &[String], paths: &[String]) -> Vec<String> {
        let script = r#"
            const [names, paths, done] = arguments;
            const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
            const asked = paths.map((path) => fetch(path).then((a) => a.text()).then((text) => [path, text]));
            Promise.all(asked).then((answers) => {
                const texts = [["page", document.documentElement.outerHTML], ["traffic", window.traffic.join("\n")], ...answers];
                const found = [];
                for (const name of names) {
                    const word = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, "u");
                    for (const [what, text] of texts) if (word.test(text)) found.push(`${name} in ${what}`);
                }
                done(found);
            });"#;
        let arguments = vec![names.into(), paths.into()];
        let found = self.client.execute_async(script, arguments).await.unwrap();
        serde_json::from_value(found).unwrap()
    }

    /// Waits until an expression of the page is true.
    pub(crate) async fn until(&self, expression: &str) {
        self.until_within(PATIENCE, expression).await;
    }

    /// The same, with the patience that it takes.
    pub(crate) async fn until_within(&self, patience: Duration, expression: &str) {
        let start = Instant::now();
        let script = format!("return !!({expression});");
        loop {
            // While a page goes and another comes there is nothing to ask.
            if self.client.execute(&script, vec![]).await.is_ok_and(|v| v == true) {
                return;
            }
            if start.elapsed() > patience {
                self.picture("failed").await;
                let prompt = self.run("return document.body.innerText.slice(0, 600);").await;
                panic!("`{expression}` never came true; the page says {prompt}");
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }

    /// Clicks something as a person does: it must be there, to be seen, and nothing in front of it.
    pub(crate) async fn click(&self, selector: &str) {
        for attempt in 0.. {
            let element = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(selector)).await;
            let element = element.unwrap_or_else(|error| panic!("there is no `{selector}`: {error}"));
            let Err(error) = element.click().await else { return };
            // It may just have been drawn anew, or a notice may lie over it for a moment.
            if attempt == 5 {
                self.picture("failed").await;
                panic!("`{selector}` cannot be clicked: {error}");
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    pub(crate) async fn text(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.innerText ?? '';";
        let text = self.client.execute(script, vec![selector.into()]).await.unwrap();
        text.as_str().unwrap_or_default().to_string()
    }

    pub(crate) async fn count(&self, selector: &str) -> usize {
        self.client.find_all(Locator::Css(selector)).await.unwrap().len()
    }

    /// Presses keys wherever the focus is.
    pub(crate) async fn keys(&self, keys: &str) {
        self.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }

    /// The table's state as the page knows it.
    pub(crate) async fn state(&self, key: &str) -> String {
        let script = "return document.querySelector('#ui-state')?.dataset[arguments[0]] ?? '';";
        let value = self.client.execute(script, vec![key.into()]).await.unwrap();
        value.as_str().unwrap_or_default().to_string()
    }

    /// Waits until this page must decide, or its game is over. Whether it must decide.
    pub(crate) async fn my_turn(&self) -> bool {
        self.until("['true'].includes(document.querySelector('#ui-state')?.dataset.decide) || document.querySelector('#ui-state')?.dataset.stage === 'over'").await;
        self.state("stage").await != "over"
    }

    /// The path of the page.
    pub(crate) async fn path(&self) -> String {
        self.client.current_url().await.unwrap().path().to_string()
    }

    /// Keeps a picture of the page, to be looked at.
    pub(crate) async fn picture(&self, name: &str) {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        if let Ok(png) = self.client.screenshot().await {
            std::fs::write(folder.join(format!("{name}.png")), png).unwrap();
        }
    }

    /// The page has made no mistake that nobody caught.
    pub(crate) async fn is_sound(&self) {
        let wrongs = self.run("return window.wrongs;").await;
        assert_eq!(wrongs, json!([]), "the page's script failed");
    }
}

//! `cargo xtask pictures`: every kind of board and page as PNG, by one command, to be looked at.
//!
//! Boards are drawn by `outremer draw` from kept records; pages are photographed in headless Chromium, at the
//! size of a desk and of a phone, by day and by night.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::{cargo, root, run};

/// What is drawn: its name, the game, the number of its kept record, after which entry, for whom.
const BOARDS: [(&str, &str, u8, u32, &str); 6] = [
    ("crusader-rex-map", "crusader-rex", 0, 71, "Saracen"),
    ("crusader-rex-field", "crusader-rex", 0, 60, "Frank"),
    ("crusader-rex-siege", "crusader-rex", 0, 130, "Frank"),
    ("crusader-rex-storm", "crusader-rex", 0, 441, "Frank"),
    ("first-crusade-map", "first-crusade", 0, 0, ""),
    ("first-crusade-storm", "first-crusade", 0, 4, ""),
];

/// Pages that anybody can see; `{table}` stands for a table that was opened for this.
const PAGES: [(&str, &str); 6] = [
    ("lobby", "/"),
    ("game", "/g/crusader-rex"),
    ("rules", "/g/crusader-rex/rules"),
    ("first-crusade", "/g/first-crusade"),
    ("you", "/you"),
    ("table", "/t/{table}"),
];

const SIZES: [(&str, u32, u32); 2] = [("desk", 1440, 900), ("phone", 390, 844)];

/// By day and by night, as Chromium numbers them.
const THEMES: [(&str, u8); 2] = [("day", 1), ("night", 0)];

pub(crate) fn pictures(to: &Path) -> Result<()> {
    std::fs::create_dir_all(to).with_context(|| format!("cannot make the folder {}", to.display()))?;
    run(&cargo(), &["build", "-p", "outremer"], &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let outremer = target.join("debug/outremer");
    for (name, game, number, entry, seat) in BOARDS {
        let record = root().join(format!("crates/{game}/tests/records/{game}-1-{number}.txt"));
        for dark in [false, true] {
            let file = to.join(format!("board-{name}-{}.png", if dark { "night" } else { "day" }));
            let mut draw = Command::new(&outremer);
            draw.arg("draw").arg(&record).args(["--to", &entry.to_string(), "-o"]).arg(&file);
            draw.args(if dark { &["--dark"][..] } else { &[] });
            if !seat.is_empty() {
                draw.args(["--seat", seat]);
            }
            done(draw.status(), "outremer draw")?;
            println!("{}", file.display());
        }
    }
    let house = House::open(&outremer, to)?;
    let table = house.table("crusader-rex")?;
    for (name, path) in PAGES {
        let address = format!("http://{}{}", house.address, path.replace("{table}", &table));
        for (size, width, height) in SIZES {
            for (theme, number) in THEMES {
                let file = to.join(format!("page-{name}-{size}-{theme}.png"));
                photograph(&address, &file, (width, height), number, to)?;
                println!("{}", file.display());
            }
        }
    }
    Ok(())
}

fn done(status: std::io::Result<std::process::ExitStatus>, what: &str) -> Result<()> {
    match status.with_context(|| format!("cannot run {what}"))? {
        status if status.success() => Ok(()),
        status => bail!("{what} ended with {status}"),
    }
}

fn photograph(address: &str, file: &Path, size: (u32, u32), theme: u8, to: &Path) -> Result<()> {
    let folder = to.join(".chromium");
    let status = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .arg("--virtual-time-budget=4000")
        .arg(format!("--blink-settings=preferredColorScheme={theme}"))
        .arg(format!("--user-data-dir={}", folder.display()))
        .arg(format!("--window-size={},{}", size.0, size.1))
        .arg(format!("--screenshot={}", file.display()))
        .arg(address)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let _ = std::fs::remove_dir_all(&folder);
    done(status, "chromium")
}

/// The program, serving on a port of its own until it is dropped.
struct House {
    address: String,
    server: Child,
    db: PathBuf,
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{ending}", self.db.display()));
        }
    }
}

impl House {
    fn open(outremer: &Path, to: &Path) -> Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let address = format!("127.0.0.1:{port}");
        let db = to.join("pictures.db");
        let server = Command::new(outremer)
            .args(["serve", "--listen", &address, "--db", &format!("sqlite://{}", db.display())])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start the server")?;
        let house = Self { address, server, db };
        for _ in 0..100 {
            if TcpStream::connect(&house.address).is_ok() {
                return Ok(house);
            }
            wait();
        }
        bail!("the server does not answer at {}", house.address)
    }

    /// A request of the API; a text field of the answer.
    fn ask(&self, path: &str, token: &str, body: &str, field: &str) -> Result<String> {
        let mut stream = TcpStream::connect(&self.address)?;
        let length = body.len();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n",
            self.address
        )?;
        if !token.is_empty() {
            write!(stream, "Authorization: Bearer {token}\r\n")?;
        }
        write!(stream, "Content-Length: {length}\r\n\r\n{body}")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let found = answer.split(&format!("\"{field}\":\"")).nth(1).and_then(|rest| rest.split('"').next());
        found.map(String::from).with_context(|| format!("{path} was answered without `{field}`: {answer}"))
    }

    /// Opens a table of a game, listed in the lobby with a seat to join; its id.
    fn table(&self, game: &str) -> Result<String> {
        let token = self.ask("/api/guests", "", r#"{"name":"Painter"}"#, "token")?;
        let wish = format!(r#"{{"game":"{game}","seats":["me","open"],"listed":true}}"#);
        self.ask("/api/tables", &token, &wish, "id")
    }
}

/// A moment for the server to begin.
#[allow(clippy::disallowed_methods)]
fn wait() {
    std::thread::sleep(Duration::from_millis(100));
}

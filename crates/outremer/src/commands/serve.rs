//! `outremer serve`: the web table.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use server::load::{Crowd, Measured, Rush};
use server::tidings::Settings as Tidings;
use server::{App, Conduct, Limits, Postgres, Settings, Sqlite, Store};
use table::AnyGame;
use tokio::net::TcpListener;

use crate::args::{Bench, Data, Serve};
use crate::{games, terminal};

pub(super) fn run(args: &Serve) -> Result<()> {
    server::log_to_stderr(&args.log, args.log_json);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(args))
}

/// All games, opened.
fn opened() -> Result<Vec<Arc<dyn AnyGame>>> {
    games::all().iter().map(|entry| games::open(entry.id, &Data::default()).map(Arc::from)).collect()
}

async fn serve(args: &Serve) -> Result<()> {
    let listener = TcpListener::bind(&args.listen)
        .await
        .with_context(|| format!("cannot listen on {}: is another server running there?", args.listen))?;
    let settings = settings(args, &format!("http://{}", listener.local_addr()?));
    App::check(&settings).map_err(anyhow::Error::msg)?;
    let app = App::new(opened()?, store(&args.db).await?, settings);
    for entry in games::all() {
        app.tell_sources(entry.id, entry.files.iter().copied());
    }
    let address = format!("http://{}/", listener.local_addr()?);
    println!("The table is laid at {address}");
    if args.open {
        open_browser(&address);
    }
    server::serve(listener, app, asked_to_stop()).await.context("the server failed")
}

fn settings(args: &Serve, here: &str) -> Settings {
    Settings {
        limits: Limits {
            rate: args.rate,
            reads: args.reads,
            words: args.words,
            body: args.body,
            patience: Duration::from_secs(args.patience),
            sockets: args.sockets,
            sockets_each: args.sockets_each,
            proxy: args.behind_proxy,
            secure: args.behind_tls,
            session_idle: Duration::from_secs(args.session_idle * 86_400),
            session_longest: Duration::from_secs(args.session_longest * 86_400),
        },
        conduct: Conduct {
            bot_pause: Duration::from_millis(args.bot_pause),
            window_pace: Duration::from_millis(args.window_pace),
            keep: Duration::from_secs(args.keep),
            strong_tables: args.strong_tables,
            ..Conduct::default()
        },
        tidings: Tidings {
            link: args.url.clone().unwrap_or_else(|| here.to_string()),
            smtp: args.smtp.clone(),
            from: args.mail_from.clone(),
            private: args.call_private,
            wait: Duration::from_secs(args.tell_after),
            pause: Duration::from_secs(args.tell_pause),
        },
    }
}

/// Opens the store at an address.
pub(super) async fn store(address: &str) -> Result<Arc<dyn Store>> {
    if address.trim().is_empty() {
        bail!(
            "the address of the database is empty: write sqlite://outremer.db or postgres://USER:PASSWORD@HOST/NAME \
             (--db or OUTREMER_DB), or leave it out"
        );
    }
    if address.starts_with("postgres://") || address.starts_with("postgresql://") {
        return Ok(Arc::new(Postgres::open(address).await?));
    }
    let path = match address.strip_prefix("sqlite://") {
        Some("") => bail!("`sqlite://` lacks the name of its file: write sqlite://outremer.db"),
        Some(path) => PathBuf::from(path),
        None if address.contains("://") => {
            let kind = address.split("://").next().unwrap_or_default();
            bail!("a database is sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME, not `{kind}://…`")
        }
        None => PathBuf::from(address),
    };
    if let Some(folder) = path.parent().filter(|p| *p != Path::new("")) {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    Ok(Arc::new(Sqlite::open(&path)?))
}

/// Done when somebody asks the program to stop.
async fn asked_to_stop() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                tokio::select! {
                    _ = interrupt => {}
                    _ = terminate.recv() => {}
                }
            }
            Err(_) => drop(interrupt.await),
        }
    }
    #[cfg(not(unix))]
    drop(interrupt.await);
}

/// Opens the lobby in a browser, where the system knows how; it is only a convenience.
fn open_browser(address: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let quiet = std::process::Stdio::null;
    let started =
        std::process::Command::new(program).args(before).arg(address).stdout(quiet()).stderr(quiet()).spawn();
    if started.is_err() {
        println!("(No browser could be opened: open the address yourself.)");
    }
}

/// `outremer bench server`: a thousand tables with moves on all of them, over a database on disk.
pub(super) fn bench(args: &Bench) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("outremer-bench-{}", std::process::id()));
    let file = folder.join("tables.db");
    let limits = Limits { rate: u32::MAX, reads: u32::MAX, ..Limits::default() };
    let conduct = Conduct { bot_pause: Duration::ZERO, ..Conduct::default() };
    let settings = Settings { limits, conduct, ..Settings::default() };
    let plan = server::load::Plan {
        game: games::all()[0].id.to_string(),
        tables: 1000,
        callers: 64,
        time: Duration::from_secs(u64::from(args.seconds.max(1))),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let measured = runtime.block_on(async {
        let app = App::new(opened()?, store(&format!("sqlite://{}", file.display())).await?, settings);
        let figures = server::load::measure(&app, &plan).await?;
        let weight = server::weight::weigh(&app, &plan.game, 400).await?;
        let mut looks = Vec::new();
        for game in ["crusader-rex", "first-crusade"] {
            let look = server::weight::weigh(&app, game, 200).await?;
            looks.push((game, look.look_ms(), look.total(), look.heaviest()));
        }
        Ok::<_, anyhow::Error>((figures, weight, looks))
    });
    // Whatever was measured, nothing is left behind.
    let _ = std::fs::remove_dir_all(&folder);
    let (figures, weight, looks) = measured?;
    let hexes = server::weight::hexes(40, 40, 200);
    let reopened = server::load::reopen(&*games::open(&plan.game, &Data::default())?, 100)?;
    let start_up = start_up()?;
    let title = games::open(&plan.game, &Data::default())?;
    let seats = title.title().fewest();
    let (crowd, rush) = runtime.block_on(crowds(&plan.game, seats))?;
    let each_second = figures.actions as f64 / figures.seconds;
    if args.json {
        println!(
            "{}",
            serde_json::json!({ "game": plan.game, "tables": plan.tables, "callers": plan.callers,
                "actions": figures.actions, "actions_per_second": each_second,
                "median_ms": figures.median_ms, "p99_ms": figures.p99_ms,
                "bytes_per_table": figures.bytes_per_table, "start_up_ms": start_up.as_secs_f64() * 1000.0,
                "longest_record": reopened.entries, "reopen_ms": reopened.ms,
                "page_bytes": weight.page, "file_bytes": weight.files, "page_made_ms": weight.made_ms,
                "update_bytes_median": weight.median(), "update_bytes_most": weight.heaviest(),
                "looks": looks.iter().map(|(game, (median, p99), page, update)| serde_json::json!({
                    "game": game, "median_ms": median, "p99_ms": p99, "page_bytes": page, "update_bytes_most": update
                })).collect::<Vec<_>>(), "hexes_ms": hexes,
                "crowd": { "sockets": crowd.sockets, "draft_ms": crowd.draft_ms, "entered_ms": crowd.entered_ms,
                    "health_ms": crowd.health_ms, "told_of_drafts": crowd.told_of_drafts },
                "rush": { "tables": rush.tables, "at_once": rush.at_once, "median_ms": rush.median_ms,
                    "p99_ms": rush.p99_ms, "pictures_ms": rush.pictures_ms } })
        );
        return Ok(());
    }
    println!("{} tables of {}, {} requests under way at once:", plan.tables, plan.game, plan.callers);
    println!("  {} durable actions a second", terminal::thousands(each_second));
    println!("  answered within {:.1} ms (median), {:.1} ms (99 of 100)", figures.median_ms, figures.p99_ms);
    if let Some(bytes) = figures.bytes_per_table {
        println!("  {:.0} KiB of memory for each open table", bytes as f64 / 1024.0);
    }
    println!(
        "From the start of the program to a page that can be played: {:.0} ms",
        start_up.as_secs_f64() * 1000.0
    );
    println!(
        "A record of {} entries, the longest of 100 random games, is opened again in {:.1} ms",
        reopened.entries, reopened.ms
    );
    let kib = |bytes: usize| bytes as f64 / 1024.0;
    println!("Over the wire, packed, in {} moves of one game:", weight.updates.len());
    println!(
        "  {:.1} KiB to open a table: page {:.1}, style, script and letters {:.1}; made within {:.0} ms",
        kib(weight.total()),
        kib(weight.page),
        kib(weight.files),
        weight.made_ms
    );
    println!(
        "  {:.1} KiB for an update after a move (median), {:.1} KiB at most",
        kib(weight.median()),
        kib(weight.heaviest())
    );
    println!("A look after a click, in processor time:");
    for (game, (median, p99), page, update) in &looks {
        println!(
            "  {game}: {median:.1} ms (median), {p99:.1} ms (99 of 100); {:.1} KiB to open, {:.1} KiB an update at most",
            kib(*page),
            kib(*update)
        );
    }
    println!("  a board of 1,600 hexes with 200 pieces: {hexes:.1} ms");
    print_crowds(&crowd, &rush);
    Ok(())
}

/// This program as a server of its own, until it is dropped; nothing of it is left behind.
struct OwnServer {
    child: std::process::Child,
    folder: std::path::PathBuf,
    address: String,
}

impl OwnServer {
    fn start(words: &[&str]) -> Result<Self> {
        use std::io::{BufRead, BufReader};
        let folder = std::env::temp_dir().join(format!("outremer-start-{}", std::process::id()));
        let database = format!("sqlite://{}", folder.join("tables.db").display());
        let child = std::process::Command::new(std::env::current_exe()?)
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--db", &database])
            .args(words)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .context("cannot start the program itself")?;
        let mut server = Self { child, folder, address: String::new() };
        let lines = BufReader::new(server.child.stdout.take().context("the server says nothing")?).lines();
        server.address = lines
            .map_while(Result::ok)
            .find_map(|l| Some(l.split_once("http://")?.1.trim_end_matches('/').to_string()))
            .context("the server does not say where it listens")?;
        Ok(server)
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Starts this program as a server of its own and asks for its lobby; how long that took.
fn start_up() -> Result<Duration> {
    use std::io::{Read, Write};
    let begun = Instant::now();
    let own = OwnServer::start(&[])?;
    let mut stream = std::net::TcpStream::connect(&own.address)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    write!(stream, "GET / HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", own.address)?;
    let mut page = String::new();
    stream.read_to_string(&mut page)?;
    if !page.contains("Play against a bot") {
        bail!("the lobby cannot be played");
    }
    Ok(begun.elapsed())
}

/// Two hundred look on while somebody clicks; five hundred tables at which two hundred act at once.
async fn crowds(game: &str, seats: usize) -> Result<(Crowd, Rush)> {
    let many = ["--rate", "1000000", "--reads", "1000000", "--sockets-each", "4000"];
    let measured = |own: &OwnServer| Measured { address: own.address.clone(), process: own.child.id() };
    let own = OwnServer::start(&many)?;
    let crowd = measured(&own).crowd(game, seats, 200, 60).await?;
    drop(own);
    let own = OwnServer::start(&many)?;
    let rush = measured(&own).rush(game, seats, 500, 200, 5).await?;
    Ok((crowd, rush))
}

fn print_crowds(crowd: &Crowd, rush: &Rush) {
    let Crowd { clicks, draft_ms, entered_ms, .. } = crowd;
    println!("{} look on at one table, over real sockets:", crowd.sockets);
    println!(
        "  a click in a draft: {:.1} ms of processor time, {:.1} at most ({} clicks); {} onlookers told of it",
        draft_ms.0, draft_ms.1, clicks.0, crowd.told_of_drafts
    );
    println!(
        "  a click that all see: {:.1} ms of processor time, {:.1} at most ({} clicks)",
        entered_ms.0, entered_ms.1, clicks.1
    );
    println!("  /health answered within {:.0} ms meanwhile", crowd.health_ms);
    println!(
        "{} tables with a socket each, {} acts at once, {} times:",
        rush.tables, rush.at_once, rush.rounds
    );
    println!(
        "  durably acknowledged within {:.0} ms (median), {:.0} ms (99 of 100)",
        rush.median_ms, rush.p99_ms
    );
    println!("  the last picture at most {:.0} ms after the last answer", rush.pictures_ms);
}

//! `outremer serve`: the web table.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use server::{App, Habits, Limits, Settings, Sqlite, Store};
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
    let app = App::new(opened()?, store(&args.db)?, settings(args));
    for entry in games::all() {
        app.tell_sources(entry.id, entry.files.iter().copied());
    }
    let listener = TcpListener::bind(&args.listen)
        .await
        .with_context(|| format!("cannot listen on {}: is another server running there?", args.listen))?;
    let address = format!("http://{}/", listener.local_addr()?);
    println!("The table is laid at {address}");
    if args.open {
        open_browser(&address);
    }
    server::serve(listener, app, asked_to_stop()).await.context("the server failed")
}

fn settings(args: &Serve) -> Settings {
    Settings {
        limits: Limits {
            rate: args.rate,
            body: args.body,
            sockets: args.sockets,
            proxy: args.behind_proxy,
            secure: args.behind_tls,
        },
        habits: Habits {
            bot_pause: Duration::from_millis(args.bot_pause),
            keep: Duration::from_secs(args.keep),
        },
    }
}

/// Opens the store at an address.
pub(super) fn store(address: &str) -> Result<Arc<dyn Store>> {
    let path = match address.strip_prefix("sqlite://") {
        Some("") => bail!("`sqlite://` lacks the name of its file: write sqlite://outremer.db"),
        Some(path) => PathBuf::from(path),
        None if address.contains("://") => {
            bail!("only sqlite://FILE is understood as a database, not `{address}`")
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
    let limits = Limits { rate: u32::MAX, ..Limits::default() };
    let settings = Settings { limits, habits: Habits { bot_pause: Duration::ZERO, ..Habits::default() } };
    let plan = server::load::Plan {
        game: games::all()[0].id.to_string(),
        tables: 1000,
        callers: 64,
        time: Duration::from_secs(u64::from(args.seconds.max(1))),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let measured = runtime.block_on(async {
        let app = App::new(opened()?, store(&format!("sqlite://{}", file.display()))?, settings);
        let figures = server::load::measure(&app, &plan).await?;
        let weight = server::weight::weigh(&app, &plan.game, 400).await?;
        Ok::<_, anyhow::Error>((figures, weight))
    });
    // Whatever was measured, nothing is left behind.
    let _ = std::fs::remove_dir_all(&folder);
    let (figures, weight) = measured?;
    let each_second = figures.actions as f64 / figures.seconds;
    if args.json {
        println!(
            "{}",
            serde_json::json!({ "game": plan.game, "tables": plan.tables, "callers": plan.callers,
                "actions": figures.actions, "actions_per_second": each_second,
                "median_ms": figures.median_ms, "p99_ms": figures.p99_ms,
                "bytes_per_table": figures.bytes_per_table,
                "page_bytes": weight.page, "file_bytes": weight.files, "page_made_ms": weight.made_ms,
                "update_bytes_median": weight.median(), "update_bytes_most": weight.heaviest() })
        );
        return Ok(());
    }
    println!("{} tables of {}, {} requests under way at once:", plan.tables, plan.game, plan.callers);
    println!("  {} durable actions a second", terminal::thousands(each_second));
    println!("  answered within {:.1} ms (median), {:.1} ms (99 of 100)", figures.median_ms, figures.p99_ms);
    if let Some(bytes) = figures.bytes_per_table {
        println!("  {:.0} KiB of memory for each open table", bytes as f64 / 1024.0);
    }
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
    Ok(())
}

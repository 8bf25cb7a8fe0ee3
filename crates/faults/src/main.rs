//! Runs the check: `faults --program target/release/outremer --minutes 10 --seed 1`, or `cargo xtask faults`.
// Times are what is measured here; no rule of a game is decided.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Parser;
use faults::checker::{self, Findings, Promise};
use faults::clients::{self, Company, House, call};
use faults::ford::Ford;
use faults::history::{Event, Log, Time};
use faults::schedule::{Fault, Kind, Schedule};
use faults::servers::{Database, Disk, Server};
use faults::truth::{Kept, Truth};
use serde_json::Value;
use server::{Postgres, Sqlite, Store};

/// Servers under load are killed, stopped, cut off and starved; nothing that they acknowledged may be lost,
/// everybody sees one order of events, and no secret is told early
#[derive(Debug, Parser)]
struct Args {
    /// The program whose servers suffer
    #[arg(long, value_name = "FILE", default_value = "target/release/outremer")]
    program: PathBuf,
    /// How long, in minutes
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=60))]
    minutes: u32,
    /// The number from which the faults and the players' choices follow
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Where the history is kept, for whoever looks for the cause of a violation [default: a folder of the
    /// system's, which is deleted when all is well]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Mount no small disk: limit the size of the server's files instead
    #[arg(long)]
    no_mount: bool,
}

/// The numbers of the servers over PostgreSQL, and of the one over SQLite.
const SHARED: [usize; 2] = [0, 1];
const ALONE: usize = 2;

/// How long all is quiet at the end, so that everything can recover.
const QUIET: Duration = Duration::from_secs(25);

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build();
    let checked = runtime.context("no runtime").and_then(|runtime| runtime.block_on(run(&Args::parse())));
    match checked {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Everything that suffers.
struct Field {
    company: Arc<Company>,
    servers: Vec<Server>,
    fords: Vec<Arc<Ford>>,
    database: Database,
    disk: Disk,
}

impl Field {
    async fn set_up(args: &Args, folder: &Path) -> Result<Self> {
        let disk = Disk::make(folder, 64 + 4 * args.minutes, !args.no_mount)?;
        let database = Database::make(folder)?;
        let sqlite = format!("sqlite://{}", disk.database().display());
        let (mut servers, mut fords) = (Vec::new(), Vec::new());
        for number in SHARED.into_iter().chain([ALONE]) {
            let address = if number == ALONE { sqlite.clone() } else { database.address() };
            let mut server = Server::new(number, &args.program, address, folder)?;
            server.start()?;
            fords.push(Ford::open(server.port, args.seed.wrapping_add(number as u64)).await?);
            servers.push(server);
        }
        let company = Company::new(Log::new(folder)?, args.seed);
        let mut field = Self { company, servers, fords, database, disk };
        let begun = Instant::now();
        while !field.all_answer().await {
            if begun.elapsed() > Duration::from_secs(60) {
                bail!("the servers do not answer: see {}", field.servers[0].log().display());
            }
            field.wait(Duration::from_millis(200)).await?;
        }
        Ok(field)
    }

    async fn all_answer(&self) -> bool {
        for server in &self.servers {
            let asked = call(server.port, "", "GET", "/health", &Value::Null).await;
            if !matches!(asked, Ok((200, _))) {
                return false;
            }
        }
        true
    }

    /// Waits, and starts again what has ended by itself.
    async fn wait(&mut self, time: Duration) -> Result<()> {
        let begun = Instant::now();
        loop {
            for server in &mut self.servers {
                if let Some(how) = server.tend()? {
                    let (server, at) = (server.number, self.company.log.now());
                    self.company.log.write(Event::Fell { server, how, at });
                }
            }
            self.database.tend()?;
            let left = time.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return Ok(());
            }
            tokio::time::sleep(left.min(Duration::from_millis(200))).await;
        }
    }

    /// Makes one fault and mends it.
    async fn suffer(&mut self, fault: Fault) -> Result<()> {
        let begun = self.company.log.now();
        let Fault { kind, server, lasts, .. } = fault;
        let mut touched = SHARED.to_vec();
        match kind {
            Kind::Kill => {
                touched = vec![server];
                self.servers[server].kill();
                self.wait(lasts).await?;
                self.servers[server].start()?;
            }
            Kind::KillBoth => {
                SHARED.iter().for_each(|s| self.servers[*s].kill());
                self.wait(lasts).await?;
                for server in SHARED {
                    self.servers[server].start()?;
                }
            }
            Kind::Stop => {
                touched = vec![server];
                self.servers[server].pause();
                self.wait(lasts).await?;
                self.servers[server].go_on();
            }
            Kind::End => {
                touched = vec![server];
                let ended = tokio::task::block_in_place(|| self.servers[server].end());
                if !ended {
                    let (how, at) = ("it did not end when asked to".into(), self.company.log.now());
                    self.company.log.write(Event::Fell { server, how, at });
                }
                self.wait(lasts).await?;
                self.servers[server].start()?;
            }
            Kind::KillDatabase => {
                tokio::task::block_in_place(|| self.database.kill());
                self.wait(lasts).await?;
                self.database.start()?;
            }
            Kind::StopDatabase => {
                self.database.pause();
                self.wait(lasts).await?;
                self.database.go_on();
            }
            Kind::FullDisk => {
                touched = vec![ALONE];
                if self.disk.mounted {
                    tokio::task::block_in_place(|| self.disk.fill())?;
                    self.wait(lasts).await?;
                    self.disk.free()?;
                } else {
                    self.servers[ALONE].limit_files(true);
                    self.wait(lasts).await?;
                    self.servers[ALONE].limit_files(false);
                }
            }
            Kind::Cut => {
                touched.push(ALONE);
                self.fords.iter().for_each(|f| f.danger.store(50, Ordering::Relaxed));
                self.wait(lasts).await?;
                self.fords.iter().for_each(|f| f.danger.store(0, Ordering::Relaxed));
            }
        }
        let healed = self.company.log.now();
        let kind = kind.name().to_string();
        self.company.log.write(Event::Fault { kind, servers: touched, begun, healed });
        Ok(())
    }

    /// After the last fault: what should go on and does not.
    async fn find_stuck(&self, since: Time) {
        let events = self.company.log.events();
        let mut acted: BTreeMap<String, Time> = BTreeMap::new();
        for ((table, _), clicks) in checker::clicks(&events) {
            for (at, _, answer) in clicks.into_iter().filter_map(|c| c.answer) {
                if answer.is_yes() {
                    let last = acted.entry(table.clone()).or_default();
                    *last = at.max(*last);
                }
            }
        }
        let opened_since = |table: &str| {
            // A table that was opened while all was quiet has had little time.
            let first = events.iter().find_map(|e| match e {
                Event::Looked(look) if look.table == table => Some(look.ended),
                _ => None,
            });
            first.is_none_or(|at| at > since)
        };
        for (table, sitting) in self.company.tables() {
            if acted.get(&table).is_some_and(|at| *at > since) || opened_since(&table) {
                continue;
            }
            let path = format!("/api/tables/{table}?seat=0");
            let token = sitting.tokens[0].clone().unwrap_or_default();
            let (number, ford) = &sitting.house.fords[0];
            let said = call(ford.port, &token, "GET", &path, &Value::Null).await;
            let view: Value =
                said.as_ref().ok().and_then(|(_, text)| serde_json::from_str(text).ok()).unwrap_or_default();
            if view["stage"] == "over" {
                continue;
            }
            let waits: Vec<_> = view["seats"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|s| s["waiting"] == true)
                .map(|s| format!("{} ({})", s["name"], s["kind"]))
                .collect();
            let why = format!(
                "nobody could act for {:.0} s after the last fault; server {number} says it waits for {waits:?}, frozen {}",
                (self.company.log.now() - since) as f64 / 1e6,
                view["frozen"],
            );
            self.company.log.write(Event::Stuck { table, why });
        }
    }
}

/// Reads a table from its database.
async fn kept(store: &dyn Store, table: &str, game: &str) -> Result<Option<Kept>> {
    let Some(whole) = store.table(table.parse()?).await? else { return Ok(None) };
    Ok(Some(Kept {
        table: table.into(),
        game: game.into(),
        head: whole.row.head,
        entries: whole.entries,
        drafts: whole.drafts.into_iter().map(|(seat, draft)| (seat, draft.actions)).collect(),
        stage: whole.row.stage.word().into(),
    }))
}

async fn run(args: &Args) -> Result<bool> {
    let folder = tempfile::Builder::new().prefix("outremer-faults-").tempdir()?;
    // The user of PostgreSQL must be able to pass.
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let place = args.folder.clone().unwrap_or_else(|| folder.path().to_path_buf());
    std::fs::create_dir_all(&place)?;
    let place = place.canonicalize()?;
    let mut field = Field::set_up(args, &place).await?;
    let disk = if field.disk.mounted { "a small disk" } else { "a limit on the size of files" };
    println!("{} minutes with seed {}, in {} ({disk} for SQLite)", args.minutes, args.seed, place.display());
    let company = field.company.clone();
    let houses = [
        Arc::new(House { number: 0, fords: SHARED.map(|s| (s, field.fords[s].clone())).to_vec() }),
        Arc::new(House { number: 1, fords: vec![(ALONE, field.fords[ALONE].clone())] }),
    ];
    for house in &houses {
        let games = [
            ("phantom-tic-tac-toe", false),
            ("ten-towns", false),
            ("ten-towns", true),
            ("crusader-rex", false),
            ("phantom-tic-tac-toe", false),
            ("ten-towns", false),
        ];
        for (game, bot) in games.into_iter().take(if house.number == 0 { 6 } else { 4 }) {
            tokio::spawn(clients::play_on(company.clone(), house.clone(), game, bot));
        }
    }
    let begun = Instant::now();
    let whole = Duration::from_secs(60 * u64::from(args.minutes));
    let mut schedule = Schedule::new(args.seed, 3);
    while begun.elapsed() + QUIET < whole {
        let fault = schedule.next().context("the schedule has no end")?;
        field.wait(fault.after).await?;
        let at = begun.elapsed().as_secs();
        println!(
            "{:3}:{:02} {} (server {}, {:?})",
            at / 60,
            at % 60,
            fault.kind.name(),
            fault.server,
            fault.lasts
        );
        field.suffer(fault).await?;
    }
    let healed = company.log.now();
    field.wait(QUIET).await?;
    field.find_stuck(healed).await;
    // Players end what they have begun to ask for.
    company.stopped.store(true, Ordering::Relaxed);
    let ending = Instant::now();
    while company.playing.load(Ordering::Relaxed) > 0 && ending.elapsed() < Duration::from_secs(30) {
        field.wait(Duration::from_millis(200)).await?;
    }
    company.gone.store(true, Ordering::Relaxed);
    field.wait(Duration::from_secs(1)).await?;
    for server in &mut field.servers {
        // What it has not done by now is found below.
        let _ = tokio::task::block_in_place(|| server.end());
    }
    println!("all is quiet; reading {} tables", opened(&company.log.events()).len());

    let events = company.log.events();
    let shared: Box<dyn Store> = Box::new(Postgres::open(&field.database.address()).await?);
    let alone: Box<dyn Store> = Box::new(Sqlite::open(&field.disk.database())?);
    let mut truths = Vec::new();
    for (table, game, house) in opened(&events) {
        let store = if house == 0 { &*shared } else { &*alone };
        let Some(kept) = kept(store, &table, &game).await? else { continue };
        if let Some(truth) = Truth::of(kept).with_context(|| format!("table {table} of {game}"))? {
            truths.push(truth);
        }
    }
    drop((shared, alone));
    let findings = checker::check(&events, &truths, &|shown| company.log.text(shown));
    summary(&events, &truths, &findings, &field);
    let well = findings.violations.is_empty();
    drop(field);
    if !well {
        for (i, violation) in findings.violations.iter().enumerate().take(200) {
            if let Some(text) = violation.shown.and_then(|shown| company.log.text(shown)) {
                std::fs::write(
                    place.join(format!("violation-{}.txt", i + 1)),
                    format!("{violation}\n\n{text}\n"),
                )?;
            }
        }
        for truth in &truths {
            let text = format!(
                "{}\n{}\n",
                truth.kept.head.clone().unwrap_or_default(),
                truth.kept.entries.join("\n")
            );
            std::fs::write(place.join(format!("{}.record", truth.kept.table)), text)?;
        }
        println!("the history, the records and what was shown are in {}", place.display());
        let _ = folder.keep();
    }
    Ok(well)
}

/// All tables, their games and houses.
fn opened(events: &[Event]) -> Vec<(String, String, usize)> {
    let one = |event: &Event| match event {
        Event::Opened { table, game, house } => Some((table.clone(), game.clone(), *house)),
        _ => None,
    };
    events.iter().filter_map(one).collect()
}

fn summary(events: &[Event], truths: &[Truth], findings: &Findings, field: &Field) {
    let clicks: Vec<_> = checker::clicks(events).into_values().flatten().collect();
    let answers = || clicks.iter().filter_map(|c| c.answer.as_ref());
    let yes = answers().filter(|(_, _, a)| a.is_yes()).count();
    let repeated = answers().filter(|(_, _, a)| *a == faults::history::Answer::Repeated).count();
    let unsure = events.iter().filter(|e| matches!(e, Event::Unsure { .. })).count();
    let over = truths.iter().filter(|t| t.over).count();
    println!("\n{yes} actions acknowledged, {repeated} of them only when they were asked for again");
    println!("{} refused, {unsure} attempts without a sure answer", answers().count() - yes);
    println!(
        "{} tables, {over} played to the end, {} entries",
        truths.len(),
        truths.iter().map(Truth::entries).sum::<usize>()
    );
    println!(
        "{} looks compared, {} texts searched, {} requests for what is secret; {} looks behind another server, {} at a standstill",
        findings.looks, findings.texts, findings.pried, findings.behind, findings.standstills
    );
    let drowned: u32 = field.fords.iter().map(|f| f.drowned.load(Ordering::Relaxed)).sum();
    println!("{drowned} connections cut or delayed");
    println!("{} actions that a record ascribes to a player and that the table made\n", findings.nobodys);
    println!("{:<32}{:>6}{:>22}{:>12}", "fault", "times", "recovered after (s)", "at most");
    let mut kinds: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::new();
    for event in events {
        let Event::Fault { kind, servers, healed, .. } = event else { continue };
        let next = answers().filter(|(at, server, a)| at > healed && servers.contains(server) && a.is_yes());
        let after = next.map(|(at, ..)| (at - healed) as f64 / 1e6).reduce(f64::min);
        kinds.entry(kind).or_default().push(after);
    }
    for (kind, times) in kinds {
        let mut known: Vec<f64> = times.iter().flatten().copied().collect();
        known.sort_by(f64::total_cmp);
        let middle = known.get(known.len() / 2).copied().unwrap_or(f64::NAN);
        let most =
            if known.len() < times.len() { f64::INFINITY } else { known.last().copied().unwrap_or(0.0) };
        println!("{kind:<32}{:>6}{middle:>22.2}{most:>12.2}", times.len());
    }
    println!("\n{} violations", findings.violations.len());
    for promise in [Promise::Kept, Promise::OneOrder, Promise::NeverBack, Promise::Secrecy, Promise::Recovery]
    {
        let of = || findings.violations.iter().filter(|v| v.promise == promise);
        if of().count() > 0 {
            println!("  {}: {}", promise.name(), of().count());
            of().take(8).for_each(|v| println!("    {v}"));
        }
    }
}

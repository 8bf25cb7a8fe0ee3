//! Developer chores: `cargo xtask CHORE`.
//!
//! `test` is what everybody runs and what guards every change; the others are heavier and run by hand.

// Chores say how long they took.
#![allow(clippy::disallowed_types)]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

mod ledgers;
mod mutants;
mod new_game;
mod pictures;
mod tidy;

const HELP: &str = "\
cargo xtask test                  format, lints, tests (some in a browser, which it installs), documentation, ledgers
cargo xtask long [GAMES]          the long check: 20,000 examined games of each game, a new game made and tried,
                                  then every fuzz target
cargo xtask fuzz [SECONDS]        every fuzz target, 60 seconds each unless told otherwise (needs a nightly toolchain)
cargo xtask tidy                  links of the documents, spelling (installs typos), `deny`, and every kind of page in
                                  a browser, large and small, by day and by night, gone over by axe-core (from npm)
cargo xtask deny                  licences, bans, sources and known faults of all dependencies (installs cargo-deny)
cargo xtask mutants GAME [SAMPLE] are the rules held by their tests? 120 changes are tried (installs cargo-mutants)
cargo xtask faults [--minutes N] [--seed S]
                                  servers under load are killed, stopped, cut off and starved for 10 minutes; nothing
                                  acknowledged may be lost, and no secret told (`faults --help` tells more)
cargo xtask new-game ID           a new game: a running copy of Four Keeps under that name
cargo xtask pictures [FOLDER]     every kind of board and page as PNG, into target/pictures unless told otherwise
cargo xtask pictures --best       the pictures that the lobby shows, made anew where they are kept
cargo xtask count [GAME]          instructions per action under valgrind: steady where clocks are not";

/// The fuzz targets, one for each reader.
const FUZZ_TARGETS: [&str; 6] = ["record", "vignette", "data", "notation", "ledger", "requests"];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["test"] => test(),
        ["long"] => long(20_000),
        ["long", games] => number(games).and_then(long),
        ["fuzz"] => fuzz(60),
        ["fuzz", seconds] => number(seconds).and_then(fuzz),
        ["tidy"] => tidy::tidy(),
        ["deny"] => deny(),
        ["mutants", game] => mutants::mutants(game, 120),
        ["mutants", game, sample] => number(sample).and_then(|sample| mutants::mutants(game, sample)),
        ["faults", ref words @ ..] => faults(words),
        ["new-game", id] => new_game::new_game(id),
        ["pictures", "--best"] => pictures::best(),
        ["pictures"] => pictures::pictures(&pictures::folder()),
        ["pictures", folder] => pictures::pictures(Path::new(folder)),
        ["count"] => count("ten-towns"),
        ["count", game] => count(game),
        _ => {
            println!("{HELP}");
            return if words.is_empty() || words == ["help"] { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn number(text: &str) -> Result<u32> {
    text.parse().with_context(|| format!("expected a number, found `{text}`"))
}

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| ".".into(), Path::to_path_buf)
}

fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}

/// Runs a program in the root of the workspace and shows what it runs.
fn run(program: &str, words: &[&str], variables: &[(&str, &str)]) -> Result<()> {
    println!(
        "\n$ {} {}",
        Path::new(program).file_name().unwrap_or_default().to_string_lossy(),
        words.join(" ")
    );
    let status = Command::new(program)
        .args(words)
        .envs(variables.iter().copied())
        .current_dir(root())
        .status()
        .with_context(|| format!("cannot run {program}"))?;
    if !status.success() {
        bail!("`{program} {}` failed", words.join(" "));
    }
    Ok(())
}

fn test() -> Result<()> {
    let cargo = cargo();
    let (begun, mut phases) = (Instant::now(), Vec::new());
    let mut phase = |name: &'static str, work: &mut dyn FnMut() -> Result<()>| -> Result<()> {
        let begun = Instant::now();
        work()?;
        phases.push((name, begun.elapsed()));
        println!("\n{name}: {}", minutes(begun.elapsed()));
        Ok(())
    };
    phase("installing what the tests need", &mut || {
        have_postgres().and_then(|()| browser()).and_then(|()| have_parallel())
    })?;
    phase("format", &mut || run(&cargo, &["fmt", "--all", "--check"], &[]))?;
    let lints = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    phase("lints", &mut || run(&cargo, &lints, &[]))?;
    // Examples were compiled by the lints; linking each of them takes a minute.
    let tests = ["test", "--workspace", "--locked", "--lib", "--bins", "--tests"];
    phase("building the tests", &mut || run(&cargo, &[&tests[..], &["--no-run"]].concat(), &[]))?;
    phase("tests", &mut || run(&cargo, &tests, &[("INSTA_UPDATE", "no")]))?;
    phase("examples in the documentation", &mut || {
        run(&cargo, &["test", "--workspace", "--locked", "--doc"], &[])
    })?;
    let doc = ["doc", "--workspace", "--no-deps", "--locked"];
    phase("documentation", &mut || run(&cargo, &doc, &[("RUSTDOCFLAGS", "-D warnings")]))?;
    phase("ledgers", &mut || ledgers::check(&root()))?;
    println!();
    for (name, time) in phases {
        println!("{:>8}  {name}", minutes(time));
    }
    println!("{:>8}  in all\n\nall is well", minutes(begun.elapsed()));
    Ok(())
}

/// `3:07` for so many minutes and seconds.
fn minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

/// Installs packages of the system, and says so first.
fn install(packages: &[&str], why: &str) -> Result<()> {
    println!("\n{why}: installing {} from the system's packages", packages.join(", "));
    let mut words = vec!["install", "--yes", "--no-install-recommends"];
    words.extend(packages);
    run("apt-get", &["update"], &[])
        .and_then(|()| run("apt-get", &words, &[("DEBIAN_FRONTEND", "noninteractive")]))
        .with_context(|| {
            format!("{why}, and could not be installed: install {} yourself", packages.join(" and "))
        })
}

/// The tests of several servers start a PostgreSQL of their own: its programs come from the system's packages
/// when they are missing.
fn have_postgres() -> Result<()> {
    let folders = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    if folders.map(|f| f.path().join("bin/initdb")).any(|program| program.exists()) {
        return Ok(());
    }
    install(&["postgresql"], "the tests of several servers need PostgreSQL")
}

/// The browser of the browser tests and its driver, installed from Debian's packages when they are missing.
fn browser() -> Result<()> {
    if answers("chromium") && answers("chromedriver") {
        return Ok(());
    }
    install(&["chromium", "chromium-driver"], "the browser tests need Chromium and its driver")
}

/// The arena in shares is tried with GNU parallel.
fn have_parallel() -> Result<()> {
    if answers("parallel") {
        return Ok(());
    }
    install(&["parallel"], "the tests of the arena in shares need GNU parallel")
}

/// Whether a program is there.
fn answers(program: &str) -> bool {
    let quiet = std::process::Stdio::null;
    let asked = Command::new(program).arg("--version").stdout(quiet()).stderr(quiet()).status();
    asked.is_ok_and(|s| s.success())
}

fn long(games: u32) -> Result<()> {
    let cargo = cargo();
    run(&cargo, &["build", "--release", "--locked"], &[])?;
    let outremer = root().join("target/release/outremer");
    let outremer = outremer.to_string_lossy();
    let listed = Command::new(&*outremer).arg("list").output().context("cannot list the games")?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    // A game's id stands at the beginning of a line; everything about it is set in.
    let ids = listed.lines().filter(|l| !l.starts_with(' ')).filter_map(|l| l.split_whitespace().next());
    let (games, threads) = (games.to_string(), "2");
    for id in ids {
        // The dear checks at one step of twenty: over so many games every kind of step is met often enough.
        run(&outremer, &["check", id, "--games", &games, "--threads", threads, "--every", "20"], &[])?;
        run(&outremer, &["rules", id, "--check"], &[])?;
    }
    let met = ["run", "--release", "--locked", "-p", "kingdom-of-heaven", "--example", "met", "--", "5000"];
    run(&cargo, &met, &[])?;
    new_game::try_copy()?;
    fuzz(60)
}

fn fuzz(seconds: u32) -> Result<()> {
    let tool = installed("cargo-fuzz", "cargo-fuzz", "0.13.2")?;
    let limit = format!("-max_total_time={seconds}");
    for target in FUZZ_TARGETS {
        let words = ["fuzz", "run", target, "--", &limit, "-max_len=4096", "-timeout=10"];
        run(&tool, &words, &[("RUSTUP_TOOLCHAIN", "nightly")])?;
    }
    Ok(())
}

fn deny() -> Result<()> {
    let tool = installed("cargo-deny", "cargo-deny", "0.20.2")?;
    run(&tool, &["--locked", "check", "licenses", "bans", "sources"], &[])?;
    // The list of known faults comes from the network, which is not always there.
    if let Err(error) = run(&tool, &["--locked", "fetch", "db"], &[]) {
        println!("\nKNOWN FAULTS WERE NOT LOOKED FOR: their list could not be fetched ({error:#})");
        println!("licences, bans and sources of all dependencies are in order");
        return Ok(());
    }
    run(&tool, &["--locked", "check", "--disable-fetch", "advisories"], &[])
}

/// Real servers over a PostgreSQL and a SQLite of their own are made to suffer.
fn faults(words: &[&str]) -> Result<()> {
    have_postgres()?;
    run(&cargo(), &["build", "--release", "--locked", "-p", "outremer", "-p", "faults"], &[])?;
    let program = root().join("target/release/faults");
    run(&program.to_string_lossy(), words, &[])
}

/// A cargo tool in the target folder, installed when it is missing.
fn installed(package: &str, name: &str, version: &str) -> Result<String> {
    let folder = root().join("target/tools");
    let tool = folder.join("bin").join(name);
    if !tool.exists() {
        let folder = folder.to_string_lossy();
        run(&cargo(), &["install", package, "--version", version, "--locked", "--root", &folder], &[])?;
    }
    Ok(tool.to_string_lossy().into_owned())
}

fn count(game: &str) -> Result<()> {
    run(&cargo(), &["build", "--release", "--locked"], &[])?;
    let mut totals = Vec::new();
    let mut actions = Vec::new();
    for games in ["20", "220"] {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "target/release/outremer"])
            .args(["simulate", game, "--games", games, "--seed", "1", "--json"])
            .current_dir(root())
            .output()
            .context("cannot run valgrind: install it with the system's packages")?;
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let refs = told.lines().find_map(|l| l.split_once("Collected :")).map(|(_, n)| n.trim().to_string());
        totals.push(refs.and_then(|n| n.parse::<u64>().ok()).context("valgrind counted nothing")?);
        let json = String::from_utf8_lossy(&output.stdout).into_owned();
        let after = json.split_once("\"actions\":").map_or("", |(_, rest)| rest);
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        actions.push(digits.parse::<u64>().context("the simulation counted nothing")?);
    }
    println!(
        "{game}: {:.1} instructions for each action",
        (totals[1] - totals[0]) as f64 / (actions[1] - actions[0]) as f64
    );
    Ok(())
}

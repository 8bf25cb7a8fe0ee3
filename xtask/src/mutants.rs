//! `cargo xtask mutants GAME`: are the rules held by their vignettes and tests?
//!
//! One thing in the rules is changed (a comparison, a result, an operator) and the game's vignettes and quick tests
//! are run: a change that nothing notices has survived. `cargo-mutants` names the changes, a sample is spread evenly
//! over them, and all of the sample is written into one copy of the workspace, each change behind a
//! [switch](switches): so the game is compiled once, and its tests run once for each change. What does not compile is
//! taken out again. What survives because nothing can tell it apart stands, with the reason, in the game's
//! `equivalent-mutants.tsv`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{cargo, installed, minutes, root};

mod switches;

use switches::{Change, Source, belongs};

/// So many of the changes must be noticed, in hundredths.
const WANTED: usize = 90;

/// Where the rules of a game are.
fn rules(game: &str) -> &'static [&'static str] {
    match game {
        "croisades" => &[
            "src/field.rs",
            "src/tactics.rs",
            "src/tactics/**/*.rs",
            "src/skirmish/rules.rs",
            "src/skirmish/position.rs",
        ],
        _ => &["src/flow.rs", "src/flow/**/*.rs", "src/position.rs"],
    }
}

/// Tests that play games by the thousand are for the long check.
const SLOW: [&str; 5] = ["conform", "wording::", "habits::", "knowledge::", "planted::"];

/// The test of all vignettes comes first: it notices most, and soon.
const VIGNETTES: &str = "every_vignette_holds";

/// A change has this many times as long as the healthy game, and at least so many seconds.
const PATIENCE: (u32, u64) = (10, 20);

/// What the copy gets besides: which change is at work, and which places the tests come to.
const SWITCHES: &str = r#"
//! Which change is at work.

use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static CHOSEN: OnceLock<u32> = OnceLock::new();
static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

pub(crate) fn on(change: u32) -> bool {
    let read = || std::env::var("MUTANT").ok().and_then(|m| m.parse().ok()).unwrap_or(0);
    let chosen = *CHOSEN.get_or_init(read);
    if chosen == u32::MAX && !REACHED[change as usize].swap(true, Ordering::Relaxed) {
        let path = std::env::var("MUTANTS_REACHED").expect("a file for what is reached");
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut f| f.write_all(format!("{change}\n").as_bytes())).expect("it can be written");
    }
    chosen == change
}
"#;

/// What became of a change.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fate {
    Failed,
    TooLong,
    Survived,
    /// No test comes there.
    Unreached,
}

pub(crate) fn mutants(game: &str, sample: u32) -> Result<()> {
    let begun = Instant::now();
    let folder = root().join("crates").join(game);
    if !folder.join("rules.toml").is_file() {
        bail!("`{game}` is no game's crate: give the name of a folder of crates that has a rules.toml");
    }
    let excused = excused(&folder.join("equivalent-mutants.tsv"))?;
    let all = listed(game)?;
    let names = names(&all);
    if let Some(unknown) = excused.keys().find(|name| !names.contains(name)) {
        bail!("equivalent-mutants.tsv of {game} names no change that could be made: `{unknown}`");
    }
    let mut sources = BTreeMap::new();
    for change in &all {
        if !sources.contains_key(&change.file) {
            let text = fs::read_to_string(root().join(&change.file));
            let source = text.map_err(anyhow::Error::from).and_then(|text| Source::read(&text));
            sources.insert(change.file.clone(), source.with_context(|| change.file.clone())?);
        }
    }
    let chosen = sampled(&all, &sources, sample as usize);
    println!("{} changes could be made, {} are tried", all.len(), chosen.len());
    let mut tried: BTreeMap<u32, usize> = (1..).zip(chosen).collect();
    let copy = Copied::new(game)?;
    let (programs, unviable) = copy.compiled(&all, &sources, &mut tried)?;
    println!("compiled after {}", minutes(begun.elapsed()));
    let fates = copy.fates(&programs, &tried.keys().copied().collect::<Vec<_>>())?;
    println!("tried after {}\n", minutes(begun.elapsed()));

    let (mut noticed, mut too_long, mut equal, mut survived) = (0, 0, 0, 0);
    for (number, fate) in fates {
        let i = tried[&number];
        match (fate, excused.get(&names[i])) {
            (Fate::Failed | Fate::TooLong, _) => {
                noticed += 1;
                too_long += usize::from(fate == Fate::TooLong);
            }
            (_, Some(why)) => {
                equal += 1;
                println!("nothing can tell: {} ({why})", told(&all[i], &names[i]));
            }
            (_, None) => {
                survived += 1;
                let how = if fate == Fate::Unreached { ", no test comes there" } else { "" };
                println!("survived{how}: {}", told(&all[i], &names[i]));
            }
        }
    }
    let share = noticed * 100 / (noticed + survived).max(1);
    println!(
        "\n{game}: {noticed} of {} changes were noticed ({share} %), {too_long} of them by taking too long; {equal} \
         make no difference, {unviable} do not compile",
        noticed + survived,
    );
    if share < WANTED {
        bail!("{WANTED} % must be noticed: write vignettes for what survived, or say why nothing can tell");
    }
    Ok(())
}

/// All changes of a game's rules that `cargo-mutants` can think of.
fn listed(game: &str) -> Result<Vec<Change>> {
    let tool = installed("cargo-mutants", "cargo-mutants", "27.0.0")?;
    let mut command = Command::new(&tool);
    command.args(["mutants", "--list", "--json", "--package", game]).current_dir(root());
    for file in rules(game) {
        command.args(["--file".into(), format!("crates/{game}/{file}")]);
    }
    let listed = command.output().context("cannot list the changes")?;
    let mut all: Vec<Change> = serde_json::from_slice(&listed.stdout)
        .with_context(|| format!("cannot list the changes: {}", String::from_utf8_lossy(&listed.stderr)))?;
    // Two iterators are of two types, and a switch has one: such a change never compiles.
    all.retain(|change| !change.name.contains("-> impl "));
    if all.is_empty() {
        bail!("there is nothing to change in the rules of {game}");
    }
    Ok(all)
}

/// So many of the changes, spread evenly over all that can be behind a switch.
fn sampled(all: &[Change], sources: &BTreeMap<String, Source>, sample: usize) -> Vec<usize> {
    let able: Vec<usize> = (0..all.len()).filter(|i| sources[&all[*i].file].can(&all[*i])).collect();
    let wanted = sample.clamp(1, able.len().max(1));
    let mut chosen: Vec<usize> = Vec::new();
    let mut next = 0;
    for i in 0..wanted {
        next = next.max(i * able.len() / wanted);
        while let Some(candidate) = able.get(next).copied() {
            next += 1;
            let file = &all[candidate].file;
            let others: Vec<_> = chosen.iter().map(|i| &all[*i]).filter(|c| c.file == *file).collect();
            if !sources[file].too_deep(&all[candidate], &others) {
                chosen.push(candidate);
                break;
            }
        }
    }
    chosen
}

/// A number that is another when any of the sources is.
fn state<'a>(sources: impl Iterator<Item = &'a Source>) -> u64 {
    let mut hasher = DefaultHasher::new();
    sources.for_each(|source| source.text().hash(&mut hasher));
    hasher.finish()
}

/// A copy of the workspace, into which the changes are written.
struct Copied {
    game: String,
    folder: PathBuf,
}

impl Copied {
    fn new(game: &str) -> Result<Self> {
        let folder = root().join("target/mutants/workspace");
        fs::create_dir_all(&folder).context("cannot make a folder for the copy")?;
        for name in ["Cargo.toml", "Cargo.lock", "crates", "xtask"] {
            same(&root().join(name), &folder.join(name))?;
        }
        Ok(Self { game: game.into(), folder })
    }

    /// Writes the changes into the copy and compiles its tests. What the compiler does not want is dropped and
    /// counted.
    fn compiled(
        &self,
        all: &[Change],
        sources: &BTreeMap<String, Source>,
        tried: &mut BTreeMap<u32, usize>,
    ) -> Result<(Vec<PathBuf>, usize)> {
        let count = tried.len();
        // What did not compile the last time, in the same sources, does not today.
        let memory = self.folder.with_file_name(format!("{}-unviable.txt", self.game));
        let remembered = fs::read_to_string(&memory).unwrap_or_default();
        let state = format!("{:016x}", state(sources.values()));
        let mut unviable: BTreeSet<String> = match remembered.split_once('\n') {
            Some((of, names)) if of == state => names.lines().map(String::from).collect(),
            _ => BTreeSet::new(),
        };
        tried.retain(|_, i| !unviable.contains(&all[*i].name));
        let crate_folder = self.folder.join("crates").join(&self.game);
        let library = crate_folder.join("src/lib.rs");
        let switches = SWITCHES.replace("COUNT", &(count + 1).to_string());
        put(&crate_folder.join("src/mutant_switches.rs"), switches.as_bytes())?;
        let text = fs::read_to_string(&library).context("cannot read the library")?;
        put(&library, format!("{text}\npub(crate) mod mutant_switches;\n").as_bytes())?;
        loop {
            let mut texts = BTreeMap::new();
            for (file, source) in sources {
                let own = tried.iter().filter(|(_, i)| all[**i].file == *file);
                let own: Vec<_> = own.map(|(number, i)| (*number, &all[*i])).collect();
                let text = source.switched(&own);
                put(&self.folder.join(file), text.as_bytes())?;
                texts.insert(file.clone(), text);
            }
            match self.build(&texts)? {
                Ok(programs) => return Ok((programs, count - tried.len())),
                Err(wrong) => {
                    let before = unviable.len();
                    unviable.extend(wrong.iter().filter_map(|n| Some(all[*tried.get(n)?].name.clone())));
                    if unviable.len() == before {
                        bail!("the compiler complains of a change that is not there any more");
                    }
                    tried.retain(|number, _| !wrong.contains(number));
                    println!("{} do not compile", count - tried.len());
                    let names: String = unviable.iter().map(|name| format!("{name}\n")).collect();
                    put(&memory, format!("{state}\n{names}").as_bytes())?;
                }
            }
        }
    }

    /// The test programs, or the changes that the compiler complains of.
    fn build(&self, texts: &BTreeMap<String, String>) -> Result<Result<Vec<PathBuf>, BTreeSet<u32>>> {
        let output = Command::new(cargo())
            .args(["test", "--no-run", "--package", &self.game, "--test", "it", "--locked"])
            .args(["--message-format", "json"])
            .env("CARGO_TARGET_DIR", root().join("target"))
            // The dependencies are those of other tests; the game is compiled in haste.
            .env("CARGO_PROFILE_TEST_OPT_LEVEL", "1")
            .current_dir(&self.folder)
            .stderr(Stdio::null())
            .output()
            .context("cannot run cargo")?;
        let lines: Vec<Value> =
            output.stdout.lines().filter_map(|line| serde_json::from_str(&line.ok()?).ok()).collect();
        if output.status.success() {
            let programs = lines.iter().filter_map(|l| l["executable"].as_str()).map(PathBuf::from);
            return Ok(Ok(programs.collect()));
        }
        let mut wrong = BTreeSet::new();
        for message in lines.iter().map(|l| &l["message"]).filter(|m| m["level"] == "error") {
            let mut own = Vec::new();
            for (file, part) in mentioned(message) {
                if own.is_empty() {
                    own = texts.get(&file).map_or(Vec::new(), |text| belongs(text, part));
                }
            }
            // The last line only counts the errors.
            if own.is_empty() && message["spans"].as_array().is_some_and(|s| !s.is_empty()) {
                bail!(
                    "the copy does not compile: {}",
                    message["rendered"].as_str().unwrap_or("nothing is said")
                );
            }
            wrong.extend(own);
        }
        if wrong.is_empty() {
            bail!("the copy in {} does not compile: run its tests there", self.folder.display());
        }
        Ok(Err(wrong))
    }

    /// Runs the tests with one change after the other at work.
    fn fates(&self, programs: &[PathBuf], numbers: &[u32]) -> Result<Vec<(u32, Fate)>> {
        let begun = Instant::now();
        if self.run(programs, 0, Duration::MAX, None)? != Fate::Survived {
            bail!("the tests fail without any change: `cargo test --package {}` tells more", self.game);
        }
        let healthy = begun.elapsed();
        let patience = (healthy * PATIENCE.0).max(Duration::from_secs(PATIENCE.1));
        println!("the tests take {:.1} s", healthy.as_secs_f64());
        let note = self.folder.with_file_name(format!("{}-reached.txt", self.game));
        let _ = fs::remove_file(&note);
        self.run(programs, u32::MAX, Duration::MAX, Some(&note))?;
        let noted = fs::read_to_string(&note).unwrap_or_default();
        let reached: BTreeSet<u32> = noted.lines().filter_map(|l| l.parse().ok()).collect();

        let (next, fates) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || -> Result<()> {
            while let Some(number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                let fate = match reached.contains(number) {
                    true => self.run(programs, *number, patience, None)?,
                    false => Fate::Unreached,
                };
                if let Ok(mut fates) = fates.lock() {
                    fates.push((*number, fate));
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..workers()).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|_| bail!("a worker panicked")))
        })?;
        let mut fates = fates.into_inner().unwrap_or_default();
        fates.sort_by_key(|(number, _)| *number);
        Ok(fates)
    }

    /// What becomes of one change: the first test that fails is enough. To note what is reached, all are run.
    fn run(
        &self,
        programs: &[PathBuf],
        number: u32,
        patience: Duration,
        note: Option<&Path>,
    ) -> Result<Fate> {
        let begun = Instant::now();
        let others: Vec<&str> = SLOW.iter().chain([&VIGNETTES]).flat_map(|s| ["--skip", s]).collect();
        for (program, words) in programs.iter().flat_map(|p| [(p, &[VIGNETTES][..]), (p, &others)]) {
            let mut command = Command::new(program);
            command.arg("--test-threads=1").args(words);
            command.env("MUTANT", number.to_string()).env("RUST_BACKTRACE", "0");
            command.env("INSTA_UPDATE", "no").env("INSTA_WORKSPACE_ROOT", &self.folder);
            command.envs(note.map(|note| ("MUTANTS_REACHED", note)));
            command.current_dir(self.folder.join("crates").join(&self.game));
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
            let mut child = command.spawn().with_context(|| format!("cannot run {}", program.display()))?;
            let fate = watched(&mut child, patience.saturating_sub(begun.elapsed()), note.is_none())?;
            if fate != Fate::Survived && note.is_none() {
                return Ok(fate);
            }
        }
        Ok(Fate::Survived)
    }
}

/// Waits for a test program; ends it when a test has failed (if that is enough) or when time is up.
fn watched(child: &mut Child, patience: Duration, first: bool) -> Result<Fate> {
    let stdout = child.stdout.take().context("a test program says nothing")?;
    let (say, hear) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let failed = |line: std::io::Result<String>| line.is_ok_and(|l| l.ends_with("... FAILED"));
        let any = BufReader::new(stdout).lines().any(|line| first && failed(line));
        let _ = say.send(any);
    });
    let heard = hear.recv_timeout(patience);
    if heard != Ok(false) {
        // It may just have ended by itself.
        let _ = child.kill();
    }
    let ended = child.wait().context("a test program cannot be waited for")?;
    reader.join().unwrap_or_default();
    Ok(match heard {
        Err(mpsc::RecvTimeoutError::Timeout) => Fate::TooLong,
        Ok(false) if ended.success() => Fate::Survived,
        _ => Fate::Failed,
    })
}

/// How many changes are tried at once: as many as cargo compiles crates.
fn workers() -> usize {
    let said = std::env::var("CARGO_BUILD_JOBS").ok().and_then(|jobs| jobs.parse().ok());
    said.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}

/// The parts of files that a message of the compiler is about, the most important first.
fn mentioned(message: &Value) -> Vec<(String, std::ops::Range<usize>)> {
    let empty = Vec::new();
    let spans = |m: &Value| m["spans"].as_array().unwrap_or(&empty).clone();
    let mut all = spans(message);
    all.sort_by_key(|span| span["is_primary"] != true);
    all.extend(message["children"].as_array().unwrap_or(&empty).iter().flat_map(&spans));
    let mut parts = Vec::new();
    for span in all {
        let mut span = &span;
        while let (Some(file), Some(from), Some(to)) =
            (span["file_name"].as_str(), span["byte_start"].as_u64(), span["byte_end"].as_u64())
        {
            parts.push((file.to_string(), from as usize..to as usize));
            span = &span["expansion"]["span"];
        }
    }
    parts
}

/// Makes a file or folder the same as another, and touches only what differs, so that nothing is compiled without need.
fn same(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
        return put(to, &bytes);
    }
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    let names = |folder: &Path| -> Result<BTreeSet<_>> {
        let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        Ok(entries.flatten().map(|e| e.file_name()).filter(|name| name != "target").collect())
    };
    let wanted = names(from)?;
    for name in names(to)?.difference(&wanted) {
        let gone = to.join(name);
        let removed = if gone.is_dir() { fs::remove_dir_all(&gone) } else { fs::remove_file(&gone) };
        removed.with_context(|| format!("cannot remove {}", gone.display()))?;
    }
    wanted.iter().try_for_each(|name| same(&from.join(name), &to.join(name)))
}

/// Writes a file if it does not hold that already.
fn put(file: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(file).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}

/// The names of changes: without line and column, which move with every edit, but numbered where several in a file are
/// called alike.
fn names(all: &[Change]) -> Vec<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut name = |change: &Change| {
        let name = format!("{}: {}", change.file, what(change));
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        if *count == 1 { name } else { format!("{name} [{count}]") }
    };
    all.iter().map(&mut name).collect()
}

/// What a change does, without where.
fn what(change: &Change) -> &str {
    change.name.splitn(4, ':').nth(3).map_or(&change.name, str::trim_start)
}

/// A change with its line, for whoever wants to look; what follows the line and column is its name.
fn told(change: &Change, name: &str) -> String {
    let what = name.strip_prefix(&change.file).unwrap_or(name);
    format!("{}:{}:{}{what}", change.file, change.span.start.line, change.span.start.column)
}

/// The changes that nothing can tell from the rules, each with the reason.
fn excused(file: &Path) -> Result<BTreeMap<String, String>> {
    let Ok(text) = fs::read_to_string(file) else { return Ok(BTreeMap::new()) };
    let mut all = BTreeMap::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.is_empty() && !l.starts_with('#')) {
        let Some((name, why)) = line.split_once('\t').filter(|(_, why)| !why.trim().is_empty()) else {
            bail!("{}:{}: expected a change, a tab and a reason, found `{line}`", file.display(), i + 1);
        };
        all.insert(name.to_string(), why.to_string());
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::switches::{Extent, Genre, Place};
    use super::*;

    fn change(line: usize, what: &str) -> Change {
        let (file, start) = ("crates/g/src/flow.rs".to_string(), Place { line, column: 5 });
        let span = Extent { start, end: start };
        let name = format!("{file}:{line}:5: {what}");
        Change { name, file, span, replacement: "0".into(), genre: Genre::FnValue }
    }

    #[test]
    fn a_change_keeps_its_name_when_lines_move() {
        let limit = "replace Rules::limit -> u8 with 0";
        let all =
            [change(12, limit), change(99, "replace + with - in f"), change(100, "replace + with - in f")];
        let flow = "crates/g/src/flow.rs: ";
        let expected = [limit, "replace + with - in f", "replace + with - in f [2]"];
        assert_eq!(names(&all), expected.map(|what| format!("{flow}{what}")));
        assert_eq!(told(&all[2], &names(&all)[2]), "crates/g/src/flow.rs:100:5: replace + with - in f [2]");
    }

    #[test]
    fn a_sample_is_spread_evenly_and_leaves_out_what_has_no_switch() {
        let text =
            "const A: u8 = 1 + 1;\nfn f() { a + b }\nfn g() { a + b }\nfn h() { a + b }\nfn i() { a + b }";
        let plus = |line, column| {
            let (start, end) = (Place { line, column }, Place { line, column: column + 1 });
            let file = "f.rs".to_string();
            let name = format!("f.rs:{line}:{column}: replace + with -");
            Change {
                name,
                file,
                span: Extent { start, end },
                replacement: "-".into(),
                genre: Genre::BinaryOperator,
            }
        };
        let all = [plus(1, 17), plus(2, 12), plus(3, 12), plus(4, 12), plus(5, 12)];
        let sources = BTreeMap::from([("f.rs".to_string(), Source::read(text).expect("it parses"))]);
        assert_eq!(sampled(&all, &sources, 2), [1, 3]);
        assert_eq!(sampled(&all, &sources, 100), [1, 2, 3, 4]);
    }

    #[test]
    fn a_message_names_what_it_is_about_first() {
        let message: Value = serde_json::from_str(
            r#"{"spans": [
                {"file_name": "a.rs", "byte_start": 7, "byte_end": 9, "is_primary": false},
                {"file_name": "a.rs", "byte_start": 1, "byte_end": 3, "is_primary": true,
                 "expansion": {"span": {"file_name": "b.rs", "byte_start": 4, "byte_end": 5}}}],
               "children": [{"spans": [{"file_name": "c.rs", "byte_start": 0, "byte_end": 1}]}]}"#,
        )
        .expect("it is JSON");
        let parts = [("a.rs", 1..3), ("b.rs", 4..5), ("a.rs", 7..9), ("c.rs", 0..1)];
        assert_eq!(mentioned(&message), parts.map(|(file, part)| (file.to_string(), part)));
    }
}

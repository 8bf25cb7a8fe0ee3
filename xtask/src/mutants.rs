//! `cargo xtask mutants GAME`: are the rules held by their vignettes and tests?
//!
//! `cargo-mutants` changes one thing in the rules (a comparison, a result, an operator) and runs the game's
//! vignettes and quick tests: a change that nothing notices has survived. A sample is spread evenly over all
//! changes that could be made. What survives because nothing can tell it apart stands, with the reason, in the
//! game's `equivalent-mutants.tsv`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{installed, root, run};

/// So many of the changes must be noticed, in hundredths.
const WANTED: usize = 90;

/// Where the rules of a game are.
const RULES: [&str; 3] = ["src/flow.rs", "src/flow/**/*.rs", "src/position.rs"];

/// Tests that take seconds: the games by the thousand are for the long check.
const QUICK: [&str; 12] = [
    "--lib",
    "--test",
    "it",
    "--",
    "--skip",
    "conformance::",
    "--skip",
    "wording::",
    "--skip",
    "habits::",
    "--skip",
    "knowledge::",
];

pub(crate) fn mutants(game: &str, sample: u32) -> Result<()> {
    let folder = root().join("crates").join(game);
    if !folder.join("rules.toml").is_file() {
        bail!("`{game}` is no game's crate: give the name of a folder of crates that has a rules.toml");
    }
    let tool = installed("cargo-mutants", "cargo-mutants", "27.0.0")?;
    let mut words: Vec<String> = ["mutants", "--package", game].map(String::from).to_vec();
    for file in RULES {
        words.extend(["--file".into(), format!("crates/{game}/{file}")]);
    }
    let listed = Command::new(&tool).args(&words).arg("--list").current_dir(root()).output();
    let listed = listed.context("cannot list the mutants")?;
    let all = String::from_utf8_lossy(&listed.stdout).lines().count();
    if all == 0 {
        bail!(
            "there is nothing to change in the rules of {game}: {}",
            String::from_utf8_lossy(&listed.stderr)
        );
    }
    let shards = (all / sample.max(1) as usize).max(1);
    println!("{all} changes could be made; every {shards}th is tried");
    let out = root().join("target/mutants").join(game);
    fs::create_dir_all(&out).context("cannot make a folder for the results")?;
    let (shard, out_word) = (format!("0/{shards}"), out.to_string_lossy().into_owned());
    let more = [
        ["--shard", &shard],
        ["--sharding", "round-robin"],
        ["--profile", "mutants"],
        ["--minimum-test-timeout", "60"],
        ["--jobs", "2"],
        ["--output", &out_word],
    ];
    words.extend(more.concat().into_iter().map(String::from));
    words.push("--".into());
    words.extend(QUICK.map(String::from));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // Survivors make the tool fail; whether there are too many is decided here.
    let ended = run(&tool, &words, &[]);
    let results = out.join("mutants.out");
    if !results.join("caught.txt").is_file() {
        return ended.context("the mutants were not tried");
    }
    verdict(game, &folder, &results)
}

/// Prints what became of the changes, and fails if too many were not noticed.
fn verdict(game: &str, folder: &Path, results: &Path) -> Result<()> {
    let lines = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(results.join(name)).unwrap_or_default();
        text.lines().map(String::from).collect()
    };
    let excused = excused(&folder.join("equivalent-mutants.tsv"))?;
    let noticed = lines("caught.txt").len() + lines("timeout.txt").len();
    let (equal, missed): (Vec<_>, Vec<_>) =
        lines("missed.txt").into_iter().partition(|m| excused.contains_key(&nameless(m)));
    for mutant in &equal {
        println!("nothing can tell: {mutant} ({})", excused[&nameless(mutant)]);
    }
    for mutant in &missed {
        println!("survived: {mutant}");
    }
    let tried = noticed + missed.len();
    let share = noticed * 100 / tried.max(1);
    println!(
        "\n{game}: {noticed} of {tried} changes were noticed ({share} %); {} make no difference, {} do not compile",
        equal.len(),
        lines("unviable.txt").len()
    );
    if share < WANTED {
        bail!("{WANTED} % must be noticed: write vignettes for what survived, or say why nothing can tell");
    }
    Ok(())
}

/// A mutant without the numbers of its line and column, which move with every edit.
fn nameless(mutant: &str) -> String {
    let mut parts = mutant.splitn(4, ':');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(file), Some(_), Some(_), Some(what)) => format!("{file}:{what}"),
        _ => mutant.to_string(),
    }
}

/// The mutants that nothing can tell from the rules, each with the reason.
fn excused(file: &Path) -> Result<BTreeMap<String, String>> {
    let Ok(text) = fs::read_to_string(file) else { return Ok(BTreeMap::new()) };
    let mut all = BTreeMap::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.is_empty() && !l.starts_with('#')) {
        let Some((mutant, why)) = line.split_once('\t').filter(|(_, why)| !why.trim().is_empty()) else {
            bail!("{}:{}: expected a mutant, a tab and a reason, found `{line}`", file.display(), i + 1);
        };
        all.insert(nameless(mutant), why.to_string());
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::nameless;

    #[test]
    fn a_mutant_keeps_its_name_when_lines_move() {
        let name = "crates/g/src/flow.rs: replace Rules::limit -> u8 with 0";
        assert_eq!(nameless("crates/g/src/flow.rs:12:5: replace Rules::limit -> u8 with 0"), name);
        assert_eq!(nameless("crates/g/src/flow.rs:99:1: replace Rules::limit -> u8 with 0"), name);
    }
}

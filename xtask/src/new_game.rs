//! `cargo xtask new-game ID`: a running copy of Four Keeps under another name, to be made into another game.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::{cargo, root, run};

/// The game that is copied, as it is written in ids, in modules, in types and in sentences.
const OLD: [&str; 4] = ["four-keeps", "four_keeps", "FourKeeps", "Four Keeps"];

pub(crate) fn new_game(id: &str) -> Result<()> {
    copy(&root(), id)?;
    println!("crates/{id} is a copy of Four Keeps; CONTRIBUTING.md says how to go on");
    run(&cargo(), &["test", "-p", id], &[])
}

/// Copies the toy in a workspace, and enters the copy in its lists.
pub(crate) fn copy(root: &Path, id: &str) -> Result<()> {
    let words: Vec<_> = id.split('-').collect();
    let is_word =
        |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if !words.iter().all(is_word) || !id.starts_with(|c: char| c.is_ascii_lowercase()) {
        bail!("expected an id such as `kingdom-of-heaven`, found `{id}`");
    }
    let folder = root.join("crates").join(id);
    if folder.exists() {
        bail!("crates/{id} exists already: choose another id");
    }
    let capital = |word: &&str| word[..1].to_uppercase() + &word[1..];
    let capitals: Vec<_> = words.iter().map(capital).collect();
    let new = [id.to_string(), words.join("_"), capitals.concat(), capitals.join(" ")];
    let renamed =
        |text: &str| OLD.iter().zip(&new).fold(text.to_string(), |text, (old, new)| text.replace(old, new));
    copy_folder(&root.join("crates/four-keeps"), &folder, &renamed)?;
    let enter = |file: &str, line: &str| -> Result<()> {
        let path = root.join(file);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {file}"))?;
        let Some(found) = text.lines().find(|l| l.contains(line)) else {
            bail!("{file} does not list Four Keeps")
        };
        let text = text.replacen(found, &format!("{found}\n{}", renamed(found)), 1);
        fs::write(&path, text).with_context(|| format!("cannot write {file}"))
    };
    enter("Cargo.toml", "four-keeps = ")?;
    enter("crates/outremer/Cargo.toml", "four-keeps = ")?;
    enter("crates/outremer/src/games.rs", "four_keeps::ENTRY")
}

fn copy_folder(from: &Path, to: &Path, renamed: &dyn Fn(&str) -> String) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            copy_folder(&path, &to.join(name), renamed)?;
        } else {
            let text =
                fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            fs::write(to.join(name), renamed(&text))
                .with_context(|| format!("cannot write {}", to.display()))?;
        }
    }
    Ok(())
}

/// The long check: the copy builds, passes its tests and plays, and nothing is left of it afterwards.
pub(crate) fn try_copy() -> Result<()> {
    let folder = root().join("target/new-game");
    if folder.exists() {
        fs::remove_dir_all(&folder).context("cannot clear target/new-game")?;
    }
    fs::create_dir_all(folder.join("crates")).context("cannot make target/new-game")?;
    for name in ["Cargo.toml", "Cargo.lock", "clippy.toml", "rustfmt.toml", "rust-toolchain.toml"] {
        fs::copy(root().join(name), folder.join(name)).with_context(|| format!("cannot copy {name}"))?;
    }
    for part in ["crates", "xtask"] {
        let words = ["-a", part, &folder.to_string_lossy()];
        run("cp", &words, &[])?;
    }
    copy(&folder, "my-game")?;
    let manifest = folder.join("Cargo.toml");
    let manifest = manifest.to_string_lossy();
    let shared = root().join("target");
    let shared = [("CARGO_TARGET_DIR", &*shared.to_string_lossy().into_owned())];
    run(&cargo(), &["test", "--manifest-path", &manifest, "-p", "my-game"], &shared)?;
    let play =
        ["run", "--manifest-path", &manifest, "-p", "outremer", "--", "simulate", "my-game", "--games", "20"];
    run(&cargo(), &play, &shared)?;
    fs::remove_dir_all(&folder).context("cannot clear target/new-game")
}

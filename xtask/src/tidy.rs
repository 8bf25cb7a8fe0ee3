//! `cargo xtask tidy`: the heavier housekeeping. Dependencies and their known faults, spelling, links that lead
//! nowhere; and every kind of page in a browser, gone over by axe-core.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{browser, deny, installed, pictures, root, run};

pub(crate) fn tidy() -> Result<()> {
    let mut wrong = Vec::new();
    let parts = [("links", links()), ("spelling", spelling()), ("dependencies", deny()), ("pages", pages())];
    for (name, done) in parts {
        if let Err(error) = done {
            println!("\n{name}: {error:#}");
            wrong.push(name);
        }
    }
    if !wrong.is_empty() {
        bail!("not tidy: {}", wrong.join(", "));
    }
    println!("\nall is tidy");
    Ok(())
}

/// Words that no dictionary has, and that are right, stand in `typos.toml`.
fn spelling() -> Result<()> {
    let tool = installed("typos-cli", "typos", "1.52.0")?;
    run(&tool, &["--config", "typos.toml"], &[])
}

/// The version of axe-core.
const AXE: &str = "4.14.0";

/// Every kind of page at two sizes, by day and by night: axe-core finds nothing, nothing hangs over an edge, no letter
/// is too small. Pictures of them are left where `cargo xtask pictures` leaves them.
fn pages() -> Result<()> {
    browser()?;
    let axe = axe_core()?;
    pictures::pages(&pictures::folder(), Some(&axe))
}

/// The script of axe-core, from npm, in the target folder.
fn axe_core() -> Result<PathBuf> {
    let folder = root().join("target/tools/axe").join(AXE);
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if !script.exists() {
        let words = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"];
        let (folder, package) = (folder.to_string_lossy(), format!("axe-core@{AXE}"));
        fs::create_dir_all(&*folder)?;
        run("npm", &[&words[..], &[&*folder, &package]].concat(), &[])
            .context("axe-core comes from npm: install npm from the system's packages")?;
    }
    Ok(script)
}

/// Links of the documents to files and headings of the project. Addresses outside it are nobody's to promise.
fn links() -> Result<()> {
    let mut broken = Vec::new();
    for document in documents()? {
        let text = fs::read_to_string(root().join(&document))?;
        for (line, target) in targets(&text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let to = match file {
                "" => root().join(&document),
                file => root().join(&document).parent().map(|folder| folder.join(file)).unwrap_or_default(),
            };
            if !to.exists() {
                broken.push(format!("{}:{line}: there is no `{file}`", document.display()));
            } else if !anchor.is_empty() && !anchors(&fs::read_to_string(&to)?).contains(anchor) {
                broken.push(format!("{}:{line}: `{file}` has no heading `#{anchor}`", document.display()));
            }
        }
    }
    if !broken.is_empty() {
        bail!("{} links lead nowhere\n{}", broken.len(), broken.join("\n"));
    }
    Ok(())
}

/// The Markdown files that are kept.
fn documents() -> Result<Vec<PathBuf>> {
    let listed = Command::new("git").args(["ls-files", "*.md"]).current_dir(root()).output();
    let listed = listed.context("cannot ask git for the documents")?;
    Ok(String::from_utf8_lossy(&listed.stdout).lines().map(|line| Path::new(line).to_path_buf()).collect())
}

/// The targets of all links of a text, with their lines; what is code is no link.
fn targets(text: &str) -> Vec<(usize, String)> {
    let (mut found, mut code) = (Vec::new(), false);
    for (i, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            code = !code;
        }
        if code {
            continue;
        }
        // Every second piece between backticks is code.
        let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for rest in plain.split("](").skip(1) {
            if let Some((target, _)) = rest.split_once(')') {
                found.push((i + 1, target.split_whitespace().next().unwrap_or_default().to_string()));
            }
        }
    }
    found
}

/// The anchors of a text's headings, as they are made of them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| slug(line.trim_start_matches('#').trim())).collect()
}

fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_headings_are_found() {
        let text = "# The path of one action\n[a](b.md#c) and `[no](link)`, ![d](e.png \"f\")\n```\n[g](h)\n```\n[i](#j)";
        let found = targets(text);
        assert_eq!(found, [(2, "b.md#c".into()), (2, "e.png".into()), (6, "#j".into())]);
        assert!(anchors(text).contains("the-path-of-one-action"));
        assert_eq!(
            slug("`table`: what every game of Outremer shares"),
            "table-what-every-game-of-outremer-shares"
        );
    }
}

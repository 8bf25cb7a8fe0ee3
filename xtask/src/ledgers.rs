//! Ledgers name tests; here we see that those tests exist.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Every test that a `rules.toml` names is a test function somewhere in the workspace.
pub(crate) fn check(root: &Path) -> Result<()> {
    let (mut ledgers, mut sources) = (Vec::new(), String::new());
    gather(&root.join("crates"), &mut ledgers, &mut sources)?;
    let (mut named, mut missing) = (0, Vec::new());
    for (file, text) in &ledgers {
        for line in text.lines().filter_map(|l| l.strip_prefix("tests = ")) {
            for name in line.split('"').skip(1).step_by(2) {
                named += 1;
                let function = name.rsplit("::").next().unwrap_or(name);
                if !sources.contains(&format!("fn {function}()")) {
                    missing.push(format!("{file}: no test is called `{name}`"));
                }
            }
        }
    }
    if !missing.is_empty() {
        bail!("{}", missing.join("\n"));
    }
    println!("\n{} ledgers name {named} tests, all of which exist", ledgers.len());
    Ok(())
}

fn gather(folder: &Path, ledgers: &mut Vec<(String, String)>, sources: &mut String) -> Result<()> {
    let context = || format!("cannot read {}", folder.display());
    for entry in fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.is_dir() {
            gather(&path, ledgers, sources)?;
        } else if path.file_name().is_some_and(|n| n == "rules.toml") {
            ledgers.push((path.display().to_string(), fs::read_to_string(&path).with_context(context)?));
        } else if path.extension().is_some_and(|e| e == "rs") {
            sources.push_str(&fs::read_to_string(&path).with_context(context)?);
        }
    }
    Ok(())
}

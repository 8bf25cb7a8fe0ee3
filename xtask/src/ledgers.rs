//! Ledgers name tests; here we see that those tests exist, and name the rule that they show.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Every test that a `rules.toml` names is a test function somewhere in the workspace that names the rule.
pub(crate) fn check(root: &Path) -> Result<()> {
    let (mut ledgers, mut sources) = (Vec::new(), String::new());
    gather(&root.join("crates"), &mut ledgers, &mut sources)?;
    let (mut named, mut missing) = (0, Vec::new());
    for (file, text) in &ledgers {
        let mut rule = "";
        for line in text.lines() {
            if let Some(number) = line.strip_prefix("number = ") {
                rule = number.trim_matches('"');
            }
            let Some(names) = line.strip_prefix("tests = ") else { continue };
            for name in names.split('"').skip(1).step_by(2) {
                named += 1;
                match test_text(&sources, name.rsplit("::").next().unwrap_or(name)) {
                    None => missing.push(format!("{file}: no test is called `{name}`")),
                    Some(test) if !test.contains(&format!("[{rule}]")) => {
                        missing
                            .push(format!("{file}: the test `{name}` does not say that it shows [{rule}]"));
                    }
                    Some(_) => {}
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

/// A test with what stands before it, from the end of what comes before to its own end.
fn test_text<'a>(sources: &'a str, function: &str) -> Option<&'a str> {
    let at = sources.find(&format!("fn {function}()"))?;
    let start = sources[..at].rfind("\n}\n").map_or(0, |end| end + 3);
    let end = sources[at..].find("\n}\n").map_or(sources.len(), |end| at + end);
    Some(&sources[start..end])
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

//! `cargo xtask pictures`: every kind of board and page as PNG, by one command, to be looked at.
//!
//! Boards are drawn by `outremer draw` from kept records and vignettes; pages are photographed in Chromium by the
//! program that `cargo xtask tidy` goes over them with, at the size of a desk and of a phone, by day and by night.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{browser, cargo, root, run};

/// What is drawn: its name, the record or vignette below `crates`, after which entry of a record, for whom.
const BOARDS: [(&str, &str, Option<u32>, &str); 12] = [
    ("crusader-rex-map", "crusader-rex/tests/records/crusader-rex-1-0.txt", Some(71), "Saracen"),
    ("crusader-rex-field", "crusader-rex/tests/records/crusader-rex-1-0.txt", Some(60), "Frank"),
    ("crusader-rex-siege", "crusader-rex/tests/records/crusader-rex-1-0.txt", Some(130), "Frank"),
    ("crusader-rex-storm", "crusader-rex/tests/records/crusader-rex-1-0.txt", Some(441), "Frank"),
    ("first-crusade-map", "first-crusade/tests/records/first-crusade-1-0.txt", Some(0), ""),
    ("first-crusade-storm", "first-crusade/tests/records/first-crusade-1-0.txt", Some(4), ""),
    ("kingdom-of-heaven-march", "kingdom-of-heaven/vignettes/siege-ends-the-march.toml", None, ""),
    ("kingdom-of-heaven-siege", "kingdom-of-heaven/vignettes/siege-event.toml", None, ""),
    ("third-crusade-map", "third-crusade/vignettes/a-unit-makes-it-a-battle.toml", None, ""),
    ("third-crusade-battle", "third-crusade/vignettes/reactions-wait-for-a-battle.toml", None, ""),
    ("croisades-charge", "croisades/vignettes/skirmish/charge.toml", None, ""),
    ("croisades-breach", "croisades/vignettes/skirmish/breach.toml", None, ""),
];

/// Where pictures go if nobody says otherwise.
pub(crate) fn folder() -> PathBuf {
    root().join("target/pictures")
}

pub(crate) fn pictures(to: &Path) -> Result<()> {
    browser()?;
    std::fs::create_dir_all(to).with_context(|| format!("cannot make the folder {}", to.display()))?;
    run(&cargo(), &["build", "-p", "outremer"], &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let outremer = target.join("debug/outremer");
    for (name, file, entry, seat) in BOARDS {
        for dark in [false, true] {
            let picture = to.join(format!("board-{name}-{}.png", if dark { "night" } else { "day" }));
            let mut draw = Command::new(&outremer);
            draw.arg("draw").arg(root().join("crates").join(file)).arg("-o").arg(&picture);
            if let Some(entry) = entry {
                draw.args(["--to", &entry.to_string()]);
            }
            draw.args(if dark { &["--dark"][..] } else { &[] });
            if !seat.is_empty() {
                draw.args(["--seat", seat]);
            }
            done(draw.status(), "outremer draw")?;
            println!("{}", picture.display());
        }
    }
    pages(to, None)
}

/// The pictures that the lobby shows, small ones of a few pages, made anew where they are kept.
pub(crate) fn best() -> Result<()> {
    browser()?;
    let (to, shows) = (folder(), root().join("crates/server/static").to_string_lossy().into_owned());
    let words = ["test", "-p", "outremer", "--test", "pages", "--", &to.to_string_lossy()];
    run(&cargo(), &words, &[("BEST", &shows)])
}

/// Every kind of page, photographed; with a script of axe-core it is gone over, and whatever is found is an error.
pub(crate) fn pages(to: &Path, axe: Option<&Path>) -> Result<()> {
    let to = std::path::absolute(to)?;
    let mut words = vec!["test", "-p", "outremer", "--test", "pages", "--"];
    let (to, axe) = (to.to_string_lossy(), axe.map(Path::to_string_lossy));
    words.push(&to);
    words.extend(axe.as_deref());
    run(&cargo(), &words, &[])
}

fn done(status: std::io::Result<std::process::ExitStatus>, what: &str) -> Result<()> {
    match status.with_context(|| format!("cannot run {what}"))? {
        status if status.success() => Ok(()),
        status => bail!("{what} ended with {status}"),
    }
}

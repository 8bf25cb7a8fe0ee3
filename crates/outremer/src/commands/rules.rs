//! `outremer rules`: a rule in our own words, its rulings, and the vignettes that show it at work.

use std::process::ExitCode;

use anyhow::{Result, bail};
use table::{AnyGame, LedgerEntry, Title, Vignette};

use crate::args::Rules;
use crate::{games, terminal};

pub(super) fn run(args: &Rules) -> Result<ExitCode> {
    let game = games::open_named(&args.opened)?;
    match &args.rule {
        _ if args.check => return check(&*game),
        None => list(game.title()),
        Some(number) => show(&*game, number)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list(title: &Title) {
    let mut chapter = None;
    for entry in title.ledger.entries() {
        let own = title.ledger.chapter(&entry.number);
        if own != chapter {
            println!("\n{}", terminal::bold(own.unwrap_or("Rules")));
            chapter = own;
        }
        terminal::paragraph(&format!("{:<7}", entry.number), &format!("{}. {}", entry.title, entry.gist));
    }
}

fn show(game: &dyn AnyGame, number: &str) -> Result<()> {
    let title = game.title();
    let Some(entry) = title.ledger.find(number) else {
        let near: Vec<_> = title
            .ledger
            .entries()
            .iter()
            .map(|e| e.number.as_str())
            .filter(|n| n.starts_with(number))
            .collect();
        if near.is_empty() {
            bail!("{} has no rule {number}; `outremer rules {}` lists them", title.id, title.id);
        }
        bail!("{} has no rule {number}; it has: {}", title.id, near.join(", "));
    };
    print(title, entry);
    for (file, text) in &title.vignettes {
        let vignette = Vignette::read(file, text)?;
        if vignette.rules().any(|r| r == number) {
            let played = game.play_vignette(&vignette)?;
            println!("\n{} {}", terminal::bold("Shown:"), vignette.title);
            for (i, (deed, scene)) in played.frames.iter().enumerate() {
                println!("\n{} {}", if i == 0 { "-" } else { ">" }, terminal::sentence(deed));
                terminal::show(&scene.to_text(&title.seat_names()), 4);
            }
            for line in &played.journal {
                terminal::show(&terminal::sentence(line), 4);
            }
        }
    }
    Ok(())
}

fn print(title: &Title, entry: &LedgerEntry) {
    let chapter = title.ledger.chapter(&entry.number).map(|c| format!(" ({c})")).unwrap_or_default();
    println!("{}{chapter}", terminal::bold(&format!("{} {}", entry.number, entry.title)));
    terminal::paragraph("  ", &entry.gist);
    for ruling in &entry.rulings {
        terminal::paragraph("  ", &format!("Ruling: {ruling}"));
    }
    for test in &entry.tests {
        println!("  Shown by the test {test}.");
    }
}

fn check(game: &dyn AnyGame) -> Result<ExitCode> {
    let title = game.title();
    let gaps = table::conformance::broken_promises(game);
    for gap in &gaps {
        println!("missing  {gap}");
    }
    println!(
        "{}: {} rules in the book, {} entries in the ledger, {} vignettes, {} gaps",
        title.id,
        title.rule_numbers.len(),
        title.ledger.entries().len(),
        title.vignettes.len(),
        gaps.len()
    );
    Ok(super::verdict(gaps.is_empty()))
}

//! `outremer check`: the conformance suite over many games.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail};
use table::conformance::{Examination, Findings};

use crate::args::Check;
use crate::shares::shared;
use crate::{games, terminal};

pub(super) fn run(args: &Check) -> Result<ExitCode> {
    let game = games::open_named(&args.opened)?;
    if args.games == 0 || args.threads == 0 || args.every == 0 {
        bail!("expected at least one game, one thread and one step");
    }
    let bar = terminal::progress(args.games.into(), true);
    let done = AtomicU64::new(0);
    // A panic in a rule is a finding, reported with its record; it need not be told twice.
    std::panic::set_hook(Box::new(|_| {}));
    let all: Vec<Findings> = shared(args.games.into(), args.threads, |share| {
        let examination = Examination {
            games: (share.end - share.start) as u32,
            seed: args.seed.wrapping_add(share.start),
            every: args.every,
            actions: args.actions,
            wording: args.wording,
            ..Examination::default()
        };
        game.examine(&examination, &mut |_| bar.set_position(done.fetch_add(1, Ordering::Relaxed) + 1))
    });
    drop(std::panic::take_hook());
    bar.finish_and_clear();
    let mut sum = Findings::default();
    for findings in all {
        sum.games += findings.games;
        sum.actions += findings.actions;
        sum.longest = sum.longest.max(findings.longest);
        sum.twins = (sum.twins.0 + findings.twins.0, sum.twins.1 + findings.twins.1);
        for (rule, count) in findings.rules {
            *sum.rules.entry(rule).or_default() += count;
        }
        sum.failures.extend(findings.failures);
    }
    print(game.title(), &sum, args.every);
    Ok(super::verdict(sum.failures.is_empty()))
}

fn print(title: &table::Title, findings: &Findings, every: u32) {
    let sum = format!(
        "{}: {}, {}, the longest game {}; {}, {} of them unlike the truth",
        title.id,
        terminal::counted(findings.games.into(), "game"),
        terminal::counted(findings.actions, "action"),
        findings.longest,
        terminal::counted(findings.twins.0, "imagined twin"),
        terminal::thousands(findings.twins.1 as f64),
    );
    terminal::show(&sum, 0);
    let rules = title.ledger.entries().iter().filter(|e| !e.prose).count();
    let never = findings.never_met(&title.ledger);
    println!("{} of {rules} rules were at work", rules - never.len());
    for entry in never {
        match &entry.unreachable {
            Some(why) => println!("  never met: {} {}: {why}", entry.number, entry.title),
            None => println!("  never met: {} {}", entry.number, entry.title),
        }
    }
    for failure in &findings.failures {
        println!("\n{} {failure}", terminal::bold("FAILED"));
        println!("Again with: outremer check {} --games 1 --seed {} --every {every}", title.id, failure.seed);
        println!("{}", failure.record);
    }
}

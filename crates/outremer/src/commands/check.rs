//! `outremer check`: the conformance suite over many games.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail};
use table::conformance::{Examination, Findings};

use crate::args::Check;
use crate::{games, terminal};

pub(super) fn run(args: &Check) -> Result<ExitCode> {
    let game = games::open_named(&args.opened)?;
    if args.games == 0 || args.threads == 0 || args.every == 0 {
        bail!("expected at least one game, one thread and one step");
    }
    let bar = terminal::progress(args.games.into(), true);
    let done = AtomicU64::new(0);
    let threads = u32::from(args.threads).min(args.games);
    let share = |thread: u32| {
        let first = (u64::from(args.games) * u64::from(thread) / u64::from(threads)) as u32;
        let next = (u64::from(args.games) * u64::from(thread + 1) / u64::from(threads)) as u32;
        let examination = Examination {
            games: next - first,
            seed: args.seed.wrapping_add(first.into()),
            every: args.every,
            ..Examination::default()
        };
        game.examine(&examination, &mut |_| bar.set_position(done.fetch_add(1, Ordering::Relaxed) + 1))
    };
    let share = &share;
    // A panic in a rule is a finding, reported with its record; it need not be told twice.
    std::panic::set_hook(Box::new(|_| {}));
    let all: Vec<Findings> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(move || share(thread))).collect();
        workers
            .into_iter()
            .map(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
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
    print(game.title(), &sum);
    Ok(super::verdict(sum.failures.is_empty()))
}

fn print(title: &table::Title, findings: &Findings) {
    println!(
        "{}: {} games, {} actions, the longest game {}; {} imagined twins, {} of them unlike the truth",
        title.id, findings.games, findings.actions, findings.longest, findings.twins.0, findings.twins.1,
    );
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
        println!("again with: outremer check {} --games 1 --seed {}", title.id, failure.seed);
        println!("{}", failure.record);
    }
}

//! `outremer arena`: bots against each other, and what it proves.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use bots::Limits;
use bots::arena::{self, Draw, Estimate, Plan, Results, Sprt, Summary, Verdict};

use crate::args::{Arena, Data};
use crate::{games, terminal};

/// What a ladder asks of each rung.
const RUNG: Sprt = Sprt { elo0: 0.0, elo1: 60.0 };
/// Who stands on it.
const RUNGS: [&str; 4] = ["squire", "knight", "captain", "marshal"];

pub(super) fn run(args: &Arena) -> Result<ExitCode> {
    let results = if args.merge.is_empty() { play(args)? } else { merge(args)? };
    let Some(summary) = results.summary() else { bail!("nothing was played") };
    print(&results, &summary);
    let write = |path: &Path, text: String| {
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    if let Some(path) = &args.results {
        write(path, serde_json::to_string(&results)? + "\n")?;
    }
    if let Some(path) = &args.json {
        write(path, format!("{:#}\n", results.json()))?;
    }
    if let Some(path) = &args.csv {
        write(path, results.csv())?;
    }
    if let Some(path) = &args.chart {
        write(path, results.chart().map_err(|e| anyhow!("cannot draw the chart: {e}"))?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Results that were played elsewhere, in shares.
fn merge(args: &Arena) -> Result<Results> {
    let read = |path: &PathBuf| -> Result<Results> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text)
            .with_context(|| format!("{}: expected what `--results` writes", path.display()))
    };
    let parts = args.merge.iter().map(read).collect::<Result<Vec<_>>>()?;
    let id = games::open_named(&args.opened)?.title().id.to_string();
    if let Some((file, part)) = args.merge.iter().zip(&parts).find(|(_, part)| part.game != id) {
        bail!("{}: expected results of {id}, found {}", file.display(), part.game);
    }
    let (results, missing) = Results::merged(parts)?;
    if !missing.is_empty() {
        let missing: Vec<_> = missing.iter().map(ToString::to_string).collect();
        println!("Not there: share {}\n", missing.join(", "));
    }
    Ok(results)
}

fn play(args: &Arena) -> Result<Results> {
    let game = games::open_named(&args.opened)?;
    let setup = games::set_up(game.title(), &args.set_up)?;
    if args.games == 0 || args.threads == 0 {
        bail!("expected at least one game and one thread");
    }
    let named = !args.players.is_empty();
    let plan = Plan {
        players: if named { args.players.clone() } else { RUNGS.map(String::from).to_vec() },
        draw: if args.ladder { Draw::Ladder } else { Draw::All },
        share: args.share.unwrap_or_default(),
        pairs: args.games.div_ceil(2),
        seed: args.seed,
        threads: args.threads,
        limits: Limits {
            iterations: args.iterations,
            time: args.seconds.map(Duration::from_secs_f64),
            threads: 1,
            outside: Duration::from_secs_f64(args.patience),
        },
        sprt: args.sprt.or(args.ladder.then_some(RUNG)),
    };
    // Who brings a folder plays by its weights and habits: `captain:400@DIR`.
    let own = |name: &String| -> Result<Option<_>> {
        let Some((_, dir)) = name.split_once('@') else { return Ok(None) };
        Ok(Some(games::open(&args.opened.game, &Data { dir: Some(dir.into()) })?))
    };
    let brought = plan.players.iter().map(own).collect::<Result<Vec<_>>>()?;
    let minds: Vec<_> = brought.iter().map(|own| own.as_deref().unwrap_or(&*game)).collect();
    let bar = terminal::progress(plan.games(), true);
    let results = arena::run_with(&minds, &setup, &plan, &|done| bar.set_position(done))?;
    bar.finish_and_clear();
    Ok(results)
}

/// Reads `ELO0,ELO1`.
pub(crate) fn read_sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some([elo0, elo1]) if elo0 < elo1 => Ok(Sprt { elo0: *elo0, elo1: *elo1 }),
        _ => Err("expected two Elo differences, the smaller first, such as 0,50".into()),
    }
}

/// Reads a number of seconds above 0.
pub(crate) fn read_seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("expected a number of seconds above 0".into()),
    }
}

fn print(results: &Results, summary: &Summary) {
    let name = |player: usize| results.plan.players[player].as_str();
    let games = results.pairs.len() * 2;
    let alone = summary.meetings.iter().any(|m| m.difference.is_some());
    let share = if results.plan.share == arena::Share::WHOLE {
        String::new()
    } else {
        format!(", share {}", results.plan.share)
    };
    println!(
        "{}, {}: {games} games in pairs {}, seed {}{share}\n",
        results.game,
        results.scenario,
        if alone { "of the same dice" } else { "with the sides swapped" },
        results.plan.seed
    );
    let widest = results.plan.players.iter().map(|p| p.chars().count()).max().unwrap_or(0).max(6);
    println!("| {:<widest$} |  Elo, 95 % interval        | score  | games | ms/move | longest |", "player");
    println!(
        "|{:-<w$}|----------------------------|-------:|------:|--------:|--------:|",
        "",
        w = widest + 2
    );
    for standing in &summary.standings {
        let (_, mean, longest) = summary.thinking[standing.player];
        println!(
            "| {:<widest$} | {:<26} | {:>4.1} % | {:>5} | {:>7.2} | {:>7.1} |",
            name(standing.player),
            elo(&standing.elo),
            standing.score * 100.0,
            standing.games,
            mean.as_secs_f64() * 1e3,
            longest.as_secs_f64() * 1e3,
        );
    }
    println!();
    for meeting in &summary.meetings {
        let [a, b] = meeting.players.map(name);
        let [won, drawn, lost] = meeting.games;
        print!("{a} against {b}: {won} won, {drawn} drawn, {lost} lost; Elo {}", elo(&meeting.elo.elo));
        match &meeting.difference {
            Some(more) => println!("; {:+.2} points ({:+.2} to {:+.2})", more.value, more.low, more.high),
            None => println!(),
        }
    }
    let side = &summary.first_side.score;
    print!("{} {:.1} % ", results.sides[0], side.value * 100.0);
    if !alone {
        print!("against {} ", results.sides[1]);
    }
    println!(
        "({:.1} to {:.1}); {:.1} actions a game, at most {}",
        side.low * 100.0,
        side.high * 100.0,
        summary.actions.0,
        summary.actions.1,
    );
    for (meeting, (odds, verdict)) in summary.meetings.iter().zip(&summary.sprt) {
        let Some(sprt) = results.plan.sprt else { break };
        let [a, b] = meeting.players.map(name);
        let says = match verdict {
            Verdict::Open => "still open".to_string(),
            Verdict::Proved => format!("{a} is stronger by {:.0} Elo", sprt.elo1),
            Verdict::Refuted => format!("{a} is not stronger by more than {:.0} Elo", sprt.elo0),
        };
        println!(
            "Sequential test of {a} over {b}, {:.0} against {:.0} Elo: {says} (log odds {odds:.2})",
            sprt.elo0, sprt.elo1
        );
    }
    for fault in &summary.faults {
        println!("{fault}");
    }
}

fn elo(estimate: &Estimate) -> String {
    let number = |n: f64| match n {
        f64::INFINITY => "+∞".to_string(),
        f64::NEG_INFINITY => "−∞".to_string(),
        n => format!("{n:+.0}").replace('-', "−"),
    };
    format!("{} ({} to {})", number(estimate.value), number(estimate.low), number(estimate.high))
}

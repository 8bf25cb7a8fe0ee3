//! `outremer simulate`: many games by bots, counted. Random and greedy ones play without a table, fast; those
//! that search sit at tables, and their journals are counted too; so does everybody whose records are kept.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use table::{AnyGame, AnyMatch, Nonces, Pick, Plan, Seed, Setup, Stuck, Tally, Viewer};

use crate::args::Simulate;
use crate::shares::shared;
use crate::{games, terminal};

pub(super) fn run(args: &Simulate) -> Result<()> {
    let game = games::open_named(&args.opened)?;
    let setup = games::set_up(game.title(), &args.set_up)?;
    if args.bots.len() > setup.seats() {
        bail!("{} bots are named for {} seats", args.bots.len(), setup.seats());
    }
    if args.games == 0 || args.threads == 0 {
        bail!("expected at least one game and one thread");
    }
    let picks: Result<Vec<Pick>> = args.bots.iter().map(|b| games::bot(b)).collect();
    let start = Instant::now();
    let (tally, chronicle) = match picks {
        Ok(mut picks) if args.records.is_none() => {
            if let Some(last) = picks.last().copied() {
                // Bots are named in the order of the seats that are played.
                let mut by_seat = vec![last; table::MOST_SEATS];
                for (seat, pick) in setup.party().iter().zip(&picks) {
                    by_seat[seat.index()] = *pick;
                }
                picks = by_seat;
            }
            (in_parallel(&*game, &setup, &picks, args)?, None)
        }
        _ => {
            let (tally, chronicle) = at_tables(&*game, &setup, args)?;
            (tally, Some(chronicle))
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let report = Report { args, setup: &setup, tally: &tally, seconds, game: game.title().id };
    if args.json {
        println!("{}", report.json());
    } else {
        report.print();
        if let Some(chronicle) = chronicle {
            chronicle.print();
        }
    }
    Ok(())
}

/// What the journals of many games say: points, and how often each rule was told of in games won and lost.
#[derive(Default)]
struct Chronicle {
    scores: Vec<i32>,
    games: [u64; 2],
    lines: BTreeMap<&'static str, [u64; 2]>,
}

impl Chronicle {
    fn note(&mut self, sitting: &dyn AnyMatch) {
        let Some(outcome) = sitting.outcome() else { return };
        let won = usize::from(!outcome.winners.is_empty());
        self.games[won] += 1;
        self.scores.push(outcome.scores.iter().sum());
        for line in sitting.journal(Viewer::Observer) {
            if let Some(rule) = line.rule {
                self.lines.entry(rule.number()).or_default()[won] += 1;
            }
        }
    }

    fn add(&mut self, other: Self) {
        self.scores.extend(other.scores);
        for (own, more) in self.games.iter_mut().zip(other.games) {
            *own += more;
        }
        for (rule, lines) in other.lines {
            let own = self.lines.entry(rule).or_default();
            own[0] += lines[0];
            own[1] += lines[1];
        }
    }

    /// Points, and the rules that tell games in which somebody won from those in which nobody did.
    fn print(mut self) {
        if self.scores.iter().any(|score| *score != 0) {
            self.scores.sort_unstable();
            let at = |percent: usize| self.scores[(self.scores.len() - 1) * percent / 100];
            println!("Points: {} to {}, half of the games {} or more", at(0), at(100), at(50));
        }
        let [lost, won] = self.games.map(|n| n as f64);
        if lost == 0.0 || won == 0.0 {
            return;
        }
        let mut rows: Vec<_> = self
            .lines
            .iter()
            .map(|(rule, [in_lost, in_won])| (*rule, *in_lost as f64 / lost, *in_won as f64 / won))
            .collect();
        rows.sort_by(|a, b| {
            let weight = |r: &(&str, f64, f64)| (r.1 - r.2).abs() / (r.1 + r.2 + 0.5).sqrt();
            weight(b).total_cmp(&weight(a))
        });
        println!("Told of in the journal, times a game: lost, won");
        for (rule, in_lost, in_won) in rows.iter().take(12) {
            println!("{in_lost:>7.2} {in_won:>7.2}  [{rule}]");
        }
    }
}

/// Plays the games at tables, with players of any level.
fn at_tables(game: &dyn AnyGame, setup: &Setup, args: &Simulate) -> Result<(Tally, Chronicle)> {
    if let Some(folder) = &args.records {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let bar = terminal::progress(args.games, !args.json);
    let share = |numbers: Range<u64>| -> Result<(Tally, Chronicle)> {
        let (mut tally, mut chronicle) = (Tally::default(), Chronicle::default());
        for number in numbers {
            let seed = args.seed.wrapping_mul(0x9e37_79b9).wrapping_add(number);
            let mut sitting = game.open(setup.clone(), Seed::numbered(seed), Nonces::default())?;
            let mut players = BTreeMap::new();
            for (i, seat) in setup.party().iter().enumerate() {
                let name = args.bots.get(i).or(args.bots.last()).map_or("random", String::as_str);
                let lots = seed ^ seat.index() as u64;
                players.insert(seat, bots::seat_player(name, lots, bots::Limits::default())?);
            }
            let mut actions = 0;
            while let Some(turn) = sitting.waiting_for().lowest().and_then(|s| bots::Turn::new(&*sitting, s))
            {
                let seat = turn.seat();
                tally.decisions += u64::from(turn.thought().choices().len() > 1);
                let Some(player) = players.get_mut(&seat) else {
                    bail!("nobody plays seat {}", seat.index())
                };
                let answer = player.decide(&turn)?;
                sitting.act(seat, None, &[answer.as_str()])?;
                actions += 1;
                if actions > u64::from(game.title().longest) {
                    bail!("game {number} goes on after {actions} actions");
                }
            }
            let Some(outcome) = sitting.outcome() else { bail!("game {number} stopped without a result") };
            tally.games += 1;
            tally.actions += actions;
            tally.longest = tally.longest.max(actions);
            *tally.outcomes.entry(outcome.headline).or_default() += 1;
            chronicle.note(&*sitting);
            if let Some(folder) = &args.records {
                let name = format!("{}-{}-{number}.txt", game.title().id, args.seed);
                games::write_record(&folder.join(name), &*sitting)?;
            }
            bar.inc(1);
        }
        Ok((tally, chronicle))
    };
    let results = shared(args.games, args.threads, share);
    bar.finish_and_clear();
    let (mut tally, mut chronicle) = (Tally::default(), Chronicle::default());
    for result in results {
        let (more, lines) = result?;
        tally.add(&more);
        chronicle.add(lines);
    }
    Ok((tally, chronicle))
}

/// Plays the games without a table, by those who choose fast.
fn in_parallel(game: &dyn AnyGame, setup: &Setup, picks: &[Pick], args: &Simulate) -> Result<Tally, Stuck> {
    let bar = terminal::progress(args.games, !args.json);
    let done = AtomicU64::new(0);
    let share = |numbers: Range<u64>| {
        let plan = Plan {
            setup: setup.clone(),
            games: numbers.end - numbers.start,
            seed: args.seed,
            first: numbers.start,
            picks: picks.to_vec(),
        };
        game.simulate(&plan, &mut |tally| {
            if tally.games % 64 == 0 {
                bar.set_position(done.fetch_add(64, Ordering::Relaxed) + 64);
            }
        })
    };
    let results = shared(args.games, args.threads, share);
    bar.finish_and_clear();
    let mut sum = Tally::default();
    for result in results {
        sum.add(&result?);
    }
    Ok(sum)
}

struct Report<'a> {
    args: &'a Simulate,
    setup: &'a Setup,
    tally: &'a Tally,
    seconds: f64,
    game: &'a str,
}

impl Report<'_> {
    fn json(&self) -> serde_json::Value {
        let tally = self.tally;
        serde_json::json!({
            "game": self.game,
            "scenario": self.setup.scenario(),
            "options": self.setup.options(),
            "seats": self.setup.seats(),
            "bots": self.args.bots,
            "seed": self.args.seed,
            "threads": self.args.threads,
            "games": tally.games,
            "actions": tally.actions,
            "decisions": tally.decisions,
            "seconds": self.seconds,
            "actions_per_second": tally.actions as f64 / self.seconds,
            "games_per_second": tally.games as f64 / self.seconds,
            "mean_actions": tally.actions as f64 / tally.games as f64,
            "longest": tally.longest,
            "outcomes": tally.outcomes,
        })
    }

    fn print(&self) {
        let tally = self.tally;
        println!("{}, {}: {}", self.game, self.setup.scenario(), terminal::counted(tally.games, "game"));
        println!(
            "{} ({:.1} a game, at most {}), {:.0} % of them chosen among several",
            terminal::counted(tally.actions, "action"),
            tally.actions as f64 / tally.games as f64,
            tally.longest,
            100.0 * tally.decisions as f64 / tally.actions.max(1) as f64,
        );
        for (result, count) in &tally.outcomes {
            println!("{:>7.2} %  {}", 100.0 * *count as f64 / tally.games as f64, terminal::sentence(result));
        }
        println!(
            "{:.2} s, {} actions a second, {} games a second",
            self.seconds,
            terminal::thousands(tally.actions as f64 / self.seconds),
            terminal::thousands(tally.games as f64 / self.seconds),
        );
    }
}

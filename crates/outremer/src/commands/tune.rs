//! `outremer tune`: the weights of a game's appraisal and the figures of its habits, from games that bots play.
//!
//! What is printed is what belongs into the game's data file, the command by which it was found above it.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail};
use bots::tune::{Climbed, Comparison, Schooling, Trial, climb, note_games};
use table::{DataError, Moments, Setup, Tuned, Tuning, habits};

use crate::args::Tune;
use crate::shares::shared;
use crate::{games, terminal};

/// Who plays where nobody is named and habits are compared.
const COMPARED: &str = "captain:100";

pub(super) fn run(args: &Tune) -> Result<()> {
    let games = args.games.unwrap_or(if args.habits || !args.players.is_empty() { 200 } else { 2000 });
    if games == 0 || args.threads == 0 || args.every == 0 {
        bail!("expected at least one game, one thread and one moment");
    }
    let game = games::open_named(&args.opened)?;
    let setup = games::set_up(game.title(), &args.set_up)?;
    println!("# outremer tune {}", std::env::args().skip(2).collect::<Vec<_>>().join(" "));
    if args.habits { run_habits(args, games, &setup) } else { run_weights(args, games, &setup) }
}

fn run_weights(args: &Tune, games: u64, setup: &Setup) -> Result<()> {
    let game = games::open_named(&args.opened)?;
    let bar = terminal::progress(games, true);
    let done = AtomicU64::new(0);
    let shares = shared(games, args.threads, |share| -> Result<Moments> {
        let mut progress = |_| bar.set_position(done.fetch_add(1, Ordering::Relaxed) + 1);
        if args.players.is_empty() {
            let tuning = Tuning {
                setup: setup.clone(),
                games: share.end - share.start,
                seed: args.seed,
                first: share.start,
            };
            return Ok(game.note_moments(&tuning, &mut progress)?);
        }
        let schooling = Schooling {
            setup: setup.clone(),
            players: args.players.clone(),
            every: args.every,
            seed: args.seed,
        };
        Ok(note_games(&*game, &schooling, share, &mut progress)?)
    });
    bar.finish_and_clear();
    let mut moments = Moments::default();
    for share in shares {
        moments.add(share?);
    }
    let Some(tuned) = moments.tuned() else {
        bail!("the appraisal of {} has no weights that could be tuned", game.title().name);
    };
    print(args.table.as_deref().unwrap_or(setup.scenario()), &tuned);
    Ok(())
}

/// The weights as the game's sheet has them; what is said about them, as comments.
fn print(table: &str, tuned: &Tuned) {
    println!("# {} games, {} moments", tuned.games, tuned.moments);
    println!(
        "# surprise at the results: {:.4} before, {:.4} with these weights",
        tuned.surprise.0, tuned.surprise.1
    );
    println!("[{table}]");
    for (sign, weight) in &tuned.weights {
        println!("{sign} = {weight:.3}");
    }
}

fn run_habits(args: &Tune, games: u64, setup: &Setup) -> Result<()> {
    let player = match &args.players[..] {
        [] => COMPARED.to_string(),
        [one] => one.clone(),
        more => bail!("habits are compared with one player on both sides, found {}", more.join(", ")),
    };
    let (entry, files) = games::find(&args.opened.game, &args.opened.data)?;
    let open = |figures: &[(habits::Figure, f32)]| -> Result<_, DataError> {
        let mut files = files.clone();
        if !figures.is_empty() {
            files.replace(habits::FILE, habits::write(figures))?;
        }
        (entry.open)(&files)
    };
    let game = open(&[])?;
    if game.figures().is_empty() {
        bail!("the habits of {} have no figures that could be tuned", game.title().name);
    }
    let comparison = Comparison {
        setup: setup.clone(),
        player,
        pairs: u32::try_from(games.div_ceil(2))?,
        seed: args.seed,
        threads: args.threads,
        rounds: args.rounds,
    };
    let climbed = climb(&open, &comparison, &mut |trial| println!("# {}", tried(trial)))?;
    print_figures(&climbed);
    Ok(())
}

fn tried(trial: &Trial) -> String {
    let Trial { figure, from, to, gain, kept } = trial;
    let kept = if *kept { ", kept" } else { "" };
    format!("{figure} {from} to {to}: {:+.2} ({:+.2} to {:+.2}){kept}", gain.value, gain.low, gain.high)
}

/// The figures as the game's sheet has them.
fn print_figures(climbed: &Climbed) {
    let Climbed { figures, settled, trials } = climbed;
    let kept = trials.iter().filter(|trial| trial.kept).count();
    println!("# {} comparisons, {kept} kept; a whole round kept nothing: {settled}", trials.len());
    print!("{}", habits::write(figures));
}

//! `outremer tune`: the weights of a game's appraisal, from games that it plays by itself.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail};
use table::{Moments, Tuned, Tuning};

use crate::args::Tune;
use crate::shares::shared;
use crate::{games, terminal};

pub(super) fn run(args: &Tune) -> Result<()> {
    let game = games::open_named(&args.opened)?;
    let setup = games::set_up(game.title(), &args.set_up)?;
    if args.games == 0 || args.threads == 0 {
        bail!("expected at least one game and one thread");
    }
    let bar = terminal::progress(args.games, true);
    let done = AtomicU64::new(0);
    let shares = shared(args.games, args.threads, |share| {
        let tuning = Tuning {
            setup: setup.clone(),
            games: share.end - share.start,
            seed: args.seed,
            first: share.start,
        };
        game.note_moments(&tuning, &mut |_| bar.set_position(done.fetch_add(1, Ordering::Relaxed) + 1))
    });
    bar.finish_and_clear();
    let mut moments = Moments::default();
    for share in shares {
        moments.add(share?);
    }
    let Some(tuned) = moments.tuned() else {
        bail!("the appraisal of {} has no weights that could be tuned", game.title().name);
    };
    print(setup.scenario(), &tuned);
    Ok(())
}

/// The weights as the game's sheet has them; what is said about them, as comments.
fn print(scenario: &str, tuned: &Tuned) {
    println!("# {} games, {} moments", tuned.games, tuned.moments);
    println!(
        "# surprise at the results: {:.4} before, {:.4} with these weights",
        tuned.surprise.0, tuned.surprise.1
    );
    println!("[{scenario}]");
    for (sign, weight) in &tuned.weights {
        println!("{sign} = {weight:.3}");
    }
}

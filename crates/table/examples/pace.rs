//! How fast random play is, in one line a game. `outremer bench` does it properly.
#![allow(clippy::disallowed_types, clippy::unwrap_used)]
use table::{DataFiles, Plan, small};
fn main() {
    for entry in small::ALL {
        let game = (entry.open)(&DataFiles::built_in(entry.files)).unwrap();
        let plan =
            Plan { setup: game.title().usual_set_up(), games: 200_000, seed: 1, first: 0, picks: vec![] };
        let start = std::time::Instant::now();
        let tally = game.simulate(&plan, &mut |_| {}).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{} {:.1} M/s, {} games, {:?}",
            entry.id,
            tally.actions as f64 / seconds / 1e6,
            tally.games,
            tally.outcomes
        );
    }
}

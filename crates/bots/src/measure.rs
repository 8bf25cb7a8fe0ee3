//! How fast a search is: iterations a second on one core.

use std::time::Duration;

use cpu_time::ThreadTime;
use table::{AnyGame, Lots, Nonces, Pick, Seed, SetupError};

use crate::search::{Budget, Search, Settings};

/// What was measured.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Speed {
    /// Iterations in all.
    pub iterations: u64,
    /// How much processor time they took.
    pub time: Duration,
    /// Decisions that were thought about.
    pub decisions: u64,
    /// Their choices together.
    pub choices: u64,
}

impl Speed {
    /// Iterations a second.
    pub fn per_second(&self) -> f64 {
        self.iterations as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Thinks about decisions all over greedy games, each with a new tree and this budget of iterations, for
/// about so long.
pub fn speed(game: &dyn AnyGame, iterations: u32, time: Duration) -> Result<Speed, SetupError> {
    let mut speed = Speed::default();
    for number in 1.. {
        let setup = game.title().usual_set_up();
        let mut sitting = game.open(setup, Seed::numbered(number), Nonces::default())?;
        let mut lots = Lots::new(number);
        let mut actions = 0u64;
        while let Some(seat) = sitting.waiting_for().lowest() {
            actions += 1;
            // Decisions of every kind come up, and games go on quickly.
            if actions % 5 == number % 5
                && let Some(thought) = sitting.thought(seat).filter(|t| t.choices().len() > 1)
            {
                let start = ThreadTime::now();
                let advice =
                    Search::new(Settings::default()).think(&*thought, Budget::Iterations(iterations), number);
                speed.time += start.elapsed();
                speed.iterations += u64::from(advice.iterations);
                speed.decisions += 1;
                speed.choices += thought.choices().len() as u64;
            }
            if speed.time >= time {
                return Ok(speed);
            }
            // One choice in eight by lot, so that no two games are the same.
            let pick = if lots.below(8) == 0 { Pick::Random } else { Pick::Greedy };
            if sitting.pick(seat, pick, &mut lots).is_err() {
                break;
            }
        }
    }
    Ok(speed)
}

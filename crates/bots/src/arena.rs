//! The arena: paired games between players, and what they prove.
//!
//! Players meet in pairs of games: the same seed, hence the same dice as far as the same things happen, and
//! the sides swapped. A pair is one observation, so that an easier side favours nobody. Every game follows
//! from the seed and its number: threads change nothing but the time it takes, as long as budgets are in
//! iterations.

mod chart;
mod elo;
mod report;
mod sitting;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use table::{AnyGame, Setup, SetupError};

use crate::level::{Limits, UnknownPlayer, seat_player};

pub use elo::{Elo, Estimate, Sprt, Standing, Verdict, elo_of, score_of};
pub use report::{Meeting, Summary};
pub use sitting::{Ended, Played};

/// What is to be played.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The players' names; everybody meets everybody.
    pub players: Vec<String>,
    /// How many pairs of games each two of them play.
    pub pairs: u32,
    /// The number from which everything follows.
    pub seed: u64,
    /// How many games are played at the same time.
    pub threads: u16,
    /// How long players may think.
    pub limits: Limits,
    /// With two players: stop when this question is answered.
    pub sprt: Option<Sprt>,
}

/// Why nothing could be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArenaError {
    /// A name that nobody has.
    #[error(transparent)]
    Player(#[from] UnknownPlayer),
    /// The set-up does not work.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Too few players.
    #[error("an arena needs at least two players, found {0}")]
    TooFew(usize),
    /// A sequential test with more than two players.
    #[error("a sequential test asks about two players, found {0}")]
    TooMany(usize),
    /// A game with one side.
    #[error("{0} has one side only: nobody can play against anybody")]
    OneSide(String),
}

/// Two games with the sides swapped.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// The two players, by their numbers in the plan; the first has the first side in the first game.
    pub players: [usize; 2],
    /// The number of the pair among those of these two.
    pub number: u32,
    /// The games. In the second, the second player has the first side.
    pub games: [Played; 2],
}

impl Pair {
    /// Points of the first player: 0 to 2 for two games.
    pub fn points(&self) -> f64 {
        self.games[0].first_side() + 1.0 - self.games[1].first_side()
    }
}

/// What was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// The plan.
    pub plan: Plan,
    /// The game's id.
    pub game: String,
    /// The scenario.
    pub scenario: String,
    /// The names of the two sides.
    pub sides: [String; 2],
    /// The pairs, in their order.
    pub pairs: Vec<Pair>,
}

/// The pairs of players who meet, in their order.
fn meetings(players: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..players).flat_map(move |a| (a + 1..players).map(move |b| [a, b]))
}

/// Plays. `progress` is told how many games have been played.
pub fn run(
    game: &dyn AnyGame,
    setup: &Setup,
    plan: &Plan,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Results, ArenaError> {
    if plan.players.len() < 2 {
        return Err(ArenaError::TooFew(plan.players.len()));
    }
    if plan.sprt.is_some() && plan.players.len() > 2 {
        return Err(ArenaError::TooMany(plan.players.len()));
    }
    for name in &plan.players {
        seat_player(name, 0, plan.limits.clone())?;
    }
    let sides = sitting::sides(game.title(), setup.party());
    if sides.len() < 2 {
        return Err(ArenaError::OneSide(game.title().name.clone()));
    }
    // A set-up that does not work is found before anybody is seated.
    game.open(setup.clone(), table::Seed::numbered(plan.seed), table::Nonces::default())?;
    let jobs: Vec<([usize; 2], u32)> =
        (0..plan.pairs).flat_map(|n| meetings(plan.players.len()).map(move |m| (m, n))).collect();
    let pairs = play_all(game, setup, plan, &jobs, progress);
    let side_name = |i: usize| sitting::side_name(game.title(), &sides, i);
    Ok(Results {
        plan: plan.clone(),
        game: game.title().id.to_string(),
        scenario: setup.scenario().to_string(),
        sides: [side_name(0), side_name(1)],
        pairs,
    })
}

/// Shares the pairs among threads. A sequential test looks at them in their order, so that it stops at the
/// same pair whoever was faster.
fn play_all(
    game: &dyn AnyGame,
    setup: &Setup,
    plan: &Plan,
    jobs: &[([usize; 2], u32)],
    progress: &(dyn Fn(u64) + Sync),
) -> Vec<Pair> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let done: Mutex<Vec<Option<Pair>>> = Mutex::new(vec![None; jobs.len()]);
    let count = AtomicUsize::new(0);
    let enough = |done: &[Option<Pair>]| {
        let points: Vec<f64> = done.iter().map_while(|p| p.as_ref().map(Pair::points)).collect();
        let sprt = plan.sprt.as_ref()?;
        (1..=points.len()).find(|n| sprt.verdict(&points[..*n]).1 != Verdict::Open)
    };
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((players, pair)) = jobs.get(number) else { return };
            let games = [false, true].map(|swapped| {
                let played = sitting::play(game, setup, plan, *players, *pair, swapped);
                progress(count.fetch_add(1, Ordering::Relaxed) as u64 + 1);
                played
            });
            let Ok(mut done) = done.lock() else { return };
            done[number] = Some(Pair { players: *players, number: *pair, games });
            if enough(&done).is_some() {
                stop.store(true, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(work);
        }
    });
    let done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let stopped = enough(&done);
    let pairs = done.into_iter().map_while(|pair| pair);
    pairs.take(stopped.unwrap_or(usize::MAX)).collect()
}

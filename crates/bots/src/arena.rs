//! The arena: paired games between players, and what they prove.
//!
//! Players meet in pairs of games: the same seed, hence the same dice as far as the same things happen, and
//! the sides swapped. A pair is one observation, so that an easier side favours nobody. Every game follows
//! from the seed and its number: threads change nothing but the time it takes, as long as budgets are in
//! iterations. So a plan can be played in shares on many machines, and put together afterwards ([`Results::merged`]).
//!
//! Where a game has one side, two players play the same seed one after the other, and the better result wins.

mod chart;
mod elo;
mod report;
mod shares;
mod sitting;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};
use table::{AnyGame, Setup, SetupError};

use crate::level::{Limits, UnknownPlayer, seat_player};

pub use elo::{Elo, Estimate, Sprt, Standing, Verdict, elo_of, score_of};
pub use report::{Meeting, Summary};
pub use shares::{MergeError, Share};
pub(crate) use sitting::sides;
pub use sitting::{Ended, Played};

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Draw {
    /// Everybody meets everybody.
    #[default]
    All,
    /// Each meets the one below: the players stand in their order, the weakest first.
    Ladder,
}

/// What is to be played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The players' names.
    pub players: Vec<String>,
    /// Who meets whom.
    pub draw: Draw,
    /// Which part of it is played here.
    pub share: Share,
    /// How many pairs of games each two of them play.
    pub pairs: u32,
    /// The number from which everything follows.
    pub seed: u64,
    /// How many games are played at the same time.
    pub threads: u16,
    /// How long players may think.
    pub limits: Limits,
    /// With two players, or on each rung of a ladder: stop when this question is answered. In a share nothing
    /// is stopped, since the others are not known.
    pub sprt: Option<Sprt>,
}

/// A player's name without the folder of his weights and habits: `captain:400@DIR` is `captain:400`.
pub fn plain(name: &str) -> &str {
    name.split_once('@').map_or(name, |(plain, _)| plain)
}

impl Plan {
    /// The pairs of players who meet, in their order.
    fn meetings(&self) -> Vec<[usize; 2]> {
        let players = self.players.len();
        match self.draw {
            Draw::All => (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect(),
            Draw::Ladder => (1..players).map(|upper| [upper, upper - 1]).collect(),
        }
    }

    /// How many games are played here.
    pub fn games(&self) -> u64 {
        let pairs = (0..self.pairs).filter(|n| self.share.has(*n)).count() as u64;
        pairs * self.meetings().len() as u64 * 2
    }
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
    /// Players whose games have not the same rules.
    #[error(
        "players can meet with other weights and habits only; their rules and components must be the same"
    )]
    OtherRules,
    /// A sequential test with more than two players.
    #[error("a sequential test asks about two players, found {0}")]
    TooMany(usize),
}

/// Two games with the sides swapped; where there is one side, the same game played by one and by the other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
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
        if self.games.iter().any(|game| game.alone().is_some()) {
            // Who could not go on did worst.
            let [one, other] =
                [0, 1].map(|game: usize| self.games[game].alone().unwrap_or((false, i32::MIN)));
            return match one.cmp(&other) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => 1.0,
                std::cmp::Ordering::Greater => 2.0,
            };
        }
        self.games[0].first_side() + 1.0 - self.games[1].first_side()
    }
}

/// What was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Results {
    /// The plan.
    pub plan: Plan,
    /// The game's id.
    pub game: String,
    /// The version of its rules.
    pub version: String,
    /// The scenario.
    pub scenario: String,
    /// The names of the two sides; of the only one twice.
    pub sides: [String; 2],
    /// The pairs, in their order.
    pub pairs: Vec<Pair>,
}

/// Plays. `progress` is told how many games have been played.
pub fn run(
    game: &dyn AnyGame,
    setup: &Setup,
    plan: &Plan,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Results, ArenaError> {
    run_with(&vec![game; plan.players.len()], setup, plan, progress)
}

/// Plays with a game of his own for each player: the same rules and components, but other weights or habits.
pub fn run_with(
    minds: &[&dyn AnyGame],
    setup: &Setup,
    plan: &Plan,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Results, ArenaError> {
    if plan.players.len() < 2 {
        return Err(ArenaError::TooFew(plan.players.len()));
    }
    if plan.sprt.is_some() && plan.players.len() > 2 && plan.draw == Draw::All {
        return Err(ArenaError::TooMany(plan.players.len()));
    }
    for name in &plan.players {
        seat_player(plain(name), 0, plan.limits.clone())?;
    }
    let game = *minds.first().ok_or(ArenaError::TooFew(0))?;
    let rules = |g: &dyn AnyGame| (g.title().id, g.title().version, g.title().data_hash.clone());
    if minds.len() != plan.players.len() || minds.iter().any(|mind| rules(*mind) != rules(game)) {
        return Err(ArenaError::OtherRules);
    }
    let sides = sitting::sides(game.title(), setup.party());
    // A set-up that does not work is found before anybody is seated.
    game.open(setup.clone(), table::Seed::numbered(plan.seed), table::Nonces::default())?;
    let meetings = plan.meetings();
    let here = (0..plan.pairs).filter(|number| plan.share.has(*number));
    let jobs: Vec<([usize; 2], u32)> = here.flat_map(|n| meetings.iter().map(move |m| (*m, n))).collect();
    let pairs = play_all(minds, setup, plan, &jobs, progress);
    let side_name = |i: usize| sitting::side_name(game.title(), &sides, i.min(sides.len() - 1));
    Ok(Results {
        plan: plan.clone(),
        game: game.title().id.to_string(),
        version: game.title().version.to_string(),
        scenario: setup.scenario().to_string(),
        sides: [side_name(0), side_name(1)],
        pairs,
    })
}

/// Shares the pairs among threads. A sequential test looks at the pairs of a meeting in their order, so that it
/// stops at the same pair whoever was faster.
fn play_all(
    minds: &[&dyn AnyGame],
    setup: &Setup,
    plan: &Plan,
    jobs: &[([usize; 2], u32)],
    progress: &(dyn Fn(u64) + Sync),
) -> Vec<Pair> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Pair>>> = Mutex::new(vec![None; jobs.len()]);
    let count = AtomicUsize::new(0);
    let sprt = plan.sprt.filter(|_| plan.share == Share::WHOLE);
    // The number of the pair that answers the question of a meeting, if it is answered.
    let answered = |done: &[Option<Pair>], players: [usize; 2]| {
        let own = jobs.iter().zip(done).filter(|((met, _), _)| *met == players);
        let points: Vec<f64> = own.map_while(|(_, pair)| pair.as_ref().map(Pair::points)).collect();
        let at = sprt?.answered(&points)?;
        Some(at as u32 - 1)
    };
    let work = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some((players, pair)) = jobs.get(number) else { return };
        if done.lock().is_ok_and(|done| answered(&done, *players).is_some()) {
            continue;
        }
        let games = [false, true].map(|swapped| {
            let played = sitting::play(minds, setup, plan, *players, *pair, swapped);
            progress(count.fetch_add(1, Ordering::Relaxed) as u64 + 1);
            played
        });
        let Ok(mut done) = done.lock() else { return };
        done[number] = Some(Pair { players: *players, number: *pair, games });
    };
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(work);
        }
    });
    let done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let last: Vec<_> = plan.meetings().into_iter().map(|met| (met, answered(&done, met))).collect();
    let counts = |pair: &Pair| {
        let last = last.iter().find(|(met, _)| *met == pair.players).and_then(|(_, last)| *last);
        last.is_none_or(|last| pair.number <= last)
    };
    done.into_iter().flatten().filter(counts).collect()
}

//! Tuning by players who search: for the weights of an appraisal where games by habit tell nothing, and for the few
//! numbers of habits in every game.
//!
//! **Weights** ([`note_games`]): searching players play whole games, each side's by lot among those that were named, so
//! that some are better than others; moments at rest are noted with the result, and [`table::Moments::tuned`] finds the
//! weights that would have told it.
//!
//! **Habits** ([`climb`]): one figure at a time is moved by its step, up and then down. A player with the new figure
//! meets the same player with the old one, in pairs of games with the sides swapped; where there is one side, both play
//! the same seeds. A move is kept if the 95 % interval of what it gains lies above nought, and the figure is moved on in
//! that direction. It ends when a round over all figures keeps nothing. All rounds play the same seeds, so whoever
//! begins with what was found finds it again.

use std::collections::BTreeMap;
use std::ops::Range;

use table::habits::Figure;
use table::{
    AnyGame, AnyMatch, DataError, Lots, Moments, Nonces, ReplayError, Seat, Seed, Setup, SetupError,
};

use crate::arena::{self, ArenaError, Draw, Estimate, Plan, Share};
use crate::level::{Limits, UnknownPlayer, seat_player};
use crate::player::{Fault, Turn};

/// Why nothing could be tuned.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TuneError {
    /// A name that nobody has.
    #[error(transparent)]
    Player(#[from] UnknownPlayer),
    /// The set-up does not work.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A player could not go on.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A game that was just played cannot be played again.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// Two figures could not be compared.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The game cannot be opened with other figures.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A game that does not end.
    #[error("game {0} does not end")]
    Endless(u64),
    /// Nobody was named.
    #[error("expected at least one player")]
    Nobody,
}

/// Games of searching players, to tune weights by.
#[derive(Clone, Debug)]
pub struct Schooling {
    /// The set-up of every game.
    pub setup: Setup,
    /// Who may play; for each side one of them by lot.
    pub players: Vec<String>,
    /// One of so many moments at rest is noted.
    pub every: u32,
    /// The number from which everything follows.
    pub seed: u64,
}

/// Plays the games with these numbers and notes moments of them.
pub fn note_games(
    game: &dyn AnyGame,
    schooling: &Schooling,
    games: Range<u64>,
    progress: &mut dyn FnMut(u64),
) -> Result<Moments, TuneError> {
    let mut moments = Moments::default();
    for number in games {
        let seed = schooling.seed.wrapping_mul(0x9e37_79b9).wrapping_add(number);
        let mut lots = Lots::new(seed);
        let sitting = play(game, schooling, number, seed, &mut lots)?;
        moments.add(game.note_record(&sitting.record(true), schooling.every, lots.bits())?);
        progress(number);
    }
    Ok(moments)
}

/// Plays one game to its end.
fn play(
    game: &dyn AnyGame,
    schooling: &Schooling,
    number: u64,
    seed: u64,
    lots: &mut Lots,
) -> Result<Box<dyn AnyMatch>, TuneError> {
    let setup = &schooling.setup;
    let sides = arena::sides(game.title(), setup.party());
    let mut seated = BTreeMap::new();
    for side in sides {
        let name = lots.pick(&schooling.players.iter().collect::<Vec<_>>()).ok_or(TuneError::Nobody)?;
        for seat in side.iter() {
            seated.insert(seat, seat_player(name, seed ^ seat.index() as u64, Limits::default())?);
        }
    }
    let mut sitting = game.open(setup.clone(), Seed::numbered(seed), Nonces::default())?;
    for _ in 0..u64::from(game.title().longest) * 2 {
        if sitting.outcome().is_some() {
            return Ok(sitting);
        }
        let turn = sitting.waiting_for().lowest().and_then(|seat| Turn::new(&*sitting, seat));
        let Some((turn, player)) = turn.and_then(|t| seated.get_mut(&t.seat()).map(|p| (t, p))) else {
            break;
        };
        let answer = player.decide(&turn)?;
        let seat: Seat = turn.seat();
        sitting.act(seat, None, &[answer.as_str()]).map_err(|error| Fault::Nonsense {
            player: player.name().to_string(),
            said: answer.to_string(),
            why: error.to_string(),
        })?;
    }
    Err(TuneError::Endless(number))
}

/// How figures are compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The set-up of every game.
    pub setup: Setup,
    /// Who plays, on both sides.
    pub player: String,
    /// Pairs of games for each comparison.
    pub pairs: u32,
    /// The number from which everything follows.
    pub seed: u64,
    /// How many games are played at the same time.
    pub threads: u16,
    /// How often all figures are gone through at most.
    pub rounds: u16,
}

/// A figure that was moved.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// Its name.
    pub figure: &'static str,
    /// What it was.
    pub from: f32,
    /// What was tried.
    pub to: f32,
    /// What it gained: games won in a hundred above an even score, or points where there is one side.
    pub gain: Estimate,
    /// Whether it was kept.
    pub kept: bool,
}

/// The figures as they are after the climb, whether a whole round kept nothing, and what was tried.
#[derive(Clone, PartialEq, Debug)]
pub struct Climbed {
    /// The figures.
    pub figures: Vec<(Figure, f32)>,
    /// Whether the last round found nothing better.
    pub settled: bool,
    /// Everything that was tried, in order.
    pub trials: Vec<Trial>,
}

/// Opens the game with such figures.
pub type Reopen<'a> = &'a dyn Fn(&[(Figure, f32)]) -> Result<Box<dyn AnyGame>, DataError>;

/// Moves the figures of habits, one at a time, and keeps what wins more. `told` hears of every trial.
pub fn climb(
    open: Reopen<'_>,
    comparison: &Comparison,
    told: &mut dyn FnMut(&Trial),
) -> Result<Climbed, TuneError> {
    let mut present = open(&[])?;
    let mut climbed = Climbed { figures: present.figures(), settled: false, trials: Vec::new() };
    for _ in 0..comparison.rounds {
        let mut moved = false;
        for number in 0..climbed.figures.len() {
            for direction in [1.0, -1.0] {
                let mut went = false;
                while let Some(figures) = step(&climbed.figures, number, direction) {
                    let other = open(&figures)?;
                    let gain = gained(&*other, &*present, comparison)?;
                    let trial = Trial {
                        figure: figures[number].0.name,
                        from: climbed.figures[number].1,
                        to: figures[number].1,
                        gain,
                        kept: gain.low > 0.0,
                    };
                    told(&trial);
                    let kept = trial.kept;
                    climbed.trials.push(trial);
                    if !kept {
                        break;
                    }
                    (climbed.figures, present) = (figures, other);
                    (went, moved) = (true, true);
                }
                if went {
                    break;
                }
            }
        }
        if !moved {
            climbed.settled = true;
            break;
        }
    }
    Ok(climbed)
}

/// The figures with one of them moved by its step; `None` where it would go beyond its bounds.
fn step(figures: &[(Figure, f32)], number: usize, direction: f32) -> Option<Vec<(Figure, f32)>> {
    let mut figures = figures.to_vec();
    let (figure, value) = &mut figures[number];
    // Steps are counted, so that going up and down again ends at the same number.
    let next = ((*value / figure.step).round() + direction) * figure.step;
    let next = (f64::from(next) * 1e4).round() as f32 / 1e4;
    let within = (figure.least..=figure.most).contains(&next) && (next - *value) * direction > 0.0;
    *value = next;
    within.then_some(figures)
}

/// What a player gains with one mind over the same player with another.
fn gained(one: &dyn AnyGame, other: &dyn AnyGame, comparison: &Comparison) -> Result<Estimate, TuneError> {
    let plan = Plan {
        players: vec![comparison.player.clone(); 2],
        draw: Draw::All,
        share: Share::WHOLE,
        pairs: comparison.pairs,
        seed: comparison.seed,
        threads: comparison.threads,
        limits: Limits::default(),
        sprt: None,
    };
    let results = arena::run_with(&[one, other], &comparison.setup, &plan, &|_| {})?;
    let meeting = results.summary().and_then(|summary| summary.meetings.into_iter().next());
    let Some(meeting) = meeting else { return Ok(Estimate { value: 0.0, low: 0.0, high: 0.0 }) };
    let score = meeting.elo.score;
    let above = |share: f64| (share - 0.5) * 100.0;
    Ok(meeting.difference.unwrap_or(Estimate {
        value: above(score.value),
        low: above(score.low),
        high: above(score.high),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_up_and_a_step_down_meet_again() {
        let start = vec![(Figure::new("bold", 0.0, 1.0, 0.1), 0.9)];
        let up = step(&start, 0, 1.0).unwrap();
        assert_eq!(up[0].1, 1.0);
        assert_eq!(step(&up, 0, 1.0), None, "no further than its bound");
        assert_eq!(step(&up, 0, -1.0).unwrap(), start);
        // A number between two steps goes to the next one.
        let between = vec![(Figure::new("far", 0.0, 10.0, 4.0), 5.0)];
        assert_eq!(
            (step(&between, 0, 1.0).unwrap()[0].1, step(&between, 0, -1.0)),
            (8.0, Some(vec![(between[0].0, 0.0)]))
        );
    }
}

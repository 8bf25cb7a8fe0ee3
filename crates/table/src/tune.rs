//! Tuning: finding the weights of an appraisal from games played by itself.
//!
//! The method is the one chess programs use. The game plays itself by habit ([`Minded::habit`]), with a share of
//! moves at random, so that the games go astray and come back. Where it is at rest, which is where a search
//! appraises it, and now and then elsewhere, the signs are noted; when a game is over, so is who won. Then the weights are sought that would have told
//! the results best: the greatest likelihood of a logistic model, by Newton's method, held a little towards
//! nought so that a sign that tells nothing counts for nothing. Games are dealt out by number, so the same
//! games, seed and rules give the same weights.

use std::sync::Arc;

use crate::ballot::Options;
use crate::dice::Lots;
use crate::game::{Game, Outcome};
use crate::matches::{Match, ReplayError};
use crate::record::Record;
use crate::seat::{Seat, SeatSet};
use crate::simulate::random;
use crate::title::{Setup, SetupError, Title};
use crate::umpire::Silent;
use crate::weights::Sign;

/// What to tune with.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The set-up of every game.
    pub setup: Setup,
    /// How many games.
    pub games: u64,
    /// The number from which everything follows.
    pub seed: u64,
    /// The first game to play, counted from 0.
    pub first: u64,
}

/// One of so many moves is made at random.
const STRAY: u32 = 6;
/// A moment is noted at one of so many decisions at rest, and of so many others.
const AT_REST: u32 = 4;
const ELSEWHERE: u32 = 200;
/// How strongly weights are held towards nought.
const HOLD: f64 = 0.5;
/// Newton's method settles long before this.
const ROUNDS: usize = 30;

/// Moments of games, and who won them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Moments {
    /// The signs.
    pub signs: Vec<Sign>,
    /// The signs of a seat at a moment, what the present appraisal said, and whether the seat won.
    pub noted: Vec<(Vec<f32>, f32, bool)>,
    /// How many games they are from.
    pub games: u64,
}

/// What tuning found.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// The weight of each sign.
    pub weights: Vec<(&'static str, f64)>,
    /// How well the appraisal told the results before and how well these weights would have: the mean of
    /// the logarithm of the chance given to what happened, with its sign turned. Less is better; knowing
    /// nothing is 0.693.
    pub surprise: (f64, f64),
    /// Moments and games.
    pub moments: usize,
    /// Games.
    pub games: u64,
}

/// Plays games and notes moments. A game without signs gives none.
pub fn note_moments<G: Game>(
    game: &G,
    tuning: &Tuning,
    progress: &mut dyn FnMut(u64),
) -> Result<Moments, SetupError> {
    let mut moments = Moments { signs: game.signs().to_vec(), ..Moments::default() };
    if moments.signs.is_empty() {
        return Ok(moments);
    }
    let party: Vec<_> = tuning.setup.party().iter().collect();
    let mut options = Options::new();
    let mut room = Options::new();
    for number in tuning.first..tuning.first + tuning.games {
        let mut umpire = Silent::new(tuning.seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(number));
        let mut lots = Lots::new(umpire.lots.bits());
        let mut position = game.setup(&tuning.setup, &mut umpire)?;
        let mut noted = Vec::new();
        for _ in 0..game.title().longest {
            let deciding: Vec<_> = game.deciding(&position).iter().collect();
            let Some(seat) = lots.pick(&deciding) else { break };
            room.clear();
            let habit = game.habit(&position, seat, &mut room, &mut lots);
            if lots.below(if habit.is_none() { AT_REST } else { ELSEWHERE }) == 0 {
                // One seat's signs at a moment: the others' would say the same again.
                let seat = party[lots.below(party.len() as u32) as usize];
                noted.push((seat, game.measure(&position, seat), game.appraise(&position, seat)));
            }
            options.clear();
            game.options(&position, seat, &mut options);
            if options.is_empty() {
                break;
            }
            let stray = lots.below(STRAY) == 0;
            let action =
                habit.filter(|_| !stray).unwrap_or_else(|| random(game, options.offers(), &mut lots));
            game.apply(&mut position, seat, action, &mut umpire);
        }
        moments.close(noted, game.outcome(&position), one_side(game.title(), tuning.setup.party()));
        progress(moments.games);
    }
    Ok(moments)
}

/// Notes moments of a game that somebody played, one of `every` that are at rest: where games by habit tell nothing,
/// because nobody wins them, those of searching players do.
pub fn note_record<G: Game>(
    game: &Arc<G>,
    record: &Record,
    every: u32,
    seed: u64,
) -> Result<Moments, ReplayError> {
    let mut moments = Moments { signs: game.signs().to_vec(), ..Moments::default() };
    let mut lots = Lots::new(seed);
    let mut room = Options::new();
    let mut noted = Vec::new();
    let whole = Match::retrace(game.clone(), record, None, &mut |sitting| {
        let position = sitting.position();
        let party: Vec<_> = sitting.party().iter().collect();
        let Some(deciding) = game.deciding(position).lowest() else { return };
        room.clear();
        if game.habit(position, deciding, &mut room, &mut lots).is_none() && lots.below(every.max(1)) == 0 {
            let seat = party[lots.below(party.len() as u32) as usize];
            noted.push((seat, game.measure(position, seat), game.appraise(position, seat)));
        }
    })?;
    moments.close(noted, whole.outcome(), one_side(game.title(), whole.party()));
    Ok(moments)
}

/// Whether those who play are all allies: then the game itself is what they play against.
fn one_side(title: &Title, party: SeatSet) -> bool {
    let mut alliances = party.iter().map(|seat| title.seats[seat.index()].alliance);
    let first = alliances.next();
    alliances.all(|alliance| Some(alliance) == first)
}

impl Moments {
    /// A game is over: what was noted in it counts with its result. A draw tells nothing, but alone it is no victory.
    fn close(&mut self, noted: Vec<(Seat, Vec<f32>, f32)>, outcome: Option<Outcome>, alone: bool) {
        if let Some(outcome) = outcome.filter(|o| !o.winners.is_empty() || alone) {
            let won = |seat| outcome.winners.contains(seat);
            self.noted.extend(noted.into_iter().map(|(seat, signs, said)| (signs, said, won(seat))));
        }
        self.games += 1;
    }

    /// Adds the moments of other games.
    pub fn add(&mut self, other: Self) {
        self.signs = other.signs;
        self.noted.extend(other.noted);
        self.games += other.games;
    }

    /// The weights that would have told the results best; `None` if there is nothing to go by.
    pub fn tuned(&self) -> Option<Tuned> {
        // A sign that would count the wrong way is left out, and the others are sought again.
        let mut counted = vec![true; self.signs.len()];
        let weights = loop {
            let weights = self.likeliest(&counted)?;
            let wrong = |i: &usize| counted[*i] && weights[*i] < 0.0 && !self.signs[*i].either;
            let worst = (0..weights.len()).filter(wrong).min_by(|a, b| weights[*a].total_cmp(&weights[*b]));
            match worst {
                Some(sign) => counted[sign] = false,
                None => break weights,
            }
        };
        let count = self.noted.len() as f64;
        let surprise = |said: f64, won: bool| -(if won { said } else { 1.0 - said }).clamp(1e-6, 1.0).ln();
        let before: f64 = self.noted.iter().map(|(_, said, won)| surprise((*said).into(), *won)).sum();
        let after: f64 = self.noted.iter().map(|(m, _, won)| surprise(told(m, &weights), *won)).sum();
        Some(Tuned {
            weights: self.signs.iter().map(|sign| sign.name).zip(weights).collect(),
            surprise: (before / count, after / count),
            moments: self.noted.len(),
            games: self.games,
        })
    }

    /// The greatest likelihood with these signs, by Newton's method.
    fn likeliest(&self, counted: &[bool]) -> Option<Vec<f64>> {
        let signs = self.signs.len();
        if signs == 0 || self.noted.is_empty() {
            return None;
        }
        let mut weights = vec![0.0; signs];
        for _ in 0..ROUNDS {
            // The slope of the likelihood and how it bends.
            let mut slope: Vec<f64> = weights.iter().map(|w| -HOLD * w).collect();
            let mut bend = vec![vec![0.0; signs]; signs];
            for (measured, _, won) in &self.noted {
                let said = told(measured, &weights);
                let missed = f64::from(u8::from(*won)) - said;
                let doubt = said * (1.0 - said);
                for (i, a) in measured.iter().enumerate() {
                    slope[i] += missed * f64::from(*a);
                    for (sum, b) in bend[i].iter_mut().zip(measured) {
                        *sum += doubt * f64::from(*a) * f64::from(*b);
                    }
                }
            }
            for i in 0..signs {
                bend[i][i] += HOLD;
                if !counted[i] {
                    bend[i].fill(0.0);
                    bend.iter_mut().for_each(|row| row[i] = 0.0);
                    bend[i][i] = 1.0;
                    slope[i] = 0.0;
                }
            }
            let step = solved(bend, slope)?;
            let size: f64 = step.iter().map(|s| s * s).sum();
            weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += step);
            if size < 1e-16 {
                break;
            }
        }
        Some(weights)
    }
}

/// The chance that weights give.
fn told(signs: &[f32], weights: &[f64]) -> f64 {
    let sum: f64 = signs.iter().zip(weights).map(|(sign, weight)| f64::from(*sign) * weight).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// Solves a system of linear equations; `None` if it has no single answer.
fn solved(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for column in 0..size {
        let pivot =
            (column..size).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
        if rows[pivot][column].abs() < 1e-12 {
            return None;
        }
        rows.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..size {
            let factor = rows[row][column] / rows[column][column];
            let (above, below) = rows.split_at_mut(row);
            for (number, known) in below[0].iter_mut().zip(&above[column]).skip(column) {
                *number -= factor * known;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| rows[row][k] * right[k]).sum();
        right[row] = (right[row] - known) / rows[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        let answer = solved(vec![vec![0.0, 2.0], vec![1.0, 1.0]], vec![4.0, 5.0]).unwrap();
        assert!((answer[0] - 3.0).abs() < 1e-9 && (answer[1] - 2.0).abs() < 1e-9);
        assert_eq!(solved(vec![vec![1.0, 1.0], vec![2.0, 2.0]], vec![1.0, 2.0]), None);
    }

    /// Results made with known weights give those weights back, and a sign without meaning counts for nothing.
    #[test]
    fn weights_are_found_again() {
        let mut lots = Lots::new(7);
        let mut real = || (lots.below(2001) as f32 - 1000.0) / 500.0;
        let mut moments = Moments {
            signs: vec![Sign::good("much"), Sign::either("little"), Sign::good("nothing")],
            ..Moments::default()
        };
        for _ in 0..40_000 {
            let signs = vec![real(), real(), real()];
            let won = f64::from((real() + 2.0) / 4.0) < told(&signs, &[1.5, -0.4, 0.0]);
            moments.noted.push((signs, 0.5, won));
        }
        let tuned = moments.tuned().unwrap();
        for ((_, found), true_weight) in tuned.weights.iter().zip([1.5, -0.4, 0.0]) {
            assert!((found - true_weight).abs() < 0.05, "{:?}", tuned.weights);
        }
        // A sign that is said to be good and is not counts for nothing.
        moments.signs[1] = Sign::good("little");
        assert_eq!(moments.tuned().unwrap().weights[1].1, 0.0);
        assert!((tuned.surprise.0 - 0.693).abs() < 0.001 && tuned.surprise.1 < 0.6);
    }
}

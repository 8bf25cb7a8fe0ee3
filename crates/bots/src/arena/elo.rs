//! What results prove: Elo with intervals, ratings of many, sequential tests.

use serde::{Deserialize, Serialize};
use table::Lots;

/// Two-sided 95 %.
const Z: f64 = 1.959_964;

/// The Elo difference that a score (0 to 1) stands for; infinite at the ends.
pub fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score that an Elo difference leads to expect.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A number with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// The mean of some numbers; `None` without at least two.
    pub fn of_mean(numbers: &[f64]) -> Option<Self> {
        let n = numbers.len() as f64;
        if numbers.len() < 2 {
            return None;
        }
        let value = numbers.iter().sum::<f64>() / n;
        let spread = numbers.iter().map(|x| (x - value).powi(2)).sum::<f64>() / (n - 1.0);
        let half = Z * (spread / n).sqrt();
        Some(Self { value, low: value - half, high: value + half })
    }
}

/// Score and Elo difference of the first of two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// Points for each game.
    pub score: Estimate,
    /// The Elo difference.
    pub elo: Estimate,
}

impl Elo {
    /// From the points (0 to 2) of pairs of games.
    ///
    /// The interval is Wilson's, with as many observations as the spread of the pairs is worth; where all
    /// pairs went the same way, every game counts as one. So it holds near 0 and 1 as well, and an end that
    /// the games do not bound is infinite.
    pub fn of_pairs(points: &[f64]) -> Option<Self> {
        if points.is_empty() {
            return None;
        }
        let n = points.len() as f64;
        let score = points.iter().sum::<f64>() / (2.0 * n);
        let spread = points.iter().map(|p| (p / 2.0 - score).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        let worth =
            if spread > 1e-9 && points.len() > 1 { score * (1.0 - score) / (spread / n) } else { 2.0 * n };
        // Lucky pairs prove no more than four games for each would.
        let worth = worth.min(4.0 * n);
        let middle = (score + Z * Z / (2.0 * worth)) / (1.0 + Z * Z / worth);
        let half = Z / (1.0 + Z * Z / worth)
            * (score * (1.0 - score) / worth + Z * Z / (4.0 * worth * worth)).sqrt();
        // At the ends, Wilson's interval ends there too, but for rounding.
        let low = if score <= 0.0 { 0.0 } else { middle - half };
        let high = if score >= 1.0 { 1.0 } else { middle + half };
        let elo = Estimate { value: elo_of(score), low: elo_of(low), high: elo_of(high) };
        Some(Self { score: Estimate { value: score, low, high }, elo })
    }
}

/// A player's rating among several. The mean of all is 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    /// The player's number in the plan.
    pub player: usize,
    /// The rating.
    pub elo: Estimate,
    /// Points for each game.
    pub score: f64,
    /// Games.
    pub games: u64,
}

/// How often the pairs are drawn anew for the intervals of ratings.
const REDRAWN: usize = 400;

/// Ratings of several players from pairs of games (`players`, points of the first of them), the best first.
/// The ratings are those that make the results likeliest (Bradley and Terry), with one drawn game added for
/// each two who met, so that nobody's is infinite; the intervals come from drawing the pairs anew.
pub(super) fn standings(players: usize, pairs: &[([usize; 2], f64)]) -> Vec<Standing> {
    let ratings = rate(players, pairs);
    let mut lots = Lots::new(0x0065_6c6f);
    let mut redrawn: Vec<Vec<f64>> = vec![Vec::with_capacity(REDRAWN); players];
    let mut sample = Vec::with_capacity(pairs.len());
    for _ in 0..REDRAWN {
        sample.clear();
        sample.extend((0..pairs.len()).map(|_| pairs[lots.below(pairs.len() as u32) as usize]));
        for (player, rating) in rate(players, &sample).into_iter().enumerate() {
            redrawn[player].push(rating);
        }
    }
    let mut standings: Vec<Standing> = (0..players)
        .map(|player| {
            let ratings_redrawn = &mut redrawn[player];
            ratings_redrawn.sort_by(f64::total_cmp);
            let at = |share: f64| ratings_redrawn[(share * (REDRAWN - 1) as f64).round() as usize];
            let own = pairs.iter().filter_map(|(who, points)| match who {
                [a, _] if *a == player => Some(*points),
                [_, b] if *b == player => Some(2.0 - points),
                _ => None,
            });
            let (games, points) = own.fold((0, 0.0), |(games, sum), points| (games + 2, sum + points));
            Standing {
                player,
                elo: Estimate { value: ratings[player], low: at(0.025), high: at(0.975) },
                score: points / (games as f64).max(1.0),
                games,
            }
        })
        .collect();
    standings.sort_by(|a, b| b.elo.value.total_cmp(&a.elo.value).then(a.player.cmp(&b.player)));
    standings
}

/// The likeliest ratings.
fn rate(players: usize, pairs: &[([usize; 2], f64)]) -> Vec<f64> {
    let mut won = vec![0.0; players];
    let mut met = vec![vec![0.0; players]; players];
    for ([a, b], points) in pairs {
        won[*a] += points;
        won[*b] += 2.0 - points;
        met[*a][*b] += 2.0;
        met[*b][*a] += 2.0;
    }
    for (a, row) in met.iter_mut().enumerate() {
        for games in row.iter_mut().filter(|games| **games > 0.0) {
            *games += 1.0;
            won[a] += 0.5;
        }
    }
    let mut strength = vec![1.0; players];
    for _ in 0..2000 {
        let before = strength.clone();
        for a in 0..players {
            let sum: f64 =
                (0..players).filter(|b| *b != a).map(|b| met[a][b] / (before[a] + before[b])).sum();
            if sum > 0.0 {
                strength[a] = won[a] / sum;
            }
        }
        let mean = strength.iter().map(|s: &f64| s.ln()).sum::<f64>() / players as f64;
        strength.iter_mut().for_each(|s| *s /= mean.exp());
        if before.iter().zip(&strength).all(|(a, b)| (a / b - 1.0).abs() < 1e-9) {
            break;
        }
    }
    strength.into_iter().map(|s| 400.0 * s.log10()).collect()
}

/// A sequential test: is the first player stronger by `elo1`, or only by `elo0`? Both errors are 5 %.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference that the test should refute.
    pub elo0: f64,
    /// The difference that it should prove.
    pub elo1: f64,
}

/// What a sequential test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nothing yet.
    Open,
    /// The first player is stronger by `elo1`.
    Proved,
    /// The first player is stronger by `elo0` at most.
    Refuted,
}

/// The log of the odds at which a test with errors of 5 % stops.
const BOUND: f64 = 2.944_439;
/// No test stops before so many pairs.
const FEWEST_PAIRS: usize = 8;

impl Sprt {
    /// After how many pairs the question was answered, if it was: so many of them count.
    pub fn answered(&self, points: &[f64]) -> Option<usize> {
        (1..=points.len()).find(|n| self.verdict(&points[..*n]).1 != Verdict::Open)
    }

    /// The log of the odds so far, and the verdict, from the points (0 to 2) of pairs of games.
    pub fn verdict(&self, points: &[f64]) -> (f64, Verdict) {
        let n = points.len() as f64;
        let sum: f64 = points.iter().map(|p| p / 2.0).sum();
        let mean = sum / n.max(1.0);
        let spread = points.iter().map(|p| (p / 2.0 - mean).powi(2)).sum::<f64>() / n.max(1.0);
        // Where all went the same way, the spread is what one lost and one won pair more would show.
        let careful = (sum + 1.0) / (n + 2.0);
        let spread = spread.max(careful * (1.0 - careful) / 2.0);
        let (s0, s1) = (score_of(self.elo0), score_of(self.elo1));
        let odds = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * spread);
        let verdict = match odds {
            _ if points.len() < FEWEST_PAIRS => Verdict::Open,
            odds if odds >= BOUND => Verdict::Proved,
            odds if odds <= -BOUND => Verdict::Refuted,
            _ => Verdict::Open,
        };
        (odds, verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_each_others_inverse() {
        for elo in [-300.0, -10.0, 0.0, 50.0, 400.0] {
            assert!((elo_of(score_of(elo)) - elo).abs() < 1e-6);
        }
        assert!((score_of(400.0) - 10.0 / 11.0).abs() < 1e-9);
    }

    #[test]
    fn an_even_match_is_even_and_its_interval_shrinks() {
        let points = |n: usize| -> Vec<f64> { (0..n).map(|i| [0.0, 1.0, 2.0, 1.0][i % 4]).collect() };
        let few = Elo::of_pairs(&points(20)).unwrap();
        let many = Elo::of_pairs(&points(2000)).unwrap();
        assert!(few.elo.value.abs() < 1e-9);
        assert!(few.elo.low < -40.0 && few.elo.high > 40.0, "{few:?}");
        assert!(many.elo.low > -15.0 && many.elo.high < 15.0, "{many:?}");
        assert_eq!(Elo::of_pairs(&[]), None);
    }

    #[test]
    fn a_mean_lies_in_the_middle_of_its_interval() {
        let estimate = Estimate::of_mean(&[1.0, 3.0, 5.0, 7.0]).unwrap();
        assert!((estimate.value - 4.0).abs() < 1e-9);
        // The spread is 20/3, its root over 2 is 1.29, times 1.96.
        assert!((estimate.high - 6.53).abs() < 0.01 && (estimate.low - 1.47).abs() < 0.01, "{estimate:?}");
        assert_eq!(Estimate::of_mean(&[1.0]), None);
    }

    #[test]
    fn a_clean_sweep_is_bounded_from_below_only() {
        let sweep = Elo::of_pairs(&[2.0; 10]).unwrap();
        assert_eq!(sweep.elo.high, f64::INFINITY);
        assert!(sweep.elo.low > 200.0 && sweep.elo.low < 400.0, "{sweep:?}");
    }

    /// The interval must hold the truth about 95 times in 100.
    #[test]
    fn the_interval_holds_what_it_promises() {
        let mut lots = Lots::new(5);
        for truth in [0.5, 0.8] {
            let mut held = 0;
            for _ in 0..1000 {
                let game =
                    |lots: &mut Lots| f64::from(u8::from(f64::from(lots.below(1000)) < truth * 1000.0));
                let points: Vec<f64> = (0..50).map(|_| game(&mut lots) + game(&mut lots)).collect();
                let score = Elo::of_pairs(&points).unwrap().score;
                held += u32::from((score.low..=score.high).contains(&truth));
            }
            assert!((920..=980).contains(&held), "{held} of 1000 at {truth}");
        }
    }

    #[test]
    fn ratings_keep_the_order_and_the_distance() {
        // The first scores three quarters against the second, and so does the second against the third.
        let pairs: Vec<_> = (0..400)
            .flat_map(|i| {
                let points = [2.0, 1.0, 2.0, 1.0][i % 4];
                [([0, 1], points), ([1, 2], points)]
            })
            .collect();
        let table = standings(3, &pairs);
        assert_eq!(table.iter().map(|s| s.player).collect::<Vec<_>>(), [0, 1, 2]);
        assert!((table[0].elo.value - table[1].elo.value - elo_of(0.75)).abs() < 5.0, "{table:?}");
        assert!(table.iter().all(|s| s.elo.low <= s.elo.value && s.elo.value <= s.elo.high));
        assert!(table.iter().map(|s| s.elo.value).sum::<f64>().abs() < 1e-6);
    }

    #[test]
    fn a_sequential_test_answers_rightly_and_not_at_once() {
        let test = Sprt { elo0: 0.0, elo1: 50.0 };
        assert_eq!(test.verdict(&[2.0; 5]).1, Verdict::Open);
        assert_eq!(test.verdict(&[2.0; 60]).1, Verdict::Proved);
        assert_eq!(test.verdict(&[0.0; 60]).1, Verdict::Refuted);
        assert_eq!(test.verdict(&[]).1, Verdict::Open);
        // Equal players: wrong in no more than about one case of twenty.
        let mut lots = Lots::new(11);
        let mut wrong = 0;
        for _ in 0..300 {
            let mut points = Vec::new();
            while points.len() < 4000 && test.verdict(&points).1 == Verdict::Open {
                points.push(f64::from(lots.below(2) + lots.below(2)));
            }
            wrong += u32::from(test.verdict(&points).1 == Verdict::Proved);
        }
        assert!(wrong <= 24, "{wrong} of 300");
    }
}

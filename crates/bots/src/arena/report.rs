//! Results, counted: the summary, as JSON and as CSV.

use std::time::Duration;

use serde_json::{Value, json};

use super::elo::{Elo, Estimate, Standing, Verdict, standings};
use super::sitting::Ended;
use super::{Draw, Pair, Results};

/// What two players did against each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Meeting {
    /// The two, by their numbers in the plan.
    pub players: [usize; 2],
    /// Games won by the first, drawn, and won by the second.
    pub games: [u64; 3],
    /// Score and Elo difference of the first.
    pub elo: Elo,
    /// Where there is one side: how many points more the first makes of the same game, on average.
    pub difference: Option<Estimate>,
}

/// What it all comes to.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Ratings, the best first.
    pub standings: Vec<Standing>,
    /// Every two who met.
    pub meetings: Vec<Meeting>,
    /// Points of the first side in all games together.
    pub first_side: Elo,
    /// Actions of a game: mean and most.
    pub actions: (f64, u64),
    /// For each player: decisions among several options, mean time, longest time.
    pub thinking: Vec<(u64, Duration, Duration)>,
    /// What went wrong: who, in which game, how.
    pub faults: Vec<String>,
    /// What the sequential test says of each meeting: the log of the odds, and the verdict.
    pub sprt: Vec<(f64, Verdict)>,
}

impl Results {
    /// Counts; `None` if nothing was played.
    pub fn summary(&self) -> Option<Summary> {
        let players = self.plan.players.len();
        let points: Vec<_> = self.pairs.iter().map(|p| (p.players, p.points())).collect();
        let games = || self.pairs.iter().flat_map(|p| p.games.iter().map(move |g| (p, g)));
        let meetings: Vec<_> = self.plan.meetings().into_iter().filter_map(|who| self.meeting(who)).collect();
        let sides: Vec<f64> =
            self.pairs.iter().map(|p| p.games.iter().map(super::Played::first_side).sum()).collect();
        let actions = games().map(|(_, g)| g.actions).sum::<u64>() as f64 / games().count().max(1) as f64;
        let sprt = self.plan.sprt.map_or_else(Vec::new, |sprt| {
            let of = |m: &Meeting| {
                let own = points.iter().filter(|(met, _)| *met == m.players);
                let own: Vec<f64> = own.map(|(_, points)| *points).collect();
                let asked = sprt.answered(&own).unwrap_or(own.len());
                sprt.verdict(&own[..asked])
            };
            meetings.iter().map(of).collect()
        });
        Some(Summary {
            standings: if points.is_empty() { Vec::new() } else { standings(players, &points) },
            meetings,
            first_side: Elo::of_pairs(&sides)?,
            actions: (actions, games().map(|(_, g)| g.actions).max()?),
            thinking: (0..players).map(|player| self.thinking(player)).collect(),
            faults: self.faults(),
            sprt,
        })
    }

    fn meeting(&self, players: [usize; 2]) -> Option<Meeting> {
        let own: Vec<&Pair> = self.pairs.iter().filter(|p| p.players == players).collect();
        let points: Vec<f64> = own.iter().map(|p| p.points()).collect();
        let mut games = [0; 3];
        for pair in &own {
            for points in [pair.games[0].first_side(), 1.0 - pair.games[1].first_side()] {
                games[if points > 0.75 {
                    0
                } else if points > 0.25 {
                    1
                } else {
                    2
                }] += 1;
            }
        }
        let alone = |game: usize| own.iter().map(|p| p.games[game].alone()).collect::<Option<Vec<_>>>();
        let difference = alone(0).zip(alone(1)).and_then(|(one, other)| {
            let differences: Vec<f64> =
                one.iter().zip(&other).map(|((_, a), (_, b))| f64::from(*a) - f64::from(*b)).collect();
            Estimate::of_mean(&differences)
        });
        if difference.is_some() {
            games = [2.0, 1.0, 0.0].map(|p| points.iter().filter(|x| **x == p).count() as u64);
        }
        Some(Meeting { players, games, elo: Elo::of_pairs(&points)?, difference })
    }

    fn thinking(&self, player: usize) -> (u64, Duration, Duration) {
        let (mut decisions, mut time, mut longest) = (0, Duration::ZERO, Duration::ZERO);
        for pair in &self.pairs {
            for (swapped, game) in pair.games.iter().enumerate() {
                let Some(which) = pair.players.iter().position(|p| *p == player) else { continue };
                // Alone, the first game is the first player's and the second the second's.
                if game.alone().is_some() && which != swapped {
                    continue;
                }
                let side = if game.alone().is_some() { 0 } else { which ^ swapped };
                decisions += game.decisions[side];
                time += game.time[side];
                longest = longest.max(game.longest[side]);
            }
        }
        (decisions, time.div_f64((decisions as f64).max(1.0)), longest)
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for pair in &self.pairs {
            for (swapped, game) in pair.games.iter().enumerate() {
                let number = format!("pair {}, game {}", pair.number + 1, swapped + 1);
                match &game.ended {
                    Ended::Forfeit(side, fault) => {
                        faults.push(format!("{number}: {} forfeits: {fault}", self.sides[*side]));
                    }
                    Ended::Stuck(why) => faults.push(format!("{number}: no result: {why}")),
                    Ended::Result(..) | Ended::Alone(..) => {}
                }
            }
        }
        faults
    }

    /// Everything, as one JSON object.
    pub fn json(&self) -> Value {
        let name = |player: usize| &self.plan.players[player];
        let games: Vec<_> = self.rows().map(|row| row.json()).collect();
        let Some(summary) = self.summary() else { return json!({ "game": self.game, "games": games }) };
        let meetings: Vec<_> = summary
            .meetings
            .iter()
            .map(|m| {
                json!({
                    "players": m.players.map(name),
                    "won": m.games[0],
                    "drawn": m.games[1],
                    "lost": m.games[2],
                    "score": estimate(&m.elo.score),
                    "elo": estimate(&m.elo.elo),
                    "points_more": m.difference.as_ref().map(estimate),
                })
            })
            .collect();
        let standings: Vec<_> = summary
            .standings
            .iter()
            .map(|s| {
                let (decisions, mean, longest) = summary.thinking[s.player];
                json!({
                    "player": name(s.player),
                    "elo": estimate(&s.elo),
                    "score": s.score,
                    "games": s.games,
                    "decisions": decisions,
                    "mean_seconds": mean.as_secs_f64(),
                    "longest_seconds": longest.as_secs_f64(),
                })
            })
            .collect();
        json!({
            "game": self.game,
            "scenario": self.scenario,
            "seed": self.plan.seed,
            "iterations": self.plan.limits.iterations,
            "seconds": self.plan.limits.time.map(|t| t.as_secs_f64()),
            "standings": standings,
            "meetings": meetings,
            "sides": self.sides,
            "first_side_score": estimate(&summary.first_side.score),
            "mean_actions": summary.actions.0,
            "most_actions": summary.actions.1,
            "ladder": self.plan.draw == Draw::Ladder,
            "sprt": summary.sprt.iter().map(|(odds, verdict)| json!({
                "elo0": self.plan.sprt.map(|s| s.elo0),
                "elo1": self.plan.sprt.map(|s| s.elo1),
                "log_odds": odds,
                "verdict": format!("{verdict:?}").to_lowercase(),
            })).collect::<Vec<_>>(),
            "faults": summary.faults,
            "games": games,
        })
    }

    /// One line for each game.
    pub fn csv(&self) -> String {
        let mut text = String::from(
            "pair,seed,first,second,first_points,result,actions,first_decisions,first_seconds,second_decisions,second_seconds\n",
        );
        for row in self.rows() {
            let game = row.game;
            let cells = [
                (row.pair.number + 1).to_string(),
                game.seed.to_string(),
                quoted(row.first),
                quoted(row.second),
                game.first_side().to_string(),
                quoted(&row.result()),
                game.actions.to_string(),
                game.decisions[0].to_string(),
                format!("{:.6}", game.time[0].as_secs_f64()),
                game.decisions[1].to_string(),
                format!("{:.6}", game.time[1].as_secs_f64()),
            ];
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.pairs.iter().flat_map(move |pair| {
            pair.games.iter().enumerate().map(move |(swapped, game)| Row {
                pair,
                game,
                first: &self.plan.players[pair.players[swapped]],
                second: &self.plan.players[pair.players[1 - swapped]],
            })
        })
    }
}

/// A game with who played which side.
struct Row<'a> {
    pair: &'a Pair,
    game: &'a super::Played,
    first: &'a str,
    second: &'a str,
}

impl Row<'_> {
    fn result(&self) -> String {
        match &self.game.ended {
            Ended::Result(_, headline) | Ended::Alone(_, _, headline) => headline.clone(),
            Ended::Forfeit(_, fault) => format!("forfeit: {fault}"),
            Ended::Stuck(why) => format!("no result: {why}"),
        }
    }

    fn json(&self) -> Value {
        json!({
            "pair": self.pair.number + 1,
            "seed": self.game.seed,
            "first": self.first,
            "second": self.second,
            "first_points": self.game.first_side(),
            "result": self.result(),
            "actions": self.game.actions,
            "decisions": self.game.decisions,
            "seconds": self.game.time.map(|t| t.as_secs_f64()),
        })
    }
}

/// Infinite ends are left out: JSON has no word for them.
fn estimate(estimate: &Estimate) -> Value {
    let finite = |number: f64| number.is_finite().then_some(number);
    json!({ "value": finite(estimate.value), "low": finite(estimate.low), "high": finite(estimate.high) })
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

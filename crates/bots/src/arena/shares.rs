//! A plan in shares: each machine plays some of the pairs, and the results are put together.
//!
//! Every game follows from the seed and its number, so it does not matter who plays it. What is put together must be
//! of one plan, one game and one version of its rules; a share that is there twice, or is not there, is said.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Plan, Results};

/// One of several equal parts of a plan: `3/8` is the third of eight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Share {
    /// Which, from 1.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl Share {
    /// All of it.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Whether a pair is played in this share.
    pub const fn has(self, pair: u32) -> bool {
        pair % self.of == self.number - 1
    }
}

impl Default for Share {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Share {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        match numbers {
            Some((number, of)) if 1 <= number && number <= of => Ok(Self { number, of }),
            _ => Err(format!("expected a share such as 3/8, the third of eight, found `{text}`")),
        }
    }
}

/// Why results cannot be put together.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MergeError {
    /// Nothing was given.
    #[error("there are no results to put together")]
    Nothing,
    /// They belong to different plans.
    #[error("the results of share {one} and of share {other} differ in their {what}")]
    Differ {
        /// A share.
        one: Share,
        /// Another.
        other: Share,
        /// In what they differ.
        what: &'static str,
    },
    /// A share that is there twice.
    #[error("share {0} is there twice")]
    Twice(Share),
    /// A file that holds what its plan does not ask for.
    #[error("the results of share {share} hold a pair {pair} that is not of that share")]
    Foreign {
        /// The share.
        share: Share,
        /// The number of the pair, from 1.
        pair: u32,
    },
}

impl Results {
    /// Results of shares put together, and the shares that are missing.
    pub fn merged(parts: Vec<Self>) -> Result<(Self, Vec<Share>), MergeError> {
        let mut parts = parts;
        parts.sort_by_key(|part| part.plan.share);
        let Some(first) = parts.first() else { return Err(MergeError::Nothing) };
        for part in &parts {
            let (one, other) = (first.plan.share, part.plan.share);
            if let Some(what) = difference(first, part) {
                return Err(MergeError::Differ { one, other, what });
            }
            let players = part.plan.players.len();
            let foreign = |p: &&super::Pair| {
                !other.has(p.number) || p.number >= part.plan.pairs || p.players.iter().any(|i| *i >= players)
            };
            if let Some(pair) = part.pairs.iter().find(foreign) {
                return Err(MergeError::Foreign { share: other, pair: pair.number.saturating_add(1) });
            }
        }
        if let Some(pair) = parts.windows(2).find(|pair| pair[0].plan.share == pair[1].plan.share) {
            return Err(MergeError::Twice(pair[0].plan.share));
        }
        let of = first.plan.share.of;
        let all = (1..=of).map(|number| Share { number, of });
        let missing = all.filter(|share| parts.iter().all(|part| part.plan.share != *share)).collect();
        let mut whole = Self { plan: Plan { share: Share::WHOLE, ..first.plan.clone() }, ..first.clone() };
        whole.pairs = parts.into_iter().flat_map(|part| part.pairs).collect();
        let meetings = whole.plan.meetings();
        whole.pairs.sort_by_key(|pair| (pair.number, meetings.iter().position(|m| *m == pair.players)));
        Ok((whole, missing))
    }
}

/// In what two results differ that should be of one plan.
fn difference(one: &Results, other: &Results) -> Option<&'static str> {
    let plan =
        |r: &Results| Plan { share: Share { number: 1, of: r.plan.share.of }, threads: 1, ..r.plan.clone() };
    let (a, b) = (plan(one), plan(other));
    [
        ("game", one.game != other.game),
        ("version of the rules", one.version != other.version),
        ("scenario or seats", one.scenario != other.scenario || one.sides != other.sides),
        ("players", a.players != b.players),
        ("number of shares", a.share != b.share),
        ("seed", a.seed != b.seed),
        ("number of games", a.pairs != b.pairs),
        ("plan", a != b),
    ]
    .into_iter()
    .find_map(|(what, differ)| differ.then_some(what))
}

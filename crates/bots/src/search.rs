//! Information-set tree search (single-observer ISMCTS).
//!
//! Each iteration imagines a position that fits the view, walks down a tree of what the *thinker* would
//! know, opens one new edge, plays on by habit until the position is at rest and lets the game appraise it there.
//!
//! - **Nodes are information sets of the thinker.** A node is reached by the sequence of actions as the
//!   thinker sees them: his own by what they are, those of others by [`table::Secrets::seen`]. What he cannot
//!   tell apart leads to the same node, so he cannot plan on a secret.
//! - **Edges belong to who decides.** Others choose by what is good for them, by the same rule.
//! - **Options differ** between imagined positions. An edge counts how often it could have been chosen, and
//!   is explored in proportion to that, not to the visits of its node.
//! - **Simultaneous choices** are walked with the thinker last: the others choose before they could know
//!   his choice, and he does not see theirs.
//! - **Dice and draws** are sampled: each iteration has its own.
//! - **Many options** are opened little by little as a node is visited (progressive widening), in the order
//!   in which they look one step ahead.
//! - **The tree is kept** for the seat's next decision when the view then is one that the tree foresaw.

mod tree;
mod walk;

use std::time::Duration;

use table::{Notation, Thought};

use crate::clock::Clock;
use walk::Walker;

/// How long to think.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Budget {
    /// So many iterations, shared among the threads: the answer can be repeated.
    Iterations(u32),
    /// About so long.
    Time(Duration),
}

impl Budget {
    /// So many parts of it, of so many; never nothing.
    #[must_use]
    pub fn share(self, parts: u32, of: u32) -> Self {
        match self {
            Self::Iterations(all) => {
                Self::Iterations((u64::from(all) * u64::from(parts) / u64::from(of.max(1))).max(1) as u32)
            }
            Self::Time(time) => Self::Time(time * parts / of.max(1)),
        }
    }
}

/// How a search is carried out. `README.md` says how the defaults were compared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How much the search explores what looks worse. Values are between 0 and 1.
    pub explore: f32,
    /// How much more it explores where results lie far apart: times their standard deviation.
    pub swing: f32,
    /// How many decisions at rest are made at random before the appraisal.
    pub beyond: u16,
    /// How many moves are played beyond the tree at most, by habit until the position is at rest; 0 appraises
    /// it where the tree ends.
    pub settle: u16,
    /// Of a node visited `n` times, at most `1 + widen * sqrt(n)` options are open.
    pub widen: f32,
    /// At which visit of a node its options are looked at one step ahead; 0 for never.
    pub look: u32,
    /// How much the look ahead counts against what the search found: as many visits as this.
    pub trust: f32,
    /// How much more likely imagined positions are that suit the others: a difference of 1 in their chance
    /// to win makes one `exp(weigh)` times as likely. 0 takes them as they come.
    pub weigh: f32,
    /// How many threads, each with a tree of its own.
    pub threads: u16,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            explore: 0.0,
            swing: 0.7,
            beyond: 0,
            settle: 200,
            widen: 3.0,
            look: 4,
            trust: 1.0,
            weigh: 0.0,
            threads: 1,
        }
    }
}

impl Settings {
    /// The settings that a player's name can change.
    pub const KEYS: [&'static str; 8] =
        ["explore", "swing", "beyond", "settle", "widen", "look", "trust", "weigh"];

    /// Changes a setting by its name; whether there is such a setting and such a number.
    pub fn set(&mut self, key: &str, number: &str) -> bool {
        let real = number.parse::<f32>().ok().filter(|n| n.is_finite() && *n >= 0.0);
        let whole = number.parse::<u16>().ok();
        match (key, real, whole) {
            ("explore", Some(n), _) => self.explore = n,
            ("swing", Some(n), _) => self.swing = n,
            ("beyond", _, Some(n)) => self.beyond = n,
            ("settle", _, Some(n)) => self.settle = n,
            ("widen", Some(n), _) => self.widen = n,
            ("look", _, Some(n)) => self.look = n.into(),
            ("trust", Some(n), _) => self.trust = n,
            ("weigh", Some(n), _) => self.weigh = n,
            _ => return false,
        }
        true
    }
}

/// What a search thinks of the choices, the one it would take first.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// The choices.
    pub choices: Vec<Judged>,
    /// How many iterations were made for it; iterations of a kept tree not counted.
    pub iterations: u32,
}

/// What a search thinks of one choice.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The number of the choice in the thought.
    pub choice: usize,
    /// Its notation.
    pub notation: Notation,
    /// The expected result for the seat, from 0 to 1; `None` if it was never tried.
    pub worth: Option<f32>,
    /// How often it was tried.
    pub visits: u32,
}

impl Advice {
    /// The expected result for the seat if it follows the advice.
    pub fn worth(&self) -> Option<f32> {
        self.choices.first().and_then(|c| c.worth)
    }
}

/// A search that remembers its trees from one decision to the next.
#[derive(Debug)]
pub struct Search {
    walkers: Vec<Walker>,
}

impl Search {
    /// A search with an empty memory.
    pub fn new(settings: Settings) -> Self {
        let threads = usize::from(settings.threads.max(1));
        Self { walkers: (0..threads).map(|_| Walker::new(settings)).collect() }
    }

    /// Thinks about a decision. The same thought, budget in iterations, seed and memory give the same advice.
    pub fn think(&mut self, thought: &dyn Thought, budget: Budget, seed: u64) -> Advice {
        let threads = self.walkers.len() as u32;
        let start = Clock::start();
        let run = |(number, walker): (usize, &mut Walker)| {
            let number = number as u32;
            let share = match budget {
                Budget::Iterations(all) => {
                    Budget::Iterations(all / threads + u32::from(number < all % threads))
                }
                time => time,
            };
            let seed = seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(u64::from(number));
            walker.walk(&mut *thought.boxed_clone(), share, start, seed)
        };
        let iterations: u32 = if threads == 1 {
            self.walkers.iter_mut().enumerate().map(run).sum()
        } else {
            let run = &run;
            std::thread::scope(|scope| {
                let workers: Vec<_> =
                    self.walkers.iter_mut().enumerate().map(|one| scope.spawn(move || run(one))).collect();
                let join = |worker: std::thread::ScopedJoinHandle<'_, u32>| {
                    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                };
                workers.into_iter().map(join).sum()
            })
        };
        self.advice(thought, iterations)
    }

    /// Adds up what the threads found.
    fn advice(&self, thought: &dyn Thought, iterations: u32) -> Advice {
        let mut choices: Vec<Judged> = thought
            .choices()
            .iter()
            .enumerate()
            .map(|(choice, key)| {
                let (visits, total) = self
                    .walkers
                    .iter()
                    .filter_map(|walker| walker.tried(*key))
                    .fold((0, 0.0), |(visits, total), (more, worth)| (visits + more, total + worth));
                Judged {
                    choice,
                    notation: thought.notation(choice),
                    worth: (visits > 0).then(|| (total / f64::from(visits)) as f32),
                    visits,
                }
            })
            .collect();
        choices.sort_by(|a, b| {
            let worth = |one: &Judged| one.worth.unwrap_or(0.0);
            (b.visits.cmp(&a.visits)).then(worth(b).total_cmp(&worth(a))).then(a.choice.cmp(&b.choice))
        });
        Advice { choices, iterations }
    }

    /// How many nodes the trees have.
    pub fn nodes(&self) -> usize {
        self.walkers.iter().map(Walker::nodes).sum()
    }
}

//! Many games in a row, fast: for statistics, benchmarks and balance.

use std::collections::BTreeMap;

use crate::ballot::{Offer, Options};
use crate::dice::Lots;
use crate::game::{Game, Observed};
use crate::seat::{MOST_SEATS, Seat, Viewer};
use crate::title::{Setup, SetupError};
use crate::umpire::Silent;

/// How a seat chooses. Both know only what the seat may know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pick {
    /// Any option, each as likely as the others; any amount of a range.
    Random,
    /// The option that looks best one step ahead, over a few imagined positions.
    Greedy,
}

/// What to simulate.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The set-up of every game.
    pub setup: Setup,
    /// How many games.
    pub games: u64,
    /// The number from which everything follows. Game `i` depends on it and on `i` only, so that threads
    /// can share the work.
    pub seed: u64,
    /// The first game to play, counted from 0; games are numbered from here.
    pub first: u64,
    /// How each seat chooses; seats beyond the list choose at random.
    pub picks: Vec<Pick>,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games played to their end.
    pub games: u64,
    /// Actions in all.
    pub actions: u64,
    /// Actions that were chosen among more than one option.
    pub decisions: u64,
    /// The most actions in one game.
    pub longest: u64,
    /// How often each result came.
    pub outcomes: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Adds another tally to this one.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.actions += other.actions;
        self.decisions += other.decisions;
        self.longest = self.longest.max(other.longest);
        for (result, count) in &other.outcomes {
            *self.outcomes.entry(result).or_default() += count;
        }
    }
}

/// A simulation that could not go on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stuck {
    /// The set-up does not work.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A seat must decide and has no option.
    #[error("game {game}, action {action}: {seat} must decide and can do nothing")]
    DeadEnd {
        /// The number of the game.
        game: u64,
        /// The number of the action.
        action: u64,
        /// Who is stuck.
        seat: String,
    },
    /// Nobody must decide, and the game is not over; or it goes on for ever.
    #[error("game {game} stopped after {action} actions without a result")]
    NoResult {
        /// The number of the game.
        game: u64,
        /// The number of the action.
        action: u64,
    },
}

/// Plays the games of a plan. `progress` is told after every game.
pub fn simulate<G: Game>(game: &G, plan: &Plan, progress: &mut dyn FnMut(&Tally)) -> Result<Tally, Stuck> {
    let mut tally = Tally::default();
    let mut options = Options::new();
    let longest = u64::from(game.title().longest);
    let picks: [Pick; MOST_SEATS] =
        std::array::from_fn(|i| plan.picks.get(i).copied().unwrap_or(Pick::Random));
    for number in plan.first..plan.first + plan.games {
        let mut umpire = Silent::new(plan.seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(number));
        let mut lots = Lots::new(umpire.lots.bits());
        let mut position = game.setup(&plan.setup, &mut umpire)?;
        let mut actions = 0;
        loop {
            let deciding = game.deciding(&position);
            let Some(seat) = deciding.lowest() else { break };
            // Where several decide at once, any of them may be first.
            let seat = if deciding.len() == 1 {
                seat
            } else {
                deciding.iter().nth(lots.below(deciding.len() as u32) as usize).unwrap_or(seat)
            };
            options.clear();
            game.options(&position, seat, &mut options);
            if options.is_empty() || actions >= longest {
                let seat = game.title().seat_name(seat).to_string();
                return Err(if options.is_empty() {
                    Stuck::DeadEnd { game: number, action: actions, seat }
                } else {
                    Stuck::NoResult { game: number, action: actions }
                });
            }
            let action = match picks[seat.index()] {
                Pick::Random => random(game, options.offers(), &mut lots),
                Pick::Greedy => {
                    let view = game.view(&position, Viewer::Seat(seat));
                    let observed = Observed::<G> { seat, view, offers: options.offers().to_vec() };
                    greedy(game, &observed, &mut lots)
                }
            };
            tally.decisions += u64::from(options.len() > 1);
            game.apply(&mut position, seat, action, &mut umpire);
            actions += 1;
        }
        let Some(outcome) = game.outcome(&position) else {
            return Err(Stuck::NoResult { game: number, action: actions });
        };
        tally.games += 1;
        tally.actions += actions;
        tally.longest = tally.longest.max(actions);
        *tally.outcomes.entry(outcome.headline).or_default() += 1;
        progress(&tally);
    }
    Ok(tally)
}

/// Chooses for a seat that knows no more than it may.
///
/// # Panics
/// When nothing is offered.
pub fn choose<G: Game>(game: &G, observed: &Observed<G>, pick: Pick, lots: &mut Lots) -> G::Action {
    match pick {
        Pick::Random => random(game, &observed.offers, lots),
        Pick::Greedy => greedy(game, observed, lots),
    }
}

#[inline]
pub(crate) fn random<G: Game>(game: &G, offers: &[Offer<G::Action>], lots: &mut Lots) -> G::Action {
    let offer = offers[lots.below(offers.len() as u32) as usize];
    match offer.range {
        None => offer.action,
        Some((least, most)) => {
            game.with_amount(offer.action, least + lots.below((most - least).saturating_add(1)))
        }
    }
}

/// How many positions the greedy choice imagines.
const IMAGINED: usize = 4;

fn greedy<G: Game>(game: &G, observed: &Observed<G>, lots: &mut Lots) -> G::Action {
    let seat: Seat = observed.seat;
    let imagined: Vec<_> = (0..IMAGINED).map(|_| game.imagine(&observed.view, lots)).collect();
    let candidates = observed.offers.iter().flat_map(|offer| match offer.range {
        None => vec![offer.action],
        Some((least, most)) => {
            let middle = least + (most - least) / 2;
            [least, middle, most].map(|n| game.with_amount(offer.action, n)).to_vec()
        }
    });
    let mut best: Option<(f32, G::Action)> = None;
    let dice = lots.bits();
    for action in candidates {
        let mut worth = 0.0;
        for (i, position) in imagined.iter().enumerate() {
            let mut position = position.clone();
            game.apply(&mut position, seat, action, &mut Silent::new(dice.wrapping_add(i as u64)));
            worth += game.appraise(&position, seat);
        }
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, action));
        }
    }
    best.map_or_else(|| random(game, &observed.offers, lots), |(_, action)| action)
}

//! What an old hand does without thinking, for the bots: how an action comes to its end before the position is
//! appraised.
//!
//! A position is at rest when somebody is about to choose an action. From anywhere else the action is played out: a
//! host goes where the best prize is that it can take, storms it, spends the markers that help, bears its losses
//! where they hurt least, and falls back on friends. None of this is a rule: every habit is one of the options.

use table::habits::Figure;
use table::{DataError, Offer, Options, Rules, Seat};

use crate::FirstCrusade;
use crate::action::{Action, Use};
use crate::appraise::able;
use crate::data::Space;
use crate::position::{Cause, Position, Stage, Step};

/// The figures in their order, with their bounds and steps: they stand in `data/habits.toml`.
pub(crate) const FIGURES: [Figure; 4] = [
    Figure::new("horizon", 6.0, 48.0, 6.0),
    Figure::new("worthwhile", 0.0, 1.0, 0.05),
    Figure::new("beaten", 0.0, 0.5, 0.02),
    Figure::new("dear", 1.0, 8.0, 1.0),
];

/// What the figures are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habits {
    /// How far a prize is worth going for, in spaces.
    horizon: f32,
    /// A force does not go on for less than this.
    worthwhile: f32,
    /// What a lost battle costs, in points for each point of power.
    beaten: f32,
    /// So many steps lost on the march are worth a marker of supplies.
    dear: u8,
}

impl Habits {
    pub(crate) fn read(text: &str) -> Result<Self, DataError> {
        let [horizon, worthwhile, beaten, dear] = table::habits::read(text, &FIGURES)?;
        Ok(Self { horizon, worthwhile, beaten, dear: dear as u8 })
    }

    /// The figures with what they are, for the tuner.
    pub(crate) fn figures(&self) -> Vec<(Figure, f32)> {
        FIGURES.into_iter().zip([self.horizon, self.worthwhile, self.beaten, self.dear.into()]).collect()
    }
}

impl FirstCrusade {
    pub(crate) fn usual(&self, p: &Position, seat: Seat, room: &mut Options<Action>) -> Option<Action> {
        let step = *p.agenda.now()?;
        if step == Step::Choose {
            return None;
        }
        self.options(p, seat, room);
        let offers = room.offers();
        let first = |wanted: &dyn Fn(Action) -> bool| actions(offers).find(|a| wanted(*a));
        let play = |wanted: Use| first(&|a| matches!(a, Action::Play(_, used) if used == wanted));
        let habit = match step {
            Step::Shields => play(Use::Actions).or(first(&|a| a == Action::Done)),
            Step::Council => play(Use::Peace).or(first(&|a| a == Action::Done)),
            Step::Battle(Stage::Eve) => play(Use::Treachery).or(first(&|a| a == Action::Done)),
            Step::Battle(Stage::Dawn) => play(Use::Edge).or(first(&|a| a == Action::Done)),
            Step::Force => first(&|a| a == Action::Roll),
            Step::March => self.onward(p, offers),
            Step::Gate => first(&|a| a == Action::Assault),
            Step::Losses { left, cause } => {
                let fed = if cause == Cause::March && left >= self.habits.dear {
                    play(Use::Supplies)
                } else {
                    None
                };
                fed.or(first(&|a| a == Action::Allot)).or(first(&|a| matches!(a, Action::Lose(_))))
            }
            Step::Strikes { .. } => first(&|a| a == Action::Allot),
            Step::Rally { space, .. } => {
                let best = self.strongest(self.one_of_each(p, self.wounded(p, space)));
                best.map(Action::Restore).filter(|a| actions(offers).any(|b| b == *a))
            }
            Step::Withdraw => {
                let to = |a: &Action| if let Action::Withdraw(s) = a { Some(*s) } else { None };
                // Nobody can be dearer to a beaten host than those who are still whole.
                let shelter = |s: Space| (self.is_fort(p, s), self.steps(p, self.christians(p, s)));
                actions(offers).filter(|a| to(a).is_some()).max_by_key(|a| to(a).map(shelter))
            }
            Step::Landing(_) => actions(offers).max_by_key(|a| match a {
                Action::Place(s) => self.steps(p, self.christians(p, *s)),
                _ => 0,
            }),
            Step::Crowded { space } => actions(offers).min_by_key(|a| match a {
                Action::GiveUp(f) => self.steps(p, self.christians(p, space) & self.family(*f)),
                _ => u8::MAX,
            }),
            Step::Named(_) => actions(offers).min_by_key(|a| match a {
                Action::Name(u) => self.components.units[*u].factor(p.reduced.has(*u)),
                _ => u8::MAX,
            }),
            Step::Hunger { .. } => play(Use::Supplies).or(first(&|a| a == Action::Endure)),
            _ => None,
        };
        habit.or_else(|| actions(offers).next())
    }

    /// Where a force goes, or that it stops.
    fn onward(&self, p: &Position, offers: &[Offer<Action>]) -> Option<Action> {
        let m = p.march.as_ref()?;
        let power = self.power(p, m.force);
        let stop = actions(offers).find(|a| *a == Action::Stop);
        let stay = if stop.is_some() { self.drawn_to(p, m.at, power, m.sea) } else { f32::MIN };
        let goal = |a: Action| match a {
            Action::Go(s) | Action::Cross(s) => Some((a, self.drawn_to(p, s, power, m.sea))),
            _ => None,
        };
        let best = actions(offers).filter_map(goal).max_by(|a, b| a.1.total_cmp(&b.1));
        match best {
            Some((go, worth)) if worth > stay + self.habits.worthwhile => Some(go),
            Some((go, _)) if stop.is_none() => Some(go),
            _ => stop,
        }
    }

    /// What a force of this power hopes for that ends its march in a space: a prize there, and those beyond.
    fn drawn_to(&self, p: &Position, s: Space, power: f32, sea: bool) -> f32 {
        let c = &self.components;
        let dice = f32::from(p.reaction);
        let chance = |guarded: bool| match (guarded, sea) {
            (false, _) => 1.0,
            (true, true) => 0.0,
            (true, false) => able(power, dice),
        };
        let guarded = self.muslims(p, s).any();
        let here = if c.fortresses.has(s) && self.holder(p, s).is_none() {
            f32::from(self.stake(p, s)) * chance(guarded)
        } else {
            0.0
        };
        let risk = if guarded { (1.0 - chance(true)) * power * self.habits.beaten } else { 0.0 };
        let beyond = c.fortresses.iter().filter(|t| *t != s && self.holder(p, *t).is_none()).map(|t| {
            let near = c.apart[s][t].map_or(0.0, |far| (1.0 - f32::from(far) / self.habits.horizon).max(0.0));
            f32::from(self.stake(p, t)) * chance(self.muslims(p, t).any()) * near
        });
        here + 0.5 * beyond.fold(0.0, f32::max) - risk
    }
}

fn actions(offers: &[Offer<Action>]) -> impl Iterator<Item = Action> {
    offers.iter().map(|offer| offer.action)
}

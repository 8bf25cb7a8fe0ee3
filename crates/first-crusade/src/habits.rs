//! What an old hand does without thinking, for the bots: how an action comes to its end before the position is
//! appraised.
//!
//! A position is at rest when somebody is about to choose an action. From anywhere else the action is played out: a
//! host goes where the best prize is that it can take, storms it, spends the markers that help, bears its losses
//! where they hurt least, and falls back on friends. None of this is a rule: every habit is one of the options.

use table::{Offer, Options, Rules, Seat};

use crate::FirstCrusade;
use crate::action::{Action, Use};
use crate::appraise::able;
use crate::data::Space;
use crate::position::{Cause, Position, Stage, Step};

/// How far a prize is worth going for, in spaces.
const HORIZON: f32 = 24.0;
/// A force does not go on for less than this.
const WORTHWHILE: f32 = 0.05;
/// What a lost battle costs, in points for each point of power.
const BEATEN: f32 = 0.08;
/// So many steps lost on the march are worth a marker of supplies.
const DEAR: u8 = 3;

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
                let fed = if cause == Cause::March && left >= DEAR { play(Use::Supplies) } else { None };
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
            Some((go, worth)) if worth > stay + WORTHWHILE => Some(go),
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
        let risk = if guarded { (1.0 - chance(true)) * power * BEATEN } else { 0.0 };
        let beyond = c.fortresses.iter().filter(|t| *t != s && self.holder(p, *t).is_none()).map(|t| {
            let near = c.apart[s][t].map_or(0.0, |far| (1.0 - f32::from(far) / HORIZON).max(0.0));
            f32::from(self.stake(p, t)) * chance(self.muslims(p, t).any()) * near
        });
        here + 0.5 * beyond.fold(0.0, f32::max) - risk
    }
}

fn actions(offers: &[Offer<Action>]) -> impl Iterator<Item = Action> {
    offers.iter().map(|offer| offer.action)
}

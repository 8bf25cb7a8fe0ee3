//! Standing orders: answers by odds and life, defensive fire, who takes hits, pleas; and formations that are ordered
//! as one, whose plan the position itself holds \[T33\].

use serde::{Deserialize, Serialize};
use table::rooms::*;
use table::{Notation, Options, OrderOffer, OrderState, ReadError, Seat};

use super::action::Action;
use super::position::Prelude;
use super::view::View;
use super::{Skirmish, side_of};
use crate::data::Shot;
use crate::deed::Deed;
use crate::field::{Field, Order, Step};
use crate::ids::Side;

/// A standing order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StandingOrder {
    /// Answer attacks as it looks best by odds and life.
    AnswerBest,
    /// Counter-attack when at least as strong, else dodge.
    AnswerProudly,
    /// Withdraw with whoever has less than half of his life, else as it looks best.
    SpareWounded,
    /// Shoot at everybody who comes within sight.
    ShootAll,
    /// Shoot where at least three of ten dice hit.
    ShootWell,
    /// Shoot at nobody who moves.
    HoldFire,
    /// Hits go where they do most harm.
    HitWorst,
    /// Retreat where it is safest.
    RetreatWell,
    /// Never advance after a combat.
    Stand,
    /// Advance after a combat where it can be done.
    Pursue,
    /// Plead for mercy with a knight or commander who would be killed by the next blow.
    PleadLate,
    /// Spare whoever pleads.
    Spare,
}

/// The orders, their notation, label and hint.
const ORDERS: [(StandingOrder, &str, &str, &str); 12] = [
    (
        StandingOrder::AnswerBest,
        "answer best",
        "Answer attacks as it looks best",
        "Your men counter-attack, dodge or withdraw by the odds and the life that they have left",
    ),
    (
        StandingOrder::AnswerProudly,
        "answer proudly",
        "Counter-attack or dodge, never withdraw",
        "Your men counter-attack when they are at least as strong, and dodge otherwise",
    ),
    (
        StandingOrder::SpareWounded,
        "spare the wounded",
        "Withdraw with the wounded",
        "A man with less than half of his life withdraws if he can; this goes before your other orders for answers",
    ),
    (
        StandingOrder::ShootAll,
        "shoot all",
        "Shoot at whoever moves",
        "Each of your shooters takes the best shot at the first enemy who comes within sight",
    ),
    (
        StandingOrder::ShootWell,
        "shoot well",
        "Shoot at whoever moves, if it is a good shot",
        "Your shooters wait for a shot that hits with at least three of ten dice",
    ),
    (StandingOrder::HoldFire, "hold fire", "Do not shoot at moving men", "Your shooters keep their arrows"),
    (
        StandingOrder::HitWorst,
        "hit the worst",
        "Hits go where they hurt most",
        "Where you choose who takes hits, it is the one whom they harm most",
    ),
    (
        StandingOrder::RetreatWell,
        "retreat well",
        "Retreat by themselves",
        "Your men retreat where it is safest",
    ),
    (StandingOrder::Stand, "never advance", "Never advance after a combat", "Your men stay where they are"),
    (StandingOrder::Pursue, "always advance", "Advance after a combat", "Your men advance where they can"),
    (
        StandingOrder::PleadLate,
        "plead late",
        "Plead for mercy at the last moment",
        "A knight or commander whom the attack would probably kill pleads with the nearest enemy who may grant it",
    ),
    (StandingOrder::Spare, "spare", "Spare whoever pleads", "You take prisoners, who count double"),
];

impl Ordered for Skirmish {
    type Order = StandingOrder;

    fn obey(&self, view: &View, orders: &[StandingOrder]) -> Option<Action> {
        let seat = view.viewer.seat().filter(|seat| view.deciding.contains(*seat))?;
        if view.open.prelude != Prelude::Past {
            return None;
        }
        let f = &view.open.field;
        if let Some(deed) = self.formation(f, seat) {
            return Some(Action::Field(deed));
        }
        let side = side_of(seat);
        let given = orders.iter().find_map(|order| self.ordered(f, side, *order));
        given.map(Action::Field)
    }

    fn orders(&self, view: &View) -> Vec<OrderOffer<StandingOrder>> {
        if view.viewer.seat().is_none() || view.open.field.ended.is_some() {
            return Vec::new();
        }
        let offer = |(order, _, label, hint): &(StandingOrder, &str, &str, &str)| OrderOffer {
            order: *order,
            label: (*label).to_string(),
            hint: (*hint).to_string(),
        };
        ORDERS.iter().map(offer).collect()
    }

    fn stands(&self, view: &View, _: &StandingOrder) -> OrderState {
        if view.open.field.ended.is_some() { OrderState::Expired } else { OrderState::Stands }
    }

    fn write_order(&self, order: &StandingOrder) -> Notation {
        Notation::new(ORDERS.iter().find(|(o, ..)| o == order).map_or("", |(_, text, ..)| text))
    }

    fn read_order(&self, text: &str) -> Result<StandingOrder, ReadError> {
        let known = ORDERS.iter().find(|(_, t, ..)| *t == text.trim()).map(|(order, ..)| *order);
        let all = || ORDERS.iter().map(|(_, text, ..)| format!("`{text}`")).collect::<Vec<_>>().join(", ");
        known.ok_or_else(|| ReadError::new(format!("`{text}`"), format!("one of {}", all())))
    }
}

impl Skirmish {
    /// What the formation that has its order does next, if it has anything to do \[T33\].
    fn formation(&self, f: &Field, seat: Seat) -> Option<Deed> {
        let (leader, order) = f.ordered.filter(|(leader, _)| f.man(*leader).side == side_of(seat))?;
        let t = &self.tactics;
        match f.step() {
            Step::Fire if order == Order::Shoot => {
                let shot = t.routine_fire(f, Some(leader), &mut Options::<Deed>::new());
                Some(shot).filter(|deed| *deed != Deed::Done)
            }
            Step::Move if order != Order::Shoot => {
                let next = t.routine_move(f, f.active, Some((leader, order)));
                Some(next).filter(|deed| matches!(deed, Deed::Take(_)))
            }
            Step::March(man) if f.man(man).leader == leader && order != Order::Shoot => {
                Some(t.routine_step(f, man, Some(order)))
            }
            _ => None,
        }
    }

    /// What one standing order says now.
    fn ordered(&self, f: &Field, side: Side, order: StandingOrder) -> Option<Deed> {
        let t = &self.tactics;
        match (f.step(), order) {
            (Step::Answer, StandingOrder::AnswerBest) => t.routine(f, &mut Options::<Deed>::new()),
            (Step::Answer, StandingOrder::AnswerProudly) => {
                let stronger = t.may_counter(f).is_ok() && t.counter_force(f) >= t.attack_force(f);
                Some(if stronger { Deed::Counter } else { Deed::Dodge })
            }
            (Step::Answer, StandingOrder::SpareWounded) => {
                let wounded = f.fight.defenders.iter().any(|man| t.wounded(f.man(*man)));
                (wounded && t.may_withdraw(f).is_ok()).then_some(Deed::Withdraw)
            }
            (Step::Answer, StandingOrder::PleadLate) => {
                let doomed = f.fight.defenders.iter().copied().find(|man| {
                    let attack = t.attack_force(f) + 9;
                    let dodge = t.dodge_force(f, *man) * 2;
                    attack.saturating_sub(dodge) >= u16::from(f.man(*man).life)
                })?;
                let foes = f.of(side.foe()).filter(|(foe, _)| t.may_plead(f, doomed, *foe).is_ok());
                let to = foes.min_by_key(|(foe, _)| f.apart(doomed, *foe))?;
                Some(Deed::Plea(f.man(doomed).who, to.1.who))
            }
            (Step::Shots(_), StandingOrder::HoldFire) => Some(Deed::Done),
            (Step::Shots(man), StandingOrder::ShootAll) => {
                Some(t.best_shot(f, man, &mut Options::<Deed>::new()))
            }
            (Step::Shots(man), StandingOrder::ShootWell) => {
                let shot = t.best_shot(f, man, &mut Options::<Deed>::new());
                let Deed::Shoot(who, _, Some(at)) = shot else { return Some(Deed::Done) };
                let shooter = f.find(who)?;
                let (from, weapon) = (f.man(shooter).at?, t.weapon(f, shooter)?);
                let aim = t.aim(f, Some(shooter), weapon, from, man, at, &mut |_, _, _| {});
                let hits = (1..=10).filter(|die| matches!(t.result(aim, *die), Shot::Hit(_))).count();
                Some(if hits >= 3 { shot } else { Deed::Done })
            }
            (Step::Victim(own), StandingOrder::HitWorst) if own == side => {
                t.routine(f, &mut Options::<Deed>::new())
            }
            (Step::Retreat(..), StandingOrder::RetreatWell) => t.routine(f, &mut Options::<Deed>::new()),
            (Step::Advance, StandingOrder::Stand) => Some(Deed::Stay),
            (Step::Advance, StandingOrder::Pursue) => {
                let man = f.fight.advancing.iter().copied().find(|man| f.man(*man).stands())?;
                t.advances(f, man).next().map(|(deed, _)| deed)
            }
            (Step::Mercy(..), StandingOrder::Spare) => Some(Deed::Grant),
            _ => None,
        }
    }
}

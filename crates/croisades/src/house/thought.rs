//! What is worth a thought of somebody who searches: what an old hand would do, and what looks nearly as good to him.
//!
//! A battle has hundreds of small decisions, and a search that looks at all of them once sees mostly its own dice. So
//! whole formations are thought about where there is a leader who can order them \[T33\]; habits carry the orders out.

use crate::deed::Deed;
use crate::field::{Engine, EngineKind, Field, Marks, Order, Party, Step};
use crate::house::POINT;
use crate::ids::{Man, Place};
use crate::tactics::Tactics;

impl Tactics {
    /// Whether something that may be done now is worth a thought.
    pub fn worth_a_thought(&self, f: &Field, deed: Deed) -> bool {
        match (f.step(), deed) {
            (_, Deed::Retreat | Deed::GiveUp | Deed::ShootHorse(..) | Deed::KillHorse(..)) => false,
            (Step::Initiative(side), _) => {
                deed == if f.defender() == Some(side) { Deed::Second } else { Deed::First }
            }
            // The line-up is good enough.
            (Step::Deploy(..), _) => matches!(deed, Deed::Ready | Deed::Halt),
            (Step::Fire, Deed::Order(who, _)) => f.find(who) == self.next_formation(f),
            (Step::Fire, _) => self.next_formation(f).is_none(),
            // At a wall one formation waits for another: all go as an old hand would let them.
            (Step::Move, _) if f.siege.is_some() => deed == self.routine_move(f, f.active, None),
            (Step::March(man), _) if f.siege.is_some() => deed == self.routine_step(f, man, None),
            (Step::Move, Deed::Push(..)) => self.routine_push(f) == Some(deed),
            (Step::Move, _) if self.routine_push(f).is_some() => false,
            // Where to go is a matter of habit: one who looks at a few dice does not see it better.
            (Step::Move, Deed::Order(who, order)) => {
                order == Order::Close && f.find(who) == self.next_formation(f)
            }
            (Step::Move, Deed::Take(who)) => {
                self.next_formation(f).is_none()
                    && f.find(who).is_some_and(|man| {
                        !f.man(f.man(man).leader).is(Marks::ORDERED) && self.wants_to_move(f, man, None)
                    })
            }
            (Step::Move, _) => self.next_formation(f).is_none(),
            (Step::March(_), Deed::Halt) => true,
            (Step::March(man), _) => self.routine_step(f, man, self.order_of(f, man)) == deed,
            (Step::Shots(mover), Deed::Shoot(who, _, Some(at))) => self.is_best_point(f, mover, who, at),
            // A shot is not saved for a better one.
            (Step::Shots(_), _) => false,
            (Step::Combat, Deed::Attack(who, target)) => {
                let (Some(man), Some(foe)) = (f.find(who), f.find(target)) else { return false };
                // Whoever begins it, all join.
                let first = f.of(f.active).find(|(other, _)| {
                    self.may_attack(f, *other).is_ok()
                        && self.can_hit(f, *other, foe).is_ok()
                        && self.commanded(f, *other)
                });
                first.is_some_and(|(first, _)| first == man) && self.attack_worth(f, man, foe) > 0
            }
            // What looks good is done: the question is what first.
            (Step::Combat, Deed::Done) => !self.has_good_attack(f),
            (Step::Attack, _) => match f.of(f.active).find(|(man, _)| self.may_join(f, *man).is_ok()) {
                Some((_, soldier)) => deed == Deed::With(soldier.who),
                None => deed == Deed::Strike,
            },
            (Step::Answer, _) => {
                let worth = self.answer_worth(f);
                let at_stake: i32 =
                    f.fight.defenders.iter().map(|man| i32::from(self.card(f.man(*man)).cost)).sum();
                let best = worth.iter().flatten().max().copied().unwrap_or(0);
                let own = match deed {
                    Deed::Counter => worth[0],
                    Deed::Dodge => worth[1],
                    Deed::Withdraw => worth[2],
                    _ => None,
                };
                own.is_some_and(|own| own + at_stake * POINT / 24 >= best)
            }
            (Step::Mercy(..), _) => deed == Deed::Grant,
            (Step::Victim(_), Deed::Hit(who)) => {
                let worth = |man: &Man| self.harm(f, *man, f.fight.hits.max(4));
                let hit = |party: &Party| party.iter().any(|man| f.man(*man).who == who);
                let fight = &f.fight;
                let losers = if hit(&fight.attackers) { &fight.attackers } else { &fight.defenders };
                let most = losers.iter().map(worth).max();
                f.find(who).is_some_and(|man| Some(worth(&man)) == most)
            }
            (Step::Advance, _) => deed == self.routine_advance(f),
            _ => true,
        }
    }

    /// Whether somebody could make an attack that promises something, or the ram strike.
    fn has_good_attack(&self, f: &Field) -> bool {
        let besieges = f.siege.is_some_and(|siege| siege.defender != f.active);
        let ram = |engine: &Engine| engine.kind == EngineKind::Ram && !engine.done;
        besieges && f.engines().any(|(_, engine)| ram(engine))
            || f.of(f.active).any(|(man, _)| {
                self.may_attack(f, man).is_ok()
                    && self.commanded(f, man)
                    && self.foes_beside(f, man).any(|foe| self.attack_worth(f, man, foe) > 0)
            })
    }

    /// The order that a man follows in this movement, if his formation has one.
    pub(super) fn order_of(&self, f: &Field, man: Man) -> Option<Order> {
        let (leader, order) = f.ordered?;
        (f.man(man).leader == leader && order != Order::Shoot).then_some(order)
    }

    /// The leader whose formation comes next: the first who can give an order and has given none in this phase.
    fn next_formation(&self, f: &Field) -> Option<Man> {
        let mut leaders = f.of(f.active).filter(|(man, m)| m.leader == *man && self.leads_men(f, *man));
        leaders.find(|(_, m)| m.steady() && !m.is(Marks::ORDERED)).map(|(man, _)| man)
    }

    /// Whether a shooter hits a man who has halted nowhere on his way better than there: of equal places, the first.
    fn is_best_point(&self, f: &Field, mover: Man, who: crate::ids::Who, at: Place) -> bool {
        let Some(man) = f.find(who) else { return false };
        let (Some(from), Some(weapon)) = (f.man(man).at, self.weapon(f, man)) else { return false };
        let worth = |at: Place| {
            let aim = self.aim(f, Some(man), weapon, from, mover, at, &mut |_, _, _| {});
            self.shot_worth(f, aim, mover)
        };
        let here = worth(at);
        let mut earlier = true;
        for way in f.march.path.iter().skip(1) {
            earlier &= way.at != at;
            let better = |there: i32| there > here || earlier && there == here;
            if way.at != at && better(worth(way.at)) && self.reaches(f, weapon, from, way.at).is_ok() {
                return false;
            }
        }
        here > 0
    }
}

//! What an old hand does without thinking, for the bots: how a position comes to rest before it is appraised, and what
//! is worth a thought at all.
//!
//! A position is at rest when cards are laid, an order is placed, or somebody is to activate. From anywhere else it is
//! played on: parts of a deed are done, armies march where they are stronger, the weaker side reacts if that helps, and
//! losses fall on those who matter least. None of this is a rule: every habit is one of the options.

use table::{Lots, Offer, Options, Rules as _, Seat};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::data::{Effect, Whose};
use crate::ids::{Army, Event, Piece, Region, Unit};
use crate::position::{Chore, Deed, Position, Step};

/// An army attacks if it is stronger than the enemy by more than this.
const BOLD: i16 = 1;

impl ThirdCrusade {
    pub(crate) fn usual(
        &self,
        p: &Position,
        seat: Seat,
        room: &mut Options<Action>,
        lots: &mut Lots,
    ) -> Option<Action> {
        let step = *p.open.agenda.now()?;
        if matches!(step, Step::Lay | Step::Plan { .. } | Step::Command { .. } | Step::Over) {
            return None;
        }
        room.clear();
        self.options(p, seat, room);
        let offers = room.offers();
        let army = Army::of(seat);
        let best = |worth: &dyn Fn(Action) -> i16| {
            offers.iter().max_by_key(|offer| worth(offer.action)).map(|offer| offer.action)
        };
        let habit = match step {
            Step::Market { .. } => best(&|action| match action {
                Action::Pick(event) => self.market_worth(p, army, event),
                _ => 0,
            }),
            Step::Deed(deed) => best(&|action| self.part_worth(p, &deed, action)),
            Step::March => best(&|action| self.march_worth(p, army, action)),
            Step::Bandits(_) | Step::Losses(_) | Step::Starve { .. } => best(&|action| match action {
                Action::Lose(piece, at) => self.loss_worth(p, army, piece, at),
                _ => 0,
            }),
            Step::Excess { .. } => best(&|action| match action {
                Action::Send(piece) => self.loss_worth(p, army, piece, self.components.jerusalem),
                _ => 0,
            }),
            Step::Retreat => best(&|action| match action {
                Action::Go(to) => 2 + i16::from(self.side_presence(&p.open, to, army.side())),
                _ => 0,
            }),
            Step::Battle => self.reaction_by_habit(p, army, offers),
            Step::Bids => Some(Action::Bid(p.open.gold[army] / 3)),
            Step::Reward { .. } | Step::Bestow { .. } => best(&|action| self.reward_worth(p, army, action)),
            Step::Upkeep(Chore::Tithe) => best(&|action| i16::from(action != Action::Done)),
            Step::Upkeep(Chore::Buy) => best(&|action| i16::from(action != Action::Done)),
            Step::Reveal => best(&|action| match action {
                Action::Reveal(objective) => self.objective_glory(&p.open, army, objective).into(),
                _ => 0,
            }),
            _ => None,
        };
        habit.or_else(|| lots.pick(offers).map(|offer| offer.action))
    }

    /// Points for the one who selects, less what the card is worth to its owner.
    fn market_worth(&self, p: &Position, army: Army, event: Event) -> i16 {
        let sheet = &self.components.events[event];
        let slot = p.open.rows[sheet.army].iter().position(|e| *e == Some(event)).unwrap_or(0);
        let cost: i16 =
            sheet.parts.iter().filter(|part| !part.crown).map(|part| effect_worth(&part.effect)).sum();
        4 * i16::from(self.worth(&p.open, army, slot)) - cost
    }

    /// What a step of a deed promises; nothing for leaving it at that.
    fn part_worth(&self, p: &Position, deed: &Deed, action: Action) -> i16 {
        let (number, more) = match action {
            Action::Part(n) | Action::Gain(n, _) | Action::Slay(n, _) | Action::Road(n, _) => (n, 1),
            Action::March(n, from) => (n, i16::from(p.open.lands[from].all_units()) - 2),
            Action::Place(n, at, k) => (n, i16::from(k) + self.frontier(p, deed.army, at)),
            Action::Spot(n, at, slot) => {
                let pays = i16::from(self.slot_icon(&p.open, at, slot).is_some());
                let own = self.side_presence(&p.open, at, deed.army.side());
                let repairs = p.open.works[at].sabotage >> table::Id::number(slot) & 1 == 1;
                (n, if own == repairs { 1 + pays } else { -20 })
            }
            Action::Remove(n, _, Piece::Unit(_, unit)) => (n, 1 + unit as i16),
            Action::Settle(n, ..) => (n, 1),
            Action::Replace(..) => return -1,
            Action::Crown => return 1,
            _ => return 0,
        };
        let part = self.parts(deed.source)[usize::from(number)];
        effect_worth(&part.effect) + more
    }

    /// Whether enemies stand next to a region.
    fn frontier(&self, p: &Position, army: Army, region: Region) -> i16 {
        let enemy = army.side().other();
        let near = self.beside(&p.open, region);
        i16::from(near.iter().any(|r| self.side_presence(&p.open, r, enemy)))
    }

    /// Marches go where something is to be had and the enemy is weaker.
    fn march_worth(&self, p: &Position, army: Army, action: Action) -> i16 {
        let (Some(march), Action::Go(to)) = (&p.open.march, action) else {
            return if action == Action::Halt { 0 } else { -1 };
        };
        let pays: i16 = self.icons(&p.open, to).iter().map(|n| i16::from(*n)).sum::<i16>()
            + i16::from(self.components.cities.has(to));
        if self.side_presence(&p.open, to, army.side().other()) {
            let own = i16::from(self.power(&p.open, &march.group, to)) + i16::from(march.strength);
            let foe = i16::from(self.power(&p.open, &p.open.lands[to], to));
            return if own > foe + BOLD { 4 + pays + (own - foe).min(4) } else { -5 };
        }
        // Leaving what pays for what pays no better is not worth the way.
        let leaves: i16 = self.icons(&p.open, march.from).iter().map(|n| i16::from(*n)).sum();
        let held = self.side_presence(&p.open, to, army.side());
        if held { -1 } else { pays - leaves }
    }

    /// Whose loss matters least.
    fn loss_worth(&self, p: &Position, army: Army, piece: Piece, at: Region) -> i16 {
        match piece {
            Piece::Unit(owner, unit) => {
                let own = i16::from(owner == army.owner());
                let last = i16::from(p.open.lands[at].count(owner) == 1);
                let worth = match unit {
                    Unit::Infantry => 1,
                    Unit::Cavalry => 2,
                    Unit::Siege => 3,
                };
                10 - 2 * worth - own - 3 * last
            }
            Piece::Leader(_) => -5,
        }
    }

    /// The weaker side reacts if that can turn the battle, and leaves if nothing can.
    fn reaction_by_habit(&self, p: &Position, army: Army, offers: &[Offer<Action>]) -> Option<Action> {
        let battle = p.open.battle.as_ref()?;
        let side = army.side();
        let own = self.might(&p.open, battle, side).sum();
        let foe = self.might(&p.open, battle, side.other()).sum();
        let short = i16::from(foe) - i16::from(own) + i16::from(battle.attacker.side() == side);
        let gain = |action: Action| -> i16 {
            let Action::React(at, _) = action else { return 0 };
            let Some(order) = p.hidden.orders[side][at] else { return 0 };
            match self.components.orders[order].parts.first().map(|part| part.effect) {
                Some(Effect::Defence(n)) => n.into(),
                Some(Effect::Reinforce(n)) => i16::from(n * p.open.lands[at].all_units()),
                Some(Effect::Diversion) => 2,
                Some(Effect::TacticalRetreat) if short > 3 => 20,
                _ => 0,
            }
        };
        let all: i16 = offers.iter().map(|offer| gain(offer.action)).sum();
        if all < short {
            return Some(Action::Decline);
        }
        offers.iter().map(|offer| offer.action).max_by_key(|action| gain(*action))
    }

    fn reward_worth(&self, p: &Position, army: Army, action: Action) -> i16 {
        let Action::Reward(number) = action else { return 0 };
        let Some(treaty) = p.open.treaty else { return 0 };
        let parts = &self.components.treaties[treaty].rewards[usize::from(number)];
        let worth: i16 = parts.iter().map(|part| effect_worth(&part.effect)).sum();
        match p.open.agenda.now() {
            // An enemy gets what is worth least.
            Some(Step::Bestow { army: to, .. }) if to.side() != army.side() => -worth,
            _ => worth,
        }
    }

    /// Whether an option is worth a thought.
    pub(crate) fn counsels(&self, p: &Position, army: Army, action: Action) -> bool {
        match action {
            Action::Take(order) => {
                let sheet = &self.components.orders[order];
                let blank = sheet.parts.iter().any(|part| part.effect == Effect::Blank);
                !blank && self.placed_cost(p, army) + sheet.cost <= p.open.command[army]
            }
            Action::Set(region) => {
                let Some(order) = p.hidden.ready[army] else { return true };
                let sheet = &self.components.orders[order];
                self.meets(&p.open, region, army, sheet.presence)
                    && self.is(&p.open, region, sheet.sort)
                    && self.is_promising(p, army, order, region)
            }
            Action::Place(n, region, k) => {
                let Some(Step::Deed(deed)) = p.open.agenda.now() else { return true };
                match self.parts(deed.source)[usize::from(n)].effect {
                    Effect::Muster { unit, n: all, whose, .. } => {
                        let pool =
                            if whose == Whose::Own { self.in_pool(&p.open, army, unit) } else { u8::MAX };
                        k >= all.min(self.room(&p.open, region, unit.shape())).min(pool)
                            || matches!(deed.source, crate::position::Source::Space(_))
                    }
                    _ => true,
                }
            }
            Action::Leave(piece) => {
                // A garrison, and no more.
                let Some(march) = &p.open.march else { return true };
                let stays = p.open.lands[march.from].size() - march.group.size();
                stays == 0 && matches!(piece, Piece::Unit(_, Unit::Infantry))
            }
            Action::Replace(..) => false,
            _ => true,
        }
    }

    /// What the orders of an army on the map cost.
    pub(crate) fn placed_cost(&self, p: &Position, army: Army) -> u8 {
        let side = army.side();
        let own = p.open.orders[side].iter().filter(|(_, placed)| placed.is_some_and(|x| x.army == army));
        own.filter_map(|(region, _)| p.hidden.orders[side][region])
            .map(|order| self.components.orders[order].cost)
            .sum()
    }

    /// Whether an order has anything to do in a region.
    fn is_promising(&self, p: &Position, army: Army, order: crate::ids::Order, region: Region) -> bool {
        let effect = self.components.orders[order].parts.first().map(|part| part.effect);
        match effect {
            Some(Effect::Repair { .. }) => p.open.works[region].sabotage != 0,
            Some(Effect::Defence(_) | Effect::TacticalRetreat | Effect::Diversion | Effect::Reinforce(_)) => {
                self.frontier(p, army, region) > 0
            }
            _ => true,
        }
    }
}

/// What an effect is about worth, in small coin.
fn effect_worth(effect: &Effect) -> i16 {
    match *effect {
        Effect::Glory(n) => 6 * i16::from(n),
        Effect::Faith(n) => 3 * i16::from(n),
        Effect::Gold(n) => i16::from(n),
        Effect::BaseCommand(n) => 4 * i16::from(n),
        Effect::Command(n) => 2 * i16::from(n),
        Effect::AdvancedOrder(n) => 2 * i16::from(n),
        Effect::DiplomacyMove(n) => 3 * i16::from(n),
        Effect::Muster { n, unit, .. } => i16::from(n) * (2 + unit as i16),
        Effect::RemoveUnit { n, .. } => 3 * i16::from(n),
        Effect::PlaceLeader { .. } | Effect::NeutralLeader { .. } | Effect::RemoveLeader { .. } => 5,
        Effect::PlaceToken { n, .. } => 2 * i16::from(n),
        Effect::RemoveToken { n, .. } | Effect::Sabotage { n, .. } | Effect::Repair { n, .. } => {
            2 * i16::from(n)
        }
        Effect::DestroyPort { .. } => 2,
        Effect::Bandit(n) | Effect::RemoveBandit(n) => i16::from(n),
        Effect::March { strength, .. } => 3 + i16::from(strength),
        Effect::FlipLeader(_) => 1,
        Effect::Defence(_)
        | Effect::Reinforce(_)
        | Effect::Diversion
        | Effect::TacticalRetreat
        | Effect::Blank => 0,
    }
}

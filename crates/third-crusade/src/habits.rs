//! What an old hand does without thinking, for the bots: how a position comes to rest before it is appraised.
//!
//! A position is at rest when cards are laid or an order is placed. From anywhere else the round is played to its end:
//! what promises most is executed first, parts of a deed are done, armies march where they are stronger and leave a
//! garrison, the weaker side reacts if that helps, and losses fall on those who matter least. None of this is a rule:
//! every habit is one of the options.

use table::{Lots, Offer, Options, Rules as _, Seat};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::data::{Effect, Whose};
use crate::ids::{Army, Event, Icon, Piece, Region, Unit};
use crate::position::{Deed, March, Position, Step};
use crate::worth::effect_worth;

impl ThirdCrusade {
    pub(crate) fn usual(
        &self,
        p: &Position,
        seat: Seat,
        room: &mut Options<Action>,
        lots: &mut Lots,
    ) -> Option<Action> {
        let step = *p.open.agenda.now()?;
        if matches!(step, Step::Lay | Step::Plan { .. } | Step::Over) {
            return None;
        }
        room.clear();
        self.options(p, seat, room);
        let offers = room.offers();
        let army = Army::of(seat);
        let best = |worth: &dyn Fn(Action) -> i16| {
            offers.iter().max_by_key(|offer| worth(offer.action)).map(|offer| offer.action)
        };
        let busy = |action: Action| i16::from(action != Action::Done);
        let habit = match step {
            Step::Market { .. } => best(&|action| match action {
                Action::Pick(event) => self.market_worth(p, army, event),
                _ => 0,
            }),
            Step::Command { .. } => {
                let spare = self.spare_supply(&p.open, army);
                best(&|action| self.activation_worth(p, army, action, spare))
            }
            Step::Deed(deed) => {
                let spare = self.spare_supply(&p.open, army);
                best(&|action| self.part_worth(p, &deed, action, spare))
            }
            Step::March => p.open.march.as_ref().and_then(|march| self.march_by_habit(p, march, offers)),
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
            Step::Advance { .. } => best(&|action| match action {
                Action::Advance(space) => {
                    let parts = self.components.spaces[space].parts.iter();
                    parts.map(|part| effect_worth(&part.effect)).sum()
                }
                _ => 0,
            }),
            Step::Upkeep(_) | Step::Deploy { .. } => best(&busy),
            Step::Land { .. } => best(&|action| i16::from(matches!(action, Action::Land(_)))),
            Step::Reveal => best(&|action| match action {
                Action::Reveal(objective) => self.objective_glory(&p.open, army, objective).into(),
                _ => 0,
            }),
            _ => None,
        };
        habit.or_else(|| lots.pick(offers).map(|offer| offer.action))
    }

    /// What is worth most is executed first: whoever comes late finds the region taken. Orders that are left cost Glory,
    /// so nobody passes before he must.
    fn activation_worth(&self, p: &Position, army: Army, action: Action, spare: i16) -> i16 {
        match action {
            Action::Play(event) => {
                let parts = self.components.events[event].parts.iter().filter(|part| !part.crown);
                parts.map(|part| effect_worth(&part.effect)).sum()
            }
            Action::Execute(region) => {
                let Some(order) = p.hidden.orders[army.side()][region] else { return 0 };
                self.order_worth(&p.open, army, order, region, spare)
            }
            _ => i16::MIN,
        }
    }

    /// Supply that an army has beyond its need; below nought what it lacks.
    pub(crate) fn spare_supply(&self, open: &crate::position::Open, army: Army) -> i16 {
        i16::from(self.track(open, army, Icon::Supply)) - i16::from(self.need(open, army))
    }

    /// Points for the one who selects, less what the card is worth to its owner.
    fn market_worth(&self, p: &Position, army: Army, event: Event) -> i16 {
        let sheet = &self.components.events[event];
        let slot = p.open.rows[sheet.army].iter().position(|e| *e == Some(event)).unwrap_or(0);
        let cost: i16 =
            sheet.parts.iter().filter(|part| !part.crown).map(|part| effect_worth(&part.effect)).sum();
        3 * i16::from(self.worth(&p.open, army, slot)) - cost
    }

    /// What a step of a deed promises; nothing for leaving it at that.
    fn part_worth(&self, p: &Position, deed: &Deed, action: Action, spare: i16) -> i16 {
        let (number, more) = match action {
            Action::Part(n) | Action::Gain(n, _) | Action::Slay(n, _) | Action::Road(n, _) => (n, 1),
            Action::March(n, from) => {
                let Effect::March { kind, strength, .. } = self.parts(deed.source)[usize::from(n)].effect
                else {
                    return 0;
                };
                let (worth, goal) = self.best_march(&p.open, deed.army, kind, from, strength);
                return if goal.is_some() { worth } else { -1 };
            }
            Action::Place(n, at, k) => match self.parts(deed.source)[usize::from(n)].effect {
                Effect::Muster { unit, whose: Whose::Own, .. } => {
                    return self.muster_worth(&p.open, deed.army, unit, k, at, spare);
                }
                _ => (n, i16::from(k) + self.frontier(p, deed.army, at)),
            },
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

    /// A march goes where most is to be had. Into an empty region half of the Units go, without their leaders; to a
    /// battle everybody but a garrison, where the others suffice.
    fn march_by_habit(&self, p: &Position, march: &March, offers: &[Offer<Action>]) -> Option<Action> {
        let open = &p.open;
        let goes = |to: &Region| {
            let way = (march.from, *to);
            self.march_worth(open, march.army, way, &march.group, march.strength)
        };
        let goal = self
            .goals(open, march.kind, march.from)
            .iter()
            .filter(|to| march.first != Some(*to))
            .max_by_key(goes)
            .filter(|to| goes(to) > 0);
        let Some(goal) = goal else { return Some(Action::Halt) };
        let offered = |action: &Action| offers.iter().any(|offer| offer.action == *action);
        let leave = |unit: Unit| {
            let piece = Piece::Unit(march.army.owner(), unit);
            Some(Action::Leave(piece)).filter(|_| march.group.has(piece)).filter(offered)
        };
        let stays = open.lands[march.from].size() - march.group.size();
        if self.side_presence(open, goal, march.army.side().other()) {
            let own = i16::from(self.power(open, &march.group, goal)) + i16::from(march.strength);
            let foe = i16::from(self.power(open, &open.lands[goal], goal));
            if stays == 0
                && own > foe + 2
                && let Some(garrison) = leave(Unit::Infantry)
            {
                return Some(garrison);
            }
        } else if march.group.all_units() > stays.max(1) || !self.fits(open, goal, &march.group) {
            let leaders = march.group.leaders.iter().map(|leader| Action::Leave(Piece::Leader(leader)));
            let first = leaders.filter(offered).find(|_| march.group.all_units() > 0);
            let next = first.or_else(|| leave(Unit::Siege)).or_else(|| leave(Unit::Cavalry));
            if let Some(next) = next.or_else(|| leave(Unit::Infantry)) {
                return Some(next);
            }
        }
        Some(Action::Go(goal)).filter(offered).or(Some(Action::Halt))
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
}

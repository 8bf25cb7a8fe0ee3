//! What an old hand does without thinking, for the bots: how a position comes to rest before it is appraised.
//!
//! A position is at rest when a player is about to use a card. From anywhere else the round is played to its end:
//! armies march where they are worth most, call and besiege, the weaker side goes inside or away, walls are stormed
//! where the odds are good, and in winter those who hold something stay. None of this is a rule: every habit is one of
//! the options.

use table::{Id as _, Lots, Offer, Options, Rules as _, Seat, Set};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::scenarios::Victory;
use crate::ids::{Leader, Space};
use crate::position::{March, Open, Place, Planned, Position, Step};

/// A call is made where a die of this or more opens the gates.
const CALL: i8 = 4;
/// An assault is made where so many of 36 throws take the walls.
const STORM: u8 = 13;
/// How much stronger an army should be than one that it attacks in the field.
const BOLD: f32 = 1.2;
/// Who is weaker than this share of those who come goes away.
const TIMID: f32 = 0.8;
/// How much stronger those should be who intercept, or sally.
const SURE: f32 = 1.15;
/// What an army aims at beside victory points: any castle, an army in the field, a place of its own in need.
const CASTLE: f32 = 0.6;
const ARMY: f32 = 0.04;
const RESCUE: f32 = 1.4;
/// An army marches only for more than this.
const WORTHWHILE: f32 = 0.12;
/// Walls and a garrison without units count as so much strength.
const WALLS: f32 = 8.0;

impl KingdomOfHeaven {
    pub(crate) fn usual(
        &self,
        p: &Position,
        seat: Seat,
        room: &mut Options<Action>,
        lots: &mut Lots,
    ) -> Option<Action> {
        let o = &p.open;
        let step = *o.agenda.now()?;
        match step {
            Step::Round { .. } => return None,
            Step::Deal { .. } => return Some(Action::Deal),
            Step::Draw { .. } => return Some(Action::Draw),
            Step::Window { .. } => return Some(Action::Decline),
            Step::Vassals { .. } => return Some(Action::Done),
            Step::Command if !p.hidden.plan.is_empty() => return Some(Action::Go),
            Step::March => {
                let next = self.next_of_plan(p);
                if next.is_some() {
                    return next;
                }
            }
            _ => {}
        }
        room.clear();
        self.options(p, seat, room);
        let offers = room.offers();
        let has = |wanted: Action| actions(offers).find(|a| *a == wanted);
        let best = |worth: &dyn Fn(Action) -> f32| {
            actions(offers)
                .map(|a| (worth(a), a))
                .filter(|(w, _)| *w > 0.0)
                .reduce(|a, b| if b.0 > a.0 { b } else { a })
                .map(|(_, a)| a)
        };
        let done = has(Action::Done);
        let habit = match step {
            Step::Casualties | Step::Losses { .. } => has(Action::Usual),
            Step::Answer { .. } | Step::Battle => {
                // Whoever fights for something uses what he has.
                actions(offers).find(|a| matches!(a, Action::Respond(_))).or_else(|| has(Action::Decline))
            }
            Step::Replace { .. } | Step::Recover { .. } => best(&|a| self.worth_of_recovery(a)).or(done),
            Step::MusterLeaders { .. } => best(&|a| self.post_by_habit(o, seat, a)).or(done),
            Step::MusterUnits { .. } => best(&|a| self.muster_by_habit(o, seat, a)).or(done),
            Step::Ransom { .. } => best(&|a| match a {
                Action::Ransom(l) => f32::from(self.components.leader(l).command) - 4.5,
                _ => 0.0,
            })
            .or(done),
            Step::Command => self.command_by_habit(p, seat, offers),
            Step::March => self.march_by_habit(p, seat, offers),
            Step::Activations { .. } => best(&|a| match a {
                Action::Lead(l) => self.promise(o, seat, l) + 0.01,
                Action::Stack(_) => 0.005,
                _ => 0.0,
            })
            .or(done),
            Step::Designate { .. } => self.designate_by_habit(o, seat, offers),
            Step::Rearguard { away: false, at, .. } => {
                let (units, leaders) = self.outside(o, at, seat);
                let (foes, led) = self.outside(o, at, seat.other());
                let weak = f32::from(self.strength(o, units, leaders))
                    < TIMID * f32::from(self.strength(o, foes, led));
                has(Action::Avoid).filter(|_| weak).or(done)
            }
            Step::Shelter { at, .. } => {
                let (units, leaders) = self.outside(o, at, seat);
                let (foes, led) = self.outside(o, at, seat.other());
                let stays = f32::from(self.strength(o, units, leaders))
                    > BOLD * f32::from(self.strength(o, foes, led));
                if stays { done } else { has(Action::AllInside).or(done) }
            }
            Step::Lift { at, .. } => {
                let (units, leaders) = self.within(o, at, seat);
                let (foes, led) = self.outside(o, at, seat.other());
                let strong = f32::from(self.strength(o, units, leaders))
                    > SURE * f32::from(self.strength(o, foes, led));
                if strong { has(Action::Attack) } else { done }
            }
            Step::Destination { .. }
            | Step::Rearguard { .. }
            | Step::Follow { .. }
            | Step::Retreat { .. }
            | Step::Refuge { .. }
            | Step::Expelled { .. } => best(&|a| match a {
                Action::Target(s) => 1.0 + self.haven(o, seat, s),
                _ => 0.0,
            })
            .or(done),
            Step::Press => self.press_by_habit(o, seat, offers),
            Step::Overture { seat: who, .. } => has(if who == seat { Action::Spend } else { Action::Keep }),
            Step::Garrison { at, .. } | Step::Man { at, .. } => {
                let fill = actions(offers).find(|a| matches!(a, Action::Fill(..)));
                fill.filter(|_| self.plot(o).vp[at] > 0).or(done)
            }
            Step::Winter { at: Some(at), .. } => {
                let holds = self.holds(o, at, seat) || self.besieger(o, at) == Some(seat);
                best(&|a| match a {
                    Action::Stays(l) if holds => 10.0 + f32::from(self.components.leader(l).command),
                    Action::Keeps(sort) if holds || self.components.space(at).is_box => {
                        f32::from(self.components.kind(sort.kind).cs)
                    }
                    _ => 0.0,
                })
                .or(done)
            }
            _ => None,
        };
        habit.or_else(|| lots.pick(offers).map(|offer| offer.action))
    }

    /// What a space is worth to whoever wants it.
    pub(crate) fn prize(&self, o: &Open, space: Space) -> f32 {
        match self.plot(o).victory {
            Victory::Space(goal) if goal == space => 8.0,
            _ => f32::from(self.plot(o).vp[space]),
        }
    }

    fn worth_of_recovery(&self, action: Action) -> f32 {
        let strength = |kind| f32::from(self.components.kind(kind).cs);
        match action {
            Action::Revive(leader) => 4.0 + f32::from(self.components.leader(leader).command),
            Action::Rebuild(kind) => 2.0 + strength(kind),
            Action::Restore(_, kind) => 1.5 + strength(kind),
            Action::RestorePool(kind) => 1.0 + strength(kind),
            _ => 0.0,
        }
    }

    /// How near a space is to what a player wants from his enemy, and to what he may lose.
    fn front(&self, o: &Open, seat: Seat, space: Space) -> f32 {
        let far = &self.components.far[space.number()];
        let mut sum = 0.0;
        for s in self.plot(o).prizes {
            let prize = self.prize(o, s);
            if self.holds(o, s, seat.other()) {
                sum += prize / (3.0 + f32::from(far[s.number()].min(40)));
            } else if self.besieger(o, s) == Some(seat.other()) {
                sum += RESCUE * prize / (2.0 + f32::from(far[s.number()].min(40)));
            }
        }
        sum
    }

    /// How good a place to flee to is.
    fn haven(&self, o: &Open, seat: Seat, space: Space) -> f32 {
        let hold = if self.holds(o, space, seat) && !self.besieged(o, space) { 2.0 } else { 0.0 };
        let harsh = if self.components.space(space).harsh { 0.5 } else { 0.0 };
        let friends = (self.units(o, space, seat).len().min(5) as f32) * 0.1;
        let neutral = if self.neutral_at(o, space).is_some() { 0.9 } else { 0.0 };
        (hold + friends + 0.5 + self.prize(o, space) * 0.2 - harsh - neutral).max(0.01)
    }

    fn post_by_habit(&self, o: &Open, seat: Seat, action: Action) -> f32 {
        let Action::MusterLeader(leader, space) = action else { return 0.0 };
        let command = f32::from(self.components.leader(leader).command);
        let friends = self.units(o, space, seat).len().min(8) as f32;
        command + 4.0 * self.front(o, seat, space) + 0.2 * friends
    }

    fn muster_by_habit(&self, o: &Open, seat: Seat, action: Action) -> f32 {
        match action {
            Action::Muster(space, sort) => {
                let units = self.units(o, space, seat).len() as f32;
                let leaders = self.leaders(o, space, seat);
                let room: f32 = leaders.iter().map(|l| f32::from(self.components.leader(l).command)).sum();
                let led = if room > units { 3.0 } else { 0.0 };
                let bare = if units < 2.0 { self.prize(o, space) } else { 0.0 };
                f32::from(self.components.kind(sort.kind).cs) * 0.1
                    + led
                    + bare
                    + 2.0 * self.front(o, seat, space)
                    + 0.1
            }
            _ => 0.0,
        }
    }

    /// What it would be worth to have an army of this strength there, by what the enemy's leaders add to his.
    fn lure(&self, o: &Open, seat: Seat, space: Space, strength: f32, led: &Led) -> f32 {
        let enemy = seat.other();
        if self.neutral_at(o, space).is_some() {
            return 0.0;
        }
        let units = self.units(o, space, enemy);
        let sum = |units, led: u8| f32::from(self.strength(o, units, Set::NONE)) + f32::from(led);
        let field = sum(units - o.inside, led.outside[space.number()]);
        if field > 0.0 && strength < BOLD * field && !self.holds(o, space, enemy) {
            return 0.0;
        }
        if self.holds(o, space, enemy) {
            let needed = WALLS + 1.5 * sum(units, led.all[space.number()]);
            let odds = (strength / needed).min(1.3);
            if odds < 0.5 {
                return 0.0;
            }
            return (CASTLE + self.prize(o, space)) * odds * odds;
        }
        if self.besieger(o, space) == Some(enemy) {
            return RESCUE * (CASTLE + self.prize(o, space));
        }
        let mut worth = ARMY * field;
        if self.holds(o, space, seat) && self.plot(o).vp[space] > 0 && self.units(o, space, seat).len() < 2 {
            worth += 0.15 * self.prize(o, space);
        }
        worth
    }

    /// Where an army would go, and what that is worth: what lies within its march counts whole.
    pub(crate) fn aim(&self, o: &Open, march: &March, at: Space, left: u8) -> (Space, f32) {
        let strength = f32::from(self.strength(o, march.units, march.leaders));
        let far = &self.components.far[at.number()];
        let enemy = march.seat.other();
        let (army, led) = (self.army(o, enemy), self.led(o, enemy));
        let mut best = (at, WORTHWHILE);
        for s in self.components.all_spaces() {
            let interesting = o.holds[s].is_some() || o.here[s].meets(army);
            let away = far[s.number()];
            if !interesting || away > 30 || self.components.space(s).is_box && s != at {
                continue;
            }
            let lure = self.lure(o, march.seat, s, strength, &led);
            let worth = lure / (1.0 + f32::from(away.saturating_sub(left)) * 0.3 + f32::from(away) * 0.03);
            if worth > best.1 {
                best = (s, worth);
            }
        }
        best
    }

    /// What activating a leader promises.
    pub(crate) fn promise(&self, o: &Open, seat: Seat, leader: Leader) -> f32 {
        let Some(at) = o.leader_at(leader) else { return 0.0 };
        let (units, leaders) = self.outside(o, at, seat);
        let mut march = self.new_march(seat, Some(leader), at, 1, crate::flow::no_licence());
        (march.units, march.leaders) = (units, leaders);
        self.aim(o, &march, at, 4).1
    }

    fn command_by_habit(&self, p: &Position, seat: Seat, offers: &[Offer<Action>]) -> Option<Action> {
        let march = p.open.march.as_ref()?;
        let find = |wanted: Action| actions(offers).find(|a| *a == wanted);
        let left = self.points_left(&p.open, march);
        let by_land =
            if find(Action::Go).is_some() { self.aim(&p.open, march, march.at, left).1 } else { 0.0 };
        let mut best = (by_land * 1.2, find(Action::Go).or_else(|| find(Action::Sally)));
        let strength = f32::from(self.strength(&p.open, march.units, march.leaders));
        let led = self.led(&p.open, seat.other());
        for action in actions(offers) {
            let Action::Sail(to) = action else { continue };
            let there = self.lure(&p.open, seat, to, strength, &led);
            let near = self.aim(&p.open, march, to, 0).1;
            let worth = there.max(0.6 * near);
            if worth > best.0 || best.1.is_none() {
                best = (worth, Some(action));
            }
        }
        best.1.or_else(|| find(Action::Halt))
    }

    fn march_by_habit(&self, p: &Position, seat: Seat, offers: &[Offer<Action>]) -> Option<Action> {
        let o = &p.open;
        let march = o.march.as_ref()?;
        let find = |wanted: Action| actions(offers).find(|a| *a == wanted);
        if p.hidden.plan.last() == Some(&Planned::Wait) && find(Action::Wait).is_some() {
            return Some(Action::Wait);
        }
        if find(Action::Call).is_some() {
            let rf = o.marks[march.at].rf.unwrap_or_else(|| self.resistance(o, march.at));
            if rf as i8 + 1 - self.call_modifier(o, march) <= CALL {
                return Some(Action::Call);
            }
        }
        if march.vassal {
            return find(Action::Halt);
        }
        let left = self.points_left(o, march);
        let (target, _) = self.aim(o, march, march.at, left);
        if target == march.at {
            return find(Action::Besiege).filter(|_| march.units.len() > 1).or_else(|| find(Action::Halt));
        }
        let far = |s: Space| self.components.far[s.number()][target.number()];
        let strength = f32::from(self.strength(o, march.units, march.leaders));
        let mut best = (far(march.at), None);
        for action in actions(offers) {
            let Action::March(to) = action else { continue };
            if self.neutral_at(o, to).is_some_and(|power| !self.passes(o, seat, power)) {
                continue;
            }
            let (units, leaders) = self.outside(o, to, seat.other());
            let foes = f32::from(self.strength(o, units, leaders));
            if foes > 0.0 && to != target && strength < BOLD * foes {
                continue;
            }
            if far(to) < best.0 {
                best = (far(to), Some(action));
            }
        }
        best.1.or_else(|| find(Action::Halt))
    }

    /// The next space of a way that was laid out, if it is still open.
    fn next_of_plan(&self, p: &Position) -> Option<Action> {
        let march = p.open.march.as_ref()?;
        let Some(Planned::To(to)) = p.hidden.plan.last().copied() else { return None };
        let way = self.components.way(march.at, to)?;
        let left = self.points_left(&p.open, march);
        self.may_take(&p.open, march, march.at, way, left).is_ok().then_some(Action::March(to))
    }

    /// What a player's leaders add to the strength of their spaces.
    pub(crate) fn led(&self, o: &Open, seat: Seat) -> Led {
        let mut led = Led { outside: [0; 128], all: [0; 128] };
        for leader in &self.plot(o).each_leader {
            if let Place::At(space) = o.led[*leader]
                && self.leads_for(o, *leader) == Some(seat)
            {
                let battle = self.components.leader(*leader).battle;
                led.all[space.number()] += battle;
                if !o.inside_led.has(*leader) {
                    led.outside[space.number()] += battle;
                }
            }
        }
        led
    }

    fn designate_by_habit(&self, o: &Open, seat: Seat, offers: &[Offer<Action>]) -> Option<Action> {
        let find = |wanted: Action| actions(offers).find(|a| *a == wanted);
        let done = find(Action::Done);
        let Some(march) = o.march.as_ref().filter(|_| o.tries.is_empty()) else { return done };
        let coming = f32::from(self.strength(o, march.units, march.leaders));
        let (units, leaders) = self.outside(o, march.at, seat);
        let own = f32::from(self.strength(o, units, leaders));
        if own < TIMID * coming && !self.holds(o, march.at, seat) {
            let away = find(Action::Avoid);
            if away.is_some() {
                return away;
            }
        }
        let mut best = (0.0, None);
        for action in actions(offers) {
            let Action::Intercept(from, Some(leader)) = action else { continue };
            let (units, leaders) = self.outside(o, from, seat);
            let strength = own + f32::from(self.strength(o, units, leaders));
            let rating = self.components.leader(leader).battle as i8;
            let chance = rating - self.interception_modifier(o, march, seat, units);
            if strength > SURE * coming && chance >= 2 && strength > best.0 {
                best = (strength, Some(action));
            }
        }
        best.1.or(done)
    }

    fn press_by_habit(&self, o: &Open, seat: Seat, offers: &[Offer<Action>]) -> Option<Action> {
        let find = |wanted: Action| actions(offers).find(|a| *a == wanted);
        let good = o
            .duel
            .and_then(|duel| self.assault_odds(o, duel.at, seat))
            .is_some_and(|odds| odds.falls >= STORM);
        if good && let Some(attack) = find(Action::Attack) {
            return Some(attack);
        }
        actions(offers).find(|a| matches!(a, Action::Siege(..))).or_else(|| find(Action::Done))
    }
}

/// What leaders add to strength, by space: outside strongholds, and in all.
pub(crate) struct Led {
    outside: [u8; 128],
    pub(crate) all: [u8; 128],
}

/// The actions that are offered.
fn actions(offers: &[Offer<Action>]) -> impl Iterator<Item = Action> + '_ {
    offers.iter().map(|offer| offer.action)
}

//! What an old hand does without thinking: the house's play for sides that nobody plays, the habit by which bots
//! bring a position to rest, formations that are ordered as one, and quick battles.
//!
//! It asks the rules what is allowed and takes what looks best by means, not by search. Everything here is a guess
//! of a player's, no rule; it allocates nothing but in the list of options that the caller keeps.

use arrayvec::ArrayVec;
use table::Options;
use table::hex::Direction;

use crate::data::{Dice, Shot};
use crate::deed::Deed;
use crate::field::{Field, Marks, Order, Step};
use crate::ids::{Man, Place, Side};
use crate::tactics::Tactics;

mod siege;
mod thought;

/// Where options are listed: a list that the caller keeps, so that nothing is allocated for them.
pub trait Room {
    /// Lists what may be done now.
    fn fill(&mut self, tactics: &Tactics, f: &Field);
    /// What was listed.
    fn deeds(&self) -> impl Iterator<Item = Deed> + '_;
}

impl Room for Options<Deed> {
    fn fill(&mut self, tactics: &Tactics, f: &Field) {
        self.clear();
        tactics.options(f, self);
    }
    fn deeds(&self) -> impl Iterator<Item = Deed> + '_ {
        self.offers().iter().map(|offer| offer.action)
    }
}

/// Expected results are counted in hundredths of a life point.
const POINT: i32 = 100;

impl Tactics {
    /// What an old hand would do now. It is always something that the rules allow.
    pub fn routine(&self, f: &Field, room: &mut impl Room) -> Option<Deed> {
        match f.step() {
            Step::Over => None,
            Step::Initiative(side) => {
                // Who attacks a castle wants to see where its garrison stands.
                Some(if f.defender() == Some(side) { Deed::Second } else { Deed::First })
            }
            Step::Breach => {
                room.fill(self, f);
                let south = |deed: &Deed| if let Deed::Breach(at) = deed { at.row() } else { 0 };
                room.deeds().max_by_key(south)
            }
            Step::Deploy(_, None) => Some(Deed::Ready),
            Step::Deploy(_, Some(_)) => Some(Deed::Halt),
            Step::Fire => Some(self.routine_fire(f, None, room)),
            Step::Move => {
                // What a formation was ordered it does first \[T33\].
                let ordered = f.ordered.filter(|(_, order)| *order != Order::Shoot);
                let next = ordered.map(|ordered| self.routine_move(f, f.active, Some(ordered)));
                Some(
                    next.filter(|deed| *deed != Deed::Done)
                        .unwrap_or_else(|| self.routine_move(f, f.active, None)),
                )
            }
            Step::March(man) => Some(self.routine_step(f, man, self.order_of(f, man))),
            Step::Shots(man) => Some(self.routine_shots(f, man, room)),
            Step::Combat => Some(self.routine_attack(f, room)),
            Step::Attack => Some(self.routine_join(f, room)),
            Step::Answer => Some(self.routine_answer(f)),
            Step::Mercy(..) => Some(Deed::Grant),
            Step::Victim(_) => {
                room.fill(self, f);
                let worth = |deed: &Deed| match deed {
                    Deed::Hit(who) => f.find(*who).map_or(0, |man| self.harm(f, man, f.fight.hits.max(4))),
                    _ => 0,
                };
                room.deeds().max_by_key(worth)
            }
            Step::Retreat(man, _) => {
                room.fill(self, f);
                let at = f.man(man).at?;
                let far = |deed: &Deed| match deed {
                    Deed::Go(way) => f.next(at, *way).map_or(0, |to| f.from_foes(to, f.man(man).side)),
                    _ => 0,
                };
                room.deeds().max_by_key(far)
            }
            Step::Advance => Some(self.routine_advance(f)),
        }
    }

    /// What it is worth that a man loses so much life: killed, stunned, wounded, or merely hurt.
    pub fn harm(&self, f: &Field, man: Man, loss: u8) -> i32 {
        let soldier = f.man(man);
        let cost = i32::from(self.card(soldier).cost);
        let chief = i32::from(f.chiefs[soldier.side.index()].man == man) * 20;
        if loss == 0 {
            return 0;
        }
        if loss >= soldier.life {
            return (cost + chief) * POINT;
        }
        let share = cost * POINT * i32::from(loss) / (2 * i32::from(soldier.life).max(1));
        let stunned = if loss > self.face(soldier).defence { (cost + chief) * POINT / 4 } else { 0 };
        share + stunned
    }

    /// The mean worth of a shot.
    fn shot_worth(&self, f: &Field, aim: crate::tactics::fire::Aim, target: Man) -> i32 {
        let mut sum = 0;
        for die in 1..=10 {
            sum += match self.result(aim, die) {
                Shot::Miss => 0,
                Shot::Driven => POINT / 2,
                Shot::Hit(dice) => self.harm(f, target, mean(dice)),
            };
        }
        sum / 10
    }

    /// The best shot of a side, or of one leader's men; or that there is none.
    pub fn routine_fire(&self, f: &Field, leader: Option<Man>, room: &mut impl Room) -> Deed {
        room.fill(self, f);
        let mut best = (POINT / 8, Deed::Done);
        for deed in room.deeds() {
            let worth = match deed {
                Deed::Shoot(who, target, None) => {
                    let (Some(man), Some(target)) = (f.find(who), f.find(target)) else { continue };
                    if leader.is_some_and(|leader| f.man(man).leader != leader) {
                        continue;
                    }
                    let (Some(from), Some(weapon)) = (f.man(man).at, self.weapon(f, man)) else { continue };
                    let Some(at) = self.mark(f, weapon, from, target) else { continue };
                    let aim = self.aim(f, Some(man), weapon, from, target, at, &mut |_, _, _| {});
                    self.shot_worth(f, aim, target)
                }
                Deed::Bolt(_, target) => f.find(target).map_or(0, |man| self.harm(f, man, 10)),
                Deed::Pour(_, place) => match f.man_on(place) {
                    Some(man) if f.man(man).side != f.active => self.harm(f, man, 14),
                    _ => 0,
                },
                Deed::Light(..) => POINT,
                _ => 0,
            };
            if worth > best.0 {
                best = (worth, deed);
            }
        }
        best.1
    }

    fn routine_shots(&self, f: &Field, mover: Man, room: &mut impl Room) -> Deed {
        room.fill(self, f);
        let mut best = (0, Deed::Done);
        for deed in room.deeds() {
            let Deed::Shoot(who, _, Some(at)) = deed else { continue };
            let Some(man) = f.find(who) else { continue };
            let (Some(from), Some(weapon)) = (f.man(man).at, self.weapon(f, man)) else { continue };
            let aim = self.aim(f, Some(man), weapon, from, mover, at, &mut |_, _, _| {});
            let worth = self.shot_worth(f, aim, mover);
            if worth > best.0 {
                best = (worth, deed);
            }
        }
        best.1
    }

    /// The shot that is best at the man who has halted, with what it may do, for standing orders.
    pub fn best_shot(&self, f: &Field, mover: Man, room: &mut impl Room) -> Deed {
        self.routine_shots(f, mover, room)
    }

    // ---- Movement

    /// The next man to move and how, or that all have moved as they should.
    pub fn routine_move(&self, f: &Field, side: Side, formation: Option<(Man, Order)>) -> Deed {
        if let Some(deed) = self.routine_push(f) {
            return deed;
        }
        // Those in front go first, so that nobody stands in the way.
        let mut line: ArrayVec<(u32, Man), { Man::COUNT }> = ArrayVec::new();
        for (man, soldier) in f.of(side) {
            let called = match formation {
                Some((leader, _)) => soldier.leader == leader,
                // A formation that had its order has done what it should.
                None => !f.man(soldier.leader).is(Marks::ORDERED),
            };
            if called && self.may_move(f, man).is_ok() {
                line.extend(soldier.at.map(|at| (f.from_foes(at, side), man)));
            }
        }
        line.sort_unstable();
        let order = formation.map(|(_, order)| order);
        let next = line.iter().find(|(_, man)| self.wants_to_move(f, *man, order));
        next.map_or(Deed::Done, |(_, man)| Deed::Take(f.man(*man).who))
    }

    /// Whether a man has somewhere to go: a first step that his purpose likes.
    fn wants_to_move(&self, f: &Field, man: Man, order: Option<Order>) -> bool {
        if order == Some(Order::Hold) {
            return false;
        }
        let soldier = f.man(man);
        let Some(at) = soldier.at else { return false };
        if self.awaits_ladder(f, man) {
            return false;
        }
        if f.siege.is_some() && self.could_help(f, man) {
            return true;
        }
        let purpose = self.purpose(f, man, order);
        match purpose {
            Purpose::Goal(goal) if f.siege.is_some() => return goal != at,
            Purpose::Close(foe) if f.siege.is_some() => return !self.beside(f, man, foe),
            _ => {}
        }
        let now = self.standing(f, man, at, soldier.facing, &purpose);
        let allowance = self.allowance(f, man);
        for way in Direction::ALL {
            let Some(to) = f.next(at, way) else { continue };
            if soldier.mounted() && way.turns_to(soldier.facing) > 1 {
                continue;
            }
            let free = f.is_free(to) && self.entry(f, man, at, to).is_ok();
            if free && self.standing(f, man, to, way, &purpose) > now {
                return true;
            }
        }
        // A rider who looks the wrong way turns first.
        let turn = self.data.tables.turn_cost;
        soldier.mounted()
            && turn <= allowance
            && [soldier.facing.left(), soldier.facing.right()].into_iter().any(|looks| {
                let to = soldier.tail().and_then(|tail| f.next(tail, looks));
                to.is_some_and(|to| f.is_free(to) && self.standing(f, man, to, looks, &purpose) > now)
            })
    }

    /// What a man should do on his way.
    fn purpose(&self, f: &Field, man: Man, order: Option<Order>) -> Purpose {
        let soldier = f.man(man);
        let side = soldier.side;
        if order == Some(Order::FallBack) {
            return Purpose::Home;
        }
        if f.siege.is_some() {
            return self.siege_purpose(f, man);
        }
        if !self.kind(soldier).armed {
            return Purpose::Away;
        }
        let Some(at) = soldier.at else { return Purpose::Away };
        if let Some(weapon) = self.weapon(f, man) {
            // Shooters keep their distance, unless they are ordered forward.
            return Purpose::Range(u32::from(weapon.range).min(7));
        }
        // The enemy who is nearest, and of those the weakest.
        let foes = f.of(side.foe()).filter(|(_, m)| m.here());
        let target = foes.min_by_key(|(_, m)| {
            let far = m.hexes().map(|h| h.distance(at)).min().unwrap_or(99);
            (far * 4 + u32::from(m.life) / 4, m.who)
        });
        match target {
            Some((foe, _)) => Purpose::Close(foe),
            None => Purpose::Away,
        }
    }

    /// How well a man would stand on a hex, for what he wants.
    fn standing(&self, f: &Field, man: Man, at: Place, looks: Direction, purpose: &Purpose) -> i32 {
        let soldier = f.man(man);
        let side = soldier.side;
        match purpose {
            Purpose::Away => f.from_foes(at, side).min(12) as i32 * 10,
            Purpose::Home => -(f.to_edge(at, side) as i32) * 10,
            Purpose::Goal(goal) => -(at.distance(*goal) as i32) * 10,
            Purpose::Range(best) => {
                let near = f.from_foes(at, side);
                let off = near.abs_diff(*best) as i32;
                let covered = match self.data.ground(f.terrain(at)).cover {
                    crate::data::Cover::None => 0,
                    _ => 4,
                };
                -off * 10 + covered - if near <= 1 { 40 } else { 0 }
            }
            Purpose::Close(foe) => {
                let enemy = f.man(*foe);
                let far = enemy.hexes().map(|h| h.distance(at)).min().unwrap_or(99) as i32;
                let ground = i32::from(self.data.ground(f.terrain(at)).fighting.unwrap_or(0));
                let mut worth = -far * 10 + ground * 4;
                if soldier.mounted() {
                    let way =
                        enemy.at.and_then(|to| at.hex().line(to.hex()).nth(1)).and_then(|p| p.hexes().next());
                    let turn =
                        way.and_then(|hex| at.hex().direction_to(hex)).map_or(0, |d| d.turns_to(looks));
                    worth -= i32::from(turn) * 6;
                }
                // Nobody goes where no leader can order him to strike.
                if far <= 2 && !self.led_at(f, man, at) {
                    worth -= 35;
                }
                worth
            }
        }
    }

    /// Whether a leader of his side other than himself, or he himself, would have a man in range on a hex.
    fn led_at(&self, f: &Field, man: Man, at: Place) -> bool {
        f.of(f.man(man).side).any(|(leader, m)| {
            let range = self.command_range(f, leader);
            range > 0
                && m.steady()
                && (leader == man || m.hexes().map(|h| h.distance(at)).min().unwrap_or(99) <= range)
        })
    }

    /// The next step of a man who is on his way.
    pub fn routine_step(&self, f: &Field, man: Man, order: Option<Order>) -> Deed {
        let soldier = f.man(man);
        let Some(at) = soldier.at else { return Deed::Halt };
        if f.siege.is_some()
            && !f.march.busy
            && let Some(deed) = self.handy(f, man)
        {
            return deed;
        }
        let stands = f.is_free(at) || soldier.is(Marks::ABOARD);
        if f.march.busy {
            return Deed::Halt;
        }
        let purpose = self.purpose(f, man, order);
        let goal = match purpose {
            Purpose::Goal(goal) => Some(goal),
            Purpose::Close(foe) => f.man(foe).at,
            _ => None,
        };
        let steps = goal.filter(|_| f.siege.is_some()).map(|goal| self.steps_to(f, soldier.side, goal, at));
        let worth_of = |to: Place, looks: Direction| match &steps {
            Some(steps) => -i32::from(steps[to.number()]) * 10,
            None => self.standing(f, man, to, looks, &purpose),
        };
        let now = worth_of(at, soldier.facing);
        let fighting =
            matches!(purpose, Purpose::Close(_)) && stands && self.foes_beside(f, man).next().is_some();
        let mut best: Option<(i32, Deed)> = None;
        if !fighting {
            for way in Direction::ALL {
                let Ok(cost) = self.step_cost(f, man, way) else { continue };
                let Some(to) = f.next(at, way) else { continue };
                if f.march.path.iter().any(|p| p.at == to) {
                    continue;
                }
                let free = if f.is_free(to) { 0 } else { 8 };
                let worth = worth_of(to, way) - i32::from(cost) - free;
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, Deed::Go(way)));
                }
            }
            if soldier.mounted() {
                for deed in [Deed::Left, Deed::Right] {
                    let Ok((to, looks, cost)) = self.turning(f, man, deed) else { continue };
                    let worth = worth_of(to, looks) - i32::from(cost) - 1;
                    if best.is_none_or(|(most, _)| worth > most) {
                        best = Some((worth, deed));
                    }
                }
            }
        }
        match best {
            Some((worth, deed)) if worth > now || !stands => deed,
            _ if stands => Deed::Halt,
            // He stands on a friend's hex and must leave it somehow.
            _ => {
                let way = Direction::ALL.into_iter().find(|way| self.step_cost(f, man, *way).is_ok());
                way.map_or(Deed::Halt, Deed::Go)
            }
        }
    }

    // ---- Combat

    fn routine_attack(&self, f: &Field, room: &mut impl Room) -> Deed {
        room.fill(self, f);
        let mut best = (0, Deed::Done);
        for deed in room.deeds() {
            let worth = match deed {
                Deed::Attack(who, target) => {
                    let (Some(man), Some(foe)) = (f.find(who), f.find(target)) else { continue };
                    self.attack_worth(f, man, foe)
                }
                Deed::Ram(_) => 90 * POINT,
                Deed::Hew(..) => POINT,
                _ => 0,
            };
            if worth > best.0 {
                best = (worth, deed);
            }
        }
        best.1
    }

    /// What an attack on a man promises, with all who can join: positive where it should be made.
    fn attack_worth(&self, f: &Field, man: Man, foe: Man) -> i32 {
        let mut force = 0;
        for (other, m) in f.of(f.man(man).side) {
            let joins = other == man
                || self.may_attack(f, other).is_ok()
                    && self.can_hit(f, other, foe).is_ok()
                    && self.commanded(f, other);
            if joins {
                let mut strength = i32::from(self.face(m).attack);
                if self.charges(f, other, foe) {
                    strength = strength * 3 / 2;
                }
                force += strength + i32::from(m.experience);
            }
        }
        let enemy = f.man(foe);
        if enemy.is(Marks::STUNNED) {
            return 60 * POINT + self.harm(f, foe, 12);
        }
        let counter = i32::from(self.face(enemy).attack) + i32::from(enemy.experience);
        let dodge = (i32::from(self.face(enemy).defence) + 2 * i32::from(enemy.experience)) * 5 / 2;
        // Besiegers have no time to lose.
        let haste = if f.defender() == Some(enemy.side) { 6 } else { 0 };
        let margin = (force - counter).min(force + 9 - dodge + 4) + haste;
        if margin <= 0 && !enemy.is(Marks::PANIC.or(Marks::ROUT)) {
            return 0;
        }
        POINT + self.harm(f, foe, margin.clamp(1, 60) as u8)
    }

    fn routine_join(&self, f: &Field, room: &mut impl Room) -> Deed {
        room.fill(self, f);
        let join = room.deeds().find(|deed| matches!(deed, Deed::With(_)));
        join.unwrap_or(Deed::Strike)
    }

    /// What each answer to an attack promises the defenders: counter-attack, dodge, withdrawal.
    pub fn answer_worth(&self, f: &Field) -> [Option<i32>; 3] {
        let fight = &f.fight;
        let attack = i32::from(self.attack_force(f)) + half(self.dice_against(f, &fight.defenders));
        let worst = |party: &[Man], loss: i32| {
            let loss = loss.clamp(0, 250) as u8;
            party.iter().map(|man| self.harm(f, *man, loss)).max().unwrap_or(0)
        };
        let counter = self.may_counter(f).is_ok().then(|| {
            let own = i32::from(self.counter_force(f)) + half(self.dice_against(f, &fight.attackers));
            // The dice spread the result: look a little to both sides of the mean.
            [-6, -2, 2, 6]
                .map(|swing| {
                    let margin = own - attack + swing;
                    if margin > 0 {
                        worst(&fight.attackers, margin)
                    } else {
                        -worst(&fight.defenders, -margin)
                    }
                })
                .iter()
                .sum::<i32>()
                / 4
        });
        let dodge = fight.defenders.iter().map(|man| {
            let force = i32::from(self.dodge_force(f, *man));
            let sum: i32 = [1, 1, 2, 3, 4, 5]
                .map(|times| {
                    let margin = force * times - attack;
                    match margin {
                        0 => 0,
                        n if n < 0 => -self.harm(f, *man, (-n).min(250) as u8),
                        _ if f.man(*man).is(Marks::STUNNED) => 0,
                        _ => worst(&fight.attackers, 4),
                    }
                })
                .iter()
                .sum();
            sum / 6
        });
        let withdraw = self.may_withdraw(f).is_ok().then(|| {
            let mut sum = 0;
            for man in &fight.defenders {
                for foe in &fight.attackers {
                    if !self.shielded(f, *foe, *man) {
                        let (dice, factor, ground) = self.pursuit(f, *foe, *man);
                        let loss = half(dice) * i32::from(factor) + i32::from(ground);
                        sum -= self.harm(f, *man, loss.clamp(0, 250) as u8);
                    }
                }
                // He may lose his nerve, and he loses ground.
                let morale = i32::from(self.morale(f, *man, &mut |_, _, _| {}));
                let cost = i32::from(self.card(f.man(*man)).cost);
                sum -= cost * POINT / 12 + cost * POINT * (10 - morale).clamp(0, 9) / 25;
            }
            sum
        });
        [counter, Some(dodge.sum()), withdraw]
    }

    fn routine_answer(&self, f: &Field) -> Deed {
        let answers = [Deed::Counter, Deed::Dodge, Deed::Withdraw];
        let worth = self.answer_worth(f);
        let best = (0..3).filter(|i| worth[*i].is_some()).max_by_key(|i| worth[*i]);
        best.map_or(Deed::Dodge, |i| answers[i])
    }

    fn routine_advance(&self, f: &Field) -> Deed {
        if f.defender() == Some(f.active) {
            return Deed::Stay;
        }
        let ways =
            f.fight.advancing.iter().flat_map(|man| self.advances(f, *man).map(move |way| (*man, way)));
        let mut bold =
            ways.filter(|(man, (_, to))| self.weapon(f, *man).is_none() && self.led_at(f, *man, *to));
        match bold.next() {
            Some((man, (deed, to))) => {
                let near = f.around(to).filter(|at| {
                    f.man_on(*at).is_some_and(|o| f.man(o).side != f.man(man).side && f.man(o).stands())
                });
                if near.count() <= 2 { deed } else { Deed::Stay }
            }
            None => Deed::Stay,
        }
    }
}

/// What a man wants on his way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// To get next to this enemy.
    Close(Man),
    /// To be so far from the enemy.
    Range(u32),
    /// To get there.
    Goal(Place),
    /// To get home.
    Home,
    /// To get away from the enemy.
    Away,
}

fn mean(dice: Dice) -> u8 {
    (dice.twice_mean() / 2).saturating_sub(u32::from(dice.less)) as u8
}

fn half(dice: Dice) -> i32 {
    dice.twice_mean() as i32 / 2 - i32::from(dice.less)
}

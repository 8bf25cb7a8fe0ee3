//! The rules of a battle: who may do what, and what becomes of it, a file for each chapter.
//!
//! | file | what it holds |
//! |---|---|
//! | `setup` | initiative, set-up areas, the first line-up [3.45, T9, T10] |
//! | `fire` | offensive and defensive fire, aiming, sight and cover [3.52, T11 to T16] |
//! | `movement` | small steps, turning, what ground costs [T2 to T5] |
//! | `challenge` | who slips past an enemy [3.56, T22] |
//! | `combat` | attacks, counter-attacks and dodges [3.53 to 3.55, T17 to T19] |
//! | `withdrawal` | withdrawing, retreating, advancing [3.54, T20, T21] |
//! | `morale` | tests, panic, rout and rally [3.59, T24 to T29] |
//! | `mercy` | pleas and prisoners [3.58] |
//! | `horses` | loose horses, mounting [3.57, T6, T7] |
//! | `assault` | walls, gates, ladders, engines, oil and fire [T34 to T44] |
//! | `aftermath` | the end of a player-turn and of a battle [T23, T31, T45, T47] |
//!
//! All of it works on a [`Field`] and speaks in [`Deed`]s; titles wrap both.

use std::fmt;

use table::{Ballot, Readers, Rule, Umpire, rule};

use crate::data::{Card, Components, Face, Kind, Terrain};
use crate::deed::Deed;
use crate::field::{Engine, Fate, Field, HORSE, Marks, Soldier, Step};
use crate::ids::{Man, Place, Side, Who};

mod aftermath;
mod assault;
mod challenge;
pub mod combat;
pub mod fire;
mod horses;
mod mercy;
pub mod morale;
pub mod movement;
pub mod setup;
mod withdrawal;

/// What hunger takes off attack and defence [3.55].
const HUNGER: u8 = 3;

/// Why something is refused: the rule, and a few words.
pub type Refusal = (Rule, &'static str);

/// The rules of battles, with their components.
#[derive(Clone, Debug)]
pub struct Tactics {
    /// The components.
    pub data: Components,
}

/// A man's name, written without making a text of it first.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a>(&'a Components, Who);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.card(self.1.counter).name)?;
        if self.1.double > 0 {
            let doubles = [" II", " III", " IV", " V", " VI", " VII", " VIII", " IX"];
            f.write_str(doubles[usize::from(self.1.double - 1).min(doubles.len() - 1)])?;
        }
        Ok(())
    }
}

impl Tactics {
    /// What the side that must decide may do.
    #[inline]
    pub fn options(&self, f: &Field, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        match f.step() {
            Step::Initiative(_) => {
                ballot.allow(Deed::First);
                ballot.allow(Deed::Second);
            }
            Step::Breach => self.list_breaches(f, ballot),
            Step::Deploy(side, None) => self.list_deploying(f, side, ballot),
            Step::Deploy(side, Some(man)) => self.list_places(f, side, man, ballot),
            Step::Fire => self.list_fire(f, ballot),
            Step::Move => self.list_moves(f, ballot),
            Step::March(man) => self.list_steps(f, man, ballot),
            Step::Shots(man) => self.list_shots(f, man, ballot),
            Step::Combat => self.list_combat(f, ballot),
            Step::Attack => self.list_attack(f, ballot),
            Step::Answer => self.list_answers(f, ballot),
            Step::Mercy(..) => {
                ballot.allow(Deed::Grant);
                ballot.allow(Deed::Refuse);
            }
            Step::Victim(side) => self.list_victims(f, side, ballot),
            Step::Retreat(man, left) => self.list_retreat(f, man, left, ballot),
            Step::Advance => self.list_advance(f, ballot),
            Step::Over => {}
        }
    }

    /// Carries out what the side that must decide may do.
    #[inline]
    pub fn apply(&self, f: &mut Field, deed: Deed, umpire: &mut (impl Umpire + ?Sized)) {
        match deed {
            Deed::First | Deed::Second => self.choose_first(f, deed == Deed::First, umpire),
            Deed::Breach(place) => self.breach(f, place, umpire),
            Deed::Put(place) => self.put(f, place, umpire),
            Deed::Face(direction) => self.face_way(f, direction, umpire),
            Deed::Ready => self.ready(f, umpire),
            Deed::Take(who) => self.take(f, who, umpire),
            Deed::Retreat => self.order_retreat(f, umpire),
            Deed::GiveUp => self.give_up(f, umpire),
            Deed::Shoot(who, target, at) => self.shoot(f, who, target, at, umpire),
            Deed::ShootHorse(who, place) => self.shoot_horse(f, who, place, umpire),
            Deed::Bolt(engine, target) => self.shoot_ballista(f, engine, target, umpire),
            Deed::Pour(who, place) => self.pour(f, who, place, umpire),
            Deed::Light(who, place) => self.light(f, who, place, umpire),
            Deed::Done => self.done(f, umpire),
            Deed::Go(direction) => match f.step() {
                Step::Retreat(man, left) => self.retreat_step(f, man, left, direction, umpire),
                _ => self.go(f, direction, umpire),
            },
            Deed::Left | Deed::Right | Deed::Back | Deed::About => self.manoeuvre(f, deed, umpire),
            Deed::Mount(place) => self.mount(f, place, umpire),
            Deed::Dismount => self.dismount(f, umpire),
            Deed::Halt => self.halt(f, umpire),
            Deed::Lift | Deed::Drop | Deed::Throw(_) | Deed::Raise(_) | Deed::Bridge => {
                self.handle(f, deed, umpire);
            }
            Deed::Tip(engine) => self.tip(f, engine, umpire),
            Deed::Board(engine) => self.board(f, engine, umpire),
            Deed::Push(engine, direction) => self.push(f, engine, direction, umpire),
            Deed::Order(who, order) => {
                f.ordered = f.find(who).map(|man| (man, order));
                if let Some((man, _)) = f.ordered {
                    f.man_mut(man).marks.set(Marks::ORDERED, true);
                }
                umpire.note(
                    Readers::ALL,
                    rule!("T33"),
                    format_args!("{} orders his men: {}", self.named(who), Self::order_word(order)),
                );
            }
            Deed::Attack(who, target) => self.begin_attack(f, who, target),
            Deed::With(who) => self.join_attack(f, who),
            Deed::Also(who) => self.widen_attack(f, who),
            Deed::Strike => self.declare(f, umpire),
            Deed::KillHorse(who, place) => self.attack_horse(f, who, place, umpire),
            Deed::Ram(engine) => self.ram(f, engine, umpire),
            Deed::Hew(who, place) => self.hew(f, who, place, umpire),
            Deed::Counter => self.counter(f, umpire),
            Deed::Dodge => self.dodge(f, umpire),
            Deed::Withdraw => self.withdraw(f, umpire),
            Deed::Plea(who, to) => self.plead(f, who, to, umpire),
            Deed::Grant | Deed::Refuse => self.answer_plea(f, deed == Deed::Grant, umpire),
            Deed::Hit(who) => self.hit(f, who, umpire),
            Deed::Advance(who, after) => self.advance(f, who, after, umpire),
            Deed::Stay => self.end_advance(f, umpire),
        }
    }

    /// The phase is over, or the retreat of one man.
    fn done(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        match f.step() {
            Step::Fire => self.begin_movement(f, umpire),
            Step::Move => self.begin_combat(f, umpire),
            Step::Shots(_) => {
                f.agenda.pop();
                self.after_move(f, umpire);
            }
            Step::Combat => self.end_player_turn(f, umpire),
            _ => {}
        }
    }

    const fn order_word(order: crate::field::Order) -> &'static str {
        use crate::field::Order;
        match order {
            Order::Close => "close in",
            Order::Hold => "hold",
            Order::Shoot => "shoot",
            Order::FallBack => "fall back",
        }
    }

    /// The name of a man.
    #[inline]
    pub fn named(&self, who: Who) -> Named<'_> {
        Named(&self.data, who)
    }

    /// The name of a man of a field.
    #[inline]
    pub fn call(&self, f: &Field, man: Man) -> Named<'_> {
        Named(&self.data, f.man(man).who)
    }

    /// The counter of a man.
    #[inline]
    pub fn card(&self, soldier: &Soldier) -> &Card {
        self.data.card(soldier.who.counter)
    }

    /// The type of a man.
    #[inline]
    pub fn kind(&self, soldier: &Soldier) -> &Kind {
        self.data.kind(soldier.who.counter)
    }

    /// Whether a man is wounded: less than half of his life is left [3.51].
    #[inline]
    pub fn wounded(&self, soldier: &Soldier) -> bool {
        u16::from(soldier.life) * 2 < u16::from(self.card(soldier).life)
    }

    /// The side of his counter that a man shows, standing.
    #[inline]
    pub fn face(&self, soldier: &Soldier) -> Face {
        let card = self.card(soldier);
        let wounded = usize::from(self.wounded(soldier));
        let mut face = match card.mounted {
            Some(faces) if soldier.mounted() => faces[wounded],
            _ => card.foot[wounded],
        };
        if soldier.is(Marks::HUNGRY) {
            face.attack = face.attack.saturating_sub(HUNGER);
        }
        if soldier.is(Marks::STARVED) {
            face.defence = face.defence.saturating_sub(HUNGER).max(1);
        }
        face
    }

    /// The class of a man: by his title, else by his type [3.62, 3.65].
    #[inline]
    pub fn class(&self, soldier: &Soldier) -> u8 {
        match (soldier.is(Marks::BARON), soldier.is(Marks::PRINCE)) {
            (true, true) => 1,
            (false, false) => self.kind(soldier).class,
            _ => 2,
        }
    }

    /// The level of a man's morale: by his title, else by his type [3.62].
    #[inline]
    pub fn level_of_morale(&self, soldier: &Soldier) -> u8 {
        match (soldier.is(Marks::BARON), soldier.is(Marks::PRINCE)) {
            (true, true) => 15,
            (false, true) => 13,
            (true, false) => 12,
            (false, false) => self.kind(soldier).morale,
        }
    }

    /// The defence that a man dodges with: little, where he lies stunned [3.54].
    #[inline]
    pub fn dodging_defence(&self, soldier: &Soldier) -> u8 {
        if !soldier.is(Marks::STUNNED) {
            self.face(soldier).defence
        } else if self.kind(soldier).armoured {
            self.data.tables.stunned_armoured
        } else {
            self.data.tables.stunned_unarmoured
        }
    }

    /// Whether a man is a major character: of class 3 or better, or in command [3.58].
    #[inline]
    pub fn major(&self, f: &Field, man: Man) -> bool {
        let soldier = f.man(man);
        self.class(soldier) <= crate::data::KNIGHT || f.chiefs[soldier.side.index()].man == man
    }

    /// The level of a hex: 1 on the wall walk \[T34\].
    #[inline]
    pub fn level(&self, f: &Field, place: Place) -> u8 {
        self.data.ground(f.terrain(place)).level
    }

    /// Whether two neighbouring hexes are joined for a blow: levels \[T34\] and closed gates \[T35\]. What is refused,
    /// and why.
    pub fn joined(&self, f: &Field, from: Place, to: Place) -> Result<(), Refusal> {
        self.on_one_level(f, from, to)?;
        if self.gate_between(f, from, to) { Err((rule!("T35"), "the gate is closed")) } else { Ok(()) }
    }

    /// Whether a man of a side may step from a hex to one next to it: as for a blow, but the garrison passes its own
    /// closed gate [T34, T35].
    pub fn passes(&self, f: &Field, side: Side, from: Place, to: Place) -> Result<(), Refusal> {
        if f.defender() == Some(side) { self.on_one_level(f, from, to) } else { self.joined(f, from, to) }
    }

    fn on_one_level(&self, f: &Field, from: Place, to: Place) -> Result<(), Refusal> {
        if f.siege.is_none() {
            return Ok(());
        }
        let (below, above) = (self.level(f, from), self.level(f, to));
        if below != above {
            let joins = |at| self.data.ground(f.terrain(at)).joins;
            let ladder = f.engines().any(|(_, e)| Self::leads(e, from, to) || Self::leads(e, to, from));
            let tower = self.tower_at(f, from) || self.tower_at(f, to);
            if !(joins(from) || joins(to) || ladder || tower) {
                return Err((rule!("T34"), "stairs, rubble, a ladder or a tower must lead there"));
            }
        }
        Ok(())
    }

    /// Whether a closed gate is between two neighbouring hexes \[T35\].
    pub(crate) fn gate_between(&self, f: &Field, from: Place, to: Place) -> bool {
        f.siege.is_some_and(|siege| siege.gate < self.data.tables.gate_damage)
            && [(from, to), (to, from)]
                .into_iter()
                .any(|(at, other)| f.terrain(at) == Terrain::Gate && !f.inner(other))
    }

    /// Whether a raised ladder leads from one hex to another.
    pub(crate) fn leads(engine: &Engine, from: Place, to: Place) -> bool {
        engine.kind == crate::field::EngineKind::Ladder
            && engine.raised
            && engine.at == Some(from)
            && from.neighbour(engine.facing) == Some(to)
    }

    fn tower_at(&self, f: &Field, place: Place) -> bool {
        f.engines().any(|(_, e)| e.kind == crate::field::EngineKind::Tower && e.at == Some(place))
    }

    /// Whether two hexes are next to each other and joined, so that men on them can strike at each other.
    #[inline]
    pub fn touch(&self, f: &Field, one: Place, other: Place) -> bool {
        one.distance(other) == 1 && (f.siege.is_none() || self.joined(f, one, other).is_ok())
    }

    /// Whether two men stand next to each other, so that they can strike.
    pub fn beside(&self, f: &Field, one: Man, other: Man) -> bool {
        let (one, other) = (f.man(one), f.man(other));
        one.hexes().any(|a| other.hexes().any(|b| self.touch(f, a, b)))
    }

    /// Whether an enemy of a side who is not stunned stands next to a hex.
    #[inline]
    pub fn near_foe(&self, f: &Field, place: Place, side: Side) -> bool {
        f.around(place).any(|at| match f.man_on(at) {
            Some(other) => {
                let other = f.man(other);
                other.side != side && other.stands() && self.touch(f, place, at)
            }
            None => false,
        })
    }

    /// Whether an enemy who is not stunned stands next to a man.
    #[inline]
    pub fn engaged(&self, f: &Field, man: Man) -> bool {
        let soldier = f.man(man);
        soldier.hexes().any(|at| self.near_foe(f, at, soldier.side))
    }

    /// A man loses life: he may be stunned, wounded or killed by it [3.51].
    pub(crate) fn hurt(
        &self,
        f: &mut Field,
        man: Man,
        loss: u8,
        stuns: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let soldier = *f.man(man);
        if !soldier.here() || loss == 0 {
            return;
        }
        let defence = self.face(&soldier).defence;
        let horse_dies = soldier.mounted() && stuns && loss > defence.saturating_mul(2);
        if loss >= soldier.life {
            umpire.note(
                Readers::ALL,
                rule!("3.51"),
                format_args!("{} loses {loss} and is killed", self.call(f, man)),
            );
            self.kill(f, man, horse_dies);
            return;
        }
        let before = self.wounded(&soldier);
        f.man_mut(man).life -= loss;
        let wounded = !before && self.wounded(f.man(man));
        if wounded {
            f.man_mut(man).marks.set(Marks::SHAKEN, true);
        }
        let stunned = stuns && loss > defence;
        let left = f.man(man).life;
        let what = match (wounded, stunned) {
            (true, true) => ", wounded and stunned",
            (true, false) => " and is wounded",
            (false, true) => " and is stunned",
            (false, false) => "",
        };
        umpire.note(
            Readers::ALL,
            rule!("3.51"),
            format_args!("{} loses {loss} of his life, has {left} left{what}", self.call(f, man)),
        );
        if stunned {
            let (active, before_stunned) = (f.active, soldier.is(Marks::STUNNED));
            if soldier.mounted() {
                umpire.cite(rule!("T7"));
                self.unhorse(f, man, horse_dies);
            }
            let soldier = f.man_mut(man);
            // Stunned anew he lies a turn longer than he would have; in his own player-turn that is so by itself.
            let longer = before_stunned && (soldier.is(Marks::FRESH) || soldier.side != active);
            soldier.marks.set(Marks::STUNNED, true);
            soldier.marks.set(if longer { Marks::ANEW } else { Marks::FRESH }, true);
            soldier.marks.set(Marks::PANIC, false);
            self.let_go(f, man);
        }
    }

    /// A man dies: friends who see it are shaken \[T25\].
    pub(crate) fn kill(&self, f: &mut Field, man: Man, horse_dies: bool) {
        self.remove(f, man, Fate::Dead, horse_dies);
    }

    /// A man leaves the field: dead, a prisoner, or fled. His horse stays behind, unless it is dead or he rides away.
    pub(crate) fn remove(&self, f: &mut Field, man: Man, fate: Fate, horse_dies: bool) {
        let soldier = *f.man(man);
        let Some(at) = soldier.at else { return };
        self.let_go(f, man);
        f.lift(man);
        let class = self.class(&soldier);
        let fallen = fate == Fate::Dead || fate == Fate::Captive;
        let chief = f.chiefs[soldier.side.index()].man == man;
        if fallen {
            for number in 0..f.men.len() {
                let other = f.men[number];
                if other.side != soldier.side || !other.here() || number == man.number() {
                    continue;
                }
                let near = fate == Fate::Dead
                    && self.class(&other) >= class
                    && other.hexes().any(|a| soldier.hexes().any(|b| a.distance(b) == 1));
                let sees = chief && other.at.is_some_and(|from| self.sees(f, from, at));
                if near || sees {
                    f.men[number].marks.set(Marks::SHAKEN, true);
                }
            }
        }
        let soldier = f.man_mut(man);
        soldier.fate = fate;
        soldier.at = None;
        if soldier.mounted() {
            soldier.marks.set(Marks::MOUNTED, false);
            if fallen && !horse_dies {
                soldier.horse = Some(at);
                f.on.set(at, HORSE);
            }
        }
    }

    /// A man lets go of what he carries; it lies where he stood.
    pub(crate) fn let_go(&self, f: &mut Field, man: Man) {
        let soldier = *f.man(man);
        if soldier.is(Marks::ABOARD) {
            return;
        }
        if let Some(engine) = soldier.engine {
            f.engine_mut(engine).at = soldier.at;
            f.man_mut(man).engine = None;
        }
    }
}

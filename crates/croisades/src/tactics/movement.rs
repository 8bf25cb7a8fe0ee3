//! Movement: small steps, what ground costs, turning and backing [T2 to T5].

use arrayvec::ArrayVec;
use table::hex::Direction;
use table::{Ballot, Readers, Umpire, rule};

use super::{Refusal, Tactics};
use crate::data::Terrain;
use crate::deed::Deed;
use crate::field::{ENGINE, EngineKind, Fate, Field, HORSE, March, Marks, Order, Step, Waypoint};
use crate::ids::{Man, Place};

impl Tactics {
    pub(super) fn begin_movement(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        f.agenda.replace(Step::Move);
        f.march = March::default();
        self.drop_orders(f);
        if f.retreats[f.active.index()] {
            umpire.cite(rule!("T31"));
            for number in 0..f.men.len() {
                let man = Man::at(number);
                if f.man(man).side == f.active && f.man(man).steady() {
                    self.run_home(f, man, umpire);
                }
            }
            self.begin_combat(f, umpire);
        } else if !self.has_moves(f) {
            self.begin_combat(f, umpire);
        }
    }

    /// Orders to formations last for a phase \[T33\].
    pub(super) fn drop_orders(&self, f: &mut Field) {
        f.ordered = None;
        for soldier in &mut f.men {
            soldier.marks.set(Marks::ORDERED, false);
        }
    }

    /// Whether a man may still be moved in this player-turn.
    #[inline]
    pub fn may_move(&self, f: &Field, man: Man) -> Result<(), Refusal> {
        let soldier = f.man(man);
        if !soldier.stands() {
            return Err((rule!("T23"), "he lies stunned"));
        }
        self.runs(soldier)?;
        if soldier.is(Marks::MOVED) {
            return Err((rule!("T8"), "he has moved already"));
        }
        Ok(())
    }

    fn has_moves(&self, f: &Field) -> bool {
        f.of(f.active).any(|(man, _)| self.may_move(f, man).is_ok())
            || f.siege.is_some() && self.has_pushing(f)
    }

    pub(super) fn list_moves(&self, f: &Field, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        ballot.allow(Deed::Done);
        self.list_giving_up(f, ballot);
        for (man, soldier) in f.of(f.active) {
            match self.may_move(f, man) {
                Ok(()) => ballot.allow(Deed::Take(soldier.who)),
                Err((rule, why)) => ballot.refuse(Deed::Take(soldier.who), rule, format_args!("{why}")),
            }
        }
        self.list_orders(f, &[Order::Close, Order::Hold, Order::FallBack], ballot);
        if f.siege.is_some() {
            self.list_pushing(f, ballot);
        }
    }

    /// Leaders may order their formations, once in a phase \[T33\].
    pub(super) fn list_orders(&self, f: &Field, orders: &[Order], ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        for (man, soldier) in f.of(f.active) {
            if soldier.leader != man || self.class(soldier) > crate::data::NCO {
                continue;
            }
            for order in orders {
                let deed = Deed::Order(soldier.who, *order);
                if !soldier.steady() {
                    ballot.refuse(deed, rule!("T33"), format_args!("he can give no orders now"));
                } else if soldier.is(Marks::ORDERED) {
                    ballot.refuse(deed, rule!("T33"), format_args!("his formation has its order"));
                } else {
                    ballot.allow(deed);
                }
            }
        }
    }

    /// A man's allowance for this move [T4, T11, T36].
    pub fn allowance(&self, f: &Field, man: Man) -> u8 {
        let soldier = f.man(man);
        let mut points = self.face(soldier).movement;
        if soldier.is(Marks::SHOT) {
            points /= 2;
        }
        if let Some(engine) = soldier.engine.filter(|_| !soldier.is(Marks::ABOARD)) {
            match f.engine(engine).kind {
                EngineKind::Ladder => points = points.saturating_sub(self.data.tables.ladder_carried),
                EngineKind::Screen => points = points.min(self.data.tables.screen_move),
                _ => {}
            }
        }
        points
    }

    pub(super) fn begin_march(&self, f: &mut Field, man: Man, umpire: &mut (impl Umpire + ?Sized)) {
        let allowance = self.allowance(f, man);
        if f.man(man).is(Marks::SHOT) {
            umpire.cite(rule!("T11"));
        }
        f.lift(man);
        let soldier = f.man_mut(man);
        soldier.run = 0;
        let Some(at) = soldier.at else { return };
        let start = Waypoint { at, facing: soldier.facing, spent: 0, life: soldier.life, run: 0 };
        f.march = March { allowance, ..March::default() };
        f.march.path.push(start);
        f.march.mate = self.mate(f, man);
        f.agenda.push(Step::March(man));
    }

    /// What it costs a man to enter a hex from the one next to it, whatever he has left; else why he cannot.
    pub fn entry(&self, f: &Field, man: Man, from: Place, to: Place) -> Result<u8, Refusal> {
        let soldier = f.man(man);
        let terrain = f.terrain(to);
        let ground = self.data.ground(terrain);
        let cost = if soldier.mounted() {
            ground.mounted.ok_or((rule!("T4"), "the ground is closed to riders"))?
        } else {
            ground.foot.ok_or((rule!("T4"), "the ground is closed"))?
        };
        match f.on.get(to) {
            0 => {}
            HORSE => return Err((rule!("T2"), "a horse stands there")),
            ENGINE => return Err((rule!("T2"), "an engine stands there")),
            _ => {
                let other = f.man_on(to).map(|other| f.man(other));
                if other.is_some_and(|other| other.side != soldier.side) {
                    return Err((rule!("T2"), "an enemy is there"));
                }
                if soldier.mounted() {
                    return Err((rule!("T2"), "riders do not pass friends"));
                }
            }
        }
        let Some(siege) = f.siege else { return Ok(cost) };
        self.passes(f, soldier.side, from, to)?;
        let tables = &self.data.tables;
        if terrain == Terrain::Door && siege.door < tables.gate_damage && soldier.side != siege.defender {
            let keep = f.around(to).any(|at| f.terrain(at) == Terrain::KeepInterior);
            if keep {
                return Err((rule!("T44"), "the door of the keep is barred"));
            }
        }
        if self.level(f, from) != self.level(f, to) {
            if f.engines().any(|(_, e)| Self::leads(e, from, to) || Self::leads(e, to, from)) {
                return Ok(tables.ladder_climb);
            }
            if soldier.is(Marks::ABOARD) {
                return Ok(tables.tower_pass);
            }
        }
        Ok(cost)
    }

    /// Whether a man may step to a neighbouring hex with what he has left, and what it costs.
    pub fn step_cost(&self, f: &Field, man: Man, direction: Direction) -> Result<u8, Refusal> {
        let soldier = f.man(man);
        let (Some(at), march) = (soldier.at, &f.march) else { return Err((rule!("T8"), "he is not there")) };
        if soldier.mounted() && direction.turns_to(soldier.facing) > 1 {
            return Err((rule!("T3"), "he rides only into the three hexes in front"));
        }
        let Some(to) = f.next(at, direction) else { return Err((rule!("T4"), "the map ends there")) };
        self.carrying(f, man)?;
        let cost = self.entry(f, man, at, to)?;
        let first = march.path.len() == 1 && march.spent == 0;
        if !first && march.spent + cost > march.allowance {
            let screen = soldier.engine.is_some_and(|e| f.engine(e).kind == EngineKind::Screen);
            if screen {
                return Err((rule!("T39"), "a screen is pushed three hexes at the most"));
            }
            return Err((rule!("T4"), "his allowance does not suffice"));
        }
        if !f.is_free(to) && self.carries_ladder(f, man) {
            return Err((rule!("T36"), "two men with a ladder do not pass friends"));
        }
        if !f.is_free(to) {
            // He must be able to leave a friend's hex again.
            let left = march.allowance.saturating_sub(march.spent + cost);
            let out = Direction::ALL
                .into_iter()
                .filter_map(|d| f.next(to, d))
                .any(|next| f.is_free(next) && self.entry(f, man, to, next).is_ok_and(|cost| cost <= left));
            if !out {
                return Err((rule!("T2"), "he would have to stop on a friend’s hex"));
            }
        }
        if march.path.is_full() {
            return Err((rule!("T4"), "he has gone far enough"));
        }
        Ok(cost)
    }

    pub(super) fn list_steps(&self, f: &Field, man: Man, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        let soldier = f.man(man);
        let Some(at) = soldier.at else { return };
        let aboard = soldier.is(Marks::ABOARD);
        if f.march.busy {
            ballot.force(Deed::Halt);
        } else if f.is_free(at) || aboard {
            ballot.allow(Deed::Halt);
        } else {
            ballot.refuse(Deed::Halt, rule!("T2"), format_args!("a friend stands there"));
        }
        if f.march.busy {
            return;
        }
        for direction in Direction::ALL {
            match self.step_cost(f, man, direction) {
                Ok(_) => ballot.allow(Deed::Go(direction)),
                Err((rule, why)) => ballot.refuse(Deed::Go(direction), rule, format_args!("{why}")),
            }
        }
        if soldier.mounted() {
            for deed in [Deed::Left, Deed::Right, Deed::Back, Deed::About] {
                match self.turning(f, man, deed) {
                    Ok(_) => ballot.allow(deed),
                    Err((rule, why)) => ballot.refuse(deed, rule, format_args!("{why}")),
                }
            }
        }
        self.list_mounting(f, man, ballot);
        if f.siege.is_some() {
            self.list_handling(f, man, ballot);
        }
    }

    /// Where a rider would be after a turn, a step back or an about-turn, and what it costs \[T5\].
    pub fn turning(&self, f: &Field, man: Man, deed: Deed) -> Result<(Place, Direction, u8), Refusal> {
        let soldier = f.man(man);
        let tables = &self.data.tables;
        let off = (rule!("T5"), "there is no room on the map");
        let Some(tail) = soldier.tail() else { return Err(off) };
        let facing = soldier.facing;
        let (to, looks, cost, entered) = match deed {
            Deed::Left | Deed::Right => {
                let looks = if deed == Deed::Left { facing.left() } else { facing.right() };
                let to = f.next(tail, looks).ok_or(off)?;
                (to, looks, tables.turn_cost, Some(to))
            }
            Deed::Back => {
                let behind = f.next(tail, facing.opposite()).ok_or(off)?;
                (tail, facing, tables.back_cost, Some(behind))
            }
            _ => (tail, facing.opposite(), tables.about_cost, None),
        };
        if f.march.spent + cost > f.march.allowance {
            return Err((rule!("T5"), "his allowance does not suffice"));
        }
        if let Some(entered) = entered {
            self.entry(f, man, tail, entered)?;
        }
        if f.march.path.is_full() {
            return Err((rule!("T5"), "he has gone far enough"));
        }
        Ok((to, looks, cost))
    }

    /// Whether a man who has halted on his way has moved, and is off the ground of his friends.
    pub(super) fn go(&self, f: &mut Field, direction: Direction, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::March(man) = f.step() else { return };
        let (Ok(cost), Some(at)) = (self.step_cost(f, man, direction), f.man(man).at) else { return };
        let Some(to) = f.next(at, direction) else { return };
        let near = self.is_near(f, man);
        let aboard = f.man(man).is(Marks::ABOARD);
        let climbs = f.siege.is_some()
            && self.level(f, at) < self.level(f, to)
            && f.engines().any(|(_, e)| Self::leads(e, at, to));
        let clear = self.data.tables.charge_ground.contains(&f.terrain(to));
        umpire.cite(rule!("T4"));
        if umpire.writes() && f.siege.is_some() {
            if self.level(f, at) != self.level(f, to) {
                umpire.cite(rule!("T34"));
            }
            if self.gate_between(f, at, to) {
                umpire.cite(rule!("T35"));
            }
            if aboard {
                umpire.cite(rule!("T37"));
            }
            if self.carries_ladder(f, man) {
                umpire.cite(rule!("T36"));
            }
        }
        if matches!(f.terrain(to), Terrain::Door | Terrain::Window) {
            umpire.cite(rule!("T44"));
        }
        if aboard {
            let soldier = f.man_mut(man);
            soldier.marks.set(Marks::ABOARD, false);
            soldier.engine = None;
            // His way begins outside: nobody stops him back into the engine.
            f.march.path.clear();
        }
        let mate = f.march.mate.filter(|_| self.carries_ladder(f, man));
        let soldier = f.man_mut(man);
        let straight = soldier.facing == direction && clear;
        soldier.run = if straight { soldier.run + 1 } else { 0 };
        soldier.at = Some(to);
        soldier.facing = direction;
        if climbs {
            soldier.marks.set(Marks::CLIMBER, true);
            umpire.cite(rule!("T36"));
        }
        if soldier.mounted() {
            umpire.cite(rule!("T3"));
        }
        if let Some(engine) = soldier.engine {
            let it = f.engine_mut(engine);
            it.at = Some(to);
            it.facing = direction;
        }
        if let Some(mate) = mate {
            self.follow(f, mate, at);
            f.man_mut(mate).marks.set(Marks::MOVED, true);
        }
        f.march.spent += cost;
        self.mark_way(f, man);
        self.meet(f, man, near, to, umpire);
    }

    pub(super) fn manoeuvre(&self, f: &mut Field, deed: Deed, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::March(man) = f.step() else { return };
        let Ok((to, looks, cost)) = self.turning(f, man, deed) else { return };
        let near = self.is_near(f, man);
        let soldier = f.man_mut(man);
        soldier.at = Some(to);
        soldier.facing = looks;
        soldier.run = 0;
        f.march.spent += cost;
        umpire.cite(rule!("T5"));
        self.mark_way(f, man);
        if deed != Deed::About {
            let entered = if deed == Deed::Back { f.man(man).tail().unwrap_or(to) } else { to };
            self.meet(f, man, near, entered, umpire);
        }
    }

    /// Notes where a man is on his way.
    pub(super) fn mark_way(&self, f: &mut Field, man: Man) {
        let soldier = f.man(man);
        if let Some(at) = soldier.at {
            let (facing, life, run) = (soldier.facing, soldier.life, soldier.run);
            let spent = f.march.spent;
            f.march.path.push(Waypoint { at, facing, spent, life, run });
        }
    }

    /// Whether a man who is on his way is next to an enemy.
    fn is_near(&self, f: &Field, man: Man) -> bool {
        let soldier = f.man(man);
        !soldier.is(Marks::ABOARD) && soldier.hexes().any(|at| self.near_foe(f, at, soldier.side))
    }

    /// A man on his way has entered a hex: enemies may challenge him, and he may fall.
    fn meet(&self, f: &mut Field, man: Man, near: bool, entered: Place, umpire: &mut (impl Umpire + ?Sized)) {
        let rode = f.man(man).mounted();
        self.challenges(f, man, near, entered, &[], umpire);
        let soldier = *f.man(man);
        let last = f.march.path.len() - 1;
        f.march.path[last].life = soldier.life;
        if soldier.fate != Fate::Fights || soldier.is(Marks::STUNNED) || rode != soldier.mounted() {
            // A man who falls among friends lies on the last free hex of his way.
            if soldier.here() && !rode && !f.is_free(entered) {
                let free = f.march.path.iter().rev().find(|way| f.is_free(way.at)).map(|way| way.at);
                f.man_mut(man).at = free;
            }
            f.march.busy = true;
            self.halt(f, umpire);
        }
    }

    pub(super) fn halt(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        let man = match f.step() {
            Step::Deploy(side, Some(man)) => {
                f.man_mut(man).marks.set(Marks::PLACED, true);
                f.agenda.replace(Step::Deploy(side, None));
                return;
            }
            Step::March(man) => man,
            _ => return,
        };
        let soldier = f.man_mut(man);
        soldier.marks.set(Marks::MOVED, true);
        let here = soldier.here();
        if here {
            f.set_down(man);
        }
        if umpire.writes() && here && f.march.path.len() > 1 {
            let at = f.man(man).at.unwrap_or(f.march.path[0].at);
            umpire.note(Readers::ALL, rule!("T4"), format_args!("{} goes to {at}", self.call(f, man)));
        }
        f.agenda.pop();
        if self.has_shots(f, man) {
            f.agenda.push(Step::Shots(man));
        } else {
            self.after_move(f, umpire);
        }
    }

    /// A man's move is over.
    pub(super) fn after_move(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        f.march = March::default();
        if f.step() == Step::Move && !self.has_moves(f) {
            self.begin_combat(f, umpire);
        }
    }

    /// The way in which a man on a hex gets further from another hex, straight if he can.
    pub(super) fn away(&self, f: &Field, man: Man, at: Place, from: Place) -> Option<Direction> {
        let ways = Direction::ALL.into_iter().filter(|way| self.can_shove(f, man, *way));
        let gains = |way: &Direction| {
            let to = at.neighbour(*way).map_or(0, |to| to.distance(from));
            to.saturating_sub(at.distance(from))
        };
        // Straight away: the direction that is most opposed to where the other is.
        let back = straight(from, at);
        let best = ways.filter(|way| gains(way) > 0);
        best.min_by_key(|way| back.map_or(0, |back| way.turns_to(back)))
    }

    /// Whether a man could be shoved one hex this way: open to him and free; a rider turns as he goes.
    pub(super) fn can_shove(&self, f: &Field, man: Man, way: Direction) -> bool {
        let soldier = f.man(man);
        let Some(at) = soldier.at else { return false };
        let Some(to) = f.next(at, way) else { return false };
        // His own tail does not stand in his way when he turns about.
        let own = f.man_on(to) == Some(man);
        let ground = self.data.ground(f.terrain(to));
        let open = if soldier.mounted() { ground.mounted } else { ground.foot };
        let free = own || f.is_free(to);
        open.is_some() && free && (f.siege.is_none() || self.passes(f, soldier.side, at, to).is_ok())
    }

    /// Moves a man one hex: the head of a horse goes ahead and the tail follows.
    pub(super) fn shove(&self, f: &mut Field, man: Man, way: Direction) {
        let Some(at) = f.man(man).at else { return };
        let Some(to) = f.next(at, way) else { return };
        f.lift(man);
        let soldier = f.man_mut(man);
        soldier.at = Some(to);
        soldier.facing = way;
        let engine = soldier.engine;
        f.set_down(man);
        if let Some(engine) = engine {
            f.engine_mut(engine).at = Some(to);
        }
    }

    /// A man runs to his own edge with his whole allowance, and off the map if he gets there [T28, T30].
    pub(super) fn run_home(
        &self,
        f: &mut Field,
        man: Man,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> ArrayVec<Place, 2> {
        let side = f.man(man).side;
        let way = self.run(f, man, &|f, at| -(f.to_edge(at, side) as i32), umpire);
        let Some(at) = f.man(man).at else { return way };
        let inside = f.defender() == Some(side);
        if !inside && f.to_edge(at, side) == 0 && !f.man(man).is(Marks::ABOARD) {
            umpire.note(Readers::ALL, rule!("T30"), format_args!("{} leaves the field", self.call(f, man)));
            self.remove(f, man, Fate::Fled, false);
        }
        way
    }

    /// A man runs with his whole allowance to where something is greatest, step by step. The first hexes of his way are
    /// returned: as far as anybody advances after him \[T21\].
    pub(super) fn run(
        &self,
        f: &mut Field,
        man: Man,
        worth: &dyn Fn(&Field, Place) -> i32,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> ArrayVec<Place, 2> {
        let mut went = ArrayVec::new();
        if f.man(man).is(Marks::ABOARD) && !self.get_out(f, man) {
            return went;
        }
        self.let_go(f, man);
        let mut left = self.face(f.man(man)).movement;
        let mut first = true;
        f.march = March::default();
        while let Some(at) = f.man(man).at {
            let now = worth(f, at);
            let mut best: Option<(i32, Direction, u8)> = None;
            for way in Direction::ALL {
                if !self.can_shove(f, man, way) {
                    continue;
                }
                let Some(to) = f.next(at, way) else { continue };
                let ground = self.data.ground(f.terrain(to));
                let cost = if f.man(man).mounted() { ground.mounted } else { ground.foot }.unwrap_or(99);
                let gain = worth(f, to);
                if (first || cost <= left) && gain > now && best.is_none_or(|(most, _, _)| gain > most) {
                    best = Some((gain, way, cost));
                }
            }
            let Some((_, way, cost)) = best else { break };
            let near = self.is_near(f, man);
            self.shove(f, man, way);
            if let Some(entered) = f.man(man).at {
                if !went.is_full() {
                    went.push(entered);
                }
                self.challenges(f, man, near && !first, entered, &[], umpire);
            }
            if !f.man(man).stands() || left <= cost {
                break;
            }
            left -= cost;
            first = false;
        }
        f.march = March::default();
        went
    }
}

/// The direction in which one hex lies from another, as nearly as can be told.
fn straight(from: Place, to: Place) -> Option<Direction> {
    let near = to.hex().line(from.hex()).nth(1)?;
    let next = near.hexes().next()?;
    Some(to.hex().direction_to(next)?.opposite())
}

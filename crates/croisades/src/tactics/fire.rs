//! Shooting: who may, at whom, how well, and what it does [3.52, T11 to T16].

use table::hex::Passed;
use table::{Ballot, Readers, Rule, Umpire, rule};

use super::{Refusal, Tactics};
use crate::data::{Cover, Shot, Terrain, Weapon, WeaponSheet};
use crate::deed::Deed;
use crate::field::{EngineKind, Field, Marks, Step};
use crate::ids::{EngineId, Man, Place, Who};

/// How a shot is aimed: what is added to the die, and where it hits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aim {
    /// Added to the die.
    pub die: i8,
    /// Rows that the weapon adds.
    pub rows: u8,
    /// The cover of the target.
    pub cover: Cover,
    /// Whether the target is mounted.
    pub mounted: bool,
    /// Whether a friend of the shooter stands next to the target.
    pub crowded: bool,
}

impl Tactics {
    /// The hex that stops the sight between two hexes, if one does \[T14\].
    pub fn blocked(&self, f: &Field, from: Place, to: Place) -> Option<Place> {
        let high = self.level(f, from) > 0;
        let low = f.siege.is_some() && !high && self.level(f, to) == 0;
        let target = to.hex();
        let blocks = |hex| {
            let Some(at) = Place::of(hex).filter(|at| f.has(*at)) else { return false };
            let terrain = f.terrain(at);
            let ground = self.data.ground(terrain);
            // A wall walk hides those below it from each other.
            let solid = ground.blocks_sight || low && ground.level > 0;
            // From the wall one looks over what is below, but for the hex next to the target.
            solid && !(high && ground.level == 0 && hex.distance(target) > 1)
        };
        let mut line = from.hex().line(target);
        let length = line.len();
        line.nth(0);
        for passed in line.take(length.saturating_sub(2)) {
            match passed {
                Passed::Through(hex) if blocks(hex) => return Place::of(hex),
                Passed::Between(one, other) if blocks(one) && blocks(other) => return Place::of(one),
                _ => {}
            }
        }
        None
    }

    /// Whether one hex can be seen from another \[T14\].
    #[inline]
    pub fn sees(&self, f: &Field, from: Place, to: Place) -> bool {
        self.blocked(f, from, to).is_none()
    }

    /// The weapon of a man.
    #[inline]
    pub fn weapon(&self, f: &Field, man: Man) -> Option<&WeaponSheet> {
        let weapon = self.kind(f.man(man)).weapon?;
        Some(&self.data.tables.weapons[weapon as usize])
    }

    /// Whether a man may shoot now, whomever at; he is of the side that fires.
    pub fn may_shoot(&self, f: &Field, man: Man) -> Result<&WeaponSheet, Refusal> {
        let soldier = f.man(man);
        let own = soldier.side == f.active;
        let Some(weapon) = self.weapon(f, man) else {
            return Err((rule!("T11"), "he has nothing to shoot with"));
        };
        if !soldier.stands() {
            return Err((rule!("T23"), "he lies stunned"));
        }
        self.runs(soldier)?;
        if own && soldier.is(Marks::SHOT) {
            return Err((rule!("T11"), "he has shot already"));
        }
        if !own && soldier.is(Marks::WATCHED) {
            return Err((rule!("T12"), "he has shot already in this movement"));
        }
        if weapon.once && soldier.is(Marks::USED) {
            return Err((rule!("T13"), "his weapon shoots once in a turn"));
        }
        if !weapon.after_moving && soldier.is(Marks::MOVED) {
            return Err((rule!("T13"), "his weapon cannot be shot after moving"));
        }
        if soldier.is(Marks::ABOARD) {
            return Err((rule!("T11"), "he works an engine"));
        }
        if self.engaged(f, man) {
            return Err((rule!("T11"), "an enemy stands next to him"));
        }
        Ok(weapon)
    }

    /// Whether a shot from one hex reaches another; else why not.
    pub fn reaches(&self, f: &Field, weapon: &WeaponSheet, from: Place, to: Place) -> Result<(), Refusal> {
        if from.distance(to) > u32::from(weapon.range) {
            return Err((rule!("T13"), "he is out of range"));
        }
        if !self.sees(f, from, to) {
            return Err((rule!("T14"), "he cannot be seen"));
        }
        Ok(())
    }

    /// The hex at which a man is shot best from another: the nearer of the two that he covers, if it can be seen.
    pub fn mark(&self, f: &Field, weapon: &WeaponSheet, from: Place, target: Man) -> Option<Place> {
        let hexes = f.man(target).hexes().filter(|at| self.reaches(f, weapon, from, *at).is_ok());
        hexes.min_by_key(|at| from.distance(*at))
    }

    /// The cover of a man on a hex against a shot from another [T15, T39].
    pub fn cover(&self, f: &Field, target: Man, at: Place, from: Place) -> Cover {
        let soldier = f.man(target);
        let terrain = f.terrain(at);
        let ground = self.data.ground(terrain);
        let mut cover = match terrain {
            Terrain::Battlement | Terrain::WallTower if self.level(f, from) > 0 => Cover::None,
            Terrain::Window if f.terrain(from).inside() => Cover::None,
            _ => ground.cover,
        };
        if let Some(engine) = soldier.engine.map(|engine| f.engine(engine)) {
            let ahead = at.hex().line(from.hex()).nth(1).map(|passed| {
                passed.hexes().any(|hex| {
                    let way = at.hex().direction_to(hex);
                    way.is_some_and(|way| way.turns_to(engine.facing) <= 1)
                })
            });
            let front = ahead.unwrap_or(false);
            let tower = self.data.ground(Terrain::SiegeTower);
            cover = cover.max(match engine.kind {
                EngineKind::Screen if front => self.data.tables.screen_cover,
                EngineKind::Ram if soldier.is(Marks::ABOARD) => Cover::Heavy,
                EngineKind::Tower if soldier.is(Marks::ABOARD) => {
                    let behind = at
                        .hex()
                        .line(from.hex())
                        .nth(1)
                        .is_some_and(|p| p.touches(at.hex().neighbour(engine.facing.opposite())));
                    if behind { tower.cover_behind.unwrap_or(tower.cover) } else { tower.cover }
                }
                _ => Cover::None,
            });
        }
        if soldier.mounted() { cover.min(Cover::Medium) } else { cover }
    }

    /// What is added to the die of a shot, line by line [T13, T14, 3.37].
    #[allow(clippy::too_many_arguments)]
    pub fn aim(
        &self,
        f: &Field,
        man: Option<Man>,
        weapon: &WeaponSheet,
        from: Place,
        target: Man,
        at: Place,
        tell: &mut impl FnMut(Rule, &'static str, i8),
    ) -> Aim {
        let tables = &self.data.tables;
        let range = from.distance(at);
        let far =
            tables.ranges.iter().find(|(hexes, _)| range <= u32::from(*hexes)).map_or(0, |(_, die)| *die);
        let mut die = 0;
        let mut add = |rule, text, amount: i8| {
            if amount != 0 {
                die += amount;
                tell(rule, text, amount);
            }
        };
        add(rule!("T13"), "Range", far);
        let soldier = f.man(target);
        if self.kind(soldier).armoured {
            add(rule!("T13"), "Armour", tables.armoured_target);
        }
        if let Some(shooter) = man.map(|man| f.man(man)) {
            if self.wounded(shooter) {
                add(rule!("T13"), "Shooter wounded", tables.wounded_shooter);
            }
            let skill = tables.skill_at_kills.iter().rev().find(|(kills, _)| shooter.kills >= *kills);
            add(rule!("3.37"), "Skill", skill.map_or(0, |(_, die)| *die));
        }
        let foe = soldier.side.foe();
        // Somewhere on his way a rider's tail was where his head had come from.
        let way = f.march.path.iter().find(|way| way.at == at);
        let facing = way.map_or(soldier.facing, |way| way.facing);
        let head = soldier.at == Some(at) || soldier.tail() != Some(at);
        let other = if head { at.neighbour(facing.opposite()) } else { soldier.at };
        let hexes = [Some(at), other.filter(|_| soldier.mounted())];
        let beside = hexes.into_iter().flatten().flat_map(|hex| f.around(hex)).any(|place| {
            f.man_on(place)
                .is_some_and(|other| f.man(other).side == foe && f.man(other).stands() && Some(other) != man)
        });
        if beside {
            add(rule!("T14"), "A friend next to the target", tables.friend_next_to_target);
        }
        Aim {
            die,
            rows: weapon.rows,
            cover: self.cover(f, target, at, from),
            mounted: soldier.mounted(),
            crowded: beside,
        }
    }

    /// What a die shows, for a shot [table.1, table.2].
    pub fn result(&self, aim: Aim, die: u8) -> Shot {
        let tables = &self.data.tables;
        let table = if aim.mounted { &tables.at_riders } else { &tables.at_foot };
        let die = (die as i8 + aim.die).max(tables.lowest_die as i8) as u8;
        let row = (die + aim.rows).min(table.last);
        table.rows[aim.cover as usize].get(usize::from(row).saturating_sub(1)).copied().unwrap_or(Shot::Miss)
    }

    pub(super) fn list_fire(&self, f: &Field, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        ballot.allow(Deed::Done);
        self.list_giving_up(f, ballot);
        let side = f.active;
        for (man, soldier) in f.of(side) {
            if self.weapon(f, man).is_none() {
                continue;
            }
            let Some(from) = soldier.at else { continue };
            match self.may_shoot(f, man) {
                Ok(weapon) => {
                    for (target, enemy) in f.of(side.foe()) {
                        let deed = Deed::Shoot(soldier.who, enemy.who, None);
                        if self.mark(f, weapon, from, target).is_some() {
                            ballot.allow(deed);
                        } else if ballot.explains() {
                            let Some(at) = enemy.at else { continue };
                            if let Err(why) = self.reaches(f, weapon, from, at) {
                                self.refuse_shot(f, deed, why, from, at, ballot);
                            }
                        }
                    }
                    self.list_horse_shots(f, man, weapon, from, ballot);
                }
                Err((rule, why)) if ballot.explains() => {
                    for (_, enemy) in f.of(side.foe()) {
                        ballot.refuse(Deed::Shoot(soldier.who, enemy.who, None), rule, format_args!("{why}"));
                    }
                }
                Err(_) => {}
            }
        }
        self.list_orders(f, &[crate::field::Order::Shoot], ballot);
        if f.siege.is_some() {
            self.list_assault_fire(f, ballot);
        }
    }

    /// Says why a shot does not reach; what stops the sight is named, with its hex \[T14\].
    fn refuse_shot(
        &self,
        f: &Field,
        deed: Deed,
        (rule, why): Refusal,
        from: Place,
        to: Place,
        ballot: &mut (impl Ballot<Deed> + ?Sized),
    ) {
        if !ballot.explains() {
            return;
        }
        match self.blocked(f, from, to).filter(|_| rule == rule!("T14")) {
            Some(hex) => {
                ballot.refuse(deed, rule, format_args!("{} is in the way on {hex}", f.terrain(hex).word()));
            }
            None => ballot.refuse(deed, rule, format_args!("{why}")),
        }
    }

    /// Whether the side whose turn it is has anything to do in the fire phase.
    pub(super) fn has_fire(&self, f: &Field) -> bool {
        let shots = f.of(f.active).any(|(man, soldier)| {
            let Some(from) = soldier.at else { return false };
            self.may_shoot(f, man).is_ok_and(|weapon| {
                f.of(f.active.foe()).any(|(target, _)| self.mark(f, weapon, from, target).is_some())
                    || f.horses().any(|horse| self.reaches(f, weapon, from, horse).is_ok())
            })
        });
        shots || f.siege.is_some() && self.has_assault_fire(f)
    }

    pub(super) fn shoot(
        &self,
        f: &mut Field,
        who: Who,
        target: Who,
        at: Option<Place>,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let (Some(man), Some(target)) = (f.find(who), f.find(target)) else { return };
        let (Some(from), Some(weapon)) = (f.man(man).at, self.weapon(f, man)) else { return };
        match at {
            None => {
                let Some(at) = self.mark(f, weapon, from, target) else { return };
                let aim = self.aim(f, Some(man), weapon, from, target, at, &mut |_, _, _| {});
                self.spend_shot(f, man, Marks::SHOT);
                umpire.cite(rule!("T11"));
                self.loose(f, Some(man), target, aim, from, umpire);
                if !self.has_fire(f) {
                    self.begin_movement(f, umpire);
                }
            }
            Some(at) => {
                self.spend_shot(f, man, Marks::WATCHED);
                self.shoot_mover(f, man, target, from, at, umpire);
            }
        }
    }

    fn spend_shot(&self, f: &mut Field, man: Man, mark: Marks) {
        let once = self.weapon(f, man).is_some_and(|weapon| weapon.once);
        let marks = &mut f.man_mut(man).marks;
        marks.set(mark, true);
        if once {
            marks.set(Marks::USED, true);
        }
    }

    /// A shot at a man who stands still: he is hit, and gives way \[T16\].
    pub(super) fn loose(
        &self,
        f: &mut Field,
        man: Option<Man>,
        target: Man,
        aim: Aim,
        from: Place,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let shot = self.roll_shot(f, man, target, aim, umpire);
        if let Shot::Hit(dice) = shot {
            let loss = dice.roll(umpire);
            self.hurt(f, target, loss, true, umpire);
            self.count_kill(f, man, target);
        }
        if shot != Shot::Miss && f.man(target).stands() {
            self.drive_back(f, target, from, umpire);
        }
    }

    /// A shooter counts the enemies whom he has killed himself [3.37].
    fn count_kill(&self, f: &mut Field, man: Option<Man>, target: Man) {
        if let (Some(man), crate::field::Fate::Dead) = (man, f.man(target).fate) {
            let shooter = f.man_mut(man);
            shooter.kills = shooter.kills.saturating_add(1);
        }
    }

    fn roll_shot(
        &self,
        f: &Field,
        man: Option<Man>,
        target: Man,
        aim: Aim,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> Shot {
        let die = umpire.roll(10);
        let shot = self.result(aim, die);
        if umpire.writes() {
            umpire.cite(rule!("3.52"));
            umpire.cite(rule!("T13"));
            umpire.cite(rule!("T15"));
            if f.man(target).engine.is_some_and(|e| f.engine(e).kind == EngineKind::Screen)
                && aim.cover != Cover::None
            {
                umpire.cite(rule!("T39"));
            }
            if aim.crowded {
                umpire.cite(rule!("T14"));
            }
            if man.is_some_and(|man| f.man(man).kills >= self.data.tables.skill_at_kills[0].0) {
                umpire.cite(rule!("3.37"));
            }
            let rule = if aim.mounted { rule!("table.1") } else { rule!("table.2") };
            let what = match shot {
                Shot::Miss => "and misses",
                Shot::Driven => "and drives him back",
                Shot::Hit(_) => "and hits",
            };
            match man {
                Some(man) => umpire.note(
                    Readers::ALL,
                    rule,
                    format_args!("{} shoots at {} {what}", self.call(f, man), self.call(f, target)),
                ),
                None => umpire.note(
                    Readers::ALL,
                    rule,
                    format_args!("The ballista shoots at {} {what}", self.call(f, target)),
                ),
            }
        }
        shot
    }

    /// A man gives way before a shot: straight away from the shooter, as far as he can \[T16\].
    fn drive_back(&self, f: &mut Field, target: Man, from: Place, umpire: &mut (impl Umpire + ?Sized)) {
        let soldier = *f.man(target);
        let Some(start) = soldier.at else { return };
        let sheltered =
            matches!(f.terrain(start), Terrain::Battlement | Terrain::WallTower | Terrain::Window)
                || soldier.engine.is_some_and(|e| f.engine(e).kind == EngineKind::Screen)
                || soldier.is(Marks::ABOARD);
        if sheltered {
            umpire.cite(rule!("table.2"));
            return;
        }
        let tables = &self.data.tables;
        let hexes = if soldier.mounted() { tables.at_riders.retreat } else { tables.at_foot.retreat };
        let mut went = 0;
        for _ in 0..hexes {
            let Some(at) = f.man(target).at else { break };
            let Some(way) = self.away(f, target, at, from) else { break };
            self.shove(f, target, way);
            went += 1;
        }
        if umpire.writes() {
            let (name, at) = (self.call(f, target), f.man(target).at.unwrap_or(start));
            if went > 0 {
                umpire.note(Readers::ALL, rule!("T16"), format_args!("{name} gives way to {at}"));
            } else {
                umpire.note(Readers::ALL, rule!("T16"), format_args!("{name} cannot give way"));
            }
        }
    }

    pub(super) fn list_shots(&self, f: &Field, mover: Man, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        ballot.allow(Deed::Done);
        let target = f.man(mover);
        for (man, soldier) in f.of(f.active.foe()) {
            if self.weapon(f, man).is_none() {
                continue;
            }
            let Some(from) = soldier.at else { continue };
            let may = self.may_shoot(f, man);
            for (i, way) in f.march.path.iter().enumerate() {
                // Where he set out counts when he came back to it.
                let before = &f.march.path[1.min(i)..i];
                if i == 0 && f.march.path.len() > 1 || before.iter().any(|p| p.at == way.at) {
                    continue;
                }
                let deed = Deed::Shoot(soldier.who, target.who, Some(way.at));
                match may {
                    Ok(weapon) => match self.reaches(f, weapon, from, way.at) {
                        Ok(()) => ballot.allow(deed),
                        Err(why) => self.refuse_shot(f, deed, why, from, way.at, ballot),
                    },
                    Err((rule, why)) => ballot.refuse(deed, rule, format_args!("{why}")),
                }
            }
        }
    }

    /// Whether somebody may shoot at the man who has just halted.
    pub(super) fn has_shots(&self, f: &Field, mover: Man) -> bool {
        if !f.man(mover).here() || f.march.path.len() < 2 {
            return false;
        }
        f.of(f.active.foe()).any(|(man, soldier)| {
            let Some(from) = soldier.at else { return false };
            self.kind(soldier).weapon.is_some()
                && self.may_shoot(f, man).is_ok_and(|weapon| {
                    f.march.path.iter().skip(1).any(|way| self.reaches(f, weapon, from, way.at).is_ok())
                })
        })
    }

    /// A shot at a man somewhere on his way \[T12\].
    fn shoot_mover(
        &self,
        f: &mut Field,
        man: Man,
        target: Man,
        from: Place,
        at: Place,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(point) = f.march.path.iter().position(|way| way.at == at) else { return };
        let point = if point == 0 {
            f.march.path.iter().skip(1).position(|w| w.at == at).map_or(0, |i| i + 1)
        } else {
            point
        };
        let Some(weapon) = self.weapon(f, man) else { return };
        umpire.cite(rule!("T12"));
        let aim = self.aim(f, Some(man), weapon, from, target, at, &mut |_, _, _| {});
        let shot = self.roll_shot(f, Some(man), target, aim, umpire);
        if shot != Shot::Miss {
            let end = f.march.path.len() - 1;
            let later = f.march.path[point].life.saturating_sub(f.march.path[end].life);
            if let Shot::Hit(dice) = shot {
                let loss = dice.roll(umpire);
                let falls = {
                    let soldier = f.man(target);
                    loss >= soldier.life.saturating_add(later) || loss > self.face(soldier).defence
                };
                if falls && !f.march.busy {
                    // He falls there, and what came after it is undone.
                    self.put_back(f, target, point);
                    f.man_mut(target).life = f.man(target).life.saturating_add(later);
                }
                self.hurt(f, target, loss, true, umpire);
                self.count_kill(f, Some(man), target);
                for way in &mut f.march.path {
                    way.life = way.life.saturating_sub(loss);
                }
            }
            if f.man(target).stands() {
                self.slow_down(f, target, point, umpire);
            }
        }
        if !f.man(target).stands() || !self.has_shots(f, target) {
            f.agenda.pop();
            self.after_move(f, umpire);
        }
    }

    /// An A on his way takes points off his allowance, and he stops where the rest no longer suffices \[T12\].
    fn slow_down(&self, f: &mut Field, target: Man, point: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let tables = &self.data.tables;
        let rides = f.man(target).mounted();
        let loss = if rides { tables.at_riders.loss } else { tables.at_foot.loss };
        f.march.allowance = f.march.allowance.saturating_sub(loss);
        let end = f.march.path.len() - 1;
        let allowance = f.march.allowance;
        let reached = (point..=end).rev().find(|i| f.march.path[*i].spent <= allowance).unwrap_or(point);
        if reached < end && !f.march.busy {
            let undone = f.march.path[reached].life.saturating_sub(f.march.path[end].life);
            f.man_mut(target).life = f.man(target).life.saturating_add(undone);
            self.put_back(f, target, reached);
            f.man_mut(target).marks.set(Marks::STOPPED, true);
            umpire.note(
                Readers::ALL,
                rule!("T16"),
                format_args!(
                    "{} is stopped on {}",
                    self.call(f, target),
                    f.march.path[f.march.path.len() - 1].at
                ),
            );
        } else {
            umpire.cite(rule!("T16"));
        }
    }

    /// Takes a man who has halted back to a point of his way, or the last one before it that is free.
    fn put_back(&self, f: &mut Field, man: Man, point: usize) {
        f.lift(man);
        let mounted = f.man(man).mounted();
        let mut point = point;
        loop {
            let way = f.march.path[point];
            let tail = if mounted { way.at.neighbour(way.facing.opposite()) } else { None };
            if point == 0 || f.is_free(way.at) && tail.is_none_or(|tail| f.is_free(tail)) {
                break;
            }
            point -= 1;
        }
        let way = f.march.path[point];
        let soldier = f.man_mut(man);
        soldier.at = Some(way.at);
        soldier.facing = way.facing;
        soldier.run = way.run;
        let engine = soldier.engine;
        f.set_down(man);
        if let Some(engine) = engine {
            f.engine_mut(engine).at = Some(way.at);
        }
        f.march.path.truncate(point + 1);
    }

    /// The ballistas that can shoot now: crew of two, every second turn \[T40\].
    pub(super) fn ballista_ready(&self, f: &Field, engine: EngineId) -> Result<Place, Refusal> {
        let it = f.engine(engine);
        let tables = &self.data.tables;
        let Some(at) = it.at else { return Err((rule!("T40"), "it is destroyed")) };
        if it.used > 0 && f.turn < it.used + tables.ballista_turns {
            return Err((rule!("T40"), "it shoots every second turn"));
        }
        let crew = f.of(it.side).filter(|(_, m)| {
            m.steady() && !m.is(Marks::SHOT) && m.at.is_some_and(|place| place.distance(at) <= 1)
        });
        if crew.count() < usize::from(tables.ballista_crew) {
            return Err((rule!("T40"), "it needs two men"));
        }
        Ok(at)
    }

    pub(super) fn shoot_ballista(
        &self,
        f: &mut Field,
        engine: EngineId,
        target: Who,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let (Some(target), Ok(from)) = (f.find(target), self.ballista_ready(f, engine)) else { return };
        let weapon = self.data.tables.weapons[Weapon::Ballista as usize];
        let Some(at) = self.mark(f, &weapon, from, target) else { return };
        let aim = self.aim(f, None, &weapon, from, target, at, &mut |_, _, _| {});
        let turn = f.turn;
        f.engine_mut(engine).used = turn;
        let (side, mut crew) = (f.engine(engine).side, self.data.tables.ballista_crew);
        for number in 0..f.men.len() {
            let soldier = &mut f.men[number];
            let near = soldier.at.is_some_and(|place| place.distance(from) <= 1);
            if crew > 0 && soldier.side == side && soldier.steady() && near && !soldier.is(Marks::SHOT) {
                soldier.marks.set(Marks::SHOT, true);
                crew -= 1;
            }
        }
        umpire.cite(rule!("T40"));
        self.loose(f, None, target, aim, from, umpire);
        if !self.has_fire(f) {
            self.begin_movement(f, umpire);
        }
    }

    /// The fire phase begins, if there is anything to do in it.
    pub(super) fn begin_fire(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        f.agenda.replace(Step::Fire);
        // Who has ordered the retreat may give the battle up instead \[T31\].
        let asked = f.retreats[f.active.index()] && self.may_retreat(f).is_ok();
        if !asked && !self.has_fire(f) {
            self.begin_movement(f, umpire);
        }
    }
}

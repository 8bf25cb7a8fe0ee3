//! Assaults: gates and drawbridges, ladders, towers, moats, screens, oil, fire and breaches [T34 to T44].

use table::hex::Direction;
use table::{Ballot, Readers, Umpire, rule};

use super::{Refusal, Tactics};
use crate::data::{Terrain, Weapon};
use crate::deed::Deed;
use crate::field::{ENGINE, EngineKind, Field, Fire, Marks, Step};
use crate::ids::{EngineId, Man, Place, Who};

impl Tactics {
    // ---- Breaches [T43]

    pub(super) fn list_breaches(&self, f: &Field, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        for place in f.places() {
            let deed = Deed::Breach(place);
            match f.terrain(place) {
                Terrain::Battlement | Terrain::WallTower => {
                    // All breaches of a bombardment lie on one side of the place.
                    if self.one_side(f, place) {
                        ballot.allow(deed);
                    } else {
                        ballot.refuse(
                            deed,
                            rule!("T43"),
                            format_args!("the breaches lie on one side of the place"),
                        );
                    }
                }
                Terrain::Wall => {
                    ballot.refuse(deed, rule!("T43"), format_args!("the outer wall must be breached first"));
                }
                _ => {}
            }
        }
    }

    /// Whether a hex of the wall lies on one side of the place with all breaches: in a row or column of wall that
    /// nothing interrupts.
    fn one_side(&self, f: &Field, place: Place) -> bool {
        let wall = |row, column| {
            Place::new(row, column).is_some_and(|at| {
                let terrain = f.terrain(at);
                matches!(terrain, Terrain::Battlement | Terrain::WallTower | Terrain::Gate | Terrain::Rubble)
            })
        };
        let between = |one: usize, other: usize| one.min(other)..=one.max(other);
        let named = || f.places().filter(|at| f.terrain(*at) == Terrain::Rubble);
        let (row, column) = (place.row(), place.column());
        named().all(|at| at.row() == row && between(at.column(), column).all(|column| wall(row, column)))
            || named().all(|at| at.column() == column && between(at.row(), row).all(|row| wall(row, column)))
    }

    pub(super) fn breach(&self, f: &mut Field, place: Place, umpire: &mut (impl Umpire + ?Sized)) {
        f.set_terrain(place, Terrain::Rubble);
        umpire.note(Readers::ALL, rule!("T43"), format_args!("The wall lies in rubble on {place}"));
        if let Some(man) = f.man_on(place) {
            let loss = self.data.tables.rampart_destroyed.roll(umpire);
            umpire.cite(rule!("3.59"));
            self.hurt(f, man, loss, true, umpire);
        }
        let Some(siege) = &mut f.siege else { return };
        siege.breaches = siege.breaches.saturating_sub(1);
        if siege.breaches == 0 {
            self.begin_deploying(f, f.first);
        }
    }

    // ---- Oil, fire and ballistas [T40 to T42]

    /// Whether a man may pour oil onto a hex below; else why not.
    fn may_pour(&self, f: &Field, man: Man, place: Place) -> Result<Man, Refusal> {
        let (soldier, tables) = (f.man(man), &self.data.tables);
        let Some(siege) = f.siege else { return Err((rule!("T41"), "there is no wall")) };
        if soldier.side != siege.defender || siege.oil == 0 {
            return Err((rule!("T41"), "there is no oil"));
        }
        if f.turn < tables.oil_first_turn {
            return Err((rule!("T41"), "the oil is not hot yet"));
        }
        if siege.poured >= tables.oil_a_turn {
            return Err((rule!("T41"), "two barrels were poured already"));
        }
        let below = soldier
            .at
            .is_some_and(|at| at.distance(place) == 1 && self.level(f, at) > 0 && self.level(f, place) == 0);
        if !below || !soldier.steady() || soldier.is(Marks::SHOT) {
            return Err((rule!("T41"), "he must stand above it and be free"));
        }
        let mate = f.of(soldier.side).find(|(other, m)| {
            *other != man && m.steady() && !m.is(Marks::SHOT) && f.apart(man, *other) == 1
        });
        mate.map(|(mate, _)| mate).ok_or((rule!("T41"), "a barrel needs two men"))
    }

    /// What may burn on a hex \[T42\].
    fn burns(&self, f: &Field, place: Place) -> bool {
        let engine = f.engines().any(|(_, e)| {
            e.at == Some(place) && matches!(e.kind, EngineKind::Ram | EngineKind::Tower | EngineKind::Screen)
        });
        let gate = self.barrier(f, place).is_some();
        (engine || gate) && !f.fires.iter().any(|fire| fire.at == place)
    }

    fn may_light(&self, f: &Field, man: Man, place: Place) -> Result<(), Refusal> {
        let soldier = f.man(man);
        if !self.burns(f, place) {
            return Err((rule!("T42"), "nothing there burns"));
        }
        if soldier.at.is_none_or(|at| at.distance(place) != 1) || !soldier.steady() || soldier.is(Marks::SHOT)
        {
            return Err((rule!("T42"), "he must stand next to it and be free"));
        }
        if f.fires.is_full() {
            return Err((rule!("T42"), "enough is burning"));
        }
        let own = f.engines().any(|(_, e)| e.at == Some(place) && e.side == soldier.side);
        if own || self.barrier(f, place).is_some() && f.defender() == Some(soldier.side) {
            return Err((rule!("T42"), "it is his own"));
        }
        Ok(())
    }

    pub(super) fn list_assault_fire(&self, f: &Field, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        let weapon = self.data.tables.weapons[Weapon::Ballista as usize];
        for (id, engine) in f.engines().filter(|(_, e)| e.kind == EngineKind::Ballista && e.side == f.active)
        {
            let ready = self.ballista_ready(f, id);
            for (target, enemy) in f.of(engine.side.foe()) {
                let deed = Deed::Bolt(id, enemy.who);
                match ready {
                    Ok(from) if self.mark(f, &weapon, from, target).is_some() => ballot.allow(deed),
                    Ok(_) => ballot.refuse(deed, rule!("T14"), format_args!("he cannot be seen")),
                    Err((rule, why)) => ballot.refuse(deed, rule, format_args!("{why}")),
                }
            }
        }
        for (man, soldier) in f.of(f.active) {
            let Some(at) = soldier.at else { continue };
            for place in f.around(at) {
                if self.level(f, at) > 0 && self.level(f, place) == 0 && f.defender() == Some(f.active) {
                    let deed = Deed::Pour(soldier.who, place);
                    match self.may_pour(f, man, place) {
                        Ok(_) => ballot.allow(deed),
                        Err((rule, why)) => ballot.refuse(deed, rule, format_args!("{why}")),
                    }
                }
                let deed = Deed::Light(soldier.who, place);
                match self.may_light(f, man, place) {
                    Ok(()) => ballot.allow(deed),
                    Err((rule, why)) => {
                        if ballot.explains() && f.terrain(place) != Terrain::Clear {
                            ballot.refuse(deed, rule, format_args!("{why}"));
                        }
                    }
                }
            }
        }
    }

    pub(super) fn has_assault_fire(&self, f: &Field) -> bool {
        let ballista = f.engines().any(|(id, e)| {
            e.kind == EngineKind::Ballista && e.side == f.active && self.ballista_ready(f, id).is_ok()
        });
        ballista
            || f.of(f.active).any(|(man, soldier)| {
                soldier.at.is_some_and(|at| {
                    f.around(at).any(|place| {
                        self.may_pour(f, man, place).is_ok() || self.may_light(f, man, place).is_ok()
                    })
                })
            })
    }

    pub(super) fn pour(&self, f: &mut Field, who: Who, place: Place, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(man) = f.find(who) else { return };
        let Ok(mate) = self.may_pour(f, man, place) else { return };
        for worker in [man, mate] {
            f.man_mut(worker).marks.set(Marks::SHOT, true);
        }
        if let Some(siege) = &mut f.siege {
            siege.oil -= 1;
            siege.poured += 1;
        }
        umpire.note(
            Readers::ALL,
            rule!("T41"),
            format_args!("{} pours boiling oil onto {place}", self.call(f, man)),
        );
        if !f.oiled.contains(&place) && !f.oiled.is_full() {
            f.oiled.push(place);
        }
        // Ram and tower shelter those inside; a screen does not.
        if let Some(victim) = f.man_on(place) {
            let loss = self.data.tables.boiling_oil.roll(umpire);
            umpire.cite(rule!("3.59"));
            self.hurt(f, victim, loss, false, umpire);
        }
        if !self.has_fire(f) {
            self.begin_movement(f, umpire);
        }
    }

    pub(super) fn light(&self, f: &mut Field, who: Who, place: Place, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(man) = f.find(who) else { return };
        let tables = &self.data.tables;
        f.man_mut(man).marks.set(Marks::SHOT, true);
        let needed = if f.oiled.contains(&place) { tables.lights_on } else { tables.torch_lights_on };
        let lit = umpire.roll(10) >= needed;
        let what = if lit { "sets fire to" } else { "cannot set fire to" };
        let thing = f
            .engines()
            .find(|(_, e)| e.at == Some(place) && e.kind != EngineKind::Fascine)
            .map_or("gate", |(_, e)| e.kind.word());
        umpire.note(
            Readers::ALL,
            rule!("T42"),
            format_args!("{} {what} the {thing} on {place}", self.call(f, man)),
        );
        if lit {
            f.fires.push(Fire { at: place, left: tables.burns_turns });
            self.flee_fire(f, place, umpire);
        }
        if !self.has_fire(f) {
            self.begin_movement(f, umpire);
        }
    }

    /// Whoever is where a fire breaks out leaves, or is burnt [3.59].
    fn flee_fire(&self, f: &mut Field, place: Place, umpire: &mut (impl Umpire + ?Sized)) {
        for number in 0..f.men.len() {
            let (man, soldier) = (Man::at(number), f.men[number]);
            if soldier.at != Some(place) || soldier.is(Marks::STUNNED) {
                continue;
            }
            self.let_go(f, man);
            let out = if soldier.is(Marks::ABOARD) {
                self.get_out(f, man)
            } else {
                let way = Direction::ALL.into_iter().find(|way| self.can_shove(f, man, *way));
                way.inspect(|way| self.shove(f, man, *way)).is_some()
            };
            if !out {
                umpire.cite(rule!("3.59"));
                let loss = self.data.tables.caught_in_fire.roll(umpire);
                self.hurt(f, man, loss, false, umpire);
            }
        }
    }

    /// Fires burn on at the end of a turn; what they consume is gone \[T42\].
    pub(super) fn burn(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        for number in 0..f.men.len() {
            let (man, soldier) = (Man::at(number), f.men[number]);
            let burning = soldier.at.is_some_and(|at| f.fires.iter().any(|fire| fire.at == at));
            if burning && soldier.is(Marks::STUNNED) && soldier.side == f.active {
                umpire.cite(rule!("3.59"));
                let loss = self.data.tables.stunned_in_fire.roll(umpire);
                self.hurt(f, man, loss, false, umpire);
            }
        }
        if f.active == f.first {
            return;
        }
        for fire in &mut f.fires {
            fire.left -= 1;
        }
        while let Some(i) = f.fires.iter().position(|fire| fire.left == 0) {
            let at = f.fires.remove(i).at;
            umpire.note(Readers::ALL, rule!("T42"), format_args!("The fire on {at} has burnt out"));
            for number in 0..f.engines.len() {
                let id = EngineId::at(number);
                if f.engine(id).at == Some(at) && f.engine(id).kind != EngineKind::Ladder {
                    self.destroy(f, id);
                }
            }
            let tables = &self.data.tables;
            let kind = self.barrier(f, at);
            if let (Some(kind), Some(siege)) = (kind, &mut f.siege) {
                match kind {
                    Terrain::Gate => siege.gate = tables.gate_damage,
                    _ => siege.door = tables.gate_damage,
                }
            }
        }
    }

    /// An engine is gone; whoever was inside gets out.
    fn destroy(&self, f: &mut Field, engine: EngineId) {
        for number in 0..f.men.len() {
            if f.men[number].engine == Some(engine) {
                let man = Man::at(number);
                if f.man(man).is(Marks::ABOARD) && !self.get_out(f, man) {
                    // There is no room: he stands where the engine was.
                    let soldier = f.man_mut(man);
                    soldier.marks.set(Marks::ABOARD, false);
                    soldier.engine = None;
                    let at = soldier.at;
                    if at.is_some_and(|at| f.man_on(at).is_some()) {
                        f.man_mut(man).at = None;
                        f.man_mut(man).fate = crate::field::Fate::Fled;
                    } else {
                        f.set_down(man);
                    }
                }
                f.man_mut(man).engine = None;
            }
        }
        if let Some(at) = f.engine(engine).at
            && f.on.get(at) == ENGINE
        {
            f.on.set(at, 0);
        }
        f.engine_mut(engine).at = None;
    }

    /// A man inside an engine gets out, onto a free hex next to it.
    pub(super) fn get_out(&self, f: &mut Field, man: Man) -> bool {
        let Some(at) = f.man(man).at else { return false };
        let ways = Direction::ALL.into_iter().filter(|way| {
            f.next(at, *way).is_some_and(|to| {
                f.is_free(to)
                    && self.data.ground(f.terrain(to)).foot.is_some()
                    && self.level(f, to) == self.level(f, at)
            })
        });
        let side = f.man(man).side;
        let best = ways.max_by_key(|way| f.next(at, *way).map_or(0, |to| f.from_foes(to, side)));
        let Some(to) = best.and_then(|way| f.next(at, way)) else { return false };
        let soldier = f.man_mut(man);
        soldier.marks.set(Marks::ABOARD, false);
        soldier.engine = None;
        soldier.at = Some(to);
        f.set_down(man);
        true
    }

    // ---- Carrying, ladders, moats, bridges [T35, T36, T38, T39]

    /// Whether a man who carries something can move with it \[T36\].
    pub(super) fn carrying(&self, f: &Field, man: Man) -> Result<(), Refusal> {
        if self.carries_ladder(f, man) && f.march.mate.is_none() {
            return Err((rule!("T36"), "a ladder needs two men"));
        }
        Ok(())
    }

    pub(super) fn carries_ladder(&self, f: &Field, man: Man) -> bool {
        f.siege.is_some() && f.man(man).engine.is_some_and(|e| f.engine(e).kind == EngineKind::Ladder)
    }

    /// Who helps a man to carry his ladder: a friend next to him who has not moved.
    pub(super) fn mate(&self, f: &Field, man: Man) -> Option<Man> {
        if !self.carries_ladder(f, man) {
            return None;
        }
        let helps = |(other, m): &(Man, &crate::field::Soldier)| {
            *other != man
                && m.steady()
                && !m.mounted()
                && m.engine.is_none()
                && !m.is(Marks::MOVED)
                && f.apart(man, *other) == 1
        };
        f.of(f.man(man).side).find(helps).map(|(other, _)| other)
    }

    /// The second man at a ladder follows into the hex that the first one left.
    pub(super) fn follow(&self, f: &mut Field, mate: Man, to: Place) {
        if !f.is_free(to) {
            return;
        }
        f.lift(mate);
        f.man_mut(mate).at = Some(to);
        f.set_down(mate);
    }

    fn lying(&self, f: &Field, place: Place) -> Option<EngineId> {
        f.engines()
            .find(|(id, e)| {
                e.at == Some(place)
                    && !e.raised
                    && matches!(e.kind, EngineKind::Ladder | EngineKind::Screen | EngineKind::Fascine)
                    && !e.done
                    && f.men.iter().all(|m| m.engine != Some(*id))
            })
            .map(|(id, _)| id)
    }

    pub(crate) fn list_handling(&self, f: &Field, man: Man, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        let (soldier, tables) = (f.man(man), &self.data.tables);
        let (Some(at), Some(siege)) = (soldier.at, f.siege) else { return };
        let left = f.march.allowance.saturating_sub(f.march.spent);
        let aboard = soldier.is(Marks::ABOARD);
        // On a friend's hex he can only go on.
        if soldier.mounted() || !aboard && !f.is_free(at) {
            return;
        }
        let carried = soldier.engine.filter(|_| !aboard).map(|e| f.engine(e).kind);
        if carried.is_some() {
            ballot.allow(Deed::Drop);
        } else if !aboard && self.lying(f, at).is_some() && left >= 1 {
            ballot.allow(Deed::Lift);
        }
        for direction in Direction::ALL {
            let Some(to) = f.next(at, direction) else { continue };
            if f.terrain(to) == Terrain::Moat {
                let deed = Deed::Throw(direction);
                if carried != Some(EngineKind::Fascine) {
                    ballot.refuse(deed, rule!("T38"), format_args!("he has no fascine"));
                } else if left < tables.throw_cost {
                    ballot.refuse(deed, rule!("T38"), format_args!("his allowance does not suffice"));
                } else {
                    ballot.allow(deed);
                }
            }
            if self.level(f, to) > self.level(f, at) {
                let deed = Deed::Raise(direction);
                if carried != Some(EngineKind::Ladder) {
                    ballot.refuse(deed, rule!("T36"), format_args!("he has no ladder"));
                } else if f.march.mate.is_none() {
                    ballot.refuse(deed, rule!("T36"), format_args!("a ladder needs two men"));
                } else if left < tables.ladder_raise {
                    ballot.refuse(deed, rule!("T36"), format_args!("his allowance does not suffice"));
                } else {
                    ballot.allow(deed);
                }
            }
        }
        for (id, engine) in f.engines() {
            if engine.kind == EngineKind::Ladder && engine.raised {
                let deed = Deed::Tip(id);
                match self.may_tip(f, man, id) {
                    Ok(()) => ballot.allow(deed),
                    Err((rule, why)) => ballot.refuse(deed, rule, format_args!("{why}")),
                }
            }
            if matches!(engine.kind, EngineKind::Ram | EngineKind::Tower) && !aboard {
                let deed = Deed::Board(id);
                let verdict = self.may_board(f, man, id, left);
                match verdict {
                    Ok(()) => ballot.allow(deed),
                    Err((rule, why)) => ballot.refuse(deed, rule, format_args!("{why}")),
                }
            }
        }
        if f.terrain(at) == Terrain::Gate {
            if siege.worked {
                ballot.refuse(Deed::Bridge, rule!("T35"), format_args!("the bridge was worked already"));
            } else if f.places().any(|place| f.is_bridge(place)) {
                ballot.allow(Deed::Bridge);
            }
        } else {
            ballot.refuse(Deed::Bridge, rule!("T35"), format_args!("he must stand in the gate"));
        }
    }

    pub(super) fn handle(&self, f: &mut Field, deed: Deed, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::March(man) = f.step() else { return };
        let Some(at) = f.man(man).at else { return };
        let tables = &self.data.tables;
        match deed {
            Deed::Lift => {
                let engine = self.lying(f, at);
                f.man_mut(man).engine = engine;
                f.march.spent += 1;
                let kind = engine.map(|e| f.engine(e).kind);
                f.march.mate = self.mate(f, man);
                let rule = match kind {
                    Some(EngineKind::Ladder) => rule!("T36"),
                    Some(EngineKind::Screen) => rule!("T39"),
                    _ => rule!("T38"),
                };
                let word = kind.map_or("nothing", EngineKind::word);
                umpire.note(Readers::ALL, rule, format_args!("{} takes up a {word}", self.call(f, man)));
                // So that nobody lifts and drops for ever.
                f.march.busy = f.march.spent >= f.march.allowance;
            }
            Deed::Drop => {
                let kind = f.man(man).engine.map(|e| f.engine(e).kind);
                self.let_go(f, man);
                if let Some(engine) = self.lying(f, at) {
                    f.engine_mut(engine).done = true;
                }
                let word = kind.map_or("nothing", EngineKind::word);
                let rule = match kind {
                    Some(EngineKind::Ladder) => rule!("T36"),
                    Some(EngineKind::Screen) => rule!("T39"),
                    _ => rule!("T38"),
                };
                umpire.note(Readers::ALL, rule, format_args!("{} lays down a {word}", self.call(f, man)));
            }
            Deed::Throw(direction) => {
                let (Some(to), Some(engine)) = (f.next(at, direction), f.man(man).engine) else { return };
                f.march.spent += tables.throw_cost;
                f.man_mut(man).engine = None;
                let thrown = f.engine_mut(engine);
                thrown.at = Some(to);
                thrown.raised = true;
                let filled = f
                    .engines()
                    .filter(|(_, e)| e.kind == EngineKind::Fascine && e.raised && e.at == Some(to));
                let full = filled.count() >= usize::from(tables.fascines);
                if full {
                    f.set_terrain(to, Terrain::FilledMoat);
                    for engine in &mut f.engines {
                        if engine.kind == EngineKind::Fascine && engine.raised && engine.at == Some(to) {
                            engine.at = None;
                        }
                    }
                }
                let what = if full { ", which is filled" } else { "" };
                umpire.note(
                    Readers::ALL,
                    rule!("T38"),
                    format_args!("{} throws a fascine into the moat on {to}{what}", self.call(f, man)),
                );
            }
            Deed::Raise(direction) => {
                let Some(engine) = f.man(man).engine else { return };
                f.march.spent += tables.ladder_raise;
                f.man_mut(man).engine = None;
                let ladder = f.engine_mut(engine);
                ladder.at = Some(at);
                ladder.facing = direction;
                ladder.raised = true;
                umpire.note(
                    Readers::ALL,
                    rule!("T36"),
                    format_args!("{} raises a ladder", self.call(f, man)),
                );
            }
            Deed::Bridge => {
                let Some(siege) = &mut f.siege else { return };
                siege.worked = true;
                siege.raised = !siege.raised;
                let what = if siege.raised { "raises" } else { "lowers" };
                let raised = siege.raised;
                umpire.note(
                    Readers::ALL,
                    rule!("T35"),
                    format_args!("{} {what} the drawbridge", self.call(f, man)),
                );
                f.march.busy = true;
                if raised {
                    for number in 0..f.men.len() {
                        if f.men[number].at.is_some_and(|at| f.is_bridge(at)) {
                            umpire.cite(rule!("3.59"));
                            let loss = tables.drawbridge_raised.roll(umpire);
                            self.hurt(f, Man::at(number), loss, true, umpire);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn may_tip(&self, f: &Field, man: Man, ladder: EngineId) -> Result<(), Refusal> {
        let (soldier, engine) = (f.man(man), f.engine(ladder));
        if engine.side == soldier.side {
            return Err((rule!("T36"), "it is his own ladder"));
        }
        let top = engine.at.and_then(|at| at.neighbour(engine.facing));
        let near =
            soldier.at.zip(top).is_some_and(|(at, top)| at.distance(top) <= 1 && self.level(f, at) > 0);
        if !near {
            return Err((rule!("T36"), "he must stand at the top of the ladder"));
        }
        if engine.done {
            return Err((rule!("T36"), "somebody has tried already"));
        }
        Ok(())
    }

    pub(super) fn tip(&self, f: &mut Field, ladder: EngineId, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::March(man) = f.step() else { return };
        let tables = &self.data.tables;
        let engine = *f.engine(ladder);
        let Some(foot) = engine.at else { return };
        let at_foot = f.of(engine.side).filter(|(_, m)| {
            m.stands()
                && m.at.is_some_and(|at| at.distance(foot) <= 1 && self.level(f, at) == self.level(f, foot))
        });
        let weight = at_foot.count() as i8 * tables.ladder_foot;
        let tipped = umpire.roll(10) as i8 + weight >= tables.ladder_tip_on as i8;
        f.engine_mut(ladder).done = true;
        f.march.busy = true;
        let what = if tipped { "tips the ladder over" } else { "cannot tip the ladder" };
        umpire.note(Readers::ALL, rule!("T36"), format_args!("{} {what}", self.call(f, man)));
        if tipped {
            f.engine_mut(ladder).raised = false;
            umpire.cite(rule!("3.59"));
            if let Some(climber) = f.man_on(foot) {
                let loss = tables.ladder_tipped.roll(umpire);
                self.hurt(f, climber, loss, true, umpire);
                // He falls backwards, onto whoever is behind him.
                let behind = f.next(foot, engine.facing.opposite()).and_then(|at| f.man_on(at));
                if let Some(under) = behind {
                    let loss = tables.under_falling_man.roll(umpire);
                    self.hurt(f, under, loss, true, umpire);
                }
            }
        }
        self.halt(f, umpire);
    }

    // ---- Rams and towers [T35, T37]

    fn crew(&self, f: &Field, engine: EngineId) -> usize {
        f.men.iter().filter(|m| m.engine == Some(engine) && m.is(Marks::ABOARD) && m.steady()).count()
    }

    fn may_board(&self, f: &Field, man: Man, id: EngineId, left: u8) -> Result<(), Refusal> {
        let (soldier, engine, tables) = (f.man(man), f.engine(id), &self.data.tables);
        let rule = if engine.kind == EngineKind::Ram { rule!("T35") } else { rule!("T37") };
        let near = soldier.at.zip(engine.at).is_some_and(|(at, place)| at.distance(place) == 1);
        if !near || engine.side != soldier.side {
            return Err((rule, "he must stand next to one of his own side"));
        }
        let (holds, cost) = match engine.kind {
            EngineKind::Ram => (tables.ram_crew, 1),
            _ => (tables.tower_holds, tables.tower_pass),
        };
        if soldier.engine.is_some() || !self.kind(soldier).armed {
            return Err((rule, "his hands are not free"));
        }
        if self.crew(f, id) >= usize::from(holds) {
            return Err((rule, "there is no more room"));
        }
        if left < cost {
            return Err((rule, "his allowance does not suffice"));
        }
        Ok(())
    }

    pub(super) fn board(&self, f: &mut Field, engine: EngineId, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::March(man) = f.step() else { return };
        let at = f.engine(engine).at;
        let ram = f.engine(engine).kind == EngineKind::Ram;
        let soldier = f.man_mut(man);
        soldier.at = at;
        soldier.engine = Some(engine);
        soldier.marks.set(Marks::ABOARD, true);
        f.march.busy = true;
        let (rule, word) =
            if ram { (rule!("T35"), "goes to the ram") } else { (rule!("T37"), "goes into the tower") };
        umpire.note(Readers::ALL, rule, format_args!("{} {word}", self.call(f, man)));
        self.halt(f, umpire);
    }

    /// Whether a man stands on top of a siege tower that touches the wall.
    pub(super) fn atop(&self, f: &Field, man: Man) -> bool {
        let Some(engine) = f.man(man).engine.map(|e| f.engine(e)) else { return false };
        engine.kind == EngineKind::Tower
    }

    /// Men who can push a siege tower: inside or next to it, and not moved yet.
    fn pushers(&self, f: &Field, id: EngineId) -> usize {
        let engine = f.engine(id);
        // Whoever has pushed it one hex pushes it on.
        let near = f.of(engine.side).filter(|(_, m)| {
            m.steady()
                && (engine.used > 0 || !m.is(Marks::MOVED))
                && !m.mounted()
                && m.at.zip(engine.at).is_some_and(|(at, place)| at.distance(place) <= 1)
        });
        near.count()
    }

    /// Whether an engine can be pushed this way now.
    pub fn pushable(&self, f: &Field, id: EngineId, direction: Direction) -> bool {
        self.may_push(f, id, direction).is_ok()
    }

    fn may_push(&self, f: &Field, id: EngineId, direction: Direction) -> Result<Place, Refusal> {
        let (engine, tables) = (f.engine(id), &self.data.tables);
        let ram = engine.kind == EngineKind::Ram;
        let rule = if ram { rule!("T35") } else { rule!("T37") };
        let Some(to) = engine.at.and_then(|at| f.next(at, direction)) else {
            return Err((rule, "the map ends there"));
        };
        if ram && self.crew(f, id) < usize::from(tables.ram_crew) {
            return Err((rule, "a ram needs four men"));
        }
        // Pushing is the movement of the crew: whoever has walked to the ram pushes it in the next turn.
        let walked = f.men.iter().any(|m| m.engine == Some(id) && m.is(Marks::MOVED));
        if ram && engine.used == 0 && walked {
            return Err((rule, "its crew has moved already"));
        }
        if !ram && self.pushers(f, id) < usize::from(tables.tower_pushers) {
            return Err((rule, "a tower needs six men"));
        }
        if engine.used >= if ram { tables.ram_move } else { tables.tower_move } {
            return Err((rule, "it has moved two hexes"));
        }
        let open = self.data.ground(f.terrain(to)).mounted.is_some() || f.terrain(to) == Terrain::FilledMoat;
        if !open || !f.is_free(to) || self.level(f, to) > 0 || f.terrain(to) == Terrain::Gate {
            return Err((rule, "there is no way for it"));
        }
        Ok(to)
    }

    pub(super) fn list_pushing(&self, f: &Field, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        for (id, engine) in f.engines() {
            if engine.side != f.active || !matches!(engine.kind, EngineKind::Ram | EngineKind::Tower) {
                continue;
            }
            for direction in Direction::ALL {
                match self.may_push(f, id, direction) {
                    Ok(_) => ballot.allow(Deed::Push(id, direction)),
                    Err((rule, why)) => ballot.refuse(Deed::Push(id, direction), rule, format_args!("{why}")),
                }
            }
        }
    }

    /// Whether an engine can still be pushed somewhere.
    pub(super) fn has_pushing(&self, f: &Field) -> bool {
        f.engines().any(|(id, engine)| {
            engine.side == f.active
                && matches!(engine.kind, EngineKind::Ram | EngineKind::Tower)
                && Direction::ALL.into_iter().any(|direction| self.pushable(f, id, direction))
        })
    }

    pub(super) fn push(
        &self,
        f: &mut Field,
        id: EngineId,
        direction: Direction,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let (Ok(to), Some(at)) = (self.may_push(f, id, direction), f.engine(id).at) else { return };
        let ram = f.engine(id).kind == EngineKind::Ram;
        let side = f.engine(id).side;
        f.on.set(at, 0);
        f.on.set(to, ENGINE);
        let engine = f.engine_mut(id);
        engine.at = Some(to);
        engine.facing = direction;
        engine.used += 1;
        for number in 0..f.men.len() {
            let soldier = f.men[number];
            if soldier.engine == Some(id) && soldier.is(Marks::ABOARD) {
                f.men[number].at = Some(to);
                f.men[number].marks.set(Marks::MOVED, true);
            } else if !ram
                && soldier.side == side
                && soldier.steady()
                && !soldier.mounted()
                && soldier.at.is_some_and(|place| place.distance(at) <= 1)
            {
                // Those who push from outside keep up with it where they can.
                let man = Man::at(number);
                if self.can_shove(f, man, direction) {
                    self.shove(f, man, direction);
                }
                f.man_mut(man).marks.set(Marks::MOVED, true);
            }
        }
        let (rule, word) = if ram { (rule!("T35"), "ram") } else { (rule!("T37"), "siege tower") };
        umpire.note(Readers::ALL, rule, format_args!("The {word} is pushed to {to}"));
        self.after_move(f, umpire);
    }

    /// Whether a closed gate or the barred door of the keep is on a hex.
    pub fn is_barred(&self, f: &Field, place: Place) -> bool {
        self.barrier(f, place).is_some()
    }

    /// The closed gate or the barred door of the keep on a hex.
    pub(super) fn barrier(&self, f: &Field, place: Place) -> Option<Terrain> {
        let (siege, tables) = (f.siege?, &self.data.tables);
        match f.terrain(place) {
            Terrain::Gate if siege.gate < tables.gate_damage => Some(Terrain::Gate),
            Terrain::Door
                if siege.door < tables.gate_damage
                    && f.around(place).any(|at| f.terrain(at) == Terrain::KeepInterior) =>
            {
                Some(Terrain::Door)
            }
            _ => None,
        }
    }

    fn may_ram(&self, f: &Field, id: EngineId) -> Result<Place, Refusal> {
        let engine = f.engine(id);
        if self.crew(f, id) < usize::from(self.data.tables.ram_crew) {
            return Err((rule!("T35"), "a ram needs four men"));
        }
        if engine.done {
            return Err((rule!("T35"), "it has struck already"));
        }
        let at = engine.at.and_then(|at| f.around(at).find(|place| self.barrier(f, *place).is_some()));
        at.ok_or((rule!("T35"), "it must stand before a closed gate"))
    }

    fn may_hew(&self, f: &Field, man: Man, place: Place) -> Result<Man, Refusal> {
        self.may_attack(f, man)?;
        if f.man(man).side == f.siege.map_or(f.man(man).side, |s| s.defender)
            || self.barrier(f, place).is_none()
        {
            return Err((rule!("T35"), "there is no closed gate of the enemy"));
        }
        let free = |other: Man| {
            self.may_attack(f, other).is_ok()
                && !f.man(other).mounted()
                && f.man(other).at.is_some_and(|at| {
                    at.distance(place) == 1 && f.inner(at) != (f.terrain(place) == Terrain::Gate)
                        || at.distance(place) == 1 && f.terrain(place) == Terrain::Door
                })
        };
        if !free(man) {
            return Err((rule!("T35"), "he must stand before it"));
        }
        let mate = f.of(f.man(man).side).map(|(other, _)| other).find(|other| *other != man && free(*other));
        mate.ok_or((rule!("T35"), "axes need two men"))
    }

    pub(super) fn list_assault_combat(&self, f: &Field, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        for (id, engine) in f.engines() {
            if engine.side == f.active && engine.kind == EngineKind::Ram {
                match self.may_ram(f, id) {
                    Ok(_) => ballot.allow(Deed::Ram(id)),
                    Err((rule, why)) => ballot.refuse(Deed::Ram(id), rule, format_args!("{why}")),
                }
            }
        }
        if f.defender() == Some(f.active) {
            return;
        }
        for (man, soldier) in f.of(f.active) {
            let Some(at) = soldier.at else { continue };
            for place in f.around(at) {
                if self.barrier(f, place).is_none() {
                    continue;
                }
                let deed = Deed::Hew(soldier.who, place);
                match self.may_hew(f, man, place) {
                    Ok(_) => ballot.allow(deed),
                    Err((rule, why)) => ballot.refuse(deed, rule, format_args!("{why}")),
                }
            }
        }
    }

    pub(super) fn has_assault_combat(&self, f: &Field) -> bool {
        let ram = f
            .engines()
            .any(|(id, e)| e.side == f.active && e.kind == EngineKind::Ram && self.may_ram(f, id).is_ok());
        ram || f.of(f.active).any(|(man, m)| {
            m.at.is_some_and(|at| f.around(at).any(|place| self.may_hew(f, man, place).is_ok()))
        })
    }

    pub(super) fn ram(&self, f: &mut Field, id: EngineId, umpire: &mut (impl Umpire + ?Sized)) {
        let Ok(place) = self.may_ram(f, id) else { return };
        f.engine_mut(id).done = true;
        let hits = umpire.roll(10) >= self.data.tables.ram_hits_on;
        let what = if hits { "strikes home" } else { "does no harm" };
        umpire.note(Readers::ALL, rule!("T35"), format_args!("The ram {what}"));
        if hits {
            self.batter(f, place, umpire);
        }
        self.after_combat(f, umpire);
    }

    pub(super) fn hew(&self, f: &mut Field, who: Who, place: Place, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(man) = f.find(who) else { return };
        let Ok(mate) = self.may_hew(f, man, place) else { return };
        for worker in [man, mate] {
            f.man_mut(worker).marks.set(Marks::ATTACKED, true);
        }
        let hits = umpire.roll(10) >= self.data.tables.axes_hit_on;
        let what = if hits { "splinter the wood" } else { "do no harm" };
        umpire.note(
            Readers::ALL,
            rule!("T35"),
            format_args!("The axes of {} and {} {what}", self.call(f, man), self.call(f, mate)),
        );
        if hits {
            self.batter(f, place, umpire);
        }
        self.after_combat(f, umpire);
    }

    fn batter(&self, f: &mut Field, place: Place, umpire: &mut (impl Umpire + ?Sized)) {
        let (kind, damage) = (self.barrier(f, place), self.data.tables.gate_damage);
        let Some(siege) = &mut f.siege else { return };
        let broken = match kind {
            Some(Terrain::Gate) => {
                siege.gate += 1;
                siege.gate >= damage
            }
            _ => {
                siege.door += 1;
                siege.door >= damage
            }
        };
        if broken {
            umpire.note(Readers::ALL, rule!("T35"), format_args!("It is broken open"));
        }
    }
}

//! Before the battle: men are called up, the initiative is rolled for, both sides set up [3.45, T9, T10].

use table::hex::Direction;
use table::{Ballot, Readers, Umpire, rule};

use super::Tactics;
use crate::data::{AssaultSheet, MAP_COLUMNS, MAP_ROWS, Terrain};
use crate::deed::Deed;
use crate::field::{Chief, ENGINE, Engine, EngineKind, Fate, Field, Marks, Siege, Soldier, Step};
use crate::ids::{EngineId, Man, Place, Side, Who};

impl Tactics {
    /// A field of one map with the men of both sides, the first of whom command. Nobody is set up yet.
    ///
    /// # Panics
    /// With more than 200 men, or with a side that has none.
    pub fn field(&self, map: usize, men: [&[Who]; 2], assault: Option<AssaultSheet>) -> Field {
        let chief = |side: Side| {
            let number = if side == Side::First { 0 } else { men[0].len() };
            let class = self.data.kind(men[side.index()][0].counter).class;
            let brings = self.data.commanders.iter().find(|(c, _, _)| *c == class);
            let (command, fame) = brings.map_or((0, 0), |(_, command, fame)| (*command, *fame));
            Chief { man: Man::at(number), command, fame }
        };
        let chiefs = Side::BOTH.map(chief);
        let mut f = Field::new(MAP_COLUMNS as u8, MAP_ROWS as u8, chiefs);
        for (row, line) in self.data.maps[map].hexes.iter().enumerate() {
            for (column, terrain) in line.iter().enumerate() {
                if let Some(place) = Place::new(row, column) {
                    f.set_terrain(place, *terrain);
                }
            }
        }
        for side in Side::BOTH {
            for who in men[side.index()] {
                self.enlist(&mut f, side, *who, assault.is_none());
            }
        }
        self.form_up(&mut f);
        f.last =
            if assault.is_some() { self.data.tables.assault_turns } else { self.data.tables.field_turns };
        if let Some(sheet) = assault {
            f.wall_in();
            f.siege = Some(Siege {
                defender: sheet.defender,
                oil: sheet.oil,
                poured: 0,
                gate: 0,
                door: 0,
                worked: false,
                raised: true,
                breaches: 0,
                fascines: 0,
            });
            let engine = |kind, side| Engine {
                kind,
                side,
                at: None,
                facing: Direction::Fifth,
                used: 0,
                raised: false,
                done: false,
            };
            let besieger = sheet.defender.foe();
            let counts = [
                (EngineKind::Ram, besieger, sheet.rams),
                (EngineKind::Ladder, besieger, sheet.ladders),
                (EngineKind::Screen, besieger, sheet.screens),
                (EngineKind::Ballista, sheet.defender, sheet.ballistas),
                (EngineKind::Fascine, besieger, sheet.fascines),
            ];
            for (kind, side, count) in counts {
                for _ in 0..count {
                    if !f.engines.is_full() {
                        f.engines.push(engine(kind, side));
                    }
                }
            }
        }
        f
    }

    /// A man joins a side, in full health and with a point of experience [3.14].
    pub fn enlist(&self, f: &mut Field, side: Side, who: Who, mounted: bool) -> Man {
        let (card, kind) = (self.data.card(who.counter), self.data.kind(who.counter));
        let mut marks = Marks::default();
        if card.mounted.is_some() && mounted {
            marks.set(Marks::MOUNTED.or(Marks::OWNS), true);
            marks.set(Marks::CAPARISON, kind.armoured);
        }
        let man = Man::at(f.men.len());
        f.men.push(Soldier {
            who,
            side,
            at: None,
            facing: Field::forward(side)[0],
            life: card.life,
            experience: self.data.tables.first_experience,
            skill: 0,
            kills: 0,
            run: 0,
            leader: f.chiefs[side.index()].man,
            horse: None,
            engine: None,
            fate: Fate::Fights,
            marks,
        });
        man
    }

    /// Men are parted among the leaders of their side, in turn \[T33\].
    fn form_up(&self, f: &mut Field) {
        for side in Side::BOTH {
            let mut leaders: arrayvec::ArrayVec<Man, 16> = arrayvec::ArrayVec::new();
            for (man, soldier) in f.all().filter(|(_, m)| m.side == side) {
                if self.class(soldier) <= crate::data::NCO && !leaders.is_full() {
                    leaders.push(man);
                }
            }
            let mut next = 0;
            for number in 0..f.men.len() {
                let man = Man::at(number);
                if f.men[number].side != side || leaders.is_empty() {
                    continue;
                }
                f.men[number].leader = if leaders.contains(&man) {
                    man
                } else {
                    next += 1;
                    leaders[(next - 1) % leaders.len()]
                };
            }
        }
    }

    /// Both commanders roll for the initiative [3.45].
    pub fn roll_initiative(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        let winner = loop {
            let rolls = [umpire.roll(10), umpire.roll(10)];
            let totals = [0, 1].map(|i| rolls[i] + f.chiefs[i].command);
            umpire.note(
                Readers::ALL,
                rule!("3.45"),
                format_args!(
                    "{} has {} for the initiative, {} has {}",
                    self.call(f, f.chiefs[0].man),
                    totals[0],
                    self.call(f, f.chiefs[1].man),
                    totals[1]
                ),
            );
            let commands = [f.chiefs[0].command, f.chiefs[1].command];
            match totals[0].cmp(&totals[1]).then(commands[0].cmp(&commands[1])) {
                std::cmp::Ordering::Greater => break Side::First,
                std::cmp::Ordering::Less => break Side::Second,
                std::cmp::Ordering::Equal => {}
            }
        };
        f.agenda.replace(Step::Initiative(winner));
    }

    pub(super) fn choose_first(&self, f: &mut Field, first: bool, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::Initiative(winner) = f.step() else { return };
        f.first = if first { winner } else { winner.foe() };
        f.active = f.first;
        umpire.note(
            Readers::ALL,
            rule!("T9"),
            format_args!("{} sets up first and will move first", self.call(f, f.chiefs[f.first.index()].man)),
        );
        if f.siege.is_some_and(|siege| siege.breaches > 0) {
            f.agenda.replace(Step::Breach);
        } else {
            self.begin_deploying(f, f.first);
        }
    }

    /// A side sets up: its men stand in a first line-up, which it may change.
    pub(super) fn begin_deploying(&self, f: &mut Field, side: Side) {
        self.line_up(f, side);
        f.agenda.replace(Step::Deploy(side, None));
    }

    /// Whether a man of a side may be set up on a hex \[T10\].
    pub fn in_area(&self, f: &Field, side: Side, place: Place) -> bool {
        if !f.has(place) {
            return false;
        }
        match f.defender() {
            None => {
                let rows = usize::from(self.data.tables.deploy_rows);
                match side {
                    Side::First => place.row() + rows >= usize::from(f.rows),
                    Side::Second => place.row() < rows,
                }
            }
            Some(defender) if defender == side => f.inner(place),
            Some(_) => {
                let from = u32::from(self.data.tables.from_moat);
                let near = place.hex().disc(from.saturating_sub(1) as u16).filter_map(Place::of);
                !f.inner(place) && !near.filter(|at| f.has(*at)).any(|at| self.is_moat(f, at))
            }
        }
    }

    fn is_moat(&self, f: &Field, place: Place) -> bool {
        matches!(f.terrain(place), Terrain::Moat | Terrain::FilledMoat | Terrain::Drawbridge)
    }

    /// Whether a man can stand on a hex: open to him, free, and for a rider with room for the tail.
    fn fits(&self, f: &Field, man: Man, place: Place, facing: Direction) -> bool {
        let soldier = f.man(man);
        let open = |at: Place, mounted: bool| {
            let ground = self.data.ground(f.terrain(at));
            let cost = if mounted { ground.mounted } else { ground.foot };
            let free = f.is_free(at) || f.man_on(at) == Some(man);
            cost.is_some() && free && self.in_area(f, soldier.side, at)
        };
        if !soldier.mounted() {
            return open(place, false);
        }
        let Some(tail) = f.next(place, facing.opposite()) else { return false };
        open(place, true) && open(tail, true)
    }

    /// The first line-up of a side: shooters and foot in front, riders behind them, or along the walls.
    pub fn line_up(&self, f: &mut Field, side: Side) {
        self.park(f, side);
        let mut places: arrayvec::ArrayVec<(u32, Place), 400> = arrayvec::ArrayVec::new();
        let middle = u32::from(f.columns) / 2;
        for place in f.places() {
            if !self.in_area(f, side, place) || places.is_full() {
                continue;
            }
            let aside = (place.column() as u32).abs_diff(middle);
            let rank = match f.defender() {
                None => {
                    let depth = match side {
                        Side::First => place.row() as u32,
                        Side::Second => u32::from(f.rows) - 1 - place.row() as u32,
                    };
                    depth * 8 + aside
                }
                Some(defender) if defender == side => {
                    // On the wall, the side of the gate first.
                    let wall = u32::from(self.level(f, place) == 0) * 200;
                    wall + (u32::from(f.rows) - place.row() as u32) * 6 + aside * 2
                }
                Some(_) => (u32::from(f.rows) - place.row() as u32) * 3 + aside,
            };
            places.push((rank, place));
        }
        places.sort_unstable();
        for riders in [false, true] {
            for number in 0..f.men.len() {
                let man = Man::at(number);
                let soldier = f.men[number];
                if soldier.side != side
                    || soldier.mounted() != riders
                    || soldier.here()
                    || soldier.fate != Fate::Fights
                    || soldier.is(Marks::LATE)
                {
                    continue;
                }
                let facing = Field::forward(side)[number % 2];
                // Riders keep a row of room before them, so that they can ride out.
                let spot = places.iter().find(|(_, at)| self.fits(f, man, *at, facing)).map(|(_, at)| *at);
                let Some(at) = spot else { continue };
                let soldier = f.man_mut(man);
                soldier.at = Some(at);
                soldier.facing = facing;
                f.set_down(man);
            }
        }
        self.equip(f, side);
    }

    /// Rams and towers stand in front of the gate, before anybody else takes that room.
    fn park(&self, f: &mut Field, side: Side) {
        for number in 0..f.engines.len() {
            let id = EngineId::at(number);
            let engine = f.engines[number];
            let roofed = matches!(engine.kind, EngineKind::Ram | EngineKind::Tower);
            if engine.side != side || engine.at.is_some() || !roofed {
                continue;
            }
            let gate = f.places().find(|at| f.terrain(*at) == Terrain::Gate);
            let free = f.places().filter(|at| {
                f.is_free(*at)
                    && self.in_area(f, side, *at)
                    && self.data.ground(f.terrain(*at)).mounted.is_some()
            });
            if let Some(at) = free.min_by_key(|at| gate.map_or(0, |gate| gate.distance(*at))) {
                f.engine_mut(id).at = Some(at);
                f.on.set(at, ENGINE);
            }
        }
    }

    /// Engines go with their men: ladders, screens and fascines are carried, a ballista is served.
    fn equip(&self, f: &mut Field, side: Side) {
        if f.siege.is_none() {
            return;
        }
        for number in 0..f.engines.len() {
            let id = EngineId::at(number);
            let engine = f.engines[number];
            if engine.side != side || engine.at.is_some() {
                continue;
            }
            if matches!(engine.kind, EngineKind::Ram | EngineKind::Tower) {
                continue;
            }
            // Men with nothing to shoot carry first, and the commander never.
            let chief = f.chiefs[side.index()].man;
            let free = |shoots: bool| {
                f.of(side)
                    .find(|(man, m)| {
                        m.engine.is_none()
                            && m.steady()
                            && *man != chief
                            && self.kind(m).weapon.is_some() == shoots
                    })
                    .map(|(man, _)| man)
            };
            let bearer = free(false).or_else(|| free(true));
            let Some(man) = bearer else { continue };
            let at = f.man(man).at;
            f.engine_mut(id).at = at;
            if engine.kind != EngineKind::Ballista {
                f.man_mut(man).engine = Some(id);
            }
        }
    }

    pub(super) fn list_deploying(&self, f: &Field, side: Side, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        ballot.allow(Deed::Ready);
        for (_, soldier) in f.of(side) {
            if soldier.is(Marks::PLACED) {
                ballot.refuse(
                    Deed::Take(soldier.who),
                    rule!("T10"),
                    format_args!("he stands where you put him"),
                );
            } else {
                ballot.allow(Deed::Take(soldier.who));
            }
        }
    }

    pub(super) fn list_places(
        &self,
        f: &Field,
        side: Side,
        man: Man,
        ballot: &mut (impl Ballot<Deed> + ?Sized),
    ) {
        let soldier = f.man(man);
        if soldier.mounted() {
            for direction in Direction::ALL {
                let fits = soldier.at.is_some_and(|at| self.fits(f, man, at, direction));
                if direction == soldier.facing {
                    continue;
                }
                if fits {
                    ballot.allow(Deed::Face(direction));
                } else {
                    ballot.refuse(
                        Deed::Face(direction),
                        rule!("T2"),
                        format_args!("there is no room for the tail"),
                    );
                }
            }
        }
        ballot.allow(Deed::Halt);
        if soldier.is(Marks::PLACED) {
            return;
        }
        for place in f.places() {
            if soldier.at == Some(place) {
                continue;
            }
            if self.fits(f, man, place, soldier.facing) {
                ballot.allow(Deed::Put(place));
            } else if ballot.explains() {
                if !self.in_area(f, side, place)
                    || soldier.mounted()
                        && f.next(place, soldier.facing.opposite())
                            .is_none_or(|at| !self.in_area(f, side, at))
                {
                    ballot.refuse(
                        Deed::Put(place),
                        rule!("T10"),
                        format_args!("it is not where his side sets up"),
                    );
                } else if !f.is_free(place) && f.man_on(place) != Some(man) {
                    ballot.refuse(Deed::Put(place), rule!("T2"), format_args!("somebody stands there"));
                } else {
                    ballot.refuse(Deed::Put(place), rule!("T4"), format_args!("the ground is closed to him"));
                }
            }
        }
    }

    pub(super) fn take(&self, f: &mut Field, who: Who, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(man) = f.find(who) else { return };
        match f.step() {
            Step::Deploy(side, _) => f.agenda.replace(Step::Deploy(side, Some(man))),
            _ => self.begin_march(f, man, umpire),
        }
    }

    pub(super) fn put(&self, f: &mut Field, place: Place, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::Deploy(side, Some(man)) = f.step() else { return };
        f.lift(man);
        let soldier = f.man_mut(man);
        soldier.at = Some(place);
        soldier.marks.set(Marks::PLACED, true);
        let (rides, engine) = (soldier.mounted(), soldier.engine);
        f.set_down(man);
        if let Some(engine) = engine {
            f.engine_mut(engine).at = Some(place);
        }
        umpire.note(Readers::ALL, rule!("T10"), format_args!("{} stands on {place}", self.call(f, man)));
        if !rides {
            f.agenda.replace(Step::Deploy(side, None));
        }
    }

    pub(super) fn face_way(&self, f: &mut Field, direction: Direction, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::Deploy(side, Some(man)) = f.step() else { return };
        f.lift(man);
        let soldier = f.man_mut(man);
        soldier.facing = direction;
        soldier.marks.set(Marks::PLACED, true);
        f.set_down(man);
        umpire.cite(rule!("T3"));
        f.agenda.replace(Step::Deploy(side, None));
    }

    /// Men who were on their way come to their edge, if it is time and there is room \[S20\].
    pub(super) fn reinforce(&self, f: &mut Field, side: Side, umpire: &mut (impl Umpire + ?Sized)) {
        for number in 0..f.men.len() {
            let (man, soldier) = (Man::at(number), f.men[number]);
            if soldier.side != side || !soldier.is(Marks::LATE) || soldier.run > f.turn {
                continue;
            }
            let facing = Field::forward(side)[0];
            let middle = usize::from(f.columns) / 2;
            let far = |at: &Place| (f.to_edge(*at, side), at.column().abs_diff(middle));
            let room = f.places().filter(|at| self.fits(f, man, *at, facing)).min_by_key(far);
            let Some(at) = room else { continue };
            let soldier = f.man_mut(man);
            soldier.marks.set(Marks::LATE, false);
            soldier.run = 0;
            soldier.at = Some(at);
            soldier.facing = facing;
            f.set_down(man);
            umpire.note(Readers::ALL, rule!("S20"), format_args!("{} comes to the field", self.call(f, man)));
        }
    }

    pub(super) fn ready(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::Deploy(side, _) = f.step() else { return };
        umpire.note(
            Readers::ALL,
            rule!("T10"),
            format_args!("The men of {} are set up", self.call(f, f.chiefs[side.index()].man)),
        );
        if side == f.first {
            self.begin_deploying(f, side.foe());
            return;
        }
        for soldier in &mut f.men {
            soldier.marks.set(Marks::PLACED, false);
        }
        self.begin_player_turn(f, f.first, umpire);
    }
}

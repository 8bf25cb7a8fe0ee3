//! The house in an assault: who carries what where, who climbs, who guards the wall, who pours the oil.

use table::hex::Direction;

use super::Purpose;
use crate::data::Terrain;
use crate::deed::Deed;
use crate::field::{ENGINE, EngineKind, Field, Marks, Step};
use crate::ids::{CELLS, Man, Place, Side};
use crate::tactics::Tactics;

impl Tactics {
    pub(super) fn routine_push(&self, f: &Field) -> Option<Deed> {
        f.siege?;
        let goal = self.gate_front(f)?;
        for (id, engine) in f.engines().filter(|(_, e)| e.side == f.active && e.kind == EngineKind::Ram) {
            let at = engine.at?;
            let mut room: Option<(u32, Deed)> = None;
            for way in Direction::ALL {
                let Some(to) = f.next(at, way) else { continue };
                let near = to.distance(goal);
                if near < at.distance(goal)
                    && room.is_none_or(|(least, _)| near < least)
                    && self.pushable(f, id, way)
                {
                    room = Some((near, Deed::Push(id, way)));
                }
            }
            if let Some((_, deed)) = room {
                return Some(deed);
            }
        }
        None
    }

    /// The hex outside the gate, where a ram must stand.
    pub(super) fn gate_front(&self, f: &Field) -> Option<Place> {
        f.places()
            .find(|at| f.is_bridge(*at) || f.terrain(*at) == Terrain::FilledMoat && self.by_gate(f, *at))
    }

    pub(super) fn by_gate(&self, f: &Field, at: Place) -> bool {
        f.around(at).any(|next| f.terrain(next) == Terrain::Gate)
    }

    /// What a man wants in an assault.
    pub(super) fn siege_purpose(&self, f: &Field, man: Man) -> Purpose {
        let soldier = f.man(man);
        let Some(at) = soldier.at else { return Purpose::Away };
        if f.defender() == Some(soldier.side) {
            return self.garrison_purpose(f, man, at);
        }
        if self.foes_beside(f, man).next().is_some() && !soldier.is(Marks::ATTACKED) {
            return Purpose::Goal(at);
        }
        self.besieger_purpose(f, man, at)
    }

    /// A garrison stands where the enemy comes up, civilians where oil can be poured.
    fn garrison_purpose(&self, f: &Field, man: Man, at: Place) -> Purpose {
        let soldier = f.man(man);
        let side = soldier.side;
        if !self.kind(soldier).armed {
            return self.barrel_purpose(f, man, at);
        }
        if self.foes_beside(f, man).next().is_some() {
            return Purpose::Goal(at);
        }
        if self.weapon(f, man).is_some() {
            return Purpose::Goal(at);
        }
        // Whoever is within the walls is met first.
        let within = f.of(side.foe()).any(|(_, m)| m.stands() && m.at.is_some_and(|at| f.inner(at)));
        if let Some(place) = within.then(|| self.place_beside_foe(f, man, at, 6)).flatten() {
            return Purpose::Goal(place);
        }
        let ladders = f.engines().filter(|(_, e)| e.kind == EngineKind::Ladder && e.raised);
        let tops = ladders.filter_map(|(_, e)| e.at.and_then(|foot| foot.neighbour(e.facing)));
        let breaches = f.places().filter(|place| f.terrain(*place) == Terrain::Rubble);
        let broken = f.siege.is_some_and(|s| s.gate >= self.data.tables.gate_damage);
        let gate = f.places().filter(|place| broken && f.terrain(*place) == Terrain::Gate);
        let guarded = |place: Place| {
            f.of(side).any(|(other, m)| {
                other != man && m.steady() && self.kind(m).armed && m.at.is_some_and(|at| at == place)
            })
        };
        let posts = tops.chain(breaches).chain(gate).filter(|place| *place == at || !guarded(*place));
        match posts.min_by_key(|place| place.distance(at)) {
            Some(post) => Purpose::Goal(post),
            None => Purpose::Goal(at),
        }
    }

    /// Civilians wait on the wall above those who come, while there is oil, and in the keep when there is none \[T46\].
    fn barrel_purpose(&self, f: &Field, man: Man, at: Place) -> Purpose {
        let side = f.man(man).side;
        if f.siege.is_none_or(|s| s.oil == 0) || self.near_foe(f, at, side) {
            return f.keep.map_or(Purpose::Away, Purpose::Goal);
        }
        let below = |place: Place| {
            f.man_on(place).is_some_and(|other| f.man(other).side != side)
                || f.engines().any(|(_, e)| e.at == Some(place) && e.side != side && e.raised)
        };
        let hot = |place: Place| {
            self.level(f, place) > 0
                && f.around(place).any(|next| self.level(f, next) == 0 && !f.inner(next) && below(next))
        };
        let free = |place: &Place| f.is_free(*place) || *place == at;
        let spots = f.places().filter(|place| free(place) && hot(*place));
        spots.min_by_key(|place| place.distance(at)).map_or(Purpose::Goal(at), Purpose::Goal)
    }

    /// A besieger carries what he has to the wall, climbs, or helps who does.
    fn besieger_purpose(&self, f: &Field, man: Man, at: Place) -> Purpose {
        let soldier = f.man(man);
        let side = soldier.side;
        let ladders = || f.engines().filter(|(_, e)| e.kind == EngineKind::Ladder && e.side == side);
        let front = self.gate_front(f);
        let open = f.siege.is_some_and(|s| s.gate >= self.data.tables.gate_damage);
        if self.level(f, at) > 0 || f.inner(at) {
            return self.inside_purpose(f, man, at);
        }
        if soldier.is(Marks::ABOARD) && !open {
            return Purpose::Goal(at);
        }
        let carried = soldier.engine.filter(|_| !soldier.is(Marks::ABOARD)).map(|e| f.engine(e).kind);
        match carried {
            Some(EngineKind::Ladder) => {
                return self.wall_foot(f, side, at).map_or(Purpose::Away, Purpose::Goal);
            }
            Some(_) if !open => return front.map_or(Purpose::Away, Purpose::Goal),
            _ => {}
        }
        // Up the ladder that he stands at.
        let top =
            ladders().filter(|(_, e)| e.raised && e.at == Some(at)).find_map(|(_, e)| at.neighbour(e.facing));
        if let Some(top) = top.filter(|top| f.is_free(*top)) {
            return Purpose::Goal(top);
        }
        if top.is_some() {
            return Purpose::Goal(at);
        }
        if open {
            let gate = f.places().find(|place| f.terrain(*place) == Terrain::Gate);
            return gate.map_or(Purpose::Away, Purpose::Goal);
        }
        let breach = f.places().find(|place| f.terrain(*place) == Terrain::Rubble);
        if let Some(weapon) = self.weapon(f, man) {
            return Purpose::Range(u32::from(weapon.range).min(6));
        }
        // Four go to the ram, two to each ladder that is carried; the others follow the ladders that stand.
        let ram = f.engines().find(|(_, e)| e.kind == EngineKind::Ram && e.side == side);
        if let Some((id, Some(place))) = ram.map(|(id, e)| (id, e.at)) {
            let crew = f.men.iter().filter(|m| m.engine == Some(id)).count();
            if crew < usize::from(self.data.tables.ram_crew) && place.distance(at) <= 4 {
                return Purpose::Goal(place);
            }
        }
        let alone = ladders().filter(|(_, e)| !e.raised).find_map(|(id, e)| {
            let bearer =
                f.all().find(|(_, m)| m.engine == Some(id) && m.steady()).map(|(bearer, _)| bearer)?;
            let helped = f.of(side).any(|(other, m)| {
                other != bearer
                    && other != man
                    && m.engine.is_none()
                    && m.steady()
                    && f.apart(other, bearer) == 1
            });
            e.at.filter(|_| !helped)
        });
        if let Some(goal) = alone {
            return Purpose::Goal(goal);
        }
        // The more stand at a ladder the less easily it is tipped, and the sooner they are up.
        let feet = ladders().filter_map(|(_, e)| e.at);
        let crowd =
            |foot: Place| f.of(side).filter(|(_, m)| m.at.is_some_and(|h| h.distance(foot) <= 2)).count();
        let foot = feet.min_by_key(|foot| foot.distance(at) * 2 + crowd(*foot) as u32);
        breach.or(foot).or(front).map_or(Purpose::Away, Purpose::Goal)
    }

    /// What a besieger wants who is within the walls: a place beside an enemy in arms, or the keep.
    fn inside_purpose(&self, f: &Field, man: Man, at: Place) -> Purpose {
        // Who has somebody in sight shoots; the others go on.
        if let Some(weapon) = self.weapon(f, man) {
            let foes = f.of(f.man(man).side.foe()).filter(|(_, m)| m.stands() && self.kind(m).armed);
            if foes.into_iter().any(|(foe, _)| self.mark(f, weapon, at, foe).is_some()) {
                return Purpose::Goal(at);
            }
        }
        let place = self.place_beside_foe(f, man, at, u8::MAX);
        Purpose::Goal(place.or(f.keep).unwrap_or(at))
    }

    /// The nearest hex from which a man on foot could strike at a standing enemy in arms, by the way that he has to go
    /// and at most so many steps away; where friends have taken all of them, the nearest of theirs.
    fn place_beside_foe(&self, f: &Field, man: Man, at: Place, most: u8) -> Option<Place> {
        let side = f.man(man).side;
        let mut steps = [u8::MAX; CELLS];
        let mut edge: arrayvec::ArrayVec<Place, CELLS> = arrayvec::ArrayVec::new();
        steps[at.number()] = 0;
        edge.push(at);
        let (mut next, mut taken) = (0, None);
        while let Some(place) = edge.get(next).copied() {
            next += 1;
            let foe = |near: Place| {
                f.man_on(near).is_some_and(|other| {
                    let other = f.man(other);
                    other.side != side && other.stands() && self.kind(other).armed
                })
            };
            if f.around(place).any(|near| foe(near) && self.joined(f, place, near).is_ok()) {
                if place == at || f.is_free(place) {
                    return Some(place);
                }
                taken = taken.or(Some(place));
            }
            let far = steps[place.number()].saturating_add(1);
            if far > most {
                continue;
            }
            for to in Direction::ALL.into_iter().filter_map(|way| f.next(place, way)) {
                if steps[to.number()] == u8::MAX && self.entry(f, man, place, to).is_ok() {
                    steps[to.number()] = far;
                    edge.push(to);
                }
            }
        }
        taken
    }

    /// How many steps hexes are from a goal for a man on foot, men left out of account: walls, gates and stairs make
    /// ways within a castle longer than they look. Those farther than where he stands are left at the most.
    pub(super) fn steps_to(&self, f: &Field, side: Side, goal: Place, from: Place) -> [u8; CELLS] {
        let mut steps = [u8::MAX; CELLS];
        let mut edge: arrayvec::ArrayVec<Place, CELLS> = arrayvec::ArrayVec::new();
        steps[goal.number()] = 0;
        edge.push(goal);
        let mut next = 0;
        while let Some(at) = edge.get(next).copied() {
            next += 1;
            if at == from {
                break;
            }
            let far = steps[at.number()].saturating_add(1);
            for to in Direction::ALL.into_iter().filter_map(|way| f.next(at, way)) {
                if steps[to.number()] <= far {
                    continue;
                }
                let open = self.data.ground(f.terrain(to)).foot.is_some();
                let barred = f.defender() != Some(side) && self.is_barred(f, to);
                if !open || barred || f.on.get(to) == ENGINE || self.joined(f, to, at).is_err() {
                    continue;
                }
                steps[to.number()] = far;
                if !edge.is_full() {
                    edge.push(to);
                }
            }
        }
        steps
    }

    /// Whether a man's hands are wanted where he stands: at a ram, at the moat, at the wall, above a ladder.
    pub(super) fn could_help(&self, f: &Field, man: Man) -> bool {
        let soldier = f.man(man);
        let Some(at) = soldier.at.filter(|_| !soldier.is(Marks::ABOARD)) else { return false };
        let near = |place: Option<Place>| place.is_some_and(|place| place.distance(at) == 1);
        match soldier.engine.map(|e| f.engine(e).kind) {
            Some(EngineKind::Fascine) => {
                f.around(at).any(|to| f.terrain(to) == Terrain::Moat && self.by_gate(f, to))
            }
            Some(EngineKind::Ladder) => {
                self.level(f, at) == 0 && !f.inner(at) && f.around(at).any(|to| self.level(f, to) > 0)
            }
            Some(_) => false,
            None => f.engines().any(|(id, e)| match e.kind {
                EngineKind::Ram => {
                    let crew = f.men.iter().filter(|m| m.engine == Some(id)).count();
                    f.siege.is_some_and(|s| s.gate < self.data.tables.gate_damage)
                        && e.side == soldier.side
                        && self.kind(soldier).weapon.is_none()
                        && crew < usize::from(self.data.tables.ram_crew)
                        && near(e.at)
                }
                EngineKind::Ladder => {
                    let top = e.at.and_then(|foot| foot.neighbour(e.facing));
                    e.raised
                        && e.side != soldier.side
                        && !e.done
                        && self.level(f, at) > 0
                        && (near(top) || top == Some(at))
                }
                _ => false,
            }),
        }
    }

    /// Whether a man should wait for a friend who will take him along with a ladder.
    pub(super) fn awaits_ladder(&self, f: &Field, man: Man) -> bool {
        f.siege.is_some()
            && f.man(man).engine.is_none()
            && f.of(f.man(man).side).any(|(bearer, m)| {
                bearer != man
                    && m.engine.is_some_and(|e| f.engine(e).kind == EngineKind::Ladder)
                    && self.may_move(f, bearer).is_ok()
                    && f.apart(man, bearer) == 1
            })
    }

    /// A hex at the foot of the wall for a ladder: near, and where few of the garrison are above it.
    fn wall_foot(&self, f: &Field, side: Side, at: Place) -> Option<Place> {
        let feet = f.places().filter(|place| {
            matches!(f.terrain(*place), Terrain::Moat | Terrain::FilledMoat)
                && (f.is_free(*place) || *place == at)
                && f.around(*place).any(|next| self.level(f, next) > 0)
        });
        feet.min_by_key(|place| {
            let above = f.of(side.foe()).filter(|(_, m)| {
                m.stands() && self.kind(m).armed && m.at.is_some_and(|h| h.distance(*place) <= 2)
            });
            let ladder = |e: &crate::field::Engine| {
                e.kind == EngineKind::Ladder
                    && e.raised
                    && e.at.is_some_and(|foot| foot.distance(*place) <= 3)
            };
            let beside = f.engines().filter(|(_, e)| ladder(e)).count();
            place.distance(at) * 4 + above.count() as u32 * 5 + beside as u32 * 6
        })
    }

    /// Something useful that a man can do with his hands where he stands.
    pub(super) fn handy(&self, f: &Field, man: Man) -> Option<Deed> {
        let soldier = f.man(man);
        let at = soldier.at?;
        let mut handy = Handy { f, tactics: self, man, at, found: None };
        if f.step() == Step::March(man) {
            self.list_handling(f, man, &mut handy);
        }
        handy.found
    }
}

/// A ballot that keeps the first deed that helps.
struct Handy<'a> {
    f: &'a Field,
    tactics: &'a Tactics,
    man: Man,
    at: Place,
    found: Option<Deed>,
}

impl table::Ballot<Deed> for Handy<'_> {
    fn allow(&mut self, deed: Deed) {
        let (f, t) = (self.f, self.tactics);
        let helps = match deed {
            Deed::Throw(way) => f.next(self.at, way).is_some_and(|to| t.by_gate(f, to)),
            Deed::Raise(_) => true,
            Deed::Tip(_) => true,
            Deed::Board(engine) => {
                f.engine(engine).kind == EngineKind::Ram
                    && f.siege.is_some_and(|s| s.gate < t.data.tables.gate_damage)
                    && f.man(self.man).engine.is_none()
            }
            // Besiegers lower the bridge, the garrison raises it.
            Deed::Bridge => f.siege.is_some_and(|s| s.raised == (f.man(self.man).side != s.defender)),
            _ => false,
        };
        if helps && self.found.is_none() {
            self.found = Some(deed);
        }
    }
    fn allow_range(&mut self, deed: Deed, _: u32, _: u32) {
        self.allow(deed);
    }
}

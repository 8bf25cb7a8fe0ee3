//! Withdrawing from a combat, the retreat that follows, and the advance of the others [3.54, T20, T21].

use arrayvec::ArrayVec;
use table::hex::Direction;
use table::{Ballot, Readers, Umpire, rule};

use super::Tactics;
use super::morale::Nerve;
use crate::data::Terrain;
use crate::deed::Deed;
use crate::field::{ENGINE, EngineKind, Field, March, Marks, Party, Soldier, Step, Trail};
use crate::ids::{Man, Place, Who};

impl Tactics {
    /// Option C: the defenders turn their backs [3.54].
    pub(super) fn withdraw(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        let (attackers, defenders) = (f.fight.attackers.clone(), f.fight.defenders.clone());
        f.fight.leaving = defenders.clone();
        let who = self.call(f, defenders[0]);
        if defenders.len() > 1 {
            umpire.note(Readers::ALL, rule!("3.54"), format_args!("{who} and the others withdraw"));
        } else {
            umpire.note(Readers::ALL, rule!("3.54"), format_args!("{who} withdraws"));
        }
        if let [one] = defenders[..] {
            for foe in &attackers {
                self.hit_back(f, *foe, one, umpire);
            }
            self.next_leaver(f, umpire);
        } else {
            f.agenda.replace(Step::Victim(f.active));
        }
    }

    /// The attacker has chosen whom of several he hits.
    pub(super) fn hit_leaving(&self, f: &mut Field, man: Man, umpire: &mut (impl Umpire + ?Sized)) {
        let attacker = f.fight.attackers[0];
        self.hit_back(f, attacker, man, umpire);
        self.next_leaver(f, umpire);
    }

    /// Whether something between two men keeps the one who withdraws from harm [3.54].
    pub fn shielded(&self, f: &Field, attacker: Man, man: Man) -> bool {
        let (Some(from), Some(at)) = (f.man(attacker).at, f.man(man).at) else { return false };
        let (theirs, own) = (f.terrain(from), f.terrain(at));
        // A battlement is between those who fight across a ladder or from a tower, not across stairs or rubble.
        let joins = |place| self.data.ground(f.terrain(place)).joins;
        let behind = (own == Terrain::Window) != (theirs == Terrain::Window)
            || f.siege.is_some() && self.level(f, from) != self.level(f, at) && !joins(from) && !joins(at);
        let screened = |man: Man, one: Place, other: Place| {
            f.man(man).engine.is_some_and(|e| {
                let engine = f.engine(e);
                engine.kind == EngineKind::Screen
                    && one.direction_to(other).is_some_and(|way| way.turns_to(engine.facing) <= 1)
            })
        };
        let screen = screened(man, at, from) || screened(attacker, from, at);
        behind || screen || theirs.wet() && !own.wet()
    }

    /// What an attacker does to a man who withdraws: dice, a factor, and what the ground adds. A charge counts against
    /// the man whom it meets [3.54, 3.55].
    pub fn pursuit(&self, f: &Field, attacker: Man, man: Man) -> (crate::data::Dice, u8, i8) {
        let charging = self.charges(f, attacker, man);
        let tables = &self.data.tables;
        let (hunter, soldier) = (f.man(attacker), f.man(man));
        let fast = self.face(hunter).movement >= self.face(soldier).movement;
        let dice = match (fast, self.kind(soldier).armoured) {
            (true, true) => tables.fast_armoured,
            (true, false) => tables.fast_unarmoured,
            (false, true) => tables.slow_armoured,
            (false, false) => tables.slow_unarmoured,
        };
        let factor = match (charging, hunter.mounted(), soldier.mounted()) {
            (true, _, false) => tables.charge_on_foot,
            (true, _, true) => tables.charge_on_rider,
            (false, true, false) => tables.rider_on_foot,
            _ => 1,
        };
        let (own, theirs) = (self.footing(f, man, &[attacker]), self.footing(f, attacker, &[man]));
        let ground = tables.ground as i8 * (theirs.cmp(&own) as i8);
        (dice, factor, ground)
    }

    fn hit_back(&self, f: &mut Field, attacker: Man, man: Man, umpire: &mut (impl Umpire + ?Sized)) {
        if !f.man(man).here() {
            return;
        }
        if self.shielded(f, attacker, man) {
            umpire.note(
                Readers::ALL,
                rule!("3.54"),
                format_args!("{} gets away from {} unharmed", self.call(f, man), self.call(f, attacker)),
            );
            return;
        }
        let (dice, factor, ground) = self.pursuit(f, attacker, man);
        let loss = i16::from(dice.roll(umpire)) * i16::from(factor) + i16::from(ground);
        if ground != 0 {
            umpire.cite(rule!("3.55"));
        }
        let stood = *f.man(man);
        self.hurt(f, man, loss.clamp(0, 250) as u8, true, umpire);
        if !f.man(man).here() {
            self.vacates(f, man, &stood);
        }
    }

    /// Notes the hexes that a loser stood on, for those who may advance onto them \[T21\].
    pub(super) fn vacates(&self, f: &mut Field, man: Man, stood: &Soldier) {
        let hexes: ArrayVec<Place, 5> = stood.hexes().collect();
        let vacated = hexes.len() as u8;
        let before = std::mem::replace(&mut f.fight.trail, Trail { whose: Some(man), hexes, vacated });
        if before.whose.is_some() && !f.fight.trails.is_full() {
            f.fight.trails.push(before);
        }
    }

    /// The next defender tests his morale and goes [3.54].
    fn next_leaver(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        while let Some(man) = f.fight.leaving.first().copied() {
            f.fight.leaving.remove(0);
            let soldier = *f.man(man);
            if !soldier.stands() {
                continue;
            }
            self.vacates(f, man, &soldier);
            umpire.cite(rule!("T25"));
            let nerve = self.test(f, man, 0, umpire);
            if nerve != Nerve::Holds {
                let way = self.break_and_run(f, man, nerve, umpire);
                // Who rides on as he looks leaves the hex of the tail first.
                if way.first().copied() != soldier.tail() {
                    f.fight.trail.hexes.reverse();
                }
                let new = way.into_iter().filter(|to| !soldier.hexes().any(|at| at == *to));
                f.fight.trail.hexes.extend(new);
                continue;
            }
            // A rider who faces his enemies turns about, which costs him nothing.
            let faces = soldier.mounted() && f.fight.attackers.iter().any(|foe| self.in_front(f, man, *foe));
            f.lift(man);
            if faces {
                let turned = f.man_mut(man);
                turned.at = soldier.tail();
                turned.facing = soldier.facing.opposite();
            } else {
                f.fight.trail.hexes.reverse();
            }
            let tables = &self.data.tables;
            let hexes = if soldier.mounted() { tables.retreat_mounted } else { tables.retreat_foot };
            f.march = March::default();
            self.mark_way(f, man);
            f.agenda.replace(Step::Retreat(man, hexes));
            if !self.can_retreat(f, man, hexes) {
                self.end_retreat(f, man, hexes, umpire);
            }
            return;
        }
        self.offer_advance(f, umpire);
    }

    /// How far a hex is from the nearest attacker.
    fn gap_to_attackers(&self, f: &Field, place: Place) -> u32 {
        let hexes = f.fight.attackers.iter().flat_map(|foe| f.man(*foe).hexes());
        hexes.map(|at| at.distance(place)).min().unwrap_or(0)
    }

    /// What a retreating man may enter [3.54]: `None` where he may not, else whether he gets further away.
    fn retreat_way(&self, f: &Field, man: Man, left: u8, way: Direction) -> Option<bool> {
        let soldier = f.man(man);
        let at = soldier.at?;
        if soldier.mounted() && way.turns_to(soldier.facing) > 1 {
            return None;
        }
        let to = f.next(at, way)?;
        if f.fight.trail.hexes.contains(&to) {
            return None;
        }
        let ground = self.data.ground(f.terrain(to));
        let open = if soldier.mounted() { ground.mounted } else { ground.foot };
        open?;
        if f.siege.is_some() && self.passes(f, soldier.side, at, to).is_err() {
            return None;
        }
        if !f.is_free(to) {
            let friend = f.man_on(to).filter(|other| f.man(*other).side == soldier.side)?;
            if stops_on(soldier, left) && self.room_beside(f, friend).is_none() {
                return None;
            }
        }
        let (now, then) = (self.gap_to_attackers(f, at), self.gap_to_attackers(f, to));
        (then >= now).then_some(then > now)
    }

    fn can_retreat(&self, f: &Field, man: Man, left: u8) -> bool {
        Direction::ALL.into_iter().any(|way| self.retreat_way(f, man, left, way).is_some())
    }

    pub(super) fn list_retreat(
        &self,
        f: &Field,
        man: Man,
        left: u8,
        ballot: &mut (impl Ballot<Deed> + ?Sized),
    ) {
        let ways = Direction::ALL.map(|way| (way, self.retreat_way(f, man, left, way)));
        let further = ways.iter().any(|(_, gain)| *gain == Some(true));
        let only = ways.iter().filter(|(_, gain)| *gain == Some(further)).count() == 1;
        for (way, gain) in ways {
            match gain {
                Some(gain) if gain == further && only => ballot.force(Deed::Go(way)),
                Some(gain) if gain == further => ballot.allow(Deed::Go(way)),
                Some(_) => ballot.refuse(
                    Deed::Go(way),
                    rule!("3.54"),
                    format_args!("a retreat leads away from the enemy, where it can"),
                ),
                None => ballot.refuse(Deed::Go(way), rule!("T20"), format_args!("he cannot retreat there")),
            }
        }
    }

    pub(super) fn retreat_step(
        &self,
        f: &mut Field,
        man: Man,
        left: u8,
        way: Direction,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(to) = f.man(man).at.and_then(|at| f.next(at, way)) else { return };
        umpire.cite(rule!("3.54"));
        let stops = stops_on(f.man(man), left);
        if let Some(friend) = f.man_on(to).filter(|_| stops) {
            self.displace(f, friend, man, umpire);
        }
        let first = f.fight.trail.hexes.len() == usize::from(f.fight.trail.vacated);
        let soldier = f.man_mut(man);
        soldier.at = Some(to);
        soldier.facing = way;
        if let Some(engine) = soldier.engine {
            f.engine_mut(engine).at = Some(to);
        }
        if !f.fight.trail.hexes.is_full() {
            f.fight.trail.hexes.push(to);
        }
        self.mark_way(f, man);
        let spared = if first { f.fight.attackers.clone() } else { Party::new() };
        let rode = f.man(man).mounted();
        let there = *f.man(man);
        if rode {
            // Who falls off his horse among friends falls where he last had room.
            self.last_room(f, man);
        }
        self.challenges(f, man, true, to, &spared, umpire);
        if rode && f.man(man).mounted() {
            let soldier = f.man_mut(man);
            (soldier.at, soldier.facing) = (there.at, there.facing);
        }
        let left = left - 1;
        if !f.man(man).stands() || rode != f.man(man).mounted() {
            if f.man(man).here() && !rode {
                self.come_down(f, man);
            }
            self.next_leaver(f, umpire);
        } else if left == 0 {
            self.come_down(f, man);
            self.next_leaver(f, umpire);
        } else {
            f.agenda.replace(Step::Retreat(man, left));
            if !self.can_retreat(f, man, left) {
                self.end_retreat(f, man, left, umpire);
            }
        }
    }

    /// Steps that cannot be made cost life \[T20\].
    fn end_retreat(&self, f: &mut Field, man: Man, missing: u8, umpire: &mut (impl Umpire + ?Sized)) {
        self.come_down(f, man);
        umpire.note(Readers::ALL, rule!("T20"), format_args!("{} cannot retreat further", self.call(f, man)));
        for _ in 0..missing {
            let loss = self.data.tables.blocked.roll(umpire);
            self.hurt(f, man, loss, true, umpire);
        }
        self.next_leaver(f, umpire);
    }

    /// A retreating man stops: on the last hexes of his way that are free.
    fn come_down(&self, f: &mut Field, man: Man) {
        if f.man(man).here() {
            self.last_room(f, man);
            f.set_down(man);
        }
    }

    /// Takes a retreating man back to the last point of his way where nobody else stands.
    fn last_room(&self, f: &mut Field, man: Man) {
        let mut soldier = *f.man(man);
        for way in f.march.path.iter().rev() {
            (soldier.at, soldier.facing) = (Some(way.at), way.facing);
            if soldier.hexes().all(|at| f.is_free(at) || f.man_on(at) == Some(man)) {
                *f.man_mut(man) = soldier;
                break;
            }
        }
        if let Some(engine) = f.man(man).engine {
            f.engine_mut(engine).at = f.man(man).at;
        }
    }

    /// Where a friend can be displaced to: the free hex next to him that is furthest from the enemy.
    fn room_beside(&self, f: &Field, friend: Man) -> Option<Direction> {
        let soldier = f.man(friend);
        if soldier.mounted() || soldier.is(Marks::STUNNED) {
            return None;
        }
        let at = soldier.at?;
        let ways = Direction::ALL.into_iter().filter(|way| {
            self.can_shove(f, friend, *way)
                && f.next(at, *way).is_some_and(|to| !f.fight.trail.hexes.contains(&to))
        });
        ways.max_by_key(|way| f.next(at, *way).map_or(0, |to| f.from_foes(to, soldier.side)))
    }

    /// A friend makes room, and tests his morale if he is of the same class or a lower one [3.54, T25].
    fn displace(&self, f: &mut Field, friend: Man, by: Man, umpire: &mut (impl Umpire + ?Sized)) {
        let (Some(way), Some(room)) = (self.room_beside(f, friend), f.man(friend).at) else { return };
        // Whoever retreats is off the ground while he goes: nobody may run onto his hexes meanwhile.
        let retreating = *f.man(by);
        self.last_room(f, by);
        f.set_down(by);
        self.shove(f, friend, way);
        f.on.set(room, ENGINE);
        umpire.note(
            Readers::ALL,
            rule!("3.54"),
            format_args!("{} makes room for {}", self.call(f, friend), self.call(f, by)),
        );
        if self.class(f.man(friend)) >= self.class(f.man(by)) {
            umpire.cite(rule!("T25"));
            let nerve = self.test(f, friend, 0, umpire);
            let march = std::mem::take(&mut f.march);
            self.break_and_run(f, friend, nerve, umpire);
            f.march = march;
        }
        f.on.set(room, 0);
        f.lift(by);
        let soldier = f.man_mut(by);
        (soldier.at, soldier.facing) = (retreating.at, retreating.facing);
    }

    /// The attackers may advance, if they can \[T21\].
    pub(super) fn offer_advance(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        let attackers = f.fight.attackers.clone();
        f.fight.advancing = attackers.iter().copied().filter(|man| self.can_advance(f, *man)).collect();
        if f.fight.advancing.is_empty() {
            self.end_fight(f, umpire);
        } else {
            f.agenda.replace(Step::Advance);
        }
    }

    fn can_advance(&self, f: &Field, man: Man) -> bool {
        let soldier = f.man(man);
        soldier.steady() && !soldier.is(Marks::ABOARD) && self.advances(f, man).next().is_some()
    }

    /// How a man can advance, and where to first: where several have lost, after any of them \[T21\].
    pub(crate) fn advances<'a>(&'a self, f: &'a Field, man: Man) -> impl Iterator<Item = (Deed, Place)> + 'a {
        let several = f.fight.ways().nth(1).is_some();
        f.fight.ways().filter_map(move |trail| {
            let first = self.first_advance(f, man, trail)?;
            let loser = trail.whose.filter(|_| several).map(|loser| f.man(loser).who);
            Some((Deed::Advance(f.man(man).who, loser), *trail.hexes.get(first)?))
        })
    }

    /// Where on a loser's way a man begins his advance: on the first hex that was left and that he can enter.
    fn first_advance(&self, f: &Field, man: Man, trail: &Trail) -> Option<usize> {
        (0..usize::from(trail.vacated)).find(|i| self.way_after(f, man, trail, *i).is_some())
    }

    /// The way in which a man enters a hex of a loser's, if he can.
    fn way_after(&self, f: &Field, man: Man, trail: &Trail, i: usize) -> Option<Direction> {
        let soldier = f.man(man);
        let (at, to) = (soldier.at?, trail.hexes.get(i).copied()?);
        let way = at.direction_to(to)?;
        let ahead = !soldier.mounted() || way.turns_to(soldier.facing) <= 1;
        (ahead && f.is_free(to) && self.can_shove(f, man, way)).then_some(way)
    }

    pub(super) fn list_advance(&self, f: &Field, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        ballot.allow(Deed::Stay);
        let several = f.fight.ways().nth(1).is_some();
        for man in &f.fight.advancing {
            for (deed, _) in self.advances(f, *man) {
                ballot.allow(deed);
            }
            if several {
                let deed = Deed::Advance(f.man(*man).who, None);
                ballot.refuse(deed, rule!("T21"), format_args!("several have lost: say after whom"));
            }
        }
    }

    pub(super) fn advance(
        &self,
        f: &mut Field,
        who: Who,
        after: Option<Who>,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(man) = f.find(who) else { return };
        let loser = after.and_then(|loser| f.find(loser));
        let followed = |trail: &&Trail| loser.is_none_or(|loser| trail.whose == Some(loser));
        let Some(trail) = f.fight.ways().find(followed).cloned() else { return };
        let tables = &self.data.tables;
        let hexes = if f.man(man).mounted() { tables.advance_mounted } else { tables.advance_foot };
        let begin = self.first_advance(f, man, &trail).unwrap_or(0);
        for i in begin..begin + usize::from(hexes) {
            let Some(way) = self.way_after(f, man, &trail, i) else { break };
            self.shove(f, man, way);
        }
        umpire.note(Readers::ALL, rule!("T21"), format_args!("{} advances", self.call(f, man)));
        f.fight.attackers.retain(|other| *other != man);
        self.offer_advance(f, umpire);
    }

    pub(super) fn end_advance(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.cite(rule!("T21"));
        self.end_fight(f, umpire);
    }
}

/// Whether a retreating man with so many hexes left stops on the one that he enters: on the last, a rider with the
/// tail of his horse on the last but one.
fn stops_on(soldier: &Soldier, left: u8) -> bool {
    left == 1 || soldier.mounted() && left == 2
}

//! Horses without riders: falling off, mounting and dismounting, shooting and striking at them [3.57, T6, T7].

use table::{Ballot, Readers, Umpire, rule};

use super::{Refusal, Tactics};
use crate::data::{Cover, Shot, WeaponSheet};
use crate::deed::Deed;
use crate::field::{Field, HORSE, Marks, Step};
use crate::ids::{Man, Place, Who};

impl Tactics {
    /// A rider falls: he lies where the tail was; the horse, if it lives, stays where the head was \[T7\].
    pub(super) fn unhorse(&self, f: &mut Field, man: Man, horse_dies: bool) {
        f.lift(man);
        let soldier = f.man_mut(man);
        let (head, tail) = (soldier.at, soldier.tail());
        soldier.marks.set(Marks::MOUNTED, false);
        soldier.run = 0;
        soldier.at = tail.or(head);
        if horse_dies {
            soldier.marks.set(Marks::OWNS, false);
        } else if let Some(head) = head {
            soldier.horse = Some(head);
            f.on.set(head, HORSE);
        }
        f.set_down(man);
    }

    fn may_mount(&self, f: &Field, man: Man, place: Place) -> Result<(), Refusal> {
        let soldier = f.man(man);
        if self.card(soldier).mounted.is_none() {
            return Err((rule!("T6"), "he does not ride"));
        }
        if f.march.spent + self.data.tables.mount_cost > f.march.allowance {
            return Err((rule!("T6"), "his allowance does not suffice"));
        }
        let Some(at) = soldier.at.filter(|at| f.is_free(*at)) else {
            return Err((rule!("T2"), "a friend stands there"));
        };
        let open = |at| self.data.ground(f.terrain(at)).mounted.is_some();
        if !open(at) || !open(place) {
            return Err((rule!("T3"), "both hexes must be open to horses"));
        }
        Ok(())
    }

    pub(super) fn list_mounting(&self, f: &Field, man: Man, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        let soldier = f.man(man);
        let Some(at) = soldier.at else { return };
        if soldier.mounted() {
            if f.march.spent + self.data.tables.dismount_cost <= f.march.allowance {
                ballot.allow(Deed::Dismount);
            } else {
                ballot.refuse(Deed::Dismount, rule!("T6"), format_args!("his allowance does not suffice"));
            }
            return;
        }
        for place in f.around(at) {
            if f.on.get(place) != HORSE {
                continue;
            }
            match self.may_mount(f, man, place) {
                Ok(()) => ballot.allow(Deed::Mount(place)),
                Err((rule, why)) => ballot.refuse(Deed::Mount(place), rule, format_args!("{why}")),
            }
        }
    }

    /// A man mounts: the horse's head is where it stood, its tail where he stood. If it was another's, the two have
    /// exchanged horses, so that every rider has one at most.
    pub(super) fn mount(&self, f: &mut Field, place: Place, umpire: &mut (impl Umpire + ?Sized)) {
        let (Step::March(man), Some(owner)) = (f.step(), f.horse_on(place)) else { return };
        let Some(at) = f.man(man).at else { return };
        let caparison = f.man(owner).is(Marks::CAPARISON);
        if owner != man {
            let (left, owned) = (f.man(man).horse, f.man(man).is(Marks::OWNS));
            let own = f.man(man).is(Marks::CAPARISON);
            let other = f.man_mut(owner);
            other.horse = left;
            other.marks.set(Marks::OWNS, owned);
            other.marks.set(Marks::CAPARISON, own);
        }
        let soldier = f.man_mut(man);
        soldier.horse = None;
        soldier.marks.set(Marks::CAPARISON, caparison);
        soldier.marks.set(Marks::MOUNTED, true);
        soldier.marks.set(Marks::OWNS, true);
        if let Some(facing) = at.direction_to(place) {
            soldier.facing = facing;
        }
        soldier.at = Some(place);
        f.on.set(place, 0);
        self.let_go(f, man);
        f.march.spent += self.data.tables.mount_cost;
        f.march.busy = true;
        umpire.note(Readers::ALL, rule!("T6"), format_args!("{} mounts", self.call(f, man)));
    }

    pub(super) fn dismount(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::March(man) = f.step() else { return };
        let soldier = f.man_mut(man);
        let (Some(head), Some(tail)) = (soldier.at, soldier.tail()) else { return };
        soldier.marks.set(Marks::MOUNTED, false);
        soldier.run = 0;
        soldier.at = Some(tail);
        soldier.horse = Some(head);
        f.on.set(head, HORSE);
        f.march.spent += self.data.tables.dismount_cost;
        f.march.busy = true;
        umpire.note(Readers::ALL, rule!("T6"), format_args!("{} dismounts", self.call(f, man)));
    }

    pub(super) fn list_horse_shots(
        &self,
        f: &Field,
        man: Man,
        weapon: &WeaponSheet,
        from: Place,
        ballot: &mut (impl Ballot<Deed> + ?Sized),
    ) {
        let who = f.man(man).who;
        for horse in f.horses() {
            match self.reaches(f, weapon, from, horse) {
                Ok(()) => ballot.allow(Deed::ShootHorse(who, horse)),
                Err((rule, why)) => ballot.refuse(Deed::ShootHorse(who, horse), rule, format_args!("{why}")),
            }
        }
    }

    /// A shot at a loose horse: as at an unarmoured rider; it dies of enough points at one moment [3.57].
    pub(super) fn shoot_horse(
        &self,
        f: &mut Field,
        who: Who,
        place: Place,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let (Some(man), Some(owner)) = (f.find(who), f.horse_on(place)) else { return };
        let (Some(from), Some(weapon)) = (f.man(man).at, self.weapon(f, man)) else { return };
        let tables = &self.data.tables;
        let range = from.distance(place);
        let far =
            tables.ranges.iter().find(|(hexes, _)| range <= u32::from(*hexes)).map_or(0, |(_, die)| *die);
        let wounded = if self.wounded(f.man(man)) { tables.wounded_shooter } else { 0 };
        let skill = tables.skill_at_kills.iter().rev().find(|(kills, _)| f.man(man).kills >= *kills);
        let cover = self.data.ground(f.terrain(place)).cover.min(Cover::Medium);
        let die = far + wounded + skill.map_or(0, |(_, die)| *die);
        let aim = super::fire::Aim { die, rows: weapon.rows, cover, mounted: true, crowded: false };
        let once = weapon.once;
        let marks = &mut f.man_mut(man).marks;
        marks.set(Marks::SHOT, true);
        if once {
            marks.set(Marks::USED, true);
        }
        let loss = match self.result(aim, umpire.roll(10)) {
            Shot::Hit(dice) => dice.roll(umpire),
            _ => 0,
        };
        let bare = !f.man(owner).is(Marks::CAPARISON);
        let needed = if bare { tables.horse_shot_bare } else { tables.horse_shot_caparisoned };
        // Shots of one phase add up: what this horse has taken is kept in its owner's run, which he cannot use.
        let taken = f.man(owner).run.saturating_add(loss);
        f.man_mut(owner).run = taken;
        self.tell_horse(f, man, taken >= needed, umpire);
        if taken >= needed {
            self.kill_horse(f, owner);
        }
        if !self.has_fire(f) {
            self.begin_movement(f, umpire);
        }
    }

    fn tell_horse(&self, f: &Field, man: Man, dies: bool, umpire: &mut (impl Umpire + ?Sized)) {
        let what = if dies { "kills the loose horse" } else { "does not kill the loose horse" };
        umpire.note(Readers::ALL, rule!("3.57"), format_args!("{} {what}", self.call(f, man)));
    }

    fn kill_horse(&self, f: &mut Field, owner: Man) {
        if let Some(place) = f.man(owner).horse {
            f.on.set(place, 0);
        }
        let soldier = f.man_mut(owner);
        soldier.horse = None;
        soldier.run = 0;
        soldier.marks.set(Marks::OWNS, false);
    }

    /// An attack on a loose horse: enough of a total kills it [3.57].
    pub(super) fn attack_horse(
        &self,
        f: &mut Field,
        who: Who,
        place: Place,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let (Some(man), Some(owner)) = (f.find(who), f.horse_on(place)) else { return };
        let tables = &self.data.tables;
        let soldier = *f.man(man);
        f.man_mut(man).marks.set(Marks::ATTACKED, true);
        let dice =
            if f.man(owner).is(Marks::CAPARISON) { tables.horse_caparisoned } else { tables.horse_bare };
        let total = u16::from(self.face(&soldier).attack)
            + u16::from(soldier.experience)
            + self.roll_best(dice, self.inspired(f, &[man]), umpire);
        let dies = total >= tables.horse_blow;
        self.tell_horse(f, man, dies, umpire);
        if dies {
            self.kill_horse(f, owner);
        }
        self.after_combat(f, umpire);
    }
}

//! Pleas for mercy, and prisoners [3.58].

use table::{Ballot, Readers, Umpire, rule};

use super::{Refusal, Tactics};
use crate::deed::Deed;
use crate::field::{Fate, Field, Marks, Step};
use crate::ids::{Man, Side, Who};

impl Tactics {
    /// Whether every hex next to a man that he could enter holds an enemy who is not stunned [3.58].
    pub fn surrounded(&self, f: &Field, man: Man) -> bool {
        let soldier = f.man(man);
        let mut foes = 0;
        for at in soldier.hexes() {
            for near in f.around(at) {
                match f.man_on(near) {
                    Some(other) if other == man => {}
                    Some(other) if f.man(other).side != soldier.side && f.man(other).stands() => foes += 1,
                    Some(_) => return false,
                    None => {
                        let ground = self.data.ground(f.terrain(near));
                        let open = if soldier.mounted() { ground.mounted } else { ground.foot };
                        // Where a loose horse or an engine stands nobody enters.
                        let way = f.siege.is_none() || self.passes(f, soldier.side, at, near).is_ok();
                        if open.is_some() && f.is_free(near) && way {
                            return false;
                        }
                    }
                }
            }
        }
        foes > 0
    }

    /// Whether a man who is attacked may plead with an enemy; else why not.
    pub fn may_plead(&self, f: &Field, man: Man, to: Man) -> Result<(), Refusal> {
        let soldier = f.man(man);
        if !self.major(f, man) || !self.major(f, to) {
            return Err((rule!("3.58"), "only major characters plead, and only with major characters"));
        }
        if soldier.is(Marks::PLEADED) {
            return Err((rule!("3.58"), "he was refused in this turn"));
        }
        if !self.wounded(soldier) && !self.surrounded(f, man) {
            return Err((rule!("3.58"), "he is neither wounded nor surrounded"));
        }
        if !f.man(to).stands() || f.apart(man, to) > u32::from(self.data.tables.mercy_hexes) {
            return Err((rule!("3.58"), "nobody is near enough"));
        }
        let sees = f.man(man).at.zip(f.man(to).at).is_some_and(|(one, other)| self.sees(f, one, other));
        if !sees {
            return Err((rule!("3.58"), "he is out of sight"));
        }
        Ok(())
    }

    pub(super) fn list_pleas(&self, f: &Field, man: Man, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        if !self.major(f, man) && !ballot.explains() {
            return;
        }
        for (foe, enemy) in f.of(f.man(man).side.foe()) {
            if !self.major(f, foe) && !ballot.explains() {
                continue;
            }
            let deed = Deed::Plea(f.man(man).who, enemy.who);
            match self.may_plead(f, man, foe) {
                Ok(()) => ballot.allow(deed),
                Err((rule, why)) => ballot.refuse(deed, rule, format_args!("{why}")),
            }
        }
    }

    pub(super) fn plead(&self, f: &mut Field, who: Who, to: Who, umpire: &mut (impl Umpire + ?Sized)) {
        let (Some(man), Some(to)) = (f.find(who), f.find(to)) else { return };
        umpire.note(
            Readers::ALL,
            rule!("3.58"),
            format_args!("{} pleads with {} for mercy", self.call(f, man), self.call(f, to)),
        );
        f.agenda.push(Step::Mercy(man, to));
    }

    pub(super) fn answer_plea(&self, f: &mut Field, granted: bool, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::Mercy(man, to) = f.step() else { return };
        f.agenda.pop();
        if granted {
            umpire.note(
                Readers::ALL,
                rule!("3.58"),
                format_args!("{} takes {} prisoner", self.call(f, to), self.call(f, man)),
            );
            self.remove(f, man, Fate::Captive, false);
            f.fight.defenders.retain(|other| *other != man);
            if f.fight.defenders.is_empty() {
                self.end_fight(f, umpire);
            }
        } else {
            let marks = &mut f.man_mut(man).marks;
            marks.set(Marks::PLEADED, true);
            marks.set(Marks::REFUSED, true);
            umpire.note(Readers::ALL, rule!("3.58"), format_args!("{} is refused", self.call(f, man)));
        }
    }

    /// A side that has fled loses the prisoners whom it has taken: they are free, and count for nobody [3.58].
    pub(super) fn free_prisoners(&self, f: &mut Field, of: Side) {
        for soldier in &mut f.men {
            if soldier.side == of.foe() && soldier.fate == Fate::Captive {
                soldier.fate = Fate::Fights;
            }
        }
    }
}

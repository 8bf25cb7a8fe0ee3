//! Morale: tests, panic, rout and rally [3.59, T24 to T29].

use arrayvec::ArrayVec;
use table::{Readers, Rule, Umpire, rule};

use super::Tactics;
use crate::data::{KNIGHT, NCO, Terrain};
use crate::field::{Field, Marks, Party};
use crate::ids::{Man, Place, Side};

/// How a test ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nerve {
    /// He holds.
    Holds,
    /// He panics.
    Panics,
    /// He routs.
    Routs,
}

impl Tactics {
    /// A man's morale, line by line: his level and what is added to it [T26, 3.59].
    pub fn morale(&self, f: &Field, man: Man, tell: &mut impl FnMut(Rule, &'static str, i8)) -> i8 {
        let soldier = f.man(man);
        let table = &self.data.tables.morale;
        let level = self.level_of_morale(soldier) as i8;
        let mut sum = level;
        tell(rule!("T24"), "His level", level);
        let mut add = |rule, text, amount: i8| {
            if amount != 0 {
                sum += amount;
                tell(rule, text, amount);
            }
        };
        if soldier.is(Marks::STRONGER) {
            add(rule!("3.59"), "Twice as strong in the combat", table.odds_for);
        }
        if soldier.is(Marks::WEAKER) {
            add(rule!("3.59"), "Half as strong in the combat", table.odds_against);
        }
        let side = soldier.side;
        let chief = f.chiefs[side.index()];
        let mut leaders = 0;
        let (mut noble, mut nco) = (false, false);
        let (mut friends, mut runners) = (0, false);
        for (other, mate) in f.of(side) {
            if other == man {
                continue;
            }
            let class = self.class(mate);
            let apart = f.apart(man, other);
            let leads = mate.steady() && class <= NCO;
            leaders += u8::from(class <= NCO);
            noble |= leads && class <= KNIGHT && apart <= self.command_range(f, other);
            nco |= leads && apart == 1;
            if apart == 1 {
                friends += u8::from(mate.steady());
                runners |= mate.stands() && mate.is(Marks::PANIC.or(Marks::ROUT));
            }
        }
        // A rider has two hexes, and so may an enemy: each man counts once.
        let mut foes = Party::new();
        for other in soldier.hexes().flat_map(|at| f.around(at)).filter_map(|near| f.man_on(near)) {
            let foe = f.man(other).side != side && f.man(other).stands();
            if foe && !foes.contains(&other) {
                foes.push(other);
            }
        }
        let own = self.class(soldier) <= NCO;
        if self.inspired(f, &[man]) && f.man(chief.man).steady() {
            add(rule!("T26"), "The commander is near", table.commander);
        } else if noble {
            add(rule!("T26"), "A knight is near", table.noble);
        } else if nco {
            add(rule!("T26"), "A sergeant stands next to him", table.nco);
        }
        if self.wounded(soldier) {
            add(rule!("T26"), "Wounded", table.wounded);
        }
        if leaders == 0 && !own {
            add(rule!("T26"), "No leader is left", table.no_leader);
        }
        if foes.len() >= 4 {
            add(rule!("T26"), "Four enemies next to him", table.surrounded);
        }
        if friends >= 2 {
            add(rule!("T26"), "Two friends next to him", table.friends);
        }
        if runners {
            add(rule!("T26"), "A friend runs next to him", table.panic_near);
        }
        let behind = soldier.at.is_some_and(|at| {
            matches!(f.terrain(at), Terrain::Battlement | Terrain::WallTower | Terrain::KeepInterior)
        });
        if behind {
            add(rule!("T26"), "Behind walls", table.cover);
        }
        sum
    }

    /// A man tests his morale \[T24\].
    pub(super) fn test(&self, f: &Field, man: Man, bonus: i8, umpire: &mut (impl Umpire + ?Sized)) -> Nerve {
        let level = self.morale(f, man, &mut |_, _, _| {}) + bonus;
        let die = umpire.roll(10) as i8;
        let nerve = if die <= level {
            Nerve::Holds
        } else if die <= level + self.data.tables.panic as i8 {
            Nerve::Panics
        } else {
            Nerve::Routs
        };
        if umpire.writes() {
            umpire.cite(rule!("T26"));
            let soldier = f.man(man);
            if soldier.is(Marks::STRONGER.or(Marks::WEAKER)) {
                umpire.cite(rule!("3.59"));
            }
            let (rule, what) = match nerve {
                Nerve::Holds => (rule!("T24"), "holds"),
                Nerve::Panics => (rule!("T27"), "panics"),
                Nerve::Routs => (rule!("T28"), "routs"),
            };
            umpire.cite(rule!("T24"));
            umpire.note(
                Readers::ALL,
                rule,
                format_args!("{} rolls {die} for his morale of {level} and {what}", self.call(f, man)),
            );
        }
        nerve
    }

    /// A man who failed his test runs: in panic away from the nearest enemy, in rout to his own edge [T27, T28]. The
    /// first hexes of his way are returned.
    pub(super) fn break_and_run(
        &self,
        f: &mut Field,
        man: Man,
        nerve: Nerve,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> ArrayVec<Place, 2> {
        let side = f.man(man).side;
        match nerve {
            Nerve::Holds => ArrayVec::new(),
            Nerve::Panics => {
                f.man_mut(man).marks.set(Marks::PANIC, true);
                umpire.cite(rule!("T27"));
                self.run(f, man, &|f, at| f.from_foes(at, side) as i32, umpire)
            }
            Nerve::Routs => {
                let marks = &mut f.man_mut(man).marks;
                marks.set(Marks::PANIC, false);
                marks.set(Marks::ROUT, true);
                umpire.cite(rule!("T28"));
                self.shake_neighbours(f, man);
                self.run_home(f, man, umpire)
            }
        }
    }

    /// The rout of a man shakes friends of his class or a lower one next to him \[T25\].
    fn shake_neighbours(&self, f: &mut Field, man: Man) {
        let soldier = *f.man(man);
        let class = self.class(&soldier);
        for number in 0..f.men.len() {
            let other = f.men[number];
            let friend = other.side == soldier.side && other.here() && number != man.number();
            if friend && self.class(&other) >= class && f.apart(man, Man::at(number)) == 1 {
                f.men[number].marks.set(Marks::SHAKEN, true);
            }
        }
    }

    /// The morale phase: both sides test, that whose turn it is first; whoever is shaken by it tests as well, each once
    /// at most \[T25\].
    pub(super) fn morale_phase(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        let mut tested = [false; Man::COUNT];
        let mut again = true;
        let mut first = true;
        while again {
            again = false;
            for side in [f.active, f.active.foe()] {
                for (number, tested) in tested.iter_mut().enumerate().take(f.men.len()) {
                    let soldier = f.men[number];
                    let due = first || soldier.is(Marks::SHAKEN);
                    if soldier.side != side || !soldier.here() || *tested || !due {
                        continue;
                    }
                    *tested = self.morale_of(f, Man::at(number), side, umpire);
                    again |= *tested;
                }
            }
            first = false;
        }
        for soldier in &mut f.men {
            soldier.marks.set(Marks::SHAKEN, false);
        }
    }

    /// What a man does in the morale phase; whether he has tested or run.
    fn morale_of(&self, f: &mut Field, man: Man, side: Side, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let soldier = *f.man(man);
        let shaken = soldier.is(Marks::SHAKEN);
        f.man_mut(man).marks.set(Marks::SHAKEN, false);
        if soldier.is(Marks::STUNNED) {
            return false;
        }
        let own = side == f.active;
        if soldier.is(Marks::ROUT) {
            if !own {
                return false;
            }
            let leader = f.of(side).any(|(other, mate)| {
                other != man && mate.steady() && self.class(mate) <= KNIGHT && f.apart(man, other) == 1
            });
            if leader {
                umpire.cite(rule!("T29"));
                if self.test(f, man, 0, umpire) == Nerve::Holds {
                    f.man_mut(man).marks.set(Marks::ROUT, false);
                    umpire.note(Readers::ALL, rule!("T29"), format_args!("{} rallies", self.call(f, man)));
                    return true;
                }
            }
            umpire.cite(rule!("T28"));
            self.run_home(f, man, umpire);
            return true;
        }
        let again = own && soldier.is(Marks::PANIC) && soldier.is(Marks::RUNNING);
        if !shaken && !again {
            return false;
        }
        if shaken {
            umpire.cite(rule!("T25"));
        }
        let bonus = if again { self.data.tables.panic_again } else { 0 };
        match self.test(f, man, bonus, umpire) {
            Nerve::Holds => {
                if again {
                    f.man_mut(man).marks.set(Marks::PANIC, false);
                }
            }
            nerve => {
                self.break_and_run(f, man, nerve, umpire);
            }
        }
        true
    }
}

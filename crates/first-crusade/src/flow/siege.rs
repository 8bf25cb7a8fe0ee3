//! Sieges and massacres, an optional rule [opt-34].

use table::{Ballot, Readers, Set, Umpire, rule};

use crate::FirstCrusade;
use crate::action::Action;
use crate::data::{Family, Space, Unit};
use crate::position::{Battle, Place, Position};
use crate::words::{Host, count};

impl FirstCrusade {
    /// Whether a force that has come upon Muslims has a choice: to attack or to besiege [opt-34.1].
    pub(super) fn opens_gate(&self, p: &Position, s: Space, force: Set<Unit>) -> bool {
        p.table.sieges && (p.sieges.has(s) || self.may_besiege(p, s, force))
    }

    fn may_besiege(&self, p: &Position, s: Space, force: Set<Unit>) -> bool {
        self.components.fortresses.has(s)
            && (force & self.components.military).any()
            && p.sieges.len() + p.massacres.len() < self.components.sieges
    }

    pub(super) fn list_gate<B: Ballot<Action> + ?Sized>(&self, p: &Position, ballot: &mut B) {
        let Some(m) = &p.march else { return };
        let joins = p.sieges.has(m.at);
        if joins && m.at == self.components.jerusalem && self.actions_left(p) == 0 {
            let why = format_args!("to enter and attack Jerusalem takes two actions");
            ballot.refuse(Action::Assault, rule!("29.3"), why);
        } else {
            ballot.allow(Action::Assault);
        }
        if joins {
            ballot.allow(Action::Join);
        } else {
            ballot.allow(Action::Besiege);
        }
    }

    pub(super) fn at_the_gate<U: Umpire + ?Sized>(&self, p: &mut Position, action: Action, umpire: &mut U) {
        p.agenda.pop();
        let Some(m) = p.march else { return };
        let s = m.at;
        let force = m.force & p.here[s];
        let name = self.components.space_name(s);
        match action {
            Action::Besiege => {
                p.sieges.insert(s);
                umpire.note(Readers::ALL, rule!("opt-34.1"), format_args!("The siege of {name} begins"));
                if s != self.components.masyaf {
                    self.reinforce(p, s, p.reaction, false, umpire);
                }
            }
            Action::Join => {
                let who = Host(&self.components, force);
                let join = if force.len() == 1 { "joins" } else { "join" };
                umpire.note(
                    Readers::ALL,
                    rule!("opt-34.3"),
                    format_args!("{who} {join} the siege of {name}"),
                );
            }
            _ => {
                if p.sieges.has(s) {
                    umpire.cite(rule!("opt-34.2"));
                    if s == self.components.jerusalem {
                        self.pay_for_jerusalem(p, umpire);
                    }
                }
                self.fight(p, s, force, m.family, umpire);
            }
        }
    }

    /// An attack by besiegers: a siege attack of several rounds, or one by the standard rules [opt-34.2].
    pub(super) fn attack_from_the_lines<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        s: Space,
        family: Family,
        siege: bool,
        umpire: &mut U,
    ) {
        umpire.heading(format_args!("The assault on {}", self.components.space_name(s)));
        umpire.cite(rule!("opt-34.2"));
        let christians = self.muster(p, s, family);
        if christians.meets(self.components.fleets) {
            umpire.cite(rule!("25.4"));
        }
        let walls = self.components.fortresses.has(s);
        self.begin(p, Battle { walls, siege, ..Battle::at(s, christians, family) });
    }

    /// Sieges end where one side is gone [opt-34.3].
    pub(super) fn lift_sieges<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        for s in p.sieges.iter() {
            let (christians, muslims) = (self.christians(p, s), self.muslims(p, s));
            if christians.any() && muslims.any() {
                umpire.cite(rule!("opt-34.3"));
                continue;
            }
            p.sieges.remove(s);
            umpire.note(
                Readers::ALL,
                rule!("opt-34.3"),
                format_args!("The siege of {} is over", self.components.space_name(s)),
            );
            if christians.is_empty() && muslims.len() > 1 {
                self.muslims_settle(p, s, umpire);
            }
            if christians.any() && p.camps.has(s) {
                umpire.cite(rule!("opt-34.5"));
                p.camps.remove(s);
            }
        }
    }

    /// A fortress stormed in the second round or later is plundered [opt-34.6b].
    pub(super) fn mark_massacre<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        b: &Battle,
        by_attacker: bool,
        umpire: &mut U,
    ) {
        if !(p.table.sieges && by_attacker && b.walls) {
            return;
        }
        umpire.cite(rule!("opt-34.6b"));
        if b.round >= 2
            && self.components.fortresses.has(b.space)
            && p.sieges.without(b.space).len() + p.massacres.len() < self.components.sieges
        {
            p.massacres.insert(b.space);
            umpire.note(
                Readers::ALL,
                rule!("opt-34.6b"),
                format_args!("There is a massacre in {}", self.components.space_name(b.space)),
            );
        }
    }

    /// The besieged in winter: two dice of them survive [opt-34.5].
    pub(super) fn starve<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, umpire: &mut U) {
        let roll = umpire.roll(6) + umpire.roll(6);
        let besieged = self.muslims(p, s);
        let lost = besieged.len().saturating_sub(usize::from(roll));
        umpire.note(
            Readers::ALL,
            rule!("opt-34.5"),
            format_args!(
                "Hunger inside {}: {} lost",
                self.components.space_name(s),
                count(lost, "Muslim unit is", "Muslim units are")
            ),
        );
        for _ in 0..lost {
            // The weakest first, as in battle.
            let factor =
                |u: &Unit| (self.components.leaders.has(*u), self.components.units[*u].factor(false));
            if let Some(u) = self.muslims(p, s).iter().min_by_key(factor) {
                if self.components.leaders.has(u) {
                    self.eliminate(p, u, umpire);
                } else {
                    p.stow(u, Place::Bin);
                }
            }
        }
    }
}

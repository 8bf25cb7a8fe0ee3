//! Sieges and massacres, an optional rule [opt-34].

use table::{Ballot, Readers, Umpire, rule};

use crate::FirstCrusade;
use crate::action::Action;
use crate::position::{BIN, Battle, Position};
use crate::set::Set;

impl FirstCrusade {
    /// Whether a force that has come upon Muslims has a choice: to attack or to besiege [opt-34.1].
    pub(super) fn opens_gate(&self, p: &Position, s: u8, force: Set) -> bool {
        p.table.sieges && (p.sieges.has(s) || self.may_besiege(p, s, force))
    }

    fn may_besiege(&self, p: &Position, s: u8, force: Set) -> bool {
        self.components.fortresses.has(s)
            && (force & self.components.military).any()
            && p.sieges.len() + p.massacres.len() < self.components.sieges
    }

    pub(super) fn list_gate<B: Ballot<Action> + ?Sized>(&self, p: &Position, ballot: &mut B) {
        ballot.allow(Action::Assault);
        if p.sieges.has(p.march.at) {
            ballot.allow(Action::Join);
        } else {
            ballot.allow(Action::Besiege);
        }
    }

    pub(super) fn at_the_gate<U: Umpire + ?Sized>(&self, p: &mut Position, action: Action, umpire: &mut U) {
        p.agenda.pop();
        let s = p.march.at;
        let force = p.march.force & p.here[usize::from(s)];
        let name = self.components.space_name(s);
        match action {
            Action::Besiege => {
                p.sieges.insert(s);
                umpire.note(Readers::ALL, rule!("opt-34.1"), format_args!("the siege of {name} begins"));
                if s != self.components.masyaf {
                    self.reinforce(p, s, p.reaction, false, umpire);
                }
            }
            Action::Join => {
                let why = "more Christians join the siege lines of";
                umpire.note(Readers::ALL, rule!("opt-34.3"), format_args!("{why} {name}"));
            }
            _ => self.fight(p, s, force, p.march.family, umpire),
        }
    }

    /// An attack by besiegers: a siege attack of several rounds, or one by the standard rules [opt-34.2].
    pub(super) fn attack_from_the_lines<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        s: u8,
        family: u8,
        siege: bool,
        umpire: &mut U,
    ) {
        umpire.heading(format_args!("The assault on {}", self.components.space_name(s)));
        umpire.cite(rule!("opt-34.2"));
        let christians = self.host(p, s, family);
        let walls = self.components.fortresses.has(s);
        self.begin(p, Battle { space: s, christians, walls, siege, family, ..Battle::NONE });
    }

    /// Sieges end where one side is gone [opt-34.3].
    pub(super) fn lift_sieges<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        for s in p.sieges.each() {
            let (christians, muslims) = (self.christians(p, s), self.muslims(p, s));
            if christians.any() && muslims.any() {
                continue;
            }
            p.sieges.remove(s);
            umpire.note(
                Readers::ALL,
                rule!("opt-34.3"),
                format_args!("the siege of {} is over", self.components.space_name(s)),
            );
            if christians.is_empty() && muslims.len() > 1 {
                self.muslims_settle(p, s, umpire);
            }
            if christians.any() {
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
        if p.table.sieges
            && by_attacker
            && b.walls
            && b.round >= 2
            && self.components.fortresses.has(b.space)
            && (p.sieges - Set::one(b.space)).len() + p.massacres.len() < self.components.sieges
        {
            p.massacres.insert(b.space);
            umpire.note(
                Readers::ALL,
                rule!("opt-34.6b"),
                format_args!("a massacre in {}", self.components.space_name(b.space)),
            );
        }
    }

    /// The besieged in winter: two dice of them survive [opt-34.5].
    pub(super) fn starve<U: Umpire + ?Sized>(&self, p: &mut Position, s: u8, umpire: &mut U) {
        let roll = umpire.roll(6) + umpire.roll(6);
        let besieged = self.muslims(p, s);
        let lost = besieged.len().saturating_sub(roll);
        umpire.note(
            Readers::ALL,
            rule!("opt-34.5"),
            format_args!("hunger inside {}: {lost} Muslim units die", self.components.space_name(s)),
        );
        for _ in 0..lost {
            // The weakest first, as in battle.
            let factor =
                |u: &u8| (self.components.leaders.has(*u), self.components.units[usize::from(*u)].combat[0]);
            if let Some(u) = self.muslims(p, s).each().min_by_key(factor) {
                if self.components.leaders.has(u) {
                    self.eliminate(p, u, umpire);
                } else {
                    p.stow(u, BIN);
                }
            }
        }
    }
}

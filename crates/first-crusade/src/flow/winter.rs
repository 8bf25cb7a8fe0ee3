//! Winter and supply [28.0].

use table::{Readers, Umpire, rule};

use super::CRUSADER;
use crate::FirstCrusade;
use crate::position::{BIN, Cause, Position, Step};
use crate::set::Set;

impl FirstCrusade {
    /// Whether a Christian force is supplied without using anything up [28.1].
    pub(crate) fn is_fed(&self, p: &Position, s: u8) -> bool {
        let c = &self.components;
        let besieging = p.sieges.has(s);
        let plundered = p.massacres.has(s);
        if s == c.capital {
            return true;
        }
        let place = self.is_fort(p, s) || c.ports.has(s) || c.towns.has(s);
        if place && !besieging && !plundered {
            return true;
        }
        let space = &c.spaces[usize::from(s)];
        let mut beside = space.roads.iter().chain(&space.passes).chain(&space.sea);
        let harbour = |to: u8| c.ports.has(to) && self.controlled(p, to) && !p.massacres.has(to);
        if beside.any(|to| harbour(*to)) {
            return true;
        }
        // Castles and monasteries feed Crusaders and mercenaries.
        (p.castles | p.monasteries).has(s) && self.christians(p, s).within(self.all_of(CRUSADER))
    }

    /// Spaces whose Christians will go hungry; a camp would feed them.
    pub(crate) fn hungry(&self, p: &Position) -> Set {
        let spaces = 0..self.components.spaces.len() as u8;
        spaces.filter(|s| self.christians(p, *s).any() && !self.is_fed(p, *s)).collect()
    }

    pub(super) fn winter_comes<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        umpire.heading(format_args!("Winter"));
        umpire.cite(rule!("28.0"));
        let mut hungry = self.hungry(p);
        for s in (hungry & p.camps).each() {
            p.camps.remove(s);
            hungry.remove(s);
            umpire.note(
                Readers::ALL,
                rule!("28.1"),
                format_args!("the camp in {} feeds its army and is used up", self.components.space_name(s)),
            );
        }
        if hungry.any() {
            p.agenda.push(Step::Hunger { spaces: hungry });
        }
    }

    /// Forces for which nobody has supplies to spare face the winter; whether that settled it.
    pub(super) fn hunger_settled<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        spaces: Set,
        umpire: &mut U,
    ) -> bool {
        let Some(s) = spaces.first() else {
            p.agenda.pop();
            return true;
        };
        let family = self.christians(p, s).first().map_or(CRUSADER, |u| self.family_of(u));
        let seat = self.seat_of(p, family);
        if p.boons[seat.index()] & self.boons_for(crate::action::Use::Supplies) != 0 {
            return false;
        }
        self.endure(p, spaces, umpire);
        true
    }

    /// One die: so many units come through unharmed [28.2].
    pub(super) fn endure<U: Umpire + ?Sized>(&self, p: &mut Position, mut spaces: Set, umpire: &mut U) {
        let Some(s) = spaces.first() else { return };
        spaces.remove(s);
        p.agenda.replace(Step::Hunger { spaces });
        let force = self.christians(p, s);
        let die = umpire.roll(6);
        let left = force.len().saturating_sub(die);
        umpire.note(
            Readers::ALL,
            rule!("28.2"),
            format_args!(
                "hunger in {}: {die} of {} units come through, {left} lose a step",
                self.components.space_name(s),
                force.len()
            ),
        );
        if left > 0 {
            p.pool = force;
            p.agenda.push(Step::Losses { left, cause: Cause::Winter });
        }
    }

    /// Muslims outside fortresses and towns go home; the besieged go hungry; blood is washed away.
    pub(super) fn winter_ends<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let c = &self.components;
        for s in 0..c.spaces.len() as u8 {
            let muslims = self.muslims(p, s);
            if muslims.is_empty() || s == c.masyaf {
                continue;
            }
            if !c.fortresses.has(s) && !c.towns.has(s) {
                for u in muslims.each() {
                    p.stow(u, BIN);
                }
                p.rumour[usize::from(s)] = Set::NONE;
                umpire.note(
                    Readers::ALL,
                    rule!("28.3"),
                    format_args!("the Muslims in {} go home for the winter", c.space_name(s)),
                );
            } else if p.sieges.has(s) {
                self.starve(p, s, umpire);
            }
        }
        if p.massacres.any() {
            p.massacres = Set::NONE;
            umpire.note(Readers::ALL, rule!("opt-34.6b"), format_args!("the massacres are forgotten"));
        }
    }
}

//! Camps, castles and monasteries [33.0].

use table::{Readers, Seat, Umpire, rule};

use super::Refused;
use super::actions::{CASTLE_COST, MONASTERY_COST};
use crate::FirstCrusade;
use crate::data::{Family, Space};
use crate::position::Position;

impl FirstCrusade {
    pub(super) fn may_camp(&self, p: &Position, s: Space, seat: Seat) -> Result<(), Refused> {
        let c = &self.components;
        self.anybody_may_act(p, s, seat)?;
        if c.seas.has(s) || c.deserts.has(s) {
            return Err((rule!("33.1"), "no camp is built in the desert or at sea"));
        }
        // Besiegers may camp before the walls [opt-34.5].
        if self.is_fort(p, s) && !p.sieges.has(s) {
            return Err((rule!("33.1"), "no camp is built in a fortress or castle"));
        }
        if p.camps.has(s) {
            return Err((rule!("33.1"), "there is a camp already"));
        }
        if p.camps.len() >= c.camps {
            return Err((rule!("33.9"), "no camp marker is left"));
        }
        Ok(())
    }

    pub(super) fn build_camp<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, umpire: &mut U) {
        p.camps.insert(s);
        umpire.note(
            Readers::ALL,
            rule!("33.1"),
            format_args!("A camp is built in {}", self.components.space_name(s)),
        );
    }

    fn no_building_left(&self, p: &Position) -> bool {
        p.castles.len() + p.monasteries.len() >= self.components.buildings
    }

    pub(super) fn may_castle(&self, p: &Position, s: Space) -> Result<(), Refused> {
        let c = &self.components;
        let here = self.christians(p, s);
        self.may_act(p, Family::Crusader, here)?;
        if (here & self.all_of(Family::Crusader) & c.military).is_empty() {
            return Err((rule!("33.2"), "a castle takes a Crusader military leader"));
        }
        if c.seas.has(s) || c.deserts.has(s) || self.is_fort(p, s) || p.camps.has(s) {
            return Err((rule!("33.2"), "not in a desert, a fortress, a castle or a camp"));
        }
        if self.actions_left(p) < CASTLE_COST {
            return Err((rule!("33.2"), "a castle takes three actions"));
        }
        self.may_build(p, s)
    }

    pub(super) fn may_monastery(&self, p: &Position, s: Space) -> Result<(), Refused> {
        let c = &self.components;
        let here = self.christians(p, s);
        self.may_act(p, Family::Crusader, here)?;
        if (here & self.all_of(Family::Crusader) & c.diplomats).is_empty() {
            return Err((rule!("33.3"), "a monastery takes a Crusader diplomatic leader"));
        }
        if c.seas.has(s) || c.deserts.has(s) || p.monasteries.has(s) {
            return Err((rule!("33.3"), "not in a desert, at sea or beside another monastery"));
        }
        if self.actions_left(p) < MONASTERY_COST {
            return Err((rule!("33.3"), "a monastery takes two actions"));
        }
        if self.contested(p, s) {
            return Err((rule!("opt-34.6"), "besiegers have no use of the fortress"));
        }
        self.may_build(p, s)
    }

    /// What castles and monasteries have in common.
    fn may_build(&self, p: &Position, s: Space) -> Result<(), Refused> {
        if self.no_building_left(p) {
            return Err((rule!("33.9"), "no castle or monastery marker is left"));
        }
        if p.table.kingdoms && !self.in_a_kingdom(p, s) {
            return Err((rule!("opt-36.7"), "only in or beside the capital of a kingdom"));
        }
        Ok(())
    }

    pub(super) fn build<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, castle: bool, umpire: &mut U) {
        if castle {
            p.castles.insert(s);
        } else {
            p.monasteries.insert(s);
        }
        umpire.note(
            Readers::ALL,
            if castle { rule!("33.2") } else { rule!("33.3") },
            format_args!(
                "A {} is built in {}",
                if castle { "castle" } else { "monastery" },
                self.components.space_name(s)
            ),
        );
    }

    /// Buildings fall where only Muslims are left [33.5].
    pub(super) fn ruin<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, umpire: &mut U) {
        if self.muslims(p, s).is_empty() || self.christians(p, s).any() {
            return;
        }
        if (p.camps | p.castles | p.monasteries).has(s) {
            p.camps.remove(s);
            p.castles.remove(s);
            p.monasteries.remove(s);
            umpire.cite(rule!("33.9"));
            umpire.note(
                Readers::ALL,
                rule!("33.5"),
                format_args!("What was built in {} is torn down", self.components.space_name(s)),
            );
        }
    }
}

//! Crusader kingdoms, an optional rule [opt-36].

use table::{Readers, Set, Umpire, rule};

use super::Refused;
use crate::FirstCrusade;
use crate::data::{Family, Kingdom, Space, Unit};
use crate::position::Position;

impl FirstCrusade {
    pub(super) fn may_crown(&self, p: &Position, s: Space, leader: Unit) -> Result<(), Refused> {
        self.may_act(p, Family::Crusader, self.christians(p, s))?;
        let Some(kingdom) = self.components.kingdom(s) else {
            return Err((rule!("opt-36.1"), "only a Crusader Pilgrimage Fortress can be a capital"));
        };
        if !self.controlled(p, s) {
            return Err((rule!("opt-36.2"), "the capital must be controlled"));
        }
        if p.titles[kingdom].is_some() {
            return Err((rule!("opt-36.3"), "the title is borne by another"));
        }
        if p.is_titled(leader) {
            return Err((rule!("opt-36.2"), "he bears a title already"));
        }
        Ok(())
    }

    pub(super) fn crown<U: Umpire + ?Sized>(&self, p: &mut Position, leader: Unit, umpire: &mut U) {
        let Some(s) = p.at(leader) else { return };
        if let Some(kingdom) = self.components.kingdom(s) {
            p.titles[kingdom] = Some(leader);
            umpire.cite(rule!("opt-36.1"));
            self.cite_hired(Set::one(leader), umpire);
            umpire.note(
                Readers::ALL,
                rule!("opt-36.2"),
                format_args!(
                    "{} founds a kingdom and bears the title of {}",
                    self.components.unit_name(leader),
                    self.components.space_name(s)
                ),
            );
        }
    }

    /// A leader who is gone bears no title [opt-36.3].
    pub(super) fn lose_title<U: Umpire + ?Sized>(&self, p: &mut Position, leader: Unit, umpire: &mut U) {
        for title in p.titles.values_mut() {
            if *title == Some(leader) {
                *title = None;
                umpire.note(
                    Readers::ALL,
                    rule!("opt-36.3"),
                    format_args!("The title that {} bore is vacant", self.components.unit_name(leader)),
                );
            }
        }
    }

    /// Where a force with titled leaders may go: the capital and what lies beside it [opt-36.4].
    pub(super) fn realm_of(&self, p: &Position, force: Set<Unit>) -> Option<Set<Space>> {
        if !p.table.kingdoms {
            return None;
        }
        let mut realm: Option<Set<Space>> = None;
        for (kingdom, leader) in p.titles.iter() {
            if leader.is_some_and(|leader| force.has(leader)) {
                let own = self.around_capital(kingdom);
                realm = Some(realm.map_or(own, |other| other & own));
            }
        }
        realm
    }

    fn around_capital(&self, kingdom: Kingdom) -> Set<Space> {
        let capital = self.components.pilgrimage[kingdom];
        self.components.beside(capital).collect::<Set<_>>().with(capital)
    }

    /// Whether a space is in or beside the capital of a kingdom that stands [opt-36.7].
    pub(super) fn in_a_kingdom(&self, p: &Position, s: Space) -> bool {
        let stands = |(_, leader): &(Kingdom, &Option<Unit>)| leader.is_some();
        p.titles.iter().filter(stands).any(|(kingdom, _)| self.around_capital(kingdom).has(s))
    }
}

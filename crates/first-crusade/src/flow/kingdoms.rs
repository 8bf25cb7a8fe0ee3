//! Crusader kingdoms, an optional rule [opt-36].

use table::{Readers, Umpire, rule};

use super::{CRUSADER, Refused};
use crate::FirstCrusade;
use crate::data::NONE;
use crate::position::Position;
use crate::set::Set;

impl FirstCrusade {
    /// The kingdom whose capital a space is.
    fn kingdom_at(&self, s: u8) -> Option<usize> {
        self.components.pilgrimage.iter().position(|capital| *capital == s)
    }

    pub(super) fn may_crown(&self, p: &Position, leader: u8) -> Result<(), Refused> {
        let s = p.place[usize::from(leader)];
        self.may_act(p, CRUSADER, self.christians(p, s))?;
        let Some(kingdom) = self.kingdom_at(s) else {
            return Err((rule!("opt-36.1"), "only a Crusader Pilgrimage Fortress can be a capital"));
        };
        if !self.controlled(p, s) {
            return Err((rule!("opt-36.2"), "the capital must be controlled"));
        }
        if p.titles[kingdom] != NONE {
            return Err((rule!("opt-36.3"), "the title is borne by another"));
        }
        if p.titles.contains(&leader) {
            return Err((rule!("opt-36.2"), "he bears a title already"));
        }
        Ok(())
    }

    pub(super) fn crown<U: Umpire + ?Sized>(&self, p: &mut Position, leader: u8, umpire: &mut U) {
        let s = p.place[usize::from(leader)];
        if let Some(kingdom) = self.kingdom_at(s) {
            p.titles[kingdom] = leader;
            umpire.note(
                Readers::ALL,
                rule!("opt-36.2"),
                format_args!(
                    "{} bears the title of {}",
                    self.components.unit_name(leader),
                    self.components.space_name(s)
                ),
            );
        }
    }

    /// A leader who is gone bears no title [opt-36.3].
    pub(super) fn lose_title<U: Umpire + ?Sized>(&self, p: &mut Position, leader: u8, umpire: &mut U) {
        for title in &mut p.titles {
            if *title == leader {
                *title = NONE;
                umpire.note(
                    Readers::ALL,
                    rule!("opt-36.3"),
                    format_args!("the title of {} is vacant", self.components.unit_name(leader)),
                );
            }
        }
    }

    /// Where a force with titled leaders may go: the capital and what lies beside it [opt-36.4].
    pub(super) fn realm_of(&self, p: &Position, force: Set) -> Option<Set> {
        if !p.table.kingdoms {
            return None;
        }
        let mut realm: Option<Set> = None;
        for (kingdom, leader) in p.titles.iter().enumerate() {
            if *leader != NONE && force.has(*leader) {
                let own = self.around_capital(kingdom);
                realm = Some(realm.map_or(own, |other| other & own));
            }
        }
        realm
    }

    fn around_capital(&self, kingdom: usize) -> Set {
        let capital = self.components.pilgrimage[kingdom];
        self.components.beside(capital).collect::<Set>() | Set::one(capital)
    }

    /// Whether a space is in or beside the capital of a kingdom that stands [opt-36.7].
    pub(super) fn in_a_kingdom(&self, p: &Position, s: u8) -> bool {
        let stands = |(kingdom, leader): (usize, &u8)| *leader != NONE && self.around_capital(kingdom).has(s);
        p.titles.iter().enumerate().any(stands)
    }
}

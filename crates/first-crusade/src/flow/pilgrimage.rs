//! Pilgrimages and the Pilgrimage bin [13.0]; mercenaries [32.5].

use table::{Ballot, Readers, Seat, Umpire, rule};

use super::actions::bits;
use super::{CRUSADER, Refused};
use crate::FirstCrusade;
use crate::action::Action;
use crate::data::{Contingent, MarkerKind, NONE};
use crate::position::{BIN, Landing, Position, Step, WAITING};
use crate::set::Set;

/// What was picked from the Pilgrimage bin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Picked {
    /// A boon: kept.
    Boon(u8),
    /// A mercenary: about to be placed.
    Mercenary(u8),
    /// A bane.
    Bane(u8),
    /// The bin is empty.
    Nothing,
}

impl FirstCrusade {
    pub(super) fn may_pilgrimage(&self, p: &Position, leader: u8) -> Result<(), Refused> {
        let s = p.place[usize::from(leader)];
        self.may_act(p, CRUSADER, self.christians(p, s))?;
        if !(self.components.holy.has(s) || p.monasteries.has(s)) {
            return Err((rule!("13.1"), "he must be in a Crusader Pilgrimage Fortress or a monastery"));
        }
        if self.contested(p, s) {
            return Err((rule!("opt-34.6"), "besiegers have no use of the fortress"));
        }
        Ok(())
    }

    pub(super) fn go_on_pilgrimage<U: Umpire + ?Sized>(&self, p: &mut Position, leader: u8, umpire: &mut U) {
        let s = p.place[usize::from(leader)];
        let more = u8::from(s == self.components.jerusalem);
        umpire.note(
            Readers::ALL,
            rule!("13.1"),
            format_args!(
                "{} goes on a pilgrimage in {}",
                self.components.unit_name(leader),
                self.components.space_name(s)
            ),
        );
        if more > 0 {
            umpire.cite(rule!("29.3"));
        }
        if p.monasteries.has(s) {
            umpire.cite(rule!("33.8"));
        }
        p.agenda.push(Step::Pilgrim { leader, left: self.picks(p, leader) + more });
    }

    /// One pick after another until a bane comes [13.2].
    pub(super) fn pilgrim<U: Umpire + ?Sized>(&self, p: &mut Position, leader: u8, left: u8, umpire: &mut U) {
        p.agenda.pop();
        if left == 0 || !p.on_map(leader) {
            return;
        }
        let s = p.place[usize::from(leader)];
        match self.pick(p, self.seat_of(p, CRUSADER), 0, umpire) {
            Picked::Boon(_) => p.agenda.push(Step::Pilgrim { leader, left: left - 1 }),
            Picked::Mercenary(u) => {
                self.mercenary_joins(p, u, s, umpire);
                p.agenda.push(Step::Pilgrim { leader, left: left - 1 });
            }
            Picked::Bane(m) if self.components.markers[usize::from(m)].kind == MarkerKind::Ambush => {
                umpire.note(
                    Readers::ALL,
                    rule!("bane.ambush"),
                    format_args!("an ambush in {}", self.components.space_name(s)),
                );
                self.raid(p, s, 1, umpire);
            }
            Picked::Bane(_) => {
                umpire.note(
                    Readers::ALL,
                    rule!("bane.event"),
                    format_args!("the pilgrims bring news of an event"),
                );
                umpire.cite(rule!("9.1"));
                let event = self.roll_event(umpire);
                p.agenda.push(Step::Event(event));
            }
            Picked::Nothing => {}
        }
    }

    /// Mercenaries in the Pilgrimage bin.
    fn mercenaries(&self, p: &Position) -> Set {
        let waiting = |u: &u8| p.place[usize::from(*u)] == BIN;
        self.of(Contingent::Mercenary).each().filter(waiting).collect()
    }

    /// Picks a marker from the bin; markers in `without` are out of it for the moment.
    pub(crate) fn pick<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        seat: Seat,
        without: u32,
        umpire: &mut U,
    ) -> Picked {
        let markers = (self.components.all_boons | self.components.banes) & !p.held() & !without;
        let units = self.mercenaries(p);
        let n = markers.count_ones() as u16 + u16::from(units.len());
        if n == 0 {
            return Picked::Nothing;
        }
        let nth = |i: u16| {
            let marker = bits(markers).nth(usize::from(i));
            match marker {
                Some(m) => (m, NONE),
                None => (NONE, units.nth(i - markers.count_ones() as u16).unwrap_or(NONE)),
            }
        };
        let name = |i: u16| match nth(i) {
            (NONE, u) => self.components.unit_name(u).to_string(),
            (m, _) => self.components.marker_name(m).to_string(),
        };
        let index = umpire.draw(Readers::ALL, n, &name);
        let (m, u) = nth(index);
        if umpire.writes() {
            umpire.note(
                Readers::ALL,
                rule!("13.2"),
                format_args!("picked from the Pilgrimage bin: {}", name(index)),
            );
        }
        if m == NONE {
            p.place[usize::from(u)] = WAITING;
            return Picked::Mercenary(u);
        }
        match self.components.markers[usize::from(m)].kind {
            MarkerKind::Boon(_) => {
                p.boons[seat.index()] |= 1 << m;
                Picked::Boon(m)
            }
            MarkerKind::Ambush | MarkerKind::Event => Picked::Bane(m),
        }
    }

    /// A picked mercenary is placed with the force, a fleet in its port or in Constantinople [32.5].
    fn mercenary_joins<U: Umpire + ?Sized>(&self, p: &mut Position, u: u8, s: u8, umpire: &mut U) {
        let at = self.berth(u, s);
        p.put(u, at);
        umpire.note(
            Readers::ALL,
            rule!("32.5"),
            format_args!("{} joins in {}", self.components.unit_name(u), self.components.space_name(at)),
        );
    }

    /// One pick that is no pilgrimage: banes have no effect [13.2].
    pub(crate) fn pick_for<U: Umpire + ?Sized>(&self, p: &mut Position, seat: Seat, s: u8, umpire: &mut U) {
        match self.pick(p, seat, 0, umpire) {
            Picked::Mercenary(u) if self.components.fleets.has(u) && !self.components.ports.has(s) => {
                p.agenda.push(Step::Landing(Landing::AnyPort));
            }
            Picked::Mercenary(u) => self.mercenary_joins(p, u, s, umpire),
            Picked::Boon(_) | Picked::Bane(_) | Picked::Nothing => {}
        }
    }

    /// A boon is lost by lot [13.4, 24.1].
    pub(crate) fn lose_boon<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let held = p.held();
        if held == 0 {
            return;
        }
        let nth = |i: u16| bits(held).nth(usize::from(i)).unwrap_or(0);
        let name = |i: u16| self.components.marker_name(nth(i)).to_string();
        let m = nth(umpire.draw(Readers::ALL, held.count_ones() as u16, &name));
        for boons in &mut p.boons {
            *boons &= !(1 << m);
        }
        umpire.note(Readers::ALL, rule!("13.4"), format_args!("{} is lost", self.components.marker_name(m)));
    }

    /// Units that wait for a place.
    fn waiting(&self, p: &Position) -> Option<u8> {
        self.components.christians.each().find(|u| p.place[usize::from(*u)] == WAITING)
    }

    /// Where the waiting unit can be placed.
    fn landings(&self, p: &Position, u: u8, landing: Landing) -> Set {
        let c = &self.components;
        let mut places = Set::one(c.capital);
        for s in c.ports.each() {
            let fits = match landing {
                Landing::CrusaderPort => self.holder(p, s) == Some(CRUSADER),
                Landing::AnyPort => self.controlled(p, s),
            };
            if fits && !self.crowded(p, s, self.christians(p, s) | Set::one(u)) {
                places.insert(s);
            }
        }
        places
    }

    /// Places units that have no choice; whether nobody waits any more.
    pub(super) fn landing_settled<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        landing: Landing,
        umpire: &mut U,
    ) -> bool {
        match self.waiting(p) {
            None => {
                p.agenda.pop();
                true
            }
            Some(u) => {
                let places = self.landings(p, u, landing);
                if places.len() == 1 {
                    self.land(p, places.first().unwrap_or(self.components.capital), umpire);
                    return true;
                }
                false
            }
        }
    }

    pub(super) fn list_landing<B: Ballot<Action> + ?Sized>(
        &self,
        p: &Position,
        landing: Landing,
        ballot: &mut B,
    ) {
        if let Some(u) = self.waiting(p) {
            for s in self.landings(p, u, landing).each() {
                ballot.allow(Action::Place(s));
            }
        }
    }

    pub(super) fn land<U: Umpire + ?Sized>(&self, p: &mut Position, s: u8, umpire: &mut U) {
        if let Some(u) = self.waiting(p) {
            p.put(u, s);
            umpire.note(
                Readers::ALL,
                rule!("mercenary"),
                format_args!("{} arrives in {}", self.components.unit_name(u), self.components.space_name(s)),
            );
        }
    }
}

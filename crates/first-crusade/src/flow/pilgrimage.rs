//! Pilgrimages and the Pilgrimage bin [13.0]; mercenaries [32.5].

use table::{Ballot, Readers, Seat, Set, Umpire, rule};

use super::Refused;
use crate::FirstCrusade;
use crate::action::Action;
use crate::data::{Contingent, Family, Marker, MarkerKind, Space, Unit};
use crate::position::{Landing, Place, Position, Step};

/// What was picked from the Pilgrimage bin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Picked {
    /// A boon: kept.
    Boon,
    /// A mercenary: about to be placed.
    Mercenary(Unit),
    /// A bane.
    Bane(Marker),
    /// The bin is empty.
    Nothing,
}

impl FirstCrusade {
    /// Whether a Crusader leader goes on a pilgrimage in a space.
    pub(super) fn may_pilgrimage(&self, p: &Position, s: Space) -> Result<(), Refused> {
        self.may_act(p, Family::Crusader, self.christians(p, s))?;
        if !(self.components.holy.has(s) || p.monasteries.has(s)) {
            return Err((rule!("13.1"), "he must be in a Crusader Pilgrimage Fortress or a monastery"));
        }
        if self.contested(p, s) {
            return Err((rule!("opt-34.6"), "besiegers have no use of the fortress"));
        }
        if !p.monasteries.has(s) && self.holder(p, s) != Some(Family::Crusader) {
            return Err((rule!("13.1"), "Crusaders must control the fortress"));
        }
        Ok(())
    }

    pub(super) fn go_on_pilgrimage<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        leader: Unit,
        umpire: &mut U,
    ) {
        let Some(s) = p.at(leader) else { return };
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
        self.cite_leader(p, leader, umpire);
        if self.components.holy.has(s) {
            umpire.cite(rule!("29.2"));
        }
        if more > 0 {
            umpire.cite(rule!("29.3"));
        }
        if p.monasteries.has(s) {
            umpire.cite(rule!("33.8"));
        }
        let left = self.picks(p, leader) + more;
        p.agenda.push(Step::Pilgrim { leader, left });
    }

    /// One pick after another until a bane comes [13.2].
    pub(super) fn pilgrim<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        leader: Unit,
        left: u8,
        umpire: &mut U,
    ) {
        p.agenda.pop();
        let Some(s) = p.at(leader).filter(|_| left > 0) else { return };
        match self.pick(p, self.seat_of(p, Family::Crusader), Set::NONE, umpire) {
            Picked::Boon => p.agenda.push(Step::Pilgrim { leader, left: left - 1 }),
            Picked::Mercenary(u) => {
                self.mercenary_joins(p, u, s, umpire);
                p.agenda.push(Step::Pilgrim { leader, left: left - 1 });
            }
            Picked::Bane(m) if self.components.markers[m].kind == MarkerKind::Ambush => {
                umpire.note(
                    Readers::ALL,
                    rule!("bane.ambush"),
                    format_args!(
                        "{} falls into an ambush in {}",
                        self.components.unit_name(leader),
                        self.components.space_name(s)
                    ),
                );
                umpire.cite(rule!("27.9"));
                p.agenda.push(Step::Bane(m));
                self.raid(p, s, 1, umpire);
            }
            Picked::Bane(m) => {
                umpire.note(
                    Readers::ALL,
                    rule!("bane.event"),
                    format_args!("The pilgrims bring news of an event"),
                );
                umpire.cite(rule!("9.1"));
                p.agenda.push(Step::Bane(m));
                let event = self.roll_event(umpire);
                p.agenda.push(Step::Event(event));
            }
            Picked::Nothing => {}
        }
    }

    /// Mercenaries in the Pilgrimage bin.
    fn mercenaries(&self, p: &Position) -> Set<Unit> {
        self.of(Contingent::Mercenary).iter().filter(|u| p.in_bin(*u)).collect()
    }

    /// Picks a marker from the bin; markers in `without` are out of it for the moment.
    pub(crate) fn pick<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        seat: Seat,
        without: Set<Marker>,
        umpire: &mut U,
    ) -> Picked {
        // A bane at work is out of the bin until it has done its work [13.2].
        let at_work = p.agenda.steps().iter().filter_map(|step| match step {
            Step::Bane(m) => Some(*m),
            _ => None,
        });
        let all = self.components.all_boons | self.components.banes;
        let markers = all - p.held() - without - at_work.collect();
        let units = self.mercenaries(p);
        // The markers lie before the mercenaries.
        let marker = |i: u16| markers.nth(usize::from(i));
        let unit = |i: u16| units.nth(usize::from(i) - markers.len());
        let name = |i: u16| match marker(i) {
            Some(m) => self.components.marker_name(m).to_string(),
            None => unit(i).map_or(String::new(), |u| self.components.unit_name(u).to_string()),
        };
        let n = markers.len() + units.len();
        if n == 0 {
            return Picked::Nothing;
        }
        let index = umpire.draw(Readers::ALL, n as u16, &name);
        if umpire.writes() {
            umpire.note(
                Readers::ALL,
                rule!("13.2"),
                format_args!("{} is picked from the Pilgrimage bin", name(index)),
            );
        }
        let Some(m) = marker(index) else {
            let Some(u) = unit(index) else { return Picked::Nothing };
            p.place[u] = Place::Waiting;
            return Picked::Mercenary(u);
        };
        match self.components.markers[m].kind {
            MarkerKind::Boon => {
                p.boons[seat.index()].insert(m);
                Picked::Boon
            }
            MarkerKind::Ambush | MarkerKind::Event => Picked::Bane(m),
        }
    }

    /// A picked mercenary is placed with the force, a fleet in its port or in Constantinople [32.5].
    pub(super) fn mercenary_joins<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        u: Unit,
        s: Space,
        umpire: &mut U,
    ) {
        let at = self.berth(u, s);
        p.put(u, at);
        umpire.cite(rule!("mercenary"));
        umpire.cite(rule!("14.6"));
        self.cite_company(self.christians(p, at), umpire);
        umpire.note(
            Readers::ALL,
            rule!("32.5"),
            format_args!("{} joins in {}", self.components.unit_name(u), self.components.space_name(at)),
        );
    }

    /// The marker of a battle that was won: banes have no effect, and a fleet chooses its port [13.2, 24.0].
    pub(crate) fn pick_for<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        seat: Seat,
        s: Space,
        umpire: &mut U,
    ) {
        umpire.cite(rule!("13.4"));
        match self.pick(p, seat, Set::NONE, umpire) {
            Picked::Mercenary(u) if self.components.fleets.has(u) => {
                p.agenda.push(Step::Landing(Landing::AnyPort));
            }
            Picked::Mercenary(u) => self.mercenary_joins(p, u, s, umpire),
            Picked::Boon | Picked::Bane(_) | Picked::Nothing => {}
        }
    }

    /// A boon is lost by lot [13.4, 24.1].
    pub(crate) fn lose_boon<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        umpire.cite(rule!("13.4"));
        let held = p.held();
        if held.is_empty() {
            return;
        }
        let nth = |i: u16| held.nth(usize::from(i));
        let name = |i: u16| nth(i).map_or(String::new(), |m| self.components.marker_name(m).to_string());
        let Some(m) = nth(umpire.draw(Readers::ALL, held.len() as u16, &name)) else { return };
        for boons in &mut p.boons {
            boons.remove(m);
        }
        umpire.note(Readers::ALL, rule!("13.4"), format_args!("{} is lost", self.components.marker_name(m)));
    }

    /// Units that wait for a place.
    pub(crate) fn waiting(&self, p: &Position) -> Option<Unit> {
        self.components.christians.iter().find(|u| p.place[*u] == Place::Waiting)
    }

    /// Where the waiting unit can be placed.
    fn landings(&self, p: &Position, u: Unit, landing: Landing) -> Set<Space> {
        let c = &self.components;
        let mut places = Set::one(c.capital);
        for s in c.ports.iter() {
            let fits = match landing {
                Landing::CrusaderPort => self.holder(p, s) == Some(Family::Crusader),
                Landing::AnyPort => self.christians(p, s).any(),
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
                let only = self.landings(p, u, landing).single();
                if let Some(s) = only {
                    self.land(p, s, umpire);
                }
                only.is_some()
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
            for s in self.landings(p, u, landing).iter() {
                ballot.allow(Action::Place(s));
            }
        }
    }

    pub(super) fn land<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, umpire: &mut U) {
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

//! Castles that are built: half is paid at once, the rest ten turns later by whoever holds the hex then; else nothing
//! comes of it [3.75, S37].

use table::{Ballot, Readers, Seat, Umpire, rule};

use super::march::Spot;
use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::campaign::atlas::Soil;
use crate::realm::{BUILT, Building, MapHex, PlaceId, Rampart, Realm, Work, side_of};

impl Campaign {
    /// Whether a lord may build on a hex; else why not: it must be his, and hold neither castle nor town.
    fn may_found(&self, p: &Realm, seat: Seat, kind: Rampart, hex: MapHex) -> Result<(), &'static str> {
        let tile = self.atlas.tile(hex);
        let works = |w: &Work| matches!(w.what, Building::Castle(_, at) if at == hex);
        let owner = self.domain_of(&p.open, hex).and_then(|id| p.open.place(id).lord());
        let enemy = p.open.lords_at(hex).without(seat).iter().any(|other| !self.friends(p, seat, other));
        let begun =
            p.open.works.iter().filter(|w| matches!(w.what, Building::Castle(k, _) if k == kind)).count();
        let free = Self::slots_of(kind).filter(|n| p.open.built[*n].is_none()).count();
        if !self.atlas.mapped(p.open.scenario.into(), hex) {
            Err("it is not on this map")
        } else if self.place_at(&p.open, hex).is_some() || p.open.works.iter().any(works) {
            Err("a castle or a town stands there, or will")
        } else if matches!(tile.soil, Soil::Sea | Soil::Lake) || tile.soil == Soil::Desert && tile.roads == 0
        {
            Err("nobody holds such ground")
        } else if owner != Some(seat) || enemy {
            Err("the hex is not yours")
        } else if begun >= free || p.open.works.is_full() {
            Err("there are castles enough")
        } else if p.open.turn + self.atlas.castle_turns > self.last_turn(p) {
            Err("it would never be finished")
        } else if self.funds(p, seat) < u32::from(self.half(kind)) {
            Err("half of its price must be paid at once")
        } else {
            Ok(())
        }
    }

    /// Which of the castles behind the printed ones are of a kind.
    fn slots_of(kind: Rampart) -> std::ops::Range<usize> {
        let from = kind as usize * BUILT / 2;
        from..from + BUILT / 2
    }

    fn half(&self, kind: Rampart) -> u16 {
        self.atlas.castle_prices[kind as usize] / 2
    }

    pub(super) fn list_castle_works(
        &self,
        p: &Realm,
        seat: Seat,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        for (_, kind) in Rampart::ALL {
            // Where a castle cannot be paid no hex is looked at, unless somebody asks why.
            if !ballot.explains() && self.funds(p, seat) < u32::from(self.half(kind)) {
                continue;
            }
            for hex in self.atlas.land() {
                let action = Action::Found(kind, hex);
                match self.may_found(p, seat, kind, hex) {
                    Ok(()) => ballot.allow(action),
                    Err(why) => ballot.refuse(action, rule!("3.75"), format_args!("{why}")),
                }
            }
        }
        for work in &p.open.works {
            let Building::Castle(kind, hex) = work.what else { continue };
            let action = Action::Finish(hex);
            let owner = self.domain_of(&p.open, hex).and_then(|id| p.open.place(id).lord());
            if owner != Some(seat) {
                ballot.refuse(action, rule!("3.75"), format_args!("the hex is not yours"));
            } else if work.due > p.open.turn {
                ballot.refuse(action, rule!("3.75"), format_args!("the rest is due in turn {}", work.due));
            } else if self.funds(p, seat) < u32::from(self.half(kind)) {
                ballot.refuse(action, rule!("3.75"), format_args!("your purses do not hold so much"));
            } else {
                ballot.allow(action);
            }
        }
    }

    pub(super) fn found(
        &self,
        p: &mut Realm,
        seat: Seat,
        kind: Rampart,
        hex: MapHex,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        self.spend(p, seat, self.half(kind).into());
        let due = p.open.turn + self.atlas.castle_turns;
        let _ = p.open.works.try_push(Work { lord: seat, what: Building::Castle(kind, hex), due });
        umpire.note(
            Readers::ALL,
            rule!("3.75"),
            format_args!("{} begins to build a {} at {}", self.lord_name(seat), kind.word(), Spot(self, hex)),
        );
    }

    pub(super) fn finish_castle(
        &self,
        p: &mut Realm,
        seat: Seat,
        hex: MapHex,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let castle = |w: &Work| matches!(w.what, Building::Castle(_, at) if at == hex);
        let Some(i) = p.open.works.iter().position(castle) else { return };
        let Building::Castle(kind, _) = p.open.works.remove(i).what else { return };
        self.spend(p, seat, self.half(kind).into());
        let Some(slot) = Self::slots_of(kind).find(|n| p.open.built[*n].is_none()) else { return };
        p.open.built[slot] = Some(hex);
        let id = PlaceId::at(self.atlas.printed + slot);
        let place = &mut p.open.places[id.number()];
        place.side = Some(side_of(seat));
        place.mapped = true;
        self.own(p, seat, id);
        self.set_guardian(p, id, p.open.lords[seat.index()].suzerain);
        umpire.note(
            Readers::ALL,
            rule!("S37"),
            format_args!("{} has built {} at {}", self.lord_name(seat), self.atlas.place(id).name, hex),
        );
    }

    /// A castle whose rest was not paid when it was due: villagers carry the stones away [3.75].
    pub(super) fn drop_castles(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        let turn = p.open.turn;
        let mut i = 0;
        while i < p.open.works.len() {
            let work = p.open.works[i];
            if let Building::Castle(_, hex) = work.what
                && work.due <= turn
            {
                p.open.works.remove(i);
                umpire.note(
                    Readers::ALL,
                    rule!("3.75"),
                    format_args!(
                        "Nobody pays for the castle at {}: villagers carry its stones away",
                        Spot(self, hex)
                    ),
                );
                continue;
            }
            i += 1;
        }
    }
}

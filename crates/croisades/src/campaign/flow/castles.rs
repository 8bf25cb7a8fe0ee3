//! Where lords begin: border castles, and the places of the rich start [3.13, scenario.7].

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::campaign::atlas::Kind;
use crate::ids::Side;
use crate::realm::{Building, PlaceId, Realm, Step, side_of};

impl Campaign {
    /// All roll; the highest chooses first, then the sides in turn [3.13, scenario.2].
    pub(super) fn roll_order(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        for seat in p.open.party.iter() {
            let roll = umpire.roll(10);
            p.open.lords[seat.index()].rolled = roll;
            umpire.note(
                Readers::ALL,
                rule!("3.13"),
                format_args!("{} rolls {roll} for the choice of castles", self.lord_name(seat)),
            );
        }
        // Who has rolled alike rolls again, until nobody has.
        let mut keys = [0u64; table::MOST_SEATS];
        for seat in p.open.party.iter() {
            keys[seat.index()] = p.open.lords[seat.index()].rolled.into();
        }
        for _ in 0..14 {
            let before = keys;
            let alike = |seat: Seat| {
                p.open
                    .party
                    .iter()
                    .any(|other| other != seat && before[other.index()] == before[seat.index()])
            };
            if !p.open.party.iter().any(alike) {
                break;
            }
            for seat in p.open.party.iter() {
                let again = if alike(seat) { umpire.roll(10) } else { 0 };
                keys[seat.index()] = before[seat.index()] * 16 + u64::from(again);
                if again > 0 {
                    umpire.note(
                        Readers::ALL,
                        rule!("3.13"),
                        format_args!("{} rolls again: {again}", self.lord_name(seat)),
                    );
                }
            }
        }
        let best = |side: Side, taken: &[Seat]| {
            let own = p.open.party.iter().filter(|s| side_of(*s) == side && !taken.contains(s));
            own.max_by_key(|s| (keys[s.index()], 8 - s.index()))
        };
        let count = |side: Side| p.open.party.iter().filter(|s| side_of(*s) == side).count();
        let [crusader, saracen] = Side::BOTH.map(|side| best(side, &[]).map_or(0, |s| keys[s.index()]));
        let mut side = if count(Side::Second) > count(Side::First) || saracen >= crusader {
            Side::Second
        } else {
            Side::First
        };
        let mut order: arrayvec::ArrayVec<Seat, 8> = arrayvec::ArrayVec::new();
        for _ in 0..p.open.party.len() {
            let next = best(side, &order).or_else(|| best(side.foe(), &order));
            order.extend(next);
            side = side.foe();
        }
        p.open.order = order;
    }

    /// Whether a lord may begin at a castle; else why not.
    pub(crate) fn may_begin(&self, p: &Realm, seat: Seat, id: PlaceId) -> Result<(), &'static str> {
        let (sheet, place) = (self.atlas.place(id), p.open.place(id));
        if !place.mapped {
            Err("it is not on this map")
        } else if sheet.kind != Kind::Border {
            Err("it is no border castle")
        } else if place.side != Some(side_of(seat)) {
            Err("it belongs to the other side")
        } else if place.holder.is_some_and(|holder| p.open.turn == 0 || place.controlled && holder != seat) {
            // Who begins anew may take one that is only allied to another, or that was his own [3.16].
            Err("somebody has taken it")
        } else {
            Ok(())
        }
    }

    pub(super) fn list_castles(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for i in 0..self.atlas.places.len() {
            let id = PlaceId::at(i);
            match self.may_begin(p, seat, id) {
                Ok(()) => ballot.allow(Action::Castle(id)),
                Err(why) => ballot.refuse(Action::Castle(id), rule!("3.13"), format_args!("{why}")),
            }
        }
    }

    pub(super) fn take_castle(
        &self,
        p: &mut Realm,
        seat: Seat,
        id: PlaceId,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match p.open.step() {
            Step::Heir(_) => return self.start_again(p, seat, id, umpire),
            Step::Arrival(_) => return self.enter(p, seat, id, umpire),
            _ => {}
        }
        self.own(p, seat, id);
        umpire.note(
            Readers::ALL,
            rule!("3.13"),
            format_args!("{} begins at {}", self.lord_name(seat), self.atlas.place(id).name),
        );
        let Step::Castle(at) = p.open.step() else { return };
        let next = at + 1;
        if p.open.at_turn(next).is_some() {
            p.open.agenda.replace(Step::Castle(next));
        } else {
            self.begin_holding(p, 0, umpire);
        }
    }

    pub(super) fn own(&self, p: &mut Realm, seat: Seat, id: PlaceId) {
        let place = &mut p.open.places[id.number()];
        if place.lord() != Some(seat) {
            place.taxed = 0;
            self.lose_fame(p, id);
        }
        let place = &mut p.open.places[id.number()];
        place.holder = Some(seat);
        place.controlled = true;
        // Ships on the stocks of a place that changes hands are lost [3.75].
        p.open.works.retain(|w| !matches!(w.what, Building::Ship(_, at) if at == id) || w.lord == seat);
    }

    /// What a lord of the rich start may still choose, in dinars of the table: two medium towns, or a port, a baronial
    /// and a border castle, beside the castle at which he begins; caravans do not count.
    pub(crate) fn allotment(&self, p: &Realm, seat: Seat) -> u16 {
        let own = (0..p.open.places.len()).filter(|i| p.open.places[*i].holder == Some(seat));
        let held: u16 = own.map(|i| self.atlas.places[i].revenue).sum();
        let castle =
            self.atlas.places.iter().find(|sheet| sheet.kind == Kind::Border).map_or(0, |s| s.revenue);
        (self.atlas.creation.revenue + castle).saturating_sub(held)
    }

    /// Whether a place belongs to a lord's rich start; else why not.
    pub(crate) fn may_hold(&self, p: &Realm, seat: Seat, id: PlaceId) -> Result<(), &'static str> {
        let (sheet, place) = (self.atlas.place(id), p.open.place(id));
        let near = |i: usize| {
            p.open.places[i].holder == Some(seat)
                && self.atlas.places[i].kind == Kind::Border
                && self.atlas.places[i].hex.distance(sheet.hex) <= self.atlas.creation.hexes
        };
        if !place.mapped {
            Err("it is not on this map")
        } else if place.side != Some(side_of(seat)) {
            Err("it belongs to the other side")
        } else if place.holder.is_some() {
            Err("somebody has taken it")
        } else if sheet.kind == Kind::Important {
            Err("nobody begins with an important town")
        } else if sheet.revenue > self.allotment(p, seat) {
            Err("it is worth more than is left")
        } else if !(0..p.open.places.len()).any(near) {
            Err("it does not lie in the region of the castle")
        } else {
            Ok(())
        }
    }

    pub(super) fn list_holdings(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for i in 0..self.atlas.places.len() {
            let id = PlaceId::at(i);
            match self.may_hold(p, seat, id) {
                Ok(()) => ballot.allow(Action::Hold(id)),
                Err(why) => ballot.refuse(Action::Hold(id), rule!("scenario.7"), format_args!("{why}")),
            }
        }
        ballot.allow(Action::Settle);
    }

    fn begin_holding(&self, p: &mut Realm, at: u8, umpire: &mut (impl Umpire + ?Sized)) {
        let mut at = at;
        if !self.sheet(p).rich {
            self.begin_creation(p, umpire);
            return;
        }
        while let Some(seat) = p.open.at_turn(at) {
            if (0..self.atlas.places.len()).any(|i| self.may_hold(p, seat, PlaceId::at(i)).is_ok()) {
                p.open.agenda.replace(Step::Holding(at));
                return;
            }
            at += 1;
        }
        self.begin_creation(p, umpire);
    }

    pub(super) fn take_holding(
        &self,
        p: &mut Realm,
        seat: Seat,
        id: PlaceId,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        self.own(p, seat, id);
        umpire.note(
            Readers::ALL,
            rule!("scenario.7"),
            format_args!("{} holds {}", self.lord_name(seat), self.atlas.place(id).name),
        );
        if let Step::Holding(at) = p.open.step() {
            self.begin_holding(p, at, umpire);
        }
    }

    pub(super) fn settle(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        if let Step::Holding(at) = p.open.step() {
            self.begin_holding(p, at + 1, umpire);
        }
    }
}

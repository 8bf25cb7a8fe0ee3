//! Newcomers, and lords who were out of the game: at the beginning of a turn, before letters, they enter one after the
//! other at a free border castle of their side, with the usual points [scenario.4, ruling 49].

use table::{Ballot, MOST_SEATS, Readers, Seat, SeatSet, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::realm::{Lord, PlaceId, Realm, Step};

impl Campaign {
    fn castle_free(&self, p: &Realm, seat: Seat) -> bool {
        (0..p.open.places.len()).any(|i| self.may_begin(p, seat, PlaceId::at(i)).is_ok())
    }

    /// Whether a seat waits to enter, and a castle is free.
    pub(super) fn may_enter(&self, p: &Realm, seat: Seat) -> bool {
        p.open.lords[seat.index()].waits && self.castle_free(p, seat)
    }

    /// Seats that nobody plays and that somebody may take now.
    pub(super) fn newcomers(&self, p: &Realm) -> SeatSet {
        let most = self.sheet(p).seats.iter().max().map_or(0, |n| usize::from(*n));
        let absent = SeatSet::first(most.min(MOST_SEATS)).minus(p.open.party);
        if p.open.turn == 0 || p.open.turn >= self.last_turn(p) || p.open.victor.is_some() {
            return SeatSet::NONE;
        }
        absent.iter().filter(|seat| self.castle_free(p, *seat)).collect()
    }

    /// Somebody has taken a seat that nobody played: he waits for the next turn.
    pub(super) fn come_late(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.party = p.open.party.with(seat);
        p.open.lords[seat.index()] = Lord { waits: true, ..Lord::default() };
        umpire.note(
            Readers::ALL,
            rule!("scenario.4"),
            format_args!("{} comes to the Levant, and enters with the next turn", self.lord_name(seat)),
        );
    }

    /// Lords who have a castle and no company yet.
    pub(super) fn newly_come(&self, p: &Realm) -> SeatSet {
        p.open.playing().iter().filter(|seat| p.open.lords[seat.index()].suzerain.is_none()).collect()
    }

    /// The next who enters is asked for his castle; when all have one, for their companies; then letters are written.
    pub(super) fn next_arrival(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        if let Some(seat) = p.open.waiting().iter().find(|seat| self.may_enter(p, *seat)) {
            umpire.cite(rule!("scenario.4"));
            p.open.agenda.replace(Step::Arrival(seat));
            return;
        }
        let fresh = self.newly_come(p);
        if p.open.playing().is_empty() {
            // Nobody is left, and nobody wants to come.
            self.end_turn(p, umpire);
        } else if fresh.is_empty() {
            self.begin_writing(p);
        } else {
            p.open.agenda.replace(Step::Creation(p.open.playing().minus(fresh)));
        }
    }

    pub(super) fn list_arrival(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        ballot.allow(Action::Done);
        for id in (0..p.open.places.len()).map(PlaceId::at) {
            match self.may_begin(p, seat, id) {
                Ok(()) => ballot.allow(Action::Castle(id)),
                Err(why) => ballot.refuse(Action::Castle(id), rule!("scenario.4"), format_args!("{why}")),
            }
        }
    }

    pub(super) fn enter(
        &self,
        p: &mut Realm,
        seat: Seat,
        castle: PlaceId,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.lords[seat.index()] = Lord { plays: true, ..Lord::default() };
        p.hidden.sheets[seat.index()] = Default::default();
        // Within a turn the order of play stands: who enters comes last in it.
        if !p.open.order.contains(&seat) && !p.open.order.is_full() {
            p.open.order.push(seat);
        }
        self.own(p, seat, castle);
        umpire.note(
            Readers::ALL,
            rule!("scenario.4"),
            format_args!("{} enters at {}", self.lord_name(seat), self.atlas.place(castle).name),
        );
        self.next_arrival(p, umpire);
    }

    /// Who does not want to enter stays away for good.
    pub(super) fn stay_away(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.lords[seat.index()].waits = false;
        umpire.note(Readers::ALL, rule!("scenario.4"), format_args!("{} stays away", self.lord_name(seat)));
        self.next_arrival(p, umpire);
    }
}

//! Death of a major character, heirs, and starting again [3.16, S42].

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::ids::Who;
use crate::realm::{MajorId, MapHex, PlaceId, Realm, Step, What};

impl Campaign {
    /// A major character is dead: his places go to his lord, his purse with them.
    pub(super) fn bury(&self, p: &mut Realm, id: MajorId) {
        let Some(lord) = p.open.major(id).lord else { return };
        let heir = p.open.lords[lord.index()].suzerain.filter(|s| *s != id);
        for i in 0..p.open.places.len() {
            if p.open.places[i].guardian == Some(id) {
                self.set_guardian(p, PlaceId::at(i), heir);
            }
        }
        if let Some(lady) = p.open.major(id).wife {
            p.open.ladies.captors[lady.number()] = None;
        }
        let purse = std::mem::take(&mut p.hidden.traits[id.number()].purse);
        p.open.majors[id.number()].lord = None;
        for place in &mut p.open.places {
            place.famed = place.famed.filter(|famed| *famed != id);
        }
        for major in &mut p.open.majors {
            major.taker = major.taker.filter(|taker| *taker != id);
        }
        for suitor in &mut p.open.ladies.suitors {
            if *suitor == Some(id) {
                *suitor = None;
            }
        }
        let lord_died = p.open.lords[lord.index()].suzerain == Some(id);
        if lord_died {
            p.open.lords[lord.index()].suzerain = None;
            p.open.lords[lord.index()].late = p.open.major(id).title;
            p.hidden.estates[lord.index()] = purse;
        } else {
            self.earn(p, lord, purse.into());
        }
    }

    /// Lords who have died are succeeded, as soon as nothing else holds the table up.
    pub(super) fn raise_heirs(&self, p: &mut Realm, _umpire: &mut (impl Umpire + ?Sized)) {
        for seat in p.open.playing().iter() {
            let dead = p.open.turn > 0 && p.open.lords[seat.index()].suzerain.is_none();
            let asked = p.open.agenda.steps().contains(&Step::Heir(seat));
            if dead && !asked {
                p.open.agenda.push(Step::Heir(seat));
                if !self.has_future(p, seat) {
                    p.open.agenda.pop();
                    self.leave_game(p, seat, _umpire);
                }
            }
        }
    }

    fn vassals<'a>(&self, p: &'a Realm, seat: Seat) -> impl Iterator<Item = (MajorId, Who)> + 'a {
        p.open.majors_of(seat).filter(|(_, m)| m.captor.is_none()).map(|(id, m)| (id, m.who))
    }

    fn has_future(&self, p: &Realm, seat: Seat) -> bool {
        self.vassals(p, seat).next().is_some()
            || (0..p.open.places.len()).any(|i| self.may_begin(p, seat, PlaceId::at(i)).is_ok())
    }

    pub(super) fn list_heirs(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let mut any = false;
        for (_, who) in self.vassals(p, seat) {
            any = true;
            ballot.allow(Action::Heir(who));
        }
        for (_, major) in p.open.majors_of(seat).filter(|(_, m)| m.captor.is_some()) {
            ballot.refuse(Action::Heir(major.who), rule!("3.16"), format_args!("he is a prisoner"));
        }
        for i in 0..p.open.places.len() {
            let (id, action) = (PlaceId::at(i), Action::Castle(PlaceId::at(i)));
            match self.may_begin(p, seat, id) {
                Ok(()) if any => ballot.refuse(action, rule!("3.16"), format_args!("a vassal lives")),
                Ok(()) => ballot.allow(action),
                Err(why) => ballot.refuse(action, rule!("3.16"), format_args!("{why}")),
            }
        }
    }

    pub(super) fn name_heir(&self, p: &mut Realm, seat: Seat, who: Who, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(id) = p.open.major_of(seat, who) else { return };
        p.open.lords[seat.index()].suzerain = Some(id);
        let estate = std::mem::take(&mut p.hidden.estates[seat.index()]);
        self.earn(p, seat, estate.into());
        let late = std::mem::take(&mut p.open.lords[seat.index()].late);
        p.open.majors[id.number()].title = p.open.major(id).title.max(late);
        for i in 0..p.open.places.len() {
            if p.open.places[i].lord() == Some(seat) && p.open.places[i].guardian.is_none() {
                self.set_guardian(p, PlaceId::at(i), Some(id));
            }
        }
        umpire.note(
            Readers::ALL,
            rule!("3.16"),
            format_args!("{} succeeds as {}", self.tactics().named(who), self.lord_name(seat)),
        );
        p.open.agenda.pop();
        self.resume(p, umpire);
    }

    /// What waited for an heir goes on.
    pub(super) fn resume(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        match p.open.step() {
            Step::Naval { hex, lords, .. } if !self.both_at_sea(p, hex, lords) => self.next_naval(p, umpire),
            Step::Battles | Step::Sieges if p.open.theatres.is_empty() => self.next_theatre(p, umpire),
            _ => {}
        }
    }

    /// A lord without heirs loses everything and begins anew at a free castle.
    pub(super) fn start_again(
        &self,
        p: &mut Realm,
        seat: Seat,
        castle: PlaceId,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        self.forget(p, seat);
        // Sieges that he kept up are over.
        let kept = |what: What| match what {
            What::Siege(place) => p.open.sieges.iter().any(|s| s.place == place),
            What::Battle(_) => true,
        };
        let gone: arrayvec::ArrayVec<bool, 4> = p.open.theatres.iter().map(|t| !kept(t.what)).collect();
        for i in (0..gone.len()).rev().filter(|i| gone[*i]) {
            p.open.theatres.remove(i);
        }
        self.own(p, seat, castle);
        umpire.reveal(Readers::ALL);
        umpire.note(
            Readers::ALL,
            rule!("3.16"),
            format_args!("{} begins anew at {}", self.lord_name(seat), self.atlas.place(castle).name),
        );
        // He makes his company himself, with the usual points.
        p.hidden.sheets[seat.index()] = Default::default();
        p.open.agenda.replace(Step::Creation(p.open.playing().without(seat)));
    }

    /// All that a lord had is gone: his places are neutral, his men scatter.
    fn forget(&self, p: &mut Realm, seat: Seat) {
        for i in 0..p.open.places.len() {
            if p.open.places[i].holder == Some(seat) {
                self.set_guardian(p, PlaceId::at(i), None);
                p.open.places[i].famed = None;
                p.open.places[i].holder = None;
                p.open.places[i].controlled = false;
            }
        }
        for man in p.hidden.men.iter_mut().filter(|m| m.lord == Some(seat)) {
            man.lord = None;
            man.group = None;
        }
        for (i, group) in p.open.groups.iter_mut().enumerate() {
            if group.is_some_and(|g| g.lord == seat) {
                *group = None;
                p.hidden.cargo[i] = Default::default();
            }
        }
        p.hidden.estates[seat.index()] = 0;
        for i in 0..p.open.majors.len() {
            let major = p.open.majors[i];
            if major.lord == Some(seat) {
                // The lady of a lost house may be courted again [3.43].
                if let Some(lady) = major.wife {
                    p.open.ladies.married &= !(1 << lady.number());
                }
                for place in &mut p.open.places {
                    place.famed = place.famed.filter(|famed| famed.number() != i);
                }
                p.open.majors[i].lord = None;
            } else if major.captor == Some(seat) {
                // Prisoners are let go; they come home when their lord next has a group.
                self.set_free(p, MajorId::at(i));
            }
        }
        self.bring_home(p);
        p.open.pending.retain(|b| !b.seats.contains(&Some(seat)));
        p.open.sieges.retain(|s| s.besieger != seat);
        for siege in p.open.sieges.iter_mut().filter(|s| s.warden == Some(seat)) {
            siege.warden = None;
        }
        p.hidden.treaties.retain(|t| !t.parties.contains(&seat));
        p.hidden.debts.retain(|d| d.from != seat && d.to != seat);
        self.release_vassals(p, seat);
        p.open.works.retain(|w| w.lord != seat);
        for ship in &mut p.open.ships {
            *ship = ship.filter(|s| s.lord != seat);
        }
        for captor in &mut p.open.ladies.captors {
            *captor = captor.filter(|s| *s != seat);
        }
    }

    fn leave_game(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        self.forget(p, seat);
        p.open.lords[seat.index()].plays = false;
        p.open.lords[seat.index()].waits = true;
        umpire.note(
            Readers::ALL,
            rule!("3.16"),
            format_args!(
                "{} has no heir and no castle to begin at: he is out of the game",
                self.lord_name(seat)
            ),
        );
    }

    /// A prisoner is free: he is remembered where he was kept until he comes home.
    pub(super) fn set_free(&self, p: &mut Realm, id: MajorId) {
        let major = &mut p.open.majors[id.number()];
        (major.captor, major.taker) = (None, None);
    }

    /// Characters who are free and with no group join one of their lord's, or stand at one of his places.
    pub(super) fn bring_home(&self, p: &mut Realm) {
        for i in 0..p.open.majors.len() {
            let major = p.open.majors[i];
            let Some(lord) = major.lord.filter(|_| major.captor.is_none()) else { continue };
            let Some(n) = p.find(lord, major.who).filter(|n| p.hidden.men[*n].group.is_none()) else {
                continue;
            };
            // He joins the nearest group of his lord, else he stands at the nearest of his places [3.77].
            let keeper = p.open.majors[i].keeper.take();
            let from = keeper.and_then(|g| p.open.groups[g.number()].map(|g| g.at));
            let far = |hex: MapHex| from.map_or(0, |from| from.distance(hex));
            let ashore = p.open.groups_of(lord).filter(|(_, g)| g.aboard.is_none());
            let group = ashore.min_by_key(|(id, g)| (far(g.at), *id)).map(|(id, _)| id);
            let group = group.or_else(|| {
                let own = (0..p.open.places.len()).map(PlaceId::at);
                let own = own
                    .filter(|id| p.open.place(*id).lord() == Some(lord))
                    .map(|id| self.hex_of(&p.open, id));
                let hex = own.min_by_key(|hex| (far(*hex), *hex))?;
                self.add_group(p, lord, hex)
            });
            match group {
                Some(group) => {
                    p.hidden.men[n].group = Some(group);
                    self.recount(p, group, false);
                }
                // Nobody waits for him: he goes his own way.
                None => self.lose_man(p, n),
            }
        }
    }
}

//! The banks of the Nile: who holds Cairo may break and mend them; what the flood does to marches, supply and revenue
//! [scenario.10, S43]. What may be said at any time is said in phase 1, or before one's own march [ruling 42].

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::realm::{GroupId, MajorId, MapHex, Nile, PlaceId, Realm, Step, side_of};

/// What somebody says beside his letters, a bit each: it is done when all have sealed.
const SAID: [(Action, u8); 3] = [(Action::Breach, 1), (Action::Mend, 2), (Action::Renounce, 4)];

impl Campaign {
    /// Who controls the town from which the banks are broken.
    fn lord_of_nile(&self, p: &Realm) -> Option<Seat> {
        let place = p.open.place(self.atlas.nile.town);
        place.lord().filter(|_| place.mapped)
    }

    /// Whether a hex is under water.
    #[inline]
    pub(crate) fn is_flooded(&self, p: &Realm, hex: MapHex) -> bool {
        p.open.nile.broken && self.atlas.tile(hex).floods
    }

    /// Whether a lord has the small boats of the Nile: who holds Cairo, and whoever is allied with him.
    fn has_boats(&self, p: &Realm, lord: Seat) -> bool {
        self.lord_of_nile(p).is_some_and(|holder| p.allied(lord, holder))
    }

    /// What a lord may say in phase 1 and before his own march [ruling 42].
    pub(super) fn list_any_time(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for (action, bit) in SAID {
            let may = match action {
                Action::Breach => self.may_break(p, seat),
                Action::Mend => self.may_mend(p, seat),
                _ => self.may_renounce(p, seat),
            };
            let said = p.hidden.said[seat.index()].unwrap_or(0) & bit != 0;
            let marched = matches!(p.open.step(), Step::March { .. }) && p.open.marched;
            let rule = if action == Action::Renounce { rule!("scenario.5") } else { rule!("scenario.10") };
            match may {
                Ok(()) if said => ballot.refuse(action, rule, format_args!("it is said")),
                Ok(()) if marched => {
                    ballot.refuse(action, rule, format_args!("it is said before the march, not in it"));
                }
                Ok(()) => ballot.allow(action),
                Err(why) => ballot.refuse(action, rule, format_args!("{why}")),
            }
        }
    }

    fn may_break(&self, p: &Realm, seat: Seat) -> Result<(), &'static str> {
        if self.lord_of_nile(p) != Some(seat) {
            Err("only who holds Cairo reaches the banks")
        } else if p.open.nile.broken {
            Err("the banks are broken")
        } else {
            Ok(())
        }
    }

    fn may_mend(&self, p: &Realm, seat: Seat) -> Result<(), &'static str> {
        if self.lord_of_nile(p) != Some(seat) {
            Err("only who holds Cairo reaches the banks")
        } else if !p.open.nile.broken {
            Err("the banks are whole")
        } else if p.open.nile.dry > 0 {
            Err("the banks are being mended")
        } else {
            Ok(())
        }
    }

    pub(super) fn say_any_time(
        &self,
        p: &mut Realm,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if matches!(p.open.step(), Step::Writing(_)) {
            let bit = SAID.iter().find(|(said, _)| *said == action).map_or(0, |(_, bit)| *bit);
            *p.hidden.said[seat.index()].get_or_insert(0) |= bit;
        } else {
            umpire.reveal(Readers::ALL);
            self.do_any_time(p, seat, action, umpire);
        }
    }

    /// All have sealed: what was said beside letters is done, in the order of play.
    pub(super) fn act_at_dawn(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        for at in 0..p.open.order.len() as u8 {
            let Some(seat) = p.open.at_turn(at) else { continue };
            let said = p.hidden.said[seat.index()].take().unwrap_or(0);
            for (action, _) in SAID.into_iter().filter(|(_, bit)| said & bit != 0) {
                self.do_any_time(p, seat, action, umpire);
            }
        }
    }

    fn do_any_time(&self, p: &mut Realm, seat: Seat, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        match action {
            Action::Breach => {
                p.open.nile = Nile { broken: true, dry: 0, last: p.open.turn };
                umpire.note(
                    Readers::ALL,
                    rule!("scenario.10"),
                    format_args!("{} breaks the banks of the Nile", self.lord_name(seat)),
                );
                umpire.cite(rule!("S43"));
            }
            Action::Mend => {
                p.open.nile.dry = p.open.turn + self.atlas.nile.mend;
                umpire.note(
                    Readers::ALL,
                    rule!("scenario.10"),
                    format_args!(
                        "{} begins to mend the banks: the land is dry in turn {}",
                        self.lord_name(seat),
                        p.open.nile.dry
                    ),
                );
            }
            _ => self.renounce(p, seat, umpire),
        }
    }

    /// A turn begins: the flood goes on, or ends.
    pub(super) fn dry_up(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        if !p.open.nile.broken {
            return;
        }
        if p.open.nile.dry > 0 && p.open.nile.dry <= p.open.turn {
            p.open.nile = Nile { broken: false, dry: 0, last: p.open.nile.last };
            umpire.note(
                Readers::ALL,
                rule!("scenario.10"),
                format_args!("The land of the Nile is dry again"),
            );
        } else {
            p.open.nile.last = p.open.turn;
        }
    }

    /// Why the flood bars a step, if it does: a river hex takes a whole turn, and for strangers no way leads from one
    /// to the next.
    pub(crate) fn flood_bars(
        &self,
        p: &Realm,
        lord: Seat,
        from: MapHex,
        to: MapHex,
        spent: u8,
    ) -> Option<&'static str> {
        if !self.is_flooded(p, to) {
            None
        } else if self.atlas.tile(from).floods && !self.has_boats(p, lord) {
            Some("the flood lies between them")
        } else if spent > 0 {
            Some("the flood takes a whole turn to enter")
        } else {
            None
        }
    }

    /// Whether a line of supply is cut in a hex under water: none of the lord's side stands there.
    pub(super) fn flood_cuts(&self, p: &Realm, lord: Seat, hex: MapHex) -> bool {
        self.is_flooded(p, hex)
            && !self.has_boats(p, lord)
            && !p.open.lords_at(hex).iter().any(|other| side_of(other) == side_of(lord))
    }

    /// Whether a town yields nothing because of the flood of these five turns.
    pub(super) fn is_barren(&self, p: &Realm, id: PlaceId) -> bool {
        let last = p.open.nile.last;
        last > 0 && last + self.atlas.every > p.open.turn && self.atlas.nile.barren.contains(&id)
    }

    /// A group wades into the water before boats of the Nile: whoever rolls low drowns, in armour on 2 as well.
    /// Whether anybody is left.
    pub(super) fn wade(
        &self,
        p: &mut Realm,
        seat: Seat,
        group: GroupId,
        hex: MapHex,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        let there = p.open.lords_at(hex);
        let boats = there.without(seat).iter().any(|other| self.has_boats(p, other));
        if !self.is_flooded(p, hex) || self.has_boats(p, seat) || !boats {
            return true;
        }
        umpire.reveal(Readers::ALL);
        let readers = Readers::only(there);
        let mut drowned = 0;
        for n in p.slots(seat) {
            let man = p.hidden.men[n];
            if man.lord.is_none() || man.group != Some(group) {
                continue;
            }
            let most =
                self.atlas.nile.drowns[usize::from(self.tactics().data.kind(man.who.counter).armoured)];
            let die = umpire.draw(readers, 6, &|n| (n + 1).to_string()) + 1;
            if die <= u16::from(most) {
                drowned += 1;
                self.lose_man(p, n);
            }
        }
        self.recount(p, group, true);
        umpire.note(
            readers,
            rule!("scenario.10"),
            format_args!(
                "{} of {} {} in the flood",
                if drowned == 1 { "One man".to_string() } else { format!("{drowned} men") },
                self.lord_name(seat),
                if drowned == 1 { "drowns" } else { "drown" }
            ),
        );
        p.open.groups[group.number()].is_some()
    }

    /// Groups of a lord that cannot leave the flood fall into the hands of who holds Cairo, when he would march.
    pub(super) fn take_stranded(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(captor) = self.lord_of_nile(p).filter(|_| p.open.nile.broken) else { return };
        if self.has_boats(p, seat) {
            return;
        }
        for i in 0..p.open.groups.len() {
            let Some(group) = p.open.groups[i].filter(|g| g.lord == seat && Self::is_fresh(g)) else {
                continue;
            };
            let id = GroupId::at(i);
            if !self.is_flooded(p, group.at) || self.has_way_out(p, group.at) {
                continue;
            }
            umpire.reveal(Readers::ALL);
            for n in p.slots(seat) {
                let man = p.hidden.men[n];
                if man.lord.is_none() || man.group != Some(id) {
                    continue;
                }
                match p.open.major_of(seat, man.who) {
                    Some(major) => self.take_prisoner(p, n, major, captor),
                    None => self.lose_man(p, n),
                }
            }
            self.recount(p, id, true);
            umpire.note(
                Readers::ALL,
                rule!("scenario.10"),
                format_args!(
                    "Group {} of {} finds no way out of the flood, and is taken",
                    i + 1,
                    self.lord_name(seat)
                ),
            );
        }
    }

    fn take_prisoner(&self, p: &mut Realm, man: usize, major: MajorId, captor: Seat) {
        p.hidden.men[man].group = None;
        p.open.majors[major.number()].captor = Some(captor);
    }

    fn has_way_out(&self, p: &Realm, from: MapHex) -> bool {
        let ways = table::hex::Direction::ALL.into_iter();
        let mut ways = ways.filter_map(|way| self.atlas.step_cost(from, way));
        ways.any(|(to, _)| self.atlas.mapped(p.open.scenario.into(), to) && !self.is_flooded(p, to))
    }
}

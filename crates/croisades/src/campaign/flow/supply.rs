//! Lines of supply, rations that are carried, hunger [S8 to S10].

use arrayvec::ArrayVec;
use table::hex::Direction;
use table::{Readers, Seat, SeatSet, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::atlas::Soil;
use crate::realm::{GroupId, MapHex, Realm, Step};

impl Campaign {
    /// Phases 2 and 3 begin: engineers have worked, all reorganise and buy what they need.
    pub(super) fn begin_camp(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        for i in 0..p.open.groups.len() {
            if p.open.groups[i].is_some() {
                self.set_to_work(p, GroupId::at(i));
            }
        }
        p.open.agenda.replace(Step::Camp(SeatSet::NONE));
        self.raise_heirs(p, umpire);
    }

    /// When all have bought, lines of supply are looked at, and groups without one eat what they carry \[S11\].
    pub(super) fn feed_all(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        for i in 0..p.open.groups.len() {
            if p.open.groups[i].is_some() {
                self.feed(p, GroupId::at(i), umpire);
            }
        }
    }

    /// How many engineers a group has.
    pub(super) fn engineers(&self, p: &Realm, id: GroupId) -> u32 {
        p.men_in(id).filter(|m| self.atlas.engineers.contains(&m.who.counter)).count() as u32
    }

    /// Engineers in the camp of a siege work three days a turn; what they have not used is kept for a turn \[S30\].
    fn set_to_work(&self, p: &mut Realm, id: GroupId) {
        let group = p.open.group(id);
        let works = self.engineers(p, id) > 0 && self.besieges(p, group.lord, group.at);
        let cargo = &mut p.hidden.cargo[id.number()];
        cargo.work = match (works, cargo.toiled) {
            (false, _) => 0,
            (true, 0) => (cargo.work + 3).min(6),
            (true, _) => 3,
        };
        cargo.toiled = 0;
    }

    /// Whether a lord keeps up a siege in a hex.
    pub(super) fn besieges(&self, p: &Realm, lord: Seat, hex: MapHex) -> bool {
        p.open.sieges.iter().any(|s| s.besieger == lord && self.hex_of(&p.open, s.place) == hex)
    }

    /// Whether a line of supply reaches a group: at most six hexes, hills and desert counting double, to a stronghold
    /// that is open to its lord, past no enemy \[S8\].
    pub(crate) fn supplied(&self, p: &Realm, lord: Seat, at: MapHex) -> bool {
        self.has_line(p, lord, at, true)
    }

    /// The same, with the flood of the Nile or as if there were none.
    fn has_line(&self, p: &Realm, lord: Seat, at: MapHex, flood: bool) -> bool {
        let besieged = |hex: MapHex| {
            self.atlas
                .tile(hex)
                .place
                .and_then(|id| p.open.siege(id))
                .is_some_and(|s| p.open.sieges[s].besieger != lord)
        };
        if self.is_friendly(p, lord, at) && !besieged(at) {
            return true;
        }
        let mut reached: ArrayVec<(MapHex, u8), 160> = ArrayVec::new();
        reached.push((at, 0));
        let mut next = 0;
        while next < reached.len() {
            let (hex, spent) = reached[next];
            next += 1;
            for to in Direction::ALL.into_iter().filter_map(|d| hex.neighbour(d)) {
                let cost = match self.atlas.tile(to).soil {
                    Soil::Sea | Soil::Lake => continue,
                    Soil::Land => 1,
                    Soil::Mountain | Soil::Desert => 2,
                };
                let spent = spent + cost;
                if spent > self.atlas.supply_line || !self.atlas.mapped(p.open.scenario.into(), to) {
                    continue;
                }
                if flood && self.flood_cuts(p, lord, to) {
                    continue;
                }
                let hostile = p.open.lords_at(to).iter().any(|other| !self.friends(p, lord, other));
                if hostile {
                    continue;
                }
                match reached.iter_mut().find(|(h, _)| *h == to) {
                    Some((_, before)) if *before <= spent => continue,
                    Some((_, before)) => *before = spent,
                    None => {
                        if reached.try_push((to, spent)).is_err() {
                            continue;
                        }
                    }
                }
                if self.is_friendly(p, lord, to) && !besieged(to) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether two lords keep peace.
    pub(crate) fn friends(&self, p: &Realm, one: Seat, other: Seat) -> bool {
        one == other || p.pact(one, other).is_some()
    }

    /// A group eats: from the land while its line holds, else what it carries, else nothing [S9, S10].
    fn feed(&self, p: &mut Realm, id: GroupId, umpire: &mut (impl Umpire + ?Sized)) {
        let (lord, at) = (p.open.group(id).lord, p.open.group(id).at);
        // Who is besieged inside eats from the stores of the place [table.5].
        let besieged = p.open.group(id).inside && self.shut_in(p, lord, at);
        if besieged || self.supplied(p, lord, at) {
            p.hidden.cargo[id.number()].hungry = 0;
            return;
        }
        let own = Readers::only(lord.into());
        if p.open.nile.broken && self.has_line(p, lord, at, false) {
            umpire.cite(rule!("scenario.10"));
        }
        let mouths = p.men_in(id).count() as u16
            + u16::from(p.hidden.cargo[id.number()].mules)
            + u16::from(p.hidden.cargo[id.number()].carts);
        let need = mouths * self.atlas.ration_days;
        let cargo = &mut p.hidden.cargo[id.number()];
        if cargo.rations >= need {
            cargo.rations -= need;
            cargo.hungry = 0;
            umpire.note(
                own,
                rule!("S9"),
                format_args!("Group {} eats {need} of its rations", id.number() + 1),
            );
            return;
        }
        cargo.rations = 0;
        cargo.hungry = cargo.hungry.saturating_add(1);
        let turns = cargo.hungry;
        umpire.note(own, rule!("S10"), format_args!("Group {} has nothing to eat", id.number() + 1));
        if turns < self.atlas.desert_from {
            return;
        }
        // From the third turn on somebody of the rank and file may run away: one test each turn, which all can see.
        let roll = umpire.roll(10);
        let runs = roll <= 3;
        umpire.note(
            Readers::ALL,
            rule!("S10"),
            format_args!(
                "Hunger gnaws at group {} of {}: {}",
                id.number() + 1,
                self.lord_name(lord),
                if runs { "men run away" } else { "its men stay" }
            ),
        );
        let weakest = p.slots(lord).filter(|i| {
            let m = &p.hidden.men[*i];
            m.group == Some(id) && m.lord == Some(lord) && p.open.major_of(lord, m.who).is_none()
        });
        let cost = |i: &usize| (self.tactics().data.card(p.hidden.men[*i].who.counter).cost, *i);
        if let Some(i) = weakest.min_by_key(cost).filter(|_| runs) {
            umpire.note(
                own,
                rule!("S10"),
                format_args!("{} has run away from hunger", self.tactics().named(p.hidden.men[i].who)),
            );
            p.hidden.men[i].lord = None;
            p.hidden.men[i].group = None;
            self.recount(p, id, true);
        }
    }
}

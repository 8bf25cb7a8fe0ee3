//! Lords who are vassals of lords: they swear by letter, owe a share of their revenue, keep their troops and ships, and
//! may break their vow [scenario.5].

use table::{MOST_SEATS, Readers, Seat, Umpire, rule};

use crate::campaign::Campaign;
use crate::realm::{MapHex, PlaceId, Realm};

impl Campaign {
    /// Whether a lord may swear to another; else why not.
    pub(crate) fn may_swear(&self, p: &Realm, vassal: Seat, liege: Seat) -> Result<(), &'static str> {
        if vassal == liege {
            Err("nobody is his own vassal")
        } else if p.open.lords[vassal.index()].liege.is_some() {
            Err("the vassal has sworn to a lord already")
        } else if p.open.overlord(liege) == vassal {
            Err("vows would go in a circle")
        } else {
            Ok(())
        }
    }

    pub(super) fn swear(
        &self,
        p: &mut Realm,
        vassal: Seat,
        liege: Seat,
        share: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if self.may_swear(p, vassal, liege).is_err() {
            return;
        }
        p.open.lords[vassal.index()].liege = Some((liege, share));
        umpire.note(
            Readers::ALL,
            rule!("scenario.5"),
            format_args!(
                "{} is now a vassal of {}, for {share} per cent of his revenue",
                self.lord_name(vassal),
                self.lord_name(liege)
            ),
        );
    }

    /// After a collection a vassal pays his share, rounded down.
    pub(super) fn pay_liege(
        &self,
        p: &mut Realm,
        vassal: Seat,
        revenue: u16,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some((liege, share)) = p.open.lords[vassal.index()].liege else { return };
        let part = (u32::from(revenue) * u32::from(share) / 100).min(self.funds(p, vassal));
        self.spend(p, vassal, part);
        self.earn(p, liege, part);
        umpire.note(
            Readers::ALL,
            rule!("scenario.5"),
            format_args!(
                "{} pays {} to {}",
                self.lord_name(vassal),
                super::revenue::Dinars(part),
                self.lord_name(liege)
            ),
        );
    }

    pub(super) fn may_renounce(&self, p: &Realm, seat: Seat) -> Result<(), &'static str> {
        match p.open.lords[seat.index()].liege {
            Some(_) => Ok(()),
            None => Err("you have sworn to nobody"),
        }
    }

    /// A vassal breaks his vow: it costs 3 honour, places without a group of his stay with the lord, and wherever both
    /// have groups they fight.
    pub(super) fn renounce(&self, p: &mut Realm, vassal: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let Some((liege, _)) = p.open.lords[vassal.index()].liege.take() else { return };
        self.dishonour(p, vassal);
        if let Some(treaty) = p.treaty(vassal, liege) {
            p.hidden.treaties.remove(treaty);
        }
        umpire.note(
            Readers::ALL,
            rule!("scenario.5"),
            format_args!(
                "{} breaks his vow to {}, and loses 3 honour",
                self.lord_name(vassal),
                self.lord_name(liege)
            ),
        );
        let heir = p.open.lords[liege.index()].suzerain;
        for i in 0..p.open.places.len() {
            let (id, hex) = (PlaceId::at(i), self.atlas.places[i].hex);
            let place = p.open.places[i];
            let kept = p.open.groups_of(vassal).any(|(_, g)| g.is_ashore(hex));
            if place.holder != Some(vassal) || kept {
                continue;
            }
            self.set_guardian(p, id, None);
            if place.controlled {
                self.own(p, liege, id);
                self.set_guardian(p, id, heir);
            } else {
                p.open.places[i].holder = Some(liege);
            }
            umpire.note(
                Readers::ALL,
                rule!("scenario.5"),
                format_args!("{} stays with {}", self.atlas.places[i].name, self.lord_name(liege)),
            );
        }
        let mut shared: arrayvec::ArrayVec<MapHex, { crate::realm::GROUPS }> = Default::default();
        for (_, group) in p.open.groups_of(vassal).filter(|(_, g)| g.aboard.is_none()) {
            if p.open.lords_at(group.at).contains(liege) && !shared.contains(&group.at) {
                shared.push(group.at);
            }
        }
        for hex in shared {
            self.declare_battle(p, hex, vassal, liege, umpire);
        }
    }

    /// A lord is out of the game: his vassals are free, and he is nobody's.
    pub(super) fn release_vassals(&self, p: &mut Realm, gone: Seat) {
        for n in 0..MOST_SEATS {
            let lord = &mut p.open.lords[n];
            lord.liege = lord.liege.filter(|(liege, _)| *liege != gone && n != gone.index());
        }
    }
}

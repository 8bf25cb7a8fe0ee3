//! Every fifth turn: surtax, collection, diplomacy, titles, ransoms [3.32, 3.61, 3.7 to 3.73, 3.77, S36].

use arrayvec::ArrayVec;
use table::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::campaign::atlas::Kind;
use crate::ids::Who;
use crate::realm::{MajorId, MapHex, Open, PlaceId, Realm, Step, Title};

/// What a lord has: for victory, titles and the count at the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Worth {
    /// Fame of the towns that he holds.
    pub(crate) towns: u16,
    /// His revenue, without surtax.
    pub(crate) revenue: u16,
    /// The fame of the lord himself.
    pub(crate) fame: u8,
}

/// A sum as people say it.
pub(super) struct Dinars(pub(super) u32);

impl std::fmt::Display for Dinars {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { "dinar" } else { "dinars" })
    }
}

impl Campaign {
    /// What a place yields, caravans of its domain included [3.71].
    pub(crate) fn worth(&self, open: &Open, id: PlaceId) -> u16 {
        let routes = self.atlas.camels.iter().filter(|hex| self.domain_of(open, **hex) == Some(id)).count();
        self.atlas.place(id).revenue + self.atlas.caravan * routes as u16
    }

    /// What caravans bring a place now: nothing where an enemy stands on their road [3.72, S5].
    fn caravans(&self, p: &Realm, id: PlaceId, lord: Seat) -> u16 {
        let open = |hex: &&MapHex| {
            self.domain_of(&p.open, **hex) == Some(id)
                && p.open.lords_at(**hex).iter().all(|other| self.friends(p, other, lord))
        };
        self.atlas.caravan * self.atlas.camels.iter().filter(open).count() as u16
    }

    /// What a place yields its lord now: nothing under siege, or with an enemy before the walls; less under a blockade
    /// [3.72, S5, S16].
    pub(crate) fn yields(&self, p: &Realm, id: PlaceId) -> u16 {
        let Some(lord) = p.open.place(id).lord() else { return 0 };
        let hex = self.hex_of(&p.open, id);
        let enemy = p
            .open
            .all_groups()
            .any(|(_, g)| g.is_ashore(hex) && !g.inside && g.lord != lord && !self.friends(p, g.lord, lord));
        if p.open.siege(id).is_some() || enemy || self.is_barren(p, id) {
            0
        } else if self.blockaded(p, id, lord) {
            // Caravans come by land.
            let sheet = self.atlas.place(id);
            let (medium, thirds) = self.atlas.blockaded;
            let by_sea = if sheet.kind == Kind::Medium { medium } else { sheet.revenue * thirds / 3 };
            by_sea + self.caravans(p, id, lord)
        } else {
            self.atlas.place(id).revenue + self.caravans(p, id, lord)
        }
    }

    /// What a lord has in the eyes of the world: held places as the table prints them.
    pub(crate) fn riches(&self, p: &Realm, seat: Seat) -> Worth {
        let own =
            (0..p.open.places.len()).map(PlaceId::at).filter(|id| p.open.place(*id).lord() == Some(seat));
        let mut worth = Worth::default();
        for id in own {
            worth.towns += u16::from(self.atlas.place(id).fame);
            worth.revenue += if p.open.siege(id).is_some() { 0 } else { self.worth(&p.open, id) };
        }
        worth.fame = p.open.lords[seat.index()].suzerain.map_or(0, |id| p.open.major(id).fame);
        worth
    }

    /// Revenue and fame of towns that a lord has in the eyes of the world.
    pub fn holdings(&self, p: &Realm, seat: Seat) -> (u16, u16) {
        let worth = self.riches(p, seat);
        (worth.revenue, worth.towns)
    }

    pub(super) fn begin_revenue(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        if !p.open.turn.is_multiple_of(self.atlas.every) {
            self.end_turn(p, umpire);
            return;
        }
        p.open.agenda.replace(Step::Surtax(SeatSet::NONE));
    }

    pub(super) fn say_tax(
        &self,
        p: &mut Realm,
        seat: Seat,
        raised: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Step::Surtax(said) = p.open.step() else { return };
        let said = said.with(seat);
        p.hidden.said[seat.index()] = Some(u8::from(raised));
        p.open.agenda.replace(Step::Surtax(said));
        if !p.open.playing().minus(said).is_empty() {
            return;
        }
        umpire.reveal(Readers::ALL);
        for seat in p.open.playing().iter() {
            let raised = p.hidden.said[seat.index()].take() == Some(1);
            p.open.lords[seat.index()].taxed = if raised { p.open.turn + self.atlas.every } else { 0 };
            if raised {
                umpire.note(
                    Readers::ALL,
                    rule!("3.73"),
                    format_args!("{} raises half as much again", self.lord_name(seat)),
                );
            }
        }
        self.collect(p, umpire);
        p.open.agenda.replace(Step::Ransom(SeatSet::NONE));
        let wives = p.open.ladies.captors.iter().any(Option::is_some);
        if !wives && !p.open.majors.iter().any(|m| m.lord.is_some() && m.captor.is_some()) {
            self.begin_market(p);
        }
    }

    /// Taxes go into the purses of guardians; diplomacy and titles follow [3.32, 3.61, 3.71].
    fn collect(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        for seat in p.open.playing().iter() {
            let taxed = p.open.lords[seat.index()].taxed >= p.open.turn;
            let until = p.open.lords[seat.index()].taxed;
            let mut sum = 0u16;
            for i in 0..p.open.places.len() {
                let id = PlaceId::at(i);
                if p.open.place(id).lord() != Some(seat) {
                    continue;
                }
                let plain = self.yields(p, id);
                if plain < self.worth(&p.open, id) {
                    umpire.cite(rule!("3.72"));
                    if self.is_barren(p, id) {
                        umpire.cite(rule!("scenario.10"));
                    }
                    if plain > 0 {
                        umpire.cite(rule!("S16"));
                    }
                }
                sum += plain;
                // Caravans pay no surtax.
                let caravans = self.caravans(p, id, seat).min(plain);
                let paid = if taxed { plain + (plain - caravans) * self.atlas.surtax / 100 } else { plain };
                p.open.places[i].taxed = if taxed { until } else { 0 };
                let to = p.open.place(id).guardian.filter(|g| p.open.major(*g).captor.is_none());
                match to {
                    Some(to) => {
                        let purse = &mut p.hidden.traits[to.number()].purse;
                        *purse = purse.saturating_add(paid).min(60_000);
                    }
                    None => self.earn(p, seat, paid.into()),
                }
            }
            umpire.note(
                Readers::ALL,
                rule!("3.71"),
                format_args!("{} collects {} without surtax", self.lord_name(seat), Dinars(sum.into())),
            );
            let lord = &mut p.open.lords[seat.index()];
            let (before, fought) = (lord.revenue.replace(sum), lord.fought);
            lord.fought = false;
            if let Some(before) = before {
                if sum > before && !fought {
                    lord.owed = 1;
                    umpire.note(
                        Readers::ALL,
                        rule!("3.32"),
                        format_args!(
                            "{} gains a point of diplomacy by a peaceful rise",
                            self.lord_name(seat)
                        ),
                    );
                } else if sum < before && fought {
                    let most = p.open.majors_of(seat).map(|(id, _)| id);
                    let most = most
                        .max_by_key(|id| (p.hidden.traits[id.number()].diplomacy, usize::MAX - id.number()));
                    if let Some(id) = most {
                        Self::adjust(&mut p.hidden.traits[id.number()].diplomacy, -1);
                    }
                    umpire.note(
                        Readers::ALL,
                        rule!("3.32"),
                        format_args!("{} loses a point of diplomacy by war and loss", self.lord_name(seat)),
                    );
                }
            }
            self.give_titles(p, seat, umpire);
            self.pay_liege(p, seat, sum, umpire);
        }
    }

    /// Titles follow what a character receives himself; one by marriage is kept with its town [3.61, ruling 38].
    fn give_titles(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        for i in 0..p.open.majors.len() {
            let id = MajorId::at(i);
            if p.open.major(id).lord != Some(seat) {
                continue;
            }
            let own = || {
                (0..p.open.places.len()).map(PlaceId::at).filter(|pl| p.open.place(*pl).guardian == Some(id))
            };
            let sum: u16 = own().map(|place| self.worth(&p.open, place)).sum();
            let has = |kind: Kind| own().any(|place| self.atlas.place(place).kind >= kind);
            let earned = match sum {
                200.. if has(Kind::Important) => Title::King,
                100.. if has(Kind::Medium) => Title::Prince,
                50.. => Title::Baron,
                _ => Title::Knight,
            };
            let wed = p.open.major(id).wife.map(|lady| self.atlas.lady(lady)).filter(|lady| {
                lady.dowry
                    .iter()
                    .any(|d| self.atlas.place(*d).kind.is_town() && p.open.place(*d).lord() == Some(seat))
            });
            let title = earned.max(wed.map_or(Title::Knight, |lady| lady.title));
            if title != p.open.major(id).title {
                p.open.majors[i].title = title;
                umpire.note(
                    Readers::ALL,
                    rule!("3.61"),
                    format_args!(
                        "{} is now {}",
                        self.tactics().named(p.open.major(id).who),
                        title.word(crate::realm::side_of(seat))
                    ),
                );
            }
        }
    }

    /// The ransom of a major character [3.77].
    pub(crate) fn ransom(&self, p: &Realm, id: MajorId) -> u32 {
        let (m, t) = (p.open.major(id), &p.hidden.traits[id.number()]);
        u32::from(m.fame) * u32::from(m.honour) * u32::from(t.command) * u32::from(t.diplomacy)
    }

    pub(super) fn list_ransoms(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        ballot.allow(Action::Done);
        for (id, major) in p.open.majors_of(seat) {
            let action = Action::Ransom(major.who);
            if major.captor.is_none() {
                ballot.refuse(action, rule!("3.77"), format_args!("he is free"));
            } else if self.ransom(p, id) > self.funds(p, seat) {
                ballot.refuse(action, rule!("3.77"), format_args!("your purses do not hold so much"));
            } else {
                ballot.allow(action);
            }
            let action = Action::Redeem(major.who);
            match self.captive_wife(p, id) {
                None => ballot.refuse(action, rule!("3.77"), format_args!("no wife of his is a prisoner")),
                Some(_) if self.wife_ransom(p, id) > self.funds(p, seat) => {
                    ballot.refuse(action, rule!("3.77"), format_args!("your purses do not hold so much"));
                }
                Some(_) => ballot.allow(action),
            }
        }
    }

    /// Who holds the wife of a major character prisoner.
    fn captive_wife(&self, p: &Realm, id: MajorId) -> Option<Seat> {
        p.open.ladies.captors[p.open.major(id).wife?.number()]
    }

    /// The ransom of a wife follows her husband's title [3.77].
    pub(crate) fn wife_ransom(&self, p: &Realm, id: MajorId) -> u32 {
        self.atlas.wives[p.open.major(id).title as usize].into()
    }

    /// A husband's lord buys his wife free: the husband has honour by it [3.31, 3.77].
    pub(super) fn redeem(&self, p: &mut Realm, seat: Seat, who: Who, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(id) = p.open.major_of(seat, who) else { return };
        let (Some(captor), Some(lady)) = (self.captive_wife(p, id), p.open.major(id).wife) else { return };
        let sum = self.wife_ransom(p, id);
        self.spend(p, seat, sum);
        self.earn(p, captor, sum);
        p.open.ladies.captors[lady.number()] = None;
        Self::adjust(&mut p.open.majors[id.number()].honour, 1);
        umpire.reveal(Readers::ALL);
        umpire.note(
            Readers::ALL,
            rule!("3.77"),
            format_args!("{} is ransomed for {}", self.atlas.lady(lady).name, Dinars(sum)),
        );
        umpire.cite(rule!("3.31"));
    }

    pub(super) fn pay_ransom(
        &self,
        p: &mut Realm,
        seat: Seat,
        who: Who,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(id) = p.open.major_of(seat, who) else { return };
        let Some(captor) = p.open.major(id).captor else { return };
        let sum = self.ransom(p, id);
        let own = p.open.lords[seat.index()].suzerain == Some(id);
        let purses: ArrayVec<(MajorId, u16), { crate::realm::MAJORS }> =
            p.open.majors_of(seat).map(|(id, _)| (id, p.hidden.traits[id.number()].purse)).collect();
        self.spend(p, seat, sum);
        // Who gives all that he has for his lord has honour by it [3.31].
        for (vassal, before) in purses.into_iter().filter(|(vassal, _)| own && *vassal != id) {
            if before > 0 && p.hidden.traits[vassal.number()].purse == 0 {
                Self::adjust(&mut p.open.majors[vassal.number()].honour, 1);
                umpire.cite(rule!("3.31"));
            }
        }
        // The ransom is his who took him [3.77].
        let taker = p.open.major(id).taker.filter(|taker| p.open.major(*taker).lord == Some(captor));
        match taker {
            Some(taker) => {
                let purse = &mut p.hidden.traits[taker.number()].purse;
                *purse = u32::from(*purse).saturating_add(sum).min(60_000) as u16;
            }
            None => self.earn(p, captor, sum),
        }
        self.set_free(p, id);
        umpire.reveal(Readers::ALL);
        umpire.note(
            Readers::ALL,
            rule!("3.77"),
            format_args!("{} is ransomed for {}", self.tactics().named(who), Dinars(sum)),
        );
        if let Some(lord) = p.open.lords[seat.index()].suzerain.filter(|lord| *lord != id) {
            Self::adjust(&mut p.open.majors[lord.number()].honour, 1);
            umpire.cite(rule!("3.31"));
        }
        self.bring_home(p);
    }

    /// Who is left in prison costs honour [3.31].
    pub(super) fn end_ransoms(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        for i in 0..p.open.majors.len() {
            let major = p.open.majors[i];
            let (Some(lord), true) = (major.lord, major.captor.is_some()) else { continue };
            let own = p.open.lords[lord.index()].suzerain;
            if own == Some(MajorId::at(i)) {
                for n in (0..p.open.majors.len()).filter(|n| *n != i) {
                    if p.open.majors[n].lord == Some(lord) {
                        Self::adjust(&mut p.open.majors[n].honour, -1);
                    }
                }
            } else if let Some(own) = own {
                Self::adjust(&mut p.open.majors[own.number()].honour, -1);
            }
            umpire.note(
                Readers::ALL,
                rule!("3.31"),
                format_args!("{} stays in prison, and honour is lost by it", self.tactics().named(major.who)),
            );
        }
        for i in 0..p.open.majors.len() {
            let major = p.open.majors[i];
            if major.lord.is_some() && self.captive_wife(p, MajorId::at(i)).is_some() {
                Self::adjust(&mut p.open.majors[i].honour, -2);
                umpire.note(
                    Readers::ALL,
                    rule!("3.31"),
                    format_args!(
                        "The wife of {} stays in prison: he loses 2 honour",
                        self.tactics().named(major.who)
                    ),
                );
            }
        }
        self.begin_market(p);
    }
}

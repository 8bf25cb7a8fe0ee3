//! Phase 3: groups of one lord in a hex are put together anew, dinars change hands among his characters, places their
//! guardians; rations and animals are bought [S6, S7, S11, 3.76].

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::{Action, Good};
use crate::data::NCO;
use crate::ids::Who;
use crate::realm::{Group, GroupId, MajorId, PlaceId, Realm, Step};

impl Campaign {
    /// The class of a man: by his title, or by his counter [3.62].
    pub(crate) fn class(&self, p: &Realm, lord: Seat, who: Who) -> u8 {
        match p.open.major_of(lord, who) {
            Some(id) if p.open.lords[lord.index()].suzerain == Some(id) => 1,
            Some(id) => p.open.major(id).title.class(),
            None => self.tactics().data.kind(who.counter).class,
        }
    }

    /// The best class in a group, as it would be without one man and with another.
    pub(crate) fn best_class(&self, p: &Realm, id: GroupId, without: Option<Who>) -> u8 {
        let lord = p.open.group(id).lord;
        let men = p.men_in(id).filter(|m| Some(m.who) != without);
        men.map(|m| self.class(p, lord, m.who)).min().unwrap_or(6)
    }

    pub(super) fn limit(&self, class: u8) -> usize {
        usize::from(self.atlas.men_by_class[usize::from(class.min(6))])
    }

    /// Whether a man may join a group; else why not \[S6, S7\].
    fn may_shift(
        &self,
        p: &Realm,
        seat: Seat,
        who: Who,
        to: GroupId,
    ) -> Result<(), (table::Rule, &'static str)> {
        let walls = |old: &Group, new: &Group| {
            old.inside != new.inside
                && self.place_at(&p.open, old.at).is_some_and(|id| p.open.siege(id).is_some())
        };
        if let Some(from) = p.find(seat, who).and_then(|i| p.hidden.men[i].group)
            && walls(p.open.group(from), p.open.group(to))
        {
            return Err((rule!("S7"), "the besiegers stand between them"));
        }
        self.fits_in(p, seat, who, to).map_err(|why| (rule!("S6"), why))
    }

    fn fits_in(&self, p: &Realm, seat: Seat, who: Who, to: GroupId) -> Result<(), &'static str> {
        let Some(i) = p.find(seat, who) else { return Err("he is not yours") };
        let man = p.hidden.men[i];
        let Some(from) = man.group else { return Err("he is a prisoner") };
        let (old, new) = (p.open.group(from), p.open.group(to));
        if from == to {
            return Err("he is there already");
        }
        if new.lord != seat || old.at != new.at {
            return Err("only groups in one hex exchange men");
        }
        if man.shifted {
            return Err("he has changed his group in this turn");
        }
        let class = self.best_class(p, to, None).min(self.class(p, seat, who));
        if p.men_in(to).count() + 1 > self.limit(class) {
            return Err("nobody there leads so many");
        }
        self.may_leave(p, from, who)
    }

    fn may_leave(&self, p: &Realm, from: GroupId, who: Who) -> Result<(), &'static str> {
        let rest = p.men_in(from).count() - 1;
        if rest == 0 {
            return Ok(());
        }
        let class = self.best_class(p, from, Some(who));
        if self.best_class(p, from, None) <= NCO && class > NCO {
            return Err("a group needs a leader");
        }
        if class <= NCO && rest > self.limit(class) {
            return Err("nobody who stays leads so many");
        }
        Ok(())
    }

    pub(super) fn list_camp(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        ballot.allow(Action::Done);
        for (id, group) in p.open.groups_of(seat) {
            let crowded = p.open.groups_of(seat).filter(|(_, g)| g.at == group.at).count() > 1;
            if crowded {
                for (other, there) in p.open.groups_of(seat) {
                    if other == id || there.at != group.at {
                        continue;
                    }
                    for man in p.men_in(other) {
                        match self.may_shift(p, seat, man.who, id) {
                            Ok(()) => ballot.allow(Action::Shift(man.who, id)),
                            Err((rule, why)) => {
                                ballot.refuse(Action::Shift(man.who, id), rule, format_args!("{why}"));
                            }
                        }
                    }
                }
            }
            for man in p.men_in(id) {
                let action = Action::Split(man.who);
                match self.may_split(p, seat, id, man.who) {
                    Ok(()) => ballot.allow(action),
                    Err(why) => ballot.refuse(action, rule!("S6"), format_args!("{why}")),
                }
            }
        }
        self.list_gifts(p, seat, ballot);
        self.list_wards(p, seat, ballot);
        self.list_goods(p, seat, false, ballot);
    }

    fn may_split(&self, p: &Realm, seat: Seat, from: GroupId, who: Who) -> Result<(), &'static str> {
        let Some(i) = p.find(seat, who) else { return Err("he is not yours") };
        if p.hidden.men[i].shifted {
            return Err("he has changed his group in this turn");
        }
        if self.class(p, seat, who) > NCO {
            return Err("only a leader can be the first of a group");
        }
        if p.men_in(from).count() < 2 {
            return Err("he is alone already");
        }
        if p.open.groups_of(seat).count() >= self.atlas.most_groups {
            return Err("you have groups enough");
        }
        self.may_leave(p, from, who)
    }

    pub(super) fn shift(&self, p: &mut Realm, seat: Seat, who: Who, to: GroupId) {
        let Some(i) = p.find(seat, who) else { return };
        let from = p.hidden.men[i].group;
        p.hidden.men[i].group = Some(to);
        p.hidden.men[i].shifted = true;
        self.stir(p, to);
        if let Some(from) = from {
            // Who takes the last man takes what the group carried.
            if p.men_in(from).next().is_none() {
                let left = p.hidden.cargo[from.number()];
                let cargo = &mut p.hidden.cargo[to.number()];
                cargo.rations += left.rations;
                cargo.mules = cargo.mules.saturating_add(left.mules);
                cargo.carts = cargo.carts.saturating_add(left.carts);
                cargo.ladders = cargo.ladders.saturating_add(left.ladders);
                cargo.rams = cargo.rams.saturating_add(left.rams);
                cargo.screens = cargo.screens.saturating_add(left.screens);
                cargo.mangonels = cargo.mangonels.saturating_add(left.mangonels);
                cargo.trebuchets = cargo.trebuchets.saturating_add(left.trebuchets);
            }
            self.stir(p, from);
        }
    }

    pub(super) fn split(&self, p: &mut Realm, seat: Seat, who: Who) {
        let Some(i) = p.find(seat, who) else { return };
        let Some(from) = p.hidden.men[i].group else { return };
        let (at, inside) = (p.open.group(from).at, p.open.group(from).inside);
        let Some(to) = self.add_group(p, seat, at) else { return };
        p.open.group_mut(to).inside = inside;
        self.shift(p, seat, who, to);
    }

    fn list_gifts(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        // Who has shifted, or given, has had his say in this turn.
        for (from, giver) in p.open.majors_of(seat) {
            let Some(at) = p.group_of(from).map(|g| p.open.group(g).at) else { continue };
            let purse = p.hidden.traits[from.number()].purse;
            let tired = p.find(seat, giver.who).is_none_or(|i| p.hidden.men[i].shifted);
            if purse == 0 || tired {
                continue;
            }
            for (to, taker) in p.open.majors_of(seat) {
                let there = p.group_of(to).map(|g| p.open.group(g).at);
                let action = Action::Give(giver.who, taker.who, 1);
                if to != from && there == Some(at) {
                    ballot.allow_range(action, 1, purse.into());
                }
            }
        }
    }

    pub(super) fn give(&self, p: &mut Realm, seat: Seat, from: Who, to: Who, sum: u16) {
        let (Some(one), Some(other)) = (p.open.major_of(seat, from), p.open.major_of(seat, to)) else {
            return;
        };
        p.hidden.traits[one.number()].purse -= sum;
        let purse = &mut p.hidden.traits[other.number()].purse;
        *purse = purse.saturating_add(sum).min(60_000);
        if let Some(i) = p.find(seat, from) {
            p.hidden.men[i].shifted = true;
        }
    }

    /// Places go into the ward of others, once in a collection: in the turn after it.
    fn list_wards(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        if p.open.turn % self.atlas.every != 1 {
            return;
        }
        for i in 0..p.open.places.len() {
            let place = p.open.places[i];
            if place.lord() != Some(seat) {
                continue;
            }
            // From the lord himself to a vassal: so no place goes round in a circle.
            if place.guardian != p.open.lords[seat.index()].suzerain {
                continue;
            }
            for (id, major) in p.open.majors_of(seat) {
                if Some(id) != place.guardian && major.captor.is_none() {
                    ballot.allow(Action::Entrust(PlaceId::at(i), major.who));
                }
            }
        }
    }

    /// A place gets a guardian; fame stays where it was earned [3.42].
    pub(crate) fn set_guardian(&self, p: &mut Realm, id: PlaceId, to: Option<MajorId>) {
        p.open.places[id.number()].guardian = to;
    }

    /// Somebody has won a town: its fame is his [3.35].
    pub(crate) fn win_fame(&self, p: &mut Realm, id: PlaceId, to: Option<MajorId>) {
        self.lose_fame(p, id);
        let fame = self.atlas.place(id).fame as i8;
        if let Some(new) = to.filter(|_| fame > 0) {
            p.open.places[id.number()].famed = Some(new);
            Self::adjust(&mut p.open.majors[new.number()].fame, fame);
        }
    }

    /// A town is lost: whoever had fame by it has it no longer [3.35].
    pub(crate) fn lose_fame(&self, p: &mut Realm, id: PlaceId) {
        if let Some(old) = p.open.places[id.number()].famed.take() {
            Self::adjust(&mut p.open.majors[old.number()].fame, -(self.atlas.place(id).fame as i8));
        }
    }

    pub(super) fn entrust(
        &self,
        p: &mut Realm,
        seat: Seat,
        place: PlaceId,
        who: Who,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(id) = p.open.major_of(seat, who) else { return };
        self.set_guardian(p, place, Some(id));
        umpire.note(
            Readers::ALL,
            rule!("3.42"),
            format_args!("{} has {} in ward", self.tactics().named(who), self.atlas.place(place).name),
        );
    }

    /// What can be bought for a group: food and animals in a friendly town with a major character there \[S11\],
    /// engines at the market, or by who besieges \[S30\].
    pub(super) fn list_goods(
        &self,
        p: &Realm,
        seat: Seat,
        market: bool,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        for (id, group) in p.open.groups_of(seat) {
            let funds = self.funds_at(p, seat, group.at);
            let own = self.place_at(&p.open, group.at).is_some_and(|place| {
                p.open.place(place).lord() == Some(seat) && p.open.siege(place).is_none()
            });
            let town = self
                .place_at(&p.open, group.at)
                .is_some_and(|place| self.atlas.place(place).kind.is_town() && p.open.siege(place).is_none());
            let supplied = town && self.is_friendly(p, seat, group.at);
            let led = p.men_in(id).any(|m| p.open.major_of(seat, m.who).is_some());
            let besieges = self.besieges(p, seat, group.at);
            let cargo = &p.hidden.cargo[id.number()];
            for (_, good) in Good::ALL {
                let engine = good >= Good::Ladder;
                let here = if engine { besieges || market && own } else { supplied && led };
                let (price, most) = self.price(good);
                let room = match good {
                    Good::Rations => {
                        let carried = u16::from(cargo.mules) * self.atlas.mule_carries
                            + u16::from(cargo.carts) * self.atlas.cart_carries;
                        u32::from(carried.saturating_sub(cargo.rations) / self.atlas.prices.rations)
                    }
                    Good::Mule => most.saturating_sub(cargo.mules.into()),
                    Good::Cart => most.saturating_sub(cargo.carts.into()),
                    Good::Ladder => most.saturating_sub(cargo.ladders.into()),
                    Good::Ram => most.saturating_sub(cargo.rams.into()),
                    Good::Screen => most.saturating_sub(cargo.screens.into()),
                    Good::Mangonel => most.saturating_sub(cargo.mangonels.into()),
                    Good::Trebuchet => most.saturating_sub(cargo.trebuchets.into()),
                };
                let most = (funds / u32::from(price)).min(room).min(200);
                // In the camp of a siege engineers build them, each one at a time.
                let days = if engine && !(market && own) { self.days(good) } else { 0 };
                // Two engineers do not halve the days of one engine.
                let built = cargo.work.checked_div(days).map_or(most, |each| {
                    let hands = self.engineers(p, id);
                    let left = (u32::from(cargo.work) * hands).saturating_sub(cargo.toiled.into());
                    (u32::from(each) * hands).min(left / u32::from(days))
                });
                let most = most.min(built);
                let action = Action::Buy(good, id, 1);
                if !here {
                    let rule = if engine { rule!("S30") } else { rule!("S11") };
                    ballot.refuse(action, rule, format_args!("it is not sold there"));
                } else if days > 0 && built == 0 {
                    ballot.refuse(action, rule!("S30"), format_args!("no engineer has had the days for it"));
                } else if most == 0 {
                    ballot.refuse(action, rule!("3.75"), format_args!("there is no money or no room for it"));
                } else {
                    ballot.allow_range(action, 1, most);
                }
            }
        }
    }

    /// What a thing costs, and how many of it a group can have.
    fn price(&self, good: Good) -> (u16, u32) {
        let prices = &self.atlas.prices;
        match good {
            Good::Rations => (1, 200),
            Good::Mule => (prices.mule, 20),
            Good::Cart => (prices.cart, 5),
            Good::Ladder => (prices.ladder, 6),
            Good::Ram => (prices.ram, 2),
            Good::Screen => (prices.screen, 4),
            Good::Mangonel => (prices.mangonel, 6),
            Good::Trebuchet => (prices.trebuchet, 4),
        }
    }

    /// Days of an engineer's work that an engine takes \[S30\].
    fn days(&self, good: Good) -> u8 {
        match good {
            Good::Rations | Good::Mule | Good::Cart => 0,
            Good::Ladder | Good::Screen => self.atlas.engine_days[0],
            Good::Mangonel => self.atlas.engine_days[1],
            Good::Ram => self.atlas.engine_days[2],
            Good::Trebuchet => self.atlas.engine_days[3],
        }
    }

    pub(super) fn buy(
        &self,
        p: &mut Realm,
        seat: Seat,
        (good, id, n): (Good, GroupId, u8),
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        umpire.cite(if matches!(p.open.step(), Step::Market(_)) { rule!("3.75") } else { rule!("S11") });
        let (price, _) = self.price(good);
        let at = p.open.group(id).at;
        self.spend_at(p, seat, at, None, u32::from(price) * u32::from(n));
        let own = self.place_at(&p.open, at).is_some_and(|place| p.open.place(place).lord() == Some(seat));
        let camp = self.besieges(p, seat, at) && !(matches!(p.open.step(), Step::Market(_)) && own);
        let days = if camp { self.days(good).saturating_mul(n) } else { 0 };
        let cargo = &mut p.hidden.cargo[id.number()];
        cargo.toiled = cargo.toiled.saturating_add(days);
        match good {
            Good::Rations => cargo.rations += u16::from(n) * self.atlas.prices.rations,
            Good::Mule => cargo.mules += n,
            Good::Cart => cargo.carts += n,
            Good::Ladder => cargo.ladders += n,
            Good::Ram => cargo.rams += n,
            Good::Screen => cargo.screens += n,
            Good::Mangonel => cargo.mangonels += n,
            Good::Trebuchet => cargo.trebuchets += n,
        }
    }
}

//! Every fifth turn, after the collection: points of diplomacy are given, men advance, are recruited, things are
//! bought, all lords at once [3.32, 3.44, 3.6, 3.75].

use table::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::campaign::atlas::{hired, knights};
use crate::ids::{Counter, Who};
use crate::realm::{MajorId, Novice, Person, Realm, Recruiting, Step, Trait, side_of};

impl Campaign {
    pub(super) fn begin_market(&self, p: &mut Realm) {
        p.hidden.recruiting = Default::default();
        p.hidden.novices = Default::default();
        for man in &mut p.hidden.men {
            man.risen = false;
        }
        p.open.agenda.replace(Step::Market(SeatSet::NONE));
    }

    pub(super) fn list_market(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let lord = &p.open.lords[seat.index()];
        if lord.owed > 0 {
            for (_, major) in p.open.majors_of(seat) {
                ballot.allow(Action::Polish(major.who));
            }
            ballot.refuse(
                Action::Done,
                rule!("3.32"),
                format_args!("a point of diplomacy is still to be given"),
            );
            return;
        }
        ballot.allow(Action::Done);
        for (id, major) in p.open.majors_of(seat) {
            match self.may_recruit(p, seat, id) {
                Ok(()) => ballot.allow(Action::Recruit(major.who)),
                Err(why) => {
                    ballot.refuse(Action::Recruit(major.who), rule!("3.44"), format_args!("{why}"));
                }
            }
        }
        if let Some(recruiting) = p.hidden.recruiting[seat.index()] {
            self.list_recruits(p, seat, recruiting, ballot);
        }
        self.list_lessons(p, seat, ballot);
        self.list_advances(p, seat, ballot);
        self.list_ships(p, seat, ballot);
        self.list_castle_works(p, seat, ballot);
        self.list_goods(p, seat, true, ballot);
    }

    pub(super) fn polish(&self, p: &mut Realm, seat: Seat, who: Who) {
        if let Some(id) = p.open.major_of(seat, who) {
            Self::adjust(&mut p.hidden.traits[id.number()].diplomacy, 1);
            p.open.lords[seat.index()].owed = 0;
        }
    }

    /// Whether somebody may recruit where he is; else why not [3.44].
    fn may_recruit(&self, p: &Realm, seat: Seat, id: MajorId) -> Result<(), &'static str> {
        let major = p.open.major(id);
        if major.captor.is_some() {
            return Err("he is a prisoner");
        }
        if p.hidden.traits[id.number()].recruited == p.open.turn {
            return Err("he has recruited");
        }
        let Some(place) = self.place_of(p, id) else { return Err("he is in no town") };
        let there = p.open.place(place);
        if !self.atlas.place(place).kind.is_town() {
            return Err("men are recruited in towns");
        }
        if p.open.siege(place).is_some() {
            return Err("the town is besieged");
        }
        match there.holder {
            _ if there.side != Some(side_of(seat)) => Err("the town belongs to the other side"),
            Some(holder) if holder == seat || p.allied(holder, seat) => Ok(()),
            Some(_) => Err("the town is another lord's"),
            None => Ok(()),
        }
    }

    /// Somebody recruits: in a neutral town its lord must agree; then his dice are drawn for him alone [3.44].
    pub(super) fn recruit(&self, p: &mut Realm, seat: Seat, who: Who, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(id) = p.open.major_of(seat, who) else { return };
        p.hidden.traits[id.number()].recruited = p.open.turn;
        let neutral = self.place_of(p, id).is_some_and(|place| p.open.place(place).holder.is_none());
        let own = Readers::only(seat.into());
        let leads = p.hidden.traits[id.number()].command + p.open.major(id).fame;
        if neutral {
            let roll = umpire.draw(own, 10, &|n| (n + 1).to_string()) + 1;
            let total = roll + u16::from(p.open.major(id).fame);
            let may = total >= 7;
            umpire.note(
                own,
                rule!("3.44"),
                format_args!(
                    "{} has {total} of 7 for leave to recruit: {}",
                    self.tactics().named(who),
                    if may { "granted" } else { "refused" }
                ),
            );
            if !may {
                p.hidden.recruiting[seat.index()] = None;
                return;
            }
        }
        let mut dice = [0u8; 6];
        for _ in 0..(leads * 2).min(40) {
            let face = umpire.draw(own, 6, &|n| (n + 1).to_string());
            dice[usize::from(face)] += 1;
        }
        umpire.note(
            own,
            rule!("3.44"),
            format_args!(
                "{} finds {} men who would follow him",
                self.tactics().named(who),
                dice.iter().sum::<u8>()
            ),
        );
        p.hidden.recruiting[seat.index()] = Some(Recruiting { major: id, dice });
    }

    /// The least die that pays for a man.
    fn die_for(&self, p: &Realm, recruiting: &Recruiting, cost: u16) -> Option<usize> {
        let id = recruiting.major;
        let leads = u16::from(p.hidden.traits[id.number()].command) + u16::from(p.open.major(id).fame);
        (0..6).find(|face| recruiting.dice[*face] > 0 && leads * (*face as u16 + 1) >= cost)
    }

    /// A second man with a counter joins a lord only when he has all of the type [3.66].
    fn recruit_name(&self, p: &Realm, seat: Seat, counter: Counter) -> Option<Who> {
        let data = &self.tactics().data;
        let kind = data.counters[counter.number()].kind;
        let count = |c: Counter| p.men_of(seat).filter(|m| m.who.counter == c).count();
        let same = |c: &Counter| data.counters[c.number()].kind == kind && data.for_sale(*c, side_of(seat));
        let fewest = (0..data.counters.len()).map(Counter::at).filter(same).map(count).min().unwrap_or(0);
        if count(counter) > fewest { None } else { self.next_double(p, seat, counter) }
    }

    fn list_recruits(
        &self,
        p: &Realm,
        seat: Seat,
        recruiting: Recruiting,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let data = &self.tactics().data;
        // Who is with him pays with him [3.44, 3.7].
        let group = p.group_of(recruiting.major);
        let funds = group.map_or(0, |g| self.funds_at(p, seat, p.open.group(g).at));
        let crowded = group.is_some_and(|g| p.men_in(g).count() >= self.limit(self.best_class(p, g, None)));
        let full = p.men_of(seat).count() >= 120;
        let least: u16 = self.atlas.creation.costs.iter().sum();
        let side = side_of(seat);
        for counter in hired(data, side).chain(knights(data, side)) {
            let action = Action::Hire(counter);
            let cost = data.card(counter).cost;
            let knight = self.is_knight(counter);
            let price = u32::from(cost)
                + if knight { u32::from(least + self.atlas.creation.vassal_purse) } else { 0 };
            let vassals = p.open.majors_of(seat).count() >= 12;
            if self.die_for(p, &recruiting, cost).is_none() {
                ballot.refuse(action, rule!("3.44"), format_args!("no man of such worth has come"));
            } else if price > funds {
                ballot.refuse(action, rule!("3.44"), format_args!("his purse does not hold so much"));
            } else if full || knight && vassals {
                ballot.refuse(action, rule!("3.44"), format_args!("you have men enough"));
            } else if crowded {
                ballot.refuse(action, rule!("S6"), format_args!("nobody there leads so many"));
            } else if self.recruit_name(p, seat, counter).is_none() {
                ballot.refuse(action, rule!("3.66"), format_args!("you have him, and not all of his type"));
            } else {
                ballot.allow(action);
            }
        }
    }

    pub(super) fn recruit_man(
        &self,
        p: &mut Realm,
        seat: Seat,
        counter: Counter,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(mut recruiting) = p.hidden.recruiting[seat.index()] else { return };
        let cost = self.tactics().data.card(counter).cost;
        let Some(die) = self.die_for(p, &recruiting, cost) else { return };
        let (Some(who), Some(group)) = (self.recruit_name(p, seat, counter), p.group_of(recruiting.major))
        else {
            return;
        };
        recruiting.dice[die] -= 1;
        p.hidden.recruiting[seat.index()] = Some(recruiting);
        let hex = p.open.group(group).at;
        self.spend_at(p, seat, hex, Some(recruiting.major), cost.into());
        if self.is_knight(counter) {
            let least: u16 = self.atlas.creation.costs.iter().sum();
            let more = least + self.atlas.creation.vassal_purse;
            self.spend_at(p, seat, hex, Some(recruiting.major), more.into());
            let c = &self.atlas.creation;
            let major = self.add_major(p, seat, &Person { who, traits: [1; 5] }, c.vassal_purse);
            let left = c.vassal.saturating_sub(cost + least);
            let payer = Some(recruiting.major);
            p.hidden.novices[seat.index()] = Some(Novice { major, left, payer });
            umpire.note(
                Readers::ALL,
                rule!("3.44"),
                format_args!("{} becomes a vassal of {}", self.tactics().named(who), self.lord_name(seat)),
            );
        }
        let man = self.fresh_man(seat, who, group);
        self.add_man(p, man);
        self.stir(p, group);
    }

    /// The characteristics of a new vassal, as far as his points and the purse of who recruits him go; experience is not
    /// taught to who rose from the ranks [3.44, 3.64].
    fn list_lessons(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(novice) = p.hidden.novices[seat.index()] else { return };
        let purse = novice.payer.map_or(u16::MAX, |id| p.hidden.traits[id.number()].purse);
        for (_, which) in Trait::ALL {
            let action = Action::Raise(which, 1);
            let most = novice.left.min(purse) / self.atlas.creation.costs[which as usize];
            if which == Trait::Experience && novice.payer.is_none() {
                ballot.refuse(action, rule!("3.64"), format_args!("his experience is what is left to him"));
            } else if most == 0 {
                ballot.refuse(
                    action,
                    rule!("3.44"),
                    format_args!("neither his points nor the purse suffice"),
                );
            } else {
                ballot.allow_range(action, 1, most.into());
            }
        }
    }

    pub(super) fn teach(&self, p: &mut Realm, seat: Seat, which: Trait, n: u8) {
        let Some(mut novice) = p.hidden.novices[seat.index()] else { return };
        let cost = u16::from(n) * self.atlas.creation.costs[which as usize];
        novice.left -= cost;
        if let Some(payer) = novice.payer {
            p.hidden.traits[payer.number()].purse -= cost;
        }
        p.hidden.novices[seat.index()] = Some(novice);
        let id = novice.major;
        match which {
            Trait::Honour => Self::adjust(&mut p.open.majors[id.number()].honour, n as i8),
            Trait::Command => Self::adjust(&mut p.hidden.traits[id.number()].command, n as i8),
            Trait::Diplomacy => Self::adjust(&mut p.hidden.traits[id.number()].diplomacy, n as i8),
            Trait::Charisma => Self::adjust(&mut p.hidden.traits[id.number()].charisma, n as i8),
            Trait::Experience => {
                if let Some(man) = p.find(seat, p.open.major(id).who) {
                    Self::adjust(&mut p.hidden.men[man].experience, n as i8);
                }
            }
        }
    }

    /// What a man may become, and what it costs in experience and dinars [3.61 to 3.63].
    pub(crate) fn advance_cost(
        &self,
        p: &Realm,
        seat: Seat,
        who: Who,
        to: Counter,
    ) -> Result<(u8, u16), (table::Rule, &'static str)> {
        let data = &self.tactics().data;
        let Some(n) = p.find(seat, who) else { return Err((rule!("3.61"), "he is not yours")) };
        let man = p.hidden.men[n];
        let (old, new) = (data.card(who.counter), data.card(to));
        let step = self.atlas.advances.iter().find(|a| a.from == old.kind && a.to.contains(&new.kind));
        let Some(step) = step else { return Err((rule!("3.62"), "no way leads from the one to the other")) };
        if man.heals > 0 {
            return Err((rule!("3.61"), "he is wounded"));
        }
        if man.risen {
            return Err((rule!("3.62"), "he has risen in this market"));
        }
        if self.is_knight(to)
            && new.cost + self.atlas.creation.costs[1..].iter().sum::<u16>() > self.atlas.creation.vassal
        {
            return Err((rule!("3.64"), "no point would be left for each characteristic"));
        }
        if man.experience < step.experience {
            return Err((rule!("3.61"), "he has too little experience"));
        }
        let Some(group) = man.group else { return Err((rule!("3.61"), "he is a prisoner")) };
        let hex = p.open.group(group).at;
        let majors = self.majors_at(p, seat, hex).count();
        let suzerain = p.open.lords[seat.index()].suzerain;
        let lord = self.majors_at(p, seat, hex).any(|id| Some(id) == suzerain);
        let knight = self.is_knight(to);
        if majors == 0 || knight && !lord && majors < 2 {
            return Err((rule!("3.61"), "who could raise him is not there"));
        }
        if knight && p.open.majors_of(seat).count() >= 12 {
            return Err((rule!("3.64"), "you have vassals enough"));
        }
        let rise = |one: u8, other: u8| other.saturating_sub(one);
        let most =
            rise(old.foot[0].attack, new.foot[0].attack).max(rise(old.foot[0].defence, new.foot[0].defence));
        let rides = old.mounted.is_none() && new.mounted.is_some();
        let points = most.div_ceil(2) + if rides { 2 } else { 0 };
        if man.experience < points + 1 {
            return Err((rule!("3.62"), "one point of experience must stay"));
        }
        let (was, is) = (&data.kinds[old.kind], &data.kinds[new.kind]);
        let prices = &self.atlas.prices;
        let mut dinars = 0;
        if is.armoured && !was.armoured {
            dinars += prices.mail;
        }
        if rides {
            dinars += prices.horse;
        }
        if is.armoured && is.mounted.is_some() && !(was.armoured && was.mounted.is_some()) {
            dinars += prices.heavy;
        }
        if knight {
            dinars += self.atlas.creation.vassal_purse;
        }
        if u32::from(dinars) > self.funds_at(p, seat, hex) {
            return Err((rule!("3.63"), "his equipment cannot be paid"));
        }
        if self.recruit_name(p, seat, to).is_none() {
            return Err((rule!("3.66"), "you have that man, and not all of his type"));
        }
        Ok((points, dinars))
    }

    fn list_advances(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let data = &self.tactics().data;
        for man in p.men_of(seat).filter(|m| m.group.is_some()) {
            let kind = data.counters[man.who.counter.number()].kind;
            if data.card(man.who.counter).elite.is_some() {
                match self.may_be_elite(p, seat, man.who) {
                    Ok(_) => ballot.allow(Action::Elite(man.who)),
                    Err((rule, why)) => ballot.refuse(Action::Elite(man.who), rule, format_args!("{why}")),
                }
            }
            let Some(step) = self.atlas.advances.iter().find(|a| a.from == kind) else { continue };
            if man.experience < step.experience {
                continue;
            }
            for number in 0..data.counters.len() {
                let to = Counter::at(number);
                if !step.to.contains(&data.counters[number].kind) || !data.for_sale(to, side_of(seat)) {
                    continue;
                }
                match self.advance_cost(p, seat, man.who, to) {
                    Ok(_) => ballot.allow(Action::Advance(man.who, to)),
                    Err((rule, why)) => {
                        ballot.refuse(Action::Advance(man.who, to), rule, format_args!("{why}"));
                    }
                }
            }
        }
    }

    pub(super) fn advance_man(
        &self,
        p: &mut Realm,
        seat: Seat,
        who: Who,
        to: Counter,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Ok((points, dinars)) = self.advance_cost(p, seat, who, to) else { return };
        let (Some(n), Some(name)) = (p.find(seat, who), self.recruit_name(p, seat, to)) else { return };
        if let Some(group) = p.hidden.men[n].group {
            self.spend_at(p, seat, p.open.group(group).at, None, dinars.into());
        }
        let man = &mut p.hidden.men[n];
        man.experience -= points;
        man.risen = true;
        man.who = name;
        man.life = self.tactics().data.card(to).life;
        let (group, experience) = (man.group, man.experience);
        if self.is_knight(to) {
            // His characteristics are free; he has as many points as any vassal [3.64].
            let c = &self.atlas.creation;
            let basic = self.tactics().data.card(to).cost;
            let left = c.vassal.saturating_sub(basic + c.costs[1..].iter().sum::<u16>());
            let person = Person { who: name, traits: [experience, 1, 1, 1, 1] };
            let major = self.add_major(p, seat, &person, c.vassal_purse);
            p.hidden.novices[seat.index()] = Some(Novice { major, left, payer: None });
            umpire.note(
                Readers::ALL,
                rule!("3.64"),
                format_args!(
                    "{} is raised to be {} of {}",
                    self.tactics().named(who),
                    self.tactics().named(name),
                    self.lord_name(seat)
                ),
            );
        }
        umpire.cite(rule!("3.62"));
        if let Some(group) = group {
            self.stir(p, group);
        }
    }

    /// Whether a man of regular infantry may become elite; else why not: one point of his experience pays for it [3.62].
    fn may_be_elite(&self, p: &Realm, seat: Seat, who: Who) -> Result<Counter, (table::Rule, &'static str)> {
        let Some(n) = p.find(seat, who) else { return Err((rule!("3.61"), "he is not yours")) };
        let man = p.hidden.men[n];
        let Some(elite) = self.tactics().data.card(who.counter).elite else {
            return Err((rule!("3.62"), "only regular infantry becomes elite"));
        };
        let Some(group) = man.group else { return Err((rule!("3.61"), "he is a prisoner")) };
        if man.heals > 0 {
            Err((rule!("3.61"), "he is wounded"))
        } else if man.risen {
            Err((rule!("3.62"), "he has risen in this market"))
        } else if man.experience < self.atlas.elite {
            Err((rule!("3.61"), "he has too little experience"))
        } else if self.majors_at(p, seat, p.open.group(group).at).next().is_none() {
            Err((rule!("3.61"), "who could raise him is not there"))
        } else if self.next_double(p, seat, elite).is_none() {
            Err((rule!("3.66"), "you have men of that name enough"))
        } else {
            Ok(elite)
        }
    }

    pub(super) fn make_elite(
        &self,
        p: &mut Realm,
        seat: Seat,
        who: Who,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        umpire.cite(rule!("3.62"));
        let (Ok(elite), Some(n)) = (self.may_be_elite(p, seat, who), p.find(seat, who)) else { return };
        let Some(name) = self.next_double(p, seat, elite) else { return };
        let man = &mut p.hidden.men[n];
        (man.who, man.life, man.risen) = (name, self.tactics().data.card(elite).life, true);
        man.experience -= 1;
        if let Some(group) = man.group {
            self.stir(p, group);
        }
    }
}

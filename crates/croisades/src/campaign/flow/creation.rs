//! Lord, vassals and companions are made by points, all lords at once and in secret [3.14, 3.66].

use table::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::campaign::atlas::{hired, knights};
use crate::ids::{Counter, Side, Who};
use crate::realm::{Major, MajorId, Open, Person, Realm, Sheet, Step, Title, Trait, Traits, side_of};

impl Campaign {
    pub(super) fn begin_creation(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.agenda.replace(Step::Creation(SeatSet::NONE));
        if self.atlas.scenarios[usize::from(p.open.scenario)].ready {
            for seat in p.open.playing().iter() {
                self.fill_sheet(p, seat);
            }
            self.muster_all(p, umpire);
        }
    }

    /// What the characteristics of somebody have cost.
    fn trait_cost(&self, person: &Person) -> u16 {
        (0..5).map(|i| u16::from(person.traits[i]) * self.atlas.creation.costs[i]).sum()
    }

    /// What the least of each characteristic that has not been named yet will cost.
    fn reserve(&self, person: &Person) -> u16 {
        (0..5).filter(|i| person.traits[*i] == 0).map(|i| self.atlas.creation.costs[i]).sum()
    }

    fn basic(&self, who: Who) -> u16 {
        self.tactics().data.card(who.counter).cost
    }

    /// Points for companions: more in a rich start, but not for who comes later [3.14, 3.16, scenario.4, scenario.7].
    pub(crate) fn companions(&self, open: &Open) -> u16 {
        let rich = self.atlas.scenarios[usize::from(open.scenario)].rich && open.turn == 0;
        self.atlas.creation.companions[usize::from(rich)]
    }

    /// Points of the companions that are left [3.14].
    pub(crate) fn points_left(&self, open: &Open, sheet: &Sheet) -> u16 {
        let c = &self.atlas.creation;
        let vassals: u16 = sheet
            .majors
            .iter()
            .skip(1)
            .map(|v| self.basic(v.who) + self.trait_cost(v) + self.reserve(v) + c.vassal_purse)
            .sum();
        let men: u16 = sheet.men.iter().map(|who| self.basic(*who)).sum();
        self.companions(open).saturating_sub(vassals + men)
    }

    /// The most that the person named last can have of a characteristic.
    pub(crate) fn most_of(&self, open: &Open, sheet: &Sheet, which: Trait) -> u16 {
        let Some(person) = sheet.majors.last() else { return 0 };
        let c = &self.atlas.creation;
        let lord = sheet.majors.len() == 1;
        let sum = if lord { c.lord } else { c.vassal };
        let spent = self.basic(person.who) + self.trait_cost(person) + self.reserve(person);
        let mut left = sum.saturating_sub(spent);
        if !lord {
            left = left.min(self.points_left(open, sheet));
        }
        (left + c.costs[which as usize]) / c.costs[which as usize]
    }

    fn complete(sheet: &Sheet) -> bool {
        sheet.majors.last().is_some_and(|person| person.traits.iter().all(|n| *n > 0))
    }

    /// The next man with a counter: a second one only when all of the type are taken [3.66].
    fn free_counter(&self, sheet: &Sheet, side: Side, counter: Counter) -> Option<Who> {
        let data = &self.tactics().data;
        let count = |c: Counter| {
            let men = sheet.men.iter().filter(|who| who.counter == c).count();
            men + sheet.majors.iter().filter(|m| m.who.counter == c).count()
        };
        let own = count(counter);
        let kind = data.counters[counter.number()].kind;
        let same = |c: &Counter| data.counters[c.number()].kind == kind && data.for_sale(*c, side);
        let fewest = (0..data.counters.len()).map(Counter::at).filter(same).map(count).min().unwrap_or(0);
        (own <= fewest && own < 9).then_some(Who { counter, double: own as u8 })
    }

    pub(super) fn list_creation(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let sheet = &p.hidden.sheets[seat.index()];
        let (data, side, c) = (&self.tactics().data, side_of(seat), &self.atlas.creation);
        if sheet.majors.is_empty() {
            ballot.allow(Action::Ready);
            for counter in knights(data, side) {
                let least: u16 = c.costs.iter().sum();
                if data.card(counter).cost + least <= c.lord {
                    ballot.allow(Action::Lord(counter));
                } else {
                    ballot.refuse(
                        Action::Lord(counter),
                        rule!("3.14"),
                        format_args!("nothing would be left for his characteristics"),
                    );
                }
            }
            ballot.refuse(Action::Seal, rule!("3.14"), format_args!("the lord himself is missing"));
            return;
        }
        let complete = Self::complete(sheet);
        for (_, which) in Trait::ALL {
            let person = &sheet.majors[sheet.majors.len() - 1];
            if person.traits[which as usize] == 0 {
                let most = self.most_of(&p.open, sheet, which);
                ballot.allow_range(Action::Raise(which, 1), 1, most.into());
                let (none, over) = (Action::Raise(which, 0), Action::Raise(which, most.min(254) as u8 + 1));
                ballot.refuse(
                    none,
                    rule!("3.14"),
                    format_args!("each characteristic needs a point at least"),
                );
                ballot.refuse(over, rule!("3.14"), format_args!("your points do not suffice"));
            } else {
                ballot.refuse(Action::Raise(which, 1), rule!("3.14"), format_args!("it has been given"));
            }
        }
        if !complete {
            ballot.refuse(
                Action::Seal,
                rule!("3.14"),
                format_args!("each characteristic needs a point at least"),
            );
            return;
        }
        ballot.allow(Action::Seal);
        let left = self.points_left(&p.open, sheet);
        let least: u16 = c.costs.iter().sum::<u16>() + c.vassal_purse;
        for counter in knights(data, side) {
            let action = Action::Vassal(counter);
            if self.free_counter(sheet, side, counter).is_none() {
                ballot.refuse(action, rule!("3.66"), format_args!("you have him, and not all of his type"));
            } else if sheet.majors.is_full() || data.card(counter).cost + least > left {
                ballot.refuse(action, rule!("3.14"), format_args!("your points do not suffice"));
            } else if data.card(counter).cost + least - c.vassal_purse > c.vassal {
                ballot.refuse(
                    action,
                    rule!("3.14"),
                    format_args!("a vassal has at most {} points", c.vassal),
                );
            } else {
                ballot.allow(action);
            }
        }
        for counter in hired(data, side) {
            let action = Action::Hire(counter);
            if self.free_counter(sheet, side, counter).is_none() {
                ballot.refuse(action, rule!("3.66"), format_args!("you have him, and not all of his type"));
            } else if sheet.men.is_full() || data.card(counter).cost > left {
                ballot.refuse(action, rule!("3.14"), format_args!("your points do not suffice"));
            } else {
                ballot.allow(action);
            }
        }
    }

    pub(super) fn name_lord(&self, p: &mut Realm, seat: Seat, counter: Counter) {
        let sheet = &mut p.hidden.sheets[seat.index()];
        sheet.majors.push(Person { who: Who::first(counter), traits: [0; 5] });
    }

    pub(super) fn name_vassal(&self, p: &mut Realm, seat: Seat, counter: Counter) {
        let sheet = &p.hidden.sheets[seat.index()];
        if let Some(who) = self.free_counter(sheet, side_of(seat), counter) {
            p.hidden.sheets[seat.index()].majors.push(Person { who, traits: [0; 5] });
        }
    }

    pub(super) fn raise(&self, p: &mut Realm, seat: Seat, which: Trait, n: u8) {
        if let Some(person) = p.hidden.sheets[seat.index()].majors.last_mut() {
            person.traits[which as usize] = n;
        }
    }

    pub(super) fn hire(&self, p: &mut Realm, seat: Seat, counter: Counter) {
        let sheet = &p.hidden.sheets[seat.index()];
        if let Some(who) = self.free_counter(sheet, side_of(seat), counter) {
            p.hidden.sheets[seat.index()].men.push(who);
        }
    }

    /// The ready-made company: a lord of middling strength, two vassals, and men of all kinds.
    pub(crate) fn fill_sheet(&self, p: &mut Realm, seat: Seat) {
        let (data, side) = (&self.tactics().data, side_of(seat));
        let sheet = &mut p.hidden.sheets[seat.index()];
        *sheet = Sheet::default();
        let c = self.atlas.creation;
        let least: u16 = c.costs.iter().sum();
        let shift = seat.index() / 2;
        for number in 0..3usize {
            let sum = if number == 0 { c.lord } else { c.vassal };
            // As dear as leaves half of the points for characteristics, another one for each lord of a side.
            let fits = |counter: &Counter| {
                let taken = sheet.majors.iter().any(|m| m.who.counter == *counter);
                !taken && data.card(*counter).cost + least <= sum
            };
            let aim = sum / 2;
            let mut best: Option<(u16, Counter)> = None;
            for (i, counter) in knights(data, side).enumerate() {
                let off = data.card(counter).cost.abs_diff(aim) + 3 * (i.abs_diff(shift * 3 + number) as u16);
                if fits(&counter) && best.is_none_or(|(least, _)| off < least) {
                    best = Some((off, counter));
                }
            }
            let Some((_, counter)) = best else { break };
            let mut person = Person { who: Who::first(counter), traits: [1; 5] };
            let mut left = sum - data.card(counter).cost - least;
            let wishes = [Trait::Diplomacy, Trait::Diplomacy, Trait::Command, Trait::Charisma, Trait::Honour];
            let mut stuck = 0;
            for which in wishes.into_iter().cycle() {
                let cost = c.costs[which as usize];
                if cost > left {
                    stuck += 1;
                    if stuck > wishes.len() {
                        break;
                    }
                    continue;
                }
                left -= cost;
                person.traits[which as usize] += 1;
                stuck = 0;
            }
            sheet.majors.push(person);
        }
        // Men by turns of price, so that no kind is missing: every fourth counter, then the next of each four.
        for round in 0..4usize {
            for (i, counter) in hired(data, side).enumerate() {
                let sheet = &p.hidden.sheets[seat.index()];
                let fighter = data.kind(counter).class < 6 && data.kind(counter).points > 0;
                if (i + shift) % 4 != round || !fighter || sheet.men.is_full() {
                    continue;
                }
                if data.card(counter).cost <= self.points_left(&p.open, sheet)
                    && let Some(who) = self.free_counter(sheet, side, counter)
                {
                    p.hidden.sheets[seat.index()].men.push(who);
                }
            }
        }
    }

    pub(super) fn ready_made(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        self.fill_sheet(p, seat);
        self.seal_company(p, seat, umpire);
    }

    pub(super) fn seal_company(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::Creation(done) = p.open.step() else { return };
        let done = done.with(seat);
        p.open.agenda.replace(Step::Creation(done));
        if !p.open.playing().minus(done).is_empty() {
            return;
        }
        if p.open.agenda.steps().len() < 2 {
            self.muster_all(p, umpire);
        } else {
            // Somebody has begun anew in the middle of a turn [3.16].
            umpire.reveal(Readers::ALL);
            self.muster_one(p, seat, umpire);
            p.open.agenda.pop();
            self.resume(p, umpire);
        }
    }

    /// All are ready: companies stand at their castles, and the first turn begins.
    fn muster_all(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.reveal(Readers::ALL);
        for seat in self.newly_come(p).iter() {
            self.muster_one(p, seat, umpire);
        }
        if p.open.turn == 0 {
            self.begin_turn(p, umpire);
        } else {
            self.next_arrival(p, umpire);
        }
    }

    /// A lord's sheet becomes men of flesh and blood at his castle.
    pub(super) fn muster_one(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let castle = |i: &usize| {
            p.open.places[*i].lord() == Some(seat)
                && self.atlas.places[*i].kind == crate::campaign::atlas::Kind::Border
        };
        let Some(castle) = (0..p.open.places.len()).find(castle) else { return };
        let at = self.atlas.places[castle].hex;
        let sheet = std::mem::take(&mut p.hidden.sheets[seat.index()]);
        let Some(group) = self.add_group(p, seat, at) else { return };
        for (i, person) in sheet.majors.iter().enumerate() {
            let purse =
                if i == 0 { self.atlas.creation.lord_purse } else { self.atlas.creation.vassal_purse };
            let id = self.add_major(p, seat, person, purse);
            let mut man = self.fresh_man(seat, person.who, group);
            man.experience = person.traits[Trait::Experience as usize];
            self.add_man(p, man);
            if i == 0 {
                p.open.lords[seat.index()].suzerain = Some(id);
                p.open.majors[id.number()].fame = self.atlas.creation.fame;
            }
        }
        for who in &sheet.men {
            let man = self.fresh_man(seat, *who, group);
            self.add_man(p, man);
        }
        // The lord himself has all his places in ward at first.
        let lord = p.open.lords[seat.index()].suzerain;
        for i in 0..p.open.places.len() {
            if p.open.places[i].lord() == Some(seat) {
                self.set_guardian(p, crate::realm::PlaceId::at(i), lord);
            }
        }
        self.recount(p, group, false);
        let name = lord.map(|id| self.tactics().named(p.open.major(id).who));
        if let Some(name) = name {
            umpire.note(
                Readers::ALL,
                rule!("3.14"),
                format_args!(
                    "{name} stands for {} at {}",
                    self.lord_name(seat),
                    self.atlas.places[castle].name
                ),
            );
        }
    }

    /// A major character enters the game.
    pub(crate) fn add_major(&self, p: &mut Realm, seat: Seat, person: &Person, purse: u16) -> MajorId {
        let of = |which: Trait| person.traits[which as usize];
        let major = Major {
            lord: Some(seat),
            who: person.who,
            // Only the lord himself begins with fame [3.14].
            fame: 0,
            honour: of(Trait::Honour),
            title: Title::Knight,
            wife: None,
            captor: None,
            keeper: None,
            taker: None,
            suited: 0,
            courted: 0,
        };
        let traits = Traits {
            command: of(Trait::Command),
            diplomacy: of(Trait::Diplomacy),
            charisma: of(Trait::Charisma),
            purse,
            recruited: 0,
        };
        match p.open.majors.iter().position(|m| m.lord.is_none()) {
            Some(slot) => {
                p.open.majors[slot] = major;
                p.hidden.traits[slot] = traits;
                MajorId::at(slot)
            }
            None => {
                p.open.majors.push(major);
                p.hidden.traits.push(traits);
                MajorId::at(p.open.majors.len() - 1)
            }
        }
    }
}

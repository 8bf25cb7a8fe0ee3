//! Strongholds [17.1 to 17.5, 17.8 to 17.11]: who is inside, calls for surrender, the fall of a place, and Powers that
//! have none left.

use table::{Ballot, Id as _, Readers, Seat, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::Stance;
use crate::ids::{Leaders, Power, Powers, Space, Units};
use crate::position::{Forbidden, Hold, Host, March, Mark, Open, Owner, Place, Position, Step};
use crate::words::signed;

/// The base of every resistance factor [17.4].
const BASE: i8 = 3;
/// No resistance is higher.
pub(super) const MOST: i8 = 8;
/// Fewer units than this make a call weak [17.5].
const HOST: usize = 6;

/// How a stronghold is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fall {
    /// By a call for surrender.
    Call,
    /// By assault; whether it was blockaded.
    Assault(bool),
    /// By treason, as by an assault on a place that is not blockaded, but no assault.
    Betrayed,
}

impl KingdomOfHeaven {
    /// How many more leaders and units fit into a stronghold.
    pub(crate) fn room_inside(&self, o: &Open, at: Space, seat: Seat) -> usize {
        match o.holds[at] {
            Some(hold) if hold.city => usize::MAX / 2,
            Some(_) => {
                let (units, leaders) = self.within(o, at, seat);
                usize::from(self.components.castle.capacity).saturating_sub(units.len() + leaders.len())
            }
            None => 0,
        }
    }

    /// Those in a space who may still go inside: not those who have just come to fight.
    fn may_shelter(&self, o: &Open, at: Space, seat: Seat) -> (Units, Leaders) {
        let (units, leaders) = self.outside(o, at, seat);
        let came = self.came(o);
        (units - came.0, leaders - came.1)
    }

    pub(super) fn list_shelter(
        &self,
        p: &Position,
        seat: Seat,
        at: Space,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let o = &p.open;
        ballot.allow(Action::Done);
        let (units, leaders) = self.may_shelter(o, at, seat);
        if self.room_inside(o, at, seat) == 0 {
            self.sorts(o, units, |sort| {
                ballot.refuse(Action::Inside(sort), rule!("17.2.1"), format_args!("the castle is full"))
            });
            return;
        }
        if units.is_empty() && leaders.is_empty() {
            return;
        }
        ballot.allow(Action::AllInside);
        self.sorts(o, units, |sort| ballot.allow(Action::Inside(sort)));
        for leader in leaders {
            ballot.allow(Action::InsideLeader(leader));
        }
    }

    pub(super) fn act_shelter(
        &self,
        p: &mut Position,
        seat: Seat,
        at: Space,
        _: bool,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let (units, leaders) = self.may_shelter(&p.open, at, seat);
        match action {
            Action::Inside(sort) => {
                if let Some(unit) = self.one_of(&p.open, units, sort) {
                    p.open.inside.insert(unit);
                }
            }
            Action::InsideLeader(leader) => p.open.inside_led.insert(leader),
            Action::AllInside => {
                let mut room = self.room_inside(&p.open, at, seat);
                for leader in leaders.iter().take(room) {
                    p.open.inside_led.insert(leader);
                    room -= 1;
                }
                for unit in units.iter().take(room) {
                    p.open.inside.insert(unit);
                }
                let place = self.space_name(at);
                umpire.note(Readers::ALL, rule!("17.2"), format_args!("The defenders go inside {place}"));
                p.open.agenda.pop();
            }
            _ => {
                p.open.agenda.pop();
            }
        }
        umpire.cite(rule!("17"));
        umpire.cite(rule!("17.1"));
        umpire.cite(rule!("17.2.1"));
    }

    /// The resistance factor as it is reckoned [17.4].
    pub(crate) fn resistance(&self, o: &Open, at: Space) -> u8 {
        let rf: i8 = self.resistance_parts(o, at).iter().map(|(_, n)| n).sum();
        rf.clamp(0, MOST) as u8
    }

    /// What the resistance factor is made of.
    pub(crate) fn resistance_parts(&self, o: &Open, at: Space) -> [(&'static str, i8); 7] {
        let mark = &o.marks[at];
        let mut parts = [
            ("Any stronghold", 0),
            ("By events", 0),
            ("Half the battle rating of the leader inside", 0),
            ("A city: each two steps inside, two at most", 0),
            ("A port", 0),
            ("A castle of this Power", 0),
            ("A low garrison", 0),
        ];
        let Some(hold) = o.holds[at] else { return parts };
        parts[0].1 = BASE;
        parts[1].1 = mark.while_held + mark.for_good;
        if let Some(seat) = self.holder(o, hold) {
            let (units, leaders) = self.within(o, at, seat);
            let best = self.ranking(leaders).map_or(0, |l| self.components.leader(l).battle as i8);
            parts[2].1 = (best + 1) / 2;
            if hold.city {
                parts[3].1 = (self.steps(o, units) / 2).min(2) as i8;
            }
        }
        parts[4].1 = i8::from(self.components.space(at).any_port());
        if !hold.city
            && let Owner::Of(power) = hold.owner
        {
            let data = self.components.power(power);
            parts[5].1 = data.castle_rf;
            parts[6].1 = if hold.full { 0 } else { data.castle_low_rf };
        }
        parts
    }

    /// What an army may do before a stronghold [17.5, 17.6].
    pub(super) fn list_gate(&self, o: &Open, march: &March, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let (seat, at) = (march.seat, march.at);
        if march.vassal && self.holds(o, at, seat.other()) {
            ballot.refuse(Action::Besiege, rule!("8.4"), format_args!("vassals neither call nor besiege"));
        }
        if !self.holds(o, at, seat.other()) || march.vassal {
            return;
        }
        if march.leader.is_none() {
            ballot.refuse(Action::Besiege, rule!("17.6"), format_args!("calls and sieges need a leader"));
            return;
        }
        if self.banned(o, seat, Forbidden::Hostile) {
            ballot.refuse(Action::Besiege, rule!("8.4.1"), format_args!("a truce forbids it"));
            return;
        }
        if self.is_outside(o, at, seat.other()) {
            ballot.refuse(Action::Call, rule!("17.5"), format_args!("enemies stand before the walls"));
            return;
        }
        if !march.arrived {
            ballot.refuse(Action::Call, rule!("17.5"), format_args!("only those who have just come call"));
        } else if o.marks[at].called[seat] {
            ballot.refuse(Action::Call, rule!("17.5"), format_args!("you have called on it this turn"));
        } else {
            ballot.allow(Action::Call);
        }
        if o.marks[at].besieged {
            ballot.refuse(Action::Besiege, rule!("17.6"), format_args!("it is besieged already"));
        } else {
            ballot.allow(Action::Besiege);
        }
    }

    /// What is added to a call for surrender [17.5].
    pub(crate) fn call_modifier(&self, o: &Open, march: &March) -> i8 {
        self.call_parts(o, march).iter().map(|(_, n)| n).sum()
    }

    /// The same, line by line.
    pub(crate) fn call_parts(&self, o: &Open, march: &March) -> [(&'static str, i8); 5] {
        let seat = march.seat;
        let power = march.leader.map(|l| self.components.leader(l).power);
        let famous = march.leader.is_some_and(|l| self.components.leader(l).battle >= 3);
        let events =
            o.calls.iter().filter(|(who, _, whose)| *who == seat && whose.is_none_or(|w| Some(w) == power));
        [
            ("A leader with a battle rating of three or more", i8::from(famous)),
            ("Calls that failed before", -(o.failed[seat] as i8)),
            ("Fewer than six units", if march.units.len() < HOST { -2 } else { 0 }),
            ("An enemy army of half the strength is near", if self.menaced(o, march) { -2 } else { 0 }),
            ("By events", events.map(|(_, n, _)| n).sum()),
        ]
    }

    /// Whether an enemy army of half the strength could come within one activation.
    fn menaced(&self, o: &Open, march: &March) -> bool {
        let strength = self.strength(o, march.units, march.leaders);
        let enemy = march.seat.other();
        let mut far = [u8::MAX; 128];
        far[march.at.number()] = 0;
        for reached in 0..6_u8 {
            for i in 0..self.components.spaces.len() {
                // Backwards: whoever stands in a neighbour needs so much more.
                for way in &self.components.spaces[i].ways {
                    if far[way.to.number()] == reached && !way.desert && reached + way.mp < far[i] {
                        far[i] = reached + way.mp;
                    }
                }
            }
        }
        self.stands_in(o, enemy).iter().any(|s| {
            if s == march.at || far[s.number()] > 6 || self.besieged(o, s) && self.holds(o, s, enemy) {
                return false;
            }
            let (menace, pace) = self.menace(o, s, enemy);
            menace > 0 && 2 * menace >= strength && far[s.number()] <= pace
        })
    }

    /// A call for surrender.
    pub(super) fn call(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(march) = p.open.march.clone() else { return };
        let (seat, at) = (march.seat, march.at);
        p.hidden.plan.clear();
        let rf = p.open.marks[at].rf.unwrap_or_else(|| self.resistance(&p.open, at));
        let modifier = self.call_modifier(&p.open, &march);
        let die = umpire.roll(6) as i8;
        let total = die + modifier;
        let mark = &mut p.open.marks[at];
        mark.rf = Some(rf);
        mark.called[seat] = true;
        let (place, plus) = (self.space_name(at), signed(modifier.into()));
        umpire.cite(rule!("17.4"));
        if total <= rf as i8 {
            p.open.failed[seat] += 1;
            umpire.note(Readers::ALL, rule!("17.5"), format_args!("{place} is called on to surrender: a {die} is rolled with {plus} against a resistance of {rf}, and it refuses"));
            return;
        }
        umpire.note(Readers::ALL, rule!("17.5.1"), format_args!("{place} is called on to surrender: a {die} is rolled with {plus} against a resistance of {rf}, and it opens its gates"));
        let castle = p.open.holds[at].is_some_and(|h| !h.city);
        self.capture(p, at, seat, Fall::Call, umpire);
        if let Some(march) = &mut p.open.march {
            march.trail.enemy.remove(at);
            march.trail.harsh.remove(at);
            march.trail.friendly += 1;
            march.arrived = false;
            // An army goes on only past a castle, and with a roll to spare.
            if !castle || total < rf as i8 + 2 {
                march.over = true;
            }
        }
    }

    /// A stronghold changes hands [17.7.3].
    pub(super) fn capture(
        &self,
        p: &mut Position,
        at: Space,
        seat: Seat,
        how: Fall,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(hold) = p.open.holds[at] else { return };
        let enemy = seat.other();
        let (units, leaders) = self.within(&p.open, at, enemy);
        for unit in units {
            self.bury(p, unit);
        }
        for leader in leaders {
            match how {
                Fall::Call => {
                    self.forget_leader(p, leader);
                    p.open.put_leader(leader, Place::Prison(seat));
                }
                Fall::Assault(true) => self.fate(p, leader, -4, at, umpire),
                Fall::Assault(false) | Fall::Betrayed => self.fate(p, leader, -2, at, umpire),
            }
        }
        let loser = if let Owner::Of(power) = hold.owner { Some(power) } else { None };
        let owner = self.new_owner(&p.open, at, seat, hold.city);
        p.open.holds[at] = Some(Hold { city: hold.city, owner, full: false });
        let mark = p.open.marks[at];
        p.open.marks[at] = Mark { called: mark.called, for_good: mark.for_good, ..Mark::default() };
        if let Some(duel) = &mut p.open.duel
            && duel.at == at
        {
            duel.stopped = true;
        }
        if self.plot(&p.open).held_apart == Some(at) {
            p.open.apart = false;
            umpire.cite(rule!("17.1.2"));
        }
        if matches!(how, Fall::Assault(_)) {
            p.open.failed[seat] = 0;
        }
        let (who, place) = (self.title.seat_name(seat), self.space_name(at));
        umpire.note(Readers::ALL, rule!("17.7.3"), format_args!("{place} falls to the {who}"));
        umpire.cite(rule!("3"));
        umpire.cite(rule!("20.1"));
        let worth = self.plot(&p.open).vp[at];
        if worth > 0 {
            self.advantage(p, seat, worth, umpire);
        } else if matches!(how, Fall::Assault(_)) && !hold.city {
            self.advantage(p, seat, 1, umpire);
        }
        let turns: Option<(Power, Stance)> = self
            .plot(&p.open)
            .special
            .turns
            .iter()
            .find(|(s, by, ..)| *s == at && *by == seat)
            .map(|(_, _, w, to)| (*w, *to));
        if let Some((power, to)) = turns
            && self.in_play(&p.open, power)
            && p.open.stance[power] != to
        {
            self.turn_power(p, power, to, umpire);
        }
        if let Some(power) = loser {
            self.dissolve(p, power, umpire);
        }
        if !hold.city {
            p.open.agenda.push(Step::Garrison { seat, at });
        }
        self.tidy(p, umpire);
    }

    /// Whose a place becomes that a player takes.
    fn new_owner(&self, o: &Open, at: Space, seat: Seat, city: bool) -> Owner {
        let landlord = self.landlord(o, at).filter(|w| self.side(o, *w) == Some(seat));
        if city {
            return landlord.map_or(Owner::Taken(seat), Owner::Of);
        }
        let free = |power: &Power| self.has_marker(o, *power);
        let (units, leaders) = self.outside(o, at, seat);
        let first = self.ranking(leaders).map(|l| self.components.leader(l).power);
        let theirs = units.iter().map(|u| self.unit_power(o, u)).find(free);
        let any = self.plot(o).present.iter().find(|w| self.side(o, *w) == Some(seat) && free(w));
        let power = landlord.filter(free).or(first.filter(free)).or(theirs).or(any);
        power.map_or(Owner::Taken(seat), Owner::Of)
    }

    /// Who may fill a castle: a Power's own after its capture, anybody inside when a siege begins [17.10.1].
    fn fillers(&self, p: &Position, seat: Seat, at: Space) -> Units {
        let o = &p.open;
        let Some(Hold { city: false, owner, full: false }) = o.holds[at] else { return Set::NONE };
        match (p.open.agenda.now(), owner) {
            (Some(Step::Man { .. }), _) => self.within(o, at, seat).0,
            (_, Owner::Of(power)) => self.outside(o, at, seat).0 & self.plot(o).roster.of_power[power],
            _ => Set::NONE,
        }
    }

    pub(super) fn list_filling(
        &self,
        p: &Position,
        seat: Seat,
        at: Space,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        ballot.allow(Action::Done);
        self.sorts(&p.open, self.fillers(p, seat, at), |sort| ballot.allow(Action::Fill(at, sort)));
        for power in self.claimants(p, seat, at) {
            ballot.allow(Action::PickPower(power));
        }
    }

    /// Whose marker the captor of a castle may take in place of the one that was proposed: outside friendly provinces
    /// any Power's of the force that took it [17.5.1].
    fn claimants(&self, p: &Position, seat: Seat, at: Space) -> Powers {
        let o = &p.open;
        let taken = matches!(o.agenda.now(), Some(Step::Garrison { .. }));
        let Some(Hold { city: false, owner, full: false }) = o.holds[at].filter(|_| taken) else {
            return Set::NONE;
        };
        if self.landlord(o, at).is_some_and(|w| self.side(o, w) == Some(seat)) {
            return Set::NONE;
        }
        let (units, leaders) = self.outside(o, at, seat);
        let led = leaders.iter().map(|l| self.components.leader(l).power);
        let all = units.iter().map(|u| self.unit_power(o, u)).chain(led);
        all.filter(|w| owner != Owner::Of(*w) && self.has_marker(o, *w)).collect()
    }

    /// Whether a castle marker of a Power is left.
    fn has_marker(&self, o: &Open, power: Power) -> bool {
        let used =
            o.holds.values().iter().flatten().filter(|h| !h.city && h.owner == Owner::Of(power)).count();
        self.components.power(power).castles.is_none_or(|most| used < usize::from(most))
    }

    pub(super) fn act_filling(
        &self,
        p: &mut Position,
        seat: Seat,
        at: Space,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let siege = matches!(p.open.agenda.now(), Some(Step::Man { .. }));
        if let Action::PickPower(power) = action {
            if let Some(hold) = &mut p.open.holds[at] {
                hold.owner = Owner::Of(power);
            }
            let (name, place) = (self.power_name(power), self.space_name(at));
            umpire.note(Readers::ALL, rule!("17.7.3"), format_args!("{name} takes over {place}"));
            return;
        }
        if let Action::Fill(_, sort) = action {
            if let Some(unit) = self.one_of(&p.open, self.fillers(p, seat, at), sort) {
                self.step_lost(p, unit);
            }
            if let Some(hold) = &mut p.open.holds[at] {
                hold.full = true;
            }
            let place = self.space_name(at);
            umpire.note(
                Readers::ALL,
                rule!("17.10.1"),
                format_args!("The castle of {place} has its full garrison"),
            );
        }
        p.open.agenda.pop();
        if siege {
            self.invest(p, seat.other(), at, umpire);
        }
    }

    /// A siege is over without the fall of the place [17.9].
    pub(super) fn end_siege(
        &self,
        p: &mut Position,
        at: Space,
        holder: Option<Seat>,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let mark = p.open.marks[at];
        p.open.marks[at] = Mark { rf: None, besieged: false, blockaded: false, begun: false, ..mark };
        for unit in p.open.here[at] & p.open.inside {
            p.open.inside.remove(unit);
        }
        let led: Leaders = p.open.inside_led.iter().filter(|l| p.open.led[*l] == Place::At(at)).collect();
        p.open.inside_led -= led;
        if let Some(duel) = &mut p.open.duel
            && duel.at == at
        {
            duel.stopped = true;
        }
        if !mark.besieged {
            return;
        }
        let place = self.space_name(at);
        umpire.note(Readers::ALL, rule!("17.9"), format_args!("The siege of {place} is over"));
        let worth = self.plot(&p.open).vp[at];
        if worth > 0
            && let Some(seat) = holder
        {
            self.advantage(p, seat, worth, umpire);
        }
    }

    /// Part of the besiegers leave: those inside may attack the rest [17.9].
    pub(super) fn offer_lift(&self, p: &mut Position, seat: Seat, from: Space) {
        let o = &p.open;
        if self.besieger(o, from) != Some(seat)
            || !self.is_outside(o, from, seat)
            || self.components.space(from).is_box
        {
            return;
        }
        let (units, leaders) = self.within(o, from, seat.other());
        if (units.any() || leaders.any()) && !self.banned(o, seat.other(), Forbidden::Hostile) {
            p.open.agenda.push(Step::Lift { seat: seat.other(), at: from });
        }
    }

    pub(super) fn act_lift(
        &self,
        p: &mut Position,
        seat: Seat,
        at: Space,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        if action != Action::Attack {
            return;
        }
        umpire.cite(rule!("17.9"));
        let (units, leaders) = self.within(&p.open, at, seat);
        let (theirs, led) = self.outside(&p.open, at, seat.other());
        let mut battle = super::interception::new_battle(at, seat);
        battle.sally = true;
        battle.hosts[seat] = Host { units, leaders, ..Host::default() };
        battle.hosts[seat.other()] = Host { units: theirs, leaders: led, ..Host::default() };
        self.start_battle(p, battle, umpire);
    }

    /// The active army comes out of its walls against the besiegers [17.8].
    pub(super) fn sally(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(march) = p.open.march.clone() else { return };
        let (seat, at) = (march.seat, march.at);
        umpire.cite(rule!("17.8"));
        p.open.moved |= march.units;
        p.open.moved_led |= march.leaders;
        let (theirs, led) = self.outside(&p.open, at, seat.other());
        let mut battle = super::interception::new_battle(at, seat);
        battle.sally = true;
        battle.hosts[seat] = Host {
            units: march.units,
            leaders: march.leaders,
            modifier: march.licence.battle,
            ..Host::default()
        };
        battle.hosts[seat.other()] = Host { units: theirs, leaders: led, ..Host::default() };
        self.start_battle(p, battle, umpire);
    }

    /// A Power without any stronghold is no more [17.11].
    pub(super) fn dissolve(&self, p: &mut Position, power: Power, umpire: &mut (impl Umpire + ?Sized)) {
        let never = self.components.power(power).never_dissolved
            || self.plot(&p.open).special.never_dissolved.has(power);
        let strong = p.open.holds.values().iter().flatten().any(|h| h.owner == Owner::Of(power));
        if never || strong || !self.in_play(&p.open, power) {
            return;
        }
        let name = self.power_name(power);
        umpire.note(
            Readers::ALL,
            rule!("17.11"),
            format_args!("{name} has no stronghold left and is no more"),
        );
        for unit in self.plot(&p.open).roster.of_power[power] {
            p.open.put(unit, Place::Gone);
            p.open.reduced.remove(unit);
            self.forget_unit(p, unit);
        }
        for leader in self.plot(&p.open).all_leaders {
            if self.components.leader(leader).power == power {
                self.forget_leader(p, leader);
                p.open.put_leader(leader, Place::Gone);
                p.open.paid.remove(leader);
            }
        }
        p.open.stance[power] = Stance::Absent;
        self.enlist(&mut p.open);
        self.tidy(p, umpire);
    }
}

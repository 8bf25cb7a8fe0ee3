//! Interception \[11\]: who may try, and what comes of it.

use table::{Ballot, Readers, Seat, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::cards::Trigger;
use crate::ids::{Leader, Leaders, Space, Units};
use crate::position::{Battle, BattlePhase, Forbidden, Host, March, Open, Place, Position, Step, Trial, Try};
use crate::words::signed;

use super::command::Element;
use super::movement::STACK;

impl KingdomOfHeaven {
    /// Whether anybody could intercept into the space that the army entered [11.1].
    fn may_intercept_into(&self, o: &Open, march: &March, seat: Seat) -> bool {
        let at = march.at;
        if self.components.space(at).is_box || self.banned(o, seat, Forbidden::Hostile) {
            return false;
        }
        let others = self.units(o, at, march.seat) - march.units;
        let barred = others.any() || self.holds(o, at, march.seat);
        let enters = self.may_trespass(o, seat, at) || self.sells_passage(o, seat, at);
        enters && (!barred || self.units(o, at, seat).any())
    }

    /// Who could intercept from a space.
    fn interceptors(&self, o: &Open, march: &March, seat: Seat, from: Space) -> (Units, Leaders) {
        let Some(way) = self.components.way(from, march.at) else { return (Set::NONE, Set::NONE) };
        if way.pass
            || way.desert
            || self.components.space(from).is_box
            || o.tries.iter().any(|t| t.from == from)
        {
            return (Set::NONE, Set::NONE);
        }
        if self.closed(o, seat, from) || self.closed(o, seat, march.at) {
            return (Set::NONE, Set::NONE);
        }
        let (units, leaders) = self.outside(o, from, seat);
        // Those who shadow do not intercept.
        let busy = o
            .foragers
            .iter()
            .filter(|f| f.shadows)
            .fold((Set::NONE, Set::NONE), |b: (Units, Leaders), f| (b.0 | f.units, b.1 | f.leaders));
        let allowed = |units: Units, leaders: Leaders| self.may_be_in(o, units, leaders, march.at);
        let units = (units - busy.0).iter().filter(|u| allowed(Set::one(*u), Set::NONE)).collect();
        let leaders = (leaders - busy.1).iter().filter(|l| allowed(Set::NONE, Set::one(*l))).collect();
        (units, leaders)
    }

    /// What somebody brings who intercepts: all that the leader can command, or three cavalry.
    fn intercepting(
        &self,
        o: &Open,
        march: &March,
        seat: Seat,
        from: Space,
        leader: Option<Leader>,
    ) -> Option<Try> {
        let (units, leaders) = self.interceptors(o, march, seat, from);
        let (led, army) = match leader {
            Some(top) if leaders.has(top) => self.largest(o, seat, top, leaders, units, Element::Land),
            Some(_) => return None,
            None => {
                let riders = units & self.plot(o).roster.cavalry;
                (Set::NONE, riders.iter().take(STACK).collect())
            }
        };
        (led.any() || army.any()).then_some(Try {
            what: Trial::Intercept,
            from,
            leader,
            leaders: led,
            units: army,
            ambush: (0, 0),
            result: None,
        })
    }

    pub(super) fn list_designations(
        &self,
        p: &Position,
        seat: Seat,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let o = &p.open;
        let Some(march) = &o.march else { return };
        ballot.allow(Action::Done);
        self.list_avoidance(o, march, seat, ballot);
        if o.tries.is_full() {
            return;
        }
        if self.may_intercept_into(o, march, seat) {
            for from in self.components.near[march.at] {
                let (units, leaders) = self.interceptors(o, march, seat, from);
                for leader in leaders {
                    ballot.allow(Action::Intercept(from, Some(leader)));
                }
                if units.meets(self.plot(o).roster.cavalry) {
                    ballot.allow(Action::Intercept(from, None));
                }
            }
        } else if ballot.explains() {
            for from in self.components.near[march.at] {
                if self.units(o, from, seat).any() {
                    ballot.refuse(
                        Action::Intercept(from, None),
                        rule!("11.1"),
                        format_args!("an enemy stronghold or unit is there, and no unit of yours"),
                    );
                }
            }
        }
        if let Some(last) = o.tries.last().filter(|t| t.what == Trial::Intercept) {
            if last.units.len() + last.leaders.len() > 1 {
                self.sorts(o, last.units, |sort| ballot.allow(Action::Leave(sort)));
            }
            if let Some(top) = last.leader {
                for leader in last.leaders.without(top) {
                    let rest = last.leaders.without(leader);
                    if self.can_command(o, seat, top, rest, last.units, Element::Land) {
                        ballot.allow(Action::Dismiss(leader));
                    }
                }
            }
            for card in self.usable(p, seat) {
                if self.answers(p, seat, card, Trigger::Interception) {
                    ballot.allow(Action::Respond(card));
                }
            }
        }
    }

    pub(super) fn act_designation(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(march) = p.open.march.clone() else {
            p.open.agenda.pop();
            return;
        };
        match action {
            Action::Intercept(from, leader) => {
                if let Some(new) = self.intercepting(&p.open, &march, seat, from, leader) {
                    p.open.tries.push(new);
                }
            }
            Action::Avoid | Action::Shadow => {
                let what = if action == Action::Avoid { Trial::Avoid } else { Trial::Shadow };
                let (units, leaders) = self.avoiders(&p.open, march.at, seat);
                p.open.tries.push(Try {
                    what,
                    from: march.at,
                    leader: self.ranking(leaders),
                    leaders,
                    units,
                    ambush: (0, 0),
                    result: None,
                });
            }
            Action::Leave(sort) => {
                if let Some(last) = p.open.tries.last().copied()
                    && let Some(unit) = self.one_of(&p.open, last.units, sort)
                    && let Some(last) = p.open.tries.last_mut()
                {
                    last.units.remove(unit);
                }
            }
            Action::Dismiss(leader) => {
                if let Some(last) = p.open.tries.last_mut() {
                    last.leaders.remove(leader);
                }
            }
            Action::Respond(card) => self.respond(p, seat, card, umpire),
            _ => {
                p.open.agenda.pop();
                if p.open.tries.is_empty() {
                    return;
                }
                umpire.cite(rule!("11.4"));
                umpire.cite(rule!("12.2"));
                p.hidden.plan.clear();
                // Those who avoid go first, then interceptors in the order in which they were named.
                p.open.tries.sort_by_key(|t| t.what == Trial::Intercept);
                p.open.agenda.push(Step::Attempts { next: 0 });
            }
        }
    }

    /// The next attempt is rolled.
    pub(super) fn attempt(&self, p: &mut Position, next: u8, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(t) = p.open.tries.get(usize::from(next)).copied() else {
            p.open.agenda.pop();
            return;
        };
        p.open.agenda.replace(Step::Attempts { next: next + 1 });
        let Some(march) = p.open.march.clone() else { return };
        let seat = march.seat.other();
        let success = match t.what {
            Trial::Intercept => self.roll_interception(p, &march, seat, &t, umpire),
            Trial::Avoid | Trial::Shadow => self.roll_avoidance(p, (&march).into(), seat, &t, umpire),
        };
        if let Some(t) = p.open.tries.get_mut(usize::from(next)) {
            t.result = Some(success);
        }
        if !success {
            return;
        }
        match t.what {
            // Into neutral land he may buy his way, like those who avoid [9.4].
            Trial::Intercept if self.sells_passage(&p.open, seat, march.at) => {
                p.open.agenda.push(Step::Destination { seat, which: next, shadow: false });
            }
            Trial::Intercept => self.intercept_at(p, seat, &t, march.at, umpire),
            Trial::Avoid => p.open.agenda.push(Step::Destination { seat, which: next, shadow: false }),
            Trial::Shadow => p.open.agenda.push(Step::Destination { seat, which: next, shadow: true }),
        }
    }

    /// Interceptors come into the space [11.3].
    pub(super) fn intercept_at(
        &self,
        p: &mut Position,
        seat: Seat,
        t: &Try,
        at: Space,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        for unit in t.units {
            p.open.put(unit, Place::At(at));
        }
        for leader in t.leaders {
            p.open.put_leader(leader, Place::At(at));
        }
        umpire.cite(rule!("11.3"));
        self.trespass(p, seat, at, umpire);
        self.tidy(p, umpire);
    }

    /// What is added to an interception roll [11.2].
    pub(crate) fn interception_modifier(&self, o: &Open, march: &March, seat: Seat, units: Units) -> i8 {
        self.interception_parts(o, march, seat, units).iter().map(|(_, n)| n).sum()
    }

    /// The same, line by line.
    pub(crate) fn interception_parts(
        &self,
        o: &Open,
        march: &March,
        seat: Seat,
        units: Units,
    ) -> [(&'static str, i8); 4] {
        let others = self.units(o, march.at, march.seat) - march.units;
        let home = self.holds(o, march.at, seat) && others.is_empty();
        [
            ("Before a stronghold of their own", -i8::from(home)),
            ("Only cavalry is intercepted", i8::from(self.is_cavalry(o, march.units))),
            ("Only cavalry intercepts", -i8::from(self.is_cavalry(o, units))),
            ("By the event", march.licence.evade),
        ]
    }

    /// Whoever could intercept an army that came into a space, the likeliest: from where, who rolls, and how many
    /// faces of the die succeed.
    pub(crate) fn likeliest_interceptor(
        &self,
        o: &Open,
        march: &March,
        seat: Seat,
    ) -> Option<(Space, Option<Leader>, i8)> {
        let chance = |(from, leader): (Space, Option<Leader>)| {
            let t = self.intercepting(o, march, seat, from, leader)?;
            let rating = leader.map_or(1, |l| self.components.leader(l).battle as i8);
            let faces = rating - self.interception_modifier(o, march, seat, t.units);
            Some((from, leader, faces.clamp(1, 5)))
        };
        let all = self.all_interceptors(o, march, seat).into_iter().filter_map(chance);
        all.reduce(|best, one| if one.2 > best.2 { one } else { best })
    }

    /// All who could intercept an army where it is: from where, and who rolls.
    pub(crate) fn all_interceptors(
        &self,
        o: &Open,
        march: &March,
        seat: Seat,
    ) -> Vec<(Space, Option<Leader>)> {
        let mut all = Vec::new();
        if !self.may_intercept_into(o, march, seat) {
            return all;
        }
        for from in self.components.near[march.at] {
            let (units, leaders) = self.interceptors(o, march, seat, from);
            all.extend(leaders.iter().map(|leader| (from, Some(leader))));
            if units.meets(self.plot(o).roster.cavalry) {
                all.push((from, None));
            }
        }
        all
    }

    fn roll_interception(
        &self,
        p: &Position,
        march: &March,
        seat: Seat,
        t: &Try,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        let rating = t.leader.map_or(1, |l| self.components.leader(l).battle as i8);
        let modifier = self.interception_modifier(&p.open, march, seat, t.units) + t.ambush.0;
        let die = umpire.roll(6) as i8;
        let success = die == 1 || die != 6 && die + modifier <= rating;
        umpire.cite(rule!("11"));
        if t.leader.is_none() {
            umpire.cite(rule!("18.1"));
        }
        if modifier != 0 {
            umpire.cite(rule!("18.2"));
        }
        if umpire.writes() {
            let who = t.leader.map_or(crate::words::Begins("Cavalry"), |l| self.leader_start(l));
            let (from, plus) = (self.space_name(t.from), signed(modifier.into()));
            let what = if success { "the interception succeeds" } else { "the interception fails" };
            umpire.note(
                Readers::ALL,
                rule!("11.2"),
                format_args!("{who} from {from}: a {die} is rolled with {plus} against {rating}, and {what}"),
            );
        }
        success
    }

    /// All have tried what they would: whoever is left to fight fights.
    pub(super) fn meet(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(march) = p.open.march.clone() else { return };
        let (at, seat) = (march.at, march.seat);
        let enemy = seat.other();
        let came = self.came(&p.open);
        let (units, leaders) = self.outside(&p.open, at, enemy);
        if units.is_empty() && leaders.is_empty() {
            return;
        }
        if self.components.space(at).is_box
            || self.neutral_at(&p.open, at).is_some() && self.army(&p.open, enemy).is_empty()
        {
            return;
        }
        umpire.cite(rule!("13"));
        umpire.cite(rule!("13.1"));
        // Who failed to avoid and has gone inside burdens nobody outside [13.2].
        let avoided = p.open.tries.iter().any(|t| {
            t.what != Trial::Intercept
                && t.result == Some(false)
                && (t.units.meets(units) || t.leaders.meets(leaders))
        });
        let mut battle = new_battle(at, seat);
        let back = march.from.map_or(Set::NONE, Set::one);
        let mine = Host { units: march.units, leaders: march.leaders, back, ..Host::default() };
        if came.0.any() || came.1.any() {
            // Interceptors attack, with friends in the space whom their leaders can command.
            battle.attacker = enemy;
            battle.interception = true;
            battle.relief = self.besieger(&p.open, at) == Some(seat);
            let counted = self.attacks_along(&p.open, enemy, units, leaders);
            let tries = p.open.tries.iter();
            let came = || tries.clone().filter(|t| t.what == Trial::Intercept && t.result == Some(true));
            battle.hosts[enemy] = Host {
                units: counted,
                extra: units - counted,
                leaders,
                back: came().map(|t| t.from).collect(),
                modifier: came().map(|t| t.ambush.1).sum(),
                avoided,
                ..Host::default()
            };
            let (all, led) = self.outside(&p.open, at, seat);
            battle.hosts[seat] = Host { units: all, leaders: led, ..mine };
        } else {
            battle.hosts[seat] = mine;
            battle.landed = march.landed;
            battle.barred = march.from.filter(|_| !march.landed);
            battle.relief = p.open.marks[at].besieged && self.besieger(&p.open, at) == Some(enemy);
            battle.hosts[enemy] = Host { units, leaders, avoided, ..Host::default() };
        }
        battle.hosts[seat].modifier += march.licence.battle;
        self.start_battle(p, battle, umpire);
    }
}

impl KingdomOfHeaven {
    /// Who fights with the interceptors: all who came, then friends in the space whom an interceptor and those below
    /// him can command besides [11.3, 13.2].
    fn attacks_along(&self, o: &Open, seat: Seat, units: Units, leaders: Leaders) -> Units {
        let mut counted: Units = Set::NONE;
        let came = self.came(o);
        let mut friends = (units - came.0, leaders - came.1);
        for t in o.tries.iter().filter(|t| t.what == Trial::Intercept && t.result == Some(true)) {
            let own = t.units & came.0;
            counted |= own;
            let Some(top) = t.leader.filter(|l| came.1.has(*l)) else { continue };
            let mut below = (t.leaders & came.1).without(top);
            let fit = |below: Leaders| {
                let all = self.commanded(o, seat, top, below, own, Element::Land);
                all.filter(|all| *all == own)
                    .and_then(|_| self.commanded_first(o, seat, top, below, own, friends.0, Element::Land))
            };
            let mut best = fit(below).unwrap_or(own);
            // A friend who leads takes a place, and brings men of his own.
            for leader in self.subordinates(top, friends.1.with(top)) {
                if let Some(more) = fit(below.with(leader))
                    && self.strength(o, more, Set::NONE) >= self.strength(o, best, Set::NONE)
                {
                    best = more;
                    below.insert(leader);
                }
            }
            counted |= best;
            friends = (friends.0 - best, friends.1 - below);
        }
        counted
    }
}

/// A battle of which nothing is decided.
pub(super) fn new_battle(at: Space, attacker: Seat) -> Battle {
    Battle {
        at,
        attacker,
        hosts: Default::default(),
        interception: false,
        sally: false,
        relief: false,
        assault: false,
        landed: false,
        barred: None,
        phase: BattlePhase::CardsAttacker,
        winner: None,
        major: false,
        way: Default::default(),
        sheltered: Set::NONE,
        sheltered_led: Set::NONE,
        pursued: false,
        pursuit: 0,
        castle: 0,
        aside: false,
    }
}

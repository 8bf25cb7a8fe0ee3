//! Avoiding battle and shadowing \[12\].

use table::scene::Manner;
use table::{Ballot, Readers, Seat, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::ids::{Leaders, Space, Spaces, Units};
use crate::position::{Forager, Host, March, Open, Place, Position, Step, Trail, Trial, Try};
use crate::words::signed;

/// An army that has come into a space, from whom others there may get away.
#[derive(Clone, Copy)]
pub(crate) struct Comer {
    pub at: Space,
    pub from: Option<Space>,
    pub units: Units,
}

impl From<&March> for Comer {
    fn from(march: &March) -> Self {
        Self { at: march.at, from: march.from, units: march.units }
    }
}

impl KingdomOfHeaven {
    /// Who would avoid: all outside, or cavalry alone where no leader is.
    pub(super) fn avoiders(&self, o: &Open, at: Space, seat: Seat) -> (Units, Leaders) {
        let (units, leaders) = self.outside(o, at, seat);
        if leaders.any() { (units, leaders) } else { (units & self.plot(o).roster.cavalry, leaders) }
    }

    /// Where those who avoid can go [12.1]; shadowers may cross passes and go where the enemy came from.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn exits(
        &self,
        o: &Open,
        seat: Seat,
        at: Space,
        from: Option<Space>,
        units: Units,
        leaders: Leaders,
        shadow: bool,
    ) -> Spaces {
        let free = |way: &&crate::data::Way| {
            let to = way.to;
            let enemy = self.is_outside(o, to, seat.other());
            let hold = self.holds(o, to, seat.other());
            let friend = self.units(o, to, seat).any();
            !way.desert
                && (shadow || !way.pass)
                && (shadow || Some(to) != from)
                && !enemy
                && (!hold || friend && !shadow)
                && self.may_be_in(o, units, leaders, to)
                && (self.may_trespass(o, seat, to) || self.sells_passage(o, seat, to))
                && !self.closed(o, seat, to)
        };
        self.components.space(at).ways.iter().filter(free).map(|way| way.to).collect()
    }

    pub(super) fn list_avoidance(
        &self,
        o: &Open,
        march: &March,
        seat: Seat,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let (units, leaders) = self.avoiders(o, march.at, seat);
        if units.is_empty() && leaders.is_empty() || o.tries.iter().any(|t| t.what != Trial::Intercept) {
            return;
        }
        let besieging = self.besieger(o, march.at) == Some(seat);
        if besieging && march.landed {
            ballot.refuse(
                Action::Avoid,
                rule!("12.1"),
                format_args!("besiegers avoid only those who come by land"),
            );
            return;
        }
        if self.exits(o, seat, march.at, march.from, units, leaders, false).any() {
            ballot.allow(Action::Avoid);
        } else {
            ballot.refuse(Action::Avoid, rule!("12.1"), format_args!("there is no space to go to"));
        }
        if !self.is_cavalry(o, units) || self.is_cavalry(o, march.units) {
            ballot.refuse(
                Action::Shadow,
                rule!("12.4"),
                format_args!("only a cavalry army shadows, and only an army that is none"),
            );
        } else if self.exits(o, seat, march.at, march.from, units, leaders, true).any() {
            ballot.allow(Action::Shadow);
        }
    }

    /// What is added to a roll to avoid or shadow [12.1].
    pub(crate) fn avoidance_modifier(
        &self,
        o: &Open,
        comer: Comer,
        seat: Seat,
        units: Units,
        shadow: bool,
    ) -> i8 {
        self.avoidance_parts(o, comer, seat, units, shadow).iter().map(|(_, n)| n).sum()
    }

    /// The same, line by line.
    pub(crate) fn avoidance_parts(
        &self,
        o: &Open,
        comer: Comer,
        seat: Seat,
        units: Units,
        shadow: bool,
    ) -> [(&'static str, i8); 5] {
        let cavalry = self.plot(o).roster.cavalry;
        let past = comer.from.is_some_and(|from| self.holds(o, from, seat));
        let ridden_down = !units.meets(cavalry) && self.is_cavalry(o, comer.units);
        [
            ("Only cavalry gets away", -i8::from(self.is_cavalry(o, units))),
            ("The enemy comes past a stronghold of theirs", -i8::from(past)),
            ("Infantry before cavalry", i8::from(ridden_down)),
            ("They besiege", i8::from(self.besieger(o, comer.at) == Some(seat))),
            ("Cavalry is shadowed", i8::from(shadow && comer.units.meets(cavalry))),
        ]
    }

    pub(super) fn roll_avoidance(
        &self,
        p: &Position,
        comer: Comer,
        seat: Seat,
        t: &Try,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        let shadow = t.what == Trial::Shadow;
        umpire.cite(rule!("12"));
        let before = p.open.forager_of(t.units, t.leaders).is_some_and(|i| p.open.foragers[i].avoided);
        if before {
            umpire.note(
                Readers::ALL,
                rule!("12.3"),
                format_args!("They have got away from this army before, and do so again"),
            );
            return true;
        }
        let rating = t.leader.map_or(1, |l| self.components.leader(l).battle as i8);
        let modifier = self.avoidance_modifier(&p.open, comer, seat, t.units, shadow);
        let die = umpire.roll(6) as i8;
        let success = die == 1 || die != 6 && die + modifier <= rating;
        if umpire.writes() {
            let what = match (shadow, success) {
                (false, true) => "battle is avoided",
                (false, false) => "battle is not avoided",
                (true, true) => "they shadow the army",
                (true, false) => "they cannot shadow the army",
            };
            let plus = signed(modifier.into());
            let rule = if shadow { rule!("12.4") } else { rule!("12.1") };
            umpire.note(
                Readers::ALL,
                rule,
                format_args!("A {die} is rolled with {plus} against {rating}: {what}"),
            );
        }
        success
    }

    pub(super) fn list_destinations(
        &self,
        p: &Position,
        seat: Seat,
        which: u8,
        shadow: bool,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let o = &p.open;
        let (Some(march), Some(t)) = (&o.march, o.tries.get(usize::from(which))) else {
            ballot.allow(Action::Done);
            return;
        };
        let exits = match t.what {
            Trial::Intercept => Set::one(march.at),
            _ => self.exits(o, seat, march.at, march.from, t.units, t.leaders, shadow),
        };
        self.list_ways(o, seat, exits, ballot);
        if exits.is_empty() {
            ballot.allow(Action::Done);
        }
    }

    pub(super) fn act_destination(
        &self,
        p: &mut Position,
        seat: Seat,
        which: u8,
        shadow: bool,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        let Some(t) = p.open.tries.get(usize::from(which)).copied() else { return };
        let (Action::Target(to) | Action::Passage(to)) = action else { return };
        if matches!(action, Action::Passage(_)) {
            self.buy_passage(p, seat, to, umpire);
        }
        if t.what == Trial::Intercept {
            self.intercept_at(p, seat, &t, to, umpire);
            return;
        }
        let from = t.from;
        self.remember(p, seat, t.units, t.leaders, shadow);
        self.slip(p, seat, t.units, t.leaders, from, to, umpire);
        if shadow {
            self.shadow_counts(p);
        }
        self.tidy(p, umpire);
    }

    /// Spaces to go to, with free passage where it can be bought [9.4].
    fn list_ways(&self, o: &Open, seat: Seat, ways: Spaces, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for to in ways {
            if self.may_trespass(o, seat, to) {
                ballot.allow(Action::Target(to));
            }
            if self.sells_passage(o, seat, to) {
                ballot.allow(Action::Passage(to));
            }
        }
    }

    /// Notes a force that moves without being active, for its foraging.
    fn remember(&self, p: &mut Position, seat: Seat, units: Units, leaders: Leaders, shadow: bool) {
        match p.open.forager_of(units, leaders) {
            Some(i) => {
                let f = &mut p.open.foragers[i];
                f.units |= units;
                f.leaders |= leaders;
                f.shadows |= shadow;
                f.must |= shadow;
                f.avoided = true;
            }
            None => {
                let new = Forager {
                    seat,
                    units,
                    leaders,
                    trail: Trail::default(),
                    friendly: Set::NONE,
                    must: shadow,
                    shadows: shadow,
                    avoided: true,
                };
                let _ = p.open.foragers.try_push(new);
            }
        }
    }

    /// A force that forages comes into a space.
    pub(super) fn pass_by(
        &self,
        p: &mut Position,
        seat: Seat,
        units: Units,
        leaders: Leaders,
        space: Space,
        pass: Option<u8>,
    ) {
        let (own, enemy) = (self.holds(&p.open, space, seat), self.holds(&p.open, space, seat.other()));
        let harsh = self.components.space(space).harsh;
        let index = match p.open.forager_of(units, leaders) {
            Some(i) => i,
            None => {
                let new = Forager {
                    seat,
                    units,
                    leaders,
                    trail: Trail::default(),
                    friendly: Set::NONE,
                    must: false,
                    shadows: false,
                    avoided: false,
                };
                if p.open.foragers.try_push(new).is_err() {
                    return;
                }
                p.open.foragers.len() - 1
            }
        };
        let f = &mut p.open.foragers[index];
        if own {
            f.friendly.insert(space);
        } else {
            if enemy {
                f.trail.enemy.insert(space);
            }
            if harsh {
                f.trail.harsh.insert(space);
            }
        }
        if let Some(line) = pass {
            f.trail.cross(line);
        }
    }

    /// A force slips away to a space, with those whom it meets there as far as they share its luck [12.3].
    #[allow(clippy::too_many_arguments)]
    fn slip(
        &self,
        p: &mut Position,
        seat: Seat,
        units: Units,
        leaders: Leaders,
        from: Space,
        to: Space,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        for unit in units {
            p.open.put(unit, Place::At(to));
        }
        for leader in leaders {
            p.open.put_leader(leader, Place::At(to));
        }
        if umpire.writes() {
            let count = units.len() + leaders.len();
            umpire.tell(
                Readers::ALL,
                rule!("12.1"),
                format_args!("They go from {} to {}", self.space_name(from), self.space_name(to)),
                &|| vec![self.trace(seat, count, from, to, Manner::March)],
            );
        }
        self.trespass(p, seat, to, umpire);
        let pass = self.components.way(from, to).filter(|way| way.pass).map(|way| way.line);
        self.pass_by(p, seat, units, leaders, to, pass);
    }

    /// The units that shadow count against the army's supplies.
    fn shadow_counts(&self, p: &mut Position) {
        let units = p.open.foragers.iter().filter(|f| f.must).fold(Set::NONE, |u: Units, f| u | f.units);
        if let Some(march) = &mut p.open.march {
            march.shadowed = units;
            march.was_shadowed = true;
        }
    }

    /// Where a shadower can follow: one space on, and one space from the army.
    fn follow_to(&self, o: &Open, seat: Seat, which: u8) -> Spaces {
        let (Some(march), Some(f)) = (&o.march, o.foragers.get(usize::from(which))) else { return Set::NONE };
        let Some(at) = f
            .units
            .iter()
            .find_map(|u| o.unit_at(u))
            .or_else(|| f.leaders.iter().find_map(|l| o.leader_at(l)))
        else {
            return Set::NONE;
        };
        let beside = |s: &Space| self.components.near[*s].has(march.at) && *s != march.at;
        let ways = self.components.space(at).ways.iter().filter(|way| {
            !way.desert
                && !self.holds(o, way.to, seat.other())
                && self.may_be_in(o, f.units, f.leaders, way.to)
                && (self.may_trespass(o, seat, way.to) || self.sells_passage(o, seat, way.to))
                && !self.closed(o, seat, way.to)
        });
        let mut to: Spaces = ways.map(|way| way.to).filter(beside).collect();
        if beside(&at) {
            to.insert(at);
        }
        to
    }

    /// Whether a shadower is asked; where he cannot keep up, he stops.
    pub(super) fn follows(&self, p: &mut Position, seat: Seat, which: u8) -> bool {
        let there = p
            .open
            .foragers
            .get(usize::from(which))
            .is_some_and(|f| f.shadows && (f.units.any() || f.leaders.any()));
        if there && self.follow_to(&p.open, seat, which).any() {
            return true;
        }
        if let Some(f) = p.open.foragers.get_mut(usize::from(which)) {
            f.shadows = false;
        }
        false
    }

    pub(super) fn list_follow(
        &self,
        p: &Position,
        seat: Seat,
        which: u8,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        self.list_ways(&p.open, seat, self.follow_to(&p.open, seat, which), ballot);
        ballot.allow(Action::Done);
    }

    pub(super) fn act_follow(
        &self,
        p: &mut Position,
        seat: Seat,
        which: u8,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        let Some(f) = p.open.foragers.get(usize::from(which)).copied() else { return };
        umpire.cite(rule!("12.4.1"));
        p.hidden.plan.clear();
        let at = f
            .units
            .iter()
            .find_map(|u| p.open.unit_at(u))
            .or_else(|| f.leaders.iter().find_map(|l| p.open.leader_at(l)));
        if let Action::Passage(to) = action {
            self.buy_passage(p, seat, to, umpire);
        }
        let (Action::Target(to) | Action::Passage(to), Some(at)) = (action, at) else {
            if let Some(f) = p.open.foragers.get_mut(usize::from(which)) {
                f.shadows = false;
            }
            return;
        };
        if to == at {
            return;
        }
        self.slip(p, seat, f.units, f.leaders, at, to, umpire);
        self.shadow_counts(p);
        if self.is_outside(&p.open, to, seat.other()) {
            p.open.agenda.push(Step::Rearguard { seat: seat.other(), which, at: to, from: at, away: false });
        }
    }

    /// Those whom a shadower has come upon may avoid battle [12.4.1]: of them it is asked only once.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn list_rearguard(
        &self,
        p: &Position,
        seat: Seat,
        which: u8,
        at: Space,
        from: Space,
        away: bool,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let o = &p.open;
        let (units, leaders) = self.avoiders(o, at, seat);
        let exits = self.exits(o, seat, at, Some(from), units, leaders, false);
        if away {
            self.list_ways(o, seat, exits, ballot);
            return;
        }
        ballot.allow(Action::Done);
        let shadower = o.foragers.get(usize::from(which)).is_some_and(|f| f.units.any() || f.leaders.any());
        if !shadower || units.is_empty() && leaders.is_empty() {
            return;
        }
        if exits.any() {
            ballot.allow(Action::Avoid);
        } else {
            ballot.refuse(Action::Avoid, rule!("12.1"), format_args!("there is no space to go to"));
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn act_rearguard(
        &self,
        p: &mut Position,
        seat: Seat,
        which: u8,
        at: Space,
        from: Space,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        let Some(shadower) = p.open.foragers.get(usize::from(which)).copied() else { return };
        let (units, leaders) = self.avoiders(&p.open, at, seat);
        let mut avoided = false;
        match action {
            Action::Avoid => {
                umpire.cite(rule!("12.4.1"));
                let comer = Comer { at, from: Some(from), units: shadower.units };
                let leader = self.ranking(leaders);
                let t = Try {
                    what: Trial::Avoid,
                    from: at,
                    leader,
                    leaders,
                    units,
                    ambush: (0, 0),
                    result: None,
                };
                if self.roll_avoidance(p, comer, seat, &t, umpire) {
                    p.open.agenda.push(Step::Rearguard { seat, which, at, from, away: true });
                    return;
                }
                avoided = true;
            }
            Action::Target(to) | Action::Passage(to) => {
                if matches!(action, Action::Passage(_)) {
                    self.buy_passage(p, seat, to, umpire);
                }
                self.remember(p, seat, units, leaders, false);
                self.slip(p, seat, units, leaders, at, to, umpire);
                self.tidy(p, umpire);
            }
            _ => {}
        }
        let (units, leaders) = self.outside(&p.open, at, seat);
        if units.is_empty() && leaders.is_empty() {
            return;
        }
        // Who has not got away is attacked.
        let mut battle = super::interception::new_battle(at, shadower.seat);
        battle.aside = true;
        battle.barred = Some(from);
        battle.relief = self.besieger(&p.open, at) == Some(seat);
        let (foe, led) = (shadower.units, shadower.leaders);
        battle.hosts[shadower.seat] =
            Host { units: foe, leaders: led, back: Set::one(from), ..Host::default() };
        battle.hosts[seat] = Host { units, leaders, avoided, ..Host::default() };
        self.start_battle(p, battle, umpire);
    }
}

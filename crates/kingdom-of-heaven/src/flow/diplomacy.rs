//! Diplomacy \[9\]: influence, the Diplomatic Advantage marker, free passage, and Powers that turn.

use table::{Ballot, Readers, Seat, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::Stance;
use crate::data::cards::Trigger;
use crate::ids::{BOTH, Card, Power, Powers, Space, Spaces};
use crate::position::{Hold, Open, Owner, Place, Position, Step};

/// What a roll for the marker must not exceed [9.3].
const MARKER: i8 = 3;

impl KingdomOfHeaven {
    /// Where a Power would stand one space further toward a player.
    fn toward(stance: Stance, seat: Seat) -> Stance {
        match stance {
            Stance::Neutral => Stance::of(seat),
            Stance::Absent => Stance::Absent,
            other if other.seat() == Some(seat) => other,
            _ => Stance::Neutral,
        }
    }

    /// The Powers that turn together with one [9.1.1].
    pub(super) fn together_with(&self, power: Power) -> Powers {
        if self.components.shared.has(power) { self.components.shared } else { Set::one(power) }
    }

    /// Whether the scenario lets a Power take this stance.
    pub(super) fn may_be(&self, o: &Open, power: Power, stance: Stance) -> bool {
        !self.plot(o).special.never.iter().any(|(powers, never)| powers.has(power) && *never == stance)
    }

    /// Whether a Power can be moved toward a player.
    pub(super) fn can_shift(&self, o: &Open, power: Power, seat: Seat) -> bool {
        let to = Self::toward(o.stance[power], seat);
        to != o.stance[power] && to != Stance::Absent && self.may_be(o, power, to)
    }

    pub(super) fn list_diplomacy(
        &self,
        o: &Open,
        seat: Seat,
        card: Card,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let plot = self.plot(o);
        let modifier = self.components.card(card).diplomacy;
        for power in plot.present {
            let action = Action::Influence(card, power);
            if modifier.is_none() {
                ballot.refuse(action, rule!("9.2"), format_args!("this card has no diplomacy modifier"));
            } else if plot.special.no_diplomacy || plot.diplomacy[power].is_none() || !self.in_play(o, power)
            {
                ballot.refuse(action, rule!("9.2"), format_args!("the scenario does not list it"));
            } else if o.tried[seat].has(power) {
                ballot.refuse(action, rule!("9.2"), format_args!("you have tried it this turn"));
            } else if o.moved_powers.has(power) {
                ballot.refuse(action, rule!("9.2"), format_args!("it has been influenced this turn"));
            } else if !self.can_shift(o, power, seat) {
                ballot.refuse(action, rule!("9.6"), format_args!("it cannot come nearer to you"));
            } else {
                ballot.allow(action);
            }
        }
        if modifier.is_some() && !plot.special.no_diplomacy && !plot.special.no_marker {
            if o.marker == Some(seat) || o.wooed[seat] {
                ballot.refuse(
                    Action::Woo(card),
                    rule!("9.3"),
                    format_args!("you have the marker, or have tried for it this turn"),
                );
            } else {
                ballot.allow(Action::Woo(card));
            }
        }
    }

    /// A diplomacy roll: the roller, then the other may spend the marker, then the die [9.5]. Says whether somebody is
    /// asked.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn overture(
        &self,
        p: &mut Position,
        seat: Seat,
        _: Seat,
        power: Option<Power>,
        modifier: i8,
        event: bool,
        stage: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        if stage < 2 {
            let asked = if stage == 0 { seat } else { seat.other() };
            p.open.agenda.replace(Step::Overture { seat, asked, power, modifier, event, stage });
            if p.open.marker == Some(asked) {
                return true;
            }
            p.open.agenda.replace(Step::Overture { seat, asked, power, modifier, event, stage: stage + 1 });
            return false;
        }
        p.open.agenda.pop();
        umpire.cite(rule!("9"));
        let die = umpire.roll(6) as i8;
        let who = self.title.seat_name(seat);
        let Some(power) = power else {
            let total = die + modifier;
            if total <= MARKER {
                p.open.marker = Some(seat);
                umpire.note(
                    Readers::ALL,
                    rule!("9.3"),
                    format_args!("A {die} is rolled, {total} in all: the {who} has the advantage marker"),
                );
            } else {
                umpire.note(
                    Readers::ALL,
                    rule!("9.3"),
                    format_args!("A {die} is rolled, {total} in all: three or less was needed"),
                );
            }
            return false;
        };
        let capitals = self.plot(&p.open).powers[power].map_or(Set::NONE, |data| data.capitals);
        let capital = capitals.iter().any(|s| self.friendly(&p.open, s, seat));
        let total = die + modifier - if capital { 2 } else { 0 };
        let number = self.plot(&p.open).diplomacy[power].map_or(0, |numbers| numbers[seat]);
        let name = self.power_name(power);
        umpire.cite(rule!("9.5"));
        if total > number {
            umpire.note(
                Readers::ALL,
                rule!("9.6"),
                format_args!(
                    "A {die} is rolled, {total} in all, and {number} was needed: {name} is not moved"
                ),
            );
            return false;
        }
        umpire.note(
            Readers::ALL,
            rule!("9.6"),
            format_args!("A {die} is rolled, {total} in all, and {number} is enough to move {name}"),
        );
        p.open.cancelled = false;
        p.open.agenda.push(Step::Shifting { seat, power, event });
        self.ask(p, seat.other(), Trigger::Diplomacy);
        false
    }

    pub(super) fn act_overture(
        &self,
        p: &mut Position,
        asker: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(Step::Overture { seat, asked, power, modifier, event, stage }) =
            p.open.agenda.now().copied()
        else {
            return;
        };
        let mut modifier = modifier;
        if action == Action::Spend {
            p.open.marker = None;
            modifier += if asker == seat { -1 } else { 1 };
            let who = self.title.seat_name(asker);
            umpire.note(
                Readers::ALL,
                rule!("9.5"),
                format_args!("The {who} spends the advantage marker on the roll"),
            );
        }
        p.open.agenda.replace(Step::Overture { seat, asked, power, modifier, event, stage: stage + 1 });
    }

    /// Nobody has spoiled the success: the Power shifts.
    pub(super) fn shift_after_window(
        &self,
        p: &mut Position,
        seat: Seat,
        power: Power,
        event: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        if std::mem::take(&mut p.open.cancelled) {
            return;
        }
        if !event {
            p.open.moved_powers |= self.together_with(power);
        }
        self.shift(p, power, seat, umpire);
    }

    /// A Power moves one space toward a player [9.6].
    pub(super) fn shift(
        &self,
        p: &mut Position,
        power: Power,
        seat: Seat,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let to = Self::toward(p.open.stance[power], seat);
        if to != p.open.stance[power] && self.may_be(&p.open, power, to) {
            self.turn_power(p, power, to, umpire);
        }
    }

    /// A Power takes another stance, with those that share its marker, and all that follows [9.6.1].
    pub(super) fn turn_power(
        &self,
        p: &mut Position,
        power: Power,
        to: Stance,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let powers: Powers = self.together_with(power).iter().filter(|w| self.in_play(&p.open, *w)).collect();
        if powers.len() > 1 {
            umpire.cite(rule!("9.1.1"));
        }
        let name = self.power_name(power);
        umpire.note(Readers::ALL, rule!("9.6.1"), format_args!("{name} is {} now", to.name()));
        umpire.cite(rule!("17.1.1"));
        // Who goes off the map, judged before the change: forces away from land and strongholds of their own.
        if to == Stance::Neutral {
            for w in powers {
                self.leave_foreign_land(p, w);
            }
        }
        for w in powers {
            p.open.stance[w] = to;
            if let Some(seat) = to.seat() {
                // Prisoners of their new friends are free.
                for leader in self.plot(&p.open).all_leaders {
                    if self.components.leader(leader).power == w && p.open.led[leader] == Place::Prison(seat)
                    {
                        p.open.put_leader(leader, Place::Pool);
                    }
                }
            }
        }
        self.enlist(&mut p.open);
        umpire.cite(rule!("3"));
        // Whoever was in the active army and is so no longer has left it.
        if let Some(march) = p.open.march.clone() {
            let mine = self.army(&p.open, march.seat);
            let led =
                march.leaders.iter().filter(|l| self.leads_for(&p.open, *l) == Some(march.seat)).collect();
            let lost = march.leader.is_some_and(|l| self.leads_for(&p.open, l) != Some(march.seat));
            if let Some(m) = &mut p.open.march {
                m.units &= mine;
                m.leaders = led;
                m.over |= lost;
            }
        }
        match to {
            Stance::Neutral => self.clear_neutral_land(p, powers, umpire),
            _ => self.part_enemies(p, powers, umpire),
        }
        p.open.inside = self.still_inside(&p.open);
        self.tidy(p, umpire);
    }

    /// Units inside a stronghold that is not their own are not inside.
    fn still_inside(&self, o: &Open) -> crate::ids::Units {
        let friendly = |u: &crate::ids::Unit| {
            o.unit_at(*u).is_some_and(|s| {
                o.holds[s].is_some_and(|h| self.holder(o, h) == self.side(o, self.unit_power(o, *u)))
            })
        };
        o.inside.iter().filter(friendly).collect()
    }

    /// A Power that turns neutral: its forces away from land and strongholds of its own go to the pool.
    fn leave_foreign_land(&self, p: &mut Position, power: Power) {
        let o = &p.open;
        let plot = self.plot(o);
        let own_land = |s: Space| {
            self.landlord(o, s) == Some(power)
                || self.components.orders.has(power)
                    && self.landlord(o, s).is_some_and(|w| self.components.kingdom.has(w))
                || matches!(o.holds[s], Some(Hold { owner: Owner::Of(w), .. }) if w == power)
                || self.components.space(s).is_box
        };
        // The sole occupant of a captured city stays in it.
        let units = plot.roster.of_power[power];
        let sole = |s: Space| {
            matches!(o.holds[s], Some(Hold { city: true, owner: Owner::Taken(_), .. }))
                && o.here[s].within(units)
                && self.all_leaders(o, s).iter().all(|l| self.components.leader(l).power == power)
        };
        let mut kept: Spaces = Set::NONE;
        let mut gone = Set::NONE;
        for unit in units {
            if let Some(s) = o.unit_at(unit) {
                if own_land(s) {
                } else if sole(s) {
                    kept.insert(s);
                } else {
                    gone.insert(unit);
                }
            }
        }
        let led: crate::ids::Leaders = plot
            .all_leaders
            .iter()
            .filter(|l| {
                self.components.leader(*l).power == power
                    && o.leader_at(*l).is_some_and(|s| !own_land(s) && !sole(s))
            })
            .collect();
        for unit in gone {
            p.open.put(unit, Place::Pool);
        }
        for leader in led {
            p.open.put_leader(leader, Place::Pool);
        }
        for s in kept {
            if let Some(hold) = &mut p.open.holds[s] {
                hold.owner = Owner::Of(power);
            }
        }
    }

    /// Both players' forces leave the land of Powers that have turned neutral, for the nearest friendly stronghold.
    fn clear_neutral_land(&self, p: &mut Position, powers: Powers, umpire: &mut (impl Umpire + ?Sized)) {
        for seat in BOTH {
            for space in self.stands_in(&p.open, seat) {
                let land = !self.components.space(space).is_box
                    && self.landlord(&p.open, space).is_some_and(|w| powers.has(w));
                let neutral_hold =
                    matches!(p.open.holds[space], Some(Hold { owner: Owner::Of(w), .. }) if powers.has(w));
                if (land || neutral_hold) && !self.holds(&p.open, space, seat) {
                    self.send_to_nearest(p, space, seat, umpire);
                }
            }
        }
    }

    /// Forces that share an open space with those who have become their enemies: the Power's own go.
    fn part_enemies(&self, p: &mut Position, powers: Powers, umpire: &mut (impl Umpire + ?Sized)) {
        let units = self.units_of_powers(&p.open, powers);
        // Where an army has just come in there will be a battle.
        let entered = p.open.march.as_ref().map(|march| march.at);
        for space in self.components.all_spaces() {
            if self.components.space(space).is_box || Some(space) == entered {
                continue;
            }
            for power in powers {
                let Some(seat) = self.side(&p.open, power) else { continue };
                let enemy = self.units(&p.open, space, seat.other()).any()
                    || self.leaders(&p.open, space, seat.other()).any();
                if !enemy || self.holds(&p.open, space, seat) {
                    continue;
                }
                let mine = p.open.here[space] & units;
                let led = self
                    .all_leaders(&p.open, space)
                    .iter()
                    .filter(|l| self.components.leader(*l).power == power)
                    .collect::<crate::ids::Leaders>();
                if mine.is_empty() && led.is_empty() {
                    continue;
                }
                let to = self
                    .nearest(
                        &p.open,
                        space,
                        seat,
                        |o, s| matches!(o.holds[s], Some(Hold { owner: Owner::Of(w), .. }) if w == power),
                    )
                    .first();
                let place = to.map_or(Place::Pool, Place::At);
                for unit in mine {
                    p.open.put(unit, place);
                }
                for leader in led {
                    p.open.put_leader(leader, place);
                }
                umpire.cite(rule!("9.6.1"));
            }
        }
        // Where their stronghold has an enemy beside it, they are inside it.
        for space in self.components.all_spaces().filter(|s| Some(*s) != entered) {
            let Some(hold) = p.open.holds[space] else { continue };
            let Some(seat) = self.holder(&p.open, hold) else { continue };
            let enemy = self.units(&p.open, space, seat.other()).any()
                || self.leaders(&p.open, space, seat.other()).any();
            if enemy && matches!(hold.owner, Owner::Of(w) if powers.has(w)) {
                let all = self.units(&p.open, space, seat);
                let led = self.leaders(&p.open, space, seat);
                let room = if hold.city { usize::MAX } else { usize::from(self.components.castle.capacity) };
                let mut left = room;
                for unit in all - p.open.inside {
                    if left == 0 {
                        p.open.put(unit, Place::Pool);
                    } else {
                        p.open.inside.insert(unit);
                        left -= 1;
                    }
                }
                for leader in led - p.open.inside_led {
                    if left == 0 {
                        p.open.put_leader(leader, Place::Pool);
                    } else {
                        p.open.inside_led.insert(leader);
                        left -= 1;
                    }
                }
            }
        }
    }

    /// The nearest spaces of a kind by movement points over land, whoever stands between.
    pub(super) fn nearest(
        &self,
        o: &Open,
        from: Space,
        seat: Seat,
        such: impl Fn(&Open, Space) -> bool,
    ) -> Spaces {
        let _ = seat;
        let mut cost = [u8::MAX; 128];
        cost[table::Id::number(from)] = 0;
        let mut edge: Spaces = Set::one(from);
        for reached in 0..40_u8 {
            let now: Spaces = edge.iter().filter(|s| cost[table::Id::number(*s)] == reached).collect();
            let found: Spaces = now.iter().filter(|s| *s != from && such(o, *s)).collect();
            if found.any() {
                return found;
            }
            for s in now {
                for way in &self.components.space(s).ways {
                    let next = reached + way.mp;
                    let known = &mut cost[table::Id::number(way.to)];
                    if !way.desert && next < *known {
                        *known = next;
                        edge.insert(way.to);
                    }
                }
            }
            edge -= now;
            if edge.is_empty() {
                break;
            }
        }
        Set::NONE
    }

    /// A player's forces in a space go to the nearest friendly stronghold; he chooses among equals.
    fn send_to_nearest(
        &self,
        p: &mut Position,
        space: Space,
        seat: Seat,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let near = self.refuges(&p.open, space, seat);
        umpire.cite(rule!("9.6.1"));
        match near.len() {
            0 | 1 => self.send(p, space, seat, near.first()),
            _ if p.open.agenda.steps().len() + 2 < crate::position::DEPTH => {
                p.open.agenda.push(Step::Expelled { seat, from: space })
            }
            _ => self.send(p, space, seat, near.first()),
        }
    }

    fn refuges(&self, o: &Open, space: Space, seat: Seat) -> Spaces {
        self.nearest(o, space, seat, |o, s| self.holds(o, s, seat) && !o.marks[s].besieged)
    }

    fn send(&self, p: &mut Position, space: Space, seat: Seat, to: Option<Space>) {
        let place = to.map_or(Place::Pool, Place::At);
        for unit in self.units(&p.open, space, seat) {
            p.open.put(unit, place);
        }
        for leader in self.leaders(&p.open, space, seat) {
            p.open.put_leader(leader, place);
        }
        if let Some(march) = &mut p.open.march
            && march.seat == seat
            && march.at == space
        {
            march.over = true;
        }
    }

    pub(super) fn list_expelled(
        &self,
        p: &Position,
        seat: Seat,
        from: Space,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let refuges = self.refuges(&p.open, from, seat);
        for space in refuges {
            ballot.allow(Action::Target(space));
        }
        if refuges.is_empty() {
            ballot.allow(Action::Done);
        }
    }

    pub(super) fn act_expelled(
        &self,
        p: &mut Position,
        seat: Seat,
        from: Space,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        let to = if let Action::Target(space) = action { Some(space) } else { None };
        self.send(p, from, seat, to);
        self.tidy(p, umpire);
    }

    /// A player's forces come into a space: a neutral Power whose it is turns to the other, unless it lets them pass
    /// [9.1, 9.4].
    pub(super) fn trespass(
        &self,
        p: &mut Position,
        seat: Seat,
        space: Space,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(power) = self.neutral_at(&p.open, space) else { return };
        if self.passes(&p.open, seat, power) {
            umpire.cite(rule!("9.4"));
            return;
        }
        let to = Stance::of(seat.other());
        if self.may_be(&p.open, power, to) {
            let name = self.power_name(power);
            umpire.note(Readers::ALL, rule!("9.1"), format_args!("The neutrality of {name} is broken"));
            self.turn_power(p, power, to, umpire);
        }
    }

    /// Whether a player could buy free passage into a space with the marker [9.4].
    pub(super) fn sells_passage(&self, o: &Open, seat: Seat, space: Space) -> bool {
        o.marker == Some(seat) && self.neutral_at(o, space).is_some_and(|power| !self.passes(o, seat, power))
    }

    /// The marker is spent for free passage through the neutral land of a space.
    pub(super) fn buy_passage(
        &self,
        p: &mut Position,
        seat: Seat,
        space: Space,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(power) = self.neutral_at(&p.open, space) else { return };
        p.open.marker = None;
        p.open.passage[seat].insert(power);
        let name = self.power_name(power);
        umpire.note(
            Readers::ALL,
            rule!("9.4"),
            format_args!("{name} grants free passage for the advantage marker"),
        );
    }

    /// Whether a player's forces pass freely through a Power's land.
    pub(crate) fn passes(&self, o: &Open, seat: Seat, power: Power) -> bool {
        let shared = self.together_with(power);
        o.passage[seat].meets(shared)
            || o.march
                .as_ref()
                .is_some_and(|m| m.seat == seat && m.licence.passage.is_some_and(|w| shared.has(w)))
    }

    /// Whether a player may enter a space at all: a Power that could not join the enemy is left alone.
    pub(super) fn may_trespass(&self, o: &Open, seat: Seat, space: Space) -> bool {
        match self.neutral_at(o, space) {
            None => true,
            Some(power) => self.passes(o, seat, power) || self.may_be(o, power, Stance::of(seat.other())),
        }
    }

    /// A round is over: whoever has not left the land he was let through breaks its neutrality [9.4].
    pub(super) fn end_passage(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        for power in std::mem::take(&mut p.open.passage[seat]) {
            let shared = self.together_with(power);
            let inside = self
                .stands_in(&p.open, seat)
                .iter()
                .find(|s| self.neutral_at(&p.open, *s).is_some_and(|w| shared.has(w)));
            if let Some(space) = inside {
                umpire.cite(rule!("9.4"));
                self.trespass(p, seat, space, umpire);
            }
        }
    }

    /// A roll for the advantage marker, compulsory [9.3].
    pub(super) fn advantage(
        &self,
        p: &mut Position,
        seat: Seat,
        number: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if self.plot(&p.open).special.no_marker {
            return;
        }
        let die = umpire.roll(6);
        let who = self.title.seat_name(seat);
        if die == 6 {
            if p.open.marker != Some(seat.other()) {
                p.open.marker = Some(seat.other());
            }
            let other = self.title.seat_name(seat.other());
            umpire.note(
                Readers::ALL,
                rule!("9.3"),
                format_args!("A 6 is rolled for the advantage marker: the {other} has it"),
            );
        } else if die <= number {
            p.open.marker = Some(seat);
            umpire.note(Readers::ALL, rule!("9.3"), format_args!("A {die} is rolled for the advantage marker, {number} or less was needed: the {who} has it"));
        } else {
            umpire.note(
                Readers::ALL,
                rule!("9.3"),
                format_args!("A {die} is rolled for the advantage marker, {number} or less was needed"),
            );
        }
    }
}

//! Mustering \[7\] and the garrisons of castles [7.3, 17.10].

use table::{Ballot, Map, Readers, Seat, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::{Religion, Stance};
use crate::ids::{Leader, Leaders, Power, Space, Spaces, Units};
use crate::position::{Hold, Open, Owner, Place, Position};

/// The most units in a box, a capital, a city and at a castle [7.2].
const MOST: [u8; 4] = [4, 3, 2, 1];
/// A castle that was filled or drained in this phase.
const FLIPPED: u8 = 0x80;
/// One more unit by a scenario's special rule.
const SPECIAL: u8 = 0x10;

/// Spaces by who could muster there.
struct Grounds {
    /// Of each Power of a player.
    own: Map<Power, Spaces>,
    /// Of his Catholic Powers.
    catholic: Spaces,
    /// Boxes.
    boxes: Spaces,
    /// Strongholds that are no Power's.
    taken: Spaces,
}

impl Default for Grounds {
    fn default() -> Self {
        Self { own: Map::filled(Set::NONE), catholic: Set::NONE, boxes: Set::NONE, taken: Set::NONE }
    }
}

impl KingdomOfHeaven {
    /// The phase begins; neutral Powers muster all at once [7.4].
    pub(super) fn begin_muster(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.cite(rule!("7"));
        p.open.placed = Map::filled(0);
        p.open.kept = Set::NONE;
        p.open.kept_led = Set::NONE;
        for power in self.plot(&p.open).present {
            if p.open.stance[power] != Stance::Neutral {
                continue;
            }
            let units: Units = self.plot(&p.open).roster.of_power[power]
                .iter()
                .filter(|u| p.open.at[*u] == Place::Pool)
                .collect();
            let leaders: Leaders =
                self.pooled(&p.open).iter().filter(|l| self.components.leader(*l).power == power).collect();
            if units.is_empty() && leaders.is_empty() {
                continue;
            }
            let Some(space) = self.neutral_muster(&p.open, power) else { continue };
            for unit in units {
                p.open.put(unit, Place::At(space));
            }
            for leader in leaders {
                p.open.put_leader(leader, Place::At(space));
            }
            let (name, place) = (self.power_name(power), self.space_name(space));
            umpire.note(Readers::ALL, rule!("7.4"), format_args!("Neutral {name} musters in {place}"));
        }
    }

    fn pooled(&self, o: &Open) -> Leaders {
        self.plot(o).all_leaders.iter().filter(|l| o.led[*l] == Place::Pool).collect()
    }

    /// Where a neutral Power musters.
    fn neutral_muster(&self, o: &Open, power: Power) -> Option<Space> {
        let plot = self.plot(o);
        let home = if self.components.orders.has(power) { self.components.kingdom.first()? } else { power };
        let data = plot.powers[home]?;
        let own = |s: &Space| self.space_power(o, *s) == Some(home) || self.space_power(o, *s) == Some(power);
        let castle = |s: &Space| matches!(o.holds[*s], Some(Hold { owner: Owner::Of(w), .. }) if w == power);
        if data.capitals.is_empty()
            && let Some(home) = data.boxes.first()
        {
            return Some(home);
        }
        let by_capital = data.capitals.iter().find(own);
        by_capital
            .or_else(|| {
                if data.capitals.any() && data.provinces.any() {
                    None
                } else {
                    self.components.all_spaces().find(castle)
                }
            })
            .or_else(|| data.boxes.first())
    }

    /// Where Crusaders and Orders may muster besides their own [7.2].
    fn catholic_host(&self, o: &Open, space: Space, seat: Seat) -> bool {
        let c = &self.components;
        match self.space_power(o, space) {
            Some(power) => {
                self.side(o, power) == Some(seat)
                    && c.power(power).religion == Religion::Catholic
                    && !c.space(space).is_box
                    && (o.holds[space].is_some() || self.friendly(o, space, seat))
            }
            // A captured city needs a Catholic there already [7.2.1].
            None => {
                self.holds(o, space, seat)
                    && self.has_there(o, space, seat, |p| c.power(p).religion == Religion::Catholic)
            }
        }
    }

    /// Whether such a Power's unit or leader stood in a space before this phase.
    fn has_there(&self, o: &Open, space: Space, seat: Seat, such: impl Fn(Power) -> bool) -> bool {
        let units = self.units(o, space, seat) - o.kept;
        let leaders = self.leaders(o, space, seat) - o.kept_led;
        units.iter().any(|u| such(self.unit_power(o, u)))
            || leaders.iter().any(|l| such(self.components.leader(l).power))
    }

    /// Whether a box takes in Crusaders: the sea, or the capital of the East where nobody sails.
    fn crusader_box(&self, o: &Open, space: Space, seat: Seat) -> bool {
        let data = self.components.space(space);
        if !data.is_box {
            return false;
        }
        let owned = |s: &Space| self.components.space(*s).by_sea && self.plot(o).box_owner[*s].is_some();
        let sea_used = self.components.all_spaces().rev().any(|s| owned(&s));
        if sea_used { data.by_sea } else { data.asia_minor && self.friendly(o, space, seat) }
    }

    /// Where anybody of a player's could be placed at all, so that the rules are asked about few spaces.
    fn grounds(&self, o: &Open, seat: Seat) -> Grounds {
        let c = &self.components;
        let mut grounds = Grounds::default();
        for space in c.all_spaces() {
            if o.marks[space].besieged {
                continue;
            }
            if c.space(space).is_box {
                grounds.boxes.insert(space);
            }
            match self.space_power(o, space) {
                Some(power) if self.side(o, power) == Some(seat) => {
                    grounds.own[power].insert(space);
                    if c.power(power).religion == Religion::Catholic {
                        grounds.catholic.insert(space);
                    }
                }
                None if o.holds[space].is_some() => grounds.taken.insert(space),
                _ => {}
            }
        }
        grounds
    }

    /// Where somebody of a Power could be placed.
    fn ground_of(&self, o: &Open, grounds: &Grounds, power: Power) -> Spaces {
        let c = &self.components;
        let own = grounds.own[power];
        let also = self.plot(o).special.musters.iter().filter(|(w, ..)| *w == power).map(|(_, s, _)| *s);
        let own = also.fold(own, Spaces::with);
        if c.crusaders.has(power) || c.orders.has(power) {
            own | grounds.catholic | grounds.taken | grounds.boxes
        } else if c.byzantium.has(power) {
            own | grounds.taken
        } else {
            own
        }
    }

    /// Whether it is plain without listing it that a player can change a garrison.
    pub(super) fn may_drain(&self, o: &Open, seat: Seat) -> bool {
        let roster = &self.plot(o).roster;
        self.components.all_spaces().any(|space| {
            self.castle_of(o, space, true).is_some_and(|power| {
                self.side(o, power) == Some(seat)
                    && (roster.of_power[power] - roster.dotted).iter().any(|u| o.at[u] == Place::Tray)
            })
        })
    }

    /// Whether a leader may be placed there [7.1].
    fn may_post(&self, o: &Open, leader: Leader, space: Space, seat: Seat) -> bool {
        let c = &self.components;
        let power = c.leader(leader).power;
        if o.marks[space].besieged || o.kept_led.iter().any(|l| o.led[l] == Place::At(space)) {
            return false;
        }
        let enemy = self.units(o, space, seat.other()).any() || self.leaders(o, space, seat.other()).any();
        if enemy && !c.space(space).is_box {
            return false;
        }
        let own = self.space_power(o, space) == Some(power) && self.friendly(o, space, seat);
        let free = c.crusaders.has(power) || c.orders.has(power);
        own || free
            && (self.catholic_host(o, space, seat)
                || c.crusaders.has(power) && self.crusader_box(o, space, seat))
    }

    pub(super) fn list_leaders(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let o = &p.open;
        ballot.allow(Action::Done);
        let pooled = self.pooled(o);
        if pooled.is_empty() {
            return;
        }
        let grounds = self.grounds(o, seat);
        let everywhere: Spaces = self.components.all_spaces().collect();
        for leader in pooled {
            if self.leads_for(o, leader) != Some(seat) {
                continue;
            }
            let power = self.components.leader(leader).power;
            let spaces = if ballot.explains() { everywhere } else { self.ground_of(o, &grounds, power) };
            for space in spaces {
                if self.may_post(o, leader, space, seat) {
                    ballot.allow(Action::MusterLeader(leader, space));
                } else if ballot.explains() && self.friendly(o, space, seat) {
                    ballot.refuse(
                        Action::MusterLeader(leader, space),
                        rule!("7.1"),
                        format_args!(
                            "it is besieged, another was placed there, or his Power does not control it"
                        ),
                    );
                }
            }
        }
    }

    pub(super) fn act_leaders(
        &self,
        p: &mut Position,
        _: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match action {
            Action::MusterLeader(leader, space) => {
                p.open.put_leader(leader, Place::At(space));
                p.open.kept_led.insert(leader);
                let (name, place) = (self.leader_start(leader), self.space_name(space));
                umpire.note(Readers::ALL, rule!("7.1"), format_args!("{name} comes to {place}"));
            }
            _ => {
                p.open.agenda.pop();
            }
        }
    }

    /// How many units of a Power may still be placed there; none if none may ever be.
    fn room(&self, o: &Open, power: Power, space: Space, seat: Seat) -> Option<u8> {
        let c = &self.components;
        let data = c.space(space);
        if o.marks[space].besieged {
            return None;
        }
        // Most spaces take in nobody: that is found out first, since it is cheap.
        let free = c.crusaders.has(power) || c.orders.has(power) || c.byzantium.has(power);
        let special = !self.plot(o).special.musters.is_empty();
        if !free
            && !special
            && (o.holds[space].is_none() && !data.capital && !data.is_box
                || self.space_power(o, space) != Some(power))
        {
            return None;
        }
        if !data.is_box
            && (self.units(o, space, seat.other()).any()
                || o.marks[space].rf.is_some() && self.leaders(o, space, seat.other()).any())
        {
            return None;
        }
        let plot = self.plot(o);
        let normal = o.placed[space] & 0x0f;
        if c.crusaders.has(power) || c.orders.has(power) {
            let boxed = c.crusaders.has(power) && self.crusader_box(o, space, seat);
            return (self.catholic_host(o, space, seat) || boxed || self.own_castle(o, space, power))
                .then_some(u8::MAX);
        }
        if c.byzantium.has(power) {
            let own = self.space_power(o, space) == Some(power) && self.friendly(o, space, seat);
            let city = self.space_power(o, space).is_none()
                && self.holds(o, space, seat)
                && self.has_there(o, space, seat, |p| p == power);
            return (own || city).then_some(u8::MAX);
        }
        let special = plot.special.musters.iter().find(|(p, s, _)| *p == power && *s == space);
        if let Some((.., most)) = special
            && self.friendly(o, space, seat)
        {
            return Some(most.saturating_sub(o.placed[space] >> 4 & 0x07));
        }
        if self.space_power(o, space) != Some(power) || !self.friendly(o, space, seat) {
            return None;
        }
        let hold = o.holds[space];
        let most = if data.is_box {
            MOST[0]
        } else if plot.powers[power].is_some_and(|d| d.capitals.has(space)) {
            MOST[1]
        } else if data.capital || hold.is_some_and(|h| h.city) {
            MOST[2]
        } else if hold.is_some() {
            MOST[3]
        } else {
            return None;
        };
        Some(most.saturating_sub(normal))
    }

    fn own_castle(&self, o: &Open, space: Space, power: Power) -> bool {
        matches!(o.holds[space], Some(Hold { city: false, owner: Owner::Of(owner), .. }) if owner == power)
    }

    /// An unbesieged castle of a Power, full or low, that was not changed yet.
    fn castle_of(&self, o: &Open, space: Space, full: bool) -> Option<Power> {
        match o.holds[space] {
            Some(Hold { city: false, owner: Owner::Of(power), full: f })
                if f == full && !o.marks[space].besieged && o.placed[space] & FLIPPED == 0 =>
            {
                Some(power)
            }
            _ => None,
        }
    }

    pub(super) fn list_muster(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let o = &p.open;
        ballot.allow(Action::Done);
        let plot = self.plot(o);
        let army = self.army(o, seat);
        let (mut pool, mut tray): (Units, Units) = (Set::NONE, Set::NONE);
        for unit in army {
            match o.at[unit] {
                Place::Pool => pool.insert(unit),
                Place::Tray => tray.insert(unit),
                _ => {}
            }
        }
        let grounds = if pool.any() { self.grounds(o, seat) } else { Grounds::default() };
        // Sorts of a Power follow each other, and share what there is room for.
        let mut rooms: (Option<Power>, Spaces, Spaces) = (None, Set::NONE, Set::NONE);
        self.sorts(o, pool, |sort| {
            let power = self.components.kind(sort.kind).power;
            if rooms.0 != Some(power) {
                rooms = (Some(power), Set::NONE, Set::NONE);
                for space in self.ground_of(o, &grounds, power) {
                    match self.room(o, power, space, seat) {
                        Some(0) => rooms.2.insert(space),
                        Some(_) => rooms.1.insert(space),
                        None => {}
                    }
                }
            }
            if !ballot.explains() {
                for space in rooms.1 {
                    ballot.allow(Action::Muster(space, sort));
                }
                return;
            }
            for space in self.components.all_spaces() {
                let room = if rooms.1.has(space) { Some(1) } else { rooms.2.has(space).then_some(0) };
                match room {
                    None if ballot.explains() && self.friendly(o, space, seat) => {
                        let captured = self.space_power(o, space).is_none();
                        let rule = if captured { rule!("7.2.1") } else { rule!("7.2") };
                        let why = if o.marks[space].besieged {
                            "the place is besieged"
                        } else if captured {
                            "the city was captured, and belongs to no Power"
                        } else {
                            "its Power does not muster there"
                        };
                        ballot.refuse(Action::Muster(space, sort), rule, format_args!("{why}"));
                    }
                    None => {}
                    Some(0) => ballot.refuse(
                        Action::Muster(space, sort),
                        rule!("7.2"),
                        format_args!("no more may muster there this turn"),
                    ),
                    Some(_) => ballot.allow(Action::Muster(space, sort)),
                }
            }
        });
        for space in self.components.all_spaces() {
            if !matches!(o.holds[space], Some(Hold { city: false, .. })) {
                continue;
            }
            if let Some(power) = self.castle_of(o, space, false)
                && self.side(o, power) == Some(seat)
            {
                self.sorts(o, pool & plot.roster.of_power[power], |sort| {
                    ballot.allow(Action::Fill(space, sort))
                });
            }
            if let Some(power) = self.castle_of(o, space, true)
                && self.side(o, power) == Some(seat)
            {
                for kind in plot.roster.kinds_of[power] {
                    let data = self.components.kind(kind);
                    let units = plot.roster.of_kind[kind];
                    if data.dot {
                        ballot.refuse(
                            Action::Drain(space, kind),
                            rule!("7.3"),
                            format_args!("its counter has a dot"),
                        );
                        continue;
                    }
                    if units.meets(tray) {
                        ballot.allow(Action::Drain(space, kind));
                    } else if !units.is_empty() {
                        ballot.refuse(
                            Action::Drain(space, kind),
                            rule!("7.3"),
                            format_args!("no counter of that kind is left"),
                        );
                    }
                    if (units & o.kept & o.reduced).meets(pool) {
                        ballot.allow(Action::DrainMore(space, kind));
                    }
                }
            }
        }
    }

    pub(super) fn act_muster(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let pool = |p: &Position, units: Units| -> Units {
            units.iter().filter(|u| p.open.at[*u] == Place::Pool).collect()
        };
        match action {
            Action::Muster(space, sort) => {
                let units = pool(p, self.plot(&p.open).roster.of_kind[sort.kind]);
                let Some(unit) = self.one_of(&p.open, units, sort) else { return };
                let power = self.components.kind(sort.kind).power;
                let special =
                    self.plot(&p.open).special.musters.iter().any(|(w, s, _)| *w == power && *s == space);
                if self.room(&p.open, power, space, seat) != Some(u8::MAX) {
                    p.open.placed[space] += if special { SPECIAL } else { 1 };
                }
                p.open.put(unit, Place::At(space));
                p.open.kept.insert(unit);
                let captured =
                    self.space_power(&p.open, space).is_none() || self.own_castle(&p.open, space, power);
                let rule = if captured { rule!("7.2.1") } else { rule!("7.2") };
                umpire.cite(rule);
                if umpire.writes() {
                    let (name, place) = (self.sort_name(sort), self.space_name(space));
                    umpire.note(
                        Readers::ALL,
                        rule,
                        format_args!("{} musters in {place}", crate::words::A(&name)),
                    );
                }
            }
            Action::Fill(space, sort) => {
                let units = pool(p, self.plot(&p.open).roster.of_kind[sort.kind]);
                let Some(unit) = self.one_of(&p.open, units, sort) else { return };
                if sort.reduced {
                    p.open.put(unit, Place::Tray);
                    p.open.reduced.remove(unit);
                } else {
                    p.open.reduced.insert(unit);
                }
                self.flip(p, space, true);
                let place = self.space_name(space);
                umpire.note(
                    Readers::ALL,
                    rule!("7.3"),
                    format_args!("The castle of {place} has its full garrison"),
                );
                umpire.cite(rule!("17.10.1"));
            }
            Action::Drain(space, kind) | Action::DrainMore(space, kind) => {
                let units = self.plot(&p.open).roster.of_kind[kind];
                if matches!(action, Action::Drain(..)) {
                    let Some(unit) = units.iter().find(|u| p.open.at[*u] == Place::Tray) else { return };
                    p.open.put(unit, Place::Pool);
                    p.open.reduced.insert(unit);
                    p.open.kept.insert(unit);
                } else {
                    let Some(unit) = pool(p, units & p.open.kept & p.open.reduced).first() else { return };
                    p.open.reduced.remove(unit);
                }
                self.flip(p, space, false);
                let place = self.space_name(space);
                umpire.note(
                    Readers::ALL,
                    rule!("7.3"),
                    format_args!("The garrison of {place} takes the field"),
                );
                umpire.cite(rule!("17.10"));
            }
            _ => {
                p.open.kept = Set::NONE;
                p.open.agenda.pop();
            }
        }
    }

    fn flip(&self, p: &mut Position, space: Space, full: bool) {
        p.open.placed[space] |= FLIPPED;
        if let Some(hold) = &mut p.open.holds[space] {
            hold.full = full;
        }
    }
}

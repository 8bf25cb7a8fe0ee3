//! Who controls what \[3\], and the victory points that follow from it [20.1]; who stands where and how strong.

use table::{Id as _, Seat, Set, Umpire};

use crate::KingdomOfHeaven;
use crate::data::cards::Licence;
use crate::data::{KindData, Plot, Stance};
use crate::ids::{BOTH, Kind, Leader, Leaders, Power, Powers, Sides, Sort, Space, Spaces, Unit, Units};
use crate::position::{Along, Forbidden, Hold, Open, Owner, Place, Position};

impl KingdomOfHeaven {
    /// The scenario that is played.
    #[inline]
    pub(crate) fn plot(&self, o: &Open) -> &Plot {
        &self.components.plots[usize::from(o.plot)]
    }

    /// Who controls a Power.
    #[inline]
    pub(crate) fn side(&self, o: &Open, power: Power) -> Option<Seat> {
        o.stance[power].seat()
    }

    /// The kind of a unit.
    #[inline]
    pub(crate) fn kind_id(&self, o: &Open, unit: Unit) -> Kind {
        self.plot(o).roster.kinds[unit.number()]
    }

    /// What is printed of a unit.
    #[inline]
    pub(crate) fn kind(&self, o: &Open, unit: Unit) -> &KindData {
        self.components.kind(self.kind_id(o, unit))
    }

    /// The Power of a unit.
    #[inline]
    pub(crate) fn unit_power(&self, o: &Open, unit: Unit) -> Power {
        self.kind(o, unit).power
    }

    /// What kind of unit it is, and whether it is reduced.
    #[inline]
    pub(crate) fn sort(&self, o: &Open, unit: Unit) -> Sort {
        Sort { kind: self.kind_id(o, unit), reduced: o.reduced.has(unit) }
    }

    /// The first unit of a sort among these.
    #[inline]
    pub(crate) fn one_of(&self, o: &Open, units: Units, sort: Sort) -> Option<Unit> {
        let such = units & self.plot(o).roster.of_kind[sort.kind];
        (if sort.reduced { such & o.reduced } else { such - o.reduced }).first()
    }

    /// Each sort among these units, once.
    #[inline]
    pub(crate) fn sorts(&self, o: &Open, units: Units, mut each: impl FnMut(Sort)) {
        let roster = &self.plot(o).roster;
        let mut left = units;
        while let Some(unit) = left.first() {
            let sort = self.sort(o, unit);
            each(sort);
            let alike = roster.of_kind[sort.kind];
            left -= if sort.reduced { alike & o.reduced } else { alike - o.reduced };
        }
    }

    /// All units that a player controls, wherever they are.
    #[inline]
    pub(crate) fn army(&self, o: &Open, seat: Seat) -> Units {
        o.armies[seat]
    }

    /// Counts anew whose units are whose, after a Power has turned.
    pub(crate) fn enlist(&self, o: &mut Open) {
        let plot = self.plot(o);
        let mut armies = [Set::NONE; 2];
        for power in plot.present {
            if let Some(seat) = o.stance[power].seat() {
                armies[seat.index() & 1] |= plot.roster.of_power[power];
            }
        }
        o.armies = Sides(armies);
    }

    /// The units of some Powers.
    #[inline]
    pub(crate) fn units_of_powers(&self, o: &Open, powers: Powers) -> Units {
        let plot = self.plot(o);
        powers.iter().fold(Set::NONE, |units, power| units | plot.roster.of_power[power])
    }

    /// A player's units in a space.
    #[inline]
    pub(crate) fn units(&self, o: &Open, space: Space, seat: Seat) -> Units {
        if o.here[space].is_empty() {
            return Set::NONE;
        }
        o.here[space] & self.army(o, seat)
    }

    /// All leaders in a space.
    #[inline]
    pub(crate) fn all_leaders(&self, o: &Open, space: Space) -> Leaders {
        let place = Place::At(space);
        self.plot(o).each_leader.iter().copied().filter(|leader| o.led[*leader] == place).collect()
    }

    /// A player's leaders in a space.
    #[inline]
    pub(crate) fn leaders(&self, o: &Open, space: Space, seat: Seat) -> Leaders {
        let place = Place::At(space);
        let own = |leader: &Leader| o.led[*leader] == place && self.leads_for(o, *leader) == Some(seat);
        self.plot(o).each_leader.iter().copied().filter(own).collect()
    }

    /// Who controls a leader.
    #[inline]
    pub(crate) fn leads_for(&self, o: &Open, leader: Leader) -> Option<Seat> {
        o.stance[self.components.leader(leader).power].seat()
    }

    /// A player's units outside any stronghold in a space.
    #[inline]
    pub(crate) fn outside(&self, o: &Open, space: Space, seat: Seat) -> (Units, Leaders) {
        (self.units(o, space, seat) - o.inside, self.leaders(o, space, seat) - o.inside_led)
    }

    /// A player's units inside the stronghold of a space.
    #[inline]
    pub(crate) fn within(&self, o: &Open, space: Space, seat: Seat) -> (Units, Leaders) {
        (self.units(o, space, seat) & o.inside, self.leaders(o, space, seat) & o.inside_led)
    }

    /// Whether a player has units or leaders outside in a space.
    #[inline]
    pub(crate) fn is_outside(&self, o: &Open, space: Space, seat: Seat) -> bool {
        let (units, leaders) = self.outside(o, space, seat);
        units.any() || leaders.any()
    }

    /// Whose a stronghold is.
    #[inline]
    pub(crate) fn holder(&self, o: &Open, hold: Hold) -> Option<Seat> {
        match hold.owner {
            Owner::Of(power) => self.side(o, power),
            Owner::Taken(seat) => Some(seat),
        }
    }

    /// Whether a stronghold of this player stands there.
    #[inline]
    pub(crate) fn holds(&self, o: &Open, space: Space, seat: Seat) -> bool {
        o.holds[space].is_some_and(|hold| self.holder(o, hold) == Some(seat))
    }

    /// Who owns the land of a space: the Power of its province or box.
    #[inline]
    pub(crate) fn landlord(&self, o: &Open, space: Space) -> Option<Power> {
        self.plot(o).land[space].filter(|power| o.stance[*power] != Stance::Absent)
    }

    /// Who controls a space \[3\].
    pub(crate) fn controller(&self, o: &Open, space: Space) -> Option<Seat> {
        if let Some(hold) = o.holds[space] {
            return self.holder(o, hold);
        }
        if !self.components.space(space).is_box {
            let moving = o.march.as_ref().map_or(Set::NONE, |march| march.units);
            let standing = o.here[space] - moving;
            if standing.any() {
                for seat in BOTH {
                    if standing.meets(self.army(o, seat)) {
                        return Some(seat);
                    }
                }
            }
        }
        self.landlord(o, space).and_then(|power| self.side(o, power))
    }

    /// Whether a player controls a space.
    #[inline]
    pub(crate) fn friendly(&self, o: &Open, space: Space, seat: Seat) -> bool {
        self.controller(o, space) == Some(seat)
    }

    /// The Power that controls a space, for mustering [7.2.1].
    pub(crate) fn space_power(&self, o: &Open, space: Space) -> Option<Power> {
        match o.holds[space] {
            Some(Hold { city: false, owner: Owner::Of(power), .. }) => Some(power),
            Some(Hold { owner: Owner::Taken(_), .. }) => None,
            Some(Hold { owner: Owner::Of(power), .. }) => {
                let mine = self.landlord(o, space) == Some(power)
                    || o.apart && self.plot(o).held_apart == Some(space);
                mine.then_some(power)
            }
            None => self.landlord(o, space),
        }
    }

    /// Whether a stronghold there is besieged.
    #[inline]
    pub(crate) fn besieged(&self, o: &Open, space: Space) -> bool {
        o.marks[space].besieged
    }

    /// Who besieges the stronghold of a space: the enemy of its holder.
    #[inline]
    pub(crate) fn besieger(&self, o: &Open, space: Space) -> Option<Seat> {
        if !o.marks[space].besieged {
            return None;
        }
        let hold = o.holds[space]?;
        self.holder(o, hold).map(Seat::other)
    }

    /// The neutral Power whose land or stronghold this is, if entering would break its neutrality [9.1].
    pub(crate) fn neutral_at(&self, o: &Open, space: Space) -> Option<Power> {
        if let Some(hold) = o.holds[space] {
            return match hold.owner {
                Owner::Of(power) if o.stance[power] == Stance::Neutral => Some(power),
                _ => None,
            };
        }
        if self.components.space(space).is_box {
            return None;
        }
        self.landlord(o, space).filter(|power| o.stance[*power] == Stance::Neutral)
    }

    /// The victory points of a player [20.1].
    pub(crate) fn points(&self, o: &Open, seat: Seat) -> u8 {
        let plot = self.plot(o);
        let worth = |space: Space| plot.vp[space];
        self.components.all_spaces().filter(|s| worth(*s) > 0 && self.friendly(o, *s, seat)).map(worth).sum()
    }

    /// The combat strength of units and leaders.
    pub(crate) fn strength(&self, o: &Open, units: Units, leaders: Leaders) -> i16 {
        let roster = &self.plot(o).roster;
        let units: i16 =
            units.iter().map(|u| i16::from(roster.strength[u][usize::from(o.reduced.has(u))])).sum();
        units + leaders.iter().map(|l| i16::from(self.components.leader(l).battle)).sum::<i16>()
    }

    /// The steps of units.
    #[inline]
    pub(crate) fn steps(&self, o: &Open, units: Units) -> usize {
        2 * units.len() - (units & o.reduced).len()
    }

    /// Whether an army is a cavalry army [18.2].
    #[inline]
    pub(crate) fn is_cavalry(&self, o: &Open, units: Units) -> bool {
        units.any() && units.within(self.plot(o).roster.cavalry)
    }

    /// Whether something is forbidden to a player now.
    #[inline]
    pub(crate) fn banned(&self, o: &Open, seat: Seat, what: Forbidden) -> bool {
        o.bans.iter().any(|ban| ban.seat == seat && ban.what == what)
    }

    /// Whether an event bars moving from or into a space.
    pub(crate) fn closed(&self, o: &Open, seat: Seat, space: Space) -> bool {
        let data = self.components.space(space);
        o.bans.iter().any(|ban| {
            ban.seat == seat
                && match ban.what {
                    Forbidden::Along(Along::Nile) => data.nile,
                    Forbidden::Along(Along::Harsh) => data.harsh,
                    Forbidden::Along(Along::In(province)) => data.province == Some(province),
                    _ => false,
                }
        })
    }

    /// Whether units of these Powers may be in a space at all, by the scenario.
    pub(crate) fn may_be_in(&self, o: &Open, units: Units, leaders: Leaders, space: Space) -> bool {
        let plot = self.plot(o);
        plot.special.stays_in.iter().all(|(powers, province)| {
            let bound = units.meets(self.units_of_powers(o, *powers))
                || leaders.iter().any(|l| powers.has(self.components.leader(l).power));
            !bound || self.components.space(space).province == Some(*province)
        })
    }

    /// Whether a Power's forces may be in a space at all, by the scenario.
    pub(crate) fn keeps_to(&self, o: &Open, power: Power, space: Space) -> bool {
        let bound = &self.plot(o).special.stays_in;
        let province = self.components.space(space).province;
        bound.iter().all(|(powers, home)| !powers.has(power) || province == Some(*home))
    }

    /// The spaces where a player has units or leaders.
    pub(crate) fn stands_in(&self, o: &Open, seat: Seat) -> Spaces {
        let army = self.army(o, seat);
        let mut spaces: Spaces = self.components.all_spaces().filter(|s| o.here[*s].meets(army)).collect();
        for leader in self.plot(o).all_leaders {
            if let Place::At(space) = o.led[leader]
                && self.leads_for(o, leader) == Some(seat)
            {
                spaces.insert(space);
            }
        }
        spaces
    }

    /// After pieces left or changed sides: sieges without besieger are over, nobody is inside where no enemy is
    /// [17.9, 17.2].
    pub(crate) fn tidy(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for space in self.components.all_spaces() {
            let Some(hold) = p.open.holds[space] else { continue };
            let mark = p.open.marks[space];
            let Some(holder) = self.holder(&p.open, hold) else {
                if mark.besieged || mark.rf.is_some() {
                    self.end_siege(p, space, None, umpire);
                }
                continue;
            };
            if !mark.besieged && mark.rf.is_none() && !o_inside(&p.open, space) {
                continue;
            }
            let enemy = holder.other();
            let there = self.units(&p.open, space, enemy).any() || self.leaders(&p.open, space, enemy).any();
            if !there {
                self.end_siege(p, space, Some(holder), umpire);
            }
        }
    }
}

/// Whether anybody is marked as inside in a space.
fn o_inside(o: &Open, space: Space) -> bool {
    o.here[space].meets(o.inside) || o.inside_led.iter().any(|leader| o.led[leader] == Place::At(space))
}

/// A march that nothing special was said about.
pub(crate) fn no_licence() -> Licence {
    Licence::default()
}

//! Demobilisation \[16\]: space by space, who stays in the field and who goes home.

use table::{Ballot, Map, Readers, Seat, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::Demob;
use crate::ids::{Leader, Leaders, MUSLIM, Power, Space, Unit, Units};
use crate::position::{Hold, Open, Owner, Place, Position, Step};

use super::Only;

/// A besieging leader has rolled to stay, with success or not.
const STAYS: u8 = 1;
const GOES: u8 = 2;

impl KingdomOfHeaven {
    fn demob(&self, power: Power) -> Demob {
        self.components.power(power).demob
    }

    /// Whether a piece inside a besieged city waits for what its besiegers do.
    fn waits(&self, o: &Open, seat: Seat, space: Space) -> bool {
        o.marks[space].besieged && self.holds(o, space, seat) && o.holds[space].is_some_and(|h| h.city)
    }

    /// Those of a player in a space about whom nothing is said yet.
    fn unsettled(&self, o: &Open, seat: Seat, space: Space, late: bool) -> (Units, Leaders) {
        let (mut units, mut leaders) =
            (self.units(o, space, seat) - o.kept, self.leaders(o, space, seat) - o.kept_led);
        if !late && seat == MUSLIM && self.waits(o, seat, space) {
            units -= o.inside;
            leaders -= o.inside_led;
        }
        (units, leaders)
    }

    /// Carries the phase on for a player; says whether he is asked.
    pub(super) fn winter(
        &self,
        p: &mut Position,
        seat: Seat,
        at: Option<Space>,
        late: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        umpire.cite(rule!("16"));
        let Some(space) = at else {
            let next = self.next_to_settle(&p.open, seat, late);
            match next {
                None => {
                    p.open.agenda.pop();
                    p.open.placed = Map::filled(0);
                }
                Some(space) => {
                    self.settle_forced(p, seat, space, late);
                    p.open.agenda.replace(Step::Winter { seat, at: Some(space), late });
                }
            }
            return false;
        };
        let (units, leaders) = self.unsettled(&p.open, seat, space, late);
        if units.is_empty() && leaders.is_empty() {
            p.open.agenda.replace(Step::Winter { seat, at: None, late });
            return false;
        }
        let mut only = Only::default();
        self.list_winter(p, seat, at, &mut only);
        if only.more {
            return true;
        }
        self.go_home(p, seat, space, late, umpire);
        false
    }

    /// The next space in which somebody has to stay or to go.
    fn next_to_settle(&self, o: &Open, seat: Seat, late: bool) -> Option<Space> {
        let loose = self.army(o, seat) - o.kept;
        let open = |s: &Space| {
            let (units, leaders) = self.unsettled(o, seat, *s, late);
            units.any() || leaders.any()
        };
        let units = self.components.all_spaces().find(|s| o.here[*s].meets(loose) && open(s));
        units.or_else(|| {
            let leaders = self.plot(o).all_leaders - o.kept_led;
            leaders
                .iter()
                .filter(|l| self.leads_for(o, *l) == Some(seat))
                .find_map(|l| o.leader_at(l).filter(open))
        })
    }

    /// Those who stay whatever their player wants.
    fn settle_forced(&self, p: &mut Position, seat: Seat, space: Space, late: bool) {
        let (units, leaders) = self.unsettled(&p.open, seat, space, late);
        let never = |power: Power| self.demob(power) == Demob::Never;
        let shut = self.waits(&p.open, seat, space);
        for unit in units {
            if never(self.unit_power(&p.open, unit)) || shut && p.open.inside.has(unit) {
                p.open.kept.insert(unit);
            }
        }
        for leader in leaders {
            if never(self.components.leader(leader).power) || shut && p.open.inside_led.has(leader) {
                p.open.kept_led.insert(leader);
            }
        }
    }

    /// Whether a city is captured: in a province whose owner its holder does not control.
    pub(crate) fn captured_city(&self, o: &Open, seat: Seat, space: Space) -> bool {
        let Some(Hold { city: true, owner, .. }) = o.holds[space] else { return false };
        let mine = self.holds(o, space, seat);
        let apart = o.apart && self.plot(o).held_apart == Some(space);
        mine && (apart
            || matches!(owner, Owner::Taken(_))
            || self.landlord(o, space).and_then(|w| self.side(o, w)) != Some(seat))
    }

    /// Units that a leader keeps, not counting those who may stay anyway.
    fn kept_by_leader(&self, o: &Open, seat: Seat, space: Space) -> Units {
        let here = self.units(o, space, seat) & o.kept;
        let counts = |u: &Unit| self.demob(self.unit_power(o, *u)) == Demob::Normal && !o.winter.has(*u);
        here.iter().filter(counts).collect()
    }

    /// Whether a unit may stay with the ranking leader who stays.
    fn leader_keeps(&self, o: &Open, seat: Seat, space: Space, unit: Unit) -> bool {
        let staying = self.leaders(o, space, seat) & o.kept_led;
        let Some(top) = self.ranking(staying) else { return false };
        // He must be the highest of all who are here.
        let all = self.leaders(o, space, seat);
        if all.iter().any(|l| o.kept_led.has(l) && self.outranks(l, top)) {
            return false;
        }
        if self.besieger(o, space) == Some(seat) && o.placed[space] != STAYS {
            return false;
        }
        let data = self.components.leader(top);
        let kept = self.kept_by_leader(o, seat, space);
        if kept.len() >= usize::from(data.command.div_ceil(2)) {
            return false;
        }
        let power = self.unit_power(o, unit);
        if power == data.power {
            return true;
        }
        let same = self.components.power(power).religion == self.components.power(data.power).religion;
        same && !kept.meets(self.plot(o).roster.of_power[power])
    }

    pub(super) fn list_winter(
        &self,
        p: &Position,
        seat: Seat,
        at: Option<Space>,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let o = &p.open;
        let Some(space) = at else { return };
        let late = matches!(o.agenda.now(), Some(Step::Winter { late: true, .. }));
        let (units, leaders) = self.unsettled(o, seat, space, late);
        ballot.allow(Action::Done);
        let boxed = self.components.space(space).is_box;
        if o.placed[space] == GOES {
            return;
        }
        let besieging = self.besieger(o, space) == Some(seat);
        let city = self.captured_city(o, seat, space);
        let staying = self.leaders(o, space, seat) & o.kept_led;
        for leader in leaders {
            let guarded = city && !staying.any() && self.kept_by_leader(o, seat, space).any();
            if guarded {
                ballot.refuse(
                    Action::Stays(leader),
                    rule!("16.1"),
                    format_args!("a captured city is guarded where no leader is"),
                );
            } else if besieging && self.overtaken(o, seat, space, leader) {
                ballot.refuse(
                    Action::Stays(leader),
                    rule!("16.1"),
                    format_args!("a lesser leader has rolled to lead those who stay"),
                );
            } else {
                ballot.allow(Action::Stays(leader));
            }
        }
        if besieging && o.placed[space] == 0 {
            // A Crusader stays anyway; whether others stay with him is rolled for.
            let forced = |l: &Leader| self.demob(self.components.leader(*l).power) == Demob::Never;
            for leader in self.highest(self.leaders(o, space, seat) & o.kept_led).iter().filter(forced) {
                if units.any() {
                    ballot.allow(Action::Stays(leader));
                }
            }
        }
        self.sorts(o, units, |sort| {
            let Some(unit) = self.one_of(o, units, sort) else { return };
            let power = self.components.kind(sort.kind).power;
            let guarded = city
                && !(self.leaders(o, space, seat) & o.kept_led).any()
                && self.kept_by_leader(o, seat, space).any()
                && (self.units(o, space, seat) & o.kept).len() >= 2;
            let guards = city
                && !(self.leaders(o, space, seat) & o.kept_led).any()
                && (self.units(o, space, seat) & o.kept).len() < 2;
            if boxed
                || self.one_of(o, units & o.winter, sort).is_some()
                || self.demob(power) == Demob::Optional && !guarded
                || self.leader_keeps(o, seat, space, unit)
                || guards
            {
                ballot.allow(Action::Keeps(sort));
            } else {
                ballot.refuse(
                    Action::Keeps(sort),
                    rule!("16.1"),
                    format_args!("nobody here can keep it in the field"),
                );
            }
        });
    }

    pub(super) fn act_winter(
        &self,
        p: &mut Position,
        seat: Seat,
        at: Option<Space>,
        late: bool,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(space) = at else { return };
        match action {
            Action::Stays(leader) => {
                let besieging = self.besieger(&p.open, space) == Some(seat);
                if !besieging || self.roll_to_stay(leader, space, umpire) {
                    p.open.kept_led.insert(leader);
                    let staying = self.leaders(&p.open, space, seat) & p.open.kept_led;
                    if besieging && self.highest(staying).has(leader) {
                        p.open.placed[space] = STAYS;
                    }
                } else if self.is_outranked(&p.open, seat, space, leader) {
                    // He leads nobody here, and goes alone.
                    p.open.put_leader(leader, Place::Pool);
                    self.tidy(p, umpire);
                } else {
                    p.open.placed[space] = GOES;
                    // Orders that were to stay go too.
                    for unit in self.units(&p.open, space, seat) & p.open.kept {
                        let optional = self.demob(self.unit_power(&p.open, unit)) == Demob::Optional;
                        if optional && !p.open.winter.has(unit) {
                            p.open.kept.remove(unit);
                        }
                    }
                    self.go_home(p, seat, space, late, umpire);
                }
            }
            Action::Keeps(sort) => {
                let (units, _) = self.unsettled(&p.open, seat, space, late);
                let winter = self.one_of(&p.open, units & p.open.winter, sort);
                if let Some(unit) = winter.or_else(|| self.one_of(&p.open, units, sort)) {
                    p.open.kept.insert(unit);
                }
            }
            _ => self.go_home(p, seat, space, late, umpire),
        }
    }

    /// Whether somebody who stays here outranks a leader, or is his equal and stays before him.
    fn is_outranked(&self, o: &Open, seat: Seat, space: Space, leader: Leader) -> bool {
        let staying = (self.leaders(o, space, seat) & o.kept_led).without(leader);
        staying.any() && !self.highest(staying).iter().all(|other| self.outranks(leader, other))
    }

    /// Whether a leader whom this one outranks has rolled to stay before a siege: whoever would lead those who stay
    /// rolls first.
    fn overtaken(&self, o: &Open, seat: Seat, space: Space, leader: Leader) -> bool {
        let rolled = |l: &Leader| self.demob(self.components.leader(*l).power) != Demob::Never;
        let staying = self.leaders(o, space, seat) & o.kept_led;
        staying.iter().filter(rolled).any(|other| self.outranks(leader, other))
    }

    /// A besieging leader rolls to stay in the field; says whether he does.
    fn roll_to_stay(&self, leader: Leader, space: Space, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let rating = self.components.leader(leader).battle;
        let die = umpire.roll(6);
        let (name, place) = (self.leader_start(leader), self.space_name(space));
        if die <= rating {
            umpire.note(
                Readers::ALL,
                rule!("16.1"),
                format_args!("{name} rolls a {die} against {rating}, and keeps up the siege of {place}"),
            );
        } else {
            umpire.note(
                Readers::ALL,
                rule!("16.1"),
                format_args!("{name} rolls a {die} against {rating}, and does not stay before {place}"),
            );
        }
        die <= rating
    }

    /// All who do not stay go to their force pools.
    fn go_home(
        &self,
        p: &mut Position,
        seat: Seat,
        space: Space,
        late: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let (units, leaders) = self.unsettled(&p.open, seat, space, late);
        for unit in units {
            p.open.put(unit, Place::Pool);
        }
        for leader in leaders {
            p.open.put_leader(leader, Place::Pool);
        }
        if units.any() || leaders.any() {
            let place = self.space_name(space);
            umpire.note(Readers::ALL, rule!("16.1"), format_args!("Forces in {place} go home"));
        }
        p.open.agenda.replace(Step::Winter { seat, at: None, late });
        self.tidy(p, umpire);
    }
}

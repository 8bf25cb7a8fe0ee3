//! Naval movement [10.8].

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::ids::Space;
use crate::position::{Forbidden, March, Open, Place, Position, Step};

/// A fleet is found by this or less.
const FLEET: i8 = 4;

impl KingdomOfHeaven {
    /// Whether a force may set sail where it is: a friendly port of its sea, or the box, and nobody blockades it.
    pub(super) fn harbour(&self, o: &Open, seat: Seat, space: Space, red: bool) -> bool {
        let data = self.components.space(space);
        data.by_sea && !red
            || (if red { data.red_sea } else { data.port })
                && self.friendly(o, space, seat)
                && !(o.marks[space].blockaded && self.besieger(o, space) != Some(seat))
    }

    /// Where the active army can sail to.
    pub(super) fn list_ports(&self, o: &Open, march: &March, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(ships) = march.ships else { return };
        let seat = march.seat;
        if o.sailed
            || march.units.len() > usize::from(ships)
            || !self.harbour(o, seat, march.at, march.red_sea)
        {
            return;
        }
        for to in self.components.all_spaces() {
            let data = self.components.space(to);
            if to == march.at || !(if march.red_sea { data.red_sea } else { data.port }) {
                continue;
            }
            let friendly = self.friendly(o, to, seat);
            let blocked = o.marks[to].blockaded && self.besieger(o, to) != Some(seat);
            let hostile =
                self.banned(o, seat, Forbidden::Hostile) && self.controller(o, to) == Some(seat.other());
            let leaderless = march.leaders.is_empty() && !march.lands && !friendly;
            let closed = self.closed(o, seat, to) || self.closed(o, seat, march.at);
            if blocked {
                ballot.refuse(Action::Sail(to), rule!("10.8"), format_args!("the port is blockaded"));
            } else if leaderless {
                ballot.refuse(
                    Action::Sail(to),
                    rule!("10.8"),
                    format_args!("units without a leader land in a friendly port only"),
                );
            } else if !hostile
                && !closed
                && self.may_trespass(o, seat, to)
                && self.may_be_in(o, march.units, march.leaders, to)
            {
                ballot.allow(Action::Sail(to));
            }
        }
    }

    /// The fleet is looked for, and the army lands.
    pub(super) fn sail(&self, p: &mut Position, to: Space, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.agenda.pop();
        let Some(march) = p.open.march.clone() else { return };
        let off = std::mem::take(&mut p.open.cancelled);
        if off || march.over || march.units.is_empty() && march.leaders.is_empty() {
            if let Some(m) = &mut p.open.march {
                m.over = true;
            }
            return;
        }
        let boxed = self.components.space(march.at).by_sea;
        if !march.fleet && !boxed {
            let die = umpire.roll(6) as i8;
            let alone = i8::from(march.units.is_empty());
            if die - alone > FLEET {
                umpire.note(
                    Readers::ALL,
                    rule!("10.8"),
                    format_args!("A {die} is rolled: no fleet is found, and nobody moves"),
                );
                if let Some(m) = &mut p.open.march {
                    m.over = true;
                }
                return;
            }
            umpire.note(Readers::ALL, rule!("10.8"), format_args!("A {die} is rolled: a fleet is found"));
        }
        let from = march.at;
        let relief = self.holds(&p.open, to, march.seat) && p.open.marks[to].besieged;
        for unit in march.units {
            p.open.put(unit, Place::At(to));
        }
        for leader in march.leaders {
            p.open.put_leader(leader, Place::At(to));
        }
        p.open.moved |= march.units;
        p.open.moved_led |= march.leaders;
        p.open.sailed = true;
        if let Some(m) = &mut p.open.march {
            m.at = to;
            m.from = None;
            m.landed = true;
            m.begun = true;
            m.spent = 12;
        }
        let place = self.space_name(to);
        umpire.note(Readers::ALL, rule!("10.8"), format_args!("The army lands in {place}"));
        self.tidy_after(p, from, umpire);
        if relief {
            // Into a besieged stronghold of one's own, as far as there is room; nobody hinders it.
            self.go_inside(p, march.seat, to);
            let (units, leaders) = self.outside(&p.open, to, march.seat);
            if units.is_empty() && leaders.is_empty() {
                self.note_trail(p, to);
                if let Some(m) = &mut p.open.march {
                    m.over = true;
                }
                return;
            }
        }
        p.open.agenda.push(Step::Entered { stage: 0 });
    }

    fn tidy_after(&self, p: &mut Position, from: Space, umpire: &mut (impl Umpire + ?Sized)) {
        if p.open.holds[from].is_some() {
            self.tidy(p, umpire);
        }
    }

    /// The active army goes inside, units before leaders, as far as the walls hold them.
    fn go_inside(&self, p: &mut Position, seat: Seat, at: Space) {
        let Some(march) = p.open.march.clone() else { return };
        let mut room = self.room_inside(&p.open, at, seat);
        for leader in march.leaders {
            if room > 0 {
                p.open.inside_led.insert(leader);
                room -= 1;
            }
        }
        for unit in march.units {
            if room > 0 {
                p.open.inside.insert(unit);
                room -= 1;
            }
        }
    }
}

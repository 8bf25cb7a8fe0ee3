//! Naval movement [10.8].

use table::scene::Manner;
use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::ids::Space;
use crate::position::{March, Open, Place, Position, Step};

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
        let seat = march.seat;
        let crowded = !self.fits_aboard(o, march, march.units);
        if o.sailed || crowded || !self.harbour(o, seat, march.at, march.red_sea) {
            if ballot.explains() {
                let why = if crowded {
                    "so many units do not fit into the ships"
                } else {
                    "one sails once by a card, from a friendly port that is not blockaded"
                };
                self.refuse_ports(march, why, ballot);
            }
            return;
        }
        for to in self.components.all_spaces() {
            let data = self.components.space(to);
            if to == march.at || !(if march.red_sea { data.red_sea } else { data.port }) {
                continue;
            }
            let friendly = self.friendly(o, to, seat);
            let blocked = o.marks[to].blockaded && self.besieger(o, to) != Some(seat);
            // Into a place of one's own one may still sail.
            let hostile = self.trucebound(o, seat, to) && !self.holds(o, to, seat);
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

    /// Nobody sails, and why.
    pub(super) fn refuse_ports(&self, march: &March, why: &str, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for to in
            self.components.all_spaces().filter(|s| *s != march.at && self.components.space(*s).any_port())
        {
            ballot.refuse(Action::Sail(to), rule!("10.8"), format_args!("{why}"));
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
        let count = march.units.len() + march.leaders.len();
        umpire.tell(Readers::ALL, rule!("10.8"), format_args!("The army lands in {place}"), &|| {
            vec![self.trace(march.seat, count, from, to, Manner::Sea)]
        });
        self.tidy_after(p, from, umpire);
        p.open.agenda.push(Step::Entered { stage: 0 });
        if relief {
            // Into a besieged stronghold of one's own nobody hinders them; who stays outside fights.
            p.open.agenda.push(Step::Shelter { seat: march.seat, at: to, then_fight: true });
        }
    }

    fn tidy_after(&self, p: &mut Position, from: Space, umpire: &mut (impl Umpire + ?Sized)) {
        if p.open.holds[from].is_some() {
            self.tidy(p, umpire);
        }
    }

    /// Those of a landed army who have gone inside are in it no more; where all have, its march is over.
    pub(super) fn part_from_sheltered(&self, p: &mut Position) {
        let (inside, inside_led) = (p.open.inside, p.open.inside_led);
        let Some(march) = p.open.march.as_mut().filter(|march| march.landed) else { return };
        march.units -= inside;
        march.leaders -= inside_led;
        let at = march.at;
        let (led, gone) = (march.leaders, march.units.is_empty() && march.leaders.is_empty());
        if march.leader.is_some_and(|leader| !led.has(leader)) {
            let next = self.ranking(led);
            if let Some(march) = &mut p.open.march {
                march.leader = next;
            }
        }
        if gone {
            self.note_trail(p, at);
        }
    }
}

//! Retreats \[14\]: where the beaten go, what it costs, and who has nowhere to go.

use table::scene::Manner;
use table::{Ballot, Readers, Seat, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::ids::{Leaders, Space, Spaces, Units};
use crate::position::{Battle, Open, Place, Position, Step, Toll};

impl KingdomOfHeaven {
    /// Who must retreat: the loser, or the attacker in a draw [13.3].
    pub(super) fn retreating(battle: &Battle) -> Seat {
        battle.winner.map_or(battle.attacker, Seat::other)
    }

    /// The loser is asked for his way, if he has one.
    pub(super) fn begin_retreat(&self, p: &mut Position) {
        let Some(battle) = &p.open.battle else { return };
        let seat = Self::retreating(battle);
        let host = &battle.hosts[seat];
        let units = (host.units | host.extra).any();
        let leaderless = !units && battle.winner.is_some();
        if battle.sally && seat == battle.attacker || leaderless || !units && host.leaders.is_empty() {
            return;
        }
        p.open.agenda.push(Step::Retreat { seat });
    }

    /// Those who have not gone inside.
    fn homeless(&self, battle: &Battle, seat: Seat) -> (Units, Leaders) {
        let host = &battle.hosts[seat];
        ((host.units | host.extra) - battle.sheltered, host.leaders - battle.sheltered_led)
    }

    /// Whether part of the beaten may go inside a stronghold here: how many more.
    fn shelter_left(&self, o: &Open, battle: &Battle, seat: Seat) -> usize {
        if !self.holds(o, battle.at, seat) || o.marks[battle.at].besieged {
            return 0;
        }
        let inside = battle.sheltered.len() + battle.sheltered_led.len();
        self.room_inside(o, battle.at, seat).saturating_sub(inside)
    }

    /// Whether a retreat may end there: no enemy stronghold and no enemy units.
    fn clean(&self, o: &Open, seat: Seat, space: Space) -> bool {
        !self.holds(o, space, seat.other()) && self.units(o, space, seat.other()).is_empty()
    }

    /// The ways out of a space for the beaten; for those who buy free passage, into neutral land too [9.4].
    fn ways_out(&self, o: &Open, seat: Seat, at: Space, battle: &Battle, pays: bool) -> Spaces {
        let (units, leaders) = self.homeless(battle, seat);
        let open = |way: &&crate::data::Way| {
            !way.pass
                && !way.desert
                && self.may_be_in(o, units, leaders, way.to)
                && (self.may_trespass(o, seat, way.to) || pays && self.sells_passage(o, seat, way.to))
        };
        self.components.space(at).ways.iter().filter(open).map(|way| way.to).collect()
    }

    /// Where the retreat may lead next.
    fn next_spaces(&self, o: &Open, battle: &Battle, seat: Seat, pays: bool) -> Spaces {
        let host = &battle.hosts[seat];
        let landed = o.march.as_ref().is_some_and(|m| m.seat == seat && m.landed && m.at == battle.at);
        let defends = seat != battle.attacker;
        let barred = |s: Space| s == battle.at || defends && host.back.is_empty() && battle.barred == Some(s);
        if let Some(first) = battle.way.first() {
            let next = self.ways_out(o, seat, *first, battle, pays);
            return next.iter().filter(|s| !barred(*s) && self.clean(o, seat, *s)).collect();
        }
        if landed {
            return Set::NONE;
        }
        let out = self.ways_out(o, seat, battle.at, battle, pays);
        // Through a space where nobody may stay, if there is a place beyond it.
        let beyond = |s: &Space| {
            self.clean(o, seat, *s)
                || self
                    .ways_out(o, seat, *s, battle, pays)
                    .iter()
                    .any(|t| !barred(t) && self.clean(o, seat, t))
        };
        if host.back.any() {
            return (out & host.back).iter().filter(beyond).collect();
        }
        let allowed: Spaces = out.iter().filter(|s| !barred(*s)).collect();
        let clean: Spaces = allowed.iter().filter(|s| self.clean(o, seat, *s)).collect();
        if clean.any() { clean } else { allowed.iter().filter(beyond).collect() }
    }

    /// Whether the loser is asked; what leaves no choice is done.
    pub(super) fn retreats(&self, p: &mut Position, seat: Seat, _: &mut (impl Umpire + ?Sized)) -> bool {
        let Some(battle) = p.open.battle.clone() else {
            p.open.agenda.pop();
            return false;
        };
        let (units, leaders) = self.homeless(&battle, seat);
        let next = self.next_spaces(&p.open, &battle, seat, true);
        let room = self.shelter_left(&p.open, &battle, seat);
        let settled = units.is_empty() && leaders.is_empty() || battle.way.is_full();
        let stuck = next.is_empty() && (room == 0 || !battle.way.is_empty());
        if settled || stuck {
            p.open.agenda.pop();
            return false;
        }
        true
    }

    pub(super) fn list_retreat(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let o = &p.open;
        let Some(battle) = &o.battle else { return };
        let next = self.next_spaces(o, battle, seat, false);
        for space in next {
            ballot.allow(Action::Target(space));
        }
        // Free passage may be bought for a retreat [9.4].
        for space in self.next_spaces(o, battle, seat, true) {
            if self.sells_passage(o, seat, space) {
                ballot.allow(Action::Passage(space));
            }
        }
        if ballot.explains() {
            for way in &self.components.space(battle.at).ways {
                if !next.has(way.to) && battle.way.is_empty() {
                    ballot.refuse(
                        Action::Target(way.to),
                        rule!("14.1"),
                        format_args!("a pass, an enemy, or the way that the enemy came"),
                    );
                }
            }
        }
        if let Some(first) = battle.way.first() {
            if self.clean(o, seat, *first) {
                ballot.allow(Action::Done);
            }
            return;
        }
        if self.shelter_left(o, battle, seat) > 0 {
            let (units, leaders) = self.homeless(battle, seat);
            ballot.allow(Action::AllInside);
            self.sorts(o, units, |sort| ballot.allow(Action::Inside(sort)));
            for leader in leaders {
                ballot.allow(Action::InsideLeader(leader));
            }
        }
    }

    pub(super) fn act_retreat(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(battle) = p.open.battle.clone() else { return };
        let (units, leaders) = self.homeless(&battle, seat);
        let unit = if let Action::Inside(sort) = action { self.one_of(&p.open, units, sort) } else { None };
        let room = self.shelter_left(&p.open, &battle, seat);
        if let Action::Passage(space) = action {
            self.buy_passage(p, seat, space, umpire);
        }
        let Some(b) = &mut p.open.battle else { return };
        match action {
            Action::Target(space) | Action::Passage(space) => b.way.push(space),
            Action::Inside(_) => {
                if let Some(unit) = unit {
                    b.sheltered.insert(unit);
                }
                umpire.cite(rule!("17.3"));
            }
            Action::InsideLeader(leader) => {
                b.sheltered_led.insert(leader);
                umpire.cite(rule!("17.3"));
            }
            Action::AllInside => {
                let led: Leaders = leaders.iter().take(room).collect();
                b.sheltered_led |= led;
                b.sheltered |= units.iter().take(room - led.len()).collect();
                umpire.cite(rule!("17.3"));
            }
            _ => {
                p.open.agenda.pop();
            }
        }
    }

    /// The beaten go where they said, or are lost.
    pub(super) fn go_back(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(battle) = p.open.battle.clone() else { return };
        let seat = Self::retreating(&battle);
        let host = battle.hosts[seat];
        umpire.cite(rule!("14"));
        if battle.sally && seat == battle.attacker {
            p.open.inside |= host.units | host.extra;
            p.open.inside_led |= host.leaders;
            umpire.cite(rule!("17.8"));
            return;
        }
        let (units, leaders) = self.homeless(&battle, seat);
        // An army whose last unit is gone goes nowhere: its leaders meet their fates.
        if (host.units | host.extra).is_empty() && battle.winner.is_some() {
            return;
        }
        p.open.inside |= battle.sheltered;
        p.open.inside_led |= battle.sheltered_led;
        if units.is_empty() && leaders.is_empty() {
            return;
        }
        let (Some(first), Some(last)) = (battle.way.first().copied(), battle.way.last().copied()) else {
            if units.is_empty() && battle.winner.is_some() {
                return;
            }
            // Nowhere to go.
            let name = self.title.seat_name(seat);
            umpire.note(
                Readers::ALL,
                rule!("14.1"),
                format_args!("The {name} has no way to retreat, and is lost"),
            );
            for unit in units {
                self.bury(p, unit);
            }
            if battle.winner.is_none() || battle.sheltered.any() {
                for leader in leaders {
                    self.fate(p, leader, 0, battle.at, umpire);
                }
            }
            return;
        };
        let swept = if battle.way.len() > 1 {
            let friends = self.outside(&p.open, first, seat);
            if friends.0.len() <= units.len() { friends } else { (Set::NONE, Set::NONE) }
        } else {
            (Set::NONE, Set::NONE)
        };
        let price: usize = battle.way.iter().map(|s| self.units(&p.open, *s, seat.other()).len()).sum();
        for unit in units | swept.0 {
            p.open.put(unit, Place::At(last));
        }
        for leader in leaders | swept.1 {
            p.open.put_leader(leader, Place::At(last));
        }
        if umpire.writes() {
            let (name, place) = (self.title.seat_name(seat), self.space_name(last));
            let count = units.len() + leaders.len();
            umpire.tell(Readers::ALL, rule!("14.1"), format_args!("The {name} retreats to {place}"), &|| {
                vec![self.trace(seat, count, battle.at, last, Manner::Retreat)]
            });
        }
        let active =
            p.open.march.as_ref().is_some_and(|m| m.seat == seat && m.units.meets(units | p.open.struck));
        // An active army that its own rearguard sweeps up forages by itself.
        let marching = p.open.march.as_ref().filter(|m| m.seat == seat);
        let (army, led) = marching.map_or((Set::NONE, Set::NONE), |m| (m.units, m.leaders));
        let carried = swept.0.meets(army) || swept.1.meets(led);
        for space in &battle.way {
            self.trespass(p, seat, *space, umpire);
            if active || carried && *space == last {
                self.note_trail(p, *space);
            }
            if !active {
                let others = (units | (swept.0 - army), leaders | (swept.1 - led));
                self.pass_by(p, seat, others.0, others.1, *space, None);
            }
        }
        if let Some(march) = &mut p.open.march
            && march.seat == seat
            && (carried || march.units.meets(units) || march.leaders.meets(leaders))
        {
            march.at = last;
            march.over = true;
        }
        if price > 0 {
            self.lose(p, seat, units | swept.0, price.min(200) as u8, Toll::Any, None);
        }
    }
}

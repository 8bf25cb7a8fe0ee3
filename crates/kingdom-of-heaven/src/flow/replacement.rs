//! Replacements \[6\]: dead units are rebuilt, reduced ones restored, leaders brought back.

use table::{Ballot, Id as _, Readers, Seat, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::Stance;
use crate::ids::{Kind, Leader, Power, Powers, Space, Unit, Units};
use crate::position::{Open, Place, Position, Step};
use crate::words::A;

/// The highest command rating of a leader who can come back [6.1].
const REPLACEABLE: u8 = 3;

impl KingdomOfHeaven {
    /// Every Power gets its points; neutral Powers spend theirs at once [6.1, 6.2].
    pub(super) fn begin_replacement(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.cite(rule!("6"));
        let turn = p.open.turn;
        for power in self.plot(&p.open).present {
            let rate = self.plot(&p.open).powers[power].map_or(0, |data| data.rate.points(turn) as i8);
            let later = std::mem::take(&mut p.open.points_later[power]);
            let crusaders = self.components.crusaders.has(power);
            p.open.points[power] = if crusaders { 0 } else { (rate + later).max(0) };
            if p.open.stance[power] == Stance::Neutral {
                self.replace_neutral(p, power, umpire);
            }
        }
    }

    fn replace_neutral(&self, p: &mut Position, power: Power, umpire: &mut (impl Umpire + ?Sized)) {
        let all = self.plot(&p.open).roster.of_power[power];
        while p.open.points[power] > 0 {
            umpire.cite(rule!("6.2"));
            let map: Units = (all & p.open.reduced).iter().filter(|u| p.open.unit_at(*u).is_some()).collect();
            let pool: Units =
                (all & p.open.reduced).iter().filter(|u| p.open.at[*u] == Place::Pool).collect();
            let dead: Units = all.iter().filter(|u| p.open.at[*u] == Place::Dead).collect();
            let reduced = if map.any() { map } else { pool };
            if let Some(unit) = self.lot(&p.open, reduced, umpire) {
                p.open.reduced.remove(unit);
                p.open.points[power] -= 1;
                continue;
            }
            let leaders: crate::ids::Leaders = self
                .plot(&p.open)
                .all_leaders
                .iter()
                .filter(|l| self.can_revive(&p.open, *l, power))
                .collect();
            let leader = match leaders.len() {
                0 | 1 => leaders.first(),
                n => {
                    let name = |i: u16| {
                        leaders.nth(i.into()).map_or(String::new(), |l| self.leader_name(l).to_string())
                    };
                    leaders.nth(umpire.draw(Readers::ALL, n as u16, &name).into())
                }
            };
            if let Some(leader) = leader {
                let cost = self.price(&p.open, leader, p.open.points[power]);
                self.pay_for(p, leader, cost, umpire);
                p.open.points[power] -= cost;
                continue;
            }
            let Some(unit) = self.lot(&p.open, dead, umpire) else { break };
            p.open.put(unit, Place::Pool);
            let full = p.open.points[power] >= 2;
            if full {
                p.open.reduced.remove(unit);
            } else {
                p.open.reduced.insert(unit);
            }
            p.open.points[power] -= if full { 2 } else { 1 };
        }
        p.open.points[power] = 0;
    }

    /// One of these units by an open lot.
    pub(super) fn lot(&self, o: &Open, units: Units, umpire: &mut (impl Umpire + ?Sized)) -> Option<Unit> {
        match units.len() {
            0 | 1 => units.first(),
            n => {
                let name = |i: u16| {
                    units
                        .nth(i.into())
                        .map_or(String::new(), |u| format!("{} {}", self.kind(o, u).name, u.number()))
                };
                units.nth(umpire.draw(Readers::ALL, n as u16, &name).into())
            }
        }
    }

    /// Whether a leader of a Power is dead and can come back.
    fn can_revive(&self, o: &Open, leader: Leader, power: Power) -> bool {
        let data = self.components.leader(leader);
        data.power == power && o.led[leader] == Place::Dead && data.command <= REPLACEABLE
    }

    /// What a leader costs now: two points, or one where only one can be paid or one is paid already.
    fn price(&self, o: &Open, leader: Leader, points: i8) -> i8 {
        if o.paid.has(leader) || points < 2 { 1 } else { 2 }
    }

    fn pay_for(&self, p: &mut Position, leader: Leader, cost: i8, umpire: &mut (impl Umpire + ?Sized)) {
        let name = self.leader_start(leader);
        if cost == 2 || p.open.paid.has(leader) {
            p.open.paid.remove(leader);
            p.open.put_leader(leader, Place::Pool);
            umpire.note(Readers::ALL, rule!("6.1"), format_args!("{name} comes back to the force pool"));
        } else {
            p.open.paid.insert(leader);
            umpire.note(Readers::ALL, rule!("6.1"), format_args!("Half the price of {name} is paid"));
        }
    }

    /// Whether a unit on the map may be restored [6.1].
    fn may_restore(&self, o: &Open, unit: Unit, seat: Seat) -> bool {
        let Some(space) = o.unit_at(unit) else { return false };
        let blockaded = o.marks[space].blockaded && o.inside.has(unit);
        !blockaded && self.controller(o, space) != Some(seat.other())
    }

    /// Lists what the points of a Power can be spent on; says whether there is anything.
    fn list_spending(
        &self,
        o: &Open,
        seat: Seat,
        power: Power,
        points: i8,
        only: Option<Space>,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) -> bool {
        let mut any = false;
        let roster = &self.plot(o).roster;
        for kind in (0..self.components.kinds.len()).map(Kind::at) {
            let units = roster.of_kind[kind];
            if units.is_empty() || self.components.kind(kind).power != power {
                continue;
            }
            if only.is_none() && units.iter().any(|u| o.at[u] == Place::Dead) {
                ballot.allow(Action::Rebuild(kind));
                any = true;
            }
            let mut spaces = Set::NONE;
            for unit in units & o.reduced {
                match o.at[unit] {
                    Place::Pool if only.is_none() && !spaces.has(pool_mark()) => {
                        spaces.insert(pool_mark());
                        ballot.allow(Action::RestorePool(kind));
                        any = true;
                    }
                    Place::At(space) if only.is_none_or(|o| o == space) && !spaces.has(space) => {
                        if self.may_restore(o, unit, seat) {
                            spaces.insert(space);
                            ballot.allow(Action::Restore(space, kind));
                            any = true;
                        } else {
                            ballot.refuse(
                                Action::Restore(space, kind),
                                rule!("6.1"),
                                format_args!("it is blockaded, or the enemy controls the space"),
                            );
                        }
                    }
                    _ => {}
                }
            }
        }
        if only.is_none() {
            for leader in self.plot(o).all_leaders {
                if self.can_revive(o, leader, power) && points > 0 {
                    ballot.allow(Action::Revive(leader));
                    any = true;
                } else if o.led[leader] == Place::Dead && self.components.leader(leader).power == power {
                    ballot.refuse(
                        Action::Revive(leader),
                        rule!("6.1"),
                        format_args!("his command rating is more than three"),
                    );
                }
            }
        }
        any
    }

    pub(super) fn list_replacements(
        &self,
        p: &Position,
        seat: Seat,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let o = &p.open;
        ballot.allow(Action::Done);
        for power in self.plot(o).present {
            if self.side(o, power) != Some(seat) {
                continue;
            }
            if o.points[power] > 0 {
                self.list_spending(o, seat, power, o.points[power], None, ballot);
            }
            if o.marker == Some(seat) {
                if self.components.crusaders.has(power) {
                    ballot.refuse(
                        Action::Boost(power),
                        rule!("6.1"),
                        format_args!("Crusaders get points by events only"),
                    );
                } else if self.list_spending(o, seat, power, 1, None, &mut Nothing) {
                    ballot.allow(Action::Boost(power));
                }
            }
        }
    }

    pub(super) fn act_replacement(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match action {
            Action::Done => {
                p.open.agenda.pop();
            }
            Action::Boost(power) => {
                p.open.marker = None;
                p.open.points[power] += 1;
                let name = self.power_name(power);
                umpire.note(
                    Readers::ALL,
                    rule!("6.1"),
                    format_args!("The advantage marker is spent for {name}"),
                );
            }
            _ => {
                if let Some((power, cost)) =
                    self.spend_point(p, seat, action, |o, power| o.points[power], umpire)
                {
                    p.open.points[power] -= cost;
                }
            }
        }
    }

    /// Carries out what a point is spent on: the Power, and how many points.
    fn spend_point(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        points: impl Fn(&Open, Power) -> i8,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> Option<(Power, i8)> {
        let units = |p: &Position, kind: Kind| self.plot(&p.open).roster.of_kind[kind];
        let name = |kind: Kind| &self.components.kind(kind).name;
        match action {
            Action::Rebuild(kind) => {
                let unit = units(p, kind).iter().find(|u| p.open.at[*u] == Place::Dead)?;
                p.open.put(unit, Place::Pool);
                p.open.reduced.insert(unit);
                umpire.note(Readers::ALL, rule!("6.1"), format_args!("{} is rebuilt", A(name(kind))));
                Some((self.components.kind(kind).power, 1))
            }
            Action::Restore(space, kind) => {
                let here = units(p, kind) & p.open.reduced & p.open.here[space];
                let unit = here.iter().find(|u| self.may_restore(&p.open, *u, seat))?;
                p.open.reduced.remove(unit);
                let place = self.space_name(space);
                umpire.note(
                    Readers::ALL,
                    rule!("6.1"),
                    format_args!("{} in {place} is at full strength again", A(name(kind))),
                );
                Some((self.components.kind(kind).power, 1))
            }
            Action::RestorePool(kind) => {
                let unit = (units(p, kind) & p.open.reduced).iter().find(|u| p.open.at[*u] == Place::Pool)?;
                p.open.reduced.remove(unit);
                umpire.note(
                    Readers::ALL,
                    rule!("6.1"),
                    format_args!("{} in the force pool is at full strength again", A(name(kind))),
                );
                Some((self.components.kind(kind).power, 1))
            }
            Action::Revive(leader) => {
                let power = self.components.leader(leader).power;
                let cost = self.price(&p.open, leader, points(&p.open, power));
                self.pay_for(p, leader, cost, umpire);
                Some((power, cost))
            }
            _ => None,
        }
    }

    pub(super) fn list_recovery(
        &self,
        p: &Position,
        seat: Seat,
        powers: Powers,
        left: u8,
        at: Option<Space>,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        ballot.allow(Action::Done);
        if left == 0 {
            return;
        }
        for power in powers {
            if self.side(&p.open, power) == Some(seat) {
                self.list_spending(&p.open, seat, power, left as i8, at, ballot);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn act_recovery(
        &self,
        p: &mut Position,
        seat: Seat,
        powers: Powers,
        left: u8,
        at: Option<Space>,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if action == Action::Done {
            p.open.agenda.pop();
        } else if let Some((_, cost)) = self.spend_point(p, seat, action, |_, _| left as i8, umpire) {
            p.open.agenda.replace(Step::Recover { seat, powers, left: left.saturating_sub(cost as u8), at });
        }
    }

    /// Whether points that an event gives could be spent.
    pub(super) fn can_recover(&self, o: &Open, seat: Seat, powers: Powers, at: Option<Space>) -> bool {
        powers.iter().any(|power| {
            let units = self.plot(o).roster.of_power[power];
            let weak = |u: Unit| match o.at[u] {
                Place::Pool => at.is_none(),
                Place::At(space) => at.is_none_or(|s| s == space) && self.may_restore(o, u, seat),
                _ => false,
            };
            self.side(o, power) == Some(seat)
                && ((units & o.reduced).iter().any(weak)
                    || at.is_none()
                        && (units.iter().any(|u| o.at[u] == Place::Dead)
                            || self.plot(o).all_leaders.iter().any(|l| self.can_revive(o, l, power))))
        })
    }
}

/// Stands for the force pool among spaces that were listed.
fn pool_mark() -> Space {
    Space::at(Space::COUNT - 1)
}

/// A ballot that nobody reads.
pub(super) struct Nothing;

impl Ballot<Action> for Nothing {
    fn allow(&mut self, _: Action) {}
    fn allow_range(&mut self, _: Action, _: u32, _: u32) {}
}

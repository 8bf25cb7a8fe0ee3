//! The Muslims [26.0] and their reaction [27.0].

use table::{Readers, SeatSet, Umpire, rule};

use super::CRUSADER;
use crate::FirstCrusade;
use crate::data::{Contingent, Counter, Egyptian};
use crate::position::{BIN, Position};
use crate::set::Set;

impl FirstCrusade {
    /// Whether Muslim units that come to a space are Fatimid [26.4, 27.10, 27.11].
    pub(crate) fn is_fatimid(&self, p: &Position, s: u8) -> bool {
        match self.components.spaces[usize::from(s)].egyptian {
            Egyptian::Always => true,
            Egyptian::After => p.fatimids,
            Egyptian::Never => false,
        }
    }

    /// Fortresses that count for the reaction roll [27.2]: Armenian ones always.
    pub(crate) fn provoking(&self, p: &Position) -> u8 {
        let held = self.components.fortresses.each().filter(|s| self.christians(p, *s).any());
        (held.collect::<Set>() | self.components.armenia).len()
    }

    pub(super) fn check_reaction<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let roll = umpire.roll(6) + umpire.roll(6) + umpire.roll(6);
        let provoking = self.provoking(p);
        let rises = roll <= provoking;
        umpire.heading(format_args!("The Muslims react"));
        umpire.note(
            Readers::ALL,
            rule!("27.2"),
            format_args!(
                "three dice show {roll} against {provoking} Christian fortresses: {}",
                if rises { "the reaction rises" } else { "the emirs wait" }
            ),
        );
        if rises {
            self.move_reaction(p, 1, umpire);
        }
    }

    /// A die for the column, a die for the row [27.3].
    pub(super) fn counteroffensive<U: Umpire + ?Sized>(&self, p: &mut Position, bonus: u8, umpire: &mut U) {
        let (column, row) = (umpire.roll(6), umpire.roll(6));
        let counter = self.components.counters[usize::from(column) - 1][usize::from(row) - 1];
        let told = |text: std::fmt::Arguments<'_>, umpire: &mut U| {
            umpire.note(Readers::ALL, rule!("27.3"), format_args!("column {column}, row {row}: {text}"));
        };
        match counter {
            Counter::Attack(route) => {
                told(format_args!("a Muslim attack on the {} route", self.route(route)), umpire);
                match self.foremost(p, route) {
                    Some(s) => self.muslims_attack(p, s, bonus, umpire),
                    None => umpire.note(
                        Readers::ALL,
                        rule!("27.4"),
                        format_args!("no Christians are on that route"),
                    ),
                }
            }
            Counter::Relief(route) => {
                told(format_args!("a relief force on the {} route", self.route(route)), umpire);
                self.relieve(p, route, bonus, umpire);
            }
            Counter::Raid(s) => {
                told(format_args!("a raid on {}", self.components.space_name(s)), umpire);
                self.raid(p, s, bonus, umpire);
            }
            Counter::Naval => {
                told(format_args!("a naval action"), umpire);
                self.naval_action(p, umpire);
            }
        }
    }

    fn route(&self, route: u8) -> &str {
        self.components.routes.get(usize::from(route)).map_or("", |(name, _)| name)
    }

    /// The space of a route with Christians that is nearest to Jerusalem [27.4].
    pub(crate) fn foremost(&self, p: &Position, route: u8) -> Option<u8> {
        let (_, spaces) = self.components.routes.get(usize::from(route))?;
        spaces.iter().copied().find(|s| self.christians(p, *s).any())
    }

    /// A relief force seeks a fortress with Christians; without one it is a raid [27.5].
    fn relieve<U: Umpire + ?Sized>(&self, p: &mut Position, route: u8, bonus: u8, umpire: &mut U) {
        umpire.cite(rule!("27.5"));
        let spaces = &self.components.routes[usize::from(route)].1;
        let held = spaces.iter().copied().find(|s| self.is_fort(p, *s) && self.christians(p, *s).any());
        let empty = || {
            let open = |s: &u8| self.components.fortresses.has(*s) && p.here[usize::from(*s)].is_empty();
            spaces.iter().copied().find(open)
        };
        match held.or_else(|| self.foremost(p, route)).or_else(empty) {
            Some(s) => self.raid(p, s, bonus, umpire),
            None => umpire.note(Readers::ALL, rule!("27.5"), format_args!("there is nothing to relieve")),
        }
    }

    /// A raid on a space: an attack, or the space is taken back [27.6, 27.7].
    pub(super) fn raid<U: Umpire + ?Sized>(&self, p: &mut Position, s: u8, bonus: u8, umpire: &mut U) {
        umpire.cite(rule!("27.6"));
        if self.is_fatimid(p, s) && self.components.spaces[usize::from(s)].egyptian == Egyptian::Always {
            umpire.cite(rule!("27.11"));
        }
        if self.christians(p, s).any() {
            if s != self.components.capital {
                self.muslims_attack(p, s, bonus, umpire);
            }
            return;
        }
        let settled = self.components.fortresses.has(s) || self.components.towns.has(s);
        if !settled || self.muslims(p, s).any() {
            umpire.note(Readers::ALL, rule!("27.6"), format_args!("nothing comes of it"));
            return;
        }
        self.occupy(p, s, 1, umpire);
        umpire.note(
            Readers::ALL,
            rule!("27.7"),
            format_args!("Muslims move into {}", self.components.space_name(s)),
        );
    }

    /// Concealed units are picked for a space: nobody sees who comes.
    pub(super) fn occupy<U: Umpire + ?Sized>(&self, p: &mut Position, s: u8, n: u8, umpire: &mut U) {
        let side = if self.is_fatimid(p, s) { Contingent::Fatimid } else { Contingent::Seljuk };
        // As far as anybody knows, it may be any unit whose face is not to be seen.
        let unseen = self.unseen(p, side);
        for _ in 0..n {
            let bin: Set = self.of(side).each().filter(|u| p.place[usize::from(*u)] == BIN).collect();
            let Some(u) = self.draw(bin, Readers::only(SeatSet::NONE), umpire) else { break };
            p.put(u, s);
            p.breath = true;
            p.rumour[usize::from(s)] = unseen;
        }
        if self.components.armenia.has(s) {
            self.activate_armenia(p, umpire);
        }
        self.ruin(p, s, umpire);
    }

    /// Units of a contingent that are in the bin or concealed on the map.
    pub(crate) fn unseen(&self, p: &Position, side: Contingent) -> Set {
        let hidden = |u: &u8| p.place[usize::from(*u)] == BIN || (p.on_map(*u) && !p.shown.has(*u));
        self.of(side).each().filter(hidden).collect()
    }

    /// Fleets on or east of Rhodos meet the enemy's [27.8].
    fn naval_action<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let zone =
            |u: &u8| p.on_map(*u) && self.components.spaces[usize::from(p.place[usize::from(*u)])].naval_zone;
        let fleets: Set = self.components.fleets.each().filter(zone).collect();
        if fleets.is_empty() {
            umpire.note(
                Readers::ALL,
                rule!("27.8"),
                format_args!("no Christian fleets are on or east of Rhodos"),
            );
            return;
        }
        let factor = |u: u8| self.components.units[usize::from(u)].combat[usize::from(p.reduced.has(u))];
        let ours: u8 = fleets.each().map(factor).sum();
        let theirs = umpire.roll(6) + umpire.roll(6);
        let won = theirs <= ours;
        umpire.note(
            Readers::ALL,
            rule!("27.8"),
            format_args!(
                "a Muslim fleet of {theirs} against {ours}: the {} win at sea",
                if won { "Christians" } else { "Muslims" }
            ),
        );
        if won {
            self.gain_special(p, 1, umpire);
            self.pick_for(p, self.seat_of(p, CRUSADER), self.components.capital, umpire);
        } else {
            let carried: Set = fleets
                .each()
                .map(|u| p.cargo[usize::from(self.components.fleet_number[usize::from(u)])])
                .filter(|u| *u != crate::data::NONE)
                .collect();
            for u in (fleets | carried).each() {
                if p.on_map(u) {
                    self.lose_step(p, u, umpire);
                }
            }
            self.lose_boon(p, umpire);
            self.lose_special(p, umpire);
        }
    }
}

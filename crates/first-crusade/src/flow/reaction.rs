//! The Muslims [26.0] and their reaction [27.0].

use table::{Readers, SeatSet, Set, Umpire, rule};

use crate::FirstCrusade;
use crate::data::{Contingent, Counter, Egyptian, Family, Route, Space, Unit};
use crate::position::Position;
use crate::words::count;

impl FirstCrusade {
    /// Whether Muslim units that come to a space are Fatimid [26.4, 27.10, 27.11].
    pub(crate) fn is_fatimid(&self, p: &Position, s: Space) -> bool {
        match self.components.spaces[s].egyptian {
            Egyptian::Always => true,
            Egyptian::After => p.fatimids,
            Egyptian::Never => false,
        }
    }

    /// Fortresses that count for the reaction roll [27.2]: Armenian ones always.
    pub(crate) fn provoking(&self, p: &Position) -> u8 {
        let held = self.components.fortresses.iter().filter(|s| self.christians(p, *s).any());
        (held.collect::<Set<_>>() | self.components.armenia).len() as u8
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
                "Three dice show {roll} against {}: {}",
                count(provoking, "Christian fortress", "Christian fortresses"),
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
            umpire.note(Readers::ALL, rule!("27.3"), format_args!("{text} (column {column}, row {row})"));
        };
        match counter {
            Counter::Attack(route) => {
                told(format_args!("The Muslims attack on the {} route", self.route(route)), umpire);
                if self.foremost(p, route) == Some(self.components.jerusalem) {
                    umpire.cite(rule!("29.3"));
                }
                match self.foremost(p, route) {
                    Some(s) => self.muslims_attack(p, s, bonus, umpire),
                    None => umpire.note(
                        Readers::ALL,
                        rule!("27.4"),
                        format_args!("No Christians are on that route"),
                    ),
                }
            }
            Counter::Relief(route) => {
                told(format_args!("A relief force comes down the {} route", self.route(route)), umpire);
                self.relieve(p, route, bonus, umpire);
            }
            Counter::Raid(s) => {
                told(format_args!("Muslims raid {}", self.components.space_name(s)), umpire);
                self.raid(p, s, bonus, umpire);
            }
            Counter::Naval => {
                told(format_args!("A Muslim fleet puts to sea"), umpire);
                self.naval_action(p, umpire);
            }
        }
    }

    fn route(&self, route: Route) -> &str {
        self.components.routes.get(route).map_or("", |(name, _)| name)
    }

    /// The space of a route with Christians that is nearest to Jerusalem [27.4].
    pub(crate) fn foremost(&self, p: &Position, route: Route) -> Option<Space> {
        let (_, spaces) = self.components.routes.get(route)?;
        spaces.iter().copied().find(|s| self.christians(p, *s).any())
    }

    /// A relief force seeks a fortress with Christians; without one it is a raid [27.5].
    fn relieve<U: Umpire + ?Sized>(&self, p: &mut Position, route: Route, bonus: u8, umpire: &mut U) {
        umpire.cite(rule!("27.5"));
        let spaces = &self.components.routes[route].1;
        let held = spaces.iter().copied().find(|s| self.is_fort(p, *s) && self.christians(p, *s).any());
        let empty = || {
            let open = |s: &Space| self.components.fortresses.has(*s) && p.here[*s].is_empty();
            spaces.iter().copied().find(open)
        };
        match held.or_else(|| self.foremost(p, route)).or_else(empty) {
            Some(s) => self.raid(p, s, bonus, umpire),
            None => umpire.note(Readers::ALL, rule!("27.5"), format_args!("There is nothing to relieve")),
        }
    }

    /// A raid on a space: an attack, or the space is taken back [27.6, 27.7].
    pub(super) fn raid<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, bonus: u8, umpire: &mut U) {
        umpire.cite(rule!("27.6"));
        if self.is_fatimid(p, s) && self.components.spaces[s].egyptian == Egyptian::Always {
            umpire.cite(rule!("27.11"));
        }
        if s == self.components.capital {
            umpire.cite(rule!("27.3"));
            umpire.cite(rule!("29.1"));
            return;
        }
        if self.christians(p, s).any() {
            self.muslims_attack(p, s, bonus, umpire);
            return;
        }
        let settled = self.components.fortresses.has(s) || self.components.towns.has(s);
        if !settled || self.muslims(p, s).any() {
            umpire.cite(rule!("27.7"));
            umpire.note(Readers::ALL, rule!("27.6"), format_args!("Nothing comes of it"));
            return;
        }
        let came = self.occupy(p, s, 1, umpire) > 0;
        umpire.note(
            Readers::ALL,
            rule!("27.7"),
            format_args!(
                "{} {}",
                if came { "Muslims move into" } else { "No Muslims are left to move into" },
                self.components.space_name(s)
            ),
        );
    }

    /// Concealed units are picked for a space: nobody sees who comes. How many came.
    pub(super) fn occupy<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, n: u8, umpire: &mut U) -> u8 {
        let side = if self.is_fatimid(p, s) { Contingent::Fatimid } else { Contingent::Seljuk };
        self.cite_fatimids(p, s, umpire);
        // As far as anybody knows, it may be any unit whose face is not to be seen.
        let unseen = self.unseen(p, side);
        let mut came = 0;
        for _ in 0..n {
            let bin: Set<Unit> = self.of(side).iter().filter(|u| p.in_bin(*u)).collect();
            let Some(u) = self.draw(bin, Readers::only(SeatSet::NONE), umpire) else {
                umpire.cite(rule!("26.2"));
                break;
            };
            p.put(u, s);
            p.breath = true;
            p.rumour[s] = unseen;
            came += 1;
        }
        self.disturb_armenia(p, s, came > 0, umpire);
        self.ruin(p, s, umpire);
        came
    }

    /// Muslims in Armenia bring it into the war, the instant they are placed [30.1].
    pub(super) fn disturb_armenia<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        s: Space,
        came: bool,
        umpire: &mut U,
    ) {
        if self.components.armenia.has(s) {
            umpire.cite(rule!("30.1"));
            if came {
                self.activate_armenia(p, umpire);
            }
        }
    }

    /// Cites what brings Fatimids to a space, where they came to it with Jerusalem [26.4, 27.10].
    pub(super) fn cite_fatimids<U: Umpire + ?Sized>(&self, p: &Position, s: Space, umpire: &mut U) {
        if self.components.spaces[s].egyptian == Egyptian::After && p.fatimids {
            umpire.cite(rule!("26.4"));
            umpire.cite(rule!("27.10"));
        }
    }

    /// Units of a contingent that are in the bin or concealed on the map.
    pub(crate) fn unseen(&self, p: &Position, side: Contingent) -> Set<Unit> {
        let hidden = |u: &Unit| p.in_bin(*u) || (p.on_map(*u) && !p.shown.has(*u));
        self.of(side).iter().filter(hidden).collect()
    }

    /// Fleets on or east of Rhodos meet the enemy's [27.8].
    fn naval_action<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let zone = |u: &Unit| p.at(*u).is_some_and(|s| self.components.spaces[s].naval_zone);
        let fleets: Set<Unit> = self.components.fleets.iter().filter(zone).collect();
        if fleets.is_empty() {
            umpire.note(
                Readers::ALL,
                rule!("27.8"),
                format_args!("No Christian fleets are on or east of Rhodos"),
            );
            return;
        }
        let factor = |u: Unit| self.components.units[u].factor(p.reduced.has(u));
        let ours: u8 = fleets.iter().map(factor).sum();
        let theirs = umpire.roll(6) + umpire.roll(6);
        let won = theirs <= ours;
        umpire.note(
            Readers::ALL,
            rule!("27.8"),
            format_args!(
                "The {} win at sea: Muslim ships of {theirs} against Christian ships of {ours}",
                if won { "Christians" } else { "Muslims" }
            ),
        );
        if won {
            self.gain_special(p, 1, umpire);
            self.pick_for(p, self.seat_of(p, Family::Crusader), self.components.capital, umpire);
        } else {
            let carried = self.carried(p, fleets);
            let leaders = (fleets | carried) & self.components.leaders;
            for u in (fleets | carried).iter() {
                if p.on_map(u) {
                    self.lose_step(p, u, rule!("27.8"), umpire);
                }
            }
            // As on land, a marker is lost with a leader [24.1].
            if leaders.iter().any(|u| !p.on_map(u)) {
                umpire.cite(rule!("24.1"));
                self.lose_boon(p, umpire);
            }
            self.lose_special(p, umpire);
        }
    }
}

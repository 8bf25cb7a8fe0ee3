//! How the game is set up [7.0].

use table::{Readers, Setup, Umpire, rule};

use crate::FirstCrusade;
use crate::data::{Arm, Contingent, NONE, Plot};
use crate::position::{BIN, Phase, Position, Step, TableRules};
use crate::set::Set;

impl FirstCrusade {
    pub(crate) fn start<U: Umpire + ?Sized>(&self, setup: &Setup, umpire: &mut U) -> Position {
        let plot = self.components.plots.iter().find(|plot| plot.id == setup.scenario());
        let plot = plot.unwrap_or(&self.components.plots[0]);
        let table = TableRules {
            sieges: setup.is_on("sieges"),
            cavalry: setup.is_on("cavalry"),
            kingdoms: setup.is_on("kingdoms"),
            seats: setup.seats() as u8,
            contribution: setup.option("team") == "contribution",
            last_turn: plot.first_turn + plot.turns - 1,
            levels: plot.levels,
            goal: plot.goal,
            quiet: plot.quiet,
        };
        let mut p = Position::empty(&self.components, table);
        p.turn = plot.first_turn;
        umpire.cite(rule!("7.0"));
        umpire.cite(rule!("26.1"));
        if table.seats > 1 {
            umpire.cite(rule!("opt-37.0"));
        }
        self.garrison(&mut p, plot.free);
        match &plot.units {
            None => self.gather(&mut p, umpire),
            Some(units) => self.post(&mut p, units),
        }
        self.open_turns(&mut p, plot, umpire);
        p
    }

    fn open_turns<U: Umpire + ?Sized>(&self, p: &mut Position, plot: &Plot, umpire: &mut U) {
        umpire.note(Readers::ALL, rule!("7.0"), format_args!("{}", plot.gist));
        p.agenda.push(Step::Turn(Phase::Event));
        self.proceed(p, umpire);
    }

    /// A militia in every fortress of the Seljuks, the Assassins in Masyaf.
    pub(crate) fn garrison(&self, p: &mut Position, free: Set) {
        let c = &self.components;
        let mut militia = (0..c.units.len() as u8).filter(|u| c.units[usize::from(*u)].garrison);
        for s in 0..c.spaces.len() as u8 {
            if c.spaces[usize::from(s)].garrison
                && !free.has(s)
                && let Some(u) = militia.next()
            {
                p.put(u, s);
                p.shown.insert(u);
            }
        }
        p.put(c.assassin, c.masyaf);
        p.shown.insert(c.assassin);
    }

    /// The hosts gather in Constantinople, the Armenians at home.
    fn gather<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let c = &self.components;
        for (u, unit) in c.units.iter().enumerate() {
            if unit.start != NONE && unit.contingent != Contingent::Assassin {
                p.put(u as u8, unit.start);
            }
        }
        let n = umpire.roll(6) + umpire.roll(6);
        for _ in 0..n {
            if let Some(u) = self.draw(self.bin(p, Contingent::Byzantine), Readers::ALL, umpire) {
                p.put(u, c.capital);
            }
        }
        umpire.note(Readers::ALL, rule!("7.0"), format_args!("{n} Byzantine units gather in Constantinople"));
        for s in c.armenia.each() {
            for _ in 0..2 {
                if let Some(u) = self.draw(self.bin(p, Contingent::Armenian), Readers::ALL, umpire) {
                    p.put(u, s);
                }
            }
        }
    }

    /// Units of a contingent in its bin, no fleets at inland places.
    fn bin(&self, p: &Position, contingent: Contingent) -> Set {
        let fits = |u: &u8| {
            let unit = &self.components.units[usize::from(*u)];
            p.place[usize::from(*u)] == BIN && (contingent != Contingent::Armenian || unit.arm != Arm::Fleet)
        };
        self.of(contingent).each().filter(fits).collect()
    }

    /// Units where a scenario puts them.
    pub(crate) fn post(&self, p: &mut Position, units: &[(u8, u8)]) {
        for (u, s) in units {
            p.put(*u, *s);
        }
    }
}

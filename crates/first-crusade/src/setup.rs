//! How the game is set up [7.0].

use table::{Readers, Set, Setup, Umpire, rule};

use crate::FirstCrusade;
use crate::data::{Arm, Contingent, Plot, Space, Unit};
use crate::position::{Phase, Position, Step, TableRules};
use crate::words::count;

impl FirstCrusade {
    pub(crate) fn start<U: Umpire + ?Sized>(&self, setup: &Setup, umpire: &mut U) -> Position {
        let plot = self.components.plots.iter().find(|plot| plot.id == setup.scenario());
        let plot = plot.unwrap_or(&self.components.plots[0]);
        let table = TableRules {
            sieges: setup.is_on("sieges"),
            cavalry: setup.is_on("cavalry"),
            kingdoms: setup.is_on("kingdoms"),
            party: setup.party(),
            contribution: setup.option("team") == "contribution",
            last_turn: plot.first_turn + plot.turns - 1,
            levels: plot.levels,
            goal: plot.goal,
            prize: plot.prize,
            idle: plot.idle,
            quiet: plot.quiet,
        };
        let mut p = Position::empty(&self.components, table);
        p.turn = plot.first_turn;
        p.reaction = plot.reaction;
        umpire.cite(rule!("7.0"));
        umpire.cite(rule!("26.1"));
        if table.party.len() > 1 {
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
    pub(crate) fn garrison(&self, p: &mut Position, free: Set<Space>) {
        let c = &self.components;
        let mut militia = c.units.ids().filter(|u| c.units[*u].garrison);
        for (s, site) in c.spaces.iter() {
            if site.garrison
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
        for (u, troop) in c.units.iter().filter(|(_, troop)| troop.contingent != Contingent::Assassin) {
            if let Some(start) = troop.start {
                p.put(u, start);
            }
        }
        let n = umpire.roll(6) + umpire.roll(6);
        for _ in 0..n {
            if let Some(u) = self.draw(self.bin(p, Contingent::Byzantine), Readers::ALL, umpire) {
                p.put(u, c.capital);
            }
        }
        umpire.note(
            Readers::ALL,
            rule!("7.0"),
            format_args!("{} gather in Constantinople", count(n, "Byzantine unit", "Byzantine units")),
        );
        for s in c.armenia.iter() {
            for _ in 0..2 {
                if let Some(u) = self.draw(self.bin(p, Contingent::Armenian), Readers::ALL, umpire) {
                    p.put(u, s);
                }
            }
        }
    }

    /// Units of a contingent in its bin, no fleets at inland places.
    fn bin(&self, p: &Position, contingent: Contingent) -> Set<Unit> {
        let fits = |u: &Unit| {
            let arm = self.components.units[*u].arm;
            p.in_bin(*u) && (contingent != Contingent::Armenian || arm != Arm::Fleet)
        };
        self.of(contingent).iter().filter(fits).collect()
    }

    /// Units where a scenario puts them.
    pub(crate) fn post(&self, p: &mut Position, units: &[(Unit, Space)]) {
        for (u, s) in units {
            p.put(*u, *s);
        }
    }
}

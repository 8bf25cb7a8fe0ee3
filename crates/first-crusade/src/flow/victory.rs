//! How to win [6.0], and how many Special Actions a turn brings [12.2, 29.2].

use table::{MOST_SEATS, Outcome, Readers, SeatSet, Umpire, rule};

use super::{ARMENIAN, BYZANTINE, CRUSADER};
use crate::FirstCrusade;
use crate::data::{Contingent, NONE};
use crate::position::{BOX, Ending, Position};

/// More points for every level where there are kingdoms [opt-36.8].
pub(crate) const KINGDOM_LEVELS: i16 = 15;

/// One line of the account of points.
pub(crate) struct Entry {
    /// What for.
    pub(crate) what: String,
    /// How many.
    pub(crate) points: i16,
}

impl FirstCrusade {
    /// Special Actions at the start of the step [12.2, 29.2, opt-36.5].
    pub(super) fn determine_special<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let c = &self.components;
        let held = |spaces: crate::set::Set, family: u8| {
            spaces.each().filter(|s| self.holder(p, *s) == Some(family)).count()
        };
        let mut gained = 0;
        if p.table.kingdoms {
            let titles = p.titles.iter().filter(|leader| **leader != NONE).count() as u8;
            if titles > 0 {
                gained += titles;
                umpire.note(
                    Readers::ALL,
                    rule!("opt-36.5"),
                    format_args!("{titles} kingdoms bring as many Special Actions"),
                );
            }
        } else {
            if held(c.holy, CRUSADER) >= 3 {
                gained += 1;
                let why = "Crusaders hold three Pilgrimage fortresses: a Special Action";
                umpire.note(Readers::ALL, rule!("12.2"), format_args!("{why}"));
            }
            let crusaders = self.of(Contingent::Crusader) & c.leaders;
            let led = |s: &u8| (self.christians(p, *s) & crusaders).any() && self.muslims(p, *s).is_empty();
            let led = c.holy.each().filter(led).count() as u8;
            if led > 0 {
                gained += led;
                umpire.note(
                    Readers::ALL,
                    rule!("29.2"),
                    format_args!("Crusader leaders in {led} Pilgrimage fortresses: as many Special Actions"),
                );
            }
        }
        if held(c.objectives, BYZANTINE) >= 3 {
            gained += 1;
            let why = "Byzantines hold three of their objectives: a Special Action";
            umpire.note(Readers::ALL, rule!("12.2"), format_args!("{why}"));
        }
        if p.armenia && held(c.armenia, ARMENIAN) >= usize::from(c.armenia.len()) {
            gained += 1;
            let why = "Armenians hold their fortresses: a Special Action";
            umpire.note(Readers::ALL, rule!("12.2"), format_args!("{why}"));
        }
        p.special = (p.special + gained).min(6);
    }

    /// No Crusader leader on the map: the crusade is over [6.3].
    #[inline]
    pub(super) fn check_defeat<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        if p.result.is_some() {
            return;
        }
        let leaders = self.of(Contingent::Crusader) & self.components.leaders;
        if !leaders.each().any(|u| p.on_map(u)) {
            p.result = Some(Ending::SuddenDefeat);
            umpire.note(Readers::ALL, rule!("6.3"), format_args!("no Crusader leader is left: defeat"));
        }
    }

    /// Jerusalem Crusader, all other fortresses Christian: victory at once [6.3].
    pub(super) fn check_victory<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let c = &self.components;
        if self.holder(p, c.jerusalem) != Some(CRUSADER) {
            return;
        }
        if c.fortresses.each().all(|s| self.holder(p, s).is_some()) {
            p.result = Some(Ending::SuddenVictory);
            umpire.note(
                Readers::ALL,
                rule!("6.3"),
                format_args!("every fortress of the map is Christian: victory"),
            );
        }
    }

    /// Points for a space that this contingent holds [6.1].
    fn worth(&self, s: u8, family: u8) -> i16 {
        match (s == self.components.jerusalem, family) {
            (true, BYZANTINE | ARMENIAN) => 2,
            _ => i16::from(self.components.spaces[usize::from(s)].points),
        }
    }

    /// Points by seat, as the table stands [6.1].
    pub(crate) fn contributions(&self, p: &Position) -> [i16; 3] {
        let mut points = [0; 3];
        for s in self.components.fortresses.each() {
            if let Some(family) = self.holder(p, s) {
                points[self.seat_of(p, family).index()] += self.worth(s, family);
            }
        }
        points[0] += i16::from(p.castles.len() + p.monasteries.len());
        for u in (self.components.leaders & self.components.christians).each() {
            if p.place[usize::from(u)] == BOX {
                let loss = if u == self.components.emperor { 10 } else { 1 };
                points[self.seat_of(p, self.family_of(u)).index()] -= loss;
            }
        }
        if p.table.kingdoms {
            for (kingdom, leader) in p.titles.iter().enumerate() {
                if *leader != NONE {
                    points[0] += if kingdom == 0 { 10 } else { 3 };
                }
            }
        }
        points
    }

    /// Points in all, as the table stands [6.1].
    pub(crate) fn points(&self, p: &Position) -> i16 {
        self.contributions(p).iter().sum()
    }

    /// The account of the points, line by line.
    pub(crate) fn account(&self, p: &Position) -> Vec<Entry> {
        let c = &self.components;
        let mut lines = Vec::new();
        for s in c.fortresses.each() {
            if let Some(family) = self.holder(p, s) {
                let who = Contingent::FORCES[usize::from(family)].name();
                lines.push(Entry {
                    what: format!("{} ({who})", c.space_name(s)),
                    points: self.worth(s, family),
                });
            }
        }
        for (what, n) in [("castles", p.castles.len()), ("monasteries", p.monasteries.len())] {
            if n > 0 {
                lines.push(Entry { what: what.into(), points: i16::from(n) });
            }
        }
        for u in (c.leaders & c.christians).each() {
            if p.place[usize::from(u)] == BOX {
                let points = if u == c.emperor { -10 } else { -1 };
                lines.push(Entry { what: format!("{} is dead", c.unit_name(u)), points });
            }
        }
        for (kingdom, leader) in p.titles.iter().enumerate() {
            if p.table.kingdoms && *leader != NONE {
                let what = format!("kingdom of {}", c.space_name(c.pilgrimage[kingdom]));
                lines.push(Entry { what, points: if kingdom == 0 { 10 } else { 3 } });
            }
        }
        lines
    }

    /// The levels of this table: points for a draw, a victory, an overwhelming victory.
    pub(crate) fn levels(&self, p: &Position) -> [i16; 3] {
        let more = if p.table.kingdoms { KINGDOM_LEVELS } else { 0 };
        p.table.levels.map(|level| level + more)
    }

    /// The last turn is over: the points are counted [6.1].
    pub(super) fn count_points<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        if p.table.goal != NONE {
            let reached = self.controlled(p, p.table.goal);
            p.result = Some(Ending::Goal(reached));
            umpire.note(
                Readers::ALL,
                rule!("6.0"),
                format_args!(
                    "{} is {}",
                    self.components.space_name(p.table.goal),
                    if reached { "taken" } else { "still the enemy's" }
                ),
            );
            return;
        }
        p.result = Some(Ending::Counted);
        if umpire.writes() {
            umpire.heading(format_args!("The account"));
            for line in self.account(p) {
                umpire.note(Readers::ALL, rule!("6.1"), format_args!("{:+} {}", line.points, line.what));
            }
            if p.table.kingdoms {
                umpire.cite(rule!("opt-36.8"));
            }
            let points = self.points(p);
            umpire.note(
                Readers::ALL,
                rule!("6.2"),
                format_args!("{points} points: {}", self.level_name(p, points)),
            );
        }
    }

    pub(crate) fn level_name(&self, p: &Position, points: i16) -> &'static str {
        let [draw, victory, overwhelming] = self.levels(p);
        match points {
            n if n >= overwhelming => "Overwhelming Victory",
            n if n >= victory => "Victory",
            n if n >= draw => "Draw",
            _ => "Defeat and Disgrace",
        }
    }

    /// How it ended.
    pub(crate) fn verdict(&self, p: &Position) -> Option<Outcome> {
        let ending = p.result?;
        let all = SeatSet::first(usize::from(p.table.seats));
        let points = self.contributions(p);
        let mut scores = [0; MOST_SEATS];
        for (score, points) in scores.iter_mut().zip(points) {
            *score = i32::from(points);
        }
        let (headline, won, rule) = match ending {
            Ending::SuddenVictory => ("Sudden Victory: every fortress is Christian", true, rule!("6.3")),
            Ending::SuddenDefeat => ("Sudden Defeat: no Crusader leader is left", false, rule!("6.3")),
            Ending::Goal(true) => ("The city is taken", true, rule!("6.0")),
            Ending::Goal(false) => ("The city holds out", false, rule!("6.0")),
            Ending::Counted => {
                let sum = points.iter().sum();
                let rule = if p.table.kingdoms { rule!("opt-36.8") } else { rule!("6.2") };
                (self.level_name(p, sum), sum >= self.levels(p)[1], rule)
            }
        };
        let best = all.iter().map(|s| scores[s.index()]).max().unwrap_or(0);
        let winners = match (won, p.table.contribution) {
            (false, _) => SeatSet::NONE,
            (true, false) => all,
            (true, true) => all.iter().filter(|s| scores[s.index()] == best).collect(),
        };
        Some(Outcome { winners, headline, rule, scores })
    }
}

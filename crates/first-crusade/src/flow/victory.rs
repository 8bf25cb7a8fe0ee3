//! How to win [6.0], and how many Special Actions a turn brings [12.2, 29.2].

use table::rooms::Rules;
use table::{MOST_SEATS, Outcome, Readers, SeatSet, Set, Umpire, rule};

use crate::FirstCrusade;
use crate::data::{Family, Kingdom, Space};
use crate::position::{Ending, Place, Position};
use crate::words::{count, points, special_actions};

/// More points for every level where there are kingdoms [opt-36.8].
pub(crate) const KINGDOM_LEVELS: i16 = 15;

/// One line of the account of points.
#[derive(Debug)]
pub(crate) struct Entry {
    /// What for.
    pub(crate) what: String,
    /// How many.
    pub(crate) points: i16,
}

impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.points {
            lost @ ..0 => write!(f, "{}: {} lost", self.what, points(-lost)),
            n => write!(f, "{}: {}", self.what, points(n)),
        }
    }
}

impl FirstCrusade {
    /// Special Actions at the start of the step [12.2, 29.2, opt-36.5].
    pub(super) fn determine_special<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let c = &self.components;
        // Of contingents that stand together each controls the space [10.5].
        let held = |spaces: Set<Space>, family: Family| {
            let own = |s: &Space| (self.christians(p, *s) & self.family(family)).any();
            let controls = |s: &Space| self.holder(p, *s).is_some_and(|holder| holder == family || own(s));
            spaces.iter().filter(controls).count()
        };
        if umpire.writes() {
            self.cite_control(p, umpire);
        }
        let mut gained = 0;
        if p.table.kingdoms {
            let titles = p.titles.values().iter().flatten().count() as u8;
            if titles > 0 {
                gained += titles;
                umpire.note(
                    Readers::ALL,
                    rule!("opt-36.5"),
                    format_args!(
                        "{} {} gained for {}",
                        special_actions(titles),
                        if titles == 1 { "is" } else { "are" },
                        count(titles, "kingdom", "kingdoms")
                    ),
                );
            }
        } else {
            if held(c.holy, Family::Crusader) >= 3 {
                gained += 1;
                let why = "Crusaders hold three Pilgrimage fortresses: a Special Action";
                umpire.note(Readers::ALL, rule!("12.2"), format_args!("{why}"));
            }
            // Mercenary leaders count as Crusaders [32.5].
            let crusaders = self.all_of(Family::Crusader) & c.leaders;
            let led =
                |s: &Space| (self.christians(p, *s) & crusaders).any() && self.muslims(p, *s).is_empty();
            let led = c.holy.iter().filter(led).count() as u8;
            if led > 0 {
                gained += led;
                umpire.note(
                    Readers::ALL,
                    rule!("29.2"),
                    format_args!(
                        "{} {} gained for Crusader leaders in {}",
                        special_actions(led),
                        if led == 1 { "is" } else { "are" },
                        count(led, "Pilgrimage fortress", "Pilgrimage fortresses")
                    ),
                );
            }
        }
        if held(c.objectives, Family::Byzantine) >= 3 {
            gained += 1;
            let why = "Byzantines hold three of their objectives: a Special Action";
            umpire.note(Readers::ALL, rule!("12.2"), format_args!("{why}"));
        }
        if p.armenia && held(c.armenia, Family::Armenian) >= c.armenia.len() {
            gained += 1;
            let why = "Armenians hold their fortresses: a Special Action";
            umpire.note(Readers::ALL, rule!("12.2"), format_args!("{why}"));
        }
        p.special = (p.special + gained).min(6);
    }

    /// Cites what is looked at before Special Actions are counted: who controls what, whose leaders stand where.
    fn cite_control<U: Umpire + ?Sized>(&self, p: &Position, umpire: &mut U) {
        let c = &self.components;
        umpire.cite(rule!("12.2"));
        umpire.cite(rule!("10.5"));
        let leaders = self.all_of(Family::Crusader) & c.leaders;
        for s in c.holy.iter().filter(|s| p.here[*s].meets(leaders) && !p.table.kingdoms) {
            umpire.cite(rule!("29.2"));
            self.cite_hired(p.here[s] & leaders, umpire);
            if self.contested(p, s) {
                umpire.cite(rule!("opt-34.6"));
            }
        }
        if p.at(c.takitios).is_some_and(|s| c.objectives.has(s)) {
            umpire.cite(rule!("32.3"));
        }
        if !p.armenia && c.armenia.iter().any(|s| p.here[s].meets(self.family(Family::Armenian))) {
            umpire.cite(rule!("30.1"));
        }
    }

    /// No Crusader leader on the map, not even a hired one: the crusade is over [6.3, 32.5].
    #[inline]
    pub(super) fn check_defeat<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        if p.result.is_some() {
            return;
        }
        let leaders = self.all_of(Family::Crusader) & self.components.leaders;
        if umpire.writes() && !(leaders & self.family(Family::Crusader)).iter().any(|u| p.on_map(u)) {
            umpire.cite(rule!("6.3"));
            self.cite_hired(leaders, umpire);
        }
        if !leaders.iter().any(|u| p.on_map(u)) {
            p.result = Some(Ending::SuddenDefeat);
            if umpire.writes() {
                umpire.note(Readers::ALL, rule!("6.3"), format_args!("{}", self.reason(p)));
            }
        }
    }

    /// Jerusalem Crusader, all other fortresses Christian: victory at once [6.3].
    pub(super) fn check_victory<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let c = &self.components;
        if self.holder(p, c.jerusalem) != Some(Family::Crusader) {
            return;
        }
        umpire.cite(rule!("6.3"));
        if c.fortresses.iter().all(|s| self.holder(p, s).is_some()) {
            p.result = Some(Ending::SuddenVictory);
            if umpire.writes() {
                umpire.note(Readers::ALL, rule!("6.3"), format_args!("{}", self.reason(p)));
            }
        }
    }

    /// Points for a space that this contingent holds [6.1]. The prize of a scenario stands in Jerusalem's place.
    fn worth(&self, p: &Position, s: Space, family: Family) -> i16 {
        let c = &self.components;
        let dearest = p.table.prize.unwrap_or(c.jerusalem);
        match family {
            _ if p.table.idle.has(s) => 0,
            Family::Crusader if s == dearest => i16::from(c.spaces[c.jerusalem].points),
            Family::Byzantine | Family::Armenian if s == c.jerusalem => 2,
            _ => i16::from(c.spaces[s].points),
        }
    }

    /// What Crusaders would get for a space.
    pub(crate) fn stake(&self, p: &Position, s: Space) -> u8 {
        self.worth(p, s, Family::Crusader).unsigned_abs() as u8
    }

    /// Whether nothing stands in the way of a victory but points: the prize of the scenario is held, if it has one.
    pub(crate) fn has_prize(&self, p: &Position) -> bool {
        p.table.prize.is_none_or(|prize| self.holder(p, prize).is_some())
    }

    /// Points by seat, as the table stands [6.1].
    pub(crate) fn contributions(&self, p: &Position) -> [i16; 3] {
        let mut points = [0; 3];
        for s in self.components.fortresses.iter() {
            if let Some(family) = self.holder(p, s) {
                points[self.seat_of(p, family).index()] += self.worth(p, s, family);
            }
        }
        points[0] += (p.castles.len() + p.monasteries.len()) as i16;
        for u in (self.components.leaders & self.components.christians).iter() {
            if p.place[u] == Place::Dead {
                let loss = if u == self.components.emperor { 10 } else { 1 };
                points[self.seat_of(p, self.family_of(u)).index()] -= loss;
            }
        }
        if p.table.kingdoms {
            for (kingdom, _) in p.titles.iter().filter(|(_, leader)| leader.is_some()) {
                points[0] += self.title_points(kingdom);
            }
        }
        points
    }

    /// Points for a kingdom that stands [opt-36.8].
    fn title_points(&self, kingdom: Kingdom) -> i16 {
        if self.components.pilgrimage[kingdom] == self.components.jerusalem { 10 } else { 3 }
    }

    /// Points in all, as the table stands [6.1].
    pub(crate) fn points(&self, p: &Position) -> i16 {
        self.contributions(p).iter().sum()
    }

    /// The account of the points, line by line.
    pub(crate) fn account(&self, p: &Position) -> Vec<Entry> {
        let c = &self.components;
        let mut lines = Vec::new();
        for s in c.fortresses.iter() {
            if let Some(family) = self.holder(p, s) {
                let who = family.name();
                lines.push(Entry {
                    what: format!("{}, held by the {who}", c.space_name(s)),
                    points: self.worth(p, s, family),
                });
            }
        }
        let castles = (p.castles.len(), "castle", "castles");
        for (n, one, many) in [castles, (p.monasteries.len(), "monastery", "monasteries")] {
            if n > 0 {
                lines.push(Entry { what: count(n, one, many).to_string(), points: n as i16 });
            }
        }
        for u in (c.leaders & c.christians).iter() {
            if p.place[u] == Place::Dead {
                let points = if u == c.emperor { -10 } else { -1 };
                lines.push(Entry { what: format!("{} is dead", c.unit_name(u)), points });
            }
        }
        for (kingdom, leader) in p.titles.iter() {
            if p.table.kingdoms && leader.is_some() {
                let what = format!("The kingdom of {}", c.space_name(c.pilgrimage[kingdom]));
                lines.push(Entry { what, points: self.title_points(kingdom) });
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
        if let Some(goal) = p.table.goal {
            let reached = self.controlled(p, goal);
            p.result = Some(Ending::Goal(reached));
            if umpire.writes() {
                umpire.note(Readers::ALL, rule!("6.0"), format_args!("{}", self.reason(p)));
            }
            return;
        }
        p.result = Some(Ending::Counted);
        if umpire.writes() {
            umpire.heading(format_args!("The account"));
            umpire.cite(rule!("6.1"));
            self.cite_team(p, umpire);
            for (built, rule) in [(p.castles, rule!("33.7")), (p.monasteries, rule!("33.8"))] {
                if built.any() {
                    umpire.cite(rule);
                }
            }
            for line in self.account(p) {
                umpire.note(Readers::ALL, rule!("6.1"), format_args!("{line}"));
            }
            if p.table.kingdoms {
                umpire.cite(rule!("opt-36.8"));
            }
            umpire.note(Readers::ALL, rule!("6.2"), format_args!("{}", self.reason(p)));
        }
    }

    /// Why the game was won or lost, and by how much; nothing while it goes on.
    pub(crate) fn why_it_ended(&self, p: &Position) -> String {
        let Some(ending) = p.result else { return String::new() };
        let goal = p.table.goal.map_or("the city", |goal| self.components.space_name(goal));
        match ending {
            Ending::SuddenVictory => {
                "Crusaders hold Jerusalem and Christians every other fortress of the map: won at once".into()
            }
            Ending::SuddenDefeat => "No Crusader leader is left on the map: lost at once".into(),
            Ending::Goal(true) => format!("Christians hold {goal} at the end of the turn: won"),
            Ending::Goal(false) => format!("No Christians hold {goal} at the end of the turn: lost"),
            Ending::Counted => self.reason_by_points(p),
        }
    }

    fn reason_by_points(&self, p: &Position) -> String {
        let sum = self.points(p);
        let level = self.level_name(p, sum);
        let [draw, victory, overwhelming] = self.levels(p);
        if sum >= victory
            && let Some(prize) = p.table.prize.filter(|_| !self.has_prize(p))
        {
            let prize = self.components.space_name(prize);
            return format!("{} would be a Victory, but {prize} is not Christian: a {level}", points(sum));
        }
        let (missing, what) = match sum {
            n if n >= overwhelming => {
                return format!("{} make an {level}, for which {overwhelming} would do", points(n));
            }
            n if n >= victory => (overwhelming - n, "an Overwhelming Victory"),
            n if n >= draw => (victory - n, "a Victory"),
            n => (draw - n, "a Draw"),
        };
        let a = if sum >= draw { " a" } else { "" };
        let make = if sum.abs() == 1 { "makes" } else { "make" };
        format!("{} {make}{a} {level}: {} short of {what}", points(sum), points(missing))
    }

    pub(crate) fn level_name(&self, p: &Position, points: i16) -> &'static str {
        let [draw, victory, overwhelming] = self.levels(p);
        let prize = self.has_prize(p);
        match points {
            n if n >= overwhelming && prize => "Overwhelming Victory",
            n if n >= victory && prize => "Victory",
            n if n >= draw => "Draw",
            _ => "Defeat and Disgrace",
        }
    }

    /// How it ended.
    pub(crate) fn verdict(&self, p: &Position) -> Option<Outcome> {
        let ending = p.result?;
        let all = p.table.party;
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
                (self.level_name(p, sum), sum >= self.levels(p)[1] && self.has_prize(p), rule)
            }
        };
        let best = all.iter().map(|s| scores[s.index()]).max().unwrap_or(0);
        let winners = match (won, p.table.contribution) {
            (false, _) => SeatSet::NONE,
            (true, false) => all,
            (true, true) => all.iter().filter(|s| scores[s.index()] == best).collect(),
        };
        Some(Outcome { winners, first: None, headline, rule, scores })
    }
}

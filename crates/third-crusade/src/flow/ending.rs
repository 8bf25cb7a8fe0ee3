//! Victory checks and the end [goal, end]: an alliance wins, and one of it is first.

use table::{Ballot, MOST_SEATS, Outcome, Readers, Rule, Set, Umpire, rule};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::ids::{Army, Objective, Side, seats};
use crate::position::{Open, Position, Step, Tie, Verdict, Way};

impl ThirdCrusade {
    /// Whether the Glory marker has reached the end of the game [3.11, 5.5].
    pub(super) fn victory_check(
        &self,
        p: &mut Position,
        rule: Rule,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        umpire.cite(rule);
        if p.open.glory.abs() < self.components.figures.glory.1 {
            return false;
        }
        let side = if p.open.glory > 0 { Side::Crusader } else { Side::Muslim };
        self.conclude(p, Some(side), Way::Check, umpire);
        true
    }

    /// The last round is over: objectives are revealed, if there are any [end.1].
    pub(super) fn begin_reveals(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        if p.open.table.objectives > 0 {
            p.open.agenda.replace(Step::Reveal);
        } else {
            self.count_up(p, umpire);
        }
    }

    /// Who reveals next, in initiative order.
    pub(super) fn revealing(&self, open: &Open) -> Option<Army> {
        open.initiative.iter().copied().find(|army| open.shown[*army].is_empty())
    }

    pub(super) fn list_reveals(&self, p: &Position, army: Army, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for objective in p.hidden.objectives[army] {
            ballot.allow(Action::Reveal(objective));
        }
    }

    /// How many cities of an objective an army controls.
    pub(crate) fn cities_of(&self, open: &Open, army: Army, objective: Objective) -> usize {
        let cities = self.components.objectives[objective].cities;
        cities.iter().filter(|r| self.control(open, *r) == Some(army)).count()
    }

    /// The Glory that an objective would bring an army.
    pub(crate) fn objective_glory(&self, open: &Open, army: Army, objective: Objective) -> u8 {
        let score = &self.components.objectives[objective].score;
        self.cities_of(open, army, objective).checked_sub(1).map_or(0, |i| score[i.min(2)])
    }

    pub(super) fn reveal_objective(
        &self,
        p: &mut Position,
        army: Army,
        objective: Objective,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.hidden.objectives[army].remove(objective);
        p.open.shown[army].insert(objective);
        umpire.reveal(Readers::ALL);
        let glory = self.objective_glory(&p.open, army, objective);
        self.gain_glory(p, army.side(), glory as i8);
        if umpire.writes() {
            let (who, title) = (self.components.army(army), self.objective_title(Some(objective)));
            umpire.note(
                Readers::ALL,
                rule!("end.1"),
                format_args!("{who} reveals the objective of {title}: {glory} Glory"),
            );
            umpire.cite(rule!("glossary.objective-cards"));
        }
    }

    pub(super) fn revealing_all(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        if self.revealing(&p.open).is_some() {
            return true;
        }
        self.count_up(p, umpire);
        false
    }

    /// More Glory wins, then Jerusalem [end.1].
    fn count_up(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let held = self.hold(&p.open, self.components.jerusalem).map(|hold| hold.side());
        let (side, way) = match (p.open.glory, held) {
            (1.., _) => (Some(Side::Crusader), Way::Glory),
            (..=-1, _) => (Some(Side::Muslim), Way::Glory),
            (0, Some(side)) => (Some(side), Way::Jerusalem),
            (0, None) => (None, Way::Level),
        };
        self.conclude(p, side, way, umpire);
    }

    fn conclude(&self, p: &mut Position, side: Option<Side>, way: Way, umpire: &mut (impl Umpire + ?Sized)) {
        let (first, tie) = side.map_or((None, Tie::Alone), |side| self.final_winner(p, side));
        let verdict = Verdict { side, first, way, tie };
        p.open.result = Some(verdict);
        p.open.agenda = table::Agenda::starting(Step::Over);
        // Everything is laid open.
        umpire.reveal(Readers::ALL);
        if umpire.writes() {
            let rule = self.verdict_rule(verdict);
            umpire.note(Readers::ALL, rule, format_args!("{}", self.why(&p.open, verdict)));
            umpire.cite(rule!("goal.1"));
            match tie {
                Tie::Alone => {}
                Tie::Points => umpire.cite(rule!("end.2")),
                Tie::Jerusalem | Tie::Gold | Tie::Shared => {
                    umpire.cite(rule!("end.2"));
                    umpire.cite(rule!("end.3"));
                }
            }
            if tie != Tie::Alone {
                umpire.cite(rule!("goal.2"));
            }
        }
    }

    /// Who is first of two partners: by Faith, Mercantile Cities and objectives, then Jerusalem, then gold [end.2, end.3].
    fn final_winner(&self, p: &Position, side: Side) -> (Option<Army>, Tie) {
        let open = &p.open;
        let [one, two] = side.armies();
        if open.is_lone(side) {
            return (open.armies(side).first(), Tie::Alone);
        }
        // After objectives were revealed the other card counts, before that the better of both.
        let best = |army: Army| {
            let cards = p.hidden.objectives[army];
            cards.iter().map(|o| self.cities_of(open, army, o) as i8).max().unwrap_or(0)
        };
        let points = open.faith[side].signum()
            + (self.markets(open, one) - self.markets(open, two)).signum()
            + (best(one) - best(two)).signum();
        let of = |lead: i8| if lead > 0 { one } else { two };
        if points != 0 {
            return (Some(of(points)), Tie::Points);
        }
        if let Some(army) = self.control(open, self.components.jerusalem).filter(|army| army.side() == side) {
            return (Some(army), Tie::Jerusalem);
        }
        match i16::from(open.gold[one]) - i16::from(open.gold[two]) {
            0 => (None, Tie::Shared),
            lead => (Some(of(lead.signum() as i8)), Tie::Gold),
        }
    }

    fn verdict_rule(&self, verdict: Verdict) -> Rule {
        match verdict.way {
            Way::Check => rule!("goal.1"),
            Way::Glory | Way::Jerusalem | Way::Level => rule!("end.1"),
        }
    }

    pub(super) fn result(&self, open: &Open, verdict: Verdict) -> Outcome {
        let winners = verdict.side.map_or(Set::NONE, |side| open.armies(side));
        let mut scores = [0; MOST_SEATS];
        for army in open.table.party {
            scores[army.seat().index()] = i32::from(open.glory * army.side().sign());
        }
        Outcome {
            winners: seats(winners),
            first: verdict.first.map(Army::seat),
            headline: match verdict.side {
                Some(Side::Crusader) => "The Crusader Alliance wins",
                Some(Side::Muslim) => "The Muslim Alliance wins",
                None => "A draw",
            },
            rule: self.verdict_rule(verdict),
            scores,
        }
    }

    pub(super) fn why(&self, open: &Open, verdict: Verdict) -> String {
        let Some(side) = verdict.side else {
            return "Glory is level and nobody holds Jerusalem: nobody has won".into();
        };
        let glory = open.glory.abs();
        let how = match verdict.way {
            Way::Check => format!("wins at once with {glory} Glory"),
            Way::Glory => format!("wins with a lead of {glory} Glory"),
            Way::Jerusalem | Way::Level => "wins, for Glory is level and it holds Jerusalem".into(),
        };
        let by = match verdict.tie {
            Tie::Alone => "",
            Tie::Points => " by Faith, Mercantile Cities and objectives",
            Tie::Jerusalem => " because he controls Jerusalem",
            Tie::Gold => " because he has more gold",
            Tie::Shared => "",
        };
        let first = match verdict.first {
            Some(army) if !open.is_lone(side) => {
                format!("; {} is first of it{by}", self.components.army(army))
            }
            None => "; both of it are first".into(),
            Some(_) => String::new(),
        };
        crate::words::sentence(&format!("{} {how}{first}", side.name()))
    }
}

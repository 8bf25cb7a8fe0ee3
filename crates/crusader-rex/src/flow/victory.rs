//! Towns and victory [1.1, 1.2]: who holds what, who has won, and why.

use table::{Outcome, Readers, Seat, Umpire, rule};

use crate::CrusaderRex;
use crate::data::{BOTH, FRANK, SARACEN, Town};
use crate::position::Position;
use crate::words::counted;

/// Headlines for each number of victory cities.
const FRANK_CITIES: [&str; 8] = [
    "Frank wins",
    "Frank wins with 1 of 7 victory cities",
    "Frank wins with 2 of 7 victory cities",
    "Frank wins with 3 of 7 victory cities",
    "Frank wins with 4 of 7 victory cities",
    "Frank wins with 5 of 7 victory cities",
    "Frank wins with 6 of 7 victory cities",
    "Frank wins at once with all 7 victory cities",
];
const SARACEN_CITIES: [&str; 8] = [
    "Saracen wins",
    "Saracen wins with 1 of 7 victory cities",
    "Saracen wins with 2 of 7 victory cities",
    "Saracen wins with 3 of 7 victory cities",
    "Saracen wins with 4 of 7 victory cities",
    "Saracen wins with 5 of 7 victory cities",
    "Saracen wins with 6 of 7 victory cities",
    "Saracen wins at once with all 7 victory cities",
];
/// Headlines for so many shields more than the Saracens need, and fewer.
const SPARE_SHIELDS: [&str; 12] = [
    "Saracen wins with no shield to spare",
    "Saracen wins with 1 shield to spare",
    "Saracen wins with 2 shields to spare",
    "Saracen wins with 3 shields to spare",
    "Saracen wins with 4 shields to spare",
    "Saracen wins with 5 shields to spare",
    "Saracen wins with 6 shields to spare",
    "Saracen wins with 7 shields to spare",
    "Saracen wins with 8 shields to spare",
    "Saracen wins with 9 shields to spare",
    "Saracen wins with 10 shields to spare",
    "Saracen wins with many shields to spare",
];
const MISSING_SHIELDS: [&str; 12] = [
    "Frank wins",
    "Frank wins: Saracen is 1 shield short",
    "Frank wins: Saracen is 2 shields short",
    "Frank wins: Saracen is 3 shields short",
    "Frank wins: Saracen is 4 shields short",
    "Frank wins: Saracen is 5 shields short",
    "Frank wins: Saracen is 6 shields short",
    "Frank wins: Saracen is 7 shields short",
    "Frank wins: Saracen is 8 shields short",
    "Frank wins: Saracen is 9 shields short",
    "Frank wins: Saracen is 10 shields short",
    "Frank wins: Saracen is far short of the shields needed",
];

/// The rule by which every game ends.
const VICTORY: table::Rule = rule!("1.2");

impl CrusaderRex {
    /// Who controls a town [1.12]; the castle decides [1.2].
    pub(crate) fn control(&self, p: &Position, t: Town) -> Option<Seat> {
        if let Some(seat) = self.besieged(p, t) {
            return Some(seat);
        }
        let frank = p.here[t].meets(self.of(FRANK));
        let saracen = p.here[t].meets(self.of(SARACEN));
        match (frank, saracen) {
            (true, false) => Some(FRANK),
            (false, true) => Some(SARACEN),
            (true, true) => {
                let saracens_came = p.open.attacked[SARACEN].has(t);
                Some(if saracens_came { FRANK } else { SARACEN })
            }
            (false, false) => self.components.towns[t].home,
        }
    }

    /// How many victory cities a side controls [1.2].
    pub(crate) fn prizes(&self, p: &Position, seat: Seat) -> u8 {
        self.components.prizes.iter().filter(|t| self.control(p, *t) == Some(seat)).count() as u8
    }

    /// The ratings of all towns of Outremer that the Saracens control, added up.
    pub(crate) fn shields_taken(&self, p: &Position) -> u8 {
        let taken = self.components.homes[FRANK].iter().filter(|t| self.control(p, *t) == Some(SARACEN));
        taken.map(|t| self.components.towns[t].rating).sum()
    }

    /// Whether the Saracens would win if the count were taken now [1.2].
    pub(crate) fn saracens_lead(&self, p: &Position) -> bool {
        match p.open.table.shields {
            None => self.prizes(p, SARACEN) >= p.open.table.needs,
            Some(shields) => self.shields_taken(p) >= shields,
        }
    }

    /// Who has won, by what and by how much, in a few words.
    fn headline(&self, p: &Position, winner: Seat) -> &'static str {
        let frank = winner == FRANK;
        let table = p.open.table;
        if table.goal.is_some() {
            return if frank { "Frank wins: the town is relieved" } else { "Saracen wins: the siege stands" };
        }
        match table.shields {
            Some(needed) if !p.open.result.is_some_and(|(_, sudden)| sudden) => {
                let margin = usize::from(self.shields_taken(p).abs_diff(needed)).min(SPARE_SHIELDS.len() - 1);
                if frank { MISSING_SHIELDS[margin] } else { SPARE_SHIELDS[margin] }
            }
            _ => {
                let cities = usize::from(self.prizes(p, winner)).min(7);
                if frank { FRANK_CITIES[cities] } else { SARACEN_CITIES[cities] }
            }
        }
    }

    /// How it ended, once it has.
    pub(super) fn ending(&self, p: &Position) -> Option<Outcome> {
        let (winner, _) = p.open.result?;
        let mut scores = [0; 8];
        for seat in BOTH {
            scores[seat.index()] = self.prizes(p, seat).into();
        }
        let headline = self.headline(p, winner);
        Some(Outcome { winners: winner.into(), first: None, headline, rule: VICTORY, scores })
    }

    /// Why it ended so, once it has.
    pub(super) fn ending_in_words(&self, p: &Position) -> String {
        let Some((winner, sudden)) = p.open.result else { return String::new() };
        let who = self.title_of(winner);
        if let Some(goal) = p.open.table.goal {
            let town = self.components.town_name(goal);
            return match winner {
                FRANK => format!("The Franks win, for no Saracen is left at {town}"),
                _ => format!("The Saracens win, for they still stand at {town}"),
            };
        }
        if sudden {
            return format!("The {who} win at once, for they hold all seven victory cities");
        }
        if let Some(needed) = p.open.table.shields {
            let taken = counted(self.shields_taken(p), "shield", "shields");
            return format!(
                "The {who} win: the Saracens hold towns of Outremer worth {taken}, and need {needed}"
            );
        }
        format!("The {who} win with {} of the seven victory cities", self.prizes(p, winner))
    }

    /// All seven victory cities win at once [1.2].
    pub(super) fn sudden_death(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        umpire.cite(VICTORY);
        for seat in BOTH {
            if p.open.table.goal.is_none() && self.prizes(p, seat) == 7 {
                self.finish(p, seat, true, umpire);
                return true;
            }
        }
        false
    }

    /// A scenario of one battle ends with its turn.
    pub(super) fn goal_reached(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let Some(goal) = p.open.table.goal else { return false };
        umpire.cite(VICTORY);
        let saracens = p.here[goal].meets(self.of(SARACEN));
        self.finish(p, if saracens { SARACEN } else { FRANK }, false, umpire);
        true
    }

    pub(super) fn finish(
        &self,
        p: &mut Position,
        winner: Seat,
        sudden: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        // When it is over everything is open.
        umpire.reveal(Readers::ALL);
        p.open.result = Some((winner, sudden));
        p.open.agenda = Default::default();
        if umpire.writes() {
            umpire.note(Readers::ALL, VICTORY, format_args!("{}", self.ending_in_words(p)));
        }
    }
}

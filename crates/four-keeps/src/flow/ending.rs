//! The end: an alliance wins, and one of it is first [6].

use table::{MOST_SEATS, Outcome, Rule, Seat, SeatSet, rule};

use crate::FourKeeps;
use crate::position::{Open, side};

/// What the two alliances are called.
const ALLIANCES: [&str; 2] = ["Alard’s side", "Bilal’s side"];

impl FourKeeps {
    /// Keeps that an alliance holds.
    pub(crate) fn keeps_of(&self, open: &Open, alliance: u8) -> u8 {
        open.held.values().iter().filter(|held| **held == Some(alliance)).count() as u8
    }

    /// Men that an alliance has left.
    pub(crate) fn men_of(&self, open: &Open, alliance: u8) -> u8 {
        open.fighting().iter().filter(|s| side(*s) == alliance).map(|s| open.captain(s).men).sum()
    }

    /// Who has won before the last turn [6.1].
    fn sudden(&self, open: &Open) -> Option<u8> {
        (0..2).find(|alliance| self.keeps_of(open, *alliance) == 4 || self.men_of(open, 1 - alliance) == 0)
    }

    pub(super) fn is_decided(&self, open: &Open) -> bool {
        self.sudden(open).is_some()
    }

    /// Who wins, and by which rule.
    fn winner(&self, open: &Open) -> (Option<u8>, Rule) {
        if let Some(alliance) = self.sudden(open) {
            return (Some(alliance), rule!("6.1"));
        }
        let count = |alliance| (self.keeps_of(open, alliance), self.men_of(open, alliance));
        let winner = match count(0).cmp(&count(1)) {
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(0),
        };
        (winner, rule!("6.2"))
    }

    pub(super) fn result(&self, open: &Open) -> Outcome {
        let (alliance, rule) = self.winner(open);
        let winners: SeatSet = open.party.iter().filter(|seat| Some(side(*seat)) == alliance).collect();
        let mut scores = [0; MOST_SEATS];
        for seat in open.party.iter() {
            scores[seat.index()] = open.captain(seat).fame.into();
        }
        // The first of equals: `max_by_key` would take the last.
        let first = winners.iter().min_by_key(|seat| std::cmp::Reverse(open.captain(*seat).fame));
        let headline = match alliance {
            Some(0) => "Alard’s side wins",
            Some(_) => "Bilal’s side wins",
            None => "A draw",
        };
        Outcome { winners, first, headline, rule, scores }
    }

    pub(super) fn why(&self, open: &Open) -> String {
        let outcome = self.result(open);
        let Some(first) = outcome.first else {
            return "Both sides hold as many keeps and have as many men".into();
        };
        let (alliance, name) = (side(first), self.title.seat_name(first));
        let how = if self.keeps_of(open, alliance) == 4 {
            "holds all four keeps".to_string()
        } else if self.men_of(open, 1 - alliance) == 0 {
            "has beaten all its enemies".to_string()
        } else {
            let (own, other) = (self.keeps_of(open, alliance), self.keeps_of(open, 1 - alliance));
            format!("holds {own} of the keeps, the other {other}")
        };
        format!("{} wins, for it {how}; {name} is first of it", ALLIANCES[usize::from(alliance)])
    }

    /// How many points of fame a captain is ahead of the best of his own side, or behind.
    pub(crate) fn lead(&self, open: &Open, seat: Seat) -> i16 {
        let fame = |s: Seat| i16::from(open.captain(s).fame);
        let others = open.party.without(seat).iter().filter(|s| side(*s) == side(seat)).map(fame);
        others.max().map_or(0, |best| fame(seat) - best)
    }
}

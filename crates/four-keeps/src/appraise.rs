//! How good a position looks, for the bots: keeps, men, and the way to keeps that are not one's own.

use table::Seat;
use table::rooms::*;

use crate::FourKeeps;
use crate::position::{Position, side};

impl Minded for FourKeeps {
    fn appraise(&self, p: &Position, seat: Seat) -> f32 {
        if let Some(outcome) = self.outcome(p) {
            return outcome.worth(seat);
        }
        let (own, other) = (side(seat), 1 - side(seat));
        let ahead = |of: &dyn Fn(u8) -> u8| f32::from(of(own)) - f32::from(of(other));
        let keeps = ahead(&|alliance| self.keeps_of(&p.open, alliance));
        let men = ahead(&|alliance| self.men_of(&p.open, alliance));
        let way = |alliance: u8| -> f32 {
            let captains = p.open.fighting().iter().filter(|s| side(*s) == alliance);
            captains.map(|s| self.way_to_keep(p, s)).sum()
        };
        let lead = f32::from(self.lead(&p.open, seat));
        let sum = keeps * 0.09 + men * 0.02 - (way(own) - way(other)) * 0.012 + lead * 0.004;
        (0.5 + sum).clamp(0.02, 0.98)
    }
}

impl FourKeeps {
    /// How far a captain is from the next keep that is not his side's; a keep he stands on counts as taken.
    fn way_to_keep(&self, p: &Position, seat: Seat) -> f32 {
        let Some(at) = p.open.captain(seat).at else { return 4.0 };
        let open = self.components.keeps.iter().filter(|(keep, _)| p.open.held[*keep] != Some(side(seat)));
        open.map(|(_, (_, hex))| hex.distance(at)).min().unwrap_or(0) as f32
    }
}

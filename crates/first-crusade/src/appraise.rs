//! How good a position looks, for the bots.

use table::Seat;

use crate::FirstCrusade;
use crate::position::{Ending, Position};

impl FirstCrusade {
    pub(crate) fn judge(&self, p: &Position, seat: Seat) -> f32 {
        let _ = seat;
        match p.result {
            Some(Ending::SuddenVictory | Ending::Goal(true)) => return 1.0,
            Some(Ending::SuddenDefeat | Ending::Goal(false)) => return 0.0,
            _ => {}
        }
        f32::from(self.points(p)) / 60.0
    }
}

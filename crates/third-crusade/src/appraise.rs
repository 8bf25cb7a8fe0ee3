//! How good a position looks, for the bots.
use crate::ThirdCrusade;
use crate::ids::Army;
use crate::position::Position;
use table::weights::Sign;
use table::{Minded, Seat};
pub(crate) const SIGNS: [Sign; 1] = [Sign::good("glory")];
pub(crate) const TABLES: [&str; 1] = ["campaign"];
impl Minded for ThirdCrusade {
    fn appraise(&self, p: &Position, seat: Seat) -> f32 {
        let army = Army::of(seat);
        table::weights::chance(&[f32::from(p.open.glory * army.side().sign())], self.weights.of(0))
    }
}

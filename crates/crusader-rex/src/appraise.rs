//! How good a position looks, for the bots: victory cities held, besieged and threatened, firepower and how
//! near it stands to them, crusaders to come, cards in hand, and how much time is left.

use table::Seat;

use crate::CrusaderRex;
use crate::data::{FRANK, MOVES, SARACEN, each};
use crate::position::{HAND, POOL, Position, STAGING};

impl CrusaderRex {
    /// Steps weighted by firepower.
    fn might(&self, p: &Position, blocks: u64) -> f32 {
        each(blocks)
            .map(|b| {
                let label = &self.components.blocks[usize::from(b)];
                f32::from(p.strength[usize::from(b)]) * (0.6 + 0.4 * f32::from(label.fire))
            })
            .sum()
    }

    pub(crate) fn judge(&self, p: &Position, seat: Seat) -> f32 {
        if let Some((winner, _)) = p.result {
            return f32::from(u8::from(winner == seat));
        }
        let frank = self.judge_frank(p);
        if seat == FRANK { frank } else { 1.0 - frank }
    }

    fn judge_frank(&self, p: &Position) -> f32 {
        let late = f32::from(p.year * 6 + p.turn) / f32::from(p.table.years * 6);
        let mut cities = 0.0;
        let mut near = 0.0;
        let mut watch = self.components.prizes;
        if p.table.goal < 60 {
            watch = 1 << p.table.goal;
        }
        for (t, far) in each(watch).zip(&self.components.far) {
            let holder = self.control(p, t);
            let sign = if holder == Some(FRANK) { 1.0 } else { -1.0 };
            let here = p.here[usize::from(t)];
            let own = here & self.of(if sign > 0.0 { FRANK } else { SARACEN });
            let foe = here & self.of(if sign > 0.0 { SARACEN } else { FRANK });
            let mut worth = 1.0;
            if foe != 0 {
                let (inside, outside) = (self.might(p, own), self.might(p, foe));
                worth -= 0.9 * outside / (outside + inside + 2.0);
            }
            let (mut friends, mut foes) = (0.0, 0.0);
            for (there, far) in p.here.iter().zip(far) {
                if *there != 0 && (1..=4).contains(far) {
                    let weight = 1.0 / f32::from(*far);
                    friends += weight * self.might(p, there & self.of(FRANK));
                    foes += weight * self.might(p, there & self.of(SARACEN));
                }
            }
            let guard = self.might(p, own);
            if guard == 0.0 {
                worth -= 0.25;
            }
            near += (friends - foes) * 0.003 + sign * guard.min(12.0) * 0.004;
            cities += sign * worth;
        }
        let on_map = |seat: Seat| -> f32 {
            self.might(
                p,
                each(self.of(seat)).filter(|b| p.town[usize::from(*b)] < POOL).fold(0, |s, b| s | 1 << b),
            )
        };
        let mut strength = on_map(FRANK) - on_map(SARACEN);
        for b in each(self.of(FRANK)) {
            if matches!(p.town[usize::from(b)], STAGING | HAND) {
                strength += 3.0;
            }
        }
        let hand = |i: usize| -> f32 {
            p.hands[i].iter().zip(MOVES).map(|(n, m)| f32::from(*n) * f32::from(m.max(2))).sum()
        };
        let cards = hand(0) - hand(1);
        if p.table.castles > 0 {
            let taken = f32::from(self.castles_taken(p)) + 0.5 - f32::from(p.table.castles);
            cities -= taken * (0.3 + late);
        }
        // The Saracens need a certain number of cities: how far are they from it?
        let balance = if p.table.goal < 60 {
            cities * 0.5
        } else {
            (cities - (7.0 - 2.0 * (f32::from(p.table.needs) - 0.5))) * (0.05 + 0.09 * late)
        };
        (0.5 + balance + near + strength * 0.0035 + cards * 0.002).clamp(0.02, 0.98)
    }
}

//! What is worth a thought, for the bots: of clicks that come to the same, one.
//!
//! Whoever is picked for a storm is picked in one order only; of a stack the strongest march first; those
//! whose turn it is in a battle act one after the other. Nothing here is a rule.

use table::{Id, Seat, Set};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::Block;
use crate::position::{Going, Position, Step};

/// So many of a stack are thought of as the next to leave it: the strongest.
const NEXT: usize = 2;

impl CrusaderRex {
    /// Whether a player should think of an option at all.
    pub(crate) fn counsels(&self, p: &Position, seat: Seat, action: Action) -> bool {
        let Some(step) = p.open.agenda.now() else { return true };
        let under_way = p.march.under_way;
        match (*step, action) {
            (Step::Manna { .. }, Action::Bless(b)) => is_beyond(b, p.secret[seat].blessed),
            (Step::Shelter { .. } | Step::Storm { .. } | Step::Sally { .. }, Action::Pick(b)) => {
                is_beyond(b, p.secret[seat].picked)
            }
            (Step::Moves { going: Going::Group { town, .. }, .. }, Action::Go(b, _)) => {
                let waiting = self.field(p, town, seat) - p.moved;
                self.is_strongest(p, b, if under_way.has(b) { under_way } else { waiting })
            }
            (Step::Moves { going: Going::Muster { town }, .. }, Action::Go(b, to)) => {
                let came = p.here[town] & p.moved & self.of(seat);
                // One after the other: who is on his way goes on first.
                let next = if under_way.any() { under_way.has(b) } else { is_beyond(b, came) };
                next && self.is_nearer(p, seat, town, b, to)
            }
            (Step::FaceUp { .. }, Action::Pick(_)) => false,
            (Step::Moves { .. }, Action::Sail(b)) => {
                let here = |t| (p.here[t] & self.of(seat)) - p.moved;
                p.town(b).is_none_or(|t| self.is_strongest(p, b, here(t)))
            }
            (
                Step::Round,
                Action::Fire(b)
                | Action::Charge(b)
                | Action::Harry(b)
                | Action::Withdraw(b)
                | Action::Retreat(b, _),
            ) => self.acting(p).is_none_or(|(_, blocks)| blocks.first() == Some(b)),
            (Step::Regroup { town, .. }, Action::Regroup(b, _)) => {
                self.is_strongest(p, b, self.field(p, town, seat))
            }
            (Step::LeaveSiege { .. }, Action::Retreat(b, _)) => {
                self.is_strongest(p, b, self.field(p, p.open.battle().town, seat))
            }
            (Step::Winter, Action::Replace(b)) => {
                let gains = &p.secret[seat].gains;
                gains.iter().all(|(other, gain)| other <= b || *gain == 0)
            }
            _ => true,
        }
    }

    /// Whether a block is one of the first few of a stack.
    fn is_strongest(&self, p: &Position, b: Block, stack: Set<Block>) -> bool {
        let rank = |b: Block| (self.worth(p, b), b);
        stack.iter().filter(|other| rank(*other) > rank(b)).count() < NEXT
    }
}

/// Whether a block comes after all of a set: a set is put together in one order only.
fn is_beyond(b: Block, set: Set<Block>) -> bool {
    set.within(Set::first_n(b.number()))
}

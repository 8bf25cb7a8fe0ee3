//! What is worth a thought, for the bots: of clicks that come to the same, one.
//!
//! Whoever is picked for a storm is picked in one order only; of a stack the strongest march first; those
//! whose turn it is in a battle act one after the other. Nothing here is a rule.

use table::Seat;

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{NONE, Set, each};
use crate::position::{Going, Position, Step};

/// So many of a stack are thought of as the next to leave it: the strongest.
const NEXT: usize = 2;

impl CrusaderRex {
    /// Whether a player should think of an option at all.
    pub(crate) fn is_worth_a_thought(&self, p: &Position, seat: Seat, action: Action) -> bool {
        let Some(step) = p.agenda.now() else { return true };
        match (*step, action) {
            (Step::Manna { blessed, .. }, Action::Bless(b)) => is_beyond(b, blessed),
            (Step::Shelter { .. } | Step::Storm { .. } | Step::Sally { .. }, Action::Pick(b)) => {
                is_beyond(b, p.battle.picked)
            }
            (Step::Moves { going: Going::Group { town, walk }, .. }, Action::Go(b, _)) => {
                b == walk.block || self.is_strongest(p, b, self.field(p, town, seat) & !p.moved)
            }
            (Step::Moves { going: Going::Muster { town, walk }, .. }, Action::Go(b, _)) => {
                town == NONE || b == walk.block || {
                    let came = p.here[usize::from(town)] & p.moved & self.of(seat);
                    is_beyond(b, came)
                }
            }
            (Step::Moves { .. }, Action::Sail(b)) => {
                let t = p.town[usize::from(b)];
                p.here
                    .get(usize::from(t))
                    .is_none_or(|here| self.is_strongest(p, b, here & self.of(seat) & !p.moved))
            }
            (
                Step::Round,
                Action::Fire(b)
                | Action::Charge(b)
                | Action::Harry(b)
                | Action::Withdraw(b)
                | Action::Retreat(b, _),
            ) => self.acting(p).is_none_or(|(_, blocks)| blocks.trailing_zeros() == u32::from(b)),
            (Step::Regroup { town, .. }, Action::Regroup(b, _)) => {
                self.is_strongest(p, b, self.field(p, town, seat))
            }
            (Step::LeaveSiege { .. }, Action::Retreat(b, _)) => {
                self.is_strongest(p, b, self.field(p, p.battle.town, seat))
            }
            (Step::Winter, Action::Replace(b)) => p.gains[usize::from(b) + 1..]
                .iter()
                .zip(b + 1..)
                .all(|(gain, other)| *gain == 0 || self.owner(other) != seat),
            _ => true,
        }
    }

    /// Whether a block is one of the first few of a stack.
    fn is_strongest(&self, p: &Position, b: u8, stack: Set) -> bool {
        let rank = |b: u8| (self.worth(p, b), b);
        each(stack).filter(|other| rank(*other) > rank(b)).count() < NEXT
    }
}

/// Whether a block comes after all of a set: a set is put together in one order only.
fn is_beyond(b: u8, set: Set) -> bool {
    set >> b == 0
}

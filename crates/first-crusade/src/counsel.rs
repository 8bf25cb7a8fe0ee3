//! What a bot spends a thought on: the clicks by which a good player would put a force together, and not the
//! hundred others that come to the same or to nothing.

use table::Set;

use crate::FirstCrusade;
use crate::action::Action;
use crate::data::Unit;
use crate::position::{Position, Step};

/// A garrison has no more units than this.
const GARRISON: usize = 3;

impl FirstCrusade {
    /// Whether a choice that the rules allow is worth thinking about.
    pub(crate) fn is_sensible(&self, p: &Position, action: Action) -> bool {
        let c = &self.components;
        match (p.agenda.now(), &p.march, action) {
            // A host marches but for a few who hold the place, or one leader goes on an errand.
            (Some(Step::Force), Some(m), Action::Leave(u)) if !m.sea => {
                let staying = self.christians(p, m.start) & (self.host(p, m.start, m.family) - m.force);
                staying.len() < GARRISON && self.keeper(p, m.force) == Some(u)
                    || (staying & c.leaders).is_empty() && c.diplomats.has(u)
            }
            (Some(Step::Force), Some(m), Action::Only(u)) if !m.sea => c.leaders.has(u),
            (Some(Step::Force), Some(m), Action::Take(_)) => !m.picking,
            (Some(Step::March), Some(m), Action::Stop) => m.moved || m.engaged,
            (Some(Step::March), Some(m), Action::Go(s)) => s != m.start,
            (Some(Step::March), Some(m), Action::Leave(u)) if !m.sea => {
                let alone = (self.christians(p, m.at) - m.force).is_empty();
                alone && self.is_fort(p, m.at) && self.keeper(p, m.force) == Some(u)
            }
            (Some(Step::March), Some(m), Action::Take(u)) => {
                c.leaders.has(u) || (self.christians(p, m.at) & (c.leaders - m.joined)).is_empty()
            }
            // Losses fall where they hurt least.
            (Some(Step::Losses { left, .. }), _, Action::Lose(_)) => *left <= 1 && p.pool.len() <= 1,
            (.., Action::Strike(_)) => false,
            (Some(Step::Rally { space, .. }), _, Action::Restore(u)) => {
                self.strongest(self.one_of_each(p, self.wounded(p, *space))) == Some(u)
            }
            (Some(Step::Rally { .. }), _, Action::Done) => false,
            _ => true,
        }
    }

    /// The unit that fights best at full strength.
    pub(crate) fn strongest(&self, units: Set<Unit>) -> Option<Unit> {
        let factor = |u: &Unit| self.components.units[*u].factor(false);
        units.iter().max_by_key(|u| (factor(u), std::cmp::Reverse(*u)))
    }
}

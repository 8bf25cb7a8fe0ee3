//! Who looks at a table, and who is woken when something happens there.

use std::sync::{Arc, PoisonError};

use table::SeatSet;

use super::{Live, Table};
use crate::bells::Listening;
use crate::ids::PersonId;
use crate::store::SeatRow;

impl Table {
    /// Tells when something may have changed for those who see what these seats may know.
    pub fn listen(&self, seats: SeatSet) -> Listening {
        self.bells.listen(seats)
    }

    /// Wakes those for whom something has changed.
    pub(super) fn publish(&self, live: &Live) {
        self.bells.ring(live);
    }

    /// Somebody looks at the table, until the answer is dropped.
    pub(crate) fn enter(self: &Arc<Self>, person: &PersonId) -> Presence {
        *self.present.lock().unwrap_or_else(PoisonError::into_inner).entry(person.clone()).or_default() += 1;
        self.bells.somebody_came_or_went();
        Presence { table: self.clone(), person: person.clone() }
    }

    /// Whether a person looks at the table now.
    pub(crate) fn is_present(&self, person: &PersonId) -> bool {
        self.present.lock().unwrap_or_else(PoisonError::into_inner).contains_key(person)
    }

    /// How many look at it who do not sit there.
    pub(crate) fn onlookers(&self, seats: &[SeatRow]) -> usize {
        let present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        present.keys().filter(|p| !seats.iter().any(|s| s.person.as_ref() == Some(p))).count()
    }

    pub(super) fn anybody(&self) -> bool {
        !self.present.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

/// Somebody looking at a table.
pub(crate) struct Presence {
    table: Arc<Table>,
    person: PersonId,
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut present = self.table.present.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = present.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                present.remove(&self.person);
            }
        }
        drop(present);
        self.table.bells.somebody_came_or_went();
    }
}

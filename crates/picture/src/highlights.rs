//! What stands out in a picture: where something can be chosen, and what a warning is about.

use std::collections::BTreeSet;

use table::scene::{Choice, Throw, Warning};

/// Ids that stand out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Highlights {
    open: BTreeSet<String>,
    warned: BTreeSet<String>,
    throws: Vec<Throw>,
}

impl Highlights {
    /// What these choices are about.
    pub fn of<'a>(choices: impl IntoIterator<Item = &'a Choice>) -> Self {
        let open = choices.into_iter().flat_map(|c| c.targets.iter().cloned()).collect();
        Self { open, ..Self::default() }
    }

    /// These ids.
    pub fn on<I: Into<String>>(ids: impl IntoIterator<Item = I>) -> Self {
        Self { open: ids.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The same with what these warnings are about.
    #[must_use]
    pub fn warning(mut self, warnings: &[Warning]) -> Self {
        self.warned.extend(warnings.iter().filter_map(|w| w.target.clone()));
        self
    }

    /// The same with dice that lie on spaces of the boards.
    #[must_use]
    pub fn thrown(mut self, throws: &[Throw]) -> Self {
        self.throws.extend(throws.iter().filter(|t| t.space.is_some()).cloned());
        self
    }

    pub(crate) fn throws(&self) -> &[Throw] {
        &self.throws
    }

    pub(crate) fn is_open(&self, id: &str) -> bool {
        self.open.contains(id)
    }

    pub(crate) fn is_warned(&self, id: &str) -> bool {
        self.warned.contains(id)
    }
}

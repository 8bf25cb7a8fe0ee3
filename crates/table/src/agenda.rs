//! The agenda: what is going on, and inside what.
//!
//! The flow of a game is an explicit stack of steps, each with its own local data, so that a battle inside
//! a move inside a card play is three steps. A step is plain data: a game can be saved at any moment and a
//! clone is a copy. Where several things go on side by side (battles that share no seat), a game holds
//! several agendas.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// A stack of steps, at most `DEPTH` deep.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "S: Serialize", deserialize = "S: Deserialize<'de>"))]
pub struct Agenda<S, const DEPTH: usize> {
    steps: ArrayVec<S, DEPTH>,
}

impl<S, const DEPTH: usize> Agenda<S, DEPTH> {
    /// An agenda that begins with this step.
    pub fn starting(step: S) -> Self {
        let mut agenda = Self::default();
        agenda.push(step);
        agenda
    }

    /// The step that is going on now, if any is left.
    #[inline]
    pub fn now(&self) -> Option<&S> {
        self.steps.last()
    }

    /// The step that is going on now, to be changed.
    #[inline]
    pub fn now_mut(&mut self) -> Option<&mut S> {
        self.steps.last_mut()
    }

    /// Begins a step inside the present one.
    ///
    /// # Panics
    /// When the agenda is full: the game's `DEPTH` is too small for its rules.
    #[inline]
    pub fn push(&mut self, step: S) {
        self.steps.push(step);
    }

    /// Ends the present step.
    #[inline]
    pub fn pop(&mut self) -> Option<S> {
        self.steps.pop()
    }

    /// Puts another step in the place of the present one.
    #[inline]
    pub fn replace(&mut self, step: S) {
        self.steps.pop();
        self.steps.push(step);
    }

    /// All steps, the outermost first.
    #[inline]
    pub fn steps(&self) -> &[S] {
        &self.steps
    }

    /// Whether nothing is left to do.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

impl<S, const DEPTH: usize> Default for Agenda<S, DEPTH> {
    fn default() -> Self {
        Self { steps: ArrayVec::new() }
    }
}

//! The journal: what happened, told to those who may know it, with the rule it stands on.

use serde::Serialize;

use crate::rule::Rule;
use crate::scene::{Fall, Throw, Trace};
use crate::seat::{Readers, Viewer};

/// Something in a line that the boards can show beside the words. It is told to the readers of the line and to
/// nobody else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Happening {
    /// Pieces went from one space to another.
    Moved(Trace),
    /// Pieces or steps were lost on a space.
    Fell(Fall),
    /// Dice were thrown.
    Threw(Throw),
}

/// What kind of line it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Tone {
    /// Opens a turn, a phase or a battle: the journal is grouped by these.
    Heading,
    /// Something happened.
    Line,
    /// A word of the table itself, such as a take-back.
    Table,
}

/// One line of the journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Who may read it.
    pub readers: Readers,
    /// What kind of line it is.
    pub tone: Tone,
    /// The rule that it stands on.
    pub rule: Option<Rule>,
    /// What happened.
    pub text: String,
    /// What of it the boards can show.
    pub shown: Vec<Happening>,
}

/// A line as one viewer reads it. It does not say who else reads it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// What kind of line it is.
    pub tone: Tone,
    /// The rule that it stands on.
    pub rule: Option<Rule>,
    /// What happened.
    pub text: String,
    /// What of it the boards can show.
    #[serde(skip)]
    pub shown: Vec<Happening>,
}

/// All notes of a game, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Journal {
    notes: Vec<Note>,
}

impl Journal {
    /// Adds notes at the end.
    pub fn extend(&mut self, notes: impl IntoIterator<Item = Note>) {
        self.notes.extend(notes);
    }

    /// Every note, whoever may read it: for the table itself.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// What this viewer may read.
    pub fn read(&self, viewer: Viewer) -> impl Iterator<Item = Line> {
        self.notes.iter().filter(move |note| note.readers.include(viewer)).map(|note| Line {
            tone: note.tone,
            rule: note.rule,
            text: note.text.clone(),
            shown: note.shown.clone(),
        })
    }
}

//! The journal: what happened, told to those who may know it, with the rule it stands on.

use serde::{Serialize, Serializer};

use crate::rule::Rule;
use crate::scene::{Die, Fall, Throw, Trace};
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
    /// Dice were rolled before the line that tells of them; no board shows them. The table itself says so of lines
    /// whose rule does not say more.
    Rolled(Vec<Die>),
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

impl Line {
    /// The dice that it tells of, in their order.
    pub fn dice(&self) -> impl Iterator<Item = Die> {
        self.shown.iter().flat_map(|happening| match happening {
            Happening::Threw(throw) => throw.dice.clone(),
            Happening::Rolled(dice) => dice.clone(),
            Happening::Moved(_) | Happening::Fell(_) => Vec::new(),
        })
    }
}

impl From<&Note> for Line {
    fn from(note: &Note) -> Self {
        Self { tone: note.tone, rule: note.rule, text: note.text.clone(), shown: note.shown.clone() }
    }
}

/// A page of a long journal as one viewer reads it: whole groups of lines, each opened by a heading or cut from
/// one that is too long.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct JournalPage {
    /// The number of its first group, counted from the beginning of the journal.
    #[serde(rename = "journal_from")]
    pub first: usize,
    /// The groups. Programs are given their lines one after the other.
    #[serde(rename = "journal", serialize_with = "in_a_row")]
    pub groups: Vec<Vec<Line>>,
}

fn in_a_row<S: Serializer>(groups: &[Vec<Line>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(groups.iter().flatten())
}

impl JournalPage {
    /// So many lines make a long group.
    const LONG_GROUP: usize = 12;
    /// So many groups make a page.
    const GROUPS: usize = 48;

    /// The last page of the groups below a number, or of all. Only its own lines are copied.
    pub(crate) fn of<'a>(notes: impl Iterator<Item = &'a Note>, below: Option<usize>) -> Self {
        let (mut page, mut count, mut lines) = (std::collections::VecDeque::new(), 0, 0);
        for note in notes {
            if count == 0 || note.tone == Tone::Heading || lines == Self::LONG_GROUP {
                if below == Some(count) {
                    break;
                }
                (count, lines) = (count + 1, 0);
                page.push_back(Vec::new());
                if page.len() > Self::GROUPS {
                    page.pop_front();
                }
            }
            lines += 1;
            if let Some(group) = page.back_mut() {
                group.push(note);
            }
        }
        let copied = |group: Vec<&Note>| group.into_iter().map(Line::from).collect();
        Self { first: count - page.len(), groups: page.into_iter().map(copied).collect() }
    }
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
    pub fn read(&self, viewer: Viewer) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(move |note| note.readers.include(viewer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(tone: Tone, text: impl ToString) -> Note {
        Note { readers: Readers::ALL, tone, rule: None, text: text.to_string(), shown: Vec::new() }
    }

    #[test]
    fn pages_hold_whole_groups_and_leave_nothing_out() {
        // A hundred turns of one to nineteen lines each.
        let turn = |n: usize| {
            let lines = (0..n * 7 % 19).map(move |i| note(Tone::Line, format!("{n}.{i}")));
            std::iter::once(note(Tone::Heading, n)).chain(lines)
        };
        let notes: Vec<_> = (0..100).flat_map(turn).collect();
        let (mut pages, mut below) = (Vec::new(), None);
        loop {
            let page = JournalPage::of(notes.iter(), below);
            assert!(page.groups.len() <= JournalPage::GROUPS);
            assert!(page.groups.iter().all(|group| (1..=JournalPage::LONG_GROUP).contains(&group.len())));
            below = Some(page.first);
            pages.insert(0, page);
            if below == Some(0) {
                break;
            }
        }
        assert!(pages.len() > 2);
        let read: Vec<_> = pages.into_iter().flat_map(|page| page.groups.into_iter().flatten()).collect();
        assert_eq!(read, notes.iter().map(Line::from).collect::<Vec<_>>());
        assert_eq!(JournalPage::of([].into_iter(), None), JournalPage::default());
    }
}

//! Who must decide what, what a careful player would not leave, and how an option shows itself.

use serde::Serialize;

use crate::rule::Rule;
use crate::seat::SeatSet;

/// Who must decide what, and under which rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Prompt {
    /// Who must decide.
    pub seats: SeatSet,
    /// What: a sentence for the one who decides, or about him for the others.
    pub text: String,
    /// Under which rule.
    pub rule: Rule,
    /// A sentence of advice for the one who decides; empty for others, and where there is none.
    pub advice: String,
    /// Whether it is a window: a prompt that is asked by public knowledge, whatever a seat holds.
    pub window: bool,
}

impl Prompt {
    /// A prompt without advice, and no window.
    pub fn new(seats: SeatSet, text: impl Into<String>, rule: Rule) -> Self {
        Self { seats, text: text.into(), rule, advice: String::new(), window: false }
    }

    /// The same with a sentence of advice, if there is one.
    #[must_use]
    pub fn advice(mut self, advice: Option<impl Into<String>>) -> Self {
        self.advice = advice.map_or_else(String::new, Into::into);
        self
    }

    /// The same as a window, if it is one.
    #[must_use]
    pub const fn window(mut self, window: bool) -> Self {
        self.window = window;
        self
    }
}

/// Something a careful player would not leave.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Warning {
    /// What, in a sentence.
    pub text: String,
    /// The rule that will bite.
    pub rule: Rule,
    /// The space or piece that it is about.
    pub target: Option<String>,
}

/// How an option shows itself: a line to read, and where on the scene to click.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Choice {
    /// A short line for a button.
    pub label: String,
    /// The ids of the spaces, pieces, links or cards that it is about, the one to click first.
    pub targets: Vec<String>,
    /// Odds, costs, consequences: what to know before the click.
    pub hint: String,
    /// What to ask before it is done; only for what cannot be taken back and matters.
    pub confirm: Option<String>,
    /// What it is among the others.
    pub part: Part,
}

/// What a choice is among the others: at most one of them is the thing to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub enum Part {
    /// One of several.
    #[default]
    Usual,
    /// The thing to do next.
    Main,
    /// Letting it be.
    Refusal,
}

impl Choice {
    /// A choice that is only a button.
    pub fn button(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// The same with a place to click.
    #[must_use]
    pub fn at(mut self, target: impl Into<String>) -> Self {
        self.targets.push(target.into());
        self
    }

    /// The same with something to know before the click.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// The same as the thing to do next.
    #[must_use]
    pub const fn main(mut self) -> Self {
        self.part = Part::Main;
        self
    }

    /// The same as a way to let it be.
    #[must_use]
    pub const fn refusal(mut self) -> Self {
        self.part = Part::Refusal;
        self
    }

    /// The same with a question to answer first.
    #[must_use]
    pub fn confirm(mut self, question: impl Into<String>) -> Self {
        self.confirm = Some(question.into());
        self
    }
}

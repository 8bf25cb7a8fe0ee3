//! The umpire: the only source of chance, and the keeper of the journal.
//!
//! Rules ask him for three things. [`roll`](Umpire::roll) is a die that all see, [`draw`](Umpire::draw) is
//! a lot told to some, and [`reveal`](Umpire::reveal) says that a hidden thing was shown. From these three
//! the table knows by itself where undo must stop. In play he is a [`Scribe`], who writes everything down
//! and whose dice come from a [`Fate`]: the table's honest dice, a record, or a vignette's script. In a
//! search he is [`Silent`] and fast.

use std::collections::BTreeSet;
use std::fmt;

use crate::dice::{DiceStream, Lots};
use crate::journal::{Happening, Note, Tone};
use crate::rule::Rule;
use crate::scene::Die;
use crate::seat::Readers;

/// What rules may ask of the umpire.
pub trait Umpire {
    /// Rolls a die that everybody sees: 1 to `sides`.
    fn roll(&mut self, sides: u8) -> u8;

    /// Draws one of `n` things, numbered from 0, and tells it to some. `name` says what a number stands
    /// for; it is asked only where the draw is written down.
    fn draw(&mut self, to: Readers, n: u16, name: &dyn Fn(u16) -> String) -> u16;

    /// A hidden thing was shown to these.
    fn reveal(&mut self, to: Readers);

    /// Whether anybody reads the journal. Where a line is dear to make, ask this first.
    #[inline]
    fn writes(&self) -> bool {
        false
    }

    /// A line for the journal.
    #[inline]
    fn note(&mut self, readers: Readers, rule: Rule, text: fmt::Arguments<'_>) {
        let _ = (readers, rule, text);
    }

    /// A line for the journal, and what of it the boards can show. What is shown is asked for only where it is
    /// written down.
    #[inline]
    fn tell(
        &mut self,
        readers: Readers,
        rule: Rule,
        text: fmt::Arguments<'_>,
        shown: &dyn Fn() -> Vec<Happening>,
    ) {
        let _ = shown;
        self.note(readers, rule, text);
    }

    /// Opens a new group in the journal, for all to read.
    #[inline]
    fn heading(&mut self, text: fmt::Arguments<'_>) {
        let _ = text;
    }

    /// Says that a rule was at work, where no line of the journal does.
    #[inline]
    fn cite(&mut self, rule: Rule) {
        let _ = rule;
    }
}

/// One result of chance, as the record keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chance {
    /// A die.
    Roll {
        /// How many sides it had; `None` where a record does not say.
        sides: Option<u8>,
        /// What it showed.
        result: u8,
    },
    /// A lot.
    Draw {
        /// To whom it was told; `None` where a record does not say.
        to: Option<Readers>,
        /// Which of the things.
        index: u16,
        /// Its name.
        name: String,
    },
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Roll { result, .. } => write!(f, "{result}"),
            Self::Draw { index, name, .. } => write!(f, "({index} {name})"),
        }
    }
}

/// Where a [`Scribe`] takes his dice and lots from.
pub trait Fate {
    /// A die, 1 to `sides`.
    fn roll(&mut self, sides: u8) -> u8;
    /// A lot, below `n`.
    fn draw(&mut self, to: Readers, n: u16, name: &dyn Fn(u16) -> String) -> u16;
}

impl Fate for DiceStream {
    fn roll(&mut self, sides: u8) -> u8 {
        self.below(u32::from(sides)) as u8 + 1
    }
    fn draw(&mut self, _: Readers, n: u16, _: &dyn Fn(u16) -> String) -> u16 {
        self.below(u32::from(n)) as u16
    }
}

impl Fate for Lots {
    fn roll(&mut self, sides: u8) -> u8 {
        self.below(u32::from(sides)) as u8 + 1
    }
    fn draw(&mut self, _: Readers, n: u16, _: &dyn Fn(u16) -> String) -> u16 {
        self.below(u32::from(n)) as u16
    }
}

/// What a [`Scribe`] wrote down while one action was carried out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Protocol {
    /// Dice and lots, in order.
    pub chance: Vec<Chance>,
    /// Lines for the journal.
    pub notes: Vec<Note>,
    /// Whether a hidden thing was shown to anybody.
    pub revealed: bool,
    /// The rules that were at work.
    pub cited: BTreeSet<Rule>,
}

impl Protocol {
    /// Whether anybody learned something that cannot be unlearned: undo stops here.
    pub fn is_final(&self) -> bool {
        self.revealed || !self.chance.is_empty()
    }
}

/// An umpire who writes everything down.
#[derive(Clone, Debug)]
pub struct Scribe<F> {
    /// Where dice and lots come from.
    pub fate: F,
    /// What was written down.
    pub protocol: Protocol,
    /// How much of the chance a line has told of.
    told: usize,
}

impl<F: Fate> Scribe<F> {
    /// A scribe with an empty protocol.
    pub fn new(fate: F) -> Self {
        Self { fate, protocol: Protocol::default(), told: 0 }
    }

    /// The dice that were rolled since the last line: everybody saw them.
    fn rolled(&mut self) -> Vec<Die> {
        let chance = self.protocol.chance.get(self.told..).unwrap_or_default();
        let die = |chance: &Chance| match chance {
            Chance::Roll { sides, result } => {
                Some(Die { sides: sides.unwrap_or(6), result: *result, hit: None })
            }
            Chance::Draw { .. } => None,
        };
        let dice = chance.iter().filter_map(die).take(MOST_DICE).collect();
        self.told = self.protocol.chance.len();
        dice
    }
}

/// More dice than this nobody reads in a line.
const MOST_DICE: usize = 24;

impl<F: Fate> Umpire for Scribe<F> {
    fn roll(&mut self, sides: u8) -> u8 {
        let result = self.fate.roll(sides);
        self.protocol.chance.push(Chance::Roll { sides: Some(sides), result });
        result
    }
    fn draw(&mut self, to: Readers, n: u16, name: &dyn Fn(u16) -> String) -> u16 {
        let index = self.fate.draw(to, n, name);
        self.protocol.chance.push(Chance::Draw { to: Some(to), index, name: name(index) });
        index
    }
    fn reveal(&mut self, _: Readers) {
        self.protocol.revealed = true;
    }
    fn writes(&self) -> bool {
        true
    }
    fn note(&mut self, readers: Readers, rule: Rule, text: fmt::Arguments<'_>) {
        self.tell(readers, rule, text, &Vec::new);
    }
    fn tell(
        &mut self,
        readers: Readers,
        rule: Rule,
        text: fmt::Arguments<'_>,
        shown: &dyn Fn() -> Vec<Happening>,
    ) {
        self.protocol.cited.insert(rule);
        let (mut shown, rolled) = (shown(), self.rolled());
        if !rolled.is_empty() && !shown.iter().any(|happening| matches!(happening, Happening::Threw(_))) {
            shown.push(Happening::Rolled(rolled));
        }
        self.protocol.notes.push(Note {
            readers,
            tone: Tone::Line,
            rule: Some(rule),
            text: text.to_string(),
            shown,
        });
    }
    fn heading(&mut self, text: fmt::Arguments<'_>) {
        self.protocol.notes.push(Note {
            readers: Readers::ALL,
            tone: Tone::Heading,
            rule: None,
            text: text.to_string(),
            shown: Vec::new(),
        });
    }
    fn cite(&mut self, rule: Rule) {
        self.protocol.cited.insert(rule);
    }
}

/// A fast umpire who writes nothing: for searches and simulations.
#[derive(Clone, Debug)]
pub struct Silent {
    /// His dice.
    pub lots: Lots,
}

impl Silent {
    /// The same number gives the same dice.
    pub const fn new(number: u64) -> Self {
        Self { lots: Lots::new(number) }
    }
}

impl Umpire for Silent {
    #[inline]
    fn roll(&mut self, sides: u8) -> u8 {
        self.lots.below(u32::from(sides)) as u8 + 1
    }
    #[inline]
    fn draw(&mut self, _: Readers, n: u16, _: &dyn Fn(u16) -> String) -> u16 {
        self.lots.below(u32::from(n)) as u16
    }
    #[inline]
    fn reveal(&mut self, _: Readers) {}
}

/// The chance results of a record, told again. A result that does not fit is remembered as trouble.
#[derive(Clone, Debug)]
pub struct Retold<'a> {
    rest: std::slice::Iter<'a, Chance>,
    /// The first thing that did not fit.
    pub trouble: Option<String>,
}

impl<'a> Retold<'a> {
    /// Tells these results again.
    pub fn new(chance: &'a [Chance]) -> Self {
        Self { rest: chance.iter(), trouble: None }
    }

    /// Whether all fitted and none is left over.
    pub fn finish(mut self) -> Result<(), String> {
        match (self.trouble, self.rest.next()) {
            (Some(trouble), _) => Err(trouble),
            (None, Some(left)) => Err(format!("the record has `{left}`, but nothing asked for it")),
            (None, None) => Ok(()),
        }
    }

    fn wrong(&mut self, trouble: String) {
        self.trouble.get_or_insert(trouble);
    }
}

impl Fate for Retold<'_> {
    fn roll(&mut self, sides: u8) -> u8 {
        match self.rest.next() {
            Some(Chance::Roll { result, .. }) if (1..=sides).contains(result) => *result,
            Some(other) => {
                self.wrong(format!("a die of {sides} was rolled, but the record has `{other}`"));
                1
            }
            None => {
                self.wrong(format!("a die of {sides} was rolled, but the record has no result for it"));
                1
            }
        }
    }
    fn draw(&mut self, _: Readers, n: u16, name: &dyn Fn(u16) -> String) -> u16 {
        match self.rest.next() {
            Some(Chance::Draw { index, name: noted, .. }) if *index < n => {
                let now = name(*index);
                if now != *noted {
                    self.wrong(format!("the record drew `{noted}` where now `{now}` would be drawn"));
                }
                *index
            }
            Some(other) => {
                self.wrong(format!("one of {n} was drawn, but the record has `{other}`"));
                0
            }
            None => {
                self.wrong(format!("one of {n} was drawn, but the record has no result for it"));
                0
            }
        }
    }
}

/// The dice and draws of a vignette, written down in advance: draws by name.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    /// Dice to come.
    pub dice: std::collections::VecDeque<u8>,
    /// Draws to come, by name.
    pub draws: std::collections::VecDeque<String>,
    /// The first thing that did not fit.
    pub trouble: Option<String>,
}

impl Scripted {
    /// What was written down and never asked for, or did not fit.
    pub fn finish(&self) -> Result<(), String> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        if !self.dice.is_empty() {
            return Err(format!("dice left over: {:?}", self.dice));
        }
        if !self.draws.is_empty() {
            return Err(format!("draws left over: {:?}", self.draws));
        }
        Ok(())
    }
}

impl Fate for Scripted {
    fn roll(&mut self, sides: u8) -> u8 {
        match self.dice.pop_front() {
            Some(result) if (1..=sides).contains(&result) => result,
            Some(result) => {
                self.trouble.get_or_insert(format!("a die of {sides} cannot show {result}"));
                1
            }
            None => {
                self.trouble.get_or_insert(format!("a die of {sides} was rolled, but no dice are left"));
                1
            }
        }
    }
    fn draw(&mut self, _: Readers, n: u16, name: &dyn Fn(u16) -> String) -> u16 {
        let names = || (0..n).map(name).collect::<Vec<_>>().join(", ");
        match self.draws.pop_front() {
            Some(wanted) => match (0..n).find(|i| name(*i) == wanted) {
                Some(index) => index,
                None => {
                    self.trouble.get_or_insert(format!("`{wanted}` cannot be drawn; these can: {}", names()));
                    0
                }
            },
            None => {
                self.trouble.get_or_insert(format!(
                    "something was drawn, but no draws are left; possible: {}",
                    names()
                ));
                0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(i: u16) -> String {
        ["Richard", "Robert", "James"][usize::from(i)].to_string()
    }

    #[test]
    fn a_scribe_writes_down_what_a_record_tells_again() {
        let mut scribe = Scribe::new(Lots::new(4));
        let first = (scribe.roll(6), scribe.draw(Readers::ALL, 3, &name), scribe.roll(10));
        assert!(scribe.protocol.is_final());
        let mut again = Scribe::new(Retold::new(&scribe.protocol.chance));
        assert_eq!(first, (again.roll(6), again.draw(Readers::ALL, 3, &name), again.roll(10)));
        assert_eq!(again.fate.finish(), Ok(()));
    }

    #[test]
    fn a_record_that_does_not_fit_says_so() {
        let chance = [Chance::Draw { to: None, index: 1, name: "Robert".into() }];
        let mut retold = Retold::new(&chance);
        retold.roll(6);
        assert_eq!(retold.finish().unwrap_err(), "a die of 6 was rolled, but the record has `(1 Robert)`");
        assert_eq!(
            Retold::new(&chance).finish().unwrap_err(),
            "the record has `(1 Robert)`, but nothing asked for it"
        );
        let mut retold = Retold::new(&chance);
        retold.draw(Readers::ALL, 3, &|_| "Philip".into());
        assert_eq!(
            retold.finish().unwrap_err(),
            "the record drew `Robert` where now `Philip` would be drawn"
        );
    }

    #[test]
    fn a_script_draws_by_name_and_leaves_nothing() {
        let mut script = Scripted {
            dice: [6].into(),
            draws: ["James".to_string(), "Guy".to_string()].into(),
            trouble: None,
        };
        assert_eq!(script.draw(Readers::ALL, 3, &name), 2);
        assert_eq!(script.finish().unwrap_err(), "dice left over: [6]");
        assert_eq!(script.roll(6), 6);
        assert_eq!(script.finish().unwrap_err(), "draws left over: [\"Guy\"]");
        script.draw(Readers::ALL, 3, &name);
        assert_eq!(script.finish().unwrap_err(), "`Guy` cannot be drawn; these can: Richard, Robert, James");
    }
}

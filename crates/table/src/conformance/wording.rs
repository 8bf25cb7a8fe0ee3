//! Wording: what people read is written for people. No notation, no ids, no `1 moves`, and every line of its
//! own begins with a capital.
//!
//! The check looks at all that a scene, its choices and the journal show, through every viewer's eyes. It
//! gathers what it finds over a whole game and tells it at the end, so that one run shows all there is to mend.
//! [`fault`] is open to those who write lines of their own around a game.

use std::collections::BTreeSet;

use super::Course;
use crate::ballot::Explained;
use crate::game::Game;
use crate::seat::Viewer;
use crate::umpire::Protocol;

/// So many slips of one game are told.
const MOST: usize = 60;

/// Where a text stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// On a line of its own: it begins with a capital.
    Line,
    /// Behind other words.
    Within,
}

/// What is wrong with a text that people read, if anything is.
pub fn fault(text: &str, place: Place) -> Option<String> {
    if text.trim() != text || text.is_empty() && place == Place::Line {
        return Some("it is empty, or has blanks at an end".into());
    }
    if let Some(sign) = [" > ", " < ", "`", "::", "->"].into_iter().find(|sign| text.contains(sign)) {
        return Some(format!("`{}` is notation", sign.trim()));
    }
    if let Some(word) = words(text).find(|word| is_id(word)) {
        return Some(format!("`{word}` is an id"));
    }
    if let Some(counted) = miscounted(text) {
        return Some(format!("`{counted}` counts one as many"));
    }
    (place == Place::Line && text.starts_with(char::is_lowercase))
        .then(|| "it begins with a small letter".into())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// `card.assassins`, `cell_a1`: words joined by what joins no words.
fn is_id(word: &str) -> bool {
    let long = |part: &str| part.chars().filter(|c| c.is_alphabetic()).count() > 1;
    word.contains('_')
        || word.split_once('.').is_some_and(|(left, right)| {
            let ends = |c: Option<char>| c.is_some_and(char::is_alphabetic);
            ends(left.chars().next_back()) && ends(right.chars().next()) && long(left) && long(right)
        })
}

/// Words before a number that make it a name: `turn 1 ends`, `a 1 hits`.
const NAMED: [&str; 26] = [
    "turn", "round", "year", "card", "value", "strength", "level", "number", "die", "roll", "rolls",
    "rolled", "shows", "a", "of", "or", "to", "box", "column", "phase", "rule", "step", "seat", "and",
    "than", "is",
];
/// Words that end in `s` and count nothing.
const UNCOUNTED: [&str; 24] = [
    "is", "was", "has", "this", "its", "his", "as", "us", "plus", "minus", "always", "less", "does",
    "besides", "begins", "ends", "wins", "goes", "costs", "towards", "across", "loss", "pass", "class",
];
/// Words that may stand between a number and what it counts.
const BETWEEN: [&str; 12] = [
    "more",
    "other",
    "further",
    "hidden",
    "enemy",
    "victory",
    "replacement",
    "spare",
    "extra",
    "single",
    "own",
    "full",
];
/// Words before a count that may begin a line.
const COUNTING: [&str; 12] =
    ["takes", "loses", "has", "have", "moves", "gains", "rolls", "scores", "needs", "pays", "draws", "only"];
/// Plurals without an `s`.
const IRREGULAR: [&str; 3] = ["men", "dice", "people"];

/// `1 moves`: one that is counted as many.
fn miscounted(text: &str) -> Option<String> {
    let all: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let counts = |word: &str| {
        let bare = bare(word);
        IRREGULAR.contains(&bare.as_str())
            || bare.len() > 3
                && bare.ends_with('s')
                && !bare.ends_with("ss")
                && !bare.ends_with("us")
                && bare.chars().all(char::is_alphabetic)
                && !UNCOUNTED.contains(&bare.as_str())
                && !word.contains(['\'', '’'])
    };
    for (i, _) in all.iter().enumerate().filter(|(_, word)| word.trim_start_matches(['(', '[']) == "1") {
        let named = i.checked_sub(1).is_some_and(|before| {
            let (word, bare) = (all[before], bare(all[before]));
            // The first of several alike has a number in its name: Kurds 1.
            let name = word.starts_with(char::is_uppercase) && !COUNTING.contains(&bare.as_str());
            !word.ends_with([':', ',', ';', '.']) && (name || NAMED.contains(&bare.as_str()))
        });
        let mut next = i + 1;
        if all.get(next).is_some_and(|word| BETWEEN.contains(&bare(word).as_str())) {
            next += 1;
        }
        if !named && all.get(next).is_some_and(|word| counts(word)) {
            return Some(all[i..=next].join(" "));
        }
    }
    None
}

/// Whether a line of notation is plain words, which a sentence may hold by chance.
fn is_plain(notation: &str) -> bool {
    notation.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '’'))
}

/// The slips of a game, each told once, and the entry that showed the first.
#[derive(Debug, Default)]
pub(super) struct Slips {
    all: BTreeSet<String>,
    first: Option<u32>,
}

impl Slips {
    fn note(&mut self, entry: u32, what: &str, text: &str, why: &str) {
        if self.all.len() < MOST {
            self.first.get_or_insert(entry);
            self.all.insert(format!("{what} “{text}”: {why}"));
        }
    }

    /// All of them, if there are any.
    pub(super) fn told(&self) -> Result<(), String> {
        let Some(first) = self.first else { return Ok(()) };
        let all: Vec<_> = self.all.iter().map(String::as_str).collect();
        Err(format!("wording, from entry {first} on:\n  {}", all.join("\n  ")))
    }
}

impl<G: Game> Course<'_, G> {
    /// All that is shown of a position reads well.
    pub(super) fn check_wording(&mut self, position: &G::Position) {
        if !self.examination.wording {
            return;
        }
        let game = self.game.clone();
        let entry = self.record.entries.len() as u32;
        let deciding = game.deciding(position);
        let mut written: Vec<String> = Vec::new();
        let mut shown: Vec<(&str, Place, String)> = Vec::new();
        for seat in deciding.iter() {
            let (view, mut options) = (game.view(position, Viewer::Seat(seat)), Explained::default());
            game.options(position, seat, &mut options);
            for offer in &options.offers {
                let (notation, choice) =
                    (game.write(offer.action).to_string(), game.choice(&view, offer.action));
                if choice.label == notation {
                    self.slips.note(entry, "the label", &choice.label, "it is the bare notation");
                }
                shown.push(("the label", Place::Line, choice.label));
                shown.push(("the hint", Place::Within, choice.hint));
                shown.extend(choice.confirm.map(|question| ("the question", Place::Line, question)));
                written.push(notation);
            }
            for refusal in options.refusals {
                shown.push(("the refusal", Place::Within, refusal.why));
            }
        }
        for viewer in Viewer::all(self.party) {
            let scene = game.scene(&game.view(position, viewer));
            shown.push(("the title", Place::Line, scene.title));
            if let Some(prompt) = scene.prompt {
                shown.push(("the prompt", Place::Line, prompt.text));
                shown.extend((!prompt.advice.is_empty()).then_some((
                    "the advice",
                    Place::Line,
                    prompt.advice,
                )));
            }
            for warning in scene.warnings {
                shown.push(("the warning", Place::Line, warning.text));
            }
            for board in scene.boards {
                shown.extend(board.pieces.into_iter().map(|piece| ("the piece", Place::Within, piece.text)));
            }
            for tray in scene.trays {
                shown.push(("the tray", Place::Line, tray.name));
                shown.push(("the tray's note", Place::Within, tray.note));
                shown.extend(tray.pieces.into_iter().map(|piece| ("the piece", Place::Within, piece.text)));
            }
            for track in scene.tracks {
                shown.push(("the track", Place::Line, track.name));
                shown.push(("the track's note", Place::Within, track.note));
            }
            if let Some(register) = scene.register {
                shown.push(("the register", Place::Line, register.name));
                shown.extend(register.columns.into_iter().map(|name| ("the column", Place::Within, name)));
            }
            for sum in scene.sums {
                shown.push(("the sum", Place::Line, sum.name));
                shown.push(("the sum's note", Place::Within, sum.note));
                shown.extend(sum.lines.into_iter().map(|line| ("the sum's line", Place::Within, line.text)));
            }
            for throw in scene.throws {
                shown.push(("the throw", Place::Line, throw.name));
                shown.push(("the throw's result", Place::Within, throw.result));
            }
            for aid in scene.aids {
                shown.push(("the aid", Place::Line, aid.name));
                shown.push(("the aid's note", Place::Within, aid.note));
            }
        }
        if let Some(outcome) = game.outcome(position) {
            shown.push(("the headline", Place::Line, outcome.headline.to_string()));
            shown.push(("the reason", Place::Line, game.reason(position)));
        }
        written.retain(|notation| !is_plain(notation));
        for (what, place, text) in shown {
            self.read_over(entry, what, &text, place, &written);
        }
    }

    /// What an action adds to the journal reads well.
    pub(super) fn check_journal(&mut self, protocol: &Protocol) {
        if !self.examination.wording {
            return;
        }
        let entry = self.record.entries.len() as u32;
        let written = match self.record.entries.last().map(|e| &e.deed) {
            Some(crate::record::Deed::Act { action, .. }) if !is_plain(action) => vec![action.clone()],
            _ => Vec::new(),
        };
        for note in &protocol.notes {
            self.read_over(entry, "the journal", &note.text, Place::Line, &written);
        }
    }

    fn read_over(&mut self, entry: u32, what: &str, text: &str, place: Place, written: &[String]) {
        let place = if self.begins_with_a_name(text) { Place::Within } else { place };
        if let Some(why) = fault(text, place) {
            self.slips.note(entry, what, text, &why);
        } else if let Some(notation) = written.iter().find(|notation| text.contains(notation.as_str())) {
            self.slips.note(entry, what, text, &format!("it holds the notation `{notation}`"));
        }
    }

    /// Cells are called a1; whoever begins a line with such a name may.
    fn begins_with_a_name(&self, text: &str) -> bool {
        let mut signs = text.chars();
        let (letter, digit) = (signs.next(), signs.next());
        letter.is_some_and(|c| c.is_ascii_lowercase()) && digit.is_some_and(|c| c.is_ascii_digit())
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, fault};

    #[test]
    fn slips_are_told_and_sentences_are_not() {
        for (text, why) in [
            ("Ram goes Brill > Dunster", "notation"),
            ("Strength < 3", "notation"),
            ("Play card.assassins", "an id"),
            ("Choose cell_a1", "an id"),
            ("Frank has 1 moves left", "counts one as many"),
            ("Takes 1 hits", "counts one as many"),
            ("Blue: 1 more steps", "counts one as many"),
            ("Red loses 1 men", "counts one as many"),
            ("an ambush", "small letter"),
            ("", "empty"),
        ] {
            let found = fault(text, Place::Line).unwrap_or_default();
            assert!(found.contains(why), "`{text}`: {found:?}");
        }
        for text in [
            "Turn 1 begins",
            "Kurds 1 fires: 5: 0 hits",
            "A die of 1 hits",
            "Red has 1 hit to take",
            "Red has 11 moves",
            "Round 1 ends. Blue is next",
            "Strength 1 of 4, e.g. Acre",
            "See rule 6.51",
            "Frank’s 1 loss",
            "Saladin’s army marches: 1 block is lost",
        ] {
            assert_eq!(fault(text, Place::Line), None, "`{text}`");
        }
        assert_eq!(fault("an ambush", Place::Within), None);
        assert_eq!(fault("", Place::Within), None);
    }
}

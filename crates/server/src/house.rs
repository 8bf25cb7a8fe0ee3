//! What the house allows at a table beside the rules of its game: hints, and the freedom of analysis.
//!
//! It is kept among the table's options, under names that no game can use.

use std::collections::BTreeMap;

use crate::store::TableRow;

const PREFIX: &str = "house:";
const HINTS: &str = "house:hints";
const ANALYSIS: &str = "house:analysis";
const ON: &str = "yes";

/// What the house allows at a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct House {
    /// Whether players may ask for a hint. Everybody at the table sees that they may.
    pub hints: bool,
    /// Whether it goes on from a moment of a finished game: values are shown, and no curtain falls.
    pub analysis: bool,
}

impl House {
    /// What is allowed at this table.
    pub(crate) fn of(row: &TableRow) -> Self {
        let on = |key: &str| row.options.get(key).is_some_and(|v| v == ON);
        Self { hints: on(HINTS), analysis: on(ANALYSIS) }
    }

    /// The options of a table with what the house allows.
    pub(crate) fn among(self, options: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let mut all = game_options(options);
        for (key, is) in [(HINTS, self.hints), (ANALYSIS, self.analysis)] {
            if is {
                all.insert(key.into(), ON.into());
            }
        }
        all
    }
}

/// The options that are the game's own.
pub(crate) fn game_options(options: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    options.iter().filter(|(k, _)| !k.starts_with(PREFIX)).map(|(k, v)| (k.clone(), v.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_house_and_the_game_do_not_mix() {
        let game = BTreeMap::from([("truce".to_string(), "yes".to_string())]);
        let all = House { hints: true, analysis: false }.among(&game);
        assert_eq!(all.len(), 2);
        assert_eq!(game_options(&all), game);
        assert_eq!(House::default().among(&all), game, "what is not allowed any more is forgotten");
    }
}

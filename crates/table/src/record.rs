//! The record of a game as a text that people can read, mail and compare.
//!
//! ```text
//! outremer record 1
//! game tic-tac-toe
//! rules 1
//! data 1f0c…
//! scenario standard
//! seats 2
//! commitment 9b1e…
//! setup
//!
//! 1 Cross: b2
//! 2 Nought (forced): a1 ~ 3 6 (2 Richard)
//! 3 take-back to 1 for Nought
//! 4 Triangle arrives
//! ```
//! Behind `~` stand the results of chance: dice as numbers, draws as `(index name)`. Entries are numbered
//! from 1 and a number is never used again: a take-back is an entry too. `#` begins a comment.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use crate::dice::{Commitment, Nonces, Seed};
use crate::seat::{MOST_SEATS, Seat, SeatSet};
use crate::sheet::DataError;
use crate::title::{Seats, Setup, SetupError, Title, Wishes};
use crate::umpire::Chance;

/// The first line of every record.
const FIRST_LINE: &str = "outremer record 1";

/// The longest record that is read, in bytes.
const LONGEST_RECORD: usize = 32 << 20;

/// A record as read from its text. Whether its actions fit the game, only a replay tells.
#[derive(Clone, Debug)]
pub struct Record {
    /// Where it was read from, for errors.
    pub file: String,
    /// The game's id.
    pub game: String,
    /// The version of the rules.
    pub rules: String,
    /// The hash of the components.
    pub data: String,
    /// The scenario.
    pub scenario: String,
    /// Which seats are played.
    pub seats: Seats,
    /// The options of the set-up.
    pub options: BTreeMap<String, String>,
    /// The commitment to the seed.
    pub commitment: Commitment,
    /// What the seats added to the seed.
    pub nonces: Nonces,
    /// The seed, once it may be known.
    pub seed: Option<Seed>,
    /// The seed rolls the dice of entries after this one; those before were rolled with another.
    pub branched_at: Option<u32>,
    /// The chance of the set-up.
    pub setup: Vec<Chance>,
    /// The entries.
    pub entries: Vec<RecordEntry>,
}

/// One entry of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordEntry {
    /// Its number.
    pub number: u32,
    /// The line it was read from; 0 if it was not read.
    pub line: usize,
    /// What it says.
    pub deed: Deed<String, String>,
}

/// What an entry says: an action, or that some were taken back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deed<S, A> {
    /// A seat acted.
    Act {
        /// Who.
        seat: S,
        /// By whose hand.
        by: By,
        /// What.
        action: A,
        /// The results of chance.
        chance: Vec<Chance>,
    },
    /// Somebody took a seat that nobody had played.
    Arrive {
        /// Which.
        seat: S,
        /// The results of chance.
        chance: Vec<Chance>,
    },
    /// Entries were taken back with consent.
    TakeBack {
        /// Who asked for it.
        seat: S,
        /// The last entry that stands.
        to: u32,
    },
}

/// By whose hand an action was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// The player's own.
    Hand,
    /// A standing order of his.
    Order,
    /// The table's: nothing else was possible, and all could know it.
    Forced,
}

impl Record {
    /// Reads a record, or says file, line, what was found and what was expected.
    pub fn read(file: &str, text: &str) -> Result<Self, DataError> {
        Reader { file, line: 1 }.record(text)
    }

    /// The set-up, checked against the game's title.
    pub fn set_up(&self, title: &Title) -> Result<Setup, SetupError> {
        title.set_up(&Wishes {
            scenario: Some(self.scenario.clone()),
            seats: Some(self.seats.clone()),
            options: self.options.clone(),
        })
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}")?;
        writeln!(f, "game {}", self.game)?;
        writeln!(f, "rules {}", self.rules)?;
        writeln!(f, "data {}", self.data)?;
        writeln!(f, "scenario {}", self.scenario)?;
        writeln!(f, "seats {}", self.seats)?;
        for (id, value) in &self.options {
            writeln!(f, "option {id} {value}")?;
        }
        writeln!(f, "commitment {}", self.commitment.to_hex())?;
        for seat in SeatSet::first(MOST_SEATS).iter() {
            if self.nonces.get(seat) != 0 {
                writeln!(f, "nonce {} {:016x}", seat.index(), self.nonces.get(seat))?;
            }
        }
        if let Some(seed) = &self.seed {
            writeln!(f, "seed {}", seed.to_hex())?;
        }
        if let Some(entry) = self.branched_at {
            writeln!(f, "branched-at {entry}")?;
        }
        writeln!(f, "setup{}", chance_text(&self.setup))?;
        writeln!(f)?;
        for entry in &self.entries {
            writeln!(f, "{entry}")?;
        }
        Ok(())
    }
}

impl fmt::Display for RecordEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.deed {
            Deed::Act { seat, by, action, chance } => {
                let by = match by {
                    By::Hand => "",
                    By::Order => " (order)",
                    By::Forced => " (forced)",
                };
                write!(f, "{} {seat}{by}: {action}{}", self.number, chance_text(chance))
            }
            Deed::Arrive { seat, chance } => {
                write!(f, "{} {seat} arrives{}", self.number, chance_text(chance))
            }
            Deed::TakeBack { seat, to } => write!(f, "{} take-back to {to} for {seat}", self.number),
        }
    }
}

fn chance_text(chance: &[Chance]) -> String {
    let mut text = String::new();
    if !chance.is_empty() {
        text.push_str(" ~");
        for result in chance {
            let _ = write!(text, " {result}");
        }
    }
    text
}

struct Reader<'a> {
    file: &'a str,
    line: usize,
}

impl Reader<'_> {
    fn wrong(&self, what: impl Into<String>) -> DataError {
        DataError::new(self.file, self.line, what)
    }

    fn record(&mut self, text: &str) -> Result<Record, DataError> {
        if text.len() > LONGEST_RECORD {
            return Err(
                self.wrong(format!("the record has {} bytes, expected at most {LONGEST_RECORD}", text.len()))
            );
        }
        let mut lines = text.lines();
        let first = lines.next().unwrap_or("");
        if first.trim_end() != FIRST_LINE {
            return Err(self.wrong(format!("expected the line `{FIRST_LINE}`, found `{}`", cut(first))));
        }
        let mut headers: BTreeMap<&str, &str> = BTreeMap::new();
        let mut options = BTreeMap::new();
        let mut nonces = Nonces::default();
        let mut setup = None;
        let mut entries: Vec<RecordEntry> = Vec::new();
        for (i, line) in lines.enumerate() {
            self.line = i + 2;
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if setup.is_some() {
                let expected = entries.len() as u32 + 1;
                entries.push(self.entry(line, expected)?);
                continue;
            }
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            let value = value.trim();
            match key {
                "setup" => {
                    let chance = match value.strip_prefix('~') {
                        Some(chance) => self.chance(chance)?,
                        None if value.is_empty() => Vec::new(),
                        None => {
                            return Err(
                                self.wrong(format!("expected `~` after `setup`, found `{}`", cut(value)))
                            );
                        }
                    };
                    setup = Some(chance);
                }
                "option" => {
                    let (id, value) = value.split_once(' ').ok_or_else(|| {
                        self.wrong(format!("expected `option ID VALUE`, found `{}`", cut(line)))
                    })?;
                    if options.insert(id.to_string(), value.trim().to_string()).is_some() {
                        return Err(self.wrong(format!("option `{}` is given twice", cut(id))));
                    }
                }
                "nonce" => {
                    let nonce = value.split_once(' ').and_then(|(seat, nonce)| {
                        let seat = Seat::try_from(seat.parse::<u8>().ok()?).ok()?;
                        Some((seat, u64::from_str_radix(nonce.trim(), 16).ok()?))
                    });
                    let (seat, nonce) = nonce.ok_or_else(|| {
                        self.wrong(format!("expected `nonce SEAT HEXADECIMAL`, found `{}`", cut(line)))
                    })?;
                    nonces.set(seat, nonce);
                }
                "game" | "rules" | "data" | "scenario" | "seats" | "commitment" | "seed" | "branched-at" => {
                    if headers.insert(key, value).is_some() {
                        return Err(self.wrong(format!("`{key}` is given twice")));
                    }
                }
                _ => {
                    return Err(self.wrong(format!(
                        "expected one of game, rules, data, scenario, seats, option, commitment, nonce, seed, \
                         branched-at, setup; found `{}`",
                        cut(key)
                    )));
                }
            }
        }
        let setup = setup.ok_or_else(|| self.wrong("the record ends before its `setup` line"))?;
        self.line = 1;
        let header = |key: &str| {
            headers.get(key).copied().ok_or_else(|| self.wrong(format!("the line `{key} …` is missing")))
        };
        let number = |key: &str, most: u32| -> Result<u32, DataError> {
            let text = header(key)?;
            text.parse().ok().filter(|n| *n <= most).ok_or_else(|| {
                self.wrong(format!("`{key}`: expected a number up to {most}, found `{}`", cut(text)))
            })
        };
        let hex = |e: crate::dice::NotHex, key: &str| self.wrong(format!("`{key}`: {e}"));
        let seats = match header("seats")?.parse().unwrap_or(Seats::Count(0)) {
            Seats::Count(count) if !(1..=MOST_SEATS).contains(&usize::from(count)) => {
                let found = cut(header("seats")?);
                return Err(
                    self.wrong(format!("`seats`: expected a number from 1 to 8 or names, found `{found}`"))
                );
            }
            seats => seats,
        };
        Ok(Record {
            file: self.file.to_string(),
            game: header("game")?.to_string(),
            rules: header("rules")?.to_string(),
            data: header("data")?.to_string(),
            scenario: header("scenario")?.to_string(),
            seats,
            options,
            commitment: Commitment::from_hex(header("commitment")?).map_err(|e| hex(e, "commitment"))?,
            nonces,
            seed: match headers.get("seed") {
                Some(text) => Some(Seed::from_hex(text).map_err(|e| hex(e, "seed"))?),
                None => None,
            },
            branched_at: match headers.get("branched-at") {
                Some(_) => Some(number("branched-at", u32::MAX)?),
                None => None,
            },
            setup,
            entries,
        })
    }

    fn entry(&self, line: &str, expected: u32) -> Result<RecordEntry, DataError> {
        let (number, rest) = line.split_once(' ').unwrap_or((line, ""));
        if number.parse() != Ok(expected) {
            return Err(self.wrong(format!("expected entry number {expected}, found `{}`", cut(number))));
        }
        let deed = if let Some(rest) = rest.strip_prefix("take-back to ") {
            let parts = rest.split_once(" for ").and_then(|(to, seat)| Some((to.parse::<u32>().ok()?, seat)));
            let (to, seat) = parts.ok_or_else(|| {
                self.wrong(format!("expected `take-back to NUMBER for SEAT`, found `{}`", cut(rest)))
            })?;
            if to >= expected {
                return Err(
                    self.wrong(format!("a take-back leads back: expected less than {expected}, found {to}"))
                );
            }
            Deed::TakeBack { seat: seat.trim().to_string(), to }
        } else if let Some(seat) = arriving(rest) {
            let chance = rest.split_once('~').map_or(Ok(Vec::new()), |(_, chance)| self.chance(chance))?;
            Deed::Arrive { seat: seat.to_string(), chance }
        } else {
            let (seat, rest) = rest
                .split_once(": ")
                .ok_or_else(|| self.wrong(format!("expected `SEAT: ACTION`, found `{}`", cut(rest))))?;
            let (seat, by) = if let Some(seat) = seat.strip_suffix(" (order)") {
                (seat, By::Order)
            } else if let Some(seat) = seat.strip_suffix(" (forced)") {
                (seat, By::Forced)
            } else {
                (seat, By::Hand)
            };
            let (action, chance) = match rest.split_once('~') {
                Some((action, chance)) => (action, self.chance(chance)?),
                None => (rest, Vec::new()),
            };
            let action = action.trim();
            if action.is_empty() {
                return Err(self.wrong("expected an action behind the colon, found nothing"));
            }
            Deed::Act { seat: seat.trim().to_string(), by, action: action.to_string(), chance }
        };
        Ok(RecordEntry { number: expected, line: self.line, deed })
    }

    fn chance(&self, text: &str) -> Result<Vec<Chance>, DataError> {
        let mut results = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix('(') {
                let (draw, after) = inner.split_once(')').ok_or_else(|| {
                    self.wrong(format!("expected `)` to end a draw, found `{}`", cut(rest)))
                })?;
                let (index, name) = draw.split_once(' ').unwrap_or((draw, ""));
                let index = index
                    .parse()
                    .map_err(|_| self.wrong(format!("expected `(INDEX NAME)`, found `({})`", cut(draw))))?;
                results.push(Chance::Draw { to: None, index, name: name.to_string() });
                rest = after.trim_start();
            } else {
                let (die, after) = rest.split_once(' ').unwrap_or((rest, ""));
                let result = die.parse().map_err(|_| {
                    self.wrong(format!("expected a die's result or a draw, found `{}`", cut(die)))
                })?;
                results.push(Chance::Roll { sides: None, result });
                rest = after.trim_start();
            }
        }
        Ok(results)
    }
}

/// Who arrives, where an entry says so.
fn arriving(entry: &str) -> Option<&str> {
    let deed = entry.split('~').next().unwrap_or("").trim();
    deed.strip_suffix(" arrives").filter(|seat| !seat.contains(": "))
}

/// A text from outside, short enough for an error.
fn cut(text: &str) -> String {
    if text.chars().count() <= 60 { text.to_string() } else { text.chars().take(59).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> String {
        format!(
            "{FIRST_LINE}\ngame ttt\nrules 1\ndata abc\nscenario standard\nseats 2\noption x yes\n\
             commitment {}\nnonce 1 00000000000000ff\nsetup ~ (3 Turks)\n\n1 Cross: b2\n\
             2 Nought (order): a1 ~ 3 6 (2 King Guy)\n3 take-back to 1 for Nought\n4 Nought (forced): c3\n",
            Seed::numbered(1).commitment().to_hex()
        )
    }

    #[test]
    fn a_record_survives_the_round_trip() {
        let record = Record::read("game.txt", &sample()).unwrap();
        assert_eq!(record.to_string(), sample());
        assert_eq!(record.entries.len(), 4);
    }

    #[test]
    fn errors_say_file_line_found_and_expected() {
        let complaint = |from: &str, to: &str| {
            let text = sample().replacen(from, to, 1);
            assert_ne!(text, sample(), "`{from}` is in the sample");
            Record::read("game.txt", &text).unwrap_err().to_string()
        };
        assert_eq!(
            complaint("record 1", "record 2"),
            "game.txt:1: expected the line `outremer record 1`, found `outremer record 2`"
        );
        assert_eq!(complaint("rules 1\n", ""), "game.txt:1: the line `rules …` is missing");
        assert_eq!(
            complaint("seats 2", "seats 9"),
            "game.txt:1: `seats`: expected a number from 1 to 8 or names, found `9`"
        );
        let headers = "expected one of game, rules, data, scenario, seats, option, commitment, nonce, seed, \
                       branched-at, setup; found";
        assert_eq!(complaint("scenario", "scenery"), format!("game.txt:5: {headers} `scenery`"));
        assert_eq!(complaint("setup", "# setup"), format!("game.txt:12: {headers} `1`"));
        assert_eq!(
            complaint("2 Nought (order)", "7 Nought (order)"),
            "game.txt:13: expected entry number 2, found `7`"
        );
        assert_eq!(
            complaint("to 1 for", "to 5 for"),
            "game.txt:14: a take-back leads back: expected less than 3, found 5"
        );
        assert_eq!(
            complaint("(2 King Guy)", "(King Guy)"),
            "game.txt:13: expected `(INDEX NAME)`, found `(King Guy)`"
        );
        assert_eq!(complaint("3 6", "3 six"), "game.txt:13: expected a die's result or a draw, found `six`");
        assert_eq!(
            complaint("Cross: b2", "Cross b2"),
            "game.txt:12: expected `SEAT: ACTION`, found `Cross b2`"
        );
        assert_eq!(
            complaint("option x yes", "option x"),
            "game.txt:7: expected `option ID VALUE`, found `option x`"
        );
        assert_eq!(
            complaint("nonce 1", "nonce 12"),
            "game.txt:9: expected `nonce SEAT HEXADECIMAL`, found `nonce 12 00000000000000ff`"
        );
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(outremer record 1\n)?(.|\n){0,300}") {
            if let Ok(record) = Record::read("x", &text) {
                let again = Record::read("x", &record.to_string()).unwrap();
                proptest::prop_assert_eq!(again.to_string(), record.to_string());
            }
        }
    }
}

//! The title page of a game: what it is called, who sits where, what can be chosen at set-up.

use std::collections::{BTreeMap, BTreeSet};

use crate::ledger::Ledger;
use crate::seat::{MOST_SEATS, Seat, SeatSet};
use crate::sheet::DataError;

/// What is known of a game before it begins.
#[derive(Clone, Debug)]
pub struct Title {
    /// A short word for command lines and addresses: `crusader-rex`.
    pub id: &'static str,
    /// Its name.
    pub name: String,
    /// A sentence or two that make one want to play.
    pub pitch: String,
    /// The seats, in their order.
    pub seats: Vec<SeatTitle>,
    /// Scenarios; the first is the default.
    pub scenarios: Vec<Scenario>,
    /// What else can be chosen at set-up.
    pub options: Vec<SetupOption>,
    /// The version of the rules as programmed: it changes whenever an old record may play differently.
    pub version: &'static str,
    /// The hash of the components, as hexadecimal digits.
    pub data_hash: String,
    /// No game takes more actions than this.
    pub longest: u32,
    /// The rules.
    pub ledger: Ledger,
    /// Every numbered rule of the rulebook, for the ledger's completeness check.
    pub rule_numbers: Vec<String>,
    /// The vignettes: file name and text.
    pub vignettes: Vec<(String, String)>,
}

/// A seat of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatTitle {
    /// Its name, as notation and records write it.
    pub name: String,
    /// The alliance it belongs to; seats of one alliance share what the rules let them share.
    pub alliance: u8,
}

/// A scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// A short word.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is, in a sentence.
    pub gist: String,
    /// About how long it takes, in minutes.
    pub minutes: u16,
    /// The parties that can play it, each a set of seats; the first is the usual one. A seat that nobody plays
    /// keeps its number.
    pub parties: Vec<SeatSet>,
}

/// Something to choose at set-up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupOption {
    /// A short word.
    pub id: String,
    /// What it changes.
    pub gist: String,
    /// The possible values; the first is the default.
    pub values: Vec<String>,
}

impl SetupOption {
    /// An option that is `no` unless it is asked for.
    pub fn switch(id: &str, gist: &str) -> Self {
        Self { id: id.into(), gist: gist.into(), values: vec!["no".into(), "yes".into()] }
    }
}

/// Which seats somebody wishes to be played.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum Seats {
    /// So many: the scenario's first party of that size.
    Count(u8),
    /// These, by their names.
    Named(Vec<String>),
}

impl std::str::FromStr for Seats {
    type Err = std::convert::Infallible;
    /// `3`, or `Angevin, Ayyubid, Turkoman`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.trim().parse() {
            Ok(count) => Self::Count(count),
            Err(_) => Self::Named(text.split(',').map(|name| name.trim().to_string()).collect()),
        })
    }
}

impl std::fmt::Display for Seats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Named(names) => f.write_str(&names.join(", ")),
        }
    }
}

/// What somebody wishes for a table: anything left out takes its default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wishes {
    /// The scenario.
    pub scenario: Option<String>,
    /// Which seats are played.
    pub seats: Option<Seats>,
    /// Options by their id.
    pub options: BTreeMap<String, String>,
}

/// A complete set-up that fits the title.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    scenario: String,
    party: SeatSet,
    options: BTreeMap<String, String>,
}

/// Wishes that do not fit the title.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// No such scenario.
    #[error("{game} has no scenario `{found}`; it has: {known}")]
    Scenario {
        /// The game.
        game: String,
        /// What was asked.
        found: String,
        /// What there is.
        known: String,
    },
    /// No party has these seats, or so many.
    #[error("{game} cannot be played with `{found}` as its seats; it can with: {known}")]
    Seats {
        /// The game.
        game: String,
        /// What was asked.
        found: String,
        /// What there is.
        known: String,
    },
    /// No such option.
    #[error("{game} has no option `{found}`; it has: {known}")]
    Option {
        /// The game.
        game: String,
        /// What was asked.
        found: String,
        /// What there is.
        known: String,
    },
    /// No such value of an option.
    #[error("option `{option}` cannot be `{found}`; it can be: {known}")]
    Value {
        /// The option.
        option: String,
        /// What was asked.
        found: String,
        /// What there is.
        known: String,
    },
    /// Choices that do not go together.
    #[error("{0}")]
    Together(String),
}

impl Title {
    /// Fills up wishes with defaults, or says what does not fit.
    pub fn set_up(&self, wishes: &Wishes) -> Result<Setup, SetupError> {
        let known = |words: Vec<&str>| if words.is_empty() { "none".to_string() } else { words.join(", ") };
        let scenario = match &wishes.scenario {
            None => self.scenarios.first().map_or(String::new(), |s| s.id.clone()),
            Some(id) if self.scenarios.iter().any(|s| s.id == *id) => id.clone(),
            Some(id) => {
                return Err(SetupError::Scenario {
                    game: self.id.into(),
                    found: id.clone(),
                    known: known(self.scenarios.iter().map(|s| s.id.as_str()).collect()),
                });
            }
        };
        let party = self.party(&scenario, wishes.seats.as_ref())?;
        let mut options: BTreeMap<_, _> = self
            .options
            .iter()
            .map(|o| (o.id.clone(), o.values.first().cloned().unwrap_or_default()))
            .collect();
        for (id, value) in &wishes.options {
            let Some(option) = self.options.iter().find(|o| o.id == *id) else {
                return Err(SetupError::Option {
                    game: self.id.into(),
                    found: id.clone(),
                    known: known(self.options.iter().map(|o| o.id.as_str()).collect()),
                });
            };
            if !option.values.contains(value) {
                return Err(SetupError::Value {
                    option: id.clone(),
                    found: value.clone(),
                    known: known(option.values.iter().map(String::as_str).collect()),
                });
            }
            options.insert(id.clone(), value.clone());
        }
        Ok(Setup { scenario, party, options })
    }

    /// The parties that can play a scenario: all seats, if there is no such scenario.
    pub fn parties(&self, scenario: &str) -> Vec<SeatSet> {
        match self.scenarios.iter().find(|s| s.id == scenario) {
            Some(scenario) if !scenario.parties.is_empty() => scenario.parties.clone(),
            _ => vec![SeatSet::first(self.seats.len().min(MOST_SEATS))],
        }
    }

    /// The party of a scenario that is wished for.
    fn party(&self, scenario: &str, wish: Option<&Seats>) -> Result<SeatSet, SetupError> {
        let parties = self.parties(scenario);
        let wished = match wish {
            None => parties.first().copied(),
            Some(Seats::Count(count)) => parties.iter().copied().find(|p| p.len() == usize::from(*count)),
            Some(Seats::Named(names)) => {
                let named: Option<SeatSet> = names.iter().map(|name| self.seat_named(name)).collect();
                named.filter(|party| parties.contains(party) && party.len() == names.len())
            }
        };
        let in_a_row = |party: &SeatSet| *party == SeatSet::first(party.len());
        let known = || -> Vec<String> {
            if parties.iter().all(in_a_row) {
                parties.iter().map(|party| party.len().to_string()).collect()
            } else {
                parties.iter().map(|party| format!("`{}`", self.party_names(*party))).collect()
            }
        };
        wished.ok_or_else(|| SetupError::Seats {
            game: self.id.into(),
            found: wish.map(ToString::to_string).unwrap_or_default(),
            known: known().join(", "),
        })
    }

    /// The seats of a party by name: `Angevin, Turkoman`.
    pub fn party_names(&self, party: SeatSet) -> String {
        party.iter().map(|seat| self.seat_name(seat)).collect::<Vec<_>>().join(", ")
    }

    /// A party as a wish: by its number where the seats stand in a row and no other party has as many, else by
    /// their names.
    pub fn wish_for(&self, scenario: &str, party: SeatSet) -> Seats {
        let first = self.parties(scenario).into_iter().find(|p| p.len() == party.len());
        if first == Some(party) && party == SeatSet::first(party.len()) {
            Seats::Count(party.len() as u8)
        } else {
            Seats::Named(party.iter().map(|seat| self.seat_name(seat).to_string()).collect())
        }
    }

    /// The fewest seats that any scenario can be played with.
    pub fn fewest(&self) -> usize {
        let sizes = self.scenarios.iter().flat_map(|s| s.parties.iter().map(|p| p.len()));
        sizes.min().unwrap_or(self.seats.len())
    }

    /// The set-up that nobody wished otherwise.
    pub fn usual_set_up(&self) -> Setup {
        self.set_up(&Wishes::default()).unwrap_or_else(|_| Setup {
            scenario: String::new(),
            party: SeatSet::first(self.seats.len().min(MOST_SEATS)),
            options: BTreeMap::new(),
        })
    }

    /// The scenarios, the shortest first.
    fn by_length(&self) -> Vec<&Scenario> {
        let mut all: Vec<_> = self.scenarios.iter().collect();
        all.sort_by_key(|s| s.minutes);
        all
    }

    /// The scenario for somebody who has never played: the shortest, where there is more than one. Games
    /// give it a sentence of advice with each prompt.
    pub fn guided(&self) -> Option<&Scenario> {
        self.by_length().first().copied().filter(|_| self.scenarios.len() > 1)
    }

    /// The scenario to play after the guided one: the next in length.
    pub fn introductory(&self) -> Option<&Scenario> {
        self.by_length().get(1).copied()
    }

    /// The names of the seats.
    pub fn seat_names(&self) -> Vec<String> {
        self.seats.iter().map(|s| s.name.clone()).collect()
    }

    /// The name of a seat.
    pub fn seat_name(&self, seat: Seat) -> &str {
        self.seats.get(seat.index()).map_or("nobody", |s| s.name.as_str())
    }

    /// The seat with this name, in whatever case it is written.
    pub fn seat_named(&self, name: &str) -> Option<Seat> {
        let at = self.seats.iter().position(|s| s.name.eq_ignore_ascii_case(name.trim()))?;
        Seat::try_from(at as u8).ok()
    }

    /// The seats of one seat's alliance, itself included.
    pub fn allies(&self, seat: Seat) -> SeatSet {
        let Some(own) = self.seats.get(seat.index()) else { return seat.into() };
        (0..self.seats.len())
            .filter(|i| self.seats[*i].alliance == own.alliance)
            .map(|i| Seat::new(i as u8))
            .collect()
    }
}

impl Setup {
    /// The scenario's id.
    pub fn scenario(&self) -> &str {
        &self.scenario
    }

    /// The seats that are played.
    pub fn party(&self) -> SeatSet {
        self.party
    }

    /// How many seats are played.
    pub fn seats(&self) -> usize {
        self.party.len()
    }

    /// The value of an option.
    pub fn option(&self, id: &str) -> &str {
        self.options.get(id).map_or("", String::as_str)
    }

    /// Whether a switch is on.
    pub fn is_on(&self, id: &str) -> bool {
        self.option(id) == "yes"
    }

    /// All options with their values.
    pub fn options(&self) -> &BTreeMap<String, String> {
        &self.options
    }
}

/// The files of an embedded folder, name and text, in the order of their names.
pub fn embedded(folder: &include_dir::Dir<'_>) -> Vec<(String, String)> {
    let text = |file: &include_dir::File<'_>| {
        let name = file.path().file_name()?.to_str()?;
        Some((name.to_string(), file.contents_utf8()?.to_string()))
    };
    let mut files: Vec<_> = folder.files().filter_map(text).collect();
    files.sort();
    files
}

/// The texts that a game is opened with: its own, some of them perhaps replaced by an owner's.
#[derive(Clone, Debug, Default)]
pub struct DataFiles {
    files: BTreeMap<String, String>,
}

impl DataFiles {
    /// The game's own texts.
    pub fn built_in(files: &[(&str, &str)]) -> Self {
        Self { files: files.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect() }
    }

    /// Puts another text in the place of one of them.
    pub fn replace(&mut self, name: &str, text: String) -> Result<(), DataError> {
        match self.files.get_mut(name) {
            Some(own) => {
                *own = text;
                Ok(())
            }
            None => {
                let known: BTreeSet<_> = self.files.keys().map(String::as_str).collect();
                let known = if known.is_empty() {
                    "this game has no data files".to_string()
                } else {
                    format!("this game has: {}", known.into_iter().collect::<Vec<_>>().join(", "))
                };
                Err(DataError::new(name, 1, format!("no data file of this game has that name; {known}")))
            }
        }
    }

    /// The text of one file; empty if the game has none of that name.
    pub fn text(&self, name: &str) -> &str {
        self.files.get(name).map_or("", String::as_str)
    }

    /// The hash of all of them that rules depend on, as hexadecimal digits: of all but the weights of the
    /// appraisal and the figures of habits, so that a record outlives better bots.
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let steers = |name: &str| [crate::weights::FILE, crate::habits::FILE].contains(&name);
        for (name, text) in self.files.iter().filter(|(name, _)| !steers(name)) {
            for part in [name, text] {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part.as_bytes());
            }
        }
        hasher.finalize().to_hex()[..16].to_string()
    }
}

//! Four Keeps: a toy that asks of the table whatever the large games ask, one file for each thing.
//!
//! Two to eight captains in two alliances fight for four keeps on a field of hexes. It is the text of the guide to
//! adding a game: `cargo xtask new-game ID` copies this crate under another name.
//!
//! | file | what it shows |
//! |---|---|
//! | `data` | components read from TOML and checked once, ids by type |
//! | `position` | plain data: what is open to all, and what is hidden |
//! | `action` | decisions and their notation |
//! | `flow` | `Rules`: the sequence of play, one file for each chapter |
//! | `flow/bids` | secret bids: an amount, chosen by all at once |
//! | `flow/march` | small steps on hexes |
//! | `flow/battle` | battles side by side, each with a secret choice and a window of its own |
//! | `flow/ending` | alliances win, one captain is first |
//! | `view` | `Secrets`: what a seat may know, and its twins |
//! | `orders` | `Ordered`: orders that are offered and drawn |
//! | `scene` | `Shown`: the picture, reach and route |
//! | `appraise` | `Minded`: what bots steer by, and habits |
//! | `stage` | `Staged`: positions of vignettes, and what they ask |

use include_dir::{Dir, include_dir};
use table::{
    AnyGame, DataError, DataFiles, GameEntry, Ledger, MOST_SEATS, Scenario, SeatSet, SeatTitle, SetupOption,
    Title,
};

use data::Components;

pub mod action;
mod appraise;
pub mod data;
mod flow;
mod orders;
pub mod position;
mod scene;
mod stage;
pub mod view;

/// The game's own data files.
pub const FILES: &[(&str, &str)] = &[("map.toml", include_str!("../data/map.toml"))];

/// The vignettes.
static VIGNETTES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/vignettes");

/// How the command line and the server open it.
pub static ENTRY: GameEntry = GameEntry {
    id: "four-keeps",
    files: FILES,
    open: |files: &DataFiles| Ok(<dyn AnyGame>::new(FourKeeps::open(files)?)),
};

/// The captains, of the first and the second alliance in turn.
const CAPTAINS: [&str; MOST_SEATS] = ["Alard", "Bilal", "Conan", "Daud", "Emeric", "Faris", "Guy", "Hasan"];

/// The rules of Four Keeps, with its components.
#[derive(Clone, Debug)]
pub struct FourKeeps {
    title: Title,
    components: Components,
}

impl FourKeeps {
    /// Opens the game with its own data or an owner's.
    pub fn open(files: &DataFiles) -> Result<Self, DataError> {
        let ledger = Ledger::read("four-keeps/rules.toml", include_str!("../rules.toml"))?;
        let captain = |(i, name): (usize, &&str)| SeatTitle { name: (*name).into(), alliance: i as u8 % 2 };
        // Two to eight captains in a row, or the second pair alone.
        let mut parties: Vec<_> = (2..=MOST_SEATS).map(SeatSet::first).collect();
        parties.push(SeatSet::first(4).minus(SeatSet::first(2)));
        let scenario = |id: &str, name: &str, gist: &str, minutes| Scenario {
            id: id.into(),
            name: name.into(),
            gist: gist.into(),
            minutes,
            parties: parties.clone(),
        };
        Ok(Self {
            components: Components::read(files)?,
            title: Title {
                id: "four-keeps",
                name: "Four Keeps".into(),
                pitch: "Bid, march, press or guard: four keeps, two alliances, six turns.".into(),
                seats: CAPTAINS.iter().enumerate().map(captain).collect(),
                scenarios: vec![
                    scenario("six-turns", "Six turns", "The whole game.", 15),
                    scenario("two-turns", "Two turns", "A short one.", 5),
                ],
                options: vec![SetupOption::switch("rich", "Ten pieces of gold instead of five")],
                version: "1",
                data_hash: files.hash(),
                longest: 2_000,
                rule_numbers: ledger.entries().iter().map(|entry| entry.number.clone()).collect(),
                ledger,
                vignettes: table::embedded(&VIGNETTES),
            },
        })
    }

    /// The game with its own data.
    #[allow(clippy::expect_used, clippy::missing_panics_doc)]
    pub fn built_in() -> Self {
        Self::open(&DataFiles::built_in(FILES)).expect("the game's own data are tested")
    }
}

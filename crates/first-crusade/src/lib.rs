//! The First Crusade: from Constantinople to Jerusalem against the system, alone or as a team.
//!
//! The player commands Crusaders, Byzantines and Armenians; the Muslims are played by the rules themselves:
//! by events, reinforcements drawn from bins, a reaction level and counteroffensives. Nine turns of a few
//! actions each decide whether the crusade ends in triumph, in a draw or in disgrace.
//!
//! Where to find what: the components and the types that number them in [`data`], the position and its steps in
//! [`position`], the decisions and their notation in [`action`], the rules in `flow` (one file for each group of
//! chapters of the rulebook), what a seat may know in [`view`], the picture of the table in `scene`, where picked
//! pieces can go in `errands`, standing orders in [`orders`], what bots think of it in `appraise` and `counsel`, the
//! positions of vignettes and the facts they ask about in `stage`.
//!
//! What is deliberately absent: chance other than the umpire's, floating point in rules, any knowledge of how
//! a scene is drawn.

use include_dir::{Dir, include_dir};
use table::sheet::DataError;
use table::weights::Weights;
use table::{
    AnyGame, DataFiles, GameEntry, Ledger, Scenario, SeatSet, SeatTitle, SetupOption, Title,
    read_rule_numbers,
};

use data::Components;

pub mod action;
mod appraise;
mod counsel;
pub mod data;
mod errands;
mod flow;
mod habits;
pub mod orders;
pub mod position;
mod scene;
mod setup;
mod stage;
pub mod view;
mod words;

/// The game's own data files.
pub const FILES: &[(&str, &str)] = &[
    ("map.toml", include_str!("../data/map.toml")),
    ("units.toml", include_str!("../data/units.toml")),
    ("tables.toml", include_str!("../data/tables.toml")),
    ("scenarios.toml", include_str!("../data/scenarios.toml")),
    (table::weights::FILE, include_str!("../data/appraise.toml")),
    (table::habits::FILE, include_str!("../data/habits.toml")),
];

/// The vignettes.
static VIGNETTES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/vignettes");

/// How the command line and the server open it.
pub static ENTRY: GameEntry = GameEntry {
    id: "first-crusade",
    files: FILES,
    open: |files: &DataFiles| Ok(<dyn AnyGame>::new(FirstCrusade::open(files)?)),
};

/// No game takes more actions: nine turns of at most nine actions, each with a bounded march, a bounded battle
/// and bounded losses. Random games of the crusade take a few hundred.
const LONGEST: u32 = 30_000;

/// The rules of The First Crusade, with its components.
#[derive(Clone, Debug)]
pub struct FirstCrusade {
    title: Title,
    components: Components,
    weights: Weights,
    habits: habits::Habits,
}

impl FirstCrusade {
    /// Opens the game with its own data or an owner's.
    pub fn open(files: &DataFiles) -> Result<Self, DataError> {
        let components = Components::read(files)?;
        let scenarios = components
            .plots
            .iter()
            .map(|plot| Scenario {
                id: plot.id.clone(),
                name: plot.name.clone(),
                gist: plot.gist.clone(),
                minutes: plot.minutes,
                parties: (1..=action::SEATS.len()).map(SeatSet::first).collect(),
            })
            .collect();
        Ok(Self {
            title: Title {
                id: "first-crusade",
                name: "The First Crusade".into(),
                pitch: "March from Constantinople to Jerusalem. Nobody sits on the other side: the Muslim world \
                        itself answers every city you take."
                    .into(),
                seats: action::SEATS.iter().map(|n| SeatTitle { name: (*n).into(), alliance: 0 }).collect(),
                scenarios,
                options: vec![
                    SetupOption::switch("sieges", "Sieges of several actions, and massacres"),
                    SetupOption::switch("cavalry", "Fresh cavalry marches further; combined arms help in battle"),
                    SetupOption::switch("kingdoms", "Leaders can found Crusader kingdoms; 15 points more for each level"),
                    SetupOption {
                        id: "team".into(),
                        gist: "With two or three players: they win together, or the one who contributed most wins"
                            .into(),
                        values: ["together", "contribution"].map(String::from).to_vec(),
                    },
                    SetupOption {
                        id: table::TAKE_BACKS.into(),
                        gist: "Whether rolls may be taken back; the result says how often it was done".into(),
                        values: ["yes", "no"].map(String::from).to_vec(),
                    },
                ],
                version: "2",
                data_hash: files.hash(),
                longest: LONGEST,
                ledger: Ledger::read("first-crusade/rules.toml", include_str!("../rules.toml"))?,
                rule_numbers: read_rule_numbers(
                    "first-crusade/rule-numbers.tsv",
                    include_str!("../data/rule-numbers.tsv"),
                )?,
                vignettes: table::embedded(&VIGNETTES),
            },
            components,
            weights: Weights::read(files.text(table::weights::FILE), &appraise::SIGNS, &appraise::TABLES)?,
            habits: habits::Habits::read(files.text(table::habits::FILE))?,
        })
    }

    /// The game with its own data.
    #[allow(clippy::expect_used, clippy::missing_panics_doc)]
    pub fn built_in() -> Self {
        Self::open(&DataFiles::built_in(FILES)).expect("the game's own data are tested")
    }

    /// The components that the game was opened with.
    pub fn components(&self) -> &Components {
        &self.components
    }
}

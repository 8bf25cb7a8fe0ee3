//! Crusader Rex: the Third Crusade with hidden blocks, for two.
//!
//! The Franks hold Outremer, the Saracens come to take it, and from 1188 on Europe sends kings. Both play
//! a card in secret each turn, move hidden blocks along roads and over the sea, and fight battles and
//! sieges in which letters act before numbers count.
//!
//! Where to find what: the components in [`data`], the position and its steps in [`position`], the decisions
//! and their notation in [`action`], the rules in `flow` (one file for each chapter of the rulebook), what a
//! seat may know in [`view`], the picture of the table in `scene`, where picked blocks can go in `routes`,
//! standing orders in [`orders`], the positions of vignettes and the facts they ask about in `stage`, counts and
//! lists in words in `words`. For the bots: how
//! good a position looks in `appraise`, what is worth a thought in `counsel`, what is done without one in
//! `habits`.
//!
//! What is deliberately absent: chance other than the umpire's, floating point in rules, any knowledge of
//! how a scene is drawn.

use include_dir::{Dir, include_dir};
use table::sheet::DataError;
use table::{
    AnyGame, DataFiles, GameEntry, Ledger, Scenario, SeatSet, SeatTitle, SetupOption, Title, Weights,
    read_rule_numbers,
};

use data::Components;

pub mod action;
mod appraise;
mod counsel;
pub mod data;
mod flow;
mod habits;
mod ids;
pub mod orders;
pub mod position;
mod routes;
mod scene;
mod stage;
pub mod view;
mod words;

/// The game's own data files.
pub const FILES: &[(&str, &str)] = &[
    ("map.toml", include_str!("../data/map.toml")),
    ("blocks.toml", include_str!("../data/blocks.toml")),
    ("cards.toml", include_str!("../data/cards.toml")),
    ("scenarios.toml", include_str!("../data/scenarios.toml")),
    (table::weights::FILE, include_str!("../data/appraise.toml")),
    (table::habits::FILE, include_str!("../data/habits.toml")),
];

/// The vignettes.
static VIGNETTES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/vignettes");

/// How the command line and the server open it.
pub static ENTRY: GameEntry = GameEntry {
    id: "crusader-rex",
    files: FILES,
    open: |files: &DataFiles| Ok(<dyn AnyGame>::new(CrusaderRex::open(files)?)),
};

/// No game takes more actions: 36 turns of bounded moves, rounds and winter choices. Random games of the
/// campaign take about 650, and none of many thousands took 1,000.
const LONGEST: u32 = 40_000;

/// The rules of Crusader Rex, with its components.
#[derive(Clone, Debug)]
pub struct CrusaderRex {
    title: Title,
    components: Components,
    /// What the bots steer by.
    weights: Weights,
    habits: habits::Habits,
}

impl CrusaderRex {
    /// Opens the game with its own data or an owner's.
    pub fn open(files: &DataFiles) -> Result<Self, DataError> {
        let components = Components::read(files)?;
        let side = |(i, name): (usize, &str)| SeatTitle { name: name.into(), alliance: i as u8 };
        let scenarios = components
            .plots
            .iter()
            .map(|plot| Scenario {
                id: plot.id.clone(),
                name: plot.name.clone(),
                gist: plot.gist.clone(),
                minutes: plot.minutes,
                parties: vec![SeatSet::first(2)],
            })
            .collect();
        Ok(Self {
            title: Title {
                id: "crusader-rex",
                name: "Crusader Rex".into(),
                pitch: "Hidden armies, secret cards and six years to win or lose the Holy Land. \
                        Saladin is at the gates; Richard is on his way."
                    .into(),
                seats: ["Frank", "Saracen"].into_iter().enumerate().map(side).collect(),
                scenarios,
                options: vec![
                    SetupOption::switch("iron-bridge", "The road from Antioch to Harim carries three blocks"),
                    SetupOption::switch(
                        "forced-marches",
                        "Blocks may go one road further at the risk of a step",
                    ),
                    SetupOption {
                        id: "handicap".into(),
                        gist: "Help for the Franks: so many blocks drawn at the start, so many nomads fewer"
                            .into(),
                        values: ["0", "1", "2", "3"].map(String::from).to_vec(),
                    },
                ],
                version: "2",
                data_hash: files.hash(),
                longest: LONGEST,
                ledger: Ledger::read("crusader-rex/rules.toml", include_str!("../rules.toml"))?,
                rule_numbers: read_rule_numbers(
                    "crusader-rex/rule-numbers.tsv",
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

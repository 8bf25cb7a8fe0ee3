//! Kingdom of Heaven: two centuries of war for the Holy Land, by cards, marches, sieges and diplomacy, for two.
//!
//! | file | what lives there |
//! |---|---|
//! | `ids`, `data` | what is printed: map, forces, tables, cards by operations, scenarios |
//! | `position` | plain data: what is open to all, and what is hidden |
//! | `action` | decisions and their notation |
//! | `flow` | `Rules`: the sequence of play, one file for each chapter |
//! | `view` | `Secrets`: what a seat may know, and its twins |
//! | `guidance` | advice in the guided and the introductory scenario |
//! | `orders` | `Ordered`: standing orders, and the way that a march has laid out |
//! | `scene`, `routes` | `Shown`: the picture; reach and route |
//! | `battlefield`, `almanac` | the stage of battles and sieges; the chain of command, cards, interrupts and the year, counted |
//! | `sums` | figures that unfold into their lines, each with its rule |
//! | `appraise`, `counsel`, `habits` | `Minded`: what bots steer by, what is worth a thought, what is done without one |
//! | `stage` | `Staged`: positions of vignettes, and what they ask |

use include_dir::{Dir, include_dir};
use table::{
    AnyGame, DataError, DataFiles, GameEntry, Ledger, Scenario, SeatSet, SeatTitle, SetupOption, Title,
    Weights, read_rule_numbers,
};

use data::Components;

pub mod action;
mod almanac;
mod appraise;
mod battlefield;
mod counsel;
#[allow(missing_docs)] // what is printed, named as in the data files
pub mod data;
mod flow;
mod guidance;
mod habits;
pub mod ids;
mod orders;
pub mod position;
mod routes;
mod scene;
mod stage;
mod sums;
pub mod view;
mod words;

/// The game's own data files.
pub const FILES: &[(&str, &str)] = &[
    ("map.toml", include_str!("../data/map.toml")),
    ("forces.toml", include_str!("../data/forces.toml")),
    ("tables.toml", include_str!("../data/tables.toml")),
    ("cards.toml", include_str!("../data/cards.toml")),
    ("scenarios.toml", include_str!("../data/scenarios.toml")),
    (table::weights::FILE, include_str!("../data/appraise.toml")),
];

/// The vignettes.
static VIGNETTES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/vignettes");

/// How the command line and the server open it.
pub static ENTRY: GameEntry = GameEntry {
    id: "kingdom-of-heaven",
    files: FILES,
    open: |files: &DataFiles| Ok(<dyn AnyGame>::new(KingdomOfHeaven::open(files)?)),
};

/// The rules of Kingdom of Heaven, with its components.
#[derive(Clone, Debug)]
pub struct KingdomOfHeaven {
    title: Title,
    components: Components,
    weights: Weights,
    /// Which table of weights serves each scenario.
    weighing: Vec<usize>,
}

impl KingdomOfHeaven {
    /// Opens the game with its own data or an owner's.
    pub fn open(files: &DataFiles) -> Result<Self, DataError> {
        let ledger = Ledger::read("kingdom-of-heaven/rules.toml", include_str!("../rules.toml"))?;
        let components = Components::read(files)?;
        // A scenario of an owner’s own is weighed as the first of ours.
        let weighing = |plot: &data::Plot| appraise::TABLES.iter().position(|id| *id == plot.id).unwrap_or(0);
        let weighing = components.plots.iter().map(weighing).collect();
        let seat = |name: &str, alliance| SeatTitle { name: name.into(), alliance };
        let mut order: Vec<_> = components.plots.iter().collect();
        // The Third Crusade first: it is what most people come for.
        order.sort_by_key(|plot| plot.id != "D");
        let scenarios = order
            .iter()
            .map(|plot| Scenario {
                id: plot.id.clone(),
                name: format!("{}: {}", plot.title, plot.subtitle),
                gist: Self::gist(plot),
                minutes: plot.minutes.min(2000) as u16,
                parties: vec![SeatSet::first(2)],
            })
            .collect();
        Ok(Self {
            title: Title {
                id: "kingdom-of-heaven",
                name: "Kingdom of Heaven".into(),
                pitch: "Nine wars for the Holy Land: cards, marches, sieges and diplomacy, for two.".into(),
                seats: vec![seat("Christian", 0), seat("Muslim", 1)],
                scenarios,
                options: vec![
                    SetupOption::switch(
                        "combined-cards",
                        "Values of several cards may be added for one action",
                    ),
                    SetupOption::switch(
                        "dealt-events",
                        "Each player begins with one of the scenario’s own events",
                    ),
                    SetupOption::switch(
                        "marginal-victory",
                        "Whoever comes closest to his goal wins narrowly",
                    ),
                ],
                version: "4",
                data_hash: files.hash(),
                longest: 20_000,
                rule_numbers: read_rule_numbers(
                    "kingdom-of-heaven/rule-numbers.tsv",
                    include_str!("../data/rule-numbers.tsv"),
                )?,
                ledger,
                vignettes: table::embedded(&VIGNETTES),
            },
            weights: Weights::read(files.text(table::weights::FILE), &appraise::SIGNS, &appraise::TABLES)?,
            weighing,
            components,
        })
    }

    fn gist(plot: &data::Plot) -> String {
        let last = plot.first_year + u16::from(plot.turns) - 1;
        match plot.turns {
            1 => format!("One turn, in {last}."),
            turns => format!("{turns} turns, from {} to {last}.", plot.first_year),
        }
    }

    /// The game with its own data.
    #[allow(clippy::expect_used, clippy::missing_panics_doc)]
    pub fn built_in() -> Self {
        Self::open(&DataFiles::built_in(FILES)).expect("the game's own data are tested")
    }

    /// What is printed.
    pub const fn components(&self) -> &Components {
        &self.components
    }
}

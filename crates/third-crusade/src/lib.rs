//! Third Crusade: two alliances of two armies each, for two to four.
//!
//! Each round armies lay four event cards that their enemies choose from, place orders face down, execute them one by
//! one, fight where they meet, bid for favours and pay for it all. An alliance wins by Glory, and one of it is first.
//!
//! Where to find what: names and kinds of things in [`ids`], the components in [`data`] and their vocabulary of effects
//! in [`data::effects`], the position and its steps in [`position`], decisions and their notation in [`action`], the
//! start of a game in `setup`, the rules in `flow` (a file for each chapter), what a seat may know in [`view`], the
//! picture in `scene`, standing orders in [`orders`], vignettes in `stage`, what bots steer by in `appraise`, what they
//! do without thinking in `habits`, what they think of in `counsel`, and what things promise them in `worth`.
//!
//! What is deliberately absent: chance other than the umpire's, floating point in rules, a piece with a Slot of its own,
//! anything stored that can be counted.

use include_dir::{Dir, include_dir};
use table::sheet::DataError;
use table::{
    AnyGame, DataFiles, GameEntry, Ledger, Scenario, SeatSet, SeatTitle, Title, Weights, read_rule_numbers,
};

use data::Components;
use ids::Army;
use table::Id as _;

pub mod action;
mod appraise;
mod counsel;
pub mod data;
mod flow;
mod habits;
pub mod ids;
pub mod orders;
pub mod position;
mod scene;
mod setup;
mod stage;
pub mod view;
mod words;
mod worth;

/// The game's own data files.
pub const FILES: &[(&str, &str)] = &[
    ("map.toml", include_str!("../data/map.toml")),
    ("armies.toml", include_str!("../data/armies.toml")),
    ("orders.toml", include_str!("../data/orders.toml")),
    ("events.toml", include_str!("../data/events.toml")),
    ("boards.toml", include_str!("../data/boards.toml")),
    ("castings.toml", include_str!("../data/castings.toml")),
    (table::weights::FILE, include_str!("../data/appraise.toml")),
];

/// The vignettes.
static VIGNETTES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/vignettes");

/// How the command line and the server open it.
pub static ENTRY: GameEntry = GameEntry {
    id: "third-crusade",
    files: FILES,
    open: |files: &DataFiles| Ok(<dyn AnyGame>::new(ThirdCrusade::open(files)?)),
};

/// No game takes more actions: four rounds of bounded orders, marches and battles. Random games with four seats take
/// about 900.
const LONGEST: u32 = 20_000;

/// The rules of Third Crusade, with its components.
#[derive(Clone, Debug)]
pub struct ThirdCrusade {
    title: Title,
    components: Components,
    /// What the bots steer by.
    weights: Weights,
}

impl ThirdCrusade {
    /// Opens the game with its own data or an owner's.
    pub fn open(files: &DataFiles) -> Result<Self, DataError> {
        let components = Components::read(files)?;
        let game = Self {
            title: Title {
                id: "third-crusade",
                name: "Third Crusade".into(),
                pitch: "Lay events that your enemies choose from, hide your orders, and be the first of the \
                        alliance that wins Glory in the Holy Land."
                    .into(),
                seats: Army::all()
                    .map(|army| SeatTitle {
                        name: components.army(army).to_string(),
                        alliance: army.side() as u8,
                    })
                    .collect(),
                scenarios: scenarios(&components),
                options: Vec::new(),
                version: "2",
                data_hash: files.hash(),
                longest: LONGEST,
                ledger: Ledger::read("third-crusade/rules.toml", include_str!("../rules.toml"))?,
                rule_numbers: read_rule_numbers(
                    "third-crusade/rule-numbers.tsv",
                    include_str!("../data/rule-numbers.tsv"),
                )?,
                vignettes: table::embedded(&VIGNETTES),
            },
            weights: Weights::read(files.text(table::weights::FILE), &appraise::SIGNS, &appraise::TABLES)?,
            components,
        };
        game.check_set_ups()?;
        Ok(game)
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

/// The scenarios, each with the castings that can play it, the usual one of each size first.
fn scenarios(components: &Components) -> Vec<Scenario> {
    let parties = |plot: &data::Plot| -> Vec<SeatSet> {
        let fits = |casting: &&data::Casting| match plot.casting {
            Some(armies) => casting.armies == armies,
            None => plot.players.contains(&(casting.armies.len() as u8)),
        };
        let mut castings: Vec<_> = components.castings.iter().filter(fits).collect();
        castings.sort_by_key(|casting| (std::cmp::Reverse(casting.armies.len()), !casting.usual));
        castings.iter().map(|casting| ids::seats(casting.armies)).collect()
    };
    let scenario = |plot: &data::Plot| Scenario {
        id: plot.id.clone(),
        name: plot.name.clone(),
        gist: plot.gist.clone(),
        minutes: plot.minutes,
        parties: parties(plot),
    };
    components.plots.iter().map(scenario).collect()
}

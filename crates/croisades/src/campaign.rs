//! The title `croisades`: lords in two sides on the strategic map, with the battles of the skirmish inside.
//!
//! | file | what it holds |
//! |---|---|
//! | `atlas` | the map and the figures of the campaign, read and checked |
//! | `action` | its decisions and their notation |
//! | `flow` | the sequence of a turn, one file for each chapter |
//! | `view` | what a seat may know, and its twins |
//! | `scene` | map, battles, sheets, choices in words |
//! | `orders` | standing orders of battles |
//! | `mind` | what bots steer by, and habits |
//! | `stage` | positions of vignettes, and what they ask |
//!
//! The position is [`crate::realm::Realm`].

use include_dir::{Dir, include_dir};
use table::{
    AnyGame, DataError, DataFiles, GameEntry, Ledger, MOST_SEATS, Scenario, SeatSet, SeatTitle, SetupOption,
    Title, read_rule_numbers,
};

use crate::skirmish::Skirmish;
use crate::tactics::Tactics;
use atlas::Atlas;

pub mod action;
pub mod atlas;
mod flow;
mod mind;
mod orders;
mod scene;
mod stage;
pub mod view;

/// The game's own data files: those of battles, and its own.
pub const FILES: &[(&str, &str)] = &[
    ("types.toml", include_str!("../data/types.toml")),
    ("counters.toml", include_str!("../data/counters.toml")),
    ("terrain.toml", include_str!("../data/terrain.toml")),
    ("maps.toml", include_str!("../data/maps.toml")),
    ("tables.toml", include_str!("../data/tables.toml")),
    ("skirmishes.toml", include_str!("../data/skirmishes.toml")),
    (table::weights::FILE, include_str!("../data/appraise.toml")),
    ("strategic-map.toml", include_str!("../data/strategic-map.toml")),
    ("campaign.toml", include_str!("../data/campaign.toml")),
];

/// The vignettes.
static VIGNETTES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/vignettes/campaign");

/// How the command line and the server open it.
pub static ENTRY: GameEntry = GameEntry {
    id: "croisades",
    files: FILES,
    open: |files: &DataFiles| Ok(<dyn AnyGame>::new(Campaign::open(files)?)),
};

/// The lords, named after their arms: Saracens and Crusaders in turn [3.11].
const LORDS: [&str; MOST_SEATS] = ["Crescent", "Cross", "Star", "Lion", "Falcon", "Lily", "Rosette", "Eagle"];

/// No game takes more actions: twenty turns with battles of some thousand actions each. A battle is bounded by its
/// thirty turns, a phase by what each man and group may do once in it.
const LONGEST: u32 = 4_000_000;

/// The rules of a campaign, with its components.
#[derive(Clone, Debug)]
pub struct Campaign {
    title: Title,
    skirmish: Skirmish,
    atlas: Atlas,
}

impl Campaign {
    /// Opens the game with its own data or an owner's.
    pub fn open(files: &DataFiles) -> Result<Self, DataError> {
        let skirmish = Skirmish::open(files)?;
        let atlas = Atlas::read(files, &skirmish.tactics().data)?;
        let scenario = |s: &atlas::ScenarioSheet| Scenario {
            id: s.id.clone(),
            name: s.name.clone(),
            gist: s.text.clone(),
            minutes: s.minutes,
            parties: s.seats.iter().map(|n| SeatSet::first(usize::from(*n))).collect(),
        };
        let lord = |(i, name): (usize, &&str)| SeatTitle { name: (*name).into(), alliance: i as u8 };
        let most = atlas.scenarios.iter().flat_map(|s| &s.seats).max().map_or(2, |n| usize::from(*n));
        let ledger = Ledger::read("croisades/rules-campaign.toml", &merged_ledger())?;
        Ok(Self {
            title: Title {
                id: "croisades",
                name: "Croisades".into(),
                pitch:
                    "A border castle, a few loyal men and a good name: marry, bargain, besiege and betray, \
                        until the towns of the Levant call you lord."
                        .into(),
                seats: LORDS.iter().take(most).enumerate().map(lord).collect(),
                scenarios: atlas.scenarios.iter().map(scenario).collect(),
                options: vec![SetupOption {
                    id: "battles".into(),
                    gist: "How battles are decided".into(),
                    values: ["asked", "quick", "fought"].map(String::from).to_vec(),
                }],
                version: "1",
                data_hash: files.hash(),
                longest: LONGEST,
                rule_numbers: read_rule_numbers(
                    "croisades/rule-numbers-campaign.tsv",
                    include_str!("../data/rule-numbers-campaign.tsv"),
                )?,
                ledger,
                vignettes: table::embedded(&VIGNETTES),
            },
            skirmish,
            atlas,
        })
    }

    /// The game with its own data.
    #[allow(clippy::expect_used, clippy::missing_panics_doc)]
    pub fn built_in() -> Self {
        Self::open(&DataFiles::built_in(FILES)).expect("the game's own data are tested")
    }

    /// The map and the figures of the campaign.
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// The rules of battles.
    pub(crate) fn tactics(&self) -> &Tactics {
        self.skirmish.tactics()
    }
}

/// The ledger of the campaign, and behind it what the skirmish has shown: rules of battles that a campaign cites
/// too. A number that both have is the campaign's.
fn merged_ledger() -> String {
    let own = include_str!("../rules-campaign.toml");
    let number = |block: &str| block.lines().find_map(|l| l.strip_prefix("number = ")).map(str::to_string);
    let taken: Vec<String> = own.split("[[rule]]").filter_map(number).collect();
    let mut text = own.to_string();
    for block in include_str!("../rules.toml").split("[[rule]]").skip(1) {
        if number(block).is_none_or(|n| taken.contains(&n)) {
            continue;
        }
        let block: String =
            block.lines().filter(|l| !l.starts_with("#")).fold(String::new(), |all, line| all + line + "\n");
        text.push_str("\n[[rule]]");
        text.push_str(block.trim_end());
        if !block.contains("\ntests = ") && !block.contains("\nprose = ") {
            text.push_str("\ntests = [\"every_vignette_holds_and_every_rule_is_shown\"]");
        }
        text.push('\n');
    }
    text
}

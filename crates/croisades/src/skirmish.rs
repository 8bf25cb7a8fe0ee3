//! The title `croisades-skirmish`: a battle or an assault by itself, between two seats.
//!
//! | file | what it holds |
//! |---|---|
//! | `position` | a field, and what is secret before it: musters |
//! | `action` | its decisions and their notation |
//! | `rules` | set-up, muster, quick battles, the house, the outcome |
//! | `view` | what a seat may know |
//! | `scene` | the picture, choices in words, reach and route |
//! | `orders` | standing orders and formations |
//! | `mind` | what bots steer by |
//! | `stage` | positions of vignettes, and what they ask |

use include_dir::{Dir, include_dir};
use table::{
    AnyGame, DataError, DataFiles, GameEntry, Ledger, Scenario, Seat, SeatSet, SeatTitle, SetupOption, Title,
    Weights, read_rule_numbers,
};

use crate::data::Components;
use crate::ids::Side;
use crate::tactics::Tactics;

pub mod action;
mod counsel;
mod mind;
mod orders;
pub mod position;
mod rules;
mod scene;
mod stage;
pub mod view;

pub use orders::StandingOrder;

/// The game's own data files.
pub const FILES: &[(&str, &str)] = &[
    ("types.toml", include_str!("../data/types.toml")),
    ("counters.toml", include_str!("../data/counters.toml")),
    ("terrain.toml", include_str!("../data/terrain.toml")),
    ("maps.toml", include_str!("../data/maps.toml")),
    ("tables.toml", include_str!("../data/tables.toml")),
    ("skirmishes.toml", include_str!("../data/skirmishes.toml")),
    (table::weights::FILE, include_str!("../data/appraise.toml")),
];

/// The vignettes.
static VIGNETTES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/vignettes/skirmish");

/// How the command line and the server open it.
pub static ENTRY: GameEntry = GameEntry {
    id: "croisades-skirmish",
    files: FILES,
    open: |files: &DataFiles| Ok(<dyn AnyGame>::new(Skirmish::open(files)?)),
};

/// No game takes more actions: thirty turns of two sides, of two hundred men at the most who each take a few dozen
/// steps and shots. Random games take some thousands.
const LONGEST: u32 = 400_000;

/// The rules of a skirmish, with its components.
#[derive(Clone, Debug)]
pub struct Skirmish {
    title: Title,
    tactics: Tactics,
    weights: Weights,
}

/// The seat of a side.
pub(crate) const fn seat_of(side: Side) -> Seat {
    Seat::new(side as u8)
}

/// The side of a seat.
pub(crate) const fn side_of(seat: Seat) -> Side {
    if seat.index() == 0 { Side::First } else { Side::Second }
}

impl Skirmish {
    /// Opens the game with its own data or an owner's.
    pub fn open(files: &DataFiles) -> Result<Self, DataError> {
        let data = Components::read(files)?;
        let both = SeatSet::first(2);
        let seat = |n| SeatSet::only(Seat::new(n));
        let parties = vec![both, seat(0), seat(1)];
        let mut scenarios: Vec<Scenario> = data
            .skirmishes
            .iter()
            .map(|s| Scenario {
                id: s.id.clone(),
                name: s.name.clone(),
                gist: s.text.clone(),
                minutes: s.minutes,
                parties: parties.clone(),
            })
            .collect();
        scenarios.push(Scenario {
            id: "muster".into(),
            name: "Muster".into(),
            gist: "Both buy their men in secret, for the same sum, and fight on a map of your choice.".into(),
            minutes: 90,
            parties,
        });
        let maps = data.muster.maps.iter().map(|map| data.maps[*map].id.clone()).collect();
        // The usual sum is the one in the middle.
        let mut sums: Vec<String> = data.muster.sums.iter().map(ToString::to_string).collect();
        let usual = sums.remove(sums.len() / 2);
        sums.insert(0, usual);
        let ledger = Ledger::read("croisades/rules.toml", include_str!("../rules.toml"))?;
        let weights = Weights::read(files.text(table::weights::FILE), &mind::SIGNS, &mind::TABLES)?;
        let side = |(i, name): (usize, &str)| SeatTitle { name: name.into(), alliance: i as u8 };
        Ok(Self {
            title: Title {
                id: "croisades-skirmish",
                name: "Croisades: skirmishes".into(),
                pitch: "Six against six on a dusty plain, or ladders against a castle wall: every man has a name, \
                        a horse and a life to lose, and mercy pays."
                    .into(),
                seats: ["Crusader", "Saracen"].into_iter().enumerate().map(side).collect(),
                scenarios,
                options: vec![
                    SetupOption { id: "sum".into(), gist: "Points of each side, in a muster".into(), values: sums },
                    SetupOption { id: "map".into(), gist: "The map, in a muster".into(), values: maps },
                    SetupOption::switch("quick", "Both are asked first whether the battle shall be played out by itself"),
                    SetupOption {
                        id: "breaches".into(),
                        gist: "Wall hexes felled before an assault".into(),
                        values: ["0", "1", "2"].map(String::from).to_vec(),
                    },
                ],
                version: "4",
                data_hash: files.hash(),
                longest: LONGEST,
                ledger,
                rule_numbers: read_rule_numbers(
                    "croisades/rule-numbers-skirmish.tsv",
                    include_str!("../data/rule-numbers-skirmish.tsv"),
                )?,
                vignettes: table::embedded(&VIGNETTES),
            },
            tactics: Tactics { data },
            weights,
        })
    }

    /// The game with its own data.
    #[allow(clippy::expect_used, clippy::missing_panics_doc)]
    pub fn built_in() -> Self {
        Self::open(&DataFiles::built_in(FILES)).expect("the game's own data are tested")
    }

    /// The rules of its battles.
    pub fn tactics(&self) -> &Tactics {
        &self.tactics
    }
}

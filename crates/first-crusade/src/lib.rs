//! The First Crusade: from Constantinople to Jerusalem against the system, alone or as a team.
//!
//! The player commands Crusaders, Byzantines and Armenians; the Muslims are played by the rules themselves:
//! by events, reinforcements drawn from bins, a reaction level and counteroffensives. Nine turns of a few
//! actions each decide whether the crusade ends in triumph, in a draw or in disgrace.
//!
//! Where to find what: the components in [`data`], the position and its steps in [`position`], the decisions
//! and their notation in [`action`], the rules in `flow` (one file for each group of chapters of the rulebook),
//! what a seat may know in [`view`], the picture of the table in `scene`, the positions of vignettes and the
//! facts they ask about in `stage`.
//!
//! What is deliberately absent: chance other than the umpire's, floating point in rules, any knowledge of how
//! a scene is drawn.

use table::sheet::{DataError, Node};
use table::{
    AnyGame, Ballot, DataFiles, Fact, Game, GameEntry, Ledger, Lots, NoOrder, Notation, Outcome, ReadError,
    Scenario, Scene, Seat, SeatSet, SeatTitle, Setup, SetupError, SetupOption, Title, Umpire, Viewer,
    read_rule_numbers,
};

use action::Action;
use data::Components;
use position::Position;
use view::View;

pub mod action;
mod appraise;
mod counsel;
pub mod data;
mod flow;
pub mod position;
mod scene;
pub mod set;
mod setup;
mod stage;
pub mod view;
mod vignettes;

/// The game's own data files.
pub const FILES: &[(&str, &str)] = &[
    ("map.toml", include_str!("../data/map.toml")),
    ("units.toml", include_str!("../data/units.toml")),
    ("tables.toml", include_str!("../data/tables.toml")),
    ("scenarios.toml", include_str!("../data/scenarios.toml")),
];

/// How the command line and the server open it.
pub const ENTRY: GameEntry = GameEntry {
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
                least_seats: 1,
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
                version: "1",
                data_hash: files.hash(),
                longest: LONGEST,
                ledger: Ledger::read("first-crusade/rules.toml", include_str!("../rules.toml"))?,
                rule_numbers: read_rule_numbers(
                    "first-crusade/rule-numbers.tsv",
                    include_str!("../data/rule-numbers.tsv"),
                )?,
                vignettes: vignettes::ALL.iter().map(|(n, t)| ((*n).into(), (*t).into())).collect(),
            },
            components,
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

impl Game for FirstCrusade {
    type Position = Position;
    type Action = Action;
    type View = View;
    type Order = NoOrder;

    fn title(&self) -> &Title {
        &self.title
    }

    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<Position, SetupError> {
        Ok(self.start(setup, umpire))
    }

    #[inline]
    fn deciding(&self, position: &Position) -> SeatSet {
        self.who_decides(position)
    }

    #[inline]
    fn options(&self, position: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        self.list(position, seat, ballot);
    }

    #[inline]
    fn apply(
        &self,
        position: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        self.act(position, seat, action, umpire);
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.verdict(position)
    }

    fn view(&self, position: &Position, viewer: Viewer) -> View {
        self.look(position, viewer)
    }

    fn seen(&self, _: &Position, _: Seat, action: Action, _: Viewer) -> Option<Notation> {
        // Christians act in the open.
        Some(self.write(action))
    }

    fn scene(&self, view: &View) -> Scene {
        self.picture(view)
    }

    fn choice(&self, view: &View, action: Action) -> table::scene::Choice {
        self.button(view, action)
    }

    fn imagine(&self, view: &View, lots: &mut Lots) -> Position {
        self.dream(view, lots)
    }

    fn appraise(&self, position: &Position, seat: Seat) -> f32 {
        self.judge(position, seat)
    }

    fn considered(&self, position: &Position, _: Seat, action: Action) -> bool {
        self.is_sensible(position, action)
    }

    fn write(&self, action: Action) -> Notation {
        action::write(&self.components, action)
    }

    fn read(&self, text: &str) -> Result<Action, ReadError> {
        action::read(&self.components, text)
    }

    fn sound(&self, position: &Position) -> Result<(), String> {
        self.check_sound(position)
    }

    fn stage(&self, sheet: &Node) -> Result<Position, DataError> {
        self.set_stage(sheet)
    }

    fn fact(&self, before: &Position, after: &Position, key: &str) -> Option<Fact> {
        self.ask_fact(before, after, key)
    }

    fn facts(&self) -> &'static str {
        stage::FACTS
    }
}

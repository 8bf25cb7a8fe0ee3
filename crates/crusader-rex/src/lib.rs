//! Crusader Rex: the Third Crusade with hidden blocks, for two.
//!
//! The Franks hold Outremer, the Saracens come to take it, and from 1188 on Europe sends kings. Both play
//! a card in secret each turn, move hidden blocks along roads and over the sea, and fight battles and
//! sieges in which letters act before numbers count.
//!
//! Where to find what: the components in [`data`], the position and its steps in [`position`], the decisions
//! and their notation in [`action`], the rules in `flow` (one file for each chapter of the rulebook), what a
//! seat may know in [`view`], the picture of the table in `scene`, standing orders in `orders`, the positions
//! of vignettes and the facts they ask about in `stage`. For the bots: how good a position looks in `appraise`,
//! what is worth a thought in `counsel`, what is done without one in `habits`.
//!
//! What is deliberately absent: chance other than the umpire's, floating point in rules, any knowledge of
//! how a scene is drawn.

use table::sheet::{DataError, Node};
use table::{
    AnyGame, Ballot, DataFiles, Fact, Game, GameEntry, Ledger, Lots, Notation, Options, Outcome, ReadError,
    Scenario, Scene, Seat, SeatSet, SeatTitle, Setup, SetupError, SetupOption, Title, Umpire, Viewer,
    Weights, read_rule_numbers, rule,
};

use action::{Action, Order};
use data::{Components, FRANK, NONE, SARACEN};
use position::{Phase, Position, Step, TableRules};
use view::View;

pub mod action;
mod appraise;
mod counsel;
pub mod data;
mod flow;
mod habits;
mod orders;
pub mod position;
mod scene;
mod stage;
pub mod view;
mod vignettes;

/// The game's own data files.
pub const FILES: &[(&str, &str)] = &[
    ("map.toml", include_str!("../data/map.toml")),
    ("blocks.toml", include_str!("../data/blocks.toml")),
    ("cards.toml", include_str!("../data/cards.toml")),
    ("scenarios.toml", include_str!("../data/scenarios.toml")),
    (table::weights::FILE, include_str!("../data/appraise.toml")),
];

/// How the command line and the server open it.
pub const ENTRY: GameEntry = GameEntry {
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
                least_seats: 2,
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
                version: "1",
                data_hash: files.hash(),
                longest: LONGEST,
                ledger: Ledger::read("crusader-rex/rules.toml", include_str!("../rules.toml"))?,
                rule_numbers: read_rule_numbers(
                    "crusader-rex/rule-numbers.tsv",
                    include_str!("../data/rule-numbers.tsv"),
                )?,
                vignettes: vignettes::ALL.iter().map(|(n, t)| ((*n).into(), (*t).into())).collect(),
            },
            components,
            weights: Weights::read(files.text(table::weights::FILE), &appraise::SIGNS, &appraise::TABLES)?,
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

    /// The name of a side in the journal.
    pub(crate) fn title_of(&self, seat: Seat) -> &'static str {
        if seat == FRANK { "Franks" } else { "Saracens" }
    }

    fn start(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Position {
        let plot = self.components.plots.iter().find(|plot| plot.id == setup.scenario());
        let plot = plot.or(self.components.plots.first());
        let stage = plot.and_then(|plot| plot.stage.as_ref());
        let table = TableRules {
            iron_bridge: setup.is_on("iron-bridge"),
            forced_marches: setup.is_on("forced-marches"),
            handicap: setup.option("handicap").parse().unwrap_or(0),
            years: plot.map_or(6, |plot| plot.years),
            needs: plot.map_or(4, |plot| plot.needs),
            shields: plot.map_or(0, |plot| plot.shields),
            goal: stage.map_or(NONE, |stage| stage.goal),
        };
        let mut p = Position::empty(&self.components, table);
        match stage {
            Some(stage) => self.open_in_battle(&mut p, stage, umpire),
            None => {
                self.deploy_at_home(&mut p);
                self.give_all_tokens(&mut p);
                p.agenda.push(Step::Turn(Phase::Nomads));
                p.agenda.push(Step::Deploy { shifts: 0 });
            }
        }
        umpire.cite(rule!("1.1"));
        umpire.cite(rule!("3.0"));
        if table.iron_bridge {
            umpire.cite(rule!("opt.iron-bridge"));
        }
        p
    }
}

impl Game for CrusaderRex {
    type Position = Position;
    type Action = Action;
    type View = View;
    type Order = Order;

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
        let (winner, sudden) = position.result?;
        let mut scores = [0; 8];
        for seat in [FRANK, SARACEN] {
            scores[seat.index()] = self.prizes(position, seat).into();
        }
        let headline = match (winner == FRANK, sudden) {
            (true, false) => "Frank wins",
            (true, true) => "Frank wins by sudden death",
            (false, false) => "Saracen wins",
            (false, true) => "Saracen wins by sudden death",
        };
        Some(Outcome { winners: winner.into(), headline, rule: rule!("1.2"), scores })
    }

    fn view(&self, position: &Position, viewer: Viewer) -> View {
        self.look(position, viewer)
    }

    fn seen(&self, position: &Position, seat: Seat, action: Action, viewer: Viewer) -> Option<Notation> {
        self.witness(position, seat, action, viewer)
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

    fn obey(&self, view: &View, orders: &[Order]) -> Option<Action> {
        self.follow(view, orders)
    }

    fn appraise(&self, position: &Position, seat: Seat) -> f32 {
        self.judge(position, seat)
    }

    fn considered(&self, position: &Position, seat: Seat, action: Action) -> bool {
        self.is_worth_a_thought(position, seat, action)
    }

    fn habit(
        &self,
        position: &Position,
        seat: Seat,
        room: &mut Options<Action>,
        lots: &mut Lots,
    ) -> Option<Action> {
        self.act_by_habit(position, seat, room, lots)
    }

    fn signs(&self) -> &'static [table::weights::Sign] {
        &appraise::SIGNS
    }

    fn measure(&self, position: &Position, seat: Seat) -> Vec<f32> {
        self.signs_for(position, seat)
    }

    fn write(&self, action: Action) -> Notation {
        action::write(&self.components, action)
    }

    fn read(&self, text: &str) -> Result<Action, ReadError> {
        action::read(&self.components, text)
    }

    fn write_order(&self, order: &Order) -> Notation {
        let known = action::ORDERS.iter().find(|(o, _)| o == order);
        Notation::new(known.map_or("fire always", |(_, text)| *text))
    }

    fn read_order(&self, text: &str) -> Result<Order, ReadError> {
        let known = action::ORDERS.iter().find(|(_, t)| *t == text.trim());
        known.map(|(order, _)| *order).ok_or_else(|| {
            let all: Vec<_> = action::ORDERS.iter().map(|(_, t)| format!("`{t}`")).collect();
            ReadError::new(format!("`{text}`"), format!("one of {}", all.join(", ")))
        })
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

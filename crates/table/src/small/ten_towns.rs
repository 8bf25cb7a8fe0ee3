//! Ten Towns: a toy block game that asks everything of the core that the five wargames ask.
//!
//! Two sides with six hidden blocks each fight for three prizes on a map of ten towns. A turn is a secret
//! card each (equal cards bid gold), group moves, and battles with initiative, dice and hits, which an
//! ambush may interrupt. The rooms of this folder are those of every game crate.

use crate::rooms::*;
use crate::sheet::{DataError, Node};
use crate::{
    Ballot, DataFiles, Fact, Ledger, Lots, Notation, OrderOffer, Outcome, ReadError, Readers, Scenario,
    Scene, Seat, SeatSet, SeatTitle, Setup, SetupError, SetupOption, Title, Umpire, Viewer, rule,
};
use action::{Action, Order};
use data::Components;
use include_dir::{Dir, include_dir};
use position::{Position, Step, Token};
use view::View;

pub mod action;
pub mod data;
mod flow;
pub mod position;
mod scene;
mod stage;
pub mod view;

/// The game's own data files.
pub const FILES: &[(&str, &str)] = &[
    ("towns.toml", include_str!("ten_towns/data/towns.toml")),
    ("blocks.toml", include_str!("ten_towns/data/blocks.toml")),
];

static VIGNETTES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/small/ten_towns/vignettes");

/// The numbers of its rules.
const RULE_NUMBERS: [&str; 19] = [
    "1", "2.1", "2.2", "3.1", "3.2", "4.1", "4.2", "4.3", "4.4", "5.1", "5.2", "6.1", "6.2", "6.3", "6.4",
    "6.5", "7.1", "7.2", "8",
];

/// The rules of Ten Towns, with its components.
#[derive(Clone, Debug)]
pub struct TenTowns {
    title: Title,
    components: Components,
}

impl TenTowns {
    /// Opens the game with its own data or an owner's.
    pub fn open(files: &DataFiles) -> Result<Self, DataError> {
        let side = |(i, name): (usize, &str)| SeatTitle { name: name.into(), alliance: i as u8 };
        let scenario = |id: &str, name: &str, gist: &str, minutes| Scenario {
            id: id.into(),
            name: name.into(),
            gist: gist.into(),
            minutes,
            parties: vec![SeatSet::first(2)],
        };
        Ok(Self {
            components: Components::read(files)?,
            title: Title {
                id: "ten-towns",
                name: "Ten Towns".into(),
                pitch: "Twelve hidden blocks, three prizes, six turns: bluff, march, ambush.".into(),
                seats: ["Red", "Blue"].into_iter().enumerate().map(side).collect(),
                scenarios: vec![
                    scenario("standard", "Six turns", "The whole game, from the home towns.", 20),
                    scenario("last-turn", "The last turn", "One turn with everything at stake.", 5),
                ],
                options: vec![
                    SetupOption::switch("open-tokens", "Both sides hold the ambush, and know it"),
                    SetupOption {
                        id: "gold".into(),
                        gist: "Gold of each side at the start".into(),
                        values: ["5", "0", "10"].map(String::from).to_vec(),
                    },
                ],
                version: "1",
                data_hash: files.hash(),
                longest: 3000,
                ledger: Ledger::read("ten-towns/rules.toml", include_str!("ten_towns/rules.toml"))?,
                rule_numbers: RULE_NUMBERS.map(String::from).to_vec(),
                vignettes: crate::embedded(&VIGNETTES),
            },
        })
    }

    /// The game with its own data.
    #[allow(clippy::expect_used, clippy::missing_panics_doc)]
    pub fn built_in() -> Self {
        Self::open(&DataFiles::built_in(FILES)).expect("the game's own data are tested")
    }
}

/// `1 prize`, `2 prizes`.
fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

impl Rules for TenTowns {
    type Position = Position;
    type Action = Action;

    fn title(&self) -> &Title {
        &self.title
    }

    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<Position, SetupError> {
        let mut position = Position::start(&self.components);
        position.gold = [setup.option("gold").parse().unwrap_or(5); 2];
        if setup.scenario() == "last-turn" {
            position.turn = position::TURNS;
            position.hands = [[0, 0, 1]; 2];
        }
        umpire.cite(rule!("1"));
        umpire.cite(rule!("2.1"));
        umpire.heading(format_args!("Turn {}", position.turn));
        for seat in [Seat::new(0), Seat::new(1)] {
            const TOKENS: [(Token, &str); 2] = [(Token::Ambush, "ambush"), (Token::Feint, "feint")];
            let me = Readers::only(seat.into());
            let drawn = if setup.is_on("open-tokens") {
                0
            } else {
                umpire.draw(me, 2, &|i| TOKENS[usize::from(i)].1.to_string())
            };
            let (token, name) = TOKENS[usize::from(drawn)];
            position.tokens[seat.index()] = token;
            umpire.note(me, rule!("5.1"), format_args!("Your token is the {name}"));
        }
        Ok(position)
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
        if !position.agenda.is_empty() {
            return None;
        }
        let sides = [Seat::new(0), Seat::new(1)];
        let prizes = sides.map(|s| self.prizes(position, s) as u32);
        let steps = sides.map(|s| self.steps(position, s));
        let ahead = |of: [u32; 2]| sides.into_iter().find(|s| of[s.index()] > of[s.other().index()]);
        let winner = ahead(prizes).or_else(|| ahead(steps));
        let mut scores = [0; 8];
        for side in sides {
            scores[side.index()] = (prizes[side.index()] * 100 + steps[side.index()]) as i32;
        }
        Some(Outcome {
            winners: winner.map_or(SeatSet::NONE, Into::into),
            first: None,
            headline: winner.map_or("A draw", |s| ["Red wins", "Blue wins"][s.index()]),
            rule: if prizes.contains(&3) { rule!("7.1") } else { rule!("7.2") },
            scores,
        })
    }

    fn reason(&self, position: &Position) -> String {
        let sides = [Seat::new(0), Seat::new(1)];
        let [red, blue] = sides.map(|s| self.prizes(position, s));
        if let Some(winner) = sides.into_iter().find(|s| self.prizes(position, *s) == 3) {
            return format!("{} holds all three prizes", self.title.seat_name(winner));
        }
        if red != blue {
            return format!("After the last turn Red holds {}, Blue {blue}", counted(red, "prize"));
        }
        let [red, blue] = sides.map(|s| self.steps(position, s) as usize);
        if red != blue {
            return format!(
                "Both hold as many prizes, but Red has {} left, Blue {blue}",
                counted(red, "step")
            );
        }
        format!("Both hold as many prizes, and both have {} left", counted(red, "step"))
    }

    fn window(&self, position: &Position, _: Seat) -> bool {
        matches!(position.agenda.now(), Some(Step::Window { .. }))
    }

    fn with_amount(&self, action: Action, amount: u32) -> Action {
        match action {
            Action::Bid(_) => Action::Bid(amount.min(255) as u8),
            other => other,
        }
    }

    fn amount(&self, action: Action) -> Option<u32> {
        match action {
            Action::Bid(gold) => Some(gold.into()),
            _ => None,
        }
    }
}

impl Written for TenTowns {
    fn write(&self, action: Action) -> Notation {
        action::write(&self.components, action)
    }

    fn read(&self, text: &str) -> Result<Action, ReadError> {
        action::read(&self.components, text)
    }
}

impl Secrets for TenTowns {
    type View = View;

    fn view(&self, position: &Position, viewer: Viewer) -> View {
        self.look(position, viewer)
    }

    fn seen(&self, position: &Position, seat: Seat, action: Action, viewer: Viewer) -> Option<Notation> {
        let town = |t: u8| self.components.towns[usize::from(t)].name.as_str();
        let last_choice = position.agenda.now().is_some_and(|step| match step {
            Step::Cards { chosen: choices } | Step::Bids { bids: choices, .. } => {
                choices[seat.other().index()].is_some()
            }
            _ => true,
        });
        match action {
            _ if viewer.shares(seat) => Some(self.write(action)),
            Action::Card(_) | Action::Bid(_) if !last_choice => None,
            Action::Go(b, to) if !position.blocks[usize::from(b)].shown => {
                let from = position.blocks[usize::from(b)].town?;
                Some(Notation::new(format!("a block goes {} > {}", town(from), town(to))))
            }
            _ => Some(self.write(action)),
        }
    }

    fn imagine(&self, view: &View, lots: &mut Lots) -> Position {
        self.dream(view, lots)
    }
}

impl Shown for TenTowns {
    fn scene(&self, view: &View) -> Scene {
        self.picture(view)
    }

    fn choice(&self, _: &View, action: Action) -> crate::scene::Choice {
        self.button(action)
    }
}

impl Ordered for TenTowns {
    type Order = Order;

    fn obey(&self, view: &View, orders: &[Order]) -> Option<Action> {
        let seat = view.viewer.seat()?;
        match view.steps.last()? {
            Step::Window { .. } if orders.contains(&Order::Pass) => Some(Action::Pass),
            Step::Battle { town, round: 1 | 2 } if orders.contains(&Order::Fire) => {
                // The first of the seat's blocks whose turn it is: letters in order, as the battle goes.
                let mine = view.known.iter().filter(|k| {
                    k.town == *town && !k.fired && self.components.blocks[usize::from(k.block)].side == seat
                });
                let first =
                    mine.min_by_key(|k| (self.components.blocks[usize::from(k.block)].letter, k.block))?;
                Some(Action::Fire(first.block))
            }
            _ => None,
        }
    }

    fn orders(&self, _: &View) -> Vec<OrderOffer<Order>> {
        let offer =
            |order, label: &str, hint: &str| OrderOffer { order, label: label.into(), hint: hint.into() };
        vec![
            offer(Order::Fire, "Fire whenever possible", "Your blocks fire in their order in every round"),
            offer(Order::Pass, "Never play the token", "You pass whenever you are asked for an ambush"),
        ]
    }

    fn write_order(&self, order: &Order) -> Notation {
        Notation::new(match order {
            Order::Fire => "fire whenever possible",
            Order::Pass => "never play the token",
        })
    }

    fn read_order(&self, text: &str) -> Result<Order, ReadError> {
        match text {
            "fire whenever possible" => Ok(Order::Fire),
            "never play the token" => Ok(Order::Pass),
            _ => {
                Err(ReadError::new(format!("`{text}`"), "`fire whenever possible` or `never play the token`"))
            }
        }
    }
}

impl Minded for TenTowns {
    fn appraise(&self, position: &Position, seat: Seat) -> f32 {
        if let Some(outcome) = self.outcome(position) {
            return if outcome.winners.is_empty() {
                0.5
            } else {
                f32::from(u8::from(outcome.winners.contains(seat)))
            };
        }
        let prizes = self.prizes(position, seat) as f32 - self.prizes(position, seat.other()) as f32;
        let steps = self.steps(position, seat) as f32 - self.steps(position, seat.other()) as f32;
        (0.5 + prizes * 0.1 + steps * 0.01).clamp(0.05, 0.95)
    }
}

impl Staged for TenTowns {
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
        "the name of a block (`TOWN STRENGTH` or `eliminated`), the name of a town (its holder), deciding, step, turn, \
         red_gold, blue_gold, hidden_from_blue (how many blocks), outcome"
    }
}

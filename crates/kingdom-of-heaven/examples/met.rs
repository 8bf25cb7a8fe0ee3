//! What random games meet of Kingdom of Heaven: operations, siege events, fates, prices of a retreat, kinds of windows,
//! and ways in which a war ends. Part of the long check.
//!
//! `met GAMES` plays so many games over all scenarios and options and prints how often each thing was met, and what
//! never was. An operation is met when an event that begins with its list takes effect, or when somebody is asked within
//! it. It fails where more than one thing in twenty was not met, or one for which `UNMET` has no reason.
#![allow(clippy::unwrap_used, clippy::disallowed_types)]

use std::collections::BTreeMap;
use std::fmt;
use std::process::ExitCode;

use kingdom_of_heaven::KingdomOfHeaven;
use kingdom_of_heaven::action::Action;
use kingdom_of_heaven::data::List;
use kingdom_of_heaven::data::cards::{Op, Trigger};
use kingdom_of_heaven::ids::CHRISTIAN;
use kingdom_of_heaven::position::{BattlePhase, Ending, Position, Step, Toll};
use table::rooms::*;
use table::{Id as _, Lots, Options, Readers, Rule, SetupOption, Umpire, Wishes};

const FATES: [&str; 6] = [
    "all: he is dead",
    "all: he is a prisoner",
    "escapes to a stronghold near by",
    "no refuge: he is a prisoner",
    "no refuge: he is dead",
    "all: he escapes",
];
const PRICES: [&str; 4] =
    ["steps for enemies on the way", "pursuit past a stronghold", "foraging after a retreat", "no way: lost"];
const WINDOWS: [Trigger; 11] = [
    Trigger::Activation,
    Trigger::Move,
    Trigger::SiegeAction,
    Trigger::SiegeEvent,
    Trigger::Event,
    Trigger::Diplomacy,
    Trigger::Naval,
    Trigger::Interception,
    Trigger::BeforeRolls,
    Trigger::AfterRolls,
    Trigger::Pursuit,
];

/// Rolls, and listens to the journal.
struct Ear {
    dice: Lots,
    lines: Vec<String>,
}

impl Umpire for Ear {
    fn roll(&mut self, sides: u8) -> u8 {
        self.dice.below(sides.into()) as u8 + 1
    }
    fn draw(&mut self, _: Readers, n: u16, _: &dyn Fn(u16) -> String) -> u16 {
        self.dice.below(n.into()) as u16
    }
    fn reveal(&mut self, _: Readers) {}
    fn writes(&self) -> bool {
        true
    }
    fn note(&mut self, _: Readers, _: Rule, text: fmt::Arguments<'_>) {
        self.lines.push(text.to_string());
    }
}

/// How often each thing was met, by its kind and name.
struct Met(BTreeMap<(&'static str, String), u32>);

impl Met {
    fn meet(&mut self, kind: &'static str, name: &str) {
        if let Some(count) = self.0.get_mut(&(kind, name.to_string())) {
            *count += 1;
        }
    }
}

fn name(op: &Op) -> String {
    format!("{op:?}").split([' ', '(', '{']).next().unwrap().to_string()
}

/// What random play does not come to, and why.
const UNMET: [(&str, &str, &str); 0] = [];

/// One of so many moves by habit is made at random instead.
const STRAY: u32 = 8;

/// How a war can end.
const ENDINGS: [&str; 6] = [
    "the Christian meets his goal",
    "the Muslim meets his",
    "the Christian comes closer",
    "the Muslim comes closer",
    "no crusade comes",
    "a draw",
];

const fn ended(ending: Ending) -> &'static str {
    ENDINGS[match ending {
        Ending::Won(CHRISTIAN) => 0,
        Ending::Won(_) => 1,
        Ending::Marginal(CHRISTIAN) => 2,
        Ending::Marginal(_) => 3,
        Ending::NoCrusade => 4,
        Ending::Draw => 5,
    }]
}

fn main() -> ExitCode {
    let games: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap();
    let game = KingdomOfHeaven::built_in();
    let mut met = Met(BTreeMap::new());
    for op in game.components().lists.iter().flatten() {
        met.0.insert(("operation", name(op)), 0);
    }
    for siege in &game.components().sieges {
        met.0.insert(("siege event", siege.title.clone()), 0);
    }
    for fate in FATES {
        met.0.insert(("fate", fate.into()), 0);
    }
    for price in PRICES {
        met.0.insert(("price of a retreat", price.into()), 0);
    }
    for window in WINDOWS {
        met.0.insert(("window", format!("{window:?}")), 0);
    }
    for ending in ENDINGS {
        met.0.insert(("ending", ending.into()), 0);
    }
    let mut played = 0;
    for seed in 0..games.div_ceil(game.title().scenarios.len() as u64) {
        for scenario in &game.title().scenarios {
            // Each option in one game of two, in all ways to put them together.
            let on = |(i, option): (usize, &SetupOption)| {
                (seed >> i & 1 == 1).then(|| (option.id.clone(), option.values[1].clone()))
            };
            let options = game.title().options.iter().enumerate().filter_map(on).collect();
            let wishes = Wishes { scenario: Some(scenario.id.clone()), options, ..Wishes::default() };
            let setup = game.title().set_up(&wishes).unwrap();
            played += 1;
            // In every third game all is left to chance; in the others only the cards, and now and then the rest.
            let by_habit = seed % 3 > 0;
            let mut ear = Ear { dice: Lots::new(2 * seed + 1), lines: Vec::new() };
            let mut lots = Lots::new(2 * seed);
            let mut options = Options::new();
            let mut p = game.setup(&setup, &mut ear).unwrap();
            while let Some(seat) = game.deciding(&p).lowest() {
                options.clear();
                let usual = by_habit && lots.below(STRAY) > 0;
                let habit = usual.then(|| game.habit(&p, seat, &mut options, &mut lots)).flatten();
                let action = habit.unwrap_or_else(|| {
                    options.clear();
                    game.options(&p, seat, &mut options);
                    options.offers()[lots.below(options.offers().len() as u32) as usize].action
                });
                asked(&game, &p, action, &mut met);
                ear.lines.clear();
                let battle = p.open.battle.as_ref().map(|b| (b.phase, b.major));
                game.apply(&mut p, seat, action, &mut ear);
                heard(&p, battle, &ear.lines, &mut met);
            }
            met.meet("ending", ended(p.open.ending.unwrap()));
        }
    }
    let total = met.0.len();
    let missing: Vec<_> = met.0.iter().filter(|(_, n)| **n == 0).map(|(what, _)| what).collect();
    let reason = |(kind, name): &(&str, String)| {
        UNMET.iter().find(|(k, n, _)| k == kind && n == name).map(|(.., why)| *why)
    };
    for ((kind, name), count) in &met.0 {
        println!("{kind:20} {name:34} {count:8}");
    }
    println!("{played} games over all scenarios and options: {} of {total} met", total - missing.len());
    for what in &missing {
        println!("never met: {} {}: {}", what.0, what.1, reason(what).unwrap_or("nobody knows why"));
    }
    let explained = missing.iter().all(|what| reason(what).is_some());
    if explained && missing.len() * 20 <= total { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What a list of operations holds at its beginning.
fn list(game: &KingdomOfHeaven, list: List, met: &mut Met) {
    for op in game.components().list(list) {
        met.meet("operation", &name(op));
    }
}

/// What is met by what is asked and what is answered.
fn asked(game: &KingdomOfHeaven, p: &Position, action: Action, met: &mut Met) {
    let c = game.components();
    let step = *p.open.agenda.now().unwrap();
    match step {
        Step::Window { trigger, .. } => met.meet("window", &format!("{trigger:?}")),
        Step::Answer { .. } => met.meet("window", "SiegeEvent"),
        Step::Battle => {
            let trigger = match p.open.battle.as_ref().map(|b| b.phase) {
                Some(BattlePhase::AfterAttacker | BattlePhase::AfterDefender) => Trigger::AfterRolls,
                Some(BattlePhase::PursuitCards) => Trigger::Pursuit,
                _ => Trigger::BeforeRolls,
            };
            met.meet("window", &format!("{trigger:?}"));
        }
        Step::Designate { .. } if matches!(action, Action::Respond(_)) => met.meet("window", "Interception"),
        Step::Effects(e) => {
            let op = &c.list(e.list)[usize::from(e.at)];
            met.meet("operation", &name(op));
            if let (Op::Choose { of, .. }, Action::Choose(n)) = (op, action) {
                list(game, of[usize::from(n)], met);
            }
        }
        Step::Losses { toll: Toll::Any, .. }
            if p.open.battle.as_ref().is_some_and(|b| b.phase == BattlePhase::Fates) =>
        {
            met.meet("price of a retreat", PRICES[0]);
        }
        _ => {}
    }
    let mut siege = |card: kingdom_of_heaven::ids::Card| {
        if let Some(event) = c.card(card).siege {
            met.meet("siege event", &c.sieges[event.number()].title);
            list(game, c.sieges[event.number()].effects, met);
        }
    };
    match action {
        Action::Siege(card, _) => siege(card),
        Action::Respond(card) if p.open.duel.is_some() => siege(card),
        Action::Event(card) | Action::Respond(card) => list(game, c.card(card).effects, met),
        _ => {}
    }
}

/// What is met by what happened.
fn heard(p: &Position, battle: Option<(BattlePhase, bool)>, lines: &[String], met: &mut Met) {
    for line in lines {
        for fate in FATES.iter().filter(|fate| line.contains(**fate)) {
            met.meet("fate", fate);
        }
        // It stands inside what follows from a roll or a choice, where nobody is asked.
        if line == "The army goes no further" {
            met.meet("operation", "HaltForce");
        }
        if line.contains("has no way to retreat") {
            met.meet("price of a retreat", PRICES[3]);
        }
        if line.starts_with("Pursuit with") && matches!(battle, Some((_, false))) {
            met.meet("price of a retreat", PRICES[1]);
        }
    }
    let fled = |f: &kingdom_of_heaven::position::Forager| !f.avoided && f.trail.harsh.any();
    if p.open.foragers.iter().any(fled) {
        met.meet("price of a retreat", PRICES[2]);
    }
}

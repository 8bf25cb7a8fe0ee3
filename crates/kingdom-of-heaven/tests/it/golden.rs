//! Golden games: all that may be done, all that is told and where everything stands, in games by lot of every scenario,
//! comes to what was kept in `tests/golden.txt`. A change of behaviour raises the game's version and writes them anew:
//! `KEEP=1 cargo test -p kingdom-of-heaven --test it golden`.
#![allow(clippy::unwrap_used)]

use std::fmt::{self, Write as _};

use kingdom_of_heaven::KingdomOfHeaven;
use kingdom_of_heaven::action::Action;
use table::rooms::*;
use table::{Explained, Lots, Readers, Rule, Umpire, Wishes};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");
/// So many games of each scenario, each with other options.
const GAMES: u64 = 4;
/// The whole position is looked at once in so many actions.
const SELDOM: usize = 16;

/// A number that stands for all that it was told.
struct Print(u64);

impl Print {
    fn tell(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl fmt::Write for Print {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.tell(text);
        Ok(())
    }
}

/// Rolls, and listens to the journal.
struct Ear {
    dice: Lots,
    heard: Print,
}

impl Umpire for Ear {
    fn roll(&mut self, sides: u8) -> u8 {
        self.dice.below(sides.into()) as u8 + 1
    }
    fn draw(&mut self, _: Readers, n: u16, _: &dyn Fn(u16) -> String) -> u16 {
        self.dice.below(n.into()) as u16
    }
    fn reveal(&mut self, _: Readers) {
        self.heard.tell("revealed");
    }
    fn cite(&mut self, rule: Rule) {
        self.heard.tell(rule.number());
    }
    fn writes(&self) -> bool {
        true
    }
    fn note(&mut self, readers: Readers, rule: Rule, text: fmt::Arguments<'_>) {
        write!(self.heard, "{readers:?} {} {text}", rule.number()).unwrap();
    }
}

/// How gladly somebody does a thing who wants to see sieges and battles.
const fn eagerness(action: Action) -> u32 {
    match action {
        Action::Besiege | Action::Call | Action::Siege(..) | Action::Storm(..) | Action::Attack => 12,
        Action::Respond(_) | Action::Intercept(..) | Action::Fortune(..) | Action::Starve(..) => 8,
        Action::March(_) | Action::To(_) | Action::Event(_) | Action::Sail(_) | Action::Avoid => 4,
        Action::Halt | Action::Done | Action::Decline | Action::Pass | Action::Discard(_) => 1,
        _ => 2,
    }
}

fn played(game: &KingdomOfHeaven, scenario: &str, number: u64) -> String {
    let on = |(i, option): (usize, &table::SetupOption)| {
        (number >> i & 1 == 1).then(|| (option.id.clone(), option.values[1].clone()))
    };
    let options = game.title().options.iter().enumerate().filter_map(on).collect();
    let wishes = Wishes { scenario: Some(scenario.into()), options, ..Wishes::default() };
    let setup = game.title().set_up(&wishes).unwrap();
    let mut lots = Lots::new(number);
    let mut ear = Ear { dice: Lots::new(number + 100), heard: Print(0xcbf2_9ce4_8422_2325) };
    let mut p = game.setup(&setup, &mut ear).unwrap();
    let mut actions = 0;
    while let Some(seat) = game.deciding(&p).lowest() {
        let mut all = Explained::default();
        game.options(&p, seat, &mut all);
        for offer in &all.offers {
            ear.heard.tell(game.write(offer.action).as_str());
        }
        for refusal in &all.refusals {
            write!(ear.heard, "{} {} {}", game.write(refusal.action), refusal.rule, refusal.why).unwrap();
        }
        let sum: u32 = all.offers.iter().map(|offer| eagerness(offer.action)).sum();
        let mut left = lots.below(sum);
        let chosen = all.offers.iter().find(|offer| {
            let taken = left < eagerness(offer.action);
            left = left.saturating_sub(eagerness(offer.action));
            taken
        });
        game.apply(&mut p, seat, chosen.unwrap().action, &mut ear);
        actions += 1;
        if actions % SELDOM == 0 {
            write!(ear.heard, "{p:?}").unwrap();
        }
    }
    let reason = game.reason(&p);
    write!(ear.heard, "{p:?}").unwrap();
    format!("{scenario} {number}: {actions} actions, {:016x}, {reason}", ear.heard.0)
}

#[test]
fn golden_games_are_played_as_ever() {
    let game = KingdomOfHeaven::built_in();
    let scenarios = game.title().scenarios.iter().map(|scenario| scenario.id.as_str());
    let lines: Vec<String> =
        scenarios.flat_map(|id| (0..GAMES).map(|n| played(&game, id, n)).collect::<Vec<_>>()).collect();
    let version = format!("version {}\n", game.title().version);
    let now = version + &lines.join("\n") + "\n";
    if std::env::var_os("KEEP").is_some() {
        std::fs::write(FILE, &now).unwrap();
    }
    let kept = std::fs::read_to_string(FILE).unwrap();
    for (was, is) in kept.lines().zip(now.lines()) {
        assert_eq!(was, is, "a golden game has changed: raise the version, and keep it anew");
    }
    assert_eq!(kept, now);
}

//! What players are told: the odds of an assault are those of the rules, and a refusal gives its reason.
#![allow(clippy::unwrap_used)]

use kingdom_of_heaven::KingdomOfHeaven;
use kingdom_of_heaven::action::Action;
use kingdom_of_heaven::position::Position;
use table::rooms::*;
use table::{Explained, Fact, Readers, Seat, Umpire, Viewer, Wishes};

const CHRISTIAN: Seat = Seat::new(0);
const MUSLIM: Seat = Seat::new(1);

/// Two given dice, then sixes.
struct Throws(Vec<u8>);

impl Umpire for Throws {
    fn roll(&mut self, _: u8) -> u8 {
        if self.0.is_empty() { 6 } else { self.0.remove(0) }
    }
    fn draw(&mut self, _: Readers, _: u16, _: &dyn Fn(u16) -> String) -> u16 {
        0
    }
    fn reveal(&mut self, _: Readers) {}
}

fn staged(game: &KingdomOfHeaven, text: &str) -> Position {
    game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap()
}

#[test]
fn odds_of_an_assault_are_counted_over_all_throws() {
    let game = KingdomOfHeaven::built_in();
    let text = "moves = \"Muslim\"\nmuslim = [\"54\", \"57\"]\nforces = [\"Tiberias: Saladin, 8 Ayyubid 2-6\"]\n\
        sieges = [\"Tiberias rf 2\"]";
    let before = staged(&game, text);
    let storm = game.read("storm 54 > Tiberias").unwrap();
    let told = game.choice(&game.view(&before, Viewer::Seat(MUSLIM)), storm);
    let tiberias = game.components().space_of("Tiberias").unwrap();
    let mut taken = 0;
    for throw in 0..36 {
        let mut dice = Throws(vec![throw / 6 + 1, throw % 6 + 1]);
        let mut p = before.clone();
        game.apply(&mut p, MUSLIM, storm, &mut dice);
        while p.open.battle.is_some() || p.open.duel.is_some() {
            let seat = game.deciding(&p).lowest().unwrap();
            let answers = [Action::Decline, Action::Usual, Action::Done];
            let answer = answers.into_iter().find(|a| table::is_allowed(&game, &p, seat, *a)).unwrap();
            game.apply(&mut p, seat, answer, &mut dice);
        }
        taken += u32::from(
            p.open.holds[tiberias] != before.open.holds[tiberias] && {
                let power = game.components().power_of("ayyubids").unwrap();
                p.open.holds[tiberias].unwrap().owner == kingdom_of_heaven::position::Owner::Of(power)
            },
        );
    }
    let words = format!("takes it in {} % of all throws", (taken * 100 + 18) / 36);
    assert!((1..36).contains(&taken), "{taken} of 36 say nothing");
    let hint = format!("{told:?}");
    assert!(hint.contains(&words), "`{words}` is not in {hint}");
}

#[test]
fn the_first_loss_says_why_it_is_a_crusaders() {
    let game = KingdomOfHeaven::built_in();
    let text = "moves = \"Christian\"\nchristian = [\"54\", \"57\"]\nstrongholds = [\"Jaffa none\"]\n\
        forces = [\"Acre: Richard I, 3 Crusader 3-4, 1 Templar 3-4\", \"Jaffa: Saladin, 8 Ayyubid 2-6\"]";
    let mut p = staged(&game, text);
    let mut dice = Throws(vec![3, 5]);
    for (seat, said) in [
        (CHRISTIAN, "activate 54 > Richard I"),
        (CHRISTIAN, "go"),
        (CHRISTIAN, "march Jaffa"),
        (CHRISTIAN, "decline"),
    ] {
        let action = game.read(said).unwrap();
        assert!(table::is_allowed(&game, &p, seat, action), "{said}");
        game.apply(&mut p, seat, action, &mut dice);
    }
    let mut all = Explained::default();
    game.options(&p, CHRISTIAN, &mut all);
    let templar = game.read("lose Templar 3-4").unwrap();
    let refused: Vec<_> = all.refusals.iter().filter(|r| r.action == templar).collect();
    assert_eq!(refused.len(), 1, "a Templar’s loss is refused, with its reason");
    assert!(format!("{:?}", refused[0]).contains("Crusader"), "{:?}", refused[0]);
}

/// Events of the scenario, by the option [4.3].
#[test]
fn the_first_card_of_the_first_hand_is_one_of_the_scenarios_own() {
    let game = KingdomOfHeaven::built_in();
    for (on, own) in [("yes", true), ("no", false)] {
        let wishes = Wishes {
            scenario: Some("D".into()),
            options: [("dealt-events".into(), on.into())].into_iter().collect(),
            ..Wishes::default()
        };
        let setup = game.title().set_up(&wishes).unwrap();
        // Whoever draws takes the first of those that may be drawn.
        let mut first = Throws(Vec::new());
        let mut p = game.setup(&setup, &mut first).unwrap();
        for (seat, name) in [(CHRISTIAN, "Christian"), (MUSLIM, "Muslim")] {
            let deal = game.read("deal").unwrap();
            assert!(table::is_allowed(&game, &p, seat, deal), "{name}");
            game.apply(&mut p, seat, deal, &mut first);
            let held = |id: &str| game.fact(&p, &p, &format!("card {id}")) == Some(Fact::from(name));
            let events = (1..=6).filter(|n| held(&format!("D{n}"))).count();
            assert_eq!(events, usize::from(own), "{name}, dealt-events = {on}");
        }
    }
}

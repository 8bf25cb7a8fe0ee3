//! What playing is like: speed without allocation, the set-up, scenarios, secrets, warnings, notation.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use first_crusade::position::Position;
use first_crusade::{ENTRY, FILES, FirstCrusade};
use proptest::prelude::*;
use table::rooms::*;
use table::scene::Face;
use table::{
    DataFiles, Fact, Lots, Match, Nonces, Options, Plan, Seat, Seats, Seed, Setup, Silent, Viewer, Wishes,
};

const CRUSADERS: Seat = Seat::new(0);

fn set_up(game: &FirstCrusade, scenario: &str, seats: u8, options: &[(&str, &str)]) -> Setup {
    let options = options.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let wishes = Wishes { scenario: Some(scenario.into()), seats: Some(Seats::Count(seats)), options };
    game.title().set_up(&wishes).unwrap()
}

fn fact(game: &FirstCrusade, p: &Position, key: &str) -> Fact {
    game.fact(p, p, key).unwrap()
}

fn stage(game: &FirstCrusade, text: &str) -> Position {
    game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap()
}

/// Plays a random game and shows every position to `look`.
fn play_at_random(
    game: &FirstCrusade,
    setup: &Setup,
    seed: u64,
    look: &mut dyn FnMut(&Position, &Options<first_crusade::action::Action>, Seat),
) -> Position {
    let mut umpire = Silent::new(seed);
    let mut lots = Lots::new(seed ^ 77);
    let mut p = game.setup(setup, &mut umpire).unwrap();
    let mut options = Options::new();
    while let Some(seat) = lots.pick(&game.deciding(&p).iter().collect::<Vec<_>>()) {
        options.clear();
        game.options(&p, seat, &mut options);
        look(&p, &options, seat);
        let action = options.offers()[lots.below(options.len() as u32) as usize].action;
        game.apply(&mut p, seat, action, &mut umpire);
    }
    p
}

#[test]
fn random_play_allocates_nothing() {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    let plan =
        |games| Plan { setup: game.title().usual_set_up(), games, seed: 1, first: 0, picks: Vec::new() };
    // What is allocated once (the room for options, the tally) does not grow with the games.
    let few = allocation_counter::measure(|| drop(game.simulate(&plan(300), &mut |_| {}).unwrap()));
    let many = allocation_counter::measure(|| drop(game.simulate(&plan(1500), &mut |_| {}).unwrap()));
    assert_eq!(few.count_total, many.count_total);
}

#[test]
fn a_position_is_small() {
    let bytes = size_of::<Position>();
    assert!(bytes <= 4096, "{bytes} bytes");
}

/// The set-up [7.0], with the first places of all units [26.1].
#[test]
fn the_set_up_is_that_of_the_rulebook() {
    let game = FirstCrusade::built_in();
    let p = game.setup(&set_up(&game, "crusade", 1, &[]), &mut Silent::new(5)).unwrap();
    for fortress in ["Jerusalem", "Ancyra", "Edessa", "Antioch", "Nicaea", "Tarsus", "Ascalon"] {
        assert_eq!(fact(&game, &p, &format!("muslims {fortress}")), 1.into(), "{fortress}");
        assert_eq!(fact(&game, &p, &format!("concealed {fortress}")), 0.into(), "{fortress}");
    }
    for empty in ["Rhodos", "Kypros"] {
        assert_eq!(fact(&game, &p, empty), "empty".into());
    }
    for (armenian, units) in [("Sis", 3), ("Vahka", 2)] {
        assert_eq!(fact(&game, &p, armenian), "Armenians".into());
        assert_eq!(fact(&game, &p, &format!("christians {armenian}")), units.into());
    }
    assert_eq!(fact(&game, &p, "Assassins"), "Masyaf".into());
    let Fact::Number(host) = fact(&game, &p, "christians Constantinople") else { panic!("a number") };
    assert!((24 + 4 + 2..=24 + 4 + 12).contains(&host), "{host}");
    assert_eq!(fact(&game, &p, "points"), 6.into());
}

/// The map [3.1].
#[test]
fn pergamum_is_a_port() {
    let game = FirstCrusade::built_in();
    let c = game.components();
    let (pergamum, sea) = (c.space("Pergamum").unwrap(), c.space("North Aegean").unwrap());
    assert!(c.spaces[pergamum].sea.contains(&sea));
}

/// How to win [6.0].
#[test]
fn the_guided_march_reaches_its_assault_quickly() {
    let game = FirstCrusade::built_in();
    let setup = set_up(&game, "nicaea", 1, &[]);
    let mut p = game.setup(&setup, &mut Silent::new(3)).unwrap();
    for line in ["march Crusaders from Constantinople", "go Nicaea"] {
        let prompt = game.scene(&game.view(&p, Viewer::Seat(CRUSADERS))).prompt.unwrap();
        assert!(!prompt.advice.is_empty(), "a guiding sentence: {}", prompt.text);
        let action = game.read(line).unwrap();
        assert!(table::is_allowed(&game, &p, CRUSADERS, action), "{line}: {}", prompt.text);
        game.apply(&mut p, CRUSADERS, action, &mut Silent::new(8));
    }
    let step = fact(&game, &p, "step");
    assert!(step != "march".into(), "two clicks to the first battle: {step}");
    // Whoever goes on by the table's own choices ends the turn, and the city has decided.
    let mut options = Options::new();
    while game.outcome(&p).is_none() {
        options.clear();
        game.options(&p, CRUSADERS, &mut options);
        let action = options.offers().last().unwrap().action;
        game.apply(&mut p, CRUSADERS, action, &mut Silent::new(9));
    }
    assert!(game.outcome(&p).unwrap().headline.starts_with("The city"));
}

#[test]
fn a_concealed_counter_is_a_counter_and_nothing_more() {
    let game = FirstCrusade::built_in();
    let muslims: Vec<&str> = game
        .components()
        .units
        .iter()
        .filter(|(u, _)| !game.components().christians.has(*u))
        .map(|(_, troop)| troop.name.as_str())
        .collect();
    let mut hidden = 0;
    for seed in 0..12 {
        let mut n = 0;
        play_at_random(&game, &set_up(&game, "crusade", 1, &[]), seed, &mut |p, _, _| {
            n += 1;
            if n % 12 != 0 {
                return;
            }
            let scene = game.scene(&game.view(p, Viewer::Seat(CRUSADERS)));
            for piece in scene.boards.iter().flat_map(|b| &b.pieces).filter(|p| p.face == Face::Hidden) {
                hidden += 1;
                let named = muslims.iter().any(|name| piece.id.contains(name) || piece.text.contains(name));
                assert!(!named, "{piece:?}");
            }
        });
    }
    assert!(hidden > 20, "{hidden} concealed counters were looked at");
}

#[test]
fn what_is_remembered_of_a_concealed_counter() {
    let game = FirstCrusade::built_in();
    let mut p = stage(
        &game,
        "units = [\"Civetot: Bohemond\", \"Nicaea: Kilij, Askar I\"]\nno_bin = [\"Seljuks\"]\nstandard = 3",
    );
    let mut fate = table::Scribe::new(table::Scripted {
        dice: [1, 1, 1, 6, 1, 6, 6, 6].into(),
        draws: ["Askar I".to_string()].into(),
        trouble: None,
    });
    for line in ["march Crusaders from Civetot", "go Nicaea", "withdraw Civetot"] {
        let action = game.read(line).unwrap();
        game.apply(&mut p, CRUSADERS, action, &mut fate);
    }
    fate.fate.finish().unwrap();
    let view = game.view(&p, Viewer::Seat(CRUSADERS));
    let mut lots = Lots::new(1);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..40 {
        let twin = game.imagine(&view, &mut lots);
        for name in ["Kilij", "Askar I"] {
            if fact(&game, &twin, name) == "Nicaea".into() {
                seen.insert(name);
            }
        }
        assert_eq!(fact(&game, &twin, "concealed Nicaea"), 1.into());
    }
    assert_eq!(seen.len(), 2, "either of the two may have stayed, and nobody else");
}

#[test]
fn odds_and_withdrawals_are_told_before_the_attack() {
    let game = FirstCrusade::built_in();
    let p = stage(&game, "units = [\"Civetot: Bohemond, Knights I\", \"Nicaea: Seljuk Militia I\"]");
    let mut p = p;
    let march = game.read("march Crusaders from Civetot").unwrap();
    game.apply(&mut p, CRUSADERS, march, &mut Silent::new(1));
    let view = game.view(&p, Viewer::Seat(CRUSADERS));
    let choice = game.choice(&view, game.read("go Nicaea").unwrap());
    let told = "won 7 %, thrown back 89 %, destroyed 4 %; about 1.1 steps lost; \
                withdrawal to Civetot and Dorylaeum";
    assert_eq!(choice.hint, told, "two hundred battles in imagination, always the same");
    assert_eq!(choice.confirm, None);
    let mut p = stage(
        &game,
        "units = [\"Jericho: Godfrey\", \"Jerusalem: Seljuk Militia I\", \"Nablus: Askar I\", \"Jaffa: Askar II\", \
         \"Ascalon: Askar III\"]\nstandard = 3",
    );
    game.apply(&mut p, CRUSADERS, game.read("march Crusaders from Jericho").unwrap(), &mut Silent::new(1));
    let view = game.view(&p, Viewer::Seat(CRUSADERS));
    let choice = game.choice(&view, game.read("go Jerusalem").unwrap());
    assert!(choice.hint.contains("withdrawal to Jericho"), "{}", choice.hint);
}

#[test]
fn odds_agree_with_the_battles_that_are_fought() {
    let game = FirstCrusade::built_in();
    let text = "units = [\"Civetot: Bohemond, Tancred, Knights I, Knights II, Men-at-Arms I\", \
                \"Nicaea: Seljuk Militia I\", \"Constantinople: Hugh\"]";
    let p = stage(&game, text);
    let march = game.read("march Crusaders from Civetot").unwrap();
    let (mut won, mut fought) = (0, 0);
    let mut told = String::new();
    for seed in 0..600 {
        let mut p = p.clone();
        let mut fate = Silent::new(seed);
        game.apply(&mut p, CRUSADERS, march, &mut fate);
        let go = game.read("go Nicaea").unwrap();
        if told.is_empty() {
            told = game.choice(&game.view(&p, Viewer::Seat(CRUSADERS)), go).hint;
        }
        game.apply(&mut p, CRUSADERS, go, &mut fate);
        while fact(&game, &p, "step") == "losses".into() || fact(&game, &p, "step") == "strikes".into() {
            let Some(seat) = game.deciding(&p).lowest() else { break };
            let mut options = Options::new();
            game.options(&p, seat, &mut options);
            let allot = game.read("allot").unwrap();
            let action =
                if table::is_allowed(&game, &p, seat, allot) { allot } else { options.offers()[0].action };
            game.apply(&mut p, seat, action, &mut fate);
        }
        fought += 1;
        won += u32::from(fact(&game, &p, "Nicaea") == "Crusaders".into());
    }
    let percent: u32 = told.strip_prefix("won ").unwrap().split(' ').next().unwrap().parse().unwrap();
    let found = won * 100 / fought;
    assert!(percent.abs_diff(found) <= 12, "told {percent} %, fought {found} %");
}

#[test]
fn warnings_come_before_the_winter() {
    let game = FirstCrusade::built_in();
    let p =
        stage(&game, "turn = 2\nunits = [\"Halys Crossing: Godfrey, Knights I\", \"Dorylaeum: Tancred\"]");
    let scene = game.scene(&game.view(&p, Viewer::Seat(CRUSADERS)));
    assert_eq!(scene.faults(), Vec::<String>::new());
    let warnings: Vec<_> = scene.warnings.iter().map(|w| w.text.as_str()).collect();
    assert_eq!(warnings, ["Halys Crossing: 2 units would be out of supply in winter"]);
}

#[test]
fn a_roll_can_be_taken_back_alone_and_the_result_says_so() {
    let game = Arc::new(FirstCrusade::built_in());
    let open = |take_backs: &str| {
        let setup = set_up(&game, "nicaea", 1, &[("take-backs", take_backs)]);
        Match::open(game.clone(), setup, Seed::numbered(1), Nonces::default()).unwrap()
    };
    let march = game.read("march Crusaders from Constantinople").unwrap();
    let mut strict = open("no");
    strict.act(CRUSADERS, None, &[march]).unwrap();
    let error = strict.ask_take_back(CRUSADERS, 0).unwrap_err().to_string();
    assert_eq!(error, "nothing to undo: this table was opened without take-backs");
    let mut easy = open("yes");
    easy.act(CRUSADERS, None, &[march]).unwrap();
    easy.ask_take_back(CRUSADERS, 0).unwrap();
    assert_eq!(easy.take_backs(), 1);
    while let Some(observed) = easy.observed(CRUSADERS) {
        let action = observed.offers.last().unwrap().action;
        easy.act(CRUSADERS, None, &[action]).unwrap();
    }
    assert!(easy.outcome().is_some());
    let last = easy.journal(Viewer::Observer).pop().unwrap();
    assert_eq!(last.text, "On the way to this result moves were taken back once");
}

#[test]
fn a_team_shares_the_actions_of_a_turn() {
    let game = FirstCrusade::built_in();
    for (seats, armenians) in [(2, 0), (3, 2)] {
        let setup = set_up(&game, "crusade", seats, &[]);
        let mut decided = [0; 3];
        for seed in 0..10 {
            play_at_random(&game, &setup, seed, &mut |_, _, seat| decided[seat.index()] += 1);
        }
        assert!(decided[0] > 0 && decided[1] > 0, "{decided:?}");
        assert_eq!(decided[2] > 0, armenians == 2, "{decided:?}");
    }
}

#[test]
fn data_that_do_not_fit_say_where_and_why() {
    let complaint = |file: &str, from: &str, to: &str| {
        let mut files = DataFiles::built_in(FILES);
        let text = files.text(file).replacen(from, to, 1);
        files.replace(file, text).unwrap();
        FirstCrusade::open(&files).map_or_else(|e| e.to_string(), |_| "fine".into())
    };
    assert_eq!(complaint("units.toml", "combat = 5", "combat = 4"), "fine", "an owner may change a figure");
    let factor = complaint("units.toml", "combat = 5", "combat = 9");
    assert!(factor.contains("expected a whole number from 0 to 6, found the number 9"), "{factor}");
    let path = complaint("map.toml", "to = \"Nicomedia\"", "to = \"Nikomedia\"");
    assert!(path.starts_with("map.toml:") && path.ends_with("no space is called `Nikomedia`"), "{path}");
    let event = complaint("tables.toml", "\"Jihad\"", "\"Holy War\"");
    assert!(event.contains("found the text \"Holy War\""), "{event}");
    let raid = complaint("tables.toml", "Raid Nicaea", "Raid Masyaf");
    assert!(raid.contains("never come to"), "{raid}");
    let stray = complaint("scenarios.toml", "turns = 9", "terns = 9");
    assert!(stray.starts_with("scenarios.toml:"), "{stray}");
}

/// Dice from a script, and of every lot the first bane; how many there were to draw from.
struct Banes {
    dice: Vec<u8>,
    drawn_from: Vec<u16>,
}

impl table::Fate for Banes {
    fn roll(&mut self, _: u8) -> u8 {
        self.dice.remove(0)
    }
    fn draw(&mut self, _: table::Readers, n: u16, name: &dyn Fn(u16) -> String) -> u16 {
        self.drawn_from.push(n);
        (0..n).find(|i| name(*i) == "Event").unwrap_or(0)
    }
}

/// Banes that do nothing stay out of the bin until all is picked [35.celestial-wonder, 35.papal-support].
#[test]
fn a_bane_is_picked_once() {
    let game = FirstCrusade::built_in();
    for (dice, boons) in [(vec![2, 3], "\"Supplies\", \"Treachery\", \"Deus Vult\""), (vec![5, 3, 3], "")] {
        let text = format!("then = \"event\"\nboons = [{boons}]\nunits = [\"Constantinople: Godfrey\"]");
        let mut p = stage(&game, &text);
        let mut umpire = table::Scribe::new(Banes { dice, drawn_from: Vec::new() });
        game.apply(&mut p, CRUSADERS, game.read("pass").unwrap(), &mut umpire);
        assert_eq!(umpire.fate.drawn_from, [26, 25, 24]);
    }
}

/// The first year as a picture in text at every turn. Any change of behaviour shows up here.
#[test]
fn a_golden_year() {
    let game = FirstCrusade::built_in();
    let names = game.title().seat_names();
    let mut pages = Vec::new();
    let mut turn = Fact::Number(0);
    play_at_random(&game, &set_up(&game, "crusade", 1, &[]), 4, &mut |p, _, _| {
        let now = fact(&game, p, "turn");
        if now != turn && pages.len() < 4 {
            turn = now;
            pages.push(game.scene(&game.view(p, Viewer::Seat(CRUSADERS))).to_text(&names));
        }
    });
    insta::assert_snapshot!(pages.join("\n"));
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,60}") {
        let game = FirstCrusade::built_in();
        if let Ok(action) = game.read(&text) {
            prop_assert_eq!(game.write(action).to_string(), text.clone());
        }
    }

    #[test]
    fn what_is_written_is_read(seed in 0u64..1000) {
        let game = FirstCrusade::built_in();
        let mut wrong = None;
        let setup = set_up(&game, "antioch", 1, &[("sieges", "yes"), ("kingdoms", "yes")]);
        play_at_random(&game, &setup, seed, &mut |_, options, _| {
            for offer in options.offers() {
                let text = game.write(offer.action);
                if game.read(text.as_str()).ok() != Some(offer.action) {
                    wrong = Some(text);
                }
            }
        });
        prop_assert_eq!(wrong, None);
    }
}

#[test]
fn a_thought_puts_no_host_together_man_by_man() {
    let game = Arc::new(FirstCrusade::built_in());
    let setup = set_up(&game, "crusade", 1, &[]);
    let mut sitting = Match::open(game.clone(), setup, Seed::numbered(3), Nonces::default()).unwrap();
    let considered = |sitting: &Match<FirstCrusade>| -> Vec<String> {
        let mind = table::Mind::new(game.clone(), sitting.observed(CRUSADERS).unwrap());
        let thought: &dyn table::Thought = &mind;
        (0..thought.choices().len()).map(|i| thought.notation(i).as_str().to_string()).collect()
    };
    sitting.act(CRUSADERS, None, &[game.read("form Crusaders from Constantinople").unwrap()]).unwrap();
    let (all, some) = (sitting.observed(CRUSADERS).unwrap().offers.len(), considered(&sitting));
    assert!(some.len() < all, "{} of {all}", some.len());
    assert!(some.contains(&"roll".to_string()), "{some:?}");
    assert!(some.contains(&"leave Pilgrims I".to_string()), "a garrison of the weakest: {some:?}");
    assert!(some.contains(&"only Raymond".to_string()), "a leader on an errand: {some:?}");
    assert!(!some.contains(&"only Pilgrims I".to_string()), "{some:?}");
    for garrison in ["Pilgrims I", "Pilgrims II", "Pilgrims III"] {
        sitting.act(CRUSADERS, None, &[game.read(&format!("leave {garrison}")).unwrap()]).unwrap();
    }
    let some = considered(&sitting);
    assert!(!some.iter().any(|choice| choice.starts_with("leave Pilgrims")), "three are enough: {some:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    /// Whatever may be done, a thought has something to choose from, and nothing that may not be done.
    #[test]
    fn a_thought_always_has_a_choice(seed in 0..10_000u64) {
        let game = Arc::new(FirstCrusade::built_in());
        let setup = set_up(&game, "crusade", 1, &[("sieges", "yes"), ("kingdoms", "yes")]);
        play_at_random(&game, &setup, seed, &mut |p, options, seat| {
            let view = game.view(p, Viewer::Seat(seat));
            let observed = table::Observed { seat, view, offers: options.offers().to_vec() };
            let mind = table::Mind::new(game.clone(), observed);
            let thought: &dyn table::Thought = &mind;
            let choices = thought.choices().len();
            assert!(choices > 0 && choices <= options.len());
            let offered: Vec<_> = options.offers().iter().map(|o| game.write(o.action)).collect();
            assert!((0..choices).all(|i| offered.contains(&thought.notation(i))));
        });
    }
}

#[test]
fn a_vignette_says_how_many_sit_at_its_table() {
    let game = FirstCrusade::built_in();
    let title = game.title();
    let seats = |name: &str| {
        let (file, text) = title.vignettes.iter().find(|(file, _)| file.ends_with(name)).unwrap();
        table::Vignette::read(file, text).unwrap().party(title).len()
    };
    assert_eq!([seats("team.toml"), seats("team-contribution.toml"), seats("recruit.toml")], [2, 2, 1]);
}

//! What playing is like: speed without allocation, size, castings.
#![allow(clippy::unwrap_used)]

use table::rooms::*;
use table::{DataFiles, Lots, Options, Plan, Seats, Setup, Silent, Wishes};
use third_crusade::position::Position;
use third_crusade::{ENTRY, FILES, ThirdCrusade};

fn set_up(game: &ThirdCrusade, scenario: &str, seats: &str) -> Setup {
    let seats: Seats = seats.parse().unwrap();
    let wishes = Wishes { scenario: Some(scenario.into()), seats: Some(seats), ..Wishes::default() };
    game.title().set_up(&wishes).unwrap()
}

/// Plays a random game; how many actions it took, and its end.
fn play_at_random(game: &ThirdCrusade, setup: &Setup, seed: u64) -> (u32, Position) {
    let mut umpire = Silent::new(seed);
    let mut lots = Lots::new(seed ^ 77);
    let mut p = game.setup(setup, &mut umpire).unwrap();
    let (mut options, mut actions) = (Options::new(), 0);
    while let Some(seat) = lots.pick(&game.deciding(&p).iter().collect::<Vec<_>>()) {
        options.clear();
        game.options(&p, seat, &mut options);
        let offer = options.offers()[lots.below(options.len() as u32) as usize];
        let action = match offer.range {
            None => offer.action,
            Some((least, most)) => game.with_amount(offer.action, least + lots.below(most - least + 1)),
        };
        let text = format!("{:?}: {}", seat, game.write(action));
        game.apply(&mut p, seat, action, &mut umpire);
        game.sound(&p).unwrap_or_else(|e| panic!("seed {seed}, after {text}: {e}"));
        actions += 1;
        assert!(actions < game.title().longest);
    }
    (actions, p)
}

#[test]
fn all_castings_play_to_the_end() {
    let game = ThirdCrusade::built_in();
    for scenario in &game.title().scenarios {
        for party in &scenario.parties {
            let names = game.title().party_names(*party);
            let setup = set_up(&game, &scenario.id, &names);
            let mut sum = 0;
            for seed in 0..20 {
                let (actions, p) = play_at_random(&game, &setup, seed);
                assert!(game.outcome(&p).is_some());
                sum += actions;
            }
            println!("{} with {names}: {} actions", scenario.id, sum / 20);
        }
    }
}

#[test]
fn random_play_allocates_nothing() {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    let plan =
        |games| Plan { setup: game.title().usual_set_up(), games, seed: 1, first: 0, picks: Vec::new() };
    // What is allocated once (the room for options, the tally) does not grow with the games.
    let few = allocation_counter::measure(|| drop(game.simulate(&plan(150), &mut |_| {}).unwrap()));
    let many = allocation_counter::measure(|| drop(game.simulate(&plan(450), &mut |_| {}).unwrap()));
    assert_eq!(few.count_total, many.count_total);
}

#[test]
fn a_position_is_small() {
    let bytes = size_of::<Position>();
    println!("{bytes} bytes");
    assert!(bytes <= 3072, "{bytes} bytes");
}

#[test]
fn a_set_of_seats_that_is_no_casting_is_told_the_nine() {
    let game = ThirdCrusade::built_in();
    let wishes = Wishes { seats: "Angevin, Holy Roman Empire".parse().ok(), ..Wishes::default() };
    let error = game.title().set_up(&wishes).unwrap_err().to_string();
    assert_eq!(error.matches('`').count(), 20, "what was asked and nine castings: {error}");
    assert!(error.contains("`Angevin, Ayyubid, Holy Roman Empire, Turkoman`"), "{error}");
}

#[test]
fn data_that_do_not_fit_say_where_and_why() {
    let complaint = |file: &str, from: &str, to: &str| {
        let mut files = DataFiles::built_in(FILES);
        let text = files.text(file);
        assert!(text.contains(from), "{file} has no `{from}`");
        let text = text.replacen(from, to, 1);
        files.replace(file, text).unwrap();
        ThirdCrusade::open(&files).map_or_else(|e| e.to_string(), |_| "fine".into())
    };
    for (file, from, to, what) in [
        ("events.toml", "op = \"gold\"", "op = \"silver\"", "found the text \"silver\""),
        ("events.toml", "where = \"own:port\"", "where = \"own:harbour\"", "PRESENCE:KIND"),
        ("events.toml", "at:famagusta", "at:atlantis", "no region is called `atlantis`"),
        ("events.toml", "leader = \"tughril\"", "leader = \"nobody\"", "no leader is called `nobody`"),
        ("events.toml", "where = \"own:port\"", "where = \"same\"", "no region was chosen before it"),
        ("map.toml", "slot = \"sq2\"", "slot = \"sq1\"", "expected one icon in a Slot, found two"),
        ("map.toml", "to = \"desert_1\"", "to = \"jaffa\"", "expected each road once, found it twice"),
        (
            "castings.toml",
            "angevin = { command = 1",
            "angevin = { command = 2",
            "expected the printed tracks",
        ),
        ("castings.toml", "leaders = [\"james\"]", "leaders = [\"guido\"]", "expected leaders of the army"),
        (
            "castings.toml",
            "leaders = [\"william\"]",
            "leaders = [\"william\", \"james\"]",
            "expected each leader in one region",
        ),
        (
            "castings.toml",
            "or = \"hre\"",
            "or = \"ayyubid\"",
            "expected a double-coloured Unit of two partners",
        ),
        ("orders.toml", "cost = 2", "cost = 99", "expected a whole number from 0 to 20"),
        ("boards.toml", "hand = 4", "hund = 4", "`hand` is missing"),
    ] {
        let said = complaint(file, from, to);
        let line = said.strip_prefix(file).and_then(|rest| rest.strip_prefix(':')).unwrap_or_default();
        assert!(line.starts_with(|c: char| c.is_ascii_digit()) && said.contains(what), "{said}");
    }
}

#[test]
fn every_plan_has_its_notation() {
    let game = ThirdCrusade::built_in();
    for text in [
        "select the dearest",
        "place Angevin March with tithe at Acre",
        "execute Desert (Judaea)",
        "pass when placed",
        "pass when executed",
        "never react",
    ] {
        let plan = game.read_order(text).unwrap();
        assert_eq!(game.write_order(&plan).as_str(), text);
    }
    assert!(game.read_order("march home").unwrap_err().to_string().contains("`never react`"));
}

#[test]
fn the_guided_round_advises_the_one_who_decides() {
    let game = ThirdCrusade::built_in();
    let setup = set_up(&game, "first-round", "2");
    let mut umpire = Silent::new(5);
    let mut lots = Lots::new(5);
    let mut p = game.setup(&setup, &mut umpire).unwrap();
    while let Some(seat) = game.deciding(&p).lowest() {
        for viewer in table::Viewer::all(setup.party()) {
            let prompt = game.scene(&game.view(&p, viewer)).prompt.unwrap();
            let own = viewer.seat().is_some_and(|seat| game.deciding(&p).contains(seat));
            assert_eq!(prompt.advice.is_empty(), !own, "{} {}", prompt.text, prompt.advice);
        }
        let mut options = Options::new();
        game.options(&p, seat, &mut options);
        let action = options.offers()[lots.below(options.len() as u32) as usize].action;
        game.apply(&mut p, seat, action, &mut umpire);
    }
    assert!(game.reason(&p).len() > 10);
}

#[test]
fn costs_beyond_the_command_points_are_warned_of_before_the_click() {
    let game = ThirdCrusade::built_in();
    let text = "step = \"plan\"\nturn = \"Angevin\"\npieces = { Tyre = [\"3 Angevin Infantry\"] }\n\
                orders = { Tyre = [\"Angevin March\"], Acre = [\"Angevin Great Levy\"], Sidon = [\"Angevin Blank\"] }\n\
                command = { Angevin = 3 }";
    let p = game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap();
    let scene = game.scene(&game.view(&p, table::Viewer::Seat(table::Seat::new(0))));
    let said: Vec<_> = scene.warnings.iter().map(|w| w.text.as_str()).collect();
    let said = said.join("; ");
    assert!(said.contains("cost 5 of 3 command points: 1 order will fail for 1 Glory"), "{said}");
    assert!(said.contains("Great Levy in Acre cannot be executed now"), "{said}");
    assert!(said.contains("1 Blank Order will cost 1 Glory"), "{said}");
    assert!(said.contains("If the round ended now"), "{said}");
    let other = game.scene(&game.view(&p, table::Viewer::Seat(table::Seat::new(1))));
    assert!(!other.warnings.iter().any(|w| w.text.contains("Blank")), "nobody else is told");
}

/// The board of diplomacy is drawn small: what a space brings must fit into it.
#[test]
fn spaces_of_the_diplomacy_board_are_named_in_a_few_words() {
    let game = ThirdCrusade::built_in();
    let p = game.setup(&set_up(&game, "campaign", "4"), &mut Silent::new(1)).unwrap();
    let scene = game.scene(&game.view(&p, table::Viewer::Observer));
    let board = scene.boards.iter().find(|board| board.id == "diplomacy").unwrap();
    assert_eq!(board.spaces.len(), 22);
    for space in &board.spaces {
        assert!(space.name.chars().count() <= 22, "{} is too long", space.name);
    }
}

/// Who has passed is told the rule when he asks why he may not go on.
#[test]
fn who_has_passed_is_told_so() {
    let game = ThirdCrusade::built_in();
    for (step, rule) in [("plan", "2.4"), ("command", "3.10")] {
        let text = format!(
            "step = \"{step}\"\nturn = \"Angevin\"\npieces = {{ Tyre = [\"3 Angevin Infantry\"] }}\n\
             orders = {{ Tyre = [\"Angevin March\"], Acre = [\"Ayyubid March\"] }}"
        );
        let mut p = game.stage(&table::sheet::parse("stage", &text).unwrap()).unwrap();
        let seat = table::Seat::new(0);
        game.apply(&mut p, seat, game.read("pass").unwrap(), &mut Silent::new(0));
        let prompt = game.scene(&game.view(&p, table::Viewer::Seat(seat))).prompt.unwrap();
        assert!(prompt.text.starts_with("You have passed"), "{}", prompt.text);
        assert_eq!(prompt.rule.to_string(), rule);
    }
}

#[test]
fn picked_pieces_reach_the_regions_next_to_them() {
    let game = ThirdCrusade::built_in();
    let text = "turn = \"Angevin\"\npieces = { Tyre = [\"3 Angevin Infantry\", \"1 Angevin Cavalry\"], Acre = [\"Ayyubid Infantry\"] }\n\
                orders = { Tyre = [\"Angevin March\"] }\ncommand = { Angevin = 3 }";
    let mut p = game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap();
    let seat = table::Seat::new(0);
    game.apply(&mut p, seat, game.read("execute Tyre").unwrap(), &mut Silent::new(0));
    let view = game.view(&p, table::Viewer::Seat(seat));
    let picked = ["unit-Angevin-Cavalry-Tyre"];
    let reach = game.reach(&view, &picked);
    assert!(reach.iter().any(|r| r.space == "region-Sidon" && !r.ends));
    assert!(reach.iter().any(|r| r.space == "region-Acre" && r.ends && r.danger.contains("battle")));
    for action in game.route(&view, &picked, "region-Sidon") {
        assert!(table::is_allowed(&game, &p, seat, action));
        game.apply(&mut p, seat, action, &mut Silent::new(0));
    }
    assert_eq!(game.fact(&p, &p, "Sidon"), Some("1 Angevin Cavalry".into()));
    assert_eq!(game.fact(&p, &p, "Tyre"), Some("3 Angevin Infantry".into()));
}

/// What the page shows beside the maps: a board of each army with its sections, and a warning where supply is short.
#[test]
fn army_boards_count_sections_and_short_supply_is_warned_of() {
    let game = ThirdCrusade::built_in();
    let text = "turn = \"Angevin\"\npieces = { Tyre = [\"6 Angevin Infantry\"], Sidon = [\"1 Angevin Cavalry\"], Acre = [\"1 Ayyubid Infantry\"] }";
    let p = game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap();
    let scene = game.scene(&game.view(&p, table::Viewer::Seat(table::Seat::new(0))));
    let board = scene.sums.iter().find(|sum| sum.id == "supply-Angevin").unwrap();
    assert_eq!((board.total.as_str(), board.note.as_str()), ("4 of 3", "1 supply is short"));
    assert!(board.lines[0].text.contains("6 of 30 Infantry out: 2 Sections open"), "{}", board.lines[0].text);
    assert!(scene.warnings.iter().any(|w| w.text.contains("need 4 supply and have 3: 1 Glory")));
    let other = game.scene(&game.view(&p, table::Viewer::Seat(table::Seat::new(1))));
    assert!(!other.warnings.iter().any(|w| w.text.contains("need 4 supply")), "it is no business of others");
}

/// A battle shows both strengths as sums, whoever looks, and how many orders near by may be reactions.
#[test]
fn a_battle_is_shown_as_two_sums() {
    let game = ThirdCrusade::built_in();
    let text = "turn = \"Angevin\"\ncommand = { Angevin = 3, Ayyubid = 3 }\n\
                pieces = { Tyre = [\"4 Angevin Infantry\", \"1 Angevin Cavalry\"], Acre = [\"2 Ayyubid Infantry\"] }\n\
                orders = { Tyre = [\"Angevin March\"], Acre = [\"Ayyubid Blank\"] }";
    let mut p = game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap();
    for action in ["execute Tyre", "go Acre"] {
        game.apply(&mut p, table::Seat::new(0), game.read(action).unwrap(), &mut Silent::new(0));
    }
    for viewer in [table::Viewer::Observer, table::Viewer::Seat(table::Seat::new(0))] {
        let scene = game.scene(&game.view(&p, viewer));
        assert!(scene.boards.iter().any(|board| board.id == "battle"));
        let sum = |id: &str| scene.sums.iter().find(|sum| sum.id == id).unwrap();
        assert_eq!(sum("strength-attack").total, "5");
        assert_eq!(sum("strength-attack").lines[0].text, "4 Infantry and 1 Cavalry");
        assert_eq!(sum("strength-defence").total, "2");
        assert_eq!(sum("strength-defence").note, "1 order near by may be reactions", "a blank keeps it open");
    }
}

/// What lies on the map unexecuted is opened, by title and place, for everybody to read.
#[test]
fn orders_left_lying_are_named() {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    let record = table::Record::read("golden-4.txt", include_str!("golden-4.txt")).unwrap();
    let sitting = game.replay(&record, None).unwrap();
    let told = sitting.journal(table::Viewer::Observer);
    let left: Vec<_> = told.iter().filter(|line| line.text.contains("has not executed")).collect();
    assert!(!left.is_empty(), "somebody left an order");
    assert!(left.iter().all(|line| line.text.contains(" at ")), "{}", left[0].text);
}

/// Supply is told as it will be once what is placed has been mustered, where the order is placed and when it is executed.
#[test]
fn supply_after_a_muster_is_told_before_the_click() {
    let game = ThirdCrusade::built_in();
    // Five Infantry fill a Section, and Tyre gives no supply: a sixth asks for one more.
    let text = "step = \"plan\"\nturn = \"Angevin\"\npieces = { Tyre = [\"5 Angevin Infantry\"] }\n\
                orders = { Tyre = [\"Angevin Great Levy\"] }\ncommand = { Angevin = 9 }";
    let p = game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap();
    let seat = table::Seat::new(0);
    let warned = |p| {
        let scene = game.scene(&game.view(p, table::Viewer::Seat(seat)));
        scene.warnings.into_iter().map(|w| w.text).collect::<Vec<_>>().join("; ")
    };
    let said = warned(&p);
    assert!(said.contains("You need 1 supply and have 0: 1 Glory would be lost"), "{said}");
    let then = "Once your musters are executed you will need 2 supply and have 0: 2 Glory would be lost";
    assert!(said.contains(then), "{said}");
    let other = game.scene(&game.view(&p, table::Viewer::Seat(table::Seat::new(1))));
    assert!(!other.warnings.iter().any(|w| w.text.contains("musters")), "it is no business of others");
    // An order in hand: the hint of each region says what it would come to there.
    let text = "step = \"plan\"\nturn = \"Angevin\"\n\
                pieces = { Tyre = [\"5 Angevin Infantry\"], Sidon = [\"1 Angevin Cavalry\"] }\ncommand = { Angevin = 9 }";
    let mut p = game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap();
    game.apply(&mut p, seat, game.read("take Angevin Great Levy").unwrap(), &mut Silent::new(0));
    let view = game.view(&p, table::Viewer::Seat(seat));
    let hint = |action: &str| game.choice(&view, game.read(action).unwrap()).hint;
    assert_eq!(hint("set Sidon"), "You will then need 4 supply and have 3: 1 Glory would be lost");
    assert!(hint("set Acre").contains("it will fail"), "{}", hint("set Acre"));
}

/// What the round would bring if it ended now stands beside the map in its parts, and what one's own orders cost.
#[test]
fn glory_to_come_and_costs_are_shown_as_sums() {
    let game = ThirdCrusade::built_in();
    let text = "step = \"plan\"\nturn = \"Angevin\"\nglory = 2\ncommand = { Angevin = 3 }\n\
                pieces = { Tyre = [\"3 Angevin Infantry\"], Jerusalem = [\"1 Angevin Infantry\"] }\n\
                orders = { Tyre = [\"Angevin March\"], Acre = [\"Ayyubid March\"] }";
    let p = game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap();
    let sums = |viewer| game.scene(&game.view(&p, viewer)).sums;
    let own = sums(table::Viewer::Seat(table::Seat::new(0)));
    let sum = |id: &str| own.iter().find(|sum| sum.id == id).unwrap();
    let line = |text: &str| {
        let line = sum("outlook").lines.iter().find(|line| line.text == text).unwrap();
        line.amount.clone()
    };
    assert_eq!(line("Glory now"), "2 for the Crusader Alliance");
    assert_eq!(line("Orders still on the map"), "0", "one of each side");
    assert_eq!(line("Jerusalem"), "2 for the Crusader Alliance");
    assert_eq!(line("Open Glory icons"), "1 for the Crusader Alliance", "of Tyre");
    assert_eq!(sum("costs").total, "2 of 3");
    assert_eq!(sum("costs").lines[0].text, "March in Tyre");
    let all = sums(table::Viewer::Observer);
    assert_eq!(all.iter().find(|sum| sum.id == "outlook").unwrap().total, sum("outlook").total);
    assert!(!all.iter().any(|sum| sum.id == "costs"), "nobody else knows what they cost");
    let enemy = sums(table::Viewer::Seat(table::Seat::new(1)));
    let costs = enemy.iter().find(|sum| sum.id == "costs").unwrap();
    assert!(costs.lines.iter().all(|line| !line.text.contains("Tyre")), "only his own");
}

/// Cards that name an enemy who does not play are not in the game: no hand can hold them [setup.1].
#[test]
fn cards_for_absent_enemies_are_left_out() {
    use table::Id as _;
    use third_crusade::ids::{Army, Event};
    let game = ThirdCrusade::built_in();
    let c = game.components();
    let titled = |title: &str| Event::all().find(|e| c.events[*e].title == title).unwrap();
    let deck = |title: &str, seats: [u8; 2]| {
        let event = titled(title);
        let sheet = &c.events[event];
        let party = seats.iter().map(|n| Army::of(table::Seat::new(*n))).collect();
        let deck = c.deck(sheet.army, sheet.period, party);
        (deck.has(event), deck.len())
    };
    let (angevin, ayyubid, hre, turkoman) = (0, 1, 2, 3);
    assert_eq!(deck("Burning of Haifa", [angevin, ayyubid]), (true, 8));
    assert_eq!(deck("Burning of Haifa", [angevin, turkoman]), (false, 7), "without the Ayyubid");
    assert_eq!(deck("Rout at Philomelion", [hre, turkoman]), (true, 8));
    assert_eq!(deck("Rout at Philomelion", [hre, ayyubid]), (false, 7), "without the Turkoman");
    // And nobody draws them.
    let setup = set_up(&game, "campaign", "Angevin, Turkoman");
    for seed in 0..40 {
        let (mut umpire, mut lots) = (Silent::new(seed), Lots::new(seed));
        let mut p = game.setup(&setup, &mut umpire).unwrap();
        let mut options = Options::new();
        while let Some(seat) = game.deciding(&p).lowest() {
            options.clear();
            game.options(&p, seat, &mut options);
            let haifa =
                |offer: &table::Offer<_>| game.write(offer.action).as_str().contains("Burning of Haifa");
            assert!(!options.offers().iter().any(haifa));
            let action = options.offers()[lots.below(options.len() as u32) as usize].action;
            game.apply(&mut p, seat, action, &mut umpire);
        }
    }
}

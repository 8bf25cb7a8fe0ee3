//! What a seat may know of hidden blocks from the set-up, from public losses and from moves, and that what is
//! imagined keeps to it.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crusader_rex::CrusaderRex;
use crusader_rex::position::Position;
use table::rooms::*;
use table::{Fact, Lots, Seat, Silent, Viewer};

const SEATS: [Seat; 2] = [Seat::new(0), Seat::new(1)];

fn town_of(game: &CrusaderRex, p: &Position, block: &str) -> String {
    let Some(Fact::Text(place)) = game.fact(p, p, block) else { return String::new() };
    place.rsplit_once(' ').map_or(place.clone(), |(town, _)| town.to_string())
}

/// The campaign when both sides are deployed.
fn deployed(game: &CrusaderRex, seed: u64, exchange: &str) -> Position {
    let mut umpire = Silent::new(seed);
    let mut p = game.setup(&game.title().usual_set_up(), &mut umpire).unwrap();
    game.apply(&mut p, SEATS[0], game.read("seat Bohemond > Latakia").unwrap(), &mut umpire);
    game.apply(&mut p, SEATS[0], game.read("done").unwrap(), &mut umpire);
    game.apply(&mut p, SEATS[1], game.read(exchange).unwrap(), &mut umpire);
    p
}

#[test]
fn an_imagined_set_up_is_one_that_can_be() {
    let game = CrusaderRex::built_in();
    let mut saladin = BTreeSet::new();
    for (seed, exchange) in
        ["done", "exchange Al Zahir", "exchange Al Aziz", "exchange Al Adil"].iter().enumerate()
    {
        let p = deployed(&game, seed as u64, exchange);
        let view = game.view(&p, Viewer::Seat(SEATS[0]));
        for lot in 0..40 {
            let dreamt = game.imagine(&view, &mut Lots::new(lot));
            saladin.insert(town_of(&game, &dreamt, "Saladin"));
            for label in game.components().blocks.values().iter().filter(|label| label.side == Some(SEATS[1]))
            {
                let place = town_of(&game, &dreamt, &label.name);
                let home = game.components().town_name(label.home.unwrap());
                let family = ["Saladin", "Al Adil", "Al Aziz", "Al Zahir"].contains(&label.name.as_str());
                let fits = place == home
                    || label.pool && place == "pool"
                    || family && place == "Damascus"
                    || label.name == "Saladin" && ["Aleppo", "Egypt"].contains(&place.as_str());
                assert!(fits, "{} imagined in {place}", label.name);
            }
        }
    }
    assert_eq!(saladin.into_iter().collect::<Vec<_>>(), ["Aleppo", "Damascus", "Egypt"], "all can be");
    let p = deployed(&game, 9, "done");
    let view = game.view(&p, Viewer::Seat(SEATS[1]));
    let mut bohemond = BTreeSet::new();
    for lot in 0..60 {
        let dreamt = game.imagine(&view, &mut Lots::new(lot));
        bohemond.insert(town_of(&game, &dreamt, "Bohemond"));
        for label in game.components().blocks.values().iter().filter(|l| l.side == Some(SEATS[0]) && !l.pool)
        {
            let place = game.components().town(&town_of(&game, &dreamt, &label.name)).unwrap();
            assert!(label.seats.has(place), "{} has no seat there", label.name);
        }
    }
    assert!(bohemond.contains("Latakia"), "{bohemond:?}");
}

/// What everybody saw of a lone known block is what is imagined of it.
#[test]
fn public_losses_and_gains_are_remembered() {
    let game = CrusaderRex::built_in();
    let strength = |stage: &str, actions: &[(usize, &str)], dice: &[u8], seat: Seat, block: &str| {
        let mut p = game.stage(&table::sheet::parse("stage", stage).unwrap()).unwrap();
        let mut umpire = table::Scribe::new(table::Scripted {
            dice: dice.iter().copied().collect(),
            ..Default::default()
        });
        for (who, text) in actions {
            game.apply(&mut p, SEATS[*who], game.read(text).unwrap(), &mut umpire);
        }
        let dreamt = game.imagine(&game.view(&p, Viewer::Seat(seat)), &mut Lots::new(1));
        game.fact(&dreamt, &dreamt, block).unwrap()
    };
    let siege = "battle = { town = \"Kerak\" }\nblocks = [\"Reynald of Kerak Kerak 2\", \"Zangi Kerak 3\", \"King Guy Acre 4\"]\n\
                 castle = [\"Reynald of Kerak\"]\nknown = [\"Reynald of Kerak\"]";
    let passes = [(1, "done"), (0, "done")];
    assert_eq!(strength(siege, &passes, &[1], SEATS[1], "Reynald of Kerak"), "Kerak castle 1".into());
    assert_eq!(strength(siege, &passes, &[4], SEATS[1], "Reynald of Kerak"), "Kerak castle 2".into());
    let manna = "in_play = { Frank = \"Manna\" }\nmoves = \"Frank\"\nknown = [\"King Guy\"]\n\
                 blocks = [\"King Guy Acre 2\", \"Conrad Tyre 4\", \"Saladin Damascus 4\"]";
    assert_eq!(strength(manna, &[(0, "bless King Guy")], &[], SEATS[1], "King Guy"), "Acre 3".into());
    let company = manna.replace("Conrad Tyre 4", "Conrad Acre 4");
    assert_eq!(
        strength(&company, &[(0, "bless King Guy")], &[], SEATS[1], "King Guy"),
        "Acre 2".into(),
        "nobody sees which"
    );
}

/// A block that leaves company is one of those who began there, not one of all.
#[test]
fn where_a_block_began_is_remembered() {
    let game = CrusaderRex::built_in();
    let stage = "moves = \"Saracen\"\nfirst = \"Saracen\"";
    let mut p = game.stage(&table::sheet::parse("stage", stage).unwrap()).unwrap();
    let mut umpire = Silent::new(1);
    for text in ["group Aleppo", "go Zangi > Zerdana", "done"] {
        game.apply(&mut p, SEATS[1], game.read(text).unwrap(), &mut umpire);
    }
    let view = game.view(&p, Viewer::Seat(SEATS[0]));
    let mut guests = BTreeSet::new();
    for lot in 0..60 {
        let dreamt = game.imagine(&view, &mut Lots::new(lot));
        let saracens = game.components().blocks.values().iter().filter(|label| label.side == Some(SEATS[1]));
        guests.extend(
            saracens.filter(|l| town_of(&game, &dreamt, &l.name) == "Zerdana").map(|l| l.name.clone()),
        );
    }
    let expected = ["Al Zahir", "Jurdik", "Saladin", "Sanjar", "Zangi"];
    assert_eq!(guests.into_iter().collect::<Vec<_>>(), expected);
}

/// Who an enemy's block in a town may be, for a viewer.
fn guests(game: &CrusaderRex, p: &Position, viewer: usize, town: &str) -> Vec<String> {
    let view = game.view(p, Viewer::Seat(SEATS[viewer]));
    let mut guests = BTreeSet::new();
    for lot in 0..80 {
        let dreamt = game.imagine(&view, &mut Lots::new(lot));
        let foes = game.components().blocks.values().iter().filter(|l| l.side == Some(SEATS[1 - viewer]));
        guests.extend(foes.filter(|l| town_of(game, &dreamt, &l.name) == town).map(|l| l.name.clone()));
    }
    guests.into_iter().collect()
}

fn played(game: &CrusaderRex, stage: &str, seat: usize, actions: &[&str]) -> Position {
    let mut p = game.stage(&table::sheet::parse("stage", stage).unwrap()).unwrap();
    let mut umpire = Silent::new(1);
    for text in actions {
        game.apply(&mut p, SEATS[seat], game.read(text).unwrap(), &mut umpire);
    }
    p
}

/// Two who were known to stand together: of who leaves, and of who stays, everybody knows that it is one of them.
#[test]
fn who_leaves_a_known_company_is_one_of_it() {
    let game = CrusaderRex::built_in();
    let stage = "moves = \"Saracen\"\nfirst = \"Saracen\"\nknown = [\"Zangi\", \"Tuman\"]\n\
        blocks = [\"Zangi Damascus 3\", \"Tuman Damascus 3\", \"Yuzpah Hama 3\", \"King Guy Jaffa 4\"]";
    let parted = ["group Damascus", "go Zangi > Anjar", "done"];
    let p = played(&game, stage, 1, &parted);
    assert_eq!(guests(&game, &p, 0, "Anjar"), ["Tuman", "Zangi"]);
    assert_eq!(guests(&game, &p, 0, "Damascus"), ["Tuman", "Zangi"]);
    let scene = game.scene(&game.view(&p, Viewer::Seat(SEATS[0])));
    let panel = scene.trays.iter().find(|tray| tray.id == "known").unwrap();
    let told: Vec<&str> = panel.pieces.iter().map(|piece| piece.text.as_str()).collect();
    assert!(told.iter().any(|t| t.starts_with("In Anjar stands ") && t.contains(" or ")), "{told:?}");
    // With a stranger among them, he may be the one.
    let stranger = stage.replace("Yuzpah Hama", "Yuzpah Damascus");
    let p = played(&game, &stranger, 1, &parted);
    assert_eq!(guests(&game, &p, 0, "Anjar"), ["Tuman", "Yuzpah", "Zangi"]);
}

/// Three roads in one march: it is nobody who goes two. With forced marches anybody may have.
#[test]
fn a_long_march_rules_out_the_slow() {
    let game = CrusaderRex::built_in();
    let stage = "moves = \"Frank\"\nfirst = \"Frank\"\nblocks = [\"Acre Hospitallers Acre 3\", \"King Guy Acre 4\", \
        \"Conrad Jaffa 4\", \"Balian Jaffa 3\", \"Walter Jaffa 3\", \"Saladin Egypt 4\"]";
    let moves = |name: &String| {
        let mut blocks = game.components().blocks.values().iter();
        blocks.find(|label| label.name == *name).map_or(0, |label| label.moves)
    };
    let [tyre, sidon, beirut] = ["Tyre", "Sidon", "Beirut"].map(|t| format!("go Acre Hospitallers > {t}"));
    let near = played(&game, stage, 0, &["group Acre", &tyre, &sidon, "done"]);
    assert!(guests(&game, &near, 1, "Sidon").iter().any(|name| moves(name) == 2));
    let march = ["group Acre", tyre.as_str(), &sidon, &beirut, "done"];
    let far = played(&game, stage, 0, &march);
    let who = guests(&game, &far, 1, "Beirut");
    assert!(!who.is_empty() && who.iter().all(|name| moves(name) == 3), "{who:?}");
    // Even while he is under way.
    let passing = played(&game, stage, 0, &march[..4]);
    assert!(guests(&game, &passing, 1, "Beirut").iter().all(|name| moves(name) == 3));
    let forced = played(&game, &format!("forced_marches = true\n{stage}"), 0, &march);
    assert!(guests(&game, &forced, 1, "Beirut").iter().any(|name| moves(name) == 2));
}

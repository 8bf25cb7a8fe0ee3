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

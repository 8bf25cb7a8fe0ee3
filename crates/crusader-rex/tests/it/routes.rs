//! Reach and route: where picked blocks can go together, and the clicks that bring them there.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use crusader_rex::CrusaderRex;
use crusader_rex::position::Position;
use table::rooms::*;
use table::{Acted, Lots, Match, Nonces, Pick, Reach, Scene, Seat, Seed, Viewer, Wishes};

const FRANK: Seat = Seat::new(0);
const SARACEN: Seat = Seat::new(1);

fn staged(game: &CrusaderRex, text: &str) -> Position {
    game.stage(&table::sheet::parse("routes", text).unwrap()).unwrap()
}

fn reach_of(game: &CrusaderRex, p: &Position, seat: Seat, picked: &[&str]) -> Vec<Reach> {
    game.reach(&game.view(p, Viewer::Seat(seat)), picked)
}

fn lines(game: &CrusaderRex, p: &Position, seat: Seat, picked: &[&str], to: &str) -> Vec<String> {
    let route = game.route(&game.view(p, Viewer::Seat(seat)), picked, to);
    route.into_iter().map(|action| game.write(action).to_string()).collect()
}

/// The space of a piece on the map.
fn space_of(scene: &Scene, id: &str) -> String {
    let piece = scene.boards[0].pieces.iter().find(|piece| piece.id == id);
    piece.map_or(String::new(), |piece| piece.space.clone())
}

/// Own blocks on the map, by space, and one that waits elsewhere.
fn own_pieces(scene: &Scene, seat: Seat) -> Vec<(String, String)> {
    let lying =
        scene.trays.iter().filter(|tray| tray.id.starts_with("staging") || tray.id.starts_with("drawn"));
    let pieces = scene.boards[0].pieces.iter().chain(lying.flat_map(|tray| &tray.pieces));
    let own = pieces.filter(|piece| piece.owner == Some(seat) && piece.id.starts_with("block-"));
    own.map(|piece| (piece.space.clone(), piece.id.clone())).collect()
}

#[test]
fn every_reach_has_a_route_that_ends_there() {
    let game = Arc::new(CrusaderRex::built_in());
    let (mut tried, mut routes, mut stacks) = (0, 0, 0);
    for (scenario, seed) in
        [("hattin", 1), ("hattin", 2), ("1187", 3), ("1187", 4), ("campaign", 5), ("campaign", 6)]
    {
        let setup =
            game.title().set_up(&Wishes { scenario: Some(scenario.into()), ..Wishes::default() }).unwrap();
        let mut sitting = Match::open(game.clone(), setup, Seed::numbered(seed), Nonces::default()).unwrap();
        let mut lots = Lots::new(seed);
        for _ in 0..400 {
            let Some(seat) = sitting.waiting_for().lowest() else { break };
            let scene = sitting.scene(Viewer::Seat(seat));
            let own = own_pieces(&scene, seat);
            if lots.below(4) == 0
                && let Some((space, piece)) = own.get(lots.below(own.len().max(1) as u32) as usize)
            {
                let mut picked = vec![piece.as_str()];
                if lots.below(2) == 0 {
                    let mates = own.iter().filter(|(at, id)| at == space && id != piece);
                    picked.extend(mates.map(|(_, id)| id.as_str()));
                }
                let reach = sitting.reach(seat, &picked);
                tried += 1;
                stacks += u32::from(picked.len() > 1 && !reach.is_empty());
                if let Some(end) = lots.pick(&(0..reach.len()).collect::<Vec<_>>()).map(|i| &reach[i]) {
                    let route = sitting.route(seat, &picked, &end.space);
                    assert!(!route.is_empty(), "{picked:?} reach {} and have no route", end.space);
                    routes += 1;
                    let mut trial = sitting.clone();
                    let text: Vec<_> = route.iter().map(|a| game.write(*a).to_string()).collect();
                    let acted = trial.act(seat, None, &route).unwrap_or_else(|e| panic!("{text:?}: {e}"));
                    match acted {
                        Acted::Drafted => {}
                        Acted::Held { unplayed } | Acted::Committed { unplayed } => {
                            assert_eq!(unplayed, 0, "{text:?}");
                        }
                    }
                    let after = trial.scene(Viewer::Seat(seat));
                    if acted == Acted::Drafted {
                        for id in &picked {
                            assert_eq!(space_of(&after, id), end.space, "{id} after {text:?}");
                        }
                    }
                }
            }
            let observed = sitting.observed(seat).unwrap();
            let action = table::choose(&*game, &observed, Pick::Random, &mut lots);
            sitting.act(seat, None, &[action]).unwrap();
        }
    }
    println!("{tried} picks, {routes} routes, {stacks} of stacks");
    assert!(routes > 60 && stacks > 10, "{tried} picks, {routes} routes, {stacks} of stacks");
}

const ARMY: &str = "moves = \"Saracen\"\nfirst = \"Saracen\"\nblocks = [\"Saladin Damascus 4\", \"Keukburi Damascus 3\", \
    \"Zangi Damascus 3\", \"Tuman Banyas 3\", \"Raymond of Tiberias Tiberias 3\", \"King Guy Jaffa 4\"]\nknown = [\"Raymond of Tiberias\"]";

#[test]
fn a_column_marches_with_one_click() {
    let game = CrusaderRex::built_in();
    let p = staged(&game, ARMY);
    let army = ["block-Saladin", "block-Keukburi", "block-Zangi"];
    assert_eq!(
        lines(&game, &p, SARACEN, &army[..2], "town-Tiberias"),
        [
            "group Damascus",
            "go Keukburi > Banyas",
            "go Keukburi > Tiberias",
            "go Saladin > Banyas",
            "go Saladin > Tiberias",
        ],
        "the shortest way, one after the other"
    );
    // Two fit on the dashed road, so the third goes round.
    let three = lines(&game, &p, SARACEN, &army, "town-Tiberias");
    assert_eq!(three.iter().filter(|line| line.ends_with("> Tiberias")).count(), 3, "{three:?}");
    assert!(three.contains(&"go Saladin > Ajlun".to_string()), "{three:?}");
    let reach = reach_of(&game, &p, SARACEN, &army);
    let tiberias = reach.iter().find(|end| end.space == "town-Tiberias").unwrap();
    assert_eq!(tiberias.cost, "1 move, 3 roads");
    assert_eq!(
        tiberias.danger,
        "against 1 block: on the main road in round 1, else in round 2; Raymond of Tiberias is known to be there; \
         leaves Damascus, a victory city, empty"
    );
    assert!(tiberias.ends);
    let banyas = reach.iter().find(|end| end.space == "town-Banyas").unwrap();
    assert_eq!((banyas.cost.as_str(), banyas.ends), ("1 move, 1 road", false));
}

#[test]
fn several_stacks_muster_and_ships_sail() {
    let game = CrusaderRex::built_in();
    let text = "moves = \"Frank\"\nblocks = [\"Balian Nablus 3\", \"Conrad Tyre 4\", \"King Guy Jaffa 4\", \"Saladin Damascus 4\"]";
    let p = staged(&game, text);
    let all = ["block-Balian", "block-Conrad", "block-King Guy"];
    let route = lines(&game, &p, FRANK, &all, "town-Acre");
    assert_eq!(route[..2], ["muster", "muster Acre"]);
    assert_eq!(lines(&game, &p, FRANK, &["block-Conrad"], "town-Jaffa"), ["sail Conrad", "land Jaffa"]);
    assert_eq!(
        reach_of(&game, &p, FRANK, &["block-Conrad"]).iter().find(|r| r.space == "town-Jaffa").unwrap().cost,
        "1 move"
    );
}

#[test]
fn a_march_that_is_begun_goes_on() {
    let game = CrusaderRex::built_in();
    let mut p = staged(&game, ARMY);
    for line in ["group Damascus", "go Saladin > Banyas", "go Keukburi > Ashtera"] {
        game.apply(&mut p, SARACEN, game.read(line).unwrap(), &mut table::Silent::new(0));
    }
    assert_eq!(lines(&game, &p, SARACEN, &["block-Saladin"], "town-Tiberias"), ["go Saladin > Tiberias"]);
    assert_eq!(lines(&game, &p, SARACEN, &["block-Zangi"], "town-Ashtera"), ["go Zangi > Ashtera"]);
    let reach = reach_of(&game, &p, SARACEN, &["block-Saladin"]);
    assert_eq!(reach.iter().find(|end| end.space == "town-Tiberias").unwrap().cost, "1 road");
}

#[test]
fn what_cannot_be_gives_nothing() {
    let game = CrusaderRex::built_in();
    let p = staged(&game, ARMY);
    for picked in [
        vec!["block-King Guy"],
        vec!["block-Saladin", "block-King Guy"],
        vec!["block-Nobody"],
        vec!["hidden-Frank-lone-1"],
        vec!["town-Damascus"],
        vec![""],
        vec![],
    ] {
        assert_eq!(reach_of(&game, &p, SARACEN, &picked), [], "{picked:?}");
        assert!(lines(&game, &p, SARACEN, &picked, "town-Banyas").is_empty(), "{picked:?}");
    }
    for to in ["town-Egypt", "town-Nowhere", "castle-Tiberias", "Banyas", "", "town-Damascus"] {
        assert!(lines(&game, &p, SARACEN, &["block-Saladin"], to).is_empty(), "{to}");
    }
    assert_eq!(reach_of(&game, &p, FRANK, &["block-King Guy"]), [], "it is not his turn");
    let onlooker = game.view(&p, Viewer::Observer);
    assert_eq!(game.reach(&onlooker, &["block-Saladin"]), []);
}

#[test]
fn the_reach_is_the_same_in_all_twins() {
    let game = CrusaderRex::built_in();
    let p = staged(&game, ARMY);
    let view = game.view(&p, Viewer::Seat(SARACEN));
    let picked = ["block-Saladin", "block-Zangi"];
    let reach = game.reach(&view, &picked);
    assert!(!reach.is_empty());
    let mut others = 0;
    for seed in 0..20 {
        let twin = game.imagine(&view, &mut Lots::new(seed));
        others += u32::from(twin != p);
        assert_eq!(reach_of(&game, &twin, SARACEN, &picked), reach);
        for end in &reach {
            assert_eq!(
                lines(&game, &twin, SARACEN, &picked, &end.space),
                lines(&game, &p, SARACEN, &picked, &end.space)
            );
        }
    }
    assert!(others > 0, "twins differ");
}

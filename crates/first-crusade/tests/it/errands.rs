//! Where picked pieces can go: every place in reach has a route, and the route leads there.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use first_crusade::FirstCrusade;
use first_crusade::position::Position;
use table::rooms::*;
use table::scene::Piece;
use table::{Acted, Fact, Lots, Match, Nonces, Reach, Seat, Seats, Seed, Silent, Viewer, Wishes};

const CRUSADERS: Seat = Seat::new(0);
const BYZANTINES: Seat = Seat::new(1);

fn stage(game: &FirstCrusade, text: &str) -> Position {
    game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap()
}

fn open(game: &Arc<FirstCrusade>, scenario: &str, seats: u8, seed: u64) -> Match<FirstCrusade> {
    let wishes =
        Wishes { scenario: Some(scenario.into()), seats: Some(Seats::Count(seats)), ..Wishes::default() };
    let setup = game.title().set_up(&wishes).unwrap();
    Match::open(game.clone(), setup, Seed::numbered(seed), Nonces::default()).unwrap()
}

fn reach(game: &FirstCrusade, p: &Position, picked: &[&str]) -> Vec<Reach> {
    game.reach(&game.view(p, Viewer::Seat(CRUSADERS)), picked)
}

fn to<'a>(reach: &'a [Reach], space: &str) -> Option<&'a Reach> {
    reach.iter().find(|place| place.space == format!("space-{space}"))
}

fn route(game: &FirstCrusade, p: &Position, picked: &[&str], to: &str) -> Vec<String> {
    let actions = game.route(&game.view(p, Viewer::Seat(CRUSADERS)), picked, &format!("space-{to}"));
    actions.into_iter().map(|action| game.write(action).to_string()).collect()
}

#[test]
fn before_the_roll_the_chance_is_told_and_the_route_forms_the_force() {
    let game = FirstCrusade::built_in();
    let text =
        "units = [\"Nicomedia: Godfrey, Knights I, Knights II, Pilgrims I\"]\nreduced = [\"Knights II\"]";
    let p = stage(&game, text);
    let all = ["unit-Godfrey", "unit-Knights I", "unit-Knights II", "unit-Pilgrims I"];
    let host = reach(&game, &p, &all);
    let near = to(&host, "Claudiopolis").unwrap();
    assert_eq!((near.cost.as_str(), near.danger.as_str(), near.ends), ("100 %", "", false));
    assert_eq!(to(&host, "Ancyra").unwrap().cost, "100 %");
    assert_eq!(to(&host, "Halys Crossing").unwrap().cost, "97 %", "a two will not do");
    assert!(to(&host, "Constantinople").unwrap().ends);
    let lines = ["march Crusaders from Nicomedia", "go Ancyra"];
    assert_eq!(route(&game, &p, &all, "Ancyra"), lines);
    let one = reach(&game, &p, &["unit-Knights I"]);
    assert_eq!(to(&one, "Halys Crossing").unwrap().cost, "67 %", "one die without a leader");
    let lines = ["form Crusaders from Nicomedia", "only Knights I", "roll", "go Ancyra"];
    assert_eq!(route(&game, &p, &["unit-Knights I"], "Ancyra"), lines);
    let lines = ["form Crusaders from Nicomedia", "leave Knights II", "roll", "go Ancyra"];
    assert_eq!(route(&game, &p, &[all[0], all[1], all[3]], "Ancyra"), lines);
}

#[test]
fn after_the_roll_the_cost_is_told_and_what_waits_there() {
    let game = FirstCrusade::built_in();
    let mut p = stage(
        &game,
        "units = [\"Civetot: Godfrey, Knights I\", \"Nicaea: Seljuk Militia I\", \"Nicomedia: John Doukas\"]",
    );
    let mut dice = table::Scribe::new(table::Scripted { dice: [3, 4].into(), ..Default::default() });
    game.apply(&mut p, CRUSADERS, game.read("march Crusaders from Civetot").unwrap(), &mut dice);
    let places = reach(&game, &p, &["unit-Knights I"]);
    let nicaea = to(&places, "Nicaea").unwrap();
    let told = ("1 movement point", "1 Muslim unit behind walls; attrition", true);
    assert_eq!(
        (nicaea.cost.as_str(), nicaea.danger.as_str(), nicaea.ends),
        told,
        "a seven wears the host out"
    );
    assert_eq!(to(&places, "Dorylaeum"), None, "the Muslims stop them");
    assert_eq!(route(&game, &p, &["unit-Knights I"], "Nicaea"), ["go Nicaea"], "whoever is picked, all go");
    assert_eq!(reach(&game, &p, &["unit-John Doukas"]), [], "he is not with them");
}

#[test]
fn forbidden_stacking_and_the_desert_are_dangers() {
    let game = FirstCrusade::built_in();
    let p = stage(&game, "units = [\"Nicomedia: John Doukas\", \"Claudiopolis: Godfrey\"]");
    let places = reach(&game, &p, &["unit-John Doukas"]);
    assert_eq!(to(&places, "Claudiopolis").unwrap().danger, "another contingent: no staying there");
    let p = stage(&game, "units = [\"Iconium: Godfrey\"]");
    let places = reach(&game, &p, &["unit-Godfrey"]);
    let dry: Vec<_> = places.iter().filter(|place| place.danger.contains("desert")).collect();
    assert!(dry.iter().any(|place| place.danger == "desert: attrition on 7 or 8"), "{places:?}");
}

#[test]
fn ships_take_aboard_who_is_picked_with_them() {
    let game = FirstCrusade::built_in();
    let p = stage(&game, "units = [\"Smyrna: Crusader Fleet I, Crusader Fleet II, Tancred, Knights I\"]");
    let picked = ["unit-Crusader Fleet I", "unit-Tancred"];
    let lines = ["sail Crusaders from Smyrna", "embark Tancred", "roll", "go Icarian Sea"];
    assert_eq!(route(&game, &p, &picked, "Icarian Sea"), lines, "both ships lie as one");
    assert_eq!(reach(&game, &p, &["unit-Crusader Fleet II"]), [], "no piece is called so");
    assert_eq!(to(&reach(&game, &p, &["unit-Tancred"]), "Icarian Sea"), None, "without a ship nobody sails");
    let crowded = ["unit-Crusader Fleet I", "unit-Tancred", "unit-Knights I"];
    assert_eq!(route(&game, &p, &crowded, "Icarian Sea").len(), 5, "one unit each");
}

#[test]
fn what_is_unknown_out_of_reach_or_not_ones_own_goes_nowhere() {
    let game = Arc::new(FirstCrusade::built_in());
    let table = open(&game, "crusade", 2, 5);
    assert!(!table.reach(CRUSADERS, &["unit-Godfrey"]).is_empty());
    for picked in
        [&["unit-Alexios"][..], &["unit-Seljuk Militia I"], &["unit-Nobody"], &["space-Nicaea"], &[]]
    {
        assert_eq!(table.reach(CRUSADERS, picked), [], "{picked:?}");
        assert_eq!(table.route(CRUSADERS, picked, "space-Civetot"), [], "{picked:?}");
    }
    assert_eq!(table.reach(CRUSADERS, &["unit-Godfrey", "unit-Constantine"]), [], "they stand apart");
    assert_eq!(table.reach(BYZANTINES, &["unit-Alexios"]), [], "it is not for them to decide");
    for to in ["space-Jerusalem", "space-Nowhere", "unit-Godfrey", ""] {
        assert_eq!(table.route(CRUSADERS, &["unit-Godfrey"], to), [], "{to}");
    }
}

/// Random games; in each position pieces of a space are picked: one, some, all.
#[test]
fn every_place_in_reach_has_a_route_that_leads_there() {
    let game = Arc::new(FirstCrusade::built_in());
    let (mut routes, mut arrived, mut thrown) = (0, 0, 0);
    let tables = [("crusade", 1), ("crusade", 3), ("antioch", 1), ("antioch", 2)];
    for (seed, (scenario, seats)) in (0..16).zip(tables.into_iter().cycle()) {
        let mut table = open(&game, scenario, seats, seed);
        let mut lots = Lots::new(seed);
        for step in 0.. {
            let Some(seat) = table.deciding().lowest() else { break };
            let Some(observed) = table.observed(seat) else { break };
            if step % 2 == 0 {
                let scene = table.scene(Viewer::Seat(seat));
                let pieces = &scene.boards[0].pieces;
                let christian = |piece: &&Piece| piece.owner.is_some_and(|owner| owner.index() < 3);
                let first = lots.pick(&pieces.iter().filter(christian).collect::<Vec<_>>()).unwrap();
                let stack = pieces.iter().filter(|piece| piece.space == first.space);
                let some = lots.below(3);
                let picked: Vec<&str> = stack
                    .filter(|piece| match some {
                        0 => piece.id == first.id,
                        1 => lots.below(2) == 0,
                        _ => true,
                    })
                    .map(|piece| piece.id.as_str())
                    .collect();
                let places = table.reach(seat, &picked);
                let twin = game.imagine(&observed.view, &mut lots);
                let same = game.reach(&game.view(&twin, Viewer::Seat(seat)), &picked);
                assert_eq!(places, same, "what is hidden changes nothing");
                for place in places {
                    let route = table.route(seat, &picked, &place.space);
                    assert!(!route.is_empty(), "{picked:?} to {}", place.space);
                    let mut after = table.clone();
                    routes += 1;
                    match after.act(seat, None, &route).unwrap() {
                        Acted::Committed { unplayed: 0 } | Acted::Drafted => {}
                        Acted::Committed { unplayed: 1 } => {
                            thrown += 1;
                            let certain = place.cost == "100 %";
                            let last = *route.last().unwrap();
                            assert!(!certain || table::is_allowed(&*game, after.position(), seat, last));
                            continue;
                        }
                        other => panic!("{picked:?} to {}: {other:?}", place.space),
                    }
                    let space = place.space.strip_prefix("space-").unwrap();
                    let now = game.imagine(&after.view(Viewer::Seat(seat)), &mut Lots::new(0));
                    let there = |id: &&str| {
                        let name = id.trim_start_matches("battle-").trim_start_matches("unit-");
                        let fact = game.fact(&now, &now, name).unwrap();
                        matches!(fact, Fact::Text(text) if text.contains(space))
                    };
                    if place.danger.is_empty() {
                        arrived += 1;
                        assert!(picked.iter().all(there), "{picked:?} to {space}");
                    }
                }
            }
            let action = observed.offers[lots.below(observed.offers.len() as u32) as usize].action;
            table.act(seat, None, &[action]).unwrap();
        }
    }
    assert!(
        routes > 500 && arrived > 20 && thrown > 200,
        "{routes} routes, {arrived} arrived, {thrown} to dice"
    );
}

#[test]
fn those_who_withdraw_see_where_to() {
    let game = FirstCrusade::built_in();
    let mut p = stage(
        &game,
        "units = [\"Civetot: Hugh, Knights I\", \"Nicaea: Kilij\", \"Constantinople: Godfrey\"]\n\
         no_bin = [\"Seljuks\"]\nreduced = [\"Hugh\"]",
    );
    let script = table::Scripted { dice: [1, 1, 1, 1, 6, 1, 6].into(), ..Default::default() };
    let mut dice = table::Scribe::new(script);
    for line in ["march Crusaders from Civetot", "go Nicaea", "lose Hugh"] {
        game.apply(&mut p, CRUSADERS, game.read(line).unwrap(), &mut dice);
    }
    let places = reach(&game, &p, &["battle-unit-Knights I"]);
    let names: Vec<_> = places.iter().map(|place| place.space.as_str()).collect();
    assert_eq!(names, ["space-Civetot", "space-Dorylaeum"]);
    let go = game.route(&game.view(&p, Viewer::Seat(CRUSADERS)), &["battle-unit-Knights I"], names[1]);
    game.apply(&mut p, CRUSADERS, go[0], &mut Silent::new(1));
    assert_eq!(game.fact(&p, &p, "Knights I").unwrap(), "Dorylaeum".into());
}

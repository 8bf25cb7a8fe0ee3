//! What the page shows of a battle, and what a refusal says: sight and range, odds, rings, pips, sheets, advice.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use croisades::field::Step;
use croisades::ids::Side;
use croisades::skirmish::Skirmish;
use croisades::skirmish::position::Position;
use table::conformance::wording::{self, fault};
use table::rooms::*;
use table::scene::{Face, Scene};
use table::{Explained, Match, Nonces, Seat, Seed, TableError, Viewer, Wishes};

const CRUSADER: Seat = Seat::new(0);
const SARACEN: Seat = Seat::new(1);

fn staged(game: &Skirmish, text: &str) -> Position {
    game.stage(&table::sheet::parse("page", text).unwrap()).unwrap()
}

fn shown(game: &Skirmish, p: &Position, seat: Seat) -> Scene {
    game.scene(&game.view(p, Viewer::Seat(seat)))
}

/// The id of a man's piece, as the page has it.
fn piece(scene: &Scene, name: &str) -> table::scene::Piece {
    let named =
        |piece: &&table::scene::Piece| matches!(&piece.face, Face::Shown(front) if front.name == name);
    scene.boards[0].pieces.iter().find(named).unwrap().clone()
}

fn refusals(game: &Skirmish, p: &Position, seat: Seat) -> Vec<(String, String, String)> {
    let mut ballot = Explained::default();
    game.options(p, seat, &mut ballot);
    let told = |r: table::Refusal<_>| (game.write(r.action).to_string(), r.rule.to_string(), r.why);
    ballot.refusals.into_iter().map(told).collect()
}

const GROVE: &str = r#"
map = "olive-grove"
men = { Simon = "03.02", Farhad = "03.06", Ali = "02.05", Gervase = "16.01", Rashid = "16.24 E" }
commanders = ["Gervase", "Rashid"]
"#;

/// A shot without sight names the hex in the way; one that is too far says so.
#[test]
fn a_shot_that_is_stopped_says_where() {
    let game = Skirmish::built_in();
    let told = refusals(&game, &staged(&game, GROVE), CRUSADER);
    let why = |action: &str| told.iter().find(|(text, _, _)| text == action).unwrap().clone();
    let (_, rule, words) = why("shoot Farhad with Simon");
    assert!(rule == "T14" && words.ends_with("is in the way on 03.04"), "{words}");
    let (_, rule, words) = why("shoot Rashid with Simon");
    assert!(rule == "T13" && words.contains("range"), "{rule} {words}");
}

/// Who is picked in the fire phase has only those within range and sight lit, with his chances.
#[test]
fn a_picked_archer_sees_his_targets() {
    let game = Skirmish::built_in();
    let p = staged(&game, GROVE);
    let simon = piece(&shown(&game, &p, CRUSADER), "Simon").id;
    let reach = game.reach(&game.view(&p, Viewer::Seat(CRUSADER)), &[&simon]);
    assert!(reach.iter().all(|r| r.space != "hex-03.06"), "a tree hides Farhad: {reach:?}");
    let ali = reach.iter().find(|r| r.space == "hex-02.05").unwrap();
    assert!(ali.cost.ends_with("/10"), "{ali:?}");
}

/// A far hex without a route says why: what is in the way or too dear, and the rule. Nobody moves for it.
#[test]
fn a_far_hex_says_why_not() {
    let game = Arc::new(Skirmish::built_in());
    let wishes = Wishes { scenario: Some("watering-hole".into()), ..Wishes::default() };
    let setup = game.title().set_up(&wishes).unwrap();
    let mut sitting = Match::open(game.clone(), setup, Seed::numbered(1), Nonces::default()).unwrap();
    let seat = loop {
        let seat = sitting.waiting_for().lowest().unwrap();
        let text = match sitting.view(Viewer::Seat(seat)).open.field.step() {
            Step::Initiative(_) => "set up first",
            Step::Deploy(..) => "ready",
            Step::Fire => "done",
            _ => break seat,
        };
        let action = sitting.read(text).unwrap();
        sitting.act(seat, None, &[action]).unwrap();
    };
    let before = sitting.view(Viewer::Seat(seat));
    let mut rules = std::collections::BTreeSet::new();
    let own = |side: Side| Seat::new(side.index() as u8) == seat;
    let men: Vec<_> = before.open.field.all().filter(|(_, m)| own(m.side)).map(|(man, _)| man).collect();
    for man in men {
        let piece = format!("man-{}", man.number() + 1);
        let reach = sitting.reach(seat, &[&piece]);
        for place in before.open.field.places().step_by(5) {
            let space = format!("hex-{place}");
            if reach.iter().any(|r| r.space == space) {
                continue;
            }
            let route = sitting.route(seat, &[&piece], &space);
            if route.is_empty() {
                continue;
            }
            match sitting.act(seat, None, &route) {
                Err(TableError::Refused { rule, why, .. }) => {
                    assert!(!why.is_empty());
                    rules.insert(rule.to_string());
                }
                other => panic!("{piece} to {space}: {other:?}"),
            }
            assert!(sitting.view(Viewer::Seat(seat)) == before, "nobody has moved");
        }
    }
    // Too dear or closed, and somebody in the way.
    assert!(rules.contains("T4") && rules.len() > 1, "{rules:?}");
}

const FIGHT: &str = r#"
men = { Guy = "04.10 E", Farhad = "04.11", Gervase = "16.01", Rashid = "16.24 E", Osbert = "13.03", Baha = "13.04" }
commanders = ["Gervase", "Rashid"]
run = { Guy = 3 }
life = { Farhad = 12 }
step = "combat"
"#;

/// Beside a target: the odds of all three answers, and what loss stuns, wounds and kills.
#[test]
fn an_attack_shows_its_odds() {
    let game = Skirmish::built_in();
    let mut p = staged(&game, FIGHT);
    let mut umpire = table::Silent::new(1);
    for (seat, text) in [(CRUSADER, "attack Farhad with Guy"), (CRUSADER, "strike")] {
        game.apply(&mut p, seat, game.read(text).unwrap(), &mut umpire);
    }
    for seat in [CRUSADER, SARACEN] {
        let scene = shown(&game, &p, seat);
        let sum = |name: &str| scene.sums.iter().find(|s| s.name == name).unwrap();
        // 24 by a charge are 36, and one point of experience; Farhad has 8 and 1.
        assert_eq!(sum("Attack").total, "37");
        assert_eq!(sum("Counter-attack").total, "9");
        assert!(
            sum("Counter-attack").note.contains("100 times in a hundred"),
            "{}",
            sum("Counter-attack").note
        );
        assert_eq!(sum("Dodge of Farhad").total, "8");
        assert!(sum("Dodge of Farhad").note.contains("0 of 6"), "{}", sum("Dodge of Farhad").note);
        assert_eq!(sum("Withdrawal of Farhad").lines[0].amount, "D10, 3 times");
        let life = sum("Life of Farhad");
        assert_eq!(life.note, "It takes a loss of 7 to stun him, 4 to wound and 12 to kill");
        assert_eq!(life.target.as_ref(), Some(&piece(&scene, "Farhad").id));
    }
}

/// One time in a hundred and one point of life are counted as one, before an attack and beside it.
#[test]
fn one_of_anything_is_counted_as_one() {
    let game = Skirmish::built_in();
    let attack = game.read("attack Farhad with Guy").unwrap();
    let mut told = Vec::new();
    for (life, experience) in [1, 9].into_iter().flat_map(|life| (0..=60).map(move |e| (life, e))) {
        let text = FIGHT.replace("Farhad = 12", &format!("Farhad = {life}"));
        let mut p = staged(&game, &format!("{text}experience = {{ Farhad = {experience} }}\n"));
        told.push(game.choice(&game.view(&p, Viewer::Seat(CRUSADER)), attack).hint);
        game.apply(&mut p, CRUSADER, attack, &mut table::Silent::new(1));
        told.extend(shown(&game, &p, CRUSADER).sums.into_iter().map(|sum| sum.note));
    }
    let faults = told.iter().filter_map(|text| Some((text, fault(text, wording::Place::Line)?)));
    assert_eq!(faults.collect::<Vec<_>>(), []);
    for part in ["counter-attack 1 time in", "wins 1 time in", " 1 to wound", " 1 to kill"] {
        assert!(told.iter().any(|text| text.contains(part)), "nothing says `{part}`");
    }
}

/// Life as pips, the facing of a rider and both his hexes, a ring for each commander, a sheet for each side.
#[test]
fn the_board_shows_men_as_they_are() {
    let game = Skirmish::built_in();
    let p = staged(&game, FIGHT);
    let scene = shown(&game, &p, CRUSADER);
    let farhad = piece(&scene, "Farhad");
    let Face::Shown(front) = &farhad.face else { panic!("he is open") };
    assert!(front.pips.0 < front.pips.1, "{:?}", front.pips);
    let guy = piece(&scene, "Guy");
    let Face::Shown(front) = &guy.face else { panic!("he is open") };
    assert_eq!(front.pips.0, front.pips.1);
    assert_eq!((guy.space.as_str(), guy.covers.as_deref()), ("hex-04.10", Some("hex-04.09")));
    assert!(guy.facing.is_some() && farhad.facing.is_none());
    let rings: Vec<_> = scene.boards[0].rings.iter().map(|r| r.owner.unwrap()).collect();
    assert_eq!(rings, [CRUSADER, SARACEN]);
    let ring = |space: &str| scene.boards[0].rings[0].spaces.iter().any(|s| s == space);
    assert!(ring("hex-16.01") && ring("hex-16.03") && !ring("hex-16.04") && !ring("hex-01.24"));
    assert_eq!(scene.aids.len(), 2);
    let sheet = scene.aids[1].rows.iter().find(|r| r.cells[0] == "Farhad").unwrap();
    assert_eq!(sheet.cells[3..7], ["8", "6", "6", "12 of 18"].map(String::from));
}

/// A garrison is lined up along its wall from the gate on [T10]: of 26 men the last stands in the middle of the far
/// side, not yet where the sides meet it.
#[test]
fn a_garrison_is_lined_up_from_the_gate_on() {
    let game = Skirmish::built_in();
    let names = "Pugh Frederick Cliff Hayden Gervase Osbert Ernest Baldric Shawn Fursa Bryn Gareth Arnold Stori Aki \
                 Simon Peter Fulk Hugh George Denis Nicholas Francisco Tom Will Osric";
    let men: String = names.split_whitespace().map(|name| format!("{name} = \"away\", ")).collect();
    let mut p = staged(
        &game,
        &format!(
            r#"
map = "border-castle"
defender = "Crusader"
men = {{ {men}Ali = "16.01", Aybak = "16.05" }}
commanders = ["Gervase", "Aybak"]
step = "initiative"
"#
        ),
    );
    game.apply(&mut p, CRUSADER, game.read("set up first").unwrap(), &mut table::Silent::new(1));
    let scene = shown(&game, &p, CRUSADER);
    let manned = |hex: &str| scene.boards[0].pieces.iter().any(|piece| piece.space == hex);
    // Beside the gate, both corners, far along the sides, and opposite the gate.
    for hex in ["hex-13.12", "hex-13.14", "hex-13.07", "hex-13.20", "hex-07.07", "hex-07.20", "hex-04.13"] {
        assert!(manned(hex), "{hex}");
    }
    for hex in ["hex-06.07", "hex-06.20", "hex-04.12", "hex-12.13"] {
        assert!(!manned(hex), "{hex}");
    }
}

/// The guided skirmish has advice for whoever decides, and for nobody else; the others have none.
#[test]
fn only_the_guided_skirmish_advises() {
    let game = Skirmish::built_in();
    for (scenario, advised) in [("first-blood", true), ("watering-hole", false)] {
        let p = staged(&game, &format!("scenario = \"{scenario}\"\n{FIGHT}"));
        let advice = |seat| shown(&game, &p, seat).prompt.unwrap().advice;
        assert_eq!(!advice(CRUSADER).is_empty(), advised, "{scenario}");
        assert_eq!(advice(SARACEN), "");
    }
}

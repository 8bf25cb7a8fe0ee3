//! What the rulebook defines before the rules begin: the map, the pieces, and who controls a space.
#![allow(clippy::unwrap_used)]

use kingdom_of_heaven::KingdomOfHeaven;
use kingdom_of_heaven::position::{Ending, Position};
use table::Fact;
use table::rooms::*;

fn staged(game: &KingdomOfHeaven, text: &str) -> Position {
    game.stage(&table::sheet::parse("stage", text).unwrap()).unwrap()
}

fn fact(game: &KingdomOfHeaven, text: &str, key: &str) -> Fact {
    let p = staged(game, text);
    game.fact(&p, &p, key).unwrap()
}

/// Walls [2.2].
#[test]
fn jerusalem_has_walls_only_in_the_first_four_scenarios() {
    let game = KingdomOfHeaven::built_in();
    for (scenario, kind) in
        [("A", "city"), ("B", "city"), ("C", "city"), ("D", "city"), ("E", "low"), ("J", "low")]
    {
        let text = format!("scenario = \"{scenario}\"\nmoves = \"Christian\"\nchristian = [\"57\"]");
        assert_eq!(fact(&game, &text, "garrison Jerusalem"), Fact::from(kind), "{scenario}");
    }
    let c = game.components();
    let way = |from: &str, to: &str| *c.way(c.space_of(from).unwrap(), c.space_of(to).unwrap()).unwrap();
    assert_eq!((way("Herakleia", "Mersin").mp, way("Hebron", "Kerak").mp, way("Acre", "Tyre").mp), (3, 2, 1));
    assert!(way("Bosra", "al_azraq").desert && !way("Bosra", "As-Salt").desert);
    assert_eq!(c.provinces.iter().filter(|p| p.capitals.len() == 2).count(), 1);
}

/// Units and leaders [2.3].
#[test]
fn pieces_have_the_figures_of_their_people() {
    let game = KingdomOfHeaven::built_in();
    let c = game.components();
    let leader = |name: &str| c.leader(c.leader_of(name).unwrap());
    assert_eq!((leader("Richard I").ma, leader("Saladin").ma, leader("Hulegu Khan").ma), (4, 6, 6));
    let kind = |id: &str| c.kind(c.kind_of(id).unwrap());
    assert!(kind("ayyubids_2-6").cavalry && !kind("mongols_2-4").cavalry);
    assert!(kind("mongols_4-6").dot && kind("jerusalem_2-6").dot && !kind("ayyubids_2-6").dot);
    assert_eq!((kind("templars_3-4").cs, kind("templars_3-4").reduced_cs), (3, 3));
}

/// Control [3].
#[test]
fn strongholds_then_units_then_provinces_give_control() {
    let game = KingdomOfHeaven::built_in();
    let control = |text: &str, space: &str| {
        let text = format!("moves = \"Christian\"\nchristian = [\"57\"]\n{text}");
        fact(&game, &text, &format!("control {space}"))
    };
    // A besieger does not control the space, and his enemy keeps its points.
    let siege = "forces = [\"Acre: Saladin, 8 Ayyubid 2-6\"]\nsieges = [\"Acre rf 4\"]";
    assert_eq!(control(siege, "Acre"), Fact::from("Christian"));
    assert_eq!(
        fact(&game, &format!("moves = \"Christian\"\nchristian = [\"57\"]\n{siege}"), "vp Christian"),
        Fact::from(18)
    );
    // A unit controls an open space, a leader alone does not, and nobody's land is nobody's.
    assert_eq!(control("forces = [\"Hebron: 1 Ayyubid 2-6\"]", "Hebron"), Fact::from("Muslim"));
    assert_eq!(control("forces = [\"Hebron: Saladin\"]", "Hebron"), Fact::from("Christian"));
    assert_eq!(control("", "Herakleia"), Fact::from("nobody"));
    // Neutral land is friendly to nobody, whoever stands beside its castle.
    assert_eq!(control("", "Nicosia"), Fact::from("nobody"));
    // All strongholds of a province taken do not make its empty spaces friendly.
    let taken = "strongholds = [\"Limassol crusaders\", \"Famagusta crusaders\"]";
    assert_eq!(control(taken, "Nicosia"), Fact::from("nobody"));
}

/// A scheduled crusade [19.2].
#[test]
fn a_crusade_comes_with_exactly_the_points_that_it_asks_for() {
    let game = KingdomOfHeaven::built_in();
    let ending = |strongholds: &str| {
        let text = format!("phase = \"arrivals\"\nturn = 4\nstrongholds = [{strongholds}]");
        staged(&game, &text).open.ending
    };
    let lost = "\"Damascus jerusalem\"";
    assert_eq!(ending(lost), None, "eleven points are enough");
    let lost = format!("{lost}, \"Alexandria jerusalem\"");
    assert_eq!(ending(&lost), Some(Ending::NoCrusade), "ten are not");
}

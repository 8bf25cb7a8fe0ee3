use table::arms::{Coat, Group, Paint, Roll};

use super::charges::figure;
use super::*;

fn roll() -> Roll {
    Roll::read("arms.toml", levant::ARMS).unwrap()
}

fn arms(text: &str) -> Arms {
    Arms::read(text).unwrap()
}

#[test]
fn the_roll_is_sound() {
    let roll = roll();
    assert_eq!((roll.coats().len(), roll.houses().len()), (203, 64));
    let bears = |game, name, kinds: &[&str]| roll.bears(game, name, kinds).unwrap().key.as_str();
    assert_eq!(bears("crusader-rex", "Saladin", &[]), "Ayyubids");
    assert_eq!(bears("first-crusade", "Genoese Fleet", &["contingent:crusader"]), "Genoa");
    assert_eq!(bears("first-crusade", "Norman Knights", &["contingent:crusader"]), "Crusaders");
    assert_eq!(bears("croisades", "seat:Lion", &[]), "Seat of the Lion");
    assert_eq!(bears("croisades", "Acre", &["place:Acre"]), "Town of Acre");
}

#[test]
fn a_few_coats_as_they_are_written() {
    let coats = [
        ("gules, three lions passant in pale or", Escutcheon::Heater, Style::LIGHT),
        ("argent, a Jerusalem cross or", Escutcheon::Heater, Style::LIGHT),
        ("argent, a cross patty gules, a chief sable", Escutcheon::Kite, Style::DARK),
        ("or, an eagle displayed gules", Escutcheon::Roundel, Style::LIGHT),
        ("azure, a bend argent cotised or", Escutcheon::Heater, Style::LIGHT),
        ("argent, two swords in saltire gules", Escutcheon::Lozenge, Style::LIGHT),
        ("gules, a rose ermine", Escutcheon::Heater, Style::DARK),
        ("quarterly gules and (azure semy of fleurs-de-lis or)", Escutcheon::Heater, Style::LIGHT),
        ("gules, a cross or between four firesteels or", Escutcheon::Roundel, Style::LIGHT),
        (
            "gules, three lions passant in pale or, a label of five points azure",
            Escutcheon::Heater,
            Style::DARK,
        ),
    ];
    let drawn: Vec<String> = coats
        .iter()
        .map(|(text, shield, style)| {
            let svg = fragment(&arms(text), *shield, style).replace("><", ">\n<");
            format!("{text} ({shield:?})\n{svg}\n")
        })
        .collect();
    insta::assert_snapshot!(drawn.join("\n"));
}

#[test]
fn ids_follow_from_what_is_drawn() {
    let (france, navarre) = (arms("azure semy of fleurs-de-lis or"), arms("gules, a cross or"));
    let (heater, round) = (Escutcheon::Heater, Escutcheon::Roundel);
    // This very id: a page that was open before an update of the program may use it.
    assert_eq!(id(&france, heater, &Style::LIGHT), "arms-b79cb6b3acfe");
    let ids = [
        id(&france, heater, &Style::LIGHT),
        id(&france, heater, &Style::DARK),
        id(&france, round, &Style::LIGHT),
        id(&navarre, heater, &Style::LIGHT),
    ];
    for (i, id) in ids.iter().enumerate() {
        assert!(!ids[..i].contains(id));
    }
    let once = symbol(&france, heater, &Style::LIGHT);
    assert_eq!(once, symbol(&arms(&france.to_string()), heater, &Style::LIGHT));
    assert!(once.svg.starts_with(&format!("<symbol id=\"{}\"", once.id)));
    assert_eq!(
        used(&once.id, 10.0, 20.0, 16.0),
        format!("<use href=\"#{}\" x=\"2\" y=\"12\" width=\"16\" height=\"16\"/>", once.id)
    );
}

#[test]
fn all_coats_are_short_and_whole() {
    let roll = roll();
    let mut sum = 0;
    for coat in roll.coats() {
        for shield in Escutcheon::ALL {
            for style in [Style::LIGHT, Style::DARK] {
                let svg = symbol(&coat.arms, shield, &style).svg;
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}: {svg}", coat.key);
                assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count(), "{}", coat.key);
                assert!(svg.len() < 4000, "{}: {} bytes", coat.key, svg.len());
                sum += svg.len();
            }
        }
    }
    let each = sum / roll.coats().len() / 8;
    assert!(each < 900, "{each} bytes each");
}

#[test]
fn every_charge_finds_room_in_any_number_and_place() {
    for shield in Escutcheon::ALL {
        let frame = Frame::whole(shield);
        for charge in table::arms::Charge::ALL {
            let figure = figure(charge, 5);
            for place in std::iter::once(None).chain(Place::ALL.map(Some)) {
                for number in 1..=12 {
                    let paint = Paint::Plain(Tincture::Or);
                    let group = Group { number, charge, points: None, place, paint };
                    let spots = frame.stand(&group, &figure);
                    let expected = if place == Some(Place::InSaltire) { 2 } else { number };
                    assert_eq!(spots.len(), usize::from(expected));
                    for spot in spots {
                        let least = match (place, number) {
                            (None, _) => 0.07,
                            (Some(_), ..=6) => 0.04,
                            _ => 0.02,
                        };
                        assert!(spot.scale > least, "{number} {charge:?} {place:?} {shield:?}: {spot:?}");
                        let reach = shield.reach(spot.y);
                        assert!(spot.x.abs() < reach, "{number} {charge:?} {place:?} {shield:?}: {spot:?}");
                    }
                }
            }
        }
    }
}

#[cfg(feature = "png")]
mod seen {
    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg;
    use table::sheet;

    use super::*;

    const SIDE: u32 = 16;

    /// What is seen of a coat at 16 pixels, on the middle of the palette's grounds.
    fn pixels(arms: &Arms, shield: Escutcheon, style: &Style) -> Vec<[i32; 3]> {
        let symbol = symbol(arms, shield, style);
        let coat = used(&symbol.id, 8.0, 8.0, 16.0);
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"16\" height=\"16\"><rect width=\"16\" \
             height=\"16\" fill=\"#808080\"/><defs>{}</defs>{coat}</svg>",
            symbol.svg
        );
        let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap();
        let mut pixels = Pixmap::new(SIDE, SIDE).unwrap();
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        pixels.pixels().iter().map(|p| [p.red(), p.green(), p.blue()].map(i32::from)).collect()
    }

    /// How many pixels look different.
    fn unlike(a: &[[i32; 3]], b: &[[i32; 3]]) -> usize {
        let apart =
            |(a, b): (&[i32; 3], &[i32; 3])| (0..3).map(|i| (a[i] - b[i]).pow(2)).sum::<i32>() > 48 * 48;
        a.iter().zip(b).filter(|pair| apart(*pair)).count()
    }

    #[test]
    fn every_coat_can_be_seen() {
        for coat in roll().coats() {
            for shield in Escutcheon::ALL {
                let drawn = pixels(&coat.arms, shield, &Style::LIGHT);
                let ground = vec![[128; 3]; drawn.len()];
                assert!(unlike(&drawn, &ground) > 80, "{} {shield:?}", coat.key);
                // What lies on the field can be told from the field alone, one thing after the other.
                let mut blazon = coat.arms.blazon().clone();
                if !blazon.layers.is_empty() {
                    blazon.layers.clear();
                    let bare = pixels(&blazon.into(), shield, &Style::LIGHT);
                    assert!(unlike(&drawn, &bare) >= 8, "{} {shield:?}", coat.key);
                }
            }
        }
    }

    #[test]
    fn coats_of_one_game_differ_at_16_pixels() {
        let roll = roll();
        for (shield, style) in [
            (Escutcheon::Heater, Style::LIGHT),
            (Escutcheon::Roundel, Style::LIGHT),
            (Escutcheon::Heater, Style::DARK),
        ] {
            let drawn: Vec<_> = roll.coats().iter().map(|c| pixels(&c.arms, shield, &style)).collect();
            // The closest pair of strangers, and of kin.
            let mut closest = [(usize::MAX, "", ""); 2];
            for (i, a) in roll.coats().iter().enumerate() {
                for (j, b) in roll.coats().iter().enumerate().skip(i + 1) {
                    let met = a.games.iter().any(|game| b.games.contains(game));
                    if met && a.arms != b.arms {
                        let kin = usize::from(a.house.is_some() && a.house == b.house);
                        closest[kin] = closest[kin].min((unlike(&drawn[i], &drawn[j]), &a.key, &b.key));
                    }
                }
            }
            // Kin may differ by a label or a few small charges, others by more.
            assert!(closest[0].0 >= 16 && closest[1].0 >= 10, "{shield:?}: {closest:?}");
        }
    }

    /// The commanders of a game, with their sides.
    fn commanders(
        path: &str,
        list: &str,
        side: impl Fn(&mut sheet::Fields<'_>) -> Option<String>,
    ) -> Vec<(String, String)> {
        let file = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&file).unwrap();
        let node = sheet::parse(&file, &text).unwrap();
        let records = node.fields().unwrap().records(list).unwrap();
        let of = |record: &sheet::Node| {
            let mut fields = record.fields().unwrap();
            let name = fields.required("name").unwrap().text().unwrap().to_string();
            side(&mut fields).map(|side| (name, side))
        };
        records.iter().filter_map(of).collect()
    }

    #[test]
    fn commanders_of_a_side_bear_different_arms() {
        let text = |fields: &mut sheet::Fields<'_>, key: &str| {
            fields.required(key).unwrap().text().unwrap().to_string()
        };
        let rex = commanders("crusader-rex/data/blocks.toml", "block", |fields| {
            let leads = ["crusader", "outremer", "emir"].contains(&text(fields, "class").as_str());
            (leads && text(fields, "name") != "Crossbows").then(|| text(fields, "side"))
        });
        let crusade = commanders("first-crusade/data/units.toml", "unit", |fields| {
            let east = ["seljuk", "fatimid", "assassin"].contains(&text(fields, "contingent").as_str());
            fields.optional("leader").map(|_| if east { "Muslim" } else { "Christian" }.to_string())
        });
        let roll = roll();
        for (game, commanders, least) in [("crusader-rex", rex, 30), ("first-crusade", crusade, 25)] {
            assert!(commanders.len() >= least, "{game} has {} commanders", commanders.len());
            let coats: Vec<(&str, &str, &Coat)> = commanders
                .iter()
                .map(|(name, side)| {
                    let coat = roll.bears(game, name, &[]);
                    (
                        name.as_str(),
                        side.as_str(),
                        coat.unwrap_or_else(|| panic!("{game}: {name} has no arms")),
                    )
                })
                .collect();
            for (i, (name, side, coat)) in coats.iter().enumerate() {
                for (other, others, theirs) in &coats[..i] {
                    assert!(
                        name == other || side != others || coat.arms != theirs.arms,
                        "{game}: {name} and {other} both bear {}",
                        coat.arms
                    );
                }
            }
        }
    }
}

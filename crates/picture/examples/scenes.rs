//! Draws a few scenes in both themes, as SVG and PNG:
//!
//! ```text
//! cargo run -p picture --example scenes -- /tmp/picture
//! ```
//!
//! writes `/tmp/picture-ten-towns-light.png` and so on.

use picture::{Highlights, Size, Style, picture, to_png};
use std::error::Error;
use table::scene::{Board, Face, Front, Piece, Scene, Shape, Space, gallery};
use table::{AnyMatch, DataFiles, Lots, Nonces, Pick, Seat, Seed, Viewer};

fn main() -> Result<(), Box<dyn Error>> {
    let stem = std::env::args().nth(1).unwrap_or_else(|| "picture".to_string());
    let write =
        |name: &str, scene: &Scene, seats: &[String], marks: &Highlights| -> Result<(), Box<dyn Error>> {
            for (theme, style) in [("light", Style::LIGHT), ("dark", Style::DARK)] {
                let svg = picture(scene, seats, marks, &style);
                let png = to_png(&svg, Size::Scale(1.0))?;
                println!("{name}-{theme}: {} bytes of SVG, {} of PNG", svg.len(), png.len());
                std::fs::write(format!("{stem}-{name}-{theme}.svg"), svg)?;
                std::fs::write(format!("{stem}-{name}-{theme}.png"), png)?;
            }
            Ok(())
        };

    for (name, game, seed, actions) in [
        ("tic-tac-toe", "tic-tac-toe", 3, 5),
        ("connect-four", "connect-four", 5, 24),
        ("phantom", "phantom-tic-tac-toe", 5, 6),
        ("ten-towns-start", "ten-towns", 1, 0),
        ("ten-towns-moves", "ten-towns", 1, 5),
        ("ten-towns-battle", "ten-towns", 4, 60),
    ] {
        let sitting = play(game, seed, actions)?;
        let seats: Vec<String> = sitting.title().seats.iter().map(|s| s.name.clone()).collect();
        let seat = sitting.waiting_for().lowest().unwrap_or(Seat::new(0));
        let offered = sitting.offered(seat);
        let marks = Highlights::of(offered.iter().map(|o| &o.choice));
        write(name, &sitting.scene(Viewer::Seat(seat)), &seats, &marks)?;
    }
    let seats = gallery::SEATS.map(String::from);
    write(
        "gallery",
        &gallery::scene(),
        &seats,
        &Highlights::on(["acre", "king-guy", "card-feint", "archer"]),
    )?;
    for board in gallery::scene().boards {
        let name = format!("gallery-{}", board.id);
        let scene = Scene { boards: vec![board], throws: gallery::scene().throws, ..Scene::default() };
        write(&name, &scene, &seats, &Highlights::on(["acre", "king-guy", "archer"]))?;
    }
    let eight: Vec<String> = ["Acre", "Cairo", "Edessa", "Damascus", "Antioch", "Mosul", "Masyaf", "Rum"]
        .map(String::from)
        .to_vec();
    write("eight", &eight_seats(), &eight, &Highlights::default())
}

/// Plays so many random actions of a small game, and then on until pieces of two seats meet, if there are any.
fn play(game: &str, seed: u64, actions: u32) -> Result<Box<dyn AnyMatch>, Box<dyn Error>> {
    let entry = table::small::ALL.iter().find(|e| e.id == game).ok_or("no such game")?;
    let game = (entry.open)(&DataFiles::built_in(entry.files))?;
    let setup = game.title().usual_set_up();
    let mut sitting = game.open(setup, Seed::numbered(seed), Nonces::default())?;
    let mut lots = Lots::new(seed);
    let mut step = 0;
    while let Some(seat) = sitting.waiting_for().lowest() {
        let battle = sitting.scene(Viewer::Seat(seat)).prompt.is_some_and(|p| p.text.contains("fires"));
        if step >= actions && (actions < 50 || battle) {
            break;
        }
        sitting.pick(seat, Pick::Random, &mut lots)?;
        step += 1;
    }
    Ok(sitting)
}

fn shown(name: &str, left: &str, right: &str, pips: (u8, u8), lit: bool, spent: bool) -> Face {
    Face::Shown(Front {
        name: name.into(),
        left: left.into(),
        right: right.into(),
        pips,
        lit,
        spent,
        ..Front::default()
    })
}

/// Hexes with the eight seats side by side, for comparing colours and emblems.
fn eight_seats() -> Scene {
    let mut board = Board {
        id: "hexes".into(),
        name: "Eight seats".into(),
        width: 1000,
        height: 560,
        ..Board::default()
    };
    for i in 0..8_u8 {
        let id = format!("hex-{i}");
        let (column, row) = (i32::from(i % 4), i32::from(i / 4));
        for (what, count, face) in [
            ("back", 1, Face::Hidden),
            ("front", 1 + i * 2 % 5, shown("Constable", "B3", "2", (2, 4), i == 2, i == 6)),
        ] {
            for n in 0..count {
                board.pieces.push(Piece {
                    id: format!("{what}-{i}-{n}"),
                    space: id.clone(),
                    owner: Some(Seat::new(i)),
                    face: face.clone(),
                    ..Piece::default()
                });
            }
        }
        board.spaces.push(Space {
            id,
            name: format!("Hold {}", i + 1),
            x: 150 + column * 232,
            y: 150 + row * 240,
            shape: if row == 0 { Shape::Hex { r: 60 } } else { Shape::Circle { r: 46 } },
            holder: Some(Seat::new(i)),
            badge: format!("{}", i + 1),
            prize: i % 3 == 0,
            ..Space::default()
        });
        let free = format!("free-{i}");
        board.spaces.push(Space {
            id: free,
            name: String::new(),
            x: 266 + column * 232,
            y: 130 + row * 260,
            shape: Shape::Circle { r: 26 },
            holder: Some(Seat::new(i)),
            ..Space::default()
        });
    }
    Scene { title: "Eight seats".into(), boards: vec![board], ..Scene::default() }
}

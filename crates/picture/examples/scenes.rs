//! Draws a few scenes in both themes, as SVG and PNG:
//!
//! ```text
//! cargo run -p picture --example scenes -- /tmp/picture
//! ```
//!
//! writes `/tmp/picture-ten-towns-light.png` and so on.

use levant::{MapFrame, Spot, Window, nudge};
use picture::{Highlights, Size, Style, picture, to_png};
use std::error::Error;
use table::scene::{
    Board, Face, Ground, Link, LinkStyle, Marker, Piece, Prompt, Scene, Shape, Space, Track, Tray, Warning,
};
use table::{AnyMatch, DataFiles, Lots, Nonces, Pick, Seat, SeatSet, Seed, Viewer, rule};

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
    let seats = ["Franks".to_string(), "Saracens".to_string()];
    write("levant", &campaign()?, &seats, &Highlights::on(["town-Acre", "town-Tyre", "block-3"]))?;
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

const TOWNS: [(&str, f64, f64, u8, &str, bool); 27] = [
    ("Antioch", 36.20, 36.16, 0, "4", true),
    ("Aleppo", 36.20, 37.16, 1, "3", true),
    ("Latakia", 35.52, 35.79, 0, "2 ⚓", false),
    ("Margat", 35.15, 35.95, 0, "2", false),
    ("Tortosa", 34.89, 35.89, 0, "1 ⚓", false),
    ("Krak", 34.76, 36.29, 0, "2", false),
    ("Hama", 35.13, 36.75, 1, "1", false),
    ("Homs", 34.73, 36.71, 1, "2", true),
    ("Tripoli", 34.44, 35.85, 0, "3 ⚓", true),
    ("Baalbek", 34.01, 36.21, 1, "1", false),
    ("Beirut", 33.89, 35.50, 0, "2 ⚓", false),
    ("Sidon", 33.56, 35.37, 0, "2 ⚓", false),
    ("Beaufort", 33.32, 35.53, 0, "1", false),
    ("Damascus", 33.51, 36.29, 1, "4", true),
    ("Tyre", 33.27, 35.20, 0, "3 ⚓", true),
    ("Acre", 32.92, 35.07, 0, "3 ⚓", true),
    ("Tiberias", 32.79, 35.53, 0, "2", false),
    ("Caesarea", 32.50, 34.89, 0, "1 ⚓", false),
    ("Nablus", 32.22, 35.26, 0, "", false),
    ("Jaffa", 32.05, 34.75, 0, "2 ⚓", false),
    ("Jerusalem", 31.78, 35.23, 0, "3", true),
    ("Ascalon", 31.67, 34.55, 0, "2 ⚓", false),
    ("Kerak", 31.18, 35.70, 0, "2", false),
    ("Gaza", 31.50, 34.47, 1, "1", false),
    ("Bosra", 32.52, 36.48, 1, "", false),
    ("Ajlun", 32.33, 35.75, 1, "", false),
    ("Banyas", 33.25, 35.69, 1, "1", false),
];

const ROADS: [(&str, &str, LinkStyle); 33] = [
    ("Antioch", "Aleppo", LinkStyle::Major),
    ("Antioch", "Latakia", LinkStyle::Major),
    ("Aleppo", "Hama", LinkStyle::Major),
    ("Latakia", "Margat", LinkStyle::Major),
    ("Margat", "Tortosa", LinkStyle::Major),
    ("Tortosa", "Tripoli", LinkStyle::Major),
    ("Krak", "Tripoli", LinkStyle::Minor),
    ("Krak", "Homs", LinkStyle::Minor),
    ("Hama", "Homs", LinkStyle::Major),
    ("Homs", "Baalbek", LinkStyle::Major),
    ("Homs", "Damascus", LinkStyle::Major),
    ("Tripoli", "Beirut", LinkStyle::Major),
    ("Baalbek", "Damascus", LinkStyle::Major),
    ("Baalbek", "Beirut", LinkStyle::Minor),
    ("Beirut", "Sidon", LinkStyle::Major),
    ("Sidon", "Tyre", LinkStyle::Major),
    ("Sidon", "Beaufort", LinkStyle::Minor),
    ("Beaufort", "Banyas", LinkStyle::Minor),
    ("Banyas", "Damascus", LinkStyle::Major),
    ("Tyre", "Acre", LinkStyle::Major),
    ("Acre", "Tiberias", LinkStyle::Major),
    ("Tiberias", "Banyas", LinkStyle::Major),
    ("Acre", "Caesarea", LinkStyle::Major),
    ("Caesarea", "Jaffa", LinkStyle::Major),
    ("Tiberias", "Nablus", LinkStyle::Major),
    ("Nablus", "Jerusalem", LinkStyle::Major),
    ("Jaffa", "Jerusalem", LinkStyle::Major),
    ("Jaffa", "Ascalon", LinkStyle::Major),
    ("Ascalon", "Gaza", LinkStyle::Major),
    ("Jerusalem", "Kerak", LinkStyle::Minor),
    ("Ajlun", "Kerak", LinkStyle::Minor),
    ("Damascus", "Bosra", LinkStyle::Major),
    ("Bosra", "Ajlun", LinkStyle::Minor),
];

/// Town, owner, name, combat, move, strength.
type Block = (&'static str, u8, &'static str, &'static str, &'static str, (u8, u8));

const BLOCKS: [Block; 25] = [
    ("Jerusalem", 0, "King Guy", "B2", "2", (4, 4)),
    ("Jerusalem", 0, "Balian", "B3", "2", (3, 3)),
    ("Jerusalem", 0, "Templars", "B3", "3", (4, 4)),
    ("Acre", 0, "Conrad", "A3", "2", (2, 4)),
    ("Acre", 0, "Hospitallers of St. John", "B3", "3", (3, 4)),
    ("Acre", 0, "Turcopoles", "A2", "3", (1, 3)),
    ("Acre", 1, "Saladin", "A3", "3", (4, 4)),
    ("Acre", 1, "Al Adil", "A3", "3", (3, 4)),
    ("Acre", 1, "Taqi al Din", "A3", "3", (2, 4)),
    ("Acre", 1, "Keukburi", "B2", "3", (3, 3)),
    ("Tyre", 0, "Reginald", "B2", "2", (3, 3)),
    ("Tyre", 0, "Josselin", "B2", "2", (2, 3)),
    ("Tripoli", 0, "Raymond", "B2", "2", (4, 4)),
    ("Tripoli", 0, "Bohemond", "B2", "2", (3, 4)),
    ("Antioch", 0, "Pilgrims", "C2", "2", (4, 4)),
    ("Kerak", 0, "Reynald", "B3", "2", (2, 3)),
    ("Krak", 0, "Hospitallers", "B3", "3", (4, 4)),
    ("Homs", 1, "Shirkuh", "A1", "3", (3, 3)),
    ("Hama", 1, "Nasir", "B1", "3", (2, 3)),
    ("Bosra", 1, "Bedouin", "A2", "4", (2, 2)),
    ("Tiberias", 1, "Yuzpah", "B2", "3", (3, 3)),
    ("Tiberias", 1, "Sanjar", "B2", "3", (2, 3)),
    ("Tiberias", 1, "Qara-Qush", "B2", "2", (3, 3)),
    ("Tiberias", 1, "Zangi", "B2", "2", (1, 4)),
    ("Ascalon", 0, "Walter", "B2", "2", (2, 2)),
];

fn shown(name: &str, left: &str, right: &str, pips: (u8, u8), lit: bool, spent: bool) -> Face {
    Face::Shown { name: name.into(), left: left.into(), right: right.into(), pips, lit, spent }
}

/// A campaign in the Levant, and the battle inside it.
fn campaign() -> Result<Scene, Box<dyn Error>> {
    let (west, south, east, north) = (3280, 3080, 3800, 3680);
    let degrees = |hundredths: i32| f64::from(hundredths) / 100.0;
    let window = Window::new(degrees(west), degrees(south), degrees(east), degrees(north))?;
    let frame = MapFrame::new(window, 1600)?;
    let spots: Vec<Spot> = TOWNS.iter().map(|t| Spot { lat: t.1, lon: t.2, radius: 40 }).collect();
    let places = nudge(&frame, &spots)?;
    let towns = TOWNS.iter().zip(places).map(|(town, (x, y))| Space {
        id: format!("town-{}", town.0),
        name: town.0.into(),
        x,
        y,
        shape: Shape::Circle { r: 26 },
        holder: Some(Seat::new(town.3)),
        badge: town.4.into(),
        region: String::new(),
        prize: town.5,
    });
    let mut spaces: Vec<Space> = towns.collect();
    let (x, y) = frame.place(34.6, 33.6);
    spaces.push(Space {
        id: "fleet".into(),
        name: "English fleet".into(),
        x,
        y,
        shape: Shape::Rect { w: 260, h: 150 },
        holder: None,
        badge: String::new(),
        region: String::new(),
        prize: false,
    });
    let mut links: Vec<Link> = ROADS
        .iter()
        .map(|(from, to, style)| Link {
            id: format!("road-{from}-{to}"),
            from: format!("town-{from}"),
            to: format!("town-{to}"),
            style: *style,
            note: if *to == "Tiberias" { "3/4".into() } else { String::new() },
        })
        .collect();
    for (to, style) in [("Tripoli", LinkStyle::Sea), ("Tyre", LinkStyle::Sea), ("Acre", LinkStyle::Arrow)] {
        links.push(Link {
            id: format!("lane-{to}"),
            from: "fleet".into(),
            to: format!("town-{to}"),
            style,
            note: String::new(),
        });
    }
    let mut pieces: Vec<Piece> = BLOCKS
        .iter()
        .enumerate()
        .map(|(i, (town, owner, name, left, right, pips))| Piece {
            id: format!("block-{i}"),
            space: format!("town-{town}"),
            owner: Some(Seat::new(*owner)),
            face: shown(name, left, right, *pips, i == 6, matches!(i, 4 | 7 | 10)),
            text: format!("{name} {left}, moves {right}, strength {} of {}", pips.0, pips.1),
        })
        .collect();
    for (town, count) in [("Damascus", 9), ("Aleppo", 5), ("Banyas", 1), ("Gaza", 2), ("Baalbek", 3)] {
        for i in 0..count {
            pieces.push(Piece {
                id: format!("hidden-{town}-{i}"),
                space: format!("town-{town}"),
                owner: Some(Seat::new(1)),
                face: Face::Hidden,
                text: String::new(),
            });
        }
    }
    for (i, name) in ["Richard", "Robert", "Crossbows"].iter().enumerate() {
        pieces.push(Piece {
            id: format!("english-{i}"),
            space: "fleet".into(),
            owner: Some(Seat::new(0)),
            face: shown(name, "B4", "3", (4, 4), false, false),
            text: (*name).to_string(),
        });
    }
    let map = Board {
        id: "map".into(),
        name: "The Levant".into(),
        width: frame.width(),
        height: frame.height(),
        ground: Ground::Levant { west, south, east, north },
        spaces,
        links,
        pieces,
    };
    let card = |i: usize, owner: u8, name: &str| Piece {
        id: format!("card-{owner}-{i}"),
        space: String::new(),
        owner: Some(Seat::new(owner)),
        face: if name.is_empty() { Face::Hidden } else { Face::named(name) },
        text: name.to_string(),
    };
    Ok(Scene {
        title: "1190, game turn 3 of 6: the Saracens attack Acre".into(),
        boards: vec![map, battle()],
        trays: vec![
            Tray {
                id: "hand-0".into(),
                name: "The Franks' hand".into(),
                owner: Some(Seat::new(0)),
                pieces: ["3", "2", "Guide", "Winter Campaign", "Jihad"]
                    .iter()
                    .enumerate()
                    .map(|(i, n)| card(i, 0, n))
                    .collect(),
                note: "Draw pool: 7 Crusaders, 2 Outremers".into(),
            },
            Tray {
                id: "hand-1".into(),
                name: "The Saracens' hand".into(),
                owner: Some(Seat::new(1)),
                pieces: (0..4).map(|i| card(i, 1, "")).collect(),
                note: String::new(),
            },
        ],
        tracks: vec![
            Track {
                id: "years".into(),
                name: "Year".into(),
                boxes: (1187..=1192).map(|y| y.to_string()).collect(),
                markers: vec![Marker { name: "now".into(), owner: None, at: 3 }],
            },
            Track {
                id: "cities".into(),
                name: "Victory cities".into(),
                boxes: (0..=7).map(|y| y.to_string()).collect(),
                markers: vec![
                    Marker { name: "Franks".into(), owner: Some(Seat::new(0)), at: 4 },
                    Marker { name: "Saracens".into(), owner: Some(Seat::new(1)), at: 3 },
                ],
            },
        ],
        prompt: Some(Prompt {
            seats: SeatSet::only(Seat::new(1)),
            text: "Saladin fires at Acre, or retreats (round 2 of 3)".into(),
            rule: rule!("6.32"),
        }),
        warnings: vec![Warning {
            text: "Tyre is a victory city and supplies only two blocks in winter".into(),
            rule: rule!("9.4"),
            target: Some("town-Tyre".into()),
        }],
    })
}

fn battle() -> Board {
    let rows = [
        ("Reserve of the Franks", 70),
        ("Inside Acre", 225),
        ("Before the walls", 395),
        ("Reserve of the Saracens", 550),
    ];
    let id = |i: usize| format!("row-{i}");
    let spaces = rows
        .iter()
        .enumerate()
        .map(|(i, (name, y))| Space {
            id: id(i),
            name: (*name).into(),
            x: 300,
            y: *y,
            shape: Shape::Rect { w: 560, h: 120 + if i == 1 || i == 2 { 30 } else { 0 } },
            holder: None,
            badge: String::new(),
            region: String::new(),
            prize: false,
        })
        .collect();
    let mut pieces = Vec::new();
    for (i, (row, owner, name, pips)) in [
        (1, 0, "Conrad", (2, 4)),
        (1, 0, "Hospitallers of St. John", (3, 4)),
        (1, 0, "Turcopoles", (1, 3)),
        (2, 1, "Saladin", (4, 4)),
        (2, 1, "Al Adil", (3, 4)),
        (2, 1, "Taqi al Din", (2, 4)),
        (3, 1, "Keukburi", (3, 3)),
    ]
    .into_iter()
    .enumerate()
    {
        pieces.push(Piece {
            id: format!("fighter-{i}"),
            space: id(row),
            owner: Some(Seat::new(owner)),
            face: shown(name, "A3", "3", pips, i == 3, i == 1),
            text: name.to_string(),
        });
    }
    Board {
        id: "battle".into(),
        name: "The battle of Acre".into(),
        width: 600,
        height: 640,
        ground: Ground::Plain,
        spaces,
        links: Vec::new(),
        pieces,
    }
}

/// Hexes with the eight seats side by side, for comparing colours and emblems.
fn eight_seats() -> Scene {
    let mut board = Board {
        id: "hexes".into(),
        name: "Eight seats".into(),
        width: 1000,
        height: 560,
        ground: Ground::Plain,
        spaces: Vec::new(),
        links: Vec::new(),
        pieces: Vec::new(),
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
                    text: String::new(),
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
            region: String::new(),
            prize: i % 3 == 0,
        });
        let free = format!("free-{i}");
        board.spaces.push(Space {
            id: free,
            name: String::new(),
            x: 266 + column * 232,
            y: 130 + row * 260,
            shape: Shape::Circle { r: 26 },
            holder: Some(Seat::new(i)),
            badge: String::new(),
            region: String::new(),
            prize: false,
        });
    }
    Scene { title: "Eight seats".into(), boards: vec![board], ..Scene::default() }
}

//! A scene that shows every element once: for pictures of it, for the tests, and for whoever writes a game
//! and wants to see what there is. It is of no game, and its figures are samples.

use super::*;
use crate::arms::Arms;
use crate::rule;
use crate::seat::{Seat, SeatSet};

const FRANKS: Seat = Seat::new(0);
const SARACENS: Seat = Seat::new(1);
const EMPIRE: Seat = Seat::new(2);
const TURKOMANS: Seat = Seat::new(3);

/// The names of the four seats that the gallery speaks of.
pub const SEATS: [&str; 4] = ["Franks", "Saracens", "Empire", "Turkomans"];

/// The whole gallery.
pub fn scene() -> Scene {
    Scene {
        title: "A gallery of the table: third turn of five, 1187".into(),
        boards: vec![map(), battle(), hexes()],
        trays: trays(),
        tracks: tracks(),
        register: Some(register()),
        sums: sums(),
        throws: vec![
            Throw {
                name: "Turks roll three dice: hits at 2 or less".into(),
                owner: Some(SARACENS),
                dice: Die::hitting_at(2, &[1, 4, 6]),
                result: "1 hit".into(),
                note: "halved by the walls".into(),
                space: Some("siege-dice".into()),
            },
            Throw {
                name: "Reaction".into(),
                owner: None,
                dice: [5, 2, 3].map(|result| Die { sides: 6, result, hit: None }).to_vec(),
                result: "10".into(),
                ..Throw::default()
            },
        ],
        aids: aids(),
        prompt: Some(
            Prompt::new(
                SeatSet::only(FRANKS),
                "Franks move a group, muster or sail (2 moves left)",
                rule!("5.0"),
            )
            .advice(Some("Raymond is besieged in Tiberias: four blocks fit on the road from Acre")),
        ),
        warnings: vec![Warning {
            text: "Tyre is a victory city and nobody guards it".into(),
            rule: rule!("1.12"),
            target: Some("tyre".into()),
        }],
    }
}

fn arms(blazon: &str) -> Option<Arms> {
    Arms::read(blazon).ok()
}

const RICHARD: &str = "gules, a lion rampant or";
const TEMPLARS: &str = "per fess sable and argent, a cross patty gules";
const HOSPITAL: &str = "sable, a cross argent";
const GUY: &str = "barry of eight argent and azure, a lion rampant gules";
const SALADIN: &str = "or, an eagle displayed gules";
const TAQI: &str = "gules, a sword in bend or";
const KEUKBURI: &str = "azure, a double-headed eagle or";
const TURKS: &str = "azure, a bow argent";
const RAYMOND: &str = "gules, a Toulouse cross or";
const JERUSALEM: &str = "argent, a Jerusalem cross or";
const GODFREY: &str = "or, a bend gules";
const ALEXIOS: &str = "purpure, a cross patty or";

fn town(id: &str, name: &str, at: (i32, i32), keep: Keep, rating: u8) -> Space {
    Space {
        keep: Some(keep),
        rating,
        region: "Galilee".into(),
        ..Space::new(id, name, at, Shape::Circle { r: 26 })
    }
}

fn block(id: &str, space: &str, owner: Seat, blazon: &str, front: Front) -> Piece {
    Piece {
        id: id.into(),
        space: space.into(),
        owner: Some(owner),
        form: Form::Block,
        text: format!("{} {}, moves {}", front.name, front.left, front.right),
        face: Face::Shown(Front { arms: arms(blazon), ..front }),
        ..Piece::default()
    }
}

fn front(name: &str, left: &str, right: &str, pips: (u8, u8)) -> Front {
    Front { name: name.into(), left: left.into(), right: right.into(), pips, ..Front::default() }
}

fn back(id: &str, space: &str, owner: Seat, form: Form) -> Piece {
    Piece {
        id: id.into(),
        space: space.into(),
        owner: Some(owner),
        form,
        text: "a hidden piece".into(),
        ..Piece::default()
    }
}

fn map() -> Board {
    let spaces = vec![
        Space {
            holder: Some(FRANKS),
            prize: true,
            harbour: Harbour::Plain,
            arms: arms(JERUSALEM),
            ..town("acre", "Acre", (247, 458), Keep::City(3), 3)
        },
        Space {
            holder: Some(FRANKS),
            prize: true,
            harbour: Harbour::Fortified,
            ..town("tyre", "Tyre", (316, 238), Keep::City(2), 2)
        },
        Space { harbour: Harbour::Plain, ..town("sidon", "Sidon", (405, 66), Keep::City(1), 1) },
        Space { holder: Some(FRANKS), ..town("beaufort", "Beaufort", (484, 212), Keep::FullCastle, 1) },
        Space { holder: Some(SARACENS), ..town("banyas", "Banyas", (592, 262), Keep::LowCastle, 1) },
        Space {
            holder: Some(SARACENS),
            prize: true,
            region: "Hauran".into(),
            lit: true,
            ..town("damascus", "Damascus", (868, 128), Keep::City(4), 4)
        },
        Space {
            holder: Some(FRANKS),
            siege: Some(SARACENS),
            badge: "camp".into(),
            ..town("tiberias", "Tiberias", (500, 500), Keep::City(2), 2)
        },
        Space { holder: Some(FRANKS), ..town("nazareth", "Nazareth", (368, 600), Keep::Village, 0) },
        Space {
            holder: Some(FRANKS),
            harbour: Harbour::Plain,
            ..town("caesarea", "Caesarea", (160, 722), Keep::Town, 0)
        },
        Space {
            holder: Some(SARACENS),
            region: "Hauran".into(),
            points: 2,
            ..town("ashtera", "Ashtera", (763, 533), Keep::Village, 0)
        },
        Space { region: "Hauran".into(), ..town("golan", "Golan", (668, 410), Keep::Pass, 0) },
    ];
    let link = |from: &str, to: &str, style: LinkStyle, note: &str| Link {
        id: format!("{from}-{to}"),
        from: from.into(),
        to: to.into(),
        style,
        note: note.into(),
    };
    let (major, minor) = (LinkStyle::Major, LinkStyle::Minor);
    let links = vec![
        link("acre", "tyre", major, ""),
        link("tyre", "sidon", major, ""),
        link("tyre", "beaufort", minor, ""),
        link("beaufort", "banyas", minor, ""),
        link("banyas", "damascus", major, ""),
        link("acre", "nazareth", major, "3/4"),
        link("nazareth", "tiberias", minor, ""),
        link("acre", "caesarea", major, ""),
        link("tiberias", "banyas", minor, ""),
        link("tiberias", "golan", major, ""),
        link("golan", "damascus", major, ""),
        link("tiberias", "ashtera", minor, ""),
        link("caesarea", "tyre", LinkStyle::Sea, ""),
    ];
    let knights = |id: &str, more: u16| Piece {
        id: id.into(),
        space: "damascus".into(),
        owner: Some(EMPIRE),
        form: Form::Counter,
        more,
        text: "knights of the Empire, combat 4".into(),
        face: Face::Shown(Front {
            sign: Some(Sign::HeavyHorse),
            arms: arms("or, an eagle displayed sable"),
            ..front("Knights", "4", "", (0, 0))
        }),
        ..Piece::default()
    };
    let pieces = vec![
        block(
            "templars",
            "acre",
            FRANKS,
            TEMPLARS,
            Front { home: "of Acre".into(), lit: true, ..front("Templars", "B3", "3", (3, 4)) },
        ),
        block(
            "hospitallers",
            "acre",
            FRANKS,
            HOSPITAL,
            Front { unseen: true, ..front("Hospitallers", "B3", "3", (3, 3)) },
        ),
        block("king-guy", "acre", FRANKS, GUY, front("King Guy", "B2", "2", (3, 4))),
        block(
            "richard",
            "caesarea",
            FRANKS,
            RICHARD,
            Front { spent: true, ..front("Richard", "B4", "3", (4, 4)) },
        ),
        block(
            "raymond",
            "tiberias",
            FRANKS,
            RAYMOND,
            Front { hit: 1, ..front("Raymond", "B2", "2", (2, 3)) },
        ),
        Piece {
            face: Face::Suspected { name: "Taqi al Din".into(), arms: arms(TAQI) },
            ..back("lone-1", "banyas", SARACENS, Form::Block)
        },
        back("hidden-0", "tiberias", SARACENS, Form::Block),
        back("hidden-1", "tiberias", SARACENS, Form::Block),
        back("hidden-2", "tiberias", SARACENS, Form::Block),
        back("hidden-3", "tiberias", SARACENS, Form::Block),
        knights("knights", 3),
        Piece {
            form: Form::Stand,
            face: Face::Shown(Front { arms: arms(SALADIN), ..front("Saladin", "3 3 10", "", (0, 0)) }),
            text: "Saladin, strategy 3, battle 3, command 10".into(),
            ..back("saladin", "damascus", SARACENS, Form::Stand)
        },
        Piece {
            owner: None,
            form: Form::Token,
            face: Face::named("Jihad"),
            text: "the jihad is declared here".into(),
            ..back("jihad", "ashtera", SARACENS, Form::Token)
        },
    ];
    let trace = |from: &str, to: &str, count, owner, manner| Trace {
        from: from.into(),
        to: to.into(),
        count,
        owner: Some(owner),
        manner,
    };
    let step = |from: &str, to: &str, cost: &str, danger| PlanStep {
        from: from.into(),
        to: to.into(),
        cost: cost.into(),
        danger,
    };
    let reached = |space: &str, cost: &str, danger: &str| Reach {
        space: space.into(),
        cost: cost.into(),
        danger: danger.into(),
        ends: !danger.is_empty(),
    };
    Board {
        id: "map".into(),
        name: "Galilee".into(),
        width: 1000,
        height: 816,
        ground: Ground::Levant { west: 3460, south: 3235, east: 3650, north: 3365 },
        head: Some(Head {
            title: "A gallery".into(),
            figure: "1187".into(),
            steps: Head::steps(["1", "2", "3", "4", "5", "W"], 2),
            note: "third turn of five, then winter".into(),
            counts: vec![HeadCount { owner: Some(FRANKS), text: "14 in the pool".into() }],
            ribbon: None,
        }),
        regions: vec![
            Region {
                name: "Galilee".into(),
                x: 560,
                y: 640,
                tint: Tint::Fertile,
                outline: vec![(262, 470), (420, 420), (520, 520), (560, 690), (330, 760), (230, 640)],
                ..Region::default()
            },
            Region { name: "Hauran".into(), x: 860, y: 400, turned: -8, ..Region::default() },
        ],
        spaces,
        links,
        pieces,
        traces: vec![
            trace("damascus", "tiberias", 4, SARACENS, Manner::March),
            trace("ashtera", "tiberias", 1, SARACENS, Manner::Retreat),
            trace("caesarea", "tyre", 2, FRANKS, Manner::Sea),
        ],
        falls: vec![Fall { space: "beaufort".into(), count: 1, owner: Some(FRANKS) }],
        plans: vec![Plan {
            owner: Some(FRANKS),
            steps: vec![step("acre", "nazareth", "1", false), step("nazareth", "tiberias", "2", true)],
        }],
        reach: vec![
            InReach {
                pieces: vec!["templars".into()],
                shown: true,
                spaces: vec![
                    reached("tyre", "1", ""),
                    reached("caesarea", "1", ""),
                    reached("nazareth", "1", ""),
                    reached("tiberias", "2", "three blocks of the enemy"),
                ],
            },
            InReach {
                pieces: vec!["king-guy".into()],
                shown: false,
                spaces: vec![reached("tyre", "83 %", "")],
            },
        ],
        ..Board::default()
    }
}

fn battle() -> Board {
    let row = |id: &str, name: &str, holder, within| MatRow {
        id: id.into(),
        name: name.into(),
        holder: Some(holder),
        within,
        dice_above: false,
    };
    let turn = |label: &str, owner, state| Turn { label: label.into(), owner: Some(owner), state };
    let fighter = |id: &str, row: &str, owner, blazon, front: Front| block(id, row, owner, blazon, front);
    let mat = Mat {
        id: "siege".into(),
        name: "The storm of Acre, round 1 of 3".into(),
        rows: vec![
            row("siege-walls", "On the walls", FRANKS, true),
            row("siege-storm", "Storming", SARACENS, false),
            row("siege-camp", "In camp: they hold the ring", SARACENS, false),
        ],
        pieces: vec![
            fighter("w-conrad", "siege-walls", FRANKS, GODFREY, front("Conrad", "B3", "2", (3, 3))),
            fighter("w-hospital", "siege-walls", FRANKS, HOSPITAL, front("Hospitallers", "B3", "3", (2, 3))),
            fighter(
                "w-guy",
                "siege-walls",
                FRANKS,
                GUY,
                Front { hit: 1, ..front("King Guy", "B2", "2", (2, 4)) },
            ),
            fighter(
                "s-turks",
                "siege-storm",
                SARACENS,
                TURKS,
                Front { lit: true, ..front("Turks", "A2", "3", (3, 3)) },
            ),
            fighter(
                "s-taqi",
                "siege-storm",
                SARACENS,
                TAQI,
                Front { spent: true, ..front("Taqi al Din", "A2", "3", (3, 4)) },
            ),
            fighter("s-keukburi", "siege-storm", SARACENS, KEUKBURI, front("Keukburi", "B3", "3", (2, 3))),
            fighter("c-saladin", "siege-camp", SARACENS, SALADIN, front("Saladin", "A3", "3", (4, 4))),
            back("c-hidden", "siege-camp", SARACENS, Form::Block),
        ],
    };
    Board {
        head: Some(Head {
            title: "Acre".into(),
            steps: Head::steps(["1", "2", "3"], 0),
            note: "Saracens storm, walls for 3".into(),
            ribbon: Some((SARACENS, "Saracens: Turks".into())),
            ..Head::default()
        }),
        order: vec![
            turn("A", SARACENS, TurnState::Now),
            turn("B", FRANKS, TurnState::ToCome),
            turn("B", SARACENS, TurnState::Done),
        ],
        ..mat.board()
    }
}

/// The centre of a flat hexagon in a grid of columns.
fn hex_at(column: i32, row: i32) -> (i32, i32) {
    (60 + column * 78, 64 + row * 90 + column % 2 * 45)
}

fn hexes() -> Board {
    let ground = [
        "..HH..W....M#_",
        ".HKH..WW...M#_",
        ".HH........MG_",
        "...........M#_",
        "WW....H....M#_",
        "WWW..HKH...M#_",
    ];
    let mut spaces = Vec::new();
    for (row, line) in ground.iter().enumerate() {
        for (column, sign) in line.chars().enumerate() {
            let terrain = ".HKWM#G_".find(sign).map(|i| i as u8);
            let at = hex_at(column as i32, row as i32);
            let space = Space::new(format!("hex-{column}-{row}"), "", at, Shape::FlatHex { r: 52 });
            spaces.push(Space { terrain, ..space });
        }
    }
    let terrain = |sign, name: &str, note: &str| Terrain::new(sign, name, note);
    let man = |id: &str, at: &str, owner, facing, blazon: &str, more: Front| Piece {
        id: id.into(),
        space: at.into(),
        owner: Some(owner),
        facing: Some(facing),
        form: Form::Token,
        text: more.name.clone(),
        face: Face::Shown(Front { arms: arms(blazon), ..more }),
        ..Piece::default()
    };
    Board {
        id: "field".into(),
        name: "A field of hexes".into(),
        width: 1135,
        height: 632,
        terrains: vec![
            terrain(TerrainSign::Clear, "clear", "1"),
            terrain(TerrainSign::Hill, "hill", "2"),
            terrain(TerrainSign::Crest, "crest", "3"),
            terrain(TerrainSign::Wood, "wood", "2"),
            terrain(TerrainSign::Water, "moat", "no way"),
            terrain(TerrainSign::Wall, "wall", "ladders"),
            terrain(TerrainSign::Gate, "gate", "if open"),
            terrain(TerrainSign::Court, "court", "1"),
        ],
        spaces,
        pieces: vec![
            Piece {
                covers: Some("hex-4-3".into()),
                ..man(
                    "rider",
                    "hex-5-3",
                    FRANKS,
                    2,
                    RICHARD,
                    Front { sign: Some(Sign::HeavyHorse), lit: true, ..front("Richard", "", "", (5, 6)) },
                )
            },
            man("archer", "hex-3-4", FRANKS, 1, "or, a bow gules", front("Archer", "", "", (3, 3))),
            man(
                "spearman",
                "hex-2-5",
                FRANKS,
                0,
                "vert, an escallop or",
                Front { spent: true, ..front("Spearman", "", "", (2, 3)) },
            ),
            Piece {
                covers: Some("hex-9-1".into()),
                ..man(
                    "emir",
                    "hex-8-1",
                    SARACENS,
                    4,
                    KEUKBURI,
                    Front { sign: Some(Sign::LightHorse), ..front("Keukburi", "", "", (4, 6)) },
                )
            },
            man(
                "guard",
                "hex-12-3",
                SARACENS,
                5,
                TURKS,
                Front { wounded: true, ..front("Guard", "", "", (1, 3)) },
            ),
            Piece { facing: Some(5), ..back("unknown", "hex-13-2", TURKOMANS, Form::Token) },
        ],
        reach: vec![InReach {
            pieces: vec!["rider".into()],
            shown: true,
            spaces: [
                ("hex-6-3", "1", ""),
                ("hex-6-4", "2", ""),
                ("hex-7-3", "2", ""),
                ("hex-8-4", "3", "an archer"),
            ]
            .into_iter()
            .map(|(space, cost, danger)| Reach {
                space: space.into(),
                cost: cost.into(),
                danger: danger.into(),
                ends: !danger.is_empty(),
            })
            .collect(),
        }],
        ..Board::default()
    }
}

/// A large field of hexes with so many men on it, to measure what drawing costs.
pub fn field(columns: i32, rows: i32, men: usize) -> Board {
    let mut board = Board {
        id: "field".into(),
        name: "A large field".into(),
        width: columns * 78 + 60,
        height: rows * 90 + 100,
        terrains: hexes().terrains,
        ..Board::default()
    };
    for row in 0..rows {
        for column in 0..columns {
            let id = format!("hex-{column}-{row}");
            let space = Space::new(id, "", hex_at(column, row), Shape::FlatHex { r: 52 });
            board.spaces.push(Space { terrain: Some(((row * 7 + column * 3) % 8) as u8), ..space });
        }
    }
    for i in 0..men {
        let at = i * board.spaces.len().max(1) / men.max(1);
        let Some(space) = board.spaces.get(at) else { continue };
        board.pieces.push(Piece {
            id: format!("man-{i}"),
            space: space.id.clone(),
            owner: Some(if i % 2 == 0 { FRANKS } else { SARACENS }),
            facing: Some((i % 6) as u8),
            form: Form::Token,
            face: Face::Shown(Front {
                arms: arms([RICHARD, SALADIN, TEMPLARS, TURKS][i % 4]),
                ..front("Man", "", "", (2, 3))
            }),
            text: "a man".into(),
            ..Piece::default()
        });
    }
    board
}

fn card(id: &str, owner: Seat, card: Card) -> Piece {
    Piece {
        id: id.into(),
        owner: Some(owner),
        form: Form::Card,
        text: format!("{}: {}", card.title, card.text),
        face: Face::Card(card),
        ..Piece::default()
    }
}

fn trays() -> Vec<Tray> {
    let unit = |id: &str, name: &str, sign, left: &str, blazon: &str, more| Piece {
        id: id.into(),
        owner: Some(FRANKS),
        form: Form::Counter,
        more,
        text: format!("{name}, combat {left}"),
        face: Face::Shown(Front { sign: Some(sign), arms: arms(blazon), ..front(name, left, "", (0, 0)) }),
        ..Piece::default()
    };
    let leader = |id: &str, name: &str, owner, figures: &str, blazon: &str| Piece {
        id: id.into(),
        owner: Some(owner),
        form: Form::Stand,
        text: format!("{name}: strategy, battle and command {figures}"),
        face: Face::Shown(Front { arms: arms(blazon), ..front(name, figures, "", (0, 0)) }),
        ..Piece::default()
    };
    vec![
        Tray {
            id: "hand".into(),
            name: "Your hand".into(),
            owner: Some(FRANKS),
            room: Room::Large,
            spread: true,
            pieces: vec![
                card(
                    "card-move-3",
                    FRANKS,
                    Card {
                        value: "3".into(),
                        corner: "3".into(),
                        lit: true,
                        ..Card::titled("Move 3", "three groups")
                    },
                ),
                card(
                    "card-assassins",
                    FRANKS,
                    Card {
                        sign: Some(Sign::Dagger),
                        ..Card::titled(
                            "Assassins",
                            "Three dice at a block of the enemy. Each 1 to 3 costs it a step.",
                        )
                    },
                ),
                card(
                    "card-legate",
                    FRANKS,
                    Card {
                        value: "3".into(),
                        corner: "+1".into(),
                        tone: CardTone::Event,
                        foot: "B: Disease in the camp. Each side loses one unit.".into(),
                        uses: vec![
                            Use::open("operations 3", "move two"),
                            Use::closed("event", "only in battle"),
                            Use::open("siege", "Acre, attacker"),
                        ],
                        ..Card::titled(
                            "Papal Legate",
                            "A legate preaches. One neutral power moves a space towards you.",
                        )
                    },
                ),
                card(
                    "card-feint",
                    FRANKS,
                    Card {
                        value: "2".into(),
                        tone: CardTone::Battle,
                        foot: "A: Sappers. Two points off the wall.".into(),
                        ..Card::titled(
                            "Feigned Retreat",
                            "In a battle with horse archers add 2 to your roll.",
                        )
                    },
                ),
                card(
                    "card-rain",
                    FRANKS,
                    Card {
                        value: "1".into(),
                        tone: CardTone::Response,
                        spent: true,
                        ..Card::titled("Heavy Rains", "The force that was activated may not move on.")
                    },
                ),
            ],
            note: String::new(),
        },
        Tray {
            id: "their-hand".into(),
            name: "Cards of the Saracens".into(),
            owner: Some(SARACENS),
            pieces: (0..3).map(|i| back(&format!("their-card-{i}"), "", SARACENS, Form::Card)).collect(),
            note: "last turn Jihad".into(),
            ..Tray::default()
        },
        Tray {
            id: "host".into(),
            name: "A whole army in five pieces".into(),
            owner: Some(FRANKS),
            pieces: vec![
                leader("godfrey", "Godfrey", FRANKS, "2 3 6", GODFREY),
                unit("horse", "Knights", Sign::HeavyHorse, "3", RAYMOND, 4),
                unit("foot", "Foot", Sign::Foot, "2", RAYMOND, 8),
                Piece {
                    face: Face::Shown(Front {
                        sign: Some(Sign::Archer),
                        wounded: true,
                        ..front("Archers", "1", "", (0, 0))
                    }),
                    ..unit("archers", "Archers", Sign::Archer, "1", RAYMOND, 0)
                },
                leader("alexios", "Alexios", EMPIRE, "2 2 7", ALEXIOS),
            ],
            ..Tray::default()
        },
    ]
}

fn tracks() -> Vec<Track> {
    let boxes = |n: std::ops::RangeInclusive<u8>| n.map(|i| i.to_string());
    vec![
        Track {
            id: "glory".into(),
            name: "Glory".into(),
            note: "8 ends the game at once".into(),
            foremost: true,
            ends: Some((FRANKS, SARACENS)),
            boxes: boxes(0..=8).rev().chain(boxes(1..=8)).collect(),
            goals: vec![0, 16],
            markers: vec![Marker { name: "Franks ahead".into(), owner: Some(FRANKS), at: 5 }],
        },
        Track {
            id: "turns".into(),
            name: "Turn".into(),
            boxes: ["1", "2", "3", "4", "5", "winter"].map(String::from).to_vec(),
            markers: vec![Marker { name: "now".into(), owner: None, at: 2 }],
            ..Track::default()
        },
    ]
}

fn register() -> Register {
    let row = |seat, note: &str, blazon: &str, cells: [&str; 5]| RegisterRow {
        arms: arms(blazon),
        note: note.into(),
        ..RegisterRow::new(seat, cells)
    };
    let mut register = Register {
        id: "register".into(),
        name: "Who has what".into(),
        columns: ["command", "crowns", "supply", "gold", "cards"].map(String::from).to_vec(),
        rows: vec![
            row(FRANKS, "to decide", RICHARD, ["5", "2", "6 / 8", "4", "7"]),
            row(SARACENS, "", SALADIN, ["4", "3", "5 / 5", "9", "6"]),
            row(EMPIRE, "", "or, an eagle displayed sable", ["3", "1", "7 / 4", "1", "5"]),
            row(TURKOMANS, "nobody", "sable, a crescent argent", ["2", "0", "3 / 6", "2", "5"]),
        ],
    }
    .with_best();
    register.rows[2].cells[2].warned = true;
    register
}

fn sums() -> Vec<Sum> {
    let line = |text: &str, amount: &str, rule| SumLine::new(text, amount, rule);
    vec![
        Sum {
            id: "odds".into(),
            name: "Odds of the assault".into(),
            total: "2 : 1".into(),
            note: "a throw of 4 or more takes the wall: 1 in 2".into(),
            lines: vec![
                line("Baldwin's battle rating", "+3", rule!("13.2")),
                line("eleven units", "+19", rule!("13.1")),
                line("two engines", "+2", rule!("17.4")),
                line("moat not filled", "-2", rule!("17.3")),
                SumLine { text: "attack".into(), amount: "22".into(), rule: None, total: true },
                SumLine {
                    text: "defence: wall 3, garrison 8".into(),
                    amount: "11".into(),
                    rule: None,
                    total: true,
                },
            ],
            shares: vec![(Some(FRANKS), 22), (Some(SARACENS), 11)],
            target: Some("tiberias".into()),
        },
        Sum {
            id: "supply".into(),
            name: "Supply".into(),
            total: "6 of 8".into(),
            lines: vec![
                line("Acre", "3", rule!("8.3")),
                line("Tyre", "2", rule!("8.3")),
                line("Caesarea", "1", rule!("8.3")),
            ],
            ..Sum::default()
        },
    ]
}

fn aids() -> Vec<Aid> {
    vec![Aid {
        id: "aid-attrition".into(),
        name: "Attrition".into(),
        note: "Dice for a force of so many units; the row of this force is lit.".into(),
        rule: Some(rule!("18.2")),
        columns: ["units", "1-2", "3-4", "5-6"].map(String::from).to_vec(),
        rows: vec![
            AidRow::new(["1 to 4", "-", "-", "1"]),
            AidRow::new(["5 to 8", "-", "1", "1"]).lit(true),
            AidRow::new(["9 to 12", "1", "1", "2"]),
            AidRow::new(["13 or more", "1", "2", "3"]),
        ],
    }]
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_gallery_in_words() {
        let seats = super::SEATS.map(String::from);
        let scene = super::scene();
        insta::assert_snapshot!(format!("{}\n{}", scene.to_text(&seats), scene.aids_to_text()));
    }

    #[test]
    fn traces_come_from_two_scenes_of_one_viewer() {
        let before = super::map();
        let mut after = before.clone();
        for id in ["templars", "king-guy"] {
            if let Some(piece) = after.pieces.iter_mut().find(|p| p.id == id) {
                piece.space = "nazareth".into();
            }
        }
        let traced = after.traced(&before).traces;
        assert_eq!(traced.len(), 1, "{traced:?}");
        assert_eq!(
            (traced[0].from.as_str(), traced[0].to.as_str(), traced[0].count),
            ("acre", "nazareth", 2)
        );
    }
}

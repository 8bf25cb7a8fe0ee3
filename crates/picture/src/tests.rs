//! The pictures as a whole: that every id is there once, that nothing hidden shows, that names are safe and
//! lie on the board, and that the same scene always gives the same bytes.

use std::sync::Arc;

use super::*;
use crate::area::Area;
use crate::layout::{Layout, is_ground_hex, whole};
use crate::print::Print;
use table::scene::{
    Aid, AidRow, Card, Cell, Face, Form, Front, Ground, InReach, Keep, Link, LinkStyle, Marker, Piece,
    Prompt, Reach, Region, Register, RegisterRow, Shape, Space, Sum, SumLine, Throw, Track, Tray, Use,
    Warning, gallery,
};
use table::{AnyMatch, DataFiles, Lots, Nonces, Pick, Seat, SeatSet, Seed, Viewer, rule};

/// Plays a small game at random and shows it to everybody now and then.
fn watch(game: &str, seed: u64, mut show: impl FnMut(&Scene, &[String], &Highlights)) {
    let entry = table::small::ALL.iter().find(|e| e.id == game).unwrap();
    let game = (entry.open)(&DataFiles::built_in(entry.files)).unwrap();
    let mut sitting: Box<dyn AnyMatch> =
        game.open(game.title().usual_set_up(), Seed::numbered(seed), Nonces::default()).unwrap();
    let seats = game.title().seat_names();
    let mut lots = Lots::new(seed);
    for step in 0.. {
        let waiting = sitting.waiting_for().lowest();
        if step % 9 == 0 || waiting.is_none() {
            for viewer in [Viewer::Seat(Seat::new(0)), Viewer::Seat(Seat::new(1)), Viewer::Observer] {
                let offered = waiting.map(|seat| sitting.offered(seat)).unwrap_or_default();
                show(&sitting.scene(viewer), &seats, &Highlights::of(offered.iter().map(|o| &o.choice)));
            }
        }
        let Some(seat) = waiting else { break };
        sitting.pick(seat, Pick::Random, &mut lots).unwrap();
    }
}

fn ids(scene: &Scene) -> Vec<&String> {
    let mut ids = Vec::new();
    for board in &scene.boards {
        ids.push(&board.id);
        // A bare hexagon is printed with the ground, and no part of its own.
        ids.extend(board.spaces.iter().filter(|s| !(is_ground_hex(s) && s.is_bare())).map(|s| &s.id));
        ids.extend(board.links.iter().map(|l| &l.id));
        ids.extend(board.pieces.iter().map(|p| &p.id));
    }
    for tray in &scene.trays {
        ids.push(&tray.id);
        ids.extend(tray.pieces.iter().map(|p| &p.id));
    }
    ids.extend(scene.tracks.iter().map(|t| &t.id));
    ids.extend(scene.register.iter().map(|r| &r.id));
    ids.extend(scene.sums.iter().map(|s| &s.id));
    ids.extend(scene.aids.iter().map(|a| &a.id));
    ids
}

fn space(id: &str, name: &str, (x, y): (i32, i32), shape: Shape) -> Space {
    Space::new(id, name, (x, y), shape)
}

fn piece(id: &str, at: &str, owner: u8, face: Face, text: &str) -> Piece {
    Piece {
        id: id.into(),
        space: at.into(),
        owner: Some(Seat::new(owner)),
        face,
        text: text.into(),
        ..Piece::default()
    }
}

fn plain(width: i32, height: i32, spaces: Vec<Space>, pieces: Vec<Piece>) -> Board {
    let (id, name) = ("map".to_string(), "Map".to_string());
    Board { id, name, width, height, spaces, pieces, ..Board::default() }
}

/// Two towns, a road, a block that is seen and one that is not.
fn small_board() -> Board {
    let acre = Space {
        holder: Some(Seat::new(0)),
        prize: true,
        badge: "3".into(),
        ..space("acre", "Acre", (100, 80), Shape::Circle { r: 30 })
    };
    let tyre = space("tyre", "Tyre", (300, 80), Shape::Hex { r: 30 });
    let front = Face::Shown(Front {
        name: "Conrad".into(),
        left: "B2".into(),
        right: "2".into(),
        pips: (1, 3),
        lit: true,
        ..Front::default()
    });
    let pieces = vec![
        piece("conrad", "acre", 0, front, "Conrad B2, strength 1 of 3"),
        piece("hidden-tyre-0", "tyre", 1, Face::Hidden, ""),
    ];
    let link = Link {
        id: "road".into(),
        from: "acre".into(),
        to: "tyre".into(),
        style: LinkStyle::Minor,
        note: "1/2".into(),
    };
    Board { links: vec![link], ..plain(400, 200, vec![acre, tyre], pieces) }
}

fn sides() -> Vec<String> {
    vec!["Franks".into(), "Saracens".into()]
}

#[test]
fn every_id_is_drawn_once() {
    for game in ["tic-tac-toe", "connect-four", "phantom-tic-tac-toe", "ten-towns"] {
        for seed in 0..4 {
            watch(game, seed, |scene, seats, highlights| {
                let svg = picture(scene, seats, highlights, &Style::LIGHT);
                for id in ids(scene) {
                    for attribute in [" id", " data-id"] {
                        let count = svg.matches(&format!("{attribute}=\"{}\"", escape(id))).count();
                        assert_eq!(count, 1, "{attribute} {id} of {game}");
                    }
                }
                assert_eq!(svg.matches(" data-id=").count(), ids(scene).len(), "{game}");
            });
        }
    }
}

#[test]
fn the_gallery_shows_every_element() {
    let scene = gallery::scene();
    let seats = gallery::SEATS.map(String::from);
    for style in [Style::LIGHT, Style::DARK] {
        let svg = picture(&scene, &seats, &Highlights::default(), &style);
        // A place for dice is not drawn, but what lies on it.
        for id in ids(&scene).into_iter().filter(|id| *id != "siege-dice") {
            assert_eq!(svg.matches(&format!(" data-id=\"{}\"", escape(id))).count(), 1, "{id}");
        }
        let classes = [
            "piece lit block",
            "counter",
            "stand",
            "token",
            "piece card",
            "hidden",
            "keep",
            "siege",
            "tents",
            "banner",
            "region",
            "tint",
            "hexes",
            "legend",
            "trace",
            "plan",
            "reach danger",
            "fall",
            "throw",
            "die hit",
            "register",
            "best",
            "sum",
            "share",
            "track foremost",
            "box here",
            "aid",
            "lit",
            "advice",
            "unseen",
            "turned",
            "wound",
            "beak",
            "port",
            "rating",
            "points",
            "pip hit",
        ];
        for class in classes {
            let there = svg.split("class=\"").skip(1).any(|rest| {
                let all = rest.split('"').next().unwrap_or("");
                all == class
                    || all.starts_with(&format!("{class} "))
                    || all.ends_with(&format!(" {class}"))
                    || all.contains(&format!(" {class} "))
            });
            assert!(there, "nothing is drawn as {class}");
        }
        // What is used is there, and what is there is used.
        for used in svg.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap_or("")) {
            assert!(svg.contains(&format!("id=\"{used}\"")), "{used} is used and not there");
        }
    }
    let parts: Vec<String> = scene
        .boards
        .iter()
        .flat_map(|board| {
            board_parts(board, &seats, &Highlights::default().thrown(&scene.throws), &Style::LIGHT)
        })
        .map(|part| format!("{} {}", part.layer.class(), part.id))
        .collect();
    insta::assert_snapshot!(parts.join("\n"));
}

#[test]
fn a_field_of_hexes_costs_what_stands_on_it() {
    let mut board = gallery::field(40, 40, 200);
    let press = Press::default();
    let draw = |board: &Board| press.draw(board, &sides(), &Highlights::default(), &Style::LIGHT);
    let first = draw(&board);
    let parts = first.parts.iter().filter(|p| p.layer != Layer::Stock).count();
    assert_eq!(parts, 200, "bare hexes are no parts");
    assert_eq!(first.head.matches("data-hex=").count(), 1600);
    board.pieces[0].space = "hex-20-20".into();
    let second = draw(&board);
    let changed = second.parts.iter().filter(|p| !first.parts.contains(p)).count();
    assert_eq!((changed, first.head == second.head), (1, true));
    let open = press.draw(&board, &sides(), &Highlights::on(["hex-1-1"]), &Style::LIGHT);
    assert!(open.parts.iter().any(|p| p.id == "hex-1-1" && p.layer == Layer::Spaces));
}

#[test]
fn hexes_stand_on_a_point_on_a_side_or_on_corners_of_their_own() {
    let bent = [(-20, -41), (24, -38), (47, 3), (22, 40), (-25, 37), (-46, -4)];
    let shapes = [Shape::Hex { r: 46 }, Shape::FlatHex { r: 46 }, Shape::Corners(bent)];
    let terrains = gallery::field(1, 1, 0).terrains;
    let mut drawn = std::collections::BTreeSet::new();
    for shape in shapes {
        let mut hex = space("h", "", (100, 80), shape);
        hex.terrain = Some(1);
        let men = vec![Piece { facing: Some(1), form: Form::Token, ..piece("m", "h", 0, Face::Hidden, "") }];
        let board = Board { terrains: terrains.clone(), ..plain(200, 160, vec![hex], men) };
        let svg = board_svg(&board, &sides(), &Highlights::on(["h"]), &Style::LIGHT);
        assert!(svg.contains("data-hex=\"h\"") && svg.contains("class=\"beak\""), "{svg}");
        if let Shape::Corners(_) = shape {
            assert!(svg.contains("M80 39L124 42L147 83L122 120L75 117L54 76Z"), "{svg}");
        }
        drawn.insert(svg);
    }
    assert_eq!(drawn.len(), 3);
}

#[test]
fn towns_are_drawn_by_what_they_are() {
    let draw = |keep: Keep| {
        let mut board = small_board();
        board.spaces[0].keep = Some(keep);
        board_svg(&board, &sides(), &Highlights::default(), &Style::LIGHT)
    };
    let kinds = [
        Keep::Village,
        Keep::Town,
        Keep::LowCastle,
        Keep::FullCastle,
        Keep::City(1),
        Keep::City(2),
        Keep::City(3),
        Keep::City(4),
        Keep::Pass,
    ];
    let all: std::collections::BTreeSet<String> = kinds.into_iter().map(draw).collect();
    assert_eq!(all.len(), kinds.len());
}

#[test]
fn what_changes_beside_a_name_prints_nothing_anew() {
    let mut board = small_board();
    let press = Press::default();
    for (badge, holder, siege) in
        [("", Some(0), None), ("camp", Some(1), Some(0)), ("17 %", Some(0), Some(1))]
    {
        let town = &mut board.spaces[0];
        town.keep = Some(Keep::City(2));
        (town.badge, town.lit) = (badge.into(), siege.is_some());
        (town.holder, town.siege) = (holder.map(Seat::new), siege.map(Seat::new));
        let anew = board_svg(&board, &sides(), &Highlights::default(), &Style::LIGHT);
        assert_eq!(press.draw(&board, &sides(), &Highlights::default(), &Style::LIGHT).svg(), anew);
        // What belongs to a place comes and goes with what happens there.
        board.spaces.push(Space {
            annex: true,
            ..space(
                &format!("castle-{}", board.spaces.len()),
                "Castle",
                (100, 40),
                Shape::Rect { w: 30, h: 20 },
            )
        });
    }
    assert_eq!(format!("{press:?}"), "Press(1 prints)");
}

#[test]
fn a_board_is_the_sum_of_its_parts() {
    watch("ten-towns", 3, |scene, seats, highlights| {
        for board in &scene.boards {
            let svg = board_svg(board, seats, highlights, &Style::DARK);
            let parts = board_parts(board, seats, highlights, &Style::DARK);
            assert!(parts.len() >= board.spaces.len() + board.links.len() + board.pieces.len());
            assert!(parts.iter().all(|part| svg.contains(&part.svg)));
            assert!(svg.contains("<title>") && svg.contains("aria-label"));
        }
    });
}

#[test]
fn only_what_moved_is_another_part() {
    let board = small_board();
    let mut later = board.clone();
    later.pieces[1].space = "acre".into();
    let parts = |b: &Board| board_parts(b, &sides(), &Highlights::default(), &Style::LIGHT);
    let (before, after) = (parts(&board), parts(&later));
    let changed: Vec<_> = after.iter().filter(|p| !before.contains(p)).map(|p| p.id.as_str()).collect();
    assert!(changed.contains(&"hidden-tyre-0"), "{changed:?}");
    assert!(!changed.contains(&"tyre"), "an empty town without a holder has nothing to show: {changed:?}");
    assert_eq!(before, parts(&board));
}

#[test]
fn the_back_of_a_piece_tells_its_owner_and_its_place_and_nothing_else() {
    let draw = |id: &str, owner: u8, text: &str| {
        let mut board = small_board();
        board.pieces = vec![piece(id, "tyre", owner, Face::Hidden, text)];
        let parts = board_parts(&board, &sides(), &Highlights::default(), &Style::LIGHT);
        parts.into_iter().find(|p| p.layer == Layer::Pieces).unwrap().svg
    };
    // Forms, too, have backs that tell no more.
    for form in [Form::Block, Form::Counter, Form::Stand, Form::Token, Form::Card] {
        let back = |id: &str, text: &str| {
            let piece = Piece { form, ..piece(id, "", 1, Face::Hidden, text) };
            Press::default().loose(&sides(), &Style::DARK).piece(&piece, false, 90.0)
        };
        assert_eq!(back("h-0", "Saladin").replace("h-0", "h-1"), back("h-1", "Turks"));
        assert!(!back("h-0", "Saladin").contains("<text"), "{form:?}");
    }
    let back = draw("h-0", 1, "a secret: Saladin, strength 4");
    assert!(!back.contains("Saladin") && !back.contains("secret"), "{back}");
    assert_eq!(back, draw("h-0", 1, "another"));
    assert_eq!(back.replace("h-0", "h-1"), draw("h-1", 1, ""));
    assert_ne!(back, draw("h-0", 0, ""), "the owner must show");
    assert!(!back.contains("<text"));
}

#[test]
fn names_are_escaped_everywhere() {
    let evil = "<script>alert('1')</script> & \"]]>\u{0}\u{7}";
    let mut board = small_board();
    board.id = format!("{evil}-board");
    board.name = evil.into();
    for (i, space) in board.spaces.iter_mut().enumerate() {
        (space.id, space.name, space.badge) = (format!("{evil}{i}"), evil.into(), evil.into());
    }
    for (i, piece) in board.pieces.iter_mut().enumerate() {
        (piece.id, piece.space, piece.text) = (format!("{evil}-p{i}"), format!("{evil}0"), evil.into());
    }
    board.pieces[0].face = Face::Shown(Front {
        name: evil.into(),
        home: evil.into(),
        left: evil.into(),
        right: evil.into(),
        pips: (9, 3),
        lit: true,
        spent: true,
        ..Front::default()
    });
    board.regions.push(Region { name: evil.into(), ..Region::default() });
    let reached = Reach { space: format!("{evil}0"), cost: evil.into(), danger: evil.into(), ends: true };
    board.reach.push(InReach { pieces: vec![format!("{evil}-p0")], shown: true, spaces: vec![reached] });
    let evil_card = Card {
        value: evil.into(),
        corner: evil.into(),
        text: evil.into(),
        foot: evil.into(),
        uses: vec![Use::open(evil, evil)],
        ..Card::titled(evil, evil)
    };
    board.links[0] = Link {
        id: format!("{evil}-l"),
        from: format!("{evil}0"),
        to: format!("{evil}1"),
        style: LinkStyle::Arrow,
        note: evil.into(),
    };
    let scene = Scene {
        title: evil.into(),
        boards: vec![board],
        trays: vec![Tray {
            id: format!("{evil}-t"),
            name: evil.into(),
            owner: Some(Seat::new(7)),
            spread: true,
            pieces: vec![
                piece(&format!("{evil}-c"), "", 3, Face::named(evil), evil),
                piece(&format!("{evil}-d"), "", 3, Face::Card(evil_card), evil),
            ],
            note: evil.into(),
            ..Tray::default()
        }],
        tracks: vec![Track {
            id: format!("{evil}-k"),
            name: evil.into(),
            note: evil.into(),
            foremost: true,
            boxes: vec![evil.into()],
            markers: vec![Marker { name: evil.into(), owner: None, at: 0 }],
            ..Track::default()
        }],
        register: Some(Register {
            id: format!("{evil}-r"),
            name: evil.into(),
            columns: vec![evil.into()],
            rows: vec![RegisterRow {
                note: evil.into(),
                cells: vec![Cell { text: evil.into(), ..Cell::default() }],
                ..RegisterRow::new(Seat::new(0), [""; 0])
            }],
        }),
        sums: vec![Sum {
            id: format!("{evil}-s"),
            name: evil.into(),
            total: evil.into(),
            note: evil.into(),
            lines: vec![SumLine::new(evil, evil, rule!("3"))],
            ..Sum::default()
        }],
        throws: vec![Throw { name: evil.into(), result: evil.into(), note: evil.into(), ..Throw::default() }],
        aids: vec![Aid {
            id: format!("{evil}-a"),
            name: evil.into(),
            note: evil.into(),
            columns: vec![evil.into()],
            rows: vec![AidRow::new([evil]).lit(true)],
            ..Aid::default()
        }],
        prompt: Some(Prompt::new(SeatSet::only(Seat::new(0)), evil, rule!("1")).advice(Some(evil))),
        warnings: vec![Warning { text: evil.into(), rule: rule!("2"), target: None }],
    };
    for style in [Style::LIGHT, Style::DARK] {
        let svg = picture(&scene, &[evil.into()], &Highlights::default(), &style);
        assert!(!svg.contains("<script") && !svg.contains("alert('") && !svg.contains('\u{0}'));
        #[cfg(feature = "png")]
        {
            let document = resvg::usvg::roxmltree::Document::parse(&svg).unwrap();
            let kept = evil.trim_end_matches(['\u{0}', '\u{7}']);
            let board = format!("{kept}-board");
            assert!(document.descendants().any(|n| n.attribute("data-id") == Some(&board)));
            assert!(document.descendants().any(|n| n.tag_name().name() == "title" && n.text() == Some(kept)));
        }
    }
}

#[test]
fn a_small_board_looks_as_it_always_did() {
    insta::assert_snapshot!(board_svg(
        &small_board(),
        &sides(),
        &Highlights::on(["tyre", "conrad"]),
        &Style::LIGHT
    ));
}

#[test]
fn the_same_scene_gives_the_same_bytes_without_tails() {
    watch("ten-towns", 8, |scene, seats, highlights| {
        let svg = picture(scene, seats, highlights, &Style::LIGHT);
        assert_eq!(svg, picture(&scene.clone(), seats, highlights, &Style::LIGHT));
        assert!(!svg.contains("NaN") && !svg.contains("inf\""));
        for after in svg.split('.').skip(1) {
            let digits = after.chars().take_while(char::is_ascii_digit).count();
            assert!(digits <= 3, "a long tail: .{}", &after[..digits]);
        }
    });
}

#[test]
fn odd_boards_are_drawn_too() {
    let nowhere = space("a", "", (0, 0), Shape::Circle { r: 0 });
    let far = space("b", "Ultima Thule", (9000, -9000), Shape::Rect { w: 0, h: 0 });
    let mut board = plain(0, 0, vec![nowhere, far], vec![]);
    for i in 0..40 {
        board.pieces.push(piece(&format!("p{i}"), "a", i % 8, Face::Hidden, ""));
    }
    for (id, from, to) in [("x", "a", "a"), ("y", "a", "b"), ("z", "a", "nowhere")] {
        let (id, from, to) = (id.to_string(), from.to_string(), to.to_string());
        board.links.push(Link { id, from, to, style: LinkStyle::Arrow, note: "?".into() });
    }
    let out_of_the_world = Ground::Levant { west: 0, south: 0, east: 1, north: 1 };
    let reversed = Ground::Levant { west: 3600, south: 3200, east: 3400, north: 3300 };
    for ground in [Ground::Plain, Ground::Cells { columns: 0, rows: 0 }, out_of_the_world, reversed] {
        let scene = Scene { boards: vec![Board { ground, ..board.clone() }], ..Scene::default() };
        let svg = picture(&scene, &[], &Highlights::default(), &Style::DARK);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{ground:?}");
        assert_eq!(svg.matches(" data-id=").count(), ids(&scene).len());
    }
    picture(&Scene::default(), &[], &Highlights::default(), &Style::LIGHT);
}

#[test]
fn names_lie_on_the_board_and_no_piece_covers_its_own() {
    for seed in 0..6 {
        watch("ten-towns", seed, |scene, _, _| {
            for board in &scene.boards {
                let layout = Layout::new(board, Arc::new(Print::bare(board)));
                let names: Vec<Area> = layout.print.names.iter().flatten().map(|n| n.area).collect();
                assert_eq!(names.len(), board.spaces.len());
                for (i, name) in names.iter().enumerate() {
                    assert!(name.outside(&whole(board)) < 0.01, "{} leaves the board", board.spaces[i].name);
                    for other in &names[..i] {
                        assert!(name.shared(other) < 0.01, "{} lies on another name", board.spaces[i].name);
                    }
                    for stack in &layout.stacks {
                        let covered = name.shared(&stack.area) / (name.w * name.h);
                        let (space, by) = (&board.spaces[i].name, &board.spaces[stack.space].name);
                        assert!(covered < 0.1, "{space} is covered by the pieces of {by}: {covered}");
                    }
                }
                for (piece, place) in board.pieces.iter().zip(&layout.pieces) {
                    let place = place.unwrap();
                    let area = Area::around(place.at, place.side, place.side);
                    assert!(area.outside(&whole(board)) < 0.01, "{} leaves the board", piece.id);
                }
            }
        });
    }
}

#[test]
fn names_at_the_edge_are_drawn_inward() {
    let r = Shape::Circle { r: 20 };
    let corners = [(20, 20), (480, 20), (20, 280), (480, 280), (250, 290)];
    let spaces =
        corners.iter().enumerate().map(|(i, at)| space(&format!("s{i}"), "Constantinople", *at, r)).collect();
    let board = plain(500, 300, spaces, vec![]);
    for name in Print::bare(&board).names.iter().flatten() {
        assert!(name.area.outside(&whole(&board)) < 0.01, "{:?}", name.area);
    }
}

#[cfg(feature = "png")]
#[test]
fn ten_towns_as_png() {
    let mut first = true;
    watch("ten-towns", 1, |scene, seats, highlights| {
        if !std::mem::take(&mut first) {
            return;
        }
        let svg = picture(scene, seats, highlights, &Style::LIGHT);
        let number = |name: &str| -> f32 {
            let from = svg.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
            svg[from..].split('"').next().unwrap().parse().unwrap()
        };
        let dimensions = |png: &[u8]| {
            let read = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
            (read(16), read(20))
        };
        let png = to_png(&svg, Size::Scale(1.0)).unwrap();
        assert_eq!(dimensions(&png), (number("width") as u32, number("height") as u32));
        assert!(png.len() > 50_000, "only {} bytes: where is the picture?", png.len());
        let small = to_png(&svg, Size::Width(300)).unwrap();
        assert_eq!(dimensions(&small).0, 300);
        // Letters come with us: the same picture without its text is another picture.
        let mute = svg.replace("<text", "<desc").replace("</text", "</desc");
        assert_ne!(png, to_png(&mute, Size::Scale(1.0)).unwrap());
    });
    assert!(!first);
}

#[cfg(feature = "png")]
#[test]
fn what_cannot_be_drawn_is_refused_with_a_reason() {
    let text = |svg: &str, size: Size| to_png(svg, size).unwrap_err().to_string();
    let square = "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>";
    insta::assert_snapshot!(text(square, Size::Width(1_000_000)), @"a picture of 1000000 by 1000000 pixels cannot be drawn: each side must be between 1 and 16384");
    insta::assert_snapshot!(text(square, Size::Scale(0.0)), @"a picture of 0 by 0 pixels cannot be drawn: each side must be between 1 and 16384");
    assert!(text("no picture", Size::Scale(1.0)).starts_with("the SVG cannot be drawn: "));
}

#[test]
fn a_press_draws_as_if_it_kept_nothing() {
    let (press, mut drawn) = (Press::default(), 0);
    for game in ["ten-towns", "connect-four"] {
        for seed in 0..3 {
            watch(game, seed, |scene, seats, highlights| {
                for (board, style) in scene.boards.iter().zip([Style::LIGHT, Style::DARK].iter().cycle()) {
                    let anew = board_svg(board, seats, highlights, style);
                    assert_eq!(press.draw(board, seats, highlights, style).svg(), anew);
                    drawn += 1;
                }
            });
        }
    }
    let kept = format!("{press:?}");
    assert!(drawn > 50 && kept == "Press(2 prints)", "{drawn} drawings, {kept}");
}

#[test]
fn what_is_printed_is_printed_anew_when_it_changes() {
    let r = Shape::Circle { r: 20 };
    let board =
        plain(500, 300, vec![space("a", "Acre", (100, 100), r), space("b", "Tyre", (300, 100), r)], vec![]);
    let mut others = vec![board.clone(); 6];
    others[0].spaces[0].name = "Akko".into();
    others[1].spaces[1].x = 310;
    others[2].spaces[1].prize = true;
    others[3].spaces[0].rating = 3;
    others[4].spaces[0].holder = Some(Seat::new(0));
    others[5].ground = Ground::Cells { columns: 2, rows: 1 };
    let press = Press::default();
    for other in [&board].into_iter().chain(&others) {
        for style in [Style::LIGHT, Style::DARK] {
            let anew = board_svg(other, &[], &Highlights::default(), &style);
            assert_eq!(press.draw(other, &[], &Highlights::default(), &style).svg(), anew);
        }
    }
}

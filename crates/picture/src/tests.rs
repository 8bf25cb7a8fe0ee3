//! The pictures as a whole: that every id is there once, that nothing hidden shows, that names are safe and
//! lie on the board, and that the same scene always gives the same bytes.

use super::*;
use crate::area::Area;
use crate::layout::{Layout, whole};
use table::scene::{
    Face, Ground, Link, LinkStyle, Marker, Piece, Prompt, Shape, Space, Track, Tray, Warning,
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
        ids.extend(board.spaces.iter().map(|s| &s.id));
        ids.extend(board.links.iter().map(|l| &l.id));
        ids.extend(board.pieces.iter().map(|p| &p.id));
    }
    for tray in &scene.trays {
        ids.push(&tray.id);
        ids.extend(tray.pieces.iter().map(|p| &p.id));
    }
    ids.extend(scene.tracks.iter().map(|t| &t.id));
    ids
}

fn space(id: &str, name: &str, (x, y): (i32, i32), shape: Shape) -> Space {
    Space {
        id: id.into(),
        name: name.into(),
        x,
        y,
        shape,
        holder: None,
        badge: String::new(),
        region: String::new(),
        prize: false,
    }
}

fn piece(id: &str, at: &str, owner: u8, face: Face, text: &str) -> Piece {
    Piece { id: id.into(), space: at.into(), owner: Some(Seat::new(owner)), face, text: text.into() }
}

fn plain(width: i32, height: i32, spaces: Vec<Space>, pieces: Vec<Piece>) -> Board {
    let (id, name) = ("map".to_string(), "Map".to_string());
    Board { id, name, width, height, ground: Ground::Plain, spaces, links: Vec::new(), pieces }
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
    let front = Face::Shown {
        name: "Conrad".into(),
        left: "B2".into(),
        right: "2".into(),
        pips: (1, 3),
        lit: true,
        spent: false,
    };
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
    board.pieces[0].face = Face::Shown {
        name: evil.into(),
        left: evil.into(),
        right: evil.into(),
        pips: (9, 3),
        lit: true,
        spent: true,
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
            pieces: vec![piece(&format!("{evil}-c"), "", 3, Face::named(evil), evil)],
            note: evil.into(),
        }],
        tracks: vec![Track {
            id: format!("{evil}-k"),
            name: evil.into(),
            boxes: vec![evil.into()],
            markers: vec![Marker { name: evil.into(), owner: None, at: 0 }],
        }],
        prompt: Some(Prompt { seats: SeatSet::only(Seat::new(0)), text: evil.into(), rule: rule!("1") }),
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
            assert!(digits <= 2, "a long tail: .{}", &after[..digits]);
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
                let layout = Layout::new(board);
                let names: Vec<Area> = layout.names.iter().flatten().map(|n| n.area).collect();
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
    for name in Layout::new(&board).names.iter().flatten() {
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

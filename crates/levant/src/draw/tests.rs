//! The whole picture: its size, that it never changes by itself, and that nothing leaves the window.

use super::*;
use crate::frame::Window;

fn frame(west: f64, south: f64, east: f64, north: f64, width: i32) -> MapFrame {
    MapFrame::new(Window::new(west, south, east, north).unwrap(), width).unwrap()
}

/// Windows of the games: all of it, Crusader Rex, the Holy Land, the road of the First Crusade.
fn windows() -> [MapFrame; 4] {
    [
        frame(25.0, 26.5, 44.0, 42.5, 2000),
        frame(31.5, 30.5, 38.5, 38.0, 1600),
        frame(34.0, 31.0, 36.5, 33.5, 1200),
        frame(27.0, 35.0, 38.5, 42.0, 1800),
    ]
}

fn draw(map: &BaseMap, frame: &MapFrame) -> String {
    map.document(Levant::built_in(), frame)
}

/// The value of an attribute of the element whose text begins with `start`.
fn attribute<'a>(svg: &'a str, start: &str, name: &str) -> &'a str {
    let from = svg.find(start).unwrap_or_else(|| panic!("no {start}"));
    let key = format!(" {name}=\"");
    let from = from + svg[from..].find(&key).unwrap() + key.len();
    &svg[from..from + svg[from..].find('"').unwrap()]
}

/// Follows path data of `M`, `m`, `l` and `z`, and gives every point the pen comes to.
fn follow(data: &str) -> Vec<(f64, f64)> {
    let (mut points, mut pen, mut start) = (Vec::new(), (0.0, 0.0), (0.0, 0.0));
    let mut rest = data;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |i| i + 1);
        let text = rest[1..end].replace('-', " -");
        let mut numbers = text.split_whitespace().map(|n| n.parse::<f64>().unwrap());
        if command == 'z' {
            pen = start;
        }
        while let (Some(x), Some(y)) = (numbers.next(), numbers.next()) {
            pen = if command == 'M' { (x, y) } else { (pen.0 + x, pen.1 + y) };
            if command != 'l' {
                start = pen;
            }
            points.push(pen);
        }
        rest = &rest[end..];
    }
    points
}

#[test]
fn the_drawn_land_stays_in_the_window() {
    for frame in windows() {
        let svg = draw(&BaseMap::default(), &frame);
        let land = follow(attribute(&svg, "<path id=\"levant-ground\"", "d"));
        assert!(land.len() > 50, "only {} points of land", land.len());
        let (width, height) = (f64::from(frame.width()) + 0.01, f64::from(frame.height()) + 0.01);
        for (x, y) in land {
            assert!((-0.01..=width).contains(&x) && (-0.01..=height).contains(&y), "{x}, {y} is outside");
        }
    }
}

#[test]
fn maps_are_small() {
    for (frame, most) in windows().into_iter().zip([110_000, 56_000, 35_000, 80_000]) {
        for theme in [Theme::Parchment, Theme::Night] {
            let size = draw(&BaseMap { theme, ..BaseMap::default() }, &frame).len();
            assert!(size < most, "{:?} takes {size} bytes, more than {most}", frame.window());
        }
    }
}

#[test]
fn the_same_map_twice_is_the_same_text() {
    for frame in windows() {
        let map = BaseMap { cities: true, ..BaseMap::default() };
        assert_eq!(draw(&map, &frame), draw(&map, &frame));
    }
}

#[test]
fn what_is_left_out_is_not_there() {
    let frame = windows()[1];
    let full = draw(&BaseMap { cities: true, ..BaseMap::default() }, &frame);
    let bare = BaseMap {
        rivers: false,
        ranges: false,
        terrain: false,
        waves: false,
        graticule: false,
        ..BaseMap::bare(Theme::Night)
    };
    let bare = draw(&bare, &frame);
    for class in [
        "names",
        "city",
        "river",
        "peak",
        "relief",
        "desert",
        "vale",
        "stipple",
        "waves",
        "graticule",
        "rose",
        "rhumb",
        "scale",
        "border",
    ] {
        let class = format!("class=\"levant-{class}\"");
        assert!(full.contains(&class), "the full map lacks {class}");
        assert!(!bare.contains(&class), "the bare map has {class}");
    }
    for class in ["sea", "land", "lake", "coast"] {
        assert!(bare.contains(&format!("class=\"levant-{class}\"")), "the bare map lacks {class}");
    }
}

#[test]
fn the_sea_has_no_land_and_the_desert_no_sea() {
    let sea = draw(&BaseMap::default(), &frame(29.0, 32.5, 31.0, 34.0, 800));
    assert!(!sea.contains("levant-ground") && !sea.contains("levant-coast\" href"));
    let desert = draw(&BaseMap::default(), &frame(38.0, 30.5, 41.0, 33.0, 800));
    let mut land = follow(attribute(&desert, "<path id=\"levant-ground\"", "d"));
    land.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let height = f64::from(frame(38.0, 30.5, 41.0, 33.0, 800).height());
    assert_eq!(land, [(0.0, 0.0), (0.0, height), (800.0, 0.0), (800.0, height)]);
    assert!(!desert.contains("levant-rose"), "a compass rose in the desert");
}

#[test]
fn every_picture_is_sound_svg() {
    let options = resvg::usvg::Options::default();
    for frame in windows() {
        for map in [BaseMap { cities: true, ..BaseMap::default() }, BaseMap::bare(Theme::Night)] {
            let tree = resvg::usvg::Tree::from_str(&draw(&map, &frame), &options).unwrap();
            let margin = 2 * map.margin(&frame);
            assert_eq!(tree.size().width(), (frame.width() + margin) as f32);
            assert_eq!(tree.size().height(), (frame.height() + margin) as f32);
        }
    }
}

#[test]
fn every_reference_leads_somewhere_and_no_id_is_used_twice() {
    for frame in windows() {
        let map = BaseMap { id: "board-2".to_owned(), cities: true, ..BaseMap::default() };
        let svg = draw(&map, &frame);
        let ids: Vec<&str> = svg.split(" id=\"").skip(1).map(|s| s.split('"').next().unwrap()).collect();
        let unique: std::collections::BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len());
        assert!(ids.iter().all(|id| id.starts_with("board-2-")));
        for from in ["href=\"#", "url(#"] {
            for reference in svg.split(from).skip(1) {
                let id = reference.split(['"', ')']).next().unwrap();
                assert!(unique.contains(id), "{id} leads nowhere");
            }
        }
    }
}

#[test]
fn names_keep_apart_and_inside() {
    for frame in windows() {
        let ground = Ground::new(Levant::built_in(), &frame);
        let map = BaseMap { cities: true, ..BaseMap::default() };
        let labels = names::choose(&map, Levant::built_in(), &frame, &ground);
        assert!(labels.len() >= 10, "only {} names", labels.len());
        let prints: Vec<_> = labels.chunks(1).map(names::footprints).collect();
        for (i, print) in prints.iter().enumerate() {
            assert!(print.iter().all(|&(p, r)| ground.rect.grown(-r * 0.6).contains(p)));
            for other in &prints[i + 1..] {
                for &(p, r) in print {
                    assert!(other.iter().all(|&(q, s)| crate::shape::distance(p, q) > r + s));
                }
            }
        }
    }
}

#[test]
fn a_small_map_reads_like_this() {
    let map = BaseMap {
        ranges: false,
        small_names: false,
        graticule: false,
        border: false,
        rose: false,
        ..BaseMap::default()
    };
    insta::assert_snapshot!(draw(&map, &frame(34.8, 32.4, 35.8, 33.2, 200)));
}

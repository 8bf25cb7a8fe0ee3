use std::collections::BTreeSet;

use hexx::{EdgeDirection, HexLayout, HexOrientation, OffsetHexMode, Vec2};
use proptest::prelude::*;

use super::*;

fn theirs(hex: Hex) -> hexx::Hex {
    hexx::hex(hex.q.into(), hex.r.into())
}

fn ours(hex: hexx::Hex) -> Hex {
    Hex::new(hex.x.try_into().unwrap(), hex.y.try_into().unwrap())
}

const THEIR_DIRECTIONS: [(EdgeDirection, EdgeDirection); 6] = [
    (EdgeDirection::POINTY_EAST, EdgeDirection::FLAT_SOUTH_EAST),
    (EdgeDirection::POINTY_SOUTH_EAST, EdgeDirection::FLAT_SOUTH),
    (EdgeDirection::POINTY_SOUTH_WEST, EdgeDirection::FLAT_SOUTH_WEST),
    (EdgeDirection::POINTY_WEST, EdgeDirection::FLAT_NORTH_WEST),
    (EdgeDirection::POINTY_NORTH_WEST, EdgeDirection::FLAT_NORTH),
    (EdgeDirection::POINTY_NORTH_EAST, EdgeDirection::FLAT_NORTH_EAST),
];

fn any_hex() -> impl Strategy<Value = Hex> {
    (-60..60i16, -60..60i16).prop_map(|(q, r)| Hex::new(q, r))
}

fn any_lie() -> impl Strategy<Value = Lie> {
    prop_oneof![Just(Lie::Pointy), Just(Lie::Flat)]
}

fn orientation(lie: Lie) -> HexOrientation {
    match lie {
        Lie::Pointy => HexOrientation::Pointy,
        Lie::Flat => HexOrientation::Flat,
    }
}

proptest! {
    #[test]
    fn neighbours_are_where_hexx_has_them(hex in any_hex()) {
        for (direction, (pointy, flat)) in Direction::ALL.into_iter().zip(THEIR_DIRECTIONS) {
            let neighbour = hex.neighbour(direction);
            prop_assert_eq!(neighbour, ours(theirs(hex).neighbor(pointy)));
            prop_assert_eq!(neighbour, ours(theirs(hex).neighbor(flat)));
            prop_assert_eq!(hex.direction_to(neighbour), Some(direction));
            prop_assert_eq!(neighbour.neighbour(direction.opposite()), hex);
        }
    }

    #[test]
    fn distances_are_those_of_hexx(a in any_hex(), b in any_hex()) {
        prop_assert_eq!(a.distance(b), theirs(a).unsigned_distance_to(theirs(b)));
    }

    #[test]
    fn rings_and_discs_are_those_of_hexx(hex in any_hex(), radius in 0..9u16) {
        let ring: Vec<Hex> = hex.ring(radius).collect();
        prop_assert_eq!(ring.len(), hex.ring(radius).len());
        let there: BTreeSet<Hex> = theirs(hex).ring(radius.into()).map(ours).collect();
        prop_assert_eq!(ring.iter().copied().collect::<BTreeSet<_>>(), there);
        // One after the other, clockwise: the next is a neighbour, and the middle keeps to the right.
        for (a, b) in ring.iter().zip(ring.iter().skip(1)) {
            prop_assert_eq!(a.distance(*b), 1);
        }
        let disc: Vec<Hex> = hex.disc(radius).collect();
        let there: BTreeSet<Hex> = theirs(hex).range(radius.into()).map(ours).collect();
        prop_assert_eq!(disc.len(), there.len());
        prop_assert_eq!(disc.iter().copied().collect::<BTreeSet<_>>(), there);
        prop_assert!(disc.is_sorted_by_key(|h| hex.distance(*h)));
    }

    #[test]
    fn a_line_has_what_hexx_has_and_both_sides_of_a_tie(a in any_hex(), b in any_hex()) {
        let line: Vec<Passed> = a.line(b).collect();
        prop_assert_eq!(line.len(), a.line(b).len());
        let there: Vec<Hex> = theirs(a).line_to(theirs(b)).map(ours).collect();
        prop_assert_eq!(line.len(), there.len());
        for (i, (passed, hex)) in line.iter().zip(&there).enumerate() {
            prop_assert!(passed.touches(*hex), "{passed:?} {hex:?}");
            for hex in passed.hexes() {
                prop_assert_eq!(a.distance(hex), i as u32);
                prop_assert_eq!(hex.distance(b), a.distance(b) - i as u32);
            }
            if let Passed::Between(one, other) = passed {
                prop_assert_eq!(one.distance(*other), 1);
                prop_assert!(one < other);
            }
        }
        // The way back passes the same.
        let back: Vec<Passed> = b.line(a).collect();
        prop_assert!(back.iter().rev().eq(line.iter()));
    }

    #[test]
    fn a_tie_is_where_two_hexes_are_equally_near(a in any_hex(), b in any_hex()) {
        // The middles of hexes, stretched so that all is whole: x = 2q + r, y = r, distances x² + 3y².
        let length = i64::from(a.distance(b));
        let plane = |hex: Hex| (2 * i64::from(hex.q) + i64::from(hex.r), i64::from(hex.r));
        let ((ax, ay), (bx, by)) = (plane(a), plane(b));
        for (step, passed) in (0i64..).zip(a.line(b)) {
            let point = (ax * length + (bx - ax) * step, ay * length + (by - ay) * step);
            let off = |hex: Hex| {
                let (x, y) = plane(hex);
                let (dx, dy) = (x * length - point.0, y * length - point.1);
                dx * dx + 3 * dy * dy
            };
            let near: BTreeSet<Hex> = passed.hexes().collect();
            let around = passed.hexes().next().unwrap().disc(2);
            let least = around.clone().map(off).min().unwrap();
            let nearest: BTreeSet<Hex> = around.filter(|hex| off(*hex) == least).collect();
            if length > 0 {
                prop_assert_eq!(nearest, near);
            }
        }
    }

    #[test]
    fn turning_is_that_of_hexx(hex in any_hex(), centre in any_hex(), sixths in -9..9i8) {
        let times = sixths.rem_euclid(6) as u32;
        let there = ours(theirs(hex).rotate_cw_around(theirs(centre), times));
        prop_assert_eq!(hex.turned(centre, sixths), there);
        prop_assert_eq!(hex.turned(centre, sixths).turned(centre, -sixths), hex);
        for direction in Direction::ALL {
            let step = direction.step().turned(Hex::ORIGIN, sixths);
            prop_assert_eq!(step, direction.turned(sixths).step());
        }
    }

    #[test]
    fn columns_and_rows_are_those_of_hexx(hex in any_hex(), lie in any_lie()) {
        for (shoved, mode) in [(Shoved::Odd, OffsetHexMode::Odd), (Shoved::Even, OffsetHexMode::Even)] {
            let (column, row) = hex.to_offset(lie, shoved);
            let there = theirs(hex).to_offset_coordinates(mode, orientation(lie));
            prop_assert_eq!([i32::from(column), i32::from(row)], there);
            prop_assert_eq!(Hex::from_offset((column, row), lie, shoved), hex);
        }
    }

    #[test]
    fn printed_numbers_are_read_back(column in 0..100i16, row in 0..100i16, lie in any_lie()) {
        for shoved in [Shoved::Odd, Shoved::Even] {
            let printed = Printed { lie, shoved };
            let text = format!("{column:02}{row:02}");
            let hex = printed.read(&text).unwrap();
            prop_assert_eq!(hex.to_offset(lie, shoved), (column, row));
            prop_assert_eq!(printed.write(hex), Some(text));
        }
    }

    #[test]
    fn a_point_belongs_to_the_hex_around_it(
        lie in any_lie(), size in 4..90i32, origin in (-500..500i32, -500..500i32), x in -2000..2000i32, y in -2000..2000i32,
    ) {
        let lattice = Lattice::new(lie, size, origin);
        let hex = lattice.at((x, y)).unwrap();
        let corners = lattice.corners(hex);
        for i in 0..6 {
            let ((ax, ay), (bx, by)) = (corners[i], corners[(i + 1) % 6]);
            let side = i64::from(bx - ax) * i64::from(y - ay) - i64::from(by - ay) * i64::from(x - ax);
            prop_assert!(side >= 0, "({x}, {y}) is outside {hex:?}, beyond side {i}");
        }
        // Well within a hex, `hexx` has it too.
        let (cx, cy) = lattice.centre(hex);
        if (x - cx).abs() + (y - cy).abs() < size / 2 {
            let wide = lattice.half as f32 / 3.0_f32.sqrt();
            let (scale, origin) = match lie {
                Lie::Pointy => (Vec2::new(2.0 * wide, lattice.size() as f32), origin),
                Lie::Flat => (Vec2::new(lattice.size() as f32, 2.0 * wide), origin),
            };
            let origin = Vec2::new(origin.0 as f32, origin.1 as f32);
            let layout = HexLayout::new(orientation(lie)).with_scale(scale).with_origin(origin);
            prop_assert_eq!(ours(layout.world_pos_to_hex(Vec2::new(x as f32, y as f32))), hex);
        }
    }

    #[test]
    fn neighbours_share_two_corners(lie in any_lie(), size in 4..90i32, hex in any_hex()) {
        let lattice = Lattice::new(lie, size, (7, -3));
        let corners = lattice.corners(hex);
        prop_assert_eq!(lattice.at(lattice.centre(hex)), Some(hex));
        for (i, direction) in Direction::ALL.into_iter().enumerate() {
            let theirs = lattice.corners(hex.neighbour(direction));
            let shared: BTreeSet<_> = corners.iter().filter(|c| theirs.contains(c)).collect();
            prop_assert_eq!(shared, BTreeSet::from([&corners[i], &corners[(i + 1) % 6]]));
        }
    }
}

#[test]
fn directions_have_names() {
    for lie in [Lie::Pointy, Lie::Flat] {
        for direction in Direction::ALL {
            assert_eq!(Direction::read(direction.name(lie), lie), Ok(direction));
            assert_eq!(Direction::read(direction.letters(lie), lie), Ok(direction));
        }
    }
    assert_eq!(pointy::EAST.name(Lie::Pointy), "east");
    assert_eq!(flat::NORTH.name(Lie::Flat), "north");
    assert_eq!(
        Direction::read("N", Lie::Pointy).unwrap_err().to_string(),
        "found `N`, expected a direction (E, SE, SW, W, NW, NE)"
    );
    assert_eq!(pointy::EAST.left(), pointy::NORTH_EAST);
    assert_eq!(flat::NORTH.right(), flat::NORTH_EAST);
    assert_eq!(flat::NORTH.turns_to(flat::SOUTH_WEST), 2);
    assert_eq!(flat::NORTH.right_turns_to(flat::SOUTH_WEST), 4);
    // On a board, east is to the right and north above.
    for (lie, direction, way) in [
        (Lie::Pointy, pointy::EAST, (1, 0)),
        (Lie::Pointy, pointy::NORTH_WEST, (-1, -1)),
        (Lie::Flat, flat::SOUTH, (0, 1)),
        (Lie::Flat, flat::NORTH_EAST, (1, -1)),
    ] {
        let (x, y) = Lattice::new(lie, 40, (0, 0)).centre(direction.step());
        assert_eq!((x.signum(), y.signum()), way, "{}", direction.name(lie));
    }
}

#[test]
fn printed_numbers_that_are_none_are_refused() {
    let printed = Printed { lie: Lie::Flat, shoved: Shoved::Even };
    for text in ["", "12", "12345", "1a03", "+103", "٣٤"] {
        let error = printed.read(text).unwrap_err().to_string();
        assert_eq!(error, format!("found `{text}`, expected four digits, the column and the row of a hex"));
    }
    assert_eq!(printed.write(Hex::new(-1, 0)), None);
    assert_eq!(printed.write(Hex::new(100, 0)), None);
}

#[test]
fn nothing_is_allocated() {
    let info = allocation_counter::measure(|| {
        let (a, b) = (Hex::new(-7, 3), Hex::new(9, 14));
        let sum = a.disc(4).chain(a.neighbours()).map(|hex| hex.distance(b)).sum::<u32>();
        let passed = a.line(b).flat_map(Passed::hexes).count();
        assert!(sum > 0 && passed > 27);
    });
    assert_eq!(info.count_total, 0);
}

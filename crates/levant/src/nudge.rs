//! Makes room on the board: moves spaces apart that would overlap, and no others.
//!
//! Real towns crowd along the coast, and pieces need room. Pairs that overlap are pushed apart along the
//! line between them, each by half, until none do; then every space slides back towards its true place as
//! far as the others allow. The spaces are worked on in the order of where they lie, not of how they are
//! listed, and nothing is left to chance, so the same towns always get the same places.

use crate::frame::{FrameError, MapFrame, Window};

/// A space to be placed: where it truly lies and how much room it needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
    /// Radius of the room it needs, in board units.
    pub radius: i32,
}

/// Why the spaces could not be given room.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NudgeError {
    /// A space lies outside the frame.
    #[error("space {index} at {lat} N, {lon} E lies outside the frame: widen the window or leave it out")]
    Outside {
        /// Its index in the list.
        index: usize,
        /// Degrees north.
        lat: f64,
        /// Degrees east.
        lon: f64,
    },
    /// A radius is negative, or larger than the frame can hold.
    #[error("space {index} asks for a radius of {radius}: it must be between 0 and {most} in this frame")]
    Radius {
        /// Its index in the list.
        index: usize,
        /// The radius it asked for.
        radius: i32,
        /// The largest that fits.
        most: i32,
    },
    /// The spaces do not fit, or not near enough to where they belong.
    #[error(
        "spaces {first} and {second} still overlap by {by} units: make the frame wider or the radii smaller"
    )]
    NoRoom {
        /// Index of one of a pair that could not be parted.
        first: usize,
        /// Index of the other.
        second: usize,
        /// By how much they overlap, in units, rounded up.
        by: i32,
    },
}

/// How often pairs are pushed apart before the board counts as full.
const ROUNDS: usize = 4000;
/// Room kept in hand for rounding two places to whole units (each moves by at most √½).
const ROUNDING: f64 = 1.5;

struct Placed {
    index: usize,
    home: [f64; 2],
    at: [f64; 2],
    radius: f64,
}

/// Why a board cannot be laid out.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum LayOutError {
    /// The window cannot be a board.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A space does not fit in.
    #[error(transparent)]
    Spot(#[from] NudgeError),
}

/// A board laid out on the map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaidOut {
    /// Where the spaces are, in the order in which they were given.
    pub places: Vec<(i32, i32)>,
    /// Width and height of the board.
    pub size: (i32, i32),
}

/// Lays a game's spaces out on a board of this width that shows a window of the map: west, south, east, north
/// in hundredths of a degree.
pub fn lay_out(
    (west, south, east, north): (i32, i32, i32, i32),
    width: i32,
    spots: &[Spot],
) -> Result<LaidOut, LayOutError> {
    let degrees = |hundredths: i32| f64::from(hundredths) / 100.0;
    let window = Window::new(degrees(west), degrees(south), degrees(east), degrees(north))?;
    let frame = MapFrame::new(window, width)?;
    Ok(LaidOut { places: nudge(&frame, spots)?, size: (frame.width(), frame.height()) })
}

/// Places spaces in whole board units so that no two circles overlap and every circle lies in the frame,
/// each as near to its true place as room allows. A space with room enough is not moved at all.
pub fn nudge(frame: &MapFrame, spots: &[Spot]) -> Result<Vec<(i32, i32)>, NudgeError> {
    let most = frame.width().min(frame.height()) / 2;
    let mut placed = Vec::with_capacity(spots.len());
    for (index, spot) in spots.iter().enumerate() {
        if !frame.contains(spot.lat, spot.lon) {
            return Err(NudgeError::Outside { index, lat: spot.lat, lon: spot.lon });
        }
        if !(0..=most).contains(&spot.radius) {
            return Err(NudgeError::Radius { index, radius: spot.radius, most });
        }
        let (x, y) = frame.place(spot.lat, spot.lon);
        let radius = f64::from(spot.radius);
        let home = keep_in(frame, [f64::from(x), f64::from(y)], radius);
        placed.push(Placed { index, home, at: home, radius });
    }
    // North to south, west to east, large to small: an order that does not depend on the list's.
    placed.sort_by(|a, b| {
        let key = |p: &Placed| [p.home[1], p.home[0], -p.radius];
        let (a, b) = (key(a), key(b));
        a.iter().zip(&b).map(|(a, b)| a.total_cmp(b)).find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    });
    part(frame, &mut placed);
    settle(&mut placed);

    let mut places = vec![(0, 0); spots.len()];
    for p in &placed {
        places[p.index] = (p.at[0].round() as i32, p.at[1].round() as i32);
    }
    if let Some((first, second, by)) = worst_overlap(spots, &places) {
        return Err(NudgeError::NoRoom { first, second, by });
    }
    Ok(places)
}

/// Whether two places are in each other's way. Both on whole units, as at home, they may touch; anywhere
/// else they keep [`ROUNDING`] between them.
fn too_near(a: [f64; 2], b: [f64; 2], radii: f64) -> Option<f64> {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let square = dx * dx + dy * dy;
    let whole = |p: [f64; 2]| p[0] == p[0].round() && p[1] == p[1].round();
    let wanted = if whole(a) && whole(b) { radii } else { radii + ROUNDING };
    (square < wanted * wanted).then(|| radii + ROUNDING + 0.01 - square.sqrt())
}

/// Pushes overlapping pairs apart until there are none, or the rounds run out.
fn part(frame: &MapFrame, placed: &mut [Placed]) {
    for _ in 0..ROUNDS {
        let mut moved = false;
        for i in 0..placed.len() {
            for j in i + 1..placed.len() {
                let radii = placed[i].radius + placed[j].radius;
                let (a, b) = (placed[i].at, placed[j].at);
                let Some(overlap) = too_near(a, b, radii) else { continue };
                moved = true;
                let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
                let apart = (dx * dx + dy * dy).sqrt();
                // Two spaces in one place part to the left and right, a little askew so that a third
                // one finds its way round.
                let (ux, uy) = if apart > 1e-9 { (dx / apart, dy / apart) } else { (0.96, 0.28) };
                let half = overlap / 2.0;
                placed[i].at = keep_in(frame, [a[0] - ux * half, a[1] - uy * half], placed[i].radius);
                placed[j].at = keep_in(frame, [b[0] + ux * half, b[1] + uy * half], placed[j].radius);
            }
        }
        if !moved {
            return;
        }
    }
}

/// Lets every space slide back towards home while nothing is in its way.
fn settle(placed: &mut [Placed]) {
    for _ in 0..40 {
        let mut moved = false;
        for i in 0..placed.len() {
            let (at, home) = (placed[i].at, placed[i].home);
            if at == home {
                continue;
            }
            for share in [1.0, 0.5, 0.25, 0.125, 0.0625] {
                let to = if share == 1.0 {
                    home
                } else {
                    [at[0] + (home[0] - at[0]) * share, at[1] + (home[1] - at[1]) * share]
                };
                let free = |(j, p): (usize, &Placed)| {
                    j == i || too_near(to, p.at, placed[i].radius + p.radius).is_none()
                };
                if placed.iter().enumerate().all(free) {
                    placed[i].at = to;
                    moved = true;
                    break;
                }
            }
        }
        if !moved {
            return;
        }
    }
}

fn keep_in(frame: &MapFrame, [x, y]: [f64; 2], radius: f64) -> [f64; 2] {
    let within = |v: f64, size: i32| v.min(f64::from(size) - radius).max(radius);
    [within(x, frame.width()), within(y, frame.height())]
}

/// The pair that overlaps most, in whole numbers, with the amount.
fn worst_overlap(spots: &[Spot], places: &[(i32, i32)]) -> Option<(usize, usize, i32)> {
    let mut worst = None;
    for i in 0..places.len() {
        for j in i + 1..places.len() {
            let (dx, dy) = (i64::from(places[j].0 - places[i].0), i64::from(places[j].1 - places[i].1));
            let radii = i64::from(spots[i].radius) + i64::from(spots[j].radius);
            let square = dx * dx + dy * dy;
            if square < radii * radii {
                let by = (radii as f64 - (square as f64).sqrt()).ceil() as i32;
                if worst.is_none_or(|(_, _, most)| by > most) {
                    worst = Some((i, j, by));
                }
            }
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Towns of the coast and the interior, where they crowd as they do on a board.
    const TOWNS: [(f64, f64); 53] = [
        (32.923, 35.07),
        (32.333, 35.752),
        (35.685, 36.535),
        (36.199, 37.163),
        (31.955, 35.934),
        (33.727, 35.93),
        (36.204, 36.16),
        (36.3, 36.58),
        (31.662, 34.547),
        (32.8, 36.015),
        (34.006, 36.204),
        (32.5, 35.5),
        (33.248, 35.694),
        (33.324, 35.532),
        (31.252, 34.791),
        (33.894, 35.502),
        (34.255, 35.658),
        (32.5, 34.892),
        (33.511, 36.306),
        (32.103, 35.547),
        (31.066, 35.032),
        (30.044, 31.236),
        (31.504, 34.464),
        (35.132, 36.758),
        (36.208, 36.519),
        (31.524, 35.111),
        (34.731, 36.709),
        (32.054, 34.752),
        (31.871, 35.444),
        (31.776, 35.234),
        (35.925, 35.989),
        (31.181, 35.701),
        (34.757, 36.295),
        (31.565, 34.849),
        (34.4, 36.42),
        (35.517, 35.783),
        (32.572, 35.171),
        (35.151, 35.949),
        (35.065, 36.342),
        (34.9, 36.42),
        (32.221, 35.254),
        (34.15, 36.75),
        (31.928, 34.866),
        (35.596, 36.057),
        (35.812, 36.317),
        (33.563, 35.369),
        (36.085, 35.977),
        (34.889, 35.886),
        (32.793, 35.533),
        (34.434, 35.844),
        (33.271, 35.196),
        (36.046, 36.757),
        (31.04, 35.5),
    ];

    fn frame(width: i32) -> MapFrame {
        MapFrame::new(Window::new(31.0, 29.5, 38.5, 38.0).unwrap(), width).unwrap()
    }

    fn towns(radius: i32) -> Vec<Spot> {
        TOWNS.iter().map(|&(lat, lon)| Spot { lat, lon, radius }).collect()
    }

    fn check(frame: &MapFrame, spots: &[Spot], places: &[(i32, i32)]) {
        assert_eq!(worst_overlap(spots, places), None);
        for (spot, &(x, y)) in spots.iter().zip(places) {
            let r = spot.radius;
            assert!(
                x >= r && y >= r && x <= frame.width() - r && y <= frame.height() - r,
                "{spot:?} at {x}, {y}"
            );
        }
    }

    #[test]
    fn fifty_three_towns_get_room_and_stay_near_home() {
        let frame = frame(1600);
        let spots = towns(30);
        let places = nudge(&frame, &spots).unwrap();
        check(&frame, &spots, &places);
        let mut farthest = 0;
        for (spot, &(x, y)) in spots.iter().zip(&places) {
            let (hx, hy) = frame.place(spot.lat, spot.lon);
            farthest = farthest.max((hx - x).abs().max((hy - y).abs()));
        }
        assert!(farthest <= 75, "a town was moved by {farthest} units");
    }

    #[test]
    fn who_has_room_is_not_moved() {
        let frame = frame(1600);
        let spots = towns(2);
        let places = nudge(&frame, &spots).unwrap();
        for (spot, place) in spots.iter().zip(places) {
            assert_eq!(place, frame.place(spot.lat, spot.lon));
        }
    }

    #[test]
    fn the_same_towns_in_another_order_get_the_same_places() {
        let frame = frame(1600);
        let mut spots = towns(32);
        let places = nudge(&frame, &spots).unwrap();
        assert_eq!(places, nudge(&frame, &spots).unwrap());
        spots.reverse();
        let mut reversed = nudge(&frame, &spots).unwrap();
        reversed.reverse();
        assert_eq!(places, reversed);
    }

    #[test]
    fn spaces_in_one_place_are_parted() {
        let frame = frame(1000);
        let spots = [Spot { lat: 33.0, lon: 35.0, radius: 20 }; 7];
        check(&frame, &spots, &nudge(&frame, &spots).unwrap());
    }

    #[test]
    fn errors_say_what_to_do() {
        let frame = frame(1000);
        let text = |spots: &[Spot]| nudge(&frame, spots).unwrap_err().to_string();
        insta::assert_snapshot!(text(&[Spot { lat: 41.0, lon: 29.0, radius: 20 }]), @"space 0 at 41 N, 29 E lies outside the frame: widen the window or leave it out");
        insta::assert_snapshot!(text(&[Spot { lat: 33.0, lon: 35.0, radius: -1 }]), @"space 0 asks for a radius of -1: it must be between 0 and 500 in this frame");
        assert!(
            text(&[Spot { lat: 33.0, lon: 35.0, radius: 400 }; 3])
                .ends_with("make the frame wider or the radii smaller")
        );
    }

    proptest! {
        #[test]
        fn whatever_is_placed_has_room(
            at in proptest::collection::vec((30.0..37.5f64, 31.5..38.0f64, 0..40i32), 0..40)
        ) {
            let frame = frame(1200);
            let spots: Vec<_> = at.into_iter().map(|(lat, lon, radius)| Spot { lat, lon, radius }).collect();
            check(&frame, &spots, &nudge(&frame, &spots).unwrap());
        }
    }

    #[test]
    fn a_board_says_what_it_cannot_be_laid_out_on() {
        let acre = Spot { lat: 32.923, lon: 35.07, radius: 40 };
        let board = lay_out((3300, 3100, 3700, 3500), 2000, &[acre]).unwrap();
        assert_eq!(board.size.0, 2000);
        assert_eq!(board.places.len(), 1);
        let wrong = |window| lay_out(window, 2000, &[acre]).unwrap_err().to_string();
        assert!(wrong((3700, 3100, 3300, 3500)).contains("must be less than"));
        assert!(wrong((3300, 3300, 3700, 3500)).contains("lies outside the frame"));
    }
}

//! The part of the world that a board shows, and how its units lie on it.
//!
//! A [`Window`] is checked once, when it is made; a [`MapFrame`] is a window with a size in board units.
//! After that nothing about placing can fail: a town outside the window gets a place outside the frame.

use crate::projection::{project, stretch, unproject};

/// Why a window or a frame could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FrameError {
    /// Two opposite sides are the wrong way round, or equal.
    #[error(
        "the window's {low_name} side ({low}) must be less than its {high_name} side ({high}); the order is west, south, east, north"
    )]
    Inverted {
        /// The side that must be the lesser: `west` or `south`.
        low_name: &'static str,
        /// What it was given as.
        low: f64,
        /// The side that must be the greater: `east` or `north`.
        high_name: &'static str,
        /// What it was given as.
        high: f64,
    },
    /// A side leaves the charted ground (or is no number at all).
    #[error(
        "the window's {side} side ({found}) leaves the charted ground: it must lie between {least} and {most} degrees"
    )]
    OutOfRange {
        /// Which side: `west`, `south`, `east` or `north`.
        side: &'static str,
        /// What it was given as.
        found: f64,
        /// The least it may be.
        least: f64,
        /// The most it may be.
        most: f64,
    },
    /// The frame is too small or too large to be drawn.
    #[error(
        "a frame {found} units wide is out of bounds: it must be between {least} and {most} units wide",
        least = MapFrame::LEAST_WIDTH,
        most = MapFrame::MOST_WIDTH
    )]
    Width {
        /// The width that was asked for.
        found: i32,
    },
    /// The window is so narrow that the frame would be too tall (or so flat that it would vanish).
    #[error(
        "a window of {degrees_wide} by {degrees_high} degrees gives a frame {height} units high at this width: \
         it must be between {least} and {most}, so choose a squarer window",
        least = MapFrame::LEAST_WIDTH,
        most = MapFrame::MOST_WIDTH
    )]
    Height {
        /// The window's extent in longitude.
        degrees_wide: f64,
        /// The window's extent in latitude.
        degrees_high: f64,
        /// The height that would follow, rounded.
        height: f64,
    },
}

/// A rectangle of latitude and longitude, in degrees, inside the charted ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    west: f64,
    south: f64,
    east: f64,
    north: f64,
}

impl Window {
    /// All the ground there is: 25° to 44° E, 26.5° to 42.5° N.
    pub const CHARTED: Window = Window { west: 25.0, south: 26.5, east: 44.0, north: 42.5 };

    /// A window from its four sides in degrees, in the order west, south, east, north.
    pub fn new(west: f64, south: f64, east: f64, north: f64) -> Result<Self, FrameError> {
        let all = Self::CHARTED;
        for (side, found, least, most) in [
            ("west", west, all.west, all.east),
            ("south", south, all.south, all.north),
            ("east", east, all.west, all.east),
            ("north", north, all.south, all.north),
        ] {
            if !(least..=most).contains(&found) {
                return Err(FrameError::OutOfRange { side, found, least, most });
            }
        }
        for (low_name, low, high_name, high) in
            [("west", west, "east", east), ("south", south, "north", north)]
        {
            if low >= high {
                return Err(FrameError::Inverted { low_name, low, high_name, high });
            }
        }
        Ok(Window { west, south, east, north })
    }

    /// The western side, in degrees east.
    pub fn west(&self) -> f64 {
        self.west
    }

    /// The southern side, in degrees north.
    pub fn south(&self) -> f64 {
        self.south
    }

    /// The eastern side, in degrees east.
    pub fn east(&self) -> f64 {
        self.east
    }

    /// The northern side, in degrees north.
    pub fn north(&self) -> f64 {
        self.north
    }

    /// Whether a place lies in the window, its sides included.
    pub fn contains(&self, lat: f64, lon: f64) -> bool {
        (self.south..=self.north).contains(&lat) && (self.west..=self.east).contains(&lon)
    }
}

/// A window laid out on a board: `x` runs to the right from 0 to `width`, `y` down from 0 to `height`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapFrame {
    window: Window,
    width: i32,
    height: i32,
    units_per_km: f64,
    left_km: f64,
    top_km: f64,
}

impl MapFrame {
    /// The narrowest frame that can be drawn.
    pub const LEAST_WIDTH: i32 = 100;
    /// The widest frame that can be drawn.
    pub const MOST_WIDTH: i32 = 100_000;

    /// Lays a window out over `width` board units; the height follows from the projection.
    pub fn new(window: Window, width: i32) -> Result<Self, FrameError> {
        if !(Self::LEAST_WIDTH..=Self::MOST_WIDTH).contains(&width) {
            return Err(FrameError::Width { found: width });
        }
        let (left_km, top_km) = project(window.north, window.west);
        let (right_km, bottom_km) = project(window.south, window.east);
        let units_per_km = f64::from(width) / (right_km - left_km);
        let height = ((top_km - bottom_km) * units_per_km).round();
        if !(f64::from(Self::LEAST_WIDTH)..=f64::from(Self::MOST_WIDTH)).contains(&height) {
            return Err(FrameError::Height {
                degrees_wide: window.east - window.west,
                degrees_high: window.north - window.south,
                height,
            });
        }
        Ok(MapFrame { window, width, height: height as i32, units_per_km, left_km, top_km })
    }

    /// The ground that the frame shows.
    pub fn window(&self) -> Window {
        self.window
    }

    /// The width in board units.
    pub fn width(&self) -> i32 {
        self.width
    }

    /// The height in board units.
    pub fn height(&self) -> i32 {
        self.height
    }

    /// Board units to a kilometre at the given latitude.
    pub fn units_per_km(&self, lat: f64) -> f64 {
        self.units_per_km * stretch(lat)
    }

    /// Where a latitude and longitude lie on the board, to the nearest unit.
    pub fn place(&self, lat: f64, lon: f64) -> (i32, i32) {
        let (x, y) = self.place_exactly(lat, lon);
        (x.round() as i32, y.round() as i32)
    }

    /// Where a latitude and longitude lie on the board, in fractions of a unit.
    pub fn place_exactly(&self, lat: f64, lon: f64) -> (f64, f64) {
        let (x, y) = project(lat, lon);
        ((x - self.left_km) * self.units_per_km, (self.top_km - y) * self.units_per_km)
    }

    /// The latitude and longitude of a place on the board: the inverse of [`MapFrame::place`].
    pub fn locate(&self, x: f64, y: f64) -> (f64, f64) {
        unproject(x / self.units_per_km + self.left_km, self.top_km - y / self.units_per_km)
    }

    /// Whether a latitude and longitude lie on the board.
    pub fn contains(&self, lat: f64, lon: f64) -> bool {
        self.window.contains(lat, lon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_window_says_what_is_wrong_with_it() {
        let text = |w, s, e, n| Window::new(w, s, e, n).unwrap_err().to_string();
        insta::assert_snapshot!(text(38.5, 30.5, 31.5, 38.0), @"the window's west side (38.5) must be less than its east side (31.5); the order is west, south, east, north");
        insta::assert_snapshot!(text(31.5, 38.0, 38.5, 38.0), @"the window's south side (38) must be less than its north side (38); the order is west, south, east, north");
        insta::assert_snapshot!(text(20.0, 30.0, 38.0, 38.0), @"the window's west side (20) leaves the charted ground: it must lie between 25 and 44 degrees");
        insta::assert_snapshot!(text(31.0, 30.0, 38.0, f64::NAN), @"the window's north side (NaN) leaves the charted ground: it must lie between 26.5 and 42.5 degrees");
    }

    #[test]
    fn a_frame_says_what_is_wrong_with_it() {
        let text = |w, width| MapFrame::new(w, width).unwrap_err().to_string();
        insta::assert_snapshot!(text(Window::CHARTED, 0), @"a frame 0 units wide is out of bounds: it must be between 100 and 100000 units wide");
        let ribbon = Window::new(25.0, 33.0, 44.0, 33.001).unwrap();
        insta::assert_snapshot!(text(ribbon, 1000), @"a window of 19 by 0.0009999999999976694 degrees gives a frame 0 units high at this width: it must be between 100 and 100000, so choose a squarer window");
    }

    #[test]
    fn the_corners_of_the_window_are_the_corners_of_the_frame() {
        let frame = MapFrame::new(Window::new(31.5, 30.5, 38.5, 38.0).unwrap(), 1600).unwrap();
        assert_eq!(frame.place(38.0, 31.5), (0, 0));
        assert_eq!(frame.place(30.5, 38.5), (1600, frame.height()));
        assert!(frame.height() > 1900 && frame.height() < 2200, "{}", frame.height());
    }

    #[test]
    fn what_lies_north_lies_above() {
        let frame = MapFrame::new(Window::CHARTED, 2000).unwrap();
        let (antioch, jerusalem) = (frame.place(36.204, 36.16), frame.place(31.776, 35.234));
        assert!(antioch.1 < jerusalem.1 && antioch.0 > jerusalem.0);
        assert!(frame.contains(36.204, 36.16) && !frame.contains(43.0, 36.0));
    }

    proptest! {
        #[test]
        fn a_place_is_found_again(lat in 26.5..42.5f64, lon in 25.0..44.0f64, width in 500..5000i32) {
            let frame = MapFrame::new(Window::CHARTED, width).unwrap();
            let (x, y) = frame.place_exactly(lat, lon);
            let (lat2, lon2) = frame.locate(x, y);
            prop_assert!((lat - lat2).abs() < 1e-9 && (lon - lon2).abs() < 1e-9);
            let (xi, yi) = frame.place(lat, lon);
            prop_assert!((0..=width).contains(&xi) && (0..=frame.height()).contains(&yi));
        }

        #[test]
        fn no_window_panics(w in -400.0..400.0f64, s in -100.0..100.0f64, e in -400.0..400.0f64, n in -100.0..100.0f64, width: i32) {
            if let Ok(window) = Window::new(w, s, e, n) {
                let _ = MapFrame::new(window, width);
            }
        }
    }
}

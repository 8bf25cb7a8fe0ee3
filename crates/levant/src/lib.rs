//! The geography that all five games stand on: coastline, projection and the drawn base map.
//!
//! A game knows its towns by latitude and longitude. This crate turns those into board units
//! ([`MapFrame`]), gives the spaces room for their pieces ([`nudge`]) and draws the ground beneath
//! them ([`BaseMap`]) as SVG, so that five games share one map and none of them carries a picture.
//!
//! ```
//! use levant::{BaseMap, Levant, MapFrame, Window};
//!
//! let window = Window::new(31.5, 30.5, 38.5, 38.0)?;
//! let frame = MapFrame::new(window, 1600)?;
//! let (x, y) = frame.place(31.776, 35.234); // Jerusalem
//! assert!(x > 0 && y > 0);
//! let svg = BaseMap::default().document(Levant::built_in(), &frame);
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), levant::FrameError>(())
//! ```
//!
//! What is deliberately absent: files, clocks, randomness, and any knowledge of a game. Everything is
//! made from `+ - * /` and square roots, never from the platform's `sin` or `ln`, so the same call
//! gives the same units and the same bytes of SVG on every machine.

mod draw;
mod frame;
mod geography;
mod nudge;
mod projection;
mod shape;

pub use draw::{BaseMap, Colour, OpenSea, Palette, Theme};
pub use frame::{FrameError, MapFrame, Window};
pub use geography::{Area, City, LatLon, Levant, Name, NameKind, ParseError, Range, Relief, River};
pub use nudge::{LaidOut, LayOutError, NudgeError, Spot, lay_out, nudge};
pub use projection::{EARTH_RADIUS_KM, STANDARD_PARALLEL, project, unproject};

/// The roll of arms of the leaders, powers, houses and places of all games, as a file that
/// `table::arms::Roll` reads. It lies here because all games can reach this crate and no game owns it; a
/// game lists it among its data files, so that it can be replaced as they can.
pub const ARMS: &str = include_str!("../data/arms.toml");

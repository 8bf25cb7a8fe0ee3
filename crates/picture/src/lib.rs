//! Draws any [`Scene`] as SVG, and as PNG.
//!
//! A game describes its table as data; this crate makes a picture of it, for a page ([`board_svg`]), for a
//! page that already has one and needs only what changed ([`board_parts`]), or for a file ([`picture`],
//! [`to_png`]).
//!
//! ```
//! use picture::{Highlights, Size, Style, picture, to_png};
//! use table::scene::Scene;
//!
//! let scene = Scene { title: "Turn 1".into(), ..Scene::default() };
//! let svg = picture(&scene, &["Franks".into(), "Saracens".into()], &Highlights::default(), &Style::default());
//! assert!(svg.starts_with("<svg"));
//! # #[cfg(feature = "png")]
//! let png = to_png(&svg, Size::Scale(2.0))?;
//! # #[cfg(feature = "png")]
//! assert!(png.starts_with(b"\x89PNG"));
//! # #[cfg(feature = "png")]
//! # Ok::<(), picture::PictureError>(())
//! ```
//!
//! Every board, space, link, piece, tray and track is an element whose `id` and `data-id` are the scene's own
//! id, with a `data-name` where it has a name, a `<title>` and an `aria-label` that say what it is. Colours are presentation attributes, so a
//! picture stands alone, and there are classes (`space`, `piece`, `open`, `lit`, `seat-0`, …), so a page can
//! restyle it. The same scene gives the same bytes on every machine.
//!
//! What is deliberately absent: any knowledge of a game, files, clocks, scripts.

mod area;
pub mod arms;
mod block;
mod board;
mod card;
mod counter;
mod country;
mod dice;
mod figures;
mod ground;
mod head;
mod heap;
mod hexes;
mod highlights;
mod keep;
mod layout;
mod lean;
mod lettering;
mod links;
mod look;
mod names;
#[cfg(feature = "png")]
mod png;
mod print;
mod road;
mod sheet;
mod signs;
mod single;
mod stock;
mod svg;
mod ways;

pub use board::{Layer, Part};
pub use highlights::Highlights;
pub use lettering::FONTS;
#[cfg(feature = "png")]
pub use png::{MOST_PIXELS, PictureError, Size, serif, to_png};
pub use print::{Drawing, Press};
pub use single::Loose;
pub use svg::escape;

use levant::Theme;
use look::Look;
use table::scene::{Board, Scene};

/// How pictures look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// By day on parchment, or by night.
    pub theme: Theme,
}

impl Style {
    /// By day, on parchment.
    pub const LIGHT: Self = Self { theme: Theme::Parchment };
    /// By night.
    pub const DARK: Self = Self { theme: Theme::Night };
}

/// One board as an `<svg>` element without a size of its own, for a page. `seats` are the names of the seats.
pub fn board_svg(board: &Board, seats: &[String], highlights: &Highlights, style: &Style) -> String {
    Press::default().draw(board, seats, highlights, style).svg()
}

/// What lies on a board, each thing by itself and without the ground: an element of [`board_svg`] is the same
/// text as its part here, so two lists tell what changed between two scenes.
pub fn board_parts(board: &Board, seats: &[String], highlights: &Highlights, style: &Style) -> Vec<Part> {
    let look = Look::new(style.theme, seats);
    let print = std::sync::Arc::new(print::Print::bare(board));
    board::parts(board, &look, highlights, print, block::Detail::Either)
}

/// The whole scene as an SVG document: title, prompt, warnings, boards, tracks and trays.
pub fn picture(scene: &Scene, seats: &[String], highlights: &Highlights, style: &Style) -> String {
    let highlights = highlights.clone().warning(&scene.warnings).thrown(&scene.throws);
    sheet::draw(scene, &Look::new(style.theme, seats), &highlights)
}

#[cfg(test)]
mod games;
#[cfg(test)]
mod tests;

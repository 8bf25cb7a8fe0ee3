//! The base map as SVG: sea, land, relief, water, names and a border, cut to any frame.
//!
//! The layers lie in this order, each made by a module of its own: `ground` (what is land and what is
//! not, in board units), `water` (sea, wave lines, lakes, rivers), `terrain` (deserts, vales, hills and
//! mountains), `names` (lettering) and `furniture` (graticule, compass rose, scale, border).
//!
//! Every element carries its colours as presentation attributes, so the picture stands alone, and a class
//! (`levant-sea`, `levant-peak`, …), so a page can restyle it. The map should stay calm: pieces, roads and
//! town names go on top.

mod furniture;
mod ground;
mod names;
mod path;
mod terrain;
mod theme;
mod water;

pub use theme::{Colour, Palette, Theme};

use crate::frame::MapFrame;
use crate::geography::Levant;
use ground::Ground;
use std::fmt::Write;

/// What the base map shows. The default is a complete map on parchment, without cities: games place
/// their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseMap {
    /// Light or dark.
    pub theme: Theme,
    /// Names of seas, countries and islands.
    pub names: bool,
    /// Names of lakes, rivers and ranges.
    pub small_names: bool,
    /// A handful of cities with their names.
    pub cities: bool,
    /// Rivers.
    pub rivers: bool,
    /// Hills and mountains.
    pub ranges: bool,
    /// Desert tints and stippling, and the green of watered ground.
    pub terrain: bool,
    /// Wave lines along the shore.
    pub waves: bool,
    /// Lines of latitude and longitude.
    pub graticule: bool,
    /// A compass rose with its rhumb lines, where the sea has room for it.
    pub rose: bool,
    /// A scale bar, where the sea has room for it.
    pub scale: bool,
    /// A border with degrees, drawn around the frame: see [`BaseMap::margin`].
    pub border: bool,
    /// Where neither rose nor scale may lie: the middle and the radius of each place, in board units.
    pub avoid: Vec<(i32, i32, i32)>,
    /// What the ids in the picture begin with. Two maps on one page need two of these.
    pub id: String,
}

impl Default for BaseMap {
    fn default() -> Self {
        BaseMap {
            theme: Theme::Parchment,
            names: true,
            small_names: true,
            cities: false,
            rivers: true,
            ranges: true,
            terrain: true,
            waves: true,
            graticule: true,
            rose: true,
            scale: true,
            border: true,
            avoid: Vec::new(),
            id: "levant".to_owned(),
        }
    }
}

impl BaseMap {
    /// The ground alone, for a game that writes its own names: no lettering, rose, scale or border.
    pub fn bare(theme: Theme) -> Self {
        BaseMap {
            theme,
            names: false,
            small_names: false,
            rose: false,
            scale: false,
            border: false,
            ..BaseMap::default()
        }
    }

    /// How far the border reaches out of the frame on every side, in board units; 0 without a border.
    pub fn margin(&self, frame: &MapFrame) -> i32 {
        if self.border { (furniture::MARGIN * pen(frame)).ceil() as i32 } else { 0 }
    }

    /// The map as a `<g>` element in board units, to lie beneath a game's own drawing. With a border it
    /// reaches [`BaseMap::margin`] units beyond the frame.
    pub fn fragment(&self, levant: &Levant, frame: &MapFrame) -> String {
        let ground = Ground::new(levant, frame);
        let palette = self.theme.palette();
        let lettering = names::choose(self, levant, frame, &ground);
        let mut taken = names::footprints(&lettering);
        let places = self.avoid.iter();
        taken.extend(places.map(|(x, y, r)| ([f64::from(*x), f64::from(*y)], f64::from(*r))));
        let rose = if self.rose { furniture::place_rose(&ground, &mut taken) } else { None };
        let scale = if self.scale { furniture::place_scale(frame, &ground, &mut taken) } else { None };
        let mut canvas = Canvas { text: String::new(), palette, id: &self.id, pen: ground.pen };

        let theme = self.theme.name();
        canvas.put(format_args!(
            r#"<g class="levant levant-{theme}" stroke-linecap="round" stroke-linejoin="round">"#
        ));
        ground::define(&mut canvas, &ground);
        let id = &self.id;
        canvas.put(format_args!(r#"<g clip-path="url(#{id}-window)">"#));
        water::sea(&mut canvas, &ground, self.waves);
        if let Some(rose) = &rose {
            furniture::rhumbs(&mut canvas, &ground, rose);
        }
        if ground.has_land() {
            water::land(&mut canvas);
            canvas.put(format_args!(r#"<g clip-path="url(#{id}-land)">"#));
            if self.terrain {
                terrain::tints(&mut canvas, levant, frame, &ground);
            }
            if self.ranges {
                terrain::relief(&mut canvas, levant, frame, &ground);
            }
            water::shore(&mut canvas);
            if self.terrain {
                terrain::stipple(&mut canvas, levant, frame, &ground, &taken);
            }
            if self.rivers {
                water::rivers(&mut canvas, levant, frame, &ground);
            }
            canvas.put(format_args!("</g>"));
            water::lakes(&mut canvas, &ground);
            water::coast(&mut canvas);
        }
        if self.graticule {
            furniture::graticule(&mut canvas, frame);
        }
        if self.ranges && ground.has_land() {
            terrain::peaks(&mut canvas, levant, frame, &ground, &taken);
        }
        names::letter(&mut canvas, &lettering);
        if let Some(rose) = &rose {
            furniture::rose(&mut canvas, rose);
        }
        if let Some(scale) = &scale {
            furniture::scale(&mut canvas, scale);
        }
        canvas.put(format_args!("</g>"));
        if self.border {
            furniture::border(&mut canvas, frame);
        }
        canvas.put(format_args!("</g>\n"));
        canvas.text
    }

    /// The map as an SVG document of its own.
    pub fn document(&self, levant: &Levant, frame: &MapFrame) -> String {
        let margin = self.margin(frame);
        let (width, height) = (frame.width() + 2 * margin, frame.height() + 2 * margin);
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{} {} {width} {height}">
{}</svg>
"#,
            -margin,
            -margin,
            self.fragment(levant, frame)
        )
    }
}

/// Where the open sea is on a board.
pub struct OpenSea(Ground);

impl std::fmt::Debug for OpenSea {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OpenSea")
    }
}

impl OpenSea {
    /// The sea of a frame.
    pub fn new(levant: &Levant, frame: &MapFrame) -> Self {
        Self(Ground::new(levant, frame))
    }

    /// Whether a place on the board is sea.
    pub fn is_at(&self, (x, y): (f64, f64)) -> bool {
        !self.0.on_land([x, y])
    }
}

/// The measure of all line widths and letter sizes: one for a frame of a thousand by a thousand units.
fn pen(frame: &MapFrame) -> f64 {
    (f64::from(frame.width()) * f64::from(frame.height())).sqrt() / 1000.0
}

/// SVG in the making, with what every layer needs to draw on it.
struct Canvas<'a> {
    text: String,
    palette: &'static Palette,
    id: &'a str,
    pen: f64,
}

impl Canvas<'_> {
    /// Writes a piece of SVG on a line of its own.
    fn put(&mut self, piece: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = self.text.write_fmt(piece);
        self.text.push('\n');
    }

    /// A width of so many pen strokes, as text.
    fn width(&self, strokes: f64) -> String {
        // Two decimals: thin lines in small frames would vanish with one.
        let hundredths = (strokes * self.pen * 100.0).round() / 100.0;
        format!("{hundredths}")
    }
}

#[cfg(test)]
mod tests;

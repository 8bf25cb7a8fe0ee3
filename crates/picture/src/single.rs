//! Pieces, dice and coats as pictures of their own, for a page that shows them beside the board. They use
//! symbols of one stock, which the page has once.

use levant::Colour;
use table::Seat;
use table::arms::Arms;
use table::scene::{Die, Piece};

use crate::block::{self, CARD, Cut, Detail, Pose, cut_in_tray};
use crate::dice;
use crate::lettering::FONTS;
use crate::look::Look;
use crate::svg::{Svg, num};

/// Draws single things, and keeps what symbols they use.
#[derive(Debug)]
pub struct Loose<'a>(Look<'a>);

fn begin(svg: &mut Svg, class: &str, (x, y, w, h): (f64, f64, f64, f64)) {
    svg.tag("svg")
        .put("class", class)
        .put("viewBox", format!("{} {} {} {}", num(x), num(y), num(w), num(h)))
        .put("font-family", FONTS)
        .open();
}

fn finish(mut svg: Svg) -> String {
    svg.close("svg");
    svg.finish()
}

impl<'a> Loose<'a> {
    pub(crate) fn new(look: Look<'a>) -> Self {
        Self(look)
    }

    /// The symbols that were used until now, by their ids.
    pub fn symbols(&self) -> Vec<(String, String)> {
        self.0.stock.taken()
    }

    /// The symbols that were used until now, as an element that shows nothing.
    pub fn stock(&self) -> String {
        let mut svg = Svg::default();
        svg.tag("svg").put("width", "0").put("height", "0").put("aria-hidden", "true").open();
        svg.tag("defs").open();
        for (_, symbol) in &self.0.stock.taken() {
            svg.add(symbol);
        }
        svg.close("defs");
        finish(svg)
    }

    /// A piece that will be about so many pixels wide.
    pub fn piece(&self, piece: &Piece, open: bool, size: f64) -> String {
        let cut = cut_in_tray(piece);
        let (w, h) = match cut {
            Cut::Card => (114.0, 100.0 * CARD + 14.0),
            Cut::Stand => (114.0, 132.0),
            _ => (116.0, 120.0),
        };
        let mut svg = Svg::default();
        let class = if cut == Cut::Card { "single paper" } else { "single" };
        begin(&mut svg, class, (-w / 2.0, -h / 2.0, w, h));
        let detail = if size >= 80.0 { Detail::Full } else { Detail::Middle };
        let side = match cut {
            // A card that will be small is drawn in few strokes.
            Cut::Card if size < 80.0 => 79.0,
            Cut::Card => 100.0,
            _ => 96.0,
        };
        let pose = Pose {
            cut,
            detail,
            at: (0.0, 0.0),
            side,
            second: None,
            turned: None,
            open,
            tabbed: open,
            warned: false,
        };
        if side < 80.0 {
            svg.tag("g").put("transform", "scale(1.26)").open();
            block::draw(&mut svg, &self.0, piece, pose);
            svg.close("g");
        } else {
            block::draw(&mut svg, &self.0, piece, pose);
        }
        finish(svg)
    }

    /// A die.
    pub fn die(&self, die: &Die) -> String {
        let mut svg = Svg::default();
        begin(&mut svg, "single cube", (-34.0, -34.0, 68.0, 68.0));
        dice::die(&mut svg, &self.0, die, usize::from(die.result), (0.0, 0.0), 40.0);
        finish(svg)
    }

    /// Arms on a seat's shield.
    pub fn coat(&self, arms: &Arms, owner: Option<Seat>) -> String {
        let mut svg = Svg::default();
        begin(&mut svg, "single coat", (-54.0, -54.0, 108.0, 108.0));
        self.0.arms(&mut svg, arms, owner, (0.0, 0.0), 100.0);
        finish(svg)
    }

    /// The colour of a seat's pieces, or of bare wood.
    pub fn colour(&self, seat: Option<Seat>) -> Colour {
        self.0.tincture(seat).field
    }
}

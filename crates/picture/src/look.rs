//! Colours and emblems: what belongs to whom, by day and by night.
//!
//! The eight colours of the seats differ in lightness as well as in hue, after Okabe and Ito, so that
//! players who see red and green alike can tell them apart. Colour never stands alone: every seat has an
//! emblem too.

use levant::{Colour, Palette, Theme};
use table::{MOST_SEATS, Seat};

use crate::stock::{Cellar, Stock};
use crate::svg::Svg;

/// The colours of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tincture {
    /// The words that a seat may be called by if this is its colour.
    words: &'static [&'static str],
    /// The face of a block.
    pub(crate) field: Colour,
    /// What is written on it.
    pub(crate) text: Colour,
}

const LIGHT: Colour = Colour(0xff, 0xf9, 0xea);
const DARK: Colour = Colour(0x2c, 0x22, 0x16);

const fn tincture(words: &'static [&'static str], field: Colour, text: Colour) -> Tincture {
    Tincture { words, field, text }
}

const BY_DAY: [Tincture; MOST_SEATS] = [
    tincture(&["red", "scarlet", "crimson"], Colour(0xb2, 0x3a, 0x26), LIGHT),
    tincture(&["blue", "azure"], Colour(0x1d, 0x56, 0x8c), LIGHT),
    tincture(&["yellow", "gold", "golden"], Colour(0xe3, 0xaa, 0x2b), DARK),
    tincture(&["green", "emerald"], Colour(0x1c, 0x7a, 0x5b), LIGHT),
    tincture(&["black"], Colour(0x3b, 0x36, 0x33), LIGHT),
    tincture(&["white", "silver", "grey"], Colour(0xfb, 0xf6, 0xea), DARK),
    tincture(&["purple", "pink", "violet"], Colour(0xc8, 0x7b, 0xae), DARK),
    tincture(&["cyan", "sky"], Colour(0x74, 0xb8, 0xdb), DARK),
];

const BY_NIGHT: [Tincture; MOST_SEATS] = [
    tincture(&[], Colour(0xbf, 0x4a, 0x34), LIGHT),
    tincture(&[], Colour(0x33, 0x70, 0xab), LIGHT),
    tincture(&[], Colour(0xdf, 0xae, 0x45), DARK),
    tincture(&[], Colour(0x25, 0x80, 0x5f), LIGHT),
    tincture(&[], Colour(0x11, 0x10, 0x10), LIGHT),
    tincture(&[], Colour(0xe9, 0xe2, 0xd2), DARK),
    tincture(&[], Colour(0xc4, 0x7d, 0xab), DARK),
    tincture(&[], Colour(0x7d, 0xbc, 0xdc), DARK),
];

/// A piece that nobody owns: bare wood.
const WOOD: Tincture = tincture(&[], Colour(0xc6, 0xa4, 0x70), DARK);

/// The emblems of the seats, in a square from -1 to 1: cross, crescent, star, lozenge, tower, chevrons,
/// annulet, bars.
const EMBLEMS: [&str; MOST_SEATS] = [
    "M-.34-1H.34L.17-.17L1-.34V.34L.17.17L.34 1H-.34L-.17.17L-1 .34V-.34L-.17-.17Z",
    "M.42-.86A.96.96 0 1 0 .42.86A.74.74 0 1 1 .42-.86Z",
    "M0-1L.16-.39L.71-.71L.39-.16L1 0L.39.16L.71.71L.16.39L0 1L-.16.39L-.71.71L-.39.16L-1 0L-.39-.16L-.71-.71L-.16-.39Z",
    "M0-1L.78 0L0 1L-.78 0ZM0-.48L-.37 0L0 .48L.37 0Z",
    "M-.7-.9H-.38V-.58H-.16V-.9H.16V-.58H.38V-.9H.7V-.22H.52V.9H.2V.45A.2.2 0 0 0-.2.45V.9H-.52V-.22H-.7Z",
    "M0-.85L.9-.08V.32L0-.45L-.9.32V-.08ZM0-.08L.9.69V1L0 .32L-.9 1V.69Z",
    "M0-.92A.92.92 0 1 1 0 .92A.92.92 0 1 1 0-.92ZM0-.46A.46.46 0 1 0 0 .46A.46.46 0 1 0 0-.46Z",
    "M-.9-.82H.9V-.4H-.9ZM-.9-.21H.9V.21H-.9ZM-.9.4H.9V.82H-.9Z",
];

/// A five-pointed star, in a square from -1 to 1: the sign of a prize.
const STAR: &str = "M0-1L.24-.32L.95-.31L.38.12L.59.81L0 .4L-.59.81L-.38.12L-.95-.31L-.24-.32Z";

/// What everything is drawn with: the theme, and who has which colour.
#[derive(Debug)]
pub(crate) struct Look<'a> {
    pub(crate) theme: Theme,
    /// The symbols that are used.
    pub(crate) stock: Stock,
    pub(crate) seats: &'a [String],
    tinctures: [Tincture; MOST_SEATS],
    /// Letters and lines.
    pub(crate) ink: Colour,
    /// What is less important.
    pub(crate) faint: Colour,
    /// Prizes.
    pub(crate) gold: Colour,
    /// What can be chosen.
    pub(crate) open: Colour,
    /// What is lit.
    pub(crate) lit: Colour,
    /// Warnings.
    pub(crate) warning: Colour,
    /// Roads.
    pub(crate) road: Colour,
    /// Sea lanes.
    pub(crate) lane: Colour,
    /// The inside of a space.
    pub(crate) inside: Colour,
    /// The table under everything.
    pub(crate) table: Colour,
    /// Panels that lie on the table.
    pub(crate) panel: Colour,
    /// The label on a block, and that of one that is spent.
    pub(crate) label: [Colour; 2],
    /// Cards.
    pub(crate) paper: Colour,
    /// Staffs, doors, the lines of buildings.
    pub(crate) staff: Colour,
    /// Names of land.
    pub(crate) land_name: Colour,
}

/// What is written on labels and cards, which are pale in both themes.
pub(crate) const ON_PAPER: Colour = Colour(0x35, 0x29, 0x1a);
/// What is written there and less important.
pub(crate) const FAINT_ON_PAPER: Colour = Colour(0x5b, 0x49, 0x30);

impl<'a> Look<'a> {
    pub(crate) fn new(theme: Theme, seats: &'a [String]) -> Self {
        let shades = match theme {
            Theme::Parchment => &BY_DAY,
            Theme::Night => &BY_NIGHT,
        };
        let tinctures = assign(seats).map(|i| shades[i]);
        match theme {
            Theme::Parchment => Self {
                theme,
                stock: Stock::default(),
                seats,
                tinctures,
                ink: Colour(0x35, 0x29, 0x1a),
                faint: Colour(0x6a, 0x57, 0x3c),
                gold: Colour(0xc0, 0x8a, 0x12),
                open: Colour(0x12, 0x69, 0x5b),
                lit: Colour(0xff, 0xd2, 0x4a),
                warning: Colour(0x9c, 0x3d, 0x0b),
                road: Colour(0x7a, 0x5e, 0x3a),
                lane: Colour(0x2f, 0x6d, 0x86),
                inside: Colour(0xfb, 0xf5, 0xe4),
                table: Colour(0xe6, 0xda, 0xbf),
                panel: Colour(0xf7, 0xf0, 0xdf),
                label: [Colour(0xfb, 0xf4, 0xe2), Colour(0xf3, 0xe8, 0xd0)],
                paper: Colour(0xfa, 0xf4, 0xe3),
                staff: Colour(0x4a, 0x3a, 0x26),
                land_name: Colour(0x6f, 0x5a, 0x38),
            },
            Theme::Night => Self {
                theme,
                stock: Stock::default(),
                seats,
                tinctures,
                ink: Colour(0xe6, 0xda, 0xc0),
                faint: Colour(0xb3, 0xa5, 0x87),
                gold: Colour(0xe0, 0xb0, 0x4a),
                open: Colour(0x5f, 0xd0, 0xb8),
                lit: Colour(0xff, 0xe0, 0x8a),
                warning: Colour(0xf0, 0x96, 0x5a),
                road: Colour(0x9a, 0x84, 0x60),
                lane: Colour(0x6f, 0xa9, 0xc2),
                inside: Colour(0x3d, 0x38, 0x32),
                table: Colour(0x16, 0x15, 0x14),
                panel: Colour(0x24, 0x22, 0x20),
                label: [Colour(0xef, 0xe5, 0xcc), Colour(0xb8, 0xad, 0x96)],
                paper: Colour(0xef, 0xe5, 0xcd),
                staff: Colour(0xcd, 0xbb, 0x94),
                land_name: Colour(0xab, 0x97, 0x73),
            },
        }
    }

    /// The same with symbols from a cellar.
    pub(crate) fn from(cellar: &std::sync::Arc<Cellar>, theme: Theme, seats: &'a [String]) -> Self {
        Self { stock: Stock::from(cellar), ..Self::new(theme, seats) }
    }

    /// The colours of the ground.
    pub(crate) fn ground(&self) -> &'static Palette {
        self.theme.palette()
    }

    /// The colours of a seat, or bare wood.
    pub(crate) fn tincture(&self, seat: Option<Seat>) -> Tincture {
        seat.map_or(WOOD, |seat| self.tinctures[seat.index()])
    }

    /// The line around what has this colour: it must show on the ground, whatever the colour.
    pub(crate) fn outline(&self, field: Colour) -> Colour {
        match self.theme {
            Theme::Parchment => field.mixed(Colour(0x1e, 0x14, 0x08), 55),
            Theme::Night => field.mixed(Colour(0xf2, 0xe6, 0xc8), 38),
        }
    }

    /// The colour of a line or a sign that a seat draws on the ground.
    pub(crate) fn stroke(&self, seat: Option<Seat>) -> Colour {
        let field = self.tincture(seat).field;
        let ground = self.ground().land;
        let apart = |a: Colour, b: Colour| (light(a) - light(b)).abs();
        if apart(field, ground) < 28 { field.mixed(self.ink, 45) } else { field }
    }

    /// The name of a seat, if it has one.
    pub(crate) fn seat_name(&self, seat: Seat) -> &str {
        self.seats.get(seat.index()).map_or("", String::as_str)
    }
}

/// How light a colour is, from 0 to 255.
fn light(colour: Colour) -> i32 {
    (i32::from(colour.0) * 30 + i32::from(colour.1) * 59 + i32::from(colour.2) * 11) / 100
}

/// Which tincture each seat has: one that is called by a colour has that colour, the others what is left.
fn assign(seats: &[String]) -> [usize; MOST_SEATS] {
    let mut taken = [false; MOST_SEATS];
    let mut assigned = [None; MOST_SEATS];
    for (seat, name) in seats.iter().take(MOST_SEATS).enumerate() {
        let name = name.to_lowercase();
        let called = BY_DAY.iter().position(|t| t.words.contains(&name.as_str()));
        if let Some(i) = called.filter(|i| !taken[*i]) {
            taken[i] = true;
            assigned[seat] = Some(i);
        }
    }
    assigned.map(|already| {
        already.unwrap_or_else(|| {
            let i = taken.iter().position(|t| !t).unwrap_or(0);
            taken[i] = true;
            i
        })
    })
}

/// Draws the emblem of a seat.
pub(crate) fn emblem(svg: &mut Svg, seat: Seat, (x, y): (f64, f64), size: f64, colour: Colour, opacity: f64) {
    let mut tag = svg
        .tag("path")
        .put("class", "emblem")
        .put("transform", place(x, y, size))
        .put("d", EMBLEMS[seat.index()])
        .put("fill", colour);
    if opacity < 1.0 {
        tag = tag.num("fill-opacity", opacity);
    }
    tag.end();
}

/// Draws a shield in the colour of a seat with its emblem on it.
pub(crate) fn shield(svg: &mut Svg, look: &Look<'_>, seat: Seat, (x, y): (f64, f64), size: f64) {
    let tincture = look.tincture(Some(seat));
    svg.tag("path")
        .put("class", "shield")
        .put("transform", place(x, y, size))
        .put("d", "M-.9-1H.9V-.1C.9.55.45.9 0 1.15C-.45.9-.9.55-.9-.1Z")
        .put("fill", tincture.field)
        .put("stroke", look.outline(tincture.field))
        .put("stroke-width", "0.14")
        .end();
    emblem(svg, seat, (x, y - size * 0.05), size * 0.58, tincture.text, 1.0);
}

/// Draws the star of a prize.
pub(crate) fn star(svg: &mut Svg, look: &Look<'_>, (x, y): (f64, f64), size: f64) {
    svg.tag("path")
        .put("class", "star")
        .put("transform", place(x, y, size))
        .put("d", STAR)
        .put("fill", look.gold)
        .put("stroke", look.gold.mixed(look.ink, 40))
        .put("stroke-width", "0.1")
        .put("stroke-linejoin", "round")
        .end();
}

fn place(x: f64, y: f64, size: f64) -> String {
    use crate::svg::num;
    format!("translate({} {}) scale({})", num(x), num(y), num(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What somebody without red (or green) receptors sees, after Viénot, Brettel and Mollon, in linear light.
    fn seen(colour: Colour, matrix: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = [colour.0, colour.1, colour.2].map(|c| (f64::from(c) / 255.0).powf(2.2));
        matrix.map(|row| {
            row.iter().zip(linear).map(|(m, c)| m * c).sum::<f64>().clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0
        })
    }

    #[test]
    fn eight_colours_stay_apart_for_every_eye() {
        let eyes = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
            [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
        ];
        for shades in [&BY_DAY, &BY_NIGHT] {
            for matrix in eyes {
                for (i, a) in shades.iter().enumerate() {
                    for (j, b) in shades.iter().enumerate().skip(i + 1) {
                        let (a, b) = (seen(a.field, matrix), seen(b.field, matrix));
                        let apart = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                        assert!(apart > 35.0, "seats {i} and {j} are only {apart} apart");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_written_on_a_block_can_be_read() {
        for tincture in BY_DAY.iter().chain(&BY_NIGHT).chain([&WOOD]) {
            let contrast = (light(tincture.field) - light(tincture.text)).abs();
            assert!(contrast > 90, "{tincture:?} has a contrast of {contrast}");
        }
    }

    #[test]
    fn a_seat_called_by_a_colour_has_it() {
        let seats = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
        assert_eq!(assign(&seats(&["Red", "Yellow"]))[..2], [0, 2]);
        assert_eq!(assign(&seats(&["Franks", "Red", "Saracens"]))[..3], [1, 0, 2]);
        assert_eq!(assign(&[])[..], [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    /// How much lighter one colour is than another, as WCAG reckons it.
    fn contrast(a: Colour, b: Colour) -> f64 {
        let light = |Colour(r, g, b): Colour| {
            let part = |c: u8| {
                let c = f64::from(c) / 255.0;
                if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn what_is_written_can_be_told_from_its_ground() {
        for theme in [Theme::Parchment, Theme::Night] {
            let seats: Vec<String> = (0..MOST_SEATS).map(|i| format!("Seat {i}")).collect();
            let look = Look::new(theme, &seats);
            let land = look.ground().land;
            let mut pairs = vec![
                ("names on their halo", look.ink, land),
                ("badges", look.ink, look.inside),
                ("text on panels", look.ink, look.panel),
                ("asides on panels", look.faint, look.panel),
                ("asides on the table", look.faint, look.table),
                ("numbers of piles", look.panel, look.ink),
                ("points on coins", ON_PAPER, look.gold),
                ("what stands on labels", ON_PAPER, look.label[0]),
                ("what stands on worn labels", ON_PAPER, look.label[1]),
                ("asides on labels", FAINT_ON_PAPER, look.label[0]),
                ("cards", ON_PAPER, look.paper),
                ("dice of a hit", Colour(0xff, 0xf9, 0xea), Colour(0xb3, 0x26, 0x1e)),
            ];
            for seat in table::SeatSet::first(MOST_SEATS).iter() {
                let tincture = look.tincture(Some(seat));
                pairs.push(("a seat's text", tincture.text, tincture.field));
                pairs.push(("a turn that is over", look.ink, tincture.field.mixed(look.panel, 70)));
            }
            for (what, ink, ground) in pairs {
                let found = contrast(ink, ground);
                assert!(found >= 4.5, "{what}, {theme:?}: {found:.2}:1 ({ink} on {ground})");
            }
        }
    }
}

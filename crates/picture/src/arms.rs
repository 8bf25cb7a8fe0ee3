//! Arms as pictures: a coat on its shield, drawn from its blazon.
//!
//! Everything happens in a square from -50 to 50. The same arms on the same shield give the same bytes. What a
//! page shows often goes into its `<defs>` once ([`symbol`]) and is used from there ([`used`]); a lone coat is
//! a fragment ([`fragment`]).

mod charges;
mod escutcheon;
mod layout;
mod ordinaries;
mod paint;

use std::fmt::Write;

use levant::{Colour, Theme};
use table::arms::{Arms, Blazon, Division, Field, Layer, Ordinary, Place, Share, Tincture, clash};

use crate::Style;
use crate::svg::num;
pub use escutcheon::Escutcheon;
use layout::Frame;
use paint::Box4;

/// A coat for the `<defs>` of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its id, which follows from blazon, shield and theme alone.
    pub id: String,
    /// The `<symbol>`.
    pub svg: String,
}

/// What a symbol shows of the plane: the shield and its outline.
const WINDOW: f64 = 54.0;

/// A coat as a group of its own around the origin, from -54 to 54 with its outline.
pub fn fragment(arms: &Arms, shield: Escutcheon, style: &Style) -> String {
    let id = id(arms, shield, style);
    format!("<g class=\"arms\">{}</g>", Painter::new(&id, shield, style.theme).coat(arms.blazon()))
}

/// A coat that a page defines once and uses where it likes.
pub fn symbol(arms: &Arms, shield: Escutcheon, style: &Style) -> Symbol {
    let id = id(arms, shield, style);
    let coat = Painter::new(&id, shield, style.theme).coat(arms.blazon());
    let (from, size) = (num(-WINDOW), num(2.0 * WINDOW));
    let svg = format!("<symbol id=\"{id}\" viewBox=\"{from} {from} {size} {size}\">{coat}</symbol>");
    Symbol { id, svg }
}

/// A symbol used at its middle, so large from edge to edge.
pub fn used(id: &str, x: f64, y: f64, size: f64) -> String {
    let (left, top, size) = (num(x - size / 2.0), num(y - size / 2.0), num(size));
    format!("<use href=\"#{id}\" x=\"{left}\" y=\"{top}\" width=\"{size}\" height=\"{size}\"/>")
}

/// The id of the symbol of a coat.
pub fn id(arms: &Arms, shield: Escutcheon, style: &Style) -> String {
    let theme = match style.theme {
        Theme::Parchment => "day",
        Theme::Night => "night",
    };
    // FNV-1a, of which 48 bits are enough to keep a few hundred coats apart.
    let text = format!("{arms}/{shield:?}/{theme}");
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("arms-{:012x}", hash >> 16)
}

/// The colours of a theme.
struct Hues {
    outline: Colour,
    /// Around a metal on a metal, where history insists.
    line: Colour,
    theme: Theme,
}

impl Hues {
    fn of(theme: Theme) -> Self {
        let outline = match theme {
            Theme::Parchment => Colour(0x2a, 0x1f, 0x12),
            Theme::Night => Colour(0xc8, 0xb6, 0x8c),
        };
        Self { outline, line: Colour(0x6b, 0x49, 0x05), theme }
    }

    /// The colour of a tincture; of a fur, that of its ground.
    fn tincture(&self, tincture: Tincture) -> Colour {
        let (day, night) = match tincture {
            Tincture::Or => (Colour(0xe7, 0xb7, 0x3a), Colour(0xd9, 0xab, 0x3f)),
            Tincture::Argent | Tincture::Ermine | Tincture::Vair => {
                (Colour(0xfa, 0xf6, 0xea), Colour(0xec, 0xe5, 0xd3))
            }
            Tincture::Gules => (Colour(0xb3, 0x26, 0x1e), Colour(0xb5, 0x3a, 0x2c)),
            Tincture::Azure => (Colour(0x1f, 0x4f, 0x8f), Colour(0x2f, 0x66, 0xa8)),
            Tincture::Sable => (Colour(0x27, 0x22, 0x1e), Colour(0x1b, 0x18, 0x16)),
            Tincture::Vert => (Colour(0x2c, 0x70, 0x43), Colour(0x35, 0x7d, 0x4c)),
            Tincture::Purpure => (Colour(0x6d, 0x3a, 0x77), Colour(0x87, 0x50, 0x92)),
        };
        match self.theme {
            Theme::Parchment => day,
            Theme::Night => night,
        }
    }
}

/// A coat in the making.
struct Painter<'a> {
    id: &'a str,
    shield: Escutcheon,
    hues: Hues,
    out: String,
    /// How many ids were given.
    given: u32,
}

impl<'a> Painter<'a> {
    fn new(id: &'a str, shield: Escutcheon, theme: Theme) -> Self {
        Self { id, shield, hues: Hues::of(theme), out: String::new(), given: 0 }
    }

    /// An id of its own for a part of this coat.
    fn new_id(&mut self) -> String {
        self.given += 1;
        format!("{}-{}", self.id, self.given)
    }

    /// Begins a group of which only what lies within a path can be seen.
    fn clip(&mut self, path: &str) {
        let id = self.new_id();
        let _ = write!(
            self.out,
            "<clipPath id=\"{id}\"><path d=\"{path}\"/></clipPath><g clip-path=\"url(#{id})\">"
        );
    }

    fn close(&mut self) {
        self.out.push_str("</g>");
    }

    fn coat(mut self, blazon: &Blazon) -> String {
        let shield = self.shield.path(1.0);
        let outline = self.hues.outline;
        // A plain field with charges, none of which touches the edge, needs no clipping: one path does it all.
        let bare = match &blazon.field {
            Field::Painted(table::arms::Paint::Plain(tincture)) if !tincture.is_fur() => Some(*tincture),
            _ => None,
        };
        if let Some(tincture) = bare.filter(|_| !reaches_the_edge(blazon)) {
            let fill = self.hues.tincture(tincture);
            let _ = write!(
                self.out,
                "<path d=\"{shield}\" fill=\"{fill}\" stroke=\"{outline}\" stroke-width=\"5\"/>"
            );
            self.layers(blazon, &Frame::whole(self.shield));
            return self.out;
        }
        self.clip(&shield);
        self.blazon(blazon, &Frame::whole(self.shield));
        self.close();
        let _ =
            write!(self.out, "<path d=\"{shield}\" fill=\"none\" stroke=\"{outline}\" stroke-width=\"5\"/>");
        self.out
    }

    fn blazon(&mut self, blazon: &Blazon, frame: &Frame) {
        self.field(&blazon.field, frame);
        self.layers(blazon, frame);
    }

    fn field(&mut self, field: &Field, frame: &Frame) {
        let area = frame.area();
        match field {
            Field::Painted(paint) => self.paint_box(area, paint),
            Field::Semy { tincture, charge, sown } => {
                self.paint_box(area, &table::arms::Paint::Plain(*tincture));
                self.sow(*charge, *sown, area);
            }
            Field::Parted(division, shares) => self.parted(*division, shares, frame),
        }
    }

    fn parted(&mut self, division: Division, shares: &[Share; 2], frame: &Frame) {
        let [left, top, right, bottom] = frame.area();
        let (x, y) = frame.centre();
        let first = |l, t, r, b| frame.part([l, t, r, b]);
        match division {
            Division::PerPale => {
                self.share(&shares[0], &first(left, top, x, bottom), None);
                self.share(&shares[1], &first(x, top, right, bottom), None);
            }
            Division::PerFess => {
                self.share(&shares[0], &first(left, top, right, y), None);
                self.share(&shares[1], &first(left, y, right, bottom), None);
            }
            Division::Quarterly => {
                self.share(&shares[0], &first(left, top, x, y), None);
                self.share(&shares[1], &first(x, top, right, y), None);
                self.share(&shares[1], &first(left, y, x, bottom), None);
                self.share(&shares[0], &first(x, y, right, bottom), None);
            }
            Division::PerBend => {
                // A charge stands in the part's corner; the ground goes to the line.
                let d = 70.0;
                let upper = paint::polygon(&[(x - d, y - d), (x + d, y - d), (x + d, y + d)]);
                let lower = paint::polygon(&[(x - d, y - d), (x + d, y + d), (x - d, y + d)]);
                let third = (right - left) / 14.0;
                self.share(&shares[0], &first(x - third, top, right, y + third), Some(&upper));
                self.share(&shares[1], &first(left, y - third, x + third, bottom), Some(&lower));
            }
        }
    }

    /// A part of a parted field: within its frame, or within a path.
    fn share(&mut self, share: &Share, frame: &Frame, path: Option<&str>) {
        let d = path.map_or_else(|| paint::rect(frame.area()), str::to_string);
        match share {
            Share::Plain(tincture) => self.fill(&d, *tincture, frame.area()),
            Share::Arms(blazon) => {
                let clips = path.is_some() || reaches_the_edge(blazon) || !is_tidy(&blazon.field);
                if clips {
                    self.clip(&d);
                }
                match (&blazon.field, path) {
                    (Field::Painted(table::arms::Paint::Plain(tincture)), Some(d)) => {
                        self.fill(d, *tincture, [-54.0, -54.0, 54.0, 54.0]);
                    }
                    (field, Some(_)) => self.field(field, &Frame::whole(self.shield)),
                    (field, None) => self.field(field, frame),
                }
                self.layers(blazon, frame);
                if clips {
                    self.close();
                }
            }
        }
    }

    fn layers(&mut self, blazon: &Blazon, frame: &Frame) {
        let under = blazon.field.tinctures();
        let inner = frame.within(&blazon.layers);
        for layer in &blazon.layers {
            match layer {
                Layer::Label { points, tincture } => {
                    self.label(*points, *tincture, clash(&[*tincture], &under), frame);
                }
                Layer::Ordinary(laid) => self.ordinary(laid, &under, frame, &inner),
                Layer::Charges(group) => {
                    let inner = match group.place {
                        Some(Place::InOrle) => frame.within(&without_orle(&blazon.layers)),
                        _ => inner,
                    };
                    self.group(group, &under, &inner);
                }
            }
        }
    }
}

fn without_orle(layers: &[Layer]) -> Vec<Layer> {
    let is_orle = |layer: &&Layer| !matches!(layer, Layer::Charges(g) if g.place == Some(Place::InOrle));
    layers.iter().filter(is_orle).cloned().collect()
}

/// Whether anything on the field goes over its edge.
fn reaches_the_edge(blazon: &Blazon) -> bool {
    blazon.layers.iter().any(|layer| match layer {
        Layer::Charges(group) => group.charge == table::arms::Charge::InscriptionBand,
        Layer::Ordinary(_) | Layer::Label { .. } => true,
    })
}

/// Whether a field keeps to its box by itself.
fn is_tidy(field: &Field) -> bool {
    use table::arms::{Paint, Variation};
    let furs = field.tinctures().iter().any(|t| t.is_fur());
    !furs
        && matches!(
            field,
            Field::Painted(
                Paint::Plain(_)
                    | Paint::Varied(Variation::Barry(_) | Variation::Paly(_) | Variation::Chequy, ..)
            )
        )
}

/// Whether an ordinary is one that takes room from the others: they keep clear of it.
fn takes_room(layer: &Layer, ordinary: Ordinary) -> bool {
    matches!(layer, Layer::Ordinary(laid) if laid.ordinary == ordinary)
}

/// The middle of a box.
fn middle([left, top, right, bottom]: Box4) -> (f64, f64) {
    ((left + right) / 2.0, (top + bottom) / 2.0)
}

#[cfg(test)]
mod tests;

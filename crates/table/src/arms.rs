//! Coats of arms as data: what a blazon says, the rule of tincture, and rolls of arms.
//!
//! A blazon is a short text in a fixed grammar (at the head of `arms.toml`): `gules, three lions passant in
//! pale or`. [`Arms`] is what it means; it is read once, cheap to clone, and writes itself back word for
//! word. How arms look is no matter of this module.

mod read;
mod roll;

use std::fmt;
use std::sync::Arc;

use arrayvec::ArrayVec;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::ReadError;
pub use read::LONGEST_BLAZON;
pub use roll::{Coat, House, Roll, Status};

/// A coat of arms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arms(Arc<Blazon>);

/// What a blazon says: a field, and layers that lie on it, one over the other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Blazon {
    /// The ground.
    pub field: Field,
    /// What lies on it, the lowest first.
    pub layers: Vec<Layer>,
}

/// The ground of a coat.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Field {
    /// One tincture or a pattern of two.
    Painted(Paint),
    /// Sown with many small charges.
    Semy {
        /// The ground.
        tincture: Tincture,
        /// What it is sown with.
        charge: Charge,
        /// In which tincture.
        sown: Tincture,
    },
    /// Divided between two parts.
    Parted(Division, Box<[Share; 2]>),
}

/// A part of a divided field, which is not divided again.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Share {
    /// A tincture.
    Plain(Tincture),
    /// Arms of its own, in brackets.
    Arms(Blazon),
}

/// How a field is divided. Quarterly, the first part has the quarters 1 and 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Division {
    /// Left and right.
    PerPale,
    /// Above and below.
    PerFess,
    /// From the upper left to the lower right.
    PerBend,
    /// In four.
    Quarterly,
}

/// What something is painted with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Paint {
    /// One tincture.
    Plain(Tincture),
    /// Stripes or a pattern of two.
    Varied(Variation, Tincture, Tincture),
}

/// A pattern of two tinctures; the number of stripes is even.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variation {
    /// So many stripes across.
    Barry(u8),
    /// So many upright stripes.
    Paly(u8),
    /// So many slanting stripes.
    Bendy(u8),
    /// Squares.
    Chequy,
    /// Lozenges.
    Lozengy,
}

/// A metal, a colour or a fur.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tincture {
    /// Gold.
    Or,
    /// Silver.
    Argent,
    /// Red.
    Gules,
    /// Blue.
    Azure,
    /// Green.
    Vert,
    /// Black.
    Sable,
    /// Purple.
    Purpure,
    /// White fur with black tails.
    Ermine,
    /// Bells of blue and white fur.
    Vair,
}

/// Something that lies on the field.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// A ribbon with points along the top: a son's mark.
    Label {
        /// How many points.
        points: u8,
        /// In which tincture.
        tincture: Tincture,
    },
    /// An ordinary, and what goes with it.
    Ordinary(Laid),
    /// Charges.
    Charges(Group),
}

/// An ordinary as it is laid on the field.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Laid {
    /// How many.
    pub number: u8,
    /// Which.
    pub ordinary: Ordinary,
    /// Painted how.
    pub paint: Paint,
    /// Thin stripes along both sides.
    pub cotises: Option<Tincture>,
    /// What lies on it.
    pub on: Option<Group>,
    /// What stands in the corners it leaves.
    pub between: Option<Group>,
}

/// One charge or several alike.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Group {
    /// How many.
    pub number: u8,
    /// Of which.
    pub charge: Charge,
    /// The points of a mullet, where they are told; five if not.
    pub points: Option<u8>,
    /// Where they stand, if not as usual.
    pub place: Option<Place>,
    /// Painted how.
    pub paint: Paint,
}

/// The great simple figures that go from edge to edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the words of heraldry say it")]
pub enum Ordinary {
    Chief,
    Fess,
    Pale,
    Bend,
    BendSinister,
    Chevron,
    Cross,
    Saltire,
    Bordure,
    Pile,
}

/// The figures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the words of heraldry say it")]
pub enum Charge {
    CrossPotent,
    CrossPatty,
    CrossMoline,
    CrossCrosslet,
    JerusalemCross,
    ToulouseCross,
    LionRampant,
    LionPassant,
    Eagle,
    DoubleHeadedEagle,
    Griffin,
    Horse,
    Wolf,
    Dragon,
    StagsHead,
    Fish,
    Tree,
    FleurDeLis,
    Rose,
    Crescent,
    Mullet,
    Roundel,
    Escallop,
    Castle,
    Tower,
    Key,
    Sword,
    Axe,
    Bow,
    Ship,
    Cup,
    Lamp,
    PoloStick,
    Firesteel,
    InscriptionBand,
    BowTamga,
    RingTamga,
    ForkTamga,
}

/// Where charges stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// One below the other.
    InPale,
    /// Side by side.
    InFess,
    /// Slanting down from the upper left.
    InBend,
    /// Two long ones crossed.
    InSaltire,
    /// At the top.
    InChief,
    /// At the foot.
    InBase,
    /// Along the edge.
    InOrle,
}

/// The points of a mullet whose blazon does not tell.
pub const USUAL_POINTS: u8 = 5;

impl Arms {
    /// Reads a blazon.
    ///
    /// ```
    /// use table::arms::Arms;
    ///
    /// let england = Arms::read("gules, three lions passant in pale or")?;
    /// assert_eq!(england.to_string(), "gules, three lions passant in pale or");
    /// assert!(england.breaches().is_empty());
    ///
    /// let error = Arms::read("purple, a lion rampant or").unwrap_err();
    /// assert!(error.to_string().starts_with("found `purple` (word 1), expected a tincture"));
    /// # Ok::<(), table::ReadError>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, ReadError> {
        read::blazon(text).map(Self::from)
    }

    /// What it says.
    pub fn blazon(&self) -> &Blazon {
        &self.0
    }

    /// Where it breaks the rule of tincture: metal lies on metal, colour on colour, or something on its own
    /// tincture. Furs, and mixtures of a metal and a colour, go with all that they do not contain.
    pub fn breaches(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.0.breaches(&mut found);
        found
    }
}

impl From<Blazon> for Arms {
    fn from(blazon: Blazon) -> Self {
        Self(Arc::new(blazon))
    }
}

impl Serialize for Arms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Arms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::read(&text).map_err(|e| serde::de::Error::custom(format!("the blazon \"{text}\": {e}")))
    }
}

impl fmt::Debug for Arms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Arms({self})")
    }
}

// ---- The rule of tincture

/// A few tinctures that are seen together.
pub type Tinctures = ArrayVec<Tincture, 4>;

#[derive(PartialEq)]
enum Nature {
    Metal,
    Colour,
    Mixed,
}

fn nature(tinctures: &[Tincture]) -> Nature {
    let metals = tinctures.iter().filter(|t| t.is_metal()).count();
    match tinctures {
        _ if tinctures.iter().any(|t| t.is_fur()) => Nature::Mixed,
        _ if metals == 0 => Nature::Colour,
        _ if metals == tinctures.len() => Nature::Metal,
        _ => Nature::Mixed,
    }
}

/// Whether the rule of tincture forbids these over those.
pub fn clash(over: &[Tincture], under: &[Tincture]) -> bool {
    let nature_over = nature(over);
    (nature_over != Nature::Mixed && nature_over == nature(under))
        || matches!(over, [one] if under.contains(one))
}

impl Tincture {
    /// All of them: metals, colours, furs.
    pub const ALL: [Self; 9] = [
        Self::Or,
        Self::Argent,
        Self::Gules,
        Self::Azure,
        Self::Vert,
        Self::Sable,
        Self::Purpure,
        Self::Ermine,
        Self::Vair,
    ];

    /// Gold or silver.
    pub fn is_metal(self) -> bool {
        matches!(self, Self::Or | Self::Argent)
    }

    /// Ermine or vair.
    pub fn is_fur(self) -> bool {
        matches!(self, Self::Ermine | Self::Vair)
    }
}

impl Paint {
    /// What can be seen of it.
    pub fn tinctures(&self) -> Tinctures {
        match *self {
            Self::Plain(tincture) => [tincture].into_iter().collect(),
            Self::Varied(_, a, b) => [a, b].into_iter().collect(),
        }
    }

    fn breach(&self, what: &str, found: &mut Vec<String>) {
        if let Self::Varied(_, a, b) = self
            && (a == b || nature(&[*a, *b]) != Nature::Mixed)
        {
            found.push(format!("{what} {self}"));
        }
    }
}

impl Field {
    /// What can be seen of the ground.
    pub fn tinctures(&self) -> Tinctures {
        match self {
            Self::Painted(paint) => paint.tinctures(),
            Self::Semy { tincture, .. } => [*tincture].into_iter().collect(),
            Self::Parted(_, shares) => shares.iter().flat_map(Share::tinctures).take(4).collect(),
        }
    }
}

impl Share {
    /// What can be seen of its ground.
    pub fn tinctures(&self) -> Tinctures {
        match self {
            Self::Plain(tincture) => [*tincture].into_iter().collect(),
            Self::Arms(blazon) => blazon.field.tinctures(),
        }
    }
}

impl Blazon {
    fn breaches(&self, found: &mut Vec<String>) {
        let under = self.field.tinctures();
        match &self.field {
            Field::Painted(paint) => paint.breach("the field", found),
            Field::Semy { charge, sown, .. } => lies(charge.plural(), &[*sown], &under, found),
            Field::Parted(_, shares) => {
                for share in &**shares {
                    if let Share::Arms(blazon) = share {
                        blazon.breaches(found);
                    }
                }
            }
        }
        for layer in &self.layers {
            match layer {
                Layer::Label { tincture, .. } => lies("a label", &[*tincture], &under, found),
                Layer::Charges(group) => group.breaches(&under, found),
                Layer::Ordinary(laid) => {
                    let over = laid.paint.tinctures();
                    laid.paint.breach(laid.ordinary.singular(), found);
                    lies(laid.ordinary.singular(), &over, &under, found);
                    if let Some(cotises) = laid.cotises {
                        lies("cotises", &[cotises], &under, found);
                    }
                    if let Some(group) = &laid.on {
                        group.breaches(&over, found);
                    }
                    if let Some(group) = &laid.between {
                        group.breaches(&under, found);
                    }
                }
            }
        }
    }
}

impl Group {
    fn breaches(&self, under: &[Tincture], found: &mut Vec<String>) {
        self.paint.breach(self.charge.singular(), found);
        lies(self.charge.singular(), &self.paint.tinctures(), under, found);
    }

    /// The points of its mullets.
    pub fn points(&self) -> u8 {
        self.points.unwrap_or(USUAL_POINTS)
    }
}

fn lies(what: &str, over: &[Tincture], under: &[Tincture], found: &mut Vec<String>) {
    let words = |tinctures: &[Tincture]| tinctures.iter().map(|t| t.word()).collect::<Vec<_>>().join(" and ");
    if clash(over, under) {
        found.push(format!("{what} {} on {}", words(over), words(under)));
    }
}

// ---- Words

const NUMBERS: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

fn number_word(number: u8) -> &'static str {
    usize::from(number).checked_sub(2).and_then(|i| NUMBERS.get(i)).copied().unwrap_or("one")
}

impl Tincture {
    /// Its word in a blazon.
    pub fn word(self) -> &'static str {
        match self {
            Self::Or => "or",
            Self::Argent => "argent",
            Self::Gules => "gules",
            Self::Azure => "azure",
            Self::Vert => "vert",
            Self::Sable => "sable",
            Self::Purpure => "purpure",
            Self::Ermine => "ermine",
            Self::Vair => "vair",
        }
    }
}

impl Division {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::PerPale, Self::PerFess, Self::PerBend, Self::Quarterly];

    /// Its words in a blazon.
    pub fn words(self) -> &'static str {
        match self {
            Self::PerPale => "per pale",
            Self::PerFess => "per fess",
            Self::PerBend => "per bend",
            Self::Quarterly => "quarterly",
        }
    }
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::InPale,
        Self::InFess,
        Self::InBend,
        Self::InSaltire,
        Self::InChief,
        Self::InBase,
        Self::InOrle,
    ];

    /// Its words in a blazon.
    pub fn words(self) -> &'static str {
        match self {
            Self::InPale => "in pale",
            Self::InFess => "in fess",
            Self::InBend => "in bend",
            Self::InSaltire => "in saltire",
            Self::InChief => "in chief",
            Self::InBase => "in base",
            Self::InOrle => "in orle",
        }
    }
}

impl Ordinary {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Chief,
        Self::Fess,
        Self::Pale,
        Self::Bend,
        Self::BendSinister,
        Self::Chevron,
        Self::Cross,
        Self::Saltire,
        Self::Bordure,
        Self::Pile,
    ];

    /// Its name.
    pub fn singular(self) -> &'static str {
        match self {
            Self::Chief => "chief",
            Self::Fess => "fess",
            Self::Pale => "pale",
            Self::Bend => "bend",
            Self::BendSinister => "bend sinister",
            Self::Chevron => "chevron",
            Self::Cross => "cross",
            Self::Saltire => "saltire",
            Self::Bordure => "bordure",
            Self::Pile => "pile",
        }
    }

    /// The name of several, whether there can be several or not.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Chief => "chiefs",
            Self::Fess => "fesses",
            Self::Pale => "pales",
            Self::Bend => "bends",
            Self::BendSinister => "bends sinister",
            Self::Chevron => "chevrons",
            Self::Cross => "crosses",
            Self::Saltire => "saltires",
            Self::Bordure => "bordures",
            Self::Pile => "piles",
        }
    }

    /// Whether a coat can have several of them side by side.
    pub fn repeats(self) -> bool {
        !matches!(self, Self::Chief | Self::Cross | Self::Saltire | Self::Bordure)
    }

    /// Whether thin stripes can go along both its sides.
    pub fn takes_cotises(self) -> bool {
        matches!(self, Self::Bend | Self::BendSinister | Self::Fess)
    }
}

impl Charge {
    /// All of them.
    pub const ALL: [Self; 38] = [
        Self::CrossPotent,
        Self::CrossPatty,
        Self::CrossMoline,
        Self::CrossCrosslet,
        Self::JerusalemCross,
        Self::ToulouseCross,
        Self::LionRampant,
        Self::LionPassant,
        Self::Eagle,
        Self::DoubleHeadedEagle,
        Self::Griffin,
        Self::Horse,
        Self::Wolf,
        Self::Dragon,
        Self::StagsHead,
        Self::Fish,
        Self::Tree,
        Self::FleurDeLis,
        Self::Rose,
        Self::Crescent,
        Self::Mullet,
        Self::Roundel,
        Self::Escallop,
        Self::Castle,
        Self::Tower,
        Self::Key,
        Self::Sword,
        Self::Axe,
        Self::Bow,
        Self::Ship,
        Self::Cup,
        Self::Lamp,
        Self::PoloStick,
        Self::Firesteel,
        Self::InscriptionBand,
        Self::BowTamga,
        Self::RingTamga,
        Self::ForkTamga,
    ];

    /// Its name.
    pub fn singular(self) -> &'static str {
        self.names().0
    }

    /// The name of several.
    pub fn plural(self) -> &'static str {
        self.names().1
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::CrossPotent => ("cross potent", "crosses potent"),
            Self::CrossPatty => ("cross patty", "crosses patty"),
            Self::CrossMoline => ("cross moline", "crosses moline"),
            Self::CrossCrosslet => ("cross crosslet", "crosses crosslet"),
            Self::JerusalemCross => ("Jerusalem cross", "Jerusalem crosses"),
            Self::ToulouseCross => ("Toulouse cross", "Toulouse crosses"),
            Self::LionRampant => ("lion rampant", "lions rampant"),
            Self::LionPassant => ("lion passant", "lions passant"),
            Self::Eagle => ("eagle displayed", "eagles displayed"),
            Self::DoubleHeadedEagle => ("double-headed eagle", "double-headed eagles"),
            Self::Griffin => ("griffin", "griffins"),
            Self::Horse => ("horse", "horses"),
            Self::Wolf => ("wolf", "wolves"),
            Self::Dragon => ("dragon", "dragons"),
            Self::StagsHead => ("stag's head", "stags' heads"),
            Self::Fish => ("fish", "fishes"),
            Self::Tree => ("tree", "trees"),
            Self::FleurDeLis => ("fleur-de-lis", "fleurs-de-lis"),
            Self::Rose => ("rose", "roses"),
            Self::Crescent => ("crescent", "crescents"),
            Self::Mullet => ("mullet", "mullets"),
            Self::Roundel => ("roundel", "roundels"),
            Self::Escallop => ("escallop", "escallops"),
            Self::Castle => ("castle", "castles"),
            Self::Tower => ("tower", "towers"),
            Self::Key => ("key", "keys"),
            Self::Sword => ("sword", "swords"),
            Self::Axe => ("axe", "axes"),
            Self::Bow => ("bow", "bows"),
            Self::Ship => ("ship", "ships"),
            Self::Cup => ("cup", "cups"),
            Self::Lamp => ("lamp", "lamps"),
            Self::PoloStick => ("polo stick", "polo sticks"),
            Self::Firesteel => ("firesteel", "firesteels"),
            Self::InscriptionBand => ("inscription band", "inscription bands"),
            Self::BowTamga => ("bow tamga", "bow tamgas"),
            Self::RingTamga => ("ring tamga", "ring tamgas"),
            Self::ForkTamga => ("fork tamga", "fork tamgas"),
        }
    }
}

fn article(name: &str) -> &'static str {
    if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn write_several(f: &mut fmt::Formatter<'_>, number: u8, singular: &str, plural: &str) -> fmt::Result {
    match number {
        1 => write!(f, "{} {singular}", article(singular)),
        _ => write!(f, "{} {plural}", number_word(number)),
    }
}

impl fmt::Display for Arms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Blazon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.field.fmt(f)?;
        self.layers.iter().try_for_each(|layer| write!(f, ", {layer}"))
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Painted(paint) => paint.fmt(f),
            Self::Semy { tincture, charge, sown } => {
                write!(f, "{} semy of {} {}", tincture.word(), charge.plural(), sown.word())
            }
            Self::Parted(division, shares) => {
                write!(f, "{} {} and {}", division.words(), shares[0], shares[1])
            }
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(tincture) => f.write_str(tincture.word()),
            Self::Arms(blazon) => write!(f, "({blazon})"),
        }
    }
}

impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (variation, a, b) = match self {
            Self::Plain(tincture) => return f.write_str(tincture.word()),
            Self::Varied(variation, a, b) => (variation, a.word(), b.word()),
        };
        match *variation {
            Variation::Barry(n) => write!(f, "barry of {} {a} and {b}", number_word(n)),
            Variation::Paly(n) => write!(f, "paly of {} {a} and {b}", number_word(n)),
            Variation::Bendy(n) => write!(f, "bendy of {} {a} and {b}", number_word(n)),
            Variation::Chequy => write!(f, "chequy {a} and {b}"),
            Variation::Lozengy => write!(f, "lozengy {a} and {b}"),
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Label { points, tincture } => {
                write!(f, "a label of {} points {}", number_word(*points), tincture.word())
            }
            Self::Charges(group) => group.fmt(f),
            Self::Ordinary(laid) => laid.fmt(f),
        }
    }
}

impl fmt::Display for Laid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_several(f, self.number, self.ordinary.singular(), self.ordinary.plural())?;
        write!(f, " {}", self.paint)?;
        if let Some(tincture) = self.cotises {
            write!(f, " cotised {}", tincture.word())?;
        }
        if let Some(group) = &self.on {
            write!(f, " charged with {group}")?;
        }
        if let Some(group) = &self.between {
            write!(f, " between {group}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_several(f, self.number, self.charge.singular(), self.charge.plural())?;
        if let Some(points) = self.points {
            write!(f, " of {} points", number_word(points))?;
        }
        if let Some(place) = self.place {
            write!(f, " {}", place.words())?;
        }
        write!(f, " {}", self.paint)
    }
}

#[cfg(test)]
mod tests;

//! The charges: each one path in a square from -50 to 50, with no gap narrower than about 6, which is one
//! pixel at 16 px. What is a hole turns the other way round.

mod beasts;
mod birds;
mod brands;
mod crosses;
mod growing;
mod made;
mod signs;

use std::borrow::Cow;
use std::f64::consts::FRAC_1_SQRT_2;

use table::arms::Charge;

use super::paint::polygon;

/// A path as it is written down, and how far it reaches from its middle.
struct Drawn {
    path: &'static str,
    w: f64,
    h: f64,
    corner: f64,
}

/// A charge to be drawn.
pub(super) struct Figure {
    pub(super) path: Cow<'static, str>,
    /// Half its width.
    pub(super) w: f64,
    /// Half its height.
    pub(super) h: f64,
    /// How much of its corners is empty, in parts of half its width.
    pub(super) corner: f64,
}

impl Figure {
    /// Room for something as high as it is wide.
    pub(super) fn square() -> Self {
        Self { path: Cow::Borrowed(""), w: 50.0, h: 50.0, corner: 0.4 }
    }
}

/// How a charge looks; a mullet with so many points.
pub(super) fn figure(charge: Charge, points: u8) -> Figure {
    let drawn = match charge {
        Charge::Mullet => return mullet(points),
        Charge::CrossPotent => crosses::CROSS_POTENT,
        Charge::CrossPatty => crosses::CROSS_PATTY,
        Charge::CrossMoline => crosses::CROSS_MOLINE,
        Charge::CrossCrosslet => crosses::CROSS_CROSSLET,
        Charge::JerusalemCross => crosses::JERUSALEM_CROSS,
        Charge::ToulouseCross => crosses::TOULOUSE_CROSS,
        Charge::LionRampant => beasts::LION_RAMPANT,
        Charge::LionPassant => beasts::LION_PASSANT,
        Charge::Griffin => beasts::GRIFFIN,
        Charge::Horse => beasts::HORSE,
        Charge::Wolf => beasts::WOLF,
        Charge::Dragon => beasts::DRAGON,
        Charge::StagsHead => beasts::STAGS_HEAD,
        Charge::Eagle => birds::EAGLE,
        Charge::DoubleHeadedEagle => birds::DOUBLE_HEADED_EAGLE,
        Charge::Fish => birds::FISH,
        Charge::Tree => growing::TREE,
        Charge::FleurDeLis => growing::FLEUR_DE_LIS,
        Charge::Rose => growing::ROSE,
        Charge::Crescent => signs::CRESCENT,
        Charge::Roundel => signs::ROUNDEL,
        Charge::Escallop => signs::ESCALLOP,
        Charge::Castle => made::CASTLE,
        Charge::Tower => made::TOWER,
        Charge::Key => made::KEY,
        Charge::Sword => made::SWORD,
        Charge::Axe => made::AXE,
        Charge::Bow => made::BOW,
        Charge::Ship => made::SHIP,
        Charge::Cup => made::CUP,
        Charge::Lamp => made::LAMP,
        Charge::PoloStick => made::POLO_STICK,
        Charge::Firesteel => made::FIRESTEEL,
        Charge::InscriptionBand => made::INSCRIPTION_BAND,
        Charge::BowTamga => brands::BOW_TAMGA,
        Charge::RingTamga => brands::RING_TAMGA,
        Charge::ForkTamga => brands::FORK_TAMGA,
    };
    Figure { path: Cow::Borrowed(drawn.path), w: drawn.w, h: drawn.h, corner: drawn.corner }
}

/// Cosine and sine of half a turn over 2, 3, … 12: written down, so that stars are the same everywhere.
const TURNS: [(f64, f64); 11] = [
    (0.0, 1.0),
    (0.500000000, 0.866025403),
    (FRAC_1_SQRT_2, FRAC_1_SQRT_2),
    (0.809016994, 0.587785252),
    (0.866025403, 0.499999999),
    (0.900968867, 0.433883739),
    (0.923879532, 0.382683432),
    (0.939692620, 0.342020143),
    (0.951056516, 0.309016994),
    (0.959492973, 0.281732556),
    (0.965925826, 0.258819045),
];

/// A star.
fn mullet(points: u8) -> Figure {
    let (cos, sin) = TURNS[usize::from(points.clamp(2, 12)) - 2];
    let inner = match points {
        ..=3 => 13.0,
        4 => 16.0,
        5 => 20.0,
        6 => 25.0,
        7 => 26.0,
        8 => 25.0,
        _ => 30.0,
    };
    let (mut x, mut y) = (0.0, -1.0);
    let corners: Vec<(f64, f64)> = (0..2 * points)
        .map(|i| {
            let radius = if i % 2 == 0 { 50.0 } else { inner };
            let corner = (x * radius, y * radius);
            (x, y) = (x * cos - y * sin, x * sin + y * cos);
            corner
        })
        .collect();
    Figure { path: Cow::Owned(polygon(&corners)), w: 47.0, h: 48.0, corner: 0.4 }
}

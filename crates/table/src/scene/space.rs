//! Spaces: where pieces stand, and what is built there.

use serde::Serialize;

use crate::arms::Arms;
use crate::seat::Seat;

/// A place where pieces can stand.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Space {
    /// Its id, unique in the scene.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Centre, from the left.
    pub x: i32,
    /// Centre, from the top.
    pub y: i32,
    /// Its outline.
    pub shape: Shape,
    /// What stands there.
    pub keep: Option<Keep>,
    /// How strong its walls are, as a figure beside the name; 0 for none.
    pub rating: u8,
    /// What it is worth, as a figure beside the name; 0 for nothing.
    pub points: u8,
    /// Whether ships can land.
    pub harbour: Harbour,
    /// The arms of its lord.
    pub arms: Option<Arms>,
    /// Who holds it, for its colour.
    pub holder: Option<Seat>,
    /// Who besieges it.
    pub siege: Option<Seat>,
    /// A few words beside the name, which may change: a camp, a mark.
    pub badge: String,
    /// The region it belongs to; the text twin groups by it.
    pub region: String,
    /// Whether it is one of those that decide the game.
    pub prize: bool,
    /// Whether it stands out: something happens there now.
    pub lit: bool,
    /// Its terrain: which of those that the board lists.
    pub terrain: Option<u8>,
    /// Whether it is part of another place, and comes and goes with what stands there: it is no part of what
    /// is printed, its name is not lettered, and it stands after all others.
    pub annex: bool,
}

/// The outline of a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Shape {
    /// A circle.
    Circle {
        /// Radius.
        r: i32,
    },
    /// A rectangle.
    Rect {
        /// Width.
        w: i32,
        /// Height.
        h: i32,
    },
    /// A hexagon with a point to the top.
    Hex {
        /// From the centre to a corner.
        r: i32,
    },
    /// A hexagon with a side to the top.
    FlatHex {
        /// From the centre to a corner.
        r: i32,
    },
    /// A hexagon with corners of its own, as a chart bends it: from the centre, in order.
    Corners([(i16, i16); 6]),
}

impl Default for Shape {
    fn default() -> Self {
        Self::Circle { r: 0 }
    }
}

impl Shape {
    /// Whether it is a hexagon.
    pub const fn is_hex(self) -> bool {
        matches!(self, Self::Hex { .. } | Self::FlatHex { .. } | Self::Corners(_))
    }
}

/// What stands on a space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub enum Keep {
    /// A few houses.
    Village,
    /// A town without walls.
    Town,
    /// A castle of low walls.
    LowCastle,
    /// A castle with a high keep.
    FullCastle,
    /// A walled city with so many towers, one to four.
    City(u8),
    /// A pass through mountains.
    Pass,
}

impl Keep {
    /// What it is called.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Village => "village",
            Self::Town => "town",
            Self::LowCastle => "low castle",
            Self::FullCastle => "castle",
            Self::City(_) => "city",
            Self::Pass => "pass",
        }
    }
}

/// Whether ships can land at a space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub enum Harbour {
    /// No.
    #[default]
    No,
    /// It is a port.
    Plain,
    /// It is a port behind walls.
    Fortified,
}

impl Harbour {
    /// What it is called; nothing where there is none.
    pub const fn word(self) -> &'static str {
        match self {
            Self::No => "",
            Self::Plain => "port",
            Self::Fortified => "fortified port",
        }
    }
}

impl Space {
    /// A space with a name at a place.
    pub fn new(id: impl Into<String>, name: impl Into<String>, (x, y): (i32, i32), shape: Shape) -> Self {
        Self { id: id.into(), name: name.into(), x, y, shape, ..Self::default() }
    }

    /// What is said of it besides its name and who holds it.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        match (self.keep, self.rating) {
            (Some(keep), 0) => notes.push(keep.word().to_string()),
            (Some(keep), rating) => notes.push(format!("{} {rating}", keep.word())),
            (None, 0) => {}
            (None, rating) => notes.push(rating.to_string()),
        }
        if self.points > 0 {
            notes.push(format!("worth {}", self.points));
        }
        if self.harbour != Harbour::No {
            notes.push(self.harbour.word().to_string());
        }
        if !self.badge.is_empty() {
            notes.push(self.badge.clone());
        }
        notes
    }

    /// Whether it is a hexagon of the ground with nothing of its own: printed with the ground, and no more.
    pub fn is_bare(&self) -> bool {
        self.shape.is_hex()
            && self.name.is_empty()
            && self.badge.is_empty()
            && self.holder.is_none()
            && self.siege.is_none()
            && self.keep.is_none()
            && self.arms.is_none()
            && (self.rating, self.points, self.harbour) == (0, 0, Harbour::No)
            && !self.prize
            && !self.lit
    }
}

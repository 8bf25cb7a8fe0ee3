//! Hexes in whole numbers: neighbours, distances, rings, lines, facings, printed numbers, and where a hex lies
//! on a board.
//!
//! A hex is a pair of axial coordinates: `q` grows to the right, `r` downwards. Whether hexes stand on a point
//! or lie on a side is the board's matter ([`Lie`]); arithmetic is the same for both. Nothing here allocates
//! or uses a fraction. Coordinates beyond a few thousand are a defect and overflow as any other.

use std::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

use crate::error::ReadError;

/// A hex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Hex {
    /// To the right.
    pub q: i16,
    /// Down.
    pub r: i16,
}

/// How the hexes of a board lie.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Lie {
    /// On a point: rows of hexes side by side.
    Pointy,
    /// On a side: columns of hexes one below the other.
    Flat,
}

/// One of the six directions, clockwise. What it is called depends on how the hexes lie: see [`pointy`] and
/// [`flat`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Direction {
    /// East, or south-east where hexes lie flat.
    First,
    /// South-east, or south.
    Second,
    /// South-west.
    Third,
    /// West, or north-west.
    Fourth,
    /// North-west, or north.
    Fifth,
    /// North-east.
    Sixth,
}

/// The directions of boards whose hexes stand on a point.
#[allow(missing_docs, reason = "the names say it")]
pub mod pointy {
    use super::Direction;
    pub const EAST: Direction = Direction::First;
    pub const SOUTH_EAST: Direction = Direction::Second;
    pub const SOUTH_WEST: Direction = Direction::Third;
    pub const WEST: Direction = Direction::Fourth;
    pub const NORTH_WEST: Direction = Direction::Fifth;
    pub const NORTH_EAST: Direction = Direction::Sixth;
}

/// The directions of boards whose hexes lie on a side.
#[allow(missing_docs, reason = "the names say it")]
pub mod flat {
    use super::Direction;
    pub const SOUTH_EAST: Direction = Direction::First;
    pub const SOUTH: Direction = Direction::Second;
    pub const SOUTH_WEST: Direction = Direction::Third;
    pub const NORTH_WEST: Direction = Direction::Fourth;
    pub const NORTH: Direction = Direction::Fifth;
    pub const NORTH_EAST: Direction = Direction::Sixth;
}

impl Direction {
    /// All six, clockwise.
    pub const ALL: [Self; 6] =
        [Self::First, Self::Second, Self::Third, Self::Fourth, Self::Fifth, Self::Sixth];

    /// One step this way from the middle of the plane.
    pub const fn step(self) -> Hex {
        match self {
            Self::First => Hex::new(1, 0),
            Self::Second => Hex::new(0, 1),
            Self::Third => Hex::new(-1, 1),
            Self::Fourth => Hex::new(-1, 0),
            Self::Fifth => Hex::new(0, -1),
            Self::Sixth => Hex::new(1, -1),
        }
    }

    /// Turned to the right by so many sixths; to the left where they are negative.
    pub const fn turned(self, sixths: i8) -> Self {
        Self::ALL[(self as i16 + sixths as i16).rem_euclid(6) as usize]
    }

    /// Turned to the right by a sixth.
    pub const fn right(self) -> Self {
        self.turned(1)
    }

    /// Turned to the left by a sixth.
    pub const fn left(self) -> Self {
        self.turned(-1)
    }

    /// Turned about.
    pub const fn opposite(self) -> Self {
        self.turned(3)
    }

    /// How many sixths to the right another direction is, from 0 to 5.
    pub const fn right_turns_to(self, other: Self) -> u8 {
        (other as i16 - self as i16).rem_euclid(6) as u8
    }

    /// How many sixths another direction is off, from 0 to 3, whichever way is shorter.
    pub const fn turns_to(self, other: Self) -> u8 {
        let right = self.right_turns_to(other);
        if right > 3 { 6 - right } else { right }
    }

    /// Its name on a board, such as `north-east`.
    pub const fn name(self, lie: Lie) -> &'static str {
        match (lie, self) {
            (Lie::Pointy, Self::First) => "east",
            (Lie::Pointy, Self::Fourth) => "west",
            (Lie::Flat, Self::Second) => "south",
            (Lie::Flat, Self::Fifth) => "north",
            (Lie::Pointy, Self::Second) | (Lie::Flat, Self::First) => "south-east",
            (Lie::Pointy, Self::Fifth) | (Lie::Flat, Self::Fourth) => "north-west",
            (_, Self::Third) => "south-west",
            (_, Self::Sixth) => "north-east",
        }
    }

    /// Its letters on a board, such as `NE`.
    pub const fn letters(self, lie: Lie) -> &'static str {
        match (lie, self) {
            (Lie::Pointy, Self::First) => "E",
            (Lie::Pointy, Self::Fourth) => "W",
            (Lie::Flat, Self::Second) => "S",
            (Lie::Flat, Self::Fifth) => "N",
            (Lie::Pointy, Self::Second) | (Lie::Flat, Self::First) => "SE",
            (Lie::Pointy, Self::Fifth) | (Lie::Flat, Self::Fourth) => "NW",
            (_, Self::Third) => "SW",
            (_, Self::Sixth) => "NE",
        }
    }

    /// Reads the name or the letters of a direction.
    pub fn read(text: &str, lie: Lie) -> Result<Self, ReadError> {
        let called = |d: &Self| d.name(lie) == text || d.letters(lie) == text;
        Self::ALL.into_iter().find(called).ok_or_else(|| {
            let all = Self::ALL.map(|d| d.letters(lie)).join(", ");
            ReadError::new(format!("`{text}`"), format!("a direction ({all})"))
        })
    }
}

impl Add for Hex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.q + other.q, self.r + other.r)
    }
}

impl Sub for Hex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.q - other.q, self.r - other.r)
    }
}

impl Hex {
    /// The middle of the plane.
    pub const ORIGIN: Self = Self::new(0, 0);

    /// A hex by its coordinates.
    pub const fn new(q: i16, r: i16) -> Self {
        Self { q, r }
    }

    /// The hex next to it.
    pub fn neighbour(self, direction: Direction) -> Self {
        self + direction.step()
    }

    /// The six hexes around it, clockwise.
    pub fn neighbours(self) -> impl ExactSizeIterator<Item = Self> {
        Direction::ALL.into_iter().map(move |direction| self.neighbour(direction))
    }

    /// The hex so many steps away in a direction.
    pub fn far(self, direction: Direction, steps: i16) -> Self {
        let step = direction.step();
        Self::new(self.q + step.q * steps, self.r + step.r * steps)
    }

    /// How many steps it is to another hex.
    #[inline]
    pub const fn distance(self, other: Self) -> u32 {
        let (q, r) = (self.q as i32 - other.q as i32, self.r as i32 - other.r as i32);
        (q.unsigned_abs() + r.unsigned_abs() + (q + r).unsigned_abs()) / 2
    }

    /// The direction of a hex next to it.
    pub fn direction_to(self, other: Self) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| self.neighbour(*direction) == other)
    }

    /// The hexes at a distance, clockwise from the one to the north-west (north, where hexes lie flat). At
    /// distance 0 it is the hex itself.
    pub fn ring(self, radius: u16) -> Ring {
        let next = self.far(Direction::Fifth, radius as i16);
        Ring { next, radius, gone: 0 }
    }

    /// The hexes within a distance, ring by ring from the hex itself outwards.
    pub fn disc(self, radius: u16) -> impl Iterator<Item = Self> + Clone {
        (0..=radius).flat_map(move |radius| self.ring(radius))
    }

    /// Turned around a centre to the right by so many sixths; to the left where they are negative.
    pub fn turned(self, centre: Self, sixths: i8) -> Self {
        let mut from = self - centre;
        for _ in 0..sixths.rem_euclid(6) {
            from = Self::new(-from.r, from.q + from.r);
        }
        centre + from
    }

    /// The straight line to another hex, both ends included. Where it runs exactly between two hexes, along
    /// the side they share, both are told.
    ///
    /// ```
    /// use table::hex::{Hex, Passed};
    ///
    /// let line: Vec<Passed> = Hex::new(0, 0).line(Hex::new(1, 1)).collect();
    /// assert_eq!(line[1], Passed::Between(Hex::new(0, 1), Hex::new(1, 0)));
    /// ```
    #[inline]
    pub fn line(self, other: Self) -> Line {
        let (q, r) = (other.q as i32 - self.q as i32, other.r as i32 - self.r as i32);
        let (by, length) = ([q, r, -q - r], self.distance(other));
        let longest = by.iter().position(|by| by.unsigned_abs() == length).unwrap_or(0);
        Line { from: self, by, length, gone: 0, longest: longest as u8, whole: 0, rest: 0 }
    }

    /// Column and row on a board with straight rows (or columns, where hexes lie flat) of which every second
    /// one is shoved.
    #[inline]
    pub fn to_offset(self, lie: Lie, shoved: Shoved) -> (i16, i16) {
        let shift = |along: i16| match shoved {
            Shoved::Odd => (along - (along & 1)) / 2,
            Shoved::Even => (along + (along & 1)) / 2,
        };
        match lie {
            Lie::Pointy => (self.q + shift(self.r), self.r),
            Lie::Flat => (self.q, self.r + shift(self.q)),
        }
    }

    /// The hex in a column and a row.
    #[inline]
    pub fn from_offset((column, row): (i16, i16), lie: Lie, shoved: Shoved) -> Self {
        let shift = |along: i16| match shoved {
            Shoved::Odd => (along - (along & 1)) / 2,
            Shoved::Even => (along + (along & 1)) / 2,
        };
        match lie {
            Lie::Pointy => Self::new(column - shift(row), row),
            Lie::Flat => Self::new(column, row - shift(column)),
        }
    }
}

/// Which rows are shoved to the right by half a hex, or which columns down where hexes lie flat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Shoved {
    /// Those with odd numbers.
    Odd,
    /// Those with even numbers.
    Even,
}

/// How a map numbers its hexes: two digits for the column, two for the row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Printed {
    /// How its hexes lie.
    pub lie: Lie,
    /// Which of the rows or columns, by their printed numbers, are shoved.
    pub shoved: Shoved,
}

impl Printed {
    /// The hex with a printed number, such as `0412`: column 4, row 12.
    pub fn read(self, text: &str) -> Result<Hex, ReadError> {
        let wrong = || ReadError::new(format!("`{text}`"), "four digits, the column and the row of a hex");
        if text.len() != 4 || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(wrong());
        }
        let number = |digits: &str| digits.parse::<i16>().map_err(|_| wrong());
        Ok(Hex::from_offset((number(&text[..2])?, number(&text[2..])?), self.lie, self.shoved))
    }

    /// The printed number of a hex, if it can have one.
    pub fn write(self, hex: Hex) -> Option<String> {
        let (column, row) = hex.to_offset(self.lie, self.shoved);
        let fits = |number: i16| (0..100).contains(&number);
        (fits(column) && fits(row)).then(|| format!("{column:02}{row:02}"))
    }
}

/// The hexes at a distance from another; see [`Hex::ring`].
#[derive(Clone, Debug)]
pub struct Ring {
    next: Hex,
    radius: u16,
    gone: u32,
}

impl Iterator for Ring {
    type Item = Hex;

    fn next(&mut self) -> Option<Hex> {
        if self.len() == 0 {
            return None;
        }
        let here = self.next;
        if let Some(side) = self.gone.checked_div(u32::from(self.radius)) {
            self.next = here.neighbour(Direction::ALL[side as usize]);
        }
        self.gone += 1;
        Some(here)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let all = if self.radius == 0 { 1 } else { 6 * u32::from(self.radius) };
        let left = (all - self.gone) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Ring {}

/// What a straight line passes at a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Passed {
    /// It goes through this hex.
    Through(Hex),
    /// It goes along the side that these two share; the first is the lesser.
    Between(Hex, Hex),
}

impl Passed {
    /// The hexes passed: one or two.
    pub fn hexes(self) -> impl Iterator<Item = Hex> {
        let (first, second) = match self {
            Self::Through(hex) => (hex, None),
            Self::Between(one, other) => (one, Some(other)),
        };
        std::iter::once(first).chain(second)
    }

    /// Whether it passes a hex.
    pub fn touches(self, hex: Hex) -> bool {
        match self {
            Self::Through(one) => one == hex,
            Self::Between(one, other) => one == hex || other == hex,
        }
    }
}

/// A straight line; see [`Hex::line`].
#[derive(Clone, Debug)]
pub struct Line {
    from: Hex,
    /// How far it goes by the three axes, whose sum is nought.
    by: [i32; 3],
    length: u32,
    gone: u32,
    /// The axis along which it advances by exactly one hex a step.
    longest: u8,
    /// Where it is along the next axis: whole hexes, and a rest in parts of the length.
    whole: i32,
    rest: i32,
}

impl Iterator for Line {
    type Item = Passed;

    #[inline]
    fn next(&mut self) -> Option<Passed> {
        if self.gone > self.length {
            return None;
        }
        let length = self.length as i32;
        let (longest, second) = (usize::from(self.longest), (usize::from(self.longest) + 1) % 3);
        let far = self.by[longest].signum() * self.gone as i32;
        let hex = |along: i32| {
            let mut by = [0i32; 3];
            by[longest] = far;
            by[second] = along;
            by[(longest + 2) % 3] = -far - along;
            self.from + Hex::new(by[0] as i16, by[1] as i16)
        };
        // Along the second axis the nearest whole number counts; at a half, both.
        let passed = match (2 * self.rest).cmp(&length) {
            std::cmp::Ordering::Equal if length > 0 => {
                let (one, other) = (hex(self.whole), hex(self.whole + 1));
                Passed::Between(one.min(other), one.max(other))
            }
            std::cmp::Ordering::Greater => Passed::Through(hex(self.whole + 1)),
            _ => Passed::Through(hex(self.whole)),
        };
        self.gone += 1;
        self.rest += self.by[second];
        if self.rest < 0 {
            self.rest += length;
            self.whole -= 1;
        } else if self.rest >= length {
            self.rest -= length;
            self.whole += 1;
        }
        Some(passed)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.length + 1 - self.gone) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Line {}

/// Where hexes lie on a board, in its whole units. Neighbours share their corners exactly, and no unit of the
/// board lies between two hexes: for that a hex may be half a unit narrower or wider than a regular one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lattice {
    lie: Lie,
    /// Half of the way from the middle to a corner.
    quarter: i32,
    /// The way from the middle to a side.
    half: i32,
    /// The middle of [`Hex::ORIGIN`].
    origin: (i32, i32),
}

impl Lattice {
    /// The smallest and the largest size of a hex.
    pub const SIZES: std::ops::RangeInclusive<i32> = 4..=10_000;

    /// A lattice whose hexes are about so many units from the middle to a corner (made even), with the middle
    /// of [`Hex::ORIGIN`] at this point. A size out of [`Self::SIZES`] becomes the nearest in it.
    pub fn new(lie: Lie, size: i32, origin: (i32, i32)) -> Self {
        let size = size.clamp(*Self::SIZES.start(), *Self::SIZES.end());
        let quarter = (size + 1) / 2;
        // The root of three, to six digits.
        let half = (i64::from(quarter) * 1_732_051 + 500_000) / 1_000_000;
        Self { lie, quarter, half: half as i32, origin }
    }

    /// How its hexes lie.
    pub fn lie(&self) -> Lie {
        self.lie
    }

    /// From the middle of a hex to a corner.
    pub fn size(&self) -> i32 {
        2 * self.quarter
    }

    /// The middle of a hex.
    pub fn centre(&self, hex: Hex) -> (i32, i32) {
        let (q, r) = (i32::from(hex.q), i32::from(hex.r));
        let (x, y) = match self.lie {
            Lie::Pointy => (self.half * (2 * q + r), 3 * self.quarter * r),
            Lie::Flat => (3 * self.quarter * q, self.half * (2 * r + q)),
        };
        (self.origin.0 + x, self.origin.1 + y)
    }

    /// The corners of a hex, clockwise. The side in the first [`Direction`] lies between the first two, the
    /// next side between the second and the third, and so on.
    pub fn corners(&self, hex: Hex) -> [(i32, i32); 6] {
        let (x, y) = self.centre(hex);
        let (k, w) = (self.quarter, self.half);
        let around = match self.lie {
            Lie::Pointy => [(w, -k), (w, k), (0, 2 * k), (-w, k), (-w, -k), (0, -2 * k)],
            Lie::Flat => [(2 * k, 0), (k, w), (-k, w), (-2 * k, 0), (-k, -w), (k, -w)],
        };
        around.map(|(dx, dy)| (x + dx, y + dy))
    }

    /// The hex at a point of the board; on a side or a corner, one of those that share it. Nothing where the
    /// point is too far away for a hex to have coordinates.
    pub fn at(&self, (x, y): (i32, i32)) -> Option<Hex> {
        let (x, y) = (i64::from(x) - i64::from(self.origin.0), i64::from(y) - i64::from(self.origin.1));
        let (k, w) = (i64::from(self.quarter), i64::from(self.half));
        // The three axes in parts of `whole`.
        let whole = 6 * k * w;
        let [q, r] = match self.lie {
            Lie::Pointy => [3 * k * x - w * y, 2 * w * y],
            Lie::Flat => [2 * w * x, 3 * k * y - w * x],
        };
        let parts = [q, r, -q - r];
        let near = parts.map(|part| (2 * part + whole).div_euclid(2 * whole));
        let off = [0, 1, 2].map(|i| (near[i] * whole - parts[i]).abs());
        let [mut q, mut r, s] = near;
        if off[0] > off[1] && off[0] > off[2] {
            q = -r - s;
        } else if off[1] > off[2] {
            r = -q - s;
        }
        Some(Hex::new(i16::try_from(q).ok()?, i16::try_from(r).ok()?))
    }
}

#[cfg(test)]
mod tests;

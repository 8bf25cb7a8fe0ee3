//! The colours of the map: by day on parchment, by night on slate.

use std::fmt;

/// A colour, written as `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// This colour with `percent` of another mixed into it.
    pub fn mixed(self, other: Colour, percent: u8) -> Colour {
        let share = u32::from(percent.min(100));
        let mix = |a: u8, b: u8| ((u32::from(a) * (100 - share) + u32::from(b) * share + 50) / 100) as u8;
        Colour(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// The look of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Light: ink and washes on parchment.
    #[default]
    Parchment,
    /// Dark: for play by lamplight.
    Night,
}

/// The colours of a theme, so that a game can match its own lines and labels to the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// Open water.
    pub sea: Colour,
    /// Water along the shore.
    pub shallows: Colour,
    /// The wave lines that follow the shore, and rhumb lines.
    pub wave: Colour,
    /// Names on the water.
    pub sea_name: Colour,
    /// Land.
    pub land: Colour,
    /// The wash along the inside of the coast.
    pub shore: Colour,
    /// The line of the coast.
    pub coast: Colour,
    /// Sand.
    pub desert: Colour,
    /// The dots on the sand.
    pub stipple: Colour,
    /// Watered ground.
    pub vale: Colour,
    /// The wash under hills and mountains.
    pub relief: Colour,
    /// The lines of hills and mountains.
    pub peak: Colour,
    /// Rivers.
    pub river: Colour,
    /// Names of countries.
    pub land_name: Colour,
    /// Ink: the border, the compass rose, cities.
    pub ink: Colour,
    /// The paper of the margin.
    pub paper: Colour,
}

impl Theme {
    /// The theme's colours.
    pub fn palette(self) -> &'static Palette {
        match self {
            Theme::Parchment => &PARCHMENT,
            Theme::Night => &NIGHT,
        }
    }

    /// The theme's name, as it appears in the CSS class `levant-parchment` or `levant-night`.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Parchment => "parchment",
            Theme::Night => "night",
        }
    }
}

const PARCHMENT: Palette = Palette {
    sea: Colour(0xb9, 0xcf, 0xd1),
    shallows: Colour(0xdd, 0xe8, 0xe0),
    wave: Colour(0x7c, 0xa0, 0xa6),
    sea_name: Colour(0x4f, 0x79, 0x84),
    land: Colour(0xf4, 0xea, 0xd2),
    shore: Colour(0xc9, 0xad, 0x78),
    coast: Colour(0x6a, 0x58, 0x3c),
    desert: Colour(0xec, 0xd5, 0xa4),
    stipple: Colour(0xb8, 0x95, 0x5c),
    vale: Colour(0xbf, 0xcd, 0x94),
    relief: Colour(0xc4, 0xa2, 0x6d),
    peak: Colour(0x8a, 0x70, 0x4a),
    river: Colour(0x6b, 0x97, 0xa6),
    land_name: Colour(0x8a, 0x72, 0x4e),
    ink: Colour(0x4a, 0x3a, 0x26),
    paper: Colour(0xf7, 0xf0, 0xdf),
};

const NIGHT: Palette = Palette {
    sea: Colour(0x14, 0x20, 0x2b),
    shallows: Colour(0x24, 0x3b, 0x49),
    wave: Colour(0x3d, 0x5f, 0x70),
    sea_name: Colour(0x6d, 0x93, 0xa4),
    land: Colour(0x2f, 0x2c, 0x28),
    shore: Colour(0x59, 0x4d, 0x39),
    coast: Colour(0xa0, 0x8c, 0x68),
    desert: Colour(0x44, 0x3d, 0x2f),
    stipple: Colour(0x76, 0x66, 0x49),
    vale: Colour(0x3a, 0x48, 0x33),
    relief: Colour(0x6c, 0x62, 0x4a),
    peak: Colour(0x8c, 0x79, 0x58),
    river: Colour(0x4c, 0x7a, 0x8e),
    land_name: Colour(0x9c, 0x88, 0x66),
    ink: Colour(0xb9, 0xa5, 0x7f),
    paper: Colour(0x1d, 0x1c, 0x1b),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_mix_and_print() {
        assert_eq!(Colour(0, 16, 255).to_string(), "#0010ff");
        assert_eq!(Colour(0, 0, 0).mixed(Colour(100, 200, 255), 50), Colour(50, 100, 128));
        assert_eq!(Colour(7, 8, 9).mixed(Colour(100, 200, 255), 0), Colour(7, 8, 9));
    }
}

//! What the sky and the sea give: moons, stars, discs, shells.

use super::Drawn;

pub(super) const CRESCENT: Drawn =
    Drawn { path: "M-37-39A40 40 0 1 0 37-39A48 48 0 1 1 -37-39Z", w: 48.0, h: 39.0, corner: 0.4 };
pub(super) const ROUNDEL: Drawn =
    Drawn { path: "M0-44A44 44 0 1 1 0 44A44 44 0 1 1 0-44Z", w: 50.0, h: 50.0, corner: 0.4 };
pub(super) const ESCALLOP: Drawn = Drawn {
    path: "M0 46H-14l2-9C-34 25-47 6-45-12c4-7 11-9 16-8 2-11 9-18 17-18 4-5 8-7 12-7 4 0 8 2 12 7 8 0 15 7 17 18 5-1 12 1 16 8C47 6 34 25 12 37l2 9ZM3 31V-30H-3V31ZM15 27L27-15l-6-2L9 30ZM-9 30L-21-17l-6 2 12 42Z",
    w: 45.0,
    h: 46.0,
    corner: 0.4,
};

//! Brands: the tamgas of the steppe.

use super::Drawn;

pub(super) const BOW_TAMGA: Drawn = Drawn {
    path: "M-50-8c4-28 25-40 50-40C25-48 46-36 50-8L39-6C34-28 19-37 0-37c-19 0-34 9-39 31ZM0-30L17-7H6V30L17 42v6L6 42v4H-6V42l-11 6V42L-6 30V-7H-17Z",
    w: 50.0,
    h: 48.0,
    corner: 0.4,
};
pub(super) const RING_TAMGA: Drawn = Drawn {
    path: "M0-50A30 30 0 1 1 0 10A30 30 0 1 1 0-50ZM-6 6H6V18L32 50H17L0 30-17 50H-32L-6 18ZM0-37A17 17 0 1 0 0-3A17 17 0 1 0 0-37Z",
    w: 32.0,
    h: 50.0,
    corner: 0.1,
};
pub(super) const FORK_TAMGA: Drawn = Drawn {
    path: "M-42-50h12v34c0 7 5 10 12 10H-6V-50H6V-6H18c7 0 12-3 12-10V-50H42v37C42 2 32 8 20 8H6V50H-6V8H-20C-32 8-42 2-42-13Z",
    w: 42.0,
    h: 50.0,
    corner: 0.1,
};

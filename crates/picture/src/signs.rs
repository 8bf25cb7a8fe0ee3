//! Signs of troops and of what cards are about, each one path in a square from -50 to 50.

use levant::Colour;
use table::scene::Sign;

use crate::svg::{Svg, num};

const fn path(sign: Sign) -> &'static str {
    match sign {
        Sign::HeavyHorse => {
            "M-30 46C-32 22-22 10-10 0L-34 10C-40 10-46 2-44-6C-36-18-26-34-8-40L-10-50L2-42C26-38 40-10 40 46ZM-16-20A4 4 0 1 0-16-12A4 4 0 1 0-16-20ZM4-36C20-30 30-10 31 40H35C36-10 24-34 4-40Z"
        }
        Sign::LightHorse => {
            "M-26 46C-28 24-18 12-8 2L-32 10C-38 10-43 3-41-4C-33-16-24-32-8-38L-11-50L2-42C22-38 30-14 20 46ZM-15-20A4 4 0 1 0-15-12A4 4 0 1 0-15-20ZM14-36L34-40L26-28L42-26L32-16L46-8L34-4L44 10L32 8C32-8 26-24 14-36Z"
        }
        Sign::Foot => {
            "M-22-34C-8-34 6-38 14-44C20-20 18 20-10 48C-34 24-38-10-34-30C-30-33-26-34-22-34ZM-12-24V34L-8 34V-24ZM24-50H31V50H24ZM27-54L36-30H18Z"
        }
        Sign::Archer => {
            "M-28-48C30-40 30 40-28 48L-30 42C4 28 8 14 8 4H-30V14L-50 0L-30-14V-4H8C8-14 4-28-30-42ZM-27-42H-23V42H-27Z"
        }
        Sign::Militia => {
            "M-28 50L14-28L22-24L-20 54ZM2-46C18-54 40-44 44-20C34-26 28-24 22-20L8-28C10-34 8-40 2-46ZM28 50L-8-16L-16-12L20 54ZM-8-16L-16-46L-26-46L-18-20L-24-16L-36-40L-42-34L-22-4Z"
        }
        Sign::Pilgrim => {
            "M14-50H22V50H14ZM18-50A8 8 0 1 1 18-34A8 8 0 1 1 18-50ZM-20-38A11 11 0 1 1-20-16A11 11 0 1 1-20-38ZM-38-32H-2V-27H-38ZM-22-14C-8-14 0-6 2 8L12 6V14L-2 17L6 48H-44L-38 0C-36-9-30-14-22-14Z"
        }
        Sign::Engine => {
            "M-46 46L-8-14L-40-46L-34-50L46 18V30H38V22L2-8L30 46H20L-2 2L-34 46ZM-50 46H44V52H-50ZM-44-48A8 8 0 1 1-38-36Z"
        }
        Sign::Ship => {
            "M-48 14C-30 22 30 22 48 10C46 34 32 44 0 44C-30 44-44 34-48 14ZM-4-48H4V14H-4ZM6-44C30-34 40-14 38 6C26 0 16 0 6 4ZM-6-38C-22-28-30-14-32 6C-22 2-14 2-6 4Z"
        }
        Sign::Dagger => "M0 52L6 42V-18H24V-26H6V-37A9 8 0 1 0-6-37V-26H-24V-18H-6V42Z",
        Sign::Lantern => {
            "M-24-26H24L11-6C30 2 32 24 13 35L20 50H-20L-13 35C-32 24-30 2-11-6ZM0 6L-9 16L0 26L9 16ZM-2.5-50H2.5V-27H-2.5ZM2-50L24-29L19-27L-1-46ZM-2-50L-24-29L-19-27L1-46Z"
        }
        Sign::Key => {
            "M0-50A17 17 0 0 1 5-17V50H-5V-17A17 17 0 0 1 0-50ZM0-41A8 8 0 1 0 0-25A8 8 0 1 0 0-41ZM5 18H22V27H15V33H22V43H5Z"
        }
        Sign::Bread => {
            "M-46 18C-50-8-30-26 0-26C30-26 50-8 46 18C44 30 36 34 26 34H-26C-36 34-44 30-46 18ZM-26-6L-14 16H-8L-20-10ZM-4-12L6 14H12L2-14ZM18-10L26 12H32L24-8Z"
        }
        Sign::Scroll => {
            "M-34-46H30C40-46 42-30 32-28V30H42C44 44 36 48 28 48H-26C-40 48-42 34-32 30V-32C-40-32-44-42-34-46ZM-22-26V-20H22V-26ZM-22-10V-4H22V-10ZM-22 6V12H14V6Z"
        }
        Sign::Road => {
            "M-18 50C-40 20 10 10-4-14C-12-28 6-40 14-50H22C10-36 4-28 10-14C22 14-22 22-6 50ZM26 50C8 24 40 8 26-14C20-24 30-40 36-50H42C34-36 30-26 36-14C48 12 18 26 34 50Z"
        }
    }
}

/// Draws a sign with its middle at a place.
pub(crate) fn draw(svg: &mut Svg, sign: Sign, (x, y): (f64, f64), size: f64, colour: Colour) {
    svg.tag("path")
        .put("class", "sign")
        .put("transform", format!("translate({} {}) scale({})", num(x), num(y), num(size / 100.0)))
        .put("d", path(sign))
        .put("fill", colour)
        .put("fill-rule", "evenodd")
        .end();
}

/// An anchor, in a square from -50 to 50.
pub(crate) const ANCHOR: &str = "M0-50A11 11 0 0 1 6-30V-25H22V-16H6V34C18 32 27 25 30 15L22 18L34-2L46 18L38 17C35 36 20 46 0 50C-20 46-35 36-38 17L-46 18L-34-2L-22 18L-30 15C-27 25-18 32-6 34V-16H-22V-25H-6V-30A11 11 0 0 1 0-50ZM0-44A5 5 0 1 0 0-34A5 5 0 1 0 0-44Z";

//! From the globe to the plane and back: a Mercator chart whose scale is true at 33° N.
//!
//! Mercator, because a window of latitude and longitude is then an upright rectangle (no curved edges to
//! cut along), shapes are right everywhere, and a straight line is a constant course, as on the charts
//! that pilots of the time drew. Across the charted ground the scale drifts by six per cent to the south
//! and fourteen to the north; distances in the games are counted in spaces, so nobody measures on it.
//!
//! The functions behind it are summed here as series, in plain arithmetic: the standard library leaves the
//! last digits of `tan`, `ln` and `exp` to the platform, and a town must not move when a server does.

/// The latitude, in degrees, along which one kilometre on the plane is one kilometre on the ground.
pub const STANDARD_PARALLEL: f64 = 33.0;

/// The mean radius of the Earth in kilometres.
pub const EARTH_RADIUS_KM: f64 = 6371.0088;

/// The meridian, in degrees, at which the plane's `x` is zero: the middle of the charted ground.
const CENTRAL_MERIDIAN: f64 = 34.5;

/// Cosine of [`STANDARD_PARALLEL`], written out because constants cannot sum series.
const COS_STANDARD: f64 = 0.838_670_567_945_424;

const RADIANS: f64 = std::f64::consts::PI / 180.0;

/// Latitude and longitude in degrees → `(x, y)` in kilometres, `x` to the east of 34.5° E and `y` to the
/// north of the equator. Meant for latitudes between 75° S and 75° N.
pub fn project(lat: f64, lon: f64) -> (f64, f64) {
    let half = lat * RADIANS / 2.0;
    let scale = EARTH_RADIUS_KM * COS_STANDARD;
    (scale * (lon - CENTRAL_MERIDIAN) * RADIANS, scale * 2.0 * atanh(sin(half) / cos(half)))
}

/// `(x, y)` in kilometres → latitude and longitude in degrees: the inverse of [`project`].
pub fn unproject(x: f64, y: f64) -> (f64, f64) {
    let scale = EARTH_RADIUS_KM * COS_STANDARD;
    let lat = 2.0 * atan(tanh(y / scale / 2.0)) / RADIANS;
    (lat, x / scale / RADIANS + CENTRAL_MERIDIAN)
}

/// How much longer a line is drawn at this latitude than at the standard parallel.
pub(crate) fn stretch(lat: f64) -> f64 {
    COS_STANDARD / cos(lat * RADIANS)
}

/// Adds terms until they no longer change the sum.
fn series(first: f64, ratio: impl Fn(f64) -> f64, weight: impl Fn(f64) -> f64) -> f64 {
    let (mut sum, mut power, mut n) = (first, first, 1.0);
    while n < 400.0 {
        power *= ratio(n);
        let next = sum + power * weight(n);
        if next == sum {
            break;
        }
        sum = next;
        n += 1.0;
    }
    sum
}

fn sin(x: f64) -> f64 {
    series(x, |n| -x * x / (2.0 * n * (2.0 * n + 1.0)), |_| 1.0)
}

fn cos(x: f64) -> f64 {
    series(1.0, |n| -x * x / (2.0 * n * (2.0 * n - 1.0)), |_| 1.0)
}

fn atanh(t: f64) -> f64 {
    series(t, |_| t * t, |n| 1.0 / (2.0 * n + 1.0))
}

fn atan(t: f64) -> f64 {
    series(t, |_| -t * t, |n| 1.0 / (2.0 * n + 1.0))
}

fn tanh(x: f64) -> f64 {
    let e = series(1.0, |n| 2.0 * x / n, |_| 1.0);
    (e - 1.0) / (e + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_series_agree_with_the_platform() {
        for step in -70..=70 {
            let x = f64::from(step) / 100.0;
            for (ours, theirs) in [
                (sin(x), x.sin()),
                (cos(x), x.cos()),
                (atan(x), x.atan()),
                (atanh(x), x.atanh()),
                (tanh(x), x.tanh()),
            ] {
                assert!((ours - theirs).abs() < 1e-14, "{x}: {ours} against {theirs}");
            }
        }
        assert!((COS_STANDARD - (STANDARD_PARALLEL * RADIANS).cos()).abs() < 1e-15);
    }

    #[test]
    fn a_kilometre_is_a_kilometre_at_the_standard_parallel() {
        let degree = EARTH_RADIUS_KM * RADIANS;
        let (x0, y0) = project(32.995, 35.0);
        let (x1, y1) = project(33.005, 35.01);
        assert!(((x1 - x0) / (degree * 0.01 * COS_STANDARD) - 1.0).abs() < 1e-6);
        assert!(((y1 - y0) / (degree * 0.01) - 1.0).abs() < 1e-6);
        assert!((stretch(33.0) - 1.0).abs() < 1e-12);
        assert!(stretch(42.5) < 1.15 && stretch(26.5) > 0.93);
    }

    proptest! {
        #[test]
        fn there_and_back_again(lat in -75.0..75.0f64, lon in -180.0..180.0f64) {
            let (x, y) = project(lat, lon);
            let (lat2, lon2) = unproject(x, y);
            prop_assert!((lat - lat2).abs() < 1e-10, "{lat} came back as {lat2}");
            prop_assert!((lon - lon2).abs() < 1e-10, "{lon} came back as {lon2}");
        }

        #[test]
        fn north_is_up_and_east_is_right(lat in 26.5..42.4f64, lon in 25.0..43.9f64) {
            let (x0, y0) = project(lat, lon);
            let (x1, y1) = project(lat + 0.1, lon + 0.1);
            prop_assert!(x1 > x0 && y1 > y0);
        }
    }
}

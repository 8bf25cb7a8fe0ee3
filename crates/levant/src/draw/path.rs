//! Path data and numbers for SVG, written short: relative, in tenths of a unit.

use crate::shape::Point;
use std::fmt::Write;

/// A number with at most one decimal.
pub(crate) fn num(value: f64) -> String {
    let mut text = String::new();
    push_tenths(&mut text, tenths(value), false);
    text
}

fn tenths(value: f64) -> i64 {
    (value * 10.0).round() as i64
}

/// Writes tenths as a number, with a space before it unless a minus sign parts it from the last one.
fn push_tenths(text: &mut String, tenths: i64, part: bool) {
    if part && tenths >= 0 {
        text.push(' ');
    }
    if tenths < 0 {
        text.push('-');
    }
    let (whole, rest) = (tenths.abs() / 10, tenths.abs() % 10);
    // Writing to a String cannot fail.
    if whole != 0 || rest == 0 {
        let _ = write!(text, "{whole}");
    }
    if rest != 0 {
        let _ = write!(text, ".{rest}");
    }
}

/// Path data in the making. Keeps track of where the pen is after rounding, so that errors never add up.
#[derive(Default)]
pub(crate) struct PathData {
    text: String,
    pen: (i64, i64),
    start: (i64, i64),
}

impl PathData {
    /// An open line.
    pub(crate) fn line(&mut self, points: &[Point]) {
        let Some((&[x, y], rest)) = points.split_first() else { return };
        let at = (tenths(x), tenths(y));
        // Absolute the first time, so that the path can be read at a glance; relative afterwards.
        if self.text.is_empty() {
            self.text.push('M');
            push_tenths(&mut self.text, at.0, false);
            push_tenths(&mut self.text, at.1, true);
        } else {
            self.text.push('m');
            push_tenths(&mut self.text, at.0 - self.pen.0, false);
            push_tenths(&mut self.text, at.1 - self.pen.1, true);
        }
        self.pen = at;
        self.start = at;
        let mut first = true;
        for &[x, y] in rest {
            let to = (tenths(x), tenths(y));
            let (dx, dy) = (to.0 - self.pen.0, to.1 - self.pen.1);
            if (dx, dy) == (0, 0) {
                continue;
            }
            if first {
                self.text.push('l');
            }
            push_tenths(&mut self.text, dx, !first);
            push_tenths(&mut self.text, dy, true);
            self.pen = to;
            first = false;
        }
    }

    /// A closed ring.
    pub(crate) fn ring(&mut self, points: &[Point]) {
        if !points.is_empty() {
            self.line(points);
            self.text.push('z');
            self.pen = self.start;
        }
    }

    /// A dot: a line of no length, which a round line cap makes visible.
    pub(crate) fn dot(&mut self, point: Point) {
        self.line(&[point]);
        self.text.push_str("h0");
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in
            [(0.0, "0"), (0.04, "0"), (-0.04, "0"), (0.5, ".5"), (-0.5, "-.5"), (12.34, "12.3"), (-7.0, "-7")]
        {
            assert_eq!(num(value), text);
        }
    }

    #[test]
    fn paths_are_relative_and_rounding_does_not_add_up() {
        let mut path = PathData::default();
        path.line(&[[1.0, 2.0], [1.04, 2.04], [1.08, 2.5], [1.12, 1.0]]);
        path.ring(&[[5.0, 5.0], [6.0, 5.0], [6.0, 6.0]]);
        path.dot([5.0, 5.0]);
        assert_eq!(path.into_text(), "M1 2l.1 .5 0-1.5m3.9 4l1 0 0 1zm0 0h0");
    }
}

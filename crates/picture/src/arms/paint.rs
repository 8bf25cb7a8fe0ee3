//! Tinctures, furs and varied fields, laid over any shape.

use std::fmt::Write;

use table::arms::{Charge, Paint, Tincture, Variation};

use super::Painter;
use super::charges;
use crate::svg::num;

/// Left, top, right, bottom.
pub(super) type Box4 = [f64; 4];

/// A number with one decimal at most, as short as it can be.
pub(super) fn short(value: f64) -> String {
    let text = num((value * 10.0).round() / 10.0);
    match text.strip_prefix("0.") {
        Some(rest) => format!(".{rest}"),
        None => text.strip_prefix("-0.").map(|rest| format!("-.{rest}")).unwrap_or(text),
    }
}

/// A scale with three decimals.
pub(super) fn scale_text(value: f64) -> String {
    format!("{value:.3}").trim_start_matches('0').trim_end_matches('0').trim_end_matches('.').to_string()
}

pub(super) fn polygon(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    let mut last = (String::new(), String::new());
    for (i, (x, y)) in points.iter().enumerate() {
        let (x, y) = (short(*x), short(*y));
        let _ = match () {
            () if i == 0 => write!(path, "M{x} {y}"),
            () if x == last.0 => write!(path, "V{y}"),
            () if y == last.1 => write!(path, "H{x}"),
            () => write!(path, "L{x} {y}"),
        };
        last = (x, y);
    }
    path.replace(" -", "-") + "Z"
}

pub(super) fn rect([left, top, right, bottom]: Box4) -> String {
    let path = format!("M{} {}H{}V{}H{}Z", short(left), short(top), short(right), short(bottom), short(left));
    path.replace(" -", "-")
}

impl Painter<'_> {
    /// Fills a box.
    pub(super) fn paint_box(&mut self, area: Box4, paint: &Paint) {
        self.lay(&rect(area), paint, area, true);
    }

    /// Fills a shape; a pattern is spread over `area`.
    pub(super) fn paint(&mut self, path: &str, paint: &Paint, area: Box4) {
        self.lay(path, paint, area, false);
    }

    fn lay(&mut self, path: &str, paint: &Paint, area: Box4, is_box: bool) {
        match *paint {
            Paint::Plain(tincture) => self.fill(path, tincture, area),
            Paint::Varied(variation, first, second) => {
                let tidy = matches!(variation, Variation::Barry(_) | Variation::Paly(_) | Variation::Chequy);
                if is_box && tidy {
                    self.fill(path, first, area);
                    self.fill(&pattern(variation, area), second, area);
                } else {
                    self.clip(path);
                    self.fill(&rect(area), first, area);
                    self.fill(&pattern(variation, area), second, area);
                    self.close();
                }
            }
        }
    }

    /// Fills a shape with one tincture; a fur is spread over `area`.
    pub(super) fn fill(&mut self, path: &str, tincture: Tincture, area: Box4) {
        let colour = self.hues.tincture(tincture);
        if !tincture.is_fur() {
            let _ = write!(self.out, "<path d=\"{path}\" fill=\"{colour}\"/>");
            return;
        }
        self.clip(path);
        let (hairs, dark) = match tincture {
            Tincture::Ermine => (ermine(area), Tincture::Sable),
            _ => (vair(area), Tincture::Azure),
        };
        let dark = self.hues.tincture(dark);
        let ground = rect(area);
        let _ = write!(
            self.out,
            "<path d=\"{ground}\" fill=\"{colour}\"/><path d=\"{hairs}\" fill=\"{dark}\"/></g>"
        );
    }

    /// Sows a field with small charges.
    pub(super) fn sow(&mut self, charge: Charge, tincture: Tincture, [left, top, right, bottom]: Box4) {
        let figure = charges::figure(charge, table::arms::USUAL_POINTS);
        let width = right - left;
        let across = if width > 60.0 { 3.0 } else { 2.0 };
        let pitch = width / across;
        let scale = pitch * 0.72 / (2.0 * figure.w.max(figure.h));
        let rise = pitch * 0.8;
        let middle = (left + right) / 2.0;
        let (fill, id) = (self.hues.tincture(tincture), self.new_id());
        let mut spots = Vec::new();
        let mut y = top + rise * 0.55;
        let mut row = 0;
        while y < bottom + rise * 0.3 {
            let (from, count) =
                if row % 2 == 0 { (-(across - 1.0) / 2.0, across) } else { (-across / 2.0, across + 1.0) };
            spots.extend((0..count as u32).map(|i| (middle + (from + f64::from(i)) * pitch, y)));
            y += rise;
            row += 1;
        }
        let _ = write!(self.out, "<g fill=\"{fill}\">");
        for (i, (x, y)) in spots.iter().enumerate() {
            let _ = match i {
                0 => write!(
                    self.out,
                    "<path id=\"{id}\" transform=\"translate({} {})scale({})\" d=\"{}\"/>",
                    short(*x),
                    short(*y),
                    scale_text(scale),
                    figure.path
                ),
                _ => write!(
                    self.out,
                    "<use href=\"#{id}\" x=\"{}\" y=\"{}\"/>",
                    short(x - spots[0].0),
                    short(y - spots[0].1)
                ),
            };
        }
        self.close();
    }
}

/// What of a box the second tincture has.
fn pattern(variation: Variation, area: Box4) -> String {
    let [left, top, right, bottom] = area;
    let (width, height) = (right - left, bottom - top);
    match variation {
        Variation::Barry(n) => {
            let step = height / f64::from(n);
            let bars = (1..n).step_by(2).map(|i| top + step * f64::from(i));
            bars.map(|y| rect([left, y, right, y + step])).collect()
        }
        Variation::Paly(n) => {
            let step = width / f64::from(n);
            let pales = (1..n).step_by(2).map(|i| left + step * f64::from(i));
            pales.map(|x| rect([x, top, x + step, bottom])).collect()
        }
        Variation::Bendy(n) => {
            // Along the top edge and down the left one: the first stripe has the upper right corner.
            let reach = width + height * 0.8;
            let step = reach / f64::from(n);
            let stripe = |i: u8| {
                let (a, b) = (right - step * f64::from(i), right - step * f64::from(i + 1));
                let d = height;
                polygon(&[(a, top), (a + d, top + d), (b + d, top + d), (b, top)])
            };
            (1..n).step_by(2).map(stripe).collect()
        }
        Variation::Chequy => {
            let (across, down) = cells(width, height, if height < 34.0 { height / 2.0 } else { width / 6.0 });
            let (w, h) = (width / f64::from(across), height / f64::from(down));
            let mut path = String::new();
            for row in 0..down {
                for column in (0..across).filter(|c| (c + row) % 2 == 1) {
                    let (x, y) = (left + w * f64::from(column), top + h * f64::from(row));
                    let _ =
                        write!(path, "M{} {}h{}v{}h{}z", short(x), short(y), short(w), short(h), short(-w));
                }
            }
            path.replace(" -", "-")
        }
        Variation::Lozengy => {
            let across = (width / 19.0).round().max(2.0);
            let (w, h) = (width / across, width / across * 1.4);
            let mut path = String::new();
            let mut y = top;
            while y < bottom + h {
                for column in 0..=(across as u32) {
                    let x = left + w * f64::from(column);
                    let (a, b) = (short(w / 2.0), short(h / 2.0));
                    let _ = write!(path, "M{} {}l{a} {b}l-{a} {b}l-{a}-{b}z", short(x), short(y - h / 2.0));
                }
                y += h;
            }
            path.replace(" -", "-")
        }
    }
}

/// How many cells of about a size there are across and down; an even number across.
fn cells(width: f64, height: f64, size: f64) -> (u32, u32) {
    let across = (width / size).round().max(2.0) as u32;
    (across, (height / size).round().max(1.0) as u32)
}

/// The black tails of ermine.
fn ermine([left, top, right, bottom]: Box4) -> String {
    let (width, height) = (right - left, bottom - top);
    let across = (width / 25.0).round().max(1.0);
    let pitch = width / across;
    let down = (height / (pitch * 0.95)).round().max(1.0);
    let rise = height / down;
    let mut path = String::new();
    for row in 0..(down as u32) {
        let shifted = row % 2 == 1;
        let count = if shifted { across as u32 + 1 } else { across as u32 };
        for i in 0..count {
            let x = left + pitch * (f64::from(i) + if shifted { 0.0 } else { 0.5 });
            let y = top + rise * (f64::from(row) + 0.5);
            // Three dots above, a tail that spreads below.
            let _ = write!(
                path,
                "M{} {}c1 6 3 9 6 12l-4-1-2 3-2-3-4 1c3-3 5-6 6-12zm-3.5-2h-4v-4h4zm11 0h-4v-4h4zm-5.5-4h-4v-4h4z",
                short(x),
                short(y - 2.0)
            );
        }
    }
    path.replace(" -", "-")
}

/// The blue bells of vair, in rows that are turned against each other.
fn vair([left, top, right, bottom]: Box4) -> String {
    let (width, height) = (right - left, bottom - top);
    let across = (width / 20.0).round().max(1.0);
    let w = width / across;
    let down = (height / (w * 0.95)).round().max(1.0);
    let h = height / down;
    let mut path = String::new();
    for row in 0..(down as u32) {
        let shifted = row % 2 == 1;
        let count = across as u32 + u32::from(shifted);
        for i in 0..count {
            let x = left + w * (f64::from(i) + if shifted { 0.0 } else { 0.5 });
            let y = top + h * f64::from(row);
            let (q, r) = (short(w / 4.0), short(w / 2.0));
            // A bell: narrow above, wide below.
            let _ = write!(
                path,
                "M{} {}h{}v{}l{q} {}v{}h-{}v-{}l{q}-{}z",
                short(x - w / 4.0),
                short(y),
                r,
                short(h * 0.35),
                short(h * 0.3),
                short(h * 0.35),
                short(w),
                short(h * 0.35),
                short(h * 0.3)
            );
        }
    }
    path.replace(" -", "-")
}

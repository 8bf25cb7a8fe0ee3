//! Where charges stand, and how large they can be: as large as the shield lets them.

use table::arms::{Group, Layer, Ordinary, Place};

use super::charges::Figure;
use super::escutcheon::Escutcheon;
use super::paint::Box4;
use super::{middle, takes_room};

/// How thick a chief is, of the height.
pub(super) const CHIEF: f64 = 0.29;
/// How thick a bordure is.
pub(super) const BORDURE: f64 = 13.0;
/// Half the outline and a gap of one pixel at 16 px.
const MARGIN: f64 = 7.0;
/// The gap between two charges of a group, in parts of a charge of 100.
const GAP: f64 = 12.0;

/// A part of a shield, in which something is drawn.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) shield: Escutcheon,
    /// Where it ends, whatever the shield.
    pub(super) limits: Box4,
    /// What is left free along its edge.
    pub(super) margin: f64,
}

/// Where a charge stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) scale: f64,
    /// In degrees, clockwise.
    pub(super) turn: i16,
    /// Left and right changed.
    pub(super) flip: bool,
}

impl Spot {
    pub(super) fn new(x: f64, y: f64, scale: f64) -> Self {
        Self { x, y, scale, turn: 0, flip: false }
    }
}

impl Frame {
    pub(super) fn whole(shield: Escutcheon) -> Self {
        Self { shield, limits: shield.area(), margin: MARGIN }
    }

    /// A part of it; gaps are a little narrower there.
    pub(super) fn part(&self, limits: Box4) -> Self {
        Self { limits, margin: self.margin - 3.0, ..*self }
    }

    /// The box that it fills.
    pub(super) fn area(&self) -> Box4 {
        self.limits
    }

    pub(super) fn is_whole(&self) -> bool {
        self.limits == self.shield.area()
    }

    pub(super) fn centre(&self) -> (f64, f64) {
        if self.is_whole() { self.shield.centre() } else { middle(self.limits) }
    }

    /// The frame for charges and ordinaries: clear of chief, bordure, label and orle.
    pub(super) fn within(&self, layers: &[Layer]) -> Self {
        let mut inner = *self;
        let height = self.limits[3] - self.limits[1];
        if layers.iter().any(|layer| takes_room(layer, Ordinary::Bordure)) {
            inner.margin += BORDURE - 4.0;
        }
        if layers.iter().any(|layer| takes_room(layer, Ordinary::Chief)) {
            inner.limits[1] += height * CHIEF - 2.0;
        } else if layers.iter().any(|layer| matches!(layer, Layer::Label { .. })) {
            inner.limits[1] += height * 0.2;
        }
        if layers.iter().any(|l| matches!(l, Layer::Charges(g) if g.place == Some(Place::InOrle))) {
            inner.margin += 2.0 * ORLE + 2.0;
        }
        inner
    }

    /// From where to where a line is free.
    fn extent(&self, y: f64) -> (f64, f64) {
        let [left, top, right, bottom] = self.limits;
        if y < top + self.margin || y > bottom - self.margin {
            return (0.0, 0.0);
        }
        let reach = self.shield.reach(y);
        (left.max(-reach) + self.margin, right.min(reach) - self.margin)
    }

    /// The room for a charge at a height: its corners may be empty.
    fn room(&self, y: f64, figure: &Figure, scale: f64) -> (f64, f64) {
        let (half_width, half_height) = (figure.w * scale, figure.h * scale);
        let mut room = (f64::MIN, f64::MAX);
        for (part, corner) in [(1.0, figure.corner), (0.55, 0.0)] {
            for y in [y - half_height * part, y + half_height * part] {
                let (left, right) = self.extent(y);
                room.0 = room.0.max(left - half_width * corner);
                room.1 = room.1.min(right + half_width * corner);
            }
        }
        room
    }

    /// The middles of rows of so many charges of a size, if they fit: as near the middle as can be.
    fn rows(&self, rows: &[u8], figure: &Figure, scale: f64) -> Option<Vec<(f64, f64)>> {
        let (w, h) = (figure.w * scale, figure.h * scale);
        let (step, pitch) = (2.0 * h + GAP * scale, 2.0 * w + GAP * scale);
        let tall = step * (rows.len() - 1) as f64;
        let (_, centre) = self.centre();
        let fits = |first: f64| {
            let mut spots = Vec::new();
            for (i, count) in rows.iter().enumerate() {
                let y = first + step * i as f64;
                let (left, right) = self.room(y, figure, scale);
                let (n, free) = (f64::from(*count) - 1.0, right - left - 2.0 * w);
                if free < n * pitch - 0.01 {
                    return None;
                }
                // Where there is room, they stand a little apart.
                let pitch = if n > 0.0 { pitch.max((free / n).min(pitch * 1.15)) } else { 0.0 };
                let x = (left + right) / 2.0;
                spots.extend((0..*count).map(|k| (x + (f64::from(k) - n / 2.0) * pitch, y)));
            }
            Some(spots)
        };
        (0..40).flat_map(|i| [f64::from(i), -f64::from(i)]).find_map(|d| fits(centre - tall / 2.0 + d))
    }

    /// The largest charges that stand in such rows.
    pub(super) fn fit(&self, rows: &[u8], figure: &Figure, most: f64) -> Vec<Spot> {
        if let Some(spots) = self.rows(rows, figure, most) {
            return spots.into_iter().map(|(x, y)| Spot::new(x, y, most)).collect();
        }
        let (mut low, mut high) = (0.02, most);
        let mut best = (low, vec![self.centre(); usize::from(rows.iter().sum::<u8>())]);
        for _ in 0..8 {
            let scale = (low + high) / 2.0;
            match self.rows(rows, figure, scale) {
                Some(spots) => {
                    best = (scale, spots);
                    low = scale;
                }
                None => high = scale,
            }
        }
        // A little smaller, they can stand nearer the middle.
        let calm = best.0 * 0.95;
        if let Some(spots) = self.rows(rows, figure, calm) {
            best = (calm, spots);
        }
        best.1.into_iter().map(|(x, y)| Spot::new(x, y, best.0)).collect()
    }

    /// Where the charges of a group stand.
    pub(super) fn stand(&self, group: &Group, figure: &Figure) -> Vec<Spot> {
        let [left, top, right, bottom] = self.limits;
        let (x, y) = self.centre();
        let n = group.number;
        match group.place {
            None => self.fit(rows_of(n), figure, LARGEST),
            Some(Place::InPale) => self.fit(&[1; 12][..usize::from(n)], figure, LARGEST),
            Some(Place::InFess) => self.fit(&[n], figure, LARGEST),
            Some(Place::InChief) => {
                let third = (bottom - top) * 0.36;
                self.part_of([left, top, right, top + third]).fit(&[n], figure, LARGEST)
            }
            Some(Place::InBase) => {
                let third = (bottom - top) * 0.42;
                self.part_of([left, bottom - third, right, bottom]).fit(&[n], figure, LARGEST)
            }
            Some(Place::InBend) => {
                // As far apart as the shield lets the outermost stand.
                let size = figure.w.max(figure.h);
                let spots = |long: f64| -> Vec<Spot> {
                    let scale = (long / f64::from(n) / (2.0 * size) * 1.05).min(LARGEST * 0.8);
                    let step = (long - 2.0 * size * scale) / f64::from(n.max(2) - 1);
                    let from = -step * f64::from(n - 1) / 2.0;
                    (0..n)
                        .map(|i| from + step * f64::from(i))
                        .map(|d| Spot::new(x + d, y + d, scale))
                        .collect()
                };
                let fits = |spot: &Spot| {
                    let w = figure.w * spot.scale;
                    let (left, right) = self.room(spot.y, figure, spot.scale);
                    left <= spot.x - w && spot.x + w <= right
                };
                let long = (right - left).min(bottom - top);
                let tries = (0..24).map(|i| spots(long * (1.0 - 0.04 * f64::from(i))));
                tries.into_iter().find(|spots| spots.iter().all(fits)).unwrap_or_else(|| spots(long * 0.3))
            }
            Some(Place::InSaltire) => {
                let one = self.part_of([left, top, right, bottom]).fit(&[1], &Figure::square(), LARGEST);
                let (x, y, scale) = one.first().map_or((x, y, 0.5), |s| (s.x, s.y, s.scale * 1.12));
                [false, true].map(|flip| Spot { x, y, scale, turn: 45, flip }).to_vec()
            }
            Some(Place::InOrle) => self.around(n, figure, ORLE),
        }
    }

    pub(super) fn part_of(&self, limits: Box4) -> Self {
        Self { limits, ..*self }
    }

    /// Along the edge, so far from it.
    pub(super) fn around(&self, number: u8, figure: &Figure, half: f64) -> Vec<Spot> {
        let [_, top, _, bottom] = self.limits;
        let inset = self.margin + half;
        // Walk down the right edge in small steps, then mirror.
        let (first, last) = (top + inset, bottom - inset * 1.2);
        let steps = 200;
        let line: Vec<(f64, f64)> = std::iter::once((0.0, first))
            .chain((0..=steps).map(|i| {
                let y = first + (last - first) * f64::from(i) / f64::from(steps);
                let (_, right) = Frame { margin: inset, ..*self }.extent(y.clamp(first, last));
                (right.max(0.0), y)
            }))
            .chain([(0.0, last)])
            .collect();
        let line: Vec<_> =
            line.iter().copied().chain(line.iter().rev().skip(1).map(|(x, y)| (-x, *y))).collect();
        let length = |pair: &[(f64, f64)]| {
            let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            (dx * dx + dy * dy).sqrt()
        };
        let total: f64 = line.windows(2).map(length).sum();
        let scale = half / figure.w.max(figure.h);
        let offset = if number.is_multiple_of(2) { 0.5 } else { 0.0 };
        let at = |way: f64| {
            let mut left = way;
            for pair in line.windows(2) {
                let step = length(pair);
                if left <= step {
                    let part = if step > 0.0 { left / step } else { 0.0 };
                    let (a, b) = (pair[0], pair[1]);
                    return (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part);
                }
                left -= step;
            }
            line[line.len() - 1]
        };
        (0..number)
            .map(|i| at(total * (f64::from(i) + offset) / f64::from(number)))
            .map(|(x, y)| Spot::new(x, y, scale))
            .collect()
    }

    /// So many charges shared out among several parts, all of one size.
    pub(super) fn share_out(parts: &[Self], number: u8, figure: &Figure) -> Vec<Spot> {
        let count = parts.len() as u8;
        let of = |i: usize| number / count + u8::from((i as u8) < number % count);
        let mut spots: Vec<Vec<Spot>> = Vec::new();
        for (i, part) in parts.iter().enumerate().filter(|(i, _)| of(*i) > 0) {
            spots.push(part.fit(rows_of(of(i)), figure, LARGEST * 0.6));
        }
        let scale = spots.iter().flatten().map(|s| s.scale).fold(f64::MAX, f64::min);
        spots.into_iter().flatten().map(|spot| Spot { scale, ..spot }).collect()
    }
}

/// Half the size of charges in orle.
const ORLE: f64 = 7.5;

/// The largest that a charge is drawn.
pub(super) const LARGEST: f64 = 0.86;

/// So many charges in rows, as they usually stand.
pub(super) fn rows_of(number: u8) -> &'static [u8] {
    match number {
        0 | 1 => &[1],
        2 => &[2],
        3 => &[2, 1],
        4 => &[2, 2],
        5 => &[2, 1, 2],
        6 => &[3, 2, 1],
        7 => &[3, 3, 1],
        8 => &[3, 3, 2],
        9 => &[3, 3, 2, 1],
        10 => &[4, 3, 2, 1],
        11 => &[4, 4, 3],
        _ => &[4, 4, 3, 1],
    }
}

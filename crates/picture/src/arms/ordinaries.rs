//! The ordinaries and what goes with them, and charges on their spots.

use std::fmt::Write;

use levant::Colour;
use table::arms::{Charge, Group, Laid, Ordinary, Paint, Tincture, clash};

use super::Painter;
use super::charges::{self, Figure};
use super::layout::{BORDURE, CHIEF, Frame, LARGEST, Spot};
use super::paint::{polygon, rect, scale_text, short};

/// A band that is drawn level and may be turned as a whole.
struct Band {
    middle: f64,
    half: f64,
}

impl Painter<'_> {
    /// An ordinary; `frame` is all of the field, `inner` what chief and bordure leave of it.
    pub(super) fn ordinary(&mut self, laid: &Laid, under: &[Tincture], frame: &Frame, inner: &Frame) {
        let line = clash(&laid.paint.tinctures(), under);
        match laid.ordinary {
            Ordinary::Bend | Ordinary::BendSinister => self.bends(laid, under, line, inner),
            Ordinary::Fess => self.fesses(laid, under, line, inner),
            Ordinary::Pale => self.pales(laid, under, line, inner),
            Ordinary::Chief => {
                let [left, top, right, bottom] = frame.area();
                let foot = top + (bottom - top) * CHIEF;
                self.shape(&rect([left, top, right, foot]), &laid.paint, [left, top, right, foot], line);
                let chief = Frame { margin: 4.0, ..frame.part_of([left, top, right, foot]) };
                self.on(laid, |group, figure| chief.fit(&[group.number], figure, LARGEST));
                let below = frame.part_of([left, foot, right, bottom]);
                self.between(laid, under, &[below]);
            }
            Ordinary::Bordure => self.bordure(laid, under, frame),
            Ordinary::Cross => self.cross(laid, under, line, inner),
            Ordinary::Saltire => self.saltire(laid, under, line, inner),
            Ordinary::Chevron => self.chevrons(laid, under, line, inner),
            Ordinary::Pile => self.piles(laid, under, line, inner),
        }
    }

    /// A shape of an ordinary, with a thin line around it where the tinctures clash.
    fn shape(&mut self, path: &str, paint: &Paint, area: [f64; 4], line: bool) {
        self.paint(path, paint, area);
        if line {
            let colour = self.line_colour(&paint.tinctures());
            let _ =
                write!(self.out, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
        }
    }

    /// A dark line parts metal from metal, a light one colour from colour.
    fn line_colour(&self, over: &[Tincture]) -> Colour {
        match over.iter().any(|t| t.is_metal()) {
            true => self.hues.line,
            false => self.hues.tincture(Tincture::Argent),
        }
    }

    /// The charges on an ordinary.
    fn on(&mut self, laid: &Laid, stand: impl FnOnce(&Group, &Figure) -> Vec<Spot>) {
        if let Some(group) = &laid.on {
            let figure = charges::figure(group.charge, group.points());
            let spots = stand(group, &figure);
            self.charges(group, &figure, &spots, clash(&group.paint.tinctures(), &laid.paint.tinctures()));
        }
    }

    /// The charges in the corners that an ordinary leaves.
    fn between(&mut self, laid: &Laid, under: &[Tincture], parts: &[Frame]) {
        if let Some(group) = &laid.between {
            let figure = charges::figure(group.charge, group.points());
            let mut spots = Frame::share_out(parts, group.number, &figure);
            if group.charge == Charge::Firesteel {
                // They turn to the shield's edge.
                spots.iter_mut().for_each(|spot| spot.flip = spot.x < 0.0);
            }
            self.charges(group, &figure, &spots, clash(&group.paint.tinctures(), under));
        }
    }

    /// Bands across a height or width, as many as there are, and cotises along a lone one.
    fn bands(number: u8, middle: f64, size: f64) -> Vec<Band> {
        if number == 1 {
            return vec![Band { middle, half: size * 0.15 }];
        }
        let step = size / f64::from(2 * number + 1);
        let of = |i| Band {
            middle: middle + (2.0 * f64::from(i) - f64::from(number - 1)) * step,
            half: step / 2.0,
        };
        (0..number).map(of).collect()
    }

    fn fesses(&mut self, laid: &Laid, under: &[Tincture], line: bool, frame: &Frame) {
        let [left, top, right, bottom] = frame.area();
        let (_, y) = frame.centre();
        let middle = if laid.number == 1 { y } else { (top + bottom) / 2.0 };
        let bands = Self::bands(laid.number, middle, bottom - top);
        self.level(laid, under, line, &bands, [left, right]);
        let per_band = frames(&bands, frame, left, right);
        self.on(laid, |group, figure| along(&per_band, group.number, figure, 1.0));
        let first = &bands[0];
        let last = &bands[bands.len() - 1];
        let out = if laid.cotises.is_some() { 13.0 } else { 0.0 };
        let parts = [
            frame.part([left, top, right, first.middle - first.half - out]),
            frame.part([left, last.middle + last.half + out, right, bottom]),
        ];
        self.between(laid, under, &parts);
    }

    /// Level bands from side to side, with their cotises.
    fn level(
        &mut self,
        laid: &Laid,
        under: &[Tincture],
        line: bool,
        bands: &[Band],
        [left, right]: [f64; 2],
    ) {
        for band in bands {
            let area = [left, band.middle - band.half, right, band.middle + band.half];
            self.shape(&rect(area), &laid.paint, area, line);
            if let Some(tincture) = laid.cotises {
                for side in [-1.0, 1.0] {
                    let near = band.middle + side * (band.half + 6.0);
                    let far = band.middle + side * (band.half + 13.0);
                    let area = [left, near.min(far), right, near.max(far)];
                    self.shape(&rect(area), &Paint::Plain(tincture), area, clash(&[tincture], under));
                }
            }
        }
    }

    fn pales(&mut self, laid: &Laid, under: &[Tincture], line: bool, frame: &Frame) {
        let [left, top, right, bottom] = frame.area();
        let (x, _) = frame.centre();
        let bands = Self::bands(laid.number, x, right - left);
        for band in &bands {
            let area = [band.middle - band.half, top, band.middle + band.half, bottom];
            self.shape(&rect(area), &laid.paint, area, line);
        }
        let columns: Vec<Frame> = bands
            .iter()
            .map(|b| Frame {
                margin: 3.0,
                ..frame.part_of([b.middle - b.half, top, b.middle + b.half, bottom])
            })
            .collect();
        self.on(laid, |group, figure| {
            let each = group.number.div_ceil(columns.len() as u8);
            let spots = columns.iter().flat_map(|c| c.fit(&[1; 12][..usize::from(each)], figure, LARGEST));
            even(spots.take(usize::from(group.number)).collect())
        });
        let (first, last) = (&bands[0], &bands[bands.len() - 1]);
        let parts = [
            frame.part([left, top, first.middle - first.half, bottom]),
            frame.part([last.middle + last.half, top, right, bottom]),
        ];
        self.between(laid, under, &parts);
    }

    fn bends(&mut self, laid: &Laid, under: &[Tincture], line: bool, frame: &Frame) {
        let [left, top, right, bottom] = frame.area();
        let (x, y) = frame.centre();
        let sinister = laid.ordinary == Ordinary::BendSinister;
        let turn = if sinister { -45 } else { 45 };
        let size = (right - left).min(bottom - top);
        let bands = Self::bands(laid.number, 0.0, size);
        let long = size * 0.86;
        let at = format!("translate({} {})rotate({turn})", short(x), short(y)).replace(" -", "-");
        let _ = write!(self.out, "<g transform=\"{at}\">");
        self.level(laid, under, line, &bands, [-long, long]);
        if let Some(group) = &laid.on {
            let figure = charges::figure(group.charge, group.points());
            let each = group.number.div_ceil(bands.len() as u8);
            let mut spots = Vec::new();
            for band in &bands {
                let pitch = (long * 1.25 / f64::from(each)).min(band.half * 2.4);
                let scale = ((band.half - 2.0) / figure.h).min(pitch * 0.46 / figure.w);
                let from = -pitch * f64::from(each - 1) / 2.0;
                spots.extend((0..each).map(|i| Spot::new(from + pitch * f64::from(i), band.middle, scale)));
            }
            spots.truncate(usize::from(group.number));
            let line = clash(&group.paint.tinctures(), &laid.paint.tinctures());
            self.charges(group, &figure, &even(spots), line);
        }
        self.close();
        let off = size * 0.08;
        let upper = if sinister { [left, top, x - off, y - off] } else { [x + off, top, right, y - off] };
        let lower =
            if sinister { [x + off, y + off, right, bottom] } else { [left, y + off, x - off, bottom] };
        self.between(laid, under, &[frame.part(upper), frame.part(lower)]);
    }

    fn cross(&mut self, laid: &Laid, under: &[Tincture], line: bool, frame: &Frame) {
        let [left, top, right, bottom] = frame.area();
        let (x, y) = frame.centre();
        let half = (right - left).min(bottom - top) * 0.145;
        let (l, r, t, b) = (x - half, x + half, y - half, y + half);
        // It goes a little beyond the edge, so that a line around it does not show there.
        let (far_left, far_right, above, below) = (left - 3.0, right + 3.0, top - 3.0, bottom + 3.0);
        let (l_, r_, t_, b_) = (short(l), short(r), short(t), short(b));
        let path = format!(
            "M{l_} {}H{r_}V{t_}H{}V{b_}H{r_}V{}H{l_}V{b_}H{}V{t_}H{l_}Z",
            short(above),
            short(far_right),
            short(below),
            short(far_left)
        );
        self.shape(&path.replace(" -", "-"), &laid.paint, frame.area(), line);
        self.on(laid, |group, figure| {
            let scale = (half * 0.8) / figure.w.max(figure.h);
            let (dx, dy) = ((r + right) / 2.0 - x, (top + t) / 2.0 - y);
            let arms = [(0.0, 0.0), (0.0, dy), (0.0, -dy), (-dx, 0.0), (dx, 0.0)];
            let rings = [1.0, 0.62, 1.3];
            let spots = rings.iter().flat_map(|ring| arms.map(|(dx, dy)| (dx * ring, dy * ring)));
            spots.take(usize::from(group.number)).map(|(dx, dy)| Spot::new(x + dx, y + dy, scale)).collect()
        });
        let parts = [[left, top, l, t], [r, top, right, t], [left, b, l, bottom], [r, b, right, bottom]]
            .map(|p| frame.part(p));
        self.between(laid, under, &parts);
    }

    fn saltire(&mut self, laid: &Laid, under: &[Tincture], line: bool, frame: &Frame) {
        let [left, top, right, bottom] = frame.area();
        let (x, y) = frame.centre();
        let size = (right - left).min(bottom - top);
        let (a, d) = (size * 0.165, 62.0);
        let points = [
            (0.0, -a),
            (d - a, -d),
            (d, a - d),
            (a, 0.0),
            (d, d - a),
            (d - a, d),
            (0.0, a),
            (a - d, d),
            (-d, d - a),
            (-a, 0.0),
            (-d, a - d),
            (a - d, -d),
        ];
        let points = points.map(|(px, py)| (x + px, y + py));
        self.shape(&polygon(&points), &laid.paint, frame.area(), line);
        self.on(laid, |group, figure| {
            let scale = a * 0.62 / figure.w.max(figure.h);
            let step = size * 0.27;
            let arms = [(0.0, 0.0), (-step, -step), (step, -step), (-step, step), (step, step)];
            let rings = [1.0, 0.55, 1.3];
            let spots = rings.iter().flat_map(|ring| arms.map(|(dx, dy)| (dx * ring, dy * ring)));
            spots.take(usize::from(group.number)).map(|(dx, dy)| Spot::new(x + dx, y + dy, scale)).collect()
        });
        let wide = size * 0.2;
        let parts = [
            [x - wide, top, x + wide, y - a],
            [left, y - wide, x - a, y + wide],
            [x + a, y - wide, right, y + wide],
            [x - wide, y + a, x + wide, bottom],
        ];
        self.between(laid, under, &parts.map(|p| frame.part(p)));
    }

    fn chevrons(&mut self, laid: &Laid, under: &[Tincture], line: bool, frame: &Frame) {
        let [left, top, right, bottom] = frame.area();
        let (x, y) = frame.centre();
        let n = f64::from(laid.number);
        let height = bottom - top;
        let thick = if laid.number == 1 { height * 0.27 } else { height * 0.84 / (2.0 * n) };
        let first = if laid.number == 1 { y - height * 0.23 } else { top + height * 0.08 };
        let d = 58.0;
        let mut apexes = Vec::new();
        for i in 0..laid.number {
            let apex = first + 2.0 * thick * f64::from(i);
            apexes.push(apex);
            let (low, inner) = (apex + d * 0.84, apex + thick);
            let points = [
                (x, apex),
                (x + d, low),
                (x + d, low + thick),
                (x, inner),
                (x - d, low + thick),
                (x - d, low),
            ];
            self.shape(&polygon(&points), &laid.paint, frame.area(), line);
        }
        self.on(laid, |group, figure| {
            let scale = thick * 0.34 / figure.w.max(figure.h);
            let step = (right - left) * 0.6 / f64::from(group.number.max(2) - 1).max(2.0);
            (0..group.number)
                .map(|i| (f64::from(i) - f64::from(group.number - 1) / 2.0) * step)
                .map(|dx| Spot::new(x + dx, apexes[0] + thick * 0.55 + dx.abs() * 0.84, scale))
                .collect()
        });
        let foot = apexes[apexes.len() - 1] + thick;
        let wide = (right - left) * 0.17;
        let parts = [
            [left, top, x - 4.0, y + 2.0 - thick * 0.4],
            [x + 4.0, top, right, y + 2.0 - thick * 0.4],
            [x - wide, foot, x + wide, bottom],
        ];
        self.between(laid, under, &parts.map(|p| frame.part(p)));
    }

    fn piles(&mut self, laid: &Laid, under: &[Tincture], line: bool, frame: &Frame) {
        let [left, top, right, bottom] = frame.area();
        let step = (right - left) / f64::from(laid.number);
        let foot = bottom - (bottom - top) * 0.14;
        for i in 0..laid.number {
            let x = left + step * (f64::from(i) + 0.5);
            let half = if laid.number == 1 { step * 0.36 } else { step * 0.42 };
            self.shape(
                &polygon(&[(x - half, top - 3.0), (x + half, top - 3.0), (x, foot)]),
                &laid.paint,
                frame.area(),
                line,
            );
        }
        self.on(laid, |group, figure| {
            let each = group.number.div_ceil(laid.number);
            let scale = (step * 0.2).min((foot - top) * 0.3 / f64::from(each)) / figure.w.max(figure.h);
            let spot = |i: u8| {
                let x = left + step * (f64::from(i % laid.number) + 0.5);
                let down = f64::from(i / laid.number) + 0.6;
                Spot::new(x, top + (foot - top) * 0.62 * down / f64::from(each), scale)
            };
            (0..group.number).map(spot).collect()
        });
        let wide = (right - left) * 0.22;
        let parts = [[left, top, left + wide, bottom], [right - wide, top, right, bottom]];
        self.between(laid, under, &parts.map(|p| frame.part(p)));
    }

    fn bordure(&mut self, laid: &Laid, under: &[Tincture], frame: &Frame) {
        let [left, top, right, bottom] = frame.area();
        let charged = laid.on.is_some();
        let thick = if charged { BORDURE + 3.0 } else { BORDURE };
        let mut rings = vec![format!("M-54-54H54V54H-54Z{}", self.shield.path(1.0 - thick / 50.0))];
        if !frame.is_whole() {
            let thin = thick * 0.6;
            let inner = [left + thin, top + thin, right - thin, bottom - thin];
            rings = vec![format!("{}{}", rect([left, top, right, bottom]), rect(inner))];
        }
        for ring in rings {
            let id = self.new_id();
            let _ = write!(
                self.out,
                "<clipPath id=\"{id}\"><path d=\"{ring}\" clip-rule=\"evenodd\"/></clipPath><g clip-path=\"url(#{id})\">"
            );
            self.paint_box(frame.area(), &laid.paint);
            self.close();
        }
        let ring = Frame { margin: 1.5, ..*frame };
        self.on(laid, |group, figure| ring.around(group.number, figure, thick / 2.0 - 2.0));
        self.between(laid, under, &[Frame { margin: thick + 5.0, ..*frame }]);
    }

    /// A label: a ribbon from edge to edge near the top, with points that hang from it.
    pub(super) fn label(&mut self, points: u8, tincture: Tincture, line: bool, frame: &Frame) {
        let [left, top, right, bottom] = frame.area();
        let (x, _) = frame.centre();
        let height = bottom - top;
        let (y, ribbon, drop) = (top + height * 0.09, height * 0.075, height * 0.15);
        let reach = frame.shield.reach(y + ribbon).min((right - left) / 2.0);
        let step = 2.0 * reach / f64::from(points) * 0.92;
        let (neck, foot) = ((step * 0.24).min(5.0), (step * 0.34).min(7.0));
        let mut outline = vec![(x - reach - 4.0, y), (x + reach + 4.0, y), (x + reach + 4.0, y + ribbon)];
        for i in (0..points).rev() {
            let at = x + (f64::from(i) - f64::from(points - 1) / 2.0) * step;
            let low = y + ribbon + drop;
            outline.extend([
                (at + neck, y + ribbon),
                (at + foot, low),
                (at - foot, low),
                (at - neck, y + ribbon),
            ]);
        }
        outline.push((x - reach - 4.0, y + ribbon));
        self.shape(&polygon(&outline), &Paint::Plain(tincture), frame.area(), line);
    }

    /// A group that stands on the field.
    pub(super) fn group(&mut self, group: &Group, under: &[Tincture], frame: &Frame) {
        let figure = charges::figure(group.charge, group.points());
        let mut spots = match group.charge {
            Charge::InscriptionBand => from_edge_to_edge(group, frame, &figure),
            _ => frame.stand(group, &figure),
        };
        if group.charge == Charge::Firesteel {
            spots.iter_mut().for_each(|spot| spot.flip = spot.x < -1.0);
        }
        self.charges(group, &figure, &spots, clash(&group.paint.tinctures(), under));
    }

    /// Draws charges on their spots: the first as it is, the others as its copies.
    fn charges(&mut self, group: &Group, figure: &Figure, spots: &[Spot], line: bool) {
        let Some(first) = spots.first() else { return };
        let id = (spots.len() > 1).then(|| self.new_id());
        let turn = match (first.turn, first.flip) {
            (0, _) => String::new(),
            (turn, false) => format!("rotate({turn})"),
            (turn, true) => format!("rotate({})", -turn),
        };
        let scale = scale_text(first.scale);
        let scale = if first.flip { format!("-{scale} {scale}") } else { scale };
        let place = format!("translate({} {}){turn}scale({scale})", short(first.x), short(first.y))
            .replace(" -", "-");
        let id_text = id.as_ref().map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
        let line = line
            .then(|| format!(" stroke=\"{}\" stroke-width=\"{}\"", self.hues.line, short(2.6 / first.scale)));
        match group.paint {
            Paint::Plain(tincture) if !tincture.is_fur() => {
                let (fill, line) = (self.hues.tincture(tincture), line.unwrap_or_default());
                let path = &figure.path;
                let _ = write!(
                    self.out,
                    "<path{id_text} transform=\"{place}\" fill=\"{fill}\"{line} d=\"{path}\"/>"
                );
            }
            _ => {
                let _ = write!(self.out, "<g{id_text} transform=\"{place}\">");
                self.paint(&figure.path, &group.paint, [-figure.w, -figure.h, figure.w, figure.h]);
                if let Some(line) = line {
                    let _ = write!(self.out, "<path d=\"{}\" fill=\"none\"{line}/>", figure.path);
                }
                self.close();
            }
        }
        let Some(id) = id else { return };
        for spot in &spots[1..] {
            let _ = if spot.flip == first.flip {
                let (dx, dy) = (short(spot.x - first.x), short(spot.y - first.y));
                write!(self.out, "<use href=\"#{id}\" x=\"{dx}\" y=\"{dy}\"/>")
            } else {
                let (dx, dy) = (short(spot.x + first.x), short(spot.y - first.y));
                write!(self.out, "<use href=\"#{id}\" transform=\"matrix(-1 0 0 1 {dx} {dy})\"/>")
            };
        }
    }
}

fn frames(bands: &[Band], frame: &Frame, left: f64, right: f64) -> Vec<Frame> {
    let part = |b: &Band| frame.part_of([left, b.middle - b.half, right, b.middle + b.half]);
    bands.iter().map(part).map(|part| Frame { margin: 3.0, ..part }).collect()
}

/// So many charges in a row in each of the bands.
fn along(bands: &[Frame], number: u8, figure: &Figure, most: f64) -> Vec<Spot> {
    let each = number.div_ceil(bands.len() as u8);
    even(
        bands
            .iter()
            .flat_map(|band| band.fit(&[each], figure, LARGEST * most))
            .take(usize::from(number))
            .collect(),
    )
}

/// All of one size, the smallest.
fn even(spots: Vec<Spot>) -> Vec<Spot> {
    let scale = spots.iter().map(|s| s.scale).fold(f64::MAX, f64::min);
    spots.into_iter().map(|spot| Spot { scale, ..spot }).collect()
}

/// Lines of letters go from edge to edge, one below the other.
fn from_edge_to_edge(group: &Group, frame: &Frame, figure: &Figure) -> Vec<Spot> {
    let (x, y) = frame.centre();
    let [left, top, right, bottom] = frame.area();
    let height = bottom - top;
    let scale = ((right - left) / (2.0 * figure.w - 6.0))
        .min(height * 0.8 / f64::from(group.number) / (2.0 * figure.h));
    let step = 2.0 * figure.h * scale * 1.12;
    let from = y - step * f64::from(group.number - 1) / 2.0;
    (0..group.number).map(|i| Spot::new(x, from + step * f64::from(i), scale)).collect()
}

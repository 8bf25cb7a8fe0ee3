//! The chance to win over the course of a game, and its turning points.
//!
//! A record is played again, once for all moments; at many of its entries a search judges the position through the eyes of a seat
//! that must decide there. What that seat could not know, the search does not know either: a surprise shows
//! as a turning point when it comes out, as it did at the table.

use table::{AnyGame, AnyMatch, Notation, Record, ReplayError, Seat, SeatSet, Viewer};

use crate::search::{Advice, Budget, Search, Settings};

/// How to analyse.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Depth {
    /// Iterations for each point.
    pub iterations: u32,
    /// At how many points at most, evenly spread.
    pub points: u32,
    /// The number from which the search's chance follows.
    pub seed: u64,
    /// The seats that are asked what they thought at the turning points.
    pub asked: SeatSet,
}

impl Default for Depth {
    fn default() -> Self {
        Self { iterations: 2000, points: 120, seed: 1, asked: SeatSet::NONE }
    }
}

/// A judged moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// The last entry before it.
    pub entry: u32,
    /// The first seat's chance to win, a draw counting as a half.
    pub chance: f32,
    /// Whose eyes judged; nobody's at the end.
    pub by: Option<Seat>,
}

/// A moment where the chance changed much.
#[derive(Clone, PartialEq, Debug)]
pub struct Turning {
    /// The first entry after which it may have changed.
    pub from: u32,
    /// The entry by which it had.
    pub to: u32,
    /// The first seat's chance before.
    pub before: f32,
    /// And after.
    pub after: f32,
    /// What was done between: who, and what, as notation.
    pub done: Vec<(Seat, Notation)>,
    /// The same in words.
    pub told: Vec<String>,
    /// What the seats that were asked thought there: of each its first choice that was one.
    pub thoughts: Vec<Afterthought>,
}

/// A game, analysed.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The name of the first seat, whose chance it is.
    pub seat: String,
    /// The judged moments, in their order.
    pub points: Vec<Point>,
    /// The greatest changes, the greatest first.
    pub turnings: Vec<Turning>,
    /// The result, if the game is over.
    pub result: Option<&'static str>,
}

/// A change smaller than this is no turning point.
const LEAST_CHANGE: f32 = 0.08;
/// How many turning points are named.
const MOST_TURNINGS: usize = 5;

/// Analyses a record. `progress` is told how many points of how many are judged. The record is played again twice: once
/// to judge, and once to put the turning points into words and ask what was thought there.
pub fn analyse(
    game: &dyn AnyGame,
    record: &Record,
    depth: &Depth,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Analysis, ReplayError> {
    let last = record.entries.last().map_or(0, |entry| entry.number);
    let steps = depth.points.clamp(2, 10_000).min(last + 1).max(2);
    let entry_of = |step: u32| (u64::from(last) * u64::from(step) / u64::from(steps - 1)) as u32;
    let mut points: Vec<Point> = Vec::new();
    let mut step = 0;
    let whole = game.retrace(record, &mut |sitting| {
        if step >= steps || entry_of(step) != sitting.last_entry() {
            return;
        }
        while step < steps && entry_of(step) == sitting.last_entry() {
            step += 1;
        }
        progress(step, steps);
        points.extend(judged(sitting, depth));
    })?;
    let history = whole.history(Viewer::Umpire);
    let mut turnings: Vec<Turning> = points
        .windows(2)
        .filter(|two| (two[1].chance - two[0].chance).abs() >= LEAST_CHANGE)
        .map(|two| Turning {
            from: two[0].entry + 1,
            to: two[1].entry,
            before: two[0].chance,
            after: two[1].chance,
            done: history
                .iter()
                .filter(|(entry, ..)| (two[0].entry + 1..=two[1].entry).contains(entry))
                .map(|(_, seat, notation)| (*seat, notation.clone()))
                .collect(),
            told: Vec::new(),
            thoughts: Vec::new(),
        })
        .collect();
    turnings.sort_by(|a, b| {
        let change = |t: &Turning| (t.after - t.before).abs();
        change(b).total_cmp(&change(a)).then(a.from.cmp(&b.from))
    });
    turnings.truncate(MOST_TURNINGS);
    if !turnings.is_empty() {
        let mut coming = history.iter().peekable();
        game.retrace(record, &mut |before| {
            // What was taken back has left its entries behind.
            while coming.next_if(|(entry, ..)| *entry <= before.last_entry()).is_some() {}
            let Some((entry, seat, notation)) = coming.peek().filter(|(n, ..)| *n == before.last_entry() + 1)
            else {
                return;
            };
            for turning in turnings.iter_mut().filter(|t| (t.from..=t.to).contains(entry)) {
                turning.told.push(in_words(before, *seat, notation));
                if depth.asked.contains(*seat) && turning.thoughts.iter().all(|t| t.seat != *seat) {
                    turning.thoughts.extend(afterthought(before, *entry, *seat, notation, depth));
                }
            }
        })?;
    }
    let seat = game.title().seat_name(FIRST).to_string();
    Ok(Analysis { seat, points, turnings, result: whole.outcome().map(|o| o.headline) })
}

/// The seat whose chance is told.
const FIRST: Seat = Seat::new(0);

/// The first seat's chance at a moment; `None` where nothing is to be thought about.
fn judged(sitting: &dyn AnyMatch, depth: &Depth) -> Option<Point> {
    let entry = sitting.last_entry();
    if let Some(outcome) = sitting.outcome() {
        // Alone against the system, nobody wins in defeat and in a draw alike: the last judgement stands.
        if outcome.winners.is_empty() && sitting.party().len() == 1 {
            return None;
        }
        let won = outcome.winners.contains(FIRST);
        let chance = if outcome.winners.is_empty() { 0.5 } else { f32::from(u8::from(won)) };
        return Some(Point { entry, chance, by: None });
    }
    let seat = sitting.waiting_for().lowest()?;
    let advice = thought_over(sitting, seat, depth)?;
    // A forced choice is not thought about, so it tells nothing.
    let worth = advice.worth()?;
    let alliance = |seat: Seat| sitting.title().seats[seat.index()].alliance;
    let chance = if alliance(seat) == alliance(FIRST) { worth } else { 1.0 - worth };
    Some(Point { entry, chance, by: Some(seat) })
}

/// What a search finds out for a seat, from what it knew.
fn thought_over(sitting: &dyn AnyMatch, seat: Seat, depth: &Depth) -> Option<Advice> {
    let thought = sitting.thought(seat)?;
    let seed = depth.seed.wrapping_add(u64::from(sitting.last_entry()));
    Some(Search::new(Settings::default()).think(&*thought, Budget::Iterations(depth.iterations), seed))
}

/// What a seat thought when it made a choice: found out afterwards, from what it knew then.
#[derive(Clone, PartialEq, Debug)]
pub struct Afterthought {
    /// The entry of the choice.
    pub entry: u32,
    /// Whose it was.
    pub seat: Seat,
    /// How it saw its own chance to win, from 0 to 1.
    pub chance: f32,
    /// What it did, as its button said it.
    pub did: String,
    /// What a longer thought would rather do, if that is something else.
    pub rather: Option<String>,
}

/// What a seat thought before an entry of its own; `None` where it had no choice.
fn afterthought(
    before: &dyn AnyMatch,
    entry: u32,
    seat: Seat,
    notation: &Notation,
    depth: &Depth,
) -> Option<Afterthought> {
    before.thought(seat).filter(|thought| thought.choices().len() > 1)?;
    let advice = thought_over(before, seat, depth)?;
    let best = advice.choices.first()?;
    Some(Afterthought {
        entry,
        seat,
        chance: best.worth?,
        did: deed(before, seat, notation),
        rather: (best.notation != *notation).then(|| deed(before, seat, &best.notation)),
    })
}

/// What a seat is about to do, with its name.
fn in_words(before: &dyn AnyMatch, seat: Seat, notation: &Notation) -> String {
    format!("{}: {}", before.title().seat_name(seat), deed(before, seat, notation))
}

/// What a seat is about to do, as its button says it.
fn deed(before: &dyn AnyMatch, seat: Seat, notation: &Notation) -> String {
    let offered = before.offered(seat);
    // An amount is offered once for all that it may be.
    let word = |text: &str| text.split(' ').next().unwrap_or_default().to_string();
    let own = offered.iter().find(|o| o.notation == *notation);
    let own = own.or_else(|| {
        offered.iter().find(|o| o.range.is_some() && word(o.notation.as_str()) == word(notation.as_str()))
    });
    match own {
        Some(offer) if offer.notation == *notation => offer.choice.label.clone(),
        Some(offer) => {
            let least = offer.range.map_or(0, |(least, _)| least).to_string();
            let amount = notation.as_str().rsplit(' ').next().unwrap_or_default();
            format!("{}{amount}", offer.choice.label.trim_end_matches(&least))
        }
        None => notation.to_string(),
    }
}

impl Analysis {
    /// The chance over the course of the game, as SVG.
    pub fn chart(&self, title: &str) -> Result<String, String> {
        use plotters::prelude::*;
        let mut svg = String::new();
        let draw = |svg: &mut String| -> Result<(), Box<dyn std::error::Error>> {
            let last = self.points.last().map_or(1, |p| p.entry.max(1));
            let area = SVGBackend::with_string(svg, (900, 420)).into_drawing_area();
            area.fill(&WHITE)?;
            let mut chart = ChartBuilder::on(&area)
                .caption(format!("{title}: chance of {} to win", self.seat), ("sans-serif", 18))
                .margin(12)
                .x_label_area_size(40)
                .y_label_area_size(60)
                .build_cartesian_2d(0..last, 0f32..1f32)?;
            chart
                .configure_mesh()
                .x_desc("entry of the record")
                .y_label_formatter(&|y| format!("{:.0} %", y * 100.0))
                .light_line_style(TRANSPARENT)
                .draw()?;
            let ink = RGBColor(0x1c, 0x3a, 0x6e);
            chart.draw_series(LineSeries::new([(0, 0.5), (last, 0.5)], BLACK.mix(0.4)))?;
            let line = self.points.iter().map(|p| (p.entry, p.chance));
            chart.draw_series(LineSeries::new(line, ink.stroke_width(2)))?;
            let red = RGBColor(0x8a, 0x1c, 0x1c);
            chart.draw_series(self.turnings.iter().map(|t| Circle::new((t.to, t.after), 5, red.filled())))?;
            area.present()?;
            Ok(())
        };
        draw(&mut svg).map_err(|e| e.to_string())?;
        Ok(svg)
    }
}

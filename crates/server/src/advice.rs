//! Advice at the table: hints while a game is played, turning points when it is over.
//!
//! A hint is thought out from what the seat itself may know: the search is given the seat's thought and
//! nothing else. All of it runs beside the tables, a few at a time, so that no table waits for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bots::Turn;
use bots::analyse::{Afterthought, Depth, analyse};
use bots::search::{Budget, Search, Settings};
use serde::Serialize;
use table::{Record, Seat, SeatSet};
use tokio::sync::Semaphore;

use crate::fault::Fault;
use crate::ids::TableId;
use crate::live::Tables;
use crate::secret;
use crate::store::{Kind, PersonRow};

/// How long a hint is thought about.
const TIME: Duration = Duration::from_millis(900);
/// How many choices are named at most.
const MOST: usize = 8;
/// How many turning points are told.
const TURNINGS: usize = 3;
/// How carefully a finished game is looked at: about a second.
const DEPTH: Depth = Depth { iterations: 1500, points: 48, seed: 1, asked: SeatSet::NONE };
/// How long somebody waits for his turn to be advised.
const QUEUE: Duration = Duration::from_secs(20);
/// How much is thought about at once; whoever comes later waits.
static ROOM: Semaphore = Semaphore::const_new(2);

/// What is thought of one choice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Hint {
    /// Its notation.
    pub(crate) notation: String,
    /// Its line on a button.
    pub(crate) label: String,
    /// Where on the scene it is clicked.
    pub(crate) targets: Vec<String>,
    /// The expected result for the seat, from 0 to 1, where it was tried.
    pub(crate) worth: Option<f32>,
    /// Its share of all thought.
    pub(crate) share: f32,
}

/// A hint: choices, the best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Hints {
    /// The number of the decision that it is about.
    pub(crate) number: u64,
    /// The choices.
    pub(crate) choices: Vec<Hint>,
    /// Whether the table shows values: it does in analysis.
    pub(crate) analysis: bool,
}

/// A moment of a finished game where the chances changed much.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct TurningPoint {
    /// The last moment before it, as the viewer counts them.
    pub(crate) at: usize,
    /// The first moment after it.
    pub(crate) to: usize,
    /// What was done.
    pub(crate) deeds: Vec<String>,
    /// What bots thought there, from what they knew: a sentence each.
    pub(crate) thoughts: Vec<String>,
    /// The viewer's chance to win before, from 0 to 1.
    pub(crate) before: f32,
    /// And after.
    pub(crate) after: f32,
}

/// How the chances went, and where they changed most.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Fortunes {
    /// Where they changed most, in the order of the game.
    pub(crate) turnings: Vec<TurningPoint>,
    /// The viewer's chance to win, from 0 to 1, at moments as he counts them.
    pub(crate) chart: Vec<(usize, f32)>,
    /// How many moments there are.
    pub(crate) moments: usize,
}

/// Turning points by table and seat, so that a finished game is looked at once.
#[derive(Debug, Default)]
pub(crate) struct Turnings(Mutex<HashMap<(TableId, u8), Points>>);

/// The turning points of a game.
type Points = Arc<Fortunes>;

impl Turnings {
    fn get(&self, key: &(TableId, u8)) -> Option<Points> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn put(&self, key: (TableId, u8), points: Points) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() > 2000 {
            kept.clear();
        }
        kept.insert(key, points);
    }
}

/// Runs what takes a while on threads of its own; a panic there is told as a fault.
async fn aside<T: Send + 'static>(what: impl FnOnce() -> T + Send + 'static) -> Result<T, Fault> {
    let room = tokio::time::timeout(QUEUE, ROOM.acquire()).await.map_err(|_| Fault::TooMany)?;
    let _room = room.map_err(|e| Fault::Server(e.to_string()))?;
    tokio::task::spawn_blocking(what).await.map_err(|e| Fault::Server(e.to_string()))
}

impl Tables {
    /// What a captain would do in this seat, if the table allows hints.
    pub(crate) async fn hint(&self, id: &TableId, person: &PersonRow, seat: u8) -> Result<Hints, Fault> {
        let table = self.find(id).await?;
        let (turn, number, allowance) = {
            let live = table.live.lock().await;
            let own = Seat::try_from(seat).ok().filter(|s| live.held_by(Some(&person.id)).contains(*s));
            let seat = own.ok_or_else(|| Fault::NotYours("this seat is not yours".into()))?;
            let allowance = live.row.allowance;
            if !allowance.hints {
                return Err(Fault::Stage("this table was opened without hints".into()));
            }
            if let Some(why) = &live.frozen {
                return Err(Fault::Frozen(why.clone()));
            }
            if live.over() {
                return Err(Fault::Stage("the game is over".into()));
            }
            let turn = live.sitting.as_deref().and_then(|s| Turn::new(s, seat));
            let turn = turn.ok_or_else(|| Fault::Stage("you have nothing to decide now".into()))?;
            (turn, live.number(seat), allowance)
        };
        let choices = aside(move || thought_out(&turn)).await?;
        Ok(Hints { number, choices, analysis: allowance.analysis })
    }

    /// Where a finished game was won and lost, as a seat lived it.
    pub(crate) async fn turning_points(
        &self,
        kept: &Turnings,
        id: &TableId,
        seat: Option<u8>,
    ) -> Result<Points, Fault> {
        let text = self.finished_record(id).await?;
        let (game, sitting, seat, bots) = {
            let table = self.find(id).await?;
            let live = table.live.lock().await;
            let viewer = live.viewer(None, Some(seat.unwrap_or(0)));
            let Some(sitting) = live.sitting.as_ref().filter(|s| s.outcome().is_some()) else {
                return Err(Fault::Stage("a game has turning points once it is over".into()));
            };
            let bots = (0..).zip(&live.seats).filter(|(_, s)| s.kind == Kind::Bot);
            let bots: SeatSet = bots.map(|(i, _)| Seat::new(i)).collect();
            (live.game.clone(), sitting.boxed_clone(), viewer.seat().unwrap_or(Seat::new(0)), bots)
        };
        let key = (id.clone(), u8::from(seat));
        if let Some(points) = kept.get(&key) {
            return Ok(points);
        }
        let record = Record::read(id.as_str(), &text).map_err(|e| Fault::Server(e.to_string()))?;
        let points = aside(move || {
            let analysis = analyse(&*game, &record, &Depth { asked: bots, ..DEPTH }, &mut |_, _| {})?;
            let title = game.title();
            let alliance = |seat: Seat| title.seats.get(seat.index()).map(|s| s.alliance);
            let own = alliance(seat) == alliance(Seat::new(0));
            let chance = |first: f32| if own { first } else { 1.0 - first };
            let seen = sitting.history(table::Viewer::Seat(seat));
            let moments_until = |entry: u32| seen.iter().filter(|(n, ..)| *n <= entry).count();
            let mut points = Vec::new();
            for turning in analysis.turnings.iter().take(TURNINGS) {
                points.push(TurningPoint {
                    at: moments_until(turning.from.saturating_sub(1)),
                    to: moments_until(turning.to),
                    deeds: turning.told.clone(),
                    thoughts: turning.thoughts.iter().map(|t| told(title.seat_name(t.seat), t)).collect(),
                    before: chance(turning.before),
                    after: chance(turning.after),
                });
            }
            points.sort_by_key(|p| p.at);
            let judged = |p: &bots::analyse::Point| (moments_until(p.entry), chance(p.chance));
            let chart = analysis.points.iter().map(judged).collect();
            Ok::<_, table::ReplayError>(Fortunes { turnings: points, chart, moments: seen.len() })
        });
        let points = points.await?.map_err(|e| Fault::Server(e.to_string()))?;
        let points = Arc::new(points);
        kept.put(key, points.clone());
        Ok(points)
    }
}

/// What a bot thought, in a sentence.
fn told(name: &str, thought: &Afterthought) -> String {
    let chance = (thought.chance * 100.0).round();
    let did = &thought.did;
    match &thought.rather {
        Some(rather) => {
            format!("{name} gave itself {chance} % here, chose “{did}”, and would now rather “{rather}”.")
        }
        None => format!("{name} gave itself {chance} % here, and would again choose “{did}”."),
    }
}

/// A search's advice on a turn, in the words of the table.
fn thought_out(turn: &Turn) -> Vec<Hint> {
    let mut search = Search::new(Settings::default());
    let advice = search.think(turn.thought(), Budget::Time(TIME), secret::number());
    let offered = turn.offered();
    let all: u32 = advice.choices.iter().map(|c| c.visits).sum();
    let hint = |judged: &bots::search::Judged| {
        let choice = offered.iter().find(|o| o.notation == judged.notation).map(|o| &o.choice);
        Hint {
            notation: judged.notation.to_string(),
            label: crate::page::sentence(
                &choice.map_or_else(|| judged.notation.to_string(), |c| c.label.clone()),
            ),
            targets: choice.map_or_else(Vec::new, |c| c.targets.clone()),
            worth: judged.worth,
            share: judged.visits as f32 / all.max(1) as f32,
        }
    };
    advice.choices.iter().take(MOST).map(hint).collect()
}

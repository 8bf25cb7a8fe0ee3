//! How much a server bears: many tables open at once with moves arriving on all of them.
//!
//! Actions go through the whole application as a program's requests would, from the router to the disk and
//! back, only without a network between. What to do is read from the table itself and not timed. What a crowd
//! of onlookers costs is measured over real sockets (`crowd`).

mod crowd;
mod wire;

pub use crowd::{Crowd, Measured, Rush};

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::json;
use table::{Lots, Seat};
use tower::ServiceExt;

use crate::ids::TableId;
use crate::live::{Opening, Sitter};
use crate::store::{Allowance, PersonRow};
use crate::{App, Fault, secret};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game's id.
    pub game: String,
    /// How many tables are open at once.
    pub tables: usize,
    /// How many requests are under way at once.
    pub callers: usize,
    /// For how long.
    pub time: Duration,
}

/// What was measured.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Durable actions.
    pub actions: u64,
    /// How long they took in all, in seconds.
    pub seconds: f64,
    /// The middle one of all waits for an answer, in milliseconds.
    pub median_ms: f64,
    /// The wait that one in a hundred exceeds.
    pub p99_ms: f64,
    /// Memory for each open table, in bytes, where the system tells.
    pub bytes_per_table: Option<u64>,
}

/// How long it takes to open a table again that has been played to the end.
#[derive(Clone, Copy, Debug)]
pub struct Reopened {
    /// Entries of its record.
    pub entries: u32,
    /// From the text of the record to a match that can be played, in milliseconds: the best of several.
    pub ms: f64,
}

/// Plays games by lot, takes the longest record of them, and opens it again.
pub fn reopen(game: &dyn table::AnyGame, games: u64) -> Result<Reopened, Fault> {
    let wrong = |e: &dyn std::fmt::Display| Fault::Server(e.to_string());
    let mut longest = None;
    for seed in 0..games {
        let setup = game.title().usual_set_up();
        let opened = game.open(setup, table::Seed::numbered(seed), table::Nonces::default());
        let mut sitting = opened.map_err(|e| wrong(&e))?;
        let mut lots = Lots::new(seed);
        while let Some(seat) = sitting.waiting_for().lowest() {
            sitting.pick(seat, table::Pick::Random, &mut lots).map_err(|e| wrong(&e))?;
        }
        let entries = sitting.last_entry();
        if longest.as_ref().is_none_or(|(most, _)| *most < entries) {
            longest = Some((entries, sitting.record(true).to_string()));
        }
    }
    let (entries, text) = longest.ok_or_else(|| Fault::Wrong("play one game at least".into()))?;
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let begun = Instant::now();
        let record = table::Record::read("record", &text).map_err(|e| wrong(&e))?;
        game.replay(&record, None).map_err(|e| wrong(&e))?;
        best = best.min(begun.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(Reopened { entries, ms: best })
}

/// Memory in use, where the system tells.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

/// Opens a table of which one person plays all seats.
pub(crate) async fn open_alone(app: &App, person: &PersonRow, game: &str) -> Result<TableId, Fault> {
    let seats = app.tables().game(game)?.title().fewest();
    let opening = Opening {
        game: game.into(),
        wishes: table::Wishes::default(),
        seats: vec![Sitter::Me; seats],
        listed: false,
        pace: None,
        allowance: Allowance::default(),
        absence: None,
    };
    let id = app.tables().open(person, opening).await?;
    for seat in 0..seats as u8 {
        app.tables().ready(&id, person, seat, secret::number()).await?;
    }
    Ok(id)
}

/// Opens the tables, plays on all of them, and measures.
pub async fn measure(app: &App, plan: &Plan) -> Result<Figures, Fault> {
    let router = crate::app(app.clone());
    let (person, token) = app.new_guest("Load", "").await?;
    let open = || open_alone(app, &person, &plan.game);
    // One table warms everything up, so that the others are measured alone.
    open().await?;
    let before = memory();
    let mut ids = Vec::new();
    for _ in 0..plan.tables.div_ceil(100) {
        let batch = futures_util::future::join_all((0..100.min(plan.tables)).map(|_| open())).await;
        ids.extend(batch.into_iter().collect::<Result<Vec<_>, _>>()?);
    }
    let grown = before.zip(memory()).map(|(before, after)| after.saturating_sub(before));
    let bytes_per_table = grown.map(|bytes| bytes / ids.len().max(1) as u64);

    let start = Instant::now();
    let until = start + plan.time;
    let callers = plan.callers.clamp(1, ids.len());
    let shares: Vec<Vec<TableId>> =
        (0..callers).map(|i| ids.iter().skip(i).step_by(callers).cloned().collect()).collect();
    let tasks: Vec<_> = shares
        .into_iter()
        .enumerate()
        .map(|(i, share)| {
            let (app, router, token) = (app.clone(), router.clone(), token.clone());
            tokio::spawn(async move { call(&app, &router, &token, share, until, i as u64).await })
        })
        .collect();
    let mut waits = Vec::new();
    for task in tasks {
        waits.extend(task.await.map_err(|e| Fault::Server(e.to_string()))??);
    }
    let seconds = start.elapsed().as_secs_f64();
    waits.sort_unstable();
    let at = |share: f64| {
        let index = ((waits.len() as f64 * share) as usize).min(waits.len().saturating_sub(1));
        waits.get(index).map_or(0.0, |w: &Duration| w.as_secs_f64() * 1000.0)
    };
    Ok(Figures {
        actions: waits.len() as u64,
        seconds,
        median_ms: at(0.5),
        p99_ms: at(0.99),
        bytes_per_table,
    })
}

/// One caller that plays on its share of the tables until the time is up; how long each answer took.
async fn call(
    app: &App,
    router: &Router,
    token: &str,
    mut share: Vec<TableId>,
    until: Instant,
    number: u64,
) -> Result<Vec<Duration>, Fault> {
    let mut lots = Lots::new(number);
    let mut waits = Vec::new();
    let mut next = 0;
    while Instant::now() < until && !share.is_empty() {
        next = (next + 1) % share.len();
        let id = share[next].clone();
        let chosen = choice(app, &id, &mut lots).await?;
        let Some((seat, number, action)) = chosen else {
            share.swap_remove(next);
            continue;
        };
        let body = json!({ "seat": u8::from(seat), "number": number, "actions": [action] });
        let request = Request::post(format!("/api/tables/{id}/act"))
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()))
            .map_err(|e| Fault::Server(e.to_string()))?;
        let sent = Instant::now();
        let answer = router.clone().oneshot(request).await.map_err(|e| Fault::Server(e.to_string()))?;
        if answer.status() != StatusCode::OK {
            return Err(Fault::Server(format!("an action was answered with {}", answer.status())));
        }
        waits.push(sent.elapsed());
    }
    Ok(waits)
}

/// What somebody at the table could do: seat, number and notation.
async fn choice(app: &App, id: &TableId, lots: &mut Lots) -> Result<Option<(Seat, u64, String)>, Fault> {
    let table: Arc<_> = app.tables().find(id).await?;
    let live = table.live.lock().await;
    let Some(sitting) = &live.sitting else { return Ok(None) };
    let Some(seat) = sitting.waiting_for().lowest() else { return Ok(None) };
    let offered = sitting.offered(seat);
    if offered.is_empty() {
        return Ok(None);
    }
    let offer = &offered[lots.below(offered.len() as u32) as usize];
    Ok(Some((seat, live.number(seat), offer.notation.to_string())))
}

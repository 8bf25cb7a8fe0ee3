//! What the page of a table weighs over the wire: all of it when it is opened, and what is sent after a move.

use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use cpu_time::ProcessTime;
use table::{Lots, Pick};
use tower::ServiceExt;

use crate::live::Ask;
use crate::page::Theme;
use crate::socket::Page;
use crate::{App, Fault};

/// What was weighed, in bytes.
#[derive(Clone, Debug)]
pub struct Weight {
    /// The page itself, packed as a browser asks for it: the heaviest that was seen.
    pub page: usize,
    /// Style, scripts, letters and signs that it needs, packed.
    pub files: usize,
    /// What was sent after each move, packed, in their order.
    pub updates: Vec<usize>,
    /// How long the page took to make, in milliseconds: the longest.
    pub made_ms: f64,
    /// What a look after a move cost, in milliseconds of processor time: to see, to draw, to compare, to pack.
    pub looks_ms: Vec<f64>,
}

impl Weight {
    /// Everything that comes over the wire before the table can be played.
    pub fn total(&self) -> usize {
        self.page + self.files
    }

    /// The heaviest update.
    pub fn heaviest(&self) -> usize {
        self.updates.iter().copied().max().unwrap_or(0)
    }

    /// What a look of the middle cost, and the dearest of a hundred.
    pub fn look_ms(&self) -> (f64, f64) {
        let mut all = self.looks_ms.clone();
        all.sort_by(f64::total_cmp);
        let at = |share: usize| all.get((all.len() * share / 100).min(all.len().saturating_sub(1)));
        (at(50).copied().unwrap_or(0.0), at(99).copied().unwrap_or(0.0))
    }

    /// An update of the middle.
    pub fn median(&self) -> usize {
        let mut all = self.updates.clone();
        all.sort_unstable();
        all.get(all.len() / 2).copied().unwrap_or(0)
    }
}

/// The processor time of this program until now, in milliseconds, of all its threads.
fn processor_ms() -> f64 {
    ProcessTime::now().as_duration().as_secs_f64() * 1000.0
}

/// What it costs to draw a board of hexes again after a move, in milliseconds of processor time: the middle
/// one of several.
pub fn hexes(columns: i32, rows: i32, pieces: usize) -> f64 {
    let seats = table::scene::gallery::SEATS.map(String::from);
    let mut board = table::scene::gallery::field(columns, rows, pieces);
    let press = picture::Press::default();
    let mut all = Vec::new();
    for turn in 0..21 {
        let at = board.spaces.len() * turn / 21;
        if let (Some(piece), Some(space)) = (board.pieces.first_mut(), board.spaces.get(at)) {
            piece.space.clone_from(&space.id);
        }
        let before = processor_ms();
        let drawing = press.draw(&board, &seats, &picture::Highlights::default(), &picture::Style::LIGHT);
        let hashes: Vec<_> = drawing.parts.iter().map(|p| blake3::hash(p.svg.as_bytes())).collect();
        if turn > 0 && !hashes.is_empty() {
            all.push(processor_ms() - before);
        }
    }
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}

/// Asks for an address as a browser does. What came, as it came.
async fn ask(router: &Router, path: &str, token: &str, packing: &str) -> Result<Vec<u8>, Fault> {
    let failed = |e: String| Fault::Server(e);
    let request = Request::get(path)
        .header("authorization", format!("Bearer {token}"))
        .header("accept-encoding", packing)
        .body(Body::empty())
        .map_err(|e| failed(e.to_string()))?;
    let answer = router.clone().oneshot(request).await.map_err(|e| failed(e.to_string()))?;
    if answer.status() != StatusCode::OK {
        return Err(failed(format!("{path} was answered with {}", answer.status())));
    }
    let bytes = axum::body::to_bytes(answer.into_body(), 64 << 20).await;
    bytes.map(|b| b.to_vec()).map_err(|e| failed(e.to_string()))
}

/// What browsers can unpack.
const PACKING: &str = "gzip, deflate, br, zstd";

/// The files that a page names, and those that they name in turn.
async fn files(router: &Router, page: &str, token: &str) -> Result<usize, Fault> {
    let mut names: Vec<String> =
        page.split('"').filter(|word| word.starts_with("/static/")).map(String::from).collect();
    names.sort();
    names.dedup();
    let mut all = 0;
    for name in names {
        all += ask(router, &name, token, PACKING).await?.len();
    }
    Ok(all)
}

/// Plays so many actions of a game on both sides by lot and weighs what the first seat's page is sent.
pub async fn weigh(app: &App, game: &str, actions: usize) -> Result<Weight, Fault> {
    let router = crate::app(app.clone());
    let (person, token) = app.new_guest("Scales", "").await?;
    let id = crate::load::open_alone(app, &person, game).await?;
    let mut weight = Weight { page: 0, files: 0, updates: Vec::new(), made_ms: 0.0, looks_ms: Vec::new() };
    let path = format!("/t/{id}?as=0");
    let table = app.tables().find(&id).await?;
    let mut lots = Lots::new(1);
    let mut shown = Page::default();
    for action in 0..=actions {
        if action % 50 == 0 {
            let start = Instant::now();
            weight.page = weight.page.max(ask(&router, &path, &token, PACKING).await?.len());
            weight.made_ms = weight.made_ms.max(start.elapsed().as_secs_f64() * 1000.0);
            let text = ask(&router, &path, &token, "identity").await?;
            weight.files = files(&router, &String::from_utf8_lossy(&text), &token).await?;
        }
        let chosen = {
            let live = table.live.lock().await;
            let seat = live.waiting().lowest();
            let (Some(seat), Some(sitting)) = (seat, live.sitting.as_ref()) else { break };
            (seat, sitting.boxed_clone().pick(seat, Pick::Random, &mut lots)?.to_string())
        };
        if action > 0 {
            let ask = Ask::Act { actions: vec![chosen.1], number: None };
            app.tables().ask(&id, &person, chosen.0.into(), ask, None).await?;
        }
        let before = processor_ms();
        let prospect = app.tables().look(&id, Some(&person.id), Some(0)).await?;
        let drawing = app.tables().easel().page(&prospect, Theme::Light).await?;
        let told = shown.update(drawing, true);
        if let Some(told) = told.filter(|_| action > 0) {
            weight.looks_ms.push(processor_ms() - before);
            weight.updates.push(told.into_data().len());
        }
    }
    Ok(weight)
}

//! What a crowd costs: a server of its own process, called over real sockets.
//!
//! Two measurements. Two hundred look on while a player clicks: how much processor time a click takes, and how
//! long `/health` waits meanwhile. And five hundred tables, each with somebody looking, at which two hundred
//! act at once: how long each waits until its action is durable.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use table::Lots;

use super::wire::{Watching, Wire};
use crate::Fault;

/// The server that is measured.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Where it listens.
    pub address: String,
    /// Its process.
    pub process: u32,
}

/// What clicks cost while many look on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Crowd {
    /// How many looked on.
    pub sockets: usize,
    /// How many clicks stayed drafts, and how many were entered.
    pub clicks: (usize, usize),
    /// Processor time of the server for a click in a draft, in milliseconds: on average, and the most.
    pub draft_ms: (f64, f64),
    /// The same for a click that everybody sees the effect of.
    pub entered_ms: (f64, f64),
    /// The longest wait for `/health` meanwhile, in milliseconds.
    pub health_ms: f64,
    /// Messages that onlookers were sent after clicks in a draft: there must be none.
    pub told_of_drafts: usize,
}

/// How long actions took until they were durable.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rush {
    /// Tables, each with a socket.
    pub tables: usize,
    /// Actions sent at once.
    pub at_once: usize,
    /// Rounds of them.
    pub rounds: usize,
    /// The middle wait, in milliseconds.
    pub median_ms: f64,
    /// The wait that one in a hundred exceeds.
    pub p99_ms: f64,
    /// How long pictures followed the last answer, in milliseconds.
    pub pictures_ms: f64,
}

impl Measured {
    /// Processor time that the server's threads have used, in milliseconds, where the system tells.
    fn used(&self) -> Result<f64, Fault> {
        let wrong =
            |e: std::io::Error| Fault::Server(format!("the system does not tell processor time: {e}"));
        let mut all = 0.0;
        for thread in std::fs::read_dir(format!("/proc/{}/task", self.process)).map_err(wrong)? {
            // A thread may end meanwhile.
            let told = std::fs::read_to_string(thread.map_err(wrong)?.path().join("schedstat"));
            let nanoseconds = told.ok().and_then(|t| t.split(' ').next()?.parse::<f64>().ok());
            all += nanoseconds.unwrap_or(0.0) / 1e6;
        }
        Ok(all)
    }

    /// Waits until the server has nothing to do.
    async fn quiet(&self) -> Result<f64, Fault> {
        let mut before = self.used()?;
        loop {
            tokio::time::sleep(Duration::from_millis(120)).await;
            let now = self.used()?;
            if now - before < 3.0 {
                return Ok(now);
            }
            before = now;
        }
    }

    async fn guest(&self, wire: &mut Wire, name: &str) -> Result<String, Fault> {
        let (_, answer) = wire.ask("/api/guests", None, Some(&json!({ "name": name }))).await?;
        let token = answer["token"].as_str().map(String::from);
        token.ok_or_else(|| Fault::Server(format!("no guest: {answer}")))
    }

    /// A table of which one person plays all seats.
    async fn open(&self, wire: &mut Wire, token: &str, game: &str, seats: usize) -> Result<String, Fault> {
        let wish = json!({ "game": game, "seats": vec!["me"; seats] });
        let answer = wire.done("/api/tables", token, &wish).await?;
        let id = answer["id"].as_str().unwrap_or_default().to_string();
        for seat in 0..seats {
            wire.done(&format!("/api/tables/{id}/ready"), token, &json!({ "seat": seat, "nonce": "2a" }))
                .await?;
        }
        Ok(id)
    }

    /// Plays with so many looking on.
    pub async fn crowd(
        &self,
        game: &str,
        seats: usize,
        sockets: usize,
        clicks: usize,
    ) -> Result<Crowd, Fault> {
        let mut wire = Wire::connect(&self.address).await?;
        let token = self.guest(&mut wire, "Player").await?;
        let id = self.open(&mut wire, &token, game, seats).await?;
        let mut own = Wire::connect(&self.address).await?.watch(&id, Some(&token)).await?;
        let mut onlookers: Vec<Watching> = Vec::new();
        for _ in 0..sockets {
            onlookers.push(Wire::connect(&self.address).await?.watch(&id, None).await?);
        }
        for socket in &mut onlookers {
            socket.message(Duration::from_secs(20)).await?;
        }
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let asked = tokio::spawn(healths(self.address.clone(), stopped));
        let mut crowd = Crowd { sockets, ..Crowd::default() };
        let (mut drafts, mut entered) = (Vec::new(), Vec::new());
        let mut lots = Lots::new(1);
        for _ in 0..clicks {
            let Some((seat, view)) = awaited(&mut wire, &token, &id, seats).await? else { break };
            for socket in onlookers.iter_mut().chain([&mut own]) {
                while socket.message(Duration::from_millis(1)).await?.is_some() {}
            }
            let before = self.quiet().await?;
            let answer = act(&mut wire, &token, &id, seat, &view, &mut lots).await?;
            let after = self.quiet().await?;
            if answer == "drafted" {
                drafts.push(after - before);
                for socket in &mut onlookers {
                    crowd.told_of_drafts +=
                        usize::from(socket.message(Duration::from_millis(1)).await?.is_some());
                }
            } else {
                entered.push(after - before);
            }
        }
        drop(stop);
        crowd.health_ms = asked.await.map_err(|e| Fault::Server(e.to_string()))??;
        let figures = |all: &[f64]| {
            let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
            (mean, all.iter().copied().fold(0.0, f64::max))
        };
        crowd.clicks = (drafts.len(), entered.len());
        (crowd.draft_ms, crowd.entered_ms) = (figures(&drafts), figures(&entered));
        Ok(crowd)
    }

    /// Acts at many tables at once.
    pub async fn rush(
        &self,
        game: &str,
        seats: usize,
        tables: usize,
        at_once: usize,
        rounds: usize,
    ) -> Result<Rush, Fault> {
        let mut wire = Wire::connect(&self.address).await?;
        let token = self.guest(&mut wire, "Player").await?;
        let (mut ids, mut watching) = (Vec::new(), Vec::new());
        for _ in 0..tables {
            let id = self.open(&mut wire, &token, game, seats).await?;
            watching.push(Wire::connect(&self.address).await?.watch(&id, Some(&token)).await?);
            ids.push(id);
        }
        for socket in &mut watching {
            socket.message(Duration::from_secs(60)).await?;
        }
        let mut waits = Vec::new();
        let mut lots = Lots::new(2);
        let mut rush = Rush { tables, at_once, ..Rush::default() };
        let mut callers = Vec::new();
        for _ in 0..at_once {
            callers.push(Wire::connect(&self.address).await?);
        }
        for round in 0..rounds {
            let mut deeds = Vec::new();
            for i in 0..at_once {
                let id = &ids[(round * at_once + i) % ids.len()];
                if let Some((seat, view)) = awaited(&mut wire, &token, id, seats).await?
                    && let Some(body) = wish(seat, &view, &mut lots)
                {
                    deeds.push((format!("/api/tables/{id}/act"), body));
                }
            }
            self.quiet().await?;
            let tasks: Vec<_> = deeds
                .into_iter()
                .zip(std::mem::take(&mut callers))
                .map(|((path, body), mut caller)| {
                    let token = token.clone();
                    tokio::spawn(async move {
                        let sent = Instant::now();
                        caller.done(&path, &token, &body).await?;
                        Ok::<_, Fault>((sent.elapsed().as_secs_f64() * 1000.0, caller))
                    })
                })
                .collect();
            for task in tasks {
                let (wait, caller) = task.await.map_err(|e| Fault::Server(e.to_string()))??;
                waits.push(wait);
                callers.push(caller);
            }
            let answered = Instant::now();
            self.quiet().await?;
            rush.pictures_ms = rush.pictures_ms.max(answered.elapsed().as_secs_f64() * 1000.0);
            rush.rounds += 1;
        }
        waits.sort_by(f64::total_cmp);
        let at = |share: f64| {
            waits.get(((waits.len() as f64 * share) as usize).min(waits.len().saturating_sub(1)))
        };
        rush.median_ms = at(0.5).copied().unwrap_or(0.0);
        rush.p99_ms = at(0.99).copied().unwrap_or(0.0);
        Ok(rush)
    }
}

/// Asks for the server's health again and again until it is told to stop; the longest wait, in milliseconds.
async fn healths(address: String, mut stop: tokio::sync::oneshot::Receiver<()>) -> Result<f64, Fault> {
    let mut wire = Wire::connect(&address).await?;
    let mut longest: f64 = 0.0;
    while stop.try_recv() == Err(tokio::sync::oneshot::error::TryRecvError::Empty) {
        let asked = Instant::now();
        wire.ask("/health", None, None).await?;
        longest = longest.max(asked.elapsed().as_secs_f64() * 1000.0);
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    Ok(longest)
}

/// A seat that must decide, and what it sees.
async fn awaited(
    wire: &mut Wire,
    token: &str,
    id: &str,
    seats: usize,
) -> Result<Option<(usize, Value)>, Fault> {
    for seat in 0..seats {
        let (_, view) = wire.ask(&format!("/api/tables/{id}?seat={seat}"), Some(token), None).await?;
        if view["offered"].as_array().is_some_and(|o| !o.is_empty()) && view["held"] != true {
            return Ok(Some((seat, view)));
        }
    }
    Ok(None)
}

fn wish(seat: usize, view: &Value, lots: &mut Lots) -> Option<Value> {
    let offered = view["offered"].as_array().filter(|o| !o.is_empty())?;
    let offer = &offered[lots.below(offered.len() as u32) as usize];
    Some(json!({ "seat": seat, "number": view["number"], "actions": [offer["notation"]] }))
}

async fn act(
    wire: &mut Wire,
    token: &str,
    id: &str,
    seat: usize,
    view: &Value,
    lots: &mut Lots,
) -> Result<String, Fault> {
    let body = wish(seat, view, lots).ok_or_else(|| Fault::Server("nothing was offered".into()))?;
    let answer = wire.done(&format!("/api/tables/{id}/act"), token, &body).await?;
    Ok(answer["what"].as_str().unwrap_or_default().to_string())
}

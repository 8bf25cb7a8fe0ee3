//! Telling: news wait a while, those that are out of date by then are dropped, and nobody is told more often than
//! every so often. A server that stops says what was waiting, if it can be said soon.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use table::Seat;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::message::{Message, Named};
use super::ways::Ways;
use super::{News, Tiding};
use crate::App;
use crate::ids::{PersonId, TableId};
use crate::live::Tables;

/// What waits to be told to one player.
#[derive(Default)]
struct Waiting {
    tables: BTreeMap<TableId, (String, News)>,
    due: Option<Instant>,
    /// When something was last told.
    last: Option<Instant>,
}

/// How long a server that stops goes on telling what was waiting.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// Tells players what is handed in, until the server stops. What waits then is told at once: nobody else would.
pub(crate) async fn run(app: App, mut stop: oneshot::Receiver<()>) {
    let Some(mut news) = app.tables().desk().take() else { return };
    let settings = app.tidings().clone();
    let mut waiting: HashMap<PersonId, Waiting> = HashMap::new();
    let mut telling = JoinSet::new();
    loop {
        let next = waiting.values().filter_map(|w| w.due).min();
        let sleep = async {
            match next {
                Some(due) => tokio::time::sleep_until(due).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            tiding = news.recv() => {
                let Some(tiding) = tiding else { return };
                let own = waiting.entry(tiding.person).or_default();
                own.tables.insert(tiding.table, (tiding.name, tiding.news));
                let earliest = own.last.map_or_else(Instant::now, |last| last + settings.pause);
                own.due.get_or_insert(earliest.max(Instant::now() + settings.wait));
            }
            Some(_) = telling.join_next() => {}
            _ = &mut stop => break,
            () = sleep => {
                let now = Instant::now();
                for (person, own) in &mut waiting {
                    if own.due.is_some_and(|due| due <= now) {
                        (own.due, own.last) = (None, Some(now));
                        let (app, person, tables) = (app.clone(), person.clone(), std::mem::take(&mut own.tables));
                        telling.spawn(async move { tell(&app, &person, tables).await });
                    }
                }
                // Whoever was told long ago and waits for nothing is forgotten.
                waiting.retain(|_, w| w.due.is_some() || w.last.is_some_and(|l| now < l + settings.pause));
            }
        }
    }
    last_words(&app, news, waiting, telling).await;
}

/// What a server says before it stops, if it can be said soon. Who was not told is counted, not named.
async fn last_words(
    app: &App,
    mut news: mpsc::Receiver<Tiding>,
    waiting: HashMap<PersonId, Waiting>,
    mut telling: JoinSet<()>,
) {
    let mut last: HashMap<PersonId, BTreeMap<TableId, (String, News)>> =
        waiting.into_iter().map(|(person, own)| (person, own.tables)).collect();
    while let Ok(tiding) = news.try_recv() {
        last.entry(tiding.person).or_default().insert(tiding.table, (tiding.name, tiding.news));
    }
    for (person, tables) in last.into_iter().filter(|(_, tables)| !tables.is_empty()) {
        let app = app.clone();
        telling.spawn(async move { tell(&app, &person, tables).await });
    }
    let all = async { while telling.join_next().await.is_some() {} };
    if tokio::time::timeout(LAST_WORDS, all).await.is_err() {
        tracing::warn!(players = telling.len(), "the server stops, and players were not told of their turn");
    }
}

/// Tells one player what is still true, in every way that he asked for.
async fn tell(app: &App, person: &PersonId, tables: BTreeMap<TableId, (String, News)>) {
    let mut named = Vec::new();
    for (id, (name, news)) in tables {
        if news == News::Over || still_true(app.tables(), &id, person, news).await {
            let link = format!("{}/t/{id}", app.tidings().link.trim_end_matches('/'));
            named.push(Named { name, link, over: news == News::Over, what: news.word(), news });
        }
    }
    if named.is_empty() {
        return;
    }
    match app.ways(person).await {
        Ok(ways) if ways == Ways::default() => {}
        Ok(ways) => app.send(person, ways, &Message::new(named)).await,
        Err(fault) => tracing::warn!(%fault, "it is not known how to tell a player"),
    }
}

/// Whether news are still true for a player who does not look at the table.
async fn still_true(tables: &Tables, id: &TableId, person: &PersonId, news: News) -> bool {
    let Ok(table) = tables.find(id).await else { return false };
    let live = table.live.lock().await;
    let own = live.held_by(Some(person));
    let is = |seat: Seat| match news {
        News::Turn => live.waiting().contains(seat) && live.bot_at(seat).is_none(),
        News::Away(_) => live.seats[seat.index()].called_at.is_some(),
        News::Bot => live.seats[seat.index()].stand_in.is_some(),
        News::Over => true,
    };
    !table.is_present(person) && own.iter().any(is)
}

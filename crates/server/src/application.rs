//! The application: what every request can reach, and what is made once for all of them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use table::AnyGame;
use tokio::sync::watch;

use crate::fault::Fault;
use crate::limits::{Buckets, Crowd, Limits, OneOf};
use crate::live::Tables;
use crate::metrics::Metrics;
use crate::page::Theme;
use crate::people::Sessions;
use crate::store::Store;
use crate::tidings::mail::Post;
use crate::{Settings, advice, cover, sources, tidings};

/// The application: what every request can reach.
#[derive(Clone)]
pub struct App(Arc<Parts>);

struct Parts {
    tables: Tables,
    sessions: Sessions,
    buckets: Buckets,
    limits: Limits,
    tidings: tidings::Settings,
    post: Option<tidings::mail::Post>,
    covers: Mutex<HashMap<(String, bool), String>>,
    turnings: advice::Turnings,
    sources: Mutex<HashMap<String, Arc<Vec<sources::Sources>>>>,
    crowd: Crowd,
    /// Whether the store could write when it was last tried, and when that was.
    healthy: tokio::sync::Mutex<Option<(Instant, Result<(), String>)>>,
    closing: watch::Sender<bool>,
}

/// How long the store's word on its health counts.
const HEALTHY: Duration = Duration::from_secs(5);
/// How long a healthy store takes to write at most.
const PROMPT: Duration = Duration::from_secs(5);

impl App {
    /// An application with these games and this store. Settings of mail that make no sense are noted in the
    /// log, and no mail is sent: [`App::check`] finds them before.
    pub fn new(games: Vec<Arc<dyn AnyGame>>, store: Arc<dyn Store>, settings: Settings) -> Self {
        let post = settings.tidings.smtp.as_deref().map(|smtp| Post::new(smtp, &settings.tidings.from));
        let post = post.transpose().unwrap_or_else(|why| {
            tracing::error!(why, "no mail is sent");
            None
        });
        Self(Arc::new(Parts {
            post,
            tidings: settings.tidings,
            tables: Tables::new(games, store, Metrics::default(), settings.conduct),
            sessions: Sessions::default(),
            buckets: Buckets::default(),
            limits: settings.limits,
            covers: Mutex::default(),
            turnings: advice::Turnings::default(),
            sources: Mutex::default(),
            crowd: Crowd::default(),
            healthy: tokio::sync::Mutex::default(),
            closing: watch::Sender::new(false),
        }))
    }

    /// Lets the rules of a game say where its figures come from: these are the data files it was opened with.
    pub fn tell_sources<'a>(&self, game: &str, files: impl IntoIterator<Item = (&'a str, &'a str)>) {
        let read = files.into_iter().map(|(name, text)| sources::read(name, text)).collect();
        let mut all = self.0.sources.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(game.into(), Arc::new(read));
    }

    pub(crate) fn sources(&self, game: &str) -> Arc<Vec<sources::Sources>> {
        let all = self.0.sources.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(game).cloned().unwrap_or_default()
    }

    /// The tables.
    pub fn tables(&self) -> &Tables {
        &self.0.tables
    }

    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        self.0.tables.store()
    }

    pub(crate) fn sessions(&self) -> &Sessions {
        &self.0.sessions
    }

    pub(crate) fn buckets(&self) -> &Buckets {
        &self.0.buckets
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(crate) fn tidings(&self) -> &tidings::Settings {
        &self.0.tidings
    }

    pub(crate) fn post(&self) -> Option<&Post> {
        self.0.post.as_ref()
    }

    /// What is wrong with settings, if anything is.
    pub fn check(settings: &Settings) -> Result<(), String> {
        let told = &settings.tidings;
        url::Url::parse(&told.link)
            .ok()
            .filter(|u| matches!(u.scheme(), "http" | "https") && u.host().is_some())
            .ok_or_else(|| format!("players reach a server at https://HOST, not at `{}`", told.link))?;
        told.smtp.as_deref().map_or(Ok(()), |smtp| Post::new(smtp, &told.from).map(drop))
    }

    pub(crate) fn turnings(&self) -> &advice::Turnings {
        &self.0.turnings
    }

    /// Tells when the server stops.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.0.closing.subscribe()
    }

    /// The server stops: sockets and streams end.
    pub(crate) fn close(&self) {
        self.0.closing.send_replace(true);
    }

    /// Makes room for a socket, as long as there is some, in all and from this address.
    pub(crate) fn enter_socket(&self, from: IpAddr) -> Result<SocketGuest, Fault> {
        let metrics = self.tables().metrics().clone();
        if metrics.sockets.get() >= self.limits().sockets {
            return Err(Fault::TooMany);
        }
        let one = self.0.crowd.enter(from, self.limits().sockets_each).ok_or(Fault::TooMany)?;
        metrics.sockets.add(1);
        Ok(SocketGuest(metrics, one))
    }

    /// Whether the store can write, or why not. It is tried every few seconds at most, whoever asks.
    pub(crate) async fn health(&self) -> Result<(), String> {
        let mut known = self.0.healthy.lock().await;
        if let Some((_, health)) = known.as_ref().filter(|(when, _)| when.elapsed() < HEALTHY) {
            return health.clone();
        }
        let tried = tokio::time::timeout(PROMPT, self.store().try_to_write()).await;
        let health = match tried {
            Ok(written) => written.map_err(|e| format!("the store cannot write: {e}")),
            Err(_) => Err(format!("the store has not written anything for {} seconds", PROMPT.as_secs())),
        };
        *known = Some((Instant::now(), health.clone()));
        health
    }

    /// The cover of a game, drawn once.
    pub(crate) async fn cover(&self, id: &str, theme: Theme) -> Result<String, Fault> {
        let key = (id.to_string(), theme == Theme::Dark);
        let covers = &self.0.covers;
        if let Some(cover) = covers.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(cover.clone());
        }
        let game = self.tables().game(id)?.clone();
        let cover = self.tables().easel().draw(move |_| cover::draw(&*game, theme)).await??;
        covers.lock().unwrap_or_else(PoisonError::into_inner).insert(key, cover.clone());
        Ok(cover)
    }
}

/// Somebody on a socket.
pub(crate) struct SocketGuest(Metrics, #[allow(dead_code)] OneOf);

impl Drop for SocketGuest {
    fn drop(&mut self) {
        self.0.sockets.sub(1);
    }
}

//! The web table: a lobby, live tables and their store. The only crate that knows about HTTP and SQL.
//!
//! [`app`] makes the whole application as a router that tests can call without a socket; [`serve`] puts it
//! behind one. Games come in as [`table::AnyGame`], so that nothing here knows any of them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`store`] | what is kept: one small trait, and SQLite behind it |
//! | [`live`] | matches in memory; the road of an action from request to disk to watchers |
//! | [`clock`] | time to think, and what is shown of it |
//! | [`sight`] | what one viewer is shown: the only door through which anything leaves a table |
//! | `page`, `web` | pages for people, made on the server |
//! | `socket` | what changed, for a page that is open |
//! | `api` | the same for programs |
//! | [`tidings`] | webhooks, mail and push for players who are not looking |
//! | `cover` | the covers of the games |
//! | `house` | what a table allows beside the rules of its game |
//! | `advice` | hints, and the turning points of a finished game |
//! | `since` | what happened since a player last looked |
//! | `sources` | where the figures of a game come from |
//! | `people`, `limits` | who asks, and how much |
//! | [`load`], [`weight`] | how much a server bears, and how much it sends |
//!
//! Invariants: an action is durable before anybody sees its effect; nothing leaves a table but a [`sight`];
//! a rule that panics stops its own table only; no secret is written to a log.
// Servers look up sessions by hash and measure rates by the clock; no rule of a game is decided here.
#![allow(clippy::disallowed_types)]

use std::collections::HashMap;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use table::AnyGame;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;

mod advice;
mod api;
mod assets;
pub mod bots;
pub mod clock;
mod cover;
mod fault;
pub mod house;
mod limits;
pub mod live;
pub mod load;
pub mod metrics;
mod page;
mod people;
mod secret;
pub mod sight;
mod since;
mod socket;
mod sources;
pub mod store;
pub mod tidings;
mod tls;
mod web;
pub mod weight;

pub use clock::{Clock, Pace};
pub use fault::{Fault, Trouble};
pub use limits::Limits;
pub use live::{Habits, Tables};
pub use store::{Postgres, Sqlite, Store, StoreError};

use limits::Buckets;
use metrics::Metrics;
use page::Theme;
use people::Sessions;
use tidings::mail::Post;

/// How a server is set up.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How much is allowed.
    pub limits: Limits,
    /// How tables behave.
    pub habits: Habits,
    /// How absent players are told.
    pub tidings: tidings::Settings,
}

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
    told: advice::Told,
    sources: Mutex<HashMap<String, Arc<Vec<sources::Sources>>>>,
    closing: watch::Sender<bool>,
}

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
            tables: Tables::new(games, store, Metrics::default(), settings.habits),
            sessions: Sessions::default(),
            buckets: Buckets::default(),
            limits: settings.limits,
            covers: Mutex::default(),
            told: advice::Told::default(),
            sources: Mutex::default(),
            closing: watch::Sender::new(false),
        }))
    }

    /// Lets the rules of a game say where its figures come from: these are the data files it was opened with.
    pub fn tell_sources<'a>(&self, game: &str, files: impl IntoIterator<Item = (&'a str, &'a str)>) {
        let read = files.into_iter().map(|(name, text)| sources::read(name, text)).collect();
        let mut all = self.0.sources.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(game.into(), Arc::new(read));
    }

    fn sources(&self, game: &str) -> Arc<Vec<sources::Sources>> {
        let all = self.0.sources.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(game).cloned().unwrap_or_default()
    }

    /// The tables.
    pub fn tables(&self) -> &Tables {
        &self.0.tables
    }

    fn store(&self) -> &Arc<dyn Store> {
        self.0.tables.store()
    }

    fn sessions(&self) -> &Sessions {
        &self.0.sessions
    }

    fn buckets(&self) -> &Buckets {
        &self.0.buckets
    }

    fn limits(&self) -> &Limits {
        &self.0.limits
    }

    fn tidings(&self) -> &tidings::Settings {
        &self.0.tidings
    }

    fn post(&self) -> Option<&Post> {
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

    fn turnings_told(&self) -> &advice::Told {
        &self.0.told
    }

    fn closing(&self) -> watch::Receiver<bool> {
        self.0.closing.subscribe()
    }

    /// Makes room for a socket, as long as there is some.
    fn enter_socket(&self) -> Result<SocketGuest, Fault> {
        let metrics = self.tables().metrics().clone();
        if metrics.sockets.get() >= self.limits().sockets {
            return Err(Fault::TooMany);
        }
        metrics.sockets.add(1);
        Ok(SocketGuest(metrics))
    }

    /// The cover of a game, drawn once.
    fn cover(&self, id: &str, theme: Theme) -> Result<String, Fault> {
        let key = (id.to_string(), theme == Theme::Dark);
        let covers = &self.0.covers;
        if let Some(cover) = covers.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(cover.clone());
        }
        let cover = cover::draw(&**self.tables().game(id)?, theme)?;
        covers.lock().unwrap_or_else(PoisonError::into_inner).insert(key, cover.clone());
        Ok(cover)
    }
}

/// Somebody on a socket.
struct SocketGuest(Metrics);

impl Drop for SocketGuest {
    fn drop(&mut self) {
        self.0.sockets.sub(1);
    }
}

/// The whole application as a router.
pub fn app(app: App) -> Router {
    Router::new()
        .route("/", get(web::lobby))
        .route("/learn", post(web::learn))
        .route("/play", post(web::play))
        .route("/new", post(web::new_table))
        .route("/next", get(web::next))
        .route("/you", get(web::you))
        .route("/guest", post(web::guest))
        .route("/account", post(web::account))
        .route("/login", post(web::login))
        .route("/logout", post(web::logout))
        .route("/g/{game}", get(web::game))
        .route("/g/{game}/cover.svg", get(web::cover))
        .route("/g/{game}/rules", get(web::rules_list))
        .route("/g/{game}/vignette/{number}", get(web::vignette))
        .route("/rules", get(web::all_rules))
        .route("/rules/{game}", get(web::rules))
        .route("/t/{table}", get(web::table))
        .route("/t/{table}/act", post(web::act))
        .route("/t/{table}/time", post(web::time))
        .route("/t/{table}/socket", get(socket::connect))
        .route("/t/{table}/seat/{link}", get(web::invitation).post(web::accept))
        .route("/t/{table}/record", get(web::record))
        .route("/t/{table}/picture.svg", get(web::table_picture))
        .route("/t/{table}/replay", get(web::replay))
        .route("/t/{table}/moment", get(web::moment))
        .route("/t/{table}/branch", post(web::branch))
        .route("/api", get(api::about))
        .route("/api/openapi.json", get(api::description))
        .route("/api/games", get(api::games))
        .route("/api/guests", post(api::guests))
        .route("/api/me/tidings", get(api::tidings).put(api::set_tidings))
        .route("/api/me/push", post(api::push).delete(api::no_push))
        .route("/you/tidings", post(web::tidings))
        .route("/you/mail/{person}/{token}", get(web::mail).post(web::confirm_mail))
        .route("/worker.js", get(assets::worker))
        .route("/api/tables", get(api::tables).post(api::open))
        .route("/api/tables/{table}", get(api::view))
        .route("/api/tables/{table}/join", post(api::join))
        .route("/api/tables/{table}/invite/{seat}", post(api::invite))
        .route("/api/tables/{table}/ready", post(api::ready))
        .route("/api/tables/{table}/act", post(api::act))
        .route("/api/tables/{table}/ask", post(api::ask))
        .route("/api/tables/{table}/time", post(api::time))
        .route("/api/tables/{table}/hint", post(api::hint))
        .route("/api/tables/{table}/turnings", get(api::turnings))
        .route("/api/tables/{table}/seen", put(api::seen))
        .route("/api/tables/{table}/say", post(api::say))
        .route("/api/tables/{table}/notes", put(api::notes))
        .route("/api/tables/{table}/verify", get(api::verify))
        .route("/api/tables/{table}/rematch", post(api::rematch))
        .route("/api/tables/{table}/stream", get(api::stream))
        .route("/api/tables/{table}/record", get(api::record))
        .route("/static/{version}/{name}", get(assets::versioned))
        .route("/static/{name}", get(assets::plain))
        .route("/health", get(web::health))
        .route("/metrics", get(web::metrics))
        .fallback(web::missing)
        .layer(from_fn(to_its_end))
        .layer(CatchPanicLayer::new())
        .layer(RequestBodyLimitLayer::new(app.limits().body))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(app.clone(), limits::door))
        .with_state(app)
}

/// Answers a request in a task of its own. A browser that leaves while its request is under way drops it; what
/// has begun to be written must still reach the table in memory and those who look at it.
async fn to_its_end(request: Request, next: Next) -> Response {
    match tokio::spawn(next.run(request)).await {
        Ok(answer) => answer,
        Err(broken) if broken.is_panic() => std::panic::resume_unwind(broken.into_panic()),
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// Serves the application until `stop` is done, then lets requests under way finish and tells absent players
/// what they were still to be told, if that takes no longer than a few seconds.
pub async fn serve(
    listener: TcpListener,
    application: App,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let chores = chores(&application);
    let (last_words, asked) = tokio::sync::oneshot::channel();
    let telling = tokio::spawn(tidings::run(application.clone(), asked));
    match application.tables().resume().await {
        Ok((running, frozen)) => tracing::info!(running, frozen, "tables resumed"),
        Err(fault) => tracing::error!(%fault, "tables could not be resumed"),
    }
    let (closing, store) = (application.0.closing.clone(), application.store().clone());
    let router = app(application).into_make_service_with_connect_info::<SocketAddr>();
    let served = axum::serve(listener, router)
        .with_graceful_shutdown(async move {
            stop.await;
            closing.send_replace(true);
        })
        .await;
    chores.iter().for_each(tokio::task::JoinHandle::abort);
    // What players are still to be told goes out while the store is there.
    if last_words.send(()).is_ok() {
        let _ = telling.await;
    }
    if let Err(error) = store.close().await {
        tracing::warn!(%error, "the store could not be left in order");
    }
    served
}

/// What a server does besides answering: it forgets idle tables, watches the clocks, and follows what other
/// servers of the same store do.
fn chores(application: &App) -> Vec<tokio::task::JoinHandle<()>> {
    let tables = || application.tables().clone();
    let (tidy, ticks, follows, orphans) = (tables(), tables(), tables(), tables());
    vec![
        tokio::spawn(async move {
            let mut each = tokio::time::interval(Duration::from_secs(60));
            loop {
                each.tick().await;
                tidy.tidy();
            }
        }),
        tokio::spawn(async move {
            let mut each = tokio::time::interval(Duration::from_secs(1));
            loop {
                each.tick().await;
                ticks.tick().await;
            }
        }),
        tokio::spawn(async move { follows.follow().await }),
        tokio::spawn(async move {
            if !orphans.store().shared() {
                return;
            }
            let mut each = tokio::time::interval(store::LEASE / 2);
            loop {
                each.tick().await;
                orphans.wake_orphans().await;
            }
        }),
    ]
}

/// Reads bytes as everything that can come from outside, and keeps nothing; how many things they could be.
/// For those who throw arbitrary bytes at the decoders.
pub fn decode(bytes: &[u8]) -> usize {
    let mut readings = api::readings(bytes) + usize::from(socket::reads(bytes));
    if let Ok(text) = std::str::from_utf8(bytes) {
        readings += usize::from(matches!(Pace::of(text), Ok(Some(_))));
        readings += usize::from(tidings::call::checked(text, false).is_ok());
        readings += usize::from(Post::checked(text).is_ok());
        readings += usize::from(live::Remedy::named(text, Some(1), None, String::new()).is_ok());
        readings += usize::from(people::clean_name(text).is_ok());
    }
    readings
}

/// Sends the log to standard error, as lines for people or as JSON.
pub fn log_to_stderr(filter: &str, json: bool) {
    let filter = tracing_subscriber::EnvFilter::try_new(filter).unwrap_or_else(|_| "info".into());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A log that is there already stays.
    let _ = if json { log.json().try_init() } else { log.try_init() };
}

//! The interface for programs: JSON, the same door that the page's own script uses.
//!
//! | module | what it holds |
//! |---|---|
//! | `people` | who the caller is: guests, accounts, sessions, how he is told |
//! | `tables` | the lists of tables, a new one, its seats |
//! | `play` | what is seen, done, asked, said and noted at a table |
//! | `stream` | a table as it goes |

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, State};
use axum::http::request::Parts;
use axum::response::Html;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::{OpenApi, ToSchema};

use crate::App;
use crate::accounts::ShownSession;
use crate::bots;
use crate::clock::Pace;
use crate::fault::{Fault, Trouble};
use crate::ids::TableId;
use crate::tidings::push::Subscription;

mod people;
mod play;
mod stream;
mod tables;

pub(crate) use people::*;
pub(crate) use play::*;
pub(crate) use stream::*;
pub(crate) use tables::*;

/// A body in JSON; what is wrong with it is told in our own words.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Fault))]
pub(crate) struct Sent<T>(T);

impl From<JsonRejection> for Fault {
    fn from(rejection: JsonRejection) -> Self {
        Self::Wrong(rejection.body_text())
    }
}

impl FromRequestParts<App> for TableId {
    type Rejection = Fault;
    /// The table that an address names. A word that is no id is no table's.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Fault> {
        let missing = || Fault::Missing("such table".into());
        let named = RawPathParams::from_request_parts(parts, app).await.map_err(|_| missing())?;
        let word = named.iter().find(|(name, _)| *name == "table").map(|(_, word)| word);
        word.and_then(|word| word.parse().ok()).ok_or_else(missing)
    }
}

/// The seat that an address names.
#[derive(Deserialize)]
pub(crate) struct SeatOf {
    seat: u8,
}

/// Through whose eyes.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Look {
    /// A seat of one's own [default: the one that is to decide].
    seat: Option<u8>,
}

/// The games, their scenarios, options and seats.
#[utoipa::path(get, path = "/api/games", responses((status = 200, description = "All games")))]
pub(crate) async fn games(State(app): State<App>) -> Json<Value> {
    let one = |game: &Arc<dyn table::AnyGame>| {
        let title = game.title();
        json!({
            "id": title.id,
            "name": title.name,
            "pitch": title.pitch,
            "seats": title.seat_names(),
            "least_seats": title.fewest(),
            "rules": title.version,
            "scenarios": title.scenarios.iter().map(|s| json!({
                "id": s.id, "name": s.name, "gist": s.gist, "minutes": s.minutes })).collect::<Vec<_>>(),
            "options": title.options.iter().map(|o| json!({
                "id": o.id, "gist": o.gist, "values": o.values })).collect::<Vec<_>>(),
        })
    };
    let levels: Vec<_> =
        bots::LEVELS.iter().map(|l| json!({ "id": l.id, "name": l.name, "gist": l.gist })).collect();
    Json(json!({ "games": app.tables().games().iter().map(one).collect::<Vec<_>>(), "bots": levels }))
}

/// Reads bytes as each of the bodies that programs send; how many of them they could be.
pub(crate) fn readings(bytes: &[u8]) -> usize {
    fn reads<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> bool {
        serde_json::from_slice::<T>(bytes).is_ok()
    }
    [
        reads::<GuestWish>(bytes),
        reads::<LoginWish>(bytes),
        reads::<ResetWish>(bytes),
        reads::<AccountWish>(bytes),
        reads::<PasswordWish>(bytes),
        reads::<TableWish>(bytes),
        reads::<JoinWish>(bytes),
        reads::<ReadyWish>(bytes),
        reads::<ActWish>(bytes),
        reads::<AskWish>(bytes),
        reads::<ReachWish>(bytes),
        reads::<TimeWish>(bytes),
        reads::<SayWish>(bytes),
        reads::<NotesWish>(bytes),
        reads::<ToldWish>(bytes),
        serde_json::from_slice::<Subscription>(bytes).is_ok_and(|s| s.check(false).is_ok()),
    ]
    .into_iter()
    .filter(|read| *read)
    .count()
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Outremer",
        description = "Board wargames of the Crusades: the interface for programs. \
        Take a token from POST /api/guests and send it as `Authorization: Bearer TOKEN`."
    ),
    paths(
        games,
        guests,
        login,
        logout,
        forgot,
        reset,
        me,
        account,
        export,
        delete,
        sessions,
        end_session,
        end_other_sessions,
        tables,
        open,
        join,
        invite,
        uninvite,
        ready,
        view,
        act,
        reach,
        ask,
        hint,
        time,
        say,
        notes,
        seen,
        verify,
        turnings,
        rematch,
        stream,
        journal,
        record,
        tidings,
        set_tidings,
        push,
        no_push
    ),
    components(schemas(
        GuestWish,
        LoginWish,
        ResetWish,
        AccountWish,
        PasswordWish,
        ShownSession,
        Session,
        TableWish,
        Opened,
        JoinWish,
        ReadyWish,
        ActWish,
        AskWish,
        ReachWish,
        SeatWish,
        TimeWish,
        Carried,
        SayWish,
        NotesWish,
        Pace,
        HowTold,
        ToldWish,
        Subscription,
        Trouble
    ))
)]
struct Description;

/// The description of this interface.
pub(crate) async fn description() -> Json<utoipa::openapi::OpenApi> {
    Json(Description::openapi())
}

/// A page about it.
pub(crate) async fn about() -> Html<String> {
    let description = Description::openapi();
    let body = maud::html! {
        main #ui-main .narrow {
            p { a href="/" { "← Lobby" } }
            h1 { "For programs" }
            p { "Everything that the page does goes through a small interface in JSON; its description for tools is " a href="/api/openapi.json" { "openapi.json" } "." }
            pre { "curl -X POST -H 'content-type: application/json' -d '{\"name\":\"My bot\"}' …/api/guests" }
            ul { @for (path, _) in &description.paths.paths { li { code { (path) } } } }
        }
    };
    Html(crate::page::whole("For programs · Outremer", "plain", "lobby.js", None, &body).into_string())
}

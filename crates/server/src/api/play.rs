//! Playing at a table: what is seen, done, asked, said and noted there.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use table::TableError;
use utoipa::ToSchema;

use super::{Look, Sent};
use crate::App;
use crate::bots;
use crate::fault::{Fault, Trouble};
use crate::ids::TableId;
use crate::live::{Ask, Done, Remedied, Remedy};
use crate::people::{Caller, Known};

/// An action.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActWish {
    /// The seat.
    seat: u8,
    /// The number of the decision that this answers, as the view gave it.
    number: Option<u64>,
    /// Lines of notation, all done or none.
    actions: Vec<String>,
    /// For an action of a range, its amount.
    amount: Option<u32>,
    /// A key of the caller's choice: the same request with the same key is done once.
    key: Option<String>,
}

/// Something else that a seat asks.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskWish {
    /// The seat.
    seat: u8,
    /// `undo`, `commit`, `take-back`, `agree`, `disagree` or `orders`.
    ask: String,
    /// Standing orders, in notation.
    #[serde(default)]
    orders: Vec<String>,
    /// A key of the caller's choice: the same request with the same key is done once.
    key: Option<String>,
}

/// Something about time, or about somebody who is away.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TimeWish {
    /// The seat that asks; for `sit-in` the seat that a bot shall keep warm.
    seat: u8,
    /// `claim` the game, `grant` time to another, let a bot `replace` those whose time has run out, let a bot
    /// `sit-in` until its player is back (for another it is announced first), `return`, `take-back` what the bot
    /// did, or `give-up` the seat for good. Or end the game: `resign`, `offer-draw`, `agree-draw`, `decline-draw`, or
    /// `abandon` it, if nobody else plays.
    ask: String,
    /// To whom time is granted.
    to: Option<u8>,
    /// How much, in seconds [default: what a bank has at first].
    seconds: Option<u32>,
    /// The level of the bot [default: the first].
    level: Option<String>,
}

/// What became of an action.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Carried {
    /// `drafted`, `held`, `committed`, `done` or `repeated`.
    what: String,
    /// The seat's number afterwards.
    number: u64,
    /// How many actions of a batch were left unplayed, because chance or a reveal came before them.
    unplayed: usize,
}

impl From<Done> for Carried {
    fn from(done: Done) -> Self {
        Self { what: done.what.into(), number: done.number, unplayed: done.unplayed }
    }
}

/// A word at the table.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SayWish {
    /// The word.
    text: String,
    /// From which seat.
    seat: Option<u8>,
    /// Only to partners of the alliance.
    #[serde(default)]
    allies: bool,
    /// Only to these seats, and to partners if `allies` says so.
    #[serde(default)]
    to: Vec<u8>,
}

/// Private notes.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NotesWish {
    /// The text.
    text: String,
}

/// A seat.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatWish {
    /// The seat.
    seat: u8,
}

/// What the caller may see of a table, and what it may do.
#[utoipa::path(get, path = "/api/tables/{id}", params(("seat" = Option<u8>, Query)),
    responses((status = 200, description = "Scene, journal, options, refusals"), (status = 404, body = Trouble)))]
pub(crate) async fn view(
    State(app): State<App>,
    known: Option<Known>,
    id: TableId,
    Query(look): Query<Look>,
) -> Result<Response, Fault> {
    let person = known.map(|k| k.0.id);
    if let Some(person) = &person {
        app.tables().seen_again(&id, person).await?;
    }
    let prospect = app.tables().look(&id, person.as_ref(), look.seat).await?;
    Ok(Json(&prospect.sight).into_response())
}

/// Does something. A stale action changes nothing and is answered with the present view.
#[utoipa::path(post, path = "/api/tables/{id}/act", request_body = ActWish,
    responses((status = 200, body = Carried), (status = 403, body = Trouble), (status = 409, body = Trouble)))]
pub(crate) async fn act(
    State(app): State<App>,
    Known(person): Known,
    id: TableId,
    Sent(wish): Sent<ActWish>,
) -> Result<Response, Fault> {
    if wish.actions.is_empty() || wish.actions.len() > 200 {
        return Err(Fault::Wrong("send 1 to 200 actions".into()));
    }
    let mut actions = wish.actions;
    if let (Some(amount), [action]) = (wish.amount, actions.as_mut_slice()) {
        let game = {
            let table = app.tables().find(&id).await?;
            let live = table.live.lock().await;
            live.game.clone()
        };
        let unreadable =
            |e: table::ReadError| TableError::Unreadable { text: action.clone(), reason: e.to_string() };
        *action = game.with_amount(action, amount).map_err(unreadable)?.to_string();
    }
    let ask = Ask::Act { actions, number: wish.number };
    match app.tables().ask(&id, &person, wish.seat, ask, wish.key).await {
        Ok(done) => Ok(Json(Carried::from(done)).into_response()),
        Err(fault @ Fault::Table(TableError::Stale { .. })) => {
            let seen = app.tables().look(&id, Some(&person.id), Some(wish.seat)).await?;
            let body = json!({ "error": fault.word(), "message": fault.to_string(), "view": seen.sight });
            Ok((StatusCode::CONFLICT, Json(body)).into_response())
        }
        Err(fault) => Err(fault),
    }
}

/// Where picked pieces could go.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReachWish {
    /// The seat.
    seat: u8,
    /// The ids of the pieces that are picked, as the scene has them.
    picked: Vec<String>,
    /// The id of a space: then the answer has the way there, too.
    to: Option<String>,
}

/// Where picked pieces could go together, and the actions that bring them to a space: a batch for `act`.
#[utoipa::path(post, path = "/api/tables/{id}/reach", request_body = ReachWish,
    responses((status = 200, description = "`reach`, and where a space was named `route`, with the ids of what each of its actions is `about`"), (status = 403, body = Trouble)))]
pub(crate) async fn reach(
    State(app): State<App>,
    Known(person): Known,
    id: TableId,
    Sent(wish): Sent<ReachWish>,
) -> Result<Json<Value>, Fault> {
    if wish.picked.is_empty() || wish.picked.len() > 200 {
        return Err(Fault::Wrong("pick 1 to 200 pieces".into()));
    }
    let picked: Vec<&str> = wish.picked.iter().map(String::as_str).collect();
    let (reach, way) = app.tables().reach(&id, &person.id, wish.seat, &picked, wish.to.as_deref()).await?;
    let (route, about): (Vec<_>, Vec<_>) = way.into_iter().unzip();
    Ok(Json(json!({ "reach": reach, "route": route, "about": about })))
}

/// Undo, commit, take-backs, standing orders.
#[utoipa::path(post, path = "/api/tables/{id}/ask", request_body = AskWish,
    responses((status = 200, body = Carried), (status = 403, body = Trouble), (status = 409, body = Trouble)))]
pub(crate) async fn ask(
    State(app): State<App>,
    Known(person): Known,
    id: TableId,
    Sent(wish): Sent<AskWish>,
) -> Result<Json<Carried>, Fault> {
    let ask = match wish.ask.as_str() {
        "undo" => Ask::Undo,
        "commit" => Ask::Commit,
        "take-back" => Ask::AskTakeBack,
        "agree" => Ask::AnswerTakeBack(true),
        "disagree" => Ask::AnswerTakeBack(false),
        "orders" => Ask::Orders(wish.orders),
        other => {
            let known = "undo, commit, take-back, agree, disagree or orders";
            return Err(Fault::Wrong(format!("ask for {known}, not for `{other}`")));
        }
    };
    let done = app.tables().ask(&id, &person, wish.seat, ask, wish.key).await?;
    Ok(Json(done.into()))
}

/// Claims, grants of time, bots that sit in.
#[utoipa::path(post, path = "/api/tables/{id}/time", request_body = TimeWish,
    responses((status = 200, description = "Done"), (status = 403, body = Trouble), (status = 409, body = Trouble)))]
pub(crate) async fn time(
    State(app): State<App>,
    Known(person): Known,
    caller: Caller,
    id: TableId,
    Sent(wish): Sent<TimeWish>,
) -> Result<Json<Value>, Fault> {
    let voice = app.voice(person, caller.address)?;
    let level = wish.level.unwrap_or_else(|| bots::LEVELS[0].id.into());
    let remedy = Remedy::named(&wish.ask, wish.to, wish.seconds, level)?;
    Ok(Json(match app.tables().remedy(&id, &voice, wish.seat, &remedy).await? {
        Remedied::Done => json!({ "what": "done" }),
        Remedied::Announced(due) => json!({ "what": "announced", "due": due }),
    }))
}

/// What a bot that thinks for a second would do in a seat of the caller's, where the table allows hints.
#[utoipa::path(post, path = "/api/tables/{id}/hint", request_body = SeatWish,
    responses((status = 200, description = "Choices, the best first"), (status = 409, body = Trouble)))]
pub(crate) async fn hint(
    State(app): State<App>,
    Known(person): Known,
    id: TableId,
    Sent(wish): Sent<SeatWish>,
) -> Result<Response, Fault> {
    Ok(Json(app.tables().hint(&id, &person, wish.seat).await?).into_response())
}

/// Says something.
#[utoipa::path(post, path = "/api/tables/{id}/say", request_body = SayWish,
    responses((status = 200, description = "Said"), (status = 400, body = Trouble)))]
pub(crate) async fn say(
    State(app): State<App>,
    Known(person): Known,
    caller: Caller,
    id: TableId,
    Sent(wish): Sent<SayWish>,
) -> Result<Json<Value>, Fault> {
    let voice = app.voice(person, caller.address)?;
    app.tables().say(&id, &voice, wish.seat, wish.allies, &wish.to, &wish.text).await?;
    Ok(Json(json!({})))
}

/// Keeps private notes about a table.
#[utoipa::path(put, path = "/api/tables/{id}/notes", request_body = NotesWish,
    responses((status = 200, description = "Kept")))]
pub(crate) async fn notes(
    State(app): State<App>,
    Known(person): Known,
    id: TableId,
    Sent(wish): Sent<NotesWish>,
) -> Result<Json<Value>, Fault> {
    app.tables().find(&id).await?;
    let text: String = crate::secret::without_nul(&wish.text).chars().take(20_000).collect();
    app.store().set_notes(id, person.id, text).await?;
    Ok(Json(json!({})))
}

/// The caller has seen all that there is to see from a seat of its own.
#[utoipa::path(put, path = "/api/tables/{id}/seen", request_body = SeatWish,
    responses((status = 200, description = "Kept")))]
pub(crate) async fn seen(
    State(app): State<App>,
    Known(person): Known,
    id: TableId,
    Sent(wish): Sent<SeatWish>,
) -> Result<Json<Value>, Fault> {
    app.tables().has_seen(&id, &person.id, wish.seat).await?;
    Ok(Json(json!({})))
}

/// Rolls every die of a finished game again from its seed.
#[utoipa::path(get, path = "/api/tables/{id}/verify",
    responses((status = 200, description = "All dice are as the seed says"), (status = 409, body = Trouble)))]
pub(crate) async fn verify(State(app): State<App>, id: TableId) -> Result<Json<Value>, Fault> {
    let results = app.tables().verify(&id).await?;
    Ok(Json(json!({ "holds": true, "results": results })))
}

/// Where a finished game was won and lost.
#[utoipa::path(get, path = "/api/tables/{id}/turnings", params(("seat" = Option<u8>, Query)),
    responses((status = 200, description = "Up to three moments, and the chances over the whole game"), (status = 409, body = Trouble)))]
pub(crate) async fn turnings(
    State(app): State<App>,
    id: TableId,
    Query(look): Query<Look>,
) -> Result<Response, Fault> {
    let points = app.tables().turning_points(app.turnings(), &id, look.seat).await?;
    Ok(Json(&*points).into_response())
}

/// Which page of a journal.
#[derive(Debug, Deserialize)]
pub(crate) struct PageOf {
    seat: Option<u8>,
    below: Option<usize>,
}

/// A page of the journal: the last, or the one that ends before a group.
#[utoipa::path(get, path = "/api/tables/{id}/journal", params(("seat" = Option<u8>, Query), ("below" = Option<usize>, Query)),
    responses((status = 200, description = "`journal`, and in `journal_from` the number of its first group"), (status = 404, body = Trouble)))]
pub(crate) async fn journal(
    State(app): State<App>,
    known: Option<Known>,
    id: TableId,
    Query(page): Query<PageOf>,
) -> Result<Response, Fault> {
    let person = known.map(|k| k.0.id);
    let page = app.tables().journal_page(&id, person.as_ref(), page.seat, page.below).await?;
    Ok(Json(page).into_response())
}

/// The record of a finished game; of one that has stopped, what a seat of the caller's has seen.
#[utoipa::path(get, path = "/api/tables/{id}/record", params(("seat" = Option<u8>, Query)),
    responses((status = 200, description = "The record as text"), (status = 409, body = Trouble)))]
pub(crate) async fn record(
    State(app): State<App>,
    known: Option<Known>,
    id: TableId,
    Query(look): Query<Look>,
) -> Result<String, Fault> {
    let person = known.map(|k| k.0.id);
    app.tables().record(&id, person.as_ref(), look.seat).await
}

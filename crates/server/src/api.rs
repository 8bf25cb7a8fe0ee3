//! The interface for programs: JSON, the same door that the page's own script uses.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use table::{TableError, Wishes};
use utoipa::{OpenApi, ToSchema};

use crate::App;
use crate::bots;
use crate::clock::Pace;
use crate::fault::{Fault, Trouble};
use crate::house::{House, game_options};
use crate::live::{Ask, Done, Opening, Remedy, Sitter};
use crate::people::Known;
use crate::store::{Kind, Listing};
use crate::tidings::push::Subscription;

/// A body in JSON; what is wrong with it is told in our own words.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Fault))]
pub(crate) struct Sent<T>(T);

impl From<JsonRejection> for Fault {
    fn from(rejection: JsonRejection) -> Self {
        Self::Wrong(rejection.body_text())
    }
}

/// A new guest.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct GuestWish {
    /// The name that others see.
    name: String,
}

/// A session.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Session {
    /// The person's id.
    id: String,
    /// The token, to be sent as `Authorization: Bearer TOKEN`.
    token: String,
}

/// A new table.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableWish {
    /// The game's id.
    game: String,
    /// The scenario [default: the game's first].
    scenario: Option<String>,
    /// Options of the set-up.
    #[serde(default)]
    options: BTreeMap<String, String>,
    /// Seat by seat: `me`, `open`, `invite` or `bot:LEVEL`.
    seats: Vec<String>,
    /// Whether the lobby lists it.
    #[serde(default)]
    listed: bool,
    /// Clocks: seconds in the bank and for each decision [default: none].
    clock: Option<Pace>,
    /// Whether players may ask for hints.
    #[serde(default)]
    hints: bool,
}

/// A new table's answer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Opened {
    /// The table's id.
    id: String,
}

/// Somebody sits down.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct JoinWish {
    /// On which open seat [default: the first].
    seat: Option<u8>,
    /// With the secret of a seat's link.
    link: Option<String>,
}

/// A seat is ready and adds to the dice.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ReadyWish {
    /// The seat.
    seat: u8,
    /// Up to sixteen hexadecimal digits, chosen after the commitment was seen.
    nonce: String,
}

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
    /// `sit-in` until its player is back, or `return`.
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
}

/// Private notes.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NotesWish {
    /// The text.
    text: String,
}

/// Through whose eyes.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Eyes {
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
            "least_seats": title.least_seats,
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

/// A new guest and its token.
#[utoipa::path(post, path = "/api/guests", request_body = GuestWish,
    responses((status = 200, body = Session), (status = 400, body = Trouble)))]
pub(crate) async fn guests(
    State(app): State<App>,
    Sent(wish): Sent<GuestWish>,
) -> Result<Json<Session>, Fault> {
    let (person, token) = app.new_guest(&wish.name).await?;
    Ok(Json(Session { id: person.id, token }))
}

/// Tables: open ones, those being played, and the caller's own.
#[utoipa::path(get, path = "/api/tables", responses((status = 200, description = "Lists of tables")))]
pub(crate) async fn tables(State(app): State<App>, known: Option<Known>) -> Result<Json<Value>, Fault> {
    let me = known.map(|k| k.0.id);
    let mine = match &me {
        Some(person) => app.store().list(Listing::Of(person.clone()), 200).await?,
        None => Vec::new(),
    };
    // Whether another's seat is awaited would tell whether it has chosen in secret.
    let own = |seats: &[crate::store::SeatRow]| {
        let mine = |s: &crate::store::SeatRow| me.is_some() && s.person == me;
        seats.iter().enumerate().filter(|(_, s)| mine(s)).fold(0u8, |bits, (i, _)| bits | 1 << i)
    };
    let show = |rows: Vec<(crate::store::TableRow, Vec<crate::store::SeatRow>)>| -> Vec<Value> {
        let one = |(row, seats): (crate::store::TableRow, Vec<crate::store::SeatRow>)| {
            let waiting = row.waiting & own(&seats);
            let seats: Vec<_> = seats
                .iter()
                .map(|s| json!({ "kind": s.kind, "player": if s.kind == Kind::Bot { "bot" } else { &s.name } }))
                .collect();
            json!({ "id": row.id, "game": row.game, "scenario": row.scenario, "stage": row.stage,
                "waiting": waiting, "headline": row.headline, "touched": row.touched, "seats": seats })
        };
        rows.into_iter().map(one).collect()
    };
    Ok(Json(json!({
        "open": show(app.store().list(Listing::Open, 100).await?),
        "running": show(app.store().list(Listing::Running, 100).await?),
        "mine": show(mine),
    })))
}

/// Opens a table.
#[utoipa::path(post, path = "/api/tables", request_body = TableWish,
    responses((status = 200, body = Opened), (status = 400, body = Trouble)))]
pub(crate) async fn open(
    State(app): State<App>,
    Known(person): Known,
    Sent(wish): Sent<TableWish>,
) -> Result<Json<Opened>, Fault> {
    let sitter = |word: &String| match word.as_str() {
        "me" => Ok(Sitter::Me),
        "open" => Ok(Sitter::Open),
        "invite" => Ok(Sitter::Invited),
        other => other.strip_prefix("bot:").map(|l| Sitter::Bot(l.into())).ok_or_else(|| {
            Fault::Wrong(format!("a seat is `me`, `open`, `invite` or `bot:LEVEL`, not `{other}`"))
        }),
    };
    let opening = Opening {
        seats: wish.seats.iter().map(sitter).collect::<Result<_, _>>()?,
        game: wish.game,
        wishes: Wishes { scenario: wish.scenario, seats: None, options: wish.options },
        listed: wish.listed,
        pace: wish.clock,
        house: House { hints: wish.hints, analysis: false },
    };
    Ok(Json(Opened { id: app.tables().open(&person, opening).await? }))
}

/// Sits down at a table.
#[utoipa::path(post, path = "/api/tables/{id}/join", request_body = JoinWish,
    responses((status = 200, description = "The seat"), (status = 403, body = Trouble)))]
pub(crate) async fn join(
    State(app): State<App>,
    Known(person): Known,
    Path(id): Path<String>,
    Sent(wish): Sent<JoinWish>,
) -> Result<Json<Value>, Fault> {
    let seat = app.tables().sit(&id, &person, wish.seat, wish.link.as_deref()).await?;
    Ok(Json(json!({ "seat": seat })))
}

/// Makes a secret link for a seat.
#[utoipa::path(post, path = "/api/tables/{id}/invite/{seat}",
    responses((status = 200, description = "The link"), (status = 403, body = Trouble)))]
pub(crate) async fn invite(
    State(app): State<App>,
    Known(person): Known,
    Path((id, seat)): Path<(String, u8)>,
) -> Result<Json<Value>, Fault> {
    let link = app.tables().invite(&id, &person, seat).await?;
    Ok(Json(json!({ "link": link, "path": format!("/t/{id}/seat/{link}") })))
}

/// Adds a seat's number to the dice; when all have, the game begins.
#[utoipa::path(post, path = "/api/tables/{id}/ready", request_body = ReadyWish,
    responses((status = 200, description = "Done"), (status = 403, body = Trouble)))]
pub(crate) async fn ready(
    State(app): State<App>,
    Known(person): Known,
    Path(id): Path<String>,
    Sent(wish): Sent<ReadyWish>,
) -> Result<Json<Value>, Fault> {
    let nonce = u64::from_str_radix(&wish.nonce, 16)
        .map_err(|_| Fault::Wrong("a nonce has 1 to 16 hexadecimal digits".into()))?;
    app.tables().ready(&id, &person, wish.seat, nonce).await?;
    Ok(Json(json!({})))
}

/// What the caller may see of a table, and what it may do.
#[utoipa::path(get, path = "/api/tables/{id}", params(("seat" = Option<u8>, Query)),
    responses((status = 200, description = "Scene, journal, options, refusals"), (status = 404, body = Trouble)))]
pub(crate) async fn view(
    State(app): State<App>,
    known: Option<Known>,
    Path(id): Path<String>,
    Query(eyes): Query<Eyes>,
) -> Result<Response, Fault> {
    let person = known.map(|k| k.0.id);
    let sight = app.tables().look(&id, person.as_deref(), eyes.seat).await?;
    Ok(Json(sight).into_response())
}

/// Does something. A stale action changes nothing and is answered with the present view.
#[utoipa::path(post, path = "/api/tables/{id}/act", request_body = ActWish,
    responses((status = 200, body = Carried), (status = 403, body = Trouble), (status = 409, body = Trouble)))]
pub(crate) async fn act(
    State(app): State<App>,
    Known(person): Known,
    Path(id): Path<String>,
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
            let sight = app.tables().look(&id, Some(&person.id), Some(wish.seat)).await?;
            let body = json!({ "error": fault.word(), "message": fault.to_string(), "view": sight });
            Ok((StatusCode::CONFLICT, Json(body)).into_response())
        }
        Err(fault) => Err(fault),
    }
}

/// Undo, commit, take-backs, standing orders.
#[utoipa::path(post, path = "/api/tables/{id}/ask", request_body = AskWish,
    responses((status = 200, body = Carried), (status = 403, body = Trouble), (status = 409, body = Trouble)))]
pub(crate) async fn ask(
    State(app): State<App>,
    Known(person): Known,
    Path(id): Path<String>,
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
    Path(id): Path<String>,
    Sent(wish): Sent<TimeWish>,
) -> Result<Json<Value>, Fault> {
    let level = wish.level.unwrap_or_else(|| bots::LEVELS[0].id.into());
    let remedy = Remedy::named(&wish.ask, wish.to, wish.seconds, level)?;
    app.tables().remedy(&id, &person, wish.seat, &remedy).await?;
    Ok(Json(json!({})))
}

/// Says something.
#[utoipa::path(post, path = "/api/tables/{id}/say", request_body = SayWish,
    responses((status = 200, description = "Said"), (status = 400, body = Trouble)))]
pub(crate) async fn say(
    State(app): State<App>,
    Known(person): Known,
    Path(id): Path<String>,
    Sent(wish): Sent<SayWish>,
) -> Result<Json<Value>, Fault> {
    app.tables().say(&id, &person, wish.seat, wish.allies, &wish.text).await?;
    Ok(Json(json!({})))
}

/// Keeps private notes about a table.
#[utoipa::path(put, path = "/api/tables/{id}/notes", request_body = NotesWish,
    responses((status = 200, description = "Kept")))]
pub(crate) async fn notes(
    State(app): State<App>,
    Known(person): Known,
    Path(id): Path<String>,
    Sent(wish): Sent<NotesWish>,
) -> Result<Json<Value>, Fault> {
    app.tables().find(&id).await?;
    let text: String = crate::secret::without_nul(&wish.text).chars().take(20_000).collect();
    app.store().set_notes(id, person.id, text).await?;
    Ok(Json(json!({})))
}

/// Rolls every die of a finished game again from its seed.
#[utoipa::path(get, path = "/api/tables/{id}/verify",
    responses((status = 200, description = "All dice are as the seed says"), (status = 409, body = Trouble)))]
pub(crate) async fn verify(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Value>, Fault> {
    let results = app.tables().verify(&id).await?;
    Ok(Json(json!({ "holds": true, "results": results })))
}

/// A new table like this one, sides swapped.
#[utoipa::path(post, path = "/api/tables/{id}/rematch", responses((status = 200, body = Opened)))]
pub(crate) async fn rematch(
    State(app): State<App>,
    Known(person): Known,
    Path(id): Path<String>,
) -> Result<Json<Opened>, Fault> {
    let table = app.tables().find(&id).await?;
    let opening = {
        let live = table.live.lock().await;
        if live.held_by(Some(&person.id)).is_empty() {
            return Err(Fault::NotYours("only players can ask for a rematch".into()));
        }
        if !live.over() {
            return Err(Fault::Stage("the game is not over".into()));
        }
        let mut seats: Vec<_> = live
            .seats
            .iter()
            .map(|row| match row.kind {
                Kind::Bot => Sitter::Bot(row.name.clone()),
                _ if row.person.as_ref() == Some(&person.id) => Sitter::Me,
                _ => Sitter::Invited,
            })
            .collect();
        seats.rotate_right(1);
        Opening {
            game: live.row.game.clone(),
            wishes: Wishes {
                scenario: Some(live.row.scenario.clone()),
                seats: None,
                options: game_options(&live.row.options),
            },
            seats,
            listed: false,
            pace: live.pace(),
            house: House { analysis: false, ..House::of(&live.row) },
        }
    };
    Ok(Json(Opened { id: app.tables().open(&person, opening).await? }))
}

/// A seat.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatWish {
    /// The seat.
    seat: u8,
}

/// What a bot that thinks for a second would do in a seat of the caller's, where the table allows hints.
#[utoipa::path(post, path = "/api/tables/{id}/hint", request_body = SeatWish,
    responses((status = 200, description = "Choices, the best first"), (status = 409, body = Trouble)))]
pub(crate) async fn hint(
    State(app): State<App>,
    Known(person): Known,
    Path(id): Path<String>,
    Sent(wish): Sent<SeatWish>,
) -> Result<Response, Fault> {
    Ok(Json(app.tables().hint(&id, &person, wish.seat).await?).into_response())
}

/// Where a finished game was won and lost.
#[utoipa::path(get, path = "/api/tables/{id}/turnings", params(("seat" = Option<u8>, Query)),
    responses((status = 200, description = "Up to three moments"), (status = 409, body = Trouble)))]
pub(crate) async fn turnings(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(eyes): Query<Eyes>,
) -> Result<Response, Fault> {
    let points = app.tables().turning_points(app.turnings_told(), &id, eyes.seat).await?;
    Ok(Json(json!({ "turnings": *points })).into_response())
}

/// The caller has seen all that there is to see from a seat of its own.
#[utoipa::path(put, path = "/api/tables/{id}/seen", request_body = SeatWish,
    responses((status = 200, description = "Kept")))]
pub(crate) async fn seen(
    State(app): State<App>,
    Known(person): Known,
    Path(id): Path<String>,
    Sent(wish): Sent<SeatWish>,
) -> Result<Json<Value>, Fault> {
    app.tables().has_seen(&id, &person.id, wish.seat).await?;
    Ok(Json(json!({})))
}

/// The table as it goes: lines of JSON, first the whole view, then what changed in it.
#[utoipa::path(get, path = "/api/tables/{id}/stream", params(("seat" = Option<u8>, Query)),
    responses((status = 200, description = "Lines: `whole`, then `change` with the fields that changed")))]
pub(crate) async fn stream(
    State(app): State<App>,
    known: Option<Known>,
    Path(id): Path<String>,
    Query(eyes): Query<Eyes>,
) -> Result<Response, Fault> {
    let person = known.map(|k| k.0.id);
    let table = app.tables().find(&id).await?;
    let guest = app.enter_socket()?;
    let presence = person.as_deref().map(|p| table.enter(p));
    let changes = table.watch();
    let closing = app.closing();
    let start = (app, changes, closing, None::<Value>, presence, guest);
    let lines = stream::unfold(start, move |(app, mut changes, mut closing, last, presence, guest)| {
        let (id, person) = (id.clone(), person.clone());
        async move {
            loop {
                changes.mark_unchanged();
                let sight = app.tables().look(&id, person.as_deref(), eyes.seat).await.ok()?;
                let now = serde_json::to_value(sight).ok()?;
                let line = match &last {
                    None => Some(json!({ "type": "whole", "view": now })),
                    Some(last) => difference(last, &now),
                };
                if let Some(line) = line {
                    let text = format!("{line}\n");
                    let next = (app, changes, closing, Some(now), presence, guest);
                    return Some((Ok::<_, Infallible>(text), next));
                }
                tokio::select! {
                    changed = changes.changed() => changed.ok()?,
                    _ = closing.changed() => return None,
                }
            }
        }
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response())
}

/// The fields that changed; lists that only grew are told by what was added.
fn difference(last: &Value, now: &Value) -> Option<Value> {
    let (Value::Object(last), Value::Object(now)) = (last, now) else { return None };
    let (mut changed, mut added) = (serde_json::Map::new(), serde_json::Map::new());
    for (key, value) in now.iter().filter(|(key, value)| last.get(*key) != Some(value)) {
        match (last.get(key), value) {
            (Some(Value::Array(old)), Value::Array(new))
                if !old.is_empty() && new.len() > old.len() && new[..old.len()] == old[..] =>
            {
                added.insert(key.clone(), Value::Array(new[old.len()..].to_vec()));
            }
            _ => {
                changed.insert(key.clone(), value.clone());
            }
        }
    }
    (!changed.is_empty() || !added.is_empty())
        .then(|| json!({ "type": "change", "changed": changed, "added": added }))
}

/// The record of a finished game.
#[utoipa::path(get, path = "/api/tables/{id}/record",
    responses((status = 200, description = "The record as text"), (status = 409, body = Trouble)))]
pub(crate) async fn record(State(app): State<App>, Path(id): Path<String>) -> Result<String, Fault> {
    app.tables().record(&id).await
}

/// How the caller is told when a table waits for him.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HowTold {
    /// The address of a webhook.
    webhook: Option<String>,
    /// An e-mail address.
    mail: Option<String>,
    /// Whether its owner has confirmed it.
    mail_confirmed: bool,
    /// The push services of the caller's browsers.
    browsers: Vec<String>,
    /// Whether this server sends e-mail.
    sends_mail: bool,
    /// The key that a browser must be given to subscribe.
    push_key: String,
}

/// How the caller wants to be told.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToldWish {
    /// The address of a webhook; empty for none; left out to leave it as it is.
    webhook: Option<String>,
    /// An e-mail address, which must be confirmed by a link that is sent there; empty for none.
    mail: Option<String>,
}

async fn how_told(app: &App, person: &str) -> Result<HowTold, Fault> {
    let told = app.told(person).await?;
    Ok(HowTold {
        webhook: told.webhook,
        mail_confirmed: told.mail.as_ref().is_some_and(|m| m.confirmed),
        mail: told.mail.map(|m| m.address),
        browsers: told.push.into_iter().map(|b| b.endpoint).collect(),
        sends_mail: app.post().is_some(),
        push_key: app.push_keys().await?.public(),
    })
}

/// How the caller is told.
#[utoipa::path(get, path = "/api/me/tidings", responses((status = 200, body = HowTold)))]
pub(crate) async fn tidings(State(app): State<App>, Known(person): Known) -> Result<Json<HowTold>, Fault> {
    how_told(&app, &person.id).await.map(Json)
}

/// Changes how the caller is told.
#[utoipa::path(put, path = "/api/me/tidings", request_body = ToldWish,
    responses((status = 200, body = HowTold), (status = 400, body = Trouble)))]
pub(crate) async fn set_tidings(
    State(app): State<App>,
    Known(person): Known,
    Sent(wish): Sent<ToldWish>,
) -> Result<Json<HowTold>, Fault> {
    app.tell_by(&person.id, wish.webhook.as_deref(), wish.mail.as_deref()).await?;
    how_told(&app, &person.id).await.map(Json)
}

/// A browser of the caller wants to be told.
#[utoipa::path(post, path = "/api/me/push", request_body = Subscription,
    responses((status = 200, description = "Kept"), (status = 400, body = Trouble)))]
pub(crate) async fn push(
    State(app): State<App>,
    Known(person): Known,
    Sent(browser): Sent<Subscription>,
) -> Result<Json<Value>, Fault> {
    app.tell_browser(&person.id, browser, true).await?;
    Ok(Json(json!({})))
}

/// A browser of the caller no longer wants to be told.
#[utoipa::path(delete, path = "/api/me/push", request_body = Subscription,
    responses((status = 200, description = "Forgotten")))]
pub(crate) async fn no_push(
    State(app): State<App>,
    Known(person): Known,
    Sent(browser): Sent<Subscription>,
) -> Result<Json<Value>, Fault> {
    app.tell_browser(&person.id, browser, false).await?;
    Ok(Json(json!({})))
}

/// Reads bytes as each of the bodies that programs send; how many of them they could be.
pub(crate) fn readings(bytes: &[u8]) -> usize {
    fn reads<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> bool {
        serde_json::from_slice::<T>(bytes).is_ok()
    }
    [
        reads::<GuestWish>(bytes),
        reads::<TableWish>(bytes),
        reads::<JoinWish>(bytes),
        reads::<ReadyWish>(bytes),
        reads::<ActWish>(bytes),
        reads::<AskWish>(bytes),
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
        tables,
        open,
        join,
        invite,
        ready,
        view,
        act,
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
        record,
        tidings,
        set_tidings,
        push,
        no_push
    ),
    components(schemas(
        GuestWish,
        Session,
        TableWish,
        Opened,
        JoinWish,
        ReadyWish,
        ActWish,
        AskWish,
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

//! Tables: the lists of them, a new one, its seats.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use table::Wishes;
use utoipa::ToSchema;

use super::{SeatOf, Sent};
use crate::App;
use crate::clock::Pace;
use crate::fault::{Fault, Trouble};
use crate::ids::TableId;
use crate::live::{Opening, Sitter};
use crate::people::{Caller, Known};
use crate::store::{Allowance, Kind, Listing, SeatRow, TableRow, TableStage, Tempo, bits, held_by};

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
    /// How quickly bots play: `at-once`, `steady` or `leisurely` [default: steady].
    #[serde(default)]
    tempo: Tempo,
    /// Without clocks: how long somebody must be away before a bot may sit in for him, in seconds, an hour at
    /// least [default: a day].
    absence: Option<u32>,
}

/// A new table's answer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Opened {
    /// The table's id.
    #[schema(value_type = String)]
    id: TableId,
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

/// Tables: open ones, those being played, and the caller's own.
#[utoipa::path(get, path = "/api/tables", responses((status = 200, description = "Lists of tables")))]
pub(crate) async fn tables(State(app): State<App>, known: Option<Known>) -> Result<Json<Value>, Fault> {
    let me = known.map(|k| k.0.id);
    let mine = match &me {
        Some(person) => app.store().list(Listing::Of(person.clone()), 200).await?,
        None => Vec::new(),
    };
    // Whether another's seat is awaited would tell whether it has chosen in secret.
    let own = |seats: &[SeatRow]| held_by(seats, me.as_ref());
    let show = |rows: Vec<(TableRow, Vec<SeatRow>)>| -> Vec<Value> {
        let one = |(row, seats): (TableRow, Vec<SeatRow>)| {
            let waiting = bits(row.waiting.both(own(&seats)));
            let seats: Vec<_> = seats
                .iter()
                .map(|s| json!({ "kind": s.kind, "player": if s.kind == Kind::Bot { "bot" } else { &s.name } }))
                .collect();
            // Why a table has stopped may hold its secrets.
            let headline = if row.stage == TableStage::Over { row.headline.as_str() } else { "" };
            json!({ "id": row.id, "game": row.game, "scenario": row.scenario, "stage": row.stage,
                "waiting": waiting, "headline": headline, "touched": row.touched, "seats": seats })
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
        "nobody" => Ok(Sitter::Nobody),
        other => other.strip_prefix("bot:").map(|l| Sitter::Bot(l.into())).ok_or_else(|| {
            Fault::Wrong(format!("a seat is `me`, `open`, `invite`, `nobody` or `bot:LEVEL`, not `{other}`"))
        }),
    };
    let opening = Opening {
        seats: wish.seats.iter().map(sitter).collect::<Result<_, _>>()?,
        game: wish.game,
        wishes: Wishes { scenario: wish.scenario, seats: None, options: wish.options },
        listed: wish.listed,
        pace: wish.clock,
        allowance: Allowance { hints: wish.hints, analysis: false, tempo: wish.tempo },
        absence: wish.absence,
    };
    Ok(Json(Opened { id: app.tables().open(&person, opening).await? }))
}

/// Sits down at a table.
#[utoipa::path(post, path = "/api/tables/{id}/join", request_body = JoinWish,
    responses((status = 200, description = "The seat"), (status = 403, body = Trouble)))]
pub(crate) async fn join(
    State(app): State<App>,
    Known(person): Known,
    id: TableId,
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
    caller: Caller,
    id: TableId,
    Path(SeatOf { seat }): Path<SeatOf>,
) -> Result<Json<Value>, Fault> {
    let voice = app.voice(person, caller.address)?;
    let link = app.tables().invite(&id, &voice, seat).await?;
    Ok(Json(json!({ "link": link, "path": format!("/t/{id}/seat/{link}") })))
}

/// The secret link for a seat stops working.
#[utoipa::path(delete, path = "/api/tables/{id}/invite/{seat}",
    responses((status = 200, description = "Done"), (status = 403, body = Trouble)))]
pub(crate) async fn uninvite(
    State(app): State<App>,
    Known(person): Known,
    caller: Caller,
    id: TableId,
    Path(SeatOf { seat }): Path<SeatOf>,
) -> Result<Json<Value>, Fault> {
    let voice = app.voice(person, caller.address)?;
    app.tables().uninvite(&id, &voice, seat).await?;
    Ok(Json(json!({})))
}

/// Adds a seat's number to the dice; when all have, the game begins.
#[utoipa::path(post, path = "/api/tables/{id}/ready", request_body = ReadyWish,
    responses((status = 200, description = "Done"), (status = 403, body = Trouble)))]
pub(crate) async fn ready(
    State(app): State<App>,
    Known(person): Known,
    id: TableId,
    Sent(wish): Sent<ReadyWish>,
) -> Result<Json<Value>, Fault> {
    let nonce = u64::from_str_radix(&wish.nonce, 16)
        .map_err(|_| Fault::Wrong("a nonce has 1 to 16 hexadecimal digits".into()))?;
    app.tables().ready(&id, &person, wish.seat, nonce).await?;
    Ok(Json(json!({})))
}

/// A new table like this one, sides swapped.
#[utoipa::path(post, path = "/api/tables/{id}/rematch", responses((status = 200, body = Opened)))]
pub(crate) async fn rematch(
    State(app): State<App>,
    Known(person): Known,
    id: TableId,
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
                Kind::Nobody => Sitter::Nobody,
                _ if row.person.as_ref() == Some(&person.id) => Sitter::Me,
                _ => Sitter::Invited,
            })
            .collect();
        // Who sits changes, which seats are played does not.
        let mut played: Vec<_> = seats.iter().filter(|s| **s != Sitter::Nobody).cloned().collect();
        let by = played.len().min(1);
        played.rotate_right(by);
        let mut played = played.into_iter();
        for seat in seats.iter_mut().filter(|s| **s != Sitter::Nobody) {
            *seat = played.next().unwrap_or(Sitter::Nobody);
        }
        Opening {
            game: live.row.game.clone(),
            wishes: Wishes {
                scenario: Some(live.row.scenario.clone()),
                seats: None,
                options: live.row.options.clone(),
            },
            seats,
            listed: false,
            pace: live.row.pace,
            allowance: Allowance { analysis: false, ..live.row.allowance },
            absence: Some(live.row.absence),
        }
    };
    Ok(Json(Opened { id: app.tables().open(&person, opening).await? }))
}

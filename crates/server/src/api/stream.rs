//! The table as it goes: lines of JSON for a program that watches.

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

use super::Look;
use crate::App;
use crate::bells::Listening;
use crate::fault::Fault;
use crate::ids::TableId;
use crate::people::{Caller, InSession, Known};

/// The table as it goes: lines of JSON, first the whole view, then what changed in it.
#[utoipa::path(get, path = "/api/tables/{id}/stream", params(("seat" = Option<u8>, Query)),
    responses((status = 200, description = "Lines: `whole`, then `change` with the fields that changed")))]
pub(crate) async fn stream(
    State(app): State<App>,
    known: Option<Known>,
    InSession(session): InSession,
    caller: Caller,
    id: TableId,
    Query(look): Query<Look>,
) -> Result<Response, Fault> {
    let person = known.map(|k| k.0.id);
    let table = app.tables().find(&id).await?;
    let guest = app.enter_socket(caller.address)?;
    let watched = app.clone();
    let ended = async move { watched.until_it_ends(session).await };
    let presence = person.as_ref().map(|p| table.enter(p));
    let closing = app.closing();
    let start = (app, None::<Listening>, closing, None::<Value>, presence, guest);
    let lines = stream::unfold(start, move |(app, news, mut closing, last, presence, guest)| {
        let (id, person, table) = (id.clone(), person.clone(), table.clone());
        async move {
            let mut news = news;
            loop {
                if let Some(mut news) = news.take() {
                    tokio::select! {
                        changed = news.changed() => changed?,
                        _ = closing.changed() => return None,
                    }
                }
                // Looking takes its turn at the table in a task of its own: a caller who stops reading would
                // otherwise keep the turn, and everybody waiting.
                let (looking, id, person) = (app.clone(), id.clone(), person.clone());
                let table = table.clone();
                let look = async move {
                    let tables = looking.tables();
                    let news = table.listen(tables.seats_seen(&id, person.as_ref(), look.seat).await?);
                    Ok::<_, Fault>((news, tables.look(&id, person.as_ref(), look.seat).await?))
                };
                let (listening, prospect) = tokio::spawn(look).await.ok()?.ok()?;
                news = Some(listening);
                let now = serde_json::to_value(&prospect.sight).ok()?;
                let line = match &last {
                    None => Some(json!({ "type": "whole", "view": now })),
                    Some(last) => difference(last, &now),
                };
                if let Some(line) = line {
                    let text = format!("{line}\n");
                    let next = (app, news, closing, Some(now), presence, guest);
                    return Some((Ok::<_, Infallible>(text), next));
                }
            }
        }
    });
    // A stream ends with the session that it was opened with.
    let lines = lines.take_until(Box::pin(ended));
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

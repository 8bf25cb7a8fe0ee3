//! The pages and forms of people.
//!
//! | module | what it holds |
//! |---|---|
//! | `lobby` | games, new tables, the next one that waits |
//! | `table` | the page of a table, and looking back at it |
//! | `rules` | the rules of the games |
//! | `you` | who one is, and how one is told |

use axum::Form;
use axum::extract::{FromRequestParts, State};
use axum::http::{StatusCode, header, request::Parts};
use axum::response::{Html, IntoResponse, Redirect, Response};
use serde::Deserialize;

use crate::App;
use crate::fault::Fault;
use crate::ids::TableId;
use crate::page;
use crate::people::{Caller, Known, session_cookie};
use crate::store::PersonRow;

mod lobby;
mod rules;
mod table;
mod you;

pub(crate) use lobby::*;
pub(crate) use rules::*;
pub(crate) use table::*;
pub(crate) use you::*;

/// A fault as a page.
pub(crate) struct PageFault(Fault);

impl<F: Into<Fault>> From<F> for PageFault {
    fn from(fault: F) -> Self {
        Self(fault.into())
    }
}

impl IntoResponse for PageFault {
    fn into_response(self) -> Response {
        if self.0 == Fault::Unknown {
            return Redirect::to("/you").into_response();
        }
        let status = self.0.status();
        let page = page::trouble(status.as_u16(), &self.0.to_string());
        (status, Html(page.into_string())).into_response()
    }
}

/// Somebody who has said who he is; whoever has not is led to where he can.
pub(crate) struct Named(PersonRow);

impl FromRequestParts<App> for Named {
    type Rejection = PageFault;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, PageFault> {
        let Known(person) = <Known as FromRequestParts<App>>::from_request_parts(parts, app).await?;
        Ok(Self(person))
    }
}

/// The table that an address names.
pub(crate) struct At(TableId);

impl FromRequestParts<App> for At {
    type Rejection = PageFault;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, PageFault> {
        Ok(Self(TableId::from_request_parts(parts, app).await?))
    }
}

type Page = Result<Response, PageFault>;
type Fields = Form<Vec<(String, String)>>;

fn shown(markup: maud::Markup) -> Response {
    Html(markup.into_string()).into_response()
}

fn field<'a>(fields: &'a [(String, String)], name: &str) -> Option<&'a str> {
    fields.iter().find(|(k, _)| k == name).map(|(_, v)| v.as_str()).filter(|v| !v.trim().is_empty())
}

/// How somebody looks: from which seat, by day or by night, at which moment.
#[derive(Deserialize)]
pub(crate) struct Look {
    #[serde(rename = "as")]
    pub(crate) seat: Option<u8>,
    pub(crate) theme: Option<String>,
    pub(crate) at: Option<usize>,
    pub(crate) below: Option<usize>,
}

/// An answer that sets the session's cookie; an empty one takes it away.
pub(crate) fn with_session(app: &App, response: Response, token: &str) -> Response {
    (session_cookie(app.limits(), token.to_string()), response).into_response()
}

/// Who asks; a new guest, if nobody yet, and then the token of his session.
async fn somebody(
    app: &App,
    known: Option<Known>,
    caller: &Caller,
    fields: &[(String, String)],
) -> Result<(PersonRow, Option<String>), Fault> {
    if let Some(Known(person)) = known {
        return Ok((person, None));
    }
    let (person, token) = app.new_guest(field(fields, "name").unwrap_or("Guest"), &caller.agent).await?;
    Ok((person, Some(token)))
}

fn go(app: &App, to: &str, token: Option<String>) -> Response {
    let response = Redirect::to(to).into_response();
    match token {
        Some(token) => with_session(app, response, &token),
        None => response,
    }
}

pub(crate) async fn missing() -> PageFault {
    PageFault(Fault::Missing("page at this address".into()))
}

pub(crate) async fn health(State(app): State<App>) -> Response {
    match app.health().await {
        Ok(()) => (StatusCode::OK, "ok\n").into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

/// The counts, for who sits at the machine itself: on a small server they would tell how often an opponent
/// clicks.
pub(crate) async fn metrics(State(app): State<App>, request: axum::extract::Request) -> Response {
    if !crate::limits::at_home(&request) {
        return missing().await.into_response();
    }
    let text = app.tables().metrics().text(app.tables().in_memory());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

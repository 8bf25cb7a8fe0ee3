//! Who one is: a guest's name, an account, sessions, how one is told, and going for good.

use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::{Fields, Named, Page, field, go, shown, with_session};
use crate::App;
use crate::fault::Fault;
use crate::page;
use crate::people::{Caller, InSession, Known};
use crate::store::PersonRow;

/// Where to go once somebody has said who he is: a path of this house, else the lobby.
fn onwards(then: Option<&str>) -> &str {
    let own = |path: &&str| {
        path.starts_with('/')
            && !path.starts_with("//")
            && path.chars().all(|c| c.is_ascii_graphic() && c != '\\')
    };
    then.filter(own).unwrap_or("/")
}

#[derive(Deserialize)]
pub(crate) struct Then {
    then: Option<String>,
}

pub(crate) async fn you(
    State(app): State<App>,
    known: Option<Known>,
    InSession(session): InSession,
    Query(Then { then }): Query<Then>,
) -> Page {
    let person = known.map(|k| k.0);
    let told = match &person {
        Some(person) => {
            let ways = app.ways(&person.id).await?;
            let key = app.push_keys().await?.public();
            let sessions = app.shown_sessions(&person.id, session.as_deref()).await?;
            let account = person.password.is_some();
            maud::html! {
                (page::tidings::section(&ways, app.post().is_some(), account, &key))
                (page::lobby::own(person, &sessions))
            }
        }
        None => maud::html! {},
    };
    let then = onwards(then.as_deref());
    Ok(shown(page::lobby::you(person.as_ref(), None, app.post().is_some(), &told, then)))
}

/// How somebody wants to be told: a form, and the page again.
pub(crate) async fn tidings(
    State(app): State<App>,
    Named(person): Named,
    caller: Caller,
    Form(fields): Fields,
) -> Page {
    let text = |name: &str| fields.iter().find(|(k, _)| k == name).map(|(_, v)| v.as_str());
    let password = field(&fields, "password").map(String::from);
    let may = app.may_change_mail(&person, text("mail"), password, caller.address).await;
    let told = match may {
        Ok(()) => app.tell_by(&person.id, text("webhook"), text("mail")).await,
        Err(fault) => Err(fault),
    };
    match told {
        Ok(()) => Ok(Redirect::to("/you").into_response()),
        Err(fault) => Ok(you_again(&app, Some(&person), &fault)),
    }
}

/// Somebody followed the link in a mail: a button, so that no program confirms by looking.
pub(crate) async fn mail(Path((person, token)): Path<(String, String)>) -> Page {
    Ok(shown(page::tidings::confirm(&person, &token)))
}

pub(crate) async fn confirm_mail(
    State(app): State<App>,
    Path((person, token)): Path<(String, String)>,
) -> Page {
    // Who is nobody has no address either.
    let known = person.parse().map_err(|_| Fault::NotYours("this link confirms nothing any more".into()))?;
    app.confirm_mail(&known, &token).await?;
    Ok(shown(page::tidings::confirmed()))
}

fn you_again(app: &App, person: Option<&PersonRow>, fault: &Fault) -> Response {
    let page = page::lobby::you(person, Some(&fault.to_string()), app.post().is_some(), &maud::html! {}, "/");
    (fault.status(), shown(page)).into_response()
}

pub(crate) async fn guest(State(app): State<App>, caller: Caller, Form(fields): Fields) -> Page {
    match app.new_guest(field(&fields, "name").unwrap_or(""), &caller.agent).await {
        Ok((_, token)) => Ok(go(&app, onwards(field(&fields, "then")), Some(token))),
        Err(fault) => Ok(you_again(&app, None, &fault)),
    }
}

/// Makes an account, or changes one.
pub(crate) async fn account(
    State(app): State<App>,
    Named(person): Named,
    InSession(present): InSession,
    caller: Caller,
    Form(fields): Fields,
) -> Page {
    let text = |name: &str| field(&fields, name).map(String::from);
    let name = text("name").unwrap_or_default();
    let passwords = (text("password"), text("old"));
    let changed = app.register(person.clone(), &name, passwords, present, caller.address).await;
    match changed {
        Ok(()) => Ok(Redirect::to("/you").into_response()),
        Err(fault) => Ok(you_again(&app, Some(&person), &fault)),
    }
}

pub(crate) async fn login(State(app): State<App>, caller: Caller, Form(fields): Fields) -> Page {
    let (name, password) = (field(&fields, "name").unwrap_or(""), field(&fields, "password").unwrap_or(""));
    match app.log_in(name, password.to_string(), &caller.agent, caller.address).await {
        Ok((_, token)) => Ok(go(&app, onwards(field(&fields, "then")), Some(token))),
        Err(fault) => Ok(you_again(&app, None, &fault)),
    }
}

pub(crate) async fn logout(State(app): State<App>, headers: HeaderMap) -> Page {
    app.log_out(&headers).await?;
    Ok(with_session(&app, Redirect::to("/").into_response(), ""))
}

/// A password is forgotten. The answer is the same whether or not there is such an account.
pub(crate) async fn forgot(State(app): State<App>, Form(fields): Fields) -> Page {
    app.sends_mail()?;
    app.forgot(field(&fields, "name").unwrap_or(""));
    Ok(shown(page::lobby::letter_sent()))
}

/// Behind the link of such a letter.
pub(crate) async fn reset_form(Path(token): Path<String>) -> Page {
    // The form leads to where the link leads, and nowhere else.
    if !token.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Err(Fault::Missing("page at this address".into()).into());
    }
    Ok(shown(page::lobby::reset(&token, None)))
}

pub(crate) async fn reset(State(app): State<App>, Path(token): Path<String>, Form(fields): Fields) -> Page {
    let password = field(&fields, "password").unwrap_or("").to_string();
    match app.reset(&token, password).await {
        Ok(()) => Ok(with_session(&app, Redirect::to("/you").into_response(), "")),
        Err(fault) => {
            let page = page::lobby::reset(&token, Some(&fault.to_string()));
            Ok((fault.status(), shown(page)).into_response())
        }
    }
}

/// Ends a session, or all others.
pub(crate) async fn end_sessions(
    State(app): State<App>,
    Named(person): Named,
    InSession(session): InSession,
    Form(fields): Fields,
) -> Page {
    match field(&fields, "session") {
        Some(id) => app.end_sessions(&person.id, Some(id.into()), None).await?,
        None => app.end_sessions(&person.id, None, session).await?,
    }
    Ok(Redirect::to("/you").into_response())
}

/// Everything that is kept about somebody, as a file.
pub(crate) async fn export(State(app): State<App>, Named(person): Named) -> Page {
    let all = app.export(&person).await?;
    let text = serde_json::to_string_pretty(&all).map_err(|e| Fault::Server(e.to_string()))?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"outremer.json\""),
    ];
    Ok((headers, text).into_response())
}

/// Somebody goes for good.
pub(crate) async fn delete(
    State(app): State<App>,
    Named(person): Named,
    caller: Caller,
    Form(fields): Fields,
) -> Page {
    let password = field(&fields, "password").map(String::from);
    if field(&fields, "sure").is_none() {
        let fault = Fault::Wrong("tick the box, if you are sure".into());
        return Ok(you_again(&app, Some(&person), &fault));
    }
    match app.delete(&person, password, caller.address).await {
        Ok(()) => Ok(with_session(&app, Redirect::to("/").into_response(), "")),
        Err(fault) => Ok(you_again(&app, Some(&person), &fault)),
    }
}

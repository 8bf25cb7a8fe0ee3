//! The page of a table, its forms for who has no script, its record, and looking back at it.

use std::time::Duration;

use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use picture::Highlights;
use serde::Deserialize;
use tokio::sync::Semaphore;

use super::{At, Fields, Look, Named, Page, field, go, shown, somebody};
use crate::App;
use crate::fault::Fault;
use crate::live::{Ask, Remedy, seat_of_link};
use crate::page::{self, Theme};
use crate::people::{Caller, Known, cookie};
use crate::store::Kind;

/// How many sheets are printed at once.
static SHEETS: Semaphore = Semaphore::const_new(1);

pub(crate) async fn table(
    State(app): State<App>,
    known: Option<Known>,
    At(id): At,
    Query(look): Query<Look>,
    headers: HeaderMap,
) -> Page {
    let person = known.map(|k| k.0);
    let theme = Theme::of(look.theme.as_deref().or_else(|| cookie(&headers, "theme")));
    if let Some(person) = &person {
        app.tables().seen_again(&id, &person.id).await?;
    }
    let prospect = app.tables().look(&id, person.as_ref().map(|p| &p.id), look.seat).await?;
    let drawing = app.tables().easel().page(&prospect, theme).await?;
    let sight = &prospect.sight;
    let (mut notes, mut since) = (String::new(), None);
    if let Some(person) = &person {
        notes = app.store().notes(id.clone(), person.id.clone()).await?;
        if let Some(seat) = sight.seat {
            since = app.tables().since(&id, &person.id, seat).await?;
        }
    }
    let manner = page::table::Manner { notes: &notes, since, back: None };
    Ok(shown(page::table::page(sight, &drawing, theme, person.as_ref(), &manner)))
}

#[derive(Deserialize)]
pub(crate) struct ActForm {
    action: String,
    number: Option<u64>,
}

#[derive(Deserialize)]
pub(crate) struct SeatOf {
    seat: u8,
}

/// An action without script: a form, and the page again.
pub(crate) async fn act(
    State(app): State<App>,
    Named(person): Named,
    At(id): At,
    Query(SeatOf { seat }): Query<SeatOf>,
    Form(form): Form<ActForm>,
) -> Page {
    let ask = Ask::Act { actions: vec![form.action], number: form.number };
    app.tables().ask(&id, &person, seat, ask, None).await?;
    Ok(Redirect::to(&format!("/t/{id}?as={seat}")).into_response())
}

/// Something about time, or about somebody who is away: a form, and the page again.
pub(crate) async fn time(
    State(app): State<App>,
    Named(person): Named,
    caller: Caller,
    At(id): At,
    Form(fields): Fields,
) -> Page {
    let voice = app.voice(person, caller.address)?;
    let number = |name: &str| field(&fields, name).and_then(|text| text.parse().ok());
    let seat: u8 = number("seat").ok_or_else(|| Fault::Wrong("the form lacks a seat".into()))?;
    let level = field(&fields, "level").unwrap_or(crate::bots::LEVELS[0].id).to_string();
    let remedy = Remedy::named(field(&fields, "ask").unwrap_or(""), number("to"), None, level)?;
    app.tables().remedy(&id, &voice, seat, &remedy).await?;
    Ok(Redirect::to(&format!("/t/{id}")).into_response())
}

/// Sits down on an open seat: a form, and the page again. Who has no name yet is asked for one first.
pub(crate) async fn sit(
    State(app): State<App>,
    known: Option<Known>,
    caller: Caller,
    At(id): At,
    Form(fields): Fields,
) -> Page {
    let seat: Option<u8> = field(&fields, "seat").and_then(|text| text.parse().ok());
    if known.is_none() && field(&fields, "name").is_none() {
        let table = app.tables().find(&id).await?;
        let live = table.live.lock().await;
        return Ok(shown(page::lobby::name_first(live.title(), id.as_str(), seat)));
    }
    let (person, token) = somebody(&app, known, &caller, &fields).await?;
    let seat = app.tables().sit(&id, &person, seat, None).await?;
    Ok(go(&app, &format!("/t/{id}?as={seat}"), token))
}

/// The secret link that an address holds.
#[derive(Deserialize)]
pub(crate) struct LinkOf {
    link: String,
}

pub(crate) async fn invitation(
    State(app): State<App>,
    known: Option<Known>,
    At(id): At,
    Path(LinkOf { link }): Path<LinkOf>,
) -> Page {
    let table = app.tables().find(&id).await?;
    let live = table.live.lock().await;
    let seat = seat_of_link(&live, &link)?;
    let taken = live.seats[seat].kind == Kind::Person;
    Ok(shown(page::lobby::invitation(
        live.title(),
        id.as_str(),
        &link,
        seat,
        taken,
        known.map(|k| k.0).as_ref(),
    )))
}

pub(crate) async fn accept(
    State(app): State<App>,
    known: Option<Known>,
    caller: Caller,
    At(id): At,
    Path(LinkOf { link }): Path<LinkOf>,
    Form(fields): Fields,
) -> Page {
    // A link that opens nothing makes no guest.
    seat_of_link(&*app.tables().find(&id).await?.live.lock().await, &link)?;
    let (person, token) = somebody(&app, known, &caller, &fields).await?;
    let seat = app.tables().sit(&id, &person, None, Some(&link)).await?;
    Ok(go(&app, &format!("/t/{id}?as={seat}"), token))
}

pub(crate) async fn record(
    State(app): State<App>,
    known: Option<Known>,
    At(id): At,
    Query(look): Query<Look>,
) -> Page {
    let person = known.map(|k| k.0.id);
    let text = app.tables().record(&id, person.as_ref(), look.seat).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"outremer-{id}.txt\"")),
    ];
    Ok((headers, text).into_response())
}

/// What the page leaves out of a long journal, a page at a time.
pub(crate) async fn journal(
    State(app): State<App>,
    known: Option<Known>,
    At(id): At,
    Query(look): Query<Look>,
) -> Page {
    let person = known.map(|k| k.0.id);
    let page = app.tables().journal_page(&id, person.as_ref(), look.seat, look.below).await?;
    let game = app.tables().find(&id).await?.live.lock().await.title().id;
    let groups: String = page::table::journal(game, &page).into_iter().map(|group| group.html).collect();
    Ok(axum::response::Html(groups).into_response())
}

/// What the page leaves out of what was said, a page at a time.
pub(crate) async fn chat(
    State(app): State<App>,
    known: Option<Known>,
    At(id): At,
    Query(look): Query<Look>,
) -> Page {
    let person = known.map(|k| k.0.id);
    let prospect = app.tables().look(&id, person.as_ref(), look.seat).await?;
    let (from, rows) = {
        let table = app.tables().find(&id).await?;
        let live = table.live.lock().await;
        crate::sight::chat_page(live.heard(live.held_by(person.as_ref())), look.below)
    };
    let groups = page::table::chat(&prospect.sight, from, &rows).into_iter().map(|group| group.html);
    Ok(axum::response::Html(groups.collect::<String>()).into_response())
}

pub(crate) async fn table_picture(
    State(app): State<App>,
    known: Option<Known>,
    At(id): At,
    Query(look): Query<Look>,
) -> Page {
    let person = known.map(|k| k.0.id);
    // A whole sheet is printed anew each time: one at once, so that pages need not wait for them.
    let place = tokio::time::timeout(Duration::from_secs(5), SHEETS.acquire()).await;
    let _place = place.map_err(|_| Fault::TooMany)?.map_err(|e| Fault::Server(e.to_string()))?;
    let prospect = app.tables().look(&id, person.as_ref(), look.seat).await?;
    let style = Theme::of(look.theme.as_deref()).style();
    let scene = match look.at {
        Some(_) => app.tables().moment(&id, person.as_ref(), look.seat, look.at).await?.scene,
        None => prospect.sight.scene.clone(),
    };
    let names = prospect.sight.seat_names();
    let draw = move |_: &_| picture::picture(&scene, &names, &Highlights::default(), &style);
    let svg = app.tables().easel().draw(draw).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// The table again, looking back at it: the same page, which begins at a moment that has passed.
pub(crate) async fn replay(
    State(app): State<App>,
    known: Option<Known>,
    At(id): At,
    Query(look): Query<Look>,
    headers: HeaderMap,
) -> Page {
    let person = known.map(|k| k.0);
    let own = person.as_ref().map(|p| &p.id);
    let moments = app.tables().moment(&id, own, look.seat, None).await?.moments;
    let back = {
        let table = app.tables().find(&id).await?;
        let live = table.live.lock().await;
        let (over, held) = (live.over(), live.held_by(own));
        let seats = live.party().iter().filter(|s| over || held.contains(*s));
        let eyes = seats.map(|s| (u8::from(s), live.title().seat_name(s).to_string())).collect();
        page::table::Back { moments, eyes, branches: over && person.is_some() }
    };
    let theme = Theme::of(look.theme.as_deref().or_else(|| cookie(&headers, "theme")));
    let prospect = app.tables().look(&id, own, look.seat).await?;
    let drawing = app.tables().easel().page(&prospect, theme).await?;
    let notes = match &person {
        Some(person) => app.store().notes(id.clone(), person.id.clone()).await?,
        None => String::new(),
    };
    let sight = &prospect.sight;
    let manner = page::table::Manner { notes: &notes, since: None, back: Some(&back) };
    Ok(shown(page::table::page(sight, &drawing, theme, person.as_ref(), &manner)))
}

/// A moment as a fragment.
pub(crate) async fn moment(
    State(app): State<App>,
    known: Option<Known>,
    At(id): At,
    Query(look): Query<Look>,
) -> Result<Response, Fault> {
    let person = known.map(|k| k.0.id);
    let moment = app.tables().moment(&id, person.as_ref(), look.seat, look.at).await?;
    let (names, turns) = {
        let table = app.tables().find(&id).await?;
        let live = table.live.lock().await;
        let viewer = live.viewer(person.as_ref(), look.seat);
        (live.title().seat_names(), live.sitting.as_ref().map_or_else(Vec::new, |s| s.turns(viewer)))
    };
    let style = Theme::of(look.theme.as_deref()).style();
    let boards = moment.scene.boards;
    let front = page::table::foremost(&boards).map(|i| boards[i].id.clone());
    let draw = move |press: &picture::Press| {
        let none = Highlights::default();
        let draw = |b| press.draw(b, &names, &none, &style).svg();
        boards.iter().map(|b| serde_json::json!([b.id, b.name, draw(b)])).collect::<Vec<_>>()
    };
    let boards = app.tables().easel().draw(draw).await?;
    Ok(axum::Json(serde_json::json!({
        "moments": moment.moments,
        "turns": turns,
        "at": moment.at,
        "deed": moment.deed,
        "later": moment.later,
        "title": moment.scene.title,
        "boards": boards,
        "front": front,
    }))
    .into_response())
}

pub(crate) async fn branch(
    State(app): State<App>,
    Named(person): Named,
    At(id): At,
    Form(fields): Fields,
) -> Page {
    let at = field(&fields, "at").and_then(|t| t.parse().ok());
    let seat = field(&fields, "as").and_then(|t| t.parse().ok());
    let moment = app.tables().moment(&id, Some(&person.id), seat, at).await?;
    // Against bots he keeps the seat through whose eyes he looked.
    let bots = field(&fields, "others") == Some("bots");
    let own = seat.or_else(|| bots.then_some(0)).filter(|_| bots);
    let new = app.tables().branch(&id, &person, moment.entry, own).await?;
    Ok(Redirect::to(&format!("/t/{new}")).into_response())
}

//! The pages and forms of people: lobby, table, rules, looking back.

use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use picture::{Highlights, board_svg};
use serde::Deserialize;
use table::Wishes;

use crate::App;
use crate::clock::Pace;
use crate::fault::Fault;
use crate::house::House;
use crate::live::{Ask, Opening, Remedy, Sitter};
use crate::page::{self, Theme};
use crate::people::{COOKIE, Known, cookie};
use crate::store::{Listing, PersonRow, Stage};

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

type Page = Result<Response, PageFault>;
type Fields = Form<Vec<(String, String)>>;

fn shown(markup: maud::Markup) -> Response {
    Html(markup.into_string()).into_response()
}

fn field<'a>(fields: &'a [(String, String)], name: &str) -> Option<&'a str> {
    fields.iter().find(|(k, _)| k == name).map(|(_, v)| v.as_str()).filter(|v| !v.trim().is_empty())
}

/// An answer that sets the session's cookie.
fn with_session(app: &App, mut response: Response, token: &str, days: u32) -> Response {
    let secure = if app.limits().secure { "; Secure" } else { "" };
    let age = days * 86_400;
    let cookie = format!("{COOKIE}={token}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    response
}

/// Who asks; a new guest, if nobody yet, and then the token of his session.
async fn somebody(
    app: &App,
    known: Option<Known>,
    fields: &[(String, String)],
) -> Result<(PersonRow, Option<String>), Fault> {
    if let Some(Known(person)) = known {
        return Ok((person, None));
    }
    let (person, token) = app.new_guest(field(fields, "name").unwrap_or("Guest")).await?;
    Ok((person, Some(token)))
}

fn go(app: &App, to: &str, token: Option<String>) -> Response {
    let response = Redirect::to(to).into_response();
    match token {
        Some(token) => with_session(app, response, &token, 400),
        None => response,
    }
}

pub(crate) async fn lobby(State(app): State<App>, known: Option<Known>) -> Page {
    let person = known.map(|k| k.0);
    let store = app.store();
    let mine = match &person {
        Some(person) => store.list(Listing::Of(person.id.clone()), 100).await?,
        None => Vec::new(),
    };
    let open = store.list(Listing::Open, 30).await?;
    let not_mine = |(row, _): &(crate::store::TableRow, Vec<crate::store::SeatRow>)| {
        !mine.iter().any(|(own, _)| own.id == row.id)
    };
    let open: Vec<_> = open.into_iter().filter(not_mine).collect();
    let running: Vec<_> = store.list(Listing::Running, 30).await?.into_iter().filter(not_mine).collect();
    let lobby = page::lobby::Lobby {
        games: app.tables().games().iter().map(|g| g.title()).collect(),
        person: person.as_ref(),
        mine: &mine,
        open: &open,
        running: &running,
    };
    Ok(shown(lobby.page()))
}

pub(crate) async fn game(State(app): State<App>, known: Option<Known>, Path(id): Path<String>) -> Page {
    let game = app.tables().game(&id)?;
    Ok(shown(page::lobby::game(game.title(), known.map(|k| k.0).as_ref())))
}

#[derive(Deserialize)]
pub(crate) struct Look {
    #[serde(rename = "as")]
    pub(crate) seat: Option<u8>,
    pub(crate) theme: Option<String>,
    pub(crate) at: Option<usize>,
}

/// The cover of a game: its opening position, drawn.
pub(crate) async fn cover(State(app): State<App>, Path(id): Path<String>, Query(look): Query<Look>) -> Page {
    let svg = app.cover(&id, Theme::of(look.theme.as_deref()))?;
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=3600")];
    Ok((headers, svg).into_response())
}

/// Two clicks to a game: me on one seat, bots on the others.
pub(crate) async fn play(State(app): State<App>, known: Option<Known>, Form(fields): Fields) -> Page {
    let game = app.tables().game(field(&fields, "game").unwrap_or(""))?;
    let scenario = field(&fields, "scenario").map(String::from);
    against_bots(&app, known, &fields, game.title(), scenario).await
}

/// The first ten minutes: the game's guided scenario, then the one that follows it.
pub(crate) async fn learn(State(app): State<App>, known: Option<Known>, Form(fields): Fields) -> Page {
    let game = app.tables().game(field(&fields, "game").unwrap_or(""))?;
    let title = game.title();
    let guided = title.guided().or(title.scenarios.first()).map(|s| s.id.clone());
    let scenario = field(&fields, "scenario").map(String::from).or(guided);
    against_bots(&app, known, &fields, title, scenario).await
}

/// A table for one person among bots, with hints.
async fn against_bots(
    app: &App,
    known: Option<Known>,
    fields: &[(String, String)],
    title: &table::Title,
    scenario: Option<String>,
) -> Page {
    let level = field(fields, "level").unwrap_or(crate::bots::LEVELS[0].id);
    let all = usize::from(title.least_seats);
    let own =
        field(fields, "seat").and_then(|s| s.parse().ok()).unwrap_or(0_usize).min(all.saturating_sub(1));
    let wishes = Wishes { scenario, ..Wishes::default() };
    // A wish that cannot be granted makes no guest.
    title.set_up(&wishes).map_err(|e| Fault::Wrong(e.to_string()))?;
    let (person, token) = somebody(app, known, fields).await?;
    let seats = (0..all).map(|i| if i == own { Sitter::Me } else { Sitter::Bot(level.to_string()) });
    let opening = Opening {
        game: title.id.into(),
        wishes,
        seats: seats.collect(),
        listed: false,
        pace: None,
        house: House { hints: true, analysis: false },
    };
    let id = app.tables().open(&person, opening).await?;
    Ok(go(app, &format!("/t/{id}"), token))
}

pub(crate) async fn new_table(State(app): State<App>, known: Option<Known>, Form(fields): Fields) -> Page {
    let game = app.tables().game(field(&fields, "game").unwrap_or(""))?;
    let title = game.title();
    let mut seats = Vec::new();
    for i in 0..title.seats.len() {
        match field(&fields, &format!("seat-{i}")).unwrap_or("none") {
            "me" => seats.push(Sitter::Me),
            "open" => seats.push(Sitter::Open),
            "invite" => seats.push(Sitter::Invited),
            "none" => {}
            other => match other.strip_prefix("bot:") {
                Some(level) => seats.push(Sitter::Bot(level.to_string())),
                None => return Err(Fault::Wrong(format!("nobody like `{other}` can sit down")).into()),
            },
        }
    }
    let option =
        |(key, value): &(String, String)| Some((key.strip_prefix("option-")?.to_string(), value.clone()));
    let wishes = Wishes {
        scenario: field(&fields, "scenario").map(String::from),
        seats: None,
        options: fields.iter().filter_map(option).collect(),
    };
    let pace = Pace::of(field(&fields, "clock").unwrap_or("")).map_err(Fault::Wrong)?;
    // A wish that cannot be granted makes no guest.
    title
        .set_up(&Wishes { seats: Some(seats.len() as u8), ..wishes.clone() })
        .map_err(|e| Fault::Wrong(e.to_string()))?;
    let (person, token) = somebody(&app, known, &fields).await?;
    let listed = field(&fields, "listed").is_some();
    let house = House { hints: field(&fields, "hints").is_some(), analysis: false };
    let opening = Opening { game: title.id.into(), wishes, seats, listed, pace, house };
    let id = app.tables().open(&person, opening).await?;
    Ok(go(&app, &format!("/t/{id}"), token))
}

pub(crate) async fn table(
    State(app): State<App>,
    known: Option<Known>,
    Path(id): Path<String>,
    Query(look): Query<Look>,
    headers: HeaderMap,
) -> Page {
    let person = known.map(|k| k.0);
    let theme = Theme::of(look.theme.as_deref().or_else(|| cookie(&headers, "theme")));
    let sight = app.tables().look(&id, person.as_ref().map(|p| p.id.as_str()), look.seat).await?;
    let (mut notes, mut since) = (String::new(), None);
    if let Some(person) = &person {
        notes = app.store().notes(id.clone(), person.id.clone()).await?;
        if let Some(seat) = sight.seat {
            since = app.tables().since(&id, &person.id, seat).await?;
        }
    }
    Ok(shown(page::table::page(&sight, theme, person.as_ref(), &notes, since)))
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
    Known(person): Known,
    Path(id): Path<String>,
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
    Known(person): Known,
    Path(id): Path<String>,
    Form(fields): Fields,
) -> Page {
    let number = |name: &str| field(&fields, name).and_then(|text| text.parse().ok());
    let seat: u8 = number("seat").ok_or_else(|| Fault::Wrong("the form lacks a seat".into()))?;
    let level = field(&fields, "level").unwrap_or(crate::bots::LEVELS[0].id).to_string();
    let remedy = Remedy::named(field(&fields, "ask").unwrap_or(""), number("to"), None, level)?;
    app.tables().remedy(&id, &person, seat, &remedy).await?;
    Ok(Redirect::to(&format!("/t/{id}")).into_response())
}

pub(crate) async fn invitation(
    State(app): State<App>,
    known: Option<Known>,
    Path((id, link)): Path<(String, String)>,
) -> Page {
    let table = app.tables().find(&id).await?;
    let live = table.live.lock().await;
    let fits =
        |row: &crate::store::SeatRow| row.link.as_deref().is_some_and(|l| crate::secret::fits(&link, l));
    let seat = live.seats.iter().position(fits);
    let seat = seat.ok_or_else(|| Fault::NotYours("this link opens no seat any more".into()))?;
    Ok(shown(page::lobby::invitation(live.title(), &id, &link, seat, known.map(|k| k.0).as_ref())))
}

pub(crate) async fn accept(
    State(app): State<App>,
    known: Option<Known>,
    Path((id, link)): Path<(String, String)>,
    Form(fields): Fields,
) -> Page {
    let (person, token) = somebody(&app, known, &fields).await?;
    let seat = app.tables().sit(&id, &person, None, Some(&link)).await?;
    Ok(go(&app, &format!("/t/{id}?as={seat}"), token))
}

pub(crate) async fn record(State(app): State<App>, Path(id): Path<String>) -> Page {
    let text = app.tables().record(&id).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"outremer-{id}.txt\"")),
    ];
    Ok((headers, text).into_response())
}

pub(crate) async fn table_picture(
    State(app): State<App>,
    known: Option<Known>,
    Path(id): Path<String>,
    Query(look): Query<Look>,
) -> Page {
    let person = known.map(|k| k.0.id);
    let sight = app.tables().look(&id, person.as_deref(), look.seat).await?;
    let style = Theme::of(look.theme.as_deref()).style();
    let scene = match look.at {
        Some(_) => app.tables().moment(&id, person.as_deref(), look.seat, look.at).await?.scene,
        None => sight.scene.clone(),
    };
    let svg = picture::picture(&scene, &sight.seat_names(), &Highlights::default(), &style);
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

pub(crate) async fn replay(
    State(app): State<App>,
    known: Option<Known>,
    Path(id): Path<String>,
    Query(look): Query<Look>,
) -> Page {
    let person = known.map(|k| k.0);
    let own = person.as_ref().map(|p| p.id.as_str());
    let moment = app.tables().moment(&id, own, look.seat, None).await?;
    let table = app.tables().find(&id).await?;
    let live = table.live.lock().await;
    let over = live.over();
    let held = live.held_by(own);
    let first = live.viewer(own, look.seat).seat();
    let mut viewers: Vec<(Option<u8>, String)> = (0..live.seats.len() as u8)
        .map(table::Seat::new)
        .filter(|s| over || held.contains(*s))
        .map(|s| (Some(s.into()), live.title().seat_name(s).to_string()))
        .collect();
    if viewers.is_empty() {
        viewers.push((None, "an observer".into()));
    }
    viewers.sort_by_key(|(s, _)| *s != first.map(u8::from));
    Ok(shown(page::lobby::replay(live.title(), &id, person.as_ref(), &viewers, moment.moments, over)))
}

/// A moment as a fragment.
pub(crate) async fn moment(
    State(app): State<App>,
    known: Option<Known>,
    Path(id): Path<String>,
    Query(look): Query<Look>,
) -> Result<Response, Fault> {
    let person = known.map(|k| k.0.id);
    let moment = app.tables().moment(&id, person.as_deref(), look.seat, look.at).await?;
    let names = {
        let table = app.tables().find(&id).await?;
        let live = table.live.lock().await;
        live.title().seat_names()
    };
    let style = Theme::of(look.theme.as_deref()).style();
    let boards: Vec<_> = moment
        .scene
        .boards
        .iter()
        .map(|b| serde_json::json!([b.id, b.name, board_svg(b, &names, &Highlights::default(), &style)]))
        .collect();
    Ok(axum::Json(serde_json::json!({
        "moments": moment.moments,
        "at": moment.at,
        "deed": moment.deed,
        "title": moment.scene.title,
        "boards": boards,
    }))
    .into_response())
}

pub(crate) async fn branch(
    State(app): State<App>,
    Known(person): Known,
    Path(id): Path<String>,
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

pub(crate) async fn next(State(app): State<App>, Known(person): Known) -> Page {
    let mine = app.store().list(Listing::Of(person.id.clone()), 200).await?;
    let waits = mine.iter().rev().find(|(row, seats)| {
        row.stage == Stage::Running
            && seats
                .iter()
                .enumerate()
                .any(|(i, s)| s.person.as_ref() == Some(&person.id) && row.waiting >> i & 1 == 1)
    });
    let to = waits.map_or("/".to_string(), |(row, _)| format!("/t/{}", row.id));
    Ok(Redirect::to(&to).into_response())
}

pub(crate) async fn all_rules(State(app): State<App>, known: Option<Known>) -> Page {
    let titles: Vec<_> = app.tables().games().iter().map(|g| g.title()).collect();
    Ok(shown(page::rules::games(&titles, known.map(|k| k.0).as_ref())))
}

pub(crate) async fn rules(State(app): State<App>, known: Option<Known>, Path(id): Path<String>) -> Page {
    let sources = app.sources(&id);
    Ok(shown(page::rules::page(app.tables().game(&id)?.title(), &sources, known.map(|k| k.0).as_ref())))
}

pub(crate) async fn rules_list(State(app): State<App>, Path(id): Path<String>) -> Page {
    Ok(shown(page::rules::list(app.tables().game(&id)?.title(), &app.sources(&id))))
}

pub(crate) async fn vignette(
    State(app): State<App>,
    Path((id, number)): Path<(String, usize)>,
    Query(look): Query<Look>,
) -> Page {
    let game = app.tables().game(&id)?;
    Ok(shown(page::rules::vignette(&**game, number, Theme::of(look.theme.as_deref()))?))
}

pub(crate) async fn you(State(app): State<App>, known: Option<Known>) -> Page {
    let person = known.map(|k| k.0);
    let told = match &person {
        Some(person) => {
            let told = app.told(&person.id).await?;
            let key = app.push_keys().await?.public();
            page::tidings::section(&told, app.post().is_some(), &key)
        }
        None => maud::html! {},
    };
    Ok(shown(page::lobby::you(person.as_ref(), None, &told)))
}

/// How somebody wants to be told: a form, and the page again.
pub(crate) async fn tidings(State(app): State<App>, Known(person): Known, Form(fields): Fields) -> Page {
    let text = |name: &str| fields.iter().find(|(k, _)| k == name).map(|(_, v)| v.as_str());
    match app.tell_by(&person.id, text("webhook"), text("mail")).await {
        Ok(()) => Ok(Redirect::to("/you").into_response()),
        Err(fault) => Ok(you_again(Some(&person), &fault)),
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
    app.confirm_mail(&person, &token).await?;
    Ok(shown(page::tidings::confirmed()))
}

fn you_again(person: Option<&PersonRow>, fault: &Fault) -> Response {
    (fault.status(), shown(page::lobby::you(person, Some(&fault.to_string()), &maud::html! {})))
        .into_response()
}

pub(crate) async fn guest(State(app): State<App>, Form(fields): Fields) -> Page {
    match app.new_guest(field(&fields, "name").unwrap_or("")).await {
        Ok((_, token)) => Ok(go(&app, "/", Some(token))),
        Err(fault) => Ok(you_again(None, &fault)),
    }
}

pub(crate) async fn account(State(app): State<App>, Known(person): Known, Form(fields): Fields) -> Page {
    let (name, password) = (field(&fields, "name").unwrap_or(""), field(&fields, "password").unwrap_or(""));
    match app.register(person.clone(), name, password.to_string()).await {
        Ok(()) => Ok(Redirect::to("/you").into_response()),
        Err(fault) => Ok(you_again(Some(&person), &fault)),
    }
}

pub(crate) async fn login(State(app): State<App>, Form(fields): Fields) -> Page {
    let (name, password) = (field(&fields, "name").unwrap_or(""), field(&fields, "password").unwrap_or(""));
    match app.log_in(name, password.to_string()).await {
        Ok(token) => Ok(go(&app, "/", Some(token))),
        Err(fault) => Ok(you_again(None, &fault)),
    }
}

pub(crate) async fn logout(State(app): State<App>, headers: HeaderMap) -> Page {
    app.log_out(&headers).await?;
    Ok(with_session(&app, Redirect::to("/").into_response(), "", 0))
}

pub(crate) async fn missing() -> PageFault {
    PageFault(Fault::Missing("page at this address".into()))
}

pub(crate) async fn health(State(app): State<App>) -> Response {
    match app.store().list(Listing::Open, 1).await {
        Ok(_) => (StatusCode::OK, "ok\n").into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response(),
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

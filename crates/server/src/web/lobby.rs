//! The lobby: games and their covers, new tables, the next one that waits.

use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect};
use table::{Seat, Wishes};

use super::{Fields, Look, Page, field, go, shown, somebody};
use crate::App;
use crate::clock::Pace;
use crate::fault::Fault;
use crate::live::{Opening, Sitter};
use crate::page::{self, Theme};
use crate::people::{Caller, Known};
use crate::store::{Allowance, Listing, SeatRow, TableRow, TableStage, Tempo, held_by};

pub(crate) async fn lobby(State(app): State<App>, known: Option<Known>) -> Page {
    let person = known.map(|k| k.0);
    let store = app.store();
    let mine = match &person {
        Some(person) => store.list(Listing::Of(person.id.clone()), 100).await?,
        None => Vec::new(),
    };
    let open = store.list(Listing::Open, 30).await?;
    let not_mine = |(row, _): &(TableRow, Vec<SeatRow>)| !mine.iter().any(|(own, _)| own.id == row.id);
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

/// The cover of a game: its opening position, drawn.
pub(crate) async fn cover(State(app): State<App>, Path(id): Path<String>, Query(look): Query<Look>) -> Page {
    let svg = app.cover(&id, Theme::of(look.theme.as_deref())).await?;
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=3600")];
    Ok((headers, svg).into_response())
}

/// Two clicks to a game: me on one seat, bots on the others.
pub(crate) async fn play(
    State(app): State<App>,
    known: Option<Known>,
    caller: Caller,
    Form(fields): Fields,
) -> Page {
    let game = app.tables().game(field(&fields, "game").unwrap_or(""))?;
    let scenario = field(&fields, "scenario").map(String::from);
    against_bots(&app, known, &caller, &fields, game.title(), scenario).await
}

/// The first ten minutes: the game's guided scenario, then the one that follows it.
pub(crate) async fn learn(
    State(app): State<App>,
    known: Option<Known>,
    caller: Caller,
    Form(fields): Fields,
) -> Page {
    let game = app.tables().game(field(&fields, "game").unwrap_or(""))?;
    let title = game.title();
    let guided = title.guided().or(title.scenarios.first()).map(|s| s.id.clone());
    let scenario = field(&fields, "scenario").map(String::from).or(guided);
    against_bots(&app, known, &caller, &fields, title, scenario).await
}

/// A table for one person among bots, with hints.
async fn against_bots(
    app: &App,
    known: Option<Known>,
    caller: &Caller,
    fields: &[(String, String)],
    title: &table::Title,
    scenario: Option<String>,
) -> Page {
    let level = field(fields, "level").unwrap_or(crate::bots::LEVELS[0].id);
    let own = field(fields, "seat").and_then(|s| s.parse::<u8>().ok()).and_then(|s| Seat::try_from(s).ok());
    let wishes = Wishes { scenario, ..Wishes::default() };
    // A wish that cannot be granted makes no guest.
    let party = title.set_up(&wishes).map_err(|e| Fault::Wrong(e.to_string()))?.party();
    let own = own.filter(|seat| party.contains(*seat)).or(party.lowest());
    let (person, token) = somebody(app, known, caller, fields).await?;
    let seats = (0..title.seats.len() as u8).map(Seat::new).map(|seat| match seat {
        _ if Some(seat) == own => Sitter::Me,
        _ if party.contains(seat) => Sitter::Bot(level.to_string()),
        _ => Sitter::Nobody,
    });
    let opening = Opening {
        game: title.id.into(),
        wishes,
        seats: seats.collect(),
        listed: false,
        pace: None,
        allowance: Allowance { hints: true, ..Allowance::default() },
        absence: None,
    };
    let id = app.tables().open(&person, opening).await?;
    Ok(go(app, &format!("/t/{id}"), token))
}

pub(crate) async fn new_table(
    State(app): State<App>,
    known: Option<Known>,
    caller: Caller,
    Form(fields): Fields,
) -> Page {
    let game = app.tables().game(field(&fields, "game").unwrap_or(""))?;
    let title = game.title();
    let mut seats = Vec::new();
    for i in 0..title.seats.len() {
        match field(&fields, &format!("seat-{i}")).unwrap_or("none") {
            "me" => seats.push(Sitter::Me),
            "open" => seats.push(Sitter::Open),
            "invite" => seats.push(Sitter::Invited),
            "none" => seats.push(Sitter::Nobody),
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
        .set_up(&Wishes { seats: Some(crate::live::seats_of(title, &seats)?), ..wishes.clone() })
        .map_err(|e| Fault::Wrong(e.to_string()))?;
    let (person, token) = somebody(&app, known, &caller, &fields).await?;
    let listed = field(&fields, "listed").is_some();
    let tempo = field(&fields, "tempo").map(|word| {
        Tempo::of(word).ok_or_else(|| {
            let known = Tempo::ALL.map(Tempo::word).join(", ");
            Fault::Wrong(format!("bots play {known}, not `{word}`"))
        })
    });
    let tempo = tempo.transpose()?.unwrap_or_default();
    let allowance = Allowance { hints: field(&fields, "hints").is_some(), analysis: false, tempo };
    let absence = field(&fields, "absence")
        .map(|text| text.parse().map_err(|_| Fault::Wrong("an absence is a number of seconds".into())));
    let absence = absence.transpose()?;
    let opening = Opening { game: title.id.into(), wishes, seats, listed, pace, allowance, absence };
    let id = app.tables().open(&person, opening).await?;
    Ok(go(&app, &format!("/t/{id}"), token))
}

pub(crate) async fn next(State(app): State<App>, known: Option<Known>) -> Page {
    let Some(Known(person)) = known else { return Ok(Redirect::to("/you?then=/next").into_response()) };
    let mine = app.store().list(Listing::Of(person.id.clone()), 200).await?;
    let waits = mine.iter().rev().find(|(row, seats)| {
        let own = held_by(seats, Some(&person.id));
        row.stage == TableStage::Running && !row.waiting.both(own).is_empty()
    });
    let to = waits.map_or("/".to_string(), |(row, _)| format!("/t/{}", row.id));
    Ok(Redirect::to(&to).into_response())
}

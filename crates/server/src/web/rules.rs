//! The rules of the games.

use axum::extract::{Path, Query, State};

use super::{Look, Page, shown};
use crate::App;
use crate::page::{self, Theme};
use crate::people::Known;

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
    let game = app.tables().game(&id)?.clone();
    let theme = Theme::of(look.theme.as_deref());
    let draw = move |press: &picture::Press| page::rules::vignette(&*game, number, theme, press);
    Ok(shown(app.tables().easel().draw(draw).await??))
}

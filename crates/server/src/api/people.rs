//! Who the caller is: guests, accounts, sessions, and how he is told when a table waits for him.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::Sent;
use crate::App;
use crate::accounts::ShownSession;
use crate::fault::{Fault, Trouble};
use crate::ids::PersonId;
use crate::people::{Caller, InSession, Known};
use crate::tidings::push::Subscription;
use crate::web::with_session;

/// A new guest.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct GuestWish {
    /// The name that others see.
    name: String,
    /// Whether a browser shall keep the session as a cookie, as the pages want it.
    #[serde(default)]
    cookie: bool,
}

/// Somebody with an account.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct LoginWish {
    /// The name of the account.
    name: String,
    /// Its password.
    password: String,
}

/// A password that is set anew.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ResetWish {
    /// The token of the letter.
    token: String,
    /// The new password.
    password: String,
}

/// An account's name and password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountWish {
    /// The name.
    name: String,
    /// The new password; an account may leave it out to keep its own.
    password: Option<String>,
    /// The present password, if there is an account already.
    old: Option<String>,
}

/// A password, where the owner of an account must show that he is it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordWish {
    /// The present password; a guest has none.
    password: Option<String>,
}

/// A session.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Session {
    /// The person's id.
    #[schema(value_type = String)]
    id: PersonId,
    /// The token, to be sent as `Authorization: Bearer TOKEN`; empty, if it was set as a cookie.
    token: String,
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
    /// The password of an account, to change its address: a forgotten password is set anew through it.
    password: Option<String>,
}

/// A new guest and its token.
#[utoipa::path(post, path = "/api/guests", request_body = GuestWish,
    responses((status = 200, body = Session), (status = 400, body = Trouble)))]
pub(crate) async fn guests(
    State(app): State<App>,
    caller: Caller,
    Sent(wish): Sent<GuestWish>,
) -> Result<Response, Fault> {
    let (person, token) = app.new_guest(&wish.name, &caller.agent).await?;
    let answer = |token: &str| Json(Session { id: person.id.clone(), token: token.into() }).into_response();
    // A page's script has no use for the token, and cannot lose what it does not hold.
    Ok(if wish.cookie { with_session(&app, answer(""), &token) } else { answer(&token) })
}

/// A new session of an account.
#[utoipa::path(post, path = "/api/login", request_body = LoginWish,
    responses((status = 200, body = Session), (status = 403, body = Trouble), (status = 429, body = Trouble)))]
pub(crate) async fn login(
    State(app): State<App>,
    caller: Caller,
    Sent(wish): Sent<LoginWish>,
) -> Result<Json<Session>, Fault> {
    let (person, token) = app.log_in(&wish.name, wish.password, &caller.agent, caller.address).await?;
    Ok(Json(Session { id: person.id, token }))
}

/// Ends the session of the caller.
#[utoipa::path(post, path = "/api/logout", responses((status = 200, description = "Ended")))]
pub(crate) async fn logout(State(app): State<App>, headers: HeaderMap) -> Result<Json<Value>, Fault> {
    app.log_out(&headers).await?;
    Ok(Json(json!({})))
}

/// The password of an account is forgotten: a letter goes to its address, if it has one. The answer is always the
/// same.
#[utoipa::path(post, path = "/api/forgot", request_body = GuestWish,
    responses((status = 200, description = "If there is such an account, a letter is on its way"),
        (status = 409, body = Trouble)))]
pub(crate) async fn forgot(
    State(app): State<App>,
    Sent(wish): Sent<GuestWish>,
) -> Result<Json<Value>, Fault> {
    app.sends_mail()?;
    app.forgot(&wish.name);
    Ok(Json(json!({})))
}

/// Sets a password anew with the token of such a letter; all sessions end.
#[utoipa::path(post, path = "/api/reset", request_body = ResetWish,
    responses((status = 200, description = "Done"), (status = 403, body = Trouble)))]
pub(crate) async fn reset(State(app): State<App>, Sent(wish): Sent<ResetWish>) -> Result<Json<Value>, Fault> {
    app.reset(&wish.token, wish.password).await?;
    Ok(Json(json!({})))
}

/// Who the caller is.
#[utoipa::path(get, path = "/api/me", responses((status = 200, description = "Id, name, whether an account")))]
pub(crate) async fn me(Known(person): Known) -> Json<Value> {
    Json(json!({ "id": person.id, "name": person.name, "account": person.password.is_some() }))
}

/// Makes an account of a guest, or changes the name or password of one.
#[utoipa::path(put, path = "/api/me/account", request_body = AccountWish,
    responses((status = 200, description = "Done"), (status = 400, body = Trouble), (status = 403, body = Trouble)))]
pub(crate) async fn account(
    State(app): State<App>,
    Known(person): Known,
    InSession(present): InSession,
    caller: Caller,
    Sent(wish): Sent<AccountWish>,
) -> Result<Json<Value>, Fault> {
    app.register(person, &wish.name, (wish.password, wish.old), present, caller.address).await?;
    Ok(Json(json!({})))
}

/// Everything that is kept about the caller.
#[utoipa::path(get, path = "/api/me/export", responses((status = 200, description = "All of it")))]
pub(crate) async fn export(State(app): State<App>, Known(person): Known) -> Result<Json<Value>, Fault> {
    app.export(&person).await.map(Json)
}

/// The caller goes for good: his seats in games that are not over are left, his name is erased.
#[utoipa::path(delete, path = "/api/me", request_body = PasswordWish,
    responses((status = 200, description = "Gone"), (status = 403, body = Trouble)))]
pub(crate) async fn delete(
    State(app): State<App>,
    Known(person): Known,
    caller: Caller,
    Sent(wish): Sent<PasswordWish>,
) -> Result<Json<Value>, Fault> {
    app.delete(&person, wish.password, caller.address).await?;
    Ok(Json(json!({})))
}

/// The sessions of the caller.
#[utoipa::path(get, path = "/api/me/sessions", responses((status = 200, body = [ShownSession])))]
pub(crate) async fn sessions(
    State(app): State<App>,
    Known(person): Known,
    InSession(present): InSession,
) -> Result<Json<Vec<ShownSession>>, Fault> {
    app.shown_sessions(&person.id, present.as_deref()).await.map(Json)
}

/// Ends a session of the caller.
#[utoipa::path(delete, path = "/api/me/sessions/{session}", responses((status = 200, description = "Ended")))]
pub(crate) async fn end_session(
    State(app): State<App>,
    Known(person): Known,
    Path(session): Path<String>,
) -> Result<Json<Value>, Fault> {
    app.end_sessions(&person.id, Some(session), None).await?;
    Ok(Json(json!({})))
}

/// Ends all sessions of the caller but the one that asks.
#[utoipa::path(delete, path = "/api/me/sessions", responses((status = 200, description = "Ended")))]
pub(crate) async fn end_other_sessions(
    State(app): State<App>,
    Known(person): Known,
    InSession(present): InSession,
) -> Result<Json<Value>, Fault> {
    app.end_sessions(&person.id, None, present).await?;
    Ok(Json(json!({})))
}

async fn how_told(app: &App, person: &PersonId) -> Result<HowTold, Fault> {
    let ways = app.ways(person).await?;
    Ok(HowTold {
        webhook: ways.webhook,
        mail_confirmed: ways.mail.as_ref().is_some_and(|m| m.confirmed),
        mail: ways.mail.map(|m| m.address),
        browsers: ways.push.into_iter().map(|b| b.endpoint).collect(),
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
    caller: Caller,
    Sent(wish): Sent<ToldWish>,
) -> Result<Json<HowTold>, Fault> {
    app.may_change_mail(&person, wish.mail.as_deref(), wish.password, caller.address).await?;
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

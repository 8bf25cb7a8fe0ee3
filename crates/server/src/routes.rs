//! The addresses of the server, and where each leads.

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post, put};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;

use crate::application::App;
use crate::{api, assets, limits, socket, web};

/// The whole application as a router.
pub fn app(app: App) -> Router {
    Router::new()
        .route("/", get(web::lobby))
        .route("/learn", post(web::learn))
        .route("/play", post(web::play))
        .route("/new", post(web::new_table))
        .route("/next", get(web::next))
        .route("/you", get(web::you))
        .route("/guest", post(web::guest))
        .route("/account", post(web::account))
        .route("/login", post(web::login))
        .route("/logout", post(web::logout))
        .route("/forgot", post(web::forgot))
        .route("/reset/{token}", get(web::reset_form).post(web::reset))
        .route("/you/sessions", post(web::end_sessions))
        .route("/you/export", get(web::export))
        .route("/you/delete", post(web::delete))
        .route("/g/{game}", get(web::game))
        .route("/g/{game}/cover.svg", get(web::cover))
        .route("/g/{game}/rules", get(web::rules_list))
        .route("/g/{game}/vignette/{number}", get(web::vignette))
        .route("/rules", get(web::all_rules))
        .route("/rules/{game}", get(web::rules))
        .route("/t/{table}", get(web::table))
        .route("/t/{table}/act", post(web::act))
        .route("/t/{table}/sit", post(web::sit))
        .route("/t/{table}/time", post(web::time))
        .route("/t/{table}/socket", get(socket::connect))
        .route("/t/{table}/seat/{link}", get(web::invitation).post(web::accept))
        .route("/t/{table}/record", get(web::record))
        .route("/t/{table}/journal", get(web::journal))
        .route("/t/{table}/chat", get(web::chat))
        .route("/t/{table}/picture.svg", get(web::table_picture))
        .route("/t/{table}/replay", get(web::replay))
        .route("/t/{table}/moment", get(web::moment))
        .route("/t/{table}/branch", post(web::branch))
        .route("/api", get(api::about))
        .route("/api/openapi.json", get(api::description))
        .route("/api/games", get(api::games))
        .route("/api/guests", post(api::guests))
        .route("/api/login", post(api::login))
        .route("/api/logout", post(api::logout))
        .route("/api/forgot", post(api::forgot))
        .route("/api/reset", post(api::reset))
        .route("/api/me", get(api::me).delete(api::delete))
        .route("/api/me/account", put(api::account))
        .route("/api/me/export", get(api::export))
        .route("/api/me/sessions", get(api::sessions).delete(api::end_other_sessions))
        .route("/api/me/sessions/{session}", delete(api::end_session))
        .route("/api/me/tidings", get(api::tidings).put(api::set_tidings))
        .route("/api/me/push", post(api::push).delete(api::no_push))
        .route("/you/tidings", post(web::tidings))
        .route("/you/mail/{person}/{token}", get(web::mail).post(web::confirm_mail))
        .route("/worker.js", get(assets::worker))
        .route("/api/tables", get(api::tables).post(api::open))
        .route("/api/tables/{table}", get(api::view))
        .route("/api/tables/{table}/join", post(api::join))
        .route("/api/tables/{table}/invite/{seat}", post(api::invite).delete(api::uninvite))
        .route("/api/tables/{table}/ready", post(api::ready))
        .route("/api/tables/{table}/act", post(api::act))
        .route("/api/tables/{table}/ask", post(api::ask))
        .route("/api/tables/{table}/reach", post(api::reach))
        .route("/api/tables/{table}/time", post(api::time))
        .route("/api/tables/{table}/hint", post(api::hint))
        .route("/api/tables/{table}/turnings", get(api::turnings))
        .route("/api/tables/{table}/seen", put(api::seen))
        .route("/api/tables/{table}/say", post(api::say))
        .route("/api/tables/{table}/notes", put(api::notes))
        .route("/api/tables/{table}/verify", get(api::verify))
        .route("/api/tables/{table}/rematch", post(api::rematch))
        .route("/api/tables/{table}/stream", get(api::stream))
        .route("/api/tables/{table}/record", get(api::record))
        .route("/api/tables/{table}/journal", get(api::journal))
        .route("/static/{version}/{name}", get(assets::versioned))
        .route("/static/{name}", get(assets::plain))
        .route("/health", get(web::health))
        .route("/metrics", get(web::metrics))
        .fallback(web::missing)
        .layer(from_fn(to_its_end))
        .layer(CatchPanicLayer::new())
        .layer(RequestBodyLimitLayer::new(app.limits().body))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(app.clone(), limits::door))
        .with_state(app)
}

/// Answers a request in a task of its own. A browser that leaves while its request is under way drops it; what
/// has begun to be written must still reach the table in memory and those who look at it.
async fn to_its_end(request: Request, next: Next) -> Response {
    match tokio::spawn(next.run(request)).await {
        Ok(answer) => answer,
        Err(broken) if broken.is_panic() => std::panic::resume_unwind(broken.into_panic()),
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

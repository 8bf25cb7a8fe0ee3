//! What can go wrong between a request and a table, named, with what to do about it.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use table::TableError;
use utoipa::ToSchema;

use crate::store::StoreError;

/// Why a request was not carried out. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No such thing.
    #[error("there is no {0}")]
    Missing(String),
    /// Nobody has said who he is.
    #[error("say who you are first: take a name in the lobby, or send a session token")]
    Unknown,
    /// The seat is another's.
    #[error("{0}")]
    NotYours(String),
    /// What was sent makes no sense.
    #[error("{0}")]
    Wrong(String),
    /// It cannot be done at this stage of the table.
    #[error("{0}")]
    Stage(String),
    /// The rules said no.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A rule failed: the table is frozen.
    #[error("this table has stopped at its last good entry: {0}")]
    Frozen(String),
    /// Another server changed the table at the same moment, again and again.
    #[error("the table changed at the same moment: look again, and try again")]
    Raced,
    /// Too many requests.
    #[error("too many requests: wait a moment and try again")]
    TooMany,
    /// The body is too large.
    #[error("a request holds at most {0} bytes")]
    TooLarge(usize),
    /// The body does not come.
    #[error("the request did not arrive in time: send it again")]
    TooSlow,
    /// The request comes from another site.
    #[error("this request was sent from another site, so it is not carried out")]
    CrossSite,
    /// The store failed.
    #[error("the table could not be saved, so nothing was changed: try again ({0})")]
    Store(StoreError),
    /// The server failed.
    #[error("the server failed; the table is as it was before: {0}")]
    Server(String),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "store");
        Self::Store(error)
    }
}

impl Fault {
    /// A word for programs.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Missing(_) => "missing",
            Self::Unknown => "unknown",
            Self::NotYours(_) => "not-yours",
            Self::Wrong(_) => "wrong",
            Self::Stage(_) => "stage",
            Self::Table(error) => match error {
                TableError::Unreadable { .. } => "unreadable",
                TableError::NotYours { .. } => "not-yours",
                TableError::Stale { .. } => "stale",
                TableError::NotNow { .. } => "not-now",
                TableError::Refused { .. } => "refused",
                TableError::NoRoom { .. } => "no-room",
                TableError::Over => "over",
                TableError::NothingToUndo { .. } => "nothing-to-undo",
            },
            Self::Frozen(_) => "frozen",
            Self::Raced => "stale",
            Self::TooMany => "too-many",
            Self::TooLarge(_) => "too-large",
            Self::TooSlow => "too-slow",
            Self::CrossSite => "cross-site",
            Self::Store(_) => "store",
            Self::Server(_) => "server",
        }
    }

    /// The status of the answer.
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::Missing(_) => StatusCode::NOT_FOUND,
            Self::Unknown => StatusCode::UNAUTHORIZED,
            Self::NotYours(_) | Self::CrossSite => StatusCode::FORBIDDEN,
            Self::Wrong(_) => StatusCode::BAD_REQUEST,
            Self::Stage(_) | Self::Frozen(_) | Self::Raced => StatusCode::CONFLICT,
            Self::Table(error) => match error {
                TableError::Unreadable { .. } => StatusCode::BAD_REQUEST,
                TableError::NotYours { .. } => StatusCode::FORBIDDEN,
                _ => StatusCode::CONFLICT,
            },
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Server(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The rule that forbids it, if one does.
    pub fn rule(&self) -> Option<String> {
        match self {
            Self::Table(TableError::Refused { rule, .. } | TableError::NotNow { rule, .. }) => {
                Some(rule.to_string())
            }
            _ => None,
        }
    }
}

/// A fault as programs read it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Trouble {
    /// A word: missing, unknown, not-yours, wrong, stage, unreadable, stale, not-now, refused, over,
    /// nothing-to-undo, frozen, too-many, too-large, too-slow, cross-site, store, server.
    pub error: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// The rule that forbids it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let trouble = Trouble { error: self.word().into(), message: self.to_string(), rule: self.rule() };
        (self.status(), Json(trouble)).into_response()
    }
}

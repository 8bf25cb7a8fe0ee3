//! Style and script, built into the program. Their addresses change with their text, so browsers keep them.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::fault::Fault;

#[derive(RustEmbed)]
#[folder = "static/"]
struct Files;

/// The version of all files together.
fn version() -> &'static str {
    static VERSION: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    VERSION.get_or_init(|| {
        let mut names: Vec<_> = Files::iter().collect();
        names.sort();
        let mut hasher = blake3::Hasher::new();
        for name in names {
            hasher.update(name.as_bytes());
            if let Some(file) = Files::get(&name) {
                hasher.update(&file.data);
            }
        }
        hasher.finalize().to_hex()[..10].to_string()
    })
}

/// The address of a file.
pub(crate) fn address(name: &str) -> String {
    format!("/static/{}/{name}", version())
}

/// A file as it is.
pub(crate) fn bytes(name: &str) -> Option<Vec<u8>> {
    Files::get(name).map(|file| file.data.into_owned())
}

/// Sends a file.
pub(crate) async fn versioned(Path((_, name)): Path<(String, String)>) -> Result<Response, Fault> {
    send(&name, "public, max-age=31536000, immutable")
}

/// Sends a file whose address does not change.
pub(crate) async fn plain(Path(name): Path<String>) -> Result<Response, Fault> {
    send(&name, "public, max-age=3600")
}

/// The script that browsers run when a message comes: it speaks for the whole site, so it lies at its root.
pub(crate) async fn worker() -> Result<Response, Fault> {
    send("worker.js", "no-cache")
}

fn send(name: &str, keep: &'static str) -> Result<Response, Fault> {
    let file = Files::get(name).ok_or_else(|| Fault::Missing(format!("file `{name}`")))?;
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("webp") => "image/webp",
        _ => "application/octet-stream",
    };
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, keep)], file.data.into_owned())
        .into_response())
}

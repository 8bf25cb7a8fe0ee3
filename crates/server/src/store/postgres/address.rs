//! The address of a shared store, and what it says about the way there.

use std::path::Path;

use tokio_postgres::Config;
use tokio_postgres::config::SslMode;
use tokio_rustls::rustls::ClientConfig;

/// An address without its password, for messages.
pub(super) fn shown(address: &str) -> String {
    match url::Url::parse(address) {
        Ok(mut url) => {
            // Setting a password fails only where an address cannot have one.
            let _ = url.password().is_some().then(|| url.set_password(Some("…")));
            url.set_query(None);
            url.to_string()
        }
        Err(_) => "postgres://…".into(),
    }
}

/// What an address says about the connection, as PostgreSQL's own programs understand it: `sslmode=disable`,
/// `prefer` (the usual) or `require`, which do not ask who answers, and `verify-full`, which does; with
/// `sslrootcert=FILE` only certificates of that file are believed, and always asked for.
pub(super) fn read(address: &str) -> Result<(Config, ClientConfig), String> {
    let (place, query) = address.split_once('?').unwrap_or((address, ""));
    let (mut mode, mut file, mut rest) = (None, None, Vec::new());
    for pair in query.split('&').filter(|p| !p.is_empty()) {
        let value = || url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, v)| v.into_owned());
        match pair.split_once('=').map_or(pair, |(key, _)| key) {
            "sslmode" => mode = value(),
            "sslrootcert" => file = value(),
            _ => rest.push(pair),
        }
    }
    let place = if rest.is_empty() { place.to_string() } else { format!("{place}?{}", rest.join("&")) };
    let mut config: Config = place.parse().map_err(|e: tokio_postgres::Error| super::in_full(&e))?;
    let asks = match (mode.as_deref(), &file) {
        (Some("disable"), _) => {
            config.ssl_mode(SslMode::Disable);
            false
        }
        (None | Some("prefer"), None) => false,
        (Some("require"), None) => {
            config.ssl_mode(SslMode::Require);
            false
        }
        (None | Some("prefer" | "require" | "verify-full"), _) => {
            config.ssl_mode(SslMode::Require);
            true
        }
        (Some(other), _) => {
            return Err(format!("sslmode is disable, prefer, require or verify-full, not `{other}`"));
        }
    };
    let tls = match file {
        Some(file) if asks => crate::tls::trusting(Path::new(&file))?,
        None if asks => crate::tls::config()?,
        _ => crate::tls::unchecked()?,
    };
    Ok((config, tls))
}

//! How the server makes sure whom it talks to when it calls out: TLS with the certificates that the system
//! trusts, for databases, webhooks and push services alike.

use std::sync::{Arc, OnceLock};

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The settings of TLS, made once. `Err` says why no connection could be trusted.
pub(crate) fn config() -> Result<ClientConfig, String> {
    static CONFIG: OnceLock<Result<ClientConfig, String>> = OnceLock::new();
    CONFIG.get_or_init(make).clone()
}

/// The same, shared.
pub(crate) fn shared() -> Result<Arc<ClientConfig>, String> {
    config().map(Arc::new)
}

fn make() -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    // A system without any certificate can still speak without TLS; with it, every connection fails.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let versions = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|e| e.to_string())?;
    Ok(versions.with_root_certificates(roots).with_no_client_auth())
}

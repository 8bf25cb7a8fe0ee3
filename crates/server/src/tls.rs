//! How the server makes sure whom it talks to when it calls out: TLS with the certificates that the system
//! trusts, for databases, webhooks and push services alike. Only a database may be trusted otherwise, as its
//! address says.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// The settings of TLS, made once. `Err` says why no connection could be trusted.
pub(crate) fn config() -> Result<ClientConfig, String> {
    static CONFIG: OnceLock<Result<ClientConfig, String>> = OnceLock::new();
    CONFIG.get_or_init(|| with_roots(system_roots())).clone()
}

/// The same, shared.
pub(crate) fn shared() -> Result<Arc<ClientConfig>, String> {
    config().map(Arc::new)
}

/// Settings that trust the certificates of a file, and no others.
pub(crate) fn trusting(file: &Path) -> Result<ClientConfig, String> {
    let wrong = |why: String| format!("no certificates can be read from {}: {why}", file.display());
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|e| wrong(e.to_string()))? {
        let certificate = certificate.map_err(|e| wrong(e.to_string()))?;
        roots.add(certificate).map_err(|e| wrong(e.to_string()))?;
    }
    if roots.is_empty() {
        return Err(wrong("it holds none; expected PEM".into()));
    }
    with_roots(roots)
}

/// Settings that keep others from listening and do not ask who answers.
pub(crate) fn unchecked() -> Result<ClientConfig, String> {
    let mut config = with_roots(RootCertStore::empty())?;
    config.dangerous().set_certificate_verifier(Arc::new(Anybody(ring::default_provider())));
    Ok(config)
}

fn system_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    // A system without any certificate can still speak without TLS; with it, every connection fails.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

fn with_roots(roots: RootCertStore) -> Result<ClientConfig, String> {
    let versions = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|e| e.to_string())?;
    Ok(versions.with_root_certificates(roots).with_no_client_auth())
}

/// Takes any certificate, as long as who shows it has its key.
#[derive(Debug)]
struct Anybody(CryptoProvider);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

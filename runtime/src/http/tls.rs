use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

/// TLS by rustls on ring, certificates judged by the platform's own roots and by those of a file (PEM). The provider is
/// named here rather than installed for the process: other parts of the program may have chosen another one.
pub(super) fn platform_config(ca_file: Option<&Path>) -> Result<ClientConfig, String> {
    let extra = ca_file.map(certificates).transpose()?.unwrap_or_default();
    let verifier = Verifier::new_with_extra_roots(extra, provider()).map_err(|error| error.to_string())?;
    let builder = builder()?.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
    Ok(with_alpn(builder.with_no_client_auth()))
}

/// For a machine without roots and a system without TLS: every certificate is refused.
pub(super) fn trusting_nobody() -> Result<ClientConfig, String> {
    Ok(with_alpn(builder()?.with_root_certificates(RootCertStore::empty()).with_no_client_auth()))
}

/// The certificates of a PEM file; a file without any is a mistake.
fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let failed = |reason: String| format!("{}: {reason}", file.display());
    let text = std::fs::read(file).map_err(|error| failed(error.to_string()))?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let found = found.map_err(|error| failed(error.to_string()))?;
    if found.is_empty() { Err(failed("no certificate in it".into())) } else { Ok(found) }
}

fn builder() -> Result<rustls::ConfigBuilder<ClientConfig, rustls::WantsVerifier>, String> {
    let builder = ClientConfig::builder_with_provider(provider());
    builder.with_safe_default_protocol_versions().map_err(|error| error.to_string())
}

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn with_alpn(mut config: ClientConfig) -> ClientConfig {
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config
}

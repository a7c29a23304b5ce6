use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

/// TLS by rustls on ring, certificates judged by the platform's own roots. The provider is named here rather than
/// installed for the process: other parts of the program may have chosen another one.
pub(super) fn platform_config() -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()?;
    Ok(with_alpn(builder.with_platform_verifier()?.with_no_client_auth()))
}

/// For a machine without roots and a system without TLS: every certificate is refused.
pub(super) fn trusting_nobody() -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()?;
    Ok(with_alpn(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth()))
}

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn with_alpn(mut config: ClientConfig) -> ClientConfig {
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config
}

//! Certificates made for one server.

use std::error::Error;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;

use super::Handshake;

/// What a server shows, and the authority a client is told to trust.
pub(super) struct Papers {
    pub(super) authority: String,
    pub(super) acceptor: TlsAcceptor,
}

impl Papers {
    pub(super) fn new(handshake: Handshake) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let authority = authority()?;
        let stranger = authority_if(handshake == Handshake::UnknownAuthority)?;
        let name = if handshake == Handshake::OtherName { "elsewhere.example" } else { "localhost" };
        let mut params = CertificateParams::new(vec![name.to_owned()])?;
        if handshake == Handshake::Expired {
            params.not_before = date_time_ymd(2001, 1, 1);
            params.not_after = date_time_ymd(2002, 1, 1);
        }
        let key = KeyPair::generate()?;
        let own = params.signed_by(&key, stranger.as_ref().unwrap_or(&authority))?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![own.der().clone()], key.into())?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Self { authority: authority.pem(), acceptor: TlsAcceptor::from(Arc::new(config)) })
    }
}

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority() -> Result<Authority, rcgen::Error> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate()?)
}

fn authority_if(wanted: bool) -> Result<Option<Authority>, rcgen::Error> {
    if wanted { authority().map(Some) } else { Ok(None) }
}

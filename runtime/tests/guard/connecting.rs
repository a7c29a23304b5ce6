//! Proxies and certificates: what connections are made through, and whom they trust.

use std::io::Write as _;
use std::sync::Arc;

use cofferdam_runtime::http::{Credentials, HttpClient};
use cofferdam_runtime::settings::{ProxySettings, SystemHandle, SystemSettings};
use cofferdam_runtime::{CallError, FaultKind, Guard};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tempfile::NamedTempFile;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use super::server::{Act, Server, adapter};
use super::subject::{Adapter, handle};

fn proxied(server: &Server, user: Option<&str>) -> SystemSettings {
    let mut settings = server.settings();
    settings.base_url = "http://pay.invalid/base".parse().unwrap();
    let url = format!("http://{}", server.address).parse().unwrap();
    let password = user.map(|_| "pw".into());
    settings.proxy = Some(ProxySettings { url, user: user.map(str::to_owned), password });
    settings
}

#[tokio::test]
async fn calls_go_through_the_proxy_of_the_settings() {
    let proxy = Server::start(|_, _| Act::json(200, "{}")).await;
    adapter(proxied(&proxy, None), Credentials::new()).look().await.unwrap();
    adapter(proxied(&proxy, Some("ann")), Credentials::new()).look().await.unwrap();
    let arrivals = proxy.arrivals();
    assert_eq!(arrivals[0].line, "GET http://pay.invalid/base/things HTTP/1.1");
    assert_eq!(arrivals[0].header("proxy-authorization"), None);
    assert_eq!(arrivals[1].header("proxy-authorization"), Some("Basic YW5uOnB3"));
}

#[tokio::test]
async fn a_proxy_comes_and_goes_with_the_settings() {
    let (direct, proxy) =
        tokio::join!(Server::start(|_, _| Act::json(200, "{}")), Server::start(|_, _| Act::json(200, "{}")));
    let handle = handle(direct.settings());
    let adapter = connected(&handle);
    adapter.look().await.unwrap();
    handle.store(proxied(&proxy, None));
    adapter.look().await.unwrap();
    handle.store(direct.settings());
    adapter.look().await.unwrap();
    assert_eq!((direct.count(), proxy.count()), (2, 1));
}

fn connected(handle: &SystemHandle) -> Adapter {
    Adapter { client: HttpClient::new(handle, Credentials::new()).unwrap(), guard: Guard::new(handle).unwrap() }
}

/// An authority of its own, and a server at localhost that it vouches for. The settings trust nobody more than the
/// platform does.
async fn private_server() -> (String, SystemSettings) {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let own = CertificateParams::new(vec!["localhost".to_owned()]).unwrap().signed_by(&key, &authority).unwrap();
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own.der().clone()], key.into())
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let _ = stream.read(&mut [0; 4096]).await;
            let reply =
                b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
            let _ = stream.write_all(reply).await;
            let _ = stream.shutdown().await;
        }
    });
    let mut settings = SystemSettings::external(format!("https://localhost:{port}").parse().unwrap());
    settings.retry.max_attempts = 1;
    (authority.pem(), settings)
}

#[tokio::test]
async fn an_authority_of_ones_own_is_trusted_when_the_settings_say_so() {
    let (pem, mut settings) = private_server().await;
    let handle = handle(settings.clone());
    let adapter = connected(&handle);
    let error = adapter.look().await.unwrap_err();
    assert!(matches!(&error, CallError::Transport { fault, .. } if fault.kind() == FaultKind::Tls), "{error}");

    let mut file = NamedTempFile::new().unwrap();
    file.write_all(pem.as_bytes()).unwrap();
    settings.tls.ca_file = Some(file.path().to_owned());
    handle.store(settings.clone());
    adapter.look().await.unwrap();

    // Settings that no pool can be made from leave the one that works.
    settings.tls.ca_file = Some("no/such/file.pem".into());
    handle.store(settings);
    adapter.look().await.unwrap();
}

#[tokio::test]
async fn a_file_without_certificates_is_told_when_the_adapter_is_made() {
    let mut settings = super::subject::settings();
    let empty = NamedTempFile::new().unwrap();
    for (file, wanted) in
        [("no/such/file.pem", "No such file"), (empty.path().to_str().unwrap(), "no certificate in it")]
    {
        settings.tls.ca_file = Some(file.into());
        let error = HttpClient::new(&handle(settings.clone()), Credentials::new()).unwrap_err().to_string();
        assert!(error.starts_with("acme: TLS: ") && error.contains(file) && error.contains(wanted), "{error}");
    }
}

#[tokio::test]
async fn a_base_url_that_a_reload_brought_is_checked_as_the_first_one_was() {
    let server = Server::start(|_, _| Act::json(200, "{}")).await;
    let handle = handle(server.settings());
    let adapter = connected(&handle);
    let mut settings = server.settings();
    settings.base_url.set_username("ann").unwrap();
    handle.store(settings);
    let error = adapter.look().await.unwrap_err();
    assert_eq!(error.to_string(), "acme look: not sent: the base URL must not hold credentials");
    assert_eq!(server.count(), 0);
}

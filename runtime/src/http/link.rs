use std::time::Duration;

use super::tls;
use crate::settings::{PoolSettings, ProxySettings, SystemSettings, TlsSettings};

/// A connection pool, with the settings it was made from: when a reload changes those, a new one takes its place.
pub(super) struct Link {
    pub(super) client: reqwest::Client,
    made_from: Connecting,
}

/// The settings that a pool is made from.
#[derive(PartialEq)]
struct Connecting {
    connect: Duration,
    pool: PoolSettings,
    tls: TlsSettings,
    proxy: Option<ProxySettings>,
    /// A machine without roots can still call a system without TLS.
    needs_tls: bool,
}

impl Link {
    pub(super) fn new(settings: &SystemSettings) -> Result<Self, String> {
        Ok(Self { client: client(settings)?, made_from: Connecting::of(settings) })
    }

    /// Whether the pool is one for these settings.
    pub(super) fn fits(&self, settings: &SystemSettings) -> bool {
        let made_from = &self.made_from;
        made_from.connect == settings.timeouts.connect
            && made_from.pool == settings.pool
            && made_from.tls == settings.tls
            && made_from.proxy == settings.proxy
            && made_from.needs_tls == needs_tls(settings)
    }

    /// The same pool, standing in for one that cannot be made from these settings, so that this is not tried on
    /// every call.
    pub(super) fn standing_in(&self, settings: &SystemSettings) -> Self {
        Self { client: self.client.clone(), made_from: Connecting::of(settings) }
    }
}

impl Connecting {
    fn of(settings: &SystemSettings) -> Self {
        Self {
            connect: settings.timeouts.connect,
            pool: settings.pool,
            tls: settings.tls.clone(),
            proxy: settings.proxy.clone(),
            needs_tls: needs_tls(settings),
        }
    }
}

fn needs_tls(settings: &SystemSettings) -> bool {
    settings.base_url.scheme() != "http"
}

fn client(settings: &SystemSettings) -> Result<reqwest::Client, String> {
    let ca_file = settings.tls.ca_file.as_deref();
    let tls = match tls::platform_config(ca_file) {
        Err(_) if ca_file.is_none() && !needs_tls(settings) => tls::trusting_nobody(),
        config => config,
    }
    .map_err(|error| format!("TLS: {error}"))?;
    let builder = reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .connect_timeout(settings.timeouts.connect)
        .pool_max_idle_per_host(settings.pool.max_idle)
        .pool_idle_timeout(settings.pool.idle_timeout)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .user_agent(concat!("cofferdam/", env!("CARGO_PKG_VERSION")))
        // Whether calls go through a proxy must not hang on a variable of the environment.
        .no_proxy();
    let builder = match &settings.proxy {
        Some(own) => builder.proxy(proxy(own)?),
        None => builder,
    };
    builder.build().map_err(|error| format!("HTTP client: {error}"))
}

fn proxy(settings: &ProxySettings) -> Result<reqwest::Proxy, String> {
    let proxy = reqwest::Proxy::all(settings.url.clone()).map_err(|error| format!("proxy: {error}"))?;
    Ok(match &settings.user {
        Some(user) => proxy.basic_auth(user, settings.password.as_ref().map_or("", |password| password.expose())),
        None => proxy,
    })
}

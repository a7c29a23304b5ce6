use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, StatusCode};
use tokio::time::Instant;
use url::Url;
use url::form_urlencoded::Serializer;

use super::credentials::Authority;
use super::transport::{Bounds, SendError, exchange};
use super::{BuildError, Credentials, RawReply, RequestBody, RequestParts, RequestWriter, tls};
use crate::attempt_scope;
use crate::deadline::{Deadline, attempt_end};
use crate::error::{ClientError, ConnectError, Delivery, NotSentCause, TimeoutPhase};
use crate::moment::{Moment, nanos};
use crate::settings::{PoolSettings, SystemHandle, SystemSettings};
use crate::wire::json;
use crate::{Decoded, IdempotencyKey, Operation, OperationMeta};

/// The HTTP client of one system, with a connection pool of its own (R-RES-ISO-1). It can only be made from checked
/// settings (R-RES-ISO-X2), follows no redirects and repeats nothing by itself (R-RES-RE-X4). Clones share the pool.
#[derive(Clone)]
pub struct HttpClient {
    shared: Arc<Shared>,
}

struct Shared {
    settings: SystemHandle,
    credentials: Credentials,
    tls: rustls::ClientConfig,
    link: ArcSwap<Link>,
}

/// The pool, with the settings it was made from: when a reload changes those, the next call makes a new one.
struct Link {
    client: reqwest::Client,
    connect: Duration,
    pool: PoolSettings,
}

impl HttpClient {
    /// A client for the system behind the handle.
    pub fn new(settings: &SystemHandle, credentials: Credentials) -> Result<Self, ConnectError> {
        let failed = |reason: String| ConnectError::new(settings.name(), reason);
        credentials.check().map_err(|error| failed(error.to_string()))?;
        let now = settings.load();
        check_base_url(&now.base_url).map_err(|reason| failed(reason.into()))?;
        let tls = match tls::platform_config() {
            Err(_) if now.base_url.scheme() == "http" => tls::trusting_nobody(),
            config => config,
        }
        .map_err(|error| failed(format!("TLS: {error}")))?;
        let link = Link::new(&now, &tls).map_err(|error| failed(format!("HTTP client: {error}")))?;
        let link = ArcSwap::from_pointee(link);
        Ok(Self { shared: Arc::new(Shared { settings: settings.clone(), credentials, tls, link }) })
    }

    /// Calls an operation: one request, no protection. Prefer the adapter.
    pub async fn call<Op: Operation>(
        &self,
        request: &Op::Request,
        key: Option<&IdempotencyKey>,
    ) -> Result<Op::Reply, ClientError<Op::Rejection>> {
        let parts = write::<Op>(request, key).map_err(|error| ClientError::NotSent(NotSentCause::Argument(error)))?;
        let reply = self.send(Op::META, parts).await?;
        judge::<Op>(reply)
    }

    /// Sends a finished request, adding credentials and the headers the settings ask for. Knows no operation's
    /// types, so that it is compiled once.
    pub(crate) async fn send(&self, meta: &OperationMeta, parts: RequestParts) -> Result<RawReply, SendError> {
        let settings = self.shared.settings.load();
        let settings = Arc::clone(&settings);
        let policy = settings.policy(meta.id);
        let start = Instant::now();
        let end = attempt_scope::current_end().or_else(|| unguarded_end(start, policy.timeouts.call)).ok_or(
            SendError::TimedOut { phase: TimeoutPhase::Deadline, limit: Duration::ZERO, delivery: Delivery::NotSent },
        )?;
        let bounds = Bounds {
            connect: policy.timeouts.connect,
            read: policy.timeouts.read,
            start,
            end,
            max_reply_bytes: policy.max_reply_bytes,
        };
        let client = self.shared.client(&settings)?;
        self.exchange(meta, parts, &settings, &client, &bounds).await
    }

    async fn exchange(
        &self,
        meta: &OperationMeta,
        mut parts: RequestParts,
        settings: &SystemSettings,
        client: &reqwest::Client,
        bounds: &Bounds,
    ) -> Result<RawReply, SendError> {
        let authority = Authority { client, base_url: &settings.base_url, bounds };
        let credentials = &self.shared.credentials;
        let used = credentials.apply(meta.security, &mut parts, &authority).await?;
        add_headers(&mut parts.headers, meta, settings, bounds.end)?;
        let request = into_request(parts, &settings.base_url)?;
        let reply = exchange(client, request, bounds).await?;
        tracing::Span::current().record("http.response.status_code", reply.status.as_u16());
        if reply.status == StatusCode::UNAUTHORIZED {
            credentials.forget(used);
        }
        Ok(reply)
    }
}

impl fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpClient").field("system", &self.shared.settings.name()).finish_non_exhaustive()
    }
}

impl Shared {
    /// The pool for these settings.
    fn client(&self, settings: &SystemSettings) -> Result<reqwest::Client, SendError> {
        let link = self.link.load();
        if link.connect == settings.timeouts.connect && link.pool == settings.pool {
            return Ok(link.client.clone());
        }
        let link = Link::new(settings, &self.tls).map_err(|error| unfit(format!("HTTP client: {error}")))?;
        let client = link.client.clone();
        self.link.store(Arc::new(link));
        Ok(client)
    }
}

impl Link {
    fn new(settings: &SystemSettings, tls: &rustls::ClientConfig) -> Result<Self, reqwest::Error> {
        let (connect, pool) = (settings.timeouts.connect, settings.pool);
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls.clone())
            .connect_timeout(connect)
            .pool_max_idle_per_host(pool.max_idle)
            .pool_idle_timeout(pool.idle_timeout)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            // Whether calls go through a proxy must not hang on a variable of the environment.
            .no_proxy()
            .user_agent(concat!("cofferdam/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { client, connect, pool })
    }
}

/// What a base URL cannot be: nobody would expect these parts to be sent.
fn check_base_url(url: &Url) -> Result<(), &'static str> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err("the base URL must begin with http:// or https://");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the base URL must not hold credentials");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("the base URL must not hold a query or a fragment");
    }
    Ok(())
}

/// When a call without a guard around it must have ended.
fn unguarded_end(start: Instant, limit: Duration) -> Option<Instant> {
    let last = Deadline::current().map(Deadline::last_moment);
    attempt_end(Moment::of(start), nanos(limit), last).map(Moment::instant)
}

/// The headers that neither the document's parameters nor credentials write.
fn add_headers(
    headers: &mut HeaderMap,
    meta: &OperationMeta,
    settings: &SystemSettings,
    end: Instant,
) -> Result<(), SendError> {
    if !meta.accept.is_empty() && !headers.contains_key(ACCEPT) {
        let value = HeaderValue::from_str(meta.accept).map_err(|_| unfit("`accept` cannot stand in a header"))?;
        headers.insert(ACCEPT, value);
    }
    if let Some(name) = &settings.headers.deadline {
        let left = end.saturating_duration_since(Instant::now()).as_millis();
        let value = HeaderValue::from(u64::try_from(left).unwrap_or(u64::MAX));
        headers.insert(name.clone(), value);
    }
    Ok(())
}

fn unfit(reason: impl Into<String>) -> SendError {
    SendError::NotSent(NotSentCause::Request(reason.into()))
}

/// Puts the parts behind the base URL, with the body as bytes.
fn into_request(parts: RequestParts, base_url: &Url) -> Result<reqwest::Request, SendError> {
    let mut url = base_url.clone();
    url.set_path(&format!("{}{}", base_url.path().trim_end_matches('/'), parts.path));
    url.set_query((!parts.query.is_empty()).then_some(parts.query.as_str()));
    let mut request = reqwest::Request::new(parts.method, url);
    *request.headers_mut() = parts.headers;
    *request.body_mut() = match parts.body {
        RequestBody::Empty => None,
        RequestBody::Bytes(bytes) => Some(bytes.into()),
        RequestBody::Form(fields) => Some(Serializer::new(String::new()).extend_pairs(fields).finish().into()),
        RequestBody::Json(value) => Some(json::print(&value).into()),
        RequestBody::Multipart(multipart) => {
            let boundary = multipart.boundary();
            let content_type = HeaderValue::try_from(multipart.content_type(&boundary))
                .map_err(|_| unfit("the multipart type cannot stand in a header"))?;
            request.headers_mut().insert(CONTENT_TYPE, content_type);
            Some(multipart.render(&boundary).into())
        }
        RequestBody::Stream(stream) => {
            attempt_scope::cannot_be_repeated();
            let pieces = stream.take().ok_or_else(|| unfit("the body is a stream and has been sent before"))?;
            Some(reqwest::Body::wrap_stream(pieces))
        }
    };
    Ok(request)
}

fn write<Op: Operation>(request: &Op::Request, key: Option<&IdempotencyKey>) -> Result<RequestParts, BuildError> {
    let mut writer = RequestWriter::new(Op::META.method);
    Op::encode(request, key, &mut writer)?;
    writer.finish()
}

/// What a whole reply means for an operation. A failure (5xx) whose body is not as documented is a failure all the
/// same: only successes and refusals can be undecodable.
fn judge<Op: Operation>(reply: RawReply) -> Result<Op::Reply, ClientError<Op::Rejection>> {
    let failed = reply.status.is_server_error();
    let decoded = match Op::decode(&reply) {
        Ok(Decoded::Reply(reply)) => return Ok(reply),
        other => other,
    };
    let reply = Box::new(reply);
    Err(match decoded {
        Ok(Decoded::Rejection(body)) if failed => ClientError::Server { rejection: Some(Box::new(body)), reply },
        _ if failed => ClientError::Server { rejection: None, reply },
        Ok(Decoded::Rejection(body)) => ClientError::Rejected { rejection: Box::new(body), reply },
        Ok(_) => ClientError::Unexpected { reply },
        Err(cause) => ClientError::Undecodable { cause: Box::new(cause), reply },
    })
}

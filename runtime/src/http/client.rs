use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use tokio::time::Instant;
use url::Url;
use url::form_urlencoded::Serializer;

use super::credentials::{Authority, UsedToken};
use super::link::Link;
use super::own_server::{Destination, OwnServer};
use super::transport::{self, Bounds, SendError};
use super::{BuildError, Credentials, RawReply, RequestBody, RequestParts, RequestWriter};
use crate::attempt_scope;
use crate::deadline::{Deadline, attempt_end};
use crate::error::{ClientError, ConnectError, Delivery, NotSentCause, TimeoutPhase};
use crate::moment::{Moment, nanos};
use crate::settings::{SystemHandle, SystemSettings};
use crate::trace;
use crate::wire::json;
use crate::{Decoded, IdempotencyKey, Operation, OperationKind, OperationMeta};

/// The HTTP client of one system, with a connection pool of its own (R-RES-ISO-1). It can only be made from checked
/// settings (R-RES-ISO-X2), follows no redirects and repeats nothing by itself (R-RES-RE-X4). Clones share the pool.
#[derive(Clone)]
pub struct HttpClient {
    shared: Arc<Shared>,
}

struct Shared {
    settings: SystemHandle,
    credentials: Credentials,
    link: Arc<ArcSwap<Link>>,
}

impl HttpClient {
    /// A client for the system behind the handle.
    pub fn new(settings: &SystemHandle, credentials: Credentials) -> Result<Self, ConnectError> {
        let failed = |reason: String| ConnectError::new(settings.name(), reason);
        credentials.check().map_err(|error| failed(error.to_string()))?;
        let now = settings.load();
        check_base_url(&now.base_url).map_err(|reason| failed(reason.into()))?;
        let link = Arc::new(ArcSwap::from_pointee(Link::new(&now).map_err(failed)?));
        Ok(Self { shared: Arc::new(Shared { settings: settings.clone(), credentials, link }) })
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

    /// Where a call would go under the settings as they are now. Credentials are no part of it.
    pub fn url<Op: Operation>(&self, request: &Op::Request, key: Option<&IdempotencyKey>) -> Result<Url, NotSentCause> {
        let parts = write::<Op>(request, key).map_err(NotSentCause::Argument)?;
        let settings = self.shared.settings.load();
        let destination = Destination::of(Op::META.id, parts.server, &settings)?;
        Ok(target(&parts, &destination.base_url))
    }

    /// Sends a finished request and reads the whole reply. Knows no operation's types, so that it is compiled once.
    pub(crate) async fn send(&self, meta: &OperationMeta, parts: RequestParts) -> Result<RawReply, SendError> {
        let (reply, bounds) = self.begin(meta, parts).await?;
        transport::whole(reply, meta.method != Method::HEAD.as_str(), &bounds).await
    }

    /// Sends a finished request, adding credentials and the headers the settings ask for, and waits for the head of the
    /// reply.
    pub(super) async fn begin(
        &self,
        meta: &OperationMeta,
        parts: RequestParts,
    ) -> Result<(reqwest::Response, Bounds), SendError> {
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
        let client = self.shared.client(&settings);
        let reply = self.exchange(meta, parts, &settings, &client, &bounds).await?;
        Ok((reply, bounds))
    }

    /// Sends a request. One that is answered with 401, although it came with a token that was kept from before, is sent
    /// once more with a new one, if it may be sent twice.
    async fn exchange(
        &self,
        meta: &OperationMeta,
        parts: RequestParts,
        settings: &SystemSettings,
        client: &reqwest::Client,
        bounds: &Bounds,
    ) -> Result<reqwest::Response, SendError> {
        let renewable = self.shared.credentials.can_be_renewed(meta.security);
        let again = if renewable { parts.again() } else { None };
        let (reply, used) = self.exchange_once(meta, parts, settings, client, bounds).await?;
        let Some(token) = used.filter(|_| reply.status() == StatusCode::UNAUTHORIZED) else { return Ok(reply) };
        let was_kept = token.was_kept();
        token.forget();
        let Some(again) = again.filter(|_| was_kept) else { return Ok(reply) };
        let (reply, used) = self.exchange_once(meta, again, settings, client, bounds).await?;
        if let Some(token) = used.filter(|_| reply.status() == StatusCode::UNAUTHORIZED) {
            token.forget();
        }
        Ok(reply)
    }

    async fn exchange_once(
        &self,
        meta: &OperationMeta,
        mut parts: RequestParts,
        settings: &SystemSettings,
        client: &reqwest::Client,
        bounds: &Bounds,
    ) -> Result<(reqwest::Response, Option<UsedToken>), SendError> {
        let destination = Destination::of(meta.id, parts.server, settings).map_err(SendError::NotSent)?;
        let base_url = destination.base_url.as_ref();
        check_base_url(base_url).map_err(unfit)?;
        let foreign_host = base_url.host_str().filter(|_| destination.is_foreign);
        let authority = Authority { http: self, client, base_url: &settings.base_url, bounds, foreign_host };
        let used = self.shared.credentials.apply(meta.security, &mut parts, &authority).await?;
        add_headers(&mut parts.headers, meta, settings, bounds.end)?;
        let span = tracing::Span::current();
        // The port of a URL whose scheme is known is always known.
        span.record("server.address", base_url.host_str());
        span.record("server.port", base_url.port_or_known_default());
        let request = into_request(parts, base_url)?;
        let reply = transport::begin(client, request, bounds).await?;
        span.record("http.response.status_code", reply.status().as_u16());
        Ok((reply, used))
    }

    /// A client of the same system, over the same connections, that says nobody's name.
    pub(super) fn without_credentials(&self) -> Self {
        let Shared { settings, link, .. } = &*self.shared;
        let (settings, link) = (settings.clone(), Arc::clone(link));
        Self { shared: Arc::new(Shared { settings, credentials: Credentials::new(), link }) }
    }
}

impl HttpClient {
    /// Where an operation's calls go now.
    pub(super) fn base_url(&self, operation: &str, own: Option<OwnServer>) -> Result<Url, NotSentCause> {
        let settings = self.shared.settings.load();
        Destination::of(operation, own, &settings).map(|destination| destination.base_url.into_owned())
    }

    /// Query parameters that no caller writes: the credentials do.
    pub(super) fn secret_parameters(&self) -> Vec<&'static str> {
        self.shared.credentials.in_query().collect()
    }
}

impl fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpClient").field("system", &self.shared.settings.name()).finish_non_exhaustive()
    }
}

impl Shared {
    /// The pool for these settings. Where none can be made from new settings, the old one stays: a certificate file
    /// that is gone must not stop the calls that work.
    fn client(&self, settings: &SystemSettings) -> reqwest::Client {
        let link = self.link.load();
        if link.fits(settings) {
            return link.client.clone();
        }
        let new = Link::new(settings).unwrap_or_else(|reason| {
            tracing::warn!(external.system = self.settings.name(), reason, "the old connection settings stay");
            link.standing_in(settings)
        });
        let client = new.client.clone();
        self.link.store(Arc::new(new));
        client
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
    attempt_end(Moment::of(start), nanos(limit), last.unwrap_or(Moment::LAST)).map(Moment::instant)
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
    trace::write(headers, &settings.headers);
    Ok(())
}

fn unfit(reason: impl Into<String>) -> SendError {
    SendError::NotSent(NotSentCause::Request(reason.into()))
}

/// Where a request goes.
pub(super) fn target(parts: &RequestParts, base_url: &Url) -> Url {
    let mut url = base_url.clone();
    url.set_path(&format!("{}{}", base_url.path().trim_end_matches('/'), parts.path));
    url.set_query((!parts.query.is_empty()).then_some(parts.query.as_str()));
    url
}

/// Puts the parts behind the base URL, with the body as bytes.
fn into_request(parts: RequestParts, base_url: &Url) -> Result<reqwest::Request, SendError> {
    let url = target(&parts, base_url);
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

pub(super) fn write<Op: Operation>(
    request: &Op::Request,
    key: Option<&IdempotencyKey>,
) -> Result<RequestParts, BuildError> {
    let mut writer = RequestWriter::new(Op::META.method);
    Op::encode(request, key, &mut writer)?;
    let mut parts = writer.finish()?;
    parts.repeatable = match Op::META.kind {
        OperationKind::Read => true,
        // A key that stands in the body is not seen here.
        OperationKind::Keyed => key.is_some_and(|key| !key.is_empty()),
        OperationKind::Once => false,
    };
    Ok(parts)
}

/// What a whole reply means for an operation. A failure (5xx) whose body is not as documented is a failure all the
/// same: only successes and refusals can be undecodable.
pub(super) fn judge<Op: Operation>(reply: RawReply) -> Result<Op::Reply, ClientError<Op::Rejection>> {
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

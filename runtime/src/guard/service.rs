//! The layers around a client of one's own: a [`Layer`] for tower services, under the same settings.
//!
//! ```
//! use cofferdam_runtime::settings::{SystemHandle, SystemSettings};
//! use cofferdam_runtime::tower::{HttpCalls, ProtectLayer};
//! use cofferdam_runtime::{Guard, OperationKind, OperationMeta};
//! use tower::{Layer, ServiceExt};
//!
//! const GET_RATE: OperationMeta = OperationMeta::of("rates", "getRate", OperationKind::Read, "GET", "/rates/{currency}");
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let my_client = tower::service_fn(|_: http::Request<String>| async {
//! #     Ok::<_, std::convert::Infallible>(http::Response::new("1.07".to_owned()))
//! # });
//! let settings = SystemHandle::new("rates", SystemSettings::external("https://rates.example/".parse()?));
//! let guard = Guard::new(&settings)?;
//! let client = ProtectLayer::new(&guard, &GET_RATE, HttpCalls::copied()).layer(my_client);
//! let reply = client.oneshot(http::Request::get("/rates/EUR").body(String::new())?).await?;
//! # assert_eq!(reply.body(), "1.07");
//! # Ok(()) }
//! ```

use std::error::Error;
use std::fmt;
use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use http::StatusCode;
use tower_layer::Layer;
use tower_service::Service;
use tracing::Span;

use super::call::Call;
use super::classify::{Asked, opted_in};
use super::judge::{Class, InHand, Judge};
use super::{Guard, telemetry};
use crate::error::{CallError, Delivery};
use crate::retry::retry_after;
use crate::settings::RetrySettings;
use crate::{NoRejection, OperationKind, OperationMeta, Verdict, attempt_scope};

/// What the layers have to know of a client's requests, replies and errors.
pub trait Calls<Request, Reply, E>: Clone + Send + Sync + 'static {
    /// What a reply says about the system's health.
    fn verdict(&self, reply: &Reply) -> Verdict;

    /// The status of a reply: by it the settings may count it otherwise, and allow a repetition on 429 and 408.
    fn status(&self, reply: &Reply) -> Option<StatusCode> {
        let _ = reply;
        None
    }

    /// The wait that a reply asks for before another attempt.
    fn retry_after(&self, reply: &Reply) -> Option<Duration> {
        let _ = reply;
        None
    }

    /// What an error says about the system's health.
    fn error_verdict(&self, error: &E) -> Verdict {
        let _ = error;
        Verdict::Failure
    }

    /// Whether the system may have got a request that ended with this error.
    fn delivery(&self, error: &E) -> Delivery {
        let _ = error;
        Delivery::MaybeSent
    }

    /// Whether a request carries a key by which the system knows a repetition. Without one, a write is sent once.
    fn has_key(&self, request: &Request) -> bool {
        let _ = request;
        false
    }

    /// The same request once more; `None` if its body cannot be sent twice, so that there is no other attempt.
    fn copy(&self, request: &Request) -> Option<Request>;
}

/// Calls by HTTP: 5xx and errors are failures of the system, 4xx says nothing about its health; `idempotency-key` is the
/// key of a write, `retry-after` the wait it asks for.
pub struct HttpCalls<B> {
    copy: fn(&http::Request<B>) -> Option<http::Request<B>>,
}

impl<B: Clone> HttpCalls<B> {
    /// Requests whose bodies can be copied, and so sent again.
    #[must_use]
    pub fn copied() -> Self {
        Self { copy: |request| Some(request.clone()) }
    }
}

impl<B> HttpCalls<B> {
    /// Requests whose bodies cannot be sent twice: each is sent once, reads too.
    #[must_use]
    pub fn sent_once() -> Self {
        Self { copy: |_| None }
    }
}

impl<B> Clone for HttpCalls<B> {
    fn clone(&self) -> Self {
        Self { copy: self.copy }
    }
}

impl<B> fmt::Debug for HttpCalls<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpCalls")
    }
}

impl<B: 'static, R, E> Calls<http::Request<B>, http::Response<R>, E> for HttpCalls<B> {
    fn verdict(&self, reply: &http::Response<R>) -> Verdict {
        match reply.status().as_u16() {
            500.. => Verdict::Failure,
            400..=499 => Verdict::Ignored,
            _ => Verdict::Success,
        }
    }

    fn status(&self, reply: &http::Response<R>) -> Option<StatusCode> {
        Some(reply.status())
    }

    fn retry_after(&self, reply: &http::Response<R>) -> Option<Duration> {
        retry_after(reply.headers())
    }

    fn has_key(&self, request: &http::Request<B>) -> bool {
        request.headers().get("idempotency-key").is_some_and(|key| key.as_bytes().iter().any(u8::is_ascii_graphic))
    }

    fn copy(&self, request: &http::Request<B>) -> Option<http::Request<B>> {
        (self.copy)(request)
    }
}

/// Puts the layers of a guard around a service, for one operation.
#[derive(Debug, Clone)]
pub struct ProtectLayer<C> {
    guard: Guard,
    operation: &'static OperationMeta,
    calls: C,
}

impl<C> ProtectLayer<C> {
    /// The layers of this guard: services made by it, and by other layers of the same guard, share breaker, bulkhead,
    /// quota and retry budget. The operation's kind says whether its requests may be sent again.
    pub fn new(guard: &Guard, operation: &'static OperationMeta, calls: C) -> Self {
        Self { guard: guard.clone(), operation, calls }
    }
}

impl<S, C: Clone> Layer<S> for ProtectLayer<C> {
    type Service = Protected<S, C>;

    fn layer(&self, inner: S) -> Self::Service {
        Protected { layer: self.clone(), inner }
    }
}

/// A service with the layers around it. It is always ready: each attempt waits for the service within, as part of its
/// time and on its place in the bulkhead.
#[derive(Debug, Clone)]
pub struct Protected<S, C> {
    layer: ProtectLayer<C>,
    inner: S,
}

/// Why a protected service has no reply.
#[derive(Debug)]
pub enum ProtectedError<E> {
    /// The service's own error, that of the last attempt.
    Inner(E),
    /// A layer's: an open breaker, a full bulkhead, a used up quota, time that ran out.
    Layer(CallError<NoRejection>),
}

impl<E: fmt::Display> fmt::Display for ProtectedError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inner(error) => error.fmt(f),
            Self::Layer(error) => error.fmt(f),
        }
    }
}

impl<E: Error + 'static> Error for ProtectedError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Inner(error) => error.source(),
            Self::Layer(error) => error.source(),
        }
    }
}

impl<S, C, Request> Service<Request> for Protected<S, C>
where
    S: Service<Request> + Clone + Send + 'static,
    S::Response: Send,
    S::Error: Send,
    S::Future: Send,
    C: Calls<Request, S::Response, S::Error>,
    Request: Send + 'static,
{
    type Response = S::Response;
    type Error = ProtectedError<S::Error>;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let (layer, inner) = (self.layer.clone(), self.inner.clone());
        Box::pin(async move { layer.run(inner, request).await })
    }
}

impl<C> ProtectLayer<C> {
    async fn run<S, Request>(self, inner: S, request: Request) -> Result<S::Response, ProtectedError<S::Error>>
    where
        S: Service<Request> + Clone + Send + 'static,
        S::Response: Send,
        S::Error: Send,
        S::Future: Send,
        C: Calls<Request, S::Response, S::Error>,
        Request: Send + 'static,
    {
        let Self { guard, operation, calls } = &self;
        let shared = guard.shared();
        let span = telemetry::call(operation, &shared.breaker);
        let mut call = Call::idle(operation);
        shared.begin(&mut call, guard.deadline);
        call.repeats = match operation.kind {
            OperationKind::Read => true,
            OperationKind::Keyed => calls.has_key(&request),
            OperationKind::Once => false,
        };
        let mut answer = None;
        if !call.is_stopped() {
            let judge = ByCalls { calls, of: std::marker::PhantomData };
            // Locked for a moment only: services need not be shared between threads.
            let (inner, next) = (Mutex::new(inner), Mutex::new(Some(request)));
            let attempt = || {
                let service = inner.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let request = {
                    let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
                    let request = next.take();
                    *next = request.as_ref().and_then(|request| calls.copy(request));
                    request.map(|request| (request, next.is_some()))
                };
                exchange(service, request)
            };
            if call.repeats {
                let layers = pin!(shared.repeated(&mut call, &judge, attempt, &mut answer));
                telemetry::within(&span, layers).await;
            } else {
                let layers = pin!(shared.once(&mut call, &judge, attempt, &mut answer));
                telemetry::within(&span, layers).await;
            }
        } else if call.repeats {
            shared.repeatable_stopped();
        }
        match answer {
            Some(Ok(reply)) => Ok(reply),
            Some(Err(error)) => {
                telemetry::ended_with(&span, call.attempts(), KIND);
                Err(ProtectedError::Inner(error))
            }
            None => {
                let error = call.not_answered();
                telemetry::ended_with(&span, call.attempts(), error.kind());
                Err(ProtectedError::Layer(error))
            }
        }
    }
}

/// The word for errors of a service, of which nothing else is known.
const KIND: &str = "other";

/// One attempt. The flag says whether there is another request like it.
async fn exchange<S, Request>(mut service: S, request: Option<(Request, bool)>) -> Result<S::Response, S::Error>
where
    S: Service<Request>,
{
    let Some((request, again)) = request else {
        // Whoever could not copy the request said so below, and is not asked again.
        return pending().await;
    };
    if !again {
        attempt_scope::cannot_be_repeated();
    }
    poll_fn(|context| service.poll_ready(context)).await?;
    service.call(request).await
}

struct ByCalls<'c, C, Request, Reply, E> {
    calls: &'c C,
    of: std::marker::PhantomData<fn(Request) -> Result<Reply, E>>,
}

impl<C, Request, Reply, E> Judge for ByCalls<'_, C, Request, Reply, E>
where
    C: Calls<Request, Reply, E>,
{
    type Reply = Reply;
    type Error = E;

    fn reply(&self, reply: &mut Reply, in_hand: InHand<'_>) -> Verdict {
        drop(in_hand);
        self.calls.verdict(reply)
    }

    fn error(&self, error: &E, _: bool) -> Verdict {
        self.calls.error_verdict(error)
    }

    fn delivery(&self, error: &E) -> Delivery {
        self.calls.delivery(error)
    }

    fn tell(&self, _: &E, span: &Span) {
        telemetry::attempt_failed_with(span, KIND);
    }

    fn class(&self, end: &Result<Reply, E>) -> Class {
        match end {
            Err(_) => Class::Error { kind: KIND, status: None },
            Ok(reply) => match self.calls.status(reply).map(|status| status.as_u16()) {
                Some(status @ 500..) => Class::Error { kind: "server_error", status: Some(status) },
                Some(status @ 400..=499) => Class::Error { kind: "rejected", status: Some(status) },
                _ => Class::Verdict,
            },
        }
    }

    fn repeats(&self, error: &E, _: &RetrySettings) -> Option<Asked> {
        (self.calls.error_verdict(error) == Verdict::Failure).then_some(Asked(None))
    }

    fn repeats_reply(&self, reply: &Reply, verdict: Verdict, settings: &RetrySettings) -> Option<Asked> {
        let allowed = self.calls.status(reply).is_some_and(|status| opted_in(status, settings));
        (verdict == Verdict::Failure || allowed).then(|| Asked(self.calls.retry_after(reply)))
    }
}

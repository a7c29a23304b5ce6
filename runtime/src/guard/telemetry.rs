//! Spans and events. Names, numbers and states only: no argument, no header, no query string, no body.

use std::future::{Future, poll_fn};
use std::pin::Pin;

use tracing::level_filters::{LevelFilter, STATIC_MAX_LEVEL};
use tracing::{Level, Span, debug, field, info_span, warn};

use super::call::Call;
use crate::breaker::{CircuitBreaker, StateChange};
use crate::{CallError, ClientError, OperationMeta};

/// Whether nobody listens to spans of ours at all. They would be disabled; one that is made here costs less than one
/// that is made elsewhere and copied.
#[inline]
fn is_quiet() -> bool {
    Level::INFO > STATIC_MAX_LEVEL || Level::INFO > LevelFilter::current()
}

/// The span of a logical call (R-RES-OBS-2).
#[inline]
pub(super) fn call(meta: &OperationMeta, breaker: &CircuitBreaker) -> Span {
    if is_quiet() { Span::none() } else { call_span(meta, breaker) }
}

#[inline(never)]
fn call_span(meta: &OperationMeta, breaker: &CircuitBreaker) -> Span {
    let span = info_span!(
        "external_call",
        otel.name = format_args!("{} {}", meta.system, meta.id),
        otel.kind = "internal",
        otel.status_code = field::Empty,
        error.type = field::Empty,
        external.system = meta.system,
        external.operation = meta.id,
        external.attempts = field::Empty,
        circuit_breaker.state = field::Empty,
    );
    // Looking at the state takes the breaker's lock: only when somebody listens.
    if !span.is_disabled() {
        span.record("circuit_breaker.state", breaker.state().as_str());
    }
    span
}

/// Runs a call in its span, pinned where it was made: a future that is handed on is copied.
#[inline]
pub(super) fn within<'c, F: Future>(span: &'c Span, mut call: Pin<&'c mut F>) -> impl Future<Output = F::Output> + 'c {
    poll_fn(move |context| {
        let _in_span = span.enter();
        call.as_mut().poll(context)
    })
}

/// A logical call ended with an error.
pub(super) fn ended<R>(span: &Span, error: &CallError<R>) {
    if span.is_disabled() {
        return;
    }
    span.record("external.attempts", error.attempts());
    span.record("error.type", error.kind());
    // A no is an answer: the call did what it was to do.
    if !matches!(error, CallError::Rejected { .. }) {
        span.record("otel.status_code", "ERROR");
    }
}

/// A logical call ended with an error of this kind.
#[cfg(feature = "tower")]
pub(super) fn ended_with(span: &Span, attempts: u32, error_type: &str) {
    span.record("external.attempts", attempts);
    attempt_failed_with(span, error_type);
}

/// The span of one attempt, named after the OpenTelemetry conventions for HTTP clients. The client in it fills in what
/// it knows: where it connects to, the status, a trace id it made up.
///
/// `url.full` is left out on purpose: a path or a query may hold what must not be logged.
#[inline]
pub(super) fn attempt(call: &Call<'_>) -> Span {
    if is_quiet() { Span::none() } else { attempt_span(call) }
}

#[inline(never)]
fn attempt_span(call: &Call<'_>) -> Span {
    let span = info_span!(
        "external_attempt",
        otel.name = format_args!("{} {}", call.meta.method, call.meta.path),
        otel.kind = "client",
        otel.status_code = field::Empty,
        error.type = field::Empty,
        external.system = call.meta.system,
        external.operation = call.meta.id,
        http.request.method = call.meta.method,
        url.template = call.meta.path,
        server.address = field::Empty,
        server.port = field::Empty,
        http.request.resend_count = field::Empty,
        http.response.status_code = field::Empty,
        trace_id = field::Empty,
    );
    if call.attempts() > 1 {
        span.record("http.request.resend_count", call.attempts() - 1);
    }
    span
}

/// How an attempt ended: an error has its type, low in variety, and no text.
pub(super) fn attempt_failed<R>(span: &Span, error: &ClientError<R>) {
    match error.status() {
        Some(status) if status.as_u16() >= 400 => attempt_failed_with(span, status.as_str()),
        _ => attempt_failed_with(span, error.kind()),
    }
}

/// An attempt's time ran out, and the client could not say where.
pub(super) fn attempt_timed_out(span: &Span) {
    attempt_failed_with(span, "timed_out");
}

pub(super) fn attempt_failed_with(span: &Span, error_type: &str) {
    span.record("error.type", error_type);
    span.record("otel.status_code", "ERROR");
}

/// A breaker changed its state (R-RES-OBS-3).
pub(super) fn state_changed(system: &str, change: &StateChange) {
    warn!(
        external.system = system,
        previous = change.previous.as_str(),
        new = change.new.as_str(),
        failure_rate = change.failure_rate.map(f64::from),
        slow_call_rate = change.slow_call_rate.map(f64::from),
        "circuit breaker changed its state"
    );
}

/// Another attempt will be made.
pub(super) fn repeating(meta: &OperationMeta, attempt: u32, wait: std::time::Duration) {
    debug!(external.system = meta.system, external.operation = meta.id, attempt, ?wait, "will be tried again");
}

/// Another attempt would be made, had the system any retries left.
pub(super) fn budget_spent(meta: &OperationMeta) {
    debug!(external.system = meta.system, external.operation = meta.id, "retry budget spent: not tried again");
}

/// The number of calls at once follows the system.
pub(super) fn limit_changed(system: &str, limit: u32) {
    debug!(external.system = system, limit, "bulkhead changed its number of places");
}

/// New settings are in force, or a part of them could not be taken.
pub(super) fn breaker_settings_refused(system: &str, reason: &dyn std::fmt::Display) {
    warn!(external.system = system, %reason, "circuit breaker keeps its settings");
}

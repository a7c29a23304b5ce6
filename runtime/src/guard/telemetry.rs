//! Spans and events. Names, numbers and states only: no argument, no header, no query string, no body.

use std::future::{Future, poll_fn};
use std::pin::Pin;

use tracing::{Span, debug, field, info_span, warn};

use super::call::Call;
use crate::OperationMeta;
use crate::breaker::{CircuitBreaker, StateChange};

/// The span of a logical call (R-RES-OBS-2).
#[inline]
pub(super) fn call(meta: &OperationMeta, breaker: &CircuitBreaker) -> Span {
    let span = info_span!(
        "external_call",
        otel.kind = "internal",
        external.system = meta.system,
        external.operation = meta.id,
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

/// The span of one attempt, named after the OpenTelemetry conventions for HTTP clients.
#[inline]
pub(super) fn attempt(call: &Call<'_>) -> Span {
    info_span!(
        "external_attempt",
        otel.kind = "client",
        external.system = call.meta.system,
        http.request.method = call.meta.method,
        url.template = call.meta.path,
        http.request.resend_count = call.attempts().saturating_sub(1),
        http.response.status_code = field::Empty,
    )
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

/// New settings are in force, or a part of them could not be taken.
pub(super) fn breaker_settings_refused(system: &str, reason: &dyn std::fmt::Display) {
    warn!(external.system = system, %reason, "circuit breaker keeps its settings");
}

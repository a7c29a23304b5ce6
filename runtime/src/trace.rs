//! Which trace a request is part of, told to the external system (W3C Trace Context).
//!
//! Every outbound request carries `traceparent`. Its trace is, in this order: what a provider of the program's own
//! says ([`set_trace_context`]), the OpenTelemetry context of the span the request is made in (feature `opentelemetry`),
//! or one made up for the logical call, whose id stands in the attempt's span as `trace_id`. So a supplier's log
//! entry can be matched with ours in a program that traces nothing, too.
//!
//! Baggage is never sent: it is meant for one's own services, not for somebody else's.

use std::fmt;
use std::sync::OnceLock;

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::attempt_scope;
use crate::settings::HeaderSettings;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
#[cfg(feature = "opentelemetry")]
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");

/// Knows the trace that the running task is part of, in a program that keeps it elsewhere than in `tracing` spans
/// with OpenTelemetry. A function that returns headers is one.
pub trait TraceContext: Send + Sync {
    /// The headers that carry it: `traceparent`, or those of another convention. Called for each request, in the task
    /// that makes it. None at all: this task has no trace.
    fn headers(&self) -> Vec<(HeaderName, HeaderValue)>;
}

impl<F> TraceContext for F
where
    F: Fn() -> Vec<(HeaderName, HeaderValue)> + Send + Sync,
{
    fn headers(&self) -> Vec<(HeaderName, HeaderValue)> {
        self()
    }
}

static PROVIDER: OnceLock<Box<dyn TraceContext>> = OnceLock::new();

/// Has all requests of this process carry what this provider says.
///
/// ```
/// use http::{HeaderName, HeaderValue};
///
/// tokio::task_local!(static TRACEPARENT: HeaderValue);
///
/// cofferdam_runtime::observability::set_trace_context(|| {
///     let current = TRACEPARENT.try_with(Clone::clone);
///     current.map(|value| (HeaderName::from_static("traceparent"), value)).into_iter().collect()
/// })?;
/// # Ok::<(), cofferdam_runtime::observability::TraceContextSet>(())
/// ```
///
/// # Errors
/// There is one already: it stays.
pub fn set_trace_context(provider: impl TraceContext + 'static) -> Result<(), TraceContextSet> {
    PROVIDER.set(Box::new(provider)).map_err(|_| TraceContextSet)
}

/// The process already has a [`TraceContext`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceContextSet;

impl fmt::Display for TraceContextSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the process already has a provider of trace headers")
    }
}

impl std::error::Error for TraceContextSet {}

/// Writes what ties a request to its trace. A header that the caller gave as an argument stays.
pub(crate) fn write(headers: &mut HeaderMap, settings: &HeaderSettings) {
    if !settings.traceparent && settings.trace_id.is_none() {
        return;
    }
    let mut found = current();
    if let Some(name) = &settings.trace_id
        && let Some(id) = found.iter().find(|(name, _)| *name == TRACEPARENT).and_then(|(_, value)| trace_id(value))
    {
        found.push((name.clone(), id));
    }
    if !settings.traceparent {
        // Only the system's own header is wanted.
        found.retain(|(name, _)| Some(name) == settings.trace_id.as_ref());
    }
    for (name, value) in found {
        if !headers.contains_key(&name) {
            headers.insert(name, value);
        }
    }
}

fn current() -> Vec<(HeaderName, HeaderValue)> {
    let mut found = PROVIDER.get().map(|provider| provider.headers()).unwrap_or_default();
    if found.iter().all(|(name, _)| *name != TRACEPARENT) {
        found.extend(from_span().unwrap_or_else(made_up));
    }
    found
}

/// The trace of the span that the request is made in.
#[cfg(feature = "opentelemetry")]
fn from_span() -> Option<Vec<(HeaderName, HeaderValue)>> {
    use opentelemetry::trace::TraceContextExt as _;
    use tracing_opentelemetry::OpenTelemetrySpanExt as _;

    let context = tracing::Span::current().context();
    let span = context.span();
    let span = span.span_context();
    if !span.is_valid() {
        return None;
    }
    let parent = format!("00-{}-{}-{:02x}", span.trace_id(), span.span_id(), span.trace_flags());
    let mut headers = vec![(TRACEPARENT, HeaderValue::try_from(parent).ok()?)];
    let state = span.trace_state().header();
    if !state.is_empty()
        && let Ok(state) = HeaderValue::try_from(state)
    {
        headers.push((TRACESTATE, state));
    }
    Some(headers)
}

#[cfg(not(feature = "opentelemetry"))]
fn from_span() -> Option<Vec<(HeaderName, HeaderValue)>> {
    None
}

/// A trace that nobody records: the same for all attempts of a logical call, a span id for each.
fn made_up() -> Vec<(HeaderName, HeaderValue)> {
    let trace = attempt_scope::current_trace().unwrap_or_else(new_trace);
    let span = fastrand::u64(1..);
    tracing::Span::current().record("trace_id", tracing::field::display(format_args!("{trace:032x}")));
    // Flags 00: we do not ask the system to record what we ourselves do not.
    let parent = HeaderValue::try_from(format!("00-{trace:032x}-{span:016x}-00"));
    parent.map(|parent| (TRACEPARENT, parent)).into_iter().collect()
}

/// A trace id that is not all zeros. Every logical call has one, so it is made in the quickest way.
pub(crate) fn new_trace() -> u128 {
    u128::from(fastrand::u64(..)) << 64 | u128::from(fastrand::u64(..) | 1)
}

/// The trace id within a `traceparent`.
fn trace_id(traceparent: &HeaderValue) -> Option<HeaderValue> {
    let id = traceparent.as_bytes().split(|byte| *byte == b'-').nth(1)?;
    let plain = id.len() == 32 && id.iter().all(u8::is_ascii_hexdigit);
    if plain { HeaderValue::from_bytes(id).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(settings: &HeaderSettings, own: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in own {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        write(&mut headers, settings);
        headers
    }

    #[test]
    fn a_made_up_trace_has_the_form_of_the_standard() {
        let settings =
            HeaderSettings { trace_id: Some(HeaderName::from_static("x-trace-id")), ..HeaderSettings::default() };
        let headers = written(&settings, &[]);
        let parts: Vec<_> = headers["traceparent"].to_str().unwrap().split('-').collect();
        let [version, trace, span, flags] = parts[..] else { panic!("{parts:?}") };
        assert_eq!((version, trace.len(), span.len(), flags), ("00", 32, 16, "00"));
        assert!(trace.bytes().chain(span.bytes()).all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
        assert_eq!(headers["x-trace-id"], trace);
        assert_ne!(written(&settings, &[])["x-trace-id"], trace);
    }

    #[test]
    fn what_the_caller_gave_stays_and_what_is_not_wanted_is_not_written() {
        let mut settings = HeaderSettings::default();
        let headers = written(&settings, &[("traceparent", "mine")]);
        assert_eq!(headers["traceparent"], "mine");
        settings.traceparent = false;
        assert!(written(&settings, &[]).is_empty());
        settings.trace_id = Some(HeaderName::from_static("x-request-id"));
        let headers = written(&settings, &[]);
        assert_eq!((headers.len(), headers["x-request-id"].len()), (1, 32));
    }

    #[test]
    fn a_trace_id_is_only_taken_from_what_has_one() {
        let id = |text| trace_id(&HeaderValue::from_static(text));
        assert!(id("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").is_some());
        for wrong in ["", "00", "00-0af7-b7ad-01", "00-0af7651916cd43dd8448eb211c8031\u{20}c-b7ad6b7169203331-01"] {
            assert_eq!(id(wrong), None, "{wrong}");
        }
    }
}

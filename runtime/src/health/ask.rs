use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::time::Duration;

use http::{HeaderMap, StatusCode};
use tokio::time::Instant;

use crate::http::{HttpClient, RequestBody, RequestParts, SendError};
use crate::moment::Moment;
use crate::settings::Probe;
use crate::{ClientError, NoRejection, OperationKind, OperationMeta, attempt_scope};

/// The answer to a probe, to come.
pub type AskFuture = Pin<Box<dyn Future<Output = Result<StatusCode, ProbeFailure>> + Send>>;

/// Sends a probe, which must be answered within a time.
pub(super) type Ask = dyn Fn(Probe, Duration) -> AskFuture + Send + Sync;

/// Why a probe got no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeFailure {
    /// A word, for reports: `connect`, `timed_out`, ….
    pub kind: &'static str,
    /// The cause, for the log. No secrets.
    pub cause: String,
}

impl fmt::Display for ProbeFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.cause)
    }
}

impl std::error::Error for ProbeFailure {}

/// A probe is no operation of the document: it has no settings of its own, and no credentials.
const PROBE: OperationMeta = OperationMeta {
    system: "",
    id: "",
    name: "",
    kind: OperationKind::Read,
    method: "",
    path: "",
    accept: "",
    security: None,
};

/// Asks through a system's own client: its pool, its time limits, its proxy, its trust, and none of the layers around.
pub(super) fn through(client: HttpClient) -> Box<Ask> {
    Box::new(move |probe, limit| {
        let client = client.clone();
        Box::pin(async move { send(&client, &probe, limit).await.map_err(failure) })
    })
}

async fn send(client: &HttpClient, probe: &Probe, limit: Duration) -> Result<StatusCode, SendError> {
    let parts = RequestParts {
        method: probe.method.clone(),
        path: probe.path.clone(),
        query: probe.query.clone(),
        headers: HeaderMap::new(),
        body: RequestBody::Empty,
        server: None,
        repeatable: true,
    };
    let span = tracing::debug_span!(
        "external_health",
        otel.kind = "client",
        http.request.method = probe.method.as_str(),
        url.template = probe.path,
        server.address = tracing::field::Empty,
        server.port = tracing::field::Empty,
        http.response.status_code = tracing::field::Empty,
        trace_id = tracing::field::Empty,
    );
    let start = Instant::now();
    let end = start.checked_add(limit).unwrap_or(start);
    let mut output = None;
    let asking = pin!(client.send(&PROBE, parts));
    attempt_scope::run(Moment::of(end), &mut 0, &span, asking, &mut output).await;
    match output {
        Some(reply) => reply.map(|reply| reply.status),
        None => Err(SendError::timed_out(limit)),
    }
}

fn failure(error: SendError) -> ProbeFailure {
    let error = ClientError::<NoRejection>::from(error);
    ProbeFailure { kind: error.kind(), cause: error.to_string() }
}

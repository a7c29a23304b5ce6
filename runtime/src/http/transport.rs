//! One exchange of bytes: a request out, a whole reply in, every wait bounded, every fault named.

use std::error::Error;
use std::future::Future;
use std::io;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::Method;
use tokio::time::{Instant, timeout_at};

use super::{CredentialError, RawReply};
use crate::error::{ClientError, Delivery, FaultKind, NotSentCause, TimeoutPhase, TransportFault};

/// Why there is no reply: [`ClientError`] before it knows the operation's types, so that sending is compiled once.
#[derive(Debug)]
pub(crate) enum SendError {
    NotSent(NotSentCause),
    Transport { fault: TransportFault, delivery: Delivery },
    TimedOut { phase: TimeoutPhase, limit: Duration, delivery: Delivery },
}

impl SendError {
    /// The time ran out somewhere in the exchange.
    pub(crate) fn timed_out(limit: Duration) -> Self {
        Self::TimedOut { phase: TimeoutPhase::Attempt, limit, delivery: Delivery::MaybeSent }
    }
}

impl<R> From<SendError> for ClientError<R> {
    fn from(error: SendError) -> Self {
        match error {
            SendError::NotSent(cause) => Self::NotSent(cause),
            SendError::Transport { fault, delivery } => Self::Transport { fault, delivery },
            SendError::TimedOut { phase, limit, delivery } => Self::TimedOut { phase, limit, delivery },
        }
    }
}

impl From<CredentialError> for SendError {
    fn from(error: CredentialError) -> Self {
        Self::NotSent(NotSentCause::Credential(error))
    }
}

/// What bounds an exchange.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) connect: Duration,
    /// Longest silence.
    pub(super) read: Duration,
    /// The whole attempt began here …
    pub(super) start: Instant,
    /// … and must have ended here.
    pub(super) end: Instant,
    pub(super) max_reply_bytes: usize,
}

impl Bounds {
    /// One wait. It ends with the attempt, and before that when there was silence for too long.
    async fn wait<F: Future>(&self, phase: TimeoutPhase, step: F) -> Result<F::Output, SendError> {
        let (last, limit) = match Instant::now().checked_add(self.read) {
            Some(last) if last < self.end => (last, self.read),
            _ => (self.end, self.end.saturating_duration_since(self.start)),
        };
        timeout_at(last, step).await.map_err(|_| SendError::TimedOut { phase, limit, delivery: Delivery::MaybeSent })
    }
}

impl Bounds {
    /// Waits for a token: it may take the whole attempt, and whatever happens the call itself was not sent.
    pub(super) async fn wait_for_token<F: Future>(&self, step: F) -> Result<F::Output, SendError> {
        let limit = self.end.saturating_duration_since(self.start);
        let (phase, delivery) = (TimeoutPhase::Connect, Delivery::NotSent);
        timeout_at(self.end, step).await.map_err(|_| SendError::TimedOut { phase, limit, delivery })
    }
}

/// Sends a request and waits for the head of the reply. The read limit runs from the moment the request is handed over,
/// so a connection that has to be made first is part of it.
pub(super) async fn begin(
    client: &reqwest::Client,
    request: reqwest::Request,
    bounds: &Bounds,
) -> Result<reqwest::Response, SendError> {
    let reply = bounds.wait(TimeoutPhase::Reply, client.execute(request)).await?;
    reply.map_err(|error| before_reply(error, bounds))
}

/// Sends a request and reads the whole reply.
pub(super) async fn exchange(
    client: &reqwest::Client,
    request: reqwest::Request,
    bounds: &Bounds,
) -> Result<RawReply, SendError> {
    let has_body = request.method() != Method::HEAD;
    let reply = begin(client, request, bounds).await?;
    whole(reply, has_body, bounds).await
}

/// Reads the rest of a reply. The length of one without a body is that of the body it does not have.
pub(super) async fn whole(
    mut reply: reqwest::Response,
    has_body: bool,
    bounds: &Bounds,
) -> Result<RawReply, SendError> {
    if has_body && reply.content_length().is_some_and(|length| length > bounds.max_reply_bytes as u64) {
        return Err(too_large(bounds));
    }
    let status = reply.status();
    let headers = std::mem::take(reply.headers_mut());
    let body = read_body(&mut reply, bounds).await?;
    Ok(RawReply::new(status, headers, body))
}

async fn read_body(reply: &mut reqwest::Response, bounds: &Bounds) -> Result<Bytes, SendError> {
    let mut whole = Bytes::new();
    let mut joined = BytesMut::new();
    while let Some(piece) = bounds.wait(TimeoutPhase::Body, reply.chunk()).await?.map_err(broken_off)? {
        if whole.len() + joined.len() + piece.len() > bounds.max_reply_bytes {
            return Err(too_large(bounds));
        }
        // Most replies come in one piece, which is then not copied.
        if whole.is_empty() && joined.is_empty() {
            whole = piece;
        } else {
            joined.extend_from_slice(&std::mem::take(&mut whole));
            joined.extend_from_slice(&piece);
        }
    }
    Ok(if joined.is_empty() { whole } else { joined.freeze() })
}

fn too_large(bounds: &Bounds) -> SendError {
    let reason = format!("more than {} bytes", bounds.max_reply_bytes);
    SendError::Transport { fault: TransportFault::new(FaultKind::ReplyTooLarge, reason), delivery: Delivery::MaybeSent }
}

/// An error before the head of the reply was there. Without a connection nothing can have been sent; with one we
/// cannot know, unless the system says so.
fn before_reply(error: reqwest::Error, bounds: &Bounds) -> SendError {
    // The URL holds the query string, which may hold a key.
    let error = error.without_url();
    let connecting = error.is_connect();
    if connecting && error.is_timeout() {
        let (phase, delivery) = (TimeoutPhase::Connect, Delivery::NotSent);
        return SendError::TimedOut { phase, limit: bounds.connect, delivery };
    }
    if error.is_builder() {
        return SendError::NotSent(NotSentCause::Request(error.to_string()));
    }
    let kind = match connecting {
        true if error.is_dns() => FaultKind::Dns,
        true if any_cause(&error, is_tls) => FaultKind::Tls,
        true => FaultKind::Connect,
        false if any_cause(&error, is_unprocessed) => FaultKind::Unprocessed,
        false => kind_on_connection(&error, FaultKind::Closed),
    };
    let unsent = connecting || kind == FaultKind::Unprocessed;
    let delivery = if unsent { Delivery::NotSent } else { Delivery::MaybeSent };
    SendError::Transport { fault: TransportFault::new(kind, error), delivery }
}

fn broken_off(error: reqwest::Error) -> SendError {
    SendError::Transport { fault: within_reply(error), delivery: Delivery::MaybeSent }
}

/// An error between the head and the end of the reply.
pub(super) fn within_reply(error: reqwest::Error) -> TransportFault {
    let error = error.without_url();
    TransportFault::new(kind_on_connection(&error, FaultKind::Truncated), error)
}

/// What happened on a standing connection; `ended` if it ended.
fn kind_on_connection(error: &reqwest::Error, ended: FaultKind) -> FaultKind {
    if any_cause(error, is_no_http) {
        FaultKind::Protocol
    } else if any_cause(error, is_reset) {
        FaultKind::Reset
    } else if any_cause(error, is_end) {
        ended
    } else {
        FaultKind::Other
    }
}

fn is_no_http(cause: &(dyn Error + 'static)) -> bool {
    // What is wrong with the pieces of a body is told as an error of reading.
    cause.downcast_ref().is_some_and(hyper::Error::is_parse)
        // Of HTTP/2: what our side found wrong and ended the stream or the connection for.
        || cause.downcast_ref::<h2::Error>().is_some_and(|h2| h2.is_library() && (h2.is_reset() || h2.is_go_away()))
        || cause
            .downcast_ref::<io::Error>()
            .is_some_and(|io| matches!(io.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput))
}

/// The promises of HTTP/2 that nothing was done (RFC 9113, 8.7): the stream is refused, or it is one after the last that
/// a GOAWAY names; of those before, such an error tells nothing.
fn is_unprocessed(cause: &(dyn Error + 'static)) -> bool {
    cause.downcast_ref::<h2::Error>().is_some_and(|h2| {
        h2.is_remote() && (h2.is_go_away() || (h2.is_reset() && h2.reason() == Some(h2::Reason::REFUSED_STREAM)))
    })
}

/// The system ended this stream, or will not go on with the connection.
fn is_reset(cause: &(dyn Error + 'static)) -> bool {
    cause.downcast_ref::<h2::Error>().is_some_and(|h2| h2.is_remote() && (h2.is_reset() || h2.is_go_away()))
}

fn is_end(cause: &(dyn Error + 'static)) -> bool {
    if let Some(hyper) = cause.downcast_ref::<hyper::Error>() {
        return hyper.is_incomplete_message() || hyper.is_closed() || hyper.is_canceled();
    }
    cause.downcast_ref::<io::Error>().is_some_and(|io| {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof};
        matches!(io.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof)
    })
}

fn is_tls(cause: &(dyn Error + 'static)) -> bool {
    // An io::Error does not name what it wraps as its source, and the connector wraps one in another.
    let wrapped = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    cause.is::<rustls::Error>() || wrapped.is_some_and(|inner| is_tls(inner))
}

fn any_cause(error: &reqwest::Error, matches: impl Fn(&(dyn Error + 'static)) -> bool) -> bool {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if matches(inner) {
            return true;
        }
        cause = inner.source();
    }
    false
}

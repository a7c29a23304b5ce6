//! A conversation by HTTP/2.

use std::future::poll_fn;
use std::sync::PoisonError;
use std::time::Instant;

use bytes::Bytes;
use h2::server::{Connection, SendResponse};
use h2::{Reason, RecvStream};
use http::{Request, Response};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::{Http2Fault, State};
use crate::{Answer, Arrival, Recorder};

type Talk = Connection<TlsStream<TcpStream>, Bytes>;

/// Answers the requests of a connection, one after the other, until either side ends it.
pub(super) async fn converse(
    stream: TlsStream<TcpStream>,
    number: u64,
    recorder: &Recorder,
    state: &State,
) -> Result<(), h2::Error> {
    let mut connection: Talk = h2::server::handshake(stream).await?;
    let mut unanswered = Vec::new();
    while let Some(next) = connection.accept().await {
        let (request, mut respond) = next?;
        let Some(arrival) = while_open(&mut connection, read(request, number)).await.transpose()? else {
            return Ok(());
        };
        recorder.arrived(arrival.clone());
        let (answer, _) = state.routes.lock().unwrap_or_else(PoisonError::into_inner).next(&arrival);
        let fault = *state.fault();
        match fault {
            None => finish(&mut respond, &answer, 0)?,
            Some(Http2Fault::RefusesStream) => respond.send_reset(Reason::REFUSED_STREAM),
            Some(Http2Fault::ResetsStream) => respond.send_reset(Reason::INTERNAL_ERROR),
            Some(Http2Fault::ResetsInBody) => {
                let mut body = respond.send_response(head(&answer, 0), false)?;
                body.send_data(answer.body().slice(..answer.body().len() / 2), false)?;
                // The first part goes out before the reset: it is queued, and this lets the connection send it.
                while_open(&mut connection, tokio::time::sleep(std::time::Duration::from_millis(20))).await;
                body.send_reset(Reason::CANCEL);
            }
            Some(Http2Fault::GoesAway) => connection.abrupt_shutdown(Reason::ENHANCE_YOUR_CALM),
            Some(Http2Fault::Truncates) => finish(&mut respond, &answer, 10)?,
            Some(Http2Fault::Cuts) => return Ok(()),
            // The last two are for connections that begin with them.
            Some(Http2Fault::Hangs | Http2Fault::GoesAwayBefore | Http2Fault::Garbage) => unanswered.push(respond),
        }
    }
    Ok(())
}

/// Runs something while the connection is kept going. `None`: the client ended it.
async fn while_open<T>(connection: &mut Talk, future: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        value = future => Some(value),
        _ = poll_fn(|context| connection.poll_closed(context)) => None,
    }
}

async fn read(request: Request<RecvStream>, connection: u64) -> Result<Arrival, h2::Error> {
    let (parts, mut stream) = request.into_parts();
    let mut body = Vec::new();
    while let Some(piece) = stream.data().await {
        let piece = piece?;
        stream.flow_control().release_capacity(piece.len())?;
        body.extend_from_slice(&piece);
    }
    Ok(Arrival {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: parts.headers,
        body: body.into(),
        at: Instant::now(),
        connection,
    })
}

/// Sends an answer, declaring so many bytes more than it has.
fn finish(respond: &mut SendResponse<Bytes>, answer: &Answer, missing: usize) -> Result<(), h2::Error> {
    let mut body = respond.send_response(head(answer, missing), false)?;
    body.send_data(answer.body().clone(), true)
}

fn head(answer: &Answer, missing: usize) -> Response<()> {
    let (status, headers) = answer.parts();
    let mut response = Response::builder().status(status).header("content-length", answer.body().len() + missing);
    for (name, value) in headers {
        response = response.header(name, value);
    }
    // A header that cannot be sent is a mistake of the test; it sees an empty 200 instead.
    response.body(()).unwrap_or_default()
}

//! One connection: requests are read, recorded and answered, one after the other.
//!
//! Written on plain TCP, with a parser for the head only: a well-mannered HTTP server cannot be made to break off in
//! the middle of a header.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use bytes::{Buf as _, Bytes, BytesMut};
use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::ReadHalf;

use crate::play::{After, play};
use crate::routes::Routes;
use crate::{Arrival, Door, Recorder};

/// Headers a request may have here.
const MAX_HEADERS: usize = 64;
/// Bytes a head may have here.
const MAX_HEAD: usize = 256 * 1024;

/// Serves a connection until either side ends it.
pub(crate) async fn serve(mut stream: TcpStream, recorder: &Recorder, routes: &Mutex<Routes>) {
    let counted = Counted::new(recorder);
    let door = routes.lock().unwrap_or_else(PoisonError::into_inner).door;
    match door {
        Door::Open => {}
        Door::ClosesAtOnce => return,
        Door::ResetsUnread => {
            // Only once the client has spoken: before, it might see connecting itself fail. Where the connection cannot
            // be reset it is closed.
            let _ = stream.peek(&mut [0]).await;
            let _ = stream.set_zero_linger();
            return;
        }
        Door::NobodyReads => return std::future::pending().await,
    }
    // An error here is a client that went away, or one that does not speak HTTP: neither has anybody to be told.
    let _ = converse(&mut stream, counted.number, recorder, routes).await;
}

/// Counts a connection as open until it is dropped, also when its task is aborted.
struct Counted<'a> {
    recorder: &'a Recorder,
    number: u64,
}

impl<'a> Counted<'a> {
    fn new(recorder: &'a Recorder) -> Self {
        Self { recorder, number: recorder.connected() }
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.recorder.disconnected();
    }
}

async fn converse(
    stream: &mut TcpStream,
    connection: u64,
    recorder: &Recorder,
    routes: &Mutex<Routes>,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut reader, mut writer) = stream.split();
    let mut buffer = BytesMut::new();
    while let Some(arrival) = read_request(&mut reader, &mut buffer, connection).await? {
        recorder.arrived(arrival.clone());
        let (answer, fault) = routes.lock().unwrap_or_else(PoisonError::into_inner).next(&arrival);
        // A client that goes away while it waits is noticed at once, not at the next write.
        let played = tokio::select! {
            biased;
            () = client_left(&mut reader) => Err(io::ErrorKind::ConnectionAborted.into()),
            played = play(&mut writer, &answer, fault.as_ref()) => played,
        };
        match played {
            Ok(After::KeepOpen) => {}
            Ok(After::Close) => return writer.shutdown().await,
            Ok(After::Reset) => return writer.as_ref().set_zero_linger(),
            Ok(end @ (After::Silence | After::HalfClose)) => {
                if end == After::HalfClose {
                    writer.shutdown().await?;
                }
                // Whatever the client goes on to say is taken and thrown away.
                while let Ok(1..) = reader.read(&mut [0; 1024]).await {}
                recorder.was_abandoned();
                return Ok(());
            }
            Err(error) => {
                recorder.was_abandoned();
                return Err(error);
            }
        }
    }
    Ok(())
}

/// Ends when the client has closed or reset the connection.
async fn client_left(reader: &mut ReadHalf<'_>) {
    // Bytes of a next request, sent early, mean that the client is there; none of ours sends early, so there is no
    // need to look again.
    if let Ok(1..) = reader.peek(&mut [0]).await {
        std::future::pending::<()>().await;
    }
}

/// Reads one request whole; `None` when the client closed the connection before another one began.
async fn read_request(
    reader: &mut ReadHalf<'_>,
    buffer: &mut BytesMut,
    connection: u64,
) -> io::Result<Option<Arrival>> {
    let head = loop {
        if let Some(head) = parse_head(buffer)? {
            break head;
        }
        if buffer.len() > MAX_HEAD {
            return Err(invalid("the head is too large"));
        }
        if reader.read_buf(buffer).await? == 0 {
            return if buffer.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
    };
    let body = match framing(&head.headers)? {
        Framing::Length(length) => take(reader, buffer, length).await?,
        Framing::Chunked => take_chunks(reader, buffer).await?,
    };
    let (path, query) = head.target.split_once('?').unwrap_or((&head.target, ""));
    Ok(Some(Arrival {
        method: head.method,
        path: path.to_owned(),
        query: query.to_owned(),
        headers: head.headers,
        body,
        at: Instant::now(),
        connection,
    }))
}

struct Head {
    method: String,
    target: String,
    headers: HeaderMap,
}

/// Takes a head off the buffer once it is there whole.
fn parse_head(buffer: &mut BytesMut) -> io::Result<Option<Head>> {
    let mut fields = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut fields);
    let httparse::Status::Complete(length) = request.parse(buffer).map_err(invalid)? else {
        return Ok(None);
    };
    let mut headers = HeaderMap::new();
    for field in request.headers.iter() {
        let name = HeaderName::from_bytes(field.name.as_bytes()).map_err(invalid)?;
        headers.append(name, HeaderValue::from_bytes(field.value).map_err(invalid)?);
    }
    let method = request.method.unwrap_or_default().to_owned();
    let target = request.path.unwrap_or_default().to_owned();
    buffer.advance(length);
    Ok(Some(Head { method, target, headers }))
}

/// How the end of a body is known.
enum Framing {
    Length(usize),
    Chunked,
}

fn framing(headers: &HeaderMap) -> io::Result<Framing> {
    if headers.get(http::header::TRANSFER_ENCODING).is_some_and(|coding| coding == "chunked") {
        return Ok(Framing::Chunked);
    }
    match headers.get(http::header::CONTENT_LENGTH) {
        None => Ok(Framing::Length(0)),
        Some(length) => {
            let length = length.to_str().map_err(invalid)?;
            Ok(Framing::Length(length.parse().map_err(invalid)?))
        }
    }
}

/// Takes `length` bytes, reading as much as is needed.
async fn take(reader: &mut ReadHalf<'_>, buffer: &mut BytesMut, length: usize) -> io::Result<Bytes> {
    while buffer.len() < length {
        if reader.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(buffer.split_to(length).freeze())
}

async fn take_chunks(reader: &mut ReadHalf<'_>, buffer: &mut BytesMut) -> io::Result<Bytes> {
    let mut body = BytesMut::new();
    loop {
        let size = loop {
            match httparse::parse_chunk_size(buffer).map_err(|_| invalid("a chunk without a size"))? {
                httparse::Status::Complete((length, size)) => {
                    buffer.advance(length);
                    break usize::try_from(size).map_err(invalid)?;
                }
                httparse::Status::Partial => {
                    if reader.read_buf(buffer).await? == 0 {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
            }
        };
        body.extend_from_slice(&take(reader, buffer, size).await?);
        // The line end after a chunk; after the last one, the end of the (empty) trailers.
        take(reader, buffer, 2).await?;
        if size == 0 {
            return Ok(body.freeze());
        }
    }
}

fn invalid(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, cause)
}

//! What goes wrong, and how it looks on the wire.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::AsyncWriteExt as _;
use tokio::net::tcp::WriteHalf;
use tokio::time::sleep;

use crate::Answer;

/// A way to misbehave. It is applied to the answer the path would have given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Reads the request and never says a word.
    Hang,
    /// Waits before the first byte, then answers as it should.
    SlowFirstByte(Duration),
    /// Sends the head and the first `first` bytes of the body, then nothing more; the connection stays open.
    StallInBody {
        /// Bytes of the body that are sent.
        first: usize,
    },
    /// Answers as it should, one piece of the body at a time.
    Drip {
        /// Bytes in a piece.
        piece: usize,
        /// Wait before each piece.
        every: Duration,
    },
    /// Reads the request, closes the connection in order and answers nothing.
    Close,
    /// Reads the request, then resets the connection.
    Reset,
    /// Sends the head and the first `after` bytes of the body, then resets the connection.
    ResetInBody {
        /// Bytes of the body that are sent.
        after: usize,
    },
    /// Sends the first `after` bytes of the status line and headers, then closes the connection in order.
    CutHead {
        /// Bytes of the head that are sent.
        after: usize,
    },
    /// Declares `missing` bytes more than it sends, then closes the connection in order.
    Truncate {
        /// Bytes declared and not sent.
        missing: usize,
    },
    /// Says that the body is JSON and sends something else.
    GarbageBody,
    /// Sends bytes that are not HTTP.
    NotHttp,
    /// A body of this many bytes instead of the right one: a JSON string of `x`.
    Huge {
        /// Bytes of the body.
        bytes: usize,
    },
}

/// What becomes of the connection after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// It may carry another request.
    KeepOpen,
    /// It is closed in order.
    Close,
    /// It is reset.
    Reset,
    /// Nothing more is said until the client goes away.
    Silence,
}

/// Pieces in which a huge body is written: large enough to be quick, small enough to stop early when the client left.
const HUGE_PIECE: usize = 64 * 1024;

/// Writes an answer with its fault, and tells what is to become of the connection.
pub(crate) async fn play(stream: &mut WriteHalf<'_>, answer: &Answer, fault: Option<&Fault>) -> io::Result<After> {
    let body = answer.body();
    match fault {
        None => whole(stream, answer).await,
        Some(Fault::Hang) => Ok(After::Silence),
        Some(Fault::SlowFirstByte(delay)) => {
            sleep(*delay).await;
            whole(stream, answer).await
        }
        Some(Fault::StallInBody { first }) => {
            begin(stream, answer, *first).await?;
            Ok(After::Silence)
        }
        Some(Fault::Drip { piece, every }) => drip(stream, answer, *piece, *every).await,
        Some(Fault::Close) => Ok(After::Close),
        Some(Fault::Reset) => Ok(After::Reset),
        Some(Fault::ResetInBody { after }) => {
            begin(stream, answer, *after).await?;
            // A reset throws away what the client has not read yet; give it the time to read the first part.
            sleep(Duration::from_millis(20)).await;
            Ok(After::Reset)
        }
        Some(Fault::CutHead { after }) => {
            let head = answer.head(body.len());
            stream.write_all(&head[..head.len().min(*after)]).await?;
            Ok(After::Close)
        }
        Some(Fault::Truncate { missing }) => {
            stream.write_all(&answer.head(body.len() + missing)).await?;
            stream.write_all(body).await?;
            Ok(After::Close)
        }
        Some(Fault::GarbageBody) => {
            whole(stream, &answer.clone().with_body("application/json", "<html>Bad Gateway</html>")).await
        }
        Some(Fault::NotHttp) => {
            stream.write_all(b"\x15\x03\x01\x00\x02\x02\x28 no such protocol\r\n\r\n").await?;
            Ok(After::Close)
        }
        Some(Fault::Huge { bytes }) => huge(stream, answer, *bytes).await,
    }
}

async fn whole(stream: &mut WriteHalf<'_>, answer: &Answer) -> io::Result<After> {
    let mut reply = answer.head(answer.body().len());
    reply.extend_from_slice(answer.body());
    stream.write_all(&reply).await?;
    Ok(After::KeepOpen)
}

/// Writes the head, with the true length, and the first part of the body.
async fn begin(stream: &mut WriteHalf<'_>, answer: &Answer, first: usize) -> io::Result<()> {
    let body = answer.body();
    stream.write_all(&answer.head(body.len())).await?;
    stream.write_all(&body[..body.len().min(first)]).await?;
    stream.flush().await
}

async fn drip(stream: &mut WriteHalf<'_>, answer: &Answer, piece: usize, every: Duration) -> io::Result<After> {
    stream.write_all(&answer.head(answer.body().len())).await?;
    for part in answer.body().chunks(piece.max(1)) {
        sleep(every).await;
        stream.write_all(part).await?;
        stream.flush().await?;
    }
    Ok(After::KeepOpen)
}

async fn huge(stream: &mut WriteHalf<'_>, answer: &Answer, bytes: usize) -> io::Result<After> {
    let typed = answer.clone().with_body("application/json", Bytes::new());
    stream.write_all(&typed.head(bytes)).await?;
    let piece = [b'x'; HUGE_PIECE];
    let mut left = bytes.saturating_sub(2);
    stream.write_all(b"\"").await?;
    while left > 0 {
        let part = left.min(HUGE_PIECE);
        stream.write_all(&piece[..part]).await?;
        left -= part;
    }
    stream.write_all(b"\"").await?;
    Ok(After::KeepOpen)
}

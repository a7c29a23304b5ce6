//! How a fault looks on the wire.

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::AsyncWriteExt as _;
use tokio::net::tcp::WriteHalf;
use tokio::time::sleep;

use crate::{Answer, Fault};

/// What becomes of the connection after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// It may carry another request.
    KeepOpen,
    /// It is closed in order.
    Close,
    /// Our half is closed; the other is read until the client goes away.
    HalfClose,
    /// It is reset.
    Reset,
    /// Nothing more is said until the client goes away.
    Silence,
}

/// Pieces in which a huge body is written: large enough to be quick, small enough to stop early when the client left.
const HUGE_PIECE: usize = 64 * 1024;
/// A reset throws away what the client has not read yet; this gives it the time to read the first part.
const BEFORE_RESET: Duration = Duration::from_millis(20);

/// Writes an answer with its fault, and tells what is to become of the connection.
pub(crate) async fn play(stream: &mut WriteHalf<'_>, answer: &Answer, fault: Option<&Fault>) -> io::Result<After> {
    match fault {
        None => whole(stream, answer).await,
        Some(Fault::Hang) => Ok(After::Silence),
        Some(Fault::HalfClose) => Ok(After::HalfClose),
        Some(Fault::Close) => Ok(After::Close),
        Some(Fault::Reset) => Ok(After::Reset),
        Some(Fault::SlowFirstByte(delay)) => {
            sleep(*delay).await;
            whole(stream, answer).await
        }
        Some(Fault::GarbageBody) => {
            whole(stream, &answer.clone().with_body("application/json", "<html>Bad Gateway</html>")).await
        }
        Some(Fault::NotHttp) => {
            stream.write_all(b"\x15\x03\x01\x00\x02\x02\x28 no such protocol\r\n\r\n").await?;
            Ok(After::Close)
        }
        Some(
            Fault::CutHead { .. } | Fault::ResetInHead { .. } | Fault::HugeHeader { .. } | Fault::ManyHeaders { .. },
        ) => in_head(stream, answer, fault).await,
        Some(Fault::Informational { .. } | Fault::InformationalOnly { .. } | Fault::SecondReply) => {
            beside(stream, answer, fault).await
        }
        Some(within) => in_body(stream, answer, within).await,
    }
}

async fn whole(stream: &mut WriteHalf<'_>, answer: &Answer) -> io::Result<After> {
    let mut reply = answer.head(answer.body().len());
    reply.extend_from_slice(answer.body());
    stream.write_all(&reply).await?;
    Ok(After::KeepOpen)
}

/// Faults of the status line and headers.
async fn in_head(stream: &mut WriteHalf<'_>, answer: &Answer, fault: Option<&Fault>) -> io::Result<After> {
    let head = answer.head(answer.body().len());
    let first = |after: usize| &head[..head.len().min(after)];
    match fault {
        Some(Fault::CutHead { after }) => {
            stream.write_all(first(*after)).await?;
            Ok(After::Close)
        }
        Some(Fault::ResetInHead { after }) => {
            stream.write_all(first(*after)).await?;
            sleep(BEFORE_RESET).await;
            Ok(After::Reset)
        }
        Some(Fault::HugeHeader { bytes }) => {
            whole(stream, &answer.clone().with_header("X-Huge", &"x".repeat(*bytes))).await
        }
        Some(Fault::ManyHeaders { count }) => {
            let many =
                (0..*count).fold(answer.clone(), |answer, number| answer.with_header(&format!("X-{number}"), "x"));
            whole(stream, &many).await
        }
        _ => whole(stream, answer).await,
    }
}

/// Faults around an answer that is right in itself.
async fn beside(stream: &mut WriteHalf<'_>, answer: &Answer, fault: Option<&Fault>) -> io::Result<After> {
    const EARLY: &[u8] = b"HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n";
    match fault {
        Some(Fault::Informational { count }) => {
            for _ in 0..*count {
                stream.write_all(EARLY).await?;
            }
            whole(stream, answer).await
        }
        Some(Fault::InformationalOnly { every }) => loop {
            stream.write_all(EARLY).await?;
            sleep(*every).await;
        },
        Some(Fault::SecondReply) => {
            let mut both = answer.head(answer.body().len());
            both.extend_from_slice(answer.body());
            both.extend_from_slice(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n\"not yours\"",
            );
            stream.write_all(&both).await?;
            Ok(After::KeepOpen)
        }
        _ => whole(stream, answer).await,
    }
}

/// Faults of the body and of what is said of its length.
async fn in_body(stream: &mut WriteHalf<'_>, answer: &Answer, fault: &Fault) -> io::Result<After> {
    let body = answer.body();
    match fault {
        Fault::StallInBody { first } => {
            begin(stream, answer, *first).await?;
            Ok(After::Silence)
        }
        Fault::ResetInBody { after } => {
            begin(stream, answer, *after).await?;
            sleep(BEFORE_RESET).await;
            Ok(After::Reset)
        }
        Fault::Truncate { missing } => {
            stream.write_all(&answer.head(body.len() + missing)).await?;
            stream.write_all(body).await?;
            Ok(After::Close)
        }
        Fault::TooShortLength { hidden } => {
            let mut reply = answer.head(body.len().saturating_sub(*hidden));
            reply.extend_from_slice(body);
            stream.write_all(&reply).await?;
            Ok(After::KeepOpen)
        }
        Fault::TwoLengths => whole(stream, &answer.clone().with_header("Content-Length", "7")).await,
        Fault::Drip { piece, every } => drip(stream, answer, *piece, *every).await,
        Fault::Huge { bytes } => huge(stream, answer, *bytes).await,
        Fault::CutChunk | Fault::BadChunk | Fault::Endless => chunks(stream, answer, fault).await,
        _ => whole(stream, answer).await,
    }
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

async fn chunks(stream: &mut WriteHalf<'_>, answer: &Answer, fault: &Fault) -> io::Result<After> {
    stream.write_all(&answer.chunked_head()).await?;
    if *fault == Fault::Endless {
        let piece = format!("{HUGE_PIECE:x}\r\n{}\r\n", "x".repeat(HUGE_PIECE));
        loop {
            stream.write_all(piece.as_bytes()).await?;
        }
    }
    let body = answer.body();
    let mut chunk = String::new();
    // Writing to a String cannot fail.
    let _ = match fault {
        Fault::CutChunk => write!(chunk, "{:x}\r\n", body.len() + 10),
        _ => write!(chunk, "so much\r\n"),
    };
    stream.write_all(chunk.as_bytes()).await?;
    stream.write_all(body).await?;
    Ok(After::Close)
}

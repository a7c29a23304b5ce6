//! Frames written by hand: what a library for HTTP/2 takes care never to send.

use std::io;
use std::time::Instant;

use bytes::Bytes;
use http::HeaderMap;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use crate::{Arrival, Recorder};

/// Length of what a client says first: `PRI * HTTP/2.0 …`.
const PREFACE: usize = 24;
const HEADERS: u8 = 1;
const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];
const SETTINGS_ACK: [u8; 9] = [0, 0, 0, 4, 1, 0, 0, 0, 0];
/// Last stream 0, NO_ERROR.
const GOAWAY: [u8; 17] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Waits for a request, records that one came (what it says is packed and is not unpacked here), and answers GOAWAY
/// that names no stream, or garbage. Then the connection ends.
pub(super) async fn answer(
    mut stream: TlsStream<TcpStream>,
    connection: u64,
    recorder: &Recorder,
    garbage: bool,
) -> io::Result<()> {
    stream.read_exact(&mut [0; PREFACE]).await?;
    stream.write_all(&SETTINGS).await?;
    stream.write_all(&SETTINGS_ACK).await?;
    stream.flush().await?;
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head).await?;
        let length = usize::from(head[0]) << 16 | usize::from(head[1]) << 8 | usize::from(head[2]);
        stream.read_exact(&mut vec![0; length]).await?;
        if head[3] == HEADERS {
            break;
        }
    }
    recorder.arrived(Arrival {
        method: String::new(),
        path: String::new(),
        query: String::new(),
        headers: HeaderMap::new(),
        body: Bytes::new(),
        at: Instant::now(),
        connection,
    });
    stream.write_all(if garbage { &[0xff; 64] } else { &GOAWAY }).await?;
    stream.flush().await?;
    stream.shutdown().await
}

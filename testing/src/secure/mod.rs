//! A server that speaks TLS and, on it, HTTP/2, and fails at either.

mod certificate;
mod http2;
mod raw_frames;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener as StdListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use self::certificate::Papers;
use crate::routes::Routes;
use crate::{Answer, Recorder};

/// How the TLS handshake goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handshake {
    /// As it should.
    Fine,
    /// With a certificate that an authority signed which nobody knows.
    UnknownAuthority,
    /// With a certificate of another name.
    OtherName,
    /// With a certificate that is no longer valid.
    Expired,
    /// The server speaks plain HTTP on this port.
    PlainHttp,
    /// The server closes the connection when the client has begun.
    Closes,
    /// The server listens and never says a word.
    Hangs,
}

/// How an HTTP/2 server fails to answer a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Http2Fault {
    /// The stream is reset with REFUSED_STREAM: by the protocol's word nothing was done.
    RefusesStream,
    /// The stream is reset with INTERNAL_ERROR before an answer.
    ResetsStream,
    /// Head and half of the body, then the stream is reset with CANCEL.
    ResetsInBody,
    /// GOAWAY with ENHANCE_YOUR_CALM while the request is being handled; the connection ends.
    GoesAway,
    /// GOAWAY that names no stream as handled: by the protocol's word nothing was done.
    GoesAwayBefore,
    /// A longer body is declared than sent.
    Truncates,
    /// Bytes that are no frame.
    Garbage,
    /// The connection is cut while the request is being handled.
    Cuts,
    /// The request is read and never answered.
    Hangs,
}

/// A server on a free port of this machine, reached as `https://localhost`, with an authority of its own. Dropping it
/// ends it.
pub struct SecureServer {
    address: SocketAddr,
    authority: String,
    recorder: Arc<Recorder>,
    state: Arc<State>,
    wanted: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

/// What a test sets and the server's thread reads.
struct State {
    routes: Mutex<Routes>,
    handshake: Handshake,
    fault: Mutex<Option<Http2Fault>>,
}

impl State {
    fn fault(&self) -> MutexGuard<'_, Option<Http2Fault>> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SecureServer {
    /// Starts a server whose handshakes go like this. It answers 404 to everything until it is told otherwise.
    ///
    /// # Errors
    /// When no port, no thread or no certificate can be had.
    pub fn start(handshake: Handshake) -> io::Result<Self> {
        let papers = Papers::new(handshake).map_err(io::Error::other)?;
        let listener = StdListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let recorder = Arc::new(Recorder::default());
        let state = Arc::new(State { routes: Mutex::default(), handshake, fault: Mutex::default() });
        let (wanted, orders) = watch::channel(true);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (kept, shared, acceptor) = (Arc::clone(&recorder), Arc::clone(&state), papers.acceptor);
        let thread = std::thread::Builder::new()
            .name(format!("secure server {address}"))
            .spawn(move || runtime.block_on(run(listener, kept, shared, acceptor, orders)))?;
        Ok(Self { address, authority: papers.authority, recorder, state, wanted, thread: Some(thread) })
    }

    /// Its address, e.g. `https://localhost:40123`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("https://localhost:{}", self.address.port())
    }

    /// The certificate of its authority, as PEM: whoever trusts it trusts the server.
    #[must_use]
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// What arrived.
    #[must_use]
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// What a path answers when nothing is wrong. A path may end in `*`: all that begin so.
    pub fn answers(&self, path: &str, answer: Answer) {
        let mut routes = self.state.routes.lock().unwrap_or_else(PoisonError::into_inner);
        routes.answer(path, Arc::new(move |_| answer.clone()));
    }

    /// How every request fails from now on; `None`: they are answered.
    pub fn fails(&self, fault: Option<Http2Fault>) {
        *self.state.fault() = fault;
    }
}

impl Drop for SecureServer {
    fn drop(&mut self) {
        self.wanted.send_replace(false);
        if let Some(thread) = self.thread.take() {
            // It panics only when a test's own answer does; that test has failed already.
            let _ = thread.join();
        }
    }
}

async fn run(
    listener: StdListener,
    recorder: Arc<Recorder>,
    state: Arc<State>,
    acceptor: TlsAcceptor,
    mut orders: watch::Receiver<bool>,
) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            _ = orders.changed() => break,
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                let (recorder, state, acceptor) = (Arc::clone(&recorder), Arc::clone(&state), acceptor.clone());
                connections.spawn(async move {
                    let number = recorder.connected();
                    // An error is a client that went away or refused us: neither has anybody to be told.
                    let _ = serve(stream, number, &recorder, &state, &acceptor).await;
                    recorder.disconnected();
                });
            }
            Some(_) = connections.join_next() => {}
        }
    }
    connections.shutdown().await;
}

async fn serve(
    mut stream: TcpStream,
    number: u64,
    recorder: &Recorder,
    state: &State,
    acceptor: &TlsAcceptor,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    match state.handshake {
        Handshake::Fine | Handshake::UnknownAuthority | Handshake::OtherName | Handshake::Expired => {}
        Handshake::PlainHttp => {
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await?;
            return stream.shutdown().await;
        }
        Handshake::Closes => {
            // A first byte is the beginning of a hello; the rest of it is not waited for.
            stream.read_u8().await?;
            return stream.shutdown().await;
        }
        Handshake::Hangs => return std::future::pending().await,
    }
    let stream = acceptor.accept(stream).await?;
    let fault = *state.fault();
    match fault {
        Some(Http2Fault::GoesAwayBefore | Http2Fault::Garbage) => {
            raw_frames::answer(stream, number, recorder, fault == Some(Http2Fault::Garbage)).await
        }
        _ => http2::converse(stream, number, recorder, state).await.map_err(io::Error::other),
    }
}

//! The server: its thread, its listener, its switches.

use std::future::pending;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener as StdListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::connection::serve;
use crate::routes::Routes;
use crate::{Answer, Arrival, Door, Recorder, Script, Step};

/// How many connections may wait to be accepted.
const QUEUE: u32 = 1024;

/// What is wanted of the server's thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Listening,
    Refusing,
    Stopped,
}

/// A server on a free port of 127.0.0.1 that answers and misbehaves as it is told. Dropping it ends it.
pub struct MisbehavingServer {
    address: SocketAddr,
    recorder: Arc<Recorder>,
    routes: Arc<Mutex<Routes>>,
    wanted: watch::Sender<Wanted>,
    /// What the thread has brought about so far.
    reached: watch::Receiver<Wanted>,
    thread: Option<JoinHandle<()>>,
}

impl MisbehavingServer {
    /// Starts a server. It answers 404 to everything until it is told otherwise.
    ///
    /// # Errors
    /// When no port can be had, or no thread.
    pub fn start() -> io::Result<Self> {
        let listener = StdListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let recorder = Arc::new(Recorder::default());
        let routes = Arc::new(Mutex::new(Routes::default()));
        let (wanted, orders) = watch::channel(Wanted::Listening);
        let (report, reached) = watch::channel(Wanted::Listening);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let running = Running { listener, address, recorder: recorder.clone(), routes: routes.clone(), orders, report };
        let thread = std::thread::Builder::new()
            .name(format!("misbehaving server {address}"))
            .spawn(move || runtime.block_on(running.run()))?;
        Ok(Self { address, recorder, routes, wanted, reached, thread: Some(thread) })
    }

    /// Its address, e.g. `http://127.0.0.1:40123`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What arrived.
    #[must_use]
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// What a path answers when nothing is wrong. A path may end in `*`: all that begin so.
    pub fn answers(&self, path: &str, answer: Answer) {
        self.answers_with(path, move |_| answer.clone());
    }

    /// What a path answers when nothing is wrong, made out of the request.
    pub fn answers_with(&self, path: &str, answer: impl Fn(&Arrival) -> Answer + Send + Sync + 'static) {
        self.routes().answer(path, Arc::new(answer));
    }

    /// How a path misbehaves from now on; replaces what was said of it before.
    pub fn script(&self, path: &str, script: Script) {
        self.routes().script(path, script);
    }

    /// How everything misbehaves from now on. It goes before the scripts of paths.
    pub fn script_everywhere(&self, script: Script) {
        self.routes().script_everywhere(script);
    }

    /// Asks a function about each arrival from now on. It goes before all scripts; where it says "fine" they are asked.
    pub fn decides(&self, decide: impl Fn(&Arrival) -> Step + Send + Sync + 'static) {
        self.routes().decide(Arc::new(decide));
    }

    /// What connections meet that are made from now on. Those that stand are not touched.
    pub fn door(&self, door: Door) {
        self.routes().door = door;
    }

    /// Forgets all scripts and opens the door: every path gives its own answer again.
    pub fn behave(&self) {
        self.routes().forget_scripts();
    }

    /// Closes the listener and every connection, so that connecting is refused. Returns when that is so.
    pub async fn refuse(&self) {
        self.reach(Wanted::Refusing).await;
    }

    /// Listens again, on the same port. Returns when that is so.
    pub async fn listen_again(&self) {
        self.reach(Wanted::Listening).await;
    }

    async fn reach(&self, wanted: Wanted) {
        self.wanted.send_replace(wanted);
        let mut reached = self.reached.clone();
        // An error says that the thread has ended: there is nothing to wait for.
        let _ = reached.wait_for(|now| *now == wanted).await;
    }

    fn routes(&self) -> MutexGuard<'_, Routes> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for MisbehavingServer {
    fn drop(&mut self) {
        self.wanted.send_replace(Wanted::Stopped);
        if let Some(thread) = self.thread.take() {
            // It panics only when a test's own answer does; that test has failed already.
            let _ = thread.join();
        }
    }
}

/// What the server's thread owns.
struct Running {
    listener: StdListener,
    address: SocketAddr,
    recorder: Arc<Recorder>,
    routes: Arc<Mutex<Routes>>,
    orders: watch::Receiver<Wanted>,
    report: watch::Sender<Wanted>,
}

impl Running {
    async fn run(self) {
        let Self { listener, address, recorder, routes, mut orders, report } = self;
        let mut listener = listener.set_nonblocking(true).and_then(|()| TcpListener::from_std(listener)).ok();
        let mut connections = JoinSet::new();
        let mut held = None;
        loop {
            tokio::select! {
                changed = orders.changed() => {
                    let wanted = *orders.borrow_and_update();
                    if changed.is_err() || wanted == Wanted::Stopped {
                        break;
                    }
                    if wanted == Wanted::Refusing {
                        listener = None;
                        held = hold(address).ok();
                        connections.shutdown().await;
                    } else if listener.is_none() {
                        listener = match held.take() {
                            Some(socket) => socket.listen(QUEUE).ok(),
                            None => TcpListener::bind(address).await.ok(),
                        };
                    }
                    report.send_replace(wanted);
                }
                stream = accept(listener.as_ref()) => {
                    let (recorder, routes) = (recorder.clone(), routes.clone());
                    connections.spawn(async move { serve(stream, &recorder, &routes).await });
                }
                // Finished connections are taken off the set.
                Some(_) = connections.join_next() => {}
            }
        }
        connections.shutdown().await;
    }
}

/// Keeps a port without listening: whoever connects is refused, and no other server is given the port meanwhile, whose
/// answers would be taken for ours.
fn hold(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    // Connections that were just closed may still stand in the system's table.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// The next connection; none ever comes without a listener.
async fn accept(listener: Option<&TcpListener>) -> TcpStream {
    let Some(listener) = listener else { return pending().await };
    loop {
        if let Ok((stream, _)) = listener.accept().await {
            return stream;
        }
        // Out of descriptors, or the client left already: give others the turn, then go on.
        tokio::task::yield_now().await;
    }
}

//! An address to which connecting neither succeeds nor fails.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::timeout;

/// Connections after which a queue that still takes more is given up.
const MOST: usize = 64;
/// A connection to 127.0.0.1 that is not there by then waits in vain.
const LONG_ENOUGH: Duration = Duration::from_millis(300);

/// A listener that accepts nobody and whose queue is full: whoever connects waits until he gives up.
pub struct BlackHole {
    address: SocketAddr,
    _listener: TcpListener,
    _queue: Vec<TcpStream>,
}

impl BlackHole {
    /// Opens one. It must be kept for as long as it is needed.
    ///
    /// # Errors
    /// When no port can be had, or when this operating system never lets a queue fill.
    pub async fn open() -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
        let listener = socket.listen(1)?;
        let address = listener.local_addr()?;
        let mut queue = Vec::new();
        while queue.len() < MOST {
            match timeout(LONG_ENOUGH, TcpStream::connect(address)).await {
                Ok(connected) => queue.push(connected?),
                Err(_) => return Ok(Self { address, _listener: listener, _queue: queue }),
            }
        }
        Err(io::Error::other("the queue of a listener does not fill"))
    }

    /// Its address, e.g. `http://127.0.0.1:40123`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

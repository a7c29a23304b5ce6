//! A loopback server that does what a script says and keeps what it received.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cofferdam_runtime::Guard;
use cofferdam_runtime::http::{Credentials, HttpClient};
use cofferdam_runtime::settings::SystemSettings;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use super::subject::{Adapter, handle, ms};

/// One request as it arrived.
#[derive(Debug, Clone)]
pub struct Arrival {
    pub line: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Arrival {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// What the server does with a request.
#[derive(Debug, Clone)]
pub enum Act {
    /// A well-formed reply, after a wait.
    Reply { status: u16, headers: String, body: String, after: Duration },
    /// These bytes, and then the connection ends.
    Raw(Vec<u8>),
    /// These bytes, and then nothing more.
    RawThenHang(Vec<u8>),
    /// The head of a reply and then a byte each so often, without end.
    Drip(Duration),
    /// Nothing at all, and the connection ends.
    Close,
    /// Nothing at all, for ever.
    Hang,
}

impl Act {
    pub fn json(status: u16, body: &str) -> Self {
        Self::Reply { status, headers: String::new(), body: body.into(), after: Duration::ZERO }
    }

    pub fn with(status: u16, headers: &str, body: &str) -> Self {
        Self::Reply { status, headers: headers.into(), body: body.into(), after: Duration::ZERO }
    }
}

type Script = dyn Fn(usize, &Arrival) -> Act + Send + Sync;

pub struct Server {
    pub address: SocketAddr,
    arrivals: Arc<Mutex<Vec<Arrival>>>,
}

impl Server {
    /// A server whose script is told the number of the request (from 1) and the request.
    pub async fn start(script: impl Fn(usize, &Arrival) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let arrivals = Arc::new(Mutex::new(Vec::new()));
        let (kept, script): (_, Arc<Script>) = (Arc::clone(&arrivals), Arc::new(script));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&kept), Arc::clone(&script)));
            }
        });
        Self { address, arrivals }
    }

    pub fn arrivals(&self) -> Vec<Arrival> {
        self.arrivals.lock().unwrap().clone()
    }

    pub fn count(&self) -> usize {
        self.arrivals.lock().unwrap().len()
    }

    /// Settings for it: quick waits, so that a test takes no time, and times that fit loopback.
    pub fn settings(&self) -> SystemSettings {
        let mut settings = SystemSettings::external(format!("http://{}/base", self.address).parse().unwrap());
        settings.timeouts.connect = ms(100);
        settings.timeouts.read = ms(200);
        settings.timeouts.call = ms(1500);
        settings.breaker.config.slow_call = ms(100);
        settings.breaker.config.minimum_calls = 50;
        settings.retry.initial_wait = ms(2);
        settings
    }

    pub fn adapter(&self, credentials: Credentials) -> Adapter {
        adapter(self.settings(), credentials)
    }
}

pub fn adapter(settings: SystemSettings, credentials: Credentials) -> Adapter {
    let handle = handle(settings);
    Adapter { client: HttpClient::new(&handle, credentials).unwrap(), guard: Guard::new(&handle).unwrap() }
}

async fn serve(mut stream: TcpStream, arrivals: Arc<Mutex<Vec<Arrival>>>, script: Arc<Script>) {
    let mut buffer = Vec::new();
    while let Some(arrival) = read_request(&mut stream, &mut buffer).await {
        let number = {
            let mut arrivals = arrivals.lock().unwrap();
            arrivals.push(arrival.clone());
            arrivals.len()
        };
        match script(number, &arrival) {
            Act::Reply { status, headers, body, after } => {
                sleep(after).await;
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{headers}\r\n",
                    body.len()
                );
                if stream.write_all((head + &body).as_bytes()).await.is_err() {
                    return;
                }
            }
            Act::Raw(bytes) => {
                let _ = stream.write_all(&bytes).await;
                return;
            }
            Act::RawThenHang(bytes) => {
                let _ = stream.write_all(&bytes).await;
                sleep(Duration::from_secs(60)).await;
            }
            Act::Drip(pause) => {
                let head = b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n";
                let _ = stream.write_all(head).await;
                while stream.write_all(b" ").await.is_ok() {
                    sleep(pause).await;
                }
            }
            Act::Close => return,
            Act::Hang => sleep(Duration::from_secs(60)).await,
        }
    }
}

async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Arrival> {
    let end = loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(buffer.drain(..end + 4).collect()).unwrap();
    let mut lines = head.trim_end().split("\r\n");
    let line = lines.next()?.to_owned();
    let headers: Vec<_> = lines
        .filter_map(|header| header.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    if headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked") {
        return Some(Arrival { line, headers, body: read_chunks(stream, buffer).await? });
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(0, |(_, value)| value.parse().unwrap());
    while buffer.len() < length {
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
    let body = String::from_utf8(buffer.drain(..length).collect()).unwrap();
    Some(Arrival { line, headers, body })
}

async fn read_chunks(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<String> {
    while !buffer.ends_with(b"0\r\n\r\n") {
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
    let text = String::from_utf8(std::mem::take(buffer)).unwrap();
    let lines: Vec<_> = text.split("\r\n").collect();
    Some(lines.chunks(2).filter(|pair| pair.len() == 2).map(|pair| pair[1]).collect())
}

//! A server on a free port of the loopback device that keeps every byte of what it is asked.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// The server. Its threads end with the process.
pub struct Server {
    address: SocketAddr,
    arrivals: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    /// Gives these replies in order, the last of them for ever. `"connection refused"` as the first: there is nobody.
    pub fn start(replies: &[Value]) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let server = Self { address: listener.local_addr().unwrap(), arrivals: Arc::default() };
        if replies.first().and_then(Value::as_str) == Some("connection refused") {
            return server;
        }
        let (replies, arrivals, begun) = (Arc::new(replies.to_vec()), server.arrivals.clone(), Instant::now());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (replies, arrivals) = (replies.clone(), arrivals.clone());
                // A client that goes away has nobody to be told.
                thread::spawn(move || converse(&stream, &replies, &arrivals, begun));
            }
        });
        server
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn arrivals(&self) -> Vec<Value> {
        self.arrivals.lock().unwrap().clone()
    }
}

fn converse(
    stream: &TcpStream,
    replies: &[Value],
    arrivals: &Mutex<Vec<Value>>,
    begun: Instant,
) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some((method, mut arrival)) = read(&mut reader)? {
        arrival["at_ms"] = json!(begun.elapsed().as_millis() as u64);
        let number = {
            let mut arrivals = arrivals.lock().unwrap();
            arrivals.push(arrival);
            arrivals.len() - 1
        };
        let reply = replies.get(number).or(replies.last()).cloned().unwrap_or_default();
        let mut writer = stream;
        writer.write_all(&written(&reply, &method))?;
    }
    Ok(())
}

fn line(reader: &mut impl BufRead) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    reader.read_until(b'\n', &mut bytes)?;
    // Headers are bytes; each becomes the character of its number, so that none is lost.
    Ok(bytes.iter().map(|byte| char::from(*byte)).collect::<String>().trim_end_matches(['\r', '\n']).to_owned())
}

fn read(reader: &mut impl BufRead) -> std::io::Result<Option<(String, Value)>> {
    let start = line(reader)?;
    let mut words = start.split(' ');
    let (Some(method), Some(target)) = (words.next().filter(|word| !word.is_empty()), words.next()) else {
        return Ok(None);
    };
    let mut headers = Vec::new();
    loop {
        let header = line(reader)?;
        let Some((name, value)) = header.split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let header = |wanted: &str| headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    let body = match (header("content-length"), header("transfer-encoding")) {
        (Some(length), _) => {
            let mut body = vec![0; length.parse().unwrap_or_default()];
            reader.read_exact(&mut body)?;
            body
        }
        (None, Some(_)) => chunks(reader)?,
        (None, None) => Vec::new(),
    };
    let arrival =
        json!({ "method": method, "target": target, "headers": headers, "body_base64": STANDARD.encode(body) });
    Ok(Some((method.to_owned(), arrival)))
}

fn chunks(reader: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = usize::from_str_radix(line(reader)?.split(';').next().unwrap_or_default().trim(), 16);
        let mut chunk = vec![0; size.unwrap_or_default()];
        reader.read_exact(&mut chunk)?;
        line(reader)?;
        if chunk.is_empty() {
            return Ok(body);
        }
        body.extend(chunk);
    }
}

/// The reply's bytes.
pub fn body(reply: &Value) -> Vec<u8> {
    match (reply.get("text"), reply.get("body_base64")) {
        (Some(text), _) => text.as_str().unwrap().as_bytes().to_vec(),
        (None, Some(base64)) => STANDARD.decode(base64.as_str().unwrap()).unwrap(),
        (None, None) => Vec::new(),
    }
}

fn written(reply: &Value, method: &str) -> Vec<u8> {
    let status = reply["status"].as_u64().unwrap_or(500);
    let body = body(reply);
    let mut head = format!("HTTP/1.1 {status} Said\r\n");
    for (name, value) in reply["headers"].as_object().into_iter().flatten() {
        for value in value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice) {
            head.push_str(&format!("{name}: {}\r\n", value.as_str().unwrap()));
        }
    }
    let never = matches!(status, 100..=199 | 204 | 304);
    if !never {
        head.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    let mut whole = format!("{head}\r\n").into_bytes();
    if !never && method != "HEAD" {
        whole.extend(body);
    }
    whole
}

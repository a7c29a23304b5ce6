//! Prism as a process.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// A mock of a document; ends when dropped.
pub(crate) struct Mock {
    process: Child,
    port: u16,
}

impl Mock {
    /// Starts it and waits until it listens: large documents take it a while.
    pub(crate) fn start(prism: &Path, document: &Path) -> Self {
        let port = free_port();
        let process = Command::new(prism)
            .args(["mock", "--errors", "--host", "127.0.0.1", "--port", &port.to_string()])
            .arg(document)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut mock = Self { process, port };
        for _ in 0..1200 {
            if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
                return mock;
            }
            assert!(mock.process.try_wait().unwrap().is_none(), "Prism does not take {}", document.display());
            thread::sleep(Duration::from_millis(100));
        }
        panic!("Prism does not listen for {}", document.display());
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

//! What arrived, and waiting for it without sleeping.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use crate::Arrival;

/// How long a wait goes on before it is given up. Far more than anything here takes: it only turns a test that would
/// hang into one that fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// What was waited for did not happen.
#[derive(Debug, thiserror::Error)]
#[error("waited for {wanted}; arrived so far: {arrived:?}")]
pub struct Late {
    wanted: String,
    arrived: Vec<String>,
}

/// Keeps every request that arrived at a server.
#[derive(Debug, Default)]
pub struct Recorder {
    log: Mutex<Log>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Log {
    arrivals: Vec<Arrival>,
    connections: u64,
    open: u64,
    abandoned: u64,
    /// Arrivals that are kept at least; all of them when it is not said.
    kept: Option<usize>,
}

impl Recorder {
    /// All requests, in the order in which they arrived.
    #[must_use]
    pub fn all(&self) -> Vec<Arrival> {
        self.log().arrivals.clone()
    }

    /// The requests to one path.
    #[must_use]
    pub fn arrivals(&self, path: &str) -> Vec<Arrival> {
        self.log().arrivals.iter().filter(|arrival| arrival.path == path).cloned().collect()
    }

    /// How many requests came to one path.
    #[must_use]
    pub fn count(&self, path: &str) -> usize {
        self.log().arrivals.iter().filter(|arrival| arrival.path == path).count()
    }

    /// How many requests came in all.
    #[must_use]
    pub fn total(&self) -> usize {
        self.log().arrivals.len()
    }

    /// How many connections were accepted so far.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.log().connections
    }

    /// How many connections are open now.
    #[must_use]
    pub fn open_connections(&self) -> u64 {
        self.log().open
    }

    /// How many times the client went away before its request was answered whole.
    #[must_use]
    pub fn abandoned(&self) -> u64 {
        self.log().abandoned
    }

    /// Keeps the latest `count` requests (up to twice as many) and forgets the others: for a server that runs for long.
    pub fn keep_latest(&self, count: usize) {
        self.log().kept = Some(count);
    }

    /// Forgets the requests; connections stay counted.
    pub fn clear(&self) {
        self.log().arrivals.clear();
    }

    /// Waits until `count` requests have come to a path.
    ///
    /// # Errors
    /// When they do not come in a time that is more than enough.
    pub async fn until_arrived(&self, path: &str, count: usize) -> Result<(), Late> {
        let wanted = format!("{count} requests to {path}");
        self.until(wanted, |log| log.arrivals.iter().filter(|arrival| arrival.path == path).count() >= count).await
    }

    /// Waits until the client has gone away from `count` unanswered requests.
    ///
    /// # Errors
    /// When it does not in a time that is more than enough.
    pub async fn until_abandoned(&self, count: u64) -> Result<(), Late> {
        self.until(format!("{count} abandoned requests"), |log| log.abandoned >= count).await
    }

    async fn until(&self, wanted: String, reached: impl Fn(&Log) -> bool) -> Result<(), Late> {
        let waiting = async {
            loop {
                // Registered before the look, so that a change between look and wait is not missed.
                let changed = self.changed.notified();
                tokio::pin!(changed);
                changed.as_mut().enable();
                if reached(&self.log()) {
                    return;
                }
                changed.await;
            }
        };
        match tokio::time::timeout(PATIENCE, waiting).await {
            Ok(()) => Ok(()),
            Err(_) => Err(Late { wanted, arrived: self.lines() }),
        }
    }

    fn lines(&self) -> Vec<String> {
        self.log().arrivals.iter().map(|arrival| format!("{} {}", arrival.method, arrival.path)).collect()
    }

    pub(crate) fn arrived(&self, arrival: Arrival) {
        self.change(|log| {
            log.arrivals.push(arrival);
            if let Some(kept) = log.kept
                && log.arrivals.len() > kept * 2
            {
                log.arrivals.drain(..log.arrivals.len() - kept);
            }
        });
    }

    pub(crate) fn connected(&self) -> u64 {
        self.change(|log| {
            log.connections += 1;
            log.open += 1;
            log.connections - 1
        })
    }

    pub(crate) fn disconnected(&self) {
        self.change(|log| log.open = log.open.saturating_sub(1));
    }

    pub(crate) fn was_abandoned(&self) {
        self.change(|log| log.abandoned += 1);
    }

    fn change<T>(&self, change: impl FnOnce(&mut Log) -> T) -> T {
        let result = change(&mut self.log());
        self.changed.notify_waiters();
        result
    }

    /// A panic in a test that held the lock must not hide behind a poisoned lock in the next assertion.
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

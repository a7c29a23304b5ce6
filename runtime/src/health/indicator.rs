use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::StatusCode;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use super::ask::{Ask, AskFuture, ProbeFailure, through};
use super::business::business_operation;
use super::report::{BulkheadHealth, HealthReport, ProbeReport};
use crate::error::ConnectError;
use crate::http::HttpClient;
use crate::settings::{HealthSettings, Probe};
use crate::{Guard, OperationMeta};

/// The health of one system. Clones share what was last heard of it.
#[derive(Clone)]
pub struct Health {
    shared: Arc<Shared>,
}

struct Shared {
    guard: Guard,
    operations: Vec<&'static OperationMeta>,
    ask: Box<Ask>,
    slot: Mutex<Slot>,
}

/// The latest answer, and the one to come.
#[derive(Default)]
struct Slot {
    latest: Option<Heard>,
    flight: Option<Flight>,
}

/// A probe that is under way, and where its answer will be.
struct Flight {
    probe: Probe,
    answer: watch::Receiver<Option<Heard>>,
}

/// What a probe brought.
#[derive(Debug, Clone)]
pub(super) struct Heard {
    probe: Probe,
    answer: Result<StatusCode, ProbeFailure>,
    took: Duration,
    at: Instant,
}

/// A check that has begun.
pub(super) enum Check {
    /// What the probe says is known, or will not be.
    Known(ProbeReport),
    /// It is under way.
    Awaited(watch::Receiver<Option<Heard>>, Probe),
}

impl Health {
    /// The health of the system behind guard and client. `operations` are all of the document's, so that a probe that
    /// is one of them can be refused.
    ///
    /// # Errors
    /// The settings declare a probe that is a business operation (R-RES-HC-X2).
    pub fn new(
        guard: &Guard,
        client: &HttpClient,
        operations: &[&'static OperationMeta],
    ) -> Result<Self, ConnectError> {
        Self::build(guard, operations, through(client.clone()))
    }

    /// The same through a client of one's own. `ask` sends the declared probe, and nothing else.
    ///
    /// # Errors
    /// As for [`Health::new`].
    pub fn asking(
        guard: &Guard,
        operations: &[&'static OperationMeta],
        ask: impl Fn(Probe, Duration) -> AskFuture + Send + Sync + 'static,
    ) -> Result<Self, ConnectError> {
        Self::build(guard, operations, Box::new(ask))
    }

    fn build(guard: &Guard, operations: &[&'static OperationMeta], ask: Box<Ask>) -> Result<Self, ConnectError> {
        let (guard, operations) = (guard.clone(), operations.to_vec());
        let shared = Shared { guard, operations, ask, slot: Mutex::default() };
        if let Some(probe) = &shared.settings().probe
            && let Some(note) = shared.refusal(probe)
        {
            return Err(ConnectError::new(shared.guard.system(), format!("health.probe: {probe}: {note}")));
        }
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The system's name.
    pub fn system(&self) -> &str {
        self.shared.guard.system()
    }

    /// How the system is: breaker and bulkhead at this moment, the probe's answer not older than the settings allow.
    ///
    /// Whoever asks while a probe is under way waits for that one. It goes on when those who wait go away.
    pub async fn check(&self) -> HealthReport {
        let check = self.begin();
        self.finish(check).await
    }

    /// Begins a check: if a probe is needed, it is under way now.
    pub(super) fn begin(&self) -> Check {
        let settings = self.shared.settings();
        let Some(probe) = settings.probe.clone() else { return Check::Known(ProbeReport::not_declared()) };
        if let Some(note) = self.shared.refusal(&probe) {
            return Check::Known(ProbeReport::Refused { request: probe.to_string(), note });
        }
        let mut slot = self.shared.slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(heard) = slot.latest.as_ref().filter(|heard| heard.holds(&probe, settings.cache)) {
            return Check::Known(heard.report());
        }
        if let Some(flight) = slot.flight.as_ref().filter(|flight| flight.probe == probe) {
            return Check::Awaited(flight.answer.clone(), probe);
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return Check::Known(nothing_heard(&probe, "no_runtime"));
        };
        let (sender, answer) = watch::channel(None);
        slot.flight = Some(Flight { probe: probe.clone(), answer: answer.clone() });
        runtime.spawn(fly(Arc::clone(&self.shared), probe.clone(), settings.timeout, sender));
        Check::Awaited(answer, probe)
    }

    pub(super) async fn finish(&self, check: Check) -> HealthReport {
        let probe = match check {
            Check::Known(report) => report,
            Check::Awaited(mut answer, probe) => match answer.wait_for(Option::is_some).await.as_deref() {
                Ok(Some(heard)) => heard.report(),
                // The runtime that the probe ran on is gone.
                _ => nothing_heard(&probe, "abandoned"),
            },
        };
        let guard = &self.shared.guard;
        let bulkhead =
            BulkheadHealth { enabled: guard.has_bulkhead(), available: guard.available_places(), max: guard.places() };
        HealthReport::new(guard.system(), &guard.breaker().metrics(), bulkhead, probe)
    }
}

impl fmt::Debug for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Health").field("system", &self.system()).finish_non_exhaustive()
    }
}

impl Shared {
    fn settings(&self) -> HealthSettings {
        self.guard.settings().load().health.clone()
    }

    /// Why a probe must not be sent, if it must not.
    fn refusal(&self, probe: &Probe) -> Option<String> {
        if !probe.is_light() {
            return Some("a probe only looks: GET, HEAD or OPTIONS".into());
        }
        let operation = business_operation(probe, &self.operations)?;
        Some(format!("this is the business operation {}; OPTIONS of the same path is none", operation.id))
    }
}

/// Sends a probe and tells all who wait. In a task of its own, so that none of them can break it off.
async fn fly(shared: Arc<Shared>, probe: Probe, limit: Duration, tell: watch::Sender<Option<Heard>>) {
    let start = Instant::now();
    // In yet another task: a client of somebody's own may panic, and that is an answer, too.
    let answer = tokio::spawn(timeout(limit, (shared.ask)(probe.clone(), limit))).await;
    let answer = match answer {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(ProbeFailure { kind: "timed_out", cause: format!("no answer within {limit:?}") }),
        Err(_) => Err(ProbeFailure { kind: "panicked", cause: "the client panicked".into() }),
    };
    let heard = Heard { probe, answer, took: start.elapsed(), at: Instant::now() };
    let previous = {
        let mut slot = shared.slot.lock().unwrap_or_else(PoisonError::into_inner);
        // Another probe may be under way since the settings changed.
        if slot.flight.as_ref().is_some_and(|flight| flight.probe == heard.probe) {
            slot.flight = None;
        }
        slot.latest.replace(heard.clone())
    };
    log(shared.guard.system(), previous.as_ref(), &heard);
    // Nobody may be waiting any more.
    let _ = tell.send(Some(heard));
}

/// A probe that fails is told once, and that it is answered again.
fn log(system: &str, previous: Option<&Heard>, now: &Heard) {
    let (was_there, is_there) = (previous.is_none_or(Heard::is_there), now.is_there());
    let request = tracing::field::display(&now.probe);
    match &now.answer {
        _ if was_there == is_there => {}
        Ok(status) if is_there => {
            tracing::info!(
                external.system = system,
                request,
                status = status.as_u16(),
                "health probe is answered again"
            );
        }
        Ok(status) => {
            tracing::warn!(external.system = system, request, status = status.as_u16(), "health probe failed");
        }
        Err(failure) => tracing::warn!(external.system = system, request, %failure, "health probe failed"),
    }
}

impl Heard {
    fn holds(&self, probe: &Probe, cache: Duration) -> bool {
        self.probe == *probe && self.at.elapsed() < cache
    }

    fn is_there(&self) -> bool {
        self.answer.as_ref().is_ok_and(|status| !status.is_server_error())
    }

    fn report(&self) -> ProbeReport {
        let request = self.probe.to_string();
        let (took_millis, age_millis) = (millis(self.took), millis(self.at.elapsed()));
        match &self.answer {
            Ok(status) => ProbeReport::Answered { request, status: status.as_u16(), took_millis, age_millis },
            Err(failure) => ProbeReport::Failed { request, reason: failure.kind, took_millis, age_millis },
        }
    }
}

fn nothing_heard(probe: &Probe, reason: &'static str) -> ProbeReport {
    ProbeReport::Failed { request: probe.to_string(), reason, took_millis: 0, age_millis: 0 }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

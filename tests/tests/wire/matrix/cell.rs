//! One fault, one kind of call, one order of layers.

use std::collections::HashSet;
use std::fmt;
use std::io::Write as _;

use cofferdam_example_committed::integrations::f6::{F6Adapter, F6Mapping};
use cofferdam_runtime::settings::SystemSettings;
use cofferdam_runtime::{CallError, IdempotencyKey, OperationKind};
use cofferdam_tests::{Answer, BlackHole, MisbehavingServer, Recorder, SecureServer};
use tempfile::NamedTempFile;

use super::expected::Order;
use super::rows::{Cause, Row};
use crate::world::{f6_answers, f6_at, f6_server, goods, ms, procurements, recorded};

/// What a call brought about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    /// What the caller heard, and whether the system may have got the request.
    pub(super) outcome: String,
    /// Attempts, by the error's word.
    pub(super) attempts: Option<usize>,
    /// Requests the server read.
    pub(super) arrivals: usize,
    /// Different idempotency keys among them.
    pub(super) keys: usize,
    /// Calls the breaker recorded …
    pub(super) recorded: usize,
    /// … and those of them that failed.
    pub(super) failed: usize,
    /// All places of the bulkhead are free.
    pub(super) places_back: bool,
    /// Requests at a server that a redirect named.
    pub(super) elsewhere: usize,
    /// Requests that arrived for one more call, made when all was well again: it got its own answer, and nothing of
    /// the first call came after its end. `None` where nothing can be well again.
    pub(super) later: Option<usize>,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} | {:?} attempts, {} arrived, {} keys | recorded {}, failed {} | places back: {}, elsewhere {}, later {:?}",
            self.outcome,
            self.attempts,
            self.arrivals,
            self.keys,
            self.recorded,
            self.failed,
            self.places_back,
            self.elsewhere,
            self.later
        )
    }
}

/// Who is called.
enum Stage {
    Plain(MisbehavingServer),
    Secure(SecureServer, NamedTempFile),
    Hole(BlackHole),
    Nowhere,
}

impl Stage {
    async fn of(cause: &Cause) -> Self {
        match cause {
            Cause::Script(_) | Cause::Door(_) | Cause::Refused | Cause::Redirected(_) => Self::Plain(f6_server()),
            Cause::Handshake(handshake) => Self::secure(SecureServer::start(*handshake).unwrap()),
            Cause::Http2(_) => Self::secure(SecureServer::start(cofferdam_tests::Handshake::Fine).unwrap()),
            Cause::NobodyAnswers => Self::Hole(BlackHole::open().await.unwrap()),
            Cause::NoSuchHost => Self::Nowhere,
        }
    }

    fn secure(server: SecureServer) -> Self {
        f6_answers().into_iter().for_each(|(path, answer)| server.answers(path, answer));
        let mut authority = NamedTempFile::new().unwrap();
        authority.write_all(server.authority().as_bytes()).unwrap();
        Self::Secure(server, authority)
    }

    fn adapter(&self, row: &Row, order: Order) -> F6Adapter<F6Mapping> {
        let mut tuning = row.tuning().to_owned();
        if order == Order::BreakerOutside {
            tuning.push_str("\n    order: breaker-outside\n");
        }
        match self {
            Self::Plain(server) => f6_at(&server.url(), &tuning),
            Self::Secure(server, authority) => {
                tuning.push_str(&format!("\n    tls: {{ ca-file: {:?} }}\n", authority.path()));
                f6_at(&server.url(), &tuning)
            }
            Self::Hole(hole) => f6_at(&hole.url(), &tuning),
            Self::Nowhere => f6_at("http://f6.invalid", &tuning),
        }
    }

    fn recorder(&self) -> Option<&Recorder> {
        match self {
            Self::Plain(server) => Some(server.recorder()),
            Self::Secure(server, _) => Some(server.recorder()),
            Self::Hole(_) | Self::Nowhere => None,
        }
    }

    async fn break_down(&self, cause: &Cause, elsewhere: &MisbehavingServer) {
        match (self, cause) {
            (Self::Plain(server), Cause::Script(script)) => server.script_everywhere(script.clone()),
            (Self::Plain(server), Cause::Redirected(status)) => {
                let away = Answer::redirect(&format!("{}/steal", elsewhere.url())).with_status(*status);
                server.script_everywhere(cofferdam_tests::Script::always(away));
            }
            (Self::Plain(server), Cause::Door(door)) => server.door(*door),
            (Self::Plain(server), Cause::Refused) => server.refuse().await,
            (Self::Secure(server, _), Cause::Http2(fault)) => server.fails(Some(*fault)),
            _ => {}
        }
    }

    async fn mend(&self) {
        match self {
            Self::Plain(server) => {
                server.behave();
                server.listen_again().await;
            }
            Self::Secure(server, _) => server.fails(None),
            Self::Hole(_) | Self::Nowhere => {}
        }
    }
}

/// Makes the call of a cell.
pub(super) async fn run(row: &Row, kind: OperationKind, order: Order) -> Seen {
    let (stage, elsewhere) = (Stage::of(&row.cause).await, MisbehavingServer::start().unwrap());
    let adapter = stage.adapter(row, order);
    let mut before = (0, 0);
    if row.is_warmed() {
        // A connection that was used before and is used again: the case in which HTTP clients like to try once more.
        adapter.list_procurements(procurements()).await.unwrap();
        before = recorded(adapter.guard());
        stage.recorder().unwrap().clear();
    }
    stage.break_down(&row.cause, &elsewhere).await;
    let (outcome, attempts) = call(&adapter, kind).await;
    let arrived = stage.recorder().map(Recorder::all).unwrap_or_default();
    let keys: HashSet<_> = arrived.iter().filter_map(|arrival| arrival.header("idempotency-key")).collect();
    let (recorded, failed) = recorded(adapter.guard());
    let mut seen = Seen {
        outcome,
        attempts,
        arrivals: arrived.len(),
        keys: keys.len(),
        recorded: (recorded - before.0) as usize,
        failed: (failed - before.1) as usize,
        places_back: adapter.guard().available_places() == adapter.guard().places(),
        elsewhere: elsewhere.recorder().total(),
        later: None,
    };
    if row.recovers() {
        stage.mend().await;
        take_time(&adapter);
        let answer = adapter.list_procurements(procurements()).await;
        let later = stage.recorder().unwrap().total() - seen.arrivals;
        seen.later = answer.is_ok_and(|list| list.total == 1).then_some(later);
    }
    seen
}

/// What comes now is to go well, however busy the machine is. Connections stay.
fn take_time(adapter: &F6Adapter<F6Mapping>) {
    let handle = adapter.guard().settings();
    let mut settings = SystemSettings::clone(&handle.load());
    (settings.timeouts.read, settings.timeouts.call) = (ms(20_000), ms(30_000));
    handle.store(settings);
}

async fn call(adapter: &F6Adapter<F6Mapping>, kind: OperationKind) -> (String, Option<usize>) {
    match kind {
        OperationKind::Read => heard(adapter.list_procurements(procurements()).await),
        OperationKind::Keyed => heard(adapter.create_order(goods(), Some(IdempotencyKey::random())).await),
        OperationKind::Once => heard(adapter.create_order(goods(), None).await),
    }
}

/// What the caller heard, in words. A call that went well does not tell its attempts: what arrived does.
fn heard<T, R>(answer: Result<T, CallError<R>>) -> (String, Option<usize>) {
    let Err(error) = answer else { return ("fine".to_owned(), None) };
    let what = match &error {
        CallError::TimedOut { phase, .. } => format!("timed out {phase}"),
        CallError::Transport { fault, .. } => format!("transport: {}", fault.kind().as_str()),
        // A read has another status than a write.
        CallError::Undecodable { .. } => "undecodable".to_owned(),
        other => match other.status() {
            Some(status) => format!("{} {}", other.kind(), status.as_u16()),
            None => other.kind().to_owned(),
        },
    };
    (format!("{what}; {:?}", error.delivery()), Some(error.attempts() as usize))
}

//! A server, and an adapter that calls it under the team's settings with shorter waits.

use std::sync::Arc;
use std::time::Duration;

use cofferdam_runtime::breaker::OpenWait;
use cofferdam_runtime::settings::{RetrySettings, SystemSettings, Timeouts};
use cofferdam_runtime::{Guard, Settings};
use serde_json::json;

use super::{Broken, Call, Case, Checked, Ended, Reply, Subject, TOKEN_PATH};
use crate::{Answer, Arrival, MisbehavingServer, Step};

/// A server and who calls it.
pub(super) struct Stage<S: Subject> {
    pub(super) server: MisbehavingServer,
    pub(super) adapter: Arc<S::Adapter>,
    /// As the calls go by it.
    pub(super) settings: Arc<SystemSettings>,
}

impl<S: Subject> Stage<S> {
    /// One with the team's settings, changed as a check needs them.
    pub(super) fn new(tune: impl FnOnce(&mut SystemSettings)) -> Result<Self, Broken> {
        let server = MisbehavingServer::start()?;
        let token = json!({ "access_token": "trial", "token_type": "bearer", "expires_in": 3600 });
        server.answers(TOKEN_PATH, Answer::json(&token));
        let settings = S::settings().map_err(|error| Broken::new(error.to_string()))?;
        let own = quicken(&settings, S::SYSTEM, &server, tune)?;
        let adapter = Arc::new(S::connect(&settings, &server.url())?);
        Ok(Self { server, adapter, settings: Arc::new(own) })
    }

    pub(super) fn guard(&self) -> &Guard {
        S::guard(&self.adapter)
    }

    /// The server answers as it should.
    pub(super) fn is_well(&self, case: &Case<S::Adapter>) {
        self.server.behave();
        let body = if case.reply.media_type.is_empty() {
            Answer::status(case.reply.status)
        } else {
            let own = if case.reply.media_type.contains("json") { S::reply(case.operation) } else { None };
            let Reply { status, media_type, body } = case.reply;
            Answer::status(status).with_body(media_type, own.unwrap_or(body))
        };
        self.server.answers("*", body);
    }

    /// The server fails so at every call, but gives tokens.
    pub(super) fn fails(&self, case: &Case<S::Adapter>, step: impl Into<Step>) {
        self.is_well(case);
        let step = step.into();
        self.server.decides(move |arrival| if is_token(arrival) { Step::fine() } else { step.clone() });
    }

    /// Makes a call; the breaker has forgotten all that was before.
    pub(super) async fn fresh_call(&self, case: &Case<S::Adapter>) -> Ended {
        self.guard().breaker().reset();
        self.server.recorder().clear();
        self.call(case).await
    }

    pub(super) fn call<'a>(&'a self, case: &Case<S::Adapter>) -> Call<'a> {
        (case.call)(&self.adapter)
    }

    /// What arrived but for tokens.
    pub(super) fn arrivals(&self) -> Vec<Arrival> {
        self.server.recorder().all().into_iter().filter(|arrival| !is_token(arrival)).collect()
    }

    /// Waits until so many requests have arrived, besides those for tokens.
    pub(super) async fn until_arrived(&self, count: usize) -> Checked {
        for _ in 0..2000 {
            if self.arrivals().len() >= count {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Err(Broken::new(format!("{} of {count} requests arrived", self.arrivals().len())))
    }
}

fn is_token(arrival: &Arrival) -> bool {
    arrival.path == TOKEN_PATH
}

/// The team's settings with this server's address and waits that fit a test. Counts, thresholds, order and places stay;
/// quota, adapting and classes of failures are those of nobody.
fn quicken(
    settings: &Settings,
    system: &str,
    server: &MisbehavingServer,
    tune: impl FnOnce(&mut SystemSettings),
) -> Result<SystemSettings, Broken> {
    let handle = settings.system(system)?;
    let mut own = SystemSettings::clone(&handle.load());
    let mut address = format!("{}/", server.url()).parse().unwrap_or_else(|_| own.base_url.clone());
    address.set_path(own.base_url.path());
    own.base_url = address;
    own.timeouts = Timeouts { connect: ms(500), read: ms(1000), call: ms(2500) };
    own.proxy = None;
    own.tls = cofferdam_runtime::settings::TlsSettings::default();
    own.breaker.config.open_wait = OpenWait::fixed(ms(50));
    own.breaker.config.slow_call = own.timeouts.read;
    own.bulkhead.max_wait = ms(10);
    // What the checks count on: places that stay, no quota, and a 503 that counts.
    own.bulkhead.adaptive = None;
    own.rate_limit = None;
    own.breaker.counting = cofferdam_runtime::settings::Counting::default();
    quicken_retry(&mut own.retry);
    for operation in own.operations.values_mut() {
        (operation.base_url, operation.read, operation.call) = (None, None, None);
        operation.retry.as_mut().into_iter().for_each(quicken_retry);
    }
    tune(&mut own);
    handle.store(own.clone());
    Ok(own)
}

fn quicken_retry(retry: &mut RetrySettings) {
    retry.initial_wait = ms(1);
    retry.max_wait = ms(2);
    retry.budget.floor_per_second = 1000.0;
}

pub(super) const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Runs a check in a runtime of its own.
pub(super) fn run<T>(check: impl Future<Output = Result<T, Broken>>) -> Result<T, Broken> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?.block_on(check)
}

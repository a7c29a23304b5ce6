//! A look at everything once a second, however many operators watch, and what the last minutes were like, so that a page
//! that is opened late is full at once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cofferdam_runtime::observability;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::sample::{Moment, Sample};
use super::scrape;
use crate::systems::{Service, Shared};

/// Between two looks.
const EVERY: Duration = Duration::from_secs(1);
/// Looks that are remembered: three minutes.
const REMEMBERED: usize = 180;

/// What operators watch.
pub struct Watch {
    prometheus: PrometheusHandle,
    latest: watch::Sender<Arc<str>>,
    past: Mutex<VecDeque<Arc<str>>>,
}

impl Watch {
    /// Nothing seen yet. `prometheus` belongs to the recorder under which the adapters were made.
    pub fn new(prometheus: PrometheusHandle) -> Self {
        Self { prometheus, latest: watch::Sender::new("".into()), past: Mutex::default() }
    }

    /// The numbers as Prometheus reads them, with gauges as they are at this moment.
    pub fn scrape(&self) -> String {
        observability::publish();
        self.prometheus.render()
    }

    /// Looks once a second, until the service is gone.
    pub async fn keep_looking(service: std::sync::Weak<Service>) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let Some(service) = service.upgrade() else { return };
            service.watch.look(&service);
        }
    }

    /// Looks at everything, and shows it to all who watch.
    pub fn look(&self, service: &Service) {
        let moment = self.moment(service);
        let Ok(text) = serde_json::to_string(&moment) else { return };
        let text: Arc<str> = text.into();
        let mut past = self.past();
        if past.len() == REMEMBERED {
            past.pop_front();
        }
        past.push_back(Arc::clone(&text));
        // Under the same lock as the past: whoever subscribes has seen either neither or both.
        self.latest.send_replace(text);
    }

    /// Everything as it is now.
    pub fn moment(&self, service: &Service) -> Moment {
        self.prometheus.run_upkeep();
        let scrape = self.prometheus.render();
        let counts = scrape::counts(&scrape);
        let count = |system: &str| counts.get(system).copied().unwrap_or_default();
        let systems = service.systems.guards().map(|guard| Sample::of(guard, count(guard.system())));
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment {
            at: u64::try_from(since.as_millis()).unwrap_or_default(),
            orders: service.orders.count(),
            operable: service.operator_token.is_some(),
            systems: systems.into(),
        }
    }

    /// What was seen so far as one JSON array, and what will be seen.
    pub(super) fn follow(&self) -> (String, watch::Receiver<Arc<str>>) {
        let past = self.past();
        let mut receiver = self.latest.subscribe();
        receiver.mark_unchanged();
        let array = past.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(",");
        (format!("[{array}]"), receiver)
    }

    fn past(&self) -> MutexGuard<'_, VecDeque<Arc<str>>> {
        self.past.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks for as long as the service lives.
pub fn spawn(service: &Shared) {
    tokio::spawn(Watch::keep_looking(Arc::downgrade(service)));
}

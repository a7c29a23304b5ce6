//! Watching the settings file.
//!
//! By reading it every few seconds, not by the events of the file system: a mounted Kubernetes ConfigMap changes by a
//! symbolic link two levels up, editors replace the file by another one, network mounts tell nothing at all. A file of a
//! few kilobytes costs nothing to read, and what counts is what it says, not what time stands on it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval, sleep};

use super::file::Source;
use super::handle::WeakSystemHandle;
use super::reload::{replace, told};
use super::{Settings, SettingsError, SystemHandle};

const PERIOD: Duration = Duration::from_secs(5);
/// A file that changed is read again after this, and taken if it still says the same: it may be half written.
const SETTLED: Duration = Duration::from_millis(200);

impl Settings {
    /// Reloads the settings whenever the file changes, as long as anybody uses them. See [`Settings::reload`]: a file
    /// with faults is logged as a warning, and the settings stay as they were.
    ///
    /// Call it within a tokio runtime. Elsewhere, and for settings that come from no file, it only logs a warning.
    #[must_use = "the settings are what is watched"]
    pub fn watch(self) -> Self {
        self.watch_every(PERIOD)
    }

    /// The same, looking at the file so often.
    #[must_use = "the settings are what is watched"]
    pub fn watch_every(self, period: Duration) -> Self {
        let source = self.source();
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            tracing::warn!("settings are not watched: there is no tokio runtime here");
            return self;
        };
        if source.path.is_none() {
            tracing::warn!("settings are not watched: they come from no file");
            return self;
        }
        if !source.watched.swap(true, Ordering::Relaxed) {
            let systems = self.systems().map(SystemHandle::downgrade).collect();
            let watcher = Watcher { source: Arc::clone(source), systems, seen: None };
            runtime.spawn(watcher.run(period.max(Duration::from_millis(1))));
        }
        self
    }
}

struct Watcher {
    source: Arc<Source>,
    systems: Vec<WeakSystemHandle>,
    /// What the file said when it was last read in peace, and whether that could be read at all.
    seen: Option<Result<String, SettingsError>>,
}

impl Watcher {
    async fn run(mut self, period: Duration) {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if self.systems.iter().all(|system| system.upgrade().is_none()) {
                return;
            }
            let now = self.text().await;
            if self.seen.as_ref() == Some(&now) {
                continue;
            }
            sleep(SETTLED).await;
            if self.text().await == now {
                self.take(now);
            }
        }
    }

    /// Reads the file where a slow disk blocks nobody.
    async fn text(&self) -> Result<String, SettingsError> {
        let source = Arc::clone(&self.source);
        match tokio::task::spawn_blocking(move || source.text()).await {
            Ok(text) => text,
            // The runtime is shutting down: nothing is to be done any more.
            Err(_) => std::future::pending().await,
        }
    }

    fn take(&mut self, now: Result<String, SettingsError>) {
        // The handles are held only for this moment, so that the watch ends when nobody else holds them.
        let handles: Vec<SystemHandle> = self.systems.iter().filter_map(WeakSystemHandle::upgrade).collect();
        let outcome = match &now {
            Ok(text) => replace(&self.source, text, &handles),
            Err(error) => Err(error.clone()),
        };
        // Told, and there is nobody to give it to.
        let _ = told(outcome);
        self.seen = Some(now);
    }
}

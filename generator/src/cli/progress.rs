//! What a run is doing, shown on a terminal while it takes time.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::look::MessageFormat;
use super::output;

/// How often it moves.
const TICK: Duration = Duration::from_millis(100);

/// A line at the foot of the terminal. It is gone when this is dropped, so that messages stand alone; where standard error
/// is no terminal there never is one.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Begins a run over so many systems.
    pub(super) fn new(systems: usize) -> Self {
        let look = output::look();
        if look.quiet || look.format != MessageFormat::Text {
            return Self { bar: ProgressBar::hidden() };
        }
        let bar = ProgressBar::new(systems as u64);
        let template =
            if systems > 1 { "{spinner} {pos}/{len} {msg} ({elapsed})" } else { "{spinner} {msg} ({elapsed})" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Self { bar }
    }

    /// Says what is done now.
    pub(super) fn doing(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
    }

    /// One system is done.
    pub(super) fn done(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

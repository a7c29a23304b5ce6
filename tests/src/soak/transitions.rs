//! Counts the changes of the breakers' states, by the warning that tells each.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{SetGlobalDefaultError, set_global_default};
use tracing::{Event, Level, Metadata, Subscriber};

/// How often each change was told.
#[derive(Debug, Clone, Default)]
pub(super) struct Transitions(Arc<Mutex<BTreeMap<String, u64>>>);

impl Transitions {
    /// Listens to the whole process.
    pub(super) fn install() -> Result<Self, SetGlobalDefaultError> {
        let own = Self::default();
        set_global_default(own.clone())?;
        Ok(own)
    }

    pub(super) fn counted(&self) -> BTreeMap<String, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[derive(Default)]
struct Change {
    previous: String,
    new: String,
}

impl Visit for Change {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "previous" => value.clone_into(&mut self.previous),
            "new" => value.clone_into(&mut self.new),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

impl Subscriber for Transitions {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() == Level::WARN
    }

    fn event(&self, event: &Event<'_>) {
        let mut change = Change::default();
        event.record(&mut change);
        if !change.new.is_empty() {
            let what = format!("{} to {}", change.previous, change.new);
            *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(what).or_default() += 1;
        }
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

//! Who was asked what, and how it ended.

use std::sync::{Arc, Mutex, PoisonError};

use cofferdam_runtime::CallError;

/// The log of an adapter; its clones write to the same one.
#[derive(Debug, Clone, Default)]
pub struct AuditLog {
    entries: Arc<Mutex<Vec<String>>>,
}

impl AuditLog {
    /// A call begins.
    pub fn asked(&self, system: &str, operation: &str) {
        self.write(format!("{system} {operation} asked"));
    }

    /// A call has ended: well, or with an error.
    pub fn ended<R>(&self, system: &str, operation: &str, error: Option<&CallError<R>>) {
        self.write(match error {
            None => format!("{system} {operation} answered"),
            Some(error) => format!("{system} {operation} failed, delivery {:?}", error.delivery()),
        });
    }

    /// What was written so far.
    #[must_use]
    pub fn entries(&self) -> Vec<String> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn write(&self, entry: String) {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    }
}

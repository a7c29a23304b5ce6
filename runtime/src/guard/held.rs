use std::fmt;
use std::sync::Arc;

use super::Shared;
use crate::Verdict;
use crate::breaker::Admission;
use crate::bulkhead::Place;
use crate::deadline::Deadline;

/// What a stream keeps of the call that opened it: its place in the bulkhead, and a word with the breaker.
///
/// The breaker heard that the call succeeded when the stream was there, as half-open could not wait for a stream that
/// lasts for hours. Should the stream fail later on, that is one failure more, once.
pub(crate) struct Held {
    shared: Arc<Shared>,
    has_place: bool,
    admission: Option<Admission>,
    deadline: Option<Deadline>,
}

impl Held {
    pub(super) fn new(
        shared: &Arc<Shared>,
        place: Option<Place<'_>>,
        admission: Option<Admission>,
        deadline: Option<Deadline>,
    ) -> Self {
        let has_place = place.is_some();
        if let Some(place) = place {
            place.outlive();
        }
        Self { shared: Arc::clone(shared), has_place, admission, deadline }
    }

    /// The moment by which the guard wants the stream to have ended.
    pub(crate) fn deadline(&self) -> Option<Deadline> {
        self.deadline
    }

    /// The system let the stream down.
    pub(crate) fn failed(&mut self) {
        if let Some(admission) = self.admission.take() {
            self.shared.breaker.failed_later(admission);
            // Its time was told with the success; what counts here is that it failed.
            self.shared.meters.call(Verdict::Failure, 0);
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.has_place {
            self.shared.bulkhead.give_back();
        }
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held").field("has_place", &self.has_place).finish_non_exhaustive()
    }
}

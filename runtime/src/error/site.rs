use std::fmt;

/// Which call an error is about, and how far it got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallSite {
    /// The system.
    pub system: &'static str,
    /// The operation's id.
    pub operation: &'static str,
    /// Attempts that were begun: 0 if the call was refused before the first.
    pub attempts: u32,
    /// Whether the system may have got the request, over all attempts.
    pub delivery: Delivery,
    /// Stable number of this kind of error, within the range the settings give the system.
    pub code: u32,
}

impl fmt::Display for CallSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.system, self.operation)
    }
}

/// Whether the system may have got the request: what decides if a write may be done again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// It surely did not, or said itself that it did nothing with it.
    NotSent,
    /// It may have: no whole answer came back.
    MaybeSent,
    /// It did: it answered.
    Answered,
}

impl Delivery {
    /// After a further attempt that ended with `last`: an attempt that never left takes back nothing.
    pub(crate) fn then(self, last: Self) -> Self {
        if last == Self::NotSent { self } else { last }
    }
}

#[cfg(test)]
mod tests {
    use super::Delivery::{Answered, MaybeSent, NotSent};

    #[test]
    fn a_later_attempt_that_never_left_does_not_undo_an_earlier_one() {
        assert_eq!(MaybeSent.then(NotSent), MaybeSent);
        assert_eq!(Answered.then(MaybeSent), MaybeSent);
        assert_eq!(MaybeSent.then(Answered), Answered);
        assert_eq!(NotSent.then(NotSent), NotSent);
    }
}

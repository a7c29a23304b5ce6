//! What must come of a fault for a kind of call and an order of layers.

use cofferdam_runtime::OperationKind;

use super::cell::Seen;
use super::rows::{Again, Row, Vote};

/// Which of retry and breaker is the outer layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    RetryOutside,
    BreakerOutside,
}

/// Attempts that settings and fault allow a call that may be repeated.
pub(super) const ATTEMPTS: usize = 3;

/// An unkeyed write is attempted once, whatever the fault (R-RES-RE-1). Others are attempted until they are fine or the
/// attempts are used up, if the fault is one that may pass. Each attempt is recorded where the retry is outside, and the
/// last one where the breaker is.
pub(super) fn of(row: &Row, kind: OperationKind, order: Order) -> Seen {
    let may_repeat = kind != OperationKind::Once;
    let (attempts, ends_well) = match row.again {
        Again::Never => (1, false),
        Again::ToTheEnd if may_repeat => (ATTEMPTS, false),
        Again::ThenFine if may_repeat => (2, true),
        Again::ToTheEnd | Again::ThenFine => (1, false),
        Again::Harmless => (1, true),
    };
    let failed = if ends_well { attempts - 1 } else { attempts };
    let mut votes = vec![row.vote; failed];
    votes.extend(ends_well.then_some(Vote::Success));
    if order == Order::BreakerOutside {
        votes.drain(..attempts - 1);
    }
    let arrivals = failed * usize::from(row.arrives) + usize::from(ends_well);
    Seen {
        outcome: if ends_well { "fine".to_owned() } else { row.heard.to_owned() },
        attempts: (!ends_well).then_some(attempts),
        arrivals,
        keys: usize::from(kind == OperationKind::Keyed && arrivals > 0 && row.tells_keys()),
        recorded: votes.iter().filter(|vote| **vote != Vote::None).count(),
        failed: votes.iter().filter(|vote| **vote == Vote::Failure).count(),
        places_back: true,
        elsewhere: 0,
        later: row.recovers().then_some(1),
    }
}

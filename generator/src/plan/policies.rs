//! What protects each operation: the layers its calls pass, and how long they may take, as the settings say.

use cofferdam_runtime::settings::{LayerOrder, SystemSettings};
use serde::Serialize;
use url::Url;

use super::{OperationKind, PlannedOperation, SystemPlan};
use crate::project::Profile;

/// The protection of one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The layers from the outermost to the innermost.
    pub layers: Vec<Layer>,
    /// The times.
    pub timeouts: PlannedTimeouts,
    /// How often it may be sent at most.
    pub attempts: u32,
}

/// A layer of protection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// The caller's time budget.
    Deadline,
    /// Repeats what may be repeated.
    Retry,
    /// Stops calling what keeps failing.
    CircuitBreaker,
    /// Keeps to the system's quota.
    RateLimit,
    /// Bounds one attempt.
    TimeLimit,
    /// Bounds how many run at once.
    Bulkhead,
}

impl Layer {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Deadline => "deadline",
            Self::Retry => "retry",
            Self::CircuitBreaker => "circuit-breaker",
            Self::RateLimit => "rate-limit",
            Self::TimeLimit => "time-limit",
            Self::Bulkhead => "bulkhead",
        }
    }
}

/// Time limits in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PlannedTimeouts {
    /// To connect.
    pub connect_ms: u64,
    /// Silence of the system.
    pub read_ms: u64,
    /// One attempt as a whole.
    pub call_ms: u64,
}

/// What a system is governed by when no settings say otherwise.
#[must_use]
pub fn presets(profile: Profile) -> SystemSettings {
    // Where the system is does not matter to a plan; the test below parses it.
    let nowhere = Url::parse(NOWHERE).unwrap_or_else(|_| unreachable!("a constant that is a URL"));
    match profile {
        Profile::External => SystemSettings::external(nowhere),
        Profile::Supplier => SystemSettings::supplier(nowhere),
        Profile::Internal => SystemSettings::internal(nowhere),
    }
}

/// A host that never exists (RFC 6761).
pub(super) const NOWHERE: &str = "https://unset.invalid/";

/// The protection of each chosen operation, in the plan's order.
#[must_use]
pub fn policies(plan: &SystemPlan, settings: &SystemSettings) -> Vec<Policy> {
    plan.operations.iter().map(|planned| policy(&plan.operation(planned).id, planned, settings)).collect()
}

/// What holds for an operation. Only a read and a keyed write have a retry layer (R-RES-RE-1); its settings cannot give
/// one to others (R-RES-RE-X1).
fn policy(id: &str, planned: &PlannedOperation, settings: &SystemSettings) -> Policy {
    let own = settings.policy(id);
    let attempts = match planned.kind {
        OperationKind::Read | OperationKind::Keyed => own.retry.max_attempts,
        OperationKind::Once => 1,
    };
    let retry = (attempts > 1).then_some(Layer::Retry);
    let breaker = settings.breaker.enabled.then_some(Layer::CircuitBreaker);
    let (outer, inner) = match settings.order {
        LayerOrder::RetryOutside => (retry, breaker),
        LayerOrder::BreakerOutside => (breaker, retry),
    };
    let bulkhead = settings.bulkhead.enabled.then_some(Layer::Bulkhead);
    let rate_limit = settings.rate_limit.is_some().then_some(Layer::RateLimit);
    let layers = [Some(Layer::Deadline), outer, inner, rate_limit, Some(Layer::TimeLimit), bulkhead];
    let milliseconds = |duration: std::time::Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    Policy {
        layers: layers.into_iter().flatten().collect(),
        timeouts: PlannedTimeouts {
            connect_ms: milliseconds(own.timeouts.connect),
            read_ms: milliseconds(own.timeouts.read),
            call_ms: milliseconds(own.timeouts.call),
        },
        attempts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> SystemSettings {
        presets(Profile::External)
    }

    fn planned(kind: OperationKind) -> PlannedOperation {
        PlannedOperation { index: 0, kind, reason: String::new(), key: None, pages: None }
    }

    #[test]
    fn r_res_re_x1_no_setting_gives_a_write_without_a_key_a_retry() {
        let mut settings = settings();
        settings.retry.max_attempts = 5;
        for kind in [OperationKind::Read, OperationKind::Keyed] {
            let policy = policy("a", &planned(kind), &settings);
            assert_eq!(policy.attempts, 5);
            assert!(policy.layers.contains(&Layer::Retry));
        }
        let once = policy("a", &planned(OperationKind::Once), &settings);
        assert_eq!(once.attempts, 1);
        assert!(!once.layers.contains(&Layer::Retry));
    }

    #[test]
    fn layers_stand_in_the_order_of_the_settings_without_those_that_are_off() {
        let names = |settings: &SystemSettings| {
            let policy = policy("a", &planned(OperationKind::Read), settings);
            policy.layers.iter().map(|layer| layer.name()).collect::<Vec<_>>().join(" ")
        };
        let mut settings = settings();
        assert_eq!(names(&settings), "deadline retry circuit-breaker time-limit bulkhead");
        settings.order = LayerOrder::BreakerOutside;
        assert_eq!(names(&settings), "deadline circuit-breaker retry time-limit bulkhead");
        let (period, max_wait) = (std::time::Duration::from_secs(1), std::time::Duration::ZERO);
        settings.rate_limit = Some(cofferdam_runtime::settings::RateLimitSettings { limit: 1, period, max_wait });
        assert_eq!(names(&settings), "deadline circuit-breaker retry rate-limit time-limit bulkhead");
        settings.rate_limit = None;
        settings.bulkhead.enabled = false;
        settings.retry.max_attempts = 1;
        assert_eq!(names(&settings), "deadline circuit-breaker time-limit");
    }
}

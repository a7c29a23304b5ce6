use std::time::Duration;

use url::Url;

use super::{RetrySettings, SystemSettings, Timeouts};

/// What differs for one operation. Each field was checked together with the system's own values.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OperationSettings {
    /// Where the operation is, if not where the system is.
    pub base_url: Option<Url>,
    /// Silence allowed (see [`Timeouts::read`]).
    pub read: Option<Duration>,
    /// The whole of one attempt (see [`Timeouts::call`]).
    pub call: Option<Duration>,
    /// Retry of this operation; it changes nothing for an operation that is sent once. The budget stays the system's.
    pub retry: Option<RetrySettings>,
    /// Longest reply taken.
    pub max_reply_bytes: Option<usize>,
}

/// What holds for one call: the system's values with the operation's laid over them.
#[derive(Debug, Clone, Copy)]
pub struct CallPolicy {
    /// Time limits.
    pub timeouts: Timeouts,
    /// Retry.
    pub retry: RetrySettings,
    /// The longest that an attempt waits for its turn in the quota, before its own time begins.
    pub quota_wait: Duration,
    /// Longest reply taken.
    pub max_reply_bytes: usize,
}

impl SystemSettings {
    /// What holds for the operation with this id.
    #[inline]
    pub fn policy(&self, operation: &str) -> CallPolicy {
        let mut policy = CallPolicy {
            timeouts: self.timeouts,
            retry: self.retry,
            quota_wait: self.rate_limit.map_or(Duration::ZERO, |rate| rate.max_wait),
            max_reply_bytes: self.max_reply_bytes,
        };
        if let Some(own) = self.operations.get(operation) {
            policy.timeouts.read = own.read.unwrap_or(policy.timeouts.read);
            policy.timeouts.call = own.call.unwrap_or(policy.timeouts.call);
            policy.retry = own.retry.unwrap_or(policy.retry);
            policy.max_reply_bytes = own.max_reply_bytes.unwrap_or(policy.max_reply_bytes);
        }
        policy
    }
}

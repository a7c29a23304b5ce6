use std::collections::BTreeMap;
use std::time::Duration;

use url::Url;

use super::{
    BreakerSettings, BudgetSettings, BulkheadSettings, Counting, FallbackSettings, HeaderSettings, HealthSettings,
    LayerOrder, PoolSettings, Profile, RetrySettings, SystemSettings, Timeouts, TlsSettings,
};
use crate::breaker::{BreakerConfig, OpenWait, SlidingWindow};

/// Nothing a document describes is larger by default: 10 MiB.
const MAX_REPLY_BYTES: usize = 10 * 1024 * 1024;
/// Codes of a system that names no range of its own.
const CODE_BASE: u32 = 30_000;

impl SystemSettings {
    /// An external system over the internet: the profile used when none is named.
    pub fn external(base_url: Url) -> Self {
        let timeouts = Timeouts { connect: secs(5), read: secs(30), call: secs(36) };
        Self::from_parts(Profile::External, base_url, timeouts, 20)
    }

    /// A supplier whose answers are quick and whose trouble must not be waited for: short times, no waiting for a
    /// place, slow answers count.
    pub fn supplier(base_url: Url) -> Self {
        let timeouts = Timeouts { connect: millis(1000), read: millis(2000), call: millis(4000) };
        let mut settings = Self::from_parts(Profile::Supplier, base_url, timeouts, 25);
        settings.breaker.config.slow_call = millis(1500);
        settings.breaker.config.window = SlidingWindow::Calls(20);
        settings.breaker.config.open_wait = OpenWait::fixed(secs(10));
        settings.breaker.config.half_open_calls = 5;
        settings.bulkhead.max_wait = Duration::ZERO;
        settings.retry.max_attempts = 2;
        settings.retry.initial_wait = millis(200);
        settings
    }

    /// A service of one's own, in the same data centre.
    pub fn internal(base_url: Url) -> Self {
        let timeouts = Timeouts { connect: millis(500), read: millis(1000), call: millis(2500) };
        let mut settings = Self::from_parts(Profile::Internal, base_url, timeouts, 25);
        settings.bulkhead.max_wait = Duration::ZERO;
        settings.retry.max_attempts = 2;
        settings.retry.initial_wait = millis(200);
        settings
    }

    /// What all profiles share, derived from the times and the number of connections.
    fn from_parts(profile: Profile, base_url: Url, timeouts: Timeouts, max_connections: u32) -> Self {
        Self {
            profile,
            base_url,
            timeouts,
            breaker: BreakerSettings {
                enabled: true,
                config: BreakerConfig { slow_call: timeouts.read / 2, ..BreakerConfig::default() },
                counting: Counting::default(),
            },
            bulkhead: BulkheadSettings {
                enabled: true,
                max_concurrent: (max_connections * 4 / 5).max(1),
                max_wait: millis(100),
                adaptive: None,
            },
            rate_limit: None,
            retry: RetrySettings {
                max_attempts: 3,
                initial_wait: millis(500),
                multiplier: 2.0,
                max_wait: secs(2),
                max_total_wait: secs(5),
                budget: BudgetSettings { ratio: 0.2, floor_per_second: 10.0 },
                on_429: false,
                on_408: false,
            },
            order: LayerOrder::RetryOutside,
            pool: PoolSettings { max_idle: (max_connections as usize * 6).div_ceil(5), idle_timeout: secs(90) },
            tls: TlsSettings::default(),
            proxy: None,
            headers: HeaderSettings::default(),
            health: HealthSettings::default(),
            fallback: FallbackSettings::default(),
            max_reply_bytes: MAX_REPLY_BYTES,
            code_base: CODE_BASE,
            operations: BTreeMap::new(),
        }
    }
}

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

const fn millis(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_holds_the_rules() {
        let url = Url::parse("https://pay.example/").unwrap();
        for profile in [SystemSettings::external, SystemSettings::supplier, SystemSettings::internal] {
            let settings = profile(url.clone());
            let Timeouts { connect, read, call } = settings.timeouts;
            assert!(connect < read && read < call && call >= connect + read + secs(1), "{:?}", settings.timeouts);
            let slow = if settings.profile == Profile::Supplier { millis(1500) } else { read / 2 };
            assert_eq!(settings.breaker.config.slow_call, slow);
            assert_eq!(settings.breaker.config.faults(), []);
            assert!(settings.bulkhead.max_concurrent as usize <= settings.pool.max_idle);
            assert!(settings.retry.max_attempts <= 5 && settings.retry.multiplier > 1.0);
        }
    }
}

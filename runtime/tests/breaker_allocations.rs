//! A call through the breaker takes no memory from the allocator, permitted or refused.

use std::time::Duration;

use allocation_counter::measure;
use cofferdam_runtime::breaker::{BreakerConfig, CircuitBreaker, SlidingWindow};

const QUICK: Duration = Duration::from_millis(5);

#[test]
fn calls_and_refusals_do_not_allocate() {
    for window in [SlidingWindow::Calls(50), SlidingWindow::Seconds(60)] {
        let config = BreakerConfig { window, failure_rate_threshold: 100.0, ..BreakerConfig::default() };
        let breaker = CircuitBreaker::new("sber", config).unwrap();
        let calls = measure(|| {
            for call in 0..1000 {
                let permit = breaker.try_acquire().unwrap();
                match call % 4 {
                    0 => permit.failure(QUICK),
                    1 => permit.ignore(),
                    2 => drop(permit),
                    _ => permit.success(QUICK),
                }
            }
            breaker.metrics();
        });
        assert_eq!(calls.count_total, 0, "{window:?}");
        breaker.transition_to_open().unwrap();
        let refusals = measure(|| assert!((0..1000).all(|_| breaker.try_acquire().is_err())));
        assert_eq!(refusals.count_total, 0, "{window:?}");
    }
}

/// The measure itself must notice.
#[test]
fn a_change_of_state_that_allocates_is_noticed() {
    let breaker = CircuitBreaker::new("sber", BreakerConfig::default()).unwrap();
    assert!(measure(|| breaker.transition_to_closed()).count_total > 0);
}

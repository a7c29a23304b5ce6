//! Settings that differ each time they are loaded.

use fastrand::Rng;

/// The text of settings for a system at an address; now and then one that must be refused.
pub(super) fn text(system: &str, url: &str, rng: &mut Rng) -> (String, bool) {
    let is_bad = rng.u8(..20) == 0;
    let attempts = rng.u8(1..=super::ledger::MOST_ATTEMPTS);
    let attempts = if is_bad { 9 } else { attempts };
    let places = rng.u8(4..=24);
    let order = if rng.bool() { "retry-outside" } else { "breaker-outside" };
    let window = rng.u8(10..=40);
    let jitter = if rng.bool() { "0" } else { "0.5" };
    let adaptive = rng.bool();
    // Now and then a quota that is felt.
    let quota = if rng.u8(..10) == 0 { rng.u32(20..200) } else { rng.u32(5_000..10_000) };
    // Seldom, since each takes a new pool.
    let connect = if rng.u8(..40) == 0 { 250 } else { 200 };
    let text = format!(
        "
systems:
  {system}:
    base-url: {url}
    max-concurrent: 32
    order: {order}
    max-reply: 64 KiB
    timeouts: {{ connect: {connect}ms, read: 300ms, call: 1600ms, reason: a soak is short }}
    bulkhead: {{ max-concurrent-calls: {places}, max-wait-duration: 20ms, adaptive: {adaptive} }}
    rate-limit: {{ limit: {quota}, period: 100ms, max-wait: 5ms }}
    breaker:
      sliding-window-size: {window}
      minimum-number-of-calls: 10
      wait-duration-in-open-state: 40ms
      wait-jitter-in-open-state: {jitter}
      max-wait-duration-in-half-open-state: 500ms
    retry:
      max-attempts: {attempts}
      wait-duration: 2ms
      exponential-backoff-multiplier: 2
      on-429: true
      budget: {{ ratio: 0.5, floor-per-second: 200 }}
"
    );
    (text, is_bad)
}

//! The short form of the soak; the long one is a command: `cargo run --release -p cofferdam-tests --bin soak`.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

use cofferdam_tests::soak::{self, Plan};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_happens_nothing_is_written_twice_and_nothing_is_held() {
    let report = soak::run(Plan { calls: 24_000, callers: 32, seed: 7, allocated: None }).await.unwrap();
    assert!(report.violations.is_empty(), "{report}");
    // It was rough enough to mean something.
    assert_eq!(report.endings.values().sum::<u64>(), 24_000, "{report}");
    assert!(report.writes.0 > 500 && report.writes.1 > 500, "{report}");
    for ending in ["fine", "dropped by the caller", "the mapper panicked", "timed_out", "server_error", "closed"] {
        assert!(report.endings.contains_key(ending), "no call ended as {ending}: {report}");
    }
    assert!(report.transitions.contains_key("closed to open"), "{report}");
    assert!(report.transitions.contains_key("half_open to closed"), "{report}");
    assert!(report.faults.len() > 20, "{report}");
    assert!(report.reloads.0 > 3, "{report}");
}

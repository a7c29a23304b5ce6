//! Workers are killed while they work. The long form is a command:
//! `cargo run --release -p cofferdam-queue-tests --bin queue-load`.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

use std::time::Duration;

use cofferdam_queue_tests::database::Database;
use cofferdam_queue_tests::killing::{self, Plan};

fn plan() -> Plan {
    let worker = env!("CARGO_BIN_EXE_queue-worker").into();
    Plan { worker, workers: 3, tasks: 150, kills: 12, between: Duration::from_millis(500), rough: true }
}

async fn nothing_is_lost_and_nothing_sent_twice(database: &Database) {
    let plan = plan();
    let report = killing::run(&plan, database).await.unwrap();
    assert!(report.violations.is_empty(), "{report}");
    // It was rough enough to mean something.
    assert!(report.claimed_again > 5, "{report}");
    assert!(report.registrations.0 > report.registrations.1, "{report}");
    assert!(report.ends.get(&("once", "unconfirmed")).is_some_and(|tasks| *tasks > 5), "{report}");
    assert!(report.ends.get(&("once", "completed")).is_some_and(|tasks| *tasks > 50), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn r_res_re_5_killed_workers_lose_nothing_and_send_nothing_twice_in_sqlite() {
    nothing_is_lost_and_nothing_sent_twice(&Database::sqlite().unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r_res_re_5_killed_workers_lose_nothing_and_send_nothing_twice_in_postgresql() {
    if let Some(database) = Database::postgres().await.unwrap() {
        nothing_is_lost_and_nothing_sent_twice(&database).await;
    }
}

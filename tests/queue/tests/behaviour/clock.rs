//! Clocks that jump. Time is the database's; moving every moment that stands in the table is the same as moving its clock.
//!
//! No jump makes a write without a key go out twice, and none leaves a task behind.

use cofferdam_queue_tests::books::{REFUND, REGISTER};
use cofferdam_runtime::queue::TaskState;
use cofferdam_testing::{Fault, Step};

use super::stage::{Stage, Working, each, ms};

/// The clock jumps by so many milliseconds; negative: back.
async fn jump(stage: &Stage, by: i64) {
    let statement = format!(
        "UPDATE cofferdam_tasks SET next_attempt_at = next_attempt_at - ({by}), created_at = created_at - ({by}), \
         touched_at = touched_at - ({by}), lease_until = lease_until - ({by}), finished_at = finished_at - ({by})"
    );
    stage.database.execute(&statement).await.unwrap();
}

const DAY: i64 = 24 * 3600 * 1000;

#[tokio::test(flavor = "multi_thread")]
async fn waits_that_were_set_before_the_clock_was_set_back_are_over() {
    for stage in each().await {
        stage.gateway.server().refuse().await;
        let (order, refund) = (stage.order("A-1").await, stage.give_back("r-1").await);
        let working = stage.work();
        stage.until(order, |task| task.attempts > 0).await;
        stage.until(refund, |task| task.attempts > 0).await;
        working.stop().await;
        jump(&stage, -365 * DAY).await;
        stage.gateway.server().listen_again().await;
        let working = stage.work();
        for id in [order, refund] {
            assert_eq!(stage.end(id).await.state, TaskState::Completed);
        }
        assert_eq!((stage.gateway.count(REGISTER, "A-1"), stage.gateway.count(REFUND, "r-1")), (1, 1));
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_worker_is_found_though_its_lease_ends_a_year_from_now() {
    for stage in each().await {
        stage.gateway.behaves(|_| Fault::Hang.into());
        let (order, refund) = (stage.order("A-1").await, stage.give_back("r-1").await);
        let working = stage.work();
        stage.gateway.server().recorder().until_arrived(REFUND, 1).await.unwrap();
        stage.until_state(order, TaskState::Sending).await;
        working.kill().await;
        jump(&stage, -365 * DAY).await;
        stage.gateway.behaves(|_| Step::fine());
        let working = stage.work();
        assert_eq!(stage.end(order).await.state, TaskState::Completed);
        assert_eq!(stage.end(refund).await.state, TaskState::Unconfirmed);
        assert_eq!(stage.gateway.count(REFUND, "r-1"), 1);
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_only_thought_lost_has_the_last_word_and_nothing_is_sent_twice() {
    for stage in each().await {
        stage.gateway.behaves(|_| Fault::SlowFirstByte(ms(1500)).into());
        let refund = stage.give_back("r-1").await;
        // Two workers; the lease of the one that sends is over by the jump before it can be renewed.
        let working = Working::start(stage.shop.worker(&stage.queue).lease(ms(60_000)));
        stage.gateway.server().recorder().until_arrived(REFUND, 1).await.unwrap();
        stage.until_state(refund, TaskState::Sending).await;
        jump(&stage, DAY).await;
        let other = Working::start(stage.shop.worker(&stage.queue).lease(ms(60_000)));
        stage.until_state(refund, TaskState::Unconfirmed).await;
        // The answer comes after all.
        stage.until_state(refund, TaskState::Completed).await;
        assert_eq!(stage.gateway.count(REFUND, "r-1"), 1);
        working.stop().await;
        other.stop().await;
    }
}

//! A worker that stops ends what it has begun.

use std::time::Duration;

use cofferdam_queue_tests::books::{REFUND, REGISTER};
use cofferdam_runtime::queue::TaskState;
use cofferdam_testing::{Fault, Step};

use super::stage::{Working, each, ms};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_under_way_is_ended_and_nothing_more_is_taken() {
    for stage in each().await {
        stage.gateway.behaves(|_| Fault::SlowFirstByte(Duration::from_millis(500)).into());
        let under_way = stage.give_back("r-1").await;
        let working = stage.work();
        stage.gateway.server().recorder().until_arrived(REFUND, 1).await.unwrap();
        let (stopping, more) = (working.stop(), async {
            tokio::time::sleep(ms(50)).await;
            stage.order("A-1").await
        });
        let ((), more) = tokio::join!(stopping, more);
        assert_eq!(stage.task(under_way).await.state, TaskState::Completed);
        assert_eq!(stage.task(more).await.state, TaskState::Waiting);
        assert_eq!(stage.gateway.count(REGISTER, "A-1"), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r_res_re_x1_what_does_not_end_in_time_is_handed_on_or_unconfirmed() {
    for stage in each().await {
        stage.gateway.behaves(|_| Fault::Hang.into());
        let (order, refund) = (stage.order("A-1").await, stage.give_back("r-1").await);
        let working = Working::start(stage.shop.worker(&stage.queue).grace(ms(100)));
        stage.gateway.server().recorder().until_arrived(REFUND, 1).await.unwrap();
        stage.until_state(order, TaskState::Sending).await;
        working.stop().await;
        // Written down at once, without waiting for any lease.
        let handed_on = stage.task(order).await;
        assert_eq!((handed_on.state, handed_on.attempts), (TaskState::Waiting, 0), "{handed_on:?}");
        assert_eq!(stage.task(refund).await.state, TaskState::Unconfirmed);
        stage.gateway.behaves(|_| Step::fine());
        let working = stage.work();
        assert_eq!(stage.end(order).await.state, TaskState::Completed);
        assert_eq!(stage.gateway.count(REFUND, "r-1"), 1);
        working.stop().await;
    }
}

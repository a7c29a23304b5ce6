//! The queue respects the layers: what they keep away is postponed, and is no attempt.

use std::time::Duration;

use cofferdam_queue_tests::books::{REFUND, REGISTER};
use cofferdam_runtime::queue::TaskState;
use cofferdam_testing::{Fault, Step};
use tokio::time::sleep;

use super::stage::{Working, each, each_with, ms};

#[tokio::test(flavor = "multi_thread")]
async fn an_open_breaker_keeps_tasks_waiting_and_burns_no_attempt() {
    for stage in each().await {
        stage.shop.guard().breaker().transition_to_forced_open();
        let (order, refund) = (stage.order("A-1").await, stage.give_back("r-1").await);
        let working = stage.work();
        sleep(ms(400)).await;
        for id in [order, refund] {
            let task = stage.task(id).await;
            assert_eq!((task.state, task.attempts), (TaskState::Waiting, 0), "{task:?}");
        }
        stage.shop.guard().breaker().transition_to_closed();
        for id in [order, refund] {
            let task = stage.end(id).await;
            assert_eq!((task.state, task.attempts), (TaskState::Completed, 0), "{task:?}");
        }
        assert_eq!((stage.gateway.count(REGISTER, "A-1"), stage.gateway.count(REFUND, "r-1")), (1, 1));
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_breaker_that_opens_while_tasks_are_taken_postpones_them() {
    let breaker =
        "    breaker: { sliding-window-size: 10, minimum-number-of-calls: 10, wait-duration-in-open-state: 300ms }";
    for stage in each_with(breaker).await {
        stage.gateway.server().refuse().await;
        let mut ids = Vec::new();
        for number in 0..40 {
            ids.push(stage.give_back(&format!("r-{number}")).await);
        }
        let working = stage.work();
        stage.until(ids[0], |task| task.attempts > 0).await;
        sleep(ms(500)).await;
        stage.gateway.server().listen_again().await;
        for (number, id) in ids.into_iter().enumerate() {
            let task = stage.end(id).await;
            assert_eq!(task.state, TaskState::Completed, "{task:?}");
            assert_eq!(stage.gateway.count(REFUND, &format!("r-{number}")), 1);
            // Without the breaker each would have been tried some twenty times by now.
            assert!(task.attempts < 10, "{task:?}");
        }
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn full_places_and_a_spent_quota_postpone_too() {
    let tight =
        "    bulkhead: { max-concurrent-calls: 2, max-wait-duration: 0 }\n    rate-limit: { limit: 5, period: 200ms }";
    for stage in each_with(tight).await {
        stage.gateway.behaves(|_| Fault::SlowFirstByte(Duration::from_millis(30)).into());
        let mut ids = Vec::new();
        for number in 0..15 {
            ids.push(stage.give_back(&format!("r-{number}")).await);
        }
        let working = stage.work();
        for (number, id) in ids.into_iter().enumerate() {
            let task = stage.end(id).await;
            assert_eq!((task.state, task.attempts), (TaskState::Completed, 0), "{task:?}");
            assert_eq!(stage.gateway.count(REFUND, &format!("r-{number}")), 1);
        }
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_tasks_of_a_system_at_once_than_the_worker_was_given() {
    for stage in each().await {
        stage.gateway.behaves(|_| Fault::Hang.into());
        for number in 0..6 {
            stage.order(&format!("A-{number}")).await;
        }
        let shop = stage.shop.clone();
        let worker =
            cofferdam_runtime::queue::Worker::new(&stage.queue).system(stage.shop.guard(), 2).poll_every(ms(20));
        let register = move |order, _| shop.clone().register(order);
        let worker =
            worker.keyed(&cofferdam_queue_tests::shop::orders(), register, |_| cofferdam_runtime::queue::Finish::new());
        let working = Working::start(worker);
        stage.gateway.server().recorder().until_arrived(REGISTER, 2).await.unwrap();
        sleep(ms(200)).await;
        assert_eq!(stage.queue.tasks(TaskState::Sending, 9).await.unwrap().len(), 2);
        assert_eq!(stage.queue.tasks(TaskState::Waiting, 9).await.unwrap().len(), 4);
        stage.gateway.behaves(|_| Step::fine());
        for task in stage.queue.tasks(TaskState::Waiting, 9).await.unwrap() {
            stage.until_state(task.id, TaskState::Completed).await;
        }
        working.stop().await;
    }
}

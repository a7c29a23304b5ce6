//! How often what is sent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cofferdam_queue_tests::books::{REFUND, REGISTER};
use cofferdam_queue_tests::shop::{Order, Return, orders, policy, returns};
use cofferdam_runtime::IdempotencyKey;
use cofferdam_runtime::queue::{Finish, TaskError, TaskState, Worker};
use cofferdam_testing::{Answer, Fault, Step};
use serde_json::json;

use super::stage::{Stage, Working, each, ms};

/// The gateway answers the first arrivals so, and the rest well.
fn first(stage: &Stage, times: u32, step: impl Into<Step>) {
    let (count, step) = (AtomicU32::new(0), step.into());
    stage.gateway.behaves(
        move |_| {
            if count.fetch_add(1, Ordering::Relaxed) < times { step.clone() } else { Step::fine() }
        },
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn r_res_re_5_a_keyed_write_is_repeated_with_its_key_until_it_is_done() {
    for stage in each().await {
        // Two attempts a call: three calls fail, the fourth is fine.
        first(&stage, 6, Answer::status(503));
        let id = stage.order("A-1").await;
        let working = stage.work();
        let task = stage.end(id).await;
        assert_eq!((task.state, task.attempts, task.may_have_arrived), (TaskState::Completed, 3, true));
        assert_eq!(task.result.as_deref(), Some("\"g-A-1\""));
        assert_eq!(stage.gateway.arrivals(REGISTER), [("A-1".to_owned(), 7)].into());
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r_res_re_x1_a_write_without_a_key_that_may_have_arrived_is_sent_once_and_is_unconfirmed() {
    for stage in each().await {
        let ways: [(&str, Step); 5] = [
            ("r-500", Answer::status(500).into()),
            ("r-close", Fault::Close.into()),
            ("r-reset", Fault::Reset.into()),
            ("r-hang", Fault::Hang.into()),
            // The gateway failed on its side, as its reply says.
            ("r-7", Answer::json(&json!({ "errorCode": "7" })).into()),
        ];
        stage.gateway.behaves({
            let ways = ways.clone();
            move |arrival| {
                let order = arrival.form_field("orderId");
                let way = ways.iter().find(|(name, _)| order.as_deref() == Some(name));
                way.map_or_else(Step::fine, |(_, step)| step.clone())
            }
        });
        let working = stage.work();
        for (order, _) in ways {
            let id = stage.give_back(order).await;
            let task = stage.end(id).await;
            assert_eq!((task.state, task.may_have_arrived), (TaskState::Unconfirmed, true), "{order}: {task:?}");
        }
        // Something that is done later shows that the worker has been by again.
        let later = stage.order("A-1").await;
        stage.until_state(later, TaskState::Completed).await;
        for order in ["r-500", "r-close", "r-reset", "r-hang", "r-7"] {
            assert_eq!(stage.gateway.count(REFUND, order), 1, "{order}");
        }
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_without_a_key_that_surely_never_left_is_tried_again() {
    for stage in each().await {
        stage.gateway.server().refuse().await;
        let id = stage.give_back("r-1").await;
        let working = stage.work();
        let task = stage.until(id, |task| task.attempts >= 2).await;
        assert!(!task.may_have_arrived, "{task:?}");
        stage.gateway.server().listen_again().await;
        assert_eq!(stage.end(id).await.state, TaskState::Completed);
        assert_eq!(stage.gateway.count(REFUND, "r-1"), 1);
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_is_a_no() {
    for stage in each().await {
        stage.gateway.behaves(|_| Answer::json(&json!({ "errorCode": "5" })).into());
        let (order, refund) = (stage.order("A-1").await, stage.give_back("r-1").await);
        let working = stage.work();
        for id in [order, refund] {
            let task = stage.end(id).await;
            assert_eq!((task.state, task.attempts), (TaskState::Failed, 1), "{task:?}");
            assert!(task.error_code.is_some_and(|code| code > 0), "{task:?}");
        }
        assert_eq!((stage.gateway.count(REGISTER, "A-1"), stage.gateway.count(REFUND, "r-1")), (1, 1));
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r_res_re_x1_a_worker_that_is_lost_while_it_sends_leaves_what_is_never_sent_again() {
    for stage in each().await {
        stage.gateway.behaves(|_| Fault::Hang.into());
        let (order, refund) = (stage.order("A-1").await, stage.give_back("r-1").await);
        let working = stage.work();
        stage.gateway.server().recorder().until_arrived(REFUND, 1).await.unwrap();
        stage.until_state(order, TaskState::Sending).await;
        working.kill().await;
        stage.gateway.behaves(|_| Step::fine());
        // Others find what it left, when its lease has ended.
        let (one, two) = (stage.work(), stage.work());
        let task = stage.end(refund).await;
        assert_eq!((task.state, task.may_have_arrived), (TaskState::Unconfirmed, true));
        assert_eq!(task.last_error.as_deref(), Some("the worker was lost while it was sending"));
        // What has a key is simply sent again.
        assert_eq!(stage.end(order).await.state, TaskState::Completed);
        assert_eq!(stage.gateway.count(REFUND, "r-1"), 1);
        one.stop().await;
        two.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_lost_before_it_sends_leaves_what_may_be_sent() {
    for stage in each().await {
        let refund = stage.give_back("r-1").await;
        // As a worker leaves it that took it and ended before it began.
        let lost = "UPDATE cofferdam_tasks SET state = 'claimed', worker = 'gone', lease = 1, lease_until = 1";
        stage.database.execute(lost).await.unwrap();
        let working = stage.work();
        assert_eq!(stage.end(refund).await.state, TaskState::Completed);
        assert_eq!(stage.gateway.count(REFUND, "r-1"), 1);
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_ends_every_worker_is_given_up() {
    for stage in each().await {
        stage.gateway.behaves(|_| Fault::Hang.into());
        let order = stage.order("A-1").await;
        // Each worker is lost while it sends the order.
        for losses in 0..3 {
            let working = Working::start(stage.shop.worker(&stage.queue).most_losses(3).lease(ms(300)));
            let sending = format!("SELECT COUNT(*) FROM cofferdam_tasks WHERE state = 'sending' AND losses = {losses}");
            while stage.database.number(&sending).await.unwrap() == 0 {
                tokio::time::sleep(ms(10)).await;
            }
            working.kill().await;
        }
        let working = Working::start(stage.shop.worker(&stage.queue).most_losses(3).lease(ms(300)));
        let task = stage.end(order).await;
        assert_eq!((task.state, task.may_have_arrived), (TaskState::Failed, true));
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guard_lets_no_call_through_that_the_task_does_not_allow() {
    for stage in each().await {
        // The key of the task is not the one that the command carries; and the command carries none.
        for (number, key) in [("A-1", "other"), ("", "A-2")] {
            let order = Order { number: number.to_owned(), amount: 100 };
            stage.queue.enqueue(&orders().keyed(&order, &IdempotencyKey::from(key)).unwrap()).await.unwrap();
        }
        let working = stage.work();
        for task in stage.queue.tasks(TaskState::Waiting, 9).await.unwrap() {
            let task = stage.end(task.id).await;
            assert_eq!(task.state, TaskState::Failed, "{task:?}");
            assert!(task.last_error.unwrap().contains("idempotency key"));
        }
        assert!(stage.gateway.arrivals(REGISTER).is_empty());
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r_res_re_x1_a_handler_that_calls_twice_sends_once() {
    for stage in each().await {
        stage.gateway.behaves(|_| Answer::status(500).into());
        let shop = stage.shop.clone();
        let twice = move |command: Return| {
            let shop = shop.clone();
            async move {
                let first: Result<(), TaskError> = shop.clone().give_back(command.clone()).await;
                if first.is_ok() { first } else { shop.give_back(command).await }
            }
        };
        let worker = Worker::new(&stage.queue).system(stage.shop.guard(), 4).poll_every(ms(30));
        let working = Working::start(worker.once(&returns(), twice, |()| Finish::new()));
        let id = stage.give_back("r-1").await;
        stage.end(id).await;
        assert_eq!(stage.gateway.count(REFUND, "r-1"), 1);
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_panics_ends_its_attempt_and_not_the_worker() {
    for stage in each().await {
        let panics = Arc::new(AtomicU32::new(0));
        let (shop, counted) = (stage.shop.clone(), Arc::clone(&panics));
        let register = move |order: Order, _| {
            let (shop, counted) = (shop.clone(), Arc::clone(&counted));
            async move {
                assert!(counted.fetch_add(1, Ordering::Relaxed) >= 2, "not yet");
                shop.register(order).await
            }
        };
        let give_back = |_: Return| async { if true { panic!("never") } else { Ok::<(), TaskError>(()) } };
        let worker = Worker::new(&stage.queue).system(stage.shop.guard(), 4).poll_every(ms(30));
        let worker =
            worker.keyed(&orders(), register, |_| Finish::new()).once(&returns(), give_back, |()| Finish::new());
        let working = Working::start(worker);
        let (order, refund) = (stage.order("A-1").await, stage.give_back("r-1").await);
        let task = stage.end(order).await;
        assert_eq!((task.state, task.attempts), (TaskState::Completed, 2));
        // Nobody knows how far it got.
        assert_eq!(stage.end(refund).await.state, TaskState::Unconfirmed);
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_never_ends_is_cut_off() {
    for stage in each().await {
        let limited = policy().run_limit(ms(150)).attempts(2);
        let (orders, returns) = (orders().policy(limited), returns().policy(limited));
        let worker = Worker::new(&stage.queue).system(stage.shop.guard(), 4).poll_every(ms(30));
        let worker = worker
            .keyed(&orders, |_, _| std::future::pending::<Result<(), TaskError>>(), |()| Finish::new())
            .once(&returns, |_| std::future::pending::<Result<(), TaskError>>(), |()| Finish::new());
        let working = Working::start(worker);
        let (order, refund) = (stage.order("A-1").await, stage.give_back("r-1").await);
        let task = stage.end(order).await;
        assert_eq!((task.state, task.attempts, task.may_have_arrived), (TaskState::Failed, 2, true));
        assert_eq!(stage.end(refund).await.state, TaskState::Unconfirmed);
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r_res_re_x1_an_operation_that_has_lost_its_key_is_sent_once_from_then_on() {
    for stage in each().await {
        // Put there when the operation had a key.
        let id = stage.give_back("r-1").await;
        let keyed = "UPDATE cofferdam_tasks SET kind = 'keyed', idempotency_key = 'old'";
        stage.database.execute(keyed).await.unwrap();
        stage.gateway.behaves(|_| Answer::status(500).into());
        let working = stage.work();
        assert_eq!(stage.end(id).await.state, TaskState::Unconfirmed);
        assert_eq!(stage.gateway.count(REFUND, "r-1"), 1);
        working.stop().await;
    }
}

//! What operators see and do.

use std::time::Duration;

use cofferdam_queue_tests::books::{REFUND, REGISTER};
use cofferdam_queue_tests::database::open;
use cofferdam_queue_tests::shop::{orders, policy};
use cofferdam_runtime::queue::{Finish, Policy, Queue, QueueError, TaskState, Worker};
use cofferdam_testing::{Answer, Step};
use metrics_exporter_prometheus::PrometheusBuilder;

use super::stage::{Working, each, ms};

// One thread: it is its own recorder that counts.
#[tokio::test]
async fn r_res_re_5_after_so_many_failures_a_task_has_failed_which_is_told_and_counted() {
    for stage in each().await {
        let recorder = PrometheusBuilder::new().build_recorder();
        let _recording = metrics::set_default_local_recorder(&recorder);
        let mut events = stage.queue.subscribe();
        stage.gateway.behaves(|_| Answer::status(503).into());
        let orders = orders().policy(policy().attempts(3));
        let shop = stage.shop.clone();
        let worker = Worker::new(&stage.queue).system(stage.shop.guard(), 4).poll_every(ms(20));
        let worker = worker.keyed(&orders, move |order, _| shop.clone().register(order), |_| Finish::new());
        let id = stage.order("A-1").await;
        let working = Working::start(worker);
        let ended = events.recv().await.unwrap();
        assert_eq!((ended.id, ended.state), (id, TaskState::Failed));
        assert!(ended.reason.unwrap().contains("503"));
        working.stop().await;
        let shown = recorder.handle().render();
        for series in [
            "cofferdam_queue_tasks_total{name=\"sber\",kind=\"failed\"} 1",
            "cofferdam_queue_waits_total{name=\"sber\",kind=\"retried\"} 2",
            "cofferdam_queue_tasks_total{name=\"sber\",kind=\"unconfirmed\"} 0",
        ] {
            assert!(shown.contains(series), "{series} is not in {shown}");
        }
        let task = stage.task(id).await;
        assert_eq!((task.state, task.attempts), (TaskState::Failed, 3));
        assert_eq!(stage.gateway.count(REGISTER, "A-1"), 6);

        // An operator puts it back, and it is done.
        stage.gateway.behaves(|_| Step::fine());
        assert!(stage.queue.requeue(id).await.unwrap());
        assert!(!stage.queue.requeue(id).await.unwrap(), "it is no longer failed");
        let working = stage.work();
        let task = stage.end(id).await;
        assert_eq!((task.state, task.attempts), (TaskState::Completed, 0));
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_unconfirmed_is_decided_by_a_person() {
    for stage in each().await {
        stage.gateway.behaves(|_| Answer::status(500).into());
        let (one, two) = (stage.give_back("r-1").await, stage.give_back("r-2").await);
        let working = stage.work();
        for id in [one, two] {
            assert_eq!(stage.end(id).await.state, TaskState::Unconfirmed);
            assert!(!stage.queue.requeue(id).await.unwrap(), "putting back is for what failed");
        }
        stage.gateway.behaves(|_| Step::fine());
        assert!(stage.queue.confirm_arrived(one).await.unwrap());
        assert!(!stage.queue.confirm_never_arrived(one).await.unwrap());
        assert!(stage.queue.confirm_never_arrived(two).await.unwrap());
        for id in [one, two] {
            stage.until_state(id, TaskState::Completed).await;
        }
        assert_eq!((stage.gateway.count(REFUND, "r-1"), stage.gateway.count(REFUND, "r-2")), (1, 2));
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn old_tasks_are_removed_and_only_those_that_ended() {
    for stage in each().await {
        let done = stage.order("A-1").await;
        let working = stage.work();
        stage.end(done).await;
        working.stop().await;
        let waits = stage.order("A-2").await;
        assert_eq!(stage.queue.clean(TaskState::Completed, Duration::from_secs(60)).await.unwrap(), 0);
        assert!(matches!(stage.queue.clean(TaskState::Waiting, ms(0)).await, Err(QueueError::Settings(_))));
        stage
            .database
            .execute("UPDATE cofferdam_tasks SET finished_at = 1 WHERE finished_at IS NOT NULL")
            .await
            .unwrap();
        // A worker does it by itself.
        let working = stage.work();
        stage.end(waits).await;
        let began = std::time::Instant::now();
        while stage.queue.task(done).await.unwrap().is_some() {
            assert!(began.elapsed() < Duration::from_secs(20));
            tokio::time::sleep(ms(20)).await;
        }
        assert!(stage.queue.task(waits).await.unwrap().is_some());
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_made_once_by_however_many_and_those_of_a_later_version_are_left_alone() {
    for stage in each().await {
        stage.order("A-1").await;
        let mut opening = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let url = stage.database.url.clone();
            opening.spawn(async move { open(&url).await.map(|_| ()).map_err(|error| error.to_string()) });
        }
        assert_eq!(opening.join_all().await, vec![Ok(()); 8]);
        assert_eq!(stage.queue.counts().await.unwrap()[0].tasks, 1);
        stage.database.execute("INSERT INTO cofferdam_queue_versions VALUES (99, '9.9.9')").await.unwrap();
        let error = stage.database.queue().await.unwrap_err();
        assert!(error.to_string().contains("version 99"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_forgets_what_it_confirmed_is_no_place_for_a_queue() {
    for stage in each().await {
        let forgetful = match stage.database.url.strip_prefix("sqlite:") {
            Some(path) => {
                let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
                let options = options.synchronous(sqlx::sqlite::SqliteSynchronous::Normal);
                Queue::sqlite(sqlx::SqlitePool::connect_with(options).await.unwrap()).await.unwrap()
            }
            None => {
                let name = stage.database.url.split(['/', '?']).nth(3).unwrap();
                let forget = format!("ALTER DATABASE {name} SET synchronous_commit = off");
                stage.database.execute(&forget).await.unwrap();
                stage.database.queue().await.unwrap()
            }
        };
        let error = stage.shop.worker(&forgetful).run(std::future::pending()).await.unwrap_err();
        assert!(matches!(error, QueueError::NotDurable(_)), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_cannot_work_says_so_before_it_begins() {
    let stage = each().await.remove(0);
    let (queue, shop) = (&stage.queue, &stage.shop);
    let keyed = |worker: Worker| {
        let shop = shop.clone();
        worker.keyed(&orders(), move |order, _| shop.clone().register(order), |_| Finish::new())
    };
    let bad = [
        keyed(Worker::new(queue)),
        keyed(keyed(Worker::new(queue).system(shop.guard(), 1))),
        Worker::new(queue).system(shop.guard(), 0),
        Worker::new(queue).system(shop.guard(), 1).system(shop.guard(), 1),
        Worker::new(queue).lease(ms(1)),
        Worker::new(queue).keep(TaskState::Sending, Some(ms(1))),
        {
            let (shop, orders) = (shop.clone(), orders().policy(Policy::default().attempts(0)));
            let worker = Worker::new(queue).system(shop.guard(), 1);
            worker.keyed(&orders, move |order, _| shop.clone().register(order), |_| Finish::new())
        },
    ];
    for worker in bad {
        let shown = format!("{worker:?}");
        let error = worker.run(std::future::pending()).await.unwrap_err();
        assert!(matches!(error, QueueError::Settings(_)), "{shown}: {error}");
    }
}

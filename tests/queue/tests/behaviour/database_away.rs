//! The database goes away while tasks are sent, and comes back.

use std::time::Duration;

use cofferdam_queue_tests::books::{Gateway, REFUND, REGISTER};
use cofferdam_queue_tests::database::Database;
use cofferdam_queue_tests::shop::Shop;
use cofferdam_runtime::queue::TaskState;
use cofferdam_testing::{Fault, Step};
use tokio::time::sleep;

use super::stage::{Stage, Working, ms};

fn put_together(database: Database, queue: cofferdam_runtime::queue::Queue) -> Stage {
    let gateway = Gateway::start().unwrap();
    let shop = Shop::at(&gateway.server().url(), "").unwrap();
    Stage { database, gateway, shop, queue }
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_crashes_while_tasks_are_sent_and_how_they_ended_is_written_down_later() {
    let Some(database) = Database::postgres().await.unwrap() else { return };
    let queue = database.queue().await.unwrap();
    let mut stage = put_together(database, queue);
    stage.gateway.behaves(|_| Fault::SlowFirstByte(Duration::from_millis(600)).into());
    let (order, refund) = (stage.order("A-1").await, stage.give_back("r-1").await);
    let working = Working::start(stage.shop.worker(&stage.queue).lease(Duration::from_secs(60)));
    stage.gateway.server().recorder().until_arrived(REFUND, 1).await.unwrap();
    stage.until_state(order, TaskState::Sending).await;
    let server = stage.database.server.as_mut().unwrap();
    server.crash().unwrap();
    // Both are answered while there is nowhere to write it down.
    sleep(ms(1200)).await;
    server.go_on().await.unwrap();
    for id in [order, refund] {
        assert_eq!(stage.end(id).await.state, TaskState::Completed);
    }
    stage.gateway.behaves(|_| Step::fine());
    // And the worker goes on.
    let next = stage.give_back("r-2").await;
    assert_eq!(stage.end(next).await.state, TaskState::Completed);
    assert_eq!(stage.gateway.count(REGISTER, "A-1"), 1);
    assert_eq!((stage.gateway.count(REFUND, "r-1"), stage.gateway.count(REFUND, "r-2")), (1, 1));
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_crashes_again_and_again_under_load() {
    let Some(database) = Database::postgres().await.unwrap() else { return };
    let queue = database.queue().await.unwrap();
    let mut stage = put_together(database, queue);
    stage.gateway.behaves(|_| Fault::SlowFirstByte(Duration::from_millis(fastrand::u64(..60))).into());
    for number in 0..150 {
        stage.order(&format!("A-{number}")).await;
        stage.give_back(&format!("r-{number}")).await;
    }
    let working = [stage.work(), stage.work()];
    for _ in 0..3 {
        sleep(ms(300)).await;
        let server = stage.database.server.as_mut().unwrap();
        server.crash().unwrap();
        server.go_on().await.unwrap();
    }
    cofferdam_queue_tests::killing::settle(&stage.queue).await.unwrap();
    let refunds = stage.gateway.arrivals(REFUND);
    assert!(refunds.values().all(|arrived| *arrived == 1), "{refunds:?}");
    let completed = stage.queue.tasks(TaskState::Completed, 999).await.unwrap().len();
    let unconfirmed = stage.queue.tasks(TaskState::Unconfirmed, 999).await.unwrap().len();
    assert_eq!(completed + unconfirmed, 300);
    assert_eq!(stage.gateway.arrivals(REGISTER).len(), 150);
    assert!(refunds.len() + unconfirmed >= 150, "what is completed has arrived");
    for working in working {
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_that_another_writer_keeps_for_itself_is_waited_for() {
    let database = Database::sqlite().unwrap();
    let queue = database.queue().await.unwrap();
    let stage = put_together(database, queue);
    stage.gateway.behaves(|_| Fault::SlowFirstByte(Duration::from_millis(300)).into());
    let refund = stage.give_back("r-1").await;
    let working = stage.work();
    stage.gateway.server().recorder().until_arrived(REFUND, 1).await.unwrap();
    let path = stage.database.url.strip_prefix("sqlite:").unwrap();
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
    let mut greedy = sqlx::ConnectOptions::connect(&options).await.unwrap();
    sqlx::query("BEGIN EXCLUSIVE").execute(&mut greedy).await.unwrap();
    // Longer than the lease, and longer than the queue's patience with other writers (10 s).
    sleep(Duration::from_secs(11)).await;
    sqlx::query("COMMIT").execute(&mut greedy).await.unwrap();
    let task = stage.until_state(refund, TaskState::Completed).await;
    assert_eq!(stage.gateway.count(REFUND, "r-1"), 1, "{task:?}");
    working.stop().await;
}

//! Many workers, one queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cofferdam_queue_tests::database::{Database, open};
use cofferdam_queue_tests::shop::{Order, Shop, orders};
use cofferdam_runtime::IdempotencyKey;
use cofferdam_runtime::queue::{Finish, TaskError, Worker};

use super::stage::{Working, ms};

const TASKS: u32 = 10_000;

/// All tasks in one transaction.
async fn put_all(database: &Database) {
    let tasks = (0..TASKS).map(|number| {
        let order = Order { number: format!("A-{number}"), amount: 100 };
        orders().keyed(&order, &IdempotencyKey::new(order.number.clone())).unwrap()
    });
    match database.url.strip_prefix("sqlite:") {
        Some(path) => {
            let pool = sqlx::SqlitePool::connect(&format!("sqlite://{path}")).await.unwrap();
            let mut transaction = pool.begin().await.unwrap();
            for task in tasks {
                task.enqueue(&mut *transaction).await.unwrap();
            }
            transaction.commit().await.unwrap();
        }
        None => {
            let pool = sqlx::PgPool::connect(&database.url).await.unwrap();
            let mut transaction = pool.begin().await.unwrap();
            for task in tasks {
                task.enqueue(&mut *transaction).await.unwrap();
            }
            transaction.commit().await.unwrap();
        }
    }
}

/// Four workers with pools of their own, whose handlers only count: what is measured is the queue.
async fn share(database: &Database) {
    let queue = database.queue().await.unwrap();
    put_all(database).await;
    let counts: Vec<_> = (0..4).map(|_| Arc::new(AtomicU64::new(0))).collect();
    let began = Instant::now();
    let mut working = Vec::new();
    for count in &counts {
        let shop = Shop::at("http://127.0.0.1:9", "").unwrap();
        let queue = open(&database.url).await.unwrap();
        let count = Arc::clone(count);
        let register = move |_: Order, _| {
            count.fetch_add(1, Ordering::Relaxed);
            std::future::ready(Ok::<(), TaskError>(()))
        };
        let worker = Worker::new(&queue).system(shop.guard(), 32).poll_every(ms(50)).lease(Duration::from_secs(60));
        working.push(Working::start(worker.keyed(&orders(), register, |()| Finish::new())));
    }
    cofferdam_queue_tests::killing::settle(&queue).await.unwrap();
    let took = began.elapsed();
    for working in working {
        working.stop().await;
    }
    let done: Vec<_> = counts.iter().map(|count| count.load(Ordering::Relaxed)).collect();
    let rate = f64::from(TASKS) / took.as_secs_f64();
    println!("{TASKS} tasks, 4 workers: {rate:.0} a second, {:.0} a worker; shares {done:?}", rate / 4.0);
    assert_eq!(done.iter().sum::<u64>(), u64::from(TASKS), "each task once");
    assert_eq!(database.number("SELECT COUNT(*) FROM cofferdam_tasks WHERE lease <> 1").await.unwrap(), 0);
    assert!(done.iter().all(|done| *done > 0), "{done:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn four_workers_share_ten_thousand_tasks_in_postgresql_and_claim_none_twice() {
    if let Some(database) = Database::postgres().await.unwrap() {
        share(&database).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn four_workers_share_ten_thousand_tasks_in_sqlite_and_claim_none_twice() {
    share(&Database::sqlite().unwrap()).await;
}

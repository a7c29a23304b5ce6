//! Into the queue: in the caller's transaction, once a key.

use cofferdam_example_committed::integrations::sber::generated::operations::RegisterOrder;
use cofferdam_queue_tests::books::REGISTER;
use cofferdam_queue_tests::shop::{Order, Return, orders, returns};
use cofferdam_runtime::IdempotencyKey;
use cofferdam_runtime::queue::{Job, NewTask, QueueError, TaskState};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::stage::{Working, each, ms};

fn order(number: &str, amount: i64) -> NewTask {
    orders().keyed(&Order { number: number.to_owned(), amount }, &IdempotencyKey::from(number)).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_there_if_and_only_if_the_callers_transaction_is_committed() {
    for stage in each().await {
        stage.database.execute("CREATE TABLE shop_orders (number TEXT NOT NULL)").await.unwrap();
        for commits in [false, true] {
            let url = &stage.database.url;
            let insert = "INSERT INTO shop_orders VALUES ('A-1')";
            if let Some(path) = url.strip_prefix("sqlite:") {
                let pool = sqlx::SqlitePool::connect(&format!("sqlite://{path}")).await.unwrap();
                let mut transaction = pool.begin().await.unwrap();
                sqlx::query(insert).execute(&mut *transaction).await.unwrap();
                assert!(order("A-1", 100).enqueue(&mut *transaction).await.unwrap().is_new);
                if commits {
                    transaction.commit().await.unwrap();
                } else {
                    transaction.rollback().await.unwrap();
                }
            } else {
                let pool = sqlx::PgPool::connect(url).await.unwrap();
                let mut transaction = pool.begin().await.unwrap();
                sqlx::query(insert).execute(&mut *transaction).await.unwrap();
                assert!(order("A-1", 100).enqueue(&mut *transaction).await.unwrap().is_new);
                if commits {
                    transaction.commit().await.unwrap();
                } else {
                    transaction.rollback().await.unwrap();
                }
            }
            let expected = i64::from(commits);
            assert_eq!(stage.database.number("SELECT COUNT(*) FROM shop_orders").await.unwrap(), expected);
            assert_eq!(stage.queue.tasks(TaskState::Waiting, 9).await.unwrap().len() as i64, expected, "{url}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_one_task_however_many_put_it_there_at_once() {
    for stage in each().await {
        let mut putting = tokio::task::JoinSet::new();
        for _ in 0..20 {
            let queue = stage.queue.clone();
            putting.spawn(async move { queue.enqueue(&order("A-1", 100)).await.unwrap() });
        }
        let all = putting.join_all().await;
        assert_eq!(all.iter().filter(|enqueued| enqueued.is_new).count(), 1);
        assert!(all.iter().all(|enqueued| enqueued.id == all[0].id));
        // Another command under the same key is a mistake, and is told.
        let error = stage.queue.enqueue(&order("A-1", 200)).await.unwrap_err();
        assert!(matches!(error, QueueError::KeyTaken(id) if id == all[0].id), "{error}");
        assert_eq!(stage.queue.tasks(TaskState::Waiting, 9).await.unwrap().len(), 1);
        // A key that is done stays known.
        let working = stage.work();
        stage.end(all[0].id).await;
        assert!(!stage.queue.enqueue(&order("A-1", 100)).await.unwrap().is_new);
        assert_eq!(stage.gateway.count(REGISTER, "A-1"), 1);
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_no_key_can_have_a_name_that_nobody_else_sees() {
    for stage in each().await {
        let refund = returns().once(&Return { order: "g-1".to_owned(), amount: 100 }).unwrap();
        let (first, second) = (refund.clone().named("return 1"), refund.clone().named("return 1"));
        assert!(stage.queue.enqueue(&first).await.unwrap().is_new);
        assert!(!stage.queue.enqueue(&second).await.unwrap().is_new);
        // Without a name each is its own.
        assert!(stage.queue.enqueue(&refund).await.unwrap().is_new);
        assert!(stage.queue.enqueue(&refund).await.unwrap().is_new);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_not_done_before_it_is_due() {
    for stage in each().await {
        let task = order("A-1", 100).due_in(ms(700));
        let put = std::time::Instant::now();
        let id = stage.queue.enqueue(&task).await.unwrap().id;
        let working = stage.work();
        stage.end(id).await;
        // Never earlier; how much later is the machine's affair.
        assert!(put.elapsed() >= ms(650), "{:?}", put.elapsed());
        working.stop().await;
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct OrderInCents {
    number: String,
    cents: i64,
}

fn second_version() -> Job<RegisterOrder, OrderInCents> {
    Job::new(RegisterOrder).policy(cofferdam_queue_tests::shop::policy()).version(2, |version, earlier| match version {
        1 => Ok(json!({ "number": earlier["number"], "cents": earlier["amount"] })),
        _ => Err(format!("version {version} is not known")),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_version_is_turned_into_the_present_one_and_a_later_one_waits() {
    for stage in each().await {
        let first = stage.order("A-1").await;
        let command = OrderInCents { number: "A-2".to_owned(), cents: 250 };
        let task = second_version().keyed(&command, &IdempotencyKey::from("A-2")).unwrap();
        let second = stage.queue.enqueue(&task).await.unwrap().id;
        // A worker of the first version does not touch what it cannot read.
        let working = stage.work();
        stage.until_state(first, TaskState::Completed).await;
        let third = stage.order("A-3").await;
        stage.until_state(third, TaskState::Completed).await;
        assert_eq!(stage.task(second).await.state, TaskState::Waiting);
        working.stop().await;
        // One of the second reads both.
        let fourth = stage.order("A-4").await;
        let shop = stage.shop.clone();
        let register =
            move |order: OrderInCents, _| shop.clone().register(Order { number: order.number, amount: order.cents });
        let worker = cofferdam_runtime::queue::Worker::new(&stage.queue).system(stage.shop.guard(), 4);
        let worker = worker.keyed(&second_version(), register, |_| cofferdam_runtime::queue::Finish::new());
        let working = Working::start(worker.poll_every(ms(30)));
        for id in [second, fourth] {
            stage.until_state(id, TaskState::Completed).await;
        }
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_cannot_be_read_has_failed_and_nothing_was_sent() {
    for stage in each().await {
        let id = stage.order("A-1").await;
        stage.database.execute("UPDATE cofferdam_tasks SET payload = '{\"number\": 7}'").await.unwrap();
        let other = stage.order("A-2").await;
        stage
            .database
            .execute("UPDATE cofferdam_tasks SET payload_version = 0 WHERE idempotency_key = 'A-2'")
            .await
            .unwrap();
        let working = stage.work();
        let task = stage.end(id).await;
        assert_eq!(task.state, TaskState::Failed);
        assert!(task.last_error.unwrap().contains("the command cannot be read"));
        let task = stage.end(other).await;
        assert_eq!(task.state, TaskState::Failed);
        assert!(task.last_error.unwrap().contains("version 0"));
        assert!(stage.gateway.arrivals(REGISTER).is_empty());
        working.stop().await;
    }
}

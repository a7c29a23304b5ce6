//! A database, a gateway, a shop, and a worker that runs beside the test.

use std::time::Duration;

use cofferdam_queue_tests::books::Gateway;
use cofferdam_queue_tests::database::Database;
use cofferdam_queue_tests::shop::{Order, Return, Shop, orders, returns};
use cofferdam_runtime::IdempotencyKey;
use cofferdam_runtime::queue::{Queue, Task, TaskId, TaskState, Worker};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

/// How long anything may take here.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(crate) struct Stage {
    pub(crate) database: Database,
    pub(crate) gateway: Gateway,
    pub(crate) shop: Shop,
    pub(crate) queue: Queue,
}

/// One for each database.
pub(crate) async fn each() -> Vec<Stage> {
    each_with("").await
}

/// One for each database, with further settings of the system.
pub(crate) async fn each_with(settings: &str) -> Vec<Stage> {
    let mut stages = Vec::new();
    for database in Database::each().await.unwrap() {
        let gateway = Gateway::start().unwrap();
        let shop = Shop::at(&gateway.server().url(), settings).unwrap();
        let queue = database.queue().await.unwrap();
        stages.push(Stage { database, gateway, shop, queue });
    }
    stages
}

impl Stage {
    pub(crate) async fn order(&self, number: &str) -> TaskId {
        let order = Order { number: number.to_owned(), amount: 100 };
        let task = orders().keyed(&order, &IdempotencyKey::from(number)).unwrap();
        self.queue.enqueue(&task).await.unwrap().id
    }

    pub(crate) async fn give_back(&self, order: &str) -> TaskId {
        let task = returns().once(&Return { order: order.to_owned(), amount: 100 }).unwrap();
        self.queue.enqueue(&task).await.unwrap().id
    }

    pub(crate) fn work(&self) -> Working {
        Working::start(self.shop.worker(&self.queue))
    }

    pub(crate) async fn task(&self, id: TaskId) -> Task {
        self.queue.task(id).await.unwrap().unwrap()
    }

    /// The task once this is true of it.
    pub(crate) async fn until(&self, id: TaskId, is_so: impl Fn(&Task) -> bool) -> Task {
        let began = Instant::now();
        loop {
            let task = self.task(id).await;
            if is_so(&task) {
                return task;
            }
            assert!(began.elapsed() < PATIENCE, "{}: {task:?}", self.database.url);
            sleep(ms(10)).await;
        }
    }

    pub(crate) async fn until_state(&self, id: TaskId, state: TaskState) -> Task {
        self.until(id, |task| task.state == state).await
    }

    /// The task when it has ended.
    pub(crate) async fn end(&self, id: TaskId) -> Task {
        self.until(id, |task| task.state.is_end()).await
    }
}

/// A worker that works. Dropped, it is as if its process had been killed.
pub(crate) struct Working {
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

impl Working {
    pub(crate) fn start(worker: Worker) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async {
            let _ = stopped.await;
        };
        let task = tokio::spawn(async { worker.run(stopped).await.unwrap() });
        Self { stop: Some(stop), task }
    }

    /// Stops it and waits for its end.
    pub(crate) async fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        (&mut self.task).await.unwrap();
    }

    /// Kills it.
    pub(crate) async fn kill(mut self) {
        self.task.abort();
        assert!((&mut self.task).await.unwrap_err().is_cancelled());
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.task.abort();
    }
}

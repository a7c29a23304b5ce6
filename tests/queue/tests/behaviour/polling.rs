//! Questions that are asked until their answer is there.

use std::sync::atomic::{AtomicU32, Ordering};

use cofferdam_queue_tests::books::{REGISTER, STATUS, status};
use cofferdam_queue_tests::shop::{Order, Question, orders, policy, questions};
use cofferdam_runtime::IdempotencyKey;
use cofferdam_runtime::queue::{Finish, TaskState, Worker};
use cofferdam_testing::{Answer, Step};

use super::stage::{Working, each, ms};

#[tokio::test(flavor = "multi_thread")]
async fn r_res_async_1_an_outcome_puts_its_question_there_which_is_asked_until_it_is_answered() {
    for stage in each().await {
        let asked = AtomicU32::new(0);
        // Waiting, out of order, waiting …, paid.
        stage.gateway.behaves(move |arrival| match arrival.path.as_str() {
            STATUS => match asked.fetch_add(1, Ordering::Relaxed) {
                0..5 => status(0).into(),
                5..7 => Answer::status(503).into(),
                7..9 => status(0).into(),
                _ => Step::fine(),
            },
            _ => Step::fine(),
        });
        let register = stage.shop.clone();
        let then_ask = |order: cofferdam_example_committed::integrations::sber::domain::RegisteredOrder| {
            let question = questions().poll(&Question { order: order.id.clone() });
            let finish = Finish::new().keep(order.id);
            match question {
                Ok(question) => finish.then(question),
                Err(_) => finish,
            }
        };
        let ask = stage.shop.clone();
        let worker = Worker::new(&stage.queue)
            .system(stage.shop.guard(), 4)
            .poll_every(ms(20))
            .keyed(&orders(), move |order, _| register.clone().register(order), then_ask)
            .poll(&questions(), move |question| cofferdam_queue_tests::shop::answer(ask.clone(), question));
        let working = Working::start(worker);
        let order = Order { number: "A-1".to_owned(), amount: 100 };
        let id = stage.queue.enqueue(&orders().keyed(&order, &IdempotencyKey::from("A-1")).unwrap()).await.unwrap().id;
        assert_eq!(stage.end(id).await.state, TaskState::Completed);
        // The question is the next task.
        let asked = stage.end(cofferdam_runtime::queue::TaskId(id.0 + 1)).await;
        assert_eq!((asked.state, asked.result.as_deref()), (TaskState::Completed, Some("\"Paid\"")), "{asked:?}");
        assert_eq!(asked.operation, "getOrderStatus");
        // Only the failure counts: two attempts of one call.
        assert_eq!(asked.attempts, 1, "{asked:?}");
        assert_eq!(stage.gateway.count(STATUS, "g-A-1"), 10);
        assert_eq!(stage.gateway.count(REGISTER, "A-1"), 1);
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_nobody_answers_is_given_up_some_day() {
    for stage in each().await {
        stage.gateway.behaves(|_| status(0).into());
        let questions = questions().policy(policy().expires(ms(300)));
        let shop = stage.shop.clone();
        let worker = Worker::new(&stage.queue).system(stage.shop.guard(), 4).poll_every(ms(20));
        let ask = move |question| cofferdam_queue_tests::shop::answer(shop.clone(), question);
        let working = Working::start(worker.poll(&questions, ask));
        let task = questions.poll(&Question { order: "g-1".to_owned() }).unwrap();
        let id = stage.queue.enqueue(&task).await.unwrap().id;
        let task = stage.end(id).await;
        assert_eq!(task.state, TaskState::Failed);
        assert!(stage.gateway.count(STATUS, "g-1") > 1);
        working.stop().await;
    }
}

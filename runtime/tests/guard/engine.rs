//! Another engine in place of our own breaker, quota, bulkhead and retry.

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cofferdam_runtime::engine::{Admitted, Attempt, Denied, Engine, EngineFuture, Transparent};
use cofferdam_runtime::{CallError, Guard, IdempotencyKey, Settings, TimeoutPhase, Verdict};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::subject::{ClientAnswer, Counter, Look, Order, Pay, Plain, answer, handle, ms, recorded, settings};

/// Notes what it is asked and told, denies what it is told to, and repeats twice.
#[derive(Clone, Default)]
struct Noting {
    notes: Arc<Mutex<Vec<String>>>,
    denied: Option<Denied>,
}

impl Noting {
    fn note(&self, note: String) {
        self.notes.lock().unwrap().push(note);
    }

    fn notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.lock().unwrap())
    }

    fn guard(&self) -> Guard {
        Guard::new(&handle(settings()).with_engine(Arc::new(self.clone()))).unwrap()
    }
}

impl Engine for Noting {
    fn admit<'e>(&'e self, attempt: Attempt<'e>) -> EngineFuture<'e, Result<Box<dyn Admitted>, Denied>> {
        Box::pin(async move {
            self.note(format!("{} {}", attempt.operation.id, attempt.number));
            sleep(ms(20)).await;
            match self.denied {
                Some(denied) => Err(denied),
                None => Ok(Box::new(self.clone()) as Box<dyn Admitted>),
            }
        })
    }

    fn repeat(&self, attempt: Attempt<'_>, _: Verdict) -> Option<Duration> {
        (attempt.number < 3).then_some(ms(500))
    }
}

impl Admitted for Noting {
    fn ended(self: Box<Self>, verdict: Verdict, elapsed: Duration) {
        self.note(format!("{verdict:?} {}", elapsed.as_millis()));
    }
}

#[tokio::test(start_paused = true)]
async fn it_admits_hears_and_repeats_and_ours_is_not_asked() {
    let engine = Noting::default();
    let (guard, start) = (engine.guard(), Instant::now());
    let attempt = || async {
        sleep(ms(7)).await;
        answer(503, &[])
    };
    let error = guard.read(Look, &Plain, attempt).await.unwrap_err();
    assert_eq!((error.attempts(), error.status().unwrap().as_u16()), (3, 503));
    let expected = ["look 1", "Failure 7", "look 2", "Failure 7", "look 3", "Failure 7"];
    assert_eq!(engine.notes(), expected);
    assert_eq!((start.elapsed(), recorded(&guard)), (ms(3 * 27 + 2 * 500), (0, 0)));
}

#[tokio::test(start_paused = true)]
async fn a_write_without_a_key_is_never_repeated_whatever_the_engine_says() {
    let engine = Noting::default();
    let guard = engine.guard();
    let begun = Counter::default();
    let attempt = || async {
        begun.up();
        answer(503, &[])
    };
    guard.once(Pay, &Plain, attempt).await.unwrap_err();
    guard.keyed(Order, &IdempotencyKey::new(""), &Plain, attempt).await.unwrap_err();
    assert_eq!((begun.get(), engine.notes().len()), (2, 4));
    guard.keyed(Order, &IdempotencyKey::new("K"), &Plain, attempt).await.unwrap_err();
    assert_eq!(begun.get(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_denial_is_the_error_of_that_name_and_nothing_is_begun() {
    let (open, limited) = (Duration::from_secs(9), Duration::from_secs(2));
    for denied in
        [Denied::CircuitOpen { retry_after: open }, Denied::BulkheadFull, Denied::RateLimited { retry_after: limited }]
    {
        let guard = Noting { denied: Some(denied), ..Noting::default() }.guard();
        let begun = Counter::default();
        let attempt = || async {
            begun.up();
            answer(503, &[])
        };
        let error = guard.read(Look, &Plain, attempt).await.unwrap_err();
        assert_eq!((begun.get(), error.attempts()), (0, 0));
        match (denied, error) {
            (Denied::CircuitOpen { .. }, CallError::CircuitOpen { retry_after, .. }) => assert_eq!(retry_after, open),
            (Denied::BulkheadFull, CallError::BulkheadFull { waited, .. }) => assert_eq!(waited, ms(20)),
            (Denied::RateLimited { .. }, CallError::RateLimited { retry_after, .. }) => {
                assert_eq!(retry_after, limited);
            }
            (denied, error) => panic!("{denied:?} became {error}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn time_limits_stay_ours_and_an_attempt_given_up_is_dropped_without_a_word() {
    let engine = Noting::default();
    let guard = engine.guard();
    let start = Instant::now();
    let error = guard.once(Pay, &Plain, pending::<ClientAnswer>).await.unwrap_err();
    assert!(matches!(error, CallError::TimedOut { phase: TimeoutPhase::Attempt, .. }), "{error}");
    assert_eq!(engine.notes(), ["pay 1", "Failure 35980"]);
    assert_eq!(start.elapsed(), Duration::from_secs(36));
    let call = guard.once(Pay, &Plain, pending::<ClientAnswer>);
    assert!(tokio::time::timeout(ms(100), call).await.is_err());
    assert_eq!(engine.notes(), ["pay 1"]);
}

#[tokio::test(start_paused = true)]
async fn the_transparent_one_lets_a_teams_test_see_its_own_answers_only() {
    let text = "systems: {acme: {base-url: 'http://127.0.0.1:9'}}";
    let settings = Settings::parse(text, "test.yaml").unwrap().with_engine(Transparent);
    let guard = Guard::new(&settings.system("acme").unwrap()).unwrap();
    for _ in 0..100 {
        let error = guard.read(Look, &Plain, || async { answer(503, &[]) }).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), ("server_error", 1));
    }
    let calls: Vec<_> = (0..100)
        .map(|_| {
            guard.read(Look, &Plain, || async {
                sleep(ms(10)).await;
                Ok(json!({}))
            })
        })
        .map(Box::pin)
        .collect();
    let start = Instant::now();
    let mut set = Vec::new();
    for call in calls {
        set.push(call);
    }
    let all = futures_join(set).await;
    assert_eq!((all, start.elapsed()), (100, ms(10)), "no bulkhead either");
}

/// Polls all of them until the last has ended well.
async fn futures_join<F: Future<Output = super::subject::Answer> + Unpin>(mut futures: Vec<F>) -> usize {
    let mut well = 0;
    std::future::poll_fn(|context| {
        futures.retain_mut(|future| match std::pin::Pin::new(future).poll(context) {
            std::task::Poll::Ready(answer) => {
                well += usize::from(answer.is_ok());
                false
            }
            std::task::Poll::Pending => true,
        });
        if futures.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    well
}

//! What stands in for the system's answer: for which errors, for which operations, and how it shows.

use std::convert::Infallible;

use cofferdam_runtime::fallback::{Confirmation, Degraded, Served, Submitted};
use cofferdam_runtime::observability::FallbackKind;
use cofferdam_runtime::settings::SystemSettings;
use cofferdam_runtime::{CallError, ClientError, Delivery, FaultKind, Guard, IdempotencyKey, TransportFault};
use serde_json::{Value, json};
use tokio::time::{Instant, advance};

use super::subject::{Answer, ClientAnswer, Counter, Look, Open, Order, Pay, Plain, answer, guard, ms, settings};

fn once_only() -> SystemSettings {
    let mut settings = settings();
    settings.retry.max_attempts = 1;
    settings
}

async fn look(guard: &Guard, end: ClientAnswer) -> Answer {
    let end = std::sync::Mutex::new(Some(end));
    guard.read(Look, &Plain, || async { end.lock().unwrap().take().unwrap() }).await
}

fn refused() -> ClientAnswer {
    let fault = TransportFault::new(FaultKind::Connect, "refused");
    Err(ClientError::Transport { fault, delivery: Delivery::NotSent })
}

fn cut_off() -> ClientAnswer {
    let fault = TransportFault::new(FaultKind::Closed, "gone");
    Err(ClientError::Transport { fault, delivery: Delivery::MaybeSent })
}

#[tokio::test(start_paused = true)]
async fn r_res_fb_1_a_read_is_answered_with_its_last_answer_and_the_age_of_that() {
    let guard = guard(once_only());
    let prices = guard.stale(Look);
    let fresh = prices.answer("tea", look(&guard, Ok(json!(1)))).await.unwrap();
    assert_eq!(fresh, Served::Fresh(json!(1)));
    prices.answer("tea", look(&guard, Ok(json!(2)))).await.unwrap().into_value();
    prices.answer("milk", look(&guard, Ok(json!(9)))).await.unwrap().into_value();
    advance(ms(90_000)).await;
    let served = prices.answer("tea", look(&guard, answer(503, &[]))).await.unwrap();
    let (kind, age) = (FallbackKind::Stale, Some(ms(90_000)));
    let stale = Degraded { value: json!(2), kind, age, cause: "server_error" };
    assert_eq!(served, Served::Degraded(stale));
    assert!(served.is_degraded() && served.fresh().is_none());

    let error = prices.answer("coffee", look(&guard, answer(503, &[]))).await.unwrap_err();
    assert_eq!(error.kind(), "server_error", "nothing is known of coffee");
    prices.forget(&"tea");
    prices.answer("tea", look(&guard, cut_off())).await.unwrap_err();
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_too_old_stands_in_for_none_and_the_oldest_make_room() {
    let mut settings = once_only();
    (settings.fallback.stale_max_age, settings.fallback.stale_max_entries) = (ms(60_000), 2);
    let guard = guard(settings);
    let prices = guard.stale(Look);
    for key in [1, 2, 3] {
        prices.answer(key, look(&guard, Ok(json!(key)))).await.unwrap().into_value();
    }
    let stale = async |key: i32| prices.answer(key, look(&guard, cut_off())).await.is_ok();
    assert_eq!([stale(1).await, stale(2).await, stale(3).await], [false, true, true]);
    advance(ms(60_000)).await;
    assert!(stale(2).await);
    advance(ms(1)).await;
    assert!(!stale(2).await);
}

#[tokio::test(start_paused = true)]
async fn r_res_fb_2_a_neutral_value_is_made_of_the_error() {
    let guard = guard(once_only());
    let offers = guard.neutral(Look);
    let value = |error: &CallError<Value>| json!({ "offers": [], "why": error.kind() });
    assert_eq!(offers.answer(look(&guard, Ok(json!(1))), value).await.unwrap(), Served::Fresh(json!(1)));
    let served = offers.answer(look(&guard, cut_off()), value).await.unwrap();
    let value = json!({ "offers": [], "why": "closed" });
    let neutral = Degraded { value, kind: FallbackKind::Default, age: None, cause: "closed" };
    assert_eq!(served, Served::Degraded(neutral));
}

#[tokio::test(start_paused = true)]
async fn nothing_stands_in_for_a_no_or_for_our_own_mistake() {
    let guard = guard(once_only());
    let (prices, offers) = (guard.stale(Look), guard.neutral(Look));
    prices.answer((), look(&guard, Ok(json!(1)))).await.unwrap().into_value();
    let ends: [fn() -> ClientAnswer; 4] = [
        || answer(404, &[]),
        || answer(429, &[]),
        || Ok(json!({ "error": "1" })),
        || Ok(json!({ "error": "unmappable" })),
    ];
    for end in ends {
        prices.answer((), look(&guard, end())).await.unwrap_err();
        offers.answer(look(&guard, end()), |_| json!(0)).await.unwrap_err();
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_stands_in_for_another_operations_answer() {
    let guard = guard(once_only());
    let other = guard.read(Open, &Plain, || async { answer(503, &[]) }).await;
    let error = guard.neutral(Look).answer(std::future::ready(other), |_| json!(0)).await.unwrap_err();
    assert_eq!(error.operation(), "open");
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_is_answered_for_too() {
    let guard = guard(once_only());
    guard.breaker().transition_to_forced_open();
    let served = guard.neutral(Look).answer(look(&guard, Ok(json!(1))), |_| json!([])).await.unwrap();
    assert!(matches!(served, Served::Degraded(Degraded { cause: "circuit_open", .. })), "{served:?}");
}

async fn queued() -> Result<u32, Infallible> {
    Ok(17)
}

#[tokio::test(start_paused = true)]
async fn r_res_fb_1_an_unkeyed_write_is_only_queued_if_it_surely_never_left_us() {
    let guard = guard(once_only());
    let payments = guard.queue(Pay);
    let pay = async |end: ClientAnswer| payments.once(guard.once(Pay, &Plain, || async { end }), queued).await;
    assert_eq!(pay(Ok(json!(1))).await.unwrap(), Submitted::Done(json!(1)));
    assert_eq!(pay(refused()).await.unwrap(), Submitted::Queued { ticket: 17, cause: "connect" });
    for end in [cut_off(), answer(503, &[])] {
        let error = pay(end).await.unwrap_err();
        assert_ne!(error.delivery(), Delivery::NotSent);
    }
    guard.breaker().transition_to_forced_open();
    assert!(pay(Ok(json!(1))).await.unwrap().is_queued());
}

#[tokio::test(start_paused = true)]
async fn r_res_fb_x2_a_write_without_an_answer_is_unconfirmed_and_says_whether_it_may_have_been_done() {
    let guard = guard(once_only());
    let unconfirmed = guard.unconfirmed(Order);
    for (end, delivery, cause) in
        [(refused(), Delivery::NotSent, "connect"), (cut_off(), Delivery::MaybeSent, "closed")]
    {
        let answer = unconfirmed.answer(guard.once(Order, &Plain, || async { end })).await.unwrap();
        let told = Confirmation::Unconfirmed { delivery, cause, code: 30_005 };
        assert_eq!((&answer, answer.clone().done()), (&told, None));
    }
    let done = unconfirmed.answer(guard.once(Order, &Plain, || async { Ok(json!(1)) })).await.unwrap();
    assert_eq!(done, Confirmation::Done(json!(1)));
    let no = unconfirmed.answer(guard.once(Order, &Plain, || async { answer(422, &[]) })).await;
    assert_eq!(no.unwrap_err().kind(), "rejected", "a no is an answer");
}

#[tokio::test(start_paused = true)]
async fn a_keyed_write_is_queued_with_its_key_however_far_it_got() {
    let guard = guard(once_only());
    let orders = guard.queue(Order);
    let order = async |key: &str, end: ClientAnswer| {
        let key = IdempotencyKey::new(key);
        let end = std::sync::Mutex::new(Some(end));
        let call = guard.keyed(Order, &key, &Plain, || async { end.lock().unwrap().take().unwrap() });
        let put = |key: &IdempotencyKey| {
            let ticket = key.as_str().to_owned();
            async { Ok::<_, Infallible>(ticket) }
        };
        orders.keyed(&key, call, put).await
    };
    let ticket = "K-1".to_owned();
    assert_eq!(order("K-1", cut_off()).await.unwrap(), Submitted::Queued { ticket, cause: "closed" });
    assert!(order("K-1", answer(503, &[])).await.unwrap().is_queued());
    assert!(order("", refused()).await.unwrap().is_queued());
    order("", cut_off()).await.unwrap_err();
    order("K-1", answer(422, &[])).await.unwrap_err();
}

#[tokio::test(start_paused = true)]
async fn r_res_fb_x2_a_queue_that_takes_nothing_leaves_the_error() {
    let guard = guard(once_only());
    let call = guard.once(Pay, &Plain, || async { refused() });
    let full = || async { Err::<u32, _>("disk full") };
    let error = guard.queue(Pay).once(call, full).await.unwrap_err();
    assert_eq!(error.kind(), "connect");
}

#[tokio::test(start_paused = true)]
async fn a_fallback_costs_no_attempt_and_no_time_of_its_own() {
    let guard = guard(settings());
    let (begun, start) = (Counter::default(), Instant::now());
    guard.breaker().transition_to_forced_open();
    let call = guard.read(Look, &Plain, || async {
        begun.up();
        Ok(json!(1))
    });
    guard.neutral(Look).answer(call, |_| json!(0)).await.unwrap().into_value();
    assert_eq!((begun.get(), start.elapsed()), (0, ms(0)));
}

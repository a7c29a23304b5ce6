//! The breaker, seen from the server: it opens at the call it should, nothing arrives while it is open, half-open lets
//! exactly the permitted number through, and it recovers (R-RES-CB-2 to CB-4).

use std::time::Duration;

use cofferdam_runtime::CallError;
use cofferdam_runtime::breaker::BreakerState;
use cofferdam_tests::{Answer, Fault, Script};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::world::{DEPOSIT, LIST, STATUS, World, ms, order_query, procurements, transfer};

/// Opens at half of four calls, stays open for 300 ms, lets two probes through.
const BREAKER: &str = "
    retry: { max-attempts: 1 }
    breaker:
      sliding-window-size: 4
      minimum-number-of-calls: 4
      failure-rate-threshold: 50
      wait-duration-in-open-state: 300ms
      permitted-number-of-calls-in-half-open-state: 2
";

fn state(world: &World) -> BreakerState {
    world.sber.guard().breaker().state()
}

fn arrived(world: &World) -> usize {
    world.sber_server.recorder().total()
}

/// Two calls that go well and two that fail: the fourth opens it. Returns how long it stays open.
async fn open(world: &World) -> Duration {
    world.sber_server.script(DEPOSIT, Script::times(2, Answer::status(503)));
    for _ in 0..2 {
        world.sber.get_order_status(order_query()).await.unwrap();
        world.sber.deposit(transfer()).await.unwrap_err();
    }
    match world.sber.deposit(transfer()).await {
        Err(CallError::CircuitOpen { retry_after, .. }) => retry_after,
        other => panic!("it is not open: {other:?}"),
    }
}

#[tokio::test]
async fn it_opens_at_the_call_that_reaches_the_threshold_and_not_before() {
    let world = World::tuned(BREAKER);
    world.sber_server.script(DEPOSIT, Script::always(Answer::status(503)));
    // One failure in three calls; the fourth makes it two in four.
    world.sber.get_order_status(order_query()).await.unwrap();
    world.sber.get_order_status(order_query()).await.unwrap();
    world.sber.deposit(transfer()).await.unwrap_err();
    assert_eq!((state(&world), arrived(&world)), (BreakerState::Closed, 3));
    let error = world.sber.deposit(transfer()).await.unwrap_err();
    assert!(matches!(error, CallError::ServerError { .. }), "{error:?}");
    assert_eq!((state(&world), arrived(&world)), (BreakerState::Open, 4));
}

#[tokio::test]
async fn too_few_calls_do_not_open_it() {
    let world = World::tuned(BREAKER);
    world.sber_server.script(DEPOSIT, Script::always(Answer::status(503)));
    for _ in 0..3 {
        world.sber.deposit(transfer()).await.unwrap_err();
    }
    assert_eq!(state(&world), BreakerState::Closed);
}

#[tokio::test]
async fn nothing_arrives_while_it_is_open_and_the_caller_learns_when_to_come_back() {
    let world = World::tuned(BREAKER);
    open(&world).await;
    let before = arrived(&world);
    for _ in 0..20 {
        let error = world.sber.get_order_status(order_query()).await.unwrap_err();
        assert!(matches!(error, CallError::CircuitOpen { .. }), "{error:?}");
        assert!(error.retry_after().is_some_and(|wait| wait <= ms(300)), "{error:?}");
        assert_eq!((error.attempts(), error.suggested_status()), (0, 503));
    }
    assert_eq!(arrived(&world), before);
    // The other system has a breaker of its own.
    world.f6.list_procurements(procurements()).await.unwrap();
    assert_eq!(world.f6_server.recorder().count(LIST), 1);
}

#[tokio::test]
async fn half_open_lets_exactly_the_permitted_number_through() {
    let world = World::tuned(BREAKER);
    let wait = open(&world).await;
    sleep(wait).await;
    world.sber_server.recorder().clear();
    world.sber_server.script(STATUS, Script::always(Fault::SlowFirstByte(ms(250))));
    let sber = std::sync::Arc::new(world.sber);
    let mut calls = JoinSet::new();
    for _ in 0..8 {
        let sber = sber.clone();
        calls.spawn(async move { sber.get_order_status(order_query()).await });
    }
    let answers = calls.join_all().await;
    let refused = answers.iter().filter(|answer| matches!(answer, Err(CallError::CircuitOpen { .. }))).count();
    assert_eq!((answers.iter().filter(|answer| answer.is_ok()).count(), refused), (2, 6));
    assert_eq!(world.sber_server.recorder().count(STATUS), 2);
    assert_eq!(sber.guard().breaker().state(), BreakerState::Closed);
}

#[tokio::test]
async fn it_recovers_when_all_probes_succeed() {
    let world = World::tuned(BREAKER);
    let wait = open(&world).await;
    sleep(wait).await;
    world.sber.deposit(transfer()).await.unwrap();
    assert_eq!(state(&world), BreakerState::HalfOpen);
    world.sber.deposit(transfer()).await.unwrap();
    assert_eq!(state(&world), BreakerState::Closed);
    for _ in 0..10 {
        world.sber.deposit(transfer()).await.unwrap();
    }
}

#[tokio::test]
async fn a_probe_that_fails_opens_it_again() {
    let world = World::tuned(BREAKER);
    let wait = open(&world).await;
    sleep(wait).await;
    world.sber_server.script(DEPOSIT, Script::times(1, Answer::status(503)));
    world.sber.get_order_status(order_query()).await.unwrap();
    world.sber.deposit(transfer()).await.unwrap_err();
    assert_eq!(state(&world), BreakerState::Open);
    let before = arrived(&world);
    world.sber.deposit(transfer()).await.unwrap_err();
    assert_eq!(arrived(&world), before);
}

#[tokio::test]
async fn slow_answers_open_it_too() {
    let world = World::tuned(&format!(
        "{BREAKER}      slow-call-duration-threshold: 50ms\n      slow-call-rate-threshold: 100\n"
    ));
    world.sber_server.script(STATUS, Script::always(Fault::SlowFirstByte(ms(120))));
    for _ in 0..4 {
        world.sber.get_order_status(order_query()).await.unwrap();
    }
    assert_eq!(state(&world), BreakerState::Open);
}

//! The caller goes away, in every phase of a call: what it held comes back, nothing is sent again, and the breaker is
//! not stuck (R-RES time limiter).

use std::future::Future;
use std::sync::Arc;

use cofferdam_runtime::CallError;
use cofferdam_runtime::breaker::BreakerState;
use cofferdam_tests::{Answer, BlackHole, Fault, Late, Script};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::world::{DEPOSIT, REGISTER, STATUS, World, ms, new_order, order_query, recorded, sber_at, transfer};

/// One call at a time, with a long wait for the place.
const SINGLE: &str = "
    bulkhead: { max-concurrent-calls: 1, max-wait-duration: 10s, reason: a test waits }
";

/// Drops a call once something else has happened.
async fn drop_when<T: std::fmt::Debug>(
    call: impl Future<Output = T>,
    happened: impl Future<Output = Result<(), Late>>,
) {
    tokio::select! {
        biased;
        answer = call => panic!("it was to be dropped: {answer:?}"),
        happened = happened => happened.unwrap(),
    }
}

/// The one place is free again, and a next call takes it and gets through.
async fn nothing_is_held(world: &World) {
    assert_eq!(world.sber.guard().available_places(), 1);
    world.sber_server.behave();
    world.sber.get_order_status(order_query()).await.unwrap();
    assert_eq!(world.sber.guard().available_places(), 1);
}

#[tokio::test]
async fn waiting_for_a_place() {
    let world = World::tuned(SINGLE);
    world.sber_server.script(STATUS, Script::always(Fault::Hang));
    let holder = world.sber.get_order_status(order_query());
    tokio::pin!(holder);
    drop_when(&mut holder, world.sber_server.recorder().until_arrived(STATUS, 1)).await;
    assert!(timeout(ms(50), world.sber.deposit(transfer())).await.is_err());
    assert_eq!(world.sber_server.recorder().count(DEPOSIT), 0);
    assert_eq!(world.sber.guard().available_places(), 0);
}

#[tokio::test]
async fn waiting_for_a_connection() {
    let hole = BlackHole::open().await.unwrap();
    let sber = sber_at(&hole.url(), SINGLE);
    assert!(timeout(ms(100), sber.deposit(transfer())).await.is_err());
    assert_eq!(sber.guard().available_places(), 1);
}

#[tokio::test]
async fn waiting_for_the_reply() {
    let world = World::tuned(SINGLE);
    world.sber_server.script_everywhere(Script::always(Fault::Hang));
    for (dropped, path) in [DEPOSIT, STATUS, REGISTER].into_iter().enumerate() {
        let arrived = world.sber_server.recorder().until_arrived(path, 1);
        match path {
            DEPOSIT => drop_when(world.sber.deposit(transfer()), arrived).await,
            STATUS => drop_when(world.sber.get_order_status(order_query()), arrived).await,
            _ => drop_when(world.sber.register_order(new_order("A-1")), arrived).await,
        }
        // The server sees the connection go: nothing goes on behind the caller's back.
        world.sber_server.recorder().until_abandoned(dropped as u64 + 1).await.unwrap();
        assert_eq!(world.sber_server.recorder().count(path), 1);
        assert_eq!(world.sber.guard().available_places(), 1);
    }
    nothing_is_held(&world).await;
    assert_eq!(world.sber_server.recorder().total(), 4);
}

#[tokio::test]
async fn reading_the_reply() {
    let world = World::tuned(SINGLE);
    world.sber_server.script(STATUS, Script::times(1, Fault::StallInBody { first: 5 }));
    assert!(timeout(ms(150), world.sber.get_order_status(order_query())).await.is_err());
    world.sber_server.recorder().until_abandoned(1).await.unwrap();
    assert_eq!(world.sber_server.recorder().count(STATUS), 1);
    nothing_is_held(&world).await;
}

#[tokio::test]
async fn waiting_between_two_attempts() {
    let world = World::tuned(
        "
    bulkhead: { max-concurrent-calls: 1, max-wait-duration: 10s, reason: a test waits }
    retry: { max-attempts: 3, wait-duration: 200ms, exponential-backoff-multiplier: 2 }
",
    );
    // Told to wait for a second, by a header that the retry obeys.
    let failing = Answer::status(503).with_header("Retry-After", "1");
    world.sber_server.script(STATUS, Script::always(failing));
    assert!(timeout(ms(300), world.sber.get_order_status(order_query())).await.is_err());
    assert_eq!(world.sber_server.recorder().count(STATUS), 1);
    assert_eq!(recorded(world.sber.guard()), (1, 1));
    // Longer than the wait would have been: the second attempt never comes.
    sleep(ms(1200)).await;
    assert_eq!(world.sber_server.recorder().count(STATUS), 1);
    nothing_is_held(&world).await;
}

#[tokio::test]
async fn as_a_probe_of_a_half_open_breaker() {
    let world = World::tuned(
        "
    retry: { max-attempts: 1 }
    breaker:
      sliding-window-size: 2
      minimum-number-of-calls: 2
      wait-duration-in-open-state: 100ms
      permitted-number-of-calls-in-half-open-state: 1
",
    );
    world.sber_server.script(DEPOSIT, Script::times(2, Answer::status(503)));
    for _ in 0..2 {
        world.sber.deposit(transfer()).await.unwrap_err();
    }
    let Err(CallError::CircuitOpen { retry_after, .. }) = world.sber.deposit(transfer()).await else {
        panic!("it is not open");
    };
    sleep(retry_after).await;
    world.sber_server.script(STATUS, Script::times(3, Fault::Hang));
    // Three probes one after the other, each dropped: each gives its permission back, none is a vote.
    for dropped in 1..=3 {
        drop_when(
            world.sber.get_order_status(order_query()),
            world.sber_server.recorder().until_arrived(STATUS, dropped),
        )
        .await;
        assert_eq!(world.sber.guard().breaker().state(), BreakerState::HalfOpen);
    }
    world.sber.get_order_status(order_query()).await.unwrap();
    assert_eq!(world.sber.guard().breaker().state(), BreakerState::Closed);
}

#[tokio::test]
async fn many_at_once_leave_nothing_behind() {
    let world = Arc::new(World::tuned(
        "\n    bulkhead: { max-concurrent-calls: 8, max-wait-duration: 10s, reason: a test waits }",
    ));
    world.sber_server.script(STATUS, Script::always(Fault::SlowFirstByte(ms(20))));
    for round in 0..40 {
        let mut calls = JoinSet::new();
        for _ in 0..16 {
            let world = world.clone();
            calls.spawn(async move { world.sber.get_order_status(order_query()).await.map(drop) });
        }
        // Each round is cut off at another moment, so that calls end in every phase.
        sleep(ms(round)).await;
        calls.shutdown().await;
    }
    assert_eq!(world.sber.guard().available_places(), 8);
    world.sber_server.behave();
    let mut calls = JoinSet::new();
    for _ in 0..8 {
        let world = world.clone();
        calls.spawn(async move { world.sber.get_order_status(order_query()).await.map(drop) });
    }
    assert!(calls.join_all().await.iter().all(Result::is_ok));
}

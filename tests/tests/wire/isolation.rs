//! A system that hangs holds its own callers only: those over its bulkhead are refused in time, and the other system
//! does not notice (R-RES-ISO-1, BH-1, BH-3).

use std::sync::Arc;
use std::time::Instant;

use cofferdam_runtime::{CallError, Delivery, TimeoutPhase};
use cofferdam_tests::{Fault, Script};
use tokio::task::JoinSet;

use crate::world::{
    CREATE_ORDER, DEPOSIT, LIST, STATUS, World, f6_at, f6_server, goods, ms, order_query, procurements, recorded,
    transfer,
};

/// Three at once, 100 ms of waiting for a place, 1.5 s until a silent system is given up.
const NARROW: &str = "
    timeouts: { connect: 500ms, read: 1500ms, call: 3s, reason: a test is short }
    bulkhead: { max-concurrent-calls: 3, max-wait-duration: 100ms }
";

#[tokio::test]
async fn callers_over_the_limit_are_refused_within_the_wait() {
    let world = World::tuned(NARROW);
    world.sber_server.script(DEPOSIT, Script::always(Fault::Hang));
    let sber = Arc::new(world.sber);
    let mut calls = JoinSet::new();
    let start = Instant::now();
    for _ in 0..10 {
        let sber = sber.clone();
        calls.spawn(async move { (sber.deposit(transfer()).await.unwrap_err(), start.elapsed()) });
    }
    let (mut refused, mut hung) = (0, 0);
    for (error, elapsed) in calls.join_all().await {
        match error {
            CallError::BulkheadFull { .. } => {
                refused += 1;
                assert!(elapsed >= ms(100) && elapsed < ms(1500), "{elapsed:?}");
                assert_eq!((error.delivery(), error.attempts()), (Delivery::NotSent, 0));
            }
            CallError::TimedOut { phase, .. } => {
                hung += 1;
                assert_eq!((phase, error.delivery()), (TimeoutPhase::Reply, Delivery::MaybeSent));
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((hung, refused), (3, 7));
    assert_eq!(world.sber_server.recorder().count(DEPOSIT), 3);
    assert_eq!(sber.guard().available_places(), 3);
}

#[tokio::test]
async fn the_other_system_is_not_slowed() {
    let world = World::tuned(NARROW);
    world.sber_server.script_everywhere(Script::always(Fault::Hang));
    let sber = Arc::new(world.sber);
    let mut hanging = JoinSet::new();
    for _ in 0..3 {
        let sber = sber.clone();
        hanging.spawn(async move { sber.get_order_status(order_query()).await });
    }
    world.sber_server.recorder().until_arrived(STATUS, 3).await.unwrap();
    for _ in 0..50 {
        world.f6.list_procurements(procurements()).await.unwrap();
    }
    // By order, not by the clock: all of them were answered while every call to the hanging system was still waiting.
    assert_eq!(world.f6_server.recorder().count(LIST), 50);
    assert!(hanging.try_join_next().is_none());
    assert_eq!(sber.guard().available_places(), 0);
    assert_eq!(world.sber_server.recorder().count(STATUS), 3);
}

#[tokio::test]
async fn a_place_that_becomes_free_in_time_is_taken() {
    let world =
        World::tuned("\n    bulkhead: { max-concurrent-calls: 1, max-wait-duration: 5s, reason: a test waits }");
    world.sber_server.script(DEPOSIT, Script::times(1, Fault::SlowFirstByte(ms(100))));
    let (first, second) = tokio::join!(world.sber.deposit(transfer()), world.sber.deposit(transfer()));
    first.unwrap();
    second.unwrap();
    assert_eq!(world.sber_server.recorder().count(DEPOSIT), 2);
}

#[tokio::test]
async fn a_refusal_by_the_bulkhead_is_not_retried_and_says_nothing_about_the_system() {
    let world = World::tuned("\n    bulkhead: { max-concurrent-calls: 1, max-wait-duration: 0ms }");
    world.sber_server.script(STATUS, Script::always(Fault::Hang));
    let hanging = world.sber.get_order_status(order_query());
    tokio::pin!(hanging);
    tokio::select! {
        answer = &mut hanging => panic!("{answer:?}"),
        arrived = world.sber_server.recorder().until_arrived(STATUS, 1) => arrived.unwrap(),
    }
    let error = world.sber.get_order_status(order_query()).await.unwrap_err();
    assert!(matches!(error, CallError::BulkheadFull { .. }), "{error:?}");
    assert_eq!(world.sber_server.recorder().count(STATUS), 1);
    assert_eq!(recorded(world.sber.guard()), (0, 0));
}

#[tokio::test]
async fn of_five_systems_four_do_not_notice_that_one_hangs() {
    let servers: Vec<_> = (0..5).map(|_| f6_server()).collect();
    let adapters: Vec<_> = servers.iter().map(|server| Arc::new(f6_at(&server.url(), NARROW))).collect();
    servers[0].script_everywhere(Script::always(Fault::Hang));
    let mut hanging = JoinSet::new();
    for _ in 0..30 {
        let adapter = adapters[0].clone();
        hanging.spawn(async move { adapter.create_order(goods(), None).await.unwrap_err() });
    }
    servers[0].recorder().until_arrived(CREATE_ORDER, 3).await.unwrap();
    let mut others = JoinSet::new();
    for adapter in &adapters[1..] {
        for _ in 0..3 {
            let adapter = adapter.clone();
            others.spawn(async move {
                for _ in 0..20 {
                    adapter.list_procurements(procurements()).await.unwrap();
                }
            });
        }
    }
    others.join_all().await;
    let errors = hanging.join_all().await;
    let (refused, hung): (Vec<_>, Vec<_>) =
        errors.into_iter().partition(|error| matches!(error, CallError::BulkheadFull { .. }));
    assert_eq!((refused.len(), hung.len()), (27, 3), "{hung:?}");
    assert_eq!(servers[0].recorder().total(), 3);
    for (server, adapter) in servers.iter().zip(&adapters).skip(1) {
        assert_eq!((server.recorder().count(LIST), recorded(adapter.guard())), (60, (60, 0)));
    }
}

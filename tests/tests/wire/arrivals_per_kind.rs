//! What a system that always fails receives: a read and a keyed write as often as the settings say, any other write
//! once (R-RES-RE-1). The breaker's records follow from the order of the layers.

use cofferdam_runtime::{CallError, IdempotencyKey};
use cofferdam_tests::{Answer, Fault, Script};
use serde_json::json;

use crate::world::{
    ATTEMPTS, CREATE_ORDER, DEPOSIT, HASTY, LIST, PROCUREMENT, REFUND, REGISTER, REGISTER_PRE_AUTH, REVERSE, STATUS,
    TICKET, World, cancellation, goods, ms, new_order, order_query, procurement, procurements, recorded, ticket,
    transfer,
};

fn unavailable() -> Script {
    Script::always(Answer::status(503))
}

/// A world in which everything answers 503.
fn failing(tuning: &str) -> World {
    let world = World::tuned(tuning);
    world.sber_server.script_everywhere(unavailable());
    world.f6_server.script_everywhere(unavailable());
    world
}

#[tokio::test]
async fn a_read_arrives_as_often_as_the_settings_say() {
    let world = failing("");
    let error = world.f6.list_procurements(procurements()).await.unwrap_err();
    assert_eq!(error.attempts() as usize, ATTEMPTS, "{error:?}");
    world.f6.get_procurement(procurement()).await.unwrap_err();
    world.sber.get_order_status(order_query()).await.unwrap_err();
    assert_eq!(world.f6_server.recorder().count(LIST), ATTEMPTS);
    assert_eq!(world.f6_server.recorder().count(PROCUREMENT), ATTEMPTS);
    assert_eq!(world.sber_server.recorder().count(STATUS), ATTEMPTS);
}

#[tokio::test]
async fn a_registration_arrives_as_often_with_the_same_order_number() {
    let world = failing("");
    world.sber.register_order(new_order("A-17")).await.unwrap_err();
    world.sber.register_pre_auth(new_order("A-18")).await.unwrap_err();
    for (path, number) in [(REGISTER, "A-17"), (REGISTER_PRE_AUTH, "A-18")] {
        let numbers: Vec<_> = world.sber_server.recorder().arrivals(path).iter().map(order_number).collect();
        assert_eq!(numbers, [number; ATTEMPTS]);
    }
}

fn order_number(arrival: &cofferdam_tests::Arrival) -> String {
    arrival.form_field("orderNumber").unwrap_or_default()
}

#[tokio::test]
async fn money_is_moved_once_whatever_the_number_of_attempts_allowed() {
    let world = failing("\n    retry: { max-attempts: 5 }");
    let error = world.sber.deposit(transfer()).await.unwrap_err();
    assert_eq!(error.attempts(), 1, "{error:?}");
    world.sber.reverse(cancellation()).await.unwrap_err();
    world.sber.refund(transfer()).await.unwrap_err();
    world.f6.exchange_ticket(ticket()).await.unwrap_err();
    for path in [DEPOSIT, REVERSE, REFUND] {
        assert_eq!(world.sber_server.recorder().count(path), 1, "{path}");
    }
    assert_eq!(world.f6_server.recorder().count(TICKET), 1);
}

#[tokio::test]
async fn money_is_moved_once_however_the_exchange_breaks() {
    let faults = [
        Fault::Close,
        Fault::Reset,
        Fault::CutHead { after: 12 },
        Fault::ResetInBody { after: 3 },
        Fault::Truncate { missing: 5 },
        Fault::StallInBody { first: 3 },
        Fault::NotHttp,
        Fault::GarbageBody,
        Fault::Hang,
        Fault::SlowFirstByte(ms(700)),
    ];
    for fault in faults {
        let world = World::tuned(HASTY);
        // A connection that was used before and is used again: the case in which HTTP clients like to try once more.
        world.sber.deposit(transfer()).await.unwrap();
        world.sber_server.script(DEPOSIT, Script::always(fault.clone()));
        world.sber.deposit(transfer()).await.unwrap_err();
        assert_eq!(world.sber_server.recorder().count(DEPOSIT), 2, "one fine call and one that broke: {fault:?}");
    }
}

#[tokio::test]
async fn money_is_moved_once_when_the_gateway_says_it_failed() {
    let world = World::new();
    world.sber_server.script(DEPOSIT, Script::always(Answer::json(&json!({ "errorCode": "7" }))));
    world.sber.deposit(transfer()).await.unwrap_err();
    assert_eq!(world.sber_server.recorder().count(DEPOSIT), 1);
}

#[tokio::test]
async fn an_order_without_a_key_arrives_once_and_without_the_header() {
    let world = failing("");
    world.f6.create_order(goods(), None).await.unwrap_err();
    let [arrival] = &world.f6_server.recorder().arrivals(CREATE_ORDER)[..] else { panic!("one arrival") };
    assert!(!arrival.headers.contains_key("idempotency-key"));
}

#[tokio::test]
async fn an_order_with_a_key_arrives_as_often_as_the_settings_say_with_the_same_header() {
    let world = failing("");
    let key = IdempotencyKey::random();
    world.f6.create_order(goods(), Some(key.clone())).await.unwrap_err();
    let arrivals = world.f6_server.recorder().arrivals(CREATE_ORDER);
    let headers: Vec<_> = arrivals.iter().map(|arrival| arrival.header("idempotency-key")).collect();
    assert_eq!(headers, [Some(key.as_str()); ATTEMPTS]);
    assert!(arrivals.iter().all(|arrival| arrival.body == arrivals[0].body));
}

#[tokio::test]
async fn a_call_that_fails_twice_and_then_works_is_a_success() {
    let world = World::new();
    world.sber_server.script(REGISTER, Script::times(2, Answer::status(503)));
    let order = world.sber.register_order(new_order("A-1")).await.unwrap();
    assert_eq!(order.id, "G-1");
    assert_eq!(world.sber_server.recorder().count(REGISTER), 3);
}

#[tokio::test]
async fn with_retry_outside_every_attempt_is_recorded() {
    let world = failing("\n    order: retry-outside");
    world.sber.get_order_status(order_query()).await.unwrap_err();
    assert_eq!(recorded(world.sber.guard()), (3, 3));
    world.sber.register_order(new_order("A-1")).await.unwrap_err();
    assert_eq!(recorded(world.sber.guard()), (6, 6));
    world.sber.deposit(transfer()).await.unwrap_err();
    assert_eq!(recorded(world.sber.guard()), (7, 7));
    assert_eq!(world.sber_server.recorder().total(), 7);
}

#[tokio::test]
async fn with_the_breaker_outside_every_call_is_recorded() {
    let world = failing("\n    order: breaker-outside");
    world.sber.get_order_status(order_query()).await.unwrap_err();
    assert_eq!(recorded(world.sber.guard()), (1, 1));
    world.sber.register_order(new_order("A-1")).await.unwrap_err();
    assert_eq!(recorded(world.sber.guard()), (2, 2));
    world.sber.deposit(transfer()).await.unwrap_err();
    assert_eq!(recorded(world.sber.guard()), (3, 3));
    assert_eq!(world.sber_server.recorder().total(), 7);
}

#[tokio::test]
async fn a_call_that_works_in_the_end_is_recorded_as_the_order_says() {
    for (order, expected) in [("retry-outside", (3, 2)), ("breaker-outside", (1, 0))] {
        let world = World::tuned(&format!("\n    order: {order}"));
        world.sber_server.script(STATUS, Script::times(2, Answer::status(503)));
        world.sber.get_order_status(order_query()).await.unwrap();
        assert_eq!(recorded(world.sber.guard()), expected, "{order}");
    }
}

#[tokio::test]
async fn a_breaker_that_opens_between_attempts_ends_the_retries() {
    let world = failing(
        "
    order: retry-outside
    breaker: { sliding-window-size: 2, minimum-number-of-calls: 2 }",
    );
    let error = world.sber.get_order_status(order_query()).await.unwrap_err();
    assert!(matches!(error, CallError::CircuitOpen { .. } | CallError::ServerError { .. }), "{error:?}");
    assert_eq!(world.sber_server.recorder().count(STATUS), 2);
}

//! What the caller hears of each wrong answer, how often it was asked for, and what the breaker makes of it.

use cofferdam_runtime::{CallError, Delivery, FaultKind, TimeoutPhase};
use cofferdam_tests::{Answer, BlackHole, Fault, MisbehavingServer, Script};
use serde_json::json;

use crate::world::{
    ATTEMPTS, CREATE_ORDER, DEPOSIT, HASTY, LIST, PASSWORD, PROCUREMENT, REGISTER, STATUS, TICKET, TOKEN, World, goods,
    ms, new_order, order_query, procurement, procurements, recorded, sber, sber_at, ticket, transfer,
};

/// The kind of a broken exchange, and whether the request may have arrived.
fn broken<T: std::fmt::Debug, R>(answer: Result<T, CallError<R>>) -> (FaultKind, Delivery) {
    match answer {
        Err(CallError::Transport { at, fault }) => (fault.kind(), at.delivery),
        other => panic!("no broken exchange: {other:?}"),
    }
}

/// The phase in which the time ran out, and whether the request may have arrived.
fn late<T: std::fmt::Debug, R>(answer: Result<T, CallError<R>>) -> (TimeoutPhase, Delivery) {
    match answer {
        Err(CallError::TimedOut { at, phase, .. }) => (phase, at.delivery),
        other => panic!("not too late: {other:?}"),
    }
}

/// A world whose gateway breaks this way at every registration.
fn registering(fault: Fault) -> World {
    let world = World::tuned(HASTY);
    world.sber_server.script(REGISTER, Script::always(fault));
    world
}

#[tokio::test]
async fn a_no_is_never_retried_and_never_opens_the_breaker() {
    let world = World::tuned("\n    breaker: { sliding-window-size: 4, minimum-number-of-calls: 4 }");
    let mut asked = 0;
    for status in [400, 401, 403, 404, 408, 409, 410, 422, 429] {
        let error = json!({ "code": 40_000 + status, "message": "no" });
        world.f6_server.script(LIST, Script::always(Answer::json(&error).with_status(status)));
        let error = world.f6.list_procurements(procurements()).await.unwrap_err();
        assert!(matches!(error, CallError::Rejected { .. }), "{status}: {error:?}");
        assert_eq!(error.status().map(|status| status.as_u16()), Some(status));
        asked += 1;
        assert_eq!(world.f6_server.recorder().count(LIST), asked, "{status}");
    }
    assert_eq!(recorded(world.f6.guard()), (0, 0));
}

#[tokio::test]
async fn too_many_requests_is_a_no_even_when_it_says_when_to_come_back() {
    let world = World::new();
    for when in ["1", "Wed, 21 Oct 2099 07:28:00 GMT"] {
        world.f6_server.recorder().clear();
        let slow_down = Answer::json(&json!({ "code": 42_900, "message": "slow down" })).with_status(429);
        world.f6_server.script(LIST, Script::always(slow_down.with_header("Retry-After", when)));
        world.f6.list_procurements(procurements()).await.unwrap_err();
        assert_eq!(world.f6_server.recorder().count(LIST), 1);
    }
}

#[tokio::test]
async fn a_documented_no_comes_with_its_body() {
    let world = World::new();
    let missing = json!({ "code": 40_401, "message": "no such procurement", "details": { "id": "P-1" } });
    world.f6_server.script(PROCUREMENT, Script::always(Answer::json(&missing).with_status(404)));
    let error = world.f6.get_procurement(procurement()).await.unwrap_err();
    let Some(crate::world::f6::GetProcurementRejection::NotFound(body)) = error.rejection() else {
        panic!("{error:?}");
    };
    assert_eq!((body.code, body.message.as_str()), (40_401, "no such procurement"));
    assert_eq!(error.suggested_status(), 404);
}

#[tokio::test]
async fn a_documented_failure_is_retried_counted_and_keeps_its_body() {
    let world = World::new();
    let broken = json!({ "code": 50_001, "message": "stock is not to be reached" });
    world.f6_server.script(CREATE_ORDER, Script::always(Answer::json(&broken).with_status(502)));
    let error = world.f6.create_order(goods(), Some("K-1".into())).await.unwrap_err();
    let CallError::ServerError { status, rejection: Some(_), reply, .. } = &error else { panic!("{error:?}") };
    assert_eq!(status.as_u16(), 502);
    assert_eq!(reply.body, broken.to_string());
    assert_eq!(world.f6_server.recorder().count(CREATE_ORDER), ATTEMPTS);
    assert_eq!(recorded(world.f6.guard()), (3, 3));
}

#[tokio::test]
async fn a_failure_without_the_documented_body_is_a_failure_all_the_same() {
    let world = World::new();
    let page = Answer::status(503).with_body("text/html", "<h1>Service Unavailable</h1>");
    world.f6_server.script(LIST, Script::always(page));
    let error = world.f6.list_procurements(procurements()).await.unwrap_err();
    let CallError::ServerError { rejection: None, reply, .. } = &error else { panic!("{error:?}") };
    assert_eq!(reply.body, "<h1>Service Unavailable</h1>");
    assert_eq!(world.f6_server.recorder().count(LIST), ATTEMPTS);
}

#[tokio::test]
async fn an_undocumented_status_keeps_the_reply() {
    let world = World::new();
    world.sber_server.script(STATUS, Script::always(Answer::status(418).with_body("text/plain", "short and stout")));
    let error = world.sber.get_order_status(order_query()).await.unwrap_err();
    let CallError::Unexpected { status, reply, .. } = &error else { panic!("{error:?}") };
    assert_eq!((status.as_u16(), &reply.body[..]), (418, &b"short and stout"[..]));
    assert_eq!(world.sber_server.recorder().count(STATUS), 1);
    assert_eq!(recorded(world.sber.guard()), (0, 0));
}

#[tokio::test]
async fn the_gateways_own_failure_in_a_200_counts_and_is_retried_where_that_is_safe() {
    let world = World::new();
    let failed = Answer::json(&json!({ "errorCode": "7", "errorMessage": "system error" }));
    world.sber_server.script_everywhere(Script::always(failed));
    let error = world.sber.register_order(new_order("A-1")).await.unwrap_err();
    assert_eq!(error.rejection(), Some(&sber::PaymentRefused::GatewayFailed), "{error:?}");
    assert_eq!((world.sber_server.recorder().count(REGISTER), recorded(world.sber.guard())), (ATTEMPTS, (3, 3)));
    world.sber.deposit(transfer()).await.unwrap_err();
    assert_eq!((world.sber_server.recorder().count(DEPOSIT), recorded(world.sber.guard())), (1, (4, 4)));
}

#[tokio::test]
async fn a_no_of_the_gateway_in_a_200_is_a_healthy_answer() {
    let world = World::new();
    let codes = [
        ("1", sber::PaymentRefused::AlreadyRegistered),
        ("5", sber::PaymentRefused::WrongValue),
        ("6", sber::PaymentRefused::UnknownOrder),
        ("99", sber::PaymentRefused::Other("99".to_owned())),
    ];
    for (code, expected) in codes {
        world.sber_server.recorder().clear();
        world.sber_server.script(REGISTER, Script::always(Answer::json(&json!({ "errorCode": code }))));
        let error = world.sber.register_order(new_order("A-1")).await.unwrap_err();
        assert!(matches!(error, CallError::Rejected { status: None, .. }), "{error:?}");
        assert_eq!(error.rejection(), Some(&expected));
        assert_eq!(world.sber_server.recorder().count(REGISTER), 1);
    }
    assert_eq!(recorded(world.sber.guard()), (4, 0));
}

#[tokio::test]
async fn a_refused_connection_never_sent_the_request() {
    let world = World::new();
    world.sber_server.refuse().await;
    let once = broken(world.sber.deposit(transfer()).await);
    assert_eq!(once, (FaultKind::Connect, Delivery::NotSent));
    let error = world.sber.register_order(new_order("A-1")).await.unwrap_err();
    assert_eq!((error.attempts() as usize, error.delivery()), (ATTEMPTS, Delivery::NotSent));
    assert_eq!(recorded(world.sber.guard()), (4, 4));
    world.sber_server.listen_again().await;
    world.sber.deposit(transfer()).await.unwrap();
}

#[tokio::test]
async fn a_host_nobody_answers_at_is_given_up_at_the_connect_limit() {
    let hole = BlackHole::open().await.unwrap();
    let sber = sber_at(&hole.url(), HASTY);
    assert_eq!(late(sber.deposit(transfer()).await), (TimeoutPhase::Connect, Delivery::NotSent));
}

#[tokio::test]
async fn a_connection_that_ends_before_the_reply() {
    for fault in [Fault::Close, Fault::Reset] {
        let world = registering(fault.clone());
        let seen = broken(world.sber.register_order(new_order("A-1")).await);
        assert_eq!(seen, (FaultKind::Closed, Delivery::MaybeSent), "{fault:?}");
        assert_eq!(world.sber_server.recorder().count(REGISTER), ATTEMPTS, "{fault:?}");
    }
}

#[tokio::test]
async fn a_connection_that_ends_within_the_reply() {
    for fault in [Fault::ResetInBody { after: 10 }, Fault::Truncate { missing: 10 }] {
        let world = registering(fault.clone());
        let seen = broken(world.sber.register_order(new_order("A-1")).await);
        assert_eq!(seen, (FaultKind::Truncated, Delivery::MaybeSent), "{fault:?}");
        assert_eq!(world.sber_server.recorder().count(REGISTER), ATTEMPTS, "{fault:?}");
    }
}

#[tokio::test]
async fn a_reply_that_is_no_http() {
    let world = registering(Fault::NotHttp);
    let seen = broken(world.sber.register_order(new_order("A-1")).await);
    assert_eq!(seen, (FaultKind::Protocol, Delivery::MaybeSent));
}

#[tokio::test]
async fn a_reply_that_does_not_come_or_does_not_end() {
    let world = registering(Fault::Hang);
    assert_eq!(late(world.sber.register_order(new_order("A-1")).await), (TimeoutPhase::Reply, Delivery::MaybeSent));
    assert_eq!(world.sber_server.recorder().count(REGISTER), ATTEMPTS);
    let world = registering(Fault::StallInBody { first: 10 });
    assert_eq!(late(world.sber.register_order(new_order("A-1")).await), (TimeoutPhase::Body, Delivery::MaybeSent));
    assert_eq!(world.sber_server.recorder().count(REGISTER), ATTEMPTS);
}

#[tokio::test]
async fn a_reply_that_drips_is_taken_if_it_ends_in_time_and_given_up_if_not() {
    let world = registering(Fault::Drip { piece: 20, every: ms(30) });
    world.sber.register_order(new_order("A-1")).await.unwrap();
    // Never silent for as long as the read limit, and still longer than one attempt may take.
    let world = World::tuned(&format!("{HASTY}    retry: {{ max-attempts: 1 }}"));
    world.sber_server.script(REGISTER, Script::always(Fault::Drip { piece: 1, every: ms(100) }));
    let (phase, delivery) = late(world.sber.register_order(new_order("A-1")).await);
    assert!(matches!(phase, TimeoutPhase::Body | TimeoutPhase::Attempt), "{phase:?}");
    assert_eq!(delivery, Delivery::MaybeSent);
}

#[tokio::test]
async fn garbage_keeps_its_bytes_counts_and_is_not_asked_for_again() {
    let world = registering(Fault::GarbageBody);
    let error = world.sber.register_order(new_order("A-1")).await.unwrap_err();
    let CallError::Undecodable { status, reply, .. } = &error else { panic!("{error:?}") };
    assert_eq!((status.as_u16(), &reply.body[..]), (200, &b"<html>Bad Gateway</html>"[..]));
    assert_eq!(error.delivery(), Delivery::Answered);
    assert_eq!((world.sber_server.recorder().count(REGISTER), recorded(world.sber.guard())), (1, (1, 1)));
}

#[tokio::test]
async fn a_reply_of_the_wrong_shape_says_where_it_is_wrong() {
    let world = World::new();
    let wrong = json!({ "id": "O-1", "status": "accepted", "total": "a lot" });
    world.f6_server.script(CREATE_ORDER, Script::always(Answer::json(&wrong).with_status(201)));
    let error = world.f6.create_order(goods(), None).await.unwrap_err();
    let CallError::Undecodable { cause, .. } = &error else { panic!("{error:?}") };
    assert!(cause.to_string().contains("/total"), "{cause}");
}

#[tokio::test]
async fn a_reply_larger_than_allowed_is_given_up() {
    let world = registering(Fault::Huge { bytes: 64 * 1024 * 1024 });
    let seen = broken(world.sber.register_order(new_order("A-1")).await);
    assert_eq!(seen.0, FaultKind::ReplyTooLarge);
    assert_eq!(world.sber_server.recorder().count(REGISTER), 1);
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_no_credential_leaves_for_another_host() {
    let world = World::new();
    let elsewhere = MisbehavingServer::start().unwrap();
    let away = Answer::redirect(&format!("{}/steal", elsewhere.url()));
    world.sber_server.script_everywhere(Script::always(away.clone()));
    world.f6_server.script_everywhere(Script::always(away.with_status(307)));
    world.sber.deposit(transfer()).await.unwrap_err();
    world.sber.get_order_status(order_query()).await.unwrap_err();
    world.f6.list_procurements(procurements()).await.unwrap_err();
    assert_eq!(elsewhere.recorder().total(), 0);
}

#[tokio::test]
async fn credentials_arrive_where_the_document_wants_them() {
    let world = World::new();
    world.sber.deposit(transfer()).await.unwrap();
    world.f6.list_procurements(procurements()).await.unwrap();
    world.f6.exchange_ticket(ticket()).await.unwrap();
    let deposit = &world.sber_server.recorder().arrivals(DEPOSIT)[0];
    assert_eq!(deposit.form_field("userName").as_deref(), Some("shop"));
    assert_eq!(deposit.form_field("password").as_deref(), Some(PASSWORD));
    assert_eq!(deposit.form_field("token"), None);
    assert_eq!(deposit.form_field("amount").as_deref(), Some("15000"));
    let list = &world.f6_server.recorder().arrivals(LIST)[0];
    assert_eq!(list.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    assert_eq!(list.query, "storeId=S-7");
    assert_eq!(world.f6_server.recorder().arrivals(TICKET)[0].header("authorization"), None);
}

#[tokio::test]
async fn no_error_shows_a_secret() {
    let echo = |arrival: &cofferdam_tests::Arrival| Answer::status(500).with_body("text/plain", arrival.body.clone());
    let world = World::tuned(HASTY);
    world.sber_server.answers_with(DEPOSIT, echo);
    for fault in [Fault::SlowFirstByte(ms(0)), Fault::Close, Fault::Hang, Fault::NotHttp, Fault::GarbageBody] {
        world.sber_server.script(DEPOSIT, Script::always(fault.clone()));
        let error = world.sber.deposit(transfer()).await.unwrap_err();
        let shown = format!("{error} {error:?} {:?}", std::error::Error::source(&error).map(ToString::to_string));
        assert!(!shown.contains(PASSWORD), "{fault:?}: {shown}");
    }
    assert!(!format!("{:?}", world.f6).contains(TOKEN));
}

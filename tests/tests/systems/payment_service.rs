//! The company's payment service: an outcome that nobody knows is told as that, fifty calls a second are all, and the
//! breaker hears one record a call.

use std::time::Duration;

use cofferdam_example_committed::integrations::payment_service::domain::{
    ChargeRefused, ChargeResult, ChargeState, NewCharge,
};
use cofferdam_example_committed::integrations::payment_service::{
    Charging, PaymentServiceAdapter, PaymentServiceCredentials, PaymentServiceMapping,
};
use cofferdam_example_committed::money::{Currency, Money};
use cofferdam_runtime::settings::LayerOrder;
use cofferdam_runtime::{Delivery, IdempotencyKey};
use cofferdam_tests::{Answer, Fault, MisbehavingServer, Script};
use serde_json::json;

use crate::stage::{SOON, as_they_are, recorded, settings};

const CHARGES: &str = "/charges";
const FOUND: &str = "/charges/A-1";

fn service() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    let charge =
        json!({ "chargeId": "CH-1", "orderId": "A-1", "state": "captured", "amount": 15_000, "currency": "EUR" });
    server.answers(CHARGES, Answer::json(&charge).with_status(201));
    server.answers(FOUND, Answer::json(&charge));
    server
}

fn charging(server: &MisbehavingServer, more: &[(&str, &str)]) -> PaymentServiceAdapter<PaymentServiceMapping> {
    let settings = settings("payment-service", &server.url(), &[&[SOON], more].concat());
    PaymentServiceAdapter::connect(&settings, PaymentServiceCredentials::new(), PaymentServiceMapping).unwrap()
}

fn new_charge() -> NewCharge {
    NewCharge { order: "A-1".into(), card: "C-7".into(), amount: Money::minor(15_000, Currency::Eur) }
}

/// Charges by the port: the adapter has a method of the same name.
async fn charge(port: &impl Charging, key: &str) -> Result<ChargeResult, String> {
    port.charge(new_charge(), IdempotencyKey::new(key)).await.map_err(|failure| format!("{failure:?}"))
}

#[tokio::test]
async fn a_charge_without_an_answer_is_unconfirmed_and_found_out_about_later() {
    let server = service();
    let charging = charging(&server, &[]);
    server.script(CHARGES, Script::always(Fault::Close));
    let ChargeResult::Unconfirmed { order, delivery, code } = charge(&charging, "A-1").await.unwrap() else { panic!() };
    assert_eq!((order.as_str(), delivery, code), ("A-1", Delivery::MaybeSent, 30_505));
    let found = charging.find("A-1".into()).await.unwrap();
    assert_eq!((found.state, found.amount), (ChargeState::Captured, Money::minor(15_000, Currency::Eur)));
}

#[tokio::test]
async fn a_charge_that_surely_was_not_made_is_unconfirmed_too_and_says_so() {
    let server = service();
    let charging = charging(&server, &[]);
    server.refuse().await;
    let result = charge(&charging, "A-1").await.unwrap();
    assert!(matches!(result, ChargeResult::Unconfirmed { delivery: Delivery::NotSent, .. }), "{result:?}");
}

#[tokio::test]
async fn a_charge_that_hangs_is_unconfirmed_after_its_time_limits() {
    let server = service();
    let charging = charging(&server, &[("RETRY__MAX_ATTEMPTS", "1")]);
    server.script(CHARGES, Script::always(Fault::Hang));
    let result = charge(&charging, "A-1").await.unwrap();
    assert!(matches!(result, ChargeResult::Unconfirmed { code: 30_504, .. }), "{result:?}");
}

#[tokio::test]
async fn a_declined_card_is_a_no_and_nothing_stands_in_for_it() {
    let server = service();
    let charging = charging(&server, &[]);
    let declined = Answer::json(&json!({ "reason": "insufficient_funds" })).with_status(402);
    server.script(CHARGES, Script::always(declined));
    let failure = Charging::charge(&charging, new_charge(), IdempotencyKey::new("A-1")).await.unwrap_err();
    assert_eq!(failure.refusal(), Some(&ChargeRefused::Declined("insufficient_funds".into())));
    assert_eq!((server.recorder().count(CHARGES), recorded(charging.guard())), (1, (0, 0)));
}

#[tokio::test]
async fn a_charge_that_is_made_is_a_charge() {
    let server = service();
    let charging = charging(&server, &[]);
    server.script(CHARGES, Script::times(2, Answer::status(503)));
    let ChargeResult::Made(made) = charge(&charging, "A-1").await.unwrap() else { panic!() };
    assert_eq!((made.id.as_str(), made.state), ("CH-1", ChargeState::Captured));
    let keys: Vec<_> =
        server.recorder().arrivals(CHARGES).into_iter().map(|one| one.headers["idempotency-key"].clone()).collect();
    assert_eq!(keys, ["A-1", "A-1", "A-1"]);
}

#[tokio::test]
async fn the_breaker_stands_outside_the_retry_and_hears_one_record_a_call() {
    let server = service();
    let charging = charging(&server, &[]);
    server.script(CHARGES, Script::times(4, Answer::status(503)));
    let result = charge(&charging, "A-1").await.unwrap();
    assert!(matches!(result, ChargeResult::Unconfirmed { .. }));
    assert_eq!((server.recorder().count(CHARGES), recorded(charging.guard())), (3, (1, 1)));
    // A call that succeeds at its second attempt is a success, and nothing else.
    let result = charge(&charging, "A-2").await.unwrap();
    assert!(matches!(result, ChargeResult::Made(_)));
    assert_eq!((server.recorder().count(CHARGES), recorded(charging.guard())), (5, (2, 1)));
    assert_eq!(as_they_are().system("payment-service").unwrap().load().order, LayerOrder::BreakerOutside);
}

#[tokio::test]
async fn fifty_calls_a_second_are_all_and_the_rest_never_leave_us() {
    let quota = as_they_are().system("payment-service").unwrap().load().rate_limit.unwrap();
    assert_eq!((quota.limit, quota.period), (50, Duration::from_secs(1)));
    let server = service();
    // The same quota for longer, so that no new period begins while the test runs.
    let charging = charging(&server, &[("RATE_LIMIT__PERIOD", "1h")]);
    let (mut made, mut unsent) = (0, 0);
    for n in 0..60 {
        match charge(&charging, &format!("A-{n}")).await.unwrap() {
            ChargeResult::Made(_) => made += 1,
            ChargeResult::Unconfirmed { delivery: Delivery::NotSent, code: 30_503, .. } => unsent += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((made, unsent, server.recorder().count(CHARGES)), (50, 10, 50));
    assert_eq!(recorded(charging.guard()), (20, 0), "a refusal of our own says nothing about the system");
}

//! The payment gateway: money is held, taken and given back; errors stand in the body of a 200.

use cofferdam_example_committed::integrations::failure::Failure;
use cofferdam_example_committed::integrations::sber::domain::{
    Cancellation, Currency, Money, NewOrder, OrderQuery, PaymentRefused, PaymentState, Transfer,
};
use cofferdam_example_committed::integrations::sber::{PaymentPort, SberAdapter, SberCredentials, SberMapping};
use cofferdam_runtime::breaker::BreakerState;
use cofferdam_runtime::{CallError, Delivery};
use cofferdam_tests::{Answer, Fault, MisbehavingServer, Script};
use serde_json::json;

use crate::stage::{SOON, recorded, settings, without};

const PRE_AUTH: &str = "/payment/rest/registerPreAuth.do";
const STATUS: &str = "/payment/rest/getOrderStatusExtended.do";
const DEPOSIT: &str = "/payment/rest/deposit.do";
const REVERSE: &str = "/payment/rest/reverse.do";
const REFUND: &str = "/payment/rest/refund.do";

fn gateway() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    server.answers(PRE_AUTH, Answer::json(&json!({ "orderId": "G-1", "formUrl": "https://pay.example/G-1" })));
    let held = json!({ "errorCode": "0", "orderNumber": "A-1", "orderStatus": 1, "amount": 15_000, "currency": "978" });
    server.answers(STATUS, Answer::json(&held));
    for path in [DEPOSIT, REVERSE, REFUND] {
        server.answers(path, Answer::json(&json!({ "errorCode": "0" })));
    }
    server
}

fn sber(server: &MisbehavingServer) -> SberAdapter<SberMapping> {
    let settings = settings("sber", &format!("{}/payment/rest", server.url()), &[SOON]);
    SberAdapter::connect(&settings, SberCredentials::new().token("t0k3n"), SberMapping).unwrap()
}

fn order(amount: Money) -> NewOrder {
    NewOrder { number: "A-1".into(), amount, return_url: "https://shop.example/".into(), description: None }
}

fn transfer(minor: i64) -> Transfer {
    Transfer { order_id: "G-1".into(), amount: Money::rub(minor) }
}

fn says(code: &str) -> Script {
    Script::always(Answer::json(&json!({ "errorCode": code, "errorMessage": "words of the gateway" })))
}

#[tokio::test]
async fn a_two_phase_payment_is_held_taken_in_part_and_given_back() {
    let server = gateway();
    let sber = sber(&server);
    let held = sber.register_to_hold(order(Money::rub(15_000))).await.unwrap();
    assert_eq!((held.id.as_str(), held.payment_page.as_str()), ("G-1", "https://pay.example/G-1"));
    sber.take(transfer(10_000)).await.unwrap();
    sber.give_back(transfer(2_500)).await.unwrap();
    let sent = |path: &str| server.recorder().arrivals(path).remove(0).form_field("amount");
    assert_eq!(sent(PRE_AUTH).as_deref(), Some("15000"));
    assert_eq!((sent(DEPOSIT).as_deref(), sent(REFUND).as_deref()), (Some("10000"), Some("2500")));
}

#[tokio::test]
async fn a_two_phase_payment_is_held_and_released() {
    let server = gateway();
    let sber = sber(&server);
    sber.register_to_hold(order(Money::rub(15_000))).await.unwrap();
    sber.release(Cancellation { order_id: "G-1".into() }).await.unwrap();
    let released = server.recorder().arrivals(REVERSE).remove(0);
    assert_eq!(released.form_field("orderId").as_deref(), Some("G-1"));
    assert_eq!(server.recorder().count(DEPOSIT), 0);
}

#[tokio::test]
async fn a_deposit_refund_or_release_whose_answer_is_lost_is_in_doubt_sent_once_and_found_out_about() {
    let server = gateway();
    let sber = sber(&server);
    for path in [DEPOSIT, REFUND, REVERSE] {
        server.script(path, Script::always(Fault::Close));
    }
    let answers = [
        (DEPOSIT, sber.take(transfer(15_000)).await),
        (REFUND, sber.give_back(transfer(15_000)).await),
        (REVERSE, sber.release(Cancellation { order_id: "G-1".into() }).await),
    ];
    for (path, answer) in answers {
        let Err(Failure::InDoubt(error)) = answer else { panic!("{path}: {answer:?}") };
        assert_eq!((error.delivery(), server.recorder().count(path)), (Delivery::MaybeSent, 1));
    }
    let payment = sber.payment(OrderQuery::Id("G-1".into())).await.unwrap();
    assert_eq!(payment.state, PaymentState::Held);
}

#[tokio::test]
async fn an_error_in_the_body_of_a_200_is_a_no_with_a_number_of_ours_and_no_words_of_the_gateway() {
    let server = gateway();
    let sber = sber(&server);
    server.script(REFUND, says("5"));
    let failure = sber.give_back(transfer(2_500)).await.unwrap_err();
    assert!(matches!(failure, Failure::Refused { why: PaymentRefused::WrongValue, code: 30_107 }), "{failure:?}");
    assert!(!format!("{failure} {failure:?}").contains("words of the gateway"));
    assert_eq!((server.recorder().count(REFUND), recorded(sber.guard())), (1, (1, 0)));
}

#[tokio::test]
async fn the_gateways_own_failure_in_a_200_leaves_a_movement_of_money_in_doubt() {
    let server = gateway();
    let sber = sber(&server);
    server.script(DEPOSIT, says("7"));
    let failure = sber.take(transfer(15_000)).await.unwrap_err();
    assert!(matches!(failure, Failure::InDoubt(_)), "{failure:?}");
    assert_eq!((server.recorder().count(DEPOSIT), recorded(sber.guard())), (1, (1, 1)));
}

#[tokio::test]
async fn money_is_whole_minor_units_of_a_currency_that_is_known() {
    let server = gateway();
    let sber = sber(&server);
    let payment = sber.payment(OrderQuery::Number("A-1".into())).await.unwrap();
    assert_eq!(payment.amount, Money::minor(15_000, Currency::Eur));
    sber.register_to_hold(order(Money::minor(1, Currency::Usd))).await.unwrap();
    assert_eq!(server.recorder().arrivals(PRE_AUTH).remove(0).form_field("currency").as_deref(), Some("840"));
    // Nothing, less than nothing: a deposit of 0 would take all that is held.
    for minor in [0, -1] {
        let failure = sber.take(transfer(minor)).await.unwrap_err();
        assert!(matches!(failure, Failure::Unavailable(CallError::Mapping { .. })), "{failure:?}");
    }
    assert_eq!(server.recorder().count(DEPOSIT), 0);
    let odd = json!({ "errorCode": "0", "orderNumber": "A-1", "orderStatus": 1, "amount": 15_000, "currency": "999" });
    server.script(STATUS, Script::always(Answer::json(&odd)));
    let failure = sber.payment(OrderQuery::Number("A-1".into())).await.unwrap_err();
    assert!(matches!(failure, Failure::Failed(CallError::Mapping { .. })), "{failure:?}");
}

#[tokio::test]
async fn three_failures_of_ten_open_the_breaker_because_money_moves_here() {
    let server = gateway();
    let sber = sber(&server);
    for _ in 0..7 {
        sber.take(transfer(1)).await.unwrap();
    }
    server.script(DEPOSIT, Script::always(Answer::status(500)));
    for _ in 0..3 {
        assert_eq!(sber.guard().breaker().state(), BreakerState::Closed);
        sber.take(transfer(1)).await.unwrap_err();
    }
    assert_eq!(sber.guard().breaker().state(), BreakerState::Open);
    let failure = sber.take(transfer(1)).await.unwrap_err();
    assert!(matches!(failure, Failure::Unavailable(CallError::CircuitOpen { .. })), "{failure:?}");
    assert_eq!((failure.code(), server.recorder().count(DEPOSIT)), (30_101, 10));
}

#[test]
fn the_threshold_of_30_percent_needs_its_reason() {
    let refused = without("reason: money moves here, so stop early rather than pull on a failing gateway");
    assert!(refused.contains("R-RES-CB-3"), "{refused}");
}

//! The insurer: a quote is a POST that only reads, issuing has a key, the document is a stream, and it is slow before it
//! fails.

use std::time::Duration;

use cofferdam_example_committed::integrations::failure::Failure;
use cofferdam_example_committed::integrations::insurance::domain::{Acceptance, PolicyState, Product, Wish};
use cofferdam_example_committed::integrations::insurance::{
    InsuranceAdapter, InsuranceCredentials, InsuranceMapping, Insurer,
};
use cofferdam_example_committed::money::Money;
use cofferdam_runtime::breaker::BreakerState;
use cofferdam_runtime::http::ClientCredentials;
use cofferdam_runtime::{CallError, Date, FaultKind, IdempotencyKey};
use cofferdam_tests::{Answer, Fault, MisbehavingServer, Script};
use serde_json::json;

use crate::stage::{SOON, recorded, settings};

const TOKEN: &str = "/v1/oauth/token";
const QUOTES: &str = "/v1/quotes";
const POLICIES: &str = "/v1/policies";
const DOCUMENT: &str = "/v1/policies/P-1/document";
/// More than a whole reply may be.
const LARGE: usize = 12 << 20;

fn insurer() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    server.answers(TOKEN, Answer::json(&json!({ "access_token": "T", "token_type": "bearer", "expires_in": 3600 })));
    let quote = json!({ "quoteId": "Q-1", "premium": 32_000, "currency": "RUB", "validUntil": "2026-09-01T23:59:59Z" });
    server.answers(QUOTES, Answer::json(&quote));
    let policy = json!({
        "policyId": "P-1", "number": "TR 001-2026", "state": "active", "premium": 32_000, "currency": "RUB",
        "comment": null,
    });
    server.answers(POLICIES, Answer::json(&policy).with_status(201));
    server.answers(DOCUMENT, Answer::status(200).with_body("application/pdf", vec![b'%'; LARGE]));
    server
}

fn insurance(server: &MisbehavingServer, more: &[(&str, &str)]) -> InsuranceAdapter<InsuranceMapping> {
    let settings = settings("insurance", &format!("{}/v1", server.url()), &[&[SOON], more].concat());
    let partner = ClientCredentials::new("shop", "s3cret").token_url(format!("{}{TOKEN}", server.url()));
    InsuranceAdapter::connect(&settings, InsuranceCredentials::new().partner(partner), InsuranceMapping).unwrap()
}

fn wish() -> Wish {
    let from = Date::from_ymd_opt(2026, 9, 1).unwrap();
    Wish { product: Product::TicketRefund, amount: Money::rub(640_000), from, birth_years: vec![1990] }
}

fn acceptance() -> Acceptance {
    let (name, email) = ("A. Buyer".into(), "buyer@shop.example".into());
    Acceptance { offer: "Q-1".into(), order: "A-1".into(), name, email }
}

#[tokio::test]
async fn a_quote_is_a_post_that_is_asked_for_again_like_a_read() {
    let server = insurer();
    let insurance = insurance(&server, &[]);
    server.script(QUOTES, Script::times(1, Answer::status(503)).then(1, Fault::Close));
    let offer = insurance.offer(wish()).await.unwrap();
    assert_eq!((offer.id.as_str(), offer.premium), ("Q-1", Money::rub(32_000)));
    assert_eq!(server.recorder().count(QUOTES), 3);
    assert!(server.recorder().arrivals(QUOTES).iter().all(|one| one.method == "POST"));
}

#[tokio::test]
async fn a_policy_is_issued_once_for_a_key_and_two_attempts_are_all() {
    let server = insurer();
    let insurance = insurance(&server, &[]);
    server.script(POLICIES, Script::times(1, Fault::Close));
    let policy = insurance.issue(acceptance(), IdempotencyKey::new("A-1")).await.unwrap();
    assert_eq!((policy.state, policy.number.as_str()), (PolicyState::Active, "TR 001-2026"));
    let arrivals = server.recorder().arrivals(POLICIES);
    let keys: Vec<_> = arrivals.iter().filter_map(|arrival| arrival.header("idempotency-key")).collect();
    assert_eq!(keys, ["A-1", "A-1"]);
    server.recorder().clear();
    server.script(POLICIES, Script::always(Fault::Close));
    let failure = insurance.issue(acceptance(), IdempotencyKey::new("A-2")).await.unwrap_err();
    assert!(matches!(failure, Failure::InDoubt(_)), "{failure:?}");
    assert_eq!(server.recorder().count(POLICIES), 2);
}

#[tokio::test]
async fn a_document_comes_in_pieces_however_large_it_is() {
    let server = insurer();
    let insurance = insurance(&server, &[]);
    let mut document = insurance.document("P-1".into()).await.unwrap();
    let (mut pieces, mut bytes, mut largest) = (0, 0, 0);
    while let Some(piece) = document.next().await {
        let piece = piece.unwrap();
        pieces += 1;
        bytes += piece.len();
        largest = largest.max(piece.len());
    }
    assert_eq!(bytes, LARGE);
    assert!(pieces > 10 && largest < LARGE / 4, "{pieces} pieces, the largest of {largest} bytes");
    let error = insurance.download_policy("P-1".into()).await.unwrap_err();
    let CallError::Transport { fault, .. } = &error else { panic!("{error:?}") };
    assert_eq!(fault.kind(), FaultKind::ReplyTooLarge, "as a whole it is more than a reply may be");
}

#[tokio::test]
async fn a_document_that_breaks_off_says_so_and_counts_as_a_failure() {
    let server = insurer();
    let insurance = insurance(&server, &[]);
    server.script(DOCUMENT, Script::always(Fault::ResetInBody { after: 100_000 }));
    let mut document = insurance.document("P-1".into()).await.unwrap();
    let mut bytes = 0;
    let broken = loop {
        match document.next().await {
            Some(Ok(piece)) => bytes += piece.len(),
            Some(Err(error)) => break error,
            None => panic!("it ended as if it were whole, after {bytes} bytes"),
        }
    };
    assert!(bytes <= 100_000, "{broken:?}");
    assert_eq!(recorded(insurance.guard()).1, 1);
}

#[tokio::test]
async fn calls_that_are_slow_and_succeed_open_the_breaker_before_any_fails() {
    let server = insurer();
    let insurance = insurance(&server, &[("BREAKER__SLOW_CALL_DURATION_THRESHOLD", "100ms")]);
    insurance.offer(wish()).await.unwrap();
    server.script(QUOTES, Script::always(Fault::SlowFirstByte(Duration::from_millis(300))));
    let one = || async { insurance.offer(wish()).await.map(|_| ()) };
    let answers = tokio::join!(one(), one(), one(), one(), one(), one(), one(), one(), one());
    let (a, b, c, d, e, f, g, h, i) = answers;
    assert!([a, b, c, d, e, f, g, h, i].iter().all(Result::is_ok));
    let metrics = insurance.guard().breaker().metrics();
    assert_eq!((metrics.state, metrics.failed), (BreakerState::Open, 0));
    let failure = insurance.offer(wish()).await.unwrap_err();
    assert!(matches!(failure, Failure::Unavailable(CallError::CircuitOpen { .. })), "{failure:?}");
    assert_eq!((failure.code(), server.recorder().count(QUOTES)), (30_301, 10));
}

#[tokio::test]
async fn a_partner_signs_in_once_for_all_calls() {
    let server = insurer();
    let insurance = insurance(&server, &[]);
    let (offer, policy) =
        tokio::join!(insurance.offer(wish()), insurance.issue(acceptance(), IdempotencyKey::random()));
    offer.unwrap();
    policy.unwrap();
    assert_eq!(server.recorder().count(TOKEN), 1);
    assert_eq!(server.recorder().arrivals(QUOTES)[0].header("authorization"), Some("Bearer T"));
}

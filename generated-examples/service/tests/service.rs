//! The service, asked as the world and as operators ask it, among servers that misbehave.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

mod stage;

use axum::http::StatusCode;
use cofferdam_runtime::breaker::BreakerState;
use cofferdam_testing::{Answer, Fault, Script};
use serde_json::json;

use crate::stage::{Stage, TOKEN, order};

const REGISTER: &str = "/payment/rest/register.do";
const STATUS: &str = "/payment/rest/getOrderStatusExtended.do";
const REFUND: &str = "/payment/rest/refund.do";
const QUOTES: &str = "/v1/quotes";
const POLICIES: &str = "/v1/policies";
const SELL: &str = "/fiscal/v4/shop/sell";

#[tokio::test]
async fn an_order_is_insured_registered_paid_and_gets_its_policy_and_receipt() {
    let stage = Stage::new();
    let placed = stage.post("/orders", &order("A-1", true)).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{placed:?}");
    assert_eq!((&placed.body["totalMinor"], &placed.body["policy"]["state"]), (&json!(672_000), &json!("offered")));
    assert_eq!(placed.body["paymentPage"], "https://pay.example/G-1");
    stage.sber.answers(STATUS, stage::payment(0));
    assert_eq!(stage.get("/orders/A-1").await.body["payment"], "waiting");
    stage.sber.answers(STATUS, stage::payment(2));
    let paid = stage.get("/orders/A-1").await.body;
    assert_eq!((&paid["payment"], &paid["receipt"]["state"]), (&json!("paid"), &json!("handed_in")));
    assert_eq!(paid["policy"], json!({ "state": "issued", "id": "TR 001-2026" }));
    let done = stage.get("/orders/A-1").await.body;
    assert_eq!(done["receipt"], json!({ "state": "written", "id": "4711" }));
    let receipt = stage.receipt.recorder().arrivals(SELL).remove(0).json().unwrap();
    assert_eq!((&receipt["externalId"], &receipt["receipt"]["total"]), (&json!("A-1"), &json!(672_000)));
    assert_eq!(stage.insurance.recorder().arrivals(POLICIES)[0].header("idempotency-key"), Some("A-1"));
}

#[tokio::test]
async fn an_order_sent_twice_is_one_order_and_another_one_under_its_number_is_a_conflict() {
    let stage = Stage::new();
    stage.post("/orders", &order("A-1", false)).await;
    let again = stage.post("/orders", &order("A-1", false)).await;
    assert_eq!((again.status, stage.sber.recorder().count(REGISTER)), (StatusCode::CREATED, 1));
    let other = stage.post("/orders", &order("A-1", true)).await;
    assert_eq!((other.status, &other.body["code"]), (StatusCode::CONFLICT, &json!(10_002)));
    let empty = json!({ "number": "A-2", "email": "e", "name": "n", "lines": [] });
    assert_eq!(stage.post("/orders", &empty).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(stage.get("/orders/A-9").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_order_whose_registration_was_lost_is_found_again_by_its_number() {
    let stage = Stage::new();
    stage.sber.script(REGISTER, Script::always(Fault::Close));
    let lost = stage.post("/orders", &order("A-1", false)).await;
    assert_eq!(lost.status, StatusCode::BAD_GATEWAY);
    assert_eq!(lost.body["title"], "it is not known whether it was done");
    let known = Answer::json(&json!({ "errorCode": "1", "errorMessage": "registered already" }));
    stage.sber.script(REGISTER, Script::always(known));
    let found = stage.post("/orders", &order("A-1", false)).await;
    assert_eq!((found.status, &found.body["paymentPage"]), (StatusCode::CREATED, &json!("https://pay.example/G-1")));
}

#[tokio::test]
async fn without_the_insurer_an_order_goes_on_uninsured() {
    let stage = Stage::new();
    stage.insurance.script(QUOTES, Script::always(Answer::status(503)));
    let placed = stage.post("/orders", &order("A-1", true)).await;
    assert_eq!(placed.status, StatusCode::CREATED);
    assert_eq!(placed.body["policy"], json!({ "state": "unavailable", "error": 30_306 }));
    assert_eq!(placed.body["totalMinor"], 640_000);
}

#[tokio::test]
async fn a_paid_order_waits_for_its_receipt_and_gets_it_later() {
    let stage = Stage::new();
    stage.post("/orders", &order("A-1", false)).await;
    stage.sber.answers(STATUS, stage::payment(2));
    stage.receipt.script(SELL, Script::always(Answer::status(503)));
    let due = stage.get("/orders/A-1").await;
    assert_eq!((due.status, &due.body["receipt"]), (StatusCode::OK, &json!({ "state": "none", "error": 30_406 })));
    stage.receipt.behave();
    assert_eq!(stage.get("/orders/A-1").await.body["receipt"]["state"], "handed_in");
}

#[tokio::test]
async fn a_payment_that_was_seen_stays_paid_while_the_gateway_is_away() {
    let stage = Stage::new();
    stage.post("/orders", &order("A-1", false)).await;
    stage.sber.answers(STATUS, stage::payment(2));
    stage.get("/orders/A-1").await;
    stage.sber.script(STATUS, Script::always(Answer::status(500)));
    let old = stage.get("/orders/A-1").await;
    assert_eq!((old.status, &old.body["payment"]), (StatusCode::OK, &json!("paid")));
    assert!(old.body["paymentAsOfSeconds"].is_u64(), "{old:?}");
}

#[tokio::test]
async fn money_goes_back_once_whatever_became_of_the_answer() {
    let stage = Stage::new();
    stage.post("/orders", &order("A-1", false)).await;
    let early = stage.post("/orders/A-1/refund", &json!(null)).await;
    assert_eq!((early.status, &early.body["code"]), (StatusCode::CONFLICT, &json!(10_004)));
    stage.sber.answers(STATUS, stage::payment(2));
    stage.get("/orders/A-1").await;
    stage.sber.script(REFUND, Script::always(Fault::Close));
    let lost = stage.post("/orders/A-1/refund", &json!(null)).await;
    assert_eq!(lost.body["title"], "it is not known whether it was done");
    assert_eq!(stage.post("/orders/A-1/refund", &json!(null)).await.status, StatusCode::CONFLICT);
    assert_eq!(stage.get("/orders/A-1").await.body["payment"], "refunding");
    stage.sber.answers(STATUS, stage::payment(4));
    assert_eq!(stage.get("/orders/A-1").await.body["payment"], "refunded");
    assert_eq!(stage.sber.recorder().count(REFUND), 1);
}

#[tokio::test]
async fn each_failure_has_its_status_its_number_and_no_word_of_the_system() {
    let stage = Stage::new();
    let words = json!({ "errorCode": "5", "errorMessage": "merchant 4711 is broke" });
    let cases = [
        (Script::always(Answer::json(&words)), 409, 30_107),
        (Script::always(Answer::status(500).with_body("text/plain", "merchant 4711 is broke")), 502, 30_106),
        (Script::always(Fault::GarbageBody), 502, 30_109),
        (Script::always(Fault::Hang), 504, 30_104),
    ];
    for (n, (script, status, code)) in cases.into_iter().enumerate() {
        stage.sber.script(REGISTER, script);
        let answer = stage.post("/orders", &order(&format!("A-{n}"), false)).await;
        assert_eq!((answer.status.as_u16(), &answer.body["code"]), (status, &json!(code)), "{answer:?}");
        assert_eq!(answer.content_type, "application/problem+json");
        assert!(!answer.body.to_string().contains("4711"), "{answer:?}");
    }
    stage.service.systems.sber.guard().breaker().transition_to_open().unwrap();
    let open = stage.post("/orders", &order("A-9", false)).await;
    assert_eq!((open.status.as_u16(), &open.body["code"]), (503, &json!(30_101)));
    assert!(open.body["retryAfterSeconds"].as_u64().is_some_and(|wait| (1..=30).contains(&wait)), "{open:?}");
}

#[tokio::test]
async fn the_workbench_is_there_with_three_tiles_when_one_system_hangs() {
    let stage = Stage::new();
    let whole = stage.get("/workbench/S-7").await.body;
    assert_eq!((&whole["degraded"], &whole["orders"]["value"]["ready"]), (&json!(false), &json!(11)));
    stage.mini.script("/o2o/orders/summary", Script::always(Fault::Hang));
    let page = stage.get("/workbench/S-7").await;
    assert_eq!((page.status, &page.body["degraded"]), (StatusCode::OK, &json!(true)));
    assert_eq!(page.body["orders"], json!({ "value": null, "error": 30_604 }));
    assert_eq!(page.body["store"], whole["store"]);
}

#[tokio::test]
async fn health_tells_the_process_all_systems_and_each() {
    let stage = Stage::new();
    let up = stage.internal("GET", "/health/readiness", "", None).await;
    assert_eq!((up.status, up.body["systems"].as_array().map(Vec::len)), (StatusCode::OK, Some(10)));
    assert_eq!(stage.internal("GET", "/health/sber", "", None).await.body["probe"]["outcome"], "answered");
    stage.service.systems.f6.adapter().guard().breaker().transition_to_forced_open();
    let degraded = stage.internal("GET", "/health/readiness", "", None).await;
    assert_eq!((degraded.status, &degraded.body["status"]), (StatusCode::OK, &json!("degraded")));
    stage.service.systems.sber.guard().breaker().transition_to_forced_open();
    let down = stage.internal("GET", "/health/readiness", "", None).await;
    assert_eq!((down.status, &down.body["status"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("down")));
    let alive = stage.internal("GET", "/health/liveness", "", None).await;
    assert_eq!((alive.status, &alive.body["status"]), (StatusCode::OK, &json!("up")));
}

#[tokio::test]
async fn metrics_are_those_of_all_ten() {
    let stage = Stage::new();
    stage.post("/orders", &order("A-1", false)).await;
    let scrape = stage.internal("GET", "/metrics", "", None).await.text;
    for system in stage.service.systems.guards().map(|guard| guard.system()) {
        assert!(
            scrape.contains(&format!("resilience4j_circuitbreaker_state{{name=\"{system}\",state=\"closed\"}}")),
            "{system}"
        );
    }
    assert!(
        scrape.contains("resilience4j_circuitbreaker_calls_seconds_count{name=\"sber\",kind=\"successful\"}"),
        "{scrape}"
    );
}

#[tokio::test]
async fn an_operator_forces_a_breaker_and_lets_it_go_and_nobody_else_does() {
    let stage = Stage::new();
    let path = "/operator/systems/sber/breaker";
    let breaker = stage.service.systems.sber.guard().breaker();
    for (wish, state) in [
        ("forced-open", BreakerState::ForcedOpen),
        ("forced-closed", BreakerState::Disabled),
        ("metrics-only", BreakerState::MetricsOnly),
        ("automatic", BreakerState::Closed),
    ] {
        let body = json!({ "state": wish }).to_string();
        let refused = stage.internal("POST", path, &body, Some("let-me-in")).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
        assert_ne!(breaker.state(), state, "before an operator says so");
        let done = stage.internal("POST", path, &body, Some(TOKEN)).await;
        assert_eq!((done.status, breaker.state()), (StatusCode::OK, state), "{done:?}");
    }
    let odd = stage.internal("POST", path, r#"{"state":"ajar"}"#, Some(TOKEN)).await;
    assert_eq!((odd.status, &odd.body["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!(10_009)));
    let body = r#"{"state":"automatic"}"#;
    let unknown = stage.internal("POST", "/operator/systems/sbr/breaker", body, Some(TOKEN)).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    // What the settings have off stays off when it goes by the settings.
    stage.internal("POST", "/operator/systems/o2o/breaker", r#"{"state":"forced-open"}"#, Some(TOKEN)).await;
    stage.internal("POST", "/operator/systems/o2o/breaker", body, Some(TOKEN)).await;
    assert_eq!(stage.service.systems.mini.o2o.guard().breaker().state(), BreakerState::Disabled);
}

#[tokio::test]
async fn the_operators_page_needs_nothing_but_itself_and_begins_with_the_past() {
    let stage = Stage::new();
    let page = stage.internal("GET", "/operator", "", None).await.text;
    for elsewhere in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
    stage.service.watch.look(&stage.service);
    let events = stage.first_event().await;
    let past = events.strip_prefix("event: past\ndata: ").and_then(|rest| rest.strip_suffix("\n\n")).unwrap();
    let past: serde_json::Value = serde_json::from_str(past).unwrap();
    let sber = past[0]["systems"].as_array().unwrap().iter().find(|system| system["name"] == "sber").unwrap();
    assert_eq!((&sber["state"], &sber["failureThreshold"]), (&json!("closed"), &json!(30.0)));
    assert_eq!(past[0]["systems"].as_array().unwrap().len(), 10);
}

#[tokio::test]
async fn settings_are_reloaded_as_a_whole_or_not_at_all() {
    let stage = Stage::new();
    let reload = || stage.internal("POST", "/operator/settings/reload", "", Some(TOKEN));
    assert_eq!(stage.internal("POST", "/operator/settings/reload", "", None).await.status, StatusCode::UNAUTHORIZED);
    stage.rewrite_settings(|text| text.replace("failure-rate-threshold: 30", "failure-rate-threshold: 40"));
    let taken = reload().await.body;
    assert_eq!((&taken["taken"], &taken["changes"][0]["system"]), (&json!(true), &json!("sber")), "{taken}");
    stage.rewrite_settings(|text| text.replace("failure-rate-threshold: 40", "failure-rate-threshold: 400"));
    let refused = reload().await.body;
    assert_eq!(refused["taken"], json!(false));
    let settings = stage.service.systems.sber.guard().settings().load();
    assert_eq!(settings.breaker.config.failure_rate_threshold, 40.0);
}

//! A service among servers of its own.

use std::sync::OnceLock;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use axum::response::Response;
use axum::{Router, extract::Request as AnyRequest};
use cofferdam_runtime::Settings;
use cofferdam_service::routes;
use cofferdam_service::systems::{Secrets, Service, Shared};
use cofferdam_testing::{Answer, MisbehavingServer};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tower::ServiceExt as _;

/// What an operator shows.
pub(crate) const TOKEN: &str = "battery-staple";

const UUID: &str = "0197a3c4-5d6e-7f80-9a1b-2c3d4e5f6071";

/// The service and its surroundings. What a test has no use for is one server that stands for all of them.
pub(crate) struct Stage {
    pub(crate) sber: MisbehavingServer,
    pub(crate) insurance: MisbehavingServer,
    pub(crate) receipt: MisbehavingServer,
    pub(crate) mini: MisbehavingServer,
    pub(crate) service: Shared,
    settings: NamedTempFile,
}

/// An answer, with its body as it came and as JSON where it is some.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: StatusCode,
    pub(crate) content_type: String,
    pub(crate) text: String,
    pub(crate) body: Value,
}

/// An order of two tickets.
pub(crate) fn order(number: &str, insure: bool) -> Value {
    let lines = json!([{ "name": "Ticket", "price": 320_000, "quantity": 2 }]);
    json!({ "number": number, "email": "b@shop.example", "name": "A. Buyer", "lines": lines, "insure": insure })
}

/// A payment in a state of the gateway's.
pub(crate) fn payment(state: u32) -> Answer {
    Answer::json(&json!({
        "errorCode": "0", "orderNumber": "A-1", "orderStatus": state, "amount": 640_000, "currency": "643",
        "attributes": [{ "name": "mdOrder", "value": "G-1" }],
    }))
}

impl Stage {
    pub(crate) fn new() -> Self {
        let (sber, insurance, receipt, mini) = (sber(), insurance(), receipt(), mini());
        let settings = NamedTempFile::new().unwrap();
        std::fs::write(&settings, text(&sber, &insurance, &receipt, &mini)).unwrap();
        let secrets = Secrets {
            sber_token: "s".to_owned(),
            organiser_key: "o".to_owned(),
            insurer: ("i".to_owned(), Some(format!("{}/v1/oauth/token", insurance.url()))),
            receipt_password: "r".to_owned(),
            operator_token: Some(TOKEN.to_owned()),
        };
        let loaded = Settings::load(settings.path()).unwrap_or_else(|faults| panic!("{faults}"));
        let service = Service::new(loaded, &secrets, prometheus()).unwrap();
        Self { sber, insurance, receipt, mini, service, settings }
    }

    pub(crate) async fn get(&self, path: &str) -> Said {
        said(routes::public(self.service.clone()), Request::get(path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Said {
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        said(routes::public(self.service.clone()), request.body(body.to_string().into()).unwrap()).await
    }

    pub(crate) async fn internal(&self, method: &str, path: &str, body: &str, token: Option<&str>) -> Said {
        let mut request = Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, "application/json");
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        said(self.operators(), request.body(body.to_owned().into()).unwrap()).await
    }

    /// The first event of the operators' stream, as it is sent.
    pub(crate) async fn first_event(&self) -> String {
        let request = Request::get("/operator/events").body(Body::empty()).unwrap();
        let mut body = answer(self.operators(), request).await.into_body().into_data_stream();
        let first = std::future::poll_fn(|context| {
            use futures_core::Stream as _;
            std::pin::Pin::new(&mut body).poll_next(context)
        });
        String::from_utf8(first.await.unwrap().unwrap().to_vec()).unwrap()
    }

    pub(crate) fn rewrite_settings(&self, change: impl FnOnce(&str) -> String) {
        let text = std::fs::read_to_string(&self.settings).unwrap();
        let changed = change(&text);
        assert_ne!(changed, text);
        std::fs::write(&self.settings, changed).unwrap();
    }

    fn operators(&self) -> Router {
        routes::internal(self.service.clone()).unwrap()
    }
}

async fn answer(router: Router, request: AnyRequest) -> Response {
    let Ok(response) = router.oneshot(request).await;
    response
}

async fn said(router: Router, request: AnyRequest) -> Said {
    let response = answer(router, request).await;
    let status = response.status();
    let content_type = response.headers().get(header::CONTENT_TYPE).map_or("", |value| value.to_str().unwrap());
    let content_type = content_type.to_owned();
    let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    Said { status, content_type, text, body }
}

/// One recorder for all tests of the process: there can only be one.
fn prometheus() -> PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER.get_or_init(|| PrometheusBuilder::new().install_recorder().unwrap()).clone()
}

/// The demo's settings with the servers' addresses in them, and limits that are long enough for a busy machine.
fn text(
    sber: &MisbehavingServer,
    insurance: &MisbehavingServer,
    receipt: &MisbehavingServer,
    rest: &MisbehavingServer,
) -> String {
    let mut text = include_str!("../../src/demo/resilience.yaml").to_owned();
    for (name, server) in [("@sber@", sber), ("@insurance@", insurance), ("@receipt@", receipt)] {
        text = text.replace(name, &server.url());
    }
    for name in ["odnakassa", "payment-service", "f6", "o2o", "warranty", "retail-store", "roos"] {
        text = text.replace(&format!("@{name}@"), &rest.url());
    }
    text.replace("slow-call-duration-threshold: 250ms", "slow-call-duration-threshold: 900ms")
        .replace("wait-duration-in-open-state: 6s", "wait-duration-in-open-state: 30s")
}

fn sber() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    let registered = json!({ "orderId": "G-1", "formUrl": "https://pay.example/G-1" });
    server.answers("/payment/rest/register.do", Answer::json(&registered));
    server.answers("/payment/rest/getOrderStatusExtended.do", payment(0));
    server.answers("/payment/rest/refund.do", Answer::json(&json!({ "errorCode": "0" })));
    server
}

fn insurance() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    let token = json!({ "access_token": "T", "token_type": "bearer", "expires_in": 3600 });
    server.answers("/v1/oauth/token", Answer::json(&token));
    let quote = json!({ "quoteId": "Q-1", "premium": 32_000, "currency": "RUB", "validUntil": "2036-09-01T23:59:59Z" });
    server.answers("/v1/quotes", Answer::json(&quote));
    let policy =
        json!({ "policyId": "P-1", "number": "TR 001-2026", "state": "active", "premium": 32_000, "currency": "RUB" });
    server.answers("/v1/policies", Answer::json(&policy).with_status(201));
    server
}

fn receipt() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    server.answers("/fiscal/v4/token", Answer::json(&json!({ "token": "T", "expiresIn": 3600 })));
    let accepted = json!({ "uuid": UUID, "status": "wait" });
    server.answers("/fiscal/v4/shop/sell", Answer::json(&accepted).with_status(202));
    let mark = json!({
        "document": 4711, "sign": "2890718234", "register": "7380440700005621",
        "writtenAt": "2026-09-01T12:07:40+03:00",
    });
    let report = json!({ "uuid": UUID, "status": "done", "fiscal": mark });
    server.answers("/fiscal/v4/shop/report/*", Answer::json(&report));
    server
}

fn mini() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    let summary =
        json!({ "storeId": "S-7", "toPick": 4, "ready": 11, "late": 1, "updatedAt": "2026-09-01T12:00:00+03:00" });
    server.answers("/o2o/orders/summary", Answer::json(&summary));
    server.answers("/warranty/claims", Answer::json(&json!({ "claims": [] })));
    let hours = json!({ "opens": "08:00", "closes": "21:00" });
    let store = json!({ "id": "S-7", "name": "South Gate", "open": true, "onShift": 5, "hours": hours });
    server.answers("/stores/S-7", Answer::json(&store));
    server.answers("/roos/stores/S-7/shortages", Answer::json(&json!([])));
    server
}

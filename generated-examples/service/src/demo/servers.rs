//! The ten servers, and what they answer in good health.

use std::io;
use std::sync::Arc;

use cofferdam_testing::{Answer, MisbehavingServer};
use serde_json::json;

use super::gateway::Ledger;

/// Requests that a server remembers: the demo may run for days.
const KEPT: usize = 100;

/// The ten.
pub(super) struct Servers {
    pub(super) sber: MisbehavingServer,
    pub(super) insurance: MisbehavingServer,
    pub(super) receipt: MisbehavingServer,
    pub(super) odnakassa: MisbehavingServer,
    pub(super) payment_service: MisbehavingServer,
    pub(super) f6: MisbehavingServer,
    pub(super) o2o: MisbehavingServer,
    pub(super) warranty: MisbehavingServer,
    pub(super) retail_store: MisbehavingServer,
    pub(super) roos: MisbehavingServer,
    ledger: Arc<Ledger>,
}

impl Servers {
    pub(super) fn start() -> io::Result<Self> {
        let ledger = Arc::new(Ledger::default());
        Ok(Self {
            sber: sber(&ledger)?,
            insurance: insurance(&ledger)?,
            receipt: receipt(&ledger)?,
            odnakassa: one(
                "/api/v2/orders/*",
                json!({ "id": "OK-1", "state": "paid", "changedAt": "2026-09-01T12:07:11+03:00", "ticketCount": 2 }),
            )?,
            payment_service: payment_service(&ledger)?,
            f6: f6()?,
            o2o: one(
                "/o2o/*",
                json!({
                    "storeId": "S-7", "toPick": 4, "ready": 11, "late": 1, "updatedAt": "2026-09-01T12:00:00+03:00",
                }),
            )?,
            warranty: one(
                "/warranty/*",
                json!({ "claims": [{ "id": "W-1", "sku": "BATTERY-70", "state": "open", "since": "2026-08-28" }] }),
            )?,
            retail_store: one(
                "/stores/*",
                json!({
                    "id": "S-7", "name": "South Gate", "open": true, "onShift": 5,
                    "hours": { "opens": "08:00", "closes": "21:00" },
                }),
            )?,
            roos: one("/roos/*", json!([{ "sku": "OIL-5W30", "left": 2, "perDay": 1.5, "arrivesOn": "2026-09-03" }]))?,
            ledger,
        })
    }

    pub(super) fn all(&self) -> [(&'static str, &MisbehavingServer); 10] {
        [
            ("sber", &self.sber),
            ("insurance", &self.insurance),
            ("receipt", &self.receipt),
            ("odnakassa", &self.odnakassa),
            ("payment-service", &self.payment_service),
            ("f6", &self.f6),
            ("o2o", &self.o2o),
            ("warranty", &self.warranty),
            ("retail-store", &self.retail_store),
            ("roos", &self.roos),
        ]
    }

    /// The settings with the servers' addresses in the places of their names.
    pub(super) fn addressed(&self, settings: &str) -> String {
        let put = |text: String, (name, server): &(&str, &MisbehavingServer)| {
            text.replace(&format!("@{name}@"), &server.url())
        };
        self.all().iter().fold(settings.to_owned(), put)
    }

    pub(super) fn token_url(&self) -> String {
        format!("{}/v1/oauth/token", self.insurance.url())
    }

    /// Writes that were done more than once.
    pub(super) fn done_twice(&self) -> Vec<String> {
        self.ledger.refunded_twice()
    }
}

fn server() -> io::Result<MisbehavingServer> {
    let server = MisbehavingServer::start()?;
    server.recorder().keep_latest(KEPT);
    Ok(server)
}

/// A server that says one thing.
fn one(path: &str, body: serde_json::Value) -> io::Result<MisbehavingServer> {
    let server = server()?;
    server.answers(path, Answer::json(&body));
    Ok(server)
}

fn sber(ledger: &Arc<Ledger>) -> io::Result<MisbehavingServer> {
    let server = server()?;
    let at = |path: &str| format!("/payment/rest/{path}");
    let book = Arc::clone(ledger);
    server.answers_with(&at("register.do"), move |arrival| book.register(arrival));
    let book = Arc::clone(ledger);
    server.answers_with(&at("getOrderStatusExtended.do"), move |arrival| book.status(arrival));
    let book = Arc::clone(ledger);
    server.answers_with(&at("refund.do"), move |arrival| book.refund(arrival));
    Ok(server)
}

fn insurance(ledger: &Arc<Ledger>) -> io::Result<MisbehavingServer> {
    let server = server()?;
    let token = json!({ "access_token": "T", "token_type": "bearer", "expires_in": 60 });
    server.answers("/v1/oauth/token", Answer::json(&token));
    let quote = json!({ "quoteId": "Q-1", "premium": 32_000, "currency": "RUB", "validUntil": "2036-09-01T23:59:59Z" });
    server.answers("/v1/quotes", Answer::json(&quote));
    let book = Arc::clone(ledger);
    server.answers_with("/v1/policies", move |arrival| {
        book.keyed(arrival, "policy", 201, |number| {
            let (id, printed) = (format!("P-{number}"), format!("TR {number:05}-2026"));
            json!({ "policyId": id, "number": printed, "state": "active", "premium": 32_000, "currency": "RUB" })
        })
    });
    Ok(server)
}

fn receipt(ledger: &Arc<Ledger>) -> io::Result<MisbehavingServer> {
    let server = server()?;
    server.answers("/fiscal/v4/token", Answer::json(&json!({ "token": "T", "expiresIn": 60 })));
    let book = Arc::clone(ledger);
    server.answers_with("/fiscal/v4/shop/sell", move |arrival| book.hand_in(arrival));
    let book = Arc::clone(ledger);
    server.answers_with("/fiscal/v4/shop/report/*", move |arrival| book.report(arrival));
    Ok(server)
}

fn payment_service(ledger: &Arc<Ledger>) -> io::Result<MisbehavingServer> {
    let server = server()?;
    let book = Arc::clone(ledger);
    server.answers_with("/charges", move |arrival| {
        let body = arrival.json().unwrap_or_default();
        book.keyed(arrival, "charge", 201, |number| {
            json!({
                "chargeId": format!("CH-{number}"), "orderId": body["orderId"], "state": "captured",
                "amount": body["amount"], "currency": body["currency"],
            })
        })
    });
    Ok(server)
}

fn f6() -> io::Result<MisbehavingServer> {
    let server = server()?;
    server.answers("/f6/ticket", Answer::json(&json!({ "token": "T", "expiresIn": 60 })));
    let line = json!({ "sku": "OIL-5W30", "quantity": 4, "price": 199_000 });
    let procurement = json!({
        "id": "P-1", "storeId": "S-7", "status": "open", "createdAt": "2026-03-01T10:00:00+03:00", "deliveryOn": null,
        "lines": [line],
    });
    server.answers("/f6/procurement/list", Answer::json(&json!({ "items": [procurement], "total": 1 })));
    Ok(server)
}

//! A small load: buyers, and colleagues who look at pages. They ask the service as the world does, through its router.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tower::ServiceExt as _;

use super::tally::Tally;
use crate::routes;
use crate::systems::Shared;

/// Buyers a second is one of these.
const BUYERS: Duration = Duration::from_millis(200);
const PAGES: Duration = Duration::from_millis(300);
const LISTS: Duration = Duration::from_millis(250);
const CHARGES: Duration = Duration::from_millis(110);
const TICKETS: Duration = Duration::from_millis(300);
/// Between two questions of a buyer.
const PATIENCE: Duration = Duration::from_millis(700);
const MOST_OF_A_BODY: usize = 1 << 20;

/// Asks for ever.
pub(super) async fn run(service: Shared, tally: Arc<Tally>) {
    let shop = Shop { router: routes::public(service), tally };
    tokio::join!(
        every(BUYERS, &shop, |shop, n| shop.buyer(n)),
        every(PAGES, &shop, |shop, _| shop.get("workbench", "/workbench/S-7".to_owned())),
        every(LISTS, &shop, |shop, n| shop.get("procurements", format!("/procurements/S-{}", n % 3))),
        every(CHARGES, &shop, |shop, n| shop.charge(n)),
        every(TICKETS, &shop, |shop, n| shop.get("tickets", format!("/tickets/OK-{n}"))),
    );
}

/// Begins something so often, whatever became of what began before.
async fn every<F, Fut>(period: Duration, shop: &Shop, work: F)
where
    F: Fn(Shop, u64) -> Fut,
    Fut: Future + Send + 'static,
    Fut::Output: Send,
{
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut under_way = tokio::task::JoinSet::new();
    for n in 0.. {
        ticks.tick().await;
        let work = work(shop.clone(), n);
        under_way.spawn(async move { drop(work.await) });
        while under_way.try_join_next().is_some() {}
    }
}

#[derive(Clone)]
struct Shop {
    router: Router,
    tally: Arc<Tally>,
}

impl Shop {
    /// Places an order, asks how it is until it is done or patience ends; one in six wants the money back.
    async fn buyer(self, n: u64) {
        let number = format!("A-{n}");
        let line = json!({ "name": "Ticket", "price": 320_000, "quantity": 2 });
        let order = json!({
            "number": number, "email": "buyer@shop.example", "name": "A. Buyer", "lines": [line], "insure": n.is_multiple_of(2),
        });
        // Sent again under its number, an order is placed once.
        for _ in 0..3 {
            if self.post("order", "/orders", &order).await.is_some() {
                break;
            }
            sleep(PATIENCE).await;
        }
        for _ in 0..6 {
            sleep(PATIENCE).await;
            let Some(order) = self.get_for("status", &format!("/orders/{number}")).await else { continue };
            if n.is_multiple_of(6) && order["payment"] == "paid" {
                self.post("refund", &format!("/orders/{number}/refund"), &Value::Null).await;
                return;
            }
            if order["receipt"]["state"] == "written" {
                return;
            }
        }
    }

    async fn charge(self, n: u64) {
        let charge = json!({ "order": format!("C-{n}"), "card": "C-7", "amount": 15_000 });
        self.post("charge", "/charges", &charge).await;
    }

    async fn get(self, what: &'static str, path: String) -> Option<Value> {
        self.get_for(what, &path).await
    }

    async fn get_for(&self, what: &'static str, path: &str) -> Option<Value> {
        self.ask(what, Request::get(path).body(Body::empty())).await
    }

    async fn post(&self, what: &'static str, path: &str, body: &Value) -> Option<Value> {
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        self.ask(what, request.body(body.to_string().into())).await
    }

    /// What a success says.
    async fn ask(&self, what: &'static str, request: Result<Request<Body>, axum::http::Error>) -> Option<Value> {
        let Ok(response) = self.router.clone().oneshot(request.ok()?).await;
        let status = response.status();
        let body = to_bytes(response.into_body(), MOST_OF_A_BODY).await.ok()?;
        let body: Value = serde_json::from_slice(&body).ok()?;
        self.tally.count(what, status.as_u16(), &body);
        status.is_success().then_some(body)
    }
}

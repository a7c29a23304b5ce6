//! The systems of the demo that remember something: what was registered, refunded, charged, handed in. They do a thing once
//! for its key, as real ones do, and count what they did.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cofferdam_testing::{Answer, Arrival};
use serde_json::{Value, json};

/// What the systems did. Each is done by the first request, whatever becomes of its answer.
#[derive(Default)]
pub(super) struct Ledger {
    done: Mutex<Done>,
}

#[derive(Default)]
struct Done {
    orders: HashMap<String, Order>,
    refunds: HashMap<String, u32>,
    by_key: HashMap<String, Value>,
    receipts: HashMap<String, u32>,
}

struct Order {
    amount: i64,
    asked: u32,
    refunded: bool,
}

impl Ledger {
    pub(super) fn register(&self, arrival: &Arrival) -> Answer {
        let number = arrival.form_field("orderNumber").unwrap_or_default();
        let amount = arrival.form_field("amount").and_then(|amount| amount.parse().ok()).unwrap_or_default();
        let mut done = self.done();
        if done.orders.contains_key(&number) {
            return Answer::json(&json!({ "errorCode": "1", "errorMessage": "registered already" }));
        }
        let id = format!("G-{number}");
        let page = format!("https://pay.example/{id}");
        done.orders.insert(number, Order { amount, asked: 0, refunded: false });
        Answer::json(&json!({ "orderId": id, "formUrl": page }))
    }

    /// The buyer pays while the shop asks for the second time.
    pub(super) fn status(&self, arrival: &Arrival) -> Answer {
        let number = arrival.form_field("orderNumber").unwrap_or_default();
        let mut done = self.done();
        let Some(order) = done.orders.get_mut(&number) else {
            return Answer::json(&json!({ "errorCode": "6", "errorMessage": "no such order" }));
        };
        order.asked += 1;
        let status = match order {
            Order { refunded: true, .. } => 4,
            Order { asked: 0..=1, .. } => 0,
            _ => 2,
        };
        Answer::json(&json!({
            "errorCode": "0", "orderNumber": number, "orderStatus": status, "amount": order.amount, "currency": "643",
            "attributes": [{ "name": "mdOrder", "value": format!("G-{number}") }],
        }))
    }

    pub(super) fn refund(&self, arrival: &Arrival) -> Answer {
        let id = arrival.form_field("orderId").unwrap_or_default();
        let mut done = self.done();
        if let Some(order) = id.strip_prefix("G-").and_then(|number| done.orders.get_mut(number)) {
            order.refunded = true;
        }
        *done.refunds.entry(id).or_default() += 1;
        Answer::json(&json!({ "errorCode": "0" }))
    }

    /// Does a thing once for its key: sent again, it is answered as the first time.
    pub(super) fn keyed(
        &self,
        arrival: &Arrival,
        what: &str,
        status: u16,
        make: impl FnOnce(usize) -> Value,
    ) -> Answer {
        let key = format!("{what} {}", arrival.header("idempotency-key").unwrap_or("without a key"));
        let mut done = self.done();
        let number = done.by_key.len();
        let answer = done.by_key.entry(key).or_insert_with(|| make(number));
        Answer::json(answer).with_status(status)
    }

    /// Accepts a receipt, or says which one it was the first time.
    pub(super) fn hand_in(&self, arrival: &Arrival) -> Answer {
        let body = arrival.json().unwrap_or_default();
        let number = body["externalId"].as_str().unwrap_or_default();
        let uuid = uuid_of(number);
        let mut done = self.done();
        match done.receipts.contains_key(&uuid) {
            true => Answer::json(&json!({ "uuid": uuid, "code": 33 })).with_status(409),
            false => {
                done.receipts.insert(uuid.clone(), 0);
                Answer::json(&json!({ "uuid": uuid, "status": "wait" })).with_status(202)
            }
        }
    }

    /// A receipt is written while the shop asks for the second time.
    pub(super) fn report(&self, arrival: &Arrival) -> Answer {
        let uuid = arrival.path.rsplit('/').next().unwrap_or_default();
        let mut done = self.done();
        let document = done.receipts.len();
        let Some(asked) = done.receipts.get_mut(uuid) else {
            return Answer::json(&json!({ "code": 34 })).with_status(404);
        };
        *asked += 1;
        Answer::json(&match *asked {
            0..=1 => json!({ "uuid": uuid, "status": "wait" }),
            _ => json!({ "uuid": uuid, "status": "done", "fiscal": {
                "document": document, "sign": "2890718234", "register": "7380440700005621",
                "writtenAt": "2026-09-01T12:07:40+03:00",
            } }),
        })
    }

    /// Money that went back more than once for one order: the only write without a key.
    pub(super) fn refunded_twice(&self) -> Vec<String> {
        let done = self.done();
        let twice = done.refunds.iter().filter(|(_, times)| **times > 1);
        twice.map(|(order, times)| format!("{order} was refunded {times} times")).collect()
    }

    fn done(&self) -> MutexGuard<'_, Done> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A number of the service's own that follows from ours.
fn uuid_of(number: &str) -> String {
    let hash = number.bytes().fold(0xcbf2_9ce4_8422_2325_u128, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    });
    cofferdam_runtime::Uuid::from_u128(hash).to_string()
}

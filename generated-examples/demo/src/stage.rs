//! The two servers, the two adapters, and their settings.

use std::error::Error;
use std::sync::{Mutex, PoisonError};

use cofferdam_example_committed::integrations::f6::{F6Adapter, F6Credentials, F6Mapping};
use cofferdam_example_committed::integrations::sber::{SberAdapter, SberCredentials, SberMapping};
use cofferdam_runtime::Settings;
use cofferdam_tests::{Answer, Arrival, MisbehavingServer};
use serde_json::json;

pub(crate) const REGISTER: &str = "/payment/rest/register.do";
pub(crate) const STATUS: &str = "/payment/rest/getOrderStatusExtended.do";
pub(crate) const DEPOSIT: &str = "/payment/rest/deposit.do";
pub(crate) const LIST: &str = "/f6/procurement/list";
pub(crate) const ORDERS: &str = "/f6/orders";

/// Everything is shorter than a service would have it, so that the demo is.
const SETTINGS: &str = "
defaults:
  timeouts: { connect: 300ms, read: 800ms, call: 2500ms, reason: nobody wants to wait for a demo }
  bulkhead: { max-concurrent-calls: 3, max-wait-duration: 100ms }
  retry: { max-attempts: 3, wait-duration: 100ms, exponential-backoff-multiplier: 2 }
  breaker:
    sliding-window-size: 8
    minimum-number-of-calls: 4
    wait-duration-in-open-state: 1500ms
    permitted-number-of-calls-in-half-open-state: 2
systems:
  sber: { base-url: 'SBER/payment/rest' }
  f6: { base-url: 'F6' }
";

/// What the demo is played on.
pub(crate) struct Stage {
    pub(crate) sber_server: MisbehavingServer,
    pub(crate) f6_server: MisbehavingServer,
    pub(crate) sber: SberAdapter<SberMapping>,
    pub(crate) f6: F6Adapter<F6Mapping>,
    /// What the shop asked for, by path: the other side of what the servers recorded.
    asked: Mutex<Vec<&'static str>>,
}

impl Stage {
    pub(crate) fn set() -> Result<Self, Box<dyn Error>> {
        let sber_server = sber()?;
        let f6_server = f6()?;
        let text = SETTINGS.replace("SBER", &sber_server.url()).replace("F6", &f6_server.url());
        let settings = Settings::parse(&text, "settings of the demo")?;
        let sber = SberAdapter::connect(&settings, SberCredentials::new().token("secret"), SberMapping)?;
        let f6 = F6Adapter::connect(&settings, F6Credentials::new().ticket_token("secret"), F6Mapping)?;
        Ok(Self { sber_server, f6_server, sber, f6, asked: Mutex::default() })
    }

    /// Takes note of something the shop asks for.
    pub(crate) fn note(&self, path: &'static str) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(path);
    }

    /// How often the shop asked for something.
    pub(crate) fn asked(&self, path: &str) -> usize {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).iter().filter(|asked| **asked == path).count()
    }
}

/// The payment gateway, in good health.
fn sber() -> std::io::Result<MisbehavingServer> {
    let server = MisbehavingServer::start()?;
    server.answers_with(REGISTER, |arrival| {
        let id = format!("G-{}", field(arrival, "orderNumber"));
        let page = format!("https://pay.example/{id}");
        Answer::json(&json!({ "orderId": id, "formUrl": page }))
    });
    server.answers_with(STATUS, |arrival| {
        let number = field(arrival, "orderNumber");
        Answer::json(&json!({ "errorCode": "0", "orderNumber": number, "orderStatus": 2, "amount": 15_000 }))
    });
    server.answers(DEPOSIT, Answer::json(&json!({ "errorCode": "0" })));
    Ok(server)
}

/// The supplier. Nothing is ever wrong with it: it is there to show that it does not feel what goes on at `sber`.
fn f6() -> std::io::Result<MisbehavingServer> {
    let server = MisbehavingServer::start()?;
    server.answers(LIST, Answer::json(&json!({ "items": [], "total": 0 })));
    let order = json!({ "id": "O-1", "status": "accepted", "total": 796_000 });
    server.answers(ORDERS, Answer::json(&order).with_status(201));
    Ok(server)
}

fn field(arrival: &Arrival, name: &str) -> String {
    arrival.form_field(name).unwrap_or_default()
}

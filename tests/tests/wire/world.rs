//! Both systems, each with a server of its own, called through the adapters a team would call.

use std::time::Duration;

pub(crate) use cofferdam_example_committed::integrations::f6::domain as f6;
use cofferdam_example_committed::integrations::f6::{F6Adapter, F6Credentials, F6Mapping};
pub(crate) use cofferdam_example_committed::integrations::sber::domain as sber;
use cofferdam_example_committed::integrations::sber::{SberAdapter, SberCredentials, SberMapping};
use cofferdam_runtime::{Guard, Settings};
use cofferdam_tests::{Answer, MisbehavingServer};
use serde_json::json;

/// Attempts of a read or keyed call, unless a test says otherwise.
pub(crate) const ATTEMPTS: usize = 3;

pub(crate) const REGISTER: &str = "/payment/rest/register.do";
pub(crate) const REGISTER_PRE_AUTH: &str = "/payment/rest/registerPreAuth.do";
pub(crate) const STATUS: &str = "/payment/rest/getOrderStatusExtended.do";
pub(crate) const DEPOSIT: &str = "/payment/rest/deposit.do";
pub(crate) const REVERSE: &str = "/payment/rest/reverse.do";
pub(crate) const REFUND: &str = "/payment/rest/refund.do";
pub(crate) const LIST: &str = "/f6/procurement/list";
pub(crate) const PROCUREMENT: &str = "/f6/procurement/P-1";
pub(crate) const CREATE_ORDER: &str = "/f6/orders";
pub(crate) const TICKET: &str = "/f6/ticket";

/// The shop's password at the gateway, and its token at the supplier: no error may show them.
pub(crate) const PASSWORD: &str = "correct-horse";
pub(crate) const TOKEN: &str = "battery-staple";

/// Limits that no test reaches by being slow, and a breaker that never has enough calls to judge.
const CALM: &str = "
  timeouts: { connect: 5s, read: 10s, call: 20s }
  breaker: { sliding-window-size: 100, minimum-number-of-calls: 100 }
  retry:
    max-attempts: 3
    wait-duration: 1ms
    exponential-backoff-multiplier: 2
    budget: { floor-per-second: 100 }
";

/// For tests in which a limit is to be reached.
pub(crate) const HASTY: &str = "
    timeouts: { connect: 200ms, read: 400ms, call: 1700ms, reason: a test is short }
";

/// The two systems and their adapters.
pub(crate) struct World {
    pub(crate) sber_server: MisbehavingServer,
    pub(crate) f6_server: MisbehavingServer,
    pub(crate) sber: SberAdapter<SberMapping>,
    pub(crate) f6: F6Adapter<F6Mapping>,
}

impl World {
    /// Both systems answer as they should, and no layer but retry shows.
    pub(crate) fn new() -> Self {
        Self::tuned("")
    }

    /// With settings that differ: lines for the section of each system.
    pub(crate) fn tuned(tuning: &str) -> Self {
        let (sber_server, f6_server) = (sber_server(), f6_server());
        let sber = sber_at(&sber_server.url(), tuning);
        let f6 = f6_at(&f6_server.url(), tuning);
        Self { sber_server, f6_server, sber, f6 }
    }
}

/// An adapter for a gateway at an address.
pub(crate) fn sber_at(url: &str, tuning: &str) -> SberAdapter<SberMapping> {
    let settings = settings("sber", &format!("{url}/payment/rest"), tuning);
    SberAdapter::connect(&settings, SberCredentials::new().user_name("shop").password(PASSWORD), SberMapping).unwrap()
}

/// An adapter for a supplier at an address.
pub(crate) fn f6_at(url: &str, tuning: &str) -> F6Adapter<F6Mapping> {
    let settings = settings("f6", url, tuning);
    F6Adapter::connect(&settings, F6Credentials::new().ticket_token(TOKEN), F6Mapping).unwrap()
}

fn settings(system: &str, url: &str, tuning: &str) -> Settings {
    let text = format!("defaults:{CALM}\nsystems:\n  {system}:\n    base-url: {url}{tuning}");
    Settings::parse(&text, "test.yaml").unwrap_or_else(|faults| panic!("{faults}\n{text}"))
}

/// Calls recorded by a breaker, and how many of them failed.
pub(crate) fn recorded(guard: &Guard) -> (u64, u64) {
    let metrics = guard.breaker().metrics();
    (metrics.buffered, metrics.failed)
}

pub(crate) const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn sber_server() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    let registered = Answer::json(&json!({ "orderId": "G-1", "formUrl": "https://pay.example/G-1" }));
    server.answers(REGISTER, registered.clone());
    server.answers(REGISTER_PRE_AUTH, registered);
    let paid = json!({ "errorCode": "0", "orderNumber": "A-1", "orderStatus": 2, "amount": 15_000 });
    server.answers(STATUS, Answer::json(&paid));
    for path in [DEPOSIT, REVERSE, REFUND] {
        server.answers(path, Answer::json(&json!({ "errorCode": "0" })));
    }
    server
}

pub(crate) fn f6_server() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    f6_answers().into_iter().for_each(|(path, answer)| server.answers(path, answer));
    server
}

/// What the supplier answers, by path.
pub(crate) fn f6_answers() -> [(&'static str, Answer); 4] {
    let procurement = json!({
        "id": "P-1", "storeId": "S-7", "status": "open", "createdAt": "2026-03-01T10:00:00+03:00", "deliveryOn": null,
        "lines": [{ "sku": "OIL-5W30", "quantity": 4, "price": 199_000 }],
    });
    let order = json!({ "id": "O-1", "status": "accepted", "total": 796_000 });
    [
        (LIST, Answer::json(&json!({ "items": [procurement], "total": 1 }))),
        (PROCUREMENT, Answer::json(&procurement)),
        (CREATE_ORDER, Answer::json(&order).with_status(201)),
        (TICKET, Answer::json(&json!({ "token": "T", "expiresIn": 3600 }))),
    ]
}

pub(crate) fn new_order(number: &str) -> sber::NewOrder {
    sber::NewOrder {
        number: number.to_owned(),
        amount: sber::Money::rub(15_000),
        return_url: "https://shop.example/paid".to_owned(),
        description: None,
    }
}

pub(crate) fn order_query() -> sber::OrderQuery {
    sber::OrderQuery::Number("A-1".to_owned())
}

pub(crate) fn transfer() -> sber::Transfer {
    sber::Transfer { order_id: "G-1".to_owned(), amount: sber::Money::rub(15_000) }
}

pub(crate) fn cancellation() -> sber::Cancellation {
    sber::Cancellation { order_id: "G-1".to_owned() }
}

pub(crate) fn procurements() -> f6::ListProcurementsCommand {
    f6::ListProcurementsCommand { store_id: "S-7".to_owned(), status: None, limit: None }
}

pub(crate) fn procurement() -> f6::GetProcurementCommand {
    f6::GetProcurementCommand { id: "P-1".to_owned() }
}

pub(crate) fn goods() -> f6::NewOrder {
    let line = f6::OrderLine { sku: "OIL-5W30".to_owned(), quantity: 4 };
    f6::NewOrder { store_id: "S-7".to_owned(), procurement_id: None, lines: vec![line], comment: None }
}

pub(crate) fn ticket() -> f6::TicketExchange {
    f6::TicketExchange { ticket: "once".to_owned(), store_id: "S-7".to_owned() }
}

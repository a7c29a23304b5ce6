//! One of the systems: its server, its settings, its adapter.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Debug;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use cofferdam_example_committed::integrations::f6::domain as f6;
use cofferdam_example_committed::integrations::f6::{F6Adapter, F6Credentials, F6Mapping};
use cofferdam_example_committed::integrations::sber::domain as sber;
use cofferdam_example_committed::integrations::sber::{SberAdapter, SberCredentials, SberMapping};
use cofferdam_runtime::breaker::BreakerState;
use cofferdam_runtime::{CallError, Guard, IdempotencyKey, Settings};
use cofferdam_testing::{Answer, Arrival, MisbehavingServer};
use fastrand::Rng;
use serde_json::json;

use super::chaos::Chaotic;
use super::ledger::Ledger;
use super::settings;
use super::trouble::Trouble;

/// A system, of either of two kinds.
pub(super) struct System {
    number: u64,
    server: MisbehavingServer,
    trouble: Arc<Mutex<Trouble>>,
    settings: Settings,
    adapter: Adapter,
}

enum Adapter {
    /// Keys stand in the body.
    Sber(SberAdapter<Chaotic<SberMapping>>),
    /// Keys stand in a header.
    F6(F6Adapter<Chaotic<F6Mapping>>),
}

/// What a call is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Read,
    Keyed,
    Once,
}

impl System {
    pub(super) fn start(number: u64, seed: u64, ledger: &Arc<Ledger>) -> Result<Self, Box<dyn Error>> {
        let server = MisbehavingServer::start()?;
        server.recorder().keep_latest(16);
        let trouble = Arc::new(Mutex::new(Trouble::new(seed + number)));
        let (drawn, books) = (Arc::clone(&trouble), Arc::clone(ledger));
        server.decides(move |arrival| {
            enter(&books, arrival);
            drawn.lock().unwrap_or_else(PoisonError::into_inner).next()
        });
        let mut rng = Rng::with_seed(seed);
        let is_sber = number.is_multiple_of(2);
        let (name, url) = if is_sber { ("sber", format!("{}/pay", server.url())) } else { ("f6", server.url()) };
        let text = loop {
            let (text, is_bad) = settings::text(name, &url, &mut rng);
            if !is_bad {
                break text;
            }
        };
        let settings = Settings::parse(&text, "soak.yaml")?;
        let adapter = if is_sber {
            let mapping = Chaotic::new(SberMapping);
            Adapter::Sber(SberAdapter::connect(
                &settings,
                SberCredentials::new().user_name("u").password("p"),
                mapping,
            )?)
        } else {
            let mapping = Chaotic::new(F6Mapping);
            Adapter::F6(F6Adapter::connect(&settings, F6Credentials::new().ticket_token("t"), mapping)?)
        };
        answers(&server);
        Ok(Self { number, server, trouble, settings, adapter })
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    fn guard(&self) -> &Guard {
        match &self.adapter {
            Adapter::Sber(adapter) => adapter.guard(),
            Adapter::F6(adapter) => adapter.guard(),
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.guard().breaker().state() == BreakerState::Closed
    }

    pub(super) fn is_free(&self) -> bool {
        self.guard().available_places() == self.guard().places()
    }

    pub(super) fn shown(&self) -> String {
        format!("{:?}", self.guard())
    }

    /// Faults and panics end.
    pub(super) fn calm(&self) {
        match &self.adapter {
            Adapter::Sber(adapter) => adapter.mapping().calm(),
            Adapter::F6(adapter) => adapter.mapping().calm(),
        }
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).end();
    }

    pub(super) fn faults(&self) -> BTreeMap<&'static str, u64> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).counts()
    }

    /// Loads other settings. `Ok(false)`: they were bad, and refused as they should be.
    pub(super) fn reload(&self, rng: &mut Rng) -> Result<bool, String> {
        let (name, path) = match &self.adapter {
            Adapter::Sber(_) => ("sber", "/pay"),
            Adapter::F6(_) => ("f6", ""),
        };
        let (text, is_bad) = settings::text(name, &format!("{}{path}", self.server.url()), rng);
        match (self.settings.reload_from(&text), is_bad) {
            (Ok(_), false) => Ok(true),
            (Err(_), true) => Ok(false),
            (Ok(_), true) => Err("bad settings were taken".to_owned()),
            (Err(error), false) => Err(format!("good settings were refused: {error}")),
        }
    }

    /// A read; whether it went well.
    pub(super) async fn read(&self) -> bool {
        self.call(Deed::Read, 0).await == "fine"
    }

    /// A call; how it ended, in a word. Boxed: the types of all methods within each other are too deep for the compiler.
    pub(super) fn call(&self, deed: Deed, id: u64) -> Pin<Box<dyn Future<Output = &'static str> + Send + '_>> {
        Box::pin(self.call_of_a_kind(deed, id))
    }

    async fn call_of_a_kind(&self, deed: Deed, id: u64) -> &'static str {
        match (&self.adapter, deed) {
            (Adapter::Sber(adapter), Deed::Read) => {
                word(adapter.get_order_status(sber::OrderQuery::Number("A-1".to_owned())).await)
            }
            (Adapter::Sber(adapter), Deed::Keyed) => {
                let order = sber::NewOrder {
                    number: IdempotencyKey::random().as_str().to_owned(),
                    amount: sber::Money::rub(15_000),
                    return_url: "https://shop.example/paid".to_owned(),
                    description: Some(id.to_string()),
                };
                word(adapter.register_order(order).await)
            }
            (Adapter::Sber(adapter), Deed::Once) => word(
                adapter.deposit(sber::Transfer { order_id: id.to_string(), amount: sber::Money::rub(15_000) }).await,
            ),
            (Adapter::F6(adapter), Deed::Read) => {
                let wanted = f6::ListProcurementsCommand { store_id: "S-7".to_owned(), status: None, limit: None };
                word(adapter.list_procurements(wanted).await)
            }
            (Adapter::F6(adapter), deed) => {
                let key = (deed == Deed::Keyed).then(IdempotencyKey::random);
                let line = f6::OrderLine { sku: "OIL-5W30".to_owned(), quantity: 4 };
                let comment = Some(id.to_string());
                let order =
                    f6::NewOrder { store_id: "S-7".to_owned(), procurement_id: None, lines: vec![line], comment };
                word(adapter.create_order(order, key).await)
            }
        }
    }
}

fn word<T: Debug, R>(answer: Result<T, CallError<R>>) -> &'static str {
    answer.as_ref().map_or_else(CallError::kind, |_| "fine")
}

/// Enters a write into the books.
fn enter(books: &Ledger, arrival: &Arrival) {
    let number = |text: String| text.parse().ok();
    match arrival.path.as_str() {
        "/pay/deposit.do" => books.arrived(arrival.form_field("orderId").and_then(number), None),
        "/pay/register.do" => {
            let key = arrival.form_field("orderNumber").unwrap_or_default();
            books.arrived(arrival.form_field("description").and_then(number), Some(&key));
        }
        "/f6/orders" => {
            let body = arrival.json().unwrap_or_default();
            let id = body.get("comment").and_then(|comment| comment.as_str()?.parse().ok());
            books.arrived(id, arrival.header("idempotency-key"));
        }
        _ => {}
    }
}

fn answers(server: &MisbehavingServer) {
    server
        .answers("/pay/register.do", Answer::json(&json!({ "orderId": "G-1", "formUrl": "https://pay.example/G-1" })));
    let paid = json!({ "errorCode": "0", "orderNumber": "A-1", "orderStatus": 2, "amount": 15_000 });
    server.answers("/pay/getOrderStatusExtended.do", Answer::json(&paid));
    server.answers("/pay/deposit.do", Answer::json(&json!({ "errorCode": "0" })));
    server.answers("/f6/procurement/list", Answer::json(&json!({ "items": [], "total": 0 })));
    server.answers(
        "/f6/orders",
        Answer::json(&json!({ "id": "O-1", "status": "accepted", "total": 1 })).with_status(201),
    );
}

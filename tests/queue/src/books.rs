//! A gateway that keeps books of what arrived, answers, and fails in all ways while it does.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cofferdam_testing::{Answer, Arrival, Fault, MisbehavingServer, Step};
use serde_json::json;

/// Paths of the gateway.
pub const REGISTER: &str = "/register.do";
/// See [`REGISTER`].
pub const REFUND: &str = "/refund.do";
/// See [`REGISTER`].
pub const STATUS: &str = "/getOrderStatusExtended.do";

/// What arrived: how often, by path and by the number that names it.
#[derive(Debug, Default)]
struct Books {
    arrivals: HashMap<(String, String), u32>,
}

/// The gateway.
pub struct Gateway {
    server: MisbehavingServer,
    books: Arc<Mutex<Books>>,
}

impl Gateway {
    /// A gateway that answers at once, and well.
    ///
    /// # Errors
    /// When there is no port.
    pub fn start() -> io::Result<Self> {
        let server = MisbehavingServer::start()?;
        server.recorder().keep_latest(1);
        answers(&server);
        let books = Arc::new(Mutex::new(Books::default()));
        let gateway = Self { server, books };
        gateway.behaves(|_| Step::fine());
        Ok(gateway)
    }

    /// The server.
    #[must_use]
    pub fn server(&self) -> &MisbehavingServer {
        &self.server
    }

    /// What happens to each arrival from now on. The books are kept all the same.
    pub fn behaves(&self, step: impl Fn(&Arrival) -> Step + Send + Sync + 'static) {
        let books = Arc::clone(&self.books);
        self.server.decides(move |arrival| {
            let named = (arrival.path.clone(), named(arrival));
            *locked(&books).arrivals.entry(named).or_default() += 1;
            step(arrival)
        });
    }

    /// Fails now and then from now on, in all ways: late, with a 5xx, silent, cut off before or within the reply.
    pub fn is_rough(&self) {
        self.behaves(|_| match fastrand::u8(..20) {
            0 | 1 => Answer::status(503).into(),
            2 => Fault::Close.into(),
            3 => Fault::Reset.into(),
            4 => Fault::SlowFirstByte(Duration::from_millis(fastrand::u64(50..400))).into(),
            _ => Fault::SlowFirstByte(Duration::from_millis(fastrand::u64(..15))).into(),
        });
    }

    /// How often each thing arrived at a path.
    #[must_use]
    pub fn arrivals(&self, path: &str) -> HashMap<String, u32> {
        let books = locked(&self.books);
        let own = books.arrivals.iter().filter(|((at, _), _)| at == path);
        own.map(|((_, named), count)| (named.clone(), *count)).collect()
    }

    /// How often one thing arrived at a path.
    #[must_use]
    pub fn count(&self, path: &str, named: &str) -> u32 {
        locked(&self.books).arrivals.get(&(path.to_owned(), named.to_owned())).copied().unwrap_or_default()
    }
}

/// The number that names what is asked for: the shop's for an order, the gateway's for the rest.
fn named(arrival: &Arrival) -> String {
    let field = if arrival.path == REGISTER { "orderNumber" } else { "orderId" };
    arrival.form_field(field).unwrap_or_default()
}

fn answers(server: &MisbehavingServer) {
    server.answers_with(REGISTER, |arrival| {
        let number = arrival.form_field("orderNumber").unwrap_or_default();
        Answer::json(&json!({ "orderId": format!("g-{number}"), "formUrl": "https://pay.test/form" }))
    });
    server.answers(REFUND, Answer::json(&json!({ "errorCode": "0" })));
    server.answers_with(STATUS, |_| status(2));
}

/// What the gateway says of a payment's state: 0 is waiting, 2 is paid.
#[must_use]
pub fn status(state: u8) -> Answer {
    Answer::json(&json!({ "errorCode": "0", "orderNumber": "1", "orderStatus": state, "amount": 100 }))
}

fn locked(books: &Mutex<Books>) -> MutexGuard<'_, Books> {
    books.lock().unwrap_or_else(PoisonError::into_inner)
}

//! A shop that pays through the generated adapter of `sber`, with its own commands as they stand in the queue.

use std::error::Error;
use std::time::Duration;

use cofferdam_example_committed::integrations::sber::domain::{
    Money, NewOrder, OrderQuery, Payment, PaymentRefused, PaymentState, RegisteredOrder, Transfer,
};
use cofferdam_example_committed::integrations::sber::generated::operations::{GetOrderStatus, Refund, RegisterOrder};
use cofferdam_example_committed::integrations::sber::{SberAdapter, SberCredentials, SberMapping};
use cofferdam_runtime::queue::{Finish, Job, Policy, Polled, Queue, TaskError, Worker};
use cofferdam_runtime::{CallError, Guard, Settings};
use serde::{Deserialize, Serialize};

/// An order to register: keyed by its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The shop's number.
    pub number: String,
    /// Minor units.
    pub amount: i64,
}

/// Money to give back: nothing tells the gateway a repetition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Return {
    /// The gateway's number of the order.
    pub order: String,
    /// Minor units.
    pub amount: i64,
}

/// A question after a payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The gateway's number of the order.
    pub order: String,
}

/// The shop's way to the gateway.
#[derive(Debug, Clone)]
pub struct Shop {
    sber: SberAdapter<SberMapping>,
}

impl Shop {
    /// A shop that pays at this address, with limits and waits short enough for tests; `more` are further keys of the
    /// system's settings.
    ///
    /// # Errors
    /// When the settings cannot be.
    pub fn at(url: &str, more: &str) -> Result<Self, Box<dyn Error>> {
        let text = format!(
            "
systems:
  sber:
    base-url: {url}
    max-concurrent: 64
    timeouts: {{ connect: 1s, read: 2s, call: 4s, reason: a test is short }}
    retry: {{ max-attempts: 2, wait-duration: 5ms, exponential-backoff-multiplier: 2 }}
{more}
"
        );
        let settings = Settings::parse(&text, "shop.yaml")?;
        let credentials = SberCredentials::new().user_name("shop").password("secret");
        Ok(Self { sber: SberAdapter::connect(&settings, credentials, SberMapping)? })
    }

    /// The adapter's guard.
    #[must_use]
    pub fn guard(&self) -> &Guard {
        self.sber.guard()
    }

    /// Registers an order.
    ///
    /// # Errors
    /// The adapter's.
    pub async fn register(self, order: Order) -> Result<RegisteredOrder, CallError<PaymentRefused>> {
        let Order { number, amount } = order;
        let return_url = "https://shop.test/back".to_owned();
        self.sber.register_order(NewOrder { number, amount: Money::rub(amount), return_url, description: None }).await
    }

    /// Gives money back. That the gateway failed on its side, as a reply says, leaves it in doubt.
    ///
    /// # Errors
    /// The adapter's, as the queue takes it.
    pub async fn give_back(self, command: Return) -> Result<(), TaskError> {
        let Return { order, amount } = command;
        let transfer = Transfer { order_id: order, amount: Money::rub(amount) };
        match self.sber.refund(transfer).await {
            Ok(_) => Ok(()),
            Err(error) if matches!(error.rejection(), Some(PaymentRefused::GatewayFailed)) => {
                Err(TaskError::in_doubt(error))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Asks where a payment is.
    ///
    /// # Errors
    /// The adapter's.
    pub async fn ask(self, question: Question) -> Result<Payment, CallError<PaymentRefused>> {
        self.sber.get_order_status(OrderQuery::Id(question.order)).await
    }

    /// A worker for all of it: many at once, short leases, short waits.
    pub fn worker(&self, queue: &Queue) -> Worker {
        let (register, give_back, ask) = (self.clone(), self.clone(), self.clone());
        Worker::new(queue)
            .system(self.guard(), 16)
            .lease(Duration::from_millis(900))
            .poll_every(Duration::from_millis(30))
            .most_losses(1000)
            .keyed(
                &orders(),
                move |order, _| register.clone().register(order),
                |order: RegisteredOrder| Finish::new().keep(order.id),
            )
            .once(&returns(), move |command| give_back.clone().give_back(command), |()| Finish::new())
            .poll(&questions(), move |question| answer(ask.clone(), question))
    }
}

/// Asks, and says whether the answer is there.
///
/// # Errors
/// The adapter's.
pub async fn answer(shop: Shop, question: Question) -> Result<Polled, CallError<PaymentRefused>> {
    let payment = shop.ask(question).await?;
    Ok(match payment.state {
        PaymentState::Waiting => Polled::Again(Duration::from_millis(20)),
        state => Polled::Done(Finish::new().keep(format!("{state:?}"))),
    })
}

/// Short waits.
#[must_use]
pub fn policy() -> Policy {
    let waits = Policy::default().waits(Duration::from_millis(10), 2.0, Duration::from_millis(200));
    waits.attempts(1000).expires(Duration::from_secs(60))
}

/// Orders in the queue.
#[must_use]
pub fn orders() -> Job<RegisterOrder, Order> {
    Job::new(RegisterOrder).policy(policy())
}

/// Returns in the queue.
#[must_use]
pub fn returns() -> Job<Refund, Return> {
    Job::new(Refund).policy(policy())
}

/// Questions in the queue.
#[must_use]
pub fn questions() -> Job<GetOrderStatus, Question> {
    Job::new(GetOrderStatus).policy(policy())
}

//! What the shop asks of a payment gateway, in its own words. The adapter stays behind them.

use std::future::Future;

use cofferdam_runtime::{CallError, Delivery};

use super::domain::{Cancellation, NewOrder, OrderQuery, Payment, PaymentRefused, RegisteredOrder, Transfer};
use super::generated::adapter::SberAdapter;
use super::mapper::SberMapping;

/// Why a payment did not go as asked.
#[derive(Debug)]
pub enum PaymentError {
    /// The gateway said no.
    Refused(PaymentRefused),
    /// Nothing was sent: the gateway is not to be reached now, or too many payments are under way. Try later.
    Unavailable(CallError<PaymentRefused>),
    /// The gateway may have done it: ask for the order's state before doing anything.
    InDoubt(CallError<PaymentRefused>),
    /// The gateway failed, or its answer makes no sense.
    Failed(CallError<PaymentRefused>),
}

impl From<CallError<PaymentRefused>> for PaymentError {
    fn from(error: CallError<PaymentRefused>) -> Self {
        match error {
            // Its own failure, told in a reply: the order's state tells what became of it.
            CallError::Rejected { rejection: PaymentRefused::GatewayFailed, .. } => Self::InDoubt(error),
            CallError::Rejected { rejection, .. } => Self::Refused(rejection),
            other => match other.delivery() {
                Delivery::NotSent => Self::Unavailable(other),
                Delivery::MaybeSent => Self::InDoubt(other),
                Delivery::Answered => Self::Failed(other),
            },
        }
    }
}

impl std::fmt::Display for PaymentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(refused) => write!(f, "refused: {refused:?}"),
            Self::Unavailable(cause) => write!(f, "not available now: {cause}"),
            Self::InDoubt(cause) => write!(f, "it is not known whether it was done: {cause}"),
            Self::Failed(cause) => write!(f, "failed: {cause}"),
        }
    }
}

impl std::error::Error for PaymentError {}

/// A payment gateway, as the shop sees it.
pub trait PaymentPort: Send + Sync {
    /// Registers an order, to be paid at once.
    fn register(&self, order: NewOrder) -> impl Future<Output = Result<RegisteredOrder, PaymentError>> + Send;

    /// Registers an order whose amount is only held at first.
    fn register_to_hold(&self, order: NewOrder) -> impl Future<Output = Result<RegisteredOrder, PaymentError>> + Send;

    /// Tells where an order's money is.
    fn payment(&self, query: OrderQuery) -> impl Future<Output = Result<Payment, PaymentError>> + Send;

    /// Takes an amount that is held.
    fn take(&self, transfer: Transfer) -> impl Future<Output = Result<(), PaymentError>> + Send;

    /// Releases an amount that is held.
    fn release(&self, cancellation: Cancellation) -> impl Future<Output = Result<(), PaymentError>> + Send;

    /// Gives an amount back.
    fn give_back(&self, transfer: Transfer) -> impl Future<Output = Result<(), PaymentError>> + Send;
}

impl PaymentPort for SberAdapter<SberMapping> {
    async fn register(&self, order: NewOrder) -> Result<RegisteredOrder, PaymentError> {
        Ok(self.register_order(order).await?)
    }

    async fn register_to_hold(&self, order: NewOrder) -> Result<RegisteredOrder, PaymentError> {
        Ok(self.register_pre_auth(order).await?)
    }

    async fn payment(&self, query: OrderQuery) -> Result<Payment, PaymentError> {
        Ok(self.get_order_status(query).await?)
    }

    async fn take(&self, transfer: Transfer) -> Result<(), PaymentError> {
        Ok(self.deposit(transfer).await?)
    }

    async fn release(&self, cancellation: Cancellation) -> Result<(), PaymentError> {
        Ok(self.reverse(cancellation).await?)
    }

    async fn give_back(&self, transfer: Transfer) -> Result<(), PaymentError> {
        Ok(self.refund(transfer).await?)
    }
}

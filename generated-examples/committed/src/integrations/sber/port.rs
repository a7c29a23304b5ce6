//! What the shop asks of a payment gateway, in its own words. The adapter stays behind them.

use std::future::Future;

use cofferdam_runtime::CallError;

use super::domain::{Cancellation, NewOrder, OrderQuery, Payment, PaymentRefused, RegisteredOrder, Transfer};
use super::generated::adapter::SberAdapter;
use super::mapper::SberMapping;
use crate::integrations::failure::Failure;

/// Why a payment did not go as asked.
pub type PaymentError = Failure<PaymentRefused>;

/// The gateway's own failure, told in a reply, leaves in doubt what was done: the order's state tells.
fn payment_error(error: CallError<PaymentRefused>) -> PaymentError {
    match error.rejection() {
        Some(PaymentRefused::GatewayFailed) => Failure::InDoubt(error),
        _ => error.into(),
    }
}

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
        self.register_order(order).await.map_err(payment_error)
    }

    async fn register_to_hold(&self, order: NewOrder) -> Result<RegisteredOrder, PaymentError> {
        self.register_pre_auth(order).await.map_err(payment_error)
    }

    async fn payment(&self, query: OrderQuery) -> Result<Payment, PaymentError> {
        self.get_order_status(query).await.map_err(payment_error)
    }

    async fn take(&self, transfer: Transfer) -> Result<(), PaymentError> {
        self.deposit(transfer).await.map_err(payment_error)
    }

    async fn release(&self, cancellation: Cancellation) -> Result<(), PaymentError> {
        self.reverse(cancellation).await.map_err(payment_error)
    }

    async fn give_back(&self, transfer: Transfer) -> Result<(), PaymentError> {
        self.refund(transfer).await.map_err(payment_error)
    }
}

//! What the domain asks of `sber`.
//!
//! Created once by Cofferdam; yours from here on. Cofferdam never opens this file for writing again. Keep the methods
//! the domain needs, in its own words; the adapter stays behind them.

use std::convert::Infallible;
use std::future::Future;

use cofferdam_runtime::{CallError, Delivery};

use super::domain;
use super::generated::adapter::SberAdapter;
use super::mapper::SberMapping;

/// What a call answers.
pub type SberResult<T, R> = Result<T, SberError<R>>;

/// Why there is no answer. `R` is the domain's word for a no.
#[derive(Debug)]
pub enum SberError<R> {
    /// The system said no.
    Rejected(R),
    /// Nothing was sent: it is not to be reached now, or too many calls are under way. It may work later.
    Unavailable(CallError<R>),
    /// The request may have arrived, its answer did not: find out before it is repeated.
    InDoubt(CallError<R>),
    /// The system failed, or its answer makes no sense.
    Failed(CallError<R>),
}

impl<R> From<CallError<R>> for SberError<R> {
    fn from(error: CallError<R>) -> Self {
        match error {
            CallError::Rejected { rejection, .. } => Self::Rejected(rejection),
            other => match other.delivery() {
                Delivery::NotSent => Self::Unavailable(other),
                Delivery::MaybeSent => Self::InDoubt(other),
                Delivery::Answered => Self::Failed(other),
            },
        }
    }
}

impl<R> std::fmt::Display for SberError<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rejected(_) => f.write_str("rejected"),
            Self::Unavailable(cause) => write!(f, "not available now: {cause}"),
            Self::InDoubt(cause) => write!(f, "it is not known whether it was done: {cause}"),
            Self::Failed(cause) => write!(f, "failed: {cause}"),
        }
    }
}

impl<R: std::fmt::Debug> std::error::Error for SberError<R> {}

/// `sber`, as the domain sees it.
pub trait SberPort: Send + Sync {
    /// Registers an order for a one-phase payment
    fn register_order(
        &self,
        command: domain::RegisterOrderForm,
    ) -> impl Future<Output = SberResult<domain::RegisterOrderResult, Infallible>> + Send;

    /// Registers an order for a two-phase payment
    fn register_pre_auth(
        &self,
        command: domain::RegisterOrderForm,
    ) -> impl Future<Output = SberResult<domain::RegisterOrderResult, Infallible>> + Send;

    /// Tells the state of an order
    fn get_order_status(
        &self,
        command: domain::OrderStatusForm,
    ) -> impl Future<Output = SberResult<domain::OrderStatusResult, Infallible>> + Send;

    /// Takes the money held by a two-phase payment
    fn deposit(
        &self,
        command: domain::DepositForm,
    ) -> impl Future<Output = SberResult<domain::OperationResult, Infallible>> + Send;

    /// Cancels a payment
    fn reverse(
        &self,
        command: domain::ReverseForm,
    ) -> impl Future<Output = SberResult<domain::OperationResult, Infallible>> + Send;

    /// Returns money to the buyer
    fn refund(
        &self,
        command: domain::RefundForm,
    ) -> impl Future<Output = SberResult<domain::OperationResult, Infallible>> + Send;
}

impl SberPort for SberAdapter<SberMapping> {
    async fn register_order(
        &self,
        command: domain::RegisterOrderForm,
    ) -> SberResult<domain::RegisterOrderResult, Infallible> {
        Ok(self.register_order(command).await?)
    }

    async fn register_pre_auth(
        &self,
        command: domain::RegisterOrderForm,
    ) -> SberResult<domain::RegisterOrderResult, Infallible> {
        Ok(self.register_pre_auth(command).await?)
    }

    async fn get_order_status(
        &self,
        command: domain::OrderStatusForm,
    ) -> SberResult<domain::OrderStatusResult, Infallible> {
        Ok(self.get_order_status(command).await?)
    }

    async fn deposit(&self, command: domain::DepositForm) -> SberResult<domain::OperationResult, Infallible> {
        Ok(self.deposit(command).await?)
    }

    async fn reverse(&self, command: domain::ReverseForm) -> SberResult<domain::OperationResult, Infallible> {
        Ok(self.reverse(command).await?)
    }

    async fn refund(&self, command: domain::RefundForm) -> SberResult<domain::OperationResult, Infallible> {
        Ok(self.refund(command).await?)
    }
}

//! What the shop asks of a box office, in its own words. The adapter stays behind them.

use std::future::Future;

use cofferdam_runtime::{CallError, IdempotencyKey, Outcomes};

use super::domain::{Cancellation, Hold, Order, OrderPage, OrderSearch, Payment, Progress, TicketsRefused};
use super::generated::adapter::OdnakassaAdapter;
use super::mapper::OdnakassaMapping;
use crate::integrations::failure::Failure;

/// What the box office answers.
pub type TicketsResult<T> = Result<T, Failure<TicketsRefused>>;

/// A box office, as the shop sees it. Every command carries a key: sent again with it, it is done once.
pub trait TicketOffice: Send + Sync {
    /// Holds places.
    fn hold(&self, hold: Hold, key: IdempotencyKey) -> impl Future<Output = TicketsResult<Order>> + Send;

    /// Turns held places into tickets.
    fn confirm(&self, payment: Payment, key: IdempotencyKey) -> impl Future<Output = TicketsResult<Order>> + Send;

    /// Gives places back.
    fn cancel(&self, cancellation: Cancellation, key: IdempotencyKey)
    -> impl Future<Output = TicketsResult<()>> + Send;

    /// How far an order is.
    fn progress(&self, order: String) -> impl Future<Output = TicketsResult<Progress>> + Send;

    /// All orders that are looked for, page by page: each page is a call of its own, made when it is asked for.
    fn find(&self, search: OrderSearch) -> Result<Outcomes<OrderPage, TicketsRefused>, CallError<TicketsRefused>>;
}

impl TicketOffice for OdnakassaAdapter<OdnakassaMapping> {
    async fn hold(&self, hold: Hold, key: IdempotencyKey) -> TicketsResult<Order> {
        Ok(self.create_order(hold, key).await?)
    }

    async fn confirm(&self, payment: Payment, key: IdempotencyKey) -> TicketsResult<Order> {
        Ok(self.confirm_payment(payment, key).await?)
    }

    async fn cancel(&self, cancellation: Cancellation, key: IdempotencyKey) -> TicketsResult<()> {
        Ok(OdnakassaAdapter::cancel(self, cancellation, key).await?)
    }

    async fn progress(&self, order: String) -> TicketsResult<Progress> {
        Ok(self.get_status(order).await?)
    }

    fn find(&self, search: OrderSearch) -> Result<Outcomes<OrderPage, TicketsRefused>, CallError<TicketsRefused>> {
        self.find_order_pages(search)
    }
}
